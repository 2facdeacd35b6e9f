//! Traces: spans of turns, sent to a collector by OTLP over HTTP.
//!
//! A collector that is away costs a debug line now and then, and the spans that it was to have.

use std::time::Duration;

use async_trait::async_trait;
use formwright::cli::Failure;
use formwright::settings::Traces;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

/// How long the collector has for a batch of spans, and at the end of the process for the last ones.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The names of the environment that turn traces on, the one that says more first.
const NAMES: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// The way to a collector.
pub(crate) struct Exporting(SdkTracerProvider);

impl Exporting {
    /// What the settings, or the environment, name; none where neither does.
    ///
    /// # Errors
    /// [`Failure::Settings`] where that is no address.
    pub(crate) fn of(settings: &Traces, runtime: &tokio::runtime::Handle) -> Result<Option<Self>, Failure> {
        let unfit = |error: &dyn std::fmt::Display| Failure::Settings(format!("traces.endpoint: {error}"));
        let set = |name: &&str| std::env::var(name).is_ok_and(|text| !text.trim().is_empty());
        if settings.endpoint.is_none() && !NAMES.iter().any(set) {
            return Ok(None);
        }
        let http = formwright::http::client().map_err(|error| Failure::Undone(error.to_string()))?;
        let client = Client { http, runtime: runtime.clone() };
        let mut exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(TIMEOUT);
        if let Some(endpoint) = &settings.endpoint {
            let url = endpoint.parse::<reqwest::Url>().map_err(|error| unfit(&error))?;
            if !matches!(url.scheme(), "http" | "https") {
                return Err(unfit(&"it is no http or https address"));
            }
            exporter = exporter.with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')));
        }
        let exporter = exporter.build().map_err(|error| unfit(&error))?;
        // `OTEL_SERVICE_NAME` goes over the name given here.
        let named = std::env::var("OTEL_SERVICE_NAME").is_ok_and(|name| !name.is_empty());
        let mut resource = Resource::builder();
        if !named {
            resource = resource.with_service_name("formwright");
        }
        Ok(Some(Self(
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build(),
        )))
    }

    /// What makes spans.
    pub(crate) fn tracer(&self) -> SdkTracer {
        self.0.tracer("formwright")
    }

    /// Sends what is left. Blocks for [`TIMEOUT`] at most; not to be called on a thread that async work runs on.
    pub(crate) fn end(self) {
        if let Err(error) = self.0.shutdown_with_timeout(TIMEOUT) {
            tracing::debug!(%error, "the last spans were not taken");
        }
    }
}

/// Our HTTP client for the exporter's thread, which has no runtime of its own.
#[derive(Debug)]
struct Client {
    http: reqwest::Client,
    runtime: tokio::runtime::Handle,
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let request = self.http.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body);
        let exchange = self.runtime.spawn(async move {
            let response = request.send().await?;
            let status = response.status();
            Ok::<_, reqwest::Error>((status, response.bytes().await?))
        });
        let (status, body) = match exchange.await? {
            Ok(answer) => answer,
            Err(error) => {
                tracing::debug!(error = %error.without_url(), "the collector of traces is away");
                return Err("the collector is away".into());
            }
        };
        if !status.is_success() {
            tracing::debug!(%status, "the collector of traces takes no spans");
        }
        let mut response = Response::new(body);
        *response.status_mut() = status;
        Ok(response)
    }
}
