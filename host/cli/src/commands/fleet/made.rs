//! What an earlier `fleet collect` made before it was ended: a branch that is there and is exactly the one that would be made.

use crate::commands::spec_commit;
use crate::exit::Result;
use bailiwick_customize::checkout::{CheckoutError, Git};

/// A commit, without who made it when.
#[derive(Debug, PartialEq, Eq)]
struct Commit {
    tree: String,
    message: String,
}

/// Whether two names, each in a repository of its own, stand for the same so many commits on this one.
pub(super) fn same(one: (&Git, &str), other: (&Git, &str), onto: &str, commits: usize) -> Result<bool> {
    let of = |(git, name): (&Git, &str)| chain(git, name, onto, commits).map_err(spec_commit::failure);
    let (one, other) = (of(one)?, of(other)?);
    Ok(one.is_some() && one == other)
}

/// The commits from a name down to `onto`; `None` where they are others than so many in one line.
fn chain(git: &Git, name: &str, onto: &str, commits: usize) -> std::result::Result<Option<Vec<Commit>>, CheckoutError> {
    let mut here = git.text(&["rev-parse", "--verify", "--end-of-options", &format!("{name}^{{commit}}")])?;
    let mut found = Vec::new();
    for _ in 0..commits {
        let text = git.text(&["cat-file", "commit", &here])?;
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let named = |what: &str| head.lines().filter_map(|line| line.strip_prefix(what)).collect::<Vec<_>>();
        let (trees, parents) = (named("tree "), named("parent "));
        let ([tree], [parent]) = (trees.as_slice(), parents.as_slice()) else { return Ok(None) };
        found.push(Commit { tree: (*tree).to_owned(), message: message.to_owned() });
        here = (*parent).to_owned();
    }
    Ok((here == onto).then_some(found))
}
