//! Hidden places, by the calls of `wasi:filesystem` themselves and not by tools that mean well.

use super::world::World;
use bailiwick_sandbox::Access;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

const SECRET: &str = "outside secret of the grant";

fn project() -> World {
    let world =
        World::new().grant_with("box", "granted", Access::ReadWrite, |grant| grant.hiding("keys/private").unwrap());
    for place in [
        ".env",
        "sub/.env",
        ".ssh/config",
        ".docker/config.json",
        "a/.docker/config.json",
        "keys/private/x",
        "deep/er/.env.local",
    ] {
        world.write(&format!("granted/{place}"), SECRET);
    }
    world.write("granted/plain.txt", "plain");
    world.write("granted/notes/x", "plain");
    world.link("granted/to-env", ".env");
    world.link("granted/to-ssh", ".ssh");
    world.link("granted/up", "sub/..");
    world
}

fn told(answer: &Value) -> String {
    answer.to_string()
}

/// Each is refused, tells nothing, and changes nothing.
fn refused(world: &World, operations: &Value) {
    let before = world.tree("granted");
    let answers = world.operate(operations);
    for (operation, answer) in operations.as_array().unwrap().iter().zip(&answers) {
        let descriptor = matches!(operation[1].as_u64(), Some(1..));
        assert!(descriptor || told(answer).contains("access"), "{operation} came to {answer}");
        assert!(answer.get("ok").is_none(), "{operation} came to {answer}");
        assert!(!told(answer).contains(SECRET), "{operation} told {answer}");
    }
    before.assert_unchanged(&world.tree("granted"), "the grant");
}

#[test]
pub(crate) fn hidden_place_answers_no_call() {
    let world = project();
    let mut operations = Vec::new();
    for path in [".env", "sub/.env", "./.ENV", "sub/../.env", "to-env", "up/.env", "to-ssh/config", ".ssh", ".ssh/new"]
    {
        for flags in ["r", "fr", "frw", "fcrw", "fcxw", "dr", "fdr"] {
            // A link that is not followed is a link, and not what it leads to.
            if flags.contains('f') || !path.starts_with("to-env") {
                operations.push(json!(["open-at", 0, path, flags]));
            }
        }
        operations.push(json!(["stat-at", 0, path, "f"]));
        operations.push(json!(["metadata-hash-at", 0, path, "f"]));
    }
    for path in ["to-env", "to-ssh"] {
        operations.push(json!(["readlink-at", 0, path, ""]));
    }
    for path in [".env", "sub/../.ENV", ".ssh/config", "to-ssh/config", "keys/private/x", "a/.docker/config.json"] {
        operations.push(json!(["unlink-file-at", 0, path, ""]));
        operations.push(json!(["rename-at", 0, path, 0, "taken"]));
        operations.push(json!(["rename-at", 0, "plain.txt", 0, path]));
    }
    for path in [".ssh", "to-ssh/new", "notes/.ssh", ".env", "keys/private", "keys/Private/new"] {
        operations.push(json!(["create-directory-at", 0, path, ""]));
        operations.push(json!(["remove-directory-at", 0, path, ""]));
    }
    refused(&world, &Value::Array(operations));
}

#[test]
pub(crate) fn directory_does_not_move_away_from_above_what_is_hidden_by_its_path() {
    let world = project();
    refused(
        &world,
        &json!([
            ["rename-at", 0, ".docker", 0, "docker"],
            ["rename-at", 0, "a/.docker", 0, "docker"],
            ["rename-at", 0, "a/.docker/", 0, "docker"],
            ["rename-at", 0, "keys", 0, "k"],
            ["rename-at", 0, "keys", 0, "a/keys"],
            ["rename-at", 0, "notes", 0, ".ssh"],
            ["rename-at", 0, "notes", 0, ".env"],
        ]),
    );
}

#[test]
pub(crate) fn what_moves_with_its_directory_stays_hidden_by_open_handles_too() {
    let world = project();
    let answers = world.operate(&json!([
        ["open-at", 0, "sub", "drm"],
        ["open-at", 0, "deep", "drm"],
        ["rename-at", 0, "sub", 0, "moved"],
        ["rename-at", 0, "deep/er", 0, "moved/er"],
        ["open-at", 0, "moved/.env", "r"],
        ["open-at", 1, ".env", "r"],
        ["open-at", 1, "er/.env.local", "r"],
        ["stat-at", 0, "moved/er/.env.local", ""],
        ["open-at", 0, "plain.txt", "r"],
    ]));
    for (index, answer) in answers.iter().enumerate() {
        let refused = (4..8).contains(&index);
        assert_eq!(answer.get("ok").is_none(), refused, "{index}: {answer}");
        assert!(!told(answer).contains(SECRET), "{index}: {answer}");
    }
}

#[test]
pub(crate) fn handle_is_judged_by_where_its_directory_has_come_to_lie() {
    let world = project();
    // Found as `notes`; then what lies in it lies in `keys`, where `private` is hidden.
    let answers = world.operate(&json!([
        ["create-directory-at", 0, "notes/later", ""],
        ["open-at", 0, "notes", "drm"],
        ["rename-at", 0, "notes/later", 0, "keys/later"],
        ["open-at", 1, "../keys/private/x", "r"],
        ["open-at", 0, "up/keys/private/x", "r"],
        ["open-at", 0, "keys/later/../private/x", "r"],
    ]));
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!(answer.get("ok").is_none(), index > 2, "{index}: {answer}");
        assert!(!told(answer).contains(SECRET), "{index}: {answer}");
    }
}

#[test]
pub(crate) fn listing_ends_without_a_word_of_what_it_left_out() {
    let world = project();
    let answers = world.operate(&json!([
        ["readdir", 0],
        ["open-at", 0, ".docker", "dr"],
        ["readdir", 1],
        ["open-at", 0, "keys", "dr"],
        ["readdir", 2],
        ["entries", 0],
        ["entries", 1],
        ["entries", 2],
    ]));
    let all = answers.iter().map(told).collect::<String>();
    assert!(all.contains("plain.txt") && all.contains("to-env"), "{all}");
    for name in ["\".env\"", "\".ssh\"", "config.json", "private"] {
        assert!(!all.contains(name), "{name} in {all}");
    }
}

/// A place and nothing but another way to write it: letter case, detours, links on the way, slashes at the end.
fn spelled(places: &'static [&'static str]) -> impl Strategy<Value = String> {
    let start = select(vec!["", "", "./", "sub/../", "up/", ".//./", "notes/../sub/..//", "up/up/./"]);
    let between = select(vec!["/", "//", "/./"]);
    let end = select(vec!["", "", "/", "/.", "//"]);
    (start, select(places), proptest::collection::vec(any::<bool>(), 40), between, end).prop_map(
        |(start, place, upper, between, end)| {
            let cased: String = place
                .chars()
                .zip(upper)
                .map(|(letter, upper)| if upper { letter.to_ascii_uppercase() } else { letter })
                .collect();
            format!("{start}{}{end}", cased.replace('/', between))
        },
    )
}

const SECRETS: &[&str] = &[
    ".env",
    "sub/.env",
    "new/.env.x",
    ".ssh",
    ".ssh/config",
    "sub/.ssh/new",
    ".docker/config.json",
    "a/.docker/config.json",
    "keys/private",
    "keys/private/x",
    "x.pem",
    "id_rsa",
];

const SENSITIVE: &[&str] = &[
    "eng/emitter-package.json",
    "eng/emitter-package-lock.json",
    "eng/swagger_to_sdk_config.json",
    "sub/tsp-location.yaml",
    "package.json",
    "sub/a.csproj",
    ".github/workflows",
    ".github/workflows/ci.yml",
    "sub/.github/copilot-instructions.md",
    ".cargo/config.toml",
    "AGENTS.md",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: bailiwick_fuzz::cases(60),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_spelling_of_a_secret_or_a_sensitive_place_is_let_through(
        secret in spelled(SECRETS),
        sensitive in spelled(SENSITIVE),
    ) {
        let world = project();
        for directory in ["eng", ".github", "sub/.github", ".cargo", "new"] {
            std::fs::create_dir_all(world.at("granted").join(directory)).unwrap();
        }
        let before = world.tree("granted").without_directory_times();
        let mut operations = Vec::new();
        for path in [&secret, &sensitive] {
            let reads = if path == &secret { &["r", "fr", "fdr", "dr", "rw", "frw", "fcrw", "cx"][..] } else { &["rw", "fcrw", "cxw", "t"][..] };
            operations.extend(reads.iter().map(|flags| json!(["open-at", 0, path, flags])));
            operations.push(json!(["create-directory-at", 0, path, ""]));
            operations.push(json!(["unlink-file-at", 0, path, ""]));
            operations.push(json!(["rename-at", 0, "plain.txt", 0, path]));
            operations.push(json!(["rename-at", 0, "notes", 0, path]));
            operations.push(json!(["rename-at", 0, path, 0, "taken"]));
        }
        operations.push(json!(["stat-at", 0, secret, "f"]));
        operations.push(json!(["metadata-hash-at", 0, secret, "f"]));
        let answers = world.operate(&json!(operations));
        for (operation, answer) in operations.iter().zip(&answers) {
            prop_assert!(answer.get("ok").is_none(), "{operation} came to {answer}");
        }
        before.assert_unchanged(&world.tree("granted").without_directory_times(), "the grant");
    }

    #[test]
    fn names_that_only_look_alike_are_ordinary(
        name in select(vec!["env", ".envx", "x.pem.txt", ".sshd", "id_rsa.pub", "config.json", "emitter-package.jsonc", "xpackage.json", "AGENTS.txt", ".github2"]),
        start in select(vec!["", "./", "sub/../", "notes//", "up/"]),
    ) {
        let world = project();
        let path = format!("{start}{name}");
        let answers = world.operate(&json!([
            ["open-at", 0, path, "cxrw"],
            ["stat-at", 0, path, ""],
            ["rename-at", 0, path, 0, "taken"],
            ["create-directory-at", 0, path, ""],
            ["rename-at", 0, path, 0, "moved"],
        ]));
        for answer in &answers {
            prop_assert!(answer.get("ok").is_some(), "{path}: {answer}");
        }
    }
}
