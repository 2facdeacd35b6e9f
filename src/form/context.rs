//! `[[context]]`: documents that questions about a form are answered from.

use formwright_chat as chat;
use formwright_text::capitalised;
use sha2::Digest as _;

use super::problem::Place;

/// The documents of a form, or those for all forms.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// In the order of the file.
    pub documents: Vec<Document>,
    /// Changes with what is in them; empty where there are none.
    pub digest: String,
}

/// A document that questions are answered from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is called where it is quoted; none takes its first heading.
    pub title: Option<String>,
    /// BCP 47 tags of its languages; without any it serves all alike.
    pub langs: Vec<String>,
    /// The file that it is in, as the form names it; none where its text stands in the form.
    pub file: Option<String>,
    /// What is in it, in Markdown; empty until its file was read.
    pub text: String,
    /// Where the form names it.
    pub place: Place,
}

impl Context {
    /// Documents with what is in them.
    pub fn new(documents: Vec<Document>) -> Self {
        let mut hash = sha2::Sha256::new();
        for document in &documents {
            let named = [&document.title, &document.file].map(|part| part.as_deref().unwrap_or_default());
            for part in named.into_iter().chain(document.langs.iter().map(String::as_str)) {
                hash.update(part);
                hash.update([0]);
            }
            hash.update([0]);
            hash.update(&document.text);
            hash.update([0]);
        }
        let digest = if documents.is_empty() { String::new() } else { chat::hex(&hash.finalize()) };
        Self { documents, digest }
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.documents.iter().all(|document| document.text.is_empty())
    }
}

impl Document {
    /// What it is called where its text has no heading: its title, or the name of its file as words.
    pub fn name(&self) -> Option<String> {
        let stem = |file: &str| {
            let name = file.rsplit('/').next().unwrap_or(file);
            let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem).replace(['_', '-'], " ");
            (!name.is_empty()).then(|| capitalised(&name))
        };
        self.title.clone().or_else(|| self.file.as_deref().and_then(stem))
    }
}
