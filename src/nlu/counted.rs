//! What a number counts, by the words right around it: "2 bags", "we are 4", "send 50", "from noon to 1", "4 nights".

use std::ops::Range;

use super::amend::is_hour_word;
use super::between::counts;
use super::beyond;
use super::passing::is_of_people;
use super::reader::Reader;
use super::score::is_number;
use super::some_of_us::is_of_some_of_us;
use super::spans::{Board, Cand, Slot};
use formwright_form::cues::Mention;
use formwright_form::kind::numeral::{self, Shape};
use formwright_form::kind::{Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::{Language, Phrases, sentence::Announced};
use formwright_text::stem;

/// Whether a number is followed by the name of another field for numbers, and not by that of its own: the 2 of "2 bags".
pub(super) fn counts_other(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    const ENOUGH: f32 = 0.7;
    let number = |no: usize| board.slots.get(no).is_some_and(|slot| is_number(&slot.field.kind));
    let named = |own: bool| {
        board.mentions.iter().any(|mention| {
            let here = mention.words.start == cand.words.end && mention.weight >= ENOUGH;
            here && (mention.field == slot.field.no) == own && board.slot_of(mention.field).is_some_and(number)
        })
    };
    named(false) && !counts(board, slot, cand)
}

/// Whether a number is what somebody sends or pays: "send 50 to Ann", "pay Ann 50".
pub(super) fn is_remitted(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const REACH: usize = 4;
    let clause = reader.clause_words(words.start);
    let sends = |no: usize| {
        let len = reader.len(|lang| &lang.naming.remits, no, words.start);
        len > 0 && (no + len..words.start).all(|no| reader.is_idle(no) || reader.is_capital(no))
    };
    let to = reader.len(|lang| &lang.naming.whom, words.end, clause.end) > 0;
    let alone = words.end >= clause.end || to || reader.is_idle(words.end);
    // "Paid off in 2016."
    let before = words.start.checked_sub(1).and_then(|no| reader.at(|lang| &lang.number.before, no, words.start));
    let year = before.is_some() && words.len() == 1 && reader.said.word(words.start).len() == 4;
    alone && !year && (words.start.saturating_sub(REACH).max(clause.start)..words.start).any(sends)
}

/// Whether a number counts something else than a field is for, by the noun behind it or before it: "3 times", "2 dogs" where
/// people are asked for, "2 people" where a time is, "table 9", "my room number was 7".
pub(super) fn counts_another_thing(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: &Range<usize>,
) -> bool {
    match slot.field.kind {
        Kind::Integer(_) | Kind::Number(_) => {}
        Kind::Date(_) => return is_age_to_come(reader, &(words.start..words.start + 1)),
        Kind::Time(_) => return is_of_people(reader, words) || is_house_number(reader, words),
        Kind::Money(_) => {
            return is_of_people(reader, words)
                || is_how_many_come(reader, words)
                || beyond::is_at_another_rate(reader, slot, words)
                || beyond::is_of_all_together(reader, slot, words);
        }
        _ => return false,
    }
    // Any number is meant, but for that of a house.
    if board.anything || is_house_number(reader, words) {
        return is_house_number(reader, words);
    }
    if is_age_to_come(reader, words)
        || beyond::is_of_another_unit(reader, slot, words)
        || beyond::is_decade(reader, words)
        || beyond::is_at_another_rate(reader, slot, words)
    {
        return true;
    }
    let clause = reader.clause_words(words.start);
    // "5 please, 2 of them without cheese": some of those that were counted.
    if reader.len(|lang| &lang.naming.of_them, words.end, clause.end) > 0
        && (0..words.start).any(|no| reader.is_of_number(no))
    {
        return true;
    }
    if slot.counts_people() && is_of_some_of_us(reader, words) {
        return true;
    }
    // "There are 2 of us and we have bags": of us is said of people, whatever else is named.
    let of_us = reader.len(|lang| &lang.number.people, words.end, clause.end) > 1;
    if of_us && slot.crowd.is_none() && !slot.people {
        return true;
    }
    let named = |no: usize| board.mentions_of(slot).any(|mention| mention.words.contains(&no));
    if clause.clone().any(named) || words.end > clause.end {
        return false;
    }
    // "3 times" and "3 times a week" answer how often.
    let often = reader.len(|lang| &lang.naming.times, words.end, clause.end);
    let told = || clause.clone().any(|no| !(words.start..words.end + often).contains(&no) && !reader.is_idle(no));
    let rate = || (words.end + often..clause.end).any(|no| reader.is_unit_of_time(no));
    let times = often > 0 && (slot.crowd.is_some() || told() && !rate());
    // "3 people" count no cars where a "number of cars" is asked for, but may be a "capacity"; "3 of us" are neither.
    let counting = |label: &Said| {
        let lang = |lang: &Language| (0..label.words.len()).any(|no| lang.number.counting.starts(label, no));
        reader.langs().any(lang)
    };
    let people = || {
        let behind = reader.len(|lang| &lang.number.people, words.end, clause.end);
        behind > 1 || behind == 1 && (!slot.asked || slot.labels.iter().any(counting))
    };
    let thing = || match slot.crowd {
        Some(_) => slot.asked && is_before_a_thing(reader, board, words, clause.end),
        None => !slot.people && people(),
    };
    times || thing() || is_number_of_a_thing(reader, words, &clause, slot.value.is_some() && !slot.is_of_item())
}

/// Whether the name of a street stands around a number: "at 17 Queen Street", "12 rue de la Paix", "via Roma 9".
pub(super) fn is_house_number(reader: &Reader<'_>, number: &Range<usize>) -> bool {
    /// Most words of a street's name.
    const NAME: usize = 3;
    // "Um 18:30 in der Stadt" is no house in a street.
    let house = |no: &usize| reader.is_digits(*no) && !number.clone().any(|no| reader.said.word(no) == ":");
    let Some(last) = number.end.checked_sub(1).filter(house) else { return false };
    let end = reader.clause_end(last);
    let sort = |no: usize| reader.len(|lang| &lang.street.after, no, end) > 0 && !reader.is_idle(no);
    let named = |no: &usize| reader.is_capital(*no) && !reader.is_mark(*no) && !reader.is_digits(*no);
    let name = number.end..(number.end + NAME).min(end);
    let behind = name.clone().take_while(named).count();
    let street = behind > 0 && (name.start + 1..=name.start + behind).any(|no| no < end && sort(no));
    let before = reader.len(|lang| &lang.street.before, number.end, end);
    // German "3 am Sonntag" is no house by a market.
    let of_days = |no: usize| {
        let phrases = |lang: &Language| {
            lang.date.beginning_at(reader.said, no).iter().any(|phrase| !matches!(phrase.term, Term::Mark(_)))
        };
        reader.langs().any(phrases)
    };
    street || before > 0 && named(&(number.end + before)) && !of_days(number.end + before)
}

/// Whether a number is how old somebody will be: "I'll be 25 in March".
fn is_age_to_come(reader: &Reader<'_>, number: &Range<usize>) -> bool {
    const LONGEST: usize = 4;
    let clause = reader.clause_words(number.start);
    let will = |no: usize| {
        let len = reader.len(|lang| &lang.naming.will_be, no, number.start);
        len > 0 && no + len == number.start
    };
    let time = |no: usize| {
        let dated = reader.langs().any(|lang| !lang.date.beginning_at(reader.said, no).is_empty());
        dated && !super::near::is_small(reader, no)
    };
    (number.start.saturating_sub(LONGEST).max(clause.start)..number.start).any(will)
        && (number.end..clause.end).any(time)
}

/// Whether a noun stands behind a number that is no word for people.
fn is_before_a_thing(reader: &Reader<'_>, board: &Board<'_>, number: &Range<usize>, end: usize) -> bool {
    const REACH: usize = 3;
    let says = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end) > 0;
    let people = |no: usize| {
        says(|lang| &lang.number.people, no)
            || says(|lang| &lang.naming.everybody, no)
            || says(|lang| &lang.naming.grown, no)
            || says(|lang| &lang.naming.minor, no)
            || reader.at(|lang| &lang.naming.company, no, end).is_some()
            || reader.at(|lang| &lang.naming.packs, no, end).is_some()
    };
    let of_value = |no: usize| {
        let apart = |cand: &Cand| cand.words.contains(&no) && !cand.words.contains(&number.start);
        board.cands.iter().any(|cand| apart(cand) && cand.strength > Strength::Weak)
    };
    let tells = |no: &usize| *no < end && !reader.is_idle(*no) && !reader.is_of_number(*no) && !of_value(*no);
    let next = number.end;
    let ending = |lang: &Language| {
        lang.naming.aside_endings.iter().any(|ending| reader.said.plain(next).ends_with(ending.as_str()))
    };
    let aside = || says(|lang| &lang.naming.aside, next) || reader.langs().any(ending);
    tells(&next) && !(next..next + REACH).take_while(tells).any(people) && !aside()
}

/// Whether a number is that of a thing: "table 9", "my postcode is 9", "my room number was 7"; where the answer is `known`,
/// also "the bell is 12" and "with a 20".
fn is_number_of_a_thing(reader: &Reader<'_>, number: &Range<usize>, clause: &Range<usize>, known: bool) -> bool {
    let alone = number.end >= clause.end || reader.is_idle(number.end);
    let Some(before) = number.start.checked_sub(1).filter(|no| alone && *no >= clause.start) else { return false };
    if reader.len(|lang| &lang.naming.serial, before, number.start) == 1 {
        return true;
    }
    let is = (clause.start..=before).rev().find(|no| !reader.is_idle(*no)).map_or(clause.start, |no| no + 1);
    let copula = (is..=before).any(|no| {
        let len = reader.len(|lang| &lang.sentence.is, no, number.start);
        let articles = |no: usize| reader.len(|lang| &lang.sentence.articles, no, number.start) > 0;
        len > 0 && (no + len..number.start).all(articles) && reader.is_copula(no, number.start)
    });
    let article = |no: usize, end: usize| reader.len(|lang| &lang.sentence.articles, no, end);
    if known && article(before, number.start) == 1 && reader.is_digits(number.start) {
        return true;
    }
    let whose = |no: usize| reader.len(|lang| &lang.naming.ours, no, is) > 0 || known && article(no, is) > 0;
    let ours = (clause.start..is).find(|no| whose(*no));
    let sum = |no: usize| reader.len(|lang| &lang.naming.sum, no, is) > 0;
    let names = |ours: usize| (ours + 1..is).any(|no| !reader.is_idle(no) && !sum(no));
    copula && ours.is_some_and(names)
}

/// Whether a number is that of all who come: "we are 4", "4 people".
pub(super) fn is_of_all(reader: &Reader<'_>, cand: &Cand) -> bool {
    const REACH: usize = 3;
    let Range { start, end } = cand.words.clone();
    let are = (start.saturating_sub(REACH)..start).any(|no| {
        let len = reader.len(|lang| &lang.number.people_before, no, start);
        len > 0 && no + len == start
    });
    are || reader.len(|lang| &lang.naming.everybody, end, reader.clause_end(start)) > 0
}

/// Whether a bare number tells how many come, and no amount: "we'll be more like 85".
pub(super) fn is_how_many_come(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const REACH: usize = 5;
    let clause = reader.clause_words(words.start);
    let come = |no: usize| {
        let are = reader.len(|lang| &lang.number.people_before, no, words.start);
        are > 0 && no + are + reader.len(|lang| &lang.number.about, no + are, words.start) == words.start
    };
    (words.end >= clause.end || reader.is_idle(words.end))
        && words.clone().all(|no| reader.is_of_number(no))
        && (words.start.saturating_sub(REACH).max(clause.start)..words.start).any(come)
}

/// Whether a number stands before a thing that another field is for, and its field is called by no noun: "80 plastic chairs"
/// of a quantity.
pub(super) fn is_quantity(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let clause = reader.clause_words(cand.words.start);
    let next = cand.words.end;
    let plain = matches!(slot.field.kind, Kind::Integer(_)) && cand.strength == Strength::Typed;
    if !plain || next >= clause.end || reader.is_idle(next) || reader.is_unit_of_time(next) {
        return false;
    }
    let quantity = |label: &Said| {
        let whole =
            |lang: &Language| lang.number.quantity.at(label, 0).is_some_and(|(len, ())| len == label.words.len());
        reader.langs().any(whole)
    };
    let thing = |slot: &Slot<'_>| slot.is_free() && slot.subtype().is_none() && (slot.value.is_none() || slot.asked);
    let begins = (clause.start..cand.words.start).all(|no| reader.is_idle(no));
    begins && slot.labels.iter().any(quantity) && board.slots.iter().any(thing)
}

/// Whether a number ends a stretch that begins with a time: the 1 of "from noon to 1".
pub(super) fn ends_hours(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let time = |other: &&Cand| {
        let between = other.words.end..cand.words.start;
        let to = reader.len(|lang| &lang.sentence.second, between.start, between.end);
        let dash = between.len() == 1 && matches!(reader.said.word(between.start), "-" | "–");
        let joined = !between.is_empty() && (to == between.len() || dash);
        joined && other.strength > Strength::Weak && matches!(board.kind_of(other), Some(Kind::Time(_)))
    };
    let counted = reader.len(|lang| &lang.number.people, cand.words.end, reader.clause_end(cand.words.start)) > 0;
    !counted && board.cands.iter().any(|other| time(&other))
}

/// Whether a number counts something that is no field's business: "terminal 4", "4 nights".
pub(super) fn has_another_noun(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand, look_back: bool) -> bool {
    let Range { start, end } = reader.clause_words(cand.words.start);
    let within = |no: usize| {
        board.cands.iter().find(|other| {
            other.words.contains(&no) && !other.words.contains(&cand.words.start) && other.strength > Strength::Weak
        })
    };
    let mut next = cand.words.end;
    while let Some(other) = within(next).filter(|_| next < end) {
        next = other.words.end;
        // "For two on Saturday night."
        next += usize::from(next < end && reader.is_part_of_day(next));
    }
    let known = |no: usize| {
        // "2 to 3 depending on the day."
        let depends = || reader.len(|lang| &lang.denial.condition, no, end) > 0;
        let named = || board.mentions.iter().any(|mention| mention.words.contains(&no));
        reader.is_idle(no) || named() || reader.is_digits(no) || depends()
    };
    // "2 rooms" beside a field for the sort of room counts rooms, and nothing that is asked for.
    let of_choice = |mention: &Mention| {
        let choice = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Choice(_) | Kind::Choices(_));
        mention.words.start == cand.words.end
            && board.slot_of(mention.field).and_then(|no| board.slots.get(no)).is_some_and(choice)
    };
    let others = || {
        let mut here = board.mentions.iter().filter(|mention| mention.words.contains(&next)).peekable();
        here.peek().is_some() && here.all(of_choice)
    };
    if next < end && (!known(next) || next == cand.words.end && !reader.is_idle(next) && others()) {
        return true;
    }
    let alone = next >= end || reader.is_idle(next);
    let Some(before) = cand.words.start.checked_sub(1).filter(|no| *no >= start && look_back) else { return false };
    let compared = (before.saturating_sub(1)..=before).any(|no| {
        let len = reader.len(|lang| &lang.sentence.compare, no, cand.words.start);
        len > 0 && no + len == cand.words.start
    });
    if compared {
        return true;
    }
    let time = |what| reader.announces(what, before, cand.words.start) > 0;
    alone
        && next == cand.words.end
        && (!known(before) && within(before).is_none() || time(Announced::Time) || time(Announced::Date))
}

/// Whether a number is an hour where a time stands: "better at 9".
pub(super) fn is_hour(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let start = cand.words.start;
    let time = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Time(_) | Kind::Datetime(_)) && slot.value.is_some();
    board.slots.iter().any(time) && (start.saturating_sub(3)..start).any(|no| is_hour_word(reader, no, start))
}

/// Whether a number is a place in a row: "the third".
pub(super) fn is_ordinal(reader: &Reader<'_>, cand: &Cand) -> bool {
    let lang = reader.own_lang();
    let number = (cand.words.start..cand.words.end).find_map(|no| numeral::at(reader.said, no, lang, None));
    number.is_some_and(|number| number.shape == Shape::Ordinal)
}

/// Whether a number is a year that a field for years takes.
pub(super) fn is_year(slot: &Slot<'_>, cand: &Cand) -> bool {
    let (Kind::Integer(kind), Value::Integer(number)) = (&slot.field.kind, &cand.value) else { return false };
    kind.years().is_some_and(|years| years.contains(number))
}

/// Whether a number is for each of what stands behind it, and a field counts those: "2,300 a month" tells of no months.
pub(super) fn is_rate(reader: &Reader<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let end = reader.clause_end(cand.words.start);
    let is_unit = |no: usize| no < end && reader.is_unit_of_time(no);
    let rate = reader.len(|lang| &lang.number.rate, cand.words.end, end);
    // "Hours per week" are "3 a week".
    let unit = || stem(reader.said.plain(cand.words.end + rate));
    let each = |label: &Said, no: usize| {
        let per = |lang: &Language| lang.number.rate.at(label, no).map(|(len, ())| stem(label.plain(no + len)));
        reader.langs().any(|lang| per(lang).is_some_and(|each| each == unit()))
    };
    let asks = |label: &Said| (0..label.words.len()).any(|no| each(label, no));
    // "Half a day" is one.
    let whole = !matches!(&cand.value, Value::Number(number) if !number.is_integer());
    rate > 0 && whole && is_unit(cand.words.end + rate) && !slot.labels.iter().any(asks)
}

/// Whether a bare number is the amount of money that was asked for: "640 plus tax" where people are counted elsewhere; not
/// the 2 of "2 guests", nor the 3 of "3 nights".
pub(super) fn is_price(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let asked = slot.asked && matches!(slot.field.kind, Kind::Money(_));
    asked
        && !is_ordinal(reader, cand)
        && !counts_other(board, slot, cand)
        && !has_another_noun(reader, board, cand, false)
}

/// Whether a number is all that a clause says, and another number was asked for: "just one".
pub(super) fn answers_another(reader: &Reader<'_>, board: &Board<'_>, slot: usize, cand: &Cand) -> bool {
    let asked = board.asked.filter(|asked| *asked != slot).and_then(|asked| board.slots.get(asked));
    let clause = reader.clause_words(cand.words.start);
    asked.is_some_and(|asked| {
        is_number(&asked.field.kind) && board.takers(cand).iter().any(|no| board.asked == Some(*no))
    }) && clause.into_iter().all(|no| reader.is_idle(no) || cand.words.contains(&no))
}

/// Whether words say that a bare number is an hour for a field that is open or changed, and nothing that it counts stands behind it:
/// "Saturday at 8", not "at 8 Elm Street", "at 5%", "after 5".
pub(super) fn is_told_hour(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    cand: &Cand,
    corrects: bool,
) -> bool {
    const REACH: usize = 3;
    let into_text = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::is_long);
    if !matches!(slot.field.kind, Kind::Time(_)) || slot.value.is_some() && !corrects || into_text {
        return false;
    }
    let Range { start, end } = cand.words.clone();
    let typed = |no: usize| {
        let inside = |other: &&Cand| other.words.contains(&no) && other.alike != cand.alike;
        board.cands.iter().filter(inside).any(|other| other.strength > Strength::Weak)
    };
    let bound = |lang: &Language, no: usize| {
        let mut terms = lang.date.beginning_at(reader.said, no).iter();
        terms.any(|phrase| matches!(phrase.term, Term::Mark(Mark::After | Mark::Before)) && phrase.rest.is_empty())
    };
    let bounded = |no: usize| reader.langs().any(|lang| bound(lang, no));
    let led = |no: usize| is_hour_word(reader, no, start) && no.checked_sub(1).is_none_or(|no| !bounded(no));
    let clause = reader.clause_end(start);
    let alone = end >= clause || !reader.said.is_glued(end) && reader.is_idle(end) || typed(end);
    alone && !typed(start) && (start.saturating_sub(REACH)..start).any(led)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const BOAT: &str = r#"
id = "boat"
title = "Boat"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Invitados", de = "Gäste", fr = "Invités", ar = "الضيوف" }

[[field]]
id = "boats"
kind = "integer"
label = "Boats"

[[field]]
id = "hour"
kind = "time"
label = "Hour"

[[field]]
id = "code"
kind = "pattern"
label = "Code"
regex = "[0-9]{2,6}"
"#;

    #[rstest]
    #[case("en", "guests", "I have 2 cats")]
    #[case("en", "guests", "it rained 3 times")]
    #[case("en", "boats", "you charged me 2 times")]
    #[case("en", "guests", "table 9 please")]
    #[case("en", "guests", "my lucky number is 7")]
    #[case("en", "guests", "my cabin number was 4")]
    #[case("en", "guests", "two ticks")]
    #[case("en", "guests", "the one in the corner")]
    #[case("it", "guests", "ho 2 gatti")]
    #[case("it", "guests", "la mia stanza era la 7")]
    #[case("es", "guests", "mi habitación era la 7")]
    #[case("fr", "guests", "ma chambre était la 7")]
    #[case("it", "guests", "ha piovuto 3 volte")]
    #[case("es", "guests", "tengo 2 gatos")]
    #[case("es", "guests", "lo pagué 3 veces")]
    #[case("de", "guests", "ich habe 2 Katzen")]
    #[case("de", "guests", "es hat 3 mal geregnet")]
    #[case("fr", "guests", "j'ai 2 chats")]
    #[case("fr", "guests", "il a plu 3 fois")]
    #[case("ar", "guests", "دفعت 3 مرات")]
    #[case("en", "code", "I paid 50 to Anna")]
    fn a_number_of_something_else_is_no_answer(#[case] lang: &'static str, #[case] asked: &str, #[case] said: &str) {
        assert_eq!(Stage::new(BOAT, asked).speaking(lang).takes(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "guests", "2 of us", "guests=2")]
    #[case("en", "guests", "2 people", "guests=2")]
    #[case("en", "guests", "just 2", "guests=2")]
    #[case("en", "guests", "2 hungry adults", "guests=2")]
    #[case("en", "guests", "3 ladies", "guests=3")]
    #[case("en", "guests", "4 hopefully", "guests=4")]
    #[case("en", "guests", "3 coming", "guests=3")]
    #[case("en", "guests", "5 max", "guests=5")]
    #[case("en", "guests", "our group is 6", "guests=6")]
    #[case("en", "guests", "our booking is for 6 of us", "guests=6")]
    #[case("en", "boats", "2 big ones", "boats=2")]
    #[case("en", "boats", "2 boats", "boats=2")]
    #[case("en", "boats", "3 people", "guests=3")]
    #[case("en", "boats", "we need two, there are four of us", "boats=2; guests=4")]
    #[case("en", "hour", "7 people", "guests=7")]
    #[case("it", "hour", "7 persone", "guests=7")]
    #[case("es", "hour", "7 personas", "guests=7")]
    #[case("de", "hour", "7 Personen", "guests=7")]
    #[case("fr", "hour", "7 personnes", "guests=7")]
    #[case("ar", "hour", "7 أشخاص", "guests=7")]
    #[case("de", "guests", "3 Frauen", "guests=3")]
    #[case("it", "guests", "2 amici", "guests=2")]
    fn a_number_of_what_is_asked_for_is_one(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(BOAT, asked).speaking(lang).fills(said), expected, "{said}");
    }

    const LOAN: &str = r#"
id = "loan"
title = "A loan"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "sum"
kind = "money"
label = "Loan amount"
currency = "EUR"
currencies = ["USD"]

[[field]]
id = "income"
kind = "money"
label = "Monthly income"
currency = "EUR"

[[field]]
id = "months"
kind = "integer"
label = { en = "Months", it = "Mesi", es = "Meses", de = "Monate", fr = "Mois" }

[[field]]
id = "cakes"
kind = "integer"
label = "How many cakes?"

[[field]]
id = "days"
kind = "number"
label = "Days"

[[field]]
id = "debts"
kind = "yes_no"
label = "Do you owe anything?"

[[field]]
id = "hours"
kind = "integer"
label = "Hours per week"

[[field]]
id = "home"
kind = "address"
label = "Address"
"#;

    #[rstest]
    #[case("en", "sum", "640 plus tax", "sum=640 EUR")]
    #[case("en", "sum", "the garage said 640 plus tax", "sum=640 EUR")]
    #[case("en", "sum", "100 zorkmids", "~=months=100")]
    #[case("en", "sum", "300 tops", "sum=300 EUR")]
    #[case("en", "income", "2,300 a month", "income=2300 EUR")]
    #[case("en", "", "2,300 a month", "~=months=2300")]
    #[case("it", "income", "2300 al mese", "income=2300 EUR")]
    #[case("es", "income", "2300 al mes", "income=2300 EUR")]
    #[case("de", "income", "2300 im Monat", "~=income=2300 EUR")]
    #[case("fr", "income", "2300 par mois", "income=2300 EUR")]
    #[case("en", "sum", "10,000 euros over 36 months", "sum=10000 EUR; months=36")]
    #[case("en", "", "I'd like to borrow 5,000 euros over 18 months", "sum=5000 EUR; months=18")]
    #[case("en", "cakes", "3 cakes please: two lemon ones and a plain one", "cakes=3")]
    #[case("en", "debts", "yes 3000 euros", "debts=true")]
    #[case("en", "debts", "no, paid off in 2016", "debts=false; ~=months=2016")]
    #[case("en", "cakes", "5 please, 2 of them without sugar", "cakes=5")]
    #[case("en", "days", "half a day", "days=0.5")]
    #[case("en", "", "an 80 square metre flat", "")]
    #[case("en", "income", "25 an hour", "~=hours=25")]
    #[case("en", "hours", "3 hours a week", "hours=3")]
    fn a_number_is_what_was_asked_for_and_no_other_thing(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let fills = Stage::new(LOAN, asked).speaking(lang).fills(said);
        let fills = fills.replace("{\"amount\":\"", "").replace(".00\",\"currency\":\"", " ").replace("\"}", "");
        assert_eq!(fills, expected, "{said}");
    }

    const HIRE: &str = r#"
id = "hire"
title = "Hire"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "item"
kind = "text"
label = "Item"

[[field]]
id = "quantity"
kind = "integer"
label = { en = "Quantity", it = "Quantità", es = "Cantidad", de = "Anzahl", fr = "Quantité", ar = "الكمية" }

[[field]]
id = "parcels"
kind = "integer"
label = { en = "Number of parcels", it = "Numero di pacchi", es = "Número de paquetes", de = "Anzahl Pakete", fr = "Nombre de colis", ar = "عدد الطرود" }

[[field]]
id = "dependants"
kind = "integer"
label = "Number of dependants"

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Invitados", de = "Gäste", fr = "Invités", ar = "الضيوف" }
"#;

    #[rstest]
    #[case("en", "", "80 plastic chairs from Friday", "quantity=80; ~=item=plastic chairs")]
    #[case("en", "", "ten folding tables and we pay in cash", "quantity=10")]
    #[case("de", "", "80 Klappstühle bitte", "quantity=80")]
    #[case("en", "", "3 weeks", "~=quantity=3")]
    #[case("en", "", "one box", "parcels=1")]
    #[case("en", "", "there are two packages", "parcels=2")]
    #[case("de", "", "es ist nur ein Paket", "parcels=1")]
    #[case("de", "", "zwei Kartons", "parcels=2")]
    #[case("it", "", "solo un pacco", "parcels=1")]
    #[case("es", "", "son dos cajas", "parcels=2")]
    #[case("fr", "", "deux cartons", "parcels=2")]
    #[case("en", "", "three kids to support", "dependants=3")]
    #[case("en", "budget", "we'll be more like 85", "guests=85")]
    #[case("fr", "budget", "en fait on sera plutôt 85", "guests=85")]
    #[case("en", "parcels", "I heard up to 12", "")]
    fn a_number_goes_to_what_its_noun_counts(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, asked).speaking(lang).fills(said), expected, "{said}");
    }

    const HOUSE: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "age"
kind = "integer"
label = { en = "Age", it = "Età", es = "Edad", de = "Alter", fr = "Âge", ar = "العمر" }

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "hour"
kind = "time"
label = "Time"
"#;

    #[rstest]
    #[case("en", "at 17 Queen Street")]
    #[case("en", "we meet at 9 Elm Road")]
    #[case("fr", "au 12 rue de Nantes")]
    fn a_house_number_is_no_time(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(HOUSE, "").speaking(lang).takes(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "I'll be 25 in March")]
    #[case("en", "I turn 30 next month")]
    #[case("it", "compio 30 anni a maggio")]
    #[case("es", "cumplo 30 en mayo")]
    #[case("de", "ich werde 30 im Mai")]
    #[case("fr", "j'aurai 30 ans en mai")]
    fn an_age_to_come_is_none_yet(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(HOUSE, "age").speaking(lang).takes(said), "", "{said}");
    }
}
