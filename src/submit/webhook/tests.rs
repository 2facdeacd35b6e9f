use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use rstest::rstest;
use serde_json::json;
use sha2::Sha256;

use super::super::tests::submission;
use super::*;
use formwright_http::{Dns, Spot};

type Seen = Arc<Mutex<Vec<(HeaderMap, String)>>>;

/// A receiver on this machine that answers always the same; gives its address and what it saw.
async fn receiver(status: u16, retry_after: Option<&'static str>) -> (Url, Seen) {
    let seen = Seen::default();
    let answer = move |State(seen): State<Seen>, headers: HeaderMap, body: Bytes| async move {
        seen.lock().unwrap().push((headers, String::from_utf8(body.to_vec()).unwrap()));
        let mut headers = HeaderMap::from_iter([(header::LOCATION, HeaderValue::from_static("/elsewhere"))]);
        headers.extend(retry_after.map(|wait| (header::RETRY_AFTER, HeaderValue::from_static(wait))));
        (StatusCode::from_u16(status).unwrap(), headers)
    };
    let router = Router::new().fallback(post(answer)).with_state(Arc::clone(&seen));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}/orders").parse().unwrap(), seen)
}

fn webhook(url: Url, secrets: &[&str]) -> Webhook {
    let secrets = secrets.iter().map(|secret| Secret::new(*secret)).collect();
    let local = Spot::of(&url).into_iter().collect();
    Webhook::new(Guarded::new(local, Arc::new(Dns)).unwrap(), url, secrets)
}

/// What a receiver does with a delivery, from the description of Standard Webhooks and not from the code above.
fn verify(headers: &HeaderMap, body: &str, key: &[u8]) -> bool {
    use sha2::Digest as _;
    let header = |name: &str| headers[name].to_str().unwrap();
    let sent = format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp"));
    let age = Timestamp::now().as_second() - header("webhook-timestamp").parse::<i64>().unwrap();
    header("webhook-signature").split(' ').any(|signature| {
        let (version, sum) = signature.split_once(',').unwrap();
        assert_eq!(version, "v1");
        // RFC 2104, written out.
        let mut block = [0u8; 64];
        block[..key.len()].copy_from_slice(key);
        let inner = Sha256::new().chain_update(block.map(|b| b ^ 0x36)).chain_update(&sent).finalize();
        let outer = Sha256::new().chain_update(block.map(|b| b ^ 0x5c)).chain_update(inner).finalize();
        BASE64.decode(sum).unwrap() == outer.as_slice() && age.abs() < 300
    })
}

#[test]
fn the_signature_is_the_one_of_the_published_example() {
    let url = "https://example.com/".parse().unwrap();
    let sink = webhook(url, &["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]);
    let signed = sink.0.signatures("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
    assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

#[tokio::test]
async fn a_delivery_is_signed_with_every_secret_and_keeps_its_id() {
    let (url, seen) = receiver(200, None).await;
    let encoded = format!("whsec_{}", BASE64.encode(b"new and binary \x00\x01"));
    let sink = webhook(url, &["old and plain", &encoded]);
    let order = submission("s1", 1, json!({"pizza": "diavola", "note": "“quotes”\n"}));
    for _ in 0..2 {
        sink.deliver("s1.1.kitchen", &order).await.unwrap();
    }
    let seen = seen.lock().unwrap();
    for (headers, body) in seen.iter() {
        assert_eq!(headers["webhook-id"], "s1.1.kitchen");
        assert_eq!(headers["content-type"], "application/json");
        assert!(verify(headers, body, b"old and plain"));
        assert!(verify(headers, body, b"new and binary \x00\x01"));
        assert!(!verify(headers, body, b"another"));
        assert!(!verify(headers, &body.replace("diavola", "marinara"), b"old and plain"));
        let sent: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(sent["type"], "form.submitted");
        assert_eq!(sent["data"], serde_json::to_value(&order).unwrap());
    }
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].1, seen[1].1, "the body is the same in every repetition");
}

#[tokio::test]
async fn without_a_secret_there_is_no_signature() {
    let (url, seen) = receiver(204, None).await;
    webhook(url, &[]).deliver("id", &submission("s1", 1, json!({}))).await.unwrap();
    assert!(!seen.lock().unwrap()[0].0.contains_key("webhook-signature"));
}

#[rstest]
#[case::created(201, None, Ok(()))]
#[case::redirects_are_not_followed(302, None, Err(None))]
#[case::unauthorised_may_be_mended(401, None, Err(None))]
#[case::broken(500, None, Err(None))]
#[case::asked_to_wait(429, Some("30"), Err(Some(30)))]
#[case::asked_to_wait_for_ever(503, Some("99999999"), Err(Some(36_000)))]
#[case::asked_nonsense(503, Some("soon"), Err(None))]
#[case::asked_to_wait_for_the_past(503, Some("Wed, 21 Oct 2015 07:28:00 GMT"), Err(None))]
#[tokio::test]
async fn only_success_is_success(
    #[case] status: u16,
    #[case] retry_after: Option<&'static str>,
    #[case] expected: Result<(), Option<u64>>,
) {
    let (url, seen) = receiver(status, retry_after).await;
    let delivered = webhook(url, &["x"]).deliver("id", &submission("s1", 1, json!({}))).await;
    let outcome = delivered.map_err(|error| match error {
        SinkError::Retry { after, why } => {
            assert!(why.contains(&status.to_string()), "{why}");
            after.map(|after| after.as_secs())
        }
        other => panic!("{other}"),
    });
    assert_eq!(outcome, expected);
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_the_operator_did_not_name_is_not_called() {
    let (url, seen) = receiver(200, None).await;
    let outgoing = Guarded::new(std::collections::BTreeSet::new(), Arc::new(Dns)).unwrap();
    let error = Webhook::new(outgoing, url, Vec::new()).deliver("id", &submission("s1", 1, json!({}))).await;
    assert!(error.unwrap_err().to_string().ends_with("is not public; the operator may allow it with `http.local`"));
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn gone_is_gone() {
    let (url, _) = receiver(410, None).await;
    let delivered = webhook(url, &["x"]).deliver("id", &submission("s1", 1, json!({}))).await;
    assert_eq!(delivered, Err(SinkError::Gone));
}

#[tokio::test]
async fn an_unreachable_receiver_is_tried_again_and_its_address_is_not_told() {
    let url = "http://127.0.0.1:1/orders?token=hush".parse().unwrap();
    let error = webhook(url, &["x"]).deliver("id", &submission("s1", 1, json!({}))).await.unwrap_err();
    assert!(matches!(&error, SinkError::Retry { after: None, why } if !why.contains("hush")), "{error}");
}
