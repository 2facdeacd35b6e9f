//! Tools that ask a server.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::Value;

use super::failure::Failure;
use super::outgoing::{Outgoing, ToolProblem};
use super::{Call, MAX_RESULT};
use formwright_form::tool::{self, Http};
use formwright_http::{Answer, Failed, Request};

impl Outgoing {
    /// Asks a server, once.
    pub(super) async fn ask(
        &self,
        http: &Http,
        refusal: &[String],
        call: Call<'_>,
        within: Duration,
    ) -> Result<Value, Failure> {
        let made = tool::request(http, call.args).map_err(|unfit| Failure::broken(unfit.to_string(), false))?;
        let url: reqwest::Url = made.url.parse().map_err(|_| Failure::broken("its address is none", false))?;
        let headers = self.headers(&url).map_err(closed)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let method = match http.method {
            tool::Method::Get => Method::GET,
            tool::Method::Post => Method::POST,
            tool::Method::Put => Method::PUT,
        };
        let began = Instant::now();
        let request = Request { method, url, headers, body: made.body.as_ref(), id: call.id };
        let answered = self.guarded.json(request, MAX_RESULT, within).await;
        let status = answered.as_ref().map_or(0, |answer| answer.status.as_u16());
        tracing::debug!(%host, status, milliseconds = began.elapsed().as_millis(), "a tool asked a server");
        judge(answered, &host, refusal)
    }
}

fn closed(problem: ToolProblem) -> Failure {
    Failure::broken(problem.to_string(), false)
}

fn judge(answered: Result<Answer, Failed>, host: &str, refusal: &[String]) -> Result<Value, Failure> {
    let answer = match answered {
        Ok(answer) => answer,
        Err(failed) => {
            let passing = matches!(failed, Failed::Unreachable(_) | Failed::Late(_));
            return Err(Failure::broken(format!("{host}: {failed}"), passing));
        }
    };
    let told = format!("{host} answered {}", answer.status);
    match answer.status {
        status if status.is_success() => Ok(answer.body.unwrap_or_default()),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Failure::denied(told)),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            Err(Failure { after: answer.after, ..Failure::broken(told, true) })
        }
        status if status.is_client_error() => Err(Failure::refused(told, &answer.body.unwrap_or_default(), refusal)),
        _ => Err(Failure { after: answer.after, ..Failure::broken(told, true) }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use formwright_engine::Failing;

    fn refused() -> Failing {
        Failing::Refused { fields: BTreeMap::new() }
    }

    #[rstest]
    #[case(200, Ok(json!({"error": "Not here."})))]
    #[case(204, Ok(json!({"error": "Not here."})))]
    #[case(401, Err((Failing::Denied, false, None)))]
    #[case(403, Err((Failing::Denied, false, None)))]
    #[case(400, Err((refused(), false, Some("Not here."))))]
    #[case(404, Err((refused(), false, Some("Not here."))))]
    #[case(422, Err((refused(), false, Some("Not here."))))]
    #[case(408, Err((Failing::Broken, true, None)))]
    #[case(429, Err((Failing::Broken, true, None)))]
    #[case(500, Err((Failing::Broken, true, None)))]
    #[case(503, Err((Failing::Broken, true, None)))]
    fn a_status_says_whose_matter_it_is(
        #[case] status: u16,
        #[case] expected: Result<Value, (Failing, bool, Option<&str>)>,
    ) {
        let after = Some(Duration::from_secs(3));
        let body = Some(json!({"error": "Not here."}));
        let answer = Answer { status: StatusCode::from_u16(status).unwrap(), after, body };
        let judged = judge(Ok(answer), "parcels.example", &["error".to_owned()]);
        let told = judged.map_err(|failure| {
            assert!(failure.error.for_log.starts_with("parcels.example answered"), "{}", failure.error.for_log);
            assert_eq!(failure.after.is_some(), failure.error.retry);
            (failure.error.failing, failure.error.retry, failure.error.for_person)
        });
        assert_eq!(told, expected.map_err(|(failing, retry, words)| (failing, retry, words.map(str::to_owned))));
    }

    #[rstest]
    #[case(Failed::Unreachable("refused".to_owned()), true)]
    #[case(Failed::Late(Duration::from_secs(1)), true)]
    #[case(Failed::NotJson, false)]
    #[case(Failed::TooLong(1), false)]
    #[case(Failed::Redirected(StatusCode::FOUND), false)]
    #[case(Failed::Closed(formwright_http::Closed::NoAddress), false)]
    fn what_may_pass_is_tried_again(#[case] failed: Failed, #[case] retry: bool) {
        let error = judge(Err(failed), "parcels.example", &[]).unwrap_err().error;
        assert_eq!((error.failing, error.retry, error.for_person), (Failing::Broken, retry, None));
    }
}
