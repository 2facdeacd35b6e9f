//! The store, made from the settings. With `main.rs` the only file that chooses one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use formwright::cli::Failure;
use formwright::secret::Secret;
use formwright::settings::redis::Redis;
use formwright::settings::{Data, Settings, StoreKind};
use formwright::store::redis::RedisOptions;
use formwright::store::{MemoryStore, RedisStore, Seal, SqliteStore, Store, StoreError};

/// How often a Redis that is away at the start is asked what it survives.
const ASK: Duration = Duration::from_secs(2);

/// The store of a server.
pub(crate) struct Opened {
    /// The store.
    pub(crate) store: Arc<dyn Store>,
    redis: Option<Arc<RedisStore>>,
}

impl Opened {
    /// The store that the settings ask for. A Redis that is away is waited for; everything else must be there.
    ///
    /// # Errors
    /// [`Failure`], in words for the operator.
    pub(crate) async fn of(settings: &Settings) -> Result<Self, Failure> {
        if let Some(redis) = redis(settings).await? {
            let redis = Arc::new(redis);
            // One that is away is asked again, before anything is done there.
            if let Err(error @ (StoreError::Sealed(_) | StoreError::Refused(_))) = redis.use_keys().await {
                return Err(refused(error));
            }
            return Ok(Self { store: Arc::clone(&redis) as _, redis: Some(redis) });
        }
        let store: Arc<dyn Store> = match settings.data.store {
            StoreKind::Memory => Arc::new(MemoryStore::default()),
            StoreKind::Auto | StoreKind::Sqlite | StoreKind::Redis => {
                let store = SqliteStore::serving(&database(settings), seal(&settings.data)?);
                let store = store.map_err(Failure::undone)?;
                if let Err(error) = store.learn_to_shrink().await {
                    tracing::warn!(
                        error = %formwright_chat::chain(&error),
                        "the database goes on without giving space back"
                    );
                }
                Arc::new(store)
            }
        };
        store.use_keys().await.map_err(refused)?;
        Ok(Self { store, redis: None })
    }

    /// Tells the operator what a Redis survives, once it can be asked, and never ends; but for one that throws
    /// conversations away: that ends the server.
    pub(crate) async fn look_at_redis(&self, announce: impl Fn(&str)) -> Failure {
        let Some(redis) = &self.redis else { return std::future::pending().await };
        let mut told = false;
        loop {
            if let Err(error @ (StoreError::Sealed(_) | StoreError::Refused(_))) = redis.use_keys().await {
                return refused(error);
            }
            match redis.survival().await {
                Ok(survival) => {
                    announce(&survival.line);
                    let refused = survival.refused.map(|why| format!("{why}, or set redis.allow_eviction"));
                    return match refused {
                        Some(why) => Failure::Settings(why),
                        None => std::future::pending().await,
                    };
                }
                Err(error) if !std::mem::replace(&mut told, true) => {
                    tracing::warn!(
                        error = %formwright_chat::chain(&error),
                        "Redis is away; nothing is taken in until it is there"
                    );
                }
                Err(_) => {}
            }
            tokio::time::sleep(ASK).await;
        }
    }
}

/// The store that a command works on. It is closed after that, so that no more is left in the folder than was there.
pub(crate) struct Existing<'r> {
    store: Arc<dyn Store>,
    runtime: &'r tokio::runtime::Runtime,
}

impl std::ops::Deref for Existing<'_> {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

impl Drop for Existing<'_> {
    fn drop(&mut self) {
        // A server that runs beside it tidies up by itself.
        let _ = self.runtime.block_on(self.store.close());
    }
}

/// The store that a server has filled, for a command.
///
/// # Errors
/// [`Failure::Asked`] where there is none yet, [`Failure::Undone`] where it cannot be opened.
pub(crate) fn existing<'r>(settings: &Settings, runtime: &'r tokio::runtime::Runtime) -> Result<Existing<'r>, Failure> {
    Ok(Existing { store: runtime.block_on(filled(settings))?, runtime })
}

async fn filled(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    if let Some(redis) = redis(settings).await? {
        redis.check_keys().await.map_err(refused)?;
        return Ok(Arc::new(redis));
    }
    let file = database(settings);
    // An empty one is what a server leaves that was ended as it began.
    if !std::fs::metadata(&file).is_ok_and(|meta| meta.is_file() && meta.len() > 0) {
        let dir = settings.data.dir.display();
        return Err(Failure::Asked(format!("there is no data in {dir} yet; `--data DIR` names another folder")));
    }
    let damaged = |error: StoreError| match error {
        StoreError::Damaged(why) => Failure::Undone(format!(
            "{} is damaged: {why}. Start the server: it puts the file aside and takes over what can be read of it",
            file.display()
        )),
        error => Failure::undone(error),
    };
    let store = SqliteStore::sealed(&file, seal(&settings.data)?).map_err(damaged)?;
    store.check_keys().await.map_err(refused)?;
    Ok(Arc::new(store))
}

fn database(settings: &Settings) -> PathBuf {
    settings.data.dir.join("formwright.db")
}

/// The Redis that the settings name; none where another store serves.
async fn redis(settings: &Settings) -> Result<Option<RedisStore>, Failure> {
    let Redis { url, ca, nodes, cluster, prefix, allow_eviction } = &settings.redis;
    let url = match (settings.data.store, url) {
        (StoreKind::Sqlite | StoreKind::Memory, _) | (StoreKind::Auto, None) => return Ok(None),
        (StoreKind::Redis, None) => {
            let words = "data.store is `redis`, but redis.url is not set: `redis.url = \"redis://localhost:6379\"`";
            return Err(Failure::Settings(words.to_owned()));
        }
        (StoreKind::Auto | StoreKind::Redis, Some(url)) => url,
    };
    let mut options = RedisOptions::new(String::new()).map_err(Failure::undone)?;
    options.urls = std::iter::once(url).chain(nodes).map(|url| address(url)).collect::<Result<_, _>>()?;
    let is_tls = options.urls.iter().any(|url| url.starts_with("rediss:"));
    if ca.is_some() && !is_tls {
        let words = "redis.ca is set, but redis.url is no rediss:// address: nothing would be encrypted";
        return Err(Failure::Settings(words.to_owned()));
    }
    options.ca = if is_tls { authorities(ca.as_deref())? } else { None };
    options.cluster = *cluster;
    options.prefix.clone_from(prefix);
    options.seal = seal(&settings.data)?;
    options.evicting_ok = *allow_eviction;
    RedisStore::connect(options).await.map(Some).map_err(refused)
}

/// The authorities whose certificates are believed; none for those of the world.
fn authorities(ca: Option<&Path>) -> Result<Option<Vec<u8>>, Failure> {
    let system = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let Some(file) = ca.map(Path::to_owned).or(system) else { return Ok(None) };
    let read = std::fs::read(&file).map(Some);
    // What the system names is only taken where it is there.
    if ca.is_none() {
        return Ok(read.unwrap_or_default());
    }
    read.map_err(|error| Failure::Settings(format!("redis.ca: {}: {error}", file.display())))
}

/// An address, written out or named.
fn address(url: &str) -> Result<String, Failure> {
    let secret = Secret::given(url).map_err(|error| Failure::Settings(format!("redis.url: {error}")))?;
    String::from_utf8(secret.expose().to_vec()).map_err(|_| Failure::Settings("redis.url: it is no text".to_owned()))
}

/// What seals records, by the keys that are set.
fn seal(data: &Data) -> Result<Seal, Failure> {
    let mut keys = Vec::new();
    for (setting, name) in
        data.key.iter().map(|name| ("data.key", name)).chain(data.old_keys.iter().map(|name| ("data.old_keys", name)))
    {
        let secret = Secret::resolve(name).map_err(|error| Failure::Settings(format!("{setting}: {error}")))?;
        let unfit = || {
            let words = "32 random bytes in hex or base64 are needed, as `openssl rand -hex 32` makes them";
            Failure::Settings(format!("{setting} ({name}): {words}"))
        };
        // One byte over and over is what stands in an example.
        let random = |key: &[u8; 32]| key.iter().any(|byte| *byte != key[0]);
        keys.push(key(secret.expose()).filter(random).ok_or_else(unfit)?);
    }
    if data.key.is_none() && !keys.is_empty() {
        return Err(Failure::Settings(
            "data.old_keys are set, but data.key is not: nothing would be sealed".to_owned(),
        ));
    }
    if data.key.is_none() && data.read_unsealed {
        return Err(Failure::Settings("data.read_unsealed is set, but data.key is not: nothing is sealed".to_owned()));
    }
    Ok(Seal::new(&keys, data.read_unsealed))
}

/// A key's 32 bytes, written in hex or base64.
fn key(text: &[u8]) -> Option<[u8; 32]> {
    let text = std::str::from_utf8(text).ok()?.trim();
    if text.len() == 64 {
        let byte = |no: usize| u8::from_str_radix(text.get(2 * no..2 * no + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
        return bytes?.try_into().ok();
    }
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).ok()?;
    bytes.try_into().ok()
}

/// A store that cannot be used: one whose keys are not set, or that refuses, is a matter of the settings.
fn refused(error: StoreError) -> Failure {
    match error {
        error @ (StoreError::Sealed(_) | StoreError::Refused(_)) => Failure::Settings(error.to_string()),
        error => Failure::undone(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_bytes_in_hex_or_base64() {
        assert_eq!(key("07".repeat(32).as_bytes()), Some([7; 32]));
        assert_eq!(key(b"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n"), Some([7; 32]));
        for wrong in ["", "secret", &"0g".repeat(32), &"07".repeat(31), "BwcH"] {
            assert_eq!(key(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn what_would_leave_open_what_is_to_be_sealed_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "00".repeat(32)).unwrap();
        let zeros = Data { key: Some(format!("file:{}", file.path().display())), ..Data::default() };
        let nothing = Data { read_unsealed: true, ..Data::default() };
        for (data, words) in [(zeros, "32 random bytes"), (nothing, "data.key is not")] {
            let Err(Failure::Settings(told)) = seal(&data) else { panic!("{words}") };
            assert!(told.contains(words), "{told}");
        }
    }
}
