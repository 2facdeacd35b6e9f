//! Values that stand by themselves, with no sentence around them: "james 8283", "goa 745269", "mumbai to goa", and a name
//! in a part of the message of its own: "a table for four, Shelba Tansley".

use std::ops::Range;

use super::ledger::Ledger;
use super::picked::without_tail;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot, read};
use super::turns::turn_at;
use super::unmeant::is_polite;
use super::{Scene, beyond, passing, routes, strung};
use formwright_form::cues::Role;
use formwright_form::kind::Reading;
use formwright_form::kind::text::Subtype;
use formwright_form::{Kind, Required};
use formwright_lexicon::given::is_given;
use formwright_lexicon::sentence::{Announced, Turn};
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a name or place that nothing announces.
const MOST_WORDS: usize = 4;
/// Most words of a message that is nothing but values.
const MOST_IN_ALL: usize = 12;
/// Most letters of a word that belongs to the code behind it: "ghf 678".
const PREFIX: usize = 3;

/// Fills names, places and codes whose words are all there is beside values that are understood.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    // Which half of the day an hour is of concerns no name.
    let is_time = |no: usize| board.slots.get(no).is_some_and(|slot| matches!(slot.field.kind, Kind::Time(_)));
    if ledger.unsure.iter().any(|(no, _)| !is_time(*no)) || !ledger.refused.is_empty() {
        return;
    }
    let words = (0..reader.said.words.len()).filter(|no| !reader.is_mark(*no)).count();
    // "Goa 745269" where the code was asked for: the name beside it may be anything's.
    let coded = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::is_code);
    if words <= MOST_IN_ALL && !asks(reader) && !coded {
        beside_a_code(scene, reader, board, ledger);
    }
    signed(scene, reader, board, ledger);
    located(scene, reader, board, ledger);
    strung::fill(scene, reader, board, ledger);
}

fn asks(reader: &Reader<'_>) -> bool {
    reader.clauses.iter().any(|clause| clause.question)
}

/// Fills two places from "Mumbai to Goa", in a clause that begins so.
pub(super) fn from_to(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    // "No, it's Newhaven to Dieppe" changes both.
    let corrects = tide.correcting.contains(&true);
    let end_of = |role: Role| move |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place) && slot.role == Some(role);
    let held = |role: Role| {
        let holds = |no: &usize| board.slots.get(*no).is_some_and(|slot| slot.value.is_some() && end_of(role)(slot));
        let mut all = (0..board.slots.len()).filter(|no| holds(no) && !ledger.has(*no));
        all.next().filter(|_| all.next().is_none() && corrects)
    };
    let place = |role| only(board, ledger, end_of(role));
    let open = place(Role::First).zip(place(Role::Second));
    let Some((first, second)) = open.or_else(|| held(Role::First).zip(held(Role::Second))) else { return };
    let corrects = open.is_none();
    let to = |no: &usize, end: usize| reader.len(|lang| &lang.sentence.second, *no, end) == 1 && reader.is_idle(*no);
    let value = |no: usize| board.has_value_at(no);
    // "Ticket to Goa" begins nowhere: a place has a capital or was asked for, or is called by no word of a journey.
    let asked = board.asked.is_some_and(|no| no == first || no == second);
    let capitals = |part: &Range<usize>| part.clone().all(|no| reader.is_capital(no));
    let journey = |part: &Range<usize>| {
        part.clone()
            .any(|no| reader.len(|lang| &lang.sentence.journey, no, part.end) > 0 || ends_like_a_deed(reader, no))
    };
    for clause in reader.clauses.iter().filter(|clause| !clause.question) {
        let Range { start, end } = clause.words.clone();
        let mut all = (start + 1..end).filter(|no| to(no, end));
        let (Some(at), None) = (all.next(), all.next()) else { continue };
        // "From Oslo, NO to Bergen" begins before the comma.
        let goes_on = start > 1
            && reader.said.word(start - 1) == ","
            && reader.is_capital(start - 2)
            && !reader.is_idle(start - 2);
        if goes_on && reader.is_capital(start) && at == start + 1 {
            continue;
        }
        let stop = (at + 1..end).find(|no| value(*no) || reader.is_idle(*no) && !reader.is_capital(*no));
        let parts = [(first, trimmed(reader, start..at)), (second, trimmed(reader, at + 1..stop.unwrap_or(end)))];
        let both = parts.iter().all(|(_, part)| capitals(part)) && parts[0].1.end > 1;
        let from = reader.past_filler(start..at)..at;
        let plain = parts[0].1 == from && from.clone().all(|no| reader.said.plain(no).chars().count() > 2);
        let outside = |no: usize| !parts.iter().any(|(_, part)| part.contains(&no)) && no != at;
        let alone = || clause.words.clone().filter(|no| outside(*no)).all(|no| reader.is_idle(no));
        if corrects && !(both && alone()) {
            continue;
        }
        let sure = both || plain && (asked || !parts.iter().any(|(_, part)| journey(part)));
        let free = |part: &Range<usize>| ledger.is_free(part.clone()) && !part.clone().any(value);
        if sure && parts.iter().all(|(_, part)| is_name(scene, reader, part) && free(part)) {
            for (slot, part) in parts {
                ledger.take(scene, reader, board, slot, part);
            }
            return;
        }
    }
    if !corrects {
        routes::fill(scene, reader, board, ledger, [first, second]);
    }
}

/// Whether a small word may be what somebody does: "heading to Goa".
fn ends_like_a_deed(reader: &Reader<'_>, no: usize) -> bool {
    !reader.is_capital(no) && reader.said.plain(no).ends_with("ing")
}

/// Words without those around them that mean nothing; a capital means something: "New York".
fn trimmed(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let tells = |no: &usize| !reader.is_idle(*no) || reader.is_capital(*no) && *no > words.start;
    let leads =
        |no: usize| turn_at(reader, no, words.end).is_some_and(|(_, turn)| !matches!(turn, Turn::Second | Turn::Bring));
    let speaks = |no: usize| reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0;
    let begins = |no: usize| no == words.start && reader.is_capital(no) && !leads(no) && words.len() > 1;
    let tells = |no: &usize| (tells(no) || begins(*no)) && !(reader.is_idle(*no) && speaks(*no));
    let start = words.clone().find(tells).unwrap_or(words.end);
    let end = words.clone().rev().find(tells).map_or(start, |last| last + 1);
    start..end
}

/// A name or place beside a code or in front of an address, and nothing else: "james 8283", "bailey janice and bd 74 g 8".
fn beside_a_code(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let mut coded = ledger.fills.iter().any(|filled| board.slots.get(filled.slot).is_some_and(Slot::is_code));
    // "Carol Stephens 1635 Franklin Street": what one is to be reached at has a name in front of it.
    let reached =
        |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Address) || matches!(slot.field.kind, Kind::Phone(_));
    let first = ledger.fills.iter().filter(|filled| board.slots.get(filled.slot).is_some_and(reached));
    let first = first.map(|filled| filled.words.start).min();
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut codes: Vec<Range<usize>> = Vec::new();
    for run in runs(open_words(reader, board, ledger)) {
        let (mut name, code) = parted(reader, run);
        // "Bruce ssn 2975".
        if name.len() > 1 && is_abbreviation(reader, name.end - 1) && reader.is_digits(name.end) {
            name.end -= 1;
        }
        // "Ssn 2975": a word right before a code or "is" tells what follows.
        let tells = |name: &Range<usize>| {
            let is = reader.len(|lang| &lang.sentence.is, name.end, reader.said.words.len()) > 0;
            is || name.len() == 1 && is_abbreviation(reader, name.start) && reader.is_digits(name.end)
        };
        if !code.is_empty() && !is_unnamed_code(reader, &code) {
            continue;
        }
        names.extend(Some(name).filter(|name| !name.is_empty() && !tells(name) && !is_told(reader, name)));
        codes.extend(Some(code).filter(|code| !code.is_empty()));
    }
    let takes_code = |slot: &Slot<'_>| slot.is_code();
    if let [code] = codes.as_slice()
        && let Some(slot) = only(board, ledger, |slot| slot.subtype() == Some(Subtype::Code))
            .or_else(|| only(board, ledger, takes_code).filter(|no| takes(scene, reader, board, *no, code)))
    {
        coded = true;
        ledger.take(scene, reader, board, slot, code.clone());
    } else if !codes.is_empty() {
        return;
    }
    let any_words = |slot: &Slot<'_>| slot.is_free() && slot.subtype().is_none();
    let named = |slot: &Slot<'_>| matches!(slot.subtype(), Some(Subtype::Person | Subtype::Place));
    // One of two places, such as where a trip begins, is not told by its name alone.
    let open = |slot: &Slot<'_>| any_words(slot) || named(slot) && slot.role.is_none();
    let needed = |slot: &Slot<'_>| open(slot) && matches!(slot.field.required, Required::Yes);
    let slot = only(board, ledger, open).or_else(|| only(board, ledger, needed));
    let leads =
        |name: &Range<usize>| name.len() > 1 && first == Some(name.end) && (0..name.start).all(|no| reader.is_idle(no));
    if let [name] = names.as_slice()
        && (coded || leads(name))
        && is_name(scene, reader, name)
        // "Code LT-204."
        && reader.len(|lang| &lang.sentence.numbered, name.start, name.end) == 0
        // "I am staying in Oslo, 0150."
        && !(name.len() == 1 && ends_like_a_deed(reader, name.start))
        && let Some(slot) = slot.filter(|no| board.slots.get(*no).is_some_and(named))
        && board.slots.get(slot).is_some_and(|of| strung::is_likely(scene, reader, board, of, name))
    {
        ledger.take(scene, reader, board, slot, name.clone());
    }
}

/// A part of the message that is a name in capitals and nothing else, where something else is said besides.
fn signed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let person = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Person);
    // "Nice Weather" may be a place as well, where one is still open.
    let place = |(no, slot): (usize, &Slot<'_>)| {
        let open = || slot.value.is_none() && !ledger.has(no);
        slot.subtype() == Some(Subtype::Place) && open() || slot.asked && slot.takes_any_words()
    };
    let Some(slot) = only(board, ledger, person) else { return };
    if ledger.fills.is_empty() || board.slots.iter().enumerate().any(place) {
        return;
    }
    let small_words = (0..reader.said.words.len())
        .filter(|no| !reader.is_mark(*no) && !reader.is_digits(*no) && !reader.is_capital(*no));
    let ends = small_words.count() > 2 && !asks(reader);
    let last = reader.clauses.iter().rposition(|clause| !is_polite(reader, &clause.words)).unwrap_or(0);
    let own = reader.own_lang();
    let tells =
        |no: usize| reader.is_unknown(no) && (!own.name.things_have_capitals || is_given(reader.said.plain(no)));
    // "A reservation for Petit, 3 of us".
    let towns = board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Place));
    let booked = |words: &Range<usize>| {
        let name = words.end.checked_sub(1).filter(|no| words.contains(no))?;
        let leads = |no: usize| reader.len(|lang| &lang.name.bookings, no, name) == name - no;
        let fits = !towns && reader.is_capital(name) && tells(name) && (name.saturating_sub(3)..name).any(leads);
        fits.then_some(name..words.end)
    };
    let part = |at: usize, words: &Range<usize>| {
        let start = reader.past_filler(words.clone());
        let start = start + reader.len(|lang| &lang.name.perhaps, start, start + 2);
        let after = (start..words.end).find(|no| reader.len(|lang| &lang.name.after, *no, words.end) == words.end - no);
        let end = after.unwrap_or(words.end);
        // "…, Petit, many thanks."
        let thanks = |no: &usize| at == last && is_polite(reader, &(*no..end));
        let name = start..(start + 1..end).find(thanks).unwrap_or(end);
        let small = after.is_some() && name.clone().all(|no| reader.is_strange(no));
        let capitals = small || name.clone().all(|no| reader.is_capital(no) && !reader.is_mark(no));
        // "A table for four on Friday at 8, Petit": one word in a part of its own at the end, where others are small.
        let alone = name.len() == 1 && ends && at == last && at > 0 && tells(name.start);
        (capitals && (alone || (2..=MOST_WORDS).contains(&name.len()))).then_some(name)
    };
    for (at, clause) in reader.clauses.iter().enumerate() {
        let Some(name) = booked(&clause.words).or_else(|| part(at, &clause.words)) else { continue };
        if is_name(scene, reader, &name) && ledger.is_free(name.clone()) && !routes::are_ends(reader, board, &name) {
            ledger.take(scene, reader, board, slot, name);
            return;
        }
    }
}

/// The only open place, where the last part of a message is a name in capitals and the parts before it tell other values:
/// "one bed, one bath, Moss".
fn located(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let place = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place) && slot.role.is_none();
    let other = |slot: &Slot<'_>| matches!(slot.subtype(), Some(Subtype::Person | Subtype::Place)) && !place(slot);
    let Some(slot) = only(board, ledger, place).filter(|_| !board.slots.iter().any(other)) else { return };
    let telling = reader.telling();
    let [.., before, last] = telling.as_slice() else { return };
    let name = last.words.start..without_tail(reader, last.words.clone());
    // What stands before is understood, so that the name is no more of it.
    let told = |clause: &Range<usize>| ledger.fills.iter().any(|filled| clause.contains(&filled.words.start));
    let capitals = || name.clone().all(|no| reader.is_capital(no) && !reader.is_mark(no));
    let small =
        || before.words.clone().any(|no| !reader.is_capital(no) && !reader.is_mark(no) && !reader.is_digits(no));
    let tells = || name.clone().any(|no| reader.is_unknown(no) && !is_given(reader.said.plain(no)));
    let open = || open_words(reader, board, ledger);
    let fits = (1..=MOST_WORDS).contains(&name.len())
        && !last.question
        && told(&before.words)
        && capitals()
        && small()
        && tells()
        && !open().iter().any(|no| before.words.contains(no));
    if fits && is_name(scene, reader, &name) && ledger.is_free(name.clone()) {
        ledger.take(scene, reader, board, slot, name);
    }
}

/// The only field of some sort that has no value yet.
pub(super) fn only(board: &Board<'_>, ledger: &Ledger, fits: impl Fn(&Slot<'_>) -> bool) -> Option<usize> {
    let open = |(no, slot): &(usize, &Slot<'_>)| slot.value.is_none() && !ledger.has(*no) && fits(slot);
    let mut all = board.slots.iter().enumerate().filter(open).map(|(no, _)| no);
    all.next().filter(|_| all.next().is_none())
}

/// Whether a field reads some words as its value.
fn takes(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, slot: usize, words: &Range<usize>) -> bool {
    let of = board.slots.get(slot);
    of.is_some_and(|of| matches!(read(scene, reader, of, words.clone()), Reading::Value(_)))
}

/// Words with a meaning that belong to nothing understood, by number. The name of a field belongs to its value.
fn open_words(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger) -> Vec<usize> {
    let named = |no: usize| {
        let mut slots = ledger.fills.iter().filter_map(|filled| board.slots.get(filled.slot));
        let announces = |what| reader.announces(what, no, reader.said.words.len()) > 0;
        slots.any(|slot| match slot.field.kind {
            Kind::Phone(_) => announces(Announced::Phone),
            Kind::Email(_) => announces(Announced::Email),
            _ => board.mentions_of(slot).any(|mention| mention.words.contains(&no)),
        })
    };
    let passing = |no: usize| board.passing.iter().any(|cand| cand.words.contains(&no));
    (0..reader.said.words.len()).filter(|no| !ledger.explains(reader, *no) && !named(*no) && !passing(*no)).collect()
}

/// Words in a row.
fn runs(words: Vec<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for no in words {
        match runs.last_mut() {
            Some(last) if last.end == no => last.end = no + 1,
            _ => runs.push(no..no + 1),
        }
    }
    runs
}

/// A run as the name in front and the code behind: "robert" and "ghf 678".
fn parted(reader: &Reader<'_>, run: Range<usize>) -> (Range<usize>, Range<usize>) {
    let digits = |no: usize| reader.said.word(no).contains(|c: char| c.is_ascii_digit());
    let run = run.clone().find(|no| !reader.is_mark(*no)).unwrap_or(run.end)..run.end;
    let Some(mut at) = run.clone().find(|no| digits(*no)) else { return (run.clone(), run.end..run.end) };
    let short = |no: usize| reader.said.word(no).chars().count() <= PREFIX;
    while at > run.start && short(at - 1) && (at - 1 > run.start || is_abbreviation(reader, at - 1)) {
        at -= 1;
    }
    (run.start..at, at..run.end)
}

/// Whether what begins with digits can be a code that nothing names: "GHF 678", not "404", "5000 photos", "iPhone 12" or "40x30".
fn is_unnamed_code(reader: &Reader<'_>, code: &Range<usize>) -> bool {
    const SHORTEST: usize = 4;
    let count: usize =
        code.clone().map(|no| reader.said.word(no).chars().filter(|c| c.is_alphanumeric()).count()).sum();
    let long = |no: usize| !reader.is_digits(no) && reader.said.word(no).chars().count() > PREFIX;
    let between = |no: usize| no.checked_sub(1).is_some_and(|no| reader.is_digits(no)) && reader.is_digits(no + 1);
    let measured = |no: usize| matches!(reader.said.word(no), "x" | "×") && between(no);
    count >= SHORTEST
        && !code.clone().any(|no| long(no) || measured(no))
        && !passing::is_number_of_else(reader, code.start)
        && !beyond::is_decade(reader, code)
}

/// Whether words before a code are told of and name nobody: "a question", "is late".
fn is_told(reader: &Reader<'_>, name: &Range<usize>) -> bool {
    let Some(before) = name.start.checked_sub(1) else { return false };
    let after = |table: fn(&Language) -> &Phrases<()>| reader.len(table, before, name.start) > 0;
    let small = !reader.is_capital(name.start);
    after(|lang| &lang.sentence.articles)
        || after(|lang| &lang.naming.ours)
        || after(|lang| &lang.denial.before)
        || small && after(|lang| &lang.sentence.is)
}

/// Whether a word can only be spelled: "ssn", "k".
pub(super) fn is_abbreviation(reader: &Reader<'_>, no: usize) -> bool {
    let word = reader.said.plain(no);
    let count = word.chars().count();
    count == 1 || count <= PREFIX && !word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// Whether words may name somebody or some place: few letters' words, none of which belongs to the form or a sentence.
pub(super) fn is_name(scene: &Scene<'_>, reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let other = |no: usize| {
        let of_form = scene.form.cues().knows(stem(reader.said.plain(no)));
        of_form || reader.is_mark(no) || reader.is_digits(no) || reader.len(|lang| &lang.sentence.verb, no, no + 1) > 0
    };
    (1..=MOST_WORDS).contains(&words.len()) && !words.clone().any(other)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const BANK: &str = r#"
id = "bank"
title = "Account"

[[field]]
id = "name"
kind = "text"
label = "Full name"
subtype = "person"

[[field]]
id = "booking"
kind = "text"
label = "Booking reference"
subtype = "code"

[[field]]
id = "seats"
kind = "integer"
label = "Seats"
"#;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"

[[field]]
id = "origin"
kind = "text"
label = "Departure city"
subtype = "place"

[[field]]
id = "goal"
kind = "text"
label = "Arrival city"
subtype = "place"
"#;

    #[rstest]
    #[case("robert ghf 678", "name=robert; booking=ghf 678")]
    #[case("bailey janice and bd 74 g 8", "name=bailey janice; booking=bd 74 g 8")]
    #[case("2 seats, Shelba Tansley", "seats=2; name=Shelba Tansley")]
    #[case("2 seats, it's Shelba Tansley speaking", "seats=2; name=Shelba Tansley")]
    #[case("lamar fugitt speaking, 2 seats please", "name=lamar fugitt; seats=2")]
    #[case("anyone speaking, 2 seats please", "seats=2")]
    #[case("2 seats, outside", "seats=2")]
    #[case("Nice Weather, 2 seats", "name=Nice Weather; seats=2")]
    #[case("window seats please", "")]
    fn a_name_beside_other_values_needs_no_word_before_it(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(BANK, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("Windows 11 crashes", "~=seats=11")]
    #[case("error 500", "")]
    #[case("my iPhone 12 is broken", "")]
    #[case("the HP LaserJet M404n is jammed", "")]
    #[case("flight BA2490 was late", "")]
    #[case("model WH-1000XM4", "~=booking=WH-1000XM4")]
    #[case("I have 5000 photos", "~=seats=5000")]
    #[case("I ordered in 2021", "~=seats=2021")]
    #[case("it measures 40x30x20 cm", "")]
    #[case("the box is 40 x 30 cm", "")]
    #[case("my booking reference is X7K2P", "booking=X7K2P")]
    #[case("I have a question about AB-12345", "booking=AB-12345")]
    fn a_number_of_something_else_is_no_code(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(BANK, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("origin", "mumbai to goa", "origin=mumbai; goal=goa")]
    #[case("", "New York to Los Angeles please", "origin=New York; goal=Los Angeles")]
    #[case("", "from mumbai to goa", "origin=mumbai; goal=goa")]
    #[case("", "bergen to oslo", "origin=bergen; goal=oslo")]
    #[case("", "need tickets, mumbai to goa", "origin=mumbai; goal=goa")]
    #[case("", "heading to goa", "goal=goa")]
    #[case("", "ticket to goa", "goal=goa")]
    #[case("", "Ticket to Goa", "goal=Goa")]
    #[case("", "Travelling to Goa", "goal=Goa")]
    #[case("", "Relocating to Goa in spring", "goal=Goa")]
    fn two_places_with_a_word_between_are_whence_and_whither(
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TRIP, asked).fills(said), expected, "{said}");
    }

    const FLIGHT: &str = r#"
id = "flight"
title = "Flight"

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"

[[field]]
id = "code"
kind = "text"
label = "Booking reference"
subtype = "code"

[[field]]
id = "origin"
kind = "text"
label = "Departure city"
subtype = "place"

[[field]]
id = "goal"
kind = "text"
label = "Arrival city"
subtype = "place"
"#;

    const TOWN: &str = r#"
id = "town"
title = "Town"

[[field]]
id = "town"
kind = "text"
label = "Town"
subtype = "place"

[[field]]
id = "code"
kind = "text"
label = "Postal code"
subtype = "code"

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"
required = false
"#;

    #[rstest]
    #[case(FLIGHT, "robert ghf 678", "name=robert; code=ghf 678")]
    #[case(TOWN, "goa 745269", "town=goa; code=745269")]
    #[case(TOWN, "my name is Ann, 745269", "code=745269; name=Ann")]
    fn beside_a_code_stands_what_is_needed_and_has_no_word_of_its_own(
        #[case] form: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(sorted(&Stage::new(form, "").fills(said)), sorted(expected), "{said}");
    }
}
