//! Rounds: the engine steps, the calls it asks for are made, their outcomes are steps again, until all is quiet.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use formwright_chat as chat;
use tracing::{Instrument as _, debug_span};

use super::work::Work;
use crate::clock::NoRandomness;
use crate::turn::Turn;
use crate::watch::metrics::Phase;
use crate::watch::trace::TARGET;
use crate::{Conversation, Runtime, clock, fault};
use formwright_engine::lifecycle::Ran;
use formwright_engine::{
    CallError, Effect, Happening, Input, ModelCall, Outcome, Purpose, Session, Step, ToolCall, unreadable,
};

/// Most steps of a turn: a form whose tools call each other in a circle ends here.
const STEPS: usize = 32;
/// For how long a turn looks things up before its steps: what takes longer together is not known.
const LOOKING: Duration = Duration::from_secs(20);

/// A call outside.
enum Call {
    Tool(ToolCall),
    Model(Box<ModelCall>),
}

impl Runtime {
    /// Computes a turn without side effects but for tools that look things up.
    pub(crate) async fn perform(&self, turn: &Turn, session: Session, first: Happening) -> Result<Work, NoRandomness> {
        let conversation = self.conversation();
        let mut work = Work::new(session);
        let mut calls = VecDeque::new();
        let fresh = |event| Ok(Input { now: self.clock.now(), nonce: clock::nonce()?, event });
        let mut input = fresh(first)?;
        let mut asked = 0_u32;
        let (mut spent, mut last) = (Duration::ZERO, Duration::ZERO);
        let mut left_to_look = LOOKING;
        let mut readable = None;
        let mut called: Option<(ToolCall, serde_json::Value)> = None;
        for _ in 0..STEPS {
            let mut looking = None;
            let step = self.step(&*conversation, work.session, input);
            work.session = step.session;
            for effect in step.effects {
                match effect {
                    Effect::Reply(reply) => work.replies.push(*reply),
                    Effect::Move { form, text } => work.moved = Some((form, text)),
                    Effect::Send(event) => {
                        if let chat::Action::Case { code, news } = &event.action {
                            tracing::info!(case = %code, news = news.kind(), "the other side of a case is told");
                        }
                        work.sent.push(*event);
                    }
                    Effect::Forget { lang } => work.forget = Some(lang),
                    Effect::Submit(submission) => work.submissions.push(*submission),
                    Effect::Fault(why) => {
                        tracing::error!(%why, "a form is at fault");
                    }
                    Effect::Refused(refused) => work.refused.push(*refused),
                    Effect::Left(draft) => work.left.push(*draft),
                    Effect::LookUp(look_up) => looking = Some(look_up),
                    Effect::CallTool(call) => calls.push_back(Call::Tool(call)),
                    Effect::AskModel(call) => calls.push_back(Call::Model(call)),
                }
            }
            if looking.is_none()
                && let Some((call, result)) = called.take()
            {
                self.keep(turn, &work.session, &call, &result);
            }
            if let Some(look_up) = looking {
                let began = Instant::now();
                let calling = tokio::time::timeout(left_to_look, self.call(turn, &look_up.call));
                let outcome = calling.await.unwrap_or_else(|_| Outcome {
                    call: look_up.call.call.clone(),
                    result: Err(CallError::broken(
                        format!("what the turn looks up took longer than {LOOKING:?}"),
                        true,
                    )),
                });
                left_to_look = left_to_look.saturating_sub(began.elapsed());
                // What stands in the place of a phase is asked in every turn, and is no tool of the form's work.
                if look_up.call.purpose != Purpose::Decide {
                    work.ran.push(Ran::of(&look_up.call, outcome.result.is_ok()));
                }
                input = look_up.answered(outcome);
                continue;
            }
            let outcome = match calls.pop_front() {
                None => {
                    if let (Some(readable), Some(model)) = (readable, &self.model) {
                        model.weighed(readable);
                    }
                    return Ok(work);
                }
                Some(Call::Tool(call)) => {
                    let outcome = self.call(turn, &call).await;
                    work.ran.push(Ran::of(&call, outcome.result.is_ok()));
                    called = outcome.result.as_ref().ok().map(|result| (call, result.clone()));
                    outcome
                }
                Some(Call::Model(call)) => {
                    asked += 1;
                    let Some(left) = time_left(self.model.as_ref().and_then(|model| model.deadline()), spent, last)
                    else {
                        input = fresh(Happening::Outcome(late(&call)))?;
                        continue;
                    };
                    let began = Instant::now();
                    let asking = self.ask_model_once(turn, asked, &work.session.owner, &call);
                    let asking = asking.instrument(debug_span!(target: TARGET, "model"));
                    let outcome = self.metrics.timed(Phase::Model, tokio::time::timeout(left, asking)).await;
                    last = began.elapsed();
                    spent += last;
                    match outcome {
                        Ok(outcome) => {
                            readable = is_readable(&outcome);
                            outcome
                        }
                        Err(_) => late(&call),
                    }
                }
            };
            input = fresh(Happening::Outcome(outcome))?;
        }
        tracing::error!(steps = STEPS, "a turn was ended because its tools never came to an end");
        Ok(work)
    }

    fn step(&self, conversation: &dyn Conversation, session: Session, input: Input) -> Step {
        let _in = debug_span!(target: TARGET, "step").entered();
        let began = Instant::now();
        let step = conversation.step(session, input);
        self.metrics.took(Phase::Compute, began.elapsed());
        step
    }

    /// Asks the model, unless an earlier run of the turn has: what it answered then is kept with the event.
    async fn ask_model_once(&self, turn: &Turn, no: u32, user: &chat::UserId, call: &ModelCall) -> Outcome {
        let Some(event) = turn.event() else { return self.ask_model(user, call).await };
        let (about, name) = ((&turn.key, event), format!("{no} of {}", turn.merged_events().len() + 1));
        match self.store.kept_answer(about, &name).await {
            Ok(Some(answer)) => return Outcome { call: call.call.clone(), result: Ok(answer.into()) },
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(
                    error = %chat::chain(&error),
                    "whether the model was asked before is not known; it is asked"
                );
            }
        }
        let outcome = self.ask_model(user, call).await;
        if let Ok(serde_json::Value::String(answer)) = &outcome.result
            && let Err(error) = self.store.keep_answer(about, &name, answer, self.clock.now()).await
        {
            tracing::warn!(
                error = %chat::chain(&error),
                "what the model answered was not kept; a second run of the turn would ask again"
            );
        }
        outcome
    }

    async fn ask_model(&self, user: &chat::UserId, call: &ModelCall) -> Outcome {
        let result = match &self.model {
            Some(model) => model.ask(user, call).await.map(serde_json::Value::String),
            None => Err(CallError::broken("there is no model", false)),
        };
        if let Err(error) = &result {
            tracing::warn!(why = %error.for_log, "the model gave nothing; the message is left to code");
        }
        fault::reached("model-asked");
        Outcome { call: call.call.clone(), result }
    }

    async fn call(&self, turn: &Turn, call: &ToolCall) -> Outcome {
        let conversation = self.conversation();
        let form = conversation.catalog().version(&call.form, &call.version);
        let whose = turn.whose();
        let around = self.around();
        let calling = around.tools.run(call, form.map(AsRef::as_ref), &whose);
        let calling = calling.instrument(debug_span!(target: TARGET, "tool"));
        let outcome = self.metrics.timed(Phase::Tool, calling).await;
        if let Err(error) = &outcome.result {
            tracing::warn!(form = %call.form, tool = %call.tool, why = %error.for_log, "a tool failed");
        }
        fault::reached("tool-called");
        outcome
    }

    /// Keeps a result that the session has taken.
    fn keep(&self, turn: &Turn, session: &Session, call: &ToolCall, result: &serde_json::Value) {
        let draft = session.draft.as_ref();
        let failed = draft.and_then(|draft| draft.tools.get(&call.tool)).is_some_and(|state| state.failures > 0);
        if !failed {
            let conversation = self.conversation();
            let form = conversation.catalog().version(&call.form, &call.version);
            self.around().tools.keep(call, form.map(AsRef::as_ref), &turn.whose(), result);
        }
    }
}

/// Time for one more call of a turn; none where one that takes as long as the last would end too late. The first call has
/// the model's own deadline.
fn time_left(longest: Option<Duration>, spent: Duration, last: Duration) -> Option<Duration> {
    match longest {
        Some(longest) if !spent.is_zero() => longest.checked_sub(spent).filter(|left| *left > last),
        _ => Some(Duration::MAX),
    }
}

/// What comes of a call for which there is no time.
fn late(call: &ModelCall) -> Outcome {
    tracing::warn!("there is no time to ask the model once more; the message is left to code");
    let why = "there was no time left in this turn".to_owned();
    Outcome { call: call.call.clone(), result: Err(CallError::broken(why, false)) }
}

/// Whether anything can be read in what a model answered; none where it gave no answer. The log has the reason, never a
/// word of the answer.
fn is_readable(outcome: &Outcome) -> Option<bool> {
    let Ok(serde_json::Value::String(answer)) = &outcome.result else { return None };
    let why = unreadable(answer);
    if let Some(why) = why {
        tracing::warn!(why, "the model's reply is of no use");
    }
    Some(why.is_none())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::the_first_call_ends_by_itself(Some(8), 0, 0, Some(Duration::MAX))]
    #[case::quick_ones_have_what_is_left(Some(8), 3, 3, Some(Duration::from_secs(5)))]
    #[case::another_as_slow_would_end_too_late(Some(8), 6, 6, None)]
    #[case::another_as_slow_as_the_second(Some(8), 6, 1, Some(Duration::from_secs(2)))]
    #[case::nothing_is_left(Some(8), 9, 1, None)]
    #[case::nobody_waits(None, 60, 30, Some(Duration::MAX))]
    fn all_calls_of_a_turn_have_one_deadline(
        #[case] longest: Option<u64>,
        #[case] spent: u64,
        #[case] last: u64,
        #[case] left: Option<Duration>,
    ) {
        let [spent, last] = [spent, last].map(Duration::from_secs);
        assert_eq!(time_left(longest.map(Duration::from_secs), spent, last), left);
    }
}
