//! Where a helper hands the caller the listener of a network of its own.
//!
//! The handle is all that leaves that network: connections are accepted, and bytes read and written, in the caller's
//! process, without a process in between.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use tokio::io::Interest;
use tokio::net::{TcpListener, UnixListener};

use crate::command::Network;

const SOCKET: &str = "door";

/// A socket in a directory that only the user may enter. It is for one child; dropping it removes the directory.
#[derive(Debug)]
pub struct Door {
    directory: tempfile::TempDir,
    socket: UnixListener,
}

impl Door {
    /// Makes one in the directory for temporary files.
    ///
    /// # Errors
    /// Those of the system.
    ///
    /// # Panics
    /// Outside a tokio runtime with I/O enabled.
    pub fn open() -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("bailiwick-door-").tempdir()?;
        let socket = with_short_path(&directory.path().join(SOCKET), |path| net::UnixListener::bind(path))?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket: UnixListener::from_std(socket)?, directory })
    }

    /// The network of the child that it is for.
    #[must_use]
    pub fn network(&self) -> Network {
        Network::Proxied { door: self.directory.path().join(SOCKET).into_os_string() }
    }

    /// The listener, once the child has its network. It is the child's for good: what is accepted comes from there.
    ///
    /// # Errors
    /// Those of the system, or something else was handed over.
    pub async fn listener(&self) -> io::Result<TcpListener> {
        let (stream, _) = self.socket.accept().await?;
        let handle = stream.async_io(Interest::READABLE, || receive(&stream)).await?;
        let listener = std::net::TcpListener::from(handle);
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    }
}

/// The other end of a door.
pub(crate) fn connect(door: &Path) -> io::Result<net::UnixStream> {
    with_short_path(door, |path| net::UnixStream::connect(path))
}

/// The path of a socket has 107 bytes at most, and a directory for temporary files may be longer.
fn with_short_path<T>(socket: &Path, then: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let parent = socket.parent().unwrap_or(Path::new("/"));
    let parent = rustix::fs::open(parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let name = socket.file_name().unwrap_or_default();
    then(&PathBuf::from(format!("/proc/self/fd/{}", parent.as_raw_fd())).join(name))
}

fn receive(stream: &tokio::net::UnixStream) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut received = RecvAncillaryBuffer::new(&mut space);
    recvmsg(stream, &mut [IoSliceMut::new(&mut byte)], &mut received, RecvFlags::CMSG_CLOEXEC)?;
    let handle = received.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut handles) => handles.next(),
        _ => None,
    });
    handle.ok_or_else(|| io::Error::other("no handle was handed over"))
}
