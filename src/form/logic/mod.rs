//! Logic in forms: CEL expressions, which fields they read, and what follows from a change.
//!
//! The `cel` crate reads the language; what runs is a compiled form of our own, because a form needs three things that
//! the crate's interpreter does not have: a missing answer is *unknown* (not an error), money adds up exactly (decimals,
//! not doubles), and an evaluation is bounded whatever the author wrote.
//!
//! # Values
//!
//! | field kind | in expressions |
//! |---|---|
//! | text `long_text` email phone url pattern address hidden channel | text |
//! | integer rating | whole number |
//! | number percent | decimal number, mixes with whole numbers; exact |
//! | money | its amount; `currency(field)` gives the code |
//! | `yes_no` | `true` or `false` |
//! | choice | the option's id |
//! | choices | list of ids: `'nuts' in allergies` |
//! | date | date: `date < today`, `informed - injury >= duration('7d')`, `days(informed, injury) >= 7` |
//! | datetime | date and time: `start < now` |
//! | time | text `HH:MM`: `start < '18:00'` |
//! | duration | duration: `stay > duration('2h')` |
//! | `date_range` | `stay.start`, `stay.end` |
//! | person channel | `approver.id`, `approver.name` |
//! | file | list of `{id, name, media_type, bytes}` |
//! | location | `place.lat`, `place.lng`, `place.address`, `place.city`, `place.country` |
//! | list | list of values, or of groups: `sum(items.map(i, i.amount))` |
//! | group | `address.street` |
//!
//! A missing answer is unknown, and so is what is made of it. In values that are worked out, a yes or no that the person
//! left out, or whose field is hidden, is `false` where a condition is needed: `half_day ? 0.5 : 1`.
//!
//! `today` and `now` are the person's. Whole numbers divide without decimals (`7 / 2` is `3`, `7 / 2.0` is `3.5`).
//! [`REFERENCE`] lists the functions.

mod answers;
mod datum;
mod edges;
mod eval;
mod expr;
mod fault;
mod graph;
mod lower;
mod node;
mod parse;
mod sample;
mod scope;
mod verdict;

pub use self::eval::functions::REFERENCE;
pub use answers::{Answers, Extra, Outcome};
pub use datum::Datum;
pub use expr::{Expr, quoted, syntax};
pub use fault::{Fault, FaultKind, nearest};
pub use graph::{Cycle, Graph};
pub use parse::MAX_SOURCE;
pub use sample::{Samples, Want};
pub use scope::{Names, Scope, Shape};

#[cfg(test)]
mod tests;
