//! A guest's progress and log lines on their way to the client. Their number and length are the sandbox's to bound.

use crate::call::Call;
use crate::logger::Level;
use bailiwick_sandbox::rich::{self, Notice};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

/// Does `work` and passes on what is said meanwhile, all of it before this returns.
pub(super) async fn passing_on<T>(
    source: &str,
    call: &Call,
    mut heard: UnboundedReceiver<Notice>,
    work: impl Future<Output = T>,
) -> T {
    tokio::pin!(work);
    loop {
        tokio::select! {
            // What was said is passed on before what it led to.
            biased;
            Some(notice) = heard.recv() => tell(source, call, notice).await,
            done = &mut work => {
                while let Ok(notice) = heard.try_recv() {
                    tell(source, call, notice).await;
                }
                return done;
            }
        }
    }
}

async fn tell(source: &str, call: &Call, notice: Notice) {
    match notice {
        Notice::Progress { done, total, message } => call.reporter.progress(done, total, message).await,
        Notice::Log { level, logger, text } => {
            // A guest cannot speak in the name of another one, or of the server.
            let source = logger.map_or_else(|| source.to_owned(), |logger| format!("{source}/{logger}"));
            call.logger.log(self::level(level), &source, Value::String(text)).await;
        }
    }
}

fn level(level: rich::Level) -> Level {
    match level {
        rich::Level::Debug => Level::Debug,
        rich::Level::Info => Level::Info,
        rich::Level::Notice => Level::Notice,
        rich::Level::Warning => Level::Warning,
        rich::Level::Error => Level::Error,
        rich::Level::Critical => Level::Critical,
        rich::Level::Alert => Level::Alert,
        rich::Level::Emergency => Level::Emergency,
    }
}
