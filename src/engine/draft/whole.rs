//! A list as a whole: how many items it needs, and the author's checks over all of them.

use std::collections::BTreeMap;

use crate::draft::filling::Filling;
use crate::draft::{list, show};
use crate::prompt::refusal;
use crate::session::Draft;
use formwright_form::field::{Field, FieldNo};
use formwright_form::kind::Refusal;
use formwright_form::logic::Answers as _;
use formwright_form::{Form, Kind, Path, Value};

/// Least number of items of a list now.
pub(crate) fn least_items(filling: &mut Filling<'_>, list: &Path) -> u32 {
    let Some((field, kind)) = list::list_at(filling.form, list) else { return 0 };
    // The author who writes nought takes an empty list as an answer.
    let required = u32::from(filling.is_required(field, list));
    kind.min.unwrap_or(required)
}

/// Whether a list that has been begun needs one more item, and the person has not said that there are no more.
pub(crate) fn needs_item(filling: &mut Filling<'_>, list: &Path) -> bool {
    let state = filling.draft().lists.get(list).copied().unwrap_or_default();
    state.len > 0 && !state.ended && state.len < least_items(filling, list)
}

/// Whether a list has as many items as it can have.
pub(crate) fn is_full(filling: &Filling<'_>, list: &Path) -> bool {
    let len = filling.draft().list_len(list).unwrap_or(0);
    list::list_at(filling.form, list).is_some_and(|(_, kind)| kind.max.is_some_and(|max| len >= max))
}

/// Whether no more items are to come: the person said so, or there is no place for more.
pub(crate) fn is_closed(filling: &Filling<'_>, list: &Path) -> bool {
    filling.draft().lists.get(list).is_some_and(|state| state.ended) || is_full(filling, list)
}

/// What is wrong with a list: too few items where nothing is to be added, or a check that does not hold and that more
/// items will not mend.
pub(crate) fn list_problem(filling: &mut Filling<'_>, list: &Path) -> Option<Refusal> {
    let form = filling.form;
    let (field, _) = list::list_at(form, list)?;
    let closed = is_closed(filling, list);
    let least = least_items(filling, list);
    if closed && filling.draft().list_len(list).unwrap_or(0) < least {
        return Some(Refusal::new("too_few_items").fact("min", least.to_string()));
    }
    let value = whole(form, filling.draft(), field, list)?;
    let refusal = filling.vet(field, list, &value).err()?;
    (closed || was_right(filling, field, list, value)).then_some(refusal)
}

/// Whether a list was right with fewer items, so that one more will not mend it.
fn was_right(filling: &mut Filling<'_>, field: &Field, list: &Path, value: Value) -> bool {
    let Value::List(mut items) = value else { return false };
    while items.pop().is_some() && !items.is_empty() {
        if filling.vet(field, list, &Value::List(items.clone())).is_ok() {
            return true;
        }
    }
    false
}

/// Words for what is wrong with a list.
pub(crate) fn list_refusal(filling: &Filling<'_>, list: &Path, refusal: &Refusal) -> String {
    let one = refusal.code == "too_few_items" && refusal.facts.get("min").is_some_and(|min| min == "1");
    if !one {
        return refusal::refusal(filling, list, refusal);
    }
    let item = show::item_name(filling.form, filling.world, list);
    filling.say("list_needs", &[("item", &item)])
}

/// Everything within a group or list as one value; members without an answer are left out.
fn whole(form: &Form, draft: &Draft, field: &Field, path: &Path) -> Option<Value> {
    let group = |no: FieldNo, at: &Path| -> BTreeMap<_, _> {
        let members = form.members(no).iter().filter_map(|no| form.field(*no));
        members
            .filter_map(|member| Some((member.id.clone(), whole(form, draft, member, &at.child(&member.id))?)))
            .collect()
    };
    match &field.kind {
        Kind::Group(_) => Some(Value::Group(group(field.no, path))),
        Kind::List(_) => {
            let plain = form.plain_item(field.no).and_then(|no| form.field(no));
            let items = (0..draft.list_len(path)?).filter_map(|no| match plain {
                Some(plain) => whole(form, draft, plain, &path.item(no)),
                None => Some(Value::Group(group(field.no, &path.item(no)))),
            });
            Some(Value::List(items.collect()))
        }
        _ => draft.answers.get(path).map(|answer| answer.value.clone()),
    }
}
