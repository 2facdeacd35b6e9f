//! Who an id stands for: a person, or a client of the API, to whom everybody belongs that it speaks for.

/// The client of the API that a user belongs to: `key:CLIENT` of `key:CLIENT:…`, also as a desk on another platform names
/// it. None for everybody else.
pub(crate) fn client_of(user: &str) -> Option<&str> {
    let name = after_mark(user)?;
    let end = user.len() - name.len() + name.find(':')?;
    Some(&user[..end]).filter(|_| !name.starts_with(':'))
}

/// Whether an id is a client's own.
pub(crate) fn is_client(user: &str) -> bool {
    after_mark(user).is_some_and(|name| !name.is_empty() && !name.contains(':'))
}

/// The ids that are meant, as ranges from and to: one person, or a client and everybody it speaks for.
pub(crate) fn ranges(user: &str) -> Vec<(String, String)> {
    let mut ranges = vec![(user.to_owned(), user.to_owned())];
    if is_client(user) {
        ranges.push((format!("{user}:"), format!("{user}:{}", char::MAX)));
    }
    ranges
}

fn after_mark(user: &str) -> Option<&str> {
    user.strip_prefix("web:").unwrap_or(user).strip_prefix("key:")
}

/// Who gave an answer to a form filled together: how it is written in a session or a submission.
pub(crate) fn givers(json: &str) -> Vec<String> {
    const MARK: &str = "\"by\":";
    let name = |(at, _): (usize, &str)| {
        let after = json.get(at + MARK.len()..)?;
        serde_json::Deserializer::from_str(after).into_iter::<String>().next()?.ok()
    };
    json.match_indices(MARK).filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_gave_an_answer_is_found() {
        let json = serde_json::json!({
            "answers": { "size": { "value": "the \"by\":\"nobody\" shelf", "by": "ann \"é\"" } },
            "history": [{ "words": "x", "by": "ben" }, { "by": null }],
        });
        assert_eq!(givers(&json.to_string()), ["ann \"é\"", "ben"]);
    }

    #[test]
    fn a_client_is_told_from_those_it_speaks_for() {
        assert_eq!(client_of("key:shop:1:2"), Some("key:shop"));
        assert_eq!(client_of("web:key:shop:1"), Some("web:key:shop"));
        for nobody in ["key:shop", "key::1", "web:ann:1", "ann", "telegram:key:1:2"] {
            assert_eq!(client_of(nobody), None, "{nobody}");
        }
        assert!(is_client("key:shop") && is_client("web:key:shop"));
        assert!(!is_client("key:") && !is_client("key:shop:1") && !is_client("ann"));
    }

    #[test]
    fn a_clients_ranges_hold_its_people_and_nobody_else() {
        let meant = |whose: &str, user: &str| {
            ranges(whose).iter().any(|(from, to)| from.as_str() <= user && user <= to.as_str())
        };
        assert!(
            meant("key:shop", "key:shop")
                && meant("key:shop", "key:shop:1")
                && meant("key:shop", "key:shop:é\u{10fffe}")
        );
        assert!(!meant("key:shop", "key:shopping:1") && !meant("key:shop", "key:sho"));
        assert!(meant("ann", "ann") && !meant("ann", "ann:1"));
    }
}
