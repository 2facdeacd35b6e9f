//! What a person sees, as text: `[Button]`, `( ) radio`, `[x] box`, `{menu}`, `Label: ____`.

use std::fmt::Write as _;

use serde_json::Value;

use super::state;
use super::world::{BOT, Message, World};

/// The words of a text object as they are seen.
pub(super) fn words(text: &Value) -> String {
    let raw = text["text"].as_str().unwrap_or_default();
    if text["type"] == "mrkdwn" { rendered(raw) } else { unescaped(raw) }
}

/// Markup as it is seen: mentions and links in words, entities as characters.
pub(super) fn rendered(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(&unescaped(before));
        let Some((inside, after)) = after.split_once('>') else {
            out.push('<');
            rest = after;
            continue;
        };
        let (target, label) = inside.split_once('|').map_or((inside, None), |(target, label)| (target, Some(label)));
        let shown = match (target.get(..1), label) {
            (Some("@" | "#"), None) => target.to_owned(),
            (Some("!"), None) => format!("@{}", &target[1..]),
            (Some("@" | "#" | "!"), Some(label)) => format!("@{label}"),
            (_, Some(label)) => format!("{label} ({target})"),
            (_, None) => target.to_owned(),
        };
        out.push_str(&unescaped(&shown));
        rest = after;
    }
    out.push_str(&unescaped(rest));
    out
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// All markup of a message, as it came.
pub(super) fn spoken(text: &str, blocks: &[Value]) -> String {
    let mut all = text.to_owned();
    for block in blocks {
        collect(block, &mut all);
    }
    all
}

fn collect(value: &Value, all: &mut String) {
    match value {
        Value::Object(object) if object.get("type").is_some_and(|kind| kind == "mrkdwn") => {
            all.push('\n');
            all.push_str(object.get("text").and_then(Value::as_str).unwrap_or_default());
        }
        Value::Object(object) => object.values().for_each(|value| collect(value, all)),
        Value::Array(list) => list.iter().for_each(|value| collect(value, all)),
        _ => {}
    }
}

/// Whom markup pings.
pub(super) fn pings(markup: &str) -> Vec<String> {
    let inside = markup.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(inside, _)| inside);
    let target = |inside: &str| inside.split('|').next().unwrap_or_default().to_owned();
    let all = inside.map(target);
    all.filter(|target| {
        let special = ["!channel", "!here", "!everyone"].contains(&target.as_str());
        special || target.starts_with("@U") || target.starts_with("@W") || target.starts_with("!subteam^")
    })
    .collect()
}

impl World {
    /// A name as it stands beside a message.
    fn called(&self, user: &str) -> String {
        match self.users.get(user) {
            Some(user) => user.name.clone(),
            None if user == "USLACKBOT" => "Slackbot".to_owned(),
            None => user.to_owned(),
        }
    }

    /// The messages that a person sees in a channel, or in one of its threads.
    pub(super) fn seen(&self, user: &str, channel: &str, thread: Option<&str>) -> Vec<&Message> {
        let Some(channel) = self.channels.get(channel).filter(|channel| channel.members.contains(user)) else {
            return Vec::new();
        };
        let here = |message: &&Message| match thread {
            Some(thread) => message.ts == thread || message.thread.as_deref() == Some(thread),
            None => message.thread.is_none(),
        };
        let for_them = |message: &&Message| message.only.as_deref().is_none_or(|only| only == user);
        channel.messages.iter().filter(here).filter(for_them).collect()
    }

    /// A message as it is drawn for a person.
    pub(super) fn drawn(&self, user: &str, channel: &str, message: &Message) -> String {
        let only = if message.only.is_some() { " (only you)" } else { "" };
        let who = self.called(&message.from);
        let key = format!("{channel}/{}", message.ts);
        let mut body = if message.blocks.is_empty() {
            self.with_names(&rendered(&message.text))
        } else {
            let values = self.values(user, &key, &message.blocks);
            self.with_names(&blocks(&message.blocks, &values, &|_| None))
        };
        for file in &message.files {
            let _ = write!(body, "\n<{}>", file["name"].as_str().unwrap_or_default());
        }
        format!("{who}{only}: {}", body.trim_end().replace('\n', "\n  "))
    }

    /// A view as it is drawn for the person who has it.
    pub(super) fn drawn_view(&self, id: &str) -> String {
        let Some(view) = self.views.get(id) else { return String::new() };
        let body = &view.body;
        let list = body["blocks"].as_array().map_or(&[][..], Vec::as_slice);
        let values = self.values(&view.user, id, list);
        let problem = |block: &str| view.problems.get(block).cloned();
        let mut out = String::new();
        if body["type"] == "modal" {
            let _ = writeln!(out, "== {} ==", words(&body["title"]));
        }
        if let Some(notice) = &view.notice {
            let _ = writeln!(out, "!! {notice}");
        }
        out.push_str(&self.with_names(&blocks(list, &values, &problem)));
        for key in ["close", "submit"] {
            if body.get(key).is_some() {
                let _ = write!(out, "[{}] ", words(&body[key]));
            }
        }
        out.trim_end().to_owned()
    }

    /// Ids of persons as their names.
    fn with_names(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for user in self.users.values() {
            text = text.replace(&format!("@{}", user.id), &format!("@{}", user.name));
        }
        text.replace(&format!("@{BOT}"), "@formwright")
    }
}

fn blocks(blocks: &[Value], values: &Value, problem: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    for block in blocks {
        let id = block["block_id"].as_str().unwrap_or_default();
        let widget = |element: &Value| {
            let action = element["action_id"].as_str().unwrap_or_default();
            self::element(element, &values[id][action])
        };
        match block["type"].as_str().unwrap_or_default() {
            "header" => out.push_str(&format!("# {}", words(&block["text"]))),
            "divider" => out.push_str("----"),
            "section" => {
                let mut parts: Vec<String> = block.get("text").map(words).into_iter().collect();
                parts.extend(block["fields"].as_array().into_iter().flatten().map(words));
                out.push_str(&parts.join("\n"));
                if let Some(accessory) = block.get("accessory") {
                    out.push(' ');
                    out.push_str(&widget(accessory));
                }
            }
            "context" => {
                let parts: Vec<String> = block["elements"].as_array().into_iter().flatten().map(words).collect();
                out.push_str(&format!("· {}", parts.join(" · ")));
            }
            "actions" => {
                let parts: Vec<String> = block["elements"].as_array().into_iter().flatten().map(widget).collect();
                out.push_str(&parts.join(" "));
            }
            "input" => {
                let star = if block["optional"] == true { "" } else { "*" };
                out.push_str(&format!("{}{star}: {}", words(&block["label"]), widget(&block["element"])));
                if block.get("hint").is_some() {
                    out.push_str(&format!("\n· {}", words(&block["hint"])));
                }
            }
            "markdown" => out.push_str(block["text"].as_str().unwrap_or_default()),
            other => out.push_str(&format!("<{other}>")),
        }
        out.push('\n');
        if let Some(problem) = problem(id) {
            let _ = writeln!(out, "!! {problem}");
        }
    }
    out
}

/// A widget with what it holds.
fn element(element: &Value, held: &Value) -> String {
    let kind = element["type"].as_str().unwrap_or_default();
    let on = |option: &Value| {
        let listed = held["selected_options"].as_array().is_some_and(|all| all.contains(option));
        listed || held["selected_option"] == *option
    };
    let label = |option: &Value| {
        let detail = option.get("description").map(|text| format!(" — {}", words(text))).unwrap_or_default();
        format!("{}{detail}", words(&option["text"]))
    };
    let ticks = |off: &str, yes: &str| {
        let line = |option: &&Value| format!("{} {}", if on(option) { yes } else { off }, label(option));
        state::options(element).iter().map(line).collect::<Vec<_>>().join(" ")
    };
    match kind {
        "button" => format!("[{}]", words(&element["text"])),
        "radio_buttons" => ticks("( )", "(•)"),
        "checkboxes" => ticks("[ ]", "[x]"),
        "static_select" | "multi_static_select" | "overflow" => {
            let all: Vec<String> = state::options(element)
                .iter()
                .map(|option| if on(option) { format!("✓{}", label(option)) } else { label(option) })
                .collect();
            format!("{{{}▾ {}}}", placeholder(element), all.join(" | "))
        }
        "image" => String::new(),
        _ => {
            let shown = held.as_object().into_iter().flatten().find(|(key, _)| *key != "type").map(|(_, value)| value);
            format!("{{{}{}}}", placeholder(element), value(shown.unwrap_or(&Value::Null)))
        }
    }
}

fn placeholder(element: &Value) -> String {
    element.get("placeholder").map(|text| format!("{} ", words(text))).unwrap_or_default()
}

fn value(held: &Value) -> String {
    match held {
        Value::Null => "____".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => "____".to_owned(),
        Value::Array(list) => list.iter().map(value).collect::<Vec<_>>().join(", "),
        Value::Object(object) if object.contains_key("text") => words(&object["text"]),
        Value::Object(object) => object.get("name").and_then(Value::as_str).unwrap_or("…").to_owned(),
        other => other.to_string(),
    }
}
