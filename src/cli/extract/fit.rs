//! `formwright extract --fit`: the weights of understanding, from labelled messages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use formwright_fit::Examples;
use formwright_nlu::{feature_count, feature_name};

use super::case::{Case, FieldChoices, Reader};
use super::score::{is_right, is_same};
use super::{Failure, lines};

/// How large the penalty for large weights is.
const L2: f64 = 2.0;
/// In how many choices a feature has to be seen.
const LEAST: u32 = 40;
const ROUNDS: usize = 200;
/// Most wrong choices of a field that are kept: a text has hundreds, and they teach the same.
const MOST_WRONG: usize = 60;

/// The table of weights that fits the messages of some files, and of others that the steps before were written for: of those
/// it is left out what the steps made of a message, since they are right about each of them and not about others.
///
/// # Errors
/// A file cannot be read, or a line of it is no case.
pub(super) fn table(files: &[PathBuf], unaided: &[PathBuf]) -> Result<String, Failure> {
    let mut examples = Examples::default();
    let of_steps: Vec<bool> = (0..feature_count()).map(is_of_steps).collect();
    let is_of_steps = |feature: &u32| of_steps.get(*feature as usize).copied().unwrap_or(false);
    for (file, unaided) in files.iter().map(|file| (file, false)).chain(unaided.iter().map(|file| (file, true))) {
        let mut reader = Reader::default();
        for (_, case) in lines(file)? {
            let case: Case = case?;
            let choices = reader.choices(&case).map_err(|why| Failure::Asked(format!("{}: {why}", case.id)))?;
            for mut of in choices {
                if unaided {
                    of.nothing.retain(|feature| !is_of_steps(feature));
                    for choice in &mut of.candidates {
                        choice.features.retain(|feature| !is_of_steps(feature));
                    }
                }
                add(&mut examples, &case, &of);
            }
        }
    }
    let weights = examples.fit(feature_count(), L2, LEAST, ROUNDS);
    let seen = examples.seen(feature_count());
    let rows: BTreeMap<String, (f64, u32)> = weights
        .iter()
        .zip(seen)
        .enumerate()
        .map(|(no, (weight, seen))| {
            (feature_name(u32::try_from(no).unwrap_or(0)), ((weight * 20.0).round() / 20.0, seen))
        })
        .filter(|(_, (weight, _))| *weight != 0.0)
        .collect();
    let mut text = String::new();
    for (name, (weight, seen)) in rows {
        let _ = writeln!(text, "\"{name}\" = {weight} # {seen}");
    }
    Ok(text)
}

/// Whether a feature tells what the steps before the weights made of a message.
fn is_of_steps(feature: usize) -> bool {
    const FAMILIES: [&str; 4] = ["rule", "source.rule", "taken", "nothing_rule"];
    let name = u32::try_from(feature).map(feature_name).unwrap_or_default();
    FAMILIES.iter().any(|family| name.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')))
}

/// What a field of a case teaches.
fn add(examples: &mut Examples, case: &Case, of: &FieldChoices) {
    let Some(field) = case.form.fields.get(of.field).filter(|field| !case.ignore.contains(&field.id)) else { return };
    let expected = case.expect.contains_key(&field.id);
    let again = |value: &_| case.filled.get(&field.id).is_some_and(|held| is_same(field, held, value));
    let right: Vec<bool> = of
        .candidates
        .iter()
        .map(|choice| if expected { is_right(case, field, &choice.value) } else { again(&choice.value) })
        .collect();
    if expected && !right.contains(&true) {
        return;
    }
    let wrong = right.iter().filter(|right| !**right).count();
    let every = wrong.div_ceil(MOST_WRONG).max(1);
    let mut no = 0;
    let kept = of.candidates.iter().zip(&right).filter(|(_, right)| {
        no += usize::from(!**right);
        **right || no % every == 0
    });
    let choices = kept.map(|(choice, right)| (choice.features.as_slice(), *right));
    let nothing = std::iter::once((of.nothing.as_slice(), !expected));
    examples.add(nothing.chain(choices), 1.0);
}
