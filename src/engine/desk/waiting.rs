//! What is said while a form waits for approval and no other is being filled in.

use chat::ButtonRole::Plain;
use formwright_chat as chat;

use crate::Command;
use crate::fill::Filling;
use crate::hear::read_in;
use crate::session::Draft;
use crate::talk::Talk;
use formwright_form::Form;
use formwright_form::kind::Said;

impl Talk<'_> {
    /// Takes back the only form that waits, where words are those of the button for it; tells whether it did.
    pub(crate) fn takes_back(&mut self, said: &Said) -> bool {
        let [draft] = self.session.reviewing.as_slice() else { return false };
        let submission = draft.submission.clone();
        let Some(form) = self.engine.form_of(draft) else { return false };
        let world = self.world.speaking(&form);
        let label = Filling::new(&form, &world, draft.clone()).say("button_withdraw", &[]);
        let meant = Said::new(&label).norm == said.norm.trim().trim_end_matches(['.', '!']).trim_end();
        // What was cancelled meanwhile is what such words bring back.
        let cancelled = self.session.closed.as_ref().is_some_and(|draft| draft.cancelled);
        if meant && !cancelled {
            self.withdraw(&submission);
        }
        meant && !cancelled
    }

    /// Asks for a person on account of what waits, where its form has any; else says that there is none.
    pub(crate) fn ask_for_human_waiting(&mut self) {
        let Some((form, draft)) = self.drafts_in_review().pop() else { return self.note("human_none", &[]) };
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let _ = self.ask_for_human(&mut filling);
    }

    /// Says that a form cannot be changed while it waits, where a message would change one that does; tells whether it did.
    pub(crate) fn would_change_what_waits(&mut self, said: &Said) -> bool {
        let changes = |command: &Command, draft: &Draft| match command {
            Command::Fill { path, .. } | Command::Clear { path } | Command::Edit { path: Some(path) } => {
                draft.answers.contains_key(path)
            }
            _ => false,
        };
        let would = |form: &Form, draft: &Draft| {
            let world = self.world.speaking(form);
            let read = read_in(self.world.lang, &[], &Filling::new(form, &world, draft.clone()), said);
            read.leftover.is_empty() && read.commands.iter().any(|command| changes(command, draft))
        };
        let Some((form, draft)) = self.drafts_in_review().into_iter().rfind(|(form, draft)| would(form, draft)) else {
            return false;
        };
        let title = self.title(&form);
        self.note_of(&form, "in_review_fixed", &[("title", &title)]);
        self.button_of(&form, "button_withdraw", &[], Plain, Command::Withdraw { submission: draft.submission });
        true
    }

    /// What waits and whose form is there, the newest last.
    fn drafts_in_review(&self) -> Vec<(std::sync::Arc<Form>, Draft)> {
        let drafts = self.session.reviewing.iter();
        drafts.filter_map(|draft| Some((self.engine.form_of(draft)?, draft.clone()))).collect()
    }
}
