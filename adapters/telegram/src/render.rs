//! [`Reply`] → messages of Telegram. Pure: today, and what was ticked or turned to, are given.
//!
//! A reply becomes one message, or several where its words are many; the last one wears the widgets. Telegram has no
//! forms in a chat, so [`Reply::page`] is left out: its questions are asked one after the other.

mod calendar;
pub(crate) mod html;
mod keys;
pub(crate) mod list;
pub(crate) mod names;

use formwright_chat::words::{Word, say};
use formwright_chat::{Input, Question, Reply, Screen};
use jiff::civil::Date;
use serde_json::{Value, json};

use self::html::{Style, Text, shorten};
pub use self::keys::{Ask, Does, Key, Markup};
use crate::limits;

/// UTF-16 units kept free in the last message for the answer that is shown there later.
const ANSWER: usize = 300;
/// Longest question that is shown in bold.
const BOLD: usize = 200;

/// What a drawing depends on beside the reply.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The day, which a calendar marks and begins with.
    pub today: Date,
    /// Whether others read along: their keyboards are left alone.
    pub group: bool,
    /// Options ticked so far; without it, those that were picked before.
    pub screen: Option<&'a Screen>,
    /// What a widget was turned to.
    pub view: Option<&'a View>,
}

impl Frame<'_> {
    /// A first drawing.
    pub fn new(today: Date, group: bool) -> Self {
        Self { today, group, screen: None, view: None }
    }

    fn ticked(&self, question: &Question) -> Vec<u16> {
        if let Some(screen) = self.screen {
            return screen.ticked_of(&question.token);
        }
        let Input::Options { options, .. } = &question.input else { return Vec::new() };
        options.iter().filter(|option| option.picked).filter_map(|option| option.token.option).collect()
    }
}

/// What a widget was turned to: a page of a list, a month of a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The widget.
    pub slot: u16,
    /// The operation that its button wore.
    pub op: String,
}

/// One message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its text as HTML, never empty.
    pub html: String,
    /// What hangs on it.
    pub markup: Markup,
}

impl Message {
    /// The fields that sending and editing share.
    pub fn json(&self) -> Value {
        let mut json = json!({"text": self.html, "parse_mode": "HTML", "link_preview_options": {"is_disabled": true}});
        if let Some(markup) = self.markup.json() {
            json["reply_markup"] = markup;
        }
        json
    }
}

/// The messages of a reply, the last with its widgets. None where there is nothing to show.
pub fn draw(reply: &Reply, frame: &Frame<'_>) -> Vec<Message> {
    let markup = markup(reply, frame);
    let mut text = words(reply);
    if let Markup::Force { .. } = markup {
        named_buttons(&mut text, reply);
    }
    let mut messages = split(reply, text, markup != Markup::Bare);
    let Some((last, before)) = messages.split_last_mut() else { return Vec::new() };
    for details in reply.questions.iter().filter_map(|question| list::details(question, frame.view)).take(1) {
        last.paragraph("\n\n");
        last.append(&details);
    }
    let mut drawn: Vec<Message> =
        before.iter().map(|text| Message { html: text.html(), markup: Markup::Bare }).collect();
    drawn.push(Message { html: last.html(), markup });
    drawn
}

/// The words of a reply alone, for one that another has overtaken.
pub fn plain(reply: &Reply) -> Vec<Message> {
    let bare = |text: Text| Message { html: text.html(), markup: Markup::Bare };
    split(reply, words(reply), false).into_iter().map(bare).collect()
}

/// The last message of an answered reply: without its widgets, with the answer.
pub fn answered(reply: &Reply, answer: &str) -> Option<Message> {
    let mut text = split(reply, words(reply), true).pop()?;
    text.paragraph("\n\n");
    text.push(Style::Plain, "✓ ");
    text.push(Style::Bold, &shorten(answer, ANSWER / 2 - 4));
    Some(Message { html: text.html(), markup: Markup::Bare })
}

fn split(reply: &Reply, text: Text, widgets: bool) -> Vec<Text> {
    let detailed = reply.questions.iter().any(|question| list::details(question, None).is_some());
    let reserve = ANSWER + if detailed { list::DETAILS } else { 0 };
    let mut pieces = text.split(limits::TEXT);
    // Only the last one gets anything added.
    if let Some(last) = pieces.pop_if(|last| last.units() > limits::TEXT - reserve) {
        pieces.extend(last.split(limits::TEXT - reserve));
    }
    if pieces.is_empty() && widgets {
        // Telegram refuses a message without words, and buttons hang on messages only.
        let mut text = Text::default();
        text.push(Style::Plain, "…");
        pieces.push(text);
    }
    pieces
}

/// Everything that is said, as one text.
fn words(reply: &Reply) -> Text {
    let mut text = Text::default();
    for paragraph in reply.say.iter().filter(|paragraph| !paragraph.trim().is_empty()) {
        text.paragraph("\n\n");
        let asks = reply.questions.iter().any(|question| question.ask == *paragraph);
        let bold = asks && paragraph.chars().count() <= BOLD;
        text.push(if bold { Style::Bold } else { Style::Plain }, paragraph);
    }
    for question in &reply.questions {
        let ask = [question.problem.as_deref(), Some(question.ask.as_str())];
        for missing in ask.into_iter().flatten().filter(|words| !said(reply, words)) {
            text.paragraph("\n\n");
            text.push(Style::Plain, missing);
        }
        hints(&mut text, reply, question);
    }
    card(&mut text, reply);
    if let Some(progress) = reply.progress.filter(|progress| progress.total > 1) {
        text.paragraph("\n\n");
        text.push(Style::Italic, &format!("{}/{}", progress.answered, progress.total));
    }
    text
}

fn said(reply: &Reply, words: &str) -> bool {
    words.trim().is_empty() || reply.say.iter().any(|said| said.contains(words))
}

/// The author's help, and how to answer where the widget does not say it.
fn hints(text: &mut Text, reply: &Reply, question: &Question) {
    let word = |word: Word| say(word, &reply.lang).to_owned();
    let help = question.help.clone().filter(|help| !said(reply, help));
    let how = match &question.input {
        Input::Options { multiple: true, .. } => Some(word(Word::TickSeveral)),
        Input::Options { options, other, .. } if *other || options.len() > 12 => Some(word(Word::OrType)),
        Input::File { .. } => {
            let limits = formwright_chat::file_limits(&question.input, &reply.lang);
            Some(word(Word::SendFile) + &limits.map(|limits| format!(" ({limits})")).unwrap_or_default())
        }
        Input::Location => Some(word(Word::SendLocation)),
        _ => None,
    };
    for hint in help.into_iter().chain(how) {
        text.paragraph("\n\n");
        text.push(Style::Italic, &hint);
    }
}

fn card(text: &mut Text, reply: &Reply) {
    let Some(card) = &reply.card else { return };
    text.paragraph("\n\n");
    text.push(Style::Bold, &card.title);
    for row in &card.rows {
        text.paragraph("\n");
        text.push(Style::Plain, "▪ ");
        text.push(Style::Italic, &row.label);
        text.push(Style::Plain, ": ");
        text.push(Style::Plain, &row.value);
    }
}

/// Where no buttons can be drawn, their words can be written.
fn named_buttons(text: &mut Text, reply: &Reply) {
    let labels: Vec<&str> = reply.buttons.iter().map(|button| button.label.as_str()).collect();
    if !labels.is_empty() {
        text.paragraph("\n\n");
        text.push(Style::Italic, &format!("» {}", labels.join(" · ")));
    }
}

fn markup(reply: &Reply, frame: &Frame<'_>) -> Markup {
    let asked = reply.questions.iter().find(|question| has_keys(question));
    let lang = &reply.lang;
    if let (None, None, None, Some(question)) = (asked, &reply.card, &reply.case, reply.questions.first()) {
        let ask = match question.input {
            // A number that was just refused may be the person's own.
            Input::Phone { .. } if question.problem.is_none() => Some((Ask::Phone, say(Word::SharePhone, lang))),
            Input::Location => Some((Ask::Location, say(Word::ShareLocation, lang))),
            Input::Person => Some((Ask::Person, say(Word::Choose, lang))),
            _ => None,
        };
        let hint = question.label.clone();
        if frame.group {
            return Markup::Force { hint };
        }
        if let Some((ask, label)) = ask {
            let words = reply.buttons.iter().map(|button| button.label.clone()).collect();
            return Markup::Keyboard { ask, label: label.to_owned(), words, hint };
        }
    }
    let mut rows = Vec::new();
    if let Some(question) = asked {
        rows.extend(widget(question, frame, lang));
    }
    rows.extend(reply.card.iter().flat_map(|card| list::edits(card, frame.view)));
    rows.extend(list::controls(reply, frame.view));
    if rows.is_empty() { Markup::Bare } else { Markup::Inline(rows) }
}

/// Whether a question is answered by buttons.
fn has_keys(question: &Question) -> bool {
    match &question.input {
        Input::Options { options, .. } => !options.is_empty(),
        Input::Date { .. } | Input::DateTime { .. } | Input::DateRange { .. } | Input::Time { .. } => true,
        _ => !list::values(question).is_empty(),
    }
}

fn widget(question: &Question, frame: &Frame<'_>, lang: &str) -> Vec<Vec<Key>> {
    if let Input::Options { .. } = question.input {
        return list::options(question, frame, lang);
    }
    let op = frame.view.filter(|view| view.slot == question.token.slot).map_or("", |view| view.op.as_str());
    match calendar::draw(question, op, lang, frame.today) {
        Some(mut rows) => {
            if let Input::Date { min, max } = &question.input
                && op.is_empty()
            {
                rows.extend(quick(question, frame.today, min.as_deref(), max.as_deref(), lang));
            }
            rows
        }
        None => list::numbers(question),
    }
}

/// Today and tomorrow, as words: which day that is where the person lives, the product knows better.
fn quick(question: &Question, today: Date, min: Option<&str>, max: Option<&str>, lang: &str) -> Option<Vec<Key>> {
    let day = today.to_string();
    let within = min.is_none_or(|min| min <= day.as_str()) && max.is_none_or(|max| day.as_str() < max);
    let key = |op: &str, word| Key::op(&question.token, op, say(word, lang));
    within.then(|| vec![key("q0", Word::Today), key("q1", Word::Tomorrow)])
}

/// The words of a button as they are drawn.
pub(crate) fn label(words: &str) -> String {
    shorten(words, limits::LABEL)
}

/// The word that a quick choice of a day stands for.
pub(crate) fn quick_word(op: &str, lang: &str) -> Option<&'static str> {
    match op {
        "q0" => Some(say(Word::Today, lang)),
        "q1" => Some(say(Word::Tomorrow, lang)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
