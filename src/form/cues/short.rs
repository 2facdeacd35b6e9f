//! Short names of fields, which count only before a code: "ssn 4528" of a social security number, "ac 2038" of an account
//! number.

use formwright_lexicon as language;
use formwright_text::Said;

/// Least digits of a code that a short name announces.
const LEAST_DIGITS: usize = 3;
/// Most words between a short name and its code: "ac no is 2038".
const MOST_BETWEEN: usize = 3;
/// Most short names of one label.
const MOST: usize = 24;

/// The short names of a label: its initials, and what its words are shortened to.
pub(super) fn of(label: &Said, tag: &str) -> Vec<String> {
    let words: Vec<&str> = (0..label.words.len()).map(|no| label.plain(no)).collect();
    let mut names = initials(&words);
    let lang = language::language(tag);
    let is_number = |word: &str| lang.and_english().any(|lang| lang.option.number.word(word).is_some());
    let mut ways: Vec<Vec<String>> = vec![Vec::new()];
    for word in &words {
        let shorts = lang.and_english().filter_map(|lang| lang.sentence.short.get(*word)).flatten();
        let all: Vec<&str> = std::iter::once(*word).chain(shorts.map(String::as_str)).collect();
        let longer = |way: &Vec<String>| {
            let all = all.iter().map(|word| (*word).to_owned());
            all.map(|word| way.iter().cloned().chain([word]).collect()).collect::<Vec<Vec<String>>>()
        };
        ways = ways.iter().flat_map(longer).take(MOST).collect();
    }
    // "Ac 2038": that it is a number is seen.
    let cut = words.len() > 1 && words.last().is_some_and(|word| is_number(word));
    for way in ways {
        if let Some(without) = way.split_last().map(|(_, rest)| rest.join(" ")).filter(|_| cut) {
            names.push(without);
        }
        names.push(way.join(" "));
    }
    // "Conf 8GHJ2K": one word of the name, shortened.
    let shorts = words.iter().filter(|word| words.len() > 1 && !is_number(word));
    let shorts = shorts.flat_map(|word| lang.and_english().filter_map(|lang| lang.sentence.short.get(*word)).flatten());
    names.extend(shorts.filter(|short| !short.contains(' ')).cloned());
    let whole = words.join(" ");
    names.retain(|name| *name != whole);
    names.sort_unstable();
    names.dedup();
    names
}

/// The first letters of three words or more that stand beside each other: "ssn". Those that could be a word are none.
fn initials(words: &[&str]) -> Vec<String> {
    const LEAST: usize = 3;
    let firsts: Vec<char> = words.iter().filter_map(|word| word.chars().next()).collect();
    let is_word = |run: &[char]| run.iter().any(|c| !c.is_ascii_alphabetic() || "aeiouy".contains(*c));
    let runs = (0..firsts.len()).flat_map(|from| (from + LEAST..=firsts.len()).map(move |to| from..to));
    let runs = runs.filter_map(|run| firsts.get(run)).filter(|run| !is_word(run));
    runs.map(|run| run.iter().collect()).collect()
}

/// Whether a code follows: a word with digits enough, behind marks and "number is".
pub(super) fn leads_to_code(said: &Said, from: usize) -> bool {
    let digits = |no: usize| said.word(no).chars().filter(char::is_ascii_digit).count();
    let between = |no: &usize| {
        let word = said.plain(*no);
        let mark = matches!(word, ":" | "#" | "." | "=");
        let says = |lang: &language::Language| {
            lang.sentence.is.word(word).is_some() || lang.option.number.word(word).is_some()
        };
        mark || language::all().any(says)
    };
    let len = (from..from + MOST_BETWEEN).take_while(between).count();
    digits(from + len) >= LEAST_DIGITS
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("en", "social security number", "ssn 4528", true)]
    #[case("en", "account number", "ac 2038", true)]
    #[case("en", "account number", "acct no: 2038", true)]
    #[case("en", "account number", "account 2038", true)]
    #[case("en", "time of day", "tod 2038", false)]
    #[case("en", "order number", "order 2", false)]
    #[case("en", "booking confirmation number", "conf 81273", true)]
    #[case("en", "booking confirmation number", "number 81273", false)]
    #[case("it", "codice fiscale", "cod fiscale 1234", true)]
    #[case("de", "Kundennummer", "kdnr 20381", true)]
    fn a_short_name_stands_before_a_code(
        #[case] lang: &str,
        #[case] label: &str,
        #[case] said: &str,
        #[case] names: bool,
    ) {
        let said = Said::new(said);
        let begins = |name: &String| {
            let name = Said::new(name);
            let len = name.words.len();
            (0..len).all(|no| said.plain(no) == name.plain(no)) && leads_to_code(&said, len)
        };
        assert_eq!(of(&Said::new(label), lang).iter().any(begins), names, "{}", said.raw);
    }
}
