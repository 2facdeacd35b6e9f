//! What must hold of an answer, in words: `Max date: today`, `Must be on or after start_date`, `English and Arabic only`.

use super::condition::{self, Known};
use super::words;

/// What a sentence asks of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// A key with its value.
    Key(&'static str, String),
    /// Scripts whose letters are taken.
    Letters(Vec<&'static str>),
    /// An expression over `value`.
    Check(String),
    /// Nothing that the field's kind does not ask anyway.
    Nothing,
}

/// What each sentence asks; none where it cannot be told.
pub(super) fn limits(text: &str, field: &Known, fields: &[Known]) -> Vec<(String, Option<Limit>)> {
    let sentences = text.split(". ").flat_map(|part| part.split([';', '\n']));
    let sentences = sentences.map(|sentence| sentence.trim().trim_end_matches('.').trim());
    sentences
        .filter(|sentence| !sentence.is_empty())
        .map(|sentence| (sentence.to_owned(), limit(sentence, field, fields)))
        .collect()
}

fn limit(sentence: &str, field: &Known, fields: &[Known]) -> Option<Limit> {
    let small = sentence.to_lowercase();
    let is_day = matches!(field.kind.as_str(), "date" | "datetime" | "date_range");
    if let Some((name, bound)) = small.split_once(':') {
        let key = match name.trim() {
            "max" | "max date" | "maximum" | "latest" => "max",
            "min" | "min date" | "minimum" | "earliest" => "min",
            "max size" | "maximum size" => return bytes(bound).map(|bytes| Limit::Key("max_bytes", bytes)),
            _ => return None,
        };
        let bound = bound.trim();
        // Said of a day and a time together.
        if field.kind == "time" && name.contains("date") {
            return Some(Limit::Nothing);
        }
        if is_day {
            let op = if key == "max" { "is on or before" } else { "is on or after" };
            return match day(bound) {
                Some(day) => Some(Limit::Key(key, day)),
                None => against(&format!("{op} {}", bound.trim_start_matches("the ")), field, fields),
            };
        }
        let number = bound.split_whitespace().next()?;
        return number.parse::<rust_decimal::Decimal>().is_ok().then(|| Limit::Key(key, number.to_owned()));
    }
    if small.contains("gregorian") || small.starts_with("must be a valid") || small.starts_with("must be valid") {
        return Some(Limit::Nothing);
    }
    let only = small.contains("only") && (small.contains("character") || small.contains("letter"));
    if only && field.kind == "text" {
        let scripts: Vec<&'static str> = words::languages(&small).into_iter().map(script).collect();
        return (!scripts.is_empty()).then_some(Limit::Letters(scripts));
    }
    if is_day && matches!(small.as_str(), "not in the future" | "must not be in the future" | "cannot be in the future")
    {
        return Some(Limit::Key("max", "today".into()));
    }
    if is_day && matches!(small.as_str(), "not in the past" | "must not be in the past" | "cannot be in the past") {
        return Some(Limit::Key("min", "today".into()));
    }
    if small.starts_with("max ") && (small.contains(" mb") || small.contains(" kb")) {
        return bytes(small.trim_start_matches("max ")).map(|bytes| Limit::Key("max_bytes", bytes));
    }
    if small.contains("characters") {
        let number: String =
            small.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let key = if small.contains("at least") || small.starts_with("min") { "min_chars" } else { "max_chars" };
        let said = ["at least", "at most", "max", "min", "up to"].iter().any(|word| small.contains(word));
        return (said && !number.is_empty()).then_some(Limit::Key(key, number));
    }
    let rest =
        ["must be ", "has to be ", "is "].iter().find_map(|head| small.starts_with(head).then_some(head.len()))?;
    against(sentence.get(rest..)?, field, fields)
}

/// A comparison with another field: `on or after start_date`.
fn against(words: &str, field: &Known, fields: &[Known]) -> Option<Limit> {
    let code = condition::condition(&format!("{} {words}", field.id), fields)?;
    let rest = code.strip_prefix(field.id.as_str()).filter(|rest| rest.starts_with(' '))?;
    Some(Limit::Check(format!("value{rest}")))
}

/// `today`, `100 years ago` or a day, as bounds are written.
fn day(words: &str) -> Option<String> {
    if words == "today" || words.parse::<jiff::civil::Date>().is_ok() {
        return Some(words.to_owned());
    }
    let mut parts = words.split_whitespace();
    let (number, unit, ago) = (parts.next()?.parse::<u32>().ok()?, parts.next()?, parts.next()?);
    let unit = match unit.trim_end_matches('s') {
        "year" => "y",
        "month" => "m",
        "week" => "w",
        "day" => "d",
        _ => return None,
    };
    (ago == "ago").then(|| format!("today-{number}{unit}"))
}

/// A size in words, in bytes: `2 MB per file`.
fn bytes(words: &str) -> Option<String> {
    let mut parts = words.split_whitespace();
    let number: u64 = parts.next()?.parse().ok()?;
    let unit = match parts.next()? {
        "kb" => 1 << 10,
        "mb" => 1 << 20,
        _ => return None,
    };
    number.checked_mul(unit).map(|bytes| bytes.to_string())
}

fn script(language: &'static str) -> &'static str {
    match language {
        "ar" | "ur" => "arabic",
        "ru" => "cyrillic",
        _ => "latin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(id: &str, label: &str, kind: &str) -> Known {
        Known { id: id.to_owned(), label: label.to_owned(), kind: kind.to_owned(), options: Vec::new() }
    }

    #[rstest::rstest]
    #[case("date", "Max date: today", Some(Limit::Key("max", "today".into())))]
    #[case("date", "Min: 100 years ago", Some(Limit::Key("min", "today-100y".into())))]
    #[case("date", "Min date: the start date", Some(Limit::Check("value >= start".into())))]
    #[case("date", "Must be on or after start", Some(Limit::Check("value >= start".into())))]
    #[case("date", "Must be after the moon landing", None)]
    #[case("date", "Gregorian only", Some(Limit::Nothing))]
    #[case("date", "Not in the future", Some(Limit::Key("max", "today".into())))]
    #[case("text", "Accepts only English and Arabic characters", Some(Limit::Letters(vec!["latin", "arabic"])))]
    #[case("text", "At most 200 characters", Some(Limit::Key("max_chars", "200".into())))]
    #[case("text", "Must be polite", None)]
    #[case("integer", "Max: 12", Some(Limit::Key("max", "12".into())))]
    #[case("file", "Max size: 2 MB per file", Some(Limit::Key("max_bytes", "2097152".into())))]
    #[case("phone", "Must be a valid phone number", Some(Limit::Nothing))]
    #[case("phone", "Must NOT match the person's own", None)]
    fn a_sentence_is_a_limit(#[case] kind: &str, #[case] sentence: &str, #[case] wanted: Option<Limit>) {
        let fields = [known("start", "Start date", "date"), known("it", "It", kind)];
        assert_eq!(limit(sentence, &fields[1], &fields), wanted);
    }
}
