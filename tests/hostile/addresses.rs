//! Spellings of this machine's address, and names that lead to it: as the address of a tool, of a webhook, and of a redirect.
//! A listener on all addresses of this machine counts who comes. The operator has even listed each host for tools; they
//! are closed because they are not public.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::routing::any;
use formwright::engine::{Purpose, Submission, ToolCall};
use formwright::form::load::{Syntax, load};
use formwright::form::tool::{Http, Method};
use formwright::form::{Form, FormId, FormVersion, Sink, Tool, ToolId, ToolRun};
use formwright::http::{Guarded, Lookup, Spot};
use formwright::submit::Opener;
use formwright::tool::{Outgoing, Tools};
use formwright_chat as chat;
use serde_json::json;

/// What stands behind `://`, one a line; `\u{…}` is that character.
const SPELLINGS: &str = include_str!("addresses.txt");

/// Every name leads to this machine, and some elsewhere too.
struct Home;

#[async_trait::async_trait]
impl Lookup for Home {
    async fn addresses(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        let found: &[&str] = match host {
            "mixed.example" | "mixed.example." => &["93.184.216.34", "127.0.0.1"],
            "both.example" => &["::1", "::ffff:127.0.0.1"],
            _ => &["127.0.0.1"],
        };
        Ok(found.iter().map(|address| address.parse().unwrap()).collect())
    }
}

/// Counts connections to a port on every address of this machine.
async fn canary() -> (u16, Arc<AtomicUsize>) {
    let hits = Arc::<AtomicUsize>::default();
    let four = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = four.local_addr().unwrap().port();
    let six = tokio::net::TcpListener::bind(("::1", port)).await.ok();
    for listener in [Some(four), six].into_iter().flatten() {
        let hits = Arc::clone(&hits);
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                hits.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    (port, hits)
}

/// The addresses that the spellings make, with and without TLS.
fn addresses(port: u16) -> Vec<String> {
    let lines: Vec<&str> = SPELLINGS.lines().filter(|line| !line.is_empty()).collect();
    assert!(lines.len() >= 80, "{}", lines.len());
    let whole = |line: &str| {
        let line = line.replace("\\u{ad}", "\u{ad}");
        match line.find(['#', '?']) {
            Some(at) => format!("{}:{port}{}", &line[..at], &line[at..]),
            None => format!("{line}:{port}/x"),
        }
    };
    let lines = lines.into_iter().map(whole);
    lines.flat_map(|line| [format!("https://{line}"), format!("http://{line}")]).collect()
}

/// Answers that lead to the address of that number, from a spot that the operator allows.
async fn leading_away(to: Vec<String>) -> String {
    let away = |State(to): State<Arc<Vec<String>>>, Path((status, no)): Path<(u16, usize)>| async move {
        let to: Vec<u8> = to[no].bytes().filter(|byte| *byte != b'\t').collect();
        (StatusCode::from_u16(status).unwrap(), [(header::LOCATION, to)])
    };
    let router = Router::new().route("/{status}/{no}", any(away)).with_state(Arc::new(to));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn form(url: &str) -> Form {
    let loaded = load("id = \"f\"\ntitle = \"F\"\n[[field]]\nid = \"a\"\nkind = \"text\"\n", Syntax::Toml);
    let mut form = loaded.form.unwrap();
    let http = Http { method: Method::Get, url: url.to_owned(), holes: Vec::new() };
    let tool = Tool { retries: 0, ..Tool::new(ToolId::new("t"), ToolRun::Http(http)) };
    form.tools.insert(ToolId::new("t"), tool);
    form
}

/// Has a tool ask there; tells whether it had an answer.
async fn tool_asks(guarded: &Guarded, url: &str) -> bool {
    let mut outgoing = Outgoing::new(guarded.clone(), std::env::temp_dir());
    if let Some(spot) = url.parse().ok().and_then(|url| Spot::of(&url)) {
        outgoing = outgoing.host(spot, &BTreeMap::new()).unwrap();
    }
    let form = form(url);
    let (id, version) = (form.id.clone(), form.version.clone());
    let (call, purpose) = ("c".to_owned(), Purpose::Know);
    let call = ToolCall { call, form: id, version, tool: ToolId::new("t"), args: json!({}), purpose };
    Tools::new().reaching(outgoing).run(&call, Some(&form), "ann").await.result.is_ok()
}

/// Posts there; tells whether it arrived.
async fn webhook_posts(opener: &Opener, url: &str) -> bool {
    let sink = Sink::Webhook { url: url.to_owned(), secret: None, secret_next: None };
    let place = chat::Place {
        platform: chat::Platform::new("web"),
        workspace: String::new(),
        channel: "c1".to_owned(),
        thread: None,
    };
    let submission = Submission {
        id: "s".to_owned(),
        revision: 1,
        form: FormId::new("f"),
        version: FormVersion::new("v"),
        at: "2026-11-20T09:00:00Z".parse().unwrap(),
        place,
        user: chat::UserId::new("ann"),
        shared: false,
        answers: json!({}),
        provenance: Vec::new(),
        review: None,
        zone: None,
    };
    opener.deliver(&sink, None, "s.1", &submission).await.is_ok()
}

#[tokio::test]
async fn nobody_is_led_to_this_machine_however_its_address_is_spelt() {
    let (port, hits) = canary().await;
    let addresses = addresses(port);
    let away = leading_away(addresses.clone()).await;
    let local = BTreeSet::from([away.parse().unwrap()]);
    let guarded = Guarded::new(local, Arc::new(Home)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let opener = Opener::new(folder.path().to_owned()).unwrap().sending(guarded.clone());
    let mut tried = 0;
    for (no, url) in addresses.iter().enumerate() {
        let status = [301, 302, 303, 307, 308][no % 5];
        let led = format!("http://{away}/{status}/{no}");
        for url in [url, &led] {
            assert!(!tool_asks(&guarded, url).await, "a tool had an answer of {url}");
            assert!(!webhook_posts(&opener, url).await, "a webhook arrived at {url}");
            assert_eq!(hits.load(Ordering::SeqCst), 0, "{url}");
            tried += 1;
        }
    }
    assert!(tried >= 4 * 80, "{tried}");
    // The canary is awake.
    tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    while hits.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}
