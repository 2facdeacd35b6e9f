//! What strangers may hold: over memory with a clock that is given, and over sockets where addresses matter.

use axum::routing::get;
use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;

const LIMITS: Limits = Limits::new(64, 4);
const ASK: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
/// More than fits into any buffer between here and there.
const LARGE: usize = 1_000_000;

fn router() -> Router {
    Router::new().route("/", get(async || "well")).route("/large", get(async || "x".repeat(LARGE)))
}

/// A connection in memory, with the task that answers it.
fn connected(limits: Limits) -> (DuplexStream, JoinHandle<()>, watch::Sender<bool>) {
    let (client, server) = duplex(1024);
    let (stop, stopped) = watch::channel(false);
    let peer = Peer(IpAddr::from([192, 0, 2, 7]));
    (client, tokio::spawn(connection(server, peer, router(), limits, Silent::default().enter(), stopped)), stop)
}

async fn status(client: &mut (impl AsyncRead + Unpin)) -> String {
    let mut answer = vec![0; 4096];
    let read = client.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).split(' ').nth(1).unwrap_or_default().to_owned()
}

#[rstest]
#[case::silent(b"")]
#[case::half_a_request(b"GET / HTTP/1.1\r\nhost: local")]
#[tokio::test(start_paused = true)]
async fn a_connection_that_asks_nothing_is_ended(#[case] said: &[u8]) {
    let (mut client, served, _stop) = connected(LIMITS);
    let began = Instant::now();
    client.write_all(said).await.unwrap();
    served.await.unwrap();
    assert_eq!(began.elapsed(), LIMITS.first_request);
}

#[tokio::test(start_paused = true)]
async fn a_header_that_drips_is_not_waited_for() {
    let (mut client, served, _stop) = connected(LIMITS);
    let began = Instant::now();
    let drip = async {
        for byte in ASK.iter().cycle() {
            if client.write_all(&[*byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_secs(3)).await;
        }
    };
    tokio::select! {
        served = served => served.unwrap(),
        () = drip => {}
    }
    assert!(began.elapsed() <= LIMITS.first_request + Duration::from_secs(3), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn who_has_asked_may_think_before_asking_again() {
    let (mut client, served, _stop) = connected(LIMITS);
    for _ in 0..3 {
        client.write_all(ASK).await.unwrap();
        assert_eq!(status(&mut client).await, "200");
        tokio::time::sleep(LIMITS.silence.saturating_sub(Duration::from_secs(1))).await;
    }
    let last = Instant::now();
    served.await.unwrap();
    assert_eq!(last.elapsed(), Duration::from_secs(1));
}

#[rstest]
#[case::nothing_is_read(0)]
#[case::a_little_is_read_now_and_then(100)]
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_not_taken_is_given_up(#[case] bytes: usize) {
    let (mut client, served, _stop) = connected(LIMITS);
    client.write_all(b"GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let began = Instant::now();
    let sip = async {
        loop {
            let mut some = vec![0; bytes];
            let _ = client.read_exact(&mut some).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        served = served => served.unwrap(),
        () = sip => {}
    }
    assert_eq!(began.elapsed(), LIMITS.taking);
}

#[tokio::test(start_paused = true)]
async fn http_2_is_not_spoken() {
    let (mut client, served, _stop) = connected(LIMITS);
    let began = Instant::now();
    client.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    served.await.unwrap();
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).await.unwrap();
    assert!(began.elapsed().is_zero() && !answer.starts_with(b"\0\0"), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_lets_the_request_under_way_finish() {
    let (mut client, served, stop) = connected(LIMITS);
    client.write_all(ASK).await.unwrap();
    assert_eq!(status(&mut client).await, "200");
    let began = Instant::now();
    stop.send(true).unwrap();
    served.await.unwrap();
    assert!(began.elapsed().is_zero());
}

/// Serves on this machine; gives the address.
async fn listening(limits: Limits, speaks: Speaks) -> SocketAddr {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(serve(listener, router(), limits, speaks, std::future::pending()));
    SocketAddr::from(([127, 0, 0, 1], port))
}

async fn connect(from: [u8; 4], to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(to).await.unwrap()
}

const STRANGER: [u8; 4] = [127, 0, 0, 2];
const OTHER: [u8; 4] = [127, 0, 0, 3];

#[tokio::test]
async fn one_address_that_holds_too_many_connections_harms_nobody_else() {
    // However slow this machine is.
    let patient = Limits { first_request: Duration::from_secs(3_600), ..LIMITS };
    let address = listening(patient, nobody()).await;
    let mut silent = Vec::new();
    for _ in 0..LIMITS.connections * 2 {
        silent.push(connect(STRANGER, address).await);
    }
    // The last one has been turned away with the reason; so all before it have been looked at.
    let mut told = String::new();
    silent.last_mut().unwrap().read_to_string(&mut told).await.unwrap();
    let (head, body) = told.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 429 ") && head.contains(&format!("content-length: {}", body.len())), "{told}");
    assert!(body.contains("too_many_connections"), "{body}");
    let mut client = connect(OTHER, address).await;
    client.write_all(ASK).await.unwrap();
    assert_eq!(status(&mut client).await, "200");
    // Its first ones are served.
    silent[0].write_all(ASK).await.unwrap();
    assert_eq!(status(&mut silent[0]).await, "200");
    // Where one ends there is room for another.
    drop(silent.remove(0));
    loop {
        let mut again = connect(STRANGER, address).await;
        again.write_all(ASK).await.unwrap();
        if status(&mut again).await == "200" {
            break;
        }
    }
}

#[tokio::test]
async fn where_all_places_are_taken_the_silent_make_room_for_who_asks() {
    let full = Limits { first_request: Duration::from_secs(3_600), ..Limits::new(8, 4) };
    let address = listening(full, nobody()).await;
    let mut held = Vec::new();
    for from in [STRANGER, OTHER] {
        for _ in 0..full.per_address {
            held.push(connect(from, address).await);
        }
    }
    held[0].write_all(ASK).await.unwrap();
    assert_eq!(status(&mut held[0]).await, "200");
    let mut newcomer = connect([127, 0, 0, 4], address).await;
    newcomer.write_all(ASK).await.unwrap();
    assert_eq!(status(&mut newcomer).await, "200");
    // One was enough: the one silent longest. Who has asked before is served on.
    assert_eq!(held[1].read(&mut [0]).await.unwrap(), 0);
    for kept in [0, 2, 7] {
        held[kept].write_all(ASK).await.unwrap();
        assert_eq!(status(&mut held[kept]).await, "200");
    }
}

#[tokio::test]
async fn who_speaks_for_many_is_not_counted_as_one() {
    let address = listening(LIMITS, Arc::new(|address| address == IpAddr::from(STRANGER))).await;
    let mut held = Vec::new();
    for _ in 0..LIMITS.per_address * 2 {
        let mut client = connect(STRANGER, address).await;
        client.write_all(ASK).await.unwrap();
        assert_eq!(status(&mut client).await, "200");
        held.push(client);
    }
}

#[rstest]
#[case("192.0.2.7", "192.0.2.7")]
#[case("::ffff:192.0.2.7", "192.0.2.7")]
#[case("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
fn a_household_is_counted_as_one(#[case] address: &str, #[case] as_one: &str) {
    assert_eq!(counted(address.parse().unwrap()).to_string(), as_one);
}
