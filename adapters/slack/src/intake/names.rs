//! Names in place of ids: Slack sends `<@U1>` and `<#C1>` without them.

use std::time::{Duration, Instant};

use chat::words::{Word, say};
use chat::{Input, Press, Pressed, Screen};
use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::bot::Bot;
use crate::text;

/// How long a channel's name counts, and how long it is not asked for again where Slack does not tell it.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// How long names may take together: what is not known by then keeps its id.
const IN: Duration = Duration::from_millis(1200);
/// Channels kept; beyond that all are asked for again.
const KEPT: usize = 10_000;

impl Bot {
    /// What a person wrote, out of Slack's markup, with names beside its ids, as persons and channels are read:
    /// `<@U2|Ben>`, `<#C1|general>`. Where the person is asked for words, mentions are words too: `@Ben`, `#general`.
    pub(crate) async fn with_names(&self, marked: &str, live: Option<&Screen>, lang: &str) -> String {
        let words = live.is_some_and(asks_for_words);
        let begun = Instant::now();
        let mut out = String::with_capacity(marked.len());
        let mut rest = marked;
        while let Some(open) = rest.find("<@").into_iter().chain(rest.find("<#")).min() {
            out.push_str(&rest[..open]);
            let Some(len) = rest[open..].find('>') else { break };
            let inner = &rest[open + 1..open + len];
            let (sign, target) = inner.split_at(1);
            let (id, label) = target.split_once('|').unwrap_or((target, ""));
            if sign == "@" && id == self.me {
                out.push_str(&rest[open..=open + len]);
                rest = &rest[open + len + 1..];
                continue;
            }
            let name = match label {
                "" if begun.elapsed() < IN => self.name_of(sign, id).await,
                "" => None,
                label => Some(label.to_owned()),
            };
            match (name, words) {
                (Some(name), true) => out.push_str(&text::escape(&format!("{sign}{name}"))),
                (Some(name), false) => out.push_str(&format!("<{sign}{id}|{name}>")),
                (None, true) => {
                    let word = if sign == "@" { Word::SomePerson } else { Word::SomeChannel };
                    out.push_str(&say(word, lang).replace("{id}", id));
                }
                (None, false) => out.push_str(&format!("<{sign}{id}>")),
            }
            rest = &rest[open + len + 1..];
        }
        out.push_str(rest);
        text::unmarked(&out, &self.me)
    }

    /// A person or channel who was picked comes with the name they are known by.
    pub(crate) async fn named(&self, mut press: Press) -> Press {
        if let Pressed::Text { text } = &mut press.value
            && (text.starts_with("<@") || text.starts_with("<#"))
        {
            *text = self.with_names(text, None, "").await;
        }
        press
    }

    /// The name of a person or channel, fit to stand between `|` and `>`.
    async fn name_of(&self, sign: &str, id: &str) -> Option<String> {
        let name = if sign == "@" { self.person(id).await.name } else { self.channel_name(id).await };
        let name: String = text::clean(&name?).chars().filter(|c| !matches!(c, '<' | '>' | '|' | '\n')).collect();
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// The name of a channel, which Slack tells with the scopes `channels:read` and `groups:read` alone.
    pub(crate) async fn channel_name(&self, id: &str) -> Option<String> {
        let now = Timestamp::now();
        if let Some((_, name)) = self.channels.lock().get(id).filter(|(until, _)| *until > now) {
            return name.clone();
        }
        let params = [("channel", id)];
        let call = self.api.get("conversations.info", &params);
        let answer = tokio::time::timeout(IN, call).await.ok()?.ok();
        let name = answer.as_ref().and_then(|answer| answer.pointer("/channel/name")).and_then(Value::as_str);
        let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
        let mut known = self.channels.lock();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(id.to_owned(), (now + FRESH, name.clone()));
        name
    }
}

/// Whether the answer is words, and no person or channel beside it.
fn asks_for_words(screen: &Screen) -> bool {
    let words = screen.reply.questions.first().is_some_and(|asked| matches!(asked.input, Input::Text { .. }));
    let mut all = screen.reply.questions.iter().chain(&screen.reply.page);
    words && !all.any(|question| matches!(question.input, Input::Person | Input::Channel))
}
