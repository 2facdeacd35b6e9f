//! Updates that come by webhook, and forged ones.

use std::net::SocketAddr;

use formwright_chat::HostError;
use formwright_fakes::telegram::{TelegramFake, post};
use formwright_telegram::{TelegramSettings, Transport, Webhook};
use serde_json::json;

use crate::bench::{Bench, SECRET, pizzas, said};

/// A bench whose updates come by webhook, and where it listens.
async fn hooked() -> (Bench, SocketAddr) {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listen = free.local_addr().unwrap();
    drop(free);
    let fake = TelegramFake::start().await;
    fake.leads("https://forms.example", &format!("http://{listen}"));
    let webhook =
        Webhook { listen, public_url: "https://forms.example/telegram".to_owned(), secret: SECRET.to_owned() };
    let settings = TelegramSettings { transport: Transport::Webhook, webhook, ..TelegramSettings::default() };
    let bench = Bench::start_over(fake, settings).await;
    (bench, listen)
}

#[tokio::test]
async fn by_webhook_nothing_is_lost_either() {
    let (bench, _) = hooked().await;
    let broken = || HostError::Unavailable("the disk is full".to_owned());
    bench.host.refuse(vec![broken(), broken()]);
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.fake.takes_everything().await;
    bench.fake.redelivers();
    ada.writes("two").await;
    assert_eq!(said(&bench.event(3).await), "two");
    assert_eq!(bench.fake.refusals_but(&["query is too old"]), Vec::<String>::new());
}

#[tokio::test]
async fn forged_updates_are_not_taken() {
    let (bench, listen) = hooked().await;
    bench.meets("Ada").await;
    let update = json!({"update_id": 1, "message": {
        "message_id": 1, "date": 1, "text": "forged", "from": {"id": 7, "is_bot": false, "first_name": "Eve"},
        "chat": {"id": 7, "type": "private", "first_name": "Eve"},
    }})
    .to_string();
    let url = format!("http://{listen}/telegram");
    let header = "X-Telegram-Bot-Api-Secret-Token";
    let prefix = &SECRET[..SECRET.len() - 1];
    let longer = format!("{SECRET}x");
    let upper = SECRET.to_uppercase();
    let long = "x".repeat(257);
    let wrong: [&[(&str, &str)]; 9] = [
        &[],
        &[(header, "")],
        &[(header, "wrong")],
        &[(header, prefix)],
        &[(header, &longer)],
        &[(header, &upper)],
        &[(header, &long)],
        &[(header, SECRET), (header, SECRET)],
        &[("Authorization", SECRET)],
    ];
    for headers in wrong {
        assert_eq!(post(&url, headers, update.as_bytes()).await, Ok(401), "{headers:?}");
    }
    let right = [(header, SECRET)];
    assert_eq!(post(&format!("http://{listen}/other"), &right, update.as_bytes()).await, Ok(404));
    assert_eq!(post(&url, &right, b"{").await, Ok(400));
    // What is too large is not read to its end: the answer may be lost with the connection.
    assert_ne!(post(&url, &right, &vec![b' '; 2 * 1024 * 1024]).await, Ok(200));
    assert_eq!(bench.host.events().len(), 1);
    assert_eq!(post(&url, &right, update.as_bytes()).await, Ok(200));
    assert_eq!(said(&bench.event(2).await), "forged");
}
