//! The prompt: what never changes first, then the form, then what changes, the message last and as data.

use std::fmt::Write as _;

use super::schema::Names;
use super::{ModelUse, name_of};
use crate::engine::fill::Filling;
use crate::engine::history::HIDDEN;
use crate::engine::session::Pending;
use crate::form::field::{AnswerSource, Field, Fill};
use crate::form::kind::Said;
use crate::form::{Form, Kind, Path};

/// The part that is the same for every form.
const RULES: &str = include_str!("system.md");
/// After the rules where no form is open.
const NO_FORM: &str = "\n\nNo form is open yet. \"form\" is the one that the message asks for, or empty; then the intent is \
    \"start\". Updates are for the fields of that form.\n\nForms:\n";
/// Where an answer is judged.
const ABOUT: &str = "\n\"about\" is false where the message gives something that is no good answer to the question asked last, else true.\n";
/// Where a question may be answered in the model's own words.
const REPLY: &str = "\n\"reply\" answers the person's question in one or two plain sentences, in the language of the message, made of \
    nothing but these texts; it is empty where they do not answer it, and where nothing is asked:\n";
/// Where the next questions are to be worded.
const WORDING: &str = "\n\"wording\" puts each of the next questions in other words, in the language of the message. It asks for the \
    same thing and says nothing that the question does not say: no names, numbers or links of its own. Its tone: ";
/// Earlier messages that are told.
const EARLIER: usize = 3;
/// How many of the next questions are to be worded.
const WORDED: usize = 3;
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

/// What a model is told first, and what it may name.
pub(super) struct Brief {
    /// Rules and form, as text.
    pub(super) system: String,
    /// What the reply may name.
    pub(super) names: Names,
}

/// Tells a form. Where it is too long for the budget, fields still open come first and what does not fit stays out whole.
pub(super) fn brief(filling: &Filling<'_>, uses: &ModelUse, forms: Vec<String>) -> Brief {
    let form = filling.form;
    let mut system = format!("{}\nThe form: {}\n", RULES.trim_end(), headline(filling));
    if let Some(guidance) = &form.model.guidance {
        let _ = writeln!(system, "{}", line(guidance.pick(&filling.world.tags_of(form))));
    }
    system.push_str("\nFields:\n");
    let mut left = uses.prompt_tokens;
    let fields = fields(filling, "", &mut system, &mut left);
    let texts = texts(filling, &mut system, &mut left);
    let judged = form.fields.iter().any(|field| field.judge.is_some());
    if judged {
        system.push_str(ABOUT);
    }
    if form.model.own_words {
        system.push_str(REPLY);
        for text in own_texts(filling) {
            let _ = writeln!(system, "- {}", line(&text));
        }
    }
    if let Some(tone) = &form.model.tone {
        let _ = writeln!(system, "{WORDING}{}.", line(tone).trim_end_matches('.'));
    }
    if !forms.is_empty() {
        let _ = writeln!(system, "\nOther forms, for \"form\": {}.", forms.join(", "));
    }
    let (own_words, worded) = (form.model.own_words, form.model.tone.is_some());
    Brief { system, names: Names { fields, texts, forms, judged, own_words, worded } }
}

/// Tells which forms there are, with their fields as far as the budget goes; for a message that starts one.
pub(super) fn brief_of_forms(fillings: &[Filling<'_>], uses: &ModelUse) -> Brief {
    let mut system = format!("{}{NO_FORM}", RULES.trim_end());
    let mut names = Names::default();
    for filling in fillings {
        let _ = writeln!(system, "- {}: {}", filling.form.id, headline(filling));
        names.forms.push(filling.form.id.to_string());
    }
    let mut left = uses.prompt_tokens;
    for filling in fillings {
        let mut text = format!("\nFields of {}:\n", filling.form.id);
        let fields = fields(filling, &format!("{}/", filling.form.id), &mut text, &mut left);
        if !fields.is_empty() {
            system.push_str(&text);
            names.fields.extend(fields);
        }
    }
    Brief { system, names }
}

fn headline(filling: &Filling<'_>) -> String {
    let tags = filling.world.tags_of(filling.form);
    let (title, about) = (line(filling.form.title.pick(&tags)), line(filling.form.description.pick(&tags)));
    if about.is_empty() { title } else { format!("{title} — {about}") }
}

/// Tells fields, and gives their names.
fn fields(filling: &Filling<'_>, prefix: &str, system: &mut String, left: &mut usize) -> Vec<String> {
    let form = filling.form;
    let told = |field: &Field| Some((name_of(form, field.no)?, tell(filling, prefix, field)?));
    let all =
        form.fields.iter().filter_map(|field| told(field).map(|(name, text)| (name, text, is_open(filling, field))));
    let all: Vec<(String, String, bool)> = all.collect();
    let size: usize = all.iter().map(|(_, text, _)| tokens(text)).sum();
    // Whole and in the form's order where it fits, so that the bytes are the same for every message.
    let condensed = size > *left;
    let mut names = Vec::new();
    for open in if condensed { &[true, false][..] } else { &[true][..] } {
        for (name, text, is_open) in &all {
            let cost = tokens(text);
            if condensed && (is_open != open || cost > *left) {
                continue;
            }
            *left = left.saturating_sub(cost);
            system.push_str(text);
            names.push(format!("{prefix}{name}"));
        }
    }
    names
}

/// A field's line; none for fields that words do not fill, or whose values nobody else may see.
fn tell(filling: &Filling<'_>, prefix: &str, field: &Field) -> Option<String> {
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
    let mut text = format!("- {prefix}{} ({}", name_of(form, field.no)?, field.kind.name());
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
    if let Some(judge) = &field.judge {
        let _ = write!(text, " A good answer: {}.", line(judge.criterion.pick(&tags)).trim_end_matches('.'));
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
pub(in crate::engine) fn is_sensitive(form: &Form, field: &Field) -> bool {
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
    let history = &filling.draft().history;
    for heard in history.iter().skip(history.len().saturating_sub(EARLIER)) {
        let fields: Vec<String> = heard.fields.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            text,
            "Said before: \"{}\" → {}",
            fenced(&cut(&line(&heard.words), LONGEST_VALUE)),
            fields.join(", ")
        );
    }
    let asked = match &filling.draft().pending {
        Pending::Field { path, .. } => form.field_at(path).and_then(|field| name_of(form, field.no)),
        Pending::MoreItems { list } => Some(format!("whether there is more for {list}")),
        Pending::Review | Pending::PageReview { .. } => Some("whether everything is right".to_owned()),
        Pending::WhatToChange => Some("what to change".to_owned()),
        _ => None,
    };
    let _ = writeln!(text, "Asked last: {}", asked.as_deref().unwrap_or("nothing"));
    if form.model.tone.is_some() {
        text.push_str("Next questions:\n");
        for (name, question) in next_questions(filling) {
            let _ = writeln!(text, "- {name}: {}", line(&question));
        }
    }
    correct(&mut text, failure);
    let _ = write!(text, "The message:\n<<<\n{}\n>>>", fenced(&without_secrets(filling, said, uses.redact)));
    text
}

/// The questions that may be put next, in the author's words.
fn next_questions(filling: &Filling<'_>) -> Vec<(String, String)> {
    let form = filling.form;
    let told = |path: Path| {
        let field = form.field_at(&path).filter(|field| !is_sensitive(form, field))?;
        Some((name_of(form, field.no)?, filling.text(field.ask.first()?, &path)))
    };
    filling.open_fields().filter_map(told).take(WORDED).collect()
}

/// The message alone, where no form is open.
pub(super) fn tail_of_forms(said: &Said, failure: Option<&str>) -> String {
    let mut text = String::new();
    correct(&mut text, failure);
    let _ = write!(text, "The message:\n<<<\n{}\n>>>", fenced(&said.raw));
    text
}

fn correct(text: &mut String, failure: Option<&str>) {
    if let Some(failure) = failure {
        let _ = writeln!(text, "Your last reply could not be used: {failure}. Reply with the JSON object only.");
    }
}

/// A message that cannot close the fence around it.
fn fenced(text: &str) -> String {
    text.replace("<<<", "‹‹‹").replace(">>>", "›››")
}

/// A message without the values of sensitive fields, and where wished without e-mail addresses and telephone numbers.
pub(in crate::engine) fn without_secrets(filling: &Filling<'_>, said: &Said, redact: bool) -> String {
    let form = filling.form;
    let mut spans = Vec::new();
    for field in &form.fields {
        let reach = redact && matches!(field.kind, Kind::Email(_) | Kind::Phone(_));
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
            text.push_str(HIDDEN);
        }
        hiding = hidden;
        if !hidden {
            text.push(c);
        }
    }
    text
}

/// The author's texts that a model's own words may be made of.
pub(super) fn own_texts(filling: &Filling<'_>) -> Vec<String> {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    let faq = form.faq.iter().map(|faq| {
        let question = faq.questions.first().map_or("", |question| question.pick(&tags));
        format!("{question} {}", filling.text(&faq.answer, &Path::default()))
    });
    let whole = [form.help.as_ref(), form.human.as_ref(), form.model.guidance.as_ref()].into_iter().flatten();
    let whole = whole.map(|text| filling.text(text, &Path::default()));
    let of_field = |field: &Field| {
        let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
        let texts = [field.help.as_ref(), field.why.as_ref(), field.guidance.as_ref()].into_iter().flatten();
        let texts: Vec<String> = texts.map(|text| filling.text(text, &path)).collect();
        (!texts.is_empty() && !is_sensitive(form, field))
            .then(|| format!("{}: {}", field.label.pick(&tags), texts.join(" ")))
    };
    whole.chain(faq).chain(form.fields.iter().filter_map(of_field)).collect()
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
