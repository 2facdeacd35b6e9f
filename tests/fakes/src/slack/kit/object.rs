//! The small parts that blocks are made of: texts, options, confirmations, and plain values.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Check;

/// Which text objects may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    Plain,
    Any,
}

impl Check {
    /// Whether it is an object; its keys must be known and the required ones there.
    pub(super) fn keys(&mut self, value: &Value, at: &str, known: &[&str], required: &[&str]) -> bool {
        let Some(object) = value.as_object() else {
            self.fault(at, "must be an object");
            return false;
        };
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            self.fault(at, &format!("no more than the known keys allowed, unknown: {key}"));
        }
        for key in required.iter().filter(|key| object.get(**key).is_none_or(Value::is_null)) {
            self.fault(at, &format!("missing required field: {key}"));
        }
        true
    }

    /// A text object under a key, if it is there.
    pub(super) fn text(&mut self, value: &Value, at: &str, key: &str, texts: Texts, most: usize) {
        if let Some(text) = value.get(key) {
            self.text_object(text, &format!("{at}/{key}"), texts, most);
        }
    }

    pub(super) fn text_object(&mut self, text: &Value, at: &str, texts: Texts, most: usize) {
        match (text["type"].as_str(), texts) {
            (Some("plain_text"), _) => {
                self.keys(text, at, &["type", "text", "emoji"], &["text"]);
                self.boolean(text, at, "emoji");
            }
            (Some("mrkdwn"), Texts::Any) => {
                self.keys(text, at, &["type", "text", "verbatim"], &["text"]);
                self.boolean(text, at, "verbatim");
            }
            (Some("mrkdwn"), Texts::Plain) => return self.fault(&format!("{at}/type"), "must be plain_text"),
            _ => return self.fault(at, "must be a text object"),
        }
        self.string(text, at, "text", 1, most);
        self.chars += text["text"].as_str().map_or(0, |text| text.chars().count());
    }

    /// A string of so many characters under a key, if it is there.
    pub(super) fn string(&mut self, value: &Value, at: &str, key: &str, least: usize, most: usize) {
        let Some(held) = value.get(key) else { return };
        let at = format!("{at}/{key}");
        let Some(held) = held.as_str() else { return self.fault(&at, "must be a string") };
        let length = held.chars().count();
        if length < least {
            self.fault(&at, &format!("must be more than {} characters", least.saturating_sub(1)));
        }
        if length > most {
            self.fault(&at, &format!("must be less than {} characters", most + 1));
        }
    }

    pub(super) fn boolean(&mut self, value: &Value, at: &str, key: &str) {
        if value.get(key).is_some_and(|held| !held.is_boolean()) {
            self.fault(&format!("{at}/{key}"), "must be a boolean");
        }
    }

    /// A whole number within bounds under a key, if it is there.
    pub(super) fn whole(&mut self, value: &Value, at: &str, key: &str, least: i64, most: i64) {
        let Some(held) = value.get(key) else { return };
        if !held.as_i64().is_some_and(|held| (least..=most).contains(&held)) {
            self.fault(&format!("{at}/{key}"), &format!("must be a whole number from {least} to {most}"));
        }
    }

    /// The items of a list, which must be so many.
    pub(super) fn list<'a>(&mut self, value: &'a Value, at: &str, least: usize, most: usize) -> &'a [Value] {
        let Some(list) = value.as_array() else {
            self.fault(at, "must be an array");
            return &[];
        };
        if list.len() < least {
            self.fault(at, &format!("no fewer than {least} items allowed"));
        }
        if list.len() > most {
            self.fault(at, &format!("no more than {most} items allowed"));
        }
        list
    }

    /// `options`, or `option_groups`. Gives all options.
    pub(super) fn choices<'a>(
        &mut self,
        value: &'a Value,
        at: &str,
        most: usize,
        texts: Texts,
        may_be_empty: bool,
    ) -> Vec<&'a Value> {
        let mut all = Vec::new();
        let mut values = BTreeSet::new();
        match (value.get("options"), value.get("option_groups")) {
            (Some(options), None) => {
                let at = format!("{at}/options");
                let least = usize::from(!may_be_empty);
                for (no, option) in self.list(options, &at, least, most).iter().enumerate() {
                    self.option(option, &format!("{at}/{no}"), texts, &mut values);
                    all.push(option);
                }
            }
            (None, Some(groups)) => {
                let at = format!("{at}/option_groups");
                for (no, group) in self.list(groups, &at, 1, 100).iter().enumerate() {
                    let at = format!("{at}/{no}");
                    self.keys(group, &at, &["label", "options"], &["label", "options"]);
                    self.text(group, &at, "label", Texts::Plain, 75);
                    let at = format!("{at}/options");
                    for (no, option) in self.list(&group["options"], &at, 1, 100).iter().enumerate() {
                        self.option(option, &format!("{at}/{no}"), texts, &mut values);
                        all.push(option);
                    }
                }
            }
            (Some(_), Some(_)) => self.fault(at, "only one of options and option_groups allowed"),
            (None, None) => self.fault(at, "missing required field: options"),
        }
        all
    }

    pub(super) fn option(&mut self, option: &Value, at: &str, texts: Texts, values: &mut BTreeSet<String>) {
        if !self.keys(option, at, &["text", "value", "description", "url"], &["text", "value"]) {
            return;
        }
        self.text(option, at, "text", texts, 75);
        self.text(option, at, "description", texts, 75);
        self.string(option, at, "value", 1, 150);
        self.string(option, at, "url", 1, 3000);
        if let Some(value) = option["value"].as_str()
            && !values.insert(value.to_owned())
        {
            self.fault(at, &format!("option value \"{value}\" already exists"));
        }
    }

    pub(super) fn confirm(&mut self, value: &Value, at: &str) {
        let Some(confirm) = value.get("confirm") else { return };
        let at = format!("{at}/confirm");
        if self.keys(confirm, &at, &["title", "text", "confirm", "deny", "style"], &["text"]) {
            self.text(confirm, &at, "title", Texts::Plain, 100);
            self.text(confirm, &at, "text", Texts::Any, 300);
            self.text(confirm, &at, "confirm", Texts::Plain, 30);
            self.text(confirm, &at, "deny", Texts::Plain, 30);
            self.style(confirm, &at);
        }
    }

    pub(super) fn style(&mut self, value: &Value, at: &str) {
        if value.get("style").is_some_and(|style| style != "primary" && style != "danger") {
            self.fault(&format!("{at}/style"), "must be primary or danger");
        }
    }
}
