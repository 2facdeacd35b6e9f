//! The port to what conducts the conversation: the engine, or a double of it in tests.

use std::sync::Arc;

use formwright_chat as chat;
use formwright_engine::{Desks, Engine, Input, Leaving, Session, Step, ToolCall};
use formwright_form::Catalog;
use jiff::Timestamp;

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
