//! Stands in for tools until they land.
use crate::form::field::OptionsFrom;
use crate::form::kind::Offered;
use crate::form::{Form, Path, Tool};
pub(super) fn args(
    _: &Form,
    _: &Tool,
    _: &Path,
    _: &super::session::Draft,
    _: &jiff::Zoned,
) -> Option<serde_json::Value> {
    Some(serde_json::Value::Null)
}
pub(super) fn data_rows(_: &Tool, _: &serde_json::Value, _: &jiff::Zoned) -> serde_json::Value {
    serde_json::Value::Null
}
pub(super) fn dig(_: &serde_json::Value, _: &OptionsFrom, _: &[&str]) -> Vec<Offered> {
    Vec::new()
}
pub(super) fn secrets(_: &crate::form::kind::Said) -> Vec<std::ops::Range<usize>> {
    Vec::new()
}
