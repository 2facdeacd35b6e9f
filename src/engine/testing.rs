//! What tests of the engine share: forms from texts, and one thing after another that somebody does.

use formwright_chat as chat;
use jiff::Timestamp;

use crate::effect::Effect;
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::session::Session;
use formwright_form::Catalog;
use formwright_load::{Syntax, load};

/// The forms of these texts.
pub(crate) fn catalog(texts: &[&str]) -> Catalog {
    let mut catalog = Catalog::default();
    for text in texts {
        let loaded = load(text, Syntax::Toml);
        catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    }
    catalog
}

/// Somebody whose platform tells their language and no more.
pub(crate) fn somebody(id: &str, lang: &str) -> chat::User {
    chat::User { id: chat::UserId::new(id), name: None, locale: Some(lang.to_owned()), zone: None }
}

/// What comes of the thing of this number that somebody does in a session.
pub(crate) fn does(
    engine: &Engine,
    session: &mut Session,
    no: u32,
    now: Timestamp,
    user: chat::User,
    (action, terms): (chat::Action, chat::Terms),
) -> Vec<Effect> {
    let (id, place) = (chat::EventId::new(format!("update {no}")), session.place.clone());
    let event = chat::Event { id, place, user, at: now, action, terms };
    let input = Input { now, nonce: chat::Nonce::new(no.into()), event: Happening::Event(Box::new(event)) };
    let step = engine.step(session.clone(), input);
    *session = step.session;
    step.effects
}
