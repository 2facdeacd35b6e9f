//! A person of a crowd, the same on each platform.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;

use super::script::Deed;
use super::{Platform, Scene};
use crate::{discord, slack, telegram};

/// The channel where a crowd is together.
const CHANNEL: &str = "canteen";

/// A person at a place.
#[async_trait]
pub(super) trait Visitor: Send + Sync {
    async fn does(&self, deed: &Deed);
    /// The messages of the bot that say this now.
    fn showing(&self, words: &str) -> BTreeSet<String>;
    /// Waits for another one, in what came after the last deed.
    async fn sees_another(&self, words: &str, known: &BTreeSet<String>);
}

/// The person of this number.
pub(super) fn visitor(scene: &Scene, platform: Platform, no: usize, together: bool) -> Arc<dyn Visitor> {
    let name = format!("Guest{no:03}");
    match platform {
        Platform::Slack if together => {
            scene.slack.channel(CHANNEL);
            Arc::new(scene.slack.person(&name).in_channel(CHANNEL))
        }
        Platform::Slack => Arc::new(scene.slack.person(&name).in_private()),
        Platform::Discord if together => Arc::new(scene.discord.person(&name).in_channel(CHANNEL)),
        Platform::Discord => Arc::new(scene.discord.person(&name).in_private()),
        Platform::Telegram if together => {
            let group = scene.telegram.supergroup(CHANNEL);
            Arc::new(scene.telegram.person(&name).in_group(&group))
        }
        Platform::Telegram => Arc::new(scene.telegram.person(&name).in_private()),
    }
}

/// Has a platform's person visit: all do the same in the same words, but for how a form is begun.
macro_rules! visits {
    ($person:ty, |$me:ident, $form:ident| $begins:expr) => {
        #[async_trait]
        impl Visitor for $person {
            async fn does(&self, deed: &Deed) {
                match deed {
                    Deed::Begins($form) => {
                        let $me = self;
                        $begins
                    }
                    Deed::Writes(words) => self.writes(words).await,
                    Deed::Presses(under, label) => self.presses_under(under, label).await,
                }
            }

            fn showing(&self, words: &str) -> BTreeSet<String> {
                self.showing(words)
            }

            async fn sees_another(&self, words: &str, known: &BTreeSet<String>) {
                self.sees_another(words, known).await;
            }
        }
    };
}

visits!(slack::Person, |me, form| {
    if me.is_private() { me.writes(form).await } else { me.commands(&format!("/formwright {form}")).await }
});
visits!(discord::Person, |me, form| me.runs(form).await);
visits!(telegram::Seat, |me, form| me.uses(&form.replace('-', "_")).await);
