//! What a write leaves beside the content: the file's own metadata when it succeeds, nothing when it is refused. And
//! answers that say what was wrong instead of nothing.

use crate::common::World;
use bailiwick_sandbox::{Access, CallError, CallReport, ErrorKind};
use rustix::fs::XattrFlags;
use rustix::io::Errno;
use serde_json::{Value, json};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

fn refusal(report: &CallReport) -> (ErrorKind, String) {
    match &report.outcome {
        Err(CallError::Tool(error)) => (error.kind, error.message.clone()),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Every name beneath the granted directory.
fn tree(world: &World) -> Vec<String> {
    fn collect(directory: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            names.push(path.display().to_string());
            if path.is_dir() {
                collect(&path, names);
            }
        }
    }
    let mut names = Vec::new();
    collect(&world.granted(), &mut names);
    names.sort();
    names
}

#[test]
fn path_that_can_only_mean_a_directory_leaves_nothing() {
    let world = World::new(Access::ReadWrite);
    let before = tree(&world);
    for path in [
        "x/",
        "box/x/",
        "x//",
        "x/.",
        "x/./",
        "x/..",
        "a/b/",
        "a/b/.",
        "a/b/..",
        "a/../b/c/.",
        "inside.txt/",
        "sub",
        "sub/",
        ".",
    ] {
        let report = world.call("WriteFile", &json!({"filePath": path, "content": "text\n"}));
        let (kind, _) = refusal(&report);
        assert!(
            matches!(kind, ErrorKind::InvalidInput | ErrorKind::WrongKind | ErrorKind::NotPermitted),
            "{path}: {kind:?}"
        );
        assert_eq!(tree(&world), before, "{path}");
    }
}

#[test]
fn write_that_fails_half_way_takes_its_directories_back() {
    let world = World::new(Access::ReadWrite);
    let before = tree(&world);
    let long = "n".repeat(300);
    // The rename to a name that is too long fails after the directories and the temporary file were made.
    let report = world.call("WriteFile", &json!({"filePath": format!("box/a/b/{long}"), "content": "text\n"}));
    assert_eq!(refusal(&report).0, ErrorKind::InvalidInput);
    assert_eq!(tree(&world), before);
    // So does a name that is too long for a directory on the way.
    let report = world.call("WriteFile", &json!({"filePath": format!("box/a/{long}/c"), "content": "text\n"}));
    assert_eq!(refusal(&report).0, ErrorKind::InvalidInput);
    assert_eq!(tree(&world), before);
}

#[test]
fn refused_write_to_a_read_only_grant_says_so_and_how_to_change_it() {
    let world = World::new(Access::ReadOnly);
    for (tool, input) in [
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/a/b/new.txt", "content": "x"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "inside", "newContent": "x"})),
        ("UpdateCspellWords", json!({"words": ["x"]})),
    ] {
        let report = world.call(tool, &input);
        let (kind, message) = refusal(&report);
        assert_eq!(kind, ErrorKind::NotPermitted, "{tool}");
        assert!(message.contains("`box` is granted read-only") && message.contains("`:rw`"), "{tool}: {message}");
        assert!(report.cost.denied > 0, "{tool}");
    }
    // Leaving the grant is another matter, and the message is that one.
    let (_, message) = refusal(&world.call("WriteFile", &json!({"filePath": "box/../secret.txt", "content": "x"})));
    assert!(!message.contains(":rw"), "{message}");
}

#[test]
fn cursor_that_no_answer_gave_is_invalid_and_pages_have_everything_once() {
    let world = World::new(Access::ReadWrite);
    for number in 0..25 {
        std::fs::write(world.granted().join(format!("sub/{number:02}.txt")), "").unwrap();
    }
    for cursor in ["zzz", "sub/05.txt", "0123456789abcdef:sub/05.txt"] {
        let report = world.call("ListFiles", &json!({"path": "box/sub", "cursor": cursor}));
        assert_eq!(refusal(&report).0, ErrorKind::InvalidInput, "{cursor}");
    }
    let mut names = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let input = json!({"path": "box/sub", "limit": 10, "cursor": cursor});
        let page: Value = serde_json::from_str(&world.call("ListFiles", &input).outcome.unwrap()).unwrap();
        names
            .extend(page["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
        // What it stands behind may be gone by then.
        let last = names.last().unwrap();
        std::fs::remove_file(world.granted().join(last)).unwrap();
    }
    assert_eq!(names, (0..25).map(|number| format!("sub/{number:02}.txt")).collect::<Vec<_>>());
    let other = json!({"path": "box", "limit": 1});
    let first: Value = serde_json::from_str(&world.call("ListFiles", &other).outcome.unwrap()).unwrap();
    let crossed = json!({"path": "box/sub", "cursor": first["nextCursor"]});
    assert_eq!(refusal(&world.call("ListFiles", &crossed)).0, ErrorKind::InvalidInput);
}

/// What every tool that writes does to the file `inside.txt`.
fn replacements() -> [(&'static str, Value); 2] {
    [
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "new\n"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "new", "newContent": "newer"})),
    ]
}

#[test]
fn replaced_file_keeps_every_mode_and_loses_set_id_bits() {
    for mode in [0o644, 0o600, 0o444, 0o755, 0o4755, 0o2755, 0o6777, 0o1644] {
        let world = World::new(Access::ReadWrite);
        let path = world.granted().join("inside.txt");
        for (tool, input) in replacements() {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            world.call(tool, &input).outcome.unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, mode & 0o777, "{tool} {mode:o}");
        }
    }
}

#[test]
fn new_file_has_the_mode_of_any_new_file() {
    let world = World::new(Access::ReadWrite);
    std::fs::write(world.granted().join("plain.txt"), "x").unwrap();
    let mode = |name: &str| std::fs::metadata(world.granted().join(name)).unwrap().mode() & 0o7777;
    world.call("WriteFile", &json!({"filePath": "box/new.txt", "content": "x"})).outcome.unwrap();
    assert_eq!(mode("new.txt"), mode("plain.txt"));
}

#[test]
fn only_the_owner_can_read_a_file_while_it_is_being_written() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let input = json!({"filePath": "box/inside.txt", "content": "secret\n".repeat(200_000)});
    let (granted, stop) = (world.granted(), std::sync::atomic::AtomicBool::new(false));
    let seen = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut seen = Vec::new();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                for entry in std::fs::read_dir(&granted).unwrap().flatten() {
                    if entry.file_name().as_encoded_bytes().starts_with(b".bailiwick-tmp-")
                        && let Ok(metadata) = entry.metadata()
                    {
                        seen.push(metadata.mode() & 0o7777);
                    }
                }
            }
            seen
        });
        for _ in 0..5 {
            world.call("WriteFile", &input).outcome.unwrap();
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        watcher.join().unwrap()
    });
    assert!(!seen.is_empty(), "the temporary file was never seen");
    assert!(seen.iter().all(|mode| *mode == 0o600), "{seen:?}");
}

/// Says why a test cannot run here. In CI everything it needs is there, so it fails.
#[expect(clippy::print_stdout, reason = "the person who runs the tests has to know that this one did not")]
fn cannot_run(why: &str) {
    println!("cannot run here: {why}");
    assert!(std::env::var_os("CI").is_none(), "{why}");
}

/// Sets an attribute; whether this filesystem has such a thing.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    match rustix::fs::setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::OPNOTSUPP | Errno::PERM) => {
            cannot_run(&format!("no attribute `{name}` on this filesystem, or not for this user"));
            false
        }
        Err(errno) => panic!("{name}: {errno}"),
    }
}

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    match rustix::fs::getxattr(path, name, value.as_mut_slice()) {
        Ok(length) => Some(value[..length].to_vec()),
        Err(Errno::NODATA) => None,
        Err(errno) => panic!("{name}: {errno}"),
    }
}

/// An access list that lets user 1234 read beside the owner, and no other user.
fn access_list() -> Vec<u8> {
    const NOBODY: u32 = u32::MAX;
    let (owner, user, group, mask, other) = (0x01_u16, 0x02_u16, 0x04_u16, 0x10_u16, 0x20_u16);
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in
        [(owner, 6_u16, NOBODY), (user, 4, 1234), (group, 0, NOBODY), (mask, 4, NOBODY), (other, 0, NOBODY)]
    {
        list.extend(tag.to_le_bytes());
        list.extend(permissions.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

#[test]
fn replaced_file_stays_its_owners_and_its_groups() {
    if !rustix::process::geteuid().is_root() {
        return cannot_run("only root can give files away");
    }
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    for (tool, input) in replacements() {
        chown(&path, Some(1000), Some(1001)).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4664)).unwrap();
        world.call(tool, &input).outcome.unwrap();
        let metadata = std::fs::metadata(&path).unwrap();
        assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777), (1000, 1001, 0o664), "{tool}");
    }
}

#[test]
fn replaced_file_keeps_its_attributes_and_its_access_list_and_no_capability() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    if !set(&path, "user.origin", b"somewhere") || !set(&path, "system.posix_acl_access", &access_list()) {
        return;
    }
    // More names than a small list has room for.
    for number in 0..40 {
        assert!(set(&path, &format!("user.number-{number}"), b"x"));
    }
    // `cap_net_raw` permitted, in the second version of the format.
    let capability = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let with_capability = rustix::fs::setxattr(&path, "security.capability", &capability, XattrFlags::empty()).is_ok();
    for (tool, input) in replacements() {
        world.call(tool, &input).outcome.unwrap();
        assert_eq!(get(&path, "user.origin").as_deref(), Some(&b"somewhere"[..]), "{tool}");
        assert_eq!(get(&path, "user.number-39").as_deref(), Some(&b"x"[..]), "{tool}");
        assert_eq!(get(&path, "system.posix_acl_access"), Some(access_list()), "{tool}");
        if with_capability {
            assert_eq!(get(&path, "security.capability"), None, "{tool}");
        }
    }
}

#[test]
fn replaced_file_gets_no_access_list_from_its_directory() {
    let world = World::new(Access::ReadWrite);
    if !set(&world.granted(), "system.posix_acl_default", &access_list()) {
        return;
    }
    let path = world.granted().join("inside.txt");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    for (tool, input) in replacements() {
        world.call(tool, &input).outcome.unwrap();
        assert_eq!(get(&path, "system.posix_acl_access"), None, "{tool}");
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o640, "{tool}");
    }
    // A file that is new gets what its directory gives.
    world.call("WriteFile", &json!({"filePath": "box/new.txt", "content": "x"})).outcome.unwrap();
    assert!(get(&world.granted().join("new.txt"), "system.posix_acl_access").is_some());
}
