//! Forms made at random, all of them valid: every kind of field, long lists, words that are markup somewhere, emoji,
//! groups, lists and pages.

use formwright_chat::conformance::HOSTILE;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A form as its file would be in JSON.
pub(crate) fn form() -> impl Strategy<Value = Value> {
    let fields = prop::collection::vec(field(true), 1..7);
    let pages = prop::collection::vec((words(), any::<bool>()), 0..4);
    (words(), words(), fields, pages, any::<bool>()).prop_map(|(title, description, fields, pages, offer)| {
        let mut fields = numbered(fields, "f");
        let pages: Vec<Value> = pages
            .into_iter()
            // A step without a field is a mistake.
            .take(fields.len())
            .enumerate()
            .map(|(no, (title, review))| json!({"id": format!("p{no}"), "title": title, "review": review}))
            .collect();
        let count = fields.len();
        for (no, field) in fields.iter_mut().enumerate().filter(|_| !pages.is_empty()) {
            field["page"] = json!(format!("p{}", no * pages.len() / count));
        }
        let optional = if offer { "offer" } else { "ask" };
        json!({"id": "made", "title": title, "description": description, "optional": optional, "page": pages,
            "field": fields})
    })
}

/// The same form in another language, as far as the product's own words go.
pub(super) fn speaking(mut form: Value, lang: &str) -> Value {
    form["languages"] = json!([lang]);
    form
}

/// Its fields, those in groups and lists too.
pub(super) fn fields(form: &Value) -> Vec<Value> {
    let inner = form["field"].as_array().into_iter().flatten();
    inner.flat_map(|field| std::iter::once(field.clone()).chain(fields(field))).collect()
}

fn numbered(fields: Vec<Value>, letter: &str) -> Vec<Value> {
    let named = fields.into_iter().enumerate().map(|(no, mut field)| {
        field["id"] = json!(format!("{letter}{no}"));
        // Two fields of one name cannot be told apart.
        field["label"] = json!(format!("{} {no}", field["label"].as_str().unwrap_or_default()));
        field
    });
    named.collect()
}

/// Words as authors write them, and as they should not.
fn words() -> BoxedStrategy<String> {
    let hostile: Vec<&str> = HOSTILE.into_iter().filter(|words| !words.trim().is_empty()).collect();
    let emoji = vec!["🍕🍕🍕", "👩‍👩‍👧‍👦 family", "🏳️‍🌈", "1️⃣ 2️⃣", "e\u{301}\u{302}\u{303}", "日本語の長い名前", "اسم الحقل"];
    let long = (20..500_usize).prop_map(|length| "long wörds & <more> ".chars().cycle().take(length).collect());
    prop_oneof![
        6 => "[A-Z][a-z]{2,8}( [a-z]{2,8}){0,3}",
        2 => prop::sample::select(hostile).prop_map(str::to_owned),
        2 => prop::sample::select(emoji).prop_map(str::to_owned),
        1 => long,
        1 => "[^{}\\p{C}\\s]{1,30}",
    ]
    .prop_filter("words are seen", |words: &String| words.chars().any(char::is_alphanumeric))
    .prop_map(|words| words.chars().filter(|c| !c.is_control() || *c == '\n').collect::<String>())
    .boxed()
}

fn field(whole: bool) -> BoxedStrategy<Value> {
    let kind = if whole {
        prop_oneof![6 => plain(), 2 => listed(), 1 => grouped(), 2 => listed_groups()].boxed()
    } else {
        plain()
    };
    let texts = (words(), words(), prop::option::of(words()), prop::option::of(words()));
    (kind, texts, any::<bool>(), prop::bool::weighted(0.15)).prop_map(with_texts).boxed()
}

type Texts = (String, String, Option<String>, Option<String>);

fn with_texts((mut field, (label, ask, help, why), required, sensitive): (Value, Texts, bool, bool)) -> Value {
    let kind = field["kind"].as_str().unwrap_or_default().to_owned();
    field["label"] = json!(label);
    if kind != "group" && kind != "hidden" && kind != "computed" {
        field["ask"] = json!(ask);
    }
    if let Some(help) = help.filter(|_| !["hidden", "computed", "note", "group"].contains(&kind.as_str())) {
        field["help"] = json!(help);
    }
    if !["hidden", "computed", "note", "group", "list"].contains(&kind.as_str()) {
        field["required"] = json!(required);
        field["sensitive"] = json!(sensitive);
        if let Some(why) = why {
            field["why"] = json!(why);
        }
    }
    field
}

/// A field of one value.
fn plain() -> BoxedStrategy<Value> {
    let kinds = [
        "yes_no",
        "date",
        "time",
        "datetime",
        "duration",
        "date_range",
        "email",
        "phone",
        "url",
        "person",
        "channel",
        "location",
        "address",
        "percent",
        "number",
        "rating",
        "integer",
    ];
    let bare = prop::sample::select(kinds.to_vec()).prop_map(|kind| json!({"kind": kind}));
    let text =
        (prop::sample::select(vec!["text", "long_text"]), prop::option::of(1..5000_u32)).prop_map(|(kind, most)| {
            match most {
                Some(most) => json!({"kind": kind, "max_chars": most.max(20)}),
                None => json!({"kind": kind}),
            }
        });
    let whole =
        (0..30_i64, 0..200_i64).prop_map(|(min, more)| json!({"kind": "integer", "min": min, "max": min + more}));
    let points = (0..2_i64, 1..99_i64).prop_map(|(min, more)| json!({"kind": "rating", "min": min, "max": min + more}));
    let money = Just(json!({"kind": "money", "currency": "EUR", "currencies": ["EUR", "USD", "KWD"], "min": 1}));
    let day = prop::sample::select(vec!["date", "datetime", "date_range"]);
    let day = day.prop_map(|kind| json!({"kind": kind, "min": "2026-04-01", "max": "2026-12-31"}));
    let shaped = words().prop_map(|shape| json!({"kind": "pattern", "regex": "[A-Z]{2}[0-9]{4}", "shape": shape}));
    let files = (1..20_u32, 1..2_000_000_000_u64).prop_map(
        |(files, bytes)| json!({"kind": "file", "accept": ["image/*", ".pdf"], "max_files": files, "max_bytes": bytes.max(5000)}),
    );
    let unseen = prop::sample::select(vec![
        json!({"kind": "note"}),
        json!({"kind": "hidden", "default": "x"}),
        json!({"kind": "computed", "value": "'a' + 'b'"}),
    ]);
    prop_oneof![8 => bare, 3 => text, 2 => whole, 2 => points, 1 => money, 2 => day, 1 => shaped, 2 => files, 6 => picked(), 1 => unseen]
        .boxed()
}

/// One or several of a list.
fn picked() -> BoxedStrategy<Value> {
    let count = prop_oneof![
        6 => 2..12_usize,
        3 => prop::sample::select(vec![25_usize, 26, 50, 99, 100, 101]),
        1 => 100..180_usize,
    ];
    let option = (words(), prop::option::weighted(0.2, words()));
    (count, prop::collection::vec(option, 1..6), any::<bool>(), any::<bool>())
        .prop_map(|(count, samples, several, other)| {
            let option = |no: usize| {
                let (label, detail) = &samples[no % samples.len()];
                let mut option = json!({"id": format!("o{no}"), "label": format!("{label} {no}")});
                if let Some(detail) = detail {
                    option["detail"] = json!(detail);
                }
                option
            };
            let options: Vec<Value> = (0..count).map(option).collect();
            json!({"kind": if several { "choices" } else { "choice" }, "options": options, "other": other})
        })
        .boxed()
}

fn listed() -> BoxedStrategy<Value> {
    let of = prop::sample::select(vec!["text", "date", "email", "integer", "phone"]);
    (of, 1..4_u32).prop_map(|(of, min)| json!({"kind": "list", "of": of, "min": min, "max": 5})).boxed()
}

fn grouped() -> BoxedStrategy<Value> {
    let members = prop::collection::vec(field(false), 1..4);
    members.prop_map(|members| json!({"kind": "group", "field": numbered(members, "m")})).boxed()
}

fn listed_groups() -> BoxedStrategy<Value> {
    // An item that asks for nothing is no item.
    let asked = picked().prop_map(|mut field| {
        field["label"] = json!("Asked");
        field
    });
    (asked, prop::collection::vec(field(false), 0..4), words())
        .prop_map(|(asked, members, item)| {
            let members = std::iter::once(asked).chain(members).collect();
            json!({"kind": "list", "item": item, "field": numbered(members, "m")})
        })
        .boxed()
}
