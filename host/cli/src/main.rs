//! The `bailiwick` command.
fn main() {}
