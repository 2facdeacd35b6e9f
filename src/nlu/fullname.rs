//! A whole name where a form asks for its two halves: "under Ann Lee" is a first and a last name, "Mr Lee" a last one; and
//! a name that is said again in full: "Ann, Ann Lee".

use std::ops::Range;

use super::Scene;
use super::asked::covers;
use super::bare::is_name;
use super::casts::{capitals, is_called};
use super::ledger::{Ledger, in_a_line};
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::given::is_given;
use formwright_lexicon::{Language, Phrases};

/// Most words of a name.
const MOST_WORDS: usize = 4;

/// What of somebody's name some words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    First,
    Last,
    Both,
}

/// Fills the fields for the two halves of a name.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some((first, last)) = pair(reader, board) else {
        told_in_parts(scene, reader, board, ledger);
        return said_again(reader, board, ledger);
    };
    let open = |no: usize, ledger: &Ledger| {
        board.slots.get(no).is_some_and(|slot| slot.value.is_none() || slot.asked) && !ledger.has(no)
    };
    if !open(first, ledger) && !open(last, ledger) {
        return;
    }
    let asked = board.asked.filter(|no| *no == first || *no == last);
    let found = called(reader, board)
        .or_else(|| titled(reader, board))
        .or_else(|| repeated(reader, board).map(|name| (name, Half::Both)))
        .or_else(|| announced(reader, board, asked.map(|no| if no == first { Half::First } else { Half::Last })))
        .or_else(|| signed(scene, reader, board))
        .or_else(|| asked.filter(|_| open(first, ledger)).and_then(|no| answered(scene, reader, board, no)));
    let Some((name, half)) = found.filter(|(name, _)| ledger.is_free(name.clone())) else { return };
    let cut = match half {
        Half::First => name.end,
        Half::Last => name.start,
        Half::Both => parted(reader, &name),
    };
    for (slot, words) in [(first, name.start..cut), (last, cut..name.end)] {
        if !words.is_empty() && open(slot, ledger) {
            take(reader, ledger, slot, words);
        }
    }
}

fn take(reader: &Reader<'_>, ledger: &mut Ledger, slot: usize, words: Range<usize>) {
    let text = in_a_line(reader, words.clone());
    let found = Found { span: reader.raw_range(words), value: Value::Text(text), strength: Strength::Exact };
    ledger.fill_named(reader, slot, found);
}

/// The fields for the first and the last name, where there is one of each.
fn pair(reader: &Reader<'_>, board: &Board<'_>) -> Option<(usize, usize)> {
    let only = |table: fn(&Language) -> &Phrases<()>| {
        let text = |slot: &Slot<'_>| matches!(&slot.field.kind, Kind::Text(text) if matches!(text.subtype, None | Some(Subtype::Person)));
        let named = |no: &usize| board.slots.get(*no).is_some_and(|slot| text(slot) && is_called(reader, slot, table));
        let mut all = (0..board.slots.len()).filter(named);
        all.next().filter(|_| all.next().is_none())
    };
    only(|lang| &lang.name.first).zip(only(|lang| &lang.name.last)).filter(|(first, last)| first != last)
}

/// "Surname is Lee", "first name: Ann".
fn called(reader: &Reader<'_>, board: &Board<'_>) -> Option<(Range<usize>, Half)> {
    (0..reader.said.words.len()).find_map(|no| {
        let end = reader.clause_end(no);
        let first = reader.len(|lang| &lang.name.first, no, end);
        let last = reader.len(|lang| &lang.name.last, no, end);
        let (len, half) = if last >= first { (last, Half::Last) } else { (first, Half::First) };
        let is = reader.len(|lang| &lang.sentence.is, no + len, end);
        let start = no + len + is;
        if len == 0 || is == 0 || start >= end {
            return None;
        }
        let name = capitals(reader, board, start, end);
        let small =
            !reader.is_idle(start) && !reader.is_digits(start) && (start + 1 >= end || reader.is_idle(start + 1));
        if name.is_empty() { small.then_some((start..start + 1, half)) } else { Some((name, half)) }
    })
}

/// "Mr Lee", "Dr. Ann Lee".
fn titled(reader: &Reader<'_>, board: &Board<'_>) -> Option<(Range<usize>, Half)> {
    (0..reader.said.words.len()).find_map(|no| {
        let end = reader.clause_end(no);
        let len = reader.len(|lang| &lang.naming.address, no, end);
        let start = no + len + usize::from(reader.said.word(no + len) == ".");
        // "12 Elm Dr San Jose" is no doctor.
        // German "meine Frau Anna" is no Mrs Anna.
        let before = no.checked_sub(1);
        let ours = before.is_some_and(|before| reader.len(|lang| &lang.naming.ours, before, no) > 0);
        let alone = !ours && before.is_none_or(|before| !reader.is_capital(before));
        if len == 0 || !alone || !reader.is_capital(start) {
            return None;
        }
        let name = capitals(reader, board, start, reader.clause_end(start));
        let half = if name.len() == 1 { Half::Last } else { Half::Both };
        (!name.is_empty()).then_some((name, half))
    })
}

/// A name that words announce: "my name is Ann Lee", "under the name Lee".
fn announced(reader: &Reader<'_>, board: &Board<'_>, asked: Option<Half>) -> Option<(Range<usize>, Half)> {
    let meant = board.cands.iter().find(|cand| {
        let person = matches!(board.kind_of(cand), Some(Kind::Text(_)));
        let of_people = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
        let mut of_people = of_people.filter(|slot| slot.subtype() == Some(Subtype::Person));
        let sure = cand.strength > Strength::Weak || is_booked(reader, &cand.words);
        person && of_people.next().is_some() && sure && !cand.negated && !cand.old
    })?;
    let name = meant.words.clone();
    if name.clone().filter(|no| !reader.is_mark(*no)).count() > 1 {
        return Some((name, Half::Both));
    }
    let booked = is_booked(reader, &name);
    // "My name is Ann" may be either.
    let mine =
        (name.start.saturating_sub(4)..name.start).any(|no| reader.len(|lang| &lang.naming.ours, no, name.start) > 0);
    asked.or((booked && !mine).then_some(Half::Last)).map(|half| (name, half))
}

/// Whether the words right before a name say that something is booked in it: "under".
fn is_booked(reader: &Reader<'_>, name: &Range<usize>) -> bool {
    (name.start.saturating_sub(5)..name.start).any(|no| {
        let len = reader.len(|lang| &lang.name.booked, no, name.start);
        len > 0 && (no + len..name.start).all(|no| reader.is_mark(no))
    })
}

/// A part of the message that is a name in capitals and nothing else: "Ann Lee here".
fn signed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>) -> Option<(Range<usize>, Half)> {
    let places = board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Place));
    reader.clauses.iter().find_map(|clause| {
        let end = clause.words.end;
        let start = reader.past_filler(clause.words.clone());
        let start = start + reader.len(|lang| &lang.name.perhaps, start, end);
        let after = (start..end).find(|no| reader.len(|lang| &lang.name.after, *no, end) == end - no);
        let name = start..after.unwrap_or(end);
        let capitals = name.clone().all(|no| reader.is_capital(no) && !reader.is_mark(no));
        let sure = after.is_some() || !places && reader.clauses.len() > 1;
        let fits = (2..=MOST_WORDS).contains(&name.len()) && capitals && sure && is_name(scene, reader, &name);
        fits.then_some((name, Half::Both))
    })
}

/// "Ann, Ann Lee": the longer one.
fn repeated(reader: &Reader<'_>, board: &Board<'_>) -> Option<Range<usize>> {
    reader.clauses.windows(2).find_map(|both| {
        let [one, two] = both else { return None };
        let last = one.words.end.checked_sub(1)?;
        let name = capitals(reader, board, two.words.start, two.words.end);
        let same = reader.said.plain(last) == reader.said.plain(two.words.start) && reader.is_capital(last);
        let alone = (one.words.start..last).all(|no| reader.is_idle(no));
        (same && alone && (2..=MOST_WORDS).contains(&name.len())).then_some(name)
    })
}

/// Two words or three that answer the question for one half.
fn answered(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, asked: usize) -> Option<(Range<usize>, Half)> {
    let all = 0..reader.said.words.len();
    let Reading::Value(found) = read(scene, reader, board.slots.get(asked)?, all.clone()) else { return None };
    let name = reader.words_of(&found.span);
    let capital = name.clone().filter(|no| reader.is_capital(*no)).count();
    let alike = capital == 0 || capital == name.len();
    let few = (2..=3).contains(&name.len()) && name.clone().all(|no| !reader.is_mark(no) && !reader.is_idle(no));
    // "Van Berg" is a last name.
    let last = reader.len(|lang| &lang.name.particles, name.start, name.end) > 0;
    let half = if last { Half::Last } else { Half::Both };
    (few && alike && covers(reader, &name, all) && is_name(scene, reader, &name)).then_some((name, half))
}

/// Where the last name begins: at the last word, or at the small word before it ("Ann van der Lee").
fn parted(reader: &Reader<'_>, name: &Range<usize>) -> usize {
    let small = |no: &usize| {
        let len = reader.len(|lang| &lang.name.particles, *no, name.end);
        len > 0 && no + len < name.end
    };
    (name.start + 1..name.end).find(small).unwrap_or(name.end.saturating_sub(1).max(name.start))
}

/// Of words that were said where somebody was asked for, the name that is a part of its own, without what is told of its
/// bearer: "Dr Ann Lee, born in May".
pub(super) fn own_part(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { start, end } = words;
    let stop = reader.clause_end(start);
    let capitals = (start..stop).all(|no| reader.is_capital(no) && !reader.is_mark(no));
    let goes_on =
        stop < end && reader.said.word(stop) == "," && !reader.is_capital(stop + 1) && !reader.is_mark(stop + 1);
    if !capitals || !goes_on || stop - start < 2 {
        return words;
    }
    let address = reader.len(|lang| &lang.naming.address, start, stop);
    if stop - start > address + 1 { start + address..stop } else { start..stop }
}

/// The two halves of a name where one field is for all of it: "first name Ann last name Lee", "Ann, surname Lee", and "surname
/// Lee" by itself.
fn told_in_parts(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some(no) = whole_name(reader, board, ledger) else { return };
    let Some((last_lead, last)) = half(reader, board, Half::Last) else {
        return put_right(reader, board, ledger, no);
    };
    let Some(slot) = board.slots.get(no) else { return };
    // "Surname Lee, L E E" is spelled.
    let spelled = (last.start + 1..last.end).any(|no| reader.said.word(no).chars().count() == 1);
    let last = if spelled { last.start..reader.clause_end(last.start) } else { last };
    let text = |words: Range<usize>| match read(scene, reader, slot, words.clone()) {
        Reading::Value(Found { value: Value::Text(text), .. }) if spelled => text,
        _ => in_a_line(reader, words),
    };
    let before = || {
        let words = 0..last_lead;
        let value = |cand: &&super::spans::Cand| {
            let own = board.takers(cand).contains(&no);
            cand.strength > Strength::Weak && !own && cand.words.start < last_lead
        };
        let read = || match read(scene, reader, slot, words.clone()) {
            Reading::Value(Found { value: Value::Text(text), span, .. }) => Some((reader.words_of(&span).start, text)),
            _ => None,
        };
        if !slot.asked || board.cands.iter().any(|cand| value(&cand)) { None } else { read() }
    };
    let first = match half(reader, board, Half::First) {
        Some((lead, first)) => Some((lead, text(first))),
        None => before(),
    };
    let (start, name) = match first {
        Some((start, first)) => (start, format!("{first} {}", text(last.clone()))),
        // The last name of whom is known already is no new name.
        None if slot.value.is_some() && !slot.asked => return,
        None => (last.start, text(last.clone())),
    };
    let words = start.min(last.start)..last.end;
    if !ledger.is_free(words.clone()) {
        return;
    }
    let found = Found { span: reader.raw_range(words), value: Value::Text(name), strength: Strength::Exact };
    if ledger.fill_named(reader, no, found) {
        ledger.claim(last_lead..last.start);
    }
}

/// "It's misspelled, should be Ann Lee", where no place is asked for.
fn put_right(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, slot: usize) {
    let places = board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Place));
    let name = (0..reader.said.words.len()).find_map(|no| {
        let end = reader.clause_end(no);
        let len = reader.len(|lang| &lang.name.corrected, no, end);
        let name = capitals(reader, board, no + len, end);
        (len > 0 && name.len() > 1).then_some(name)
    });
    if let Some(name) = name.filter(|name| !places && ledger.is_free(name.clone())) {
        take(reader, ledger, slot, name);
    }
}

/// The only open field for a person, where its name tells of no half of a name.
fn whole_name(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger) -> Option<usize> {
    let half = |slot: &Slot<'_>| {
        is_called(reader, slot, |lang| &lang.name.first) || is_called(reader, slot, |lang| &lang.name.last)
    };
    let open = |no: &usize| {
        let person = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Person) && !half(slot);
        board.slots.get(*no).is_some_and(person) && !ledger.has(*no)
    };
    let mut all = (0..board.slots.len()).filter(open);
    let only = all.next().filter(|_| all.next().is_none());
    board.asked.filter(open).or(only)
}

/// What stands behind words for one half of a name: where those begin, and the name. "Surname Lee", "last name is Lee".
fn half(reader: &Reader<'_>, board: &Board<'_>, which: Half) -> Option<(usize, Range<usize>)> {
    const MOST: usize = 3;
    let len = |no: usize, half: Half| match half {
        Half::Last => reader.len(|lang| &lang.name.last, no, reader.clause_end(no)),
        Half::First | Half::Both => reader.len(|lang| &lang.name.first, no, reader.clause_end(no)),
    };
    (0..reader.said.words.len()).find_map(|no| {
        let lead = len(no, which);
        if lead == 0 {
            return None;
        }
        let end = reader.clause_end(no);
        let mut start = no + lead;
        start += reader.len(|lang| &lang.sentence.is, start, end);
        start += usize::from(matches!(reader.said.word(start), ":" | "-"));
        let both = which == Half::Last && (0..reader.said.words.len()).any(|no| len(no, Half::First) > 0);
        let end = (start..end).find(|no| len(*no, Half::First).max(len(*no, Half::Last)) > 0).unwrap_or(end);
        let name = capitals(reader, board, start, end);
        if !name.is_empty() {
            return Some((no, name));
        }
        let goes_on = |no: &usize| {
            let named = board.mentions.iter().any(|mention| mention.words.contains(no));
            // "My last name changed."
            let of_name = both || which == Half::First || reader.is_unknown(*no) || is_given(reader.said.plain(*no));
            !reader.is_idle(*no) && !reader.is_digits(*no) && !reader.is_mark(*no) && !named && of_name
        };
        let name = start..start + (start..end).take_while(goes_on).take(MOST).count();
        (!name.is_empty()).then_some((no, name))
    })
}

/// A name that is said again in full where one was asked for.
fn said_again(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let person = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Person);
    let open = |no: &usize| board.slots.get(*no).is_some_and(person) && !ledger.has(*no);
    let mut all = (0..board.slots.len()).filter(open);
    let only = all.next().filter(|_| all.next().is_none());
    let Some(no) = board.asked.filter(open).or(only) else { return };
    let Some(name) = repeated(reader, board).filter(|name| ledger.is_free(name.clone())) else { return };
    ledger.claim(0..name.start);
    take(reader, ledger, no, name);
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const GUEST: &str = r#"
id = "guest"
title = "Stay"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "first"
kind = "text"
label = { en = "First name", it = "Nome", es = "Nombre", de = "Vorname", fr = "Prénom", ar = "الاسم الأول" }
subtype = "person"

[[field]]
id = "last"
kind = "text"
label = { en = "Last name", it = "Cognome", es = "Apellidos", de = "Nachname", fr = "Nom de famille", ar = "اسم العائلة" }
subtype = "person"

[[field]]
id = "seats"
kind = "integer"
label = "Seats"
"#;

    const ONE: &str = r#"
id = "one"
title = "Call"

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"
"#;

    #[rstest]
    #[case("en", "", "4 seats under Ida Lund", "first=Ida; last=Lund; seats=4")]
    #[case("en", "", "my name is Ida van der Lund", "first=Ida; last=van der Lund")]
    #[case("en", "", "4 seats for Mr Lund", "last=Lund; seats=4")]
    #[case("en", "", "4 seats, surname is O'Hara", "last=O'Hara; seats=4")]
    #[case("en", "", "hello, Ida Lund here, 4 seats", "first=Ida; last=Lund; seats=4")]
    #[case("en", "", "4 seats please, name's Lund", "last=Lund; seats=4")]
    #[case("en", "", "my name is Ida", "~=first=Ida")]
    #[case("en", "first", "Ida", "first=Ida")]
    #[case("en", "first", "it's Ida, Ida Lund", "first=Ida; last=Lund")]
    #[case("en", "first", "Ida Lund", "first=Ida; last=Lund")]
    #[case("en", "first", "ida lund", "first=ida; last=lund")]
    #[case("en", "last", "Van Berg", "last=Van Berg")]
    #[case("en", "seats", "4, under Lund", "last=Lund; seats=4")]
    #[case("it", "", "mi chiamo Anna Lei", "first=Anna; last=Lei")]
    #[case("es", "", "a nombre de Ana Ley", "first=Ana; last=Ley")]
    #[case("de", "", "ich heiße Anna Lei", "first=Anna; last=Lei")]
    #[case("fr", "", "je m'appelle Anne Lei", "first=Anne; last=Lei")]
    #[case("ar", "", "اسمي أحمد منصور", "first=أحمد; last=منصور")]
    fn a_whole_name_is_both_halves(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(GUEST, asked).speaking(lang).line(said);
        let mut fills: Vec<&str> =
            line.split("; ").filter(|part| part.contains('=') && !part.starts_with('?')).collect();
        let mut expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        fills.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fills, expected, "{line}");
    }

    #[rstest]
    #[case("Dr Ida Lund, born in May", "name=Ida Lund")]
    #[case("Ida Lund, my number follows", "name=Ida Lund")]
    #[case("Lund, Ida", "name=Lund, Ida")]
    fn what_is_told_of_somebody_is_no_part_of_the_name(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ONE, "name").fills(said), expected);
    }

    #[test]
    fn a_name_said_again_in_full_is_the_full_one() {
        for said in ["It's Ida, Ida Lund", "my name is Ida, Ida Lund"] {
            assert_eq!(Stage::new(ONE, "name").fills(said), "name=Ida Lund", "{said}");
        }
    }
}
