//! The tarball: for people who unpack a program into a directory of their own.

use crate::archive::{Tree, gzip, tar};
use crate::{COMMAND, DistError, Package, Release};

/// Makes the tarball.
///
/// # Errors
/// It cannot be written.
pub fn tarball(release: &Release) -> Result<Package, DistError> {
    let directory = format!("{COMMAND}-{}-linux-{}", release.version, release.machine.npm());
    let file = format!("{directory}.tar.gz");
    let mut tree = Tree::default();
    tree.program(format!("{directory}/{COMMAND}"), release.binary.clone());
    tree.file(format!("{directory}/README.md"), release.readme.as_bytes());
    tree.file(format!("{directory}/LICENSE"), release.licence.as_bytes());
    tree.file(format!("{directory}/THIRD-PARTY.txt"), release.notices.as_bytes());
    tree.file(format!("{directory}/sbom.cdx.json"), release.sbom.as_bytes());
    tree.file(format!("{directory}/man/{COMMAND}.1"), release.manual.as_bytes());
    for (shell, text) in &release.completions {
        tree.file(format!("{directory}/completions/{}", shell.file()), text.as_bytes());
    }
    tree.with_parents();
    Package::made(file, tar(&tree, "").and_then(|bytes| gzip(&bytes, release.effort)))
}
