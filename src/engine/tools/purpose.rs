//! Which tools do something, and which only know.

use crate::session::Draft;
use crate::session::side_effect::RUN;
use formwright_form::{Form, Tool, ToolId};

/// Whether a tool does something, rather than looking something up.
pub(crate) fn does(form: &Form, tool: &ToolId) -> bool {
    form.run.as_ref() == Some(tool) || form.pages.iter().any(|page| page.submit.as_ref() == Some(tool))
}

/// Whether a program may have a tool do something: nothing but that is asked of it, so that no answer stands for the deed.
pub(crate) fn only_does(form: &Form, tool: &Tool) -> bool {
    let read = form.fields.iter().any(|field| field.tools().any(|id| *id == tool.id));
    let page = form.pages.iter().any(|page| page.submit.as_ref() == Some(&tool.id));
    let hook = form.hooks.values().any(|hook| hook.tool == tool.id);
    form.run.as_ref() == Some(&tool.id) || !read && !page && !hook
}

/// The tool at the end of a form: a program's choice, or the form's.
pub(crate) fn last_tool<'f>(form: &'f Form, draft: &Draft) -> Option<&'f Tool> {
    let id = match draft.deeds.get(RUN).and_then(|deed| deed.chosen.as_ref()) {
        Some(chosen) => chosen.tool(),
        None => form.run.as_ref(),
    };
    form.tools.get(id?)
}
