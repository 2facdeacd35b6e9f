//! An answer to a question for a name that stands in front of more: "Anna Berg. See you on Monday!", "Blue Bell Events, and
//! we'll pay by card".

use std::ops::{Range, RangeInclusive};

use super::ledger::Ledger;
use super::prepare::corrects;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, read};
use super::{Scene, realms, strung};
use formwright_form::Kind;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Reading, Strength};
use formwright_lexicon::given::is_given;
use formwright_lexicon::{Language, Phrases};

/// Most words of a name.
const MOST: usize = 5;

/// Fills the asked text with the name that the first part of a message is.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let Some(slot) = board.slots.get(no).filter(|slot| !slot.is_item()) else { return };
    let name = name(reader, &slot.field.kind).or_else(|| before_code(scene, reader, board, ledger, slot));
    let Some(name) = name.filter(|name| ledger.is_free(name.clone())) else { return };
    // A value of another field is no name: "Next Friday".
    let other = |cand: &Cand| {
        let own = board.takers(cand).iter().any(|no| board.slots.get(*no).is_some_and(|taker| taker.path == slot.path));
        !own && cand.strength > Strength::Weak && name.contains(&cand.words.start)
    };
    if !board.cands.iter().any(other)
        && let Reading::Value(found) = read(scene, reader, slot, name.clone())
        && reader.words_of(&found.span) == name
    {
        ledger.fill_named(reader, no, found);
    }
}

/// The name in front of a code that another field takes: "Ida Lund 4417", "Topeka 66603".
fn before_code(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    slot: &Slot<'_>,
) -> Option<Range<usize>> {
    const DIGITS: RangeInclusive<usize> = 4..=6;
    let place = match slot.subtype()? {
        Subtype::Person => false,
        Subtype::Place => true,
        Subtype::Address | Subtype::Code => return None,
    };
    let count = reader.said.words.len();
    let at = count.checked_sub(1).filter(|no| reader.is_digits(*no) && !reader.said.is_glued(*no))?;
    let taken = |(no, other): (usize, &Slot<'_>)| {
        let open = other.value.is_none() && !ledger.has(no);
        open && other.is_code() && (!place || strung::is_postal(other))
    };
    let start = reader.past_filler(0..at);
    let end = (start..at).rev().find(|no| !reader.is_mark(*no))? + 1;
    let words = start..end;
    let known = |no: usize| !reader.is_mark(no) && !reader.is_capital(no) && !reader.is_strange(no);
    // "Room 4417", "born in 1984".
    let unknown = words.clone().any(|no| reader.is_unknown(no) || is_given(reader.said.plain(no)));
    let year = reader.said.word(at).len() == 4 && matches!(reader.said.word(at).get(..2), Some("19" | "20"));
    let likely = words.len() <= MOST
        && unknown
        && !year
        && !words.clone().any(|no| reader.is_digits(no) || known(no))
        && strung::is_likely(scene, reader, board, slot, &(start..start + 1));
    let fits = DIGITS.contains(&reader.said.word(at).len()) && likely;
    (fits && board.slots.iter().enumerate().filter(|slot| taken(*slot)).count() == 1).then_some(words)
}

/// The name in front of more, where a kind asks for one.
pub(super) fn name(reader: &Reader<'_>, kind: &Kind) -> Option<Range<usize>> {
    let Kind::Text(text) = kind else { return None };
    let person = text.subtype == Some(Subtype::Person);
    // "OK, …"
    let at = reader.clauses.iter().position(|clause| reader.past_filler(clause.words.clone()) < clause.words.end)?;
    let first = reader.clauses.get(at)?;
    let Range { mut start, mut end } = first.words.clone();
    // "Peter Novak and my wife Eva" is Peter Novak.
    let company = |no: &usize| {
        let join = reader.len(|lang| &lang.sentence.join, *no, end);
        join > 0 && reader.len(|lang| &lang.naming.ours, no + join, end) > 0
    };
    let second = match (start..end).find(company).filter(|_| person) {
        Some(at) => at..std::mem::replace(&mut end, at),
        None => reader.clauses.get(at + 1)?.words.clone(),
    };
    // "Blue Bell Hotel in Oslo. I'd like …."
    if text.subtype.is_none() {
        let sort = |no: usize| {
            let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, no + 1);
            len(|lang| &lang.naming.building) + len(|lang| &lang.naming.public) > 0
        };
        let lies = |no: &usize| sort(no - 1) && realms::lies_in(reader, &(start..*no));
        if let Some(at) = (start + 2..end).find(lies).filter(|at| is_proper(reader, &(start..*at))) {
            return Some(start..at);
        }
    }
    if person {
        // "Dr Ida Lund" is called Ida Lund.
        start += reader.len(|lang| &lang.naming.address, start, end);
    }
    // "First name Ida, last name Lund" is one name.
    let half = reader.len(|lang| &lang.name.first, start, end).max(reader.len(|lang| &lang.name.last, start, end));
    if person && half > 0 {
        return None;
    }
    let name = start..end;
    // "Bluebell Events, Leeds" may be one name; "Bluebell Events, and we …" goes on.
    let goes_on = || reader.len(|lang| &lang.sentence.join, second.start, second.end) > 0;
    let apart = person || text.subtype.is_none() && (first.stop || goes_on());
    // "Anna Berg, Tom Berg" are two.
    let small = person && goes_on() && is_small_name(reader, &name);
    let only = small || is_proper(reader, &name) && !is_proper(reader, &second);
    (apart && !first.question && only && !corrects(reader, end..reader.said.words.len())).then_some(name)
}

/// Whether a word or two are a name in small letters: none is one of the language.
fn is_small_name(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    (1..=2).contains(&words.len()) && words.clone().all(|no| reader.is_strange(no) || is_given(reader.said.plain(no)))
}

/// Whether words are a name by their capitals: two of them or more, and small words of names.
fn is_proper(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let particle = |no: usize| {
        let from = |start: usize| start + reader.len(|lang| &lang.name.particles, start, words.end);
        (words.start..=no).any(|start| from(start) > no)
    };
    let capital = |no: usize| reader.is_capital(no) && !reader.is_idle(no);
    let proper = |no: usize| capital(no) || particle(no) || reader.said.word(no) == "&";
    (2..=MOST).contains(&words.len())
        && words.clone().all(proper)
        && words.clone().filter(|no| capital(*no)).count() > 1
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const CLAIM: &str = r#"
id = "claim"
title = "Claim"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = "Claimant"

[[field]]
id = "firm"
kind = "text"
label = "Company"

[[field]]
id = "pay"
kind = "choice"
label = "Payment"
options = ["Card", "Cash"]

[[field]]
id = "kids"
kind = "integer"
label = "Children"
"#;

    #[rstest]
    #[case("name", "Anna Berg. See you soon!", "name=Anna Berg")]
    #[case("name", "Anna Berg. Thanks for your help!", "name=Anna Berg")]
    #[case("name", "Beatrix van der Meulen, it was the storm", "name=Beatrix van der Meulen")]
    #[case("name", "Anna Berg. I've got three children", "name=Anna Berg; kids=3")]
    #[case("name", "Peter Novak and my wife Eva", "name=Peter Novak")]
    #[case("name", "aino, and we have 3 children", "name=aino; kids=3")]
    #[case("name", "Anna Berg, sorry, Anna Borg", "name=Anna Borg")]
    #[case("firm", "Bluebell Events, and we'll pay by card", "firm=Bluebell Events; pay=card")]
    #[case("firm", "Bluebell Events. We pay by card", "firm=Bluebell Events; pay=card")]
    #[case("firm", "Bluebell Events, Leeds", "firm=Bluebell Events, Leeds")]
    fn a_name_in_front_of_more_is_the_answer(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(CLAIM, asked).fills(said), expected, "{said}");
    }
}
