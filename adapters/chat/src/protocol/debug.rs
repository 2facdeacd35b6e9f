//! How what holds people's words shows in a log: by its length.

use std::fmt;

use super::redacted::Redacted;
use crate::{Action, CaseNews, CaseRequest, FileRef, Joined, LocationRef, Pressed, Reply, ToolResult};

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { form } => f.debug_struct("Open").field("form", form).finish(),
            Self::Start { form, text } => {
                f.debug_struct("Start").field("form", form).field("text", &Redacted::text(text)).finish()
            }
            Self::Case { code, news } => f.debug_struct("Case").field("code", code).field("news", news).finish(),
            Self::Say { text } => f.debug_struct("Say").field("text", &Redacted::text(text)).finish(),
            Self::Edit { message, text } => {
                f.debug_struct("Edit").field("message", message).field("text", &Redacted::text(text)).finish()
            }
            Self::Press { presses } => f.debug_struct("Press").field("presses", presses).finish(),
            Self::Attach { files, text } => {
                f.debug_struct("Attach").field("files", files).field("text", &Redacted::text(text)).finish()
            }
            Self::Share { location } => f.debug_struct("Share").field("location", location).finish(),
            Self::ToolResults { results } => f.debug_struct("ToolResults").field("results", results).finish(),
        }
    }
}

impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, text } = self;
        f.debug_struct("Joined").field("message", message).field("text", &Redacted::text(text)).finish()
    }
}

impl fmt::Debug for CaseNews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

impl fmt::Debug for CaseRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CaseRequest");
        shown.field("submission", &self.submission).field("desk", &self.desk).field("round", &self.round);
        shown.field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Pressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Button => f.write_str("Button"),
            Self::Options { tokens } => f.debug_struct("Options").field("tokens", tokens).finish(),
            Self::Text { text } => f.debug_struct("Text").field("text", &Redacted::text(text)).finish(),
            Self::Empty => f.write_str("Empty"),
            Self::Files { files } => f.debug_struct("Files").field("files", files).finish(),
            Self::Location { location } => f.debug_struct("Location").field("location", location).finish(),
        }
    }
}

impl fmt::Debug for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, name, media_type: _, bytes } = self;
        let mut shown = f.debug_struct("FileRef");
        shown.field("id", &Redacted::text(id)).field("name", &Redacted::text(name)).field("bytes", bytes);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for LocationRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocationRef").finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, tool, result } = self;
        let mut shown = f.debug_struct("ToolResult");
        shown.field("call", call).field("tool", tool).field("result", &Redacted::json(result)).finish()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked: Vec<&str> = self.questions.iter().map(|question| question.field.as_str()).collect();
        let mut shown = f.debug_struct("Reply");
        shown.field("say", &Redacted(self.say.iter().map(String::len).sum())).field("lang", &self.lang);
        shown.field("form", &self.form).field("asked", &asked).field("buttons", &self.buttons.len());
        shown.field("complete", &self.complete.as_ref().map(Redacted::json)).field("private", &self.private);
        shown.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MessageId, Nonce, Press, Token};

    #[test]
    fn nothing_that_a_person_gave_is_shown() {
        let said = || "canary".to_owned();
        let file = FileRef { id: said(), name: said(), media_type: said(), bytes: Some(6) };
        let location =
            LocationRef { lat: 47.5, lng: 8.7, address: Some(said()), city: Some(said()), country: Some(said()) };
        let results = vec![ToolResult { call: None, tool: "pick".to_owned(), result: said().into() }];
        let press = |value| Press { token: Token::new(&Nonce::new(7), 1), value };
        let presses = vec![
            press(Pressed::Text { text: said() }),
            press(Pressed::Files { files: vec![file.clone()] }),
            press(Pressed::Location { location: location.clone() }),
        ];
        let actions = [
            Action::Start { form: "lunch".to_owned(), text: said() },
            Action::Say { text: said() },
            Action::Edit { message: MessageId::new("1"), text: said() },
            Action::Press { presses },
            Action::Attach { files: vec![file], text: said() },
            Action::Share { location },
            Action::ToolResults { results },
        ];
        let reply = Reply { say: vec![said()], complete: Some(said().into()), ..Reply::default() };
        let joined = Joined { message: MessageId::new("1"), text: said() };
        let shown = format!("{actions:?} {reply:?} {joined:?}");
        assert!(!shown.contains("canary") && !shown.contains("47.5"), "{shown}");
        assert!(shown.contains("Say { text: ‹redacted:6› }"), "{shown}");
    }
}
