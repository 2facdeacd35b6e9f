//! How old people are, which counts nothing: "the kids are 4 and 7", "2 children aged 4 and 7", "I'm 34".

use std::ops::Range;

use super::reader::Reader;
use formwright_lexicon::{Language, Phrases};

/// Most words of a number.
const LONGEST: usize = 3;

/// Where a message says how old somebody is.
pub(super) fn ages(reader: &Reader<'_>) -> Vec<Range<usize>> {
    let count = reader.said.words.len();
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, count);
    let mut all = Vec::new();
    for no in 0..count {
        // "Kids aged 4", "my son is 4", "two kids (4 and 7)".
        let bracket = reader.said.word(no) == "(";
        let aged = len(|lang| &lang.naming.aged, no);
        let is = len(|lang| &lang.naming.is_aged, no);
        let who = || no > 0 && is_of_family(reader, no - 1);
        // "2 (4 and 7)".
        let several =
            || no > 0 && is_number(reader, no - 1) && numbers(reader, no + 1).is_some_and(|all| all.len() > 1);
        let lead = aged.max(usize::from(bracket && (who() || several()))).max(if is > 0 && who() { is } else { 0 });
        let old = len(|lang| &lang.naming.years_old, no);
        let has = len(|lang| &lang.naming.has_age, no);
        let of_years = |found: &Range<usize>| {
            let years = len(|lang| &lang.naming.years, found.end);
            years > 0 && ends_there(reader, found.end + years)
        };
        all.extend(numbers(reader, no + has).filter(|found| has > 0 && of_years(found)));
        if lead > 0 {
            all.extend(numbers(reader, no + lead).filter(|found| stands_alone(reader, found.end)));
        } else if old > 0 {
            let mut starts = no.saturating_sub(2 * LONGEST)..no;
            let start = starts.find(|start| numbers(reader, *start).is_some_and(|found| found.end == no));
            all.extend(start.map(|start| start..no));
        }
    }
    all
}

/// Whether a word names a child, or somebody of the family.
fn is_of_family(reader: &Reader<'_>, no: usize) -> bool {
    let one = || reader.at(|lang| &lang.naming.company, no, no + 1).is_some_and(|(_, count)| *count == 1);
    reader.len(|lang| &lang.naming.minor, no, no + 1) > 0 || one()
}

/// Numbers one after another from a word on: "4 and 7".
fn numbers(reader: &Reader<'_>, start: usize) -> Option<Range<usize>> {
    let mut end = start;
    let mut no = start;
    loop {
        let number = (no..no + LONGEST).take_while(|no| is_number(reader, *no)).count();
        if number == 0 {
            return (end > start).then_some(start..end);
        }
        end = no + number;
        let mark = usize::from(matches!(reader.said.word(end), "," | "،" | "/" | "&"));
        let join = reader.len(|lang| &lang.sentence.join, end + mark, end + mark + 2);
        let or = reader.len(|lang| &lang.sentence.or, end + mark, end + mark + 2);
        if mark + join.max(or) == 0 {
            return Some(start..end);
        }
        no = end + mark + join.max(or);
    }
}

/// Whether nothing stands behind numbers that they could count.
fn stands_alone(reader: &Reader<'_>, end: usize) -> bool {
    let count = reader.said.words.len();
    // "Turned 27 last week."
    let past = || reader.len(|lang| &lang.denial.past, end, count) > 0;
    reader.len(|lang| &lang.naming.years, end, count) > 0 || past() || ends_there(reader, end)
}

/// Whether a part of the sentence ends before a word.
fn ends_there(reader: &Reader<'_>, end: usize) -> bool {
    let count = reader.said.words.len();
    end >= count || reader.is_mark(end) || reader.len(|lang| &lang.sentence.join, end, count) > 0
}

fn is_number(reader: &Reader<'_>, no: usize) -> bool {
    // The "and" of "a hundred and four" joins as well.
    let joins = || reader.len(|lang| &lang.sentence.join, no, no + 1) > 0;
    reader.is_of_number(no) && !joins()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "children"
kind = "integer"
label = { en = "Children", it = "Bambini", es = "Niños", de = "Kinder", fr = "Enfants", ar = "أطفال" }

[[field]]
id = "age"
kind = "integer"
label = { en = "Age", it = "Età", es = "Edad", de = "Alter", fr = "Âge", ar = "العمر" }
"#;

    #[rstest]
    #[case("en", "the kids are 4 and 7", "")]
    #[case("en", "my kids are 4, 6 and 9", "")]
    #[case("en", "2 children aged 4 and 7", "children=2")]
    #[case("en", "2 kids (4 and 7)", "children=2")]
    #[case("en", "we have 2 children (4 and 7)", "children=2")]
    #[case("en", "we have 2 children, 4 and 7 years old", "children=2")]
    #[case("en", "3 kids", "children=3")]
    #[case("it", "i bambini hanno 4 e 7 anni", "")]
    #[case("it", "2 bambini di 4 e 7 anni", "children=2")]
    #[case("es", "los niños tienen 4 y 7 años", "")]
    #[case("de", "die Kinder sind 4 und 7", "")]
    #[case("de", "2 Kinder im Alter von 4 und 7", "children=2")]
    #[case("fr", "les enfants ont 4 et 7 ans", "")]
    #[case("fr", "2 enfants de 4 et 7 ans", "children=2")]
    #[case("ar", "أعمارهم 4 و 7", "")]
    fn how_old_somebody_is_counts_nobody(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("", "children")] asked: &str,
    ) {
        assert_eq!(Stage::new(TRIP, asked).speaking(lang).means(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "im 34 and looking for a room")]
    #[case("en", "I'm 34 years old")]
    #[case("it", "ho 34 anni e cerco una stanza")]
    #[case("es", "tengo 34 años")]
    #[case("de", "ich bin 34 und suche ein Zimmer")]
    #[case("fr", "j'ai 34 ans")]
    #[case("ar", "عمري 34 سنة")]
    fn how_old_the_person_is_answers_a_question_for_it(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(TRIP, "").speaking(lang).means(said), "age=34", "{said}");
    }

    #[rstest]
    #[case("en", "age", "turned 27 last week", "age=27")]
    #[case("it", "", "ho 10 anni di esperienza", "")]
    #[case("es", "", "tengo 10 años de experiencia", "")]
    fn years_of_something_are_no_age(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TRIP, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[test]
    fn ages_in_brackets_are_no_count() {
        assert_eq!(Stage::new(TRIP, "children").means("2 (4 and 7)"), "children=2");
    }

    #[rstest]
    #[case("I'm 34", "age=34")]
    #[case("the kids are 4 and 7", "")]
    fn one_age_answers_the_question_for_it(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TRIP, "age").fills(said), expected, "{said}");
    }
}
