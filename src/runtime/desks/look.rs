//! The desks are looked at. One that cannot be reached switches the forms that need it off, until it can, and says so in
//! the log and in health.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use formwright_chat as chat;
use formwright_engine::Desk;
use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinSet;

use super::reach::Known;
use crate::Runtime;

/// How often the desks are looked at, and how soon again while it is not known of one whether it can be reached.
const LOOK: Duration = Duration::from_secs(60);
const LOOK_SOON: Duration = Duration::from_secs(5);
/// How long a platform may take to say.
const IN: Duration = Duration::from_secs(10);
/// How long after the first look a desk that was never reached counts as out of reach, whatever the reason.
const PATIENCE: SignedDuration = SignedDuration::from_secs(60);
/// How long a delivery counts that the platform refused, whatever a look says: longer than until its next try.
const REFUSED: SignedDuration = SignedDuration::from_mins(15);

impl Runtime {
    /// Names desks of the settings that cannot be, with the reasons. From now on a form is off while a desk that it needs
    /// cannot be reached.
    pub fn shut_desks(&self, shut: BTreeMap<String, String>) {
        self.note_reach(|known| known.shut.extend(shut.into_iter().map(|(name, why)| (name, (why, Timestamp::MAX)))));
    }

    /// Looks again and again which desks can be reached.
    pub(crate) async fn look_at_desks_regularly(self: Arc<Self>) {
        loop {
            let all_known = self.look_at_desks().await;
            tokio::time::sleep(if all_known { LOOK } else { LOOK_SOON }).await;
        }
    }

    /// Looks which desks can be reached; tells whether that is known of all.
    pub async fn look_at_desks(&self) -> bool {
        let mut looks = JoinSet::new();
        for (name, desk) in self.conversation().desks() {
            let adapter = self.adapters.get(desk.place.platform.as_str()).cloned();
            looks.spawn(async move { (name, look(adapter, &desk).await) });
        }
        let mut looked = Vec::new();
        while let Some(one) = looks.join_next().await {
            looked.extend(one);
        }
        let now = self.clock.now();
        let mut all_known = true;
        self.note_reach(|known| {
            let patient = now.duration_since(*known.began.get_or_insert(now)) < PATIENCE;
            for (name, found) in looked {
                match found {
                    Ok(()) => known.meet(&name, now),
                    Err(chat::DeliveryError::Later { why, .. }) => {
                        all_known = false;
                        if !patient && !known.met.contains(&name) {
                            known.shut.entry(name).or_insert((why, now));
                        }
                    }
                    Err(chat::DeliveryError::Unwanted { why } | chat::DeliveryError::Never { why }) => {
                        known.shut.entry(name).or_insert((why, now));
                    }
                }
            }
        });
        all_known
    }

    /// Notes how a delivery to the desk at a place has ended: whether it arrived, or why it never will.
    pub(crate) fn tried_desk(&self, place: &chat::Place, refused: Option<&str>) {
        let desks = self.conversation().desks();
        let Some((name, _)) = desks.iter().find(|(_, desk)| desk.place == *place) else { return };
        let now = self.clock.now();
        self.note_reach(|known| match refused {
            None => known.meet(name, Timestamp::MAX),
            Some(why) => drop(known.shut.insert(name.clone(), (why.to_owned(), now + REFUSED))),
        });
    }

    /// The forms that are off because a desk cannot be reached, in words for operators.
    pub(crate) fn forms_without_desk(&self) -> Vec<String> {
        let (conversation, known) = (self.conversation(), self.reach.lock());
        let catalog = conversation.catalog();
        let shut = catalog.forms().flat_map(|form| catalog.desks_out_of_reach(form).map(move |desk| (form, desk)));
        let told = shut.map(|(form, desk)| {
            let why = known.shut.get(desk).map_or("it is not in the settings", |(why, _)| why.as_str());
            format!("the form `{}` is off: its desk `{desk}` cannot be reached: {why}", form.id)
        });
        told.collect()
    }

    /// Notes something of the desks, and switches forms by it.
    fn note_reach(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.reach.lock();
        let before: BTreeSet<String> = known.shut.keys().cloned().collect();
        change(&mut known);
        for (desk, (why, _)) in known.shut.iter().filter(|(desk, _)| !before.contains(*desk)) {
            tracing::error!(desk, why, "a desk cannot be reached: the forms that need it are off until it can");
        }
        for desk in before.iter().filter(|desk| !known.shut.contains_key(*desk)) {
            tracing::info!(desk, "a desk can be reached again, and its forms are on");
        }
        let desks = self.conversation().desks();
        let reached: BTreeSet<String> = desks.into_keys().filter(|name| !known.shut.contains_key(name)).collect();
        if known.reached.as_ref() != Some(&reached) {
            known.reached = Some(reached.clone());
            self.change_forms(|catalog| {
                let mut catalog = catalog.clone();
                catalog.reach_desks(reached);
                catalog
            });
        }
    }
}

/// Whether a desk can be reached now.
async fn look(adapter: Option<Arc<dyn chat::Adapter>>, desk: &Desk) -> Result<(), chat::DeliveryError> {
    let platform = &desk.place.platform;
    let Some(adapter) = adapter else {
        return Err(chat::DeliveryError::never(format!("the platform {platform} is not set up")));
    };
    if let Some(why) = adapter.trouble() {
        return Err(chat::DeliveryError::never(why));
    }
    let late = |_| Err(chat::DeliveryError::later(format!("{platform} does not say whether it can be reached")));
    tokio::time::timeout(IN, adapter.reach(&desk.place)).await.unwrap_or_else(late)
}
