//! Fields as a list of bullets: `- **leave_type** (dropdown, required): Which kind of leave? Options: Annual, Sick`. Further
//! properties stand behind the question, on lines of their own, or in a list below.

use std::ops::Range;

use crate::advice;
use crate::markdown::gather::{Said, Told, Value};
use crate::markdown::outline::{Block, Cell};
use crate::markdown::words;

/// Properties that may stand behind a question. A colon behind other words is a part of the question.
const PROPERTIES: &[&str] = &[
    "ask",
    "constraint",
    "constraints",
    "data source",
    "default",
    "depends on",
    "example",
    "examples",
    "help",
    "label",
    "options",
    "prompt",
    "question",
    "required if",
    "required when",
    "source",
    "validation",
    "visible if",
    "visible when",
];

/// Adds the fields of a list to others; gives a block back that is anything else.
pub(in super::super) fn taken(block: Block, page: Option<usize>, all: &mut Vec<Told>) -> Option<Block> {
    let found = if let Block::Items(items) = &block { fields(items, page) } else { None };
    match found {
        Some(found) => {
            all.extend(found);
            None
        }
        None => Some(block),
    }
}

/// The fields of a list; none where it holds anything else.
fn fields(items: &[Cell], page: Option<usize>) -> Option<Vec<Told>> {
    let mut all: Vec<Told> = Vec::new();
    for item in items {
        let text = item.text();
        if let Some(told) = field(&text, item) {
            all.push(Told { page, ..told });
            continue;
        }
        let last = all.last_mut()?;
        match properties(&text) {
            ("", found) if !found.is_empty() => last.said.extend(said(found, item)),
            // Items below a property without a value are its values.
            _ => match last.said.last_mut().map(|said| &mut said.value) {
                Some(Value::Cell(list)) if list.lines.first().is_some_and(|(line, _)| line.is_empty()) => {
                    list.lines.push((text, item.span.clone()));
                }
                _ => return None,
            },
        }
    }
    (!all.is_empty()).then_some(all)
}

/// A field: its name, its kind and whether it is needed in brackets, and what is asked.
fn field(text: &str, item: &Cell) -> Option<Told> {
    let (name, rest) = text.split_once('(')?;
    let (inside, rest) = rest.split_once(')')?;
    let (name, rest) = (name.trim().trim_end_matches(':'), rest.trim_start());
    let is_name = name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let mut parts = inside.split(',').map(str::trim);
    let kind = parts.next().filter(|kind| is_name && advice::meant_kind(&words::kind(kind)).is_some())?;
    let question = match rest.strip_prefix([':', '—', '–', '-']) {
        Some(question) => question.trim(),
        None if rest.is_empty() => "",
        None => return None,
    };
    let one = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut found = vec![one("Type", kind)];
    for part in parts.filter(|part| !part.is_empty()) {
        let small = part.to_lowercase();
        let needed = ["required", "mandatory", "optional", "conditional"].iter().any(|word| small.starts_with(word));
        found.push(one(if needed { "Required" } else { "Constraints" }, part));
    }
    let (question, further) = properties(question);
    if !question.is_empty() {
        found.push(one("Ask", question.trim_matches(['"', '“', '”'])));
    }
    found.extend(further);
    let id = Some((name.to_owned(), item.span.clone()));
    Some(Told { id, said: said(found, item), span: item.span.clone(), ..Told::default() })
}

/// The words before the first property, and the properties.
fn properties(text: &str) -> (&str, Vec<(String, String)>) {
    let mut starts: Vec<Range<usize>> = Vec::new();
    for (colon, _) in text.match_indices(':') {
        let before = text.get(..colon).unwrap_or_default();
        let begins = |name: &&&str| {
            let at = before.len().checked_sub(name.len())?;
            let found = before.get(at..)?;
            let apart = before.get(..at)?.chars().next_back().is_none_or(char::is_whitespace);
            let named = found.eq_ignore_ascii_case(name) && found.starts_with(|c: char| c.is_ascii_uppercase());
            (apart && named).then_some(at)
        };
        // The longest name: `Depends on` and not a shorter one that ends it.
        if let Some(at) = PROPERTIES.iter().filter_map(|name| begins(&name)).min() {
            starts.push(at..colon);
        }
    }
    let first = starts.first().map_or(text.len(), |name| name.start);
    let ends = starts.iter().skip(1).map(|name| name.start).chain([text.len()]);
    let found = starts.iter().zip(ends).map(|(name, end)| {
        let value = text.get(name.end + 1..end).unwrap_or_default().trim();
        (text.get(name.clone()).unwrap_or_default().to_owned(), value.to_owned())
    });
    (text.get(..first).unwrap_or_default().trim(), found.collect())
}

/// Properties as what a table says. A list in brackets is code.
fn said(found: Vec<(String, String)>, item: &Cell) -> Vec<Said> {
    let span = &item.span;
    let one = |(name, value): (String, String)| {
        let cell = match item.codes.iter().find(|(code, _)| *code == value) {
            Some(code) => Cell { codes: vec![code.clone()], wordy: false, ..Cell::of(&value, span.clone()) },
            None => Cell::of(value.trim_matches(['[', ']']), span.clone()),
        };
        Said { name, at: span.clone(), value: Value::Cell(cell) }
    };
    found.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use formwright_form::Form;

    use crate::{Syntax, load};

    #[track_caller]
    fn read(bullets: &str) -> Form {
        let loaded = load(&format!("# Leave Request\n\n## Fields\n\n{bullets}"), Syntax::Markdown);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        loaded.form.unwrap()
    }

    /// Each field as its name, kind, need, question and options.
    fn told(form: &Form) -> Vec<String> {
        let one = |field: &formwright_form::Field| {
            let need = if matches!(field.required, formwright_form::Required::No) { "may" } else { "must" };
            let options = field.choices.iter().flat_map(|choices| &choices.options);
            let options: Vec<&str> = options.map(|option| option.label.pick(&["en"])).collect();
            let ask = field.ask.first().map(|ask| ask.pick(&["en"])).unwrap_or_default();
            format!("{} {:?} {need} {ask:?} {options:?}", field.id, field.kind.name())
        };
        form.fields.iter().map(one).collect()
    }

    #[test]
    fn a_field_is_a_bullet_with_its_options_below() {
        let form = read(
            "- **leave_type** (dropdown, required): Type of leave?\n  Options: Annual, Sick, Emergency\n\
             - **start_date** (date, required): Start date?\n\
             - **reason** (text, optional): Reason for leave: a word or two?\n\
             - `days` (checkbox): \"Which days?\"\n  - Options:\n    - Monday, early\n    - Tuesday\n  - Help: At least one.\n",
        );
        let fields = [
            "leave_type \"choice\" must \"Type of leave?\" [\"Annual\", \"Sick\", \"Emergency\"]",
            "start_date \"date\" must \"Start date?\" []",
            "reason \"text\" may \"Reason for leave: a word or two?\" []",
            "days \"choices\" must \"Which days?\" [\"Monday, early\", \"Tuesday\"]",
        ];
        assert_eq!(told(&form), fields);
        assert_eq!(form.title.pick(&["en"]), "Leave Request");
    }

    #[test]
    fn conditions_stand_behind_the_question_or_in_the_brackets() {
        let form = read(
            "- ill (yes / no, required): Are you ill?\n\
             - note (text, required if ill is yes): Which note? Visible when: ill is yes\n",
        );
        let note = form.fields.last().unwrap();
        assert_eq!(note.show_when.as_ref().map(|shown| shown.source.as_str()), Some("ill"));
        assert_eq!(note.ask.first().map(|ask| ask.pick(&["en"])), Some("Which note?"));
    }

    #[test]
    fn a_list_of_anything_else_is_prose() {
        let text =
            "# Leave\n\n## Fields\n\n- a (text): A?\n\n## Notes\n\n- b (text): B?\n- Be kind (always): please.\n";
        let form = load(text, Syntax::Markdown).form.unwrap();
        assert_eq!(told(&form), ["a \"text\" must \"A?\" []"]);
    }
}
