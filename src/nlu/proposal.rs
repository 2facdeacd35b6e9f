//! What a model proposes, and what it calls the fields. Nothing of it is believed before [`crate::believe`] has seen it.

use formwright_form::field::FieldNo;
use formwright_form::{Field, Form, Kind};

/// What a model proposes. Nothing of it is believed yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// What the person wants.
    pub intent: Intent,
    /// Values.
    pub updates: Vec<Update>,
    /// A form to start.
    pub form: Option<String>,
    /// Which of the form's texts answers the person's question.
    pub answer: Option<String>,
    /// Whether what was said for the asked field is about its question; none where that was not asked or not told.
    pub about: Option<bool>,
    /// An answer to the person's question in the model's words.
    pub reply: Option<String>,
    /// The next questions in the form's tone, by field.
    pub wording: Vec<(String, String)>,
}

/// One value that a model believes to have read.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// Which field, as the prompt names it.
    pub field: String,
    /// The person's words.
    pub quote: String,
    /// What they mean; empty takes the answer out.
    pub value: String,
}

/// What a model believes that the person wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intent {
    /// To answer or correct; also everything unknown.
    #[default]
    Fill,
    /// To know something.
    Question,
    /// To leave the asked question out.
    Skip,
    /// To go back.
    Back,
    /// Out of the form.
    Cancel,
    /// To send the form.
    Confirm,
    /// Something about the review is wrong.
    Reject,
    /// Another form.
    Start,
    /// Nothing that has to do with forms.
    Other,
}

impl Intent {
    /// The names in the prompt and the schema.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("fill", Self::Fill),
        ("question", Self::Question),
        ("skip", Self::Skip),
        ("back", Self::Back),
        ("cancel", Self::Cancel),
        ("confirm", Self::Confirm),
        ("reject", Self::Reject),
        ("start", Self::Start),
        ("other", Self::Other),
    ];

    /// The name in the prompt and the schema.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, intent)| *intent == self).map_or("", |(name, _)| name)
    }

    /// The intent of a name in a reply.
    pub fn named(name: &str) -> Self {
        let name = name.trim().to_ascii_lowercase();
        Self::NAMES.iter().find(|(known, _)| *known == name).map_or(Self::Other, |(_, intent)| *intent)
    }
}

/// What a model calls a field: ids from the outermost in, joined by dots; items of a list have no numbers.
pub fn name_of(form: &Form, no: FieldNo) -> Option<String> {
    let field = form.field(no)?;
    let Some(parent) = field.parent else { return Some(field.id.to_string()) };
    let up = name_of(form, parent)?;
    Some(if form.plain_item(parent) == Some(no) { up } else { format!("{up}.{}", field.id) })
}

/// The field that a model calls by this name.
pub fn field_named(form: &Form, name: &str) -> Option<FieldNo> {
    let name = name.trim();
    let holds_values = |field: &&formwright_form::Field| !matches!(field.kind, Kind::List(_) | Kind::Group(_));
    form.fields.iter().filter(holds_values).find(|field| name_of(form, field.no).as_deref() == Some(name)).map(|f| f.no)
}

/// Whether a field, or what it lies in, holds what nobody else may see.
pub fn is_sensitive(form: &Form, field: &Field) -> bool {
    field.sensitive || field.parent.and_then(|parent| form.field(parent)).is_some_and(|up| is_sensitive(form, up))
}
