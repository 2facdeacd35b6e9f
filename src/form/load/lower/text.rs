//! Texts and phrases.

use std::collections::BTreeMap;

use super::Lower;
use crate::form::Text;
use crate::form::load::names;
use crate::form::load::node::{Data, Node};

impl Lower<'_> {
    /// A text, or a text by language.
    pub(super) fn text(&mut self, node: Option<&Node>) -> Option<Text> {
        self.texts(node).into_iter().next()
    }

    /// Texts, or texts by language: the first of each language make the first text, and so on. A later text may lack a
    /// language.
    pub(super) fn texts(&mut self, node: Option<&Node>) -> Vec<Text> {
        let Some(node) = node else { return Vec::new() };
        let mut texts: Vec<Vec<(String, &Node)>> = Vec::new();
        for (language, node) in self.by_language(node) {
            let variants = node.one_or_more().iter().filter(|variant| variant.text().is_some());
            for (no, variant) in variants.enumerate() {
                match texts.get_mut(no) {
                    Some(text) => text.push((language.clone(), variant)),
                    None => texts.push(vec![(language.clone(), variant)]),
                }
            }
        }
        texts.into_iter().map(|text| self.compile(&text)).collect()
    }

    /// Phrases of every language together.
    pub(super) fn words(&mut self, node: Option<&Node>) -> Vec<String> {
        let all = node.map(|node| self.by_language(node)).unwrap_or_default();
        let all = all.into_iter().flat_map(|(_, node)| node.one_or_more());
        all.filter_map(Node::text).map(str::to_owned).collect()
    }

    /// The languages of a form: those it lists, or those found in its texts, or English.
    pub(super) fn form_languages(&mut self, root: &Node) -> Vec<String> {
        let mut languages = lines(root.at("languages"));
        languages.retain(|language| names::is_language(language));
        if languages.is_empty() {
            languages = std::mem::take(&mut self.languages);
        }
        if languages.is_empty() {
            languages.push("en".to_owned());
        }
        for (span, have) in std::mem::take(&mut self.translated) {
            let lacks = languages.iter().filter(|language| !have.contains(language));
            let lacks = lacks.map(|lack| format!("`{lack}`")).collect::<Vec<_>>().join(", ");
            if !lacks.is_empty() {
                let message = format!("this text lacks {lacks}");
                self.warn(&span, "form::missing_language", message, "not in every language", "add the language here");
            }
            for unknown in have.iter().filter(|language| !languages.contains(language) && names::is_language(language))
            {
                let message = format!("the form does not list the language `{unknown}`");
                let help = "add it to `languages`, or take this text out";
                self.error(&span, "form::unlisted_language", message, "in a language not listed", help);
            }
        }
        languages
    }

    /// A text in the form's first language so far, from which names are made.
    pub(super) fn first_language<'t>(&self, text: &'t Text) -> &'t str {
        let first = self.languages.first().and_then(|language| text.by_lang.get(language));
        first.or_else(|| text.by_lang.values().next()).map_or("", String::as_str)
    }

    fn by_language<'n>(&mut self, node: &'n Node) -> Vec<(String, &'n Node)> {
        let Data::Map(entries) = &node.data else { return vec![(String::new(), node)] };
        for entry in entries.iter().filter(|entry| names::is_language(&entry.key)) {
            if !self.languages.contains(&entry.key) {
                self.languages.push(entry.key.clone());
            }
        }
        self.translated.push((node.span.clone(), entries.iter().map(|entry| entry.key.clone()).collect()));
        entries.iter().map(|entry| (entry.key.clone(), &entry.node)).collect()
    }

    fn compile(&mut self, text: &[(String, &Node)]) -> Text {
        let by_lang: BTreeMap<String, String> =
            text.iter().filter_map(|(language, node)| Some((language.clone(), node.text()?.to_owned()))).collect();
        let compiled = Text { by_lang };
        self.template(&compiled, text);
        compiled
    }
}

/// A list of plain words, or one.
pub(super) fn lines(node: Option<&Node>) -> Vec<String> {
    let all = node.map(Node::one_or_more).unwrap_or_default();
    all.iter().filter_map(Node::text).map(str::to_owned).collect()
}
