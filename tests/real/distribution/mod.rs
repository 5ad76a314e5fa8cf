//! Tools in a registry: what is pushed comes back as it was or not at all, wherever it was changed, and only signed
//! where a person named keys. The registry is Debian's, on this machine; signatures are minisign's own.

mod back;
mod later;
mod proxy;
mod server;
mod way;

use bailiwick_tests::binary;
use serde_json::Value;
use server::{For, Server, new_key, sign};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the component says of itself.
const SAYS: &[u8] = b"Attacks the sandbox it runs in.";

/// A call of it.
const CALL: [&str; 7] =
    ["tool", "call", "Hostile", "--grant", "notes=notes", "--input", "{\"operations\":[[\"readdir\",0]]}"];

/// A user of this machine, and the tool that they make.
struct World {
    base: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-distribution-").tempdir().unwrap();
        std::fs::create_dir(base.path().join("notes")).unwrap();
        std::fs::write(base.path().join("notes/a.txt"), "one\n").unwrap();
        Self { base }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    /// Writes a project of a component that describes itself in words of its version, and returns its directory.
    fn project(&self, directory: &str, version: &str) -> PathBuf {
        let project = self.path(directory);
        std::fs::create_dir_all(&project).unwrap();
        let guest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../components/dist/hostile-guest.wasm");
        let mut bytes = std::fs::read(guest).unwrap();
        let place = bytes.windows(SAYS.len()).position(|window| window == SAYS).unwrap();
        bytes[place..place + version.len()].copy_from_slice(version.as_bytes());
        std::fs::write(project.join("lines.wasm"), &bytes).unwrap();
        let manifest = format!(
            "schema = 1\nname = \"lines\"\nversion = \"{version}\"\ndescription = \"Files of a directory.\"\n\
             component = \"lines.wasm\"\ndigest = \"sha256:{}\"\n\n\
             [[directories]]\nname = \"notes\"\naccess = \"read\"\nreason = \"lists them\"\n",
            digits(&bytes)
        );
        std::fs::write(project.join("tool.toml"), manifest).unwrap();
        project
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        for variable in ["CI", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"] {
            command.env_remove(variable);
        }
        command
            .args(arguments)
            .current_dir(self.base.path())
            .env("HOME", self.base.path())
            .env("BAILIWICK_STATE_DIR", self.path("state"))
            .env("BAILIWICK_CACHE_DIR", self.path("cache"))
            .env("BAILIWICK_CONFIG", self.path("bailiwick.toml"))
            .env("DOCKER_CONFIG", self.path("docker"));
        if !self.path("bailiwick.toml").exists() {
            std::fs::write(self.path("bailiwick.toml"), "").unwrap();
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command says when it ends with `code`, on both ways out.
    #[track_caller]
    fn says(&self, code: i32, arguments: &[&str]) -> String {
        said(&self.run(arguments), code)
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        said(&output, 0);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Names keys for sources, as a person does.
    fn trust(&self, sources: &[(&str, &str)]) {
        let mut text = String::new();
        for (source, key) in sources {
            writeln!(text, "[sources.\"{source}\"]\nkeys = [\"{key}\"]").unwrap();
        }
        std::fs::write(self.path("bailiwick.toml"), text).unwrap();
    }

    fn forget(&self, place: &str) {
        let _ = std::fs::remove_dir_all(self.path(place));
    }

    /// How many components were ever compiled for the added tool, by what the cache has.
    fn compiled(&self) -> usize {
        std::fs::read_dir(self.path("cache/components")).map_or(0, Iterator::count)
    }
}

#[track_caller]
fn said(output: &Output, code: i32) -> String {
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("canary"), "{said}");
    said
}

fn digits(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn tool_goes_to_a_registry_and_comes_back_as_it_was_or_not_at_all() {
    if !server::there() {
        return;
    }
    let world = World::new();
    let server = Server::start(world.base.path(), For::Everyone);
    let project = world.project("project", "1");
    let tag = format!("oci://{}/team/lines:1", server.host);
    let pushed = world.json(&["tool", "push", text(&project), &tag]);
    let artifact = pushed["artifact"].as_str().unwrap().to_owned();
    // The same again is the same.
    assert_eq!(world.json(&["tool", "push", text(&project), &tag])["artifact"], artifact.as_str());
    let exact = format!("oci://{}/team/lines@{artifact}", server.host);
    let component = digits(&std::fs::read(project.join("lines.wasm")).unwrap());

    // Added, approved, used; and what was resolved is written down.
    let added = world.json(&["tool", "add", &tag]);
    assert_eq!((added["added"].as_str(), added["digest"].as_str()), (Some("lines"), Some(component.as_str())));
    let lock = std::fs::read_to_string(world.path("state/tools/tools.lock")).unwrap();
    assert!(lock.contains(&artifact) && lock.contains(&component) && lock.contains(&tag), "{lock}");
    let review = world.json(&["tool", "inspect", "lines"])["review"].as_str().unwrap().to_owned();
    world.says(0, &["tool", "approve", "lines", "--reviewed", &review]);
    assert!(world.says(0, &CALL).contains("a.txt"));

    // Corrupted, cut off and longer on the registry's disk.
    let blob = server.blob(&component);
    let whole = std::fs::read(&blob).unwrap();
    let mut other = whole.clone();
    other[whole.len() / 2] ^= 1;
    let longer = [whole.as_slice(), b"x"].concat();
    for (bytes, part) in [
        (other.as_slice(), "not what its digest says"),
        (&whole[..whole.len() - 1], "bytes and not the"),
        (&longer, "bytes and not the"),
    ] {
        world.forget("cache/oci");
        std::fs::write(&blob, bytes).unwrap();
        let told = world.says(3, &["tool", "inspect", &exact]);
        assert!(told.contains(part), "{told}");
    }
    std::fs::write(&blob, &whole).unwrap();
    // The manifest, which the registry itself may notice.
    let manifest = server.blob(&artifact["sha256:".len()..]);
    let json = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, json.replace("\"schemaVersion\":2", "\"schemaVersion\": 2")).unwrap();
    assert!(![Some(0), None].contains(&world.run(&["tool", "inspect", &exact]).status.code()));
    std::fs::write(&manifest, json).unwrap();

    // A digest that nothing has; a tag, a repository and a registry that are not there; what is no reference.
    let nothing = format!("oci://{}/team/lines@sha256:{}", server.host, "0".repeat(64));
    for (reference, code, part) in [
        (nothing.as_str(), 2, "has no artifact"),
        (&format!("oci://{}/team/lines:2", server.host), 2, "has no artifact"),
        (&tag.replace("team/lines", "team/other"), 2, "has no artifact"),
        ("oci://127.0.0.1:1/team/lines:1", 1, "cannot be reached"),
        ("oci://lines", 2, "hint: write `oci://host/repository:tag`"),
    ] {
        let told = world.says(code, &["tool", "inspect", reference]);
        assert!(told.contains(part), "{reference}: {told}");
    }

    // Without the registry the cached artifact is used, unless it was changed.
    world.says(0, &["tool", "inspect", &tag]);
    let offline = |code, what: &str| world.says(code, &["tool", "inspect", what, "--offline"]);
    assert!(offline(0, &exact).contains(&artifact));
    assert!(offline(0, &tag).contains(&artifact));
    assert!(offline(1, &tag.replace("team/lines", "team/other")).contains("is not known without its registry"));
    assert!(offline(1, &nothing).contains("is not in the cache"));
    for name in [component.as_str(), &artifact["sha256:".len()..]] {
        let kept = world.path("cache/oci/sha256").join(name);
        std::fs::write(&kept, "poison").unwrap();
        assert!(offline(3, &exact).contains("not what its digest says"));
        world.says(0, &["tool", "inspect", &exact]);
        offline(0, &exact);
    }

    moved_tag(&world, &tag, &artifact);
}

/// Another tool under the same tag: told, and not used before a person decided about it.
fn moved_tag(world: &World, tag: &str, artifact: &str) {
    assert!(world.says(0, &["tool", "update", "lines"]).contains("the same as before"));
    let other = world.project("other", "2");
    let moved = world.json(&["tool", "push", text(&other), tag])["artifact"].as_str().unwrap().to_owned();
    assert_ne!(moved, artifact);
    // What was added stays what it was, and so does what the lock file says.
    assert!(world.says(0, &CALL).contains("a.txt"));
    let told = world.says(0, &["tool", "inspect", tag]);
    assert!(told.contains(artifact) && told.contains("stands for") && told.contains(&moved), "{told}");
    let told = world.says(0, &["tool", "update", "lines"]);
    assert!(
        told.contains(&format!("- artifact {artifact}")) && told.contains(&format!("+ artifact {moved}")),
        "{told}"
    );
    assert!(told.contains("waits for your approval"), "{told}");
    assert!(world.says(0, &CALL).contains("a.txt"));
    let lock = || std::fs::read_to_string(world.path("state/tools/tools.lock")).unwrap();
    assert!(lock().contains(artifact) && !lock().contains(&moved));
    let review = world.json(&["tool", "inspect", "lines"])["review"].as_str().unwrap().to_owned();
    world.says(0, &["tool", "approve", "lines", "--reviewed", &review]);
    assert!(!lock().contains(artifact) && lock().contains(&moved));
    assert!(world.says(0, &CALL).contains("a.txt"));
    // A given lock file says which one is added.
    let brought = lock().replace(&moved, artifact).replace("name = \"lines\"", "name = \"theirs\"");
    world.says(0, &["tool", "remove", "lines"]);
    assert!(!lock().contains(&moved));
    std::fs::write(world.path("state/tools/tools.lock"), brought).unwrap();
    assert!(world.says(0, &["tool", "inspect", tag]).contains(artifact));
}

#[test]
fn private_registry_and_no_other_gets_the_credentials_that_docker_keeps() {
    if !server::there() {
        return;
    }
    let world = World::new();
    let server = Server::start(world.base.path(), For::Reader);
    let project = world.project("project", "1");
    let tag = format!("oci://{}/team/lines:1", server.host);
    let docker = |config: Value| {
        std::fs::create_dir_all(world.path("docker")).unwrap();
        std::fs::write(world.path("docker/config.json"), config.to_string()).unwrap();
    };
    let kept = |password: &str| serde_json::json!({ "auths": { &server.host: { "username": "reader", "password": password } } });
    let told = world.says(3, &["tool", "push", text(&project), &tag]);
    assert!(told.contains("wants credentials") && told.contains("docker login"), "{told}");
    docker(kept("another-canary"));
    assert!(world.says(3, &["tool", "push", text(&project), &tag]).contains("not enough"));
    docker(kept("canary-password"));
    world.says(0, &["tool", "push", text(&project), &tag]);
    world.says(0, &["tool", "inspect", &tag]);

    // The same from a program, which is told the host on its stdin and nothing on its command line.
    docker(serde_json::json!({ "credHelpers": { &server.host: "bailiwick-test" } }));
    let programs = world.path("programs");
    std::fs::create_dir(&programs).unwrap();
    let helper = programs.join("docker-credential-bailiwick-test");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let helped = |script: &str, code: i32| {
        std::fs::write(&helper, format!("#!/bin/sh\nread host; echo \"$# $1 $host\" >>\"$HOME/asked\"\n{script}\n"))
            .unwrap();
        std::fs::set_permissions(&helper, std::fs::Permissions::from_mode(0o755)).unwrap();
        world.forget("cache/oci");
        said(&world.command(&["tool", "inspect", &tag]).env("PATH", &path).output().unwrap(), code)
    };
    helped("echo '{\"ServerURL\":\"x\",\"Username\":\"reader\",\"Secret\":\"canary-password\"}'", 0);
    assert_eq!(std::fs::read_to_string(world.path("asked")).unwrap(), format!("1 get {}\n", server.host));
    assert!(helped("echo 'credentials not found in native keychain'; exit 1", 3).contains("wants credentials"));
    assert!(helped("echo canary >&1; exit 1", 1).contains("ended without success"));
    assert!(world.says(1, &["tool", "inspect", &tag]).contains("cannot be started"));
}

#[test]
fn tool_of_a_source_with_keys_is_signed_by_one_of_them_or_not_even_compiled() {
    if !server::there() {
        return;
    }
    let world = World::new();
    let server = Server::start(world.base.path(), For::Everyone);
    let (ours, theirs) = (new_key(world.base.path(), "ours"), new_key(world.base.path(), "theirs"));
    let project = world.project("project", "1");
    let manifest = project.join("tool.toml");
    let push = |tag: &str| {
        let reference = format!("oci://{}/team/lines:{tag}", server.host);
        world.says(0, &["tool", "push", text(&project), &reference]);
        reference
    };
    // What is pushed into a registry that demands no key.
    let unsigned = push("unsigned");
    sign(world.base.path(), "theirs", &manifest);
    let by_theirs = push("theirs");
    sign(world.base.path(), "ours", &manifest);
    let by_ours = push("ours");
    let words = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, words.replace("access = \"read\"", "access = \"write\"")).unwrap();
    let widened = push("widened");
    std::fs::write(&manifest, &words).unwrap();
    let component = std::fs::read(project.join("lines.wasm")).unwrap();
    let other = world.project("other", "2");
    std::fs::copy(project.join("tool.toml.minisig"), other.join("tool.toml.minisig")).unwrap();
    let swapped = format!("oci://{}/team/lines:swapped", server.host);
    world.says(0, &["tool", "push", text(&other), &swapped]);
    assert_eq!(world.compiled(), 0);

    world.trust(&[(&format!("{}/team", server.host), &ours), ("files", &ours)]);
    for (reference, part) in [
        (&unsigned, "is not signed"),
        (&by_theirs, "which is not named for"),
        (&widened, "is not over this tool.toml"),
        (&swapped, "is not over this tool.toml"),
    ] {
        // From the registry, from the cache, and into a registry again.
        assert!(world.says(3, &["tool", "add", reference]).contains(part), "{reference}");
        assert!(world.says(3, &["tool", "inspect", reference]).contains(part), "{reference}");
    }
    assert!(world.says(3, &["tool", "push", text(&other), &swapped]).contains("is not over this tool.toml"));
    let exact = world.json(&["tool", "push", text(&project), &by_ours])["artifact"].as_str().unwrap().to_owned();
    let file = project.join("lines.wasm");
    assert!(world.says(3, &["tool", "add", text(&file)]).contains("is not signed"));
    assert!(world.says(3, &["tool", "add", text(&other)]).contains("is not over this tool.toml"));
    assert_eq!(world.compiled(), 0, "something was compiled before it was verified");

    let added = world.json(&["tool", "add", &by_ours]);
    assert_eq!(added["signature"]["state"], "signed");
    let review = world.json(&["tool", "inspect", "lines"])["review"].as_str().unwrap().to_owned();
    world.says(0, &["tool", "approve", "lines", "--reviewed", &review]);
    assert!(world.says(0, &CALL).contains("a.txt"));

    // A cache in which the signature was exchanged for that of another key, whose digest cannot be the same.
    let by_digest = format!("oci://{}/team/lines@{exact}", server.host);
    world.says(0, &["tool", "inspect", &by_digest, "--offline"]);
    let signature = std::fs::read(project.join("tool.toml.minisig")).unwrap();
    std::fs::write(world.path("cache/oci/sha256").join(digits(&signature)), "untrusted comment: x\n").unwrap();
    assert!(world.says(3, &["tool", "inspect", &by_digest, "--offline"]).contains("not what its digest says"));
    world.says(0, &["tool", "inspect", &by_digest]);

    // A key that is taken back takes its tools with it, also those that were approved, and from the cache.
    world.trust(&[("*", &theirs)]);
    assert!(world.says(3, &CALL).contains("which is not named for"));
    assert!(world.says(3, &["tool", "inspect", &by_digest, "--offline"]).contains("which is not named for"));
    assert!(world.says(3, &["tool", "inspect", "lines"]).contains("which is not named for"));
    world.trust(&[("*", &ours)]);
    assert!(world.says(0, &CALL).contains("a.txt"));
    // What was kept of the signature is not there any more.
    world.forget("state/tools/signatures");
    assert!(world.says(3, &CALL).contains("is not signed"));

    // A file with its own signature beside it, and a mistake in the keys.
    sign(world.base.path(), "ours", &file);
    assert_eq!(component, std::fs::read(&file).unwrap());
    assert!(world.says(0, &["tool", "inspect", text(&file)]).contains("signed by the key"));
    for wrong in
        ["[sources.files]\nkeys = []\n", "[sources.files]\nkeys = [\"canary\"]\n", "[source.files]\nkeys = []\n"]
    {
        std::fs::write(world.path("bailiwick.toml"), wrong).unwrap();
        world.says(2, &CALL);
    }
}
