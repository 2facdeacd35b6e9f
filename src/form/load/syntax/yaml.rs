//! Reads YAML into a [`Node`]: the JSON part of YAML 1.2, with its plain words and indentation. Anchors, aliases, tags and
//! several documents in one file are refused.

#![expect(clippy::wildcard_enum_match_arm, reason = "only these events build values")]

use std::ops::Range;

use formwright_form::problem::{Problem, Problems};
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, Span};

use crate::node::{Data, Entry, MAX_DEPTH, Node};

pub(crate) fn read(text: &str, problems: &mut Problems) -> Node {
    let mut building = Building { open: Vec::new(), root: None };
    for event in Parser::new_from_str(text) {
        let refused = match event {
            Ok((event, span)) => building.take(event, range(&span)),
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.len());
                Err((at..at, format!("not valid YAML: {}", error.info())))
            }
        };
        if let Err((span, message)) = refused {
            let help = advice(text, &span, &message);
            problems.push(Problem::error("form::syntax", message).at(span, "here").help(help));
            break;
        }
    }
    building.root.unwrap_or(Node { span: 0..0, data: Data::Map(Vec::new()) })
}

/// Reads YAML that stands somewhere in a file; places are the file's.
pub(crate) fn read_at(text: &str, place: Range<usize>, problems: &mut Problems) -> Node {
    let (from, before) = (place.start, problems.len());
    let mut node = read(text.get(place).unwrap_or_default(), problems);
    node.shift(from);
    let found = problems.iter_mut().skip(before).flat_map(|problem| &mut problem.spans);
    found.for_each(|(span, _)| *span = span.start + from..span.end + from);
    node
}

/// What to change, by where it stands and what is said of it.
fn advice(text: &str, span: &Range<usize>, message: &str) -> &'static str {
    let start = text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
    if message.contains("anchors") || message.contains("tags") || message.contains("documents") {
        return "write it out in plain YAML";
    }
    if message.contains("deeper") || message.contains("plain word") {
        return "keys are words, and their values texts, numbers, lists or tables of the reference";
    }
    if indent.contains('\t') {
        return "indent with spaces: YAML takes no tabs there";
    }
    if line.matches(": ").count() > 1 {
        return "put a text that has `: ` in it in quotes: `ask: \"Time: when?\"`";
    }
    if line.trim_start().starts_with(['{', '[']) || line.contains(": [") || line.contains(": {") {
        return "close the brackets, and put texts with `[`, `{` or `:` in quotes";
    }
    "indent the keys of one table by the same number of spaces; a list item begins with `- `"
}

fn range(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or(0..0)
}

/// Lists and tables begun and not yet ended.
struct Building {
    open: Vec<Open>,
    root: Option<Node>,
}

struct Open {
    node: Node,
    /// In a table: the key whose value comes next.
    key: Option<(String, Range<usize>)>,
}

type Refused = (Range<usize>, String);

impl Building {
    fn take(&mut self, event: Event<'_>, span: Range<usize>) -> Result<(), Refused> {
        let refuse = |what: &str| Err((span.clone(), format!("{what} are not read in form files")));
        match event {
            Event::Alias(_) | Event::UnresolvedAlias(_) | Event::Anchor(..) => refuse("anchors and aliases"),
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(_, anchor, _) | Event::MappingStart(_, anchor, _)
                if anchor != 0 =>
            {
                refuse("anchors and aliases")
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => refuse("tags"),
            Event::DocumentStart(..) if self.root.is_some() => refuse("several documents"),
            Event::Scalar(text, style, _, None) => self.scalar(&text, style, span),
            Event::SequenceStart(_, _, None) => self.begin(Data::List(Vec::new()), span),
            Event::MappingStart(_, _, None) => self.begin(Data::Map(Vec::new()), span),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(done) => self.put(done.node),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn begin(&mut self, data: Data, span: Range<usize>) -> Result<(), Refused> {
        if self.open.len() >= MAX_DEPTH {
            return Err((span, format!("lists and tables lie deeper than {MAX_DEPTH} in each other")));
        }
        self.open.push(Open { node: Node { span, data }, key: None });
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Range<usize>) -> Result<(), Refused> {
        if let Some(Open { node: Node { data: Data::Map(entries), span: table }, key: key @ None }) =
            self.open.last_mut()
        {
            // A table has no marks of its own to point at: its first key stands for it.
            if entries.is_empty() {
                *table = span.clone();
            }
            *key = Some((text.to_owned(), span));
            return Ok(());
        }
        let data = if style == ScalarStyle::Plain { plain(text) } else { Data::Text(text.to_owned()) };
        self.put(Node { span, data })
    }

    fn put(&mut self, node: Node) -> Result<(), Refused> {
        match self.open.last_mut() {
            Some(Open { node: Node { data: Data::List(items), .. }, .. }) => items.push(node),
            Some(Open { node: Node { data: Data::Map(entries), .. }, key }) => match key.take() {
                Some((key, span)) => entries.push(Entry { key, span, node }),
                None => return Err((node.span, "a key is a plain word".to_owned())),
            },
            _ => self.root = Some(node),
        }
        Ok(())
    }
}

/// What a word without quotes is.
fn plain(text: &str) -> Data {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.parse::<f64>().is_ok();
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Data::Null,
        "true" | "True" | "TRUE" => Data::Bool(true),
        "false" | "False" | "FALSE" => Data::Bool(false),
        _ if number => Data::Number(text.trim_start_matches('+').to_owned()),
        _ => Data::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<serde_json::Value, String> {
        let mut problems = Vec::new();
        let node = read(text, &mut problems);
        match problems.pop() {
            Some(problem) => Err(format!("{:?} {}", problem.spans, problem.message)),
            None => Ok(node.json()),
        }
    }

    #[test]
    fn plain_words_have_types_and_quoted_ones_do_not() {
        let text = "a: 1\nb: '1'\nc: true\nd: ~\ne: yes\nf: 0.5\ng: [x, {y: z}]\nh: |\n  two\n  lines\ni: 347 123\n";
        let value = json(text).unwrap();
        let wanted = serde_json::json!({
            "a": 1, "b": "1", "c": true, "d": null, "e": "yes", "f": 0.5, "g": ["x", {"y": "z"}], "h": "two\nlines\n",
            "i": "347 123",
        });
        assert_eq!(value, wanted);
    }

    #[rstest::rstest]
    #[case::alias("a: &x 1\nb: *x\n")]
    #[case::tag("a: !!str 1\n")]
    #[case::documents("a: 1\n---\nb: 1\n")]
    #[case::broken("a: [1\nb: 2\n")]
    #[case::table_as_key("{a: 1}: 2\n")]
    #[case::deep(&"[".repeat(100_000))]
    fn what_is_not_read_is_refused(#[case] text: &str) {
        assert!(json(text).is_err(), "{:?}", json(text));
    }

    #[test]
    fn values_know_where_they_stand() {
        let text = "è: x\nfields:\n  - id: one\n";
        let node = read(text, &mut Vec::new());
        let one = node.at("fields").unwrap().items()[0].at("id").unwrap();
        assert_eq!(&text[one.span.clone()], "one");
    }
}
