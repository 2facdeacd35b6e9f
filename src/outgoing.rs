//! What goes out: sinks and tools, made from the settings.

use std::collections::BTreeMap;

use formwright::cli::Failure;
use formwright::form::Listen;
use formwright::secret::Secret;
use formwright::settings::Settings;
use formwright::settings::outgoing::spot;
use formwright::submit::Opener;
use formwright::tool::{Outgoing, Tools};

/// Opens sinks in the data folder, and at addresses that the settings allow.
pub(crate) fn opener(settings: &Settings) -> Result<Opener, Failure> {
    let opener = Opener::new(settings.data.dir.join("submissions")).map_err(Failure::undone)?;
    Ok(opener.sending(settings.http.guarded().map_err(Failure::undone)?))
}

/// Who is told what happens to every form.
pub(crate) fn listeners(settings: &Settings) -> Result<Vec<Listen>, Failure> {
    let listener = |(name, listen): (&String, &formwright::settings::outgoing::Listen)| {
        listen.listener().map_err(|why| Failure::Settings(format!("listen.{name}: {why}")))
    };
    settings.listen.iter().map(listener).collect()
}

/// What tools of forms may use: hosts and programs of the settings. A program of your own adds its functions here.
pub(crate) fn tools(settings: &Settings) -> Result<Tools, Failure> {
    tools_with(settings, |secret| Secret::resolve(secret).map(Some).map_err(|error| error.to_string()))
}

/// The same for looking at forms where nothing is asked: secrets of headers need not be there.
pub(crate) fn tools_without_secrets(settings: &Settings) -> Result<Tools, Failure> {
    tools_with(settings, |_| Ok(None))
}

fn tools_with(settings: &Settings, of: impl Fn(&str) -> Result<Option<Secret>, String>) -> Result<Tools, Failure> {
    let unfit = |section: &str, name: &str, why: String| Failure::Settings(format!("{section}.{name}: {why}"));
    let guarded = settings.http.guarded().map_err(Failure::undone)?;
    let mut outgoing = Outgoing::new(guarded, settings.data.dir.clone());
    for (name, host) in &settings.tools.hosts {
        let unfit = |why: String| unfit("tools.hosts", name, why);
        let mut headers = BTreeMap::new();
        for (header, secret) in &host.headers {
            if let Some(secret) = of(secret).map_err(unfit)? {
                headers.insert(header.clone(), secret);
            }
        }
        let spot = spot(name).map_err(unfit)?;
        outgoing = outgoing.host(spot, &headers).map_err(|error| unfit(error.to_string()))?;
    }
    for (name, words) in &settings.tools.commands {
        let unfit = |why: String| unfit("tools.commands", name, why);
        outgoing = outgoing.command(name, words).map_err(|error| unfit(error.to_string()))?;
    }
    Ok(Tools::new().reaching(outgoing))
}
