//! The words of a text that others will read, behind those that say what it is to say: "change the card to say Get well",
//! "write Happy birthday, Ann" where it was asked for.

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::sentence::is_wording;
use super::spans::{Board, Slot, read};
use super::texts::trim_ends;
use formwright_form::kind::Reading;

/// Most words between what such a text is on and what it says: "the card for my mother should say".
const REACH: usize = 5;

/// Fills the only field for such a text.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let wording = |no: &usize| board.slots.get(*no).is_some_and(|slot| is_wording(slot.field, scene.lang));
    let mut all = (0..board.slots.len()).filter(wording);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|_| !ledger.has(no)) else { return };
    let told = (0..reader.said.words.len()).find_map(|at| told_at(reader, board, slot, at));
    let Some((from, words)) = told.filter(|(_, words)| !words.is_empty() && ledger.is_free(words.clone())) else {
        return;
    };
    if let Reading::Value(found) = read(scene, reader, slot, words.clone())
        && ledger.fill_named(reader, no, found)
    {
        ledger.claim(from..words.end);
    }
}

/// Where the words begin at one that say what a text is to say, and the text.
fn told_at(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize) -> Option<(usize, Range<usize>)> {
    let clause = reader.clause_words(at);
    let says = reader.len(|lang| &lang.brief.says, at, clause.end);
    let writes = if slot.asked { reader.len(|lang| &lang.brief.writes, at, clause.end) } else { 0 };
    let named = |no: usize| board.mentions_of(slot).any(|mention| mention.words.contains(&no));
    let on = (clause.start.max(at.saturating_sub(REACH))..at)
        .find(|no| named(*no) || reader.len(|lang| &lang.brief.wording, *no, at) > 0);
    // "Write to me" may be the text itself.
    let first = |no: usize| no == clause.start || no == reader.past_filler(clause.clone());
    let bids = writes > 0 && first(at) && begins_so(reader, at + writes);
    let replaces = slot.value.is_none() || slot.asked || reader.begins(|lang| &lang.control.edit, clause.clone());
    let from = on.filter(|_| says > 0).or_else(|| bids.then_some(at))?;
    let start = at + if bids { writes } else { says };
    let end = if slot.asked { reader.said.words.len() } else { sentence_end(reader, at) };
    replaces.then(|| (from, trim_ends(reader, start..end)))
}

/// Whether a text begins at a word: with a capital, or behind a colon or quotation mark.
fn begins_so(reader: &Reader<'_>, no: usize) -> bool {
    reader.is_capital(no) || reader.is_mark(no)
}

/// Where the sentence of a word ends.
fn sentence_end(reader: &Reader<'_>, no: usize) -> usize {
    let rest = reader.clauses.iter().skip(reader.clause_of(no));
    let end = rest.clone().find(|clause| clause.stop).or(rest.last());
    end.map_or(reader.said.words.len(), |clause| clause.words.end)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const FLOWERS: &str = r#"
id = "flowers"
title = "Flowers"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "card"
kind = "text"
label = { en = "Card message", it = "Testo del biglietto", es = "Mensaje de la tarjeta", de = "Kartentext", fr = "Texte de la carte", ar = "نص البطاقة" }

[[field]]
id = "day"
kind = "date"
label = "Delivery date"
"#;

    #[rstest]
    #[case("en", "", "Please change the card to say Get better soon Dad", "card=Get better soon Dad")]
    #[case("en", "", "the card should read Happy Easter, all of you", "card=Happy Easter, all of you")]
    #[case("en", "", "make the card say Well done. Deliver it on Friday", "day=2026-11-27; card=Well done")]
    #[case("en", "card", "Write Happy 40th, love from all of us", "card=Happy 40th, love from all of us")]
    #[case("en", "card", "it should say Congratulations", "card=Congratulations")]
    #[case("en", "card", "write to me soon, love Jo", "card=write to me soon, love Jo")]
    #[case("en", "card", "they say it's your birthday", "card=they say it's your birthday")]
    #[case("en", "", "I'd say Friday", "day=2026-11-27")]
    #[case("it", "", "sul biglietto scrivete Auguri nonna", "card=Auguri nonna")]
    #[case("es", "card", "Escribe Feliz cumpleaños Ana", "card=Feliz cumpleaños Ana")]
    #[case("de", "", "auf der Karte soll stehen Alles Gute Oma", "card=Alles Gute Oma")]
    #[case("fr", "card", "Écrivez Joyeux anniversaire Léa", "card=Joyeux anniversaire Léa")]
    #[case("ar", "card", "اكتب: عيد ميلاد سعيد", "card=عيد ميلاد سعيد")]
    fn a_text_stands_behind_what_it_is_to_say(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let filled = Stage::new(FLOWERS, asked).speaking(lang).fills(said);
        assert_eq!(sorted(&filled), sorted(expected), "{said}");
    }
}
