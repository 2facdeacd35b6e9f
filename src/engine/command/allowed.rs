//! Which forms the person may use here.

use crate::talk::Talk;
use formwright_form::{Form, Scope};

/// Whether the person may use a form here.
pub(crate) fn may_use(talk: &Talk<'_>, form: &Form) -> bool {
    talk.world.terms.allow(form.id.as_str()) && (form.stays || !talk.world.terms.answers_only)
}

/// Whether a form is filled in the other session of this place.
pub(crate) fn belongs_elsewhere(talk: &Talk<'_>, form: &Form) -> bool {
    let together = form.scope == Scope::Channel;
    talk.session.shares_place && together != talk.session.shared
}
