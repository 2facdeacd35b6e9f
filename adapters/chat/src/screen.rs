//! What an adapter remembers of the widgets it has drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::words::{Word, say};
use crate::{
    ButtonRole, Delivery, EventId, Host, HostError, Input, Nonce, Note, Place, Platform, Press, Pressed, Question,
    Reply, Token, UserId,
};

/// What a chat platform shows of a reply, kept so that its widgets can be redrawn, explained and taken away after a
/// restart too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Screen {
    /// Who may press.
    pub owner: UserId,
    /// Where the session is, which for a private reply is not where it is shown.
    pub place: Place,
    /// What was drawn.
    pub reply: Reply,
    /// The platform's ids of the messages that wear the widgets, as the adapter spells them.
    pub messages: Vec<String>,
    /// Options ticked so far, by the slot of their question.
    pub ticked: BTreeMap<u16, Vec<u16>>,
    /// What was pressed, in the words of the screen; none while nothing was, or where the words are sensitive.
    pub answer: Option<String>,
    /// Another screen has taken its place: its widgets are gone or stale.
    pub over: bool,
    /// The newest events that did something to it: one that comes again does nothing, and is no stale press either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<EventId>,
}

/// Events that a screen remembers: more than a platform delivers again at a time.
const SEEN: usize = 100;

impl Screen {
    /// A screen that was just drawn.
    pub fn new(owner: UserId, place: Place, reply: Reply, messages: Vec<String>) -> Self {
        Self { owner, place, reply, messages, ticked: BTreeMap::new(), answer: None, over: false, seen: Vec::new() }
    }

    /// Whether an event is new here; from now on it is not.
    pub fn sees(&mut self, event: &EventId) -> bool {
        if self.seen.contains(event) {
            return false;
        }
        self.seen.push(event.clone());
        let surplus = self.seen.len().saturating_sub(SEEN);
        self.seen.drain(..surplus);
        true
    }

    /// Whether a person may press: the owner, and where a session is shared everybody, unless it is for one person's
    /// eyes.
    pub fn may_press(&self, user: &UserId) -> bool {
        self.owner == *user || (self.reply.shared && !self.reply.private)
    }

    /// The presses in the words of the screen: `Diavola`, `Margherita, Diavola`, `2026-12-24`, `Confirm`. None where a
    /// press is of no widget here.
    pub fn words(&self, presses: &[Press]) -> Option<String> {
        let words: Option<Vec<String>> = presses.iter().map(|press| self.word(press)).collect();
        words.map(|words| words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", "))
    }

    fn word(&self, press: &Press) -> Option<String> {
        match &press.value {
            Pressed::Button => self.label(&press.token),
            Pressed::Options { tokens } => {
                let labels: Option<Vec<String>> = tokens.iter().map(|token| self.label(token)).collect();
                labels.map(|labels| labels.join(", "))
            }
            Pressed::Empty => self.reply.question(&press.token).map(|_| String::new()),
            Pressed::Text { text } => self.reply.question(&press.token).map(|_| text.clone()),
            Pressed::Files { files } => {
                let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
                Some(names.join(", "))
            }
            Pressed::Location { location } => {
                let coordinates = format!("{:.5}, {:.5}", location.lat, location.lng);
                Some(location.address.clone().unwrap_or(coordinates))
            }
        }
    }

    /// What is shown where its widgets were, once `next` has come: the answers as they were understood, however they were
    /// given, else what was pressed. Several are a line each, with the names of their fields. None where nothing was
    /// taken; of what is for one person's eyes only, no more than that it was answered.
    pub fn given(&self, next: &Reply) -> Option<String> {
        if self.reply.case.is_some() {
            // What was decided is shown where it was, whoever decided it and however.
            return next.say.first().filter(|_| next.nonce().is_none()).cloned();
        }
        let questions = || self.reply.questions.iter().chain(&self.reply.page);
        if self.reply.private {
            let taken = next.answered.iter().any(|one| questions().any(|question| question.field == one.field));
            let answered = || say(Word::Answered, &self.reply.lang).to_owned();
            return if taken { Some(answered()) } else { self.taken(next) };
        }
        let open = |answered: &&crate::Answered| {
            let secret = |input: &Input| matches!(input, Input::Text { secret: true, .. });
            questions().any(|question| question.field == answered.field && !secret(&question.input))
        };
        let understood: Vec<_> = next.answered.iter().filter(open).collect();
        let asked = |field: &str| self.reply.questions.iter().any(|question| question.field == field);
        match understood.as_slice() {
            [] => self.taken(next),
            [one] if asked(&one.field) => Some(one.value.clone()),
            several => {
                let lines = several.iter().map(|one| format!("{}: {}", one.label, one.value));
                Some(lines.collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// What was pressed, where the reply that followed does not say what was answered: none where it says that something
    /// is wrong, or where it is about a form, and so would tell.
    fn taken(&self, next: &Reply) -> Option<String> {
        let asked = |question: &Question| {
            next.questions.iter().any(|again| again.field == question.field && again.problem.is_some())
        };
        let refused = match self.reply.questions.as_slice() {
            [] => false,
            questions => next.form.is_some() || !next.answered.is_empty() || questions.iter().any(asked),
        };
        self.pressed().filter(|_| !refused).map(str::to_owned)
    }

    /// What was pressed, as far as it is an answer: of the buttons beside a question none is, and of those below a card
    /// only the one that confirms it.
    pub fn pressed(&self) -> Option<&str> {
        let answer = self.answer.as_deref()?;
        let buttons = &self.reply.buttons;
        let counts = match (buttons.iter().find(|button| button.label == answer), &self.reply.card) {
            (Some(_), _) if !self.reply.questions.is_empty() => false,
            (Some(button), Some(_)) => button.role == ButtonRole::Primary && buttons.first() == Some(button),
            (Some(button), None) => button.role != ButtonRole::Danger,
            (None, Some(card)) => !card.rows.iter().any(|row| row.edit.is_some() && row.label == answer),
            (None, None) => true,
        };
        counts.then_some(answer)
    }

    /// The words on a button or an option.
    pub fn label(&self, token: &Token) -> Option<String> {
        if let Some(button) = self.reply.buttons.iter().find(|button| button.token == *token) {
            return Some(button.label.clone());
        }
        let rows = self.reply.card.iter().flat_map(|card| &card.rows);
        if let Some(row) = rows.into_iter().find(|row| row.edit.as_ref() == Some(token)) {
            return Some(row.label.clone());
        }
        let Input::Options { options, .. } = &self.reply.question(token)?.input else { return None };
        options.iter().find(|option| option.token == *token).map(|option| option.label.clone())
    }

    /// Ticks an option, or takes the tick away; gives the ticked options in the order of the list.
    pub fn tick(&mut self, option: &Token) -> Vec<u16> {
        let ticked = self.ticked_of(option);
        let Some(no) = option.option else { return ticked };
        let mut ticked = ticked;
        match ticked.binary_search(&no) {
            Ok(at) => drop(ticked.remove(at)),
            Err(at) => ticked.insert(at, no),
        }
        self.ticked.insert(option.slot, ticked.clone());
        ticked
    }

    /// The options of a question that are ticked now: those ticked here, else those picked when it was drawn.
    pub fn ticked_of(&self, question: &Token) -> Vec<u16> {
        if let Some(ticked) = self.ticked.get(&question.slot) {
            return ticked.clone();
        }
        let Some(Input::Options { options, .. }) = self.reply.question(question).map(|question| &question.input) else {
            return Vec::new();
        };
        let mut picked: Vec<u16> =
            options.iter().filter(|option| option.picked).filter_map(|option| option.token.option).collect();
        picked.sort_unstable();
        picked
    }

    /// The press that sends what is ticked.
    pub fn send_ticked(&self, question: &Token) -> Press {
        let token = Token { option: None, ..question.clone() };
        let tokens = self.ticked_of(&token).into_iter().map(|no| token.option(no)).collect();
        Press { token, value: Pressed::Options { tokens } }
    }
}

/// The screens of one platform, in the product's store.
#[derive(Clone)]
pub struct Screens {
    platform: Platform,
    host: Arc<dyn Host>,
}

impl Screens {
    /// The screens that a platform's adapter has drawn.
    pub fn new(platform: Platform, host: Arc<dyn Host>) -> Self {
        Self { platform, host }
    }

    /// The screen that wears a nonce.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    pub async fn find(&self, nonce: &Nonce) -> Result<Option<Screen>, HostError> {
        let note = self.host.recall(&self.platform, &screen_key(nonce)).await?;
        // What an older version wrote and this one cannot read is as good as gone.
        Ok(note.and_then(|note| serde_json::from_value(note).ok()))
    }

    /// The screen that a person sees last at a place: their own, else the one that all there share.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    pub async fn live(&self, place: &Place, user: &UserId) -> Result<Option<Screen>, HostError> {
        match self.last(place, user).await? {
            Some(own) => Ok(Some(own)),
            None => Ok(self.last(place, &everybody()).await?.filter(|shared| shared.may_press(user))),
        }
    }

    /// The screen that a delivery takes the place of: the one of the same session that is live.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be read.
    pub async fn before(&self, delivery: &Delivery) -> Result<Option<Screen>, HostError> {
        if delivery.reply.case.as_ref().is_some_and(|case| !case.over && delivery.reply.nonce().is_none()) {
            return Ok(None);
        }
        self.last(&delivery.place, &whose(&delivery.reply, &delivery.user)).await
    }

    async fn last(&self, place: &Place, user: &UserId) -> Result<Option<Screen>, HostError> {
        let note = self.host.recall(&self.platform, &live_key(place, user)).await?;
        match note.and_then(|note| serde_json::from_value::<Nonce>(note).ok()) {
            Some(nonce) => Ok(self.find(&nonce).await?.filter(|screen| !screen.over)),
            None => Ok(None),
        }
    }

    /// Keeps a screen as it is now. One that is not over becomes the live one of its session.
    ///
    /// # Errors
    /// [`HostError::Unavailable`] when the store cannot be written.
    pub async fn keep(&self, screen: &Screen) -> Result<(), HostError> {
        let Some(nonce) = screen.reply.nonce() else { return Ok(()) };
        self.note(screen_key(nonce), screen, serde_json::to_value(screen).ok()).await?;
        if !screen.over {
            let live = serde_json::to_value(nonce).ok();
            let whose = whose(&screen.reply, &screen.owner);
            self.note(live_key(&screen.place, &whose), screen, live).await?;
        }
        Ok(())
    }

    async fn note(&self, key: String, screen: &Screen, value: Option<serde_json::Value>) -> Result<(), HostError> {
        let note = Note { platform: self.platform.clone(), key, owner: Some(screen.owner.clone()), value };
        self.host.remember(note).await
    }
}

/// Whose screen a reply is at its place: the person's, that of all who share it, or a case's own.
fn whose(reply: &Reply, user: &UserId) -> UserId {
    match &reply.case {
        Some(case) if reply.shared => UserId::new(format!("#{}", case.code)),
        _ if reply.shared => everybody(),
        _ => user.clone(),
    }
}

/// Stands for all who are at a place.
fn everybody() -> UserId {
    UserId::new("")
}

fn screen_key(nonce: &Nonce) -> String {
    format!("screen/{}", nonce.as_str())
}

/// Parts are length-prefixed, so that no two places share a key.
fn live_key(place: &Place, user: &UserId) -> String {
    let parts = [&place.workspace, &place.channel, place.thread.as_deref().unwrap_or_default(), user.as_str()];
    format!("live/{}", parts.map(|part| format!("{}:{part}", part.len())).concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance;

    #[test]
    fn ticks_are_kept_in_the_order_of_the_list_and_sent_together() {
        let reply = conformance::several(5);
        let token = reply.questions[0].token.clone();
        let place = conformance::place("test");
        let mut screen = Screen::new(UserId::new("ada"), place, reply, Vec::new());
        assert_eq!(screen.tick(&token.option(3)), [3]);
        assert_eq!(screen.tick(&token.option(1)), [1, 3]);
        assert_eq!(screen.tick(&token.option(3)), [1]);
        let press = screen.send_ticked(&token.option(4));
        assert_eq!(press, Press { token: token.clone(), value: Pressed::Options { tokens: vec![token.option(1)] } });
        assert_eq!(screen.words(&[press]).as_deref(), Some("Option 2"));
    }

    #[test]
    fn an_answer_is_shown_where_it_was_asked_however_it_was_given() {
        let text = |secret| Input::Text { long: false, max_chars: None, example: None, secret };
        let page = conformance::page(vec![text(false), text(false), text(true)]);
        let mut screen = Screen::new(UserId::new("ada"), conformance::place("test"), page, Vec::new());
        let answered = |no: u16| crate::Answered {
            field: format!("field{no}"),
            label: format!("Field {no}"),
            value: format!("answer {no}"),
        };
        let next =
            |fields: &[u16]| Reply { answered: fields.iter().map(|no| answered(*no)).collect(), ..Reply::default() };
        assert_eq!(screen.given(&next(&[])), None);
        assert_eq!(screen.given(&next(&[0])).as_deref(), Some("answer 0"));
        assert_eq!(screen.given(&next(&[10])).as_deref(), Some("Field 10: answer 10"));
        assert_eq!(screen.given(&next(&[0, 10])).as_deref(), Some("Field 0: answer 0\nField 10: answer 10"));
        // What another screen asked, and what is secret, is not shown here.
        assert_eq!(screen.given(&next(&[7, 11])), None);
        screen.answer = Some("2026-12-24".to_owned());
        assert_eq!(screen.given(&next(&[])).as_deref(), Some("2026-12-24"));
        assert_eq!(screen.given(&next(&[0])).as_deref(), Some("answer 0"));
        (screen.reply.private, screen.answer) = (true, None);
        assert_eq!(screen.given(&next(&[])), None);
        assert_eq!(screen.given(&next(&[0])).as_deref(), Some("Answered"));
    }

    #[test]
    fn what_was_pressed_and_not_taken_gets_no_tick() {
        let reply = conformance::one_of(3);
        let mut screen = Screen::new(UserId::new("ada"), conformance::place("test"), reply.clone(), Vec::new());
        screen.answer = Some("Option 2".to_owned());
        let mut again = reply.clone();
        again.questions[0].problem = Some("Option 2 is sold out.".to_owned());
        assert_eq!(screen.given(&again), None, "it is asked again");
        let next = Reply { form: Some("pizza-order".to_owned()), ..Reply::default() };
        assert_eq!(screen.given(&next), None, "the reply tells all that was answered");
        screen.reply.private = true;
        assert_eq!(screen.given(&again), None, "and of what is private too");
    }

    #[test]
    fn a_button_that_is_no_answer_gets_no_tick() {
        let (question, review) = (conformance::one_of(2), conformance::review(3));
        for (reply, words, shown) in [
            (&question, "Skip", false),
            (&question, "Option 1", true),
            (&review, "Confirm", true),
            (&review, "Change something", false),
            (&review, "Cancel", false),
            (&review, "Field 2", false),
        ] {
            let place = conformance::place("test");
            let mut screen = Screen::new(UserId::new("ada"), place, reply.clone(), Vec::new());
            screen.answer = Some(words.to_owned());
            assert_eq!(screen.pressed(), shown.then_some(words), "{words}");
            assert_eq!(screen.given(&Reply::default()).as_deref(), shown.then_some(words), "{words}");
        }
    }
}
