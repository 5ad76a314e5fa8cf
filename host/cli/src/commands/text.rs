//! Text arguments: as they stand, from a file, or from stdin.

use crate::exit::{Error, Result};
use std::io::Read;

// A request or an input is text a person or a tool wrote; anything larger is a mistake.
const LARGEST: u64 = 16 << 20;

/// Reads `TEXT`, `@FILE` or `-`.
pub(crate) fn read(what: &str, argument: &str) -> Result<String> {
    let bytes = if argument == "-" {
        bounded(what, std::io::stdin().lock())?
    } else if let Some(path) = argument.strip_prefix('@') {
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            // `@reviewer: …` and `@@clientName(…)` are text that begins with this sign.
            Err(_) if path.starts_with('@') || path.contains(char::is_whitespace) => return Ok(argument.to_owned()),
            Err(error) => {
                return Err(Error::usage(format!("cannot read the {what} from `{path}`: {error}"))
                    .hint("name an existing file behind `@`; put a space in front of a text that begins with `@`"));
            }
        };
        bounded(what, file)?
    } else {
        return Ok(argument.to_owned());
    };
    String::from_utf8(bytes).map_err(|_| Error::usage(format!("the {what} is not UTF-8 text")))
}

fn bounded(what: &str, source: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let count = source
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::usage(format!("cannot read the {what}: {error}")))?;
    if count as u64 > LARGEST {
        return Err(Error::usage(format!("the {what} is larger than {} MiB", LARGEST >> 20)));
    }
    Ok(bytes)
}
