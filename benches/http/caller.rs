//! One kept connection that speaks as little HTTP as will do.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) struct Caller {
    stream: TcpStream,
    cookie: Option<String>,
    host: String,
}

impl Caller {
    pub(crate) async fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, cookie: None, host: address.to_owned() })
    }

    /// Begins a conversation as somebody new; gives its id.
    pub(crate) async fn begin(&mut self, form: &str) -> io::Result<String> {
        self.cookie = None;
        let opened = self.post(&format!(r#"{{"form":"{form}"}}"#)).await?;
        Ok(text_after(&opened, r#""conversation_id":""#).to_owned())
    }

    /// Says something in a conversation; gives the answer.
    pub(crate) async fn say(&mut self, conversation: &str, words: &str) -> io::Result<String> {
        self.post(&format!(r#"{{"conversation_id":"{conversation}","user_message":"{words}"}}"#)).await
    }

    /// Whether the program answers.
    pub(crate) async fn is_well(&mut self) -> bool {
        self.send("GET", "/api/health", "").await.is_ok_and(|(status, _)| status == 200)
    }

    /// Asks for something that has to be there.
    pub(crate) async fn get(&mut self, path: &str) -> io::Result<()> {
        match self.send("GET", path, "").await? {
            (200, _) => Ok(()),
            (status, text) => Err(io::Error::other(format!("{status}: {text}"))),
        }
    }

    async fn post(&mut self, body: &str) -> io::Result<String> {
        match self.send("POST", "/api/chat", body).await? {
            (200, text) => Ok(text),
            (status, text) => Err(io::Error::other(format!("{status}: {text}"))),
        }
    }

    async fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let cookie = self.cookie.as_ref().map(|cookie| format!("cookie: {cookie}\r\n")).unwrap_or_default();
        let (host, length) = (&self.host, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{cookie}content-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut bytes = Vec::with_capacity(8 * 1024);
        loop {
            if self.stream.read_buf(&mut bytes).await? == 0 {
                return Err(io::Error::other("the connection was closed"));
            }
            let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length: usize = header(&head, "content-length").parse().unwrap_or_default();
            if bytes.len() < end + 4 + length {
                bytes.reserve(end + 4 + length - bytes.len());
                while bytes.len() < end + 4 + length {
                    self.stream.read_buf(&mut bytes).await?;
                }
            }
            let set = header(&head, "set-cookie");
            if !set.is_empty() {
                self.cookie = set.split(';').next().map(str::to_owned);
            }
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
            return Ok((status, String::from_utf8_lossy(&bytes[end + 4..]).into_owned()));
        }
    }
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let named = |line: &'a str| line.split_once(':').filter(|(key, _)| key.eq_ignore_ascii_case(name));
    head.lines().find_map(named).map_or("", |(_, value)| value.trim())
}

fn text_after<'a>(text: &'a str, mark: &str) -> &'a str {
    let rest = text.split_once(mark).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}
