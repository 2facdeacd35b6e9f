//! Where a ride begins and where it ends, by what is said of the person: "pick me up from the corner shop", "take me to the
//! airport"; and an asked place with the town in which it is: "the Holiday Inn in Moss".

use std::ops::Range;

use super::between::is_called;
use super::ledger::Ledger;
use super::partly::month;
use super::reader::Reader;
use super::realms::{Realms, fill_parts, is_inside, with_lands};
use super::region::with_region;
use super::score::{Tide, is_telling};
use super::spans::{Board, Cand, Slot};
use super::turns::turn_at;
use super::{Scene, going, landmarks};
use formwright_form::cues::Role;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Said, Strength};
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a place with the street or town it is in.
const MOST: usize = 9;

/// Fills the open ends of a ride that words about the person announce, and an asked place that is in another.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    for (no, slot) in board.slots.iter().enumerate().filter(|(_, slot)| is_spot(slot)) {
        if ledger.has(no) {
            continue;
        }
        let rides = Rides { scene, reader, board };
        let told = |at: usize| {
            let open = slot.value.is_none() || slot.asked || tide.changes(reader.clause_of(at));
            if open { rides.told(slot.role?, at) } else { None }
        };
        let landmark = slot
            .role
            .and_then(|role| landmarks::find(scene, reader, board, slot, role))
            .filter(|found| slot.value.is_none() || slot.asked || tide.changes(reader.clause_of(found.words.start)));
        let lead = landmark.as_ref().map(|found| found.lead);
        let place = landmark.map(|found| found.words);
        let found = place.or_else(|| (0..reader.said.words.len()).find_map(told));
        let Some(words) = found.or_else(|| if slot.asked { rides.answer() } else { None }) else { continue };
        if !ledger.is_free(words.clone()) || going::is_nowhere(reader, &words) {
            continue;
        }
        let town = if slot.role == Some(Role::Second) { None } else { rides.town(ledger, &words) };
        let start = words.start;
        if fill_parts(scene, reader, board, ledger, [(no, words)].into_iter().chain(town)) {
            ledger.claim(lead.unwrap_or(start)..start);
        }
    }
}

/// Whether a field is for one place of many in a town.
fn is_spot(slot: &Slot<'_>) -> bool {
    let town = |text: &Said| is_called(text, |lang| &lang.going.town);
    slot.subtype() == Some(Subtype::Place) && !slot.labels.iter().chain(slot.helps).any(town)
}

struct Rides<'a> {
    scene: &'a Scene<'a>,
    reader: &'a Reader<'a>,
    board: &'a Board<'a>,
}

impl Rides<'_> {
    /// The place behind words for an end of a ride that begin at a word.
    fn told(&self, role: Role, at: usize) -> Option<Range<usize>> {
        let reader = self.reader;
        let end = reader.clause_end(at);
        let len = match role {
            Role::First => reader.len(|lang| &lang.going.rides_from, at, end),
            Role::Second => reader.len(|lang| &lang.going.rides_to, at, end),
        };
        if len > 0 {
            return self.place(at + len);
        }
        // "Take me to the airport from the old mill", "pick me up at the old mill and go on to the airport".
        let said = |table: fn(&Language) -> &Phrases<()>| {
            (reader.clause_start(at)..at).any(|no| reader.len(table, no, at) > 0)
        };
        let (word, other) = match role {
            Role::First => (reader.len(|lang| &lang.sentence.first, at, end), said(|lang| &lang.going.rides_to)),
            Role::Second => (reader.len(|lang| &lang.sentence.second, at, end), said(|lang| &lang.going.rides_from)),
        };
        if word == 1 && other && reader.is_idle(at) { self.place(at + 1) } else { None }
    }

    /// An answer that is a place with where it is: "the Holiday Inn in Moss", "the corner shop on Elm Street".
    fn answer(&self) -> Option<Range<usize>> {
        let reader = self.reader;
        let words = reader.telling().into_iter().find(|clause| !clause.question)?.words.clone();
        let mut start = reader.past_filler(words.clone());
        start += reader.len(|lang| &lang.going.hence, start, words.end);
        start += reader.announces(Announced::Place, start, words.end);
        let place = self.place(start)?;
        let inside = (place.start + 1..place.end).find(|no| self.locates(*no) > 0)?;
        let named = place.start..inside;
        // "A hotel in Oslo", "the cheapest hotel in Oslo": which one is not said.
        let article = reader.len(|lang| &lang.sentence.articles, start, words.end);
        let some = article > 0 && reader.len(|lang| &lang.naming.the, start, words.end) == 0;
        let praises = |no: usize| {
            let step = reader.at(|lang| &lang.everyday.scale.said, no, inside).is_some();
            step || reader.len(|lang| &lang.sentence.praise, no, inside) > 0
        };
        if some && !named.clone().any(|no| self.is_name(no, words.start)) || named.clone().any(praises) {
            return None;
        }
        (named.clone().any(|no| self.is_sort(no) && no > named.start || self.is_name(no, words.start))).then_some(place)
    }

    /// The town in which a place is, with the field for it where it is open.
    fn town(&self, ledger: &Ledger, place: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let inside = |no: &usize| is_inside(self.reader, *no, 1);
        let at = (place.start + 1..place.end).rev().find(inside)?;
        let parts = Realms::of(self.board, ledger).parts(self.reader, at + 1..place.end);
        match parts.as_slice() {
            [part] => Some(part.clone()),
            _ => None,
        }
    }

    /// The place that begins at a word or behind its article.
    fn place(&self, start: usize) -> Option<Range<usize>> {
        let reader = self.reader;
        let end = reader.clause_end(start).min(start + MOST);
        let article = reader.len(|lang| &lang.sentence.articles, start, end);
        let from = start + article;
        // "954 Colonial Avenue".
        let house = reader.is_digits(from) && !reader.is_mark(from + 1);
        let street = (from + 2..end.min(from + 5)).find(|no| house && self.is_sort(*no));
        let mut no = street.map_or(from, |street| street + 1);
        while no < end && self.goes_on(from, no) {
            no += self.locates(no).max(1);
        }
        let last = (from..no).rev().find(|no| !reader.is_idle(*no) && !reader.is_mark(*no))?;
        let place = from..last + 1;
        // "The hotel" is one that was spoken of; "the airport" is known.
        let the = article > 0 && reader.len(|lang| &lang.naming.the, start, end) > 0;
        let terminal = reader.len(|lang| &lang.naming.terminal, from, end) == place.len();
        let definite = the && (place.len() > 1 || terminal);
        // "The two places" are some that were spoken of before.
        if !reader.is_capital(from) && !reader.is_digits(from) && reader.is_of_number(from) {
            return None;
        }
        let known = |no: usize| {
            let of_form = self.scene.form.cues().knows(stem(reader.said.plain(no)));
            of_form || reader.len(|lang| &lang.naming.spot, no, no + 1) > 0
        };
        let tells = place.clone().any(|no| self.is_name(no, from))
            || street.is_some()
            || (definite || self.is_sort(last) && (place.len() > 1 || terminal)) && !place.clone().all(known);
        let unnamed =
            reader.len(|lang| &lang.street.unnamed, start, end).max(reader.len(|lang| &lang.street.unnamed, from, end));
        // "45 Pine Road, Moss".
        let town = |place: Range<usize>| match street {
            Some(_) => with_region(reader, place, reader.clause_end(from), true, |_| false),
            None => with_lands(reader, place),
        };
        (tells && unnamed == 0).then(|| town(place))
    }

    /// Whether a place that begins at `from` goes on with a word.
    fn goes_on(&self, from: usize, no: usize) -> bool {
        let reader = self.reader;
        if self.locates(no) > 0 {
            return no > from;
        }
        // "Dallas/Fort Worth".
        if reader.is_mark(no) {
            return no > from && reader.said.word(no) == "/" && reader.is_capital(no - 1) && reader.is_capital(no + 1);
        }
        let value = |cand: &Cand| {
            cand.words.contains(&no)
                && cand.strength > Strength::Weak
                && self.board.kind_of(cand).is_some_and(is_telling)
        };
        let street = self.is_sort(no + 1) || self.is_sort(no);
        if self.board.cands.iter().any(value) && !street || turn_at(reader, no, no + 2).is_some() {
            return false;
        }
        // "Birmingham new street."
        let next = |no: usize| self.is_sort(no) || self.is_name(no, from);
        if no > from && reader.len(|lang| &lang.naming.town, no, no + 1) > 0 && next(no + 1) {
            return true;
        }
        let of = no > from && reader.is_capital(no - 1) && reader.is_capital(no + 1);
        let small = reader.len(|lang| &lang.name.particles, no, no + 1) > 0 || reader.said.plain(no) == "of";
        !reader.is_idle(no) || of && small || no == from && reader.is_capital(no)
    }

    /// The words at one that say where a place is, with more of its name behind them: "in", "on", "on the".
    fn locates(&self, no: usize) -> usize {
        let reader = self.reader;
        let end = reader.clause_end(no);
        let len = reader.len(|lang| &lang.going.inside, no, end).max(reader.len(|lang| &lang.going.along, no, end));
        let from = no + len;
        let on = || (from + 1..end.min(from + 3)).any(|no| self.is_sort(no));
        // "In March" says when.
        let named = || self.is_name(from, no) && month(reader, from).is_none();
        if len > 0 && (is_inside(reader, no, len) && named() || on()) { len } else { 0 }
    }

    /// Whether a word is for what a place is: "street", "inn", "airport".
    fn is_sort(&self, no: usize) -> bool {
        let reader = self.reader;
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, no + 1);
        len(|lang| &lang.street.after) + len(|lang| &lang.naming.building) + len(|lang| &lang.naming.public) > 0
            || len(|lang| &lang.naming.terminal) > 0
    }

    /// Whether a word is a name by how it is written; `first` may have a capital for another reason.
    fn is_name(&self, no: usize, first: usize) -> bool {
        let reader = self.reader;
        !reader.is_idle(no) && (reader.is_unknown(no) || reader.is_capital(no) && no > first)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const CAB: &str = r#"
id = "cab"
title = "Cab"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "from"
kind = "text"
label = "Pick-up place"
subtype = "place"

[[field]]
id = "to"
kind = "text"
label = "Drop-off place"
subtype = "place"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "hour"
kind = "time"
label = "Hour"
"#;

    #[rstest]
    #[case("en", "", "pick me up from the old mill at 8 pm", "from=old mill; hour=20:00")]
    #[case("en", "", "take me to the airport from the corner shop", "from=corner shop; to=airport")]
    #[case("en", "", "my aunt is going to Oslo in March", "to=Oslo")]
    #[case("en", "", "take us from the station to the harbour hotel", "from=station; to=harbour hotel")]
    #[case("en", "", "I want to be dropped at 12 Elm Street, Moss", "to=12 Elm Street, Moss")]
    #[case("en", "", "pick me up at the Nordic Art Museum in Oslo", "city=Oslo; from=Nordic Art Museum in Oslo")]
    #[case("en", "from", "the Polar Inn on Elm Street", "from=Polar Inn on Elm Street")]
    #[case("en", "to", "the Polar Inn in Moss", "to=Polar Inn in Moss")]
    #[case("en", "from", "a hotel in Moss", "from=Moss")]
    #[case("en", "", "pick me up at 8 pm", "hour=20:00")]
    #[case("en", "", "drop me at home at 8 pm", "hour=20:00")]
    #[case("en", "", "take me to the hotel", "")]
    #[case("en", "", "I need a ride to work", "")]
    #[case("de", "", "bring mich zum Hauptbahnhof", "to=Hauptbahnhof")]
    fn a_ride_begins_and_ends_where_the_person_is_taken(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(sorted(&Stage::new(CAB, asked).speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
