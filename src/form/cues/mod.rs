//! Words that announce fields in a sentence: labels, the words of ids, and the author's cues, in every language at once.
//!
//! Built once per form, so that reading a message costs by the words of the message and not by the number of fields.

mod absent;
mod ahead;
mod alike;
mod build;
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

pub use crowd::Crowd;
pub use ends::{AllEnds, Ends, includes_last_day, is_of_past};
pub use measure::Counts;

use formwright_text::Said;

use super::field_no::FieldNo;
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

impl Cues {
    /// Whether words say what the form is, as its title or its description does, and nothing else.
    pub fn only_names_it(&self, said: &Said) -> bool {
        let words = (0..said.words.len()).map(|no| said.plain(no));
        let words: Vec<&str> = words.filter(|word| word.chars().any(char::is_alphanumeric)).map(stem).collect();
        let names = |name: &BTreeSet<String>| words.iter().all(|word| name.contains(*word));
        !words.is_empty() && (names(&self.title) || self.described.iter().any(|text| names(&text.all)))
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
