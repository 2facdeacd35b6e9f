//! Values made harmless for the place they are shown in.

use std::fmt::Write as _;

/// Longest value a template shows, in characters; longer ones are cut with `…`.
pub const MAX_VALUE: usize = 2000;

/// Where a text goes. JSON bodies are built as values and never rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Read by people; each platform escapes its own marks when it draws.
    #[default]
    Words,
    /// A part of a URL: values are percent-encoded.
    Url,
}

/// A value without control characters (line breaks and tabs stay) and without the marks that turn the direction of the
/// text around, which can make an answer read as what it is not.
pub fn clean(value: &str) -> String {
    let mut clean: String = value.chars().filter(|c| !is_harmful(*c)).take(MAX_VALUE + 1).collect();
    if let Some((end, _)) = clean.char_indices().nth(MAX_VALUE) {
        clean.truncate(end);
        clean.push('…');
    }
    clean
}

fn is_harmful(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A value as it goes into a place.
pub(super) fn escape(value: &str, place: Place) -> String {
    let value = clean(value);
    match place {
        Place::Words => value,
        Place::Url => {
            let mut encoded = String::with_capacity(value.len());
            for byte in value.bytes() {
                if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                    encoded.push(char::from(byte));
                } else {
                    // Writing to a string cannot fail.
                    let _ = write!(encoded, "%{byte:02X}");
                }
            }
            encoded
        }
    }
}
