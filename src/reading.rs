//! Reads the forms, and tells what is wrong with them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use formwright::cli::Failure;
use formwright::cli::check::Unreached;
use formwright::form::listen::To;
use formwright::form::problem::{Severity, has_errors, render};
use formwright::form::{Catalog, Form, Listen, Sink, SinkId};
use formwright::library::Shelf;
use formwright::runtime::documents;
use formwright::runtime::forms::{self, FormSet};
use formwright::runtime::switches::Off;
use formwright::settings::{LogFormat, Settings};
use formwright::submit::Opener;
use formwright::tool::Tools;

use crate::{complain, look};

/// Why a form cannot be served here: a submission that has nowhere to go, or a tool that cannot run.
pub(crate) fn unfit(settings: &Settings, opener: &Opener, tools: &Tools, form: &Form) -> Option<String> {
    for (name, sink) in &settings.sinks {
        if let Err(problem) = opener.check(sink, &form.id) {
            return Some(format!("sink `{name}`: {problem}"));
        }
    }
    let there = |name: &SinkId| {
        let built_in = matches!(name.as_str(), "log" | "file");
        built_in || form.sinks.contains_key(name) || settings.sinks.contains_key(name.as_str())
    };
    if let Some(name) = form.submit.iter().find(|name| !there(name)) {
        return Some(format!("form `{}` sends to `settings.{name}`, which is not there; add it to `[sinks]`", form.id));
    }
    let out_of_reach = unreached(settings, opener, tools, form).into_iter().next();
    out_of_reach.map(|Unreached { part, why, .. }| format!("form `{}`, {part}: {why}", form.id))
}

/// Takes off what is switched off, and forms that nobody could take up at their desks. The others are served.
pub(crate) fn switch_off(set: &mut FormSet, settings: &Settings, off: &Off) {
    let mut off = off.clone();
    for form in set.catalog.forms() {
        if let Some(why) = without_desk(settings, form) {
            tracing::error!(form = %form.id, "the form is off until this is mended: {why}");
            off.entry(form.id.clone()).or_default();
        }
    }
    set.switch_off(&off);
}

/// Why nobody could take up what a form sends to its desks.
fn without_desk(settings: &Settings, form: &Form) -> Option<String> {
    match form.desks().find(|name| !settings.desk.contains_key(*name)) {
        Some(name) => {
            let line = format!("[desk.{name}]\nplatform = \"slack\"\nworkspace = \"T…\"\nchannel = \"C…\"");
            Some(format!("it needs the desk `{name}`, which the settings do not have; add\n{line}"))
        }
        None => too_few(settings, form),
    }
}

/// Why nobody could ever approve a form: its desk has fewer people than are needed.
pub(crate) fn too_few(settings: &Settings, form: &Form) -> Option<String> {
    let review = form.review.as_ref()?;
    let people: BTreeSet<&String> = settings.desk.get(&review.by)?.people.iter().collect();
    let (needs, there) = (review.needs, u32::try_from(people.len()).unwrap_or(u32::MAX));
    (there > 0 && there < needs).then(|| {
        format!(
            "`needs = {needs}` people have to approve it, and `people` of `[desk.{}]` names {there}; name more there, or none \
             so that everybody in the channel may approve, or lower `needs`",
            review.by
        )
    })
}

/// What of a form these settings do not let out, so that the server does not start with it.
pub(crate) fn unreached(settings: &Settings, opener: &Opener, tools: &Tools, form: &Form) -> Vec<Unreached> {
    let sinks = form.sinks.iter().filter(|(_, sink)| !matches!(sink, Sink::Tool { .. }));
    let sinks = sinks.filter_map(|(name, sink)| {
        let why = opener.check(sink, &form.id).err()?.to_string();
        Some(Unreached { part: format!("sink `{name}`"), name: name.to_string(), why })
    });
    let listeners = form.listen.iter().filter_map(|listen| {
        let name = match &listen.to {
            To::Webhook(Sink::Webhook { url, .. }) => url.clone(),
            To::Settings(name) => format!("settings.{name}"),
            To::Webhook(_) => String::new(),
        };
        Some(Unreached { part: "listen".to_owned(), name, why: unheard(settings, opener, listen)? })
    });
    let tools = form.tools.iter().filter_map(|(name, tool)| {
        let why = tools.check(tool).err()?.to_string();
        Some(Unreached { part: format!("tool `{name}`"), name: name.to_string(), why })
    });
    sinks.chain(listeners).chain(tools).collect()
}

/// The documents of forms and of the settings, ready to be searched.
pub(crate) fn library(settings: &Settings, forms: &Catalog) -> Result<Arc<Shelf>, Failure> {
    let shelf = Arc::new(Shelf::default());
    shelf.share(documents::common(&settings.forms.context).map_err(Failure::Settings)?);
    shelf.prepare(forms).map_err(Failure::Undone)?;
    Ok(shelf)
}

/// Why a listener cannot be told.
pub(crate) fn unheard(settings: &Settings, opener: &Opener, listen: &Listen) -> Option<String> {
    let (name, sink) = match &listen.to {
        To::Webhook(sink) => (None, Some(sink)),
        To::Settings(name) => (Some(name), settings.sinks.get(name.as_str())),
    };
    let of = name.map(|name| format!("`{name}`: ")).unwrap_or_default();
    let Some(sink) = sink else {
        return Some(format!("{of}there is no such webhook in the settings; add it to `[sinks]`"));
    };
    opener.check_listener(sink).err().map(|problem| format!("{of}{problem}"))
}

/// The forms of the folder, or the samples where there is none.
pub(crate) fn load_forms(settings: &Settings, named: bool) -> Result<FormSet, Failure> {
    let dir = &settings.forms.dir;
    if !dir.is_dir() && !named && dir.as_path() == Path::new("forms") {
        return Ok(forms::samples());
    }
    forms::read(std::slice::from_ref(dir)).map_err(Failure::Asked)
}

/// Logs what is wrong with forms, drawn where people read the log; those that load are served.
pub(crate) fn report(set: &FormSet, format: LogFormat) {
    for file in &set.files {
        if has_errors(&file.problems) && format == LogFormat::Text {
            complain(&render(&file.path.display().to_string(), &file.source, &file.problems, look()));
        }
        for problem in &file.problems {
            let (code, message, path) = (problem.code, &problem.message, file.path.display());
            match problem.severity {
                Severity::Error => tracing::error!(%path, code, "{message}"),
                Severity::Warning => tracing::warn!(%path, code, "{message}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use formwright::form::load::{Syntax, load};

    use super::*;

    #[test]
    fn a_form_without_its_desk_is_off_and_stops_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let form = |id: &str, desk: &str| {
            let text = format!(
                "id = \"{id}\"\ntitle = \"{id}\"\n{desk}\n[[field]]\nid = \"days\"\nkind = \"integer\"\nask = \"How many?\"\n"
            );
            std::fs::write(folder.path().join(format!("{id}.toml")), text).unwrap();
        };
        form("leave", "review = { by = \"leads\" }");
        form("travel", "handoff = \"office\"");
        form("lunch", "");
        let mut set = forms::read(&[folder.path().to_owned()]).unwrap();
        let settings = Settings::default();
        let (opener, tools) = (Opener::new(folder.path().to_owned()).unwrap(), Tools::new());
        assert!(set.catalog.forms().all(|form| unfit(&settings, &opener, &tools, form).is_none()), "it starts");
        switch_off(&mut set, &settings, &Off::new());
        let on: Vec<String> = set.catalog.forms().filter(|form| form.enabled).map(|form| form.id.to_string()).collect();
        assert_eq!(on, ["lunch"]);
    }

    #[test]
    fn a_desk_has_as_many_people_as_a_form_needs() {
        let people = |people: &[&str]| {
            let desk = formwright::settings::desk::Desk {
                platform: "slack".to_owned(),
                workspace: "T1".to_owned(),
                channel: "C1".to_owned(),
                people: people.iter().map(|id| (*id).to_owned()).collect(),
                lang: None,
            };
            Settings { desk: BTreeMap::from([("leads".to_owned(), desk)]), ..Settings::default() }
        };
        let text = "id = \"leave\"\ntitle = \"Leave\"\nreview = { by = \"leads\", needs = 2 }\n\
            [[field]]\nid = \"days\"\nkind = \"integer\"\nask = \"How many?\"\n";
        let form = load(text, Syntax::Toml).form.unwrap();
        let why = too_few(&people(&["U1"]), &form).unwrap();
        assert!(why.contains("`people` of `[desk.leads]` names 1"), "{why}");
        assert!(too_few(&people(&["U1", "U1"]), &form).is_some(), "each counts once");
        assert!(too_few(&people(&["U1", "U2"]), &form).is_none());
        assert!(too_few(&people(&[]), &form).is_none(), "everybody there may approve");
    }
}
