//! Whether the TypeSpec compiler stays for the next command.

use crate::model;
use bailiwick_customize::typespec::{Place, Residents, Standby, Stay};
use clap::Args;

/// How specifications are read.
#[derive(Debug, Args)]
pub(crate) struct Residence {
    /// Keep no TypeSpec compiler for the next command, and ask none that an earlier one kept. So it is where `CI` is set.
    #[arg(long)]
    pub(crate) no_resident: bool,
}

impl Residence {
    /// The compilers that stay, or `alone` where no compiler stays between commands.
    pub(super) fn residents(&self, alone: Stay) -> Residents {
        let place = if self.no_resident || model::is_ci() { None } else { Place::of_user() };
        Residents::new(alone).standing_by(place.map(Standby::at))
    }
}
