//! What is looked up whenever somebody asks: queues, the outbox, the model.

use formwright_chat::{ModelHealth, ModelState};
use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

use formwright_store::Backlog;

/// How things stand. What is not known is left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// When it was looked.
    pub(crate) now: Timestamp,
    /// Sessions with something to do, and the turns that wait in them.
    pub(crate) mailboxes: (usize, usize),
    /// Number of sessions, and what waits; none where the store is away.
    pub(crate) stored: Option<(u64, Backlog)>,
    /// Partitions held; none where there are no replicas.
    pub(crate) partitions: Option<usize>,
    /// The language model.
    pub(crate) model: Option<ModelHealth>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

impl Looked {
    pub(super) fn registry(&self) -> Registry {
        let mut all = Registry::with_prefix("formwright");
        let (busy, turns) = self.mailboxes;
        all.register("mailbox_sessions", "Sessions with a turn under way", count(busy as u64));
        all.register("mailbox_turns", "Turns that wait for an earlier one of their session", count(turns as u64));
        all.register("store_up", "Whether the store answers", count(self.stored.is_some().into()));
        if let Some((sessions, backlog)) = self.stored {
            self.stored(&mut all, sessions, backlog);
        }
        if let Some(held) = self.partitions {
            all.register("partitions", "Partitions of the sessions that this replica holds", count(held as u64));
        }
        if let Some(model) = self.model {
            let tokens = Family::<Kind, prometheus_client::metrics::counter::Counter>::default();
            for (kind, spent) in [("prompt", model.prompt_tokens), ("reply", model.reply_tokens)] {
                tokens.get_or_create(&Kind { kind }).inc_by(spent);
            }
            let resting = count((model.state != ModelState::Up).into());
            all.register(
                "model_calls",
                "Calls of the language model on behalf of people",
                ConstCounter::new(model.calls),
            );
            all.register("model_failures", "Calls that gave nothing", ConstCounter::new(model.failures));
            all.register("model_tokens", "Tokens of these calls, as the model's server counts them", tokens);
            all.register(
                "model_resting",
                "Whether the model is left alone: it failed, or its key is not accepted",
                resting,
            );
        }
        all
    }

    fn stored(&self, all: &mut Registry, sessions: u64, backlog: Backlog) {
        let entries = Family::<State, Gauge>::default();
        for (state, number) in [("waiting", backlog.waiting), ("dead", backlog.dead)] {
            entries.get_or_create(&State { state }).set(number.try_into().unwrap_or(i64::MAX));
        }
        let age = |since: Option<Timestamp>| {
            let seconds = since.map_or(0.0, |since| self.now.duration_since(since).as_secs_f64());
            ConstGauge::new(seconds.max(0.0))
        };
        all.register("sessions", "Sessions in the store", count(sessions));
        all.register("intake_events", "Accepted events whose turn has not ended", count(backlog.events));
        all.register("intake_oldest_seconds", "Age of the oldest of them", age(backlog.oldest_event));
        all.register("outbox_entries", "Entries of the outbox, waiting and dead", entries);
        let unreadable = "Records that this process could not read since it has started";
        all.register("unreadable_records", unreadable, count(backlog.unreadable));
        all.register("outbox_oldest_seconds", "Age of the oldest that waits", age(backlog.oldest_waiting));
    }
}

fn count(number: u64) -> ConstGauge<i64> {
    ConstGauge::new(number.try_into().unwrap_or(i64::MAX))
}
