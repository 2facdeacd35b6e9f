//! The thin shell around the engine: takes events in, runs turns, delivers what comes of them.
//!
//! A turn computes without side effects, commits once, then acts. Events are durable before a platform is told that
//! they were received; replies and submissions leave from the outbox with stable ids; a turn that did not commit runs
//! again after a restart. Deliberately absent: what to say, which platform, and where things are stored.

mod again;
mod around;
mod brought;
mod burst;
mod by_tool;
pub mod clock;
mod commit;
mod compare;
mod desks;
pub mod documents;
pub mod fault;
pub mod forget;
mod forgetting;
pub mod forms;
mod health;
mod host;
mod inline;
mod intake;
pub mod limits;
mod links;
pub mod listening;
pub mod lock;
mod mailbox;
mod measure;
mod metrics;
mod outbox;
mod perform;
mod places;
mod prefetch;
mod queues;
mod rate;
mod reach;
mod replicas;
mod reset;
mod route;
mod safety;
mod sweep;
pub mod switches;
pub mod trace;
mod turn;
mod under_way;
mod words;
mod zones;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use formwright_chat as chat;
use jiff::Timestamp;

pub use around::{Around, Kept};
pub use clock::Clock;
pub use formwright_engine::{Desk, Desks, Submission};
use formwright_engine::{Engine, Input, Leaving, Session, Step, ToolCall};
use formwright_form::{Catalog, Form};
pub use formwright_llm::Model;
pub use formwright_store::{Erased, OutboxState, Outgoing, Parcel, SessionKey, Store, StoreError};
use formwright_submit::Opener;
pub use formwright_tool::Tools;
pub use limits::Limits;
pub use listening::Listener;

/// What conducts the conversation: the engine, or a double of it.
pub trait Conversation: Send + Sync + 'static {
    /// See [`Engine::step`].
    fn step(&self, session: Session, input: Input) -> Step;
    /// See [`Engine::view`].
    fn view(&self, session: &Session, now: Timestamp) -> chat::SessionView;

    /// See [`Engine::standing`].
    fn standing(&self, session: &Session) -> chat::Standing;
    /// See [`Engine::sheet`].
    fn sheet(&self, _session: &Session) -> Option<chat::SheetView> {
        None
    }
    /// See [`Engine::repeatable`].
    fn repeatable(&self, text: &str) -> String {
        text.to_owned()
    }
    /// See [`Engine::names_a_secret`].
    fn names_a_secret(&self, _name: &str) -> bool {
        false
    }
    /// See [`Engine::foreseen`].
    fn foreseen(&self, _session: &Session, _now: Timestamp) -> Vec<ToolCall> {
        Vec::new()
    }
    /// See [`Engine::rehearse`].
    fn rehearse(&self, session: &Session, event: &chat::Event, now: Timestamp) -> Vec<chat::Fault>;
    /// The forms.
    fn catalog(&self) -> &Catalog;
    /// The people that requests are sent to.
    fn desks(&self) -> Desks {
        Desks::new()
    }
    /// See [`Engine::leaves`].
    fn leaves(&self, _session: &Session, _how: Leaving, _now: Timestamp) -> Vec<chat::Event> {
        Vec::new()
    }
    /// See [`Engine::unreached`].
    fn unreached(&self, _case: &Session, _now: Timestamp) -> Option<chat::Event> {
        None
    }
    /// See [`Engine::is_unfinished`].
    fn is_unfinished(&self, _session: &Session, _text: &str) -> bool {
        false
    }
    /// The same with other forms.
    fn with_forms(&self, catalog: Catalog) -> Arc<dyn Conversation>;
}

impl Conversation for Engine {
    fn step(&self, session: Session, input: Input) -> Step {
        Self::step(self, session, input)
    }

    fn view(&self, session: &Session, now: Timestamp) -> chat::SessionView {
        Self::view(self, session, now)
    }

    fn standing(&self, session: &Session) -> chat::Standing {
        Self::standing(self, session)
    }

    fn foreseen(&self, session: &Session, now: Timestamp) -> Vec<ToolCall> {
        Self::foreseen(self, session, now)
    }

    fn rehearse(&self, session: &Session, event: &chat::Event, now: Timestamp) -> Vec<chat::Fault> {
        Self::rehearse(self, session, event, now)
    }

    fn sheet(&self, session: &Session) -> Option<chat::SheetView> {
        Self::sheet(self, session)
    }

    fn repeatable(&self, text: &str) -> String {
        Self::repeatable(text)
    }

    fn names_a_secret(&self, name: &str) -> bool {
        Self::names_a_secret(name)
    }

    fn catalog(&self) -> &Catalog {
        Self::catalog(self)
    }

    fn desks(&self) -> Desks {
        Self::desks(self).clone()
    }

    fn leaves(&self, session: &Session, how: Leaving, now: Timestamp) -> Vec<chat::Event> {
        Self::leaves(self, session, how, now)
    }

    fn unreached(&self, case: &Session, now: Timestamp) -> Option<chat::Event> {
        Self::unreached(case, now)
    }

    fn is_unfinished(&self, session: &Session, text: &str) -> bool {
        Self::is_unfinished(self, session, text)
    }

    fn with_forms(&self, catalog: Catalog) -> Arc<dyn Conversation> {
        Arc::new(Self::with_forms(self, catalog))
    }
}

/// What a runtime is made of.
pub struct Parts {
    /// Where everything durable is kept.
    pub store: Arc<dyn Store>,
    /// What conducts the conversation.
    pub conversation: Arc<dyn Conversation>,
    /// Tools that run here.
    pub tools: Tools,
    /// The language model, where there is one.
    pub model: Option<Arc<dyn Model>>,
    /// What opens sinks.
    pub opener: Opener,
    /// Sinks of the settings, by name: every form may name them. `log` and `file` are there without being declared.
    pub sinks: BTreeMap<String, formwright_form::Sink>,
    /// Listeners of the settings: they are told what happens to every form.
    pub listen: Vec<formwright_form::Listen>,
    /// Listeners of a program of one's own: they are told what happens to every form.
    pub listeners: Vec<Arc<dyn Listener>>,
    /// Platforms that replies can be delivered to.
    pub adapters: Vec<Arc<dyn chat::Adapter>>,
    /// Makes the JSON Schema of a form's submission.
    pub schema: fn(&Form) -> serde_json::Value,
    /// What time it is.
    pub clock: Clock,
    /// How much is taken from a person.
    pub limits: Limits,
}

/// The running bot. Implements [`chat::Host`].
pub struct Runtime {
    store: Arc<dyn Store>,
    conversation: RwLock<Arc<dyn Conversation>>,
    around: RwLock<Arc<Around>>,
    model: Option<Arc<dyn Model>>,
    listeners: Vec<Arc<dyn Listener>>,
    adapters: BTreeMap<String, Arc<dyn chat::Adapter>>,
    schema: fn(&Form) -> serde_json::Value,
    clock: Clock,
    limits: Limits,
    rate: rate::Rate,
    mailboxes: Arc<mailbox::Mailboxes>,
    bursts: burst::Bursts,
    /// Accepted events whose turn is queued or running here.
    accepted: under_way::UnderWay,
    /// Events whose senders wait and whose turn is queued or running here.
    asked: under_way::UnderWay,
    /// Set once what an earlier process accepted is queued.
    taken_up: tokio::sync::OnceCell<()>,
    /// Whether the store took a write when that was last tried.
    last_try: health::LastTry,
    /// The turn that could not be kept last.
    last_loss: health::LastLoss,
    /// Why sinks could not write files when that was last tried.
    last_files: health::LastFiles,
    /// Set once the process has been asked to end.
    stopping: AtomicBool,
    /// Sessions told that their messages wait.
    troubled: safety::Troubled,
    metrics: Arc<metrics::Metrics>,
    /// How the store stood when that was last looked up.
    last_look: measure::LastLook,
    /// People who are being told that all that was kept of them is gone: nothing is noted about them meanwhile.
    hushed: Mutex<BTreeSet<(chat::Platform, chat::UserId)>>,
    /// Fires when the outbox may have something due.
    wake: tokio::sync::Notify,
    places: places::Places,
    queues: queues::Queues,
    reach: reach::Reach,
    foreseeing: prefetch::Foreseeing,
    shelf: brought::Shelf,
}

impl Runtime {
    /// Puts the parts together; nothing runs yet. Events can be taken at once, deliveries begin with [`Self::run`].
    pub fn new(parts: Parts) -> Arc<Self> {
        let named = |adapter: Arc<dyn chat::Adapter>| (adapter.platform().as_str().to_owned(), adapter);
        let metrics = Arc::<metrics::Metrics>::default();
        Arc::new(Self {
            store: Arc::new(metrics::Watched::new(parts.store, Arc::clone(&metrics))),
            conversation: RwLock::new(parts.conversation),
            around: RwLock::new(Arc::new(Around {
                tools: parts.tools,
                opener: parts.opener,
                sinks: parts.sinks,
                listen: parts.listen,
                kept: parts.limits.kept,
            })),
            model: parts.model,
            listeners: parts.listeners,
            adapters: parts.adapters.into_iter().map(named).collect(),
            schema: parts.schema,
            clock: parts.clock,
            rate: rate::Rate::new(&parts.limits),
            limits: parts.limits,
            mailboxes: Arc::default(),
            bursts: burst::Bursts::default(),
            accepted: under_way::UnderWay::default(),
            asked: under_way::UnderWay::default(),
            taken_up: tokio::sync::OnceCell::new(),
            last_try: health::LastTry::default(),
            last_loss: health::LastLoss::default(),
            last_files: health::LastFiles::default(),
            stopping: AtomicBool::new(false),
            troubled: safety::Troubled::default(),
            metrics,
            last_look: measure::LastLook::default(),
            hushed: Mutex::default(),
            wake: tokio::sync::Notify::new(),
            places: places::Places::default(),
            queues: queues::Queues::default(),
            reach: reach::Reach::default(),
            foreseeing: prefetch::Foreseeing::default(),
            shelf: brought::Shelf::default(),
        })
    }

    /// Changes the set of forms, for the turns that begin from now on. One change at a time, so that none is lost.
    pub fn change_forms(&self, change: impl FnOnce(&Catalog) -> Catalog) {
        let mut conversation = self.conversation.write().unwrap_or_else(PoisonError::into_inner);
        let catalog = change(conversation.catalog());
        *conversation = conversation.with_forms(catalog);
    }

    /// Takes up what an earlier process left, then delivers and sweeps until `shutdown` completes. Deliveries that are
    /// under way then have ten seconds; the rest is in the store.
    pub async fn run(self: Arc<Self>, shutdown: impl Future<Output = ()>) {
        if let Err(error) = self.store.release().await {
            tracing::warn!(
                error = %chat::chain(&error),
                "leases of an earlier process could not be ended, they run out by themselves"
            );
        }
        tokio::select! {
            () = Arc::clone(&self).sweep_regularly() => {}
            () = Arc::clone(&self).share_sessions() => {}
            () = Arc::clone(&self).look_at_desks_regularly() => {}
            () = Arc::clone(&self).deliver_until(shutdown) => {}
        }
        self.retire().await;
    }

    /// The forms that serve now.
    pub fn catalog(&self) -> Catalog {
        self.conversation().catalog().clone()
    }

    fn conversation(&self) -> Arc<dyn Conversation> {
        Arc::clone(&self.conversation.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The person's own session at a place.
    fn key(place: &chat::Place, user: &chat::UserId) -> SessionKey {
        SessionKey::new(place, user)
    }
}

#[cfg(test)]
mod tests;
