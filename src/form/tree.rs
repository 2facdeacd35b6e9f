//! How fields lie in each other, and the way from a path to its field and back.
//!
//! A list whose only member is named `item` holds plain values (`tags[0]`); any other list holds groups
//! (`items[0].amount`).

use std::collections::BTreeMap;

use formwright_lexicon::by_word::ByWord;
use formwright_values::{FieldId, Path, Seg};

use super::field::{Field, FieldNo};
use super::{Form, Kind};

/// Name of the only member of a list of plain values.
pub const PLAIN_ITEM: &str = "item";

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
}

fn by_name(fields: &[Field], members: &[FieldNo]) -> ByWord<FieldNo> {
    let fields = members.iter().filter_map(|no| fields.get(no.index()));
    // Of two of one name, which a faulty form may have, the last is meant.
    let by_name: BTreeMap<&FieldId, FieldNo> = fields.map(|field| (&field.id, field.no)).collect();
    ByWord::new(by_name.into_iter().map(|(id, no)| (id.as_str().into(), no)))
}

impl Form {
    /// A field by number; `None` only for a number of another form.
    pub fn field(&self, no: FieldNo) -> Option<&Field> {
        self.fields.get(no.index())
    }

    /// The fields that lie in no other.
    pub fn top(&self) -> &[FieldNo] {
        &self.tree.top
    }

    /// The members of a group or list.
    pub fn members(&self, no: FieldNo) -> &[FieldNo] {
        self.tree.children.get(no.index()).map_or(&[], Vec::as_slice)
    }

    /// A field by its name among its siblings.
    pub fn member(&self, parent: Option<FieldNo>, id: &FieldId) -> Option<FieldNo> {
        let members = match parent {
            Some(parent) => self.tree.by_name.get(parent.index())?,
            None => &self.tree.top_by_name,
        };
        members.get(id.as_str()).copied()
    }

    /// Whether the items of a list are plain values rather than groups: then the member that describes them.
    pub fn plain_item(&self, list: FieldNo) -> Option<FieldNo> {
        match self.members(list) {
            [only] if self.field(*only).is_some_and(|field| field.id.as_str() == PLAIN_ITEM) => Some(*only),
            _ => None,
        }
    }

    /// The field a path leads to: of `items[0]`, the plain item's field, or the list itself where items are groups.
    pub fn field_at(&self, path: &Path) -> Option<&Field> {
        let mut at: Option<FieldNo> = None;
        for seg in path.segs() {
            match seg {
                Seg::Field(id) => at = Some(self.member(at, id)?),
                Seg::Item(_) => {
                    let list = at?;
                    matches!(self.field(list)?.kind, Kind::List(_)).then_some(())?;
                    at = Some(self.plain_item(list).unwrap_or(list));
                }
            }
        }
        self.field(at?)
    }

    /// The path of a field that lies in the same item, or further out, than `at` stands: list items on the way are taken
    /// from `at`. `None` where the field lies in a list that `at` is not in.
    pub fn path_near(&self, no: FieldNo, at: &Path) -> Option<Path> {
        let field = self.field(no)?;
        let Some(parent) = field.parent else { return Some(Path::field(&field.id)) };
        let up = self.path_near(parent, at)?;
        if !matches!(self.field(parent)?.kind, Kind::List(_)) {
            return Some(up.child(&field.id));
        }
        let item = at.is_within(&up).then(|| at.segs().get(up.segs().len())).flatten();
        let Some(Seg::Item(item)) = item else { return None };
        let item = up.item(*item);
        Some(if self.plain_item(parent) == Some(no) { item } else { item.child(&field.id) })
    }

    /// The list a field lies in, the innermost one.
    pub fn list_of(&self, no: FieldNo) -> Option<FieldNo> {
        let parent = self.field(no)?.parent?;
        if matches!(self.field(parent)?.kind, Kind::List(_)) { Some(parent) } else { self.list_of(parent) }
    }
}
