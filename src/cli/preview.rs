//! `formwright preview`: every screen of a form as a platform gets it.

use std::fmt::Write as _;

use formwright_chat as chat;
use serde_json::json;

use super::{Failure, print};
use crate::engine::Engine;
use crate::form::{Catalog, FormId};

/// What draws a reply for a platform.
pub struct Painter {
    /// The platform's name.
    pub platform: &'static str,
    /// Whether it draws several fields as one form.
    pub draws_pages: bool,
    /// The reply's messages and windows.
    pub draw: fn(&chat::Reply) -> Vec<chat::Preview>,
}

/// Prints the screens of a form: each payload, the drawing, and what is lost; or the payloads alone as JSON.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form.
pub fn run(catalog: &Catalog, form: &str, painter: &Painter, lang: &str, as_json: bool) -> Result<(), Failure> {
    let Some(found) = catalog.form(&FormId::new(form)).cloned() else {
        return Err(super::schema::unknown(form, catalog));
    };
    let screens = Engine::new(catalog.clone()).screens(&found, lang, painter.draws_pages, jiff::Timestamp::now());
    let drawn = screens.iter().flat_map(|screen| {
        let previews = (painter.draw)(&screen.reply);
        previews.into_iter().map(|preview| (screen.name.as_str(), preview))
    });
    if as_json {
        let all: Vec<_> = drawn
            .map(|(screen, preview)| json!({"screen": screen, "what": preview.what, "payload": preview.payload}))
            .collect();
        return print(&format!("{}\n", pretty(&json!(all))?));
    }
    let mut out = String::new();
    for (screen, preview) in drawn {
        let _ =
            write!(out, "== {screen} · {} · {}\n\n{}\n\n", painter.platform, preview.what, preview.picture.trim_end());
        for loss in &preview.losses {
            let _ = writeln!(out, "! {loss}");
        }
        // Plain text is its own drawing.
        if !preview.payload.is_string() {
            let _ = write!(out, "{}\n\n", pretty(&preview.payload)?);
        }
    }
    print(&out)
}

fn pretty(value: &serde_json::Value) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Undone(error.to_string()))
}
