//! Results of tools, run by us or by the person's client.

use formwright_chat as chat;

use super::fill::Filling;
use super::session::{Draft, Pending};
use super::talk::Talk;
use super::{CallError, Outcome};
use crate::form::{ToolId, ToolRun};

impl Talk<'_> {
    /// Takes the results that a client brings; only those of the call that is open count. Nothing at all is the word of a
    /// client that has no such tool.
    pub(super) fn tool_results(&mut self, results: &[chat::ToolResult]) {
        for result in results {
            let call = self.session.draft.as_ref().and_then(|draft| match &draft.pending {
                Pending::Tool { call, tool, client: true } => {
                    let named = result.call.as_ref().map_or(tool.as_str() == result.tool, |theirs| theirs == call);
                    named.then(|| call.clone())
                }
                _ => None,
            });
            if call.is_none() && self.came_late(result) {
                continue;
            }
            if call.is_some() && result.result.is_null() {
                self.give_up_on_client();
            } else if let Some(call) = call {
                let failed = result.result.get("error").is_some();
                let result = if failed {
                    Err(CallError::broken(format!("client tool {} failed", result.tool), true))
                } else {
                    Ok(result.result.clone())
                };
                self.tool_outcome(&Outcome { call, result });
            }
        }
    }

    /// Takes the result of a call that is not waited for any more but has had none yet; tells whether it is one.
    fn came_late(&mut self, result: &chat::ToolResult) -> bool {
        let Some((form, draft)) = self.take_draft() else { return false };
        let tool = ToolId::new(&result.tool);
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let of_call = filling.draft().tools.get(&tool).is_some_and(|state| {
            result.call.as_ref() == Some(&state.call) && state.result.is_none() && state.failures > 0
        });
        let fits = of_call && result.result.get("error").is_none() && filling.offers_something(&tool, &result.result);
        if fits {
            filling.keep_result(&tool, result.result.clone());
        }
        self.put_draft(filling);
        fits
    }

    /// Takes the outcome of a tool; tells whether anybody waited for it.
    pub(super) fn tool_outcome(&mut self, outcome: &Outcome) -> bool {
        let waits = self.session.draft.as_ref().and_then(|draft| match &draft.pending {
            Pending::Tool { call, tool, .. } if *call == outcome.call => Some(tool.clone()),
            _ => None,
        });
        let Some(tool) = waits else { return false };
        let Some((form, draft)) = self.take_draft() else { return false };
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        filling.let_go();
        let result = outcome.result.as_ref().ok().filter(|result| filling.offers_something(&tool, result)).cloned();
        match result {
            Some(result) => filling.keep_result(&tool, result),
            None => {
                if let Some(state) = filling.journal.draft.tools.get_mut(&tool) {
                    state.failures += 1;
                }
                self.notes.push(match &outcome.result {
                    Err(CallError { for_person: Some(words), .. }) => words.clone(),
                    Ok(result) if is_empty(result) => filling.nothing_offered(&tool),
                    Ok(_) | Err(_) => filling.say("tool_failed", &[]),
                });
                let human = form.human.as_ref().map(|text| filling.text(text, &crate::form::Path::default()));
                self.notes.extend(human.map(|human| filling.say("human", &[("human", &human)])));
            }
        }
        self.put_draft(filling);
        true
    }

    /// Stops waiting for a client's tool that will not come: its rows in the form file serve instead.
    pub(super) fn give_up_on_client(&mut self) {
        let waits = self.session.draft.as_ref().and_then(|draft| match &draft.pending {
            Pending::Tool { call, tool, client: true } => Some((call.clone(), self.rows_of(draft, tool))),
            _ => None,
        });
        let Some((call, rows)) = waits else { return };
        let error = || CallError::broken("the client did not run the tool", true);
        self.tool_outcome(&Outcome { call, result: rows.ok_or_else(error) });
    }

    /// The rows in the form file that serve where no client runs a tool.
    fn rows_of(&self, draft: &Draft, tool: &ToolId) -> Option<serde_json::Value> {
        let form = self.engine.form_of(draft)?;
        let tool = form.tools.get(tool)?;
        let ToolRun::Client { fallback, .. } = &tool.run else { return None };
        let args = &draft.tools.get(&tool.id)?.args;
        (!fallback.is_empty()).then(|| crate::form::tool::data_rows(tool, args, &self.world.now).into())
    }
}

/// Whether a result is a list without rows, rather than no list.
fn is_empty(result: &serde_json::Value) -> bool {
    match result {
        serde_json::Value::Array(rows) => rows.is_empty(),
        serde_json::Value::Object(entries) => {
            entries.values().any(|value| value.as_array().is_some_and(Vec::is_empty)) && !entries.contains_key("error")
        }
        _ => false,
    }
}

impl Filling<'_> {
    /// Whether a result holds an option for the field that waits for it. What holds none cannot be answered.
    fn offers_something(&self, tool: &ToolId, result: &serde_json::Value) -> bool {
        let readers = self.form.fields.iter().filter_map(|field| field.choices.as_ref()?.from.as_ref());
        let mut readers = readers.filter(|from| from.tool == *tool).peekable();
        let any = readers.peek().is_some();
        let tags = self.world.tags();
        !any || readers.any(|from| !crate::form::options::dig(result, from, &tags).is_empty())
    }

    /// That a tool has nothing to choose from, for the field that waits for it.
    fn nothing_offered(&self, tool: &ToolId) -> String {
        let waits = |field: &&crate::form::Field| {
            field.choices.as_ref().and_then(|choices| choices.from.as_ref()).is_some_and(|from| from.tool == *tool)
        };
        let field = self.form.fields.iter().find(waits);
        let label = field.map(|field| field.label.pick(&self.world.tags()).to_owned()).unwrap_or_default();
        self.say("tool_no_options", &[("label", &label)])
    }

    fn keep_result(&mut self, tool: &ToolId, result: serde_json::Value) {
        let now = self.world.now.timestamp();
        let Some(state) = self.journal.draft.tools.get_mut(tool) else { return };
        state.result = Some(result);
        state.at = now;
        state.failures = 0;
        self.take_back_offered(tool);
    }

    /// Answers set aside while their options were unknown come back if they are still offered.
    fn take_back_offered(&mut self, tool: &ToolId) {
        let form = self.form;
        for field in &form.fields {
            let from = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
            if from.is_none_or(|from| from.tool != *tool) {
                continue;
            }
            for path in offered_within(self.draft()) {
                if form.field_at(&path).is_none_or(|at| at.no != field.no) {
                    continue;
                }
                let Some(value) = self.draft().offered.get(&path).cloned() else { continue };
                let offer = super::fill::Offer { value, source: chat::Source::Said, quote: None };
                let _ = self.fill(&path, offer);
            }
        }
    }
}

fn offered_within(draft: &Draft) -> Vec<crate::form::Path> {
    draft.offered.keys().cloned().collect()
}
