//! Every store: what adapters remember.

use formwright_chat as chat;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Bench, at, user};
use crate::{NOTE_LIFE, Store as _};

fn note(key: &str, owner: Option<&str>, value: Value) -> chat::Note {
    chat::Note {
        platform: chat::Platform::new("slack"),
        key: key.to_owned(),
        owner: owner.map(user),
        value: Some(value).filter(|value| !value.is_null()),
    }
}

async fn kept<B: Bench>(bench: &B, key: &str) -> Option<Value> {
    bench.store().note(&chat::Platform::new("slack"), key).await.unwrap()
}

pub(crate) async fn a_note_is_kept_replaced_and_taken_away<B: Bench>() {
    let bench = B::new();
    assert_eq!(kept(&bench, "offset").await, None);
    for value in [json!(1), json!({"n": [2, "é"]})] {
        bench.store().set_note(&note("offset", None, value.clone()), at(0)).await.unwrap();
        assert_eq!(kept(&bench, "offset").await, Some(value));
    }
    bench.store().set_note(&note("offset", None, Value::Null), at(0)).await.unwrap();
    assert_eq!(kept(&bench, "offset").await, None);
}

pub(crate) async fn a_note_survives_and_belongs_to_its_platform<B: Bench>() {
    let bench = B::new();
    bench.store().set_note(&note("offset", None, json!(7)), at(0)).await.unwrap();
    let bench = bench.reopen();
    assert_eq!(kept(&bench, "offset").await, Some(json!(7)));
    assert_eq!(bench.store().note(&chat::Platform::new("discord"), "offset").await.unwrap(), None);
}

pub(crate) async fn erasing_takes_the_notes_about_a_person_only<B: Bench>() {
    let bench = B::new();
    for (key, owner) in [("a", Some("ann")), ("b", Some("ben")), ("c", None)] {
        bench.store().set_note(&note(key, owner, json!(key)), at(0)).await.unwrap();
    }
    assert_eq!(bench.store().erase(&chat::Platform::new("slack"), &user("ann"), None).await.unwrap().counts.notes, 1);
    assert_eq!(kept(&bench, "a").await, None);
    assert!(kept(&bench, "b").await.is_some() && kept(&bench, "c").await.is_some());
}

pub(crate) async fn old_notes_about_people_are_swept_and_others_stay<B: Bench>() {
    let bench = B::new();
    for (key, owner, written) in [("old", Some("ann"), 0), ("new", Some("ann"), 100), ("ours", None, 0)] {
        bench.store().set_note(&note(key, owner, json!(key)), at(written)).await.unwrap();
    }
    assert_eq!(bench.store().sweep(at(50)).await.unwrap(), 0);
    let later = at(50) + NOTE_LIFE + SignedDuration::ZERO;
    assert_eq!(bench.store().sweep(later).await.unwrap(), 1);
    assert_eq!(kept(&bench, "old").await, None);
    assert!(kept(&bench, "new").await.is_some() && kept(&bench, "ours").await.is_some());
}
