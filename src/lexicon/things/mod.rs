//! Words that values are made of: numbers and units, names, streets, options, secrets, and things that everybody knows.

pub mod everyday;
pub mod given;
pub mod lands;
pub mod makes;
pub mod measure;
pub mod name;
pub mod number;
pub mod option;
pub mod secret;
pub mod spoken;
pub mod street;
pub mod yes_no;
