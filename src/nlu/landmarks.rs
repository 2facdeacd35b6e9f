//! Places by what they are, with their name or their street, as one end of a ride: "per l'aeroporto di Ciampino", "parto da via
//! Torino 12", "venez me chercher au 3 rue du Moulin", "in der Gartenstraße 9 abholen", "recogedme en el hotel Bristol".
//!
//! What is no landmark by its words ("work", "the concert") is left to others.

use std::ops::Range;

use super::Scene;
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Slot, with_context};
use super::turns::role_right_before;
use formwright_form::cues::Role;
use formwright_form::kind::text::{Subtype, Text};
use formwright_form::kind::{FieldKind as _, Strength};
use formwright_lexicon::{Language, Phrases};

/// Most words of a landmark's name.
const MOST: usize = 5;

/// A landmark in a message.
#[derive(Clone, Debug)]
pub(super) struct Landmark {
    /// The first word that leads to it.
    pub(super) lead: usize,
    pub(super) words: Range<usize>,
}

/// The landmark that is one end of a ride.
pub(super) fn find(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    role: Role,
) -> Option<Landmark> {
    let streets = || streets(scene, reader, board, slot).into_iter();
    let named = (0..reader.said.words.len()).filter_map(|no| named(reader, board, no));
    let of_role = |words: Range<usize>| {
        let (lead, _) = end(reader, &words).filter(|(_, of)| *of == role)?;
        Some(Landmark { lead, words })
    };
    named.chain(streets()).find_map(of_role)
}

/// Streets with a house number.
fn streets(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>) -> Vec<Range<usize>> {
    let digits = (0..reader.said.words.len()).any(|no| reader.is_digits(no));
    if !digits {
        return Vec::new();
    }
    let address = Text { subtype: Some(Subtype::Address), ..Text::default() };
    let found = with_context(scene, &slot.path, slot.field, |cx| address.find(reader.said, cx)).into_iter();
    let sure = found.filter(|found| found.strength == Strength::Exact);
    // "3 rue du Moulin ce soir" goes on with a time.
    // That of "via 25 Aprile" is its name.
    let timed = |no: &usize| {
        let small = !reader.is_capital(*no) && !reader.is_digits(*no);
        let inside = reader.len(|lang| &lang.name.particles, *no, no + 1) > 0;
        let time = || reader.langs().any(|lang| lang.tells_time(reader.said.plain(*no)));
        small && !inside && (is_taken(board, *no) || time())
    };
    let until = |words: Range<usize>| {
        let end = (words.start + 1..words.end).find(timed).unwrap_or(words.end);
        let small = (words.start + 1..end).rev().take_while(|no| reader.is_idle(*no) && end < words.end).count();
        words.start..end - small
    };
    sure.map(|found| until(past_lead(reader, reader.words_of(&found.span)))).collect()
}

/// A street without "in der" before a name that needs none: "Gartenstraße 9"; that of "Am Markt 5" is part of it.
fn past_lead(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let lang = reader.own_lang();
    let compound = |no: &usize| {
        let plain = reader.said.plain(*no);
        reader.is_digits(no + 1)
            && lang.street.endings.iter().any(|end| plain.len() > end.len() && plain.ends_with(end))
    };
    let start = (words.start + 1..words.end).find(compound).unwrap_or(words.start);
    start..words.end
}

/// A landmark that begins at a word: "aeroporto di Ciampino", "hotel Bristol"; "the airport" needs no name.
fn named(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(no);
    let terminal = sort(reader, no, end, |lang| &lang.naming.terminal);
    let building = sort(reader, no, end, |lang| &lang.naming.building);
    let sort = terminal.max(building).max(sort(reader, no, end, |lang| &lang.naming.public));
    if sort == 0 {
        return None;
    }
    let names = |no: usize| {
        no < end && reader.is_capital(no) && !reader.is_idle(no) && !reader.is_mark(no) && !is_taken(board, no)
    };
    let mut at = no + sort;
    while at < end.min(no + sort + MOST) {
        // German "zum" stands in names, too, and leads on to where one goes.
        let leads = reader.len(|lang| &lang.going.whither, at, end) > 0;
        let particle = if leads { 0 } else { reader.len(|lang| &lang.name.particles, at, end) };
        match (names(at), names(at + particle)) {
            (true, _) => at += 1,
            (false, true) if particle > 0 => at += particle + 1,
            (false, _) => break,
        }
    }
    // "The harbour" of "the harbour hotel" is no place by itself.
    let bare = at == no + sort;
    let alone = || at >= end || reader.is_idle(at) || is_taken(board, at);
    (!bare || terminal > 0 && is_definite(reader, no) && alone()).then_some(no..at)
}

/// Whether a word is part of a day, a time or the like.
fn is_taken(board: &Board<'_>, no: usize) -> bool {
    board.cands.iter().any(|cand| {
        cand.words.contains(&no) && cand.strength > Strength::Weak && board.kind_of(cand).is_some_and(is_telling)
    })
}

/// How many words of a phrase start at a word, whatever article is written together with it: "l'aeroporto".
fn sort(reader: &Reader<'_>, no: usize, end: usize, table: fn(&Language) -> &Phrases<()>) -> usize {
    let elided = || {
        let (_, noun) = reader.said.plain(no).split_once('\'')?;
        reader.langs().any(|lang| table(lang).word(noun).is_some()).then_some(1)
    };
    let len = reader.len(table, no, end);
    if len > 0 { len } else { elided().unwrap_or(0) }
}

/// Whether a word has the definite article before it or in it.
fn is_definite(reader: &Reader<'_>, no: usize) -> bool {
    let before = no.checked_sub(1).is_some_and(|before| {
        let the = reader.len(|lang| &lang.naming.the, before, no);
        the.max(reader.len(|lang| &lang.going.with_the, before, no)) > 0
    });
    before || reader.said.plain(no).contains('\'')
}

/// Which end of a ride words are, by what stands right before them, or by a word for fetching behind them; and where that
/// begins.
fn end(reader: &Reader<'_>, words: &Range<usize>) -> Option<(usize, Role)> {
    const LONGEST: usize = 5;
    let clause = reader.clause_words(words.start);
    let before = |no: usize| no.checked_sub(1).filter(|no| *no >= clause.start);
    // French "à" is no English article.
    let articles = &reader.own_lang().sentence.articles;
    let at = before(words.start).filter(|no| articles.word_at(reader.said, *no).is_some()).unwrap_or(words.start);
    let told = |table: fn(&Language) -> &Phrases<()>| {
        let from = clause.start.max(at.saturating_sub(LONGEST));
        (from..at).find(|no| reader.len(table, *no, words.start) == at - no)
    };
    let elided = reader.said.plain(words.start).split_once('\'').map(|(article, _)| article);
    let fetched = || {
        let fetch = reader.len(|lang| &lang.sentence.fetch, words.end, clause.end);
        told(|lang| &lang.going.inside).or(told(|lang| &lang.going.with_the)).filter(|_| fetch > 0)
    };
    if let Some(lead) = told(|lang| &lang.going.rides_from).or_else(fetched) {
        return Some((lead, Role::First));
    }
    if let Some(lead) = told(|lang| &lang.going.rides_to).or_else(|| told(|lang| &lang.going.whither)) {
        return Some((lead, Role::Second));
    }
    match elided {
        Some("dall") => Some((words.start, Role::First)),
        Some("all") => Some((words.start, Role::Second)),
        _ => before(at).and_then(|no| Some((no, role_right_before(reader, no, at)?))),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const CAB: &str = r#"
id = "cab"
title = "Cab"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "from"
kind = "text"
label = "Pick-up place"
subtype = "place"

[[field]]
id = "to"
kind = "text"
label = "Drop-off place"
subtype = "place"

[[field]]
id = "hour"
kind = "time"
label = "Hour"
"#;

    #[rstest]
    #[case("it", "un taxi per l'aeroporto di Ciampino alle 17", "to=aeroporto di Ciampino; hour=17:00")]
    #[case("it", "dall'hotel Bristol alla stazione di Porta Nuova", "from=hotel Bristol; to=stazione di Porta Nuova")]
    #[case("it", "parto da via Garibaldi 8", "from=via Garibaldi 8")]
    #[case("it", "portatemi all'aeroporto", "to=aeroporto")]
    #[case("it", "ho lasciato la borsa in aeroporto", "")]
    #[case("es", "recogedme en el hotel Bristol", "from=hotel Bristol")]
    #[case("es", "de la estación de Chamartín al aeropuerto", "from=estación de Chamartín; to=aeropuerto")]
    #[case("es", "un taxi desde la calle Luna 7", "from=calle Luna 7")]
    #[case("de", "bitte um 18:30 in der Gartenstraße 9 abholen", "from=Gartenstraße 9; hour=18:30")]
    #[case("de", "vom Hotel Bristol zum Flughafen", "from=Hotel Bristol; to=Flughafen")]
    #[case("fr", "venez nous chercher au 3 rue du Moulin à 21h", "from=3 rue du Moulin; hour=21:00")]
    #[case("fr", "de la gare de Lyon à l'aéroport", "from=gare de Lyon; to=aéroport")]
    #[case("fr", "je pars du 3 rue du Moulin ce soir à 22h", "from=3 rue du Moulin; hour=22:00")]
    #[case("fr", "je pars du 9 rue des Peupliers demain soir", "from=9 rue des Peupliers")]
    #[case("it", "parto da via 25 Aprile 7", "from=via 25 Aprile 7")]
    #[case("fr", "pour aller à l'Alhambra", "to=Alhambra")]
    #[case("it", "vorrei andare a L'Aquila", "to=L'Aquila")]
    #[case("en", "the hotel Bristol was nice", "")]
    fn a_landmark_is_an_end_of_a_ride(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(CAB, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
