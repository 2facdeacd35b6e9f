use super::*;

/// A platform that knows nobody's time zone.
struct Far;

#[async_trait]
impl chat::Adapter for Far {
    fn platform(&self) -> chat::Platform {
        chat::Platform::new("far")
    }
    fn knows_zones(&self) -> bool {
        false
    }
    async fn run(self: Arc<Self>, _: Arc<dyn chat::Host>, _: chat::Shutdown) -> Result<(), chat::AdapterError> {
        Ok(())
    }
    async fn deliver(&self, _: &chat::Delivery) -> Result<(), chat::DeliveryError> {
        Ok(())
    }
}

const CALL: &str = r#"
id = "call"
title = "Call"
start_examples = ["book a call"]
[[field]]
id = "at"
kind = "datetime"
[[field]]
id = "guests"
kind = "integer"
"#;

fn runtime(store: &Arc<MemoryStore>, directory: &tempfile::TempDir) -> Arc<Runtime> {
    let start = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50);
    Runtime::new(Parts {
        store: Arc::clone(store) as _,
        conversation: Arc::new(Engine::new(of(CALL))),
        model: None,
        tools: Tools::new(),
        opener: Opener::new(directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: vec![Arc::new(Far)],
        schema: |_| serde_json::Value::Null,
        clock: Clock::new(move || start),
        limits: Limits { burst: 100, ..Limits::default() },
    })
}

/// Whether somebody who says this in a channel is asked for their time zone at the end.
async fn is_asked(host: &Arc<dyn chat::Host>, channel: &str, texts: &[&str]) -> bool {
    let mut said = Vec::new();
    for text in texts {
        let mut event = event("far", &format!("{channel}/{text}"), text);
        channel.clone_into(&mut event.place.channel);
        let turn = host.converse(event).await.unwrap();
        said = turn.replies.into_iter().flat_map(|reply| reply.say).collect();
    }
    said.iter().any(|said| said.contains("Which time zone are you in?"))
}

#[tokio::test]
async fn a_zone_that_was_told_is_known_in_other_places_until_the_person_is_forgotten() {
    let (store, directory) = (Arc::new(MemoryStore::default()), tempfile::tempdir().unwrap());
    let host = runtime(&store, &directory).host();
    let asks = ["book a call", "in two hours"];
    assert!(is_asked(&host, "one", &asks).await);
    assert!(!is_asked(&host, "one", &["Rome"]).await);
    assert!(!is_asked(&host, "two", &asks).await, "what was told in one place is known in another");
    store.erase(&chat::Platform::new("far"), &chat::UserId::new("ann"), None).await.unwrap();
    assert!(is_asked(&host, "three", &asks).await, "and forgotten with the person");
}
