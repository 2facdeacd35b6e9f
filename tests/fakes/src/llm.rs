//! A language model behind `OpenAI`'s chat completions, on loopback.
//!
//! What it enforces is what servers enforce: method, content type, key, the model's name, roles and contents, limits,
//! `response_format` and the rules of strict schemas. What it says comes from a [`Reader`], which plays the model; a
//! [`Mode`] spoils that in the ways of servers in the field. With a schema that is honoured, a reply is made to fit it,
//! whatever the reader says.
//!
//! Deliberately absent: streaming (a request for it is refused), tools, several choices, and everything but the two paths.

mod check;
mod mode;
mod reader;
mod reply;
mod schema;
mod server;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use mode::{Mode, RETRY_AFTERS};
pub use reader::{Prompt, Reader, obedient, says};

/// The key that is accepted.
pub const KEY: &str = "sk-fake-7Qm2-not-for-anybody";
/// The one model that is served.
pub const MODEL: &str = "fake-mini";

/// What is to be enforced.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The bearer token; empty where anybody may ask.
    pub key: String,
    /// The model's name.
    pub model: String,
    /// Time between two bytes of [`Mode::Drip`].
    pub drip: std::time::Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { key: KEY.to_owned(), model: MODEL.to_owned(), drip: std::time::Duration::from_secs(1) }
    }
}

/// A request that was made, answered or not.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its body.
    pub body: Value,
    /// Whether it came from the probe: there is no message in it.
    pub is_probe: bool,
    /// When it came.
    pub at: std::time::Instant,
}

/// The server. It stops when it is dropped.
pub struct ModelFake {
    inner: Arc<Inner>,
    server: JoinHandle<()>,
}

/// What all requests share.
pub(crate) struct Inner {
    url: String,
    pub(crate) settings: Settings,
    pub(crate) mode: Mutex<Mode>,
    pub(crate) reader: Mutex<Reader>,
    pub(crate) calls: Mutex<Vec<Call>>,
    pub(crate) refusals: Mutex<Vec<String>>,
    pub(crate) answered: AtomicUsize,
    stopped: watch::Sender<bool>,
}

impl Drop for ModelFake {
    fn drop(&mut self) {
        self.inner.stopped.send_replace(true);
        self.server.abort();
    }
}

impl ModelFake {
    /// Starts on a free port.
    ///
    /// # Panics
    /// Where loopback has no free port.
    pub async fn start(mode: Mode, reader: Reader) -> Self {
        Self::start_with(Settings::default(), mode, reader).await
    }

    /// Starts on a free port, enforcing this.
    ///
    /// # Panics
    /// Where loopback has no free port.
    pub async fn start_with(settings: Settings, mode: Mode, reader: Reader) -> Self {
        let listener = match tokio::net::TcpListener::bind(("127.0.0.1", 0)).await {
            Ok(listener) => listener,
            Err(error) => panic!("no port on loopback: {error}"),
        };
        let url = match listener.local_addr() {
            Ok(at) => format!("http://{at}/v1"),
            Err(error) => panic!("no address on loopback: {error}"),
        };
        let inner = Arc::new(Inner {
            url,
            settings,
            mode: Mutex::new(mode),
            reader: Mutex::new(reader),
            calls: Mutex::default(),
            refusals: Mutex::default(),
            answered: AtomicUsize::default(),
            stopped: watch::Sender::new(false),
        });
        let (router, stop) = (server::router(Arc::clone(&inner)), Arc::clone(&inner));
        let server = tokio::spawn(async move {
            // Idle connections are closed too: a server that was stopped answers nobody.
            let _ = axum::serve(listener, router).with_graceful_shutdown(async move { stop.stopped().await }).await;
        });
        Self { inner, server }
    }

    /// The address that `/chat/completions` is put after.
    pub fn url(&self) -> String {
        self.inner.url.clone()
    }

    /// From now on it behaves like this.
    pub fn set_mode(&self, mode: Mode) {
        *lock(&self.inner.mode) = mode;
    }

    /// From now on this plays the model.
    pub fn set_reader(&self, reader: Reader) {
        *lock(&self.inner.reader) = reader;
    }

    /// Every request so far, refused ones too.
    pub fn calls(&self) -> Vec<Call> {
        lock(&self.inner.calls).clone()
    }

    /// How many requests were about a message, refused ones too.
    pub fn questions(&self) -> usize {
        lock(&self.inner.calls).iter().filter(|call| !call.is_probe).count()
    }

    /// What was refused because it was wrong, in the server's words. What a [`Mode`] refuses is not among it.
    pub fn refusals(&self) -> Vec<String> {
        lock(&self.inner.refusals).clone()
    }

    /// Stops, and waits until nobody is served any more. The address refuses connections from then on.
    pub async fn stop(mut self) {
        self.inner.stopped.send_replace(true);
        let _ = (&mut self.server).await;
    }
}

impl Inner {
    /// The number of this answer, counted from zero.
    pub(crate) fn turn(&self) -> usize {
        self.answered.fetch_add(1, Ordering::Relaxed)
    }

    /// Waits until the server is to stop.
    pub(crate) async fn stopped(&self) {
        let _ = self.stopped.subscribe().wait_for(|stopped| *stopped).await;
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
