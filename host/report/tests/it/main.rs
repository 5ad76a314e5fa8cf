//! Reports of every kind of run, of hostile ones, and as a browser shows them.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod browser;
mod desk;
mod devtools;
mod hostile;
mod only_code;
mod runs;
mod well_formed;
