//! `formwright extract --weighed`: what each field of a message could be filled with, and why.

use std::path::Path;

use formwright_nlu::{feature_name, feature_weight};
use serde_json::json;

use super::case::Reader;
use super::{Failure, lines};

/// Prints a line a case: for each field that could be filled its candidates, the likeliest first, each with its features and
/// their weights.
///
/// # Errors
/// The file cannot be read, or a line of it is no case.
pub(super) fn print_all(file: &Path) -> Result<(), Failure> {
    let mut reader = Reader::default();
    for (_, case) in lines(file)? {
        let case = case?;
        let all = reader.choices(&case).map_err(|why| Failure::Asked(format!("{}: {why}", case.id)))?;
        let features = |features: &[u32]| {
            let weighing = features.iter().map(|no| (feature_name(*no), feature_weight(*no)));
            weighing.filter(|(_, weight)| *weight != 0.0).collect::<std::collections::BTreeMap<_, _>>()
        };
        let fields = all.into_iter().filter(|of| !of.candidates.is_empty()).filter_map(|mut of| {
            of.candidates.sort_by(|one, other| other.likely.total_cmp(&one.likely));
            let one = |choice: &super::case::Choice| {
                json!({ "value": choice.value, "likely": choice.likely, "features": features(&choice.features) })
            };
            let field = case.form.fields.get(of.field)?;
            let candidates: Vec<_> = of.candidates.iter().map(one).collect();
            Some((field.id.clone(), json!({ "nothing": features(&of.nothing), "candidates": candidates })))
        });
        let fields: serde_json::Map<_, _> = fields.collect();
        super::print(&format!("{}\n", json!({ "id": case.id, "fields": fields })))?;
    }
    Ok(())
}
