//! Several fields at once: the open questions of a page, for platforms that draw a form, and what would be wrong with the
//! values it is sent with.

use formwright_chat as chat;
use jiff::Timestamp;

use crate::ask::drawing::Drawing;
use crate::ask::question;
use crate::draft::filling::Filling;
use crate::draft::order::{self, Asking};
use crate::engine::Engine;
use crate::handle::press;
use crate::input::{Happening, Input};
use crate::prompt::refusal;
use crate::session::Session;
use crate::session::screen::{self, Addr, Pressing, Slot};
use crate::world;
use formwright_form::{Path, Seg};

/// Most questions drawn beside the one that is asked.
const MAX_BESIDE: usize = 24;

/// Draws the other open questions of the asked one's page. Questions inside lists, and those whose options are not
/// known yet, are left for later.
pub(crate) fn draw_page(filling: &mut Filling<'_>, drawing: &mut Drawing, asked: &Path) {
    let is_item = |path: &Path| path.segs().iter().any(|seg| matches!(seg, Seg::Item(_)));
    let Some(page) = order::addr(filling.form, asked).and_then(|addr| addr.0.first().copied()) else { return };
    if is_item(asked) {
        return;
    }
    let of_page = filling.draft().todo.range(Addr(vec![page])..Addr(vec![page.saturating_add(1)]));
    let fields = of_page.filter_map(|addr| match order::asking(filling.form, addr)? {
        Asking::Field(path) => Some(path),
        Asking::More(_) => None,
    });
    let paths: Vec<Path> = fields.filter(|path| path != asked && !is_item(path)).take(MAX_BESIDE).collect();
    for path in paths {
        let Some(field) = filling.form.field_at(&path) else { continue };
        if filling.known_options(field, &path).is_none() {
            continue;
        }
        let ask = field.ask.first().map_or_else(|| filling.label(&path), |text| filling.text(text, &path));
        let question = question::drawn(filling, drawing, field, &path, ask, None);
        drawing.reply.page.push(question);
    }
}

/// What would be wrong with the values of a press, each by itself; the session stays as it is. Presses that are no
/// values, or of no widget shown now, are not judged.
pub(crate) fn rehearse(engine: &Engine, session: &Session, event: &chat::Event, now: Timestamp) -> Vec<chat::Fault> {
    let chat::Action::Press { presses } = &event.action else { return Vec::new() };
    let Some(draft) = session.draft.clone() else { return Vec::new() };
    let Some(form) = engine.form_of(&draft) else { return Vec::new() };
    let input = Input { now, nonce: chat::Nonce::new(0), event: Happening::Event(Box::new(event.clone())) };
    let world = world::world(engine, session, &input, Some(event)).speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let fault = |press: &chat::Press| {
        let Pressing::Now(Slot::Field { path }) = screen::look_up(session, &press.token) else { return None };
        let field = form.field_at(&path)?;
        let offered = filling.offered(field, &path);
        if press.value == chat::Pressed::Empty && !filling.is_required(field, &path) {
            return None;
        }
        let held = press::of_widget(presses, &press.token);
        let value = press::pressed_value(field, &held, &filling.context(field, &offered), &offered);
        let refusal = value.and_then(|value| filling.vet(field, &path, &value)).err()?;
        Some(chat::Fault { token: press.token.clone(), problem: refusal::refusal(&filling, &path, &refusal) })
    };
    presses.iter().filter_map(fault).collect()
}
