//! Block Kit as Slack judges it: which block and element may stand where, and every length and count.
//!
//! From Slack's reference of Block Kit (docs.slack.dev/reference/block-kit). Lengths are in characters. What the reference
//! leaves open is judged as no one would want it: an id counts once in a whole message or view, an option's value once in
//! its list, and blocks that forms have no use for are refused.

mod element;
mod object;

use std::collections::BTreeSet;

use serde_json::Value;

use object::Texts;

pub(super) use element::{is_date, is_time, number};

/// Characters of all texts of a message's blocks; more is `msg_blocks_too_long`. Not in the reference; found in practice.
const MESSAGE_CHARS: usize = 13_000;

/// Where blocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    Message,
    Modal,
    Home,
}

/// What is wrong with a message's blocks, each with its place.
pub(super) fn message(blocks: &Value) -> Vec<String> {
    let mut check = Check::new(Surface::Message);
    check.blocks(blocks, "/blocks");
    check.faults
}

/// Whether a message's blocks hold more than one message may.
pub(super) fn is_too_long(blocks: &Value) -> bool {
    let mut check = Check::new(Surface::Message);
    check.blocks(blocks, "/blocks");
    check.chars > MESSAGE_CHARS
}

/// What is wrong with a view that is to stand on this surface.
pub(super) fn view(view: &Value, surface: Surface) -> Vec<String> {
    let mut check = Check::new(surface);
    check.view(view, "/view");
    check.faults
}

/// What is wrong with the options that answer a type-ahead menu.
pub(super) fn suggestions(answer: &Value) -> Vec<String> {
    let mut check = Check::new(Surface::Message);
    check.keys(answer, "", &["options", "option_groups"], &[]);
    check.choices(answer, "", 100, Texts::Plain, true);
    check.faults
}

/// Gives blocks and elements that came without an id one, as Slack does.
pub(super) fn name_all(blocks: &mut [Value], next: &mut u64) {
    for block in blocks {
        give(block, "block_id", next);
        for key in ["element", "accessory"] {
            if let Some(element) = block.get_mut(key).filter(|element| element["type"] != "image") {
                give(element, "action_id", next);
            }
        }
        if block["type"] == "actions" {
            for element in block["elements"].as_array_mut().into_iter().flatten() {
                give(element, "action_id", next);
            }
        }
    }
}

fn give(object: &mut Value, key: &str, next: &mut u64) {
    if object.get(key).is_none_or(Value::is_null) {
        *next += 1;
        object[key] = Value::String(format!("auto{next}"));
    }
}

/// The elements that a person can use, each with the block it stands in, in the order of the screen.
pub(super) fn elements(blocks: &[Value]) -> Vec<(&Value, &Value)> {
    let mut all = Vec::new();
    for block in blocks {
        let listed = block["elements"].as_array().filter(|_| block["type"] == "actions");
        let one = block.get("element").or_else(|| block.get("accessory"));
        let found = one.into_iter().chain(listed.into_iter().flatten());
        all.extend(found.filter(|element| element["type"] != "image").map(|element| (block, element)));
    }
    all
}

/// A judgement under way.
struct Check {
    surface: Surface,
    faults: Vec<String>,
    block_ids: BTreeSet<String>,
    action_ids: BTreeSet<String>,
    focused: bool,
    chars: usize,
}

impl Check {
    fn new(surface: Surface) -> Self {
        Self {
            surface,
            faults: Vec::new(),
            block_ids: BTreeSet::new(),
            action_ids: BTreeSet::new(),
            focused: false,
            chars: 0,
        }
    }

    fn fault(&mut self, at: &str, what: &str) {
        self.faults.push(format!("[ERROR] {what} [json-pointer:{at}]"));
    }

    fn view(&mut self, view: &Value, at: &str) {
        let modal = self.surface == Surface::Modal;
        let common = ["type", "blocks", "private_metadata", "callback_id", "external_id"];
        let own = ["title", "close", "submit", "clear_on_close", "notify_on_close"];
        let known: Vec<&str> = if modal { common.iter().chain(&own).copied().collect() } else { common.to_vec() };
        let required: &[&str] = if modal { &["type", "blocks", "title"] } else { &["type", "blocks"] };
        if !self.keys(view, at, &known, required) {
            return;
        }
        let wanted = if modal { "modal" } else { "home" };
        if view["type"] != wanted {
            self.fault(&format!("{at}/type"), &format!("must be {wanted}"));
        }
        self.string(view, at, "private_metadata", 0, 3000);
        self.string(view, at, "callback_id", 1, 255);
        self.string(view, at, "external_id", 1, 255);
        for key in ["title", "close", "submit"] {
            self.text(view, at, key, Texts::Plain, 24);
        }
        for key in ["clear_on_close", "notify_on_close"] {
            self.boolean(view, at, key);
        }
        self.blocks(&view["blocks"], &format!("{at}/blocks"));
        let inputs = view["blocks"].as_array().into_iter().flatten().any(|block| block["type"] == "input");
        if modal && inputs && view.get("submit").is_none() {
            self.fault(at, "submit is required when an input block is in the view");
        }
    }

    fn blocks(&mut self, blocks: &Value, at: &str) {
        let Some(list) = blocks.as_array() else { return self.fault(at, "must be an array") };
        let most = if self.surface == Surface::Message { 50 } else { 100 };
        if list.len() > most {
            self.fault(at, &format!("no more than {most} items allowed"));
        }
        for (no, block) in list.iter().enumerate() {
            self.block(block, &format!("{at}/{no}"));
        }
    }

    fn block(&mut self, block: &Value, at: &str) {
        if let Some(id) = block.get("block_id").and_then(Value::as_str)
            && !self.block_ids.insert(id.to_owned())
        {
            self.fault(at, &format!("block_id \"{id}\" already exists"));
        }
        self.string(block, at, "block_id", 1, 255);
        match block["type"].as_str().unwrap_or_default() {
            "section" => self.section(block, at),
            "header" => {
                self.keys(block, at, &["type", "block_id", "text"], &["text"]);
                self.text(block, at, "text", Texts::Plain, 150);
            }
            "divider" => {
                self.keys(block, at, &["type", "block_id"], &[]);
            }
            "context" => self.context(block, at),
            "actions" => self.actions(block, at),
            "input" => self.input(block, at),
            "image" => self.image(block, at),
            "markdown" if self.surface == Surface::Message => {
                self.keys(block, at, &["type", "block_id", "text"], &["text"]);
                self.string(block, at, "text", 1, 12_000);
            }
            "rich_text" => {
                self.keys(block, at, &["type", "block_id", "elements"], &["elements"]);
            }
            other => self.fault(at, &format!("unsupported type: {other}")),
        }
    }

    fn section(&mut self, block: &Value, at: &str) {
        if !self.keys(block, at, &["type", "block_id", "text", "fields", "accessory", "expand"], &[]) {
            return;
        }
        self.boolean(block, at, "expand");
        self.text(block, at, "text", Texts::Any, 3000);
        if block.get("text").is_none() && block.get("fields").is_none() {
            self.fault(at, "missing required field: text or fields");
        }
        if let Some(fields) = block.get("fields") {
            for (no, _) in self.list(fields, &format!("{at}/fields"), 1, 10).iter().enumerate() {
                let at = format!("{at}/fields/{no}");
                self.text_object(&fields[no], &at, Texts::Any, 2000);
            }
        }
        if let Some(accessory) = block.get("accessory") {
            self.element(accessory, &format!("{at}/accessory"), element::Spot::Accessory);
        }
    }

    fn context(&mut self, block: &Value, at: &str) {
        if !self.keys(block, at, &["type", "block_id", "elements"], &["elements"]) {
            return;
        }
        for (no, element) in self.list(&block["elements"], &format!("{at}/elements"), 1, 10).iter().enumerate() {
            let at = format!("{at}/elements/{no}");
            if element["type"] == "image" {
                self.picture(element, &at);
            } else {
                self.text_object(element, &at, Texts::Any, 3000);
            }
        }
    }

    fn actions(&mut self, block: &Value, at: &str) {
        if !self.keys(block, at, &["type", "block_id", "elements"], &["elements"]) {
            return;
        }
        for (no, element) in self.list(&block["elements"], &format!("{at}/elements"), 1, 25).iter().enumerate() {
            self.element(element, &format!("{at}/elements/{no}"), element::Spot::Actions);
        }
    }

    fn input(&mut self, block: &Value, at: &str) {
        let known = ["type", "block_id", "label", "hint", "optional", "element", "dispatch_action"];
        if !self.keys(block, at, &known, &["label", "element"]) {
            return;
        }
        self.text(block, at, "label", Texts::Plain, 2000);
        self.text(block, at, "hint", Texts::Plain, 2000);
        self.boolean(block, at, "optional");
        self.boolean(block, at, "dispatch_action");
        if block["element"]["type"] == "file_input" && block["dispatch_action"] == true {
            self.fault(at, "dispatch_action is not for file_input");
        }
        self.element(&block["element"], &format!("{at}/element"), element::Spot::Input);
    }

    fn image(&mut self, block: &Value, at: &str) {
        let known = ["type", "block_id", "image_url", "slack_file", "alt_text", "title"];
        if self.keys(block, at, &known, &["alt_text"]) {
            self.string(block, at, "image_url", 1, 3000);
            self.string(block, at, "alt_text", 1, 2000);
            self.text(block, at, "title", Texts::Plain, 2000);
        }
    }

    fn picture(&mut self, element: &Value, at: &str) {
        if self.keys(element, at, &["type", "image_url", "slack_file", "alt_text"], &["alt_text"]) {
            self.string(element, at, "image_url", 1, 3000);
            self.string(element, at, "alt_text", 1, 2000);
        }
    }
}
