//! `bailiwick agent`: agents in files, over the real binary.

mod desk;
mod examples;
mod grants;
mod interrupted;
mod limits;
mod malformed;
mod readme;
mod recorded;
mod resumed;
mod running;
mod spelling;
mod standin;
