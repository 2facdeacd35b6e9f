//! What code itself takes for an answer though the words around it say that it is none: denied, of another time, half of
//! an alternative, somebody else's. A model's proposals pass the same guards in [`super::believe`].

use std::ops::Range;

use super::casts::is_called;
use super::ledger::{Filled, Ledger};
use super::pieces::Piece;
use super::quotes::{denied_from, is_beside};
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot};
use super::steer::list_of;
use super::{Scene, elsewhere, hedged, kin, near, passing, sentence, taken_back, worth};
use crate::command::Command;
use crate::so_far::Pending;
use crate::so_far::UNASKED_CHANGE;
use formwright_form::kind::overlap;
use formwright_form::kind::text::Subtype;
use formwright_form::{Field, Kind, Value};
use formwright_lexicon::{Language, Phrases};

/// Most words of a clause that takes a counted thing out: "please remove the 2 people".
const MOST_TAKEN_OUT: usize = 6;

/// Takes values that are denied out of what was understood; their words are left over. The others are put in the order in
/// which they were said.
pub(super) fn drop_denied(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let denied = |filled: &Filled, ledger: &Ledger| {
        let slot = board.slots.get(filled.slot).filter(|slot| is_guarded(slot) && !filled.replaces);
        slot.is_some_and(|slot| {
            says_more(reader, ledger, filled)
                && (denied_from(reader, &filled.raw, past_plain_no(reader, &filled.words))
                    || matches!(slot.field.kind, Kind::Choice(_)) && is_of_denied_noun(reader, &filled.words))
        })
    };
    let out = ledger.fills.iter().filter(|filled| is_taken_out(reader, board, ledger, filled));
    let takes_back = |filled: &&Filled| {
        let no = board.asked == Some(filled.slot) && filled.value == Value::Bool(false);
        no && taken_back::is_by(reader, board, ledger, &filled.words)
    };
    let out = out.chain(ledger.fills.iter().filter(takes_back));
    let out: Vec<Range<usize>> = out.map(|filled| filled.words.clone()).collect();
    let elsewhere = |filled: &Filled| {
        board.slots.get(filled.slot).is_some_and(|slot| {
            elsewhere::is_of_something_else(reader, board, slot, filled)
                || elsewhere::is_gone(reader, slot, &filled.words)
                || elsewhere::is_out_of_use(reader, slot, filled)
                || !slot.takes_any_words() && elsewhere::is_unsuitable(reader, &filled.words)
        })
    };
    let one_of_two = |filled: &Filled| {
        near::day(&filled.value).is_some_and(|day| {
            near::is_one_of_two(reader, &filled.words) || near::ends_another_month(reader, &filled.words, day)
        })
    };
    let broken = sentence::broken(reader, board, ledger);
    for filled in std::mem::take(&mut ledger.fills) {
        let away = denied(&filled, ledger)
            || elsewhere(&filled)
            || one_of_two(&filled)
            || broken.as_ref() == Some(&filled.words);
        if !away && !out.contains(&filled.words) {
            ledger.fills.push(filled);
        } else if let Some(claimed) = ledger.claimed.get_mut(filled.words.clone()) {
            claimed.fill(false);
        }
    }
    ledger.fills.sort_by_key(|filled| filled.raw.start);
}

/// Whether a value stands where something is to be taken out, and nothing else is said: "remove the second bus" adds none,
/// "remove person 2" counts two of nothing. Words that were asked for may begin so.
fn is_taken_out(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, filled: &Filled) -> bool {
    let words = reader.clause_words(filled.words.start);
    let takes_words = |slot: &Slot<'_>| slot.asked && slot.takes_any_words();
    let Some(slot) = board.slots.get(filled.slot).filter(|slot| !filled.replaces && !takes_words(slot)) else {
        return false;
    };
    let counts = matches!(slot.field.kind, Kind::Integer(_) | Kind::Number(_)) && words.len() <= MOST_TAKEN_OUT;
    let alone = ledger.fills.iter().all(|other| other.slot == filled.slot || !words.contains(&other.words.start));
    let listed = slot.is_of_item();
    (listed || counts && alone) && reader.begins(|lang| &lang.control.clear, words.start..filled.words.start)
}

/// Whether an option is denied by the words before it ("nothing red please"), or a value by those behind it ("900 is too
/// much"), or depends on something ("ok only if it's free"), or a time is a number of people.
pub(super) fn denies_option(reader: &Reader<'_>, field: &Field, span: &Range<usize>) -> bool {
    let words = reader.words_of(span);
    if matches!(field.kind, Kind::Time(_)) && passing::is_of_people(reader, &words) {
        return true;
    }
    let denied = || denied_from(reader, span, past_plain_no(reader, &words)) || is_of_denied_noun(reader, &words);
    elsewhere::is_unsuitable(reader, &words)
        || matches!(field.kind, Kind::YesNo(_) | Kind::Choice(_)) && hedged::is_conditional(reader, &words)
        || matches!(field.kind, Kind::Choice(_)) && denied()
}

/// Whether the words around a value say that a command fills it with what is no answer yet: the person is asked
/// whether it is meant.
pub(super) fn is_doubtful(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    command: &Command,
) -> bool {
    let Command::Fill { path, .. } = command else { return false };
    if worth::is_anothers(scene, reader, board, ledger, command) {
        return true;
    }
    if board.anything {
        return false;
    }
    let elsewhere = |filled: &Filled, slot: &Slot<'_>| {
        is_of_other_party(reader, slot, &filled.words) || is_another_code(reader, slot, &filled.words)
    };
    if ledger.fills_of(board, path).any(|(filled, slot)| elsewhere(filled, slot)) {
        return true;
    }
    let named = |filled: &Filled, slot: &Slot<'_>| {
        let words = reader.clause_words(filled.words.start);
        // "My sister had the large van": the option's own words name no field.
        let own = |mention: &Range<usize>| matches!(filled.value, Value::Option(_)) && overlap(mention, &filled.words);
        board.mentions_of(slot).any(|mention| words.contains(&mention.words.start) && !own(&mention.words))
    };
    let of_another = |filled: &Filled, slot: &Slot<'_>| {
        let words = reader.clause_words(filled.words.start);
        let begins = reader.begins(|lang| &lang.denial.another, words.start..filled.words.start)
            || is_of_anothers_own(reader, words.start..filled.words.start, !slot.asked && is_number(&slot.field.kind));
        begins && !named(filled, slot) && !slot.takes_any_words() && !slot.is_item()
    };
    if ledger.fills_of(board, path).any(|(filled, slot)| of_another(filled, slot)) {
        return true;
    }
    let of_others = |filled: &Filled, slot: &Slot<'_>| {
        let yes_no = matches!(slot.field.kind, Kind::YesNo(_));
        let named_one = || yes_no && is_of_somebody_named(reader, board, &filled.words);
        let others = || (yes_no || !named(filled, slot)) && is_of_others(reader, &filled.words) || named_one();
        let part =
            yes_no && (hedged::is_of_some(reader, &filled.words) || hedged::is_for_a_time(reader, &filled.words));
        let strangers = || yes_no && !is_of_household(reader, &filled.words) && is_of_strangers(reader, &filled.words);
        if part {
            return true;
        }
        let others = || others() && !kin::is_meant(reader, slot, &filled.words);
        !slot.is_item() && if slot.asked { strangers() } else { is_of_past(reader, &filled.words) || others() }
    };
    // "Yes if it costs nothing", "business unless it is full".
    let depends = |filled: &Filled, slot: &Slot<'_>| {
        slot.asked
            && matches!(slot.field.kind, Kind::YesNo(_) | Kind::Choice(_))
            && (hedged::is_conditional(reader, &filled.words)
                || filled.value == Value::Bool(true) && hedged::is_hedged(reader, &filled.words))
    };
    // "No towels please" where breakfast is asked for.
    let of_another_thing = |filled: &Filled, slot: &Slot<'_>| {
        slot.asked && filled.value == Value::Bool(false) && !named(filled, slot) && is_no_thing(reader, &filled.words)
    };
    if ledger.fills_of(board, path).any(|(filled, slot)| depends(filled, slot) || of_another_thing(filled, slot)) {
        return true;
    }
    // "My wife is Indian" where a cuisine is asked for.
    let of_theirs = |filled: &Filled, slot: &Slot<'_>| {
        slot.asked && matches!(slot.field.kind, Kind::Choice(_)) && is_of_others(reader, &filled.words)
    };
    if ledger.fills_of(board, path).any(|(filled, slot)| of_others(filled, slot) || of_theirs(filled, slot)) {
        return true;
    }
    ledger.fills_of(board, path).filter(|(_, slot)| slot.asked && is_guarded(slot)).any(|(filled, slot)| {
        let reaches = matches!(slot.field.kind, Kind::Email(_) | Kind::Phone(_) | Kind::Address(_));
        let anothers = reaches && list_of(scene, &slot.path).is_none();
        // "Turned 27 last week."
        let age = is_number(&slot.field.kind) && elsewhere::is_own_age(reader, board, slot, &filled.words);
        !age && says_more(reader, ledger, filled) && is_beside(reader, &filled.raw, anothers)
    })
}

/// Whether the part of the sentence that a value is in begins with somebody else: "my wife starts on 7 December", "he is
/// 44". "With my wife", "my wife and I" and "my wife needs" tell of what the person wants too.
pub(super) fn is_of_others(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let words = reader.clause_words(value.start);
    let others = somebody(reader, words.start..value.end).filter(|others| others.start < value.start);
    let Some(others) = others else { return false };
    let shared = |no: usize| reader.len(|lang| &lang.denial.shared, no, words.end) > 0;
    // "My sister marries in Oslo so I fly there."
    let mine = words.clone().any(|no| reader.len(|lang| &lang.denial.mine, no, words.end) > 0);
    !mine && !(others.start..value.end).any(shared)
}

/// Whether the part of the sentence that a value is in begins with somebody else, and tells not of the person too: "my brother
/// needs a router", but not "my brother and I need one".
fn is_of_strangers(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let words = reader.clause_words(value.start);
    let too = |no: usize| {
        let joins = reader.len(|lang| &lang.sentence.join, no, words.end) > 0;
        (joins || reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0)
            && reader.len(|lang| &lang.denial.shared, no, words.end) > 0
    };
    let others = somebody(reader, words.start..value.end).filter(|others| others.start < value.start);
    others.is_some_and(|others| others.end < words.end && !words.clone().any(too))
}

/// Whether the sentence that a value is in names the other one of two before it, and nothing of the speaker's behind that: "the
/// other driver was Bob, plate KX19 ZTR". A field may be for that.
fn is_of_other_party(reader: &Reader<'_>, slot: &Slot<'_>, value: &Range<usize>) -> bool {
    let sentence = reader.clauses.iter().take(reader.clause_of(value.start)).rposition(|clause| clause.stop);
    let start = sentence.and_then(|no| reader.clauses.get(no + 1)).map_or(0, |clause| clause.words.start);
    let words = start..value.start;
    let party = |no: usize| reader.len(|lang| &lang.denial.other_party, no, words.end);
    let Some(at) = words.clone().rev().find(|no| party(*no) > 0) else { return false };
    let own = (at..words.end).any(|no| reader.len(|lang| &lang.naming.ours, no, words.end) > 0);
    !own && !is_called(reader, slot, |lang| &lang.denial.other)
}

/// Whether the words before a code say what it is, and it is nothing that the field asks for: "the gate code is 4471".
fn is_another_code(reader: &Reader<'_>, slot: &Slot<'_>, value: &Range<usize>) -> bool {
    const REACH: usize = 5;
    if slot.subtype() != Some(Subtype::Code) {
        return false;
    }
    let start = reader.clause_words(value.start).start.max(value.start.saturating_sub(REACH));
    let named = |no: usize| reader.len(|lang| &lang.naming.other_code, no, value.start) > 0;
    let of_field = |no: usize| {
        slot.labels.iter().any(|label| (0..label.words.len()).any(|at| label.plain(at) == reader.said.plain(no)))
    };
    (start..value.start).any(|no| named(no) && !of_field(no))
}

/// Somebody else with whom words begin: "my boss", "our neighbour".
pub(super) fn somebody(reader: &Reader<'_>, words: Range<usize>) -> Option<Range<usize>> {
    let len = |no: usize| {
        let ours = reader.len(|lang| &lang.naming.ours, no, words.end);
        let relation = if ours > 0 { relation(reader, no + ours, words.end) } else { 0 };
        reader.len(|lang| &lang.denial.others, no, words.end).max(if relation > 0 { ours + relation } else { 0 })
    };
    let starts = [words.start, reader.past_filler(words.clone())];
    starts.into_iter().find_map(|no| Some(no..no + len(no)).filter(|found| !found.is_empty()))
}

/// Whether a part of a sentence begins with a name that the form does not know, and says what that one has: "Bob has a dog".
fn is_of_somebody_named(reader: &Reader<'_>, board: &Board<'_>, value: &Range<usize>) -> bool {
    let words = reader.clause_words(value.start);
    let known = |no: usize| {
        let mention = |words: &Range<usize>| words.contains(&no);
        board.mentions.iter().any(|found| mention(&found.words)) || board.cands.iter().any(|cand| mention(&cand.words))
    };
    let name = |no: &usize| reader.is_capital(*no) && !reader.is_idle(*no) && !known(*no);
    let end = words.start + words.clone().take_while(name).count();
    end > words.start && end <= value.start && reader.len(|lang| &lang.denial.has, end, value.end) > 0
}

/// Words for somebody whom one knows, or for what is theirs: "boss", "neighbour's"; 0 where there are none.
fn relation(reader: &Reader<'_>, no: usize, end: usize) -> usize {
    let whole = reader.len(|lang| &lang.naming.relation, no, end);
    if whole > 0 || no >= end { whole } else { usize::from(is_possessive(reader, no)) }
}

/// Whether a word says that something is of somebody whom one knows: "wife's", written "wifes" as well.
fn is_possessive(reader: &Reader<'_>, no: usize) -> bool {
    let word = reader.said.plain(no);
    let bare = word.strip_suffix('s').map(|word| word.trim_end_matches('\''));
    bare.zip(reader.langs().last()).is_some_and(|(word, english)| english.naming.relation.word(word).is_some())
}

/// Whether a part of a sentence tells of what is another's: "my wife's is 3 May", and of a number in passing "his boiler
/// was 20".
fn is_of_anothers_own(reader: &Reader<'_>, words: Range<usize>, in_passing: bool) -> bool {
    const REACH: usize = 3;
    let start = reader.past_filler(words.clone());
    let theirs = reader.len(|lang| &lang.naming.theirs, start, words.end);
    if in_passing && theirs > 0 && (start + theirs..words.end).take(REACH).any(|no| reader.is_copula(no, words.end)) {
        return true;
    }
    let ours = reader.len(|lang| &lang.naming.ours, start, words.end);
    let no = start + ours;
    ours > 0 && no < words.end && is_possessive(reader, no) && reader.is_copula(no + 1, words.end)
}

/// Whether the somebody else with whom the part of the sentence begins that a value is in has things in common with the
/// person: "my wife has a dog".
fn is_of_household(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let others = somebody(reader, reader.clause_words(value.start).start..value.end);
    others.is_some_and(|others| others.clone().any(|no| reader.len(|lang| &lang.denial.household, no, others.end) > 0))
}

/// Of values that are alike, those that are of somebody else or of another time where another one is the person's own:
/// the first of "my friends come on the 3rd, we come on the 4th".
pub(super) fn give_way(reader: &Reader<'_>, board: &Board<'_>) -> Vec<bool> {
    let count = reader.said.words.len();
    let others = reader.clauses.iter().any(|clause| somebody(reader, clause.words.clone()).is_some());
    let past = || (0..count).any(|no| reader.len(|lang| &lang.denial.past, no, count) > 0);
    if board.cands.len() < 2 || !others && !past() {
        return Vec::new();
    }
    let foreign = |cand: &Cand| {
        let several = matches!(board.kind_of(cand), None | Some(Kind::YesNo(_) | Kind::Choices(_)));
        !several && (is_of_others(reader, &cand.words) || is_of_past(reader, &cand.words))
    };
    let foreign: Vec<bool> = board.cands.iter().map(foreign).collect();
    let own = |cand: &Cand| {
        let like = |(no, other): (usize, &Cand)| {
            let meant = foreign.get(no) == Some(&false) && other.strength >= cand.strength;
            meant && other.alike == cand.alike && !overlap(&other.words, &cand.words)
        };
        board.cands.iter().enumerate().any(like)
    };
    board.cands.iter().zip(&foreign).map(|(cand, foreign)| *foreign && own(cand)).collect()
}

/// Whether the part of the sentence that a value is in is of another time: "last year we were 12", "my old address was".
fn is_of_past(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let words = reader.clause_words(value.start);
    // "From last year" is a year.
    let year = |no: usize| {
        let from = no.saturating_sub(2);
        (from..=no).any(|at| at + reader.len(|lang| &lang.naming.year, at, words.end) > no)
    };
    // "It was 300 last year but now 400."
    let but = |no: usize| {
        no < value.start && (no..value.start).any(|no| reader.len(|lang| &lang.denial.now, no, value.start) > 0)
    };
    let past = |no: usize| reader.len(|lang| &lang.denial.past, no, words.end) > 0 && !year(no) && !but(no);
    words.clone().filter(|no| !value.contains(no)).any(past)
}

/// Whether what stands around a field's values may deny them: not of yes and no, of several that are picked, and of words.
fn is_guarded(slot: &Slot<'_>) -> bool {
    let own = matches!(
        slot.field.kind,
        Kind::YesNo(_) | Kind::Choices(_) | Kind::DateRange(_) | Kind::File(_) | Kind::Location(_) | Kind::Person(_)
    );
    !own && (!slot.is_free() || slot.subtype() == Some(Subtype::Person)) && !slot.is_item()
}

/// Whether its part of the sentence says more than a value: "5 please", "no, 5" and "not 3 but 4" are plain answers.
fn says_more(reader: &Reader<'_>, ledger: &Ledger, filled: &Filled) -> bool {
    let open = |no: &usize| !ledger.closed.get(*no).copied().unwrap_or(true);
    let end = reader.said.words.len();
    let denies = |table: fn(&Language) -> &Phrases<()>, no| reader.len(table, no, end) > 0;
    let tells = |no: &usize| {
        !reader.is_idle(*no) || denies(|lang| &lang.denial.before, *no) || denies(|lang| &lang.denial.told, *no)
    };
    reader.clause_words(filled.words.start).filter(|no| !filled.words.contains(no) && open(no)).any(|no| tells(&no))
}

/// Where a part of a sentence goes on after a "no" that is an answer by itself: "no we are five people".
pub(super) fn past_plain_no(reader: &Reader<'_>, value: &Range<usize>) -> usize {
    let words = reader.clause_words(value.start);
    let end = value.start;
    let start = reader.past_filler(words.start..end);
    let len = reader.len(|lang| &lang.yes_no.firm, start, end);
    // "No y dos noches" denies no nights.
    let joins = reader.len(|lang| &lang.sentence.join, start + len, end) > 0;
    let verbal = start + len < end && !joins && reader.len(|lang| &lang.denial.verbal, start, end) > 0;
    if verbal { words.start } else { start + len }
}

/// Whether a plain "no" is said of some thing right behind it, and nothing else is: "no towels please".
fn is_no_thing(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let end = reader.clause_end(value.start);
    let behind = (value.end..end).find(|no| !reader.is_unknown(*no)).unwrap_or(end);
    let denies = reader.len(|lang| &lang.denial.before, value.start, end) == value.len();
    denies && behind > value.end && reader.past_filler(behind..end) == end
}

/// Whether a plain "no" denies a noun that a value tells more of: Italian "no olio piccante", "no hot oil". A verb, an
/// article or somebody behind it begin what is meant: "no we take the hot one".
pub(super) fn is_of_denied_noun(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    const LONGEST: usize = 3;
    let words = reader.clause_words(value.start);
    let noun = |no: usize| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, value.start);
        let tells = !reader.is_idle(no) && !reader.is_of_number(no);
        tells && len(|lang| &lang.sentence.verb).max(len(|lang| &lang.sentence.speaker)) == 0
    };
    (value.start.saturating_sub(LONGEST).max(words.start)..value.start).any(|no| {
        let len = reader.len(|lang| &lang.yes_no.firm, no, value.start);
        let denies = len > 0 && len == reader.len(|lang| &lang.denial.before, no, value.start);
        denies && no + len < value.start && (no + len..value.start).all(noun)
    })
}

/// Whether a sentence neither answers whether an answer that nobody asked for is to be changed, nor is said of it.
pub(super) fn is_beside_the_question(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    pieces: &[Piece],
) -> bool {
    const SENTENCE: usize = 4;
    let asks = matches!(scene.draft.pending, Pending::Sure { question, .. } if question == UNASKED_CHANGE);
    let slot = board.asked.and_then(|no| board.slots.get(no)).filter(|slot| asks && slot.takes_any_words());
    let words = (0..reader.said.words.len()).filter(|no| !reader.is_mark(*no)).count();
    slot.is_some_and(|slot| {
        words >= SENTENCE && pieces.iter().all(Piece::is_content) && board.mentions_of(slot).next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::Command;
    use crate::so_far::Pending;
    use crate::so_far::UNASKED_CHANGE;
    use crate::testing::Stage;
    use formwright_form::Value;

    const HALL: &str = r#"
id = "hall"
title = "Hall"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "mail"
kind = "email"
label = "Mail"

[[field]]
id = "people"
kind = "integer"
label = "People"
min = 1
max = 90

[[field]]
id = "room"
kind = "choice"
label = "Room"
options = [{ id = "red", label = "Red" }, { id = "blue", label = "Blue" }]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "damage"
kind = "text"
label = "Damage"
"#;

    const CRASH: &str = r#"
id = "crash"
title = "Crash"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "plate"
kind = "text"
label = { en = "Your plate", it = "Targa", es = "Matrícula", de = "Kennzeichen", fr = "Plaque" }
subtype = "code"
"#;

    #[rstest]
    #[case("en", "the other driver's plate was KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("en", "the other driver was rude, plate KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("en", "the plate of the other car is KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("en", "the other driver hit me, my plate is KX19 ZTR", "plate=KX19 ZTR")]
    #[case("en", "the gate code is 4471", "~=plate=4471")]
    #[case("it", "la targa dell'altro conducente è KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("es", "la matrícula del otro coche es KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("de", "das Kennzeichen des anderen Fahrers ist KX19 ZTR", "~=plate=KX19 ZTR")]
    #[case("fr", "la plaque de l'autre conducteur est KX19 ZTR", "~=plate=KX19 ZTR")]
    fn what_is_the_other_drivers_is_not_ones_own(#[case] lang: &'static str, #[case] said: &str, #[case] fills: &str) {
        assert_eq!(Stage::new(CRASH, "").speaking(lang).fills(said), fills, "{said}");
        let theirs = CRASH.replace("Your plate", "Other driver's plate");
        assert_eq!(Stage::new(&theirs, "").fills("the other driver's plate is KX19 ZTR"), "plate=KX19 ZTR");
    }

    #[rstest]
    #[case("mail", "ann@x.org", "mail=ann@x.org")]
    #[case("mail", "please write to ann@x.org", "mail=ann@x.org; ~write")]
    #[case("people", "no, 5", "people=5")]
    #[case("people", "5 please", "people=5")]
    #[case("people", "not 3 but 4", "people=4")]
    #[case("people", "no we are 5 people", "people=5")]
    #[case("people", "I am not sure, maybe 5", "people=5")]
    #[case("room", "not red but blue", "room=blue")]
    fn plain_answers_are_taken(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(HALL, asked).line(said);
        assert!(line.starts_with(expected.split("; ~").next().unwrap()), "{line}");
    }

    #[rstest]
    #[case("en", "Friday no, Saturday", "day=2026-11-28")]
    #[case("en", "Friday doesn't work for us, Saturday would be better", "day=2026-11-28")]
    #[case("it", "venerdì no, sabato", "day=2026-11-28")]
    #[case("it", "venerdì non posso, sabato", "day=2026-11-28")]
    #[case("es", "el viernes no, el sábado", "day=2026-11-28")]
    #[case("de", "Freitag kann ich nicht, Samstag", "day=2026-11-28")]
    #[case("fr", "vendredi je peux pas, samedi", "day=2026-11-28")]
    #[case("ar", "الجمعة لا، السبت", "day=2026-11-28")]
    fn what_is_denied_behind_gives_way(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let fills = Stage::new(HALL, "day").speaking(lang).fills(said);
        assert_eq!(fills, expected, "{said}");
    }

    const PIZZA: &str = r#"
id = "pizza"
title = "Pizza"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "pizza"
kind = "choice"
label = "Pizza"
options = [{ id = "m", label = "Margherita" }, { id = "d", label = { en = "Diavola (hot)", it = "Diavola (piccante)", es = "Diavola (picante)", de = "Diavola (scharf)", fr = "Diavola (piquante)" } }]

[[field]]
id = "garden"
kind = "yes_no"
label = "In the garden"
"#;

    #[rstest]
    #[case("it", "no olio piccante", "")]
    #[case("it", "margherita, no olio piccante", "pizza=m")]
    #[case("it", "no, diavola", "pizza=d")]
    #[case("it", "no la diavola", "pizza=d")]
    #[case("it", "no prendiamo la diavola", "pizza=d")]
    #[case("es", "margherita, no aceite picante", "pizza=m")]
    #[case("fr", "non, la diavola", "pizza=d")]
    #[case("es", "nada de margherita", "")]
    #[case("de", "margherita, auf keinen Fall diavola", "pizza=m")]
    #[case("fr", "margherita, surtout pas la diavola", "pizza=m")]
    #[case("en", "no we take the diavola", "pizza=d")]
    fn a_noun_that_is_denied_picks_nothing(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(PIZZA, "pizza").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "ok only if it's free")]
    #[case("en", "fine, provided there is no fee")]
    #[case("en", "yes assuming it stays dry")]
    #[case("en", "yes, depending on the price")]
    #[case("en", "yes but only when it's sunny")]
    #[case("en", "sure as long as it's warm")]
    #[case("it", "sì, ma solo se non piove")]
    #[case("it", "sì, a condizione che sia coperto")]
    #[case("es", "sólo si hace sol")]
    #[case("es", "sí, siempre y cuando no llueva")]
    #[case("de", "ja, vorausgesetzt es regnet nicht")]
    #[case("de", "ja, aber nur wenn es warm ist")]
    #[case("fr", "oui, à condition qu'il fasse beau")]
    #[case("fr", "oui mais seulement s'il fait beau")]
    #[case("ar", "نعم بشرط ألا تمطر")]
    fn a_yes_that_depends_on_something_is_no_yes_yet(#[case] lang: &'static str, #[case] said: &str) {
        let understood = Stage::new(PIZZA, "garden").speaking(lang).hear(said);
        assert!(!understood.commands.iter().any(|command| matches!(command, Command::Fill { .. })), "{said}");
    }

    #[rstest]
    #[case("no towels please", false)]
    #[case("no onions", false)]
    #[case("no garden please", true)]
    #[case("no thanks", true)]
    #[case("no, towels", true)]
    fn no_of_another_thing_is_no_answer(#[case] said: &str, #[case] taken: bool) {
        let understood = Stage::new(PIZZA, "garden").hear(said);
        assert_eq!(understood.commands.iter().any(|command| matches!(command, Command::Fill { .. })), taken, "{said}");
    }

    #[rstest]
    #[case("red if it is cheap", false)]
    #[case("red unless it's small", false)]
    #[case("red if possible", true)]
    #[case("red if there is one", true)]
    fn what_depends_on_something_is_no_answer_yet(#[case] said: &str, #[case] taken: bool) {
        let understood = Stage::new(HALL, "room").hear(said);
        assert_eq!(understood.commands.iter().any(|command| matches!(command, Command::Fill { .. })), taken, "{said}");
    }

    #[rstest]
    #[case("mail", "my boss ann@x.org must not know")]
    #[case("mail", "don't ever tell ann@x.org")]
    #[case("people", "5-7 folks")]
    #[case("people", "somewhere between five and seven folks")]
    #[case("people", "5 or even 7 of us show up")]
    #[case("people", "half of 40 folks turn up")]
    #[case("people", "twice as many as 5 folks")]
    #[case("people", "last year we had 70 folks")]
    #[case("day", "any day bar Friday")]
    #[case("day", "Friday won't work")]
    #[case("day", "Friday is out")]
    #[case("day", "not before Friday")]
    #[case("room", "anything bar the Red one")]
    #[case("room", "red walls give me headaches")]
    #[case("room", "nothing red please")]
    fn what_the_words_around_take_back_is_not_stored_unasked(#[case] asked: &str, #[case] said: &str) {
        let understood = Stage::new(HALL, asked).hear(said);
        let fills = |command: &Command| matches!(command, Command::Fill { .. });
        assert!(!understood.commands.iter().any(fills), "{understood:?}");
    }

    #[rstest]
    #[case("my wife starts on Friday", "~=day=2026-11-27")]
    #[case("my sister takes the red one", "~=room=red")]
    #[case("last year we were 12 people", "~=people=12")]
    #[case("my old mail was ann@x.org", "~=mail=ann@x.org")]
    #[case("his sister is 11", "")]
    #[case("their son comes on Friday", "~=day=2026-11-27")]
    #[case("his office was 44 in May", "~=people=44")]
    #[case("for my wife and me, 2 people on Friday", "people=2; day=2026-11-27")]
    #[case("my wife and I come on Friday", "people=2; day=2026-11-27")]
    #[case("my son wants the red one", "room=red")]
    #[case("my wife and I want the red one on Friday", "people=2; room=red; day=2026-11-27")]
    #[case("my sister marries so I come on Friday", "day=2026-11-27")]
    fn what_is_said_of_somebody_else_is_asked_back(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(HALL, "").line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    const FLAT: &str = r#"
id = "flat"
title = "Flat"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "pets"
kind = "yes_no"
label = { en = "Pets", it = "Animali", es = "Mascotas", de = "Haustiere", fr = "Animaux", ar = "حيوانات أليفة" }

[[field]]
id = "balcony"
kind = "yes_no"
label = { en = "Balcony", it = "Balcone", es = "Balcón", de = "Balkon", fr = "Balcon", ar = "شرفة" }

[[field]]
id = "insured"
kind = "yes_no"
label = { en = "Insurance", it = "Assicurazione", es = "Seguro", de = "Versicherung", fr = "Assurance", ar = "تأمين" }

[[field]]
id = "breakfast"
kind = "yes_no"
label = "Breakfast"

[[field]]
id = "day"
kind = "date"
label = "Arrival"
"#;

    #[rstest]
    #[case("en", "my neighbour has pets")]
    #[case("en", "our neighbours have a dog")]
    #[case("en", "my wife has insurance")]
    #[case("en", "a friend of mine has a cat")]
    #[case("en", "my neighbour's flat has a balcony")]
    #[case("en", "Bob has a dog")]
    #[case("en", "the house next door has a balcony")]
    #[case("en", "they have pets")]
    #[case("en", "we had breakfast")]
    #[case("en", "yesterday we had breakfast on the balcony")]
    #[case("en", "last time we had a balcony")]
    #[case("en", "we had a balcony in our last hotel")]
    #[case("it", "il mio vicino ha animali")]
    #[case("it", "avevamo un balcone")]
    #[case("es", "mi vecino tiene mascotas")]
    #[case("de", "mein Nachbar hat Haustiere")]
    #[case("de", "wir hatten einen Balkon")]
    #[case("fr", "mon voisin a un balcon")]
    #[case("ar", "جاري عنده شرفة")]
    fn what_others_have_or_was_had_answers_nothing(#[case] lang: &'static str, #[case] said: &str) {
        let stage = Stage::new(FLAT, "").speaking(lang);
        let understood = stage.hear(said);
        assert!(understood.commands.iter().all(|command| !matches!(command, Command::Fill { .. })), "{understood:?}");
    }

    #[rstest]
    #[case("en", "my wife's is 3 May 1980")]
    #[case("en", "my wifes is 3 May 1980")]
    #[case("it", "quella di mia moglie è il 3 maggio 1980")]
    #[case("de", "das meiner Frau ist der 3. Mai 1980")]
    #[case("fr", "celle de ma femme est le 3 mai 1980")]
    fn what_is_anothers_own_is_asked_back(#[case] lang: &'static str, #[case] said: &str) {
        let form = FLAT.replace("\"Arrival\"", "\"Date of birth\"");
        let understood = Stage::new(&form, "day").speaking(lang).hear(said);
        assert!(understood.commands.iter().all(|command| !matches!(command, Command::Fill { .. })), "{understood:?}");
    }

    #[rstest]
    #[case("", "my wife and I have pets", "pets=true")]
    #[case("", "we have two dogs", "pets=true")]
    #[case("", "my husband wants a balcony", "balcony=true")]
    #[case("", "for my mother I need a balcony", "balcony=true")]
    #[case("", "my sister has a dog and I have a balcony", "balcony=true")]
    #[case("", "our flat needs insurance", "insured=true")]
    #[case("pets", "my wife has a dog", "pets=true")]
    #[case("", "my friends arrive on dec 3, we come on dec 4", "day=2026-12-04")]
    #[case("", "my friends arrive on dec 3 and we come on dec 4", "day=2026-12-04")]
    fn what_is_the_persons_own_answers_beside_it(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(FLAT, asked).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=') && !part.starts_with('~')).collect();
        assert_eq!(fills.join("; "), expected, "{said}: {line}");
    }

    #[rstest]
    #[case("remove the 2 people", "")]
    #[case("delete person 2", "")]
    #[case("cancel the room for 2 people on Friday", "people=2; day=2026-11-27")]
    fn what_is_to_be_taken_out_is_not_filled_in(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(HALL, "mail").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "are you open on Sunday?")]
    #[case("it", "siete aperti la domenica?")]
    #[case("it", "consegnate la domenica?")]
    #[case("es", "¿están abiertos el domingo?")]
    #[case("de", "habt ihr am Sonntag offen?")]
    #[case("fr", "êtes-vous ouverts le dimanche ?")]
    #[case("ar", "هل تفتحون يوم الأحد؟")]
    fn a_question_about_a_day_is_no_day(#[case] lang: &'static str, #[case] said: &str) {
        let understood = Stage::new(HALL, "day").speaking(lang).hear(said);
        assert!(matches!(understood.commands.as_slice(), [Command::Ask { .. }]), "{understood:?}");
    }

    #[rstest]
    #[case("oh and it was 3 weeks after the party", "")]
    #[case("no, the wheel", "damage=the wheel")]
    #[case("the wheel", "damage=the wheel")]
    #[case("the damage is a broken wheel", "damage=a broken wheel")]
    fn a_sentence_is_no_answer_to_whether_something_else_is_right(#[case] said: &str, #[case] expected: &str) {
        let mut stage = Stage::new(HALL, "mail").having("damage=the bike frame");
        let value = Value::Text("water damage".to_owned());
        let path = "damage".parse().unwrap();
        let then = Box::new(Command::Fill { path, value, quote: None });
        stage.draft.pending = Pending::Sure { then, question: UNASKED_CHANGE.to_owned() };
        let line = stage.line(said);
        assert!(line.contains(expected) && (!expected.is_empty() || !line.contains("damage=")), "{line}");
    }
}
