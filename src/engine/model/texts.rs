//! What is said of a model's reply: other words for a question, and answers to one.

use crate::ask::help;
use crate::draft::filling::Filling;
use crate::model::{self, wording};
use formwright_form::{Form, Kind, Path};
use formwright_nlu::{Intent, Proposal};

/// Keeps a model's wording of questions that are still to be put, where it says nothing new.
pub(crate) fn keep_wordings(filling: &mut Filling<'_>, proposal: &Proposal) {
    let form = filling.form;
    if form.model.tone.is_none() {
        return;
    }
    let open: Vec<Path> = filling.open_fields().collect();
    for (name, text) in &proposal.wording {
        let Some(path) = open.iter().find(|path| {
            form.field_at(path).is_some_and(|field| formwright_nlu::name_of(form, field.no).as_deref() == Some(name))
        }) else {
            continue;
        };
        // Other words for a question of yes and no may turn it round.
        let Some(field) = form.field_at(path).filter(|field| model::prompt::may_be_worded(form, field)) else {
            continue;
        };
        let Some(ask) = field.ask.first().map(|ask| filling.text(ask, path)) else { continue };
        let asks = !ask.contains(['?', '؟']) || text.contains(['?', '؟']);
        let label = filling.label(path);
        let title = form.title.pick(&filling.world.tags());
        let offered = filling.offered(field, path);
        let help = field.help.as_ref().map(|help| filling.text(help, path)).unwrap_or_default();
        let mut names = vec![label.as_str(), title];
        names.extend(offered.iter().map(|option| option.label.as_str()));
        let question = wording::Question { ask: &ask, names, help: &help };
        // A word by itself may be a name, and asks nothing.
        let asks = asks && text.split_whitespace().count() > 1;
        if asks && wording::asks_the_same(text, &question, filling.world.lang) {
            let asked = filling.journal.draft.asked.entry(path.clone()).or_default();
            asked.worded = Some((ask, text.trim().to_owned()));
        }
    }
}

/// What a model answers to a question: one of the author's texts, or words of its own where the form allows them and they
/// say nothing that the author's texts do not.
pub(crate) fn answer_to_question(filling: &Filling<'_>, proposal: &Proposal, question: &str) -> Option<String> {
    if proposal.intent != Intent::Question {
        return None;
    }
    let own = proposal.reply.as_ref().filter(|_| filling.form.model.own_words).map(|text| text.trim().to_owned());
    let own = own.and_then(|text| {
        let lang = filling.world.lang;
        let about = |text: &model::prompt::OwnText| {
            let topics = text.topics.iter().chain(&text.passages).map(String::as_str);
            wording::has_to_do_with(question, &topics.collect::<Vec<_>>(), lang)
        };
        let texts = model::prompt::own_texts(filling).into_iter().filter(about);
        let quoted = help::passage(filling, question).map(|passage| passage.text);
        let texts: Vec<String> = texts.flat_map(|text| text.passages).chain(quoted).collect();
        wording::drawn_from(&text, &texts, lang)
    });
    own.or_else(|| proposal.answer.as_deref().and_then(|name| text_named(filling, name, question)))
}

/// The author's texts that may answer a question: their names, and what they are about.
pub(crate) fn texts_of(form: &Form, tags: &[&str]) -> Vec<(String, String)> {
    let faq = form
        .faq
        .iter()
        .enumerate()
        .filter_map(|(no, faq)| Some((format!("faq{}", no + 1), faq.questions.first()?.pick(tags).to_owned())));
    let about =
        |field: &formwright_form::Field| field.help.is_some() && !matches!(field.kind, Kind::Note(_) | Kind::Hidden(_));
    let help = form.fields.iter().filter(|field| about(field)).filter_map(|field| {
        Some((
            format!("help:{}", formwright_nlu::name_of(form, field.no)?),
            format!("about {}", field.label.pick(tags)),
        ))
    });
    faq.chain(help).collect()
}

/// One of those texts, with what it is about, so that the person sees whether it is what they asked; none where the
/// question has no word with it in common.
fn text_named(filling: &Filling<'_>, name: &str, question: &str) -> Option<String> {
    let form = filling.form;
    let tags = filling.world.tags_of(form);
    if !texts_of(form, &tags).iter().any(|(known, _)| known == name) {
        return None;
    }
    let told = |topics: &[&str], shown: &str, text: &str| {
        wording::has_to_do_with(question, topics, filling.world.lang)
            .then(|| filling.say("answer_about", &[("question", shown), ("text", text)]))
    };
    if let Some(no) = name.strip_prefix("faq") {
        let faq = form.faq.get(no.parse::<usize>().ok()?.checked_sub(1)?)?;
        let ways = faq.questions.iter().flat_map(|question| question.by_lang.values()).map(String::as_str);
        let shown = faq.questions.first()?.pick(&tags);
        return told(&ways.collect::<Vec<_>>(), shown, &filling.text(&faq.answer, &Path::default()));
    }
    let field = form.field(formwright_nlu::field_named(form, name.strip_prefix("help:")?)?)?;
    let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
    let help = field.help.as_ref().map(|help| filling.text(help, &path))?;
    let label = filling.label(&path);
    let ask = field.ask.first().map(|ask| filling.text(ask, &path)).unwrap_or_default();
    told(&[&label, &ask], &label, &help)
}
