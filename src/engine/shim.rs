//! Stands in for tools until they land.
use crate::form::field::OptionsFrom;
use crate::form::kind::Offered;
use crate::form::{Form, Path, Tool};
pub(super) fn args(
    _: &Form,
    tool: &Tool,
    at: &Path,
    draft: &super::session::Draft,
    now: &jiff::Zoned,
) -> Option<serde_json::Value> {
    crate::form::tool::args(tool, at, draft, now)
}
pub(super) fn data_rows(tool: &Tool, args: &serde_json::Value, now: &jiff::Zoned) -> serde_json::Value {
    crate::form::tool::data_rows(tool, args, now).into()
}
pub(super) fn dig(result: &serde_json::Value, from: &OptionsFrom, langs: &[&str]) -> Vec<Offered> {
    crate::form::options::dig(result, from, langs)
}
pub(super) fn secrets(_: &crate::form::kind::Said) -> Vec<std::ops::Range<usize>> {
    Vec::new()
}
