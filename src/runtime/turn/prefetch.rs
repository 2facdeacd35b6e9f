//! Lookups are made while the person thinks: what the questions to come will need is there when they come.
//!
//! Nothing waits for it, nothing of it is stored, and nobody is told where it fails: then it is asked for in its time.

use std::sync::Arc;

use tracing::{Instrument as _, debug_span};

use crate::turn::Turn;
use crate::watch::trace::TARGET;
use crate::{Runtime, clock};
use formwright_engine::ToolCall;

impl Runtime {
    /// Makes calls in advance, as far as there is room.
    pub(crate) fn foresee(self: &Arc<Self>, turn: &Turn, calls: Vec<ToolCall>) {
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
