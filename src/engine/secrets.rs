//! Card numbers and passwords that are said while something is asked that is kept from everybody's eyes: they may go there, and
//! nowhere else.

use std::ops::Range;

use super::command::Command;
use super::fill::Filling;
use super::model::is_sensitive;
use super::talk::Talk;
use super::understand::{Understood, Unsure};
use crate::form::Path;
use crate::form::kind::{Said, overlap, secret};

impl Talk<'_> {
    /// Refuses a message that holds what is not to be written here.
    pub(super) fn refuse_secret(&mut self, filling: &mut Filling<'_>) {
        self.notes.push(filling.say("secret", &[]));
        filling.note_vain();
    }

    /// Takes out of what was understood whatever would put a secret into a field that others see, or say it back; the
    /// person is told so.
    pub(super) fn keep_secrets_in_place(
        &mut self,
        filling: &mut Filling<'_>,
        understood: &mut Understood,
        said: &Said,
    ) {
        let secrets = Secrets { spans: secret::secrets(said), said };
        if secrets.spans.is_empty() {
            return;
        }
        let Understood { commands, unsure, rough, refused, later: _, leftover } = understood;
        let before = commands.len() + unsure.len() + rough.len() + refused.len() + leftover.len();
        commands.retain(|command| !secrets.shown_by(filling, command));
        rough.retain(|command| !secrets.shown_by(filling, command));
        unsure.retain(|Unsure { readings }| readings.iter().all(|(_, command)| !secrets.shown_by(filling, command)));
        refused.retain(|(path, span, _)| is_private(filling, path) || !secrets.touch(span));
        leftover.retain(|span| !secrets.touch(span));
        if commands.len() + unsure.len() + rough.len() + refused.len() + leftover.len() < before {
            self.refuse_secret(filling);
        }
    }
}

/// The secrets of a message.
struct Secrets<'a> {
    spans: Vec<Range<usize>>,
    said: &'a Said,
}

impl Secrets<'_> {
    fn touch(&self, span: &Range<usize>) -> bool {
        self.spans.iter().any(|secret| overlap(secret, span))
    }

    /// Whether words of the message are nowhere said but in a secret, or with one in them.
    fn hold(&self, words: &str) -> bool {
        let mut places = self.said.raw.match_indices(words).map(|(at, found)| at..at + found.len()).peekable();
        match places.peek() {
            Some(_) => places.all(|place| self.touch(&place)),
            None => !secret::secrets(&Said::new(words)).is_empty(),
        }
    }

    /// Whether a command would put a secret where others see it.
    fn shown_by(&self, filling: &Filling<'_>, command: &Command) -> bool {
        match command {
            Command::Fill { path, value, quote } => {
                let holds = |words: &str| !words.is_empty() && self.hold(words);
                !is_private(filling, path) && (quote.as_deref().is_some_and(holds) || holds(&filling.show(path, value)))
            }
            Command::FillRest { quote: Some(words), .. } | Command::Ask { question: words } => self.hold(words),
            _ => false,
        }
    }
}

/// Whether a field's answers are kept from everybody's eyes.
fn is_private(filling: &Filling<'_>, path: &Path) -> bool {
    filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field))
}
