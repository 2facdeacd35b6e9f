//! What a store must do, as checks that every store runs: a store that passes is a store.

pub(crate) mod commits;
pub(crate) mod crowds;
pub(crate) mod events;
pub(crate) mod notes;
pub(crate) mod outbox;
pub(crate) mod people;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};

use super::{Commit, Outgoing, Packed, Parcel, SessionKey, Store};
use formwright_engine::lifecycle::{Told, What};
use formwright_engine::{Session, Submission};
use formwright_form::{FormId, FormVersion};

/// A store to be checked, and how to start it again.
pub(crate) trait Bench: Sized {
    type Store: Store;

    /// Whether what the store needs is on this machine; where it is not, its checks are left out.
    fn at_hand() -> bool {
        true
    }

    /// A new, empty store.
    fn new() -> Self;

    fn store(&self) -> &Self::Store;

    /// The store after an end without warning; where nothing survives the process, the store as it is.
    fn reopen(self) -> Self;
}

/// Makes a test of each check, for a [`Bench`].
macro_rules! conformance_tests {
    ($bench:ident) => {
        $crate::conformance::conformance_tests!($bench, events:
            a_new_event_is_stored,
            an_event_without_a_turn_stays_open,
            an_event_whose_turn_was_written_gives_the_same_replies,
            an_event_never_accepted_is_marked_by_its_commit,
            the_same_id_in_another_session_is_another_event,
            an_unknown_event_was_not_seen,
            seen_does_not_store,
            open_events_come_oldest_first_and_at_most_so_many,
            events_read_together_are_done_together,
            an_accepted_event_survives_whole,
        );
        $crate::conformance::conformance_tests!($bench, commits:
            a_new_session_has_version_zero,
            a_session_reads_back_as_it_was_written,
            each_commit_raises_the_version,
            a_commit_on_an_old_version_conflicts_and_changes_nothing,
            two_first_commits_conflict,
            the_same_turn_again_is_recognised,
            the_same_turn_is_recognised_after_later_turns,
            an_event_worked_on_by_another_turn_conflicts,
            a_turn_without_an_event_is_recognised,
            a_commit_without_a_session_deletes_it,
            a_session_made_anew_never_has_an_old_version,
            a_turn_is_written_whole,
            a_submission_is_kept_once_by_id_and_revision,
            submissions_are_listed_by_form_oldest_first,
            a_turn_survives_whole,
            a_models_answer_is_kept_until_its_turn_is_committed,
            a_models_answer_goes_with_its_person,
        );
        $crate::conformance::conformance_tests!($bench, outbox:
            nothing_is_due_before_its_time,
            what_is_due_comes_whole_and_earliest_first,
            a_leased_entry_is_not_given_again_until_the_lease_ends,
            a_lane_gives_its_head_only,
            a_waiting_head_holds_its_lane_though_later_entries_are_due,
            other_lanes_go_on,
            a_dead_head_frees_its_lane,
            a_limit_is_kept,
            a_delivered_entry_keeps_its_id_and_loses_its_body,
            a_delivered_entry_is_never_put_in_again,
            a_delivered_entry_stays_so_whatever_a_slow_worker_says,
            a_retry_waits_counts_and_keeps_its_reason,
            what_is_held_back_counts_as_no_attempt,
            a_dead_letter_is_kept_with_its_reason,
            a_dead_letter_is_replayed,
            only_a_dead_letter_is_replayed,
            a_lease_outlives_a_restart,
            a_dead_letter_put_in_again_is_due_again,
            released_leases_are_given_again_at_once,
            what_waits_behind_an_entry_is_seen_in_order,
        );
        $crate::conformance::conformance_tests!($bench, notes:
            a_note_is_kept_replaced_and_taken_away,
            a_note_survives_and_belongs_to_its_platform,
            erasing_takes_the_notes_about_a_person_only,
            old_notes_about_people_are_swept_and_others_stay,
        );
        $crate::conformance::conformance_tests!($bench, people:
            erasing_leaves_nothing_of_the_person,
            erasing_leaves_others_alone,
            erasing_nobody_removes_nothing,
            erasing_takes_what_a_person_did_with_others,
            erasing_takes_a_person_s_requests_at_desks,
            erasing_a_client_takes_everybody_it_spoke_for,
            erasing_one_leaves_the_others_of_a_client,
            erasing_tells_what_went_and_what_had_not_arrived,
            a_session_that_is_spared_stays_with_its_events,
            erasing_many_lets_others_write_and_goes_on_where_it_was_cut_off,
            erasing_takes_the_submissions_a_person_gave_answers_in,
            old_submissions_of_a_form_are_forgotten_with_their_dead_letters,
            deleting_tells_whether_there_was_a_session,
            sessions_are_counted,
            expired_sessions_are_found_and_no_others,
            a_touched_session_expires_later,
            sweeping_forgets_old_seen_events_and_deliveries,
            sweeping_keeps_what_is_not_finished,
        );
        $crate::conformance::conformance_tests!($bench, crowds:
            writers_of_the_same_sessions_lose_nothing,
            a_thousand_sessions_are_all_there,
            workers_of_the_same_outbox_take_each_entry_once,
            an_event_delivered_many_times_at_once_is_new_once,
        );
    };
    ($bench:ident, $topic:ident: $($check:ident,)*) => {
        mod $topic {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $check() {
                    if <super::$bench as $crate::conformance::Bench>::at_hand() {
                        $crate::conformance::$topic::$check::<super::$bench>().await;
                    }
                }
            )*
        }
    };
}
pub(crate) use conformance_tests;

/// So many seconds after a fixed moment.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_700_000_000 + seconds)
}

pub(crate) fn place() -> chat::Place {
    chat::Place {
        platform: chat::Platform::new("web"),
        workspace: String::new(),
        channel: "c1".to_owned(),
        thread: None,
    }
}

pub(crate) fn user(name: &str) -> chat::UserId {
    chat::UserId::new(name)
}

pub(crate) fn key(name: &str) -> SessionKey {
    SessionKey::new(&place(), &user(name))
}

pub(crate) fn event(id: &str, name: &str) -> chat::Event {
    chat::Event {
        id: chat::EventId::new(id),
        place: place(),
        user: chat::User { id: user(name), name: Some("Ann".to_owned()), locale: None, zone: None },
        at: at(0),
        action: chat::Action::Say { text: format!("event {id}: two spicy pizzas") },
        terms: chat::Terms::default(),
    }
}

/// A session that can be told from others by its language.
pub(crate) fn session(name: &str, mark: &str) -> Session {
    serde_json::from_value(serde_json::json!({
        "place": place(), "owner": name, "lang": mark, "zone": null, "draft": null, "parked": [], "closed": null,
        "screen": null, "past": [], "last": [],
    }))
    .expect("the words of a session")
}

pub(crate) fn packed(session: Session) -> Packed {
    Packed::new(session).expect("a session is JSON")
}

pub(crate) fn reply(text: &str) -> chat::Reply {
    chat::Reply { say: vec![text.to_owned()], lang: "en".to_owned(), ..chat::Reply::default() }
}

pub(crate) fn submission(id: &str, revision: u32, form: &str, name: &str) -> Submission {
    Submission {
        id: id.to_owned(),
        revision,
        form: FormId::new(form),
        version: FormVersion::new("v1"),
        at: at(0),
        place: place(),
        user: user(name),
        shared: false,
        answers: serde_json::json!({"pizza": "diavola"}),
        provenance: Vec::new(),
        review: None,
        zone: None,
    }
}

pub(crate) fn outgoing(id: &str, lane: &str, name: &str, due: i64) -> Outgoing {
    Outgoing {
        id: id.to_owned(),
        lane: lane.to_owned(),
        parcel: Parcel::Reply { place: place(), user: user(name), reply: Box::new(reply(id)) },
        due: at(due),
        attempts: 0,
        created: at(0),
        last_error: None,
    }
}

/// What happened to a form, for a listener.
pub(crate) fn told(name: &str) -> Parcel {
    let sink =
        formwright_form::Sink::Webhook { url: "https://office.example/".to_owned(), secret: None, secret_next: None };
    let told = Told {
        id: "t1.0".to_owned(),
        at: at(0),
        form: FormId::new("order"),
        version: FormVersion::new("v1"),
        submission: "s1".to_owned(),
        place: place(),
        user: user(name),
        what: What::Changed {
            field: "size".to_owned(),
            before: None,
            after: Some("large".into()),
            source: Some(chat::Source::Said),
            sensitive: false,
        },
    };
    Parcel::Told { sink, told: Box::new(told) }
}

/// A commit of a session at a version, with nothing else in it.
pub(crate) fn commit(name: &str, version: u64, turn: &str) -> Commit {
    Commit {
        key: key(name),
        version,
        event: None,
        merged: Vec::new(),
        turn: turn.to_owned(),
        session: Some(packed(session(name, turn))),
        expires: at(1_000_000),
        replies: Vec::new(),
        outbox: Vec::new(),
        submissions: Vec::new(),
        now: at(0),
    }
}

/// Puts entries in the outbox by a turn of their own, of a session that is always the same.
pub(crate) async fn send(store: &impl Store, turn: &str, entries: Vec<Outgoing>) {
    let version = store.load(&key("sender")).await.unwrap().version;
    let done = store.commit(&Commit { outbox: entries, ..commit("sender", version, turn) }).await;
    assert_eq!(done.unwrap(), super::Committed::Done);
}

/// Ids of what is due at a second, leased for ten seconds.
pub(crate) async fn due(store: &impl Store, second: i64) -> Vec<String> {
    let due = store.due(at(second), at(second + 10), 100).await.unwrap();
    due.into_iter().map(|entry| entry.id).collect()
}
