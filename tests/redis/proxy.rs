//! A proxy of our own between a program and its Redis: it can be slow, forget answers, cut, swallow and garble.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What is wrong with the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing.
    None,
    /// Everything comes so much later.
    Latency(Duration),
    /// What is asked arrives, what is answered does not. The connection ends with the fault.
    DropReplies,
    /// Connections are cut, and new ones too.
    Reset,
    /// Nothing comes through either way, and nobody is told.
    Blackhole,
    /// Everything comes byte by byte.
    Slice,
    /// Answers are followed by bytes that are none, and then the connection is cut.
    Garbage,
}

/// A proxy on a free port.
pub(super) struct Proxy {
    port: u16,
    /// The server's port.
    server: Arc<AtomicU16>,
    fault: watch::Sender<Fault>,
}

impl Proxy {
    /// A proxy before a server on this machine.
    pub(super) async fn before(server: u16) -> Self {
        let server = Arc::new(AtomicU16::new(server));
        let behind = Arc::clone(&server);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (fault, seen) = watch::channel(Fault::None);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, behind.load(Ordering::Relaxed), seen.clone()));
            }
        });
        Self { port, server, fault }
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(super) fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }

    /// Leads new connections to another server, and cuts those there are.
    pub(super) async fn move_to(&self, server: u16) {
        self.server.store(server, Ordering::Relaxed);
        self.during(Fault::Reset, Duration::from_millis(100)).await;
    }

    /// The fault, for so long.
    pub(super) async fn during(&self, fault: Fault, time: Duration) {
        self.set(fault);
        tokio::time::sleep(time).await;
        self.set(Fault::None);
    }
}

async fn carry(client: TcpStream, server: u16, mut fault: watch::Receiver<Fault>) {
    let _ = client.set_nodelay(true);
    // A line that is dead now may be alive later.
    if fault.wait_for(|fault| *fault != Fault::Blackhole).await.is_err() || *fault.borrow() == Fault::Reset {
        return cut(&client);
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else { return cut(&client) };
    let _ = server.set_nodelay(true);
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // Whichever direction ends first ends the connection.
    tokio::select! {
        () = pump(from_client, to_server, fault.clone(), false) => {}
        () = pump(from_server, to_client, fault, true) => {}
    }
}

/// Ends a connection without a farewell.
fn cut(client: &TcpStream) {
    #[expect(deprecated, reason = "a reset is what is wanted, and dropping does not wait")]
    let _ = client.set_linger(Some(Duration::ZERO));
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut fault: watch::Receiver<Fault>, replies: bool) {
    let mut chunk = vec![0; 16 * 1024];
    let mut forgot = false;
    loop {
        let now = *fault.borrow_and_update();
        if now == Fault::Reset || (forgot && now != Fault::DropReplies) {
            return;
        }
        if now == Fault::Blackhole {
            if fault.changed().await.is_err() {
                return;
            }
            continue;
        }
        let read = tokio::select! {
            read = from.read(&mut chunk) => read,
            changed = fault.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return,
            },
        };
        let Ok(size @ 1..) = read else { return };
        let bytes = &chunk[..size];
        let written = match now {
            Fault::DropReplies if replies => {
                forgot = true;
                Ok(())
            }
            Fault::Garbage if replies => {
                let _ = to.write_all(b"\x00?what is this\r\n").await;
                return;
            }
            Fault::Latency(time) => {
                tokio::time::sleep(time).await;
                to.write_all(bytes).await
            }
            Fault::Slice => slice(&mut to, bytes).await,
            Fault::None | Fault::DropReplies | Fault::Reset | Fault::Blackhole | Fault::Garbage => {
                to.write_all(bytes).await
            }
        };
        if written.is_err() {
            return;
        }
    }
}

async fn slice(to: &mut OwnedWriteHalf, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes.chunks(1) {
        to.write_all(byte).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Answers with what it is told, and what a proxy makes of that.
#[tokio::test]
async fn a_proxy_does_what_it_is_told() {
    let echo = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = echo.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = echo.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                let _ = tokio::io::copy(&mut from, &mut to).await;
            });
        }
    });
    let proxy = Arc::new(Proxy::before(port).await);
    let ask = async |patience: u64| {
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.ok()?;
        stream.write_all(b"hello").await.ok()?;
        let mut answer = [0; 5];
        let read = tokio::time::timeout(Duration::from_millis(patience), stream.read_exact(&mut answer)).await;
        read.ok()?.ok()?;
        Some(answer)
    };
    for fault in [Fault::None, Fault::Slice, Fault::Latency(Duration::from_millis(50))] {
        proxy.set(fault);
        assert_eq!(ask(20_000).await.as_ref().map(|answer| &answer[..]), Some(&b"hello"[..]), "{fault:?}");
    }
    for fault in [Fault::DropReplies, Fault::Reset, Fault::Blackhole] {
        proxy.set(fault);
        assert_eq!(ask(300).await, None, "{fault:?}");
    }
    proxy.set(Fault::Garbage);
    assert_ne!(ask(300).await.as_ref(), Some(b"hello"));
    proxy.set(Fault::None);
    assert_eq!(ask(20_000).await.as_ref(), Some(b"hello"));
}
