//! A form out of the fields that a client sends ([`chat::Sheet`]). It is written as a form file and loaded as one, so that
//! every bound of form files holds; the client's own names, keys and braces cannot mean anything in it.

use std::collections::BTreeSet;

use formwright_chat as chat;
use formwright_form::problem::Severity;
use formwright_form::{Form, Scope, Text};
use formwright_lexicon as language;
use formwright_values::{FieldId, FormId, OptionId};
use serde_json::{Value as Json, json};
use sha2::Digest as _;

use super::{Syntax, load, names};

/// What every such form's id begins with.
const PREFIX: &str = "inline-sheet-";
/// Longest part of a client's name that is kept in the name of its field.
const SLUG: usize = 40;

/// The id of a sheet's form: the same for the same fields, whatever they hold.
#[must_use]
pub fn id_of(sheet: &chat::Sheet) -> FormId {
    FormId::new(format!("{PREFIX}{}", hash(&source_of(sheet), 12)))
}

/// The name of the field that a client calls `id`: the same on every page and in every order.
#[must_use]
pub fn name_of(id: &str) -> FieldId {
    if names::is_free(id) {
        return FieldId::new(id);
    }
    let slug: String = names::slug(id).replace('-', "_").chars().filter(char::is_ascii).take(SLUG).collect();
    FieldId::new(format!("f_{slug}_{}", hash(id, 8)))
}

/// Makes the form of a sheet: for one person, in no list, never submitted; the client has the answers.
///
/// # Errors
/// What is wrong with the fields, in words for whoever made the client.
pub fn form_of(sheet: &chat::Sheet) -> Result<Form, String> {
    let source = source_of(sheet);
    let loaded = load(&source, Syntax::Json);
    let Some(form) = loaded.form else {
        let errors = loaded.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let words: BTreeSet<&str> = errors.map(|problem| problem.message.as_str()).collect();
        let words = words.into_iter().take(5).collect::<Vec<_>>().join("; ");
        return Err(format!("no form can be made of form_fields: {words}"));
    };
    let mut form = Form {
        id: id_of(sheet),
        listed: false,
        stays: true,
        scope: Scope::User,
        submit: Vec::new(),
        languages: language::codes().map(str::to_owned).to_vec(),
        ..form
    };
    form.languages.sort_by_key(|tag| (tag != "en", tag.clone()));
    // A client's keys are stored as they are: they are no names. Its labels are no templates.
    for (field, sent) in form.fields.iter_mut().zip(&sheet.fields) {
        field.sensitive = sent.secret;
        field.label = Text::one(bare(label_of(&sent.label, &sent.id)));
        let Some(choices) = &mut field.choices else { continue };
        for (option, sent) in choices.options.iter_mut().zip(options_of(sent)) {
            option.id = OptionId::new(sent.key.as_str());
        }
    }
    Ok(form)
}

/// The form as a file. It names the keys too, as words for their options, and which fields are secret, so that its version
/// changes with them.
fn source_of(sheet: &chat::Sheet) -> String {
    let fields: Vec<Json> = sheet.fields.iter().map(field).collect();
    let mut form = json!({ "id": "sheet", "title": "Form", "confirm": false, "optional": "offer", "fields": fields });
    let secret: Vec<FieldId> =
        sheet.fields.iter().filter(|field| field.secret).map(|field| name_of(&field.id)).collect();
    if !secret.is_empty() {
        form["description"] = secret.iter().map(FieldId::as_str).collect::<Vec<_>>().join(" ").into();
    }
    form.to_string()
}

fn field(sent: &chat::SheetField) -> Json {
    let options = options_of(sent);
    let kind = match sent.kind {
        chat::SheetKind::One | chat::SheetKind::Several if options.is_empty() => "text",
        chat::SheetKind::Line => "text",
        chat::SheetKind::Long => "long_text",
        chat::SheetKind::One => "choice",
        chat::SheetKind::Several => "choices",
        chat::SheetKind::Tick => "yes_no",
        chat::SheetKind::Integer => "integer",
        chat::SheetKind::Number => "number",
        chat::SheetKind::Date => "date",
        chat::SheetKind::Email => "email",
        chat::SheetKind::Phone => "phone",
        chat::SheetKind::Url => "url",
        chat::SheetKind::Page => "hidden",
    };
    let label = plain(bare(label_of(&sent.label, &sent.id)));
    let mut field = json!({ "id": name_of(&sent.id).as_str(), "kind": kind, "label": label });
    if sent.kind == chat::SheetKind::Page {
        return field;
    }
    field["required"] = sent.required.into();
    if let Some(help) = sent.help.as_deref().filter(|help| !help.trim().is_empty()) {
        field["help"] = plain(help).into();
    }
    if kind.starts_with("choice") {
        field["options"] = written(&options);
    }
    if let (Some(most @ 1..), "text" | "long_text") = (sent.max_chars, kind) {
        field["max_chars"] = most.into();
    }
    for (key, bound) in bounds(sent) {
        field[key] = bound;
    }
    field
}

/// Least and greatest, where they are such and not the wrong way round.
fn bounds(sent: &chat::SheetField) -> Vec<(&'static str, Json)> {
    let read = |text: &Option<String>| -> Option<(f64, Json)> {
        let text = text.as_deref()?.trim();
        match sent.kind {
            chat::SheetKind::Integer => text.parse::<i32>().ok().map(|number| (f64::from(number), number.into())),
            chat::SheetKind::Number => {
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
                Some((number, serde_json::from_str(text).ok()?))
            }
            chat::SheetKind::Date => {
                let day: jiff::civil::Date = text.parse().ok()?;
                let order = i32::from(day.year()) * 10_000 + i32::from(day.month()) * 100 + i32::from(day.day());
                Some((f64::from(order), day.to_string().into()))
            }
            chat::SheetKind::Line
            | chat::SheetKind::Long
            | chat::SheetKind::One
            | chat::SheetKind::Several
            | chat::SheetKind::Tick
            | chat::SheetKind::Email
            | chat::SheetKind::Phone
            | chat::SheetKind::Url
            | chat::SheetKind::Page => None,
        }
    };
    let (min, max) = (read(&sent.min), read(&sent.max));
    if let (Some((least, _)), Some((most, _))) = (&min, &max)
        && least > most
    {
        return Vec::new();
    }
    [("min", min), ("max", max)].into_iter().filter_map(|(key, bound)| Some((key, bound?.1))).collect()
}

/// The options that can be picked: each key once, none that stands for "choose one".
fn options_of(sent: &chat::SheetField) -> Vec<&chat::SheetOption> {
    let mut seen = BTreeSet::new();
    let real = sent.options.iter().filter(|option| !option.key.trim().is_empty());
    real.filter(|option| seen.insert(option.key.as_str())).collect()
}

fn written(options: &[&chat::SheetOption]) -> Json {
    let mut seen = BTreeSet::new();
    let option = |(no, option): (usize, &&chat::SheetOption)| {
        let mut label = plain(label_of(&option.label, &option.key));
        if !seen.insert(label.to_lowercase()) {
            label = format!("{label} ({})", plain(&option.key));
        }
        let synonyms = std::iter::once(&option.key).chain(&option.synonyms).map(|word| word.trim());
        let synonyms: BTreeSet<&str> = synonyms.filter(|word| !word.is_empty()).collect();
        json!({ "id": format!("o{}", no + 1), "label": label, "synonyms": synonyms })
    };
    options.iter().enumerate().map(option).collect()
}

fn label_of<'a>(label: &'a str, id: &'a str) -> &'a str {
    if label.trim().is_empty() { id } else { label }
}

/// A label without the marks at its end that pages put there; a question brings its own.
fn bare(label: &str) -> &str {
    let bare = label.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '؟' | ':' | '*'));
    if bare.is_empty() { label } else { bare }
}

/// Words in which no braces open a template.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut open = false;
    for c in text.trim().chars() {
        if open && matches!(c, '{' | '%' | '#') {
            plain.push(' ');
        }
        open = c == '{';
        plain.push(c);
    }
    plain
}

fn hash(text: &str, digits: usize) -> String {
    let mut hash = chat::hex(&sha2::Sha256::digest(text.as_bytes()));
    hash.truncate(digits);
    hash
}

#[cfg(test)]
mod tests;
