//! Where the words of a value end: before what is said of other fields.

use std::ops::Range;

use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Cand, Slot};
use super::turns::turn_at;
use super::{Scene, steer};
use formwright_form::Kind;
use formwright_form::cues::{Ends, Mention};
use formwright_form::field::FieldNo;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Said, Strength, overlap};
use formwright_lexicon::given::is_given;
use formwright_lexicon::sentence::Announced;
use formwright_text::stem;

/// Where the words of a value end that start at a word: before what is said of other fields.
pub(super) fn region_end(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, start: usize, colon: bool) -> usize {
    let mut no = reader.clause_of(start);
    let mut end = start;
    loop {
        let Some(clause) = reader.clauses.get(no) else { return end };
        let from = start.max(clause.words.start);
        let cut = cut(reader, board, slot, from, clause.words.end, colon);
        if cut < clause.words.end {
            return if cut == clause.words.start { end } else { cut };
        }
        end = clause.words.end;
        let Some(next) = reader.clauses.get(no + 1) else { return end };
        let words = slot.is_free() || slot.subtype().is_some();
        // "Purposes: P1, P3."
        let picks = matches!(slot.field.kind, Kind::Choices(_)) && !clause.stop;
        if picks && holds_only(reader, board, slot, next.words.clone()) {
            no += 1;
            continue;
        }
        let on = words && if colon { !clause.line } else { !clause.stop };
        if !on || speaks_of_another(reader, board, slot, next.words.clone(), colon) {
            return end;
        }
        no += 1;
    }
}

fn speaks_of_another(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
    colon: bool,
) -> bool {
    let question = reader.clause(words.start).is_some_and(|clause| clause.question);
    let other = |mention: &Mention| {
        mention.field != slot.field.no
            && mention.weight >= 1.0
            && words.start <= mention.words.start
            && mention.words.end <= words.end
    };
    let value = !slot.is_long()
        && board.cands.iter().any(|cand| {
            words.start <= cand.words.start
                && cand.words.end <= words.end
                && cand.strength > Strength::Weak
                && board.kind_of(cand).is_some_and(is_telling)
                && !board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot))
        });
    let own_sentence = !colon && !slot.is_long() && (words.len() > 4 || words.clone().all(|no| reader.is_idle(no)));
    // "The town is Oslo, I'd like two lamps".
    let speaks =
        !colon && slot.subtype().is_some() && reader.len(|lang| &lang.sentence.speaker, words.start, words.end) > 0;
    let answers =
        |other: &Slot<'_>| !other.is_free() && !other.is_like(slot) && holds_only(reader, board, other, words.clone());
    board.mentions.iter().any(other)
        || value
        || !slot.is_long() && board.slots.iter().any(answers)
        || own_sentence
        || speaks
        || (question && !colon)
        || steer::wishes(reader, words).is_some()
}

/// Where inside a clause something else begins.
fn cut(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, from: usize, end: usize, colon: bool) -> usize {
    let names_other = |no: usize| {
        board.mentions.iter().any(|mention| {
            // A code is one word or few: the name of another field ends it.
            let small = !reader.is_capital(no) || !reader.is_capital(from);
            let linked = slot.subtype() == Some(Subtype::Code)
                || (mention.cue || small) && slot.subtype() == Some(Subtype::Person)
                || matches!(reader.said.word(mention.words.end), ":" | "=")
                || reader.len(|lang| &lang.sentence.is, mention.words.end, end) > 0;
            mention.words.start == no
                && mention.words.end <= end
                && mention.field != slot.field.no
                && mention.weight >= 1.0
                && linked
        })
    };
    let value = |cand: &&Cand| {
        let own = board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot));
        !own && cand.strength > Strength::Weak
    };
    for no in from + 1..end {
        if names_other(no) {
            return back(reader, from, no);
        }
        if slot.is_long() || colon {
            continue;
        }
        // "Moving from Bristol to Cardiff."
        let turn = slot.role.filter(|_| slot.subtype() == Some(Subtype::Place)).and(turn_at(reader, no, end));
        if turn.is_some_and(|(_, turn)| Some(Ends::PLACES.role(turn)) != slot.role) {
            return back(reader, from, no);
        }
        // "4410 2297 is the one."
        let code = slot.subtype() == Some(Subtype::Code) && reader.is_digits(no - 1) && !reader.is_mark(no);
        if code && reader.len(|lang| &lang.sentence.is, no, end) > 0 {
            return no;
        }
        // "70012345 pedro alvarez."
        let coded = slot.subtype() == Some(Subtype::Code) && reader.said.word(no - 1).contains(char::is_numeric);
        if coded && !reader.said.is_glued(no) && is_given(reader.said.plain(no)) {
            return no;
        }
        let begins = board.cands.iter().filter(value).find(|cand| {
            cand.words.start == no
                && board
                    .kind_of(cand)
                    .is_some_and(|kind| is_telling(kind) && !matches!(kind, Kind::Choice(_) | Kind::Choices(_)))
        });
        if let Some(cand) = begins {
            return back(reader, from, name_before(reader, board, cand, from));
        }
        let join = reader.len(|lang| &lang.sentence.join, no, end);
        if join > 0 {
            let rest = no + join..end;
            let values = board
                .cands
                .iter()
                .filter(value)
                .any(|cand| rest.start <= cand.words.start && cand.words.end <= rest.end);
            let named =
                board.mentions.iter().any(|mention| mention.weight >= 1.0 && rest.contains(&mention.words.start));
            // "… and I am Jessy".
            let introduced = [no + join, reader.past_filler(no + join..end)].into_iter().any(|no| {
                reader.len(|lang| &lang.name.is, no, end).max(reader.len(|lang| &lang.name.perhaps, no, end)) > 0
            });
            if values || named || introduced || tells_of(reader, rest) {
                return no;
            }
        }
    }
    end
}

/// Where a message names fields that are on other pages of a client's form: what is told of them ends a value.
pub(super) fn elsewhere(scene: &Scene<'_>, said: &Said) -> Vec<Mention> {
    let labels = scene.draft.elsewhere.iter().flat_map(|labels| labels.values());
    let mention = |words| Mention { field: FieldNo(u16::MAX), words, weight: 1.0, cue: false, unit: false };
    labels.flat_map(|label| named_at(said, label)).map(mention).collect()
}

/// Where a message has a name.
pub fn named_at(said: &Said, name: &str) -> Vec<Range<usize>> {
    let name = Said::new(name);
    let len = name.words.len();
    let same = |no: &usize| len > 0 && (0..len).all(|i| stem(said.plain(no + i)) == stem(name.plain(i)));
    (0..said.words.len()).filter(same).map(|no| no..no + len).collect()
}

/// Whether words tell what something is: "and my company is ACME Ltd".
fn tells_of(reader: &Reader<'_>, words: Range<usize>) -> bool {
    const MOST: usize = 3;
    let end = words.end;
    let is = |no: usize| reader.len(|lang| &lang.sentence.is, no, end);
    let start = words.clone().take_while(|no| reader.is_idle(*no) && !reader.is_mark(*no) && is(*no) == 0).count();
    let name = words.start + start;
    let verb = (name..end.min(name + MOST + 1)).find(|no| is(*no) > 0);
    start > 0 && verb.is_some_and(|no| no > name && no + is(no) < end && (name..no).all(|no| !reader.is_mark(no)))
}

/// Whether words hold values of a field, perhaps with its name, and nothing else.
fn holds_only(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: Range<usize>) -> bool {
    let own = |cand: &&Cand| {
        let taken = || board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot));
        cand.strength > Strength::Weak && overlap(&cand.words, &words) && taken()
    };
    let values: Vec<&Cand> = board.cands.iter().filter(own).collect();
    let held = |no: usize| {
        let named = board.mentions_of(slot).any(|mention| mention.words.contains(&no));
        named || reader.is_idle(no) || values.iter().any(|cand| cand.words.contains(&no))
    };
    !values.is_empty() && words.clone().all(held)
}

/// Where a value begins with the name of its field: "phone" in "… Dover phone 896 456 8526".
fn name_before(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand, from: usize) -> usize {
    let slots = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
    let names = slots.flat_map(|slot| board.mentions_of(slot));
    let before = |mention: &&Mention| {
        let idle = |no: usize| reader.is_idle(no);
        from < mention.words.start
            && mention.words.end <= cand.words.start
            && (mention.words.end..cand.words.start).all(idle)
    };
    let named = names.filter(before).map(|mention| mention.words.start).min();
    let what = match board.kind_of(cand) {
        Some(Kind::Phone(_)) => Announced::Phone,
        Some(Kind::Email(_)) => Announced::Email,
        _ => return named.unwrap_or(cand.words.start),
    };
    let announced = (from + 1..cand.words.start).find(|no| {
        let len = reader.announces(what, *no, cand.words.start);
        len > 0 && (no + len..cand.words.start).all(|no| reader.is_idle(no))
    });
    named.into_iter().chain(announced).min().unwrap_or(cand.words.start)
}

/// The end of the meaningful words before a word.
fn back(reader: &Reader<'_>, from: usize, no: usize) -> usize {
    (from..no).rev().find(|no| !reader.is_idle(*no)).map_or(from, |last| last + 1)
}

/// A place with the region or country after its comma: "Sacramento, CA".
pub(super) fn with_region(
    reader: &Reader<'_>,
    words: Range<usize>,
    end: usize,
    capitals: bool,
    taken: impl Fn(usize) -> bool,
) -> Range<usize> {
    let next = reader.clauses.get(reader.clause_of(words.start) + 1).map(|clause| clause.words.clone());
    // "Rom, Abflug am 3." and "Rome, Im a smoker" say what comes next.
    let leads = |next: &Range<usize>| turn_at(reader, next.start, next.end).is_some() || reader.said.is_i(next.start);
    let next = next.filter(|next| words.end == end && reader.said.word(end) == "," && !leads(next));
    let Some(next) = next else { return words };
    let stop = next.clone().find(|no| reader.is_idle(*no) || reader.is_digits(*no) || taken(*no)).unwrap_or(next.end);
    let fits = match stop - next.start {
        1 | 2 if capitals => (next.start..stop).all(|no| reader.is_capital(no)),
        // "Fresno, ca at 8:15".
        1 => next.len() == 1 || reader.said.word(next.start).len() == 2,
        _ => false,
    };
    if fits { words.start..stop } else { words }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const PERMIT: &str = r#"
id = "permit"
title = "Permit"
languages = ["en", "it"]

[[field]]
id = "owner"
kind = "text"
label = { en = "Owner name", it = "Nome del proprietario" }

[[field]]
id = "parcel"
kind = "text"
label = { en = "Parcel number", it = "Numero di particella" }

[[field]]
id = "use"
kind = "choice"
label = { en = "Use of the water", it = "Uso dell'acqua" }
options = [{ id = "dom", label = { en = "Household", it = "Domestico" } }, { id = "irr", label = { en = "Fields", it = "Irriguo" } }]

[[field]]
id = "note"
kind = "text"
label = "Note"

[[field]]
id = "client"
kind = "text"
label = "Client number"

[[field]]
id = "ticket"
kind = "text"
label = "Ticket"
subtype = "code"

[[field]]
id = "purposes"
kind = "choices"
label = "Purposes"
options = [{ id = "p1", label = "Livestock" }, { id = "p2", label = "Domestic" }, { id = "p3", label = "Irrigation" }]
"#;

    #[rstest]
    #[case(
        "",
        "I need to apply for the water permit. My land parcel number is 123-456 and my company is ACME Ltd.",
        "parcel=123-456"
    )]
    #[case("", "my parcel number is 123-456 and the owner is ACME Ltd", "parcel=123-456; owner=ACME Ltd")]
    #[case("", "the parcel number is 7, the note is salt and pepper", "parcel=7; note=salt and pepper")]
    #[case("note", "note hello", "note=hello")]
    #[case("", "my client number is on an invoice somewhere", "")]
    #[case("", "ticket 4410 2297 is the one", "ticket=4410 2297")]
    #[case("", "The owner is John Smith, no wait, Jane Smith", "owner=Jane Smith")]
    #[case("", "owner name: John Smith, sorry, Jane Smith", "owner=Jane Smith")]
    #[case("", "Purposes: livestock, domestic", r#"purposes=["p1","p2"]"#)]
    #[case("", "purposes: P1, P3, parcel number: 7", r#"purposes=["p1","p3"]; parcel=7"#)]
    #[case("", "irrigation & domestic", r#"purposes=["p2","p3"]"#)]
    #[case("purposes", "all of them", r#"purposes=["p1","p2","p3"]"#)]
    #[case("purposes", "all", r#"purposes=["p1","p2","p3"]"#)]
    #[case("purposes", "everything except livestock", r#"purposes=["p2","p3"]"#)]
    #[case("purposes", "the first one", r#"purposes=["p1"]"#)]
    #[case("purposes", "2 and 3", r#"purposes=["p2","p3"]"#)]
    fn a_value_ends_where_something_else_is_told(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(PERMIT, asked).means(said), expected, "{said}");
    }

    #[test]
    fn an_answer_to_another_field_ends_a_text_in_italian_too() {
        let said = "nome del proprietario: Mario Rossi, numero di particella 12, uso domestico";
        let stage = Stage::new(PERMIT, "").speaking("it");
        assert_eq!(stage.fills(said), "owner=Mario Rossi; parcel=12; use=dom");
    }

    #[test]
    fn the_last_pick_of_what_is_needed_is_taken_out() {
        let stage = Stage::new(PERMIT, "note").having(r#"purposes=["p1"]"#);
        assert_eq!(stage.fills("remove livestock"), "clear purposes");
    }
}
