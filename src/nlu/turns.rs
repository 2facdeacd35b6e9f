//! Which of two the words around a value make of it: "from" the first, "until" the second.

use super::reader::Reader;
use super::spans::{Board, Cand};
use super::{casts, either};
use formwright_form::cues::{Ends, Role};
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_form::{Kind, Value};
use formwright_lexicon::sentence::Turn;
use formwright_lexicon::{Language, Phrases};

/// A list of phrases of a language.
type Table = fn(&Language) -> &Phrases<()>;

/// How many words before a value may say which of two it is.
const REACH: usize = 4;

/// Words that say which of two something is; of equally long ones the first holds.
const TURNS: [(Table, Turn); 4] = [
    (|lang| &lang.sentence.first, Turn::First),
    (|lang| &lang.sentence.second, Turn::Second),
    (|lang| &lang.sentence.arrive, Turn::Arrive),
    (|lang| &lang.sentence.leave, Turn::Leave),
];

/// What the words before a value make of it: "from" the first, "until" the second of two.
pub(super) fn roles(reader: &Reader<'_>, board: &Board<'_>, cands: &[Cand]) -> Vec<Option<Role>> {
    // Several days have both ends: "I have to leave tomorrow until Friday".
    let whole = |cand: &Cand| matches!(cand.value, Value::DateRange { start, end } if start < end);
    let option = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_)));
    let role = |cand: &Cand| {
        let whose = || option(cand).then(|| casts::whose(reader, &cand.words)).flatten();
        whose().or_else(|| turned(reader, board, cands, cand)).filter(|_| !whole(cand))
    };
    let mut roles: Vec<Option<Role>> = cands.iter().map(role).collect();
    for (no, cand) in cands.iter().enumerate() {
        // A bare number is hardly a day of two: "for 2 tomorrow".
        let counts = |other: &Cand| {
            let digits = other.words.clone().all(|no| reader.is_digits(no));
            other.strength == Strength::Weak && digits && matches!(other.value, Value::Date(_))
        };
        let meant = |other: &(usize, &Cand)| {
            other.1.alike == cand.alike && !other.1.negated && !other.1.old && !counts(other.1)
        };
        let of_kind: Vec<usize> = cands.iter().enumerate().filter(meant).map(|(no, _)| no).collect();
        let [first, second] = of_kind[..] else { continue };
        // Two readings of the same words are one value.
        if cands.get(first).map(|cand| &cand.words) == cands.get(second).map(|cand| &cand.words) {
            continue;
        }
        // "The 3rd or the 4th of May" is one of two.
        if let (Some(one), Some(two)) = (cands.get(first), cands.get(second))
            && either::are_alternatives(reader, one, two, false)
        {
            continue;
        }
        let open = |role: Role| {
            let with = board
                .takers(cand)
                .iter()
                .filter_map(|slot| board.slots.get(*slot))
                .filter(|slot| slot.role == Some(role));
            with.count() == 1
        };
        if no != first || !open(Role::First) || !open(Role::Second) {
            continue;
        }
        match (roles.get(first).copied().flatten(), roles.get(second).copied().flatten()) {
            (None, None | Some(Role::Second)) => {
                set(&mut roles, first, Role::First);
                set(&mut roles, second, Role::Second);
            }
            // "From the 3rd, leaving on the 5th": what may begin a trip may end a stay.
            (Some(Role::First), None | Some(Role::First)) => set(&mut roles, second, Role::Second),
            (Some(Role::Second), None) => set(&mut roles, second, Role::First),
            _ => {}
        }
    }
    roles
}

fn set(roles: &mut [Option<Role>], no: usize, role: Role) {
    if let Some(slot) = roles.get_mut(no) {
        *slot = Some(role);
    }
}

/// Which of two the words around a value make of it.
fn turned(reader: &Reader<'_>, board: &Board<'_>, cands: &[Cand], cand: &Cand) -> Option<Role> {
    let kind = board.kind_of(cand)?;
    let ends = board.ends.of(kind);
    let start = cand.words.start;
    if !matches!(kind, Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_) | Kind::Time(_)) {
        let addressed = || role_before(reader, before_addressee(reader, board, cand)?, ends);
        return role_before(reader, start, ends).or_else(addressed);
    }
    let other = |no: usize| {
        cands.iter().any(|other| other.alike == cand.alike && other.words.start == no && other.words != cand.words)
    };
    let clause = reader.clause_end(cand.words.start);
    let join = |no: usize| reader.len(|lang| &lang.sentence.join, no, clause) > 0;
    let end = (cand.words.end..clause).find(|no| other(*no) || join(*no)).unwrap_or(clause);
    // "We leave on Friday and on Sunday": what was said before "and" is said of the other.
    let reach = start.saturating_sub(REACH);
    let from = (reach..start).rev().find(|no| join(*no)).map_or(reach, |no| no + 1);
    // "A las 8" and "à 8 h" alone are no end.
    let letter = |no: usize| reader.said.plain(no).chars().count() == 1;
    let alike = |other: &Cand| other.alike == cand.alike && other.words != cand.words;
    let hour = || (from..start).rev().find(|no| turn_at(reader, *no, start).is_some()).is_some_and(letter);
    let only = matches!(kind, Kind::Time(_)) && !cands.iter().any(alike) && hour();
    let before = || if only { None } else { role_between(reader, from, start, ends) };
    // "On Friday back on Sunday": what stands right before another one is said of that.
    let last = (cand.words.end..end).rev().find(|no| !reader.is_idle(*no) && !reader.is_mark(*no));
    let alone = end >= clause || join(end);
    // "Wir kommen am Sonntag zurück": the end of the verb tells more than its beginning.
    let behind = || {
        let end = (cand.words.end..end).rev().find(|no| !reader.is_mark(*no))? + 1;
        let starts = cand.words.end..end;
        let found = starts
            .rev()
            .find_map(|no| reader.at(|lang| &lang.sentence.behind, no, end).filter(|(len, _)| no + len == end));
        found.map(|(_, turn)| ends.role(*turn))
    };
    let after = || {
        let last = last?;
        (cand.words.end..=last).find_map(|no| {
            let (len, turn) = turn_at(reader, no, end)?;
            (no..no + len).contains(&last).then(|| ends.role(turn))
        })
    };
    let behind = if alone { behind() } else { None };
    behind.or_else(before).or_else(|| if alone { after() } else { None })
}

/// Where the person begins who stands before their address: "to Anna Wells, 3 Park Road", "to my sister Anna at 3 Park Road".
fn before_addressee(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> Option<usize> {
    const NAMES: usize = 3;
    let mut takers = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
    takers.any(|slot| slot.subtype() == Some(Subtype::Address)).then_some(())?;
    let between = |no: usize| reader.is_mark(no) || reader.is_idle(no);
    let end = (0..cand.words.start).rev().find(|no| !between(*no))? + 1;
    let named = (end.saturating_sub(NAMES)..end).rev().take_while(|no| reader.is_capital(*no) && !between(*no));
    let start = named.last()?;
    let kin = |no: usize| reader.len(|lang| &lang.name.kin, no, start) == start - no;
    Some((start.saturating_sub(REACH)..start).find(|no| kin(*no)).unwrap_or(start))
}

/// The longest phrase at a word that says which of two something is.
pub(super) fn turn_at(reader: &Reader<'_>, no: usize, end: usize) -> Option<(usize, Turn)> {
    let found = TURNS.into_iter().rev().map(|(table, turn)| (reader.len(table, no, end), turn));
    let (len, turn) = found.filter(|(len, _)| *len > 0).max_by_key(|(len, _)| *len)?;
    Some((len, told(reader, no, len, turn)))
}

/// The turn that a phrase tells more closely: what begins may be collected, what ends handed over.
fn told(reader: &Reader<'_>, no: usize, len: usize, turn: Turn) -> Turn {
    let is = |table: Table| reader.len(table, no, no + len) == len;
    match turn {
        Turn::First if is(|lang| &lang.sentence.fetch) => Turn::Fetch,
        Turn::Second if is(|lang| &lang.sentence.bring) => Turn::Bring,
        turn => turn,
    }
}

/// The nearest word for the first or the second of two before a word.
pub(super) fn role_before(reader: &Reader<'_>, start: usize, ends: Ends) -> Option<Role> {
    role_between(reader, start.saturating_sub(REACH), start, ends)
}

/// The same, among the words that announce a place and those right before them: "to get it in Oslo" is not whither.
pub(super) fn role_right_before(reader: &Reader<'_>, at: usize, start: usize) -> Option<Role> {
    role_between(reader, at.saturating_sub(1), start, Ends::PLACES)
}

fn role_between(reader: &Reader<'_>, from: usize, start: usize, ends: Ends) -> Option<Role> {
    let from = from.max(reader.clause_start(start));
    let at = |no: usize| {
        let reaching = TURNS.into_iter().rev().filter_map(|(table, turn)| {
            let len = reader.len(table, no, start);
            (len > 0 && (no + len..start).all(|no| reader.is_idle(no))).then_some((no + len, turn))
        });
        let (end, turn) = reaching.max_by_key(|(end, _)| *end)?;
        Some((end, told(reader, no, end - no, turn)))
    };
    let (nearest, (end, turn)) = (from..start).rev().find_map(|no| Some((no, at(no)?)))?;
    // "Out" of "check out" is part of it.
    let around = (from..nearest).find_map(|no| at(no).filter(|(other, _)| *other >= end));
    Some(ends.role(around.map_or(turn, |(_, turn)| turn)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const COURIER: &str = r#"
id = "courier"
title = "Courier"

[[field]]
id = "from"
kind = "text"
label = "Pick-up address"
subtype = "address"

[[field]]
id = "to"
kind = "text"
label = "Delivery address"
subtype = "address"
"#;

    #[rstest]
    #[case("send it to 3 Park Road, Leeds", "to=3 Park Road, Leeds")]
    #[case("send it to Anna Wells, 3 Park Road, Leeds", "to=3 Park Road, Leeds")]
    #[case("deliver it to Anna, 3 Park Road, Leeds", "to=3 Park Road, Leeds")]
    #[case("from Bob Hart, 12 Elm Close, York", "~=from=12 Elm Close, York")]
    #[case(
        "from 12 Elm Close, York to my sister Anna at 3 Park Road, Leeds",
        "from=12 Elm Close, York; to=3 Park Road, Leeds"
    )]
    fn who_is_at_an_address_may_stand_before_it(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(COURIER, "").fills(said)), sorted(expected), "{said}");
    }
}
