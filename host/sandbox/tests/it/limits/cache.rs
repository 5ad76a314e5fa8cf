//! Compiled code on disk is run only if it is what this process would have written.

use super::assert_unharmed;
use super::guest::Guest;
use crate::common::{block_on, sandbox_with};
use bailiwick_sandbox::{Capabilities, CompileCache};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

fn files(directory: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn load(directory: &Path) {
    let sandbox = sandbox_with(CompileCache::Directory(directory.to_owned()));
    let tool = block_on(sandbox.load(&Guest::new(super::ANSWER).component(), &Capabilities::files())).unwrap();
    let report = super::call(&sandbox, &tool, &super::Grants::none(), &super::limits());
    assert_eq!(report.outcome.unwrap(), r#"{"type":"object"}"#);
}

type Tamper = fn(&Path, &[u8]);

fn replace(path: &Path, content: &[u8]) {
    std::fs::write(path, content).unwrap();
}

#[test]
fn tampered_code_is_never_run_and_is_replaced() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    load(&directory);
    let [path] = &*files(&directory) else { panic!("one file expected") };
    let good = std::fs::read(path).unwrap();
    let cases: [(&str, Tamper); 9] = [
        ("empty", |path, _| replace(path, b"")),
        ("shorter than its digest", |path, good| replace(path, &good[..20])),
        ("cut short", |path, good| replace(path, &good[..good.len() - 1])),
        ("longer", |path, good| replace(path, &[good, b"x"].concat())),
        ("of random content", |path, good| replace(path, &vec![0x5a; good.len()])),
        ("a symbolic link to good code", |path, good| {
            let elsewhere = path.parent().unwrap().parent().unwrap().join("elsewhere");
            std::fs::write(&elsewhere, good).unwrap();
            std::fs::set_permissions(&elsewhere, PermissionsExt::from_mode(0o600)).unwrap();
            std::fs::remove_file(path).unwrap();
            symlink(elsewhere, path).unwrap();
        }),
        ("readable by others", |path, _| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o644)).unwrap();
        }),
        ("a FIFO", |path, _| {
            std::fs::remove_file(path).unwrap();
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
            assert!(std::fs::symlink_metadata(path).unwrap().file_type().is_fifo());
        }),
        ("a directory", |path, _| {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
        }),
    ];
    for (what, tamper) in cases {
        tamper(path, &good);
        load(&directory);
        if what == "a directory" {
            // Nothing can be renamed to its place, so it stays and every load compiles.
            std::fs::remove_dir(path).unwrap();
            load(&directory);
        }
        let metadata = std::fs::symlink_metadata(path).unwrap();
        assert!(metadata.is_file(), "{what}");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{what}");
        assert!(std::fs::read(path).unwrap() == good, "{what}: what was compiled again is not what was there");
        assert_eq!(files(&directory).len(), 1, "{what}");
    }
    // One bit anywhere: in the digest, in the headers, and all over the code.
    for place in (0..20).chain((20..good.len()).step_by(good.len() / 40)) {
        let mut flipped = good.clone();
        flipped[place] ^= 1 << (place % 8);
        replace(path, &flipped);
        load(&directory);
        assert!(std::fs::read(path).unwrap() == good, "bit at {place}");
    }
}

#[test]
fn code_of_another_user_is_not_run() {
    if !rustix::process::geteuid().is_root() {
        assert!(std::env::var_os("CI").is_none(), "only root can give a file to another user");
        eprintln!("not run: only root can give a file to another user");
        return;
    }
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    load(&directory);
    let [path] = &*files(&directory) else { panic!("one file expected") };
    std::os::unix::fs::chown(path, Some(65534), Some(65534)).unwrap();
    load(&directory);
    use std::os::unix::fs::MetadataExt;
    assert_eq!(std::fs::metadata(path).unwrap().uid(), 0);
}

#[test]
fn cache_behind_a_symbolic_link_or_open_to_others_is_refused() {
    let base = tempfile::tempdir().unwrap();
    let real = base.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o700)).unwrap();
    symlink(&real, base.path().join("link")).unwrap();
    std::fs::write(base.path().join("file"), "").unwrap();
    for name in ["link", "file"] {
        let sandbox = sandbox_with(CompileCache::Directory(base.path().join(name)));
        let refused =
            block_on(sandbox.load(&Guest::new(super::ANSWER).component(), &Capabilities::files())).unwrap_err();
        assert!(matches!(refused, bailiwick_sandbox::LoadError::Cache(_)), "{name}: {refused}");
    }
}

#[test]
fn many_that_keep_the_same_component_at_once_do_not_disturb_each_other() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    for _ in 0..5 {
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| load(&directory));
            }
        });
        let kept = files(&directory);
        assert_eq!(kept.len(), 1, "{kept:?}");
        std::fs::remove_file(&kept[0]).unwrap();
    }
    assert_unharmed(&sandbox_with(CompileCache::Directory(directory)));
}
