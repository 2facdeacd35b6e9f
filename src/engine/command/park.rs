//! Forms put aside, and taken up again.

use std::sync::Arc;

use crate::command::allowed;
use crate::draft::fresh;
use crate::prompt;
use crate::session::{Draft, Session};
use crate::talk::Talk;
use formwright_form::{Form, FormId};
use formwright_nlu::Pending;

/// Greatest number of forms put aside; the oldest makes room.
const MAX_PARKED: usize = 5;

/// Whether a draft of a form is put aside.
pub(crate) fn is_parked(talk: &Talk<'_>, id: &FormId) -> bool {
    talk.session.parked.iter().any(|draft| draft.form == *id && usable(talk, draft).is_some())
}

/// The form of a draft, where it is there and the person may use it.
pub(crate) fn usable(talk: &Talk<'_>, draft: &Draft) -> Option<Arc<Form>> {
    talk.engine.form_of(draft).filter(|form| allowed::may_use(&talk.world, form))
}

/// Takes the last draft of a form from those put aside.
pub(crate) fn take_parked(talk: &mut Talk<'_>, id: &FormId) -> Option<(Arc<Form>, Draft)> {
    let at = talk.session.parked.iter().rposition(|draft| draft.form == *id)?;
    let form = talk.engine.form_of(talk.session.parked.get(at)?)?;
    Some((form, talk.session.parked.remove(at)))
}

/// Puts the present form aside, unless nothing was said in it; says so in the language of the form that comes next.
pub(crate) fn park(talk: &mut Talk<'_>, next: &Form) {
    // Whoever turns to another form has not answered "shall I stop?".
    let Some(draft) = talk.session.draft.take().map(unasked) else { return };
    if fresh::is_begun(&draft) {
        put_aside(talk, draft, next);
    }
}

/// Puts a draft aside; says so in the language of the form that comes next.
pub(crate) fn put_aside(talk: &mut Talk<'_>, draft: Draft, next: &Form) {
    if let Some(form) = talk.engine.form_of(&draft) {
        let title = talk.title(&form);
        let world = talk.world.speaking(next);
        let voice = prompt::Voice { world: &world, form: None };
        talk.saying.notes.push(voice.say("parked", &[("title", &title)]));
    }
    keep_aside(&mut talk.session, draft);
}

/// Keeps a draft with those that are put aside; the oldest makes room.
pub(crate) fn keep_aside(session: &mut Session, draft: Draft) {
    session.parked.push(draft);
    while session.parked.len() > MAX_PARKED {
        // What waits for another form that is put aside too is not let go before that.
        let parked = &session.parked;
        let returns = |draft: &Draft, to: &Draft| draft.returns.as_ref().is_some_and(|it| it.to == to.submission);
        let awaits = |draft: &Draft| parked.iter().any(|other| returns(other, draft));
        let oldest = parked.iter().position(|draft| !awaits(draft)).unwrap_or(0);
        session.parked.remove(oldest);
    }
}

/// A draft without a question that only counts while the person is in it.
pub(crate) fn unasked(mut draft: Draft) -> Draft {
    if matches!(draft.pending, Pending::Sure { .. } | Pending::Which { .. }) {
        draft.pending = Pending::Nothing;
    }
    draft
}
