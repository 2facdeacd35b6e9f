//! Steps that have to know something from outside: they are computed to their end with what is known, and where something
//! was not known, that is looked up and the same step is taken again.

use crate::ending;
use crate::zone;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::talk::Talk;
use super::{CallError, Effect, Engine, Happening, Input, Outcome, Session, Step, ToolCall};

/// Most lookups of one step.
const MOST: usize = 12;

/// Something to look up before the step that needs it is taken again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookUp {
    /// The tool that knows it. It must do nothing but tell: it may be asked more than once.
    pub call: ToolCall,
    /// The step to take again.
    again: Input,
}

impl LookUp {
    /// The step to take now that it is known.
    pub fn answered(self, outcome: Outcome) -> Input {
        let Self { call, mut again } = self;
        let known = Known { call, outcome };
        again.event = match again.event {
            Happening::Again(mut again) => {
                again.known.push(known);
                Happening::Again(again)
            }
            first => Happening::Again(Box::new(Again { first, known: vec![known] })),
        };
        again
    }
}

/// A step that is taken again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Again {
    pub(super) first: Happening,
    pub(super) known: Vec<Known>,
}

/// What a tool told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Known {
    call: ToolCall,
    outcome: Outcome,
}

/// What a step knows from outside.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    known: Vec<Known>,
    wanted: Option<ToolCall>,
    /// A tool failed without which the step may not be taken: the name of the message that says so.
    pub(super) forbidden: Option<&'static str>,
}

impl Lookups {
    /// A step as it was taken first, and what is known by now.
    pub(super) fn of(input: Input) -> (Input, Self) {
        match input.event {
            Happening::Again(again) => {
                let Again { first, known } = *again;
                (Input { event: first, ..input }, Self { known, ..Self::default() })
            }
            _ => (input, Self::default()),
        }
    }

    /// What a tool tells; none where it is not known yet, or too much was asked already.
    pub(super) fn ask(&mut self, call: ToolCall) -> Option<&Result<Json, CallError>> {
        let same = |known: &&Known| known.call.tool == call.tool && known.call.args == call.args;
        if let Some(at) = self.known.iter().position(|known| same(&known)) {
            return self.known.get(at).map(|known| &known.outcome.result);
        }
        if self.wanted.is_none() && self.known.len() < MOST {
            let call = ToolCall { call: format!("{}.{}", call.call, self.known.len()), ..call };
            self.wanted = Some(call);
        }
        None
    }

    /// Whether the step lacked something.
    pub(super) fn lacks(&self) -> bool {
        self.wanted.is_some()
    }

    /// The step in place of one that lacked something; none where it did not.
    pub(super) fn in_place(self, session: Session, input: Input) -> Option<Step> {
        let call = self.wanted?;
        let Input { now, nonce, event: first } = input;
        let event =
            if self.known.is_empty() { first } else { Happening::Again(Box::new(Again { first, known: self.known })) };
        let again = Input { now, nonce, event };
        Some(Step { session, effects: vec![Effect::LookUp(Box::new(LookUp { call, again }))] })
    }
}

/// What a step comes to whose tool failed and may not be passed over: nothing is changed, and the same is asked again.
pub(crate) fn not_now(engine: &Engine, session: Session, input: Input, name: &str, effects: Vec<Effect>) -> Step {
    let event = match &input.event {
        Happening::Event(event) => Some(event.as_ref()),
        Happening::Outcome(_) | Happening::Expiry | Happening::Again(_) => None,
    };
    let world = zone::world(engine, &session, &input, event);
    let mut lookups = Lookups::default();
    let mut talk = Talk::new(engine, world, session, &mut lookups);
    let form = talk.session.draft.as_ref().and_then(|draft| engine.form_of(draft));
    match form {
        Some(form) => talk.note_of(&form, name, &[]),
        None => talk.note(name, &[]),
    }
    // Why is for the log.
    talk.effects.extend(effects.into_iter().filter(|effect| matches!(effect, Effect::Fault(_))));
    ending::finish(talk)
}
