//! Presses: opaque tokens become commands. Only what the present screen shows counts.

use formwright_chat as chat;

use super::Command;
use super::carry::Then;
use super::fill::Filling;
use super::session::{Session, Slot};
use super::talk::Talk;
use crate::form::field::Field;
use crate::form::kind::{Context, Offered, Reading, Refusal, Said};
use crate::form::{Kind, Path, Value};

/// What a token stands for.
pub(super) enum Pressing {
    /// A widget of the present screen.
    Now(Slot),
    /// A widget of an earlier screen, and the field it asked.
    Past(Option<Path>),
    /// No widget that this session ever showed.
    Unknown,
}

/// Looks a token up.
pub(super) fn look_up(session: &Session, token: &chat::Token) -> Pressing {
    if let Some(screen) = session.screen.as_ref().filter(|screen| screen.nonce == token.nonce) {
        return screen.slots.get(usize::from(token.slot)).cloned().map_or(Pressing::Unknown, Pressing::Now);
    }
    let past = session.past.iter().find(|past| past.nonce == token.nonce);
    past.map_or(Pressing::Unknown, |past| Pressing::Past(past.path.clone()))
}

impl Talk<'_> {
    /// Carries out presses inside a form.
    pub(super) fn press(&mut self, filling: &mut Filling<'_>, presses: &[chat::Press]) -> Then {
        for press in presses {
            let then = match look_up(&self.session, &press.token) {
                // A button answers what was asked when it was drawn: a second one would answer what the first one asks.
                Pressing::Now(Slot::Do { command, .. }) => return self.carry_out(filling, command),
                Pressing::Now(Slot::Field { path }) => self.press_field(filling, &path, press),
                Pressing::Past(path) => {
                    self.old_button(filling, path.as_ref());
                    Then::Go
                }
                Pressing::Unknown => {
                    self.old_button(filling, None);
                    Then::Go
                }
            };
            if then != Then::Go {
                return then;
            }
        }
        Then::Go
    }

    fn press_field(&mut self, filling: &mut Filling<'_>, path: &Path, press: &chat::Press) -> Then {
        let Some(field) = filling.form.field_at(path) else { return Then::Vain };
        let offered = filling.offered(field, path);
        match pressed_value(field, press, &filling.context(field, &offered), &offered) {
            Ok(value) => self.carry_out(filling, Command::Fill { path: path.clone(), value, quote: None }),
            Err(refusal) => self.refuse(filling, path, refusal),
        }
    }
}

pub(super) fn pressed_value(
    field: &Field,
    press: &chat::Press,
    cx: &Context<'_>,
    offered: &[Offered],
) -> Result<Value, Refusal> {
    let behaviour = field.kind.behaviour();
    match &press.value {
        chat::Pressed::Button => picked(field, std::slice::from_ref(&press.token), &press.token, offered),
        chat::Pressed::Options { tokens } => picked(field, tokens, &press.token, offered),
        chat::Pressed::Text { text } => {
            let json = serde_json::Value::String(text.clone());
            behaviour.accept(&json, cx).or_else(|refusal| match behaviour.read(&Said::new(text), cx) {
                Reading::Value(found) => Ok(found.value),
                Reading::Refused(_, refusal) => Err(refusal),
                Reading::Ambiguous(_) | Reading::Nothing => Err(refusal),
            })
        }
        chat::Pressed::Files { files } => behaviour.accept(&serde_json::json!(files), cx),
        chat::Pressed::Location { location } => behaviour.accept(&serde_json::json!(location), cx),
    }
}

/// The value of picked options. Only tokens of this very widget, and options offered now, count.
fn picked(field: &Field, tokens: &[chat::Token], slot: &chat::Token, offered: &[Offered]) -> Result<Value, Refusal> {
    let refused = || Refusal::new("option_not_offered");
    let numbers: Vec<u16> = tokens
        .iter()
        .map(|token| token.option.filter(|_| token.nonce == slot.nonce && token.slot == slot.slot).ok_or_else(refused))
        .collect::<Result<_, _>>()?;
    let option = |no: u16| offered.get(usize::from(no)).map(|option| option.id.clone()).ok_or_else(refused);
    match (&field.kind, numbers.as_slice()) {
        (Kind::Choice(_), [no]) => option(*no).map(Value::Option),
        (Kind::Choices(_), numbers) => {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers.dedup();
            let picked = numbers.into_iter().map(option).collect::<Result<_, _>>()?;
            Ok(Value::Options { picked, other: None })
        }
        (Kind::YesNo(_), [no @ (0 | 1)]) => Ok(Value::Bool(*no == 0)),
        (Kind::Rating(rating), [no]) => Ok(Value::Integer(rating.min.saturating_add(i64::from(*no)))),
        _ => Err(refused()),
    }
}
