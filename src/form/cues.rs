//! Words that announce fields in a sentence: labels, the words of ids, and the author's cues, in every language at once.
//!
//! Built once per form, so that reading a message costs by the words of the message and not by the number of fields.

mod absent;
mod ahead;
mod alike;
mod crowd;
mod deeds;
mod ends;
mod features;
mod joined;
mod measure;
mod names;
mod one;
mod short;

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat::words::primary;

pub use crowd::Crowd;
pub use ends::{AllEnds, Ends, includes_last_day, is_of_past};
pub use measure::Counts;

use formwright_lexicon as language;
use formwright_text::Said;

use super::field::{Field, FieldNo};
use super::{Form, Kind, Text};
use crate::kind::words::text::Subtype;
pub use formwright_text::stem;

/// Words that announce a form's fields. Built once per form, when it is first needed.
#[derive(Clone, Debug, Default)]
pub struct Cues {
    /// Whole names and cues, by the stem of their first word.
    phrases: BTreeMap<String, Vec<Phrase>>,
    /// Names that may be written in one word or in two.
    joined: Vec<joined::Joined>,
    /// Telling words of names, by stem: the field, and the word's share of the name.
    parts: BTreeMap<String, Vec<(FieldNo, f32)>>,
    /// For each field, by number: fields with the same number find the same values in a message.
    pub alike: Vec<u32>,
    /// For each field, by number: whether its name makes it the first or the second of two.
    pub roles: Vec<Option<Role>>,
    /// Which of two arriving and leaving are.
    pub ends: AllEnds,
    /// For each field, by number: whether its name is a word for people, or for what each of them gets one of.
    pub people: Vec<bool>,
    /// For each field, by number: of whom it counts how many come, where it does.
    pub crowds: Vec<Option<Crowd>>,
    /// For each field, by number: the everyday things that it is about, by their names in the language files.
    pub features: Vec<Vec<&'static str>>,
    /// For each field, by number: the words of its label, in each language.
    pub labels: Vec<Vec<Said>>,
    /// For each field, by number: the words of its help, in each language.
    pub helps: Vec<Vec<Said>>,
    /// For each field, by number: the stems of what its name says is not there, where it does.
    pub absent: Vec<Option<Vec<String>>>,
    /// For each field, by number: whether it is for a day that lies ahead.
    pub ahead: Vec<bool>,
    /// For each field, by number: in what its number counts, where that is told.
    pub counts: Vec<Option<Counts>>,
    /// Stems of the words of the form's title.
    pub title: BTreeSet<String>,
    /// Stems of the words of the form's start examples.
    examples: BTreeSet<String>,
    /// The title and the start examples.
    pub starts: Vec<Example>,
    /// The stop examples.
    pub stops: Vec<Example>,
    /// The questions of the form's FAQ.
    pub questions: Vec<Example>,
    /// The description.
    pub described: Vec<Example>,
    /// Telling words of the title, the start examples and the description by stem, with their weight: at most 1.
    pub about: BTreeMap<String, f32>,
    /// Stems of words that stand beside each other in these texts.
    pub pairs: BTreeSet<(String, String)>,
    /// Stems of the words of options.
    options: BTreeSet<String>,
    /// Stems of the words that fields are explained with.
    pub explained: BTreeSet<String>,
}

/// The words of a text that messages are compared with, by stem.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The language it is written in: `en`.
    pub lang: String,
    /// All of them.
    pub all: BTreeSet<String>,
    /// Those with a meaning of their own.
    pub telling: BTreeSet<String>,
}

/// A whole name or cue of a field.
#[derive(Clone, Debug)]
struct Phrase {
    stems: Vec<String>,
    field: FieldNo,
    by_author: bool,
    /// It is a unit that the field counts in.
    unit: bool,
    /// It names the field only before a code: "ac 2038".
    code: bool,
    /// Language of an author's cue; empty for the form's own, and for names, which hold in every language.
    lang: String,
}

/// What a phrase is to the field it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Name,
    Author,
    Unit,
    Short,
}

/// Which of two a field is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Start, origin, check-in.
    First,
    /// End, destination, check-out.
    Second,
}

/// A place in a message where a field is spoken of.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Which field.
    pub field: FieldNo,
    /// Where: a range of [`Said::words`].
    pub words: std::ops::Range<usize>,
    /// How much of the field's name is said: 1 for all of it.
    pub weight: f32,
    /// It is one of the author's cues rather than the field's name.
    pub cue: bool,
    /// It is a unit that the field counts in, which names it less than its name does.
    pub unit: bool,
}

/// Most places where a message is taken to speak of one field.
const MOST_MENTIONS: usize = 16;

/// A part of a name that more fields than this share says nothing.
const TOO_COMMON: usize = 12;

impl Form {
    /// The words that announce this form's fields.
    pub fn cues(&self) -> &Cues {
        self.cues.get_or_init(|| Cues::new(self))
    }
}

impl Cues {
    fn new(form: &Form) -> Self {
        let mut cues = Self { people: vec![false; form.fields.len()], ..Self::default() };
        (cues.ends, cues.roles) = ends::of(form);
        let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
        let help = form.fields.iter().flat_map(|field| &field.help).flat_map(examples);
        cues.explained = help.flat_map(|help| help.telling).collect();
        cues.features = form.fields.iter().map(|field| features::of(form, field)).collect();
        let words = |text: &Text| text.by_lang.values().map(|text| Said::new(text)).collect();
        cues.labels = form.fields.iter().map(|field| words(&field.label)).collect();
        cues.helps = form.fields.iter().map(|field| field.help.as_ref().map(words).unwrap_or_default()).collect();
        cues.ahead = form.fields.iter().map(ahead::is).collect();
        cues.absent = form.fields.iter().map(|field| absent::of(form, field)).collect();
        for field in &form.fields {
            let options = field.choices.as_ref().map(|choices| match &choices.from {
                Some(_) => format!("#{}", field.no.0),
                None => format!("{:?}", choices.options),
            });
            let next = u32::try_from(kinds.len()).unwrap_or(u32::MAX);
            cues.alike.push(*kinds.entry(format!("{:?} {options:?}", field.kind)).or_insert(next));
            // A word that is a deed announces its value, though it be the name as well: "starring Ann Lee".
            if matches!(&field.kind, Kind::Text(kind) if kind.subtype == Some(Subtype::Person)) {
                for deed in deeds::of(field) {
                    cues.add_phrase(field.no, &Said::new(&deed), Named::Author, "en");
                }
            }
            for name in names::of(field.id.as_str(), &field.label) {
                cues.add_name(field, &name);
            }
            if matches!(field.kind, Kind::Integer(_)) {
                for (tag, label) in &field.label.by_lang {
                    let tag = if tag.is_empty() { form.languages.first().map_or("", String::as_str) } else { tag };
                    for name in one::of(language::language(tag), &Said::new(label)) {
                        cues.add_name(field, &name);
                    }
                }
            }
            for name in field.label.by_lang.iter().flat_map(|(lang, name)| short::of(&Said::new(name), lang)) {
                cues.add_phrase(field.no, &Said::new(&name), Named::Short, "");
            }
            for (lang, cue) in field.cues.iter().flat_map(|text| &text.by_lang) {
                cues.add_phrase(field.no, &Said::new(cue), Named::Author, lang);
            }
            let units = match &field.kind {
                Kind::Integer(kind) => kind.unit.as_slice(),
                Kind::Number(kind) => kind.unit.as_slice(),
                _ => &[],
            };
            for unit in units {
                cues.add_phrase(field.no, &Said::new(unit), Named::Unit, "");
            }
            let number = matches!(field.kind, Kind::Integer(_) | Kind::Number(_)) && units.is_empty();
            let counts = number.then(|| cues.add_measure(field)).flatten();
            cues.counts.push(counts);
            if number {
                cues.add_lengths(field);
            }
            for option in field.choices.iter().flat_map(|choices| &choices.options) {
                for text in option.label.by_lang.values().chain(&option.synonyms) {
                    names::add_stems(&mut cues.options, text);
                }
            }
            if let Kind::List(list) = &field.kind {
                for name in list.item.iter().flat_map(|text| text.by_lang.values()) {
                    cues.add_name(field, &Said::new(name));
                }
            }
        }
        cues.sort_crowds(form);
        cues.keep_own_words(form);
        cues.starts = form.start_examples.iter().chain(std::iter::once(&form.title)).flat_map(examples).collect();
        cues.stops = form.stop_examples.iter().flat_map(examples).collect();
        cues.questions = form.faq.iter().flat_map(|faq| &faq.questions).flat_map(examples).collect();
        cues.described = examples(&form.description).collect();
        cues.add_about(&form.title, 1.0);
        form.start_examples.iter().for_each(|text| cues.add_about(text, 0.9));
        cues.add_about(&form.description, 0.7);
        for text in form.title.by_lang.values() {
            names::add_stems(&mut cues.title, text);
        }
        for text in form.start_examples.iter().flat_map(|text| text.by_lang.values()) {
            names::add_stems(&mut cues.examples, text);
        }
        cues
    }

    /// Whether words say what the form is, as its title or its description does, and nothing else.
    pub fn only_names_it(&self, said: &Said) -> bool {
        let words = (0..said.words.len()).map(|no| said.plain(no));
        let words: Vec<&str> = words.filter(|word| word.chars().any(char::is_alphanumeric)).map(stem).collect();
        let names = |name: &BTreeSet<String>| words.iter().all(|word| name.contains(*word));
        !words.is_empty() && (names(&self.title) || self.described.iter().any(|text| names(&text.all)))
    }

    fn add_about(&mut self, text: &Text, weight: f32) {
        for word in examples(text).flat_map(|example| example.telling) {
            let known = self.about.entry(word).or_insert(weight);
            *known = known.max(weight);
        }
        for said in text.by_lang.values().map(|text| Said::new(text)) {
            let word = |no: usize| Some(stem(said.plain(no))).filter(|word| word.chars().any(char::is_alphanumeric));
            let pairs = (1..said.words.len()).filter_map(|no| Some((word(no - 1)?.to_owned(), word(no)?.to_owned())));
            self.pairs.extend(pairs);
        }
    }

    fn add_name(&mut self, Field { no: field, kind, .. }: &Field, name: &Said) {
        let field = *field;
        self.add_phrase(field, name, Named::Name, "");
        let is_stop = |no: usize| language::all().any(|language| language.sentence.stop.word_at(name, no).is_some());
        // "Smoking allowed" is about smoking.
        let grants = |no: usize| language::all().any(|language| language.sentence.granted.word_at(name, no).is_some());
        let mut telling: Vec<usize> =
            (0..name.words.len()).filter(|no| name.plain(*no).len() > 2 && !is_stop(*no) && !grants(*no)).collect();
        // "Has a garage" is about a garage, "offers cosmetic services" about what is cosmetic.
        let around = |no: &usize| language::all().any(|it| it.sentence.around.word_at(name, *no).is_some());
        if matches!(kind, Kind::YesNo(_)) && !telling.iter().all(around) {
            telling.retain(|no| !around(no));
        }
        // "Number of parcels" is about parcels: "it's number 19" is none.
        let general = |no: &usize| language::all().any(|it| it.number.quantity.word_at(name, *no).is_some());
        if matches!(kind, Kind::Integer(_) | Kind::Number(_)) && !telling.iter().all(general) {
            telling.retain(|no| !general(no));
        }
        self.add_alike(field, name);
        if name.words.len() < 2 {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "a name has few words")]
        let share = 0.8 / telling.len() as f32;
        for no in telling {
            let list = self.parts.entry(stem(name.plain(no)).to_owned()).or_default();
            if list.iter().all(|(known, _)| *known != field) {
                list.push((field, share));
            }
        }
    }

    /// The unit of time that a number counts, as its name or help tells: "length of stay in days". Nights are days.
    fn add_lengths(&mut self, field: &Field) {
        let label = field.label.by_lang.iter().map(|text| (text, true));
        let help = field.help.iter().flat_map(|help| &help.by_lang).map(|text| (text, false));
        for ((tag, text), named) in label.chain(help) {
            let said = Said::new(text);
            // A help text speaks of many things; "in days" is how it counts.
            let counts = |no: &usize| named || *no > 0 && matches!(said.plain(no - 1), "in" | "en");
            for no in (0..said.words.len()).filter(counts) {
                let word = said.plain(no);
                // The article of an Arabic word is part of it.
                for unit in language::language(tag).date.counted_like(word.strip_prefix("ال").unwrap_or(word)) {
                    self.add_phrase(field.no, &Said::new(unit), Named::Unit, "");
                }
            }
        }
    }

    fn add_phrase(&mut self, field: FieldNo, said: &Said, named: Named, lang: &str) {
        let stems: Vec<String> = (0..said.words.len()).map(|no| stem(said.plain(no)).to_owned()).collect();
        let Some(first) = stems.first() else { return };
        self.joined.extend(joined::of(&stems, field).filter(|_| named == Named::Name));
        let list = self.phrases.entry(first.clone()).or_default();
        if list.iter().all(|known| known.field != field || known.stems != stems) {
            let lang = primary(lang).to_owned();
            let (by_author, unit, code) = (named == Named::Author, named == Named::Unit, named == Named::Short);
            list.push(Phrase { stems, field, by_author, unit, code, lang });
        }
    }

    /// Whether the word with this stem belongs to the form's title or start examples, a field's name, a cue or an option.
    pub fn knows(&self, stem: &str) -> bool {
        let of_form = self.title.contains(stem) || self.examples.contains(stem);
        of_form || self.parts.contains_key(stem) || self.phrases.contains_key(stem) || self.options.contains(stem)
    }

    /// Where a message in a language (`en`) speaks of fields.
    pub fn mentions(&self, said: &Said, lang: &str) -> Vec<Mention> {
        let mut mentions = Vec::new();
        for no in 0..said.words.len() {
            let here = stem(said.plain(no));
            let whole = self.phrases.get(here).map_or(&[][..], Vec::as_slice);
            let fits = |phrase: &&Phrase| {
                let spoken = phrase.lang.is_empty() || phrase.lang == lang;
                let here = phrase.stems.iter().enumerate().skip(1).all(|(i, word)| stem(said.plain(no + i)) == word);
                spoken && here && (!phrase.code || short::leads_to_code(said, no + phrase.stems.len()))
            };
            mentions.extend(whole.iter().filter(fits).map(|phrase| Mention {
                field: phrase.field,
                words: no..no + phrase.stems.len(),
                weight: 1.0,
                cue: phrase.by_author,
                unit: phrase.unit,
            }));
            mentions.extend(joined::at(&self.joined, said, no));
            let parts = self.parts.get(here).filter(|parts| parts.len() <= TOO_COMMON);
            let part = |&(field, weight)| Mention { field, words: no..no + 1, weight, cue: false, unit: false };
            mentions.extend(parts.into_iter().flatten().map(part));
        }
        let mut counts: BTreeMap<FieldNo, usize> = BTreeMap::new();
        mentions.retain(|mention| {
            let count = counts.entry(mention.field).or_default();
            *count += 1;
            *count <= MOST_MENTIONS
        });
        mentions
    }
}

/// A text in each of its languages.
fn examples(text: &Text) -> impl Iterator<Item = Example> {
    text.by_lang.iter().map(|(tag, text)| {
        let lang = language::language(tag);
        let said = Said::new(text);
        let mut example = Example { lang: primary(tag).to_owned(), ..Example::default() };
        for no in 0..said.words.len() {
            let word = said.plain(no);
            if !word.chars().any(char::is_alphanumeric) {
                continue;
            }
            example.all.insert(stem(word).to_owned());
            if !lang.and_english().any(|lang| lang.sentence.stop.word(word).is_some()) {
                example.telling.insert(stem(word).to_owned());
            }
        }
        example
    })
}
