//! `bailiwick knowledge`: the page about client customizations that comes with the program.

use crate::exit::{Code, Result};
use crate::output;
use bailiwick_customize::knowledge::{EMBEDDED, RESOURCE};
use serde_json::json;

pub(crate) fn execute(as_json: bool) -> Result<Code> {
    if as_json {
        output::json(&json!({ "uri": RESOURCE, "mimeType": "text/markdown", "text": EMBEDDED }));
    } else {
        output::line(EMBEDDED.trim_end());
    }
    Ok(Code::Done)
}
