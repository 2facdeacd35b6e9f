//! A file is read, if it is one.

use std::path::Path;

/// What is in a file, up to one byte more than `most`: enough to tell that there are too many. It may not be a link out of
/// the folder `root`, and only plain files are opened: a pipe or a device would keep the reader waiting, or never end.
///
/// # Errors
/// Why it cannot be read, and what to do.
pub(super) fn plain_file(file: &Path, root: Option<&Path>, most: usize) -> Result<Vec<u8>, (String, String)> {
    use std::io::Read as _;
    let refused = |why: String, help: &str| (why, help.to_owned());
    let unreadable = |error: std::io::Error| {
        let help = match error.kind() {
            std::io::ErrorKind::PermissionDenied => "let the user that runs the program read it",
            std::io::ErrorKind::NotFound if file.is_symlink() => {
                "this is a link: make it lead to a file, or take it away"
            }
            _ => "see that the file exists and that you may read it",
        };
        refused(format!("this file cannot be read: {error}"), help)
    };
    let meta = std::fs::metadata(file).map_err(unreadable)?;
    if !meta.is_file() {
        let help = "take it away, or give it a name that does not end like a form file's";
        let what = if meta.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
        return Err(refused(format!("this is {what}, and a form is read from a plain file"), help));
    }
    if !root.is_none_or(|root| file.canonicalize().is_ok_and(|real| real.starts_with(root))) {
        let help = "put the file itself into the folder";
        return Err(refused("this link leads out of the folder of forms".to_owned(), help));
    }
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    std::fs::File::open(file).and_then(|open| open.take(most).read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(bytes)
}
