//! What a test does to the platform, and what it may know of it: faults, redelivery, forged requests, calls, refusals.

use std::time::Duration;

use serde_json::Value;

use super::world::World;
use super::{Answer, SlackFake, deliver, http};

impl SlackFake {
    /// The next calls of any method are answered so, one each.
    pub fn next_answers(&self, answers: impl IntoIterator<Item = Answer>) {
        self.inner.lock().faults.extend(answers.into_iter().map(|answer| (None, answer)));
    }

    /// The next calls of one method are answered so, one each; `response_url` is one too.
    pub fn next_answers_to(&self, method: &str, answers: impl IntoIterator<Item = Answer>) {
        let answers = answers.into_iter().map(|answer| (Some(method.to_owned()), answer));
        self.inner.lock().faults.extend(answers);
    }

    /// What Slack itself has told people: that nobody answered them.
    pub fn unanswered(&self) -> Vec<String> {
        let world = self.inner.lock();
        let messages = world.channels.values().flat_map(|channel| &channel.messages);
        messages.filter(|message| message.from == "USLACKBOT").map(|message| message.text.clone()).collect()
    }

    /// Ends all sockets without a word.
    pub fn drop_sockets(&self) {
        self.inner.drop_sockets();
    }

    /// Sends a `disconnect` frame on one connection, and closes that a while later (not after a `warning`).
    pub fn sends_disconnect(&self, reason: &str) {
        self.inner.disconnect(reason, false);
    }

    /// How many sockets are open.
    pub fn connections(&self) -> usize {
        self.inner.connections()
    }

    /// Waits until so many sockets are open.
    pub async fn wait_for_connections(&self, count: usize) {
        let inner = self.inner.clone();
        self.inner.until(&format!("{count} sockets"), |_| (inner.connections() >= count).then_some(())).await;
    }

    /// Every event comes twice from now on, with the same id.
    pub fn doubles_events(&self, doubles: bool) {
        self.inner.lock().doubles = doubles;
    }

    /// Sends again what the app has taken last: an event, a press, a command.
    ///
    /// # Panics
    /// Where it has taken nothing yet.
    pub fn redelivers(&self) {
        let last = self.inner.lock().taken.last().cloned();
        let Some((kind, payload)) = last else { panic!("the app has taken nothing yet") };
        if kind == "events_api" {
            self.inner.send_event(payload, None);
        } else {
            let inner = self.inner.clone();
            let form = if kind == "slash_commands" { deliver::Form::Command } else { deliver::Form::Interaction };
            tokio::spawn(async move { inner.tell(form, payload).await });
        }
    }

    /// Keeps events back until [`Self::releases_events`].
    pub fn withholds_events(&self) {
        self.inner.lock().withheld.get_or_insert_default();
    }

    /// Sends the events that were kept back, the last one first where `reversed`.
    pub fn releases_events(&self, reversed: bool) {
        let mut events = self.inner.lock().withheld.take().unwrap_or_default();
        if reversed {
            events.reverse();
        }
        for event in events {
            self.inner.send_event(event, None);
        }
    }

    /// Whether the app hears of its own messages, as in Slack. It does unless a test says otherwise.
    pub fn echoes(&self, echoes: bool) {
        self.inner.lock().echoes = echoes;
    }

    /// Every request that was refused, with why. Faults that a test made are not among them.
    pub fn refusals(&self) -> Vec<String> {
        self.inner.lock().refusals.clone()
    }

    /// Every status that the bot set in a thread, as `channel/thread: status`.
    pub fn statuses(&self) -> Vec<String> {
        self.inner.lock().statuses.clone()
    }

    /// Whom the app has pinged: `!channel`, `@U…`, each with its channel.
    pub fn pings(&self) -> Vec<String> {
        self.inner.lock().pings.clone()
    }

    /// The names of the methods called so far, in order; `response_url` among them.
    pub fn calls(&self) -> Vec<String> {
        self.inner.lock().calls.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The bodies of the calls of one method so far.
    pub fn calls_of(&self, method: &str) -> Vec<Value> {
        self.inner.lock().calls.iter().filter(|(name, _)| name == method).map(|(_, body)| body.clone()).collect()
    }

    /// Waits until a method was called so often.
    pub async fn wait_for_calls(&self, method: &str, count: usize) {
        let called = |world: &mut World| world.calls.iter().filter(|(name, _)| name == method).count() >= count;
        self.inner.until(&format!("{count} calls of {method}"), |world| called(world).then_some(())).await;
    }

    /// Whether the app has taken everything that it was told of.
    pub async fn wait_until_quiet(&self) {
        let inner = self.inner.clone();
        self.inner.until("no envelope under way", |_| inner.is_quiet().then_some(())).await;
    }

    /// Posts anything to an address of the app, with these headers and no others; gives the answer's status.
    ///
    /// # Panics
    /// Where nobody answers.
    pub async fn sends_raw(&self, url: &str, headers: &[(&str, &str)], body: &[u8]) -> u16 {
        match http::send("POST", url, headers, body, Duration::from_secs(10)).await {
            Ok(answer) => answer.status,
            Err(why) => panic!("{url}: {why}"),
        }
    }

    /// `X-Slack-Signature` of a body that was sent so many seconds after 1970.
    pub fn signature(&self, timestamp: u64, body: &[u8]) -> String {
        deliver::sign(self.signing_secret(), &timestamp.to_string(), body)
    }

    /// The body of what the app has taken last, as it would be sent again over HTTP.
    pub fn last_taken(&self) -> Option<Value> {
        self.inner.lock().taken.last().map(|(_, payload)| payload.clone())
    }
}
