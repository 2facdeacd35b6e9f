//! The thing that a request is about: what one wants to hire, to buy, to read, to see or to apply for ("I'd like to rent a
//! pressure washer", "applying for line cook", "a copy of Educated", "van hire").

use std::ops::Range;

use super::Scene;
use super::casts::is_called;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, read};
use super::texts::trim;
use super::titles::{has, title_from};
use formwright_form::Kind;
use formwright_form::kind::{Reading, Said, Strength};
use formwright_text::stem;

/// Most words of a thing in small letters.
const MOST: usize = 4;

/// Fills the only open field for what is wanted.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |no: &usize| {
        let slot = board.slots.get(*no);
        let open = |slot: &Slot<'_>| {
            slot.value.is_none() && slot.is_free() && !slot.is_long() && slot.subtype().is_none() && !slot.is_item()
        };
        !ledger.has(*no) && slot.is_some_and(|slot| open(slot) && asks_what(reader, slot))
    };
    let mut all = (0..board.slots.len()).filter(open);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|slot| !slot.asked) else { return };
    for clause in reader.clauses.iter().filter(|clause| !clause.question) {
        let words = clause.words.clone();
        if words.clone().any(|no| reader.len(|lang| &lang.yes_no.negation, no, words.end) > 0) {
            continue;
        }
        let thing = words.clone().find_map(|at| thing_at(scene, reader, board, slot, at..words.end));
        let Some(thing) = thing.or_else(|| hired(scene, reader, board, slot, words)) else { continue };
        if ledger.is_free(thing.clone())
            && let Reading::Value(found) = read(scene, reader, slot, thing)
            && ledger.fill(reader, no, found, true)
        {
            return;
        }
    }
}

/// Whether a field asks for the thing that one wants, by its name or by what explains it.
fn asks_what(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let named = |label: &Said| {
        let thing = |no: usize| has(reader, |lang| &lang.naming.wanted, label.plain(no));
        let small = |no: usize| has(reader, |lang| &lang.sentence.stop, label.plain(no));
        let telling = || (0..label.words.len()).filter(|no| !small(*no) && !label.plain(*no).is_empty());
        let other = |no: usize| !thing(no) && !has(reader, |lang| &lang.naming.title, label.plain(no));
        telling().any(thing) && !telling().any(other)
    };
    slot.labels.iter().any(named)
}

/// The thing behind words for getting one.
fn thing_at(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Option<Range<usize>> {
    let (at, end) = (words.start, words.end);
    let wants = reader.len(|lang| &lang.naming.wants, at, end);
    // "The audiobook of Educated".
    let of = || {
        let option = |cand: &Cand| {
            cand.words.end == at
                && cand.strength == Strength::Exact
                && matches!(board.kind_of(cand), Some(Kind::Choice(_)))
        };
        if board.cands.iter().any(option) { reader.len(|lang| &lang.number.of, at, end) } else { 0 }
    };
    let lead = if wants > 0 { wants } else { of() };
    // "My book club" books nothing.
    let noun = at.checked_sub(1).is_some_and(|no| {
        reader.len(|lang| &lang.naming.ours, no, end).max(reader.len(|lang| &lang.sentence.articles, no, end)) > 0
    });
    if lead == 0 || lead == 1 && wants > 0 && noun {
        return None;
    }
    let mut start = at + lead;
    while start < end {
        let article = reader.len(|lang| &lang.sentence.articles, start, end);
        // "Vorrei noleggiare": one wants to get it.
        let again = reader.len(|lang| &lang.naming.wants, start, end);
        match article.max(again).max(usize::from(reader.is_of_number(start))) {
            0 => break,
            // "The Goldfinch" begins with its article.
            _ if reader.is_capital(start) && reader.is_capital(start + 1) => break,
            len => start += len,
        }
    }
    let title = title_from(reader, board, start, end);
    let small = run(reader, board, start..end);
    thing(scene, reader, board, slot, if title.end > small.end { title } else { small })
}

/// "Generator hire from Monday."
fn hired(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Option<Range<usize>> {
    let at = words.clone().skip(1).find(|no| reader.len(|lang| &lang.naming.hired, *no, words.end) > 0)?;
    let start = reader.past_filler(words.start..at);
    let start = (start..at).find(|no| !reader.is_idle(*no) && !reader.is_of_number(*no))?;
    let run = run(reader, board, start..at);
    thing(scene, reader, board, slot, run).filter(|run| run.end == at)
}

/// The words at the beginning of some that may name a thing: up to what leads on, or to another value.
fn run(reader: &Reader<'_>, board: &Board<'_>, words: Range<usize>) -> Range<usize> {
    let value = |no: usize| board.cands.iter().any(|cand| cand.strength > Strength::Weak && cand.words.contains(&no));
    let ends = |no: &usize| reader.is_idle(*no) || reader.is_mark(*no) || value(*no) || reader.is_of_number(*no);
    words.start..words.clone().find(ends).unwrap_or(words.end)
}

/// A thing without the word for what it is ("the data analyst position"); none where the words tell something else.
fn thing(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Option<Range<usize>> {
    let own = |no: usize| has(reader, |lang| &lang.naming.wanted, reader.said.plain(no));
    let mut words = trim(reader, words);
    // "A comedy film" is no film's title; "the line cook position" is one's name.
    let work = is_called(reader, slot, |lang| &lang.naming.work);
    // "Tickets for the film nightfall".
    let its = |no: usize| {
        let word = stem(reader.said.plain(no));
        slot.labels.iter().any(|label| (0..label.words.len()).any(|no| stem(label.plain(no)) == word))
    };
    if words.len() > 1 && work && own(words.start) && its(words.start) && !reader.is_capital(words.start) {
        words.start += 1;
    }
    while words.len() > 1 && !work && own(words.end - 1) && !reader.is_capital(words.end - 1) {
        words.end -= 1;
    }
    // "Einen Betonmischer mieten."
    if words.len() > 1 && reader.len(|lang| &lang.naming.hired, words.end - 1, words.end) > 0 {
        words.end -= 1;
    }
    let last = words.end.checked_sub(1).filter(|_| !words.is_empty())?;
    // "A bigger one."
    if reader.len(|lang| &lang.option.one, words.end, words.end + 1) > 0 {
        return None;
    }
    let named = reader.is_capital(words.start);
    let of_field = |no: usize| {
        let other = |slot: &Slot<'_>| board.mentions_of(slot).any(|mention| mention.words.contains(&no));
        board.slots.iter().filter(|other| other.path != slot.path).any(other)
    };
    let known = |no: usize| scene.form.cues().knows(stem(reader.said.plain(no))) && !reader.is_capital(no);
    let general = |no: usize| reader.len(|lang| &lang.naming.general, no, words.end) > 0;
    let verb = |no: usize| reader.len(|lang| &lang.sentence.verb, no, words.end) > 0;
    let option = words.clone().any(|no| board.cands.iter().any(|cand| cand.words.contains(&no)));
    let nothing = general(last) || known(last) || own(last) && !named || of_field(last);
    let sorted = || work && board.slots.iter().any(|slot| is_called(reader, slot, |lang| &lang.sentence.sort));
    let fits =
        (named || !sorted() && words.len() <= MOST) && !option && !general(words.start) && !words.clone().any(verb);
    (fits && !nothing).then_some(words)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const HIRE: &str = r#"
id = "hire"
title = "Equipment hire"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "what"
kind = "text"
label = { en = "Equipment", it = "Attrezzatura", es = "Equipo", de = "Gerät", fr = "Matériel", ar = "المعدات" }

[[field]]
id = "day"
kind = "date"
label = "First day"

[[field]]
id = "pay"
kind = "choice"
label = "Payment"
options = ["Card", "Cash"]
"#;

    #[rstest]
    #[case("en", "I'd like to rent a pressure washer, by card", "what=pressure washer; pay=card")]
    #[case("en", "looking for two garden heaters", "what=garden heaters")]
    #[case("en", "we want the big Bosch drill", "what=big Bosch drill")]
    #[case("en", "ladder hire please", "what=ladder")]
    #[case("it", "vorrei noleggiare una betoniera", "what=betoniera")]
    #[case("es", "quiero alquilar una hormigonera", "what=hormigonera")]
    #[case("de", "ich möchte einen Betonmischer mieten", "what=Betonmischer")]
    #[case("fr", "je voudrais louer une bétonnière", "what=bétonnière")]
    #[case("ar", "أريد استئجار خلاطة", "what=خلاطة")]
    fn what_one_wants_to_get_is_the_thing(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(HIRE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("I need it by card")]
    #[case("I don't need a ladder")]
    #[case("I need help with my order")]
    #[case("I'd like to book an appointment")]
    #[case("I need a bigger one")]
    #[case("do you have ladders?")]
    #[case("my book club needs you")]
    #[case("I want to change my booking")]
    #[case("looking for something cheap")]
    fn what_is_no_thing_is_none(#[case] said: &str) {
        let line = Stage::new(HIRE, "").fills(said);
        assert!(!line.contains("what="), "{said}: {line}");
    }

    const SHELF: &str = r#"
id = "shelf"
title = "Library"

[[field]]
id = "book"
kind = "text"
label = "Book title"

[[field]]
id = "format"
kind = "choice"
label = "Format"
options = ["Paperback", "Audiobook"]
"#;

    #[rstest]
    #[case("the audiobook of Educated please", "format=audiobook; book=Educated")]
    #[case("I'd like to reserve The Goldfinch as a paperback", "book=The Goldfinch; format=paperback")]
    #[case("can you hold the night watch for me", "book=night watch")]
    fn a_work_may_be_had_in_some_form(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(SHELF, "").fills(said), expected, "{said}");
    }
}
