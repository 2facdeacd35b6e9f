//! Taking in what was heard: people side by side, and what one person did in its order.
//!
//! Nothing here asks the network before an event is stored, except for the channel of a thread that nobody has told of yet,
//! and then only the person who wrote there waits.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

use super::heard::{heard, message};
use super::missed::backfill;
use crate::intake::notes;
use crate::receive::away::is_declined;
use crate::receive::backoff::backoff;
use crate::receive::frame::{Frame, WAITING};
use crate::receive::give::give;
use crate::receive::live::Live;
use crate::translate;

/// How often the number of events that concern nobody is noted.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// Takes in what was heard, until nothing more comes and all of it is stored.
pub(super) async fn take_in(
    live: Arc<Live>,
    shard: u32,
    resumes: bool,
    mut frames: mpsc::Receiver<Frame>,
    stop: watch::Receiver<bool>,
) {
    let mut taking = Taking::new(live, shard, resumes, stop);
    let mut closed = false;
    loop {
        tokio::select! {
            frame = frames.recv(), if !closed && taking.open.len() < WAITING => match frame {
                Some(frame) => taking.take(frame),
                None => closed = true,
            },
            Some(done) = taking.running.join_next() => taking.ended(done),
            else => break,
        }
        taking.note(closed);
    }
}

/// Events in hand.
struct Taking {
    live: Arc<Live>,
    shard: u32,
    /// A session was taken up, or would have been.
    resumes: bool,
    stop: watch::Receiver<bool>,
    running: JoinSet<Done>,
    /// By person, what waits behind the one event of theirs that is being stored.
    lanes: BTreeMap<String, VecDeque<(u64, Frame)>>,
    /// Messages that wait until those missed before them are read.
    held: Vec<(String, u64, Frame)>,
    /// From the oldest event that is not stored.
    open: VecDeque<Open>,
    /// The number of the first of them.
    first: u64,
    /// Up to where everything is stored, where that is not noted yet.
    reached: Option<notes::Session>,
    mattered: bool,
    noting: bool,
    noted: Instant,
}

/// An event that counts as received once it and all before it are stored.
struct Open {
    session: Option<notes::Session>,
    /// Whether it was of any use, once it is stored.
    stored: Option<bool>,
}

/// What has ended.
enum Done {
    /// The work on an event; none where the stop came first.
    Event { no: u64, lane: String, mattered: Option<bool> },
    /// How far everything is stored was noted.
    Noted,
}

/// The lane of what was missed: nobody's own.
const MISSED: &str = "";

impl Taking {
    fn new(live: Arc<Live>, shard: u32, resumes: bool, stop: watch::Receiver<bool>) -> Self {
        Self {
            live,
            shard,
            resumes,
            stop,
            running: JoinSet::new(),
            lanes: BTreeMap::new(),
            held: Vec::new(),
            open: VecDeque::new(),
            first: 0,
            reached: None,
            mattered: false,
            noting: false,
            noted: Instant::now(),
        }
    }

    fn take(&mut self, frame: Frame) {
        let no = self.first + u64::try_from(self.open.len()).unwrap_or_default();
        let session = frame.session.clone();
        let session = session.map(|(id, url)| notes::Session { id, sequence: frame.sequence, url });
        self.open.push_back(Open { session, stored: None });
        match frame.event.as_str() {
            "READY" if self.resumes => {
                tracing::info!("discord: the session is new; reading again where forms are being filled in");
            }
            "READY" | "RESUMED" => {}
            event => self.live.learn_parents(event, &frame.data),
        }
        if matches!(frame.event.as_str(), "READY" | "RESUMED") {
            self.live.announce();
            self.resumes = true;
        }
        match lane(&frame) {
            None => self.stored(no, frame.event == "RESUMED"),
            // A person's messages keep their order; presses have no time to wait.
            Some(lane) if frame.event.starts_with("MESSAGE") && self.lanes.contains_key(MISSED) => {
                self.held.push((lane, no, frame));
            }
            Some(lane) => self.queue(lane, no, frame),
        }
    }

    fn queue(&mut self, lane: String, no: u64, frame: Frame) {
        match self.lanes.get_mut(&lane) {
            Some(waiting) => waiting.push_back((no, frame)),
            None => {
                self.lanes.insert(lane.clone(), VecDeque::new());
                self.start(lane, no, frame);
            }
        }
    }

    fn start(&mut self, lane: String, no: u64, frame: Frame) {
        let (live, mut stop) = (Arc::clone(&self.live), self.stop.clone());
        self.running.spawn(async move {
            let mattered = until_stored(&live, &frame, &mut stop).await;
            Done::Event { no, lane, mattered }
        });
    }

    fn ended(&mut self, done: Result<Done, JoinError>) {
        match done {
            Ok(Done::Event { no, lane, mattered }) => {
                // After the stop nothing else is begun.
                let Some(mattered) = mattered else { return };
                self.stored(no, mattered);
                match self.lanes.get_mut(&lane).and_then(VecDeque::pop_front) {
                    Some((next, frame)) => self.start(lane, next, frame),
                    None => drop(self.lanes.remove(&lane)),
                }
                if !self.lanes.contains_key(MISSED) {
                    for (lane, no, frame) in std::mem::take(&mut self.held) {
                        self.queue(lane, no, frame);
                    }
                }
            }
            Ok(Done::Noted) => self.noting = false,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(error) => tracing::warn!(%error, "discord: an event was not taken in"),
        }
    }

    fn stored(&mut self, no: u64, mattered: bool) {
        let at = usize::try_from(no.saturating_sub(self.first)).unwrap_or(usize::MAX);
        if let Some(open) = self.open.get_mut(at) {
            open.stored = Some(mattered);
        }
        while let Some(Open { stored: Some(mattered), .. }) = self.open.front() {
            self.mattered |= mattered;
            self.first += 1;
            let session = self.open.pop_front().and_then(|open| open.session);
            self.reached = session.or(self.reached.take());
        }
    }

    /// Notes how far everything is stored, where it is worth it.
    fn note(&mut self, last: bool) {
        let due = self.mattered || last || self.noted.elapsed() > NOTE_EVERY;
        if self.noting || !due {
            return;
        }
        let Some(session) = self.reached.take() else { return };
        (self.noting, self.mattered, self.noted) = (true, false, Instant::now());
        let (live, shard) = (Arc::clone(&self.live), self.shard);
        self.running.spawn(async move {
            if let Err(error) = live.intake.notes.keep_session(shard, Some(&session)).await {
                tracing::debug!(%error, "discord: the gateway's session is noted later");
            }
            Done::Noted
        });
    }
}

/// Whose event it is; none where it is nothing to be stored.
fn lane(frame: &Frame) -> Option<String> {
    let data = &frame.data;
    let id = |user: &Value| translate::text(&user["id"]);
    match frame.event.as_str() {
        "READY" => Some(MISSED.to_owned()),
        "INTERACTION_CREATE" => id(&data["member"]["user"]).or_else(|| id(&data["user"])),
        "MESSAGE_CREATE" | "MESSAGE_UPDATE" => id(&data["author"]),
        _ => None,
    }
}

/// Takes in an event, again and again while the store is down. Tells whether it was one that matters; none at the stop.
async fn until_stored(live: &Arc<Live>, frame: &Frame, stop: &mut watch::Receiver<bool>) -> Option<bool> {
    let mut tries = 0;
    loop {
        let done = match frame.event.as_str() {
            "READY" => backfill(live, stop.clone()).await.map(|()| true),
            "INTERACTION_CREATE" => {
                interaction(live, &frame.data).await;
                return Some(true);
            }
            "MESSAGE_UPDATE" => heard(live, translate::edit(&frame.data, &live.intake.me.user)).await,
            _ => message(live, &frame.data, None).await,
        };
        match done {
            Ok(mattered) => {
                // What is nobody's business says nothing about the store.
                if mattered || tries > 0 {
                    live.away.store(false, Ordering::Relaxed);
                }
                return Some(mattered);
            }
            Err(error) => {
                live.away.store(true, Ordering::Relaxed);
                tracing::warn!(%error, "discord: an event waits to be stored");
            }
        }
        is_declined(live, frame);
        tries += 1;
        tokio::select! {
            () = tokio::time::sleep(backoff(tries)) => {}
            _ = stop.changed() => return None,
        }
    }
}

async fn interaction(live: &Arc<Live>, raw: &Value) {
    if let Some(answer) = live.intake.interaction(raw, Timestamp::now()).await {
        give(live, raw, answer);
    }
}
