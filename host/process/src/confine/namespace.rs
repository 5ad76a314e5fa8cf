//! A network namespace of one's own: no interface but loopback, and that one is down.

use rustix::io::Errno;
use rustix::process::{getegid, geteuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::wire::Failure;

/// Moves the calling process into a network namespace of its own, or says why that is not possible.
///
/// # Errors
/// [`Failure::NamespaceUnusable`] when a user namespace was entered and its identities cannot be
/// mapped (Ubuntu's AppArmor rules do that): then this process is of no more use.
pub(crate) fn enter() -> Result<Result<(), String>, Failure> {
    // With the privilege it needs no user namespace, and owners keep their names.
    if unshare(UnshareFlags::NEWNET).is_ok() {
        return Ok(Ok(()));
    }
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    if let Err(error) = unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNET) {
        return Ok(Err(format!("a network namespace cannot be created ({})", std::io::Error::from(error))));
    }
    // Everybody keeps the number he has. An unprivileged user may map only himself, and the group
    // only after giving up `setgroups`.
    let mapped = std::fs::write("/proc/self/setgroups", "deny")
        .and_then(|()| std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1")))
        .and_then(|()| std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1")));
    match mapped {
        Ok(()) => Ok(Ok(())),
        Err(_) => Err(Failure::NamespaceUnusable),
    }
}

fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    #[expect(unsafe_code, reason = "rustix has no safe unshare")]
    // SAFETY: The call is unsafe for `FILES` only, which no caller passes.
    unsafe {
        unshare_unsafe(flags)
    }
}
