//! What is wanted, or told of, without a name, where the name of a thing was asked for: "the cheaper one", "that sounds good",
//! "a gluten free restaurant", "movie tickets".

use std::ops::Range;

use super::Scene;
use super::named_sort::{Sort, own_words, sort};
use super::picked::{lead, pleases, without_tail};
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Whether a message wants the thing that was asked for and does not name it: "the cheaper one", "that sounds good", "I'd
/// like a pizza".
pub(super) fn is_unnamed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>) -> bool {
    let Some(slot) = board.asked.and_then(|no| board.slots.get(no)) else { return false };
    let telling = reader.telling();
    let [clause] = telling.as_slice() else { return false };
    let words = clause.words.clone();
    let Some(sort) = sort(reader, slot).filter(|sort| *sort != Sort::Thing) else { return false };
    if words.is_empty() {
        return false;
    }
    let own = own_words(scene, reader, slot);
    let is_own = |no: usize| own.iter().any(|word| word == stem(reader.said.plain(no)));
    let start = lead(reader, words.clone()).unwrap_or(reader.past_filler(words.clone()));
    let pleased = (start + 1..words.end).find(|no| pleases(reader, *no, words.end).is_some());
    // "The one in Leeds", "any cinema near me".
    let where_to =
        (start + 1..words.end).find(|no| sort == Sort::House && reader.announces(Announced::Place, *no, words.end) > 0);
    let stop = pleased.into_iter().chain(where_to).min().unwrap_or(words.end);
    let stop = without_tail(reader, start..stop);
    if (words.start + 1..stop).any(|no| reader.is_capital(no) && !reader.is_idle(no)) {
        return false;
    }
    let option = |no: usize| {
        let choice = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        board.cands.iter().any(|cand| cand.words.contains(&no) && cand.strength == Strength::Exact && choice(cand))
    };
    let is = |no: usize, table: fn(&Language) -> &Phrases<()>| reader.len(table, no, stop) > 0;
    let chosen = |no: usize| is(no, |lang| &lang.sentence.praise) || is(no, |lang| &lang.naming.selects);
    let general = |no: usize| is(no, |lang| &lang.naming.general) || is(no, |lang| &lang.option.one);
    let vague = |no: usize| {
        reader.is_idle(no)
            || is_own(no)
            || option(no)
            || chosen(no)
            || general(no)
            || is(no, |lang| &lang.option.quality)
            || is(no, |lang| &lang.naming.pointing)
            || reader.at(|lang| &lang.everyday.scale.said, no, stop).is_some()
    };
    let last = stop.saturating_sub(1);
    let the = is(start, |lang| &lang.naming.the);
    let article = reader.len(|lang| &lang.sentence.articles, start, stop);
    let noun = is_own(last) || is(last, |lang| &lang.option.one);
    // "A gluten free restaurant", "vegan restaurants", "the new pirate film": which one is open.
    let sorted = || {
        let any = sort == Sort::House && !the || sort == Sort::Work && article > 0 && !the;
        start < last && is_own(last) && any || sort != Sort::Dish && noun && article > 0 && chosen(start + article)
    };
    // "Something funny", "whatever is on".
    let open = || article == 0 && (is(start, |lang| &lang.option.vague) || general(start));
    // "The one with the best rating", "the last one you mentioned".
    let pointed = || {
        let is_one = |no: usize| is(no, |lang| &lang.option.one);
        let one = (start + article..stop).find(|no| is_one(*no) || !chosen(*no) && !reader.is_of_number(*no));
        the && one.is_some_and(is_one)
    };
    // "I don't want either of those", "somewhere that serves brunch", "find somewhere else", "looks good".
    let speaks = reader.begins(|lang| &lang.sentence.speaker, words.clone());
    let negated = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, words.end) > 0 && !reader.is_mark(no);
    let refuses = speaks && words.clone().any(negated);
    let names = |no: usize| reader.is_strange(no) || reader.len(|lang| &lang.naming.calls, no, words.end) > 0;
    let seeks = reader.begins(|lang| &lang.naming.seeks, words.clone());
    let somewhere = |no: usize| sort == Sort::House && reader.len(|lang| &lang.going.vague, no, words.end) > 0;
    let nowhere = somewhere(start) || seeks && words.clone().any(somewhere) && !words.clone().any(names);
    if refuses || nowhere || pleases(reader, words.start, words.end).is_some() || pointed() {
        return true;
    }
    let noun = noun && (sort != Sort::Work || article > 0 || reader.len(|lang| &lang.option.one, last, stop) > 0);
    let wants = start > words.start || pleased.is_some() || where_to.is_some() || noun;
    start < stop && (wants && ((start..stop).all(vague) || sorted()) || stop > start + 1 && open())
}

/// Whether words say how something is and do not name it: "fine" of "any film is fine".
pub(super) fn is_praise(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let praise = |no: usize| {
        let is = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, words.end) > 0;
        !reader.is_capital(no)
            && (reader.is_idle(no) || is(|lang| &lang.sentence.praise) || is(|lang| &lang.sentence.granted))
    };
    // "Which cinemas are showing Nightfall?"
    let stands = || !slot.asked && reader.len(|lang| &lang.naming.stands, words.start, words.end) > 0;
    let stands = || !reader.is_capital(words.start) && stands();
    !words.is_empty() && (words.clone().all(praise) || stands()) && sort(reader, slot).is_some()
}

/// Whether words behind the name of such a field belong to the noun and are no name: "movie tickets", "a restaurant serving
/// lunch".
pub(super) fn is_compound(reader: &Reader<'_>, slot: &Slot<'_>, after: usize, end: usize) -> bool {
    let Some(sort) = sort(reader, slot).filter(|_| !reader.is_capital(after)) else { return false };
    let general = reader.len(|lang| &lang.naming.general, after, end) > 0;
    let calls = reader.len(|lang| &lang.naming.calls, after, end) > 0;
    sort != Sort::Thing && (general || !slot.asked && !calls && !reader.is_unknown(after) && !reader.is_digits(after))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "X1"

[[field]]
id = "house"
kind = "text"
label = "Restaurant"

[[field]]
id = "film"
kind = "text"
label = "Movie"

[[field]]
id = "food"
kind = "choice"
label = "Cuisine"
options = ["Greek", "Indian"]
"#;

    #[rstest]
    #[case("house", "the cheaper one")]
    #[case("house", "the first one")]
    #[case("house", "the one with the best view")]
    #[case("house", "that sounds good")]
    #[case("house", "a gluten free restaurant")]
    #[case("house", "any restaurant is fine")]
    #[case("house", "somewhere that serves brunch")]
    #[case("house", "I don't want either of those")]
    #[case("house", "the Greek one")]
    #[case("", "find me a restaurant open right now")]
    #[case("", "a restaurant serving lunch")]
    #[case("film", "something funny")]
    #[case("film", "whatever is on")]
    #[case("", "I need movie tickets")]
    fn what_is_wanted_without_a_name_names_nothing(#[case] asked: &str, #[case] said: &str) {
        let line = Stage::new(TABLE, asked).takes(said);
        assert!(!line.contains("house=") && !line.contains("film="), "{said}: {line}");
    }

    #[rstest]
    #[case("film", "scary movie", "film=scary movie")]
    #[case("film", "the other guys", "film=the other guys")]
    #[case("film", "life is beautiful", "film=life is beautiful")]
    #[case("house", "the Good Fork", "house=the Good Fork")]
    fn what_may_be_a_name_is_one(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TABLE, asked).fills(said), expected, "{said}");
    }
}
