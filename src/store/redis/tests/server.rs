//! Redis servers of the tests' own, on free ports, that end with the tests whatever happens.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// For one that is to be killed: it answers only what is written. With `everysec` it answers first, for up to two seconds,
/// while its disk lags (`flushAppendOnlyFile` in Redis 7).
pub(super) const WRITES_FIRST: [&str; 2] = ["--appendfsync", "always"];

/// The program that is the server: another one, such as Valkey's, where `FORMWRIGHT_REDIS_SERVER` names it.
fn program() -> String {
    std::env::var("FORMWRIGHT_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned())
}

/// Whether the server's program is here. Where tests must not be left out (`CI`), it is an error that it is not.
pub(crate) fn at_hand() -> bool {
    let program = program();
    let found = Command::new(&program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        let required = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!required, "there is no {program}, and the tests of the Redis store must not be left out");
        // Where nobody reads along, nobody needs to know.
        let _ = writeln!(std::io::stdout(), "there is no {program}: a test of the Redis store is left out");
    }
    found
}

/// What the server's program says that it is: `Redis 7.0.15`, `Valkey 8.0.1`.
pub(super) fn named() -> String {
    let said = Command::new(program()).arg("--version").output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    let version = said.split_whitespace().find_map(|word| word.strip_prefix("v=")).unwrap();
    format!("{} {version}", said.split_whitespace().next().unwrap())
}

/// A running server.
pub(super) struct Server {
    pub(super) port: u16,
    pub(super) bus: u16,
    more: Vec<String>,
    directory: TempDir,
    guard: Option<Child>,
    pid: u32,
    /// Nobody drops it: the guard removes its files.
    shared: bool,
}

/// What [`Server::watch`] writes down.
pub(super) struct Watched {
    lines: Lines<BufReader<TcpStream>>,
}

impl Watched {
    /// The commands until now.
    pub(super) fn until_now(self, server: &Server) -> Vec<String> {
        server.ask::<String>(redis::cmd("ECHO").arg("that is all").to_owned()).unwrap();
        self.lines.map_while(Result::ok).take_while(|line| !line.contains("that is all")).collect()
    }
}

impl Server {
    /// A server that writes what it is told to a log.
    pub(super) fn start(more: &[&str]) -> Self {
        let mut server = Self::prepare(more);
        server.run();
        server
    }

    /// A server that is never dropped.
    pub(super) fn shared() -> Self {
        let mut server = Self::prepare(&[]);
        server.shared = true;
        server.run();
        server
    }

    /// A server that does not run yet.
    pub(super) fn prepare(more: &[&str]) -> Self {
        let [port, bus] = free_ports();
        let more = more.iter().map(|&word| word.to_owned()).collect();
        Self { port, bus, more, directory: tempfile::tempdir().unwrap(), guard: None, pid: 0, shared: false }
    }

    pub(super) fn run(&mut self) {
        // The shell reads from us until we are gone, and then takes the server with it.
        // A file that may not grow is an error, as on a full disk, not the end.
        const GUARD: &str = r#"trap '' XFSZ; "$SERVER" "$@" >/dev/null 2>&1 & echo $!; cat >/dev/null; kill -9 $! 2>/dev/null; ${WIPE:+rm -rf "$WIPE"}"#;
        let port = self.port.to_string();
        let fixed = ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir"];
        let mut command = Command::new("sh");
        command.args(["-c", GUARD, "sh"]).args(fixed).arg(self.directory.path()).args(&self.more);
        command.env("SERVER", program());
        if self.shared {
            command.env("WIPE", self.directory.path());
        }
        let mut guard = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut told = String::new();
        BufReader::new(guard.stdout.take().unwrap()).read_line(&mut told).unwrap();
        self.pid = told.trim().parse().unwrap();
        self.guard = Some(guard);
        let until = Instant::now() + Duration::from_secs(20);
        while self.ask::<String>(redis::cmd("PING")).is_none() {
            assert!(Instant::now() < until, "the server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends the server as a power switch would, but for what the system has not written yet.
    pub(super) fn kill(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            drop(guard.stdin.take());
            let _ = guard.wait();
        }
    }

    /// Stops the server in whatever it is doing.
    pub(super) fn freeze(&self) {
        signal("-STOP", self.pid);
    }

    /// Lets a server that was stopped go on.
    pub(super) fn thaw(&self) {
        signal("-CONT", self.pid);
    }

    /// Writes down every command that the server runs from now on, those of scripts too.
    pub(super) fn watch(&self) -> Watched {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(b"MONITOR\r\n").unwrap();
        let mut lines = BufReader::new(stream).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "+OK");
        Watched { lines }
    }

    /// A line of `INFO`.
    pub(super) fn info(&self, name: &str) -> String {
        let text: String = self.ask(redis::cmd("INFO")).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::to_owned));
        line.unwrap_or_else(|| panic!("there is no {name}"))
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Asks behind the store's back; none where the server is not there.
    pub(super) fn ask<T: redis::FromRedisValue>(&self, command: redis::Cmd) -> Option<T> {
        let client = redis::Client::open(self.url()).unwrap();
        let mut connection = client.get_connection_with_timeout(Duration::from_secs(5)).ok()?;
        command.query(&mut connection).ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to one process of ours.
fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").arg(name).arg(pid.to_string()).status().unwrap().success());
}

fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// Three servers that share the slots among them.
pub(super) struct Cluster {
    pub(super) servers: Vec<Server>,
}

impl Cluster {
    /// A server that may be one of a cluster, and is alone.
    pub(super) fn server() -> Server {
        let mut server = Server::prepare(&["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"]);
        server.shared = true;
        server.more.extend(["--cluster-port".to_owned(), server.bus.to_string()]);
        server.run();
        server
    }

    pub(super) fn start() -> Self {
        const SLOTS: [(u16, u16); 3] = [(0, 5_460), (5_461, 10_922), (10_923, 16_383)];
        let servers: Vec<Server> = (0..3).map(|_| Self::server()).collect();
        let cluster = || redis::cmd("CLUSTER");
        for (server, (first, last)) in servers.iter().zip(SLOTS) {
            let slots = cluster().arg("ADDSLOTSRANGE").arg(first).arg(last).to_owned();
            assert!(server.ask::<String>(slots).is_some());
            let (first, other) = (&servers[0], server);
            let meet = cluster().arg("MEET").arg("127.0.0.1").arg(other.port).arg(other.bus).to_owned();
            assert!(first.ask::<String>(meet).is_some());
        }
        let until = Instant::now() + Duration::from_secs(30);
        let whole = |server: &Server| {
            let info: String = server.ask(cluster().arg("INFO").to_owned()).unwrap_or_default();
            info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
        };
        while !servers.iter().all(whole) {
            assert!(Instant::now() < until, "the cluster does not come together");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { servers }
    }
}
