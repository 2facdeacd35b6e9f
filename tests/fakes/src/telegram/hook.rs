//! Brings updates to the bot's webhook, one after the other, each again until it is answered by a 2xx.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Shared;

/// How long the bot may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Brings updates for as long as the fake lives.
pub(super) async fn bring(shared: std::sync::Arc<Shared>) {
    let mut news = shared.news();
    loop {
        let next = {
            let world = shared.world();
            if world.closed {
                return;
            }
            let webhook = world.updates.webhook.clone();
            webhook.zip(world.updates.first()).map(|(hook, update)| (hook, update, world.settings.webhook_retry))
        };
        let Some((webhook, update, retry)) = next else {
            if news.changed().await.is_err() {
                return;
            }
            continue;
        };
        let url = shared.world().settings.led(&webhook.url);
        let outcome = tokio::time::timeout(PATIENCE, post(&url, webhook.secret.as_deref(), &update)).await;
        let failure = match outcome {
            Ok(Ok(status)) if (200..300).contains(&status) => None,
            Ok(Ok(status)) => Some(format!("Wrong response from the webhook: {status}")),
            Ok(Err(why)) => Some(why),
            Err(_) => Some("Read timeout expired".to_owned()),
        };
        let failed = failure.is_some();
        {
            let mut world = shared.world();
            let date = world.date();
            match failure {
                None => world.updates.done(&update),
                Some(why) => world.updates.failed(date, why),
            }
        }
        shared.tell();
        if failed {
            tokio::time::sleep(retry).await;
        }
    }
}

async fn post(url: &str, secret: Option<&str>, update: &Value) -> Result<u16, String> {
    let headers: Vec<(&str, &str)> =
        secret.map(|secret| ("X-Telegram-Bot-Api-Secret-Token", secret)).into_iter().collect();
    send(url, &headers, update.to_string().as_bytes()).await
}

/// Posts to a loopback address, as plainly as it goes; gives the status. Also for tests that forge what Telegram sends.
///
/// # Errors
/// A sentence, where nobody answers.
pub async fn send(url: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<u16, String> {
    let mut all = vec![("content-type", "application/json")];
    all.extend(headers);
    exchange("POST", url, &all, body).await.map(|(status, _)| status)
}

/// A request on a connection of its own; gives status and body.
pub(super) async fn exchange(
    verb: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<(u16, Vec<u8>), String> {
    let rest = url.strip_prefix("http://").ok_or("only loopback addresses can be reached: see TelegramFake::leads")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).await.map_err(|error| format!("Connection failed: {error}"))?;
    let mut head =
        format!("{verb} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    head.push_str("\r\n");
    let lost = |error: std::io::Error| format!("Connection lost: {error}");
    stream.write_all(head.as_bytes()).await.map_err(lost)?;
    // Who refuses a body early closes the connection: its answer counts.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer).await;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    match head.split(' ').nth(1).and_then(|status| status.parse().ok()) {
        Some(status) => Ok((status, answer.split_off(end))),
        None => Err(read.map_or_else(lost, |_| "an empty answer".to_owned())),
    }
}
