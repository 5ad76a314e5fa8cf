//! Packages of the binary, and the licences of its dependencies. `bailiwick_dist` knows the formats.

use crate::guests::{self, Rebuild};
use crate::process::{run as run_program, say, step};
use crate::{host, remap, repository};
use anyhow::{Context, Result, bail};
use bailiwick_dist::licences::Policy;
use bailiwick_dist::{Effort, gather, write};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Wraps the binary.
#[derive(Args)]
pub(crate) struct Dist {
    /// Wrap this binary of the same sources, instead of building one for release.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the packages are written.
    #[arg(long, value_name = "DIRECTORY", default_value = "target/dist")]
    out: PathBuf,
    /// Compress little, to try something.
    #[arg(long)]
    quick: bool,
}

/// Makes all packages, and the file with the symbols.
///
/// # Errors
/// When something does not build or a package cannot be made.
pub(crate) fn run(arguments: &Dist) -> Result<()> {
    let binary = match &arguments.binary {
        Some(binary) => std::path::absolute(binary)?,
        None => build()?,
    };
    let out = repository::root().join(&arguments.out);
    fs::create_dir_all(&out).with_context(|| format!("cannot make `{}`", out.display()))?;
    let effort = if arguments.quick { Effort::Little } else { Effort::Most };
    let debug = out.join("bailiwick.debug");
    let root = repository::root();
    let release = step("dist: gathering", || Ok(gather::release(&binary, root, Some(&debug), effort)?))?;
    // The base of the image is made of Debian's packages, which only a Debian has.
    let base = if crate::debian::is_debian() {
        Some(step("dist: Debian's packages for the image", || Ok(gather::base(&out.join("base"))?))?)
    } else {
        say("dist: no image, because this is not Debian, whose packages are its base");
        None
    };
    let packages = step("dist: packing", || Ok(write::packages(&release, base.as_ref())?))?;
    write::write(&packages, &out)?;
    say(format_args!("installed: {:.1} MB", megabytes(release.binary.len())));
    for package in &packages {
        say(format_args!("{:>6.1} MB  {}", megabytes(package.bytes.len()), package.file));
    }
    say(format_args!("dist: written to `{}`", out.display()));
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// The binary, built for release and with its symbols.
fn build() -> Result<PathBuf> {
    host::fetch()?;
    guests::build(Rebuild::WhenChanged)?;
    let mut cargo = repository::cargo();
    cargo.args(["rustc", "--release", "--locked", "--package", "bailiwick-cli", "--bin", "bailiwick", "--"]);
    cargo.args(["-C", "strip=none"]);
    // Functions with the same code become one, which the default linker of this platform alone can do. Packed relocations
    // (`-z pack-relative-relocs`) would save some megabytes, and no glibc before 2.36 reads them: Ubuntu 22.04 has 2.35.
    if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        cargo.args(["-C", "link-arg=-Wl,--icf=all"]);
    }
    remap::add(&mut cargo, repository::root(), &repository::target()?)?;
    step("dist: building for release", || run_program(&mut cargo))?;
    host::built("release")
}

/// Holds the licence of every dependency against `deny.toml`.
///
/// # Errors
/// When one is not allowed, with all that are not.
pub(crate) fn check_licences() -> Result<()> {
    check(repository::root())
}

fn check(root: &Path) -> Result<()> {
    let policy = Policy::read(&fs::read_to_string(root.join("deny.toml")).context("cannot read `deny.toml`")?)?;
    let metadata = gather::metadata(root)?;
    let complaints: Vec<String> = metadata.foreign().filter_map(|one| policy.complaint(one)).collect();
    if !complaints.is_empty() {
        bail!("{}", complaints.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_of_all_dependencies_are_allowed() {
        check_licences().unwrap();
    }
}
