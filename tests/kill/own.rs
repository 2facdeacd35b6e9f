//! A program of one's own: the product as a library, with a function that forms call and the chat platforms of the test
//! before it. The test runs itself as that program, since the program that is shipped has no functions.

use std::path::Path;
use std::sync::Arc;

use formwright::engine::Engine;
use formwright::form::load::submission_schema;
use formwright::runtime::{Clock, Limits, Parts, Runtime, Tools, fault, forms};
use formwright::store::SqliteStore;
use formwright::submit::Opener;
use formwright_chat as chat;

use crate::platforms::stage::OWN;

/// The lunch, with dishes that a function gives.
pub(crate) const MENU: &str = r#"
schema = 1
id = "lunch"
title = "Lunch"
description = "Order lunch"

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[field]]
id = "dish"
kind = "choice"
ask = "Which dish?"
options_from = { tool = "menu", id = "id", label = "name" }

[[tool]]
id = "menu"
kind = "function"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_program_with_a_function() {
    if std::env::var_os(OWN).is_none() {
        return;
    }
    if let Ok(fault) = std::env::var("FORMWRIGHT_FAULT") {
        fault::arm(&fault).unwrap();
    }
    std::fs::create_dir_all("data").unwrap();
    let set = forms::read(&[Path::new("forms").to_owned()]).unwrap();
    let menu = |_| async { Ok(serde_json::json!([{"id": "soup", "name": "Soup"}, {"id": "fish", "name": "Fish"}])) };
    let adapters = adapters();
    let runtime = Runtime::new(Parts {
        store: Arc::new(SqliteStore::open(Path::new("data/formwright.db")).unwrap()),
        conversation: Arc::new(Engine::new(set.catalog)),
        tools: Tools::new().function("menu", menu),
        model: None,
        opener: Opener::new(Path::new("data/submissions").to_owned()).unwrap(),
        sinks: std::collections::BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: adapters.clone(),
        schema: submission_schema,
        clock: Clock::system(),
        limits: Limits::default(),
    });
    for adapter in adapters {
        tokio::spawn(adapter.run(runtime.host(), Box::pin(std::future::pending())));
    }
    runtime.run(std::future::pending()).await;
}

/// The platforms whose tokens are in the environment.
fn adapters() -> Vec<Arc<dyn chat::Adapter>> {
    let set = |name: &str| std::env::var(format!("FORMWRIGHT__{name}")).ok();
    let mut adapters: Vec<Arc<dyn chat::Adapter>> = Vec::new();
    if let (Some(token), Some(app_token)) = (set("SLACK__TOKEN"), set("SLACK__APP_TOKEN")) {
        let settings = formwright_slack::Settings::new(token, formwright_slack::Transport::Socket { app_token });
        let api_url = set("SLACK__API_URL").unwrap();
        adapters.push(Arc::new(formwright_slack::Slack::new(formwright_slack::Settings { api_url, ..settings })));
    }
    if let Some(token) = set("DISCORD__TOKEN") {
        let token = formwright_discord::Secret::new(token);
        let api_url = set("DISCORD__API_URL").unwrap();
        let settings = formwright_discord::DiscordSettings { token, api_url, ..Default::default() };
        adapters.push(Arc::new(formwright_discord::DiscordAdapter::new(settings).unwrap()));
    }
    if let Some(token) = set("TELEGRAM__TOKEN") {
        let api_url = set("TELEGRAM__API_URL").unwrap();
        let settings = formwright_telegram::TelegramSettings { token, api_url, ..Default::default() };
        adapters.push(Arc::new(formwright_telegram::TelegramAdapter::new(settings).unwrap()));
    }
    adapters
}
