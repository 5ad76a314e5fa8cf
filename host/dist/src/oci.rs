//! The OCI image, as an image layout in a tar archive: <https://github.com/opencontainers/image-spec/blob/main/image-layout.md>.
//! No container daemon takes part.
//!
//! The image is the binary on a base of Debian packages: the C library, its compiler's support library and certificates. It
//! serves files and tools; it has no git and no toolchains. Load it with `docker load`, `podman load` or
//! `skopeo copy oci-archive:FILE …`.

use crate::archive::{Entry, Tree, gzip, read_tar, tar};
use crate::{COMMAND, DistError, Package, Release, SUMMARY};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The Debian packages that the binary needs.
pub const BASE: [&str; 3] = ["ca-certificates", "libc6", "libgcc-s1"];

/// What a program does not read.
const LEFT_OUT: [&str; 6] = [
    "usr/share/doc/",
    "usr/share/man/",
    "usr/share/lintian/",
    "usr/share/locale/",
    "usr/sbin/",
    "usr/lib/x86_64-linux-gnu/gconv/",
];
/// Where Debian keeps the certificates, one a file.
const CERTIFICATES: &str = "usr/share/ca-certificates/mozilla/";
/// Where programs look for all of them.
const BUNDLE: &str = "etc/ssl/certs/ca-certificates.crt";
/// The user of the process: not root, and of no other image.
const USER: u32 = 65_532;

/// The base of the image.
///
/// # Errors
/// One of the archives cannot be read.
pub fn base(packages: &[(String, Vec<u8>)]) -> Result<Tree, DistError> {
    let mut tree = Tree::default();
    for (name, archive) in packages {
        let read = read_tar(archive).map_err(|source| DistError::Archive { name: name.clone(), source })?;
        tree.extend(read);
    }
    let certificates: Vec<u8> = tree
        .entries()
        .filter(|(path, _)| path.starts_with(CERTIFICATES))
        .filter_map(|(_, entry)| if let Entry::File { bytes, .. } = entry { Some(bytes.clone()) } else { None })
        .flatten()
        .collect();
    let left_out = |path: &str| {
        LEFT_OUT.iter().any(|prefix| path.starts_with(prefix)) || path.starts_with("usr/share/ca-certificates")
    };
    tree.0.retain(|path, _| !left_out(path));
    tree.file(BUNDLE, certificates);
    // Newer packages have these directories beneath `usr` alone.
    for directory in ["lib", "lib64"] {
        let beneath = format!("usr/{directory}/");
        let has = |prefix: &str| tree.entries().any(|(path, _)| path.starts_with(prefix));
        if !has(&format!("{directory}/")) && has(&beneath) {
            tree.link(directory, format!("usr/{directory}"));
        }
    }
    tree.with_parents();
    Ok(tree)
}

/// Makes the image.
///
/// # Errors
/// It cannot be written.
pub fn image(release: &Release, base: &Tree) -> Result<Package, DistError> {
    let file = format!("{COMMAND}-{}-linux-{}.oci.tar", release.version, release.machine.debian());
    Package::made(file, layout(release, base))
}

fn layout(release: &Release, base: &Tree) -> std::io::Result<Vec<u8>> {
    let (mut layout, mut layers, mut diffs) = (Tree::default(), Vec::new(), Vec::new());
    for tree in [base.clone(), program(release)] {
        let plain = tar(&tree, "")?;
        diffs.push(format!("sha256:{}", hex(&plain)));
        let packed = gzip(&plain, release.effort)?;
        layers.push(blob(&mut layout, "application/vnd.oci.image.layer.v1.tar+gzip", packed));
    }
    let configuration = json!({
        "architecture": release.machine.debian(),
        "os": "linux",
        "config": {
            "Entrypoint": [format!("/usr/bin/{COMMAND}")],
            "Env": ["PATH=/usr/bin", "HOME=/home/bailiwick", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
            "User": format!("{USER}:{USER}"),
            "WorkingDir": "/home/bailiwick",
            "Labels": {
                "org.opencontainers.image.title": COMMAND,
                "org.opencontainers.image.description": SUMMARY,
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "MIT"
            }
        },
        "rootfs": { "type": "layers", "diff_ids": diffs }
    });
    let configuration = json_blob(&mut layout, "application/vnd.oci.image.config.v1+json", &configuration);
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": configuration,
        "layers": layers
    });
    let mut manifest = json_blob(&mut layout, "application/vnd.oci.image.manifest.v1+json", &manifest);
    manifest["platform"] = json!({ "architecture": release.machine.debian(), "os": "linux" });
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": format!("{COMMAND}:{}", release.version) });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest]
    });
    layout.file("index.json", index.to_string());
    layout.file("oci-layout", json!({ "imageLayoutVersion": "1.0.0" }).to_string());
    layout.with_parents();
    tar(&layout, "")
}

/// The layer with the program.
fn program(release: &Release) -> Tree {
    let mut tree = Tree::default();
    tree.program(format!("usr/bin/{COMMAND}"), release.binary.clone());
    tree.file(format!("usr/share/doc/{COMMAND}/LICENSE"), release.licence.as_bytes());
    tree.file(format!("usr/share/doc/{COMMAND}/THIRD-PARTY.txt"), release.notices.as_bytes());
    tree.file(format!("usr/share/doc/{COMMAND}/sbom.cdx.json"), release.sbom.as_bytes());
    tree.file(
        "etc/passwd",
        format!("root:x:0:0::/root:/sbin/nologin\nbailiwick:x:{USER}:{USER}::/home/bailiwick:/sbin/nologin\n"),
    );
    tree.file("etc/group", format!("root:x:0:\nbailiwick:x:{USER}:\n"));
    // Written by a user whose number is not known here: `docker run --user` changes it.
    tree.directory("home/bailiwick", 0o1777);
    tree.directory("tmp", 0o1777);
    tree.with_parents();
    tree
}

fn json_blob(layout: &mut Tree, kind: &str, value: &Value) -> Value {
    blob(layout, kind, value.to_string().into_bytes())
}

/// Adds a blob and describes it.
fn blob(layout: &mut Tree, kind: &str, bytes: Vec<u8>) -> Value {
    let (digest, size) = (hex(&bytes), bytes.len());
    layout.file(format!("blobs/sha256/{digest}"), bytes);
    json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": size })
}

/// SHA-256 as it is written.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
