//! `bailiwick package show`: what is known of a package without starting anything.

use super::package::failure;
use crate::arguments::Show;
use crate::exit::{Code, Result};
use crate::output;
use bailiwick_customize::driver::overview;

pub(crate) fn execute(show: &Show, as_json: bool) -> Result<Code> {
    let overview = overview(&show.package_path, show.typespec_project_path.as_deref());
    let overview = overview.map_err(|error| failure(&error))?;
    if as_json {
        output::json(&overview);
    } else {
        output::line(&overview.format());
    }
    Ok(Code::Done)
}
