//! Settings: a TOML file, over which environment variables `FORMWRIGHT__SECTION__KEY` go. Unknown keys are errors.
//!
//! Values from the environment stay text until the setting's own type reads them, so that a secret of digits stays as it
//! is. Secrets themselves are named (`env:NAME`, `file:PATH`), not written out.

pub mod desk;
mod formpilot;
pub mod model;
mod nearby;
mod network;
pub mod outgoing;
pub mod platforms;
pub mod redis;
mod sources;
mod structured;
mod web;
mod zones;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::form::load::length;
use crate::form::{Catalog, Sink};
use crate::runtime::Kept;
pub use network::Network;
pub use sources::PREFIX;
pub use web::Web;

/// Everything an operator may set. The defaults need no file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The forms.
    pub forms: Forms,
    /// Where everything durable is kept.
    pub data: Data,
    /// Redis, where it keeps what is durable.
    pub redis: redis::Redis,
    /// The web page and HTTP API.
    pub web: Web,
    /// Slack.
    pub slack: platforms::Slack,
    /// Discord.
    pub discord: platforms::Discord,
    /// Telegram.
    pub telegram: platforms::Telegram,
    /// Where webhooks and tools may go.
    pub http: outgoing::Http,
    /// What tools of forms may use.
    pub tools: outgoing::Tools,
    /// The language model.
    pub model: model::Model,
    /// What operators watch.
    pub ops: Ops,
    /// Where traces are sent.
    pub traces: Traces,
    /// The log.
    pub log: Log,
    /// People who approve what others submit, and whom others may talk to, by the name that forms give.
    pub desk: BTreeMap<String, desk::Desk>,
    /// Sinks that any form may name in `submit`.
    pub sinks: BTreeMap<String, Sink>,
    /// Who is told what happens to every form.
    pub listen: BTreeMap<String, outgoing::Listen>,
}

/// Where forms come from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Forms {
    /// The folder of form files. Where there is none, the sample forms that come with the program serve.
    pub dir: PathBuf,
    /// Reload forms when their files change.
    #[serde(deserialize_with = "truth")]
    pub reload: bool,
    /// Seconds that an untouched draft is kept of a form that does not say; written as a length of time, `7d`.
    #[serde(deserialize_with = "draft_ttl")]
    pub draft_ttl: u64,
    /// The time zone of people whose own is not known, where neither their platform nor the form has one.
    #[serde(deserialize_with = "zones::named")]
    pub zone: Option<String>,
    /// Documents that questions are answered from in every form and before any, beside those of the forms.
    pub context: Vec<PathBuf>,
}

impl Default for Forms {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("forms"),
            reload: true,
            draft_ttl: Catalog::DRAFT_TTL,
            zone: None,
            context: Vec::new(),
        }
    }
}

/// Where everything durable is kept.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// The folder of the database and of submission files; made where it is missing.
    pub dir: PathBuf,
    /// Which store.
    pub store: StoreKind,
    /// Seals what people said wherever it is kept: 32 random bytes in hex or base64, named `env:NAME` or `file:PATH`.
    pub key: Option<String>,
    /// Keys that were used before: what they sealed is still read, what is written is sealed with `key`.
    pub old_keys: Vec<String>,
    /// Read records from the time before there was a key.
    #[serde(deserialize_with = "truth")]
    pub read_unsealed: bool,
    /// How long replies, and the ids of messages and deliveries, are kept, so that what comes again is known.
    #[serde(deserialize_with = "kept")]
    pub keep_replies: u64,
    /// How long a session is kept in which no form is open.
    #[serde(deserialize_with = "kept")]
    pub keep_sessions: u64,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("data"),
            store: StoreKind::Auto,
            key: None,
            old_keys: Vec::new(),
            read_unsealed: false,
            keep_replies: 48 * 3600,
            keep_sessions: 24 * 3600,
        }
    }
}

impl Data {
    /// How long things are kept that are over.
    pub fn kept(&self) -> Kept {
        let length = |seconds: u64| SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
        Kept { replies: length(self.keep_replies), sessions: length(self.keep_sessions) }
    }
}

/// Which store keeps sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// Redis where an address of it is set, else SQLite.
    #[default]
    Auto,
    /// A SQLite file in the data folder.
    Sqlite,
    /// Redis.
    Redis,
    /// Memory: gone when the process ends.
    Memory,
}

/// What operators watch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ops {
    /// Address and port that health and metrics are served on; they have none of their own where it is not set.
    pub listen: Option<SocketAddr>,
    /// How many seconds messages are still taken after SIGTERM while readiness says that they are not; at most a minute.
    #[serde(deserialize_with = "up_to_a_minute")]
    pub drain: u8,
}

/// Where traces are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Traces {
    /// Address of a collector that takes OTLP over HTTP, without the path; nothing is sent where it is not set, here or
    /// in `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub endpoint: Option<String>,
}

/// The log, on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// What is logged: `error`, `warn`, `info`, `debug`, or a filter like `formwright=debug`.
    pub level: String,
    /// How it is written.
    pub format: LogFormat,
}

impl Default for Log {
    fn default() -> Self {
        Self { level: "info".to_owned(), format: LogFormat::Text }
    }
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}

/// Why settings cannot be read, with what to change.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The named file is not there.
    #[error("the settings file {0} is not there")]
    NoFile(PathBuf),
    /// The file or a variable does not fit.
    #[error("{0}")]
    Unfit(String),
}

impl<'de> Deserialize<'de> for StoreKind {
    fn deserialize<D: serde::Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        let words = [("auto", Self::Auto), ("sqlite", Self::Sqlite), ("redis", Self::Redis), ("memory", Self::Memory)];
        one_of(data, &words)
    }
}

impl<'de> Deserialize<'de> for LogFormat {
    fn deserialize<D: serde::Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        one_of(data, &[("text", Self::Text), ("json", Self::Json)])
    }
}

/// Reads one of a few words; the error lists them.
fn one_of<'de, D: serde::Deserializer<'de>, T: Copy>(data: D, words: &[(&str, T)]) -> Result<T, D::Error> {
    let word = Word::deserialize(data)?.0;
    let found = words.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    let names = || words.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    found.ok_or_else(|| serde::de::Error::custom(format!("expected {}, found `{word}`", names())))
}

/// Reads `true` and `false`, from a file or a variable.
fn truth<'de, D: serde::Deserializer<'de>>(data: D) -> Result<bool, D::Error> {
    match Word::deserialize(data)?.0.as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        other => Err(serde::de::Error::custom(format!("expected true or false, found `{other}`"))),
    }
}

/// Reads a whole number, from a file or a variable.
fn number<'de, D: serde::Deserializer<'de>, N: std::str::FromStr>(data: D) -> Result<N, D::Error> {
    let word = Word::deserialize(data)?.0;
    word.parse().map_err(|_| serde::de::Error::custom(format!("expected a whole number, found `{word}`")))
}

/// Reads seconds, a minute of them at most.
fn up_to_a_minute<'de, D: serde::Deserializer<'de>>(data: D) -> Result<u8, D::Error> {
    let word = Word::deserialize(data)?.0;
    let seconds = word.parse().ok().filter(|seconds| *seconds <= 60);
    seconds.ok_or_else(|| serde::de::Error::custom(format!("expected seconds from 0 to 60, found `{word}`")))
}

/// Reads how long drafts are kept: a minute at least, for who is called away, and a year at most.
fn draft_ttl<'de, D: serde::Deserializer<'de>>(data: D) -> Result<u64, D::Error> {
    length_of_time(data, 60..=366 * 86_400, "from 1m to 366d, such as 7d or 12h")
}

/// Reads how long something is kept that is over: an hour at least, since platforms send again what was not acknowledged,
/// and a month at most.
fn kept<'de, D: serde::Deserializer<'de>>(data: D) -> Result<u64, D::Error> {
    length_of_time(data, 3600..=30 * 86_400, "from 1h to 30d, such as 48h")
}

/// Reads a length of time in seconds.
fn length_of_time<'de, D: serde::Deserializer<'de>>(
    data: D,
    range: RangeInclusive<u64>,
    expected: &str,
) -> Result<u64, D::Error> {
    let word = Word::deserialize(data)?.0;
    let seconds = length(&word).and_then(|length| u64::try_from(length).ok());
    let seconds = seconds.filter(|seconds| range.contains(seconds));
    seconds.ok_or_else(|| serde::de::Error::custom(format!("expected a length of time {expected}, found `{word}`")))
}

/// Reads API clients. A name is followed by a colon where it stands in the id of whom the client speaks for: `shop:x` would
/// be somebody of `shop`'s.
fn clients<'de, D: serde::Deserializer<'de>>(data: D) -> Result<BTreeMap<String, String>, D::Error> {
    let clients = BTreeMap::<String, String>::deserialize(data)?;
    match clients.keys().find(|name| name.contains(':')) {
        None => Ok(clients),
        Some(name) => Err(serde::de::Error::custom(format!("web.keys: the name `{name}` must have no colon"))),
    }
}

/// Reads a whole number that need not be there.
fn some_number<'de, D: serde::Deserializer<'de>>(data: D) -> Result<Option<u32>, D::Error> {
    number(data).map(Some)
}

/// A boolean, number or text as it is written.
struct Word(String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        struct Written;
        impl serde::de::Visitor<'_> for Written {
            type Value = Word;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a word")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Word, E> {
                Ok(Word(value.to_owned()))
            }
        }
        data.deserialize_any(Written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(file: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("formwright.toml");
        std::fs::write(&path, file).unwrap();
        let variables = variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Settings::from_sources(Some(&path), variables).map_err(|error| error.to_string())
    }

    #[test]
    fn without_a_file_the_defaults_serve() {
        assert_eq!(Settings::from_sources(None, BTreeMap::new()).unwrap(), Settings::default());
    }

    #[test]
    fn a_mark_at_the_head_of_the_file_is_no_part_of_it() {
        assert_eq!(from("\u{feff}[log]\nlevel = \"warn\"\n", &[]).unwrap().log.level, "warn");
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_what_can() {
        let long = from("", &[("FORMWRIGHT__OPS__DRAIN", "600")]).unwrap_err();
        assert!(
            long.contains("FORMWRIGHT__OPS__DRAIN") && long.contains("seconds from 0 to 60, found `600`"),
            "{long}"
        );
        assert_eq!(from("[ops]\ndrain = 60\n", &[]).unwrap().ops.drain, 60);
        for length in ["0s", "59s", "367d", "7", "a week"] {
            let unfit = from("", &[("FORMWRIGHT__FORMS__DRAFT_TTL", length)]).unwrap_err();
            assert!(unfit.contains("from 1m to 366d") && unfit.contains(length), "{unfit}");
        }
        assert_eq!(from("[forms]\ndraft_ttl = \"1h 30m\"\n", &[]).unwrap().forms.draft_ttl, 5_400);
        let named = from("[web.keys]\nshop = \"env:A\"\n\"shop:x\" = \"env:B\"\n", &[]).unwrap_err();
        assert!(named.contains("the name `shop:x` must have no colon"), "{named}");
    }

    #[test]
    fn the_environment_goes_over_the_file() {
        let file = "[web]\nlisten = \"0.0.0.0:80\"\nconversations_per_hour = 5\n";
        let variables = [("FORMWRIGHT__WEB__LISTEN", "127.0.0.1:0"), ("FORMWRIGHT__WEB__ENABLED", "false")];
        let settings = from(file, &variables).unwrap();
        assert_eq!(settings.web.listen.to_string(), "127.0.0.1:0");
        assert_eq!((settings.web.enabled, settings.web.conversations_per_hour), (false, 5));
    }

    #[test]
    fn lists_and_tables_may_stand_in_variables() {
        let rules = "[{ forms = [\"injury-report\"], channels = [\"C1\"] }, { users = [\"U1\"] }]";
        let written = from(&format!("[slack]\naccess = {rules}\n[web]\norigins = [\"https://a\", \"https://b\"]"), &[]);
        let variables = [("FORMWRIGHT__SLACK__ACCESS", rules), ("FORMWRIGHT__WEB__ORIGINS", "https://a, https://b")];
        assert_eq!(from("", &variables).unwrap(), written.unwrap());
        let desk = "[desk.leads]\nplatform = \"telegram\"\nchannel = \"-1\"\npeople = [\"7\", \"8\"]\n[web.keys]\nshop = \"env:S\"";
        let variables = [
            ("FORMWRIGHT__DESK__LEADS", "{ platform = \"telegram\", channel = \"-1\" }"),
            ("FORMWRIGHT__DESK__LEADS__PEOPLE", "[\"7\", \"8\"]"),
            ("FORMWRIGHT__WEB__KEYS__SHOP", "env:S"),
        ];
        assert_eq!(from("", &variables).unwrap(), from(desk, &[]).unwrap());
        let broken = from("", &[("FORMWRIGHT__SLACK__ACCESS", "[{ forms = injury-report }]")]).unwrap_err();
        assert!(broken.contains("FORMWRIGHT__SLACK__ACCESS: write it as in the settings file"), "{broken}");
        let level = from("", &[("FORMWRIGHT__LOG__LEVEL", "[turn]=debug")]).unwrap();
        assert_eq!(level.log.level, "[turn]=debug", "what is a text in the file is one in a variable");
    }

    #[test]
    fn every_setting_may_be_a_variable() {
        let written: toml::Table = toml::from_str(&all_keys_set()).unwrap();
        let keys = written.iter().flat_map(|(section, keys)| {
            keys.as_table().into_iter().flatten().map(move |(key, value)| (section, key, value))
        });
        let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let variables = keys.map(|(section, key, value)| {
            (format!("FORMWRIGHT__{}__{}", section.to_uppercase(), key.to_uppercase()), text(value))
        });
        let variables: BTreeMap<String, String> = variables.collect();
        let read = Settings::from_sources(None, variables).unwrap();
        assert_eq!(read, from(&all_keys_set(), &[]).unwrap());
    }

    #[test]
    fn proxies_are_addresses_or_networks_with_commas_in_a_variable() {
        let file = from("[web]\ntrusted_proxies = [\"10.0.0.1\", \"fd00::/8\"]", &[]).unwrap();
        let variable = from("", &[("FORMWRIGHT__WEB__TRUSTED_PROXIES", "10.0.0.1, fd00::/8")]).unwrap();
        assert_eq!(file.web.trusted_proxies, variable.web.trusted_proxies);
        assert_eq!(file.web.trusted_proxies.len(), 2);
    }

    #[test]
    fn addresses_that_are_open_are_hosts_with_ports() {
        let file = from("[http]\nlocal = [\"127.0.0.1:9000\", \"Kitchen.internal:80\"]", &[]).unwrap();
        let variable = from("", &[("FORMWRIGHT__HTTP__LOCAL", "127.0.0.1:9000, kitchen.internal:80")]).unwrap();
        assert_eq!(file.http, variable.http);
        assert_eq!(file.http.local.len(), 2);
        let error = from("[http]\nlocal = [\"127.0.0.1\"]", &[]).unwrap_err();
        assert!(error.contains("expected a host with its port, such as 127.0.0.1:9000, found `127.0.0.1`"), "{error}");
    }

    #[test]
    fn a_text_of_digits_stays_as_it_is() {
        let settings =
            from("", &[("FORMWRIGHT__WEB__PUBLIC_URL", "00123"), ("FORMWRIGHT__LOG__LEVEL", "1e5")]).unwrap();
        assert_eq!(settings.web.public_url.as_deref(), Some("00123"));
        assert_eq!(settings.log.level, "1e5");
    }

    #[test]
    fn unknown_keys_and_unfit_values_are_errors_that_name_the_key() {
        for (file, variables, named) in [
            ("[web]\nlissten = \"x\"", &[][..], "lissten"),
            ("", &[("FORMWRIGHT__WEB__LISSTEN", "x")][..], "lissten"),
            ("", &[("FORMWRIGHT__WEB__ENABLED", "perhaps")][..], "perhaps"),
            ("[web]\nlisten = 3", &[][..], "web.listen"),
            ("[web\nlisten = 3", &[][..], "formwright.toml"),
            (
                "[data]\nstore = \"mongo\"",
                &[][..],
                "expected `auto` or `sqlite` or `redis` or `memory`, found `mongo` for key `data.store`",
            ),
            (
                "[data]\nkeep_replies = \"5m\"",
                &[][..],
                "expected a length of time from 1h to 30d, such as 48h, found `5m`",
            ),
            ("", &[("FORMWRIGHT__LOG__FORMAT", "xml")][..], "expected `text` or `json`, found `xml`"),
            ("[sinks.kitchen]\nkind = \"fax\"", &[][..], "webhook"),
            // Where it stands is named: the file, or the variable.
            ("[web]\nlisten = \"here\"", &[("FORMWRIGHT__LOG__LEVEL", "warn")][..], "formwright.toml: "),
            (
                "",
                &[("FORMWRIGHT__LOG__LEVEL", "warn"), ("FORMWRIGHT__WEB__LISTEN", "here")][..],
                "FORMWRIGHT__WEB__LISTEN",
            ),
            ("", &[("FORMWRIGHT_REDIS_URL", "redis://h")][..], "write FORMWRIGHT__REDIS__URL"),
            ("", &[("FORMWRIGHT_LOG_LEVL", "warn")][..], "write FORMWRIGHT__LOG__LEVEL"),
            ("[web]\ntrusted_proxies = [\"10.0.0.0/40\"]", &[][..], "web.trusted_proxies"),
            ("", &[("FORMWRIGHT_WEB__LISTEN", "127.0.0.1:0")][..], "write FORMWRIGHT__WEB__LISTEN"),
        ] {
            let error = from(file, variables).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    /// The annotated settings file that operators copy.
    const ANNOTATED: &str = include_str!("../deploy/formwright.toml");

    /// The file with the keys that have no value by default given one.
    fn all_keys_set() -> String {
        let uncomment = |line: &'static str| match line.strip_prefix('#') {
            Some(key) if key.starts_with(|c: char| c.is_ascii_lowercase()) => key,
            _ => line,
        };
        ANNOTATED.lines().map(|line| format!("{}\n", uncomment(line))).collect()
    }

    #[test]
    fn the_annotated_file_holds_the_defaults() {
        assert_eq!(from(ANNOTATED, &[]).unwrap(), Settings::default());
    }

    #[test]
    fn the_annotated_file_has_every_key_and_no_other() {
        from(&all_keys_set(), &[]).unwrap();
        let written: toml::Table = toml::from_str(&all_keys_set()).unwrap();
        let known = serde_json::to_value(Settings::default()).unwrap();
        for (section, keys) in known.as_object().unwrap() {
            let written = written.get(section).and_then(toml::Value::as_table);
            for key in keys.as_object().unwrap().keys() {
                let found = written.is_some_and(|written| written.contains_key(key));
                assert!(found, "deploy/formwright.toml lacks {section}.{key}");
            }
        }
    }

    #[test]
    fn a_variable_of_another_kind_or_an_empty_one_is_no_setting() {
        assert!(from("[data]\nkey = \"env:FORMWRIGHT_DATA_KEY\"", &[("FORMWRIGHT_DATA_KEY", "x")]).is_ok());
        assert!(
            from("", &[("FORMWRIGHT__DATA__KEY", "env:FORMWRIGHT_DATA_KEY"), ("FORMWRIGHT_DATA_KEY", "x")]).is_ok()
        );
        assert!(from("", &[("FORMWRIGHT_FAULT", "stored:kill"), ("FORMWRIGHT__WEB__LISTEN", "")]).is_ok());
    }
}
