//! The gateway: events in their order, stored before they count as received.
//!
//! A connection is kept alive by its own task, which waits for nothing else; what it hears is taken in by another
//! (`taking`). The session and the number up to which all events are stored are noted, so that a restart goes on where the
//! last one stopped. Where Discord has forgotten the session, the channels where somebody fills in a form are read again
//! (`missed`).

mod heard;
mod missed;
mod taking;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use formwright_chat::AdapterError;
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinError;
use twilight_gateway::error::ReceiveMessageErrorType;
use twilight_gateway::queue::InMemoryQueue;
use twilight_gateway::{Config, ConfigBuilder, Intents, Message, Session, Shard, ShardId};

use crate::api::Call;
use crate::intake::notes;
use crate::receive::away::{back, is_declined};
use crate::receive::backoff::backoff;
use crate::receive::frame::{Frame, WAITING};
use crate::receive::live::Live;
use crate::{limits, translate};

/// What Discord asks of whoever connects.
struct Plan {
    /// Where the gateway is; none for Discord's own.
    url: Option<String>,
    shards: u32,
    /// Who may identify when.
    queue: InMemoryQueue,
}

/// How a connection ended.
enum Ended {
    /// At the stop.
    Stopped,
    /// More came than could be stored.
    Behind,
}

/// Serves all connections that Discord asks for until the stop.
///
/// # Errors
/// [`AdapterError`] when Discord refuses the bot.
pub(crate) async fn serve(live: Arc<Live>, stop: watch::Receiver<bool>) -> Result<(), AdapterError> {
    let Plan { url, shards, queue } = plan(&live, stop.clone()).await;
    let mut intents = Intents::GUILDS | Intents::GUILD_MESSAGES | Intents::DIRECT_MESSAGES;
    if live.intake.me.reads {
        intents |= Intents::MESSAGE_CONTENT;
    }
    let config = ConfigBuilder::new(live.intake.settings.token.expose().trim().to_owned(), intents).queue(queue);
    let config = match &url {
        Some(url) => config.proxy_url(url.trim_end_matches('/').to_owned()).build(),
        None => config.build(),
    };
    let mut running = tokio::task::JoinSet::new();
    for no in 0..shards {
        running.spawn(led(Arc::clone(&live), config.clone(), (no, shards), stop.clone()));
    }
    while let Some(ended) = running.join_next().await {
        ended.map_err(|error| broken("a connection", error))??;
    }
    Ok(())
}

/// Where the gateway is, how many connections it asks for, and how many of them may identify at once.
async fn plan(live: &Live, mut stop: watch::Receiver<bool>) -> Plan {
    let own = Some(live.intake.settings.gateway_url.clone()).filter(|url| !url.is_empty());
    let mut tries = 0;
    loop {
        match live.rest.call(Call::gateway(), None).await {
            Ok(answer) => {
                let shards = answer["shards"].as_u64().and_then(|no| u32::try_from(no).ok()).unwrap_or(1);
                let url = own.or_else(|| translate::text(&answer["url"]));
                return Plan { url, shards: shards.max(1), queue: queue(&answer["session_start_limit"]) };
            }
            Err(_) if own.is_some() => return Plan { url: own, shards: 1, queue: InMemoryQueue::default() },
            Err(error) => tracing::warn!(%error, "discord: the gateway's address is not known yet"),
        }
        tries += 1;
        tokio::select! {
            () = tokio::time::sleep(backoff(tries)) => {}
            _ = stop.changed() => return Plan { url: own, shards: 1, queue: InMemoryQueue::default() },
        }
    }
}

/// The queue that Discord's limits of new sessions ask for. What they leave out is what small bots get.
fn queue(limits: &Value) -> InMemoryQueue {
    let number = |name: &str| limits[name].as_u64().and_then(|no| u32::try_from(no).ok());
    let at_once = limits["max_concurrency"].as_u64().and_then(|no| u16::try_from(no).ok()).unwrap_or(1);
    let total = number("total").unwrap_or(1000);
    let remaining = number("remaining").unwrap_or(total).min(total);
    let reset = Duration::from_millis(limits["reset_after"].as_u64().unwrap_or(86_400_000));
    InMemoryQueue::new(at_once.max(1), remaining, reset, total)
}

/// Serves a connection whenever this replica leads it, until the stop: Discord gives each to one.
async fn led(
    live: Arc<Live>,
    config: Config,
    (no, all): (u32, u32),
    mut stop: watch::Receiver<bool>,
) -> Result<(), AdapterError> {
    let name = format!("discord {} {no}", live.intake.me.application);
    while !*stop.borrow() {
        let lost = tokio::select! {
            lost = live.intake.host.lead(&name) => lost,
            _ = stop.wait_for(|stop| *stop) => return Ok(()),
        };
        let (end, ended) = watch::channel(false);
        // While nothing can be kept no replica may have it; whoever writes is told so.
        let lost = async {
            lost.await;
            let _ = tokio::time::timeout(limits::WHILE_AWAY, back(&live)).await;
        };
        let mut serving = std::pin::pin!(shard(Arc::clone(&live), config.clone(), (no, all), ended));
        tokio::select! {
            served = &mut serving => return served,
            () = lost => {}
            _ = stop.wait_for(|stop| *stop) => {}
        }
        end.send_replace(true);
        serving.await?;
    }
    Ok(())
}

async fn shard(
    live: Arc<Live>,
    config: Config,
    (no, all): (u32, u32),
    stop: watch::Receiver<bool>,
) -> Result<(), AdapterError> {
    loop {
        let known = recall(&live, no, stop.clone()).await;
        let mut builder = ConfigBuilder::from(config.clone());
        if let Some(known) = &known {
            builder = builder.session(Session::new(known.sequence, known.id.clone()));
            if let Some(url) = &known.url {
                builder = builder.resume_url(url.clone());
            }
        }
        let shard = Shard::with_config(ShardId::new(no, all), builder.build());
        let (heard, frames) = mpsc::channel(WAITING);
        let taking = tokio::spawn(taking::take_in(Arc::clone(&live), no, known.is_some(), frames, stop.clone()));
        let ended = listen(&live, shard, heard, stop.clone()).await;
        // What was heard is still stored.
        taking.await.map_err(|error| broken("taking in", error))?;
        match ended? {
            Ended::Stopped => return Ok(()),
            Ended::Behind => {
                tracing::warn!("discord: more came than could be stored; the connection is taken up again");
            }
        }
    }
}

async fn recall(live: &Live, no: u32, mut stop: watch::Receiver<bool>) -> Option<notes::Session> {
    let mut tries = 0;
    loop {
        match live.intake.notes.session(no).await {
            Ok(known) => return known,
            Err(error) => tracing::warn!(%error, "discord: the gateway's session cannot be read yet"),
        }
        tries += 1;
        tokio::select! {
            () = tokio::time::sleep(backoff(tries)) => {}
            _ = stop.changed() => return None,
        }
    }
}

/// Keeps the connection, and passes on what comes over it. Nothing here waits but for the next frame: heartbeats are sent
/// while it is waited for.
async fn listen(
    live: &Arc<Live>,
    mut shard: Shard,
    heard: mpsc::Sender<Frame>,
    mut stop: watch::Receiver<bool>,
) -> Result<Ended, AdapterError> {
    let mut failed = 0;
    loop {
        let next = tokio::select! {
            next = shard.next() => next,
            // Dropped without a farewell, so that Discord keeps the session for the next start.
            _ = stop.changed() => return Ok(Ended::Stopped),
        };
        match next {
            Some(Ok(Message::Text(text))) => {
                failed = 0;
                let Some(frame) = frame(&text, &shard) else { continue };
                if live.away.load(Ordering::Relaxed) && is_declined(live, &frame) {
                    continue;
                }
                match heard.try_send(frame) {
                    Ok(()) => {}
                    Err(TrySendError::Full(_)) => return Ok(Ended::Behind),
                    Err(TrySendError::Closed(_)) => return Ok(Ended::Stopped),
                }
            }
            Some(Ok(Message::Close(frame))) => {
                let code = frame.map(|frame| frame.code);
                tracing::debug!(code, "discord: the gateway closed the connection");
                if let Some(error) = code.and_then(fatal) {
                    return Err(error);
                }
            }
            // What is in it may be a person's words: it is not shown, and the connection is as good as before.
            Some(Err(error)) if matches!(error.kind(), ReceiveMessageErrorType::Deserializing { .. }) => {
                tracing::warn!("discord: a frame of the gateway cannot be read");
            }
            Some(Err(error)) => {
                failed += 1;
                tracing::warn!(%error, "discord: the gateway is not reached");
                tokio::select! {
                    () = tokio::time::sleep(backoff(failed)) => {}
                    _ = stop.changed() => return Ok(Ended::Stopped),
                }
            }
            None => return Err(AdapterError::lacking("discord: the gateway refuses the connection")),
        }
    }
}

/// What the operator must do about a close code after which no connection is of use.
fn fatal(code: u16) -> Option<AdapterError> {
    let words = match code {
        4004 => "discord: the token is not valid: reset it in the developer portal under “Bot” and set discord.token",
        4010 | 4011 => "discord: the gateway asks for another number of connections: start again",
        4012 => "discord: the gateway no longer speaks this version",
        4013 | 4014 => {
            "discord: the Message Content intent is not granted: switch it on in the developer portal under “Bot”, \
             “Privileged Gateway Intents”"
        }
        _ => return None,
    };
    Some(AdapterError::refused(words, Closed(code)))
}

/// The connection was closed by Discord.
#[derive(Debug, thiserror::Error)]
#[error("the gateway closed the connection with code {0}")]
struct Closed(u16);

/// A task of the adapter's ended that never should.
fn broken(what: &str, error: JoinError) -> AdapterError {
    AdapterError::broken(format!("discord: {what} ended by itself: {error}"), error)
}

fn frame(text: &str, shard: &Shard) -> Option<Frame> {
    let mut raw: Value = serde_json::from_str(text).ok()?;
    let session = shard.session().map(|session| (session.id().to_owned(), shard.resume_url().map(str::to_owned)));
    Some(Frame { event: raw["t"].as_str()?.to_owned(), sequence: raw["s"].as_u64()?, data: raw["d"].take(), session })
}
