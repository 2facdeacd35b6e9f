//! Clients in another language, with nothing but its standard library, against the real program. Where there is no Python
//! they are passed over, but not in CI.

mod formpilot;

use super::program::Server;

/// What a client prints. Every answer that it gets is held against the API's description.
async fn runs(script: &str, server: &Server) -> Option<String> {
    let (address, passed) = server.watched().await;
    let script = format!("{}/tests/clients/{script}", env!("CARGO_MANIFEST_DIR"));
    match std::process::Command::new("python3").args([&script, &address]).output() {
        Ok(output) => {
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
            let passed = passed.lock().unwrap();
            assert!(passed.wrong.is_empty() && passed.right > 0, "{}", passed.wrong.join("\n"));
            Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "python3: {error}");
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_filler_client_fills_in_its_form() {
    if let Some(printed) = runs("fill.py", &Server::start(&[])).await {
        assert_eq!(printed, "filled in");
    }
}

/// All nine actions, and a tool that the client runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_formpilot_client_draws_every_action_and_runs_the_tool() {
    let server = Server::start(&[("FORMWRIGHT__WEB__INLINE_FORMS", "true")]);
    if let Some(printed) = runs("pilot.py", &server).await {
        let told = "ASK_TEXT ASK_DROPDOWN ASK_CHECKBOX ASK_DATE ASK_DATETIME ASK_LOCATION TOOL_CALL ASK_DROPDOWN MESSAGE \
                    FORM_COMPLETE {\"bus\": \"blue\", \"meals\": [\"bread\", \"fish\"], \"day\": \"2027-03-01\", \"guide\": \"g7\"}";
        assert_eq!(printed, told);
    }
}
