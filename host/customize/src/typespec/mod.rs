//! TypeSpec projects: finding one, looking into it, and generating a package from it.
//!
//! - [`TspLocation`] is what a package says about the specification it was generated from.
//! - [`Project`] is a package together with the local copy of that specification; [`SpecProject`] is that copy alone.
//! - [`probe`] asks the real compiler what the project declares and how one language's client sees it.
//! - [`Residents`] ask with compilers that stay, and answer the same.
//! - [`Standby`] is a process in which such a compiler stays between commands.
//! - [`regenerate`] runs `tsp-client` against the local copies and leaves the package with nothing stale in it.
//!
//! The compiler, the libraries and the emitter run confined ([`bailiwick_toolchains::Children`]): an emitter executes what
//! a specification imports, and a specification is something that an agent edits.

mod client_file;
mod copy;
mod customization_class;
mod error;
mod installed;
mod location;
mod own_parts;
mod placed;
mod plane;
mod probe;
mod project;
mod put_back;
mod regenerate;
mod remote;
mod resident;
mod spec_project;
mod stale;
mod standby;
mod switched_off;
mod yaml;

pub(crate) use client_file::editable_client_file;
pub(crate) use customization_class::customization_class;
pub use error::TypespecError;
pub use location::{TspLocation, is_repository_name};
pub(crate) use own_parts::OWN_PART;
pub use plane::{Plane, plane};
pub use probe::{PROBE, ProbeRequest, probe};
pub use project::{Project, SpecLookup, Specification, git_root, project_directory, specification_of};
pub use put_back::{ChangedBy, PutBack};
pub(crate) use regenerate::shared_files;
pub use regenerate::{Outcome, Regenerated, Regeneration, regenerate};
pub use remote::{Publicity, Remote, git_directories, head_commit, remote};
pub use resident::{Residents, Stay};
pub(crate) use spec_project::Except;
pub use spec_project::SpecProject;
pub use standby::{Place, STANDBY_ARGUMENT, Standby, stand_by};
