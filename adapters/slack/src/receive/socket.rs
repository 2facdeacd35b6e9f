//! Socket Mode: a socket that the bot opens. Frames are read raw, and worked on side by side: nothing that is read waits
//! for what came before, but for what the same person did before.
//!
//! Not the SDK's socket: it reads no frame, and no pong, before the one before it is acknowledged.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat as chat;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::api::{Api, SOCKET};
use crate::bot::Bot;
use crate::intake::ack::Ack;
use crate::limits;
use crate::translate::{self, Incoming};

/// Longest pause before a dropped connection is opened again.
const LONGEST: Duration = Duration::from_secs(30);
/// A connection that held this long starts the count of drops anew.
const STABLE: Duration = Duration::from_secs(60);
/// How long a connection may take to be there, with Slack's hello on it.
const HELLO_IN: Duration = Duration::from_secs(10);
/// How often Slack is pinged; a connection on which nothing came for twice that long is dead.
const PING: Duration = Duration::from_secs(5);
/// How long a connection that Slack is about to end is still listened to.
const LEAVING: Duration = Duration::from_secs(30);
/// Frames worked on at a time. Beyond that a frame is left unanswered, and Slack sends it again.
const AT_ONCE: u16 = 1000;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Serves Slack over a socket until `shutdown`.
pub(crate) async fn serve(bot: Arc<Bot>, api: Arc<Api>, mut shutdown: chat::Shutdown) {
    let room = Arc::new(Semaphore::new(usize::from(AT_ONCE)));
    let line = Arc::new(Line { bot, api, room });
    let mut connections = JoinSet::new();
    let mut drops = 0_u32;
    loop {
        let (left, leaving) = oneshot::channel::<Leaving>();
        connections.spawn(Arc::clone(&line).connection(left));
        let began = Instant::now();
        tokio::select! {
            () = &mut shutdown => break,
            // Whoever ends without a word has left all the same.
            _ = leaving => {}
        }
        while connections.try_join_next().is_some() {}
        drops = if began.elapsed() > STABLE { 1 } else { drops + 1 };
        let pause = backoff(drops, jitter());
        tracing::debug!(seconds = pause.as_secs_f32(), "the socket to slack is opened again");
        tokio::select! {
            () = &mut shutdown => break,
            () = tokio::time::sleep(pause) => {}
        }
    }
    // What is worked on is acknowledged. What comes meanwhile finds no room, and comes again.
    let _ = timeout(limits::ANSWER_IN, line.room.acquire_many(u32::from(AT_ONCE))).await;
}

/// Slack has said that it will end the connection: the next one is opened meanwhile.
#[derive(Debug, PartialEq, Eq)]
struct Leaving;

/// An acknowledgement on its way, and the room that its frame takes up until it is sent.
type Ready = (String, OwnedSemaphorePermit);

/// What all connections share.
struct Line {
    bot: Arc<Bot>,
    /// Under the app-level token.
    api: Arc<Api>,
    room: Arc<Semaphore>,
}

impl Line {
    /// One connection from its opening to its end.
    async fn connection(self: Arc<Self>, left: oneshot::Sender<Leaving>) {
        let mut socket = match timeout(HELLO_IN, self.open()).await {
            Ok(Ok(socket)) => socket,
            Ok(Err(why)) => return tracing::warn!(why, "slack: no socket"),
            Err(_) => return tracing::warn!("slack: no socket within {} s", HELLO_IN.as_secs()),
        };
        let (acks, mut ready) = mpsc::unbounded_channel::<Ready>();
        let mut ping = interval_at(Instant::now() + PING, PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut heard, mut left) = (Instant::now(), Some(left));
        let mut until = None;
        loop {
            let (out, _room) = tokio::select! {
                came = socket.next() => {
                    heard = Instant::now();
                    match came {
                        Some(Ok(Message::Text(text))) => {
                            if self.frame(&text, &acks) == Some(Leaving) {
                                until.get_or_insert(Instant::now() + LEAVING);
                                left.take().into_iter().for_each(|left| drop(left.send(Leaving)));
                            }
                            continue;
                        }
                        // Pongs are answered below us.
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_))) => continue,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                    }
                }
                Some((ack, room)) = ready.recv() => (Message::text(ack), Some(room)),
                _ = ping.tick() => {
                    let now = Instant::now();
                    if now.duration_since(heard) > 2 * PING || until.is_some_and(|until| now > until) {
                        break;
                    }
                    (Message::Ping(Vec::new().into()), None)
                }
            };
            if !matches!(timeout(PING, socket.send(out)).await, Ok(Ok(()))) {
                break;
            }
        }
        tracing::debug!("the socket to slack is gone");
    }

    /// Opens a connection; Slack has said hello on it.
    async fn open(&self) -> Result<Socket, String> {
        let answer = self.api.post(SOCKET, &json!({})).await.map_err(|error| error.to_string())?;
        let url = answer["url"].as_str().ok_or("no address for a socket")?;
        // The address holds a ticket: it is not shown.
        // An acknowledgement leaves at once: one frame does not wait until the one before it is acknowledged below us.
        let connecting = connect_async_with_config(url, None, true);
        let (mut socket, _) = connecting.await.map_err(|_| "the connection failed".to_owned())?;
        while let Some(Ok(frame)) = socket.next().await {
            let text = frame.to_text().unwrap_or_default();
            if serde_json::from_str::<Value>(text).is_ok_and(|frame| frame["type"] == "hello") {
                tracing::debug!("slack says hello");
                return Ok(socket);
            }
        }
        Err("the connection ended at once".to_owned())
    }

    /// Takes a frame, and works on it without being waited for.
    fn frame(&self, text: &str, acks: &mpsc::UnboundedSender<Ready>) -> Option<Leaving> {
        let frame: Value = serde_json::from_str(text).ok()?;
        if frame["type"] == "disconnect" {
            // Slack recycles its connections every few hours, and says so.
            tracing::debug!(reason = frame["reason"].as_str(), "slack ends the connection");
            return Some(Leaving);
        }
        let envelope = frame["envelope_id"].as_str()?.to_owned();
        let Ok(room) = Arc::clone(&self.room).try_acquire_owned() else {
            tracing::warn!("slack sends more than can be taken; it will send it again");
            return None;
        };
        let incoming = incoming(&frame, &self.bot.me);
        // In the order of the frames, whichever task runs first.
        let queued = self.bot.queue(&incoming);
        let (bot, acks, answers) = (Arc::clone(&self.bot), acks.clone(), frame["accepts_response_payload"] == true);
        tokio::spawn(async move {
            let ack = match bot.receive_in_turn(incoming, queued).await {
                Ack::Never => return,
                Ack::With(payload) if answers => json!({"envelope_id": envelope, "payload": payload}),
                Ack::With(_) | Ack::Empty => json!({"envelope_id": envelope}),
            };
            // Where the connection is gone, Slack sends the frame again on another.
            let _ = acks.send((ack.to_string(), room));
        });
        None
    }
}

/// The pause after so many drops in a row.
fn backoff(drops: u32, jitter: u8) -> Duration {
    if drops <= 1 {
        return Duration::ZERO;
    }
    let longest = Duration::from_millis(250).saturating_mul(1 << (drops - 1).min(10)).min(LONGEST);
    longest.mul_f32(0.5 + f32::from(jitter) / 512.0)
}

/// A random number. Without randomness the pause is not jittered.
fn jitter() -> u8 {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_or(0, |()| byte[0])
}

/// What is in an envelope.
fn incoming(frame: &Value, me: &str) -> Incoming {
    let payload = &frame["payload"];
    match frame["type"].as_str().unwrap_or_default() {
        "events_api" => translate::event(payload, me),
        "interactive" => translate::interaction(payload),
        "slash_commands" => translate::command(payload),
        _ => Incoming::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound() {
        assert_eq!([backoff(0, 255), backoff(1, 255)], [Duration::ZERO; 2]);
        for drops in 2..100 {
            let (least, most) = (backoff(drops, 0), backoff(drops, 255));
            assert!(least < most && most <= LONGEST, "{drops}: {least:?} {most:?}");
        }
        assert!(backoff(50, 0) >= LONGEST / 2);
    }
}
