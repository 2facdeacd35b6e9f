//! The real program, serving, and its API as somebody uses it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::{PATIENCE, program};

#[path = "../../adapters/web/src/tests/described.rs"]
mod described;

/// What the API says of itself; every answer that these tests get is held against it.
static DESCRIBED: tokio::sync::OnceCell<described::Described> = tokio::sync::OnceCell::const_new();

/// The same, as a program at an address tells it.
pub(super) async fn described(client: &reqwest::Client, address: &str) -> &'static described::Described {
    let told = async || {
        let description = client.get(format!("{address}api/openapi.json")).send().await.unwrap();
        described::Described::new(description.json().await.unwrap())
    };
    DESCRIBED.get_or_init(told).await
}

/// The program, serving on a free port in a folder of its own; killed when dropped.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) address: String,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) client: reqwest::Client,
}

impl Server {
    pub(crate) fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), settings)
    }

    /// Kills the program and starts it again over what it left.
    pub(crate) fn restart(mut self) -> Self {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        Self::start_in(folder, &[])
    }

    pub(crate) fn start_in(folder: tempfile::TempDir, settings: &[(&str, &str)]) -> Self {
        Self::spawn(folder, settings, Stdio::null())
    }

    /// The same with its log to be read.
    pub(crate) fn with_log(folder: tempfile::TempDir) -> Self {
        Self::spawn(folder, &[], Stdio::piped())
    }

    fn spawn(folder: tempfile::TempDir, settings: &[(&str, &str)], log: Stdio) -> Self {
        let mut command = program(folder.path());
        command.args(["run", "--listen", "127.0.0.1:0"]).envs(settings.iter().copied());
        let mut process = command.stdin(Stdio::null()).stderr(log).spawn().unwrap();
        // What it says of a model may come before.
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.trim().strip_prefix("the page is at ").map(str::to_owned));
        let address = address.expect("it prints the page's address");
        Self { process, address, folder, client: formwright::http::client().unwrap() }
    }

    pub(crate) async fn chat(&self, cookie: &mut Option<String>, body: &Value) -> (u16, Value) {
        self.post("api/chat", cookie, body).await
    }

    /// Posts JSON as somebody with a cookie, who gets one where they have none.
    pub(crate) async fn post(&self, path: &str, cookie: &mut Option<String>, body: &Value) -> (u16, Value) {
        let mut request = self.client.post(format!("{}{path}", self.address)).json(body).timeout(PATIENCE);
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie.as_str());
        }
        let response = request.send().await.unwrap();
        let set = response.headers().get("set-cookie").and_then(|set| set.to_str().ok());
        *cookie = set.and_then(|set| set.split(';').next()).map(str::to_owned).or(cookie.take());
        self.described("POST", path, response).await
    }

    /// Gets JSON as somebody with a cookie.
    pub(crate) async fn get(&self, path: &str, cookie: Option<&str>) -> Value {
        let request = self.client.get(format!("{}{path}", self.address)).timeout(PATIENCE);
        let request = cookie.into_iter().fold(request, |request, cookie| request.header("cookie", cookie));
        self.described("GET", path, request.send().await.unwrap()).await.1
    }

    async fn described(&self, method: &str, path: &str, response: reqwest::Response) -> (u16, Value) {
        let described = described(&self.client, &self.address).await;
        let status = response.status().as_u16();
        let body = response.bytes().await.unwrap();
        let wrong = described.wrong_with(method, &format!("/{path}"), status, &body);
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        (status, serde_json::from_slice(&body).unwrap())
    }
}

impl Server {
    /// Asks for a pizza anew until the answer is like that; a form is switched within seconds.
    pub(super) async fn until(&self, is_there: impl Fn(&Value) -> bool) -> Value {
        let end = std::time::Instant::now() + PATIENCE;
        loop {
            let (_, body) = self.chat(&mut None, &json!({"user_message": "order a pizza"})).await;
            if is_there(&body) {
                return body;
            }
            assert!(std::time::Instant::now() < end, "{body}");
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
