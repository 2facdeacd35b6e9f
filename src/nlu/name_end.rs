//! Where the name of a thing ends in front of more: a day, a number of people, a house or a town: "nightfall tomorrow at the
//! roxy 12", "Hotel Astoria in Vienna".

use std::ops::Range;

use super::Scene;
use super::named_sort::{Sort, is_house_field, sort};
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::sentence::Announced;

/// Most small words between the name and a value behind it.
const MOST_SMALL: usize = 2;

/// Where a value of another field begins behind the name, with the small words before it: a day or time that is announced or
/// near ("tomorrow"), what reaches somebody, or a number of what the field counts. A capital behind a capital is part of a
/// name: "Almost Christmas".
pub(super) fn value_behind(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Option<usize> {
    let small = |no: usize| reader.is_idle(no) && !reader.is_capital(no);
    let cuts = |cand: &Cand| {
        let Range { start, end } = cand.words;
        let Some(kind) = board.kind_of(cand) else { return false };
        let takers = board.takers(cand);
        let others =
            !takers.is_empty() && takers.iter().all(|no| board.slots.get(*no).is_some_and(|of| of.path != slot.path));
        let led = small(start - 1) || small(start) && end - start > 1;
        let counted = || {
            let unit = |no: &usize| {
                let slot = board.slots.get(*no);
                slot.is_some_and(|slot| board.mentions_of(slot).any(|mention| mention.words.start == end))
            };
            let people = |no: &usize| board.slots.get(*no).is_some_and(|slot| slot.people || slot.crowd.is_some());
            let clause = reader.clause_end(start);
            // "For 4."
            let bare = small(start - 1) && (end >= clause || reader.is_idle(end)) && takers.iter().any(people);
            takers.iter().any(unit) || reader.len(|lang| &lang.number.people, end, clause) > 0 || bare
        };
        let near = || match cand.value {
            formwright_form::Value::Date(day) => (0..=1).contains(&days_from(scene, day)),
            _ => false,
        };
        others
            && match kind {
                Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_) => led || near() && !reader.is_capital(start),
                Kind::Time(_) => led || (start..end).any(|no| reader.is_digits(no)) && end - start > 1,
                Kind::Email(_) | Kind::Phone(_) | Kind::Url(_) => true,
                Kind::Integer(_) => counted(),
                // "Nopiro for dinner".
                Kind::Choice(_) => {
                    let last = end >= words.end
                        || reader.is_idle(end)
                        || board.cands.iter().any(|next| next.words.start == end);
                    small(start - 1) && last && sort(reader, slot) == Some(Sort::House)
                }
                _ => false,
            }
    };
    let behind = |cand: &&Cand| {
        cand.strength > Strength::Weak && words.start < cand.words.start && cand.words.start < words.end && cuts(cand)
    };
    let first = board.cands.iter().filter(behind).map(|cand| cand.words.start).min()?;
    let back = (words.start + 1..first).rev().take(MOST_SMALL).take_while(|no| small(*no)).last();
    Some(back.unwrap_or(first))
}

/// How many days a day lies behind the one on which something is said.
fn days_from(scene: &Scene<'_>, day: jiff::civil::Date) -> i32 {
    day.since(scene.now.date()).map_or(i32::MAX, |span| span.get_days())
}

/// Where the name ends before a house that is named behind it, and the house: "nightfall at roxy 12", "Hotel Astoria in
/// Vienna".
pub(super) fn before_house(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    sort: Sort,
    words: Range<usize>,
) -> (usize, Option<(usize, Range<usize>)>) {
    let Range { start, end } = words;
    let open = |other: &Slot<'_>| other.path != slot.path && other.value.is_none();
    if sort == Sort::House {
        return (before_town(reader, board, slot, words), None);
    }
    let house = |other: &&Slot<'_>| open(other) && is_house_field(reader, other);
    let Some(other) = board.slots.iter().position(|slot| house(&slot)) else { return (end, None) };
    let at = |no: &usize| reader.len(|lang| &lang.naming.at, *no, end) > 0 && !reader.is_capital(*no);
    let led = |no: usize| {
        let from = no + reader.len(|lang| &lang.naming.at, no, end);
        from + reader.len(|lang| &lang.sentence.articles, from, end)..end
    };
    let found = (start + 1..end).filter(at).find(|no| is_house(reader, &led(*no)));
    found.map_or((end, None), |no| (no, Some((other, led(no)))))
}

/// Where a name ends before the town that is said behind it, where a field for one is open: "Hotel Astoria in Vienna".
pub(super) fn before_town(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: Range<usize>) -> usize {
    let Range { start, end } = words;
    let town =
        |other: &Slot<'_>| other.path != slot.path && other.value.is_none() && other.subtype() == Some(Subtype::Place);
    let led = |no: &usize| {
        let len = reader.announces(Announced::Place, *no, end);
        let at = reader.len(|lang| &lang.naming.at, *no, end);
        let proper = reader.is_proper(*no + len) || reader.len(|lang| &lang.naming.town, *no + len, end) > 0;
        len > 0 && at == 0 && !reader.is_capital(*no) && proper && *no + len < end
    };
    (start + 1..end).find(led).filter(|_| board.slots.iter().any(town)).unwrap_or(end)
}

/// Whether words name a house by their end: "roxy 12", "century 20 great mall". One word names none: "the museum".
pub(super) fn is_house(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let Range { start, end } = *words;
    let building = |no: usize| reader.len(|lang| &lang.naming.building, no, no + 1) > 0 || reader.is_digits(no);
    let small =
        |no: usize| reader.is_idle(no) && !reader.is_capital(no) && reader.len(|lang| &lang.naming.at, no, end) == 0;
    words.len() > 1
        && building(end - 1)
        && !small(start)
        && !reader.is_digits(start)
        && !(start..end).any(|no| reader.is_mark(no))
}

/// Words behind the name of such a field, up to what is said of others: "Astoria" of "hotel Astoria in Vienna".
pub(super) fn within(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Range<usize> {
    let Some(sort) = sort(reader, slot).filter(|sort| *sort != Sort::Thing) else { return words };
    let end = value_behind(scene, reader, board, slot, words.clone()).unwrap_or(words.end);
    let (end, _) = before_house(reader, board, slot, sort, words.start..end);
    words.start..end
}
