//! `formwright schema`: the JSON Schema of form files, or of a form's submissions.

use super::{Failure, print};
use crate::form::{Catalog, FormId, load};

/// Prints the JSON Schema of form files, or of the submissions of a form.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form.
pub fn run(form: Option<&str>, catalog: &Catalog) -> Result<(), Failure> {
    let schema = match form {
        None => load::json_schema(),
        Some(id) => {
            let form = catalog.form(&FormId::new(id)).ok_or_else(|| unknown(id, catalog))?;
            load::submission_schema(form)
        }
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::Undone(error.to_string()))?;
    print(&format!("{text}\n"))
}

/// There is no such form; says which there are.
pub fn unknown(id: &str, catalog: &Catalog) -> Failure {
    let known: Vec<&str> = catalog.forms().map(|form| form.id.as_str()).collect();
    Failure::Asked(format!("there is no form `{id}`; there are: {}", known.join(", ")))
}
