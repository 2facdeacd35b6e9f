//! Messages and windows as text pictures: what a person sees of them, markup and all.

use serde_json::Value;

use super::records::Message;
use super::world::{BOT, State};

/// A message with its widgets.
pub(super) fn message(state: &State, message: &Message) -> String {
    let name = match state.people.get(&message.author) {
        _ if message.notice => "Discord",
        Some(account) => account.nick.as_deref().unwrap_or(&account.name),
        None => "?",
    };
    let alone = if message.only_for.is_some() { " (only you see this)" } else { "" };
    let drawn = match () {
        () if message.thinking => format!("{name} is thinking…\n"),
        () if message.author == BOT => body(state, &message.body),
        // What people write is shown as they wrote it.
        () => lines(message.body["content"].as_str().unwrap_or_default()) + &files(&message.body),
    };
    format!("{name}{alone}:\n{drawn}")
}

/// What a message says and wears.
pub(super) fn body(state: &State, body: &Value) -> String {
    let mut drawn = lines(&plain(state, body["content"].as_str().unwrap_or_default()));
    for embed in body["embeds"].as_array().into_iter().flatten() {
        for key in ["title", "description"] {
            drawn.push_str(&lines(&plain(state, embed[key].as_str().unwrap_or_default())));
        }
        for field in embed["fields"].as_array().into_iter().flatten() {
            let part = |key: &str| plain(state, field[key].as_str().unwrap_or_default());
            drawn.push_str(&format!("  {}: {}\n", part("name"), part("value")));
        }
    }
    for part in body["components"].as_array().into_iter().flatten() {
        drawn.push_str(&component(state, part, "  "));
    }
    drawn + &files(body)
}

fn component(state: &State, part: &Value, margin: &str) -> String {
    let inner = || part["components"].as_array().into_iter().flatten();
    match part["type"].as_u64() {
        Some(1) => {
            let widgets: Vec<String> = inner().map(widget).collect();
            format!("{margin}{}\n", widgets.join(" "))
        }
        Some(9) => {
            let words: String = inner().map(|part| component(state, part, margin)).collect();
            format!("{} {}\n", words.trim_end_matches('\n'), widget(&part["accessory"]))
        }
        Some(10) => {
            let words = plain(state, part["content"].as_str().unwrap_or_default());
            words.lines().map(|line| format!("{margin}{line}\n")).collect()
        }
        Some(14) => format!("{margin}────\n"),
        Some(17) => inner().map(|part| component(state, part, &format!("{margin}│ "))).collect(),
        _ => format!("{margin}{}\n", widget(part)),
    }
}

fn widget(part: &Value) -> String {
    let text = |key: &str| part[key].as_str().unwrap_or_default();
    let off = if part["disabled"].as_bool() == Some(true) { "×" } else { "" };
    match part["type"].as_u64() {
        Some(2) if part["url"].is_string() => format!("[{}↗{off}]", text("label")),
        Some(2) => {
            let emoji = part["emoji"]["name"].as_str().unwrap_or_default();
            format!("[{}{off}]", format!("{emoji} {}", text("label")).trim())
        }
        Some(3 | 21 | 22) => format!("‹{}{off}: {}›", text("placeholder"), options(part)),
        Some(5) => format!("‹{}{off}: people›", text("placeholder")),
        Some(6) => format!("‹{}{off}: roles›", text("placeholder")),
        Some(7) => format!("‹{}{off}: people and roles›", text("placeholder")),
        Some(8) => format!("‹{}{off}: channels›", text("placeholder")),
        Some(11 | 12) => "(picture)".to_owned(),
        Some(13) => "(file)".to_owned(),
        Some(19) => "‹files›".to_owned(),
        Some(23) if part["default"].as_bool() == Some(true) => "[x]".to_owned(),
        Some(23) => "[ ]".to_owned(),
        _ => String::new(),
    }
}

fn options(part: &Value) -> String {
    let option = |option: &Value| {
        let on = if option["default"].as_bool() == Some(true) { "✓" } else { "" };
        let detail = option["description"].as_str().map(|detail| format!(" ({detail})")).unwrap_or_default();
        format!("{on}{}{detail}", option["label"].as_str().unwrap_or_default())
    };
    let all: Vec<String> = part["options"].as_array().into_iter().flatten().map(option).collect();
    all.join(" · ")
}

/// A window with its fields.
pub(super) fn modal(data: &Value) -> String {
    let mut drawn = format!("╭ {}\n", data["title"].as_str().unwrap_or_default());
    for part in data["components"].as_array().into_iter().flatten() {
        let inner = if part["type"].as_u64() == Some(1) { &part["components"][0] } else { &part["component"] };
        let text = |part: &Value, key: &str| part[key].as_str().unwrap_or_default().to_owned();
        if part["type"].as_u64() == Some(10) {
            drawn.push_str(&text(part, "content").lines().map(|line| format!("│ {line}\n")).collect::<String>());
            continue;
        }
        let label = if part["label"].is_string() { text(part, "label") } else { text(inner, "label") };
        let star = if inner["required"].as_bool().unwrap_or(true) { "*" } else { "" };
        let detail = text(part, "description");
        let detail = if detail.is_empty() { detail } else { format!(" ({detail})") };
        let input = match inner["type"].as_u64() {
            Some(4) => {
                let held = text(inner, "value");
                if held.is_empty() { format!("____ {}", text(inner, "placeholder")) } else { held }
            }
            _ => widget(inner),
        };
        drawn.push_str(&format!("│ {label}{star}{detail}: {}\n", input.trim_end()));
    }
    drawn + "╰ [Submit] [Cancel]\n"
}

fn files(body: &Value) -> String {
    let file = |file: &Value| format!("  (file {})\n", file["filename"].as_str().unwrap_or_default());
    body["attachments"].as_array().into_iter().flatten().map(file).collect()
}

fn lines(words: &str) -> String {
    words.lines().map(|line| format!("  {line}\n")).collect()
}

/// Words without their markup: signs that Discord would take for markup go, escaped ones are shown, mentions are names.
fn plain(state: &State, words: &str) -> String {
    let words: String = words.split('\n').map(line_start).collect::<Vec<_>>().join("\n");
    let chars: Vec<char> = words.chars().collect();
    let mut seen = String::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        match (c, next) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {
                seen.push(next);
                at += 2;
            }
            ('*', Some('*')) | ('_', Some('_')) | ('~', Some('~')) | ('|', Some('|')) if twice(&chars, at, c, 2) => {
                at += 2;
            }
            ('*' | '`', _) if twice(&chars, at, c, 1) => at += 1,
            ('<', Some('@' | '#')) => {
                let end = chars[at..].iter().position(|c| *c == '>');
                let inner: String = end.map(|end| chars[at + 1..at + end].iter().collect()).unwrap_or_default();
                match (name(state, &inner), end) {
                    (Some(name), Some(end)) => {
                        seen.push_str(&name);
                        at += end + 1;
                    }
                    _ => {
                        seen.push(c);
                        at += 1;
                    }
                }
            }
            _ => {
                seen.push(c);
                at += 1;
            }
        }
    }
    seen
}

/// Headings, small print and quotes at the start of a line.
fn line_start(line: &str) -> &str {
    ["### ", "## ", "# ", "-# ", "> "].iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line)
}

/// Whether these signs stand in pairs, so that they are markup.
fn twice(chars: &[char], at: usize, sign: char, width: usize) -> bool {
    let mut count = 0;
    let mut no = 0;
    while no + width <= chars.len() {
        if chars[no] == '\\' {
            no += 2;
            continue;
        }
        if chars[no..no + width].iter().all(|c| *c == sign) {
            count += 1;
            no += width;
        } else {
            no += 1;
        }
    }
    count >= 2 && chars[at..].len() >= width
}

fn name(state: &State, inner: &str) -> Option<String> {
    if let Some(id) = inner.strip_prefix('#') {
        return Some(format!("#{}", state.channels.get(&id.parse().ok()?)?.name));
    }
    let id = inner.strip_prefix("@&").or_else(|| inner.strip_prefix("@!")).or_else(|| inner.strip_prefix('@'))?;
    let id: u64 = id.parse().ok()?;
    let role = state.roles.iter().find(|(_, role)| **role == id).map(|(name, _)| name.clone());
    let person = state.people.get(&id).map(|account| account.name.clone());
    person.or(role).map(|name| format!("@{name}"))
}
