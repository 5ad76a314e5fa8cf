//! Races: a thread of the host swaps what lies in the grant for a link to the outside, as fast as it can, while the
//! tools are called. Nothing of the outside is ever shown or changed.
//!
//! A run counts only if both states were seen often, if there were enough calls within three minutes, and if the naive
//! check (make it canonical, compare the prefix, open it by name) leaks under the very same attacker. Otherwise the
//! attack proves nothing, and the test fails. What decides is counts and never times.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod arena;
mod attacker;
#[path = "../it/common/mod.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;
mod exchange;
mod naive;
mod resolver;
mod variants;
mod volley;
