//! What goes before everything else in a message: an answer in the very words of an option, the form's stop examples, and
//! another form.

use std::ops::Range;

use super::asked::covers;
use super::ledger::quote;
use super::pieces::Piece;
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{asked_path, with_context};
use super::steer::{self, Wish};
use super::{Scene, Understood, Unsure, guard, named, naught, near, pick};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::kind::{Context, Reading, Strength, overlap};
use formwright_form::{Form, Kind};
use formwright_lexicon::control::Control;

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
        && let Some(understood) = exact(scene, reader)
    {
        return Some(understood);
    }
    if stops {
        return Some(Understood { commands: vec![Command::Cancel], ..Understood::default() });
    }
    other
}

/// A message that is the asked field's answer and nothing else, in words that mean nothing else: an option's own label,
/// yes or no to a yes/no question. Such an answer goes before control words of the same sound.
fn exact(scene: &Scene<'_>, reader: &Reader<'_>) -> Option<Understood> {
    let Pending::Field { .. } = scene.draft.pending else { return None };
    let path = asked_path(scene)?;
    let field = scene.form.field_at(&path).filter(|field| !near::may_tell(scene, field))?;
    if matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_) | Kind::Person(_) | Kind::Channel(_)) {
        return None;
    }
    let kind = field.kind.behaviour();
    let Reading::Value(found) = with_context(scene, &path, field, |cx| kind.read(reader.said, cx)) else { return None };
    let all = 0..reader.said.words.len();
    let wishes = steer::wishes(reader, all.clone());
    let steers = |wish: &Wish| {
        !matches!(wish, Wish::Yes | Wish::No | Wish::Do(Control::Nothing | Control::Confirm | Control::Deny))
    };
    // "Good Friday" is no "good" with a Friday behind it.
    let begins = found.span.start == 0 && matches!(field.kind, Kind::Date(_));
    let leads = || begins && steer::leading(reader, all.clone()).is_some();
    let typed = || wishes.as_ref().map_or_else(leads, |wishes| !wishes.iter().any(steers));
    let goes_before = found.strength == Strength::Exact || found.strength == Strength::Typed && typed();
    let covered = covers(reader, &reader.words_of(&found.span), all);
    let question = reader.clauses.iter().any(|clause| clause.question);
    if !goes_before || !covered || question || guard::denies_option(reader, field, &found.span) {
        return None;
    }
    let quote = quote(reader, &found.span)?;
    let fill = Command::Fill { path, value: found.value, quote: Some(quote) };
    Some(Understood { commands: vec![fill], ..Understood::default() })
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
    let words_are_asked = match scene.draft.pending {
        Pending::Field { path, .. } => scene
            .form
            .field_at(path)
            .is_some_and(|field| matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_))),
        _ => false,
    };
    let mut fits: Vec<(f32, &formwright_form::Form)> = scene
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
