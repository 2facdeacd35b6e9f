//! The documents that forms name in `[[context]]`, and the settings for all forms, read from disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::file::plain_file;
use formwright_form::context::{Context, Document};
use formwright_form::problem::{Place, Problem};

/// Largest document in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Most bytes that the documents of a form have together.
const MAX_TOGETHER: usize = 8 << 20;

/// Reads the documents that a form in the folder `dir` names, and those files; what is wrong with them is told at the
/// place where the form names them. A document that cannot be read stays empty.
pub(crate) fn read(context: Context, dir: &Path, problems: &mut Vec<Problem>) -> (Context, BTreeSet<PathBuf>) {
    let mut files = BTreeSet::new();
    if context.documents.iter().all(|document| document.file.is_none()) {
        return (context, files);
    }
    let root = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let mut together = 0_usize;
    let documents = context.documents.into_iter().map(|mut document| {
        let Some(name) = document.file.clone() else { return document };
        let path = dir.join(&name);
        let text = text_of(&path, &root);
        files.insert(path.canonicalize().unwrap_or(path));
        match text {
            Ok(text) => {
                together = together.saturating_add(text.len());
                document.text = text;
            }
            Err((code, why, help)) => {
                let problem = Problem::error(code, format!("`{name}`: {why}"));
                problems.push(problem.at(document.place.0.clone(), "this document").help(help));
            }
        }
        document
    });
    let documents: Vec<Document> = documents.collect();
    if together > MAX_TOGETHER {
        let message = format!("the documents of a form have at most {MAX_TOGETHER} bytes together");
        let place = documents.last().map(|document| document.place.0.clone()).unwrap_or_default();
        problems.push(Problem::error("form::too_large", message).at(place, "more than that").help("name fewer files"));
    }
    (Context::new(documents), files)
}

/// Reads the documents for all forms, which the settings name.
///
/// # Errors
/// A sentence for the operator: which of them cannot be read, and why.
pub fn common(files: &[PathBuf]) -> Result<Context, String> {
    let read = |file: &PathBuf| {
        let name = file.display().to_string();
        let root = file.canonicalize().unwrap_or_else(|_| file.clone());
        let text = text_of(file, &root).map_err(|(_, why, help)| format!("`forms.context`: {name}: {why}; {help}"))?;
        Ok(Document { title: None, langs: Vec::new(), file: Some(name), text, place: Place::default() })
    };
    files.iter().map(read).collect::<Result<Vec<_>, String>>().map(Context::new)
}

type Wrong = (&'static str, String, String);

/// What is in a document; else a code, why not, and what to do.
fn text_of(path: &Path, root: &Path) -> Result<String, Wrong> {
    let ends = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    if !matches!(ends.as_deref(), Some("md" | "markdown" | "txt")) {
        let help = "save it as Markdown or text, with a name that ends with `.md` or `.txt`";
        return Err(("form::bad_document", "this is neither Markdown nor text".to_owned(), help.to_owned()));
    }
    let bytes = plain_file(path, Some(root), MAX_BYTES).map_err(|(why, help)| ("form::unreadable", why, help))?;
    if bytes.len() > MAX_BYTES {
        let help = "make several documents of it".to_owned();
        return Err(("form::too_large", format!("a document has at most {MAX_BYTES} bytes"), help));
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| {
        ("form::not_utf8", "a document is text in UTF-8, and this is not".to_owned(), "save it as UTF-8".to_owned())
    })?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        let help = "write something into it, or take it out of the form".to_owned();
        return Err(("form::empty_text", "there is nothing in this document".to_owned(), help));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::{self, FormSet};
    use formwright_form::FormId;

    const FORM: &str = "id = \"a\"\ntitle = \"A\"\n[[field]]\nid = \"x\"\nkind = \"text\"\n[[context]]\n";

    fn folder(files: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("docs")).unwrap();
        std::fs::write(dir.path().join("a.toml"), format!("{FORM}file = {files}\n")).unwrap();
        dir
    }

    fn read_dir(dir: &tempfile::TempDir) -> FormSet {
        forms::read(&[dir.path().to_owned()]).unwrap()
    }

    #[test]
    fn documents_are_read_from_the_folder_of_the_form() {
        let dir = folder(r#"["docs/guide.md", "notes.md"]"#);
        std::fs::write(dir.path().join("docs/guide.md"), "\u{feff}# Guide\n\nAll of it.").unwrap();
        std::fs::write(dir.path().join("notes.md"), "# Notes\n\nNo form.").unwrap();
        let set = read_dir(&dir);
        assert_eq!(set.files.len(), 1, "a document that stands beside the form is no form");
        assert!(!set.has_errors(), "{:?}", set.files);
        assert_eq!(set.documents.len(), 2);
        let before = set.catalog.form(&FormId::new("a")).unwrap().context.clone();
        assert_eq!(before.documents[0].text, "# Guide\n\nAll of it.");
        let seen = forms::fingerprint(dir.path(), &set.documents);
        std::fs::write(dir.path().join("docs/guide.md"), "# Guide\n\nAll of it, and more.").unwrap();
        assert_ne!(forms::fingerprint(dir.path(), &set.documents), seen);
        let after = read_dir(&dir).catalog;
        let after = after.form(&FormId::new("a")).unwrap();
        assert_ne!(after.context.digest, before.digest);
        assert_eq!(after.version, set.catalog.form(&FormId::new("a")).unwrap().version, "drafts go on with it");
    }

    #[test]
    fn what_is_wrong_with_a_document_is_told_where_it_is_named() {
        let dir = folder(
            r#"["docs/gone.md", "docs/out.md", "docs", "docs/empty.md", "docs/a.pdf", "docs/big.txt", "docs/b.md"]"#,
        );
        let at = |name: &str| dir.path().join("docs").join(name);
        std::os::unix::fs::symlink("/etc/hostname", at("out.md")).unwrap();
        std::fs::write(at("empty.md"), " \n").unwrap();
        std::fs::write(at("a.pdf"), "x").unwrap();
        std::fs::write(at("b.md"), b"Citt\xe0").unwrap();
        std::fs::File::create(at("big.txt")).unwrap().set_len(1 << 40).unwrap();
        let set = read_dir(&dir);
        let file = &set.files[0];
        let told = |problem: &Problem| {
            let place = file.source.get(problem.spans[0].0.clone()).unwrap_or_default();
            format!("{} {place}: {}", problem.code, problem.message)
        };
        insta::assert_snapshot!(file.problems.iter().map(told).collect::<Vec<_>>().join("\n"), @r#"
        form::unreadable "docs/gone.md": `docs/gone.md`: this file cannot be read: No such file or directory (os error 2)
        form::unreadable "docs/out.md": `docs/out.md`: this link leads out of the folder of forms
        form::bad_document "docs": `docs`: this is neither Markdown nor text
        form::empty_text "docs/empty.md": `docs/empty.md`: there is nothing in this document
        form::bad_document "docs/a.pdf": `docs/a.pdf`: this is neither Markdown nor text
        form::too_large "docs/big.txt": `docs/big.txt`: a document has at most 1048576 bytes
        form::not_utf8 "docs/b.md": `docs/b.md`: a document is text in UTF-8, and this is not
        "#);
        assert!(file.form.is_none() && set.catalog.forms().next().is_none());
        std::fs::write(at("gone.md"), "It is there.").unwrap();
        assert_ne!(forms::fingerprint(dir.path(), &set.documents), forms::fingerprint(dir.path(), &BTreeSet::new()));
    }

    #[test]
    fn documents_for_all_forms_are_read_wherever_they_are() {
        let dir = folder("\"x.md\"");
        let at = dir.path().join("docs/faq.md");
        let refused = common(std::slice::from_ref(&at)).unwrap_err();
        assert!(refused.contains("faq.md") && refused.contains("see that the file exists"), "{refused}");
        std::fs::write(&at, "# Questions").unwrap();
        assert_eq!(common(&[at]).unwrap().documents[0].text, "# Questions");
    }
}
