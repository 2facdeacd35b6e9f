//! Postal addresses in a message: "via Roma 12", "221B Baker Street", "12 rue de la Paix, 75002 Paris".

mod house;
mod tail;

use std::ops::Range;

use formwright_lexicon as language;
use formwright_lexicon::street::StreetWords;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};

use self::house::{number_at, number_before};
use self::tail::{said_else, tail};
use super::numeral;
use crate::reading::{Context, Strength};
use crate::words::{answer, free};

/// Addresses in a message, as bytes of it, left to right. With a house number they are sure.
pub fn find(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Strength)> {
    let streets = streets(said, cx).into_iter();
    streets
        .map(|street| (said.raw_words(street.words), if street.number { Strength::Exact } else { Strength::Weak }))
        .collect()
}

/// The address that a message consists of, as bytes of it; in a longer sentence, the only street in it.
pub fn whole(said: &Said, cx: &Context<'_>) -> Range<usize> {
    let words = after_lead(said, cx, free::words(said, cx));
    if let [street] = streets(said, cx).as_slice() {
        let outside = |no: &usize| !street.words.contains(no) && said.words[*no].class == Class::Letters;
        let small = |no: &usize| {
            let stop = cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, *no).is_some());
            stop || said
                .raw
                .get(said.raw_words(*no..*no + 1))
                .is_some_and(|quote| quote.starts_with(char::is_lowercase))
        };
        // Small words before or after the street are a sentence; capitals are the rest of the address, and so is what
        // goes on to a postcode.
        let stop = |no: usize| cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some());
        let last = words.end.checked_sub(1).filter(|last| *last > street.words.end);
        let town = last.is_some_and(|last| {
            let code = class(said, last) == Some(Class::Digits) && POSTCODE.contains(&said.word(last).len());
            code && !(street.words.end..last).any(stop)
        });
        let of_sentence = |no: &usize| !town || *no < street.words.start;
        let sentence = words.clone().filter(outside).filter(small).filter(of_sentence).count() > 2;
        if street.number && sentence {
            return said.raw_words(street.words.clone());
        }
        let start = if words.contains(&street.words.start) { words.start } else { street.words.start };
        let else_said = if street.number { said_else(said, cx, street.words.end..words.end) } else { None };
        return said.raw_words(start..else_said.unwrap_or(words.end.max(street.words.end)));
    }
    said.raw_words(words)
}

/// Words without what announces an address: "my address is", "deliver to".
pub fn after_lead(said: &Said, cx: &Context<'_>, mut words: Range<usize>) -> Range<usize> {
    while let Some(len) = free::at(said, cx, words.start, |lang| &lang.street.lead) {
        if words.start + len >= words.end {
            break;
        }
        words.start += len;
        while words.start + 1 < words.end && matches!(said.word(words.start), ":" | "," | "\"") {
            words.start += 1;
        }
    }
    words
}

/// The bytes of words without an article that is written together with the first: "aeroporto" of "l'aeroporto", "Alhambra" of
/// "l'Alhambra"; the town of "L'Aquila" keeps its own.
pub fn after_elided(said: &Said, cx: &Context<'_>, words: Range<usize>) -> Range<usize> {
    const ARTICLES: [&str; 4] = ["l", "all", "dall", "d"];
    let span = said.raw_words(words.clone());
    let text = said.raw.get(span.clone()).unwrap_or_default();
    let Some((article, rest)) = text.split_once(['\'', '’']) else { return span };
    let noun = said.plain(words.start).split_once('\'').map_or("", |(_, noun)| noun);
    let sort = |table: fn(&Language) -> &Phrases<()>| table(cx.lang).word(noun).is_some();
    let landmark = || sort(|lang| &lang.naming.terminal) || sort(|lang| &lang.naming.building);
    let is_article = ARTICLES.contains(&article) && (article != "d" || landmark());
    if is_article && (rest.starts_with(char::is_uppercase) || landmark()) {
        span.end - rest.len()..span.end
    } else {
        span
    }
}

/// Whether words can be an address: one of them names something, and is no street's word, number or small word of a
/// sentence. "12 via" and "2 or 3" name nothing.
pub fn names_something(said: &Said, cx: &Context<'_>) -> bool {
    let words = 0..said.words.len();
    let part = |table: fn(&StreetWords) -> &Phrases<()>, no: usize| {
        any(said, no, table).is_some_and(|len| (no..no + len).all(|no| class(said, no) == Some(Class::Letters)))
    };
    words.into_iter().any(|no| {
        // "Via Po": a name like a small word, said as a name.
        let raw = said.raw.get(said.raw_words(no..no + 1)).unwrap_or_default();
        let after_sort = no.checked_sub(1).is_some_and(|before| part(|street| &street.before, before));
        let is_name = after_sort && raw.starts_with(char::is_uppercase);
        let small = !is_name
            && (is_article(said.plain(no))
                || cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, no).is_some()));
        let sort = part(|street| &street.before, no)
            || part(|street| &street.after, no)
            || part(|street| &street.unit, no)
            || part(|street| &street.number, no);
        let glued = said.is_glued(no) && no > 0 && class(said, no - 1) == Some(Class::Digits);
        let number = numeral::at(said, no, cx.lang, cx.region).is_some();
        class(said, no) == Some(Class::Letters) && !small && (is_name || !sort) && !glued && !number
    })
}

/// Whether words with neither a street nor a number in them tell something instead of naming a place: "I moved", "wherever you
/// like", "my office".
pub fn tells_else<'a>(said: &Said, cx: &Context<'a>) -> bool {
    let all = 0..said.words.len();
    if all.clone().any(|no| class(said, no) == Some(Class::Digits)) || !streets(said, cx).is_empty() {
        return false;
    }
    let words = after_lead(said, cx, free::words(said, cx));
    let from = words.start;
    let words = from.max(answer::words(said, cx).start).min(words.end)..words.end;
    let len = |table: fn(&'a Language) -> &'a Phrases<()>, no: usize| free::at(said, cx, no, table).unwrap_or(0);
    let part = words.clone().find(|no| class(said, *no) == Some(Class::Mark)).unwrap_or(words.end);
    let speaks = |no: usize| len(|lang| &lang.sentence.speaker, no) > 0;
    let begins = |no: usize| {
        len(|lang| &lang.going.vague, no) > 0
            || len(|lang| &lang.option.open, no) > 1
            || len(|lang| &lang.denial.before, no) > 0
    };
    // "My office", but "Our Lady's Hospital".
    let capital = words.clone().skip(1).any(|no| said.has_capital(no));
    let owned = || len(|lang| &lang.naming.ours, words.start) > 0;
    let unnamed = || words.len() == len(|lang| &lang.street.unnamed, words.start);
    (from..part).any(speaks)
        || begins(0)
        || begins(words.start)
        || unnamed()
        || owned() && (!capital || words.len() == 2)
}

/// Whether an address has a house number, or says that the house has none.
pub fn has_number(address: &str) -> bool {
    let said = Said::new(address);
    let without = |no: usize| any(&said, no, |street| &street.no_number).is_some();
    let postcode = |no: usize| {
        let digits = said.word(no).len();
        let first = no == 0 || said.word(no - 1) == ",";
        let town = said.words.get(no + 1).is_some_and(|next| next.class == Class::Letters) && !said.is_glued(no + 1);
        let street = (no + 1..said.words.len().min(no + 5)).any(|no| any(&said, no, |street| &street.after).is_some());
        digits >= 5 && !street || digits == 4 && first && town && no > 0
    };
    (0..said.words.len()).any(|no| said.words[no].class == Class::Digits && !postcode(no) || without(no))
}

/// Digits of a postcode.
const POSTCODE: std::ops::RangeInclusive<usize> = 4..=6;

struct Street {
    words: Range<usize>,
    number: bool,
}

/// A phrase of the address tables of every language: people write addresses as they stand on the door.
fn any(said: &Said, no: usize, table: fn(&StreetWords) -> &Phrases<()>) -> Option<usize> {
    language::all().filter_map(|lang| table(&lang.street).at(said, no)).map(|(words, ())| words).max()
}

fn streets(said: &Said, cx: &Context<'_>) -> Vec<Street> {
    const LONGEST: usize = 2_000;
    let mut found: Vec<Street> = Vec::new();
    let mut no = 0;
    while no < said.words.len().min(LONGEST) {
        let from = found.last().map_or(0, |street| street.words.end);
        // "410 9th ave Fargo 58103": with a number and a name in front of it, a street's word ends the name.
        let named_before = || after_name(said, cx, no, from).filter(|street| street.number && street.words.start < no);
        let before = named_before().filter(|_| number_before(said, no).is_none());
        let street = before
            .or_else(|| before_name(said, cx, no, from))
            .or_else(|| after_name(said, cx, no, from))
            .or_else(|| compound(said, no));
        match street {
            Some(mut street) => {
                let start = house::head(said, cx, street.words.start, from);
                // With its flat or the name of its house it is as sure as with a number.
                street.number |= start < street.words.start;
                street.words.start = start;
                street.words.end = tail(said, cx, street.words.end);
                no = street.words.end.max(no + 1);
                found.push(street);
            }
            None => no += 1,
        }
    }
    found
}

fn class(said: &Said, no: usize) -> Option<Class> {
    said.words.get(no).map(|word| word.class)
}

/// Whether a word ends the name of a street: a small word of a sentence.
fn ends_name(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let plain = said.plain(no);
    class(said, no) != Some(Class::Letters)
        || !is_article(plain) && cx.lang.and_english().any(|lang| lang.name.stop.word(plain).is_some())
        || matches!(plain, "phone" | "tel" | "please" | "thanks" | "grazie" | "danke" | "merci" | "gracias")
}

/// Small words that also stand inside the names of streets.
fn is_article(plain: &str) -> bool {
    matches!(plain, "the" | "of" | "a" | "i" | "e" | "y" | "le" | "la" | "al" | "in" | "st" | "on")
}

/// "via Roma 12", "rue de la Paix, 12", "12 rue de la Paix", "calle Mayor, nº 5", "شارع الملك فهد 12".
fn before_name(said: &Said, cx: &Context<'_>, no: usize, from: usize) -> Option<Street> {
    const LONGEST_NAME: usize = 6;
    let len = any(said, no, |street| &street.before)?;
    let name = no + len;
    let mut end = name;
    // French "rue Haute à 22h" has a time behind it.
    let timed = |no: usize| said.word(no) == "à" && class(said, no + 1) == Some(Class::Digits);
    while end - name < LONGEST_NAME && !ends_name(said, cx, end) && !timed(end) {
        if any(said, end, |street| &street.number).is_some_and(|len| class(said, end + len) == Some(Class::Digits)) {
            break;
        }
        end += 1 + usize::from(said.word(end + 1) == "." && said.word(end).chars().count() <= 2);
    }
    let ordinal_name =
        end == name && class(said, name) == Some(Class::Digits) && class(said, name + 1) == Some(Class::Letters);
    if ordinal_name {
        // "via XX Settembre" is a name of words, "via 4 Novembre 12" one that begins with a number.
        end = name + 2;
    }
    if end == name || (name..end).all(|no| is_article(said.plain(no))) {
        return None;
    }
    if let Some(after) = number_at(said, end) {
        return Some(Street { words: no..after, number: true });
    }
    if let Some(start) = number_before(said, no).filter(|start| *start >= from) {
        return Some(Street { words: start..end, number: true });
    }
    // "via" and "place" are words of sentences too; without a number only a name in capitals makes a street.
    let last = (name..end).rev().find(|&no| said.has_capital(no))?;
    let known = said.has_capital(name)
        && !matches!(said.plain(no), "place" | "no" | "am" | "im" | "zum" | "zur" | "campo" | "villa");
    known.then_some(Street { words: no..last + 1, number: false })
}

fn is_number(said: &Said, no: usize) -> bool {
    class(said, no) == Some(Class::Digits)
}

/// "221B Baker Street", "10 Downing St.", "5 5th Avenue".
fn after_name(said: &Said, cx: &Context<'_>, no: usize, from: usize) -> Option<Street> {
    const LONGEST_NAME: usize = 5;
    // "3rd" is no road.
    if no > 0 && said.is_glued(no) && class(said, no - 1) == Some(Class::Digits) {
        return None;
    }
    // "4 Quay Street".
    if free::at(said, cx, no + 1, |lang| &lang.street.after).is_some() {
        return None;
    }
    let sure = any(said, no, |street| &street.after);
    let len = sure.or_else(|| any(said, no, |street| &street.perhaps_after))?;
    let mut start = no;
    while start > from && no - start < LONGEST_NAME {
        let ordinal =
            start >= 2 && matches!(said.plain(start - 1), "st" | "nd" | "rd" | "th") && is_number(said, start - 2);
        let common = cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, start - 1).is_some());
        if let Some(first) = number_before(said, start).filter(|first| *first >= from && (start < no || sure.is_some()))
        {
            let dot = said.word(no + len) == "." && said.is_glued(no + len) && is_cut_short(said.plain(no));
            let end = no + len + usize::from(dot);
            // "25 3 street": the street is called by a number.
            let house = number_before(said, first).filter(|house| start == no && *house >= from);
            return Some(Street { words: house.unwrap_or(first)..end, number: true });
        }
        if ordinal {
            start -= 2;
        } else if class(said, start - 1) == Some(Class::Letters) && !common || said.word(start - 1) == "." {
            start -= 1;
        } else {
            break;
        }
    }
    let name = (start..no).find(|&no| said.has_capital(no))?;
    let number = number_at(said, no + len).filter(|_| sure.is_some());
    let words = name..number.unwrap_or(no + len);
    (sure.is_some() && said.has_capital(no)).then_some(Street { words, number: number.is_some() })
}

/// Whether the word of a street is one that a full stop belongs to: "St." and "Ave.", not "Road.".
fn is_cut_short(word: &str) -> bool {
    const LONGEST: usize = 4;
    word.len() <= LONGEST && (!word.contains(['a', 'e', 'i', 'o', 'u', 'y']) || matches!(word, "av" | "ave"))
}

/// "Hauptstraße 5", "Hauptstr. 5a".
fn compound(said: &Said, no: usize) -> Option<Street> {
    const SHORTEST: usize = 3;
    let plain = said.plain(no);
    let ends =
        |ending: &String| plain.strip_suffix(ending.as_str()).is_some_and(|name| name.chars().count() >= SHORTEST);
    if !language::all().any(|lang| lang.street.endings.iter().any(ends)) {
        return None;
    }
    let mut end = no + 1;
    if said.word(end) == "." && said.is_glued(end) {
        end += 1;
    }
    number_at(said, end).map(|end| Street { words: no..end, number: true })
}
