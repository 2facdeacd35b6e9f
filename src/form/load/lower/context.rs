//! `[[context]]`: documents that questions are answered from. Files are named here and read elsewhere.

use formwright_form::Form;
use formwright_form::context::{Context, Document};
use formwright_form::problem::Place;

use super::lowering::Lower;
use super::parts::tables;
use super::text::lines;
use crate::node::Node;

impl Lower<'_> {
    /// The documents of the form, those in files without what is in them.
    pub(super) fn context(&mut self, root: &Node) -> Context {
        let mut documents = Vec::new();
        for table in tables(root, "context", "contexts") {
            let text = |key: &str| table.at(key).and_then(Node::text).map(str::to_owned);
            let title = text("title");
            let langs = lines(table.at("languages").or_else(|| table.at("language")));
            let files = table.at("file").or_else(|| table.at("files"));
            if let (Some(files), Some(own)) = (files, table.at("text")) {
                let message = "a document is in a file, or stands here".to_owned();
                self.either(message, &own.span, &files.span);
            }
            if files.is_none() && table.at("text").is_none() {
                let message = "a document without a file and without a text".to_owned();
                let help = "name a file: `file = \"guide/parcels.md\"`, or write it here: `text = \"…\"`";
                self.error(&table.span, "form::missing_key", message, "nothing to be read", help);
            }
            if let (Some(node), Some(text)) = (table.at("text"), text("text")) {
                if text.trim().is_empty() {
                    let message = "a document without words".to_owned();
                    self.error(&node.span, "form::empty_text", message, "nothing in it", "write it, or take it out");
                }
                let place = Place(node.span.clone());
                documents.push(Document { title: title.clone(), langs: langs.clone(), file: None, text, place });
            }
            let places: Vec<_> =
                files.map(Node::one_or_more).unwrap_or_default().iter().map(|node| &node.span).collect();
            for (file, place) in lines(files).into_iter().zip(places) {
                if leads_out(&file) {
                    let message = format!("`{file}` is not a file below this one");
                    let help = "write the path from the folder of this form, with `/`, and without `..`";
                    self.error(place, "form::bad_document", message, "leads out of the folder", help);
                    continue;
                }
                let (title, langs) = (title.clone(), langs.clone());
                documents.push(Document {
                    title,
                    langs,
                    file: Some(file),
                    text: String::new(),
                    place: Place(place.clone()),
                });
            }
        }
        Context::new(documents)
    }

    /// Warns of documents without a language, where the form has several.
    pub(super) fn warn_of_documents(&mut self, form: &Form) {
        for document in form.context.documents.iter().filter(|document| document.langs.is_empty()) {
            if form.languages.len() > 1 {
                let message = "this document does not say its language".to_owned();
                let first = form.languages.first().map_or("en", String::as_str);
                let help =
                    format!("write `languages = \"{first}\"`: others it then answers only where nothing else does");
                self.warn(&document.place.0, "form::document_language", message, "serves all languages alike", &help);
            }
        }
    }
}

/// Whether a path may lead out of the folder it starts from, on any system.
fn leads_out(path: &str) -> bool {
    path.trim().is_empty()
        || path.contains(['\\', ':', '\0'])
        || path.split('/').any(|part| matches!(part, "" | "." | ".."))
}
