//! A `/proc` of the child's own process namespace: in the caller's, the child's numbers are those of other processes, and
//! a child that may read `/proc` (a .NET build) would see what the user runs.

use std::ffi::CStr;
use std::io;

/// Mounts it over the caller's. To be called by the first process of the namespace, in a mount namespace of its own.
///
/// # Errors
/// When the kernel refuses it. In a container whose own `/proc` is partly covered it refuses all but root.
pub(crate) fn mount_own() -> io::Result<()> {
    // What is mounted from here on must not appear outside; what is mounted and unmounted there goes on to appear here.
    mount(None, c"/", None, libc::MS_REC | libc::MS_SLAVE)?;
    mount(Some(c"proc"), c"/proc", Some(c"proc"), libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC)
}

fn mount(source: Option<&CStr>, target: &CStr, kind: Option<&CStr>, flags: libc::c_ulong) -> io::Result<()> {
    let address = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    #[expect(unsafe_code, reason = "this build of rustix has no mount")]
    // SAFETY: Each address is null or that of a text which outlives the call; there is no data.
    let result = unsafe { libc::mount(address(source), target.as_ptr(), address(kind), flags, std::ptr::null()) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
