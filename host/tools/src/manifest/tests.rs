//! What a manifest says, and what is said of one that cannot be used.

use super::*;
use proptest::prelude::*;

const WHOLE: &str = r#"schema = 1
name = "changelog"
version = "0.1.0"
description = "Writes a changelog."
component = "changelog.wasm"
digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
language = "rust"

[[directories]]
name = "repo"
access = "read"
reason = "reads the notes"

[[directories]]
name = "out"
access = "write"
reason = "writes the changelog"

[[network]]
host = "api.example.com"
methods = ["GET"]
port = 8443
reason = "asks for titles"

[[environment]]
name = "LANG"
reason = "the language of the text"

[[secrets]]
name = "api-token"
host = "api.example.com"
header = "Authorization"
prefix = "Bearer "
reason = "titles of private issues"

[clocks]
reason = "dates the entry"

[limits]
memory-mib = 32

[effects]
reads = true
writes = true

[provenance]
source = "https://example.com/changelog"
authors = ["A. Author"]
"#;

#[test]
fn whole_manifest_is_read_and_its_authority_is_what_it_asks_for() {
    let manifest = Manifest::parse(WHOLE).unwrap();
    assert_eq!(manifest.directories[1].access, Access::Write);
    assert_eq!(manifest.network[0].scheme, Scheme::Https);
    assert_eq!(manifest.limits.memory_mib, Some(32));
    let authority = manifest.authority();
    assert!(!authority.is_empty());
    let other = Manifest { provenance: None, version: "2".into(), ..manifest.clone() };
    assert_eq!(other.authority().digest(), authority.digest(), "what is only shown grants nothing");
    let mut wider = manifest.clone();
    wider.directories[0].access = Access::Write;
    assert_ne!(wider.authority().digest(), authority.digest());
    let mut reworded = manifest;
    reworded.directories[0].reason = "reads the keys".into();
    assert_ne!(reworded.authority().digest(), authority.digest());
}

#[test]
fn unknown_key_is_named_with_its_line_and_the_nearest_one() {
    for (from, to, line, key, nearest) in [
        ("version =", "verison =", 3, "verison", "version"),
        ("memory-mib", "memory-mb", 40, "limits.memory-mb", "limits.memory-mib"),
        ("port = 8443", "ports = 8443", 22, "network[0].ports", "network[0].port"),
        ("[clocks]", "[clock]", 36, "clock", "clocks"),
        ("[clocks]\nreason", "[clocks]\nreasons", 37, "clocks.reasons", "clocks.reason"),
    ] {
        let error = Manifest::parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
        let expected = ManifestError::UnknownKey { line, key: key.into(), nearest: nearest.into() };
        assert_eq!(error, expected, "{from}");
    }
}

#[test]
fn value_that_cannot_be_is_named_with_its_line() {
    for (from, to, line, key) in [
        ("schema = 1", "schema = 2", 1, "schema"),
        ("name = \"changelog\"", "name = \"../x\"", 2, "name"),
        ("Writes a changelog.", "Writes\\u202e a changelog.", 4, "description"),
        ("Writes a changelog.", "Writes\\na changelog.", 4, "description"),
        ("component = \"changelog.wasm\"", "component = \"../changelog.wasm\"", 5, "component"),
        ("sha256:ba", "sha256:BA", 6, "digest"),
        ("\"rust\"", "\"perl\"", 7, "language"),
        ("access = \"read\"", "access = \"all\"", 11, "directories[0].access"),
        ("name = \"out\"", "name = \"repo\"", 15, "directories[1].name"),
        ("name = \"out\"", "name = \"..\"", 15, "directories[1].name"),
        ("reads the notes", " ", 12, "directories[0].reason"),
        ("host = \"api", "host = \"https://api", 20, "network[0].host"),
        ("host = \"api.example.com\"", "host = \"*.com\"", 20, "network[0].host"),
        ("host = \"api.example.com\"", "host = \"\u{430}pi.example.com\"", 20, "network[0].host"),
        ("\"GET\"", "\"GET\", \"CONNECT\"", 21, "network[0].methods[1]"),
        ("\"GET\"", "\"TRACE\"", 21, "network[0].methods[0]"),
        ("8443", "0", 22, "network[0].port"),
        ("8443", "\"8443\"", 22, "network[0].port"),
        ("port = 8443", "scheme = \"http\"", 31, "secrets[0].host"),
        ("\"LANG\"", "\"LA NG\"", 26, "environment[0].name"),
        ("\"Authorization\"", "\"Host\"", 32, "secrets[0].header"),
        ("\"Bearer \"", "\"Bearer\\r\\nX: \"", 33, "secrets[0].prefix"),
        ("memory-mib = 32", "memory-mib = 0", 40, "limits.memory-mib"),
        ("memory-mib = 32", "memory-mib = -1", 40, "limits.memory-mib"),
    ] {
        match Manifest::parse(&WHOLE.replacen(from, to, 1)).unwrap_err() {
            ManifestError::Wrong { line: found, key: named, .. } => {
                assert_eq!((found, named.as_str()), (line, key), "{to}");
            }
            other => panic!("{to}: {other}"),
        }
    }
}

#[test]
fn what_is_missing_or_no_toml_is_said_on_one_line() {
    for text in [
        "",
        "schema = 1",
        "schema =",
        "[[",
        "a = 1\na = 2",
        "name = \"\u{1b}[2J\"",
        "schema = 1\n[name]\n",
        "digest = \"\"\"\nx",
        "network = 3",
        "[[clocks]]\nreason = \"x\"",
        "directories = [[1]]",
        "limits = []",
    ] {
        let said = Manifest::parse(text).unwrap_err().to_string();
        assert!(!said.contains(bailiwick_audit::is_invisible), "{text:?}: {said:?}");
        assert!(said.contains("line "), "{said}");
    }
    let long = format!("# {}\n{WHOLE}", "x".repeat(LONGEST));
    assert!(matches!(Manifest::parse(&long), Err(ManifestError::TooLong { .. })));
    let flood = format!(
        "{WHOLE}{}",
        (0..40).map(|n| format!("[[environment]]\nname=\"V{n}\"\nreason=\"r\"\n")).collect::<String>()
    );
    let said = Manifest::parse(&flood).unwrap_err().to_string();
    assert!(said.contains("`environment` has to be 32 at most"), "{said}");
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    for text in [
        format!("x = {}", "[".repeat(50_000)),
        format!("x = {}", "{a=".repeat(20_000)),
        format!("{}x = 1", "a.".repeat(30_000)),
    ] {
        Manifest::parse(&text).unwrap_err();
    }
}

fn random_seed() -> ProptestConfig {
    ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::with_cases(2_000) }
}

/// What a manifest is made of, so that random text comes close to one.
fn token() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "schema = 1\n",
        "name",
        "=",
        "\"a\"",
        "[",
        "]",
        "[[directories]]\n",
        "[[network]]\n",
        "access",
        "methods",
        "{",
        "}",
        ",",
        "\n",
        "1",
        "-",
        "'",
        "\"\"\"",
        "#",
        "[limits]\n",
        "memory-mib",
        "true",
        "1979-05-27",
        ".",
        "\\u202e",
        "\u{202e}",
        "inf",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => ".{0,4}"]
}

fn line_of_text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 .,:;\"'\\\\/éß-]{0,40}x"
}

prop_compose! {
    fn manifests()(
        name in "[A-Za-z0-9_-]{1,64}",
        version in line_of_text(),
        description in line_of_text(),
        directories in prop::collection::btree_map("[a-z][a-z0-9._-]{0,20}", (any::<bool>(), line_of_text()), 0..4),
        hosts in prop::collection::btree_set("[a-z]{1,10}\\.[a-z]{2,5}", 0..4),
        variables in prop::collection::btree_set("[A-Z_][A-Z0-9_]{0,10}", 0..4),
        memory in prop::option::of(1..=4096_u32),
        effects in prop::option::of(any::<[bool; 4]>()),
        digest in prop::option::of(any::<[u8; 4]>()),
        reason in line_of_text(),
        port in prop::option::of(1_u16..),
        private in any::<bool>(),
    ) -> Manifest {
        let secrets = hosts.iter().map(|host| Secret {
            name: "s".into(), host: host.clone(), header: "X-Key".into(), prefix: None, reason: reason.clone(),
        });
        Manifest {
            schema: VERSION,
            name,
            version,
            description,
            component: "c.wasm".into(),
            digest: digest.map(|bytes| Digest::of(&bytes)),
            language: None,
            secrets: secrets.collect(),
            directories: directories.into_iter().map(|(name, (writes, reason))| Directory {
                name, access: if writes { Access::Write } else { Access::Read }, reason,
            }).collect(),
            network: hosts.into_iter().map(|host| Network {
                host, methods: vec!["GET".into()], port, scheme: Scheme::Https, private, reason: reason.clone(),
            }).collect(),
            environment: variables.into_iter().map(|name| Environment { name, reason: reason.clone() }).collect(),
            clocks: Some(Because { reason }),
            random: None,
            limits: Limits { memory_mib: memory, ..Limits::default() },
            effects: effects.map(|[reads, writes, destructive, idempotent]| Effects { reads, writes, destructive, idempotent }),
            provenance: None,
        }
    }
}

/// TOML of JSON, tables inline: every JSON text is also a basic string of TOML but for DEL.
fn inline(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Object(object) => {
            let members = object.iter().map(|(key, value)| format!("{key} = {}", inline(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(array) => format!("[{}]", array.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

proptest! {
    #![proptest_config(random_seed())]

    #[test]
    fn no_text_makes_the_parser_panic_and_all_it_says_can_be_seen(tokens in prop::collection::vec(token(), 0..40)) {
        if let Err(error) = Manifest::parse(&tokens.concat()) {
            let said = error.to_string();
            prop_assert!(!said.contains(bailiwick_audit::is_invisible), "{said:?}");
        }
    }

    #[test]
    fn manifest_that_is_written_is_read_as_it_was(manifest in manifests()) {
        let serde_json::Value::Object(members) = serde_json::to_value(&manifest).unwrap() else { unreachable!() };
        let text: String = members.iter().map(|(key, value)| format!("{key} = {}\n", inline(value))).collect();
        prop_assert_eq!(Manifest::parse(&text), Ok(manifest.clone()), "{}", text);
        let kept = serde_json::to_string(&manifest).unwrap();
        prop_assert_eq!(serde_json::from_str::<Manifest>(&kept).unwrap(), manifest);
    }
}
