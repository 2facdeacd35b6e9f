//! What Telegram takes. Figures with “Bot API” are of its published description, version 10.1; the others are measured or
//! common knowledge of bots, as each says.

use std::time::Duration;

use formwright_chat::pace::Rate;
use jiff::SignedDuration;

/// UTF-16 units of a message's text once its markup is read (Bot API, `sendMessage.text`).
pub const TEXT: usize = 4096;
/// Characters of the answer to a press (Bot API, `answerCallbackQuery.text`).
pub const ALERT: usize = 200;
/// Bytes that a button carries (Bot API, `InlineKeyboardButton.callback_data`: 1–64).
pub const CALLBACK_DATA: usize = 64;
/// Buttons beside each other in an inline keyboard. Not documented: more are refused, or cut off.
pub const ROW: usize = 8;
/// Buttons of an inline keyboard in all. Not documented: more are refused.
pub const BUTTONS: usize = 100;
/// Characters on a button. Not documented; phones show fewer, and the text of the message has the whole words.
pub const LABEL: usize = 48;
/// Characters of the hint in an empty input line (Bot API, `input_field_placeholder`: 1–64).
pub const PLACEHOLDER: usize = 64;
/// Commands of a bot (Bot API, `setMyCommands.commands`).
pub const COMMANDS: usize = 100;
/// Characters of a command, of `a-z0-9_` (Bot API, `BotCommand.command`).
pub const COMMAND: usize = 32;
/// Characters of a command's description (Bot API, `BotCommand.description`: 1–256).
pub const DESCRIPTION: usize = 256;
/// Characters that a link to the bot brings along, of `A-Za-z0-9_-` (documentation of deep links).
pub const START: usize = 64;
/// Updates in one answer (Bot API, `getUpdates.limit`).
pub const UPDATES: u32 = 100;
/// Characters of a webhook's secret, of `A-Za-z0-9_-` (Bot API, `setWebhook.secret_token`).
pub const SECRET: usize = 256;
/// Connections that Telegram opens to a webhook (Bot API, `setWebhook.max_connections`: 1–100, 40 unless said).
pub const CONNECTIONS: u32 = 40;
/// Bytes of an update that a webhook reads. Telegram names no limit; its largest updates are some ten kilobytes.
pub const UPDATE_BYTES: usize = 1024 * 1024;
/// Bytes of a file that a bot can fetch later (documentation of `getFile`). Larger ones are taken by reference all the
/// same: whoever receives the submission is told of the size.
pub const FETCHABLE: u64 = 20 * 1024 * 1024;

/// How long Telegram holds a request for updates open. The waiting itself costs nothing on either side.
pub const POLL: Duration = Duration::from_secs(25);
/// How long it is gone on asking while nothing can be kept and no replica may ask: so long may a replica be wrong that is
/// the only one to think so.
pub const POLL_WHILE_AWAY: Duration = Duration::from_secs(300);
/// How often it is looked meanwhile whether something can be kept again.
pub const LOOK: Duration = Duration::from_secs(1);
/// Shortest time that Telegram holds a request for updates open where there are none: a proxy that answers for it, or a
/// server that does not wait, is not asked more often than this.
pub const POLL_AT_LEAST: Duration = Duration::from_secs(1);
/// How often it is asked at most whether a refused token is taken again.
pub const TOKEN_LOOK: Duration = Duration::from_secs(5);
/// How long any other request may take.
pub const CALL: Duration = Duration::from_secs(10);
/// A noted offset older than this is not used: after a week without updates Telegram counts from elsewhere (Bot API,
/// `Update.update_id`).
pub const OFFSET_AGE: SignedDuration = SignedDuration::from_hours(24 * 6);
/// How long a media group may wait for its next file. Its files come as messages of their own, a moment apart.
pub const ALBUM: Duration = Duration::from_millis(800);

/// Messages to one person (documentation: one a second, short bursts are allowed).
pub const CHAT_RATE: Rate = Rate::new(5, Duration::from_secs(5));
/// Messages to one group (documentation: 20 a minute).
pub const GROUP_RATE: Rate = Rate::new(20, Duration::from_secs(60));
/// Messages of the whole bot (documentation: about 30 a second).
pub const BOT_RATE: Rate = Rate::new(30, Duration::from_secs(1));

/// Messages looked through for one whose sending went without an answer. Telegram numbers the messages of a chat upwards;
/// in private chats other chats of the bot take numbers too, so that a busy bot may not find it.
pub const LOOK_FOR: i64 = 3;
