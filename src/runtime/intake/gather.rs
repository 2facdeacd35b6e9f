//! Messages are gathered before their turn is queued, where more is to be expected.

use std::sync::Arc;

use formwright_chat as chat;
use formwright_engine::Session;
use formwright_store::{SessionKey, Stored};

use super::burst::{Coming, Waiting, in_order, merged, writer_of};
use crate::Runtime;

impl Runtime {
    /// Queues the turn of an event: a message that may go on once no other has come for a moment, anything else at once,
    /// behind the messages that wait.
    pub(crate) fn gather(self: &Arc<Self>, key: SessionKey, coming: Coming) {
        let window = self.limits.merge_window;
        let chat::Event { action, terms, .. } = &coming.event;
        let may_go_on = matches!(action, chat::Action::Say { .. }) && !window.is_zero();
        let mut waiting = self.bursts.waiting();
        let edit = waiting.is_edit(&key, &coming.event);
        // Whoever waits for an answer has said all of it.
        if !edit && (!may_go_on || terms.waits || terms.case.is_some()) {
            self.post_waiting(&mut waiting, &key);
            return self.post_events(&key, vec![coming]);
        }
        if edit {
            waiting.add(&key, coming);
            return;
        }
        if waiting.is_of_another(&key, &coming.event) {
            self.post_waiting(&mut waiting, &key);
        }
        waiting.note_writer(&coming.event, window);
        let added = waiting.add(&key, coming);
        drop(waiting);
        let runtime = Arc::clone(self);
        tokio::spawn(async move {
            if runtime.goes_on(&key, added.burst).await {
                if !added.first {
                    return;
                }
                runtime.clock.pause(window).await;
            }
            runtime.flush(&key, added.burst);
        });
    }

    /// Whether more is to be expected of who wrote the messages of a burst.
    async fn goes_on(&self, key: &SessionKey, burst: u64) -> bool {
        let said = {
            let waiting = self.bursts.waiting();
            let Some(burst) = waiting.bursts.get(key).filter(|waiting| waiting.no == burst) else { return false };
            let Some(last) = burst.coming.last() else { return false };
            if waiting.writers.get(&writer_of(&last.event)).is_some_and(|writer| writer.pieces > 0) {
                return true;
            }
            let events: Vec<_> = burst.coming.iter().map(|coming| coming.event.clone()).collect();
            merged(&events)
        };
        let Some(event) = said else { return false };
        let chat::Action::Say { text } = &event.action else { return false };
        // What cannot be read now is read by the turn.
        let Stored { session, .. } = self.store.load_recent(key).await.unwrap_or_default();
        let session = session.map(Arc::unwrap_or_clone);
        let session = session.unwrap_or_else(|| Session::new(event.place.clone(), event.user.id.clone()));
        self.conversation().is_unfinished(&session, text)
    }

    /// Drops the messages of a person that wait for more.
    pub(crate) fn drop_bursts_of(&self, platform: &chat::Platform, user: &chat::UserId) {
        self.bursts.drop_of(platform, user);
    }

    /// Queues the turn of a burst, unless that is done.
    fn flush(self: &Arc<Self>, key: &SessionKey, burst: u64) {
        let mut waiting = self.bursts.waiting();
        if waiting.bursts.get(key).is_some_and(|waiting| waiting.no == burst) {
            self.post_waiting(&mut waiting, key);
        }
    }

    /// Queues the turn of the messages of a session that wait, before anything else of it can be queued.
    fn post_waiting(self: &Arc<Self>, waiting: &mut Waiting, key: &SessionKey) {
        let Some(mut burst) = waiting.bursts.remove(key) else { return };
        in_order(&mut burst.coming);
        self.post_events(key, burst.coming);
    }
}
