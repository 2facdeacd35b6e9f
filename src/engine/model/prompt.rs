//! The prompt: what never changes first, then the form, then what changes, the message last and as data.

use std::fmt::Write as _;

use formwright_chat as chat;

use crate::ask::help;
use crate::draft::filling::Filling;
use crate::handle::read;
use crate::model::mask::Mask;
use crate::model::reply::schema::Names;
use crate::model::{self, ModelUse, asked, fields, judged, texts};
use formwright_form::field::Field;
use formwright_form::kind::Said;
use formwright_form::{Form, Kind, Path, Text};
use formwright_nlu::{is_sensitive, name_of};

/// The part that is the same for every form.
const RULES: &str = include_str!("system.md");

/// After the rules where no form is open.
const NO_FORM: &str = "\n\nNo form is open yet. \"form\" is the one that the message asks for, or empty; then the intent is \
    \"start\". Updates are for the fields of that form.\n\nForms:\n";

/// Where there are texts that answer questions.
const ANSWERS: &str = "\"answer\": the text that answers the person's question, or empty:\n";

/// Where an answer is judged.
const ABOUT: &str = "\"about\": false if the words for the field to be judged are no good answer to it.\n";

/// Where a question may be answered in the model's own words.
const REPLY: &str = "\"reply\" answers the person's question in one or two plain sentences, in the language of the message, made of \
    nothing but these texts; it is empty where they do not answer it, and where nothing is asked:\n";

/// Where the next questions are to be worded.
const WORDING: &str = "\"wording\" puts each of the next questions in other words, in the language of the message. It asks for the \
    same thing and says nothing that the question does not say: no names, numbers or links of its own. Its tone: ";

/// Earlier messages that are told.
const EARLIER: usize = 3;

/// How many of the next questions are to be worded.
const WORDED: usize = 3;

/// What a model is told first, and what it may name.
pub(crate) struct Brief {
    /// Rules and form, as text: the same bytes for every message of a form in one language.
    pub(crate) system: String,
    /// The fields of a form too long to be told whole: they change with the answers, so they come with the message.
    pub(crate) condensed: String,
    /// Fields that are told and hidden now, by name.
    pub(crate) away: Vec<String>,
    /// What the reply may name.
    pub(crate) names: Names,
}

/// Tells a form.
pub(crate) fn brief(filling: &Filling<'_>, uses: &ModelUse, forms: Vec<String>) -> Brief {
    let form = filling.form;
    let mut system = format!("{}\nThe form: {}\n", RULES.trim_end(), headline(filling));
    if let Some(guidance) = &form.model.guidance {
        let _ = writeln!(system, "{}", model::words::line(guidance.pick(&filling.world.tags_of(form))));
    }
    let mut left = uses.prompt_tokens;
    let mut rest = String::new();
    let texts = texts(filling, &mut rest, &mut left);
    let judged = form.fields.iter().any(|field| field.judge.is_some());
    if judged {
        rest.push_str(ABOUT);
    }
    if form.model.own_words {
        rest.push_str(REPLY);
        for text in own_texts(filling).iter().map(|text| model::words::line(&text.told)).filter(|text| !text.is_empty())
        {
            let _ = writeln!(rest, "- {text}");
        }
    }
    if let Some(tone) = &form.model.tone {
        let _ = writeln!(rest, "{WORDING}{}.", model::words::line(tone).trim_end_matches('.'));
    }
    if !forms.is_empty() {
        let _ = writeln!(rest, "Other forms, for \"form\": {}.", forms.join(", "));
    }
    let told = fields::tell(filling, "", model::words::tokens(&system) + model::words::tokens(&rest) + 3, &mut left);
    let mut condensed = String::new();
    if told.condensed {
        condensed = format!("Fields, of more:\n{}", told.text);
    } else {
        let _ = write!(system, "Fields:\n{}", told.text);
    }
    system.push_str(&rest);
    let (own_words, worded) = (form.model.own_words, form.model.tone.is_some());
    let away = told.away;
    Brief { system, condensed, away, names: Names { fields: told.names, texts, forms, judged, own_words, worded } }
}

/// Tells which forms there are, with their fields as far as the budget goes; for a message that starts one.
pub(crate) fn brief_of_forms(fillings: &[Filling<'_>], uses: &ModelUse) -> Brief {
    let mut system = format!("{}{NO_FORM}", RULES.trim_end());
    let mut names = Names::default();
    for filling in fillings {
        let _ = writeln!(system, "- {}: {}", filling.form.id, headline(filling));
        names.forms.push(filling.form.id.to_string());
    }
    let mut left = uses.prompt_tokens;
    for filling in fillings {
        let told = fields::tell(filling, &format!("{}/", filling.form.id), usize::MAX, &mut left);
        if !told.names.is_empty() {
            let _ = write!(system, "\nFields of {}:\n{}", filling.form.id, told.text);
            names.fields.extend(told.names);
        }
    }
    Brief { system, condensed: String::new(), away: Vec::new(), names }
}

fn headline(filling: &Filling<'_>) -> String {
    let tags = filling.world.tags_of(filling.form);
    let (title, about) =
        (model::words::line(filling.form.title.pick(&tags)), model::words::line(filling.form.description.pick(&tags)));
    if about.is_empty() { title } else { format!("{title} — {about}") }
}

/// Whether a field's question may be put in a model's words: of a yes or no, they may turn it round.
pub(crate) fn may_be_worded(form: &Form, field: &Field) -> bool {
    !is_sensitive(form, field) && !matches!(field.kind, Kind::YesNo(_))
}

/// The author's texts that may answer a question, by name.
fn texts(filling: &Filling<'_>, system: &mut String, left: &mut usize) -> Vec<String> {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    let mut names = Vec::new();
    for (name, about) in texts::texts_of(form, &tags) {
        // The name of a help text says what it is about.
        let text = if name.starts_with("help:") {
            format!("- {name}\n")
        } else {
            format!("- {name}: {}\n", model::words::line(&about))
        };
        let cost = model::words::tokens(&text);
        if cost > *left {
            break;
        }
        if names.is_empty() {
            system.push_str(ANSWERS);
        }
        *left -= cost;
        system.push_str(&text);
        names.push(name);
    }
    names
}

/// What changes from message to message.
pub(crate) fn tail(
    filling: &Filling<'_>,
    brief: &Brief,
    said: &Said,
    replies: &[chat::Reply],
    mask: &Mask<'_>,
    failure: Option<&str>,
) -> String {
    let form = filling.form;
    let told = |words: &str| fenced(&mask.hide(words));
    let mut text = fenced(&brief.condensed);
    let fetched = fields::fetched(filling, &brief.names.fields);
    if !fetched.is_empty() {
        let _ = write!(text, "Options now:\n{}", fenced(&mask.hide(&fetched)));
    }
    if !brief.away.is_empty() {
        let _ = writeln!(text, "Not asked for now: {}.", brief.away.join(", "));
    }
    text.push_str("Answers so far:\n");
    let mut any = false;
    for (path, answer) in &filling.draft().answers {
        let Some(field) = form.field_at(path).filter(|field| !is_sensitive(form, field)) else { continue };
        let _ = writeln!(
            text,
            "- {path}: {}",
            fenced(&model::words::value(&mask.hide(&filling.show(path, &answer.value))))
        );
        any |= !field.id.as_str().is_empty();
    }
    if !any {
        text.push_str("- none\n");
    }
    let history = &filling.draft().history;
    // In a session that several share, who said what is told apart, without telling who they are.
    let mut people: Vec<&chat::UserId> = Vec::new();
    for by in history.iter().filter_map(|heard| heard.by.as_ref()).chain(&filling.world.by) {
        if !people.contains(&by) {
            people.push(by);
        }
    }
    for heard in history.iter().skip(history.len().saturating_sub(EARLIER)) {
        let fields: Vec<String> = heard.fields.iter().map(ToString::to_string).collect();
        let by = people.iter().position(|known| Some(*known) == heard.by.as_ref());
        let by = by.map(|no| format!(" by person {}", no + 1)).unwrap_or_default();
        let _ = writeln!(
            text,
            "Said before{by}: \"{}\" → {}",
            fenced(&model::words::value(&mask.hide(&heard.words))),
            fields.join(", ")
        );
    }
    let _ = writeln!(text, "Asked last: {}", told(&asked::asked_last(filling)));
    if let Some(line) = asked::last_line(replies) {
        let _ = writeln!(text, "The question as put: {}", told(&line));
    }
    if let Some(name) = to_be_judged(filling, said) {
        let _ = writeln!(text, "To be judged: {name}");
    }
    if form.model.tone.is_some() {
        text.push_str("Next questions:\n");
        for (name, question) in next_questions(filling) {
            let _ = writeln!(text, "- {name}: {}", fenced(&mask.hide(&model::words::line(&question))));
        }
    }
    if let Some(passage) = help::passage(filling, &said.raw).filter(|_| form.model.own_words) {
        let _ = writeln!(
            text,
            "A text for \"reply\", found in documents:\n<<<\n{}\n>>>",
            fenced(&mask.hide(&passage.text))
        );
    }
    correct(&mut text, failure);
    let by = people.iter().position(|known| Some(*known) == filling.world.by.as_ref());
    let by = by.map(|no| format!(", by person {}", no + 1)).unwrap_or_default();
    let _ = write!(text, "The message{by}:\n<<<\n{}\n>>>", fenced(&mask.hide_in(said)));
    text
}

/// The field whose words in a message are to be judged.
fn to_be_judged(filling: &Filling<'_>, said: &Said) -> Option<String> {
    let form = filling.form;
    form.fields.iter().find(|field| field.judge.is_some())?;
    let understood = read::read(&[], filling, said);
    let path = judged::judged(filling, &understood).map(|(path, _)| path);
    let path = path.or_else(|| judged::asked_judged(filling).cloned())?;
    name_of(form, form.field_at(&path)?.no)
}

/// The questions that may be put next, in the author's words.
fn next_questions(filling: &Filling<'_>) -> Vec<(String, String)> {
    let form = filling.form;
    let told = |path: Path| {
        let field = form.field_at(&path).filter(|field| may_be_worded(form, field))?;
        Some((name_of(form, field.no)?, filling.text(field.ask.first()?, &path)))
    };
    filling.open_fields().filter_map(told).take(WORDED).collect()
}

/// The message alone, where no form is open: without what any form keeps from others' eyes.
pub(crate) fn tail_of_forms(said: &Said, mask: &Mask<'_>, failure: Option<&str>) -> String {
    let mut text = String::new();
    correct(&mut text, failure);
    let _ = write!(text, "The message:\n<<<\n{}\n>>>", fenced(&mask.hide_in(said)));
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

/// An author's text that a model's own words may be made of.
pub(crate) struct OwnText {
    /// What a model is told: with its topic, and templates as written, for what is told first never changes.
    pub(crate) told: String,
    /// What it is about, in the author's words: other ways to ask for it too.
    pub(crate) topics: Vec<String>,
    /// What may be said of it.
    pub(crate) passages: Vec<String>,
}

/// The author's texts that a model's own words may be made of.
pub(crate) fn own_texts(filling: &Filling<'_>) -> Vec<OwnText> {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    let own = |topic: &str, texts: &[&Text], path: &Path| {
        let told: Vec<&str> = texts.iter().map(|text| text.pick(&tags)).collect();
        let passages = texts.iter().map(|text| filling.text(text, path)).collect();
        OwnText {
            told: format!("{topic} {}", told.join(" ")).trim().to_owned(),
            topics: vec![topic.to_owned()],
            passages,
        }
    };
    let faq = form.faq.iter().map(|faq| {
        let question = faq.questions.first().map_or("", |question| question.pick(&tags));
        let ways = faq.questions.iter().flat_map(|question| question.by_lang.values()).cloned().collect();
        OwnText { topics: ways, ..own(question, &[&faq.answer], &Path::default()) }
    });
    let whole = [form.help.as_ref(), form.human.as_ref(), form.model.guidance.as_ref()].into_iter().flatten();
    let whole = whole.map(|text| own("", &[text], &Path::default()));
    let of_field = |field: &Field| {
        let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
        let texts = [field.help.as_ref(), field.why.as_ref(), field.guidance.as_ref()];
        let texts: Vec<&Text> = texts.into_iter().flatten().collect();
        (!texts.is_empty() && !is_sensitive(form, field))
            .then(|| own(&format!("{}:", field.label.pick(&tags)), &texts, &path))
    };
    whole.chain(faq).chain(form.fields.iter().filter_map(of_field)).collect()
}
