//! Keys that machines give out, known by how they look: tokens of services, signed tokens, private keys.

use std::ops::Range;

/// How keys of services begin, with how many letters and digits follow at least.
const BEGINNINGS: [(&str, usize); 50] = [
    ("ghp_", 6),
    ("gho_", 6),
    ("ghu_", 6),
    ("ghs_", 6),
    ("ghr_", 6),
    ("github_pat_", 6),
    ("glpat-", 6),
    ("sk-proj-", 6),
    ("sk-ant-", 6),
    ("sk_live_", 6),
    ("sk_test_", 6),
    ("rk_live_", 6),
    ("rk_test_", 6),
    ("whsec_", 6),
    ("xoxb-", 6),
    ("xoxp-", 6),
    ("xoxa-", 6),
    ("xoxr-", 6),
    ("xoxs-", 6),
    ("xoxe-", 6),
    ("xapp-", 6),
    ("hf_", 12),
    ("gsk_", 12),
    ("npm_", 12),
    ("pypi-", 16),
    ("dop_v1_", 6),
    ("dckr_pat_", 6),
    ("shpat_", 6),
    ("shpss_", 6),
    ("lin_api_", 6),
    ("glsa_", 12),
    ("sntrys_", 12),
    ("rubygems_", 12),
    ("figd_", 12),
    ("r8_", 12),
    ("ya29.", 12),
    ("AIza", 20),
    ("AKIA", 12),
    ("ASIA", 12),
    ("GOCSPX-", 12),
    ("NRAK-", 12),
    ("pplx-", 16),
    ("xkeysib-", 12),
    ("sq0atp-", 12),
    ("sq0csp-", 12),
    ("sk-", 12),
    ("SG.", 16),
    ("hvs.", 16),
    ("key-", 24),
    ("AGE-SECRET-KEY-", 6),
];

/// Those of them that begin nothing else, so that letters alone may follow; so do those that end in `_`.
const PLAIN: [&str; 4] = ["SG.", "GOCSPX-", "xkeysib-", "AGE-SECRET-KEY-"];

/// Keys in a message, as bytes of it, left to right.
pub(crate) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = private_keys(text);
    for (start, run) in runs(text) {
        if is_key(run) {
            found.push(start..start + run.len());
        }
    }
    found
}

/// Whether a run looks like a key or a password rather than a word: letters with digits or odd marks in it.
pub(crate) fn is_odd(run: &str) -> bool {
    let has = |what: fn(char) -> bool| run.chars().any(what);
    let marks = has(|c| matches!(c, '!' | '$' | '%' | '^' | '&' | '*' | '#' | '@' | '_' | '~' | '+' | '='));
    let is_address =
        run.contains("://") || run.contains('@') && run.rsplit('@').next().is_some_and(|end| end.contains('.'));
    has(char::is_alphabetic) && (has(char::is_numeric) || marks) && !is_address
}

fn is_key(run: &str) -> bool {
    let follows = |beginning: &str, least: usize| {
        let rest = run.strip_prefix(beginning)?;
        let odd = rest.chars().any(|c| c.is_ascii_digit()) || rest.chars().filter(char::is_ascii_uppercase).count() > 1;
        let long = rest.chars().filter(char::is_ascii_alphanumeric).count() >= least;
        (long && (odd || beginning.ends_with('_') || PLAIN.contains(&beginning))).then_some(())
    };
    BEGINNINGS.into_iter().any(|(beginning, least)| follows(beginning, least).is_some())
        || is_signed_token(run)
        || is_bot_token(run)
        || is_link_with_password(run)
}

/// A link that logs in: `postgres://ada:lovelace@example.com/shop`.
fn is_link_with_password(run: &str) -> bool {
    let authority = run.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
    user.and_then(|user| user.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
}

/// A signed token (JWT): three parts, of which the first two are JSON objects in base 64.
fn is_signed_token(run: &str) -> bool {
    let mut parts = run.split('.');
    let mut json = || parts.next().is_some_and(|part| part.starts_with("eyJ") && part.len() >= 10);
    json() && (json() || run.len() >= 40)
}

/// A bot's token: of Telegram its number, a colon, 30 and more letters and digits; of Discord three parts in base 64.
fn is_bot_token(run: &str) -> bool {
    let base64 = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let telegram = run.split_once(':').is_some_and(|(bot, key)| {
        (6..=12).contains(&bot.len()) && bot.bytes().all(|b| b.is_ascii_digit()) && key.len() >= 30 && base64(key)
    });
    let parts: Vec<&str> = run.split('.').collect();
    let discord = matches!(*parts, [bot, time, key]
        if bot.len() >= 23 && time.len() == 6 && key.len() >= 27 && [bot, time, key].into_iter().all(base64));
    telegram || discord
}

/// Private keys as files write them, with what stands between their first and last line.
fn private_keys(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("-----BEGIN ")) {
        let start = from + at;
        let rest = text.get(start..).unwrap_or_default();
        let heading = rest.get(11..).and_then(|rest| rest.split("-----").next()).unwrap_or_default();
        let end = rest.find("-----END ").and_then(|end| {
            let last = rest.get(end + 9..)?.find("-----")?;
            Some(start + end + 9 + last + 5)
        });
        let end = end.unwrap_or(text.len());
        if heading.ends_with("PRIVATE KEY") || heading.ends_with("PRIVATE KEY BLOCK") {
            found.push(start..end);
        }
        from = end.max(start + 11);
    }
    found
}

/// The runs without spaces, quotes and other marks around them, with where they start.
fn runs(text: &str) -> Vec<(usize, &str)> {
    const SHORTEST: usize = 10;
    const EDGES: &str = "\"'`=,;()<>|[]{}";
    let mut found = Vec::new();
    let mut start = 0;
    let ends = text.char_indices().filter(|(_, c)| c.is_whitespace() || EDGES.contains(*c));
    for (at, len) in ends.map(|(at, c)| (at, c.len_utf8())).chain([(text.len(), 0)]) {
        let run = text.get(start..at).unwrap_or_default();
        let bare = run.trim_start_matches([':', '.']);
        let from = start + run.len() - bare.len();
        let bare = bare.trim_end_matches(['.', ':', '!', '?']);
        if bare.len() >= SHORTEST {
            found.push((from, bare));
        }
        start = at + len;
    }
    found
}
