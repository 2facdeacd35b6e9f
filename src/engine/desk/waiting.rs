//! What is said while a form waits for approval and no other is being filled in.

use formwright_chat::ButtonRole::Plain;

use crate::desk::{self, person};
use crate::draft::filling::Filling;
use crate::handle::read;
use crate::session::Draft;
use crate::talk::Talk;
use formwright_form::Form;
use formwright_form::kind::Said;
use formwright_nlu::Command;

/// Takes back the only form that waits, where words are those of the button for it; tells whether it did.
pub(crate) fn takes_back(talk: &mut Talk<'_>, said: &Said) -> bool {
    let [draft] = talk.session.reviewing.as_slice() else { return false };
    let submission = draft.submission.clone();
    let Some(form) = talk.engine.form_of(draft) else { return false };
    let world = talk.world.speaking(&form);
    let label = Filling::new(&form, &world, draft.clone()).say("button_withdraw", &[]);
    let meant = Said::new(&label).norm == said.norm.trim().trim_end_matches(['.', '!']).trim_end();
    // What was cancelled meanwhile is what such words bring back.
    let cancelled = talk.session.closed.as_ref().is_some_and(|draft| draft.cancelled);
    if meant && !cancelled {
        person::withdraw(talk, &submission);
    }
    meant && !cancelled
}

/// Asks for a person on account of what waits, where its form has any; else says that there is none.
pub(crate) fn ask_for_human_waiting(talk: &mut Talk<'_>) {
    let Some((form, draft)) = drafts_in_review(talk).pop() else { return talk.note("human_none", &[]) };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let _ = desk::handoff::ask_for_human(talk, &mut filling);
}

/// Says that a form cannot be changed while it waits, where a message would change one that does; tells whether it did.
pub(crate) fn would_change_what_waits(talk: &mut Talk<'_>, said: &Said) -> bool {
    let changes = |command: &Command, draft: &Draft| match command {
        Command::Fill { path, .. } | Command::Clear { path } | Command::Edit { path: Some(path) } => {
            draft.answers.contains_key(path)
        }
        _ => false,
    };
    let would = |form: &Form, draft: &Draft| {
        let world = talk.world.speaking(form);
        let read = read::read_in(talk.world.lang, &[], &Filling::new(form, &world, draft.clone()), said);
        read.leftover.is_empty() && read.commands.iter().any(|command| changes(command, draft))
    };
    let Some((form, draft)) = drafts_in_review(talk).into_iter().rfind(|(form, draft)| would(form, draft)) else {
        return false;
    };
    let title = talk.title(&form);
    talk.note_of(&form, "in_review_fixed", &[("title", &title)]);
    talk.button_of(&form, "button_withdraw", &[], Plain, Command::Withdraw { submission: draft.submission });
    true
}

/// What waits and whose form is there, the newest last.
fn drafts_in_review(talk: &Talk<'_>) -> Vec<(std::sync::Arc<Form>, Draft)> {
    let drafts = talk.session.reviewing.iter();
    drafts.filter_map(|draft| Some((talk.engine.form_of(draft)?, draft.clone()))).collect()
}
