//! A Redis server of a bench's own.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A Redis server that syncs its log each second, as production does; killed when dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
    _data: tempfile::TempDir,
}

impl Server {
    /// Starts one and waits until it listens; none where there is no Redis on this machine, which is told.
    #[expect(clippy::print_stderr, reason = "a bench tells what it leaves out")]
    pub(crate) fn start() -> Option<Self> {
        let server = Self::try_start().inspect_err(|error| eprintln!("Redis is left out: redis-server: {error}"));
        server.ok()
    }

    fn try_start() -> io::Result<Self> {
        let data = tempfile::tempdir()?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let process = Command::new("redis-server")
            .args(["--port", &address.port().to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"])
            .arg("--dir")
            .arg(data.path())
            .stdout(Stdio::null())
            .spawn()?;
        let server = Self { process, url: format!("redis://{address}"), _data: data };
        for _ in 0..500 {
            if TcpStream::connect(address).is_ok() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(io::Error::other("it does not listen"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
