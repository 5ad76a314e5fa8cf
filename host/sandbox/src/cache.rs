//! Compiled components on disk.
//!
//! A compiled component is machine code that this process will run, so loading one is trusting its author. The
//! directory therefore belongs to this user alone (0700), files in it are named by engine and component digest, no
//! file a user hands over is ever loaded as compiled, and what a disk or a crash has damaged is told by a digest.

use crate::error::{LoadError, SandboxError};
use bailiwick_base::files::Replace;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Where compiled components are kept.
#[derive(Debug, Clone)]
pub enum CompileCache {
    /// Nowhere: each load compiles.
    Off,
    /// In this directory, made if missing.
    Directory(PathBuf),
}

// A file is the SHA-256 of the rest, and the rest.
const DIGEST: usize = 32;

// Compiled code is about four times as long as the component. What is longer than this was not written by `keep`.
const MOST_PER_BYTE: u64 = 32;
const MOST_BESIDE: u64 = 16 << 20;

impl CompileCache {
    /// Loads the compiled form of a component of this length, compiling and keeping it if it is not there.
    pub(crate) fn component(
        &self,
        engine: &Engine,
        length: usize,
        digest: &str,
        compile: impl FnOnce() -> Result<Component, LoadError>,
    ) -> Result<Component, LoadError> {
        let Self::Directory(path) = self else { return compile() };
        let directory = secure(path)?;
        let name = format!("{}-{digest}.cwasm", engine_key(engine));
        let most = (length as u64).saturating_mul(MOST_PER_BYTE).saturating_add(MOST_BESIDE);
        if let Some(component) = load(engine, &directory, &name, most) {
            tracing::debug!(component = digest, "taken from the cache");
            return Ok(component);
        }
        let component = compile()?;
        tracing::debug!(component = digest, "compiled");
        // A cache that cannot be written costs time, not correctness.
        if let Ok(compiled) = component.serialize() {
            let _ = keep(&directory, &name, &compiled);
        }
        Ok(component)
    }

    /// The content of a file that [`CompileCache::write`] wrote, whole and ours.
    pub(crate) fn read(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let Self::Directory(path) = self else { return None };
        content(&secure(path).ok()?, name, most)
    }

    /// Writes a file, if there is a directory that is safe to write to.
    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let Self::Directory(path) = self else { return };
        if let Ok(directory) = secure(path) {
            let _ = keep(&directory, name, content);
        }
    }
}

/// Names the engine and its configuration: what one made, another one cannot use.
pub(crate) fn engine_key(engine: &Engine) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Makes the directory, or checks that no other user can have put anything into it. From here on it is this handle, and
/// no longer a path.
fn secure(path: &Path) -> Result<OwnedFd, SandboxError> {
    let unsafe_because = |reason: String| SandboxError::UnsafeCache { path: path.to_owned(), reason };
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| unsafe_because(error.to_string()))?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::openat(CWD, path, flags, Mode::empty())
        .map_err(|errno| unsafe_because(format!("it cannot be opened as a directory: {errno}")))?;
    let stat = rustix::fs::fstat(&directory).map_err(|errno| unsafe_because(errno.to_string()))?;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(unsafe_because("it belongs to another user".into()));
    }
    if stat.st_mode & 0o077 != 0 {
        return Err(unsafe_because(format!("its mode is {:03o} and should be 700", stat.st_mode & 0o777)));
    }
    Ok(directory)
}

/// Whether `keep` can have written it.
fn ours(stat: &Stat, most: u64) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_uid == rustix::process::geteuid().as_raw()
        && stat.st_mode & 0o077 == 0
        && u64::try_from(stat.st_size).is_ok_and(|size| size > DIGEST as u64 && size <= most)
}

/// The file without its digest, which is found to be right.
fn content(directory: &OwnedFd, name: &str, most: u64) -> Option<Vec<u8>> {
    // A FIFO at its place would block without `NONBLOCK`.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::openat(directory, name, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    if !ours(&stat, most) {
        return None;
    }
    let mut content = Vec::with_capacity(usize::try_from(stat.st_size).ok()? + 1);
    File::from(file).take(most).read_to_end(&mut content).ok()?;
    let (digest, rest) = content.split_at_checked(DIGEST)?;
    if *digest != *Sha256::digest(rest) {
        return None;
    }
    content.drain(..DIGEST);
    Some(content)
}

fn load(engine: &Engine, directory: &OwnedFd, name: &str, most: u64) -> Option<Component> {
    let compiled = content(directory, name, most)?;
    // From memory and not by mapping the file, so that what runs is what was checked.
    // SAFETY: the file lies in a directory that only this user can write to (checked by `secure`), belongs to this
    // user with no access for others, and is whole: it was written by `keep` under the engine's compatibility key.
    #[expect(unsafe_code, reason = "a compiled component is trusted input by nature; the checks above earn the trust")]
    let component = unsafe { Component::deserialize(engine, &compiled) };
    component.ok()
}

fn keep(directory: &OwnedFd, name: &str, compiled: &[u8]) -> std::io::Result<()> {
    // What is lost is compiled again.
    let replace = Replace { mode: 0o600, durable: false };
    replace.write_in(directory, OsStr::new(name), &[&Sha256::digest(compiled), compiled])
}
