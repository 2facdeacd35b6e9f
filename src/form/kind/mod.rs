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

/// Makes the enums and lists of kinds out of one table.
macro_rules! kinds {
    (
        asked { $(
            $(#[$asked_doc:meta])*
            $asked:ident($asked_type:ty) = $asked_name:literal, $asked_about:literal, [$($asked_other:literal),*];
        )* }
        others { $(
            $(#[$doc:meta])*
            $kind:ident($type:ty) = $name:literal, $about:literal, [$($other:literal),*];
        )* }
    ) => {
        /// A field's kind with the settings that only this kind has.
        #[derive(Clone, Debug)]
        pub enum Kind {
            $($(#[$asked_doc])* $asked($asked_type),)*
            $($(#[$doc])* $kind($type),)*
        }

        /// A kind without its settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum KindName {
            $($(#[$asked_doc])* $asked,)*
            $($(#[$doc])* $kind,)*
        }

        /// Every kind's name in form files, in the order of the reference.
        pub const NAMES: &[&str] = &[$($asked_name,)* $($name,)*];

        /// The names of the kinds whose value comes from the person.
        pub const ASKED: &[&str] = &[$($asked_name,)*];

        /// Every kind's name with what it holds.
        pub const ABOUT: &[(&str, &str)] = &[$(($asked_name, $asked_about),)* $(($name, $about),)*];

        impl KindName {
            /// Every kind, in the order of [`NAMES`].
            pub const ALL: &[Self] = &[$(Self::$asked,)* $(Self::$kind,)*];

            /// The kind of a name in form files.
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $($asked_name => Some(Self::$asked),)*
                    $($name => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// Its name in form files.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$asked => $asked_name,)*
                    $(Self::$kind => $name,)*
                }
            }

            /// What other form makers call it.
            pub fn other_names(self) -> &'static [&'static str] {
                match self {
                    $(Self::$asked => &[$($asked_other),*],)*
                    $(Self::$kind => &[$($other),*],)*
                }
            }
        }

        impl Kind {
            /// The kind's name in form files.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$asked(_) => $asked_name,)*
                    $(Self::$kind(_) => $name,)*
                }
            }

            /// The kind's behaviour. Groups, lists and notes hold no value of their own: their `find` and `read` give
            /// nothing.
            pub fn behaviour(&self) -> &dyn FieldKind {
                match self {
                    $(Self::$asked(kind) => kind,)*
                    $(Self::$kind(kind) => kind,)*
                }
            }
        }
    };
}

// The table of kinds: the type with its settings, its name in form files, what it holds, and what other form makers call it.
// What a value is like is told by the type's [`FieldKind`].
kinds! {
    asked {
        /// A line of words.
        Text(text::Text) = "text", "a line of words",
            ["string", "str", "input", "short_text", "varchar", "char", "line", "name"];
        /// Several lines of words.
        LongText(long_text::LongText) = "long_text", "several lines of words",
            ["textarea", "paragraph", "multiline", "longtext", "memo"];
        /// A whole number.
        Integer(integer::Integer) = "integer", "a whole number", ["int", "whole", "count", "quantity"];
        /// A decimal number.
        Number(number::Number) = "number", "a decimal number", ["float", "double", "decimal", "numeric"];
        /// An amount in a currency.
        Money(money::Money) = "money", "an amount in a currency", ["price", "amount", "currency"];
        /// A percentage.
        Percent(percent::Percent) = "percent", "a percentage", ["percentage"];
        /// Yes or no.
        YesNo(yes_no::YesNo) = "yes_no", "yes or no",
            ["bool", "boolean", "checkbox", "toggle", "switch", "yesno", "confirm"];
        /// One of several options.
        Choice(choice::Choice) = "choice", "one of several options",
            ["select", "dropdown", "radio", "enum", "option", "select_one", "picklist", "category"];
        /// Any of several options.
        Choices(choices::Choices) = "choices", "any of several options",
            ["multiselect", "multi_select", "multi-select", "checkboxes", "select-multiple", "select_multiple",
             "tags", "options"];
        /// Points on a scale.
        Rating(rating::Rating) = "rating", "points on a scale", ["stars", "scale"];
        /// A calendar day.
        Date(date::Date) = "date", "a calendar day", ["day", "calendar"];
        /// A time of day.
        Time(time::Time) = "time", "a time of day", [];
        /// A day and time.
        Datetime(datetime::Datetime) = "datetime", "a day and time", ["timestamp", "date_time", "datetime-local"];
        /// A length of time.
        Duration(duration::Duration) = "duration", "a length of time", [];
        /// First and last day.
        DateRange(date_range::DateRange) = "date_range", "first and last day", ["daterange", "period"];
        /// An e-mail address.
        Email(email::Email) = "email", "an e-mail address", ["mail", "e-mail"];
        /// A telephone number.
        Phone(phone::Phone) = "phone", "a telephone number", ["tel", "telephone", "mobile"];
        /// A web address.
        Url(url::Url) = "url", "a web address", ["link", "website", "uri"];
        /// Words of a given shape.
        Pattern(pattern::Pattern) = "pattern", "words of a given shape", ["regex"];
        /// A person of the platform.
        Person(person::Person) = "person", "a person of the chat platform", ["user"];
        /// A channel of the platform.
        Channel(channel::Channel) = "channel", "a channel of the chat platform", [];
        /// Uploaded files.
        File(file::File) = "file", "uploaded files, or links to files",
            ["upload", "attachment", "image", "photo", "files", "document"];
        /// A point on the map.
        Location(location::Location) = "location", "a point on the map with its address",
            ["map", "gps", "coordinates", "geo"];
        /// A postal address.
        Address(address::Address) = "address", "a postal address", [];
    }
    others {
        /// Several of the member field (or member group).
        List(list::List) = "list", "several of a member field, or of a group of member fields",
            ["array", "repeat", "table", "repeater"];
        /// Fields that belong together.
        Group(group::Group) = "group", "fields that belong together", ["object", "section", "fieldset"];
        /// Text shown, nothing asked.
        Note(note::Note) = "note", "text shown, nothing asked", ["info", "label", "html", "statement", "heading"];
        /// Worked out from other answers.
        Computed(computed::Computed) = "computed", "worked out from other answers", ["formula", "calculated"];
        /// Filled by the link or API that started the form; never shown.
        Hidden(hidden::Hidden) = "hidden", "filled by a default, a tool, or with `from_link` by what started the form; never shown",
            [];
    }
}
