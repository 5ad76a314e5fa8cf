//! The exporter: gives spans the names of the conventions, and remembers what could not be sent.

use super::conventions;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use std::sync::OnceLock;
use std::time::Duration;

/// Why something was not sent; known once for a whole process, however often it fails.
#[derive(Debug, Default)]
pub(super) struct Failures(OnceLock<String>);

impl Failures {
    pub(super) fn first(&self) -> Option<String> {
        self.0.get().cloned()
    }
}

#[derive(Debug)]
pub(super) struct Exporter {
    inner: opentelemetry_otlp::SpanExporter,
    failures: std::sync::Arc<Failures>,
}

impl Exporter {
    pub(super) fn new(inner: opentelemetry_otlp::SpanExporter, failures: std::sync::Arc<Failures>) -> Self {
        Self { inner, failures }
    }
}

impl SpanExporter for Exporter {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(conventions::shape);
        let sent = self.inner.export(batch).await;
        if let Err(error) = &sent {
            // The crate's words are a status or a kind of failure; neither address nor answer is in them.
            let _ = self.failures.0.set(error.to_string());
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}
