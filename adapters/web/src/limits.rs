//! Every limit of the web adapter, in one place, with its reason.

use std::time::Duration;

/// Greatest request body in bytes: a message and a page of widget answers fit many times over.
pub const BODY_BYTES: usize = 64 * 1024;

/// Greatest body of `POST /api/fill` in bytes: a form and what it holds, which a session has to keep.
pub const FILL_BYTES: usize = 200 * 1024;

/// Most fields of a form in `POST /api/fill`.
pub const FILL_FIELDS: usize = 500;

/// Longest label, help or quote in `POST /api/fill` in characters; the rest is cut off.
pub const FILL_WORDS: usize = 1_000;

/// Entries of the history that `POST /api/fill` gives back; the oldest go first.
pub const FILL_HISTORY: usize = 40;

/// Most of a refused body that is read and thrown away in bytes: a client that writes all before it reads, as most do,
/// then finds the refusal and not a closed connection.
pub const DRAINED_BYTES: usize = 16 * 1024 * 1024;

/// Greatest message, caption or text answer in bytes.
pub const MESSAGE_BYTES: usize = 16 * 1024;

/// Deepest nesting of objects and arrays in a request; the API itself needs five, results of client tools the rest.
pub const JSON_DEPTH: usize = 32;

/// Longest time a request body may take to arrive.
pub const BODY_TIME: Duration = Duration::from_secs(10);

/// Connections served at once; further ones take the places of silent ones.
pub const CONNECTIONS: usize = 4_096;

/// Connections to the operators' address at once, and those of one address: a few machines ask there.
pub const OPS_CONNECTIONS: usize = 256;
/// See [`OPS_CONNECTIONS`].
pub const OPS_CONNECTIONS_PER_ADDRESS: usize = 32;

/// Widgets answered in one request: a page has at most as many fields as a form.
pub const PRESSES: usize = 200;

/// Options picked in one widget: a list has at most as many options.
pub const PICKED: usize = 2_000;

/// Files named in one request.
pub const FILES: usize = 50;

/// Results of client tools in one request.
pub const TOOL_RESULTS: usize = 20;

/// Greatest length of a name (of a file, a tool, a city) in bytes.
pub const NAME_BYTES: usize = 512;

/// Greatest length of a client's event id, and of its name of a conversation, in characters.
pub const EVENT_ID_CHARS: usize = 64;

/// Greatest length of a language tag in characters, as RFC 5646 recommends.
pub const LOCALE_CHARS: usize = 35;

/// Greatest length of a time zone name in characters.
pub const ZONE_CHARS: usize = 64;

/// How long a request for notices waits for one.
pub const POLL_TIME: Duration = Duration::from_secs(25);

/// Notices kept for one conversation; the oldest go first.
pub const NOTICES: usize = 50;

/// Conversations that notices are kept for; those untouched longest go first.
pub const MAILBOXES: usize = 10_000;

/// Cookies, and addresses, whose conversations are counted; those untouched longest go first.
pub const COUNTED_VISITORS: usize = 10_000;

/// Conversations remembered for one cookie: going on with one of these counts as nothing new.
pub const REMEMBERED_CONVERSATIONS: usize = 64;

/// Seconds that a client is asked to wait when the store is away.
pub const RETRY_AFTER: u32 = 2;

/// How long open requests may go on after the process was asked to stop.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// Least length of an event id that a client with a key can start the same conversation by again, and of a name that it
/// gives one: shorter ones, such as counters, meet between the people it speaks for.
pub(crate) const UNIQUE_ID: usize = 16;
