//! The options of a choice.

#![expect(clippy::wildcard_enum_match_arm, reason = "options are tables or words")]

use std::collections::BTreeMap;
use std::ops::Range;

use formwright_form::choices::{Choices, OptionDef, OptionsFrom};
use formwright_form::problem::Problem;
use formwright_form::{Text, Tool};
use formwright_values::{OptionId, ToolId};

use super::flat::Flat;
use super::lowering::Lower;
use crate::names;
use crate::node::{Data, Node};

/// Most options of a field.
const MAX_OPTIONS: usize = 2_000;

/// Words of options that were met, with the option's number and where it stands.
type Seen = BTreeMap<String, (usize, Range<usize>)>;

impl Lower<'_> {
    /// What a `choice` or `choices` field offers; `None` for other kinds.
    pub(super) fn choices(&mut self, flat: &Flat<'_>, tools: &BTreeMap<ToolId, Tool>) -> Option<Choices> {
        let kind = match flat.kind? {
            "computed" => flat.at("result").and_then(Node::text)?,
            kind => kind,
        };
        if !matches!(kind, "choice" | "choices") {
            return None;
        }
        let (written, fetched) = (flat.at("options"), flat.at("options_from"));
        let lacking = || format!("kind `{kind}` needs options");
        match (written, fetched) {
            (Some(written), Some(fetched)) => {
                self.either("a field has either `options` or `options_from`".into(), &fetched.span, &written.span);
            }
            (None, None) => {
                let help = "add `options = [\"One\", \"Two\"]`, or `options_from` with a tool";
                self.error(&flat.id_span(), "form::no_options", lacking(), "nothing to choose from", help);
            }
            (Some(node), None) if matches!(&node.data, Data::List(items) if items.is_empty()) => {
                self.error(&node.span, "form::no_options", lacking(), "empty", "write at least one option");
            }
            _ => {}
        }
        let items = written.map(Node::items).unwrap_or_default();
        if items.len() > MAX_OPTIONS {
            let message = format!("a field has at most {MAX_OPTIONS} options");
            self.error(&flat.id_span(), "form::too_many", message, "this one has more", "take the options from a tool");
        }
        let from = self.options_from(fetched, flat, tools);
        let options = self.options(items);
        Some(Choices { options, from, other: flat.at("other").and_then(Node::truth).unwrap_or(false) })
    }

    fn options(&mut self, items: &[Node]) -> Vec<OptionDef> {
        let (mut ids, mut words) = (Seen::new(), Seen::new());
        let mut options = Vec::new();
        for (no, item) in items.iter().take(MAX_OPTIONS).enumerate() {
            let Some(option) = self.option(item) else { continue };
            let span = item.at("id").or_else(|| item.at("label")).unwrap_or(item).span.clone();
            let labels: Vec<String> = option.label.by_lang.values().map(|label| label.to_lowercase()).collect();
            if let Some((_, first)) = ids.insert(option.id.as_str().to_owned(), (no, span.clone())) {
                let message = format!("two options are stored as `{}`", option.id);
                self.twice("form::duplicate_option", message, &span, &first, "give one of them an `id` of its own");
            } else if let Some((label, first)) =
                labels.iter().find_map(|label| Some((label, ids.get(&label_key(label))?)))
            {
                let (message, first) = (format!("two options are labelled \"{label}\""), first.1.clone());
                self.twice("form::duplicate_option", message, &span, &first, "people could not tell them apart");
            } else {
                self.shared_words(&option, no, &span, &mut words);
            }
            ids.extend(labels.iter().map(|label| (label_key(label), (no, span.clone()))));
            options.push(option);
        }
        options
    }

    /// Warns of words that mean two options.
    fn shared_words(&mut self, option: &OptionDef, no: usize, span: &Range<usize>, words: &mut Seen) {
        let labels = option.label.by_lang.values();
        for word in option.synonyms.iter().chain(labels).map(|word| word.to_lowercase()) {
            match words.get(&word) {
                Some((other, first)) if *other != no => {
                    let problem = Problem::warning("form::shared_synonym", format!("\"{word}\" means two options"))
                        .at(span.clone(), "this one")
                        .at(first.clone(), "and this one");
                    self.problems.push(problem.help("who says it will be asked which one is meant"));
                }
                _ => drop(words.insert(word, (no, span.clone()))),
            }
        }
    }

    fn option(&mut self, item: &Node) -> Option<OptionDef> {
        let label = match &item.data {
            Data::Map(_) => self.text(item.at("label"))?,
            Data::Number(digits) => Text::one(digits),
            _ => self.text(Some(item))?,
        };
        let id = match item.at("id").and_then(Node::text) {
            Some(id) => id.to_owned(),
            None => names::slug(self.first_language(&label)),
        };
        if id.is_empty() {
            let message = "this option needs an id".to_owned();
            let help = "write it as `{ id = \"…\", label = \"…\" }`";
            self.error(&item.span, "form::missing_key", message, "its label has no letters or digits", help);
        }
        let synonyms = self.words(item.at("synonyms"));
        let detail = self.text(item.at("detail"));
        Some(OptionDef { id: OptionId::new(id), label, synonyms, detail })
    }

    fn options_from(
        &mut self,
        node: Option<&Node>,
        flat: &Flat<'_>,
        tools: &BTreeMap<ToolId, Tool>,
    ) -> Option<OptionsFrom> {
        let node = node?;
        let name = node.at("tool").unwrap_or(node);
        let tool = self.tool_named(Some(name), tools)?;
        let row = self.condition(node.at("row"), flat);
        let key = |key: &str| node.at(key).and_then(Node::text).map(str::to_owned);
        Some(OptionsFrom { tool, at: key("at"), row, id: key("id"), label: key("label"), home: None })
    }
}

/// Labels among ids: a space cannot begin an id.
fn label_key(label: &str) -> String {
    format!(" {label}")
}
