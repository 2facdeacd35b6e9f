//! Lookups are made while the person thinks: what the questions to come will need is there when they come.
//!
//! Nothing waits for it, nothing of it is stored, and nobody is told where it fails: then it is asked for in its time.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tracing::{Instrument as _, debug_span};

use super::trace::TARGET;
use super::turn::Turn;
use super::{Runtime, clock};
use formwright_engine::ToolCall;

/// Most lookups in advance at a time: when there is more to do, people who wait come first.
const AT_ONCE: usize = 16;

/// Room for lookups in advance.
pub(super) struct Foreseeing(Arc<Semaphore>);

impl Default for Foreseeing {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Foreseeing {
    /// Whether anything is being looked up.
    #[cfg(test)]
    pub(super) fn is_busy(&self) -> bool {
        self.0.available_permits() < AT_ONCE
    }
}

impl Turn {
    /// Whose the results of tools are that not everybody shares.
    pub(super) fn whose(&self) -> String {
        [self.place.platform.as_str(), &self.place.workspace, self.user.as_str()].join("\n")
    }
}

impl Runtime {
    /// Makes calls in advance, as far as there is room.
    pub(super) fn foresee(self: &Arc<Self>, turn: &Turn, calls: Vec<ToolCall>) {
        for call in calls {
            let conversation = self.conversation();
            let Some(form) = conversation.catalog().version(&call.form, &call.version).cloned() else { continue };
            let (whose, room) = (turn.whose(), Arc::clone(&self.foreseeing.0).try_acquire_owned());
            let (Ok(room), Ok(nonce)) = (room, clock::nonce()) else { return };
            if !self.around().tools.lacks(&call, &form, &whose) {
                continue;
            }
            let (runtime, call) =
                (Arc::clone(self), ToolCall { call: format!("{}-{}", nonce.as_str(), call.tool), ..call });
            let asking = async move {
                runtime.around().tools.foresee(&call, &form, &whose).await;
                drop(room);
            };
            tokio::spawn(asking.instrument(debug_span!(target: TARGET, "foresee")));
        }
    }
}
