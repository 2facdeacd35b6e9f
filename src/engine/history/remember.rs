//! What a person said in a form, and which answers came of it: kept with the draft, so that who takes it up again has it.

use formwright_chat as chat;
use formwright_chat::{Joined, MessageId};

use crate::draft::filling::Filling;
use crate::flow::settle;
use crate::history::{edited, secrets};
use crate::model::mask;
use crate::session::heard::{HIDDEN, Heard, Proposed, Written};
use crate::talk::Talk;
use formwright_form::Path;
use formwright_form::kind::Said;
use formwright_nlu::{Answer, Pending, Update, Verdict, field_named, find, name_of};

/// Bytes of several messages that are kept one by one, so that each can be edited.
const MOST_JOINED: usize = 2000;

/// What the edit of a message just heard will be known by.
pub(crate) fn written(talk: &Talk<'_>, event: &chat::Event, submission: &str, hidden: bool) -> Option<Box<Written>> {
    let own = event.terms.message.clone().map(|message| Joined { message, text: String::new() });
    let mut messages = event.terms.joined.clone();
    let bytes: usize = messages.iter().map(|joined| joined.text.len()).sum();
    if hidden || bytes > MOST_JOINED {
        messages.iter_mut().for_each(|joined| joined.text.clear());
    }
    if messages.is_empty() {
        messages.extend(own);
    }
    let asked = talk.was.as_ref().filter(|(of, _)| of == submission).and_then(|(_, pending)| edited::asked(pending));
    let events = vec![event.id.clone()];
    (!messages.is_empty()).then(|| Box::new(Written { events, messages, asked: asked.cloned() }))
}

/// Takes note of what a message says now.
pub(crate) fn remember_edit(talk: &mut Talk<'_>, event: &chat::Event, message: &MessageId, text: &str) {
    let Some(no) = talk.session.draft.as_ref().and_then(|draft| draft.place_of(message)) else { return };
    let Some((form, mut draft)) = settle::take_draft(talk) else { return };
    let Some(mut written) = draft.history.get_mut(no).and_then(|heard| heard.written.take()) else {
        talk.session.draft = Some(draft);
        return;
    };
    let text = written.edit(message, text).unwrap_or_default();
    let by = |id: &chat::EventId| draft.answers.values().any(|answer| answer.event.as_ref() == Some(id));
    written.events.retain(|id| by(id));
    written.events.push(event.id.clone());
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    let (secret, at) = (talk.answers_a_secret, filling.draft().history.get(no).map(|heard| heard.at));
    let now = heard(&filling, event, &written.events, &text, secret, &[]);
    if let Some(entry) = filling.journal.draft.history.get_mut(no) {
        let proposed = std::mem::take(&mut entry.proposed);
        *entry = Heard { at: at.unwrap_or(now.at), proposed, written: Some(written), ..now };
    }
    talk.session.draft = Some(filling.journal.draft);
}

/// Messages remembered.
const MOST: usize = 24;

/// Proposed values remembered of a message.
const MOST_PROPOSED: usize = 12;

/// Longest part of a message that is remembered, in characters.
const LONGEST: usize = 200;

/// Notes whether what is asked now is nobody else's business: what is said next is then hidden, whatever comes of it.
pub(crate) fn note_what_is_asked(talk: &mut Talk<'_>) {
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    let Some((form, draft)) = form.zip(talk.session.draft.take()) else { return };
    let world = talk.world.speaking(&form);
    let filling = Filling::new(&form, &world, draft);
    talk.answers_a_secret = secrets::asks_for_a_secret(&filling);
    talk.session.draft = Some(filling.journal.draft);
}

/// Remembers a message of the person in the form being filled, or just sent; and whether what the person did is not to
/// be shown again.
pub(crate) fn remember(talk: &mut Talk<'_>, event: &chat::Event) {
    use chat::Action;
    let text = match &event.action {
        Action::Edit { message, text } => return remember_edit(talk, event, message, text),
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
        heard.written = written(talk, event, &filling.draft().submission, heard.words == HIDDEN);
        let said = Said::new(text);
        let typed = |press: &chat::Press| press.value != chat::Pressed::Button;
        let answers = !matches!(&event.action, Action::Press { presses } if !presses.iter().any(typed));
        talk.saying.conceals =
            secrets::shows_a_secret(&filling, &said, &heard.fields) || answers && talk.answers_a_secret;
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

/// A message as it is remembered; `events` are those by which answers came of it.
pub(crate) fn heard(
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
    let hidden =
        answers_a_secret || secrets::asks_for_a_secret(filling) || secrets::shows_a_secret(filling, &said, &fields);
    let words = if hidden { HIDDEN.to_owned() } else { mask::without_secrets(filling, &said) };
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
