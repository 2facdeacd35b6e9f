//! What adapters may ask: the port [`chat::Host`], and the turns of accepted events.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use chat::HostError;
use formwright_chat as chat;
use tracing::Instrument as _;

use super::burst::Coming;
use super::metrics::{Dropped, Phase};
use super::safety::{SILENCE, without_store};
use super::trace;
use super::turn::{Cause, Turn, TurnError};
use super::{Runtime, fault, limits, words};
use crate::form::{Form, FormId, Kind, Scope};
use crate::store::{Accepted, SessionKey, StoreError, Stored};

/// The first pause before the turn of an accepted event is tried again, and the longest.
const PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// When it is first looked whether a turn hangs because the store does, and the pause until the next look.
const TAKES_LONG: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_secs(1);
/// What a person waits when the session has too much to do.
const FULL_SECONDS: u32 = 2;

/// The running bot as adapters see it.
struct RunningHost(Arc<Runtime>);

impl Runtime {
    /// The runtime as adapters see it.
    pub fn host(self: &Arc<Self>) -> Arc<dyn chat::Host> {
        Arc::new(RunningHost(Arc::clone(self)))
    }

    /// Admits an event: rate, size, characters.
    fn admit(&self, event: chat::Event) -> Result<chat::Event, HostError> {
        fault::reached("received");
        let taken = self.rate.take(&event.place.platform, &event.user.id, self.clock.now());
        taken.map_err(|retry_after| {
            self.metrics.dropped(Dropped::Rate);
            HostError::Busy { retry_after }
        })?;
        limits::admit(event, &self.limits).map_err(|words| {
            self.metrics.dropped(Dropped::Size);
            HostError::Refused(words)
        })
    }

    /// Makes an event durable and sees to its turn.
    async fn take_in(self: &Arc<Self>, event: chat::Event) -> Result<(), HostError> {
        let event = self.placed(self.admit(event)?).await.map_err(unavailable)?;
        let key = SessionKey::of(&event);
        if !self.mailboxes.has_room(&key) {
            self.metrics.dropped(Dropped::Full);
            return Err(HostError::Busy { retry_after: FULL_SECONDS });
        }
        // Those accepted before a restart come first: an event may not overtake an earlier one of its session.
        self.taken_up.get_or_try_init(|| self.take_up_open_events()).await.map_err(unavailable)?;
        let accepted = self.store.accept(&key, &event).await.map_err(unavailable)?;
        fault::reached("stored");
        self.metrics.accepted(Duration::try_from(self.clock.now().duration_since(event.at)).unwrap_or_default());
        if accepted != Accepted::New {
            self.metrics.dropped(Dropped::Duplicate);
        }
        match accepted {
            Accepted::New | Accepted::Open => self.take_up_accepted(event),
            Accepted::Done(_) => {}
        }
        Ok(())
    }

    /// Runs the turn of an event whose sender waits for it.
    async fn answer(self: &Arc<Self>, event: chat::Event) -> Result<chat::Turn, HostError> {
        // Whoever waits for an answer is alone at their place.
        let mut event = self.admit(event)?;
        event.terms.shared = false;
        event.terms.waits = false;
        let key = SessionKey::of(&event);
        if !self.is_here(&key) {
            return self.ask_owner(event).await;
        }
        let (tell, told) = tokio::sync::oneshot::channel();
        let (runtime, posted) = (Arc::clone(self), Instant::now());
        let turn = Turn::asked(event.clone());
        let first = self.asked.hold(&key, &event.id);
        let job = async move {
            runtime.metrics.took(Phase::Queue, posted.elapsed());
            let ended = if first.is_some() { runtime.turn(&turn).await } else { runtime.turn_again(&turn).await };
            drop(first);
            // Whoever asked may have gone away; the turn counts all the same.
            let _ = tell.send(ended);
        }
        .in_current_span();
        self.mailboxes.post(&key, job).map_err(|_| {
            self.metrics.dropped(Dropped::Full);
            HostError::Busy { retry_after: FULL_SECONDS }
        })?;
        let ended = self.in_time(told).await?;
        let ended = ended.map_err(|_| HostError::Unavailable("the turn ended badly".to_owned()))?;
        match ended {
            Ok(turn) => Ok(turn),
            Err(TurnError::Refused(words)) => Err(HostError::Refused(words)),
            Err(TurnError::Reused) => Err(HostError::Reused),
            Err(TurnError::Elsewhere) => self.ask_owner(event).await,
            Err(error @ TurnError::Unavailable(_)) => Err(HostError::Unavailable(error.to_string())),
        }
    }

    /// The end of a turn that somebody waits for, however long it takes; but for one that hangs because the store does.
    /// That one goes on by itself.
    async fn in_time<T>(&self, turn: impl Future<Output = T>) -> Result<T, HostError> {
        self.unless(turn, || self.health()).await
    }

    /// The end of a turn that somebody waits for, unless a look finds meanwhile that it hangs.
    pub(super) async fn unless<T, F>(&self, turn: impl Future<Output = T>, look: impl Fn() -> F) -> Result<T, HostError>
    where
        F: Future<Output = Result<(), HostError>>,
    {
        let mut turn = std::pin::pin!(turn);
        let mut wait = TAKES_LONG;
        loop {
            tokio::select! {
                ended = &mut turn => return Ok(ended),
                () = tokio::time::sleep(wait) => look().await?,
            }
            wait = LOOK;
        }
    }

    /// Queues the turn of an event just accepted. Where there are replicas it comes by the store, like all others: the
    /// order of acceptance is known there.
    pub(super) fn take_up_accepted(self: &Arc<Self>, event: chat::Event) {
        if self.store.replicas().is_none() {
            self.take_up_event(event);
        }
    }

    /// Queues the turn of an accepted event, unless it is queued or running.
    pub(super) fn take_up_event(self: &Arc<Self>, event: chat::Event) {
        let key = SessionKey::of(&event);
        if let Some(held) = self.accepted.hold(&key, &event.id) {
            self.gather(key, Coming { event, held });
        }
    }

    /// Queues one turn for accepted events that are read together.
    pub(super) fn post_events(self: &Arc<Self>, key: &SessionKey, burst: Vec<Coming>) {
        let (events, held): (Vec<_>, Vec<_>) = burst.into_iter().map(|coming| (coming.event, coming.held)).unzip();
        let Some(last) = events.last() else { return };
        let mut turn = if last.terms.waits {
            Turn::asked(last.clone())
        } else {
            let (place, user) = (last.place.clone(), last.user.id.clone());
            Turn { key: key.clone(), place, user, cause: Cause::Accepted(events) }
        };
        let (runtime, posted) = (Arc::clone(self), Instant::now());
        let job = async move {
            runtime.metrics.took(Phase::Queue, posted.elapsed());
            runtime.introduce(&mut turn).await;
            let ended = Box::pin(runtime.turn_of_accepted(&turn)).await;
            drop(held);
            // Another replica had the session, and by now this one has it again.
            if !ended && runtime.is_here(&turn.key) {
                match turn.cause {
                    Cause::Asked(event) => runtime.take_up_event(*event),
                    Cause::Accepted(events) => events.into_iter().for_each(|event| runtime.take_up_event(event)),
                    Cause::Expired | Cause::Undelivered(_) => {}
                }
            }
        };
        self.mailboxes.post_kept(key, job);
    }

    /// Has the platform tell who sent the events of a turn, where they came without.
    async fn introduce(&self, turn: &mut Turn) {
        let Cause::Accepted(events) = &mut turn.cause else { return };
        let is_unknown = |user: &chat::User| user.name.is_none() && user.locale.is_none() && user.zone.is_none();
        let Some(unknown) = events.iter().map(|event| &event.user).find(|user| is_unknown(user)).cloned() else {
            return;
        };
        let Some(adapter) = self.adapters.get(turn.place.platform.as_str()) else { return };
        let known = adapter.introduce(unknown).await;
        for event in events.iter_mut().filter(|event| is_unknown(&event.user)) {
            let whole = chat::Event { user: known.clone(), ..event.clone() };
            if let Ok(whole) = limits::admit(whole, &self.limits) {
                *event = whole;
            }
        }
    }

    /// Runs the turn of accepted events until it is committed: what comes after in the session waits for it. False where
    /// the session is another replica's.
    async fn turn_of_accepted(self: &Arc<Self>, turn: &Turn) -> bool {
        let (mut pause, since) = (PAUSE, tokio::time::Instant::now());
        loop {
            if !self.is_here(&turn.key) {
                return false;
            }
            let ended = match self.turn(turn).await {
                Ok(_) => Ok(()),
                Err(TurnError::Refused(words)) => self.decline(turn, &words).await,
                Err(error @ (TurnError::Unavailable(_) | TurnError::Elsewhere)) => Err(error),
                // It was worked on before.
                Err(TurnError::Reused) => Ok(()),
            };
            match ended {
                Ok(()) => break,
                Err(error) => tracing::warn!(%error, "the turn of an accepted event failed and is tried again"),
            }
            if since.elapsed() > SILENCE {
                self.tell_trouble(turn).await;
            }
            self.clock.pause(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        if let Cause::Asked(event) = &turn.cause {
            self.tell_replica(&turn.key, &event.id).await;
        }
        true
    }
}

#[async_trait]
impl chat::Host for RunningHost {
    async fn accept(&self, event: chat::Event) -> Result<(), HostError> {
        let span = trace::intake(&event);
        self.0.take_in(event).instrument(span).await
    }

    fn announce(&self, line: &str) {
        use std::io::Write as _;
        // Nobody may be reading.
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }

    async fn converse(&self, event: chat::Event) -> Result<chat::Turn, HostError> {
        let span = trace::intake(&event);
        self.0.answer(event).instrument(span).await
    }

    async fn answered_before(&self, event: &chat::Event) -> Result<Option<chat::Turn>, HostError> {
        match self.0.replies_of_first_time(&Turn::asked(event.clone())).await {
            Ok(replies) => {
                let turn = |replies| chat::Turn { replies, standing: None };
                Ok(replies.inspect(|_| self.0.metrics.dropped(Dropped::Duplicate)).map(turn))
            }
            Err(TurnError::Reused) => Err(HostError::Reused),
            Err(error) => Err(HostError::Unavailable(error.to_string())),
        }
    }

    fn forms(&self) -> Vec<chat::FormCard> {
        let conversation = self.0.conversation();
        let forms = conversation.catalog().forms().filter(|form| form.enabled && form.listed);
        forms.map(|form| card(form)).collect()
    }

    fn when_off(&self, form: &str, lang: Option<&str>) -> Option<String> {
        let conversation = self.0.conversation();
        let form = conversation.catalog().form(&FormId::new(form)).filter(|form| !form.enabled && form.listed)?;
        let tags: Vec<&str> = lang.into_iter().chain(form.languages.iter().map(String::as_str)).collect();
        // The words of whoever switched it off, unless they are a template, which needs a conversation.
        let own = form.messages.get("form_disabled").map(|text| text.pick(&tags)).filter(|own| !own.contains('{'));
        let title = form.title.pick(&tags);
        Some(own.map_or_else(|| words::words("form_off", lang).replace("{title}", title), str::to_owned))
    }

    fn form_schema(&self, form: &str) -> Option<serde_json::Value> {
        let conversation = self.0.conversation();
        let form = conversation.catalog().form(&FormId::new(form))?;
        Some((self.0.schema)(form))
    }

    fn form_from_text(&self, text: &str) -> Result<String, HostError> {
        self.0.take_inline(text)
    }

    fn form_from_sheet(&self, sheet: &chat::Sheet) -> Result<String, HostError> {
        let brought = chat::Brought::Sheet { sheet: Box::new(sheet.blank()) };
        self.0.take_brought(&brought).map(|id| id.to_string()).map_err(HostError::Refused)
    }

    async fn sheet(&self, place: &chat::Place, user: &chat::UserId) -> Result<Option<chat::SheetView>, HostError> {
        match self.0.store.load(&Runtime::key(place, user)).await {
            Ok(Stored { session: Some(session), .. }) => {
                self.0.at_hand(&session);
                Ok(self.0.conversation().sheet(&session))
            }
            Ok(Stored { session: None, .. }) | Err(StoreError::Damaged(_)) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    fn repeatable(&self, text: &str) -> String {
        self.0.conversation().repeatable(text)
    }

    fn names_a_secret(&self, name: &str) -> bool {
        self.0.conversation().names_a_secret(name)
    }

    async fn view(&self, place: &chat::Place, user: &chat::UserId) -> Result<Option<chat::SessionView>, HostError> {
        let key = self.0.key_seen(place, user).await.map_err(unavailable)?;
        match self.0.store.load(&key).await {
            Ok(Stored { session: None, .. }) => Ok(None),
            Ok(Stored { session: Some(session), version, .. }) => {
                self.0.at_hand(&session);
                let view = self.0.conversation().view(&session, self.0.clock.now());
                Ok(Some(self.0.view_safely(&key, version, view).await))
            }
            // The person's next message is told that it was damaged.
            Err(StoreError::Damaged(_)) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    fn is_desk(&self, place: &chat::Place) -> bool {
        self.0.is_desk(place)
    }

    async fn reset(&self, place: &chat::Place, user: &chat::UserId) -> Result<bool, HostError> {
        self.0.begin_anew(&Runtime::key(place, user)).await.map_err(unavailable)
    }

    async fn rehearse(&self, event: &chat::Event) -> Result<Vec<chat::Fault>, HostError> {
        let event = self.0.placed(event.clone()).await.map_err(unavailable)?;
        let stored = self.0.store.load(&SessionKey::of(&event)).await.map_err(unavailable)?;
        let Some(session) = stored.session else { return Ok(Vec::new()) };
        self.0.at_hand(&session);
        Ok(self.0.conversation().rehearse(&session, &event, self.0.clock.now()))
    }

    async fn recall(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, HostError> {
        if without_store() {
            return Ok(None);
        }
        self.0.store.note(platform, key).await.map_err(unavailable)
    }

    async fn remember(&self, note: chat::Note) -> Result<(), HostError> {
        if without_store() || note.owner.as_ref().is_some_and(|owner| self.0.is_hushed(&note.platform, owner)) {
            return Ok(());
        }
        self.0.store.set_note(&note, self.0.clock.now()).await.map_err(unavailable)
    }

    async fn session_count(&self) -> Result<u64, HostError> {
        self.0.store.session_count().await.map_err(unavailable)
    }

    async fn health(&self) -> Result<(), HostError> {
        self.0.health().await
    }

    fn notices(&self) -> Vec<String> {
        [self.0.store.notices(), self.0.forms_without_desk()].concat()
    }

    async fn metrics(&self) -> String {
        self.0.measured().await
    }

    async fn unready(&self) -> Vec<&'static str> {
        self.0.unready().await
    }

    fn turned_away(&self, why: chat::TurnedAway) {
        self.0.metrics.dropped(match why {
            chat::TurnedAway::Rate => Dropped::Rate,
            chat::TurnedAway::Size => Dropped::Size,
            chat::TurnedAway::Unreadable => Dropped::Unreadable,
        });
    }

    async fn lead(&self, what: &str) -> chat::Lost {
        self.0.lead(what).await
    }

    fn platforms(&self) -> BTreeMap<String, Option<String>> {
        self.0.platforms()
    }

    fn model(&self) -> Option<chat::ModelHealth> {
        self.0.model.as_ref().map(|model| model.health())
    }
}

fn unavailable(error: StoreError) -> HostError {
    HostError::Unavailable(error.to_string())
}

fn card(form: &Form) -> chat::FormCard {
    let langs: Vec<&str> = form.languages.iter().map(String::as_str).collect();
    let asked = |kind: &Kind| !matches!(kind, Kind::Group(_) | Kind::Note(_) | Kind::Hidden(_) | Kind::Computed(_));
    let words = |tag: &String| chat::FormWords {
        title: form.title.pick(&[tag]).to_owned(),
        description: form.description.pick(&[tag]).to_owned(),
    };
    chat::FormCard {
        shared: form.scope == Scope::Channel,
        shown: form.shown,
        words: form.languages.iter().skip(1).map(|tag| (tag.clone(), words(tag))).collect(),
        id: form.id.to_string(),
        title: form.title.pick(&langs).to_owned(),
        description: form.description.pick(&langs).to_owned(),
        fields: u32::try_from(form.fields.iter().filter(|field| asked(&field.kind)).count()).unwrap_or(u32::MAX),
    }
}
