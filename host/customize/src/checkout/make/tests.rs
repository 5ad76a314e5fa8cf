use std::path::PathBuf;
use std::process::Command;

use super::*;
use crate::checkout::{create_branch, has_branch, sweep};

/// A repository with two commits, and a place for checkouts.
struct World {
    base: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { base: tempfile::tempdir().unwrap() };
        fs::create_dir(world.clone()).unwrap();
        world.git("clone", &["init", "-q", "-b", "main"]);
        for (path, text) in
            [("spec/w/a.tsp", "one"), ("spec/shared/s.tsp", "s"), ("other/large.bin", "x"), ("root", "r")]
        {
            crate::laid_out::write(&world.clone(), path, text);
        }
        world.commit();
        world
    }

    fn clone(&self) -> PathBuf {
        self.base.path().join("clone")
    }

    fn place(&self) -> PathBuf {
        self.base.path().join("checkouts")
    }

    fn git(&self, directory: &str, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
        let mut command = Command::new("git");
        command.args(identity).args(arguments).current_dir(self.base.path().join(directory));
        let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self) -> String {
        self.git("clone", &["add", "-A"]);
        self.git("clone", &["commit", "-q", "-m", "state"]);
        self.head()
    }

    fn head(&self) -> String {
        self.git("clone", &["rev-parse", "HEAD"])
    }

    fn make(&self, clone: &str, commit: &str, directories: &[&str]) -> Result<Checkout, CheckoutError> {
        let directories: Vec<String> = directories.iter().map(|one| (*one).to_owned()).collect();
        let clone = self.base.path().join(clone);
        Checkout::make(&self.place(), Wanted { clone: &clone, commit, directories: &directories, edits: Edits::Never })
    }

    /// Every file beneath a directory with what it holds.
    fn files(&self, directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut waiting = vec![directory.to_owned()];
        while let Some(directory) = waiting.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { waiting.push(path) } else { files.push((path.clone(), fs::read(path).unwrap())) }
            }
        }
        files.sort();
        files
    }
}

#[test]
fn earlier_commit_is_checked_out_and_nothing_of_the_clone_is_written() {
    let world = World::new();
    let first = world.head();
    fs::write(world.clone().join("spec/w/a.tsp"), "two").unwrap();
    world.commit();
    fs::write(world.clone().join("spec/w/a.tsp"), "not committed").unwrap();
    let before = world.files(&world.clone());
    let checkout = world.make("clone", &first[..10], &["spec/w", "spec/shared"]).unwrap();
    assert_eq!(checkout.commit(), first);
    assert_eq!(fs::read_to_string(checkout.root().join("spec/w/a.tsp")).unwrap(), "one");
    assert!(checkout.root().join("spec/shared/s.tsp").is_file());
    assert!(!checkout.root().join("other").exists(), "only what is needed is checked out");
    assert_eq!(checkout.root().file_name().unwrap(), "clone");
    drop(checkout);
    assert!(world.files(&world.place()).is_empty());
    assert_eq!(world.files(&world.clone()), before);
}

#[test]
fn linked_work_tree_and_partial_clone_are_read_like_a_clone() {
    let world = World::new();
    let head = world.head();
    world.git("clone", &["worktree", "add", "-q", "../linked"]);
    world.git("clone", &["config", "uploadpack.allowFilter", "true"]);
    world.git("clone", &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", world.clone().display());
    world.git(".", &["clone", "-q", "--filter=blob:none", "--no-checkout", &url, "partial"]);
    for clone in ["linked", "partial"] {
        let before = world.files(&world.base.path().join(clone));
        let checkout = world.make(clone, &head, &["spec/w"]).unwrap();
        assert_eq!(fs::read_to_string(checkout.root().join("spec/w/a.tsp")).unwrap(), "one", "{clone}");
        assert_eq!(world.files(&world.base.path().join(clone)), before, "{clone}");
    }
}

#[test]
fn commit_or_directory_that_is_not_there_is_named_and_leaves_nothing() {
    let world = World::new();
    let none = "0123456789012345678901234567890123456789";
    let error = world.make("clone", none, &["spec/w"]).unwrap_err();
    assert!(matches!(error, CheckoutError::NoCommit { .. }) && error.hint().unwrap().contains(none), "{error}");
    assert!(matches!(world.make("clone", "HEAD", &["spec/w"]), Err(CheckoutError::NoCommit { .. })));
    let error = world.make("clone", &world.head(), &["spec/none"]).unwrap_err();
    assert!(matches!(error, CheckoutError::NoDirectory { .. }), "{error}");
    assert!(world.files(&world.place()).is_empty());
}

#[test]
fn commit_in_which_a_link_leads_elsewhere_is_refused_and_leaves_nothing() {
    let world = World::new();
    let elsewhere = world.base.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("w")).unwrap();
    fs::write(world.clone().join("spec/file"), "f").unwrap();
    for (link, target) in
        [("linked", elsewhere.join("w")), ("above", elsewhere), ("spec/beside", "w".into()), ("up", "../..".into())]
    {
        std::os::unix::fs::symlink(target, world.clone().join(link)).unwrap();
    }
    let commit = world.commit();
    for directory in ["linked", "above/w", "spec/beside", "up", "up/elsewhere/w", "spec/file", "spec/w/../w"] {
        let error = world.make("clone", &commit, &["spec/w", directory]).unwrap_err();
        assert!(matches!(error, CheckoutError::NotPlain { .. }) && error.hint().is_some(), "{directory}: {error}");
    }
    assert!(world.files(&world.place()).is_empty());
    let _checkout = world.make("clone", &commit, &["", "spec/w"]).unwrap();
}

#[test]
fn what_a_killed_process_left_is_swept_and_what_is_in_use_stays() {
    let world = World::new();
    let used = world.make("clone", &world.head(), &["spec/w"]).unwrap();
    let left = world.make("clone", &world.head(), &["spec/w"]).unwrap();
    let root = left.root().to_owned();
    // As a kill leaves it: the kernel gives the lock back, nothing else happens.
    left.abandon();
    sweep(&world.place()).unwrap();
    assert!(used.root().exists() && !root.exists());
    assert_eq!(fs::read_dir(world.place()).unwrap().count(), 2);
}

#[test]
fn what_a_person_keeps_beside_checkouts_is_not_swept() {
    let world = World::new();
    drop(world.make("clone", &world.head(), &["spec/w"]).unwrap());
    let place = world.place();
    for name in ["poetry.lock", ".lock", "0123456789ABCDEF.lock", "0123456789abcde.lock"] {
        fs::write(place.join(name), "").unwrap();
        fs::create_dir_all(place.join(name.trim_end_matches(".lock")).join("notes")).unwrap();
    }
    let before = world.files(&place);
    sweep(&place).unwrap();
    assert_eq!(world.files(&place), before);
    assert!(place.join("poetry/notes").is_dir());
}

#[test]
fn place_that_others_can_write_to_is_not_used() {
    let world = World::new();
    drop(world.make("clone", &world.head(), &["spec/w"]).unwrap());
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(world.place(), open).unwrap();
    for error in [world.make("clone", &world.head(), &["spec/w"]).unwrap_err(), sweep(&world.place()).unwrap_err()] {
        assert!(matches!(error, CheckoutError::Place { problem: "others can write to it", .. }), "{error}");
        assert!(error.hint().unwrap().contains("chmod 700"));
    }
    // A link leads to where another user may put anything.
    let (place, aside) = (world.place(), world.base.path().join("aside"));
    fs::rename(&place, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &place).unwrap();
    assert!(matches!(sweep(&place), Err(CheckoutError::Place { problem: "it is not a directory", .. })));
}

#[test]
fn branch_that_came_to_be_meanwhile_stays_and_a_new_one_holds_what_was_made() {
    let world = World::new();
    let base = world.head();
    let checkout = world.make("clone", &base, &["spec/w"]).unwrap();
    fs::write(checkout.root().join("spec/w/a.tsp"), "made").unwrap();
    let identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    Git::at(checkout.root()).run(&[&identity[..], &["commit", "-q", "-a", "-m", "made"]].concat()).unwrap();
    world.git("clone", &["branch", "there"]);
    world.git("clone", &["worktree", "add", "-q", "--detach", "../linked"]);
    world.git("linked", &["switch", "-q", "--orphan", "begun"]);
    for name in ["there", "begun", "main"] {
        let error = create_branch(&world.clone(), &checkout, name).unwrap_err();
        assert!(matches!(error, CheckoutError::BranchThere { .. }) && error.hint().is_some(), "{name}: {error}");
        assert!(has_branch(&world.clone(), name).unwrap());
    }
    assert_eq!(world.git("clone", &["for-each-ref", "--format=%(objectname)"]), format!("{base}\n{base}"));
    let before = fs::read(world.clone().join("spec/w/a.tsp")).unwrap();
    assert!(!has_branch(&world.clone(), "new").unwrap());
    create_branch(&world.clone(), &checkout, "new").unwrap();
    drop(checkout);
    assert_eq!(world.git("clone", &["show", "new:spec/w/a.tsp"]), "made");
    assert_eq!(world.git("clone", &["log", "-1", "--format=%P", "new"]), base);
    world.git("clone", &["fsck", "--strict"]);
    assert_eq!(fs::read(world.clone().join("spec/w/a.tsp")).unwrap(), before);
    assert_eq!(world.git("clone", &["status", "--porcelain"]), "");
}

#[test]
fn hooks_and_filters_of_a_repository_do_not_run() {
    let world = World::new();
    let witness = world.base.path().join("witness");
    for hook in ["post-checkout", "post-index-change", "reference-transaction"] {
        let path = world.clone().join(".git/hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\ntouch {}\n", witness.display())).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    world.git("clone", &["config", "core.fsmonitor", &format!("touch {}", witness.display())]);
    world.git("clone", &["config", "filter.own.smudge", &format!("touch {}", witness.display())]);
    // Those that a person configured, which a commit may name.
    let attributes = "[attr]large filter=lfs merge=own\n*.tsp large\n*.tsp filter=lfs merge=own\n";
    for directory in [world.clone(), world.clone().join("spec/w")] {
        fs::write(directory.join(".gitattributes"), attributes).unwrap();
    }
    let commit = world.commit();
    let _ = fs::remove_file(&witness);
    let checkout = world.make("clone", &commit, &["spec/w"]).unwrap();
    assert!(!witness.exists());
    let told = Git::at(checkout.root()).text(&["check-attr", "filter", "merge", "--", "spec/w/a.tsp"]).unwrap();
    assert_eq!(told, "spec/w/a.tsp: filter: unspecified\nspec/w/a.tsp: merge: unspecified");
}

/// A generator may write such a file, and what it generates is built as it stands.
#[test]
fn attributes_of_a_package_commit_nothing_that_was_not_built() {
    let world = World::new();
    let checkout = world.make("clone", &world.head(), &["spec/w"]).unwrap();
    let package = checkout.root().join("spec/w");
    fs::write(package.join(".gitattributes"), "a.py working-tree-encoding=UTF-7\nb.py ident\n").unwrap();
    let git = Git::at(checkout.root());
    for (name, text) in [("a.py", "# +AAo-import os\n"), ("b.py", "# $Id: import os $\n")] {
        fs::write(package.join(name), text).unwrap();
        git.run(&["add", "--all", "--", "spec/w"]).unwrap();
        assert_eq!(String::from_utf8(git.run(&["show", &format!(":spec/w/{name}")]).unwrap()).unwrap(), text);
    }
}
