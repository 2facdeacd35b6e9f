//! Fields and values as the person sees them.

use crate::draft::{list, options};
use crate::prompt::Voice;
use crate::session::Draft;
use crate::world::World;
use formwright_form::{Form, Path, Value};

/// The short name of the field at a path: `Amount`, or `Amount (expense 2)` inside a list.
pub(crate) fn label(form: &Form, world: &World, path: &Path) -> String {
    let Some(field) = form.field_at(path) else { return path.to_string() };
    let name = field.label.pick(&world.tags()).to_owned();
    let Some((list, no)) = list::around(form, path) else { return name };
    let item = item_name(form, world, &list);
    if form.field_at(&list).is_some_and(|list| form.plain_item(list.no).is_some()) {
        return formwright_form::text::capitalised(&format!("{item} {}", no + 1));
    }
    format!("{name} ({item} {})", no + 1)
}

/// What one item of a list is called.
pub(crate) fn item_name(form: &Form, world: &World, list: &Path) -> String {
    let item = list::list_at(form, list).and_then(|(_, kind)| kind.item.as_ref());
    let own = item.map(|item| item.pick(&world.tags()).to_owned());
    own.unwrap_or_else(|| Voice { world, form: Some(form) }.say("item", &[]))
}

/// A value as shown to the person; sensitive ones are masked.
pub(crate) fn show(form: &Form, draft: &Draft, world: &World, path: &Path, value: &Value) -> String {
    let Some(field) = form.field_at(path) else { return String::new() };
    if formwright_nlu::is_sensitive(form, field) {
        return Voice { world, form: Some(form) }.say("sensitive", &[]);
    }
    let offered = options::offered(form, draft, world, field, path).unwrap_or_default();
    let shown = field.kind.behaviour().show(value, &options::context(world, field, &offered));
    if shown.is_empty() { Voice { world, form: Some(form) }.say("none", &[]) } else { shown }
}
