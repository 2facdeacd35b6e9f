//! `file`: uploaded files.

/// Uploaded files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// Media types (`image/*`) or name endings (`.pdf`) taken; empty takes all.
    pub accept: Vec<String>,
    /// Greatest size of one file in bytes.
    pub max_bytes: Option<u64>,
    /// Greatest number of files; 1 by default.
    pub max_files: u32,
    /// Least number of files; 1 by default.
    pub min_files: u32,
}

super::stub!(File);
