//! Text with the little markup that the bot uses. Words of forms and people pass through [`clean`] when they come in
//! and through [`escape`] when they go out, and nowhere else.

/// How a run of words looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Italic,
}

/// Runs of words, each with its look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(Vec<(Style, String)>);

impl Text {
    pub(crate) fn push(&mut self, style: Style, words: &str) {
        let words = clean(words);
        match self.0.last_mut() {
            Some((last, text)) if *last == style => text.push_str(&words),
            _ if words.is_empty() => {}
            _ => self.0.push((style, words)),
        }
    }

    /// Begins a new paragraph, unless nothing stands before it.
    pub(crate) fn paragraph(&mut self, gap: &str) {
        if !self.0.is_empty() {
            self.push(Style::Plain, gap);
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.0.iter().all(|(_, words)| words.chars().all(invisible))
    }

    /// UTF-16 units, as Telegram counts.
    pub(crate) fn units(&self) -> usize {
        self.0.iter().map(|(_, words)| units(words)).sum()
    }

    /// In pieces of at most `limit` UTF-16 units, cut between lines or words where it can be. No words are lost; a piece
    /// that shows nothing is left out.
    pub(crate) fn split(self, limit: usize) -> Vec<Self> {
        let mut pieces = Vec::new();
        let mut piece = Self::default();
        for (style, words) in self.0 {
            let mut rest = words.as_str();
            while !rest.is_empty() {
                let room = limit.saturating_sub(piece.units());
                if units(rest) <= room {
                    piece.0.push((style, rest.to_owned()));
                    break;
                }
                let at = cut(rest, room, piece.0.is_empty());
                if at > 0 {
                    piece.0.push((style, rest[..at].to_owned()));
                }
                rest = rest[at..].trim_start();
                pieces.push(std::mem::take(&mut piece));
            }
        }
        pieces.push(piece);
        pieces.retain(|piece| !piece.is_blank());
        pieces
    }

    pub(crate) fn html(&self) -> String {
        let last = self.0.len().saturating_sub(1);
        let run = |(no, (style, words)): (usize, &(Style, String))| {
            let words = if no == 0 { words.trim_start() } else { words };
            let words = escape(if no == last { words.trim_end() } else { words });
            match style {
                Style::Plain => words,
                Style::Bold => format!("<b>{words}</b>"),
                Style::Italic => format!("<i>{words}</i>"),
            }
        };
        self.0.iter().enumerate().map(run).collect()
    }
}

pub(crate) fn units(words: &str) -> usize {
    words.chars().map(char::len_utf16).sum()
}

/// Where to cut words so that at most `room` units stand before; 0 only where something stands before already.
fn cut(words: &str, room: usize, first: bool) -> usize {
    let mut used = 0;
    let mut line = 0;
    let mut word = 0;
    let mut whole = 0;
    let mut joined = false;
    for (at, c) in words.char_indices() {
        if !extends(c) && !joined {
            whole = at;
        }
        joined = c == '\u{200d}';
        if used + c.len_utf16() > room {
            break;
        }
        used += c.len_utf16();
        match c {
            '\n' => line = at,
            ' ' => word = at,
            _ => {}
        }
    }
    let enough = room / 2;
    let good = [line, word].into_iter().find(|at| *at > 0 && units(&words[..*at]) >= enough);
    match good {
        Some(at) => at,
        // A new message may have more room for the first word.
        None if !first => 0,
        None if whole > 0 => whole,
        // One character made of more than fits: cut it.
        None => {
            words.char_indices().map(|(at, _)| at).take_while(|at| units(&words[..*at]) <= room).last().unwrap_or(0)
        }
    }
}

/// Whether a character belongs to the one before it.
fn extends(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

fn invisible(c: char) -> bool {
    c.is_whitespace() || formwright_chat::unseen::is_unseen(c)
}

/// Words that are safe to show: no control characters, none that turn the rest of the line round, and no mention that
/// would ping somebody (an invisible joiner stands behind its `@`; e-mail addresses stay as they are).
pub(crate) fn clean(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut before = ' ';
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\u{202a}'..='\u{202e}' => continue,
            c if c.is_control() => continue,
            '@' => {
                out.push('@');
                let word = |c: char| c.is_alphanumeric() || c == '_';
                if !word(before) && chars.peek().is_some_and(|next| word(*next)) {
                    out.push('\u{2060}');
                }
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// The one function through which words become HTML.
pub(crate) fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// What a reader of the markup sees.
pub(crate) fn unescape(html: &str) -> String {
    let plain = ["<b>", "</b>", "<i>", "</i>"].iter().fold(html.to_owned(), |text, tag| text.replace(tag, ""));
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// At most so many characters, with `…` where something was left out.
pub(crate) fn shorten(words: &str, chars: usize) -> String {
    let words = clean(words);
    let words = words.trim();
    if words.chars().count() <= chars {
        return words.to_owned();
    }
    let mut short: String = words.chars().take(chars.saturating_sub(1)).collect();
    short.truncate(short.trim_end().trim_end_matches('\u{200d}').len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("<b>x</b> & \"y\"", "&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;")]
    #[case("&amp;", "&amp;amp;")]
    #[case("a\u{0}b\u{7}c\u{202e}d", "abcd")]
    #[case("hi @ada, mail ada@example.com or @ home", "hi @\u{2060}ada, mail ada@example.com or @ home")]
    fn words_show_as_they_are_and_ping_nobody(#[case] words: &str, #[case] shown: &str) {
        let mut text = Text::default();
        text.push(Style::Plain, words);
        assert_eq!(text.html(), shown);
    }

    #[test]
    fn long_words_are_cut_between_words_and_none_is_lost() {
        let words: Vec<String> = (0..900).map(|no| format!("word{no}")).collect();
        let mut text = Text::default();
        text.push(Style::Bold, &words.join(" "));
        let pieces = text.split(1000);
        assert!(pieces.iter().all(|piece| piece.units() <= 1000));
        let back = pieces.iter().map(Text::html).collect::<Vec<_>>().join(" ").replace("<b>", "").replace("</b>", "");
        assert_eq!(back, words.join(" "));
    }

    #[test]
    fn characters_outside_the_first_plane_count_twice_and_stay_whole() {
        let mut text = Text::default();
        text.push(Style::Plain, &"👩‍👩‍👧‍👦".repeat(100));
        let pieces = text.split(101);
        assert!(pieces.iter().all(|piece| piece.units() <= 101 && piece.html().starts_with('👩')), "{pieces:?}");
    }
}
