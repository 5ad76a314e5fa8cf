//! Packages of the binary, installed from registries on loopback into an empty home with no Rust on the path, and used.
//!
//! The binary is the development build that is under test, because a release build takes more than half an hour of processor
//! time; `cargo xtask dist` wraps a release build by the same code. The registries stand in for real ones: they are a static
//! server of files in the form that pip, uv and npm read.

mod bundle;
mod debian;
mod home;
mod image;
mod npm;
mod registry;
mod wheel;

use bailiwick_dist::{Effort, Release, gather, write};
use bailiwick_tests::{binary, cache, sbom_validator};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The packages of the binary under test.
struct Packages {
    release: Release,
    directory: tempfile::TempDir,
}

impl Packages {
    /// Made once for all tests.
    fn all() -> &'static Self {
        static PACKAGES: OnceLock<Packages> = OnceLock::new();
        PACKAGES.get_or_init(|| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
            let release = gather::release(&binary(), root, None, Effort::Little).unwrap();
            let base = gather::base(&cache().join("test-clients/image-base")).unwrap();
            let directory = tempfile::tempdir().unwrap();
            write::write(&write::packages(&release, Some(&base)).unwrap(), directory.path()).unwrap();
            Self { release, directory }
        })
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The one whose name ends so.
    fn find(&self, ends: &str) -> PathBuf {
        let mut entries = self.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
        entries.find(|path| path.to_str().unwrap().ends_with(ends)).unwrap_or_else(|| panic!("no `{ends}`"))
    }
}

/// What a command prints; it has to succeed.
#[track_caller]
fn prints(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout.trim().to_owned()
}

/// What `--version` prints.
fn version() -> String {
    format!("bailiwick {}", Packages::all().release.version)
}

#[test]
fn sums_hold_and_the_bill_of_materials_is_what_cyclonedx_describes() {
    let packages = Packages::all();
    prints(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(packages.path()));
    prints(sbom_validator().arg(packages.path().join("sbom.cdx.json")));
    let bill = &packages.release.sbom;
    assert!(bill.contains("pkg:cargo/wasmtime@") && !bill.contains("pkg:cargo/proptest@"));
    assert!(packages.release.notices.contains("wasmtime 48"), "licences of what is linked");
}

#[test]
fn tarball_runs_where_it_is_unpacked() {
    let (packages, home) = (Packages::all(), home::Home::new(&[]));
    prints(Command::new("tar").arg("xzf").arg(packages.find(".tar.gz")).arg("-C").arg(home.path()));
    let directory = home.path().join(format!("bailiwick-{}-linux-x64", packages.release.version));
    assert_eq!(prints(home.command(&directory.join("bailiwick")).arg("--version")), version());
    let manual = std::fs::read_to_string(directory.join("man/bailiwick.1")).unwrap();
    assert!(manual.contains(".TH bailiwick 1"), "{manual}");
    let said = prints(home.command(&directory.join("bailiwick")).arg("self"));
    assert!(said.contains("copied or unpacked"), "{said}");
    home.reads_over_mcp(&directory.join("bailiwick"), &[]);
}
