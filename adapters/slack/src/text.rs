//! Words on their way to Slack and back: cleaned, escaped, cut, and read out of its markup.

use serde_json::{Value, json};

/// What stands where Slack wants words and there are none.
const NOTHING: &str = "—";

/// A `plain_text` object: Slack makes neither markup nor mention nor link of it.
pub(crate) fn plain(words: &str, limit: usize) -> Value {
    json!({"type": "plain_text", "text": label(words, limit), "emoji": false})
}

/// Words for one line that may not be empty: cleaned, cut.
pub(crate) fn label(words: &str, limit: usize) -> String {
    let clean = clean(words);
    if clean.trim().is_empty() { NOTHING.to_owned() } else { cut(&clean, limit) }
}

/// Escapes words for mrkdwn, the only way in which they get into a message's `text`: no mention, link or command can be
/// made of what a person wrote (docs.slack.dev/messaging/formatting-message-text#escaping).
pub(crate) fn escape(words: &str) -> String {
    clean(words).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Without control characters, and without the characters that turn the direction of all that follows.
pub(crate) fn clean(words: &str) -> String {
    let unwanted = |c: &char| (c.is_control() && *c != '\n' && *c != '\t') || ('\u{202a}'..='\u{202e}').contains(c);
    words.chars().filter(|c| !unwanted(c)).collect()
}

/// At most so many characters, an ellipsis being one.
pub(crate) fn cut(words: &str, limit: usize) -> String {
    match words.char_indices().nth(limit) {
        None => words.to_owned(),
        Some(_) => {
            let kept: String = words.chars().take(limit.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}

/// At most so many characters, cut at the end of a word where that leaves more than half: for titles.
pub(crate) fn title(words: &str, limit: usize) -> String {
    let clean = label(words, usize::MAX);
    let Some((end, _)) = clean.char_indices().nth(limit) else { return clean };
    let room = clean.char_indices().nth(limit.saturating_sub(1)).map_or(end, |(end, _)| end);
    // A word that ends just where the room does is whole.
    let whole = clean[room..].starts_with(char::is_whitespace);
    let head = &clean[..room];
    let at = if whole { None } else { head.rfind(char::is_whitespace) };
    let head = at.map(|at| &head[..at]).filter(|head| head.chars().count() > limit / 2).unwrap_or(head);
    format!("{}…", head.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '(')))
}

/// The words in pieces of at most `limit` characters, broken at line ends or spaces where there are any.
pub(crate) fn pieces(words: &str, limit: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some((end, _)) = rest.char_indices().nth(limit) {
        let head = &rest[..end];
        let at = head.rfind('\n').or_else(|| head.rfind(' ')).filter(|at| *at > end / 2).map_or(end, |at| at + 1);
        pieces.push(rest[..at].trim_end().to_owned());
        rest = &rest[at..];
    }
    if !rest.trim().is_empty() || pieces.is_empty() {
        pieces.push(rest.to_owned());
    }
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// What a person wrote, out of Slack's markup: entities and links undone, mentions of the bot left out, other mentions
/// kept as `<@U1|name>` and `<#C1|name>`, which is how persons and channels are read.
pub(crate) fn unmarked(text: &str, bot: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out.push_str(&entities(&rest[..open]));
        // Slack escapes a bare `<`; what is unfinished all the same is kept as it is.
        let Some(len) = rest[open..].find('>') else {
            out.push_str(&rest[open..]);
            return out.trim().to_owned();
        };
        out.push_str(&element(&rest[open + 1..open + len], bot));
        rest = &rest[open + len + 1..];
    }
    out.push_str(&entities(rest));
    out.trim().to_owned()
}

fn element(inner: &str, bot: &str) -> String {
    let (target, label) = inner.split_once('|').map_or((inner, None), |(target, label)| (target, Some(label)));
    let shown = || entities(label.unwrap_or_default());
    match target.chars().next() {
        Some('@') if target[1..] == *bot && !bot.is_empty() => String::new(),
        Some('@' | '#') => format!("<{inner}>"),
        Some('!') if label.is_some() => shown(),
        // A group's id says nothing to anybody.
        Some('!') if target.starts_with("!subteam") => "@group".to_owned(),
        Some('!') => format!("@{}", &target[1..]),
        _ if target.starts_with("mailto:") || target.starts_with("tel:") => {
            label.map_or_else(|| entities(target.split_once(':').map_or(target, |(_, to)| to)), entities)
        }
        _ => entities(target),
    }
}

/// Words out of mrkdwn, not escaped any more.
pub(crate) fn entities(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("<@UBOT> I want a pizza", "I want a pizza")]
    #[case("<@UBOT|formwright>   hi", "hi")]
    #[case("ask <@U2|ada>, in <#C9|team>", "ask <@U2|ada>, in <#C9|team>")]
    #[case("mail <mailto:a@b.example|a@b.example>", "mail a@b.example")]
    #[case("call <tel:+39021234567|+39 02 1234567>", "call +39 02 1234567")]
    #[case("see <https://x.example/?a=1&amp;b=2|x.example>", "see https://x.example/?a=1&b=2")]
    #[case("1 &lt; 2 &amp;amp; 3", "1 < 2 &amp; 3")]
    #[case("<!here> <!subteam^S1|@cooks> <!subteam^S2> <!date^1^{date}|today>", "@here @cooks @group today")]
    #[case("a < b", "a < b")]
    #[case("", "")]
    fn what_a_person_wrote_is_read(#[case] text: &str, #[case] want: &str) {
        assert_eq!(unmarked(text, "UBOT"), want);
    }

    #[test]
    fn nothing_that_is_escaped_can_mention_or_link() {
        for hostile in formwright_chat::conformance::HOSTILE {
            let escaped = escape(hostile);
            assert!(!escaped.contains(['<', '>', '\u{0}', '\u{202e}']), "{escaped}");
            assert_eq!(unmarked(&escaped, "UBOT"), clean(hostile).trim());
        }
    }

    #[rstest]
    #[case("Pizza order", "Pizza order")]
    #[case("Report of an injury at work", "Report of an injury at…")]
    #[case("Expense claim, travel and meals", "Expense claim, travel…")]
    #[case("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsg…")]
    #[case("", "—")]
    fn a_title_is_cut_at_a_word(#[case] words: &str, #[case] want: &str) {
        assert_eq!(title(words, 24), want);
        assert!(title(words, 24).chars().count() <= 24);
    }

    #[test]
    fn long_words_are_cut_or_parted_and_nothing_is_lost() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        let words = "word ".repeat(2000);
        let parts = pieces(&words, 300);
        assert!(parts.iter().all(|part| part.chars().count() <= 300));
        assert_eq!(parts.join(" ").split_whitespace().count(), 2000);
        assert_eq!(pieces(&"ä".repeat(7), 3), ["äää", "äää", "ä"]);
        assert!(pieces(" ", 3).is_empty());
    }
}
