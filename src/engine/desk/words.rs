//! What is written at a desk about a case: `approve`, `reject too late`, `changes phone, address: the street, please`.

use super::state::Deed;
use crate::form::kind::Said;
use crate::form::language::{Language, desk::DeskWord};

/// What words at a desk mean.
#[derive(Debug, PartialEq)]
pub(super) enum Told<'a> {
    /// Does this, with what was said after it.
    Do(Deed, &'a str),
    /// Anything else.
    Words(&'a str),
}

/// Reads words: in the language of the desk, or in English.
pub(super) fn told<'a>(text: &'a str, lang: &Language) -> Told<'a> {
    let said = Said::new(text);
    let found = lang.and_english().find_map(|lang| lang.desk.word.at(&said, 0));
    let Some((len, word)) = found else { return Told::Words(text) };
    let end = said.raw_words(0..len).end;
    let rest = text.get(end..).unwrap_or_default().trim_start_matches([':', ',', '.', '-', ' ']).trim();
    let deed = match word {
        DeskWord::Approve => Deed::Approve,
        DeskWord::Reject => Deed::Reject,
        DeskWord::Changes => Deed::Change,
        DeskWord::Claim => Deed::Claim,
        DeskWord::Back => Deed::Return,
    };
    let takes_more = matches!(deed, Deed::Reject | Deed::Change);
    // "Claim it under travel" is an answer, no claim.
    if takes_more || rest.is_empty() { Told::Do(deed, rest) } else { Told::Words(text) }
}

/// The fields that words name, by label or path, and what is said after the colon.
pub(super) fn fields<'a>(text: &'a str, rows: &[formwright_chat::CardRow]) -> Option<(Vec<String>, &'a str)> {
    let (names, why) = text.split_once([':', '\n']).unwrap_or((text, ""));
    let same = |one: &str, other: &str| Said::new(one.trim()).norm == Said::new(other).norm;
    let mut fields = Vec::new();
    for name in names.split([',', ';', '،']).map(str::trim).filter(|name| !name.is_empty()) {
        let row = rows.iter().find(|row| same(name, &row.label) || same(name, &row.field))?;
        if !fields.contains(&row.field) {
            fields.push(row.field.clone());
        }
    }
    (!fields.is_empty()).then(|| (fields, why.trim()))
}

#[cfg(test)]
mod tests {
    use formwright_chat::{CardRow, Source};
    use rstest::rstest;

    use super::*;
    use crate::form::language::language;

    #[rstest]
    #[case("en", "approve", Told::Do(Deed::Approve, ""))]
    #[case("en", "Approved!", Told::Words("Approved!"))]
    #[case("en", "reject: too late", Told::Do(Deed::Reject, "too late"))]
    #[case("en", "claim", Told::Do(Deed::Claim, ""))]
    #[case("en", "claim it under travel", Told::Words("claim it under travel"))]
    #[case("it", "approva", Told::Do(Deed::Approve, ""))]
    #[case("it", "approve", Told::Do(Deed::Approve, ""))]
    #[case("it", "rifiuta troppo tardi", Told::Do(Deed::Reject, "troppo tardi"))]
    #[case("de", "Änderungen Telefon: bitte mit Vorwahl", Told::Do(Deed::Change, "Telefon: bitte mit Vorwahl"))]
    #[case("fr", "accepter", Told::Do(Deed::Approve, ""))]
    #[case("es", "rechazar", Told::Do(Deed::Reject, ""))]
    #[case("ar", "موافق", Told::Do(Deed::Approve, ""))]
    fn what_is_written_at_a_desk(#[case] lang: &str, #[case] text: &str, #[case] means: Told<'_>) {
        assert_eq!(told(text, language(lang)), means);
    }

    #[test]
    fn fields_are_named_by_label_or_path() {
        let row = |field: &str, label: &str| CardRow {
            field: field.to_owned(),
            label: label.to_owned(),
            value: String::new(),
            source: Source::Said,
            edit: None,
        };
        let rows = [row("phone", "Telephone"), row("address.street", "Street")];
        let found = |text| fields(text, &rows).map(|(fields, why)| (fields.join(" "), why));
        assert_eq!(found("telephone, Street: please"), Some(("phone address.street".to_owned(), "please")));
        assert_eq!(found("phone, phone"), Some(("phone".to_owned(), "")));
        assert_eq!(found("mobile: please"), None);
        assert_eq!(found(""), None);
    }
}
