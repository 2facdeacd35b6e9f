//! What is told sign by sign: a name that is spelled ("k o r h o n e n", "Korhonen, K O R H O N E N"), a code that is read
//! out ("tango whiskey nine", "M as in mother, one four").

use std::ops::Range;

use formwright_lexicon::given::is_given;
use formwright_lexicon::number::Atom;
use formwright_text::{Class, Said, capitalised};
use rust_decimal::prelude::ToPrimitive as _;

use crate::reading::Context;
use crate::words::{free, names};

/// Fewest letters of a name that is spelled.
const SHORTEST_NAME: usize = 3;
/// Fewest signs of a code that is read out.
const SHORTEST_CODE: usize = 4;
/// Fewest words that tell its signs: "20121 Milano" is a town, for all that Italians say Milano for M.
const FEWEST_WORDS: usize = 2;

/// A letter or digits as they are told.
struct Sign {
    /// How many words tell it.
    len: usize,
    text: String,
    /// In other words than the sign itself: "tango", "nine", "M as in mother".
    in_words: bool,
}

/// Signs one after the other.
struct Signs {
    words: Range<usize>,
    /// In capitals.
    text: String,
    /// Lengths of `text` at which a wider space or a mark stands.
    gaps: Vec<usize>,
    /// How many words tell signs in other words than the sign itself.
    in_words: usize,
}

/// The code that a message reads out somewhere, and its words.
pub fn code(said: &Said, cx: &Context<'_>) -> Option<(Range<usize>, String)> {
    if said.words.len() < SHORTEST_CODE {
        return None;
    }
    let (mut no, mut found) = (0, None);
    while no < said.words.len() {
        let Some(signs) = signs(said, cx, no, |sign| sign) else {
            no += 1;
            continue;
        };
        no = signs.words.end;
        let both = signs.text.contains(char::is_alphabetic) && signs.text.contains(char::is_numeric);
        if both && signs.in_words >= FEWEST_WORDS && signs.text.chars().count() >= SHORTEST_CODE {
            // Of two nobody knows which is meant.
            if found.is_some() {
                return None;
            }
            found = Some((signs.words, signs.text));
        }
    }
    found
}

/// The code that a message reads out and that is all it says.
pub fn whole_code(said: &Said, cx: &Context<'_>) -> Option<(Range<usize>, String)> {
    let (words, text) = code(said, cx)?;
    let all = free::words(said, cx);
    let around = (all.start..words.start).chain(words.end..all.end);
    let mut around = around.filter(|no| said.words.get(*no).is_some_and(|word| word.class != Class::Mark));
    let small = |no: usize| cx.lang.and_english().any(|lang| lang.sentence.stop.word_at(said, no).is_some());
    around.all(small).then_some((words, text))
}

/// The name that a message consists of, where it is spelled.
pub fn whole_name(said: &Said, cx: &Context<'_>) -> Option<(Range<usize>, String)> {
    let signs = spelled(said, cx, 0)?;
    let mark = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Mark);
    let tail = |no: usize| free::at(said, cx, no, |lang| &lang.frame.tail);
    let rest = (signs.words.end..said.words.len()).find(|no| !mark(no));
    if rest.is_some_and(|no| tail(no).is_none_or(|len| (no + len..said.words.len()).any(|no| !mark(&no)))) {
        return None;
    }
    let head = Said::new(said.raw.get(..said.raw_words(signs.words.clone()).start)?);
    let lead = (0..head.words.len()).find(|no| is_lead(&head, cx, *no..head.words.len()));
    let from = lead.unwrap_or(head.words.len());
    if (0..from).all(|no| is_idle(&head, cx, no)) {
        return Some((signs.words.clone(), name_of(&signs)?));
    }
    let head = Said::new(head.raw.get(..head.raw_words(0..from).end)?);
    let words = names::whole(&head, cx)?;
    let name = put_right(said, &words, &signs)?;
    Some((words.start..signs.words.end, name))
}

/// The name that words announce, with what of it is spelled: where it ends, and the name. None where nothing is.
pub fn announced_name(said: &Said, cx: &Context<'_>, words: &Range<usize>) -> Option<(Range<usize>, String)> {
    let signs = spelled(said, cx, words.start)?;
    if signs.words.start == words.start {
        return Some((signs.words.clone(), name_of(&signs)?));
    }
    let head = words.start..words.end.min(signs.words.start);
    if signs.words.start > words.end && !is_lead(said, cx, words.end..signs.words.start) {
        return None;
    }
    let name = put_right(said, &head, &signs)?;
    Some((head.start..signs.words.end, name))
}

/// Whether words tell that what stands before them is spelled now: "that's spelled", or a mark.
fn is_lead(said: &Said, cx: &Context<'_>, words: Range<usize>) -> bool {
    let mark = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Mark);
    let Some(start) = words.clone().find(|no| !mark(*no)) else { return true };
    let Some(len) = free::at(said, cx, start, |lang| &lang.spoken.spells) else { return false };
    start == words.start && (start + len..words.end).all(mark)
        || start > words.start && is_lead(said, cx, start..words.end)
}

/// Whether a word in front of what is spelled means nothing.
fn is_idle(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let small = |lang: &formwright_lexicon::Language| {
        lang.sentence.stop.word_at(said, no).is_some() || lang.filler.words_at(said, no) > 0
    };
    said.words.get(no).is_some_and(|word| word.class == Class::Mark) || cx.lang.and_english().any(small)
}

/// The first letters from a word on that are a spelled name.
fn spelled(said: &Said, cx: &Context<'_>, from: usize) -> Option<Signs> {
    let single = |no: &usize| {
        let mut parts = said.word(*no).split('-');
        said.words.get(*no).is_some_and(|word| word.class == Class::Letters)
            && parts.all(|part| part.chars().count() == 1)
    };
    let mut starts = (from..said.words.len()).filter(single);
    let letters = |sign: Option<Sign>| sign.filter(|sign| sign.text.chars().all(char::is_alphabetic));
    let written = |sign: Option<Sign>| letters(sign).filter(|sign| !sign.in_words || sign.len > 1);
    // "G H F 678" is a code.
    let digits = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Digits);
    let name = |signs: &Signs| is_long(signs) && !digits(signs.words.end);
    starts.find_map(|no| signs(said, cx, no, written).filter(name))
}

fn is_long(signs: &Signs) -> bool {
    signs.text.chars().count() >= SHORTEST_NAME
}

/// The name that letters spell, without a word before them: "Greta Lomax". None where nobody knows where its words end.
fn name_of(signs: &Signs) -> Option<String> {
    const LONGEST_WORD: usize = 9;
    const LEAST: usize = 5;
    const SHORTEST: usize = 4;
    // "A b c" names nobody.
    if signs.text.chars().count() < SHORTEST {
        return None;
    }
    let text = signs.text.to_lowercase();
    if !signs.gaps.is_empty() {
        let mut parts = Vec::new();
        let mut start = 0;
        for end in signs.gaps.iter().copied().chain([text.len()]) {
            parts.push(capitalised(text.get(start..end)?));
            start = end;
        }
        return Some(parts.join(" "));
    }
    let halves = (SHORTEST_NAME..text.len()).rev().filter_map(|at| text.split_at_checked(at));
    let mut halves = halves.filter(|(first, rest)| is_given(first) && rest.chars().count() >= LEAST);
    match halves.next() {
        Some((first, rest)) if !is_given(&text) => Some(format!("{} {}", capitalised(first), capitalised(rest))),
        _ if text.chars().count() <= LONGEST_WORD => Some(capitalised(&text)),
        _ => None,
    }
}

/// A name of which the end is spelled as well: the letters count where they differ a little from what was said.
fn put_right(said: &Said, words: &Range<usize>, signs: &Signs) -> Option<String> {
    const MOST_MORE: usize = 3;
    let raw = |words: Range<usize>| said.raw.get(said.raw_words(words)).unwrap_or_default();
    let text = signs.text.to_lowercase();
    let glued = |from: usize| {
        (from..words.end).flat_map(|no| said.word(no).chars()).filter(|c| c.is_alphabetic()).collect::<String>()
    };
    if words.clone().any(|no| glued(no) == text) {
        return Some(raw(words.clone()).to_owned());
    }
    let last = words.end.checked_sub(1)?;
    let word = said.word(last);
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let both = same(&mut word.chars(), &mut text.chars()).max(same(&mut word.chars().rev(), &mut text.chars().rev()));
    let alike = both * 2 >= text.chars().count()
        || word.chars().next() == text.chars().next()
            && word.chars().count().abs_diff(text.chars().count()) <= MOST_MORE;
    if !alike {
        return None;
    }
    Some(format!("{} {}", raw(words.start..last), capitalised(&text)).trim_start().to_owned())
}

/// The signs that stand one after the other from a word on.
fn signs(said: &Said, cx: &Context<'_>, from: usize, fits: impl Fn(Option<Sign>) -> Option<Sign>) -> Option<Signs> {
    let mut signs = Signs { words: from..from, text: String::new(), gaps: Vec::new(), in_words: 0 };
    let mut no = from;
    while let Some(sign) = fits(sign(said, cx, no)) {
        let before = said.raw_words(signs.words.clone()).end;
        let between = said.raw.get(before..said.raw_words(no..no + 1).start).unwrap_or_default();
        if !signs.text.is_empty() && (between.chars().count() > 1 || between.contains(',')) {
            signs.gaps.push(signs.text.len());
        }
        no += sign.len;
        signs.in_words += if sign.in_words { sign.len } else { 0 };
        signs.text.push_str(&sign.text.to_uppercase());
        signs.words.end = no;
        while matches!(said.word(no), "," | "-" | "." | "،") {
            no += 1;
        }
    }
    (!signs.text.is_empty()).then_some(signs)
}

fn sign(said: &Said, cx: &Context<'_>, no: usize) -> Option<Sign> {
    let word = said.words.get(no)?;
    let sign = |len: usize, text: String, in_words: bool| Some(Sign { len, text, in_words });
    match word.class {
        Class::Mark => return None,
        Class::Digits => return sign(1, said.word(no).to_owned(), false),
        Class::Letters => {}
    }
    let mut chars = said.word(no).chars();
    if let (Some(letter), None) = (chars.next(), chars.next()) {
        let helped = free::at(said, cx, no + 1, |lang| &lang.spoken.as_in).unwrap_or(0);
        let helper = no + 1 + helped;
        let helps = helped > 0 && said.word(helper).starts_with(letter);
        return sign(if helps { helped + 2 } else { 1 }, letter.to_string(), helps);
    }
    // "K-o-r-h-o-n-e-n" is one word.
    let hyphened = said.word(no).split('-').all(|part| part.chars().count() == 1) && said.word(no).contains('-');
    if hyphened {
        return sign(1, said.word(no).replace('-', ""), false);
    }
    let langs = || cx.lang.and_english();
    if let Some((len, times)) = langs().find_map(|lang| lang.spoken.repeats.at(said, no)) {
        let one = self::sign(said, cx, no + len).filter(|one| one.text.chars().count() == 1)?;
        return sign(len + one.len, one.text.repeat(*times), true);
    }
    if let Some(len) = free::at(said, cx, no, |lang| &lang.spoken.alphabet) {
        let first = said.plain(no).chars().next()?;
        return sign(len, first.to_string(), true);
    }
    if langs().any(|lang| lang.spoken.zero.word_at(said, no).is_some()) {
        return sign(1, "0".to_owned(), true);
    }
    let number = |word: &str| {
        let atom = langs().find_map(|lang| lang.number.atoms.word(word))?;
        let Atom::Value(value) = atom else { return None };
        value.to_u32().filter(|number| *number < 100 && value.is_integer())
    };
    let plain = said.plain(no);
    if let Some((tens, ones)) = plain.split_once('-') {
        let both = number(tens)?.checked_add(number(ones).filter(|ones| *ones < 10)?)?;
        return sign(1, both.to_string(), true);
    }
    let first = number(plain)?;
    let ones = number(said.plain(no + 1)).filter(|ones| first >= 20 && first % 10 == 0 && (1..10).contains(ones));
    sign(1 + usize::from(ones.is_some()), (first + ones.unwrap_or(0)).to_string(), true)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::cx;

    #[rstest]
    #[case("en", "it's b for bravo, r as in romeo, four double two n g", Some("BR422NG"))]
    #[case("en", "kilo lima nine one yankee zulu", Some("KL91YZ"))]
    #[case("en", "e seventeen six a q", Some("E176AQ"))]
    #[case("en", "e forty-one six a q please", Some("E416AQ"))]
    #[case("en", "e 17 6 a q", None)]
    #[case("en", "oh two oh seven nine four", None)]
    #[case("en", "the hotel has four golf courses", None)]
    #[case("it", "20121 Milano non il 12", None)]
    #[case("it", "B come Bologna, R come Roma, quattro due", Some("BR42"))]
    #[case("es", "M de Madrid, R de Roma, cuatro dos", Some("MR42"))]
    #[case("de", "B wie Berta, R wie Richard, vier zwei", Some("BR42"))]
    #[case("fr", "B comme Bernard, R comme Rémi, quatre deux", Some("BR42"))]
    fn a_code_is_read_out(#[case] lang: &'static str, #[case] said: &str, #[case] code: Option<&str>) {
        let found = whole_code(&Said::new(said), &cx(lang));
        assert_eq!(found.map(|(_, text)| text).as_deref(), code, "{said}");
    }

    #[rstest]
    #[case("k o r h o n e n", Some("Korhonen"))]
    #[case("A I N O  K O R H O N E N", Some("Aino Korhonen"))]
    #[case("l a u r a m e r c a d o", Some("Laura Mercado"))]
    #[case("j o h n s o n", Some("Johnson"))]
    #[case("q u o l v e d r a n t", None)]
    #[case("Aino Korhonen, k o r h o n e n", Some("Aino Korhonen"))]
    #[case("it's Aino Corhonen spelled k o r h o n e n", Some("Aino Korhonen"))]
    #[case("Korhonen that's k o r h o n e n please", Some("Korhonen"))]
    #[case("a n double e", Some("Anee"))]
    #[case("K-O-R-H-O-N-E-N", Some("Korhonen"))]
    #[case("a b c", None)]
    #[case("J R Ewing", None)]
    #[case("Ann Lee", None)]
    fn a_name_is_spelled(#[case] said: &str, #[case] name: Option<&str>) {
        let found = whole_name(&Said::new(said), &cx("en"));
        assert_eq!(found.map(|(_, text)| text).as_deref(), name, "{said}");
    }
}
