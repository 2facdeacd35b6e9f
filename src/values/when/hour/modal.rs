//! Names of months that are verbs as well, and are none in a sentence: "we may be 5", "2 may not come".

use formwright_lexicon::dates::Term;
use formwright_lexicon::{Language, Phrases};
use formwright_text::Class;

use crate::when::Line;

impl Line<'_> {
    /// Takes the month from a verb that is written like its name.
    pub(crate) fn veil_verbs(&mut self) {
        for at in 0..self.len() {
            if self.is_verb(at)
                && let Some(piece) = self.pieces.to_mut().get_mut(at)
            {
                piece.terms.retain(|(_, term)| !matches!(term, Term::Month(_)));
            }
        }
    }

    /// Whether a name of a month in small letters has somebody before it, or something that is done behind it.
    fn is_verb(&self, at: usize) -> bool {
        let Some(piece) = self.pieces.get(at).filter(|piece| piece.class == Class::Letters) else { return false };
        let month = piece.terms.iter().any(|(_, term)| matches!(term, Term::Month(_)));
        let is = |no: Option<usize>, table: fn(&Language) -> &Phrases<()>| {
            no.is_some_and(|no| self.cx.lang.and_english().any(|lang| table(lang).word(self.text(no)).is_some()))
        };
        if !month || !is(Some(at), |lang| &lang.date.modal.month) {
            return false;
        }
        let raw = self.said.raw.get(self.said.raw_span(piece.span.clone())).unwrap_or_default();
        let small = raw.chars().all(char::is_lowercase) || self.said.shouts();
        let who = is(at.checked_sub(1), |lang| &lang.date.modal.who);
        small && (who || is(Some(at + 1), |lang| &lang.date.modal.does))
    }
}
