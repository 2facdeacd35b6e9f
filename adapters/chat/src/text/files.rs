//! What files a question takes, in words.

use crate::text::words::{Word, say};
use crate::{Input, bytes_shown};

/// Most kinds of files that are named.
const KINDS: usize = 6;

/// Media types whose names say little, by a part of them, and the endings that people know.
const ENDINGS: [(&str, &str); 9] = [
    ("plain", "txt"),
    ("wordprocessingml", "docx"),
    ("spreadsheetml", "xlsx"),
    ("presentationml", "pptx"),
    ("msword", "doc"),
    ("ms-excel", "xls"),
    ("svg", "svg"),
    ("opendocument.text", "odt"),
    ("opendocument.spreadsheet", "ods"),
];

/// Which files are taken, how large, and how many: `PDF, pictures; at most 5 MB each; up to 3 files`. None where any are,
/// or where no file is asked for.
pub fn file_limits(input: &Input, lang: &str) -> Option<String> {
    let Input::File { accept, max_bytes, max_files } = input else { return None };
    let mut kinds: Vec<String> = Vec::new();
    for kind in accept.iter().filter_map(|accept| kind(accept, lang)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let more = if kinds.len() > KINDS { ", …" } else { "" };
    kinds.truncate(KINDS);
    let kinds = (!kinds.is_empty()).then(|| format!("{}{more}", kinds.join(", ")));
    let word = if *max_files > 1 { Word::AtMostEach } else { Word::AtMost };
    let size = max_bytes.map(|bytes| say(word, lang).replace("{size}", &bytes_shown(bytes)));
    let count = (*max_files > 1).then(|| say(Word::UpToFiles, lang).replace("{count}", &max_files.to_string()));
    let limits: Vec<String> = kinds.into_iter().chain(size).chain(count).collect();
    (!limits.is_empty()).then(|| limits.join("; "))
}

/// A media type or name ending as people call it; none where it is any.
fn kind(accept: &str, lang: &str) -> Option<String> {
    let accept = accept.trim().to_ascii_lowercase();
    let word = match accept.split_once('/') {
        Some(("image", "*")) => Word::Pictures,
        Some(("audio", "*")) => Word::Recordings,
        Some(("video", "*")) => Word::Films,
        Some(("*", _)) => return None,
        Some((_, kind)) => {
            let known = ENDINGS.iter().find(|(part, _)| kind.contains(part)).map(|(_, ending)| *ending);
            return Some(known.unwrap_or(kind).to_ascii_uppercase());
        }
        None if accept.is_empty() || accept == "*" => return None,
        None => return Some(accept.trim_start_matches('.').to_ascii_uppercase()),
    };
    Some(say(word, lang).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_words() {
        let file = |accept: &[&str], max_bytes, max_files| {
            let accept = accept.iter().map(|kind| (*kind).to_owned()).collect();
            file_limits(&Input::File { accept, max_bytes, max_files }, "en")
        };
        assert_eq!(file(&[], None, 1), None);
        assert_eq!(file(&["*/*"], Some(2_097_152), 1).as_deref(), Some("at most 2 MB"));
        let all = file(&["image/*", "application/pdf", ".pdf", "text/plain"], Some(5_000_000), 3);
        assert_eq!(all.as_deref(), Some("pictures, PDF, TXT; at most 5 MB each; up to 3 files"));
        assert_eq!(file_limits(&Input::Email, "en"), None);
    }
}
