//! What follows a street: flat, postcode, town; and what is no part of its address any more.

use std::ops::Range;

use formwright_text::{Class, Said};

use super::super::numeral;
use super::{any, class};
use crate::reading::Context;
use crate::words::free;

/// The end of what follows a street: flat, postcode, town.
pub(crate) fn tail(said: &Said, cx: &Context<'_>, mut end: usize) -> usize {
    loop {
        let comma = usize::from(said.word(end) == ",");
        let at = end + comma;
        if let Some(len) = any(said, at, |street| &street.unit) {
            let dot = usize::from(said.word(at + len) == ".");
            let value = at + len + dot;
            let short = class(said, value) == Some(Class::Digits) || said.word(value).chars().count() <= 2;
            if class(said, value).is_some_and(|class| class != Class::Mark) && short {
                end = value + 1;
                if class(said, end) == Some(Class::Letters) && said.is_glued(end) {
                    end += 1;
                }
                continue;
            }
        }
        if let Some(next) = floor(said, cx, at) {
            end = next;
            continue;
        }
        if let Some(end) = town_in(said, cx, at) {
            return end;
        }
        let town = || town(said, cx, at, comma == 1).or_else(|| town_at_end(said, cx, at).filter(|_| comma == 0));
        if let Some(next) = postcode(said, at).or_else(town) {
            end = next;
            continue;
        }
        return end;
    }
}

/// The end of a part of a house whose number comes first, or that needs none: "3rd floor", "3° piano", "ground floor".
pub(crate) fn floor(said: &Said, cx: &Context<'_>, at: usize) -> Option<usize> {
    if let Some(len) = any(said, at, |street| &street.unit_alone) {
        return Some(at + len);
    }
    let digits = class(said, at) == Some(Class::Digits) && said.word(at).len() <= 2;
    let ends = if digits {
        // Whatever makes an ordinal of them, in any language: "3°", "3rd", "3ème", "3.".
        let suffix = said.is_glued(at + 1) && said.words.get(at + 1).is_some_and(|word| word.span.len() <= 6);
        vec![at + 1, at + 1 + usize::from(suffix)]
    } else {
        vec![numeral::at(said, at, cx.lang, cx.region)?.words.end]
    };
    ends.into_iter().find_map(|end| any(said, end, |street| &street.unit_after).map(|len| end + len))
}

/// A postcode with a town after it.
pub(crate) fn postcode(said: &Said, no: usize) -> Option<usize> {
    let digits = said.word(no);
    let is_code = class(said, no) == Some(Class::Digits) && (4..=6).contains(&digits.len());
    (is_code && class(said, no + 1) == Some(Class::Letters) && said.has_capital(no + 1)).then_some(no + 1)
}

/// A town right behind its street, where no more names follow: "27b Station Road Guildford on Monday". In German every
/// noun has a capital.
fn town_at_end(said: &Said, cx: &Context<'_>, no: usize) -> Option<usize> {
    let name = |no: usize| class(said, no) == Some(Class::Letters) && said.has_capital(no);
    let stop = cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some());
    let day = cx.lang.and_english().any(|lang| !lang.date.beginning_at(said, no).is_empty());
    (no > 0 && name(no) && !stop && !day && !name(no + 1) && cx.lang.code != "de").then_some(no + 1)
}

/// A town in capitals, after a comma or a postcode; "London NW1 6XE" with its code.
fn town(said: &Said, cx: &Context<'_>, no: usize, comma: bool) -> Option<usize> {
    const LONGEST: usize = 4;
    let after_code = no > 0 && class(said, no - 1) == Some(Class::Digits) && (4..=6).contains(&said.word(no - 1).len());
    if !comma && !after_code || !said.has_capital(no) || class(said, no) != Some(Class::Letters) {
        return None;
    }
    let stop = |no: usize| cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some());
    let mut end = no;
    while end - no < LONGEST && class(said, end) == Some(Class::Letters) && said.has_capital(end) && !stop(end) {
        end += 1;
    }
    if end == no {
        return None;
    }
    // British codes: "NW1 6XE".
    while class(said, end) == Some(Class::Digits)
        && (said.is_glued(end) || said.is_glued(end + 1))
        && said.word(end).len() <= 2
    {
        end += 1;
        if class(said, end) == Some(Class::Letters) && said.is_glued(end) && said.word(end).len() <= 2 {
            end += 1;
        }
    }
    // "KS 66603", "Kansas 66603" behind a comma.
    let state = said.word(end - 1).len() == 2 || comma;
    if class(said, end) == Some(Class::Digits) && said.word(end).len() == 5 && state {
        end += 1;
    }
    Some(end)
}

/// A town in capitals behind the word that leads to one: "22 Station Road in Guildford".
fn town_in(said: &Said, cx: &Context<'_>, no: usize) -> Option<usize> {
    const LONGEST: usize = 3;
    let start = no + free::at(said, cx, no, |lang| &lang.street.within)?;
    let name = |no: usize| class(said, no) == Some(Class::Letters) && said.has_capital(no);
    let count = (start..start + LONGEST).take_while(|no| name(*no) && !ends_so(said, cx, *no)).count();
    (count > 0).then_some(start + count)
}

/// Whether a word is a small one of a sentence, or of a day.
fn ends_so(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let stop = cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some());
    stop || is_of_day(said, cx, no)
}

fn is_of_day(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    cx.lang.and_english().any(|lang| lang.tells_time(said.plain(no)))
}

/// Where something else is said than an address, of the words behind a street: who speaks ("5 Elm Close, this is Ann"), a day
/// ("14 Oak Avenue today"), a phone number.
pub(crate) fn said_else(said: &Said, cx: &Context<'_>, words: Range<usize>) -> Option<usize> {
    const PHONE: usize = 9;
    let digits = |no: usize| {
        let group = (no..words.end).take_while(|no| class(said, *no) == Some(Class::Digits));
        group.map(|no| said.word(no).len()).sum::<usize>()
    };
    let speaks = |no: usize| {
        let len = |table| free::at(said, cx, no, table).unwrap_or(0);
        let name = len(|lang| &lang.name.is).max(len(|lang| &lang.name.perhaps)).max(len(|lang| &lang.name.called));
        name.max(len(|lang| &lang.sentence.speaker)).max(len(|lang| &lang.naming.ours)) > 0
    };
    let begins = |no: usize| {
        let part = no > words.start && class(said, no - 1) == Some(Class::Mark) && !said.is_glued(no);
        part && speaks(no)
            || class(said, no) == Some(Class::Digits) && digits(no) >= PHONE
            || class(said, no) == Some(Class::Letters)
                && !said.has_capital(no)
                && no == words.start
                && is_of_day(said, cx, no)
    };
    let at = words.clone().find(|no| begins(*no))?;
    let mark = |no: &usize| class(said, *no) == Some(Class::Mark);
    Some((words.start..at).rev().take_while(mark).last().unwrap_or(at))
}
