//! Words of a sentence that fill a text field: after its name ("address: …", "my address is …"), after an author's cue
//! ("deliver to …"), or after words that announce what the text names ("my name is …").

use std::ops::Range;

use super::between::{is_labelled, names_counted};
use super::counted::is_house_number;
use super::guard::past_plain_no;
use super::ledger::Ledger;
use super::prepare::{corrects, marks_correction};
use super::quotes::denied_from;
use super::reader::Reader;
use super::realms::Realms;
use super::region::region_end;
use super::score::{Tide, is_number};
use super::spans::{Board, Cand, Slot, read};
use super::turns::role_right_before;
use super::{Scene, bare, elsewhere, features, fullname, going, name_end, realms, rides, spot, titles, unnamed};
use formwright_form::Kind;
use formwright_form::cues::{Mention, Role};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Strength, numeral, overlap};
use formwright_lexicon::Language;
use formwright_lexicon::sentence::Announced;

/// What makes the words after a name its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// "address: …".
    Colon,
    /// "the address is …", "change the address to …".
    Verb,
    /// The name or cue itself: "deliver to …".
    Bare,
}

/// Fills fields that are named with a value after the name.
pub(super) fn named(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let mut mentions: Vec<&Mention> =
        board.mentions.iter().filter(|mention| board.slot_of(mention.field).is_some()).collect();
    mentions.sort_by_key(|mention| (mention.words.start, std::cmp::Reverse(mention.words.end)));
    for mention in &mentions {
        if !ledger.is_free(mention.words.clone()) {
            continue;
        }
        let Some(no) = board.slot_of(mention.field).filter(|no| !ledger.has(*no)) else { continue };
        let Some(slot) = board.slots.get(no) else { continue };
        let same = |other: &&&Mention| {
            let unit = other.unit && !mention.unit;
            other.words == mention.words && other.field != mention.field && other.weight >= mention.weight && !unit
        };
        let apart = features::is_denied(reader, slot, mention) || names_counted(reader, slot, mention);
        if apart || mentions.iter().any(|other| same(&other)) && !slot.asked {
            continue;
        }
        let Some((link, start)) = link(reader, ledger, slot, mention) else { continue };
        let end = region_end(reader, board, slot, start, link == Link::Colon);
        let region = trim(reader, name_end::within(scene, reader, board, slot, start..end));
        let region = put_right(reader, board, slot, region.clone()).unwrap_or(region);
        let region = going::of_place(reader, slot, region);
        // "Minus three" is a number.
        let number = || numeral::at(reader.said, region.start, scene.lang, scene.region).is_some();
        let turned = reader.is_negation(region.start, region.end) && !number();
        // "My client number is on an invoice" tells where it is.
        let elsewhere = slot.is_free()
            && !slot.is_long()
            && is_labelled(slot, |lang, word| lang.option.number.word(word).is_some())
            && reader.is_idle(region.start)
            && !region.clone().any(|no| reader.said.word(no).contains(char::is_numeric));
        let praise = unnamed::is_praise(reader, slot, &region);
        if region.is_empty() || !ledger.is_free(region.clone()) || turned || elsewhere || praise {
            continue;
        }
        let reading = read(scene, reader, slot, region.clone());
        // "The party is at 12 Station Road" counts nobody.
        let house =
            |found: &Found| is_number(&slot.field.kind) && is_house_number(reader, &reader.words_of(&found.span));
        // "The dates are 3 May and 5 May": the second is of another field.
        let two = matches!(&reading, Reading::Ambiguous(all) if all.iter().any(|found| all.first().is_some_and(|first| first.span != found.span)));
        if two && slot.role.is_some() && link == Link::Verb {
            continue;
        }
        // "My neighbour's phone is …, mine is …."
        let gives_way = |found: &Found| board.cands.iter().any(|cand| cand.old && overlap(&cand.raw, &found.span));
        if matches!(&reading, Reading::Value(found) if house(found) || gives_way(found)) {
            continue;
        }
        // A preposition alone announces little: what follows has to look like such a value.
        let faint = link == Link::Bare && mention.words.clone().all(|no| reader.is_idle(no));
        let called = !mention.cue && slot.subtype() == Some(Subtype::Person) && {
            let plain = |no: usize| !reader.is_idle(no) && reader.len(|lang| &lang.control.edit, no, region.end) == 0;
            region.clone().all(plain) && bare::is_name(scene, reader, &region)
        };
        let looks = !reader.is_idle(region.start) && slot.subtype().is_none() || called;
        if (link == Link::Bare && !matches!(reading, Reading::Value(_))) || (faint && !looks) {
            continue;
        }
        let filled = matches!(reading, Reading::Value(_));
        if ledger.note(scene, reader, board, no, reading) {
            ledger.claim(mention.words.start..region.start);
            if filled {
                ledger.last_was_named();
            }
            if link == Link::Verb {
                claim_verb(reader, ledger, mention.words.start);
            }
        }
    }
}

/// What takes the place of a text in the same breath: "John Smith, no wait, Jane Smith".
pub(super) fn put_right(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    region: Range<usize>,
) -> Option<Range<usize>> {
    let free = slot.is_free() && !slot.is_long() || matches!(slot.field.kind, Kind::Pattern(_));
    // "My wife's name is Julia, mine is Robert."
    let own = |no: usize, end: usize| reader.len(|lang| &lang.denial.own, no, end);
    let correct = |no: usize, end: usize| reader.len(|lang| &lang.sentence.correct, no, end).max(own(no, end));
    let corrects = |no: &usize| correct(*no, region.end) > 0;
    let inside = reader.clauses.iter().map(|clause| clause.words.start);
    let inside = inside.filter(|no| region.start < *no && *no < region.end).find(corrects);
    let after = (region.end..reader.said.words.len()).find(|no| !reader.is_mark(*no));
    let from = inside.or(after).filter(|_| free)?;
    let end = reader.clause_end(from);
    if !marks_correction(reader, from, end) && own(from, end) == 0 {
        return None;
    }
    let start = from + correct(from, end);
    let start = (start..reader.said.words.len()).find(|no| !reader.is_mark(*no))?;
    let region = trim(reader, start..region_end(reader, board, slot, start, false));
    (!region.is_empty()).then_some(region)
}

/// "Change" in "change the address to …" is understood with it.
fn claim_verb(reader: &Reader<'_>, ledger: &mut Ledger, name: usize) {
    let start = reader.clause_start(name);
    for no in [start, reader.past_filler(start..name)] {
        let len = reader.len(|lang| &lang.control.edit, no, name);
        ledger.claim(no..no + len);
    }
}

/// Where the value of a mention starts, and what links the two.
fn link(reader: &Reader<'_>, ledger: &Ledger, slot: &Slot<'_>, mention: &Mention) -> Option<(Link, usize)> {
    let clause = reader.clause(mention.words.start)?;
    let end = clause.words.end;
    let after = mention.words.end;
    let takes_words = slot.is_free() || slot.subtype().is_some() || matches!(slot.field.kind, Kind::Person(_));
    // One of several words of a text's name is too little to take what follows as the text.
    if takes_words && !slot.asked && mention.weight < 0.75 && reader.said.word(after) != ":" {
        // "The owner is ACME Ltd" names an owner all the same.
        let is = reader.len(|lang| &lang.sentence.is, after, end);
        let of_name = |lang: &Language, word: &str| {
            lang.sentence
                .cue
                .of(Announced::Name)
                .is_some_and(|cue| word.chars().count() > 2 && word != "for" && cue.word(word).is_some())
        };
        let name = is > 0 && after + is < end && reader.is_capital(after + is) && is_labelled(slot, of_name);
        return name.then_some((Link::Verb, after + is));
    }
    for at in [after, after + 1] {
        if at >= end || (at > after && (!reader.is_idle(after) || reader.is_mark(after))) {
            break;
        }
        if matches!(reader.said.word(at), ":" | "=") && at + 1 < end {
            return Some((Link::Colon, at + 1));
        }
        let is = reader.len(|lang| &lang.sentence.is, at, end);
        // Italian "e" is "and" and, without its accent, "is" as well: after what is counted it joins.
        let joins = reader.len(|lang| &lang.sentence.join, at, end) >= is && mention.unit;
        if is > 0 && !joins && at + is < end {
            return Some((Link::Verb, at + is));
        }
        let into = reader.len(|lang| &lang.sentence.into, at, end);
        if into > 0 && at + into < end && corrects(reader, clause.words.start..mention.words.start) {
            return Some((Link::Verb, at + into));
        }
    }
    // "The time 21": a number by itself, which no time is elsewhere.
    let number = reader.is_digits(after) && (after + 1..end).all(|no| reader.is_mark(no));
    if number && matches!(slot.field.kind, Kind::Time(_)) && mention.weight >= 0.4 {
        return Some((Link::Bare, after));
    }
    // "… 69872679394 name bala": behind another value.
    let before = mention.words.start.checked_sub(1).filter(|_| slot.subtype().is_some());
    let behind = before.is_some_and(|no| reader.is_digits(no) && !ledger.is_free(no..no + 1));
    let first = behind || (clause.words.start..mention.words.start).all(|no| reader.is_idle(no));
    let follows = after < end && !reader.is_mark(after);
    let cue = mention.cue && follows && takes_words;
    // "The product broke down" tells of the product and names none.
    let told = reader.len(|lang| &lang.sentence.verb, after, end) > 0;
    let greets = slot.asked && reader.len(|lang| &lang.sentence.courtesy, after, end) == end - after;
    let says = !reader.is_idle(after) || greets;
    let bare = follows && takes_words && first && mention.weight >= 1.0 && says && !slot.is_long();
    let bare = bare && !unnamed::is_compound(reader, slot, after, end);
    (cue || bare && !told && !going::is_inside_phrase(reader, mention.words.start)).then_some((Link::Bare, after))
}

/// Fills places from the prepositions before them. Names of people and addresses announce themselves to their parsers.
pub(super) fn announced(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    rides::fill(scene, reader, board, ledger, tide);
    bare::from_to(scene, reader, board, ledger, tide);
    going::site(scene, reader, board, ledger, tide);
    let is_place = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place);
    // What is said of somebody else comes last, and answers no question: "my sister lives in Turin, I'm going to Milan".
    for (no, slot, last) in board.slots.iter().enumerate().flat_map(|(no, slot)| [(no, slot, false), (no, slot, true)])
    {
        if !is_place(slot) || ledger.has(no) || last && slot.asked {
            continue;
        }
        let is_open = |slot: &Slot<'_>| slot.value.is_none() || slot.asked;
        // Of several that stand, nobody knows which "in Leeds" is to change.
        let alone = |ledger: &Ledger| {
            let rivals = |(other, like): (usize, &Slot<'_>)| {
                other != no && is_place(like) && !(is_open(slot) && (ledger.has(other) || !is_open(like)))
            };
            !board.slots.iter().enumerate().any(rivals)
        };
        let mut is_alone = alone(ledger);
        for at in 0..reader.said.words.len() {
            let clause = reader.clause_of(at);
            let end = reader.clauses.get(clause).map_or(0, |clause| clause.words.end);
            let correcting = tide.changes(clause);
            let tries = if correcting { going::tries(reader, board, slot, at, end) } else { 0 };
            let told = realms::tells_of(reader, at, end);
            let len = reader.announces(Announced::Place, at, end).max(tries).max(told);
            let may = slot.value.is_none() || slot.asked || correcting;
            let words = at..at + len;
            if len == 0 || !may || !ledger.is_free(words.clone()) || going::comes_last(reader, slot, &words) != last {
                continue;
            }
            let lands = if slot.role.is_none() { Realms::of(board, ledger) } else { Realms::default() };
            let been = !slot.asked && going::has_been(reader, &words)
                || going::is_inside(reader, board, &words)
                || going::is_only_home(reader, &words);
            if been || elsewhere::is_told_of(reader, board, slot, &words) {
                continue;
            }
            let article = reader.len(|lang| &lang.sentence.articles, at + len, end);
            // "In the Walnut Creek area."
            let start = at
                + len
                + if reader.is_capital(at + len + article) && !reader.is_capital(at + len) { article } else { 0 };
            // Of an option no place is made: "in a Park".
            let option = |cand: &Cand| cand.strength == Strength::Exact && cand.words.start == start;
            if start > at + len && (reader.said.word(at + len) != "the" || board.cands.iter().any(option)) {
                continue;
            }
            let role = going::role(reader, at, start);
            let venue = reader.len(|lang| &lang.naming.at, at, end);
            // "In Albany, New York": a town and a state.
            let realm = lands.has(no)
                && realms::is_inside(reader, at, len)
                && role.is_none_or(|role| realms::is_of_town(board, ledger, role));
            let fits = match (role, slot.role) {
                (Some(said), Some(own)) => said == own,
                _ => is_alone || slot.asked || realm,
            };
            // "To" goes before verbs as well.
            let verb = role_right_before(reader, at, start) == Some(Role::Second) && slot.role.is_none() && len == 1
                || (told > 0 || going::needs_capital(reader, at, at + len)) && !going::is_unheard(reader, start)
                || tries > 0;
            let region = spot::name(reader, board, start, end, len > 1, verb)
                .filter(|region| fits && ledger.is_free(region.clone()));
            let denied = |region: &Range<usize>| {
                going::is_nowhere(reader, region)
                    || board.is_of_address(region)
                    || going::is_rather_an_option(reader, board, region)
                    || going::does(reader, region)
                    || going::intends(reader, at) && region.len() == 1 && !reader.is_capital(region.start)
                    || reader.len(|lang| &lang.denial.before, region.start, region.end) > 0
                        && !reader.is_capital(region.start)
                    || denied_from(reader, &reader.raw_range(region.clone()), past_plain_no(reader, region))
            };
            let Some(region) = region.filter(|region| !denied(region)) else { continue };
            // "From the Old Mill in Oslo" is Oslo, "at Nopa" is a house where one is asked for.
            let beside = role.is_some() || venue == len;
            let house =
                venue == len && board.slots.iter().any(|slot| slot.value.is_none() && titles::is_house(reader, slot));
            let town = || slot.role.is_none() && !slot.asked && going::is_town(reader, slot);
            if (house || beside && realms::lies_in(reader, &region)) && town() {
                continue;
            }
            if realm && realms::goes_on(reader, &region) || told == len && !realms::is_told(reader, board, &region) {
                continue;
            }
            if realm && realms::fill_parts(scene, reader, board, ledger, lands.parts(reader, region.clone())) {
                ledger.claim(at..region.end);
                if ledger.has(no) {
                    break;
                }
                // "In North Carolina for Edgemoor": the town may follow.
                is_alone = alone(ledger);
                continue;
            }
            if !slot.asked && (realm && !is_alone || lands.is_land(no)) {
                continue;
            }
            if let Reading::Value(found) = read(scene, reader, slot, region.clone())
                && ledger.fill(reader, no, found, len > 1)
            {
                ledger.claim(at..region.end);
                ledger.last_was_named();
                break;
            }
        }
    }
}

/// The words of an answer to a text field, without what stands around it.
pub(super) fn answering(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: Range<usize>) -> Range<usize> {
    let words = trim_ends(reader, words);
    let words = match slot.subtype() {
        Some(Subtype::Place) => going::before_now(reader, words),
        Some(Subtype::Person) => fullname::own_part(reader, words),
        _ => words,
    };
    before_its_name(reader, board, slot, going::of_place(reader, slot, words))
}

/// What is said to be the field: "Avenel" of "Avenel is the city".
fn before_its_name(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: Range<usize>) -> Range<usize> {
    let ends = |mention: &&Mention| {
        mention.weight >= 1.0
            && words.contains(&mention.words.start)
            && (mention.words.end..words.end).all(|no| reader.is_idle(no))
    };
    let name = board.mentions_of(slot).find(ends).filter(|_| !slot.is_long());
    let Some(name) = name.map(|mention| mention.words.start) else { return words };
    let is = (words.start + 1..name).find(|no| {
        let len = reader.len(|lang| &lang.sentence.is, *no, name);
        len > 0 && (no + len..name).all(|no| reader.is_idle(no))
    });
    let told = is.filter(|is| (words.start..*is).all(|no| !reader.is_idle(no)));
    told.map_or(words.clone(), |is| words.start..is)
}

/// A range without marks around it.
pub(super) fn trim(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let closing = |no: usize| {
        reader.is_mark(no)
            && !numeral::is_sign(reader.said, no)
            && !matches!(reader.said.word(no), "+" | "#" | "@" | "€" | "$" | "£" | "(" | ")" | "%" | "\"")
    };
    while start < end && closing(start) {
        start += 1;
    }
    while start < end && closing(end - 1) {
        end -= 1;
    }
    start..end
}

/// A range without the marks that separate it from what stands around it; quotes, brackets and full stops stay.
pub(super) fn trim_ends(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let parts = |no: usize| {
        matches!(reader.said.word(no), "," | ";" | ":" | "-" | "،" | "؛") && !numeral::is_sign(reader.said, no)
    };
    while start < end && parts(start) {
        start += 1;
    }
    while start < end && parts(end - 1) {
        end -= 1;
    }
    start..end
}

/// A range without the joining words at its ends: "and", "with".
pub(super) fn without_small_words(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let small = |no: usize, end: usize| reader.is_mark(no) || reader.len(|lang| &lang.sentence.join, no, end) > 0;
    while start < end && small(start, end) {
        start += 1;
    }
    while start < end && reader.is_idle(end - 1) && !reader.is_of_form(end - 1) {
        end -= 1;
    }
    start..end
}
