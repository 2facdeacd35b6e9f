//! When a model is asked, with what, and what is done with its reply.

use serde_json::Value as Json;

use super::reply::{self, Unreadable};
use super::{Asking, Intent, ModelCall, ModelUse, Proposal, Waiting, prompt, schema};
use crate::engine::carry::Then;
use crate::engine::fill::Filling;
use crate::engine::hear::with_scene;
use crate::engine::session::Pending;
use crate::engine::talk::Talk;
use crate::engine::understand::{Believed, Understood, believe};
use crate::engine::{Command, Effect, Outcome};
use crate::form::kind::Refusal;
use crate::form::kind::Said;
use crate::form::{Form, Kind, Path};

/// Longest message that a model is asked about, in characters: a longer one is not a sentence or two.
const LONGEST_MESSAGE: usize = 4_000;
/// Tokens of a reply: the frame, one field's value, and the most.
const REPLY_TOKENS: (usize, usize, usize) = (60, 50, 600);

impl Talk<'_> {
    /// Whether a model is to be asked about a message: code could not explain all of it, or a text is to be judged.
    pub(in crate::engine) fn model_is_due(&self, filling: &Filling<'_>, said: &Said, understood: &Understood) -> bool {
        let may = matches!(self.model, Asking::May(_)) && self.buttons.is_empty() && !self.card;
        let short = said.raw.chars().count() <= LONGEST_MESSAGE;
        may && short
            && !filling.asks_for_a_secret()
            && (has_unexplained(filling, said, understood) || is_judged(filling, understood))
    }

    /// Asks a model about a message; the step ends with that.
    pub(in crate::engine) fn ask_model(&mut self, filling: &Filling<'_>, said: &Said, starts: bool) -> Then {
        let Asking::May(event) = std::mem::take(&mut self.model) else { return Then::Go };
        let waiting = Waiting {
            call: format!("model:{}", self.world.nonce.as_str()),
            text: said.raw.clone(),
            event,
            notes: std::mem::take(&mut self.notes),
            starts,
            failures: 0,
        };
        self.call_model(filling, said, waiting, None);
        Then::Model
    }

    fn call_model(&mut self, filling: &Filling<'_>, said: &Said, waiting: Waiting, failure: Option<&str>) {
        let Some(uses) = self.engine.model() else { return };
        let call = call_for(filling, said, uses, &waiting.call, failure, &self.forms_to_start(filling));
        self.session.model = Some(Box::new(waiting));
        self.effects.push(Effect::AskModel(Box::new(call)));
    }

    fn forms_to_start(&self, filling: &Filling<'_>) -> Vec<String> {
        let others = self.engine.startable().into_iter().filter(|form| form.id != filling.form.id);
        others.map(|form| form.id.to_string()).collect()
    }

    /// Takes what came of a call. One that failed leaves the message to code.
    pub(in crate::engine) fn model_outcome(&mut self, mut waiting: Waiting, outcome: &Outcome) {
        let proposal = match &outcome.result {
            Ok(Json::String(text)) => reply::read(text),
            Ok(_) => Err(Unreadable::NoObject),
            Err(_) => return self.hear_with(&waiting, Asking::Never),
        };
        match proposal {
            Ok(proposal) => self.hear_with(&waiting, Asking::Answered(Box::new(proposal))),
            Err(why) => {
                waiting.failures += 1;
                let retry = self.engine.model().is_some_and(|uses| waiting.failures <= uses.retries);
                let draft = self.take_draft();
                match draft.filter(|_| retry) {
                    Some((form, draft)) => {
                        waiting.call = format!("model:{}", self.world.nonce.as_str());
                        let world = self.world.speaking(&form);
                        let filling = Filling::new(&form, &world, draft);
                        let said = Said::new(&waiting.text);
                        self.call_model(&filling, &said, waiting, Some(why.words()));
                        self.session.draft = Some(filling.journal.draft);
                    }
                    None => self.hear_with(&waiting, Asking::Never),
                }
            }
        }
    }

    /// Acts on a message as code and a model understood it together.
    pub(in crate::engine) fn act_on_proposal(
        &mut self,
        filling: &mut Filling<'_>,
        code: Understood,
        proposal: &Proposal,
        said: &Said,
    ) -> Then {
        if proposal.about == Some(false)
            && is_judged(filling, &code)
            && let Pending::Field { path, .. } = filling.draft().pending.clone()
        {
            let judge = filling.form.field_at(&path).and_then(|field| field.judge.as_ref());
            let criterion = judge.map(|judge| filling.text(&judge.criterion, &path)).unwrap_or_default();
            return self.refuse(filling, &path, Refusal::new("not_about").fact("what", criterion));
        }
        let Believed { understood, doubtful, .. } = self.believed(filling, code, proposal, said);
        let answer = proposal.answer.as_deref().filter(|_| proposal.intent == Intent::Question);
        let only_asks = understood.commands.iter().all(|command| matches!(command, Command::Ask { .. }));
        let nothing_else = only_asks && understood.unsure.is_empty() && understood.refused.is_empty();
        if let Some(text) = answer.filter(|_| nothing_else).and_then(|name| text_named(filling, name)) {
            self.notes.push(text);
            return Then::Go;
        }
        let Some(command) = doubtful.filter(|_| understood.unsure.is_empty()) else {
            return self.act_on(filling, understood, said);
        };
        let code_has_nothing = understood.commands.is_empty() && understood.refused.is_empty();
        let then = if code_has_nothing { Then::Go } else { self.act_on(filling, understood, said) };
        let waits = matches!(filling.draft().pending, Pending::Sure { .. } | Pending::Which { .. });
        if then == Then::Go && !waits {
            filling.journal.draft.pending = self.asks_about(filling, command);
        }
        then
    }

    /// The question whether something that only the model says is to be done.
    fn asks_about(&self, filling: &Filling<'_>, command: Command) -> Pending {
        let question = match &command {
            Command::Start { form } => {
                let title = self.engine.catalog().form(form).map(|form| self.title(form)).unwrap_or_default();
                let stay = filling.say("button_go_on", &[]);
                return Pending::Which { readings: vec![(title, command), (stay, Command::Repeat)] };
            }
            Command::Clear { .. } => "sure_clear",
            _ => "verify",
        };
        Pending::Sure { then: Box::new(command), question: question.to_owned() }
    }

    /// What of a proposal is believed.
    pub(in crate::engine) fn believed(
        &self,
        filling: &Filling<'_>,
        code: Understood,
        proposal: &Proposal,
        said: &Said,
    ) -> Believed {
        let forms = self.engine.startable();
        with_scene(filling.world.lang, &forms, filling, |scene| believe(scene, said, code, proposal))
    }

    fn hear_with(&mut self, waiting: &Waiting, model: Asking) {
        self.notes.clone_from(&waiting.notes);
        self.model = model;
        if waiting.starts {
            self.hear_on(&waiting.text);
        } else {
            self.say(&waiting.text);
        }
    }
}

/// The call about a message in a form.
fn call_for(
    filling: &Filling<'_>,
    said: &Said,
    uses: &ModelUse,
    call: &str,
    failure: Option<&str>,
    forms: &[String],
) -> ModelCall {
    let brief = prompt::brief(filling, uses);
    let judged = filling.form.fields.iter().any(|field| field.judge.is_some());
    let (frame, each, most) = REPLY_TOKENS;
    let max_tokens = most.min(frame + each * brief.fields.len().max(1));
    ModelCall {
        call: call.to_owned(),
        message: prompt::tail(filling, said, uses, failure),
        schema: schema::of_form(&brief.fields, &brief.texts, forms, judged),
        system: brief.system,
        max_tokens: u32::try_from(max_tokens).unwrap_or(u32::MAX),
    }
}

/// Whether a message has words with a meaning that code made nothing of.
fn has_unexplained(filling: &Filling<'_>, said: &Said, understood: &Understood) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let left = understood.leftover.iter().filter_map(|span| said.raw.get(span.clone()));
    let unanswered = |command: &Command| match command {
        Command::Ask { question } => crate::engine::digress::found(filling, question).is_none(),
        _ => false,
    };
    left.into_iter().any(letters) || understood.commands.iter().any(unanswered)
}

/// Whether words for a text are to be judged.
fn is_judged(filling: &Filling<'_>, understood: &Understood) -> bool {
    let Pending::Field { path: asked, .. } = &filling.draft().pending else { return false };
    understood.commands.iter().any(|command| match command {
        Command::Fill { path, .. } => {
            path == asked && filling.form.field_at(path).is_some_and(|field| field.judge.is_some())
        }
        _ => false,
    })
}

/// The author's texts that may answer a question: their names, and what they are about.
pub(super) fn texts_of(form: &Form, tags: &[&str]) -> Vec<(String, String)> {
    let faq = form
        .faq
        .iter()
        .enumerate()
        .filter_map(|(no, faq)| Some((format!("faq{}", no + 1), faq.questions.first()?.pick(tags).to_owned())));
    let about =
        |field: &crate::form::Field| field.help.is_some() && !matches!(field.kind, Kind::Note(_) | Kind::Hidden(_));
    let help = form.fields.iter().filter(|field| about(field)).filter_map(|field| {
        Some((format!("help:{}", super::name_of(form, field.no)?), format!("about {}", field.label.pick(tags))))
    });
    faq.chain(help).collect()
}

/// One of those texts, for the person.
pub(in crate::engine) fn text_named(filling: &Filling<'_>, name: &str) -> Option<String> {
    let form = filling.form;
    if let Some(no) = name.strip_prefix("faq") {
        let faq = form.faq.get(no.parse::<usize>().ok()?.checked_sub(1)?)?;
        return Some(filling.text(&faq.answer, &Path::default()));
    }
    let field = form.field(super::field_named(form, name.strip_prefix("help:")?)?)?;
    let path = form.path_near(field.no, &Path::default()).unwrap_or_default();
    field.help.as_ref().map(|help| filling.text(help, &path))
}
