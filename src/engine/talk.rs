//! One step's talk: the session, what has been said so far, and what is to be performed.

use formwright_chat as chat;

use crate::effect::Effect;
use crate::engine::Engine;
use crate::prompt::{Facts, Voice};
use crate::saying::Saying;
use crate::session::Session;
use crate::session::screen::Slot;
use crate::world::World;
use crate::{lookup, model, zone};
use formwright_form::kind::Said;
use formwright_form::{Form, FormId};
use formwright_nlu::{Command, Pending, Verdict};

/// The button of the present screen that a message names by its words.
pub(crate) fn said_label(session: &Session, said: &Said) -> Option<Command> {
    let text = said.norm.trim();
    let slots = &session.screen.as_ref()?.slots;
    slots.iter().find_map(|slot| match slot {
        Slot::Do { command, label } if !label.is_empty() && Said::new(label).norm == text => Some(command.clone()),
        _ => None,
    })
}

/// One step's talk.
#[derive(Debug)]
pub(crate) struct Talk<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) world: World,
    pub(crate) session: Session,
    /// The language of what was said about a form that is not being filled.
    pub(crate) lang: Option<&'static str>,
    /// What is said in the reply.
    pub(crate) saying: Saying,
    /// What the runtime is to do.
    pub(crate) effects: Vec<Effect>,
    /// What the step knows from outside.
    pub(crate) lookups: &'a mut lookup::Lookups,
    /// A form that was asked for and belongs to the other session of the place.
    pub(crate) elsewhere: Option<FormId>,
    /// How many submissions to come began in this step.
    pub(crate) begun: u32,
    /// What was said.
    pub(crate) words: String,
    /// Whether what the person answers, as far as the step began with a question, is kept from everybody's eyes.
    pub(crate) answers_a_secret: bool,
    /// The draft as the step found it: its submission, and what it waited for.
    pub(crate) was: Option<(String, Pending)>,
    /// The time zone that the person tells in this step, or that they leave it as it is.
    pub(crate) zone_told: Option<zone::ZoneReply>,
    /// The message was written before what is asked now was shown.
    pub(crate) late: bool,
    /// Whether a model may be asked.
    pub(crate) model: model::Asking,
    /// What a model took the message for, and what became of each value that it proposed.
    pub(crate) weighed: Option<(formwright_nlu::Intent, Vec<(formwright_nlu::Update, Verdict)>)>,
}

impl<'a> Talk<'a> {
    pub(crate) fn new(engine: &'a Engine, world: World, session: Session, lookups: &'a mut lookup::Lookups) -> Self {
        let was = session.draft.as_ref().map(|draft| (draft.submission.clone(), draft.pending.clone()));
        Self {
            engine,
            world: World { library: engine.library.clone(), tries_out: engine.tries_out, ..world },
            session,
            was,
            zone_told: None,
            late: false,
            lang: None,
            saying: Saying::default(),
            effects: Vec::new(),
            lookups,
            elsewhere: None,
            begun: 0,
            words: String::new(),
            answers_a_secret: false,
            model: model::Asking::Never,
            weighed: None,
        }
    }

    /// Adds a standard message to what is said, outside any form.
    pub(crate) fn note(&mut self, name: &str, facts: &Facts<'_>) {
        let text = Voice { world: &self.world, form: None }.say(name, facts);
        self.saying.notes.push(text);
    }

    /// Adds a standard message outside any form, in a wording that the reply before did not have, where there is one.
    pub(crate) fn note_new(&mut self, name: &str) {
        let voice = Voice { world: &self.world, form: None };
        let wordings = (0..voice.turns(name).max(1)).map(|turn| voice.say_turn(name, turn, &[]));
        let heard = |text: &String| self.session.last.iter().any(|reply| reply.say.contains(text));
        let mut wordings: Vec<String> = wordings.collect();
        let fresh = wordings.iter().position(|text| !heard(text)).unwrap_or(0);
        self.saying.notes.push(wordings.swap_remove(fresh));
    }

    /// Adds a standard message about a form, in the language spoken in it.
    pub(crate) fn note_of(&mut self, form: &Form, name: &str, facts: &Facts<'_>) {
        let world = self.world.speaking(form);
        self.saying.notes.push(Voice { world: &world, form: Some(form) }.say(name, facts));
        self.lang = Some(world.speaks.code);
    }

    /// A button about a form, in the language spoken in it.
    pub(crate) fn button_of(
        &mut self,
        form: &Form,
        name: &str,
        facts: &Facts<'_>,
        role: chat::ButtonRole,
        command: Command,
    ) {
        let world = self.world.speaking(form);
        let label = Voice { world: &world, form: Some(form) }.say(name, facts);
        self.saying.buttons.push((label, role, command));
    }

    pub(crate) fn button(&mut self, name: &str, facts: &Facts<'_>, role: chat::ButtonRole, command: Command) {
        let label = Voice { world: &self.world, form: None }.say(name, facts);
        self.saying.buttons.push((label, role, command));
    }

    pub(crate) fn title(&self, form: &Form) -> String {
        form.title.pick(&self.world.tags_of(form)).to_owned()
    }
}
