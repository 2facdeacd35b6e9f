//! Greetings, thanks and signatures around what a message says: "Hello, I hope you are well. Oslo. Kind regards, Ann" says
//! "Oslo". They are taken off before anything is read, so that they change no value.
//!
//! Deliberately absent: a greeting that no mark ends ("hi I need a room"), which the words around an answer know. A "please"
//! in front needs no mark.

use std::ops::Range;

use super::named::is_hidden;
use super::spans::asked_path;
use super::{Scene, Understood, sentence};
use crate::command::Command;
use formwright_form::kind::Said;
use formwright_form::kind::text::Subtype;
use formwright_form::{Field, Kind, Path, Value};
use formwright_lexicon::{Language, Phrases};
use formwright_text::Class;

/// Most words of a sentence of courtesy.
const LONGEST: usize = 14;
/// Most words of the name below a message.
const LONGEST_NAME: usize = 4;
/// Fewest words of courtesy that are no part of a text, and of such at the end that are taken off: "thanks" alone is filler.
const FEWEST: usize = 3;

/// What is said between the courtesy around it.
pub(super) struct Plain {
    /// It as a message of its own.
    pub(super) said: Said,
    /// The byte at which it starts in the message.
    start: usize,
    /// The name below the message, as written.
    name: Option<String>,
    /// The number of words before it.
    before: usize,
    /// The number of words behind it.
    behind: usize,
}

/// What a message says without the courtesy around it; `None` where there is none, or nothing else. A long text keeps it.
pub(super) fn without(scene: &Scene<'_>, said: &Said) -> Option<Plain> {
    let parting = Parting { said, lang: scene.lang };
    let plain = parting.plain()?;
    // A note keeps its please: "please ring the bell twice".
    let only_please = parting.please(0) == plain.before;
    let asked = asked_path(scene).and_then(|path| scene.form.field_at(&path));
    let keeps = |field: &Field| match &field.kind {
        Kind::LongText(_) => true,
        // "Hello, World" may be the text of a message itself.
        Kind::Text(_) => {
            let letter = || sentence::is_text_called(field, scene.lang, |lang| &lang.brief.letter);
            let note = || only_please && sentence::is_text_called(field, scene.lang, |lang| &lang.naming.note);
            let text = || letter() || note() || sentence::is_wording(field, scene.lang);
            plain.behind == 0 && plain.before < FEWEST && text()
        }
        _ => false,
    };
    let kept = asked.is_some_and(keeps);
    (!kept).then_some(plain)
}

/// What a message says without the courtesy around it, where no form is open.
pub(super) fn plainly(said: &Said, lang: &Language) -> Option<Said> {
    Parting { said, lang }.plain().map(|plain| plain.said)
}

impl Plain {
    /// What was understood of it as understood of the message, with the name below it.
    pub(super) fn in_message(self, scene: &Scene<'_>, mut understood: Understood) -> Understood {
        let spans = understood.refused.iter_mut().map(|(_, span, _)| span).chain(&mut understood.leftover);
        for span in spans {
            *span = span.start + self.start..span.end + self.start;
        }
        if let Some((path, name)) = whose(scene).zip(self.name)
            && !understood.commands.iter().any(|command| command.filled() == Some(&path))
        {
            let fill = Command::Fill { path, value: Value::Text(name.clone()), quote: Some(name) };
            understood.commands.insert(0, fill);
        }
        understood
    }
}

/// The only open field for a name, where it is for the person's own.
fn whose(scene: &Scene<'_>) -> Option<Path> {
    let path = |field: &Field| scene.form.path_near(field.no, &Path::default());
    let open = |path: &Path| !scene.draft.answers.contains_key(path) && !is_hidden(scene, path);
    let person = |field: &&Field| matches!(&field.kind, Kind::Text(text) if text.subtype == Some(Subtype::Person));
    let met = |field: &Field| {
        let label = Said::new(field.label.pick(&[scene.lang.code]));
        let is_met = |no: usize| scene.lang.and_english().any(|lang| lang.naming.counterpart.starts(&label, no));
        (0..label.words.len()).any(is_met)
    };
    let fields = scene.form.fields.iter().filter(person).filter(|field| path(field).as_ref().is_some_and(open));
    let mut fields = fields.map(|field| (field, path(field)));
    let (field, path) = fields.next().filter(|_| fields.next().is_none())?;
    path.filter(|_| !met(field))
}

/// The courtesy at the end of a message.
struct Behind {
    /// The word at which it starts.
    start: usize,
    /// The name that it ends with.
    name: Option<Range<usize>>,
}

/// A message that is parted from the courtesy around it.
struct Parting<'a> {
    said: &'a Said,
    lang: &'a Language,
}

impl Parting<'_> {
    fn plain(&self) -> Option<Plain> {
        let front = self.greeting();
        let behind = self.thanks(front);
        self.rest(front..behind.start, behind.name)
    }

    fn len(&self, table: fn(&Language) -> &Phrases<()>, no: usize) -> usize {
        self.lang.and_english().filter_map(|lang| table(lang).at(self.said, no)).map(|(len, ())| len).max().unwrap_or(0)
    }

    fn is_mark(&self, no: usize) -> bool {
        self.said.words.get(no).is_some_and(|word| word.class == Class::Mark)
    }

    fn starts_line(&self, no: usize) -> bool {
        let Some(before) = no.checked_sub(1).and_then(|no| self.said.words.get(no)) else { return false };
        let Some(word) = self.said.words.get(no) else { return true };
        self.said.text(before.span.end..word.span.start).contains('\n')
    }

    /// Whether a part of the message ends before a word.
    fn parts(&self, no: usize) -> bool {
        let mark = matches!(self.said.word(no), "," | "." | "!" | "?" | ";" | ":" | "-" | "…" | "،" | "؟" | "؛");
        mark && self.is_mark(no) || self.starts_line(no)
    }

    /// The first word behind the greeting at the start; 0 where there is none.
    fn greeting(&self) -> usize {
        let count = self.said.words.len();
        let (mut no, mut behind) = (0, 0);
        while no < count {
            let len = self.courtesy(no, count);
            let named = if len == 0 { self.hail(no) } else { 0 };
            if len.max(named) == 0 {
                break;
            }
            no += len.max(named);
            no += self.len(|lang| &lang.sentence.addressed, no);
            if self.parts(no) {
                while no < count && self.is_mark(no) && !self.begins_value(no) {
                    no += 1;
                }
                behind = no;
            } else {
                match self.len(|lang| &lang.sentence.join, no) {
                    0 if self.courtesy(no, count) == 0 => break,
                    join => no += join,
                }
            }
        }
        behind + self.please(behind)
    }

    /// The words of a "please" in front of what is wanted, without a mark between them; 0 where it belongs to a wish of its own:
    /// "please do", "please help".
    fn please(&self, no: usize) -> usize {
        let len = self.len(|lang| &lang.sentence.wished, no);
        let filler = self.len(|lang| &lang.filler.around, no);
        let control = self.lang.and_english().filter_map(|lang| lang.control.whole.at(self.said, no));
        let wish = control.map(|(len, _)| len).max().unwrap_or(0).max(self.len(|lang| &lang.yes_no.yes, no));
        let goes_on = self.said.words.get(no + len).is_some_and(|word| word.class != Class::Mark);
        if len > 0 && filler == len && wish <= len && goes_on { len } else { 0 }
    }

    /// Whether a mark belongs to what follows it: "+44", "£7,500", "-3".
    fn begins_value(&self, no: usize) -> bool {
        let glued = self.said.is_glued(no + 1) && !self.starts_line(no + 1);
        let number = || self.said.words.get(no + 1).is_some_and(|word| word.class == Class::Digits);
        match self.said.word(no) {
            "+" | "€" | "$" | "£" | "¥" | "#" | "(" | "\"" | "“" | "„" | "«" => true,
            "-" => glued && number() && !(no > 0 && self.said.is_glued(no)),
            _ => false,
        }
    }

    /// The words of courtesy at a word: a phrase, or a sentence that begins as such; 0 where there are none.
    fn courtesy(&self, no: usize, end: usize) -> usize {
        let phrase = self.len(|lang| &lang.sentence.courtesy, no);
        let opens = self.len(|lang| &lang.sentence.courteous, no);
        if opens == 0 {
            return phrase;
        }
        let stop = (no + opens..end).find(|no| self.parts(*no)).unwrap_or(end);
        let plain = (no + 1..stop).all(|no| {
            let word = self.said.plain(no);
            let number = || {
                let is = |lang: &Language| {
                    lang.number.atoms.word(word).is_some() && lang.sentence.articles.word(word).is_none()
                };
                self.lang.and_english().any(is)
            };
            let class = self.said.words.get(no).map(|word| word.class);
            class == Some(Class::Letters) && !number()
        });
        let ends = stop < self.said.words.len() || no > 0;
        if plain && ends && stop - no <= LONGEST { phrase.max(stop - no) } else { phrase }
    }

    /// The words of a greeting with the name of whoever is greeted: "Dear Ms Lee" before a comma or the end of a line.
    fn hail(&self, no: usize) -> usize {
        const NAME: usize = 3;
        let hail = self.len(|lang| &lang.sentence.hail, no);
        let start = no + hail;
        if hail == 0 || no > 0 {
            return 0;
        }
        let small = |no: usize| {
            let plain = self.said.plain(no);
            let known = |lang: &Language| {
                lang.filler.around.word(plain).is_some()
                    || lang.sentence.stop.word(plain).is_some()
                    || lang.yes_no.yes.word(plain).is_some()
                    || lang.yes_no.no.word(plain).is_some()
            };
            plain.contains('\'') || self.lang.and_english().any(known)
        };
        let name =
            |no: &usize| !self.starts_line(*no) && self.said.is_capital(*no) && !self.is_mark(*no) && !small(*no);
        let title = self.len(|lang| &lang.naming.address, start);
        let dot = usize::from(title > 0 && self.said.word(start + title) == ".");
        let count = (start + title + dot..start + title + dot + NAME).take_while(name).count();
        let stop = start + title + dot + count;
        let ends = self.said.word(stop) == "," || self.starts_line(stop);
        if count > 0 && ends { stop - no } else { 0 }
    }

    /// The courtesy at the end, behind a word.
    fn thanks(&self, from: usize) -> Behind {
        let count = self.said.words.len();
        let mut found = Behind { start: count, name: None };
        for no in (from.max(count.saturating_sub(LONGEST + LONGEST_NAME))..count).rev() {
            let parted = || no == from || self.parts(no - 1) || self.starts_line(no);
            // "Ok only if it's free": a condition at the end is more than polite.
            let depends = || self.len(|lang| &lang.denial.condition, no) > 0;
            let polite = self.len(|lang| &lang.sentence.courtesy, no) > 1 || parted();
            let begins = !self.is_mark(no) && polite && !depends();
            found = Some(no).filter(|_| begins).and_then(|no| self.all_courtesy(no)).unwrap_or(found);
        }
        let words = (found.start..count).filter(|no| !self.is_mark(*no)).count();
        if words < FEWEST && found.name.is_none() { Behind { start: count, name: None } } else { found }
    }

    /// What starts at a word, where it is courtesy to the end.
    fn all_courtesy(&self, start: usize) -> Option<Behind> {
        let count = self.said.words.len();
        let mut no = start;
        while no < count {
            let signs = self.len(|lang| &lang.sentence.signs, no);
            if let Some(name) = self.name(no + signs).filter(|_| signs > 0) {
                return Some(Behind { start, name: Some(name) });
            }
            let join = if no > start { self.len(|lang| &lang.sentence.join, no) } else { 0 };
            let len = signs.max(self.courtesy(no, count)).max(join);
            match len.max(usize::from(self.is_mark(no))) {
                0 => return None,
                len => no += len,
            }
        }
        Some(Behind { start, name: None })
    }

    /// The few words behind a mark or a line end that may be a name, to the end of the message.
    fn name(&self, from: usize) -> Option<Range<usize>> {
        let count = self.said.words.len();
        let start = from + usize::from(self.is_mark(from));
        let end = if count > 0 && self.said.word(count - 1) == "." { count - 1 } else { count };
        let parted = start > from || self.starts_line(from);
        let few = start < end && end - start <= LONGEST_NAME && (start..end).all(|no| self.is_of_name(no));
        // "Best, Monday" signs nothing.
        let day = |lang: &Language| !lang.date.beginning_at(self.said, start).is_empty();
        let alone = end == start + 1 && self.lang.and_english().any(day);
        (parted && few && !alone).then_some(start..end)
    }

    /// Whether a word may be part of a name: it has a capital, stands inside names, or is a word that the language has not. In
    /// a script without capitals it is one that begins no day.
    fn is_of_name(&self, no: usize) -> bool {
        let letters = self.said.words.get(no).is_some_and(|word| word.class == Class::Letters);
        let plain = self.said.plain(no);
        let knows = |knows: fn(&Language, &str) -> bool| self.lang.and_english().any(|lang| knows(lang, plain));
        let caseless = !plain.starts_with(char::is_lowercase);
        let no_day = || caseless && !knows(|lang, word| !lang.date.beginning(word).is_empty());
        let particle = self.len(|lang| &lang.name.particles, no) > 0;
        letters && (self.said.is_capital(no) || particle || no_day() || !knows(Language::knows))
    }

    /// Words of the message as one of its own.
    fn rest(&self, words: Range<usize>, name: Option<Range<usize>>) -> Option<Plain> {
        let all = 0..self.said.words.len();
        if words == all || words.clone().all(|no| self.is_mark(no)) {
            return None;
        }
        let start = if words.start == 0 { 0 } else { self.said.raw_words(words.start..words.start + 1).start };
        let end = if words.end == all.end { self.said.raw.len() } else { self.said.raw_words(words.clone()).end };
        let name = name.and_then(|name| self.said.raw.get(self.said.raw_words(name)));
        let telling = |words: Range<usize>| words.filter(|no| !self.is_mark(*no)).count();
        Some(Plain {
            said: Said::new(self.said.raw.get(start..end)?),
            start,
            name: name.map(str::to_owned),
            before: telling(0..words.start),
            behind: telling(words.end..all.end),
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "to"
kind = "text"
label = "Destination"
subtype = "place"

[[field]]
id = "seats"
kind = "integer"
label = "Seats"

[[field]]
id = "name"
kind = "text"
label = "Passenger"
subtype = "person"
required = false

[[field]]
id = "note"
kind = "text"
label = "Remark"

[[field]]
id = "text"
kind = "text"
label = "Message"

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "story"
kind = "long_text"
label = "Story"
"#;

    #[rstest]
    #[case("en", "to", "Hello, I hope you are well. Bergen", "to=Bergen")]
    #[case("en", "to", "Good evening and thanks for your time! Bergen", "to=Bergen")]
    #[case("en", "to", "hey folks! Bergen", "to=Bergen")]
    #[case("en", "to", "Hope you had a lovely holiday. Bergen", "to=Bergen")]
    #[case("en", "to", "Dear Ms. Hill, Bergen", "to=Bergen")]
    #[case("en", "to", "Bergen. Thanks for all your help, best wishes", "to=Bergen")]
    #[case("en", "to", "Bergen. Kind regards, Ann Lee", "name=Ann Lee; to=Bergen")]
    #[case("en", "to", "Bergen. Cheers, two seats please", "seats=2; to=Bergen")]
    #[case("en", "", "3 seats to Bergen Many thanks in advance.", "seats=3; to=Bergen")]
    #[case("en", "note", "Hello, I hope all is well. The lift is narrow. Regards", "note=The lift is narrow")]
    #[case("en", "text", "Hello, World", "text=Hello, World")]
    #[case("en", "note", "Good morning, the lift is narrow", "note=the lift is narrow")]
    #[case("en", "budget", "Good morning, £900", "budget={\"amount\":\"900.00\",\"currency\":\"GBP\"}")]
    #[case("en", "to", "Hello Bay", "to=Bay")]
    #[case(
        "en",
        "story",
        "Hello Ann, happy birthday! Kind regards, Bob",
        "story=Hello Ann, happy birthday! Kind regards, Bob"
    )]
    #[case("it", "to", "Buongiorno, spero tutto bene con il lavoro. Pisa", "to=Pisa")]
    #[case("it", "to", "Salve e grazie per la pazienza. Pisa", "to=Pisa")]
    #[case("it", "to", "Pisa. Cordiali saluti, Ugo Neri", "name=Ugo Neri; to=Pisa")]
    #[case("es", "to", "Hola, espero que todo vaya de maravilla. Cádiz", "to=Cádiz")]
    #[case("es", "to", "Cádiz. Un saludo, Eva Ruiz", "name=Eva Ruiz; to=Cádiz")]
    #[case("de", "to", "Hallo, danke für die schnelle Antwort. Jena", "to=Jena")]
    #[case("de", "to", "Jena. Viele Grüße, Max Muster", "name=Max Muster; to=Jena")]
    #[case("fr", "to", "Bonjour, merci pour votre retour. Brest", "to=Brest")]
    #[case("fr", "to", "Brest. Cordialement, Luc Petit", "name=Luc Petit; to=Brest")]
    #[case("ar", "to", "مرحبا، شكرا على المساعدة. القاهرة", "to=القاهرة")]
    #[case("ar", "to", "القاهرة. مع التحية، ليلى حسن", "name=ليلى حسن; to=القاهرة")]
    fn courtesy_around_an_answer_is_no_part_of_it(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let fills = Stage::new(TRIP, asked).speaking(lang).fills(said);
        assert_eq!(sorted(&fills), sorted(expected), "{said}");
    }

    #[test]
    fn what_is_left_over_is_quoted_from_the_message() {
        assert_eq!(Stage::new(TRIP, "seats").line("Good morning! Blue skies"), "~Blue skies");
    }
}
