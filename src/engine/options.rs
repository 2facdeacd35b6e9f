//! What a choice offers now: the author's options in the person's language, or a tool's.

use super::session::Draft;
use super::world::World;
use crate::form::field::Field;
use crate::form::kind::{Context, Offered};
use crate::form::{Form, Kind, OptionDef, Path, Tool, ToolRun, Value};

/// A parser's context for a field.
pub(super) fn context<'a>(world: &'a World, field: &Field, offered: &'a [Offered]) -> Context<'a> {
    Context {
        now: &world.now,
        lang: world.speaks,
        region: world.region.as_deref(),
        options: offered,
        other: field.choices.as_ref().is_some_and(|choices| choices.other),
    }
}

/// A value of a kind without options, as shown to the person.
pub(super) fn show_plain(world: &World, kind: &Kind, value: &Value) -> String {
    let cx =
        Context { now: &world.now, lang: world.speaks, region: world.region.as_deref(), options: &[], other: false };
    kind.behaviour().show(value, &cx)
}

/// What a field offers now; `None` while a tool has still to be asked. Fields without options offer nothing.
pub(super) fn offered(form: &Form, draft: &Draft, world: &World, field: &Field, path: &Path) -> Option<Vec<Offered>> {
    let Some(choices) = &field.choices else { return Some(Vec::new()) };
    let Some(from) = &choices.from else {
        return Some(choices.options.iter().map(|option| in_language(option, &world.tags())).collect());
    };
    let tool = form.tools.get(&from.tool)?;
    let args = crate::form::tool::args(tool, path, draft, &world.now)?;
    let rows = match &tool.run {
        ToolRun::Data { .. } => crate::form::tool::data_rows(tool, &args, &world.now).into(),
        ToolRun::Client { .. } if !world.client_tools => crate::form::tool::data_rows(tool, &args, &world.now).into(),
        ToolRun::Client { .. } | ToolRun::Function => {
            let state = draft.tools.get(&from.tool).filter(|state| state.args == args)?;
            state.result.clone()?
        }
    };
    Some(crate::form::options::dig(&rows, from, &world.tags()))
}

/// The tool a field's options wait for, with its arguments; `None` where nothing is waited for or an argument is missing.
pub(super) fn awaited<'f>(
    form: &'f Form,
    draft: &Draft,
    world: &World,
    field: &Field,
    path: &Path,
) -> Option<(&'f Tool, serde_json::Value)> {
    let from = field.choices.as_ref()?.from.as_ref()?;
    if offered(form, draft, world, field, path).is_some() {
        return None;
    }
    let tool = form.tools.get(&from.tool)?;
    let args = crate::form::tool::args(tool, path, draft, &world.now)?;
    Some((tool, args))
}

fn in_language(option: &OptionDef, langs: &[&str]) -> Offered {
    let others = option.label.others(langs).map(str::to_owned);
    Offered {
        id: option.id.clone(),
        label: option.label.pick(langs).to_owned(),
        synonyms: option.synonyms.iter().cloned().chain(others).collect(),
        detail: option.detail.as_ref().map(|text| text.pick(langs).to_owned()),
    }
}
