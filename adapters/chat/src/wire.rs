//! Tokens as a platform carries them, with what the adapter itself is to do.

use crate::{Token, TokenError};

/// A widget's id as a platform carries it: the token, and what the adapter itself is to do with it.
///
/// Spelled `token` or `token~op`: `….0~p2` turns to the third page of a long list, `….0~m2026-12` turns a calendar. What
/// has an operation never reaches the product; the adapter redraws its widget. With operations of at most
/// [`Wire::MAX_OP`] bytes it fits Telegram's 64 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The widget or option.
    pub token: Token,
    /// The adapter's own business; none where it is a press.
    pub op: Option<String>,
}

impl Wire {
    /// Longest operation in bytes.
    pub const MAX_OP: usize = 28;

    /// A press of the widget.
    pub fn press(token: &Token) -> Self {
        Self { token: token.clone(), op: None }
    }

    /// An operation of the adapter's on the widget: ASCII letters, digits and `-:.`, at most [`Self::MAX_OP`] bytes.
    pub fn op(token: &Token, op: impl Into<String>) -> Self {
        let op = op.into();
        debug_assert!(op.len() <= Self::MAX_OP && op.bytes().all(is_op_byte), "{op}");
        Self { token: token.clone(), op: Some(op) }
    }
}

fn is_op_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.')
}

impl std::fmt::Display for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.token)?;
        match &self.op {
            Some(op) => write!(f, "~{op}"),
            None => Ok(()),
        }
    }
}

impl std::str::FromStr for Wire {
    type Err = TokenError;

    fn from_str(s: &str) -> Result<Self, TokenError> {
        let (token, op) = s.split_once('~').map_or((s, None), |(token, op)| (token, Some(op)));
        let well_formed = |op: &str| !op.is_empty() && op.len() <= Self::MAX_OP && op.bytes().all(is_op_byte);
        if !op.is_none_or(well_formed) {
            return Err(TokenError);
        }
        Ok(Self { token: token.parse()?, op: op.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Nonce;

    #[test]
    fn an_operation_travels_with_its_token_within_64_bytes() {
        let token = Token::new(&Nonce::new(u128::MAX), u16::MAX).option(u16::MAX);
        for wire in [Wire::press(&token), Wire::op(&token, "a".repeat(Wire::MAX_OP)), Wire::op(&token, "m2026-12")] {
            assert!(wire.to_string().len() <= 64, "{wire}");
            assert_eq!(wire.to_string().parse(), Ok(wire));
        }
    }

    #[test]
    fn rubbish_is_refused() {
        let token = Token::new(&Nonce::new(7), 1);
        for bad in
            [format!("{token}~"), format!("{token}~a b"), format!("{token}~{}", "a".repeat(29)), "~p1".to_owned()]
        {
            assert_eq!(bad.parse::<Wire>(), Err(TokenError), "{bad}");
        }
    }
}
