#![doc = include_str!("README.md")]

pub mod cli;
pub mod settings;

pub use formwright_engine as engine;
pub use formwright_form as form;
pub use formwright_http as http;
pub use formwright_http::secret;
pub use formwright_library as library;
pub use formwright_llm as llm;
pub use formwright_runtime as runtime;
pub use formwright_store as store;
pub use formwright_submit as submit;
pub use formwright_tool as tool;
