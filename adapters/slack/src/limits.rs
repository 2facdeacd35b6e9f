//! Slack's limits. Block Kit's are from its reference of blocks and elements (docs.slack.dev/reference/block-kit), the
//! others from the page named beside each.

use std::time::Duration;

use chat::pace::{Lane, Rate};
use formwright_chat as chat;
use jiff::SignedDuration;

/// Blocks of a message.
pub const MESSAGE_BLOCKS: usize = 50;
/// Blocks of a modal or of App Home.
pub const VIEW_BLOCKS: usize = 100;
/// Characters of a section's text.
pub const SECTION_TEXT: usize = 3000;
/// Characters of a header block.
pub const HEADER_TEXT: usize = 150;
/// Elements of an `actions` block.
pub const ACTIONS_ELEMENTS: usize = 25;
/// Elements of a `context` block.
pub const CONTEXT_ELEMENTS: usize = 10;
/// Characters of a text in a context block. Slack names none; the section's is kept well under.
pub const CONTEXT_TEXT: usize = 2000;
/// Characters on a button.
pub const BUTTON_TEXT: usize = 75;
/// Characters of what a screen reader says for a button.
pub const ACCESSIBILITY_LABEL: usize = 75;
/// Characters of a button's value.
pub const BUTTON_VALUE: usize = 2000;
/// Characters of an option's text.
pub const OPTION_TEXT: usize = 75;
/// Characters of an option's second line.
pub const OPTION_DESCRIPTION: usize = 75;
/// Characters of an option's value.
pub const OPTION_VALUE: usize = 150;
/// Options of a static select, and options that a type-ahead may answer.
pub const SELECT_OPTIONS: usize = 100;
/// Options of radio buttons and of check boxes.
pub const TICK_OPTIONS: usize = 10;
/// Characters of a placeholder.
pub const PLACEHOLDER: usize = 150;
/// Characters of an input's label and of its hint.
pub const INPUT_LABEL: usize = 2000;
/// Characters of a modal's title, and of its submit and close buttons.
pub const MODAL_TITLE: usize = 24;
/// Characters of a view's `private_metadata`.
pub const PRIVATE_METADATA: usize = 3000;
/// Characters of a block's, an action's or a callback's id.
pub const ID: usize = 255;
/// Greatest `max_length` of a plain text input, and so the most characters it holds at first.
pub const INPUT_TEXT: usize = 3000;
/// Greatest `max_files` of a file input.
pub const FILES: u32 = 10;
/// Characters of a message's `text`: 4,000 are advised, 40,000 cut (docs.slack.dev/changelog/2018-truncating-really-long-messages).
pub const MESSAGE_TEXT: usize = 4000;
/// Characters of one message's blocks together, as this adapter keeps them. Slack refuses more than about 13,000 with
/// `msg_blocks_too_long`; that number is in no reference, so a good margin is left.
pub const MESSAGE_CHARS: usize = 9000;
/// Characters of a menu's options together, so that it goes into one message; beyond, they stand behind a search.
pub const LISTED_CHARS: usize = MESSAGE_CHARS - 1000;
/// Times a `response_url` may be used (docs.slack.dev/interactivity/handling-user-interaction).
pub const RESPONSE_URL_USES: u32 = 5;
/// How long a `response_url` lives (same page).
pub const RESPONSE_URL_LIFE: SignedDuration = SignedDuration::from_mins(30);
/// Time in which an envelope or request must be answered, and in which a `trigger_id` opens a view (same page).
pub const ANSWER_IN: Duration = Duration::from_secs(3);
/// What of it one step of an answer may take, so that the whole still arrives in time.
pub const VIEW_IN: Duration = Duration::from_millis(1500);
/// How far a signed request's time may be from now (docs.slack.dev/authentication/verifying-requests-from-slack).
pub const SIGNATURE_AGE: i64 = 300;
/// Bytes of an inbound request that are read at most. Slack names no limit; its events are a few kilobytes, a view's
/// state with fifty inputs of 3,000 characters stays under this.
pub const REQUEST_BYTES: usize = 1 << 20;

/// Longest wait that is believed; Slack asks for seconds.
pub const LONGEST_WAIT: Duration = Duration::from_secs(3600);

const MINUTE: Duration = Duration::from_secs(60);
/// `chat.postMessage` in a channel: one a second, bursts are let through (docs.slack.dev/apis/web-api/rate-limits).
const POST_IN_CHANNEL: Rate = Rate::new(60, MINUTE);
/// `chat.postMessage` over all channels: "several hundred messages per minute per workspace" (same page).
const POST: Rate = Rate::new(300, MINUTE);
/// Tier 3: 50 and more a minute (same page).
const TIER_3: Rate = Rate::new(50, MINUTE);
/// Tier 4: 100 and more a minute (same page).
const TIER_4: Rate = Rate::new(100, MINUTE);

/// What a call counts against. Slack's rates say what it takes at least, and a refusal says how long to wait; only what a
/// whole workspace is sent in a minute is kept to, because whoever exceeds it waits for most of a minute.
pub fn lanes(method: &str, channel: Option<&str>) -> Vec<Lane> {
    let lane = Lane::at_least;
    match (method, channel) {
        ("chat.postMessage", Some(channel)) => {
            vec![lane(format!("{method}/{channel}"), POST_IN_CHANNEL), Lane::limited(method, POST)]
        }
        (
            "chat.update"
            | "conversations.open"
            | "conversations.info"
            | "conversations.history"
            | "conversations.replies"
            | "chat.getPermalink",
            _,
        ) => vec![lane(method.to_owned(), TIER_3)],
        _ => vec![lane(method.to_owned(), TIER_4)],
    }
}
