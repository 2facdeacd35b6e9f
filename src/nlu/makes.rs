//! A maker and a model, which belong together: "honda accord, 2014", "make is mazda model cx-5", "my Fiat Punto", for a field
//! of each or for one field of both.

use std::ops::Range;

use super::ledger::{Ledger, in_a_line};
use super::own;
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Slot};
use formwright_form::kind::{Found, Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::makes::{Make, makes};
use formwright_lexicon::{Language, Phrases};
use formwright_text::{stem, typo};

/// Most words of a model.
const MOST: usize = 4;
/// Most words between "make of the car" and the make.
const BETWEEN: usize = 4;
/// Fewest letters of a make that may be misspelt.
const SPELLED: usize = 5;

/// The fields of a form for a maker and a model.
#[derive(Clone, Copy, Default)]
struct Fields {
    make: Option<usize>,
    model: Option<usize>,
    /// One field for both.
    both: Option<usize>,
    /// The makers are options of a choice.
    choice: Option<usize>,
}

/// What is told of a thing, by words.
#[derive(Clone, Debug, Default)]
struct Told {
    make: Range<usize>,
    model: Range<usize>,
}

/// Fills the fields for who makes a thing and for its model.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let fields = fields(reader, board);
    let open = |no: Option<usize>| {
        let slot = no.and_then(|no| board.slots.get(no));
        slot.is_some_and(|slot| slot.value.is_none() || slot.asked)
    };
    if ![fields.make, fields.model, fields.both].into_iter().any(open) {
        return;
    }
    let Some(told) = named(reader, board, fields).or_else(|| labelled(reader, board)) else {
        return by_capitals(reader, board, ledger, fields);
    };
    let all = match (told.make.is_empty(), told.model.is_empty()) {
        (false, false) => told.make.start..told.model.end,
        (false, true) => told.make.clone(),
        _ => told.model.clone(),
    };
    for (no, words) in [(fields.make, told.make), (fields.model, told.model), (fields.both, all)] {
        // What was asked for is taken as it is said: "the green Lada".
        let whole = no.is_some() && no == fields.both && no == board.asked;
        if open(no) && !whole {
            take(reader, ledger, no, words);
        }
    }
}

fn take(reader: &Reader<'_>, ledger: &mut Ledger, no: Option<usize>, words: Range<usize>) {
    let Some(no) = no.filter(|no| !words.is_empty() && !ledger.has(*no) && ledger.is_free(words.clone())) else {
        return;
    };
    let text = in_a_line(reader, words.clone());
    let found = Found { span: reader.raw_range(words), value: Value::Text(text), strength: Strength::Exact };
    ledger.fill_named(reader, no, found);
}

/// Which fields are for what, where one is for each.
fn fields(reader: &Reader<'_>, board: &Board<'_>) -> Fields {
    let text = |slot: &Slot<'_>| slot.is_free() && !slot.is_long() && slot.subtype().is_none();
    let choice = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Choice(_));
    let only = |fits: &dyn Fn(&Slot<'_>) -> bool| {
        let mut all = (0..board.slots.len()).filter(|no| board.slots.get(*no).is_some_and(fits));
        all.next().filter(|_| all.next().is_none())
    };
    let makes = |slot: &Slot<'_>| has(reader, slot, |lang| &lang.brief.brand);
    let models = |slot: &Slot<'_>| has(reader, slot, |lang| &lang.brief.model);
    let make = only(&|slot| text(slot) && makes(slot) && !models(slot));
    let choice = only(&|slot| choice(slot) && makes(slot));
    let model = only(&|slot| text(slot) && models(slot) && !makes(slot));
    let both = only(&|slot| text(slot) && makes(slot) && models(slot));
    // "Car model", where nothing else asks for the make, is told with it.
    match (make.or(choice), model) {
        (None, Some(model)) => Fields { both: both.or(Some(model)), ..Fields::default() },
        _ => Fields { make, model, both, choice },
    }
}

/// Whether a field's name, of few words, has a phrase of a table.
fn has(reader: &Reader<'_>, slot: &Slot<'_>, table: fn(&Language) -> &Phrases<()>) -> bool {
    slot.labels.iter().any(|label| {
        let at = |no: usize| reader.langs().any(|lang| table(lang).starts(label, no));
        label.words.len() <= MOST && (0..label.words.len()).any(at)
    })
}

/// What is told with a make that is known by its name: "a 2009 ford focus".
fn named(reader: &Reader<'_>, board: &Board<'_>, fields: Fields) -> Option<Told> {
    let count = reader.said.words.len();
    let option = |no: usize| {
        let choice = fields.choice?;
        let cand = board.cands.iter().find(|cand| cand.words.start == no && board.takers(cand).contains(&choice))?;
        (cand.strength == Strength::Exact).then_some((cand.words.len(), Make::Sure))
    };
    let known = |no: usize| option(no).or_else(|| makes().names.at(reader.said, no).map(|(len, make)| (len, *make)));
    let mut found: Option<Told> = None;
    let mut no = 0;
    while no < count {
        let Some((len, make)) = known(no).or_else(|| misspelt(reader, no).then_some((1, Make::Shy))) else {
            no += 1;
            continue;
        };
        let told = Told { make: no..no + len, model: model(reader, board, no + len) };
        no += len;
        let asked = board.asked.is_some_and(|asked| fields.make == Some(asked)) && told.make == (0..count);
        let sure = make == Make::Sure || !told.model.is_empty() || asked || is_led(reader, told.make.start);
        if !sure || is_of_else(reader, board, &told.make) {
            continue;
        }
        if found.is_some() {
            // "A ford or an opel" leaves it open.
            return None;
        }
        no = no.max(told.model.end);
        found = Some(told);
    }
    found.map(|told| {
        if told.model.is_empty() {
            Told { model: labelled(reader, board).map(|other| other.model).unwrap_or_default(), ..told }
        } else {
            told
        }
    })
}

/// Whether a word that nobody knows is one letter off a make: "toyta".
fn misspelt(reader: &Reader<'_>, no: usize) -> bool {
    let word = reader.said.plain(no);
    let near = |make: &String| {
        make.len() >= SPELLED && make.chars().next() == word.chars().next() && typo::distance(word, make) == Some(1)
    };
    word.len() >= SPELLED && reader.is_unknown(no) && makes().words.iter().any(near)
}

/// Whether a make belongs to a question, is denied, or is part of a name: "my name is Henry Ford".
fn is_of_else(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let clause = reader.clause(words.start);
    let from = words.start.saturating_sub(3);
    let denied = (from..words.start).any(|no| reader.len(|lang| &lang.denial.before, no, words.start) > 0);
    let other = board.cands.iter().any(|cand| {
        let free = board.kind_of(cand).is_none_or(|kind| !matches!(kind, Kind::Choice(_)));
        free && cand.strength > Strength::Weak && overlap(&cand.words, words)
    });
    clause.is_none_or(|clause| clause.question) || denied || other
}

/// The words of a model behind its maker.
fn model(reader: &Reader<'_>, board: &Board<'_>, from: usize) -> Range<usize> {
    // "Nissan, a qashqai".
    let article = reader.len(|lang| &lang.sentence.articles, from + 1, reader.said.words.len());
    let apart = reader.said.word(from) == "," && article > 0;
    let from = if apart { from + 1 + article } else { from };
    let end = reader.clause_end(from.saturating_sub(1));
    let whole = (from..end).all(|no| !reader.is_idle(no) && !reader.is_mark(no) && !is_value(board, no));
    if apart && whole && end - from <= MOST && end > from && reader.is_unknown(from) {
        return from..end;
    }
    // "Tesla model 3."
    let letter = |no: usize| no < end && reader.said.plain(no).chars().count() == 1 && !reader.is_mark(no);
    if reader.len(|lang| &lang.brief.model, from, end) == 1 {
        let start = if letter(from + 1) { from } else { past_is(reader, from + 1, end) };
        let stop = extent(reader, board, start.max(from + 1), end);
        return if stop > from + 1 { start..stop } else { from..from };
    }
    let words = from..extent(reader, board, from, end);
    let first = words.start;
    let digits = reader.raw_text(words.clone()).contains(char::is_numeric);
    let tells = |no: usize| digits || reader.is_unknown(no);
    let stands = words.len() == 1
        && (first + 1 >= end || !reader.said.plain(first + 1).chars().all(char::is_alphabetic))
        || is_value(board, first + 1)
        || reader.is_idle(first + 1);
    let common = || reader.langs().any(|lang| lang.option.common.word_at(reader.said, first).is_some());
    let common = || common() && !is_value(board, first + 1);
    // "Toyota dealer", "opel car".
    let beside =
        reader.len(|lang| &lang.brief.no_model, first, end).max(reader.len(|lang| &lang.brief.make, first, end));
    if words.is_empty() || beside > 0 || !tells(first) && (!stands || common()) { from..from } else { words }
}

/// Whether a value that can be nothing else starts at a word.
fn is_value(board: &Board<'_>, no: usize) -> bool {
    let telling = |kind: &Kind| is_telling(kind) || matches!(kind, Kind::Integer(_));
    board.cands.iter().any(|cand| {
        cand.words.start == no && cand.strength > Strength::Weak && board.kind_of(cand).is_some_and(telling)
    })
}

/// Where a model ends that starts at a word: before what is said of anything else.
fn extent(reader: &Reader<'_>, board: &Board<'_>, start: usize, end: usize) -> usize {
    let year = |no: usize| {
        let digits = reader.said.word(no);
        reader.is_digits(no) && digits.len() == 4 && matches!(digits.get(..2), Some("19" | "20"))
    };
    let goes_on = |no: usize| {
        let glued = no > start && reader.said.is_glued(no);
        let mark = reader.is_mark(no);
        let named = board.mentions.iter().any(|mention| mention.words.contains(&no));
        let label = [reader.len(|lang| &lang.brief.brand, no, end), reader.len(|lang| &lang.brief.model, no, end)];
        let verb = reader.len(|lang| &lang.sentence.verb, no, end) > 0;
        let idle = reader.is_idle(no) && !reader.is_capital(no);
        let long = reader.is_digits(no) && reader.said.word(no).len() > 4;
        let known = no > start && !reader.said.word(no).contains(char::is_numeric) && !reader.is_unknown(no);
        let single = reader.said.plain(no).chars().count() == 1;
        // "Bmw 318", not "4 doors".
        let number = reader.is_digits(no) && {
            let next = no + 1;
            let named = || board.mentions.iter().any(|mention| mention.words.contains(&next));
            next >= end
                || reader.is_idle(next)
                || reader.said.is_glued(next)
                || year(next)
                || is_value(board, next)
                || named()
        };
        if mark {
            return glued && matches!(reader.said.word(no), "-" | "/" | ".") && reader.said.is_glued(no + 1);
        }
        glued
            || !(named || verb || idle && !single || long || year(no) || known && !single || label != [0, 0])
                && (!is_value(board, no) || number || reader.is_unknown(no))
    };
    (start..end.min(start + MOST)).find(|no| !goes_on(*no)).unwrap_or(end.min(start + MOST))
}

/// Whether the words before tell that a maker follows: "make is", "brand:".
fn is_led(reader: &Reader<'_>, start: usize) -> bool {
    (start.saturating_sub(BETWEEN + 1)..start).any(|no| {
        let len = reader.len(|lang| &lang.brief.brand, no, start);
        len > 0 && (no + len..start).all(|no| reader.is_idle(no))
    })
}

/// The word behind "is" or a colon, and before that behind what is told of: "of the car".
fn past_is(reader: &Reader<'_>, from: usize, end: usize) -> usize {
    let thing = |no: usize| reader.len(|lang| &lang.brief.make, no, end) > 0;
    let last = end.min(from + BETWEEN);
    let mut no = from;
    while no < last {
        let is = reader.len(|lang| &lang.sentence.is, no, end);
        if is > 0 {
            return no + is + reader.len(|lang| &lang.sentence.articles, no + is, end);
        }
        let told = reader.is_mark(no) || reader.is_digits(no) || !reader.is_idle(no);
        if told && !thing(no) {
            break;
        }
        no += 1;
    }
    no
}

/// What stands behind "make is" and "model:", whoever makes it.
fn labelled(reader: &Reader<'_>, board: &Board<'_>) -> Option<Told> {
    let count = reader.said.words.len();
    let behind = |table: fn(&Language) -> &Phrases<()>, bare: bool| {
        (0..count).find_map(|no| {
            let end = reader.clause_end(no);
            let len = reader.len(table, no, end);
            let start = past_is(reader, no + len, end);
            let is = (no + len..start)
                .any(|no| reader.said.word(no) == ":" || reader.len(|lang| &lang.sentence.is, no, start) > 0);
            let tells = || {
                let common = |lang: &Language| lang.option.common.word_at(reader.said, start).is_some();
                let word = !reader.is_digits(start) || bare;
                word && !reader.langs().any(common) && !is_value(board, start)
            };
            let sure = is || bare && reader.is_unknown(start);
            let asks = reader.clause(no).is_none_or(|clause| clause.question);
            if len == 0 || start >= end || asks || !sure || !tells() {
                return None;
            }
            let words = start..extent(reader, board, start, end);
            // "The brand is unknown to me."
            let next = words.end;
            let label = |no: usize| {
                let named = board.mentions.iter().any(|mention| mention.words.contains(&no));
                named
                    || reader.len(|lang| &lang.brief.brand, no, end).max(reader.len(|lang| &lang.brief.model, no, end))
                        > 0
            };
            let join = |no: usize| reader.len(|lang| &lang.sentence.join, no, end) > 0;
            let ends = next >= end || reader.is_mark(next) || join(next) || label(next) || reader.is_digits(next);
            (!words.is_empty() && !reader.is_idle(start) && ends).then_some(words)
        })
    };
    let make = behind(|lang| &lang.brief.brand, false);
    let model = behind(|lang| &lang.brief.model, true);
    if make.is_none() && model.is_none() {
        return None;
    }
    let (make, model) = (make.unwrap_or_default(), model.unwrap_or_default());
    Some(if overlap(&make, &model) { Told { make, model: 0..0 } } else { Told { make, model } })
}

/// A thing of somebody's own whose maker nobody knows: "my Trabold Q5".
fn by_capitals(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, fields: Fields) {
    let (Some(_), Some(_)) = (fields.make, fields.model) else { return };
    let Some(words) = (0..reader.said.words.len()).find_map(|no| own::made(reader, board, no)) else { return };
    let known = board.cands.iter().any(|cand| cand.strength > Strength::Weak && overlap(&cand.words, &words));
    let form = |no: usize| board.title.contains(stem(reader.said.plain(no)));
    if words.len() > 1 && !known && !form(words.start) {
        take(reader, ledger, fields.make, words.start..words.start + 1);
        take(reader, ledger, fields.model, words.start + 1..words.end);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const COVER: &str = r#"
id = "cover"
title = "Cover"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "make"
kind = "text"
label = { en = "Car make", it = "Marca dell'auto", es = "Marca del coche", de = "Marke", fr = "Marque", ar = "الماركة" }

[[field]]
id = "model"
kind = "text"
label = { en = "Car model", it = "Modello dell'auto", es = "Modelo del coche", de = "Modell", fr = "Modèle", ar = "الموديل" }

[[field]]
id = "year"
kind = "integer"
label = { en = "Year", it = "Anno", es = "Año", de = "Baujahr", fr = "Année", ar = "السنة" }
min = 1950
max = 2030

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = { en = "Name", it = "Nome", es = "Nombre", de = "Name", fr = "Nom", ar = "الاسم" }

[[field]]
id = "phone"
kind = "phone"
label = { en = "Phone", it = "Telefono", es = "Teléfono", de = "Telefon", fr = "Téléphone", ar = "الهاتف" }
"#;

    const FIX: &str = r#"
id = "fix"
title = "Repair"

[[field]]
id = "what"
kind = "text"
label = "Brand and model"

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = "Name"
"#;

    #[rstest]
    #[case("en", "", "skoda octavia", "make=skoda; model=octavia")]
    #[case("en", "", "Its a Skoda Octavia from 2016", "make=Skoda; model=Octavia; year=2016")]
    #[case("en", "", "we drive a 2011 vw polo", "make=vw; model=polo; year=2011")]
    #[case("en", "", "seat leon, 2015 model", "make=seat; model=leon; year=2015")]
    #[case("en", "", "opel corsa and my name is ulla brandt", "make=opel; model=corsa; name=ulla brandt")]
    #[case("en", "", "the brand is kia model ev6 year 2023", "make=kia; model=ev6; year=2023")]
    #[case("en", "", "make of the car lancia model of the car ypsilon", "make=lancia; model=ypsilon")]
    #[case("en", "", "make is trabold, model: q5", "make=trabold; model=q5")]
    #[case("en", "", "hundai i20", "make=hundai; model=i20")]
    #[case("en", "", "bmw 318", "make=bmw; model=318")]
    #[case("en", "", "honda life 2017", "make=honda; model=life; year=2017")]
    #[case("en", "", "the toyota dealer sent me", "make=toyota")]
    #[case("en", "", "toyota 2013", "make=toyota; year=2013")]
    #[case("en", "make", "mazda mx-5", "make=mazda; model=mx-5")]
    #[case("en", "model", "tesla model 3", "make=tesla; model=model 3")]
    #[case("en", "", "my Fiat Punto broke down", "make=Fiat; model=Punto")]
    #[case("en", "", "my Trabold Q5", "make=Trabold; model=Q5")]
    #[case("en", "", "my ford broke down", "make=ford")]
    #[case("en", "", "my name is Henry Ford", "name=Henry Ford")]
    #[case("en", "", "please make it quick", "")]
    #[case("en", "", "not a ford", "")]
    #[case("en", "", "a ford or an opel", "")]
    #[case("en", "", "do you insure bmw cars?", "ask \"do you insure bmw cars?\"")]
    #[case("en", "", "there is a dent in the seat", "~=make=dent")]
    #[case("it", "", "ho una fiat panda del 2018", "make=fiat; model=panda; year=2018")]
    #[case("it", "", "marca lancia, modello ypsilon", "make=lancia; model=ypsilon")]
    #[case("es", "", "tengo un seat ibiza de 2018", "make=seat; model=ibiza; year=2018")]
    #[case("de", "", "die Marke ist Opel, Modell Corsa", "make=Opel; model=Corsa")]
    #[case("de", "", "ich fahre einen VW Golf", "make=VW; model=Golf")]
    #[case("fr", "", "une renault clio", "make=renault; model=clio")]
    #[case("ar", "", "الماركة toyota الموديل corolla", "make=toyota; model=corolla")]
    fn a_maker_and_a_model_belong_together(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let fills = Stage::new(COVER, asked).speaking(lang).fills(said);
        assert_eq!(sorted(&fills), sorted(expected), "{said}");
    }

    #[rstest]
    #[case("samsung galaxy s21, I'm Ana Ruiz", "what=samsung galaxy s21; name=Ana Ruiz")]
    #[case("it's a bosch", "what=bosch")]
    fn one_field_takes_both(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(FIX, "").fills(said)), sorted(expected), "{said}");
    }
}
