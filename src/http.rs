//! The HTTP client that everything which calls out shares: TLS by rustls, no redirects, no proxies from the environment.
//!
//! Where a form file or a person has a say in the address, [`Guarded`] is used: it reaches public addresses, and of others
//! only those that the operator named. What the operator alone sets (the model, the collector of traces) is not guarded.

mod address;
mod guarded;
mod json;

use std::time::Duration;

pub use address::is_public;
pub use guarded::{Closed, Dns, Guarded, Lookup, Spot};
pub use json::{Answer, Failed, Request};

/// Longest time for connecting, and for the whole exchange.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Why there is no client.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the HTTP client cannot be made: {0}")]
pub struct HttpError(String);

/// Makes a client.
///
/// # Errors
/// Where the machine's certificates cannot be read.
pub fn client() -> Result<reqwest::Client, HttpError> {
    built(builder())
}

fn builder() -> reqwest::ClientBuilder {
    // Set once for the process; whoever was first set the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .timeout(TIMEOUT)
        .connect_timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("formwright/", env!("CARGO_PKG_VERSION")))
}

fn built(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, HttpError> {
    builder.build().map_err(|error| HttpError(error.to_string()))
}
