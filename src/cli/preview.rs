//! `formwright preview`: every screen of a form as a platform gets it.

use std::fmt::Write as _;

use formwright_chat as chat;
use serde_json::json;

use super::{Failure, pretty, print};

/// Gives the messages and windows that a reply becomes.
pub type Draw = fn(&chat::Reply) -> Vec<chat::Preview>;

/// What draws a reply for a platform.
pub struct Painter {
    /// The platform's name.
    pub platform: &'static str,
    /// Whether it draws several fields as one form.
    pub draws_pages: bool,
    /// The reply's messages and windows.
    pub draw: Draw,
}

/// Prints screens, each with its name: the payloads, the drawing, and what is lost; or the payloads alone as JSON.
///
/// # Errors
/// [`Failure::Undone`] where they cannot be printed.
pub fn run(screens: &[(String, chat::Reply)], painter: &Painter, as_json: bool) -> Result<(), Failure> {
    let drawn = screens.iter().flat_map(|(name, reply)| {
        let previews = (painter.draw)(reply);
        previews.into_iter().map(|preview| (name.as_str(), preview))
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
