//! Words of options and times that are said in passing and mean something else: "give me a second", "I tried to phone you", "a
//! small problem", "the battery is low", "Midnight Harbor". Which words may be so is told in the language files.

use std::ops::Range;

use super::counted::is_remitted;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, with_context};
use super::{Scene, beyond, by_phone, dishes, either, elsewhere, guard, scales};
use formwright_form::Kind;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Offered, Said, Strength};
use formwright_lexicon as language;
use formwright_lexicon::dates::{Mark, cut};
use formwright_lexicon::number::Role;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of an answer in which a quality is said of whatever: "a green card" where a colour is asked for.
const SHORT: usize = 4;
/// Most words of the thing that a quality is said of.
const SUBJECT: usize = 3;

/// Takes out the values that are said in passing.
pub(super) fn take_out(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>) {
    let mut passing: Vec<bool> = board.cands.iter().map(|cand| is_in_passing(scene, reader, board, cand)).collect();
    passing.iter_mut().zip(guard::give_way(reader, board)).for_each(|(passing, gives_way)| *passing |= gives_way);
    board.put_aside(passing);
}

/// Whether words in which the asked field would find a value are turned round, replaced by later ones, or mean something
/// else.
pub(super) fn is_not_meant(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let asked = |cand: &Cand| board.asked.is_some_and(|asked| board.takers(cand).contains(&asked));
    let turned = |cand: &Cand| cand.negated || cand.old;
    board.cands.iter().any(|cand| cand.words == *words && turned(cand))
        || board.passing.iter().any(|cand| cand.words == *words && asked(cand))
        || denies_option(scene, reader, board, words)
}

/// Whether a no to the asked question stands right before an option of another field, and denies that: "no double bed".
fn denies_option(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let asked = board.asked.and_then(|no| board.slots.get(no));
    let yes_no = asked.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)));
    let no = reader.len(|lang| &lang.yes_no.no, words.start, words.end) == words.len();
    if !yes_no || !no || reader.is_idle(words.end) {
        return false;
    }
    let begins = |name: &str| {
        let name = Said::new(name);
        let same = |no: usize| name.plain(no) == reader.said.plain(words.end + no);
        !name.words.is_empty() && (0..name.words.len()).all(same)
    };
    let choices = board.slots.iter().filter(|slot| matches!(slot.field.kind, Kind::Choice(_) | Kind::Choices(_)));
    choices.into_iter().any(|slot| {
        let named = |option: &Offered| begins(&option.label) || option.synonyms.iter().any(|name| begins(name));
        with_context(scene, &slot.path, slot.field, |cx| cx.options.iter().any(named))
    })
}

/// Whether the words of a value mean something else, or only mention it.
pub(super) fn is_in_passing(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let asked = board.asked.is_some_and(|asked| board.takers(cand).contains(&asked));
    let takers = || board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
    if !board.told.is_empty() && takers().all(|slot| elsewhere::is_told_of(reader, board, slot, &cand.words)) {
        return true;
    }
    match board.kind_of(cand) {
        Some(Kind::Choice(_) | Kind::Choices(_)) => {
            let named = board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|slot| {
                let clause = reader.clause_of(cand.words.start);
                let mut own = board.mentions_of(slot);
                own.any(|mention| reader.clause_of(mention.words.start) == clause && mention.weight >= 0.4)
            });
            is_of_idiom(reader, &cand.words)
                || by_phone::is_means(reader, board, cand)
                || is_done_to(reader, &cand.words)
                || is_seeming(reader, &cand.words)
                || is_compared(reader, &cand.words)
                || is_too_much(reader, &cand.words)
                || scales::is_of_another_step(reader, &cand.words)
                || !named && leads_on(reader, &cand.words, asked)
                || !named
                    && is_quality(reader, &cand.words)
                    && !has_alternative(reader, board, cand)
                    && is_of_another_thing(scene, reader, board, cand, asked)
        }
        Some(Kind::Time(_)) => {
            is_in_name(reader, board, cand)
                || is_of_people(reader, &cand.words)
                || beyond::is_latest(reader, &cand.words)
                || !asked && beyond::is_later(reader, board, cand)
        }
        Some(Kind::Date(_)) if beyond::is_open_bound(reader, &cand.words) => true,
        Some(Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_)) => {
            is_courtesy(reader, &cand.words) || !asked && is_leave(reader, &cand.words)
        }
        Some(Kind::Integer(_) | Kind::Number(_) | Kind::Money(_)) => {
            is_of_idiom(reader, &cand.words)
                || is_courtesy(reader, &cand.words)
                || counts_people(board, cand) && is_of_time(reader, board, &cand.words)
                || beyond::is_of_asked_words(scene, board, cand)
        }
        Some(Kind::Pattern(_)) => is_remitted(reader, &cand.words) && cand.words.clone().all(|no| reader.is_digits(no)),
        Some(Kind::Text(text)) if text.subtype == Some(Subtype::Code) => {
            let named = board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|slot| {
                let clause = reader.clause_of(cand.words.start);
                board.mentions_of(slot).any(|mention| reader.clause_of(mention.words.start) == clause)
            });
            !named && (is_remitted(reader, &cand.words) || !asked && is_number_of_else(reader, cand.words.start))
        }
        _ => false,
    }
}

/// Whether a code that nothing names is of something else: "error E4711", "the A380", "my S21 Ultra", "in 2021".
pub(super) fn is_number_of_else(reader: &Reader<'_>, start: usize) -> bool {
    let Some(before) = start.checked_sub(1).filter(|no| !reader.is_mark(*no)) else { return false };
    let word = |table: fn(&Language) -> &Phrases<()>| reader.len(table, before, start) > 0;
    let serial = word(|lang| &lang.naming.serial);
    // "The HP LaserJet M404n".
    let first = (0..start).rev().find(|no| !reader.is_capital(*no) || reader.is_mark(*no));
    let lead = |table: fn(&Language) -> &Phrases<()>| first.is_some_and(|no| reader.len(table, no, start) > 0);
    let thing = lead(|lang| &lang.sentence.articles) || lead(|lang| &lang.naming.ours);
    let year = reader.is_digits(start)
        && reader.said.word(start).len() == 4
        && reader.said.word(start).starts_with(['1', '2'])
        && reader.at(|lang| &lang.number.before, before, start).is_some_and(|(_, role)| *role == Role::Unsure);
    serial || thing || year
}

/// Whether words lie in a longer phrase that means something else: "give me a second".
fn is_of_idiom(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    // French "c'est" is not in the east.
    reader.len(|lang| &lang.option.remark, words.start, words.end) == words.len()
        || is_within(reader, words, |lang| &lang.option.idiom)
        || is_within(reader, words, |lang| &lang.sentence.evasive)
}

/// Whether words lie in a phrase that greets or thanks: "thanks a million", "happy Monday".
fn is_courtesy(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    is_within(reader, words, |lang| &lang.sentence.courtesy)
}

/// Whether words lie in a longer phrase of a table.
fn is_within(reader: &Reader<'_>, words: &Range<usize>, table: fn(&Language) -> &Phrases<()>) -> bool {
    const LONGEST: usize = 5;
    (words.start.saturating_sub(LONGEST)..=words.start).any(|no| {
        let len = reader.len(table, no, reader.said.words.len());
        no + len >= words.end && len > words.len()
    })
}

/// Whether a day is all that is said in taking leave: "see you tomorrow", "a domani", but "mi fermo fino a domani".
fn is_leave(reader: &Reader<'_>, day: &Range<usize>) -> bool {
    let clause = reader.clause_words(day.start);
    let first = reader.past_filler(clause.start..day.start);
    let leads = |no: usize| {
        let len = reader.len(|lang| &lang.sentence.farewell, no, clause.end);
        len > 0 && no < day.start && (no + len..day.start).all(|no| reader.is_idle(no))
    };
    (leads(clause.start) || leads(first)) && (day.end..clause.end).all(|no| reader.is_idle(no))
}

/// Whether a number counts days, nights, hours: not where the word for them leads to a day, as in Arabic.
fn is_of_time(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let no = words.end;
    let day = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Date(_))) && cand.words.contains(&(no + 1));
    let named = || board.mentions.iter().any(|mention| mention.words.contains(&no));
    !reader.is_mark(no) && reader.is_unit_of_time(no) && !board.cands.iter().any(day) && !named()
}

/// Whether a bare number is one of people, and no time: "7 people".
pub(super) fn is_of_people(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let people = reader.len(|lang| &lang.number.people, words.end, reader.clause_end(words.start)) > 0;
    people && words.clone().all(|no| reader.is_of_number(no))
}

/// Whether all the fields that would take a number count people.
fn counts_people(board: &Board<'_>, cand: &Cand) -> bool {
    board.takers(cand).iter().all(|no| board.slots.get(*no).is_some_and(|slot| slot.people))
}

/// Whether words are what somebody does to the other, or to something: "to phone you", "to book a flight".
fn is_done_to(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let end = reader.clause_end(words.start);
    let object = |table: fn(&Language) -> &Phrases<()>| reader.len(table, words.end, end) > 0;
    let doing = || {
        let before = words.start.checked_sub(1).is_some_and(|no| reader.len(|lang| &lang.option.doing, no, no + 1) > 0);
        let thing = || object(|lang| &lang.sentence.articles) || object(|lang| &lang.naming.ours);
        words.len() == 1 && before && (thing() || object(|lang| &lang.option.acted_on))
    };
    object(|lang| &lang.option.object) || doing()
}

/// Whether words tell how something seems: "that sounds expensive".
fn is_seeming(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    ends_before(reader, |lang| &lang.option.seems, words.start).is_some()
}

/// Whether words are a quality that there is too much of: "too small".
fn is_too_much(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const LONGEST: usize = 3;
    is_quality(reader, words)
        && (words.start.saturating_sub(LONGEST)..words.start).any(|no| {
            let len = reader.len(|lang| &lang.option.excess, no, words.start);
            len > 0 && no + len == words.start
        })
}

/// Whether something is compared with what words name, or they compare themselves: "bigger than small", "less expensive".
pub(super) fn is_compared(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let compares = |no: usize| reader.len(|lang| &lang.option.compared, no, reader.said.words.len());
    let around = |no: usize| compares(no) > 0 && no + compares(no) > words.start;
    (words.start.saturating_sub(2)..=words.start).any(around)
        || ends_before(reader, |lang| &lang.option.compared, words.start).is_some()
}

/// Whether words only remark on something: "that sounds expensive", and where nobody asked "that's expensive".
pub(super) fn is_remark(reader: &Reader<'_>, words: &Range<usize>, asked: bool) -> bool {
    // "As long as it's cheap" wishes for it.
    let enough = |at: usize| ends_before(reader, |lang| &lang.option.provided, at).is_some();
    let remark = ends_before(reader, |lang| &lang.option.remark, words.start).is_some_and(|at| !enough(at));
    is_seeming(reader, words) || !asked && remark && words.end == reader.clause_end(words.start)
}

/// Whether words begin what somebody says in turn: "first I need …", "first, I need …".
fn leads_on(reader: &Reader<'_>, words: &Range<usize>, asked: bool) -> bool {
    let no = reader.clause_of(words.start);
    let Some(clause) = reader.clauses.get(no) else { return false };
    let ordinal = reader.len(|lang| &lang.control.ordinal, words.start, clause.words.end) == words.len();
    let first = (clause.words.start..words.start).all(|no| reader.is_idle(no));
    let speaks = reader.len(|lang| &lang.sentence.speaker, words.end, clause.words.end) > 0;
    let alone = words.end == clause.words.end && words.start == clause.words.start;
    let goes_on = alone && !asked && no == 0 && reader.clauses.len() > 1;
    ordinal && first && (speaks || goes_on)
}

/// Whether words only tell how something is, and are no name of a sort: "small", "low", "green", "second".
fn is_quality(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    words.len() == 1 && reader.len(|lang| &lang.option.quality, words.start, words.end) == 1
}

/// Whether another value of the same field is the other choice: "red or blue".
fn has_alternative(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let same = |other: &&Cand| other.alike == cand.alike && other.words != cand.words;
    let or = |one: &Cand, two: &Cand| {
        let said = |no: usize| reader.len(|lang| &lang.sentence.or, no, two.words.start) > 0;
        either::are_alternatives(reader, one, two, false) && (one.words.end..two.words.start).any(said)
    };
    board.cands.iter().filter(same).any(|other| or(cand, other) || or(other, cand))
}

/// Whether a quality is said of something that is no business of the form: "a small problem", "the battery is low", "that's
/// expensive".
fn is_of_another_thing(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, cand: &Cand, asked: bool) -> bool {
    let words = &cand.words;
    let clause = reader.clause_words(words.start);
    let tells = (0..reader.said.words.len()).filter(|no| !reader.is_mark(*no)).count();
    if asked && tells <= SHORT {
        return false;
    }
    let other = |no: usize| is_other_thing(scene, reader, board, cand, no);
    // "A small problem"; "un problema pequeño" where a quality goes behind its thing.
    let behind = reader.own_lang().sentence.sort.is_empty();
    let before = words.start.checked_sub(1).filter(|no| behind && *no >= clause.start);
    let said_of = words.end < clause.end && other(words.end) || before.is_some_and(other);
    if said_of && !dishes::is_ordered(reader, board, words, clause.end) {
        return true;
    }
    // "That's expensive" where nobody asked.
    if !asked && ends_before(reader, |lang| &lang.option.remark, words.start).is_some() {
        return true;
    }
    let is = ends_before(reader, |lang| &lang.sentence.is, words.start).filter(|is| *is > clause.start);
    is.is_some_and(|is| {
        (is.saturating_sub(SUBJECT).max(clause.start)..is).rev().find(|no| !reader.is_idle(*no)).is_some_and(other)
    })
}

/// Whether a word is a thing that the form does not know.
fn is_other_thing(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, cand: &Cand, no: usize) -> bool {
    let here = no..no + 1;
    let value = || {
        let touches = |other: &&Cand| other.words.contains(&no) && other.words != cand.words;
        board.cands.iter().filter(touches).any(|other| other.strength > Strength::Weak || other.alike == cand.alike)
    };
    let known = || {
        scene.form.cues().knows(stem(reader.said.plain(no)))
            || board.explained.contains(stem(reader.said.plain(no)))
            || board.mentions.iter().any(|mention| mention.words.contains(&no))
    };
    // "A large bunch of tulips", "un mazzo grande di rose", "ein großer Strauß Rosen".
    let of_option = || {
        let next = if no < cand.words.start { cand.words.end } else { no + 1 };
        let next = next + usize::from(reader.is_date_mark(next, |mark| mark == Mark::Of));
        let option = |cand: &&Cand| cand.words.start == next && cand.strength > Strength::Weak;
        board.cands.iter().filter(option).any(|cand| matches!(board.kind_of(cand), Some(Kind::Choice(_))))
    };
    let general = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, no + 2) > 0;
    let of_any = || {
        general(|lang| &lang.everyday.things)
            || general(|lang| &lang.everyday.suited)
            || general(|lang| &lang.naming.venue)
            || general(|lang| &lang.sentence.journey)
            || general(|lang| &lang.option.one)
            || general(|lang| &lang.sentence.courtesy)
            || general(|lang| &lang.frame.tail)
            || general(|lang| &lang.sentence.or)
            || general(|lang| &lang.yes_no.negation)
    };
    !here.is_empty()
        && !reader.is_idle(no)
        && !reader.is_digits(no)
        && !known()
        && !value()
        && !of_any()
        && !of_option()
}

/// Whether a time in words is part of a name: "Midnight Harbor".
fn is_in_name(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let words = &cand.words;
    let clause = reader.clause_words(words.start);
    let proper = |no: usize| {
        let value = board.cands.iter().any(|other| other.words.contains(&no) && other.strength > Strength::Weak);
        clause.contains(&no) && reader.is_capital(no) && !reader.is_idle(no) && !reader.is_digits(no) && !value
    };
    let capitals = words.clone().all(|no| reader.is_capital(no));
    capitals && (proper(words.end) || words.start.checked_sub(1).is_some_and(proper))
}

/// Where a phrase of a table starts that ends right before a word, degrees between them left out: "is very", "are too".
fn ends_before(reader: &Reader<'_>, table: fn(&Language) -> &Phrases<()>, word: usize) -> Option<usize> {
    const LONGEST: usize = 4;
    let start = reader.clause_start(word);
    let mut end = word;
    while let Some(before) =
        end.checked_sub(1).filter(|no| *no >= start && reader.len(|lang| &lang.option.degree, *no, end) == 1)
    {
        end = before;
    }
    (end.saturating_sub(LONGEST).max(start)..end).find(|no| {
        let len = reader.len(table, *no, end);
        len > 0 && no + len == end
    })
}

/// Whether a value is a number, in digits or in words.
pub(super) fn is_numeral(reader: &Reader<'_>, cand: &Cand) -> bool {
    cand.words.clone().all(|no| reader.is_of_number(no))
}

/// Whether a number is one of an option where a field counts people of some sort: "vorrei un controllo" tells of no
/// children.
fn is_of_option(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let option = |other: &&Cand| {
        let choice = matches!(board.kind_of(other), Some(Kind::Choice(_) | Kind::Choices(_)));
        choice && other.words.start == cand.words.end && other.strength > Strength::Weak
    };
    // Adults take "two business class seats".
    let minor = |lang: &Language, word: &str| {
        let grown = lang.naming.adult.word(word).or(lang.naming.grown.word(word)).is_some();
        !grown && (lang.naming.company.word(word).is_some() || lang.naming.minor.word(word).is_some())
    };
    // French "d'enfants".
    let somebody =
        |label: &Said, no: usize| cut(label.plain(no)).any(|word| language::all().any(|lang| minor(lang, word)));
    let counts = |label: &Said| (0..label.words.len()).any(|no| somebody(label, no));
    board.cands.iter().any(|other| option(&other)) && slot.labels.iter().any(counts)
}

/// Whether a number stands right before the name of a field that is picked from a list ("four star"), or before an option.
pub(super) fn is_before_another(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    if is_of_option(board, slot, cand) {
        return true;
    }
    board.mentions.iter().filter(|mention| mention.words.start == cand.words.end && mention.field != slot.field.no).any(
        |mention| {
            let other = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
            let picked = other.is_some_and(|other| matches!(other.field.kind, Kind::Choice(_) | Kind::Rating(_)));
            picked
                && mention.weight >= 0.7
                && board.cands.iter().any(|value| {
                    value.words == cand.words
                        && other.is_some_and(|other| {
                            board
                                .takers(value)
                                .iter()
                                .filter_map(|no| board.slots.get(*no))
                                .any(|taker| taker.is_like(other))
                        })
                })
        },
    )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const ASK: &str = r#"
id = "ask"
title = "Request"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "contact"
kind = "choice"
label = "Contact by"
options = ["Phone", "E-mail"]

[[field]]
id = "class"
kind = "choice"
label = "Class"
options = ["First", "Second"]

[[field]]
id = "priority"
kind = "choice"
label = "Priority"
options = ["Low", "Medium", "High"]

[[field]]
id = "size"
kind = "choice"
label = { en = "Size", it = "Taglia", es = "Tamaño", de = "Größe", fr = "Taille", ar = "الحجم" }
options = [{ id = "small", label = { en = "Small", it = "Piccola", es = "Pequeño", de = "Klein", fr = "Petit", ar = "صغير" } }, { id = "large", label = { en = "Large", it = "Grande", es = "Grande", de = "Groß", fr = "Grand", ar = "كبير" } }]

[[field]]
id = "price"
kind = "choice"
label = "Price range"
options = ["Cheap", "Expensive"]

[[field]]
id = "colour"
kind = "choice"
label = "Colour"
options = ["Green", "Red"]

[[field]]
id = "room"
kind = "choice"
label = { en = "Room", fr = "Chambre", de = "Zimmer", es = "Habitación", it = "Camera" }
options = [{ id = "simple", label = { en = "Single", fr = "Simple" } }, { id = "suite", label = "Suite" }]

[[field]]
id = "opens"
kind = "time"
label = "Opens"

[[field]]
id = "first"
kind = "date"
label = "First day"

[[field]]
id = "last"
kind = "date"
label = "Last day"
"#;

    const CLINIC: &str = r#"
id = "clinic"
title = "Clinic"
languages = ["en", "it", "fr"]

[[field]]
id = "reason"
kind = "choice"
label = { en = "Reason", it = "Motivo", fr = "Motif" }
options = [{ id = "check", label = { en = "Check-up", it = "Controllo", fr = "Contrôle" } }, { id = "vaccine", label = { en = "Vaccine", it = "Vaccino", fr = "Vaccin" } }]

[[field]]
id = "children"
kind = "integer"
label = { en = "Children", it = "Numero di figli", fr = "Nombre d'enfants" }
"#;

    #[rstest]
    #[case("it", "vorrei un controllo", "reason=check; ~=children=1")]
    #[case("fr", "je voudrais un controle", "reason=check; ~=children=1")]
    #[case("it", "ho due figli", "children=2")]
    fn a_number_of_an_option_counts_no_children(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(CLINIC, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("contact", "we need to phone a friend")]
    #[case("contact", "we want to phone it in")]
    #[case("size", "the small one is too small")]
    fn a_verb_and_a_complaint_are_no_options(#[case] asked: &str, #[case] said: &str) {
        assert_eq!(Stage::new(ASK, asked).fills(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "give me a second")]
    #[case("en", "hmm, let me think about that for a second")]
    #[case("en", "one moment please")]
    #[case("it", "un attimo")]
    #[case("it", "dammi un secondo")]
    #[case("es", "déjame pensar un momento")]
    #[case("de", "eine Sekunde")]
    #[case("fr", "une seconde")]
    #[case("ar", "لحظة واحدة")]
    fn a_moment_is_no_amount(#[case] lang: &'static str, #[case] said: &str) {
        let gift = "id = \"gift\"\ntitle = \"Gift\"\nlanguages = [\"en\", \"it\", \"es\", \"de\", \"fr\", \"ar\"]\n\n\
            [[field]]\nid = \"amount\"\nkind = \"money\"\ncurrency = \"EUR\"\nlabel = \"Amount\"\n";
        assert_eq!(Stage::new(gift, "amount").speaking(lang).fills(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "", "I tried to phone you")]
    #[case("en", "", "give me a second")]
    #[case("en", "class", "give me a second")]
    #[case("en", "", "first I need to know more")]
    #[case("en", "", "first, I need to know more")]
    #[case("en", "", "first of all, thanks")]
    #[case("en", "", "the battery is low")]
    #[case("en", "", "my hopes are high")]
    #[case("en", "", "I have high hopes")]
    #[case("en", "", "there is a small problem with my order")]
    #[case("en", "size", "there is a small problem with my order")]
    #[case("en", "", "that sounds expensive")]
    #[case("en", "price", "that sounds expensive")]
    #[case("en", "", "that's too expensive")]
    #[case("en", "", "I have a green card")]
    #[case("en", "", "Midnight Harbor")]
    #[case("it", "", "ho un piccolo problema")]
    #[case("es", "", "tengo un problema pequeño")]
    #[case("de", "", "ich habe ein kleines Problem")]
    #[case("de", "", "das Problem ist klein")]
    #[case("fr", "", "j'arrive tout de suite")]
    #[case("fr", "room", "tout de suite")]
    #[case("fr", "", "c'est simple")]
    #[case("fr", "", "j'ai un petit problème")]
    #[case("ar", "", "عندي مشكلة كبيرة")]
    #[case("en", "", "see you tomorrow")]
    #[case("en", "size", "see you on Friday!")]
    #[case("en", "", "good morning")]
    #[case("it", "", "a domani")]
    #[case("es", "", "hasta mañana")]
    #[case("es", "", "buenos días")]
    #[case("de", "", "Guten Morgen")]
    #[case("de", "first", "Guten Morgen")]
    #[case("de", "", "bis morgen")]
    #[case("fr", "", "à demain")]
    #[case("ar", "", "أراك غدا")]
    fn words_in_passing_are_no_values(#[case] lang: &'static str, #[case] asked: &str, #[case] said: &str) {
        let line = Stage::new(ASK, asked).speaking(lang).line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "", "please phone me", "contact=phone")]
    #[case("en", "", "second class please", "class=second")]
    #[case("en", "class", "second", "class=second")]
    #[case("en", "", "low priority", "priority=low")]
    #[case("en", "", "the priority is low", "priority=low")]
    #[case("en", "priority", "it is low", "priority=low")]
    #[case("en", "", "a small one please", "size=small")]
    #[case("en", "colour", "a green card", "colour=green")]
    #[case("en", "", "it opens at midnight", "opens=00:00")]
    #[case("fr", "", "une suite pour demain", "room=suite; first=2026-11-22")]
    #[case("fr", "room", "simple", "room=simple")]
    #[case("de", "size", "klein", "size=small")]
    #[case("de", "size", "klein, bis morgen!", "size=small")]
    #[case("en", "last", "see you tomorrow", "last=2026-11-22")]
    #[case("de", "last", "bis morgen", "last=2026-11-22")]
    #[case("es", "", "me quedo hasta mañana", "last=2026-11-22")]
    #[case("it", "", "mi fermo fino a domani", "last=2026-11-22")]
    #[case("en", "", "a large one for tomorrow as first day, see you on Friday", "size=large; first=2026-11-22")]
    fn the_same_words_are_values_where_they_are_meant(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(ASK, asked).speaking(lang).fills(said), expected, "{said}");
    }
}
