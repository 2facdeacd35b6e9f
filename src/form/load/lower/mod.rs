//! Makes a [`Form`] of a checked tree, and reports what only shows when the parts are put together.
//!
//! Values of the wrong type were reported before and count as not given here, so that no mistake is reported twice.

mod calls;
mod checks;
mod choices;
mod context;
mod expr;
mod field;
mod flat;
mod given;
mod kind;
mod lowering;
mod parts;
mod text;

use std::collections::BTreeMap;

pub(super) use field::label_of;
pub(super) use parts::BUILT_IN_SINKS;

use formwright_chat as chat;
use formwright_form::field::Field;
use formwright_form::logic::Graph;
use formwright_form::problem::{Problem, Problems};
use formwright_form::tree::Tree;
use formwright_form::{Form, Optional, Review, Scope, Text};
use formwright_values::{FormId, FormVersion, zone};
use sha2::Digest as _;

use lowering::Lower;

use super::node::Node;

/// Where a form is shown, by its word in the file.
fn shown(word: &str) -> Option<chat::Shown> {
    Some(match word {
        "private" => chat::Shown::Private,
        "dm" => chat::Shown::Dm,
        "thread" => chat::Shown::Thread,
        "here" => chat::Shown::Here,
        _ => return None,
    })
}

/// Makes a form. `None` where it has no id or no field.
pub(super) fn form(root: &Node, source: &str) -> (Option<Form>, Problems) {
    let mut lower = Lower::new(source);
    let form = lower.form(root);
    (form, lower.problems)
}

impl Lower<'_> {
    fn form(&mut self, root: &Node) -> Option<Form> {
        let id = root.at("id").and_then(Node::text);
        let flats = self.flatten(root);
        self.names = expr::names(&flats);
        let paging = self.paging(root, &flats);
        let tools = self.tools(root);
        let fields: Vec<Field> = flats.iter().map(|flat| self.field(flat, &paging, &tools)).collect();
        let pages = self.pages(root, &tools);
        let run = self.run(root, &tools);
        let then = self.then_of_form(root, &flats, &tools, run.as_ref());
        let hooks = self.hooks(root, &tools);
        let (submit, sinks) = self.sinks(root, &tools);
        let listen = self.listen(root, &sinks);
        let form = Form {
            id: FormId::new(id.unwrap_or_default()),
            file: None,
            version: version(self.source),
            title: self.text(root.at("title")).unwrap_or_default(),
            description: self.text(root.at("description")).unwrap_or_default(),
            start_examples: self.spoken(root, "start_examples"),
            stop_examples: self.spoken(root, "stop_examples"),
            languages: Vec::new(),
            confirm: root.at("confirm").and_then(Node::truth).unwrap_or(true),
            listed: true,
            stays: false,
            optional: if root.at("optional").and_then(Node::text) == Some("offer") {
                Optional::Offer
            } else {
                Optional::Ask
            },
            enabled: root.at("enabled").and_then(Node::truth).unwrap_or(true),
            scope: if root.at("scope").and_then(Node::text) == Some("channel") { Scope::Channel } else { Scope::User },
            shown: root.at("shown").and_then(Node::text).and_then(shown),
            zone: self.zone(root),
            draft_ttl: self.draft_ttl(root),
            keep_submissions: root.at("keep").and_then(|keep| self.kept(keep.at("submissions"))),
            greeting: self.text(root.at("greeting")),
            help: self.text(root.at("help")),
            human: self.text(root.at("human")),
            review: self.review(root),
            handoff: root.at("handoff").and_then(Node::text).map(str::to_owned),
            model: self.model(root),
            faq: self.faq(root),
            context: self.context(root),
            messages: self.messages(root),
            tree: Tree::new(&fields),
            cues: std::sync::OnceLock::new(),
            fields,
            pages,
            graph: Graph::default(),
            tools,
            run,
            run_told: calls::hooks::run_told(root),
            then,
            hooks,
            submits: root.at("submit").is_some(),
            submit,
            sinks,
            listen,
        };
        let mut form = Form { languages: self.form_languages(root), ..form };
        for from in form.fields.iter_mut().filter_map(|field| field.choices.as_mut()?.from.as_mut()) {
            from.home = form.languages.first().cloned();
        }
        self.warn_of_documents(&form);
        self.connect(root, &mut form, &flats);
        self.lint(root, &form, &flats);
        (id.is_some() && !form.fields.is_empty()).then_some(form)
    }

    /// The zone of the form's times, as the database spells it.
    fn zone(&mut self, root: &Node) -> Option<String> {
        let node = root.at("zone")?;
        let name = node.text()?;
        let found = zone::canonical(name);
        if found.is_none() {
            let problem = Problem::error("form::bad_zone", format!("there is no time zone `{name}`"));
            let help = "a zone is named like `Europe/Rome`, `UTC` or `+05:30`".to_owned();
            let problem = problem.at(node.span.clone(), "no time zone");
            self.problems.push(problem.did_you_mean(name, zone::names(), help));
        }
        found
    }

    /// `draft_ttl` and `keep.drafts` are the same.
    fn draft_ttl(&mut self, root: &Node) -> Option<u64> {
        let (ttl, kept) = (root.at("draft_ttl"), root.at("keep").and_then(|keep| keep.at("drafts")));
        if let (Some(ttl), Some(kept)) = (ttl, kept) {
            let message = "`draft_ttl` and `keep.drafts` both say how long a draft is kept".to_owned();
            self.either(message, &kept.span, &ttl.span);
        }
        self.kept(kept.or(ttl))
    }

    /// Who has to approve a submission.
    fn review(&mut self, root: &Node) -> Option<Review> {
        let review = root.at("review")?;
        let by = review.at("by").and_then(Node::text)?.to_owned();
        let needs = review.at("needs").and_then(Node::number).unwrap_or(1);
        Some(Review { by, needs, remind: self.kept(review.at("remind")) })
    }

    fn messages(&mut self, root: &Node) -> BTreeMap<String, Text> {
        let mut messages = BTreeMap::new();
        for entry in root.at("messages").map(Node::entries).unwrap_or_default() {
            let Some(text) = self.text(Some(&entry.node)) else { continue };
            self.warn_of_answers(&entry.node, &text);
            messages.insert(entry.key.clone(), text);
        }
        messages
    }
}

fn version(source: &str) -> FormVersion {
    FormVersion::new(chat::hex(&sha2::Sha256::digest(source.as_bytes())))
}
