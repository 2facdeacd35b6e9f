//! What a person said in a form, and which answers came of it: kept with the draft, so that who takes it up again has it.

use formwright_chat as chat;

use super::command::Command;
use super::fill::Filling;
use super::model::is_sensitive;
use super::session::{Heard, Pending};
use super::talk::Talk;
use crate::form::Path;
use crate::form::kind::{Said, secret};

/// Messages remembered.
const MOST: usize = 24;
/// Longest part of a message that is remembered, in characters.
const LONGEST: usize = 200;
/// Stands for what nobody else may see.
pub(super) const HIDDEN: &str = "[hidden]";

impl Talk<'_> {
    /// Notes whether what is asked now is nobody else's business: what is said next is then hidden, whatever comes of it.
    pub(super) fn note_what_is_asked(&mut self) {
        let form = self.session.draft.as_ref().and_then(|draft| self.engine.form_of(draft));
        let Some((form, draft)) = form.zip(self.session.draft.take()) else { return };
        let world = self.world.speaking(&form);
        let filling = Filling::new(&form, &world, draft);
        self.answers_a_secret = filling.asks_for_a_secret();
        self.session.draft = Some(filling.journal.draft);
    }

    /// Remembers a message of the person in the form being filled, or just sent.
    pub(super) fn remember(&mut self, event: &chat::Event) {
        let (chat::Action::Say { text } | chat::Action::Start { text, .. } | chat::Action::Attach { text, .. }) =
            &event.action
        else {
            return;
        };
        let open = self.session.draft.is_some();
        let draft = if open { self.session.draft.take() } else { self.session.closed.take() };
        let Some(draft) = draft else { return };
        let mut kept = draft;
        if (open || kept.touched == self.world.now.timestamp())
            && !text.trim().is_empty()
            && let Some(form) = self.engine.form_of(&kept)
        {
            let world = self.world.speaking(&form);
            let mut filling = Filling::new(&form, &world, kept);
            let heard = heard(&filling, event, text, self.session.shared, self.answers_a_secret);
            let history = &mut filling.journal.draft.history;
            history.push(heard);
            let surplus = history.len().saturating_sub(MOST);
            history.drain(..surplus);
            kept = filling.journal.draft;
        }
        if open {
            self.session.draft = Some(kept);
        } else {
            self.session.closed = Some(kept);
        }
    }
}

impl Filling<'_> {
    /// Whether the field asked, or read back, is one whose answers are kept from everybody's eyes.
    pub(super) fn asks_for_a_secret(&self) -> bool {
        let secret = |path: &Path| self.form.field_at(path).is_some_and(|field| is_sensitive(self.form, field));
        let about = |command: &Command| match command {
            Command::Fill { path, .. } | Command::Clear { path } => secret(path),
            _ => false,
        };
        match &self.draft().pending {
            Pending::Field { path, .. } => secret(path),
            Pending::Sure { then, .. } => about(then),
            Pending::Which { readings } => readings.iter().any(|(_, command)| about(command)),
            _ => false,
        }
    }
}

fn heard(filling: &Filling<'_>, event: &chat::Event, text: &str, shared: bool, answers_a_secret: bool) -> Heard {
    let draft = filling.draft();
    let of_event = draft.answers.iter().filter(|(_, answer)| answer.event.as_ref() == Some(&event.id));
    let fields: Vec<_> = of_event.map(|(path, _)| path.clone()).collect();
    let said = Said::new(text);
    let sensitive = |path| filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field));
    let hidden = answers_a_secret
        || filling.asks_for_a_secret()
        || fields.iter().any(sensitive)
        || !secret::secrets(&said).is_empty();
    let words = if hidden { HIDDEN.to_owned() } else { super::model::without_secrets(filling, &said) };
    Heard {
        words: shortened(words),
        fields,
        at: filling.world.now.timestamp(),
        by: shared.then(|| event.user.id.clone()),
    }
}

/// The first words of a message: a word that is cut in two could not be recognised any more.
fn shortened(words: String) -> String {
    let Some((end, _)) = words.char_indices().nth(LONGEST) else { return words };
    let kept = words.get(..end).unwrap_or_default();
    kept.rfind(char::is_whitespace).and_then(|end| kept.get(..end)).unwrap_or_default().to_owned()
}
