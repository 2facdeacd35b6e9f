//! Reads JSON into a [`Node`]. Strict (no comments, no commas at the end), because editors check it the same way.

use std::ops::Range;

use formwright_form::problem::{Problem, Problems};

use crate::node::{Data, Entry, MAX_DEPTH, Node};

pub(crate) fn read(text: &str, problems: &mut Problems) -> Node {
    let mut reader = Reader { text, at: 0 };
    let root = reader.value(0).and_then(|root| {
        reader.space();
        if reader.at < text.len() { Err(reader.refuse("nothing more was expected")) } else { Ok(root) }
    });
    root.unwrap_or_else(|(span, message)| {
        let help = advice(text, &span);
        problems.push(Problem::error("form::syntax", format!("not valid JSON: {message}")).at(span, "here").help(help));
        Node { span: 0..0, data: Data::Map(Vec::new()) }
    })
}

/// What to change, by what stands there.
fn advice(text: &str, span: &Range<usize>) -> &'static str {
    let rest = text.get(span.start..).unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default().trim_end();
    match rest.chars().next() {
        None => "a bracket or brace is not closed",
        Some('/' | '#') => "JSON has no comments: take this out, or write the form in TOML or YAML",
        Some('}' | ']') if before.ends_with(',') => "take the comma before it out",
        Some('\'') => "write texts in double quotes: `\"text\"`",
        Some('"') if before.ends_with(['"', '}', ']']) => "put a comma between the two",
        Some('"') => "a text ends with `\"` on its line; write `\\n` for a new line in it",
        Some(c) if c.is_alphabetic() => "write it in double quotes: `\"text\"`",
        _ => "JSON looks like `{ \"key\": \"text\", \"list\": [1, 2] }`",
    }
}

type Refused = (Range<usize>, String);

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Node, Refused> {
        self.space();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(self.refuse(&format!("lists and objects lie deeper than {MAX_DEPTH} in each other")));
        }
        let data = match self.peek() {
            Some('{') => return self.object(depth),
            Some('[') => return self.list(depth),
            Some('"') => Data::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some('a'..='z') => self.word()?,
            _ => return Err(self.refuse("a value was expected")),
        };
        Ok(Node { span: start..self.at, data })
    }

    fn object(&mut self, depth: usize) -> Result<Node, Refused> {
        let brace = self.at;
        let mut span = brace..brace + 1;
        let mut entries = Vec::new();
        self.at += 1;
        self.space();
        if self.take('}') {
            return Ok(Node { span: brace..self.at, data: Data::Map(entries) });
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some('"') {
                return Err(self.refuse("a key in quotes was expected"));
            }
            let key = self.string()?;
            let key_span = start..self.at;
            // An object may be long: its first key stands for it.
            if entries.is_empty() {
                span = key_span.clone();
            }
            self.space();
            self.expect(':')?;
            let node = self.value(depth + 1)?;
            entries.push(Entry { key, span: key_span, node });
            self.space();
            if self.take('}') {
                return Ok(Node { span, data: Data::Map(entries) });
            }
            self.expect(',')?;
        }
    }

    fn list(&mut self, depth: usize) -> Result<Node, Refused> {
        let start = self.at;
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        while !self.take(']') {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(self.value(depth + 1)?);
            self.space();
        }
        Ok(Node { span: start..self.at, data: Data::List(items) })
    }

    /// A string; its escapes are left to `serde_json`.
    fn string(&mut self) -> Result<String, Refused> {
        let start = self.at;
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => break,
                '"' => {
                    self.at = start + offset + 1;
                    let raw = self.text.get(start..self.at).unwrap_or_default();
                    return serde_json::from_str(raw).map_err(|_| (start..self.at, "not a string".to_owned()));
                }
                _ => {}
            }
        }
        Err((start..start + 1, "this string does not end on its line".to_owned()))
    }

    fn number(&mut self) -> Result<Data, Refused> {
        let raw = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
        match serde_json::from_str::<serde_json::Number>(raw) {
            Ok(_) => Ok(Data::Number(raw.to_owned())),
            // A number it is all the same, and its key tells which are taken.
            Err(error) if error.to_string().contains("out of range") => Ok(Data::Number(raw.to_owned())),
            Err(_) => Err((self.at - raw.len()..self.at, format!("`{raw}` is not a number"))),
        }
    }

    fn word(&mut self) -> Result<Data, Refused> {
        let raw = self.run(|c| c.is_ascii_alphanumeric());
        match raw {
            "true" => Ok(Data::Bool(true)),
            "false" => Ok(Data::Bool(false)),
            "null" => Ok(Data::Null),
            _ => Err((self.at - raw.len()..self.at, format!("`{raw}` needs quotes"))),
        }
    }

    fn run(&mut self, of: fn(char) -> bool) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let run = rest.get(..rest.find(|c| !of(c)).unwrap_or(rest.len())).unwrap_or_default();
        self.at += run.len();
        run
    }

    fn space(&mut self) {
        self.run(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let taken = self.peek() == Some(c);
        if taken {
            self.at += c.len_utf8();
        }
        taken
    }

    fn expect(&mut self, c: char) -> Result<(), Refused> {
        if self.take(c) { Ok(()) } else { Err(self.refuse(&format!("`{c}` was expected"))) }
    }

    fn refuse(&self, message: &str) -> Refused {
        let len = self.peek().map_or(0, char::len_utf8);
        (self.at..self.at + len, message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case(r#" {"a": [1, -0.5e3, "x\n\ud83d\ude00", true, null, {}], "b": []} "#)]
    #[case("[]")]
    fn it_reads_what_serde_json_reads(#[case] text: &str) {
        let mut problems = Vec::new();
        let node = read(text, &mut problems);
        assert_eq!(problems, []);
        assert_eq!(node.json(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }

    #[rstest::rstest]
    #[case("", 0..0)]
    #[case("{\"a\": 1,}", 8..9)]
    #[case("{a: 1}", 1..2)]
    #[case("[1 2]", 3..4)]
    #[case("[01]", 1..3)]
    #[case("{\"a\": yes}", 6..9)]
    #[case("{\"a\": \"x}", 6..7)]
    #[case("{} x", 3..4)]
    #[case("[\"\\ud800\"]", 1..9)]
    #[case(&"[".repeat(100_000), 33..34)]
    fn what_is_wrong_is_shown_where_it_is(#[case] text: &str, #[case] span: Range<usize>) {
        let mut problems = Vec::new();
        read(text, &mut problems);
        assert_eq!(
            problems.first().and_then(|problem| problem.spans.first()).map(|(span, _)| span.clone()),
            Some(span)
        );
    }
}
