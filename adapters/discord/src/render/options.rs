//! Lists to pick from: buttons where few, a select up to 25, pages and a search beyond.

use std::collections::BTreeSet;

use chat::words::{Word, say};
use chat::{ButtonRole, Choice, Input, Question, Wire};
use formwright_chat as chat;
use serde_json::{Value, json};

use super::{Canvas, Turned, kit, text};
use crate::limits;
use crate::wire_op::Op;

/// Up to so many options are buttons.
const BUTTONS: usize = 5;

/// The rows of a list, and the buttons that turn, search and send it.
pub(super) fn widget(
    question: &Question,
    lang: &str,
    canvas: &Canvas,
    rows: &mut Vec<Value>,
    buttons: &mut Vec<Value>,
) {
    let Input::Options { options, multiple, min, max, .. } = &question.input else { return };
    let few = options.len() <= BUTTONS && options.iter().all(|option| option.detail.is_none());
    if !multiple && few {
        rows.push(kit::row(options.iter().map(choice_button).collect()));
        return;
    }
    if options.len() <= limits::SELECT_OPTIONS {
        let shown: Vec<&Choice> = options.iter().collect();
        let least = if question.required { usize_of(*min).max(1) } else { usize_of(*min) };
        let picks = if *multiple { (least, max.map_or(usize::MAX, usize_of)) } else { (1, 1) };
        rows.push(list(&Wire::press(&question.token), lang, &shown, picks, |option| option.picked));
        return;
    }
    let (page, shown) = shown(options, canvas.turned(question));
    if *multiple {
        let ticked: BTreeSet<u16> = ticked(question, options, canvas);
        let is_ticked = |option: &Choice| option.token.option.is_some_and(|no| ticked.contains(&no));
        let wire = Op::Tick(page).on(&question.token);
        rows.push(list(&wire, lang, &shown, (0, usize::MAX), is_ticked));
    } else {
        rows.push(list(&Wire::press(&question.token), lang, &shown, (1, 1), |option| option.picked));
    }
    match page {
        Some(page) => {
            let pages = options.len().div_ceil(limits::SELECT_OPTIONS);
            buttons.extend(turns(question, lang, page, usize::from(page) + 1 < pages));
        }
        // From what was found back to the whole list.
        None => {
            buttons.push(kit::button(&Op::Page(0).on(&question.token), say(Word::Previous, lang), ButtonRole::Plain));
        }
    }
    buttons.push(kit::button(&Op::Search.on(&question.token), say(Word::Search, lang), ButtonRole::Plain));
    if *multiple {
        buttons.push(kit::button(&Op::Send.on(&question.token), say(Word::Done, lang), ButtonRole::Primary));
    }
}

/// The buttons that turn a list: back from page 1 on, forward where there is more.
pub(super) fn turns(question: &Question, lang: &str, page: u16, more: bool) -> Vec<Value> {
    let to = |page: u16, word| kit::button(&Op::Page(page).on(&question.token), say(word, lang), ButtonRole::Plain);
    let back = page.checked_sub(1).map(|page| to(page, Word::Previous));
    back.into_iter().chain(more.then(|| to(page + 1, Word::Next))).collect()
}

/// Points on a scale: stars up to five, numbers beyond. At most 25 of them.
pub(super) fn rating(question: &Question, lang: &str, min: u32, max: u32) -> Vec<Value> {
    let wire = |no: u32| Op::Value(no.to_string()).on(&question.token);
    let label = |no: u32| if max <= 5 && no > 0 { "★".repeat(usize_of(no)) } else { no.to_string() };
    if usize_of(max.saturating_sub(min)) < BUTTONS {
        let button = |no| kit::button(&wire(no), &label(no), ButtonRole::Plain);
        return vec![kit::row((min..=max).map(button).collect())];
    }
    let options = (min..=max).map(|no| kit::option(&wire(no), &label(no), None, false)).collect();
    vec![kit::select(&Op::Pick.on(&question.token), say(Word::Choose, lang), options, (1, 1))]
}

/// The platform's own select of people (5) or channels (8).
pub(super) fn entities(question: &Question, lang: &str, kind: u8) -> Value {
    kit::row(vec![json!({
        "type": kind,
        "custom_id": Wire::press(&question.token).to_string(),
        "placeholder": say(Word::Choose, lang),
        "min_values": 1,
        "max_values": 1,
    })])
}

/// Options whose words a widget has no room for, written out.
pub(super) fn cut(input: &Input) -> Vec<String> {
    let Input::Options { options, .. } = input else { return Vec::new() };
    let is_cut = |option: &&Choice| {
        let detail = option.detail.as_deref().unwrap_or_default();
        text::is_cut(&option.label, limits::BUTTON_LABEL) || text::is_cut(detail, limits::OPTION_TEXT)
    };
    let written = |option: &Choice| match &option.detail {
        Some(detail) => format!("• {} — {}", text::escape(&option.label), text::escape(detail)),
        None => format!("• {}", text::escape(&option.label)),
    };
    // Of hundreds the search finds the rest, by any of their words.
    options.iter().filter(is_cut).take(formwright_chat::fallback::MAX_LISTED).map(written).collect()
}

/// Numbers of the options that hold all words of a search, in the author's order.
pub(crate) fn search(options: &[Choice], words: &str) -> Vec<u16> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let holds = |option: &&Choice| {
        let text = format!("{} {}", option.label, option.detail.as_deref().unwrap_or_default()).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let found = options.iter().filter(holds).filter_map(|option| option.token.option);
    found.take(limits::SELECT_OPTIONS).collect()
}

/// The page shown, and its options; no page where they are what a search found.
fn shown<'a>(options: &'a [Choice], turned: Option<&Turned>) -> (Option<u16>, Vec<&'a Choice>) {
    if let Some(Turned::Found(found)) = turned {
        let of = |no: &u16| options.iter().find(|option| option.token.option == Some(*no));
        let found: Vec<&Choice> = found.iter().filter_map(of).take(limits::SELECT_OPTIONS).collect();
        if !found.is_empty() {
            return (None, found);
        }
    }
    let last = options.len().div_ceil(limits::SELECT_OPTIONS).saturating_sub(1);
    let page = if let Some(Turned::Page(page)) = turned { usize::from(*page).min(last) } else { 0 };
    let shown = options.iter().skip(page * limits::SELECT_OPTIONS).take(limits::SELECT_OPTIONS).collect();
    (Some(u16::try_from(page).unwrap_or_default()), shown)
}

fn ticked(question: &Question, options: &[Choice], canvas: &Canvas) -> BTreeSet<u16> {
    match canvas.ticked.get(&question.token.slot) {
        Some(ticked) => ticked.iter().copied().collect(),
        None => options.iter().filter(|option| option.picked).filter_map(|option| option.token.option).collect(),
    }
}

fn list(wire: &Wire, lang: &str, shown: &[&Choice], picks: (usize, usize), on: impl Fn(&Choice) -> bool) -> Value {
    let option = |option: &&Choice| {
        kit::option(&Wire::press(&option.token), &option.label, option.detail.as_deref(), on(option))
    };
    let mut options: Vec<Value> = shown.iter().map(option).collect();
    // More defaults than picks are refused.
    let mut defaults = 0;
    for option in &mut options {
        if option.get("default").is_some() {
            defaults += 1;
            if defaults > picks.1 {
                option["default"] = false.into();
            }
        }
    }
    kit::select(wire, say(Word::Choose, lang), options, picks)
}

fn choice_button(option: &Choice) -> Value {
    let role = if option.picked { ButtonRole::Primary } else { ButtonRole::Plain };
    kit::button(&Wire::press(&option.token), &option.label, role)
}

fn usize_of(no: u32) -> usize {
    usize::try_from(no).unwrap_or(usize::MAX)
}
