//! `bailiwick self`: how this program was installed, and what of it stays between commands.

use crate::exit::{Code, Result};
use crate::installation::Installation;
use crate::output;
use bailiwick_customize::typespec::Place;
use clap::Args;
use serde_json::json;

#[derive(Debug, Args)]
pub(crate) struct Itself {
    /// End the TypeSpec compilers that stay between commands, each as soon as it has answered.
    #[arg(long)]
    pub(crate) end_residents: bool,
}

pub(super) fn execute(itself: &Itself, as_json: bool) -> Result<Code> {
    let installation = Installation::current()?;
    let place = Place::of_user();
    let standbys =
        place.as_ref().map_or(0, |place| if itself.end_residents { place.end_all() } else { place.standbys() });
    let word = if itself.end_residents { "endedResidents" } else { "residents" };
    if as_json {
        output::json(&json!({ "version": env!("CARGO_PKG_VERSION"), "installation": installation, word: standbys }));
    } else {
        output::line(&installation.text());
        match (itself.end_residents, standbys) {
            (true, number) => output::line(&format!("compilers between commands: {number}, which end now")),
            (false, 0) => {}
            (false, number) => output::line(&format!(
                "compilers between commands: {number}; `bailiwick self --end-residents` ends them"
            )),
        }
    }
    Ok(Code::Done)
}
