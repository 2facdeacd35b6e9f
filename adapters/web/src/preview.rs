//! A reply as the API answers it and the page draws it.

use formwright_chat::{Preview, Reply, fallback};

use crate::render;

/// A reply as the API answers it and the page draws it, for looking at offline.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let answer = render::response("preview".to_owned(), vec![reply.clone()], &[], None);
    let payload = serde_json::to_value(answer).unwrap_or_default();
    vec![Preview { what: "page".to_owned(), payload, picture: fallback::text(reply), losses: Vec::new() }]
}
