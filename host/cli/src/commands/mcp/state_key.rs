//! The keys under which the server seals what clients and replicas carry: made up, or out of files (`--state-key`).

use super::private_file;
use crate::exit::{Error, Result};
use bailiwick_mcp::Keys;
use std::path::PathBuf;

pub(super) fn keys(files: &[PathBuf]) -> Result<Keys> {
    if files.is_empty() {
        return Keys::of_this_process().map_err(super::error);
    }
    let texts = files.iter().map(|path| {
        private_file::read(path).map_err(|reason| {
            Error::usage(format!("the key file `{}` of `--state-key` cannot be used: {reason}", path.display()))
                .hint(private_file::HINT)
        })
    });
    let texts = texts.collect::<Result<Vec<_>>>()?;
    Keys::shared(texts.iter().map(String::as_bytes)).map_err(|error| {
        Error::usage(format!("the keys of `--state-key` cannot be used: {error}")).hint("name each key once")
    })
}
