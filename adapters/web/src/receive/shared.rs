//! What requests share.

use std::sync::Arc;
use std::time::Duration;

use crate::WebSettings;

/// What requests share.
pub(crate) struct Shared {
    pub(crate) settings: WebSettings,
    pub(crate) rules: Arc<super::guard::Rules>,
    pub(crate) keys: Vec<super::auth::KnownKey>,
    pub(crate) cookie: &'static str,
    pub(crate) secure: bool,
    pub(crate) assets: Vec<crate::assets::Asset>,
    pub(crate) notices: crate::send::notices::Notices,
    pub(crate) allowance: super::allowance::Allowance,
    pub(crate) crowd: super::crowd::Crowd,
    pub(crate) proxies: super::peer::Proxies,
    pub(crate) patience: Patience,
    pub(crate) under_way: super::same::UnderWay,
}

/// How long the server waits for a client.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// For a body to arrive.
    pub(crate) body: Duration,
}
