//! Rounds: the engine steps, the calls it asks for are made, their outcomes are steps again, until all is quiet.

use std::collections::VecDeque;

use formwright_chat as chat;

use super::clock::NoRandomness;
use super::{Runtime, clock, fault};
use crate::engine::{Effect, Happening, Input, Outcome, Session, Submission, ToolCall};
use crate::form::FormId;

/// Most steps of a turn: a form whose tools call each other in a circle ends here.
const STEPS: usize = 32;
/// What a turn came to, nothing of it stored yet.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) session: Session,
    pub(super) replies: Vec<chat::Reply>,
    pub(super) submissions: Vec<Submission>,
    /// A form to start in the other session of the place, with the words that asked for it.
    pub(super) moved: Option<(FormId, String)>,
}

impl Runtime {
    /// Computes a turn without side effects but for tools that look things up.
    pub(super) async fn perform(&self, session: Session, first: Happening) -> Result<Work, NoRandomness> {
        let conversation = self.conversation();
        let mut work = Work { session, replies: Vec::new(), submissions: Vec::new(), moved: None };
        let mut calls = VecDeque::new();
        let mut happening = first;
        for _ in 0..STEPS {
            let input = Input { now: self.clock.now(), nonce: clock::nonce()?, event: happening };
            let step = conversation.step(work.session, input);
            work.session = step.session;
            for effect in step.effects {
                match effect {
                    Effect::Reply(reply) => work.replies.push(*reply),
                    Effect::Move { form, text } => work.moved = Some((form, text)),
                    Effect::Submit(submission) => work.submissions.push(*submission),
                    Effect::Fault(why) => {
                        tracing::error!(%why, "a form cannot be submitted: a value cannot be worked out");
                    }
                    Effect::CallTool(call) => calls.push_back(call),
                }
            }
            let Some(call) = calls.pop_front() else { return Ok(work) };
            happening = Happening::Outcome(self.call(call).await);
        }
        tracing::error!(steps = STEPS, "a turn was ended because its tools never came to an end");
        Ok(work)
    }

    async fn call(&self, call: ToolCall) -> Outcome {
        let outcome = self.tools.run(&call).await;
        if let Err(error) = &outcome.result {
            tracing::warn!(form = %call.form, tool = %call.tool, why = %error.for_log, "a tool failed");
        }
        fault::reached("tool-called");
        outcome
    }
}
