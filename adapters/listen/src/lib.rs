//! The HTTP server of every adapter that listens: HTTP/1.1 only, with limits on what strangers may hold.
//!
//! A connection has to send its first request soon, may not stay silent between requests for long, and has to take its
//! answers. One address may hold so many connections, and all together so many that the process keeps files to work
//! with. Deliberately absent: TLS, which is a proxy's, and everything about requests.

mod accept;
mod files;
mod places;
mod silent;
mod stream;

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use silent::{Silent, Unheard};

pub use files::raise_limit;
pub use places::{Place, Places};

/// Connections that may wait to be taken in, where the system allows as many. With fewer, somebody who opens thousands at one
/// moment makes others' first packets go lost, which come again after a second or two.
const BACKLOG: u32 = 4_096;

/// Listens at an address.
///
/// # Errors
/// Where the system does not let this program listen there.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere two programs could take one port by it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answered to a connection too many of one address, before it has said anything.
const REFUSAL: &str = "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 10\r\n\
    connection: close\r\ncontent-length: 142\r\n\r\n{\"error\":{\"code\":\"too_many_connections\",\"message\":\"This \
    address holds too many connections. Close some, or wait for answers, and try again.\"}}";

/// What connections may hold, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once, fewer where the process may not open enough files. A further one takes the place of one that
    /// has not sent a whole request yet; where all have, it waits.
    pub connections: usize,
    /// Connections of one address at once. Further ones are refused.
    pub per_address: usize,
    /// Longest time until the first request of a connection has arrived, without its body.
    pub first_request: Duration,
    /// Longest time between two requests of a connection, and longest silence while a request is worked on.
    pub silence: Duration,
    /// Longest time that the client may take to read what is ready for it.
    pub taking: Duration,
}

impl Limits {
    /// Limits that fit most listeners: so many connections in all, and of one address.
    pub const fn new(connections: usize, per_address: usize) -> Self {
        Self {
            connections,
            per_address,
            first_request: Duration::from_secs(10),
            silence: Duration::from_secs(75),
            taking: Duration::from_secs(30),
        }
    }
}

impl Default for Limits {
    /// For a chat platform's requests: it calls from few addresses, with many connections each.
    fn default() -> Self {
        Self::new(1_024, 256)
    }
}

/// The address at the other end of a connection, as requests carry it: `ConnectInfo<Peer>`.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Whether connections of an address speak for many people, such as a proxy's. They are not counted for the address.
pub type Speaks = Arc<dyn Fn(IpAddr) -> bool + Send + Sync>;

/// Nobody speaks for others.
pub fn nobody() -> Speaks {
    Arc::new(|_| false)
}

/// Serves a router until `shutdown` completes and all requests under way are answered.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    speaks: Speaks,
    shutdown: impl Future<Output = ()>,
) {
    let all = Arc::new(Semaphore::new(files::affordable(limits.connections)));
    let of_address = Places::new(limits.per_address);
    let silent = Silent::default();
    let (stop, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            next = accept::next(|| listener.accept()) => next,
            Some(_) = connections.join_next() => continue,
            () = &mut shutdown => break,
        };
        let address = client_of(peer);
        let own = if speaks(address) { None } else { Some(of_address.take(counted(address))) };
        if own.as_ref().is_some_and(Option::is_none) {
            // Nobody waits for who is refused: the words fit into the buffer of a new connection.
            let _ = stream.into_std().and_then(|mut stream| stream.write(REFUSAL.as_bytes()));
            continue;
        }
        let place = tokio::select! {
            place = place(&all, &silent) => place,
            () = &mut shutdown => break,
        };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let (unheard, stopped) = (silent.enter(), stopped.clone());
        connections.spawn(async move {
            connection(stream, Peer(address), router, limits, unheard, stopped).await;
            drop((place, own));
        });
    }
    let _ = stop.send(true);
    while connections.join_next().await.is_some() {}
}

/// A place for a connection: a free one, or that of a silent connection.
async fn place(all: &Arc<Semaphore>, silent: &Silent) -> Option<OwnedSemaphorePermit> {
    // The semaphore is never closed; were it, connections would go uncounted.
    let mut free = pin!(Arc::clone(all).acquire_owned());
    tokio::select! {
        biased;
        place = free.as_mut() => return place.ok(),
        () = silent.end_oldest() => {}
    }
    free.await.ok()
}

/// Answers the requests of one connection.
async fn connection<S>(
    stream: S,
    peer: Peer,
    router: Router,
    limits: Limits,
    mut unheard: Unheard,
    mut stopped: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let asked = Arc::new(Notify::new());
    let heard = Arc::clone(&asked);
    let service = service_fn(move |request: Request<Incoming>| {
        heard.notify_one();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = router.clone().oneshot(request);
        async move { Ok::<_, Infallible>(answer.await.unwrap_or_else(|never| match never {})) }
    });
    let io = TokioIo::new(stream::Impatient::new(stream, limits));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.silence)
        .serve_connection(io, service);
    let mut served = pin!(served);
    let first = async move {
        tokio::select! {
            biased;
            () = asked.notified() => true,
            () = unheard.ended() => false,
        }
    };
    let mut first = pin!(tokio::time::timeout(limits.first_request, first));
    let (mut silent, mut stopping) = (true, false);
    loop {
        tokio::select! {
            // Whatever ended it, there is nobody to tell.
            _ = served.as_mut() => return,
            asked = first.as_mut(), if silent => match asked {
                Ok(true) => silent = false,
                Ok(false) | Err(_) => return,
            },
            _ = stopped.wait_for(|stop| *stop), if !stopping => {
                stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
}

fn client_of(peer: SocketAddr) -> IpAddr {
    peer.ip().to_canonical()
}

/// What an address is counted as: of an IPv6 address the network, for a household has as many addresses in it as it likes.
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => IpAddr::V6((long.to_bits() >> 64 << 64).into()),
        short @ IpAddr::V4(_) => short,
    }
}

#[cfg(test)]
mod tests;
