//! A conversation ends without a word: it was begun anew, or its person is forgotten. What waits at desks is let go of.

use formwright_chat as chat;
use formwright_chat::{CaseCode, CaseNews};
use jiff::Timestamp;

use crate::desk::state::Stage;
use crate::desk::{self, Desk, send};
use crate::engine::Engine;
use crate::session::{Draft, Session};
use formwright_form::Form;

/// In whose name a desk is told that somebody is forgotten.
const NOBODY: &str = "nobody";

/// How somebody leaves who has asked a desk for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The conversation is given up.
    Gone,
    /// Everything that is kept of the person is deleted: the desk is told by the code alone.
    Forgotten,
}

/// What desks are told where a session ends that has asked them for something, as events for their cases. None for a
/// session that waits for nobody.
pub(crate) fn leaves(engine: &Engine, session: &Session, how: Leaving, now: Timestamp) -> Vec<chat::Event> {
    let talk = session.handoff.as_ref();
    let talk = talk.and_then(|handoff| Some((engine.desks.get(&handoff.desk)?, handoff.code.clone())));
    let approved = |draft: &&Draft| draft.approval.is_some();
    let drafts = session.draft.iter().chain(&session.parked).filter(approved).chain(&session.reviewing);
    let drafts = drafts.filter_map(|draft| case_of_draft(engine, &*engine.form_of(draft)?, draft));
    talk.into_iter().chain(drafts).map(|(desk, code)| left(desk, &code, session, how, now)).collect()
}

/// The desk that has to approve a draft, and what it calls it.
pub(crate) fn case_of_draft<'t>(engine: &'t Engine, form: &Form, draft: &Draft) -> Option<(&'t Desk, CaseCode)> {
    let desk = engine.desks.get(&form.review.as_ref()?.by)?;
    Some((desk, CaseCode::of_submission(&draft.submission)?))
}

/// What somebody is told whose request does not reach its desk, as an event for their session; none where nobody at
/// the desk is waited for.
pub(crate) fn unreached(case: &Session, now: Timestamp) -> Option<chat::Event> {
    let case = case.case.as_ref().filter(|case| case.affair.stage == Stage::Open)?;
    Some(send::to_person(case, CaseNews::Unreached, &case.request.round.to_string(), now))
}

fn left(desk: &Desk, code: &CaseCode, session: &Session, how: Leaving, now: Timestamp) -> chat::Event {
    let (news, id) = match how {
        Leaving::Gone => {
            (CaseNews::Withdrawn, desk::alias(&desk.place.platform, &session.place.platform, &session.owner))
        }
        Leaving::Forgotten => (CaseNews::Forgotten, chat::UserId::new(NOBODY)),
    };
    send::told_desk(desk, code, (id, None), news, "left", now)
}
