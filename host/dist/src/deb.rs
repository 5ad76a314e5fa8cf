//! The Debian package: <https://www.debian.org/doc/debian-policy/>. It has no scripts of a maintainer, so that installing it
//! runs nothing.

use crate::archive::{Tree, ar, gzip, tar};
use crate::{COMMAND, DistError, NAME, Package, Release, SUMMARY, Shell};

/// Makes the package.
///
/// # Errors
/// It cannot be written.
pub fn deb(release: &Release) -> Result<Package, DistError> {
    Package::made(format!("{NAME}_{}_{}.deb", release.version, release.machine.debian()), archive(release))
}

fn archive(release: &Release) -> std::io::Result<Vec<u8>> {
    let data = files(release)?;
    let mut control = Tree::default();
    control.file("control", control_file(release, &data));
    let pack = |tree: &Tree| tar(tree, "./").and_then(|bytes| gzip(&bytes, release.effort));
    let (control, data) = (pack(&control)?, pack(&data)?);
    ar(&[("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)])
}

fn files(release: &Release) -> std::io::Result<Tree> {
    let mut tree = Tree::default();
    tree.program(format!("usr/bin/{COMMAND}"), release.binary.clone());
    let manual = gzip(release.manual.as_bytes(), release.effort)?;
    tree.file(format!("usr/share/man/man1/{COMMAND}.1.gz"), manual);
    for (shell, text) in &release.completions {
        let path = match shell {
            Shell::Bash => format!("usr/share/bash-completion/completions/{COMMAND}"),
            Shell::Fish => format!("usr/share/fish/vendor_completions.d/{COMMAND}.fish"),
            Shell::Zsh => format!("usr/share/zsh/vendor-completions/_{COMMAND}"),
            // Debian has no place for these.
            Shell::Elvish | Shell::PowerShell => continue,
        };
        tree.file(path, text.as_bytes());
    }
    let copyright = format!("{}\n{}", release.licence, release.notices);
    tree.file(format!("usr/share/doc/{NAME}/copyright"), copyright);
    tree.file(format!("usr/share/doc/{NAME}/sbom.cdx.json"), release.sbom.as_bytes());
    tree.with_parents();
    Ok(tree)
}

fn control_file(release: &Release, data: &Tree) -> String {
    let (major, minor) = release.glibc;
    let size: usize = data.entries().filter_map(|(path, _)| data.bytes(path)).map(<[u8]>::len).sum();
    format!(
        "Package: {NAME}\nVersion: {}\nArchitecture: {}\nMaintainer: The bailiwick authors <bailiwick@localhost>\n\
         Installed-Size: {}\nDepends: libc6 (>= {major}.{minor}), libgcc-s1\n\
         Recommends: ca-certificates, git, nodejs, npm, python3-venv\nSection: devel\nPriority: optional\n\
         Description: {SUMMARY}\n",
        release.version,
        release.machine.debian(),
        size.div_ceil(1024)
    )
}
