//! How well a value fits a field: its own strength, the words around it, and where the conversation stands.

use std::ops::Range;

use super::between::{announced, barred, counts, counts_its_own, is_counted, leads_on, meaningful};
use super::counted::{
    answers_another, counts_another_thing, counts_other, ends_hours, has_another_noun, is_hour, is_house_number,
    is_of_all, is_ordinal, is_price, is_quantity, is_rate, is_remitted, is_told_hour, is_year,
};
use super::for_people::{for_people, is_for_some};
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use super::{any_number, beside, elsewhere, near, passing, replaced, strung};
use formwright_form::Kind;
use formwright_form::cues::{Crowd, Mention, Role};
use formwright_form::kind::{Strength, overlap};

/// Least score at which a value is taken.
const ENOUGH: f32 = 4.0;

/// A value for a field, and how well it fits.
#[derive(Clone, Debug)]
pub(super) struct Scored {
    pub(super) slot: usize,
    pub(super) cand: usize,
    pub(super) score: f32,
    /// The field was named, or the words can mean nothing else.
    pub(super) sure: bool,
    /// The field was named.
    pub(super) named: bool,
}

/// What the message as a whole does to its values.
#[derive(Debug, Default)]
pub(super) struct Tide {
    /// For each clause: it corrects something said before.
    pub(super) correcting: Vec<bool>,
    /// Answers are being looked over: anything said is a change.
    pub(super) reviewing: bool,
    /// For each value: what the words before make it of two.
    pub(super) roles: Vec<Option<Role>>,
    /// Values whose words are the whole message: one, or several of the same field ("margherita or diavola").
    pub(super) whole: Vec<usize>,
}

impl Tide {
    /// Whether a clause corrects something said before.
    pub(super) fn corrects(&self, clause: usize) -> bool {
        self.correcting.get(clause).copied().unwrap_or(false)
    }

    /// Whether what a clause says changes answers that are there.
    pub(super) fn changes(&self, clause: usize) -> bool {
        self.reviewing || self.corrects(clause)
    }
}

/// How well a value fits a slot; `None` where it does not.
pub(super) fn score(
    reader: &Reader<'_>,
    board: &Board<'_>,
    tide: &Tide,
    slot_no: usize,
    cand_no: usize,
) -> Option<Scored> {
    let slot = board.slots.get(slot_no)?;
    let cand = board.cands.get(cand_no)?;
    let kind = &slot.field.kind;
    let correcting = tide.corrects(reader.clause_of(cand.words.start));
    let corrects = correcting && slot.value.is_some();
    let by_role = is_other_end(board, tide, slot, cand_no);
    let is_whole = tide.whole.contains(&cand_no);
    // "Margherita or diavola" asks which though one of them is the answer that stands.
    let alternatives = is_whole && tide.whole.len() > 1;
    let people = is_told(reader, board, slot, cand) && !answers_another(reader, board, slot_no, cand);
    let base = match cand.strength {
        Strength::Weak | Strength::Typed if corrects && takes_place(board, slot_no, &cand.words) => 5.0,
        // "Make it the 13th" counts nothing, nor does what takes the place of another answer.
        Strength::Weak | Strength::Typed if corrects && is_number(kind) && is_ordinal(reader, cand) => 1.0,
        Strength::Weak | Strength::Typed
            if (is_number(kind) || matches!(kind, Kind::Money(_)))
                && corrects
                && !(0..board.slots.len()).any(|no| takes_place(board, no, &cand.words))
                && !is_inside(board, cand, is_telling) =>
        {
            5.0
        }
        Strength::Weak if is_number(kind) && counts_known(reader, board, cand) => 4.0,
        Strength::Weak if is_number(kind) && any_number::is(reader, board, cand) => 4.0,
        Strength::Weak if by_role && (corrects || tide.reviewing) => 4.0,
        Strength::Weak if near::is_day_said(reader, board, tide, slot, cand_no, corrects) => 4.0,
        // "Make it Gulf": a word of the option's name is enough where nothing else is said.
        Strength::Weak if is_whole && (correcting || tide.reviewing) && matches!(kind, Kind::Choice(_)) => 4.0,
        Strength::Weak | Strength::Typed if people => 5.0,
        // "Ph 9790121213": nothing but the word before tells what the digits are.
        Strength::Weak if matches!(kind, Kind::Phone(_)) && announced(reader, kind, cand) => 4.0,
        Strength::Weak if is_year(slot, cand) || is_told_hour(reader, board, slot, cand, correcting) => 4.0,
        Strength::Weak if matches!(kind, Kind::Money(_)) && is_remitted(reader, &cand.words) => 4.0,
        Strength::Weak if is_price(reader, board, slot, cand) && !is_inside(board, cand, is_telling) => 4.0,
        Strength::Exact => 6.0,
        Strength::Typed => 4.0,
        Strength::Weak => 1.0,
    };
    let cue = replaced::cue_or_that_of_old(reader, board, slot, cand);
    let announced = if announced(reader, kind, cand) { 1.5 } else { 0.0 };
    if matches!(kind, Kind::YesNo(_)) && !slot.asked && cue < 2.0 && reader.is_yes_no(&cand.words) {
        return None;
    }
    if base < 4.0 && !slot.asked && cue < 2.0 || is_out(reader, board, slot, cand, cue >= 2.0, is_whole) {
        return None;
    }
    let length = f32::from(u8::try_from(cand.words.len().min(6)).unwrap_or(6)) * 0.1;
    let mut score = base + rank(kind) + length + cue + announced;
    if slot.asked {
        score += if beside::stands_in_front(reader, board, slot_no, cand) { 8.0 } else { 3.0 };
    } else if slot.value.is_some() && (alternatives || slot.value != Some(&cand.value)) {
        score -= match () {
            () if correcting || cue >= 3.0 || by_role => 0.0,
            () if tide.reviewing => 0.0,
            () if is_whole => 2.0,
            () => 4.0,
        };
        if slot.recent && correcting {
            score += 1.0;
        }
    }
    // A range has both ends, whatever its name begins with.
    let own_role = slot.role.filter(|_| !matches!(kind, Kind::DateRange(_)));
    score += match (tide.roles.get(cand_no).copied().flatten(), own_role) {
        (Some(said), Some(own)) if said == own => 3.0,
        // Right behind its whole name it is that, whatever else is said.
        (Some(_), Some(_)) if cue < 5.0 => -3.0,
        _ => 0.0,
    };
    let number = is_number(kind);
    if number
        && !board.anything
        && cue < 2.0
        && !people
        && !is_year(slot, cand)
        && has_another_noun(reader, board, cand, !corrects)
    {
        score -= if slot.asked || corrects { 1.0 } else { 4.0 };
    }
    // Four digits are a year where one is asked for, and a code only where one is announced.
    let year = |other: &Cand| {
        let slots = board.takers(other).iter().filter_map(|no| board.slots.get(*no));
        other.words == cand.words && slots.filter(|slot| slot.value.is_none()).any(|slot| is_year(slot, other))
    };
    if !number && cue < 2.0 && !slot.asked && board.cands.iter().any(year) {
        score -= 3.0;
    }
    // The house number of an address counts nothing.
    if number && cue < 2.0 && is_inside(board, cand, |kind| matches!(kind, Kind::Address(_) | Kind::Text(_))) {
        score -= 3.0;
    }
    let telling = cand.strength == Strength::Exact || (cand.strength == Strength::Typed && is_telling(kind));
    let unfilled = slot.value.is_none() || correcting || tide.reviewing || is_whole;
    let sure = cue >= 2.0 || people || corrects || by_role || (telling && unfilled);
    (score >= ENOUGH).then_some(Scored {
        slot: slot_no,
        cand: cand_no,
        score,
        sure,
        named: cue >= 2.0 || announced > 0.0 || by_role,
    })
}

/// Whether a value is none of a slot's, by what it is said of; `named` where the words around it name the slot, `whole`
/// where it is all that is said.
pub(super) fn is_out(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    cand: &Cand,
    named: bool,
    whole: bool,
) -> bool {
    let kind = &slot.field.kind;
    let number = is_number(kind);
    let own_age = || elsewhere::is_own_age(reader, board, slot, &cand.words);
    let other = || counts_other(board, slot, cand) && !own_age() || is_rate(reader, slot, cand);
    if number && (other() || elsewhere::is_age(reader, board, slot, &cand.words)) {
        return true;
    }
    // "From noon to 1" counts nothing, nor does "better at 9" where a time stands.
    if number && (ends_hours(reader, board, cand) || !named && is_hour(reader, board, cand)) {
        return true;
    }
    if number && !slot.asked && !named && passing::is_before_another(board, slot, cand) {
        return true;
    }
    // "The party is at 12 Station Road": of a number of guests.
    let at = || cand.words.start.checked_sub(1).is_some_and(|no| reader.len(|lang| &lang.naming.at, no, no + 1) > 0);
    let house = || number && at() && is_house_number(reader, &cand.words);
    if beside::begins_a_day(board, cand) || house() || strung::is_no_postcode(reader, slot, &cand.words) {
        return true;
    }
    if named {
        return false;
    }
    if replaced::is_of_another(reader, board, slot, cand) {
        return true;
    }
    // "Send 50 to Ann" tells no code.
    let digits = || cand.words.clone().all(|no| reader.is_digits(no));
    let money = || board.slots.iter().any(|slot| matches!(slot.field.kind, Kind::Money(_)));
    let amount = matches!(kind, Kind::Pattern(_)) && digits() || number && money();
    // "We are 4" tells not how many of them are children.
    let apart = matches!(slot.crowd, Some(Crowd::Grown | Crowd::Minors)) && !slot.people;
    let moment = |kind: &Kind| matches!(kind, Kind::Datetime(_));
    let part_of_moment = matches!(kind, Kind::Date(_) | Kind::Time(_)) && is_inside(board, cand, moment);
    // "Table for four" says nothing of stars.
    let numeral = matches!(kind, Kind::Choice(_)) && !slot.asked && !whole;
    let told = slot.counts_people() && is_for_some(reader, cand.words.start);
    !told && counts_another_thing(reader, board, slot, &cand.words)
        || amount && is_remitted(reader, &cand.words)
        || apart && is_of_all(reader, cand) && !counts(board, slot, cand)
        // "My tooth broke two days ago" is no day to come.
        || elsewhere::is_on_the_other_side(reader, board, slot, &cand.value)
        || elsewhere::is_of_the_answer(reader, board, slot, cand)
        || part_of_moment && !slot.asked
        || numeral && passing::is_numeral(reader, cand)
}

/// Whether a value stands in the place of the one that a field holds: "the 12th should be the 13th".
fn takes_place(board: &Board<'_>, slot: usize, words: &Range<usize>) -> bool {
    let held = board.slots.get(slot).and_then(|slot| slot.value);
    let old = |cand: &&Cand| cand.old && cand.words.end <= words.start && board.takers(cand).contains(&slot);
    held.is_some() && board.cands.iter().filter(old).any(|cand| Some(&cand.value) == held)
}

/// Whether a day is said to be the end of two that a field holds: "the last day is 9 December".
fn is_other_end(board: &Board<'_>, tide: &Tide, slot: &Slot<'_>, cand: usize) -> bool {
    let said = tide.roles.get(cand).copied().flatten();
    let own = match slot.field.kind {
        Kind::DateRange(_) => said,
        Kind::Date(_) | Kind::Datetime(_) => slot.role,
        _ => None,
    };
    let into_text = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::is_long);
    said.is_some() && said == own && slot.value.is_some() && !into_text
}

/// Whether a value is part of a longer one of such a kind: the 8 of "Monday at 8 am".
pub(super) fn is_inside(board: &Board<'_>, cand: &Cand, of: impl Fn(&Kind) -> bool) -> bool {
    board.cands.iter().any(|other| {
        let longer =
            other.words.len() > cand.words.len() || cand.strength == Strength::Weak && other.alike != cand.alike;
        let around = other.words.start <= cand.words.start && cand.words.end <= other.words.end;
        longer && around && other.strength > Strength::Weak && board.kind_of(other).is_some_and(&of)
    })
}

/// Whether values of a kind look like nothing else.
pub(super) fn is_telling(kind: &Kind) -> bool {
    rank(kind) >= 0.25
}

/// Which of two kinds a value of equal strength and length belongs to.
fn rank(kind: &Kind) -> f32 {
    match kind {
        Kind::Email(_) => 0.5,
        Kind::Url(_) => 0.45,
        Kind::Phone(_) | Kind::Datetime(_) | Kind::DateRange(_) => 0.4,
        Kind::Date(_) | Kind::Money(_) => 0.35,
        Kind::Time(_) | Kind::Duration(_) | Kind::Percent(_) => 0.3,
        Kind::Choice(_) | Kind::Choices(_) | Kind::YesNo(_) | Kind::Pattern(_) => 0.2,
        _ => 0.0,
    }
}

pub(super) fn is_number(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer(_) | Kind::Number(_) | Kind::Rating(_))
}

/// How clearly the words around a value name the field: 0 not at all, 5 right before.
pub(super) fn cue(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> f32 {
    let clause = reader.clause_of(cand.words.start);
    let mut best = 0.0_f32;
    // "A room for two" counts no rooms.
    let of_people = is_number(&slot.field.kind)
        && !slot.people
        && board
            .takers(cand)
            .iter()
            .filter_map(|no| board.slots.get(*no))
            .any(|of| for_people(reader, board, of, cand));
    for mention in board.mentions_of(slot) {
        if of_people && mention.words.end <= cand.words.start {
            continue;
        }
        if reader.clause_of(mention.words.start) != clause {
            continue;
        }
        // "Bags" of "checked bags" is no name by itself.
        let part = |other: &Mention| other.words.len() > mention.words.len() && overlap(&other.words, &mention.words);
        if board.mentions_of(slot).any(part) {
            continue;
        }
        let said = if mention.words.end <= cand.words.start {
            let between = mention.words.end..cand.words.start;
            // "M" names no depth before a number.
            let letters = mention.unit && reader.said.plain(mention.words.start).chars().count() <= 2;
            if letters
                || barred(board, slot, &between, cand)
                || (is_number(&slot.field.kind) && is_counted(board, mention.words.start, cand))
            {
                continue;
            }
            // "A ticket for a one way flight": of something that is measured otherwise.
            let article = between.end.checked_sub(1).filter(|no| *no >= between.start);
            let article = article.is_some_and(|no| reader.len(|lang| &lang.sentence.articles, no, between.end) > 0);
            let measured = reader.len(|lang| &lang.number.after, cand.words.end, cand.words.end + 2) > 0;
            if is_number(&slot.field.kind) && article && measured && !counts(board, slot, cand) {
                continue;
            }
            match meaningful(reader, board, slot, between) {
                far @ 0..=3 => 5.0 - f32::from(far),
                _ => 0.0,
            }
        } else if mention.words.start >= cand.words.end {
            let between = cand.words.end..mention.words.start;
            if barred(board, slot, &between, cand)
                || (!is_number(&slot.field.kind) && leads_on(reader, board, mention.words.end))
                || (counts_its_own(board, slot, cand) && !counts(board, slot, cand))
            {
                continue;
            }
            let near = if is_number(&slot.field.kind) { 4.0 } else { 2.5 };
            match meaningful(reader, board, slot, between) {
                0 => near,
                1 => near * 0.6,
                _ => 0.0,
            }
        } else if mention.unit {
            // "Three kilos and a half".
            4.0
        } else {
            2.0
        };
        let faint = mention.words.clone().all(|no| reader.is_idle(no));
        best = best.max(said * mention.weight * if faint { 0.6 } else { 1.0 });
    }
    best
}

/// Whether a number tells for how many people, how old somebody is, or how many of a thing, of a field that asks for that.
fn is_told(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let age = || is_number(&slot.field.kind) && elsewhere::is_own_age(reader, board, slot, &cand.words);
    for_people(reader, board, slot, cand) || age() || is_quantity(reader, board, slot, cand)
}

/// Whether the word after a number belongs to a field: an option, a name.
fn counts_known(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let next = cand.words.end;
    let apart = |words: &Range<usize>| words.contains(&next) && !words.contains(&cand.words.start);
    let value = board.cands.iter().any(|other| apart(&other.words) && other.strength == Strength::Exact);
    // "The first day" counts no days.
    !is_ordinal(reader, cand)
        && !reader.is_mark(next)
        && (value || board.mentions.iter().any(|mention| apart(&mention.words)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const FLIGHT: &str = r#"
id = "flight"
title = "Flight"

[[field]]
id = "bags"
kind = "integer"
label = "Checked bags"

[[field]]
id = "passengers"
kind = "integer"
label = "Passengers"

[[field]]
id = "hour"
kind = "time"
label = "Hour"

[[field]]
id = "code"
kind = "pattern"
label = "Code"
regex = "[0-9]{2,6}"

[[field]]
id = "amount"
kind = "money"
label = "Amount"
currency = "EUR"
"#;

    #[rstest]
    #[case("", "two checked bags and one passenger", "bags=2; passengers=1")]
    #[case("", "one passenger and two checked bags", "bags=2; passengers=1")]
    #[case("", "3 passengers with 1 bag", "bags=1; passengers=3")]
    #[case("passengers", "2 bags", "bags=2")]
    #[case("", "lunch from noon to 1", "hour=12:00")]
    #[case("", "the code is 5012", "code=5012")]
    #[case("code", "5012", "code=5012")]
    fn a_number_goes_to_the_name_behind_it(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(FLIGHT, asked).fills(said);
        let mut fills: Vec<&str> = line.split("; ").collect();
        fills.sort_unstable();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("send 50 to Anna")]
    #[case("send Anna 50")]
    #[case("I want to pay 50 to Anna")]
    fn what_is_sent_is_an_amount_and_no_code(#[case] said: &str) {
        let line = Stage::new(FLIGHT, "").means(said);
        assert!(line.starts_with("amount=") && !line.contains("code"), "{said}: {line}");
    }
}
