//! The prompt: what never changes first, then the form, then what changes, the message last and as data.

use std::fmt::Write as _;

use super::{ModelUse, name_of};
use crate::engine::fill::Filling;
use crate::engine::session::Pending;
use crate::form::field::{AnswerSource, Field, Fill};
use crate::form::kind::Said;
use crate::form::{Form, Kind, Path};

/// The part that is the same for every form.
const RULES: &str = include_str!("system.md");
/// Longest part of an author's text that is told, in characters.
const LONGEST_TEXT: usize = 600;
/// Most options of a field that are told; of more, the person's words are matched by code alone.
const MOST_OPTIONS: usize = 60;
/// Longest value that is told, in characters.
const LONGEST_VALUE: usize = 200;

/// About how many tokens a text has: a token is rarely less than three and a half letters.
pub(super) fn tokens(text: &str) -> usize {
    text.chars().count() * 2 / 7 + 1
}

/// The form's part of a prompt.
pub(super) struct Brief {
    /// Rules and form, as text.
    pub(super) system: String,
    /// The names of the fields in it.
    pub(super) fields: Vec<String>,
    /// The names of the texts in it that may answer a question.
    pub(super) texts: Vec<String>,
}

/// Tells a form. Where it is too long for the budget, fields still open come first and what does not fit stays out whole.
pub(super) fn brief(filling: &Filling<'_>, uses: &ModelUse) -> Brief {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    let mut system = format!("{}\nThe form: {}", RULES.trim_end(), line(form.title.pick(&tags)));
    let about = line(form.description.pick(&tags));
    if !about.is_empty() {
        let _ = write!(system, " — {about}");
    }
    system.push_str("\n\nFields:\n");
    let told = |field: &Field| Some((name_of(form, field.no)?, tell(filling, field)?));
    let all: Vec<(String, String, bool)> = (form.fields.iter())
        .filter_map(|field| told(field).map(|(name, text)| (name, text, is_open(filling, field))))
        .collect();
    let size: usize = all.iter().map(|(_, text, _)| tokens(text)).sum();
    let mut fields = Vec::new();
    let mut left = uses.prompt_tokens;
    // Whole and in the form's order where it fits, so that the bytes are the same for every message.
    let open_first = size > left;
    for open in if open_first { &[true, false][..] } else { &[true][..] } {
        for (name, text, is_open) in &all {
            let cost = tokens(text);
            if open_first && (is_open != open || cost > left) {
                continue;
            }
            left = left.saturating_sub(cost);
            system.push_str(text);
            fields.push(name.clone());
        }
    }
    let texts = texts(filling, &mut system, &mut left);
    Brief { system, fields, texts }
}

/// A field's line; none for fields that words do not fill, or whose values nobody else may see.
fn tell(filling: &Filling<'_>, field: &Field) -> Option<String> {
    let form = filling.form;
    let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
    let silent = matches!(
        field.kind,
        Kind::List(_)
            | Kind::Group(_)
            | Kind::Note(_)
            | Kind::Computed(_)
            | Kind::Hidden(_)
            | Kind::File(_)
            | Kind::Location(_)
    );
    if given || silent || is_sensitive(form, field) || field.fill == Fill::Widget {
        return None;
    }
    let tags = filling.world.tags_of(form);
    let mut text = format!("- {} ({}", name_of(form, field.no)?, field.kind.name());
    if form.list_of(field.no).is_some() {
        text.push_str(", in a list");
    }
    let _ = write!(text, "): {}", line(field.label.pick(&tags)));
    let ask = field.ask.first().map(|ask| line(ask.pick(&tags))).unwrap_or_default();
    if !ask.is_empty() {
        let _ = write!(text, ". {ask}");
    }
    if let Some(guidance) = &field.guidance {
        let _ = write!(text, " ({})", line(guidance.pick(&tags)));
    }
    if field.choices.is_some() {
        let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
        let offered = filling.offered(field, &path);
        if !offered.is_empty() && offered.len() <= MOST_OPTIONS {
            let options = offered.iter().map(|option| {
                let synonyms = if option.synonyms.is_empty() {
                    String::new()
                } else {
                    format!(" / {}", option.synonyms.join(" / "))
                };
                line(&format!("{} = {}{synonyms}", option.id, option.label))
            });
            let _ = write!(text, " Options: {}.", options.collect::<Vec<_>>().join("; "));
        }
    }
    text.push('\n');
    Some(text)
}

/// Whether a field, or what it lies in, holds what nobody else may see.
pub(super) fn is_sensitive(form: &Form, field: &Field) -> bool {
    field.sensitive || field.parent.and_then(|parent| form.field(parent)).is_some_and(|up| is_sensitive(form, up))
}

fn is_open(filling: &Filling<'_>, field: &Field) -> bool {
    filling.instances(field.no, &Path::default()).iter().any(|path| !filling.draft().answers.contains_key(path))
        || filling.form.list_of(field.no).is_some()
}

/// The author's texts that may answer a question, by name.
fn texts(filling: &Filling<'_>, system: &mut String, left: &mut usize) -> Vec<String> {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    let mut names = Vec::new();
    for (name, about) in super::ask::texts_of(form, &tags) {
        let text = format!("- {name}: {}\n", line(&about));
        let cost = tokens(&text);
        if cost > *left {
            break;
        }
        if names.is_empty() {
            system.push_str("\nTexts that answer questions; \"answer\" is the name of the one that answers the person's question, or empty:\n");
        }
        *left -= cost;
        system.push_str(&text);
        names.push(name);
    }
    names
}

/// What changes from message to message.
pub(super) fn tail(filling: &Filling<'_>, said: &Said, uses: &ModelUse, failure: Option<&str>) -> String {
    let form = filling.form;
    let mut text = String::from("Answers so far:\n");
    let mut any = false;
    for (path, answer) in &filling.draft().answers {
        let Some(field) = form.field_at(path).filter(|field| !is_sensitive(form, field)) else { continue };
        let _ = writeln!(text, "- {path}: {}", cut(&line(&filling.show(path, &answer.value)), LONGEST_VALUE));
        any |= !field.id.as_str().is_empty();
    }
    if !any {
        text.push_str("- none\n");
    }
    let asked = match &filling.draft().pending {
        Pending::Field { path, .. } => form.field_at(path).and_then(|field| name_of(form, field.no)),
        Pending::MoreItems { list } => Some(format!("whether there is more for {list}")),
        Pending::Review | Pending::PageReview { .. } => Some("whether everything is right".to_owned()),
        Pending::WhatToChange => Some("what to change".to_owned()),
        _ => None,
    };
    let _ = writeln!(text, "Asked last: {}", asked.as_deref().unwrap_or("nothing"));
    if let Some(failure) = failure {
        let _ = writeln!(text, "Your last reply could not be used: {failure}. Reply with the JSON object only.");
    }
    let _ = write!(text, "The message:\n<<<\n{}\n>>>", message(filling, said, uses));
    text
}

/// The message, without what nobody else may see. The fence cannot be closed from inside.
fn message(filling: &Filling<'_>, said: &Said, uses: &ModelUse) -> String {
    let form = filling.form;
    let mut spans = Vec::new();
    for field in &form.fields {
        let reach = uses.redact && matches!(field.kind, Kind::Email(_) | Kind::Phone(_));
        if is_sensitive(form, field) || reach {
            let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
            let offered = filling.offered(field, &path);
            let found = field.kind.behaviour().find(said, &filling.context(field, &offered));
            spans.extend(found.into_iter().map(|found| found.span));
        }
    }
    let mut text = String::new();
    let mut hiding = false;
    for (at, c) in said.raw.char_indices() {
        let hidden = spans.iter().any(|span| span.contains(&at));
        if hidden && !hiding {
            text.push_str("[hidden]");
        }
        hiding = hidden;
        if !hidden {
            text.push(c);
        }
    }
    text.replace("<<<", "‹‹‹").replace(">>>", "›››")
}

/// A text on one line, of bounded length.
fn line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_TEXT)
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).chain(['…']).collect()
}
