//! What is counted and timed while the bot runs, as Prometheus reads it.
//!
//! No label holds what a person said, who they are, or a secret: labels are words of this program, ids of form files and
//! names of desks.
//! deploy/README.md lists them all.

mod fields;
mod gauges;
mod watched;

use std::time::{Duration, Instant};

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

pub(crate) use fields::{Noted, noted};
pub(crate) use gauges::Looked;
pub(crate) use watched::Watched;

/// Upper bounds of what is timed, in seconds: from a session in memory to a model that takes its time.
const BOUNDS: [f64; 15] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// A part of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Waiting for earlier turns of the session.
    Queue,
    /// Loading the session.
    Load,
    /// Stepping.
    Compute,
    /// Waiting for the language model.
    Model,
    /// Waiting for a tool.
    Tool,
    /// Writing.
    Commit,
    /// All but the queue.
    Whole,
}

impl Phase {
    const ALL: [Self; 7] = [Self::Queue, Self::Load, Self::Compute, Self::Model, Self::Tool, Self::Commit, Self::Whole];

    fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Load => "load",
            Self::Compute => "compute",
            Self::Model => "model",
            Self::Tool => "tool",
            Self::Commit => "commit",
            Self::Whole => "whole",
        }
    }
}

/// Why something that came was not worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// Its sender sends too fast.
    Rate,
    /// It is too large, or no text.
    Size,
    /// Too much waits in its session.
    Full,
    /// The session would grow too large.
    Refused,
    /// It cannot be read.
    Unreadable,
    /// It came before.
    Duplicate,
    /// Another replica has the session by now, and works on it.
    Stale,
}

impl Dropped {
    fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Size => "size",
            Self::Full => "full",
            Self::Refused => "refused",
            Self::Unreadable => "unreadable",
            Self::Duplicate => "duplicate",
            Self::Stale => "stale",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Turns {
    platform: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InPhase {
    phase: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Deliveries {
    kind: &'static str,
    target: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Operation {
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfForm {
    form: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfField {
    form: String,
    field: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Given {
    form: String,
    field: String,
    source: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AtDesk {
    desk: String,
    about: &'static str,
    event: &'static str,
}

/// The counters and timers.
pub(crate) struct Metrics {
    registry: Registry,
    turns: Family<Turns, Counter>,
    phases: [Histogram; Phase::ALL.len()],
    accept: Histogram,
    dropped: Family<Reason, Counter>,
    deliveries: Family<Deliveries, Counter>,
    store_errors: Family<Operation, Counter>,
    submissions: Family<OfForm, Counter>,
    asked: Family<OfField, Counter>,
    answered: Family<Given, Counter>,
    abandoned: Family<OfField, Counter>,
    cases: Family<AtDesk, Counter>,
    forms_differ: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let seconds: Family<InPhase, Histogram, fn() -> Histogram> = Family::new_with_constructor(timer);
        let phases = Phase::ALL.map(|phase| seconds.get_or_create_owned(&InPhase { phase: phase.name() }));
        let mut new = Self {
            registry: Registry::with_prefix("formwright"),
            turns: Family::default(),
            phases,
            accept: timer(),
            dropped: Family::default(),
            deliveries: Family::default(),
            store_errors: Family::default(),
            submissions: Family::default(),
            asked: Family::default(),
            answered: Family::default(),
            abandoned: Family::default(),
            cases: Family::default(),
            forms_differ: Gauge::default(),
        };
        let all = &mut new.registry;
        all.register("turns", "Turns that ended", new.turns.clone());
        all.register("turn_seconds", "Time of turns by phase", seconds);
        all.register("accept_seconds", "Time from an event's arrival until it was durable", new.accept.clone());
        all.register("dropped", "Events that were not worked on", new.dropped.clone());
        all.register("deliveries", "Tries to deliver replies and submissions", new.deliveries.clone());
        all.register("store_errors", "Operations that the store did not do", new.store_errors.clone());
        all.register("submissions", "Forms submitted", new.submissions.clone());
        all.register("asked", "Questions put", new.asked.clone());
        all.register("answered", "Answers taken", new.answered.clone());
        all.register("cases", "Requests at desks, by what became of them", new.cases.clone());
        all.register("forms_differ", "Whether other replicas serve other forms", new.forms_differ.clone());
        all.register("abandoned", "Forms left unfinished, by the field asked then", new.abandoned.clone());
        new
    }
}

fn timer() -> Histogram {
    Histogram::new(BOUNDS)
}

impl Metrics {
    /// Times a part of a turn.
    pub(crate) async fn timed<T>(&self, phase: Phase, work: impl Future<Output = T>) -> T {
        let began = Instant::now();
        let done = work.await;
        self.took(phase, began.elapsed());
        done
    }

    /// Notes how long a part of a turn took.
    pub(crate) fn took(&self, phase: Phase, time: Duration) {
        if let Some(timer) = self.phases.get(phase as usize) {
            timer.observe(time.as_secs_f64());
        }
    }

    /// A turn has ended.
    pub(crate) fn turn(&self, platform: &str, result: &'static str) {
        self.turns.get_or_create(&Turns { platform: platform.to_owned(), result }).inc();
    }

    /// Whether other replicas serve other forms.
    pub(crate) fn forms_differ(&self, differ: bool) {
        self.forms_differ.set(differ.into());
    }

    /// An event was made durable, so long after it had arrived.
    pub(crate) fn accepted(&self, after: Duration) {
        self.accept.observe(after.as_secs_f64());
    }

    /// Something was not worked on.
    pub(crate) fn dropped(&self, reason: Dropped) {
        self.dropped.get_or_create(&Reason { reason: reason.name() }).inc();
    }

    /// A delivery was tried.
    pub(crate) fn delivery(&self, kind: &'static str, target: &str, result: &'static str) {
        self.deliveries.get_or_create(&Deliveries { kind, target: target.to_owned(), result }).inc();
    }

    /// The store did not do something.
    pub(crate) fn store_failed(&self, operation: &'static str) {
        self.store_errors.get_or_create(&Operation { operation }).inc();
    }

    /// What a turn did to its forms; once it is committed.
    pub(crate) fn note(&self, noted: Vec<Noted>) {
        for noted in noted {
            match noted {
                Noted::Asked(form, field) => self.asked.get_or_create(&OfField { form, field }).inc(),
                Noted::Answered(form, field, source) => {
                    self.answered.get_or_create(&Given { form, field, source }).inc()
                }
                Noted::Abandoned(form, field) => self.abandoned.get_or_create(&OfField { form, field }).inc(),
                Noted::Submitted(form) => self.submissions.get_or_create(&OfForm { form }).inc(),
                Noted::Case(desk, about, event) => self.cases.get_or_create(&AtDesk { desk, about, event }).inc(),
            };
        }
    }

    /// All of it as `OpenMetrics` text, with what is looked up when it is asked for.
    pub(crate) fn text(&self, looked: &Looked) -> String {
        let mut text = String::new();
        let written = text::encode_registry(&mut text, &self.registry)
            .and_then(|()| text::encode_registry(&mut text, &looked.registry()))
            .and_then(|()| text::encode_eof(&mut text));
        if let Err(error) = written {
            tracing::error!(%error, "what was measured cannot be written");
        }
        text
    }
}

#[cfg(test)]
mod tests;
