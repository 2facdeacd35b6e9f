//! How many people come, told without a number or by several: "just me", "my wife and I", "12 adults and 5 children".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::party::{Party, party};
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot};
use formwright_form::cues::{Crowd, Mention};
use formwright_form::kind::{Found, Strength, overlap};
use formwright_form::{Kind, Value};

/// Share of a field's name that is its own rather than a word like it.
const OWN: f32 = 0.76;

impl Slot<'_> {
    /// Whether it counts people. One for those who do something ("drivers") does where it was asked.
    pub(super) fn counts_people(&self) -> bool {
        self.people || self.asked && self.crowd == Some(Crowd::Doing)
    }
}

/// The only open count of people, of children or of those who are grown up.
fn open(board: &Board<'_>, ledger: &Ledger, of: Crowd) -> Option<usize> {
    // "Me and my wife" are the drivers where those were asked for.
    let doing = |slot: &Slot<'_>| slot.crowd == Some(Crowd::Doing) && of == Crowd::All;
    if let Some(asked) = board.asked.filter(|no| board.slots.get(*no).is_some_and(doing)) {
        return Some(asked).filter(|no| !ledger.has(*no));
    }
    let counts = |no: &usize| board.slots.get(*no).is_some_and(|slot| slot.crowd == Some(of)) && !ledger.has(*no);
    let mut all = (0..board.slots.len()).filter(counts);
    all.next().filter(|_| all.next().is_none())
}

/// Whether a count may be filled by what a clause says.
fn may_fill(slot: &Slot<'_>, tide: &Tide, clause: usize) -> bool {
    slot.value.is_none() || slot.asked || tide.changes(clause)
}

/// Fills the only open count of people.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    // Those whom one names so are grown up.
    let counted = [Crowd::All, Crowd::Grown].into_iter().find_map(|of| open(board, ledger, of));
    let Some((no, slot)) = counted.and_then(|no| Some((no, board.slots.get(no)?))) else { return };
    for at in 0..reader.said.words.len() {
        let clause = reader.clause_of(at);
        let end = reader.clauses.get(clause).map_or(0, |clause| clause.words.end);
        let Some((len, count)) = reader.at(|lang| &lang.naming.crowd, at, end) else { continue };
        // "Just me and Ann."
        let goes_on = reader.len(|lang| &lang.sentence.join, at + len, end) > 0;
        if !goes_on && may_fill(slot, tide, clause) && ledger.is_free(at..at + len) {
            note(reader, ledger, no, at..at + len, *count);
            return;
        }
    }
}

/// Adds up who comes: "12 adults and 5 children", "me and my two sisters", for the fields that count people, those who are
/// grown up, and children.
pub(super) fn add_up(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let [all, grown, minors] = [Crowd::All, Crowd::Grown, Crowd::Minors].map(|of| open(board, ledger, of));
    let into_words = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::takes_any_words);
    let count = reader.said.words.len();
    let somebody = |no: usize| {
        let company = reader.at(|lang| &lang.naming.company, no, count).is_some();
        company || reader.at(|lang| &lang.naming.packs, no, count).is_some()
    };
    if into_words || all.or(grown).or(minors).is_none() || !(0..count).any(somebody) {
        return;
    }
    let Some(Party { words, all: together, grown: adults, minors: children }) =
        (0..count).find_map(|at| party(scene, reader, at))
    else {
        return;
    };
    // Beside a field for children alone, one for guests may be for the others or for all.
    let has = |of: Crowd| board.slots.iter().any(|slot| slot.crowd == Some(of));
    let all = all.filter(|_| has(Crowd::Grown) || !has(Crowd::Minors));
    // A field for rooms is none for people, nor is one for adults one for all.
    let counted = |mention: &Mention| {
        let of = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
        let other = of.is_some_and(|of| {
            let number = matches!(of.field.kind, Kind::Integer(_) | Kind::Number(_));
            number && of.crowd != Some(Crowd::All) && (grown.is_none() || minors.is_none() || of.crowd.is_none())
        });
        other && mention.weight >= OWN && overlap(&mention.words, &words)
    };
    if !ledger.is_free(words.clone()) || board.mentions.iter().any(counted) {
        return;
    }
    let clause = reader.clause_of(words.start);
    for (slot, count) in [(all, together), (grown, adults), (minors, children)] {
        let may = slot.and_then(|no| board.slots.get(no)).is_some_and(|slot| may_fill(slot, tide, clause));
        if let (Some(no), Some(count), true) = (slot, count, may) {
            note(reader, ledger, no, words.clone(), count);
        }
    }
}

fn note(reader: &Reader<'_>, ledger: &mut Ledger, no: usize, words: Range<usize>, count: i64) {
    let found = Found { span: reader.raw_range(words), value: Value::Integer(count), strength: Strength::Typed };
    ledger.fill(reader, no, found, true);
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const CAB: &str = r#"
id = "cab"
title = "Cab"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "riders"
kind = "integer"
label = "Passengers"

[[field]]
id = "shared"
kind = "yes_no"
label = "Shared"
"#;

    #[rstest]
    #[case("en", "a cab, just me", "riders=1")]
    #[case("en", "only for myself", "riders=1")]
    #[case("en", "for me only", "riders=1")]
    #[case("en", "it's for my wife and me", "riders=2")]
    #[case("en", "just me and Ann", "riders=2")]
    #[case("en", "a cab for me and Ann tomorrow", "riders=2")]
    #[case("en", "a cab for mavis, sheila and I in Oslo", "riders=3")]
    #[case("en", "a cab for me, Ann", "")]
    #[case("en", "me and Ann want a cab", "riders=2")]
    #[case("en", "it's for Ann and I want it now", "")]
    #[case("en", "a cab for me and Ann and our kids", "")]
    #[case("en", "a cab for Mavis and Sheila", "")]
    #[case("it", "un taxi per me e Anna", "riders=2")]
    #[case("es", "un taxi para Ana y yo", "riders=2")]
    #[case("de", "ein Taxi für mich und Anna", "riders=2")]
    #[case("fr", "un taxi pour moi et Anna", "riders=2")]
    #[case("en", "tell me more", "")]
    #[case("it", "solo io", "riders=1")]
    #[case("es", "solo yo", "riders=1")]
    #[case("de", "nur ich", "riders=1")]
    #[case("fr", "juste moi", "riders=1")]
    #[case("ar", "أنا فقط", "riders=1")]
    fn people_are_told_without_a_number(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(CAB, "").speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    #[rstest]
    #[case("en", "12 adults and 5 children", "riders=17")]
    #[case("en", "a cab for me and my two sisters", "riders=3")]
    #[case("en", "my wife, two kids and me", "riders=4")]
    #[case("en", "10 of us plus 2 kids", "riders=12")]
    #[case("en", "two adults and two suitcases", "riders=2")]
    #[case("en", "6 of us, 4 adults and 2 kids", "riders=6")]
    #[case("en", "6 people: 4 adults, 2 kids", "riders=6")]
    #[case("en", "a family of 4 with 2 kids", "riders=4")]
    #[case("en", "4 people, 2 of them kids", "riders=4")]
    #[case("en", "to Oslo with my wife and two kids", "riders=4")]
    #[case("en", "a cab with two friends", "riders=3")]
    #[case("en", "my wife and me and our friends", "")]
    #[case("en", "3 plus me", "riders=4")]
    #[case("en", "me plus 3", "riders=4")]
    #[case("en", "me and two of my friends", "riders=3")]
    #[case("en", "my father in law and I", "riders=2")]
    #[case("en", "me and my step brother", "riders=2")]
    #[case("en", "two couples", "riders=4")]
    #[case("en", "two couples and me", "riders=5")]
    #[case("en", "a couple with a baby", "riders=3")]
    #[case("en", "my husband and I with our son", "riders=3")]
    #[case("en", "2 adults, 3 kids and a dog", "riders=5")]
    #[case("en", "I spoke with my wife", "")]
    #[case("it", "con mia moglie e due bambini", "riders=4")]
    #[case("es", "con mi mujer y dos niños", "riders=4")]
    #[case("de", "mit meiner Frau und zwei Kindern", "riders=4")]
    #[case("fr", "avec ma femme et deux enfants", "riders=4")]
    #[case("en", "2 adults 3 kids", "riders=5")]
    #[case("en", "1 for me and 1 for my girlfriend", "riders=2")]
    #[case("de", "2 Erwachsene 3 Kinder", "riders=5")]
    #[case("en", "me, my wife and Ann", "")]
    #[case("en", "me and my kids", "")]
    #[case("en", "a friend and I also need a cab", "")]
    #[case("it", "12 adulti e 5 bambini", "riders=17")]
    #[case("it", "io e le mie due sorelle", "riders=3")]
    #[case("es", "dos adultos y tres niños", "riders=5")]
    #[case("es", "yo y mis dos hermanas", "riders=3")]
    #[case("de", "12 Erwachsene und 5 Kinder", "riders=17")]
    #[case("de", "ich und meine zwei Schwestern", "riders=3")]
    #[case("de", "wir sind zu fünft", "riders=5")]
    #[case("fr", "12 adultes et 5 enfants", "riders=17")]
    #[case("fr", "moi et mes deux sœurs", "riders=3")]
    #[case("ar", "12 بالغا و5 أطفال", "riders=17")]
    #[case("ar", "أنا وأختاي", "riders=3")]
    #[case("ar", "أنا وثلاثة أصدقاء", "riders=4")]
    #[case("en", "2, my wife and me", "riders=2")]
    #[case("es", "somos tres, mis dos hermanas y yo", "riders=3")]
    #[case("es", "para mi y mi hermana", "riders=2")]
    #[case("es", "para mi hermana y mi madre", "riders=2")]
    #[case("it", "per me e il mio ragazzo", "riders=2")]
    #[case("de", "für mich und meinen Freund", "riders=2")]
    #[case("fr", "pour moi et mon copain", "riders=2")]
    #[case("ar", "لي ولزوجتي", "riders=2")]
    #[case("ar", "أنا وصديقي", "riders=2")]
    fn people_of_one_count_are_added_up(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("", "riders")] asked: &str,
    ) {
        assert_eq!(Stage::new(CAB, asked).speaking(lang).means(said), expected, "{said}");
    }

    const TOUR: &str = r#"
id = "tour"
title = "Tour"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "adults"
kind = "integer"
label = { en = "Adults", it = "Adulti", es = "Adultos", de = "Erwachsene", fr = "Adultes", ar = "بالغون" }

[[field]]
id = "children"
kind = "integer"
label = { en = "Children", it = "Bambini", es = "Niños", de = "Kinder", fr = "Enfants", ar = "أطفال" }
"#;

    #[rstest]
    #[case("en", "6 people: 4 adults, 2 kids", "adults=4; children=2")]
    #[case("en", "with my wife and two kids", "children=2; ~=adults=2")]
    #[case("en", "my wife, me and our 3 kids", "adults=2; children=3")]
    #[case("en", "4 people, 2 of them kids", "adults=2; children=2")]
    #[case("en", "2 adults, 3 kids and a dog", "adults=2; children=3")]
    #[case("en", "a party of 8", "")]
    #[case("en", "we are 4", "")]
    #[case("en", "3 kids", "children=3")]
    #[case("en", "me and my two sisters", "~=adults=2")]
    #[case("en", "me and my husband are going to Oslo", "adults=2")]
    #[case("en", "my wife and I are planning a trip", "adults=2")]
    #[case("en", "I have two kids and my wife is a doctor", "children=2")]
    #[case("it", "con mia moglie e due bambini", "children=2; ~=adults=2")]
    #[case("es", "con mi mujer y dos niños", "children=2; ~=adults=2")]
    #[case("de", "mit meiner Frau und zwei Kindern", "children=2; ~=adults=2")]
    #[case("fr", "avec ma femme et deux enfants", "children=2; ~=adults=2")]
    fn adults_and_children_are_told_apart(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TOUR, "").speaking(lang).fills(said), expected, "{said}");
        let people = "\n[[field]]\nid = \"people\"\nkind = \"integer\"\nlabel = \"People\"\n";
        if said.contains("people") {
            let all = Stage::new(&format!("{TOUR}{people}"), "").speaking(lang).fills(said);
            assert!(all.contains(expected) && all.contains("people="), "{said}: {all}");
        }
    }

    #[rstest]
    #[case("en", "two, my husband and I", "adults=2")]
    #[case("es", "dos, mi marido y yo", "adults=2")]
    #[case("it", "due, io e mia moglie", "adults=2")]
    #[case("de", "zwei, meine Frau und ich", "adults=2")]
    #[case("fr", "deux, mon mari et moi", "adults=2")]
    fn a_number_before_those_who_come_counts_nothing_else(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TOUR, "adults").speaking(lang).fills(said), expected, "{said}");
    }

    const CAR: &str = r#"
id = "car"
title = "Car"

[[field]]
id = "drivers"
kind = "integer"
label = "Number of drivers"

[[field]]
id = "seats"
kind = "integer"
label = "Child seats"
"#;

    #[rstest]
    #[case("drivers", "me and my wife", "drivers=2")]
    #[case("drivers", "just myself", "drivers=1")]
    #[case("drivers", "2 people", "drivers=2")]
    #[case("seats", "me and my wife", "")]
    #[case("", "me and my wife", "")]
    fn who_does_something_is_counted_where_it_was_asked(
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(CAR, asked).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("Adults", "12 adults and 5 children", "riders=12")]
    #[case("Guests", "12 adults and 5 children", "riders=17")]
    fn children_are_no_adults(#[case] label: &str, #[case] said: &str, #[case] expected: &str) {
        let form = CAB.replace("Passengers", label);
        assert_eq!(Stage::new(&form, "").fills(said), expected, "{said}");
    }
}
