//! Tells a test of every step that changes a disk and of every wait for the disk, so that it can replay what a machine
//! that lost its power would have kept.

#[cfg(feature = "failpoints")]
use std::cell::RefCell;

#[cfg(feature = "failpoints")]
use super::facts::Identity;

/// What has just been passed.
#[cfg(feature = "failpoints")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// The next step that changes something is about to be taken.
    Step,
    /// This file, or the names and facts of this directory, are on the disk.
    Synced(Identity),
    /// Everything on the file system of this file or directory is on the disk.
    SyncedEverything(Identity),
}

/// Receives the observations.
#[cfg(feature = "failpoints")]
pub type Observer = Box<dyn FnMut(Passed)>;

#[cfg(feature = "failpoints")]
thread_local! {
    static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
}

/// Reports what this thread does to `observer` from now on; `None` ends the reports.
#[cfg(feature = "failpoints")]
pub fn observe(observer: Option<Observer>) {
    OBSERVER.set(observer);
}

/// Tells the observer. Changes that the observer makes itself are not told.
#[cfg(feature = "failpoints")]
pub(super) fn tell(passed: Passed) {
    if let Some(mut observer) = OBSERVER.take() {
        observer(passed);
        OBSERVER.set(Some(observer));
    }
}

/// An open file or directory was brought to the disk.
pub(super) fn synced(handle: impl std::os::fd::AsFd) -> rustix::io::Result<()> {
    #[cfg(feature = "failpoints")]
    tell(Passed::Synced(super::open::facts_of(handle)?.identity()));
    #[cfg(not(feature = "failpoints"))]
    let _ = handle;
    Ok(())
}

/// A whole file system was brought to the disk.
pub(super) fn synced_everything(handle: impl std::os::fd::AsFd) -> rustix::io::Result<()> {
    #[cfg(feature = "failpoints")]
    tell(Passed::SyncedEverything(super::open::facts_of(handle)?.identity()));
    #[cfg(not(feature = "failpoints"))]
    let _ = handle;
    Ok(())
}
