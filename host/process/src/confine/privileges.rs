//! Privileges of root that Landlock does not bind.

use rustix::io::Errno;
use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs,
};

use crate::wire::Failure;

/// What root keeps: working on a package whose files belong to another user. Both stay inside the
/// Landlock rules as far as contents are concerned. Gone are mounting, namespaces (but for user
/// namespaces, which need no privilege: the system call filter refuses them), device nodes, modules, raw memory, tracing,
/// clocks and the network's administration. Landlock depends on that: on recent kernels (seen on
/// 6.18) `CAP_PERFMON` and `CAP_SYS_ADMIN` open `/proc/PID/environ` and `maps` of any process without asking it
/// (`may_access_mm` in the kernel's `fork.c`).
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::FOWNER);

/// Drops capabilities, and the way to regain any through a set-user-id program.
pub(crate) fn drop_all_but_file_access() -> Result<(), Failure> {
    let kept = if geteuid().is_root() {
        KEPT
    } else {
        // The capabilities of a user namespace end at `exec` anyway.
        CapabilitySet::empty()
    };
    set_no_new_privs(true)?;
    for capability in (CapabilitySet::all() - kept).iter() {
        match remove_capability_from_bounding_set(capability) {
            // Unknown to this kernel, or no privilege to change the bounding set: then
            // `no_new_privs` alone keeps `exec` from giving back what is dropped below.
            Ok(()) | Err(Errno::INVAL | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let held = capabilities(None)?;
    set_capabilities(
        None,
        CapabilitySets {
            effective: held.effective & kept,
            permitted: held.permitted & kept,
            inheritable: CapabilitySet::empty(),
        },
    )?;
    Ok(())
}
