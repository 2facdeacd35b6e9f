//! `formwright schema`: the JSON Schema of form files, or of a form's submissions.

use super::{Failure, pretty, print, unknown_form};
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
    print(&format!("{}\n", pretty(&schema)?))
}

/// There is no such form; says which there are.
pub fn unknown(id: &str, catalog: &Catalog) -> Failure {
    unknown_form(id, catalog.forms().map(|form| form.id.as_str()))
}
