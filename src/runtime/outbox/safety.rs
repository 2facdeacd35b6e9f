//! What is told while the store is not quite there: that there is trouble, or that a submission is not yet safe.
//!
//! Nobody is told "submitted" before it would outlive the machine that took it, and nobody waits in silence while a turn
//! cannot be run.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use crate::turn::Turn;
use crate::{Runtime, clock, words};
use formwright_store::{Commit, Committed, Outgoing, Packed, Safety, SessionKey, Written};

/// How long a turn may fail before its sender is told.
pub(crate) const SILENCE: Duration = Duration::from_secs(3);
/// How often it is asked whether a submission is safe before its sender is answered, and the pause after each.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(200);
/// How long that may take in all.
const ASKING: Duration = Duration::from_millis(2500);
/// How often it is tried to keep what is owed, and how long after that it is first tried to be told.
const OWING: u32 = 3;
const OWED_FIRST: SignedDuration = SignedDuration::from_secs(2);
/// How long and how often it is asked after that whether a submission was lost.
const TELL: Duration = Duration::from_secs(600);
const TELL_PAUSE: Duration = Duration::from_secs(2);
tokio::task_local! {
    /// Set while something is told that the store must not be asked for.
    static WITHOUT_STORE: ();
}

/// Whether what runs here must do without the store: nothing is noted, and nothing was.
pub(crate) fn without_store() -> bool {
    WITHOUT_STORE.try_with(|()| ()).is_ok()
}

impl Runtime {
    /// Tells the sender of a turn that cannot be run now that it is kept. Past the outbox, which is away as well: told
    /// once, or not at all.
    pub(crate) async fn tell_trouble(&self, turn: &Turn) {
        if !self.adapters.contains_key(turn.place.platform.as_str()) {
            return;
        }
        let Some(event) = turn.event().filter(|_| self.troubled.is_to_be_told(&turn.key)) else { return };
        let id = chat::ReplyId::new(format!("{event}.trouble"));
        let reply = words::reply("trouble", turn.locale());
        let delivery = chat::Delivery::first(id, turn.place.clone(), turn.user.clone(), reply);
        // What an adapter has noted is away with the store.
        if let Some(Err(error)) = WITHOUT_STORE.scope((), self.hand_to_adapter(&delivery)).await {
            tracing::warn!(error = %chat::chain(&error), "that there is trouble could not be told");
            self.troubled.was_not_told(&turn.key);
        }
    }

    /// The replies of a turn as they may be given now: what tells of a submission says so only once it is safe. Until then
    /// an honest word stands for it, and the true one is owed: it leaves by the outbox, whatever becomes of this process.
    pub(crate) async fn safely(self: &Arc<Self>, turn: &Turn, replies: Vec<chat::Reply>) -> Vec<chat::Reply> {
        let Some(event) = turn.event().filter(|_| replies.iter().any(tells_of_submission)) else { return replies };
        let written = Written::Turn { key: turn.key.clone(), event: event.clone() };
        let lang = replies.iter().find(|reply| tells_of_submission(reply)).map(|reply| reply.lang.clone());
        match self.settled_soon(&written).await {
            Safety::Safe => return replies,
            Safety::Lost => return self.not_kept(&turn.key, lang.as_deref()).await,
            Safety::NotYet => {}
        }
        let late: Vec<_> = replies.iter().filter(|reply| reply.complete.is_some()).cloned().collect();
        if late.is_empty() {
            // Whoever asks again is owed the word already.
            return replies.into_iter().map(honest).collect();
        }
        let owed = self.owe(turn, event, &late).await;
        let debt = Debt {
            key: turn.key.clone(),
            place: turn.place.clone(),
            user: turn.user.clone(),
            lang,
            written,
            late: if owed { Vec::new() } else { late },
        };
        let runtime = Arc::clone(self);
        tokio::spawn(async move { runtime.watch_over(debt).await });
        replies.into_iter().map(honest).collect()
    }

    /// Asks whether something is safe until it is known, a while.
    async fn settled_soon(&self, written: &Written) -> Safety {
        let asking = async {
            for _ in 0..TRIES {
                match self.safety_of(written).await {
                    Safety::NotYet => self.clock.pause(PAUSE).await,
                    known => return known,
                }
            }
            Safety::NotYet
        };
        tokio::time::timeout(ASKING, asking).await.unwrap_or(Safety::NotYet)
    }

    /// Puts what is owed into the outbox, where it waits until it is true. False where that cannot be done now.
    async fn owe(&self, turn: &Turn, event: &chat::EventId, late: &[chat::Reply]) -> bool {
        for _ in 0..OWING {
            let now = self.clock.now();
            let Ok(stored) = self.store.load(&turn.key).await else { continue };
            // Whoever was forgotten meanwhile is owed nothing.
            let (Some(session), Ok(nonce)) = (stored.session, clock::nonce()) else { return true };
            let expires = self.expiry(&session, now);
            let Ok(packed) = Packed::new(session) else { return true };
            let commit = Commit {
                key: turn.key.clone(),
                version: stored.version,
                event: None,
                merged: Vec::new(),
                turn: nonce.as_str().to_owned(),
                expires,
                session: Some(packed),
                replies: Vec::new(),
                outbox: owed(turn, event, late, now),
                submissions: Vec::new(),
                now,
            };
            match self.store.commit(&commit).await {
                Ok(Committed::Done | Committed::AlreadyMine) => return true,
                // The replica that works on the session owes it.
                Ok(Committed::Stale) => return true,
                Ok(Committed::Conflict) => {}
                Err(error) => {
                    tracing::warn!(error = %chat::chain(&error), "what is owed to a person is not kept yet");
                }
            }
        }
        false
    }

    /// Tells whoever was answered already when what they sent turns out to be lost; and that it is safe, where that could
    /// not be put into the outbox.
    async fn watch_over(&self, debt: Debt) {
        if !self.adapters.contains_key(debt.place.platform.as_str()) {
            return;
        }
        let until = Instant::now() + TELL;
        let told = loop {
            match self.safety_of(&debt.written).await {
                Safety::Safe => break debt.late,
                Safety::Lost => break self.not_kept(&debt.key, debt.lang.as_deref()).await,
                Safety::NotYet if Instant::now() > until => return,
                Safety::NotYet => tokio::time::sleep(TELL_PAUSE).await,
            }
        };
        if self.is_hushed(&debt.place.platform, &debt.user) {
            return;
        }
        for reply in told {
            let id = chat::ReplyId::new(clock::nonce().map(|nonce| nonce.as_str().to_owned()).unwrap_or_default());
            let delivery = chat::Delivery::first(id, debt.place.clone(), debt.user.clone(), reply);
            if let Some(Err(error)) = self.hand_to_adapter(&delivery).await {
                tracing::warn!(
                    error = %chat::chain(&error),
                    "what became of a submission was not told; it shows when it is asked for"
                );
            }
        }
    }

    /// What is told where a submission was lost: that it was, and what the session says by what is left of it.
    pub(crate) async fn not_kept(&self, key: &SessionKey, lang: Option<&str>) -> Vec<chat::Reply> {
        tracing::error!("a submission was lost: Redis was replaced by one that never had it; its owner is asked again");
        let mut replies = vec![words::reply("not_kept", lang)];
        match self.store.load(key).await {
            Ok(stored) => {
                let last = stored.session.map(|session| self.conversation().view(&session, self.clock.now()).last);
                replies.extend(last.unwrap_or_default().into_iter().filter(|reply| !tells_of_submission(reply)));
            }
            Err(error) => {
                tracing::warn!(error = %chat::chain(&error), "where the person is in their form could not be told");
            }
        }
        replies
    }

    /// A session as its owner may see it now.
    pub(crate) async fn view_safely(
        &self,
        key: &SessionKey,
        version: u64,
        view: chat::SessionView,
    ) -> chat::SessionView {
        if !view.last.iter().any(tells_of_submission) {
            return view;
        }
        match self.safety_of(&Written::Session { key: key.clone(), version }).await {
            Safety::Safe => view,
            Safety::NotYet | Safety::Lost => honestly(view),
        }
    }

    /// How safe something is that was written.
    pub(crate) async fn safety_of(&self, written: &Written) -> Safety {
        match self.store.settle(written).await {
            Ok(safety) => safety,
            Err(error) => {
                tracing::warn!(error = %chat::chain(&error), "whether a submission is safe is not known");
                Safety::NotYet
            }
        }
    }
}

/// What a person is yet to be told.
struct Debt {
    key: SessionKey,
    place: chat::Place,
    user: chat::UserId,
    lang: Option<String>,
    written: Written,
    /// What could not be put into the outbox.
    late: Vec<chat::Reply>,
}

/// What is owed, as entries of a lane of their own: what else is said is not held up by it. The ids are those of the
/// event in its session, so that a message that comes again owes nothing twice.
fn owed(turn: &Turn, event: &chat::EventId, late: &[chat::Reply], now: Timestamp) -> Vec<Outgoing> {
    let sum = Sha256::new().chain_update(turn.key.as_str()).chain_update([0]).chain_update(event.as_str()).finalize();
    let name = format!("owed.{}", chat::hex(&sum[..16]));
    let entry = |(no, reply)| {
        let id = format!("{name}.{no}");
        let entry = turn.entry(id.clone(), &id, reply, now);
        // The honest word was the first try.
        Outgoing { due: now + OWED_FIRST, attempts: 1, ..entry }
    };
    late.iter().enumerate().map(entry).collect()
}

/// A session as it is shown while its submission is not safe.
fn honestly(mut view: chat::SessionView) -> chat::SessionView {
    view.last = view.last.into_iter().map(honest).collect();
    view
}

fn honest(reply: chat::Reply) -> chat::Reply {
    if tells_of_submission(&reply) { not_safe_yet(&reply) } else { reply }
}

/// Whether a reply tells that a form was submitted.
pub(crate) fn tells_of_submission(reply: &chat::Reply) -> bool {
    reply.complete.is_some() || reply.recalls
}

/// What is said in place of a reply that tells of a submission.
pub(crate) fn not_safe_yet(reply: &chat::Reply) -> chat::Reply {
    chat::Reply {
        form: reply.form.clone(),
        title: reply.title.clone(),
        private: reply.private,
        shared: reply.shared,
        ..words::reply("not_safe_yet", Some(&reply.lang))
    }
}
