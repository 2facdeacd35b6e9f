//! Questions that ask for what the form is about: "do you have a table for four at eight?" wants one, and so its values
//! count; "do you have parking?" is answered. So do questions that propose an answer and say nothing else: "does Friday
//! work?". Whoever begins with a question that names a place or a day wants to know of that: "how is the weather in Rome?".

use std::ops::Range;

use jiff::civil::Date;

use super::pieces::{Piece, Sort};
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Cand};
use super::{Scene, casts, picked, realms};
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::kind::{Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::sentence::Announced;
use formwright_text::stem;

/// Takes questions whether something is to be had as wishes for it, where they tell for when, how many or where.
pub(super) fn take(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, pieces: &mut [Piece]) {
    let today = scene.now.date();
    let opens = *scene.draft.pending == Pending::Nothing && scene.draft.answers.is_empty();
    for piece in pieces.iter_mut().filter(|piece| piece.is_question()) {
        let words = piece.words.clone();
        if proposes(reader, board, &words, today) {
            piece.sort = Sort::Content;
            continue;
        }
        // "How about the Roxy?" where a house was asked for.
        let chosen = picked::is_picked_of(reader, board, &words);
        if chosen {
            piece.sort = Sort::Content;
            continue;
        }
        let start = reader.past_filler(words.clone());
        let offered = |no: usize| {
            let asks = reader.len(|lang| &lang.sentence.question, no, words.end);
            Some(reader.len(|lang| &lang.sentence.offered, no, words.end)).filter(|len| *len + 1 > asks).unwrap_or(0)
        };
        let begins = [words.start, start].into_iter().map(offered).max().unwrap_or(0);
        // "Will booking be possible for ten?"
        let possible = words.clone().any(|no| reader.len(|lang| &lang.sentence.possible, no, words.end) > 0);
        // "Maybe something by Ann Lee?" asks for it.
        let asks = |no: usize| {
            let inverted = reader.len(|lang| &lang.sentence.inverted, no, words.end);
            inverted.max(reader.len(|lang| &lang.sentence.question, no, words.end)) > 0
        };
        let requests = reader.begins(|lang| &lang.sentence.request, words.clone());
        let suggests = requests || !asks(words.start) && !asks(start);
        let person = || words.clone().any(|no| casts::leads_to_name(reader, board, no, words.end));
        // "Do you have a red one instead?" changes the answer.
        let swaps = !opens && words.clone().any(|no| reader.len(|lang| &lang.sentence.swap, no, words.end) > 0);
        let tells_of = swaps || opens && !is_about_us(reader, &words) && !asks_for_a_day(reader, &words);
        if begins == 0 && !possible && !tells_of {
            if suggests && person() || is_own(reader, board, &words) || requests && is_sorted(reader, board, &words) {
                piece.sort = Sort::Content;
            }
            continue;
        }
        // "On October 19, 2027" goes over a comma.
        let inside = |cand: &&Cand| overlap(&cand.words, &words);
        let general = |no: usize| reader.len(|lang| &lang.naming.general, no, words.end) > 0;
        let seeks_anything = || [words.start, start].into_iter().any(|no| offered(no) > 0 && general(no + offered(no)));
        let tells = |cand: &Cand| {
            let kind = board.kind_of(cand);
            let counts = matches!(kind, Some(Kind::Integer(_))) && cand.strength == Strength::Exact;
            let choice = matches!(kind, Some(Kind::Choice(_) | Kind::Choices(_)));
            // "Are there any parks?" asks for one.
            let sort = choice && (swaps || opens && begins > 0) && cand.strength == Strength::Exact;
            // "Do you have anything in the east?" tells where, if that was asked.
            let asked = || board.asked.is_some_and(|no| board.takers(cand).contains(&no));
            let sort = sort || choice && begins > 0 && seeks_anything() && asked();
            let other = !choice && !matches!(kind, Some(Kind::YesNo(_))) && kind.is_some_and(is_telling);
            counts || sort || cand.strength > Strength::Weak && other
        };
        let value = board.cands.iter().filter(inside).any(tells);
        let place = || {
            words.clone().any(|no| {
                let len =
                    reader.announces(Announced::Place, no, words.end).max(realms::tells_of(reader, no, words.end));
                let the = reader.len(|lang| &lang.naming.the, no + len, words.end);
                let len = len + if reader.is_capital(no + len + the) { the } else { 0 };
                // "New york", where nothing has a capital.
                let town = reader.len(|lang| &lang.naming.town, no + len, words.end);
                len > 0 && no + len < words.end && (reader.is_proper(no + len) || reader.is_strange(no + len + town))
            })
        };
        if value || place() || person() || is_own(reader, board, &words) {
            piece.sort = Sort::Content;
        }
    }
}

/// Whether a question asks something of whoever answers: "are you open on Friday?", "what is your address in Rome?".
fn is_about_us(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    // "Park" of "Elm Park" is part of a name.
    let named = |no: usize| no > words.start + 1 && reader.is_capital(no) && reader.is_capital(no - 1);
    // "Thank you" asks nothing.
    let thanks = |no: usize| no > words.start && reader.len(|lang| &lang.sentence.courtesy, no - 1, words.end) > 1;
    words.clone().any(|no| reader.len(|lang| &lang.sentence.you, no, words.end) > 0 && !named(no) && !thanks(no))
}

/// Whether a question asks which day or time something is: "what day is it today?".
fn asks_for_a_day(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|no| reader.len(|lang| &lang.sentence.names_day, no, words.end) > 0)
}

/// Whether a question tells which of somebody's things it is about: "what is my savings account balance?".
fn is_own(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    board.cands.iter().any(|cand| {
        let inside = words.start < cand.words.start && cand.words.end <= words.end && cand.strength == Strength::Exact;
        let choice = matches!(board.kind_of(cand), Some(Kind::Choice(_)));
        let ours = || reader.len(|lang| &lang.naming.ours, cand.words.start - 1, cand.words.start) > 0;
        let named = |mention: &Mention| {
            let slot = board.slot_of(mention.field);
            mention.words.start == cand.words.end && slot.is_some_and(|no| board.takers(cand).contains(&no))
        };
        inside && choice && ours() && board.mentions.iter().any(named)
    })
}

/// Whether a request speaks of what the asked sort is one of: "can you look for Lebanese food?".
fn is_sorted(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let sort = board.asked.and_then(|no| board.slots.get(no));
    let sort = sort.filter(|slot| slot.is_free() && casts::is_called(reader, slot, |lang| &lang.sentence.sort));
    sort.is_some() && words.clone().any(|no| board.explained.contains(stem(reader.said.plain(no))))
}

/// Whether somebody asks to do what the form is for, in words of its title and its start examples: "can I sign up for the
/// meeting?".
pub(super) fn asks_for_the_form(scene: &Scene<'_>, reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let start = (words.clone()).find(|no| reader.len(|lang| &lang.sentence.inverted, *no, words.end) > 0);
    let speaks =
        |start: usize| (start..start + 2).any(|no| reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0);
    let Some(start) = start.filter(|start| *start <= reader.past_filler(words.clone()) && speaks(*start)) else {
        return false;
    };
    let mut telling = (start..words.end).filter(|no| !reader.is_idle(*no) && !reader.is_mark(*no)).peekable();
    let knows = |no: usize| {
        let word = stem(reader.said.plain(no));
        scene.form.cues().starts.iter().any(|text| text.all.contains(word))
    };
    telling.peek().is_some() && telling.all(knows)
}

/// Whether a question says nothing but an answer to what was asked, and whether that suits ("does Friday at 4 work?",
/// "how about Friday?"), or names a day by asking for it ("when is Easter?"): not "are you open on Friday?", nor "what day
/// is it today?".
fn proposes(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>, today: Date) -> bool {
    let Some(slot) = board.asked.and_then(|no| Some((no, board.slots.get(no)?))) else { return false };
    let inside = |cand: &&Cand| words.start <= cand.words.start && cand.words.end <= words.end && !cand.negated;
    let cands: Vec<&Cand> = board.cands.iter().filter(inside).filter(|cand| cand.strength > Strength::Weak).collect();
    let mut asked = cands.iter().filter(|cand| board.takers(cand).contains(&slot.0));
    let Some(answer) = asked.next() else { return false };
    let suits = |no: usize| reader.len(|lang| &lang.sentence.suits, no, words.end);
    // "Is Friday at 4 fine?"
    let of_value = |no: usize| cands.iter().any(|cand| cand.words.contains(&no));
    let telling = |no: &usize| !of_value(*no) && (!reader.is_idle(*no) || suits(*no) > 0);
    let behind = (answer.words.end..words.end).find(telling).unwrap_or(words.end);
    let start = reader.past_filler(words.clone()).min(answer.words.start);
    // "OK so what's in a diavola?" agrees to nothing.
    let asks = |no: usize| reader.begins(|lang| &lang.sentence.question, no..words.end);
    let agrees = |no: usize| Some(suits(no)).filter(|len| !asks(no + len)).unwrap_or(0);
    let starts = [words.start, start].map(|no| (no, agrees(no))).into_iter().max_by_key(|(_, len)| *len);
    let names = reader.len(|lang| &lang.sentence.names_day, words.start, answer.words.start);
    let far = match &answer.value {
        Value::Date(day) => (*day - today).get_days().abs() > 1,
        _ => false,
    };
    let proposed = suits(behind) > 0 || starts.is_some_and(|(_, len)| len > 0) || names > 0 && far;
    let mut told: Vec<Range<usize>> = cands.iter().map(|cand| cand.words.clone()).collect();
    told.extend(board.mentions_of(slot.1).map(|mention| mention.words.clone()));
    told.push(behind..behind + suits(behind));
    told.extend(starts.map(|(no, len)| no..no + len));
    told.push(words.start..words.start + names);
    let open = |no: usize| {
        let verb = reader.len(|lang| &lang.sentence.inverted, no, words.end) > 0 && no < answer.words.start;
        !reader.is_idle(no) && !verb && !told.iter().any(|told| told.contains(&no))
    };
    proposed && !words.clone().any(open)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "people"
kind = "integer"
label = "People"
unit = ["people", "persone", "personas", "Personen", "personnes", "أشخاص"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "parking"
kind = "yes_no"
label = "Parking"
"#;

    #[rstest]
    #[case("en", "do you have availability for 8 people in 18 days?", "people=8; day=2026-12-09")]
    #[case("en", "would a booking be possible for 8 people?", "people=8")]
    #[case("en", "have you got something for tomorrow?", "day=2026-11-22")]
    #[case("it", "avete posto per 8 persone domani?", "people=8; day=2026-11-22")]
    #[case("es", "¿tienen sitio para 8 personas mañana?", "people=8; day=2026-11-22")]
    #[case("de", "haben Sie morgen Platz für 8 Personen?", "day=2026-11-22; people=8")]
    #[case("fr", "avez-vous de la place pour 8 personnes demain ?", "people=8; day=2026-11-22")]
    #[case("ar", "هل لديكم مكان غدا؟", "day=2026-11-22")]
    fn a_question_for_what_is_to_be_had_gives_its_values(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TABLE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "does Friday work?", "day=2026-11-27")]
    #[case("en", "is Friday for 4 people ok?", "day=2026-11-27; people=4")]
    #[case("en", "can I come on Friday?", "day=2026-11-27")]
    #[case("it", "posso venire venerdì?", "day=2026-11-27")]
    #[case("es", "¿puedo ir el viernes?", "day=2026-11-27")]
    #[case("de", "kann ich am Freitag kommen?", "day=2026-11-27")]
    #[case("fr", "est-ce que je peux venir vendredi ?", "day=2026-11-27")]
    #[case("en", "would next Friday be ok for you?", "day=2026-11-27")]
    #[case("en", "how about Friday?", "day=2026-11-27")]
    #[case("en", "when is Easter 2027?", "day=2027-03-28")]
    #[case("it", "va bene venerdì?", "day=2026-11-27")]
    #[case("it", "venerdì va bene?", "day=2026-11-27")]
    #[case("it", "quando è Pasqua 2027?", "day=2027-03-28")]
    #[case("es", "¿el viernes te va bien?", "day=2026-11-27")]
    #[case("es", "¿qué tal el viernes?", "day=2026-11-27")]
    #[case("de", "passt Freitag?", "day=2026-11-27")]
    #[case("de", "würde Freitag passen?", "day=2026-11-27")]
    #[case("de", "wann ist Ostern 2027?", "day=2027-03-28")]
    #[case("fr", "vendredi vous convient ?", "day=2026-11-27")]
    #[case("ar", "هل يناسبك الجمعة؟", "day=2026-11-27")]
    fn a_question_whether_an_answer_suits_gives_it(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TABLE, "day").speaking(lang).fills(said), expected, "{said}");
    }

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "from"
kind = "text"
subtype = "place"
label = "From"
cues = ["from"]

[[field]]
id = "to"
kind = "text"
subtype = "place"
label = "To"
cues = ["to"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "wifi"
kind = "yes_no"
label = "Wifi"
"#;

    #[rstest]
    #[case("en", "what ferries are there from Split to Hvar on 3 December?", "day=2026-12-03; from=Split; to=Hvar")]
    #[case("en", "does anything sail on Monday", "day=2026-11-23")]
    #[case("it", "quali traghetti ci sono per domani?", "day=2026-11-22")]
    #[case("es", "¿qué barcos hay mañana?", "day=2026-11-22")]
    #[case("de", "welche Fähren fahren morgen?", "day=2026-11-22")]
    #[case("fr", "quels bateaux partent demain ?", "day=2026-11-22")]
    #[case("ar", "ما هي العبارات غدا؟", "day=2026-11-22")]
    fn a_question_that_begins_a_form_gives_its_places_and_days(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let mut fills: Vec<String> =
            Stage::new(TRIP, "").speaking(lang).fills(said).split("; ").map(str::to_owned).collect();
        fills.sort();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    const CAR: &str = r#"
id = "car"
title = "Car"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "sort"
kind = "choice"
label = "Sort"
options = ["Coupe", "SUV"]

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    #[rstest]
    #[case("en", "do you have an SUV instead?", "sort=suv")]
    #[case("en", "do you have an SUV?", "ask \"do you have an SUV?\"")]
    #[case("it", "avete un SUV invece?", "sort=suv")]
    #[case("de", "gibt es stattdessen einen SUV?", "sort=suv")]
    #[case("fr", "avez-vous plutôt un SUV ?", "sort=suv")]
    fn a_question_for_something_in_place_of_an_answer_changes_it(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let stage = Stage::new(CAR, "day").having("sort=coupe").speaking(lang);
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "can I sign up for the crossing, from Split?", "from=Split")]
    #[case("en", "could we join the crossing?", "")]
    #[case("en", "can I cancel the crossing?", "ask \"can I cancel the crossing?\"")]
    #[case("en", "when is the crossing?", "ask \"when is the crossing?\"")]
    #[case("it", "posso iscrivermi alla traversata?", "")]
    #[case("de", "kann ich mich zur Überfahrt anmelden?", "")]
    fn asking_for_what_the_form_is_for_is_no_question(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let starts = r#"start_examples = { en = ["sign up for the crossing", "join the crossing"], it = ["iscrivermi alla traversata"], de = ["mich zur Überfahrt anmelden"] }"#;
        let form = TRIP.replace("[[field]]\nid = \"from\"", &format!("{starts}\n\n[[field]]\nid = \"from\""));
        assert_eq!(Stage::new(&form, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("is there wifi?")]
    #[case("are you open on Friday?")]
    #[case("what day is it today?")]
    #[case("wie lange habt ihr morgen offen?")]
    fn a_question_about_us_begins_with_nothing(#[case] said: &str) {
        let line = Stage::new(TRIP, "").line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "Can I cancel until Friday?")]
    #[case("en", "is it refundable until tomorrow?")]
    #[case("it", "Posso cancellare fino a venerdì?")]
    #[case("es", "¿Puedo cancelar hasta el viernes?")]
    #[case("de", "Kann ich bis Freitag stornieren?")]
    #[case("fr", "Puis-je annuler jusqu'à vendredi ?")]
    #[case("ar", "هل يمكنني الإلغاء حتى الجمعة؟")]
    fn a_question_for_our_terms_begins_with_nothing(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(TRIP, "").speaking(lang).line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }

    #[rstest]
    #[case("what day is it today?")]
    #[case("do you work on Friday?")]
    #[case("why Friday?")]
    #[case("is Friday fine for a delivery?")]
    #[case("does the kitchen work on Friday?")]
    fn a_question_that_asks_more_sets_nothing(#[case] said: &str) {
        let line = Stage::new(TABLE, "day").line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }

    #[rstest]
    #[case("do you have parking?")]
    #[case("are you open on Sunday?")]
    #[case("what time do you open tomorrow?")]
    #[case("do you have parking")]
    #[case("also is parking included")]
    #[case("is parking free for guests")]
    #[case("wondering if you have tables on Sunday")]
    #[case("could you tell me if there is parking")]
    #[case("can I bring my dog on Sunday")]
    fn other_questions_set_nothing(#[case] said: &str) {
        let line = Stage::new(TABLE, "").line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }
}
