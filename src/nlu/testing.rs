//! What tests of understanding share: a scene from a form file, and what was understood as one line.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Scene, Understood, understand};
use crate::Command;
use crate::so_far::{Answer, Asked, ListState, Pending, SoFar};
use formwright_form::kind::{Context, Offered, Said};
use formwright_form::{Form, Path, Value};
use formwright_lexicon::language;
use formwright_load::{Syntax, load};

/// A Saturday morning in Rome.
pub(super) const NOW: &str = "2026-11-21T10:00:00+01:00[Europe/Rome]";

/// The parts of what was understood in an order that does not depend on how it was found.
pub(super) fn sorted(line: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = line.split("; ").collect();
    parts.sort_unstable();
    parts
}

/// How far a form is.
pub(super) struct Draft {
    pub(super) pending: Pending,
    pub(super) answers: BTreeMap<Path, Answer>,
    pub(super) lists: BTreeMap<Path, ListState>,
    pub(super) asked: BTreeMap<Path, Asked>,
    pub(super) offered: BTreeMap<Path, Value>,
    pub(super) skipped: BTreeSet<Path>,
    pub(super) hidden: BTreeSet<Path>,
    pub(super) pages_hidden: BTreeSet<u16>,
}

impl Draft {
    /// Nothing was said yet.
    fn new(pending: Pending) -> Self {
        Self {
            pending,
            answers: BTreeMap::new(),
            lists: BTreeMap::new(),
            asked: BTreeMap::new(),
            offered: BTreeMap::new(),
            skipped: BTreeSet::new(),
            hidden: BTreeSet::new(),
            pages_hidden: BTreeSet::new(),
        }
    }

    fn so_far(&self) -> SoFar<'_> {
        SoFar {
            pending: &self.pending,
            answers: &self.answers,
            last_change: None,
            lists: &self.lists,
            asked: &self.asked,
            offered: &self.offered,
            skipped: &self.skipped,
            hidden: &self.hidden,
            pages_hidden: &self.pages_hidden,
            elsewhere: None,
        }
    }
}

/// A form, how far it is, and the language spoken.
pub(super) struct Stage {
    pub(super) form: Form,
    pub(super) draft: Draft,
    pub(super) lang: &'static str,
    pub(super) forms: Vec<Form>,
    pub(super) now: String,
}

pub(super) fn form(text: &str) -> Form {
    let syntax = match text {
        json if json.trim_start().starts_with('{') => Syntax::Json,
        toml if toml.contains("\n[[field]]") => Syntax::Toml,
        _ => Syntax::Yaml,
    };
    let loaded = load(text, syntax);
    loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems))
}

impl Stage {
    /// A form that was just started; `pending` is a field, `review`, `change`, `more LIST`, `sure` or nothing.
    pub(super) fn new(toml: &str, pending: &str) -> Self {
        let form = form(toml);
        let pending = match pending.split_once(' ').unwrap_or((pending, "")) {
            ("", _) => Pending::Nothing,
            ("review", _) => Pending::Review,
            ("change", _) => Pending::WhatToChange,
            ("sure", _) => Pending::Sure { then: Box::new(Command::Cancel), question: "sure_cancel".to_owned() },
            ("more", list) => Pending::MoreItems { list: list.parse().unwrap() },
            (field, _) => Pending::Field { path: field.parse().unwrap(), editing: false },
        };
        let draft = Draft::new(pending);
        Self { form, draft, lang: "en", forms: Vec::new(), now: NOW.to_owned() }
    }

    pub(super) fn speaking(mut self, lang: &'static str) -> Self {
        self.lang = lang;
        self
    }

    /// Answers given before: `count=2; pizza=diavola; items[0].amount=12`.
    pub(super) fn having(mut self, answers: &str) -> Self {
        for answer in answers.split("; ").filter(|answer| !answer.is_empty()) {
            let (path, data) = answer.split_once('=').unwrap();
            let path: Path = path.parse().unwrap();
            let field = self.form.field_at(&path).unwrap_or_else(|| panic!("no field {path}"));
            let json = serde_json::from_str(data).unwrap_or_else(|_| serde_json::Value::from(data));
            let offered = self.offered(&path);
            let value = field.kind.behaviour().accept(&json, &self.context(&offered));
            let value = value.unwrap_or_else(|why| panic!("{path}={data}: {why:?}"));
            self.answer(path, value);
        }
        self
    }

    fn answer(&mut self, path: Path, value: Value) {
        let segs = path.segs();
        for (at, seg) in segs.iter().enumerate() {
            if let formwright_form::Seg::Item(no) = seg {
                let list = Path::from_segs(segs[..at].to_vec());
                let state = self.draft.lists.entry(list).or_insert(ListState { len: 0, ended: false });
                state.len = state.len.max(no + 1);
            }
        }
        let at = NOW.parse::<jiff::Zoned>().unwrap().timestamp();
        let answer = Answer {
            value,
            source: formwright_chat::Source::Said,
            quote: None,
            day_quote: None,
            by_model: false,
            event: None,
            at,
            by: None,
        };
        self.draft.answers.insert(path, answer);
    }

    pub(super) fn offered(&self, path: &Path) -> Vec<Offered> {
        let choices = self.form.field_at(path).and_then(|field| field.choices.as_ref());
        let offer = |option: &formwright_form::OptionDef| Offered {
            id: option.id.clone(),
            label: option.label.pick(&[self.lang]).to_owned(),
            synonyms: option.label.others(&[self.lang]).map(str::to_owned).chain(option.synonyms.clone()).collect(),
            detail: None,
        };
        choices.map(|choices| choices.options.iter().map(offer).collect()).unwrap_or_default()
    }

    pub(super) fn context<'a>(&self, options: &'a [Offered]) -> Context<'a> {
        static NOW_ZONED: std::sync::LazyLock<jiff::Zoned> = std::sync::LazyLock::new(|| NOW.parse().unwrap());
        Context { now: &NOW_ZONED, lang: language(self.lang), region: None, options, other: false, held: None }
    }

    pub(super) fn hear(&self, text: &str) -> Understood {
        self.with_scene(|scene| understand(scene, &Said::new(text)))
    }

    pub(super) fn with_scene<T>(&self, then: impl FnOnce(&Scene<'_>) -> T) -> T {
        let now: jiff::Zoned = self.now.parse().unwrap();
        let offered = |path: &Path| Arc::from(self.offered(path));
        let forms: Vec<&Form> = self.forms.iter().collect();
        let scene = Scene {
            form: &self.form,
            draft: self.draft.so_far(),
            forms: &forms,
            now: &now,
            lang: language(self.lang),
            region: None,
            offered: &offered,
            explains: false,
        };
        then(&scene)
    }

    /// What a message fills and clears, without what is left over.
    pub(super) fn fills(&self, said: &str) -> String {
        let line = self.line(said);
        line.split("; ").filter(|part| !part.starts_with('~') || part.starts_with("~=")).collect::<Vec<_>>().join("; ")
    }

    /// What a message fills without asking.
    pub(super) fn takes(&self, said: &str) -> String {
        let fills = self.fills(said);
        fills.split("; ").filter(|part| !part.starts_with("~=")).collect::<Vec<_>>().join("; ")
    }

    /// The same, where it does not matter what the person is asked to confirm.
    pub(super) fn means(&self, said: &str) -> String {
        self.fills(said).replace("~=", "")
    }

    /// What was understood, in a line: commands, `?` what to ask, `!` what was refused, `~` what is left.
    pub(super) fn line(&self, text: &str) -> String {
        let understood = self.hear(text);
        let mut parts: Vec<String> = understood.commands.iter().map(|command| self.show(command)).collect();
        parts.extend(understood.rough.iter().map(|command| format!("~={}", self.show(command))));
        for unsure in &understood.unsure {
            let labels: Vec<String> = unsure.readings.iter().map(|(_, command)| self.show(command)).collect();
            parts.push(format!("?({})", labels.join(" | ")));
        }
        parts.extend(
            understood
                .refused
                .iter()
                .map(|(path, span, why)| format!("!{path} {} {:?}", why.code, &text[span.clone()])),
        );
        parts.extend(understood.later.iter().map(|path| format!("later {path}")));
        if !understood.leftover.is_empty() {
            let words: Vec<&str> = understood.leftover.iter().map(|span| &text[span.clone()]).collect();
            parts.push(format!("~{}", words.join("/")));
        }
        parts.join("; ")
    }

    pub(super) fn show(&self, command: &Command) -> String {
        match command {
            Command::Fill { path, value, quote: _ } => {
                let field = self.form.field_at(path).unwrap();
                let json = field.kind.behaviour().json(value);
                let text = json.as_str().map_or_else(|| json.to_string(), str::to_owned);
                format!("{path}={text}")
            }
            Command::Clear { path } => format!("clear {path}"),
            Command::AddItem { list } => format!("add {list}"),
            Command::RemoveItem { item } => format!("remove {item}"),
            Command::EndList { list } => format!("end {list}"),
            Command::Edit { path: Some(path) } => format!("edit {path}"),
            Command::Edit { path: None } => "edit".to_owned(),
            Command::Ask { question } => format!("ask {question:?}"),
            Command::Start { form } => format!("start {form}"),
            Command::Resume { form: Some(form) } => format!("resume {form}"),
            Command::FillRest { yes, except, .. } => {
                let except = except.iter().map(|path| format!(" but {path}"));
                format!("rest {yes}{}", except.collect::<String>())
            }
            other => format!("{other:?}").split(' ').next().unwrap_or_default().to_lowercase(),
        }
    }
}
