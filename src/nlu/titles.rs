//! What something is called: "name it Gym", "call the alarm Gym", "tickets for the Blue Moons", "Lions vs Tigers".

use std::ops::Range;

use super::casts::capitals;
use super::ledger::Ledger;
use super::picked::without_tail;
use super::reader::Reader;
use super::region::region_end;
use super::score::Tide;
use super::spans::{Board, Cand, Slot, read};
use super::texts::trim;
use super::{Scene, sought, works};
use formwright_form::Kind;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Reading, Strength};
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a title in small letters, and of one side of a game.
const MOST_SMALL: usize = 3;
/// Most words of a title.
const MOST_WORDS: usize = 8;

/// Fills the open fields for what something is called.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let all: Vec<usize> = (0..board.slots.len())
        .filter(|no| {
            let slot = board.slots.get(*no);
            slot.is_some_and(|slot| {
                slot.is_free() && !slot.is_long() && slot.subtype().is_none() && thing(reader, slot).is_some()
            })
        })
        .collect();
    let alone = all.len() == 1;
    for at in 0..reader.said.words.len() {
        for no in &all {
            let clause = reader.clause_of(at);
            let corrects = tide.changes(clause);
            let Some(slot) = board.slots.get(*no).filter(|_| !ledger.has(*no)) else { continue };
            if !(slot.value.is_none() || slot.asked || corrects) {
                continue;
            }
            let words = called_after(scene, reader, board, slot, at)
                .filter(|_| alone || is_spoken_of(reader, slot, at))
                .or_else(|| works::valued(reader, board, slot, at))
                .or_else(|| visited(scene, reader, board, slot, (at, alone)))
                .or_else(|| sides(reader, board, at).filter(|_| alone))
                .or_else(|| works::played(scene, reader, board, slot, at))
                .or_else(|| works::entered(reader, board, slot, at))
                .or_else(|| works::pleasing(reader, board, slot, at).filter(|_| alone))
                .or_else(|| works::performed(scene, reader, board, slot, at).filter(|_| alone))
                .or_else(|| sought::name(scene, reader, board, slot, at).filter(|_| alone));
            let Some(words) = words.filter(|words| !words.is_empty() && ledger.is_free(words.clone())) else {
                continue;
            };
            if let Reading::Value(found) = read(scene, reader, slot, words.clone())
                && ledger.fill_named(reader, *no, found)
            {
                ledger.claim(at.min(words.start)..words.end.max(at));
            }
        }
    }
}

/// Whether a word before one says which thing it is that gets a name: "a song called".
fn is_spoken_of(reader: &Reader<'_>, slot: &Slot<'_>, at: usize) -> bool {
    let things = thing(reader, slot).unwrap_or_default();
    let start = reader.clause_start(at);
    (start.max(at.saturating_sub(3))..=at).any(|no| things.iter().any(|word| word == stem(reader.said.plain(no))))
}

/// The words of a label beside "name": "alarm" of "alarm name", and "song" of "Song". Where a label is "title" and nothing
/// else, the field's help tells of what. `None` where it asks for no name.
pub(super) fn thing(reader: &Reader<'_>, slot: &Slot<'_>) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut bare = false;
    for label in slot.labels {
        let is_title = |no: usize| has(reader, |lang| &lang.naming.title, label.plain(no));
        let is_work = |no: &usize| {
            let word = label.plain(*no);
            has(reader, |lang| &lang.naming.work, word) || has(reader, |lang| &lang.naming.collection, word)
        };
        let Some(title) = (0..label.words.len()).find(|no| is_title(*no)) else {
            let works = (0..label.words.len()).filter(|no| label.words.len() == 1 && is_work(no));
            words.extend(works.map(|no| stem(label.plain(no)).to_owned()));
            continue;
        };
        let small = |no: &usize| has(reader, |lang| &lang.sentence.stop, label.plain(*no));
        let telling = (0..label.words.len()).filter(|no| *no != title && !small(no));
        bare |= label.words.len() == 1;
        words.extend(telling.map(|no| stem(label.plain(no)).to_owned()));
    }
    if words.is_empty() && bare {
        for help in slot.helps {
            let work = |no: &usize| has(reader, |lang| &lang.naming.work, help.plain(*no));
            words.extend((0..help.words.len()).filter(work).map(|no| stem(help.plain(no)).to_owned()));
        }
    }
    (!words.is_empty()).then_some(words)
}

pub(super) fn has(reader: &Reader<'_>, table: fn(&Language) -> &Phrases<()>, word: &str) -> bool {
    reader.langs().any(|lang| table(lang).word(word).is_some())
}

/// "Call it Gym", "name the alarm Gym", "change the alarm name to Gym".
fn called_after(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let small = |no: usize| {
        let known = scene.form.cues().knows(stem(reader.said.plain(no)));
        !reader.is_mark(no) && !reader.is_capital(no) && (known || reader.is_idle(no))
    };
    let calls = reader.len(|lang| &lang.naming.calls, at, end);
    let start = if calls > 0 {
        at + calls
    } else if let Some(start) = named_of_another(reader, board, slot, at, end) {
        start
    } else if reader.len(|lang| &lang.naming.verb, at, end) > 0 && small(at + 1) {
        let start = (at + 1..end).find(|no| !small(*no))?;
        let about = |no: usize| {
            thing(reader, slot).is_some_and(|thing| thing.iter().any(|word| word == stem(reader.said.plain(no))))
        };
        (at + 1..start).any(about).then_some(start)?
    } else if has(reader, |lang| &lang.naming.title, reader.said.plain(at)) && at > 0 {
        // What a field's whole name announces is read as its text.
        let whole = board.mentions_of(slot).any(|mention| mention.words.contains(&at) && mention.weight >= 0.75);
        let about = !whole && thing(reader, slot)?.iter().any(|word| word == stem(reader.said.plain(at - 1)));
        let into = reader.len(|lang| &lang.sentence.into, at + 1, end);
        let start = at + 1 + into.max(reader.len(|lang| &lang.sentence.is, at + 1, end));
        (about && start > at + 1).then_some(start)?
    } else {
        return None;
    };
    let start = (start..end).find(|no| !reader.is_mark(*no))?;
    let stop = before_other(scene, reader, board, slot, start..without_tail(reader, start..end));
    Some(trim(reader, start..stop)).filter(|words| words.len() <= MOST_WORDS)
}

/// Where the name starts of somebody else than who speaks, for the asked field or beside one for a person: "her name is Rex",
/// "my dog's name is Rex", "we call him Rex".
fn named_of_another(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize, end: usize) -> Option<usize> {
    let theirs = at + reader.len(|lang| &lang.name.theirs, at, end);
    let named =
        reader.said.plain(at).ends_with("'s") && has(reader, |lang| &lang.naming.title, reader.said.plain(at + 1));
    let is = if named { reader.len(|lang| &lang.sentence.is, at + 2, end) } else { 0 };
    let start = if is > 0 { at + 2 + is } else { theirs };
    let person = || board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Person));
    (start > at && start < end && (slot.asked || person())).then_some(start)
}

/// Where the words of a title end: before what leads to another value.
fn before_other(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> usize {
    let Range { start, end } = words;
    let small = |no: usize| {
        let known = scene.form.cues().knows(stem(reader.said.plain(no)));
        !reader.is_mark(no) && !reader.is_capital(no) && (known || reader.is_idle(no))
    };
    let mut stop = region_end(reader, board, slot, start, false).min(end);
    let joins = |no: &usize| reader.len(|lang| &lang.sentence.join, *no, end) > 0 && !reader.is_capital(no + 1);
    stop = (start + 1..stop).find(joins).unwrap_or(stop);
    // "The Old Mill, not the bakery" without its comma.
    let apart = |no: &usize| {
        let not = reader.len(|lang| &lang.yes_no.negation, *no, stop);
        let article = not > 0 && reader.len(|lang| &lang.sentence.articles, no + not, stop) > 0;
        article && !reader.is_capital(*no)
    };
    stop = (start + 1..stop).find(apart).unwrap_or(stop);
    // "Gym at 7": what leads to another value is no part of the title.
    let value = |no: usize| board.cands.iter().any(|cand| cand.words.start == no && cand.strength > Strength::Weak);
    let leads = |no: &usize| {
        reader.is_idle(*no)
            && !reader.is_capital(*no)
            && (*no + 1..end).take_while(|no| small(*no) || value(*no)).any(value)
    };
    stop = (start + 1..stop).find(leads).unwrap_or(stop);
    while stop > start && reader.len(|lang| &lang.frame.tail, stop - 1, stop) > 0 {
        stop -= 1;
    }
    stop
}

/// "Tickets for the Blue Moons", "to see Giselle", "for the blue moons concert".
fn visited(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    (at, alone): (usize, bool),
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let visits = reader.len(|lang| &lang.naming.visits, at, end);
    let venue = reader.len(|lang| &lang.naming.at, at, end);
    // "At Nopa" of a restaurant; "tickets for" of what there is to see.
    let lead = match (visits, venue) {
        (0, 0) => {
            // "Near the Old Mill Center" it is not.
            let beside = (at.saturating_sub(2)..at).any(|no| {
                let place = reader.announces(Announced::Place, no, end);
                place > 0 && no + place <= at && reader.len(|lang| &lang.naming.at, no, end) == 0
            });
            let house = works::house(reader, board, slot, at);
            return house.filter(|_| !beside && is_venue(reader, slot, alone));
        }
        (0, len) if is_venue(reader, slot, alone) => {
            let house = works::house(reader, board, slot, at + len);
            if house.is_some() {
                return house;
            }
            len
        }
        (len, _) if is_kin(reader, &thing(reader, slot)?) => len,
        (len, _) if is_venue(reader, slot, alone) => return works::house(reader, board, slot, at + len),
        _ => return None,
    };
    let article = reader.len(|lang| &lang.sentence.articles, at + lead, end);
    let start = at + lead + if reader.is_capital(at + lead) { 0 } else { article };
    let title = title_from(reader, board, start, end);
    if !title.is_empty() {
        // "A Comedy", where it is an option.
        let option = |cand: &Cand| {
            let choice = matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
            choice && cand.strength == Strength::Exact && cand.words == title
        };
        let sort = board.cands.iter().any(option);
        return Some(title).filter(|_| !sort);
    }
    // "At a gluten free restaurant" names none.
    if venue > 0 && visits == 0 && article > 0 && reader.len(|lang| &lang.naming.the, at + lead, end) == 0 {
        return None;
    }
    let tells = |no: usize| {
        !reader.is_mark(no) && !reader.is_digits(no) && board.cands.iter().all(|cand| !cand.words.contains(&no))
    };
    let things = kin(scene, &thing(reader, slot)?);
    let stop = (start..end).find(|no| things.iter().any(|thing| thing == stem(reader.said.plain(*no))))?;
    let telling = (start..stop).filter(|no| !reader.is_idle(*no)).count();
    (article > 0 && stop - start <= MOST_SMALL && telling > 0 && (start..stop).all(tells)).then_some(start..stop)
}

/// Whether what has the name is a place to be at: "restaurant".
pub(super) fn is_venue(reader: &Reader<'_>, slot: &Slot<'_>, alone: bool) -> bool {
    slot.labels
        .iter()
        .chain(slot.helps.iter().filter(|_| alone))
        .any(|text| (0..text.words.len()).any(|no| has(reader, |lang| &lang.naming.venue, text.plain(no))))
}

/// Whether a field is for the name of a house: "restaurant name".
pub(super) fn is_house(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    slot.is_free() && slot.subtype().is_none() && is_title(reader, slot) && is_venue(reader, slot, false)
}

/// Whether words are of a sort that one goes to see.
fn is_kin(reader: &Reader<'_>, words: &[String]) -> bool {
    let mut kin = reader.langs().flat_map(|lang| lang.naming.kin.iter().flatten());
    kin.any(|word| words.contains(word))
}

/// Words in capitals with small words inside: "Beauty and the Beast".
pub(super) fn title_from(reader: &Reader<'_>, board: &Board<'_>, start: usize, end: usize) -> Range<usize> {
    if !reader.is_capital(start) || start >= end {
        return start..start;
    }
    let mut words = capitals(reader, board, start, end);
    while !words.is_empty() && words.len() < MOST_WORDS {
        let inside = |no: usize| {
            reader.len(|lang| &lang.naming.inside, no, end).max(reader.len(|lang| &lang.naming.versus, no, end))
        };
        let mut next = words.end;
        while next < end && inside(next) > 0 && !reader.is_capital(next) {
            next += inside(next);
        }
        let more = if next < end && reader.is_capital(next) { capitals(reader, board, next, end) } else { next..next };
        // "… with Korean subtitles": what has a word in small letters behind it is no part of a title.
        let goes_on = more.end < end && !reader.is_idle(more.end) && !reader.is_capital(more.end);
        let with = goes_on && reader.len(|lang| &lang.naming.has, words.end, end) > 0;
        if more.is_empty() || with {
            break;
        }
        words.end = more.end;
    }
    // "Blue Moons 5 in Oslo".
    let after = words.end + 1;
    let number = !words.is_empty() && words.end < end && reader.is_digits(words.end);
    let counts = || reader.len(|lang| &lang.number.people, after, end) > 0 || !(after >= end || reader.is_idle(after));
    if number
        && !counts()
        && board.cands.iter().all(|cand| !cand.words.contains(&words.end) || cand.strength == Strength::Weak)
    {
        words.end = after;
    }
    words
}

/// "Lions vs Tigers".
fn sides(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> Option<Range<usize>> {
    let clause = reader.clause_words(at);
    let len = reader.len(|lang| &lang.naming.versus, at, clause.end);
    if len == 0 || at == clause.start || at + len >= clause.end {
        return None;
    }
    let tells = |no: usize| {
        !reader.is_mark(no)
            && !reader.is_digits(no)
            && (!reader.is_idle(no) || reader.is_capital(no) && no > clause.start)
    };
    let capital = reader.is_capital(at - 1) && reader.is_capital(at + len);
    let side = |no: usize| {
        tells(no)
            && (!capital || reader.is_capital(no))
            && board.cands.iter().all(|cand| cand.strength == Strength::Weak || !cand.words.contains(&no))
    };
    let before = (clause.start..at).rev().take_while(|no| side(*no)).take(MOST_SMALL).count();
    let after = (at + len..clause.end).take_while(|no| side(*no)).take(MOST_SMALL).count();
    (before > 0 && after > 0).then_some(at - before..at + len + after)
}

/// Words with those for the same sort of thing, by stem: "film" of "movie".
pub(super) fn kin(scene: &Scene<'_>, words: &[String]) -> Vec<String> {
    let mut all = words.to_vec();
    for list in scene.lang.and_english().flat_map(|lang| &lang.naming.kin) {
        if list.iter().any(|word| words.contains(word)) {
            all.extend_from_slice(list);
        }
    }
    all
}

/// Whether a field is for what something is called, and not for who it is.
pub(super) fn is_title(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    slot.is_free() && slot.subtype() != Some(Subtype::Person) && thing(reader, slot).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const ALARM: &str = r#"
id = "alarm"
title = "Alarm"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "time"
kind = "time"
label = "Alarm time"

[[field]]
id = "alarm_name"
kind = "text"
label = { en = "Alarm name", it = "Nome della sveglia", es = "Nombre de la alarma", de = "Name des Weckers", fr = "Nom du réveil", ar = "اسم المنبه" }
"#;

    const VET: &str = r#"
id = "vet"
title = "Vet"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "owner"
kind = "text"
label = "Owner"
subtype = "person"

[[field]]
id = "pet"
kind = "text"
label = { en = "Pet's name", it = "Nome dell'animale", es = "Nombre de la mascota", de = "Name des Tiers", fr = "Nom de l'animal", ar = "اسم الحيوان" }
"#;

    #[rstest]
    #[case("en", "owner", "his name is Rocky", "pet=Rocky")]
    #[case("en", "", "my dog's name is bella and she limps", "pet=bella")]
    #[case("en", "owner", "my name is Ann Lee", "owner=Ann Lee")]
    #[case("it", "owner", "si chiama Fido", "pet=Fido")]
    #[case("es", "owner", "se llama Toby", "pet=Toby")]
    #[case("de", "owner", "er heißt Bello", "pet=Bello")]
    #[case("fr", "owner", "il s'appelle Rex", "pet=Rex")]
    fn the_name_of_another_is_not_who_speaks(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(VET, asked).speaking(lang).fills(said), expected, "{said}");
    }

    const SHOW: &str = r#"
id = "show"
title = "Evening"

[[field]]
id = "event_name"
kind = "text"
label = "Event name"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "seats"
kind = "integer"
label = "Seats"
"#;

    const TABLE: &str = r#"
id = "table"
title = "Table"

[[field]]
id = "restaurant_name"
kind = "text"
label = "Restaurant name"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"
"#;

    #[rstest]
    #[case(ALARM, "en", "name it Early run and set it for 6:30 am", "alarm_name=Early run; time=06:30")]
    #[case(ALARM, "en", "call the alarm Tea at 4 pm", "time=16:00; alarm_name=Tea")]
    #[case(ALARM, "en", "at 6:30 am with the name Time for Bed please", "alarm_name=Time for Bed; time=06:30")]
    #[case(ALARM, "en", "call me at 6:30 am", "time=06:30")]
    #[case(ALARM, "it", "chiamala Corsa", "alarm_name=Corsa")]
    #[case(ALARM, "es", "ponle el nombre Carrera", "alarm_name=Carrera")]
    #[case(ALARM, "de", "nenn ihn Laufen", "alarm_name=Laufen")]
    #[case(ALARM, "fr", "appelle-le Course", "alarm_name=Course")]
    #[case(ALARM, "ar", "سمه رياضة", "alarm_name=رياضة")]
    #[case(SHOW, "en", "2 tickets for the Blue Moons in Oslo", "event_name=Blue Moons; city=Oslo; seats=2")]
    #[case(SHOW, "en", "Owls vs Night Hawks in Oslo", "event_name=Owls vs Night Hawks; city=Oslo")]
    #[case(SHOW, "en", "two tickets to the blue moons concert", "event_name=blue moons; seats=2")]
    #[case(SHOW, "en", "two tickets to see something", "seats=2")]
    #[case(SHOW, "en", "there's a Rosa Klein concert in Oslo, two seats", "event_name=Rosa Klein; city=Oslo; seats=2")]
    #[case(SHOW, "en", "tickets to see Moon 7 in Oslo", "event_name=Moon 7; city=Oslo")]
    #[case(TABLE, "en", "a table at the Blue Duck in Oslo", "restaurant_name=Blue Duck; city=Oslo")]
    #[case(TABLE, "en", "a table in Oslo at noon", "city=Oslo")]
    fn a_thing_is_called_something(
        #[case] form: &str,
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(form, "").speaking(lang).line(said);
        let mut fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        let mut expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        fills.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fills, expected, "{said}");
    }
}
