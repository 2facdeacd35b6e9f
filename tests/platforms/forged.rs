//! Requests that no platform has sent: on every way into the real program, forged, altered, replayed, late, doubled, too
//! large, or without a proof. None is taken, and nothing is stored.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use formwright_fakes::discord::Forgery;
use serde_json::{Value, json};

use super::lunch::LUNCH;
use super::stage::{Plan, Platform, Stage};

const SECRET: &str = "a-secret-that-Telegram-shows-us";
const KEY: &str = "a-key-of-a-shop-0123456789abcdef";
/// More than any way in reads.
const TOO_LARGE: usize = 4 * 1024 * 1024;

/// A request, and whether it may be answered as if it were taken: what came before counts no second time.
struct Case {
    name: String,
    url: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    replay: bool,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forged_request_is_taken_or_stored() {
    let ways = Ways::open().await;
    let mut tried = 0;
    let slack = slack_cases(&ways);
    let telegram = telegram_cases(&ways);
    let (web, conversation) = web_cases(&ways).await;
    ways.stage.is_quiet().await;
    let before = ways.stage.stored();
    for case in slack.iter().chain(&telegram).chain(&web) {
        let status = ways.send(case).await;
        let taken = status.is_some_and(|status| (200..300).contains(&status));
        assert!(!taken || case.replay, "{} was taken: {status:?}", case.name);
        assert_eq!(ways.stage.stored(), before, "{} was stored", case.name);
        tried += 1;
    }
    let ada = ways.stage.discord.person("Ada").in_private();
    for forgery in Forgery::all() {
        for status in [ada.forges_press("Soup", forgery).await, ada.forges_command("/lunch", forgery).await] {
            assert!(matches!(status, 400 | 401), "{forgery:?} was taken: {status}");
            tried += 1;
        }
        assert_eq!(ways.stage.stored(), before, "{forgery:?} was stored");
    }
    assert!(tried >= 150, "{tried}");
    // What is genuine counts once, and still does everywhere.
    assert_eq!(ada.replays_command("/lunch", 3).await, [200, 401, 401]);
    for platform in Platform::ALL {
        let ada = ways.stage.alone(platform, "Ada");
        ada.presses("Soup").await;
        ada.sees("Is everything right").await;
    }
    let status = ways.send(&ways.chat("a genuine one", &conversation, "Soup")).await;
    assert_eq!(status, Some(200));
    assert_ne!(ways.stage.stored(), before);
}

/// The program with every way in open, and Ada in the middle of a form on each.
struct Ways {
    stage: Stage,
    slack: SocketAddr,
    telegram: SocketAddr,
    web: SocketAddr,
    client: reqwest::Client,
}

impl Ways {
    async fn open() -> Self {
        let [slack, telegram, discord, web] = [(); 4].map(|()| free());
        let (client, listen) = (formwright::http::client().unwrap(), |at: SocketAddr| at.to_string());
        let settings = vec![
            ("FORMWRIGHT__SLACK__SIGNING_SECRET", formwright_fakes::slack::SIGNING_SECRET.to_owned()),
            ("FORMWRIGHT__SLACK__LISTEN", listen(slack)),
            ("FORMWRIGHT__TELEGRAM__WEBHOOK_URL", "https://forms.example/telegram".to_owned()),
            ("FORMWRIGHT__TELEGRAM__WEBHOOK_SECRET", SECRET.to_owned()),
            ("FORMWRIGHT__TELEGRAM__LISTEN", listen(telegram)),
            ("FORMWRIGHT__DISCORD__TRANSPORT", "both".to_owned()),
            ("FORMWRIGHT__DISCORD__LISTEN", listen(discord)),
            ("FORMWRIGHT__WEB__LISTEN", listen(web)),
            ("FORMWRIGHT__WEB__KEYS__SHOP", "env:SHOP_KEY".to_owned()),
            ("SHOP_KEY", KEY.to_owned()),
        ];
        let stage = Stage::set(Plan { forms: vec![LUNCH.to_owned()], settings, ..Plan::default() }).await;
        stage.telegram.leads("https://forms.example", &format!("http://{telegram}"));
        stage.start(None).await;
        stage.connected().await;
        stage.slack.sets_request_url(&format!("http://{slack}/slack")).await;
        stage.discord.connects_endpoint(&format!("http://{discord}/discord/interactions")).await.unwrap();
        for platform in Platform::ALL {
            let ada = stage.alone(platform, "Ada");
            ada.opens("lunch").await;
            ada.sees("What is your name?").await;
            ada.writes("Ada Lovelace").await;
            ada.sees("Which dish?").await;
        }
        Self { stage, slack, telegram, web, client }
    }

    /// Sends a request; gives the answer's status, none where the connection was closed on it.
    async fn send(&self, case: &Case) -> Option<u16> {
        let mut request = self.client.post(&case.url).body(case.body.clone());
        for (name, value) in &case.headers {
            request = request.header(*name, value);
        }
        request.send().await.ok().map(|response| response.status().as_u16())
    }

    fn chat(&self, name: &str, conversation: &Conversation, said: &str) -> Case {
        let event: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let body = json!({"conversation_id": conversation.id, "user_message": said, "event_id": event});
        Case {
            name: format!("web: {name}"),
            url: format!("http://{}/api/chat", self.web),
            headers: vec![("content-type", "application/json".to_owned()), ("cookie", conversation.cookie.clone())],
            body: body.to_string().into_bytes(),
            replay: false,
        }
    }

    /// Starts a conversation on the web page.
    async fn converse(&self) -> Conversation {
        let begin = json!({"form": "lunch"}).to_string();
        let request = self.client.post(format!("http://{}/api/chat", self.web)).body(begin);
        let response = request.header("content-type", "application/json").send().await.unwrap();
        let cookie = response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        Conversation { id: body["conversation_id"].as_str().unwrap().to_owned(), cookie }
    }
}

struct Conversation {
    id: String,
    cookie: String,
}

fn free() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Events, interactions, menus' searches and commands, each with every false signature.
fn slack_cases(ways: &Ways) -> Vec<Case> {
    let (json, form) = ("application/json", "application/x-www-form-urlencoded");
    let ada = ways.stage.slack.person("Ada").in_private();
    let taken = ways.stage.slack.last_taken().unwrap();
    let message = taken.to_string();
    let (user, channel) = (ada.id(), ada.channel_id());
    let new = json!({"type": "event_callback", "team_id": taken["team_id"], "event_id": "EvFORGED", "event": {
        "type": "message", "channel_type": "im", "channel": channel, "user": user, "text": "Fish", "ts": "1.000001"}});
    let press = json!({"type": "block_actions", "user": {"id": user}, "team": {"id": taken["team_id"]},
        "channel": {"id": channel}, "trigger_id": "1.1", "actions": [{"type": "button", "action_id": "x", "value": "x"}]});
    let search = json!({"type": "block_suggestion", "user": {"id": user}, "team": {"id": taken["team_id"]},
        "channel": {"id": channel}, "action_id": "x", "value": "F"});
    let payload = |payload: &Value| encoded(&[("payload", &payload.to_string())]);
    let command = encoded(&[("command", "/formwright"), ("text", "lunch"), ("user_id", user), ("channel_id", channel)]);
    let routes = [
        ("/slack/events", json, new.to_string()),
        ("/slack/interactions", form, payload(&press)),
        ("/slack/options", form, payload(&search)),
        ("/slack/commands", form, command),
    ];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let mut cases = Vec::new();
    for (path, kind, body) in routes {
        let sign = |at: u64, body: &str| ways.stage.slack.signature(at, body.as_bytes());
        let good = sign(now, &body);
        let bad = |signature: &str| vec![now.to_string(), signature.to_owned()];
        let turned = if good.ends_with('0') { "1" } else { "0" };
        let signed: Vec<(&str, Vec<String>)> = vec![
            ("no signature", vec![now.to_string()]),
            ("an empty signature", bad("")),
            ("a scheme alone", bad("v0=")),
            ("another scheme", bad(&good.replace("v0=", "v1="))),
            ("no scheme", bad(&good[3..])),
            ("capitals", bad(&good.to_uppercase())),
            ("one digit turned", bad(&format!("{}{turned}", &good[..good.len() - 1]))),
            ("a digit less", bad(&good[..good.len() - 1])),
            ("a digit more", bad(&format!("{good}0"))),
            ("the secret itself", bad(formwright_fakes::slack::SIGNING_SECRET)),
            ("zeros", bad(&format!("v0={}", "0".repeat(64)))),
            ("another body's signature", bad(&sign(now, "another"))),
            ("another time's signature", bad(&sign(now - 1, &body))),
            ("two signatures", vec![now.to_string(), good.clone(), good.clone()]),
            ("a false signature before the true one", vec![now.to_string(), sign(now, "x"), good.clone()]),
            ("five minutes late", vec![(now - 310).to_string(), sign(now - 310, &body)]),
            ("a day late", vec![(now - 86_400).to_string(), sign(now - 86_400, &body)]),
            ("ahead of its time", vec![(now + 310).to_string(), sign(now + 310, &body)]),
            ("no time", vec![String::new(), good.clone()]),
            ("a time in words", vec!["now".to_owned(), good.clone()]),
            ("a signed time", vec![format!("+{now}"), good.clone()]),
        ];
        let case = |name: &str, signed: &[String], body: &[u8], replay: bool| {
            let mut headers = vec![("content-type", kind.to_owned())];
            let mut signed = signed.iter();
            headers.extend(signed.next().map(|at| ("x-slack-request-timestamp", at.clone())));
            headers.extend(signed.map(|signature| ("x-slack-signature", signature.clone())));
            let url = format!("http://{}{path}", ways.slack);
            Case { name: format!("{path}: {name}"), url, headers, body: body.to_owned(), replay }
        };
        cases.extend(signed.iter().map(|(name, signed)| case(name, signed, body.as_bytes(), false)));
        cases.push(case("nothing signed", &[], body.as_bytes(), false));
        let signed = [now.to_string(), good.clone()];
        cases.push(case(
            "an altered body",
            &signed,
            body.replace("lunch", "lunc4")
                .replace("Fish", "Soup")
                .replace("\"x\"", "\"y\"")
                .replace("%22x%22", "%22y%22")
                .as_bytes(),
            false,
        ));
        cases.push(case("a longer body", &signed, format!("{body} ").as_bytes(), false));
        cases.push(case("a body cut short", &signed, &body.as_bytes()[..body.len() - 1], false));
        cases.push(case("no body", &signed, b"", false));
        let large = format!("{body}{}", " ".repeat(TOO_LARGE));
        cases.push(case("a body too large", &[now.to_string(), sign(now, &large)], large.as_bytes(), false));
        if kind == json {
            let again = [now.to_string(), sign(now, &message)];
            cases.push(case("a message that was taken already", &again, message.as_bytes(), true));
        }
    }
    cases
}

fn encoded(pairs: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(
                |byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") },
            )
            .collect()
    };
    pairs.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect::<Vec<_>>().join("&")
}

/// Messages and presses, each with every false secret.
fn telegram_cases(ways: &Ways) -> Vec<Case> {
    const HEADER: &str = "x-telegram-bot-api-secret-token";
    let id = ways.stage.telegram.person("Ada").id();
    let ada = json!({"id": id, "is_bot": false, "first_name": "Ada"});
    let chat = json!({"id": id, "type": "private", "first_name": "Ada"});
    let message = json!({"message_id": 900, "date": 1, "text": "Fish", "from": ada, "chat": chat});
    let press = json!({"id": "1", "from": ada, "message": message, "chat_instance": "1", "data": "x"});
    let updates = [
        ("message", json!({"update_id": 900_000, "message": message})),
        ("press", json!({"update_id": 900_001, "callback_query": press})),
    ];
    let taken = ways.stage.telegram.last_taken().unwrap();
    let mut cases = vec![Case {
        name: "telegram: an update that was taken already".to_owned(),
        url: format!("http://{}/telegram", ways.telegram),
        headers: vec![(HEADER, SECRET.to_owned())],
        body: taken.to_string().into_bytes(),
        replay: true,
    }];
    for (what, update) in updates {
        let secrets: Vec<(&str, Vec<(&'static str, String)>)> = vec![
            ("no secret", vec![]),
            ("an empty secret", vec![(HEADER, String::new())]),
            ("another secret", vec![(HEADER, "another".to_owned())]),
            ("a letter less", vec![(HEADER, SECRET[..SECRET.len() - 1].to_owned())]),
            ("a letter more", vec![(HEADER, format!("{SECRET}x"))]),
            ("capitals", vec![(HEADER, SECRET.to_uppercase())]),
            ("a long secret", vec![(HEADER, "x".repeat(300))]),
            ("the secret twice", vec![(HEADER, SECRET.to_owned()), (HEADER, SECRET.to_owned())]),
            ("a false one before the secret", vec![(HEADER, "x".to_owned()), (HEADER, SECRET.to_owned())]),
            ("the secret elsewhere", vec![("authorization", format!("Bearer {SECRET}"))]),
            ("the bot's token", vec![(HEADER, ways.stage.telegram.token().replace(':', "_"))]),
        ];
        let case = |name: &str, path: &str, headers: Vec<(&'static str, String)>, body: Vec<u8>| {
            let url = format!("http://{}{path}", ways.telegram);
            Case { name: format!("telegram, {what}: {name}"), url, headers, body, replay: false }
        };
        let body = || update.to_string().into_bytes();
        cases.extend(secrets.into_iter().map(|(name, headers)| case(name, "/telegram", headers, body())));
        let right = || vec![(HEADER, SECRET.to_owned())];
        cases.push(case("another address", "/other", right(), body()));
        cases.push(case("the secret in the address", &format!("/telegram?secret={SECRET}"), vec![], body()));
        cases.push(case("no JSON", "/telegram", right(), b"{".to_vec()));
        cases.push(case("a body too large", "/telegram", right(), [body(), vec![b' '; TOO_LARGE]].concat()));
    }
    cases
}

/// What the page's API takes: Ada's conversation with proofs that are not hers.
async fn web_cases(ways: &Ways) -> (Vec<Case>, Conversation) {
    let (ada, eve) = (ways.converse().await, ways.converse().await);
    let mut first = ways.chat("name", &ada, "Ada Lovelace");
    assert_eq!(ways.send(&first).await, Some(200));
    first.replay = true;
    let (value, key) = (&ada.cookie, format!("Bearer {KEY}"));
    let turned = |text: &str, at: usize| {
        let letter = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
        format!("{}{letter}{}", &text[..at], &text[at + 1..])
    };
    let of = |id: String, cookie: String| Conversation { id, cookie };
    let end = ada.id.len() - 4;
    let others = [
        ("no cookie", of(ada.id.clone(), String::new())),
        ("another's cookie", of(ada.id.clone(), eve.cookie.clone())),
        ("a cookie with a letter turned", of(ada.id.clone(), turned(value, value.len() - 4))),
        ("a cookie cut short", of(ada.id.clone(), value[..value.len() - 4].to_owned())),
        ("an empty cookie", of(ada.id.clone(), "formwright=".to_owned())),
        ("a cookie of another name", of(ada.id.clone(), value.replace("formwright", "Formwright2"))),
        ("a conversation with its first letter turned", of(turned(&ada.id, 0), value.clone())),
        ("a conversation with its proof turned", of(turned(&ada.id, end), value.clone())),
        ("a conversation cut short", of(ada.id[..end].to_owned(), value.clone())),
        ("a conversation that never was", of("x".repeat(43), value.clone())),
        ("another's conversation", of(eve.id.clone(), value.clone())),
    ];
    let mut cases: Vec<Case> = others.iter().map(|(name, other)| ways.chat(name, other, "Fish")).collect();
    let with: [(&str, &'static str, String); 10] = [
        ("a key of another's conversation", "authorization", key.clone()),
        ("a key that is unknown", "authorization", "Bearer nobody".to_owned()),
        ("a key in capitals", "authorization", format!("Bearer {}", KEY.to_uppercase())),
        ("a key cut short", "authorization", key[..key.len() - 1].to_owned()),
        ("a key of another scheme", "authorization", format!("Basic {KEY}")),
        ("an empty key", "authorization", "Bearer ".to_owned()),
        ("a page of another origin", "origin", "https://evil.example".to_owned()),
        ("a page without an origin", "origin", "null".to_owned()),
        ("a page of another port", "origin", "http://127.0.0.1:1".to_owned()),
        ("another name of this server", "host", "evil.example".to_owned()),
    ];
    cases.extend(with.into_iter().map(|(name, header, value)| {
        let mut case = ways.chat(name, &ada, "Fish");
        case.headers.push((header, value));
        case
    }));
    let change = |name: &str, change: &dyn Fn(&mut Case)| {
        let mut case = ways.chat(name, &ada, "Fish");
        change(&mut case);
        case
    };
    cases.push(change("a plain form's content type", &|case| "text/plain".clone_into(&mut case.headers[0].1)));
    cases.push(change("no content type", &|case| drop(case.headers.remove(0))));
    cases.push(change("no JSON", &|case| case.body.truncate(9)));
    cases.push(change("a body too large", &|case| case.body.extend(vec![b' '; TOO_LARGE])));
    cases.push(change("deep JSON", &|case| case.body = [b"[".repeat(9_000), b"]".repeat(9_000)].concat()));
    let reset = |name: &str, cookie: &str, origin: &str| {
        change(name, &|case| {
            case.url = format!("http://{}/api/sessions/reset", ways.web);
            case.body = json!({"conversation_id": ada.id}).to_string().into_bytes();
            cookie.clone_into(&mut case.headers[1].1);
            case.headers.extend((!origin.is_empty()).then(|| ("origin", origin.to_owned())));
        })
    };
    cases.push(reset("a reset with another's cookie", &eve.cookie, ""));
    cases.push(reset("a reset without a cookie", "", ""));
    cases.push(reset("a reset from another origin", value, "https://evil.example"));
    cases.push(first);
    (cases, ada)
}
