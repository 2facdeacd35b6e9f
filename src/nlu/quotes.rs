//! Whether a model's quotes and values are the person's words: found where they were said, and not turned round by cutting.

use std::ops::Range;

use rust_decimal::Decimal;

use super::prepare;
use super::reader::Reader;
use formwright_form::kind::numeral::{self, Shape};
use formwright_lexicon::number::Role;
use formwright_lexicon::{Language, Phrases};
use formwright_text::typo::distance;
use formwright_text::{Class, Said};

/// Where words stand in a message, whole words and whole numbers only; case, spaces, quotes and dashes do not matter.
pub fn find(said: &Said, quote: &str) -> Option<Range<usize>> {
    let quote = Said::new(quote);
    let len = quote.words.len();
    let fits = |from: &usize| (0..len).all(|no| said.word(from + no) == quote.word(no));
    let whole = |from: &usize| !cuts_number(said, *from) && !cuts_number(said, from + len);
    let last = (said.words.len() + 1).checked_sub(len)?;
    let from = (0..last).filter(fits).find(whole).filter(|_| len > 0)?;
    let span = said.raw_words(from..from + len);
    said.raw.get(span.clone()).filter(|text| text.chars().any(char::is_alphanumeric)).map(|_| span)
}

/// Whether a number goes on over the place before a word: `1|2`, `12|,50`, `347| 123`, `-|5`; not `2026| 19:30`.
fn cuts_number(said: &Said, no: usize) -> bool {
    let is_digits = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Digits);
    let Some(before) = no.checked_sub(1) else { return false };
    let joins = |mark: usize| matches!(said.word(mark), "." | "," | ":" | "/" | "-" | "'" | "+" | "%");
    let glued = said.is_glued(no);
    if is_digits(before) && is_digits(no) {
        return glued || is_one_number(said, before, no);
    }
    if is_digits(no) && joins(before) && glued {
        // A sign at the start belongs to the number, as the mark between two numbers does.
        let sign = matches!(said.word(before), "-" | "+");
        return sign || before.checked_sub(1).is_some_and(|first| is_digits(first) && said.is_glued(before));
    }
    is_digits(before) && joins(no) && glued && is_digits(no + 1) && said.is_glued(no + 1)
}

/// Whether two runs of digits that a space parts are groups of one number: of a thousand (`1 000`), or of one that is
/// dialled or copied (`347 123 4567`). A run that is part of something else, as of a time, is no group.
fn is_one_number(said: &Said, before: usize, no: usize) -> bool {
    /// Fewest digits of a number that is written in groups for the eye.
    const DIALLED: usize = 7;
    let group = |no: usize| {
        let word = said.words.get(no).filter(|word| word.class == Class::Digits)?;
        let mark = |mark: usize| matches!(said.word(mark), ":" | "/" | "." | "," | "-");
        let after = mark(no + 1) && said.is_glued(no + 1) && said.is_glued(no + 2);
        let front = no.checked_sub(1).is_some_and(|front| mark(front) && said.is_glued(no) && said.is_glued(front));
        (!after && !front).then(|| word.span.len())
    };
    let (Some(_), Some(len)) = (group(before), group(no)) else { return false };
    let left = (0..=before).rev().map_while(group).sum::<usize>();
    let right = (no..said.words.len()).map_while(group).sum::<usize>();
    len == 3 || left + right >= DIALLED
}

/// Whether what stands beside a quote in its part of the sentence denies it: "anything but", "nobody likes", "not".
///
/// What denies also what is no quote's concern is better: a value that is dropped is asked for, and a denied one that is
/// taken is wrong.
pub(super) fn is_denied(reader: &Reader<'_>, span: &Range<usize>) -> bool {
    denied_from(reader, span, 0)
}

/// The same, where nothing before a word counts.
pub(super) fn denied_from(reader: &Reader<'_>, span: &Range<usize>, from: usize) -> bool {
    let words = reader.words_of(span);
    let Some(clause) = reader.clause(words.start) else { return false };
    let mut denied = false;
    let mut no = clause.words.start.max(from);
    while no < words.start {
        let before = reader.len(|lang| &lang.denial.before, no, words.start);
        let but = reader.len(|lang| &lang.denial.but, no, words.start);
        let none = reader.len(|lang| &lang.denial.none, no, words.start).max(reader.changes(no, words.start));
        let len = before.max(but).max(none);
        // "3, no make that 4": what comes after a correction is meant.
        let corrects = prepare::marks_correction(reader, no, words.start) && no > clause.words.start;
        if corrects && len == 0 {
            denied = false;
        }
        if len > 0 && none < len {
            denied = before == len && !is_bounded(reader, no + len..words.start);
        }
        no += len.max(1);
    }
    let after = |no: usize| reader.len(|lang| &lang.denial.after, no, clause.words.end);
    denied || (words.end..clause.words.end).any(|no| after(no) > 0 && no + after(no) == clause.words.end)
}

/// Whether words end with what makes a number behind them a bound, which a "not" before them only turns round: "I don't
/// want to spend more than".
pub(super) fn is_bounded(reader: &Reader<'_>, words: Range<usize>) -> bool {
    let bound = |no: usize| {
        let found = reader.at(|lang| &lang.number.before, no, words.end);
        found.is_some_and(|(len, role)| *role == Role::Bound && no + len == words.end)
    };
    words.clone().any(bound)
}

/// Whether the part of the sentence around a quote says that it is no answer yet: it is half of an alternative ("5 or
/// fewer"), something is denied of it ("ann@x.org must not know"), it was so at another time ("last year 70 came"),
/// it is only a limit ("not before Friday"), or where it may be `anothers`, it is ("my boss is at ann@x.org").
pub(super) fn is_beside(reader: &Reader<'_>, span: &Range<usize>, anothers: bool) -> bool {
    let words = reader.words_of(span);
    let clause = reader.clause_words(words.start);
    let telling = |words: Range<usize>| words.into_iter().any(|no| !reader.is_idle(no));
    let or = |no: usize, end: usize| reader.len(|lang| &lang.sentence.or, no, end);
    let or_before = |no: usize| or(no, words.start) > 0 && no + or(no, words.start) == words.start;
    let or_after = or(words.end, clause.end);
    let half = (clause.start..words.start).any(|no| or_before(no) && telling(clause.start..no))
        || or_after > 0 && telling(words.end + or_after..clause.end);
    let says = |part: Range<usize>, table: fn(&Language) -> &Phrases<()>| {
        part.clone().any(|no| reader.len(table, no, part.end) > 0)
    };
    let around = |table| says(clause.start..words.start, table) || says(words.end..clause.end, table);
    let denied = || {
        let but = (words.end..clause.end).find(|no| reader.len(|lang| &lang.denial.but, *no, clause.end) > 0);
        says(words.end..but.unwrap_or(clause.end), |lang| &lang.denial.told)
    };
    let limit = || says(clause.start..words.start, |lang| &lang.denial.limit);
    // "Last time we checked" is how the person knows.
    let over = |part: Range<usize>| {
        let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, part.end);
        part.clone().any(|no| len(|lang| &lang.denial.past, no) > len(|lang| &lang.denial.none, no))
    };
    let past = || over(clause.start..words.start) || over(words.end..clause.end);
    half || denied() || limit() || past() || anothers && around(|lang| &lang.denial.others)
}

/// Whether every number of a value, in digits or in words, stands in the quote.
pub(super) fn numbers_stand_in(quote: &str, value: &str, lang: &Language) -> bool {
    let digits = |text: &str| -> Vec<String> {
        let said = Said::new(text);
        let runs = said.norm.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
        runs.map(|run| run.trim_start_matches('0').to_owned()).collect()
    };
    let numbers = |text: &str| -> Vec<_> {
        let said = Said::new(text);
        let found = (0..said.words.len()).filter_map(|no| numeral::at(&said, no, lang, None));
        found.filter(|number| number.shape != Shape::Doubtful).map(|number| number.value).collect()
    };
    let (said, meant) = (digits(quote), numbers(quote));
    let known = |run: &String| said.contains(run) || run.parse().is_ok_and(|number: Decimal| meant.contains(&number));
    digits(value).iter().all(known) && numbers(value).iter().all(|number| meant.contains(number))
}

/// Whether every word of a value stands in the quote, but for a typing mistake.
pub(super) fn letters_stand_in(quote: &str, value: &str) -> bool {
    let (quote, value) = (Said::new(quote), Said::new(value));
    let said = |word: &str| (0..quote.words.len()).any(|no| quote.word(no) == word || is_near(quote.word(no), word));
    let words = (0..value.words.len()).filter(|no| value.words.get(*no).is_some_and(|word| word.class != Class::Mark));
    words.map(|no| value.word(no)).all(said)
}

fn is_near(word: &str, meant: &str) -> bool {
    distance(word, meant).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use formwright_lexicon::language;

    #[rstest]
    #[case("we are four", "Four", Some("four"))]
    #[case("it is 12,50 in all", "12", None)]
    #[case("it is 12,50 in all", "12,50", Some("12,50"))]
    #[case("it is 12,50 in all", "50", None)]
    #[case("minus -5 degrees", "5", None)]
    #[case("call 347 123 4567", "123", None)]
    #[case("call 347 123 4567", "347 123 4567", Some("347 123 4567"))]
    #[case("it costs 1 500 in all", "1", None)]
    #[case("on 3 May 2026 19:30 please", "3 May 2026", Some("3 May 2026"))]
    #[case("on 3 May 2026 19:30 please", "19:30", Some("19:30"))]
    #[case("on 3 May 2026 19:30 please", "19", None)]
    #[case("room 12 3 nights", "3 nights", Some("3 nights"))]
    #[case("flat 4 20121 Milano", "flat 4", Some("flat 4"))]
    #[case("card 4111 1111 1111 1111", "1111", None)]
    #[case("on 3/4, for 2", "2", Some("2"))]
    #[case("on 3/4, for 2", "4", None)]
    #[case("yes", "ye", None)]
    #[case("yes!", "!", None)]
    fn a_quote_is_found_whole(#[case] said: &str, #[case] quote: &str, #[case] expected: Option<&str>) {
        let said = Said::new(said);
        assert_eq!(find(&said, quote).and_then(|span| said.raw.get(span)), expected);
    }

    #[rstest]
    #[case("en", "we are not four but five", "four", "five")]
    #[case("en", "anything but red", "red", "")]
    #[case("en", "I hate red", "red", "")]
    #[case("en", "nobody likes red here, blue it is", "red", "blue")]
    #[case("en", "no it's Ann", "", "Ann")]
    #[case("en", "not only red", "", "red")]
    #[case("en", "nothing but red", "", "red")]
    #[case("en", "without cheese and we are three", "cheese", "three")]
    #[case("en", "the room isn't the red one", "red", "")]
    #[case("en", "hardly any water damage to speak of", "water damage", "")]
    #[case("en", "barely any scratch on the door", "scratch on the door", "")]
    #[case("en", "don't ever tell ann@x.org", "ann@x.org", "")]
    #[case("en", "any day bar Friday", "Friday", "")]
    #[case("en", "a dozen minus 2 folks", "2", "dozen")]
    #[case("it", "niente di piccante", "piccante", "")]
    #[case("it", "appena un graffio", "graffio", "")]
    #[case("es", "apenas hay agua", "agua", "")]
    #[case("de", "kaum Wasser im Keller", "Wasser", "")]
    #[case("de", "nichts Scharfes", "Scharfes", "")]
    #[case("fr", "à peine une rayure", "rayure", "")]
    #[case("ar", "بالكاد خدش", "خدش", "")]
    #[case("it", "non siamo quattro ma cinque", "quattro", "cinque")]
    #[case("it", "tutto tranne il rosso", "rosso", "")]
    #[case("it", "odio il rosso", "rosso", "")]
    #[case("it", "qui il rosso non piace a nessuno", "", "rosso")]
    #[case("it", "no, siamo quattro", "", "quattro")]
    #[case("es", "no somos cuatro", "cuatro", "")]
    #[case("es", "no somos cuatro sino cinco", "cuatro", "cinco")]
    #[case("es", "cualquier cosa menos rojo", "rojo", "")]
    #[case("es", "odio el rojo", "rojo", "")]
    #[case("es", "a nadie le gusta el rojo", "rojo", "")]
    #[case("es", "más o menos cuatro", "", "cuatro")]
    #[case("de", "wir sind nicht vier sondern fünf", "vier", "fünf")]
    #[case("de", "wir sind keine vier", "vier", "")]
    #[case("de", "alles außer rot", "rot", "")]
    #[case("de", "ich hasse rot", "rot", "")]
    #[case("de", "rot mag ich nicht", "rot", "")]
    #[case("de", "rot mag hier niemand, also blau", "rot", "blau")]
    #[case("de", "nein wir sind vier", "", "vier")]
    #[case("fr", "nous ne sommes pas quatre mais cinq", "quatre", "cinq")]
    #[case("fr", "tout sauf le rouge", "rouge", "")]
    #[case("fr", "je déteste le rouge", "rouge", "")]
    #[case("fr", "personne n'aime le rouge", "rouge", "")]
    #[case("ar", "لسنا أربعة بل خمسة", "أربعة", "خمسة")]
    #[case("ar", "أي شيء إلا الأحمر", "الأحمر", "")]
    #[case("ar", "أكره الأحمر", "الأحمر", "")]
    #[case("ar", "لا أحد يحب الأحمر", "الأحمر", "")]
    fn what_is_denied_is_not_meant(
        #[case] lang: &str,
        #[case] message: &str,
        #[case] denied: &str,
        #[case] meant: &str,
    ) {
        let said = Said::new(message);
        let reader = Reader::new(&said, language(lang));
        for (words, expected) in [(denied, true), (meant, false)].into_iter().filter(|(words, _)| !words.is_empty()) {
            let span = find(&said, words).expect("the words were said");
            assert_eq!(is_denied(&reader, &span), expected, "{words} in {message}");
        }
    }

    #[rstest]
    #[case("en", "last year 70 came", "70", true)]
    #[case("en", "we are 70 this year", "70", false)]
    #[case("en", "my boss ann@x.org must not know", "ann@x.org", true)]
    #[case("en", "ann@x.org is mine but my boss must not know", "ann@x.org", true)]
    #[case("en", "write to ann@x.org", "ann@x.org", false)]
    #[case("en", "5 or thereabouts", "5", true)]
    #[case("en", "5 or so", "5", false)]
    #[case("en", "not before Friday", "Friday", true)]
    #[case("en", "Friday won't work", "Friday", true)]
    #[case("en", "red walls give me headaches", "red", true)]
    #[case("it", "l'anno scorso eravamo 70", "70", true)]
    #[case("it", "il mio capo ann@x.org non deve sapere", "ann@x.org", true)]
    #[case("it", "scrivi a ann@x.org", "ann@x.org", false)]
    #[case("es", "el año pasado vinieron 70", "70", true)]
    #[case("es", "mi jefa ann@x.org no debe saberlo", "ann@x.org", true)]
    #[case("es", "somos 70", "70", false)]
    #[case("de", "letztes Jahr kamen 70", "70", true)]
    #[case("de", "meine Chefin ann@x.org darf es nicht wissen", "ann@x.org", true)]
    #[case("de", "wir sind 70", "70", false)]
    #[case("fr", "l'an dernier 70 sont venus", "70", true)]
    #[case("fr", "mon chef ann@x.org ne doit pas savoir", "ann@x.org", true)]
    #[case("fr", "nous serons 70", "70", false)]
    #[case("ar", "العام الماضي جاء 70", "70", true)]
    #[case("ar", "مديري ann@x.org لا يجب أن يعرف", "ann@x.org", true)]
    #[case("ar", "نحن 70", "70", false)]
    fn what_is_said_of_another_time_or_person_is_no_answer_yet(
        #[case] lang: &str,
        #[case] message: &str,
        #[case] quote: &str,
        #[case] expected: bool,
    ) {
        let said = Said::new(message);
        let reader = Reader::new(&said, language(lang));
        let span = find(&said, quote).expect("the words were said");
        assert_eq!(is_beside(&reader, &span, true), expected);
    }

    #[rstest]
    #[case("a few", "seven", false)]
    #[case("seven of us", "7", true)]
    #[case("the 3rd of, like, May", "3 May", true)]
    #[case("soon", "2026-12-24", false)]
    fn numbers_are_the_persons(#[case] quote: &str, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(numbers_stand_in(quote, value, language("en")), expected);
    }

    #[rstest]
    #[case("ada at example dot com", "ada@example.com", true)]
    #[case("write to me", "evil@zanzibar.example", false)]
    #[case("Piazza Navonna", "Piazza Navona", true)]
    fn letters_are_the_persons(#[case] quote: &str, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(letters_stand_in(quote, value), expected);
    }
}
