//! A new branch of a clone.

use std::path::Path;

use super::error::CheckoutError;
use super::git::Git;
use super::make::Checkout;

/// Whether a clone has a branch of this name, or a work tree that is to begin one.
///
/// # Errors
/// [`CheckoutError::Git`], [`CheckoutError::NoGit`].
pub fn has_branch(clone: &Path, name: &str) -> Result<bool, CheckoutError> {
    let reference = format!("refs/heads/{name}");
    let is_there = Git::in_clone(clone).run(&["show-ref", "--verify", "--quiet", &reference]).is_ok();
    Ok(is_there || is_checked_out(clone, name)?)
}

fn is_checked_out(clone: &Path, name: &str) -> Result<bool, CheckoutError> {
    let listed = Git::in_clone(clone).text(&["worktree", "list", "--porcelain"])?;
    let line = format!("branch refs/heads/{name}");
    Ok(listed.lines().any(|other| other == line))
}

/// Makes the commit that was made in a checkout a new branch of its clone. A branch that is there stays as it is, also where
/// it came to be meanwhile. The clone does not fetch: its configuration may name programs to do so.
///
/// # Errors
/// [`CheckoutError::BranchThere`], [`CheckoutError::Git`], [`CheckoutError::NoGit`].
pub fn create_branch(clone: &Path, checkout: &Checkout, name: &str) -> Result<(), CheckoutError> {
    let there = || CheckoutError::BranchThere { clone: clone.to_owned(), branch: name.to_owned() };
    let own = Git::at(checkout.root());
    let commit = own.text(&["rev-parse", "--verify", "HEAD"])?;
    let new = format!("{commit}\n^{}\n", checkout.commit());
    let objects = own.fed(&["pack-objects", "--quiet", "--revs", "--stdout"], new.as_bytes())?;
    // A work tree of a branch without a commit would be changed by its first one.
    if is_checked_out(clone, name)? {
        return Err(there());
    }
    let git = Git::in_clone(clone).without_hooks()?;
    git.fed(&["unpack-objects", "-q"], &objects)?;
    let create = format!("create refs/heads/{name} {commit}\n");
    let created = git.fed(&["update-ref", "-m", "bailiwick: made", "--stdin"], create.as_bytes());
    created.map(drop).map_err(|error| if matches!(has_branch(clone, name), Ok(true)) { there() } else { error })
}
