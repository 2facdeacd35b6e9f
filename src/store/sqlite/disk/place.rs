//! Whether the file that is open is still the one that lies in its place. What is written to another would be lost.

use std::path::{Path, PathBuf};

use crate::{Outage, StoreError};

/// A file that is open, and what the system knows it by.
#[derive(Debug)]
pub(crate) struct Place(Vec<(PathBuf, Option<Identity>)>);

/// What tells a file from every other that is there at the same time.
type Identity = (u64, u64);

impl Place {
    /// The database and its log, both open by now.
    pub(crate) fn of(file: &Path) -> Self {
        let files = [file.to_owned(), beside(file, "-wal")];
        Self(files.into_iter().map(|file| (file.clone(), identity(&file))).collect())
    }

    /// # Errors
    /// [`StoreError::Unavailable`] where it lies there no more, or something else does. It passes once it is back.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let away = self.0.iter().find(|(file, known)| identity(file) != *known);
        away.map_or(Ok(()), |(file, _)| Err(Outage::Moved { file: name(file).to_string() }.into()))
    }
}

/// A file's name as health tells it: where it lies is nobody's business there.
pub(crate) fn name(file: &Path) -> std::ffi::os_str::Display<'_> {
    file.file_name().unwrap_or_default().display()
}

/// A file that SQLite keeps beside a database.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(unix)]
fn identity(file: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(file).ok().map(|meta| (meta.dev(), meta.ino()))
}

/// Where files have no numbers, an open one cannot be moved or deleted.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}
