//! Random operations of the raw guest: whatever they come to, the outside and the read-only grant stay as they were,
//! nothing of the outside is told, and the host neither stops nor panics.

use super::world::World;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

/// What paths are made of. Each link that the world has is among them, and each name that programs like to get wrong.
const NAMES: [&str; 24] = [
    ".",
    "..",
    "",
    "a",
    "b",
    "sub",
    "deeper",
    "inside.txt",
    "leaf.txt",
    "new",
    "out",
    "out-absolute",
    "out-file",
    "dangling",
    "back",
    "in",
    "in-directory",
    "loop",
    "fifo",
    ".git",
    ".bailiwick-tmp-1",
    "a\0b",
    "\u{e9}",
    "outside",
];

const ENDS: [&str; 6] = ["", "", "", "/", "/.", "//"];

fn path() -> impl Strategy<Value = String> {
    let start = select(vec!["", "", "", "", "./", "../", "/", "//"]);
    let names = vec(select(&NAMES[..]), 1..5);
    let between = select(vec!["/", "/", "/", "//", "/./"]);
    let long = (start, names, between, select(&ENDS[..]))
        .prop_map(|(start, names, between, end)| format!("{start}{}{end}", names.join(between)));
    // Every other one is a name as it stands, so that short cuts are tried as often as detours.
    prop_oneof![select(&NAMES[..]).prop_map(str::to_owned), long]
}

fn flags() -> impl Strategy<Value = String> {
    subsequence(vec!['f', 'c', 'd', 'x', 't', 'r', 'w', 'm', 'i', 'a', 'q'], 0..=5)
        .prop_map(|letters| letters.into_iter().collect())
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0_u64..100, 1 => select(vec![4096, 1 << 20, 1 << 40, i64::MAX as u64, 1 << 63, u64::MAX])]
}

/// The grants are the first three descriptors; what was opened comes after them.
fn descriptor() -> impl Strategy<Value = u64> {
    prop_oneof![2 => 0_u64..3, 1 => 3_u64..12]
}

fn operation() -> impl Strategy<Value = Value> {
    let of_path = select(vec![
        "stat-at",
        "metadata-hash-at",
        "create-directory-at",
        "remove-directory-at",
        "unlink-file-at",
        "readlink-at",
    ]);
    let plain = select(vec![
        "stat",
        "get-type",
        "get-flags",
        "readdir",
        "entries",
        "sync",
        "sync-data",
        "metadata-hash",
        "drop",
    ]);
    let d = descriptor;
    prop_oneof![
        6 => (d(), path(), flags()).prop_map(|(d, path, flags)| json!(["open-at", d, path, flags])),
        4 => (of_path, d(), path(), select(vec!["", "f"])).prop_map(|(name, d, path, flags)| json!([name, d, path, flags])),
        3 => (d(), path(), d(), path()).prop_map(|(d, old, e, new)| json!(["rename-at", d, old, e, new])),
        2 => (d(), number(), number()).prop_map(|(d, length, offset)| json!(["read", d, length, offset])),
        2 => (d(), number()).prop_map(|(d, offset)| json!(["write", d, "hostile", offset])),
        1 => (d(), number()).prop_map(|(d, size)| json!(["set-size", d, size])),
        1 => (d(), path(), select(vec!["", "f"]), d(), path())
            .prop_map(|(d, old, flags, e, new)| json!(["link-at", d, old, flags, e, new])),
        1 => (d(), path(), path()).prop_map(|(d, target, path)| json!(["symlink-at", d, target, path])),
        1 => (d(), path(), select(vec!["", "f"])).prop_map(|(d, path, flags)| {
            json!(["set-times-at", d, path, flags, "now", [1, 2]])
        }),
        3 => (plain, d()).prop_map(|(name, d)| json!([name, d])),
        1 => (d(), d()).prop_map(|(d, e)| json!(["is-same-object", d, e])),
        1 => (d(), number(), number()).prop_map(|(d, offset, length)| json!(["advise", d, offset, length])),
    ]
}

fn world() -> World {
    let world = World::usual();
    for tree in ["granted", "frozen"] {
        let at = |name: &str| format!("{tree}/{name}");
        world.link(&at("out"), "../outside");
        world.link(&at("out-absolute"), world.at("outside"));
        world.link(&at("out-file"), "../outside/secret-outside.txt");
        world.link(&at("dangling"), "../outside/new-outside");
        world.link(&at("back"), "..");
        world.link(&at("in"), "inside.txt");
        world.link(&at("in-directory"), "sub/deeper/");
        world.link(&at("loop"), "loop");
        world.link(&at("sub/out"), "../../outside");
        world.link(&at("sub/deeper/back"), "../..");
        world.write(&at(".git/config"), "[core]\n");
        let mode = rustix::fs::Mode::from_raw_mode(0o666);
        rustix::fs::mknodat(rustix::fs::CWD, world.at(&at("fifo")), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: bailiwick_fuzz::cases(200),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_operations_leave_everything_but_the_grants_alone(operations in vec(operation(), 1..60)) {
        let world = world();
        let (frozen, sensitive) = (world.tree("frozen"), world.tree("granted/.git"));
        // Holds the outside to be unchanged, and the guest to come to its end.
        let answers = world.operate(&json!(operations));
        frozen.assert_unchanged(&world.tree("frozen"), "the read-only grant");
        sensitive.assert_unchanged(&world.tree("granted/.git"), "the sensitive place");
        prop_assert_eq!(answers.len(), operations.len());
        for (operation, answer) in operations.iter().zip(&answers) {
            let told = answer.to_string();
            let name = operation[0].as_str().unwrap();
            prop_assert!(!told.contains("outside secret") && !told.contains("deep outside"), "{operation} told {told}");
            prop_assert!(name != "readlink-at" || !told.contains("outside"), "{operation} told {told}");
            let forbidden = matches!(name, "link-at" | "symlink-at" | "set-times-at");
            prop_assert!(!forbidden || answer.get("ok").is_none(), "{operation} succeeded");
        }
    }
}
