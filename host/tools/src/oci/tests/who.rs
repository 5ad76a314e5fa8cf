//! Who is told a credential, and who is not.

use super::*;

/// Docker's configuration with `user` and `canary-password` for a registry.
fn docker(directory: &Path, host: &str) -> Credentials {
    let config = serde_json::json!({ "auths": { host: { "username": "user", "password": "canary-password" } } });
    std::fs::write(directory.join("config.json"), config.to_string()).unwrap();
    Credentials::Docker(directory.to_owned())
}

const BASIC: &str = "Basic dXNlcjpjYW5hcnktcGFzc3dvcmQ=";

#[tokio::test]
async fn credential_is_sent_once_it_is_asked_for_and_is_enough_or_not() {
    for (accepted, sent) in [(BASIC, true), ("Basic other", true), (BASIC, false)] {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        let fake = Fake::start(move |request| match request.header("authorization") == Some(accepted) {
            true => honest(&artifact(), request),
            false => Reply::status(401).with("WWW-Authenticate", "Basic realm=\"x\""),
        })
        .await;
        let credentials = if sent { docker(directory.path(), &fake.address.to_string()) } else { Credentials::None };
        let mut registry = open(&fake, ":1", credentials);
        let found = registry.resolve().await;
        assert_eq!(fake.asked()[0].header("authorization"), None);
        match (accepted, found) {
            (BASIC, Ok(resolved)) if sent => {
                assert_eq!(registry.pull(&resolved, &cache).await.unwrap(), artifact());
            }
            (_, Err(OciError::Denied { with_credentials, .. })) => assert_eq!(with_credentials, sent),
            (_, found) => panic!("{found:?}"),
        }
    }
}

/// The token server of a registry, which is asked for what is done here and nothing more.
#[tokio::test]
async fn token_is_asked_for_with_the_credential_and_only_the_token_goes_to_the_registry() {
    let directory = tempfile::tempdir().unwrap();
    let server = Fake::start(|request| match request.method.as_str() {
        "POST" => Reply::ok(b"{\"access_token\":\"of-identity\"}"),
        _ => Reply::ok(b"{\"token\":\"of-password\"}"),
    })
    .await;
    let challenge =
        format!("Bearer realm=\"http://{}/token\",service=\"s&x\",scope=\"repository:others:push\"", server.address);
    let fake = Fake::start(move |request| match request.header("authorization") {
        Some("Bearer of-password" | "Bearer of-identity") => honest(&artifact(), request),
        _ => Reply::status(401).with("WWW-Authenticate", &challenge),
    })
    .await;
    let host = fake.address.to_string();
    open(&fake, ":1", docker(directory.path(), &host)).resolve().await.unwrap();
    let identity = serde_json::json!({ "auths": { host: { "identitytoken": "canary-identity" } } });
    std::fs::write(directory.path().join("config.json"), identity.to_string()).unwrap();
    open(&fake, ":1", Credentials::Docker(directory.path().to_owned())).resolve().await.unwrap();
    open(&fake, ":1", Credentials::None).resolve().await.unwrap();

    let asked = server.asked();
    assert_eq!(asked[0].path, "/token?scope=repository%3Ateam%2Ftool%3Apull&service=s%26x");
    assert_eq!(asked[0].header("authorization"), Some(BASIC));
    let form = String::from_utf8(asked[1].body.clone()).unwrap();
    assert!(form.contains("refresh_token=canary-identity") && form.contains("pull"), "{form}");
    assert_eq!(asked[2].header("authorization"), None);
    assert!(!format!("{:?}", fake.asked()).contains("canary"));
}

#[tokio::test]
async fn token_server_elsewhere_without_encryption_is_not_asked() {
    let directory = tempfile::tempdir().unwrap();
    let fake =
        Fake::start(|_| Reply::status(401).with("WWW-Authenticate", "Bearer realm=\"http://registry.invalid/token\""))
            .await;
    let credentials = docker(directory.path(), &fake.address.to_string());
    let error = open(&fake, ":1", credentials).resolve().await.unwrap_err();
    assert!(error.to_string().contains("not encrypted"), "{error}");
}

#[tokio::test]
async fn token_server_that_sends_too_much_or_nothing_is_an_error() {
    for reply in [
        Reply::endless(),
        Reply::ok(b"{}"),
        Reply::ok(b"{\"token\":\"a\\nb\"}"),
        Reply::status(302).with("Location", "/x"),
    ] {
        let instead = reply.clone();
        let server = Fake::start(move |_| instead.clone()).await;
        let challenge = format!("Bearer realm=\"http://{}/token\"", server.address);
        let fake = Fake::start(move |_| Reply::status(401).with("WWW-Authenticate", &challenge)).await;
        let error = open(&fake, ":1", Credentials::None).resolve().await.unwrap_err();
        assert!(!matches!(error, OciError::Denied { .. }), "{reply:?}: {error}");
        assert_eq!(server.paths().len(), 1, "{reply:?}");
    }
}

#[tokio::test]
async fn storage_that_a_registry_leads_to_gets_no_credential() {
    let directory = tempfile::tempdir().unwrap();
    let storage = Fake::start(|request| honest(&artifact(), request)).await;
    let elsewhere = storage.address;
    let fake = Fake::start(move |request| match (request.header("authorization"), request.path.contains("/blobs/")) {
        (None, _) => Reply::status(401).with("WWW-Authenticate", "Basic realm=\"x\""),
        (_, true) => Reply::status(307).with("Location", &format!("http://{elsewhere}{}", request.path)),
        _ => honest(&artifact(), request),
    })
    .await;
    let mut registry = open(&fake, ":1", docker(directory.path(), &fake.address.to_string()));
    let resolved = registry.resolve().await.unwrap();
    assert_eq!(registry.pull(&resolved, &cache(directory.path())).await.unwrap(), artifact());
    let asked = storage.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked.iter().all(|request| request.header("authorization").is_none()), "{asked:?}");
}

#[tokio::test]
async fn redirects_come_to_an_end_and_leave_this_machine_for_no_plain_http() {
    for target in ["/v2/team/tool/manifests/1", "http://registry.invalid/x", "file:///etc/passwd"] {
        let fake = Fake::start(move |_| Reply::status(307).with("Location", target)).await;
        let error = open(&fake, ":1", Credentials::None).resolve().await.unwrap_err();
        assert!(matches!(error, OciError::Unreachable { .. } | OciError::Status { .. }), "{target}: {error}");
        assert!(fake.paths().len() <= 4, "{target}");
    }
}

#[tokio::test]
async fn upload_goes_to_no_other_place() {
    let directory = tempfile::tempdir().unwrap();
    let thief = Fake::start(|_| Reply::status(201)).await;
    let elsewhere = format!("http://{}/upload", thief.address);
    let fake = Fake::start(move |request| match (request.method.as_str(), request.header("authorization")) {
        (_, None) => Reply::status(401).with("WWW-Authenticate", "Basic realm=\"x\""),
        ("POST", _) => Reply::status(202).with("Location", &elsewhere),
        _ => Reply::status(404),
    })
    .await;
    let credentials = docker(directory.path(), &fake.address.to_string());
    let error = open(&fake, ":1", credentials).push(&artifact()).await.unwrap_err();
    assert!(error.to_string().contains("another place"), "{error}");
    assert!(thief.asked().is_empty());
}

#[tokio::test]
async fn registry_that_keeps_something_else_than_was_pushed_is_told_of() {
    let fake = Fake::start(|request| match request.method.as_str() {
        "HEAD" => Reply::status(200),
        _ => Reply::status(201).with("Docker-Content-Digest", &Digest::of(b"other").to_string()),
    })
    .await;
    let error = open(&fake, ":1", Credentials::None).push(&artifact()).await.unwrap_err();
    assert!(matches!(error, OciError::WrongDigest { .. }), "{error}");
}
