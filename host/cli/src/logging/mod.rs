//! `--log`: what the program tells of itself, on stderr and nowhere else.
//!
//! Events carry names, counts and times, not what was said, read or written. They are not part of the contract: progress,
//! results and errors are.

mod filter;
mod line;

use crate::arguments::LogFormat;
use crate::exit::{Code, Error, Result};
use crate::telemetry::Telemetry;
use filter::Filter;
use line::Stderr;
use std::env::VarError;
use tracing::Subscriber;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

/// Says what is logged where the command line does not.
const VARIABLE: &str = "BAILIWICK_LOG";

/// The logging of this process.
pub(crate) struct Logging {
    telemetry: Option<Telemetry>,
}

impl Logging {
    /// Begins to log what `--log` or `BAILIWICK_LOG` asks for, and to trace where a collector is configured.
    pub(crate) fn start(log: Option<&str>, format: LogFormat) -> Result<Self> {
        let filter = filter(log)?;
        let (telemetry, traced) = Telemetry::start();
        let subscriber = tracing_subscriber::registry().with(traced).with(printed(format, filter));
        // This program sets no other subscriber, and without one the work is the same.
        let _ = tracing::subscriber::set_global_default(subscriber);
        Ok(Self { telemetry })
    }

    /// Does the work of a command within its span.
    pub(crate) fn within(&self, command: &'static str, work: impl FnOnce() -> Code) -> Code {
        let span = tracing::info_span!("bailiwick", command, exit_code = tracing::field::Empty);
        if let Some(telemetry) = &self.telemetry {
            telemetry.adopt(&span);
        }
        let code = span.in_scope(work);
        span.record("exit_code", code as u8);
        code
    }

    /// Sends what is left to send, for a short time.
    pub(crate) fn finish(self) {
        if let Some(telemetry) = self.telemetry {
            telemetry.finish();
        }
    }
}

fn filter(log: Option<&str>) -> Result<Filter> {
    let (text, from) = match (log, std::env::var(VARIABLE)) {
        (Some(text), _) => (text.to_owned(), "`--log`"),
        (None, Ok(text)) if !text.is_empty() => (text, "`BAILIWICK_LOG`"),
        (None, Err(VarError::NotUnicode(_))) => {
            return Err(Error::usage("`BAILIWICK_LOG` cannot be used: it is not UTF-8"));
        }
        (None, _) => return Ok(Filter::usual()),
    };
    text.parse::<Filter>().map_err(|error| {
        Error::usage(format!("{from} cannot be used: {error}"))
            .hint("write a level such as `info`, or levels of parts such as `warn,agent=debug`")
    })
}

fn printed<S: Subscriber + for<'a> LookupSpan<'a>>(
    format: LogFormat,
    filter: Filter,
) -> Box<dyn Layer<S> + Send + Sync> {
    // A reader could not tell colours from the escape sequences of a hostile text.
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(Stderr(format));
    match format {
        LogFormat::Text => layer.with_filter(filter.targets).boxed(),
        LogFormat::Json => {
            layer.json().flatten_event(true).with_current_span(false).with_filter(filter.targets).boxed()
        }
    }
}
