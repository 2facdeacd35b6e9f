//! Values that tools bring: looked up when their field's turn comes, for fields that are never asked at once, and not at all
//! where the person has said them already.

use formwright_chat as chat;
use serde_json::Value as Json;

use super::Command;
use super::calls::Taken;
use super::decide::Next;
use super::fill::{Filled, Filling, Offer};
use super::session::ToolState;
use formwright_form::field::Field;
use formwright_form::{AnswerSource, Kind, Path, Tool, ToolId, ToolRun, Value, tool};

impl<'a> Filling<'a> {
    /// The call that fields wait for which are never asked; rows of the form file serve at once.
    pub(super) fn fetch_unasked(&mut self) -> Option<Next> {
        let form = self.form;
        let hidden = |field: &&Field| {
            matches!(field.kind, Kind::Hidden(_)) && matches!(field.source, AnswerSource::FromTool { .. })
        };
        form.fields.iter().filter(hidden).find_map(|field| self.fetch_field(field))
    }

    /// The call that the field at a path waits for. Rows of the form file serve at once.
    pub(super) fn fetch_for(&mut self, path: &Path) -> Option<Next> {
        let form = self.form;
        let (tool, args) = self.due(form.field_at(path)?, path)?;
        self.look_up(tool, args)
    }

    /// The call that any field waits for which has not had its turn: it is looked over now.
    pub(super) fn fetch_rest(&mut self) -> Option<Next> {
        let form = self.form;
        form.fields.iter().find_map(|field| self.fetch_field(field))
    }

    fn fetch_field(&mut self, field: &Field) -> Option<Next> {
        if !matches!(field.source, AnswerSource::FromTool { .. }) {
            return None;
        }
        self.instances(field.no, &Path::default()).iter().find_map(|path| self.fetch_for(path))
    }

    /// The tool that is to be asked for a field, if it is needed and can be.
    fn due(&self, field: &Field, path: &Path) -> Option<(&'a Tool, Json)> {
        let AnswerSource::FromTool { tool, .. } = &field.source else { return None };
        let draft = self.draft();
        let settled = draft.answers.contains_key(path) || draft.skipped.contains(path) || draft.emptied.contains(path);
        // What does something is not run to know what it would give.
        if settled || super::deeds::does(self.form, tool) || draft.is_hidden(path) || self.page_is_hidden(field) {
            return None;
        }
        let tool = self.form.tools.get(tool)?;
        let args = tool::args(tool, path, draft, &self.world.now)?;
        let asked = |state: &ToolState| state.args == args && (state.result.is_some() || state.failures > 0);
        (!draft.tools.get(&tool.id).is_some_and(asked)).then_some((tool, args))
    }

    fn look_up(&mut self, tool: &'a Tool, args: Json) -> Option<Next> {
        let Some(rows) = self.rows_at_hand(tool, &args) else {
            return match self.call(tool, args) {
                Next::Wait => None,
                next => Some(next),
            };
        };
        let taken = self.take(&tool.id, &args, &rows);
        let failed = taken.is_err();
        self.looked_up(tool, args, taken.ok());
        if let Some(state) = self.journal.draft.tools.get_mut(&tool.id).filter(|_| failed) {
            state.failures = 1;
        }
        None
    }

    /// Keeps what a tool gave that was not called by the draft; with none, that it was asked.
    pub(super) fn looked_up(&mut self, tool: &'a Tool, args: Json, taken: Option<Taken>) {
        let mut state = ToolState { args, at: self.world.now.timestamp(), ..ToolState::default() };
        if let Some(taken) = taken {
            self.told.extend(self.answer_of(tool, &state.args, &taken.outputs));
            (state.result, state.outputs) = (Some(taken.rows), taken.outputs);
        }
        self.journal.draft.tools.insert(tool.id.clone(), state);
        self.bring(&tool.id);
    }

    /// What a tool gives without a call: the rows in the form file.
    pub(super) fn rows_at_hand(&self, tool: &Tool, args: &Json) -> Option<Json> {
        let here = match &tool.run {
            ToolRun::Data { .. } => true,
            ToolRun::Client { .. } => !self.world.client_tools,
            ToolRun::Function | ToolRun::Http(_) | ToolRun::Command { .. } => false,
        };
        here.then(|| tool::data_rows(tool, args, &self.world.now).into())
    }

    /// Fills the fields that a tool brings values for. What the person said stays; what is to be confirmed is asked first.
    pub(super) fn bring(&mut self, id: &ToolId) {
        let form = self.form;
        for field in &form.fields {
            let AnswerSource::FromTool { tool, output } = &field.source else { continue };
            if tool != id {
                continue;
            }
            for path in self.instances(field.no, &Path::default()) {
                let value = self.draft().tools.get(id).and_then(|state| state.outputs.get(output)).cloned();
                let draft = self.draft();
                let given = draft.answers.get(&path).is_some_and(|answer| answer.source != chat::Source::Tool);
                if given || draft.skipped.contains(&path) || draft.emptied.contains(&path) {
                    continue;
                }
                let Some(value) = value.and_then(|value| self.as_answer(id, output, field, &path, &value)) else {
                    continue;
                };
                self.bring_value(field, &path, value);
            }
        }
    }

    fn bring_value(&mut self, field: &Field, path: &Path, value: Value) {
        let asks = field.verify.is_some() && !matches!(field.kind, Kind::Hidden(_));
        if asks && !self.draft().verified.contains(path) && !self.draft().is_hidden(path) {
            if self.vet(field, path, &value).is_ok() {
                let then = Command::Fill { path: path.clone(), value, quote: None };
                self.ask_whether_found(path, Box::new(then));
            }
            return;
        }
        match self.fill(path, Offer { value, source: chat::Source::Tool, quote: None }) {
            Filled::Refused(refusal) => {
                self.faults.push(format!("{path} does not take what its tool brought ({})", refusal.code));
            }
            Filled::Stored(_) | Filled::Same | Filled::Aside | Filled::Locked => {}
        }
    }

    /// An output as the field keeps it.
    fn as_answer(&mut self, tool: &ToolId, output: &str, field: &Field, path: &Path, value: &Value) -> Option<Value> {
        let of = self.form.tools.get(tool)?.outputs.iter().find(|one| one.name == output)?;
        let json = of.kind.behaviour().json(value);
        let offered = self.offered(field, path);
        match field.kind.behaviour().accept(&json, &self.context(field, &offered)) {
            Ok(value) => Some(value),
            Err(refusal) => {
                self.faults.push(format!("output `{output}` of tool {tool} is no value of {path} ({})", refusal.code));
                None
            }
        }
    }

    /// Whether a value came from the field's tool, and is not the person's own.
    pub(super) fn is_brought(&self, field: &Field, path: &Path, value: &Value) -> bool {
        let AnswerSource::FromTool { tool, output } = &field.source else { return false };
        let state = self.draft().tools.get(tool).filter(|_| self.is_still_brought(field, path));
        let brought = state.and_then(|state| state.outputs.get(output));
        let of = self.form.tools.get(tool).and_then(|tool| tool.outputs.iter().find(|one| one.name == *output));
        let json = |kind: &Kind, value: &Value| kind.behaviour().json(value);
        brought.zip(of).is_some_and(|(brought, of)| json(&of.kind, brought) == json(&field.kind, value))
    }

    /// Whether what the field's tool brought was brought for the answers as they are.
    pub(super) fn is_still_brought(&self, field: &Field, path: &Path) -> bool {
        let AnswerSource::FromTool { tool, .. } = &field.source else { return false };
        let Some(tool) = self.form.tools.get(tool) else { return false };
        let state = self.draft().tools.get(&tool.id);
        if super::deeds::does(self.form, &tool.id) {
            return state.is_some_and(|state| state.result.is_some());
        }
        let args = tool::args(tool, path, self.draft(), &self.world.now);
        state.is_some_and(|state| state.result.is_some() && args.as_ref() == Some(&state.args))
    }
}
