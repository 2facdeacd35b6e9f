//! Names with a question mark that the same person answers: "Wifi? Yes. Parking? No."; and a plain answer beside what is said
//! of a part of it: "yes, but no dogs".

use std::ops::Range;

use super::super::reader::{Clause, Reader};
use super::super::spans::asked_path;
use super::super::{Scene, quotes};
use super::names::Names;
use super::{Token, tokens};
use crate::command::Command;
use formwright_form::kind::Said;
use formwright_form::kind::yes_no::said_yes_or_no;
use formwright_form::{Field, Kind, Value};
use formwright_text::stem;

/// Whether a clause names a field with a question mark, and the next one begins with what is said of it.
pub(super) fn is_answered(reader: &Reader<'_>, names: &Names<'_, '_>, no: usize) -> bool {
    let [Some(clause), Some(next)] = [no, no + 1].map(|no| reader.clauses.get(no)) else { return false };
    let named = || {
        let tokens = tokens(reader, names, clause);
        tokens.is_some_and(|tokens| {
            let before = tokens.split_last().map(|(_, before)| before);
            matches!(tokens.last(), Some(Token::Name(_))) && matches!(before, Some([] | [Token::Says(_)]))
        })
    };
    let says = || match tokens(reader, names, next) {
        Some(tokens) => matches!(tokens.first(), Some(Token::Says(_))),
        None => answer(reader, next).is_some(),
    };
    clause.tentative && named() && says()
}

/// What a clause says where it is an answer and nothing else: "none", "not really".
pub(super) fn answer(reader: &Reader<'_>, clause: &Clause) -> Option<bool> {
    let end = clause.words.end;
    let start = reader.past_filler(clause.words.clone());
    let no = reader.len(|lang| &lang.yes_no.no, start, end);
    let nobody = reader.len(|lang| &lang.yes_no.nobody, start, end);
    let yes = reader.agrees(start, end);
    let len = no.max(yes).max(nobody);
    let alone = len > 0 && (start + len..end).all(|no| reader.is_idle(no));
    let unsure = reader.len(|lang| &lang.yes_no.unsure, start, end) >= len;
    (alone && !unsure).then_some(yes > no.max(nobody))
}

/// A plain yes or no to what was asked stands beside what is said of a part of it: "yes, but no dogs" of pets, "no, but there
/// is a car park" of parking. Where the field itself is said to be otherwise, or words are taken back, it is asked again.
pub(in super::super) fn keep_plain(scene: &Scene<'_>, reader: &Reader<'_>, commands: &mut Vec<Command>) {
    let Some(asked) = asked_path(scene) else { return };
    // "No accidents" says yes to "accident-free".
    let open = |field: &&Field| matches!(field.kind, Kind::YesNo(_)) && !scene.form.cues().is_of_absence(field.no);
    let Some(field) = scene.form.field_at(&asked).filter(open) else { return };
    let answers = |command: &Command| match command {
        Command::Fill { path, value: Value::Bool(yes), .. } if *path == asked => Some(*yes),
        _ => None,
    };
    let said: Vec<bool> = commands.iter().filter_map(answers).collect();
    let Some(first) = said.first() else { return };
    let plain = said_yes_or_no(reader.said, scene.lang).or_else(|| leading(reader));
    let Some((plain, yes)) = plain else {
        // "Yes, no pets" is asked again.
        if said.iter().any(|other| other != first) {
            commands.retain(|command| answers(command).is_none());
        }
        return;
    };
    if said.iter().all(|other| *other == yes) {
        return;
    }
    let labels: Vec<Said> = field.label.by_lang.values().map(|label| Said::new(label)).collect();
    let itself = |words: Range<usize>| {
        let named = |no: usize| {
            let word = stem(reader.said.plain(no));
            labels.iter().any(|label| (0..label.words.len()).any(|at| stem(label.plain(at)) == word))
        };
        words.into_iter().any(|no| !reader.is_idle(no) && named(no))
    };
    let quoted = |command: &Command| match command {
        Command::Fill { quote: Some(quote), .. } => quotes::find(reader.said, quote),
        _ => None,
    };
    let end = reader.said.words.len();
    let corrects = (plain.end..end).any(|no| reader.len(|lang| &lang.option.correction, no, end) > 0);
    let sure = |command: &Command| quoted(command).is_some_and(|raw| !itself(reader.words_of(&raw)));
    let stands = !corrects && commands.iter().filter(|command| answers(command).is_some_and(|it| it != yes)).all(sure);
    commands.retain(|command| answers(command).is_none());
    if stands {
        let quote = Some(reader.raw_text(plain).to_owned());
        commands.push(Command::Fill { path: asked, value: Value::Bool(yes), quote });
    }
}

/// The plain yes or no with which a message begins: "yes" of "yes, no cats".
fn leading(reader: &Reader<'_>) -> Option<(Range<usize>, bool)> {
    let end = reader.clauses.first()?.words.end;
    let words = reader.leading(|lang| &lang.yes_no.firm).filter(|words| words.end == end)?;
    let no = reader.len(|lang| &lang.yes_no.no, words.start, end) > 0;
    Some((words, !no))
}
