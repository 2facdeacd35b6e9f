//! What people see, and how they wait for it.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::world::{BOT, Message, World, buttons, label};
use super::{Seat, Shared};

/// Messages that a picture of the screen shows.
const SHOWN: usize = 12;

/// Waits until something can be found.
///
/// # Panics
/// When the patience of the settings ends, with a picture of every chat.
pub(super) async fn until<T>(shared: &Shared, what: &str, mut look: impl FnMut(&mut World) -> Option<T>) -> T {
    let mut news = shared.news();
    let deadline = Instant::now() + shared.world().settings.patience;
    loop {
        if let Some(found) = look(&mut shared.world()) {
            return found;
        }
        if tokio::time::timeout_at(deadline, news.changed()).await.is_err() {
            let world = shared.world();
            let screens: Vec<String> = world.chats.keys().map(|chat| screen(&world, *chat, None)).collect();
            panic!("waited in vain for {what}\n{}\nrefused: {:#?}", screens.join("\n"), world.refusals);
        }
    }
}

impl Seat {
    /// Waits until the bot shows these words, in a message or on a button, after what this person did last here.
    pub async fn sees(&self, words: &str) {
        self.finds(&format!("“{words}”"), |message| message.seen().contains(words)).await;
    }

    /// Waits for a button with this label, under a message or in place of the person's own keyboard.
    pub async fn sees_button(&self, wanted: &str) {
        let what = format!("a button [{wanted}]");
        until(&self.shared, &what, |world| self.button(world, wanted).map(drop)).await;
    }

    /// Waits until no button has this label.
    pub async fn sees_no_button(&self, wanted: &str) {
        let what = format!("the button [{wanted}] to go away");
        until(&self.shared, &what, |world| self.button(world, wanted).is_none().then_some(())).await;
    }

    /// Waits until nothing that the bot shows here has these words.
    pub async fn no_longer_sees(&self, words: &str) {
        let what = format!("“{words}” to go away");
        until(&self.shared, &what, |world| (!self.shows(world, words)).then_some(())).await;
    }

    /// Waits for words in a window that only this person sees.
    pub async fn is_told(&self, words: &str) {
        let what = format!("to be told “{words}”");
        until(&self.shared, &what, |world| {
            let (chat, mark) = (self.chat_in(world), self.mark(world));
            let mine = world.told.iter().filter(|told| told.user == self.user && told.chat == chat);
            mine.filter(|told| told.change > mark).any(|told| told.words.contains(words)).then_some(())
        })
        .await;
    }

    /// All that this person was told in windows here.
    pub fn told(&self) -> Vec<String> {
        let world = self.shared.world();
        let chat = self.chat_in(&world);
        let mine = world.told.iter().filter(|told| told.user == self.user && told.chat == chat);
        mine.map(|told| told.words.clone()).collect()
    }

    /// Waits until the bot seems to type, after what this person did last here.
    pub async fn sees_typing(&self) {
        until(&self.shared, "the bot to type", |world| {
            let (chat, mark) = (self.chat_in(world), self.mark(world));
            world.actions.iter().any(|(at, change)| *at == chat && *change > mark).then_some(())
        })
        .await;
    }

    /// Waits until the bot has opened this person's input line as an answer.
    pub async fn is_asked_to_reply(&self) {
        until(&self.shared, "an opened input line", |world| self.forced(world).map(drop)).await;
    }

    /// Waits until a message of this person is gone.
    pub async fn no_longer_sees_own(&self, words: &str) {
        let what = format!("the own “{words}” to be deleted");
        until(&self.shared, &what, |world| {
            let own = self.messages(world).filter(|message| message.from == self.user && !message.gone);
            (!own.into_iter().any(|message| message.words().contains(words))).then_some(())
        })
        .await;
    }

    /// The messages of the bot here that say this now, by their ids.
    pub fn showing(&self, words: &str) -> BTreeSet<String> {
        let world = self.shared.world();
        let shown = self.messages(&world).filter(|message| message.from == BOT && !message.gone);
        shown.filter(|message| message.seen().contains(words)).map(|message| message.id.to_string()).collect()
    }

    /// Waits until a message of the bot other than these says this, new or changed after what this person did last here.
    pub async fn sees_another(&self, words: &str, known: &BTreeSet<String>) {
        let fits = |message: &Message| message.seen().contains(words) && !known.contains(&message.id.to_string());
        self.finds(&format!("another “{words}”"), fits).await;
    }

    async fn finds(&self, what: &str, fits: impl Fn(&Message) -> bool) {
        until(&self.shared, what, |world| {
            let mark = self.mark(world);
            let new =
                self.messages(world).filter(|message| message.from == BOT && !message.gone && message.change > mark);
            let keyboard = self.keyboard(world).filter(|message| message.change > mark);
            let worn = keyboard.and_then(|message| message.other.as_ref());
            let labels: Vec<&str> = worn.into_iter().flat_map(buttons).map(label).collect();
            let keys = labels.iter().any(|label| what.trim_matches(['“', '”']) == *label);
            (new.into_iter().any(&fits) || keys).then_some(())
        })
        .await;
    }

    /// Whether the bot shows these words now, in any message or on any button here.
    pub fn does_see(&self, words: &str) -> bool {
        self.shows(&self.shared.world(), words)
    }

    /// The labels of the newest buttons of the bot here, in rows.
    pub fn buttons(&self) -> Vec<Vec<String>> {
        let world = self.shared.world();
        let worn =
            self.messages(&world).filter(|message| !message.gone).rev().find_map(|message| message.inline.as_ref());
        worn.map(rows).unwrap_or_default()
    }

    /// How many messages of the bot are here.
    pub fn count(&self) -> usize {
        let world = self.shared.world();
        self.messages(&world).filter(|message| message.from == BOT && !message.gone).count()
    }

    /// The words of the bot's newest message here.
    pub fn last(&self) -> String {
        let world = self.shared.world();
        let newest = self.messages(&world).rev().find(|message| message.from == BOT && !message.gone);
        newest.map(Message::words).unwrap_or_default()
    }

    /// Every message of the bot here, with the labels of its buttons.
    pub fn read(&self) -> Vec<String> {
        let world = self.shared.world();
        self.messages(&world).filter(|message| message.from == BOT && !message.gone).map(Message::seen).collect()
    }

    /// Presses a button under the newest message that shows these words: others may have one of the same label.
    pub async fn presses_under(&self, words: &str, wanted: &str) {
        let what = format!("a button [{wanted}] under “{words}”");
        let found = until(&self.shared, &what, |world| {
            let mut shown = self.messages(world).rev().filter(|message| message.from == BOT && !message.gone);
            shown.find_map(|message| {
                let fits = |button: &&serde_json::Value| label(button) == wanted || bare(label(button)) == wanted;
                let button = message.buttons().find(fits).filter(|_| message.seen().contains(words))?;
                Some((message.id, button["callback_data"].as_str()?.to_owned()))
            })
        });
        let (message, data) = found.await;
        self.sends_press(message, &data).await;
    }

    /// A picture of the last messages.
    pub fn screen(&self) -> String {
        let world = self.shared.world();
        screen(&world, self.chat_in(&world), self.topic)
    }

    fn shows(&self, world: &World, words: &str) -> bool {
        let mut bots = self.messages(world).filter(|message| message.from == BOT && !message.gone);
        bots.any(|message| message.seen().contains(words))
    }

    fn mark(&self, world: &World) -> u64 {
        world.marks.get(&(self.user, self.chat_in(world))).copied().unwrap_or(0)
    }

    /// The messages of this place.
    pub(super) fn messages<'w>(&self, world: &'w World) -> impl DoubleEndedIterator<Item = &'w Message> + use<'w> {
        let (chat, topic) = (self.chat_in(world), self.topic);
        let messages = world.chats.get(&chat).map(|chat| chat.messages.as_slice()).unwrap_or_default();
        messages.iter().filter(move |message| message.topic == topic)
    }

    /// The message that gave this person another keyboard, where they still have it.
    pub(super) fn keyboard<'w>(&self, world: &'w World) -> Option<&'w Message> {
        let mut newest = self.messages(world).rev().filter(|message| message.other.is_some());
        let last = newest.find(|message| message.other.as_ref().is_some_and(|other| other["force_reply"].is_null()))?;
        last.other.as_ref().filter(|other| !other["keyboard"].is_null()).map(|_| last)
    }

    /// The message that has opened this person's input line, unless they have answered since.
    pub(super) fn forced(&self, world: &World) -> Option<i64> {
        let newest = self.messages(world).rev().find(|message| {
            let forces = message.other.as_ref().is_some_and(|other| other["force_reply"] == true);
            forces && !message.gone && self.is_meant(world, message)
        })?;
        let answered =
            self.messages(world).any(|message| message.from == self.user && message.reply_to == Some(newest.id));
        (!answered).then_some(newest.id)
    }

    fn is_meant(&self, world: &World, message: &Message) -> bool {
        let selective = message.other.as_ref().is_some_and(|other| other["selective"] == true);
        let answers = message.reply_to.and_then(|id| self.messages(world).find(|other| other.id == id));
        !selective || message.chat > 0 || answers.is_some_and(|answered| answered.from == self.user)
    }

    /// The button with a label: its message, and what it is.
    pub(super) fn button(&self, world: &World, wanted: &str) -> Option<Found> {
        let fits = |exact: bool, text: &str| text == wanted || (!exact && bare(text) == wanted);
        for exact in [true, false] {
            let shown = self.messages(world).rev().filter(|message| message.from == BOT && !message.gone);
            for message in shown {
                if let Some(button) = message.buttons().find(|button| fits(exact, label(button))) {
                    return Some(Found { message: message.id, button: button.clone(), inline: true });
                }
            }
            let keyboard = self.keyboard(world);
            let worn = keyboard.and_then(|message| message.other.as_ref()).into_iter().flat_map(buttons);
            if let Some(button) = worn.into_iter().find(|button| fits(exact, label(button))) {
                let message = keyboard.map_or(0, |message| message.id);
                return Some(Found { message, button: button.clone(), inline: false });
            }
        }
        None
    }
}

pub(super) struct Found {
    pub(super) message: i64,
    pub(super) button: serde_json::Value,
    pub(super) inline: bool,
}

/// A label without the mark before it, such as `☑`.
pub(super) fn bare(label: &str) -> &str {
    match label.split_once(' ') {
        Some((mark, rest)) if !mark.is_empty() && !mark.chars().any(char::is_alphanumeric) => rest,
        _ => label,
    }
}

fn rows(markup: &serde_json::Value) -> Vec<Vec<String>> {
    let rows = markup["inline_keyboard"].as_array().or_else(|| markup["keyboard"].as_array());
    let row =
        |row: &serde_json::Value| row.as_array().into_iter().flatten().map(|button| label(button).to_owned()).collect();
    rows.into_iter().flatten().map(row).collect()
}

/// A picture of a chat.
pub(super) fn screen(world: &World, chat: i64, topic: Option<i64>) -> String {
    let Some(chat) = world.chats.get(&chat) else { return String::new() };
    let shown = |message: &&Message| !message.gone && (topic.is_none() || message.topic == topic);
    let all: Vec<&Message> = chat.messages.iter().filter(shown).collect();
    let name = |id: i64| match world.people.get(&id) {
        Some(person) => person.name.clone(),
        None => world.settings.name.clone(),
    };
    let mut lines = vec![format!("── {} ──", chat.title)];
    for message in all.iter().skip(all.len().saturating_sub(SHOWN)) {
        let edited = if message.edited.is_some() { " (edited)" } else { "" };
        let words = message.words();
        let mut text = words.lines();
        lines.push(format!("{}{edited}: {}", name(message.from), text.next().unwrap_or_default()));
        lines.extend(text.map(|line| format!("    {line}").trim_end().to_owned()));
        let worn = message.inline.as_ref().map(rows).unwrap_or_default();
        lines.extend(worn.iter().map(|row| format!("    [{}]", row.join("] ["))));
        if let Some(other) = &message.other {
            let keys = rows(other);
            lines.extend(keys.iter().map(|row| format!("  ⌨ [{}]", row.join("] ["))));
            if other["force_reply"] == true {
                lines.push("  ⌨ reply…".to_owned());
            }
        }
    }
    let told = world.told.iter().filter(|told| told.chat == chat.id);
    let newest = all.last().map_or(0, |message| message.change);
    for told in told.filter(|told| told.change > newest) {
        let window = if told.alert { "window" } else { "banner" };
        lines.push(format!("({window} for {}: {})", name(told.user), told.words));
    }
    lines.join("\n") + "\n"
}
