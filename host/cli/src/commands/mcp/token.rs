//! The bearer token of the HTTP server: made up, or out of a file that its owner alone can read.

use super::private_file;
use crate::exit::{Error, Result};
use bailiwick_mcp::http::Token;
use std::path::Path;

/// Names a file that holds the token.
const VARIABLE: &str = "BAILIWICK_MCP_TOKEN_FILE";

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
            .hint(private_file::HINT)
    };
    let text = private_file::read(path).map_err(&refused)?;
    Token::given(&text).ok_or_else(|| refused("it could not stand in a header".into()))
}
