//! A message prepared for reading: the words as said, and a normal form that remembers where each byte came from.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::kept::Kept;

/// A message prepared for reading, once, for all parsers.
///
/// Parsers match on [`Self::norm`] (compatibility forms folded, lower case, digits of every script as `0-9`, curly
/// quotes and dashes plain) and report spans of [`Self::raw`] by [`Self::raw_span`].
#[derive(Clone, Debug)]
pub struct Said {
    /// As written.
    pub raw: String,
    /// The normal form.
    pub norm: String,
    /// Words, numbers and marks of `norm`, in order; white space is left out.
    pub words: Vec<Word>,
    /// For each byte of `norm`, and one past its end, the byte of `raw` it came from.
    origin: Vec<u32>,
    /// The words once more, one after the other, without accents.
    plain: String,
    /// For each word, the byte of `plain` where it ends.
    plain_ends: Vec<u32>,
    /// For each word, the [`name`] of its plain form.
    names: Vec<u64>,
    /// The numbers in it, once they were looked for.
    pub numerals: Kept,
    /// What its words mean in days and times, once such were looked for.
    pub dated: Kept,
}

/// A word, number or mark of the normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Byte range in [`Said::norm`].
    pub span: Range<usize>,
    /// What it is made of.
    pub class: Class,
}

/// What a [`Word`] is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Letters, with apostrophes and hyphens inside ("o'clock", "twenty-one").
    Letters,
    /// Digits.
    Digits,
    /// One mark.
    Mark,
}

impl Said {
    /// Prepares a message.
    pub fn new(raw: &str) -> Self {
        let mut norm = String::with_capacity(raw.len());
        let mut origin = Vec::with_capacity(raw.len() + 1);
        // What nobody sees parts no word: it could hide one from a table.
        for (at, c) in raw.char_indices().filter(|(at, c)| !is_void(raw, *at, *c)) {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            // Most of what is said, and of the tables of words, which are prepared at every start.
            if c.is_ascii() {
                norm.push(c.to_ascii_lowercase());
                origin.resize(norm.len(), at);
                continue;
            }
            for folded in std::iter::once(c).nfkc().flat_map(char::to_lowercase).map(plain) {
                norm.push(folded);
                origin.resize(norm.len(), at);
            }
        }
        origin.push(u32::try_from(raw.len()).unwrap_or(u32::MAX));
        let words = words(&norm);
        let mut plain = String::with_capacity(norm.len());
        let mut plain_ends = Vec::with_capacity(words.len());
        let mut names = Vec::with_capacity(words.len());
        for word in &words {
            let start = plain.len();
            strip_accents(norm.get(word.span.clone()).unwrap_or_default(), &mut plain);
            plain_ends.push(u32::try_from(plain.len()).unwrap_or(u32::MAX));
            names.push(name(plain.get(start..).unwrap_or_default()));
        }
        Self {
            raw: raw.to_owned(),
            norm,
            words,
            origin,
            plain,
            plain_ends,
            names,
            numerals: Kept::default(),
            dated: Kept::default(),
        }
    }

    /// The text of a range of [`Self::norm`].
    pub fn text(&self, span: Range<usize>) -> &str {
        self.norm.get(span).unwrap_or_default()
    }

    /// The text of a word of [`Self::words`]; empty past the end.
    pub fn word(&self, no: usize) -> &str {
        self.words.get(no).map_or("", |word| self.text(word.span.clone()))
    }

    /// A word of [`Self::words`] without accents, `ß` as `ss`, Arabic letters in their plain form: what tables of words
    /// are looked up by. Empty past the end.
    pub fn plain(&self, no: usize) -> &str {
        self.plain_text(self.plain_span(no))
    }

    /// Where the plain form of a word is: see [`Self::plain_text`].
    pub fn plain_span(&self, no: usize) -> Range<usize> {
        let Some(&end) = self.plain_ends.get(no) else { return 0..0 };
        let start = no.checked_sub(1).and_then(|before| self.plain_ends.get(before)).copied().unwrap_or(0);
        start as usize..end as usize
    }

    /// The plain form of a word or a part of it.
    pub fn plain_text(&self, span: Range<usize>) -> &str {
        self.plain.get(span).unwrap_or_default()
    }

    /// The [`name`] of a word's plain form; that of the empty word past the end.
    #[inline]
    pub fn plain_name(&self, no: usize) -> u64 {
        self.names.get(no).copied().unwrap_or(NAME_OF_NONE)
    }

    /// Whether a word is English "I" or begins with it ("I'm", "Im"), which has a capital wherever it stands.
    pub fn is_i(&self, no: usize) -> bool {
        matches!(self.word(no), "i" | "im" | "ive") || self.word(no).starts_with("i'")
    }

    /// Whether several words are written in capitals throughout, so that a capital tells nothing.
    pub fn shouts(&self) -> bool {
        let letters = || self.words.iter().filter(|word| word.class == Class::Letters && word.span.len() > 1);
        letters().count() > 1 && self.raw.contains(char::is_uppercase) && !self.raw.contains(char::is_lowercase)
    }

    /// Whether the message is typed in small letters, but for "I", for codes and for sentences of one word: "Please, boston to
    /// miami, ref 8GHJ2K. Thanks!"
    pub fn is_small(&self) -> bool {
        if !self.raw.contains(char::is_uppercase) {
            return true;
        }
        let ends = |word: &str| word.ends_with(['.', ',', '!', '?', ';']);
        let mut begins = true;
        self.raw.split_whitespace().all(|word| {
            let alone = begins && ends(word);
            begins = ends(word);
            let speaks = word.strip_prefix('I').is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
            alone || speaks || word.contains(char::is_numeric) || !word.contains(char::is_uppercase)
        })
    }

    /// Whether a word begins with a capital letter as written.
    pub fn has_capital(&self, no: usize) -> bool {
        self.raw.get(self.raw_words(no..no + 1)).is_some_and(|word| word.starts_with(char::is_uppercase))
    }

    /// Whether a word begins with a capital letter as written, where capitals tell something.
    pub fn is_capital(&self, no: usize) -> bool {
        self.has_capital(no) && !self.shouts()
    }

    /// Whether word `no` follows the word before it without a space.
    pub fn is_glued(&self, no: usize) -> bool {
        let Some(before) = no.checked_sub(1) else { return false };
        matches!((self.words.get(before), self.words.get(no)), (Some(a), Some(b)) if a.span.end == b.span.start)
    }

    /// The range of [`Self::raw`] that a range of [`Self::norm`] came from.
    pub fn raw_span(&self, span: Range<usize>) -> Range<usize> {
        let at = |i: usize| self.origin.get(i).map_or(self.raw.len(), |&at| at as usize);
        let (start, end) = (at(span.start), at(span.end));
        // A character that folds to several ("½") is taken whole even where the range ends inside it.
        let inside = span.end.checked_sub(1).filter(|last| span.start <= *last).is_some_and(|last| at(last) == end);
        let whole =
            |at: usize| self.raw.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |c| at + c.len_utf8());
        start..if inside { whole(end) } else { end }
    }

    /// The range of [`Self::raw`] that words `from..to` of [`Self::words`] came from.
    pub fn raw_words(&self, words: Range<usize>) -> Range<usize> {
        match (self.words.get(words.start), words.end.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) if words.start < words.end => self.raw_span(first.span.start..last.span.end),
            _ => self.raw.len()..self.raw.len(),
        }
    }
}

/// The [`name`] of the empty word.
const NAME_OF_NONE: u64 = mixed(NO_BYTES);

/// FNV-1a of nothing.
const NO_BYTES: u64 = 0xcbf2_9ce4_8422_2325;

/// A number that stands for a word in tables; different words may share one.
pub fn name(word: &str) -> u64 {
    mixed(further(NO_BYTES, word))
}

/// The [`name`] of these parts written as one word.
pub fn name_of<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    mixed(parts.into_iter().fold(NO_BYTES, further))
}

/// FNV-1a of what is known with a word behind it.
fn further(before: u64, word: &str) -> u64 {
    word.bytes().fold(before, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// FNV-1a has the words of a few letters, the most common ones, alike in the upper bits: this spreads what parts them.
const fn mixed(hash: u64) -> u64 {
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Whether two ranges share anything.
pub fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether a character of a text carries nothing: it is not seen, and shapes nothing that is. Such are spaces of no width,
/// soft hyphens and marks of direction, and what joins or parts letters where neither side is of a script that joins them, or
/// of an emoji.
pub fn is_void(text: &str, at: usize, c: char) -> bool {
    let joins = |c: char| c >= '\u{590}' && !matches!(c, '\u{1e00}'..='\u{206f}');
    match c {
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{200c}' | '\u{200d}' => {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + c.len_utf8()..).and_then(|text| text.chars().next());
            !(before.is_some_and(joins) && after.is_some_and(joins))
        }
        _ => false,
    }
}

/// Appends a word without accents.
fn strip_accents(word: &str, to: &mut String) {
    if word.is_ascii() {
        to.push_str(word);
        return;
    }
    for c in word.nfd().filter(|&c| !is_combining(c)) {
        match c {
            'ß' => to.push_str("ss"),
            'œ' => to.push_str("oe"),
            'æ' => to.push_str("ae"),
            'ø' => to.push('o'),
            'ı' => to.push('i'),
            'ى' => to.push('ي'),
            'ة' => to.push('ه'),
            '\u{0640}' => {}
            _ => to.push(c),
        }
    }
}

/// Digits of other scripts to ASCII, typographic quotes and dashes to plain ones.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{00ab}' | '\u{00bb}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{066b}' => '.',
        '\u{066c}' => ',',
        _ => digit(c).unwrap_or(c),
    }
}

/// The decimal digit blocks in use (Arabic-Indic, Devanagari, Bengali, Thai and so on): ten digits from each start.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 16] = [
        0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50, 0x0ED0,
        0x0F20, 0x1040,
    ];
    let code = u32::from(c);
    let zero = ZEROS.into_iter().find(|zero| (*zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

fn words(norm: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut chars = norm.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let class = class_of(c);
        let mut end = start + c.len_utf8();
        while let Some(&(at, next)) = chars.peek()
            && class != Class::Mark
        {
            let joins = class == Class::Letters && matches!(next, '\'' | '-') && {
                norm.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|c| class_of(c) == Class::Letters)
            };
            if class_of(next) != class && !joins {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        words.push(Word { span: start..end, class });
    }
    words
}

fn class_of(c: char) -> Class {
    if c.is_ascii_digit() {
        Class::Digits
    } else if c.is_alphabetic() || is_combining(c) {
        Class::Letters
    } else {
        Class::Mark
    }
}

fn is_combining(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_where_in_the_message_they_stood() {
        let said = Said::new("Ü “It’s” ٣٤ ½ o'clock, a-b 5pm");
        let words: Vec<&str> = (0..said.words.len()).map(|i| said.word(i)).collect();
        assert_eq!(words, ["ü", "\"", "it's", "\"", "34", "1", "⁄", "2", "o'clock", ",", "a-b", "5", "pm"]);
        let raw = |i: usize| said.raw.get(said.raw_words(i..i + 1)).unwrap();
        assert_eq!(raw(2), "It’s");
        assert_eq!(raw(4), "٣٤");
        assert_eq!(raw(5), "½");
    }

    #[test]
    fn an_empty_message_has_no_words() {
        assert!(Said::new(" \n").words.is_empty());
    }
}
