//! Keys that only some kinds take.

use super::super::shape::{Key, Shape};
use super::{FIELD, OPTION, OPTIONS_FROM};

const CHARS: Shape = Shape::Whole(1, 100_000);
const COUNT: Shape = Shape::Whole(0, 10_000);
/// A longer scale is a number with bounds, not points that people can tell apart.
const MOST_POINTS: i64 = 100;

pub(super) static KEYS: &[Key] = &[
    Key::new("min_chars", CHARS, "Least number of characters.").of(&["text", "long_text"]),
    Key::new("max_chars", CHARS, "Greatest number of characters.").of(&["text", "long_text"]),
    Key::new("subtype", Shape::OneOf(SUBTYPES), "What the words name, which helps to find them in a sentence.")
        .of(&["text"]),
    Key::new("letters", Shape::SomeOf(SCRIPTS), "Scripts whose letters are taken. Default: all.").of(&["text"]),
    Key::new("min", Shape::Whole(i64::MIN, i64::MAX), "Least value.").of(&["integer"]),
    Key::new("max", Shape::Whole(i64::MIN, i64::MAX), "Greatest value.").of(&["integer"]),
    Key::new("min", Shape::Decimal, "Least value.").of(&["number", "money", "percent"]),
    Key::new("max", Shape::Decimal, "Greatest value.").of(&["number", "money", "percent"]),
    Key::new("min", Shape::Whole(0, MOST_POINTS), "Fewest points. Default: 1.").of(&["rating"]),
    Key::new("max", Shape::Whole(1, MOST_POINTS), "Most points. Default: 5.").of(&["rating"]),
    Key::new("min", Shape::Day, "Earliest day.").of(&["date", "datetime", "date_range"]),
    Key::new("max", Shape::Day, "Latest day.").of(&["date", "datetime", "date_range"]),
    Key::new("min", Shape::Clock, "Earliest time.").of(&["time"]),
    Key::new("max", Shape::Clock, "Latest time.").of(&["time"]),
    Key::new("min", Shape::Length, "Shortest.").of(&["duration"]),
    Key::new("max", Shape::Length, "Longest.").of(&["duration"]),
    Key::new("min", COUNT, "Least number of picks or items.").of(&["choices", "list"]),
    Key::new("max", COUNT, "Greatest number of picks or items.").of(&["choices", "list"]),
    Key::new(
        "unit",
        Shape::Words,
        "What is counted (\"pizza\", \"pizzas\"): words that make a number mean this field.",
    )
    .of(&["integer", "number"]),
    Key::new("decimals", Shape::Whole(0, 28), "Greatest number of decimals.").of(&["number"]),
    Key::new("currency", Shape::Currency, "Currency taken where none is said.").of(&["money"]).required(),
    Key::new("currencies", Shape::Currencies, "Currencies taken. Default: only `currency`.").of(&["money"]),
    Key::new("yes", Shape::Words, "Phrases that mean yes here: \"with wifi\".").of(&["yes_no"]),
    Key::new("no", Shape::Words, "Phrases that mean no here.").of(&["yes_no"]),
    Key::new("options", Shape::LinesOrTables(&OPTION), "What is offered, in order.").of(&["choice", "choices"]),
    Key::new(
        "options_from",
        Shape::LineOrTable(&OPTIONS_FROM),
        "The tool whose rows are offered, in place of `options`.",
    )
    .of(&["choice", "choices"]),
    Key::new("other", Shape::Truth, "Whether words of one's own are an answer too. Default: false.")
        .of(&["choice", "choices"]),
    Key::new(
        "prefer",
        Shape::OneOf(PREFERS),
        "Which day is meant where it is left open (\"Friday\", \"3 May\"). Default: `past` where `max` is `today` or before, or the field's name says that it lies back (\"Date of birth\"), else `future`.",
    )
    .of(&["date", "datetime"]),
    Key::new("max_days", Shape::Whole(1, 100_000), "Greatest number of days.").of(&["date_range"]),
    Key::new("domains", Shape::Lines, "Domains taken. Default: all.").of(&["email"]),
    Key::new(
        "country",
        Shape::Country,
        "Country whose numbers may be written without prefix; where none is known, those are kept as their digits.",
    )
    .of(&["phone"]),
    Key::new("hosts", Shape::Lines, "Hosts taken. Default: all.").of(&["url"]),
    Key::new("regex", Shape::Regex, "The shape that the whole answer must have.").of(&["pattern"]).required(),
    Key::new("shape", Shape::Text, "The shape in words: \"two letters and four digits\".").of(&["pattern"]),
    Key::new("upper", Shape::Truth, "Whether letters are turned to capitals first. Default: false.").of(&["pattern"]),
    Key::new("accept", Shape::Lines, "Media types (`image/*`) or name endings (`.pdf`) taken. Default: all.")
        .of(&["file"]),
    Key::new("max_bytes", Shape::Whole(1, i64::MAX), "Greatest size of one file in bytes.").of(&["file"]),
    Key::new("max_files", Shape::Whole(1, 100), "Greatest number of files. Default: 1.").of(&["file"]),
    Key::new("min_files", Shape::Whole(1, 100), "Least number of files. Default: 1.").of(&["file"]),
    Key::new("house_number", Shape::Truth, "Whether a house number is needed. Default: true.").of(&["address"]),
    Key::new("pin", Shape::Truth, "Whether a point on the map is needed, and an address alone is refused. Default: false.")
        .of(&["location"]),
    Key::new(
        "result",
        Shape::ValueKind,
        "Kind of the result, which decides how it is shown. Default: `text`. Keys of that kind may be given too.",
    )
    .of(&["computed"]),
    Key::new("of", Shape::ValueKind, "For a list of plain values: the kind of an item. Otherwise give member fields.")
        .of(&["list"]),
    Key::new("item", Shape::Text, "What one item is called: \"expense\".").of(&["list"]),
    Key::new("field", Shape::Tables(&FIELD), "A member field.").or("fields").of(&["list", "group"]),
];

const SUBTYPES: &[(&str, &str)] = &[
    ("person", "a person's name"),
    ("place", "a town, street or other place"),
    ("address", "a postal address"),
    ("code", "a code of letters and digits"),
];

const SCRIPTS: &[(&str, &str)] =
    &[("latin", "A to Z with accents"), ("arabic", "Arabic"), ("cyrillic", "Cyrillic"), ("greek", "Greek")];

const PREFERS: &[(&str, &str)] = &[("future", "the next such day"), ("past", "the last such day")];
