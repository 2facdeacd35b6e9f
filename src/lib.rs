#![doc = include_str!("README.md")]
#![doc = "\n"]
#![doc = include_str!("guide/embedding.md")]

pub mod cli;
pub mod settings;

/// What a form is, and how it is read.
pub mod form {
    pub use formwright_form::*;
    pub use formwright_load as load;
}

pub use formwright_engine as engine;
pub use formwright_http as http;
pub use formwright_http::secret;
pub use formwright_lexicon as lexicon;
pub use formwright_library as library;
pub use formwright_llm as llm;
pub use formwright_runtime as runtime;
pub use formwright_store as store;
pub use formwright_submit as submit;
pub use formwright_tool as tool;
