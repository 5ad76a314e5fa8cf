//! Embeds the fixture that `bailiwick demo` works on.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = manifest.join("fixture").canonicalize().expect("the fixture is in the package");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::from("const FIXTURE: &[(&str, &str)] = &[\n");
    for repository in ["azure-rest-api-specs", "azure-sdk-for-python"] {
        embed(&root, &root.join(repository), &mut code);
    }
    code.push_str("];\n");
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("fixture.rs");
    std::fs::write(out, code).expect("OUT_DIR can be written");
}

fn embed(root: &Path, directory: &Path, code: &mut String) {
    let mut entries: Vec<_> = std::fs::read_dir(directory)
        .expect("a directory of the fixture")
        .map(|entry| entry.expect("an entry of the fixture").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            embed(root, &path, code);
        } else {
            let name = path.strip_prefix(root).expect("it is beneath the root").to_str().expect("a plain name");
            writeln!(code, "    ({name:?}, include_str!({path:?})),").expect("a string");
        }
    }
}
