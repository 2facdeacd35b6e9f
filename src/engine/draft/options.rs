//! What a choice offers now: the author's options in the person's language, or a tool's.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::session::Draft;
use crate::world::World;
use formwright_form::field::{Field, FieldNo};
use formwright_form::kind::{Context, Offered};
use formwright_form::logic::{Extra, Outcome};
use formwright_form::{Form, Kind, OptionDef, OptionsFrom, Path, Tool, ToolRun, Value};
use serde_json::Value as Json;

/// A parser's context for a field.
pub(crate) fn context<'a>(world: &'a World, field: &Field, offered: &'a [Offered]) -> Context<'a> {
    Context {
        now: &world.now,
        lang: world.speaks,
        region: world.region.as_deref(),
        options: offered,
        other: field.choices.as_ref().is_some_and(|choices| choices.other),
        held: None,
    }
}

/// The context of a kind without a field.
pub(crate) fn bare_context(world: &World) -> Context<'_> {
    Context {
        now: &world.now,
        lang: world.speaks,
        region: world.region.as_deref(),
        options: &[],
        other: false,
        held: None,
    }
}

/// A value of a kind without options, as shown to the person.
pub(crate) fn show_plain(world: &World, kind: &Kind, value: &Value) -> String {
    kind.behaviour().show(value, &bare_context(world))
}

/// What a field offers now; `None` while a tool has still to be asked. Fields without options offer nothing.
pub(crate) fn offered(form: &Form, draft: &Draft, world: &World, field: &Field, path: &Path) -> Option<Vec<Offered>> {
    let Some(choices) = &field.choices else { return Some(Vec::new()) };
    let Some(from) = &choices.from else {
        return Some(choices.options.iter().map(|option| in_language(option, &world.tags())).collect());
    };
    let (tool, args) = source(form, draft, world, field, path)?;
    let rows = match &tool.run {
        ToolRun::Data { .. } => formwright_form::tool::data_rows(tool, &args, &world.now).into(),
        ToolRun::Client { .. } if !world.client_tools => {
            formwright_form::tool::data_rows(tool, &args, &world.now).into()
        }
        ToolRun::Client { .. } | ToolRun::Function | ToolRun::Http(_) | ToolRun::Command { .. } => {
            let state = draft.tools.get(&from.tool).filter(|state| state.args == args)?;
            state.result.clone()?
        }
    };
    let inner = match &from.row {
        Some(_) => picked_row(form, &rows, from, &row_picked(from, draft, world, path)?),
        None => Some(&rows),
    };
    // A row that is not there any more offers nothing: asking the tool again would bring no other.
    Some(inner.map(|inner| formwright_form::options::dig(inner, from, &world.tags())).unwrap_or_default())
}

/// The id of the row that holds a field's options, as another field has picked it.
fn row_picked(from: &OptionsFrom, draft: &Draft, world: &World, path: &Path) -> Option<String> {
    match from.row.as_ref()?.eval(path, draft, &Extra::none(), &world.now) {
        Outcome::Known(id) => id.as_str().map(str::to_owned),
        Outcome::Unknown | Outcome::Failed(_) => None,
    }
}

/// That row, among those that the other field picks from.
fn picked_row<'j>(form: &Form, rows: &'j Json, from: &OptionsFrom, id: &str) -> Option<&'j Json> {
    let picker = from.row.as_ref()?.reads.first().and_then(|no| form.field(*no)?.choices.as_ref()?.from.as_ref());
    formwright_form::options::row(rows, picker.filter(|picker| picker.tool == from.tool)?, id)
}

/// The tool that a field's options come from, with its arguments; `None` where there is none or an argument is missing.
fn source<'f>(
    form: &'f Form,
    draft: &Draft,
    world: &World,
    field: &Field,
    path: &Path,
) -> Option<(&'f Tool, serde_json::Value)> {
    let from = field.choices.as_ref()?.from.as_ref()?;
    if from.row.is_some() {
        row_picked(from, draft, world, path)?;
    }
    let tool = form.tools.get(&from.tool)?;
    Some((tool, formwright_form::tool::args(tool, path, draft, &world.now)?))
}

/// The tool a field's options wait for, with its arguments; `None` where nothing is waited for or an argument is missing.
pub(crate) fn awaited<'f>(
    form: &'f Form,
    draft: &Draft,
    world: &World,
    field: &Field,
    path: &Path,
) -> Option<(&'f Tool, serde_json::Value)> {
    field.choices.as_ref()?.from.as_ref()?;
    if offered(form, draft, world, field, path).is_some() {
        return None;
    }
    source(form, draft, world, field, path)
}

/// The tool whose result is too old for a field's options to be asked about, with its arguments.
pub(crate) fn stale<'f>(
    form: &'f Form,
    draft: &Draft,
    world: &World,
    field: &Field,
    path: &Path,
) -> Option<(&'f Tool, serde_json::Value)> {
    let (tool, args) = source(form, draft, world, field, path)?;
    let fresh = i64::try_from(tool.fresh?).ok()?;
    let state = draft.tools.get(&tool.id).filter(|state| state.args == args && state.result.is_some())?;
    let age = world.now.timestamp().duration_since(state.at).as_secs();
    (age > fresh).then_some((tool, args))
}

/// What fields offer, worked out once in a step: each message is read by many parsers.
#[derive(Debug, Default)]
pub(crate) struct Menus {
    /// The author's options, by field.
    own: RefCell<BTreeMap<FieldNo, Arc<[Offered]>>>,
    /// A tool's options, by path.
    fetched: RefCell<BTreeMap<Path, Fetched>>,
}

/// A tool's options, with the arguments they were asked with, and the row that they are of.
#[derive(Debug)]
struct Fetched {
    args: serde_json::Value,
    row: Option<String>,
    options: Arc<[Offered]>,
}

impl Menus {
    /// See [`offered`].
    pub(crate) fn offered(
        &self,
        form: &Form,
        draft: &Draft,
        world: &World,
        field: &Field,
        path: &Path,
    ) -> Option<Arc<[Offered]>> {
        let Some(choices) = &field.choices else { return Some(Arc::default()) };
        let row = choices.from.as_ref().and_then(|from| row_picked(from, draft, world, path));
        let look_up = || offered(form, draft, world, field, path).map(Arc::from);
        if choices.from.is_none() {
            let known = self.own.borrow().get(&field.no).cloned();
            return known.or_else(|| {
                let options: Arc<[Offered]> = look_up()?;
                self.own.borrow_mut().insert(field.no, options.clone());
                Some(options)
            });
        }
        let (_, args) = source(form, draft, world, field, path)?;
        let fetched = self.fetched.borrow();
        let known = fetched
            .get(path)
            .filter(|fetched| fetched.args == args && fetched.row == row)
            .map(|fetched| fetched.options.clone());
        drop(fetched);
        known.or_else(|| {
            let options: Arc<[Offered]> = look_up()?;
            self.fetched.borrow_mut().insert(path.clone(), Fetched { args, row, options: options.clone() });
            Some(options)
        })
    }
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
