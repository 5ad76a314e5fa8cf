//! The npm packages: one for each platform with the binary, and the main one, which depends on all of them optionally, so
//! that npm installs the one that fits.

use crate::archive::{Tree, gzip, tar};
use crate::{COMMAND, DistError, NAME, Package, Release, SUMMARY};
use serde_json::{Value, json};

/// Starts the binary of the platform package, and ends as it ends.
const LAUNCHER: &str = include_str!("npm/launcher.js");

/// Makes the main package and the one of the release's platform.
///
/// # Errors
/// One of them cannot be written.
pub fn npm(release: &Release) -> Result<[Package; 2], DistError> {
    Ok([main(release)?, platform(release)?])
}

/// The name of the package with the binary of this release.
#[must_use]
pub fn platform_name(release: &Release) -> String {
    format!("{NAME}-linux-{}", release.machine.npm())
}

fn main(release: &Release) -> Result<Package, DistError> {
    let mut manifest = common(release, NAME);
    manifest["bin"] = json!({ COMMAND: "bin/bailiwick.js" });
    manifest["engines"] = json!({ "node": ">=18" });
    manifest["optionalDependencies"] = json!({ platform_name(release): release.version });
    let mut tree = Tree::default();
    tree.program("package/bin/bailiwick.js", LAUNCHER);
    tree.file("package/README.md", release.readme.as_bytes());
    pack(release, NAME, &manifest, tree)
}

fn platform(release: &Release) -> Result<Package, DistError> {
    let name = platform_name(release);
    let mut manifest = common(release, &name);
    manifest["os"] = json!(["linux"]);
    manifest["cpu"] = json!([release.machine.npm()]);
    manifest["libc"] = json!(["glibc"]);
    let mut tree = Tree::default();
    tree.program(format!("package/bin/{COMMAND}"), release.binary.clone());
    tree.file("package/THIRD-PARTY.txt", release.notices.as_bytes());
    tree.file(format!("package/{NAME}.cdx.json"), release.sbom.as_bytes());
    tree.file("package/README.md", format!("The binary of [{NAME}](https://www.npmjs.com/package/{NAME}).\n"));
    pack(release, &name, &manifest, tree)
}

fn common(release: &Release, name: &str) -> Value {
    json!({ "name": name, "version": release.version, "description": SUMMARY, "license": "MIT" })
}

fn pack(release: &Release, name: &str, manifest: &Value, mut tree: Tree) -> Result<Package, DistError> {
    let file = format!("{name}-{}.tgz", release.version);
    tree.file("package/package.json", format!("{manifest:#}\n"));
    tree.file("package/LICENSE", release.licence.as_bytes());
    Package::made(file, tar(&tree, "").and_then(|bytes| gzip(&bytes, release.effort)))
}
