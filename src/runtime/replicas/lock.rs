//! The data directory belongs to one running server.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Held while the server runs; the system frees it when the process ends, however it ends.
#[derive(Debug)]
pub struct DataLock(#[expect(dead_code, reason = "held for its lock, which ends when the file is closed")] File);

impl DataLock {
    /// Takes the directory, and makes it where there is none. Commands that only look or replay do not need it.
    ///
    /// # Errors
    /// A sentence for the operator: another server has it, or it cannot be written.
    pub fn take(directory: &Path) -> Result<Self, String> {
        let shown = directory.display();
        let wrong = |error: std::io::Error| format!("the data directory {shown} cannot be used: {error}");
        make(directory).map_err(wrong)?;
        let file = OpenOptions::new().create(true).append(true).open(directory.join(".running")).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                Err(format!("another server is running on {shown}: stop it, or use another data directory"))
            }
            Err(TryLockError::Error(error)) => Err(wrong(error)),
        }
    }
}

/// Makes the directory where it is missing, for its owner alone: it holds what people said.
fn make(directory: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_server_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        let first = DataLock::take(&data).unwrap();
        let error = DataLock::take(&data).unwrap_err();
        assert!(error.contains("another server is running"), "{error}");
        drop(first);
        DataLock::take(&data).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn others_may_not_look_into_a_new_directory() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        let _lock = DataLock::take(&data).unwrap();
        assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
