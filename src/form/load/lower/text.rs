//! Texts and phrases.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwright_chat::words::primary;
use formwright_form::Text;
use formwright_form::problem::Problem;
use formwright_lexicon as language;
use formwright_text::Said;

use super::lowering::Lower;
use crate::names;
use crate::node::{Data, Node};

/// Most untranslated texts that are shown with their place.
const MOST_SHOWN: usize = 40;
/// Most characters of a text that every platform shows in one message.
const MOST_READ: usize = 2000;

impl Lower<'_> {
    /// A text, or a text by language.
    pub(super) fn text(&mut self, node: Option<&Node>) -> Option<Text> {
        self.texts(node).into_iter().next()
    }

    /// A text that may show other values too, by these names.
    pub(super) fn text_with(&mut self, node: Option<&Node>, names: &[&str]) -> Option<Text> {
        self.shown = names.iter().map(|name| (*name).to_owned()).collect();
        let text = self.text(node);
        self.shown.clear();
        text
    }

    /// Texts, or texts by language: the first of each language make the first text, and so on. A later text may lack a
    /// language.
    pub(super) fn texts(&mut self, node: Option<&Node>) -> Vec<Text> {
        if let Some(node) = node {
            self.warn_of_long(node);
        }
        self.all_texts(node)
    }

    /// Warns of texts that are too long to be read in a chat.
    fn warn_of_long(&mut self, node: &Node) {
        let langs: Vec<&Node> = match &node.data {
            Data::Map(entries) => entries.iter().map(|entry| &entry.node).collect(),
            _ => vec![node],
        };
        for text in langs.into_iter().flat_map(Node::one_or_more) {
            let chars = text.text().map_or(0, |text| text.chars().count());
            if chars > MOST_READ {
                let message = format!("this text has {chars} characters, and a chat shows {MOST_READ} at a time");
                let help = "say it in fewer words; what only some want to know fits `help`, `faq` or `context`";
                self.warn(&text.span, "form::long_text", message, "comes in several messages", help);
            }
        }
    }

    fn all_texts(&mut self, node: Option<&Node>) -> Vec<Text> {
        let Some(node) = node else { return Vec::new() };
        if !matches!(node.data, Data::Map(_)) {
            let plain = node.one_or_more().iter().filter(|plain| plain.text().is_some_and(needs_translation));
            self.plain.extend(plain.map(|plain| (plain.span.clone(), "not translated")));
        }
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

    /// The wordings of a question: as many in each language, for each is used once.
    pub(super) fn wordings(&mut self, node: Option<&Node>) -> Vec<Text> {
        if let Some(node) = node.filter(|node| matches!(node.data, Data::Map(_))) {
            let counts: Vec<_> =
                node.entries().iter().map(|entry| (entry.node.one_or_more().len(), &entry.key)).collect();
            let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
            let fewer = counts.iter().filter(|(count, _)| *count < most);
            let fewer = fewer.map(|(_, language)| format!("`{language}`")).collect::<Vec<_>>().join(", ");
            if !fewer.is_empty() {
                let message = format!("there are fewer wordings in {fewer}");
                let help = "write as many in each language: where one lacks them, it is asked in standard words";
                self.warn(&node.span, "form::missing_language", message, "not as many in every language", help);
            }
        }
        self.texts(node)
    }

    /// A text that no person reads, so that it need not be in every language.
    pub(super) fn unread(&mut self, node: Option<&Node>) -> Option<Text> {
        self.phrases(node).into_iter().next()
    }

    /// Texts that are recognised rather than read: those of every language count together.
    pub(super) fn phrases(&mut self, node: Option<&Node>) -> Vec<Text> {
        let before = self.plain.len();
        let texts = self.all_texts(node);
        self.plain.truncate(before);
        texts
    }

    /// Messages that are recognised: some in each of the form's languages, or all beside each other.
    pub(super) fn spoken(&mut self, root: &Node, key: &str) -> Vec<Text> {
        let before = self.plain.len();
        let texts = self.all_texts(root.at(key));
        let first = lines(root.at("languages")).first().map_or_else(language::english, |tag| language::language(tag));
        let other = |words: &String| language::tongue::written_in(&Said::new(words), first).is_some();
        if texts.iter().flat_map(|text| text.by_lang.values()).any(other) {
            self.plain.truncate(before);
        }
        texts
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
        self.warn_of_untranslated(&languages);
        self.warn_of_unspoken(root, &languages);
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

    /// Warns of languages that the program itself does not speak.
    fn warn_of_unspoken(&mut self, root: &Node, languages: &[String]) {
        let spoken = |tag: &String| language::codes().iter().any(|code| primary(tag).eq_ignore_ascii_case(code));
        let unspoken = languages.iter().filter(|tag| !spoken(tag)).map(|tag| format!("`{tag}`")).collect::<Vec<_>>();
        if !unspoken.is_empty() {
            let message = format!("the program's own sentences are not in {}, but in English", unspoken.join(", "));
            let ours = language::codes().map(|code| format!("`{code}`")).join(", ");
            let help = format!("replace them by `messages`, or take the language out; the program speaks {ours}");
            let span = &root.at("languages").unwrap_or(root).span;
            self.warn(span, "form::unspoken_language", message, "not spoken by the program", &help);
        }
    }

    /// A text in the form's first language so far, from which names are made.
    pub(super) fn first_language<'t>(&self, text: &'t Text) -> &'t str {
        let first = self.languages.first().and_then(|language| text.by_lang.get(language));
        first.or_else(|| text.by_lang.values().next()).map_or("", String::as_str)
    }

    /// Warns of texts that are written in one language only, where the form lists several.
    fn warn_of_untranslated(&mut self, languages: &[String]) {
        let mut plain = std::mem::take(&mut self.plain);
        let [first, others @ ..] = languages else { return };
        if others.is_empty() || plain.is_empty() {
            return;
        }
        plain.sort_by_key(|(span, _)| (span.start, span.end));
        plain.dedup_by_key(|(span, _)| span.clone());
        let lack = others.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(", ");
        let message = match plain.len() {
            1 => format!("1 text is in `{first}` only, and lacks {lack}"),
            count => format!("{count} texts are in `{first}` only, and lack {lack}"),
        };
        let more = plain.len().saturating_sub(MOST_SHOWN);
        let mut help = format!("write it as `{{ {first} = \"…\", {} = \"…\" }}`", others.join(" = \"…\", "));
        if more > 0 {
            let _ = write!(help, "; {more} more are not shown");
        }
        let shown = plain.into_iter().take(MOST_SHOWN);
        let problem = Problem::warning("form::untranslated", message);
        self.problems.push(shown.fold(problem, |problem, (span, label)| problem.at(span, label)).help(help));
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

/// Whether a text has words of its own, beside what it fills in.
fn needs_translation(text: &str) -> bool {
    let mut rest = text;
    let mut own = String::new();
    while let Some((before, inside)) = rest.split_once("{{") {
        own.push_str(before);
        own.push(' ');
        rest = inside.split_once("}}").map_or("", |(_, after)| after);
    }
    own.push_str(rest);
    own.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(1).is_some())
}
