//! The HTTP client that everything which calls out shares: TLS by rustls, no redirects, no proxies from the environment.
//!
//! Where a form file or a person has a say in the address, [`Guarded`] is used: it reaches public addresses, and of others
//! only those that the operator named. What the operator alone sets (the model, the collector of traces) is not guarded.

mod address;
mod guarded;
mod json;
pub mod secret;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::client::WantsClientCert;
use rustls::{ClientConfig, ConfigBuilder};
use rustls_platform_verifier::BuilderVerifierExt;

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
    built(builder()?)
}

/// How TLS is spoken, made once: the certificates of the machine are some hundred kilobytes, and each form has clients.
fn tls() -> Result<ClientConfig, HttpError> {
    static TLS: OnceLock<Result<ClientConfig, HttpError>> = OnceLock::new();
    let make = || {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.and_then(BuilderVerifierExt::with_platform_verifier);
        config
            .map(ConfigBuilder::<ClientConfig, WantsClientCert>::with_no_client_auth)
            .map_err(|error| HttpError(error.to_string()))
    };
    TLS.get_or_init(make).clone()
}

fn builder() -> Result<reqwest::ClientBuilder, HttpError> {
    // Set once for the process; whoever was first set the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls()?)
        .timeout(TIMEOUT)
        .connect_timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("formwright/", env!("CARGO_PKG_VERSION")));
    Ok(builder)
}

fn built(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, HttpError> {
    builder.build().map_err(|error| HttpError(error.to_string()))
}
