//! Names of people as they introduce themselves: "my name is Ada Lovelace and…".

use std::ops::Range;

use formwright_lexicon::given::is_given;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said, overlap};

use super::{free, noted};
use crate::reading::{Context, Strength};

/// Names announced in a message, left to right: their words and how surely they are names.
pub fn announced(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Strength)> {
    let mut found = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        let called = || {
            free::at(said, cx, no, |lang| &lang.name.called)
                .filter(|_| is_of_nobody_else(said, cx, no) && !is_of_a_thing(said, cx, no))
        };
        let sure = free::at(said, cx, no, |lang| &lang.name.is).or_else(called);
        let perhaps = perhaps_at(said, cx, no);
        let Some(len) = sure.or(perhaps) else {
            no += 1;
            continue;
        };
        let from = no + len;
        let lead = no..from;
        no += 1;
        // Italian "Maria e Giovanni": "e" is "and", however "è" is looked up.
        let joins = lead.len() == 1 && free::at(said, cx, lead.start, |lang| &lang.sentence.join).is_some();
        if sure.is_none() && joins && lead.start.checked_sub(1).is_some_and(|no| said.is_capital(no)) {
            continue;
        }
        let Some((words, capitals)) = name_from(said, cx, from) else { continue };
        if is_no_name(said, cx, lead.clone(), words.start) || is_anothers(said, words.end) {
            continue;
        }
        let common = |no: usize| cx.lang.and_english().any(|lang| lang.option.common.word_at(said, no).is_some());
        let strength = match sure {
            Some(_) => Strength::Exact,
            None if !capitals => match typed_small(said, cx, &lead, &words) {
                Some(name) => {
                    no = name.end;
                    found.push((name, Strength::Typed));
                    continue;
                }
                None => continue,
            },
            None if common(words.start) => continue,
            None if words.len() > 1 || introduces(said, cx, &lead, &words) || books(said, cx, &lead, &words) => {
                Strength::Typed
            }
            None => Strength::Weak,
        };
        no = words.end;
        found.push((words, strength));
    }
    for (name, strength) in noted::names(said, cx) {
        found.retain(|(words, _)| !overlap(words, &name));
        let at = found.partition_point(|(words, _)| words.start < name.start);
        found.insert(at, (name, strength));
    }
    found
}

/// Whether one word with a capital is a name by the words before it: "I'm Jessy, I need a table"; not "I'm Slovenian", "I'm Google
/// certified".
fn introduces(said: &Said, cx: &Context<'_>, lead: &Range<usize>, name: &Range<usize>) -> bool {
    let first = lead.start.checked_sub(1).is_none_or(|no| {
        let mark = said.words.get(no).is_some_and(|word| word.class == Class::Mark);
        mark || cx.lang.and_english().any(|lang| lang.filler.around.word_at(said, no).is_some())
    });
    if !first || said.shouts() || free::at(said, cx, lead.start, |lang| &lang.name.introduces) != Some(lead.len()) {
        return false;
    }
    is_unheard(said, cx, name) && !goes_on(said, cx, name.end)
}

/// Whether one word with a capital is the name that something is booked in: "under Okafor".
fn books(said: &Said, cx: &Context<'_>, lead: &Range<usize>, name: &Range<usize>) -> bool {
    let booked = || free::at(said, cx, lead.start, |lang| &lang.name.booked) == Some(lead.len());
    !said.shouts() && booked() && is_unheard(said, cx, name) && !goes_on(said, cx, name.end)
}

/// Whether the languages have no word such as this, nor call people so from anywhere.
fn is_unheard(said: &Said, cx: &Context<'_>, name: &Range<usize>) -> bool {
    let word = said.plain(name.start);
    let people = |lang: &Language| lang.name.peoples.iter().any(|ending| word.ends_with(ending.as_str()));
    !cx.lang.and_english().any(|lang| lang.knows(word) || people(lang))
}

/// Whether words follow that may belong to what stands before them.
fn goes_on(said: &Said, cx: &Context<'_>, end: usize) -> bool {
    let stops = || cx.lang.and_english().any(|lang| lang.name.stop.word_at(said, end).is_some());
    said.words.get(end).is_some_and(|next| next.class != Class::Mark && !stops())
}

/// The name at the start of words in a message without capitals, behind words that a name follows more often than not: as many
/// words as the language has not, two at least behind "for", one behind "under".
fn typed_small(said: &Said, cx: &Context<'_>, lead: &Range<usize>, words: &Range<usize>) -> Option<Range<usize>> {
    const MOST: usize = 3;
    let leads = |table: fn(&Language) -> &Phrases<()>| free::at(said, cx, lead.start, table) == Some(lead.len());
    let given = free::at(said, cx, lead.start, |lang| &lang.name.introduces) == Some(lead.len())
        && is_given(said.plain(words.start));
    if !said.is_small() || !given && !leads(|lang| &lang.name.small) {
        return None;
    }
    let strange = |no: &usize| {
        let plain = said.plain(*no);
        let letters = said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
        letters
            && plain.chars().count() > 1
            && (is_given(plain) || !cx.lang.and_english().any(|lang| lang.knows(plain)))
    };
    let particle = |no: usize| free::at(said, cx, no, |lang| &lang.name.particles).filter(|len| strange(&(no + len)));
    let mut end = words.start;
    while end < words.end {
        end += match particle(end).filter(|_| end > words.start) {
            Some(len) => len + 1,
            None if strange(&end) => 1,
            None => break,
        };
    }
    let count = end - words.start;
    let least = if given || leads(|lang| &lang.name.booked) { 1 } else { 2 };
    (least..=MOST + 2).contains(&count).then_some(words.start..end)
}

/// The words at a word behind which a name may follow: "I'm". English "im" is none where that is a small word of the person's
/// own language.
fn perhaps_at(said: &Said, cx: &Context<'_>, no: usize) -> Option<usize> {
    let len = free::at(said, cx, no, |lang| &lang.name.perhaps)?;
    let own = || cx.lang.name.perhaps.starts(said, no) || cx.lang.sentence.stop.word_at(said, no).is_none();
    (len > 1 || own()).then_some(len)
}

/// Whether a word begins like a name: with a capital, or with one behind what is left of a small word: "d'Arcy".
fn is_proper(said: &Said, no: usize) -> bool {
    let raw = || said.raw.get(said.raw_words(no..no + 1)).unwrap_or_default();
    let behind =
        |word: &str| word.split_once(['\'', '’']).is_some_and(|(_, name)| name.starts_with(char::is_uppercase));
    said.is_capital(no) || !said.shouts() && behind(raw())
}

/// Whether nothing but pronouns stands before a word in its part of the message: "he" in "he is called Bob". What "that" is
/// called is no name.
fn is_of_nobody_else(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let any = |no: usize, table: fn(&Language) -> &Phrases<()>| {
        cx.lang.and_english().any(|lang| table(lang).word_at(said, no).is_some())
    };
    let small = |no: usize| any(no, |lang| &lang.sentence.stop) && !any(no, |lang| &lang.sentence.articles);
    let mut before = (0..no).rev().take_while(|no| !matches!(said.word(*no), "," | "." | ";" | ":" | "،"));
    before.all(small)
}

/// Whether words that say how something is called say it of a thing: "it is called".
fn is_of_a_thing(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let leads = |at: usize| free::at(said, cx, at, |lang| &lang.naming.leads).is_some_and(|len| at + len > no);
    no.checked_sub(1).is_some_and(leads)
}

/// The name that a message consists of.
pub fn whole(said: &Said, cx: &Context<'_>) -> Option<Range<usize>> {
    if let Some((words, _)) = announced(said, cx).into_iter().find(|(_, strength)| *strength == Strength::Exact) {
        return Some(words);
    }
    let mut words = past_lead(said, cx, past_greeting(said, cx, free::words(said, cx)));
    let tells = words.start > 0 && is_no_name(said, cx, 0..words.start, words.start);
    let called = free::at(said, cx, words.start, |lang| &lang.name.is);
    let tells_else = |len: usize| is_no_name(said, cx, words.start..words.start + len, words.start + len);
    if tells || called.is_some_and(tells_else) {
        return None;
    }
    let perhaps = perhaps_at(said, cx, words.start).unwrap_or(0);
    // "I'm", and no more.
    if perhaps > 0 && words.start + perhaps >= words.end && !said.is_capital(words.start) {
        return None;
    }
    let me = [words.start, words.start + perhaps].into_iter().find_map(|no| past_speaker(said, cx, no));
    if let Some(next) = me {
        words.start = next;
    } else if perhaps > 0 && words.start + perhaps < words.end {
        let lead = words.start..words.start + perhaps;
        words.start += perhaps;
        if is_no_name(said, cx, lead, words.start) {
            return None;
        }
    }
    if words.start >= words.end {
        return None;
    }
    let after = (words.start + 1..words.end)
        .find(|&no| free::at(said, cx, no, |lang| &lang.name.after) == Some(words.end - no));
    words.end = after.unwrap_or(words.end);
    // "Ann Lee :)"
    let mark = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Mark) && said.word(no) != ".";
    while words.end > words.start + 1 && mark(words.end - 1) {
        words.end -= 1;
    }
    let letters = words.clone().any(|no| said.words.get(no).is_some_and(|word| word.class == Class::Letters));
    (letters && is_shaped(said, cx, words.clone())).then_some(words)
}

/// Where a message goes on behind words for whoever speaks, and the marks after them: "Ann" of "it's me, Ann". One word at the
/// beginning may be a name: "Io Rossi".
fn past_speaker(said: &Said, cx: &Context<'_>, from: usize) -> Option<usize> {
    let len = free::at(said, cx, from, |lang| &lang.name.me)?;
    let mark = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Mark);
    let next = (from + len..said.words.len()).find(|no| !mark(no)).unwrap_or(said.words.len());
    (len > 1 || from > 0 || next > from + len || next == said.words.len()).then_some(next)
}

/// Whether what follows the words by which somebody is introduced tells something else than a name: "I'm interested", "call me
/// tomorrow", "sono di Milano".
fn is_no_name(said: &Said, cx: &Context<'_>, lead: Range<usize>, from: usize) -> bool {
    const SHORTEST: usize = 6;
    let announces = || free::at(said, cx, lead.start, |lang| &lang.name.surely).is_some_and(|len| len == lead.len());
    let Some(len) = free::at(said, cx, from, |lang| &lang.name.none) else {
        let word = said.plain(from);
        let deed = |lang: &Language| lang.name.endings.iter().any(|ending| word.ends_with(ending.as_str()));
        let long = word.chars().count() >= SHORTEST && !said.is_capital(from);
        let follows =
            said.words.get(from + 1).is_some_and(|next| next.class == Class::Letters) && said.is_capital(from + 1);
        return long && !follows && !announces() && cx.lang.and_english().any(deed);
    };
    // "Sono De Santis" has a capital, "sono di Milano" has none.
    // "My name is Sunny", not "my name is hard to spell".
    let particle = free::at(said, cx, from, |lang| &lang.name.particles) == Some(len);
    !((announces() || particle) && said.is_capital(from))
}

/// Whether what belongs to somebody follows right behind their name: "Jane's" of "Jane's brother".
fn is_anothers(said: &Said, end: usize) -> bool {
    let letters = said.words.get(end).is_some_and(|word| word.class == Class::Letters);
    letters && !said.is_capital(end) && end.checked_sub(1).is_some_and(|no| said.word(no).ends_with("'s"))
}

/// Words without a greeting that a mark parts from them: "I'm Ann" of "Hi, I'm Ann".
fn past_greeting(said: &Said, cx: &Context<'_>, mut words: Range<usize>) -> Range<usize> {
    let polite = |no: usize| free::at(said, cx, no, |lang| &lang.filler.around);
    let mark = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Mark);
    while let Some(len) = polite(words.start).filter(|len| mark(words.start + len) && words.start + len + 1 < words.end)
    {
        words.start += len + 1;
    }
    words
}

/// Words without the small ones that stand before a name: "Tom" of "ok just Tom", "Müller" of "auf Müller".
fn past_lead(said: &Said, cx: &Context<'_>, mut words: Range<usize>) -> Range<usize> {
    let lead = |no: usize| {
        let booked = free::at(said, cx, no, |lang| &lang.name.booked);
        booked.max(free::at(said, cx, no, |lang| &lang.filler.around)).filter(|_| !said.is_capital(no))
    };
    let mut start = words.start;
    while let Some(len) = lead(start) {
        start += len;
    }
    if start < words.end && (said.is_capital(start) || is_given(said.plain(start))) {
        words.start = start;
    }
    words
}

/// Whether words look like a name: few, all with capitals or none that belongs into a sentence ("i want to change it").
fn is_shaped(said: &Said, cx: &Context<'_>, words: Range<usize>) -> bool {
    const MOST: usize = 8;
    let is_letters = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
    let all: Vec<usize> = words.collect();
    let letters: Vec<usize> = all.iter().copied().filter(|no| is_letters(no)).collect();
    let capital = |no: usize| is_proper(said, no);
    let any = |no: usize, table: fn(&Language) -> &Phrases<()>| {
        cx.lang.and_english().any(|lang| table(lang).word_at(said, no).is_some())
    };
    let verb = |no: usize| {
        any(no, |lang| &lang.control.edit) || any(no, |lang| &lang.control.clear) || any(no, |lang| &lang.control.add)
    };
    let small = |no: usize| {
        let stops = any(no, |lang| &lang.name.stop)
            || any(no, |lang| &lang.yes_no.negation)
            || any(no, |lang| &lang.sentence.is)
            || cx.lang.and_english().any(|lang| lang.number.atoms.word_at(said, no).is_some());
        // "Will smith".
        let begins = letters.len() == 2 && letters.first() == Some(&no) && any(no, |lang| &lang.name.also);
        // "Der" of "Jan von der Lippe".
        let inside =
            |from: usize| free::at(said, cx, from, |lang| &lang.name.particles).is_some_and(|len| from + len > no);
        stops && !begins && !(no.saturating_sub(2)..=no).any(inside)
    };
    let answer = |no: usize| any(no, |lang| &lang.yes_no.yes) || any(no, |lang| &lang.yes_no.negation);
    // What begins with "no" in small letters goes on like a sentence.
    if let [first, rest @ ..] = letters.as_slice() {
        let refuses = !rest.is_empty() && answer(*first) && !rest.iter().any(|no| capital(*no));
        if refuses || (rest.is_empty() && answer(*first) && !capital(*first)) || said.is_i(*first) {
            return false;
        }
    }
    // "Jane's brother", "el hermano de Ana".
    let kin = all.first().is_some_and(|no| free::at(said, cx, *no, |lang| &lang.name.kin).is_some());
    let owns = letters.iter().any(|no| is_anothers(said, no + 1));
    // "Hi I'm interested".
    let speaks = letters.iter().any(|no| said.word(*no).starts_with("i'"));
    if speaks
        || kin
        || owns
        || letters.first().is_some_and(|no| free::at(said, cx, *no, |lang| &lang.name.none).is_some_and(|len| len > 1))
    {
        return false;
    }
    let sentence = letters.iter().enumerate().any(|(at, no)| {
        let first = at == 0 && verb(*no) && letters.len() > 1;
        first || (!capital(*no) && (small(*no) || verb(*no)))
    });
    let digits = all.iter().any(|no| said.words.get(*no).is_some_and(|word| word.class == Class::Digits));
    letters.len() <= MOST && !sentence && !digits
}

/// The name that starts at a word, and whether it is written with capitals.
fn name_from(said: &Said, cx: &Context<'_>, from: usize) -> Option<(Range<usize>, bool)> {
    const MOST: usize = 7;
    const MOST_SMALL: usize = 4;
    let mut start = from;
    while matches!(said.word(start), ":" | "\"" | "," | "'" | "-") {
        start += 1;
    }
    let capital = |no: usize| is_proper(said, no);
    let is_letters = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    let any = |no: usize, table: fn(&Language) -> &Phrases<()>| {
        cx.lang.and_english().any(|lang| table(lang).word_at(said, no).is_some())
    };
    let stop = |no: usize| any(no, |lang| &lang.name.stop) && !(no == start && any(no, |lang| &lang.name.also));
    let particle = |no: usize| free::at(said, cx, no, |lang| &lang.name.particles);
    let capitals = capital(start) || particle(start).is_some_and(|len| capital(start + len));
    let mut end = start;
    while end < said.words.len() && end - start < MOST {
        // "This is Karen I want to book": whoever speaks goes on about something.
        if end > start && said.is_i(end) && is_letters(end + 1) && !capital(end + 1) {
            break;
        }
        let small_over = !capitals && (stop(end) || end - start >= MOST_SMALL);
        let title = || end > start && any(end - 1, |lang| &lang.naming.address);
        let initial = said.word(end) == "."
            && end > start
            && said.is_glued(end)
            && (said.word(end - 1).chars().count() <= 2 || title());
        let joins = particle(end).filter(|len| capitals && is_letters(end + len) && capital(end + len));
        if is_letters(end) && (capital(end) || !capitals && !small_over) {
            // A capital may begin the next sentence's word: "Ada. My number …" stops at the mark, "Ada and" at the word.
            end += 1;
        } else if let Some(len) = joins {
            end += len;
        } else if initial && is_letters(end + 1) {
            end += 1;
        } else {
            break;
        }
    }
    (end > start).then_some((start..end, capitals))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::cx;

    #[rstest]
    #[case("en", "Hi, I'm Jessy, I need a table", "Jessy")]
    #[case("en", "hello this is Tariq", "Tariq")]
    #[case("en", "I am Anna and I have a question", "Anna")]
    #[case("en", "I'm Jessy Carter", "Jessy Carter")]
    #[case("en", "my name is jessy", "jessy")]
    #[case("en", "this is deborah, ref 8GHJ2K", "deborah")]
    #[case("en", "im omar haddad from leeds", "omar haddad")]
    #[case("en", "this is urgent", "")]
    #[case("en", "under Okafor", "Okafor")]
    #[case("en", "under Okafor Bridge", "Okafor Bridge")]
    #[case("en", "under Friday", "")]
    #[case("en", "I'm Slovenian", "~Slovenian")]
    #[case("en", "I'm German", "")]
    #[case("en", "I'm Google certified", "~Google")]
    #[case("en", "the man with the hat, I'm told, is Jessy", "")]
    #[case("en", "I'M LATE", "")]
    #[case("it", "Buongiorno, sono Giulia", "Giulia")]
    #[case("es", "Hola, soy Lucía, quiero una mesa", "Lucía")]
    #[case("de", "Guten Tag, hier spricht Jürgen", "Jürgen")]
    #[case("de", "Ich bin Lehrer", "~Lehrer")]
    #[case("fr", "Bonjour, moi c'est Manon", "Manon")]
    #[case("fr", "je suis Lyonnais", "~Lyonnais")]
    fn who_speaks_is_told_in_a_word_or_two(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let said = Said::new(said);
        let found = announced(&said, &cx(lang)).into_iter().map(|(words, strength)| {
            let weak = if strength == Strength::Weak { "~" } else { "" };
            format!("{weak}{}", said.raw.get(said.raw_words(words)).unwrap_or_default())
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected);
    }
}
