//! Lists: options to pick one or several of, edit buttons of a review, and rows of controls; paged where they are long.

use formwright_chat::words::{Word, say};
use formwright_chat::{Button, ButtonRole, Card, Choice, Input, Question, Reply};

use super::html::{Style, Text, shorten};
use super::keys::{Key, columns, of_pages, page};
use super::{Frame, View};
use crate::limits;

/// Most options on one page of buttons beside each other, in rows.
const ROWS: usize = 10;
/// Most options on one page whose details stand in the text.
const DETAILED: usize = 8;
/// UTF-16 units for the details of one page.
pub(crate) const DETAILS: usize = 2400;
/// Most edit buttons of a review on one page.
pub(crate) const EDITS: usize = 16;
/// Most other buttons on one page.
const CONTROLS: usize = 21;
/// Widest range of whole numbers that is drawn as buttons.
const NUMBERS: i64 = 12;
/// Widest scale that is drawn as buttons.
const POINTS: u32 = 21;

/// Whether the options need words beside their buttons: a second line, or more than fits on one.
pub(crate) fn detailed(options: &[Choice]) -> bool {
    options.iter().any(|option| {
        let detail = option.detail.as_ref().is_some_and(|detail| !detail.trim().is_empty());
        detail || option.label.chars().count() > limits::LABEL - 2
    })
}

/// How many options stand on a page.
pub(crate) fn size(options: &[Choice]) -> usize {
    if detailed(options) {
        return DETAILED;
    }
    let size = ROWS * columns(options.iter().map(|option| option.label.as_str())).min(3);
    // A last page of two is worse than a page two longer.
    if options.len() <= size + 2 { size + 2 } else { size }
}

/// Which page of a question's options is shown.
fn options_page(question: &Question, view: Option<&View>) -> usize {
    let op = view.filter(|view| view.slot == question.token.slot).map_or("", |view| view.op.as_str());
    op.strip_prefix(['p', 't']).and_then(|page| page.parse().ok()).unwrap_or(0)
}

/// The buttons of a question's options.
pub(crate) fn options(question: &Question, frame: &Frame<'_>, lang: &str) -> Vec<Vec<Key>> {
    let Input::Options { options, multiple, .. } = &question.input else { return Vec::new() };
    let ticked = frame.ticked(question);
    let size = size(options);
    let (here, pages) = of_pages(options.len(), size, options_page(question, frame.view));
    let key = |option: &Choice| {
        let no = option.token.option.unwrap_or_default();
        let label = if option.label.trim().is_empty() { (u32::from(no) + 1).to_string() } else { option.label.clone() };
        if *multiple {
            let mark = if ticked.contains(&no) { "☑" } else { "☐" };
            Key::op(&option.token, format!("t{here}"), &format!("{mark} {label}"))
        } else {
            let mark = if ticked.contains(&no) { "✓ " } else { "" };
            Key::press(&option.token, &format!("{mark}{label}"))
        }
    };
    let keys = options.iter().map(key).collect();
    let mut rows = page(keys, size, here, |to, label| {
        let op = if to == here && pages > 1 && label.contains('/') { "n".to_owned() } else { format!("p{to}") };
        Key::op(&question.token, op, label)
    });
    if *multiple {
        let count = if ticked.is_empty() { String::new() } else { format!(" ({})", ticked.len()) };
        let done = format!("{}{count}", say(Word::Done, lang));
        rows.push(vec![Key::op(&question.token, "d", &done).role(ButtonRole::Primary)]);
    }
    rows
}

/// The details of the options on the page that is shown, within [`DETAILS`].
pub(crate) fn details(question: &Question, view: Option<&View>) -> Option<Text> {
    let Input::Options { options, .. } = &question.input else { return None };
    if !detailed(options) {
        return None;
    }
    let size = size(options);
    let (here, _) = of_pages(options.len(), size, options_page(question, view));
    // A character takes two units at most; a line has its signs beside the words.
    let each = DETAILS / size / 2 - 8;
    let mut text = Text::default();
    for option in options.iter().skip(here * size).take(size) {
        text.paragraph("\n");
        text.push(Style::Plain, "• ");
        let detail = option.detail.as_deref().filter(|detail| !detail.trim().is_empty());
        let units = |words: &str| words.encode_utf16().count();
        let whole = units(&option.label) + detail.map_or(0, units) <= DETAILS / size - 16;
        let cut = |words: &str, most: usize| if whole { words.to_owned() } else { shorten(words, most) };
        text.push(Style::Bold, &cut(&option.label, each / 3));
        if let Some(detail) = detail {
            text.push(Style::Plain, " — ");
            text.push(Style::Plain, &cut(detail, each * 2 / 3));
        }
    }
    Some(text)
}

/// Buttons for a scale or for a short range of whole numbers.
pub(crate) fn numbers(question: &Question) -> Vec<Vec<Key>> {
    let numbers = values(question);
    let stars = matches!(question.input, Input::Rating { min, max: ..=5 } if min > 0);
    let key = |number: &i64| {
        let label = if stars { format!("{number} ⭐") } else { number.to_string() };
        Key::op(&question.token, format!("v{number}"), &label)
    };
    let keys: Vec<Key> = numbers.iter().map(key).collect();
    let columns = if keys.len() <= limits::ROW - 3 { limits::ROW } else { keys.len().div_ceil(keys.len().div_ceil(6)) };
    keys.chunks(columns).map(<[Key]>::to_vec).collect()
}

/// The numbers that are drawn as buttons.
pub(crate) fn values(question: &Question) -> Vec<i64> {
    match &question.input {
        Input::Rating { min, max } if max.saturating_sub(*min) < POINTS => {
            (i64::from(*min)..=i64::from(*max)).collect()
        }
        Input::Number { integer: true, min: Some(min), max: Some(max), .. } => match (min.parse(), max.parse()) {
            (Ok(min), Ok(max)) if i64::checked_sub(max, min).is_some_and(|span| (0..NUMBERS).contains(&span)) => {
                (min..=max).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The edit buttons of a review.
pub(crate) fn edits(card: &Card, view: Option<&View>) -> Vec<Vec<Key>> {
    let tokens: Vec<_> = card.rows.iter().filter_map(|row| Some((row.edit.as_ref()?, &row.label))).collect();
    let Some((first, _)) = tokens.first().copied() else { return Vec::new() };
    let keys = tokens.iter().map(|(token, label)| Key::press(token, &format!("✏️ {label}"))).collect();
    let here = turned(view, 'c');
    page(keys, EDITS, here, |to, label| {
        Key::op(first, if to == here { "n".to_owned() } else { format!("c{to}") }, label)
    })
}

/// The buttons below everything else.
pub(crate) fn controls(reply: &Reply, view: Option<&View>) -> Vec<Vec<Key>> {
    let Some(first) = reply.buttons.first() else { return Vec::new() };
    let key = |button: &Button| Key::press(&button.token, &button.label).role(button.role);
    let keys = reply.buttons.iter().map(key).collect();
    let here = turned(view, 'b');
    page(keys, CONTROLS, here, |to, label| {
        Key::op(&first.token, if to == here { "n".to_owned() } else { format!("b{to}") }, label)
    })
}

fn turned(view: Option<&View>, list: char) -> usize {
    view.and_then(|view| view.op.strip_prefix(list)?.parse().ok()).unwrap_or(0)
}
