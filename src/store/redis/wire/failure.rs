//! What an error of Redis means to the caller. Its details are left out, since they may repeat what was sent: no value and
//! no password gets into a message or a log.

use std::error::Error;
use std::sync::Arc;

use redis::{ErrorKind, RedisError};

use crate::error::Io;
use crate::{Damage, RedisOutage, Refusal, StoreError};

/// Whether a command is not there for this user: by the rights, or because a provider has taken it away.
pub(crate) fn is_forbidden(error: &RedisError) -> bool {
    error.code() == Some("NOPERM") || error.detail().is_some_and(|detail| detail.contains("unknown command"))
}

/// An answer that no script of ours gives.
pub(crate) fn unexpected() -> StoreError {
    Damage::Unexpected.into()
}

/// The error without its details: they may repeat what was sent.
pub(crate) fn failure(error: &RedisError) -> StoreError {
    if let Some(refusal) = refusal(error) {
        return refusal.into();
    }
    // Nothing of this program's puts such a thing there.
    if error.code() == Some("WRONGTYPE") {
        return Damage::OtherType.into();
    }
    outage(error).into()
}

fn outage(error: &RedisError) -> RedisOutage {
    match error.code() {
        _ if error.is_timeout() => RedisOutage::Late,
        _ if error.is_connection_refusal() => RedisOutage::RefusesConnections,
        _ if error.is_connection_dropped() => RedisOutage::ConnectionBroke,
        Some("OOM") => RedisOutage::NoMemory,
        Some("MISCONF") => RedisOutage::NoDisk,
        Some("NOREPLICAS") => RedisOutage::TooFewReplicas,
        Some("READONLY") => RedisOutage::IsReplica,
        Some("LOADING") => RedisOutage::Loading,
        Some("CLUSTERDOWN") => RedisOutage::ClusterDown,
        // Ours: where a script went wrong, and what was wrong there.
        Some("ERR") if error.detail().is_some_and(|detail| detail.contains("user_script")) => {
            RedisOutage::Script(error.detail().unwrap_or_default().to_owned())
        }
        Some(code) => RedisOutage::Code(code.to_owned()),
        None => RedisOutage::Unreachable { category: error.category().to_owned(), source: system(error) },
    }
}

/// What the system says, by its kind: its words may be those of whatever answers at the address.
fn system(error: &RedisError) -> Option<Io> {
    let source: &Arc<dyn Error + Send + Sync> = error.source()?.downcast_ref()?;
    source.downcast_ref().map(|error: &std::io::Error| Io(error.kind()))
}

/// Why a server that answers will never take what is asked as long as a setting stays as it is.
fn refusal(error: &RedisError) -> Option<Refusal> {
    let detail = error.detail().unwrap_or_default();
    Some(match error.code() {
        Some("NOAUTH" | "WRONGPASS") => Refusal::Credentials,
        Some("NOPERM") => Refusal::Rights,
        Some("MOVED") => Refusal::Cluster,
        Some("ERR") if detail.contains("cluster support disabled") => Refusal::NoCluster,
        Some("ERR") if detail.contains("DB index") || detail.contains("SELECT is not allowed") => Refusal::NoDatabase,
        Some("ERR") if detail.contains("without any password configured") => Refusal::NoPassword,
        _ if error.kind() == ErrorKind::AuthenticationFailed => Refusal::Credentials,
        _ => return untrusted(&error.to_string()),
    })
}

/// What is wrong with a server's certificate, or with its not having one, in the words of what checks it.
fn untrusted(words: &str) -> Option<Refusal> {
    if let Some((_, why)) = words.split_once("invalid peer certificate: ") {
        let why = why.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        return Some(Refusal::Certificate { why: why.to_owned() });
    }
    words.contains("InvalidContentType").then_some(Refusal::NoTls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outage;

    #[test]
    fn a_wrong_setting_is_named_and_a_server_that_is_away_is_none() {
        let from = |line: &str| {
            let answer = redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap();
            failure(&answer.extract_error().unwrap_err())
        };
        for (line, named) in [
            ("WRONGPASS invalid username-password pair", "redis.url: "),
            ("NOAUTH Authentication required.", "redis.url: "),
            ("NOPERM User bob has no permissions to run the 'evalsha' command", "redis.url: "),
            ("ERR DB index is out of range", "database"),
            ("ERR This instance has cluster support disabled", "redis.cluster: "),
            ("MOVED 3999 127.0.0.1:6381", "redis.cluster: "),
        ] {
            let error = from(line);
            assert!(matches!(&error, StoreError::Refused(why) if why.to_string().contains(named)), "{line}: {error}");
            assert!(!error.to_string().contains("bob"), "{error}");
        }
        for line in ["LOADING Redis is loading the dataset in memory", "READONLY You can't write", "OOM command"] {
            assert!(matches!(from(line), StoreError::Unavailable(_)), "{line}");
        }
    }

    #[test]
    fn a_certificate_that_is_not_accepted_is_told_as_one() {
        let of = |words: &str| untrusted(words).map(|why| why.to_string()).unwrap_or_default();
        assert!(of("I/O error: invalid peer certificate: UnknownIssuer").starts_with("redis.ca: the certificate"));
        assert!(of("received corrupt message of type InvalidContentType").contains("redis://"));
        assert_eq!(untrusted("connection refused"), None);
    }

    #[test]
    fn nothing_that_was_sent_is_in_an_error_or_its_causes() {
        let sent = "diavola";
        let server = |line: String| {
            redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap().extract_error().unwrap_err()
        };
        let codes =
            ["ERR", "WRONGTYPE", "OOM", "MISCONF", "NOREPLICAS", "READONLY", "LOADING", "CLUSTERDOWN", "NOPERM"];
        let told = codes.map(|code| server(format!("{code} wrong arguments: 'SET' '{sent}'")));
        let io = RedisError::from(std::io::Error::other(sent));
        let own = RedisError::from((ErrorKind::Client, "no reply", sent.to_owned()));
        for error in told.into_iter().chain([io, own]) {
            let error = failure(&error);
            let words = format!("{error:?} {}", formwright_chat::chain(&error));
            assert!(!words.contains(sent), "{words}");
        }
    }

    #[test]
    fn why_redis_cannot_be_reached_is_told_with_its_cause() {
        let error = failure(&std::io::Error::from(std::io::ErrorKind::HostUnreachable).into());
        assert!(matches!(&error, StoreError::Unavailable(Outage::Redis(RedisOutage::Unreachable { .. }))), "{error:?}");
        assert_eq!(
            formwright_chat::chain(&error),
            "store unavailable: Redis cannot be reached: I/O error: host unreachable"
        );
    }
}
