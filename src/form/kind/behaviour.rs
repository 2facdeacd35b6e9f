//! What every kind of field can do.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Value};

use crate::choices::Choices;

/// What every kind of field can do.
///
/// Total: any text gives a result and none panics.
pub trait FieldKind {
    /// Finds values of this kind anywhere in a message, left to right, possibly overlapping. Only readings that stand
    /// by themselves: a `text` field finds nothing here. Values outside the field's bounds are found too; [`Self::check`]
    /// refuses them later, so that the person is told.
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found>;

    /// Reads the whole message as the answer to this field's own question: weak readings count, filler words around
    /// ("it's", "I'd say … please") do not hinder. Does not apply [`Self::check`].
    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading;

    /// Turns typed data (a widget's text, a tool's output, a default, an API client's JSON) into the canonical value,
    /// bounds included.
    ///
    /// # Errors
    /// Why the data cannot be taken.
    fn accept(&self, data: &serde_json::Value, cx: &Context<'_>) -> Result<Value, Refusal>;

    /// Applies the field's own bounds (min, max, length, past only …) to a canonical value.
    ///
    /// # Errors
    /// Why the value cannot be taken.
    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal>;

    /// Shows a value to a person in their language.
    fn show(&self, value: &Value, cx: &Context<'_>) -> String;

    /// The value in a submission: JSON that [`Self::schema`] describes.
    fn json(&self, value: &Value) -> serde_json::Value;

    /// JSON Schema of [`Self::json`]'s result. `choices` are the form's own options in the form's first language.
    fn schema(&self, choices: Option<&Choices>) -> serde_json::Value;

    /// The widget that fits. Options carry tokens `slot.option(i)` with `i` the index in `cx.options`.
    fn input(&self, slot: &chat::Token, picked: Option<&Value>, cx: &Context<'_>) -> chat::Input;

    /// What the widget holds at first, in the widget's own format ([`chat::Input`] documents it).
    fn prefill(&self, value: &Value) -> Option<String> {
        let _ = value;
        None
    }

    /// Values to try the form's expressions on when it is loaded: plain, least and greatest.
    fn samples(&self, choices: Option<&Choices>) -> Vec<Value>;
}
