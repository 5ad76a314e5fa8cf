//! Grants by the names that callers have for them, grants narrowed to a directory in them, and moves, through the tools of
//! the file server.

use crate::common::{block_on, limits, sandbox};
use bailiwick_sandbox::{
    Access, CallError, Capabilities, ErrorKind, Grant, GrantError, Grants, HostFailure, Reserved, Sandbox, Tool,
    builtin,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use serde_json::{Value, json};
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A granted directory with a file in it, and a canary on both sides of it.
struct World {
    base: tempfile::TempDir,
    grants: Grants,
}

impl World {
    fn new(access: Access) -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("granted/sub")).unwrap();
        std::fs::create_dir(base.path().join("granted-evil")).unwrap();
        std::fs::write(base.path().join("secret.txt"), "canary\n").unwrap();
        std::fs::write(base.path().join("granted-evil/secret.txt"), "canary\n").unwrap();
        std::fs::write(base.path().join("granted/inside.txt"), "inside\n").unwrap();
        let grant = Grant::open("box", &base.path().join("granted"), access, &Reserved::none()).unwrap();
        Self { base, grants: only(grant) }
    }

    fn granted(&self) -> PathBuf {
        self.base.path().join("granted")
    }

    fn assert_outside_untouched(&self) {
        for place in ["secret.txt", "granted-evil/secret.txt"] {
            assert_eq!(std::fs::read_to_string(self.base.path().join(place)).unwrap(), "canary\n", "{place}");
        }
        assert_eq!(std::fs::read_dir(self.base.path()).unwrap().count(), 3);
        assert_eq!(std::fs::read_dir(self.base.path().join("granted-evil")).unwrap().count(), 1);
    }
}

/// One sandbox for all tests, with these four tools alone: compiling them takes longer than the tests.
fn shared() -> &'static Sandbox {
    static SHARED: OnceLock<Sandbox> = OnceLock::new();
    SHARED.get_or_init(sandbox)
}

fn tool(name: &str) -> &'static Tool {
    static TOOLS: OnceLock<Vec<Tool>> = OnceLock::new();
    let components = [
        builtin::FS_READ_TEXT_FILE,
        builtin::FS_WRITE_FILE,
        builtin::FS_MOVE_FILE,
        builtin::FS_LIST_ALLOWED_DIRECTORIES,
    ];
    let tools = TOOLS.get_or_init(|| {
        let sandbox = shared();
        components.map(|bytes| block_on(sandbox.load(bytes, &Capabilities::files())).unwrap()).into()
    });
    tools.iter().find(|tool| tool.descriptor().name == name).unwrap()
}

/// What the tool answers, or the kind of its error.
fn call(grants: &Grants, name: &str, input: &Value) -> Result<String, (ErrorKind, String)> {
    let sandbox = shared();
    match block_on(sandbox.call(tool(name), grants, &input.to_string(), &limits())).outcome {
        Ok(output) => Ok(serde_json::from_str::<Value>(&output).unwrap()["content"].as_str().unwrap().to_owned()),
        Err(CallError::Tool(error)) => Err((error.kind, error.message)),
        Err(other) => panic!("{other}"),
    }
}

fn open(name: &str, path: &Path) -> Grant {
    Grant::open(name, path, Access::ReadWrite, &Reserved::none()).unwrap().called(path.to_str().unwrap())
}

fn only(grant: Grant) -> Grants {
    Grants::new(vec![grant]).unwrap()
}

/// What the kernel reads beneath the directory at `root` by an absolute path that begins with `called`.
fn by_the_kernel(root: &Path, called: &Path, path: &str) -> Option<String> {
    let rest = Path::new(path).strip_prefix(called).ok()?;
    let mut rest = rest.components().collect::<PathBuf>().into_os_string();
    if rest.is_empty() {
        rest.push(".");
    }
    // A path that asks for a directory at its end does so for the kernel, too.
    if path.ends_with('/') || path.ends_with("/.") {
        rest.push("/");
    }
    let root = std::fs::File::open(root).unwrap();
    let file = openat2(&root, rest, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::BENEATH).ok()?;
    let mut content = String::new();
    std::fs::File::from(file).read_to_string(&mut content).ok()?;
    Some(content)
}

#[test]
fn absolute_paths_reach_what_the_kernel_reaches_beneath_the_handle_and_nothing_else() {
    let world = World::new(Access::ReadOnly);
    let root = world.base.path().canonicalize().unwrap();
    let granted = root.join("granted");
    std::fs::write(granted.join("sub/deep.txt"), "deep\n").unwrap();
    for (link, target) in [("out", "../granted-evil"), ("in", "sub"), ("absolute", "/etc"), ("up", "..")] {
        symlink(target, granted.join(link)).unwrap();
    }
    let link = root.join("shortcut");
    symlink(&granted, &link).unwrap();
    let grants = only(open("box", &granted).called(link.to_str().unwrap()));
    let parts: Vec<&'static str> = vec![
        "granted",
        "granted-evil",
        "shortcut",
        "sub",
        "in",
        "out",
        "up",
        "absolute",
        "passwd",
        "inside.txt",
        "deep.txt",
        "secret.txt",
        "..",
        ".",
        "",
        "%2e%2e",
        "~",
        "GRANTED",
        "box",
        "granted ",
    ];
    let start = prop_oneof![
        4 => Just(granted.to_str().unwrap().to_owned()),
        2 => Just(link.to_str().unwrap().to_owned()),
        2 => Just(root.to_str().unwrap().to_owned()),
        1 => Just(String::new()),
        1 => Just(format!("/.{}", granted.display())),
    ];
    let path = (start, prop::collection::vec(prop::sample::select(parts), 0..6))
        .prop_map(|(start, parts)| parts.iter().fold(start, |path, part| format!("{path}/{part}")))
        .prop_filter("absolute", |path| path.starts_with('/'));
    let config = Config {
        cases: bailiwick_fuzz::cases(400),
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Config::default()
    };
    let (mut read, mut runner) = (0, proptest::test_runner::TestRunner::new(config));
    let outcome = runner.run(&path, |path| {
        let expected = by_the_kernel(&granted, &granted, &path).or_else(|| by_the_kernel(&granted, &link, &path));
        let answered = call(&grants, "read_text_file", &json!({ "path": path }));
        prop_assert_eq!(answered.as_ref().ok(), expected.as_ref(), "{}: {:?}", path, answered);
        Ok(())
    });
    outcome.unwrap();
    // The paths are such that some are read.
    for path in ["granted/inside.txt", "shortcut/in/deep.txt", "granted/./sub//deep.txt", "granted/sub/../inside.txt"] {
        read += usize::from(call(&grants, "read_text_file", &json!({ "path": root.join(path) })).is_ok());
    }
    assert_eq!(read, 4);
    std::fs::remove_file(link).unwrap();
    world.assert_outside_untouched();
}

#[test]
fn grant_without_a_path_of_callers_knows_no_absolute_path() {
    let world = World::new(Access::ReadOnly);
    let path = world.granted().join("inside.txt");
    let (kind, message) = call(&world.grants, "read_text_file", &json!({ "path": path })).unwrap_err();
    assert_eq!(kind, ErrorKind::NotPermitted);
    assert!(message.contains("is absolute"), "{message}");
    assert_eq!(call(&world.grants, "list_allowed_directories", &json!({})).unwrap(), "Allowed directories:\nbox");
}

#[test]
fn narrowed_grant_is_opened_beneath_the_handle_and_keeps_what_held_for_the_whole() {
    let world = World::new(Access::ReadWrite);
    let granted = world.granted();
    std::fs::create_dir_all(granted.join(".git/hooks")).unwrap();
    symlink("../granted-evil", granted.join("out")).unwrap();
    symlink("sub", granted.join("in")).unwrap();
    let whole = open("box", &granted);
    for path in ["out", "..", "sub/../..", "inside.txt", "none", "/etc"] {
        assert!(matches!(whole.narrowed(path), Err(GrantError::Open { .. })), "{path}");
    }
    let narrow = only(whole.narrowed("in").unwrap());
    assert!(call(&narrow, "write_file", &json!({ "path": "new.txt", "content": "" })).is_ok());
    assert!(granted.join("sub/new.txt").is_file());
    assert!(call(&narrow, "read_text_file", &json!({ "path": "../inside.txt" })).is_err());
    // A sensitive place is one from wherever it is looked at.
    let hooks = only(whole.narrowed(".git/hooks").unwrap());
    let (kind, _) = call(&hooks, "write_file", &json!({ "path": "pre-commit", "content": "" })).unwrap_err();
    assert_eq!(kind, ErrorKind::NotPermitted);
    assert!(!granted.join(".git/hooks/pre-commit").exists());
    // The directory that was opened is meant, whatever has its name now.
    let moved = only(whole.narrowed("sub").unwrap());
    std::fs::rename(granted.join("sub"), granted.join("elsewhere")).unwrap();
    symlink("../granted-evil", granted.join("sub")).unwrap();
    assert!(call(&moved, "read_text_file", &json!({ "path": "secret.txt" })).is_err());
    assert!(call(&moved, "read_text_file", &json!({ "path": "new.txt" })).is_ok());
    world.assert_outside_untouched();
}

#[test]
fn read_only_grant_stays_read_only_when_it_is_narrowed() {
    let world = World::new(Access::ReadOnly);
    let grant = world.grants.iter().next().unwrap().narrowed("sub").unwrap();
    assert_eq!((grant.access(), grant.name()), (Access::ReadOnly, "box/sub"));
    assert!(call(&only(grant), "write_file", &json!({ "path": "x", "content": "" })).is_err());
}

#[test]
fn what_appears_where_a_file_is_moved_to_is_never_replaced() {
    let world = World::new(Access::ReadWrite);
    let (source, target) = (world.granted().join("source"), world.granted().join("target"));
    let mut won = [0; 2];
    for round in 0..200 {
        std::fs::write(&source, "moved").unwrap();
        let (created, moved) = std::thread::scope(|scope| {
            let creator = scope.spawn(|| std::fs::File::create_new(&target).is_ok());
            let moved = call(&world.grants, "move_file", &json!({ "source": "source", "destination": "target" }));
            (creator.join().unwrap(), moved)
        });
        assert!(created != moved.is_ok(), "{round}: {moved:?}");
        let content = std::fs::read_to_string(&target).unwrap();
        assert_eq!(content, if created { "" } else { "moved" }, "{round}");
        assert_eq!(source.exists(), created, "{round}");
        won[usize::from(created)] += 1;
        std::fs::remove_file(&target).unwrap();
    }
    println!("the mover won {} times, the creator {}", won[0], won[1]);
}

#[test]
fn directory_that_was_moved_removed_or_replaced_is_not_used_until_it_is_back() {
    let world = World::new(Access::ReadWrite);
    let (granted, aside, elsewhere) =
        (world.granted(), world.base.path().join("granted-aside"), world.base.path().join("granted-evil"));
    std::fs::create_dir(world.base.path().join("other")).unwrap();
    std::fs::write(world.base.path().join("other/o.txt"), "other\n").unwrap();
    let grants = Grants::new(vec![open("box", &granted), open("other", &world.base.path().join("other"))]).unwrap();
    let used = |path: &str, content: Option<&str>| {
        let (name, input) = match content {
            Some(content) => ("write_file", json!({ "path": path, "content": content })),
            None => ("read_text_file", json!({ "path": path })),
        };
        block_on(shared().call(tool(name), &grants, &input.to_string(), &limits())).outcome
    };
    let inside = granted.join("inside.txt").to_str().unwrap().to_owned();
    let refused = |situation: &str| {
        for path in [inside.as_str(), "box/inside.txt"] {
            for content in [None, Some("new\n")] {
                let refused = used(path, content).unwrap_err();
                assert_eq!(refused, CallError::Host(HostFailure::Moved { grant: "box".into() }), "{situation}: {path}");
            }
        }
        // The other one is not affected.
        assert!(used("other/o.txt", None).is_ok(), "{situation}");
        let listed = call(&grants, "list_allowed_directories", &json!({})).unwrap();
        assert!(listed.contains("other"), "{listed}");
    };
    assert!(used(&inside, None).is_ok());
    std::fs::rename(&granted, &aside).unwrap();
    refused("moved");
    symlink(&elsewhere, &granted).unwrap();
    refused("a link to another directory in its place");
    std::fs::remove_file(&granted).unwrap();
    symlink(&aside, &granted).unwrap();
    assert!(used(&inside, Some("through the link\n")).is_ok(), "its path leads to it again");
    assert_eq!(std::fs::read_to_string(aside.join("inside.txt")).unwrap(), "through the link\n");
    std::fs::remove_file(&granted).unwrap();
    std::fs::create_dir(&granted).unwrap();
    std::fs::write(&inside, "another\n").unwrap();
    refused("another directory in its place");
    assert_eq!(std::fs::read_to_string(&inside).unwrap(), "another\n");
    std::fs::remove_dir_all(&granted).unwrap();
    std::fs::rename(&aside, &granted).unwrap();
    assert!(used(&inside, None).is_ok(), "it is back");
    std::fs::remove_dir_all(&granted).unwrap();
    refused("removed");
    assert_eq!(std::fs::read_to_string(elsewhere.join("secret.txt")).unwrap(), "canary\n");
}

#[test]
fn of_two_paths_to_a_directory_the_one_that_leads_elsewhere_no_longer_names_it() {
    let world = World::new(Access::ReadWrite);
    let (granted, link) = (world.granted(), world.base.path().join("link"));
    symlink(&granted, &link).unwrap();
    let grants = only(open("box", &granted).called(link.to_str().unwrap()));
    let read = |directory: &Path| {
        let path = directory.join("inside.txt");
        call(&grants, "read_text_file", &json!({ "path": path.to_str().unwrap() }))
    };
    assert!(read(&link).is_ok() && read(&granted).is_ok());
    std::fs::remove_file(&link).unwrap();
    symlink(world.base.path().join("granted-evil"), &link).unwrap();
    assert_eq!(read(&link).unwrap_err().0, ErrorKind::NotPermitted);
    assert_eq!(read(&granted).unwrap(), "inside\n");
}
