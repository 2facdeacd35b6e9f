//! What is said in the place of an answer that stands, beside that answer: "90 not 80", "not the 4th, the 5th", "8 no, 9",
//! "change Monday to Tuesday". The answer that gives way tells which field is meant.

use std::ops::Range;

use super::ledger::{Ledger, possible, shown};
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use super::turns::turn_at;
use super::{Scene, near, partly};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Said, Strength};
use formwright_form::{Kind, Value};

/// Most words of either.
const MOST_WORDS: usize = 8;

/// What gives way, and what takes its place.
type Pair = (Range<usize>, Range<usize>);

/// Puts values in the place of answers that are named beside them.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    if board.slots.iter().all(|slot| slot.value.is_none()) {
        return;
    }
    for no in 0..reader.said.words.len() {
        let pairs = [changed(reader, no), denied(reader, no)].into_iter().flatten().flatten();
        for (old, new) in pairs.filter(|(old, new)| old.len() <= MOST_WORDS && new.len() <= MOST_WORDS) {
            let all = old.start.min(new.start)..old.end.max(new.end);
            if !ledger.is_free(old.clone()) || !ledger.is_free(new.clone()) {
                continue;
            }
            let about = About { scene, reader, board };
            let Some(slot) = about.holder(&old) else {
                for (slot, found) in about.other_part(&old, &new) {
                    put(reader, ledger, slot, found, all.clone());
                }
                continue;
            };
            let Some(mut found) = about.read_new(slot, &new).or_else(|| about.read_last(slot, &old, &new)) else {
                continue;
            };
            let Some(of) = board.slots.get(slot).filter(|_| !ledger.has(slot)) else { continue };
            let other = near::other_end(board, ledger, slot);
            if let Some(value) = near::nearest(scene, reader, of, other, &found.span, &found.value) {
                found.value = value;
            }
            put(reader, ledger, slot, found, all);
        }
    }
}

/// Puts a value in the place of an answer.
pub(super) fn put(reader: &Reader<'_>, ledger: &mut Ledger, slot: usize, found: Found, all: Range<usize>) {
    if !ledger.has(slot) && ledger.fill_named(reader, slot, found) {
        if let Some(filled) = ledger.fills.last_mut() {
            filled.replaces = true;
        }
        ledger.claim(all);
    }
}

/// "Change Monday to Tuesday."
fn changed(reader: &Reader<'_>, no: usize) -> Option<Vec<Pair>> {
    let clause = reader.clause_words(no);
    let end = clause.end;
    let from = no + reader.len(|lang| &lang.control.edit, no, end);
    if from == no || no != clause.start && no != reader.past_filler(clause) {
        return None;
    }
    let into = (from..end).find(|no| reader.len(|lang| &lang.sentence.into, *no, end) > 0)?;
    Some(vec![(from..into, into + reader.len(|lang| &lang.sentence.into, into, end)..end)])
}

/// "90 not 80", "90, not 80", "not 80, 90", "not 80 but 90", "80 no, 90", "80, no 90".
fn denied(reader: &Reader<'_>, no: usize) -> Option<Vec<Pair>> {
    let at = reader.clause_of(no);
    let clause = reader.clauses.get(at)?.words.clone();
    let end = clause.end;
    let instead = reader.len(|lang| &lang.sentence.instead, no, end);
    let refuses = reader.len(|lang| &lang.yes_no.no, no, end);
    let len = instead.max(refuses);
    if len == 0 {
        return None;
    }
    // "May" is a month too.
    let telling =
        |words: &Range<usize>| words.clone().any(|no| !reader.is_idle(no) || partly::month(reader, no).is_some());
    let neighbour = |no: Option<usize>| {
        let other = no.and_then(|no| reader.clauses.get(no)).filter(|other| telling(&other.words));
        other.map(|other| other.words.clone())
    };
    let before = neighbour(at.checked_sub(1)).filter(|_| reader.clauses.get(at - 1).is_some_and(|other| !other.stop));
    let behind = neighbour(Some(at + 1));
    let (left, right) = (clause.start..no, no + len..end);
    let join = right.clone().find(|no| reader.len(|lang| &lang.sentence.join, *no, end) > 0);
    let pairs = match (telling(&left), telling(&right)) {
        (true, true) if instead > 0 => vec![(right, left)],
        (true, false) => behind.map(|new| (left, new)).into_iter().collect(),
        (false, true) => {
            let inside = join.map(|at| {
                let len = reader.len(|lang| &lang.sentence.join, at, end);
                (right.start..at, at + len..end)
            });
            let denied = inside.into_iter().chain(before.clone().map(|new| (right.clone(), new)));
            let denied = denied.chain(behind.map(|new| (right.clone(), new)));
            let denied = denied.filter(|_| instead > 0);
            denied.chain(before.filter(|_| refuses > 0).map(|old| (old, right.clone()))).collect()
        }
        _ => return None,
    };
    Some(pairs)
}

struct About<'x, 'a> {
    scene: &'x Scene<'a>,
    reader: &'x Reader<'x>,
    board: &'x Board<'a>,
}

impl About<'_, '_> {
    /// The only field that holds what some words say; one of which a time of day is meant only where no other holds it.
    fn holder(&self, old: &Range<usize>) -> Option<usize> {
        let slots = || self.board.slots.iter().enumerate();
        for loose in [false, true] {
            let holds = |slot: &Slot<'_>| self.holds(slot, old, loose);
            let mut holding = slots().filter(|(_, slot)| holds(slot)).map(|(no, _)| no);
            if let Some(only) = holding.next() {
                return holding.next().is_none().then_some(only);
            }
        }
        None
    }

    /// Whether some words say what a field holds: the same, or, where it need not be so close, one reading of a time.
    fn holds(&self, slot: &Slot<'_>, old: &Range<usize>, loose: bool) -> bool {
        let Some(held) = slot.value else { return false };
        if slot.takes_any_words() {
            let held = Said::new(&shown(self.scene, slot, held));
            let old = self.bare(self.past_names(slot, old));
            let same = |at: usize| {
                let said = self.reader.said.plain(old.start + at);
                !held.plain(at).is_empty() && held.plain(at) == said
            };
            return !loose && !slot.is_long() && !old.is_empty() && (0..old.len()).all(same);
        }
        if matches!(slot.field.kind, Kind::YesNo(_) | Kind::Choices(_) | Kind::DateRange(_)) {
            return false;
        }
        let same = |found: &Found| is_same(&found.value, held) && self.is_all(slot, found, old);
        match read(self.scene, self.reader, slot, self.past_names(slot, old)) {
            Reading::Value(found) if same(&found) => !loose,
            Reading::Value(found) => {
                let named = || near::names(self.scene, self.reader, slot, &found.span, held);
                !loose && self.is_all(slot, &found, old) && named()
            }
            Reading::Ambiguous(all) => loose && all.iter().any(same),
            Reading::Refused(..) | Reading::Nothing => false,
        }
    }

    /// What takes the place of what a field holds.
    fn read_new(&self, slot: usize, new: &Range<usize>) -> Option<Found> {
        let of = self.board.slots.get(slot)?;
        let mut words = self.past_names(of, new);
        if of.takes_any_words() {
            words = self.bare(words);
        }
        if matches!(of.subtype(), Some(Subtype::Person | Subtype::Place)) {
            words = self.capitals(words);
        }
        let found = match read(self.scene, self.reader, of, words.clone()) {
            Reading::Value(found) => found,
            Reading::Ambiguous(all) => {
                let all = possible(self.scene, self.reader, self.board, of, &all, |found| &found.value).ok()?;
                <[Found; 1]>::try_from(all).ok()?.into_iter().next()?
            }
            Reading::Refused(..) | Reading::Nothing => return None,
        };
        let option = matches!(of.field.kind, Kind::Choice(_));
        let meant = !option || found.strength > Strength::Weak;
        let all = || self.is_all(of, &found, new) || of.takes_any_words() && self.is_all(of, &found, &words);
        (meant && all() && Some(&found.value) != of.value).then_some(found)
    }

    /// The words with capitals at the end of some that have none: "Lyon" of "I land in Lyon".
    fn capitals(&self, words: Range<usize>) -> Range<usize> {
        let proper = |no: &usize| self.reader.is_proper(*no) && !self.reader.is_mark(*no);
        let count = words.clone().rev().take_while(proper).count();
        let start = words.end - count;
        let lead = words.start..start;
        if count > 0 && lead.clone().any(|no| !self.reader.is_capital(no)) { start..words.end } else { words }
    }

    /// The same, at the end of the words before what gives way: "can we do 11 instead of 10".
    fn read_last(&self, slot: usize, old: &Range<usize>, new: &Range<usize>) -> Option<Found> {
        const MOST: usize = 4;
        let typed = self.board.slots.get(slot).is_some_and(|slot| !slot.takes_any_words());
        let from = if typed && new.end <= old.start { new.end.saturating_sub(MOST).max(new.start) } else { new.end };
        (from..new.end).find_map(|start| self.read_new(slot, &(start..new.end)))
    }

    /// "July, not June", "1986, not 1968": the days that stand in it, in the other month or year.
    fn other_part(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, Found)> {
        let Some((from, to)) = partly::part(self.reader, old).zip(partly::part(self.reader, new)) else {
            return Vec::new();
        };
        let span = self.reader.raw_range(self.bare(new.clone()));
        let moved = self.board.slots.iter().enumerate().filter_map(|(no, slot)| {
            let held = slot.value.filter(|held| partly::holds(held, from))?;
            let value = partly::with(held, to, self.board.today)?;
            Some((no, Found { span: span.clone(), value, strength: Strength::Typed }))
        });
        moved.collect()
    }

    /// Whether a value is all that some words say beside the name of its field.
    fn is_all(&self, slot: &Slot<'_>, found: &Found, words: &Range<usize>) -> bool {
        let span = self.reader.words_of(&found.span);
        let named = |no: usize| self.board.mentions_of(slot).any(|mention| mention.words.contains(&no));
        let small = |no: usize| {
            let turns = turn_at(self.reader, no, words.end).is_some();
            turns || self.reader.is_idle(no) || near::is_small(self.reader, no)
        };
        !span.is_empty() && words.clone().all(|no| span.contains(&no) || small(no) || named(no))
    }

    /// The words behind a field's name and what else leads to a value.
    fn past_names(&self, slot: &Slot<'_>, words: &Range<usize>) -> Range<usize> {
        let leads = |no: usize| {
            let correct = self.reader.len(|lang| &lang.sentence.correct, no, words.end);
            correct.max(self.reader.len(|lang| &lang.sentence.make, no, words.end))
        };
        let names = self.board.mentions_of(slot).map(|mention| mention.words.clone());
        let led = words.clone().map(|no| no..no + leads(no)).filter(|led| !led.is_empty());
        let inside = |led: &Range<usize>| words.start <= led.start && led.end < words.end;
        let start = names.chain(led).filter(inside).map(|led| led.end).max();
        start.unwrap_or(words.start)..words.end
    }

    /// Words without those around them that mean nothing.
    fn bare(&self, words: Range<usize>) -> Range<usize> {
        let start = words.clone().find(|no| !self.reader.is_idle(*no)).unwrap_or(words.end);
        let end = words.rev().find(|no| !self.reader.is_idle(*no)).map_or(start, |no| no + 1);
        start..end.max(start)
    }
}

/// Whether two values are the same, in whatever currency.
fn is_same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Money { amount: one, .. }, Value::Money { amount: two, .. }) => one == two,
        _ => one == two,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const PARTY: &str = r#"
id = "party"
title = "Party"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Invitados", de = "Gäste", fr = "Invités", ar = "الضيوف" }

[[field]]
id = "hour"
kind = "time"
label = { en = "Time", it = "Ora", es = "Hora", de = "Uhrzeit", fr = "Heure", ar = "الوقت" }

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "town"
kind = "text"
subtype = "place"
label = { en = "Town", it = "Città", es = "Ciudad", de = "Stadt", fr = "Ville", ar = "المدينة" }
"#;

    #[rstest]
    #[case("en", "hour=19:00", "8 not 7", "hour=20:00")]
    #[case("en", "hour=19:00", "at 8 not 7", "hour=20:00")]
    #[case("en", "hour=19:00", "not 7, 8", "hour=20:00")]
    #[case("en", "hour=19:00", "not at 7 but at 8", "hour=20:00")]
    #[case("en", "guests=7; hour=19:00", "8 not 7", "guests=8")]
    #[case("en", "guests=4", "5 rather than 4", "guests=5")]
    #[case("en", "guests=2; budget=80", "90 not 80", "budget={amount:90.00,currency:EUR}")]
    #[case("en", "budget=80", "the budget is 90 not 80", "budget={amount:90.00,currency:EUR}")]
    #[case("en", "town=lisbon", "porto not lisbon", "town=porto")]
    #[case("en", "town=lisbon", "not lisbon, porto", "town=porto")]
    #[case("en", "town=lisbon", "it should be porto, not lisbon", "town=porto")]
    #[case("en", "town=lisbon", "change lisbon to porto please", "town=porto")]
    #[case("it", "hour=20:00", "9 non 8", "hour=21:00")]
    #[case("es", "hour=20:00", "9, no 8", "hour=21:00")]
    #[case("de", "hour=20:00", "9 nicht 8", "hour=21:00")]
    #[case("de", "guests=8", "8 nein, 7", "guests=7")]
    #[case("fr", "hour=08:00", "9 pas 8", "hour=09:00")]
    #[case("ar", "hour=08:00", "الساعة ٩ بدلا من ٨", "hour=09:00")]
    #[case("en", "hour=10:00; guests=3", "can we do 11 instead of 10?", "hour=11:00")]
    #[case("en", "guests=4", "could you take 5 instead of 4?", "guests=5")]
    #[case("it", "guests=4", "possiamo fare 5 invece di 4?", "guests=5")]
    fn the_answer_that_gives_way_tells_what_is_put_right(
        #[case] lang: &'static str,
        #[case] having: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(PARTY, "review").speaking(lang).having(having).fills(said);
        assert_eq!(line.replace('"', ""), expected, "{said}");
    }

    #[rstest]
    #[case("porto not paris", "town=lisbon")]
    #[case("we are not 7", "guests=7")]
    fn what_nothing_holds_gives_no_way(#[case] said: &str, #[case] having: &str) {
        assert_eq!(Stage::new(PARTY, "review").having(having).fills(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "hour=19:00", "make it 6", "hour=18:00")]
    #[case("en", "hour=19:00", "8 would be better", "hour=20:00")]
    #[case("en", "hour=19:00; guests=3", "make it 6", "guests=6")]
    #[case("en", "hour=19:00; guests=3", "better at 6", "hour=18:00")]
    #[case("it", "hour=20:30; guests=4", "anzi facciamo alle 9", "hour=21:00")]
    #[case("es", "hour=20:00; guests=4", "mejor a las 9", "hour=21:00")]
    #[case("de", "hour=20:00; guests=4", "doch lieber um 9", "hour=21:00")]
    #[case("fr", "hour=08:00; guests=4", "plutôt à 9h", "hour=09:00")]
    fn a_bare_number_moves_the_time_where_nothing_that_stands_counts(
        #[case] lang: &'static str,
        #[case] having: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(PARTY, "review").speaking(lang).having(having).fills(said);
        assert_eq!(line, expected, "{said}");
    }

    #[rstest]
    #[case("es", "8 no, 9", "guests=9")]
    #[case("es", "dos, no, tres", "guests=3")]
    #[case("it", "due, no, tre", "guests=3")]
    #[case("it", "5 no, 6", "guests=6")]
    #[case("de", "8 nein, 9", "guests=9")]
    #[case("en", "three, scratch that, four", "guests=4")]
    #[case("en", "we were 3 so now 4", "guests=4")]
    #[case("es", "cuatro, bueno tres", "guests=3")]
    #[case("en", "four, well three", "guests=3")]
    #[case("de", "vier, naja drei", "guests=3")]
    #[case("fr", "quatre, donc trois", "guests=3")]
    #[case("it", "quattro, beh tre", "guests=3")]
    fn what_is_said_last_is_meant(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(PARTY, "guests").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "we land at 14:00 so 15:30")]
    #[case("it", "arriviamo alle 14:00 quindi alle 15:30")]
    #[case("de", "wir landen um 14:00, also um 15:30")]
    fn what_follows_from_another_time_is_meant(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(PARTY, "hour").speaking(lang).fills(said), "hour=15:30", "{said}");
    }
}
