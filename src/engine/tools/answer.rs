//! What is said when a tool has run: its own words, with what it was given and what it gave as a person reads them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::draft::filling::Filling;
use crate::draft::options;
use crate::draft::vars::AnswerVars;
use formwright_form::kind::{date, datetime, number, yes_no};
use formwright_form::logic::Expr;
use formwright_form::text::{Shown, Vars};
use formwright_form::tool::{Output, names_a_field};
use formwright_form::{AnswerSource, Kind, Path, Tool, Value};

/// A tool's words, with its outputs and arguments by their names beside the answers; none where it has none.
pub(crate) fn answer_of(
    filling: &Filling<'_>,
    tool: &Tool,
    args: &Json,
    outputs: &BTreeMap<String, Value>,
) -> Option<String> {
    let text = tool.answer.as_ref()?;
    let at = Path::default();
    let answers =
        AnswerVars { form: filling.form, draft: filling.draft(), world: filling.world, at: &at, candidate: None };
    let given = tool.params.iter().filter_map(|(name, expr)| {
        let arg = args.get(name).filter(|arg| !arg.is_null())?;
        Some((name.clone(), shown_arg(filling, expr, arg)?))
    });
    let gave = outputs.iter().filter_map(|(name, value)| {
        let output = tool.outputs.iter().find(|output| output.name == *name)?;
        Some((name.clone(), shown_output(filling, tool, output, value)))
    });
    let vars = ToolVars { own: given.chain(gave).collect(), answers };
    Some(text.render(&filling.world.tags(), &vars))
}

/// An argument: the answer that it is, or what is worked out.
fn shown_arg(filling: &Filling<'_>, expr: &Expr, arg: &Json) -> Option<String> {
    if names_a_field(&expr.source)
        && let [no] = expr.reads.as_slice()
        && let Some(shown) =
            filling.form.path_near(*no, &Path::default()).and_then(|path| shown_as(filling, &path, arg))
    {
        return Some(shown);
    }
    let plain = match arg {
        Json::Bool(_) => Some(Kind::YesNo(yes_no::YesNo::default())),
        Json::Number(_) => Some(Kind::Number(number::Number::default())),
        Json::String(text) if text.parse::<jiff::civil::Date>().is_ok() && text.len() == 10 => {
            Some(Kind::Date(date::Date::default()))
        }
        Json::String(text) if text.parse::<jiff::civil::DateTime>().is_ok() => {
            Some(Kind::Datetime(datetime::Datetime::default()))
        }
        Json::String(_) => None,
        Json::Null | Json::Array(_) | Json::Object(_) => return None,
    };
    let shown = plain.and_then(|kind| {
        let value = kind.behaviour().accept(arg, &options::bare_context(filling.world)).ok()?;
        Some(options::show_plain(filling.world, &kind, &value))
    });
    shown.or_else(|| arg.as_str().map(str::to_owned)).or_else(|| Some(arg.to_string()))
}

/// An output: as the field shows it that it fills, which has labels for options, else as its own kind does.
fn shown_output(filling: &Filling<'_>, tool: &Tool, output: &Output, value: &Value) -> String {
    let json = output.kind.behaviour().json(value);
    let mut readers = filling.form.fields.iter().filter(|field| {
            matches!(&field.source, AnswerSource::FromTool { tool: from, output: of } if *from == tool.id && *of == output.name)
        });
    let shown = readers.find_map(|field| {
        let path = filling.form.path_near(field.no, &Path::default())?;
        shown_as(filling, &path, &json)
    });
    shown.unwrap_or_else(|| options::show_plain(filling.world, &output.kind, value))
}

/// A value as the field at a path shows it; none where it would not take it.
fn shown_as(filling: &Filling<'_>, path: &Path, json: &Json) -> Option<String> {
    let field = filling.form.field_at(path)?;
    let offered = filling.offered(field, path);
    let value = field.kind.behaviour().accept(json, &filling.context(field, &offered)).ok()?;
    Some(filling.show(path, &value))
}

/// Outputs and arguments of a tool, then answers.
struct ToolVars<'a> {
    own: BTreeMap<String, String>,
    answers: AnswerVars<'a>,
}

impl Vars for ToolVars<'_> {
    fn get(&self, name: &str) -> Option<Shown> {
        self.own.get(name).cloned().map(Shown::from).or_else(|| self.answers.get(name))
    }
}
