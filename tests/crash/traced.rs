//! The binary under `ptrace`: every system call that changes a file system is counted, and before any of them the process
//! can be killed.
//!
//! All threads of the process are traced, the children that it starts are not. A call that is about to be made when
//! SIGKILL arrives is not made.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{Error, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a traced process ended, and which changing calls it had begun.
pub(crate) struct Traced {
    pub(crate) unsynced: Unsynced,
    pub(crate) calls: Vec<&'static str>,
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `command`; kills it before its `kill`th changing call, counted from 0.
pub(crate) fn run(mut command: Command, kill: Option<usize>) -> Traced {
    // In files, because a child that outlives the process would keep a pipe open.
    let (mut out, mut err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdin(Stdio::null()).stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    #[expect(unsafe_code, reason = "the child asks to be traced before it becomes the program")]
    // SAFETY: the closure makes one system call and allocates nothing.
    unsafe {
        command.pre_exec(|| ptrace(libc::PTRACE_TRACEME, 0, 0, 0).map(drop));
    }
    let child = i32::try_from(command.spawn().unwrap().id()).unwrap();
    let mut unsynced = Unsynced::default();
    let (calls, code) = follow(child, kill, &mut unsynced);
    let read = |file: &mut std::fs::File| {
        let mut bytes = Vec::new();
        std::io::Seek::rewind(file).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Traced { unsynced, calls, code, stdout: read(&mut out), stderr: read(&mut err) }
}

fn follow(child: i32, kill: Option<usize>, unsynced: &mut Unsynced) -> (Vec<&'static str>, Option<i32>) {
    let names: BTreeMap<i64, &'static str> = CHANGING.iter().copied().collect();
    let mut calls = Vec::new();
    let mut begun = false;
    loop {
        let (thread, status) = wait();
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            if thread == child {
                return (calls, libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)));
            }
            continue;
        }
        let signal = libc::WSTOPSIG(status);
        let mut deliver = 0;
        if !begun {
            begun = true;
            let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_EXITKILL;
            ptrace(libc::PTRACE_SETOPTIONS, child, 0, usize::try_from(options).unwrap()).unwrap();
        } else if signal == libc::SIGTRAP | 0x80 {
            if let Some((name, arguments)) = changing(thread, &names) {
                unsynced.add(thread, name, &arguments);
                if kill == Some(calls.len()) {
                    #[expect(unsafe_code, reason = "there is no safe way to send a signal here")]
                    // SAFETY: the process is a child that was not waited for yet, so the number is its own.
                    unsafe {
                        libc::kill(child, libc::SIGKILL);
                    }
                }
                calls.push(name);
            }
        } else if signal != libc::SIGTRAP && signal != libc::SIGSTOP {
            // SIGTRAP tells of a new thread, which stops with SIGSTOP.
            deliver = signal;
        }
        // It may have been killed meanwhile.
        let _ = ptrace(libc::PTRACE_SYSCALL, thread, 0, usize::try_from(deliver).unwrap());
    }
}

fn wait() -> (i32, i32) {
    let mut status = 0;
    loop {
        #[expect(unsafe_code, reason = "the standard library waits for whole processes only")]
        // SAFETY: `status` outlives the call. Children of other threads of this test are left to them.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if thread > 0 {
            return (thread, status);
        }
        let error = Error::last_os_error();
        assert_eq!(error.raw_os_error(), Some(libc::EINTR), "{error}");
    }
}

/// The name of the changing call that the thread is about to make.
fn changing(thread: i32, names: &BTreeMap<i64, &'static str>) -> Option<(&'static str, [u64; 6])> {
    // op, 3 bytes, arch, instruction pointer, stack pointer, then for an entry the number and six arguments.
    let mut information = [0_u64; 11];
    let size = size_of_val(&information);
    ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, size, information.as_mut_ptr() as usize).ok()?;
    let entry = information[0] & 0xff == 1;
    let number = i64::try_from(information[3]).ok()?;
    let name = *names.get(&number).filter(|_| entry)?;
    let arguments: [u64; 6] = information[4..10].try_into().ok()?;
    let argument = |at: usize| arguments[at];
    let happens = match name {
        "openat" => {
            let flags = libc::c_int::try_from(argument(2) & 0x7fff_ffff).unwrap_or(0);
            flags & (libc::O_CREAT | libc::O_TRUNC) != 0
        }
        "write" | "pwrite64" | "writev" | "ftruncate" => is_kept(thread, argument(0)),
        _ => true,
    };
    happens.then_some((name, arguments))
}

/// Files that were written to and directories that got names, and were not brought to the disk since.
#[derive(Debug, Default)]
pub(crate) struct Unsynced {
    paths: BTreeSet<PathBuf>,
    /// What was not on the disk when a file got its name, by that name.
    pub(crate) at_rename: Vec<(PathBuf, BTreeSet<PathBuf>)>,
}

impl Unsynced {
    /// What lies in `directory`, or is one of those above it.
    pub(crate) fn in_or_above(&self, directory: &Path) -> Vec<&Path> {
        let counts = |path: &&PathBuf| path.starts_with(directory) || directory.starts_with(path);
        self.paths.iter().filter(counts).map(PathBuf::as_path).collect()
    }

    fn add(&mut self, thread: i32, call: &str, arguments: &[u64; 6]) {
        let named = |handle: u64, text: u64| place(thread, Some(handle), text);
        let parent = |path: &Path| path.parent().map(Path::to_owned);
        match call {
            "openat" => {
                if let Some(path) = named(arguments[0], arguments[1]).filter(|path| !path.exists()) {
                    self.paths.extend(parent(&path));
                }
            }
            "mkdir" => {
                // `mkdirat` has the handle first; a path is not a small number.
                let at = usize::from(arguments[0] >> 32 == 0 || arguments[0] >> 48 != 0);
                let path = place(thread, (at == 1).then_some(arguments[0]), arguments[at]);
                if let Some(path) = path.filter(|path| !path.exists()) {
                    self.paths.extend(parent(&path));
                }
            }
            "rename" => {
                let absolute = |text: u64| place(thread, None, text).filter(|path| path.is_absolute());
                let (old, new) = match absolute(arguments[0]) {
                    Some(old) => (Some(old), absolute(arguments[1])),
                    None => (named(arguments[0], arguments[1]), named(arguments[2], arguments[3])),
                };
                let (Some(old), Some(new)) = (old, new) else { return };
                self.at_rename.push((new.clone(), self.paths.clone()));
                if self.paths.remove(&old) {
                    self.paths.insert(new.clone());
                }
                self.paths.extend(parent(&new));
            }
            "write" | "pwrite64" | "writev" | "ftruncate" => self.paths.extend(opened(thread, arguments[0])),
            "fsync" | "fdatasync" => {
                if let Some(path) = opened(thread, arguments[0]) {
                    self.paths.remove(&path);
                }
            }
            "syncfs" => self.paths.clear(),
            _ => {}
        }
    }
}

fn opened(thread: i32, handle: u64) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{thread}/fd/{}", u32::try_from(handle).ok()?)).ok()
}

/// The path that a call names: the text at an address of the thread, relative to a handle or the working directory.
fn place(thread: i32, handle: Option<u64>, text: u64) -> Option<PathBuf> {
    let memory = std::fs::File::open(format!("/proc/{thread}/mem")).ok()?;
    let mut bytes = [0; 4096];
    let read = memory.read_at(&mut bytes, text).ok()?;
    let path = PathBuf::from(OsStr::from_bytes(bytes[..read].split(|byte| *byte == 0).next()?));
    if path.is_absolute() {
        return Some(path);
    }
    let working = || std::fs::read_link(format!("/proc/{thread}/cwd")).ok();
    Some(handle.and_then(|handle| opened(thread, handle)).or_else(working)?.join(path))
}

/// Whether what is written to a handle stays: it is no pipe, no socket and no file of the kernel's.
fn is_kept(thread: i32, handle: u64) -> bool {
    std::fs::read_link(format!("/proc/{thread}/fd/{handle}")).is_ok_and(|path| {
        let text = path.to_string_lossy();
        text.starts_with('/')
            && !["/dev/", "/proc/", "/sys/", "/memfd:"].iter().any(|kernel| text.starts_with(kernel))
            && !text.ends_with(" (deleted)")
    })
}

fn ptrace(request: libc::c_uint, thread: i32, address: usize, data: usize) -> std::io::Result<i64> {
    #[expect(unsafe_code, reason = "there is no safe way to trace a process")]
    // SAFETY: the two requests that write to memory of this process get the address and the length of a live buffer;
    // the others take numbers.
    let answer = unsafe { libc::ptrace(request, thread, address, data) };
    if answer < 0 { Err(Error::last_os_error()) } else { Ok(answer) }
}

/// The calls of this program that change a file system or wait for one, by number.
const CHANGING: &[(i64, &str)] = &[
    (libc::SYS_openat, "openat"),
    (libc::SYS_write, "write"),
    (libc::SYS_pwrite64, "pwrite64"),
    (libc::SYS_writev, "writev"),
    (libc::SYS_copy_file_range, "copy_file_range"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_truncate, "truncate"),
    (libc::SYS_fallocate, "fallocate"),
    (libc::SYS_renameat, "rename"),
    (libc::SYS_renameat2, "rename"),
    (libc::SYS_unlinkat, "unlink"),
    (libc::SYS_mkdirat, "mkdir"),
    (libc::SYS_linkat, "link"),
    (libc::SYS_symlinkat, "symlink"),
    (libc::SYS_fchmod, "chmod"),
    (libc::SYS_fchmodat, "chmod"),
    (libc::SYS_fchown, "chown"),
    (libc::SYS_fchownat, "chown"),
    (libc::SYS_utimensat, "utime"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_syncfs, "syncfs"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, "rename"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, "unlink"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, "unlink"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, "mkdir"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, "link"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_symlink, "symlink"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, "chmod"),
];
