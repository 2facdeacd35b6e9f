//! A turn is run: loaded, computed, committed. What conflicts is loaded and computed again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use formwright_chat as chat;
use formwright_engine::Session;
use formwright_store::{Accepted, Commit, Committed, SessionKey, StoreError, Stored};
use tracing::{Instrument as _, debug_span};

use super::work::Work;
use super::{Cause, Turn, TurnError};
use crate::watch::metrics::{Dropped, Phase, noted};
use crate::watch::trace::{self, TARGET};
use crate::{Runtime, fault, words};

/// Most times a turn is computed because another was faster.
const CONFLICTS: u32 = 16;
/// Most times a commit is tried, with the same turn id, and the pause after the first.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(50);

impl Runtime {
    /// Runs a turn and gives its replies: those of the first time where the event was worked on before.
    pub(crate) async fn turn(self: &Arc<Self>, turn: &Turn) -> Result<chat::Turn, TurnError> {
        let began = Instant::now();
        let ended = self.run_turn(turn).instrument(trace::span(turn)).await;
        let (result, took) = (trace::result(&ended), began.elapsed());
        self.metrics.took(Phase::Whole, took);
        self.metrics.turn(turn.place.platform.as_str(), result);
        trace::line(turn, result, took);
        if matches!(ended, Err(TurnError::Refused(_))) {
            self.metrics.dropped(Dropped::Refused);
        }
        ended
    }

    /// The turn of an event that came again while its first turn was under way: the replies of that one where it ended
    /// well. Nothing is asked of a model or a tool twice.
    pub(crate) async fn turn_again(self: &Arc<Self>, turn: &Turn) -> Result<chat::Turn, TurnError> {
        match self.replies_of_first_time(turn).await? {
            Some(replies) => {
                self.metrics.dropped(Dropped::Duplicate);
                Ok(chat::Turn { replies, standing: None })
            }
            None => self.turn(turn).await,
        }
    }

    async fn run_turn(self: &Arc<Self>, turn: &Turn) -> Result<chat::Turn, TurnError> {
        for attempt in 0..CONFLICTS {
            let loading = self.load(turn, attempt == 0).instrument(debug_span!(target: TARGET, "load"));
            let (stored, damaged) = self.metrics.timed(Phase::Load, loading).await?;
            fault::reached("loaded");
            let Some(mut session) = self.session_for(turn, stored.session.as_deref()) else {
                return Ok(chat::Turn::default());
            };
            self.bring(turn.last_event(), &mut session);
            let adapter = self.adapters.get(turn.place.platform.as_str());
            session.draws_pages = adapter.is_some_and(|adapter| adapter.draws_pages());
            session.shares_place = self.shares(&turn.place) && !matches!(turn.cause, Cause::Asked(_));
            session.shared = turn.is_shared();
            self.tell_zone(turn, stored.session.is_none(), &mut session).await?;
            let Some(happening) = turn.happening() else {
                return Ok(chat::Turn::default());
            };
            let began = self.clock.now();
            let mut work = self.perform(turn, session, happening).await?;
            if let Some(lang) = &work.forget {
                fault::reached("before-commit");
                return self.forget_sender(turn, &work.session, lang).await;
            }
            if damaged && let Some(first) = work.replies.first_mut() {
                let told = words::words("damaged", Some(&first.lang)).to_owned();
                first.say.insert(0, told);
            }
            self.at_hand(&work.session);
            work.session.keep_what_is_used();
            let standing = self.standing_for(turn, &work.session);
            let over = matches!(turn.cause, Cause::Expired);
            let foreseen = self.conversation().foreseen(&work.session, began);
            let noted = noted(stored.session.as_deref(), &work.session, &work.submissions, began, over);
            let onward = turn.onward(&work);
            let told = self.told(stored.session.as_deref(), &work, over)?;
            let zone = self.zone_learned(turn, stored.session.as_deref(), &work.session);
            let mut commit = self.commit_of(turn, stored.version, work)?;
            commit.outbox.extend(self.tellings(&turn.key, &told, commit.now));
            self.refuse_growth(turn, stored.bytes, &commit)?;
            // Kept before this turn ends: a crash in between takes it there again, under the same id.
            for event in &onward {
                self.store.accept(&SessionKey::of(event), event).await?;
            }
            fault::reached("before-commit");
            let writing = self.commit(&commit).instrument(debug_span!(target: TARGET, "commit"));
            match self.metrics.timed(Phase::Commit, writing).await? {
                Committed::Done | Committed::AlreadyMine => {
                    fault::reached("committed-unseen");
                    self.metrics.note(noted);
                    if let Some(zone) = &zone {
                        self.keep_zone(zone).await;
                    }
                    self.tell_listeners(&told);
                    self.foresee(turn, foreseen);
                    self.wake_for(&commit);
                    onward.into_iter().for_each(|event| self.take_up_accepted(event));
                    return Ok(chat::Turn { replies: self.safely(turn, commit.replies).await, standing });
                }
                Committed::Stale => {
                    self.metrics.dropped(Dropped::Stale);
                    return Err(TurnError::Elsewhere);
                }
                Committed::Conflict => {
                    if let Some(replies) = self.replies_of_first_time(turn).await? {
                        self.metrics.dropped(Dropped::Duplicate);
                        return Ok(chat::Turn { replies, standing: None });
                    }
                }
            }
        }
        Err(TurnError::Contended)
    }

    /// Ends an accepted event that cannot be worked on with words to its sender, its session left as it is.
    pub(crate) async fn decline(self: &Arc<Self>, turn: &Turn, words: &str) -> Result<(), TurnError> {
        for _ in 0..CONFLICTS {
            let stored = self.store.load(&turn.key).await?;
            let new = || Session::new(turn.place.clone(), turn.user.clone());
            let session = stored.session.map_or_else(new, Arc::unwrap_or_clone);
            let reply = chat::Reply { say: vec![words.to_owned()], lang: "en".to_owned(), ..chat::Reply::default() };
            let work = Work { replies: vec![reply], ..Work::new(session) };
            let commit = self.commit_of(turn, stored.version, work)?;
            if self.commit(&commit).await? != Committed::Conflict || self.replies_of_first_time(turn).await?.is_some() {
                self.wake_for(&commit);
                return Ok(());
            }
        }
        Err(TurnError::Contended)
    }

    /// The session a turn works on; none where there is nothing to do.
    fn session_for(&self, turn: &Turn, stored: Option<&Session>) -> Option<Session> {
        let new = || Session::new(turn.place.clone(), turn.user.clone());
        match &turn.cause {
            Cause::Asked(_) | Cause::Accepted(_) => Some(stored.cloned().unwrap_or_else(new)),
            Cause::Undelivered(_) => stored.cloned(),
            Cause::Expired => {
                let now = self.clock.now();
                // A turn since the sweep may have given it more time.
                let over = |session: &&Session| self.time_of(session).is_none_or(|expires| expires <= now);
                stored.filter(over).cloned()
            }
        }
    }

    /// Where the session stands, where somebody waits for it.
    fn standing_for(&self, turn: &Turn, session: &Session) -> Option<chat::Standing> {
        matches!(turn.cause, Cause::Asked(_)).then(|| self.conversation().standing(session))
    }

    /// Wakes the outbox where a turn has put something in. Otherwise every turn would cost it a look into the store.
    fn wake_for(&self, commit: &Commit) {
        if !commit.outbox.is_empty() {
            self.wake.notify_one();
        }
    }

    /// The session as it is, or whether it was damaged. `recent` is enough where the turn ends in a commit.
    async fn load(&self, turn: &Turn, recent: bool) -> Result<(Stored, bool), TurnError> {
        let loaded = match turn.cause {
            Cause::Asked(_) | Cause::Accepted(_) if recent => self.store.load_recent(&turn.key).await,
            Cause::Asked(_) | Cause::Accepted(_) | Cause::Expired | Cause::Undelivered(_) => {
                self.store.load(&turn.key).await
            }
        };
        match loaded {
            Ok(stored) => Ok((stored, false)),
            Err(StoreError::Damaged(why)) => {
                tracing::error!(why = %chat::chain(&why), "a damaged session was thrown away, its owner starts again");
                self.store.delete(&turn.key).await?;
                Ok((Stored::default(), true))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn refuse_growth(&self, turn: &Turn, before: usize, commit: &Commit) -> Result<(), TurnError> {
        let after = commit.session.as_ref().map_or(0, |packed| packed.json().len());
        if after > self.limits.session && after > before {
            return Err(TurnError::Refused(words::words("too_long", turn.locale()).to_owned()));
        }
        Ok(())
    }

    pub(crate) async fn replies_of_first_time(
        self: &Arc<Self>,
        turn: &Turn,
    ) -> Result<Option<Vec<chat::Reply>>, TurnError> {
        let Some(event) = turn.event() else { return Ok(None) };
        match self.store.seen(&turn.key, event).await? {
            Some(Accepted::Done(_)) if self.is_reused(turn).await? => Err(TurnError::Reused),
            Some(Accepted::Done(replies)) => Ok(Some(self.safely(turn, replies).await)),
            Some(Accepted::New | Accepted::Open) | None => Ok(None),
        }
    }

    /// Whether the turn of the event, which is over, was another request's.
    pub(crate) async fn is_reused(&self, turn: &Turn) -> Result<bool, StoreError> {
        let Some(request) = turn.request() else { return Ok(false) };
        Ok(self.store.seen(&turn.key, &request).await?.is_none())
    }

    /// Commits; what may or may not have been written is written again under the same id, which the store recognises.
    async fn commit(&self, commit: &Commit) -> Result<Committed, TurnError> {
        let ended = self.commit_patiently(commit).await;
        self.note_commit(ended.as_ref().err().map(ToString::to_string)).await;
        Ok(ended?)
    }

    async fn commit_patiently(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            match self.store.commit(commit).await {
                Ok(committed) => return Ok(committed),
                Err(error) => {
                    tracing::warn!(error = %chat::chain(&error), "a turn could not be committed and is tried again");
                }
            }
            self.clock.pause(pause).await;
            pause *= 2;
        }
        self.store.commit(commit).await
    }
}
