//! Asking whether something is meant, before it counts.

use crate::draft::filling::Filling;
use crate::saying::Saying;
use crate::session::Draft;
use formwright_form::Path;
use formwright_nlu::{Command, Pending, UNASKED_CHANGE};

/// Asks no more whether a value for a field is right: it was said in other words, or taken. What else was asked of in
/// the same question stays asked.
pub(crate) fn no_longer_doubts(filling: &mut Filling<'_>, path: &Path) {
    let Draft { pending, waiting, answers, .. } = &mut filling.journal.draft;
    let settled = |pending: &mut Pending| {
        let Pending::Sure { then, question } = pending else { return false };
        let Command::Together { fills } = then.as_mut() else { return then.filled() == Some(path) };
        fills.retain(|fill| fill.filled() != Some(path));
        if let [last] = fills.as_slice() {
            let changes = last.filled().is_some_and(|path| answers.contains_key(path));
            (if changes { UNASKED_CHANGE } else { VERIFY }).clone_into(question);
            **then = last.clone();
            return false;
        }
        fills.is_empty()
    };
    waiting.retain_mut(|waiting| !settled(waiting));
    if settled(pending) {
        *pending = Pending::Nothing;
    }
}

/// Asks whether a value was read right: name of a message.
pub(crate) const VERIFY: &str = "verify";

/// Asks whether a value is right that a tool brought: name of a message.
pub(crate) const VERIFY_FOUND: &str = "verify_found";

/// Asks whether several values were read right: name of a message.
pub(crate) const VERIFY_ALL: &str = "verify_all";

/// Tells that an answer stays as it is.
pub(crate) fn tell_kept(saying: &mut Saying, filling: &Filling<'_>, path: &Path) {
    let Some(answer) = filling.draft().answers.get(path) else { return };
    let facts = (filling.label(path), filling.show(path, &answer.value));
    saying.notes.push(filling.say("kept", &[("label", &facts.0), ("value", &facts.1)]));
}

/// Of several answers that a message wants to change, keeps the first and gives the others: they are asked one after
/// the other.
pub(crate) fn put_in_line(saying: &mut Saying, filling: &Filling<'_>, commands: &mut Vec<Command>) -> Vec<Pending> {
    let changes = |command: &Command| match command {
        Command::Edit { path: Some(path) } if !filling.draft().is_hidden(path) => Some(path.clone()),
        _ => None,
    };
    let mut paths: Vec<Path> = Vec::new();
    for path in commands.iter().filter_map(changes) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let Some((first, rest)) = paths.split_first().filter(|(_, rest)| !rest.is_empty()) else { return Vec::new() };
    let labels: Vec<String> = paths.iter().map(|path| filling.label(path)).collect();
    let labels = filling.voice().list(&labels);
    saying.notes.push(filling.say("one_by_one", &[("labels", &labels)]));
    let mut kept = false;
    commands.retain(|command| match changes(command) {
        Some(path) if path == *first => !std::mem::replace(&mut kept, true),
        other => other.is_none(),
    });
    rest.iter().map(|path| Pending::Field { path: path.clone(), editing: true }).collect()
}

/// Waits for something at once; what a question of this message waits for already comes after it.
pub(crate) fn put_first(filling: &mut Filling<'_>, pending: Pending) {
    if let Some(path) = pending.asks_which_of() {
        drop_which_of(filling, &path.clone());
    }
    let before = std::mem::replace(&mut filling.journal.draft.pending, pending);
    if matches!(before, Pending::Sure { .. } | Pending::Which { .. }) {
        filling.journal.draft.waiting.insert(0, before);
    }
}

/// Does not ask any more which reading of a field's answer is meant.
pub(crate) fn drop_which_of(filling: &mut Filling<'_>, path: &Path) {
    let draft = &mut filling.journal.draft;
    draft.waiting.retain(|waiting| waiting.asks_which_of() != Some(path));
    if draft.pending.asks_which_of() == Some(path) {
        draft.pending = Pending::Nothing;
    }
}

/// Asks whether a value was read right, in the order in which values came: after another one that this is asked of, and
/// in place of what is asked of the same field.
pub(crate) fn ask_whether_right(filling: &mut Filling<'_>, path: &Path, then: Box<Command>) {
    ask_sure_of(filling, path, Pending::Sure { then, question: VERIFY.to_owned() });
}

/// Asks whether a value is right that a tool brought.
pub(crate) fn ask_whether_found(filling: &mut Filling<'_>, path: &Path, then: Box<Command>) {
    ask_sure_of(filling, path, Pending::Sure { then, question: VERIFY_FOUND.to_owned() });
}

fn ask_sure_of(filling: &mut Filling<'_>, path: &Path, sure: Pending) {
    no_longer_doubts(filling, path);
    let draft = &mut filling.journal.draft;
    match &draft.pending {
        Pending::Sure { then, .. } if !then.fills().is_empty() => draft.waiting.push(sure),
        _ => draft.pending = sure,
    }
}

/// Stays at the asked field until it is dealt with, whatever the order of asking.
pub(crate) fn stay(filling: &mut Filling<'_>) {
    if let Pending::Field { editing, .. } = &mut filling.journal.draft.pending {
        *editing = true;
    }
}
