//! `formwright outbox`: what waits, what arrived, what was given up, and how to send it again.

use jiff::Timestamp;

use super::{Failure, OutboxAction, Which, print, table};
use crate::runtime::{OutboxState, Parcel, Store};

/// Most entries listed, or replayed by `all`.
const MOST: u32 = 10_000;

/// Lists or replays outbox entries.
///
/// # Errors
/// [`Failure::Asked`] where there is no such dead letter, [`Failure::Undone`] where the store fails.
pub async fn run(store: &dyn Store, action: Option<OutboxAction>, now: Timestamp) -> Result<(), Failure> {
    match action.unwrap_or(OutboxAction::List { state: Which::Dead }) {
        OutboxAction::List { state } => list(store, state).await,
        OutboxAction::Replay { id } if id == "all" => {
            let dead = store.outbox(OutboxState::Dead, MOST).await.map_err(Failure::undone)?;
            for entry in &dead {
                store.replay(&entry.id, now).await.map_err(Failure::undone)?;
            }
            let entries = if dead.len() == 1 { "entry" } else { "entries" };
            print(&format!("{} {entries} will be sent again by the running server\n", dead.len()))
        }
        OutboxAction::Replay { id } => {
            if store.replay(&id, now).await.map_err(Failure::undone)? {
                print("it will be sent again by the running server\n")
            } else {
                Err(Failure::Asked(format!("there is no dead letter `{id}`; `formwright outbox list` shows them")))
            }
        }
    }
}

async fn list(store: &dyn Store, which: Which) -> Result<(), Failure> {
    let state = match which {
        Which::Waiting => OutboxState::Waiting,
        Which::Delivered => OutboxState::Delivered,
        Which::Dead => OutboxState::Dead,
    };
    let entries = store.outbox(state, MOST).await.map_err(Failure::undone)?;
    if entries.is_empty() {
        return print(&format!("nothing there{}\n", trouble(store, which).await?));
    }
    let rows: Vec<Vec<String>> = entries
        .into_iter()
        .map(|entry| {
            let to = match entry.parcel {
                Parcel::Reply { place, .. } => format!("reply on {}", place.platform),
                Parcel::Submission { name, submission, .. } => format!("{} to {name}", submission.form),
                Parcel::Told { told, .. } => format!("{}: {}", told.form, told.what.kind().name()),
                // What has arrived is not kept; a dead letter without a body is one that could not be read.
                Parcel::Erased if which == Which::Delivered => "delivered, content no longer kept".to_owned(),
                Parcel::Erased => "content cannot be read".to_owned(),
            };
            let error = entry.last_error.unwrap_or_default();
            vec![entry.id, to, entry.attempts.to_string(), entry.created.to_string(), entry.due.to_string(), error]
        })
        .collect();
    print(&table(&["id", "what", "tries", "since", "due", "last error"], &rows))
}

/// What is tried again at present, for who looks for what was given up.
async fn trouble(store: &dyn Store, which: Which) -> Result<String, Failure> {
    if which != Which::Dead {
        return Ok(String::new());
    }
    let waiting = store.outbox(OutboxState::Waiting, MOST).await.map_err(Failure::undone)?;
    let failed = waiting.iter().filter(|entry| entry.last_error.is_some()).count();
    let (entries, have) = if failed == 1 { ("entry", "has") } else { ("entries", "have") };
    Ok(match failed {
        0 => String::new(),
        _ => format!(
            "; but {failed} {entries} {have} failed and will be tried again: \
             `formwright outbox list --state waiting` shows them"
        ),
    })
}
