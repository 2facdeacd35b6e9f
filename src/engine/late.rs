//! Messages that were written before the present question was shown, because a turn took long: they answer what the
//! person saw. What is named counts anyway.

use jiff::{SignedDuration, Timestamp};

use super::Command;

use super::carry::Then;
use super::fill::Filling;
use super::session::{Before, Pending};
use super::talk::Talk;
use formwright_nlu::UNASKED_CHANGE;

/// Nobody reads a question and answers it faster than that, and clocks of replicas differ by less.
const QUICKEST: SignedDuration = SignedDuration::from_millis(250);

impl Talk<'_> {
    /// Hears a message inside a form as the answer to what its writer saw.
    pub(super) fn hear(&mut self, filling: &mut Filling<'_>, text: &str) -> Then {
        match self.saw_another(filling) {
            Some(seen) => self.hear_late(filling, text, seen),
            None => self.hear_now(filling, text),
        }
    }

    /// Hears a message inside a form as the answer to something that is not asked any more, or to nothing.
    pub(super) fn hear_late(&mut self, filling: &mut Filling<'_>, text: &str, seen: Pending) -> Then {
        // What the order of asking decides is found again.
        let asked = filling.is_sticky().then(|| filling.draft().pending.clone());
        filling.journal.draft.pending.clone_from(&seen);
        self.late = true;
        let then = self.hear_now(filling, text);
        let draft = &mut filling.journal.draft;
        if draft.pending == seen || draft.pending == Pending::Nothing {
            draft.pending = asked.unwrap_or(Pending::Nothing);
        } else {
            draft.waiting.splice(0..0, asked);
        }
        // The present question was not tried.
        if then == Then::Vain { Then::Go } else { then }
    }

    /// What the writer of the message saw, where that was not what is asked now.
    fn saw_another(&self, filling: &Filling<'_>) -> Option<Pending> {
        let draft = filling.draft();
        let before = draft.before.as_ref()?;
        let meanwhile = |at: &Timestamp| *at > before.since && at.duration_until(before.until) > QUICKEST;
        self.world.said_at.filter(meanwhile)?;
        let field = |pending: &Pending| match pending {
            Pending::Field { path, .. } => Some(path.clone()),
            _ => None,
        };
        let path = field(&before.pending).filter(|path| !draft.is_hidden(path) && !filling.is_beyond(path));
        let same = path.is_some() && path == field(&draft.pending);
        let seen = path.map_or(Pending::Nothing, |path| Pending::Field { path, editing: false });
        (!same && seen != draft.pending).then_some(seen)
    }

    /// Of a message that came late, takes out what answers a question that was answered meanwhile: another value is asked
    /// about, and a yes or no is nobody's.
    pub(super) fn ask_about_late(&mut self, filling: &mut Filling<'_>, commands: &mut Vec<Command>) {
        let known = match &filling.draft().pending {
            Pending::Field { path, .. } => filling.draft().answers.get(path).map(|answer| (path, &answer.value)),
            _ => None,
        };
        let open = known.is_none() && matches!(filling.draft().pending, Pending::Field { .. });
        if !self.late || open {
            return;
        }
        let mut changes = Vec::new();
        commands.retain(|command| match command {
            Command::Fill { path, value, .. } if known.is_some_and(|(seen, _)| seen == path) => {
                changes.extend(known.filter(|(_, old)| *old != value).map(|_| command.clone()));
                false
            }
            Command::Confirm | Command::Deny | Command::Skip => false,
            _ => true,
        });
        if let Some(change) = changes.pop() {
            filling.put_first(Pending::Sure { then: Box::new(change), question: UNASKED_CHANGE.to_owned() });
        }
    }

    /// Notes what was asked until now, where the turn took so long that somebody may have written meanwhile.
    pub(super) fn note_what_was_asked(&mut self) {
        let now = self.world.now.timestamp();
        let Some(draft) = &mut self.session.draft else { return };
        let was = self.was.take().filter(|(submission, _)| *submission == draft.submission);
        let was = was.map_or(Pending::Nothing, |(_, pending)| pending);
        if was == draft.pending {
            return;
        }
        let before = draft.before.take();
        // With what a tool gave, the turn that called it goes on.
        let goes_on = matches!(was, Pending::Tool { client: false, .. });
        let calls = matches!(draft.pending, Pending::Tool { client: false, .. });
        let said_at = self.world.said_at.or(before.as_ref().filter(|_| goes_on).map(|before| before.since));
        let since = said_at.filter(|at| calls || at.duration_until(now) > QUICKEST);
        let seen = before.filter(|_| self.late || goes_on).map_or(was, |before| before.pending);
        draft.before = since.map(|since| Before { pending: seen, since, until: now });
    }
}
