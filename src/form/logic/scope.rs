//! Which names an expression may use, and the fields they stand for.

use formwright_values::FieldId;

use crate::Kind;
use crate::field_no::FieldNo;
use crate::kind::list::PLAIN_ITEM;
use crate::patterns::Patterns;

/// What a field is made of, as far as names go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One value.
    Leaf,
    /// Members by name.
    Group,
    /// Items.
    List,
}

impl Shape {
    /// The shape of a kind.
    pub fn of(kind: &Kind) -> Self {
        #[expect(clippy::wildcard_enum_match_arm, reason = "every kind but these two holds one value")]
        match kind {
            Kind::Group(_) => Self::Group,
            Kind::List(_) => Self::List,
            _ => Self::Leaf,
        }
    }
}

/// Every field's name and place: what expressions are compiled against, before the fields themselves are built.
#[derive(Debug, Default)]
pub struct Names {
    entries: Vec<Name>,
    top: Vec<FieldNo>,
}

#[derive(Debug)]
struct Name {
    parent: Option<FieldNo>,
    id: FieldId,
    shape: Shape,
    members: Vec<FieldNo>,
}

impl Names {
    /// Names of fields in the order of their numbers, each parent before its members.
    pub fn new(fields: impl IntoIterator<Item = (Option<FieldNo>, FieldId, Shape)>) -> Self {
        let mut names = Self::default();
        for (no, (parent, id, shape)) in (0..=u16::MAX).map(FieldNo).zip(fields) {
            match parent.and_then(|parent| names.entries.get_mut(parent.index())) {
                Some(parent) => parent.members.push(no),
                None => names.top.push(no),
            }
            names.entries.push(Name { parent, id, shape, members: Vec::new() });
        }
        names
    }

    pub(super) fn shape(&self, no: FieldNo) -> Shape {
        self.entries.get(no.index()).map_or(Shape::Leaf, |name| name.shape)
    }

    pub(super) fn parent(&self, no: FieldNo) -> Option<FieldNo> {
        self.entries.get(no.index())?.parent
    }

    pub(super) fn id(&self, no: FieldNo) -> Option<&FieldId> {
        self.entries.get(no.index()).map(|name| &name.id)
    }

    pub(super) fn members(&self, no: Option<FieldNo>) -> &[FieldNo] {
        match no {
            Some(no) => self.entries.get(no.index()).map_or(&[], |name| name.members.as_slice()),
            None => &self.top,
        }
    }

    pub(super) fn member(&self, parent: Option<FieldNo>, id: &str) -> Option<FieldNo> {
        self.members(parent).iter().copied().find(|no| self.id(*no).is_some_and(|own| own.as_str() == id))
    }

    pub(super) fn member_ids(&self, parent: Option<FieldNo>) -> impl Iterator<Item = &str> {
        self.members(parent).iter().filter_map(|no| self.id(*no)).map(FieldId::as_str)
    }

    /// The member that describes the items of a list of plain values.
    pub(super) fn plain_item(&self, list: FieldNo) -> Option<FieldNo> {
        match self.members(Some(list)) {
            [only] if self.id(*only).is_some_and(|id| id.as_str() == PLAIN_ITEM) => Some(*only),
            _ => None,
        }
    }

    /// A field and everything in it.
    pub(super) fn within(&self, no: FieldNo, found: &mut Vec<FieldNo>) {
        found.push(no);
        for member in self.members(Some(no)) {
            self.within(*member, found);
        }
    }
}

/// Where an expression stands, and so which names it sees: its field's siblings first, then those further out, then
/// the variables.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub(super) names: &'a Names,
    pub(super) at: Option<FieldNo>,
    pub(super) extra: &'a [&'a str],
    pub(super) patterns: Option<&'a Patterns>,
}

impl<'a> Scope<'a> {
    /// The top level of a form: its fields, `today` and `now`.
    pub fn form(names: &'a Names) -> Self {
        Self { names, at: None, extra: &[], patterns: None }
    }

    /// At a field: its siblings and what is further out. In a check (with the variable `value`) the field's own name
    /// means the answer being checked.
    #[must_use]
    pub fn at(self, field: FieldNo) -> Self {
        Self { at: Some(field), ..self }
    }

    /// With variables given at evaluation: `value` in checks, `row` and the parameters in data tools.
    #[must_use]
    pub fn with(self, extra: &'a [&'a str]) -> Self {
        Self { extra, ..self }
    }

    /// With the regular expressions of the form, which are counted.
    #[must_use]
    pub fn counting(self, patterns: &'a Patterns) -> Self {
        Self { patterns: Some(patterns), ..self }
    }

    pub(super) fn field(&self, id: &str) -> Option<FieldNo> {
        let mut level = self.at.and_then(|at| self.names.parent(at));
        loop {
            if let Some(found) = self.names.member(level, id) {
                return Some(found);
            }
            level = self.names.parent(level?);
        }
    }

    /// How a field that is not visible here can be written: `address.street`.
    pub(super) fn elsewhere(&self, id: &str) -> Option<String> {
        let named = self.names.entries.iter().find(|name| name.id.as_str() == id)?;
        let parent = named.parent?;
        let parent_id = self.names.id(parent).filter(|parent| self.field(parent.as_str()).is_some())?;
        match self.names.shape(parent) {
            Shape::List => Some(format!("it lies in the list `{parent_id}`: write `{parent_id}.map(x, x.{id})`")),
            Shape::Group | Shape::Leaf => Some(format!("write `{parent_id}.{id}`")),
        }
    }

    /// Every visible name: what a text at this place may show, and candidates for "did you mean".
    pub fn visible(&self) -> Vec<&'a str> {
        let mut visible: Vec<&str> = self.extra.to_vec();
        let mut level = self.at.and_then(|at| self.names.parent(at));
        loop {
            visible.extend(self.names.member_ids(level));
            let Some(at) = level else { break };
            level = self.names.parent(at);
        }
        visible.extend(["today", "now"]);
        visible
    }
}
