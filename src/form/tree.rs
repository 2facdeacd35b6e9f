//! How fields lie in each other.

use std::collections::BTreeMap;

use formwright_lexicon::by_word::ByWord;
use formwright_values::FieldId;

use super::field::Field;
use super::field_no::FieldNo;

/// The members of each field, in order. Built once per form.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    top: Vec<FieldNo>,
    children: Vec<Vec<FieldNo>>,
    /// Fields by name: those that lie in no other, and the members of each.
    top_by_name: ByWord<FieldNo>,
    by_name: Vec<ByWord<FieldNo>>,
}

impl Tree {
    /// Indexes fields; each parent stands before its members.
    pub fn new(fields: &[Field]) -> Self {
        let mut tree = Self { children: vec![Vec::new(); fields.len()], ..Self::default() };
        for field in fields {
            match field.parent.and_then(|parent| tree.children.get_mut(parent.index())) {
                Some(siblings) => siblings.push(field.no),
                None => tree.top.push(field.no),
            }
        }
        tree.top_by_name = by_name(fields, &tree.top);
        tree.by_name = tree.children.iter().map(|members| by_name(fields, members)).collect();
        tree
    }

    /// The fields that lie in no other.
    pub fn top(&self) -> &[FieldNo] {
        &self.top
    }

    /// The members of a group or list.
    pub fn members(&self, no: FieldNo) -> &[FieldNo] {
        self.children.get(no.index()).map_or(&[], Vec::as_slice)
    }

    /// A field by its name among its siblings.
    pub fn member(&self, parent: Option<FieldNo>, id: &FieldId) -> Option<FieldNo> {
        let members = match parent {
            Some(parent) => self.by_name.get(parent.index())?,
            None => &self.top_by_name,
        };
        members.get(id.as_str()).copied()
    }
}

fn by_name(fields: &[Field], members: &[FieldNo]) -> ByWord<FieldNo> {
    let fields = members.iter().filter_map(|no| fields.get(no.index()));
    // Of two of one name, which a faulty form may have, the last is meant.
    let by_name: BTreeMap<&FieldId, FieldNo> = fields.map(|field| (&field.id, field.no)).collect();
    ByWord::new(by_name.into_iter().map(|(id, no)| (id.as_str().into(), no)))
}
