//! FIFOs, sockets and devices are refused before they are opened, no matter who puts them there and when.

use super::apart::not_run;
use crate::common::{World, block_on, limits};
use bailiwick_sandbox::{Access, CallError, ErrorKind, Limits};
use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use serde_json::json;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn fifo(path: &Path) {
    rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn fifo_socket_and_device_are_refused_by_every_tool_before_they_are_opened() {
    let world = World::new(Access::ReadWrite);
    let granted = world.granted();
    fifo(&granted.join("fifo"));
    std::os::unix::fs::symlink("fifo", granted.join("link")).unwrap();
    let _socket = UnixListener::bind(granted.join("socket")).unwrap();
    let mut names = vec!["fifo", "link", "socket"];
    // Zeroes without end, and a node whose mere opening has an effect on some devices.
    let device = rustix::fs::makedev(1, 5);
    match rustix::fs::mknodat(CWD, granted.join("device"), FileType::CharacterDevice, Mode::RUSR | Mode::WUSR, device) {
        Ok(()) => names.push("device"),
        Err(errno) => not_run(&format!("a device cannot be made: {errno}")),
    }
    for name in names {
        let calls = [
            ("ReadFile", json!({"filePath": name})),
            ("WriteFile", json!({"filePath": name, "content": "x"})),
            ("CodePatch", json!({"filePath": name, "oldContent": "a", "newContent": "b"})),
            ("ListFiles", json!({"path": name})),
            ("ReadFile", json!({"filePath": format!("{name}/inside")})),
        ];
        for (tool, input) in calls {
            // One that is opened blocks until the deadline, which is not an error of the tool.
            let report = world.call(tool, &input);
            let Err(CallError::Tool(error)) = &report.outcome else { panic!("{tool} {name}: {:?}", report.outcome) };
            let expected = matches!(error.kind, ErrorKind::WrongKind | ErrorKind::NotPermitted | ErrorKind::NotFound);
            assert!(expected, "{tool} {name}: {error:?}");
        }
    }
    let kept = std::fs::symlink_metadata(granted.join("fifo")).unwrap();
    assert!(kept.file_type().is_fifo(), "replaced by a file");
    assert_eq!(world.sandbox.stuck(), 0);
    world.assert_outside_untouched();
}

/// An attacker swaps a file and a FIFO as fast as the kernel can, while tools open that name. What is checked is an
/// inode and what is opened is the same inode, so no call ever opens the FIFO, and none hangs.
#[test]
fn fifo_that_is_swapped_in_between_hangs_no_call() {
    let calls = bailiwick_fuzz::cases(20_000);
    let world = World::new(Access::ReadWrite);
    let granted = world.granted();
    let (target, other) = (granted.join("target"), granted.join("other"));
    std::fs::write(&target, "text of the file\n").unwrap();
    fifo(&other);
    let limits = Limits { deadline: Duration::from_secs(2), ..limits() };
    let stop = AtomicBool::new(false);
    let (mut read, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = rustix::fs::renameat_with(CWD, &target, CWD, &other, RenameFlags::EXCHANGE);
            }
        });
        let input = json!({"filePath": "target"}).to_string();
        let tool = world.tool("ReadFile");
        block_on(async {
            for _ in 0..calls {
                let report = world.sandbox.call(tool, &world.grants, &input, &limits).await;
                match &report.outcome {
                    Ok(text) if text.contains("text of the file") => read += 1,
                    Err(CallError::Tool(error))
                        if matches!(error.kind, ErrorKind::WrongKind | ErrorKind::NotPermitted) =>
                    {
                        refused += 1;
                    }
                    other => {
                        stop.store(true, Ordering::Relaxed);
                        panic!("{other:?}");
                    }
                }
            }
        });
        stop.store(true, Ordering::Relaxed);
    });
    // Both states were met, or the test shows nothing.
    assert!(read > calls / 100 && refused > calls / 100, "{read} read, {refused} refused");
    assert_eq!(world.sandbox.stuck(), 0);
}
