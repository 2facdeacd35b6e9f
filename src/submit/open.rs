//! From the definition in a form or in the settings to a sink that delivers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::csv::Csv;
use super::jsonl::Jsonl;
use super::table::Table;
use super::webhook::Webhook;
use super::{Sink, SinkError};
use formwright_engine::Submission;
use formwright_engine::lifecycle::Told;
use formwright_http::secret::{Secret, SecretError};
use formwright_http::{Closed, Dns, Guarded, HttpError};

/// Opens sinks, and keeps those that are open. Its clones open the same ones.
#[derive(Clone)]
pub struct Opener {
    directory: PathBuf,
    outgoing: Guarded,
    open: Arc<Mutex<BTreeMap<String, Arc<dyn Sink>>>>,
}

/// What is wrong with a sink's definition, in words for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SinkProblem {
    /// Files are named, not placed.
    #[error("`{0}` is not a plain file name: sinks write in the data directory")]
    Place(String),
    /// No address, or one that answers may not travel to. The address itself is left out: there may be a token in it.
    #[error("nothing can be posted to its address: {0}")]
    Address(Closed),
    /// Only a webhook can be told what happens to a form.
    #[error("it is no webhook, and nothing else can be told what happens")]
    NoWebhook,
    /// Only forms have tools.
    #[error("`{0}` is a tool: a form names it as `submit = [\"tool.{0}\"]`, the settings do not")]
    Tool(String),
    /// A secret cannot be had.
    #[error(transparent)]
    Secret(#[from] SecretError),
}

impl Opener {
    /// Sinks that write files do so in `directory`, `submissions` of the data directory. Webhooks go to public addresses.
    ///
    /// # Errors
    /// Where there can be no HTTP client.
    pub fn new(directory: PathBuf) -> Result<Self, HttpError> {
        Ok(Self { directory, outgoing: Guarded::new(BTreeSet::new(), Arc::new(Dns))?, open: Arc::default() })
    }

    /// The same with webhooks that go where `outgoing` lets them.
    #[must_use]
    pub fn sending(self, outgoing: Guarded) -> Self {
        Self { outgoing, ..self }
    }

    /// Whether a sink can be opened, to be asked when forms and settings are loaded.
    ///
    /// # Errors
    /// What to change.
    pub fn check(&self, sink: &formwright_form::Sink, form: &formwright_form::FormId) -> Result<(), SinkProblem> {
        self.make(sink, form, None).map(drop)
    }

    /// Delivers to a sink. `schema` is the form's JSON Schema, from which a new CSV file has its columns.
    ///
    /// # Errors
    /// See [`SinkError`]. A definition that cannot be opened is tried again: the operator may mend it.
    pub async fn deliver(
        &self,
        sink: &formwright_form::Sink,
        schema: Option<&Value>,
        id: &str,
        submission: &Submission,
    ) -> Result<(), SinkError> {
        let sink = self.open(sink, &submission.form, schema).map_err(SinkError::retry)?;
        sink.deliver(id, submission).await
    }

    /// Whether a listener can be told, to be asked when forms and settings are loaded.
    ///
    /// # Errors
    /// What to change.
    pub fn check_listener(&self, sink: &formwright_form::Sink) -> Result<(), SinkProblem> {
        self.webhook(sink).map(drop)
    }

    /// Tells a listener what happened to a form.
    ///
    /// # Errors
    /// See [`SinkError`]. A definition that cannot be opened is tried again: the operator may mend it.
    pub async fn tell(&self, sink: &formwright_form::Sink, id: &str, told: &Told) -> Result<(), SinkError> {
        self.webhook(sink).map_err(SinkError::retry)?.tell(id, told).await
    }

    /// Why sinks cannot write files, in words for operators; none where they can, or have not written any yet. Blocks.
    pub fn trouble(&self) -> Option<String> {
        let trial = self.directory.join(".trial");
        let tried = match std::fs::symlink_metadata(&self.directory) {
            Ok(_) => File::create(&trial).and_then(|_| std::fs::remove_file(&trial)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        };
        let name = self.directory.file_name().unwrap_or_default().display();
        tried.err().map(|error| {
            format!(
                "no file can be written in the folder `{name}` of the data folder ({error}): finished forms wait in the outbox. \
                 Make it a folder that the program may write in. What was given up meanwhile is delivered by \
                 `formwright outbox replay all`"
            )
        })
    }

    /// Where a sink keeps or sends submissions of a form, for people to read: a path, or an address without what may be
    /// secret in it.
    pub fn whereabouts(&self, sink: &formwright_form::Sink, form: &formwright_form::FormId) -> String {
        let file = |file: &Option<String>, end: &str| {
            self.directory.join(file.clone().unwrap_or(format!("{form}.{end}"))).display().to_string()
        };
        match sink {
            formwright_form::Sink::Jsonl { file: named } => file(named, "jsonl"),
            formwright_form::Sink::Csv { file: named } => file(named, "csv"),
            formwright_form::Sink::Sqlite { file: named, table } => {
                let named = named.clone().unwrap_or_else(|| "submissions.db".to_owned());
                let table = table.clone().unwrap_or_else(|| form.to_string());
                format!("{}, table {table}", self.directory.join(named).display())
            }
            formwright_form::Sink::Tool { tool } => format!("the tool `{tool}` of the form"),
            formwright_form::Sink::Webhook { url, .. } => {
                let address = url.parse::<reqwest::Url>().ok();
                address.map_or_else(String::new, |address| address.origin().ascii_serialization())
            }
        }
    }

    fn open(
        &self,
        sink: &formwright_form::Sink,
        form: &formwright_form::FormId,
        schema: Option<&Value>,
    ) -> Result<Arc<dyn Sink>, SinkProblem> {
        let name = format!("{form} {sink:?}");
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sink) = open.get(&name) {
            return Ok(Arc::clone(sink));
        }
        let sink = self.make(sink, form, schema)?;
        open.insert(name, Arc::clone(&sink));
        Ok(sink)
    }

    fn make(
        &self,
        sink: &formwright_form::Sink,
        form: &formwright_form::FormId,
        schema: Option<&Value>,
    ) -> Result<Arc<dyn Sink>, SinkProblem> {
        let named = |file: &Option<String>, end: &str| self.place(file.clone().unwrap_or(format!("{form}.{end}")));
        Ok(match sink {
            formwright_form::Sink::Jsonl { file } => Arc::new(Jsonl::new(named(file, "jsonl")?)),
            formwright_form::Sink::Csv { file } => Arc::new(Csv::new(named(file, "csv")?, schema)),
            formwright_form::Sink::Sqlite { file, table } => {
                let file = self.place(file.clone().unwrap_or_else(|| "submissions.db".to_owned()))?;
                Arc::new(Table::new(file, table.clone().unwrap_or_else(|| form.to_string())))
            }
            // The runtime runs those of forms; the settings have no tools of their own.
            formwright_form::Sink::Tool { tool } => return Err(SinkProblem::Tool(tool.clone())),
            formwright_form::Sink::Webhook { .. } => Arc::new(self.webhook(sink)?),
        })
    }

    fn webhook(&self, sink: &formwright_form::Sink) -> Result<Webhook, SinkProblem> {
        let formwright_form::Sink::Webhook { url, secret, secret_next } = sink else {
            return Err(SinkProblem::NoWebhook);
        };
        let address = url.parse().map_err(|_| SinkProblem::Address(Closed::NoAddress))?;
        self.outgoing.admits(&address).map_err(SinkProblem::Address)?;
        let secrets = [secret, secret_next].into_iter().flatten().map(|name| Secret::resolve(name));
        Ok(Webhook::new(self.outgoing.clone(), address, secrets.collect::<Result<_, _>>()?))
    }

    /// The file of that name in the directory.
    fn place(&self, file: String) -> Result<PathBuf, SinkProblem> {
        let mut parts = Path::new(&file).components();
        let plain =
            matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == file.as_str());
        let free = !file.starts_with('.') && !file.contains(['\\', '\0', ':']);
        if plain && free { Ok(self.directory.join(file)) } else { Err(SinkProblem::Place(file)) }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::tests::submission;
    use super::*;

    fn jsonl(file: Option<&str>) -> formwright_form::Sink {
        formwright_form::Sink::Jsonl { file: file.map(str::to_owned) }
    }

    fn webhook(url: &str, secret: Option<&str>) -> formwright_form::Sink {
        formwright_form::Sink::Webhook { url: url.to_owned(), secret: secret.map(str::to_owned), secret_next: None }
    }

    #[rstest]
    #[case("../x.jsonl")]
    #[case("/etc/passwd")]
    #[case("a/b.jsonl")]
    #[case("a\\b.jsonl")]
    #[case("")]
    #[case(".")]
    #[case("..")]
    #[case(".lock")]
    #[case("c:x")]
    #[case("x/")]
    #[case("./x")]
    fn a_file_stays_in_the_directory(#[case] file: &str) {
        let opener = Opener::new(PathBuf::from("/data")).unwrap();
        let problem = opener.check(&jsonl(Some(file)), &formwright_form::FormId::new("pizza"));
        assert_eq!(problem, Err(SinkProblem::Place(file.to_owned())));
    }

    #[test]
    fn a_form_whose_name_is_a_path_writes_nowhere() {
        let opener = Opener::new(PathBuf::from("/data")).unwrap();
        assert!(opener.check(&jsonl(None), &formwright_form::FormId::new("../pizza")).is_err());
    }

    #[test]
    fn answers_travel_only_safely_and_secrets_are_found_when_forms_are_loaded() {
        let opener = Opener::new(PathBuf::from("/data")).unwrap();
        let check = |sink: &formwright_form::Sink| opener.check(sink, &formwright_form::FormId::new("pizza"));
        let closed = |url: &str| check(&webhook(url, None)).unwrap_err().to_string();
        let plain = "`kitchen.example:80` is not asked for by https; the operator may allow it with `http.local`";
        assert_eq!(closed("http://kitchen.example/"), format!("nothing can be posted to its address: {plain}"));
        assert!(closed("http://127.0.0.1:9000/").contains("`127.0.0.1:9000` is not public"));
        assert!(closed("https://10.0.0.1/").contains("`10.0.0.1:443` is not public"));
        assert!(closed("kitchen").contains("not an address like https://host/path"));
        let missing = webhook("https://kitchen.example/", Some("env:FORMWRIGHT_TEST_UNSET"));
        assert!(matches!(check(&missing), Err(SinkProblem::Secret(SecretError::NoVariable(_)))));
        assert_eq!(check(&webhook("https://kitchen.example/", None)), Ok(()));
    }

    #[test]
    fn a_webhook_goes_to_an_address_that_the_operator_names() {
        let local = [" 127.0.0.1:9000", "kitchen.internal:80"].map(|spot| spot.parse().unwrap());
        let outgoing = Guarded::new(local.into(), Arc::new(Dns)).unwrap();
        let opener = Opener::new(PathBuf::from("/data")).unwrap().sending(outgoing);
        let check = |url: &str| opener.check(&webhook(url, None), &formwright_form::FormId::new("pizza"));
        assert_eq!(check("http://127.0.0.1:9000/orders"), Ok(()));
        assert_eq!(check("http://kitchen.internal/orders"), Ok(()));
        assert!(check("http://127.0.0.1:9001/orders").is_err());
    }

    #[test]
    fn where_submissions_are_is_told_without_secrets() {
        let opener = Opener::new(PathBuf::from("/data")).unwrap();
        let told = |sink: &formwright_form::Sink| opener.whereabouts(sink, &formwright_form::FormId::new("pizza"));
        assert_eq!(told(&jsonl(None)), "/data/pizza.jsonl");
        assert_eq!(told(&formwright_form::Sink::Csv { file: Some("all.csv".to_owned()) }), "/data/all.csv");
        assert_eq!(
            told(&formwright_form::Sink::Sqlite { file: None, table: None }),
            "/data/submissions.db, table pizza"
        );
        assert_eq!(told(&webhook("https://u:p@kitchen.example/hook?key=1", None)), "https://kitchen.example");
    }

    #[tokio::test]
    async fn each_form_has_its_own_file() {
        let directory = tempfile::tempdir().unwrap();
        let opener = Opener::new(directory.path().to_owned()).unwrap();
        for id in ["a", "a", "b"] {
            opener.deliver(&jsonl(None), None, id, &submission(id, 1, json!({}))).await.unwrap();
        }
        let sqlite = formwright_form::Sink::Sqlite { file: None, table: None };
        opener.deliver(&sqlite, None, "a", &submission("a", 1, json!({}))).await.unwrap();
        let lines = std::fs::read_to_string(directory.path().join("pizza-order.jsonl")).unwrap();
        assert_eq!(lines.lines().count(), 2);
        assert!(directory.path().join("submissions.db").exists());
    }
}
