//! What only shows when the whole form is known, and cannot have been meant: parts that nothing uses, numbers that cannot
//! be reached, texts that come twice, keys without effect.

use std::collections::{BTreeMap, BTreeSet};

use formwright_form::field::{AnswerSource, Field, FieldNo, Fill};
use formwright_form::problem::Problem;
use formwright_form::{Form, Kind, Scope};
use formwright_values::ToolId;

use crate::lower::flat::Flat;
use crate::lower::lowering::Lower;
use crate::node::{Data, Node};

impl Lower<'_> {
    /// Warns of what cannot have been meant.
    pub(crate) fn lint(&mut self, root: &Node, form: &Form, flats: &[Flat<'_>]) {
        self.unused_tools(root, form);
        self.two_uses(root, form);
        self.shown_to_all(root, form);
        self.same_labels(form, flats);
        self.unguarded(form, flats);
        for (field, flat) in form.fields.iter().zip(flats) {
            self.counts(field, flat);
            self.repeated_questions(flat);
            self.without_effect(form, field, flat);
            self.yes_and_no(field, flat);
            self.row_of_another(form, field, flat);
            self.examples(form, field, flat);
            self.refused_values(field, flat);
        }
    }

    fn unused_tools(&mut self, root: &Node, form: &Form) {
        let tools = root.at("tool").or_else(|| root.at("tools")).map(Node::items).unwrap_or_default();
        let ends = form.pages.iter().filter_map(|page| page.submit.as_ref()).chain(&form.run);
        let ends = ends.chain(form.hooks.values().map(|hook| &hook.tool));
        let mut used: BTreeSet<&str> =
            ends.chain(form.fields.iter().flat_map(Field::tools)).map(ToolId::as_str).collect();
        used.extend(form.submit.iter().filter_map(|sink| sink.as_str().strip_prefix("tool.")));
        for id in tools.iter().filter_map(|tool| tool.at("id")) {
            let Some(name) = id.text().filter(|name| !used.contains(name)) else { continue };
            let message = format!("no field uses tool `{name}`");
            let help = "name it in `options_from`, `default_from`, `check`, `submit` of a page, `run` or a `[[hook]]`, or take it out";
            self.warn(&id.span, "form::unused", message, "never called", help);
        }
    }

    /// Options in a row that no field picks.
    fn row_of_another(&mut self, form: &Form, field: &Field, flat: &Flat<'_>) {
        let from = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
        let Some((from, row)) = from.and_then(|from| Some((from, from.row.as_ref()?))) else { return };
        let picks = |no: &FieldNo| {
            let picker = form.field(*no).and_then(|picker| picker.choices.as_ref()?.from.as_ref());
            picker.is_some_and(|picker| picker.tool == from.tool)
        };
        let node = flat.at("options_from").and_then(|node| node.at("row"));
        if let Some(node) = node.filter(|_| !matches!(row.reads.as_slice(), [no] if picks(no))) {
            let message = format!("`{}` picks no row of tool `{}`", row.source, from.tool);
            let help = "name one field that has its options from the same tool";
            self.error(&node.span, "form::bad_row", message, "no row is known by this", help);
        }
    }

    /// A tool that does something must not be run to look something up.
    fn two_uses(&mut self, root: &Node, form: &Form) {
        let pages = root.at("page").or_else(|| root.at("pages")).map(Node::items).unwrap_or_default();
        let named = pages.iter().filter_map(|page| page.at("submit")).chain(root.at("run"));
        for node in named {
            let Some(name) = node.text() else { continue };
            let offers = |field: &&Field| {
                let from = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
                let checks =
                    field.checks.iter().any(|check| check.that.tool().is_some_and(|tool| tool.as_str() == name));
                checks || from.is_some_and(|from| from.tool.as_str() == name)
            };
            if let Some(field) = form.fields.iter().find(offers) {
                let message = format!("tool `{name}` does something, and field `{}` asks it too", field.id);
                let help = "make two tools of it: one that looks up, one that does";
                self.error(&node.span, "form::two_uses", message, "does something here", help);
            }
        }
    }

    /// What a channel fills in together is filled in there.
    fn shown_to_all(&mut self, root: &Node, form: &Form) {
        let Some(node) = root.at("shown").filter(|_| form.scope == Scope::Channel) else { return };
        let message = "what a channel fills in together is shown there: `shown` has no effect".to_owned();
        self.warn(&node.span, "form::no_effect", message, "does nothing", "take it out, or `scope`");
    }

    /// Two fields that people could not tell apart. Fields that are each shown under a condition may stand for each other.
    fn same_labels(&mut self, form: &Form, flats: &[Flat<'_>]) {
        let place = |flat: &Flat<'_>| flat.at("label").map_or_else(|| flat.id_span(), |node| node.span.clone());
        let mut seen: BTreeMap<(Option<FieldNo>, &str, String), usize> = BTreeMap::new();
        for (at, (field, flat)) in form.fields.iter().zip(flats).enumerate() {
            if matches!(field.kind, Kind::Note(_) | Kind::Hidden(_)) {
                continue;
            }
            for (language, label) in &field.label.by_lang {
                let key = (field.parent, language.as_str(), label.trim().to_lowercase());
                let first = *seen.entry(key).or_insert(at);
                let (Some(other), Some(first)) = (form.fields.get(first), flats.get(first)) else { continue };
                if other.id == field.id || (other.show_when.is_some() && field.show_when.is_some()) {
                    continue;
                }
                let message = format!("two fields are labelled \"{}\"", label.trim());
                let problem = Problem::warning("form::same_label", message)
                    .at(place(flat), "this one")
                    .at(place(first), "and this one");
                self.problems.push(problem.help("give each a `label` of its own: people say which answer to change"));
                break;
            }
        }
    }

    /// Numbers of picks and items that cannot be.
    fn counts(&mut self, field: &Field, flat: &Flat<'_>) {
        let (min, max) = match &field.kind {
            Kind::Choices(choices) => (choices.min.map(u64::from), choices.max.map(u64::from)),
            Kind::List(list) => (list.min.map(u64::from), list.max.map(u64::from)),
            _ => return,
        };
        let (min_node, max_node) = (flat.at("min"), flat.at("max"));
        if let (Some(0), Some(node)) = (max, max_node) {
            let help = "raise it, or take the field out";
            self.warn(&node.span, "form::impossible_count", "nothing can be answered here".into(), "none at all", help);
        }
        let Some(choices) =
            field.choices.as_ref().filter(|choices| choices.from.is_none() && !choices.options.is_empty())
        else {
            return;
        };
        let count = choices.options.len() as u64 + u64::from(choices.other);
        let there = if count == 1 { "there is 1 option".to_owned() } else { format!("there are {count} options") };
        for (key, bound, node) in [("min", min, min_node), ("max", max, max_node)] {
            if let (Some(bound), Some(node)) = (bound.filter(|bound| *bound > count), node) {
                let message = format!("`{key}` is {bound}, and {there}");
                let help = if key == "min" { "nobody can pick so many: lower it" } else { "lower it, or leave it out" };
                self.warn(&node.span, "form::impossible_count", message, "more than there are", help);
            }
        }
    }

    /// Wordings of a question that come twice: who did not answer the first learns nothing from the second.
    fn repeated_questions(&mut self, flat: &Flat<'_>) {
        let Some(ask) = flat.at("ask") else { return };
        let by_language: Vec<&Node> = match &ask.data {
            Data::Map(entries) => entries.iter().map(|entry| &entry.node).collect(),
            _ => vec![ask],
        };
        for variants in by_language {
            let mut seen: BTreeMap<String, &Node> = BTreeMap::new();
            for variant in variants.items() {
                let Some(text) = variant.text() else { continue };
                let words: Vec<&str> =
                    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
                let words = words.join(" ").to_lowercase();
                if let Some(first) = seen.get(&words).filter(|_| !words.is_empty()) {
                    let problem =
                        Problem::warning("form::repeated_text", "this question comes twice in the same words")
                            .at(variant.span.clone(), "again here")
                            .at(first.span.clone(), "first here");
                    self.problems.push(problem.help("say it in other words, or take one of the two out"));
                } else {
                    seen.insert(words, variant);
                }
            }
        }
    }

    /// Keys that do nothing beside others.
    fn without_effect(&mut self, form: &Form, field: &Field, flat: &Flat<'_>) {
        if field.fill == Fill::Widget {
            self.no_effect(flat, "only its own buttons and input fill it", &["from_link"]);
        } else if form.list_of(field.no).is_some() {
            self.no_effect(flat, "a form begins without items", &["from_link"]);
        }
        let (why, keys): (_, &[&str]) = match (&field.kind, &field.source) {
            (Kind::Computed(_), _) => ("a computed field is never asked", &["ask"]),
            (Kind::Hidden(_), _) => ("a hidden field is never asked", &["ask"]),
            (_, AnswerSource::Fixed(_)) => (
                "a fixed value is never asked",
                &["ask", "fill", "from_link", "examples", "verify", "required", "required_when"],
            ),
            _ if field.fill == Fill::Widget && field.choices.is_none() => {
                ("what comes from a widget is not read back", &["verify"])
            }
            _ => return,
        };
        self.no_effect(flat, why, keys);
    }

    fn no_effect(&mut self, flat: &Flat<'_>, why: &str, keys: &[&str]) {
        for key in keys {
            let Some(node) = flat.at(key).filter(|node| node.truth() != Some(false)) else { continue };
            let message = format!("{why}: `{key}` has no effect");
            self.warn(&node.span, "form::no_effect", message, "does nothing", "take it out");
        }
    }

    /// A phrase that means yes and no.
    fn yes_and_no(&mut self, field: &Field, flat: &Flat<'_>) {
        let Kind::YesNo(words) = &field.kind else { return };
        let same = words.yes.iter().find(|yes| words.no.iter().any(|no| no.eq_ignore_ascii_case(yes)));
        if let (Some(same), Some(yes), Some(no)) = (same, flat.at("yes"), flat.at("no")) {
            let problem = Problem::warning("form::shared_synonym", format!("\"{same}\" means both yes and no"))
                .at(no.span.clone(), "no here")
                .at(yes.span.clone(), "yes here");
            self.problems.push(problem.help("take it out of one of the two"));
        }
    }
}
