//! Which fields count who comes: all of them, those who are grown up, or children.

use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Said;

use super::Cues;
use crate::{Field, Kind};

/// Whom a number of people is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowd {
    /// All who come.
    All,
    /// Those who are grown up.
    Grown,
    /// Children.
    Minors,
    /// Those who do something or are there: drivers, witnesses. They need not be all who come.
    Doing,
}

impl Cues {
    /// Tells for each field whether it counts people, and whom.
    pub(super) fn sort_crowds(&mut self, fields: &[Field]) {
        let people = |field: &Field| self.people.get(field.no.index()).copied().unwrap_or(false);
        self.crowds = fields.iter().map(|field| of(field, people(field))).collect();
        // "Seats" are for people, "child seats" are not.
        for ((people, crowd), field) in self.people.iter_mut().zip(&self.crowds).zip(fields) {
            *people &= crowd.is_some() || !matches!(field.kind, Kind::Integer(_));
        }
        // Where children are counted apart, "for two" tells nothing of those who are grown up.
        if self.crowds.contains(&Some(Crowd::Minors)) {
            for (people, crowd) in self.people.iter_mut().zip(&self.crowds) {
                *people &= *crowd != Some(Crowd::Grown);
            }
        }
    }
}

fn of(field: &Field, people: bool) -> Option<Crowd> {
    if !matches!(field.kind, Kind::Integer(_)) {
        return None;
    }
    let says = |name: &Said, of: fn(&Language, &str) -> bool| {
        (0..name.words.len()).any(|no| language::all().any(|lang| of(lang, name.plain(no))))
    };
    let minor = |lang: &Language, word: &str| lang.naming.minor.word(word).is_some();
    let adult = |lang: &Language, word: &str| lang.naming.adult.word(word).is_some();
    let doing = |lang: &Language, word: &str| lang.naming.doing.word(word).is_some();
    // "Child seats" and "age of the child" count no children.
    let other = |name: &Said| {
        let plain = |lang: &Language, word: &str| {
            let of_people = || lang.sentence.alike.first().is_some_and(|all| all.iter().any(|known| known == word));
            let small = word.len() < 3 || lang.sentence.stop.word(word).is_some();
            small
                || lang.number.counting.word(word).is_some()
                || minor(lang, word)
                || adult(lang, word)
                || doing(lang, word)
                || of_people()
        };
        let letters = |no: &usize| name.plain(*no).chars().all(char::is_alphabetic);
        (0..name.words.len()).filter(letters).any(|no| language::all().all(|lang| !plain(lang, name.plain(no))))
    };
    let sorts = |name: &Said| match (says(name, minor), says(name, adult)) {
        (true, false) if !other(name) => Some(Crowd::Minors),
        (false, true) if !other(name) => Some(Crowd::Grown),
        (false, false) if says(name, doing) && !other(name) => Some(Crowd::Doing),
        _ => None,
    };
    let names: Vec<Said> = field.label.by_lang.values().map(|label| Said::new(label)).collect();
    let others =
        |lang: &Language, word: &str| lang.number.people.word(word).is_some() && lang.naming.minor.word(word).is_none();
    let of_children = || names.iter().any(|name| says(name, minor) && !says(name, others));
    names.iter().find_map(sorts).or_else(|| (people && !of_children()).then_some(Crowd::All))
}
