//! Which forms the person may use here.

use crate::session::Session;
use crate::world::World;
use formwright_form::{Form, Scope};

/// Whether the person may use a form here.
pub(crate) fn may_use(world: &World, form: &Form) -> bool {
    world.terms.allow(form.id.as_str()) && (form.stays || !world.terms.answers_only)
}

/// Whether a form is filled in the other session of this place.
pub(crate) fn belongs_elsewhere(session: &Session, form: &Form) -> bool {
    let together = form.scope == Scope::Channel;
    session.shares_place && together != session.shared
}
