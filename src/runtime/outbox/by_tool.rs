//! A submission goes to a tool of its form, by the outbox: again and again under the same id, until it has arrived.

use super::again::Failure;
use crate::Runtime;
use formwright_engine::{Failing, Purpose, Submission, ToolCall};
use formwright_form::ToolId;
use formwright_form::tool::args_of_answers;

impl Runtime {
    /// Runs a tool with a submission; `id` is that of the delivery.
    pub(crate) async fn run_tool_with(&self, id: &str, tool: &str, submission: &Submission) -> Result<(), Failure> {
        let conversation = self.conversation();
        let catalog = conversation.catalog();
        let form = catalog.version(&submission.form, &submission.version).or_else(|| catalog.form(&submission.form));
        let tool = ToolId::new(tool);
        let Some((form, of_form)) = form.and_then(|form| Some((form, form.tools.get(&tool)?))) else {
            return Err(Failure::passing(None, format!("form `{}` has no tool `{tool}` now", submission.form)));
        };
        let call = ToolCall {
            call: id.to_owned(),
            form: form.id.clone(),
            version: form.version.clone(),
            args: args_of_answers(of_form, &submission.answers),
            tool,
            purpose: Purpose::Do,
        };
        let outcome = self.around().tools.run(&call, Some(form), "").await;
        outcome.result.map(drop).map_err(|error| match error.failing {
            Failing::Refused { .. } => Failure::fatal(error.for_log),
            Failing::Denied | Failing::Broken => Failure::passing(None, error.for_log),
        })
    }
}
