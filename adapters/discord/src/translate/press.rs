//! Components: what using one means, on the screen that it is of.

use chat::{Input, Press, Pressed, Reply, Token, Wire};
use formwright_chat as chat;

use super::widget::Widget;
use crate::render::Turned;
use crate::wire_op::Op;

/// What using a component means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// An answer or a control.
    Press(Press),
    /// The widget is drawn in another state.
    Turn(Turned),
    /// Options shown, and those of them that are ticked now; the page that they are.
    Tick {
        /// All that could be ticked.
        shown: Vec<u16>,
        /// Those that are.
        ticked: Vec<u16>,
        /// None where they were found by a search.
        page: Option<u16>,
    },
    /// What is ticked is sent.
    Send,
    /// A window is opened.
    Open(Op),
    /// A private question is shown.
    Reveal,
}

/// What using the component means; none where the screen has no such widget.
pub(crate) fn act(widget: &Widget, wire: &Wire, reply: &Reply) -> Option<Act> {
    let Some(op) = &wire.op else { return press(widget, &wire.token, reply) };
    match Op::read(op)? {
        Op::Pick => {
            let picked: Wire = widget.values.first()?.parse().ok()?;
            let again = picked.op.as_deref().and_then(Op::read) == Some(Op::Pick);
            if again || picked.token.nonce != wire.token.nonce {
                return None;
            }
            let button = Widget { kind: BUTTON, values: Vec::new(), ..widget.clone() };
            act(&button, &picked, reply)
        }
        Op::Value(text) => {
            let token = reply.question(&wire.token)?.token.clone();
            Some(Act::Press(Press { token, value: Pressed::Text { text } }))
        }
        Op::Page(page) => Some(Act::Turn(Turned::Page(page))),
        Op::Day(day) => Some(Act::Turn(Turned::Day(day))),
        Op::Hour(hour) => Some(Act::Turn(Turned::Hour(hour))),
        Op::Tick(page) => {
            let number = |value: &String| option(value, &wire.token).and_then(|token| token.option);
            let numbers = |values: &[String]| values.iter().filter_map(number).collect();
            Some(Act::Tick { shown: numbers(&widget.shown), ticked: numbers(&widget.values), page })
        }
        Op::Send => Some(Act::Send),
        Op::Reveal => Some(Act::Reveal),
        op @ (Op::Search | Op::Form | Op::Fix | Op::Type) => Some(Act::Open(op)),
    }
}

const BUTTON: u64 = 2;

fn press(widget: &Widget, token: &Token, reply: &Reply) -> Option<Act> {
    let question = reply.question(token);
    if widget.kind == BUTTON {
        let value = match (question, token.option) {
            (Some(_), Some(_)) => Pressed::Options { tokens: vec![token.clone()] },
            _ => Pressed::Button,
        };
        let token = question.map_or_else(|| token.clone(), |question| question.token.clone());
        return Some(Act::Press(Press { token, value }));
    }
    let question = question?;
    let value = match &question.input {
        Input::Options { .. } => {
            let tokens: Option<Vec<Token>> = widget.values.iter().map(|value| option(value, &question.token)).collect();
            Pressed::Options { tokens: tokens? }
        }
        _ => Pressed::Text { text: widget.values.first()?.clone() },
    };
    Some(Act::Press(Press { token: question.token.clone(), value }))
}

/// The option that a value names, where it is one of this widget's.
pub(super) fn option(value: &str, widget: &Token) -> Option<Token> {
    let wire: Wire = value.parse().ok()?;
    let own = wire.token.nonce == widget.nonce && wire.token.slot == widget.slot;
    (own && wire.op.is_none() && wire.token.option.is_some()).then_some(wire.token)
}
