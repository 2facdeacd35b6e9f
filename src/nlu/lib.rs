//! A person's message, and what a model proposes for it, to commands.
//!
//! Control words come first ("back", "cancel"), then the pending field's own parser, then typed values of every visible
//! field over the whole message, assigned by the words around them. What stays unexplained is handed back, so that a
//! digression can be answered and a model be called only where there is something left to understand.
//!
//! Deliberately absent: whether a value is allowed (the engine checks it again before it is stored), and replies.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod absent;
mod ages;
mod amend;
mod amounts;
mod any_number;
mod aside;
mod asked;
mod assign;
mod bare;
mod bare_moment;
mod before;
mod believe;
mod beside;
mod between;
mod beyond;
mod by_phone;
#[cfg(test)]
mod cases;
mod casts;
mod clauses;
mod command;
mod content;
mod counted;
mod courtesy;
mod crowd;
mod dishes;
mod doubts;
mod either;
mod elsewhere;
mod entitled;
mod features;
mod fill;
mod fills;
mod for_people;
mod fullname;
mod going;
mod granted;
mod guard;
mod halves;
mod hedged;
mod held;
mod items;
mod kin;
mod landmarks;
mod later;
mod ledger;
mod links;
mod listed;
#[cfg(test)]
mod lookalikes;
mod makes;
mod measured;
mod name_end;
mod named;
mod named_sort;
mod naught;
mod near;
mod numbered;
mod offers;
mod opening;
mod order;
mod outside;
mod own;
mod partly;
mod parts;
mod party;
mod passing;
mod pick;
mod picked;
mod pieces;
mod place;
mod polar;
mod postal;
mod prepare;
mod proposal;
mod questions;
mod quotes;
mod reader;
mod realms;
mod region;
mod relative;
mod replaced;
mod rides;
mod routes;
mod rows;
mod said_again;
mod scales;
mod score;
mod sentence;
mod shift;
mod slot;
mod small;
mod so_far;
mod some_of_us;
mod soon;
mod sorts;
mod sought;
mod spans;
mod spot;
mod steer;
mod stretch;
mod strung;
mod swap;
mod taken_back;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod texts;
mod titles;
mod trimmed;
mod turns;
mod unmeant;
mod unnamed;
mod venues;
mod verdict;
mod weigh;
mod widths;
mod without;
mod works;
mod worth;

use std::ops::Range;
use std::sync::Arc;

use formwright_form::kind::{Offered, Refusal, Said};
use formwright_form::{Form, FormId, Path};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Class;

/// What is known where a message is read.
pub struct Scene<'a> {
    /// The form being filled.
    pub form: &'a Form,
    /// How far it is.
    pub draft: SoFar<'a>,
    /// Forms that may be started instead.
    pub forms: &'a [&'a Form],
    /// The person's local time.
    pub now: &'a jiff::Zoned,
    /// The language the person writes in.
    pub lang: &'a Language,
    /// Region of the person's locale (`IT`), where known.
    pub region: Option<&'a str>,
    /// What a `choice` or `choices` field offers now, in the person's language.
    pub offered: &'a dyn Fn(&Path) -> Arc<[Offered]>,
    /// Whether to tell what was weighed: see [`Understood::weighed`].
    pub explains: bool,
}

/// What a message says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understood {
    /// What the person wants, in an order in which it can be carried out.
    pub commands: Vec<Command>,
    /// Where several readings are equally good: the person is to be asked.
    pub unsure: Vec<Unsure>,
    /// Values that the words name only roughly ("end of October"): the person is asked whether they are meant.
    pub rough: Vec<Command>,
    /// Values of the right type that cannot be taken: the field, where in the message, and why.
    pub refused: Vec<(Path, Range<usize>, Refusal)>,
    /// Fields of which something was said, but that take words only when they are asked and will be asked.
    pub later: Vec<Path>,
    /// Meaningful words that nothing above explains: byte ranges of the message.
    pub leftover: Vec<Range<usize>>,
    /// What fields could be filled with, and how likely that is, where [`Scene::explains`] asks for it.
    pub weighed: Vec<SlotChoices>,
}

impl Understood {
    /// Whether nothing was understood.
    pub fn is_nothing(&self) -> bool {
        let asked = self.rough.is_empty() && self.unsure.is_empty() && self.later.is_empty();
        self.commands.is_empty() && asked && self.refused.is_empty()
    }
}

/// Several readings of the same words.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsure {
    /// Each reading: a label for the person, and what it does. At least two.
    pub readings: Vec<(String, Command)>,
}

/// Which form a message asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum FormPick {
    /// None of them.
    None,
    /// This one, and how well it fits: 0 to 1.
    One(FormId, f32),
    /// These fit equally well, best first.
    Several(Vec<FormId>),
}

/// Longest message that is searched for values, in words; of a longer one only control words and a pending text are read.
const MAX_WORDS: usize = 1_000;

/// Whether a message is longer than what is searched for values.
pub fn is_too_long(said: &Said) -> bool {
    said.words.len() > MAX_WORDS
}

pub use believe::{Believed, believe};
pub use command::Command;
pub use fill::{SlotChoice, SlotChoices, feature_count, feature_name, feature_weight};
pub use pick::{asked_for_in, pick_form, pick_off};
pub use polar::value_of;
pub use proposal::{Intent, Proposal, Update, field_named, is_sensitive, name_of};
pub use quotes::find;
pub use region::named_at;
pub use so_far::{Answer, Asked, ListState, Pending, SoFar, UNASKED_CHANGE, one_field};
pub use verdict::{Drop, Verdict};

/// Reads a message while a form is being filled.
pub fn understand(scene: &Scene<'_>, said: &Said) -> Understood {
    match courtesy::without(scene, said) {
        Some(plain) => {
            let understood = read(scene, &plain.said);
            plain.in_message(scene, understood)
        }
        None => read(scene, said),
    }
}

/// Reads what is said between the courtesy around it.
fn read(scene: &Scene<'_>, said: &Said) -> Understood {
    let mut understood = opening::understand(scene, said).unwrap_or_else(|| content::understand(scene, said));
    let of_rest = |command: &Command| matches!(command, Command::FillRest { .. });
    // "I smoke, the rest no": what was not understood must not become the opposite.
    if understood.commands.iter().any(of_rest)
        && !understood.leftover.is_empty()
        && polar::is_unclear(&reader::Reader::new(said, scene.lang), &understood.leftover)
    {
        understood.commands.retain(|command| !of_rest(command));
        understood.leftover.clear();
        understood.leftover.push(0..said.raw.len());
    }
    // What is said of fields by their names comes before what is said of the rest.
    understood.commands.sort_by_key(of_rest);
    understood
}

/// Reads a message while no form is being filled: control words that mean something there.
pub fn understand_idle(forms: &[&Form], said: &Said, lang: &Language) -> Understood {
    let reader = reader::Reader::new(said, lang);
    let mut understood = Understood::default();
    for clause in &reader.clauses {
        match steer::idle_commands(&reader, clause.words.clone()) {
            Some(commands) => understood.commands.extend(commands),
            None => match named::form_to_resume(forms, &reader, clause.words.clone()) {
                Some(form) => understood.commands.push(Command::Resume { form: Some(form) }),
                None if clause.question => {
                    let question = reader.raw_text(clause.whole.clone()).to_owned();
                    understood.commands.push(Command::Ask { question });
                }
                None => understood.leftover.push(reader.raw_range(clause.words.clone())),
            },
        }
    }
    understood.commands.dedup();
    understood
}

/// Which one of `count` things a message names by its place, and nothing else: "the third", "number 2", "the last one".
/// Counted from 0.
pub fn place_said(said: &Said, lang: &Language, count: usize) -> Option<usize> {
    let reader = reader::Reader::new(said, lang);
    let all = 0..said.words.len();
    let (at, len, which) = named::ordinal(&reader, all.clone())?;
    let rest = all.filter(|no| !(at..at + len).contains(no));
    let only = rest.into_iter().all(|no| reader.is_idle(no) && !reader.is_digits(no));
    let no = if which < 0 { i64::try_from(count).ok()? + which } else { which - 1 };
    usize::try_from(no).ok().filter(|no| only && *no < count)
}

/// Whether a message greets or thanks and says nothing else.
pub fn is_courtesy(said: &Said, lang: &Language) -> bool {
    let courtesy = |no: usize| {
        let found = lang.and_english().filter_map(|lang| lang.sentence.courtesy.at(said, no));
        found.map(|(words, ())| words).max()
    };
    let mut no = 0;
    let mut courteous = false;
    while let Some(word) = said.words.get(no) {
        match courtesy(no) {
            Some(words) => {
                courteous = true;
                no += words;
            }
            None if word.class == Class::Mark => no += 1,
            None => return false,
        }
    }
    // A mark alone may be an answer: a thumb up.
    courteous
}

/// The language in which a message greets or thanks and says nothing else: that one, or any other.
pub fn courteous_in(said: &Said, lang: &'static Language) -> Option<&'static Language> {
    std::iter::once(lang).chain(language::all()).find(|lang| is_courtesy(said, lang))
}

/// The language in which a message says that the person wants to be forgotten, and says nothing else: that one, or any
/// other. `None` where it does not: "forget it", "forget the pizza".
pub fn wants_to_be_forgotten(said: &Said, lang: &'static Language) -> Option<&'static Language> {
    let wants = |lang: &&'static Language| {
        let end = said.words.len();
        // Most messages have no such words at all.
        if !(0..end).any(|no| lang.control.forget.starts(said, no)) {
            return false;
        }
        let reader = reader::Reader::new(said, lang);
        let (mut no, mut wants) = (0, false);
        while no < end {
            let wish = reader.len(|lang| &lang.control.forget, no, end);
            let yes = reader.len(|lang| &lang.yes_no.yes, no, end);
            let courtesy = reader.len(|lang| &lang.sentence.courtesy, no, end);
            let idle = reader.filler(no, end).max(courtesy).max(yes).max(usize::from(reader.is_mark(no)));
            match wish.max(idle) {
                0 => return false,
                len => {
                    wants |= wish == len;
                    no += len;
                }
            }
        }
        wants
    };
    std::iter::once(lang).chain(language::all()).find(wants)
}

/// Whether a message agrees, or refuses, in any language; `None` where it does neither, or more.
pub fn agrees_to_be_forgotten(said: &Said, lang: &'static Language) -> Option<bool> {
    use formwright_lexicon::control::Control;
    use steer::Wish;
    let agrees = |lang: &'static Language| {
        let wishes = steer::wishes(&reader::Reader::new(said, lang), 0..said.words.len())?;
        let refuses =
            |wish: &Wish| matches!(wish, Wish::No | Wish::Do(Control::Cancel | Control::Back | Control::Undo));
        match (wishes.iter().any(refuses), wishes.iter().all(|wish| *wish == Wish::Yes)) {
            (true, _) => Some(false),
            (false, all_yes) => all_yes.then_some(true),
        }
    };
    std::iter::once(lang).chain(language::all()).find_map(agrees)
}

/// Whether a command takes a sentence for an answer that was asked for in a few words.
pub fn is_a_sentence(command: &Command) -> bool {
    matches!(command, Command::Fill { value, .. } if sentence::is_of_words(value))
}

/// The words of a message with a meaning of their own.
pub fn telling_words(said: &Said, lang: &Language) -> std::collections::BTreeSet<String> {
    let reader = reader::Reader::new(said, lang);
    (0..said.words.len()).filter(|no| !reader.is_idle(*no)).map(|no| said.word(no).to_owned()).collect()
}
