//! Amounts beside the one that is to be moved: the 500 of "I have 500 euros, send 100 to Eva". Nor is "half of 80 euros" half a
//! euro or 80: how much it is nobody says.

use rust_decimal::Decimal;

use super::reader::Reader;
use super::spans::{Board, Cand};
use formwright_form::{Kind, Value};
use formwright_lexicon::dates::Mark;

/// Most words between what moves money and the amount: "send back about".
const REACH: usize = 3;

/// Takes out the amounts that are not moved, where a form asks for one amount.
pub(super) fn take_out(reader: &Reader<'_>, board: &mut Board<'_>) {
    let money = board.slots.iter().filter(|slot| matches!(slot.field.kind, Kind::Money(_))).count();
    if money != 1 {
        return;
    }
    let amount = |cand: &Cand| matches!(cand.value, Value::Money { .. });
    let moved = board.cands.iter().find(|cand| amount(cand) && is_moved(reader, cand)).map(|cand| cand.words.start);
    let shares: Vec<&Cand> = board.cands.iter().filter(|cand| amount(cand) && is_share(reader, cand)).collect();
    let of_share =
        |cand: &Cand| shares.iter().any(|share| (share.words.start..=share.words.end + 2).contains(&cand.words.start));
    let out: Vec<bool> = board
        .cands
        .iter()
        .map(|cand| amount(cand) && (moved.is_some_and(|start| cand.words.end <= start) || of_share(cand)))
        .collect();
    board.put_aside(out);
}

/// Whether what moves money stands right before an amount: "send 100".
fn is_moved(reader: &Reader<'_>, cand: &Cand) -> bool {
    let start = reader.clause_start(cand.words.start).max(cand.words.start.saturating_sub(REACH));
    (start..cand.words.start).any(|no| {
        let len = reader.len(|lang| &lang.naming.remits, no, cand.words.start);
        len > 0 && (no + len..cand.words.start).all(|no| reader.is_idle(no))
    })
}

/// Whether a fraction in words stands before what it is a part of: "half of 80 euros", "half of my 1000".
fn is_share(reader: &Reader<'_>, cand: &Cand) -> bool {
    let Value::Money { amount, .. } = &cand.value else { return false };
    let words = !cand.words.clone().any(|no| reader.is_digits(no));
    let fraction = *amount < Decimal::ONE && *amount > Decimal::ZERO && words;
    let end = reader.clause_end(cand.words.start);
    let next = cand.words.end;
    let of = next < end && reader.is_date_mark(next, |mark| matches!(mark, Mark::Of));
    fraction && of && (next + 1..end.min(next + 1 + REACH)).any(|no| reader.is_digits(no) || reader.is_of_number(no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const GIFT: &str = r#"
id = "gift"
title = "Gift"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "amount"
kind = "money"
label = "Amount"
currency = "EUR"
"#;

    #[rstest]
    #[case("en", "I have 500 euros, send 100 to Eva", "100.00")]
    #[case("en", "I got 200 euros from Bill, please send 150 of it", "150.00")]
    #[case("en", "send 50 euros, no, 60 euros", "60.00")]
    #[case("en", "I paid 300 euros last time", "300.00")]
    #[case("en", "send half of 80 euros", "")]
    #[case("en", "half of my 1000", "")]
    #[case("en", "the third quarter was 75 euros", "75.00")]
    #[case("it", "ho 500 euro, manda 100 a Eva", "100.00")]
    #[case("es", "tengo 500 euros, envía 100 a Eva", "100.00")]
    #[case("de", "ich habe 500 Euro, überweise 100 an Eva", "100.00")]
    #[case("fr", "j'ai 500 euros, envoie 100 à Eva", "100.00")]
    fn the_amount_that_is_moved_is_meant(#[case] lang: &'static str, #[case] said: &str, #[case] amount: &str) {
        let line = Stage::new(GIFT, "").speaking(lang).fills(said);
        let told = line.split("\"amount\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        assert_eq!(told, amount, "{said}: {line}");
    }
}
