//! A message as tokens with what is known of each, once, for every stage behind it: what a small word does in the sentence,
//! capitals, clauses, what is denied or past, and which tokens something already explains.

use std::ops::Range;

use formwright_form::kind::Said;
use formwright_lexicon::Language;
use formwright_lexicon::class::Class;
use formwright_lexicon::sense::Sense;
use formwright_text as text;

use super::frames;
use crate::reader::Reader;

/// One token: a word, a number, a mark, or a part of a word that is one by itself ("l'" of "l'hotel").
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// Its bytes in the message as written.
    pub(crate) raw: Range<usize>,
    /// The word of the message that it is, or is part of.
    pub(crate) word: usize,
    /// As compared: lower case, without accents.
    pub(crate) plain: String,
    pub(crate) kind: TokenKind,
    /// It does something in a sentence and names nothing.
    pub(crate) function: bool,
    /// A capital that tells something: not the one that begins a sentence with a small word.
    pub(crate) capital: bool,
    /// A word of the language that names nothing in particular.
    pub(crate) known: bool,
    pub(crate) clause: u16,
    /// It stands in a question.
    pub(crate) asked_about: bool,
    /// It stands behind a negation.
    pub(crate) negated: bool,
    /// It tells what was.
    pub(crate) past: bool,
    /// Its clause has a negation behind it.
    pub(crate) denied: bool,
    /// Its clause speaks of somebody else.
    pub(crate) of_other: bool,
    /// Its clause supposes something.
    pub(crate) supposed: bool,
    /// It stands between quotation marks.
    pub(crate) quoted: bool,
}

/// What a token is, as its neighbours see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A small word of a class.
    Small(Class),
    /// Another word without a meaning of its own.
    Idle,
    /// A number in digits.
    Digits,
    /// A comma.
    Comma,
    /// A mark that ends a sentence.
    Stop,
    /// Another mark.
    Mark,
    /// A word with a capital.
    Capital,
    /// Any other word.
    Word,
    /// Before the first and behind the last.
    Edge,
}

impl TokenKind {
    /// How many there are.
    pub(crate) const COUNT: usize = Class::ALL.len() + 8;

    /// Its number: below [`Self::COUNT`].
    pub(crate) fn index(self) -> usize {
        let small = Class::ALL.len();
        match self {
            Self::Small(class) => class as usize,
            Self::Idle => small,
            Self::Digits => small + 1,
            Self::Comma => small + 2,
            Self::Stop => small + 3,
            Self::Mark => small + 4,
            Self::Capital => small + 5,
            Self::Word => small + 6,
            Self::Edge => small + 7,
        }
    }

    /// Its name in the table of weights.
    pub(crate) fn name(index: usize) -> &'static str {
        const OTHERS: [&str; 8] = ["idle", "digits", "comma", "stop", "mark", "capital", "word", "edge"];
        match Class::ALL.get(index) {
            Some(class) => class.name(),
            None => OTHERS.get(index - Class::ALL.len()).copied().unwrap_or("?"),
        }
    }

    pub(crate) fn is_mark(self) -> bool {
        matches!(self, Self::Comma | Self::Stop | Self::Mark)
    }
}

/// A message and what is known of its tokens.
#[derive(Debug)]
pub(crate) struct Analysis<'a> {
    pub(crate) said: &'a Said,
    pub(crate) tokens: Vec<Token>,
    /// No capital tells anything: all is written small.
    pub(crate) small: bool,
    /// It puts something right: "actually", "sorry".
    pub(crate) corrects: bool,
    /// It asks something.
    pub(crate) asks: bool,
    /// What tokens are about.
    pub(crate) senses: Vec<(Range<usize>, Sense)>,
    /// By token: which phrases that lead to a value end before it, see [`frames::LEADING`].
    pub(crate) led: Vec<u32>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(reader: &Reader<'a>, lang: &'a Language) -> Self {
        let said = reader.said;
        let mut tokens: Vec<Token> = Vec::with_capacity(said.words.len() + 4);
        for no in 0..said.words.len() {
            push_word(&mut tokens, said, lang, no);
        }
        for token in &mut tokens {
            let idle = reader.is_idle(token.word) && !reader.is_of_form(token.word);
            if idle && matches!(token.kind, TokenKind::Word) {
                token.kind = TokenKind::Idle;
            }
            token.function = matches!(token.kind, TokenKind::Small(_) | TokenKind::Idle);
            token.clause = u16::try_from(reader.clause_of(token.word)).unwrap_or(u16::MAX);
            let clause = reader.clauses.get(usize::from(token.clause));
            token.asked_about = clause.is_some_and(|clause| clause.question);
        }
        for no in 0..tokens.len() {
            let opens = no == 0 || matches!(tokens[no - 1].kind, TokenKind::Stop);
            let token = &mut tokens[no];
            let upper =
                said.raw.get(token.raw.clone()).and_then(|raw| raw.chars().next()).is_some_and(char::is_uppercase);
            token.capital = upper && !said.is_i(token.word) && !(opens && token.function);
            if token.capital && matches!(token.kind, TokenKind::Word) {
                token.kind = TokenKind::Capital;
            }
        }
        let small = !tokens.iter().skip(1).any(|token| token.capital);
        let corrects = tokens.iter().any(|token| token.kind == TokenKind::Small(Class::Instead));
        let asks = tokens.iter().any(|token| token.asked_about) || said.raw.contains(['?', '؟']);
        let mut analysis = Self { said, tokens, small, corrects, asks, senses: Vec::new(), led: Vec::new() };
        analysis.scope();
        analysis.senses = senses(&analysis.tokens, lang);
        analysis.others(lang);
        analysis.frame(reader);
        analysis
    }

    /// What a negation and a word of the past reach: the next tokens up to a "but" or the end of the clause.
    fn scope(&mut self) {
        const REACH: usize = 6;
        let (mut negated, mut past, mut quoted) = (0_usize, 0_usize, false);
        for token in &mut self.tokens {
            match token.kind {
                TokenKind::Small(Class::Not) => negated = REACH,
                TokenKind::Small(Class::But) | TokenKind::Comma => negated = 0,
                TokenKind::Small(Class::Past) => past = REACH,
                TokenKind::Stop => (negated, past) = (0, 0),
                _ => {}
            }
            token.quoted = quoted;
            if matches!(token.plain.as_str(), "\"" | "“" | "”" | "«" | "»" | "„") {
                quoted = !quoted;
            }
            token.negated = negated > 0;
            token.past = past > 0;
            negated = negated.saturating_sub(1);
            past = past.saturating_sub(1);
        }
    }

    /// What a whole clause is: denied by what is behind, somebody else's, supposed.
    fn others(&mut self, lang: &Language) {
        const OTHERS: [&str; 5] = ["relative", "friend", "colleague", "neighbour", "partner"];
        let others: Vec<Sense> = OTHERS.iter().filter_map(|name| lang.sense.named(name)).collect();
        for Range { start: from, end } in self.clauses() {
            let is = |no: usize, class: Class| self.tokens[no].kind == TokenKind::Small(class);
            let supposed = (from..end).any(|no| is(no, Class::If));
            let somebody = |no: usize| {
                is(no, Class::Their) || self.senses.iter().any(|(at, sense)| at.contains(&no) && others.contains(sense))
            };
            let of_other = (from..end).find(|no| somebody(*no)).unwrap_or(end);
            let last_not = (from..end).rev().find(|no| is(*no, Class::Not));
            for no in from..end {
                let token = &mut self.tokens[no];
                token.supposed = supposed;
                token.of_other = no >= of_other;
                token.denied = last_not.is_some_and(|not| no < not);
            }
        }
    }

    /// The tokens of each clause.
    pub(crate) fn clauses(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let clauses = self.tokens.chunk_by(|one, next| one.clause == next.clause);
        let mut range = |len: usize| {
            start += len;
            start - len..start
        };
        clauses.map(|clause| range(clause.len())).collect()
    }

    /// Where phrases that lead to a value stand.
    fn frame(&mut self, reader: &Reader<'a>) {
        let words = reader.said.words.len();
        self.led = vec![0; self.tokens.len() + 1];
        for no in 0..words {
            for (bit, frame) in frames::LEADING.iter().enumerate() {
                let len = reader.len(frame.phrases, no, words);
                if len > 0 {
                    let token = self.tokens.partition_point(|token| token.word < no + len);
                    self.led[token] |= 1 << bit;
                }
            }
        }
    }

    /// Whether a token is written with the one before it and no mark between: Arabic "يون" of "ليون".
    pub(crate) fn is_joined(&self, no: usize) -> bool {
        let before = no.checked_sub(1).and_then(|no| self.tokens.get(no));
        let joins = |before: &Token, token: &Token| before.word == token.word && !before.plain.ends_with('\'');
        before.zip(self.tokens.get(no)).is_some_and(|(before, token)| joins(before, token))
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// What stands at a place, which may be none of the message.
    pub(crate) fn kind(&self, no: Option<usize>) -> TokenKind {
        no.and_then(|no| self.tokens.get(no)).map_or(TokenKind::Edge, |token| token.kind)
    }

    /// The bytes of tokens.
    pub(crate) fn raw(&self, tokens: &Range<usize>) -> Range<usize> {
        let first = self.tokens.get(tokens.start).map_or(0, |token| token.raw.start);
        let last =
            tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(first, |token| token.raw.end);
        first..last.max(first)
    }

    /// The message as written, from token to token.
    pub(crate) fn text(&self, tokens: &Range<usize>) -> &'a str {
        self.said.raw.get(self.raw(tokens)).unwrap_or_default()
    }

    /// The tokens that bytes touch.
    pub(crate) fn tokens_of(&self, raw: &Range<usize>) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.raw.end <= raw.start);
        let end = self.tokens.partition_point(|token| token.raw.start < raw.end);
        start..end.max(start)
    }

    /// The tokens of words.
    pub(crate) fn tokens_of_words(&self, words: &Range<usize>) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.word < words.start);
        let end = self.tokens.partition_point(|token| token.word < words.end);
        start..end.max(start)
    }

    /// The words that tokens are of.
    pub(crate) fn words_of(&self, tokens: &Range<usize>) -> Range<usize> {
        let word = |no: usize| self.tokens.get(no).map(|token| token.word);
        match (word(tokens.start), tokens.end.checked_sub(1).and_then(word)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }
}

/// What tokens are about.
fn senses(tokens: &[Token], lang: &Language) -> Vec<(Range<usize>, Sense)> {
    let words: Vec<&str> = tokens.iter().map(|token| token.plain.as_str()).collect();
    let mut senses = Vec::new();
    for no in 0..words.len() {
        let rest = words.get(no..).unwrap_or_default();
        let found = lang.and_english().flat_map(|lang| lang.sense.at(rest));
        senses.extend(found.map(|(len, sense)| (no..no + len, sense)));
    }
    senses.dedup();
    senses
}

/// Adds a word of the message: as one token, or as two where it begins with a small word that is written with the next.
fn push_word(tokens: &mut Vec<Token>, said: &Said, lang: &Language, no: usize) {
    let raw = said.raw_words(no..no + 1);
    let plain = said.plain(no);
    let class = lang.and_english().find_map(|lang| lang.class.0.at(said, no).filter(|(len, _)| *len == 1));
    let kind = match (said.words.get(no).map(|word| word.class), class) {
        (Some(text::Class::Mark), _) => match plain {
            "," | "،" | ";" | "؛" => TokenKind::Comma,
            "." | "!" | "?" | "؟" | "…" => TokenKind::Stop,
            _ => class.map_or(TokenKind::Mark, |(_, class)| TokenKind::Small(*class)),
        },
        (_, Some((_, class))) => TokenKind::Small(*class),
        (Some(text::Class::Digits), _) => TokenKind::Digits,
        _ => TokenKind::Word,
    };
    let token = |raw: Range<usize>, plain: &str, kind: TokenKind| Token {
        raw,
        word: no,
        plain: plain.to_owned(),
        kind,
        function: false,
        capital: false,
        known: lang.and_english().any(|lang| lang.knows(plain)),
        clause: 0,
        asked_about: false,
        negated: false,
        past: false,
        denied: false,
        of_other: false,
        supposed: false,
        quoted: false,
    };
    if kind == TokenKind::Word
        && let Some((head, class)) = clitic(lang, plain)
    {
        // The same number of letters, whatever accents they have.
        let letters = plain.get(..head).map_or(0, |head| head.chars().count());
        let written = said.raw.get(raw.clone()).unwrap_or_default();
        if let Some((at, _)) = written.char_indices().nth(letters) {
            let (head, rest) = plain.split_at(head);
            let rest_class = lang.and_english().find_map(|lang| lang.class.0.word(rest)).copied();
            let middle = raw.start + at;
            tokens.push(token(raw.start..middle, head, TokenKind::Small(class)));
            tokens.push(token(middle..raw.end, rest, rest_class.map_or(TokenKind::Word, TokenKind::Small)));
            return;
        }
    }
    tokens.push(token(raw, plain, kind));
}

/// How many bytes of a word are a small word written with the next ("l'", "dell'", Arabic "ب"), and its class.
fn clitic(lang: &Language, plain: &str) -> Option<(usize, Class)> {
    const SHORTEST: usize = 3;
    if let Some(at) = plain.find('\'') {
        let head = plain.get(..=at)?;
        let rest = plain.get(at + 1..).filter(|rest| !rest.is_empty())?;
        let class = lang.class.0.word(head).copied()?;
        return rest.chars().next().is_some_and(char::is_alphabetic).then_some((head.len(), class));
    }
    let first = plain.chars().next().filter(|first| !first.is_ascii() && lang.rtl)?;
    let (head, rest) = plain.split_at(first.len_utf8());
    let class = lang.class.0.word(head).copied()?;
    (rest.chars().count() >= SHORTEST).then_some((head.len(), class))
}
