//! What belongs to somebody, told by its sort: "my cat Pixel" where a pet's name is wanted, "my Volvo V40" for make and model,
//! "my black umbrella" for a colour.

use std::ops::Range;

use super::casts::{capitals, is_called};
use super::ledger::{Ledger, in_a_line};
use super::makes;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::titles::has;
use formwright_form::Value;
use formwright_form::kind::{Found, Strength};
use formwright_lexicon::{Language, Phrases};

/// Most words of a maker and a model.
const MOST: usize = 5;
/// Most digits of a model or a year.
const DIGITS: usize = 4;

/// Fills the only open field for each sort of such things.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let short = |slot: &Slot<'_>| slot.is_free() && !slot.is_long() && slot.subtype().is_none();
    if !board.slots.iter().any(short) {
        return;
    }
    makes::fill(reader, board, ledger);
    let mut all = 0..reader.said.words.len();
    let is_colour = |slot: &Slot<'_>| is_called(reader, slot, |lang| &lang.brief.colour);
    let only = |fits: &dyn Fn(&Slot<'_>) -> bool| {
        let open = |no: &usize| {
            let slot = board.slots.get(*no);
            slot.is_some_and(|slot| short(slot) && (slot.value.is_none() || slot.asked) && fits(slot))
        };
        let mut fitting = (0..board.slots.len()).filter(open);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let colour = only(&is_colour).and_then(|no| {
        let words = colour(reader)?;
        // "The green door" answers the question for the door.
        let own = board.asked.is_none_or(|asked| asked == no || !board.slots.get(asked).is_some_and(short));
        let asked = board.asked == Some(no);
        (own && !(asked && goes_on(reader, &words))).then_some((no, words))
    });
    let makes = |slot: &Slot<'_>| ends_label(reader, slot, |lang| &lang.brief.make) && !is_colour(slot);
    let made = only(&makes).and_then(|no| Some((no, all.clone().find_map(|at| made(reader, board, at))?)));
    let pet = only(&|slot| names_a_pet(reader, slot)).and_then(|no| {
        let (words, sure) = all.find_map(|at| pet(reader, board, at))?;
        (sure || board.asked == Some(no)).then_some((no, words))
    });
    for (no, words) in [colour, made, pet].into_iter().flatten() {
        if ledger.has(no) || !ledger.is_free(words.clone()) {
            continue;
        }
        let text = in_a_line(reader, words.clone());
        let found = Found { span: reader.raw_range(words), value: Value::Text(text), strength: Strength::Exact };
        ledger.fill_named(reader, no, found);
    }
}

/// Whether a field is for what an animal is called: "Pet's name".
fn names_a_pet(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    slot.labels.iter().any(|label| {
        let any = |table: fn(&Language) -> &Phrases<()>| {
            (0..label.words.len()).any(|no| {
                let plain = label.plain(no);
                has(reader, table, plain.split_once('\'').map_or(plain, |(before, _)| before))
                    || plain.split_once('\'').is_some_and(|(_, after)| has(reader, table, after))
            })
        };
        any(|lang| &lang.brief.pet) && any(|lang| &lang.naming.title)
    })
}

/// Whether a field's name ends with a phrase of a table.
fn ends_label(reader: &Reader<'_>, slot: &Slot<'_>, table: fn(&Language) -> &Phrases<()>) -> bool {
    slot.labels.iter().any(|label| {
        let ends = |no: usize, lang: &Language| {
            table(lang).at(label, no).is_some_and(|(len, ())| no + len == label.words.len())
        };
        (0..label.words.len()).any(|no| reader.langs().any(|lang| ends(no, lang)))
    })
}

/// The name behind an animal of somebody's own: "my cat Pixel"; and whether it has a capital.
fn pet(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> Option<(Range<usize>, bool)> {
    let clause = reader.clause_end(no);
    let ours = reader.len(|lang| &lang.naming.ours, no, clause);
    let animal = if ours > 0 { reader.len(|lang| &lang.brief.pet, no + ours, clause) } else { 0 };
    let own = reader.len(|lang| &lang.brief.own_pet, no, clause);
    let start = match (animal, own) {
        (0, 0) => return None,
        (0, own) => no + own,
        (animal, _) => no + ours + animal,
    };
    let name = capitals(reader, board, start, clause);
    if !name.is_empty() {
        return Some((name, true));
    }
    let only = start + 1 == clause && !reader.is_idle(start) && !reader.is_digits(start);
    only.then_some((start..clause, false))
}

/// The maker and the model of a thing of somebody's own: "Volvo V40" of "my red Volvo V40 makes a noise". In German every noun
/// has a capital.
pub(super) fn made(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> Option<Range<usize>> {
    let clause = reader.clause_end(no);
    let ours = reader.len(|lang| &lang.naming.ours, no, clause);
    if ours == 0 || reader.langs().any(|lang| lang.code == "de") {
        return None;
    }
    let before = |no: usize| {
        let word =
            reader.len(|lang| &lang.brief.shade, no, clause).max(reader.len(|lang| &lang.brief.tint, no, clause));
        let praise = reader.len(|lang| &lang.sentence.praise, no, clause);
        let year = reader.is_digits(no) && reader.said.word(no).len() == DIGITS;
        word.max(praise).max(usize::from(year))
    };
    let mut start = no + ours;
    while start < clause && !reader.is_capital(start) && before(start) > 0 {
        start += before(start);
    }
    if !reader.is_capital(start) || reader.len(|lang| &lang.naming.relation, start, clause) > 0 {
        return None;
    }
    let name = capitals(reader, board, start, clause);
    let model = |no: &usize| {
        let digits = reader.is_digits(*no) && reader.said.word(*no).len() <= DIGITS;
        !reader.is_mark(*no) && (digits || reader.said.is_glued(*no) || reader.is_capital(*no))
    };
    let more = (name.end..clause).take_while(model).count();
    let words = name.start..name.end + more;
    let common = |no: usize| reader.langs().any(|lang| lang.option.common.word_at(reader.said, no).is_some());
    let stands = || {
        words.end == clause
            || reader.is_idle(words.end)
            || reader.len(|lang| &lang.sentence.verb, words.end, clause) > 0
    };
    let fits = !name.is_empty() && words.len() <= MOST && !common(start);
    (fits && (words.len() > 1 || stands())).then_some(words)
}

/// The only colour that is told, with what belongs to it: "dark green", "black and white".
fn colour(reader: &Reader<'_>) -> Option<Range<usize>> {
    let end = reader.said.words.len();
    let shade = |no: usize| {
        // "Mr Brown."
        let name = reader.is_capital(no) && no > reader.clause_start(no);
        if name { 0 } else { reader.len(|lang| &lang.brief.shade, no, end) }
    };
    let mut found: Option<Range<usize>> = None;
    let mut no = 0;
    while no < end {
        let len = shade(no);
        if len == 0 {
            no += 1;
            continue;
        }
        let joined = |words: &Range<usize>| {
            let join = reader.len(|lang| &lang.sentence.join, words.end, no);
            join > 0 && words.end + join == no || words.end == no
        };
        match &mut found {
            Some(words) if joined(words) => words.end = no + len,
            Some(_) => return None,
            None => {
                let tint = |no: &usize| reader.len(|lang| &lang.brief.tint, *no, no + 1) > 0;
                let start = (0..no).rev().take_while(tint).last().unwrap_or(no);
                found = Some(start..no + len);
            }
        }
        no += len;
    }
    let denied = |no: usize| reader.len(|lang| &lang.denial.before, no, end) > 0;
    found.filter(|words| !(words.start.saturating_sub(2)..words.start).any(denied))
}

/// Whether words begin with a colour and say more of it: "navy blue with stripes".
fn goes_on(reader: &Reader<'_>, colour: &Range<usize>) -> bool {
    let tells = |no: &usize| !reader.is_idle(*no);
    let end = reader.said.words.len();
    let begins = !(0..colour.start).any(|no| tells(&no));
    let thing = |no: usize| reader.len(|lang| &lang.everyday.things, no, end) > 0;
    begins && (colour.end..end).any(|no| tells(&no) && !thing(no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const THINGS: &str = r#"
id = "things"
title = "Enquiry"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "pet"
kind = "text"
label = { en = "Pet's name", it = "Nome dell'animale", es = "Nombre de la mascota", de = "Name des Tieres", fr = "Nom de l'animal", ar = "اسم الحيوان" }

[[field]]
id = "car"
kind = "text"
label = { en = "Make and model", it = "Marca e modello", es = "Marca y modelo", de = "Marke und Modell", fr = "Marque et modèle" }

[[field]]
id = "colour"
kind = "text"
label = { en = "Colour", it = "Colore", es = "Color", de = "Farbe", fr = "Couleur", ar = "اللون" }

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    #[rstest]
    #[case("en", "", "my cat Momo needs a vaccine on 5 December", "day=2026-12-05; pet=Momo")]
    #[case("en", "pet", "my hamster momo", "pet=momo")]
    #[case("en", "pet", "we call him Biscuit", "pet=Biscuit")]
    #[case("en", "pet", "she answers to Lola", "pet=Lola")]
    #[case("en", "", "my Fiat Punto won't start", "car=Fiat Punto")]
    #[case("en", "", "my silver 2014 Kia Rio", "car=Kia Rio; colour=silver")]
    #[case("en", "", "my Uncle will bring it", "")]
    #[case("en", "", "I left a dark green rucksack", "colour=dark green")]
    #[case("en", "", "a red rucksack with a blue strap", "")]
    #[case("en", "", "ask for Mr Brown", "")]
    #[case("en", "car", "the green Lada", "car=the green Lada")]
    #[case("en", "colour", "it's a pale blue one", "colour=pale blue")]
    #[case("en", "colour", "blue with white dots and a zip", "colour=blue with white dots and a zip")]
    #[case("it", "pet", "il mio gatto Momo", "pet=Momo")]
    #[case("it", "pet", "la chiamiamo Momo", "pet=Momo")]
    #[case("it", "", "ho perso uno zaino verde", "colour=verde")]
    #[case("es", "pet", "mi gata Momo", "pet=Momo")]
    #[case("es", "pet", "le llamamos Momo", "pet=Momo")]
    #[case("es", "", "he perdido una mochila roja", "colour=roja")]
    #[case("de", "pet", "mein Kater Momo", "pet=Momo")]
    #[case("de", "pet", "er hört auf den Namen Momo", "pet=Momo")]
    #[case("de", "", "ich habe einen roten Rucksack verloren", "colour=roten")]
    #[case("fr", "pet", "mon chat Momo", "pet=Momo")]
    #[case("fr", "pet", "on l'appelle Momo", "pet=Momo")]
    #[case("fr", "", "j'ai perdu un sac vert", "colour=vert")]
    #[case("ar", "pet", "قطتي مومو", "pet=مومو")]
    #[case("ar", "pet", "نناديها مومو", "pet=مومو")]
    fn what_belongs_to_somebody_is_told_by_its_sort(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let fills = Stage::new(THINGS, asked).speaking(lang).fills(said);
        assert_eq!(sorted(&fills), sorted(expected), "{said}");
    }
}
