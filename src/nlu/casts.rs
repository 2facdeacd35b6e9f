//! People that a sentence names by what they do: "starring Ann Lee", "with Ann Lee in it", "by Ann Lee", and to whom
//! something goes: "send it to Ann", "Ann's account".

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::{Tide, is_telling};
use super::spans::{Board, Slot};
use super::{Scene, fullname};
use formwright_form::Value;
use formwright_form::cues::{Mention, Role};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Strength};
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a name.
const MOST_WORDS: usize = 6;

/// Fills the open fields for people whose names follow what they do.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    fullname::fill(scene, reader, board, ledger);
    let person = |slot: &Slot<'_>| {
        let names = slot.subtype() == Some(Subtype::Person) || is_artist(reader, slot);
        names && (slot.value.is_none() || slot.asked || tide.reviewing || tide.correcting.contains(&true))
    };
    // What stands is changed only by what corrects it.
    let may = |no: usize, at: usize| {
        let corrects = tide.changes(reader.clause_of(at));
        corrects || board.slots.get(no).is_some_and(|slot| slot.value.is_none() || slot.asked)
    };
    let mut open: Vec<usize> = (0..board.slots.len()).filter(|no| board.slots.get(*no).is_some_and(person)).collect();
    open.retain(|no| !ledger.has(*no));
    if open.is_empty() {
        return;
    }
    let only = |fits: &dyn Fn(&Slot<'_>) -> bool| {
        let mut all = open.iter().copied().filter(|no| board.slots.get(*no).is_some_and(fits));
        all.next().filter(|_| all.next().is_none())
    };
    let player = only(&|slot| is_called(reader, slot, |lang| &lang.naming.player));
    let maker = only(&|slot| is_called(reader, slot, |lang| &lang.naming.maker));
    let places = board.slots.iter().any(|slot| slot.subtype() == Some(Subtype::Place));
    let counterpart = only(&|slot| is_called(reader, slot, |lang| &lang.naming.counterpart));
    let end = reader.said.words.len();
    let sends = || (0..end).any(|no| reader.len(|lang| &lang.naming.sends, no, end) > 0);
    let receiver = only(&|slot| slot.role == Some(Role::Second)).or(counterpart.filter(|_| sends()));
    let receiver = receiver.filter(|_| !places || sends());
    let asked = board.asked.filter(|no| open.contains(no) && receiver.or(counterpart).is_none_or(|own| own == *no));
    let leads = [player, maker, receiver, counterpart, asked];
    let mut no = 0;
    while no < reader.said.words.len() {
        let plays = player.and_then(|slot| Some((slot, name_before(reader, board, no, |lang| &lang.naming.acts)?)));
        let made = maker.and_then(|slot| Some((slot, name_before(reader, board, no, |lang| &lang.naming.made)?)));
        for (slot, name) in [plays, made].into_iter().flatten().filter(|(slot, _)| open.contains(slot)) {
            if ledger.has(slot) || !may(slot, name.start) {
                continue;
            }
            let lead = Lead { slot, words: name.start..no, sure: true, therein: false, small: false };
            if ledger.is_free(name.clone()) {
                take(reader, ledger, &lead, name);
            }
        }
        let found = Lead::at(reader, board, &open, no, leads).and_then(|lead| {
            let name = name_after(scene, reader, board, &lead)?;
            let fits = !ledger.has(lead.slot) && may(lead.slot, name.start);
            (fits && ledger.is_free(lead.words.start..name.end)).then_some((lead, name))
        });
        let Some((lead, name)) = found else {
            no += 1;
            continue;
        };
        no = name.end;
        take(reader, ledger, &lead, name);
    }
    if let Some(slot) = receiver.filter(|no| !ledger.has(*no) && may(*no, 0)) {
        owner(scene, reader, board, ledger, slot);
    }
}

/// "Ann Lee is in it", "Ann Lee played in": the name that ends before what somebody does.
fn name_before(
    reader: &Reader<'_>,
    board: &Board<'_>,
    no: usize,
    does: fn(&Language) -> &Phrases<()>,
) -> Option<Range<usize>> {
    let clause = reader.clause_words(no);
    let len = reader.len(does, no, clause.end);
    // "Directed by" is told of whom follows.
    let passive = reader.len(|lang| &lang.naming.by, no + len, clause.end) > 0;
    if len == 0 || passive {
        return None;
    }
    let from = no.saturating_sub(MOST_WORDS).max(clause.start);
    let name = (from..no).map(|start| capitals(reader, board, start, no)).find(|name| name.len() > 1 && name.end == no);
    name.filter(|name| name.start == clause.start || !reader.is_capital(name.start - 1))
}

/// Whether a field's whole name stands right before a name in capitals: "actor Ann Lee".
fn is_announcing(reader: &Reader<'_>, board: &Board<'_>, mention: &Mention) -> bool {
    let person = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
    let person = person.is_some_and(|slot| slot.subtype() == Some(Subtype::Person));
    person && mention.weight >= 1.0 && !mention.unit && reader.is_capital(mention.words.end)
}

/// Words before a name, and whose it is.
struct Lead {
    slot: usize,
    words: Range<usize>,
    /// They can be followed by nothing but a name.
    sure: bool,
    /// Words that the name belongs to follow it: "in it".
    therein: bool,
    /// A name in small letters may follow: "send it to ann", "something by ann lee".
    small: bool,
}

/// Whether any words are asked for by who made something: "Artist".
pub(super) fn is_artist(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let short = || slot.labels.iter().all(|label| label.words.len() <= 2);
    slot.is_free()
        && !slot.is_long()
        && slot.subtype().is_none()
        && short()
        && is_called(reader, slot, |lang| &lang.naming.maker)
}

/// Whether a clause has said before a word that something is sent: "send 20 …".
fn is_sent(reader: &Reader<'_>, no: usize) -> bool {
    let start = reader.clause_start(no);
    (start..no).any(|at| reader.len(|lang| &lang.naming.sends, at, no) > 0)
}

impl Lead {
    fn at(
        reader: &Reader<'_>,
        board: &Board<'_>,
        open: &[usize],
        no: usize,
        [player, maker, receiver, counterpart, asked]: [Option<usize>; 5],
    ) -> Option<Self> {
        let end = reader.clause_end(no);
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
        let deed = board.mentions.iter().filter(|mention| mention.words.start == no);
        let deed = deed.filter(|mention| mention.cue || is_announcing(reader, board, mention));
        let deed = deed.filter_map(|mention| Some((board.slot_of(mention.field)?, mention.words.end)));
        let deed = deed.filter(|(slot, _)| open.contains(slot)).max_by_key(|(_, end)| *end);
        let lead =
            |slot: usize, end: usize, sure: bool| Self { slot, words: no..end, sure, therein: false, small: false };
        if let Some((slot, end)) = deed {
            return Some(lead(slot, end, true));
        }
        match (player, maker, receiver, counterpart) {
            (Some(slot), ..) if len(|lang| &lang.naming.plays) > 0 => {
                Some(lead(slot, no + len(|lang| &lang.naming.plays), true))
            }
            (Some(slot), ..) if len(|lang| &lang.naming.has) > 0 => {
                Some(Self { therein: true, ..lead(slot, no + len(|lang| &lang.naming.has), false) })
            }
            (_, Some(slot), ..) if len(|lang| &lang.naming.by) > 0 => {
                let by = len(|lang| &lang.naming.by);
                Some(Self { small: by == len(|lang| &lang.naming.surely_by), ..lead(slot, no + by, false) })
            }
            (None, .., Some(slot)) if len(|lang| &lang.naming.has) > 0 => {
                Some(lead(slot, no + len(|lang| &lang.naming.has), false))
            }
            (.., Some(slot), _) if len(|lang| &lang.naming.whom) > 0 => {
                Some(Self { small: is_sent(reader, no), ..lead(slot, no + len(|lang| &lang.naming.whom), false) })
            }
            // "I like Ann Lee", where somebody who makes something was asked for.
            (_, Some(slot), ..) if asked == Some(slot) && len(|lang| &lang.naming.mood) > 0 => {
                Some(lead(slot, no + len(|lang| &lang.naming.mood), false))
            }
            // "My friend Ann", where somebody was asked for.
            _ if asked.is_some() && own_relation(reader, no, end) > 0 && !is_beside_speaker(reader, no) => {
                Some(Self { small: true, ..lead(asked?, no, false) })
            }
            _ => None,
        }
    }
}

/// The words at a word that tell who somebody is to the speaker: "my friend"; 0 where there are none.
fn own_relation(reader: &Reader<'_>, no: usize, end: usize) -> usize {
    let ours = reader.len(|lang| &lang.naming.ours, no, end);
    match reader.len(|lang| &lang.naming.relation, no + ours, end) {
        len if ours > 0 && len > 0 => ours + len,
        _ => reader.len(|lang| &lang.naming.acquaintance, no, end),
    }
}

/// Whether somebody is told of together with the speaker: "me and my wife Carla".
fn is_beside_speaker(reader: &Reader<'_>, no: usize) -> bool {
    let Some(before) = no.checked_sub(1) else { return false };
    let start = reader.clause_start(no);
    let joined = reader.len(|lang| &lang.sentence.join, before, no) > 0;
    joined && (start..before).any(|at| reader.len(|lang| &lang.name.me, at, before) > 0)
}

/// The name behind a lead.
fn name_after(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, lead: &Lead) -> Option<Range<usize>> {
    let mut end = reader.clause_end(lead.words.start);
    let mut start = lead.words.end;
    // "To my son Justin", "my colleague, Ann Lee".
    let relation = own_relation(reader, start, end);
    if relation > 0 {
        start += relation;
        if start == end && reader.said.word(start) == "," && reader.is_capital(start + 1) {
            start += 1;
            end = reader.clause_end(start);
        }
    } else if !lead.therein && reader.len(|lang| &lang.naming.ours, start, end) > 0 {
        start += 1;
        start += usize::from(!reader.is_capital(start) && reader.is_capital(start + 1));
    }
    // "Avec Mme Claire Morel", "con la dottoressa Anna Berti".
    let the = reader.len(|lang| &lang.sentence.articles, start, end);
    let title = reader.len(|lang| &lang.naming.address, start + the, end);
    let named = start + the + title + usize::from(reader.said.word(start + the + title) == ".");
    let apart = reader.is_idle(start + the) || !reader.is_capital(start + the);
    if title > 0 && apart && reader.is_capital(named) && reader.is_capital(named + 1) {
        start = named;
        end = reader.clause_end(named);
    }
    // "Something by the Blue Owls."
    let article = reader.len(|lang| &lang.sentence.articles, start, end);
    if lead.small && article > 0 && reader.is_capital(start + article) && !reader.is_capital(start) {
        start += article;
    }
    let therein = |no: usize| reader.len(|lang| &lang.naming.therein, no, end);
    let name = if reader.is_capital(start) { capitals(reader, board, start, end) } else { start..start };
    if !name.is_empty() {
        // "Für Gäste", "for Christmas": one word of the language is no name, but where something is sent to it.
        let plain = !lead.sure && !lead.small && name.len() == 1 && relation == 0;
        if plain && !lead.therein && !reader.is_unknown(name.start) {
            return None;
        }
        let several = name.len() > 1 || therein(name.end) > 0;
        return (lead.sure || !lead.therein || several).then_some(name);
    }
    // People type without capitals.
    let tells = |no: usize| !reader.is_idle(no) && !reader.is_mark(no) && !reader.is_digits(no) && therein(no) == 0;
    let stop = (start..end).find(|no| !tells(*no) || begins_other(reader, board, *no)).unwrap_or(end);
    let ends_so = stop == end || therein(stop) > 0 || begins_other(reader, board, stop) || lead.sure;
    // "Send it to ann": one word that means nothing else.
    let plain = |no: usize| {
        let common = |lang: &Language| lang.option.common.word_at(reader.said, no).is_some();
        let sort =
            reader.len(|lang| &lang.sentence.verb, no, end).max(reader.len(|lang| &lang.sentence.praise, no, end));
        let known = scene.form.cues().knows(stem(reader.said.plain(no)));
        let sends = reader.len(|lang| &lang.naming.sends, no, end).max(reader.len(|lang| &lang.naming.whom, no, end));
        sort == 0 && sends == 0 && !known && !reader.langs().any(common)
    };
    let by = reader.len(|lang| &lang.naming.surely_by, lead.words.start, end) > 0;
    let some = start < stop && stop - start <= if by { 3 } else { 1 } && (start..stop).all(plain);
    let small =
        lead.small && some && (stop == end || reader.is_idle(stop)) && (start..end).all(|no| !reader.is_capital(no));
    let fits = (2..=3).contains(&(stop - start)) && ends_so && (lead.sure || therein(stop) > 0) || small;
    let value =
        || board.cands.iter().any(|cand| (start..stop).contains(&cand.words.start) && cand.strength > Strength::Weak);
    if fits && !value() {
        return Some(start..stop);
    }
    let strange = capitals(reader, board, start, end);
    (strange.len() > 1 && !value()).then_some(strange)
}

/// Whether words that lead to another name start here.
fn begins_other(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> bool {
    let deed = board.mentions.iter().any(|mention| mention.cue && mention.words.start == no);
    deed || reader.len(|lang| &lang.naming.plays, no, no + 3) > 0 || reader.len(|lang| &lang.naming.has, no, no + 2) > 0
}

/// Words in capitals from one on, with the small words that names have inside: "Walter the Dog", "Ann van der Lee".
pub(super) fn capitals(reader: &Reader<'_>, board: &Board<'_>, start: usize, end: usize) -> Range<usize> {
    let taken = |no: usize| {
        board.cands.iter().any(|cand| {
            let telling = cand.strength > Strength::Weak && board.kind_of(cand).is_some_and(is_telling);
            cand.words.contains(&no) && telling
        })
    };
    // "I" has a capital wherever it stands, and is an initial before a full stop.
    let speaker = |no: usize| {
        let word = reader.said.word(no);
        no > start && (word.starts_with("i'") || word == "i" && reader.said.word(no + 1) != ".")
    };
    let fits = |no: usize| no < end && reader.is_proper(no) && !reader.is_mark(no) && !taken(no) && !speaker(no);
    let mut no = start;
    while fits(no) && no - start < MOST_WORDS {
        no += 1;
        // "J. R. Smith", "Dr. Smith".
        let short = reader.said.word(no - 1).chars().count() == 1
            || reader.len(|lang| &lang.name.particles, no - 1, no) > 0
            || reader.len(|lang| &lang.naming.address, no - 1, no) > 0;
        if reader.said.word(no) == "." && short && fits(no + 1) {
            no += 1;
            continue;
        }
        let small = reader.len(|lang| &lang.name.particles, no, end).max(usize::from(reader.said.word(no) == "the"));
        if small > 0 && fits(no + small) {
            no += small;
        }
    }
    // "MY BOOKING IS FOR …" names nobody.
    let small = |no: usize| reader.is_idle(no) && !reader.is_mark(no);
    if (start..no).all(small) || small(start) && reader.said.word(start) != "the" { start..start } else { start..no }
}

/// "Diego's savings account", "the account of Philip": whose something is that goes to somebody.
fn owner(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, slot: usize) {
    let said = reader.said;
    for no in 0..said.words.len() {
        let end = reader.clause_end(no);
        // The name of a field or one of its options, which somebody has.
        let thing = |no: usize| {
            let known = scene.form.cues().knows(stem(said.plain(no)));
            known || board.cands.iter().any(|cand| cand.words.contains(&no))
        };
        let has = said.plain(no).ends_with("'s") && thing(no + 1);
        let apart = said.word(no + 1) == "'" && said.word(no + 2) == "s" && thing(no + 3);
        let of = no > 1 && said.word(no - 1) == "of" && thing(no - 2);
        // "A bouquet of tulips" is nobody's.
        let is_value = || board.has_value_at(no);
        let owns = (has || apart || of) && reader.is_proper(no) && !reader.is_idle(no) && !is_value();
        if !owns || !ledger.is_free(no..no + 1) {
            continue;
        }
        let name = if of { capitals(reader, board, no, end) } else { no..no + 1 };
        let lead = Lead { slot, words: no..no, sure: true, therein: false, small: false };
        if !name.is_empty() {
            take(reader, ledger, &lead, name);
            return;
        }
    }
}

/// Whose an option is said to be: one's own ("my savings account"), or another's ("their savings account", "Ann's savings
/// account", "the savings account of Ann").
pub(super) fn whose(reader: &Reader<'_>, words: &Range<usize>) -> Option<Role> {
    let clause = reader.clause_words(words.start);
    let before = words.start.checked_sub(1).filter(|no| *no >= clause.start)?;
    let ours = reader.len(|lang| &lang.naming.ours, before, words.start) > 0;
    let theirs = reader.len(|lang| &lang.naming.theirs, before, words.start) > 0;
    let owned = reader.said.plain(before).ends_with("'s") && reader.is_capital(before)
        || before > clause.start && reader.said.word(before) == "s" && reader.said.word(before - 1) == "'";
    let of = || {
        let of = (words.end..clause.end.min(words.end + 3)).find(|no| reader.said.word(*no) == "of");
        let belongs = (words.end..clause.end.min(words.end + 3))
            .any(|no| reader.said.word(no) != "to" && reader.len(|lang| &lang.naming.whom, no, clause.end) > 1);
        belongs || of.is_some_and(|no| reader.is_capital(no + 1))
    };
    match (ours, theirs || owned || of()) {
        (true, _) => Some(Role::First),
        (false, true) => Some(Role::Second),
        (false, false) => None,
    }
}

/// Whether words lead to a name in capitals of somebody whom a field asks for.
pub(super) fn leads_to_name(reader: &Reader<'_>, board: &Board<'_>, no: usize, end: usize) -> bool {
    let person = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Person);
    let deed = board.mentions.iter().filter(|mention| mention.words.start == no);
    let deed = deed.filter(|mention| mention.cue || is_announcing(reader, board, mention));
    let deed =
        deed.filter(|mention| board.slot_of(mention.field).and_then(|no| board.slots.get(no)).is_some_and(person));
    let plays = || {
        let called = |table| board.slots.iter().any(|slot| person(slot) && is_called(reader, slot, table));
        let plays = reader.len(|lang| &lang.naming.plays, no, end);
        let by = reader.len(|lang| &lang.naming.by, no, end);
        let players = if plays > 0 && called(|lang| &lang.naming.player) { plays } else { 0 };
        players.max(if by > 0 && called(|lang| &lang.naming.maker) { by } else { 0 })
    };
    let len = deed.map(|mention| mention.words.len()).max().unwrap_or_else(plays);
    len > 0 && no + len < end && reader.is_proper(no + len)
}

/// Takes words as a name, without the "'s" of what somebody has.
fn take(reader: &Reader<'_>, ledger: &mut Ledger, lead: &Lead, name: Range<usize>) {
    let mut span = reader.raw_range(name.clone());
    let raw = reader.said.raw.get(span.clone()).unwrap_or_default();
    let own = raw.trim_end_matches("'s").trim_end_matches("’s");
    span.end = span.start + own.len();
    let value = Value::Text(own.split_whitespace().collect::<Vec<_>>().join(" "));
    if ledger.fill_named(reader, lead.slot, Found { span, value, strength: Strength::Exact }) {
        ledger.claim(lead.words.start..name.end);
        let end = reader.clause_end(name.end.saturating_sub(1));
        let therein = if lead.therein { reader.len(|lang| &lang.naming.therein, name.end, end) } else { 0 };
        ledger.claim(name.end..name.end + therein);
    }
}

/// Whether the name of a field has words of some table.
pub(super) fn is_called(reader: &Reader<'_>, slot: &Slot<'_>, table: fn(&Language) -> &Phrases<()>) -> bool {
    slot.labels
        .iter()
        .any(|label| (0..label.words.len()).any(|no| reader.langs().any(|lang| table(lang).starts(label, no))))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const FILM: &str = r#"
id = "film"
title = "An evening"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "actor"
kind = "text"
label = "Actor"
subtype = "person"

[[field]]
id = "director"
kind = "text"
label = "Director"
subtype = "person"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    const SEND: &str = r#"
id = "send"
title = "Money"

[[field]]
id = "from"
kind = "choice"
label = "Account type"
options = ["Checking", "Savings"]

[[field]]
id = "name"
kind = "text"
label = "Recipient name"
subtype = "person"

[[field]]
id = "into"
kind = "choice"
label = "Recipient account type"
options = ["Checking", "Savings"]
"#;

    const SHARE: &str = r#"
id = "share"
title = "Where I am"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "contact"
kind = "text"
label = "Contact name"
subtype = "person"

[[field]]
id = "minutes"
kind = "integer"
label = "Minutes"
"#;

    const SONG: &str = r#"
id = "song"
title = "Music"

[[field]]
id = "artist"
kind = "text"
label = "Artist"

[[field]]
id = "song"
kind = "text"
label = "Song"
"#;

    #[rstest]
    #[case("en", "my friend Ida", "contact=Ida")]
    #[case("en", "My coworker, Ida Lund. She needs 5 minutes.", "contact=Ida Lund")]
    #[case("en", "my neighbour ida", "contact=ida")]
    #[case("it", "mia sorella Ida", "contact=Ida")]
    #[case("es", "mi amiga Ida", "contact=Ida")]
    #[case("fr", "mon ami Luc", "contact=Luc")]
    #[case("ar", "صديقي أحمد", "contact=أحمد")]
    fn who_somebody_is_to_the_speaker_is_no_part_of_the_name(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(SHARE, "contact").speaking(lang).means(said);
        assert_eq!(line.split("; ").find(|part| part.starts_with("contact=")), Some(expected), "{line}");
    }

    const VISIT: &str = r#"
id = "visit"
title = "A visit"

[[field]]
id = "doctor"
kind = "text"
label = "Doctor"
subtype = "person"

[[field]]
id = "name"
kind = "text"
label = "Your name"
subtype = "person"
"#;

    #[rstest]
    #[case(VISIT, "en", "an appointment with Dr. Ida Lund", "doctor=Dr. Ida Lund")]
    #[case(VISIT, "en", "with my friend", "")]
    #[case(VISIT, "en", "me and my wife Ida, both on Monday", "")]
    #[case(SEND, "en", "transfer 20 to ida", "name=ida")]
    #[case(SEND, "en", "transfer 20 to my savings", "from=savings")]
    #[case(SEND, "en", "transfer 20 to pay for the rent", "")]
    #[case(SHARE, "en", "tell Ida I'm late", "contact=Ida")]
    #[case(SEND, "en", "pay 20 to my friend Ida", "name=Ida")]
    #[case(SHARE, "en", "tell Ida where I am", "contact=Ida")]
    #[case(SHARE, "en", "let Bo Ek know", "contact=Bo Ek")]
    #[case(SHARE, "en", "share it with my brother Bo", "contact=Bo")]
    #[case(SHARE, "en", "share it with everybody", "")]
    #[case(SONG, "en", "something by the Blue Owls", "artist=Blue Owls")]
    #[case(SONG, "en", "some songs by ann lee please", "artist=ann lee")]
    #[case(SONG, "en", "I'm a fan of Ann Lee", "artist=Ann Lee")]
    #[case(SEND, "en", "send Ida 20 from my savings account", "name=Ida; from=savings")]
    #[case(FILM, "en", "a Space Opera directed by Bo Ek", "director=Bo Ek")]
    #[case(FILM, "en", "I think Bo Ek directed it", "director=Bo Ek")]
    #[case(FILM, "en", "something with Ann Lee in it by Bo Ek", "actor=Ann Lee; director=Bo Ek")]
    #[case(
        FILM,
        "en",
        "one that stars Toto the Cat and is directed by Bo van Ek",
        "actor=Toto the Cat; director=Bo van Ek"
    )]
    #[case(FILM, "en", "something that has ann lee in it", "actor=ann lee")]
    #[case(FILM, "en", "is there anything starring Ann Lee?", "actor=Ann Lee")]
    #[case(FILM, "en", "MY PARTY IS STARRING", "")]
    #[case(FILM, "en", "directed by Bo Ek starring Ann St. Lee", "actor=Ann St. Lee; director=Bo Ek")]
    #[case(FILM, "en", "a film that Ann Lee played in", "actor=Ann Lee")]
    #[case(FILM, "en", "I'll go with my sister", "")]
    #[case(FILM, "en", "it has to be over by Monday", "day=2026-11-23")]
    #[case(FILM, "it", "un film con Anna Lei diretto da Ugo Bo", "actor=Anna Lei; director=Ugo Bo")]
    #[case(
        FILM,
        "es",
        "una película protagonizada por Ana Ley y dirigida por Hugo Bo",
        "actor=Ana Ley; director=Hugo Bo"
    )]
    #[case(FILM, "de", "ein Film mit Anna Lei unter der Regie von Udo Bo", "actor=Anna Lei; director=Udo Bo")]
    #[case(FILM, "fr", "un film avec Anne Lee réalisé par Luc Bo", "actor=Anne Lee; director=Luc Bo")]
    #[case(SEND, "en", "send it to my aunt Ida in her checking account", "name=Ida; into=checking")]
    #[case(SEND, "en", "to Ida's savings account", "name=Ida; into=savings")]
    #[case(SEND, "en", "to the savings account of Ida Lund", "name=Ida Lund; into=savings")]
    #[case(SEND, "en", "from my savings account to their checking account", "from=savings; ~=into=checking")]
    fn people_are_named_by_what_they_do(
        #[case] form: &str,
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(form, "").speaking(lang).line(said);
        let mut fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        let mut expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        fills.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fills, expected, "{said}");
    }
}
