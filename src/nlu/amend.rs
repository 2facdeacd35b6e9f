//! Corrections of other answers while words are asked: "sorry, make it until the 16th", "not Paolo, Pietro".

use std::ops::Range;

use super::asked::covers;
use super::assign::without;
use super::ledger::{Ledger, shown};
use super::prepare::{corrects, marks_correction};
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot, read};
use super::texts::without_small_words;
use super::{Scene, partly, swap};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Said, Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_text::stem;

/// Reads a correction of an answer given before, where that is all a message says: "sorry, make it until the 16th".
pub(super) fn corrected(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) -> bool {
    const MOST_WORDS: usize = 12;
    let all = 0..reader.said.words.len();
    if all.len() > MOST_WORDS || !ledger.fills.is_empty() || !corrects(reader, all.clone()) {
        return false;
    }
    let start = all.clone().find(|no| {
        let correct = reader.len(|lang| &lang.sentence.correct, *no, all.end);
        correct == 0 && !reader.is_mark(*no) && reader.filler(*no, all.end) == 0
    });
    let words = start.unwrap_or(0)..all.end;
    let mut hits = Vec::new();
    for (no, slot) in board.slots.iter().enumerate() {
        let changeable = !slot.asked && slot.value.is_some() && !slot.takes_any_words();
        if !changeable || matches!(slot.field.kind, Kind::YesNo(_)) {
            continue;
        }
        for part in [all.clone(), words.clone()] {
            if let Reading::Value(found) = read(scene, reader, slot, part)
                && found.strength > Strength::Weak
                && covers(reader, &reader.words_of(&found.span), all.clone())
            {
                hits.push((no, found));
                break;
            }
        }
    }
    match (hits.pop(), hits.is_empty()) {
        (Some((no, found)), true) => ledger.fill(reader, no, found, true),
        _ => false,
    }
}

/// Puts values in the place of those that are said to give way.
pub(super) fn instead(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    swap::fill(scene, reader, board, ledger);
    moved(scene, reader, board, ledger);
    restated(scene, reader, board, ledger);
    replaced(scene, reader, board, ledger);
    partly::fill(reader, board, ledger);
    made(scene, reader, board, ledger);
    renamed_option(scene, reader, board, ledger);
}

/// Puts an option in the place of another one that is taken back, where part of its name tells which: "the oven, no sorry
/// the dryer" of a tumble dryer.
fn renamed_option(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    const MOST_WORDS: usize = 5;
    let end = reader.said.words.len();
    let choice = |cand: &&Cand| !cand.negated && matches!(board.kind_of(cand), Some(Kind::Choice(_)));
    let Some(old) = board.cands.iter().find(choice) else { return };
    let Some(at) = (old.words.end..end).find(|no| marks_correction(reader, *no, end)) else { return };
    let correct = |no: usize| reader.len(|lang| &lang.sentence.correct, no, end);
    let mut start = at;
    while start < end && (correct(start) > 0 || reader.is_mark(start)) {
        start += correct(start).max(1);
    }
    let words = start..reader.clause_end(start);
    if words.is_empty() || words.len() > MOST_WORDS || board.cands.iter().any(|cand| overlap(&cand.words, &words)) {
        return;
    }
    for no in board.takers(old).iter().filter(|no| !ledger.has(**no)).copied().collect::<Vec<_>>() {
        let Some(slot) = board.slots.get(no) else { continue };
        if let Reading::Value(found) = read(scene, reader, slot, words.clone())
            && matches!(found.value, Value::Option(_))
            && ledger.fill_named(reader, no, found)
        {
            ledger.claim(old.words.clone());
            return;
        }
    }
}

/// Puts a bare number in the place of the only time that stands: "move it to 3", "better at 9". One that nothing says is
/// an hour may be as many of something that stands, or of what is asked for.
fn moved(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let only = |fits: fn(&Kind) -> bool| {
        let mut such =
            board.slots.iter().enumerate().filter(|(_, slot)| slot.value.is_some() && fits(&slot.field.kind));
        such.next().filter(|_| such.next().is_none())
    };
    let time = only(|kind| matches!(kind, Kind::Time(_))).or_else(|| only(|kind| matches!(kind, Kind::Datetime(_))));
    let Some((no, slot)) = time else { return };
    let counts = |slot: &Slot<'_>| is_number(&slot.field.kind) || matches!(slot.field.kind, Kind::Money(_));
    let counted = board.slots.iter().any(|slot| counts(slot) && (slot.value.is_some() || slot.asked));
    for clause in &reader.clauses {
        let words = clause.words.clone();
        let mut digits = words.clone().filter(|no| reader.is_digits(*no));
        let (Some(at), None) = (digits.next(), digits.next()) else { continue };
        let start = reader.past_filler(words.clone());
        let moves = reader.len(|lang| &lang.sentence.moves_to, start, words.end);
        let led = moves > 0 && start + moves == at;
        let hour = (words.start..at).any(|no| is_hour_word(reader, no, at));
        let corrects = || corrects(reader, words.clone()) && (hour || !counted);
        let small = |no: usize| no == at || led && no < at || reader.is_idle(no);
        if !words.clone().all(small) || !(led || corrects()) || !ledger.is_free(at..at + 1) {
            continue;
        }
        if ledger.note(scene, reader, board, no, read(scene, reader, slot, at..at + 1)) {
            ledger.last_was_named();
            ledger.claim(words);
        }
    }
}

/// Whether a word leads to an hour at `end` and to nothing else: "at", "alle", "um"; not "pour" and "before".
pub(super) fn is_hour_word(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let lang = |lang: &Language| {
        let phrases = lang.date.beginning_at(reader.said, no).iter();
        let mut reaching = phrases.filter(|phrase| no + 1 + phrase.rest.len() == end).map(|phrase| phrase.term);
        let other = |term: Term| matches!(term, Term::Mark(mark) if mark == Mark::For || mark.compares());
        reaching.clone().any(|term| term == Term::Mark(Mark::At)) && !reaching.any(other)
    };
    reader.langs().any(lang)
}

/// Puts words in the place of the answer that is said again: "12 Mill Lane should be 14 Mill Lane".
fn restated(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for (no, slot) in board.slots.iter().enumerate() {
        let words = slot.takes_any_words() && !slot.is_long();
        let Some(value) = slot.value.filter(|_| words && !ledger.has(no)) else { continue };
        let held = Said::new(&shown(scene, slot, value));
        let starts = 0..reader.said.words.len();
        let mut olds =
            starts.filter_map(|at| said_again(reader, &held, at)).filter(|old| old.len() == held.words.len());
        let Some(old) = olds.next() else { continue };
        let end = reader.clause_end(old.end.saturating_sub(1));
        let ought = reader.len(|lang| &lang.sentence.ought, old.end, end);
        let new = without_small_words(reader, old.end + ought..end);
        if ought > 0
            && !new.is_empty()
            && ledger.is_free(old.start..new.end)
            && let Reading::Value(found) = read(scene, reader, slot, new.clone())
            && ledger.fill_named(reader, no, found)
        {
            ledger.claim(old.start..end);
            return;
        }
    }
}

/// Puts words in the place of those that are said to give way: "it goes to Maria Lopez, not Mario", "not Fresno, I said
/// Merced", "Derek rather than Paula".
fn replaced(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let all = 0..reader.said.words.len();
    for (no, slot) in board.slots.iter().enumerate() {
        let words = slot.takes_any_words() && !slot.is_long() && slot.subtype() != Some(Subtype::Address);
        let Some(value) = slot.value.filter(|_| words && !slot.asked && !ledger.has(no)) else { continue };
        let held = Said::new(&shown(scene, slot, value));
        let Some(old) = all.clone().filter_map(|no| said_again(reader, &held, no)).find(|old| gives_way(reader, old))
        else {
            continue;
        };
        // "No, it's Ann Berger, not Berg."
        let apart = |run: &Range<usize>| (run.end <= old.start || old.end <= run.start) && !gives_way(reader, run);
        let mut new = capitals(reader, all.clone()).into_iter().filter(apart);
        if let (Some(run), None) = (new.next(), new.next())
            && ledger.is_free(run.clone())
            && let Reading::Value(found) = read(scene, reader, slot, run)
            && ledger.fill_named(reader, no, found)
        {
            ledger.claim(all);
            return;
        }
    }
}

/// Where the words of an answer, or the first of them, are said again.
fn said_again(reader: &Reader<'_>, held: &Said, no: usize) -> Option<Range<usize>> {
    let same = |at: &usize| !held.plain(*at).is_empty() && held.plain(*at) == reader.said.plain(no + at);
    let len = (0..held.words.len()).take_while(same).count();
    (len > 0).then_some(no..no + len)
}

/// Whether a word right before says that something is not meant: "not", "rather than".
fn gives_way(reader: &Reader<'_>, old: &Range<usize>) -> bool {
    (old.start.saturating_sub(3)..old.start).any(|no| {
        let not = reader.len(|lang| &lang.yes_no.negation, no, old.start);
        let len = not.max(reader.len(|lang| &lang.sentence.instead, no, old.start));
        len > 0 && (no + len..old.start).all(|no| reader.is_idle(no) && !reader.is_mark(no))
    })
}

/// Words in capitals, in runs; the first of a sentence only with another behind it, or by itself.
fn capitals(reader: &Reader<'_>, words: Range<usize>) -> Vec<Range<usize>> {
    let names = |no: usize| reader.is_capital(no) && !reader.is_idle(no) && !reader.is_mark(no);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for no in words.filter(|no| names(*no)) {
        match runs.last_mut() {
            Some(last) if last.end == no => last.end = no + 1,
            _ => runs.push(no..no + 1),
        }
    }
    let first = |run: &Range<usize>| {
        let clause = reader.clause_words(run.start);
        let then = reader.len(|lang| &lang.sentence.instead, run.end, clause.end) > 0;
        run.start == 0 && run.len() == 1 && clause.len() > 2 && !then
    };
    // "Ross with an R."
    let letter = |run: &Range<usize>| run.len() == 1 && reader.said.word(run.start).chars().count() == 1;
    runs.retain(|run| !first(run) && !letter(run));
    runs
}

/// Puts a name in the place of the only words that stand: "make it Milan", "Milan instead".
fn made(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    const MOST_WORDS: usize = 8;
    let count = reader.said.words.len();
    let words_asked = || board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::takes_any_words);
    if count > MOST_WORDS || !ledger.fills.is_empty() || words_asked() {
        return;
    }
    let names = |slot: &Slot<'_>| slot.takes_any_words() && !slot.is_long() && slot.value.is_some();
    let mut held = board.slots.iter().enumerate().filter(|(_, slot)| names(slot));
    let (Some((no, slot)), None) = (held.next(), held.next()) else { return };
    if !matches!(slot.subtype(), None | Some(Subtype::Place | Subtype::Person)) {
        return;
    }
    let Some(name) = left_behind_corrections(reader) else { return };
    let known = |no: usize| scene.form.cues().knows(stem(reader.said.plain(no)));
    let means_more = |lang: &Language, no: usize| {
        let word = reader.said.plain(no);
        let alone = lang.date.beginning(word).iter().any(|phrase| phrase.rest.is_empty());
        alone || lang.yes_no.negation.word(word).is_some()
    };
    let names = |no: usize| {
        let more = reader.is_of_number(no) || reader.langs().any(|lang| means_more(lang, no));
        reader.is_capital(no) && !known(no) && !more
    };
    let other = |cand: &Cand| cand.strength > Strength::Weak && overlap(&cand.words, &name);
    if name.clone().all(names)
        && !board.cands.iter().any(other)
        && ledger.is_free(name.clone())
        && let Reading::Value(found) = read(scene, reader, slot, name)
        && ledger.fill_named(reader, no, found)
    {
        ledger.claim(0..count);
    }
}

/// The only words of a message beside those that take something back, and those without a meaning; none where nothing is taken
/// back.
fn left_behind_corrections(reader: &Reader<'_>) -> Option<Range<usize>> {
    let count = reader.said.words.len();
    let mut left: Option<Range<usize>> = None;
    let (mut at, mut corrects) = (0, false);
    while at < count {
        let correct = reader.len(|lang| &lang.sentence.correct, at, count);
        let len = correct.max(reader.len(|lang| &lang.sentence.make, at, count));
        corrects |= len > 0;
        if len == 0 && !reader.is_mark(at) && !reader.is_idle(at) {
            match &mut left {
                Some(words) if words.end == at => words.end = at + 1,
                Some(_) => return None,
                None => left = Some(at..at + 1),
            }
        }
        at += len.max(1);
    }
    let mut left = left.filter(|_| corrects)?;
    // "New" of "New York" means nothing by itself.
    let named = |no: usize| no > 0 && reader.is_capital(no) && reader.said.word(no).chars().count() > 1;
    while left.start > 1 && named(left.start - 1) && !reader.is_mark(left.start - 1) {
        left.start -= 1;
    }
    Some(left)
}

/// "No onions" takes an option out of several that are picked already.
pub(super) fn take_out(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for (no, slot) in board.slots.iter().enumerate() {
        let Some(have) = slot.value.filter(|_| matches!(slot.field.kind, Kind::Choices(_)) && !ledger.has(no)) else {
            continue;
        };
        for at in 0..reader.said.words.len() {
            let end = reader.clause_end(at);
            let negation = reader.len(|lang| &lang.yes_no.negation, at, end);
            let len = negation.max(reader.len(|lang| &lang.control.clear, at, end));
            let from = at + len;
            if len == 0 || from >= end || !ledger.is_free(at..end) {
                continue;
            }
            let until = (from..end).find(|no| reader.is_mark(*no)).unwrap_or(end);
            let Reading::Value(gone) = read(scene, reader, slot, from..until) else { continue };
            let left = without(have, &gone.value).filter(|left| left != have);
            if let Some(value) = left.filter(|_| gone.strength > Strength::Weak) {
                ledger.claim(at..from);
                if ledger.fill(reader, no, Found { value, ..gone }, true)
                    && let Some(filled) = ledger.fills.last_mut()
                {
                    filled.replaces = true;
                }
                break;
            }
        }
    }
}

/// Reads another name in the place of one given before: "not Paolo, Pietro".
pub(super) fn renamed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) -> bool {
    let Some(last) = reader.clauses.last().map(|clause| clause.words.clone()) else { return false };
    for (no, slot) in board.slots.iter().enumerate() {
        let person = slot.subtype() == Some(Subtype::Person) || matches!(slot.field.kind, Kind::Person(_));
        let Some(value) = slot.value.filter(|_| person) else { continue };
        let held = Said::new(&shown(scene, slot, value));
        let same = |at: usize| (0..held.words.len()).any(|no| held.plain(no) == reader.said.plain(at));
        let gives_way = (0..last.start).any(|at| {
            let before = at.saturating_sub(2)..at;
            same(at) && before.clone().any(|no| reader.len(|lang| &lang.yes_no.negation, no, at) > 0)
        });
        if !gives_way || ledger.has(no) {
            continue;
        }
        if let Reading::Value(found) = read(scene, reader, slot, last.clone())
            && ledger.fill(reader, no, found, true)
        {
            ledger.claim(0..reader.said.words.len());
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Stay"

[[field]]
id = "from"
kind = "date"
label = "First day"

[[field]]
id = "until"
kind = "date"
label = "Last day"

[[field]]
id = "seats"
kind = "integer"
label = "Seats"

[[field]]
id = "deposit"
kind = "money"
label = "Deposit"
currency = "EUR"
"#;

    #[rstest]
    #[case("change monday to tuesday", "from=2026-11-24")]
    #[case("change friday to thursday", "until=2026-11-26")]
    #[case("please change 20 to 30", "deposit={amount:30.00,currency:EUR}; ~=seats=20")]
    #[case("change 5 to 7", "seats=7")]
    #[case("change the seats to 7", "seats=7")]
    #[case("the 27th should be the 28th", "until=2026-11-28")]
    #[case("20 should be 30", "deposit={amount:30.00,currency:EUR}")]
    #[case("5 should be 7", "seats=7")]
    fn a_value_is_put_in_the_place_of_the_one_that_is_named(#[case] said: &str, #[case] expected: &str) {
        let having = "from=2026-11-23; until=2026-11-27; seats=5; deposit=20";
        let line = Stage::new(STAY, "review").having(having).fills(said);
        assert_eq!(line.replace('"', ""), expected, "{said}");
    }

    #[rstest]
    #[case("en", "12 Mill Lane should be 14 Mill Lane")]
    #[case("it", "12 Mill Lane dovrebbe essere 14 Mill Lane")]
    #[case("es", "12 Mill Lane debería ser 14 Mill Lane")]
    #[case("de", "12 Mill Lane sollte 14 Mill Lane sein")]
    #[case("fr", "12 Mill Lane devrait être 14 Mill Lane")]
    fn an_answer_that_is_said_again_gives_way(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[values("review", "budget")] pending: &str,
    ) {
        let stage = Stage::new(PARCEL, pending).speaking(lang).having("street=12 Mill Lane");
        assert_eq!(stage.fills(said), "street=14 Mill Lane", "{said}");
    }

    #[rstest]
    #[case("en", "no, it's Ada Berger, not Berg", "who=Ada Berger")]
    #[case("it", "no è Ada Berger, non Berg", "who=Ada Berger")]
    #[case("fr", "non c'est Ada Berger, pas Berg", "who=Ada Berger")]
    fn what_is_denied_takes_no_place(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let who = "\n[[field]]\nid = \"who\"\nkind = \"text\"\nsubtype = \"person\"\nlabel = \"Recipient\"\n";
        let stage = Stage::new(&format!("{PARCEL}{who}"), "review").speaking(lang).having("who=Ada Berg");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    const PARCEL: &str = r#"
id = "parcel"
title = "Parcel"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "street"
kind = "address"
label = "Address"

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"
"#;

    const GOES: &str = r#"
id = "goes"
title = "Trip"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "town"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "people"
kind = "integer"
label = "People"
"#;

    #[rstest]
    #[case("en", "make it Milan", "town=Milan")]
    #[case("en", "Milan instead", "town=Milan")]
    #[case("en", "sorry, I meant New York", "town=New York")]
    #[case("it", "anzi Torino", "town=Torino")]
    #[case("es", "mejor Sevilla", "town=Sevilla")]
    #[case("de", "doch lieber Hamburg", "town=Hamburg")]
    #[case("fr", "plutôt Lille", "town=Lille")]
    #[case("en", "make it cheap", "")]
    #[case("en", "Tomorrow instead", "")]
    fn the_only_name_that_stands_is_put_right_by_another_one(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("", "people", "review")] asked: &str,
    ) {
        let stage = Stage::new(GOES, asked).speaking(lang).having("town=Leeds");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    const TRANSFER: &str = r#"
id = "transfer"
title = "Transfer"

[[field]]
id = "to"
kind = "text"
label = "Recipient"
subtype = "person"

[[field]]
id = "town"
kind = "text"
label = "City"
subtype = "place"
"#;

    #[rstest]
    #[case("That's wrong, it goes to Maria Lopez, not Mario", "to=Maria Lopez")]
    #[case("Maria Lopez rather than Mario, please", "to=Maria Lopez")]
    #[case("not Fresno, I said Merced", "town=Merced")]
    #[case("Merced instead of Fresno", "town=Merced")]
    #[case("Mario should be Maria", "to=Maria")]
    #[case("Fresno should be Merced", "town=Merced")]
    #[case("Fresno is fine, and so is Mario", "")]
    fn a_name_takes_the_place_of_the_one_that_is_not_meant(#[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(TRANSFER, "review").having("to=Mario; town=Fresno");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    const REPAIR: &str = r#"
id = "repair"
title = "Repair"

[[field]]
id = "device"
kind = "choice"
label = "Appliance"
options = [{ id = "dryer", label = "Tumble dryer" }, { id = "oven", label = "Oven" }]
"#;

    #[rstest]
    #[case("", "the oven, no sorry the dryer", "device=dryer")]
    #[case("device", "the oven, no sorry the dryer", "device=dryer")]
    #[case("device", "the oven, sorry about the noise", "device=oven")]
    fn part_of_an_options_name_corrects_another(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(REPAIR, asked).line(said);
        assert_eq!(line.split("; ").next().unwrap_or_default(), expected, "{said}");
    }
}
