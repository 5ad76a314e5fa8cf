//! Building the guests: every package in `components/` that is a component, to `components/dist/<package>.wasm`.

mod inputs;
mod toolchain;

use crate::process::{run, run_with_retries, say};
use crate::repository;
use anyhow::{Context, Result, bail};
use bailiwick_guests::{Component, FLAGS, TARGET};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a guest may import. The host grants notices to added components alone, so a built-in tool that imported them
/// would not be loaded.
const ALLOWED: [&str; 3] = ["wasi:filesystem/", "bailiwick:built-in/directories@", "bailiwick:tool/notices@"];

/// What a guest of the tests imports beyond that: a built-in tool asks no questions and waits for nothing.
const FURTHER: [(&str, [&str; 2]); 2] = [
    ("hostile_net_guest", ["wasi:http/", "wasi:io/"]),
    ("conformance_fixtures", ["wasi:clocks/monotonic-clock@", "wasi:io/"]),
];

/// The one guest that may import everything: it tries what of WASI is inert.
const TRIES_ALL: &str = "hostile_wasi_guest";

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
        "tests/hostile-built-in-guest",
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
    let toolchain = toolchain::find()?;
    say(format_args!("guests: building with {toolchain}"));
    run_with_retries(|| toolchain::cargo(&toolchain, "fetch"))?;
    run(toolchain::cargo(&toolchain, "build")
        .args(["--release", "--target", TARGET])
        .args(toolchain.cargo().arguments))?;

    fs::create_dir_all(repository::dist()).context("cannot make `components/dist`")?;
    for name in &names {
        let module = modules().join(format!("{}.wasm", name.replace('-', "_")));
        let built = component(&module).with_context(|| format!("`{name}` does not make a component"))?;
        put(&finished(name), &built.bytes)?;
        say(format_args!("guests: {name}: {} bytes, imports {}", built.bytes.len(), built.imports.join(", ")));
    }
    put(&stamp, digest.as_bytes())?;
    say(format_args!("guests: built in {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// Makes a component of the core module at `path`, unless it imports more than the host would grant.
fn component(path: &Path) -> Result<Component> {
    let module = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let built = Component::of_module(&module)?;
    let all = path.file_stem().is_some_and(|name| name == TRIES_ALL);
    let further = FURTHER.iter().filter(|(name, _)| path.file_stem().is_some_and(|stem| stem == *name));
    let allowed = || ALLOWED.iter().chain(further.clone().flat_map(|(_, imports)| imports));
    let refused = |import: &&String| !all && !allowed().any(|allowed| import.starts_with(allowed));
    if let Some(other) = built.imports.iter().find(refused) {
        bail!(
            "it imports `{other}`, and a guest may import `wasi:filesystem`, `bailiwick:built-in/directories` and `bailiwick:tool/notices` only"
        );
    }
    Ok(built)
}

fn finished(name: &str) -> PathBuf {
    repository::dist().join(format!("{name}.wasm"))
}

fn modules() -> PathBuf {
    toolchain::target_directory().join(TARGET).join("release")
}

/// Writes beside and renames, so that a build that embeds the file meanwhile sees the old or the new.
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
