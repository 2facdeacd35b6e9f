//! Numbers that tell for how many people something is: "a cab for two", "we are 5", "for 4 tonight 21:15 Ann Lee", "طاولة
//! لأربعة", "لشخصين".

use std::ops::Range;

use super::counted::is_how_many_come;
use super::reader::Reader;
use super::score::{is_inside, is_number, is_telling};
use super::spans::{Board, Cand, Slot};
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_lexicon::{Language, Phrases};

/// Whether a number is one of people where a field counts something else: "2" in "a room for two".
pub(super) fn tells_for_people(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let such = |cand: &&Cand| cand.words == *words;
    let takers = |cand: &Cand| board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).collect::<Vec<_>>();
    let people = |cand: &Cand| takers(cand).into_iter().any(|of| for_people(reader, board, of, cand));
    is_number(&slot.field.kind) && !slot.counts_people() && board.cands.iter().filter(such).any(people)
}

/// Whether a number that stands for nothing else tells for how many people: "a cab for two", "the two of us".
pub(super) fn for_people(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let (start, end) = (cand.words.start, cand.words.end);
    let clause = reader.clause_words(start);
    // "For 11 in the morning" is a time.
    if !is_number(&slot.field.kind) || !slot.counts_people() || is_inside(board, cand, is_telling) {
        return false;
    }
    let people = reader.len(|lang| &lang.number.people, end, clause.end) > 0;
    // "I have 3 kids" tells not who comes.
    let minors = || reader.len(|lang| &lang.naming.minor, end, clause.end) > 0;
    let has = || (clause.start..start).any(|no| no + reader.len(|lang| &lang.naming.owns, no, start) == start);
    if people && minors() && has() {
        return false;
    }
    let before = start.saturating_sub(2).max(clause.start)..start;
    let says = |table: fn(&Language) -> &Phrases<()>| {
        before.clone().any(|no| matches!(reader.len(table, no, start), len if len > 0 && no + len == start))
    };
    let goes = reader.len(|lang| &lang.sentence.second, end, clause.end) > 0;
    // "For 4 tomorrow", "for 4 on Friday", "for 4 tonight 21:15 Ann Lee".
    let mut next = end;
    while let Some(after) = value_of_time(board, next) {
        next = after;
    }
    let named = next > end && reader.is_capital(next) && !reader.is_part_of_day(next) && !reader.is_unit_of_time(next);
    let alone = next >= clause.end || reader.is_idle(next) || goes || named;
    // "We are 5 minutes late" counts minutes.
    let measured = reader.len(|lang| &lang.number.after, end, clause.end) > 0;
    let are = says(|lang| &lang.number.people_before) && !measured;
    let for_so_many = || says(|lang| &lang.number.for_people) || is_for(reader, start);
    people || are || is_two_people(reader, start) || is_how_many_come(reader, &cand.words) || alone && for_so_many()
}

/// Where a day or time that begins at a word ends.
fn value_of_time(board: &Board<'_>, no: usize) -> Option<usize> {
    let here = board.cands.iter().filter(|other| other.words.start == no && other.strength > Strength::Weak);
    let timed = |cand: &&Cand| matches!(board.kind_of(cand), Some(Kind::Date(_) | Kind::Time(_) | Kind::Datetime(_)));
    here.filter(timed).map(|other| other.words.end).filter(|end| *end > no).max()
}

/// Whether a number tells by how it is written that it counts people, or what something is for: "لشخصين", "لأربعة".
pub(super) fn is_for_some(reader: &Reader<'_>, no: usize) -> bool {
    is_two_people(reader, no) || is_for(reader, no)
}

/// Whether "for" is written together with a number: Arabic "لأربعة".
fn is_for(reader: &Reader<'_>, no: usize) -> bool {
    let lang = reader.own_lang();
    let glued = |prefix: char| {
        reader.said.plain(no).starts_with(prefix) && lang.number.atoms.word_at(reader.said, no).is_none()
    };
    lang.number.for_prefix.is_some_and(glued)
}

/// Whether a word means two people by itself: Arabic "شخصين", and "لشخصين" for them.
fn is_two_people(reader: &Reader<'_>, no: usize) -> bool {
    let lang = reader.own_lang();
    let plain = reader.said.plain(no);
    let bare = lang.number.for_prefix.and_then(|prefix| plain.strip_prefix(prefix)).unwrap_or(plain);
    lang.number.two_people.word(plain).or(lang.number.two_people.word(bare)).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"

[[field]]
id = "guests"
kind = "integer"
label = "Guests"

[[field]]
id = "rooms"
kind = "integer"
label = { en = "Rooms", it = "Camere", es = "Habitaciones", de = "Zimmer", fr = "Chambres", ar = "الغرف" }

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "hour"
kind = "time"
label = "Hour"
"#;

    #[rstest]
    #[case("en", "a table for three tonight 20:15 Anna Berg", "guests=3; name=Anna Berg; day=2026-11-21; hour=20:15")]
    #[case("it", "tavolo per tre stasera 20:15 Anna Berti", "guests=3; name=Anna Berti; day=2026-11-21; hour=20:15")]
    #[case("es", "mesa para tres mañana 21:15 Ana Ruiz", "guests=3; name=Ana Ruiz; day=2026-11-22; hour=21:15")]
    #[case("en", "we are there for two Friday nights", "day=2026-11-27; ~=guests=2")]
    #[case("ar", "طاولة لشخصين غدا", "guests=2; day=2026-11-22")]
    #[case("ar", "طاولة لأربعة", "guests=4")]
    #[case("ar", "احجز لي طاولة لشخصين", "guests=2")]
    #[case("ar", "طاولة 4", "")]
    #[case("it", "una camera per due", "guests=2; ~=rooms=1")]
    #[case("es", "una habitación para dos", "guests=2; ~=rooms=1")]
    #[case("de", "ein Zimmer für zwei", "guests=2")]
    #[case("fr", "une chambre pour deux", "guests=2; ~=rooms=1")]
    #[case("ar", "غرفة واحدة", "rooms=1")]
    fn a_number_of_people_is_told_apart(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(TABLE, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
