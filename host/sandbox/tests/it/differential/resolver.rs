//! The resolver alone, on paths that no guest can send: any bytes but a string. Both mechanisms against the oracle.

use super::way::{Way, way};
use super::world::{Ground, World};
use bailiwick_sandbox::fs::resolve::{LastLink, Resolution, beneath_with};
use proptest::prelude::*;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const BOTH: [Resolution; 2] = [Resolution::Openat2, Resolution::Walk];

const NAMES: [&[u8]; 42] = [
    b"sub",
    b"file",
    b"deeper",
    b"empty",
    b"..",
    b".",
    b"",
    b"up",
    b"in",
    b"in-directory",
    b"to-sub",
    b"to-empty",
    b"back",
    b"out",
    b"out-file",
    b"out-new",
    b"evil",
    b"absolute",
    b"absolute-inside",
    b"root",
    b"hidden",
    b"indirect",
    b"dangling",
    b"dangling-directory",
    b"deep-dangling",
    b"loop",
    b"ping",
    b"chain",
    b"longer-chain",
    b"fifo",
    b"to-fifo",
    b"to-bad",
    b"bad",
    b"bad-\xff",
    b"bad-\xfe",
    b"\xff",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"a\0b",
    b"\0",
    b"git",
    b"leaf",
];

fn paths() -> impl Strategy<Value = Vec<u8>> {
    let separator = prop::sample::select(vec![&b"/"[..], b"/", b"/", b"//", b"/./", b"/../", b"/\xff/"]);
    let name = prop_oneof![
        20 => prop::sample::select(&NAMES[..]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => prop::sample::select(vec![vec![0xff; 255], vec![b'x'; 256], b"./".repeat(2047), b"./".repeat(2048)]),
    ];
    let start = prop::sample::select(vec![&b""[..], b"", b"", b"./", b"/", b"../"]);
    let end = prop::sample::select(vec![&b""[..], b"", b"", b"/", b"/.", b"//", b"/..", b"\0"]);
    (start, prop::collection::vec((name, separator), 1..6), end).prop_map(|(start, parts, end)| {
        let mut path = start.to_vec();
        for (at, (name, separator)) in parts.iter().enumerate() {
            if at > 0 {
                path.extend_from_slice(separator);
            }
            path.extend_from_slice(name);
        }
        path.extend_from_slice(end);
        path
    })
}

/// What of the oracle's way can be compared: where it ends, or with which error.
fn expected(root: &OwnedFd, path: &[u8], follow: bool) -> Result<(u64, u64), Errno> {
    match way(root, path, follow) {
        Way::Inside(place) => {
            let place = Path::new(".").join(place);
            let stat = rustix::fs::statat(root, &place, AtFlags::SYMLINK_NOFOLLOW).unwrap();
            Ok((stat.st_dev, stat.st_ino))
        }
        Way::Outside => Err(Errno::XDEV),
        Way::Fails(errno) => Err(errno),
    }
}

fn found(resolution: Resolution, root: &OwnedFd, path: &[u8], last: LastLink) -> Result<(u64, u64), Errno> {
    let handle = beneath_with(resolution, root, Path::new(OsStr::from_bytes(path)), last)?;
    let stat = rustix::fs::fstat(handle).unwrap();
    Ok((stat.st_dev, stat.st_ino))
}

/// The error, too, which tells the guest whether it was refused: what is met first on the way counts.
fn disagreements(root: &OwnedFd, path: &[u8]) -> Vec<String> {
    let mut disagreements = Vec::new();
    for (last, follow) in [(LastLink::Follow, true), (LastLink::Keep, false)] {
        let expected = expected(root, path, follow);
        for resolution in BOTH {
            let found = found(resolution, root, path, last);
            if found != expected {
                let path = path.escape_ascii();
                disagreements.push(format!("{resolution:?}, {last:?} of `{path}`: {found:?} and not {expected:?}"));
            }
        }
    }
    disagreements
}

fn planted() -> (tempfile::TempDir, World, OwnedFd) {
    let canary = Ground::Memory.directory();
    let world = World::new(Ground::Memory, canary.path());
    let root = rustix::fs::openat(CWD, world.at("granted"), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    (canary, world, root)
}

#[test]
fn any_bytes_lead_where_the_oracle_says() {
    let (_canary, _world, root) = planted();
    let config = ProptestConfig {
        cases: bailiwick_fuzz::cases(20_000),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    };
    let result = proptest::test_runner::TestRunner::new(config).run(&paths(), |path| {
        let disagreements = disagreements(&root, &path);
        prop_assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

#[test]
fn chosen_bytes_lead_where_the_oracle_says() {
    let (_canary, _world, root) = planted();
    let long = [b"./".repeat(2047), b"./".repeat(2048), [b"./".repeat(2046), b"file".to_vec()].concat()];
    let paths: [&[u8]; 14] = [
        b"bad-\xff",
        b"bad-\xfe",
        b"bad-\xff/",
        b"to-bad",
        b"to-bad/",
        b"bad",
        b"\xff/..",
        b"missing/a\0b",
        b"../a\0b",
        b"a\0b/..",
        b"\0",
        &long[0],
        &long[1],
        &long[2],
    ];
    let found: Vec<_> = paths.iter().flat_map(|path| disagreements(&root, path)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
