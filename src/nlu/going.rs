//! Whence and whither, where the preposition alone does not tell: "I'm in Oslo and have to be in Bergen", "she marries in
//! Bergen so I fly there and return home to Oslo", "change the departure to Oslo"; and places by what they are: "15 Elm
//! Street in Bergen", "at the public library".

use std::ops::Range;

use super::guard::is_of_others;
use super::ledger::{Ledger, in_a_line};
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Cand, Slot, read, with_context};
use super::turns::{role_right_before, turn_at};
use super::{Scene, works};
use formwright_form::cues::{Ends, Role};
use formwright_form::kind::text::{Subtype, Text};
use formwright_form::kind::{FieldKind as _, Found, Reading, Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases, number};

/// Which of two places the words before one make it: `at` is where they begin that announce it.
pub(super) fn role(reader: &Reader<'_>, at: usize, start: usize) -> Option<Role> {
    let clause = reader.clause_words(at);
    let reaches = |table: fn(&Language) -> &Phrases<()>| {
        (at.saturating_sub(3).max(clause.start)..start).any(|no| {
            let len = reader.len(table, no, start);
            len > 0 && no <= at && no + len >= at && (no + len..start).all(|no| reader.is_idle(no))
        })
    };
    if let Some(role) = changed(reader, &clause, at).or_else(|| deed(reader, clause.start, at)) {
        return Some(role);
    }
    // One goes home to where one came from, if one has been elsewhere.
    let elsewhere = || (0..at).any(|no| reader.announces(Announced::Place, no, at) > 0 && names(reader, no, at));
    match () {
        () if reaches(|lang| &lang.going.hence) => Some(Role::First),
        () if reaches(|lang| &lang.going.hither) => Some(Role::Second),
        () if reaches(|lang| &lang.going.homeward) && elsewhere() => Some(Role::First),
        () => role_right_before(reader, at, start).or_else(|| thither(reader, &clause, at)),
    }
}

/// Whether a place comes last, by the words that announce it: it is somebody else's, or where the person comes from, of a
/// field that is not for that.
pub(super) fn comes_last(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let home =
        || ends_with(reader, words, |lang| &lang.going.home) || ends_with(reader, words, |lang| &lang.going.hence);
    // "I live in Ghent but I fly from Brussels."
    let another = || {
        (words.end..reader.said.words.len()).any(|no| {
            let len = reader.announces(Announced::Place, no, reader.clause_end(no));
            len > 0 && reader.is_proper(no + len)
        })
    };
    is_of_others(reader, words) || (!slot.asked && slot.role.is_none() || another()) && home()
}

/// Which of two places a deed right before the words that announce one makes it: "collect the van in", "drop it off at".
fn deed(reader: &Reader<'_>, from: usize, at: usize) -> Option<Role> {
    const REACH: usize = 6;
    let start = from.max(at.saturating_sub(REACH));
    let places = |no: usize| reader.announces(Announced::Place, no, at) > 0 && reader.is_capital(no + 1);
    let collects = |no: usize| reader.len(|lang| &lang.going.collects, no, at) > 0;
    let hands_back = |no: usize| reader.len(|lang| &lang.going.hands_back, no, at) > 0;
    let nearest = (start..at).rev().take_while(|no| !places(*no)).find(|no| collects(*no) || hands_back(*no))?;
    Some(if hands_back(nearest) { Role::Second } else { Role::First })
}

/// Whether a place is but where somebody lives, for something is collected or given back elsewhere: York in "I live in York
/// but I'd collect it in Hull".
pub(super) fn is_only_home(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let home =
        || ends_with(reader, words, |lang| &lang.going.home) || ends_with(reader, words, |lang| &lang.going.hence);
    let deed = |no: &usize| {
        let end = reader.clause_end(*no);
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, *no, end);
        let deed = len(|lang| &lang.going.collects).max(len(|lang| &lang.going.hands_back));
        let place = |no: usize| {
            let announced = reader.announces(Announced::Place, no, end);
            announced > 0 && no + announced < end && !reader.is_idle(no + announced)
        };
        deed > 0 && (no + deed..end).any(place)
    };
    home() && (words.end..reader.said.words.len()).any(|no| deed(&no))
}

/// Whether a place is one where somebody has been, by the words that announce it: "I was in".
pub(super) fn has_been(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    ends_with(reader, words, |lang| &lang.going.been)
}

/// Whether words are an option of a choice and no place: German "in Weiß", where every noun has a capital; elsewhere "in First
/// Class", of two words or more.
pub(super) fn is_rather_an_option(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let sure = reader.own_lang().code == "de" || words.len() > 1;
    let option = |cand: &Cand| {
        cand.strength == Strength::Exact && cand.words == *words && matches!(board.kind_of(cand), Some(Kind::Choice(_)))
    };
    sure && board.cands.iter().any(option)
}

/// Whether a phrase that may begin before some words ends with them.
fn ends_with(reader: &Reader<'_>, words: &Range<usize>, table: fn(&Language) -> &Phrases<()>) -> bool {
    const LONGEST: usize = 5;
    (words.end.saturating_sub(LONGEST)..=words.start).any(|no| {
        let len = reader.len(table, no, words.end);
        len > 0 && no + len == words.end
    })
}

/// Whether the words before a place are said of much else in small letters: "leaving early", "I'm in trouble".
pub(super) fn needs_capital(reader: &Reader<'_>, at: usize, start: usize) -> bool {
    let first = reader.len(|lang| &lang.sentence.first, at, start);
    let deed = first.max(reader.len(|lang| &lang.sentence.second, at, start)) == 1 && !reader.is_idle(at);
    let told = |table: fn(&Language) -> &Phrases<()>| {
        (at.saturating_sub(3)..=at).any(|no| {
            let len = reader.len(table, no, start);
            len > 1 && no + len == start
        })
    };
    let told = || told(|lang| &lang.going.hence) || told(|lang| &lang.going.hither);
    deed && start == at + 1 || role_right_before(reader, at, start).is_none() && told()
}

/// Whether a word in small letters is none that the language has, so that it names a place: "i live in hartlepool". What a
/// house serves may begin its name: "pizza hut".
pub(super) fn is_unheard(reader: &Reader<'_>, no: usize) -> bool {
    let no = no + reader.len(|lang| &lang.naming.dish, no, no + 1);
    reader.is_strange(no) && reader.len(|lang| &lang.name.nobody, no, no + 1) == 0
}

/// Whether a capital stands right behind the words that announce a place.
fn names(reader: &Reader<'_>, no: usize, before: usize) -> bool {
    let len = reader.announces(Announced::Place, no, before);
    no + len < before && reader.is_capital(no + len) && !reader.is_idle(no + len)
}

/// "Change the departure to Oslo": the end that is named.
fn changed(reader: &Reader<'_>, clause: &Range<usize>, at: usize) -> Option<Role> {
    let into = reader.len(|lang| &lang.sentence.into, at, clause.end) > 0;
    let starts = [clause.start, reader.past_filler(clause.clone())];
    let edit = starts.into_iter().find(|no| reader.len(|lang| &lang.control.edit, *no, at) > 0)?;
    let from = edit + reader.len(|lang| &lang.control.edit, edit, at);
    let mut named = (from..at).filter(|no| into && !reader.is_idle(*no));
    named.find_map(|no| turn_at(reader, no, at).map(|(_, turn)| Ends::PLACES.role(turn)))
}

/// "In Bergen, so I fly there", "visiting Ann in Bergen": the place is where one goes.
fn thither(reader: &Reader<'_>, clause: &Range<usize>, at: usize) -> Option<Role> {
    let end = reader.said.words.len();
    let goes = (at..end).any(|no| reader.len(|lang| &lang.going.thither, no, end) > 0);
    let visits = || (clause.start..at).any(|no| reader.len(|lang| &lang.going.visits, no, at) > 0);
    (goes || visits()).then_some(Role::Second)
}

/// Whether a noun is part of where something is, rather than announcing it: "city" in "in the city centre".
pub(super) fn is_inside_phrase(reader: &Reader<'_>, noun: usize) -> bool {
    let clause = reader.clause_start(noun);
    let Some(article) = noun.checked_sub(1).filter(|no| *no > clause) else { return false };
    reader.len(|lang| &lang.sentence.articles, article, noun) > 0
        && reader.announces(Announced::Place, article - 1, article) > 0
}

/// Whether what somebody wants to do follows: "to" in "I want to fly to Rome".
pub(super) fn intends(reader: &Reader<'_>, to: usize) -> bool {
    let start = reader.clause_start(to);
    let wants = |no: usize| reader.len(|lang| &lang.sentence.intends, no, to + 1) == to + 1 - no;
    (start.max(to.saturating_sub(3))..to).any(wants)
}

/// Whether words in small letters begin with what somebody does: "run" of "it is going to run over".
pub(super) fn does(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    !reader.is_capital(words.start) && reader.len(|lang| &lang.going.deeds, words.start, words.end) > 0
}

/// Words before another place in the place of one that is known: "try" of "let's try Bergen instead".
pub(super) fn tries(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, no: usize, end: usize) -> usize {
    let place = |slot: &&Slot<'_>| slot.subtype() == Some(Subtype::Place);
    let only = board.slots.iter().filter(place).count() == 1;
    let len = if only && slot.value.is_some() { reader.len(|lang| &lang.going.tries, no, end) } else { 0 };
    if reader.is_capital(no + len) { len } else { 0 }
}

/// Whether words are no place though a word for one stands before them: "in IMAX", "in December", "due to the weather".
pub(super) fn is_nowhere(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const LONGEST: usize = 4;
    let all = |len: usize| len == words.len();
    let month = || {
        reader
            .at(|lang| &lang.number.before, words.start, words.end)
            .is_some_and(|(_, role)| *role == number::Role::Date)
    };
    let over = |table: fn(&Language) -> &Phrases<()>, no: usize| {
        let len = reader.len(table, no, words.end);
        len > 0 && no + len >= words.start
    };
    // Italian "per 12 mesi".
    let lasts = || reader.is_of_number(words.start) && words.clone().any(|no| reader.is_unit_of_time(no));
    all(reader.len(|lang| &lang.naming.nowhere, words.start, words.end))
        || all(1) && month()
        || lasts()
        || (words.start.saturating_sub(LONGEST)..=words.start)
            .any(|no| over(|lang| &lang.going.astray, no) || over(|lang| &lang.going.vague, no))
}

/// Whether words for a place are inside other words: of where something is ("city" in "in the city centre"), or of the name of
/// somebody who was asked for ("de" of "Charles de Gaulle").
pub(super) fn is_inside(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let (at, end) = (words.start, reader.clause_end(words.start));
    let phrase = is_inside_phrase(reader, at) && !reader.is_capital(words.end);
    let asked = board.asked.and_then(|no| board.slots.get(no)).and_then(Slot::subtype);
    let before = at.checked_sub(1).is_some_and(|no| reader.is_capital(no) && !reader.is_idle(no));
    phrase || asked == Some(Subtype::Person) && before && reader.len(|lang| &lang.name.particles, at, end) > 0
}

/// Where the words for a place end: before "right now".
pub(super) fn before_now(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { start, end } = words;
    let now = (start + 1..end).find(|no| reader.len(|lang| &lang.going.now, *no, end) == end - no);
    start..now.unwrap_or(end)
}

/// Of words that were said where a place was asked for, the place: "in London", "Oslo and I like it loud".
pub(super) fn of_place(reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Range<usize> {
    if slot.subtype() != Some(Subtype::Place) {
        return words;
    }
    let Range { mut start, end } = words;
    let speaks = |no: &usize| {
        let join = reader.len(|lang| &lang.sentence.join, *no, end);
        join > 0 && reader.len(|lang| &lang.sentence.speaker, no + join, end) > 0
    };
    let end = (start + 1..end).find(speaks).unwrap_or(end);
    let back = |no: &usize| reader.len(|lang| &lang.sentence.second, *no, end) > 1 && !reader.is_capital(*no);
    let end = (start + 1..end).find(back).unwrap_or(end);
    // "London back", "Oslo instead".
    let turns = |no: &usize| {
        let turn =
            reader.len(|lang| &lang.sentence.behind, *no, end).max(reader.len(|lang| &lang.sentence.swap, *no, end));
        turn == end - no && !reader.is_capital(*no)
    };
    let end = (start + 1..end).find(turns).unwrap_or(end);
    while start + 1 < end {
        // "In London", "check in Oslo".
        let role = reader.len(|lang| &lang.sentence.first, start, end);
        let role = role.max(reader.len(|lang| &lang.sentence.second, start, end));
        let role = if reader.is_capital(start + role) { role } else { 0 };
        let leads = reader.announces(Announced::Place, start, end).max(role);
        let speaks = reader.len(|lang| &lang.sentence.speaker, start, end) > 0;
        let rest = start + 1..end;
        let small = reader.is_idle(start) && (speaks || !reader.is_capital(start)) && rest.clone().any(|no| reader.is_capital(no))
            // "I'm in tacoma", not "the hague".
            || speaks && reader.is_idle(start) && rest.clone().any(|no| is_unheard(reader, no));
        match leads.max(usize::from(small)) {
            len if len > 0 && start + len < end => start += len,
            _ => break,
        }
    }
    start..if is_nowhere(reader, &(start..end)) { start } else { end }
}

/// Fills the only open field for a place that need not be a town with a street and its number, or with the name of a
/// house.
pub(super) fn site(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let corrects = tide.reviewing || tide.correcting.contains(&true);
    let open = |no: &usize| {
        let slot = board.slots.get(*no).filter(|slot| slot.subtype() == Some(Subtype::Place));
        slot.is_some_and(|slot| (slot.value.is_none() || slot.asked || corrects) && !ledger.has(*no))
    };
    let mut all = (0..board.slots.len()).filter(open);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|slot| slot.role.is_none() && !is_town(reader, slot)) else { return };
    let addresses = board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Address));
    let street = || street(scene, reader, slot).filter(|_| !addresses);
    let Some(words) = street().or_else(|| named(reader, board, slot)) else { return };
    if ledger.is_free(words.clone())
        && let Reading::Value(_) = read(scene, reader, slot, words.clone())
    {
        let text = in_a_line(reader, words.clone());
        let found = Found { span: reader.raw_range(words), value: Value::Text(text), strength: Strength::Exact };
        ledger.fill_named(reader, no, found);
    }
}

/// Whether a field is for a town, by its name or by what explains it.
pub(super) fn is_town(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let town = |text: &Said| {
        (0..text.words.len()).any(|no| reader.langs().any(|lang| lang.going.town.word_at(text, no).is_some()))
    };
    slot.labels.iter().chain(slot.helps).any(town)
}

/// A street with its number, and the town behind it: "15 Elm Street in Bergen".
fn street(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>) -> Option<Range<usize>> {
    let address = Text { subtype: Some(Subtype::Address), ..Text::default() };
    let found = with_context(scene, &slot.path, slot.field, |cx| address.find(reader.said, cx));
    let mut sure = found.into_iter().filter(|found| found.strength == Strength::Exact);
    let (Some(found), None) = (sure.next(), sure.next()) else { return None };
    let mut words = reader.words_of(&found.span);
    // "I am in Oslo, 2 rooms please": German streets begin with "am".
    let before = words.start.checked_sub(1);
    if before.is_some_and(|no| reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0) {
        return None;
    }
    let joins = |no: usize| reader.said.word(no) == "," || reader.announces(Announced::Place, no, no + 1) == 1;
    let in_town = reader.said.word(words.end) == "," || reader.said.word(words.end) == "in";
    if in_town && joins(words.end) && reader.is_capital(words.end + 1) && !reader.is_idle(words.end + 1) {
        let end = reader.clause_end(words.end + 1);
        words.end = (words.end + 1..end).take_while(|no| reader.is_capital(*no) && !reader.is_mark(*no)).last()? + 1;
    }
    Some(words)
}

/// A name that ends with what it is a name of: "the Asian Art Museum", "at the public library on Elm Street".
fn named(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>) -> Option<Range<usize>> {
    let clauses = reader.clauses.iter().filter(|clause| !clause.question);
    let mut found = clauses.flat_map(|clause| clause.words.clone()).find_map(|no| {
        let at = reader.len(|lang| &lang.naming.at, no.saturating_sub(1), no) > 0;
        works::house(reader, board, slot, no).filter(|name| at || reader.is_capital(name.start))
    })?;
    let end = reader.clause_end(found.start);
    if reader.said.word(found.end) == "on" && found.end + 1 < end && reader.is_capital(found.end + 1) {
        let street = (found.end + 1..end).take_while(|no| reader.is_capital(*no) && !reader.is_mark(*no)).last()?;
        let sort = reader.langs().any(|lang| lang.street.after.word_at(reader.said, street).is_some());
        found.end = if sort { street + 1 } else { found.end };
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const COACH: &str = r#"
id = "coach"
title = "Coach"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "from"
kind = "text"
label = "Origin"
subtype = "place"

[[field]]
id = "to"
kind = "text"
label = "Destination"
subtype = "place"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    const MEET: &str = r#"
id = "meet"
title = "Meet"

[[field]]
id = "spot"
kind = "text"
label = "Location"
subtype = "place"

[[field]]
id = "hour"
kind = "time"
label = "Hour"
"#;

    fn fills(stage: &Stage, said: &str) -> Vec<String> {
        let line = stage.line(said);
        let mut fills: Vec<String> = line.split("; ").filter(|part| part.contains('=')).map(str::to_owned).collect();
        fills.sort_unstable();
        fills
    }

    #[rstest]
    #[case("en", "I'm in Oslo and have to be in Bergen on Friday", "day=2026-11-27; from=Oslo; to=Bergen")]
    #[case("en", "my cousin marries in Bergen so I have to fly there", "to=Bergen")]
    #[case(
        "en",
        "there is a party in Bergen, I go there on Friday and I'll return home to Oslo",
        "day=2026-11-27; from=Oslo; to=Bergen"
    )]
    #[case("en", "a ticket leaving Oslo on Friday", "day=2026-11-27; from=Oslo")]
    #[case("en", "I'm leaving early", "")]
    #[case("en", "we are in trouble", "")]
    #[case("en", "we are in two groups", "")]
    #[case("en", "visiting my aunt in Bergen on Friday", "day=2026-11-27; to=Bergen")]
    #[case("en", "from Fargo, ND to Bergen", "from=Fargo, ND; to=Bergen")]
    #[case("en", "a coach to Bergen, December 3", "day=2026-12-03; to=Bergen")]
    #[case("it", "sono a Oslo e devo andare a Bergen", "from=Oslo; to=Bergen")]
    #[case("es", "estoy en Oslo y tengo que estar en Bergen", "from=Oslo; to=Bergen")]
    #[case("de", "ich bin in Oslo und muss nach Bergen", "from=Oslo; to=Bergen")]
    #[case("fr", "je suis à Oslo et je dois être à Bergen", "from=Oslo; to=Bergen")]
    fn one_goes_from_where_one_is_to_where_one_has_to_be(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        assert_eq!(fills(&Stage::new(COACH, "").speaking(lang), said), expected, "{said}");
    }

    const ROOM: &str = r#"
id = "room"
title = "Room"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "city"
kind = "text"
label = { en = "City", it = "Città", es = "Ciudad", de = "Stadt", fr = "Ville", ar = "المدينة" }
subtype = "place"
"#;

    #[rstest]
    #[case("en", "I come from Moss and need a room in Oslo", "city=Oslo")]
    #[case("en", "I live in Moss", "city=Moss")]
    #[case("en", "I was in Moss last week, now I go to Oslo", "city=Oslo")]
    #[case("en", "I was in Moss last week", "")]
    #[case("en", "my room in Moss was cancelled, I need one in Oslo", "city=Oslo")]
    #[case("en", "my friends stay in Moss, I stay in Oslo", "city=Oslo")]
    #[case("en", "a room in Oslo", "city=Oslo")]
    #[case("en", "I live in Moss but I want to stay in Oslo", "city=Oslo")]
    #[case("it", "vengo da Moss e cerco una camera a Oslo", "city=Oslo")]
    #[case("es", "vengo de Moss y necesito una habitación en Oslo", "city=Oslo")]
    #[case("de", "ich komme aus Moss und brauche ein Zimmer in Oslo", "city=Oslo")]
    #[case("fr", "je viens de Moss et je voudrais une chambre à Oslo", "city=Oslo")]
    fn where_somebody_comes_from_or_was_is_not_where_they_go(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(fills(&Stage::new(ROOM, "").speaking(lang), said).join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("change the departure to Oslo", "from=Oslo")]
    #[case("change the destination to Oslo", "to=Oslo")]
    fn the_end_that_is_named_changes(#[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(COACH, "review").having("from=Moss; to=Bergen");
        assert_eq!(fills(&stage, said), [expected], "{said}");
    }

    #[rstest]
    #[case("no, it's for three in First Class", "class=first-class")]
    #[case("I'd rather travel in Sleeper", "class=sleeper")]
    #[case("no, in Moss", "")]
    #[case("no, from Moss", "from=Moss")]
    fn of_two_places_that_stand_none_changes_without_being_told(#[case] said: &str, #[case] expected: &str) {
        let class = "\n[[field]]\nid = \"class\"\nkind = \"choice\"\nlabel = \"Class\"\noptions = [\"First Class\", \"Sleeper\"]\n";
        let stage = Stage::new(&format!("{COACH}{class}"), "").having("from=Oslo; to=Bergen");
        assert_eq!(fills(&stage, said).join("; "), expected, "{said}");
    }

    #[test]
    fn another_place_is_tried() {
        let stage = Stage::new(MEET, "review").having("spot=Oslo");
        assert_eq!(fills(&stage, "Let's try Bergen instead"), ["spot=Bergen"]);
    }

    #[rstest]
    #[case("", "send her to 15 Elm Street in Bergen at 9 am", "hour=09:00; spot=15 Elm Street in Bergen")]
    #[case("", "that's the Old Art Museum", "spot=Old Art Museum")]
    #[case("", "we meet at the public library at 9 am", "hour=09:00; spot=public library")]
    #[case("spot", "I'm at 9 Elm Street right now", "spot=9 Elm Street")]
    #[case("spot", "Oslo, and at 9 am", "hour=09:00; spot=Oslo")]
    fn a_place_is_named_by_what_it_is(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(fills(&Stage::new(MEET, asked), said), expected.split("; ").collect::<Vec<_>>(), "{said}");
    }

    const VAN: &str = r#"
id = "van"
title = "Van hire"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "pickup"
kind = "text"
subtype = "place"
label = "Pick-up city"

[[field]]
id = "dropoff"
kind = "text"
subtype = "place"
label = "Drop-off city"
"#;

    #[rstest]
    #[case("en", "", "I live in York but I'd collect it in Hull", "pickup=Hull; ~=dropoff=York")]
    #[case("en", "pickup", "I'm from Leeds, but I'll collect the van in Bradford", "pickup=Bradford")]
    #[case("en", "dropoff", "we live near Oxford but it goes back in Reading", "dropoff=Reading")]
    #[case("it", "", "abito a Pisa ma lo ritiro a Lucca", "pickup=Lucca; ~=dropoff=Pisa")]
    #[case("es", "", "vivo en Toledo pero lo recojo en Sevilla", "pickup=Sevilla; ~=dropoff=Toledo")]
    #[case("de", "", "ich wohne in Bonn, hole ihn aber in Trier ab", "pickup=Trier; ~=dropoff=Bonn")]
    #[case("de", "pickup", "ich komme aus Mainz, hole den Wagen aber in Trier ab", "pickup=Trier")]
    #[case("fr", "", "j'habite à Nantes mais je le prends à Rennes", "pickup=Rennes; ~=dropoff=Nantes")]
    fn where_one_lives_is_not_where_one_collects(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(VAN, asked).speaking(lang).fills(said), expected, "{said}");
    }
}
