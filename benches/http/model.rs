//! Many conversations at once whose every turn waits for a slow language model.

use std::io;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::caller::Caller;
use super::print_turns;
use super::program::Program;
use super::server::Server;

const SESSIONS: usize = 500;
const TURNS: usize = 10;
/// How long the model thinks.
const THINKS: Duration = Duration::from_millis(800);
/// Nothing that code could read.
const UNCLEAR: &str = "hm, let me think about that for a moment";

/// Turns that each need the model, in all conversations at once, with two programs at one Redis.
pub(crate) async fn turns() -> io::Result<()> {
    let Some(redis) = Server::start() else { return Ok(()) };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let model = format!("http://{}/v1", listener.local_addr()?);
    let server = tokio::spawn(serve(listener));
    let settings = [
        ("FORMWRIGHT__REDIS__URL", redis.url.as_str()),
        ("FORMWRIGHT__MODEL__BASE_URL", &model),
        ("FORMWRIGHT__MODEL__PER_PERSON", "100000"),
        ("FORMWRIGHT__MODEL__PER_MINUTE", "1000000"),
    ];
    let programs = [Program::start(&settings).await?, Program::start(&settings).await?];
    tokio::time::sleep(Duration::from_secs(3)).await;
    let addresses = programs.iter().map(|program| program.address.clone()).cycle();
    let before = programs[0].busy()? + programs[1].busy()?;
    let start = Instant::now();
    let callers: Vec<_> = addresses.take(SESSIONS).map(|address| tokio::spawn(talk(address))).collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await??);
    }
    let took = start.elapsed();
    print_turns("model", times, took, programs[0].busy()? + programs[1].busy()? - before);
    for program in &programs {
        println!("| model | resident memory of a replica | {:.0} MB |", program.resident()?);
    }
    server.abort();
    Ok(())
}

async fn talk(address: String) -> io::Result<Vec<Duration>> {
    let mut caller = Caller::connect(&address).await?;
    let conversation = caller.begin("pizza-order").await?;
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let began = Instant::now();
        caller.say(&conversation, UNCLEAR).await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// A model that finds nothing in any message, and takes its time.
async fn serve(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(async move {
            let _ = answer(stream).await;
        });
    }
}

async fn answer(mut stream: TcpStream) -> io::Result<()> {
    let content = r#"{\"intent\":\"fill\",\"updates\":[]}"#;
    let body = format!(
        r#"{{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{{"index":0,"finish_reason":"stop","message":{{"role":"assistant","content":"{content}"}}}}],"usage":{{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}}}"#
    );
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        loop {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
            let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            if bytes.len() >= end + 4 + length.and_then(|length| length.trim().parse::<usize>().ok()).unwrap_or(0) {
                break;
            }
        }
        tokio::time::sleep(THINKS).await;
        let length = body.len();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
    }
}
