//! The file server: the same client against ours and against the reference server, which is installed at the version of
//! its lock file. The protocol is written by hand.

mod escapes;
mod large;
mod lost;
mod paths;
mod race;
mod roots;
mod same;
mod world;
