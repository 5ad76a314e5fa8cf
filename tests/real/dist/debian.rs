//! The Debian package, read and unpacked by dpkg.

use super::home::Home;
use super::{Packages, prints, version};
use std::process::Command;

#[test]
fn package_names_what_it_needs_and_its_program_runs() {
    let (packages, home) = (Packages::all(), Home::new(&[]));
    let package = packages.find(".deb");
    let field = |name: &str| prints(Command::new("dpkg-deb").arg("--field").arg(&package).arg(name));
    let (major, minor) = packages.release.glibc;
    assert_eq!(field("Package"), "bailiwick-cli");
    assert_eq!(field("Depends"), format!("libc6 (>= {major}.{minor}), libgcc-s1"));
    let root = home.path().join("root");
    prints(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(&root));
    assert_eq!(prints(home.command(&root.join("usr/bin/bailiwick")).arg("--version")), version());
    for file in [
        "share/man/man1/bailiwick.1.gz",
        "share/bash-completion/completions/bailiwick",
        "share/doc/bailiwick-cli/copyright",
    ] {
        assert!(root.join("usr").join(file).is_file(), "{file}");
    }
    home.reads_over_mcp(&root.join("usr/bin/bailiwick"), &[]);
}
