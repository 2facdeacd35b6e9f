//! Values for fields that are not asked at present: "guests: 2" before the ticket is known. The engine keeps them until
//! their field appears; no other field takes them.

use super::Scene;
use super::ledger::{Ledger, quote};
use super::named::is_hidden;
use super::reader::Reader;
use super::spans::{Board, with_context};
use super::texts::trim;
use crate::command::Command;
use formwright_form::field::{AnswerSource, Fill};
use formwright_form::kind::{Found, Reading, Said, Strength};
use formwright_form::{Kind, Path};

/// Fills fields that are not visible where the message names them: by "name: value", or by what they count.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for mention in &board.mentions {
        let Some(field) = scene.form.field(mention.field).filter(|field| field.fill == Fill::Any) else { continue };
        let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
        let nested = matches!(field.kind, Kind::List(_) | Kind::Group(_) | Kind::Note(_) | Kind::File(_));
        if given || nested || board.slot_of(field.no).is_some() || scene.form.list_of(field.no).is_some() {
            continue;
        }
        let Some(path) = scene.form.path_near(field.no, &Path::default()).filter(|path| is_hidden(scene, path)) else {
            continue;
        };
        let filled = |command: &Command| matches!(command, Command::Fill { path: known, .. } if *known == path);
        if commands.iter().any(filled) || !ledger.is_free(mention.words.clone()) || mention.weight < 0.75 {
            continue;
        }
        let after = mention.words.end;
        let end = reader.clause_end(after.saturating_sub(1));
        let kind = field.kind.behaviour();
        let found = if matches!(reader.said.word(after), ":" | "=") && after + 1 < end {
            let words = trim(reader, after + 1..end);
            let raw = reader.raw_range(words.clone());
            let part = Said::new(reader.said.raw.get(raw.clone()).unwrap_or_default());
            match with_context(scene, &path, field, |cx| kind.read(&part, cx)) {
                Reading::Value(found) => {
                    ledger.close(mention.words.start..end);
                    Some(Found { span: found.span.start + raw.start..found.span.end + raw.start, ..found })
                }
                Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => None,
            }
        } else if matches!(field.kind, Kind::Integer(_) | Kind::Number(_)) {
            let counts = |found: &Found| {
                let words = reader.words_of(&found.span);
                let near = words.start < mention.words.end && mention.words.start <= words.end;
                near && found.strength == Strength::Exact && ledger.is_free(words)
            };
            with_context(scene, &path, field, |cx| kind.find(reader.said, cx)).into_iter().find(counts)
        } else {
            None
        };
        let Some(found) = found else { continue };
        let Some(quote) = quote(reader, &found.span) else { continue };
        ledger.claim(reader.words_of(&found.span));
        ledger.claim(mention.words.clone());
        commands.push(Command::Fill { path, value: found.value, quote: Some(quote) });
    }
    commands
}
