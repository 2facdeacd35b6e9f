//! `parse_mode: HTML`, read as Telegram reads it, with its words for what is wrong.
//!
//! In one thing the fake is stricter: a bare `&` is refused, which Telegram shows as it is; it means that a text was not
//! escaped.

use serde_json::{Value, json};

/// A text without its markup, and where the markup was.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parsed {
    pub(super) text: String,
    pub(super) entities: Vec<Value>,
}

struct Open {
    tag: String,
    at: usize,
    begins: usize,
    entity: Value,
}

/// UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Reads HTML; the error is what follows `can't parse entities: `.
pub(super) fn parse(html: &str) -> Result<Parsed, String> {
    let mut text = String::new();
    let mut entities = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(c) = html[at..].chars().next() {
        match c {
            '&' => {
                let (decoded, length) = character(&html[at..])
                    .ok_or_else(|| format!("Unescaped \"&\" at byte offset {at} (the fake is strict here)"))?;
                text.push(decoded);
                at += length;
            }
            '<' => {
                let end = html[at..].find('>').map(|end| at + end);
                let Some(end) = end else { return Err(format!("Unclosed start tag at byte offset {at}")) };
                let inside = &html[at + 1..end];
                match inside.strip_prefix('/') {
                    Some(name) => close(name, at, &text, &mut stack, &mut entities)?,
                    None => stack.push(open(inside, at, &text)?),
                }
                at = end + 1;
            }
            c => {
                text.push(c);
                at += c.len_utf8();
            }
        }
    }
    match stack.pop() {
        Some(open) => Err(format!("Can't find end tag corresponding to start tag \"{}\"", open.tag)),
        None => Ok(clean(&text, entities)),
    }
}

fn open(inside: &str, at: usize, text: &str) -> Result<Open, String> {
    let name: String = inside.chars().take_while(|c| !c.is_whitespace()).collect();
    let tag = name.to_ascii_lowercase();
    let attributes = attributes(&inside[name.len()..], &tag, at)?;
    let attribute = |key: &str| attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let entity = match tag.as_str() {
        "b" | "strong" => json!({"type": "bold"}),
        "i" | "em" => json!({"type": "italic"}),
        "u" | "ins" => json!({"type": "underline"}),
        "s" | "strike" | "del" => json!({"type": "strikethrough"}),
        "tg-spoiler" => json!({"type": "spoiler"}),
        "span" if attribute("class").as_deref() == Some("tg-spoiler") => json!({"type": "spoiler"}),
        "span" => return Err(format!("Tag \"span\" must have class \"tg-spoiler\" at byte offset {at}")),
        "a" => json!({"type": "text_link", "url": attribute("href").unwrap_or_default()}),
        "tg-emoji" => match attribute("emoji-id").filter(|id| id.parse::<u64>().is_ok()) {
            Some(id) => json!({"type": "custom_emoji", "custom_emoji_id": id}),
            None => return Err(format!("Invalid custom emoji identifier specified at byte offset {at}")),
        },
        "code" => json!({"type": "code"}),
        "pre" => json!({"type": "pre"}),
        "blockquote" if attribute("expandable").is_some() => json!({"type": "expandable_blockquote"}),
        "blockquote" => json!({"type": "blockquote"}),
        _ => return Err(format!("Unsupported start tag \"{tag}\" at byte offset {at}")),
    };
    Ok(Open { tag, at, begins: units(text), entity })
}

fn close(name: &str, at: usize, text: &str, stack: &mut Vec<Open>, entities: &mut Vec<Value>) -> Result<(), String> {
    let name = name.trim_end().to_ascii_lowercase();
    let Some(open) = stack.pop() else { return Err(format!("Unexpected end tag at byte offset {at}")) };
    if !name.is_empty() && name != open.tag {
        return Err(format!(
            "Unmatched end tag at byte offset {at}, expected \"</{}>\", found \"</{name}>\"",
            open.tag
        ));
    }
    let length = units(text) - open.begins;
    let mut entity = open.entity;
    // A link without an address is plain words, and so is markup around nothing.
    if length > 0 && entity["url"] != "" && open.at < at {
        if let Some(id) = entity["url"].as_str().and_then(|url| url.strip_prefix("tg://user?id=")) {
            entity = json!({"type": "text_mention", "user_id": id});
        }
        entity["offset"] = json!(open.begins);
        entity["length"] = json!(length);
        entities.push(entity);
    }
    Ok(())
}

fn attributes(rest: &str, tag: &str, at: usize) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        let name: String = rest.chars().take_while(|c| !c.is_whitespace() && *c != '=').collect();
        if name.is_empty() {
            return Err(format!("Empty attribute name in the tag \"{tag}\" at byte offset {at}"));
        }
        rest = rest[name.len()..].trim_start();
        let Some(value) = rest.strip_prefix('=') else {
            all.push((name.to_ascii_lowercase(), String::new()));
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (raw, left) = match quote {
            Some(quote) => {
                value[1..].split_once(quote).ok_or_else(|| format!("Unclosed start tag at byte offset {at}"))?
            }
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        all.push((name.to_ascii_lowercase(), decode(raw)));
        rest = left.trim_start();
    }
    Ok(all)
}

fn decode(raw: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        let (decoded, length) = character(&raw[at..]).unwrap_or((c, c.len_utf8()));
        text.push(decoded);
        at += length;
    }
    text
}

/// The character that an `&…;` stands for, and how long it is.
fn character(text: &str) -> Option<(char, usize)> {
    let named = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"')];
    if let Some((name, c)) = named.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*c, name.len()));
    }
    let end = text.find(';')?;
    let digits = text[..end].strip_prefix("&#")?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(code).filter(|c| *c != '\0')?, end + 1))
}

/// Takes away what Telegram takes away from every text: control characters, marks that turn the direction of everything
/// after them, white space around it.
pub(super) fn clean(text: &str, entities: Vec<Value>) -> Parsed {
    let kept: Vec<(char, bool)> = text
        .chars()
        .map(|c| match c {
            '\n' => (c, true),
            '\r' => (c, false),
            c if u32::from(c) < 32 => (' ', true),
            '\u{2028}'..='\u{202e}' => (c, false),
            c => (c, true),
        })
        .collect();
    let cleaned: String = kept.iter().filter(|(_, kept)| *kept).map(|(c, _)| *c).collect();
    let trimmed = cleaned.trim();
    let before = units(&cleaned[..cleaned.len() - cleaned.trim_start().len()]);
    let end = units(trimmed);
    // Where a unit of the raw text is in the cleaned one.
    let mut places = vec![0];
    let mut place = 0_usize;
    for (c, kept) in kept {
        for _ in 0..c.len_utf16() {
            place += usize::from(kept);
            places.push(place);
        }
    }
    let shift = |at: u64| {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(places.len() - 1);
        places[at].saturating_sub(before).min(end)
    };
    let moved = entities.into_iter().filter_map(|mut entity| {
        let (offset, length) = (entity["offset"].as_u64()?, entity["length"].as_u64()?);
        let (from, to) = (shift(offset), shift(offset + length));
        entity["offset"] = json!(from);
        entity["length"] = json!(to - from);
        (to > from).then_some(entity)
    });
    Parsed { text: trimmed.to_owned(), entities: moved.collect() }
}
