//! Patterns: those of XLSForms must fit a whole text, those of form files may be found anywhere in it.

/// A pattern that must fit the whole text, as patterns of XLSForms must.
pub(crate) fn whole(pattern: &str) -> String {
    let inner = before_end(pattern);
    if pattern.starts_with('^') && inner.is_some() && !pattern.contains('|') {
        return pattern.to_owned();
    }
    let inner = inner.unwrap_or(pattern);
    format!("^(?:{})$", inner.strip_prefix('^').unwrap_or(inner))
}

/// What stands before the mark of the end; none where a pattern has none, or ends with a dollar sign.
fn before_end(pattern: &str) -> Option<&str> {
    let inner = pattern.strip_suffix('$')?;
    let marks = inner.len() - inner.trim_end_matches('\\').len();
    (marks % 2 == 0).then_some(inner)
}

/// A pattern that may fit anywhere, written for a `regex` that must fit the whole text.
pub(crate) fn found_anywhere(pattern: &str) -> String {
    let whole = pattern.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(")$"));
    if let Some(inner) = whole.filter(|inner| is_closed(inner)) {
        return inner.to_owned();
    }
    // Of several, each has a beginning and an end of its own.
    let one = !pattern.contains('|');
    let (start, end) = (one && pattern.starts_with('^'), one && before_end(pattern).is_some());
    match (start, end) {
        (true, true) => pattern.to_owned(),
        _ => format!("{}(?:{pattern}){}", if start { "" } else { "[\\s\\S]*" }, if end { "" } else { "[\\s\\S]*" }),
    }
}

/// Whether the brackets of a pattern belong to each other.
fn is_closed(pattern: &str) -> bool {
    let (mut open, mut class, mut escaped) = (0_u32, false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => open += 1,
            ')' if !class => match open.checked_sub(1) {
                Some(less) => open = less,
                None => return false,
            },
            _ => {}
        }
    }
    open == 0 && !escaped
}
