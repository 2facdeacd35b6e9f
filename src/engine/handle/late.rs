//! Messages that were written before the present question was shown, because a turn took long: they answer what the
//! person saw. What is named counts anyway.

use jiff::{SignedDuration, Timestamp};

use crate::ask::verify;
use crate::command::change::Then;
use crate::draft::filling::Filling;
use crate::draft::list;
use crate::flow::decide;
use crate::handle::hear;
use crate::session::Before;
use crate::talk::Talk;
use crate::world::World;
use formwright_nlu::{Command, Pending, UNASKED_CHANGE};

/// Nobody reads a question and answers it faster than that, and clocks of replicas differ by less.
const QUICKEST: SignedDuration = SignedDuration::from_millis(250);

/// Hears a message inside a form as the answer to what its writer saw.
pub(crate) fn hear(talk: &mut Talk<'_>, filling: &mut Filling<'_>, text: &str) -> Then {
    match saw_another(&talk.world, filling) {
        Some(seen) => hear_late(talk, filling, text, seen),
        None => hear::hear_now(talk, filling, text),
    }
}

/// Hears a message inside a form as the answer to something that is not asked any more, or to nothing.
pub(crate) fn hear_late(talk: &mut Talk<'_>, filling: &mut Filling<'_>, text: &str, seen: Pending) -> Then {
    // What the order of asking decides is found again.
    let asked = decide::is_sticky(filling).then(|| filling.draft().pending.clone());
    filling.journal.draft.pending.clone_from(&seen);
    talk.late = true;
    let then = hear::hear_now(talk, filling, text);
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
fn saw_another(world: &World, filling: &Filling<'_>) -> Option<Pending> {
    let draft = filling.draft();
    let before = draft.before.as_ref()?;
    let meanwhile = |at: &Timestamp| *at > before.since && at.duration_until(before.until) > QUICKEST;
    world.said_at.filter(meanwhile)?;
    let field = |pending: &Pending| match pending {
        Pending::Field { path, .. } => Some(path.clone()),
        _ => None,
    };
    let path = field(&before.pending).filter(|path| !draft.is_hidden(path) && !list::is_beyond(filling, path));
    let same = path.is_some() && path == field(&draft.pending);
    let seen = path.map_or(Pending::Nothing, |path| Pending::Field { path, editing: false });
    (!same && seen != draft.pending).then_some(seen)
}

/// Of a message that came late, takes out what answers a question that was answered meanwhile: another value is asked
/// about, and a yes or no is nobody's.
pub(crate) fn ask_about_late(talk: &mut Talk<'_>, filling: &mut Filling<'_>, commands: &mut Vec<Command>) {
    let known = match &filling.draft().pending {
        Pending::Field { path, .. } => filling.draft().answers.get(path).map(|answer| (path, &answer.value)),
        _ => None,
    };
    let open = known.is_none() && matches!(filling.draft().pending, Pending::Field { .. });
    if !talk.late || open {
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
        verify::put_first(filling, Pending::Sure { then: Box::new(change), question: UNASKED_CHANGE.to_owned() });
    }
}

/// Notes what was asked until now, where the turn took so long that somebody may have written meanwhile.
pub(crate) fn note_what_was_asked(talk: &mut Talk<'_>) {
    let now = talk.world.now.timestamp();
    let Some(draft) = &mut talk.session.draft else { return };
    let was = talk.was.take().filter(|(submission, _)| *submission == draft.submission);
    let was = was.map_or(Pending::Nothing, |(_, pending)| pending);
    if was == draft.pending {
        return;
    }
    let before = draft.before.take();
    // With what a tool gave, the turn that called it goes on.
    let goes_on = matches!(was, Pending::Tool { client: false, .. });
    let calls = matches!(draft.pending, Pending::Tool { client: false, .. });
    let said_at = talk.world.said_at.or(before.as_ref().filter(|_| goes_on).map(|before| before.since));
    let since = said_at.filter(|at| calls || at.duration_until(now) > QUICKEST);
    let seen = before.filter(|_| talk.late || goes_on).map_or(was, |before| before.pending);
    draft.before = since.map(|since| Before { pending: seen, since, until: now });
}
