//! Compiled components on disk.
//!
//! A compiled component is machine code that this process will run, so loading one is trusting its author. The
//! directory therefore belongs to this user alone (0700), files in it are named by engine and component digest, and
//! no file a user hands over is ever loaded as compiled.

use crate::error::SandboxError;
use rustix::fd::AsRawFd;
use rustix::fs::{CWD, Mode, OFlags};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
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

impl CompileCache {
    /// Loads the compiled form of `bytes`, compiling and keeping it if it is not there.
    pub(crate) fn component(&self, engine: &Engine, bytes: &[u8], digest: &str) -> Result<Component, Problem> {
        let Self::Directory(directory) = self else {
            return Component::from_binary(engine, bytes).map_err(Problem::Compile);
        };
        secure(directory)?;
        let path = directory.join(format!("{}-{digest}.cwasm", engine_key(engine)));
        if let Some(component) = load(engine, &path) {
            return Ok(component);
        }
        let component = Component::from_binary(engine, bytes).map_err(Problem::Compile)?;
        // A cache that cannot be written costs time, not correctness.
        if let Ok(compiled) = component.serialize() {
            let _ = keep(directory, &path, &compiled);
        }
        Ok(component)
    }
}

pub(crate) enum Problem {
    Cache(SandboxError),
    Compile(wasmtime::Error),
}

impl From<SandboxError> for Problem {
    fn from(error: SandboxError) -> Self {
        Self::Cache(error)
    }
}

fn engine_key(engine: &Engine) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Makes the directory, or checks that nobody else can have put anything into it.
fn secure(directory: &Path) -> Result<(), SandboxError> {
    let unsafe_because = |reason: String| SandboxError::UnsafeCache { path: directory.to_owned(), reason };
    match std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory) {
        Ok(()) => {}
        Err(error) => return Err(unsafe_because(error.to_string())),
    }
    let metadata = std::fs::symlink_metadata(directory).map_err(|error| unsafe_because(error.to_string()))?;
    if !metadata.is_dir() {
        return Err(unsafe_because("it is not a directory".into()));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(unsafe_because("it belongs to another user".into()));
    }
    if metadata.mode() & 0o077 != 0 {
        return Err(unsafe_because(format!("its mode is {:03o} and should be 700", metadata.mode() & 0o777)));
    }
    Ok(())
}

fn load(engine: &Engine, path: &Path) -> Option<Component> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(CWD, path, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    if stat.st_uid != rustix::process::geteuid().as_raw() || stat.st_mode & 0o077 != 0 {
        return None;
    }
    // By its handle, so that what is mapped is what was checked.
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: the file lies in a directory that only this user can write to (checked by `secure`), belongs to this
    // user with no access for others, and was written by `keep` under the engine's own compatibility key.
    #[expect(unsafe_code, reason = "a compiled component is trusted input by nature; the checks above earn the trust")]
    let component = unsafe { Component::deserialize_file(engine, handle) };
    component.ok()
}

fn keep(directory: &Path, path: &Path, compiled: &[u8]) -> std::io::Result<()> {
    let temporary = directory.join(format!(".{}-{}", std::process::id(), path.display().to_string().len()));
    let _ = std::fs::remove_file(&temporary);
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(compiled)?;
    drop(file);
    std::fs::rename(&temporary, path)
}
