//! What a store refuses to do without a key.

/// Which key is missing, and the setting to look at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongKey {
    /// A record is sealed with a key that is not set.
    #[error("{record}: it is sealed with a key that is not set, named {key}")]
    Record {
        /// Which sort of record.
        record: String,
        /// The key's name.
        key: String,
    },
    /// A key is set, and records are left that are not sealed.
    #[error(
        "data.key is set, and what is kept here is not all sealed: set data.read_unsealed = true until the log says that \
         all of it is, or unset data.key"
    )]
    Unsealed,
    /// Records are sealed, and no key is set.
    #[error("what is kept here is sealed with a key, named {key}, and data.key is not set")]
    NoneSet {
        /// The key's name.
        key: String,
    },
    /// Records are sealed with a key that is not among those that are set.
    #[error(
        "what is kept here is sealed with the key named {key}, and data.key and data.old_keys are others, named {set}: \
         put it into data.old_keys"
    )]
    OthersSet {
        /// The key's name.
        key: String,
        /// The names of those that are set.
        set: String,
    },
}

/// Which setting is wrong, and what to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A newer program has made the database file.
    #[error("the store has version {found}, this program knows {known}: use a newer program")]
    Newer {
        /// The file's version.
        found: u16,
        /// The newest that is known here.
        known: u16,
    },
    /// A name cannot be used in keys.
    #[error("redis.{setting}: {name:?} may have letters, digits, `-`, `_` and `.` only")]
    Name {
        /// The setting.
        setting: &'static str,
        /// What it is set to.
        name: String,
    },
    /// The address of Redis cannot be read. It may hold a password, and is not shown.
    #[error(
        "redis.url (or FORMWRIGHT__REDIS__URL): it is no address like redis://user:password@host:6379/0, or rediss:// \
         with TLS"
    )]
    NoAddress,
    /// The file of authorities has no certificates.
    #[error("redis.ca: its file has no certificates, or redis.url is no rediss:// address")]
    NoCertificate,
    /// The user or the password is wrong.
    #[error("redis.url: Redis refuses the user or the password")]
    Credentials,
    /// The user lacks rights.
    #[error("redis.url: this user of Redis may not do what is needed: deploy/README.md has the rights to give")]
    Rights,
    /// The user lacks the rights to these commands.
    #[error("redis.url: this user of Redis may not run {commands}: deploy/README.md has the rights to give")]
    Commands {
        /// The commands.
        commands: String,
    },
    /// It is a cluster, and a server was expected.
    #[error("redis.cluster: this Redis is a cluster: set it to true")]
    Cluster,
    /// It is a server, and a cluster was expected.
    #[error("redis.cluster: this Redis is no cluster: set it to false")]
    NoCluster,
    /// The database number is out of range.
    #[error("redis.url: this Redis has no database of the number at the end")]
    NoDatabase,
    /// A password is given where there is none.
    #[error("redis.url: it has a password, and this Redis wants none")]
    NoPassword,
    /// Its certificate is not accepted.
    #[error(
        "redis.ca: the certificate of Redis is not accepted ({why}): name the file with the certificate of its authority"
    )]
    Certificate {
        /// What checks it calls it.
        why: String,
    },
    /// It does not speak TLS.
    #[error("redis.url: Redis does not speak TLS there: write redis:// instead of rediss://")]
    NoTls,
    /// It does not speak TLS at this port.
    #[error(
        "redis.url: the TLS handshake gets no answer in TLS: Redis does not speak TLS at this port. Write redis:// \
         instead of rediss://, or name its port for TLS"
    )]
    NoTlsAtPort,
    /// It speaks TLS at this port.
    #[error("redis.url: Redis speaks TLS at this port: write rediss:// instead of redis://")]
    Tls,
}
