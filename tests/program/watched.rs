//! Stands between the program and a client that is not ours, and holds every answer against the API's description.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::net::TcpListener;

use super::Server;

/// What has passed.
#[derive(Default)]
pub(crate) struct Passed {
    /// How many answers are as they are described.
    pub(crate) right: usize,
    /// What is wrong with the others.
    pub(crate) wrong: Vec<String>,
}

impl Server {
    /// An address at which the program is asked through this; ends with the test.
    pub(crate) async fn watched(&self) -> (String, Arc<Mutex<Passed>>) {
        let passed = Arc::new(Mutex::new(Passed::default()));
        let watch = Watch { client: self.client.clone(), address: self.address.clone(), passed: Arc::clone(&passed) };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let router = Router::new().fallback(pass).with_state(watch);
        tokio::spawn(async move { axum::serve(listener, router).await });
        (address, passed)
    }
}

#[derive(Clone)]
struct Watch {
    client: reqwest::Client,
    address: String,
    passed: Arc<Mutex<Passed>>,
}

async fn pass(State(Watch { client, address, passed }): State<Watch>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("", |path| path.as_str().trim_start_matches('/'));
    let mut asked = client.request(parts.method.clone(), format!("{address}{path}"));
    for name in ["cookie", "content-type"] {
        asked = parts.headers.get(name).into_iter().fold(asked, |asked, value| asked.header(name, value));
    }
    let answer = asked.body(to_bytes(body, usize::MAX).await.unwrap()).send().await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.bytes().await.unwrap();
    let described = super::server::described(&client, &address).await;
    match described.wrong_with(parts.method.as_str(), &format!("/{path}"), status.as_u16(), &body) {
        None => passed.lock().unwrap().right += 1,
        Some(wrong) => passed.lock().unwrap().wrong.push(wrong),
    }
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().extend(
        headers
            .into_iter()
            .filter(|(name, _)| name.as_ref().is_some_and(|name| *name == "set-cookie" || *name == "content-type")),
    );
    response
}
