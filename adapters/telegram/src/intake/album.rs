//! Files that were sent together. Telegram brings each in a message of its own; a question for files is answered by all
//! of them at once. They are gathered in a note, so that none is lost though Telegram was told of the first ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_chat::{Action, Event, EventId, HostError};

use crate::core::Core;
use crate::limits;

const NOTE: &str = "albums";
/// What locks the note.
const LOCK: &str = "albums";

/// Groups under way, by chat and the platform's id.
type Albums = BTreeMap<String, Event>;

impl Core {
    /// Adds a file to its group. After the last one, and a moment, the group goes to the product as one event.
    pub(crate) async fn gather(self: &Arc<Self>, album: &str, event: Event) -> Result<(), HostError> {
        let lock = self.lock(LOCK);
        let _one_at_a_time = lock.lock().await;
        let mut albums: Albums = self.recall(NOTE).await?.unwrap_or_default();
        let count = match albums.get_mut(album) {
            Some(gathered) => join(gathered, event),
            None => {
                let id = EventId::new(format!("{}:album:{album}", self.me.id));
                albums.insert(album.to_owned(), Event { id, ..event });
                1
            }
        };
        self.remember(NOTE, None, Some(&albums)).await?;
        let (core, album) = (Arc::clone(self), album.to_owned());
        self.spawn(async move {
            tokio::time::sleep(limits::ALBUM).await;
            core.close_album(&album, Some(count)).await;
        });
        Ok(())
    }

    /// Hands in what a process before this one had gathered.
    pub(crate) async fn close_albums(self: &Arc<Self>) -> Result<(), HostError> {
        let albums: Albums = self.recall(NOTE).await?.unwrap_or_default();
        for album in albums.into_keys() {
            self.close_album(&album, None).await;
        }
        Ok(())
    }

    /// Hands a group in, unless more files came since there were `count`.
    async fn close_album(self: &Arc<Self>, album: &str, count: Option<usize>) {
        loop {
            match self.try_close(album, count).await {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "files that were sent together wait for the store"),
            }
            tokio::time::sleep(limits::ALBUM).await;
        }
    }

    async fn try_close(&self, album: &str, count: Option<usize>) -> Result<(), HostError> {
        let lock = self.lock(LOCK);
        let _one_at_a_time = lock.lock().await;
        let mut albums: Albums = self.recall(NOTE).await?.unwrap_or_default();
        let Some(event) = albums.get(album).filter(|event| count.is_none_or(|count| count == files(event))) else {
            return Ok(());
        };
        match self.host.accept(event.clone()).await {
            Err(error @ HostError::Unavailable(_)) => return Err(error),
            Err(error) => tracing::info!(%error, "files that were sent together were not taken"),
            Ok(()) => {}
        }
        albums.remove(album);
        self.remember(NOTE, None, Some(&albums)).await
    }
}

fn files(event: &Event) -> usize {
    match &event.action {
        Action::Attach { files, .. } => files.len(),
        _ => 0,
    }
}

/// Adds the files and the caption of an event, unless they are there already; gives the number of files.
fn join(gathered: &mut Event, event: Event) -> usize {
    if let (Action::Attach { files, text }, Action::Attach { files: more, text: caption }) =
        (&mut gathered.action, event.action)
    {
        for file in more {
            if !files.iter().any(|known| known.id == file.id) {
                files.push(file);
            }
        }
        if text.is_empty() {
            *text = caption;
        }
    }
    files(gathered)
}
