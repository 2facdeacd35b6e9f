//! What an adapter asks of the running product ([`Host`]). What the product asks of it is in `adapter`.

pub(crate) mod adapter;
pub(crate) mod adapter_error;
pub(crate) mod chain;
pub(crate) mod preview;

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use adapter::Lost;

use crate::{
    Event, FormCard, FormFile, Place, Platform, Reply, SessionView, Sheet, SheetView, Standing, Token, UserId,
};

/// What an adapter may ask of the product: the running bot behind a trait.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// Stores an event durably, once. After `Ok` the platform may be told that it was received.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot take it: the platform should send it again.
    async fn accept(&self, event: Event) -> Result<(), HostError>;

    /// Takes an event and waits for its turn: for platforms whose answer *is* the acknowledgement (HTTP, terminal).
    ///
    /// An event with an id seen before has no effect and gives the replies of the first time.
    ///
    /// # Errors
    /// See [`HostError`].
    async fn converse(&self, event: Event) -> Result<Turn, HostError>;

    /// What an event with this id was answered the first time; none where there was none. It counts against no limit.
    ///
    /// # Errors
    /// [`HostError::Reused`], and [`HostError::Unavailable`] when the store cannot be read.
    async fn answered_before(&self, _event: &Event) -> Result<Option<Turn>, HostError> {
        Ok(None)
    }

    /// The forms that can be started, in the order of their ids.
    fn forms(&self) -> Vec<FormCard>;

    /// The files of [`Self::forms`], in the same order; a form that is of no file has none.
    fn form_files(&self) -> Vec<FormFile> {
        Vec::new()
    }

    /// What somebody is told who asks for a form that is switched off, in this language where it can be; none where it is
    /// on, or not to be known of.
    fn when_off(&self, _form: &str, _lang: Option<&str>) -> Option<String> {
        None
    }

    /// JSON Schema of a form's submission, with the form's own texts; none where there is no such form.
    fn form_schema(&self, form: &str) -> Option<serde_json::Value>;

    /// Takes a form written out in a request, as some API clients send it; gives the id to open it by.
    ///
    /// An adapter asks only where its settings allow that, and the same text gives the same id again.
    ///
    /// # Errors
    /// [`HostError::Refused`] says what is wrong with the text, or that this host takes no forms that way.
    fn form_from_text(&self, _markdown: &str) -> Result<String, HostError> {
        Err(HostError::Refused("this server takes no forms in requests; name one of its own".to_owned()))
    }

    /// Takes a form out of the fields that a client sends along; gives the id to open it by. The same fields give the same
    /// id, whatever they hold.
    ///
    /// # Errors
    /// [`HostError::Refused`] says what is wrong with them, or that this host takes no forms that way.
    fn form_from_sheet(&self, _sheet: &Sheet) -> Result<String, HostError> {
        Err(HostError::Refused("this server takes no forms in requests; name one of its own".to_owned()))
    }

    /// What the form came to that a client sent along with the person's events here; none where there is none.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    async fn sheet(&self, _place: &Place, _user: &UserId) -> Result<Option<SheetView>, HostError> {
        Ok(None)
    }

    /// Words without card numbers, passwords and keys: what may be said back, and kept by others.
    fn repeatable(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Whether a field's name is that of a secret, such as a password: what it holds is taken by no conversation.
    fn names_a_secret(&self, _name: &str) -> bool {
        false
    }

    /// The person's session here, for page reloads and the debug panel; none where there is none.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    async fn view(&self, place: &Place, user: &UserId) -> Result<Option<SessionView>, HostError>;

    /// Throws the person's session here away, and takes back what they have asked desks for; tells whether there was one.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be written.
    async fn reset(&self, place: &Place, user: &UserId) -> Result<bool, HostError>;

    /// Whether a place is a desk: words that begin with the code of a case are for the product there, whoever they are
    /// said to, and so is a button of a case ([`crate::Nonce::case`]) that does not count any more: who pressed it is told
    /// who was faster.
    fn is_desk(&self, _place: &Place) -> bool {
        false
    }

    /// Number of sessions in the store.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    async fn session_count(&self) -> Result<u64, HostError>;

    /// Whether what a person says now would be kept: the store takes a write, within seconds.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] says why not, in words for the operator.
    async fn health(&self) -> Result<(), HostError> {
        self.session_count().await.map(drop)
    }

    /// What operators are to know and do though messages are taken, nothing of people's in it.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Why messages are not taken here now, in words for operators, nothing of people's in them; none where they are.
    async fn unready(&self) -> Vec<&'static str> {
        if self.health().await.is_ok() { Vec::new() } else { vec!["the store takes no writes"] }
    }

    /// What was measured since the start, as `OpenMetrics` text; empty where nothing is.
    async fn metrics(&self) -> String {
        String::new()
    }

    /// Tells the operator a line that they are to see however little is logged: that a platform is served, as whom, and
    /// what it lacks.
    fn announce(&self, _line: &str) {}

    /// Counts something that an adapter turned away without handing it over.
    fn turned_away(&self, _why: TurnedAway) {}

    /// Waits until this process may do what one of several replicas does at a time, such as asking for updates with a
    /// bot's token; what it gives completes once it may no longer, and is dropped by whoever has ended by themselves.
    /// A host that is alone leads at once and for ever.
    async fn lead(&self, _what: &str) -> Lost {
        Box::pin(std::future::pending())
    }

    /// How the language model is; none where there is none. Forms go on whatever it says.
    fn model(&self) -> Option<ModelHealth> {
        None
    }

    /// How the platforms are that this process serves, by name: why nothing comes in or goes out there, none where all is
    /// well.
    fn platforms(&self) -> BTreeMap<String, Option<String>> {
        BTreeMap::new()
    }

    /// What would be wrong with the values of these presses, by the token of their widget. Nothing is stored and no tool
    /// is called: for platforms that show a problem at its field before a page of fields is taken.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    async fn rehearse(&self, event: &Event) -> Result<Vec<Fault>, HostError>;

    /// What an adapter noted under a key; none where it noted nothing, or has taken the note away.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    async fn recall(&self, platform: &Platform, key: &str) -> Result<Option<serde_json::Value>, HostError>;

    /// Keeps a note durably, in place of the one under the same key.
    ///
    /// A note that has an owner goes when the person's data is erased, and a month after it was last written.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be written.
    async fn remember(&self, note: Note) -> Result<(), HostError>;
}

/// How a language model is, and what it has cost since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelHealth {
    /// Whether it is asked.
    pub state: ModelState,
    /// Calls on behalf of people.
    pub calls: u64,
    /// Calls that gave nothing.
    pub failures: u64,
    /// Tokens of the prompts of these calls, as its server counts them.
    pub prompt_tokens: u64,
    /// Tokens of the replies to them, as its server counts them.
    pub reply_tokens: u64,
}

/// Whether a language model is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelState {
    /// It is asked.
    #[default]
    Up,
    /// It failed several times, or asked for a pause, and is left alone for a while.
    Resting,
    /// Its server does not accept the key: somebody has to set another. It is tried now and then.
    Refused,
}

/// What is wrong with one press.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The widget.
    pub token: Token,
    /// Words for the person.
    pub problem: String,
}

/// Something an adapter must know after a restart: an offset, a gateway session, which message shows which screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Whose adapter.
    pub platform: Platform,
    /// At most 300 bytes.
    pub key: String,
    /// The person it is about, if any.
    pub owner: Option<UserId>,
    /// None takes the note away.
    pub value: Option<serde_json::Value>,
}

/// Why the host did not take an event.
#[derive(Clone, Debug, thiserror::Error)]
pub enum HostError {
    /// Try again later.
    #[error("temporarily unavailable: {0}")]
    Unavailable(String),
    /// Too many messages; try again after so many seconds.
    #[error("too many messages")]
    Busy {
        /// Seconds to wait.
        retry_after: u32,
    },
    /// The event can never be taken; the words are for its sender.
    #[error("refused: {0}")]
    Refused(String),
    /// Another request came under the event's id before ([`Terms::request`](crate::Terms::request)): that one counts.
    #[error("the id of the event was used for something else before")]
    Reused,
}

/// Why an adapter turned something away by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedAway {
    /// Its sender sends too much in too little time.
    Rate,
    /// It is too large.
    Size,
    /// It cannot be read.
    Unreadable,
}

/// What a turn gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// In the order of sending.
    pub replies: Vec<Reply>,
    /// Where the session stands after the turn; none where the event had been worked on before: [`Host::view`] shows it
    /// then.
    pub standing: Option<Standing>,
}
