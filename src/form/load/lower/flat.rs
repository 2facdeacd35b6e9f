//! Fields in a row: groups and lists before their members, each with its number.

use std::collections::BTreeMap;
use std::ops::Range;

use formwright_form::field::FieldNo;
use formwright_form::kind::list::PLAIN_ITEM;

use super::lowering::Lower;
use crate::advice;
use crate::check::VALUE_KINDS;
use crate::node::{Data, Node};

/// Most fields of a form.
const MAX_FIELDS: usize = 2_000;
/// Kinds that nobody is asked for.
const UNASKED: [&str; 4] = ["note", "computed", "hidden", "group"];

/// A field of the file with its place in the form.
pub(super) struct Flat<'n> {
    /// Its number.
    pub(super) no: FieldNo,
    /// The group or list it is a member of.
    pub(super) parent: Option<FieldNo>,
    /// Its name; empty where the file gives none.
    pub(super) id: &'n str,
    /// Its kind, or the one most likely meant; none where the file gives none that can be told.
    pub(super) kind: Option<&'n str>,
    /// Its table; of the item of a list of plain values, the list's.
    pub(super) node: &'n Node,
    /// The item of a list of plain values: the list's table tells only its kind and that kind's settings.
    plain_item: bool,
}

/// Keys of a list that do not speak of its plain items.
const OF_THE_LIST: &[&str] = &[
    "id",
    "kind",
    "of",
    "item",
    "min",
    "max",
    "label",
    "ask",
    "help",
    "why",
    "cues",
    "required",
    "required_when",
    "show_when",
    "check",
    "checks",
    "guidance",
    "page",
];

impl<'n> Flat<'n> {
    /// A key of its table.
    pub(super) fn at(&self, key: &str) -> Option<&'n Node> {
        if self.plain_item && OF_THE_LIST.contains(&key) { None } else { self.node.at(key) }
    }

    /// Where its name stands.
    pub(super) fn id_span(&self) -> Range<usize> {
        self.node.at("id").unwrap_or(self.node).span.clone()
    }
}

impl Lower<'_> {
    /// Numbers the fields of a form.
    pub(super) fn flatten<'n>(&mut self, root: &'n Node) -> Vec<Flat<'n>> {
        let mut flats = Vec::new();
        let whole = self.members(root, None, &mut flats);
        if let Some(given) = root
            .at("field")
            .or_else(|| root.at("fields"))
            .filter(|given| matches!(&given.data, Data::List(items) if items.is_empty()))
        {
            let message = "this form asks nothing".to_owned();
            self.error(&given.span, "form::empty", message, "no fields", "add a field");
        }
        if !whole {
            let message = format!("a form has at most {MAX_FIELDS} fields");
            self.error(&root.span, "form::too_many", message, "this form has more", "make several forms of it");
        }
        flats
    }

    /// Numbers the members of a table; false where they are too many.
    fn members<'n>(&mut self, node: &'n Node, parent: Option<FieldNo>, flats: &mut Vec<Flat<'n>>) -> bool {
        let mut seen: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for member in node.at("field").or_else(|| node.at("fields")).map(Node::items).unwrap_or_default() {
            if flats.len() >= MAX_FIELDS {
                return false;
            }
            let id = member.at("id").and_then(Node::text).unwrap_or_default();
            let kind =
                member.at("kind").or_else(|| member.at("type")).and_then(Node::text).and_then(advice::meant_kind);
            let flat = Flat { id, ..flat(flats, parent, member, kind) };
            match seen.get(id).cloned().filter(|_| !id.is_empty()) {
                Some(first) => {
                    let message = format!("two fields are called `{id}`");
                    let help = "give one of them another name";
                    self.twice("form::duplicate_name", message, &flat.id_span(), &first, help);
                }
                None => drop(seen.insert(id, flat.id_span())),
            }
            let (no, kind) = (flat.no, flat.kind);
            flats.push(flat);
            if matches!(kind, Some("group" | "list")) && !self.inner(member, no, kind, flats) {
                return false;
            }
        }
        true
    }

    /// Numbers the members of a group or list; false where they are too many.
    fn inner<'n>(&mut self, node: &'n Node, no: FieldNo, kind: Option<&str>, flats: &mut Vec<Flat<'n>>) -> bool {
        let before = flats.len();
        if !self.members(node, Some(no), flats) {
            return false;
        }
        match (node.at("of"), flats.len() > before) {
            (Some(of), true) => {
                let message = "a list has either `of` or member fields".to_owned();
                self.either(message, &of.span, &node.span);
            }
            (Some(of), false) => {
                let kind = of.text().filter(|kind| VALUE_KINDS.contains(kind));
                let flat = flat(flats, Some(no), node, kind);
                flats.push(Flat { id: PLAIN_ITEM, plain_item: true, ..flat });
            }
            (None, true) => {
                let asks = |flat: &Flat<'_>| {
                    flat.kind.is_none_or(|kind| !UNASKED.contains(&kind)) && flat.node.at("fixed").is_none()
                };
                if kind == Some("list") && !flats.iter().skip(before).any(asks) {
                    let message = "an item of this list asks for nothing, so that nobody can add one".to_owned();
                    let help = "add a member field that people answer";
                    self.error(&node.span, "form::empty", message, "nothing to ask", help);
                }
            }
            (None, false) => {
                let help = match kind {
                    Some("list") => "say `of = \"text\"`, or add member fields with `[[field.field]]`",
                    _ => "add member fields with `[[field.field]]`",
                };
                let message = format!("this {} has nothing in it", kind.unwrap_or_default());
                self.error(&node.span, "form::empty", message, "no members", help);
            }
        }
        true
    }
}

/// The next field.
fn flat<'n>(flats: &[Flat<'n>], parent: Option<FieldNo>, node: &'n Node, kind: Option<&'n str>) -> Flat<'n> {
    // The limit on fields is far below what a number holds.
    let no = FieldNo(u16::try_from(flats.len()).unwrap_or(u16::MAX));
    Flat { no, parent, id: "", kind, node, plain_item: false }
}
