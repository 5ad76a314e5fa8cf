//! A tool that is listed from what was kept of it is the tool that would have been loaded, or it is not listed.

use crate::common::{block_on, limits, load_limits, recorded_sandbox, sandbox_with};
use bailiwick_audit::{Lines, Log};
use bailiwick_sandbox::{
    Audit, CallError, Capabilities, CompileCache, Grants, HostFailure, LoadError, Part, Sandbox, SandboxConfig, Tool,
    builtin,
};
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn announce(directory: &Path) -> Result<(Sandbox, Tool), LoadError> {
    let sandbox = sandbox_with(CompileCache::Directory(directory.to_owned()));
    let tool = block_on(sandbox.announce(builtin::READ_FILE, &Capabilities::files()))?;
    Ok((sandbox, tool))
}

fn kept(directory: &Path, ending: &str) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|extension| extension == ending))
}

/// What a tool says of itself, whole.
fn said(tool: &Tool) -> (String, String, Vec<String>) {
    (serde_json::to_string(tool.descriptor()).unwrap(), tool.digest().to_owned(), tool.imports().to_vec())
}

/// Calls it with a path that is in no grant: an answer of the tool and not of the host.
fn assert_answers(sandbox: &Sandbox, tool: &Tool) {
    let report = block_on(sandbox.call(tool, &Grants::none(), r#"{"filePath":"a"}"#, &limits()));
    assert!(matches!(report.outcome, Err(CallError::Tool(_))), "{:?}", report.outcome);
}

#[test]
fn second_announcement_needs_no_code_and_says_the_same() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    let first = said(&announce(&directory).unwrap().1);
    let code = kept(&directory, "cwasm").unwrap();
    std::fs::remove_file(&code).unwrap();
    let (sandbox, tool) = announce(&directory).unwrap();
    assert_eq!(said(&tool), first);
    assert!(!code.exists(), "it was compiled to be listed");
    assert_answers(&sandbox, &tool);
    assert!(code.exists(), "the first call compiles it");
    block_on(sandbox.prepare(&tool)).unwrap();
}

#[test]
fn what_was_kept_and_is_not_whole_is_asked_anew() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    let first = said(&announce(&directory).unwrap().1);
    let path = kept(&directory, "words").unwrap();
    let good = std::fs::read(&path).unwrap();
    let renamed = String::from_utf8_lossy(&good[32..]).replace("ReadFile", "EvilFile");
    let no_json = [&Sha256::digest(b"{")[..], b"{"].concat();
    for content in [b"".to_vec(), good[..40].to_vec(), [&good[..32], renamed.as_bytes()].concat(), no_json] {
        std::fs::write(&path, content).unwrap();
        assert_eq!(said(&announce(&directory).unwrap().1), first);
        assert!(std::fs::read(&path).unwrap() == good, "it was not written anew");
    }
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o666)).unwrap();
    std::fs::write(&path, [&Sha256::digest(renamed.as_bytes())[..], renamed.as_bytes()].concat()).unwrap();
    assert_eq!(said(&announce(&directory).unwrap().1), first, "others could have written it");
}

#[test]
fn kept_imports_are_held_against_the_policy() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    announce(&directory).unwrap();
    let path = kept(&directory, "words").unwrap();
    let text = String::from_utf8(std::fs::read(&path).unwrap()[32..].to_vec()).unwrap();
    let text = text.replace(r#""imports":["#, r#""imports":["wasi:sockets/tcp@0.2.12","#);
    std::fs::write(&path, [&Sha256::digest(&text)[..], text.as_bytes()].concat()).unwrap();
    let refused = announce(&directory).map(|_| ()).unwrap_err();
    assert!(matches!(&refused, LoadError::NotGranted(wanted) if wanted == &["wasi:sockets/tcp@0.2.12"]), "{refused}");
}

#[test]
fn kept_description_is_held_against_the_limits_of_the_day() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    announce(&directory).unwrap();
    let strict = Sandbox::new(SandboxConfig {
        allocation: bailiwick_sandbox::Allocation::OnDemand,
        workers: 1,
        waiting: 1,
        most_stuck: 1,
        largest_memory: 64 << 20,
        cache: CompileCache::Directory(directory),
        load: bailiwick_sandbox::LoadLimits { description_bytes: 10, ..load_limits() },
        audit: Audit::Off,
        describe: limits(),
    })
    .unwrap();
    let refused = block_on(strict.announce(builtin::READ_FILE, &Capabilities::files())).unwrap_err();
    assert!(matches!(refused, LoadError::TooLarge { part: Part::Description, .. }), "{refused}");
}

#[test]
fn code_that_cannot_be_had_any_more_is_a_failure_of_the_call_and_on_record() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    announce(&directory).unwrap();
    let log = Log::open(&base.path().join("audit"), 1 << 20).unwrap();
    let sandbox = recorded_sandbox(CompileCache::Directory(directory.clone()), Audit::Log(Arc::new(log)));
    let tool = block_on(sandbox.announce(builtin::READ_FILE, &Capabilities::files())).unwrap();
    // Now others could put code into it.
    std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o777)).unwrap();
    let report = block_on(sandbox.call(&tool, &Grants::none(), r#"{"filePath":"a"}"#, &limits()));
    assert!(matches!(report.outcome, Err(CallError::Host(HostFailure::NotLoaded(_)))), "{:?}", report.outcome);
    let mut lines = Lines::open(&base.path().join("audit")).unwrap();
    let mut last = String::new();
    while let Some(line) = lines.next_line().unwrap() {
        last = line.text.unwrap().to_owned();
    }
    assert!(last.contains("not-loaded"), "{last}");
    // And when it is safe again, the same tool answers.
    std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o700)).unwrap();
    assert_answers(&sandbox, &tool);
}
