//! Commits, manifests and clones whose author is hostile.

use super::{Fleet, RENAME, SDK, SPECS, commit, package, verdict, verdicts};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// The key that a job has whatever its manifest says, as `host/fleet/src/manifest/key.rs` makes it.
fn key(job: &Value, version: &Value) -> String {
    let specification = job.get("specification").map(|one| {
        json!({
            "repository": one["source"]["repository"], "commit": one["source"]["commit"],
            "directories": one["directories"], "newer": one["newer"],
        })
    });
    let said = json!([
        "bailiwick job 1",
        {
            "repository": job["sdk"]["repository"], "package": job["package"], "commit": job["sdk"]["commit"],
            "beside": job["beside"],
        },
        specification,
        { "action": job["action"], "request": job["request"], "model": job["model"] },
        { "language": job["language"], "emitter": job["emitter"], "version": version },
    ]);
    Sha256::digest(said.to_string().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The manifest with another commit of the SDK repository, whose keys are made anew.
fn at_commit(fleet: &Fleet, manifest: &Value, commit: &str) -> PathBuf {
    let mut manifest = manifest.clone();
    let version = manifest["version"].clone();
    for job in manifest["jobs"].as_array_mut().unwrap() {
        assert_eq!(job["key"], json!(key(job, &version)), "the key is made as the program makes it");
        job["sdk"]["commit"] = json!(commit);
        job["key"] = json!(key(job, &version));
    }
    let path = fleet.world.base().join("edited.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    path
}

/// A clone of one of the repositories in which a person works.
fn another_clone(fleet: &Fleet, repository: &str) -> PathBuf {
    let clone = fleet.world.base().join("mine").join(repository);
    let _ = fleet.world.git(repository, &["clone", "-q", ".", clone.to_str().unwrap()]);
    clone
}

/// A commit of a repository, on a branch of its own, in which a directory is a link.
fn commit_with_link(fleet: &Fleet, repository: &str, directory: &str, target: &Path) -> String {
    let _ = fleet.world.git(repository, &["checkout", "-q", "-b", "evil"]);
    let place = fleet.world.base().join(repository).join(directory);
    std::fs::remove_dir_all(&place).unwrap();
    std::os::unix::fs::symlink(target, &place).unwrap();
    fleet.world.commit();
    let evil = commit(&fleet.world, repository);
    let _ = fleet.world.git(repository, &["checkout", "-q", "main"]);
    evil
}

fn project(fleet: &Fleet) -> String {
    let project = fleet.world.project();
    project.strip_prefix(fleet.world.base().join(SPECS)).unwrap().to_str().unwrap().to_owned()
}

#[test]
fn package_that_is_a_link_in_its_commit_is_refused_and_what_it_leads_to_stays() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let mine = another_clone(&fleet, SDK);
    let inside = "sdk/w00/azure-widget";
    let edited = mine.join(inside).join("azure/widget/models/_models.py");
    std::fs::write(&edited, "# not committed\n").unwrap();
    let (_, manifest) = fleet.plan("generate", &[]);
    let evil = commit_with_link(&fleet, SDK, inside, &mine.join(inside));
    let report = fleet.run(&at_commit(&fleet, &manifest, &evil), &[]).exits(1).json();
    assert_eq!(verdict(&verdicts(&report), &package(0)), "failed", "{report:#}");
    assert!(report["rows"][0]["message"].as_str().unwrap().contains("a link or a file stands"), "{report:#}");
    assert_eq!(std::fs::read_to_string(&edited).unwrap(), "# not committed\n");
    fleet.assert_untouched();
}

#[test]
fn project_that_is_a_link_in_the_pinned_commit_is_skipped_and_refused() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let mine = another_clone(&fleet, SPECS);
    let directory = project(&fleet);
    let edited = mine.join(&directory).join("client.tsp");
    let text = std::fs::read_to_string(&edited).unwrap() + "// not committed\n";
    std::fs::write(&edited, &text).unwrap();
    let evil = commit_with_link(&fleet, SPECS, &directory, &mine.join(&directory));
    let package = fleet.world.base().join(package(0));
    let location = std::fs::read_to_string(package.join("tsp-location.yaml")).unwrap();
    std::fs::write(package.join("tsp-location.yaml"), location.replace(&fleet.pinned, &evil)).unwrap();
    fleet.world.commit();
    let request = "hide operation deleteWidget from the Python SDK";
    let (_, manifest) = fleet.plan(&format!("customize={request}"), &[]);
    assert_eq!(manifest["jobs"], json!([]), "{manifest:#}");
    let reason = manifest["skipped"][0]["reason"].as_str().unwrap();
    assert!(reason.contains(&format!("has no directory `{directory}`")), "{reason}");
    let path = ["--package-path", package.to_str().unwrap(), "--spec-commit", "pinned"];
    for command in [&["generate"][..], &["fix"], &["customize", "--customization-request", request]] {
        let refused = fleet.world.bailiwick(&[&["package"], command, &path].concat()).exits(3);
        assert!(refused.stderr.contains("a link or a file stands"), "{}", refused.stderr);
    }
    assert_eq!(std::fs::read_to_string(&edited).unwrap(), text);
}

#[test]
fn manifest_with_the_name_of_another_fleet_is_refused_and_not_answered_with_its_results() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let (path, manifest) = fleet.plan("build", &[]);
    let _ = fleet.run(&path, &[]).exits(0);
    let results = fleet.world.base().join("results");
    let shard = |manifest: &Path| {
        let arguments = ["worker", "--shard", "1/1", manifest.to_str().unwrap(), "--results"];
        fleet.world.bailiwick(&[&arguments[..], &[results.to_str().unwrap()]].concat())
    };
    let _ = shard(&path).exits(0);
    // The same manifest is gone on with.
    let _ = (fleet.run(&path, &[]).exits(0), shard(&path).exits(0));
    std::fs::write(fleet.world.base().join(package(0)).join("stand-in.json"), "not json").unwrap();
    fleet.world.commit();
    let other = at_commit(&fleet, &manifest, &commit(&fleet.world, SDK));
    for answer in [fleet.run(&other, &[]), shard(&other)] {
        let answer = answer.exits(2);
        assert!(answer.stderr.contains("other packages or commits") && answer.stderr.contains("hint:"), "{answer:?}");
    }
}

/// A program that says that it ran, and in what.
fn program(path: &Path, witness: &Path, then: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\necho \"$0 $*\" >> {}\n{then}\n", witness.display())).unwrap();
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn programs_that_a_clone_configures_for_fetching_are_not_started() {
    let fleet = Fleet::of(1, |_| Value::Null);
    std::fs::write(fleet.world.project().join("client.tsp"), fleet.world.client() + RENAME).unwrap();
    fleet.world.commit();
    let (path, manifest) = fleet.plan("generate", &["--spec-commit", "head"]);
    let _ = fleet.run(&path, &[]).exits(0);
    let (witness, clone) = (fleet.world.base().join("witness"), fleet.world.base().join(SDK));
    let started = clone.join(".git/started");
    program(&started, &witness, "exit 1");
    let started = started.to_str().unwrap();
    let ext = format!("url.ext::{started} .insteadOf");
    for (name, value) in [
        ("protocol.ext.allow", "always"),
        (&ext, "/"),
        ("core.repositoryformatversion", "1"),
        ("core.alternateRefsCommand", started),
        ("core.sshCommand", started),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", fleet.world.base().join(SPECS).to_str().unwrap()),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", started),
    ] {
        let _ = fleet.world.git(SDK, &["config", name, value]);
    }
    let name = manifest["fleet"].as_str().unwrap();
    let _ = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "made", "--yes"]).exits(0);
    assert_ne!(fleet.world.git(SDK, &["log", "--format=%s", "main..made"]), "");
    let plan = ["fleet", "plan", "--sdk", SDK, "--do", "build", "--changed-since"];
    let _ = fleet.world.bailiwick(&[&plan[..], &["1234567890123456789012345678901234567890"]].concat()).exits(2);
    let _ = fleet.world.bailiwick(&["package", "build", "--package-path", &package(0)]).exits(0);
    assert!(!witness.exists(), "{}", std::fs::read_to_string(&witness).unwrap());
}

#[test]
fn git_of_a_repository_that_a_relative_path_leads_to_is_not_started() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let witness = fleet.world.base().join("witness");
    for repository in [SDK, SPECS] {
        program(&fleet.world.base().join(repository).join("bin/git"), &witness, "exec /usr/bin/git \"$@\"");
    }
    fleet.world.commit();
    let path = format!("./bin:bin:{}", std::env::var("PATH").unwrap());
    let package = package(0);
    let place = ["--package-path", &package];
    for command in [&["package", "build"][..], &["package", "generate", "--spec-commit", "pinned"]] {
        let _ = fleet.world.bailiwick_with(&[command, &place].concat(), &[("PATH", &path)]).exits(0);
    }
    let plan = ["fleet", "plan", "--sdk", SDK, "--do", "build", "--changed-since", "HEAD"];
    let _ = fleet.world.bailiwick_with(&plan, &[("PATH", &path)]).exits(0);
    assert!(!witness.exists(), "{}", std::fs::read_to_string(&witness).unwrap());
}

#[test]
fn filter_of_a_person_that_a_commit_names_does_not_run() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let base = fleet.world.base();
    let witness = base.join("witness");
    program(&base.join("filter"), &witness, "cat");
    let filter = base.join("filter").display().to_string();
    let configured =
        format!("[filter \"lfs\"]\nsmudge = {filter} %f\nclean = {filter} %f\n[merge \"own\"]\ndriver = {filter}\n");
    std::fs::write(base.join("gitconfig"), configured).unwrap();
    for repository in [SDK, SPECS] {
        std::fs::write(base.join(repository).join(".gitattributes"), "* filter=lfs merge=own\n").unwrap();
    }
    fleet.world.commit();
    let package = package(0);
    let manifest = base.join("fleet.json");
    let manifest = manifest.to_str().unwrap();
    for arguments in [
        &["package", "generate", "--package-path", &package, "--spec-commit", "pinned"][..],
        &["fleet", "plan", "--sdk", SDK, "--do", "generate", "--output", manifest],
        &["fleet", "run", manifest],
    ] {
        let configuration = base.join("gitconfig");
        let environment = [("GIT_CONFIG_GLOBAL", configuration.to_str().unwrap())];
        let _ = fleet.world.bailiwick_with(arguments, &environment).exits(0);
    }
    assert!(!witness.exists(), "{}", std::fs::read_to_string(&witness).unwrap());
}

/// git takes no file out of such a directory into a commit, and says nothing.
#[test]
fn package_in_which_a_directory_is_a_submodule_of_its_commit_is_not_done_without_what_lies_there() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let models = "sdk/w00/azure-widget/azure/widget/models";
    let submodule = format!("160000,{},{models}", commit(&fleet.world, SDK));
    for arguments in [
        &["rm", "-r", "-q", "--cached", models][..],
        &["update-index", "--add", "--cacheinfo", &submodule],
        &["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "submodule"],
    ] {
        let _ = fleet.world.git(SDK, arguments);
    }
    let (path, _) = fleet.plan("generate", &[]);
    let report = fleet.run(&path, &[]).exits(1).json();
    assert_eq!(verdict(&verdicts(&report), &package(0)), "failed", "{report:#}");
    assert!(report["rows"][0]["message"].as_str().unwrap().contains("into no commit"), "{report:#}");
}
