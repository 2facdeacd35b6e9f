//! What speaks at the address: a server that is asked with TLS and speaks none, or the other way round, gives no answer that
//! tells so.

use std::time::Duration;

use redis::{ConnectionAddr, IntoConnectionInfo as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Refusal;

/// How long it may take to find out.
const SOON: Duration = Duration::from_millis(500);
/// The beginning of a TLS handshake, with nothing in it: whoever speaks TLS refuses it in TLS.
const EMPTY_HELLO: [u8; 9] = [0x16, 3, 1, 0, 4, 1, 0, 0, 0];
/// What an answer in TLS begins with: an alert, or a handshake.
const TLS: [u8; 2] = [0x15, 0x16];

/// Where a server is, and whether it is to speak TLS.
pub(crate) struct Port {
    host: String,
    no: u16,
    tls: bool,
}

impl Port {
    /// The port of an address; none where it is no address, or none of TCP.
    pub(crate) fn of(url: &str) -> Option<Self> {
        match url.into_connection_info().ok()?.addr() {
            ConnectionAddr::Tcp(host, port) => Some(Self { host: host.clone(), no: *port, tls: false }),
            ConnectionAddr::TcpTls { host, port, .. } => Some(Self { host: host.clone(), no: *port, tls: true }),
            _ => None,
        }
    }

    /// What is wrong with the address, where what answers there speaks otherwise than it says.
    pub(crate) async fn wrong(&self) -> Option<Refusal> {
        let asked: &[u8] = if self.tls { b"PING\r\n" } else { &EMPTY_HELLO };
        let first = tokio::time::timeout(SOON, self.first_byte(asked)).await.ok()?.ok()?;
        match first {
            b'+' | b'-' if self.tls => Some(Refusal::NoTlsAtPort),
            first if !self.tls && TLS.contains(&first) => Some(Refusal::Tls),
            _ => None,
        }
    }

    async fn first_byte(&self, asked: &[u8]) -> std::io::Result<u8> {
        let mut server = TcpStream::connect((self.host.as_str(), self.no)).await?;
        server.write_all(asked).await?;
        server.read_u8().await
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tokio::net::TcpListener;

    use super::*;

    /// A server that answers whatever it is asked with this.
    async fn answering(answer: &'static [u8]) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut asker, _) = listener.accept().await.unwrap();
            asker.read_u8().await.unwrap();
            asker.write_all(answer).await.unwrap();
            asker.shutdown().await.unwrap();
        });
        port
    }

    #[rstest]
    #[case("rediss", b"+PONG\r\n", Some("rediss://"))]
    #[case("rediss", b"-NOAUTH Authentication required.\r\n", Some("rediss://"))]
    #[case("rediss", &[0x15, 3, 3, 0, 2, 2, 50], None)]
    #[case("redis", &[0x15, 3, 3, 0, 2, 2, 50], Some("rediss://"))]
    #[case("redis", b"-ERR unknown command\r\n", None)]
    #[case("redis", b"", None)]
    #[tokio::test]
    async fn a_server_that_speaks_otherwise_than_the_address_says_is_told(
        #[case] scheme: &str,
        #[case] answer: &'static [u8],
        #[case] named: Option<&str>,
    ) {
        let port = answering(answer).await;
        let wrong = Port::of(&format!("{scheme}://:secret@127.0.0.1:{port}/0")).unwrap().wrong().await;
        let wrong = wrong.map(|refusal| refusal.to_string());
        assert_eq!(wrong.is_some(), named.is_some(), "{wrong:?}");
        assert!(wrong.as_ref().is_none_or(|words| named.is_some_and(|named| words.contains(named))), "{wrong:?}");
    }
}
