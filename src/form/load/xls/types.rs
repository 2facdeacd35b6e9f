//! The types of rows, in all the spellings that XLSForms have had.

/// What a row is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// What it is, under the one name that it has here: `select_one`, `text`, `begin_repeat`.
    pub(super) sort: String,
    /// What else its type says: of a choice, the list of its options.
    pub(super) of: String,
    /// Whether words of one's own are an answer too.
    pub(super) other: bool,
}

/// Spellings, the longer first. A blank stands for any blanks or `_`.
const SPELLINGS: &[(&str, &str)] = &[
    ("add select one prompt using", "select_one"),
    ("add select multiple prompt using", "select_multiple"),
    ("select all that apply from", "select_multiple"),
    ("select all that apply", "select_multiple"),
    ("select one from file", "select_one_from_file"),
    ("select multiple from file", "select_multiple_from_file"),
    ("select one external", "select_one_external"),
    ("select one from", "select_one"),
    ("select multiple from", "select_multiple"),
    ("select one", "select_one"),
    ("select multiple", "select_multiple"),
    ("select1", "select_one"),
    ("select", "select_multiple"),
    ("odk:rank", "rank"),
    ("rank", "rank"),
    ("begin looped group", "begin_loop"),
    ("begin loop over", "begin_loop"),
    ("begin loop", "begin_loop"),
    ("begin repeat", "begin_repeat"),
    ("begin lgroup", "begin_group"),
    ("begin group", "begin_group"),
    ("begin", "begin_group"),
];

/// What follows the list of a choice that takes other answers too.
const OTHER: [&str; 3] = ["or specify other", "or other", "or other specify"];

/// Older names of types of one word.
const OLDER: &[(&str, &str)] = &[
    ("acknowledgement", "acknowledge"),
    ("device id", "deviceid"),
    ("end time", "end"),
    ("gps", "geopoint"),
    ("imei", "deviceid"),
    ("int", "integer"),
    ("location", "geopoint"),
    ("paragraph", "note"),
    ("phone number", "phonenumber"),
    ("photo", "image"),
    ("picture", "image"),
    ("sim id", "simserial"),
    ("start time", "start"),
    ("string", "text"),
    ("subscriber id", "subscriberid"),
    ("trigger", "acknowledge"),
];

/// Reads the type of a row.
pub(super) fn read(written: &str) -> Type {
    let (said, other) =
        OTHER.iter().find_map(|words| Some((before(written, words)?, true))).unwrap_or((written.trim(), false));
    if let Some((rest, sort)) = SPELLINGS.iter().find_map(|(spelt, sort)| Some((after(said, spelt)?, *sort))) {
        return Type { sort: sort.to_owned(), of: rest.to_owned(), other };
    }
    let small = written.trim().to_lowercase();
    if small.starts_with("end ") || small.starts_with("end_") {
        return Type { sort: "end_".to_owned(), of: String::new(), other: false };
    }
    let words = small.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = words.strip_prefix("add ").and_then(|rest| rest.strip_suffix(" prompt"));
    let plain = plain.or_else(|| words.strip_prefix("q ")).or_else(|| words.strip_prefix("get ")).unwrap_or(&words);
    let plain = OLDER.iter().find(|(older, _)| *older == plain).map_or(plain, |(_, name)| name);
    let plain = if plain == "date time" { "datetime" } else { plain };
    Type { sort: plain.to_owned(), of: String::new(), other: false }
}

/// What follows these words, which end where a word does.
fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = text.trim();
    for word in words.split(' ') {
        let (first, tail) = rest.trim_start_matches(is_gap).split_at_checked(word.len())?;
        if !first.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = tail;
    }
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// What these words follow, which begin where a word does.
fn before<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let starts = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let mut found = starts.filter(|at| text.get(*at..).and_then(|tail| after(tail, words)) == Some(""));
    found.next().and_then(|at| text.get(..at)).map(str::trim)
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("select_one yes_no", "select_one", "yes_no", false)]
    #[case("Select One  from_here", "select_one", "from_here", false)]
    #[case("select one from towns or specify other", "select_one", "towns", true)]
    #[case("select all that apply from b", "select_multiple", "b", false)]
    #[case("select_multiple b or_other", "select_multiple", "b", true)]
    #[case("add select one prompt using b or other", "select_one", "b", true)]
    #[case("select1 b", "select_one", "b", false)]
    #[case("select_one_from_file towns.csv", "select_one_from_file", "towns.csv", false)]
    #[case("begin repeat", "begin_repeat", "", false)]
    #[case("Begin_Group", "begin_group", "", false)]
    #[case("begin loop over b", "begin_loop", "b", false)]
    #[case("end_group", "end_", "", false)]
    #[case("end", "end", "", false)]
    #[case("add image prompt", "image", "", false)]
    #[case("q string", "text", "", false)]
    #[case("dateTime", "datetime", "", false)]
    #[case("selection", "selection", "", false)]
    #[case("sélect", "sélect", "", false)]
    fn a_type_is_known_in_every_spelling(
        #[case] written: &str,
        #[case] sort: &str,
        #[case] of: &str,
        #[case] other: bool,
    ) {
        assert_eq!(read(written), Type { sort: sort.to_owned(), of: of.to_owned(), other });
    }
}
