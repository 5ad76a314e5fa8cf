//! What stands in for OpenTelemetry in a program that was built without it.

use tracing::Span;
use tracing_subscriber::layer::Identity;

/// There is none.
pub(crate) enum Telemetry {}

impl Telemetry {
    pub(crate) fn start() -> (Option<Self>, Option<Identity>) {
        (None, None)
    }

    pub(crate) fn adopt(&self, _: &Span) {
        match *self {}
    }

    pub(crate) fn finish(self) {
        match self {}
    }
}
