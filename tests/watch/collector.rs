//! A collector of traces: takes what is sent by OTLP over HTTP, and reads the spans in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;

use crate::platforms::stage::PATIENCE;

/// A span, as far as the tests care.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Span {
    pub(super) name: String,
    pub(super) id: Vec<u8>,
    pub(super) parent: Vec<u8>,
    pub(super) attributes: BTreeMap<String, String>,
}

type Sent = Arc<Mutex<Vec<Vec<u8>>>>;

/// The collector, on a port of its own.
pub(super) struct Collector {
    pub(super) url: String,
    sent: Sent,
}

impl Collector {
    pub(super) async fn start() -> Self {
        let sent = Sent::default();
        let take = async |State(sent): State<Sent>, body: Bytes| sent.lock().unwrap().push(body.to_vec());
        let router = Router::new().route("/v1/traces", post(take)).with_state(Arc::clone(&sent));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, sent }
    }

    /// Everything that was sent, as it came.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.sent.lock().unwrap().concat()
    }

    pub(super) fn spans(&self) -> Vec<Span> {
        let sent = self.sent.lock().unwrap();
        let resources = sent.iter().flat_map(|body| inside(body, 1));
        let scopes = resources.flat_map(|resource| inside(resource, 2));
        scopes.flat_map(|scope| inside(scope, 2)).map(span).collect()
    }

    /// Waits for a span with this name.
    pub(super) async fn receives(&self, name: &str) -> Span {
        let received = async {
            loop {
                if let Some(span) = self.spans().into_iter().find(|span| span.name == name) {
                    return span;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let received = tokio::time::timeout(PATIENCE, received).await;
        received.unwrap_or_else(|_| panic!("no span {name}: {:?}", self.spans()))
    }
}

fn span(bytes: &[u8]) -> Span {
    let first = |no| inside(bytes, no).into_iter().next().unwrap_or_default().to_vec();
    let attribute = |attribute: &[u8]| {
        let key = inside(attribute, 1).concat();
        let value = inside(attribute, 2).into_iter().flat_map(|value| inside(value, 1)).flatten().copied().collect();
        (text(key), text(value))
    };
    Span {
        name: text(first(5)),
        id: first(2),
        parent: first(4),
        attributes: inside(bytes, 9).into_iter().map(attribute).collect(),
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The messages, texts and bytes that a protobuf message has under a number.
fn inside(mut bytes: &[u8], wanted: u64) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let length = match tag & 7 {
            0 => {
                varint(&mut bytes);
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut bytes)).unwrap(),
            5 => 4,
            other => panic!("no kind of field: {other}"),
        };
        let (field, rest) = bytes.split_at(length);
        if tag >> 3 == wanted && tag & 7 == 2 {
            found.push(field);
        }
        bytes = rest;
    }
    found
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}
