//! A field that a message may fill, as it stands in the conversation.

use formwright_form::cues::{Counts, Crowd, Role};
use formwright_form::kind::{Said, text};
use formwright_form::{Field, Kind, Path, Seg, Value};
use formwright_lexicon as language;

/// A field that a message may fill.
pub(super) struct Slot<'a> {
    pub(super) field: &'a Field,
    pub(super) path: Path,
    /// What it holds.
    pub(super) value: Option<&'a Value>,
    /// It was asked.
    pub(super) asked: bool,
    /// It was changed last.
    pub(super) recent: bool,
    pub(super) role: Option<Role>,
    /// It is called by a word for people.
    pub(super) people: bool,
    /// Of whom it counts how many come.
    pub(super) crowd: Option<Crowd>,
    /// It is for a day that lies ahead.
    pub(super) ahead: bool,
    /// The words of its label, in each language.
    pub(super) labels: &'a [Said],
    /// The words of its help, in each language.
    pub(super) helps: &'a [Said],
    /// Which other fields find the same: see [`formwright_form::cues::Cues::alike`].
    pub(super) alike: u32,
    /// In what its number counts, where that is told.
    pub(super) counts: Option<&'a Counts>,
}

impl Slot<'_> {
    /// Whether any words will do for it.
    pub(super) fn is_free(&self) -> bool {
        matches!(self.field.kind, Kind::Text(_) | Kind::LongText(_))
    }

    /// Whether several lines of any words will do for it.
    pub(super) fn is_long(&self) -> bool {
        matches!(self.field.kind, Kind::LongText(_))
    }

    /// Whether its name says nothing of what its value is: "number", "date and time". What reaches somebody is somebody's.
    pub(super) fn is_of_anything(&self) -> bool {
        let moment = matches!(self.field.kind, Kind::Date(_) | Kind::Time(_) | Kind::Datetime(_));
        if !moment && !matches!(self.field.kind, Kind::Integer(_) | Kind::Number(_) | Kind::Money(_)) {
            return false;
        }
        let whole = |label: &Said| {
            let found = language::all().filter_map(|lang| lang.naming.anything.at(label, 0));
            found.into_iter().any(|(len, ())| len == label.words.len())
        };
        !self.labels.is_empty() && self.labels.iter().all(whole)
    }

    /// Whether it is an item of a list of plain values.
    pub(super) fn is_item(&self) -> bool {
        matches!(self.path.segs().last(), Some(Seg::Item(_)))
    }

    /// Whether it is an item of a list, or part of one.
    pub(super) fn is_of_item(&self) -> bool {
        self.path.segs().iter().any(|seg| matches!(seg, Seg::Item(_)))
    }

    /// Whether it is for a code.
    pub(super) fn is_code(&self) -> bool {
        self.subtype() == Some(text::Subtype::Code) || matches!(self.field.kind, Kind::Pattern(_))
    }

    /// What its words name, where it takes words.
    pub(super) fn subtype(&self) -> Option<text::Subtype> {
        match &self.field.kind {
            Kind::Text(kind) => kind.subtype,
            Kind::Address(_) => Some(text::Subtype::Address),
            _ => None,
        }
    }

    /// Whether it finds what another finds.
    pub(super) fn is_like(&self, other: &Slot<'_>) -> bool {
        self.alike == other.alike
    }
}
