//! A name or place that is put right in the same breath: "from Leeds to York, no wait, Hull", "for Ann, sorry, for Ben".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::prepare::{begins_correction, only_corrects};
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use formwright_form::Value;
use formwright_form::cues::Role;
use formwright_form::kind::Reading;

/// Most words of a name.
const MOST_WORDS: usize = 3;
/// Most words between a name and what takes its place.
const FURTHEST: usize = 6;

/// Puts the last name that was said in the place of the one before it.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let is_name = |no: usize| {
        let title = |slot: &Slot<'_>| slot.is_free() && !slot.is_long() && slot.asked;
        board.slots.get(no).is_some_and(|slot| slot.subtype().is_some() && !slot.is_code() || title(slot))
    };
    let mut names: Vec<(usize, Range<usize>)> = ledger
        .fills
        .iter()
        .filter(|filled| is_name(filled.slot) && matches!(filled.value, Value::Text(_)))
        .map(|filled| (filled.slot, filled.words.clone()))
        .collect();
    names.sort_by_key(|(_, words)| words.start);
    for (slot, old) in &names {
        let Some((role, new)) = behind(reader, ledger, old.end) else { continue };
        let is = |no: &usize, role| board.slots.get(*no).is_some_and(|slot| slot.role == Some(role));
        let told = role.and_then(|role| names.iter().map(|(no, _)| *no).find(|no| is(no, role)));
        let slot = told.unwrap_or(*slot);
        let Some(of) = board.slots.get(slot) else { continue };
        if let Reading::Value(found) = read(scene, reader, of, new.clone()) {
            ledger.fills.retain(|filled| filled.slot != slot);
            ledger.fill(reader, slot, found, true);
            ledger.claim(old.end..new.end);
        }
    }
}

/// The capitalised name behind a correction that follows a word, and which of two it is said to be.
fn behind(reader: &Reader<'_>, ledger: &Ledger, from: usize) -> Option<(Option<Role>, Range<usize>)> {
    let end = reader.said.words.len().min(from + FURTHEST + MOST_WORDS);
    let start = (from..end).find(|no| reader.is_capital(*no) && !reader.is_idle(*no))?;
    let at = (from..start).find(|no| !reader.is_mark(*no)).filter(|no| begins_correction(reader, *no, start))?;
    let stop = (start..end).find(|no| !reader.is_capital(*no)).unwrap_or(end);
    let ends = stop >= reader.said.words.len() || reader.is_mark(stop) || reader.is_idle(stop);
    let new = start..stop;
    // "It's Ann Berger, not Berg"; English "no" takes something back, Spanish "no" denies as well.
    let denied = (at..start).any(|no| {
        let not = reader.len(|lang| &lang.yes_no.negation, no, start);
        let plain = reader.own_lang().code == "en" && reader.said.word(no) == "no";
        not > 0 && no + not == start && !plain
    });
    let fits = ends
        && !denied
        && only_corrects(reader, at..start)
        && start - from <= FURTHEST
        && new.len() <= MOST_WORDS
        && ledger.is_free(new.clone());
    let says = |no: usize, role: Role| {
        let len = match role {
            Role::First => reader.len(|lang| &lang.sentence.first, no, start),
            Role::Second => reader.len(|lang| &lang.sentence.second, no, start),
        };
        len > 0 && no + len == start
    };
    let role = [Role::First, Role::Second].into_iter().find(|role| (at..start).any(|no| says(no, *role)));
    fits.then_some((role, new))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "de", "es", "fr"]

[[field]]
id = "origin"
kind = "text"
subtype = "place"
label = { en = "From", it = "Da", de = "Von", es = "Desde", fr = "De" }

[[field]]
id = "goal"
kind = "text"
subtype = "place"
label = { en = "To", it = "A", de = "Nach", es = "Hasta", fr = "Vers" }

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = { en = "Name", it = "Nome", de = "Name", es = "Nombre", fr = "Nom" }
"#;

    #[rstest]
    #[case("en", "from Leeds to York, no wait, Hull", &["goal=Hull", "origin=Leeds"])]
    #[case("en", "from Leeds to York, sorry, from Bradford", &["goal=York", "origin=Bradford"])]
    #[case("en", "from Leeds to York, no, to Hull", &["goal=Hull", "origin=Leeds"])]
    #[case("en", "my name is Ada Ortiz, sorry, Ada Diaz", &["name=Ada Diaz"])]
    #[case("en", "from Leeds to York, and the name is Ortiz", &["goal=York", "name=Ortiz", "origin=Leeds"])]
    #[case("de", "von Bonn nach Köln, nein, nach Aachen", &["goal=Aachen", "origin=Bonn"])]
    #[case("en", "my name is Ada Berger, not Berg", &["name=Ada Berger"])]
    #[case("en", "don't book it for Ada Berger", &["deny"])]
    #[case("it", "mi chiamo Ada Bergamo, non Berga", &["name=Ada Bergamo"])]
    #[case("de", "ich heiße Ada Berger, nicht Berg", &["name=Ada Berger"])]
    #[case("es", "me llamo Ada Ortiz, no Orti", &["name=Ada Ortiz"])]
    #[case("fr", "je m'appelle Ada Berger, pas Berg", &["name=Ada Berger"])]
    fn the_last_name_said_is_meant(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &[&str]) {
        assert_eq!(sorted(&Stage::new(TRIP, "").speaking(lang).means(said)), expected, "{said}");
    }
}
