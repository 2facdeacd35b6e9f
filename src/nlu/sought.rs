//! Names of houses and sights that somebody asks for, with no word before them that says what they are: "some info on Lucca
//! House", "we'll take the Blue Heron", "dine at silver pines of leeds", "the restaurant Lucca sounds good".

use std::ops::Range;

use super::Scene;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::titles::{has, is_venue, title_from};
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a name in small letters.
const MOST_SMALL: usize = 6;

/// The name of a place that somebody asks for, where a field for its name is the only one.
pub(super) fn name(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    if reader.len(|lang| &lang.naming.pleases, at, end) > 0 && is_venue(reader, slot, false) {
        return pleasing(reader, board, at);
    }
    let sought = reader.len(|lang| &lang.naming.sought, at, end);
    let venue = reader.len(|lang| &lang.naming.spends, at, end);
    let wants = reader.len(|lang| &lang.naming.seeks, at, end).max(reader.len(|lang| &lang.naming.wants, at, end));
    let lead = sought.max(venue).max(wants);
    if lead == 0 || !is_venue(reader, slot, false) {
        return None;
    }
    let sure = sought.max(venue) == lead;
    let article = reader.len(|lang| &lang.sentence.articles, at + lead, end);
    let the = article == 1 && reader.len(|lang| &lang.naming.the, at + lead, end) == 1;
    let start = if reader.is_capital(at + lead) { at + lead } else { at + lead + article };
    if article > 0 && !the || start >= end {
        return None;
    }
    // "The restaurant Lucca".
    let sort = |no: usize| has(reader, |lang| &lang.naming.venue, reader.said.plain(no));
    let start = if !reader.is_capital(start) && sort(start) { start + 1 } else { start };
    if reader.is_capital(start) {
        let title = title_from(reader, board, start, end);
        let several = title.len() > 1 || the && article > 0;
        return Some(title).filter(|title| (sure || several) && is_name(reader, board, title, several));
    }
    // Behind "at" a name needs no article, elsewhere it does: "visit museums".
    let may = venue > 0 && sure && (the || article == 0) || sought > 0 && sure && the;
    let small = if may { small_name(scene, reader, board, slot, start..end) } else { start..start };
    Some(small).filter(|name| !name.is_empty())
}

/// "The Blue Heron sounds good", "the restaurant Lucca would be great".
fn pleasing(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> Option<Range<usize>> {
    let clause = reader.clause_start(at);
    let start = (clause..at).rev().take_while(|no| reader.is_capital(*no) && !reader.is_mark(*no)).last()?;
    let title = title_from(reader, board, start, at);
    let led = start > clause && {
        let before = start - 1;
        has(reader, |lang| &lang.naming.venue, reader.said.plain(before))
            || reader.len(|lang| &lang.naming.the, before, start) == 1
    };
    let fits = title.end == at && (title.len() > 1 || led) && is_name(reader, board, &title, true);
    fits.then_some(title)
}

/// Whether words in capitals are a name, and no value, sort or language: not "Indian food", "Tuesday", "Italian".
pub(super) fn is_name(reader: &Reader<'_>, board: &Board<'_>, title: &Range<usize>, several: bool) -> bool {
    let (Some(last), end) = (title.end.checked_sub(1), reader.clause_end(title.start)) else { return false };
    let sort = has(reader, |lang| &lang.naming.venue, reader.said.plain(title.start));
    let value = board.cands.iter().any(|cand| {
        cand.strength > Strength::Weak && cand.words.contains(&title.start) && (!sort || cand.words == *title)
    });
    // "Indian food" is of a sort: a noun in small letters goes on.
    let next_value = board.cands.iter().any(|cand| cand.strength > Strength::Weak && cand.words.start == title.end);
    let goes_on = title.end < end
        && !next_value
        && !reader.is_idle(title.end)
        && !reader.is_mark(title.end)
        && !reader.is_digits(title.end)
        && !leads_on(reader, title.end, end);
    let tongue = |no: usize| {
        let word = reader.said.plain(no);
        let named = |lang: &Language| lang.tongue.name.values().flatten().any(|name| name == word);
        reader.langs().any(|lang| named(lang) || lang.naming.nowhere.word(word).is_some())
    };
    let town = || {
        let place = |slot: &&Slot<'_>| slot.subtype() == Some(Subtype::Place) && slot.value.is_none();
        board.slots.iter().any(|slot| place(&slot))
    };
    let own = title.clone().any(|no| !reader.is_idle(no) && !is_common(reader, no));
    !title.is_empty() && !value && !goes_on && own && (last > title.start || !tongue(last) && (several || !town()))
}

/// Whether a word leads on to something else than the noun that a name belongs to: "sounds", "instead", "is".
fn leads_on(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let tables: [fn(&Language) -> &Phrases<()>; 5] = [
        |lang| &lang.naming.pleases,
        |lang| &lang.sentence.swap,
        |lang| &lang.sentence.is,
        |lang| &lang.naming.venue,
        |lang| &lang.naming.building,
    ];
    tables.into_iter().any(|table| reader.len(table, no, end) > 0)
}

fn is_common(reader: &Reader<'_>, no: usize) -> bool {
    has(reader, |lang| &lang.option.common, reader.said.plain(no))
}

/// The words at the beginning of some that are a name in small letters, with small words inside: "cherry hall and grounds".
fn small_name(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Range<usize> {
    let Range { start, end } = words;
    let value = |no: usize| board.has_value_at(no);
    let tells =
        |no: usize| no < end && !reader.is_idle(no) && !reader.is_mark(no) && !reader.is_digits(no) && !value(no);
    let inside = |no: usize| reader.len(|lang| &lang.naming.inside, no, end);
    let mut stop = start;
    while tells(stop) || stop > start && inside(stop) > 0 && tells(stop + inside(stop)) {
        stop += if tells(stop) { 1 } else { inside(stop) };
    }
    let known = |no: usize| {
        let word = stem(reader.said.plain(no));
        let sort = reader.langs().any(|lang| lang.naming.kin.iter().flatten().any(|kin| kin == word));
        let label =
            |label: &formwright_form::kind::Said| (0..label.words.len()).any(|no| stem(label.plain(no)) == word);
        sort || scene.form.cues().knows(word) || slot.labels.iter().any(label)
    };
    let refuses = (start..stop).any(|no| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, stop);
        len(|lang| &lang.sentence.praise).max(len(|lang| &lang.naming.general)).max(len(|lang| &lang.sentence.verb)) > 0
            || reader.at(|lang| &lang.everyday.scale.said, no, stop).is_some()
    });
    let telling = (start..stop).filter(|no| tells(*no)).count();
    let own = (start..stop).any(|no| tells(no) && !known(no) && !is_common(reader, no));
    let first = !known(start) && !is_common(reader, start);
    let fits = !refuses && own && first && telling > 1 && stop - start <= MOST_SMALL;
    if fits { start..stop } else { start..start }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "A table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "restaurant"
kind = "text"
label = { en = "Restaurant name", it = "Nome del ristorante", es = "Nombre del restaurante", de = "Name des Restaurants", fr = "Nom du restaurant", ar = "اسم المطعم" }

[[field]]
id = "cuisine"
kind = "choice"
label = { en = "Cuisine", it = "Cucina", es = "Cocina", de = "Küche", fr = "Cuisine", ar = "المطبخ" }
options = ["Indian", "Greek"]

[[field]]
id = "day"
kind = "date"
label = { en = "Day", it = "Giorno", es = "Día", de = "Tag", fr = "Jour", ar = "اليوم" }
"#;

    #[rstest]
    #[case("en", "can you give me some info on Lucchino?", "restaurant=Lucchino")]
    #[case("en", "I'll take the Blue Heron please", "restaurant=Blue Heron")]
    #[case("en", "I am also looking for The Blue Heron", "restaurant=The Blue Heron")]
    #[case(
        "en",
        "we want to dine at silver pines of leeds on Friday",
        "day=2026-11-27; restaurant=silver pines of leeds"
    )]
    #[case("en", "I like the sound of Restaurant Four Acres", "restaurant=Restaurant Four Acres")]
    #[case("en", "the Greek restaurant Lucchino sounds good", "cuisine=greek; restaurant=Lucchino")]
    #[case("en", "Blue Heron would be great", "restaurant=Blue Heron")]
    #[case("it", "vorrei informazioni su Lucchino", "restaurant=Lucchino")]
    #[case("es", "quiero información sobre Casa Lucha", "restaurant=Casa Lucha")]
    #[case("de", "ich hätte gern Infos über das Lindenhof Stübchen", "restaurant=Lindenhof Stübchen")]
    #[case("fr", "je voudrais des infos sur Bistrot Lucette", "restaurant=Bistrot Lucette")]
    fn what_somebody_asks_for_is_the_name(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(TABLE, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }

    #[rstest]
    #[case("I'm looking for Indian food")]
    #[case("some information on opening hours")]
    #[case("I want Italian")]
    #[case("Tuesday sounds good")]
    #[case("That sounds good")]
    #[case("we'll take the first one")]
    #[case("I'll take the cheapest restaurant")]
    #[case("tell me about the food please")]
    #[case("dine at home")]
    #[case("we'd like to eat at seven in the evening")]
    #[case("visit the old town")]
    #[case("find me a restaurant in Leeds")]
    #[case("book Friday")]
    fn what_is_no_name_is_none(#[case] said: &str) {
        let line = Stage::new(TABLE, "").takes(said);
        assert!(!line.contains("restaurant="), "{said}: {line}");
    }
}
