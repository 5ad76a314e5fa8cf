//! The crates as packages of the Rust registry. Each has what it is built of: guests, contract, fixture and pages lie outside of
//! the crates, and links in these lead there, which cargo packs as the files that they lead to.

use crate::process::{self, step};
use crate::repository;
use anyhow::Result;

/// The one crate of the guests' workspace that is for others: what authors of tools build on.
const SDK: [&str; 5] = ["package", "--package", "bailiwick-tool-sdk", "--allow-dirty", "--quiet"];

/// Packs every crate. A file, a version or a licence that is missing fails here.
///
/// # Errors
/// At the first crate that cannot be packed.
pub(crate) fn pack() -> Result<()> {
    step("packages: packing the crates", || {
        process::run(repository::cargo().args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]))?;
        process::run(repository::components_cargo().args(SDK).arg("--no-verify"))
    })
}

/// Builds every crate from its own package. This compiles the crates of others once more if features differ.
///
/// # Errors
/// At the first crate that cannot be packed or built.
pub(crate) fn build() -> Result<()> {
    step("packages: building each crate from its package", || {
        process::run(repository::cargo().args(["package", "--workspace", "--allow-dirty", "--quiet"]))?;
        process::run(repository::components_cargo().args(SDK))
    })
}

#[cfg(test)]
mod tests {
    use crate::repository;
    use serde_json::Value;
    use std::collections::BTreeSet;
    use std::path::{Component, Path, PathBuf};

    /// A crate that others can get: its directory and the files of its package.
    struct Package {
        name: String,
        directory: PathBuf,
        files: BTreeSet<String>,
    }

    fn packages() -> Vec<Package> {
        let mut cargo = repository::cargo();
        let output = cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output().unwrap();
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let published = metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
        published
            .map(|package| {
                let name = package["name"].as_str().unwrap().to_owned();
                let manifest = Path::new(package["manifest_path"].as_str().unwrap());
                let mut cargo = repository::cargo();
                cargo.args(["package", "--list", "--allow-dirty", "--offline", "--package", &name]);
                let output = cargo.output().unwrap();
                assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
                let files = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
                Package { name, directory: manifest.parent().unwrap().to_owned(), files }
            })
            .collect()
    }

    impl Package {
        /// Is there such a file, or a file whose name begins so? Macros put names together.
        fn has(&self, place: &str) -> bool {
            self.files.range(place.to_owned()..).next().is_some_and(|file| file.starts_with(place))
        }
    }

    /// What the macros of Rust and the bindings of components read when `text` is compiled, each a path in quotes.
    fn included(text: &str) -> impl Iterator<Item = &str> {
        ["include_str!(", "include_bytes!(", "include!(", "#[path = ", "    path: "].into_iter().flat_map(|before| {
            text.split(before).skip(1).filter_map(|after| {
                let after = after.trim_start();
                after.strip_prefix("concat!(").unwrap_or(after).trim_start().strip_prefix('"')?.split('"').next()
            })
        })
    }

    /// `path` without `..`, as a place in the package. `None` if it leads out of it.
    fn within(path: &Path) -> Option<String> {
        let mut parts = Vec::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(parts.pop()?),
                part => parts.push(part.as_os_str().to_str()?),
            }
        }
        Some(parts.join("/"))
    }

    #[test]
    fn what_a_published_crate_reads_when_it_is_built_lies_in_its_package() {
        let mut seen = 0;
        for package in packages() {
            let sources = package.files.iter().filter(|file| file.ends_with(".rs") && file.starts_with("src/"));
            for source in sources.filter(|file| !file.contains("tests")) {
                let text = std::fs::read_to_string(package.directory.join(source)).unwrap();
                let (product, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
                for path in included(product) {
                    let from = if path == "wit" { Path::new("") } else { Path::new(source).parent().unwrap() };
                    let place = within(&from.join(path));
                    let there = place.is_some_and(|place| package.has(&place));
                    assert!(there, "{source} of {} reads {path}, which is not in its package", package.name);
                    seen += 1;
                }
            }
            if package.files.contains("build.rs") {
                let text = std::fs::read_to_string(package.directory.join("build.rs")).unwrap();
                assert!(!text.contains("../"), "build.rs of {} reads outside of its package", package.name);
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn package_of_the_sdk_has_the_contract_and_is_the_only_one_of_its_workspace() {
        let mut cargo = repository::components_cargo();
        let output = cargo.args(super::SDK).args(["--list", "--offline"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let files = String::from_utf8(output.stdout).unwrap();
        for file in ["wit/tool.wit", "wit/rich-tools.wit", "src/lib.rs"] {
            assert!(files.lines().any(|line| line == file), "{file}: {files}");
        }
        let mut cargo = repository::components_cargo();
        let output = cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output().unwrap();
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let published = metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
        let names: Vec<_> = published.map(|package| package["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["bailiwick-tool-sdk"]);
    }

    #[test]
    fn packages_have_the_tools_and_the_demo_and_nothing_of_the_tests_of_these() {
        let packages = packages();
        let of = |name: &str| packages.iter().find(|package| package.name == name).unwrap();
        let (sandbox, cli) = (of("bailiwick-sandbox"), of("bailiwick-cli"));
        assert!(sandbox.has("guests/read-file.wasm") && sandbox.has("guests/fs-edit-file.wasm"));
        assert!(!sandbox.has("guests/hostile") && !sandbox.has("guests/conformance"));
        assert!(cli.has("fixture/azure-rest-api-specs/") && cli.has("fixture/azure-sdk-for-python/"));
        assert!(!cli.has("fixture/azure-sdk-for-java"));
    }
}
