//! Socket Mode: hello, envelopes, acknowledgements, pings, `disconnect`, dropped sockets. An envelope that was not
//! acknowledged in time, or whose socket is gone, comes again on another connection.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior};

use super::Inner;
use super::world::APP;
use crate::record::record;
use crate::websocket::{self, Message};

/// How long the address that `apps.connections.open` gives can be used, once.
const TICKET: Duration = Duration::from_secs(30);
/// Connections that an app may have.
const MOST: usize = 10;
/// How often an envelope is sent for which a person waits.
const PRESS_TRIES: u32 = 2;

/// The sockets, and what is on its way.
#[derive(Default)]
pub(super) struct Sockets {
    tickets: BTreeMap<String, Instant>,
    open: Vec<Socket>,
    /// Envelopes that were not acknowledged, by id.
    pending: BTreeMap<String, Envelope>,
    /// Those that no connection could take.
    waiting: VecDeque<String>,
    turn: usize,
}

struct Socket {
    id: u64,
    to: mpsc::UnboundedSender<Frame>,
}

enum Frame {
    Text(String),
    Close,
    /// The TCP connection ends without a word.
    Drop,
}

struct Envelope {
    kind: &'static str,
    payload: Value,
    tries: u32,
    on: Option<u64>,
    /// Who waits for the answer.
    answer: Option<oneshot::Sender<Value>>,
}

impl Envelope {
    fn takes_answer(&self) -> bool {
        self.kind != "events_api"
    }

    /// How often it is sent, where events are sent so often.
    fn most(&self, events: u32) -> u32 {
        if self.takes_answer() { PRESS_TRIES } else { events }
    }
}

/// Takes a WebSocket connection.
pub(super) async fn connect(
    State(inner): State<Arc<Inner>>,
    Query(query): Query<BTreeMap<String, String>>,
    upgrade: websocket::Upgrade,
) -> Response {
    let ticket = query.get("ticket").and_then(|ticket| inner.sockets().tickets.remove(ticket));
    if ticket.is_none_or(|since| since.elapsed() > TICKET) {
        inner.lock().refusals.push("socket: the ticket is used, old or unknown".to_owned());
        return StatusCode::FORBIDDEN.into_response();
    }
    if inner.sockets().open.len() >= MOST {
        inner.lock().refusals.push("socket: too many connections".to_owned());
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    }
    upgrade.on_upgrade(move |socket| serve(inner, socket))
}

async fn serve(inner: Arc<Inner>, mut socket: websocket::Socket) {
    let (to, mut frames) = mpsc::unbounded_channel();
    let id = inner.lock().number();
    let count = inner.sockets().open.len() + 1;
    let hello = json!({"type": "hello", "num_connections": count, "connection_info": {"app_id": APP},
        "debug_info": {"host": "applink-fake", "build_number": 1, "approximate_connection_time": 18_060}});
    if socket.send(Message::text(hello.to_string())).await.is_err() {
        return;
    }
    inner.sockets().open.push(Socket { id, to });
    inner.changed();
    inner.send_waiting();
    let every = inner.lock().windows.ping;
    let mut ping = tokio::time::interval_at(Instant::now() + every, every);
    // A machine that stood still for a while sends no two pings at once.
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = false;
    loop {
        tokio::select! {
            frame = frames.recv() => match frame {
                Some(Frame::Text(text)) => if socket.send(Message::text(text)).await.is_err() { break },
                Some(Frame::Close) => {
                    let _ = socket.send(Message::Close(None)).await;
                    break;
                }
                Some(Frame::Drop) | None => break,
            },
            came = socket.recv() => match came {
                Some(Ok(Message::Text(text))) => inner.acknowledged(&text),
                Some(Ok(Message::Pong(_))) => unanswered = false,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(Message::Ping(_) | Message::Binary(_) | Message::Frame(_))) => {}
            },
            _ = ping.tick() => {
                if std::mem::replace(&mut unanswered, true) {
                    inner.lock().refusals.push("socket: a ping was not answered".to_owned());
                    break;
                }
                if socket.send(Message::Ping("Ping from applink-fake".into())).await.is_err() {
                    break;
                }
            }
        }
    }
    inner.sockets().open.retain(|open| open.id != id);
    drop(frames);
    inner.send_again_from(id);
    inner.changed();
}

impl Inner {
    /// An address for one connection.
    pub(super) fn ticket(&self) -> String {
        let ticket = self.lock().id("ticket");
        self.sockets().tickets.insert(ticket.clone(), Instant::now());
        format!("{}/link/?ticket={ticket}&app_id={APP}", self.url().replacen("http", "ws", 1))
    }

    pub(super) fn connections(&self) -> usize {
        self.sockets().open.len()
    }

    /// Whether nothing is on its way.
    pub(super) fn is_quiet(&self) -> bool {
        self.sockets().pending.is_empty()
    }

    /// Ends all sockets without a word.
    pub(super) fn drop_sockets(&self) {
        for socket in &self.sockets().open {
            let _ = socket.to.send(Frame::Drop);
        }
    }

    /// Sends a `disconnect` frame on one connection, or on all, and closes it a while later.
    pub(super) fn disconnect(self: &Arc<Self>, reason: &str, all: bool) {
        let frame = json!({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-fake"}}).to_string();
        let close = self.lock().windows.close;
        let sockets = self.sockets();
        for socket in sockets.open.iter().take(if all { usize::MAX } else { 1 }) {
            let _ = socket.to.send(Frame::Text(frame.clone()));
            if reason != "warning" {
                let to = socket.to.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(close).await;
                    let _ = to.send(Frame::Close);
                });
            }
        }
    }

    /// Sends an envelope; what comes is the answer's payload.
    pub(super) fn by_socket(self: &Arc<Self>, kind: &'static str, payload: Value) -> oneshot::Receiver<Value> {
        let id = self.lock().id("envelope");
        let (answer, coming) = oneshot::channel();
        let envelope = Envelope { kind, payload, tries: 0, on: None, answer: Some(answer) };
        self.sockets().pending.insert(id.clone(), envelope);
        self.send_envelope(&id);
        coming
    }

    /// Sends an envelope on another connection than last time, if there is one; it waits where there is none.
    fn send_envelope(self: &Arc<Self>, id: &str) {
        let (window, tries) = {
            let world = self.lock();
            (world.windows.answer, world.windows.tries)
        };
        let mut sockets = self.sockets();
        let Some(envelope) = sockets.pending.get(id) else { return };
        if envelope.tries >= envelope.most(tries) {
            sockets.pending.remove(id);
            return;
        }
        let last = envelope.on;
        sockets.turn = sockets.turn.wrapping_add(1);
        let turn = sockets.turn;
        let others: Vec<usize> = (0..sockets.open.len()).filter(|no| Some(sockets.open[*no].id) != last).collect();
        let chosen = match (others.as_slice(), sockets.open.len()) {
            ([], 0) => {
                sockets.waiting.push_back(id.to_owned());
                return;
            }
            ([], _) => 0,
            (others, _) => others[turn % others.len()],
        };
        let (on, to) = (sockets.open[chosen].id, sockets.open[chosen].to.clone());
        let Some(envelope) = sockets.pending.get_mut(id) else { return };
        envelope.on = Some(on);
        envelope.tries += 1;
        let tries = envelope.tries;
        let mut frame = json!({"type": envelope.kind, "envelope_id": id, "payload": envelope.payload,
            "accepts_response_payload": envelope.takes_answer()});
        if !envelope.takes_answer() {
            frame["retry_attempt"] = json!(tries - 1);
            frame["retry_reason"] = json!(if tries > 1 { "timeout" } else { "" });
        }
        let _ = to.send(Frame::Text(frame.to_string()));
        drop(sockets);
        let (inner, id) = (self.clone(), id.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(window).await;
            let late = inner.sockets().pending.get(&id).is_some_and(|envelope| envelope.tries == tries);
            if late {
                inner.send_envelope(&id);
            }
        });
    }

    fn send_waiting(self: &Arc<Self>) {
        loop {
            let next = self.sockets().waiting.pop_front();
            match next {
                Some(id) => self.send_envelope(&id),
                None => return,
            }
        }
    }

    /// What was on its way on a socket that is gone is sent again.
    fn send_again_from(self: &Arc<Self>, socket: u64) {
        let sockets = self.sockets();
        let lost = sockets.pending.iter().filter(|(_, envelope)| envelope.on == Some(socket));
        let mut lost: Vec<String> = lost.map(|(id, _)| id.clone()).collect();
        drop(sockets);
        lost.sort();
        for id in lost {
            // A socket that went is no try that failed.
            if let Some(envelope) = self.sockets().pending.get_mut(&id) {
                envelope.tries = envelope.tries.saturating_sub(1);
            }
            self.send_envelope(&id);
        }
    }

    /// Reads a frame of the app: an acknowledgement.
    fn acknowledged(&self, text: &str) {
        let frame: Value = serde_json::from_str(text).unwrap_or(Value::Null);
        record("slack", "WS", "/link/", &[], &frame);
        let Some(id) = frame["envelope_id"].as_str() else {
            self.lock().refusals.push(format!("socket: a frame that is no acknowledgement: {text}"));
            return;
        };
        let Some(envelope) = self.sockets().pending.remove(id) else { return };
        let payload = frame.get("payload").cloned().unwrap_or(Value::Null);
        if !envelope.takes_answer() && !payload.is_null() {
            self.lock().refusals.push("socket: an event takes no payload with its acknowledgement".to_owned());
        }
        self.lock().taken.push((envelope.kind, envelope.payload));
        if let Some(answer) = envelope.answer {
            let _ = answer.send(payload);
        }
        self.changed();
    }
}
