//! Reads forms again when their files change, and settings and forms when the program is asked to by SIGHUP.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use formwright::cli::Failure;
use formwright::form::Catalog;
use formwright::library::Shelf;
use formwright::runtime::forms::{self, FormSet};
use formwright::runtime::switches::{self, Off};
use formwright::runtime::{Around, Runtime, Store, documents};
use formwright::settings::Settings;
use formwright::submit::Opener;
use formwright::tool::Tools;

use crate::observe::{self, Level};
use crate::outgoing;
use crate::reading::{load_forms, report, switch_off, unfit, unheard};

/// How often the folder of forms is looked at for changes.
const RELOAD_EVERY: Duration = Duration::from_secs(1);

/// Settings that are taken over while the program runs, by the beginning of their names.
const AT_RUN_TIME: [&str; 8] =
    ["forms.", "sinks.", "listen.", "tools.", "http.", "log.level", "data.keep_replies", "data.keep_sessions"];

/// What reading forms and settings again takes.
pub(crate) struct Reloading {
    pub(crate) settings: Settings,
    /// Reads the settings as at the start, from the same file, variables and command line.
    pub(crate) again: Box<dyn Fn() -> Result<Settings, Failure> + Send>,
    /// Whether there is a folder of forms of one's own: the samples do not come in its place while it is away.
    pub(crate) own_forms: bool,
    pub(crate) level: Level,
    pub(crate) hangups: Hangups,
    pub(crate) opener: Opener,
    pub(crate) tools: Tools,
    pub(crate) store: Arc<dyn Store>,
    /// The documents of forms, searchable.
    pub(crate) library: Arc<Shelf>,
    /// The documents that forms name, as files.
    pub(crate) documents: BTreeSet<PathBuf>,
    /// The forms that were off at the start.
    pub(crate) off: Off,
}

/// What tells whether forms have changed: their files, and which of them are off.
type Seen = (BTreeMap<PathBuf, (u64, Option<std::time::SystemTime>)>, Off);

impl Reloading {
    /// Reads the forms again whenever a file changes or a form is switched off or on, and settings and forms on SIGHUP.
    pub(crate) async fn run(mut self, runtime: Arc<Runtime>) {
        let mut seen = (self.fingerprint(), self.off.clone());
        loop {
            tokio::select! {
                () = self.hangups.next() => match self.take_over(&runtime) {
                    Ok(()) => seen.0 = self.fingerprint(),
                    Err(failure) => tracing::error!("SIGHUP: nothing was changed: {failure}"),
                },
                () = tokio::time::sleep(RELOAD_EVERY) => self.look(&runtime, &mut seen).await,
            }
        }
    }

    /// Reads the forms again where something has changed.
    async fn look(&mut self, runtime: &Runtime, seen: &mut Seen) {
        // While the store is away everything stays as it is.
        let off = switches::off(self.store.as_ref()).await.unwrap_or_else(|_| seen.1.clone());
        let found = (self.fingerprint(), off);
        if found == *seen {
            return;
        }
        *seen = found;
        self.off.clone_from(&seen.1);
        match load_forms(&self.settings, self.own_forms) {
            Ok(mut set) => {
                report(&set, self.settings.log.format);
                switch_off(&mut set, &self.settings, &self.off);
                for (form, why) in set.refuse(|form| unfit(&self.settings, &self.opener, &self.tools, form)) {
                    tracing::error!(%form, "a form was not read again: {why}");
                }
                // A document that was named before may be looked for again, to come back.
                if self.documents != set.documents {
                    self.documents.clone_from(&set.documents);
                    seen.0 = self.fingerprint();
                }
                self.serve(runtime, set, forms::replace);
            }
            Err(error) => tracing::error!("the forms were not read again, those before serve on: {error}"),
        }
    }

    /// Serves forms that were read again.
    fn serve(&mut self, runtime: &Runtime, set: FormSet, replace: impl FnOnce(&Catalog, FormSet) -> Catalog) {
        self.own_forms |= self.settings.forms.dir.is_dir();
        match documents::common(&self.settings.forms.context) {
            Ok(common) => self.library.share(common),
            Err(error) => tracing::error!("the documents for all forms stay as they were: {error}"),
        }
        for form in &set.contested {
            tracing::error!(%form, "several files have this id: what is served stays until only one has it");
        }
        if let Err(error) = self.library.prepare(&set.catalog) {
            tracing::error!("{error}");
        }
        let broken = set.files.iter().filter(|file| file.form.is_none()).count();
        runtime.change_forms(|before| replace(before, set));
        let off = self.off.len();
        tracing::info!(forms = runtime.catalog().forms().count(), broken, off, "forms read again");
    }

    /// Takes settings and forms over as they are now. Everything is looked at before anything is changed. A form that is
    /// broken keeps its version.
    fn take_over(&mut self, runtime: &Runtime) -> Result<(), Failure> {
        let read = (self.again)()?;
        let changed = changed(&self.settings, &read)?;
        let (now, later): (Vec<&String>, Vec<&String>) =
            changed.iter().partition(|key| AT_RUN_TIME.iter().any(|name| key.starts_with(name)));
        let settings = merged(&self.settings, read);
        observe::check(&settings.log.level)?;
        let (opener, tools, listen) =
            (outgoing::opener(&settings)?, outgoing::tools(&settings)?, outgoing::listeners(&settings)?);
        if let Some(why) = listen.iter().find_map(|listen| unheard(&settings, &opener, listen)) {
            return Err(Failure::Settings(format!("listen: {why}")));
        }
        documents::common(&settings.forms.context).map_err(Failure::Settings)?;
        let mut set = load_forms(&settings, self.own_forms)?;
        report(&set, settings.log.format);
        switch_off(&mut set, &settings, &self.off);
        let mut served = forms::replace(&runtime.catalog(), set.clone());
        served.keep_drafts(settings.forms.draft_ttl);
        if let Some(why) = served.forms().find_map(|form| unfit(&settings, &opener, &tools, form)) {
            return Err(Failure::Settings(why));
        }
        self.level.set(&settings.log.level)?;
        runtime.change_around(Around {
            tools: tools.clone(),
            opener: opener.clone(),
            sinks: settings.sinks.clone(),
            listen,
            kept: settings.data.kept(),
        });
        (self.opener, self.tools) = (opener, tools);
        self.documents.clone_from(&set.documents);
        let ttl = settings.forms.draft_ttl;
        self.settings = settings;
        self.serve(runtime, set, |before, set| {
            let mut after = forms::replace(before, set);
            after.keep_drafts(ttl);
            after
        });
        let list = |keys: Vec<&String>| keys.into_iter().cloned().collect::<Vec<_>>().join(", ");
        if !now.is_empty() {
            tracing::info!(settings = list(now), "SIGHUP: settings were read again, these have changed");
        }
        if !later.is_empty() {
            tracing::warn!(
                settings = list(later),
                "SIGHUP: these settings have changed and count from the next start on"
            );
        }
        Ok(())
    }

    fn fingerprint(&self) -> BTreeMap<PathBuf, (u64, Option<std::time::SystemTime>)> {
        let forms = &self.settings.forms;
        if !forms.reload || !forms.dir.is_dir() {
            return BTreeMap::new();
        }
        let documents = self.documents.iter().chain(&forms.context).cloned().collect();
        forms::fingerprint(&forms.dir, &documents)
    }
}

/// The settings as they are, with what may change while the program runs as it was read.
fn merged(before: &Settings, read: Settings) -> Settings {
    let mut after = before.clone();
    (after.forms, after.sinks, after.listen) = (read.forms, read.sinks, read.listen);
    (after.tools, after.http) = (read.tools, read.http);
    after.log.level = read.log.level;
    (after.data.keep_replies, after.data.keep_sessions) = (read.data.keep_replies, read.data.keep_sessions);
    after
}

/// The names of the settings that differ, `section.key`.
fn changed(one: &Settings, other: &Settings) -> Result<Vec<String>, Failure> {
    let [one, other] = [one, other].map(serde_json::to_value);
    let (one, other) = (one.map_err(Failure::undone)?, other.map_err(Failure::undone)?);
    let empty = serde_json::Map::new();
    let mut names = BTreeSet::new();
    for (section, keys) in one.as_object().unwrap_or(&empty) {
        let keys =
            [Some(keys), other.get(section)].map(|keys| keys.and_then(|keys| keys.as_object()).unwrap_or(&empty));
        let all = keys.iter().flat_map(|keys| keys.keys());
        let differ = all.filter(|key| keys[0].get(*key) != keys[1].get(*key));
        names.extend(differ.map(|key| format!("{section}.{key}")));
    }
    Ok(names.into_iter().collect())
}

/// SIGHUPs, which end the program no more from the moment that they are listened for.
pub(crate) struct Hangups(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

impl Hangups {
    #[cfg(unix)]
    pub(crate) fn listen() -> Self {
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
        Self(signal.inspect_err(|error| tracing::warn!(%error, "SIGHUP cannot be listened for")).ok())
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> Self {
        Self()
    }

    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.0
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_at_once_is_taken_over_and_the_rest_named() {
        let before = Settings::default();
        let mut read = Settings::default();
        read.log.level = "debug".to_owned();
        read.data.keep_replies = 3600;
        read.data.dir = "elsewhere".into();
        read.web.enabled = false;
        read.sinks.insert("kitchen".to_owned(), formwright::form::Sink::Jsonl { file: None });
        let names = changed(&before, &read).unwrap();
        assert_eq!(names, ["data.dir", "data.keep_replies", "log.level", "sinks.kitchen", "web.enabled"]);
        let after = merged(&before, read);
        assert_eq!(changed(&before, &after).unwrap(), ["data.keep_replies", "log.level", "sinks.kitchen"]);
        assert_eq!(changed(&after, &after).unwrap(), Vec::<String>::new());
    }
}
