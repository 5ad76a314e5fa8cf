//! The bearer token of the HTTP server: made up, or out of a file that its owner alone can read.

use crate::exit::{Error, Result};
use bailiwick_mcp::http::Token;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Names a file that holds the token.
const VARIABLE: &str = "BAILIWICK_MCP_TOKEN_FILE";
/// The longest such file.
const LARGEST: u64 = 4096;

/// A token, and whether a person has to be told it.
pub(super) struct Chosen {
    pub(super) token: Token,
    pub(super) generated: bool,
}

pub(super) fn token() -> Result<Chosen> {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return read(Path::new(&path)).map(|token| Chosen { token, generated: false });
    }
    let token = Token::generate().map_err(|error| Error::failed(format!("the system has no random bytes: {error}")))?;
    Ok(Chosen { token, generated: true })
}

fn read(path: &Path) -> Result<Token> {
    let refused = |reason: String| {
        Error::usage(format!("the token file `{}` of `{VARIABLE}` cannot be used: {reason}", path.display()))
            .hint("write at least 32 characters without spaces into a file of mode 0600")
    };
    // Opening a pipe of that name must not block.
    let file = std::fs::OpenOptions::new().read(true).custom_flags(nonblocking()).open(path);
    let file = file.map_err(|error| refused(error.to_string()))?;
    let found = file.metadata().map_err(|error| refused(error.to_string()))?;
    if !found.is_file() {
        return Err(refused("it is not a file".into()));
    }
    if found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o077 != 0 {
        return Err(refused("others can read or change it".into()));
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| refused(error.to_string()))?;
    Token::given(text.trim_end()).ok_or_else(|| refused("it is too short, or has spaces in it".into()))
}

fn nonblocking() -> i32 {
    i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default()
}
