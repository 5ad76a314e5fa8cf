//! What a Python package asks for beside what every package needs: fetched before a run, as wheels.

use bailiwick_tests::World;

fn asking_for(requirement: &str, import: &str) -> World {
    let world = World::new();
    let package = world.package();
    let setup =
        format!("from setuptools import setup\nsetup(name=\"azure-widget\", install_requires=[{requirement:?}])\n");
    std::fs::write(package.join("setup.py"), setup).unwrap();
    let _ = std::fs::remove_file(package.join("pyproject.toml"));
    let patch = package.join("azure/widget/models/_patch.py");
    let text = std::fs::read_to_string(&patch).unwrap();
    std::fs::write(&patch, text.replacen("from typing import", &format!("{import}\nfrom typing import"), 1)).unwrap();
    world.commit();
    world
}

fn build(world: &World) -> bailiwick_tests::Answer {
    world.package_command("build", &[])
}

#[test]
fn package_with_a_dependency_of_its_own_builds_and_one_that_does_not_name_it_does_not() {
    let import = "from azure.mgmt.core.tools import parse_resource_id";
    let world = asking_for("azure-mgmt-core>=1.4.0", import);
    let step = build(&world).exits(0).json();
    assert_eq!(step["succeeded"], true, "{step:#}");
    let world = asking_for("isodate>=0.6.1", import);
    let step = build(&world).exits(1).json();
    assert!(step.to_string().contains("No module named 'azure.mgmt'"), "{step:#}");
}

#[test]
fn dependency_that_cannot_be_had_is_named_and_nothing_is_begun() {
    let world = asking_for("azure-mgmt-core>=9999", "import azure.mgmt.core");
    let before = world.snapshot();
    let answer = build(&world);
    assert_ne!(answer.code, 0);
    assert!(answer.stderr.contains("azure-mgmt-core>=9999"), "{}", answer.stderr);
    assert!(answer.stderr.contains("cannot be had"), "{}", answer.stderr);
    assert_eq!(before.difference(&world.snapshot()).beneath("azure-sdk-for-python"), Vec::<String>::new());
}
