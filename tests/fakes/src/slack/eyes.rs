//! What a person sees: the messages where they are, and App Home.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::person::Person;
use super::world::{BOT, Message, World};

/// Messages that fit on a screen.
const SCREEN: usize = 10;

impl Person {
    /// The last messages here, drawn.
    pub fn screen(&self) -> String {
        self.screen_in(&self.inner.lock())
    }

    pub(super) fn screen_in(&self, world: &World) -> String {
        world.screen(&self.user, &self.channel, self.thread.as_deref())
    }

    /// Waits until the screen shows this.
    pub async fn sees(&self, words: &str) {
        let shows = |world: &mut World| self.screen_in(world).contains(words).then_some(());
        self.inner.until(&format!("{} sees {words:?}", self.user), shows).await;
    }

    /// Waits until a message that is newer, or was changed later, than what the person did last shows this.
    pub async fn sees_next(&self, words: &str) {
        let mark = self.mark.load(Ordering::SeqCst);
        let shows = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref());
            let new = |message: &&&Message| message.changed >= mark && message.from != self.user;
            let new =
                seen.iter().filter(new).any(|message| world.drawn(&self.user, &self.channel, message).contains(words));
            new.then_some(())
        };
        self.inner.until(&format!("{} sees {words:?} next", self.user), shows).await;
    }

    /// Waits until the screen does not show this any more.
    pub async fn sees_no_more(&self, words: &str) {
        let gone = |world: &mut World| (!self.screen_in(world).contains(words)).then_some(());
        self.inner.until(&format!("{} sees {words:?} no more", self.user), gone).await;
    }

    /// Every message of the app that the person sees here, as it is drawn.
    pub fn read(&self) -> Vec<String> {
        let world = self.inner.lock();
        let seen = world.seen(&self.user, &self.channel, self.thread.as_deref()).into_iter();
        let of_the_app = seen.filter(|message| message.from == BOT);
        of_the_app.map(|message| world.drawn(&self.user, &self.channel, message)).collect()
    }

    /// The messages of the app here that say this now, by their times.
    pub fn showing(&self, words: &str) -> BTreeSet<String> {
        let world = self.inner.lock();
        let seen = world.seen(&self.user, &self.channel, self.thread.as_deref()).into_iter();
        let of_the_app = seen.filter(|message| message.from == BOT);
        let saying = of_the_app.filter(|message| world.drawn(&self.user, &self.channel, message).contains(words));
        saying.map(|message| message.ts.clone()).collect()
    }

    /// Waits until a message of the app other than these, newer or changed later than what the person did last, says this.
    pub async fn sees_another(&self, words: &str, known: &BTreeSet<String>) {
        let mark = self.mark.load(Ordering::SeqCst);
        let shows = |world: &mut World| {
            let seen = world.seen(&self.user, &self.channel, self.thread.as_deref()).into_iter();
            let mut new = seen.filter(|message| message.changed >= mark && message.from == BOT);
            let says = |message: &Message| world.drawn(&self.user, &self.channel, message).contains(words);
            new.any(|message| !known.contains(&message.ts) && says(message)).then_some(())
        };
        self.inner.until(&format!("{} sees another {words:?}", self.user), shows).await;
    }

    /// How often Slack has told them here that the app did not answer.
    pub fn unanswered(&self) -> usize {
        let world = self.inner.lock();
        let told = world.seen(&self.user, &self.channel, self.thread.as_deref());
        told.into_iter().filter(|message| message.from == "USLACKBOT").count()
    }

    /// Whether the screen shows this now.
    pub fn can_see(&self, words: &str) -> bool {
        self.screen().contains(words)
    }

    /// App Home, drawn.
    pub fn home(&self) -> String {
        let world = self.inner.lock();
        world.homes.get(&self.user).map(|home| world.drawn_view(home)).unwrap_or_default()
    }

    /// Waits until App Home shows this.
    pub async fn sees_home(&self, words: &str) {
        let shows = |world: &mut World| {
            let home = world.homes.get(&self.user)?;
            world.drawn_view(home).contains(words).then_some(())
        };
        self.inner.until(&format!("App Home with {words:?}"), shows).await;
    }
}

impl World {
    fn screen(&self, user: &str, channel: &str, thread: Option<&str>) -> String {
        let seen = self.seen(user, channel, thread);
        let last = &seen[seen.len().saturating_sub(SCREEN)..];
        last.iter().map(|message| self.drawn(user, channel, message)).collect::<Vec<_>>().join("\n")
    }

    /// All that anybody sees, for a test that fails.
    pub(super) fn all_screens(&self) -> String {
        let mut out = String::new();
        for channel in self.channels.values() {
            for message in &channel.messages {
                let user = message.only.as_deref().or(channel.members.iter().map(String::as_str).find(|id| *id != BOT));
                let place = message.thread.as_deref().map(|thread| format!(" ({thread})")).unwrap_or_default();
                let drawn = self.drawn(user.unwrap_or(BOT), &channel.id, message);
                out.push_str(&format!("{}{place} {drawn}\n", channel.id));
            }
        }
        for (user, stack) in &self.stacks {
            for view in stack {
                out.push_str(&format!("{user} {}\n", self.drawn_view(view)));
            }
        }
        out.push_str(&format!(
            "refused: {:#?}\ncalls: {:?}",
            self.refusals,
            self.calls.iter().map(|(name, _)| name).collect::<Vec<_>>()
        ));
        out
    }
}
