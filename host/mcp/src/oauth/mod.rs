//! OAuth: this server as a protected resource, as the authorization part of the MCP specification has it (2025-11-25 and
//! 2026-07-28). Tokens are the issuer's affair; here they are only judged, and never passed on or written down.
//!
//! | module | subject |
//! |---|---|
//! | `settings` | issuer, audience and scopes, as the operator names them |
//! | `metadata` | where clients learn who gives out tokens (RFC 9728), and the challenges that lead there |
//! | `issuer` | what the issuer says of itself (RFC 8414, OpenID Connect Discovery) and its keys, fetched within bounds |
//! | `keys` | which key may have signed a token |
//! | `keyring` | the keys that are known, and when they are asked for again |
//! | `token` | whether a token is good: signature, times, issuer, audience, scopes (RFC 9068, RFC 8707) |
//! | `signature` | the arithmetic, which is ring's |

mod issuer;
mod keyring;
mod keys;
pub mod metadata;
pub mod settings;
mod signature;
pub mod token;

pub use settings::{OAuthLimits, Resource, SettingsError};
pub use token::{Guard, Refused, Verified};
