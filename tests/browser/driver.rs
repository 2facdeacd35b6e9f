//! A headless browser of one test's own: its driver on a free port, its profile in a fresh directory.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use axum::http::Method;
use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::Url;
use serde_json::{Value, json};

/// How long a step of the page may take on a machine that does much else.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// The browser; it ends with the test.
pub(super) struct Browser {
    pub(super) client: Client,
    driver: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser; none, with a message, where there is none on this machine. In CI that is a failure.
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    pub(super) async fn start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else {
            assert!(std::env::var("CI").is_err(), "CI needs chromium and chromedriver for the page's tests");
            eprintln!("skipped: the page's tests need chromium and chromedriver");
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let port = port.expect("the driver tells its port");
        let mut connector = HttpConnector::new();
        connector.enforce_http(true);
        let client = ClientBuilder::new(connector)
            .capabilities(capabilities(profile.path()))
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("the browser starts");
        let browser = Self { client, driver, _profile: profile };
        browser.look("light").await;
        Some(browser)
    }

    /// Prefers a colour scheme, and no motion.
    pub(super) async fn look(&self, scheme: &str) {
        let feature = |name: &str, value: &str| json!({ "name": name, "value": value });
        let features = [feature("prefers-color-scheme", scheme), feature("prefers-reduced-motion", "reduce")];
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Takes the size of a telephone.
    pub(super) async fn telephone(&self) {
        let size = json!({ "width": 390, "height": 780, "deviceScaleFactor": 2, "mobile": true });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Takes the size of the README's picture.
    pub(super) async fn poster(&self) {
        let size = json!({ "width": 980, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Waits for an element.
    pub(super) async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        match found {
            Ok(element) => element,
            Err(error) => panic!("{css}: {error}\n{}", self.text("body").await),
        }
    }

    /// Waits until an element holds a text.
    pub(super) async fn see(&self, css: &str, text: &str) {
        let script =
            "return [...document.querySelectorAll(arguments[0])].some((e) => e.textContent.includes(arguments[1]))";
        self.until(script, vec![css.into(), text.into()]).await;
    }

    /// Waits until a script gives true.
    pub(super) async fn until(&self, script: &str, args: Vec<Value>) {
        let started = std::time::Instant::now();
        while self.client.execute(script, args.clone()).await.unwrap() != json!(true) {
            assert!(started.elapsed() < PATIENCE, "{script} {args:?}\n{}", self.text("#log").await);
            tokio::task::yield_now().await;
        }
    }

    /// Waits until a script gives a text, and gives it.
    pub(super) async fn told(&self, script: &str) -> String {
        let started = std::time::Instant::now();
        loop {
            if let Value::String(text) = self.client.execute(script, vec![]).await.unwrap() {
                return text;
            }
            assert!(started.elapsed() < PATIENCE, "{script}\n{}", self.text("#log").await);
            tokio::task::yield_now().await;
        }
    }

    /// The text of an element.
    pub(super) async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        let text = self.client.execute(script, vec![css.into()]).await.unwrap();
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks an element.
    pub(super) async fn click(&self, css: &str) {
        let started = std::time::Instant::now();
        while let Err(error) = self.find(css).await.click().await {
            assert!(started.elapsed() < PATIENCE, "{css}: {error}");
        }
    }

    /// Presses the button with a label, of those that count.
    pub(super) async fn press(&self, label: &str) {
        let script = "const wanted = [...document.querySelectorAll('#log fieldset:enabled button')]
            .find((e) => (e.querySelector('bdi') ?? e).textContent.trim() === arguments[0]);
            wanted?.click(); return Boolean(wanted)";
        self.until(script, vec![label.into()]).await;
    }

    /// Sets an input as a picker would.
    pub(super) async fn set(&self, css: &str, value: &str) {
        self.find(css).await;
        let script = "const e = document.querySelector(arguments[0]); e.value = arguments[1];
            for (const t of ['input', 'change']) e.dispatchEvent(new Event(t, { bubbles: true }));";
        self.client.execute(script, vec![css.into(), value.into()]).await.unwrap();
    }

    /// Types into an element with the keyboard.
    pub(super) async fn keys(&self, css: &str, keys: &str) {
        let started = std::time::Instant::now();
        while let Err(error) = self.find(css).await.send_keys(keys).await {
            assert!(started.elapsed() < PATIENCE, "{css}: {error}");
        }
    }

    /// Writes a message and sends it.
    pub(super) async fn say(&self, text: &str) {
        self.keys("#message", text).await;
        self.keys("#message", "\u{e007}").await;
    }

    /// A command of the browser's own protocol.
    pub(super) async fn devtools(&self, cmd: &str, params: Value) {
        self.client.issue_cmd(DevTools { cmd: cmd.to_owned(), params }).await.unwrap();
    }

    /// Keeps a picture of the page where `FORMWRIGHT_SCREENSHOTS` names a directory.
    pub(super) async fn picture(&self, name: &str) {
        if let Ok(folder) = std::env::var("FORMWRIGHT_SCREENSHOTS") {
            self.until("return document.getAnimations().every((a) => a.playState !== 'running')", vec![]).await;
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/{name}.png"), self.client.screenshot().await.unwrap()).unwrap();
        }
    }

    /// Ends the browser and its driver.
    pub(super) async fn close(mut self) {
        self.client.clone().close().await.unwrap();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
    }
}

fn capabilities(profile: &std::path::Path) -> Capabilities {
    let profile = format!("--user-data-dir={}", profile.display());
    let args = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--lang=en-US",
        "--window-size=1100,800",
        &profile,
    ];
    let Value::Object(capabilities) = json!({ "goog:chromeOptions": { "args": args } }) else { unreachable!() };
    capabilities
}

#[derive(Debug)]
struct DevTools {
    cmd: String,
    params: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "cmd": self.cmd, "params": self.params }).to_string()))
    }
}
