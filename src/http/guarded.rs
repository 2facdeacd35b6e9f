//! HTTP to public addresses only, but for those that the operator names.
//!
//! A name is looked up once for a connection, all of its addresses are looked at, and what was looked at is what is
//! connected to: a name that changes its mind in between gains nothing. Addresses written out never come to a resolver, so
//! they are looked at in the URL, which has made one spelling of `0x7f.1`, `2130706433` and `[::ffff:127.0.0.1]` by then.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Url};
use serde::Serialize;

use super::{HttpError, address, builder, built};

/// Finds the addresses of a name.
#[async_trait]
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of a host; never empty.
    ///
    /// # Errors
    /// Where there is none, or nobody to ask.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the machine's own resolver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dns;

#[async_trait]
impl Lookup for Dns {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}

/// A host and a port, written `kitchen.internal:8080`, `127.0.0.1:9000` or `[::1]:9000`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct Spot {
    /// As a URL has it: small letters, an address in one spelling, no dot at the end.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Spot {
    /// Where a URL leads; none without a host or a port.
    pub fn of(url: &Url) -> Option<Self> {
        let host = url.host_str()?;
        Some(Self { host: host.trim_end_matches('.').to_owned(), port: url.port_or_known_default()? })
    }
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || format!("expected a host with its port, such as 127.0.0.1:9000, found `{text}`");
        let text = text.trim();
        let port = text.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).filter(|port| *port > 0);
        let url: Option<Url> = format!("http://{text}").parse().ok();
        let plain = !text.contains(['*', '%']);
        let bare = |url: &Url| plain && url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let spot = url.filter(|url| bare(url) && !has_user(url) && !text.ends_with('/'));
        spot.and_then(|url| Some(Self { port: port?, ..Self::of(&url)? })).ok_or_else(unfit)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl From<Spot> for String {
    fn from(spot: Spot) -> Self {
        spot.to_string()
    }
}

/// Why nothing is sent to an address, in words for the operator and the form's author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    /// Not an address of HTTP.
    #[error("it is not an address like https://host/path")]
    NoAddress,
    /// What is sent there could be read on the way.
    #[error("`{0}` is not asked for by https; the operator may allow it with `http.local`")]
    Plain(String),
    /// A name and password stand where everybody sees them.
    #[error("there is a user or a password in the address; secrets are named in the settings")]
    HasUser,
    /// This machine, a network of somebody's own, or a reserved address.
    #[error("`{0}` is not public; the operator may allow it with `http.local`")]
    NotPublic(String),
}

/// Sends to public addresses, and to those that the operator named.
#[derive(Clone, Debug)]
pub struct Guarded {
    local: Arc<BTreeSet<Spot>>,
    /// Reaches public addresses only.
    public: Client,
    /// Reaches whatever a name leads to: for `local` alone.
    named: Client,
}

impl Guarded {
    /// Public addresses, and the spots in `local`, be they public or not, with TLS or without.
    ///
    /// # Errors
    /// Where the machine's certificates cannot be read.
    pub fn new(local: BTreeSet<Spot>, lookup: Arc<dyn Lookup>) -> Result<Self, HttpError> {
        let public = Resolver { lookup: Arc::clone(&lookup), admits: address::is_public };
        let named = Resolver { lookup, admits: |_| true };
        Ok(Self {
            local: Arc::new(local),
            public: built(builder()?.dns_resolver(Arc::new(public)))?,
            named: built(builder()?.dns_resolver(Arc::new(named)))?,
        })
    }

    /// Whether something may be sent there as far as the address tells: what a name leads to is looked at when it is sent.
    ///
    /// # Errors
    /// Why not.
    pub fn admits(&self, url: &Url) -> Result<(), Closed> {
        self.client(url).map(drop)
    }

    /// Begins a request.
    ///
    /// # Errors
    /// Where nothing may be sent there.
    pub fn request(&self, method: reqwest::Method, url: Url) -> Result<reqwest::RequestBuilder, Closed> {
        Ok(self.client(&url)?.request(method, url))
    }

    /// The client that may go there.
    fn client(&self, url: &Url) -> Result<&Client, Closed> {
        let spot = Spot::of(url).filter(|_| matches!(url.scheme(), "http" | "https")).ok_or(Closed::NoAddress)?;
        if has_user(url) {
            return Err(Closed::HasUser);
        }
        if self.local.contains(&spot) {
            return Ok(&self.named);
        }
        let literal = spot.host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        if literal.is_ok_and(|address| !address::is_public(address)) {
            return Err(Closed::NotPublic(spot.to_string()));
        }
        if url.scheme() != "https" {
            return Err(Closed::Plain(spot.to_string()));
        }
        Ok(&self.public)
    }
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// Looks a name up, looks at all of its addresses, and gives those that it looked at.
struct Resolver {
    lookup: Arc<dyn Lookup>,
    admits: fn(IpAddr) -> bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, admits) = (Arc::clone(&self.lookup), self.admits);
        Box::pin(async move {
            let found = lookup.addresses(name.as_str()).await?;
            // One that is not public among public ones is no accident worth serving.
            if found.is_empty() || !found.iter().all(|address| admits(*address)) {
                return Err(Closed::NotPublic(name.as_str().to_owned()).into());
            }
            let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "guarded/tests.rs"]
mod tests;
