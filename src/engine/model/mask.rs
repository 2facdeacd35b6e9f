//! What is taken out of everything a model is told: secrets, values of sensitive fields wherever they stand, and where
//! wished e-mail addresses, telephone numbers and bank accounts.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::draft::filling::Filling;
use crate::session::heard::HIDDEN;
use formwright_form::field::Field;
use formwright_form::kind::{Context, FieldKind, Found, Said, email, iban, phone, secret};
use formwright_form::{Kind, Path, Value};
use formwright_lexicon::{Language, Phrases};
use formwright_nlu::is_sensitive;
use formwright_text::Class;

/// A message without secrets and without the values of sensitive fields.
pub(crate) fn without_secrets(filling: &Filling<'_>, said: &Said) -> String {
    Mask::new(&[filling], false).hide_in(said)
}

/// Letters and digits of a value from which on it is found inside other words and with other marks in it. A shorter one
/// is found as a word by itself.
const LONG: usize = 5;

/// Letters and digits of the shortest value that is looked for: one letter or digit says nothing.
const SHORTEST: usize = 2;

/// Letters of the shortest word of a sensitive text that is looked for by itself.
const SHORTEST_WORD: usize = 3;

/// Letters from which on a word is looked for though everybody says it: a shorter one is not.
const COMMON_WORD: usize = 4;

/// Letters that two words begin with where they are of one stem: "diabetes", "diabetic".
const STEM: usize = 6;

/// Fewest digits of a telephone number.
const FEWEST_DIGITS: usize = 7;

/// What nobody else may see of some forms.
pub(crate) struct Mask<'a> {
    /// Forms whose sensitive fields' values are known by their looks.
    forms: Vec<&'a Filling<'a>>,
    /// Names of their sensitive fields in free words.
    names: Vec<(Phrases<()>, &'a Field)>,
    /// Values that were given, letters and digits only.
    values: Vec<String>,
    /// Words of texts that were given, in their plain form.
    words: BTreeSet<String>,
    redact: bool,
}

impl<'a> Mask<'a> {
    /// A mask for what is said in these forms. With `redact` addresses and numbers that reach a person are hidden too.
    pub(crate) fn new(forms: &[&'a Filling<'a>], redact: bool) -> Self {
        let mut mask =
            Self { forms: forms.to_vec(), names: Vec::new(), values: Vec::new(), words: BTreeSet::new(), redact };
        for filling in forms {
            mask.learn(filling);
            let hidden = |field: &&Field| is_sensitive(filling.form, field) && !matches!(field.kind, Kind::YesNo(_));
            for field in filling.form.fields.iter().filter(hidden) {
                let label = field.label.pick(&filling.world.tags_of(filling.form)).to_owned();
                let id = field.id.as_str().replace(['_', '-'], " ");
                mask.names.push((Phrases::new([(label, ()), (id, ())]), field));
            }
        }
        mask
    }

    /// The same mask, with the sensitive values of another form.
    pub(crate) fn learn(&mut self, filling: &Filling<'_>) {
        for (path, answer) in &filling.draft().answers {
            let Some(field) = filling.form.field_at(path) else { continue };
            let reached = self.redact && reaches_a_person(field);
            if !is_sensitive(filling.form, field) && !reached || matches!(answer.value, Value::Bool(_)) {
                continue;
            }
            let offered = filling.offered(field, path);
            let shown = field.kind.behaviour().show(&answer.value, &filling.context(field, &offered));
            let words = match &answer.value {
                Value::Text(words) => Some(words),
                Value::Entity { name, .. } => Some(name),
                _ => None,
            };
            if is_sensitive(filling.form, field) && is_worded(field) {
                let said = [answer.quote.as_ref(), words].into_iter().flatten().map(|words| Said::new(words));
                self.words.extend(said.flat_map(|said| telling_words(&said, filling.world.lang)));
            }
            let all = [Some(&shown), answer.quote.as_ref(), words];
            let said = all.into_iter().flatten().map(|words| Said::new(words));
            let telling = said.filter(|said| !says_nothing(said, filling.world.lang));
            let bare = telling.map(|said| Bare::of(&said).text);
            self.values.extend(bare.filter(|bare| bare.chars().count() >= SHORTEST));
        }
        self.values.sort();
        self.values.dedup();
    }

    /// A text without what is hidden.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.hide_in(&Said::new(text))
    }

    /// A message without what is hidden.
    pub(crate) fn hide_in(&self, said: &Said) -> String {
        let spans = self.spans(said);
        let mut text = String::new();
        let mut hiding = false;
        for (at, c) in said.raw.char_indices() {
            let hidden = spans.iter().any(|span| span.contains(&at));
            if hidden && !hiding {
                text.push_str(HIDDEN);
            }
            hiding = hidden;
            if !hidden {
                text.push(c);
            }
        }
        text
    }

    fn spans(&self, said: &Said) -> Vec<Range<usize>> {
        let mut spans = secret::secrets(said);
        spans.extend(self.given(said));
        for filling in &self.forms {
            let fields = filling.form.fields.iter();
            for field in
                fields.filter(|field| is_sensitive(filling.form, field) || self.redact && reaches_a_person(field))
            {
                let found = found(filling, field, said);
                if found.is_empty() {
                    spans.extend(self.named(field, said, filling));
                }
                spans.extend(found.into_iter().map(|found| found.span));
            }
        }
        if self.redact {
            spans.extend(self.reaching(said));
        }
        spans
    }

    /// Values that were given for sensitive fields, however they are written.
    fn given(&self, said: &Said) -> Vec<Range<usize>> {
        let bare = Bare::of(said);
        let mut spans = Vec::new();
        let known = (0..said.words.len()).filter(|no| self.knows(said.plain(*no)));
        let known: Vec<Range<usize>> = known.map(|no| said.raw_words(no..no + 1)).collect();
        for value in &self.values {
            let whole = value.chars().count() < LONG;
            let found = bare.text.match_indices(value.as_str()).map(|(at, _)| at..at + value.len());
            spans.extend(found.map(|at| bare.in_norm(at)).filter(|at| !whole || is_word(said, at)));
            let digits = value.len() >= FEWEST_DIGITS && value.bytes().all(|b| b.is_ascii_digit());
            if digits {
                // With or without the number of the country.
                let same = |own: &str| own.len() >= FEWEST_DIGITS && (own.ends_with(value) || value.ends_with(own));
                let numbers = numbers(said).into_iter().filter(|(_, groups)| {
                    let own = groups.concat();
                    same(&own) || own.strip_prefix('0').is_some_and(same)
                });
                spans.extend(numbers.map(|(at, _)| at));
            }
        }
        spans.into_iter().map(|at| said.raw_span(at)).chain(known).collect()
    }

    /// Whether a word is one of a sensitive text, or of the same stem.
    fn knows(&self, word: &str) -> bool {
        let alike = |known: &String| known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count() >= STEM;
        self.words.contains(word) || self.words.iter().any(alike)
    }

    /// What follows the name of a sensitive field, up to the end of the sentence: words that look like nothing.
    fn named(&self, field: &Field, said: &Said, filling: &Filling<'_>) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        for (name, _) in self.names.iter().filter(|(_, of)| std::ptr::eq(*of, field)) {
            for no in 0..said.words.len() {
                let Some((len, ())) = name.at(said, no) else { continue };
                let start = no + len;
                let ends = |no: &usize| matches!(said.word(*no), "." | "!" | "?" | ";" | "؟" | "؛");
                let end = (start..said.words.len()).find(ends).unwrap_or(said.words.len());
                let links = [filling.world.lang, filling.world.speaks]
                    .into_iter()
                    .any(|lang| lang.sentence.is.starts(said, start) || lang.secret.is.starts(said, start));
                let asks = matches!(said.word(end), "?" | "؟");
                if end > start && (links || !asks) {
                    spans.push(said.raw_words(start..end));
                }
            }
        }
        spans
    }

    /// E-mail addresses, telephone numbers and bank accounts, whatever field they are for.
    fn reaching(&self, said: &Said) -> Vec<Range<usize>> {
        let mut spans = iban::find(&said.raw);
        if let Some(filling) = self.forms.first() {
            let cx = Context {
                now: &filling.world.now,
                lang: filling.world.lang,
                region: filling.world.region.as_deref(),
                options: &[],
                other: false,
                held: None,
            };
            let mail = email::Email { domains: Vec::new() }.find(said, &cx);
            let phone = phone::Phone { country: None }.find(said, &cx);
            let phone = phone.into_iter().filter(|found| !holds_days(said, found));
            spans.extend(mail.into_iter().chain(phone).map(|found| found.span));
        }
        spans.extend(numbers(said).into_iter().filter(|(_, groups)| is_phone(groups)).map(|(at, _)| said.raw_span(at)));
        spans.extend(runs(&said.raw).filter(|(_, run)| is_address(run) || is_account(run)).map(|(at, _)| at));
        spans
    }
}

fn reaches_a_person(field: &Field) -> bool {
    matches!(field.kind, Kind::Email(_) | Kind::Phone(_))
}

/// Whether a field's values are words, each of which may tell what nobody else may know.
fn is_worded(field: &Field) -> bool {
    matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_))
}

/// The words of a text that tell something by themselves.
fn telling_words(said: &Said, lang: &Language) -> Vec<String> {
    let small = |word: &str| {
        lang.and_english().any(|lang| {
            let tables = [&lang.sentence.stop, &lang.speech.turn, &lang.speech.small, &lang.yes_no.no];
            tables.iter().any(|table| table.word(word).is_some())
        })
    };
    let letters = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
    let words = (0..said.words.len()).filter(letters).map(|no| said.plain(no));
    let common = |word: &str| lang.and_english().any(|lang| lang.option.common.word(word).is_some());
    let telling = |word: &&str| match word.chars().count() {
        0..SHORTEST_WORD => false,
        SHORTEST_WORD..COMMON_WORD => !small(word) && !common(word),
        _ => !small(word),
    };
    words.filter(telling).map(str::to_owned).collect()
}

/// Whether a value is made of words like "none" and "no", which mean other things elsewhere.
fn says_nothing(said: &Said, lang: &Language) -> bool {
    let tables = [&lang.sentence.stop, &lang.speech.turn, &lang.speech.small, &lang.yes_no.no];
    (0..said.words.len()).all(|no| tables.iter().any(|table| table.word_at(said, no).is_some()))
}

/// What reads like a value of a field.
fn found(filling: &Filling<'_>, field: &Field, said: &Said) -> Vec<Found> {
    let path = filling.form.path_near(field.no, &Path::default()).unwrap_or_default();
    let offered = filling.offered(field, &path);
    field.kind.behaviour().find(said, &filling.context(field, &offered))
}

/// The letters and digits of a message in their normal form, and where in it they stood.
struct Bare {
    text: String,
    /// For each byte of the text, the character's range in the normal form.
    origin: Vec<Range<usize>>,
}

impl Bare {
    fn of(said: &Said) -> Self {
        let mut bare = Self { text: String::new(), origin: Vec::new() };
        for (at, c) in said.norm.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            bare.text.push(c);
            bare.origin.resize(bare.text.len(), at..at + c.len_utf8());
        }
        bare
    }

    fn in_norm(&self, at: Range<usize>) -> Range<usize> {
        match (self.origin.get(at.start), at.end.checked_sub(1).and_then(|last| self.origin.get(last))) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }
}

/// Whether a range of the normal form begins and ends where words do.
fn is_word(said: &Said, at: &Range<usize>) -> bool {
    let before = said.norm.get(..at.start).and_then(|text| text.chars().next_back());
    let after = said.norm.get(at.end..).and_then(|text| text.chars().next());
    ![before, after].into_iter().flatten().any(char::is_alphanumeric)
}

/// Runs of digits with spaces, dots, dashes, slashes and brackets between them: ranges of the normal form, and the groups.
fn numbers(said: &Said) -> Vec<(Range<usize>, Vec<String>)> {
    const MOST_MARKS: usize = 3;
    let mut found: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    let mut marks = MOST_MARKS;
    for (at, c) in said.norm.char_indices() {
        if c.is_ascii_digit() {
            match found.last_mut().filter(|_| marks < MOST_MARKS) {
                Some((span, groups)) => {
                    span.end = at + 1;
                    match groups.last_mut().filter(|_| marks == 0) {
                        Some(group) => group.push(c),
                        None => groups.push(c.to_string()),
                    }
                }
                None => {
                    let plus = said.norm.get(..at).is_some_and(|text| text.ends_with('+'));
                    found.push((at - usize::from(plus)..at + 1, vec![c.to_string()]));
                }
            }
            marks = 0;
        } else if matches!(c, ' ' | '.' | '-' | '/' | '(' | ')' | '\u{a0}') {
            marks += 1;
        } else {
            marks = MOST_MARKS;
        }
    }
    found
}

/// Whether groups of digits could be a telephone number: enough of them, and no day.
fn is_phone(groups: &[String]) -> bool {
    let lens: Vec<usize> = groups.iter().map(String::len).collect();
    let is_day = matches!(lens.as_slice(), [4, 1 | 2, 1 | 2, ..] | [1 | 2, 1 | 2, 4, ..])
        && lens.iter().skip(3).all(|len| *len <= 2)
        || matches!(lens.as_slice(), [1 | 2, 1 | 2, 4, 1 | 2, 1 | 2, 4]);
    lens.iter().sum::<usize>() >= FEWEST_DIGITS && !is_day
}

/// Whether what could be a telephone number is days.
fn holds_days(said: &Said, found: &Found) -> bool {
    let own = numbers(&Said::new(said.raw.get(found.span.clone()).unwrap_or_default()));
    !own.is_empty() && !own.iter().any(|(_, groups)| is_phone(groups))
}

/// Whether a run has the form of an e-mail address, valid or not.
fn is_address(run: &str) -> bool {
    run.rsplit_once('@').is_some_and(|(name, domain)| !name.is_empty() && domain.contains('.'))
}

/// Whether a run looks like an account number, right or not: two letters, two digits, and much more.
fn is_account(run: &str) -> bool {
    const SHORTEST: usize = 15;
    let bytes = run.as_bytes();
    run.len() >= SHORTEST
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes.iter().take(2).all(u8::is_ascii_alphabetic)
        && bytes.iter().skip(2).take(2).all(u8::is_ascii_digit)
}

/// The runs without spaces, as bytes of a text.
fn runs(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut from = 0;
    text.split_inclusive(char::is_whitespace).map(move |part| {
        let start = from;
        from += part.len();
        let run = part.trim().trim_matches(|c: char| !c.is_alphanumeric());
        let at = start + part.find(run).unwrap_or_default();
        (at..at + run.len(), run)
    })
}
