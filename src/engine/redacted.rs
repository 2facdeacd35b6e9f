//! What people say does not get into a log by a `{:?}`: see [`formwright_chat::Redacted`].

use std::fmt;

use formwright_chat::Redacted;

use crate::desk;
use crate::effect::{Provenance, Submission, ToolCall};
use crate::input::Outcome;
use crate::lifecycle::{Refused, Told, What, Wrong};
use crate::model::ModelCall;
use crate::phase::{At, Submitting};
use crate::session::handoff::Line;
use crate::session::heard::Heard;
use crate::session::side_effect::Deed;
use crate::session::{Draft, Session, ToolState};

/// As long as it is.
fn words(text: Option<&String>) -> Option<Redacted> {
    text.map(|text| Redacted::text(text))
}

impl fmt::Debug for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Heard");
        shown.field("words", &Redacted::text(&self.words)).field("fields", &self.fields).field("at", &self.at);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ToolState");
        shown.field("args", &Redacted::json(&self.args)).field("call", &self.call);
        shown.field("result", &self.result.as_ref().map(Redacted::json)).field("at", &self.at);
        shown.field("failures", &self.failures).finish_non_exhaustive()
    }
}

impl fmt::Debug for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Deed");
        shown.field("args", &Redacted::json(&self.args)).field("at", &self.at).field("call", &self.call);
        shown.field("done", &self.done).field("standing", &self.standing).field("chosen", &self.chosen).finish()
    }
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Draft");
        shown.field("form", &self.form).field("submission", &self.submission).field("revision", &self.revision);
        shown.field("state", &self.state).field("answers", &self.answers).field("cancelled", &self.cancelled);
        shown.field("touched", &self.touched).finish_non_exhaustive()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Session");
        shown.field("place", &self.place).field("owner", &self.owner).field("shared", &self.shared);
        shown
            .field("lang", &self.lang)
            .field("speaks", &self.speaks)
            .field("draft", &self.draft)
            .field("parked", &self.parked);
        shown.field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl fmt::Debug for desk::Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Case");
        shown.field("code", &self.code).field("affair", &self.affair).field("request", &self.request);
        shown.field("opened", &self.opened).field("wake", &self.wake).finish_non_exhaustive()
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Line").field(&Redacted::text(&self.text)).finish()
    }
}

impl fmt::Debug for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Submission");
        shown.field("id", &self.id).field("revision", &self.revision).field("form", &self.form).field("at", &self.at);
        shown.field("place", &self.place).field("user", &self.user).field("answers", &Redacted::json(&self.answers));
        shown.field("provenance", &self.provenance).finish_non_exhaustive()
    }
}

impl fmt::Debug for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Provenance");
        shown.field("field", &self.field).field("source", &self.source).field("quote", &words(self.quote.as_ref()));
        shown.field("at", &self.at).finish_non_exhaustive()
    }
}

impl fmt::Debug for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("At");
        shown.field("phase", &self.phase).field("form", &self.form).field("state", &self.state);
        shown.field("answers", &Redacted::json(&self.answers)).finish_non_exhaustive()
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Outcome");
        shown.field("call", &self.call).field("result", &self.result.as_ref().map(Redacted::json)).finish()
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ToolCall");
        shown.field("call", &self.call).field("form", &self.form).field("tool", &self.tool);
        shown.field("args", &Redacted::json(&self.args)).finish_non_exhaustive()
    }
}

impl fmt::Debug for Submitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("Nothing"),
            Self::Run { tool, args } => {
                f.debug_struct("Run").field("tool", tool).field("args", &Redacted::json(args)).finish()
            }
        }
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Told");
        shown.field("id", &self.id).field("at", &self.at).field("form", &self.form);
        shown.field("submission", &self.submission).field("what", &self.what).finish_non_exhaustive()
    }
}

impl fmt::Debug for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().name())
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("submission", &self.submission).field("wrong", &self.wrong).finish()
    }
}

impl fmt::Debug for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wrong").field("field", &self.field).field("why", &words(self.why.as_ref())).finish()
    }
}

impl fmt::Debug for ModelCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ModelCall");
        shown.field("call", &self.call).field("message", &Redacted::text(&self.message)).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;

    use crate::engine::Engine;
    use crate::input::{Happening, Input};
    use crate::session::Session;
    use formwright_form::Catalog;
    use formwright_load::{Syntax, load};

    const FORM: &str = r#"
        id = "lunch"
        title = "Lunch"
        [[field]]
        id = "dish"
        kind = "text"
        ask = "Which dish?"
    "#;

    #[test]
    fn a_session_and_its_submission_show_nothing_that_was_said() {
        let mut catalog = Catalog::default();
        catalog.insert(load(FORM, Syntax::Toml).form.unwrap());
        let engine = Engine::new(catalog);
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "c".to_owned(),
            thread: None,
        };
        let user = chat::User { id: chat::UserId::new("ann"), name: None, locale: None, zone: None };
        let mut session = Session::new(place.clone(), user.id.clone());
        let mut shown = String::new();
        let say = |text: &str| chat::Action::Say { text: text.to_owned() };
        let open = chat::Action::Open { form: Some("lunch".to_owned()) };
        for (no, action) in [open, say("canary soup"), say("yes")].into_iter().enumerate() {
            let event = Happening::Event(Box::new(chat::Event {
                id: chat::EventId::new(no.to_string()),
                place: place.clone(),
                user: user.clone(),
                at: Timestamp::UNIX_EPOCH,
                action,
                terms: chat::Terms::default(),
            }));
            let input = Input { now: Timestamp::UNIX_EPOCH, nonce: chat::Nonce::new(no as u128), event };
            shown += &format!("{input:?}");
            let step = engine.step(session, input);
            shown += &format!("{step:?}");
            session = step.session;
        }
        let stored = serde_json::to_string(&session).unwrap();
        assert!(stored.contains("canary soup") && shown.contains("Submit(Submission"), "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
    }
}
