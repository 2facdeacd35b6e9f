//! Redis: it keeps what is durable where an address is set, and several replicas may share it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::truth;

/// Redis, Valkey, or a cluster of either.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Redis {
    /// The address, `redis://host:6379/0` or `rediss://` with TLS; named `env:NAME` or `file:PATH` where it has a password.
    pub url: Option<String>,
    /// A file with the certificates of the authorities that are believed with `rediss://`, PEM; those of `SSL_CERT_FILE`
    /// where it is not set, or those of the world.
    pub ca: Option<PathBuf>,
    /// Further nodes of a cluster, in case the first is away at the start.
    pub nodes: Vec<String>,
    /// Whether it is a cluster.
    #[serde(deserialize_with = "truth")]
    pub cluster: bool,
    /// What all keys begin with: installations that share a Redis differ in it.
    pub prefix: String,
    /// Serve although Redis may throw conversations away when its memory is full.
    #[serde(deserialize_with = "truth")]
    pub allow_eviction: bool,
}

impl Default for Redis {
    fn default() -> Self {
        Self { url: None, ca: None, nodes: Vec::new(), cluster: false, prefix: "fw".to_owned(), allow_eviction: false }
    }
}
