//! What goes wrong with Discord, on a test's word.

use std::time::Duration;

use serde_json::json;

use super::DiscordFake;
use super::gateway;
use super::sessions::Order;
use super::world::State;

/// What a request gets instead of its answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// 429 as Discord writes it: header, body, scope.
    Limited {
        /// Seconds to wait.
        after: f64,
        /// For everything, not only this route.
        global: bool,
    },
    /// 429 that does not say for how long.
    LimitedBare,
    /// 429 of the proxy in front, with a page for a body and whole seconds in the header.
    LimitedByProxy {
        /// Seconds to wait.
        after: u32,
    },
    /// A status, with a body that says no more.
    Status(u16),
    /// A refusal with one of Discord's codes.
    Refused(u16, u64),
    /// The connection breaks, and nothing was done.
    Drop,
    /// It is done, and the connection breaks before the answer arrives.
    Lost,
    /// It is done, after so long.
    Slow(Duration),
}

impl DiscordFake {
    /// The next requests are answered so, one each.
    pub fn next_answers(&self, answers: Vec<Answer>) {
        self.world.change(|state| state.answers.extend(answers.into_iter().map(|answer| (None, answer))));
    }

    /// The next requests whose line (`POST /channels/…`) holds these words are answered so, one each.
    pub fn next_answers_to(&self, route: &str, answers: Vec<Answer>) {
        let scripted = answers.into_iter().map(|answer| (Some(route.to_owned()), answer));
        self.world.change(|state| state.answers.extend(scripted));
    }

    /// Scripted answers that no request has got yet.
    pub fn answers_left(&self) -> usize {
        self.world.look(|state| state.answers.len())
    }

    /// All connections to the gateway vanish without a farewell.
    pub fn drop_sockets(&self) {
        self.order(&Order::Drop);
    }

    /// All connections to the gateway are closed with a code.
    pub fn closes_with(&self, code: u16) {
        self.order(&Order::Close(code));
    }

    /// The gateway asks to connect again (op 7).
    pub fn asks_to_reconnect(&self) {
        self.order(&Order::Send(json!({"op": 7, "s": null, "t": null, "d": null})));
    }

    /// The gateway sends a frame such as it has none.
    pub fn sends_nonsense(&self, frame: serde_json::Value) {
        self.order(&Order::Send(frame));
    }

    /// The gateway asks for a heartbeat at once (op 1).
    pub fn asks_for_heartbeat(&self) {
        self.order(&Order::Send(json!({"op": 1, "s": null, "t": null, "d": null})));
    }

    /// The gateway calls the session invalid (op 9); one that cannot be resumed is forgotten.
    pub fn invalidates(&self, resumable: bool) {
        self.order(&Order::Send(json!({"op": 9, "s": null, "t": null, "d": resumable})));
        if !resumable {
            self.forgets_sessions();
        }
    }

    /// Forgets all sessions: what happens from now on until the next identify is missed for good.
    pub fn forgets_sessions(&self) {
        self.world.change(|state| state.sessions.clear());
    }

    /// Takes no connections to the gateway, or takes them again.
    pub fn gateway_down(&self, down: bool) {
        self.world.change(|state| state.gateway.down = down);
    }

    /// Connections stay open, and nothing comes over them: no events, no acks.
    pub fn zombie(&self, zombie: bool) {
        self.world.change(|state| state.gateway.zombie = zombie);
    }

    /// Keeps events back.
    pub fn holds_events(&self) {
        self.world.change(|state| {
            state.gateway.held.get_or_insert_default();
        });
    }

    /// Sends the events kept back, the last one first.
    pub fn releases_reversed(&self) {
        self.world.change(|state| {
            let held = state.gateway.held.take().unwrap_or_default();
            held.into_iter().rev().for_each(|news| gateway::publish(state, news));
        });
    }

    /// Sends the last few events a second time.
    pub fn redelivers(&self, count: usize) {
        self.world.change(|state| {
            let from = state.gateway.told.len().saturating_sub(count);
            let again = state.gateway.told.split_off(from);
            again.into_iter().for_each(|news| gateway::publish(state, news));
        });
    }

    /// How many times the bot identified, and how many times it resumed.
    pub fn sessions(&self) -> (u32, u32) {
        self.world.look(|state| (state.gateway.identified, state.gateway.resumed))
    }

    /// Heartbeats so far.
    pub fn heartbeats(&self) -> u32 {
        self.world.look(|state| state.gateway.beats)
    }

    /// Waits until the bot has identified and resumed at least so many times and is connected.
    ///
    /// # Panics
    /// If it does not.
    pub async fn reconnected(&self, identified: u32, resumed: u32) {
        let done = |state: &mut State| {
            let there = state.sessions.values().any(|session| session.connection.is_some());
            let (identifies, resumes) = (state.gateway.identified, state.gateway.resumed);
            (there && identifies >= identified && resumes >= resumed).then_some(())
        };
        let done = self.world.wait(done).await;
        let counts = self.sessions();
        assert!(done.is_some(), "identified and resumed {counts:?} times, not {:?}", (identified, resumed));
    }

    /// Waits until so many heartbeats have come.
    ///
    /// # Panics
    /// If they do not.
    pub async fn beats(&self, count: u32) {
        let done = self.world.wait(|state| (state.gateway.beats >= count).then_some(())).await;
        assert!(done.is_some(), "{} heartbeats came, not {count}", self.heartbeats());
    }

    /// The bot no longer sees a channel (50001).
    pub fn hides_channel(&self, name: &str) {
        self.in_channel(name, |channel| channel.hidden = true);
    }

    /// The bot may no longer write in a channel (50013).
    pub fn mutes_in(&self, name: &str) {
        self.in_channel(name, |channel| channel.muted = true);
    }

    /// The bot leaves a channel's server: people there have it with their own account only.
    pub fn is_not_in(&self, name: &str) {
        self.in_channel(name, |channel| (channel.absent, channel.hidden) = (true, true));
    }

    /// The bot may not make threads in a channel (50013).
    pub fn forbids_threads_in(&self, name: &str) {
        self.in_channel(name, |channel| channel.threadless = true);
    }

    /// The bot may not delete what others wrote in a channel (50013).
    pub fn forbids_deleting_in(&self, name: &str) {
        self.in_channel(name, |channel| channel.keeps = true);
    }

    /// The direct channel with a person, or a channel, is deleted (10003).
    pub fn deletes_channel(&self, name: &str) {
        self.world.change(|state| {
            let id = state.channel(name);
            state.channels.remove(&id);
        });
    }

    fn in_channel(&self, name: &str, change: impl FnOnce(&mut super::records::Channel)) {
        self.world.change(|state| {
            let id = state.channel(name);
            state.channels.get_mut(&id).map(change);
        });
    }

    fn order(&self, order: &Order) {
        self.world.change(|state| {
            for connection in &state.gateway.connections {
                // One that has gone needs no order.
                let _ = connection.send(order.clone());
            }
        });
    }
}
