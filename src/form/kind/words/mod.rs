//! Kinds that hold words: free ones, and those of a given shape.

pub mod address;
pub mod email;
pub mod long_text;
pub mod pattern;
pub mod phone;
pub mod text;
pub mod url;
