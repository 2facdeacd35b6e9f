//! The second of two days said by how long it is from the first: "for a week" where the departure is asked, "two nights
//! from Friday". Nothing counts from today there.

use std::ops::Range;

use jiff::civil::Date;

use crate::Scene;
use crate::ledger::{Filled, Ledger};
use crate::reader::Reader;
use crate::spans::{Board, Cand, Slot, with_context};
use crate::turns::role_before;
use formwright_form::cues::{Role, includes_last_day};
use formwright_form::kind::date::lasting;
use formwright_form::kind::{Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::sentence::Turn;

/// Works out the second of two days from the length of time between them; where the first is not known, or it is open
/// whether the last day counts, the words are kept from being a day counted from today.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>, ledger: &mut Ledger) {
    let Some((first, second)) = pair(board) else { return };
    let Some(of) = board.slots.get(second) else { return };
    let found = with_context(scene, &of.path, of.field, |cx| lasting(reader.said, cx));
    let mut found = found.into_iter().map(|apart| (reader.words_of(&apart.span), apart));
    let (Some((words, apart)), None) = (found.next(), found.next()) else { return };
    if !ledger.is_free(words.clone()) || counts_lengths(board, &words) {
        return;
    }
    // "A week on Tuesday" is one day.
    let day = |lang: &Language| {
        let terms = lang.date.beginning_at(reader.said, words.end).iter();
        terms.into_iter().any(|phrase| phrase.term == Term::Mark(Mark::On))
    };
    let longer = |cand: &Cand| cand.words.start == words.start && cand.words.end > words.end + 1;
    if board.cands.iter().any(longer) && reader.langs().any(day) {
        return;
    }
    // So is "a week from tomorrow".
    let from_today = |lang: &Language| {
        let terms = lang.date.beginning_at(reader.said, words.end + 1).iter();
        terms.into_iter().any(|phrase| matches!(phrase.term, Term::Day(_)))
    };
    if may_be_one_day(reader, &words) && board.cands.iter().any(longer) && reader.langs().any(from_today) {
        return;
    }
    let asked = board.asked.filter(|no| [first, second].contains(no));
    if asked == Some(first) && may_be_one_day(reader, &words) {
        let day = |cand: &&mut Cand| matches!(cand.value, Value::Date(_));
        board.cands.iter_mut().filter(day).for_each(|cand| cand.negated = true);
        return;
    }
    let said = said_day(reader, board, &words);
    let held = match board.slots.get(first).and_then(|slot| slot.value) {
        Some(Value::Date(day)) => Some(*day),
        _ => None,
    };
    let from = said.or_else(|| held.filter(|_| asked == Some(second)));
    let open = asked == Some(second) || of.value.is_none();
    // "A week off from Monday" ends on Sunday; nights, and a stay until some day, may end on the day after.
    let last = includes_last_day(of.field);
    let nights = |no: usize| {
        let word = reader.said.plain(no);
        reader.langs().any(|lang| !lang.date.counted_like(word).is_empty() && !is_unit(lang, word))
    };
    let counts = || {
        let stay = board.ends.days().role(Turn::Leave) == Role::Second;
        said.is_some() && !stay && !words.clone().any(nights)
    };
    let day = from.filter(|_| open && (!last || counts())).and_then(|day| apart.day(day));
    let day = day.and_then(|day| if last { day.yesterday().ok() } else { Some(day) });
    if day.is_none() && asked.is_none() {
        return;
    }
    for cand in board.cands.iter_mut().filter(|cand| overlap(&cand.words, &words)) {
        cand.negated = true;
    }
    let Some(day) = day else {
        words.for_each(|no| ledger.set_apart(no));
        return;
    };
    ledger.claim(words.clone());
    let value = Value::Date(day);
    let raw = apart.span;
    ledger.fills.push(Filled { slot: second, value, raw, words, sure: true, named: true, shift: 0, replaces: true });
}

/// Whether a word is one for days, weeks or months: not "night".
fn is_unit(lang: &Language, word: &str) -> bool {
    lang.date.beginning(word).iter().any(|phrase| matches!(phrase.term, Term::Unit(_)))
}

/// Whether a length and the day behind it may be one day or a stretch from that day: "a fortnight from Saturday", but not "two
/// nights from Saturday" nor "for a week from Saturday".
fn may_be_one_day(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let mark = |no: usize, mark: Mark| {
        let langs = reader.langs();
        langs.flat_map(|lang| lang.date.beginning_at(reader.said, no)).any(|phrase| phrase.term == Term::Mark(mark))
    };
    let night = |no: usize| {
        let word = reader.said.plain(no);
        reader.langs().any(|lang| !lang.date.counted_like(word).is_empty() && !is_unit(lang, word))
    };
    let lasts = words.start.checked_sub(1).is_some_and(|no| mark(no, Mark::For)) || mark(words.start, Mark::For);
    mark(words.end, Mark::From) && !lasts && !words.clone().any(night)
}

/// The only first and the only second of two days.
fn pair(board: &Board<'_>) -> Option<(usize, usize)> {
    let only = |role: Role| {
        let is_such = |slot: &Slot<'_>| slot.role == Some(role) && matches!(slot.field.kind, Kind::Date(_));
        let mut all = (0..board.slots.len()).filter(|no| board.slots.get(*no).is_some_and(is_such));
        all.next().filter(|_| all.next().is_none())
    };
    only(Role::First).zip(only(Role::Second))
}

/// Whether a field is for lengths of time, so that the words may be its own.
fn counts_lengths(board: &Board<'_>, words: &Range<usize>) -> bool {
    let is_length = |slot: &Slot<'_>| match slot.field.kind {
        Kind::Duration(_) => true,
        Kind::Integer(_) | Kind::Number(_) => board.mentions_of(slot).any(|mention| overlap(&mention.words, words)),
        _ => false,
    };
    board.slots.iter().any(is_length)
}

/// The only day that is said beside a length, where it is not the second of two.
fn said_day(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> Option<Date> {
    let meant = board.cands.iter().filter(|cand| cand.strength > Strength::Weak && !cand.negated && !cand.old);
    let mut days = meant.filter(|cand| !overlap(&cand.words, words)).filter_map(|cand| match cand.value {
        Value::Date(day) => Some((cand.words.clone(), day)),
        _ => None,
    });
    let (Some((at, day)), None) = (days.next(), days.next()) else { return None };
    (role_before(reader, at.start, board.ends.days()) != Some(Role::Second)).then_some(day)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Hotel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "check_in"
kind = "date"
label = "Check-in"

[[field]]
id = "check_out"
kind = "date"
label = "Check-out"

[[field]]
id = "guests"
kind = "integer"
label = "Guests"
"#;

    #[rstest]
    #[case("en", "for a week", "check_out=2026-12-10")]
    #[case("en", "four days", "check_out=2026-12-07")]
    #[case("en", "3 nights", "check_out=2026-12-06")]
    #[case("en", "we stay for two weeks", "check_out=2026-12-17")]
    #[case("en", "in two weeks", "check_out=2026-12-05")]
    #[case("it", "per una settimana", "check_out=2026-12-10")]
    #[case("it", "quattro notti", "check_out=2026-12-07")]
    #[case("es", "una semana", "check_out=2026-12-10")]
    #[case("de", "für eine Woche", "check_out=2026-12-10")]
    #[case("de", "vier Nächte", "check_out=2026-12-07")]
    #[case("fr", "pour une semaine", "check_out=2026-12-10")]
    #[case("ar", "لمدة أسبوع", "check_out=2026-12-10")]
    fn a_length_at_the_end_of_a_stay_counts_from_its_beginning(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let stage = Stage::new(STAY, "check_out").speaking(lang).having("check_in=2026-12-03");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("", "two nights from Friday", "check_in=2026-11-27; check_out=2026-11-29")]
    #[case("", "from Friday for two nights", "check_in=2026-11-27; check_out=2026-11-29")]
    #[case("", "for a week from 3 April", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("check_in", "for a week from 3 April", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("", "for ten days starting Monday", "check_in=2026-11-23; check_out=2026-12-03")]
    #[case("it", "per una settimana dal 3 aprile", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("it", "per 10 giorni a partire da lunedì", "check_in=2026-11-23; check_out=2026-12-03")]
    #[case("es", "por una semana desde el 3 de abril", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("de", "für eine Woche ab 3. April", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("fr", "pour une semaine à partir du 3 avril", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("ar", "لمدة أسبوع من 3 أبريل", "check_in=2027-04-03; check_out=2027-04-10")]
    #[case("check_out", "for a week", "")]
    #[case("check_in", "for a week", "")]
    #[case("guests", "for a week", "")]
    #[case("check_in", "a week from tomorrow", "check_in=2026-11-29")]
    #[case("check_in", "tomorrow, leaving a week from tomorrow", "check_in=2026-11-22; check_out=2026-11-29")]
    #[case("check_out", "two weeks from today", "check_out=2026-12-05")]
    #[case("", "two nights in May", "")]
    #[case("", "10 days in December", "")]
    fn a_length_counts_from_the_day_that_is_said(#[case] of: &'static str, #[case] said: &str, #[case] expected: &str) {
        // The field that is asked, or the language.
        let (asked, lang) = if of.len() == 2 { ("", of) } else { (of, "en") };
        let stage = Stage::new(STAY, asked).speaking(lang);
        let mut fills: Vec<String> = stage.fills(said).split("; ").map(str::to_owned).collect();
        fills.sort_unstable();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("I'd like a week off from 7 December", "from=2026-12-07; to=2026-12-13")]
    #[case("3 days off starting 7 December", "from=2026-12-07; to=2026-12-09")]
    #[case("3 nights from 7 December", "from=2026-12-07")]
    fn the_last_day_of_a_length_belongs_to_it(#[case] said: &str, #[case] expected: &str) {
        const LEAVE: &str = r#"
id = "leave"
title = "Leave"

[[field]]
id = "from"
kind = "date"
label = "From"

[[field]]
id = "to"
kind = "date"
label = "To"
"#;
        let mut fills: Vec<String> = Stage::new(LEAVE, "").fills(said).split("; ").map(str::to_owned).collect();
        fills.sort_unstable();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("label = \"Check-out\"", "label = \"Last day\"", "")]
    #[case("label = \"Guests\"", "label = \"Nights\"", "guests=3")]
    fn a_length_that_may_mean_something_else_is_no_day(
        #[case] label: &str,
        #[case] other: &str,
        #[case] expected: &str,
    ) {
        let form = STAY.replace(label, other);
        let stage = Stage::new(&form, "check_out").having("check_in=2026-12-03");
        assert_eq!(stage.fills("3 nights"), expected);
    }
}
