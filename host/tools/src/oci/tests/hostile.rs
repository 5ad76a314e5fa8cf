//! Bytes that are not what they should be.

use super::*;
use crate::oci::registry::{Limits, cached};

#[tokio::test]
async fn artifact_is_pulled_once_and_comes_from_the_cache_after_that() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let fake = Fake::start(|request| honest(&artifact(), request)).await;
    assert_eq!(pull(&fake, ":1", &cache).await.unwrap(), artifact());
    let asked = fake.paths().len();
    assert_eq!(pull(&fake, ":1", &cache).await.unwrap(), artifact());
    // What the tag is now, and nothing else.
    assert_eq!(fake.paths().len(), asked + 1);
    let digest = Digest::of(&Upload::of(&artifact()).manifest);
    assert_eq!(cached(&digest, &cache, &LIMITS).unwrap(), artifact());
    assert!(matches!(cached(&Digest::of(b"x"), &cache, &LIMITS), Err(OciError::Offline(_))));
}

/// What one blob is replaced by, and how that is told.
#[tokio::test]
async fn blob_that_is_not_what_its_digest_says_is_never_handed_out_or_kept() {
    let component = artifact().component;
    let other = vec![b'x'; component.len()];
    let (short, long) = (component[..100].to_vec(), [component.clone(), component.clone()].concat());
    let cases: [(Reply, &str); 8] = [
        (Reply::ok(&other), "not what its digest says"),
        (Reply::ok(&short), "bytes and not the"),
        (Reply::ok(&long), "bytes and not the"),
        (Reply::unmeasured(&short), "bytes and not the"),
        (Reply::unmeasured(&long), "is larger than"),
        (Reply::broken(&short[..90]), "bytes and not the"),
        (Reply::endless(), "is larger than"),
        (Reply::ok(&other).with("Content-Encoding", "gzip"), "not what its digest says"),
    ];
    for (reply, part) in cases {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let digest = Digest::of(&artifact().component);
        let (name, instead) = (digest.to_string(), reply.clone());
        let fake = Fake::start(move |request| match request.path.ends_with(&name) {
            true => instead.clone(),
            false => honest(&artifact(), request),
        })
        .await;
        let error = pull(&fake, ":1", &cache).await.unwrap_err().to_string();
        assert!(error.contains(part), "{reply:?}: {error}");
        assert_eq!(cache.get(&digest, 1 << 20).unwrap(), cache::Kept::Missing, "{reply:?}");
    }
}

#[tokio::test]
async fn connection_that_breaks_in_a_blob_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let length = artifact().component.len();
    let fake = Fake::start(move |request| match honest(&artifact(), request) {
        reply if request.path.contains("/manifests/") => reply,
        // As much is announced as there should be.
        _ => Reply::broken(&vec![0; length - 10]),
    })
    .await;
    let error = pull(&fake, ":1", &cache(directory.path())).await.unwrap_err();
    assert!(matches!(error, OciError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn manifest_is_what_the_reference_and_the_registry_say_or_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let upload = Upload::of(&artifact()).manifest;
    let other = Digest::of(b"other");
    let asked = format!("@{other}");
    let cases: [(&str, Reply, &str); 6] = [
        (&asked, Reply::ok(&upload), "not what its digest says"),
        // The registry's own word does not stand in for the person's.
        (&asked, Reply::ok(&upload).with("Docker-Content-Digest", &other.to_string()), "not what its digest says"),
        (":1", Reply::ok(&upload).with("Docker-Content-Digest", &other.to_string()), "not what its digest says"),
        (":1", Reply::endless(), "is larger than"),
        (":1", Reply::ok(&vec![b' '; 1 << 20]), "is larger than"),
        (":1", Reply::ok(b"{}"), "not a tool"),
    ];
    for (tag, reply, part) in cases {
        let instead = reply.clone();
        let fake = Fake::start(move |_| instead.clone()).await;
        let error = pull(&fake, tag, &cache).await.unwrap_err().to_string();
        assert!(error.contains(part), "{tag} {reply:?}: {error}");
    }
}

#[tokio::test]
async fn part_that_is_larger_than_is_taken_is_not_even_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let fake = Fake::start(|request| honest(&artifact(), request)).await;
    let limits = Limits { component_bytes: 100, ..LIMITS };
    let reference = format!("oci://{}/team/tool:1", fake.address).parse().unwrap();
    let mut registry = Registry::open(&reference, PlainHttp::Loopback, Credentials::None, limits).unwrap();
    let resolved = registry.resolve().await.unwrap();
    let error = registry.pull(&resolved, &cache(directory.path())).await.unwrap_err();
    assert!(matches!(error, OciError::TooLarge { limit: 100, .. }), "{error}");
    assert_eq!(fake.paths().len(), 1);
}

#[tokio::test]
async fn poisoned_cache_is_loaded_anew_and_refused_without_a_registry() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let fake = Fake::start(|request| honest(&artifact(), request)).await;
    pull(&fake, ":1", &cache).await.unwrap();
    let manifest = Digest::of(&Upload::of(&artifact()).manifest);
    for digest in [&Digest::of(&artifact().component), &Digest::of(b"signature"), &manifest] {
        let file = directory.path().join("cache/sha256").join(digest.hex());
        std::fs::write(&file, "poison").unwrap();
        assert!(matches!(cached(&manifest, &cache, &LIMITS), Err(OciError::Poisoned { .. })));
        assert_eq!(pull(&fake, ":1", &cache).await.unwrap(), artifact());
        assert_ne!(std::fs::read(&file).unwrap(), b"poison");
    }
}

#[tokio::test]
async fn registry_that_says_nothing_or_nonsense_is_told_of_without_its_words() {
    let errors = "{\"errors\":[{\"code\":\"bad\\u001b[31m\",\"message\":\"canary\"},{\"code\":\"TOOMANYREQUESTS\",\"message\":\"canary\"}]}";
    let cases: [(Reply, &str); 5] = [
        (Reply::silence(), "sent nothing for 0 s"),
        (Reply::status(404), "has no artifact `1` in `team/tool`"),
        (Reply::status(500).saying("\u{1b}[31mcanary"), "answered 500"),
        (Reply::status(429).saying(errors), "(TOOMANYREQUESTS)"),
        (Reply::status(204), "answered 204"),
    ];
    for (reply, part) in cases {
        let instead = reply.clone();
        let fake = Fake::start(move |_| instead.clone()).await;
        let reference = format!("oci://{}/team/tool:1", fake.address).parse().unwrap();
        let limits = Limits { idle: std::time::Duration::from_millis(300), ..LIMITS };
        let mut registry = Registry::open(&reference, PlainHttp::Loopback, Credentials::None, limits).unwrap();
        let error = registry.resolve().await.unwrap_err().to_string();
        assert!(error.contains(part) && !error.contains("canary") && !error.contains('\u{1b}'), "{reply:?}: {error}");
    }
}
