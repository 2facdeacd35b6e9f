//! What is taken out of a tool's result, and why it may be no result at all. Results of a client and of ours are looked at
//! in the same way.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::fill::Filling;
use super::{CallError, Failing};
use formwright_form::OptionsFrom;
use formwright_form::kind::Context;
use formwright_form::{Tool, ToolId, Value, tool};

/// What a draft keeps of a result.
#[derive(Debug, PartialEq)]
pub(super) struct Taken {
    /// Rows, where fields choose from them.
    pub(super) rows: Json,
    /// Outputs by name.
    pub(super) outputs: BTreeMap<String, Value>,
}

impl Filling<'_> {
    /// Takes what is needed out of a result.
    pub(super) fn take(&mut self, id: &ToolId, args: &Json, result: &Json) -> Result<Taken, CallError> {
        let form = self.form;
        let Some(tool) = form.tools.get(id) else {
            return Err(CallError::broken(format!("there is no tool {id}"), false));
        };
        let outputs = self.outputs(tool, result).map_err(|why| self.wrong(tool, result, why))?;
        if !tool::is_complete(tool, args, &outputs, &self.world.now) {
            return Err(self.wrong(tool, result, "`is_complete` does not hold".to_owned()));
        }
        let readers: Vec<&OptionsFrom> = form
            .fields
            .iter()
            .filter_map(|field| field.choices.as_ref()?.from.as_ref())
            .filter(|from| from.tool == *id)
            .collect();
        let tags = self.world.tags();
        if !readers.is_empty()
            && readers.iter().all(|from| formwright_form::options::dig(result, from, &tags).is_empty())
        {
            let for_person = is_empty(result).then(|| self.nothing_offered(id));
            return Err(CallError {
                for_person,
                ..CallError::broken(format!("tool {id} gave nothing to choose from"), true)
            });
        }
        if let Some((first, second)) = readers.iter().find_map(|from| formwright_form::options::two_lists(result, from))
        {
            self.faults.push(format!(
                "tool {id} gave two lists, `{first}` and `{second}`: the options are those of `{first}`; say which with \
                 `options_from = {{ tool = \"{id}\", at = \"…\" }}`"
            ));
        }
        let (rows, left) = tool::kept(&readers, result, &tags);
        if left > 0 {
            self.faults.push(format!("tool {id} gave more than a conversation keeps: {left} options are not offered"));
        }
        Ok(Taken { rows, outputs })
    }

    /// Outputs of a tool by name.
    pub(super) fn outputs(&self, tool: &Tool, result: &Json) -> Result<BTreeMap<String, Value>, String> {
        let cx = Context {
            now: &self.world.now,
            lang: self.world.speaks,
            region: self.world.region.as_deref(),
            options: &[],
            other: true,
            held: None,
        };
        tool::outputs(tool, result, &cx)
    }

    /// A result that will not do: a refusal where the tool has words for the person, and the tool's fault otherwise.
    fn wrong(&mut self, tool: &Tool, result: &Json, why: String) -> CallError {
        let for_log = format!("tool {}: {why}", tool.id);
        match tool::refusal(tool, result) {
            Some(words) => CallError {
                for_person: Some(words),
                for_log,
                retry: false,
                failing: Failing::Refused { fields: BTreeMap::new() },
            },
            None => {
                self.faults.push(for_log.clone());
                CallError::broken(for_log, true)
            }
        }
    }

    /// That a tool has nothing to choose from, for the field that waits for it.
    fn nothing_offered(&self, tool: &ToolId) -> String {
        let waits = |field: &&formwright_form::Field| {
            field.choices.as_ref().and_then(|choices| choices.from.as_ref()).is_some_and(|from| from.tool == *tool)
        };
        let field = self.form.fields.iter().find(waits);
        let label = field.map(|field| field.label.pick(&self.world.tags()).to_owned()).unwrap_or_default();
        self.say("tool_no_options", &[("label", &label)])
    }
}

/// Whether a result is a list without rows, rather than no list.
fn is_empty(result: &Json) -> bool {
    match result {
        Json::Array(rows) => rows.is_empty(),
        Json::Object(entries) => {
            entries.values().any(|value| value.as_array().is_some_and(Vec::is_empty)) && !entries.contains_key("error")
        }
        _ => false,
    }
}
