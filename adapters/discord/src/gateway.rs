//! The gateway: events in their order, stored before they count as received.
//!
//! A connection is kept alive by its own task, which never waits for the store; what it hears is taken in by another. The
//! session and the number of the last stored event are noted, so that a restart goes on where the last one stopped.
//! Where Discord has forgotten the session, the channels where somebody fills in a form are read again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chat::HostError;
use formwright_chat as chat;
use futures_util::StreamExt as _;
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use twilight_gateway::{Config, ConfigBuilder, Intents, Message, Session, Shard, ShardId};

use crate::away::{back, is_declined};
use crate::intake::{Answer, Taken};
use crate::rest::{Call, RestError};
use crate::send::Sender;
use crate::translate;
use crate::{Live, backoff};
use crate::{limits, notes};

/// Something heard on the gateway.
pub(crate) struct Frame {
    /// The event's name.
    pub(crate) event: String,
    /// Its number.
    sequence: u64,
    /// What it holds.
    pub(crate) data: Value,
    /// The connection it came over, if it can be taken up again.
    session: Option<(String, Option<String>)>,
}

/// Events heard and not yet stored; beyond that the connection waits.
const WAITING: usize = 2000;

/// Serves all connections that Discord asks for until the stop.
///
/// # Errors
/// A sentence for the operator when Discord refuses the bot.
pub(crate) async fn serve(live: Arc<Live>, stop: watch::Receiver<bool>) -> Result<(), String> {
    let (url, shards) = plan(&live, stop.clone()).await;
    let mut intents = Intents::GUILDS | Intents::GUILD_MESSAGES | Intents::DIRECT_MESSAGES;
    if live.intake.me.reads {
        intents |= Intents::MESSAGE_CONTENT;
    }
    let config = ConfigBuilder::new(live.intake.settings.token.expose().trim().to_owned(), intents);
    let config = match &url {
        Some(url) => config.proxy_url(url.trim_end_matches('/').to_owned()).build(),
        None => config.build(),
    };
    let mut running = tokio::task::JoinSet::new();
    for no in 0..shards {
        running.spawn(led(Arc::clone(&live), config.clone(), (no, shards), stop.clone()));
    }
    while let Some(ended) = running.join_next().await {
        ended.map_err(|error| format!("discord: a connection ended by itself: {error}"))??;
    }
    Ok(())
}

/// Where the gateway is, and how many connections it asks for.
async fn plan(live: &Live, mut stop: watch::Receiver<bool>) -> (Option<String>, u32) {
    let own = Some(live.intake.settings.gateway_url.clone()).filter(|url| !url.is_empty());
    let mut tries = 0;
    loop {
        match live.rest.call(Call::gateway(), None).await {
            Ok(answer) => {
                let shards = answer["shards"].as_u64().and_then(|no| u32::try_from(no).ok()).unwrap_or(1);
                return (own.or_else(|| translate::text(&answer["url"])), shards.clamp(1, 64));
            }
            Err(_) if own.is_some() => return (own, 1),
            Err(error) => tracing::warn!(%error, "discord: the gateway's address is not known yet"),
        }
        tries += 1;
        tokio::select! {
            () = tokio::time::sleep(backoff(tries)) => {}
            _ = stop.changed() => return (own, 1),
        }
    }
}

/// Serves a connection whenever this replica leads it, until the stop: Discord gives each to one.
async fn led(
    live: Arc<Live>,
    config: Config,
    (no, all): (u32, u32),
    mut stop: watch::Receiver<bool>,
) -> Result<(), String> {
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
) -> Result<(), String> {
    let known = recall(&live, no, stop.clone()).await;
    let mut builder = ConfigBuilder::from(config);
    if let Some(known) = &known {
        builder = builder.session(Session::new(known.sequence, known.id.clone()));
        if let Some(url) = &known.url {
            builder = builder.resume_url(url.clone());
        }
    }
    let shard = Shard::with_config(ShardId::new(no, all), builder.build());
    let (heard, frames) = mpsc::channel(WAITING);
    let taking = tokio::spawn(take_in(Arc::clone(&live), no, known, frames, stop.clone()));
    let ended = listen(&live, shard, heard, stop).await;
    // What was heard is still stored.
    taking.await.map_err(|error| format!("discord: taking in ended by itself: {error}"))?;
    ended
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

/// Keeps the connection, and passes on what comes over it.
async fn listen(
    live: &Arc<Live>,
    mut shard: Shard,
    heard: mpsc::Sender<Frame>,
    mut stop: watch::Receiver<bool>,
) -> Result<(), String> {
    let mut failed = 0;
    loop {
        let next = tokio::select! {
            next = shard.next() => next,
            // Dropped without a farewell, so that Discord keeps the session for the next start.
            _ = stop.changed() => return Ok(()),
        };
        match next {
            Some(Ok(Message::Text(text))) => {
                failed = 0;
                let Some(frame) = frame(&text, &shard) else { continue };
                if live.away.load(Ordering::Relaxed) && is_declined(live, &frame) {
                    continue;
                }
                if heard.send(frame).await.is_err() {
                    return Ok(());
                }
            }
            Some(Ok(Message::Close(frame))) => {
                let code = frame.map(|frame| frame.code);
                tracing::debug!(code, "discord: the gateway closed the connection");
                if let Some(why) = code.and_then(fatal) {
                    return Err(why.to_owned());
                }
            }
            Some(Err(error)) => {
                failed += 1;
                tracing::warn!(%error, "discord: the gateway is not reached");
                tokio::select! {
                    () = tokio::time::sleep(backoff(failed)) => {}
                    _ = stop.changed() => return Ok(()),
                }
            }
            None => return Err("discord: the gateway refuses the connection".to_owned()),
        }
    }
}

/// What the operator must do about a close code after which no connection is of use.
fn fatal(code: u16) -> Option<&'static str> {
    Some(match code {
        4004 => "discord: the token is not valid: reset it in the developer portal under “Bot” and set discord.token",
        4010 | 4011 => "discord: the gateway asks for another number of connections: start again",
        4012 => "discord: the gateway no longer speaks this version",
        4013 | 4014 => {
            "discord: the Message Content intent is not granted: switch it on in the developer portal under “Bot”, \
             “Privileged Gateway Intents”"
        }
        _ => return None,
    })
}

fn frame(text: &str, shard: &Shard) -> Option<Frame> {
    let mut raw: Value = serde_json::from_str(text).ok()?;
    let session = shard.session().map(|session| (session.id().to_owned(), shard.resume_url().map(str::to_owned)));
    Some(Frame { event: raw["t"].as_str()?.to_owned(), sequence: raw["s"].as_u64()?, data: raw["d"].take(), session })
}

/// How often the number of events that concern nobody is noted.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// Takes in what was heard, one event after the other.
async fn take_in(
    live: Arc<Live>,
    no: u32,
    known: Option<notes::Session>,
    mut frames: mpsc::Receiver<Frame>,
    mut stop: watch::Receiver<bool>,
) {
    let mut noted = known;
    let mut last = tokio::time::Instant::now();
    while let Some(frame) = frames.recv().await {
        if frame.event == "READY" && noted.is_some() {
            tracing::info!("discord: the session is new; reading again where forms are being filled in");
        }
        let mattered = until_stored(&live, &frame, &mut stop).await;
        let Some(mattered) = mattered else { return };
        let Some((id, url)) = frame.session else { continue };
        let session = notes::Session { id, sequence: frame.sequence, url };
        if mattered || last.elapsed() > NOTE_EVERY || frames.is_closed() {
            last = tokio::time::Instant::now();
            if let Err(error) = live.intake.notes.keep_session(no, Some(&session)).await {
                tracing::debug!(%error, "discord: the gateway's session is noted later");
            }
        }
        noted = Some(session);
    }
}

/// Takes in an event, again and again while the store is down. Tells whether it was one that matters; none at the stop.
async fn until_stored(live: &Arc<Live>, frame: &Frame, stop: &mut watch::Receiver<bool>) -> Option<bool> {
    let mut tries = 0;
    if matches!(frame.event.as_str(), "READY" | "RESUMED") {
        live.announce();
    }
    loop {
        let done = match frame.event.as_str() {
            "READY" => backfill(live, stop.clone()).await.map(|()| true),
            "RESUMED" => Ok(true),
            "INTERACTION_CREATE" => {
                interaction(live, &frame.data).await;
                Ok(true)
            }
            "MESSAGE_CREATE" => message(live, &frame.data, None).await,
            _ => Ok(false),
        };
        live.away.store(done.is_err(), Ordering::Relaxed);
        match done {
            Ok(mattered) => return Some(mattered),
            Err(error) => tracing::warn!(%error, "discord: an event waits to be stored"),
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

/// Gives the answer to an interaction.
pub(crate) fn give(live: &Arc<Live>, raw: &Value, answer: Answer) {
    let (Some(id), Some(token)) = (translate::text(&raw["id"]), translate::text(&raw["token"])) else { return };
    let live = Arc::clone(live);
    // The next event need not wait for Discord.
    tokio::spawn(async move {
        let Ok(call) = Call::answer(&id, &token) else { return };
        match live.rest.call(call, Some(&answer.body)).await {
            Ok(_) => {
                if let Some((nonce, message)) = &answer.bared {
                    crate::send::bared(&live.intake, nonce, message).await;
                }
            }
            // Stored all the same: the next reply takes the widget away.
            Err(error) => tracing::debug!(%error, "discord: an interaction was not answered"),
        }
    });
}

async fn message(live: &Arc<Live>, raw: &Value, guild: Option<&str>) -> Result<bool, HostError> {
    let Some(mut heard) = translate::message(raw, guild, &live.intake.me.user) else { return Ok(false) };
    if live.intake.settings.names_channels()
        && !live.intake.settings.allows(&heard.who, None)
        && (heard.addressed || live.intake.is_asked(&heard).await?)
    {
        let channel = heard.who.place.channel.clone();
        if let Ok(call) = Call::channel(&channel)
            && let Ok(channel) = live.rest.call(call, None).await
        {
            heard.who.parent = translate::text(&channel["parent_id"]);
        }
    }
    let (place, id) = (heard.who.place.clone(), heard.id.clone());
    let taken = live.intake.message(heard, Timestamp::now()).await?;
    let mattered = taken != Taken::NotMeant;
    let live = Arc::clone(live);
    match taken {
        Taken::NotMeant => {}
        Taken::Stored { exposed } => {
            tokio::spawn(async move {
                if exposed && let Ok(call) = Call::delete(&place.channel, &id) {
                    // Needs the permission to manage messages; without it the person sees their own words stay.
                    if let Err(error) = live.rest.call(call, None).await {
                        tracing::warn!(%error, "discord: a secret answer in a channel could not be deleted");
                    }
                }
                if let Ok(call) = Call::typing(&place.channel) {
                    let _ = live.rest.call(call, None).await;
                }
            });
        }
        Taken::Declined(words) => {
            tokio::spawn(async move {
                Sender { intake: &live.intake, rest: &live.rest }.decline(&place, &id, &words).await;
            });
        }
    }
    Ok(mattered)
}

/// Reads what was written while nobody listened, in the channels where somebody fills in a form.
async fn backfill(live: &Arc<Live>, mut stop: watch::Receiver<bool>) -> Result<(), HostError> {
    let mut tries = 0;
    for (channel, known) in live.intake.notes.watched().await?.0 {
        let mut after = known.after;
        while let Ok(call) = Call::history(&channel, &after) {
            let mut page = match live.rest.call(call, None).await {
                Ok(Value::Array(page)) => page,
                Ok(_) => break,
                Err(error @ RestError::Refused { .. }) => {
                    tracing::warn!(%error, "discord: a channel could not be read again");
                    break;
                }
                Err(error) => {
                    tracing::warn!(%error, "discord: a channel is read again later");
                    tries += 1;
                    tokio::select! {
                        () = tokio::time::sleep(backoff(tries)) => continue,
                        // What is not read now would never be: the session is not noted, and the next start reads again.
                        _ = stop.wait_for(|stop| *stop) => return Err(HostError::Unavailable(error.to_string())),
                    }
                }
            };
            let id = |message: &Value| message["id"].as_str().and_then(|id| id.parse::<u64>().ok()).unwrap_or_default();
            page.sort_by_key(id);
            for raw in &page {
                message(live, raw, Some(&known.guild)).await?;
            }
            let full = page.len() >= crate::limits::HISTORY;
            match page.last().and_then(|last| last["id"].as_str()).filter(|_| full) {
                Some(newest) => after = newest.to_owned(),
                None => break,
            }
        }
    }
    Ok(())
}
