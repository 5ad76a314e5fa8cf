//! A commit of a repository in a directory of its own, beside what its owner has checked out.
//!
//! - [`Checkout`] is the directory. It is a repository of its own that borrows the objects of the clone and checks out a few
//!   directories of one commit. Nothing of the clone is written, neither its files nor its `.git`, which `git worktree`
//!   would do. The directory goes with the value; what a killed process left, [`sweep`] removes.
//! - [`SpecCommit`] says which commit of a specification is meant, and [`SpecCopy`] is that commit of the specification of
//!   a package.

mod branch;
mod commit;
mod error;
mod git;
mod make;
mod specification;
mod sweep;

pub use branch::{create_branch, has_branch};
pub use commit::{BadSpecCommit, SpecCommit};
pub use error::CheckoutError;
pub use git::Git;
pub use make::{Checkout, Edits, Wanted};
pub use specification::{SpecCopy, specification_at, working_tree_at};
pub use sweep::sweep;

pub(crate) use make::READ_ONLY;
