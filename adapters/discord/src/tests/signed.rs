//! Interactions over HTTP: what is signed is answered, and nothing else is even read.

use std::sync::Arc;

use ed25519_dalek::{Signer as _, SigningKey};
use formwright_fakes::host::FakeHost;
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use super::{host, intake, interaction};
use crate::Secret;
use crate::api::Rest;
use crate::receive::live::Live;
use crate::receive::serve;

struct Door {
    host: Arc<FakeHost>,
    key: SigningKey,
    url: String,
}

/// Hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn door() -> Door {
    let key = SigningKey::from_bytes(&[7; 32]);
    let host = host();
    let rest = Arc::new(Rest::new(&Secret::new("t"), "http://127.0.0.1:9").unwrap());
    let live = Arc::new(Live::new(intake(&host), rest, None));
    let verifier = serve::verifier(&hex(key.verifying_key().as_bytes())).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}{}", listener.local_addr().unwrap(), serve::PATH);
    tokio::spawn(async move { axum::serve(listener, serve::router(live, verifier)).await });
    Door { host, key, url }
}

impl Door {
    async fn send(&self, body: &str, timestamp: &str, signature: &str) -> (u16, Value) {
        let client = reqwest::Client::new();
        let request = client.post(&self.url).header("x-signature-ed25519", signature);
        let answer = request.header("x-signature-timestamp", timestamp).body(body.to_owned()).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    fn sign(&self, body: &str, timestamp: &str) -> String {
        hex(&self.key.sign(format!("{timestamp}{body}").as_bytes()).to_bytes())
    }
}

fn moment(offset: i64) -> String {
    (Timestamp::now().as_second() + offset).to_string()
}

fn command() -> String {
    interaction(2, json!({"name": "pizza-order"})).to_string()
}

#[tokio::test]
async fn a_signed_ping_and_a_signed_command_are_answered() {
    let door = door().await;
    let now = moment(0);
    let ping = json!({"id": "1", "application_id": "99", "type": 1, "version": 1}).to_string();
    assert_eq!(door.send(&ping, &now, &door.sign(&ping, &now)).await, (200, json!({"type": 1})));
    let body = command();
    let signature = door.sign(&body, &now);
    assert_eq!(door.send(&body, &now, &signature).await, (200, json!({"type": 5})));
    assert_eq!(door.send(&body, &now, &signature).await.0, 401, "the same again");
    assert_eq!(door.host.events().len(), 1);
}

#[rstest]
#[case::forged(|_: &Door, body: &str, at: &str| (body.to_owned(), at.to_owned(),
    hex(&SigningKey::from_bytes(&[8; 32]).sign(format!("{at}{body}").as_bytes()).to_bytes())), 401)]
#[case::altered(|door: &Door, body: &str, at: &str| (body.replace("pizza", "pizzas"), at.to_owned(), door.sign(body, at)), 401)]
#[case::moved(|door: &Door, body: &str, at: &str| (body.to_owned(), format!("{at}0"), door.sign(body, at)), 401)]
#[case::empty(|_: &Door, body: &str, at: &str| (body.to_owned(), at.to_owned(), String::new()), 401)]
#[case::rubbish(|_: &Door, body: &str, at: &str| (body.to_owned(), at.to_owned(), "zz".repeat(64)), 401)]
#[case::late(|door: &Door, body: &str, _: &str| (body.to_owned(), moment(-400), door.sign(body, &moment(-400))), 401)]
#[case::early(|door: &Door, body: &str, _: &str| (body.to_owned(), moment(400), door.sign(body, &moment(400))), 401)]
#[case::anothers(|door: &Door, body: &str, at: &str| {
    let body = body.replace(r#""application_id":"99""#, r#""application_id":"98""#);
    (body.clone(), at.to_owned(), door.sign(&body, at))
}, 400)]
#[case::no_json(|door: &Door, _: &str, at: &str| ("{".to_owned(), at.to_owned(), door.sign("{", at)), 400)]
#[case::too_long(|door: &Door, _: &str, at: &str| {
    let body = " ".repeat(crate::limits::BODY + 1);
    (body.clone(), at.to_owned(), door.sign(&body, at))
}, 413)]
#[tokio::test]
async fn what_is_not_discords_is_refused_and_stored_nowhere(
    #[case] made: fn(&Door, &str, &str) -> (String, String, String),
    #[case] status: u16,
) {
    let door = door().await;
    let (body, timestamp, signature) = made(&door, &command(), &moment(0));
    assert_eq!(door.send(&body, &timestamp, &signature).await.0, status);
    assert!(door.host.events().is_empty());
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let door = door().await;
    let (body, at) = (command(), moment(0));
    let (host, path) = door.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let head = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nX-Signature-Ed25519: {}\r\n\
         X-Signature-Timestamp: {at}\r\nContent-Length: {}\r\n\r\n",
        door.sign(&body, &at),
        body.len() + 1
    );
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    tokio::time::pause();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(door.host.events().is_empty());
}
