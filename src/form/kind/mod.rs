//! Field kinds: one file each, with its settings, parser, shown form, JSON Schema, widget and tests.

mod behaviour;
mod days;
mod numbers;
mod parts;
mod picks;
#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod testing;
mod things;
pub mod words;

pub use behaviour::FieldKind;
pub use days::{date, date_range, datetime, duration, time};
pub use formwright_text::{Said, overlap};
pub use formwright_values::{Context, Found, Offered, Reading, Refusal, Strength, iban, numeral, secret};
pub use numbers::{integer, money, number, percent, rating, yes_no};
pub use parts::{computed, group, hidden, list, note};
pub use picks::{choice, choices};
pub use things::{channel, file, location, person};
pub use words::{address, email, long_text, pattern, phone, text, url};

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
