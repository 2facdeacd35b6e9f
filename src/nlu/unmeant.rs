//! What is said where a name, a place or one thing was asked for, and is none of them: a wish to hurry ("can you hurry up"),
//! company ("with my brother"), what is excluded ("anywhere but Paris", "not Milan"), what is left open ("Rome or Milan").

use std::ops::Range;

use super::casts::is_called;
use super::guard::is_of_others;
use super::hedged::is_excuse;
use super::ledger::{Filled, Ledger};
use super::prepare::marks_correction;
use super::reader::Reader;
use super::sentence::{self, names_somebody, wants_a_thing};
use super::spans::{Board, Slot, read};
use super::{Scene, going, texts};
use formwright_form::Kind;
use formwright_form::cues::Mention;
use formwright_form::kind::Reading;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};

/// Of words that were said where a name, a place or one thing was asked for, those that may be it; no words where they say
/// something else. Words that were asked for otherwise stay as they are.
pub(super) fn meant(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Range<usize> {
    if let Some(quoted) = quoted(scene, reader, slot, &words) {
        return quoted;
    }
    if !slot.is_long() && is_excuse(reader, &words) {
        return words.start..words.start;
    }
    let place = slot.subtype() == Some(Subtype::Place);
    let named = place || names_somebody(slot.field, scene.lang);
    let thing = wants_a_thing(slot.field, scene.lang);
    // "Hello, World" may be the text itself.
    let greets = named || thing || matches!(slot.subtype(), Some(Subtype::Code | Subtype::Address));
    let words = if greets { without_greeting(reader, words, named) } else { words };
    let later = if greets { texts::put_right(reader, board, slot, words.clone()) } else { None };
    let words = before_what_matters(reader, slot, later.unwrap_or(words));
    if !named && !thing {
        let works = is_called(reader, slot, |lang| &lang.naming.occupation);
        return if works { past_article(reader, past(reader, words, |lang| &lang.naming.works_as)) } else { words };
    }
    // "Mine", "my name", "here".
    let tells = |no: usize| !reader.is_idle(no) || reader.is_capital(no) || reader.is_of_form(no);
    if named && !words.clone().any(tells) {
        return words.start..words.start;
    }
    let words = if place { words } else { past_speaker(reader, words) };
    let clause = reader.clause_start(words.start);
    let begins = words.start.min(clause)..words.end;
    // "Milan with my brother".
    let along = (words.start + 1..words.end)
        .find(|no| place && !reader.is_capital(*no) && reader.len(|lang| &lang.naming.along, *no, words.end) > 0);
    let words = words.start..along.unwrap_or(words.end);
    let somebody = place && is_of_others(reader, &(words.end.max(clause + 1) - 1..words.end));
    let nowhere = |no: usize| reader.len(|lang| &lang.naming.nowhere, no, words.end);
    let leads = reader.announces(Announced::Place, words.start, words.end);
    let somewhere_else = place && leads > 0 && nowhere(words.start + leads) + leads == words.len();
    let vague = || {
        reader.begins(|lang| &lang.going.vague, begins.clone())
            || reader.begins(|lang| &lang.going.astray, begins.clone())
            || reader.begins(|lang| &lang.control.edit, begins.clone())
            || reader.begins(|lang| &lang.sentence.moves_to, begins.clone())
            || going::is_nowhere(reader, &words)
    };
    let says_else = somewhere_else
        || somebody
        || place && vague()
        || is_of_talk(reader, &begins)
        || is_request(reader, &begins)
        || thing && lacks(reader, &begins)
        || place && is_company(reader, &begins);
    match () {
        () if says_else => words.start..words.start,
        () if named => {
            let meant = past_denied(reader, begins, words, place);
            // "Anywhere but Paris, please" leaves no place.
            if is_polite(reader, &meant) { meant.start..meant.start } else { meant }
        }
        () if is_called(reader, slot, |lang| &lang.brief.breed) => sort_of_animal(reader, words),
        () => without_article(reader, past_lead(reader, words)),
    }
}

/// Words before those for what matters instead: none of "as long as it's cheap", which tells of no dish.
fn before_what_matters(reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Range<usize> {
    let matters = |no: &usize| {
        let end = reader.clause_end(*no);
        let len = reader.len(|lang| &lang.option.provided, *no, end);
        len > 0 && reader.len(|lang| &lang.option.remark, no + len, end) > 0
    };
    let Some(end) = words.clone().find(matters).filter(|_| !slot.is_long()) else { return words };
    // "Anything" is none either.
    let vague = |no: usize| {
        reader.is_idle(no) || reader.len(|lang| &lang.option.vague, no, end) > 0 || reader.filler(no, end) > 0
    };
    if (words.start..end).all(vague) { end..end } else { words.start..end }
}

/// A sort of animal without what the animal is called: "german shepherd" of "Rex, a german shepherd" and "a german shepherd".
fn sort_of_animal(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let comma = words.start + 1;
    let article = || reader.len(|lang| &lang.sentence.articles, comma + 1, words.end) > 0;
    let named = reader.is_capital(words.start) && reader.said.word(comma) == "," && article();
    past_article(reader, if named { comma + 1..words.end } else { past(reader, words, |lang| &lang.brief.it_is) })
}

/// What stands in quotation marks of the words that were said for a text, where others follow that are none of it: `"Enjoy!"
/// and before noon`; of a text that others will read also where others lead to it.
fn quoted(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    if !slot.is_free()
        || slot.is_long()
        || slot.subtype().is_some()
        || !reader.said.raw.contains(['"', '“', '”', '„', '«'])
    {
        return None;
    }
    let mark = |no: &usize| matches!(reader.said.word(*no), "\"" | "“" | "”" | "„" | "«" | "»");
    let mut marks = words.clone().filter(mark);
    let (open, close) = (marks.next()?, marks.next()?);
    let rest = close + 1..words.end;
    let goes_on = || {
        let joins = reader.is_mark(rest.start) || reader.len(|lang| &lang.sentence.join, rest.start, rest.end) > 0;
        joins && rest.clone().any(|no| !reader.is_idle(no))
    };
    let fits = if sentence::is_wording(slot.field, scene.lang) {
        open > words.start || goes_on()
    } else {
        open == words.start && goes_on()
    };
    (fits && open + 1 < close && marks.next().is_none()).then_some(open + 1..close)
}

/// What words that were asked for say, where a name, a place or one thing was: each of several that they leave open, "Rome or
/// Milan".
pub(super) fn read_either(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Reading {
    const MOST: usize = 12;
    let of_one = matches!(slot.subtype(), Some(Subtype::Place | Subtype::Person | Subtype::Code))
        || wants_a_thing(slot.field, scene.lang)
        || names_somebody(slot.field, scene.lang);
    // "Rome, perhaps Paris".
    let perhaps = |no: usize| {
        let comma = usize::from(matches!(reader.said.word(no), "," | "،"));
        match reader.len(|lang| &lang.sentence.perhaps, no + comma, words.end) {
            0 => 0,
            len => comma + len,
        }
    };
    let or = |no: usize| reader.len(|lang| &lang.sentence.or, no, words.end).max(perhaps(no));
    // "Portland, OR".
    let parts = |no: &usize| or(*no) > 0 && (!reader.is_capital(*no) || *no == words.start);
    if !of_one || words.len() > MOST || !words.clone().skip(1).any(|no| parts(&no)) {
        return read(scene, reader, slot, words);
    }
    let mut all = Vec::new();
    let mut start = words.start + if parts(&words.start) { or(words.start) } else { 0 };
    while start < words.end {
        let end = (start..words.end).find(parts).unwrap_or(words.end);
        let part = texts::trim_ends(reader, start..end);
        match read(scene, reader, slot, part.clone()) {
            Reading::Value(found) if !part.is_empty() && part.clone().any(|no| !reader.is_idle(no)) => all.push(found),
            _ => return Reading::Nothing,
        }
        start = end + or(end).max(1);
    }
    match all.len() {
        1 => all.pop().map_or(Reading::Nothing, Reading::Value),
        _ => Reading::Ambiguous(all),
    }
}

/// Whether a value of another field is no part of the words that were asked for: what one is reached at and announced so, a part
/// of the message of its own, and a day or time beside a place: "Rome tomorrow", not "Friday Harbor".
pub(super) fn is_apart(reader: &Reader<'_>, board: &Board<'_>, asked: &Slot<'_>, filled: &Filled) -> bool {
    let Range { start, end } = filled.words;
    let reached = [Announced::Email, Announced::Phone, Announced::Url];
    let announced = |no| reached.into_iter().any(|what| reader.announces(what, no, start) > 0);
    let kind = board.slots.get(filled.slot).map(|slot| &slot.field.kind);
    let when = matches!(kind, Some(Kind::Date(_) | Kind::Time(_) | Kind::Datetime(_) | Kind::DateRange(_)));
    let goes_on = filled.words.len() == 1 && end < reader.said.words.len() && reader.is_capital(end);
    (start.saturating_sub(4)..start).any(announced)
        || !asked.is_long() && reader.is_own_part(&filled.words)
        || asked.subtype() == Some(Subtype::Place) && when && !goes_on
}

/// A name without words for whoever speaks before it: "Ann" of "it's me, Ann"; no words of "it's me".
fn past_speaker(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let len = reader.len(|lang| &lang.name.me, words.start, words.end);
    let past = words.start + len;
    let next = (past..words.end).find(|no| !reader.is_mark(*no)).unwrap_or(words.end);
    if len > 0 && (next > past || next == words.end) { next..words.end } else { words }
}

/// Words without a greeting before them, and without what means nothing before a comma: "Rosa Klein" of "Hi Rosa Klein" and
/// "OK, Rosa Klein". Where nothing is `named`, a greeting too has a mark behind it: "Hi Fi" is no greeting.
fn without_greeting(reader: &Reader<'_>, words: Range<usize>, named: bool) -> Range<usize> {
    let Range { mut start, end } = words;
    while start < end {
        let before_mark = |len: usize| if start + len < end && reader.is_mark(start + len) { len } else { 0 };
        let signs = reader.len(|lang| &lang.sentence.signs, start, end);
        let greeting = reader.len(|lang| &lang.sentence.courtesy, start, end).max(signs);
        let greeting = if named { greeting } else { before_mark(greeting) };
        let small = if named { before_mark(reader.filler(start, end)) } else { 0 };
        let past = start + greeting.max(small);
        if past == start {
            break;
        }
        start = (past..end).find(|no| !reader.is_mark(*no)).unwrap_or(end);
    }
    if start < end { start..end } else { words }
}

/// Whether words are thanks, or a plain yes or no, and nothing else.
pub(super) fn is_polite(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let mut no = words.start;
    while no < words.end {
        let courtesy = reader.len(|lang| &lang.sentence.courtesy, no, words.end);
        let firm = reader.len(|lang| &lang.yes_no.firm, no, words.end);
        let len = courtesy.max(firm).max(reader.filler(no, words.end)).max(usize::from(reader.is_mark(no)));
        if len == 0 {
            return false;
        }
        no += len;
    }
    true
}

/// Whether words begin with what somebody wants of whoever asks, or has not decided: "hurry up", "give me a minute".
fn is_of_talk(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    reader.begins(|lang| &lang.option.open, words.clone())
}

/// Whether words ask for something to be done and name nothing: "can you hurry up", not "can you make it Oslo".
fn is_request(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let proper = |no: usize| no > words.start && reader.is_capital(no) && !reader.is_idle(no);
    reader.begins(|lang| &lang.sentence.request, words.clone()) && !words.clone().any(proper)
}

/// Whether words begin with who comes along: "with my brother".
fn is_company(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    reader.begins(|lang| &lang.naming.along, words.clone())
}

/// Whether a sentence of the speaker says that they have no such thing: "I don't have insurance", "we are not insured".
fn lacks(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let Range { start, end } = *words;
    let speaker = reader.len(|lang| &lang.sentence.speaker, start, end);
    let without = |no: usize| {
        let negated = reader.len(|lang| &lang.yes_no.negation, no, end);
        negated.max(reader.len(|lang| &lang.everyday.lacking, no, end)) > 0 && !reader.is_mark(no)
    };
    let one = !(start..end).any(|no| reader.is_mark(no) && reader.said.word(no) == ",");
    one && (speaker > 0 && (start..end).any(without)
        || reader.is_verbal_negation(start, end) && !reader.is_capital(start))
}

/// A thing's name without what leads to it: "Siemens" of "I work for Siemens".
fn past_lead(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    past(reader, words, |lang| &lang.naming.leads)
}

/// Words without an article before them.
fn past_article(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let start = words.start + reader.len(|lang| &lang.sentence.articles, words.start, words.end);
    if start < words.end { start..words.end } else { words }
}

/// Words without those of a table that lead to them.
fn past(reader: &Reader<'_>, words: Range<usize>, table: fn(&Language) -> &Phrases<()>) -> Range<usize> {
    let start = words.start + reader.len(|lang| &lang.frame.short_lead, words.start, words.end);
    let after = |no: usize| Some(no + reader.len(table, no, words.end)).filter(|end| *end > no);
    let start = after(words.start).or_else(|| after(start)).filter(|start| *start < words.end);
    start.unwrap_or(words.start)..words.end
}

/// Gives back what other fields have taken out of a sentence where a note was asked for, but for what is plainly said for them:
/// an answer to a note is the whole sentence. Whether all of it was given back.
pub(super) fn takes_back(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    asked: &Slot<'_>,
    ledger: &mut Ledger,
) -> bool {
    const FEWEST: usize = 4;
    let count = (0..reader.said.words.len()).filter(|no| !reader.is_mark(*no)).count();
    let is_note = |slot: &Slot<'_>| {
        let free = slot.is_free() && slot.subtype().is_none() && !slot.is_item();
        free && (slot.is_long() || is_called(reader, slot, |lang| &lang.naming.note))
    };
    let all = 0..reader.said.words.len();
    if count < FEWEST || !is_note(asked) || quoted(scene, reader, asked, &all).is_some() {
        return false;
    }
    let fills = std::mem::take(&mut ledger.fills);
    let any = !fills.is_empty();
    for filled in fills {
        // "Start two days earlier" changes what stands.
        if filled.replaces || is_apart(reader, board, asked, &filled) || is_said_for(reader, board, &filled) {
            ledger.fills.push(filled);
        } else if let Some(part) = ledger.claimed.get_mut(filled.words.clone()) {
            part.fill(false);
        }
    }
    let whole = any && ledger.fills.is_empty();
    if whole {
        ledger.claimed.fill(false);
        ledger.unsure.clear();
    }
    whole
}

/// Whether a value is plainly said for its field: behind the field's whole name, or in a part of the message that says nothing
/// else.
fn is_said_for(reader: &Reader<'_>, board: &Board<'_>, filled: &Filled) -> bool {
    let Some(slot) = board.slots.get(filled.slot) else { return false };
    let start = filled.words.start;
    let behind = |mention: &Mention| {
        mention.weight >= 1.0
            && !mention.unit
            && mention.words.end <= start
            && (mention.words.end..start).all(|no| reader.is_idle(no))
    };
    let own = |no: usize| {
        let named = || board.mentions_of(slot).any(|mention| mention.words.contains(&no));
        filled.words.contains(&no) || reader.is_idle(no) || named()
    };
    let clause = reader.clause(start).filter(|_| reader.clauses.len() > 1);
    board.mentions_of(slot).any(behind) || clause.is_some_and(|clause| clause.words.clone().all(own))
}

/// A thing's name without "it's a" before it: "Ford" of "it's a Ford".
fn without_article(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let lead = words.start + reader.len(|lang| &lang.frame.short_lead, words.start, words.end);
    let start = lead + reader.len(|lang| &lang.sentence.articles, lead, words.end);
    let plain = words.start < start && (words.start + 1..start).all(|no| !reader.is_capital(no));
    if plain && start > lead && reader.is_capital(start) { start..words.end } else { words }
}

/// The first words of a range that no word before them in `begins` excludes: "Turin" of "not Milan but Turin" and "Turin, not
/// Milan". No words where all of them are excluded. A capital inside a sentence is part of a name, and one at its beginning
/// may be where no `place` is wanted: "Salvo Rossi".
fn past_denied(reader: &Reader<'_>, begins: Range<usize>, words: Range<usize>, place: bool) -> Range<usize> {
    if begins.len() < 2 {
        return words;
    }
    let end = words.end;
    let firm = reader.len(|lang| &lang.yes_no.firm, begins.start, end);
    let verbal = reader.len(|lang| &lang.denial.verbal, begins.start, end) > 0;
    let capitals = words.clone().any(|no| reader.is_capital(no) && !reader.is_idle(no));
    let mut no = if verbal { begins.start } else { begins.start + firm };
    let first = reader.past_filler(begins.start..end);
    let mut denied = false;
    let mut from = None;
    while no < end {
        let before = reader.len(|lang| &lang.denial.before, no, end);
        let but = reader.len(|lang| &lang.denial.but, no, end);
        let none = reader.len(|lang| &lang.denial.none, no, end).max(reader.changes(no, end));
        // "I cannot say that": where no place is wanted only the first words exclude.
        let named = reader.is_capital(no) && !(place && no == begins.start) || !place && no > first;
        let len = before.max(but).max(none);
        if before == len && before > none && !named {
            let so_far = from.unwrap_or(words.start)..no;
            let marked = no > words.start && reader.is_mark(no - 1);
            let tells = |no: usize| !reader.is_idle(no) && if capitals { reader.is_capital(no) } else { marked };
            if !denied && so_far.clone().any(tells) {
                return so_far;
            }
            denied = true;
        } else if denied && (reader.is_mark(no) || but == len && but > 0 || marks_correction(reader, no, end)) {
            denied = false;
            from = Some(no + len.max(1));
        }
        no += len.max(1);
    }
    // "Anywhere but Paris, please."
    let nothing_else = from.is_some_and(|from| (from.min(end)..end).all(|no| reader.is_idle(no)));
    match from {
        _ if denied || nothing_else => words.start..words.start,
        Some(from) => from.max(words.start).min(end)..end,
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "goal"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "model"
kind = "text"
label = "Model"
ask = "Which model?"
"#;

    #[rstest]
    #[case("en", "can you hurry up")]
    #[case("en", "hurry up")]
    #[case("en", "with my brother")]
    #[case("en", "anywhere but Paris")]
    #[case("en", "not Milan")]
    #[case("en", "not in Milan please")]
    #[case("en", "anywhere but Paris, please")]
    #[case("it", "puoi sbrigarti")]
    #[case("it", "con mio fratello")]
    #[case("it", "ovunque tranne Parigi")]
    #[case("it", "non Milano")]
    #[case("es", "puedes darte prisa")]
    #[case("es", "con mi hermano")]
    #[case("es", "en cualquier sitio menos París")]
    #[case("de", "kannst du dich beeilen")]
    #[case("de", "mit meinem Bruder")]
    #[case("de", "überall außer Paris")]
    #[case("de", "nicht nach Mailand")]
    #[case("fr", "tu peux te dépêcher")]
    #[case("fr", "avec mon frère")]
    #[case("fr", "n'importe où sauf Paris")]
    #[case("fr", "pas Milan")]
    #[case("ar", "مع أخي")]
    #[case("ar", "أي مكان إلا باريس")]
    fn what_names_no_place_is_none(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(TRIP, "goal").speaking(lang).line(said);
        assert!(!line.contains("goal="), "{said}: {line}");
    }

    const CLINIC: &str = r#"
id = "clinic"
title = "Clinic"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "insurer"
kind = "text"
label = { en = "Insurance company", it = "Assicurazione", es = "Aseguradora", de = "Versicherung", fr = "Assurance" }

[[field]]
id = "occupation"
kind = "text"
label = { en = "Occupation", it = "Professione", es = "Profesión", de = "Beruf", fr = "Profession" }
"#;

    #[rstest]
    #[case("en", "insurer", "I don't have insurance", "")]
    #[case("en", "insurer", "we are not insured", "")]
    #[case("en", "insurer", "we have no insurance at the moment", "")]
    #[case("en", "insurer", "I'm with Norwell Mutual", "insurer=Norwell Mutual")]
    #[case("en", "occupation", "I'm a nurse", "occupation=nurse")]
    #[case("en", "occupation", "I work as an electrician", "occupation=electrician")]
    #[case("en", "occupation", "retired teacher", "occupation=retired teacher")]
    #[case("it", "insurer", "non ho un'assicurazione", "")]
    #[case("it", "occupation", "sono un infermiere", "occupation=infermiere")]
    #[case("es", "insurer", "no tengo seguro", "skip")]
    #[case("es", "occupation", "soy enfermera", "occupation=enfermera")]
    #[case("de", "insurer", "ich habe keine Versicherung", "")]
    #[case("de", "occupation", "ich bin Krankenschwester", "occupation=Krankenschwester")]
    #[case("fr", "insurer", "je n'ai pas d'assurance", "")]
    #[case("fr", "occupation", "je suis infirmière", "occupation=infirmière")]
    fn a_sentence_about_a_thing_is_not_its_name(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(CLINIC, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "Hi, Milan", "goal=Milan")]
    #[case("en", "Hello! Milan please", "goal=Milan")]
    #[case("en", "OK, Milan", "goal=Milan")]
    #[case("it", "Ciao, Milano", "goal=Milano")]
    #[case("de", "Guten Tag, Mailand", "goal=Mailand")]
    #[case("fr", "Bonjour, Milan", "goal=Milan")]
    #[case("en", "anywhere but Paris, please", "")]
    #[case("en", "yes", "")]
    #[case("en", "no, Milan", "goal=Milan")]
    #[case("en", "not Milan but Turin", "goal=Turin")]
    #[case("en", "not Milan, Turin", "goal=Turin")]
    #[case("en", "Turin, not Milan", "goal=Turin")]
    #[case("en", "Milan with my brother", "goal=Milan")]
    #[case("it", "non Milano ma Torino", "goal=Torino")]
    #[case("de", "nicht Mailand sondern Turin", "goal=Turin")]
    fn the_place_beside_what_is_excluded_is_meant(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TRIP, "goal").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "can you hurry up", "")]
    #[case("en", "Punto", "model=Punto")]
    #[case("en", "Hi, 911", "model=911")]
    #[case("en", "Punto, thanks a lot. Have a nice day", "model=Punto")]
    #[case("it", "Punto, grazie mille. Buona giornata", "model=Punto")]
    #[case("es", "Punto, muchas gracias. Que tenga un buen día", "model=Punto")]
    #[case("de", "Punto, vielen Dank. Schönen Tag noch", "model=Punto")]
    #[case("fr", "Punto, merci beaucoup. Bonne journée", "model=Punto")]
    #[case("ar", "بونتو، شكرا جزيلا. يوما سعيدا", "model=بونتو")]
    #[case("en", "a blue Ford Focus from 2019", "~=model=a blue Ford Focus from 2019")]
    fn one_thing_is_taken_without_what_is_said_around_it(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(TRIP, "model").speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    const PARCEL: &str = r#"
id = "parcel"
title = "Parcel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "where"
kind = "text"
label = "X1"
subtype = "address"

[[field]]
id = "goal"
kind = "text"
label = "X3"
subtype = "place"

[[field]]
id = "code"
kind = "text"
label = "X4"
subtype = "code"

[[field]]
id = "name"
kind = "text"
label = "X5"
subtype = "person"

[[field]]
id = "thing"
kind = "text"
label = "X6"

[[field]]
id = "story"
kind = "long_text"
label = "X7"
"#;

    const ASKED: [&str; 6] = ["where", "goal", "code", "name", "thing", "story"];

    const HOUSE: &str = r#"
id = "house"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "home"
kind = "address"
label = "X2"
"#;

    #[rstest]
    #[case("en", &["I already told you", "one sec", "BRB", "see above please", "ask my wife, she knows", "it's complicated",
        "as I said", "let me check", "none of your business", "I am not sure yet", "what do you mean", "sorry?", "wait a second"])]
    #[case("it", &["te l'ho già detto", "un attimo", "vedi sopra", "chiedi a mia moglie", "è complicato", "non sono affari tuoi"])]
    #[case("es", &["ya te lo dije", "un segundo", "mira arriba", "pregúntale a mi mujer", "es complicado", "no es asunto tuyo"])]
    #[case("de", &["das habe ich schon gesagt", "Moment mal", "siehe oben", "frag meine Frau", "das ist kompliziert",
        "geht dich nichts an"])]
    #[case("fr", &["je vous l'ai déjà dit", "un instant", "voir plus haut", "demandez à ma femme", "c'est compliqué",
        "ça ne vous regarde pas"])]
    #[case("ar", &["قلت لك", "لحظة من فضلك", "انظر أعلاه", "اسأل زوجتي", "الأمر معقد", "ليس من شأنك"])]
    fn what_says_nothing_of_the_question_answers_none(#[case] lang: &'static str, #[case] all: &[&str]) {
        for asked in ASKED {
            let stage = Stage::new(PARCEL, asked).speaking(lang);
            for said in all {
                let line = stage.takes(said);
                assert!(!line.contains('='), "{asked}: {said}: {line}");
            }
        }
    }

    #[rstest]
    #[case("thing", "Let Me Think About It", "thing=Let Me Think About It")]
    #[case("thing", "\"one sec\"", "thing=one sec")]
    #[case("thing", "a new door", "thing=a new door")]
    #[case("story", "as I said, the door does not close", "story=as I said, the door does not close")]
    #[case("story", "it's complicated: it opens twice", "story=it's complicated: it opens twice")]
    fn what_says_more_is_an_answer(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(PARCEL, asked).line(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", &["the same as last time", "Please, the same as last time", "you know where I live", "wherever you like", "I moved", "my office", "home"])]
    #[case("it", &["lo stesso dell'altra volta", "sai dove abito", "dove vuoi", "mi sono trasferito", "casa mia"])]
    #[case("es", &["la misma que la última vez", "ya sabes dónde vivo", "donde quieras", "me mudé", "mi casa"])]
    #[case("de", &["dieselbe wie letztes Mal", "du weißt wo ich wohne", "wo du willst", "ich bin umgezogen", "zu Hause"])]
    #[case("fr", &["la même que la dernière fois", "vous savez où j'habite", "où vous voulez", "j'ai déménagé", "chez moi"])]
    #[case("ar", &["نفس العنوان", "أنت تعرف أين أسكن", "حيثما تريد", "في البيت"])]
    fn what_names_no_street_and_no_house_is_no_address(#[case] lang: &'static str, #[case] all: &[&str]) {
        for (form, asked) in [(PARCEL, "where"), (HOUSE, "home")] {
            let stage = Stage::new(form, asked).speaking(lang);
            for said in all {
                let line = stage.takes(said);
                assert!(!line.contains('='), "{asked}: {said}: {line}");
            }
        }
    }

    #[rstest]
    #[case("Elm Lodge, Church Lane, Little Whinging")]
    #[case("unit 7 Harbour Park, M5 3EZ")]
    #[case("hotel ibis, 8 rue de Lyon, 75012 Paris")]
    #[case("flat 9, 4 Quay Street, Leeds")]
    fn a_house_and_its_part_begin_an_address(#[case] said: &str) {
        let line = Stage::new(HOUSE, "home").means(said);
        assert!(line.contains(said) && line.starts_with("home="), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "where", "can you deliver to 12 main street?", "where=12 main street")]
    #[case("it", "where", "puoi consegnare in via Roma 12?", "where=via Roma 12")]
    #[case("es", "where", "¿puedes entregarlo en calle Mayor 12?", "where=calle Mayor 12")]
    #[case("fr", "where", "pouvez-vous livrer au 12 rue de la Paix ?", "where=12 rue de la Paix")]
    #[case("en", "where", "Rose Cottage, Little Whinging", "where=Rose Cottage, Little Whinging")]
    #[case("en", "goal", "Rome, no wait, Milan", "goal=Milan")]
    #[case("es", "goal", "Roma, no, Milán", "goal=Milán")]
    #[case("en", "goal", "make it Oslo instead", "goal=Oslo")]
    #[case("en", "goal", "to london back on the 12th", "goal=london")]
    #[case("en", "code", "AB-1 not AB-2", "code=AB-1")]
    #[case("en", "code", "not AB-1, AB-2", "code=AB-2")]
    #[case("en", "code", "AB-1, no wait AB-2", "code=AB-2")]
    #[case("de", "code", "AB-1, nein, AB-2", "code=AB-2")]
    #[case("ar", "code", "AB-1 ليس AB-2", "code=AB-1")]
    #[case("en", "code", "the number is 12 34 56", "code=12 34 56")]
    #[case("fr", "code", "le numéro est 12 34 56", "code=12 34 56")]
    #[case("en", "code", "KLMNOP", "code=KLMNOP")]
    #[case("en", "code", "in 2021", "")]
    #[case("en", "code", "it ends in 45", "")]
    #[case("en", "code", "ONE MOMENT", "")]
    #[case("en", "code", "I CAN'T FIND IT", "")]
    #[case("de", "code", "ICH FINDE SIE NICHT", "")]
    #[case("en", "where", "flat 3, 19 Queens Road, Bristol", "where=flat 3, 19 Queens Road, Bristol")]
    #[case("en", "where", "send it to apt. 4b, 120 Main Street", "where=apt. 4b, 120 Main Street")]
    #[case("en", "where", "2nd floor, 88 Mill Street", "where=2nd floor, 88 Mill Street")]
    #[case("it", "where", "interno 4, via Roma 12", "where=interno 4, via Roma 12")]
    #[case("it", "where", "Villa Anna, via Roma 12", "where=Villa Anna, via Roma 12")]
    #[case("es", "where", "piso 3, calle Mayor 12", "where=piso 3, calle Mayor 12")]
    #[case("de", "where", "Wohnung 5, Hauptstraße 12", "where=Wohnung 5, Hauptstraße 12")]
    #[case("fr", "where", "appartement B, 12 rue de la Paix", "where=appartement B, 12 rue de la Paix")]
    #[case("ar", "where", "شقة 3، شارع النيل 12", "where=شقة 3، شارع النيل 12")]
    #[case("en", "goal", "maybe oslo", "goal=oslo")]
    #[case("it", "goal", "forse Roma", "goal=Roma")]
    #[case("es", "goal", "quizás Madrid", "goal=Madrid")]
    #[case("de", "goal", "vielleicht Wien", "goal=Wien")]
    #[case("fr", "goal", "peut-être Lyon", "goal=Lyon")]
    #[case("ar", "goal", "ربما القاهرة", "goal=القاهرة")]
    #[case("en", "name", "im tom baker", "name=tom baker")]
    #[case("fr", "name", "je m'appelle Hélène d'Arcy", "name=Hélène d'Arcy")]
    #[case("it", "name", "mi chiamo Anna dell'Orto", "name=Anna dell'Orto")]
    #[case("en", "name", "tom baker :)", "name=tom baker")]
    #[case("en", "name", "my name is Sunny", "name=Sunny")]
    #[case("en", "name", "it's me, Tom Baker", "name=Tom Baker")]
    #[case("it", "name", "sono io, Marco Rossi", "name=Marco Rossi")]
    #[case("fr", "name", "c'est moi, Luc Petit", "name=Luc Petit")]
    #[case("de", "name", "Jan von der Lippe", "name=Jan von der Lippe")]
    #[case("fr", "name", "Charles de Gaulle", "name=Charles de Gaulle")]
    #[case("en", "name", "Tim, sorry, Tom", "name=Tom")]
    #[case("en", "name", "will smith", "name=will smith")]
    fn of_what_was_asked_only_the_answer_is_taken(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(PARCEL, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "goal", &["somewhere warm", "anywhere", "due to covid", "no to London", "I want to go to bed", "in December", "move it to 3", "im flexible", "i'm flexible"])]
    #[case("it", "goal", &["da qualche parte al caldo", "ovunque", "a causa del covid", "voglio andare a letto", "sono flessibile"])]
    #[case("es", "goal", &["algún lugar cálido", "cualquier sitio", "debido al covid", "soy flexible"])]
    #[case("de", "goal", &["irgendwo wo es warm ist", "wegen Corona", "ich will ins Bett", "im Dezember", "ich bin flexibel"])]
    #[case("fr", "goal", &["n'importe où", "à cause du covid", "en décembre", "je suis flexible"])]
    #[case("en", "name", &["it's me", "my name", "mine", "IT'S ME", "my name is hard to spell",
        "my name is already on the list", "im from Italy", "im late sorry", "anyone", "whatever"])]
    #[case("it", "name", &["sono io", "il mio nome", "Maria e Giovanni", "il mio nome è difficile da scrivere", "chiunque"])]
    #[case("es", "name", &["soy yo", "mi nombre", "mi nombre es difícil de escribir"])]
    #[case("de", "name", &["ich bin's", "mein Name", "mein Name ist schwer zu schreiben"])]
    #[case("fr", "name", &["c'est moi", "mon nom", "mon nom est difficile à écrire"])]
    #[case("ar", "name", &["هذا أنا", "اسمي صعب"])]
    fn what_names_nothing_is_not_stored(#[case] lang: &'static str, #[case] asked: &str, #[case] all: &[&str]) {
        let stage = Stage::new(PARCEL, asked).speaking(lang);
        for said in all {
            let fills = stage.fills(said);
            let stored = fills.split("; ").any(|part| !part.starts_with("~=") && part.contains('='));
            assert!(!stored, "{said}: {fills}");
        }
    }

    #[rstest]
    #[case("en", "goal", "Rome or Milan", "?(goal=Rome | goal=Milan)")]
    #[case("en", "goal", "either Rome or Milan", "?(goal=Rome | goal=Milan)")]
    #[case("en", "goal", "maybe Rome, maybe Milan", "?(goal=Rome | goal=Milan)")]
    #[case("en", "goal", "Rome, perhaps Milan", "?(goal=Rome | goal=Milan)")]
    #[case("en", "goal", "maybe Rome", "goal=Rome")]
    #[case("en", "", "I'm interested in buying a flat", "")]
    #[case("it", "goal", "Roma, forse Milano", "?(goal=Roma | goal=Milano)")]
    #[case("es", "goal", "Roma, quizás Milán", "?(goal=Roma | goal=Milán)")]
    #[case("de", "goal", "Rom, vielleicht Mailand", "?(goal=Rom | goal=Mailand)")]
    #[case("fr", "goal", "Rome, peut-être Milan", "?(goal=Rome | goal=Milan)")]
    #[case("it", "goal", "Roma o Milano", "?(goal=Roma | goal=Milano)")]
    #[case("es", "name", "Juan o Pedro", "?(name=Juan | name=Pedro)")]
    #[case("de", "name", "Max oder Moritz", "?(name=Max | name=Moritz)")]
    #[case("fr", "goal", "Rome ou Milan", "?(goal=Rome | goal=Milan)")]
    #[case("en", "goal", "Portland, OR", "goal=Portland, OR")]
    #[case("en", "goal", "Trinidad and Tobago", "goal=Trinidad and Tobago")]
    #[case("en", "thing", "tea or coffee", "thing=tea or coffee")]
    fn which_of_two_is_meant_is_asked_back(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(PARCEL, asked).speaking(lang).fills(said), expected, "{said}");
    }

    const FIRM: &str = r#"
id = "firm"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "firm"
kind = "text"
label = { en = "Company", it = "Azienda", es = "Empresa", de = "Firma", fr = "Entreprise", ar = "الشركة" }

[[field]]
id = "note"
kind = "text"
label = { en = "Notes", it = "Note", es = "Notas", de = "Bemerkungen", fr = "Remarques", ar = "ملاحظات" }

[[field]]
id = "age"
kind = "integer"
label = { en = "Age of the car in years", it = "Età della macchina in anni", es = "Edad del coche en años", de = "Alter des Autos in Jahren", fr = "Âge de la voiture en années", ar = "عمر السيارة" }

[[field]]
id = "people"
kind = "integer"
label = { en = "People", it = "Persone", es = "Personas", de = "Personen", fr = "Personnes", ar = "أشخاص" }
"#;

    #[rstest]
    #[case("en", "i work for Globex", "firm=Globex")]
    #[case("en", "its called Globex Ltd", "firm=Globex Ltd")]
    #[case("en", "it is called Globex", "firm=Globex")]
    #[case("en", "Globex", "firm=Globex")]
    #[case("it", "lavoro per Globex", "firm=Globex")]
    #[case("es", "trabajo para Globex", "firm=Globex")]
    #[case("de", "ich arbeite bei Globex", "firm=Globex")]
    #[case("fr", "je travaille chez Globex", "firm=Globex")]
    #[case("ar", "أعمل لدى جلوبكس", "firm=جلوبكس")]
    fn whom_somebody_works_for_is_taken_without_the_words_for_it(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(FIRM, "firm").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "my car is 3 years old and has 2 dents too")]
    #[case("en", "please ring twice when you come with 4 people")]
    #[case("it", "la mia macchina ha 3 anni e due ammaccature")]
    #[case("es", "mi coche tiene 3 años y dos golpes")]
    #[case("de", "mein Auto ist 3 Jahre alt und hat zwei Beulen")]
    #[case("fr", "ma voiture a 3 ans et deux bosses")]
    fn a_note_is_answered_by_the_whole_sentence(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(FIRM, "note").speaking(lang).means(said), format!("note={said}"), "{said}");
    }

    #[rstest]
    #[case("please ring the bell twice, for 4 people", "people=4; note=please ring the bell twice")]
    #[case("the number of people is 4", "people=4")]
    fn what_is_plainly_said_for_another_field_is_taken_out_of_a_note(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(FIRM, "note").fills(said)), sorted(expected), "{said}");
    }

    const FLIGHT: &str = r#"
id = "flight"
title = "Flight"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "goal"
kind = "text"
label = "X1"
subtype = "place"

[[field]]
id = "day"
kind = "date"
label = "X2"

[[field]]
id = "hour"
kind = "time"
label = "X3"

[[field]]
id = "seats"
kind = "integer"
label = "X4"
"#;

    #[rstest]
    #[case("en", "Rome tomorrow", "goal=Rome; day=2026-11-22")]
    #[case("it", "Roma domani", "goal=Roma; day=2026-11-22")]
    #[case("de", "Rom morgen", "goal=Rom; day=2026-11-22")]
    #[case("en", "Friday Harbor", "goal=Friday Harbor")]
    fn a_day_beside_a_place_is_no_part_of_it(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(FLIGHT, "goal").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "move it to 3", "hour=15:00")]
    #[case("it", "spostalo alle 3", "hour=15:00")]
    fn a_time_is_moved_while_a_place_is_asked(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(FLIGHT, "goal").having("hour=14:00").speaking(lang);
        assert_eq!(stage.fills(said), expected, "{said}");
    }
}
