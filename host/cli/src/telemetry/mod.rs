//! Spans to an OpenTelemetry collector, over OTLP with protobuf on HTTP, where the standard variables name one.
//!
//! Nothing is sent while `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` and `OTEL_EXPORTER_OTLP_ENDPOINT` are unset. A collector
//! that does not answer costs a command two seconds at its end and a warning, never its success. What is sent are the
//! spans and events of level info, which hold names, counts and times and not what was said, read or written.

mod conventions;
mod exporter;

use crate::output;
use exporter::{Exporter, Failures};
use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// How long a command waits at its end for the collector.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);

/// The default name of the service.
const SERVICE: &str = "bailiwick";

/// The way to the collector.
pub(crate) struct Telemetry {
    provider: SdkTracerProvider,
    failures: Arc<Failures>,
}

impl Telemetry {
    /// The way to the collector that the environment names, and the layer that feeds it.
    pub(crate) fn start<S: Subscriber + for<'a> LookupSpan<'a>>() -> (Option<Self>, Option<impl Layer<S>>) {
        let started = if configured(&variable) { provider() } else { None };
        let Some((provider, failures)) = started else { return (None, None) };
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("bailiwick"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            // The libraries' own spans may hold contents, and those of the exporter would be about themselves.
            .with_filter(Targets::new().with_target("bailiwick", LevelFilter::INFO));
        (Some(Self { provider, failures }), Some(layer))
    }

    /// Makes a span part of the caller's trace, where `TRACEPARENT` names one.
    pub(crate) fn adopt(&self, span: &Span) {
        let caller: HashMap<String, String> = ["traceparent", "tracestate"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), variable(&name.to_ascii_uppercase())?)))
            .collect();
        if caller.contains_key("traceparent") {
            // A malformed value is ignored.
            let _ = span.set_parent(TraceContextPropagator::new().extract(&caller));
        }
    }

    /// Sends what is left to send.
    pub(crate) fn finish(self) {
        let ended = self.provider.shutdown_with_timeout(LAST_WAIT);
        let reason = match (self.failures.first(), ended) {
            (Some(reason), _) => reason,
            (None, Err(_)) => format!("it did not answer within {} s", LAST_WAIT.as_secs()),
            (None, Ok(())) => return,
        };
        output::progress(&format!("warning: the trace did not reach the OpenTelemetry collector: {reason}"));
    }
}

/// A variable that is set. The specification takes an empty one for none.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn configured(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is = |name: &str, wanted: &str| variable(name).is_some_and(|value| value.eq_ignore_ascii_case(wanted));
    let named = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    let disabled = is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none");
    !disabled && named.iter().any(|name| variable(name).is_some())
}

fn provider() -> Option<(SdkTracerProvider, Arc<Failures>)> {
    // An error says that there is one already, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::blocking::Client::builder()
        .connect_timeout(CONNECT)
        // A redirect would take the headers, which may hold a key, to another place.
        .redirect(reqwest::redirect::Policy::none())
        .build();
    let exporter = client.ok().and_then(|client| {
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpBinary);
        exporter.build().ok()
    });
    let Some(exporter) = exporter else {
        // The reason would repeat the address, and a password may stand in it.
        output::progress("warning: no trace is sent: what the `OTEL_EXPORTER_OTLP_…` variables say cannot be used");
        return None;
    };
    let failures = Arc::new(Failures::default());
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(Exporter::new(exporter, failures.clone()))
        .with_resource(resource())
        .build();
    Some((provider, failures))
}

/// What the environment says of this service, and its name and version where it says nothing.
fn resource() -> Resource {
    let of_environment = Resource::builder().build();
    let named = of_environment
        .iter()
        .any(|(key, value)| key.as_str() == "service.name" && !value.as_str().starts_with("unknown_service"));
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let builder = Resource::builder().with_attribute(version);
    if named { builder.build() } else { builder.with_service_name(SERVICE).build() }
}

#[cfg(test)]
mod tests {
    use super::configured;

    fn with(variables: &[(&str, &str)]) -> bool {
        configured(&|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn nothing_is_sent_unless_a_collector_is_named_and_it_is_not_forbidden() {
        let named = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        assert!(with(&[named]));
        assert!(with(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://localhost:4318/v1/traces")]));
        assert!(!with(&[]));
        assert!(!with(&[("OTEL_SERVICE_NAME", "x"), ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://localhost")]));
        assert!(!with(&[named, ("OTEL_SDK_DISABLED", "True")]));
        assert!(!with(&[named, ("OTEL_TRACES_EXPORTER", "none")]));
        assert!(with(&[named, ("OTEL_SDK_DISABLED", "false"), ("OTEL_TRACES_EXPORTER", "otlp")]));
    }
}
