//! The image, unpacked as its layers say and run in its own root, without a container daemon.

use super::home::Home;
use super::{Packages, prints, version};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Unpacks the layers of the image in their order.
fn root_of(image: &Path, into: &Path) {
    let layout = into.join("layout");
    let root = into.join("root");
    for directory in [&layout, &root] {
        std::fs::create_dir(directory).unwrap();
    }
    prints(Command::new("tar").arg("xf").arg(image).arg("-C").arg(&layout));
    let json = |path: &Path| -> Value { serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap() };
    let blob = |descriptor: &Value| layout.join("blobs").join(descriptor["digest"].as_str().unwrap().replace(':', "/"));
    let manifest = json(&blob(&json(&layout.join("index.json"))["manifests"][0]));
    for layer in manifest["layers"].as_array().unwrap() {
        prints(Command::new("tar").args(["xzf"]).arg(blob(layer)).arg("-C").arg(&root).arg("--no-same-owner"));
    }
}

#[test]
fn image_needs_nothing_of_this_machine() {
    let home = Home::new(&[]);
    root_of(&Packages::all().find(".oci.tar"), home.path());
    let root = home.path().join("root");
    let within = format!("--root={}", root.display());
    // A container engine brings `/proc` and `/dev`. Devices cannot be made without rights: a plain file stands in for one.
    for directory in ["proc", "dev"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    std::fs::write(root.join("dev/null"), "").unwrap();
    let namespaces = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"];
    let first = [&namespaces[..], &[&within, "/usr/bin/bailiwick"]].concat();
    let unshare = Path::new("/usr/bin/unshare");
    assert_eq!(prints(home.command(unshare).args(&first).arg("--version")), version());
    std::fs::create_dir(root.join("home/bailiwick/docs")).unwrap();
    std::fs::write(root.join("home/bailiwick/docs/a.txt"), "one\n").unwrap();
    home.reads_from(unshare, &first, "docs=/home/bailiwick/docs");
}
