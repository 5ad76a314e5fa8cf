//! The thread that swaps.

use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, RenameFlags, openat, renameat, renameat_with, symlinkat};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Runs one step over and over until it is dropped. A step leaves everything in one of the states of the attack.
pub(crate) struct Attacker {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Attacker {
    pub(crate) fn start(mut step: impl FnMut() + Send + 'static) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let thread = std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                step();
            }
        });
        Self { stop, thread: Some(thread) }
    }

    /// The directory `swap` in `granted` trades places with a link to the outside.
    pub(crate) fn exchanging(granted: &Path) -> Self {
        std::os::unix::fs::symlink("../outside", granted.join("other")).unwrap();
        let handle = open(granted);
        Self::start(move || {
            renameat_with(&handle, "swap", &handle, "other", RenameFlags::EXCHANGE).unwrap();
        })
    }

    /// The directory `moved` lies in `here`, then in `there`, and is back in `here` after each step.
    pub(crate) fn dancing(here: &Path, there: &Path) -> Self {
        let (here, there) = (open(here), open(there));
        Self::start(move || {
            renameat(&here, "moved", &there, "moved").unwrap();
            renameat(&there, "moved", &here, "moved").unwrap();
        })
    }

    /// `name` is a fresh regular file, then what `other` makes, and so on. Each replaces the one before in one step, so
    /// there is always one of the two, whatever a tool puts there in between.
    pub(crate) fn replacing(
        directory: &Path,
        name: &'static str,
        mut other: impl FnMut(&Path) + Send + 'static,
    ) -> Self {
        let handle = open(directory);
        let (file, odd) = (directory.join(".file"), directory.join(".odd"));
        Self::start(move || {
            other(&odd);
            renameat(&handle, ".odd", &handle, name).unwrap();
            std::fs::write(&file, "one\n").unwrap();
            renameat(&handle, ".file", &handle, name).unwrap();
        })
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            // An attacker that failed attacked nothing.
            assert!(ended.is_ok() || std::thread::panicking(), "the attacker failed");
        }
    }
}

/// Makes a link to the outside.
pub(crate) fn link_to(target: &'static str) -> impl FnMut(&Path) + Send {
    move |place| symlinkat(target, CWD, place).unwrap()
}

/// Makes a FIFO without a peer: opening it would block for ever.
pub(crate) fn fifo(place: &Path) {
    rustix::fs::mknodat(CWD, place, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

fn open(directory: &Path) -> OwnedFd {
    openat(CWD, directory, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap()
}
