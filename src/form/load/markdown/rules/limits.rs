//! What must hold of an answer, in words: `Max date: today`, `Must be on or after start_date`, `English and Arabic only`.

use super::condition::{self, Known};
use crate::markdown::words;

/// What a sentence asks of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// A key with its value.
    Key(&'static str, String),
    /// Scripts whose letters are taken.
    Letters(Vec<&'static str>),
    /// An expression over `value`.
    Check(String),
}

/// What each sentence asks; none where it cannot be told. A sentence that asks nothing beyond the field's kind is not among
/// them.
pub(crate) fn limits(text: &str, field: &Known, fields: &[Known]) -> Vec<(String, Option<Limit>)> {
    let sentences = text.split(". ").flat_map(|part| part.split([';', '\n']));
    let sentences = sentences.map(|sentence| sentence.trim().trim_end_matches('.').trim());
    let each = |sentence: &str| match limit(sentence, field, fields) {
        Some(limits) => limits.into_iter().map(|limit| (sentence.to_owned(), Some(limit))).collect(),
        None => vec![(sentence.to_owned(), None)],
    };
    sentences.filter(|sentence| !sentence.is_empty()).flat_map(each).collect()
}

/// What a sentence asks: nothing beyond the field's kind, one thing or two. None where a word of it is not understood.
fn limit(sentence: &str, field: &Known, fields: &[Known]) -> Option<Vec<Limit>> {
    let small = sentence.to_lowercase();
    let is_day = matches!(field.kind.as_str(), "date" | "datetime" | "date_range");
    if let Some((name, bound)) = small.split_once(':') {
        return named(name.trim(), bound.trim(), field, fields);
    }
    if made_of(&small, &["gregorian", "calendar", "dates", "date", "only", "the", "must", "be", "in"]) {
        return Some(Vec::new());
    }
    if let Some(rest) = ["must be a valid ", "must be valid "].iter().find_map(|head| small.strip_prefix(head)) {
        return valid(sentence.get(sentence.len() - rest.len()..)?, field, fields);
    }
    let only = small.contains("only") && (small.contains("character") || small.contains("letter"));
    if only && field.kind == "text" {
        return letters(&small);
    }
    if is_day && matches!(small.as_str(), "not in the future" | "must not be in the future" | "cannot be in the future")
    {
        return Some(vec![Limit::Key("max", "today".into())]);
    }
    if is_day && matches!(small.as_str(), "not in the past" | "must not be in the past" | "cannot be in the past") {
        return Some(vec![Limit::Key("min", "today".into())]);
    }
    if let Some(size) = small.strip_prefix("max ").and_then(bytes) {
        return Some(vec![Limit::Key("max_bytes", size)]);
    }
    if let Some(counted) = small.split_once("character").filter(|(_, rest)| made_of(rest, &["s", "long"])) {
        return characters(counted.0.trim());
    }
    let rest =
        ["must be ", "has to be ", "is "].iter().find_map(|head| small.starts_with(head).then_some(head.len()))?;
    against(sentence.get(rest..)?, field, fields).map(|limit| vec![limit])
}

/// Whether there are no other words in it.
fn made_of(words: &str, known: &[&str]) -> bool {
    words.split(|c: char| !c.is_alphanumeric()).all(|word| word.is_empty() || known.contains(&word))
}

/// `Max date: today`, `Min: 3`, `Max size: 2 MB per file`.
fn named(name: &str, bound: &str, field: &Known, fields: &[Known]) -> Option<Vec<Limit>> {
    let key = match name {
        "max" | "max date" | "maximum" | "latest" => "max",
        "min" | "min date" | "minimum" | "earliest" => "min",
        "max size" | "maximum size" => return bytes(bound).map(|bytes| vec![Limit::Key("max_bytes", bytes)]),
        _ => return None,
    };
    let limit = match field.kind.as_str() {
        // Said of a day and a time together.
        "time" if name.contains("date") => return Some(Vec::new()),
        "date" | "datetime" | "date_range" => {
            let op = if key == "max" { "is on or before" } else { "is on or after" };
            match day(bound) {
                Some(day) => Limit::Key(key, day),
                None => against(&format!("{op} {}", bound.trim_start_matches("the ")), field, fields)?,
            }
        }
        "text" | "long_text" => return characters(&format!("{key} {}", bound.strip_suffix("characters")?.trim())),
        _ => {
            bound.parse::<rust_decimal::Decimal>().ok()?;
            Limit::Key(key, bound.to_owned())
        }
    };
    Some(vec![limit])
}

/// What is valid, and what else is asked of it: `date on or after start`. The field's kind asks the first anyway.
fn valid(words: &str, field: &Known, fields: &[Known]) -> Option<Vec<Limit>> {
    const THINGS: &[&str] = &[
        "date",
        "time",
        "and",
        "day",
        "number",
        "phone",
        "mobile",
        "telephone",
        "email",
        "e",
        "mail",
        "address",
        "url",
        "link",
        "web",
        "amount",
        "value",
        "format",
        "international",
    ];
    if made_of(&words.to_lowercase(), THINGS) {
        // Plain text is valid whatever it is.
        return (!matches!(field.kind.as_str(), "text" | "long_text" | "hidden")).then(Vec::new);
    }
    let (_, rest) = words.split_once(' ').filter(|(thing, _)| made_of(&thing.to_lowercase(), THINGS))?;
    against(rest, field, fields).map(|limit| vec![limit]).or_else(|| valid(rest, field, fields))
}

/// The scripts whose letters are taken: `accepts only english and arabic characters`.
fn letters(small: &str) -> Option<Vec<Limit>> {
    const AROUND: &[&str] =
        &["only", "and", "or", "character", "letter", "accept", "allowed", "use", "in", "must", "be", "are"];
    let is_around = |word: &str| AROUND.contains(&word.trim_end_matches('s')) || word.is_empty();
    let mut others = small.split(|c: char| !c.is_alphanumeric()).filter(|word| !is_around(word));
    let scripts: Vec<&'static str> = words::languages(small).into_iter().map(script).collect();
    let known = !scripts.is_empty() && others.all(|word| !words::languages(word).is_empty());
    known.then(|| vec![Limit::Letters(scripts)])
}

/// How many characters: `at least 5 and at most 20`, `between 5 and 20`, `max 20`.
fn characters(small: &str) -> Option<Vec<Limit>> {
    let small = ["must be ", "must have ", "must contain ", "has to have "]
        .iter()
        .find_map(|head| small.strip_prefix(head))
        .unwrap_or(small);
    if let Some((least, most)) = small.strip_prefix("between ").and_then(|both| both.split_once(" and ")) {
        return characters(&format!("at least {least} and at most {most}"));
    }
    let one = |part: &str| -> Option<Limit> {
        let (said, number) = part.trim().rsplit_once(' ')?;
        let key = match said {
            "at least" | "min" | "minimum" | "no less than" | "no fewer than" => "min_chars",
            "at most" | "max" | "maximum" | "up to" | "no more than" | "not more than" => "max_chars",
            _ => return None,
        };
        number.parse::<u32>().is_ok().then(|| Limit::Key(key, number.to_owned()))
    };
    small.split([',']).flat_map(|part| part.split(" and ")).map(one).collect()
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
    (ago == "ago" && parts.next().is_none()).then(|| format!("today-{number}{unit}"))
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
    let rest: Vec<&str> = parts.collect();
    let each = matches!(rest.as_slice(), [] | ["each"] | ["per", "file"]);
    number.checked_mul(unit).filter(|_| each).map(|bytes| bytes.to_string())
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
    #[case("date", "Max date: today", Some(vec![Limit::Key("max", "today".into())]))]
    #[case("date", "Min: 100 years ago", Some(vec![Limit::Key("min", "today-100y".into())]))]
    #[case("date", "Min date: the start date", Some(vec![Limit::Check("value >= start".into())]))]
    #[case("date", "Must be on or after start", Some(vec![Limit::Check("value >= start".into())]))]
    #[case("date", "Must be a valid date on or after start", Some(vec![Limit::Check("value >= start".into())]))]
    #[case("date", "Must be a valid date", Some(Vec::new()))]
    #[case("date", "Must be a valid date before the moon landing", None)]
    #[case("date", "Must be after the moon landing", None)]
    #[case("date", "Gregorian only", Some(Vec::new()))]
    #[case("date", "Gregorian only, not on Sundays", None)]
    #[case("date", "Not in the future", Some(vec![Limit::Key("max", "today".into())]))]
    #[case("text", "Accepts only English and Arabic characters", Some(vec![Limit::Letters(vec!["latin", "arabic"])]))]
    #[case("text", "Only English characters in capitals", None)]
    #[case("text", "At most 200 characters", Some(vec![Limit::Key("max_chars", "200".into())]))]
    #[case("text", "Max: 200 characters", Some(vec![Limit::Key("max_chars", "200".into())]))]
    #[case("text", "At least 5 and at most 20 characters",
        Some(vec![Limit::Key("min_chars", "5".into()), Limit::Key("max_chars", "20".into())]))]
    #[case("text", "Must have between 5 and 20 characters",
        Some(vec![Limit::Key("min_chars", "5".into()), Limit::Key("max_chars", "20".into())]))]
    #[case("text", "At most 20 characters, no digits", None)]
    #[case("text", "At most 20 special characters", None)]
    #[case("text", "Must be polite", None)]
    #[case("integer", "Max: 12", Some(vec![Limit::Key("max", "12".into())]))]
    #[case("integer", "Max: 12 on weekdays", None)]
    #[case("file", "Max size: 2 MB per file", Some(vec![Limit::Key("max_bytes", "2097152".into())]))]
    #[case("file", "Max 2 MB in total", None)]
    #[case("phone", "Must be a valid phone number", Some(Vec::new()))]
    #[case("text", "Must be a valid phone number", None)]
    #[case("phone", "Must NOT match the person's own", None)]
    fn a_sentence_is_a_limit(#[case] kind: &str, #[case] sentence: &str, #[case] wanted: Option<Vec<Limit>>) {
        let fields = [known("start", "Start date", "date"), known("it", "It", kind)];
        assert_eq!(limit(sentence, &fields[1], &fields), wanted);
    }
}
