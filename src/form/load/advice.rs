//! What to write instead: for values of another type, and for what other form makers call our kinds and keys.

#![expect(clippy::wildcard_enum_match_arm, reason = "a shape that is not named here is advised by its noun")]

use super::node::{Data, Node};
use super::shape::Shape;
use formwright_form::kind::{KindName, NAMES};
use formwright_form::problem::nearest;

/// How to write a value that was given in another type.
pub(super) fn wrong_type(node: &Node, shape: &Shape, key: &str) -> String {
    let text = node.text().unwrap_or_default();
    let plain = matches!(node.data, Data::Text(_) | Data::Number(_) | Data::Bool(_) | Data::Moment(_));
    match shape {
        Shape::Truth => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "y" | "true" | "1" => format!("write `true`, without quotes: `{text}` is only a word here"),
            "no" | "off" | "n" | "false" | "0" => {
                format!("write `false`, without quotes: `{text}` is only a word here")
            }
            _ => "write `true` or `false`, without quotes".into(),
        },
        Shape::Expr | Shape::ExprOrTable(_) => "write the expression in quotes".into(),
        Shape::Whole(..) if node.noun() == "a number with an exponent" => "write out its digits, without `e`".into(),
        Shape::Whole(..) if matches!(node.data, Data::Number(_)) => "write it without decimals".into(),
        Shape::Whole(..) | Shape::Decimal => "write it with digits, such as `3`".into(),
        Shape::Tables(spec) if spec.name == "check" => {
            "write `check = [{ that = \"value > 0\", else = \"What to say otherwise.\" }]`, or the like in YAML".into()
        }
        Shape::Tables(spec) => {
            format!("begin each {} with `[[{key}]]` in TOML, or with `- ` in YAML", spec.name)
        }
        Shape::LinesOrTables(_) if matches!(node.data, Data::Map(_)) => {
            "write a list; each option is a text, or a table with `id` and `label`".into()
        }
        Shape::LinesOrTables(_) | Shape::LineOrTable(_) if matches!(node.data, Data::Bool(_)) => {
            "put it in quotes, so that it is a text".into()
        }
        Shape::LinesOrTables(_) if text.contains([',', ';', '|']) => {
            let items: Vec<String> =
                text.split([',', ';', '|']).map(|item| format!("\"{}\"", item.trim())).take(20).collect();
            format!("write a list: `[{}]`", items.join(", "))
        }
        Shape::LinesOrTables(_) => "write a list: `[\"One\", \"Two\"]`".into(),
        Shape::Rows => "write a list of tables: `[{ id = \"a\", label = \"A\" }]`".into(),
        Shape::Messages | Shape::Exprs | Shape::Names => format!("write a table: `{key} = {{ name = \"…\" }}` in TOML"),
        Shape::Table(spec) if spec.name == "then" => {
            format!("write a table: `{key} = {{ form = \"complaint\", with = {{ parcel = \"number\" }} }}` in TOML")
        }
        Shape::Table(spec) => {
            let inside: Vec<String> = spec.all_keys().map(|key| format!("{} = \"7d\"", key.name)).collect();
            format!("write a table: `{key} = {{ {} }}` in TOML", inside.join(", "))
        }
        Shape::LineOrTable(spec) if matches!(spec.name, "then" | "sub_form") => "write the form's id in quotes".into(),
        Shape::LineOrTable(_) => "write the tool's name in quotes".into(),
        _ if plain => "put it in quotes, so that it is a text".into(),
        _ => format!("write {}", shape.item_noun()),
    }
}

/// Whether a text is a truth value in quotes.
pub(super) fn is_truth(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "yes" | "on" | "y" | "true" | "no" | "off" | "n" | "false")
}

/// The kind that a word most likely means; none where it is near none.
pub(super) fn meant_kind(word: &str) -> Option<&'static str> {
    NAMES.iter().find(|name| **name == word).copied().or_else(|| nearest(kind(word), NAMES.iter().copied()))
}

/// What other form makers call a kind.
pub(super) fn kind(word: &str) -> &str {
    let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let is_meant = |kind: &&KindName| kind.other_names().contains(&plain.as_str());
    KindName::ALL.iter().find(is_meant).map_or(word, |kind| kind.as_str())
}

/// What other form makers call a key: ours, where the table takes it. `named` tells whether the table has its name already.
pub(super) fn key(key: &str, named: bool, known: &[&'static str]) -> Option<&'static str> {
    let takes = |ours: &&str| known.contains(ours);
    let ours: &[&'static str] = match key.to_ascii_lowercase().replace('-', "_").as_str() {
        "type" => &["kind"],
        "name" if named => &["label", "title"],
        "name" | "key" | "field_id" | "code" => &["id", "title"],
        "value" => &["id"],
        "question" | "prompt" | "text" | "message" => &["ask", "label"],
        "caption" | "heading" => &["label", "title"],
        "choices" | "enum" | "values" | "items" => &["options"],
        "hint" | "tooltip" | "hint_text" => &["help"],
        "placeholder" | "sample" => &["examples"],
        "visible_if" | "show_if" | "visible_when" | "if" | "when" | "condition" | "depends_on" => &["show_when"],
        "required_if" => &["required_when"],
        "validate" | "validation" | "constraint" | "validator" => &["check"],
        "pattern" => &["regex"],
        "initial" | "initial_value" | "preset" => &["default"],
        "maxlength" | "max_length" | "maxlen" => &["max_chars"],
        "minlength" | "min_length" | "minlen" => &["min_chars"],
        "minimum" | "least" | "from" => &["min"],
        "maximum" | "most" | "to" => &["max"],
        "formula" | "calculate" | "expression" => &["value"],
        "aliases" | "alias" | "also" => &["synonyms"],
        "questions" | "inputs" | "elements" => &["field"],
        "steps" | "sections" => &["page"],
        "private" | "secret" | "password" => &["sensitive"],
        _ => &[],
    };
    ours.iter().copied().find(takes)
}
