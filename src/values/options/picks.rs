//! What a message does with the options it names: picks them, turns them down, corrects itself, or points at them by
//! their place in the list.

use std::ops::Range;

use formwright_lexicon::control::Control;
use formwright_lexicon::number::Atom;
use formwright_lexicon::option::OptionWords;
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};
use rust_decimal::prelude::ToPrimitive as _;

use super::Mention;
use crate::reading::Context;
use crate::words::answer;

/// A phrase of a table that starts at a word, in the person's language or English: its number of words.
pub fn at(said: &Said, cx: &Context<'_>, no: usize, table: fn(&OptionWords) -> &Phrases<()>) -> Option<usize> {
    cx.lang.and_english().filter_map(|lang| table(&lang.option).at(said, no)).map(|(words, ())| words).max()
}

/// A phrase of a table that ends before a word: where it starts.
fn before(said: &Said, cx: &Context<'_>, end: usize, table: fn(&OptionWords) -> &Phrases<()>) -> Option<usize> {
    const LONGEST: usize = 6;
    (end.saturating_sub(LONGEST)..end).find(|&no| {
        cx.lang.and_english().any(|lang| table(&lang.option).at(said, no).is_some_and(|(words, ())| no + words == end))
    })
}

/// A plain negation that ends before a word: where it starts.
fn negation_before(said: &Said, cx: &Context<'_>, end: usize) -> Option<usize> {
    const LONGEST: usize = 4;
    let start = (end.saturating_sub(LONGEST)..end).find(|&no| {
        cx.lang.and_english().any(|lang| lang.yes_no.negation.at(said, no).is_some_and(|(words, ())| no + words == end))
    });
    start.or_else(|| before(said, cx, end, |words| &words.not))
}

/// Which mentions are turned down: "not the diavola", "no onions or olives".
pub fn negated(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::with_capacity(mentions.len());
    for (no, mention) in mentions.iter().enumerate() {
        let after_negated = no > 0 && all[no - 1] && {
            let between = mentions[no - 1].words.end..mention.words.start;
            joined(said, cx, between.clone(), false) && !between.is_empty()
        };
        all.push(after_negated || is_negated(said, cx, &mention.words));
    }
    all
}

fn is_negated(said: &Said, cx: &Context<'_>, words: &Range<usize>) -> bool {
    const FURTHEST: usize = 8;
    let mut end = words.start;
    while end > 0 && words.start - end < FURTHEST {
        if before(said, cx, end, |words| &words.not_negation).is_some() {
            break;
        }
        if let Some(start) = negation_before(said, cx, end) {
            // "no the diavola" corrects, "no onions" turns down; in Spanish "no quiero la diavola" turns down too.
            let bare = said.plain(start) == "no" && end == start + 1;
            let verb = cx.lang.code == "es" && !matches!(said.plain(end), "el" | "la" | "los" | "las" | "un" | "una");
            if !bare || end == words.start || verb {
                return true;
            }
            break;
        }
        match before(said, cx, end, |words| &words.between) {
            Some(start) => end = start,
            None if matches!(said.word(end - 1), "\"" | "'") => end -= 1,
            None => break,
        }
    }
    at(said, cx, words.end, |words| &words.not_after).is_some_and(|len| ends_clause(said, words.end + len))
}

/// Whether a clause ends before a word.
fn ends_clause(said: &Said, no: usize) -> bool {
    said.words.get(no).is_none_or(|word| word.class == Class::Mark)
}

/// Whether words only join what stands around them: "and", "or", a comma, articles.
pub fn joined(said: &Said, cx: &Context<'_>, words: Range<usize>, commas: bool) -> bool {
    let mut no = words.start;
    while no < words.end {
        let and = at(said, cx, no, |words| &words.and).or_else(|| at(said, cx, no, |words| &words.or));
        let some = and.or_else(|| at(said, cx, no, |words| &words.between));
        no += match some {
            Some(len) => len,
            None if commas && matches!(said.word(no), "," | ";" | "/" | "&" | "+" | "،" | "-" | "\"") => 1,
            None => return false,
        };
    }
    true
}

/// Whether words take back what was said before them: "no wait", "actually".
pub fn corrects(said: &Said, cx: &Context<'_>, words: Range<usize>) -> bool {
    words.clone().any(|no| at(said, cx, no, |words| &words.correction).is_some_and(|len| no + len <= words.end))
}

/// The words outside some ranges that say something: no marks, filler, articles, nor words that join.
pub fn content(said: &Said, cx: &Context<'_>, covered: &[Range<usize>]) -> Vec<usize> {
    let mut content = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        if let Some(range) = covered.iter().find(|range| range.contains(&no)) {
            no = range.end;
            continue;
        }
        let filler = cx.lang.and_english().map(|lang| lang.filler.words_at(said, no)).max().unwrap_or(0);
        let small = [
            at(said, cx, no, |words| &words.between),
            at(said, cx, no, |words| &words.and),
            at(said, cx, no, |words| &words.or),
            at(said, cx, no, |words| &words.correction),
        ];
        let skip = small.into_iter().flatten().max().unwrap_or(0).max(filler);
        let mark = said.words[no].class == Class::Mark;
        if skip == 0 && !mark {
            content.push(no);
        }
        no += skip.max(1);
    }
    content
}

/// Whether a word is too common to be the name of something.
pub fn is_common(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let word = said.plain(no);
    cx.lang.and_english().any(|lang| lang.option.common.word(word).is_some() || lang.option.weak.word(word).is_some())
}

/// Whether the words of a mention mean something else more often than the option: "no", "2", "M".
pub fn is_weak(said: &Said, cx: &Context<'_>, mention: &Mention) -> bool {
    let quote = said.raw.get(mention.span.clone()).unwrap_or_default();
    let digits = !quote.chars().any(char::is_alphabetic) && quote.chars().any(char::is_numeric);
    let number =
        |no: &usize| cx.options.get(*no).is_some_and(|option| option.label.trim().bytes().all(|b| b.is_ascii_digit()));
    let digits = digits || mention.options.iter().all(number);
    let short = quote.is_ascii() && quote.len() <= 2;
    let table = at(said, cx, mention.words.start, |words| &words.weak) == Some(mention.words.len());
    digits || short || table
}

/// Whether one word of a label is written as a name is, inside a sentence, and no place: "Globe" of "Globe Airways" in "fly
/// with Globe". German writes all nouns so.
pub fn is_a_name(said: &Said, cx: &Context<'_>, mention: &Mention) -> bool {
    const SHORTEST: usize = 4;
    let no = mention.words.start;
    let word = said.raw.get(mention.span.clone()).unwrap_or_default();
    let capital = |text: &str| text.chars().next().is_some_and(char::is_uppercase);
    let begins = no == 0 || matches!(said.word(no - 1), "." | "!" | "?" | "\n" | ":");
    let announced = |lang: &Language| {
        let cue = lang.sentence.cue.of(Announced::Place);
        no > 0 && cue.is_some_and(|cue| cue.at(said, no - 1).is_some_and(|(len, ())| len == 1))
    };
    mention.options.len() == 1
        && mention.words.len() == 1
        && word.chars().count() >= SHORTEST
        && capital(word)
        && word.contains(char::is_lowercase)
        && !begins
        && cx.lang.code != "de"
        && !is_common(said, cx, no)
        && !cx.lang.and_english().any(announced)
}

/// Whether the words of a mention are an option's key that is an everyday word, and not written as a key: "on" for Ontario.
/// A message in capitals writes nothing as a key.
pub fn is_everyday_key(said: &Said, cx: &Context<'_>, mention: &Mention) -> bool {
    let quote = said.raw.get(mention.span.clone()).unwrap_or_default();
    let word = said.plain(mention.words.start);
    let everyday = cx.lang.and_english().any(|lang| {
        let common = lang.option.common.word(word).is_some() || lang.option.weak.word(word).is_some();
        common || lang.sentence.stop.word(word).is_some()
    });
    let key = |no: &usize| {
        let option = cx.options.get(*no);
        option.is_some_and(|it| it.id.as_str().eq_ignore_ascii_case(quote) && !it.label.eq_ignore_ascii_case(quote))
    };
    let in_capitals = quote.chars().all(char::is_uppercase) && said.raw.contains(char::is_lowercase);
    mention.words.len() == 1 && everyday && !in_capitals && mention.options.iter().all(key)
}

/// The places in the list that a message consists of, from 0: "2", "the second one", "1, 3 and the last". Places past
/// the end are given too. None where the message says anything else.
pub fn places(said: &Said, cx: &Context<'_>) -> Option<Vec<usize>> {
    const MOST_WORDS: usize = 60;
    if said.words.len() > MOST_WORDS {
        return None;
    }
    let mut places = Vec::new();
    let mut no = 0;
    let mut after_ordinal = false;
    while no < said.words.len() {
        if after_ordinal {
            after_ordinal = false;
            if let Some(len) = at(said, cx, no, |words| &words.one) {
                no += len;
                continue;
            }
        }
        if let Some((place, ordinal, len)) = place_at(said, cx, no) {
            let pointing = no > 0 && !ordinal && at(said, cx, no, |words| &words.one).is_some();
            if pointing && at(said, cx, no - 1, |words| &words.between).is_some() {
                return None;
            }
            places.push(place?);
            after_ordinal = ordinal;
            no += len;
            continue;
        }
        no += skip_at(said, cx, no)?;
    }
    (!places.is_empty()).then_some(places)
}

/// The place said at a word: from 0 (none where it is past all counting), whether as an ordinal, and in how many words.
fn place_at(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Option<usize>, bool, usize)> {
    let from_one = |place: Option<usize>| place.and_then(|place| place.checked_sub(1));
    if said.words.get(no)?.class == Class::Digits {
        let place = from_one(said.word(no).parse().ok());
        let suffixed = said.is_glued(no + 1)
            && cx.lang.and_english().any(|lang| lang.number.ordinal_suffixes.word_at(said, no + 1).is_some());
        let suffixed = suffixed || said.is_glued(no + 1) && matches!(said.word(no + 1), "o" | "a" | "°");
        return Some((place, suffixed, 1 + usize::from(suffixed)));
    }
    if let Some(len) = at(said, cx, no, |words| &words.last) {
        return Some((from_one(Some(cx.options.len())), true, len));
    }
    let mut atoms = cx.lang.and_english().filter_map(|lang| lang.number.atoms.at(said, no));
    atoms.find_map(|(len, atom)| match atom {
        Atom::Value(value) => Some((from_one(value.to_usize()), false, len)),
        Atom::Ordinal(value) => Some((from_one(value.to_usize()), true, len)),
        Atom::Scale(_) | Atom::Article | Atom::Collective(_) | Atom::Fraction(_) | Atom::Parts(_) => None,
        Atom::And | Atom::Point | Atom::Minus => None,
    })
}

/// How many words that say nothing stand at a word; none where it says something else than a place.
fn skip_at(said: &Said, cx: &Context<'_>, no: usize) -> Option<usize> {
    let digits =
        |no: Option<usize>| no.and_then(|no| said.words.get(no)).is_some_and(|word| word.class == Class::Digits);
    let inside_number = said.is_glued(no) && said.is_glued(no + 1) && digits(no.checked_sub(1)) && digits(Some(no + 1));
    if inside_number && said.word(no) != "," {
        return None;
    }
    let tables: [fn(&OptionWords) -> &Phrases<()>; 4] =
        [|words| &words.number, |words| &words.between, |words| &words.and, |words| &words.or];
    let small = tables.into_iter().filter_map(|table| at(said, cx, no, table)).max();
    let filler = cx.lang.and_english().map(|lang| lang.filler.words_at(said, no)).max().unwrap_or(0);
    // "- 2" is the second of a list, "-2" a number below nought.
    let minus = said.word(no) == "-" && said.is_glued(no + 1) && digits(Some(no + 1));
    let mark = matches!(said.word(no), ")" | "(" | "°" | "º" | "ª" | "#" | "[" | "]" | "-" | "*");
    let mark = usize::from(mark && !minus);
    Some(small.unwrap_or(0).max(filler).max(mark)).filter(|skip| *skip > 0)
}

/// Options pointed at inside a sentence: "I'd take option 2".
pub fn announced(said: &Said, cx: &Context<'_>) -> Vec<(usize, Range<usize>)> {
    let one = |no: usize| {
        let len = at(said, cx, no, |words| &words.announce)?;
        let (place, _, digits) = place_at(said, cx, no + len)?;
        let place = place.filter(|place| *place < cx.options.len())?;
        Some((place, no..no + len + digits))
    };
    (0..said.words.len()).filter_map(one).collect()
}

/// Whether words say nothing that could be chosen: they ask, do not know, leave it open, or want something of the bot.
pub(crate) fn is_open(said: &Said, cx: &Context<'_>) -> bool {
    if answer::evades(said, cx) {
        return true;
    }
    let words = answer::words(said, cx);
    let (start, end) = (words.start, words.end);
    let last = (start..end).rev().find(|no| said.words[*no].class != Class::Mark).map_or(end, |last| last + 1);
    if at(said, cx, start, |words| &words.vague).is_some_and(|len| start + len >= last) {
        return true;
    }
    let asks = |lang: &Language| {
        lang.sentence.question.starts(said, start) || lang.sentence.request.starts(said, start) && last > start + 2
    };
    let unknown = |lang: &Language, no: usize| {
        lang.control.whole.at(said, no).is_some_and(|(len, what)| *what == Control::Unknown && (len > 1 || no == start))
    };
    let open = |no: usize| at(said, cx, no, |words| &words.open).is_some_and(|len| len > 1 || no == start);
    cx.lang.and_english().any(|lang| asks(lang) || (start..last).any(|no| unknown(lang, no))) || (start..last).any(open)
}

/// The answer without what is put around it, as words of one's own; none where they say nothing that could be chosen.
pub fn own_words(said: &Said, cx: &Context<'_>) -> Option<(Range<usize>, String)> {
    if is_open(said, cx) {
        return None;
    }
    let span = answer::span(said, cx);
    let text = said.raw.get(span.clone())?.trim_end_matches([',', ';', ':', '،', '؛']);
    let span = span.start..span.start + text.len();
    let text = answer::tidy_line(text);
    text.contains(|c: char| c.is_alphanumeric()).then_some((span, text))
}
