//! Form files: samples load, broken ones are explained, what is generated from the code is up to date.

mod alike;
mod converted;
mod documents;
mod generated;
mod invalid;
mod samples;

use std::path::{Path, PathBuf};

use formwright::form::load::{Loaded, Syntax, load};

/// The repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Form files of a folder, by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("schema.json") && Syntax::of(&name(file)).is_some());
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_str().unwrap().to_owned()
}

fn load_file(file: &Path) -> (String, Loaded) {
    let text = std::fs::read_to_string(file).unwrap();
    let loaded = load(&text, Syntax::of(&name(file)).unwrap());
    (text, loaded)
}
