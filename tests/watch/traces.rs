//! Spans of a real turn reach a collector, and one that is away is no trouble.

use serde_json::json;

use super::collector::Collector;
use crate::model::program::Program;

fn settings(endpoint: &str) -> Vec<(&'static str, String)> {
    vec![
        ("FORMWRIGHT__TRACES__ENDPOINT", endpoint.to_owned()),
        ("FORMWRIGHT__LOG__LEVEL", "info,formwright::turn=debug".to_owned()),
        ("FORMWRIGHT__LOG__FORMAT", "json".to_owned()),
        ("OTEL_BSP_SCHEDULE_DELAY", "100".to_owned()),
        ("OTEL_SERVICE_NAME", "forms-of-the-house".to_owned()),
    ]
}

async fn asks(program: &Program) {
    let body = json!({"form": "pizza-order", "event_id": "the-first"});
    let answer = program.client.post(format!("{}api/chat", program.address)).json(&body).send().await.unwrap();
    assert!(answer.status().is_success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_a_span_with_its_parts_and_a_line_in_the_log() {
    let collector = Collector::start().await;
    let program = Program::start(settings(&collector.url), &[]).await;
    asks(&program).await;
    let turn = collector.receives("turn").await;
    assert_eq!(turn.attributes["platform"], "web");
    assert_eq!(turn.attributes["session"].len(), 8, "{turn:?}");
    assert_eq!(turn.attributes["event"].len(), 8, "an id may hold those of people: {turn:?}");
    for part in ["load", "step", "commit"] {
        let part = collector.receives(part).await;
        assert_eq!(part.parent, turn.id, "{part:?} {turn:?}");
    }
    let intake = collector.receives("intake").await;
    assert_eq!((turn.parent, intake.parent), (intake.id, Vec::new()));
    assert!(String::from_utf8_lossy(&collector.bytes()).contains("forms-of-the-house"));

    let line: serde_json::Value = serde_json::from_str(&program.tells("a turn has ended").await).unwrap();
    let fields = &line["fields"];
    assert_eq!((&fields["platform"], &fields["result"]), (&json!("web"), &json!("done")), "{line}");
    assert_eq!(fields["session"], turn.attributes["session"].as_str(), "{line}");
    // The id of an event of the web holds the conversation's, which opens it.
    assert_eq!(fields["event"], turn.attributes["event"].as_str(), "{line}");
    assert!(fields["millis"].is_number(), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_is_no_trouble() {
    let program = Program::start(settings("http://127.0.0.1:9"), &[]).await;
    asks(&program).await;
    let began = std::time::Instant::now();
    let (code, log) = program.stop().await;
    assert_eq!(code, Some(0), "{log}");
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(!log.contains("\"ERROR\"") && !log.contains("\"WARN\""), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_address_is_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::model::program::command(folder.path());
    command.args(["run", "--listen", "127.0.0.1:0"]).env("FORMWRIGHT__TRACES__ENDPOINT", "collector:4318");
    let ended = command.output().await.unwrap();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && told.contains("traces.endpoint"), "{told}");
}
