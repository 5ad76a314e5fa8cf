//! The Python wheel: <https://packaging.python.org/en/latest/specifications/binary-distribution-format/>.
//!
//! It installs two programs: `bailiwick`, and `bailiwick-cli`, a script of two lines that starts it, because `uvx` and
//! `pipx run` start the program that is called like the package. The bill of materials is where PEP 770 puts it.

use crate::archive::{Entry, Tree, zip};
use crate::{COMMAND, DistError, NAME, Package, Release, SUMMARY};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Installers copy it as it is, so it finds its neighbour by its own place.
const LAUNCHER: &str = "#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/bailiwick\" \"$@\"\n";

/// Makes the wheel.
///
/// # Errors
/// It cannot be written.
pub fn wheel(release: &Release) -> Result<Package, DistError> {
    let name = NAME.replace('-', "_");
    let version = &release.version;
    let (major, minor) = release.glibc;
    let tag = format!("py3-none-manylinux_{major}_{minor}_{}", release.machine.uname());
    let file = format!("{name}-{version}-{tag}.whl");
    let (data, info) = (format!("{name}-{version}.data"), format!("{name}-{version}.dist-info"));

    let mut tree = Tree::default();
    tree.program(format!("{data}/scripts/{COMMAND}"), release.binary.clone());
    tree.program(format!("{data}/scripts/{NAME}"), LAUNCHER);
    tree.file(format!("{info}/METADATA"), metadata(release));
    tree.file(
        format!("{info}/WHEEL"),
        format!("Wheel-Version: 1.0\nGenerator: bailiwick-dist {version}\nRoot-Is-Purelib: false\nTag: {tag}\n"),
    );
    tree.file(format!("{info}/licenses/LICENSE"), release.licence.as_bytes());
    tree.file(format!("{info}/licenses/THIRD-PARTY.txt"), release.notices.as_bytes());
    tree.file(format!("{info}/sboms/{NAME}.cdx.json"), release.sbom.as_bytes());
    tree.file(format!("{data}/data/share/man/man1/{COMMAND}.1"), release.manual.as_bytes());
    let record = record(&tree, &format!("{info}/RECORD"));
    tree.file(format!("{info}/RECORD"), record);
    Package::made(file, zip(&tree, release.effort, &info))
}

fn metadata(release: &Release) -> String {
    format!(
        "Metadata-Version: 2.4\nName: {NAME}\nVersion: {}\nSummary: {SUMMARY}\nLicense-Expression: MIT\n\
         License-File: LICENSE\nLicense-File: THIRD-PARTY.txt\nRequires-Python: >=3.8\n\
         Classifier: Environment :: Console\nClassifier: Operating System :: POSIX :: Linux\n\
         Classifier: Programming Language :: Rust\nDescription-Content-Type: text/markdown; charset=UTF-8\n\n{}",
        release.version, release.readme
    )
}

/// The digest of every file but this one.
fn record(tree: &Tree, own: &str) -> String {
    let mut text = String::new();
    for (path, entry) in tree.entries() {
        if let Entry::File { bytes, .. } = entry {
            let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{path},sha256={digest},{}", bytes.len());
        }
    }
    text + own + ",,\n"
}
