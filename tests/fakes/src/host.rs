//! The product as an adapter sees it, scripted: takes events, keeps notes, and refuses when told to.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chat::{Event, Fault, FormCard, Host, HostError, Note, Place, Platform, SessionView, Turn, UserId};
use formwright_chat as chat;
use tokio::sync::Notify;

/// A host that writes down what it is given.
#[derive(Default)]
pub struct FakeHost {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    events: Vec<Event>,
    seen: std::collections::BTreeSet<String>,
    notes: BTreeMap<(String, String), serde_json::Value>,
    /// How many notes are taken yet; all where it is not said.
    room: Option<usize>,
    forms: Vec<FormCard>,
    faults: Vec<Fault>,
    refusals: Vec<HostError>,
    away: bool,
    stalled: std::collections::BTreeSet<String>,
    turned_away: Vec<chat::TurnedAway>,
    leads: Vec<tokio::sync::oneshot::Sender<()>>,
    view: Option<SessionView>,
    views: BTreeMap<(String, Option<String>), SessionView>,
}

impl FakeHost {
    /// A host with these forms.
    pub fn with_forms(forms: Vec<FormCard>) -> Self {
        let host = Self::default();
        host.lock().forms = forms;
        host
    }

    /// The events accepted so far; an event that came twice is here once.
    pub fn events(&self) -> Vec<Event> {
        self.lock().events.clone()
    }

    /// Waits until so many events were accepted, and gives all.
    ///
    /// # Panics
    /// After ten seconds, naming how many there are.
    pub async fn wait_for_events(&self, count: usize) -> Vec<Event> {
        let enough = async {
            loop {
                let news = self.news.notified();
                let events = self.events();
                if events.len() >= count {
                    return events;
                }
                news.await;
            }
        };
        let Ok(events) = tokio::time::timeout(Duration::from_secs(10), enough).await else {
            panic!("{} events of {count} came in ten seconds", self.events().len());
        };
        events
    }

    /// The next events are refused with these errors, one each.
    pub fn refuse(&self, errors: Vec<HostError>) {
        self.lock().refusals = errors;
    }

    /// From now on nothing can be kept or read, or everything can again.
    pub fn be_away(&self, away: bool) {
        self.lock().away = away;
        self.news.notify_waiters();
    }

    /// What a person does takes until [`FakeHost::go_on`] to be stored.
    pub fn stall(&self, user: &str) {
        self.lock().stalled.insert(user.to_owned());
    }

    /// Everything is stored again at once.
    pub fn go_on(&self) {
        self.lock().stalled.clear();
        self.news.notify_waiters();
    }

    /// What is led is led no longer.
    pub fn lose_leads(&self) {
        self.lock().leads.clear();
    }

    /// What adapters have turned away by themselves.
    pub fn turned_away(&self) -> Vec<chat::TurnedAway> {
        self.lock().turned_away.clone()
    }

    /// An error where nothing can be kept or read.
    fn there(&self) -> Result<MutexGuard<'_, State>, HostError> {
        let state = self.lock();
        if state.away { Err(HostError::Unavailable("away".to_owned())) } else { Ok(state) }
    }

    /// What [`Host::rehearse`] finds wrong from now on.
    pub fn find_fault(&self, faults: Vec<Fault>) {
        self.lock().faults = faults;
    }

    /// What [`Host::view`] gives from now on.
    pub fn show(&self, view: SessionView) {
        self.lock().view = Some(view);
    }

    /// What [`Host::view`] gives of a place from now on; none takes it away.
    pub fn show_at(&self, channel: &str, thread: Option<&str>, view: Option<SessionView>) {
        let at = (channel.to_owned(), thread.map(str::to_owned));
        match view {
            Some(view) => self.lock().views.insert(at, view),
            None => self.lock().views.remove(&at),
        };
    }

    /// A note as it is now.
    pub fn note(&self, platform: &str, key: &str) -> Option<serde_json::Value> {
        self.lock().notes.get(&(platform.to_owned(), key.to_owned())).cloned()
    }

    /// After so many notes no more are taken, as with a store that is away; none takes them again.
    pub fn takes_notes(&self, count: Option<usize>) {
        self.lock().room = count;
    }

    /// A note is lost.
    pub fn forget_note(&self, platform: &str, key: &str) {
        self.lock().notes.remove(&(platform.to_owned(), key.to_owned()));
    }

    /// Every note is lost, as with a store that was put back to an older state.
    pub fn forget_notes(&self) {
        self.lock().notes.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait::async_trait]
impl Host for FakeHost {
    async fn accept(&self, event: Event) -> Result<(), HostError> {
        loop {
            let news = self.news.notified();
            if !self.lock().stalled.contains(event.user.id.as_str()) {
                break;
            }
            news.await;
        }
        let mut state = self.there()?;
        if !state.refusals.is_empty() {
            return Err(state.refusals.remove(0));
        }
        if state.seen.insert(event.id.as_str().to_owned()) {
            state.events.push(event);
        }
        drop(state);
        self.news.notify_waiters();
        Ok(())
    }

    async fn converse(&self, event: Event) -> Result<Turn, HostError> {
        self.accept(event).await.map(|()| Turn::default())
    }

    fn forms(&self) -> Vec<FormCard> {
        self.lock().forms.clone()
    }

    fn form_schema(&self, _: &str) -> Option<serde_json::Value> {
        None
    }

    async fn view(&self, place: &Place, _: &UserId) -> Result<Option<SessionView>, HostError> {
        let state = self.there()?;
        let at = (place.channel.clone(), place.thread.clone());
        Ok(state.views.get(&at).or(state.view.as_ref()).cloned())
    }

    async fn reset(&self, _: &Place, _: &UserId) -> Result<bool, HostError> {
        Ok(false)
    }

    async fn session_count(&self) -> Result<u64, HostError> {
        self.there().map(|_| 0)
    }

    async fn lead(&self, _: &str) -> chat::Lost {
        loop {
            let news = self.news.notified();
            if let Ok(mut state) = self.there() {
                let (lead, lost) = tokio::sync::oneshot::channel();
                state.leads.push(lead);
                return Box::pin(async move { drop(lost.await) });
            }
            news.await;
        }
    }

    fn turned_away(&self, why: chat::TurnedAway) {
        self.lock().turned_away.push(why);
    }

    async fn rehearse(&self, _: &Event) -> Result<Vec<Fault>, HostError> {
        Ok(self.there()?.faults.clone())
    }

    async fn recall(&self, platform: &Platform, key: &str) -> Result<Option<serde_json::Value>, HostError> {
        drop(self.there()?);
        Ok(self.note(platform.as_str(), key))
    }

    async fn remember(&self, note: Note) -> Result<(), HostError> {
        let mut state = self.there()?;
        if let Some(room) = state.room {
            let left = room.checked_sub(1).ok_or_else(|| HostError::Unavailable("no room for notes".to_owned()))?;
            state.room = Some(left);
        }
        let key = (note.platform.as_str().to_owned(), note.key);
        match note.value {
            Some(value) => state.notes.insert(key, value),
            None => state.notes.remove(&key),
        };
        Ok(())
    }
}
