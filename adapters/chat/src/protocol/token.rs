//! Names of widgets that nobody can guess.

use serde::{Deserialize, Serialize};

/// 128 random bits that name one screen, as 22 URL-safe base64 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nonce(String);

impl Nonce {
    const LEN: usize = 22;
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    /// Spells 128 bits of randomness.
    pub fn new(bits: u128) -> Self {
        let spelled = (0..Self::LEN).map(|i| {
            let six = (bits >> (i * 6)) & 63;
            char::from(Self::ALPHABET[usize::try_from(six).unwrap_or(0)])
        });
        Self(spelled.collect())
    }

    /// The bits that it spells.
    pub(crate) fn bits(&self) -> u128 {
        let value = |byte: u8| Self::ALPHABET.iter().position(|letter| *letter == byte).unwrap_or(0) as u128;
        self.0.bytes().take(Self::LEN).enumerate().fold(0, |bits, (no, byte)| bits | value(byte) << (6 * no))
    }

    /// The 22 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The opaque id of a widget or option on the wire: a screen's nonce, the widget's place on it, the option's number.
///
/// Never a value, never a name. Spelled `nonce.slot` or `nonce.slot.option`, at most 34 bytes, which fits Telegram's
/// 64 bytes of `callback_data` and Discord's 100 characters of `custom_id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token {
    /// The screen.
    pub nonce: Nonce,
    /// The widget's number on the screen.
    pub slot: u16,
    /// The option's number in the widget.
    pub option: Option<u16>,
}

/// A token that no screen ever wore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed widget token")]
pub struct TokenError;

impl Token {
    /// Names the widget itself.
    pub fn new(nonce: &Nonce, slot: u16) -> Self {
        Self { nonce: nonce.clone(), slot, option: None }
    }

    /// Names an option of the widget.
    pub fn option(&self, option: u16) -> Self {
        Self { option: Some(option), ..self.clone() }
    }
}

impl std::str::FromStr for Token {
    type Err = TokenError;

    fn from_str(s: &str) -> Result<Self, TokenError> {
        let number = |part: &str| {
            let canonical = part.len() <= 5 && (part == "0" || !part.starts_with('0'));
            let digits = part.bytes().all(|b| b.is_ascii_digit());
            if canonical && digits { part.parse::<u16>().map_err(|_| TokenError) } else { Err(TokenError) }
        };
        let mut parts = s.splitn(4, '.');
        let nonce = parts.next().unwrap_or_default();
        let in_alphabet = nonce.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if nonce.len() != Nonce::LEN || !in_alphabet {
            return Err(TokenError);
        }
        let slot = number(parts.next().ok_or(TokenError)?)?;
        let option = parts.next().map(number).transpose()?;
        if parts.next().is_some() {
            return Err(TokenError);
        }
        Ok(Self { nonce: Nonce(nonce.to_owned()), slot, option })
    }
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.nonce.0, self.slot)?;
        match self.option {
            Some(option) => write!(f, ".{option}"),
            None => Ok(()),
        }
    }
}

impl TryFrom<String> for Token {
    type Error = TokenError;

    fn try_from(s: String) -> Result<Self, TokenError> {
        s.parse()
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_the_wire_and_is_short_enough_for_every_platform() {
        let token = Token::new(&Nonce::new(u128::MAX), u16::MAX).option(u16::MAX);
        let wire = token.to_string();
        assert!(wire.len() <= 34, "{wire}");
        assert_eq!(wire.parse(), Ok(token));
    }

    #[test]
    fn rubbish_is_refused() {
        let good = Token::new(&Nonce::new(7), 1).to_string();
        for bad in [
            "",
            ".",
            "x.1",
            &good.replace(".1", ""),
            &format!("{good}."),
            &format!("{good}.01"),
            &format!("{good}.1.1"),
            &format!("{good}.65536"),
            &format!("{good}.-1"),
        ] {
            assert_eq!(bad.parse::<Token>(), Err(TokenError), "{bad}");
        }
    }
}
