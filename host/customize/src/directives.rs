//! Directives, for callers that know this crate alone: what is asked for without words in between.

pub use bailiwick_sdk::tasks::{AskedAction, AskedChange, AskedDirective, Decorator, DirectiveError, Language, Scope};
