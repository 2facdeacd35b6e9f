//! Words as they are compared: without their endings.

/// A word without its plural ending and without an article that has run into it, so that "pizzas" meets "pizza" and
/// "l'indirizzo" meets "indirizzo".
pub fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let word = match word.split_once('\'') {
        Some(("l" | "d" | "un" | "all" | "dall" | "dell" | "nell" | "sull" | "quest", noun)) if noun.len() > 2 => noun,
        _ => word,
    };
    match word.strip_suffix('s') {
        Some(one) if word.len() > 3 && !one.ends_with('s') => match one.strip_suffix("ie").or(one.strip_suffix("e")) {
            Some(root)
                if root.ends_with("ch") || root.ends_with("sh") || root.ends_with('x') || root.ends_with('s') =>
            {
                root
            }
            _ => one,
        },
        _ => word,
    }
}
