//! `file`: files, by reference: a widget or an attachment brings them, or words with links to them.
//!
//! "it's at `https://files.example/receipt.pdf`" is the file `receipt.pdf`, its id the address. What lies behind a link
//! is not looked at: its size is not known, and its type only where the name tells it.

use chat::FileRef;
use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
use crate::kind::words::url::Url;

/// Types told by the endings of names.
const TYPES: &[(&str, &str)] = &[
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("heic", "image/heic"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("html", "text/html"),
    ("json", "application/json"),
    ("zip", "application/zip"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("mp4", "video/mp4"),
    ("mov", "video/quicktime"),
    ("exe", "application/vnd.microsoft.portable-executable"),
];

/// Uploaded files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// Media types (`image/*`) or name endings (`.pdf`) taken; empty takes all.
    pub accept: Vec<String>,
    /// Greatest size of one file in bytes.
    pub max_bytes: Option<u64>,
    /// Greatest number of files; 1 by default, and 0 means 1.
    pub max_files: u32,
    /// Least number of files; 1 by default.
    pub min_files: u32,
}

impl File {
    /// Whether one file can be taken.
    ///
    /// # Errors
    /// `file_type`, `file_empty` or `file_too_big`, with the file's name; `text_control_chars` for a name that is no name.
    pub fn check_one(&self, file: &FileRef) -> Result<(), Refusal> {
        answer::no_controls(&file.name, false)?;
        let media_type = file.media_type.to_ascii_lowercase();
        let media_type = media_type.split(';').next().unwrap_or_default().trim();
        let name = file.name.to_lowercase();
        let fits = |rule: &String| {
            let rule = rule.to_lowercase();
            match (rule.strip_prefix('.'), rule.strip_suffix("/*")) {
                (Some(_), _) => name.ends_with(&rule),
                (None, Some(family)) => media_type.split('/').next() == Some(family),
                (None, None) => rule == "*" || rule == media_type,
            }
        };
        // Many links end in no name, and nobody is asked to guess what lies behind them.
        let untold = is_link(file) && media_type.is_empty();
        if !self.accept.is_empty() && !untold && !self.accept.iter().any(fits) {
            return Err(Refusal::new("file_type").fact("accept", self.accept.join(", ")).fact("name", &file.name));
        }
        if file.bytes == Some(0) && !is_link(file) {
            return Err(Refusal::new("file_empty").fact("name", &file.name));
        }
        match self.max_bytes {
            // A size that nobody knows exceeds nothing.
            Some(max) if file.bytes.is_some_and(|bytes| bytes > max) => {
                Err(Refusal::new("file_too_big").fact("max", chat::bytes_shown(max)).fact("name", &file.name))
            }
            _ => Ok(()),
        }
    }

    fn most(&self) -> u32 {
        self.max_files.max(1)
    }
}

/// Whether a file is known by its address alone.
/// Whether it is at an address, where others can read it too.
pub fn is_link(file: &FileRef) -> bool {
    file.id.starts_with("https://") || file.id.starts_with("http://")
}

/// Files by name and size, or by address where nothing else is known.
pub fn shown(files: &[FileRef]) -> String {
    let shown = files.iter().map(|file| match file.bytes {
        None | Some(0) if is_link(file) => file.id.clone(),
        None => file.name.clone(),
        Some(bytes) => format!("{} ({})", file.name, chat::bytes_shown(bytes)),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The file behind an address: named by the last part of its path, or by the address where it has none.
fn linked(address: &str) -> FileRef {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let (_, rest) = path.split_once("://").unwrap_or_default();
    let last = rest.split_once('/').and_then(|(_, path)| path.rsplit('/').next()).filter(|name| !name.is_empty());
    let name = last.unwrap_or(rest).to_owned();
    let ending = last.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending.to_ascii_lowercase());
    let told = TYPES.iter().find(|(known, _)| ending.as_deref() == Some(*known)).map(|(_, media_type)| *media_type);
    FileRef { id: address.to_owned(), name, media_type: told.unwrap_or_default().to_owned(), bytes: None }
}

fn files(value: &Value) -> &[FileRef] {
    if let Value::Files(files) = value { files } else { &[] }
}

impl FieldKind for File {
    fn find(&self, _: &Said, _: &Context<'_>) -> Vec<Found> {
        Vec::new()
    }

    /// Takes links. A name without an address is no file.
    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut links = Url::default().find(said, cx);
        links.retain(|link| link.strength > Strength::Weak);
        let addresses = links.iter().filter_map(|link| match &link.value {
            Value::Text(address) => Some(linked(address)),
            _ => None,
        });
        let files: Vec<FileRef> = addresses.collect();
        match (links.first(), links.last()) {
            (Some(first), Some(last)) => Reading::Value(Found {
                span: first.span.start..last.span.end,
                value: Value::Files(files),
                strength: Strength::Exact,
            }),
            _ if said.words.is_empty() || answer::looks_like_question(said) => Reading::Nothing,
            _ => Reading::Refused(said.raw_words(answer::words(said, cx)), Refusal::new("file_expected")),
        }
    }

    /// Takes a list of [`FileRef`]s, or one, or words with links.
    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        if let Json::String(text) = data {
            let Reading::Value(found) = self.read(&Said::new(text), cx) else {
                return Err(Refusal::new("file_expected"));
            };
            self.check(&found.value, cx)?;
            return Ok(found.value);
        }
        let list = if data.is_object() { Json::Array(vec![data.clone()]) } else { data.clone() };
        let files: Vec<FileRef> = serde_json::from_value(list).map_err(|_| Refusal::new("file_expected"))?;
        let value = Value::Files(files);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Files(files) = value else { return Err(Refusal::new("file_expected")) };
        let have = u32::try_from(files.len()).unwrap_or(u32::MAX);
        if have > self.most() {
            return Err(Refusal::new("too_many_files").fact("max", self.most().to_string()));
        }
        if have < self.min_files {
            return Err(Refusal::new("too_few_files").fact("min", self.min_files.to_string()));
        }
        files.iter().try_for_each(|file| self.check_one(file))
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        shown(files(value))
    }

    fn json(&self, value: &Value) -> Json {
        serde_json::to_value(files(value)).unwrap_or_default()
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({
            "type": "array",
            "minItems": self.min_files,
            "maxItems": self.most(),
            "items": {
                "type": "object",
                "properties": {
                    "id": { "type": "string" },
                    "name": { "type": "string" },
                    "media_type": { "type": "string" },
                    "bytes": { "type": "integer", "minimum": 0 },
                },
                "required": ["id", "name", "media_type"],
                "additionalProperties": false,
            },
        })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::File { accept: self.accept.clone(), max_bytes: self.max_bytes, max_files: self.most() }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let file = |name: &str, media_type: &str| FileRef {
            id: "sample".to_owned(),
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            bytes: Some(1024),
        };
        vec![Value::Files(vec![file("receipt.pdf", "application/pdf")]), Value::Files(Vec::new())]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::cx;

    fn file(name: &str, media_type: &str, bytes: u64) -> Json {
        json!({ "id": "f1", "name": name, "media_type": media_type, "bytes": bytes })
    }

    #[rstest]
    #[case(&[file("a.pdf", "application/pdf", 10)], None)]
    #[case(&[file("A.PDF", "application/octet-stream", 10)], None)]
    #[case(&[file("photo.jpg", "image/jpeg; q=1", 2_097_152)], None)]
    #[case(&[file("photo.jpg", "image/jpeg", 2_097_153)], Some("file_too_big"))]
    #[case(&[file("tool.exe", "application/x-msdownload", 10)], Some("file_type"))]
    #[case(&[file("a.pdf", "application/pdf", 0)], Some("file_empty"))]
    #[case(&[file("x.imagefile", "imagery/png", 10)], Some("file_type"))]
    #[case(&[file("a.pdf", "", 1), file("b.pdf", "", 1), file("c.pdf", "", 1)], Some("too_many_files"))]
    #[case(&[], Some("too_few_files"))]
    #[case(&[file("a\u{202e}fdp.exe.pdf", "", 1)], Some("text_control_chars"))]
    fn files_have_bounds(#[case] files: &[Json], #[case] refused: Option<&str>) {
        let accept = vec![".pdf".to_owned(), "image/*".to_owned()];
        let kind = File { accept, max_bytes: Some(2_097_152), max_files: 2, min_files: 1 };
        let got = kind.accept(&Json::Array(files.to_vec()), &cx("en"));
        assert_eq!(got.as_ref().err().map(|refusal| refusal.code.as_str()), refused);
        if let Ok(value) = got {
            assert_eq!(kind.json(&value), Json::Array(files.to_vec()));
        }
    }

    #[rstest]
    #[case("https://files.example/a/receipt.pdf?x=1", "https://files.example/a/receipt.pdf?x=1", Ok(()))]
    #[case("it's at files.example.com/me.JPG.", "https://files.example.com/me.JPG", Ok(()))]
    #[case("https://drive.example/d/abc/view and www.drive.example/e", "https://drive.example/d/abc/view, https://www.drive.example/e", Ok(()))]
    #[case("https://files.example", "https://files.example", Ok(()))]
    #[case("https://files.example/tool.exe", "", Err("file_type"))]
    #[case("receipt.pdf", "", Err("file_expected"))]
    #[case("I have it on paper", "", Err("file_expected"))]
    #[case("https://a.example/1 https://a.example/2 https://a.example/3", "", Err("too_many_files"))]
    fn words_answer_with_links(#[case] said: &str, #[case] shown: &str, #[case] ends: Result<(), &str>) {
        let accept = vec![".pdf".to_owned(), "image/*".to_owned()];
        let kind = File { accept, max_bytes: Some(1), max_files: 2, min_files: 1 };
        let got = kind.accept(&json!(said), &cx("en"));
        assert_eq!(got.as_ref().map(drop).map_err(|refusal| refusal.code.as_str()), ends, "{said}");
        if let Ok(value) = got {
            assert_eq!(kind.show(&value, &cx("en")), shown);
        }
    }

    #[test]
    fn a_file_of_unknown_size_is_not_empty_and_exceeds_no_limit() {
        let kind = File { max_bytes: Some(1), max_files: 1, ..File::default() };
        let data = json!([{ "id": "f1", "name": "scan.pdf", "media_type": "application/pdf" }]);
        let value = kind.accept(&data, &cx("en")).unwrap();
        assert_eq!(kind.show(&value, &cx("en")), "scan.pdf");
        assert_eq!(kind.json(&value), data);
    }

    #[test]
    fn a_question_about_a_file_is_no_answer() {
        let kind = File { max_files: 1, ..File::default() };
        assert_eq!(kind.read(&Said::new("what is it for?"), &cx("en")), Reading::Nothing);
    }

    #[test]
    fn a_linked_file_has_a_name_and_a_type_where_the_address_tells_them() {
        let file = linked("https://files.example/a/receipt.PDF?x=1");
        assert_eq!(
            (file.name.as_str(), file.media_type.as_str(), file.bytes),
            ("receipt.PDF", "application/pdf", None)
        );
        assert_eq!(linked("https://files.example/").name, "files.example/");
    }
}
