//! `bailiwick self`: how this program was installed.

use crate::exit::{Code, Result};
use crate::installation::Installation;
use crate::output;
use serde_json::json;

pub(super) fn execute(as_json: bool) -> Result<Code> {
    let installation = Installation::current()?;
    if as_json {
        output::json(&json!({ "version": env!("CARGO_PKG_VERSION"), "installation": installation }));
    } else {
        output::line(&installation.text());
    }
    Ok(Code::Done)
}
