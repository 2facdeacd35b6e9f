//! What the program may call of its own accord: where webhooks and tools go.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::network::listed;
use crate::http::{Dns, Guarded, HttpError, Spot};

/// Where webhooks and tools may go. Public addresses are open by https; all others are closed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Hosts with their ports that are reached though they are not public, or have no TLS.
    #[serde(deserialize_with = "listed")]
    pub local: BTreeSet<Spot>,
}

impl Http {
    /// What goes out by these settings.
    ///
    /// # Errors
    /// Where the machine's certificates cannot be read.
    pub fn guarded(&self) -> Result<Guarded, HttpError> {
        Guarded::new(self.local.clone(), Arc::new(Dns))
    }
}
