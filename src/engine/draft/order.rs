//! The order of asking: every question has an address, and the first open address is asked next.

use crate::draft::filling::Filling;
use crate::session::screen::Addr;
use formwright_form::field::{Field, FieldNo};
use formwright_form::{Form, Kind, Optional, Path, Required, Seg};
use formwright_nlu::Pending;

/// Whether a field is the one being asked.
pub(crate) fn is_asked(filling: &Filling<'_>, path: &Path) -> bool {
    matches!(&filling.draft().pending, Pending::Field { path: asked, .. } if asked == path)
}

/// The address of the field at a path; `None` where the path leads nowhere.
pub(crate) fn addr(form: &Form, path: &Path) -> Option<Addr> {
    let mut steps = Vec::with_capacity(path.segs().len() + 1);
    let mut at: Option<FieldNo> = None;
    for seg in path.segs() {
        match seg {
            Seg::Field(id) => {
                let no = form.member(at, id)?;
                if at.is_none() {
                    steps.push(u32::from(page(form, form.field(no)?)));
                }
                steps.push(u32::from(no.0));
                at = Some(no);
            }
            Seg::Item(item) => {
                steps.push(*item);
                let list = at?;
                at = Some(form.plain_item(list).unwrap_or(list));
            }
        }
    }
    Some(Addr(steps))
}

fn page(form: &Form, field: &Field) -> u16 {
    let later = form.optional == Optional::Offer && matches!(field.required, Required::No);
    let leaf = !matches!(field.kind, Kind::List(_) | Kind::Group(_) | Kind::Note(_));
    if later && leaf { Addr::LATER } else { field.page }
}

/// The address of the question whether a list has more items.
pub(crate) fn more_addr(form: &Form, list: &Path) -> Option<Addr> {
    let mut addr = addr(form, list)?;
    addr.0.push(Addr::MORE);
    Some(addr)
}

/// What is asked at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// A field's answer.
    Field(Path),
    /// Whether a list has more items.
    More(Path),
}

impl Asking {
    fn field(self) -> Option<Path> {
        match self {
            Self::Field(path) => Some(path),
            Self::More(_) => None,
        }
    }
}

/// The fields asked at addresses, in their order.
pub(crate) fn fields<'a>(form: &'a Form, addrs: impl Iterator<Item = &'a Addr>) -> impl Iterator<Item = Path> {
    addrs.filter_map(|addr| asking(form, addr)?.field())
}

/// What is asked at an address; `None` for an address of another form.
pub(crate) fn asking(form: &Form, addr: &Addr) -> Option<Asking> {
    let mut steps = addr.0.iter().skip(1).copied().peekable();
    let mut path = Path::default();
    let mut field: Option<&Field> = None;
    while let Some(step) = steps.next() {
        let list = field.filter(|field| matches!(field.kind, Kind::List(_)));
        let Some(list) = list else {
            let next = form.field(FieldNo(u16::try_from(step).ok()?))?;
            path = path.child(&next.id);
            field = Some(next);
            continue;
        };
        if step == Addr::MORE {
            return Some(Asking::More(path));
        }
        path = path.item(step);
        if form.plain_item(list.no).is_some() {
            return steps.peek().is_none().then_some(Asking::Field(path));
        }
        let next = form.field(FieldNo(u16::try_from(steps.next()?).ok()?))?;
        path = path.child(&next.id);
        field = Some(next);
    }
    field.map(|_| Asking::Field(path))
}
