//! Words as Discord shows them: cleaned, escaped, shortened, split. The only place that knows its markup.

/// Text that is markup nowhere: markdown, mentions and headings come out as they were written.
///
/// Addresses keep their characters, because an escaped one could not be followed.
pub(crate) fn escape(text: &str) -> String {
    let text = clean(text);
    let mut out = String::with_capacity(text.len() + 8);
    for (no, line) in text.split('\n').enumerate() {
        if no > 0 {
            out.push('\n');
        }
        escape_line(line, &mut out);
    }
    out
}

fn escape_line(line: &str, out: &mut String) {
    let indent = line.len() - line.trim_start().len();
    for (no, word) in line.split(' ').enumerate() {
        if no > 0 {
            out.push(' ');
        }
        if is_address(word) {
            out.push_str(word);
            continue;
        }
        for (at, c) in word.char_indices() {
            // Offsets of words are not kept: what opens a block does so only as the first character of a line.
            let opens = no <= indent && at == 0 && matches!(c, '#' | '-' | '+');
            if opens || matches!(c, '\\' | '*' | '_' | '~' | '`' | '|' | '[' | ']' | '<' | '>' | '@') {
                out.push('\\');
            }
            out.push(c);
        }
    }
}

/// A web address of characters that no markup is made of.
fn is_address(word: &str) -> bool {
    let rest = word.strip_prefix("https://").or_else(|| word.strip_prefix("http://"));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._/:?#&=%+,".contains(c);
    rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(plain))
}

/// Text without characters that are invisible or turn the direction of what follows.
pub(crate) fn clean(text: &str) -> String {
    let keep = |c: &char| *c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(c));
    text.replace("\r\n", "\n").replace(['\t', '\r'], " ").chars().filter(keep).collect()
}

/// One line for a label, a placeholder or a title: never empty, never longer than `max`, cut with an ellipsis.
pub(crate) fn line(text: &str, max: usize) -> String {
    let text = clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return "—".to_owned();
    }
    clip(&text, max)
}

/// At most `max` units, cut with an ellipsis.
pub(crate) fn clip(text: &str, max: usize) -> String {
    if head(text, max).len() == text.len() {
        return text.to_owned();
    }
    let mut out = head(text, max.saturating_sub(1)).trim_end().to_owned();
    out.push('…');
    out
}

/// Whether [`line`] would lose words.
pub(crate) fn is_cut(text: &str, max: usize) -> bool {
    units(&clean(text)) > max
}

/// Length as counted here.
pub(crate) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn head(text: &str, max: usize) -> &str {
    let mut left = max;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16()) {
            Some(rest) => left = rest,
            None => return text.get(..at).unwrap_or_default(),
        }
    }
    text
}

/// Escaped text in parts of at most `max` units: cut at the end of a line, else of a word, never inside an escape.
pub(crate) fn split(text: &str, max: usize) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    loop {
        let head = head(rest, max);
        if head.len() == rest.len() {
            break;
        }
        let long_enough = |at: &usize| *at > head.len() / 2;
        let at = head.rfind('\n').filter(long_enough).or_else(|| head.rfind(' ').filter(long_enough));
        let mut at = at.unwrap_or(head.len());
        let slashes = head.get(..at).unwrap_or_default().bytes().rev().take_while(|b| *b == b'\\').count();
        at -= slashes % 2;
        let (part, tail) = rest.split_at(at.max(1));
        parts.push(part.trim_end().to_owned());
        rest = tail.trim_start();
    }
    parts.push(rest.to_owned());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::bold("*bold* _it_ ~s~ `c`", r"\*bold\* \_it\_ \~s\~ \`c\`")]
    #[case::mentions("@everyone <@123> <#4>", r"\@everyone \<\@123\> \<#4\>")]
    #[case::link("[text](https://evil.example)", r"\[text\](https://evil.example)")]
    #[case::spoiler("||x||", r"\|\|x\|\|")]
    #[case::heading("# big\n> quote\n- list", "\\# big\n\\> quote\n\\- list")]
    #[case::inside("a # b - c", "a # b - c")]
    #[case::indented("  - x", r"  \- x")]
    #[case::address("see https://a.example/x_y_z now_", r"see https://a.example/x_y_z now\_")]
    #[case::bad_address("https://a.example/||x||", r"https://a.example/\|\|x\|\|")]
    #[case::backslash(r"\*", r"\\\*")]
    #[case::controls("a\u{0}b\u{7}c\u{202e}d", "abcd")]
    fn markup_is_shown_as_it_was_written(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(escape(text), shown);
    }

    #[test]
    fn long_text_is_split_at_words_and_loses_none() {
        let text = "word and another ".repeat(400);
        let parts = split(&text, 2000);
        assert!(parts.iter().all(|part| units(part) <= 2000), "{parts:?}");
        assert_eq!(parts.join(" "), text.trim());
        let escapes = split(&escape(&"*".repeat(3001)), 2000);
        assert!(escapes.iter().all(|part| part.starts_with('\\') && part.ends_with('*')), "{escapes:?}");
        assert_eq!(split("", 10), Vec::<String>::new());
        assert_eq!(split(&"👩".repeat(30), 9).concat(), "👩".repeat(30));
    }

    #[rstest]
    #[case("", "—")]
    #[case("  a\n b ", "a b")]
    #[case("abcdef", "abcd…")]
    fn a_label_is_one_line_that_is_never_empty(#[case] text: &str, #[case] label: &str) {
        assert_eq!(line(text, 5), label);
    }
}
