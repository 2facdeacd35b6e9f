//! What is written at a desk about a case: `approve`, `reject too late`, `changes phone, address: the street, please`.

use crate::desk::state::{About, Deed};
use formwright_form::kind::Said;
use formwright_lexicon::Language;
use formwright_lexicon::desk::DeskWord;
use formwright_nlu as nlu;
use formwright_text::Class;

/// What words at a desk mean.
#[derive(Debug, PartialEq)]
pub(crate) enum Told<'a> {
    /// Does this, with what was said after it.
    Do(Deed, &'a str),
    /// Anything else.
    Words(&'a str),
}

/// Reads words about a case: in the language of the desk, or in English.
pub(crate) fn told<'a>(text: &'a str, lang: &Language, about: About) -> Told<'a> {
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
    // "Change the date on page two" is said to somebody, where there is nothing to decide.
    if deed.about() != about {
        return Told::Words(text);
    }
    let after = Said::new(rest);
    let nothing = after.words.iter().all(|word| word.class == Class::Mark) || nlu::is_courtesy(&after, lang);
    match deed {
        Deed::Reject | Deed::Change => Told::Do(deed, rest),
        // "Claim it under travel" is an answer, no claim.
        Deed::Approve | Deed::Claim | Deed::Answer | Deed::Return if nothing => Told::Do(deed, ""),
        Deed::Approve | Deed::Claim | Deed::Answer | Deed::Return => Told::Words(text),
    }
}

/// The fields that words name, by label or path, and what is said after the colon.
pub(crate) fn fields<'a>(text: &'a str, rows: &[formwright_chat::CardRow]) -> Option<(Vec<String>, &'a str)> {
    const BETWEEN: [char; 3] = [',', ';', '،'];
    const BEFORE_WHY: [char; 2] = [':', '\n'];
    let norm = |text: &str| Said::new(text.trim()).norm;
    let names: Vec<(String, &str)> =
        rows.iter().flat_map(|row| [&row.label, &row.field].map(|name| (norm(name), row.field.as_str()))).collect();
    // Letters may take more room in a message than in a name.
    let longest = 2 * names.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 8;
    let mut rest = text;
    let mut fields: Vec<String> = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| BETWEEN.contains(&c) || c == ' ');
        if rest.is_empty() || rest.starts_with(BEFORE_WHY) {
            break;
        }
        // A name may hold what stands between names.
        let ends = rest.match_indices(|c| BETWEEN.contains(&c) || BEFORE_WHY.contains(&c)).map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain([rest.len()]).take_while(|end| *end <= longest).collect();
        let named = |end: &usize| {
            let said = norm(rest.get(..*end)?);
            names.iter().find(|(name, _)| *name == said).map(|(_, field)| (*end, *field))
        };
        let (end, field) = ends.iter().rev().find_map(named)?;
        if !fields.iter().any(|named| named == field) {
            fields.push(field.to_owned());
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    (!fields.is_empty()).then(|| (fields, rest.trim_start_matches(BEFORE_WHY).trim()))
}

#[cfg(test)]
mod tests {
    use formwright_chat::{CardRow, Source};
    use rstest::rstest;

    use crate::desk::state::{About, Deed};
    use formwright_lexicon::language;

    use super::*;

    #[rstest]
    #[case("en", "approve", Told::Do(Deed::Approve, ""))]
    #[case("en", "Approved!", Told::Do(Deed::Approve, ""))]
    #[case("en", "approved, thanks", Told::Do(Deed::Approve, ""))]
    #[case("en", "accept it under travel", Told::Words("accept it under travel"))]
    #[case("en", "reject: too late", Told::Do(Deed::Reject, "too late"))]
    #[case("it", "approva", Told::Do(Deed::Approve, ""))]
    #[case("it", "approve", Told::Do(Deed::Approve, ""))]
    #[case("it", "rifiuta troppo tardi", Told::Do(Deed::Reject, "troppo tardi"))]
    #[case("de", "Änderungen Telefon: bitte mit Vorwahl", Told::Do(Deed::Change, "Telefon: bitte mit Vorwahl"))]
    #[case("fr", "accepter", Told::Do(Deed::Approve, ""))]
    #[case("es", "rechazar", Told::Do(Deed::Reject, ""))]
    #[case("ar", "موافق", Told::Do(Deed::Approve, ""))]
    fn what_is_written_at_a_desk(#[case] lang: &str, #[case] text: &str, #[case] means: Told<'_>) {
        assert_eq!(told(text, language(lang), About::Review), means);
    }

    #[rstest]
    #[case("claim", Told::Do(Deed::Claim, ""))]
    #[case("back, thanks", Told::Do(Deed::Return, ""))]
    #[case("claim it under travel", Told::Words("claim it under travel"))]
    #[case("Change the date on page two", Told::Words("Change the date on page two"))]
    #[case("reject the first offer", Told::Words("reject the first offer"))]
    #[case("approved", Told::Words("approved"))]
    fn what_is_written_to_a_person(#[case] text: &str, #[case] means: Told<'_>) {
        assert_eq!(told(text, language("en"), About::HandOff), means);
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
        let rows = [row("phone", "Telephone"), row("address.street", "Street"), row("who", "Name, first: last")];
        let found = |text| fields(text, &rows).map(|(fields, why)| (fields.join(" "), why));
        assert_eq!(found("telephone, Street: please"), Some(("phone address.street".to_owned(), "please")));
        assert_eq!(found("phone, phone"), Some(("phone".to_owned(), "")));
        assert_eq!(found("name, first: last, phone: all of it"), Some(("who phone".to_owned(), "all of it")));
        assert_eq!(found("phone: no, the other one"), Some(("phone".to_owned(), "no, the other one")));
        assert_eq!(found("phone\nthe other one"), Some(("phone".to_owned(), "the other one")));
        assert_eq!(found("mobile: please"), None);
        assert_eq!(found(""), None);
    }
}
