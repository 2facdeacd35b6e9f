//! The `[web]` table.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde::{Deserialize, Serialize};

use crate::ApiKey;

/// The platform's name, as in [`formwright_chat::Place::platform`].
pub const PLATFORM: &str = "web";

/// Settings of the web page and its API: the `[web]` table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebSettings {
    /// Address and port to listen on; loopback unless set, port 0 takes a free one.
    pub bind: SocketAddr,
    /// Address people use, such as `https://forms.example`: needed behind a proxy. With https the cookie is `Secure`.
    pub public_url: Option<String>,
    /// Further host names to answer to while bound to loopback, where others are refused.
    pub hosts: Vec<String>,
    /// Exact origins whose pages may call the API, such as `https://app.example`; none by default. With `formpilot`, `*`
    /// stands for any that send neither a cookie nor a key.
    pub origins: Vec<String>,
    /// Keys of API clients.
    pub keys: Vec<ApiKey>,
    /// Takes forms written out in requests (`form_context_md`).
    pub allow_inline_forms: bool,
    /// Speaks `FormPilot`'s protocol with who comes without a cookie and without a key, and takes forms out of their requests.
    pub formpilot: bool,
    /// Fills in forms that clients keep themselves (`POST /api/fill`).
    pub fill: bool,
    /// Conversations that one cookie may start in an hour.
    pub conversations_per_hour: u32,
    /// Conversations that one address may start in an hour, with whatever cookies; none: as many as one cookie.
    pub conversations_per_address: Option<u32>,
    /// Connections that one address may hold at once, and requests that it may have under way through a proxy.
    pub connections_per_address: u32,
    /// Requests waiting for notices that one address may have at once.
    pub polls_per_address: u32,
    /// Requests waiting for notices that one cookie may have at once.
    pub polls_per_visitor: u32,
    /// Addresses of proxies that tell in `X-Forwarded-For` for whom they ask. With a `public_url` while bound to
    /// loopback, this machine is one.
    pub trusted_proxies: Vec<(IpAddr, u8)>,
    /// JavaScript served to the page, which registers client tools in `window.formwright.tools`.
    pub tools_script: String,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            keys: Vec::new(),
            allow_inline_forms: false,
            formpilot: false,
            fill: true,
            conversations_per_hour: 120,
            conversations_per_address: None,
            connections_per_address: 160,
            polls_per_address: 120,
            polls_per_visitor: 16,
            trusted_proxies: Vec::new(),
            tools_script: String::new(),
        }
    }
}
