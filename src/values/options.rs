//! Which options of a choice a message names: by label, part of a label, synonym or id, with typing mistakes forgiven.
//!
//! Deliberately absent: what follows from a mention. `choice` and `choices` decide that.

pub mod labels;
pub mod picks;

use std::ops::Range;

use formwright_lexicon::Language;
use formwright_text::typo::{distance, is_doubtful, most_mistakes};
use formwright_text::{ByName, Said, Tokens, is_made_of, name, name_of, overlap};
use rust_decimal::Decimal;

use self::labels::{Phrase, Phrases};
use super::numeral;
use crate::reading::{Context, Offered};

/// How well words fit an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Some words of a label of several.
    Part,
    /// Misspelt.
    Near,
    /// In another number or gender, or joined otherwise ("t shirt").
    Loose,
    /// Letter for letter, case and accents aside.
    Exact,
}

/// Words of a message that name an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The option; several where they fit equally well. In order, never empty.
    pub options: Vec<usize>,
    /// Which words of the message.
    pub words: Range<usize>,
    /// Which bytes of the message.
    pub span: Range<usize>,
    /// How well they fit.
    pub fit: Fit,
    /// Misspelt so far that the words may as well be something else: "Megan" for "Vegan".
    pub doubtful: bool,
    /// It has several words of the label, one after the other.
    pub several: bool,
}

/// What a message names. Each list is in the order of the message, and mentions in it do not overlap.
#[derive(Debug, Default)]
pub struct Mentions {
    /// [`Fit::Exact`] and [`Fit::Loose`].
    pub sure: Vec<Mention>,
    /// [`Fit::Near`], of words that no sure mention has.
    pub near: Vec<Mention>,
    /// The options that share most words with what is left of the message.
    pub part: Option<Mention>,
}

/// A message longer than this is searched for whole labels only.
const SHORT: usize = 60;
/// Words past this are not searched at all.
const LONGEST: usize = 4_000;

/// Finds what a message names.
pub fn mentions(said: &Said, cx: &Context<'_>) -> Mentions {
    if cx.options.is_empty() || said.words.is_empty() {
        return Mentions::default();
    }
    let message = Message::new(said, cx);
    let phrases = Phrases::new(cx);
    let mut hits = Vec::new();
    for phrase in &phrases.list {
        message.whole(&phrases.tokens, phrase, &mut hits);
    }
    for (no, option) in cx.options.iter().enumerate() {
        hits.extend(signs(said, &option.label).map(|words| Hit {
            option: no,
            words,
            tokens: 0..0,
            fit: Fit::Exact,
            off: 0,
            doubtful: false,
        }));
    }
    hits.extend(numbered(said, cx, &message));
    let sure = resolve(hits, &message);
    if message.tokens.len() > SHORT {
        return Mentions { sure, ..Mentions::default() };
    }
    let free = message.free(&sure, cx);
    let mut hits = Vec::new();
    if free.contains(&Free::Word) {
        for phrase in &phrases.list {
            message.near(&phrases.tokens, phrase, &free, &mut hits);
        }
        let best = |hit: &Hit, hits: &[Hit]| {
            hits.iter().all(|other| !overlap(&hit.tokens, &other.tokens) || hit.off <= other.off)
        };
        let kept = hits.iter().filter(|hit| best(hit, &hits)).cloned().collect();
        hits = kept;
    }
    let near = resolve(hits, &message);
    let part = message.part(&phrases, &free);
    Mentions { sure, near, part }
}

/// Number words for options whose label is that number in digits: "four" of "4".
fn numbered(said: &Said, cx: &Context<'_>, message: &Message<'_>) -> Vec<Hit> {
    let number = |label: &str| label.trim().parse::<u32>().ok();
    let numbers: Vec<(usize, u32)> =
        cx.options.iter().enumerate().filter_map(|(no, option)| Some((no, number(&option.label)?))).collect();
    if numbers.is_empty() || message.tokens.len() > SHORT {
        return Vec::new();
    }
    let spoken = (0..message.tokens.len()).filter_map(|token| {
        let words = message.tokens.words(token..token + 1);
        let numeral = numeral::at(said, words.start, cx.lang, cx.region)?;
        let plain = numeral.shape == numeral::Shape::Words && numeral.words == words;
        plain.then_some((token, numeral.value))
    });
    let hits = spoken.flat_map(|(token, value)| {
        let meant = numbers.iter().filter(move |(_, number)| value == Decimal::from(*number));
        meant.map(move |(option, _)| (*option, token))
    });
    hits.map(|(option, token)| message.hit(option, token..token + 1, Fit::Loose, 0)).collect()
}

/// A label made of signs alone (emoji), where the message has it: which words.
fn signs<'a>(said: &'a Said, label: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let label = if label.chars().any(char::is_alphanumeric) { "" } else { label.trim() };
    let at = if label.is_empty() { None } else { said.raw.find(label) };
    at.into_iter().filter_map(move |at| {
        let inside = |no: &usize| {
            let span = said.raw_words(*no..no + 1);
            span.start >= at && span.end <= at + label.len()
        };
        let first = (0..said.words.len()).find(inside)?;
        Some(first..first + (first..said.words.len()).take_while(inside).count())
    })
}

#[derive(Clone, Debug)]
struct Hit {
    option: usize,
    words: Range<usize>,
    tokens: Range<usize>,
    fit: Fit,
    /// Typing mistakes.
    off: usize,
    /// See [`Mention::doubtful`].
    doubtful: bool,
}

impl Hit {
    fn mention(&self, span: Range<usize>) -> Mention {
        Mention {
            options: vec![self.option],
            words: self.words.clone(),
            span,
            fit: self.fit,
            doubtful: self.doubtful,
            several: false,
        }
    }
}

/// Whether a word steers the conversation ("remove", "change"): then it is no option misspelt ("remote").
fn steers(lang: &Language, word: &str) -> bool {
    let verbs = [&lang.control.clear, &lang.control.edit, &lang.control.add];
    verbs.into_iter().any(|table| table.word(word).is_some()) || lang.control.whole.word(word).is_some()
}

/// What a word of the message is, as far as typing mistakes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Free {
    /// Part of a sure mention.
    Taken,
    /// A common word: nothing else misspelt, and no part of a label by itself.
    Common,
    /// May be an option misspelt, or part of one.
    Word,
}

/// A message prepared for finding labels in it.
struct Message<'a> {
    said: &'a Said,
    tokens: Tokens,
    by_key: ByName,
    /// Two tokens written as one, by the first.
    pairs: ByName,
}

impl<'a> Message<'a> {
    fn new(said: &'a Said, cx: &Context<'_>) -> Self {
        let tokens = Tokens::of_message(said, cx.lang.code, LONGEST);
        let (by_key, pairs) = (ByName::of_keys(&tokens), ByName::of_pairs(&tokens, SHORT));
        Self { said, tokens, by_key, pairs }
    }

    /// Tokens with the key of one of a label, in order.
    fn with_key_of<'b>(&'b self, of: &'b Tokens, token: usize) -> impl Iterator<Item = usize> + 'b {
        self.by_key.named(of.key_name(token)).filter(move |no| self.tokens.key(*no) == of.key(token))
    }

    fn hit(&self, option: usize, tokens: Range<usize>, fit: Fit, off: usize) -> Hit {
        Hit { option, words: self.tokens.words(tokens.clone()), tokens, fit, off, doubtful: false }
    }

    /// Finds a whole phrase.
    fn whole(&self, of: &Tokens, phrase: &Phrase, hits: &mut Vec<Hit>) {
        const MOST: usize = 50;
        let len = phrase.tokens.len();
        for at in self.with_key_of(of, phrase.tokens.start).take(MOST) {
            let mut pairs = (at..at + len).zip(phrase.tokens.clone());
            if at + len <= self.tokens.len() && pairs.all(|(a, b)| self.tokens.key(a) == of.key(b)) {
                let exact = (at..at + len).zip(phrase.tokens.clone()).all(|(a, b)| self.tokens.text(a) == of.text(b));
                hits.push(self.hit(phrase.option, at..at + len, if exact { Fit::Exact } else { Fit::Loose }, 0));
            }
        }
        let first = of.text(phrase.tokens.start);
        if len == 1 && first.len() >= 4 {
            let same = |at: &usize| is_made_of(first, [self.tokens.text(*at), self.tokens.text(at + 1)]);
            let written = self.pairs.named(name(first)).filter(same);
            hits.extend(written.map(|at| self.hit(phrase.option, at..at + 2, Fit::Loose, 0)));
        } else if len == 2 || len == 3 {
            let last = phrase.tokens.end - 1;
            let parts = || phrase.tokens.clone().map(|no| if no == last { of.key(no) } else { of.text(no) });
            let letters: usize = parts().map(str::len).sum();
            if (4..40).contains(&letters) {
                let same = |at: &usize| is_made_of(self.tokens.key(*at), parts());
                let joined = self.by_key.named(name_of(parts())).filter(same).take(MOST);
                hits.extend(joined.map(|at| self.hit(phrase.option, at..at + 1, Fit::Loose, 0)));
            }
        }
    }

    /// Which words may be options misspelt, or parts of labels.
    fn free(&self, sure: &[Mention], cx: &Context<'_>) -> Vec<Free> {
        let taken = |no: usize| {
            let words = self.tokens.words(no..no + 1);
            sure.iter().any(|mention| overlap(&mention.words, &words))
        };
        let common = |no: usize| {
            let text = self.tokens.text(no);
            cx.lang
                .and_english()
                .any(|lang| lang.option.common.word(text).is_some() || lang.option.weak.word(text).is_some())
                || cx.lang.and_english().any(|lang| steers(lang, text))
        };
        (0..self.tokens.len())
            .map(|no| match no {
                no if taken(no) => Free::Taken,
                no if common(no) => Free::Common,
                _ => Free::Word,
            })
            .collect()
    }

    /// Finds a phrase with typing mistakes.
    fn near(&self, of: &Tokens, phrase: &Phrase, free: &[Free], hits: &mut Vec<Hit>) {
        let len = phrase.tokens.len();
        if len > 6 || len > self.tokens.len() {
            return;
        }
        for at in 0..=self.tokens.len() - len {
            let mut off = 0;
            let mut doubtful = false;
            let fits = (at..at + len).zip(phrase.tokens.clone()).all(|(a, b)| {
                if free[a] == Free::Taken {
                    return false;
                }
                if self.tokens.key(a) == of.key(b) {
                    return true;
                }
                let may = free[a] == Free::Word && most_mistakes(self.tokens.count(a), of.count(b)).is_some();
                let some = may.then(|| distance(self.tokens.text(a), of.text(b))).flatten();
                off += some.unwrap_or_default();
                doubtful |= some.is_some_and(|off| is_doubtful(self.tokens.text(a), of.text(b), off));
                some.is_some()
            });
            if fits && off > 0 {
                hits.push(Hit { doubtful, ..self.hit(phrase.option, at..at + len, Fit::Near, off) });
            }
        }
    }

    /// The options with most words of the message in one of their phrases.
    fn part(&self, phrases: &Phrases, free: &[Free]) -> Option<Mention> {
        if !free.contains(&Free::Word) {
            return None;
        }
        let mut best: (usize, Vec<usize>, Range<usize>) = (0, Vec::new(), 0..0);
        for phrase in phrases.list.iter().filter(|phrase| phrase.is_label && phrase.tokens.len() > 1) {
            let mut at: Vec<usize> = Vec::new();
            for token in phrase.tokens.clone() {
                let key = phrases.tokens.key(token);
                let long = key.chars().count() >= 3 || key.bytes().all(|b| b.is_ascii_digit());
                if long {
                    at.extend(self.with_key_of(&phrases.tokens, token).filter(|&no| free[no] == Free::Word).take(1));
                }
            }
            at.sort_unstable();
            at.dedup();
            let (Some(&first), Some(&last)) = (at.first(), at.last()) else { continue };
            let range = first..last + 1;
            if at.len() > best.0 {
                best = (at.len(), vec![phrase.option], range);
            } else if at.len() == best.0 && best.2 == range && best.1.last() != Some(&phrase.option) {
                best.1.push(phrase.option);
            } else if at.len() == best.0 && best.2 != range && best.1.last() != Some(&phrase.option) {
                best.1.push(phrase.option);
                best.2 = best.2.start.min(range.start)..best.2.end.max(range.end);
            }
        }
        let (count, options, tokens) = best;
        (count > 0).then(|| Mention {
            options,
            words: self.tokens.words(tokens.clone()),
            several: count > 1 && tokens.len() == count,
            span: self.tokens.raw(tokens),
            fit: Fit::Part,
            doubtful: false,
        })
    }
}

/// Keeps the longest mentions; those of equal length by how well they fit; equal ones together.
fn resolve(mut hits: Vec<Hit>, message: &Message<'_>) -> Vec<Mention> {
    let len = |hit: &Hit| hit.words.len().max(hit.tokens.len());
    hits.sort_by(|a, b| {
        let by_len = len(b).cmp(&len(a)).then(b.fit.cmp(&a.fit)).then(a.off.cmp(&b.off));
        by_len
            .then(a.tokens.start.cmp(&b.tokens.start))
            .then(a.words.start.cmp(&b.words.start))
            .then(a.option.cmp(&b.option))
    });
    // Which mention has each token, so that long messages with many mentions stay cheap.
    let mut owner: Vec<Option<usize>> = vec![None; message.tokens.len()];
    let mut kept: Vec<(Mention, Range<usize>)> = Vec::new();
    for hit in hits {
        if hit.tokens.is_empty() {
            let span = message.said.raw_words(hit.words.clone());
            let free = kept.iter().all(|(mention, _)| !overlap(&mention.words, &hit.words));
            if free {
                kept.push((hit.mention(span), hit.tokens));
            }
            continue;
        }
        let mut owners = owner[hit.tokens.clone()].iter().flatten();
        match owners.next() {
            None => {
                owner[hit.tokens.clone()].fill(Some(kept.len()));
                let span = message.tokens.raw(hit.tokens.clone());
                kept.push((hit.mention(span), hit.tokens));
            }
            Some(&no) => {
                let (mention, tokens) = &mut kept[no];
                if *tokens == hit.tokens && mention.fit == hit.fit && !mention.options.contains(&hit.option) {
                    mention.options.push(hit.option);
                }
            }
        }
    }
    let mut kept: Vec<Mention> = kept.into_iter().map(|(mention, _)| mention).collect();
    for mention in &mut kept {
        mention.options.sort_unstable();
    }
    kept.sort_by_key(|mention| mention.span.start);
    kept
}

/// The option an exact text names: its id, else its label, case and accents aside.
pub fn exactly(options: &[Offered], text: &str, lang: &'static str) -> Option<usize> {
    let text = text.trim();
    if let Some(no) = options.iter().position(|option| option.id.as_str() == text) {
        return Some(no);
    }
    if let Some(no) = options.iter().position(|option| option.label.trim() == text) {
        return Some(no);
    }
    let folded = |text: &str| {
        let mut tokens = Tokens::new(lang);
        tokens.push_label(text);
        (0..tokens.len()).map(|no| tokens.text(no).to_owned()).collect::<Vec<_>>()
    };
    let want = folded(text);
    let same = |text: &str| !want.is_empty() && folded(text) == want;
    let mut fitting = options.iter().enumerate().filter(|(_, option)| same(&option.label) || same(option.id.as_str()));
    match (fitting.next(), fitting.next()) {
        (Some((no, _)), None) => Some(no),
        _ => None,
    }
}
