//! What a step lacks and asks to be looked up, and what it knows of that.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::effect::{Effect, Step, ToolCall};
use crate::input::{CallError, Happening, Input, Outcome};
use crate::session::Session;

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
    pub(crate) first: Happening,
    pub(crate) known: Vec<Known>,
}

/// What a tool told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    call: ToolCall,
    outcome: Outcome,
}

/// What a step knows from outside.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    known: Vec<Known>,
    wanted: Option<ToolCall>,
    /// A tool failed without which the step may not be taken: the name of the message that says so.
    pub(crate) forbidden: Option<&'static str>,
}

impl Lookups {
    /// A step as it was taken first, and what is known by now.
    pub(crate) fn of(input: Input) -> (Input, Self) {
        match input.event {
            Happening::Again(again) => {
                let Again { first, known } = *again;
                (Input { event: first, ..input }, Self { known, ..Self::default() })
            }
            _ => (input, Self::default()),
        }
    }

    /// What a tool tells; none where it is not known yet, or too much was asked already.
    pub(crate) fn ask(&mut self, call: ToolCall) -> Option<&Result<Json, CallError>> {
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
    pub(crate) fn lacks(&self) -> bool {
        self.wanted.is_some()
    }

    /// The step in place of one that lacked something; none where it did not.
    pub(crate) fn in_place(self, session: Session, input: Input) -> Option<Step> {
        let call = self.wanted?;
        let Input { now, nonce, event: first } = input;
        let event =
            if self.known.is_empty() { first } else { Happening::Again(Box::new(Again { first, known: self.known })) };
        let again = Input { now, nonce, event };
        Some(Step { session, effects: vec![Effect::LookUp(Box::new(LookUp { call, again }))] })
    }
}
