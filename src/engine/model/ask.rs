//! When a model is asked, with what, and what is done with its reply.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::ask::help;
use crate::command::allowed;
use crate::command::change::{NOT_ABOUT, Then};
use crate::draft::filling::Filling;
use crate::draft::fresh;
use crate::effect::Effect;
use crate::handle::read;
use crate::history::secrets;
use crate::model::mask::Mask;
use crate::model::reply::schema;
use crate::model::{self, Asking, ModelCall, ModelUse, Waiting, judged};
use crate::talk::Talk;
use formwright_form::kind::{Refusal, Said, overlap};
use formwright_form::{Form, Path};
use formwright_nlu::{Believed, Command, Proposal, Understood, believe, find, is_a_sentence};

/// Longest message that a model is asked about, in characters: a longer one is not a sentence or two.
const LONGEST_MESSAGE: usize = 4_000;

/// Tokens of a reply: the frame, one field's value, and the most.
const REPLY_TOKENS: (usize, usize, usize) = (60, 50, 600);

/// Whether a model is to be asked about a message: code could not explain all of it, or a text is to be judged.
pub(crate) fn model_is_due(talk: &Talk<'_>, filling: &Filling<'_>, said: &Said, understood: &Understood) -> bool {
    let may = may_ask(talk, said) && filling.form.model.allowed && !secrets::asks_for_a_secret(filling);
    let sentence = understood.rough.iter().any(is_a_sentence);
    may && (sentence || has_unexplained(filling, said, understood) || judged::judged(filling, understood).is_some())
}

/// Whether a model is to be asked which form a message means.
pub(crate) fn model_is_due_idle(talk: &Talk<'_>, forms: &[&Form], said: &Said) -> bool {
    may_ask(talk, said) && forms.iter().any(|form| form.model.allowed) && said.raw.chars().any(char::is_alphabetic)
}

fn may_ask(talk: &Talk<'_>, said: &Said) -> bool {
    let short = said.raw.chars().count() <= LONGEST_MESSAGE;
    short && matches!(talk.model, Asking::May(_)) && talk.saying.buttons.is_empty() && !talk.saying.card
}

/// Asks a model about a message; the step ends with that.
pub(crate) fn ask_model(talk: &mut Talk<'_>, filling: &Filling<'_>, said: &Said, starts: bool) -> Then {
    if let Some(waiting) = waiting(talk, said, starts) {
        call_model(talk, Some(filling), said, waiting, None);
        return Then::Model;
    }
    Then::Go
}

/// Asks a model which form a message means; the step ends with that.
pub(crate) fn ask_model_idle(talk: &mut Talk<'_>, said: &Said) {
    if let Some(waiting) = waiting(talk, said, false) {
        call_model(talk, None, said, waiting, None);
    }
}

fn waiting(talk: &mut Talk<'_>, said: &Said, starts: bool) -> Option<Waiting> {
    let Asking::May(event) = std::mem::take(&mut talk.model) else { return None };
    let notes = std::mem::take(&mut talk.saying.notes);
    Some(Waiting { call: String::new(), text: said.raw.clone(), event, notes, starts, failures: 0 })
}

pub(crate) fn call_model(
    talk: &mut Talk<'_>,
    filling: Option<&Filling<'_>>,
    said: &Said,
    mut waiting: Waiting,
    failure: Option<&str>,
) {
    waiting.call = format!("model:{}", talk.world.nonce.as_str());
    if let Some(call) = call_about(talk, filling, said, &waiting.call, failure) {
        talk.session.model = Some(Box::new(waiting));
        talk.effects.push(Effect::AskModel(Box::new(call)));
    }
}

/// The call about a message in a form.
pub(crate) fn call_for(talk: &Talk<'_>, filling: &Filling<'_>, said: &Said) -> Option<ModelCall> {
    call_about(talk, Some(filling), said, "", None)
}

fn call_about(
    talk: &Talk<'_>,
    filling: Option<&Filling<'_>>,
    said: &Said,
    call: &str,
    failure: Option<&str>,
) -> Option<ModelCall> {
    let uses = talk.engine.model()?;
    let (brief, message) = match filling {
        Some(filling) => {
            let others = talk
                .engine
                .startable()
                .into_iter()
                .filter(|form| form.id != filling.form.id && allowed::may_use(&talk.world, form));
            let others = others.map(|form| form.id.to_string()).collect();
            let brief = model::prompt::brief(filling, uses, others);
            let tail =
                model::prompt::tail(filling, &brief, said, &talk.session.last, &mask(talk, &[filling], uses), failure);
            (brief, tail)
        }
        None => about_forms(talk, said, uses, failure),
    };
    let (frame, each, most) = REPLY_TOKENS;
    let max_tokens = most.min(frame + each * brief.names.fields.len().max(1));
    Some(ModelCall {
        call: call.to_owned(),
        schema: schema::schema(&brief.names),
        system: brief.system,
        message,
        max_tokens: u32::try_from(max_tokens).unwrap_or(u32::MAX),
    })
}

fn about_forms(talk: &Talk<'_>, said: &Said, uses: &ModelUse, failure: Option<&str>) -> (model::prompt::Brief, String) {
    let forms = talk.engine.startable();
    let forms = forms.iter().filter(|form| form.model.allowed && allowed::may_use(&talk.world, form));
    let forms: Vec<_> = forms.map(|form| (form, talk.world.speaking(form))).collect();
    let fillings: Vec<Filling<'_>> =
        forms.iter().map(|(form, world)| Filling::new(form, world, fresh::fresh(form, world))).collect();
    let mask = mask(talk, &fillings.iter().collect::<Vec<_>>(), uses);
    (model::prompt::brief_of_forms(&fillings, uses), model::prompt::tail_of_forms(said, &mask, failure))
}

/// What is taken out of a prompt: what these forms keep from others' eyes, and what was given for that in other forms.
fn mask<'f>(talk: &Talk<'_>, fillings: &[&'f Filling<'f>], uses: &ModelUse) -> Mask<'f> {
    let mut mask = Mask::new(fillings, uses.redact);
    for draft in talk.session.parked.iter().chain(&talk.session.closed) {
        if let Some(form) = talk.engine.form_of(draft) {
            let world = talk.world.speaking(&form);
            mask.learn(&Filling::new(&form, &world, draft.clone()));
        }
    }
    mask
}

/// What of a proposal is believed.
pub(crate) fn believed(
    talk: &Talk<'_>,
    filling: &Filling<'_>,
    code: Understood,
    proposal: &Proposal,
    said: &Said,
) -> Believed {
    let mut forms = talk.engine.startable();
    forms.retain(|form| allowed::may_use(&talk.world, form) && !filling.form.stays);
    read::with_scene(filling.world.lang, &forms, filling, |scene| believe(scene, said, code, proposal))
}

/// The values that commands set, by their fields.
pub(crate) fn fills(commands: &[Command]) -> BTreeSet<(Path, String)> {
    let value = |command: &Command| match command {
        Command::Fill { path, value, .. } => Some((path.clone(), format!("{value:?}"))),
        _ => None,
    };
    commands.iter().filter_map(value).collect()
}

/// Whether a message has words with a meaning that code made nothing of.
fn has_unexplained(filling: &Filling<'_>, said: &Said, understood: &Understood) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let left = understood.leftover.iter().filter_map(|span| said.raw.get(span.clone()));
    let unanswered = |command: &Command| match command {
        Command::Ask { question } => {
            let quotes = filling.form.model.own_words && help::passage(filling, question).is_some();
            quotes || help::found(filling, question).is_none()
        }
        _ => false,
    };
    left.into_iter().any(letters) || understood.commands.iter().any(unanswered)
}

/// The text that is to be judged and its words where only the model has found them: of the asked one first.
fn proposed(filling: &Filling<'_>, proposal: &Proposal) -> Option<(Path, String)> {
    let found = proposal.updates.iter().filter(|update| !update.value.trim().is_empty()).filter_map(|update| {
        let no = formwright_nlu::field_named(filling.form, &update.field)?;
        let own = judged::asked(filling).filter(|path| filling.form.field_at(path).is_some_and(|field| field.no == no));
        let path = own.cloned().or_else(|| filling.form.path_near(no, &Path::default()))?;
        judged::is_judged(filling, &path).then(|| (path, update.quote.clone()))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(path, _)| Some(path) != judged::asked(filling));
    found.into_iter().next()
}

/// Takes the words that a model finds to be beside the question out of what was understood and refuses them; all else stays.
pub(crate) fn refuse_what_is_not_about(
    filling: &Filling<'_>,
    code: &mut Understood,
    proposal: &mut Cow<'_, Proposal>,
    said: &Said,
) {
    if proposal.about != Some(false) {
        return;
    }
    let Some((path, quote)) = judged::judged(filling, code).or_else(|| proposed(filling, proposal)) else { return };
    let Some(field) = filling.form.field_at(&path) else { return };
    let criterion = field.judge.as_ref().map(|judge| filling.text(&judge.criterion, &path)).unwrap_or_default();
    let at = said.raw.find(quote.as_str()).map(|at| at..at + quote.len());
    let Some(span) = at.or_else(|| find(said, &quote)) else { return };
    let others = |command: &Command| !matches!(command, Command::Fill { path: filled, .. } if *filled == path);
    code.commands.retain(others);
    code.rough.retain(others);
    code.leftover.retain(|left| !overlap(left, &span));
    code.refused.push((
        path,
        span,
        Refusal::new(NOT_ABOUT).fact("what", clause(&criterion, filling.world.speaks.code)),
    ));
    if let Some(name) = formwright_nlu::name_of(filling.form, field.no) {
        proposal.to_mut().updates.retain(|update| update.field != name);
    }
}

/// A criterion as the end of a sentence: without its full stop, and small where its first word is no name.
fn clause(criterion: &str, lang: &str) -> String {
    let text = criterion.trim().trim_end_matches('.');
    let mut chars = text.chars();
    let (first, second) = (chars.next(), chars.next());
    // German nouns keep their capitals.
    match first.filter(|c| lang != "de" && c.is_uppercase() && second.is_none_or(|c| !c.is_uppercase())) {
        Some(first) => first.to_lowercase().chain(text.chars().skip(1)).collect(),
        None => text.to_owned(),
    }
}
