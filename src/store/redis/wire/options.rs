//! What a Redis store needs to know.

use std::time::Duration;

use crate::{Outage, Refusal, Seal, StoreError};

/// How to reach a Redis, and under which names to keep things there.
#[derive(Clone)]
pub struct RedisOptions {
    /// Addresses, such as `redis://user:password@host:6379/0` or `rediss://…` with TLS: one, or some of a cluster's nodes.
    pub urls: Vec<String>,
    /// Certificates of the authorities that are believed with TLS, PEM; those of the world where there are none.
    pub ca: Option<Vec<u8>>,
    /// Whether it is a cluster.
    pub cluster: bool,
    /// Key names begin with it: letters, digits, `-` and `_`. Installations at one Redis differ in it.
    pub prefix: String,
    /// Names this replica among those at the same Redis. Two that run at once must differ. One that is started again
    /// under its old name takes its leases over at once.
    pub replica: String,
    /// Seals what is kept.
    pub seal: Seal,
    /// Longest that a call may take.
    pub deadline: Duration,
    /// Goes on although the server may throw records away when its memory is full.
    pub evicting_ok: bool,
}

impl RedisOptions {
    /// One server, the prefix `fw`, a random replica name, nothing sealed, a deadline of 2 s.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the system gives no randomness.
    pub fn new(url: impl Into<String>) -> Result<Self, StoreError> {
        let replica = format!("{:016x}", random()?);
        Ok(Self {
            urls: vec![url.into()],
            ca: None,
            cluster: false,
            prefix: "fw".to_owned(),
            replica,
            seal: Seal::none(),
            deadline: Duration::from_secs(2),
            evicting_ok: false,
        })
    }

    /// Whether the names can be used in keys.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let plain = |name: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && name.chars().all(fits)
        };
        for (setting, name) in [("prefix", &self.prefix), ("replica", &self.replica)] {
            if !plain(name) {
                return Err(Refusal::Name { setting, name: name.clone() }.into());
            }
        }
        Ok(())
    }
}

/// Addresses are left out: they may hold a password.
impl std::fmt::Debug for RedisOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { urls, ca, cluster, prefix, replica, seal, deadline, evicting_ok } = self;
        f.debug_struct("RedisOptions")
            .field("urls", &urls.len())
            .field("ca", &ca.is_some())
            .field("cluster", cluster)
            .field("prefix", prefix)
            .field("replica", replica)
            .field("seal", seal)
            .field("deadline", deadline)
            .field("evicting_ok", evicting_ok)
            .finish()
    }
}

/// 64 random bits.
pub(crate) fn random() -> Result<u64, StoreError> {
    getrandom::u64().map_err(|error| Outage::NoRandomness(error).into())
}
