//! What tools may reach: hosts, programs and secrets that the operator names. A form file only says which of them it wants.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use formwright_http::secret::Secret;
use formwright_http::{Closed, Guarded, Spot};

/// Hosts and programs that tools may use.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub(super) guarded: Guarded,
    pub(super) directory: PathBuf,
    hosts: BTreeMap<Spot, HeaderMap>,
    commands: BTreeMap<String, Program>,
}

/// A program on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) args: Vec<String>,
}

/// Why a tool of a form cannot be run here, in words for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolProblem {
    /// The program has no function of this name.
    #[error("it calls a function that this program does not have: a program of your own registers it")]
    NoFunction,
    /// Nothing outside is allowed to any tool.
    #[error("this program lets no tool reach hosts or run programs")]
    Nowhere,
    /// The host is not listed.
    #[error("it asks `{0}`, which is not in the settings: add `[tools.hosts.\"{0}\"]` to allow it")]
    NoHost(String),
    /// The address is closed to everybody.
    #[error("nothing can be asked at its address: {0}")]
    Closed(#[from] Closed),
    /// The program is not listed.
    #[error(
        "it runs `{0}`, which is not in the settings: add `{0} = [\"/path/of/the/program\"]` to `[tools.commands]`"
    )]
    NoCommand(String),
}

/// Why the settings of tools cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// A header cannot be sent. Its value is not told: it is a secret.
    #[error("the header `{0}` cannot be sent: its name or its value has characters that headers must not have")]
    Header(String),
    /// A program without a path of its own.
    #[error("the command `{0}` needs the whole path of its program first, such as [\"/usr/local/bin/{0}\"]")]
    Command(String),
}

impl Outgoing {
    /// No host and no program yet. Programs run in `directory`.
    pub fn new(guarded: Guarded, directory: PathBuf) -> Self {
        Self { guarded, directory, hosts: BTreeMap::new(), commands: BTreeMap::new() }
    }

    /// Allows a host, which is sent these headers.
    ///
    /// # Errors
    /// Where a header cannot be sent.
    pub fn host(mut self, spot: Spot, headers: &BTreeMap<String, Secret>) -> Result<Self, Unusable> {
        let mut sent = HeaderMap::new();
        for (name, secret) in headers {
            let unusable = || Unusable::Header(name.clone());
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
            let mut value = HeaderValue::from_bytes(secret.expose()).map_err(|_| unusable())?;
            value.set_sensitive(true);
            sent.insert(key, value);
        }
        self.hosts.insert(spot, sent);
        Ok(self)
    }

    /// Allows a program with its first arguments, under the name that forms call it by.
    ///
    /// # Errors
    /// Where the path is not a whole one.
    pub fn command(mut self, name: &str, words: &[String]) -> Result<Self, Unusable> {
        let (path, args) = words.split_first().ok_or_else(|| Unusable::Command(name.to_owned()))?;
        let path = PathBuf::from(path);
        if !path.is_absolute() {
            return Err(Unusable::Command(name.to_owned()));
        }
        self.commands.insert(name.to_owned(), Program { path, args: args.to_vec() });
        Ok(self)
    }

    /// Whether a request of a form may be made.
    pub(super) fn admits(&self, http: &formwright_form::tool::Http) -> Result<(), ToolProblem> {
        // Holes lie behind the host: whatever they hold, it stays the same.
        let url: Url = http.url.replace(['{', '}'], "").parse().map_err(|_| Closed::NoAddress)?;
        self.headers(&url)?;
        Ok(self.guarded.admits(&url)?)
    }

    /// The headers for an address; it is an error where its host is not listed.
    pub(super) fn headers(&self, url: &Url) -> Result<&HeaderMap, ToolProblem> {
        let spot = Spot::of(url).ok_or(Closed::NoAddress)?;
        let named = if spot.port == 443 { spot.host.clone() } else { spot.to_string() };
        self.hosts.get(&spot).ok_or(ToolProblem::NoHost(named))
    }

    /// The program of a name.
    pub(super) fn program(&self, name: &str) -> Result<&Program, ToolProblem> {
        self.commands.get(name).ok_or_else(|| ToolProblem::NoCommand(name.to_owned()))
    }
}
