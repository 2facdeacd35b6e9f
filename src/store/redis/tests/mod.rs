//! The Redis store against real servers.

mod damage;
mod keys;
mod rights;
mod safety;
mod server;
mod several;
mod single;
mod slots;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use formwright_chat as chat;

use super::*;
use crate::conformance::{Bench, conformance_tests};
use crate::{
    Accepted, Commit, Committed, Delivery, OutboxState, Replicas, Resealed, Safety, SessionKey, Store, Stored, Written,
};
use server::{Cluster, Server};

/// A store with names of its own at a server, or a cluster, that all tests share.
struct Redis<const SEALED: bool, const CLUSTER: bool> {
    store: Option<RedisStore>,
    options: RedisOptions,
}

/// The options of a store with names that nobody else uses.
fn options(url: &str) -> RedisOptions {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let prefix = format!("t{}", LAST.fetch_add(1, Ordering::SeqCst));
    RedisOptions { prefix, ..RedisOptions::new(url).unwrap() }
}

fn sealing() -> Seal {
    Seal::new(&[[7; 32]], false)
}

fn shared() -> &'static Server {
    static SHARED: OnceLock<Server> = OnceLock::new();
    SHARED.get_or_init(Server::shared)
}

fn cluster() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(Cluster::start)
}

/// A store that owns what is its share.
async fn open(options: &RedisOptions) -> RedisStore {
    let store = RedisStore::connect(options.clone()).await.unwrap();
    store.renew().await.unwrap();
    store
}

fn wait_for<T>(future: impl Future<Output = T>) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(future))
}

impl<const SEALED: bool, const CLUSTER: bool> Bench for Redis<SEALED, CLUSTER> {
    type Store = RedisStore;

    fn at_hand() -> bool {
        server::at_hand()
    }

    fn new() -> Self {
        let mut options = if CLUSTER {
            let servers = &cluster().servers;
            RedisOptions { urls: servers.iter().map(Server::url).collect(), cluster: true, ..options("") }
        } else {
            options(&shared().url())
        };
        if SEALED {
            options.seal = sealing();
        }
        Self { store: Some(wait_for(open(&options))), options }
    }

    fn store(&self) -> &RedisStore {
        self.store.as_ref().unwrap()
    }

    fn reopen(mut self) -> Self {
        self.store = None;
        self.store = Some(wait_for(open(&self.options)));
        self
    }
}

mod sealed {
    type Bench = super::Redis<true, false>;
    super::conformance_tests!(Bench);
}

mod plain {
    type Bench = super::Redis<false, false>;
    super::conformance_tests!(Bench);
}

mod clustered {
    type Bench = super::Redis<true, true>;
    super::conformance_tests!(Bench);
}
