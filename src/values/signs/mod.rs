//! Letters and digits that stand for something: codes, telephone numbers, cards, accounts, keys, e-mail addresses.

pub mod cards;
pub mod codes;
pub mod credentials;
pub mod dial;
pub mod iban;
pub mod letters;
pub mod spelled;
pub mod spoken;
