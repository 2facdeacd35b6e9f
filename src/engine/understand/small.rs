//! Names in messages that are typed in small letters: a word that the language has not is likely one.

use super::reader::Reader;
use crate::form::kind::said::Class;

impl Reader<'_> {
    /// Whether a word may be part of a name by how it is written: it has a capital, or is none of the language's words where
    /// nothing has a capital.
    pub(super) fn is_proper(&self, no: usize) -> bool {
        self.is_capital(no) || self.is_strange(no)
    }

    /// Whether a word of a message without capitals is none of the language's words.
    pub(super) fn is_strange(&self, no: usize) -> bool {
        let letters = self.small && self.said.words.get(no).is_some_and(|word| word.class == Class::Letters);
        let known = || {
            let plain = self.said.plain(no);
            let whole = plain.strip_suffix("'s").unwrap_or(plain);
            whole.len() < 2 || self.langs().into_iter().any(|lang| lang.knows(whole))
        };
        letters && !self.is_idle(no) && !known()
    }
}
