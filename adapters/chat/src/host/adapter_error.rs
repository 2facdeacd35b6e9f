//! Why a platform is not served.

/// Why a platform is not served. The words are for the operator: what failed, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// A setting is missing, or what it names cannot be used.
    #[error("{words}")]
    Settings {
        /// A sentence that names the setting.
        words: String,
        /// What made it unusable, where that was another error.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The platform was reached and does not serve this bot: its token is not valid, or it lacks a right.
    #[error("{words}")]
    Refused {
        /// A sentence that says where to get what is missing.
        words: String,
        /// The platform's own answer.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The system does not let this program listen at an address.
    #[error("{words}")]
    Listen {
        /// A sentence with the address.
        words: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A part of the adapter ended that never should.
    #[error("{words}")]
    Broken {
        /// Which.
        words: String,
        /// Why it ended.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
}

impl AdapterError {
    /// A setting is wrong.
    pub fn settings(words: impl Into<String>) -> Self {
        Self::Settings { words: words.into(), source: None }
    }

    /// A setting cannot be used for a reason that another error tells.
    pub fn unusable(words: impl Into<String>, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Settings { words: words.into(), source: Some(Box::new(source)) }
    }

    /// The platform lets the bot in, but without a right that it needs.
    pub fn lacking(words: impl Into<String>) -> Self {
        Self::Refused { words: words.into(), source: None }
    }

    /// The platform does not let the bot in.
    pub fn refused(words: impl Into<String>, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Refused { words: words.into(), source: Some(Box::new(source)) }
    }

    /// Nothing listens at the address.
    pub fn listen(words: impl Into<String>, source: std::io::Error) -> Self {
        Self::Listen { words: words.into(), source }
    }

    /// A part of the adapter ended.
    pub fn broken(words: impl Into<String>, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Broken { words: words.into(), source: Some(source.into()) }
    }
}
