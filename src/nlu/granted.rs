//! Yes/no fields that a sentence answers by their names: "with parking", "no pets", "smoking should be allowed".

use std::ops::Range;

use super::Scene;
use super::features::{negates, negation_before};
use super::hedged::is_behind_a_condition;
use super::ledger::Ledger;
use super::reader::{Clause, Reader};
use super::score::Tide;
use super::spans::Board;
use formwright_form::cues::Mention;
use formwright_form::kind::yes_no::is_consent;
use formwright_form::kind::{Found, Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words between what is said of a name and the name.
const REACH: usize = 3;

/// What was said of a name, and how far it reaches over names that are enumerated with it.
struct Told {
    name: Range<usize>,
    yes: bool,
    /// A no that reaches over "and": "without".
    throughout: bool,
}

/// The name of a yes/no field with "with" or "without" before it is an answer, and what is enumerated with it has the same.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let absent = |mention: &Mention| scene.form.cues().is_of_absence(mention.field) && mention.weight < 1.0;
    let mut names = whole_names(reader, board);
    let yes_no = |mention: &Mention| {
        let slot = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
        slot.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)))
    };
    names.retain(|mention| !(absent(mention) || yes_no(mention) && is_behind_a_condition(reader, &mention.words)));
    let mut told: Vec<Told> = Vec::new();
    for mention in &names {
        let Some(no) = open_slot(reader, board, ledger, tide, mention) else { continue };
        let clause = reader.clause_start(mention.words.start);
        let before = told_before(reader, clause..mention.words.start);
        if before.is_some_and(|(_, yes)| yes) && is_not_another(scene, reader, clause, mention) {
            continue;
        }
        let said = before.map(|(start, yes)| (start..mention.words.end, yes));
        let Some((words, yes)) = said.or_else(|| granted_after(scene, reader, clause, mention)) else { continue };
        if let Some((start, yes)) = before {
            let throughout = !yes && reader.len(|lang| &lang.yes_no.throughout, start, mention.words.start) > 0;
            told.push(Told { name: mention.words.clone(), yes, throughout });
        }
        let found = Found { span: reader.raw_range(words), value: Value::Bool(yes), strength: Strength::Typed };
        ledger.fill(reader, no, found, true);
    }
    names.sort_by_key(|name| name.words.start);
    spread(reader, board, ledger, tide, (&names, told));
    for mention in names.iter().filter(|mention| mention.weight >= 1.0 && !mention.cue) {
        let Some(no) = open_slot(reader, board, ledger, tide, mention) else { continue };
        if stands_alone(reader, board, mention) {
            let span = reader.raw_range(mention.words.clone());
            ledger.fill(reader, no, Found { span, value: Value::Bool(true), strength: Strength::Typed }, true);
        }
    }
}

/// Fills what is enumerated with names of which something was said.
fn spread(
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    tide: &Tide,
    (names, mut told): (&[Mention], Vec<Told>),
) {
    if told.is_empty() {
        return;
    }
    for mention in names {
        let Some(no) = open_slot(reader, board, ledger, tide, mention) else { continue };
        let Some(yes) = told.iter().rev().find_map(|told| holds_of(reader, names, told, mention)) else { continue };
        let throughout = told.iter().any(|told| told.throughout);
        told.push(Told { name: mention.words.clone(), yes, throughout: throughout && !yes });
        let span = reader.raw_range(mention.words.clone());
        ledger.fill(reader, no, Found { span, value: Value::Bool(yes), strength: Strength::Typed }, true);
    }
}

/// Whether a field asks for others of a thing, and a message wishes for one of it: "I need a loan" where it is about "other
/// loans".
fn is_not_another(scene: &Scene<'_>, reader: &Reader<'_>, clause: usize, mention: &Mention) -> bool {
    let of_others = |label: &Said| {
        let other = |lang: &Language| (0..label.words.len()).any(|no| lang.denial.other.starts(label, no));
        reader.langs().any(other)
    };
    let labels = scene.form.field(mention.field).into_iter().flat_map(|field| field.label.by_lang.values());
    let end = mention.words.end;
    let said = |table: fn(&Language) -> &Phrases<()>| (clause..end).any(|no| reader.len(table, no, end) > 0);
    labels.map(|label| Said::new(label)).any(|label| of_others(&label))
        && !said(|lang| &lang.denial.other)
        && !said(|lang| &lang.naming.has)
        && !said(|lang| &lang.naming.owns)
}

/// The yes/no field of a mention that may be filled with what is said of it.
fn open_slot(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, tide: &Tide, mention: &Mention) -> Option<usize> {
    let no = board.slot_of(mention.field).filter(|no| !ledger.has(*no))?;
    let slot = board.slots.get(no).filter(|slot| matches!(slot.field.kind, Kind::YesNo(_)))?;
    let corrects = || tide.changes(reader.clause_of(mention.words.start));
    let open = slot.value.is_none() || slot.asked || corrects();
    (open && ledger.is_free(mention.words.clone())).then_some(no)
}

/// Where what is said of a name right before it starts, and whether the thing is to be: "with (parking)", "no (pets)".
fn told_before(reader: &Reader<'_>, words: Range<usize>) -> Option<(usize, bool)> {
    let end = words.end;
    let near = end.saturating_sub(REACH).max(words.start)..end;
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
    let joins = |no: usize| len(|lang| &lang.sentence.join, no) > 0;
    // "No and wifi please" denies something else.
    let denies = |no: usize, len: usize| len > 0 && (no + len..end).all(|no| reader.is_idle(no) && !joins(no));
    // "I have no pets" has none.
    let denied = near.clone().find(|no| {
        denies(*no, len(|lang| &lang.yes_no.negation, *no)) || denies(*no, len(|lang| &lang.control.clear, *no))
    });
    let said = |no: &usize| {
        let is = if reader.is_copula(*no, end) { len(|lang| &lang.sentence.is, *no) } else { 0 };
        let with = len(|lang| &lang.sentence.with, *no).max(len(|lang| &lang.sentence.only, *no)).max(is);
        let with = with.max(len(|lang| &lang.everyday.has, *no)).max(len(|lang| &lang.sentence.uses, *no));
        // "It's fragile"; Italian "e" is no "è".
        let with = if joins(*no) { with } else { with.max(len(|lang| &lang.option.remark, *no)) };
        // "The pool is not needed but the gym is": "needed" is said of something else.
        with > 0 && (*no + with..end).all(|no| reader.is_idle(no) && !joins(no))
    };
    if let Some(no) = denied {
        return Some((no, false));
    }
    let no = near.clone().find(said)?;
    // "Non mi serve il parcheggio".
    let turned = negation_before(reader, words.start..no);
    Some((turned.unwrap_or(no), turned.is_none()))
}

/// What holds of a name because it is enumerated with another: "with wifi and parking", "without pets or smoking". After a
/// plain no "and" may lead to what is wanted: "no smoking and wifi" says nothing of wifi.
fn holds_of(reader: &Reader<'_>, names: &[Mention], told: &Told, mention: &Mention) -> Option<bool> {
    let between = told.name.end..mention.words.start;
    let (first, last) = (reader.clause_of(told.name.start), reader.clause_of(mention.words.start));
    let clauses = reader.clauses.get(first..=last).unwrap_or_default();
    let end = clauses.last().map_or(0, |clause| clause.words.end);
    let stopped = clauses.split_last().is_some_and(|(_, before)| before.iter().any(|clause| clause.stop));
    if between.start > between.end || stopped || clauses.iter().any(|clause| clause.question) {
        return None;
    }
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, mention.words.start);
    let any = |table: fn(&Language) -> &Phrases<()>| between.clone().any(|no| len(table, no) > 0);
    let joins = |no: usize| len(|lang| &lang.sentence.join, no) > 0 || len(|lang| &lang.option.or, no) > 0;
    let named = |no: usize| names.iter().any(|name| name.words.contains(&no));
    let small = |no: usize| reader.is_idle(no) || joins(no) || named(no);
    // "With wifi, parking is not needed."
    let apart = first != last && !(mention.words.end..end).all(small);
    if apart || !between.clone().all(|no| reader.is_idle(no) || joins(no)) || any(|lang| &lang.denial.but) {
        return None;
    }
    let word = reader.said.plain(mention.words.start);
    let glued = reader.langs().any(|lang| lang.number.and_prefix.is_some_and(|and| word.starts_with(and)));
    let or = any(|lang| &lang.sentence.or) || any(|lang| &lang.option.or);
    let and = glued || first != last || any(|lang| &lang.sentence.join);
    let reaches = if told.yes { and && !or } else { or || and && told.throughout };
    reaches.then_some(told.yes)
}

/// Names of fields, those said in two words beside each other as one: "outdoor seating" of "seating outdoors".
fn whole_names(reader: &Reader<'_>, board: &Board<'_>) -> Vec<Mention> {
    const ENOUGH: f32 = 0.6;
    let beside = |one: &Mention, two: &Mention| {
        let yes_no = board.slot_of(one.field).and_then(|no| board.slots.get(no));
        let yes_no = yes_no.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)));
        let other = stem(reader.said.plain(one.words.start)) != stem(reader.said.plain(two.words.start));
        yes_no && one.field == two.field && one.words.end == two.words.start && other
    };
    let pairs = board.mentions.iter().filter_map(|one| {
        let pair = board.mentions.iter().find(|two| beside(one, two));
        pair.map(|two| Mention {
            words: one.words.start..two.words.end,
            weight: one.weight + two.weight,
            ..one.clone()
        })
    });
    let mut all: Vec<Mention> =
        pairs.chain(board.mentions.iter().cloned()).filter(|name| name.weight >= ENOUGH).collect();
    all.sort_by_key(|name| std::cmp::Reverse(name.words.len()));
    all
}

/// What is said of a name right behind it, with the name, and whether the thing is to be: "(pets) should be allowed", "(a
/// garage) would be nice", "(insurance) isn't needed".
fn granted_after(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    start: usize,
    mention: &Mention,
) -> Option<(Range<usize>, bool)> {
    let (name, from) = (mention.words.start, mention.words.end);
    let clause = reader.clause_end(name);
    let ends = |no: usize| no >= clause || (no..clause).all(|no| reader.is_idle(no));
    let wished = |no: usize| reader.len(|lang| &lang.sentence.wished, no, clause);
    if wished(from) > 0 && ends(from + wished(from)) {
        // "No dogs or pets please" wishes for none, and nobody agrees to anything by the way.
        let denied = (start..name).any(|no| negates(reader, no, name) > 0);
        let but = (start..name).any(|no| reader.len(|lang| &lang.denial.but, no, name) > 0);
        let labels = scene.form.field(mention.field).map(|field| field.label.by_lang.values());
        let consents = labels.into_iter().flatten().any(|label| is_consent(label));
        return (!consents && (but || !denied)).then(|| (name..from + wished(from), true));
    }
    let granted = |no: usize| reader.len(|lang| &lang.sentence.granted, no, clause);
    let at = (from..clause).find(|no| granted(*no) > 0)?;
    let denied = (from..at).find(|no| reader.len(|lang| &lang.yes_no.negation, *no, at) > 0);
    let with =
        |no: usize| reader.len(|lang| &lang.sentence.with, no, at).max(reader.len(|lang| &lang.sentence.is, no, at));
    // "Smoking ok", but not "smoking allowed?"
    let tentative = reader.clause(name).is_some_and(|clause| clause.tentative);
    let told = at > from || ends(at + granted(at)) && !tentative;
    let leads = told && at - from <= 3 && (from..at).all(|no| reader.is_idle(no) || with(no) > 0);
    match denied {
        None if leads => match negation_before(reader, start..name) {
            // "Not refundable is fine."
            Some(no) => Some((no..at + granted(at), false)),
            None => Some((name..at + granted(at), true)),
        },
        None => None,
        // "Pets are not allowed" may be said of a house, where a field is not called so; what is not needed is not wanted.
        Some(_) => {
            let needed = reader.len(|lang| &lang.sentence.needed, at, clause);
            let permits = || {
                let labels = scene.form.field(mention.field).map(|field| field.label.by_lang.values());
                let permits =
                    |label: &Said, no: usize| reader.langs().any(|lang| lang.sentence.granted.starts(label, no));
                let labels = labels.into_iter().flatten().map(|label| Said::new(label));
                labels.into_iter().any(|label| (0..label.words.len()).any(|no| permits(&label, no)))
            };
            let told = at - from <= 3 && (needed > 0 || permits());
            told.then(|| (name..at + needed.max(granted(at)), false))
        }
    }
}

/// Whether a whole name is a part of the sentence of its own, beside others: "two boxes, very fragile, collected on Friday".
fn stands_alone(reader: &Reader<'_>, board: &Board<'_>, mention: &Mention) -> bool {
    let no = reader.clause_of(mention.words.start);
    let Some(words) = reader.clauses.get(no).map(|clause| clause.words.clone()) else { return false };
    let tells = |no: usize| !reader.is_idle(no) && !reader.is_mark(no);
    let degree = |no: usize| reader.len(|lang| &lang.option.degree, no, no + 1) > 0;
    let alone = words.clone().all(|no| mention.words.contains(&no) || !tells(no) || degree(no));
    // "Breakfast? And a cabin, not for me": what is asked or refused is no wish, nor what a refusal may reach over.
    let asks = reader.clauses.iter().any(|clause| clause.question || clause.tentative);
    let denies = |clause: &Clause| {
        clause.words.clone().any(|no| {
            let end = clause.words.end;
            negates(reader, no, end).max(reader.len(|lang| &lang.yes_no.throughout, no, end)) > 0
        })
    };
    let named = |clause: &Clause| board.mentions.iter().any(|other| clause.words.contains(&other.words.start));
    let before = no.checked_sub(1).and_then(|no| reader.clauses.get(no));
    let refused = before.is_some_and(|before| !before.stop && denies(before))
        || reader.clauses.get(no + 1).is_some_and(|next| denies(next) && !named(next));
    let beside = (0..reader.said.words.len()).any(|no| !words.contains(&no) && tells(no));
    alone && beside && !asks && !refused
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const FLAT: &str = r#"
id = "flat"
title = "Flat"

[[field]]
id = "pets"
kind = "yes_no"
label = "Pets allowed"

[[field]]
id = "seats"
kind = "yes_no"
label = "Seating outdoors"

[[field]]
id = "furnished"
kind = "yes_no"
label = "Furnished"

[[field]]
id = "garage"
kind = "yes_no"
label = "Has garage"

[[field]]
id = "cleaned"
kind = "yes_no"
label = "Add cleaning service"
"#;

    #[rstest]
    #[case("somewhere that allows pets", "pets=true")]
    #[case("pets should be allowed", "pets=true")]
    #[case("pets are not allowed", "pets=false")]
    #[case("pets not allowed please", "pets=false")]
    #[case("no pets", "pets=false")]
    #[case("I love outdoor seating", "seats=true")]
    #[case("without outdoor seating", "seats=false")]
    #[case("completely furnished", "furnished=true")]
    #[case("it is furnished", "furnished=true")]
    #[case("are pets allowed?", "")]
    #[case("I read about pets", "~=pets=true")]
    #[case("two rooms, and a garage would be nice", "garage=true")]
    #[case("it should come with cleaning", "cleaned=true")]
    #[case("cleaning isn't needed", "cleaned=false")]
    #[case("cleaning is not needed but pets are", "cleaned=false; ~=pets=true")]
    #[case("we have two cats and add cleaning too", "pets=true; cleaned=true")]
    #[case("do you think a garage would be nice?", "")]
    #[case("I have no garage and 2 bedrooms please", "garage=false")]
    #[case("nobody is furnished", "furnished=false")]
    #[case("not furnished is ok", "furnished=false")]
    #[case("non furnished is fine", "furnished=false")]
    #[case("without a garage is fine", "garage=false")]
    #[case("no garage, pets ok", "pets=true; garage=false")]
    #[case("pets allowed?", "pets=true")]
    #[case("are pets allowed", "")]
    #[case("furnished? yes", "furnished=true")]
    #[case("furnished? no", "furnished=false")]
    fn a_name_in_a_sentence_answers_its_field(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(FLAT, "").line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    const ROOM: &str = r#"
id = "room"
title = "A room"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "wifi"
kind = "yes_no"
label = { en = "Wifi", it = "Wifi", es = "Wifi", de = "WLAN", fr = "Wifi", ar = "واي فاي" }

[[field]]
id = "parking"
kind = "yes_no"
label = { en = "Parking", it = "Parcheggio", es = "Aparcamiento", de = "Parkplatz", fr = "Parking", ar = "موقف سيارات" }

[[field]]
id = "pets"
kind = "yes_no"
label = { en = "Pets", it = "Animali", es = "Mascotas", de = "Haustiere", fr = "Animaux", ar = "حيوانات" }

[[field]]
id = "breakfast"
kind = "yes_no"
label = { en = "Breakfast included", it = "Colazione inclusa", es = "Desayuno incluido", de = "Mit Frühstück", fr = "Petit-déjeuner compris", ar = "مع إفطار" }

[[field]]
id = "bed"
kind = "choice"
label = "Bed"
options = ["Single", "Double"]

[[field]]
id = "terms"
kind = "yes_no"
label = "I agree to the terms"
required = false
"#;

    #[rstest]
    #[case("en", "", "no pets and wifi", "pets=false")]
    #[case("en", "", "no pets, wifi and parking", "pets=false; ~=parking=true; ~=wifi=true")]
    #[case("en", "", "no pets. wifi please", "pets=false; wifi=true")]
    #[case("en", "", "no pets, wifi please", "pets=false; wifi=true")]
    #[case("en", "", "no pets, with wifi and parking", "parking=true; pets=false; wifi=true")]
    #[case("en", "", "no wifi or parking", "parking=false; wifi=false")]
    #[case("en", "", "no wifi, pets or parking", "parking=false; pets=false; wifi=false")]
    #[case("en", "", "no wifi and no parking", "parking=false; wifi=false")]
    #[case("en", "", "no to wifi and parking", "parking=false; wifi=false")]
    #[case("en", "", "without wifi and parking", "parking=false; wifi=false")]
    #[case("en", "", "without wifi but with parking", "parking=true; wifi=false")]
    #[case("en", "", "with wifi and parking", "parking=true; wifi=true")]
    #[case("en", "", "with wifi or parking", "wifi=true")]
    #[case("en", "", "I need wifi, parking and breakfast", "breakfast=true; parking=true; wifi=true")]
    #[case("en", "", "I don't need parking, just wifi", "parking=false; wifi=true")]
    #[case("en", "", "wifi please", "wifi=true")]
    #[case("en", "", "no pets or wifi please", "pets=false; wifi=false")]
    #[case("en", "", "terms please", "~=terms=true")]
    #[case("en", "breakfast", "no double bed though", "")]
    #[case("en", "breakfast", "no, a double bed though", "bed=double; breakfast=false")]
    #[case("en", "breakfast", "sorry, no", "breakfast=false")]
    #[case("en", "breakfast", "hi, no and a double bed please", "bed=double; breakfast=false")]
    #[case("en", "breakfast", "no problem", "")]
    #[case("ar", "", "بدون واي فاي ومع موقف سيارات", "parking=true; wifi=false")]
    #[case("it", "", "niente wifi e parcheggio", "wifi=false; ~=parking=false")]
    #[case("it", "", "senza wifi e parcheggio", "parking=false; wifi=false")]
    #[case("it", "", "niente animali, con wifi e parcheggio", "parking=true; pets=false; wifi=true")]
    #[case("it", "", "non mi serve il parcheggio, solo il wifi", "parking=false; wifi=true")]
    #[case("it", "", "niente animali. wifi per favore", "pets=false; wifi=true")]
    #[case("es", "", "sin wifi y aparcamiento", "parking=false; wifi=false")]
    #[case("es", "", "sin mascotas, con wifi y aparcamiento", "parking=true; pets=false; wifi=true")]
    #[case("es", "", "no necesito aparcamiento, solo wifi", "parking=false; wifi=true")]
    #[case("es", "breakfast", "no y wifi por favor", "breakfast=false; wifi=true")]
    #[case("de", "", "kein WLAN und Parkplatz", "wifi=false")]
    #[case("de", "", "ohne WLAN und Parkplatz", "parking=false; wifi=false")]
    #[case("de", "", "keine Haustiere, mit WLAN und Parkplatz", "parking=true; pets=false; wifi=true")]
    #[case("de", "", "ich brauche keinen Parkplatz, nur WLAN", "parking=false; wifi=true")]
    #[case("fr", "", "pas de wifi et parking", "wifi=false")]
    #[case("fr", "", "sans wifi et parking", "parking=false; wifi=false")]
    #[case("fr", "", "pas d'animaux, avec wifi et parking", "parking=true; pets=false; wifi=true")]
    #[case("fr", "", "je n'ai pas besoin de parking, juste le wifi", "parking=false; wifi=true")]
    #[case("ar", "", "بدون واي فاي أو موقف سيارات", "parking=false; wifi=false")]
    #[case("ar", "", "لا حيوانات، واي فاي من فضلك", "pets=false; wifi=true")]
    #[case("ar", "", "لا أحتاج إلى موقف سيارات، فقط واي فاي", "parking=false; wifi=true")]
    fn a_no_reaches_as_far_as_its_words_take_it(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(ROOM, asked).speaking(lang).line(said);
        let mut fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        fills.sort_unstable();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    /// Where it is asked whether all is right, what means no harm is no no.
    #[rstest]
    #[case("en", "no problem")]
    #[case("en", "why not")]
    #[case("en", "no worries")]
    #[case("it", "nessun problema")]
    #[case("it", "non c'è problema")]
    #[case("es", "no hay problema")]
    #[case("es", "no me importa")]
    #[case("es", "no tengo inconveniente")]
    #[case("de", "kein Problem")]
    #[case("de", "ich habe nichts dagegen")]
    #[case("fr", "pas de souci")]
    #[case("fr", "pas de problème")]
    #[case("ar", "لا مانع")]
    #[case("ar", "لا بأس")]
    #[case("ar", "لا مشكلة")]
    fn no_problem_is_no_no(#[case] lang: &'static str, #[case] said: &str, #[values("review", "sure")] pending: &str) {
        let line = Stage::new(ROOM, pending).speaking(lang).line(said);
        assert!(!line.contains("deny"), "{said}: {line}");
    }

    const CLUB: &str = r#"
id = "club"
title = "Club"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "debit"
kind = "yes_no"
label = { en = "Direct debit", it = "Addebito diretto", es = "Domiciliación", de = "Lastschrift", fr = "Prélèvement", ar = "خصم مباشر" }

[[field]]
id = "report"
kind = "yes_no"
label = "Police report"

[[field]]
id = "first"
kind = "yes_no"
label = "First time"
"#;

    #[rstest]
    #[case("en", "I want to pay by direct debit", "debit=true")]
    #[case("en", "I don't want to pay by direct debit", "debit=false")]
    #[case("en", "I've filed a police report", "report=true")]
    #[case("en", "I haven't filed a police report", "report=false")]
    #[case("en", "it's my first time", "first=true")]
    #[case("en", "do I need a police report?", "ask \"do I need a police report?\"")]
    #[case("en", "I want to know about the police report", "report=true")]
    #[case("it", "pago con addebito diretto", "debit=true")]
    #[case("es", "prefiero pagar por domiciliación", "debit=true")]
    #[case("de", "ich zahle per Lastschrift", "debit=true")]
    #[case("fr", "je paie par prélèvement", "debit=true")]
    #[case("ar", "أدفع عبر خصم مباشر", "debit=true")]
    fn what_one_does_with_a_thing_answers_whether(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(CLUB, "").speaking(lang).fills(said), expected, "{said}");
    }

    const LOAN: &str = r#"
id = "loan"
title = "Credit"

[[field]]
id = "others"
kind = "yes_no"
label = "Other loans"
"#;

    #[rstest]
    #[case("I need a loan for a car", "")]
    #[case("I have a loan for my house", "others=true")]
    #[case("with another loan", "others=true")]
    #[case("I have no other loans", "others=false")]
    fn what_one_wishes_for_is_no_other_of_it(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(LOAN, "").fills(said), expected, "{said}");
    }
}
