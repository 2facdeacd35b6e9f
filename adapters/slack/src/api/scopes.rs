//! What the bot's token must be allowed, and how to say what is missing.

/// Scopes that forms need, and what for.
const NEEDED: [(&str, &str); 11] = [
    ("chat:write", "sending"),
    ("im:history", "direct messages"),
    ("im:write", "starting a direct message from a shortcut"),
    ("app_mentions:read", "mentions"),
    ("channels:history", "answers in threads of public channels"),
    ("groups:history", "answers in threads of private channels"),
    ("files:read", "file inputs"),
    ("users:read", "names, languages and time zones"),
    ("channels:read", "names of public channels"),
    ("groups:read", "names of private channels"),
    ("commands", "the slash command and shortcuts"),
];

/// The scope without which nothing works.
const VITAL: &str = "chat:write";

/// What to tell the operator of the scopes that a token has; none where all are there.
pub(crate) fn missing(granted: &str) -> Option<Missing> {
    let granted: Vec<&str> = granted.split(',').map(str::trim).collect();
    let missing: Vec<_> = NEEDED.iter().filter(|(scope, _)| !granted.contains(scope)).collect();
    if missing.is_empty() {
        return None;
    }
    let list: Vec<String> = missing.iter().map(|(scope, what)| format!("{scope} ({what})")).collect();
    Some(Missing {
        vital: missing.iter().any(|(scope, _)| *scope == VITAL),
        words: format!(
            "missing scopes: {}; add them at api.slack.com/apps under “OAuth & Permissions”, Bot Token Scopes, and \
             reinstall the app",
            list.join(", ")
        ),
    })
}

/// Scopes that are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// Nothing works without them.
    pub(crate) vital: bool,
    /// For the operator.
    pub(crate) words: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_use() {
        let all: Vec<&str> = NEEDED.iter().map(|(scope, _)| *scope).collect();
        assert_eq!(missing(&all.join(",")), None);
        let some = missing("chat:write, im:history,commands").unwrap();
        assert!(!some.vital && some.words.contains("users:read (names"), "{some:?}");
        assert!(missing("").unwrap().vital);
    }
}
