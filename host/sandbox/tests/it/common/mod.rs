//! What the tests share: a sandbox, generous limits, a directory with a canary outside it, and hostile tools.

use bailiwick_sandbox::{
    Access, Allocation, Audit, CallReport, Capabilities, CompileCache, Grant, Grants, Limits, LoadLimits, Reserved,
    Sandbox, SandboxConfig, Tool, builtin,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn limits() -> Limits {
    Limits {
        memory_bytes: 64 << 20,
        table_elements: 10_000,
        deadline: Duration::from_secs(10),
        input_bytes: 4 << 20,
        output_bytes: 16 << 20,
        handles: 256,
        directory_entries: 50_000,
        written_bytes: 16 << 20,
    }
}

pub(crate) fn load_limits() -> LoadLimits {
    LoadLimits {
        component_bytes: 16 << 20,
        functions: 50_000,
        function_bytes: 64 << 10,
        instances: 8,
        memories: 1,
        tables: 4,
        description_bytes: 16 << 10,
        schema_bytes: 64 << 10,
        deadline: Duration::from_secs(60),
        at_once: 2,
        threads: 2,
        most_stuck: 2,
    }
}

pub(crate) fn sandbox() -> Sandbox {
    sandbox_with(CompileCache::Off)
}

pub(crate) fn sandbox_with(cache: CompileCache) -> Sandbox {
    recorded_sandbox(cache, Audit::Off)
}

pub(crate) fn recorded_sandbox(cache: CompileCache, audit: Audit) -> Sandbox {
    Sandbox::new(SandboxConfig { cache, audit, ..config() }).unwrap()
}

/// Without a cache and without a record.
pub(crate) fn config() -> SandboxConfig {
    SandboxConfig {
        allocation: Allocation::Pooled { slots: 8 },
        workers: 2,
        waiting: 64,
        most_stuck: 4,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load: load_limits(),
        audit: Audit::Off,
        describe: Limits { deadline: Duration::from_secs(2), ..limits() },
    }
}

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// The built-in tools over one granted directory, with a secret and a canary beside it.
pub(crate) struct World {
    pub(crate) base: tempfile::TempDir,
    pub(crate) sandbox: &'static Sandbox,
    pub(crate) tools: &'static [Tool],
    pub(crate) grants: Grants,
}

/// One sandbox with the built-in tools for all tests of a file: compiling them takes longer than most tests.
pub(crate) fn shared() -> &'static (Sandbox, Vec<Tool>) {
    static SHARED: std::sync::OnceLock<(Sandbox, Vec<Tool>)> = std::sync::OnceLock::new();
    SHARED.get_or_init(|| {
        let sandbox = sandbox();
        let tools = block_on(async {
            let mut tools = Vec::new();
            for bytes in builtin::ALL {
                tools.push(sandbox.load(bytes, &Capabilities::built_in()).await.unwrap());
            }
            tools
        });
        (sandbox, tools)
    })
}

impl World {
    pub(crate) fn new(access: Access) -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("granted/sub")).unwrap();
        std::fs::create_dir(base.path().join("granted-evil")).unwrap();
        std::fs::write(base.path().join("secret.txt"), "canary\n").unwrap();
        std::fs::write(base.path().join("granted-evil/secret.txt"), "canary\n").unwrap();
        std::fs::write(base.path().join("granted/inside.txt"), "inside\n").unwrap();
        let grant = Grant::open("box", &base.path().join("granted"), access, &Reserved::none()).unwrap();
        Self::with(base, Grants::new(vec![grant]).unwrap())
    }

    pub(crate) fn with(base: tempfile::TempDir, grants: Grants) -> Self {
        let (sandbox, tools) = shared();
        Self { base, sandbox, tools, grants }
    }

    pub(crate) fn granted(&self) -> PathBuf {
        self.base.path().join("granted")
    }

    pub(crate) fn tool(&self, name: &str) -> &Tool {
        self.tools.iter().find(|tool| tool.descriptor().name == name).unwrap()
    }

    pub(crate) fn call(&self, name: &str, input: &Value) -> CallReport {
        block_on(self.sandbox.call(self.tool(name), &self.grants, &input.to_string(), &limits()))
    }

    /// Everything outside the granted directory is as it was made.
    pub(crate) fn assert_outside_untouched(&self) {
        for place in ["secret.txt", "granted-evil/secret.txt"] {
            assert_eq!(std::fs::read_to_string(self.base.path().join(place)).unwrap(), "canary\n", "{place}");
        }
        let mut names: Vec<_> = std::fs::read_dir(self.base.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["granted", "granted-evil", "secret.txt"]);
    }
}

/// A tool whose `invoke` has the given body in the WebAssembly text format. It may use `$in` and `$len` and leaves
/// the address of a `result<string, tool-error>` on the stack.
pub(crate) fn hostile(invoke: &str) -> Vec<u8> {
    hostile_with("(i32.const 16)", invoke)
}

/// [`hostile`] with its own body of `describe`.
pub(crate) fn hostile_with(describe: &str, invoke: &str) -> Vec<u8> {
    let schema = r#"{\"type\":\"object\"}"#;
    let schema_length = 17;
    let text = format!(
        r#"(module
            (memory (export "memory") 1)
            (table 1 funcref)
            (data (i32.const 256) "Hostile")
            (data (i32.const 300) "{schema}")
            (data (i32.const 16) "\00\01\00\00\07\00\00\00\00\01\00\00\07\00\00\00\2c\01\00\00\{schema_length:02x}\00\00\00\2c\01\00\00\{schema_length:02x}\00\00\00\01")
            (data (i32.const 128) "\00\00\00\00\2c\01\00\00\{schema_length:02x}\00\00\00")
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
            (func (export "bailiwick:tool/tool@0.1.0#describe") (result i32) {describe})
            (func $invoke (export "bailiwick:tool/tool@0.1.0#invoke") (param $in i32) (param $len i32) (result i32)
                {invoke}))"#
    );
    let mut module = wat::parse_str(text).unwrap();
    let mut resolve = wit_parser::Resolve::default();
    let (package, _) = resolve.push_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit")).unwrap();
    let world = resolve.select_world(&[package], Some("tool-component")).unwrap();
    let utf8 = wit_component::StringEncoding::UTF8;
    wit_component::embed_component_metadata(&mut module, &resolve, world, utf8, false).unwrap();
    wit_component::ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
}
