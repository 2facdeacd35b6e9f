//! What adapters may ask: the port [`chat::Host`]. How events are taken in is in `intake`.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use chat::HostError;
use formwright_chat as chat;
use tracing::Instrument as _;

use super::turn::{Turn, TurnError};
use super::{Runtime, words};
use crate::outbox::safety::without_store;
use crate::watch::metrics::Dropped;
use crate::watch::trace;
use formwright_form::{Form, FormId, Kind, Scope};
use formwright_store::{SessionKey, StoreError, Stored};

/// The running bot as adapters see it.
struct RunningHost(Arc<Runtime>);

impl Runtime {
    /// The runtime as adapters see it.
    pub fn host(self: &Arc<Self>) -> Arc<dyn chat::Host> {
        Arc::new(RunningHost(Arc::clone(self)))
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

    fn form_files(&self) -> Vec<chat::FormFile> {
        let conversation = self.0.conversation();
        let forms = conversation.catalog().forms().filter(|form| form.enabled && form.listed);
        let file = |form: &Arc<Form>| {
            let file = form.file.as_ref()?;
            let chat::FormCard { id, title, .. } = card(form);
            Some(chat::FormFile { form: id, title, name: file.name.clone(), text: Arc::clone(&file.text) })
        };
        forms.filter_map(file).collect()
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
        self.0.try_files().await;
        self.0.health().await
    }

    fn notices(&self) -> Vec<String> {
        [self.0.store.notices(), self.0.forms_without_desk(), self.0.no_files()].concat()
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

pub(super) fn unavailable(error: StoreError) -> HostError {
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
