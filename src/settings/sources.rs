//! Where settings come from: a file, and variables of the environment over it. What is wrong is told with the source that is
//! at fault.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Settings, SettingsError, formpilot, nearby, structured};

/// The prefix of environment variables.
pub const PREFIX: &str = "FORMWRIGHT";

impl Settings {
    /// The file that settings are read from: the one named, or `formwright.toml` in the present folder where there is one.
    #[must_use]
    pub fn file(named: Option<PathBuf>) -> Option<PathBuf> {
        named.or_else(|| Some(PathBuf::from("formwright.toml")).filter(|file| file.is_file()))
    }

    /// Reads settings: from a file, then from the environment.
    ///
    /// # Errors
    /// [`SettingsError`], in words for the operator.
    pub fn read(file: Option<&Path>) -> Result<Self, SettingsError> {
        match file {
            Some(file) if !file.is_file() => Err(SettingsError::NoFile(file.to_owned())),
            file => Self::from_sources(file, std::env::vars().collect()),
        }
    }

    pub(super) fn from_sources(
        file: Option<&Path>,
        variables: BTreeMap<String, String>,
    ) -> Result<Self, SettingsError> {
        // `FORMWRIGHT_FAULT` and the like are no settings: only the prefix with two underscores counts. An empty variable
        // is one that is not set.
        for name in variables.keys() {
            let meant = name.strip_prefix("FORMWRIGHT_").filter(|rest| !rest.starts_with('_') && rest.contains("__"));
            if let Some(meant) = meant {
                let told =
                    format!("{name} is no setting: two underscores follow {PREFIX} too; write {PREFIX}__{meant}");
                return Err(SettingsError::Unfit(told));
            }
        }
        let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        if let Some(told) = nearby::meant(&variables, &text) {
            return Err(SettingsError::Unfit(told));
        }
        let theirs = formpilot::of(&variables);
        let ours = variables.into_iter().filter(|(name, value)| name.starts_with("FORMWRIGHT__") && !value.is_empty());
        let ours: BTreeMap<String, String> = ours.collect();
        let mut written = None;
        if let Some(file) = file {
            let text = std::fs::read_to_string(file);
            let text = text.map_err(|error| SettingsError::Unfit(format!("{}: {error}", file.display())))?;
            // Some editors put a mark at the head of a file, which is no part of the text.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            if let Err(error) = toml::from_str::<toml::Table>(text) {
                return Err(SettingsError::Unfit(format!("{}: {error}", file.display())));
            }
            written = Some(text.to_owned());
        }
        let written = written.as_deref();
        let error = match put_together(written, &ours, Vec::new()) {
            Ok(settings) if settings.web.formpilot && !theirs.is_empty() => {
                let settings = put_together(written, &ours, formpilot::defaults(&theirs)?);
                return settings.map_err(|error| SettingsError::Unfit(error.to_string()));
            }
            Ok(settings) => return Ok(settings),
            Err(error) => error,
        };
        // Which of the sources is at fault is found by leaving the others out.
        if let (Some(file), Err(error)) = (file, put_together(written, &BTreeMap::new(), Vec::new())) {
            return Err(SettingsError::Unfit(format!("{}: {error}", file.display())));
        }
        for (name, value) in &ours {
            let alone = BTreeMap::from([(name.clone(), value.clone())]);
            if let Err(error) = put_together(written, &alone, Vec::new()) {
                return Err(SettingsError::Unfit(format!("the variable {name}: {error}")));
            }
        }
        Err(SettingsError::Unfit(error.to_string()))
    }
}

/// Settings from the text of a file and variables over it; below both, other defaults than the program's.
fn put_together(
    file: Option<&str>,
    variables: &BTreeMap<String, String>,
    defaults: Vec<(&str, config::Value)>,
) -> Result<Settings, config::ConfigError> {
    let mut builder = config::Config::builder();
    for (key, value) in defaults {
        builder = builder.set_default(key, value)?;
    }
    let mut plain = config::Map::new();
    for (name, text) in variables {
        let key = name.to_lowercase().replace("__", ".");
        let key = key.trim_start_matches("formwright.");
        match structured::read(key, text).map_err(config::ConfigError::Message)? {
            Some(value) => builder = builder.set_override(key, value)?,
            None => drop(plain.insert(name.clone(), text.clone())),
        }
    }
    let environment =
        config::Environment::with_prefix(PREFIX).prefix_separator("__").separator("__").source(Some(plain));
    if let Some(text) = file {
        builder = builder.add_source(config::File::from_str(text, config::FileFormat::Toml));
    }
    builder.add_source(environment).build()?.try_deserialize()
}
