//! Form files on disk: read at the start, and again when they change. A broken edit keeps the version before it.

pub(crate) mod brought;
pub mod documents;
pub(crate) mod file;
pub(crate) mod inline;
pub(crate) mod links;
mod set;
pub(crate) mod shelf;
pub mod switches;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use file::plain_file;
use inline::is_inline;
pub use set::{Checked, FormSet};

use formwright_form::context::Context;
use formwright_form::problem::{Problem, has_errors};
use formwright_form::{Catalog, FormId};
use formwright_load::{ENDINGS, Loaded, MAX_BYTES, Syntax, load, load_bytes};

/// The sample forms that come with the program.
const SAMPLES: &[(&str, &str)] = &[
    ("event-signup.json", include_str!("../../../forms/event-signup.json")),
    ("expense-claim.toml", include_str!("../../../forms/expense-claim.toml")),
    ("injury-report.toml", include_str!("../../../forms/injury-report.toml")),
    ("leave-request.yaml", include_str!("../../../forms/leave-request.yaml")),
    ("pizza-order.toml", include_str!("../../../forms/pizza-order.toml")),
    ("support-ticket.toml", include_str!("../../../forms/support-ticket.toml")),
];

/// The documents that the samples name.
const SAMPLE_DOCUMENTS: &[(&str, &str)] =
    &[("documents/expense-policy.md", include_str!("../../../forms/documents/expense-policy.md"))];

/// Reads form files: folders are read with everything directly in them that is named like a form file. What cannot be read,
/// or is no plain file, is a problem of that file.
///
/// # Errors
/// A sentence for the operator where a folder cannot be read.
pub fn read(paths: &[PathBuf]) -> Result<FormSet, String> {
    let mut set = FormSet::default();
    let mut read = Vec::new();
    for path in paths {
        let root = if path.is_dir() { path.canonicalize().ok() } else { None };
        for file in form_files(path)? {
            let (source, mut loaded) = match bytes(&file, root.as_deref()) {
                Ok(bytes) => match Syntax::of(&file.to_string_lossy()) {
                    Some(syntax) => load_bytes(bytes, syntax),
                    None => (String::new(), Loaded { form: None, problems: vec![unknown_ending()], id: None }),
                },
                Err(problem) => (String::new(), Loaded { form: None, problems: vec![problem], id: None }),
            };
            if let Some(form) = &mut loaded.form {
                let context = std::mem::take(&mut form.context);
                let dir = file.parent().unwrap_or(Path::new(""));
                let (context, named) = documents::read(context, dir, &mut loaded.problems);
                form.context = context;
                set.documents.extend(named);
            }
            if has_errors(&loaded.problems) {
                loaded.form = None;
            }
            read.push((file, root.is_some(), source, loaded));
        }
    }
    for (file, listed, source, loaded) in read {
        // A document beside the forms that names it is none itself.
        let is_document = listed && file.canonicalize().is_ok_and(|file| set.documents.contains(&file));
        if !is_document {
            set.add(file, source, loaded);
        }
    }
    links::check(&mut set, paths.iter().any(|path| path.is_dir()));
    Ok(set)
}

/// The sample forms that come with the program.
pub fn samples() -> FormSet {
    let mut set = FormSet::default();
    for (name, source) in SAMPLES {
        let path = PathBuf::from(name);
        // The names of the samples are written above.
        let mut loaded = load(source, Syntax::of(name).unwrap_or(Syntax::Toml));
        if let Some(form) = &mut loaded.form {
            let mut named = std::mem::take(&mut form.context).documents;
            for document in &mut named {
                let text = SAMPLE_DOCUMENTS.iter().find(|(name, _)| document.file.as_deref() == Some(*name));
                document.text = text.map(|(_, text)| (*text).to_owned()).unwrap_or_default();
            }
            form.context = Context::new(named);
        }
        set.add(path, (*source).to_owned(), loaded);
    }
    set
}

/// Puts forms that were read again in the place of those of `before`: what is broken keeps its version, what is gone can
/// no longer be started, and open drafts keep theirs either way. Where several files have one id, the form that is
/// served stays. Forms that came with requests stay, and those that a program brings along, unless it has added them to
/// `set` anew (so that they are switched off and on as well).
pub fn replace(before: &Catalog, mut set: FormSet) -> Catalog {
    let mut after = before.clone();
    let broken = set.files.iter().any(|file| file.form.is_none());
    let ids = before.forms().map(|form| &form.id).filter(|id| !is_inline(id) && !before.is_own(id));
    let gone: Vec<FormId> = ids.filter(|id| set.catalog.form(id).is_none()).cloned().collect();
    // A broken file may be the one that a missing form was in: nothing is taken off before all files load.
    for id in gone.iter().filter(|_| !broken) {
        after.remove(id);
    }
    let own = set.catalog.forms().map(|form| form.id.clone());
    let own = own.filter(|id| before.is_own(id) && !set.catalog.is_own(id));
    for id in own.chain(set.contested).filter(|id| before.form(id).is_some()).collect::<Vec<_>>() {
        set.catalog.remove(&id);
    }
    after.merge(set.catalog);
    after
}

/// A fingerprint of a folder's form files and of documents, by name, size and time: when it changes, forms are read again.
pub fn fingerprint(
    dir: &Path,
    documents: &BTreeSet<PathBuf>,
) -> BTreeMap<PathBuf, (u64, Option<std::time::SystemTime>)> {
    let mut files = form_files(dir).unwrap_or_default();
    files.extend(documents.iter().cloned());
    let stat = |path: PathBuf| {
        // What leads nowhere is told once, and again when it leads somewhere.
        let meta = std::fs::metadata(&path).ok();
        let of = meta.map_or((0, None), |meta| (meta.len(), meta.modified().ok()));
        (path, of)
    };
    files.into_iter().map(stat).collect()
}

fn unknown_ending() -> Problem {
    let problem = Problem::error("form::unreadable", "this file's name does not say how it is written");
    problem.at(0..0, "").help(format!("end its name with {ENDINGS}; a `README.md` is no form"))
}

/// What is in a form file, which may not be a link out of its folder `root`, where it has one.
fn bytes(file: &Path, root: Option<&Path>) -> Result<Vec<u8>, Problem> {
    let told = |(why, help): (String, String)| Problem::error("form::unreadable", why).at(0..0, "").help(help);
    plain_file(file, root, MAX_BYTES).map_err(told)
}

fn form_files(path: &Path) -> Result<Vec<PathBuf>, String> {
    // What is no folder is taken as a file: a name with such an ending that does not exist is told as one that cannot be read.
    if path.is_file() || !path.is_dir() && Syntax::of(&path.to_string_lossy()).is_some() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| unreadable(path, &error))?.path();
        if file.file_name().and_then(|name| name.to_str()).is_some_and(is_form_file) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn is_form_file(name: &str) -> bool {
    Syntax::of(name).is_some() && name != "schema.json" && !name.starts_with('.')
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be read: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use formwright_form::Form;

    use super::switches::Off;
    use super::*;

    const GOOD: &str = "schema = 1\nid = \"a\"\ntitle = \"A\"\n[[field]]\nid = \"x\"\nkind = \"text\"\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        dir
    }

    fn read_dir(dir: &tempfile::TempDir) -> FormSet {
        read(&[dir.path().to_owned()]).unwrap()
    }

    #[test]
    fn only_form_files_in_the_folder_count() {
        let dir =
            folder(&[("a.toml", GOOD), ("README.md", "# no form"), ("schema.json", "{}"), (".b.toml", "rubbish")]);
        let set = read_dir(&dir);
        assert_eq!(set.files.len(), 1);
        assert!(!set.has_errors());
    }

    #[test]
    fn what_is_no_plain_file_is_told_and_never_opened() {
        let dir = folder(&[("a.toml", GOOD), ("z-big.toml", "")]);
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("/etc/hostname", at("b-out.toml")).unwrap();
        std::os::unix::fs::symlink(at("gone"), at("c-nowhere.toml")).unwrap();
        std::fs::create_dir(at("d-folder.toml")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("e-pipe.toml")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("f-socket.toml")).unwrap();
        std::fs::File::create(at("z-big.toml")).unwrap().set_len(1 << 40).unwrap();
        let set = read_dir(&dir);
        let problems = set.files.iter().flat_map(|file| &file.problems);
        let told: Vec<String> = problems.map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        form::unreadable: this link leads out of the folder of forms
        form::unreadable: this file cannot be read: No such file or directory (os error 2)
        form::unreadable: this is a folder, and a form is read from a plain file
        form::unreadable: this is a pipe, a socket or a device, and a form is read from a plain file
        form::unreadable: this is a pipe, a socket or a device, and a form is read from a plain file
        form::too_large: a form file has at most 1048576 bytes
        ");
        assert_eq!(set.catalog.forms().count(), 1, "the others load");
        let alone = read(&[at("e-pipe.toml")]).unwrap();
        assert!(alone.has_errors());
        assert_eq!(fingerprint(dir.path(), &BTreeSet::new()).len(), 7);
    }

    #[test]
    fn a_file_that_cannot_be_read_does_not_hinder_the_others() {
        let dir = folder(&[("a.toml", &format!("\u{feff}{GOOD}")), ("c.toml", &GOOD.replace("\"a\"", "\"c\""))]);
        std::fs::write(dir.path().join("b.toml"), b"id = \"Citt\xe0\"").unwrap();
        let paths = ["a.toml", "b.toml", "c.toml", "gone.toml"].map(|name| dir.path().join(name));
        let set = read(&paths).unwrap();
        let codes: Vec<_> = set.files.iter().map(|file| file.problems.first().map(|problem| problem.code)).collect();
        assert_eq!(codes, [None, Some("form::not_utf8"), None, Some("form::unreadable")]);
        assert_eq!(set.files[1].problems[0].spans[0].0, 10..13);
        assert_eq!(set.catalog.forms().count(), 2);
    }

    #[test]
    fn every_sample_serves() {
        let set = samples();
        assert!(!set.has_errors());
        assert_eq!(set.catalog.forms().count(), SAMPLES.len());
    }

    #[test]
    fn a_document_is_a_form_and_other_endings_are_told() {
        let document = "# A\n\n## X\n\n| Property | Value |\n|---|---|\n| Field ID | `x` |\n| Type | text |\n";
        let dir = folder(&[("a.md", document), ("README.md", "# Notes\n"), ("notes.txt", "x")]);
        let set = read_dir(&dir);
        assert_eq!(set.files.len(), 1, "{set:?}");
        assert!(set.catalog.form(&FormId::new("a")).is_some());
        for name in ["notes.txt", "README.md"] {
            let set = read(&[dir.path().join(name)]).unwrap();
            let told = set.files.first().and_then(|file| file.problems.first()).unwrap();
            assert_eq!(told.code, "form::unreadable");
            assert!(told.help.as_deref().is_some_and(|help| help.contains(".md")), "{told:?}");
        }
    }

    #[test]
    fn two_files_with_one_id_are_a_problem() {
        let dir = folder(&[("a.toml", GOOD), ("b.toml", GOOD)]);
        let set = read_dir(&dir);
        assert_eq!(set.files[1].problems.last().unwrap().code, "form::duplicate_form");
        assert_eq!(set.catalog.forms().count(), 1);
    }

    #[test]
    fn a_broken_edit_keeps_the_version_before_it() {
        let dir = folder(&[("a.toml", GOOD)]);
        let before = read_dir(&dir).catalog;
        let version = before.form(&FormId::new("a")).unwrap().version.clone();
        std::fs::write(dir.path().join("a.toml"), GOOD.replace("kind", "knd")).unwrap();
        let after = replace(&before, read_dir(&dir));
        assert_eq!(after.form(&FormId::new("a")).unwrap().version, version);
    }

    #[test]
    fn a_second_file_with_the_id_of_a_form_does_not_take_its_place() {
        let dir = folder(&[("b.toml", GOOD)]);
        let before = read_dir(&dir).catalog;
        let version = before.form(&FormId::new("a")).unwrap().version.clone();
        std::fs::write(dir.path().join("a.toml"), GOOD.replace("\"A\"", "\"Another\"")).unwrap();
        let after = replace(&before, read_dir(&dir));
        assert_eq!(after.form(&FormId::new("a")).unwrap().version, version, "the one served stays");
        std::fs::remove_file(dir.path().join("b.toml")).unwrap();
        let after = replace(&after, read_dir(&dir));
        assert_ne!(after.form(&FormId::new("a")).unwrap().version, version, "the other one is the only one now");
    }

    #[test]
    fn a_form_that_came_with_a_request_outlives_a_reload() {
        let dir = folder(&[("a.toml", GOOD)]);
        let mut before = read_dir(&dir).catalog;
        let form = load(GOOD, Syntax::Toml).form.unwrap();
        before.insert(Form { id: FormId::new("inline-a-0123"), ..form });
        assert!(replace(&before, read_dir(&dir)).form(&FormId::new("inline-a-0123")).is_some());
    }

    #[test]
    fn a_form_of_the_programs_own_outlives_a_reload_and_no_file_takes_its_place() {
        let recipe = formwright_tool::Recipe::new("twice", "Doubles a number");
        let own = recipe.param(formwright_tool::Param::new("number", "number")).form().unwrap();
        let (id, version) = (own.id.clone(), own.version.clone());
        let dir = folder(&[("a.toml", GOOD)]);
        let mut catalog = read_dir(&dir).catalog;
        catalog.insert_own(own);
        std::fs::write(dir.path().join("a.toml"), GOOD.replace("\"A\"", "\"Another\"")).unwrap();
        std::fs::write(dir.path().join("b.toml"), GOOD.replace("id = \"a\"", "id = \"twice\"")).unwrap();
        for _ in 0..2 {
            catalog = replace(&catalog, read_dir(&dir));
            assert_eq!(catalog.form(&id).unwrap().version, version);
            assert_eq!(catalog.forms().count(), 2);
        }
    }

    #[test]
    fn a_form_of_the_programs_own_is_switched_off_and_on() {
        let own = || {
            formwright_tool::Recipe::new("twice", "Doubles a number")
                .param(formwright_tool::Param::new("number", "number"))
                .form()
                .unwrap()
        };
        let dir = folder(&[("a.toml", GOOD)]);
        let read_again = |before: &Catalog, off: &Off| {
            let mut set = read_dir(&dir);
            set.catalog.insert_own(own());
            set.switch_off(off);
            replace(before, set)
        };
        let off = Off::from([(FormId::new("twice"), Some("Not today.".to_owned()))]);
        let mut catalog = read_again(&Catalog::default(), &Off::new());
        for (off, is_on) in [(&off, false), (&Off::new(), true), (&off, false)] {
            catalog = read_again(&catalog, off);
            assert_eq!(catalog.form(&FormId::new("twice")).unwrap().enabled, is_on);
            assert!(catalog.is_own(&FormId::new("twice")));
        }
    }

    #[test]
    fn a_form_that_cannot_be_served_here_keeps_the_version_before_it() {
        let dir = folder(&[("a.toml", GOOD)]);
        let before = read_dir(&dir).catalog;
        let version = before.form(&FormId::new("a")).unwrap().version.clone();
        std::fs::write(dir.path().join("a.toml"), GOOD.replace("\"A\"", "\"Another\"")).unwrap();
        let mut set = read_dir(&dir);
        let refused = set.refuse(|_| Some("its sink is not there".to_owned()));
        assert_eq!(refused, [(FormId::new("a"), "its sink is not there".to_owned())]);
        assert_eq!(replace(&before, set).form(&FormId::new("a")).unwrap().version, version);
    }

    #[test]
    fn a_mark_at_the_head_of_a_file_is_no_part_of_it() {
        let json = r#"{"id": "b", "title": "B", "field": [{"id": "x", "kind": "text"}]}"#;
        let dir = folder(&[("a.toml", &format!("\u{feff}{GOOD}")), ("b.json", &format!("\u{feff}{json}"))]);
        let set = read_dir(&dir);
        assert!(!set.has_errors(), "{:?}", set.files);
        assert_eq!(set.catalog.forms().count(), 2);
    }

    #[test]
    fn a_form_taken_off_can_no_longer_be_started_but_its_drafts_go_on() {
        let dir = folder(&[("a.toml", GOOD)]);
        let before = read_dir(&dir).catalog;
        let id = FormId::new("a");
        let version = before.form(&id).unwrap().version.clone();
        std::fs::remove_file(dir.path().join("a.toml")).unwrap();
        let after = replace(&before, read_dir(&dir));
        assert!(after.form(&id).is_none());
        assert!(after.version(&id, &version).is_some());
    }
}
