//! What names in a document mean: of properties, columns, headings and languages, in our words and in FormPilot's.

use formwright_lexicon::NAMED;

use crate::shape::Spec;
use crate::{advice, names};

/// What a property or column is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A key of the table of keys, in a language where the name gives one.
    Key(&'static str, Option<String>),
    /// When the field is shown.
    Visible,
    /// When an answer is needed.
    NeededWhen,
    /// Whether an answer is needed: yes, no, or when.
    Needed,
    /// Which tool gives the options, in whatever words.
    Source,
    /// What must hold of the answer, in words.
    Constraints,
    /// Which field must be answered before.
    DependsOn,
    /// The number of the step.
    Step,
    /// An expression over the answer.
    Check,
    /// What is said where the check does not hold.
    Otherwise(Option<String>),
    /// What a tool is given.
    Args,
    /// Nothing that is read: a number of the row, what a tool returns in words.
    Nothing,
    /// None of these.
    Unknown,
}

/// The languages that words name, in their order.
pub(super) fn languages(words: &str) -> Vec<&'static str> {
    let words = words.to_lowercase();
    let named = words.split(|c: char| !c.is_alphanumeric());
    named.filter_map(|word| NAMED.iter().find(|(name, _)| *name == word)).map(|(_, tag)| *tag).collect()
}

/// The language that a column is in, by its name: `ar`, `Arabic`.
pub(super) fn language(name: &str) -> Option<String> {
    let name = name.trim();
    let known = NAMED.iter().find(|(english, tag)| english.eq_ignore_ascii_case(name) || *tag == name);
    known.map(|(_, tag)| (*tag).to_owned()).or_else(|| {
        // Two letters may be a word, such as `id` or `no`.
        let tag = names::is_language(name) && name.contains('-');
        tag.then(|| name.to_owned())
    })
}

/// A name without its marks, and the language in the brackets behind it: `Ask User (ar)`.
fn parts(name: &str) -> (String, Option<String>) {
    let name = name.trim().trim_end_matches(':').trim();
    let bracket = name.strip_suffix(')').and_then(|open| open.rsplit_once('('));
    if let Some((before, inside)) = bracket {
        let tag = language(inside).or_else(|| names::is_language(inside).then(|| inside.to_owned()));
        if tag.is_some() {
            return (word(before), tag);
        }
    }
    (word(name), None)
}

/// A name as a key is written: `Max chars` becomes `max_chars`.
pub(super) fn word(name: &str) -> String {
    let name = name.trim().to_lowercase();
    name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_')).collect::<Vec<_>>().join("_")
}

/// What a property of a field, page, tool or form means.
pub(super) fn property(name: &str, spec: &'static Spec) -> Meaning {
    let (word, language) = parts(name);
    let ours = match (spec.name, word.as_str()) {
        (_, "#" | "no." | "nr" | "") => return Meaning::Nothing,
        ("field", "visible" | "visible_when" | "visible_if" | "visibility" | "visibility_condition" | "show_when") => {
            return Meaning::Visible;
        }
        ("field", "required" | "mandatory") => return Meaning::Needed,
        ("field", "required_when" | "required_if") => return Meaning::NeededWhen,
        ("field", "data_source" | "before_asking" | "source") => return Meaning::Source,
        ("field", "constraints" | "constraint" | "validation" | "file_constraints") => return Meaning::Constraints,
        ("field", "depends_on" | "dependency") => return Meaning::DependsOn,
        ("field", "step") => return Meaning::Step,
        ("field", "check") => return Meaning::Check,
        ("field", "otherwise" | "else") => return Meaning::Otherwise(language),
        ("field", "field_id") => "id",
        ("field", "type" | "field_type") => "kind",
        ("field", "ask_user" | "prompt" | "question") => "ask",
        ("field", "name" | "title") => "label",
        ("field", "default_country") => "country",
        ("page", "step" | "page_id" | "step_id") => "id",
        ("page" | "form", "visible_when" | "visible_if") => "show_when",
        ("tool", "args" | "input" | "arguments") => return Meaning::Args,
        ("tool", "when" | "when_to_call" | "notes" | "returns" | "when_called") => return Meaning::Nothing,
        ("tool", "tool" | "tool_call" | "name" | "tool_id") => "id",
        ("tool", "purpose") => "description",
        ("tool", "type") => "kind",
        ("form", "form_id") => "id",
        ("form", "form_name" | "name") => "title",
        ("form", "purpose") => "description",
        ("form", "language") => "languages",
        ("option", "option" | "options" | "text") => "label",
        ("option", "key" | "value" | "code") => "id",
        (_, word) => word,
    };
    let known: Vec<&'static str> = spec.all_keys().map(|key| key.name).collect();
    let key = spec.all_keys().find(|key| key.is_named(ours)).map(|key| key.name);
    match key.or_else(|| advice::key(ours, true, &known)) {
        Some("show_when") if spec.name == "field" => Meaning::Visible,
        Some("required_when") if spec.name == "field" => Meaning::NeededWhen,
        Some("check") if spec.name == "field" => Meaning::Check,
        Some(key) => Meaning::Key(key, language),
        None => Meaning::Unknown,
    }
}

/// The kind that words name: `Single-select from list`, `Phone number with country code`.
pub(super) fn kind(words: &str) -> String {
    let plain = words.to_lowercase();
    let plain = plain.split(['(', ';']).next().unwrap_or_default().trim();
    let begins = |heads: &[&str]| heads.iter().any(|head| plain.starts_with(head));
    let kind = match plain {
        "free text" | "short text" | "single-line text" => "text",
        "long text" | "multi-line text" | "multiline text" => "long_text",
        "date + time" | "date and time" | "date & time" => "datetime",
        "yes / no" | "yes/no" | "yes or no" => "yes_no",
        _ if begins(&["single-select", "single select", "dropdown"]) => "choice",
        _ if begins(&["multi-select", "multi select", "multiple choice"]) => "choices",
        _ if begins(&["phone number", "mobile number"]) => "phone",
        _ if begins(&["map pin", "location"]) => "location",
        _ if begins(&["file upload", "file[]", "document upload"]) => "file",
        _ => match advice::meant_kind(plain) {
            Some(kind) => kind,
            None => return words.trim().to_owned(),
        },
    };
    kind.to_owned()
}

/// A heading as a label: without its number and what is said of it in brackets: `2.4 — Delay Reason (REQUIRED)`.
pub(super) fn label(heading: &str) -> String {
    let mut label = heading.trim();
    let numbered = label.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if numbered.len() < label.len() && numbered.starts_with([' ', ')']) {
        label = numbered.trim_start_matches([' ', ')', '—', '–', '-', ':']);
    }
    if let Some((before, inside)) = label.strip_suffix(')').and_then(|open| open.rsplit_once('(')) {
        let inside = inside.to_ascii_lowercase();
        if ["required", "optional", "conditional"].iter().any(|word| inside.contains(word)) {
            label = before;
        }
    }
    label.trim().to_owned()
}

/// The title of a form: FormPilot's begin with its name.
pub(super) fn title(heading: &str) -> &str {
    let heading = heading.trim();
    let rest = heading.get(..11).filter(|head| head.eq_ignore_ascii_case("form pilot:"));
    rest.and_then(|head| heading.get(head.len()..)).map_or(heading, str::trim)
}

/// The number and title of a step, where a heading is one: `Step 2: The injury`.
pub(super) fn step(heading: &str) -> Option<(u32, &str)> {
    let heading = heading.trim();
    let (word, rest) = heading.split_once(char::is_whitespace)?;
    if !word.eq_ignore_ascii_case("step") && !word.eq_ignore_ascii_case("page") {
        return None;
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, title) = rest.split_at(digits);
    let title = title.trim_start();
    // "Step 1 Validation" speaks of a step and begins none.
    let parted = title.is_empty() || title.starts_with([':', '—', '–', '-', '.']);
    let title = title.trim_start_matches([':', '—', '–', '-', '.']).trim();
    number.parse().ok().filter(|_| parted).map(|number| (number, title))
}

/// Letters and digits alone, in small letters, to compare headings and names: `Place Type` is `placeType`.
pub(super) fn plain(words: &str) -> String {
    words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name of words: `Document uploads` becomes `document_uploads`.
pub(super) fn name(words: &str) -> String {
    names::slug(words).replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{FIELD, FORM, OPTION, PAGE, TOOL};

    #[rstest::rstest]
    #[case("Field ID", &FIELD, Meaning::Key("id", None))]
    #[case("Type", &FIELD, Meaning::Key("kind", None))]
    #[case("Ask User (ar)", &FIELD, Meaning::Key("ask", Some("ar".into())))]
    #[case("Label (Arabic)", &FIELD, Meaning::Key("label", Some("ar".into())))]
    #[case("Max chars", &FIELD, Meaning::Key("max_chars", None))]
    #[case("Example", &FIELD, Meaning::Key("examples", None))]
    #[case("Placeholder", &FIELD, Meaning::Key("examples", None))]
    #[case("Visible when", &FIELD, Meaning::Visible)]
    #[case("show_when", &FIELD, Meaning::Visible)]
    #[case("Required", &FIELD, Meaning::Needed)]
    #[case("Otherwise (it)", &FIELD, Meaning::Otherwise(Some("it".into())))]
    #[case("Display Value", &FIELD, Meaning::Unknown)]
    #[case("#", &FIELD, Meaning::Nothing)]
    #[case("Form ID", &FORM, Meaning::Key("id", None))]
    #[case("Purpose", &FORM, Meaning::Key("description", None))]
    #[case("Tool Call", &TOOL, Meaning::Key("id", None))]
    #[case("Step ID", &PAGE, Meaning::Key("id", None))]
    #[case("Key", &OPTION, Meaning::Key("id", None))]
    fn a_property_is_known_by_several_names(#[case] name: &str, #[case] spec: &'static Spec, #[case] meaning: Meaning) {
        assert_eq!(property(name, spec), meaning);
    }

    #[rstest::rstest]
    #[case("dropdown", "choice")]
    #[case("Single-select from list", "choice")]
    #[case("Free text (single line)", "text")]
    #[case("Time (AM/PM)", "time")]
    #[case("Yes / No", "yes_no")]
    #[case("Phone number with country code", "phone")]
    #[case("Map pin selection (handled by the app)", "location")]
    #[case("File upload (one per document type)", "file")]
    #[case("money", "money")]
    #[case("something else", "something else")]
    fn a_kind_is_known_by_other_words(#[case] words: &str, #[case] name: &str) {
        assert_eq!(kind(words), name);
    }

    #[rstest::rstest]
    #[case("2.4 — Delay Reason (CONDITIONALLY REQUIRED)", "Delay Reason")]
    #[case("3.1 - Phone", "Phone")]
    #[case("Time of day (local)", "Time of day (local)")]
    #[case("2nd name", "2nd name")]
    fn a_heading_is_a_label(#[case] heading: &str, #[case] words: &str) {
        assert_eq!(label(heading), words);
    }

    #[rstest::rstest]
    #[case("Step 2: The injury", Some((2, "The injury")))]
    #[case("STEP 1 — You", Some((1, "You")))]
    #[case("Step 3", Some((3, "")))]
    #[case("Step 1 Validation", None)]
    #[case("Steps", None)]
    fn a_step_has_a_number(#[case] heading: &str, #[case] found: Option<(u32, &str)>) {
        assert_eq!(step(heading), found);
    }
}
