//! Components whose contract is not known: the rich one, the plain one, or functions alone.

use crate::common::{block_on, limits, recorded_sandbox};
use bailiwick_sandbox::rich::{Abilities, tools};
use bailiwick_sandbox::{
    Audit, CallError, Capabilities, Code, CompileCache, Conditions, Grants, HostFailure, LoadError, Offered, Sandbox,
    builtin,
};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One function from text to text, and no contract.
const TYPED: &str = r#"(component
    (core module $m
        (memory (export "memory") 1)
        (func (export "double") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2))))
    (core instance $i (instantiate $m))
    (func $double (param "number" u32) (result u32) (canon lift (core func $i "double")))
    (instance $numbers (export "double" (func $double)))
    (export "test:numbers/numbers" (instance $numbers)))"#;

fn sandbox(cache: &Path) -> Sandbox {
    recorded_sandbox(CompileCache::Directory(cache.to_owned()), Audit::Off)
}

fn rich() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-rich-guest.wasm")).unwrap()
}

fn any(sandbox: &Sandbox, bytes: &[u8]) -> Result<Offered, LoadError> {
    block_on(sandbox.load_any(bytes, &Capabilities::files()))
}

#[test]
fn component_is_loaded_by_the_contract_it_has() {
    let base = tempfile::tempdir().unwrap();
    let sandbox = sandbox(&base.path().join("cache"));
    // Twice: what was kept of it comes to the same.
    for _ in 0..2 {
        // It imports notices, which the rich contract gives.
        assert!(matches!(any(&sandbox, &rich()).unwrap(), Offered::Rich(component) if !component.tools().is_empty()));
        let Offered::Plain(tool) = any(&sandbox, builtin::READ_FILE).unwrap() else { panic!("it is a plain tool") };
        assert_eq!(tool.descriptor().name, "ReadFile");
        let typed = any(&sandbox, &wat::parse_str(TYPED).unwrap()).unwrap();
        assert!(matches!(typed, Offered::Typed(found) if found.tools.len() == 1));
    }
    assert!(matches!(any(&sandbox, &wat::parse_str("(component)").unwrap()), Err(LoadError::NothingOffered)));
    assert!(matches!(any(&sandbox, b"\0asm"), Err(LoadError::Invalid(_))));
}

#[test]
fn plain_tool_that_is_known_is_listed_before_its_code_is_there() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    any(&sandbox(&cache), builtin::READ_FILE).unwrap();
    for entry in std::fs::read_dir(&cache).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "cwasm") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let sandbox = sandbox(&cache);
    assert!(matches!(any(&sandbox, builtin::READ_FILE), Ok(Offered::Plain(_))));
    let compiled = std::fs::read_dir(&cache).unwrap().count();
    assert_eq!(compiled, 1, "its description alone: nothing was compiled");
}

/// A component in a place from which it is read, and how often it was.
#[derive(Clone)]
struct Shelf {
    bytes: Arc<Mutex<Vec<u8>>>,
    read: Arc<AtomicUsize>,
    code: Code,
}

impl Shelf {
    fn with(bytes: &[u8]) -> Self {
        let (kept, read) = (Arc::new(Mutex::new(bytes.to_vec())), Arc::new(AtomicUsize::new(0)));
        let (from, counted) = (kept.clone(), read.clone());
        let code = Code::kept(digest(bytes), move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let bytes = from.lock().unwrap().clone();
            if bytes.is_empty() { Err("it is not there any more".into()) } else { Ok(bytes) }
        });
        Self { bytes: kept, read, code }
    }

    fn offered(&self, sandbox: &Sandbox) -> Result<Offered, LoadError> {
        block_on(sandbox.announce_any(&self.code, &Capabilities::files()))
    }

    fn reads(&self) -> usize {
        self.read.load(Ordering::SeqCst)
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All that a component says of itself.
fn said(offered: &Offered) -> String {
    match offered {
        Offered::Plain(tool) => format!("{} {:?} {:?}", tool.digest(), tool.imports(), tool.descriptor()),
        Offered::Typed(found) => {
            let tools: Vec<_> = found.tools.iter().map(bailiwick_sandbox::Tool::descriptor).collect();
            format!("{tools:?} {:?} {}", found.skipped, found.more)
        }
        Offered::Rich(component) => {
            let tools: Vec<_> = component.tools().iter().map(bailiwick_sandbox::rich::RichTool::descriptor).collect();
            format!("{} {:?} {:?} {tools:?}", component.digest(), component.imports(), component.offers())
        }
    }
}

/// Calls one of its tools. An answer of the guest is an answer, be it an error.
fn answers(sandbox: &Sandbox, offered: &Offered) -> Result<(), HostFailure> {
    let outcome = match offered {
        Offered::Plain(tool) => {
            block_on(sandbox.call(tool, &Grants::none(), r#"{"filePath":"a"}"#, &limits())).outcome.map(drop)
        }
        Offered::Typed(found) => {
            let report = block_on(sandbox.call(&found.tools[0], &Grants::none(), r#"{"number":21}"#, &limits()));
            report.outcome.map(|answer| assert_eq!(answer, r#"{"result":42}"#))
        }
        Offered::Rich(component) => {
            let input = r#"{"attack":"nothing"}"#.to_owned();
            let call = tools::Call { tool: "HostileRich".into(), input, can: Abilities::empty(), again: None };
            let (grants, limits) = (Grants::none(), limits());
            let conditions = Conditions { grants: &grants, limits: &limits, notices: None };
            block_on(sandbox.call_rich(component, call, conditions)).outcome.map(drop)
        }
    };
    match outcome {
        Ok(()) | Err(CallError::Tool(_)) => Ok(()),
        Err(CallError::Host(failure)) => Err(failure),
    }
}

/// One of each kind.
fn kinds() -> [Vec<u8>; 3] {
    [builtin::READ_FILE.to_vec(), rich(), wat::parse_str(TYPED).unwrap()]
}

fn file(cache: &Path, bytes: &[u8], ending: &str) -> PathBuf {
    let name = format!("-{}.{ending}", digest(bytes));
    let mut files = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.to_str().unwrap().ends_with(&name)).unwrap()
}

/// Writes a file of the cache as this program would.
fn put(path: &Path, content: &[u8]) {
    std::fs::write(path, [&Sha256::digest(content)[..], content].concat()).unwrap();
}

#[test]
fn component_that_was_listed_is_read_and_made_ready_by_its_first_call_and_can_be_given_back() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    for bytes in kinds() {
        let first = said(&any(&sandbox(&cache), &bytes).unwrap());
        let compiled = file(&cache, &bytes, "cwasm");
        std::fs::remove_file(&compiled).unwrap();
        let (sandbox, shelf) = (sandbox(&cache), Shelf::with(&bytes));
        let offered = shelf.offered(&sandbox).unwrap();
        assert_eq!(said(&offered), first);
        assert_eq!(sandbox.unload_unused(Duration::ZERO), 0, "there is nothing yet");
        assert!(shelf.reads() == 0 && !compiled.exists(), "neither its bytes nor its code were needed");
        for _ in 0..2 {
            answers(&sandbox, &offered).unwrap();
            assert_eq!(shelf.reads(), 1, "{first}");
        }
        assert!(compiled.exists());
        assert_eq!(sandbox.unload_unused(Duration::from_secs(3600)), 0, "it was called a moment ago");
        assert_eq!(sandbox.unload_unused(Duration::ZERO), 1);
        answers(&sandbox, &offered).unwrap();
        assert_eq!(shelf.reads(), 2, "it is taken from the cache");
        drop(offered);
        assert_eq!(sandbox.unload_unused(Duration::ZERO), 0, "it went with the last who had it");
    }
}

#[test]
fn component_that_cannot_be_had_again_is_not_given_back() {
    let base = tempfile::tempdir().unwrap();
    // Held in memory, and so nowhere else perhaps.
    let sandbox = sandbox(&base.path().join("cache"));
    let held = any(&sandbox, builtin::READ_FILE).unwrap();
    answers(&sandbox, &held).unwrap();
    assert_eq!(sandbox.unload_unused(Duration::ZERO), 0);
    // Without a cache it would have to be compiled again.
    let sandbox = recorded_sandbox(CompileCache::Off, Audit::Off);
    let shelf = Shelf::with(&wat::parse_str(TYPED).unwrap());
    let offered = shelf.offered(&sandbox).unwrap();
    answers(&sandbox, &offered).unwrap();
    assert_eq!((sandbox.unload_unused(Duration::ZERO), shelf.reads()), (0, 1));
}

#[test]
fn component_that_was_exchanged_since_it_was_listed_is_not_called() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    for bytes in kinds() {
        any(&sandbox(&cache), &bytes).unwrap();
        let (sandbox, shelf) = (sandbox(&cache), Shelf::with(&bytes));
        let offered = shelf.offered(&sandbox).unwrap();
        let mut other = bytes.clone();
        // A custom section of no name and no content: another component that does the same.
        other.extend([0, 1, 0]);
        *shelf.bytes.lock().unwrap() = other;
        let failure = answers(&sandbox, &offered).unwrap_err();
        let HostFailure::NotLoaded(why) = &failure else { panic!("{failure}") };
        assert!(why.contains("is not the one that was listed") && why.contains(&digest(&bytes)), "{why}");
        shelf.bytes.lock().unwrap().clear();
        let failure = answers(&sandbox, &offered).unwrap_err();
        assert_eq!(failure, HostFailure::NotLoaded("it is not there any more".into()));
        // Nothing of it stays: when it is back, it answers.
        *shelf.bytes.lock().unwrap() = bytes;
        answers(&sandbox, &offered).unwrap();
    }
}

#[test]
fn description_of_another_component_under_its_name_is_not_believed() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    let [plain, _, typed] = kinds();
    let own = said(&any(&sandbox(&cache), &typed).unwrap());
    any(&sandbox(&cache), &plain).unwrap();
    let (from, to) = (file(&cache, &plain, "words"), file(&cache, &typed, "words"));
    std::fs::copy(&from, &to).unwrap();
    let sandbox = sandbox(&cache);
    let offered = any(&sandbox, &typed).unwrap();
    assert_eq!(said(&offered), own);
    answers(&sandbox, &offered).unwrap();
}

#[test]
fn component_that_was_listed_with_words_that_are_not_its_own_is_not_called() {
    let base = tempfile::tempdir().unwrap();
    let cache = base.path().join("cache");
    for (bytes, word, other) in kinds().into_iter().zip(["ReadFile", "HostileRich", "double"]).map(|(bytes, word)| {
        let other: String = word.chars().rev().collect();
        (bytes, word, other)
    }) {
        let own = said(&any(&sandbox(&cache), &bytes).unwrap());
        let path = file(&cache, &bytes, "words");
        let text = String::from_utf8(std::fs::read(&path).unwrap()[32..].to_vec()).unwrap();
        put(&path, text.replace(&format!(r#""name":"{word}""#), &format!(r#""name":"{other}""#)).as_bytes());
        let (sandbox, shelf) = (sandbox(&cache), Shelf::with(&bytes));
        let mut offered = shelf.offered(&sandbox).unwrap();
        assert!(said(&offered).contains(&other), "who can write to the cache can have it listed so");
        if let Offered::Rich(component) = &offered {
            let (grants, limits) = (Grants::none(), limits());
            let conditions = Conditions { grants: &grants, limits: &limits, notices: None };
            let refused = block_on(sandbox.read_resource(component, "lure:x", conditions)).outcome.unwrap_err();
            assert!(refused.to_string().contains("says other things of itself"), "{refused}");
        } else {
            let failure = answers(&sandbox, &offered).unwrap_err();
            assert!(failure.to_string().contains("says other things of itself"), "{failure}");
        }
        // And the next listing shows what it says.
        offered = shelf.offered(&sandbox).unwrap();
        assert_eq!(said(&offered), own);
        answers(&sandbox, &offered).unwrap();
    }
}
