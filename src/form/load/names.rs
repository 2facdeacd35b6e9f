//! Rules for names and codes.

use std::ops::Range;

use super::node::{Data, Entry, Node};
use formwright_form::problem::{Problem, Problems};
use formwright_form::text::clean;

/// What a name may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// A letter, then letters, digits, `_` and `-`.
    Name,
    /// A letter, then letters, digits and `_`, and no word that expressions keep for themselves.
    Field,
    /// As `Field`, for the arguments of tools.
    Identifier,
    /// What an option is stored as: any text on one line.
    Option,
}

/// Longest name.
const MAX_CHARS: usize = 64;

/// Longest text that an option is stored as, in bytes.
pub(super) const MAX_OPTION: usize = 200;

/// Words that mean something in expressions.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "value",
    "row",
    "today",
    "now",
];

/// Reports a name that breaks the rule.
pub(super) fn check(name: &str, rule: Rule, span: &Range<usize>, problems: &mut Problems) {
    if rule == Rule::Option {
        if !is_option(name) {
            let problem = Problem::error("form::bad_name", format!("no option is stored as {name:?}"));
            let help = format!("it is one line of up to {MAX_OPTION} bytes, without space around it");
            problems.push(problem.at(span.clone(), "not what an option can be").help(help));
        }
        return;
    }
    let dash = rule == Rule::Name;
    let body = |c: char| c.is_ascii_alphanumeric() || c == '_' || dash && c == '-';
    let shaped = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(body);
    if !shaped || name.len() > MAX_CHARS {
        let made_of = if dash { "letters, digits, `_` and `-`" } else { "letters, digits and `_`" };
        let problem = Problem::error("form::bad_name", format!("`{name}` cannot be a name"));
        let help = format!("a name begins with a letter and has up to {MAX_CHARS} {made_of}");
        let help = suggestion(name, dash).map_or(help.clone(), |good| format!("{help}: `{good}`"));
        problems.push(problem.at(span.clone(), "not a name").help(help));
    } else if !dash && RESERVED.contains(&name) {
        let problem = Problem::error("form::reserved_name", format!("`{name}` means something else in expressions"));
        problems.push(problem.at(span.clone(), "kept for expressions").help(format!("call it `{name}_` or better")));
    }
}

/// Whether a field may be called so.
pub(super) fn is_free(name: &str) -> bool {
    let mut problems = Problems::new();
    check(name, Rule::Field, &(0..0), &mut problems);
    problems.is_empty()
}

/// Whether an option can be stored as this text: what is sent is then what was written, to the letter.
pub(super) fn is_option(text: &str) -> bool {
    (1..=MAX_OPTION).contains(&text.len())
        && text.trim() == text
        && clean(text) == text
        && !text.contains(['\n', '\r', '\t'])
}

/// An option that is stored as `id`: its label alone, where that gives the same.
pub(super) fn option(id: &str, label: &Node) -> Node {
    if label.text().is_some_and(|label| slug(label) == id) {
        return label.clone();
    }
    let entry = |key: &str, node: Node| Entry { key: key.to_owned(), span: label.span.clone(), node };
    let id = Node { span: label.span.clone(), data: Data::Text(id.to_owned()) };
    let map = vec![entry("id", id), entry("label", label.clone())];
    Node { span: label.span.clone(), data: Data::Map(map) }
}

/// Whether a word can be the name of a form or a tool.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn suggestion(name: &str, dash: bool) -> Option<String> {
    let slug = slug(name);
    let good = if dash { slug } else { slug.replace('-', "_") };
    (good.starts_with(|c: char| c.is_ascii_alphabetic()) && good.len() <= MAX_CHARS && good.is_ascii()).then_some(good)
}

/// A label as a name: small letters without accents and digits, joined by `-`. Empty where the label has neither.
pub(super) fn slug(label: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let mut slug = String::new();
    for c in label.nfkd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !matches!(c, '\'' | '’') && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Whether a tag names a language: `en`, `pt-BR`.
pub(super) fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_lowercase())
        && parts.all(|part| (2..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether a word is a code of so many capital letters.
pub(super) fn is_code(word: &str, len: usize) -> bool {
    word.len() == len && word.chars().all(|c| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Four Cheeses", "four-cheeses")]
    #[case("  Città  di Castello! ", "citta-di-castello")]
    #[case("I don't know", "i-dont-know")]
    #[case("نعم", "نعم")]
    #[case("!?", "")]
    fn a_label_becomes_a_name(#[case] label: &str, #[case] name: &str) {
        assert_eq!(slug(label), name);
    }

    #[rstest::rstest]
    #[case("phone", Rule::Field, None)]
    #[case("home-phone", Rule::Name, None)]
    #[case("home-phone", Rule::Field, Some("form::bad_name"))]
    #[case("1st", Rule::Name, Some("form::bad_name"))]
    #[case("1st", Rule::Option, None)]
    #[case("dark red, é", Rule::Option, None)]
    #[case("-1", Rule::Option, None)]
    #[case("", Rule::Option, Some("form::bad_name"))]
    #[case(" a", Rule::Option, Some("form::bad_name"))]
    #[case("a\nb", Rule::Option, Some("form::bad_name"))]
    #[case("", Rule::Name, Some("form::bad_name"))]
    #[case("value", Rule::Field, Some("form::reserved_name"))]
    fn a_name_is_checked(#[case] name: &str, #[case] rule: Rule, #[case] code: Option<&str>) {
        let mut problems = Problems::new();
        check(name, rule, &(0..name.len()), &mut problems);
        assert_eq!(problems.first().map(|problem| problem.code), code);
    }
}
