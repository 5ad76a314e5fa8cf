//! Permissions of the host's own filesystem hold for tools as for everybody.
//!
//! Root is asked about none of them. So the host of these tests gives the right to pass them over away, and so do the
//! worker threads it starts, which inherit what their maker has.

use super::{cannot_run, leftovers};
use crate::common::{World, block_on, limits, sandbox};
use bailiwick_sandbox::{Access, CallError, Capabilities, ErrorKind, builtin};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Drops what lets root pass over permissions, for this thread and those it starts from here on.
fn without_override() -> bool {
    let passing = CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    let Ok(mut sets) = capabilities(None) else { return false };
    sets.effective.remove(passing);
    sets.permitted.remove(passing);
    sets.inheritable.remove(passing);
    set_capabilities(None, sets).is_ok()
}

/// What the tools come to in a sandbox whose threads have no such right.
fn outcomes(world: &World, calls: &[(&str, Value)]) -> Option<Vec<Result<(), ErrorKind>>> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if !without_override() {
                return None;
            }
            let sandbox = sandbox();
            Some(block_on(async {
                let mut found = Vec::new();
                for (name, input) in calls {
                    let bytes = match *name {
                        "ReadFile" => builtin::READ_FILE,
                        "WriteFile" => builtin::WRITE_FILE,
                        "ListFiles" => builtin::LIST_FILES,
                        _ => builtin::CODE_PATCH,
                    };
                    let tool = sandbox.load(bytes, &Capabilities::built_in()).await.unwrap();
                    let report = sandbox.call(&tool, &world.grants, &input.to_string(), &limits()).await;
                    found.push(match report.outcome {
                        Ok(_) => Ok(()),
                        Err(CallError::Tool(error)) => Err(error.kind),
                        Err(CallError::Host(failure)) => panic!("{name}: {failure}"),
                    });
                }
                found
            }))
        });
        thread.join().unwrap()
    })
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn directory_without_write_permission_is_read_and_not_changed() {
    let world = World::new(Access::ReadWrite);
    std::fs::write(world.granted().join("sub/file.txt"), "kept\n").unwrap();
    set_mode(&world.granted().join("sub"), 0o555);
    let calls = [
        ("ReadFile", json!({"filePath": "box/sub/file.txt"})),
        ("ListFiles", json!({"path": "box/sub"})),
        ("WriteFile", json!({"filePath": "box/sub/file.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/sub/new.txt", "content": "x"})),
        ("WriteFile", json!({"filePath": "box/sub/new/new.txt", "content": "x"})),
        ("CodePatch", json!({"filePath": "box/sub/file.txt", "oldContent": "kept", "newContent": "x"})),
    ];
    let found = outcomes(&world, &calls);
    set_mode(&world.granted().join("sub"), 0o755);
    let refused = Err(ErrorKind::NotPermitted);
    match found {
        None => cannot_run("this process may not give up the right to pass over permissions"),
        Some(found) => assert_eq!(found, [Ok(()), Ok(()), refused, refused, refused, refused]),
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("sub/file.txt")).unwrap(), "kept\n");
    assert_eq!(std::fs::read_dir(world.granted().join("sub")).unwrap().count(), 1);
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

#[test]
fn directory_that_can_only_be_passed_through_is_used_by_name_and_not_listed() {
    let world = World::new(Access::ReadWrite);
    std::fs::write(world.granted().join("sub/file.txt"), "kept\n").unwrap();
    set_mode(&world.granted().join("sub"), 0o111);
    let calls = [
        ("ReadFile", json!({"filePath": "box/sub/file.txt"})),
        ("ListFiles", json!({"path": "box/sub"})),
        ("ListFiles", json!({"path": "box", "recursive": true})),
        ("WriteFile", json!({"filePath": "box/sub/file.txt", "content": "x"})),
    ];
    let found = outcomes(&world, &calls);
    set_mode(&world.granted().join("sub"), 0o755);
    match found {
        None => cannot_run("this process may not give up the right to pass over permissions"),
        Some(found) => {
            assert_eq!(found, [Ok(()), Err(ErrorKind::NotPermitted), Ok(()), Err(ErrorKind::NotPermitted)]);
        }
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("sub/file.txt")).unwrap(), "kept\n");
}

#[test]
fn file_without_read_permission_is_not_read() {
    let world = World::new(Access::ReadWrite);
    set_mode(&world.granted().join("inside.txt"), 0o200);
    let calls = [
        ("ReadFile", json!({"filePath": "box/inside.txt"})),
        ("CodePatch", json!({"filePath": "box/inside.txt", "oldContent": "inside", "newContent": "x"})),
    ];
    let found = outcomes(&world, &calls);
    set_mode(&world.granted().join("inside.txt"), 0o600);
    match found {
        None => cannot_run("this process may not give up the right to pass over permissions"),
        Some(found) => assert_eq!(found, [Err(ErrorKind::NotPermitted); 2]),
    }
    assert_eq!(std::fs::read_to_string(world.granted().join("inside.txt")).unwrap(), "inside\n");
}
