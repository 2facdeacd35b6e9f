//! The running bot and what it is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use formwright_chat as chat;
use formwright_form::{Catalog, Form};
use formwright_submit::Opener;

use crate::desks::reach::Reach;
use crate::forms::shelf::Shelf;
use crate::intake::burst::Bursts;
use crate::intake::mailbox::Mailboxes;
use crate::intake::rate::Rate;
use crate::intake::under_way::UnderWay;
use crate::outbox::places::Places;
use crate::outbox::queues::Queues;
use crate::outbox::troubled::Troubled;
use crate::turn::foreseeing::Foreseeing;
use crate::watch::last::LastFiles;
use crate::watch::last::LastLook;
use crate::watch::last::LastLoss;
use crate::watch::last::LastTry;
use crate::watch::metrics::Metrics;
use crate::watch::metrics::Watched;
use crate::{Around, Clock, Conversation, Limits, Listener, Model, SessionKey, Store, Tools};

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
    pub(crate) store: Arc<dyn Store>,
    pub(crate) conversation: RwLock<Arc<dyn Conversation>>,
    pub(crate) around: RwLock<Arc<Around>>,
    pub(crate) model: Option<Arc<dyn Model>>,
    pub(crate) listeners: Vec<Arc<dyn Listener>>,
    pub(crate) adapters: BTreeMap<String, Arc<dyn chat::Adapter>>,
    pub(crate) schema: fn(&Form) -> serde_json::Value,
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
    pub(crate) rate: Rate,
    pub(crate) mailboxes: Arc<Mailboxes>,
    pub(crate) bursts: Bursts,
    /// Accepted events whose turn is queued or running here.
    pub(crate) accepted: UnderWay,
    /// Events whose senders wait and whose turn is queued or running here.
    pub(crate) asked: UnderWay,
    /// Set once what an earlier process accepted is queued.
    pub(crate) taken_up: tokio::sync::OnceCell<()>,
    /// Whether the store took a write when that was last tried.
    pub(crate) last_try: LastTry,
    /// The turn that could not be kept last.
    pub(crate) last_loss: LastLoss,
    /// Why sinks could not write files when that was last tried.
    pub(crate) last_files: LastFiles,
    /// Set once the process has been asked to end.
    pub(crate) stopping: AtomicBool,
    /// Sessions told that their messages wait.
    pub(crate) troubled: Troubled,
    pub(crate) metrics: Arc<Metrics>,
    /// How the store stood when that was last looked up.
    pub(crate) last_look: LastLook,
    /// People who are being told that all that was kept of them is gone: nothing is noted about them meanwhile.
    pub(crate) hushed: Mutex<BTreeSet<(chat::Platform, chat::UserId)>>,
    /// Fires when the outbox may have something due.
    pub(crate) wake: tokio::sync::Notify,
    pub(crate) places: Places,
    pub(crate) queues: Queues,
    pub(crate) reach: Reach,
    pub(crate) foreseeing: Foreseeing,
    pub(crate) shelf: Shelf,
}

impl Runtime {
    /// Puts the parts together; nothing runs yet. Events can be taken at once, deliveries begin with [`Self::run`].
    pub fn new(parts: Parts) -> Arc<Self> {
        let named = |adapter: Arc<dyn chat::Adapter>| (adapter.platform().as_str().to_owned(), adapter);
        let metrics = Arc::<Metrics>::default();
        Arc::new(Self {
            store: Arc::new(Watched::new(parts.store, Arc::clone(&metrics))),
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
            rate: Rate::new(&parts.limits),
            limits: parts.limits,
            mailboxes: Arc::default(),
            bursts: Bursts::default(),
            accepted: UnderWay::default(),
            asked: UnderWay::default(),
            taken_up: tokio::sync::OnceCell::new(),
            last_try: LastTry::default(),
            last_loss: LastLoss::default(),
            last_files: LastFiles::default(),
            stopping: AtomicBool::new(false),
            troubled: Troubled::default(),
            metrics,
            last_look: LastLook::default(),
            hushed: Mutex::default(),
            wake: tokio::sync::Notify::new(),
            places: Places::default(),
            queues: Queues::default(),
            reach: Reach::default(),
            foreseeing: Foreseeing::default(),
            shelf: Shelf::default(),
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

    /// Replaces what is around the conversations, for the work that begins from then on.
    pub fn change_around(&self, around: Around) {
        *self.around.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(around);
    }

    pub(crate) fn around(&self) -> Arc<Around> {
        Arc::clone(&self.around.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The forms that serve now.
    pub fn catalog(&self) -> Catalog {
        self.conversation().catalog().clone()
    }

    pub(crate) fn conversation(&self) -> Arc<dyn Conversation> {
        Arc::clone(&self.conversation.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The person's own session at a place.
    pub(crate) fn key(place: &chat::Place, user: &chat::UserId) -> SessionKey {
        SessionKey::new(place, user)
    }
}
