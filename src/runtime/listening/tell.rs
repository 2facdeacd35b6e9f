//! Who listens is told what a turn has done.

use std::panic::{AssertUnwindSafe, catch_unwind};

use formwright_chat as chat;
use formwright_engine::Session;
use formwright_form::listen::To;
use formwright_form::{Form, Sink};
use formwright_store::{Outgoing, Parcel};
use jiff::Timestamp;
use sha2::Digest as _;

use super::Told;
use crate::clock::{self, NoRandomness};
use crate::turn::work::Work;
use crate::{Around, Runtime, SessionKey};

impl Runtime {
    /// What a turn has done to forms that somebody listens to.
    pub(crate) fn told(&self, before: Option<&Session>, work: &Work, expired: bool) -> Result<Vec<Told>, NoRandomness> {
        let conversation = self.conversation();
        let catalog = conversation.catalog();
        let all = !self.around().listen.is_empty() || !self.listeners.is_empty();
        if !all && !catalog.may_have_listeners() {
            return Ok(Vec::new());
        }
        let heard = |form: &Form| all || !form.listen.is_empty();
        let id = clock::nonce()?;
        let turned = formwright_engine::lifecycle::Turned {
            id: id.as_str(),
            at: self.clock.now(),
            before,
            after: &work.session,
            expired,
            submissions: &work.submissions,
            refused: &work.refused,
            ran: &work.ran,
            left: &work.left,
        };
        Ok(turned.told(catalog, heard))
    }

    /// Outbox entries for those who listen from outside: one lane for each of them in each session, so that they hear in
    /// order.
    pub(crate) fn tellings(&self, key: &SessionKey, told: &[Told], now: Timestamp) -> Vec<Outgoing> {
        let conversation = self.conversation();
        let (catalog, around) = (conversation.catalog(), self.around());
        let mut entries = Vec::new();
        for told in told {
            let form = catalog.version(&told.form, &told.version).or_else(|| catalog.form(&told.form));
            let own = form.map(|form| form.listen.as_slice()).unwrap_or_default();
            let mut sinks: Vec<&Sink> = Vec::new();
            for listen in own.iter().chain(&around.listen).filter(|listen| listen.events.contains(&told.what.kind())) {
                let Some(sink) = webhook_of(&around, &listen.to) else {
                    tracing::error!(form = %told.form, "there is no such webhook in the settings: nobody is told");
                    continue;
                };
                if !sinks.contains(&sink) {
                    sinks.push(sink);
                }
            }
            entries.extend(sinks.into_iter().enumerate().map(|(no, sink)| Outgoing {
                id: format!("{}.{no}", told.id),
                lane: format!("{}.told.{}", key.as_str(), short(sink)),
                parcel: Parcel::Told { sink: sink.clone(), told: Box::new(told.clone()) },
                due: now,
                attempts: 0,
                created: now,
                last_error: None,
            }));
        }
        entries
    }

    /// Tells a program's own listeners. One that panics hears the next again, and nobody else notices.
    pub(crate) fn tell_listeners(&self, told: &[Told]) {
        for told in told {
            for listener in &self.listeners {
                if catch_unwind(AssertUnwindSafe(|| listener.told(told))).is_err() {
                    tracing::error!(form = %told.form, event = told.what.kind().name(), "a listener panicked");
                }
            }
        }
    }
}

fn webhook_of<'a>(around: &'a Around, to: &'a To) -> Option<&'a Sink> {
    match to {
        To::Webhook(sink) => Some(sink),
        To::Settings(name) => around.sinks.get(name.as_str()),
    }
}

/// Tells listeners apart, without what may be secret in an address.
fn short(sink: &Sink) -> String {
    let url = match sink {
        Sink::Webhook { url, .. } => url.as_str(),
        Sink::Jsonl { .. } | Sink::Csv { .. } | Sink::Sqlite { .. } | Sink::Tool { .. } => "",
    };
    chat::hex(&sha2::Sha256::digest(url.as_bytes())[..6])
}
