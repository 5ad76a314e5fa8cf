//! What a caller says about a child before it starts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Exact description of a child. Nothing is inherited: the environment is what stands here,
/// standard input is `/dev/null`, and no other file descriptor reaches the program.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program. A bare name is looked up in the `PATH` of `environment`; a relative path
    /// with a slash counts from `directory`. There is no shell.
    pub program: PathBuf,
    /// The arguments, the program's own name excluded.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub directory: PathBuf,
    /// The whole environment of the child.
    pub environment: BTreeMap<OsString, OsString>,
    /// What it may spend.
    pub limits: Limits,
    /// What it may reach.
    pub confinement: Confinement,
}

/// What a child may spend. Whoever starts one says so; there is no default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How often it is measured.
    pub measured: Measured,
    /// Wall-clock time after which the child and everything it started are killed.
    pub deadline: Duration,
    /// Bytes kept of each output stream: the first half and the last half. The child may print more.
    pub output_bytes: usize,
    /// Processes and threads that exist at once. They are counted, as memory and disk space are measured, every 100 ms,
    /// and every 20 ms when half of it is reached (every 500 ms where counting is dear, or a child is measured seldom): a
    /// child is over a limit for that long before it is killed. In a user namespace of its own the kernel itself refuses eight times as
    /// many processes.
    pub processes: u64,
    /// Main memory of all its processes together, in bytes: what they map, a page that several share counted once. What
    /// lies in a file without a name and is not mapped (`memfd_create`) is not counted; `file_bytes` bounds each.
    pub memory_bytes: u64,
    /// Length of one file, in bytes; the kernel refuses to make a longer one.
    pub file_bytes: u64,
    /// Space on the disk that it may take, in bytes: by how much the free space of a file system that it may write falls
    /// while it runs. What others write there at that time counts, because nothing tells them apart.
    pub disk_bytes: u64,
}

/// How often processes, memory and disk space of a child are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// Every 100 ms: for programs that run what others wrote.
    Often,
    /// Every 500 ms: for programs that wait most of the time.
    Seldom,
}

/// Whether a child is confined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// Only what the rules name can be reached; the run is refused where that cannot be enforced.
    Confined(Rules),
    /// The child may do whatever the caller may. For programs that no agent can influence.
    Unconfined,
}

/// What a confined child may reach. Everything not named is refused.
///
/// Paths are absolute and contain no symbolic link: an earlier child that may write to the parent
/// directory could otherwise point a later child's rule somewhere else. Canonicalise a path when
/// it is decided upon, not before every run. `/proc/self` is taken as the program's own entry.
///
/// `/dev/null` (also for writing), `/dev/zero`, `/dev/random` and `/dev/urandom` are always there.
/// Unix sockets cannot be created in any network mode, nor pairs that carry datagrams: a daemon that listens on a path
/// would act outside the rules. Processes outside have no numbers for the child where there are process namespaces, and
/// get no signals in any case; System V objects are its own or refused.
/// Not covered, because Landlock has no such right: looking at metadata, and changing the mode,
/// owner and times of files that the user owns outside the rules. Watching directories is refused everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Files and directories (with everything below) to read, list and execute. Missing ones are skipped.
    pub read: Vec<PathBuf>,
    /// Directories to list, with all directories below, where nothing is read that `read` does not name. Missing ones are
    /// skipped.
    pub list: Vec<PathBuf>,
    /// Files and directories (with everything below) to change as well. Device nodes can't be made.
    /// A missing one is an error, because nothing could be written there.
    pub write: Vec<PathBuf>,
    /// Whether a network is there.
    pub network: Network,
}

/// Whether a confined child has a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Network {
    /// None, not even loopback.
    Refused,
    /// The caller's, with TCP connections to these ports alone, on any host, and no port of its own to listen on. Takes
    /// Linux 6.7; on an older kernel this is [`Network::Allowed`]. UDP is not restricted: names are resolved over it.
    Ports(Vec<u16>),
    /// One of its own, in which there is nothing but loopback and a listener at port [`PROXY_PORT`] of `127.0.0.1`. The
    /// caller gets the listener through a [`crate::Door`], and decides what can be reached through it. No port to listen
    /// on; nothing of the caller's loopback, and no UDP to anywhere.
    Proxied {
        /// The socket of the door.
        door: OsString,
    },
    /// The caller's.
    Allowed,
}

/// Where the listener of [`Network::Proxied`] is. Nothing else can have taken the port in a network that was just made.
pub const PROXY_PORT: u16 = 3128;

/// What nearly every dynamically linked program reads: libraries, system tools, time zones,
/// certificates, the program's own `/proc` entry. None of it holds a secret. Only existing paths
/// are listed, canonicalised, so that they can stand in [`Rules::read`] as they are.
pub fn system_paths() -> Vec<PathBuf> {
    const DIRECTORIES_AND_FILES: &[&str] = &[
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/etc/alternatives",
        "/etc/ca-certificates",
        "/etc/group",
        "/etc/host.conf",
        "/etc/hosts",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d",
        "/etc/localtime",
        "/etc/mime.types",
        "/etc/nsswitch.conf",
        "/etc/os-release",
        "/etc/passwd",
        "/etc/pki/ca-trust",
        "/etc/pki/tls/certs",
        "/etc/resolv.conf",
        "/etc/ssl/certs",
        "/etc/ssl/openssl.cnf",
        "/proc/cpuinfo",
        "/proc/filesystems",
        "/proc/loadavg",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/sys/vm/overcommit_memory",
        "/proc/version",
        "/sys/devices/system/cpu",
    ];
    let mut paths: Vec<PathBuf> =
        DIRECTORIES_AND_FILES.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
    paths.push(PathBuf::from("/proc/self"));
    paths.sort();
    paths.dedup();
    paths
}
