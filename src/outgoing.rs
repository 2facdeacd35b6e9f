//! What goes out: sinks, made from the settings.

use formwright::cli::Failure;
use formwright::settings::Settings;
use formwright::submit::Opener;

use crate::undone;

/// Opens sinks in the data folder, and at addresses that the settings allow.
pub(crate) fn opener(settings: &Settings) -> Result<Opener, Failure> {
    let opener = Opener::new(settings.data.dir.join("submissions")).map_err(undone)?;
    Ok(opener.sending(settings.http.guarded().map_err(undone)?))
}
