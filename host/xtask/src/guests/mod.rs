//! Building the guests: every package in `components/` that is a component, to `components/dist/<package>.wasm`.

mod component;
mod inputs;
mod packaged;
mod toolchain;

use crate::process::{run, run_with_retries, say};
use crate::repository;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use toolchain::Toolchain;

/// Stack and memory are small and fixed, so that a call needs no `memory.grow`, and no system call for it, unless a file
/// is large. Vector instructions make reading a large file three times as fast.
const FLAGS: &str = "-Clink-arg=-zstack-size=65536 -Clink-arg=--initial-memory=4194304 -Ctarget-feature=+simd128";

/// Whether guests are built when nothing they are made of has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rebuild {
    /// Only when something has.
    WhenChanged,
    /// In any case.
    Always,
}

/// Builds what is out of date.
///
/// # Errors
/// When no wasm toolchain can be had, with the commands that would get one, or when a guest does not build.
pub(crate) fn build(rebuild: Rebuild) -> Result<()> {
    let names = names()?;
    let others = [
        "wit",
        "tests/hostile-guest",
        "tests/hostile-net-guest",
        "tests/hostile-rich-guest",
        "tests/hostile-wasi-guest",
        "tests/conformance-fixtures",
    ]
    .map(|part| repository::root().join(part));
    let digest = inputs::digest(&repository::components(), &others.each_ref().map(PathBuf::as_path), FLAGS)?;
    let stamp = repository::dist().join("inputs.sha256");
    let present = names.iter().all(|name| finished(name).is_file());
    if rebuild == Rebuild::WhenChanged && present && fs::read_to_string(&stamp).is_ok_and(|known| known == digest) {
        say("guests: up to date");
        return Ok(());
    }
    let started = Instant::now();
    let toolchain = Toolchain::find()?;
    say(format_args!("guests: building with {toolchain}"));
    run_with_retries(|| toolchain.cargo("fetch"))?;
    run(toolchain.cargo("build").args(["--release", "--target", toolchain::TARGET]).args(toolchain.build_std()))?;

    fs::create_dir_all(repository::dist()).context("cannot make `components/dist`")?;
    for name in &names {
        let module = modules().join(format!("{}.wasm", name.replace('-', "_")));
        let built = component::from_module(&module).with_context(|| format!("`{name}` does not make a component"))?;
        put(&finished(name), &built.bytes)?;
        say(format_args!("guests: {name}: {} bytes, imports {}", built.bytes.len(), built.imports.join(", ")));
    }
    put(&stamp, digest.as_bytes())?;
    say(format_args!("guests: built in {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

fn finished(name: &str) -> PathBuf {
    repository::dist().join(format!("{name}.wasm"))
}

fn modules() -> PathBuf {
    toolchain::target_directory().join(toolchain::TARGET).join("release")
}

/// Writes beside and renames, so that whoever embeds the file meanwhile sees the old or the new.
fn put(path: &Path, content: &[u8]) -> Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, content)
        .and_then(|()| fs::rename(&beside, path))
        .with_context(|| format!("cannot write `{}`", path.display()))
}

/// The packages of the guests' workspace that are components, by cargo's own account.
fn names() -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        targets: Vec<Target>,
    }
    #[derive(Deserialize)]
    struct Target {
        kind: Vec<String>,
    }
    let output = repository::cargo()
        .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path", "components/Cargo.toml"])
        .output()
        .context("cannot start cargo")?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("cargo says: {}", String::from_utf8_lossy(&output.stderr).trim()))?;
    let is_component =
        |package: &Package| package.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "cdylib"));
    Ok(metadata.packages.into_iter().filter(is_component).map(|package| package.name).collect())
}
