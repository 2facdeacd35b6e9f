//! The web page and the API.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::network::listed;
use super::{Network, clients, number, some_number, truth};

/// The web page and HTTP API.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Web {
    /// Whether it is served.
    #[serde(deserialize_with = "truth")]
    pub enabled: bool,
    /// Address and port to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address people use, behind a proxy.
    pub public_url: Option<String>,
    /// Further host names to answer to while listening on loopback.
    pub hosts: Vec<String>,
    /// Exact origins whose pages may call the API.
    pub origins: Vec<String>,
    /// Keys of API clients: name, without colons, to `env:NAME` or `file:PATH`.
    #[serde(deserialize_with = "clients")]
    pub keys: BTreeMap<String, String>,
    /// Take forms written out in requests.
    #[serde(deserialize_with = "truth")]
    pub inline_forms: bool,
    /// Speak FormPilot's protocol.
    #[serde(deserialize_with = "truth")]
    pub formpilot: bool,
    /// Fill in forms that clients keep themselves.
    #[serde(deserialize_with = "truth")]
    pub fill: bool,
    /// Conversations that one visitor may start in an hour.
    #[serde(deserialize_with = "number")]
    pub conversations_per_hour: u32,
    /// Conversations that one address may start in an hour; as many as one visitor where it is not set.
    #[serde(deserialize_with = "some_number")]
    pub conversations_per_address: Option<u32>,
    /// Connections that one address may hold at once.
    #[serde(deserialize_with = "number")]
    pub connections_per_address: u32,
    /// Requests waiting for notices that one address may have at once.
    #[serde(deserialize_with = "number")]
    pub polls_per_address: u32,
    /// Requests waiting for notices that one visitor may have at once.
    #[serde(deserialize_with = "number")]
    pub polls_per_visitor: u32,
    /// Proxies that tell for whom they ask, by address or network.
    #[serde(deserialize_with = "listed")]
    pub trusted_proxies: Vec<Network>,
    /// The time zone of people whose client sends none.
    #[serde(deserialize_with = "super::zones::named")]
    pub zone: Option<String>,
    /// A JavaScript file served to the page, which registers client tools.
    pub tools_script: Option<PathBuf>,
}

impl Default for Web {
    fn default() -> Self {
        Self {
            enabled: true,
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            keys: BTreeMap::new(),
            inline_forms: false,
            formpilot: false,
            fill: true,
            conversations_per_hour: 120,
            conversations_per_address: None,
            connections_per_address: 160,
            polls_per_address: 120,
            polls_per_visitor: 16,
            trusted_proxies: Vec::new(),
            zone: None,
            tools_script: None,
        }
    }
}
