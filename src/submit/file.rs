//! A file that records are appended to, each once, whatever the process dies of.
//!
//! A record counts once it is whole and synced. What a crash left half written is cut off before the next is appended.
//! Several processes may append to the same file: a lock file beside it makes them take turns.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use formwright_engine::Submission;

/// How a file's records look.
pub(super) trait Format: Send {
    /// Whether a record that lacks only the end of its line can be told from one cut off earlier.
    const SHOWS_ITS_END: bool;

    /// Whether these lines, the last of which has its end, make a whole record.
    fn is_whole(&self, lines: &[u8]) -> bool;

    /// Looks at a record in the file, in order; gives the submission it holds, if any.
    fn see(&mut self, record: &[u8]) -> Option<(String, u32)>;

    /// Forgets what was seen: the file begins anew.
    fn forget(&mut self);

    /// What to do to have a submission in the file.
    fn write(&mut self, submission: &Submission) -> io::Result<Change>;
}

/// A change of a file.
pub(super) enum Change {
    /// These records at the end.
    Append(Vec<u8>),
    /// A new first record, then every record made anew by the format, then this one.
    Rewrite(Vec<u8>),
}

/// A file of records with what is known of it.
pub(super) struct Records<F> {
    path: PathBuf,
    format: F,
    /// Bytes looked at, all of them whole records.
    known: u64,
    seen: BTreeSet<[u8; 16]>,
}

impl<F: Format> Records<F> {
    pub(super) fn new(path: PathBuf, format: F) -> Self {
        Self { path, format, known: 0, seen: BTreeSet::new() }
    }

    /// Appends a submission unless it is there.
    pub(super) fn add(&mut self, submission: &Submission) -> io::Result<()> {
        let directory = self.path.parent().unwrap_or_else(|| Path::new(".")).to_owned();
        std::fs::create_dir_all(&directory)?;
        let lock = OpenOptions::new().create(true).append(true).open(directory.join(".lock"))?;
        lock.lock()?;
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&self.path)?;
        self.catch_up(&mut file)?;
        let mark = digest(&submission.id, submission.revision);
        if self.seen.contains(&mark) {
            return Ok(());
        }
        match self.format.write(submission)? {
            Change::Append(bytes) => {
                file.write_all(&bytes)?;
                file.sync_data()?;
                if self.known == 0 {
                    // A new file is in its directory only once that is on disk too.
                    File::open(&directory)?.sync_all()?;
                }
                self.known += bytes.len() as u64;
                self.seen.insert(mark);
            }
            Change::Rewrite(bytes) => {
                self.replace(&directory, &bytes)?;
                self.known = 0;
            }
        }
        Ok(())
    }

    /// Looks at what was added since last time, and cuts off a torn end.
    fn catch_up(&mut self, file: &mut File) -> io::Result<()> {
        let length = file.metadata()?.len();
        if length < self.known || self.known == 0 {
            self.known = 0;
            self.seen.clear();
            self.format.forget();
        }
        file.seek(SeekFrom::Start(self.known))?;
        let mut reader = BufReader::new(&mut *file);
        let mut record = Vec::new();
        while reader.read_until(b'\n', &mut record)? > 0 {
            if !record.ends_with(b"\n") || !self.format.is_whole(&record) {
                continue;
            }
            if let Some((id, revision)) = self.format.see(&record) {
                self.seen.insert(digest(&id, revision));
            }
            self.known += record.len() as u64;
            record.clear();
        }
        if self.known < length {
            self.mend(file, &record)?;
        }
        Ok(())
    }

    /// The file ends inside a record: the end of its line is added where only that is missing, else it is cut off. What
    /// is cut off is kept beside the file, as it may be the work of somebody's editor.
    fn mend(&mut self, file: &mut File, torn: &[u8]) -> io::Result<()> {
        let whole = [torn, b"\n"].concat();
        let found = if F::SHOWS_ITS_END { self.format.see(&whole) } else { None };
        if let Some((id, revision)) = found {
            file.write_all(b"\n")?;
            self.seen.insert(digest(&id, revision));
            self.known += whole.len() as u64;
        } else {
            tracing::warn!(file = %self.path.display(), bytes = torn.len(), "a half written record was cut off");
            let mut beside = self.path.clone().into_os_string();
            beside.push(".torn");
            OpenOptions::new().create(true).append(true).open(beside)?.write_all(torn)?;
            file.set_len(self.known)?;
        }
        file.sync_all()
    }

    /// Puts a new file in the place of the old one, whole or not at all.
    fn replace(&self, directory: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut name = std::ffi::OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(".new");
        let new = directory.join(name);
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&new, &self.path)?;
        File::open(directory)?.sync_all()
    }
}

/// Short stand-in for a submission: files may hold millions.
fn digest(id: &str, revision: u32) -> [u8; 16] {
    let digest = Sha256::new().chain_update(revision.to_le_bytes()).chain_update(id).finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
