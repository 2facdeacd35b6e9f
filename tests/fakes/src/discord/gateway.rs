//! The gateway: hello, identify, heartbeats, events, resume, and every way in which a connection ends.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::json as draw;
use super::sessions::{News, Order, Session};
use super::world::{BOT, GUILD, State, World};
use crate::websocket::{CloseFrame, Message as Frame, Socket};

/// Intents that exist.
const INTENTS: u64 = ((1 << 17) - 1) | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);
/// Members of servers, presences: not granted to this bot.
const PRIVILEGED: u64 = 1 << 1 | 1 << 8;
const GUILDS: u64 = 1;
const GUILD_MESSAGES: u64 = 1 << 9;
const DIRECT_MESSAGES: u64 = 1 << 12;
const MESSAGE_CONTENT: u64 = 1 << 15;

/// Tells every session that asked for it.
pub(super) fn publish(state: &mut State, news: News) {
    if let Some(held) = &mut state.gateway.held {
        held.push(news);
        return;
    }
    state.gateway.told.push(news.clone());
    let ids: Vec<String> = state.sessions.keys().cloned().collect();
    for id in ids {
        let Some((intents, shard)) = state.sessions.get(&id).map(|session| (session.intents, session.shard)) else {
            continue;
        };
        if let Some((name, data)) = event(state, &news, intents).filter(|(_, data)| belongs(data, shard)) {
            send(state, &id, name, data);
        }
    }
}

/// Events of a server go to the shard that its id says, all others to the first.
fn belongs(data: &Value, (no, all): (u64, u64)) -> bool {
    let guild = data["guild_id"].as_str().and_then(|id| id.parse::<u64>().ok());
    guild.map_or(0, |guild| (guild >> 22) % all) == no
}

fn event(state: &State, news: &News, intents: u64) -> Option<(&'static str, Value)> {
    let asked = |channel: u64| {
        let wanted = if state.is_direct(channel) { DIRECT_MESSAGES } else { GUILD_MESSAGES };
        let sees = state.channels.get(&channel).is_some_and(|channel| !channel.hidden);
        sees && intents & wanted != 0
    };
    let reads = intents & MESSAGE_CONTENT != 0;
    Some(match news {
        News::Written(id) | News::Changed(id) => {
            let message = state.messages.iter().find(|message| message.id == *id)?;
            if message.only_for.is_some() || !asked(message.channel) {
                return None;
            }
            let name = if matches!(news, News::Written(_)) { "MESSAGE_CREATE" } else { "MESSAGE_UPDATE" };
            (name, draw::event(state, message, reads))
        }
        News::Deleted(id, channel) if asked(*channel) => {
            let mut gone = json!({"id": id.to_string(), "channel_id": channel.to_string()});
            if !state.is_direct(*channel) {
                gone["guild_id"] = GUILD.to_string().into();
            }
            ("MESSAGE_DELETE", gone)
        }
        News::Deleted(..) => return None,
        News::Interaction(payload) => ("INTERACTION_CREATE", payload.clone()),
    })
}

fn send(state: &mut State, session: &str, name: &str, data: Value) {
    let Some(session) = state.sessions.get_mut(session) else { return };
    session.sequence += 1;
    let frame = json!({"op": 0, "t": name, "s": session.sequence, "d": data});
    session.sent.push((session.sequence, frame.clone()));
    if let Some(connection) = &session.connection {
        // A connection that is gone leaves the frame for a resume.
        let _ = connection.send(Order::Send(frame));
    }
}

/// A connection, from hello to its end.
pub(super) async fn serve(world: std::sync::Arc<World>, socket: Socket, query: String) {
    let (tell, orders) = mpsc::unbounded_channel();
    world.change(|state| state.gateway.connections.push(tell.clone()));
    let beat = Instant::now();
    let mut connection =
        Connection { world, socket, orders, tell, session: None, beat, heard: Vec::new(), spoken: false };
    connection.hello(&query).await;
    let session = connection.session.take();
    connection.world.change(|state| {
        if let Some(session) = session.and_then(|id| state.sessions.get_mut(&id))
            && session.connection.as_ref().is_some_and(|known| known.same_channel(&connection.tell))
        {
            session.connection = None;
        }
        state.gateway.connections.retain(|known| !known.same_channel(&connection.tell));
    });
}

struct Connection {
    world: std::sync::Arc<World>,
    socket: Socket,
    orders: mpsc::UnboundedReceiver<Order>,
    tell: mpsc::UnboundedSender<Order>,
    session: Option<String>,
    beat: Instant,
    heard: Vec<Instant>,
    spoken: bool,
}

/// What becomes of a connection after a frame.
enum Then {
    Stay,
    Close(u16),
    Gone,
}

impl Connection {
    async fn hello(&mut self, query: &str) {
        if !query.split('&').any(|pair| pair == "v=10") {
            return self.close(4012).await;
        }
        if query.contains("compress=") || query.contains("encoding=etf") {
            self.world.refuse(format!("gateway: only plain JSON is spoken here, not {query}"));
            return self.close(4002).await;
        }
        let interval = u64::try_from(self.world.options.heartbeat.as_millis()).unwrap_or(u64::MAX);
        let hello = json!({"op": 10, "s": null, "t": null, "d": {"heartbeat_interval": interval, "_trace": ["fake"]}});
        if !self.write(hello).await {
            return;
        }
        loop {
            let patience = self.world.options.heartbeat.mul_f32(1.5) + Duration::from_secs(2);
            let then = tokio::select! {
                order = self.orders.recv() => match order {
                    Some(Order::Send(frame)) => if self.write(frame).await { Then::Stay } else { Then::Gone },
                    Some(Order::Close(code)) => Then::Close(code),
                    Some(Order::Drop) | None => Then::Gone,
                },
                frame = self.socket.recv() => match frame {
                    Some(Ok(frame)) => self.frame(frame).await,
                    Some(Err(_)) | None => Then::Gone,
                },
                () = tokio::time::sleep_until(self.beat + patience) => Then::Close(4009),
            };
            match then {
                Then::Stay => {}
                Then::Close(code) => return self.close(code).await,
                Then::Gone => return,
            }
        }
    }

    async fn frame(&mut self, frame: Frame) -> Then {
        let frame = match frame {
            Frame::Text(text) => serde_json::from_str::<Value>(text.as_str()),
            Frame::Binary(bytes) => serde_json::from_slice(&bytes),
            Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_) => return Then::Stay,
            Frame::Close(close) => {
                // A farewell ends the session; anything else leaves it to be resumed.
                if close.is_some_and(|close| matches!(u16::from(close.code), 1000 | 1001))
                    && let Some(session) = self.session.take()
                {
                    self.world.change(|state| state.sessions.remove(&session));
                }
                return Then::Gone;
            }
        };
        let now = Instant::now();
        self.heard.retain(|at| now.duration_since(*at) < Duration::from_secs(60));
        self.heard.push(now);
        let Ok(frame) = frame else { return self.fault(4002, "a frame that is no JSON") };
        if self.heard.len() > 120 {
            return self.fault(4008, "more than 120 frames in a minute");
        }
        if frame.to_string().len() > 4096 {
            return self.fault(4002, "a frame above 4096 bytes");
        }
        crate::record::record("discord", "WS", "/gateway", &[], &told(&frame));
        match frame["op"].as_u64() {
            Some(1) => self.heartbeat().await,
            Some(2) => self.identify(&frame["d"]).await,
            Some(6) => self.resume(&frame["d"]).await,
            Some(3 | 4 | 8 | 31) if self.session.is_some() => Then::Stay,
            Some(3 | 4 | 8 | 31) => self.fault(4003, "a frame before identify"),
            _ => self.fault(4001, "an unknown opcode"),
        }
    }

    fn fault(&self, code: u16, why: &str) -> Then {
        self.world.refuse(format!("gateway: {code}, {why}"));
        Then::Close(code)
    }

    async fn heartbeat(&mut self) -> Then {
        self.beat = Instant::now();
        let zombie = self.world.change(|state| {
            state.gateway.beats += 1;
            state.gateway.zombie
        });
        if zombie || self.write(json!({"op": 11, "s": null, "t": null, "d": null})).await {
            Then::Stay
        } else {
            Then::Gone
        }
    }

    async fn identify(&mut self, data: &Value) -> Then {
        if self.session.is_some() || self.spoken {
            return self.fault(4005, "identified twice");
        }
        self.spoken = true;
        let options = &self.world.options;
        if data["token"].as_str().map(|token| token.trim_start_matches("Bot ")) != Some(options.token.as_str()) {
            return self.fault(4004, "a token that is not valid");
        }
        let Some(intents) = data["intents"].as_u64().filter(|intents| intents & !INTENTS == 0) else {
            return self.fault(4013, "intents that do not exist");
        };
        let granted = if options.reads { 0 } else { MESSAGE_CONTENT };
        if intents & (PRIVILEGED | granted) != 0 {
            return self.fault(4014, "intents that are not granted");
        }
        for key in ["os", "browser", "device"] {
            if data["properties"][key].as_str().is_none() {
                return self.fault(4002, "identify without properties");
            }
        }
        let shard = match data["shard"].as_array().map(Vec::as_slice) {
            None => (0, 1),
            Some([no, all]) => (no.as_u64().unwrap_or(u64::MAX), all.as_u64().unwrap_or(0)),
            Some(_) => (1, 0),
        };
        if shard.0 >= shard.1 {
            return self.fault(4010, "a shard that does not exist");
        }
        let soon = self.world.change(|state| {
            let bucket = shard.0 % self.world.options.max_concurrency.max(1);
            let last = state.gateway.last_identify.insert(bucket, Instant::now());
            last.is_some_and(|last| last.elapsed() < self.world.options.identify_every)
        });
        if soon {
            self.world.refuse("gateway: identified again too soon".to_owned());
            self.spoken = false;
            return if self.invalid(false).await { Then::Stay } else { Then::Gone };
        }
        self.world.change(|state| self.session = Some(ready(&self.world, state, &self.tell, intents, shard)));
        Then::Stay
    }

    async fn resume(&mut self, data: &Value) -> Then {
        if self.session.is_some() || self.spoken {
            return self.fault(4005, "resumed when identified");
        }
        if data["token"].as_str().map(|token| token.trim_start_matches("Bot "))
            != Some(self.world.options.token.as_str())
        {
            return self.fault(4004, "a token that is not valid");
        }
        let (Some(id), Some(from)) = (data["session_id"].as_str(), data["seq"].as_u64()) else {
            return self.fault(4002, "resume without session or sequence");
        };
        let known = self.world.look(|state| state.sessions.get(id).map(|session| session.sequence));
        match known {
            None => return if self.invalid(false).await { Then::Stay } else { Then::Gone },
            Some(last) if from > last => {
                self.world.change(|state| state.sessions.remove(id));
                return self.fault(4007, "resumed after an event that was never sent");
            }
            Some(_) => {}
        }
        self.spoken = true;
        self.session = Some(id.to_owned());
        self.world.change(|state| {
            state.gateway.resumed += 1;
            let Some(session) = state.sessions.get_mut(id) else { return };
            if let Some(older) = session.connection.replace(self.tell.clone()) {
                let _ = older.send(Order::Close(4000));
            }
            for (_, frame) in session.sent.iter().filter(|(sequence, _)| *sequence > from) {
                let _ = self.tell.send(Order::Send(frame.clone()));
            }
            send(state, id, "RESUMED", json!({"_trace": ["fake"]}));
        });
        Then::Stay
    }

    async fn invalid(&mut self, resumable: bool) -> bool {
        self.write(json!({"op": 9, "s": null, "t": null, "d": resumable})).await
    }

    /// Writes a frame; a zombie writes nothing.
    async fn write(&mut self, frame: Value) -> bool {
        if self.world.look(|state| state.gateway.zombie) {
            return true;
        }
        self.socket.send(Frame::Text(frame.to_string().into())).await.is_ok()
    }

    async fn close(&mut self, code: u16) {
        if matches!(code, 4007 | 4009)
            && let Some(session) = self.session.take()
        {
            self.world.change(|state| state.sessions.remove(&session));
        }
        let close = CloseFrame { code: code.into(), reason: reason(code).into() };
        let _ = self.socket.send(Frame::Close(Some(close))).await;
        // The other side answers the farewell, or has gone already.
        let farewell = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        let _ = tokio::time::timeout(Duration::from_secs(1), farewell).await;
    }
}

fn ready(
    world: &World,
    state: &mut State,
    tell: &mpsc::UnboundedSender<Order>,
    intents: u64,
    shard: (u64, u64),
) -> String {
    let id = format!("{:032x}", state.id());
    state.gateway.identified += 1;
    let session = Session { intents, shard, sequence: 0, sent: Vec::new(), connection: Some(tell.clone()) };
    state.sessions.insert(id.clone(), session);
    let application = draw::application(world, state);
    let mut user = draw::user(state, BOT);
    user["verified"] = true.into();
    user["mfa_enabled"] = false.into();
    let data = json!({
        "v": 10, "user": user, "guilds": [{"id": GUILD.to_string(), "unavailable": true}], "session_id": id,
        "resume_gateway_url": format!("ws://{}/resume", world.address), "shard": [shard.0, shard.1],
        "application": {"id": application["id"], "flags": application["flags"]}, "session_type": "normal",
        "private_channels": [], "relationships": [], "user_settings": {}, "presences": [], "guild_join_requests": [],
        "geo_ordered_rtc_regions": [], "auth": {}, "_trace": ["fake"],
    });
    send(state, &id, "READY", data);
    if intents & GUILDS != 0 && belongs(&json!({"guild_id": GUILD.to_string()}), shard) {
        let of = |kind: u8| {
            let all = state.channels.iter().filter(move |(_, channel)| channel.kind == kind && !channel.hidden);
            all.map(|(id, _)| draw::channel(state, *id)).collect::<Vec<_>>()
        };
        let guild = json!({
            "id": GUILD.to_string(), "name": "Workshop", "channels": of(0), "threads": of(11), "members": [],
            "roles": [], "emojis": [], "unavailable": false, "large": false, "member_count": state.people.len(),
        });
        send(state, &id, "GUILD_CREATE", guild);
    }
    id
}

/// A frame without its token.
fn told(frame: &Value) -> Value {
    let mut frame = frame.clone();
    if frame["d"]["token"].is_string() {
        frame["d"]["token"] = "…".into();
    }
    frame
}

fn reason(code: u16) -> &'static str {
    match code {
        4001 => "Unknown opcode.",
        4002 => "Error while decoding payload.",
        4003 => "Not authenticated.",
        4004 => "Authentication failed.",
        4005 => "Already authenticated.",
        4007 => "Invalid seq.",
        4008 => "Rate limited.",
        4009 => "Session timed out.",
        4010 => "Invalid shard.",
        4011 => "Sharding required.",
        4012 => "Invalid API version.",
        4013 => "Invalid intent(s).",
        4014 => "Disallowed intent(s).",
        _ => "Unknown error.",
    }
}
