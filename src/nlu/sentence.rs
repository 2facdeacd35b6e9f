//! Sentences where a name or words of one's own were asked for: they tell something, and are no answer as they stand.

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, asked_path, with_context};
use super::{Scene, Understood};
use crate::command::Command;
use formwright_form::kind::address::Address;
use formwright_form::kind::text::{Subtype, Text};
use formwright_form::kind::{FieldKind as _, Reading, Said, Strength};
use formwright_form::{Field, Kind, Value};
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Fewest words of a sentence.
const FEWEST: usize = 4;

/// Whether a text names somebody: by its kind of words, or by what it is called.
pub(super) fn names_somebody(field: &Field, lang: &Language) -> bool {
    let Kind::Text(text) = &field.kind else { return false };
    let called = || {
        let label = Said::new(field.label.pick(&[lang.code]));
        lang.and_english().any(|lang| {
            let names = lang.sentence.cue.of(Announced::Name);
            let at = |no: usize| names.and_then(|names| names.at(&label, no)).map_or(0, |(len, ())| no + len);
            let article = |no: usize| lang.sentence.stop.word_at(&label, no).is_some();
            !label.words.is_empty()
                && (0..label.words.len())
                    .find(|no| !article(*no) || at(*no) > *no)
                    .is_some_and(|no| at(no) == label.words.len())
        })
    };
    match text.subtype {
        Some(subtype) => subtype == Subtype::Person,
        None => called(),
    }
}

/// The name in a message by which somebody is introduced, with what else is told: "I am Ann Lee and I need …", "folks call
/// me Bob". Fills the asked text with it and tells whether it did.
pub(super) fn take_introduction(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    ledger: &mut Ledger,
    slot: usize,
    of: &Slot<'_>,
    words: &Range<usize>,
) -> bool {
    if !names_somebody(of.field, scene.lang) {
        return false;
    }
    let least = if speaks(reader, words.clone()) { Strength::Typed } else { Strength::Exact };
    let person = Text { subtype: Some(Subtype::Person), ..Text::default() };
    let found = with_context(scene, &of.path, of.field, |cx| person.find(reader.said, cx));
    let first = found.into_iter().find(|found| {
        let at = reader.words_of(&found.span);
        found.strength >= least && words.start <= at.start && at.end <= words.end
    });
    first.is_some_and(|found| ledger.fill(reader, slot, found, true))
}

/// Whether a command fills what was asked with a sentence that may be none of it: the person is asked whether it is meant.
pub(super) fn is_swallowed(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    command: &Command,
) -> bool {
    let Command::Fill { path, value, quote: Some(quote) } = command else { return false };
    if asked_path(scene).as_ref() != Some(path) || !is_of_words(value) {
        return false;
    }
    let named = ledger.fills_of(board, path).any(|(filled, _)| filled.named);
    let Some(field) = scene.form.field_at(path).filter(|_| !named) else { return false };
    let thing = wants_a_thing(field, scene.lang);
    let own = thing || matches!(field.kind, Kind::Choice(_) | Kind::Choices(_));
    let place = matches!(&field.kind, Kind::Text(text) if text.subtype == Some(Subtype::Place));
    let name = !own && (place || names_somebody(field, scene.lang));
    let address = match &field.kind {
        Kind::Address(_) => true,
        Kind::Text(text) => text.subtype == Some(Subtype::Address),
        _ => false,
    };
    let few = wants_few_words(field, scene.lang);
    let wording = is_wording(field, scene.lang);
    if !own && !name && !address && !few && !wording {
        return false;
    }
    let said = Said::new(quote);
    let part = Reader::new(&said, scene.lang);
    let all = 0..said.words.len();
    if address {
        return all.clone().any(|no| part.len(|lang| &lang.denial.past, no, all.end) > 0)
            || with_context(scene, path, field, |cx| Address::default().find(&said, cx)).is_empty()
                && (speaks(&part, all.clone()) || happens(&part, all.clone()) || is_long_and_small(&part));
    }
    let unlike = || {
        let person = Text { subtype: Some(Subtype::Person), ..Text::default() };
        let like = with_context(scene, path, field, |cx| person.read(&said, cx));
        let digits = all.clone().any(|no| part.is_digits(no));
        all.clone().filter(|no| !part.is_mark(*no)).count() >= FEWEST && !digits && matches!(like, Reading::Nothing)
    };
    let whole = reader.said.raw.trim().trim_end_matches(['.', '!']) == quote.trim().trim_end_matches(['.', '!']);
    let count = all.clone().filter(|no| !part.is_mark(*no)).count();
    let Some(at) = reader.said.raw.find(quote.as_str()) else { return false };
    let start = reader.words_of(&(at..at + quote.len())).start;
    let clause = reader.clause_words(start);
    if (few || wording) && asks_for_something(reader, clause.start, start, clause.end)
        || few && tells_of_something_else(reader, field, scene.lang, clause.clone())
    {
        return true;
    }
    if !own && !name {
        return false;
    }
    // "I have" in "I have a question about my bill".
    let spoken = || (clause.start..start).any(|no| reader.len(|lang| &lang.sentence.speaker, no, start) > 0);
    let greeted = || (clause.start..start).any(|no| reader.len(|lang| &lang.sentence.courtesy, no, clause.end) > 0);
    // "A blue Ford Focus from 2019" is more than one thing.
    let small = |no: usize| {
        let inside = part.len(|lang| &lang.naming.inside, no, all.end) > 0;
        part.is_idle(no) && !part.is_mark(no) && !part.is_capital(no) && !inside
    };
    let more_than_one = || count >= FEWEST && all.clone().skip(1).any(small);
    // "At my brother's": whose place it is does not name it.
    let of_somebody = |no: usize| {
        let whose = part.len(|lang| &lang.naming.ours, no, all.end) + part.len(|lang| &lang.naming.theirs, no, all.end);
        whose > 0 && !(part.is_capital(no) && no > 0)
    };
    speaks(&part, all.clone())
        || (thing && more_than_one())
        || (place && count > 1 && all.clone().any(of_somebody))
        || (own && greeted())
        || (own && happens(reader, clause.clone()))
        || happens(&part, all.clone())
        || (own && count >= FEWEST && spoken())
        || (name && whole && unlike())
}

/// The words that are left of a sentence for an asked choice, where others of it are the answer to something else: "my screen
/// is black since" of "my screen is black since yesterday" is none of one's own.
pub(super) fn broken(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger) -> Option<Range<usize>> {
    let slot =
        board.asked.filter(|no| board.slots.get(*no).is_some_and(|slot| matches!(slot.field.kind, Kind::Choice(_))));
    let own = ledger.fills.iter().find(|filled| Some(filled.slot) == slot && is_of_words(&filled.value))?;
    let beside = ledger.fills.iter().any(|other| {
        let (first, last) = if other.words.start < own.words.start { (other, own) } else { (own, other) };
        other.slot != own.slot
            && (first.words.end..last.words.start).all(|no| !reader.is_mark(no) && reader.is_idle(no))
    });
    (beside && (speaks(reader, own.words.clone()) || happens(reader, own.words.clone()))).then(|| own.words.clone())
}

/// Whether a text is asked for as one thing by its name: "Which product is it about?", or called by a word for such a thing:
/// "Make".
pub(super) fn wants_a_thing(field: &Field, lang: &Language) -> bool {
    let Kind::Text(Text { subtype: None, .. }) = field.kind else { return false };
    let label = Said::new(field.label.pick(&[lang.code]));
    // "Insurance company", not "About your company".
    let telling = |lang: &Language, no: usize| {
        let word = label.plain(no);
        lang.sentence.stop.word(word).is_none() && lang.sentence.verb.word(word).is_none()
    };
    let thing = |lang: &Language| {
        (0..label.words.len()).any(|no| {
            let ends = lang.naming.thing.at(&label, no).is_some_and(|(len, ())| no + len == label.words.len());
            ends && no <= 2 && (0..no).all(|no| telling(lang, no))
        })
    };
    if lang.and_english().any(thing) {
        return true;
    }
    let asks = |ask: &Said, no: usize| {
        let which = lang.and_english().filter_map(|lang| lang.sentence.which.at(ask, no)).map(|(len, ())| len).max();
        let same = |start: usize| (0..label.words.len()).all(|no| label.plain(no) == ask.plain(start + no));
        which.is_some_and(|len| same(no + len))
    };
    let mut variants = field.ask.iter().map(|ask| Said::new(ask.pick(&[lang.code])));
    !label.words.is_empty() && variants.any(|ask| (0..ask.words.len()).any(|no| asks(&ask, no)))
}

/// Whether a text is asked for in few words, by its name: "Allergies", not "Reason for the visit".
fn wants_few_words(field: &Field, lang: &Language) -> bool {
    const MOST: usize = 3;
    let Kind::Text(Text { subtype: None, .. }) = field.kind else { return false };
    let label = Said::new(field.label.pick(&[lang.code]));
    let told = |no: usize| lang.and_english().any(|lang| lang.brief.told.starts(&label, no));
    let count = label.words.len();
    (1..=MOST).contains(&count) && !(0..count).any(told)
}

/// Whether a text is for words that others will read, by its name: "Card message".
pub(super) fn is_wording(field: &Field, lang: &Language) -> bool {
    is_text_called(field, lang, |lang| &lang.brief.wording)
}

/// Whether a text of no sort has words of a table in its name.
pub(super) fn is_text_called(field: &Field, lang: &Language, table: fn(&Language) -> &Phrases<()>) -> bool {
    let Kind::Text(Text { subtype: None, .. }) = field.kind else { return false };
    let label = Said::new(field.label.pick(&[lang.code]));
    (0..label.words.len()).any(|no| lang.and_english().any(|lang| table(lang).starts(&label, no)))
}

/// Whether a part of the message asks for something to be done: "please deliver it a day earlier". Words from `start` on, or
/// from the `first` of it on, ask politely, and others before its `end` say what for.
fn asks_for_something(reader: &Reader<'_>, first: usize, start: usize, end: usize) -> bool {
    let please = |no: usize| reader.len(|lang| &lang.brief.please, no, end);
    let Some(from) = [first, start].into_iter().find(|no| please(*no) > 0) else { return false };
    (from + please(from)..end).any(|no| reader.len(|lang| &lang.brief.order, no, end) > 0)
}

/// Whether a part of the message tells what happened or will, and of nothing that a field is called by: "my boss changed my
/// hours" where allergies are asked for.
fn tells_of_something_else(reader: &Reader<'_>, field: &Field, lang: &Language, words: Range<usize>) -> bool {
    let Range { start, end } = words;
    let first = reader.past_filler(words.clone());
    let subject = [start, first].into_iter().any(|no| reader.len(|lang| &lang.brief.subject, no, end) > 0);
    let count = || words.clone().filter(|no| !reader.is_mark(*no)).count();
    if !subject || count() < FEWEST {
        return false;
    }
    let label = Said::new(field.label.pick(&[lang.code]));
    let named = |no: usize| (0..label.words.len()).any(|at| stem(label.plain(at)) == stem(reader.said.plain(no)));
    words.clone().any(|no| reader.len(|lang| &lang.brief.event, no, end) > 0)
        && !words.filter(|no| !reader.is_idle(*no)).any(named)
}

/// Whether a message says no more than that something is not what a field wants: "that is not a product".
pub(super) fn denies(scene: &Scene<'_>, reader: &Reader<'_>, field: &Field) -> bool {
    let end = reader.said.words.len();
    let start = reader.past_filler(0..end);
    let start = [0, start].into_iter().find_map(|no| match reader.len(|lang| &lang.denial.that, no, end) {
        0 => None,
        len => Some(no + len),
    });
    let label = Said::new(field.label.pick(&[scene.lang.code]));
    let named = |no: usize| (0..label.words.len()).any(|at| stem(label.plain(at)) == stem(reader.said.plain(no)));
    start.is_some_and(|start| (start..end).all(|no| reader.is_idle(no) || named(no)) && (start..end).any(named))
}

/// Whether a value is words of the person's own.
pub(super) fn is_of_words(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::Options { other: Some(_), .. })
}

/// Takes sentences that nobody has confirmed out of what was understood, and leaves their words over: a model may know
/// better what they say.
pub(super) fn set_aside(said: &Said, code: &mut Understood) -> Vec<Command> {
    let swallowed = |command: &Command| matches!(command, Command::Fill { value, .. } if is_of_words(value));
    let (held, rough): (Vec<_>, Vec<_>) = std::mem::take(&mut code.rough).into_iter().partition(swallowed);
    code.rough = rough;
    for command in &held {
        let Command::Fill { quote: Some(quote), .. } = command else { continue };
        code.leftover.extend(said.raw.find(quote.as_str()).map(|at| at..at + quote.len()));
    }
    held
}

/// Whether words tell what happened: "my computer broke", but for what is one thing's name.
fn happens(reader: &Reader<'_>, words: Range<usize>) -> bool {
    const FEWEST: usize = 3;
    let verb = |no: usize| !reader.is_mark(no) && reader.len(|lang| &lang.sentence.verb, no, words.end) > 0;
    words.clone().filter(|no| !reader.is_mark(*no)).count() >= FEWEST && words.clone().skip(1).any(verb)
}

/// Whether words are many, none of them a name: "the one behind the church that I told you of last time".
fn is_long_and_small(part: &Reader<'_>) -> bool {
    const MOST: usize = 7;
    let words = || (0..part.said.words.len()).filter(|no| !part.is_mark(*no));
    words().count() > MOST && words().skip(1).all(|no| !part.is_capital(no))
}

/// Whether words are a sentence in which somebody tells something: several, and one of them speaks of the speaker or says
/// what is.
fn speaks(reader: &Reader<'_>, words: Range<usize>) -> bool {
    let count = words.clone().filter(|no| !reader.is_mark(*no)).count();
    let tells = |no: usize| {
        let is = reader.len(|lang| &lang.sentence.is, no, words.end) > 0 && !reader.is_mark(no);
        reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0 || (is && no > words.start)
    };
    count >= FEWEST && words.clone().any(tells)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const REPAIR: &str = r#"
id = "repair"
title = "Repair"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "product"
kind = "text"
label = { en = "Product", it = "Prodotto", es = "Producto", de = "Produkt", fr = "Produit", ar = "المنتج" }
ask = { en = "Which product is it about?", it = "Quale prodotto?", es = "¿Qué producto?", de = "Welches Produkt?", fr = "Quel produit ?", ar = "أي المنتج؟" }

[[field]]
id = "what"
kind = "choice"
label = "Kind"
ask = "What kind of repair?"
options = ["Screen", "Battery"]
other = true

[[field]]
id = "summary"
kind = "text"
label = "Summary"
ask = "In one line: what is wrong?"

[[field]]
id = "name"
kind = "text"
label = "Name"
ask = "What is your name?"

[[field]]
id = "diet"
kind = "text"
label = "Diet"
ask = "Do you follow a diet?"
required = false

[[field]]
id = "count"
kind = "integer"
label = "Pieces"
ask = "How many?"
"#;

    #[rstest]
    #[case("product", "coffee machine", "product=coffee machine")]
    #[case("product", "it is the coffee machine", "product=the coffee machine")]
    #[case("product", "My computer broke down this morning", "~=product=My computer broke down this morning")]
    #[case("product", "that is not a product", "~product")]
    #[case("product", "that's no product of yours", "product=no product of yours")]
    #[case("product", "no idea really", "help")]
    #[case("product", "I really don't know to be honest", "help")]
    #[case("product", "no idea what that is", "help")]
    #[case("what", "the lid", "what=the lid")]
    #[case("what", "it stopped working yesterday", "~=what=it stopped working yesterday")]
    #[case("what", "no idea really", "help")]
    #[case("summary", "The screen went black", "summary=The screen went black")]
    #[case("summary", "it is not a bug", "summary=not a bug")]
    #[case("name", "well folks around here usually call me Bob", "name=Bob; ~folks around here usually")]
    #[case("name", "The screen went black", "~=name=The screen went black")]
    #[case("diet", "no idea really", "skip")]
    #[case("diet", "I have no diet", "diet=I have no diet")]
    #[case("count", "the product broke down", "~product broke down")]
    #[case("count", "a bit late", "~late")]
    #[case("count", "no idea really", "help")]
    fn sentences_are_no_names_of_things(#[case] asked: &str, #[case] said: &str, #[case] want: &str) {
        assert_eq!(Stage::new(REPAIR, asked).line(said), want, "{asked}: {said}");
    }

    #[rstest]
    #[case("it", "product", "il mio computer si è rotto stamattina", "~=product=il mio computer si è rotto stamattina")]
    #[case("it", "product", "non è un prodotto", "~prodotto")]
    #[case("it", "product", "non lo so proprio", "help")]
    #[case("it", "name", "si chiama Marco Rossi", "name=Marco Rossi")]
    #[case("it", "name", "mi chiamo Ugo", "name=Ugo")]
    #[case("es", "product", "mi ordenador dejó de funcionar", "~=product=mi ordenador dejó de funcionar")]
    #[case("es", "product", "eso no es un producto", "~producto")]
    #[case("es", "product", "no sé, la verdad", "help")]
    #[case("es", "name", "se llama Ana López", "name=Ana López")]
    #[case("de", "product", "mein Computer ging heute kaputt", "~=product=mein Computer ging heute kaputt")]
    #[case("de", "product", "das ist kein Produkt", "~Produkt")]
    #[case("de", "product", "echt keine Ahnung", "help")]
    #[case("de", "name", "er heißt Max Muster", "name=Max Muster")]
    #[case("fr", "product", "mon ordinateur ne marche plus", "~=product=mon ordinateur ne marche plus")]
    #[case("fr", "product", "ce n'est pas un produit", "~n'est pas un produit")]
    #[case("fr", "product", "aucune idée franchement", "help")]
    #[case("fr", "name", "il s'appelle Luc Petit", "name=Luc Petit")]
    #[case("ar", "product", "الحاسوب تعطل هذا الصباح", "~=product=الحاسوب تعطل هذا الصباح")]
    #[case("ar", "product", "لا أعرف بصراحة", "help")]
    #[case("ar", "name", "اسمها ليلى حسن", "name=ليلى حسن")]
    fn nor_are_they_in_other_languages(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] want: &str,
    ) {
        assert_eq!(Stage::new(REPAIR, asked).speaking(lang).line(said), want, "{asked}: {said}");
    }

    #[rstest]
    #[case("my door is stuck since yesterday", "day=2026-11-20; ~door is stuck")]
    #[case("the lid, yesterday", "what=the lid; day=2026-11-20")]
    fn what_other_answers_leave_of_a_sentence_is_no_option_of_ones_own(#[case] said: &str, #[case] expected: &str) {
        let form = format!("{REPAIR}\n[[field]]\nid = \"day\"\nkind = \"date\"\nlabel = \"Day\"\nprefer = \"past\"\n");
        assert_eq!(Stage::new(&form, "what").line(said), expected, "{said}");
    }

    const KENNEL: &str = r#"
id = "kennel"
title = "Kennel"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "breed"
kind = "text"
label = { en = "Breed", it = "Razza", es = "Raza", de = "Rasse", fr = "Race" }

[[field]]
id = "diet"
kind = "text"
label = { en = "Allergies", it = "Allergie", es = "Alergias", de = "Allergien", fr = "Allergies" }

[[field]]
id = "card"
kind = "text"
label = { en = "Card message", it = "Testo del biglietto", es = "Texto de la tarjeta", de = "Kartentext", fr = "Texte de la carte" }

[[field]]
id = "reason"
kind = "text"
label = "Reason"
"#;

    #[rstest]
    #[case("en", "breed", "we haven't picked one yet", "")]
    #[case("en", "breed", "she was found in July 2019", "~=breed=she was found in July 2019")]
    #[case("en", "breed", "Otto, an irish setter", "breed=irish setter")]
    #[case("en", "breed", "she's a dachshund", "breed=dachshund")]
    #[case("en", "diet", "My landlord changed the locks", "~=diet=My landlord changed the locks")]
    #[case("en", "diet", "my neighbour will fetch her", "~=diet=my neighbour will fetch her")]
    #[case("en", "diet", "beef and wheat", "diet=beef and wheat")]
    #[case("en", "diet", "she can't eat any beef", "diet=she can't eat any beef")]
    #[case("en", "reason", "My landlord changed the locks", "reason=My landlord changed the locks")]
    #[case("en", "card", "Please leave it with the porter", "~=card=Please leave it with the porter")]
    #[case("en", "card", "Please forgive me", "card=Please forgive me")]
    #[case("en", "card", "We will miss you so much", "card=We will miss you so much")]
    #[case("en", "card", "\"Well done!\" and ring twice", "card=Well done!")]
    #[case("en", "card", "it should say \"Well done\"", "card=Well done")]
    #[case("it", "breed", "è nata a luglio 2019", "~=breed=nata a luglio 2019")]
    #[case("it", "breed", "Otto, un setter irlandese", "breed=setter irlandese")]
    #[case("it", "card", "per favore lasciatelo al portiere", "~=card=per favore lasciatelo al portiere")]
    #[case("es", "breed", "nació en julio de 2019", "~=breed=nació en julio de 2019")]
    #[case("es", "breed", "Otto, un setter irlandés", "breed=setter irlandés")]
    #[case("es", "card", "por favor llame antes de venir", "~=card=por favor llame antes de venir")]
    #[case("de", "breed", "sie wurde im Juli 2019 geboren", "~=breed=sie wurde im Juli 2019 geboren")]
    #[case("de", "breed", "Otto, ein Dackel", "breed=Dackel")]
    #[case("de", "card", "bitte beim Nachbarn abgeben", "~=card=bitte beim Nachbarn abgeben")]
    #[case("fr", "breed", "elle est née en juillet 2019", "~=breed=née en juillet 2019")]
    #[case("fr", "breed", "Otto, un setter irlandais", "breed=setter irlandais")]
    #[case("fr", "card", "merci de sonner deux fois", "~=card=merci de sonner deux fois")]
    fn a_sentence_about_something_else_is_no_short_text(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(KENNEL, asked).speaking(lang).fills(said), expected, "{said}");
    }
}
