//! What the program may call of its own accord: where webhooks and tools go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::network::listed;
use crate::form::listen::{Lifecycle, To};
use crate::form::{self, Sink, SinkId};
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

/// Who is told what happens to every form.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Listen {
    /// Where it is posted: an address, or the name of a webhook in `[sinks]`.
    pub to: String,
    /// `env:NAME` or `file:PATH` of the signing secret, beside an address; none sends unsigned.
    #[serde(default)]
    pub secret: Option<String>,
    /// A second secret, signed with as well while secrets change.
    #[serde(default)]
    pub secret_next: Option<String>,
    /// What is told; everything where nothing is named.
    #[serde(default)]
    pub events: Vec<String>,
}

impl Listen {
    /// The listener that is meant.
    ///
    /// # Errors
    /// What to change.
    pub fn listener(&self) -> Result<form::Listen, String> {
        let named = |name: &String| {
            let names = || Lifecycle::ALL.map(Lifecycle::name).join(", ");
            Lifecycle::named(name)
                .ok_or_else(|| format!("`{name}` is nothing that happens to a form: take some of {}", names()))
        };
        let events: BTreeSet<Lifecycle> = self.events.iter().map(named).collect::<Result<_, _>>()?;
        let to = if self.to.contains("://") {
            let (url, secret, secret_next) = (self.to.clone(), self.secret.clone(), self.secret_next.clone());
            To::Webhook(Sink::Webhook { url, secret, secret_next })
        } else if self.secret.is_none() && self.secret_next.is_none() {
            To::Settings(SinkId::new(&self.to))
        } else {
            return Err(format!("`{}` is signed as `sinks.{}` says: write its secrets there", self.to, self.to));
        };
        Ok(form::Listen { to, events: if events.is_empty() { Lifecycle::ALL.into() } else { events } })
    }
}

/// What tools of forms may use.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tools {
    /// Hosts that tools may ask, `parcels.example` or `parcels.example:8443`; no other is asked.
    pub hosts: BTreeMap<String, Host>,
    /// Programs that tools may run, by the name that forms call them by: the whole path, and first arguments.
    pub commands: BTreeMap<String, Vec<String>>,
}

/// A host that tools may ask.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Host {
    /// Sent with each request: header to `env:NAME` or `file:PATH` of its value.
    pub headers: BTreeMap<String, String>,
}

/// Host and port of a name in the settings; the port of https where it has none.
///
/// # Errors
/// Where it is no name of a host.
pub fn spot(name: &str) -> Result<Spot, String> {
    name.parse().or_else(|_| format!("{name}:443").parse()).map_err(|_: String| {
        format!("expected a host, or a host with its port, such as parcels.example:8443, found `{name}`")
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("parcels.example", Some("parcels.example:443"))]
    #[case("Parcels.example.:8443", Some("parcels.example:8443"))]
    #[case("127.0.0.1", Some("127.0.0.1:443"))]
    #[case("[::1]", Some("[::1]:443"))]
    #[case("https://parcels.example", None)]
    #[case("parcels.example/v1", None)]
    #[case("*", None)]
    #[case("", None)]
    fn a_host_has_the_port_of_https_unless_it_says_another(#[case] name: &str, #[case] expected: Option<&str>) {
        assert_eq!(spot(name).ok().map(|spot| spot.to_string()).as_deref(), expected);
    }
}
