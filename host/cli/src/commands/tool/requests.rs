//! `tool requests` and `tool dismiss`: what clients asked for, and a person's no.

use crate::exit::{Code, Error, Result};
use crate::installed::store;
use crate::output;
use bailiwick_audit::printable;
use serde_json::json;

pub(super) fn list(as_json: bool) -> Result<Code> {
    let requests = store()?.requests()?;
    if as_json {
        output::json(&requests);
        return Ok(Code::Done);
    }
    for one in &requests {
        let line = format!("{:<4} {:<20} asked for by {}: {}", one.id, one.tool, one.client, one.what_for);
        output::line(&printable(&line));
    }
    if requests.is_empty() {
        output::progress("no client asked for a tool");
    } else {
        output::progress(
            "\nhint: `bailiwick tool approve NAME` or `bailiwick tool dismiss NUMBER` answers; a client cannot",
        );
    }
    Ok(Code::Done)
}

pub(super) fn dismiss(request: u64, as_json: bool) -> Result<Code> {
    let gone = store()?.dismiss(request)?;
    let gone = gone.ok_or_else(|| {
        Error::usage(format!("no request has the number {request}")).hint("`bailiwick tool requests` lists them")
    })?;
    if as_json {
        output::json(&json!({ "dismissed": gone }));
    } else {
        output::line(&format!("dismissed {}", printable(&gone.tool)));
    }
    Ok(Code::Done)
}
