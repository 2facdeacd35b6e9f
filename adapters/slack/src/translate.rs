//! What Slack sends, as what is to be done. Pure, and tolerant: payloads are read as raw JSON, so that a field or type
//! that is unknown here loses nothing else.
//!
//! Ids: a message is `msg/channel/ts` and its change `edit/channel/ts/when`, because a mention comes as two events with two event ids; what is pressed, sent
//! or commanded is named by its `trigger_id`, which comes again with a redelivered envelope and never otherwise.

mod command;
mod event;
pub(crate) mod form;
mod interaction;
mod state;

use formwright_chat as chat;
use serde_json::Value;

pub(crate) use command::command;
pub(crate) use event::event;
pub(crate) use interaction::interaction;
pub(crate) use state::{Click, Collected, click, collect};

/// Something that came in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    /// Slack tries the request URL: this is to be sent back.
    Challenge(String),
    /// A message that a person wrote.
    Message(Message),
    /// A person looks at App Home.
    Home(Home),
    /// A widget was used.
    Act(Act),
    /// A modal was sent.
    Submission(Submission),
    /// A modal was closed without being sent; its id.
    Closed(String),
    /// A type-ahead menu wants options.
    Suggestion(Suggestion),
    /// A slash command.
    Command(Command),
    /// A shortcut, global or on a message.
    Shortcut(Shortcut),
    /// Nothing for this adapter.
    Nothing,
}

impl Incoming {
    /// Who did it; none where nobody did, or where it need not wait for what they did before.
    pub(crate) fn who(&self) -> Option<&Who> {
        match self {
            Self::Message(message) => Some(&message.who),
            Self::Home(home) => Some(&home.who),
            Self::Act(act) => Some(&act.who),
            Self::Submission(sent) => Some(&sent.who),
            Self::Command(command) => Some(&command.who),
            Self::Shortcut(shortcut) => Some(&shortcut.who),
            Self::Suggestion(_) | Self::Closed(_) | Self::Challenge(_) | Self::Nothing => None,
        }
    }
}

/// Who did it, as far as the payload says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Who {
    /// `U…`.
    pub(crate) id: String,
    /// `T…`.
    pub(crate) workspace: String,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) who: Who,
    pub(crate) channel: String,
    /// The thread that it stands in.
    pub(crate) thread: Option<String>,
    /// Its own id in the channel.
    pub(crate) ts: String,
    /// When it was changed, where it was.
    pub(crate) edited: Option<String>,
    /// In a direct message.
    pub(crate) direct: bool,
    /// In the thread of a message of the bot.
    pub(crate) below_bot: bool,
    /// The bot is named in it.
    pub(crate) mention: bool,
    /// Somebody else is called by name.
    pub(crate) calls_another: bool,
    /// Without markup and without mentions of the bot.
    pub(crate) text: String,
    /// As Slack sent it: there a mention differs from the same letters typed.
    pub(crate) marked: String,
    pub(crate) files: Vec<chat::FileRef>,
}

impl Message {
    pub(crate) fn id(&self) -> String {
        match &self.edited {
            Some(at) => format!("edit/{}/{}/{at}", self.channel, self.ts),
            None => format!("msg/{}/{}", self.channel, self.ts),
        }
    }

    /// What the message and its edits are called.
    pub(crate) fn name(&self) -> chat::MessageId {
        chat::MessageId::new(format!("{}/{}", self.channel, self.ts))
    }
}

/// App Home was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    pub(crate) who: Who,
    /// The direct message with the bot, `D…`.
    pub(crate) channel: String,
}

/// A widget was used.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Act {
    pub(crate) who: Who,
    pub(crate) trigger: String,
    pub(crate) response_url: Option<String>,
    /// Where the message is, with its thread; none in a view.
    pub(crate) channel: Option<String>,
    pub(crate) thread: Option<String>,
    /// The message's own id in the channel; none in a view.
    pub(crate) message: Option<String>,
    /// The message is seen by one person only.
    pub(crate) ephemeral: bool,
    /// `private_metadata` of the view it is in.
    pub(crate) metadata: Option<String>,
    pub(crate) action_id: String,
    /// The action as Slack describes it.
    pub(crate) action: Value,
    /// What all widgets of the message hold.
    pub(crate) values: Value,
}

/// A modal was sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Submission {
    pub(crate) who: Who,
    pub(crate) trigger: String,
    /// The modal's own id.
    pub(crate) view: String,
    pub(crate) callback: String,
    pub(crate) metadata: String,
    pub(crate) values: Value,
}

/// A type-ahead menu wants options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suggestion {
    pub(crate) who: Who,
    pub(crate) action_id: String,
    pub(crate) query: String,
}

/// A slash command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) who: Who,
    pub(crate) trigger: String,
    pub(crate) response_url: Option<String>,
    pub(crate) channel: String,
    /// What stands behind the command.
    pub(crate) text: String,
}

/// A shortcut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shortcut {
    pub(crate) who: Who,
    pub(crate) trigger: String,
    pub(crate) callback: String,
    /// The message's channel and thread; none for a global shortcut.
    pub(crate) at: Option<(String, String)>,
}

/// A payload's string; empty where there is none.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A payload's string that may be missing.
fn some(value: &Value, pointer: &str) -> Option<String> {
    Some(text(value, pointer)).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A file as Slack describes it; none without an id.
fn file(value: &Value) -> Option<chat::FileRef> {
    let name = some(value, "/name").or_else(|| some(value, "/title"));
    Some(chat::FileRef {
        id: some(value, "/id")?,
        name: name.unwrap_or_else(|| text(value, "/id").to_owned()),
        media_type: some(value, "/mimetype").unwrap_or_else(|| "application/octet-stream".to_owned()),
        bytes: value["size"].as_u64(),
    })
}

/// Whether a channel is a direct message with the bot.
pub(crate) fn is_direct(channel: &str) -> bool {
    channel.starts_with('D')
}

#[cfg(test)]
mod tests;
