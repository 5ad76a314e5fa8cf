//! Clients of the MCP server from other projects, installed once from their lock files into the cache.

use crate::cache;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp-clients").join(name)
}

/// A directory that is made once for each state of a lock file. Tests of several processes wait for the first.
fn installed(name: &str, lock_file: &Path, install: impl Fn(&Path)) -> PathBuf {
    let digest = Sha256::digest(std::fs::read(lock_file).unwrap());
    let key: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let home = cache().join("test-clients");
    std::fs::create_dir_all(&home).unwrap();
    let (directory, marker) = (home.join(format!("{name}-{key}")), home.join(format!("{name}-{key}.done")));
    let lock = std::fs::File::create(home.join(format!("{name}-{key}.lock"))).unwrap();
    lock.lock().unwrap();
    if !marker.is_file() {
        // An environment of Python cannot be moved, so it is made where it stays.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        install(&directory);
        std::fs::write(&marker, "").unwrap();
    }
    directory
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The Python SDK's client: a command that takes the scenario as JSON and prints what came of it.
#[must_use]
pub fn python_client() -> Command {
    python("drive.py")
}

/// The stand-in for an issuer of access tokens: a command that prints its address and goes on.
#[must_use]
pub fn stand_in_issuer() -> Command {
    python("issuer.py")
}

fn python(script: &str) -> Command {
    let environment = environment("python", &source("python").join("requirements.txt"));
    let mut command = Command::new(environment.join("bin/python"));
    command.arg(source("python").join(script));
    command
}

/// An environment of Python with what a file of requirements locks.
pub(crate) fn environment(name: &str, requirements: &Path) -> PathBuf {
    installed(name, requirements, |directory| {
        run(Command::new("python3").args(["-m", "venv"]).arg(directory));
        let pip = directory.join("bin/python");
        run(Command::new(pip)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"])
            .arg("-r")
            .arg(requirements));
    })
}

/// The Inspector's command line, under a Node that it runs on.
#[must_use]
pub fn inspector() -> Command {
    let directory = npm("npm");
    let mut command = Command::new(node(&directory));
    command.arg(directory.join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
    command
}

/// The TypeScript SDKs' clients: a command that takes the scenario as JSON and prints what came of it.
#[must_use]
pub fn typescript_client() -> Command {
    const DRIVE: &str = include_str!("../mcp-clients/npm/drive.mjs");
    let directory = npm("npm");
    // A module finds its packages from where it lies; its name says what is in it.
    let digest: String = Sha256::digest(DRIVE).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let drive = directory.join(format!("drive-{digest}.mjs"));
    if !drive.is_file() {
        // Whole or not at all: tests of several threads and processes may come here at once.
        let mut partial = tempfile::NamedTempFile::new_in(&directory).unwrap();
        std::io::Write::write_all(&mut partial, DRIVE.as_bytes()).unwrap();
        partial.persist(&drive).unwrap();
    }
    let mut command = Command::new(node(&directory));
    command.arg(drive);
    command
}

/// The reference file server, to which the directories it may use are added; under the same Node as the Inspector.
#[must_use]
pub fn reference_file_server() -> Command {
    let mut command = Command::new(node(&npm("npm")));
    command.arg(npm("file-server").join("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"));
    command
}

/// The packages of a lock file.
pub(crate) fn npm(name: &str) -> PathBuf {
    npm_of(name, &source(name))
}

/// An older TypeSpec compiler with its libraries: `1.0` or `1.6`.
#[must_use]
pub fn older_compiler(version: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("compilers").join(version);
    npm_of(&format!("compiler-{version}"), &source)
}

pub(crate) fn npm_of(name: &str, source: &Path) -> PathBuf {
    installed(name, &source.join("package-lock.json"), |directory| {
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(source.join(file), directory.join(file)).unwrap();
        }
        run(Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(directory));
    })
}

/// A Node for programs that ask for more than the one of this machine.
pub(crate) fn newer_node() -> PathBuf {
    node(&npm("npm"))
}

/// The Node that came with the clients, in the package for this platform.
fn node(directory: &Path) -> PathBuf {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => panic!("no Node is locked for {other}"),
    };
    directory.join(format!("node_modules/node-linux-{architecture}/bin/node"))
}
