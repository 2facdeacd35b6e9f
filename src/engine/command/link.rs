//! What the link or program that starts a form brings for its fields.

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::command::change;
use crate::draft::filling::{AUTHORS_WORDS, Filled, Filling, Offer};
use crate::saying::Saying;
use crate::session::returns::Given;
use crate::world::World;
use formwright_form::field::Fill;
use formwright_form::kind::{Reading, Refusal, Said};
use formwright_form::{Form, Kind, Path, Value};

/// What the event that starts a form brings for it: values of fields that the form lets links fill, in its order.
pub(crate) fn linked(world: &World, form: &Form) -> Vec<Given> {
    let open = |at: &Path| {
        let field = form.field_at(at).filter(|field| field.from_link && field.fill != Fill::Widget);
        field.is_some_and(|field| form.list_of(field.no).is_none())
    };
    let given = world.terms.prefill.0.iter().filter_map(|(name, value)| {
        let at = name.parse().ok().filter(open)?;
        Some(Given { at, value: value.as_str().into(), sensitive: false, linked: true })
    });
    let mut given: Vec<Given> = given.collect();
    given.sort_by_key(|given| form.field_at(&given.at).map(|field| field.no));
    given
}

/// Tells what a link has filled, so that nobody sends what they have not seen.
pub(crate) fn tell_linked(saying: &mut Saying, filling: &Filling<'_>, given: &[Given]) {
    for given in given.iter().filter(|given| given.linked) {
        let shown = filling.form.field_at(&given.at).is_some_and(|field| !matches!(field.kind, Kind::Hidden(_)));
        if let Some(answer) = filling.draft().answers.get(&given.at).filter(|_| shown) {
            let facts = (filling.label(&given.at), filling.show(&given.at, &answer.value));
            saying.note_value(filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)]));
        }
    }
}

/// Fills a field with what a link brings; what is no value of it is left to be asked.
pub(crate) fn take_linked(filling: &mut Filling<'_>, given: &Given) {
    let Ok(value) = read_value(filling, &given.at, &given.value) else { return };
    if let Filled::Stored(_) = filling.fill(&given.at, Offer { value, source: chat::Source::Default, quote: None }) {
        change::arrived(filling, &given.at);
    }
}

/// A value of a field, as data or in words.
pub(crate) fn read_value(filling: &Filling<'_>, path: &Path, json: &Json) -> Result<Value, Refusal> {
    let Some(field) = filling.form.field_at(path) else { return Err(Refusal::new(AUTHORS_WORDS)) };
    let offered = filling.offered(field, path);
    let cx = filling.context(field, &offered);
    let behaviour = field.kind.behaviour();
    behaviour.accept(json, &cx).or_else(|refusal| {
        match json.as_str().map(|text| behaviour.read(&Said::new(text), &cx)) {
            Some(Reading::Value(found)) => Ok(found.value),
            _ => Err(refusal),
        }
    })
}
