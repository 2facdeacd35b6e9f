//! The stored formats, as snapshots: a change of one shows here, and must still read what was stored before.

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::conformance::{at, place, reply, submission, told, user};
use super::{Outgoing, Parcel};
use formwright_engine::{Engine, Happening, Input, Session};
use formwright_form::Catalog;
use formwright_load::{Syntax, load};

const FORM: &str = r#"
schema = 1
id = "order"
title = "Order"
description = "Order something"
[[field]]
id = "size"
kind = "choice"
ask = "Which size?"
options = ["Small", "Large"]
[[field]]
id = "day"
kind = "date"
ask = "When?"
[[field]]
id = "price"
kind = "money"
currency = "EUR"
ask = "At which price?"
[[field]]
id = "notes"
kind = "list"
of = "text"
required = false
ask = "Any notes?"
"#;

/// A session after some messages, without what was said last: words may change, what is stored may not.
fn session(said: &[&str]) -> Session {
    let loaded = load(FORM, Syntax::Toml);
    let mut catalog = Catalog::default();
    let form = loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems));
    catalog.insert(formwright_form::Form { version: formwright_form::FormVersion::new("0a1b"), ..form });
    let engine = Engine::new(catalog);
    let open = chat::Action::Open { form: Some("order".to_owned()) };
    let say = |text: &&str| chat::Action::Say { text: (*text).to_owned() };
    let mut session = Session::new(place(), user("ann"));
    for (no, action) in std::iter::once(open).chain(said.iter().map(say)).enumerate() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50 + i64::try_from(no).unwrap());
        let (locale, zone) = (Some("en-GB".to_owned()), Some("Europe/Rome".to_owned()));
        let event = chat::Event {
            id: chat::EventId::new(format!("e{no}")),
            place: place(),
            user: chat::User { id: user("ann"), name: None, locale, zone },
            at: now,
            action,
            terms: chat::Terms::default(),
        };
        let input = Input { now, nonce: chat::Nonce::new(no as u128), event: Happening::Event(Box::new(event)) };
        session = engine.step(session, input).session;
    }
    session.last.clear();
    for asked in session.draft.iter_mut().flat_map(|draft| draft.asked.values_mut()) {
        asked.wordings = [1].into();
    }
    session
}

#[test]
fn a_session_is_stored_like_this() {
    let session = session(&["large", "on 24 December 2020", "wait, small"]);
    let stored = serde_json::to_value(&session).unwrap();
    assert_eq!(serde_json::from_value::<Session>(stored.clone()).unwrap(), session);
    insta::assert_snapshot!(serde_json::to_string_pretty(&stored).unwrap());
}

#[test]
fn outbox_entries_are_stored_like_this() {
    let entry = |parcel: Parcel| Outgoing {
        id: "s1.1.kitchen".to_owned(),
        lane: "s1.kitchen".to_owned(),
        parcel,
        due: at(5),
        attempts: 1,
        created: at(0),
        last_error: Some("the receiver answered 503".to_owned()),
    };
    let sink = formwright_form::Sink::Webhook {
        url: "https://kitchen.example/".to_owned(),
        secret: Some("env:KITCHEN".to_owned()),
        secret_next: None,
    };
    let submission = Box::new(submission("s1", 1, "order", "ann"));
    let parcels = [
        Parcel::Reply { place: place(), user: user("ann"), reply: Box::new(reply("hello")) },
        Parcel::Submission { sink, name: "kitchen".to_owned(), submission },
        told("ann"),
        Parcel::Erased,
    ];
    let entries = parcels.map(entry);
    let stored: Vec<Value> = entries.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect();
    let read = stored.iter().map(|entry| serde_json::from_value::<Outgoing>(entry.clone()).unwrap());
    assert!(read.eq(entries));
    insta::assert_snapshot!(serde_json::to_string_pretty(&stored).unwrap());
}
