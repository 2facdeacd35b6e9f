//! Which tools only look something up: their results may be kept, and asked for before they are needed.

use formwright_values::ToolId;

use super::{Tool, ToolRun};
use crate::{Field, Form, Sink};

impl Form {
    /// Whether a step of it may have to know something from outside: for a hook, for a check by a tool, or to read options
    /// out of a first sentence.
    pub fn looks_outside(&self) -> bool {
        let mut sources = self.fields.iter().filter_map(|field| field.choices.as_ref()?.from.as_ref());
        !self.hooks.is_empty()
            || self.deciding_tools().next().is_some()
            || sources.any(|from| self.tools.get(&from.tool).is_some_and(|tool| self.may_keep(tool)))
    }

    /// Tools that decide about answers, with the fields.
    fn deciding_tools(&self) -> impl Iterator<Item = (&Field, &ToolId)> {
        let checks = self.fields.iter().flat_map(|field| field.checks.iter().map(move |check| (field, check)));
        checks.filter_map(|(field, check)| Some((field, check.that.tool()?)))
    }

    /// Whether a result of this tool may serve whoever asks the same, and be asked for in advance: it is brought from
    /// outside, asking for it changes nothing, and nothing sensitive goes into it. A hook is told more than its params.
    pub fn may_keep(&self, tool: &Tool) -> bool {
        let outside = matches!(tool.run, ToolRun::Http(_) | ToolRun::Command { .. } | ToolRun::Function);
        let deed =
            self.run.as_ref() == Some(&tool.id) || self.pages.iter().any(|page| page.submit.as_ref() == Some(&tool.id));
        let takes = |sink: &Sink| matches!(sink, Sink::Tool { tool: name } if name == tool.id.as_str());
        let deed = deed || self.sinks.values().any(takes);
        let hook = self.hooks.values().any(|hook| hook.tool == tool.id);
        // Without params it is told the answer itself.
        let mut told = self.deciding_tools().filter(|(field, id)| field.sensitive && **id == tool.id);
        let secret = tool.params.is_empty() && told.next().is_some();
        let mut read = tool.params.iter().flat_map(|(_, expr)| &expr.reads);
        outside && !deed && !hook && !secret && !read.any(|no| self.field(*no).is_none_or(|field| field.sensitive))
    }
}
