//! The places that tell of fields, brought together: which speak of the same field, and in what order fields are asked.

use super::field::Draft;
use super::gather::{self, Told};
use super::words;
use crate::node::{Data, Node};
use formwright_form::problem::{Problem, Problems};

/// The fields of a form in the order of asking: that of the place which tells of the most fields, the summary before others.
pub(super) fn fields(mut draft: gather::Draft, problems: &mut Problems) -> Vec<Draft> {
    settle_summary(&mut draft);
    settle_loose(&mut draft, problems);
    let mut sections = nested(std::mem::take(&mut draft.sections));
    let orders = [ids(&draft.summary), ids_of(&sections), ids(&draft.front)];
    let mut order: Vec<String> = Vec::new();
    let mut by_length: Vec<&Vec<String>> = orders.iter().collect();
    by_length.sort_by_key(|ids| std::cmp::Reverse(ids.len()));
    for ids in by_length {
        let mut at = 0;
        for id in ids {
            match order.iter().position(|known| known == id) {
                Some(known) => at = known + 1,
                None => {
                    // Where nothing comes before it, it comes behind what the longer list has.
                    let place = if at == 0 { order.len() } else { at };
                    order.insert(place, id.clone());
                    at = place + 1;
                }
            }
        }
    }
    let mut all: Vec<Draft> = Vec::new();
    for id in order {
        let same = |told: &&Told| told.id.as_ref().is_some_and(|(known, _)| *known == id);
        let mut one = Draft { id: id.clone(), ..Draft::default() };
        let told: Vec<Told> = draft.front.iter().chain(&draft.summary).filter(same).cloned().collect();
        one.told = told;
        while let Some(at) = sections.iter().position(|section| section.id == id) {
            let section = sections.remove(at);
            one.told.extend(section.told);
            one.members.extend(section.members);
        }
        all.push(one);
    }
    // Fields without a name, which the checks tell of.
    let nameless = draft.front.into_iter().filter(|told| told.id.is_none());
    all.extend(nameless.map(|told| Draft { told: vec![told], ..Draft::default() }));
    all.extend(sections);
    all
}

fn ids(told: &[Told]) -> Vec<String> {
    told.iter().filter_map(|told| Some(told.id.as_ref()?.0.clone())).collect()
}

fn ids_of(drafts: &[Draft]) -> Vec<String> {
    drafts.iter().filter(|draft| !draft.id.is_empty()).map(|draft| draft.id.clone()).collect()
}

/// Rows of the summary whose name is a label: they are the field of that heading, or a field with a name made of it.
fn settle_summary(draft: &mut gather::Draft) {
    let taken: Vec<String> = ids(&draft.summary);
    for told in &mut draft.summary {
        let Some((id, _)) = &mut told.id else { continue };
        if !id.contains(' ') {
            continue;
        }
        let wanted = singular(&words::plain(id));
        let heading = draft.sections.iter().find(|section| {
            let title =
                section.title.as_ref().map(|title| words::plain(&words::label(&title.text()))).unwrap_or_default();
            singular(&title) == wanted && section.id.as_ref().is_some_and(|(id, _)| !taken.contains(id))
        });
        match heading.and_then(|section| section.id.clone()) {
            Some((found, _)) => *id = found,
            None => {
                told.title = Some(super::outline::Cell::of(id, told.span.clone()));
                *id = words::name(id);
            }
        }
    }
}

fn singular(word: &str) -> String {
    word.trim_end_matches('s').to_owned()
}

/// Headings without a name that belong to a field told of elsewhere: by its name, or its label. A table of properties that
/// belongs to none is told.
fn settle_loose(draft: &mut gather::Draft, problems: &mut Problems) {
    let known: Vec<(String, String)> = draft
        .front
        .iter()
        .chain(&draft.summary)
        .filter_map(|told| {
            let label = told.of("label").map(|label| words::plain(&label.text())).unwrap_or_default();
            Some((told.id.as_ref()?.0.clone(), label))
        })
        .collect();
    let named = ids(&draft.sections);
    for mut told in std::mem::take(&mut draft.loose) {
        let title = told.title.as_ref().map(|title| words::plain(&words::label(&title.text()))).unwrap_or_default();
        let found = known.iter().find(|(id, label)| words::plain(id) == title || !label.is_empty() && *label == title);
        match found.filter(|(id, _)| !title.is_empty() && !named.contains(id)) {
            Some((id, _)) => {
                told.id = Some((id.clone(), told.span.clone()));
                told.parent = None;
                draft.sections.push(told);
            }
            None if !told.said.is_empty() => {
                let problem = Problem::warning("form::prose_key", "this table belongs to no field")
                    .at(told.span.clone(), "a heading without a field's name");
                problems.push(problem.help("add a row `Field ID` with the name of the field"));
            }
            None => {}
        }
    }
}

/// Fields of groups and lists, put into them.
fn nested(sections: Vec<Told>) -> Vec<Draft> {
    let parents: Vec<Option<usize>> = sections.iter().map(|told| told.parent).collect();
    let mut drafts: Vec<Option<Draft>> = sections
        .into_iter()
        .map(|told| {
            let id = told.id.as_ref().map(|(id, _)| id.clone()).unwrap_or_default();
            Some(Draft { id, told: vec![told], members: Vec::new() })
        })
        .collect();
    // Members come after what they belong to: from the last to the first, each is whole before it is put away.
    for no in (0..drafts.len()).rev() {
        let Some(parent) = parents.get(no).copied().flatten().filter(|parent| *parent < no) else { continue };
        let member = drafts.get_mut(no).and_then(Option::take);
        if let (Some(Some(parent)), Some(member)) = (drafts.get_mut(parent), member) {
            parent.members.insert(0, member);
        }
    }
    drafts.into_iter().flatten().collect()
}

/// A field belongs to the step of the one before it, so that only the first of a step needs to say so.
pub(super) fn without_repeated_pages(mut fields: Vec<Node>) -> Vec<Node> {
    let mut before: Option<String> = None;
    for field in &mut fields {
        let Data::Map(entries) = &mut field.data else { continue };
        let Some(at) = entries.iter().position(|entry| entry.key == "page") else { continue };
        let page = entries.get(at).and_then(|entry| entry.node.text()).map(str::to_owned);
        if page == before {
            entries.remove(at);
        } else {
            before = page;
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(id: &str) -> Told {
        Told { id: Some((id.to_owned(), 0..1)), ..Told::default() }
    }

    #[test]
    fn the_longest_list_gives_the_order_and_others_are_put_in() {
        let draft = gather::Draft {
            summary: ["a", "c"].map(told).to_vec(),
            front: ["a", "b", "c", "d"].map(told).to_vec(),
            sections: ["c", "e", "f"].map(told).to_vec(),
            ..gather::Draft::default()
        };
        let fields = fields(draft, &mut Problems::new());
        let ids: Vec<&str> = fields.iter().map(|field| field.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c", "e", "f", "d"]);
    }
}
