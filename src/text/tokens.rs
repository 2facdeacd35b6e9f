//! Words of labels and messages in the form in which they are compared: without case, accents and joining marks, and
//! with a key that singular and plural share.

use std::ops::Range;

use super::said::{Class, name, name_of};
use crate::said::Said;

/// Words to compare, in order.
pub struct Tokens {
    buf: String,
    list: Vec<Token>,
    lang: &'static str,
}

#[derive(Clone)]
struct Token {
    text: Range<usize>,
    /// How many characters `text` has.
    count: usize,
    key: Range<usize>,
    /// The [`name`] of the key.
    key_name: u64,
    word: usize,
    raw: Range<usize>,
}

impl Tokens {
    /// No words yet, of a language.
    pub fn new(lang: &'static str) -> Self {
        Self { buf: String::new(), list: Vec::new(), lang }
    }

    /// The words of a message, at most `most` of them.
    pub fn of_message(said: &Said, lang: &'static str, most: usize) -> Self {
        let mut tokens = Self::new(lang);
        tokens.push_said(said, most);
        tokens
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The word as compared strictly.
    pub fn text(&self, no: usize) -> &str {
        self.list.get(no).and_then(|token| self.buf.get(token.text.clone())).unwrap_or_default()
    }

    /// How many characters the word has, as compared strictly.
    pub fn count(&self, no: usize) -> usize {
        self.list.get(no).map_or(0, |token| token.count)
    }

    /// The word as compared loosely.
    pub fn key(&self, no: usize) -> &str {
        self.list.get(no).and_then(|token| self.buf.get(token.key.clone())).unwrap_or_default()
    }

    /// The [`name`] of the word as compared loosely.
    pub fn key_name(&self, no: usize) -> u64 {
        self.list.get(no).map_or_else(|| name(""), |token| token.key_name)
    }

    /// Whether the same words stand in two places, as compared strictly.
    pub fn are_alike(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        one.len() == other.len()
            && one.clone().zip(other.clone()).all(|(one, other)| self.text(one) == self.text(other))
    }

    /// The words of the message that these are part of.
    pub fn words(&self, tokens: Range<usize>) -> Range<usize> {
        match (self.list.get(tokens.start), tokens.end.checked_sub(1).and_then(|last| self.list.get(last))) {
            (Some(first), Some(last)) => first.word..last.word + 1,
            _ => 0..0,
        }
    }

    /// The bytes of the message that these are.
    pub fn raw(&self, tokens: Range<usize>) -> Range<usize> {
        match (self.list.get(tokens.start), tokens.end.checked_sub(1).and_then(|last| self.list.get(last))) {
            (Some(first), Some(last)) => first.raw.start..last.raw.end,
            _ => 0..0,
        }
    }

    /// Adds the words of a label; gives their numbers.
    pub fn push_label(&mut self, label: &str) -> Range<usize> {
        let from = self.list.len();
        if label.is_ascii() {
            self.push_ascii(&label.to_ascii_lowercase());
        } else {
            self.push_said(&Said::new(label), usize::MAX);
        }
        from..self.list.len()
    }

    fn push_said(&mut self, said: &Said, most: usize) {
        let mut no = 0;
        while no < said.words.len() && self.list.len() < most {
            let class = said.words[no].class;
            let mut end = no + 1;
            if class != Class::Mark {
                while end < said.words.len() && said.is_glued(end) && matches!(said.word(end), "+" | "#") {
                    end += 1;
                }
                let dash = end == no + 1 && said.word(end) == "-" && said.is_glued(end);
                let ends = end + 1 >= said.words.len()
                    || !said.is_glued(end + 1)
                    || said.words.get(end + 1).is_some_and(|word| word.class == Class::Mark);
                end += usize::from(dash && ends);
                let signs = (no + 1..end).map(|no| said.word(no)).collect::<String>();
                if said.plain(no).contains(is_unspaced) {
                    self.push_unspaced(said, no);
                } else {
                    self.push_word(said.plain(no), &signs, no, said.raw_words(no..end));
                }
            }
            no = end;
        }
    }

    /// Each sign of a script that writes no spaces is a word of its own.
    fn push_unspaced(&mut self, said: &Said, no: usize) {
        let Some(word) = said.words.get(no) else { return };
        let norm = said.text(word.span.clone());
        for (at, c) in norm.char_indices() {
            let span = word.span.start + at..word.span.start + at + c.len_utf8();
            self.push(c.encode_utf8(&mut [0; 4]), "", no, said.raw_span(span));
        }
    }

    fn push_ascii(&mut self, lower: &str) {
        let bytes = lower.as_bytes();
        let is = |at: usize, class: fn(&u8) -> bool| bytes.get(at).is_some_and(class);
        let mut at = 0;
        while at < bytes.len() {
            let mut end = at + 1;
            if bytes[at].is_ascii_alphabetic() {
                let joins = |end: usize| matches!(bytes.get(end), Some(b'\'' | b'-'));
                while is(end, u8::is_ascii_alphabetic) || joins(end) && is(end + 1, u8::is_ascii_alphabetic) {
                    end += 1;
                }
            } else if bytes[at].is_ascii_digit() {
                while is(end, u8::is_ascii_digit) {
                    end += 1;
                }
            } else {
                at += 1;
                continue;
            }
            let mut signs = end;
            while matches!(bytes.get(signs), Some(b'+' | b'#')) {
                signs += 1;
            }
            if signs == end && bytes.get(end) == Some(&b'-') && !is(end + 1, u8::is_ascii_alphanumeric) {
                signs += 1;
            }
            self.push_word(lower.get(at..end).unwrap_or_default(), lower.get(end..signs).unwrap_or_default(), 0, 0..0);
            at = signs;
        }
    }

    /// Splits at hyphens ("t-shirt") and where an article is cut short ("l'acqua"); "don't" stays one word.
    fn push_word(&mut self, word: &str, signs: &str, no: usize, raw: Range<usize>) {
        if !word.contains(['-', '\'']) {
            self.push(word, signs, no, raw);
            return;
        }
        let mut parts = word.split('-').filter(|part| !part.is_empty()).peekable();
        while let Some(part) = parts.next() {
            let signs = if parts.peek().is_none() { signs } else { "" };
            match part.rsplit_once('\'') {
                None => self.push(part, signs, no, raw.clone()),
                Some((before, after)) if after.chars().count() <= 2 => {
                    let joined = format!("{}{after}", before.replace('\'', ""));
                    self.push(&joined, signs, no, raw.clone());
                }
                Some((before, after)) => {
                    self.push(&before.replace('\'', ""), "", no, raw.clone());
                    self.push(after, signs, no, raw.clone());
                }
            }
        }
    }

    fn push(&mut self, word: &str, signs: &str, no: usize, raw: Range<usize>) {
        let start = self.buf.len();
        self.buf.push_str(word);
        let bare = self.buf.len();
        self.buf.push_str(signs);
        let text = start..self.buf.len();
        let stem = stem(word, self.lang);
        let key = match stem.swap {
            None => start + stem.cut..start + stem.keep,
            Some(last) => {
                let at = self.buf.len();
                self.buf.push_str(word.get(stem.cut..stem.keep).unwrap_or_default());
                self.buf.push(last);
                at..self.buf.len()
            }
        };
        debug_assert!(key.end <= self.buf.len() && bare >= start);
        let key_name = name(self.buf.get(key.clone()).unwrap_or_default());
        let count = word.chars().count() + signs.chars().count();
        self.list.push(Token { text, count, key, key_name, word: no, raw });
    }
}

/// Words by the [`name`]s of what they are compared by, in order.
pub struct ByName(Vec<(u64, usize)>);

impl ByName {
    /// Words by their keys.
    pub fn of_keys(tokens: &Tokens) -> Self {
        Self::sorted((0..tokens.len()).map(|no| (tokens.key_name(no), no)).collect())
    }

    /// Neighbouring words written as one, among the first `most`, by the first of the two.
    pub fn of_pairs(tokens: &Tokens, most: usize) -> Self {
        let last = tokens.len().saturating_sub(1).min(most);
        let pair = |no: usize| name_of([tokens.text(no), tokens.text(no + 1)]);
        Self::sorted((0..last).map(|no| (pair(no), no)).collect())
    }

    fn sorted(mut list: Vec<(u64, usize)>) -> Self {
        list.sort_unstable();
        Self(list)
    }

    /// The words that have a name, in order; another may share it.
    pub fn named(&self, name: u64) -> impl Iterator<Item = usize> + '_ {
        let from = self.0.partition_point(|(known, _)| *known < name);
        self.0.iter().skip(from).take_while(move |(known, _)| *known == name).map(|(_, no)| *no)
    }
}

/// Whether a text is these parts, one after the other.
pub fn is_made_of<'a>(text: &str, parts: impl IntoIterator<Item = &'a str>) -> bool {
    parts.into_iter().try_fold(text, |rest, part| rest.strip_prefix(part)) == Some("")
}

/// Whether a character's script writes no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// What of a word its key is: bytes `cut..keep`, then `swap`.
struct Stem {
    cut: usize,
    keep: usize,
    swap: Option<char>,
}

/// Reduces plural and gender endings, roughly: both sides are reduced the same way, and equal words always stay equal.
fn stem(word: &str, lang: &str) -> Stem {
    let whole = Stem { cut: 0, keep: word.len(), swap: None };
    if word.starts_with(|c: char| ('\u{0600}'..='\u{06ff}').contains(&c)) {
        let article = if word.starts_with("ال") && word.chars().count() >= 5 { "ال".len() } else { 0 };
        return Stem { cut: article, ..whole };
    }
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return whole;
    }
    let mut keep = word.len();
    let ends = |keep: usize, ends: &[&str]| ends.iter().any(|end| word[..keep].ends_with(end));
    if ends(keep, &["s"]) && !ends(keep, &["ss", "us", "is"]) {
        keep -= 1;
    }
    match lang {
        "it" | "es" | "fr" if ends(keep, &["a", "e", "i", "o"]) && keep > 3 => keep -= 1,
        "de" if ends(keep, &["en", "er"]) && keep > 5 => keep -= 2,
        "de" if ends(keep, &["e", "n", "a"]) && keep > 4 => keep -= 1,
        "it" | "es" | "fr" | "de" => {}
        _ if ends(keep, &["ie"]) => return Stem { cut: 0, keep: keep - 2, swap: Some('i') },
        _ if ends(keep, &["y"]) => return Stem { cut: 0, keep: keep - 1, swap: Some('i') },
        _ if ends(keep, &["se", "ze", "xe", "che", "she"]) => keep -= 1,
        _ if keep < word.len() && ends(keep, &["oe"]) => keep -= 1,
        _ => {}
    }
    Stem { keep, ..whole }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn texts(label: &str) -> Vec<String> {
        let mut tokens = Tokens::new("en");
        tokens.push_label(label);
        (0..tokens.len()).map(|no| tokens.text(no).to_owned()).collect()
    }

    #[rstest]
    #[case("Don't t-shirt l'acqua", &["dont", "t", "shirt", "l", "acqua"])]
    #[case("C++, O- and A+ 24/7", &["c++", "o-", "and", "a+", "24", "7"])]
    #[case("Größe ١٢", &["grosse", "12"])]
    #[case("披萨", &["披", "萨"])]
    #[case("co-op-", &["co", "op-"])]
    #[case("", &[])]
    fn words_are_split_the_same_way_in_labels_and_messages(#[case] label: &str, #[case] want: &[&str]) {
        assert_eq!(texts(label), want);
        let said = Tokens::of_message(&Said::new(label), "en", usize::MAX);
        assert_eq!((0..said.len()).map(|no| said.text(no)).collect::<Vec<_>>(), want);
    }

    #[rstest]
    #[case("en", &["pizza", "pizzas"])]
    #[case("en", &["berry", "berries"])]
    #[case("en", &["cookie", "cookies"])]
    #[case("en", &["box", "boxes"])]
    #[case("en", &["size", "sizes"])]
    #[case("en", &["potato", "potatoes"])]
    #[case("en", &["glass", "glasses"])]
    #[case("en", &["bus", "buses"])]
    #[case("it", &["pizza", "pizze"])]
    #[case("it", &["rosso", "rossa", "rossi", "rosse"])]
    #[case("es", &["rojo", "rojas"])]
    #[case("de", &["Pizza", "Pizzen"])]
    #[case("fr", &["petite", "petites"])]
    #[case("ar", &["البيتزا", "بيتزا"])]
    fn singular_and_plural_share_a_key(#[case] lang: &'static str, #[case] words: &[&str]) {
        let mut tokens = Tokens::new(lang);
        for word in words {
            tokens.push_label(word);
        }
        assert!((0..tokens.len()).all(|no| tokens.key(no) == tokens.key(0)), "{:?}", tokens.buf);
    }

    #[rstest]
    #[case("car", "care")]
    #[case("bar", "bare")]
    #[case("data", "date")]
    #[case("no", "nos")]
    #[case("plan", "plane")]
    fn different_words_keep_different_keys(#[case] one: &str, #[case] other: &str) {
        let mut tokens = Tokens::new("en");
        tokens.push_label(one);
        tokens.push_label(other);
        assert_ne!(tokens.key(0), tokens.key(1));
    }
}
