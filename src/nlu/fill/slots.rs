//! The fields that a message may fill, as the assignment sees them: the class of their values, the words of their names, and
//! how they stand in the conversation.

use std::collections::BTreeSet;

use formwright_form::cues::Role;
use formwright_form::field::Required;
use formwright_form::kind::{Said, text::Subtype};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::sense::Sense;
use formwright_text::root;

use crate::slot::Slot;

/// What the values of a slot are like. Weights are by class: they know of no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SlotClass {
    Number,
    Money,
    Date,
    Time,
    Choice,
    YesNo,
    Contact,
    Code,
    Person,
    Place,
    Address,
    Thing,
}

impl SlotClass {
    /// The class of a kind; none where its values are given by other means.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        Some(match kind {
            Kind::Integer(_) | Kind::Number(_) | Kind::Percent(_) | Kind::Rating(_) => Self::Number,
            Kind::Money(_) => Self::Money,
            Kind::Date(_) | Kind::Datetime(_) => Self::Date,
            Kind::Time(_) => Self::Time,
            Kind::Choice(_) => Self::Choice,
            Kind::YesNo(_) => Self::YesNo,
            Kind::Phone(_) | Kind::Email(_) | Kind::Url(_) => Self::Contact,
            Kind::Pattern(_) => Self::Code,
            Kind::Address(_) => Self::Address,
            Kind::LongText(_) => Self::Thing,
            Kind::Text(kind) => match kind.subtype {
                Some(Subtype::Person) => Self::Person,
                Some(Subtype::Place) => Self::Place,
                Some(Subtype::Address) => Self::Address,
                Some(Subtype::Code) => Self::Code,
                _ => Self::Thing,
            },
            _ => return None,
        })
    }

    /// Its name in the table of weights.
    pub(crate) const NAMES: [&str; 15] = [
        "number", "money", "date", "time", "choice", "yes_no", "contact", "code", "person", "place", "address",
        "thing", "words", "typed", "denied",
    ];

    /// The class of all whose value is words, and of all others.
    pub(crate) const WORDS: usize = 12;
    pub(crate) const TYPED: usize = 13;
    /// A no, where yes or no is asked: what speaks for it is seldom what speaks for a yes.
    pub(crate) const DENIED: usize = 14;
}

/// A slot as the assignment sees it.
#[derive(Debug)]
pub(crate) struct SlotFacts<'a> {
    /// Its number in the board.
    pub(crate) no: usize,
    pub(crate) class: SlotClass,
    /// Any words may be its value.
    pub(crate) is_words: bool,
    /// Stems of its name.
    pub(crate) name: BTreeSet<String>,
    /// The words of its name.
    pub(crate) words: Vec<String>,
    /// Stems of its help that are not of its name.
    pub(crate) help: BTreeSet<String>,
    /// What its name is about.
    pub(crate) senses: BTreeSet<Sense>,
    pub(crate) asked: bool,
    pub(crate) required: bool,
    pub(crate) held: Option<&'a Value>,
    pub(crate) role: Option<Role>,
    /// How many slots before it are of its class.
    pub(crate) nth: usize,
    /// How many slots are of its class.
    pub(crate) peers: usize,
}

/// The slots of a board that the assignment fills.
pub(crate) fn facts<'a>(slots: &'a [Slot<'a>], lang: &Language) -> Vec<SlotFacts<'a>> {
    let classes: Vec<Option<SlotClass>> =
        slots.iter().map(|slot| SlotClass::of(&slot.field.kind).filter(|_| !slot.is_of_item())).collect();
    let mut all = Vec::new();
    for (no, (slot, class)) in slots.iter().zip(&classes).enumerate() {
        let Some(class) = *class else { continue };
        let mut name = stems(slot.labels, lang);
        for part in slot.field.id.as_str().split(['_', '-']) {
            add(&mut name, part, lang);
        }
        let words = words(slot.labels, lang);
        let mut senses = BTreeSet::new();
        for said in slot.labels {
            add_senses(&mut senses, said, lang);
        }
        add_senses(&mut senses, &Said::new(&slot.field.id.as_str().replace(['_', '-'], " ")), lang);
        let help = stems(slot.helps, lang).difference(&name).cloned().collect();
        all.push(SlotFacts {
            no,
            class,
            is_words: slot.subtype().is_some() || slot.is_free(),
            name,
            words,
            help,
            senses,
            asked: slot.asked,
            required: matches!(slot.field.required, Required::Yes),
            held: slot.value,
            role: slot.role,
            nth: classes[..no].iter().filter(|other| **other == Some(class)).count(),
            peers: classes.iter().filter(|other| **other == Some(class)).count(),
        });
    }
    all
}

/// The words with a meaning of their own.
fn words(texts: &[Said], lang: &Language) -> Vec<String> {
    let plain = texts.iter().flat_map(|said| (0..said.words.len()).map(|no| said.plain(no).to_owned()));
    plain
        .filter(|word| word.chars().count() > 3 && lang.and_english().all(|lang| lang.class.0.word(word).is_none()))
        .collect()
}

fn stems(texts: &[Said], lang: &Language) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for said in texts {
        for no in 0..said.words.len() {
            add(&mut stems, said.plain(no), lang);
        }
    }
    stems
}

/// Adds the stem of a word with a meaning of its own.
fn add(stems: &mut BTreeSet<String>, word: &str, lang: &Language) {
    // "L'hotel" is about a hotel.
    let word = word.split_once('\'').map_or(word, |(head, rest)| if rest.len() > head.len() { rest } else { head });
    let small = lang.and_english().any(|lang| lang.class.0.word(word).is_some());
    if word.chars().count() > 1 && !small && word.chars().any(char::is_alphanumeric) {
        stems.insert(root(word).to_owned());
    }
}

/// Adds what a text is about.
pub(crate) fn add_senses(senses: &mut BTreeSet<Sense>, said: &Said, lang: &Language) {
    let words: Vec<&str> = (0..said.words.len()).map(|no| said.plain(no)).collect();
    for no in 0..words.len() {
        let rest = words.get(no..).unwrap_or_default();
        senses.extend(lang.and_english().flat_map(|lang| lang.sense.at(rest)).map(|(_, sense)| sense));
    }
}
