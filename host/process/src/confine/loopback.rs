//! Loopback in a network namespace that was just made, and the one listener in it, which goes to the caller.

use std::ffi::OsStr;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd as _;
use std::path::Path;

use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    send, sendmsg, socket_with,
};

use super::namespaces::{Entered, Kind};
use crate::command::PROXY_PORT;
use crate::door::connect;
use crate::wire::Failure;

/// Makes the listener of [`crate::Network::Proxied`] and gives it away: this process keeps no handle.
///
/// # Errors
/// [`Failure::CannotConfine`] when there is no network namespace, or no process takes the listener.
pub(crate) fn hand_over(door: &OsStr, entered: &Entered) -> Result<(), Failure> {
    let missing = |reason: String| Failure::CannotConfine { missing: reason };
    entered.own(Kind::Network).map_err(missing)?;
    let given = || -> io::Result<()> {
        raise()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, PROXY_PORT))?;
        let door = connect(Path::new(door))?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut rights = SendAncillaryBuffer::new(&mut space);
        let handles = [listener.as_fd()];
        if !rights.push(SendAncillaryMessage::ScmRights(&handles)) {
            return Err(io::Error::other("there is no room for a handle"));
        }
        sendmsg(&door, &[IoSlice::new(b"l")], &mut rights, SendFlags::NOSIGNAL)?;
        Ok(())
    };
    given().map_err(|error| missing(format!("a network with a proxy alone cannot be made ({error})")))
}

/// Sets loopback up, upon which the kernel gives it its addresses.
pub(crate) fn raise() -> io::Result<()> {
    const REQUEST_AND_ACKNOWLEDGE: u16 = 5;
    const NEW_LINK: u16 = 16;
    const UP: u32 = 1;
    // Loopback is the first interface of every network namespace.
    const LOOPBACK: i32 = 1;
    // `struct nlmsghdr`, then `struct ifinfomsg` (linux/netlink.h, linux/rtnetlink.h).
    let mut request = Vec::with_capacity(32);
    request.extend(32_u32.to_ne_bytes());
    request.extend(NEW_LINK.to_ne_bytes());
    request.extend(REQUEST_AND_ACKNOWLEDGE.to_ne_bytes());
    request.extend([0; 8]);
    request.extend([0; 4]);
    request.extend(LOOPBACK.to_ne_bytes());
    request.extend(UP.to_ne_bytes());
    request.extend(UP.to_ne_bytes());
    // Protocol 0 is that of routes (`NETLINK_ROUTE`).
    let kernel = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    send(&kernel, &request, SendFlags::empty())?;
    let mut answer = [0; 256];
    let (count, _) = recv(&kernel, &mut answer, RecvFlags::empty())?;
    // `struct nlmsgerr` begins with the error, 0 for none, negative otherwise.
    match answer.get(16..20).filter(|_| count >= 20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(error.saturating_neg())),
        None => Err(io::Error::other("the kernel's answer is too short")),
    }
}
