//! One step's talk: the session, what has been said so far, and what is to be performed.

use formwright_chat as chat;

use super::fill::Filling;
use super::options;
use super::prompt::{Facts, Voice};
use super::session::{Draft, Pending, Session};
use super::world::World;
use super::{Command, Effect, Engine};
use formwright_form::{Form, FormId, Path, Value};
use formwright_nlu::Verdict;

/// One step's talk.
#[derive(Debug)]
pub(super) struct Talk<'a> {
    pub(super) engine: &'a Engine,
    pub(super) world: World,
    pub(super) session: Session,
    /// Paragraphs to say before what is asked next.
    pub(super) notes: Vec<String>,
    /// Which of the paragraphs says what a form just started needs.
    pub(super) needs: Option<usize>,
    /// A question was answered, so that what is asked now is no failed try.
    pub(super) answered_question: bool,
    /// The language of what was said about a form that is not being filled.
    pub(super) lang: Option<&'static str>,
    /// Which of the paragraphs lists the values that were noted.
    pub(super) noted: Option<usize>,
    /// Buttons to offer beside what is asked next.
    pub(super) buttons: Vec<(String, chat::ButtonRole, Command)>,
    /// Show all answers before what is asked next.
    pub(super) card: bool,
    pub(super) effects: Vec<Effect>,
    /// What the step knows from outside.
    pub(super) lookups: &'a mut super::lookup::Lookups,
    /// The finished answers, once submitted.
    pub(super) complete: Option<(formwright_form::FormId, serde_json::Value)>,
    /// What was brought and not taken.
    pub(super) rejected: Vec<chat::Rejected>,
    /// Nothing of what was brought was taken: all stays as it is, what was said last too.
    pub(super) unmoved: bool,
    /// It is said once more that a form was submitted.
    pub(super) recalls: bool,
    /// What the event holds is not to be shown again.
    pub(super) conceals: bool,
    /// A form that was asked for and belongs to the other session of the place.
    pub(super) elsewhere: Option<FormId>,
    /// How many submissions to come began in this step.
    pub(super) begun: u32,
    /// Nothing is asked: the reply is about this case.
    pub(super) quiet: Option<chat::CaseMark>,
    /// What was said.
    pub(super) words: String,
    /// Whether what the person answers, as far as the step began with a question, is kept from everybody's eyes.
    pub(super) answers_a_secret: bool,
    /// The draft as the step found it: its submission, and what it waited for.
    pub(super) was: Option<(String, Pending)>,
    /// The time zone that the person tells in this step, or that they leave it as it is.
    pub(super) zone_told: Option<super::zone::ZoneReply>,
    /// The message was written before what is asked now was shown.
    pub(super) late: bool,
    /// Whether a model may be asked.
    pub(super) model: super::model::Asking,
    /// What a model took the message for, and what became of each value that it proposed.
    pub(super) weighed: Option<(formwright_nlu::Intent, Vec<(formwright_nlu::Update, Verdict)>)>,
}

impl<'a> Talk<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        world: World,
        session: Session,
        lookups: &'a mut super::lookup::Lookups,
    ) -> Self {
        let was = session.draft.as_ref().map(|draft| (draft.submission.clone(), draft.pending.clone()));
        Self {
            engine,
            world: World { library: engine.library.clone(), tries_out: engine.tries_out, ..world },
            session,
            was,
            zone_told: None,
            late: false,
            notes: Vec::new(),
            needs: None,
            answered_question: false,
            lang: None,
            noted: None,
            buttons: Vec::new(),
            card: false,
            effects: Vec::new(),
            lookups,
            complete: None,
            rejected: Vec::new(),
            unmoved: false,
            recalls: false,
            conceals: false,
            elsewhere: None,
            begun: 0,
            quiet: None,
            words: String::new(),
            answers_a_secret: false,
            model: super::model::Asking::Never,
            weighed: None,
        }
    }

    /// Adds a standard message to what is said, outside any form.
    pub(super) fn note(&mut self, name: &str, facts: &Facts<'_>) {
        let text = Voice { world: &self.world, form: None }.say(name, facts);
        self.notes.push(text);
    }

    /// Adds a standard message outside any form, in a wording that the reply before did not have, where there is one.
    pub(super) fn note_new(&mut self, name: &str) {
        let voice = Voice { world: &self.world, form: None };
        let wordings = (0..voice.turns(name).max(1)).map(|turn| voice.say_turn(name, turn, &[]));
        let heard = |text: &String| self.session.last.iter().any(|reply| reply.say.contains(text));
        let mut wordings: Vec<String> = wordings.collect();
        let fresh = wordings.iter().position(|text| !heard(text)).unwrap_or(0);
        self.notes.push(wordings.swap_remove(fresh));
    }

    /// Adds a standard message about a form, in the language spoken in it.
    pub(super) fn note_of(&mut self, form: &Form, name: &str, facts: &Facts<'_>) {
        let world = self.world.speaking(form);
        self.notes.push(Voice { world: &world, form: Some(form) }.say(name, facts));
        self.lang = Some(world.speaks.code);
    }

    /// A button about a form, in the language spoken in it.
    pub(super) fn button_of(
        &mut self,
        form: &Form,
        name: &str,
        facts: &Facts<'_>,
        role: chat::ButtonRole,
        command: Command,
    ) {
        let world = self.world.speaking(form);
        let label = Voice { world: &world, form: Some(form) }.say(name, facts);
        self.buttons.push((label, role, command));
    }

    /// Adds a value that was noted to the paragraph that lists them.
    pub(super) fn note_value(&mut self, value: String) {
        let Some(paragraph) = self.noted.and_then(|at| self.notes.get_mut(at)) else {
            self.noted = Some(self.notes.len());
            return self.notes.push(value);
        };
        paragraph.push(' ');
        paragraph.push_str(&value);
    }

    /// Takes a value off the paragraph of those that were noted.
    pub(super) fn take_back_note(&mut self, value: &str) {
        if let Some(paragraph) = self.noted.and_then(|at| self.notes.get_mut(at)) {
            paragraph.replacen(value, "", 1).trim().clone_into(paragraph);
        }
    }

    pub(super) fn button(&mut self, name: &str, facts: &Facts<'_>, role: chat::ButtonRole, command: Command) {
        let label = Voice { world: &self.world, form: None }.say(name, facts);
        self.buttons.push((label, role, command));
    }

    pub(super) fn title(&self, form: &Form) -> String {
        form.title.pick(&self.world.tags_of(form)).to_owned()
    }
}

impl Filling<'_> {
    pub(super) fn voice(&self) -> Voice<'_> {
        Voice { world: self.world, form: Some(self.form) }
    }

    /// A standard message.
    pub(super) fn say(&self, name: &str, facts: &Facts<'_>) -> String {
        self.voice().say(name, facts)
    }

    /// A standard message in the wording whose turn it is: each time the next one, then from the first again.
    pub(super) fn say_next(&mut self, name: &str, facts: &Facts<'_>) -> String {
        let count = self.journal.draft.said.entry(name.to_owned()).or_default();
        let turn = usize::try_from(*count).unwrap_or(0);
        *count = count.saturating_add(1);
        let turns = self.voice().turns(name).max(1);
        self.voice().say_turn(name, turn % turns, facts)
    }

    /// A standard message in words that this draft has not heard: each wording once, then with the number of times.
    pub(super) fn say_new(&mut self, name: &str, facts: &Facts<'_>) -> String {
        let turns = u32::try_from(self.voice().turns(name)).unwrap_or(u32::MAX);
        let text = self.say_next(name, facts);
        let times = self.draft().said.get(name).copied().unwrap_or_default();
        if times > turns { format!("{text} ({times})") } else { text }
    }

    /// An author's text where a field stands.
    pub(super) fn text(&self, text: &formwright_form::Text, at: &Path) -> String {
        self.text_about(text, at, None)
    }

    /// An author's text where a field stands, about a value that is not stored.
    pub(super) fn text_about(&self, text: &formwright_form::Text, at: &Path, candidate: Option<&Value>) -> String {
        let vars = super::vars::AnswerVars { form: self.form, draft: self.draft(), world: self.world, at, candidate };
        text.render(&self.world.tags(), &vars)
    }

    /// The short name of the field at a path, with the number of the item it lies in.
    pub(super) fn label(&self, path: &Path) -> String {
        label(self.form, self.world, path)
    }

    /// A value as shown to the person; `None` for an option that is not offered any more, whose name is not known.
    pub(super) fn show_known(&self, path: &Path, value: &Value) -> Option<String> {
        let field = self.form.field_at(path)?;
        let offered = self.offered(field, path);
        let known = |id: &formwright_form::OptionId| offered.iter().any(|option| option.id == *id);
        let gone = match value {
            Value::Option(id) => !known(id),
            Value::Options { picked, .. } => !picked.iter().all(known),
            _ => false,
        };
        (!gone).then(|| self.show(path, value))
    }

    /// A value as shown to the person.
    pub(super) fn show(&self, path: &Path, value: &Value) -> String {
        show(self.form, self.draft(), self.world, path, value)
    }
}

/// The short name of the field at a path: `Amount`, or `Amount (expense 2)` inside a list.
pub(super) fn label(form: &Form, world: &World, path: &Path) -> String {
    let Some(field) = form.field_at(path) else { return path.to_string() };
    let name = field.label.pick(&world.tags()).to_owned();
    let Some((list, no)) = super::list::around(form, path) else { return name };
    let item = item_name(form, world, &list);
    if form.field_at(&list).is_some_and(|list| form.plain_item(list.no).is_some()) {
        return formwright_form::text::capitalised(&format!("{item} {}", no + 1));
    }
    format!("{name} ({item} {})", no + 1)
}

/// What one item of a list is called.
pub(super) fn item_name(form: &Form, world: &World, list: &Path) -> String {
    let item = super::list::list_at(form, list).and_then(|(_, kind)| kind.item.as_ref());
    let own = item.map(|item| item.pick(&world.tags()).to_owned());
    own.unwrap_or_else(|| Voice { world, form: Some(form) }.say("item", &[]))
}

/// A value as shown to the person; sensitive ones are masked.
pub(super) fn show(form: &Form, draft: &Draft, world: &World, path: &Path, value: &Value) -> String {
    let Some(field) = form.field_at(path) else { return String::new() };
    if formwright_nlu::is_sensitive(form, field) {
        return Voice { world, form: Some(form) }.say("sensitive", &[]);
    }
    let offered = options::offered(form, draft, world, field, path).unwrap_or_default();
    let shown = field.kind.behaviour().show(value, &options::context(world, field, &offered));
    if shown.is_empty() { Voice { world, form: Some(form) }.say("none", &[]) } else { shown }
}
