//! [`Reply`] → messages as Discord takes them. Pure: the day and what is ticked are given.
//!
//! Words and questions are plain messages, so that notifications show them; a review card is drawn with Components V2.
//! Everything can be answered in words too.

mod card;
pub(crate) mod commands;
mod days;
mod kit;
pub(crate) mod modal;
mod options;
pub(crate) mod text;

use std::collections::BTreeMap;

use chat::words::{Word, say};
use chat::{Button, ButtonRole, Input, Question, Reply, Screen, Wire};
use formwright_chat as chat;
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::limits;
use crate::wire_op::Op;
pub(crate) use days::answer;
pub(crate) use options::search;

/// How a reply is drawn just now.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    /// In a direct message: the person can write without being overheard or unheard.
    pub direct: bool,
    /// The day it is.
    pub today: Date,
    /// The widget that is not in its first state, by its slot.
    pub turned: Option<(u16, Turned)>,
    /// Options ticked so far, by the slot of their question.
    pub ticked: BTreeMap<u16, Vec<u16>>,
}

/// A state of a widget beside its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turned {
    /// A further page of a list or of days, from 0.
    Page(u16),
    /// Options that a search found.
    Found(Vec<u16>),
    /// The day that was picked, when a time or a second day is still to come.
    Day(String),
    /// The hour that was picked, `14` or `2026-11-24T14`.
    Hour(String),
}

impl Canvas {
    /// A reply just drawn.
    pub fn new(direct: bool, today: Date) -> Self {
        Self { direct, today, turned: None, ticked: BTreeMap::new() }
    }

    /// The same with a widget turned.
    pub(crate) fn turn(mut self, slot: u16, to: Turned) -> Self {
        self.turned = Some((slot, to));
        self
    }

    fn turned(&self, question: &Question) -> Option<&Turned> {
        self.turned.as_ref().filter(|(slot, _)| *slot == question.token.slot).map(|(_, turned)| turned)
    }

    /// Whether a window to type in is offered: not where the person can simply write.
    fn types(&self, reply: &Reply) -> bool {
        !self.direct || reply.private
    }
}

/// The messages of a reply, in order; the last one wears the widgets. A reply that says nothing has none.
pub fn messages(reply: &Reply, canvas: &Canvas) -> Vec<Value> {
    match &reply.card {
        Some(card) => card::messages(reply, card, canvas),
        None => plain(&body(reply), widgets(reply, canvas, limits::ROWS), reply),
    }
}

/// The messages of a reply that another one follows at once: its words, without widgets.
pub(crate) fn words_only(reply: &Reply) -> Vec<Value> {
    let bare = Reply { questions: Vec::new(), page: Vec::new(), buttons: Vec::new(), ..reply.clone() };
    let bare_text = match &bare.card {
        Some(card) => format!("{}\n{}", body(&bare), card::text(card)),
        None => body(&bare),
    };
    plain(&bare_text, Vec::new(), &bare)
}

/// The last message of a screen that is over: no widgets, and the answer where there is one to show.
pub(crate) fn over(screen: &Screen, canvas: &Canvas) -> Value {
    let answer = screen.pressed().map(answered);
    if let Some(card) = screen.reply.card.as_ref().filter(|card| !card::is_plain(&screen.reply, card)) {
        return card::over(&screen.reply, card, answer.as_deref());
    }
    let mut message = messages(&screen.reply, canvas).pop().unwrap_or_else(|| kit::message("", Vec::new()));
    let content = message["content"].as_str().unwrap_or_default();
    let content = match answer {
        Some(answer) => {
            let room = limits::CONTENT.saturating_sub(text::units(content) + 1);
            let answer = if text::units(&answer) > room { "✓".to_owned() } else { answer };
            if room == 0 { content.to_owned() } else { format!("{content}\n{answer}") }
        }
        None => content.to_owned(),
    };
    message["content"] = content.into();
    message["components"] = json!([]);
    message
}

/// `✓ Diavola`, each line of its own.
fn answered(answer: &str) -> String {
    let lines = answer.lines().filter(|line| !line.trim().is_empty());
    let shown: Vec<String> = lines.map(|line| format!("✓ {}", text::escape(&text::clip(line, 300)))).collect();
    if shown.is_empty() { "✓".to_owned() } else { text::clip(&shown.join("\n"), 1200) }
}

/// A message for one person's eyes with these words.
pub(crate) fn whisper(words: &str, rows: Vec<Value>) -> Value {
    let content = text::clip(&text::escape(words), limits::CONTENT);
    let mut message = kit::message(if content.is_empty() { "—" } else { &content }, rows);
    message["flags"] = (limits::FLAG_NO_EMBEDS | limits::FLAG_EPHEMERAL).into();
    message
}

/// In place of a message that has served.
pub(crate) fn done() -> Value {
    told("✓")
}

/// Words alone.
pub(crate) fn told(words: &str) -> Value {
    kit::message(&text::escape(words), Vec::new())
}

/// A message as one that only the person sees.
pub(crate) fn hidden(mut message: Value) -> Value {
    message["flags"] = (message["flags"].as_u64().unwrap_or_default() | limits::FLAG_EPHEMERAL).into();
    message
}

/// What is wrong with a window that was sent, with a button that opens it again.
pub(crate) fn problems(words: &[String], reply: &Reply, token: &chat::Token) -> Value {
    let fix = kit::button(&Op::Fix.on(token), say(Word::FixAndSend, &reply.lang), ButtonRole::Primary);
    whisper(&words.join("\n"), vec![kit::row(vec![fix])])
}

/// In place of a private question that could be shown to nobody alone: a button that shows it to who presses.
pub(crate) fn veiled(reply: &Reply, user: &chat::UserId) -> Option<Value> {
    let token = chat::Token { nonce: reply.nonce()?.clone(), slot: 0, option: None };
    let button = kit::button(&Op::Reveal.on(&token), say(Word::InPrivate, &reply.lang), ButtonRole::Primary);
    // A name that pings nobody: among many locks each finds their own.
    Some(kit::message(&format!("🔒 <@{user}>"), vec![kit::row(vec![button])]))
}

fn plain(body: &str, rows: Vec<Value>, reply: &Reply) -> Vec<Value> {
    let mut parts = text::split(body, limits::CONTENT);
    if parts.is_empty() && !rows.is_empty() {
        parts.push(say(Word::Choose, &reply.lang).to_owned());
    }
    let Some(last) = parts.pop() else { return Vec::new() };
    let before = parts.iter().map(|part| kit::message(part, Vec::new()));
    before.chain(std::iter::once(kit::message(&last, rows))).collect()
}

/// All that is said, escaped: also the words that a widget has no room for.
fn body(reply: &Reply) -> String {
    let mut lines: Vec<String> = reply.say.iter().map(|say| text::escape(say)).collect();
    for question in &reply.questions {
        let asked = reply.say.iter().any(|say| question.help.as_ref().is_some_and(|help| say.contains(help)));
        lines.extend(question.help.iter().filter(|_| !asked).map(|help| small(help)));
        lines.extend(chat::file_limits(&question.input, &reply.lang).map(|limits| small(&limits)));
        lines.extend(options::cut(&question.input));
    }
    let long = reply.buttons.iter().filter(|button| text::is_cut(&button.label, limits::BUTTON_LABEL));
    // Two selects have room beside any question.
    let surplus = reply.buttons.iter().skip(2 * limits::SELECT_OPTIONS);
    lines.extend(long.chain(surplus).map(|button| format!("• {}", text::escape(&button.label))));
    if let Some(progress) = reply.progress.filter(|progress| progress.total > 1) {
        lines.push(format!("-# {}/{}", progress.answered, progress.total));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines.join("\n")
}

/// Words in small letters: Discord's subtext is one line.
fn small(words: &str) -> String {
    let words = text::escape(&text::clean(words).replace('\n', " "));
    if words.trim().is_empty() { String::new() } else { format!("-# {}", words.trim()) }
}

/// At most `room` rows of components for the first question and the reply's buttons.
fn widgets(reply: &Reply, canvas: &Canvas, room: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut buttons = Vec::new();
    if let Some(question) = reply.questions.first() {
        widget(reply, question, canvas, &mut rows, &mut buttons);
    }
    if modal::is_page(reply)
        && let Some(question) = reply.questions.first()
    {
        let label = say(Word::OpenForm, &reply.lang);
        buttons.push(kit::button(&Op::Form.on(&question.token), label, ButtonRole::Primary));
    }
    let room = room.saturating_sub(rows.len());
    rows.extend(actions(buttons, &reply.buttons, room, &reply.lang));
    rows
}

/// Own buttons and the reply's in at most so many rows; a row of select for each 25 where they are too many.
fn actions(own: Vec<Value>, buttons: &[Button], room: usize, lang: &str) -> Vec<Value> {
    if own.len() + buttons.len() <= room * limits::ROW_BUTTONS {
        let theirs = buttons.iter().map(|button| kit::button(&Wire::press(&button.token), &button.label, button.role));
        return kit::rows(&own.into_iter().chain(theirs).collect::<Vec<_>>());
    }
    let mut rows = kit::rows(&own);
    let room = room.saturating_sub(rows.len());
    let items = buttons.iter().map(|button| (&button.token, button.label.as_str()));
    rows.extend(picks(items, room, say(Word::Choose, lang)));
    rows
}

/// Selects whose options are buttons, at most `room` of them.
fn picks<'a>(items: impl Iterator<Item = (&'a chat::Token, &'a str)>, room: usize, placeholder: &str) -> Vec<Value> {
    let items: Vec<_> = items.collect();
    let select = |chunk: &[(&chat::Token, &str)]| {
        let options = chunk.iter().map(|(token, label)| kit::option(&Wire::press(token), label, None, false)).collect();
        chunk.first().map(|(first, _)| kit::select(&Op::Pick.on(first), placeholder, options, (1, 1)))
    };
    items.chunks(limits::SELECT_OPTIONS).take(room).filter_map(select).collect()
}

/// The question's own rows, and the buttons that belong to it.
fn widget(reply: &Reply, question: &Question, canvas: &Canvas, rows: &mut Vec<Value>, buttons: &mut Vec<Value>) {
    let lang = reply.lang.as_str();
    let types = canvas.types(reply);
    let turned = canvas.turned(question);
    let mut type_button = types;
    match &question.input {
        Input::Options { options, other, .. } if !options.is_empty() => {
            options::widget(question, lang, canvas, rows, buttons);
            // Words of one's own; and options, which may be typed anywhere, need no window.
            type_button = types && *other;
        }
        Input::Rating { min, max } if (0..25).contains(&(i64::from(*max) - i64::from(*min))) => {
            rows.extend(options::rating(question, lang, *min, *max));
            type_button = false;
        }
        Input::Date { min, max } => {
            let bounds = days::Bounds::new(min.as_deref(), max.as_deref());
            pick_day(question, lang, bounds, canvas, rows, buttons);
        }
        Input::DateTime { min, max } => match turned {
            Some(Turned::Day(day)) => rows.push(days::hours(question, lang, Some(day))),
            Some(Turned::Hour(hour)) => rows.push(days::minutes(question, lang, hour)),
            _ => {
                let bounds = days::Bounds::new(min.as_deref(), max.as_deref());
                pick_day(question, lang, bounds, canvas, rows, buttons);
            }
        },
        Input::DateRange { min, max } => {
            let bounds = days::Bounds::new(min.as_deref(), max.as_deref());
            pick_day(question, lang, bounds, canvas, rows, buttons);
        }
        Input::Time { .. } => match turned {
            Some(Turned::Hour(hour)) => rows.push(days::minutes(question, lang, hour)),
            _ => rows.push(days::hours(question, lang, None)),
        },
        Input::Person => rows.push(options::entities(question, lang, 5)),
        Input::Channel => rows.push(options::entities(question, lang, 8)),
        Input::File { .. } => {
            buttons.push(kit::button(&Op::Type.on(&question.token), say(Word::SendFile, lang), ButtonRole::Primary));
            type_button = false;
        }
        _ => {}
    }
    if type_button {
        buttons.push(kit::button(&Op::Type.on(&question.token), say(Word::TypeAnswer, lang), ButtonRole::Plain));
    }
}

/// A page of days with the buttons that turn it. What a day does depends on what is asked: it is the answer, the day of
/// a moment, or the first or second of two.
fn pick_day(
    question: &Question,
    lang: &str,
    mut bounds: days::Bounds,
    canvas: &Canvas,
    rows: &mut Vec<Value>,
    buttons: &mut Vec<Value>,
) {
    let turned = canvas.turned(question);
    let page = if let Some(Turned::Page(page)) = turned { *page } else { 0 };
    let first = match (&question.input, turned) {
        (Input::DateRange { .. }, Some(Turned::Day(first))) => Some(first.clone()),
        _ => None,
    };
    if let Some(day) = first.as_ref().and_then(|first| first.parse().ok()) {
        bounds.min = Some(day);
    }
    // The second day of a range may be long before today.
    let today = if first.is_some() { bounds.min.unwrap_or(canvas.today) } else { canvas.today };
    if !bounds.has_page(today, page) {
        return;
    }
    let wire = |day: Date| match (&question.input, &first) {
        (Input::DateRange { .. }, Some(first)) => Op::Value(format!("{first}/{day}")).on(&question.token),
        (Input::DateRange { .. } | Input::DateTime { .. }, _) => Op::Day(day.to_string()).on(&question.token),
        _ => Op::Value(day.to_string()).on(&question.token),
    };
    rows.push(days::days(question, lang, bounds, (today, page), canvas.today, wire));
    if first.is_none() {
        let next = bounds.has_page(today, page + 1);
        buttons.extend(options::turns(question, lang, page, next));
    }
}
