//! Signatures that minisign 0.11 made with two keys that were thrown away:
//! `minisign -S -s a.key -m tool.toml`, with `-l` for the old form.

use super::*;
use crate::store::{Release, Source};

const KEY_A: &str = "RWS9aSRCUyoWosN5VyoDqYwEhiyq+G/gTb7UgzSqfh8pNMNJ4WDKnasW";
const KEY_B: &str = "RWSqldNGo4mNVK34VqtJQchuoEMQ1ZYXBzaFrcjSfr7e+EVKHhkgG10X";
const COMPONENT: &[u8] = b"component";

const MANIFEST: &str = concat!(
    "schema = 1\n",
    "name = \"shout\"\n",
    "version = \"0.1.0\"\n",
    "description = \"Says it again, louder.\"\n",
    "component = \"shout.wasm\"\n",
    "digest = \"sha256:6985ca1f4daa5a584a28eae043a239cb96689af1337ea13afb63e00c2bf512fa\"\n",
);

const BY_A: &str = concat!(
    "untrusted comment: signature from minisign secret key\n",
    "RUS9aSRCUyoWoloRgt7se6Uu386TMnkqT2EQSdYUOAFUayVUqGAee7Ya1O7ZHvH2cvM3vuHKszK8yuA0n+AqmXrr8q3JPZ7h2go=\n",
    "trusted comment: timestamp:1795338559	file:tool.toml	hashed\n",
    "xjUP76COumcT2A0/g7AZih5mi+4VTeNuQnV5D4RZxE6p+VRe9zz5FkL3tHpLns3/q/lkp0ldCyHhg1zSV2OlBw==\n",
);

const BY_B: &str = concat!(
    "untrusted comment: signature from minisign secret key\n",
    "RUSqldNGo4mNVMzQ+SjlxIJoL7MO6VfUIp4Yjj4T84P5FLRDqpo0A99Q4YIKx9HUs9t9tIPkqOOTQYrW2oQNKN6eK+QHt1MA/Aw=\n",
    "trusted comment: timestamp:1795338559	file:tool.toml	hashed\n",
    "03DucttKJ9Rgmky70WUMO07XO7oiU/j3cBdMkd/GXkFpo0AS7ST9NKyQnPeuzsvK4pGkMX16AkW3qRNCej8xAQ==\n",
);

const OLD_FORM: &str = concat!(
    "untrusted comment: signature from minisign secret key\n",
    "RWS9aSRCUyoWoguEPxLIfWAEMwChKPH/3LYYfYPlltaLxeR/J9BqvQ6gngLzKwFuPrrk3kKKun1vj+00aKEKK+TEBS1nAKUYpwI=\n",
    "trusted comment: timestamp:1795338559	file:tool.toml\n",
    "UMCxnRHR136iOs50GiAstViyx2OQ3I9mHDbxci3x0KJQdh3+HK4j5NETPEffyq3fy1GakKni1TyRnnYxlJSpBQ==\n",
);

const OVER_COMPONENT: &str = concat!(
    "untrusted comment: signature from minisign secret key\n",
    "RUS9aSRCUyoWosM8GK7V18xiHivAZMhih1LBLBIVo1QDAFTeIvcvmZpEcwY67/0zcGnvwEtz62wK1iOsz9LbNZtuNZyTomoHJwU=\n",
    "trusted comment: timestamp:1795338559	file:c.wasm	hashed\n",
    "eTrm/epqMznYjdxnJNR40tbwHamp+cBkEOW+IiHB0N7tz7qsDeyOnkX2lA9AzDT87DvRXVkI843FXTI0DiYGBA==\n",
);

const WITHOUT_DIGEST: &str = concat!(
    "schema = 1\n",
    "name = \"shout\"\n",
    "version = \"0.1.0\"\n",
    "description = \"Says it again, louder.\"\n",
    "component = \"shout.wasm\"\n",
);

const OVER_WITHOUT_DIGEST: &str = concat!(
    "untrusted comment: signature from minisign secret key\n",
    "RUS9aSRCUyoWotO3T1FKaAq4M/FndwUKjN2X9W1cyfcpjE9YjDozH2OLXlzvoupv9cWFcJN6NXL/DWHkWYv3V5V3fZu7ekU8FgM=\n",
    "trusted comment: timestamp:1795338559	file:nodigest.toml	hashed\n",
    "EkTSV41QiWgi53o29aHiqT6GotVCap9/LddhT59PjTBp4+3fgBRdyx10rjLsaIHjXbgbmgq4di/ITWd17fI5DQ==\n",
);

fn artifact(manifest: Option<&str>, signature: Option<&str>) -> Artifact {
    let bytes = |text: &str| text.as_bytes().to_vec();
    Artifact { component: COMPONENT.to_vec(), manifest: manifest.map(bytes), signature: signature.map(bytes) }
}

fn keys(sources: &[(&str, &[&str])]) -> TrustedKeys {
    let owned =
        |(source, keys): &(&str, &[&str])| (source.to_string(), keys.iter().map(|key| (*key).to_owned()).collect());
    TrustedKeys::parse(sources.iter().map(owned)).unwrap()
}

fn registry(reference: &str) -> Origin {
    Origin::Registry(reference.parse().unwrap())
}

#[test]
fn what_a_named_key_signed_is_checked_and_nothing_else_is() {
    let other = MANIFEST.replace("shout.wasm", "other.wasm");
    let changed_comment = BY_A.replace("timestamp:", "timestamp:9");
    let a = keys(&[("*", &[KEY_A])]);
    type Case<'a> = (Option<&'a str>, Option<&'a str>, Result<(), &'a str>);
    let cases: [Case<'_>; 11] = [
        (Some(MANIFEST), Some(BY_A), Ok(())),
        (None, Some(OVER_COMPONENT), Ok(())),
        (Some(MANIFEST), None, Err("is not signed")),
        (None, None, Err("is not signed")),
        (Some(MANIFEST), Some(BY_B), Err("which is not named")),
        (Some(&other), Some(BY_A), Err("is not over this tool.toml")),
        (Some(MANIFEST), Some(&changed_comment), Err("is not over this tool.toml")),
        (Some(MANIFEST), Some(OVER_COMPONENT), Err("is not over this tool.toml")),
        (None, Some(BY_A), Err("is not over this component")),
        (Some(MANIFEST), Some(OLD_FORM), Err("old form")),
        (Some(WITHOUT_DIGEST), Some(OVER_WITHOUT_DIGEST), Err("has no `digest`")),
    ];
    for (manifest, signature, expected) in cases {
        let found = check(artifact(manifest, signature), &Origin::File, &a);
        match (found, expected) {
            (Ok(checked), Ok(())) => {
                let Trust::Signed { key, source } = checked.trust else { panic!("{:?}", checked.trust) };
                assert_eq!((key.len(), source.as_str()), (16, "*"));
            }
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (found, _) => panic!("{manifest:?} {signature:?}: {found:?}"),
        }
    }
}

#[test]
fn signed_manifest_does_not_vouch_for_another_component() {
    for keys in [keys(&[("*", &[KEY_A])]), TrustedKeys::default()] {
        let swapped = Artifact { component: b"another".to_vec(), ..artifact(Some(MANIFEST), Some(BY_A)) };
        let error = check(swapped, &Origin::File, &keys).unwrap_err();
        assert!(matches!(error, SignatureError::OtherComponent { .. }), "{error}");
    }
}

#[test]
fn nonsense_in_place_of_a_signature_is_an_error() {
    let a = keys(&[("*", &[KEY_A])]);
    let short = BY_A.replacen("RU", "R", 1);
    for text in ["", "x", "untrusted comment: x\nAAAA\n", &BY_A[..90], &short, "\u{feff}\n\u{e9}\n\u{e9}\n\u{e9}"] {
        let error = check(artifact(Some(MANIFEST), Some(text)), &Origin::File, &a).unwrap_err();
        assert!(matches!(error, SignatureError::NoSignature | SignatureError::Legacy), "{text}: {error}");
    }
}

#[test]
fn untrusted_manifest_is_not_even_parsed() {
    let error = check(artifact(Some("nonsense"), Some(BY_A)), &Origin::File, &keys(&[("*", &[KEY_A])])).unwrap_err();
    assert_eq!(error, SignatureError::OtherContent { what: "tool.toml" });
}

#[test]
fn narrowest_source_counts_and_no_other() {
    let keys = keys(&[
        ("r.example.com", &[KEY_B]),
        ("r.example.com/team", &[KEY_A]),
        ("r.example.com/team/tool/deep", &[KEY_B]),
        ("127.0.0.1:5000", &[KEY_A]),
    ]);
    let trusted =
        |origin: &Origin| check(artifact(Some(MANIFEST), Some(BY_A)), origin, &keys).map(|checked| checked.trust);
    let signed_for = |origin: &str| match trusted(&registry(origin)) {
        Ok(Trust::Signed { source, .. }) => Some(source),
        Ok(_) => Some("nobody".to_owned()),
        Err(_) => None,
    };
    let cases = [
        ("oci://r.example.com/team/tool:1", Some("r.example.com/team")),
        ("oci://R.example.com:443/team/tool:1", Some("r.example.com/team")),
        ("oci://r.example.com:80/team", Some("r.example.com/team")),
        ("oci://127.1:5000/tool", Some("127.0.0.1:5000")),
        // A key of another source.
        ("oci://r.example.com/teams/tool", None),
        ("oci://r.example.com/team/tool/deep", None),
        // No key is named for these.
        ("oci://r.example.com:5000/team/tool", Some("nobody")),
        ("oci://r.example.com.evil.net/team/tool", Some("nobody")),
    ];
    for (origin, expected) in cases {
        assert_eq!(signed_for(origin).as_deref(), expected, "{origin}");
    }
    assert_eq!(trusted(&Origin::File), Ok(Trust::Unverified));
    let unsigned = check(artifact(Some(MANIFEST), None), &Origin::File, &keys).unwrap();
    assert_eq!(unsigned.trust, Trust::Unsigned);
}

#[test]
fn several_keys_of_a_source_count_alike() {
    let both = keys(&[("files", &[KEY_B, KEY_A])]);
    for signature in [BY_A, BY_B] {
        let checked = check(artifact(Some(MANIFEST), Some(signature)), &Origin::File, &both).unwrap();
        assert!(matches!(checked.trust, Trust::Signed { .. }));
    }
}

#[test]
fn mistake_in_the_named_keys_is_an_error() {
    let parse = |source: &str, keys: &[&str]| {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        TrustedKeys::parse([(source.to_owned(), keys)]).map(|_| ())
    };
    assert_eq!(parse("r.example.com:5000/a/b", &[KEY_A]), Ok(()));
    assert_eq!(parse("*", &[]), Err(KeyError::NoKeys("*".into())));
    for source in
        ["", "oci://r.example.com", "r.example.com/", "r.example.com/a:1", "r example.com", "a/b@c", "*.example.com"]
    {
        assert_eq!(parse(source, &[KEY_A]), Err(KeyError::Source(source.into())), "{source}");
    }
    let wrong = KeyError::Key { source_name: "*".into(), number: 2 };
    for key in ["", "x", &KEY_A[1..], "AAAA"] {
        assert_eq!(parse("*", &[KEY_A, key]), Err(wrong.clone()), "{key}");
    }
}

/// What was added stays usable as long as a named key signed it, and a change of what is kept changes nothing else.
#[test]
fn added_tool_is_verified_again_with_the_keys_of_the_day() {
    let directory = tempfile::tempdir().unwrap();
    let proofs = Proofs::beside(directory.path());
    let signed = artifact(Some(MANIFEST), Some(BY_A));
    let release = |manifest: &str, source: Source| Release {
        digest: Digest::of(COMPONENT),
        tools: vec!["shout".into()],
        manifest: Some(Manifest::parse(manifest).unwrap()),
        words: None,
        source,
    };
    let from = |reference: &str| Source::Registry { reference: reference.into(), resolved: Digest::of(b"") };
    let ours = release(MANIFEST, from("oci://r.example.com/team/tool:1"));
    let (a, b) = (keys(&[("r.example.com", &[KEY_A])]), keys(&[("r.example.com", &[KEY_B])]));

    assert_eq!(proofs.verify(&ours, COMPONENT, &TrustedKeys::default()), Ok(()));
    assert!(matches!(proofs.verify(&ours, COMPONENT, &a), Err(SignatureError::Unsigned { .. })));
    proofs.keep(&ours, &Proof::of(&signed).unwrap()).unwrap();
    assert_eq!(proofs.verify(&ours, COMPONENT, &a), Ok(()));
    assert!(matches!(proofs.verify(&ours, COMPONENT, &b), Err(SignatureError::OtherKey { .. })));
    assert!(proofs.verify(&ours, b"another", &a).is_err());

    // The index was changed: what was signed asks for less.
    let wider = MANIFEST.to_owned() + "[[directories]]\nname = \"home\"\naccess = \"write\"\nreason = \"why not\"\n";
    let widened = release(&wider, ours.source.clone());
    assert!(proofs.verify(&widened, COMPONENT, &a).is_err());
    std::fs::rename(proofs.file(&ours), proofs.file(&widened)).unwrap();
    let moved = proofs.verify(&widened, COMPONENT, &a);
    assert_eq!(moved, Err(SignatureError::OtherContent { what: "tool.toml" }));

    assert_eq!(Origin::of(&from("nonsense")), Err(SignatureError::NoOrigin));
    proofs.sweep([]);
    assert!(!proofs.file(&widened).exists());
}
