//! `formwright forms`: which forms there are, and switching one off and on again.

use clap::Subcommand;
use jiff::Timestamp;

use super::schema::unknown;
use super::{Failure, print, table};
use crate::form::{Catalog, FormId};
use crate::runtime::switches::Switch;
use crate::runtime::{Store, switches};

/// What to do with forms.
#[derive(Clone, Debug, Subcommand)]
pub enum Forms {
    /// Nobody can start the form any more; who is filling it in goes on. It stays so over restarts, for every replica.
    Off {
        /// The form's id.
        form: String,
        /// What who asks for it is told.
        #[arg(long, value_name = "TEXT")]
        say: Option<String>,
    },
    /// The form can be started again.
    On {
        /// The form's id.
        form: String,
    },
}

/// Lists the forms, or switches one.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form, [`Failure::Undone`] where the store fails.
pub async fn run(store: &dyn Store, catalog: &Catalog, what: Option<Forms>, now: Timestamp) -> Result<(), Failure> {
    let (form, to) = match what {
        None => return list(store, catalog).await,
        Some(Forms::Off { form, say }) => (form, Switch::Off { say }),
        Some(Forms::On { form }) => (form, Switch::On),
    };
    let id = FormId::new(&form);
    let is_off = to != Switch::On;
    // What is off may be gone from the folder; it can still be switched on.
    let known = catalog.form(&id);
    if known.is_none() && (is_off || !switches::off(store).await.map_err(Failure::undone)?.contains_key(&id)) {
        return Err(unknown(&form, catalog));
    }
    let changed = switches::switch(store, &id, to, now).await.map_err(Failure::undone)?;
    let state = if is_off { "off" } else { "on" };
    if !changed {
        return print(&format!("`{form}` is {state} already\n"));
    }
    let own = known.filter(|form| !is_off && !form.enabled);
    let own = own.map(|_| "; its file still says `enabled = false`").unwrap_or_default();
    print(&format!("`{form}` is {state}{own}; a running server knows within seconds\n"))
}

async fn list(store: &dyn Store, catalog: &Catalog) -> Result<(), Failure> {
    let off = switches::off(store).await.map_err(Failure::undone)?;
    let rows = catalog.forms().map(|form| {
        let state = match off.get(&form.id) {
            Some(Some(words)) => format!("off: {words}"),
            Some(None) => "off".to_owned(),
            None if !form.enabled => "off in its file".to_owned(),
            None => "on".to_owned(),
        };
        let tags: Vec<&str> = form.languages.iter().map(String::as_str).collect();
        vec![form.id.to_string(), form.title.pick(&tags).to_owned(), state]
    });
    print(&table(&["form", "title", "state"], &rows.collect::<Vec<_>>()))
}
