//! Texts about a draft: standard messages, the author's words, labels and values.

use crate::draft::filling::Filling;
use crate::draft::{show, vars};
use crate::prompt::{Facts, Voice};
use formwright_form::{Path, Value};

impl Filling<'_> {
    pub(crate) fn voice(&self) -> Voice<'_> {
        Voice { world: self.world, form: Some(self.form) }
    }

    /// A standard message.
    pub(crate) fn say(&self, name: &str, facts: &Facts<'_>) -> String {
        self.voice().say(name, facts)
    }

    /// A standard message in the wording whose turn it is: each time the next one, then from the first again.
    pub(crate) fn say_next(&mut self, name: &str, facts: &Facts<'_>) -> String {
        let count = self.journal.draft.said.entry(name.to_owned()).or_default();
        let turn = usize::try_from(*count).unwrap_or(0);
        *count = count.saturating_add(1);
        let turns = self.voice().turns(name).max(1);
        self.voice().say_turn(name, turn % turns, facts)
    }

    /// A standard message in words that this draft has not heard: each wording once, then with the number of times.
    pub(crate) fn say_new(&mut self, name: &str, facts: &Facts<'_>) -> String {
        let turns = u32::try_from(self.voice().turns(name)).unwrap_or(u32::MAX);
        let text = self.say_next(name, facts);
        let times = self.draft().said.get(name).copied().unwrap_or_default();
        if times > turns { format!("{text} ({times})") } else { text }
    }

    /// An author's text where a field stands.
    pub(crate) fn text(&self, text: &formwright_form::Text, at: &Path) -> String {
        self.text_about(text, at, None)
    }

    /// An author's text where a field stands, about a value that is not stored.
    pub(crate) fn text_about(&self, text: &formwright_form::Text, at: &Path, candidate: Option<&Value>) -> String {
        let vars = vars::AnswerVars { form: self.form, draft: self.draft(), world: self.world, at, candidate };
        text.render(&self.world.tags(), &vars)
    }

    /// The short name of the field at a path, with the number of the item it lies in.
    pub(crate) fn label(&self, path: &Path) -> String {
        show::label(self.form, self.world, path)
    }

    /// A value as shown to the person; `None` for an option that is not offered any more, whose name is not known.
    pub(crate) fn show_known(&self, path: &Path, value: &Value) -> Option<String> {
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
    pub(crate) fn show(&self, path: &Path, value: &Value) -> String {
        show::show(self.form, self.draft(), self.world, path, value)
    }
}
