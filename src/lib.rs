#![doc = include_str!("README.md")]

pub mod cli;
pub mod engine;
pub mod form;
pub mod http;
pub mod library;
pub mod llm;
pub mod runtime;
pub mod secret;
pub mod settings;
pub mod store;
pub mod submit;
pub mod tool;
