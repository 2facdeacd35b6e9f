//! Secrets: named in forms and settings, read from the environment or a file, never shown.

use std::fmt;

/// A secret's bytes. Shows how long it is and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// Why a secret cannot be had. Never says what it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// A secret written out, or something else that names no source.
    #[error("a secret is named `env:NAME` or `file:PATH`, it is not written out")]
    NotNamed,
    /// The variable is not set, or empty.
    #[error("the environment variable {0} is not set")]
    NoVariable(String),
    /// The file cannot be read, or is empty.
    #[error("the secret file {0} cannot be read: {1}")]
    NoFile(String, String),
}

impl Secret {
    /// Wraps a secret.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Reads a secret named `env:NAME` or `file:PATH`; white space around it is dropped.
    ///
    /// # Errors
    /// [`SecretError`], in words for the operator.
    pub fn resolve(name: &str) -> Result<Self, SecretError> {
        let text = match name.split_once(':') {
            Some(("env", variable)) => {
                let found = std::env::var(variable).ok().filter(|text| !text.trim().is_empty());
                found.ok_or_else(|| SecretError::NoVariable(variable.to_owned()))?
            }
            Some(("file", path)) => {
                let no_file = |why: String| SecretError::NoFile(path.to_owned(), why);
                let text = std::fs::read_to_string(path).map_err(|error| no_file(error.to_string()))?;
                if text.trim().is_empty() {
                    return Err(no_file("it is empty".to_owned()));
                }
                text
            }
            _ => return Err(SecretError::NotNamed),
        };
        Ok(Self::new(text.trim()))
    }

    /// Reads a secret that may also be written out: one that came from a variable of the settings.
    ///
    /// # Errors
    /// [`SecretError`], in words for the operator.
    pub fn given(text: &str) -> Result<Self, SecretError> {
        match text.split_once(':') {
            Some(("env" | "file", _)) => Self::resolve(text),
            _ => Ok(Self::new(text.trim())),
        }
    }

    /// The secret itself: for signing, never for showing.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "‹redacted:{}›", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_from_a_file_and_is_never_shown() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("secret");
        std::fs::write(&file, " hush-42\n").unwrap();
        let secret = Secret::resolve(&format!("file:{}", file.display())).unwrap();
        assert_eq!(secret.expose(), b"hush-42");
        assert_eq!(format!("{secret:?}"), "‹redacted:7›");
    }

    #[test]
    fn what_names_no_secret_is_refused_without_repeating_it() {
        assert_eq!(Secret::resolve("hush-42"), Err(SecretError::NotNamed));
        assert_eq!(Secret::resolve("http://hush"), Err(SecretError::NotNamed));
        let missing = SecretError::NoVariable("FORMWRIGHT_TEST_UNSET".to_owned());
        assert_eq!(Secret::resolve("env:FORMWRIGHT_TEST_UNSET"), Err(missing));
        assert!(matches!(Secret::resolve("file:/nowhere/at/all"), Err(SecretError::NoFile(..))));
    }
}
