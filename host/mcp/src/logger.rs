//! Log messages for the client of one call.
//!
//! Logging is deprecated from 2026-07-28 on: there nothing is logged unless the request itself asks, by a level in its
//! `_meta`. Before, a connection has a level, set by `logging/setLevel`. What this server has to say for itself is
//! progress and goes to stderr; what is logged here comes from tools that were added and granted it.

#![expect(deprecated, reason = "logging is for clients that still ask for it")]

use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProtocolVersion};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use serde_json::Value;

/// How grave a message is, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For who looks for a fault.
    Debug,
    /// The usual course of things.
    Info,
    /// Unusual, and in order.
    Notice,
    /// Something to look at.
    Warning,
    /// Something failed.
    Error,
    /// Something that others depend on failed.
    Critical,
    /// A person has to act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl From<LoggingLevel> for Level {
    fn from(level: LoggingLevel) -> Self {
        match level {
            LoggingLevel::Debug => Self::Debug,
            LoggingLevel::Info => Self::Info,
            LoggingLevel::Notice => Self::Notice,
            LoggingLevel::Warning => Self::Warning,
            LoggingLevel::Error => Self::Error,
            LoggingLevel::Critical => Self::Critical,
            LoggingLevel::Alert => Self::Alert,
            LoggingLevel::Emergency => Self::Emergency,
        }
    }
}

impl From<Level> for LoggingLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Notice => Self::Notice,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
            Level::Critical => Self::Critical,
            Level::Alert => Self::Alert,
            Level::Emergency => Self::Emergency,
        }
    }
}

/// What a client that never said a level is sent, up to 2025-11-25.
const UNASKED: Level = Level::Info;

/// Sends log messages to the client of one call, if it wants them.
#[derive(Clone)]
pub struct Logger(Option<(Peer<RoleServer>, Level)>);

impl Logger {
    /// For this request, on a connection whose level was set to `set`.
    #[must_use]
    pub(crate) fn of(context: &RequestContext<RoleServer>, set: Option<Level>) -> Self {
        let least = match Self::is_of_requests(context) {
            true => context.meta.log_level().map(Level::from),
            false => Some(set.unwrap_or(UNASKED)),
        };
        Self(least.map(|least| (context.peer.clone(), least)))
    }

    /// Whether each request says for itself what is logged, as from 2026-07-28 on.
    #[must_use]
    pub(crate) fn is_of_requests(context: &RequestContext<RoleServer>) -> bool {
        let version = context.protocol_version();
        version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }

    /// There are no listeners.
    #[must_use]
    pub fn silent() -> Self {
        Self(None)
    }

    /// Whether a message of this level would be sent.
    #[must_use]
    pub fn wants(&self, level: Level) -> bool {
        self.0.as_ref().is_some_and(|(_, least)| level >= *least)
    }

    /// Sends one message in the name of `source`. A client that is gone is not an error.
    pub async fn log(&self, level: Level, source: &str, data: Value) {
        let Some((peer, _)) = self.0.as_ref().filter(|_| self.wants(level)) else { return };
        let param = LoggingMessageNotificationParam::new(level.into(), data).with_logger(source);
        let _ = peer.notify_logging_message(param).await;
    }
}
