//! What a person said in a form, and which answers came of it: kept with the draft, so that who takes it up again has it.

use crate::edited;
use crate::secrets;
use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::fill::Filling;
use super::session::{Answer, Pending};
use super::talk::Talk;
use formwright_form::Path;
use formwright_form::kind::{Said, secret};
use formwright_nlu::{Command, Update, Verdict, field_named, find, is_sensitive, name_of};

/// Messages remembered.
const MOST: usize = 24;
/// Proposed values remembered of a message.
const MOST_PROPOSED: usize = 12;
/// Longest part of a message that is remembered, in characters.
const LONGEST: usize = 200;
/// Stands for what nobody else may see.
pub(super) const HIDDEN: &str = "[hidden]";

/// A message of the person, as far as it is remembered.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// Its words, without what nobody else may see; at most 200 characters.
    pub words: String,
    /// The answers that came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Path>,
    /// What a model proposed about it, and what became of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<Proposed>,
    /// When it was said.
    pub at: Timestamp,
    /// Who said it, where several fill the form together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<chat::UserId>,
    /// What an edit of it is known by, where its platform tells of edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Box<Written>>,
}

/// What the edit of a remembered message is known by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The events by which answers came of it: its own, and those of its edits.
    pub events: Vec<chat::EventId>,
    /// Its messages. Of one alone the text is not kept, nor of several where nobody else may see it or it is long.
    pub messages: Vec<chat::Joined>,
    /// The field that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Path>,
}

/// What became of a value that a model proposed. Neither the value nor any other word of the model's own is kept.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// Which field, without the numbers of items; none where the form has no such field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The part of [`Heard::words`] that it was read from; none where nobody said the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
}

/// Notes whether what is asked now is nobody else's business: what is said next is then hidden, whatever comes of it.
pub(crate) fn note_what_is_asked(talk: &mut Talk<'_>) {
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    let Some((form, draft)) = form.zip(talk.session.draft.take()) else { return };
    let world = talk.world.speaking(&form);
    let filling = Filling::new(&form, &world, draft);
    talk.answers_a_secret = asks_for_a_secret(&filling);
    talk.session.draft = Some(filling.journal.draft);
}

/// Remembers a message of the person in the form being filled, or just sent; and whether what the person did is not to
/// be shown again.
pub(crate) fn remember(talk: &mut Talk<'_>, event: &chat::Event) {
    use chat::Action;
    let text = match &event.action {
        Action::Edit { message, text } => return edited::remember_edit(talk, event, message, text),
        Action::Say { text } | Action::Start { text, .. } | Action::Attach { text, .. } => text.as_str(),
        Action::Press { .. } | Action::Share { .. } => "",
        Action::Open { .. } | Action::ToolResults { .. } | Action::Case { .. } => return,
    };
    let open = talk.session.draft.is_some();
    let draft = if open { talk.session.draft.take() } else { talk.session.closed.take() };
    let Some(draft) = draft else { return };
    let mut kept = draft;
    if (open || kept.touched == talk.world.now.timestamp())
        && let Some(form) = talk.engine.form_of(&kept)
    {
        let world = talk.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, kept);
        let weighed = talk.weighed.as_ref().map_or(&[][..], |(_, weighed)| weighed);
        let events = std::slice::from_ref(&event.id);
        let mut heard = heard(&filling, event, events, text, talk.answers_a_secret, weighed);
        heard.written = edited::written(talk, event, &filling.draft().submission, heard.words == HIDDEN);
        let said = Said::new(text);
        let typed = |press: &chat::Press| press.value != chat::Pressed::Button;
        let answers = !matches!(&event.action, Action::Press { presses } if !presses.iter().any(typed));
        talk.conceals = shows_a_secret(&filling, &said, &heard.fields) || answers && talk.answers_a_secret;
        // What was pressed has no words to remember.
        let history = &mut filling.journal.draft.history;
        history.extend((!text.trim().is_empty()).then_some(heard));
        let surplus = history.len().saturating_sub(MOST);
        history.drain(..surplus);
        kept = filling.journal.draft;
    }
    if open {
        talk.session.draft = Some(kept);
    } else {
        talk.session.closed = Some(kept);
    }
}

/// Whether words hold a secret, or what goes into a field for passwords of a client's form.
pub(crate) fn tells_a_secret(filling: &Filling<'_>, said: &Said) -> bool {
    let password = || filling.form.stays && secrets::private_named(filling, said).iter().any(|field| field.sensitive);
    !secret::secrets(said).is_empty() || password()
}

/// Whether words, or what went into these fields, are to be kept from everybody's eyes.
fn shows_a_secret(filling: &Filling<'_>, said: &Said, fields: &[Path]) -> bool {
    let sensitive = |path| filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field));
    fields.iter().any(sensitive) || tells_a_secret(filling, said) || !secrets::private_named(filling, said).is_empty()
}

/// Whether the field asked, or read back, is one whose answers are kept from everybody's eyes.
pub(crate) fn asks_for_a_secret(filling: &Filling<'_>) -> bool {
    let secret = |path: &Path| filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field));
    let about = |command: &Command| match command {
        Command::Clear { path } => secret(path),
        other => other.fills().iter().filter_map(Command::filled).any(secret),
    };
    match &filling.draft().pending {
        Pending::Field { path, .. } => secret(path),
        // What is said there may be a further item.
        Pending::MoreItems { list } => secret(list) || secret(&list.item(0)),
        Pending::Sure { then, .. } => about(then),
        Pending::Which { readings, .. } => readings.iter().any(|(_, command)| about(command)),
        _ => false,
    }
}

/// A message as it is remembered; `events` are those by which answers came of it.
pub(super) fn heard(
    filling: &Filling<'_>,
    event: &chat::Event,
    events: &[chat::EventId],
    text: &str,
    answers_a_secret: bool,
    weighed: &[(Update, Verdict)],
) -> Heard {
    let draft = filling.draft();
    let of_event = |answer: &Answer| answer.event.as_ref().is_some_and(|event| events.contains(event));
    let fields = draft.answers.iter().filter(|(_, answer)| of_event(answer));
    let fields: Vec<_> = fields.map(|(path, _)| path.clone()).collect();
    let said = Said::new(text);
    let hidden = answers_a_secret || asks_for_a_secret(filling) || shows_a_secret(filling, &said, &fields);
    let words = if hidden { HIDDEN.to_owned() } else { super::model::without_secrets(filling, &said) };
    let words = shortened(words);
    let proposed = weighed.iter().take(MOST_PROPOSED).map(|weighed| proposed(filling, &said, &words, &fields, weighed));
    Heard {
        proposed: proposed.collect(),
        words,
        fields,
        at: filling.world.now.timestamp(),
        by: filling.world.by.clone().map(|_| event.user.id.clone()),
        written: None,
    }
}

/// What is remembered of a proposed value: the words it was read from as far as the message is remembered.
fn proposed(
    filling: &Filling<'_>,
    said: &Said,
    words: &str,
    fields: &[Path],
    (update, verdict): &(Update, Verdict),
) -> Proposed {
    let form = filling.form;
    let field = field_named(form, &update.field);
    let filled = |path: &Path| form.field_at(path).map(|field| field.no) == field;
    let quote = find(&Said::new(words), &update.quote).and_then(|span| words.get(span).map(str::to_owned));
    Proposed {
        field: field.and_then(|no| name_of(form, no)),
        quote: quote.or_else(|| find(said, &update.quote).map(|_| HIDDEN.to_owned())),
        verdict: match verdict {
            // Its words are right, and a check of the form was against it, or it is read back first.
            Verdict::Taken if !fields.iter().any(filled) => match filling.draft().pending {
                Pending::Sure { .. } | Pending::Which { .. } => Verdict::Doubtful,
                _ => Verdict::Refused,
            },
            verdict => *verdict,
        },
    }
}

/// The first words of a message: a word that is cut in two could not be recognised any more.
fn shortened(words: String) -> String {
    let Some((end, _)) = words.char_indices().nth(LONGEST) else { return words };
    let kept = words.get(..end).unwrap_or_default();
    kept.rfind(char::is_whitespace).and_then(|end| kept.get(..end)).unwrap_or_default().to_owned()
}
