//! Tools that reach outside, by the real program: a server that is asked, and a program that is run, as far as the settings
//! of the operator let them.

mod listening;

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::IntoResponse as _;
use axum::{Json, Router};
use serde_json::{Value, json};

const FORM: &str = r#"
id = "parcel"
title = "Parcel"

[[field]]
id = "street"
kind = "text"
ask = "In which street?"

[[field]]
id = "shop"
kind = "choice"
ask = "Which shop?"
options_from = { tool = "shops" }

[[field]]
id = "hour"
kind = "choice"
ask = "At what hour?"
options_from = { tool = "hours" }

[[tool]]
id = "shops"
kind = "http"
url = "http://127.0.0.1:PORT/shops/{street}"
params = { street = "street", most = "3" }
refusal = "error.message"

[[tool]]
id = "hours"
kind = "command"
command = "hours"
params = { shop = "shop" }
"#;

const SETTINGS: &str = r#"
[http]
local = ["127.0.0.1:PORT"]

[tools.hosts."127.0.0.1:PORT"]
headers = { Authorization = "env:SHOPS_AUTH" }

[tools.commands]
hours = ["/bin/sh", "FOLDER/hours.sh", "--json"]
"#;

/// What was asked: the address, who asked, and the call's id.
type Asked = Arc<Mutex<Vec<(String, String, String)>>>;

/// A server that does not answer the first time, and has no shops in one street.
async fn shops(asked: Asked) -> u16 {
    let answer = |State(asked): State<Asked>, uri: Uri, headers: HeaderMap| async move {
        let header = |name: &str| headers[name].to_str().unwrap().to_owned();
        let mut asked = asked.lock().unwrap();
        asked.push((uri.to_string(), header("authorization"), header("idempotency-key")));
        if uri.path().ends_with("Nowhere") {
            let told = json!({"error": {"message": "There is no such street.", "trace": "shops.rs:12"}});
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(told)).into_response();
        }
        if asked.len() == 1 {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        Json(json!({"shops": [{"id": "s1", "name": "Corner shop"}, {"id": "s2", "name": "Station"}]})).into_response()
    };
    let router = Router::new().fallback(answer).with_state(asked);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

struct Server {
    process: Child,
    address: String,
    cookie: Option<String>,
    conversation: Option<String>,
    client: reqwest::Client,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program(folder: &std::path::Path, port: u16, settings: &str) -> Command {
    let hours = "#!/bin/sh\nread -r asked\ncase $asked in\n  *'\"shop\":\"s1\"'*) echo '[\"9\", \"10\"]' ;;\n  *) exit 1 ;;\nesac\n";
    std::fs::write(folder.join("hours.sh"), hours).unwrap();
    std::fs::set_permissions(folder.join("hours.sh"), std::fs::Permissions::from_mode(0o700)).unwrap();
    std::fs::create_dir_all(folder.join("forms")).unwrap();
    let put = |text: &str| text.replace("PORT", &port.to_string()).replace("FOLDER", folder.to_str().unwrap());
    std::fs::write(folder.join("forms/parcel.toml"), put(FORM)).unwrap();
    std::fs::write(folder.join("formwright.toml"), put(settings)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
    command.current_dir(folder).args(["run", "--listen", "127.0.0.1:0"]).env("NO_COLOR", "1");
    command.env("SHOPS_AUTH", "Bearer hush").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Server {
    fn start(mut command: Command) -> Self {
        let mut process = command.stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("the page is at ").expect("it prints the page's address").to_owned();
        Self { process, address, cookie: None, conversation: None, client: formwright::http::client().unwrap() }
    }

    /// Says something; gives the whole answer as text.
    async fn say(&mut self, text: &str) -> String {
        let mut body = json!({"form": "parcel", "user_message": text});
        if let Some(conversation) = &self.conversation {
            body = json!({"conversation_id": conversation, "user_message": text});
        }
        let mut request = self.client.post(format!("{}api/chat", self.address)).json(&body);
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        let response = request.send().await.unwrap();
        let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
        self.cookie = set.and_then(|set| set.split(';').next()).map(str::to_owned).or(self.cookie.take());
        let answer: Value = response.json().await.unwrap();
        self.conversation = answer["conversation_id"].as_str().map(str::to_owned);
        answer.to_string()
    }
}

#[tokio::test]
async fn a_server_and_a_program_give_options() {
    let (folder, asked) = (tempfile::tempdir().unwrap(), Asked::default());
    let port = shops(Arc::clone(&asked)).await;
    let mut server = Server::start(program(folder.path(), port, SETTINGS));
    assert!(server.say("").await.contains("In which street?"));
    let shown = server.say("Rome/Street 5").await;
    assert!(shown.contains("Corner shop") && shown.contains("Station"), "{shown}");
    {
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), 2, "it was tried again once: {asked:?}");
        assert_eq!(asked[0].0, "/shops/Rome%2FStreet%205?most=3");
        assert_eq!(asked[0].1, "Bearer hush");
        assert_eq!(asked[0], asked[1], "under the same id");
    }
    let shown = server.say("Corner shop").await;
    assert!(shown.contains("At what hour?") && shown.contains("\"10\""), "{shown}");
}

#[tokio::test]
async fn a_server_says_no_in_words_for_the_person() {
    let (folder, asked) = (tempfile::tempdir().unwrap(), Asked::default());
    let port = shops(Arc::clone(&asked)).await;
    let mut server = Server::start(program(folder.path(), port, SETTINGS));
    server.say("").await;
    let shown = server.say("Nowhere").await;
    assert!(shown.contains("There is no such street.") && !shown.contains("shops.rs"), "{shown}");
    assert!(shown.contains("Street?"), "what it has words against is asked again: {shown}");
    assert_eq!(asked.lock().unwrap().len(), 1, "a refusal is not tried again");
}

#[rstest::rstest]
#[case::closed("local = [\"127.0.0.1:PORT\"]", "", "nothing can be asked at its address: `127.0.0.1:9` is not public")]
#[case::not_listed(
    "127.0.0.1:PORT\"]\nheaders",
    "other.example\"]\nheaders",
    "it asks `127.0.0.1:9`, which is not in the settings"
)]
#[case::no_secret("env:SHOPS_AUTH", "env:SHOPS_NO_AUTH", "the environment variable SHOPS_NO_AUTH is not set")]
#[case::no_program("hours =", "days =", "tool `hours`: it runs `hours`, which is not in the settings")]
#[case::no_path("/bin/sh", "sh", "the command `hours` needs the whole path of its program first")]
#[test]
fn what_the_operator_does_not_allow_is_not_started(#[case] part: &str, #[case] other: &str, #[case] told: &str) {
    let folder = tempfile::tempdir().unwrap();
    let settings = SETTINGS.replace(part, other);
    assert_ne!(settings, SETTINGS);
    let output = program(folder.path(), 9, &settings).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains(told), "{printed}");
    assert_eq!(output.status.code(), Some(3), "{printed}");
}
