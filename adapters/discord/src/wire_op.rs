//! What the adapter itself does at a press, as it stands behind the `~` of a [`chat::Wire`].

use chat::{Token, Wire};
use formwright_chat as chat;

/// An operation on a widget. None but [`Op::Value`] and [`Op::Send`] become a press of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Turns a long list, or a list of days, to a page.
    Page(u16),
    /// Opens the window that searches a long list.
    Search,
    /// Opens the page of fields as a form.
    Form,
    /// Opens the window that was sent, as it was sent.
    Fix,
    /// Opens a window for this one answer.
    Type,
    /// Sends what is ticked.
    Send,
    /// Shows a private question to the one who pressed.
    Reveal,
    /// The values of this select are wires themselves, one is picked.
    Pick,
    /// The values of this select are what is ticked on a page of the list, or among what was found.
    Tick(Option<u16>),
    /// The day of a moment or the first of two was picked: the rest is asked.
    Day(String),
    /// The hour was picked: the minutes are asked. `14` or `2026-11-24T14`.
    Hour(String),
    /// The answer itself, in the widget's format; `/` is spelled `..`.
    Value(String),
}

impl Op {
    /// The wire of this operation on a widget.
    pub(crate) fn on(&self, token: &Token) -> Wire {
        let op = match self {
            Self::Page(no) => format!("p{no}"),
            Self::Search => "q".to_owned(),
            Self::Form => "f".to_owned(),
            Self::Fix => "x".to_owned(),
            Self::Type => "w".to_owned(),
            Self::Send => "s".to_owned(),
            Self::Reveal => "i".to_owned(),
            Self::Pick => "a".to_owned(),
            Self::Tick(None) => "t".to_owned(),
            Self::Tick(Some(page)) => format!("t{page}"),
            Self::Day(day) => format!("e{day}"),
            Self::Hour(hour) => format!("h{hour}"),
            Self::Value(value) => format!("v{}", value.replace('/', "..")),
        };
        Wire::op(token, op)
    }

    /// Reads what stands behind the `~`; none where this adapter never wrote that.
    pub(crate) fn read(op: &str) -> Option<Self> {
        let first = op.chars().next()?;
        let rest = op.get(first.len_utf8()..)?;
        let bare = |op: Self| rest.is_empty().then_some(op);
        match first {
            'p' => rest.parse().ok().map(Self::Page),
            'q' => bare(Self::Search),
            'f' => bare(Self::Form),
            'x' => bare(Self::Fix),
            'w' => bare(Self::Type),
            's' => bare(Self::Send),
            'i' => bare(Self::Reveal),
            'a' => bare(Self::Pick),
            't' if rest.is_empty() => Some(Self::Tick(None)),
            't' => rest.parse().ok().map(|page| Self::Tick(Some(page))),
            'e' => Some(Self::Day(rest.to_owned())),
            'h' => Some(Self::Hour(rest.to_owned())),
            'v' => Some(Self::Value(rest.replace("..", "/"))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chat::Nonce;

    #[test]
    fn every_operation_survives_the_wire() {
        let token = Token::new(&Nonce::new(5), 3);
        let days = "2026-11-24/2026-11-28".to_owned();
        for op in [
            Op::Page(12),
            Op::Search,
            Op::Form,
            Op::Fix,
            Op::Type,
            Op::Send,
            Op::Reveal,
            Op::Pick,
            Op::Tick(None),
            Op::Tick(Some(3)),
            Op::Day("2026-11-24".to_owned()),
            Op::Hour("2026-11-24T14".to_owned()),
            Op::Value(days),
        ] {
            let wire: Wire = op.on(&token).to_string().parse().unwrap();
            assert_eq!(Op::read(&wire.op.unwrap()), Some(op));
        }
        for bad in ["", "z", "p", "px", "qq", "p70000"] {
            assert_eq!(Op::read(bad), None, "{bad}");
        }
    }
}
