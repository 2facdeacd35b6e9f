//! Connections to Redis: commands with a deadline.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig, SendError};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::io::tcp::TcpSettings;
use redis::{Client, Cmd, ErrorKind, FromRedisValue, Pipeline, PushInfo, RedisError, ServerErrorKind, Value};
use tokio::sync::Mutex;

use super::failure::{failure, is_forbidden, unexpected};
use super::options::RedisOptions;
use super::scripts::Call;
use crate::{Refusal, StoreError};

/// Longest that a new connection may take.
const CONNECT: Duration = Duration::from_secs(1);
/// How long there may be nothing but errors before the connection is made from scratch. The crate (redis 1.8.1) makes it
/// again by itself after a broken line, but not where a server was there and refused its first words: still reading its
/// data, or something else answering in its place. Nor does a cluster's, where a server died while much was asked of it:
/// then no server of the cluster answers any more.
const HOPELESS: Duration = Duration::from_secs(3);

/// A connection, made when it is first used and again whenever it broke.
pub(crate) struct Link {
    wire: Wire,
    deadline: Duration,
    /// Since when there is nothing but errors.
    failing: std::sync::Mutex<Option<Instant>>,
}

enum Wire {
    Server(Box<Single>),
    Cluster(Box<Cluster>),
}

/// The connection to a cluster, and how to make it.
struct Cluster {
    client: ClusterClient,
    open: std::sync::Mutex<Option<ClusterConnection>>,
    /// Held while one is made, and at no other time: a call that has its turn but is not polled would hold up all others.
    making: Mutex<()>,
}

impl Cluster {
    async fn connection(&self) -> Result<ClusterConnection, RedisError> {
        if let Some(connection) = self.is_open() {
            return Ok(connection);
        }
        let _turn = self.making.lock().await;
        if let Some(connection) = self.is_open() {
            return Ok(connection);
        }
        let connection = self.client.get_async_connection().await?;
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.clone());
        Ok(connection)
    }

    fn is_open(&self) -> Option<ClusterConnection> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn make_again(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Commands are sent at once. By default a small one waits for the acknowledgement of the one before it, which the other
/// side puts off for 40 ms: it has nothing to say.
fn at_once() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

/// The connection to a server, and how to make it.
struct Single {
    client: Client,
    config: ConnectionManagerConfig,
    manager: std::sync::Mutex<ConnectionManager>,
}

impl Single {
    fn new(client: Client, config: ConnectionManagerConfig) -> Result<Self, RedisError> {
        let manager = ConnectionManager::new_lazy_with_config(client.clone(), config.clone())?;
        Ok(Self { client, config, manager: std::sync::Mutex::new(manager) })
    }

    fn manager(&self) -> ConnectionManager {
        self.manager.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn make_again(&self) {
        if let Ok(manager) = ConnectionManager::new_lazy_with_config(self.client.clone(), self.config.clone()) {
            *self.manager.lock().unwrap_or_else(PoisonError::into_inner) = manager;
        }
    }
}

/// What is called with each message that is told to those who listen.
pub(crate) type Heard = std::sync::Arc<dyn Fn(PushInfo) + Send + Sync>;

impl Link {
    /// A connection for commands.
    pub(crate) fn new(options: &RedisOptions) -> Result<Self, StoreError> {
        Self::make(options, None)
    }

    /// A connection that hears what is told on channels it subscribes to.
    pub(crate) fn listening(options: &RedisOptions, heard: Heard) -> Result<Self, StoreError> {
        Self::make(options, Some(heard))
    }

    fn make(options: &RedisOptions, heard: Option<Heard>) -> Result<Self, StoreError> {
        // Our own deadline comes first, so that a late answer is told in the same words everywhere.
        let response = options.deadline + Duration::from_millis(100);
        let push = |heard: Heard| {
            move |info: PushInfo| {
                heard(info);
                Ok::<(), SendError>(())
            }
        };
        let unusable = |_| if options.ca.is_some() { Refusal::NoCertificate } else { Refusal::NoAddress };
        let wire = if options.cluster {
            let mut builder = ClusterClient::builder(options.urls.iter().map(String::as_str))
                .connection_timeout(CONNECT)
                .response_timeout(response)
                .tcp_settings(at_once())
                .retries(2);
            if let Some(ca) = &options.ca {
                builder = builder.certs(roots(ca));
            }
            if let Some(heard) = heard {
                builder = builder.use_protocol(redis::ProtocolVersion::RESP3).push_sender(push(heard));
            }
            let client = builder.build().map_err(unusable)?;
            Wire::Cluster(Box::new(Cluster { client, open: std::sync::Mutex::default(), making: Mutex::default() }))
        } else {
            let url = options.urls.first().map(String::as_str).unwrap_or_default();
            let mut info = redis::IntoConnectionInfo::into_connection_info(url).map_err(|_| Refusal::NoAddress)?;
            info = info.set_tcp_settings(at_once());
            let mut config = ConnectionManagerConfig::new()
                .set_connection_timeout(Some(CONNECT))
                .set_response_timeout(Some(response))
                .set_number_of_retries(1)
                .set_pipeline_buffer_size(1024);
            if let Some(heard) = heard {
                let redis = info.redis_settings().clone().set_protocol(redis::ProtocolVersion::RESP3);
                info = info.set_redis_settings(redis);
                config = config.set_push_sender(push(heard)).set_automatic_resubscription();
            }
            let client = match &options.ca {
                Some(ca) => Client::build_with_tls(info, roots(ca)),
                None => Client::open(info),
            };
            let client = client.map_err(unusable)?;
            Wire::Server(Box::new(Single::new(client, config).map_err(|error| failure(&error))?))
        };
        Ok(Self { wire, deadline: options.deadline, failing: std::sync::Mutex::default() })
    }

    /// Sends a command and reads its answer.
    pub(crate) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        let value = self.send(command).await.map_err(|error| failure(&error))?;
        redis::from_redis_value(value).map_err(|_| unexpected())
    }

    /// The same; none where the server does not let this user ask that.
    pub(crate) async fn ask_if_allowed(&self, command: &Cmd) -> Result<Option<Value>, StoreError> {
        match self.send(command).await {
            Ok(value) => Ok(Some(value)),
            Err(error) if is_forbidden(&error) => Ok(None),
            Err(error) => Err(failure(&error)),
        }
    }

    /// Sends commands one right after the other, on one connection to one server.
    pub(crate) async fn ask_together<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, StoreError> {
        let answer = async {
            match &self.wire {
                Wire::Server(single) => commands.query_async(&mut single.manager()).await,
                Wire::Cluster(cluster) => commands.query_async(&mut cluster.connection().await?).await,
            }
        };
        self.in_time(answer).await.map_err(|error| failure(&error))
    }

    /// The end of a call, or of its time.
    async fn in_time<T>(&self, answer: impl Future<Output = Result<T, RedisError>>) -> Result<T, RedisError> {
        let answer = tokio::time::timeout(self.deadline, answer).await.unwrap_or_else(|_| Err(late()));
        if self.is_hopeless(answer.is_ok()) {
            match &self.wire {
                Wire::Server(single) => single.make_again(),
                Wire::Cluster(cluster) => cluster.make_again(),
            }
        }
        answer
    }

    /// Notes how a call ended: whether the connection is to be given up, since it gives nothing but errors.
    fn is_hopeless(&self, well: bool) -> bool {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let hopeless = !well && failing.get_or_insert_with(Instant::now).elapsed() > HOPELESS;
        if well || hopeless {
            *failing = None;
        }
        hopeless
    }

    /// Runs a script.
    pub(crate) async fn run<T: FromRedisValue>(&self, call: &Call) -> Result<T, StoreError> {
        let value = match self.send(&call.by_name()).await {
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                self.send(&call.in_full()).await
            }
            sent => sent,
        };
        let value = value.map_err(|error| {
            let failure = failure(&error);
            tracing::debug!(script = call.name(), error = %failure, "a script did not end");
            failure
        })?;
        redis::from_redis_value(value).map_err(|_| unexpected())
    }

    /// Subscribes to channels. Told again after a connection broke, it subscribes again where that was not done by itself.
    pub(crate) async fn subscribe(&self, channels: &[String]) -> Result<(), StoreError> {
        let subscribe = async {
            match &self.wire {
                Wire::Server(single) => single.manager().subscribe(channels).await,
                Wire::Cluster(cluster) => cluster.connection().await?.subscribe(channels).await,
            }
        };
        self.in_time(subscribe).await.map_err(|error| failure(&error))
    }

    async fn send(&self, command: &Cmd) -> Result<Value, RedisError> {
        let answer = async {
            match &self.wire {
                Wire::Server(single) => match single.manager().req_packed_command(command).await {
                    // It was cut while nothing was asked, or lost an answer: whatever is asked may be asked twice.
                    Err(error) if error.is_connection_dropped() => single.manager().req_packed_command(command).await,
                    answer => answer,
                },
                Wire::Cluster(cluster) => cluster.connection().await?.req_packed_command(command).await,
            }
        };
        self.in_time(answer).await.and_then(Value::extract_error)
    }

    pub(crate) fn is_cluster(&self) -> bool {
        matches!(self.wire, Wire::Cluster(_))
    }
}

/// Runs futures side by side and gives what they give, in order.
pub(crate) async fn all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|cx| {
        for (future, output) in &mut running {
            if output.is_none()
                && let std::task::Poll::Ready(ready) = future.as_mut().poll(cx)
            {
                *output = Some(ready);
            }
        }
        let done = running.iter().all(|(_, output)| output.is_some());
        if done { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
}

/// The same where each may fail: the first error, or all that they give.
pub(crate) async fn try_all<T, F>(futures: impl IntoIterator<Item = F>) -> Result<Vec<T>, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    all(futures).await.into_iter().collect()
}

fn late() -> RedisError {
    std::io::Error::new(std::io::ErrorKind::TimedOut, "no answer in time").into()
}

fn roots(ca: &[u8]) -> redis::TlsCertificates {
    redis::TlsCertificates { client_tls: None, root_cert: Some(ca.to_vec()) }
}
