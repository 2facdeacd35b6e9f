//! Field kinds: one file each, with its settings, parser, shown form, JSON Schema, widget and tests.

pub mod address;
mod answer;
mod cards;
pub mod channel;
pub mod choice;
pub mod choices;
mod codes;
pub mod computed;
mod credentials;
mod currency;
pub mod date;
pub mod date_range;
pub mod datetime;
mod dial;
pub mod duration;
pub mod email;
mod entity;
pub mod file;
mod free;
pub mod group;
pub mod hidden;
pub mod iban;
pub mod integer;
mod labels;
mod letters;
pub mod list;
pub mod location;
pub mod long_text;
pub mod money;
mod names;
pub mod note;
mod noted;
pub mod number;
pub mod numeral;
mod numeric;
mod options;
pub mod pattern;
pub mod percent;
pub mod person;
pub mod phone;
mod picks;
#[cfg(test)]
mod properties;
pub mod rating;
pub mod secret;
mod spelled;
mod spoken;
mod streets;
mod subtree;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod time;
mod told;
pub mod url;
mod when;
pub mod yes_no;

use std::ops::Range;

use formwright_chat as chat;
use formwright_lexicon::Language;
pub use formwright_text::{Said, overlap};

use super::{Choices, OptionId, Value};

/// An author's text for a fact of a refusal or a schema: in the language wanted, else in the form's first.
pub(crate) fn plain_text(text: &super::Text, lang: &str) -> String {
    let by_lang = &text.by_lang;
    by_lang.get(lang).or_else(|| by_lang.get("")).or_else(|| by_lang.values().next()).cloned().unwrap_or_default()
}

/// What a parser needs to know of the world: given, never looked up.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The person's local time now.
    pub now: &'a jiff::Zoned,
    /// The language the person writes in.
    pub lang: &'a Language,
    /// Region of the person's locale (`IT`), which settles 02/03 and phone prefixes; none where unknown.
    pub region: Option<&'a str>,
    /// For `choice` and `choices`: what is offered now.
    pub options: &'a [Offered],
    /// For `choice` and `choices`: whether words of one's own are an answer.
    pub other: bool,
    /// What the field holds, or the day that was said for it and waits for its time: "make it 4 pm" keeps the day.
    pub held: Option<&'a Value>,
}

/// An option as offered now, its texts in the person's language.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Offered {
    /// What is stored.
    pub id: OptionId,
    /// What people read.
    pub label: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// A second line.
    pub detail: Option<String>,
}

/// A value found in a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where in the message: byte range of the quote.
    pub span: Range<usize>,
    /// The canonical value.
    pub value: Value,
    /// How surely these words mean such a value.
    pub strength: Strength,
}

/// How surely words mean a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Could mean it: a bare number for a time, a near spelling, words taken as they are.
    Weak,
    /// Means it where such a value is wanted: a number for an integer, `5 pm` for a time.
    Typed,
    /// Means it and nothing else: an option's own label, an e-mail address.
    Exact,
}

/// What became of a whole message read as the answer to one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// One value.
    Value(Found),
    /// Several values fit (02/03, "Springfield" of two): the person is asked which.
    Ambiguous(Vec<Found>),
    /// A value of the right type that cannot be taken (a 30 February, a number out of bounds): the value's place and why.
    Refused(Range<usize>, Refusal),
    /// No value here.
    Nothing,
}

/// Why a value cannot be taken: the name of a message (`engine::prompt` words it) and its facts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Refusal {
    /// Name of a message in the language tables: `number_too_big`, `date_not_real`, `option_unknown`.
    pub code: String,
    /// Facts for the message: `max` → `10`.
    pub facts: std::collections::BTreeMap<String, String>,
}

impl Refusal {
    /// A refusal without facts.
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), facts: std::collections::BTreeMap::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<String>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }
}

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

/// A field's kind with the settings that only this kind has.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A line of words.
    Text(text::Text),
    /// Several lines of words.
    LongText(long_text::LongText),
    /// A whole number.
    Integer(integer::Integer),
    /// A decimal number.
    Number(number::Number),
    /// An amount in a currency.
    Money(money::Money),
    /// A percentage.
    Percent(percent::Percent),
    /// Yes or no.
    YesNo(yes_no::YesNo),
    /// One of several options.
    Choice(choice::Choice),
    /// Any of several options.
    Choices(choices::Choices),
    /// Points on a scale.
    Rating(rating::Rating),
    /// A calendar day.
    Date(date::Date),
    /// A time of day.
    Time(time::Time),
    /// A day and time.
    Datetime(datetime::Datetime),
    /// A length of time.
    Duration(duration::Duration),
    /// First and last day.
    DateRange(date_range::DateRange),
    /// An e-mail address.
    Email(email::Email),
    /// A telephone number.
    Phone(phone::Phone),
    /// A web address.
    Url(url::Url),
    /// Words of a given shape.
    Pattern(pattern::Pattern),
    /// A person of the platform.
    Person(person::Person),
    /// A channel of the platform.
    Channel(channel::Channel),
    /// Uploaded files.
    File(file::File),
    /// A point on the map.
    Location(location::Location),
    /// A postal address.
    Address(address::Address),
    /// Several of the member field (or member group).
    List(list::List),
    /// Fields that belong together.
    Group(group::Group),
    /// Text shown, nothing asked.
    Note(note::Note),
    /// Worked out from other answers.
    Computed(computed::Computed),
    /// Filled by the link or API that started the form; never shown.
    Hidden(hidden::Hidden),
}

/// Every kind's name in form files, in the order of the reference.
pub const NAMES: &[&str] = &[
    "text",
    "long_text",
    "integer",
    "number",
    "money",
    "percent",
    "yes_no",
    "choice",
    "choices",
    "rating",
    "date",
    "time",
    "datetime",
    "duration",
    "date_range",
    "email",
    "phone",
    "url",
    "pattern",
    "person",
    "channel",
    "file",
    "location",
    "address",
    "list",
    "group",
    "note",
    "computed",
    "hidden",
];

impl Kind {
    /// The kind's name in form files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::LongText(_) => "long_text",
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Money(_) => "money",
            Self::Percent(_) => "percent",
            Self::YesNo(_) => "yes_no",
            Self::Choice(_) => "choice",
            Self::Choices(_) => "choices",
            Self::Rating(_) => "rating",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
            Self::Datetime(_) => "datetime",
            Self::Duration(_) => "duration",
            Self::DateRange(_) => "date_range",
            Self::Email(_) => "email",
            Self::Phone(_) => "phone",
            Self::Url(_) => "url",
            Self::Pattern(_) => "pattern",
            Self::Person(_) => "person",
            Self::Channel(_) => "channel",
            Self::File(_) => "file",
            Self::Location(_) => "location",
            Self::Address(_) => "address",
            Self::List(_) => "list",
            Self::Group(_) => "group",
            Self::Note(_) => "note",
            Self::Computed(_) => "computed",
            Self::Hidden(_) => "hidden",
        }
    }

    /// The kind's behaviour. Groups, lists and notes hold no value of their own: their `find` and `read` give nothing.
    pub fn behaviour(&self) -> &dyn FieldKind {
        match self {
            Self::Text(kind) => kind,
            Self::LongText(kind) => kind,
            Self::Integer(kind) => kind,
            Self::Number(kind) => kind,
            Self::Money(kind) => kind,
            Self::Percent(kind) => kind,
            Self::YesNo(kind) => kind,
            Self::Choice(kind) => kind,
            Self::Choices(kind) => kind,
            Self::Rating(kind) => kind,
            Self::Date(kind) => kind,
            Self::Time(kind) => kind,
            Self::Datetime(kind) => kind,
            Self::Duration(kind) => kind,
            Self::DateRange(kind) => kind,
            Self::Email(kind) => kind,
            Self::Phone(kind) => kind,
            Self::Url(kind) => kind,
            Self::Pattern(kind) => kind,
            Self::Person(kind) => kind,
            Self::Channel(kind) => kind,
            Self::File(kind) => kind,
            Self::Location(kind) => kind,
            Self::Address(kind) => kind,
            Self::List(kind) => kind,
            Self::Group(kind) => kind,
            Self::Note(kind) => kind,
            Self::Computed(kind) => kind,
            Self::Hidden(kind) => kind,
        }
    }
}
