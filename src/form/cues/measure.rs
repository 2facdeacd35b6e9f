//! In which unit a field's number counts, as its name or help tells: "weight (kg)", `weight_kg`, "loan period (weeks)". The
//! words for the unit make a number behind which they stand the field's own: "4.5 kilos".

use formwright_lexicon as language;
use formwright_lexicon::dates::Unit;
use formwright_lexicon::measure::STOREY;
use formwright_text::Said;

use super::{Cues, Named, names};
use crate::field::Field;

/// In what a field's number counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Counts {
    /// Lengths of time.
    Time(Unit),
    /// A unit of the language files: "kg".
    In(Box<str>),
}

impl Counts {
    /// Whether it is such a unit.
    pub fn is(&self, unit: &str) -> bool {
        matches!(self, Self::In(own) if **own == *unit)
    }
}

impl Cues {
    /// Adds the words for what a field's number counts in, and tells what that is where there is but one such unit.
    pub(super) fn add_measure(&mut self, field: &Field) -> Option<Counts> {
        let own = names::of(field.id.as_str(), &field.label);
        let time = own.iter().find_map(|name| (0..name.words.len()).find_map(|no| unit_of_time(name.plain(no))));
        if let Some(time) = time {
            return Some(Counts::Time(time));
        }
        let texts = field.help.iter().flat_map(|help| help.by_lang.values());
        let helps: Vec<Said> = texts.map(|text| Said::new(text)).collect();
        if let Some(time) = helps.iter().find_map(counted_in) {
            return Some(Counts::Time(time));
        }
        // A floor shares its name with much else: "floor area (m2)".
        if let Some(unit) = own.iter().chain(&helps).flat_map(units).find(|unit| *unit != STOREY) {
            self.add_unit(field, unit);
            return Some(Counts::In(unit.into()));
        }
        let named = || own.iter().flat_map(measures);
        let all = named().find(|units| units.iter().all(|unit| **unit != *STOREY)).or_else(|| named().next())?;
        all.iter().for_each(|unit| self.add_unit(field, unit));
        match all {
            [only] => Some(Counts::In(only.clone())),
            _ => None,
        }
    }

    fn add_unit(&mut self, field: &Field, unit: &str) {
        for lang in language::all() {
            // The Italian word for a floor is a piano in English.
            let tag = if unit == STOREY { lang.code } else { "" };
            for word in lang.number.measure.words.get(unit).into_iter().flatten() {
                self.add_phrase(field.no, &Said::new(word), Named::Unit, tag);
            }
        }
    }
}

/// The unit of time that a help ends with, where it tells that it is counted in it: "length of stay in days".
fn counted_in(help: &Said) -> Option<Unit> {
    let last = (0..help.words.len()).rev().find(|no| !help.plain(*no).is_empty())?;
    let within = |no: usize| language::all().any(|lang| lang.going.inside.word_at(help, no).is_some());
    last.checked_sub(1).filter(|no| within(*no)).and_then(|_| unit_of_time(help.plain(last)))
}

/// The unit of time that a word counts; the article of an Arabic word is part of it.
fn unit_of_time(word: &str) -> Option<Unit> {
    let bare = word.strip_prefix("ال");
    let counted = |word: &str| language::all().find_map(|lang| lang.date.counted(word)).map(|(unit, _)| *unit);
    counted(word).or_else(|| bare.and_then(counted))
}

/// The units in a name. A single letter is one in brackets or at the end: "depth (m)".
fn units(name: &Said) -> impl Iterator<Item = &'static str> {
    (0..name.words.len()).filter_map(|no| {
        let (len, unit) = language::all().find_map(|lang| lang.number.measure.said.at(name, no))?;
        let letter = len == 1 && name.plain(no).chars().count() == 1;
        let apart = no.checked_sub(1).is_some_and(|before| name.word(before) == "(") || no + len == name.words.len();
        (!letter || no > 0 && apart).then_some(&**unit)
    })
}

/// The units of what a name says that is measured: "weight".
fn measures(name: &Said) -> impl Iterator<Item = &'static [Box<str>]> {
    (0..name.words.len()).filter_map(|no| {
        let (_, units) = language::all().find_map(|lang| lang.number.measure.named.at(name, no))?;
        Some(units.as_slice())
    })
}
