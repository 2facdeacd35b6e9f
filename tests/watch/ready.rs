//! Ready, measured, and not ready any more once it is going down.

use std::time::Duration;

use formwright_fakes::llm::{Mode, ModelFake, obedient};
use serde_json::{Value, json};

use crate::model::program::{Program, model_at};

/// Where health and metrics are.
async fn operations(program: &Program) -> String {
    const AT: &str = "health and metrics are at ";
    let line = program.tells(AT).await;
    line.split_once(AT).unwrap().1.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_goes_down_is_not_ready_from_the_first_moment() {
    let fake = ModelFake::start(Mode::Hang, obedient(&[])).await;
    let mut settings = model_at(&fake.url());
    settings.push(("FORMWRIGHT__OPS__LISTEN", "127.0.0.1:0".to_owned()));
    settings.push(("FORMWRIGHT__MODEL__TIMEOUT", "4".to_owned()));
    let program = Program::start(settings, &[]).await;
    let (client, operations, page) = (program.client.clone(), operations(&program).await, program.address.clone());
    let get = async |address: String| {
        let answer = client.get(address).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for address in [&operations, &page] {
        assert_eq!(get(format!("{address}health/live")).await, (200, "live\n".to_owned()));
        let (status, told) = get(format!("{address}health/ready")).await;
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((status, told), (200, json!({"status": "ready", "reasons": []})));
    }
    assert_eq!(get(format!("{page}metrics")).await.0, 404, "people do not reach it");

    // A turn that takes its time holds the process up.
    let asks = async |body: Value| client.post(format!("{page}api/chat")).json(&body).send().await.unwrap();
    let begun = asks(json!({"form": "pizza-order"})).await;
    let cookie = begun.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let begun: Value = begun.json().await.unwrap();
    let slow =
        json!({"conversation_id": begun["conversation_id"], "user_message": "whatever my uncle had last summer"});
    let request = client.post(format!("{page}api/chat")).header("cookie", cookie).json(&slow);
    let slow = tokio::spawn(request.send());
    while fake.calls().iter().all(|call| !call.body.to_string().contains("uncle")) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (_, measured) = get(format!("{operations}metrics")).await;
    assert!(measured.contains(r#"formwright_turns_total{platform="web",result="done"} 1"#), "{measured}");
    assert!(measured.contains(r#"formwright_asked_total{form="pizza-order","#), "{measured}");
    let unready = async {
        loop {
            let Ok(answer) = client.get(format!("{operations}health/ready")).send().await else {
                panic!("it has ended and was ready to the last");
            };
            if answer.status() == 503 {
                return answer.json::<Value>().await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let (told, (code, log)) = tokio::join!(unready, program.stop());
    assert_eq!(told, json!({"status": "unready", "reasons": ["the process is going down"]}));
    assert_eq!(code, Some(0), "{log}");
    assert!(slow.await.unwrap().is_ok_and(|answer| answer.status().is_success()), "the turn was finished");
}
