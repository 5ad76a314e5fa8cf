//! A descriptor as what it is: a pipe, a socket, or something that blocks.

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// Bytes of a client.
pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;
/// Bytes for a client.
pub(super) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

pub(super) fn reader(descriptor: OwnedFd) -> io::Result<Reader> {
    Ok(match kind(&descriptor)? {
        FileType::Fifo => match reopened(&descriptor, OFlags::RDONLY) {
            Some(own) => Box::new(pipe::Receiver::from_owned_fd(own)?),
            None => Box::new(file(descriptor)),
        },
        FileType::Socket => Box::new(socket(descriptor)?),
        _ => Box::new(file(descriptor)),
    })
}

pub(super) fn writer(descriptor: OwnedFd) -> io::Result<Writer> {
    Ok(match kind(&descriptor)? {
        FileType::Fifo => match reopened(&descriptor, OFlags::WRONLY) {
            Some(own) => Box::new(pipe::Sender::from_owned_fd(own)?),
            None => Box::new(file(descriptor)),
        },
        FileType::Socket => Box::new(socket(descriptor)?),
        _ => Box::new(file(descriptor)),
    })
}

fn kind(descriptor: &OwnedFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(descriptor)?.st_mode))
}

/// A pipe opened anew: not to block is a property of what was opened, and others hold what was handed to us.
fn reopened(descriptor: &OwnedFd, access: OFlags) -> Option<OwnedFd> {
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    open(path, access | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).ok()
}

/// Node gives its children sockets. They cannot be reopened, but this end has no other user.
fn socket(descriptor: OwnedFd) -> io::Result<UnixStream> {
    let stream = StdStream::from(descriptor);
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

fn file(descriptor: OwnedFd) -> tokio::fs::File {
    tokio::fs::File::from_std(std::fs::File::from(descriptor))
}
