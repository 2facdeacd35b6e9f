//! Options out of a tool's result, whatever its shape: strings, objects, nested lists, names in several languages.

use std::collections::BTreeSet;

use formwright_lexicon::NAMED;
use formwright_values::{Offered, OptionId};
use serde_json::{Map, Value as Json};

use super::Text;
use super::text::clean;
use crate::choices::OptionsFrom;

/// Most options a field offers.
pub const MAX_OPTIONS: usize = 2000;
/// Longest label in characters.
const MAX_LABEL: usize = 200;
/// Longest id in bytes.
const MAX_ID: usize = 200;
/// How deep a list is looked for.
const MAX_DEPTH: usize = 4;

const ID_KEYS: [&str; 6] = ["id", "key", "code", "value", "uuid", "slug"];
const LABEL_KEYS: [&str; 10] =
    ["name", "label", "title", "text", "display", "displayName", "full_name", "fullName", "value", "description"];
/// Keys that together are a person's name.
const NAME_KEYS: [(&str, &str); 2] = [("first_name", "last_name"), ("firstName", "lastName")];
/// Ends of keys that are ids: `branch_code`, `branchNo`.
const ID_ENDS: [&str; 10] = ["_id", "Id", "_code", "Code", "_no", "No", "_key", "Key", "_number", "Number"];
const DETAIL_KEYS: [&str; 4] = ["detail", "description", "subtitle", "hint"];
const SYNONYM_KEYS: [&str; 3] = ["synonyms", "aliases", "keywords"];
const LIST_KEYS: [&str; 8] = ["options", "results", "items", "rows", "records", "data", "list", "values"];

/// Options in a tool's result, at most [`MAX_OPTIONS`], labels in the best of `langs` (preferred first) and those of other
/// languages as synonyms. A result that says it is an error, or holds no list, gives none. Rows without id and label, and
/// rows whose id came before, are left out.
pub fn dig(result: &Json, from: &OptionsFrom, langs: &[&str]) -> Vec<Offered> {
    let mut seen = BTreeSet::new();
    let mut options = Vec::new();
    for row in rows(result, from.at.as_deref()) {
        if options.len() == MAX_OPTIONS {
            break;
        }
        options.extend(option(&row, from, langs).filter(|option| seen.insert(option.id.clone())));
    }
    tell_apart(&mut options);
    options
}

/// The row of a result that makes the option of an id, where the options of `from` are asked for.
pub fn row<'j>(result: &'j Json, from: &OptionsFrom, id: &str) -> Option<&'j Json> {
    rows(result, from.at.as_deref()).into_iter().find_map(|row| match row {
        Row::Element(json) => option(&row, from, &[]).filter(|option| option.id.as_str() == id).map(|_| json),
        Row::Entry(key, json) => (key == id).then_some(json),
    })
}

/// Names options of one label by their ids too: "Same (a)", "Same (b)".
fn tell_apart(options: &mut [Offered]) {
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<String> =
        options.iter().filter(|option| !seen.insert(&option.label)).map(|option| option.label.clone()).collect();
    for option in options.iter_mut().filter(|option| twice.contains(&option.label)) {
        option.label = format!("{} ({})", option.label, option.id);
    }
}

/// Two lists in a result of which nobody says which is meant: the first is taken.
pub fn two_lists<'a>(result: &'a Json, from: &OptionsFrom) -> Option<(&'a str, &'a str)> {
    if from.at.is_some() { None } else { two_in(result, 0) }
}

fn two_in(json: &Json, depth: usize) -> Option<(&str, &str)> {
    let Json::Object(entries) = json else { return None };
    if depth >= MAX_DEPTH || is_error(entries) {
        return None;
    }
    let holds = |value: &Json| {
        (value.is_array() || value.is_object())
            && language_map(value).is_none()
            && !list_in(value, depth + 1).is_empty()
    };
    if let Some(inner) = LIST_KEYS.iter().filter_map(|key| entries.get(*key)).find(|value| holds(value)) {
        return two_in(inner, depth + 1);
    }
    let mut lists = entries.iter().filter(|(_, value)| holds(value));
    match (lists.next(), lists.next()) {
        (Some((first, _)), Some((second, _))) => Some((first, second)),
        (Some((_, only)), None) => two_in(only, depth + 1),
        (None, _) => None,
    }
}

/// Whether an option may be made of a row's key.
pub(super) fn is_row_key(key: &str, from: &OptionsFrom) -> bool {
    let common = [ID_KEYS.as_slice(), &LABEL_KEYS, &DETAIL_KEYS, &SYNONYM_KEYS];
    let mut known = common.into_iter().flatten().copied().chain(from.label.as_deref());
    let names = || NAME_KEYS.iter().any(|(first, last)| [*first, *last].contains(&key));
    from.id.as_deref() == Some(key)
        || known.any(|known| key.starts_with(known))
        || language(key).is_some()
        || names()
        || is_id_like(key)
}

/// Whether a key ends as one of an id does.
fn is_id_like(key: &str) -> bool {
    ID_ENDS.iter().any(|end| key.ends_with(end))
}

/// The value of the only key of a row that ends as an id's does.
fn only_id(entries: &Map<String, Json>) -> Option<String> {
    let mut ids = entries.iter().filter(|(key, _)| is_id_like(key)).filter_map(|(_, value)| scalar(value));
    ids.next().filter(|_| ids.next().is_none())
}

/// A list's element, or an entry of an object that maps ids to labels.
enum Row<'a> {
    Element(&'a Json),
    Entry(&'a str, &'a Json),
}

fn rows<'a>(result: &'a Json, at: Option<&str>) -> Vec<Row<'a>> {
    match at {
        Some(at) => {
            let step = |json: &'a Json, key: &str| match json {
                Json::Array(items) => items.get(key.parse::<usize>().ok()?),
                other => other.get(key),
            };
            match at.split('.').try_fold(result, step) {
                Some(Json::Array(items)) => items.iter().map(Row::Element).collect(),
                Some(found) => list_in(found, 0),
                None => Vec::new(),
            }
        }
        None => list_in(result, 0),
    }
}

/// The list in a value: itself, under a common key, the only list there is, or the entries of a map from ids to labels.
fn list_in(json: &Json, depth: usize) -> Vec<Row<'_>> {
    match json {
        Json::Array(items) => items.iter().map(Row::Element).collect(),
        Json::Object(entries) if depth < MAX_DEPTH && !is_error(entries) => {
            let common = LIST_KEYS.iter().filter_map(|key| entries.get(*key));
            for inner in common.chain(entries.values().filter(|value| value.is_array() || value.is_object())) {
                let found = if language_map(inner).is_some() { Vec::new() } else { list_in(inner, depth + 1) };
                if !found.is_empty() {
                    return found;
                }
            }
            let labels = |value: &Json| value.is_string() || language_map(value).is_some();
            let is_list = LIST_KEYS.iter().any(|key| entries.contains_key(*key));
            if depth > 0 || is_list || !entries.values().all(labels) {
                return Vec::new();
            }
            entries.iter().map(|(key, value)| Row::Entry(key, value)).collect()
        }
        Json::Object(_) | Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Vec::new(),
    }
}

fn is_error(entries: &Map<String, Json>) -> bool {
    let given = |key: &str| entries.get(key).is_some_and(|value| !matches!(value, Json::Null | Json::Bool(false)));
    given("error") || given("errors") || entries.get("success") == Some(&Json::Bool(false))
}

fn option(row: &Row<'_>, from: &OptionsFrom, langs: &[&str]) -> Option<Offered> {
    let (id, label, detail, mut synonyms) = match row {
        Row::Entry(id, label) => ((*id).to_owned(), text(label)?, None, Vec::new()),
        Row::Element(Json::Object(entries)) => {
            let label = match &from.label {
                Some(key) => entries.get(key).and_then(text).or_else(|| by_suffix(entries, key)),
                None => label_of(entries).or_else(|| from.row.is_some().then(|| described(entries)).flatten()),
            };
            let id = match &from.id {
                Some(key) => entries.get(key).and_then(scalar),
                None => ID_KEYS.iter().find_map(|key| entries.get(*key).and_then(scalar)).or_else(|| only_id(entries)),
            };
            let label = label.or_else(|| id.clone().map(Text::one))?;
            let home: Vec<&str> = from.home.as_deref().into_iter().collect();
            let id = id.or_else(|| from.id.is_none().then(|| label.pick(&home).to_owned()))?;
            let detail = DETAIL_KEYS.iter().find_map(|key| entries.get(*key).and_then(text));
            (id, label, detail, synonyms_of(entries))
        }
        Row::Element(value) => {
            let value = scalar(value)?;
            (value.clone(), Text::one(value), None, Vec::new())
        }
    };
    let id = clean(id.trim());
    let shown = tidy(label.pick(langs));
    if id.is_empty() || id.len() > MAX_ID || shown.is_empty() {
        return None;
    }
    synonyms.extend(label.others(langs).map(tidy).filter(|other| !other.is_empty()));
    let detail = detail.map(|detail| tidy(detail.pick(langs))).filter(|detail| !detail.is_empty() && *detail != shown);
    Some(Offered { id: OptionId::new(id), label: shown, synonyms, detail })
}

fn label_of(entries: &Map<String, Json>) -> Option<Text> {
    let common = || LABEL_KEYS.iter().find_map(|key| entries.get(*key).and_then(text));
    let suffixed = || LABEL_KEYS.iter().find_map(|key| by_suffix(entries, key));
    let bare = || by_language(entries.iter().map(|(key, value)| (key.as_str(), value)));
    let person = || {
        let word = |key: &str| entries.get(key).and_then(Json::as_str).map(str::trim).filter(|word| !word.is_empty());
        NAME_KEYS.iter().find_map(|(first, last)| Some(Text::one(format!("{} {}", word(first)?, word(last)?))))
    };
    common().or_else(suffixed).or_else(bare).or_else(person)
}

/// What a row says that has no name, as a part of another row may: its words, and the days from which and to which it holds.
fn described(entries: &Map<String, Json>) -> Option<Text> {
    let is_day = |word: &&str| word.parse::<jiff::civil::Date>().is_ok();
    let words: Vec<&str> = entries.values().filter_map(Json::as_str).filter(|word| !word.trim().is_empty()).collect();
    let (days, words): (Vec<&str>, Vec<&str>) = words.into_iter().partition(is_day);
    let open = entries.values().any(Json::is_null);
    let span = match days.as_slice() {
        [] => String::new(),
        [from] if open => format!(" ({from} –)"),
        days => format!(" ({})", days.join(" – ")),
    };
    (!words.is_empty()).then(|| Text::one(format!("{}{span}", words.join(", "))))
}

fn synonyms_of(entries: &Map<String, Json>) -> Vec<String> {
    let lists = SYNONYM_KEYS.iter().filter_map(|key| entries.get(*key)?.as_array());
    lists.flatten().filter_map(scalar).map(|synonym| tidy(&synonym)).filter(|synonym| !synonym.is_empty()).collect()
}

/// Words in one language or several.
fn text(json: &Json) -> Option<Text> {
    match json {
        Json::Object(_) => language_map(json),
        other => scalar(other).filter(|text| !text.trim().is_empty()).map(Text::one),
    }
}

/// `{"english": …, "arabic": …}`, `{"en": …, "pt-BR": …}`.
fn language_map(json: &Json) -> Option<Text> {
    let entries = json.as_object()?;
    let all = entries.keys().all(|key| language(key).is_some());
    all.then(|| by_language(entries.iter().map(|(key, value)| (key.as_str(), value)))).flatten()
}

/// `name_en` and `name_ar`, `nameEn` and `nameAr`.
fn by_suffix(entries: &Map<String, Json>, key: &str) -> Option<Text> {
    by_language(entries.iter().filter_map(|(name, value)| {
        let rest = name.strip_prefix(key)?;
        let camel = rest.starts_with(|c: char| c.is_ascii_uppercase());
        let language = rest.strip_prefix(['_', '-']).or(camel.then_some(rest))?;
        Some((language, value))
    }))
}

fn by_language<'a>(entries: impl Iterator<Item = (&'a str, &'a Json)>) -> Option<Text> {
    let words = entries.filter_map(|(key, value)| {
        let words = value.as_str().filter(|words| !words.trim().is_empty())?;
        Some((language(key)?, words.to_owned()))
    });
    let text = Text { by_lang: words.collect() };
    (!text.by_lang.is_empty()).then_some(text)
}

/// The tag of a language by its tag or English name.
fn language(key: &str) -> Option<String> {
    let lower = key.to_ascii_lowercase();
    if let Some((_, tag)) = NAMED.iter().find(|(name, tag)| *name == lower || *tag == lower) {
        return Some((*tag).to_owned());
    }
    let (primary, region) = lower.split_once(['-', '_'])?;
    let is_tag = NAMED.iter().any(|(_, tag)| *tag == primary) && (2..=4).contains(&region.len());
    is_tag.then(|| lower.replace('_', "-"))
}

fn scalar(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// A label on one line, harmless and not endless.
fn tidy(label: &str) -> String {
    let cleaned = clean(label);
    let mut line = cleaned.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_LABEL) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use formwright_values::ToolId;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn from(at: Option<&str>, id: Option<&str>, label: Option<&str>) -> OptionsFrom {
        let own = |text: Option<&str>| text.map(str::to_owned);
        OptionsFrom { tool: ToolId::new("t"), at: own(at), id: own(id), label: own(label), home: None, row: None }
    }

    /// Options as `id=label/synonym/…(detail)`.
    fn shown(result: &Json, from: &OptionsFrom, langs: &[&str]) -> String {
        let line = |option: Offered| {
            let words: Vec<String> = std::iter::once(option.label).chain(option.synonyms).collect();
            let detail = option.detail.map_or_else(String::new, |detail| format!("({detail})"));
            format!("{}={}{detail}", option.id, words.join("/"))
        };
        dig(result, from, langs).into_iter().map(line).collect::<Vec<_>>().join(", ")
    }

    #[rstest]
    #[case::strings(json!(["Red", "Blue"]), "Red=Red, Blue=Blue")]
    #[case::numbers(json!([1, 2.5, true, null]), "1=1, 2.5=2.5, true=true")]
    #[case::objects(json!([{"id": 7, "name": "Seven"}, {"code": "E", "title": "Eight"}]), "7=Seven, E=Eight")]
    #[case::value_and_label(json!([{"value": "it", "label": "Italy"}]), "it=Italy")]
    #[case::key_and_value(json!([{"key": "", "value": "Choose"}, {"key": "a", "value": "Anna"}]), "a=Anna")]
    #[case::only_label(json!([{"text": "Alone"}]), "Alone=Alone")]
    #[case::only_id(json!([{"id": "x"}]), "x=x")]
    #[case::nested(json!({"data": {"establishments": [{"id": "1", "name": "North"}]}}), "1=North")]
    #[case::common_key(json!({"meta": {"tags": ["x"]}, "results": ["a"]}), "a=a")]
    #[case::one_label_twice(json!([{"id": "a", "name": "Same"}, {"id": "b", "name": "Same"}, "Other"]),
        "a=Same (a), b=Same (b), Other=Other")]
    #[case::map(json!({"IT": "Italy", "FR": "France"}), "IT=Italy, FR=France")]
    #[case::bilingual(json!([{"code": "F", "name": {"english": "Fall", "arabic": "سقوط"}}]), "F=Fall/سقوط")]
    #[case::tags(json!([{"id": "F", "label": {"ar": "سقوط", "en": "Fall"}}]), "F=Fall/سقوط")]
    #[case::bilingual_value(json!([{"id": "F", "value": {"english": "Fall", "arabic": "سقوط"}}]), "F=Fall/سقوط")]
    #[case::suffixes(json!([{"id": "F", "name_en": "Fall", "name_ar": "سقوط"}]), "F=Fall/سقوط")]
    #[case::camel(json!([{"id": "F", "nameAr": "سقوط", "nameEn": "Fall"}]), "F=Fall/سقوط")]
    #[case::bare(json!([{"id": "F", "en": "Fall", "ar": "سقوط"}]), "F=Fall/سقوط")]
    #[case::bilingual_map(json!({"F": {"en": "Fall", "ar": "سقوط"}}), "F=Fall/سقوط")]
    #[case::code(json!([{"branch_code": "RY", "name": {"english": "Riyadh", "arabic": "الرياض"}}]), "RY=Riyadh/الرياض")]
    #[case::two_codes(json!([{"branchCode": 1, "cityNo": 2, "name": "Rome"}]), "Rome=Rome")]
    #[case::full_name(json!([{"id": 1, "full_name": "Ada Byron"}]), "1=Ada Byron")]
    #[case::two_names(json!([{"personId": 1, "firstName": "Ada", "lastName": "Byron"}]), "1=Ada Byron")]
    #[case::detail(json!([{"id": "a", "name": "A", "description": "first"}]), "a=A(first)")]
    #[case::synonyms(json!([{"id": "a", "name": "A", "synonyms": ["alpha", 1]}]), "a=A/alpha/1")]
    #[case::twice(json!([{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]), "a=A")]
    #[case::hostile(json!(["a\u{202e}b\u{7}\n c"]), "ab\n c=ab c")]
    #[case::error(json!({"error": "down", "data": ["x"]}), "")]
    #[case::failure(json!({"success": false, "data": ["x"]}), "")]
    #[case::no_error(json!({"error": null, "data": ["x"]}), "x=x")]
    #[case::empty(json!([]), "")]
    #[case::empty_list(json!({"items": []}), "")]
    #[case::nothing(json!(null), "")]
    #[case::text(json!("error: no"), "")]
    #[case::object(json!({"id": 3, "ok": true}), "")]
    #[case::lists(json!([["a"], {}]), "")]
    fn options_are_found_in_any_shape(#[case] result: Json, #[case] options: &str) {
        assert_eq!(shown(&result, &from(None, None, None), &["en"]), options);
    }

    #[rstest]
    #[case::at(from(Some("a.b"), None, None), "x=x")]
    #[case::at_index(from(Some("c.1.l"), None, None), "z=z")]
    #[case::at_nothing(from(Some("a.q"), None, None), "")]
    #[case::keys(from(Some("rows"), Some("nr"), Some("who")), "1=Anna, 2=Ben")]
    fn authors_say_where_and_what(#[case] from: OptionsFrom, #[case] options: &str) {
        let result = json!({
            "a": {"b": ["x"]}, "c": [{"l": ["y"]}, {"l": ["z"]}],
            "rows": [{"nr": 1, "who": "Anna", "id": "q"}, {"nr": 2, "who": "Ben"}, {"who": "Carl"}],
        });
        assert_eq!(shown(&result, &from, &["en"]), options);
    }

    #[rstest]
    #[case::two(json!({"cities": ["Rome"], "countries": ["Italy"]}), None, Some(("cities", "countries")))]
    #[case::deeper(json!({"data": {"a": ["x"], "b": [{"id": 1}]}}), None, Some(("a", "b")))]
    #[case::the_author_says_which(json!({"cities": ["Rome"], "countries": ["Italy"]}), Some("countries"), None)]
    #[case::one_has_a_name_that_says_so(json!({"items": ["x"], "tags": ["y"]}), None, None)]
    #[case::one_is_empty(json!({"a": ["x"], "b": []}), None, None)]
    #[case::no_list_at_all(json!({"a": 1}), None, None)]
    fn two_lists_are_doubtful(#[case] result: Json, #[case] at: Option<&str>, #[case] expected: Option<(&str, &str)>) {
        assert_eq!(two_lists(&result, &from(at, None, None)), expected);
    }

    #[test]
    fn a_label_that_is_an_id_is_in_the_forms_language() {
        let result = json!([{"name": {"english": "Riyadh", "arabic": "الرياض"}}]);
        let from = OptionsFrom { home: Some("en".to_owned()), ..from(None, None, None) };
        for langs in [["ar"], ["en"]] {
            assert_eq!(dig(&result, &from, &langs)[0].id.as_str(), "Riyadh");
        }
    }

    #[test]
    fn labels_are_in_the_persons_language() {
        let result = json!([{"id": "F", "name": {"english": "Fall", "arabic": "سقوط"}}]);
        assert_eq!(shown(&result, &from(None, None, None), &["ar-SA", "en"]), "F=سقوط/Fall");
    }

    #[test]
    fn a_flood_of_options_is_cut() {
        let rows: Vec<Json> =
            (0..100_000).map(|no| json!({"id": no, "name": format!("{no}{}", "x".repeat(1000))})).collect();
        let options = dig(&Json::Array(rows), &from(None, None, None), &["en"]);
        assert_eq!((options.len(), options[0].label.chars().count()), (MAX_OPTIONS, MAX_LABEL + 1));
    }

    fn any_json() -> impl proptest::strategy::Strategy<Value = Json> {
        use proptest::prelude::*;
        let key =
            proptest::sample::select(vec!["id", "name", "en", "english", "data", "items", "error", "value", "é_en"]);
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            "\\PC{0,8}".prop_map(Json::from)
        ];
        leaf.prop_recursive(5, 60, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
                proptest::collection::vec((key.clone(), inner), 0..5).prop_map(|entries| Json::Object(
                    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
                )),
            ]
        })
    }

    proptest::proptest! {
        #[test]
        fn any_result_gives_options_that_can_be_shown(result in any_json(), at in proptest::option::of("[a-z.0-9]{0,6}")) {
            for option in dig(&result, &from(at.as_deref(), None, None), &["ar", "en"]) {
                assert!(!option.label.is_empty() && !option.id.as_str().is_empty());
            }
        }
    }
}
