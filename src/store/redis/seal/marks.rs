//! Which keys seal what is kept here. A replica that lacks one of them works on nothing.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use crate::StoreError;
use crate::redis::wire::scripts;
use crate::redis::{Call, RedisStore};

/// Whether the keys that are set open what is kept.
pub(crate) async fn check(store: &RedisStore) -> Result<(), StoreError> {
    let mut command = redis::cmd("HGETALL");
    command.arg(store.names.marks());
    let marks: BTreeMap<String, Vec<u8>> = store.link.ask(&command).await?;
    store.seal.fits(&marks)
}

/// The same, and notes which of them seals.
pub(crate) async fn take(store: &RedisStore) -> Result<(), StoreError> {
    let names = store.seal.names();
    let mut call = Call::new(&scripts::KEYS, store.names.marks()).arg(store.seal.name()).arg(store.seal.mark()?);
    call.add(names.len().to_string());
    names.iter().for_each(|name| call.add(name));
    let marks: BTreeMap<String, Vec<u8>> = store.link.run(&call).await?;
    let fits = store.seal.fits(&marks);
    store.fits.store(fits.is_ok(), Ordering::Relaxed);
    fits
}

/// The same, unless it was found to be so before.
pub(crate) async fn taken(store: &RedisStore) -> Result<(), StoreError> {
    if store.fits.load(Ordering::Relaxed) { Ok(()) } else { take(store).await }
}
