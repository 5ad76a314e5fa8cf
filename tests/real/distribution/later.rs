//! A signature that is made after its tool was pushed.

use super::server::{For, Server, new_key, sign};
use super::{CALL, World, digits, server, text};

#[test]
fn tool_that_was_pushed_unsigned_is_signed_later_and_stays_the_artifact_it_was() {
    if !server::there() {
        return;
    }
    let world = World::new();
    let server = Server::start(world.base.path(), For::Everyone);
    let (ours, theirs) = (new_key(world.base.path(), "ours"), new_key(world.base.path(), "theirs"));
    let project = world.project("project", "1");
    let (manifest, signature) = (project.join("tool.toml"), project.join("tool.toml.minisig"));
    let tag = format!("oci://{}/team/lines:1", server.host);
    let artifact = world.json(&["tool", "push", text(&project), &tag])["artifact"].as_str().unwrap().to_owned();
    let exact = format!("oci://{}/team/lines@{artifact}", server.host);
    world.trust(&[("*", &ours)]);
    assert!(world.says(3, &["tool", "add", &tag]).contains("is not signed"));
    let attach = ["tool", "push", "--signature", text(&signature), &tag];

    // What is no signature, or one of another key, or of something else, is not attached.
    assert!(world.says(2, &attach).contains("cannot read the signature"));
    std::fs::write(&signature, "canary").unwrap();
    assert!(world.says(2, &attach).contains("is not a minisign signature"));
    sign(world.base.path(), "theirs", &manifest);
    assert!(world.says(3, &attach).contains("which is not named for"));
    let words = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, words.replace("access = \"read\"", "access = \"write\"")).unwrap();
    sign(world.base.path(), "ours", &manifest);
    assert!(world.says(3, &attach).contains("is not what"));
    let alone = world.path("elsewhere.minisig");
    std::fs::copy(&signature, &alone).unwrap();
    let told = world.says(3, &["tool", "push", "--signature", text(&alone), &tag]);
    assert!(told.contains("is not over this tool.toml"), "{told}");
    std::fs::write(&manifest, &words).unwrap();
    sign(world.base.path(), "ours", &manifest);
    assert!(world.says(2, &["tool", "push", text(&signature), &tag]).contains("hint: `--signature`"));
    assert!(world.says(3, &["tool", "add", &tag]).contains("is not signed"));
    assert_eq!(world.compiled(), 0);

    // The signature belongs to the digest behind the tag: a reference by digest finds it, too.
    let attached = world.json(&attach);
    assert_eq!((attached["artifact"].as_str(), &attached["verified"]), (Some(artifact.as_str()), &true.into()));
    world.forget("cache/oci");
    assert_eq!(world.json(&["tool", "add", &exact])["signature"]["state"], "signed");
    let review = world.json(&["tool", "inspect", "lines"])["review"].as_str().unwrap().to_owned();
    world.says(0, &["tool", "approve", "lines", "--reviewed", &review]);
    assert!(world.says(0, &CALL).contains("a.txt"));
    // From the cache, which is not trusted.
    world.says(0, &["tool", "inspect", &exact, "--offline"]);
    let kept = world.path("cache/oci/sha256").join(format!("{}.minisig", &artifact["sha256:".len()..]));
    std::fs::write(&kept, "untrusted comment: x\n").unwrap();
    assert!(world.says(3, &["tool", "inspect", &exact, "--offline"]).contains("is not one of minisign's"));
    world.says(0, &["tool", "inspect", &exact]);
    // In the registry, where it was exchanged on the disk.
    let blob = server.blob(&digits(&std::fs::read(&signature).unwrap()));
    let whole = std::fs::read(&blob).unwrap();
    let mut other = whole.clone();
    other[20] ^= 1;
    std::fs::write(&blob, other).unwrap();
    assert!(world.says(3, &["tool", "inspect", &exact]).contains("not what its digest says"));
    std::fs::write(&blob, whole).unwrap();

    // A key that is taken back; and one more signature, by the other one.
    world.trust(&[("*", &theirs)]);
    assert!(world.says(3, &CALL).contains("which is not named for"));
    sign(world.base.path(), "theirs", &manifest);
    world.says(0, &attach);
    assert!(world.says(0, &["tool", "update", "lines"]).contains("the same as before"));
    assert!(world.says(0, &CALL).contains("a.txt"));

    // With the tool goes what the cache had of it, the signature too.
    let cached = || std::fs::read_dir(world.path("cache/oci/sha256")).unwrap().count();
    assert!(cached() > 0);
    world.says(0, &["tool", "remove", "lines"]);
    assert_eq!(cached(), 0);
}
