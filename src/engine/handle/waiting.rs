//! What is waited for, and what waits its turn: the second of two answers to be changed, words said while a tool runs.

use formwright_chat as chat;

use crate::ask::{question, verify};
use crate::command::change::{self, Then};
use crate::draft::filling::Filling;
use crate::flow::{decide, settle};
use crate::handle::{self, read, say};
use crate::history::secrets;
use crate::session::side_effect;
use crate::talk::Talk;
use crate::tools::calls::Next;
use formwright_form::kind::Said;
use formwright_form::{Kind, Path};
use formwright_lexicon::{Language, Phrases};
use formwright_nlu::{Command, Pending, UNASKED_CHANGE, Understood};
use formwright_text::Class;

/// Most messages that are kept while a client runs a tool: with the next one its result is not waited for any more.
const MOST_KEPT: usize = 2;

/// What becomes of a message that comes while the client runs a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// It is heard when the result is there, and the client is asked for it again.
    Kept,
    /// It counts at once; the client is waited for no longer.
    Counts,
    /// So too, and by it the person wants to leave.
    Leaves,
}

/// Asks whether values are meant that the words name only roughly, one after the other.
pub(crate) fn ask_whether_meant(talk: &mut Talk<'_>, filling: &mut Filling<'_>, rough: Vec<Command>) {
    let mut asks = Vec::new();
    for command in rough {
        let Command::Fill { path, value, .. } = &command else { continue };
        let Some(field) = filling.form.field_at(path) else { continue };
        match filling.vet(field, path, value) {
            Err(refusal) => {
                let _ = change::refuse(talk, filling, path, refusal);
            }
            Ok(()) => {
                asks.push(Pending::Sure { then: Box::new(command), question: "did_you_mean".to_owned() });
            }
        }
    }
    let mut asks = asks.into_iter();
    if let Some(first) = asks.next() {
        verify::put_first(filling, first);
        filling.journal.draft.waiting.splice(0..0, asks);
    }
}

/// Keeps what is said while the client runs a tool, and has the client asked for the same call again. Control words are
/// not kept: they count at once, but where the client does what was confirmed: that is waited for, and only who wants to
/// leave does not.
pub(crate) fn keep_for_later(talk: &mut Talk<'_>, action: &chat::Action) -> Meanwhile {
    let draft = talk.session.draft.as_ref();
    let doing = draft.is_some_and(|draft| {
        matches!(draft.pending, Pending::Tool { client: true, .. }) && side_effect::is_under_way(draft)
    });
    let text = match action {
        chat::Action::Say { text } => text,
        chat::Action::Press { .. } | chat::Action::Open { form: None } if doing => return Meanwhile::Kept,
        _ => return Meanwhile::Counts,
    };
    let runs = |pending: &Pending| matches!(pending, Pending::Tool { client: true, .. });
    let draft = talk.session.draft.as_ref().filter(|draft| runs(&draft.pending));
    let room = draft.is_some_and(|draft| draft.unheard.len() < MOST_KEPT);
    if draft.is_none() || text.trim().is_empty() {
        return Meanwhile::Counts;
    }
    let Some((form, draft)) = settle::take_draft(talk) else { return Meanwhile::Counts };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    if secrets::tells_a_secret(&filling, &Said::new(text)) {
        secrets::refuse_secret(&mut talk.saying, &mut filling);
        settle::put_draft(talk, filling);
        return Meanwhile::Kept;
    }
    let steers = steering(&filling, &Said::new(text));
    let leaves = steers.as_ref().is_some_and(|commands| commands.contains(&Command::Cancel));
    if steers.is_none() && room {
        filling.journal.draft.unheard.push(text.clone());
        talk.saying.notes.push(filling.say("kept_for_later", &[]));
    }
    settle::put_draft(talk, filling);
    match steers {
        Some(_) if leaves => Meanwhile::Leaves,
        Some(_) if doing && room => Meanwhile::Kept,
        None if room => Meanwhile::Kept,
        Some(_) | None => Meanwhile::Counts,
    }
}

/// Hears what was said while a tool was running, now that nothing runs any more.
pub(crate) fn hear_kept(talk: &mut Talk<'_>) {
    let any = |talk: &Talk| talk.session.draft.as_ref().is_some_and(|draft| !draft.unheard.is_empty());
    for _ in 0..=MOST_KEPT {
        if !any(talk) {
            return;
        }
        let hear = |talk: &mut Talk, filling: &mut Filling<'_>| {
            if decide::decide(filling, &mut talk.saying.notes) != Next::Wait {
                return Then::Go;
            }
            let text = filling.journal.draft.unheard.remove(0);
            // Who said it saw no question.
            let then = handle::late::hear_late(talk, filling, &text, Pending::Nothing);
            if then == Then::Go {
                let _ = decide::decide(filling, &mut talk.saying.notes);
            }
            then
        };
        say::in_form(talk, hear, |_| {});
    }
}

/// What a message wants of the conversation; none where it tells something.
fn steering(filling: &Filling<'_>, said: &Said) -> Option<Vec<Command>> {
    let Understood { commands, rough, unsure, refused, later, leftover, weighed: _ } = read::read(&[], filling, said);
    let tells = |command: &Command| matches!(command, Command::Fill { .. } | Command::Confirm | Command::Deny);
    let steers = !commands.is_empty()
        && rough.is_empty()
        && unsure.is_empty()
        && refused.is_empty()
        && later.is_empty()
        && leftover.is_empty()
        && !commands.iter().any(tells);
    steers.then_some(commands)
}

/// The asked field, or the first open one, if it is of a kind.
pub(crate) fn wants(filling: &Filling<'_>, fits: fn(&Kind) -> bool) -> Option<Path> {
    let of_kind = |path: &Path| filling.form.field_at(path).is_some_and(|field| fits(&field.kind));
    if let Pending::Field { path, .. } = &filling.draft().pending
        && of_kind(path)
    {
        return Some(path.clone());
    }
    filling.open_fields().find(of_kind)
}

/// Whether the asked field has nothing to choose from because its tool has failed.
pub(crate) fn waits_for_failed_tool(filling: &Filling<'_>) -> bool {
    matches!(&filling.draft().pending, Pending::Field { path, .. } if question::tool_has_failed(filling, path))
}

/// Counts a try in vain for what is asked; gives what is said of it.
pub(crate) fn failed(filling: &mut Filling<'_>) -> Option<String> {
    if let Pending::Which { again, readings } = &mut filling.journal.draft.pending {
        // Asked twice: then the field's own question stands again.
        if !std::mem::replace(again, true) {
            return None;
        }
        let of_values = readings.iter().all(|(_, command)| command.filled().is_some());
        change::let_go(filling);
        return of_values.then(|| filling.say("which_none", &[]));
    }
    let Pending::Field { path, .. } = filling.draft().pending.clone() else { return None };
    let asked = filling.journal.draft.asked.entry(path).or_default();
    asked.failures = asked.failures.saturating_add(1);
    asked.refusal = Some(formwright_form::kind::Refusal::new("not_understood"));
    None
}

/// Whether a message says that an answer stays as it is, where it is asked whether it changes: "no, keep Ann".
pub(crate) fn keeps_the_answer(filling: &Filling<'_>, said: &Said) -> bool {
    let Pending::Sure { then, question } = &filling.draft().pending else { return false };
    let Command::Fill { path, .. } = then.as_ref() else { return false };
    let Some(answer) = filling.draft().answers.get(path).filter(|_| question == UNASKED_CHANGE) else { return false };
    let old = Said::new(&filling.show(path, &answer.value));
    let lang = filling.world.lang;
    let (mut no, mut named) = (0, false);
    while no < said.words.len() {
        let small = lang.and_english().filter_map(|lang| {
            let tables = [&lang.yes_no.no, &lang.denial.keep, &lang.sentence.stop];
            tables.into_iter().filter_map(|table| table.at(said, no)).map(|(len, ())| len).max()
        });
        let is_old = (0..old.words.len()).any(|at| old.word(at) == said.word(no));
        let mark = said.words.get(no).is_some_and(|word| word.class == Class::Mark);
        named |= is_old && !mark;
        match small.max() {
            Some(len) => no += len.max(1),
            None if is_old || mark => no += 1,
            None => return false,
        }
    }
    named
}

/// A bare yes or no.
pub(crate) fn yes_or_no(said: &Said, lang: &Language) -> Option<bool> {
    let count = said.words.iter().rposition(|word| word.class != Class::Mark)? + 1;
    let whole = |of: fn(&Language) -> &Phrases<()>| {
        lang.and_english().any(|lang| of(lang).at(said, 0).is_some_and(|(len, ())| len == count))
    };
    if whole(|lang| &lang.yes_no.yes) {
        return Some(true);
    }
    whole(|lang| &lang.yes_no.no).then_some(false)
}
