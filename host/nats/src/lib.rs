//! A connection to a NATS server with JetStream, for whatever is kept there.
//!
//! | module | subject |
//! |---|---|
//! | `connection` | how a server is reached: with TLS, unless it is on this machine |
//! | `certificates` | what is wrong with certificates, in words |
//! | `guard` | what a server may send |
//!
//! The server is not trusted: what it sends is bounded here, and what it says is judged by those who asked.

mod certificates;
mod connection;
mod error;
mod guard;

pub use connection::{Connected, Connection, Login};
pub use error::{NatsError, plain};
pub use guard::{Flooded, Most};

use std::time::Duration;

/// A request that has no answer by then has failed.
pub const ANSWER: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
