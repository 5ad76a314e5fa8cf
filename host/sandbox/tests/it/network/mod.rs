//! The raw guest of `tests/hostile-net-guest` against the rules for requests: what they allow leaves as the host wrote
//! it, and everything else does not leave, whatever the guest, the names and the servers do. All servers are the test's
//! own, on the loopback address.

mod asked;
mod refused;
mod secrets;
mod server;
mod spent;
mod world;
