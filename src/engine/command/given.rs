//! What a form begins with.

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::command::{change, link};
use crate::draft::filling::{Filled, Filling, Offer};
use crate::session::returns::Given;
use formwright_form::kind::Refusal;
use formwright_form::{FieldId, Kind, Path};
use formwright_nlu::is_sensitive;

/// Fills a field, or the members of a group, with data from outside. Gives what does not fit, which is left to be asked.
pub(crate) fn take_data(
    filling: &mut Filling<'_>,
    path: &Path,
    data: &Json,
    source: chat::Source,
    quote: Option<String>,
) -> Vec<(Path, Refusal)> {
    let Some(field) = filling.form.field_at(path) else { return Vec::new() };
    if let (Kind::Group(_), Some(members)) = (&field.kind, data.as_object()) {
        let member = |(member, value): (&String, &Json)| {
            take_data(filling, &path.child(&FieldId::new(member)), value, source, quote.clone())
        };
        return members.iter().flat_map(member).collect();
    }
    let offered = filling.offered(field, path);
    let accepted = field.kind.behaviour().accept(data, &filling.context(field, &offered));
    let filled = match accepted {
        Ok(value) => filling.fill(path, Offer { value, source, quote }),
        Err(refusal) => Filled::Refused(refusal),
    };
    match filled {
        Filled::Stored(_) => change::arrived(filling, path),
        Filled::Refused(refusal) => return vec![(path.clone(), refusal)],
        Filled::Same | Filled::Aside | Filled::Locked => {}
    }
    Vec::new()
}

/// Fills the fields that a form begins with.
pub(crate) fn take_given(filling: &mut Filling<'_>, given: &[Given]) {
    for given in given {
        let Some(field) = filling.form.field_at(&given.at) else { continue };
        if given.linked {
            link::take_linked(filling, given);
        } else if !given.sensitive || is_sensitive(filling.form, field) {
            let _ = take_data(filling, &given.at, &given.value, chat::Source::Default, None);
        }
    }
}
