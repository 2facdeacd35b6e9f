//! A whole wish where a name or a few words were asked for: "I need two rooms from Friday" is no city. It is heard as if
//! nothing had been asked, where that explains it, so that a text does not swallow what is said of other fields.

use super::reader::Reader;
use super::{Scene, Understood};
use super::{content, picked};
use crate::command::Command;
use crate::so_far::{Pending, SoFar};
use formwright_form::kind::Said;
use formwright_form::kind::text::Subtype;
use formwright_form::{Kind, Seg};

/// Fewest words of such a message.
const FEWEST: usize = 4;
/// How far from its start a part of the message says that somebody wants something.
const REACH: usize = 5;

/// What the message says to other fields than the one that was asked, or to that one by its own words; `None` where it may
/// be the answer.
pub(super) fn understand(scene: &Scene<'_>, said: &Said) -> Option<Understood> {
    let Pending::Field { path, editing: false } = scene.draft.pending else { return None };
    let Kind::Text(text) = &scene.form.field_at(path)?.kind else { return None };
    if said.words.len() < FEWEST || path.segs().iter().any(|seg| matches!(seg, Seg::Item(_))) {
        return None;
    }
    let reader = Reader::new(said, scene.lang);
    let field = scene.form.field_at(path)?;
    let label = Said::new(field.label.pick(&[scene.lang.code]));
    if text.subtype.is_none() && picked::is_picked(&reader, std::slice::from_ref(&label)) {
        return None;
    }
    let names = matches!(text.subtype, Some(Subtype::Place | Subtype::Person));
    let wish = wishes(&reader);
    if !names && !wish {
        return None;
    }
    let draft = SoFar { pending: &Pending::Nothing, ..scene.draft };
    let open = content::understand(
        &Scene {
            form: scene.form,
            draft,
            forms: scene.forms,
            now: scene.now,
            lang: scene.lang,
            region: scene.region,
            offered: scene.offered,
            explains: scene.explains,
        },
        said,
    );
    let fills = open.commands.iter().filter(|command| matches!(command, Command::Fill { .. })).count();
    let sure = open.refused.is_empty() && open.later.is_empty() && open.rough.is_empty();
    let only_fills = fills == open.commands.len() && sure;
    let own = open.commands.iter().any(|command| command.filled() == Some(path));
    let enough = if own || names { 1 } else { 2 };
    // What has a capital inside a sentence may be what was asked for.
    let proper = |no: usize| {
        let alone = |words: &std::ops::Range<usize>| words.clone().all(|no| reader.is_capital(no));
        let first = reader.clauses.iter().any(|clause| clause.words.start == no && !alone(&clause.words));
        reader.is_capital(no) && !reader.is_idle(no) && !first
    };
    let named = open.leftover.iter().flat_map(|span| reader.words_of(span)).any(proper);
    let explained = open.leftover.is_empty() || wish && !named;
    (only_fills && explained && fills + open.unsure.len() >= enough).then_some(open)
}

/// Whether some part of a message says that somebody wants something: "I need", "find me", "could you".
fn wishes(reader: &Reader<'_>) -> bool {
    reader.clauses.iter().any(|clause| {
        let words = clause.words.clone();
        let reach = words.start..words.end.min(words.start + REACH);
        let seeks = reader.begins(|lang| &lang.naming.seeks, words.clone());
        let asks = reader.begins(|lang| &lang.sentence.request, words.clone());
        seeks || asks || reach.into_iter().any(|no| reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const STAY: &str = r#"
id = "stay"
title = "Hotel"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "note"
kind = "text"
label = "Note"

[[field]]
id = "rooms"
kind = "integer"
label = "Number of rooms"

[[field]]
id = "from"
kind = "date"
label = "Check-in"
"#;

    #[rstest]
    #[case("city", "I need 2 rooms from Friday", "rooms=2; from=2026-11-27")]
    #[case("city", "2 rooms on 5 December", "from=2026-12-05; rooms=2")]
    #[case("city", "can you get me 2 rooms in Oslo?", "rooms=2; city=Oslo")]
    #[case("city", "San Francisco, 2 rooms", "city=San Francisco; rooms=2")]
    #[case("city", "Bergen, and there are 2 rooms", "city=Bergen; rooms=2")]
    #[case("city", "San Francisco del Norte", "city=San Francisco del Norte")]
    #[case("note", "I need 2 rooms from Friday", "rooms=2; from=2026-11-27")]
    #[case("note", "the guest arrives late and is blind", "note=the guest arrives late and is blind")]
    fn a_wish_is_no_name(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(STAY, asked).fills(said)), sorted(expected), "{said}");
    }

    #[rstest]
    #[case("city", "hello, why do you ask?")]
    #[case("city", "this one sounds better to me")]
    fn what_is_no_answer_is_not_stored(#[case] asked: &str, #[case] said: &str) {
        let stage = Stage::new(STAY, asked);
        assert!(!stage.fills(said).starts_with("city="), "{said}");
    }
}
