//! What goes before everything else in a message: an answer in the very words of an option, the form's stop examples, and
//! another form.

use std::ops::Range;

use super::named;
use super::pieces::Piece;
use super::reader::Reader;
use super::score::is_telling;
use super::{Scene, Understood, Unsure, asked, naught, pick};
use crate::engine::command::Command;
use crate::engine::session::Pending;
use crate::form::cues::Mention;
use crate::form::kind::{Context, Strength, overlap};
use crate::form::{Form, Kind};

/// None of what is counted is nought. An option or yes/no said in so many words goes before control words of the same sound; another form's start phrase
/// goes before values.
pub(super) fn before_all(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    pieces: &[Piece],
    mentions: &[Mention],
) -> Option<Understood> {
    if let Some(none) = naught::counted(scene, reader, mentions) {
        return Some(none);
    }
    let stops = pick::says(&scene.form.cues().stops, reader);
    let other = other_form(scene, reader);
    let steers = stops || other.is_some() || pieces.iter().any(|piece| !piece.is_content());
    if steers
        && !pieces.iter().any(Piece::is_polar)
        && let Some(understood) = asked::exact(scene, reader)
    {
        return Some(understood);
    }
    if stops {
        return Some(Understood { commands: vec![Command::Cancel], ..Understood::default() });
    }
    other
}

/// Another form that the message asks for by its start examples or title, as clearly as "I want to report an injury".
fn other_form(scene: &Scene<'_>, reader: &Reader<'_>) -> Option<Understood> {
    const CLEARLY: f32 = 0.85;
    /// Fit of a message that says a whole start example and nothing that the form does not know.
    const WHOLLY: f32 = 1.09;
    let [clause] = reader.clauses.as_slice() else { return None };
    if clause.question || scene.forms.is_empty() || clause.words.len() > 14 {
        return None;
    }
    let start = reader.past_filler(clause.words.clone());
    let resume = named::form_to_resume(scene.forms, reader, clause.words.clone());
    if let Some(form) = resume {
        return Some(Understood { commands: vec![Command::Resume { form: Some(form) }], ..Understood::default() });
    }
    let asks = reader.len(|lang| &lang.control.start, start, clause.words.end) > 0
        || reader.len(|lang| &lang.control.start, clause.words.start, clause.words.end) > 0;
    let own = pick::fit_of(scene.form, reader);
    // The answer to a question for words may sound like anything.
    let words_are_asked = match &scene.draft.pending {
        Pending::Field { path, .. } => scene
            .form
            .field_at(path)
            .is_some_and(|field| matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_))),
        _ => false,
    };
    let mut fits: Vec<(f32, &crate::form::Form)> = scene
        .forms
        .iter()
        .filter(|form| form.enabled && form.id != scene.form.id)
        .map(|form| (pick::fit_of(form, reader), *form))
        .map(|(fit, form)| {
            if fit >= CLEARLY || !asks || words_are_asked {
                return (fit, form);
            }
            (told(scene, reader, form).map_or(fit, |told| if told >= pick::FITS { CLEARLY } else { told }), form)
        })
        .filter(|(fit, _)| (*fit >= CLEARLY && asks || *fit >= WHOLLY && !words_are_asked) && *fit > own)
        .collect();
    fits.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    match fits.as_slice() {
        [] => None,
        [(fit, form), rest @ ..] if rest.first().is_none_or(|(next, _)| *next < fit - 0.05) => {
            Some(Understood { commands: vec![Command::Start { form: form.id.clone() }], ..Understood::default() })
        }
        several => {
            let readings = several.iter().take(6).map(|(_, form)| {
                let text = form.title.pick(&[scene.lang.code]).to_owned();
                (text, Command::Start { form: form.id.clone() })
            });
            Some(Understood { unsure: vec![Unsure { readings: readings.collect() }], ..Understood::default() })
        }
    }
}

/// How well a message fits another form beside the values in it, where it tells one that nothing in this form takes: the
/// days of "I want to take leave from 1 to 3 December".
fn told(scene: &Scene<'_>, reader: &Reader<'_>, form: &Form) -> Option<f32> {
    let theirs = values(scene, reader, form);
    let own = values(scene, reader, scene.form);
    let known = |words: &Range<usize>| own.iter().any(|own| overlap(own, words));
    let news = !theirs.is_empty() && !theirs.iter().any(known);
    news.then(|| pick::fit_beside(form, reader, &theirs))
}

/// Where a message holds values that look like nothing else, for any field of a form.
fn values(scene: &Scene<'_>, reader: &Reader<'_>, form: &Form) -> Vec<Range<usize>> {
    let cx = Context { now: scene.now, lang: scene.lang, region: scene.region, options: &[], other: false, held: None };
    let telling = form.fields.iter().filter(|field| field.choices.is_none() && is_telling(&field.kind));
    let found = telling.flat_map(|field| field.kind.behaviour().find(reader.said, &cx));
    let strong = found.filter(|found| found.strength > Strength::Weak);
    strong.map(|found| reader.words_of(&found.span)).collect()
}
