//! Packages as they are published. `cargo xtask services` tries more of them, with their specifications.

use bailiwick_tests::World;
use std::path::Path;
use std::process::Command;

/// Unpacks the sources of a published package into a directory. pip runs what builds them, for their metadata.
fn unpack(package: &str, version: &str, into: &Path) {
    let downloads = tempfile::tempdir().unwrap();
    let mut pip = Command::new("python3");
    pip.args(["-I", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--retries=10", "--dest"]);
    pip.arg(downloads.path()).arg(format!("{package}=={version}"));
    assert!(pip.status().unwrap().success(), "`{package}` cannot be had");
    let archive = std::fs::read_dir(downloads.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::create_dir_all(into).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("xzf").arg(archive).arg("-C").arg(into).arg("--strip-components=1");
    assert!(tar.status().unwrap().success());
}

#[test]
fn published_packages_of_a_service_and_of_a_resource_provider_build_as_they_are() {
    let world = World::new();
    for (package, version, service) in
        [("azure-ai-contentsafety", "1.0.0", "contentsafety"), ("azure-mgmt-standbypool", "1.0.0", "standbypool")]
    {
        let directory = world.base().join("azure-sdk-for-python/sdk").join(service).join(package);
        unpack(package, version, &directory);
        let before = world.snapshot();
        let build = ["--json", "package", "build", "--package-path", directory.to_str().unwrap()];
        let built = world.bailiwick(&build).exits(0).json();
        assert_eq!((&built["step"], &built["succeeded"]), (&"build".into(), &true.into()), "{built:#}");
        before.assert_same(&world.snapshot());
        // It is the package that was read: an error in it is found.
        let module = directory.join(package.replace('-', "/")).join("_patch.py");
        let text = std::fs::read_to_string(&module).unwrap();
        std::fs::write(&module, text + "\n\ndef _count() -> int:\n    return \"many\"\n").unwrap();
        let built = world.bailiwick(&build).exits(1).json();
        assert!(built["diagnostics"].to_string().contains("Incompatible return value type"), "{built:#}");
    }
}

/// Its hand-written code has dozens of type errors, and its repository does not check them.
#[test]
fn published_package_that_leaves_mypy_out_in_its_commit_builds_and_says_where() {
    let world = World::new();
    let directory = world.base().join("azure-sdk-for-python/sdk/batch/azure-batch");
    unpack("azure-batch", "15.0.0b1", &directory);
    let build = ["--json", "package", "build", "--package-path", directory.to_str().unwrap()];
    let built = world.bailiwick(&build).exits(1).json();
    assert!(built["diagnostics"].to_string().contains("commit it for it to hold"), "{built:#}");
    world.commit();
    let before = world.snapshot();
    let built = world.bailiwick(&build).exits(0).json();
    let told = built["diagnostics"].as_array().unwrap().iter().find(|one| one["code"] == "checks").unwrap();
    assert_eq!((&told["file"], &told["severity"]), (&"sdk/pyproject.toml".into(), &"warning".into()), "{told:#}");
    assert!(built["diagnostics"].as_array().unwrap().len() > 50, "{built:#}");
    before.assert_same(&world.snapshot());
    // What it does not leave out is checked: that it can be imported.
    let module = directory.join("azure/batch/_patch.py");
    let text = std::fs::read_to_string(&module).unwrap();
    std::fs::write(&module, text + "\nimport azure.there_is_no_such_module\n").unwrap();
    let built = world.bailiwick(&build).exits(1).json();
    assert!(built["diagnostics"].to_string().contains("there_is_no_such_module"), "{built:#}");
}
