//! What is said where a name, a place or one thing was asked for, and is none of them: a wish to hurry ("can you hurry up"),
//! company ("with my brother"), what is excluded ("anywhere but Paris", "not Milan").

use std::ops::Range;

use super::Scene;
use super::guard::is_of_others;
use super::prepare::marks_correction;
use super::reader::Reader;
use super::sentence::{names_somebody, wants_a_thing};
use super::spans::Slot;
use crate::form::kind::text::Subtype;
use crate::form::language::sentence::Announced;

/// Of words that were said where a name, a place or one thing was asked for, those that may be it; no words where they say
/// something else. Words that were asked for otherwise stay as they are.
pub(super) fn meant(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Range<usize> {
    let place = slot.subtype() == Some(Subtype::Place);
    let named = place || names_somebody(slot.field, scene.lang);
    let thing = wants_a_thing(slot.field, scene.lang);
    // "Hello, World" may be the text itself.
    let greets = named || thing || matches!(slot.subtype(), Some(Subtype::Code | Subtype::Address));
    let words = if greets { without_greeting(reader, words, named) } else { words };
    if !named && !thing {
        return words;
    }
    let clause = reader.clauses.get(reader.clause_of(words.start)).map_or(words.start, |clause| clause.words.start);
    let begins = words.start.min(clause)..words.end;
    // "Milan with my brother".
    let along = (words.start + 1..words.end)
        .find(|no| place && !reader.is_capital(*no) && reader.len(|lang| &lang.naming.along, *no, words.end) > 0);
    let words = words.start..along.unwrap_or(words.end);
    let somebody = place && is_of_others(reader, &(words.end.max(clause + 1) - 1..words.end));
    let nowhere = |no: usize| reader.len(|lang| &lang.naming.nowhere, no, words.end);
    let leads = reader.announces(Announced::Place, words.start, words.end);
    let somewhere_else = place && leads > 0 && nowhere(words.start + leads) + leads == words.len();
    let says_else = somewhere_else
        || somebody
        || is_of_talk(reader, &begins)
        || is_request(reader, &begins)
        || place && is_company(reader, &begins);
    match () {
        () if says_else => words.start..words.start,
        () if named => {
            let meant = past_denied(reader, begins, words, place);
            // "Anywhere but Paris, please" leaves no place.
            if is_polite(reader, &meant) { meant.start..meant.start } else { meant }
        }
        () => without_article(reader, words),
    }
}

/// Words without a greeting before them, and without what means nothing before a comma: "Rosa Klein" of "Hi Rosa Klein" and
/// "OK, Rosa Klein". Where nothing is `named`, a greeting too has a mark behind it: "Hi Fi" is no greeting.
fn without_greeting(reader: &Reader<'_>, words: Range<usize>, named: bool) -> Range<usize> {
    let Range { mut start, end } = words;
    while start < end {
        let before_mark = |len: usize| if start + len < end && reader.is_mark(start + len) { len } else { 0 };
        let greeting = reader.len(|lang| &lang.sentence.courtesy, start, end);
        let greeting = if named { greeting } else { before_mark(greeting) };
        let small = if named { before_mark(reader.filler(start, end)) } else { 0 };
        let past = start + greeting.max(small);
        if past == start {
            break;
        }
        start = (past..end).find(|no| !reader.is_mark(*no)).unwrap_or(end);
    }
    if start < end { start..end } else { words }
}

/// Whether words are thanks, or a plain yes or no, and nothing else.
pub(super) fn is_polite(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let mut no = words.start;
    while no < words.end {
        let courtesy = reader.len(|lang| &lang.sentence.courtesy, no, words.end);
        let firm = reader.len(|lang| &lang.yes_no.firm, no, words.end);
        let len = courtesy.max(firm).max(reader.filler(no, words.end)).max(usize::from(reader.is_mark(no)));
        if len == 0 {
            return false;
        }
        no += len;
    }
    true
}

/// Whether words begin with what somebody wants of whoever asks, or has not decided: "hurry up", "give me a minute".
fn is_of_talk(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    reader.begins(|lang| &lang.option.open, words.clone())
}

/// Whether words ask for something to be done and name nothing: "can you hurry up", not "can you make it Oslo".
fn is_request(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let proper = |no: usize| no > words.start && reader.is_capital(no) && !reader.is_idle(no);
    reader.begins(|lang| &lang.sentence.request, words.clone()) && !words.clone().any(proper)
}

/// Whether words begin with who comes along: "with my brother".
fn is_company(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    reader.begins(|lang| &lang.naming.along, words.clone())
}

/// A thing's name without "it's a" before it: "Ford" of "it's a Ford".
fn without_article(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let lead = words.start + reader.len(|lang| &lang.frame.short_lead, words.start, words.end);
    let start = lead + reader.len(|lang| &lang.sentence.articles, lead, words.end);
    let plain = words.start < start && (words.start + 1..start).all(|no| !reader.is_capital(no));
    if plain && start > lead && reader.is_capital(start) { start..words.end } else { words }
}

/// The first words of a range that no word before them in `begins` excludes: "Turin" of "not Milan but Turin" and "Turin, not
/// Milan". No words where all of them are excluded. A capital inside a sentence is part of a name, and one at its beginning
/// may be where no `place` is wanted: "Salvo Rossi".
fn past_denied(reader: &Reader<'_>, begins: Range<usize>, words: Range<usize>, place: bool) -> Range<usize> {
    if begins.len() < 2 {
        return words;
    }
    let end = words.end;
    let firm = reader.len(|lang| &lang.yes_no.firm, begins.start, end);
    let verbal = reader.len(|lang| &lang.denial.verbal, begins.start, end) > 0;
    let capitals = words.clone().any(|no| reader.is_capital(no) && !reader.is_idle(no));
    let mut no = if verbal { begins.start } else { begins.start + firm };
    let first = reader.past_filler(begins.start..end);
    let mut denied = false;
    let mut from = None;
    while no < end {
        let before = reader.len(|lang| &lang.denial.before, no, end);
        let but = reader.len(|lang| &lang.denial.but, no, end);
        let none = reader.len(|lang| &lang.denial.none, no, end).max(reader.changes(no, end));
        // "I cannot say that": where no place is wanted only the first words exclude.
        let named = reader.is_capital(no) && !(place && no == begins.start) || !place && no > first;
        let len = before.max(but).max(none);
        if before == len && before > none && !named {
            let so_far = from.unwrap_or(words.start)..no;
            let marked = no > words.start && reader.is_mark(no - 1);
            let tells = |no: usize| !reader.is_idle(no) && if capitals { reader.is_capital(no) } else { marked };
            if !denied && so_far.clone().any(tells) {
                return so_far;
            }
            denied = true;
        } else if denied && (reader.is_mark(no) || but == len && but > 0 || marks_correction(reader, no, end)) {
            denied = false;
            from = Some(no + len.max(1));
        }
        no += len.max(1);
    }
    // "Anywhere but Paris, please."
    let nothing_else = from.is_some_and(|from| (from.min(end)..end).all(|no| reader.is_idle(no)));
    match from {
        _ if denied || nothing_else => words.start..words.start,
        Some(from) => from.max(words.start).min(end)..end,
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "goal"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "model"
kind = "text"
label = "Model"
ask = "Which model?"
"#;

    #[rstest]
    #[case("en", "can you hurry up")]
    #[case("en", "hurry up")]
    #[case("en", "with my brother")]
    #[case("en", "anywhere but Paris")]
    #[case("en", "not Milan")]
    #[case("en", "not in Milan please")]
    #[case("en", "anywhere but Paris, please")]
    #[case("it", "puoi sbrigarti")]
    #[case("it", "con mio fratello")]
    #[case("it", "ovunque tranne Parigi")]
    #[case("it", "non Milano")]
    #[case("es", "puedes darte prisa")]
    #[case("es", "con mi hermano")]
    #[case("es", "en cualquier sitio menos París")]
    #[case("de", "kannst du dich beeilen")]
    #[case("de", "mit meinem Bruder")]
    #[case("de", "überall außer Paris")]
    #[case("de", "nicht nach Mailand")]
    #[case("fr", "tu peux te dépêcher")]
    #[case("fr", "avec mon frère")]
    #[case("fr", "n'importe où sauf Paris")]
    #[case("fr", "pas Milan")]
    #[case("ar", "مع أخي")]
    #[case("ar", "أي مكان إلا باريس")]
    fn what_names_no_place_is_none(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(TRIP, "goal").speaking(lang).line(said);
        assert!(!line.contains("goal="), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "Hi, Milan", "goal=Milan")]
    #[case("en", "Hello! Milan please", "goal=Milan")]
    #[case("en", "OK, Milan", "goal=Milan")]
    #[case("it", "Ciao, Milano", "goal=Milano")]
    #[case("de", "Guten Tag, Mailand", "goal=Mailand")]
    #[case("fr", "Bonjour, Milan", "goal=Milan")]
    #[case("en", "anywhere but Paris, please", "")]
    #[case("en", "yes", "")]
    #[case("en", "no, Milan", "goal=Milan")]
    #[case("en", "not Milan but Turin", "goal=Turin")]
    #[case("en", "not Milan, Turin", "goal=Turin")]
    #[case("en", "Turin, not Milan", "goal=Turin")]
    #[case("en", "Milan with my brother", "goal=Milan")]
    #[case("it", "non Milano ma Torino", "goal=Torino")]
    #[case("de", "nicht Mailand sondern Turin", "goal=Turin")]
    fn the_place_beside_what_is_excluded_is_meant(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TRIP, "goal").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "can you hurry up", "")]
    #[case("en", "Punto", "model=Punto")]
    #[case("en", "Hi, 911", "model=911")]
    #[case("en", "Punto, thanks a lot. Have a nice day", "model=Punto")]
    #[case("it", "Punto, grazie mille. Buona giornata", "model=Punto")]
    #[case("es", "Punto, muchas gracias. Que tenga un buen día", "model=Punto")]
    #[case("de", "Punto, vielen Dank. Schönen Tag noch", "model=Punto")]
    #[case("fr", "Punto, merci beaucoup. Bonne journée", "model=Punto")]
    #[case("ar", "بونتو، شكرا جزيلا. يوما سعيدا", "model=بونتو")]
    #[case("en", "a blue Ford Focus from 2019", "~=model=a blue Ford Focus from 2019")]
    fn one_thing_is_taken_without_what_is_said_around_it(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(TRIP, "model").speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }
}
