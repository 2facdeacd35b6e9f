//! Control words: clauses that want something of the conversation rather than fill a field.
//!
//! A control phrase counts when it is a whole clause, fillers aside: "stop" is, "stop sign" is not.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Scene;
use super::named::near;
use super::reader::Reader;
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::field::Required;
use formwright_form::{Kind, Path};
use formwright_lexicon::control::Control;

/// What a clause of control words wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Agrees.
    Yes,
    /// Refuses.
    No,
    /// Something else.
    Do(Control),
}

/// What the control words of a range want, in order, where it holds nothing else.
pub(super) fn wishes(reader: &Reader<'_>, words: Range<usize>) -> Option<Vec<Wish>> {
    let end = words.end;
    let mut no = words.start;
    let mut wishes = Vec::new();
    let mut negated = false;
    let mut hedged = false;
    while no < end {
        let control = reader.at(|lang| &lang.control.whole, no, end);
        let yes = reader.agrees(no, end);
        let refusal = reader.len(|lang| &lang.yes_no.no, no, end);
        let negation = reader.len(|lang| &lang.yes_no.negation, no, end);
        let filler = reader.filler(no, end).max(reader.len(|lang| &lang.sentence.join, no, end));
        let said = control.map_or(0, |(len, _)| len).max(yes).max(refusal);
        let is_deny = control.is_some_and(|(len, what)| len == said && *what == Control::Deny);
        if negation >= said.max(filler).max(1) && (said == 0 || is_deny) && no + negation < end {
            negated = true;
            no += negation;
        } else if said > 0 && said >= filler {
            let wish = match control {
                Some((len, Control::Confirm)) if len == said => Wish::Yes,
                Some((len, Control::Deny)) if len == said => Wish::No,
                Some((len, what)) if len == said => Wish::Do(*what),
                _ if refusal == said => Wish::No,
                _ => Wish::Yes,
            };
            if negated {
                return Some(vec![Wish::No]);
            }
            wishes.push(wish);
            no += said;
        } else if filler > 0 {
            hedged |= doubts(reader, no, end);
            no += filler;
        } else {
            return None;
        }
    }
    if hedged && wishes.contains(&Wish::Yes) {
        return Some(vec![Wish::Do(Control::Repeat)]);
    }
    if negated {
        wishes.push(Wish::No);
    }
    (!wishes.is_empty()).then_some(wishes)
}

/// Whether a part of a message says that the answer is not known, and the message nothing else that means anything: "no
/// idea what that is".
pub(super) fn is_unknown(reader: &Reader<'_>, words: Range<usize>) -> bool {
    let unknown = words.clone().find_map(|no| match reader.at(|lang| &lang.control.whole, no, words.end) {
        Some((len, Control::Unknown)) if len > 1 => Some(no..no + len),
        _ => None,
    });
    let nothing = |no: usize| reader.is_idle(no) && !reader.is_of_form(no) && !reader.is_digits(no);
    let all = 0..reader.said.words.len();
    unknown.is_some_and(|unknown| all.into_iter().all(|no| unknown.contains(&no) || nothing(no)))
}

/// How many words of plain yes or no start a clause, and which it is, where more follows.
pub(super) fn leading(reader: &Reader<'_>, words: Range<usize>) -> Option<(usize, Wish)> {
    let start = reader.past_filler(words.clone());
    let yes = reader.agrees(start, words.end);
    let no = reader.len(|lang| &lang.yes_no.no, start, words.end);
    let len = yes.max(no);
    // "No hay problema" refuses nothing, "nada de tortilla" one thing.
    let more = reader.len(|lang| &lang.yes_no.unsure, start, words.end);
    if more.max(reader.len(|lang| &lang.yes_no.negation, start, words.end)) > len {
        return None;
    }
    let rest = start + len;
    let wish = match no >= yes {
        true => Wish::No,
        false if (rest..words.end).any(|no| doubts(reader, no, words.end)) => Wish::Do(Control::Repeat),
        false => Wish::Yes,
    };
    (len > 0 && rest < words.end).then_some((rest, wish))
}

/// Whether words say that somebody is not sure, and nothing else that means anything: "hmm, perhaps so".
pub(super) fn only_doubts(reader: &Reader<'_>, words: Range<usize>) -> bool {
    let mut no = words.start;
    let mut doubts = false;
    while no < words.end {
        let unsure = reader.len(|lang| &lang.yes_no.unsure, no, words.end);
        let filler = reader.filler(no, words.end).max(reader.len(|lang| &lang.sentence.join, no, words.end));
        if filler == 0 {
            return false;
        }
        doubts |= unsure > 0 && unsure <= filler;
        no += filler;
    }
    doubts
}

/// Whether a word takes back the yes beside it: "yes maybe", "sure not".
fn doubts(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let unsure = reader.len(|lang| &lang.yes_no.unsure, no, end) > 0;
    unsure || no + 1 == end && reader.len(|lang| &lang.yes_no.negation, no, end) > 0
}

/// What wishes come to where this is pending. `changes` tells that the message fills or changes something beside them,
/// `open` that it holds words which nothing explains.
pub(super) fn commands(scene: &Scene<'_>, wishes: &[Wish], changes: bool, open: bool) -> Vec<Command> {
    let mut given: Vec<Command> = Vec::new();
    let mut yes = false;
    let mut no = false;
    for wish in wishes {
        match resolve(scene, *wish) {
            Meaning::Yes => yes = true,
            Meaning::No => no = true,
            Meaning::Command(command) => {
                if !given.contains(&command) {
                    given.push(command);
                }
            }
            Meaning::Nothing => {}
        }
    }
    if changes {
        given.retain(|command| !matches!(command, Command::Cancel | Command::Deny | Command::Confirm));
        // "Yes, but the size is small": what else was read back is right.
        let several = matches!(scene.draft.pending, Pending::Sure { then, .. } if then.fills().len() > 1);
        given.extend((several && yes && !no && !open).then_some(Command::Confirm));
        return given;
    }
    if !given.is_empty() {
        let sure_of = match scene.draft.pending {
            Pending::Sure { then, .. } => Some(then.as_ref()),
            _ => None,
        };
        if given.iter().any(|command| Some(command) == sure_of) && !no {
            return vec![Command::Confirm];
        }
        if no && sure_of.is_some() && given.contains(&Command::Cancel) {
            return vec![Command::Deny];
        }
        return given;
    }
    match (yes, no) {
        (_, true) => vec![refuse(scene)],
        (true, false) if !open => agree(scene).into_iter().collect(),
        _ => Vec::new(),
    }
}

enum Meaning {
    Yes,
    No,
    Command(Command),
    Nothing,
}

fn resolve(scene: &Scene<'_>, wish: Wish) -> Meaning {
    let pending = scene.draft.pending;
    let control = match wish {
        Wish::Yes => return Meaning::Yes,
        Wish::No => return Meaning::No,
        Wish::Do(control) => control,
    };
    let command = match control {
        Control::Confirm => return Meaning::Yes,
        Control::Deny | Control::Neither => return Meaning::No,
        Control::Cancel => Command::Cancel,
        Control::Restart => Command::Restart,
        Control::Same => match pending {
            Pending::Field { path, editing } if *editing || scene.draft.offered.contains_key(path) => {
                return Meaning::Yes;
            }
            // It confirms nothing: only a clear yes submits.
            Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange => Command::Review,
            _ => return Meaning::Nothing,
        },
        Control::Back => Command::Back,
        Control::Skip => Command::Skip,
        Control::Undo => Command::Undo,
        Control::Redo => Command::Redo,
        Control::Review => Command::Review,
        Control::Edit => Command::Edit { path: None },
        Control::Help => Command::Help,
        Control::Why => Command::Why,
        Control::Repeat => Command::Repeat,
        Control::Human => Command::Human,
        Control::Forms if matches!(pending, Pending::Which { .. }) => return Meaning::No,
        Control::Forms => Command::Forms,
        Control::Retry => Command::Retry,
        Control::More => Command::More,
        Control::Continue => match pending {
            Pending::Sure { then, .. } if **then == Command::Cancel => return Meaning::No,
            Pending::Sure { .. } | Pending::PageReview { .. } => return Meaning::Yes,
            // "Go on" and "that is all" send nothing: only a yes does.
            Pending::Review => Command::Review,
            Pending::MoreItems { list } => Command::EndList { list: list.clone() },
            Pending::WhatToChange => Command::Review,
            _ => Command::Resume { form: None },
        },
        Control::Add => match list_at_hand(scene) {
            Some(list) => Command::AddItem { list },
            None => return Meaning::Nothing,
        },
        Control::RemoveLast => match list_at_hand(scene).and_then(|list| last_item(scene, &list)) {
            Some(item) => Command::RemoveItem { item },
            None => return Meaning::Nothing,
        },
        Control::Done => match pending {
            Pending::PageReview { .. } => return Meaning::Yes,
            Pending::Review => Command::Review,
            Pending::Sure { .. } | Pending::Which { .. } => return Meaning::No,
            Pending::MoreItems { list } => Command::EndList { list: list.clone() },
            Pending::Field { path, .. } => done_at(scene, path),
            _ => Command::Review,
        },
        Control::Nothing => match pending {
            Pending::MoreItems { list } => Command::EndList { list: list.clone() },
            Pending::Field { path, .. } => nothing_at(scene, path),
            _ => return Meaning::No,
        },
        Control::Unknown => match pending {
            Pending::Field { path, .. } if is_optional(scene, path) => Command::Skip,
            Pending::Field { .. } => Command::Help,
            _ => return Meaning::No,
        },
    };
    Meaning::Command(command)
}

fn agree(scene: &Scene<'_>) -> Option<Command> {
    match scene.draft.pending {
        Pending::Review | Pending::PageReview { .. } | Pending::Sure { .. } => Some(Command::Confirm),
        Pending::MoreItems { list } => Some(Command::AddItem { list: list.clone() }),
        Pending::WhatToChange => Some(Command::Review),
        Pending::Field { path, editing } if *editing || scene.draft.offered.contains_key(path) => {
            Some(Command::Confirm)
        }
        // "Submit": there is nothing to send, and nothing not to understand.
        Pending::Nothing if scene.form.stays => Some(Command::Confirm),
        _ => None,
    }
}

fn refuse(scene: &Scene<'_>) -> Command {
    match scene.draft.pending {
        Pending::MoreItems { list } => Command::EndList { list: list.clone() },
        Pending::WhatToChange => Command::Review,
        Pending::Field { path, editing } if *editing || scene.draft.offered.contains_key(path) => Command::Deny,
        Pending::Field { path, .. } => nothing_at(scene, path),
        _ => Command::Deny,
    }
}

/// "No", "none": an empty list ends, anything else is left empty, where the form allows it.
fn nothing_at(scene: &Scene<'_>, path: &Path) -> Command {
    match scene.form.field_at(path).map(|field| &field.kind) {
        Some(Kind::List(_)) => Command::EndList { list: path.clone() },
        _ if matches!(path.segs().last(), Some(formwright_form::Seg::Item(_))) => match list_of(scene, path) {
            Some(list) => Command::EndList { list },
            None => Command::Skip,
        },
        _ => Command::Skip,
    }
}

fn done_at(scene: &Scene<'_>, path: &Path) -> Command {
    match list_of(scene, path) {
        Some(list) => Command::EndList { list },
        None if is_optional(scene, path) => Command::Skip,
        None => Command::Review,
    }
}

/// Whether a field may be left empty; where that depends on other answers, the engine knows.
pub(super) fn is_optional(scene: &Scene<'_>, path: &Path) -> bool {
    scene.form.field_at(path).is_some_and(|field| !matches!(field.required, Required::Yes))
}

/// The innermost list that a path lies in.
pub(super) fn list_of(scene: &Scene<'_>, path: &Path) -> Option<Path> {
    let segs = path.segs();
    (1..=segs.len()).rev().map(|len| Path::from_segs(segs.get(..len).unwrap_or_default().to_vec())).find(|path| {
        let ends_in_field = matches!(path.segs().last(), Some(formwright_form::Seg::Field(_)));
        ends_in_field && scene.form.field_at(path).is_some_and(|field| matches!(field.kind, Kind::List(_)))
    })
}

/// The list that is spoken of when none is named: the pending one, or the only one.
pub(super) fn list_at_hand(scene: &Scene<'_>) -> Option<Path> {
    match scene.draft.pending {
        Pending::MoreItems { list } => return Some(list.clone()),
        Pending::Field { path, .. } => {
            if let Some(list) = list_of(scene, path) {
                return Some(list);
            }
        }
        _ => {}
    }
    let mut begun = scene.draft.lists.iter().filter(|(_, state)| state.len > 0);
    if let (Some((only, _)), None) = (begun.next(), begun.next()) {
        return Some(only.clone());
    }
    let mut lists = scene.form.fields.iter().filter(|field| matches!(field.kind, Kind::List(_)));
    match (lists.next(), lists.next()) {
        (Some(only), None) => scene.form.path_near(only.no, &Path::default()),
        _ => None,
    }
}

/// The list that words name, by itself or by a field of its items; where they name none or several, the one at hand.
pub(super) fn list_spoken_of(scene: &Scene<'_>, mentions: &[Mention], words: &Range<usize>) -> Option<Path> {
    let names = |mention: &&Mention| {
        let inside = words.start <= mention.words.start && mention.words.end <= words.end;
        inside && !mention.unit && mention.weight >= 1.0
    };
    let list = |mention: &Mention| {
        let field = scene.form.field(mention.field)?;
        let list = if matches!(field.kind, Kind::List(_)) { field.no } else { scene.form.list_of(field.no)? };
        scene.form.path_near(list, &near(scene))
    };
    let named: BTreeSet<Path> = mentions.iter().filter(names).filter_map(list).collect();
    let mut named = named.into_iter();
    match (named.next(), named.next()) {
        (Some(only), None) => Some(only),
        _ => list_at_hand(scene),
    }
}

/// The item that further values go to: the last one while nothing is in it, else one to be added.
pub(super) fn next_item(scene: &Scene<'_>, list: &Path) -> u32 {
    let len = scene.draft.lists.get(list).map_or(0, |state| state.len);
    let Some(last) = len.checked_sub(1) else { return len };
    let item = list.item(last);
    let mut used = scene.draft.answers.keys().chain(scene.draft.skipped);
    if used.any(|path| path.is_within(&item)) { len } else { last }
}

/// The last item of a list, where it has one.
pub(super) fn last_item(scene: &Scene<'_>, list: &Path) -> Option<Path> {
    let len = scene.draft.lists.get(list)?.len;
    Some(list.item(len.checked_sub(1)?))
}

/// What the control words of a clause want while no form is being filled; `None` where it holds anything else.
pub(super) fn idle_commands(reader: &Reader<'_>, words: Range<usize>) -> Option<Vec<Command>> {
    let command = |wish: Wish| match wish {
        Wish::Yes => Some(Command::Confirm),
        Wish::No => Some(Command::Deny),
        Wish::Do(control) => match control {
            Control::Undo => Some(Command::Undo),
            Control::Redo => Some(Command::Redo),
            Control::Help | Control::Unknown => Some(Command::Help),
            Control::Human => Some(Command::Human),
            Control::Forms | Control::More => Some(Command::Forms),
            Control::Continue | Control::Back => Some(Command::Resume { form: None }),
            Control::Retry => Some(Command::Retry),
            Control::Review => Some(Command::Review),
            Control::Repeat => Some(Command::Repeat),
            Control::Cancel => Some(Command::Cancel),
            Control::Restart => Some(Command::Restart),
            _ => None,
        },
    };
    Some(wishes(reader, words)?.into_iter().filter_map(command).collect())
}
