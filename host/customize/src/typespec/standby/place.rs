//! The directory of the sockets, and who may stand behind one.

use std::ffi::CStr;
use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fstat, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};

/// The variable that names the runtime directory of the user.
pub(super) const RUNTIME: &str = "XDG_RUNTIME_DIR";

/// The most standbys of one user. Each takes some 300 MiB.
const MOST: usize = 2;

/// The directory with the sockets of this user's standbys: it belongs to this user, and no other user reaches it.
#[derive(Debug)]
pub struct Place {
    directory: OwnedFd,
    pub(super) runtime: PathBuf,
}

/// Device and inode.
type FileId = (u64, u64);

/// A socket that listens until this is dropped.
#[derive(Debug)]
pub(super) struct Socket {
    place: Place,
    name: String,
    file: FileId,
    pub(super) listener: UnixListener,
}

impl Place {
    /// The one in the runtime directory (`XDG_RUNTIME_DIR`), made if it is not there. `None` where there is no such directory
    /// or another user could reach it: there is no other place.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let runtime = std::env::var_os(RUNTIME).map(PathBuf::from)?;
        Self::beneath(&runtime)
    }

    /// The one in this runtime directory.
    #[must_use]
    pub fn beneath(runtime: &Path) -> Option<Self> {
        if !runtime.is_absolute() {
            return None;
        }
        let opened = private(CWD, runtime)?;
        // One that is there is looked at like one that was made.
        let _ = mkdirat(&opened, "bailiwick", Mode::RWXU);
        let directory = private(&opened, Path::new("bailiwick"))?;
        Some(Self { directory, runtime: runtime.to_owned() })
    }

    /// How many standbys there are. The sockets of those that were killed stay and count for nothing.
    #[must_use]
    pub fn standbys(&self) -> usize {
        self.sockets().iter().filter(|(_, name)| self.listens(name).unwrap_or_default()).count()
    }

    /// Whether a process listens under this name. One that takes no connection keeps no one waiting.
    fn listens(&self, name: &str) -> rustix::io::Result<bool> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        match connect(&socket, &SocketAddrUnix::new(self.path(name))?) {
            // So many wait for it already.
            Ok(()) | Err(Errno::AGAIN) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Has every standby end, as soon as it has answered; gives how many there were.
    pub fn end_all(&self) -> usize {
        self.end_but(0)
    }

    /// A connection to the process of this user that listens under this name, and which socket that is; `None` where none does.
    pub(super) async fn connect(&self, name: &str) -> Result<Option<(UnixStream, FileId)>> {
        let socket = match self.stat(name) {
            Ok(found) if is_private_socket(&found) => identity(&found),
            Ok(_) => return Err(ErrorKind::PermissionDenied.into()),
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match UnixStream::connect(self.path(name)).await {
            Ok(stream) => Ok(Some((of_this_user(stream)?, socket))),
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Takes the name from this socket, if it still has it: the next who asks starts another, and this one ends when it can.
    pub(super) fn give_up(&self, name: &str, socket: FileId) {
        if self.has(name, socket) {
            let _ = unlinkat(&self.directory, name, AtFlags::empty());
        }
    }

    fn has(&self, name: &str, socket: FileId) -> bool {
        self.stat(name).is_ok_and(|found| identity(&found) == socket)
    }

    /// Listens under this name, in the place of what was there, and has the oldest ends that are too many.
    pub(super) fn listen(self, name: &str) -> Result<Socket> {
        // It comes under its name when it is complete.
        let unready = format!(".{}", std::process::id());
        let _ = unlinkat(&self.directory, &unready, AtFlags::empty());
        let listener = UnixListener::bind(self.path(&unready))?;
        chmodat(&self.directory, &unready, Mode::RUSR | Mode::WUSR, AtFlags::empty())?;
        let file = identity(&self.stat(&unready)?);
        renameat(&self.directory, &unready, &self.directory, name)?;
        self.end_but(MOST);
        Ok(Socket { place: self, name: name.to_owned(), file, listener })
    }

    /// Removes the sockets of all but the youngest.
    fn end_but(&self, most: usize) -> usize {
        let mut sockets = self.sockets();
        sockets.sort_unstable();
        let many = sockets.len().saturating_sub(most);
        sockets[..many].iter().filter(|(_, name)| unlinkat(&self.directory, name, AtFlags::empty()).is_ok()).count()
    }

    /// Those that are complete, with the time they are from.
    fn sockets(&self) -> Vec<((i64, i64), String)> {
        let Ok(entries) = Dir::read_from(&self.directory) else { return Vec::new() };
        let name = |name: &CStr| name.to_str().ok().filter(|name| !name.starts_with('.')).map(str::to_owned);
        let names = entries.filter_map(|entry| name(entry.ok()?.file_name()));
        names
            .filter_map(|name| {
                let found = self.stat(&name).ok().filter(is_private_socket)?;
                Some(((found.st_mtime, i64::try_from(found.st_mtime_nsec).unwrap_or_default()), name))
            })
            .collect()
    }

    fn stat(&self, name: &str) -> rustix::io::Result<Stat> {
        statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// A path into the directory that was looked at, and short enough for a socket.
    fn path(&self, name: &str) -> PathBuf {
        format!("/proc/self/fd/{}/{name}", self.directory.as_raw_fd()).into()
    }
}

impl Socket {
    /// Whether others still find it.
    pub(super) fn is_there(&self) -> bool {
        self.place.has(&self.name, self.file)
    }

    /// The next one who asks.
    pub(super) async fn accept(&self) -> Result<UnixStream> {
        let (stream, _) = self.listener.accept().await?;
        Ok(stream)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.place.give_up(&self.name, self.file);
    }
}

/// A connection whose other side is a process of this user.
pub(super) fn of_this_user(stream: UnixStream) -> Result<UnixStream> {
    match stream.peer_cred()?.uid() == geteuid().as_raw() {
        true => Ok(stream),
        false => Err(Error::from(ErrorKind::PermissionDenied)),
    }
}

/// A directory that belongs to this user and has mode 0700, and no link to one.
fn private(parent: impl std::os::fd::AsFd, path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(parent, path, flags, Mode::empty()).ok()?;
    let found = fstat(&directory).ok()?;
    (found.st_uid == geteuid().as_raw() && found.st_mode & 0o7777 == 0o700).then_some(directory)
}

fn is_private_socket(found: &Stat) -> bool {
    FileType::from_raw_mode(found.st_mode) == FileType::Socket
        && found.st_uid == geteuid().as_raw()
        && found.st_mode & 0o7777 == 0o600
}

fn identity(found: &Stat) -> FileId {
    (found.st_dev, found.st_ino)
}
