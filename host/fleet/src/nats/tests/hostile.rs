//! Peers that may write everywhere on the server, and a program in place of a server: work may fail, no verdict contradicts its
//! artifacts, and nothing is written elsewhere.

use serde_json::{Value, json};

use super::*;
use crate::evidence::Left;
use crate::judge::Ended;
use crate::suite::taken;
use crate::verdict::{JobResult, Patch};

const ANSWER: &str = "{\"step\":\"generate\",\"succeeded\":true,\"diagnostics\":[]}";
const FAILED: &str = "{\"step\":\"generate\",\"succeeded\":false,\"diagnostics\":[]}";
const PATCH: &str = "diff --git a/sdk/p000/x b/sdk/p000/x\n--- a/sdk/p000/x\n+++ b/sdk/p000/x\n@@ -1 +1 @@\n-a\n+b\n";

/// Names and contents.
type Artifacts<'a> = Vec<(&'a str, &'a [u8])>;

fn digest(content: &[u8]) -> String {
    use sha2::Digest as _;
    bailiwick_base::text::hex(&sha2::Sha256::digest(content))
}

/// What an honest worker leaves of a package that was generated.
fn honest(job: &Job) -> (JobResult, Vec<(String, Vec<u8>)>) {
    let mut result = JobResult::of_fleet(job, Verdict::Succeeded, 1, "generate passed");
    result.causes.clear();
    result.patches = vec![Patch {
        of: Patch::PACKAGE.to_owned(),
        base: job.sdk.commit.clone(),
        digest: digest(PATCH.as_bytes()),
        files: 1,
        lines: 2,
    }];
    (result, vec![("answer.json".to_owned(), ANSWER.into()), ("package.patch".to_owned(), PATCH.into())])
}

/// Puts what a peer makes up where a result belongs.
async fn forge(remote: &Remote, envelope: &Value, artifacts: &[(&str, &[u8])]) {
    let store = remote.nats.objects().await.unwrap();
    let mut envelope = envelope.clone();
    for (name, content) in artifacts {
        let at = objects::put(&store, "forged", "artifact", content).await.unwrap();
        let listed = envelope["artifacts"].as_array_mut().unwrap();
        listed.push(json!({ "name": name, "at": { "object": at.object, "digest": at.digest, "bytes": at.bytes } }));
    }
    let content = serde_json::to_vec(&envelope).unwrap();
    let result = objects::put(&store, "forged", "result", &content).await.unwrap();
    enter(remote, &json!({ "state": "done", "attempt": 1, "result": { "object": result.object, "digest": result.digest, "bytes": result.bytes } })).await;
}

/// What the entry of the job says.
async fn entry(remote: &Remote) -> Value {
    let entries = remote.nats.entries().await.unwrap();
    let at = job_entry(remote.manifest.fleet.as_str(), &remote.manifest.jobs[0].key);
    serde_json::from_slice(&entries.get(&at).await.unwrap().unwrap()).unwrap()
}

/// Writes the entry of the job.
async fn enter(remote: &Remote, entry: &Value) {
    let entries = remote.nats.entries().await.unwrap();
    let at = job_entry(remote.manifest.fleet.as_str(), &remote.manifest.jobs[0].key);
    entries.put(&at, entry.to_string().into()).await.unwrap();
}

async fn fetched(remote: &Remote) -> Fetched {
    remote.nats.fetch(&remote.manifest, &remote.manifest.jobs[0]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_honest_worker_leaves_is_taken() {
    let Some(remote) = remote(1).await else { return };
    let held = taken(&remote.nats).await;
    let (result, artifacts) = honest(held.job());
    for (name, content) in &artifacts {
        held.keep_artifact(name, content).await.unwrap();
    }
    held.finish(Left { result: result.clone(), ended: Some(Ended::Code(0)) }).await.unwrap();
    let Fetched::Left(left, found) = fetched(&remote).await else { panic!("{:?}", fetched(&remote).await) };
    assert_eq!((left.result, found), (result, artifacts));
}

#[tokio::test(flavor = "multi_thread")]
async fn result_that_contradicts_what_was_left_with_it_is_refused() {
    let Some(remote) = remote(1).await else { return };
    let (result, _) = honest(&remote.manifest.jobs[0]);
    let honest = json!({ "result": result, "ended": "code 0", "artifacts": [] });
    let both: [(&str, &[u8]); 2] = [("answer.json", ANSWER.as_bytes()), ("package.patch", PATCH.as_bytes())];
    forge(&remote, &honest, &both).await;
    assert!(matches!(fetched(&remote).await, Fetched::Left(..)), "what is consistent is taken");
    let with = |path: &str, value: Value| {
        let mut envelope = honest.clone();
        *envelope.pointer_mut(path).unwrap() = value;
        envelope
    };
    let elsewhere = PATCH.replace("sdk/p000/x", "../../etc/passwd");
    let forged: Vec<(&str, Value, Artifacts<'_>)> = vec![
        ("the command failed", honest.clone(), vec![("answer.json", FAILED.as_bytes()), both[1]]),
        ("there is no answer", honest.clone(), vec![both[1]]),
        ("it ended otherwise", with("/ended", json!("code 1")), both.to_vec()),
        ("it was killed", with("/ended", json!("signal 9")), both.to_vec()),
        ("nothing was begun", with("/ended", Value::Null), both.to_vec()),
        ("another verdict", with("/result/verdict", json!("repaired")), both.to_vec()),
        ("a worker does not skip", with("/result/verdict", json!("skipped")), both.to_vec()),
        ("other reasons", with("/result/message", json!("all is well")), both.to_vec()),
        ("another job", with("/result/key", json!("1".repeat(64))), both.to_vec()),
        ("another package", with("/result/package", json!("azure-sdk-for-java/x")), both.to_vec()),
        ("no duration", with("/result/seconds", json!(-1.0)), both.to_vec()),
        ("no patch", with("/result/patches", json!([])), both.to_vec()),
        ("another patch", honest.clone(), vec![both[0], ("package.patch", b"")]),
        ("a patch for another commit", with("/result/patches/0/base", json!("1".repeat(40))), both.to_vec()),
        ("a larger patch", with("/result/patches/0/lines", json!(3)), both.to_vec()),
        (
            "a patch of something else",
            with("/result/patches/0/digest", json!(digest(elsewhere.as_bytes()))),
            vec![both[0], ("package.patch", elsewhere.as_bytes())],
        ),
        ("a path as name", honest.clone(), vec![both[0], both[1], ("../../../escaped", b"x")]),
        ("two of one name", honest.clone(), vec![both[0], both[1], both[1]]),
        ("more than there is", with("/result", json!({})), both.to_vec()),
    ];
    for (what, envelope, artifacts) in forged {
        forge(&remote, &envelope, &artifacts).await;
        let found = fetched(&remote).await;
        assert!(matches!(found, Fetched::Refused { .. }), "{what}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_are_missing_exchanged_too_large_or_links_to_themselves_are_refused() {
    let Some(remote) = remote(1).await else { return };
    let store = remote.nats.objects().await.unwrap();
    let real = objects::put(&store, "x", "y", b"content").await.unwrap();
    let done = |object: &str, digest: &str, bytes: u64| json!({ "state": "done", "attempt": 1, "result": { "object": object, "digest": digest, "bytes": bytes } });
    let info = store.get(&real.object).await.unwrap().info().clone();
    store.add_link("loop", &info).await.unwrap();
    for entry in [
        done("nothing", &real.digest, 7),
        done(&real.object, &"0".repeat(64), 7),
        done(&real.object, &real.digest, 6),
        done(&real.object, &real.digest, u64::MAX),
        done("loop", &real.digest, 7),
        done("", "", 0),
        done("*", &real.digest, 7),
        json!({ "state": "done" }),
        json!("x"),
        json!({ "state": "at-work", "attempt": -1, "worker": "x" }),
    ] {
        enter(&remote, &entry).await;
        let found = fetched(&remote).await;
        assert!(matches!(found, Fetched::Refused { .. }), "{entry}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_whose_digest_is_another_one_are_refused_though_all_else_fits() {
    let Some(remote) = remote(1).await else { return };
    let (result, artifacts) = honest(&remote.manifest.jobs[0]);
    let store = remote.nats.objects().await.unwrap();
    let mut listed = Vec::new();
    for (name, content) in &artifacts {
        let at = objects::put(&store, "forged", "artifact", content).await.unwrap();
        listed.push(json!({ "name": name, "at": { "object": at.object, "digest": at.digest, "bytes": at.bytes } }));
    }
    let mut envelope = json!({ "result": result, "ended": "code 0", "artifacts": listed });
    forge(&remote, &envelope, &[]).await;
    assert!(matches!(fetched(&remote).await, Fetched::Left(..)));
    let mut exchanged = entry(&remote).await;
    exchanged["result"]["digest"] = json!("0".repeat(64));
    enter(&remote, &exchanged).await;
    assert!(matches!(fetched(&remote).await, Fetched::Refused { .. }));
    envelope["artifacts"][0]["at"]["digest"] = json!("0".repeat(64));
    forge(&remote, &envelope, &[]).await;
    assert!(matches!(fetched(&remote).await, Fetched::Refused { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_are_no_jobs_are_not_given_out_again_and_the_jobs_are_done() {
    let Some(remote) = remote(1).await else { return };
    let mut hostile = remote.manifest.clone();
    hostile.skipped.clear();
    let job = hostile.jobs[0].clone();
    let key = |digit: &str| Key::try_from(digit.repeat(64)).unwrap();
    for (digit, change) in [("1", "package"), ("2", "commit"), ("3", "key")] {
        let mut job = job.clone();
        match change {
            "package" => job.package = "../../etc".to_owned(),
            "commit" => job.sdk.commit = "--upload-pack=x".to_owned(),
            _ => {}
        }
        job.key = key(digit);
        let subject = record::subject(&hostile, &job);
        let one = Manifest { jobs: vec![job], ..hostile.clone() };
        remote.nats.jetstream.publish(subject, serde_json::to_vec(&one).unwrap().into()).await.unwrap().await.unwrap();
    }
    let garbage = format!("fleet.{}.python.{}", hostile.fleet, "4".repeat(64));
    remote.nats.jetstream.publish(garbage.clone(), "\0".repeat(1000).into()).await.unwrap().await.unwrap();
    let large = remote.nats.jetstream.publish(format!("{garbage}5"), vec![0_u8; 600_000].into()).await.unwrap().await;
    assert!(large.is_err(), "the server takes no message of this size");
    let held = taken(&remote.nats).await;
    assert_eq!(held.job().key, remote.manifest.jobs[0].key);
    let failed = crate::suite::left(&*held, Verdict::Failed);
    held.finish(failed).await.unwrap();
    for _ in 0..100 {
        if matches!(remote.nats.take().await.unwrap(), crate::jobs::Next::Done) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("what is no job comes again and again");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_sends_without_end_is_not_used_any_more() {
    let nats = connected(&stranger::stranger(stranger::floods)).await;
    let manifest = testing::manifest(1);
    for _ in 0..600 {
        if nats.flooded.check().is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(matches!(nats.take().await, Err(FleetError::Flooded)));
    assert!(matches!(nats.offer(&manifest, &[]).await, Err(FleetError::Flooded)));
    assert!(matches!(nats.fetch(&manifest, &manifest.jobs[0]).await, Err(FleetError::Flooded)));
}
