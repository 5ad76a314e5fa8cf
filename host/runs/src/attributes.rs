//! Owner, mode and time of files that belong to another user: a checkout that several people share.

use rustix::io::Errno;

/// What became of an owner, a mode or a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// It is as it was to be.
    Set,
    /// The file belongs to another user, and only that user may set it.
    OfAnotherUser,
}

/// The outcome of setting an attribute. That it is not for this user to set is no failure: the content counts.
pub(crate) fn allowed(result: Result<(), Errno>) -> Result<Attribute, Errno> {
    match result {
        Ok(()) => Ok(Attribute::Set),
        Err(Errno::PERM) => Ok(Attribute::OfAnotherUser),
        Err(error) => Err(error),
    }
}
