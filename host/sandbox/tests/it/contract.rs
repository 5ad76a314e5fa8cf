//! What the built-in tools may be told by their imports and their grants.

use crate::common::{World, block_on, limits, load_limits, sandbox, sandbox_with};
use bailiwick_sandbox::{
    Access, Allocation, Audit, Capabilities, CompileCache, Grant, Grants, LoadError, Reserved, Sandbox, SandboxConfig,
    builtin,
};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

#[test]
fn every_built_in_tool_imports_files_and_directories_and_nothing_else() {
    let world = World::new(Access::ReadWrite);
    let mut names = Vec::new();
    for tool in world.tools {
        assert!(!tool.imports().is_empty(), "{tool:?}");
        for import in tool.imports() {
            let name = import.split('@').next().unwrap();
            let lists = tool.descriptor().name == "ListFiles" && name == "bailiwick:built-in/directories";
            let files = matches!(name, "wasi:filesystem/types" | "wasi:filesystem/preopens");
            assert!(lists || files, "{tool:?} imports {import}");
        }
        names.push(tool.descriptor().name.as_str());
    }
    assert_eq!(names, ["ReadFile", "WriteFile", "ListFiles", "CodePatch", "UpdateCspellWords"]);
}

#[test]
fn component_that_imports_more_is_refused_with_the_list() {
    let bytes = wat::parse_str(
        r#"(component
            (import "wasi:cli/environment@0.2.12" (instance (export "get-arguments" (func (result (list string))))))
            (import "wasi:sockets/tcp@0.2.12" (instance (export "tcp-socket" (type (sub resource)))))
            (import "wasi:filesystem/types@0.2.12" (instance)))"#,
    )
    .unwrap();
    let refused = block_on(sandbox().load(&bytes, &Capabilities::files())).unwrap_err();
    let LoadError::NotGranted(wanted) = refused else { panic!("{refused}") };
    assert_eq!(wanted, ["wasi:cli/environment@0.2.12", "wasi:sockets/tcp@0.2.12"]);
}

#[test]
fn compiled_components_are_cached_for_this_user_alone_and_loaded_again() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    for _ in 0..2 {
        let sandbox = sandbox_with(CompileCache::Directory(directory.clone()));
        block_on(sandbox.load(builtin::READ_FILE, &Capabilities::files())).unwrap();
    }
    assert_eq!(std::fs::metadata(&directory).unwrap().permissions().mode() & 0o777, 0o700);
    let kept: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn cache_that_others_can_write_to_is_refused() {
    let base = tempfile::tempdir().unwrap();
    let directory = base.path().join("cache");
    std::fs::create_dir(&directory).unwrap();
    std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o777)).unwrap();
    let sandbox = sandbox_with(CompileCache::Directory(directory));
    let refused = block_on(sandbox.load(builtin::READ_FILE, &Capabilities::files())).unwrap_err();
    assert!(matches!(refused, LoadError::Cache(_)), "{refused}");
}

#[test]
fn input_off_the_schema_never_reaches_the_tool() {
    let world = World::new(Access::ReadWrite);
    for input in [json!({}), json!({"filePath": 7}), json!([]), json!({"filePath": "a", "startLine": 0})] {
        let report = world.call("ReadFile", &input);
        assert!(report.outcome.is_err(), "{input}");
        assert_eq!(report.cost.host_calls, 0, "{input}");
    }
}

#[test]
fn replaced_file_keeps_its_mode_without_set_id_bits() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4751)).unwrap();
    world.call("WriteFile", &json!({"filePath": "box/inside.txt", "content": "new\n"})).outcome.unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);
    world
        .call("CodePatch", &json!({"filePath": "inside.txt", "oldContent": "new", "newContent": "newer"}))
        .outcome
        .unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "newer\n");
    let left: Vec<_> = std::fs::read_dir(world.granted()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "no temporary file stays: {left:?}");
}

#[test]
fn cost_counts_bytes_and_host_calls() {
    let world = World::new(Access::ReadWrite);
    let report = world.call("ReadFile", &json!({"filePath": "inside.txt"}));
    assert_eq!(report.cost.read_bytes, 7);
    assert!(report.cost.host_calls > 0 && report.cost.memory_bytes > 0 && report.cost.output_bytes > 0);
    assert_eq!(report.cost.denied, 0);
}

fn open(path: &std::path::Path) -> rustix::fd::OwnedFd {
    std::fs::File::open(path).unwrap().into()
}

/// A stage over a repository: the agent sees one tree and can change only what the stage holds.
fn staged() -> (World, std::path::PathBuf, std::path::PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let (repository, stage) = (base.path().join("repository"), base.path().join("stage"));
    std::fs::create_dir_all(repository.join("pkg/generated")).unwrap();
    std::fs::create_dir_all(stage.join("pkg")).unwrap();
    std::fs::write(repository.join("pkg/_patch.py"), "old\n").unwrap();
    std::fs::write(repository.join("pkg/generated/_models.py"), "generated\n").unwrap();
    std::fs::write(stage.join("pkg/_patch.py"), "old\n").unwrap();
    let grant = Grant::staged("sdk", open(&repository), open(&stage), &Reserved::none()).unwrap();
    (World::with(base, Grants::new(vec![grant]).unwrap()), repository, stage)
}

#[test]
fn staged_file_is_changed_in_the_stage_and_the_repository_stays() {
    let (world, repository, stage) = staged();
    let patch = json!({"filePath": "sdk/pkg/_patch.py", "oldContent": "old", "newContent": "new"});
    world.call("CodePatch", &patch).outcome.unwrap();
    assert_eq!(std::fs::read_to_string(repository.join("pkg/_patch.py")).unwrap(), "old\n");
    assert_eq!(std::fs::read_to_string(stage.join("pkg/_patch.py")).unwrap(), "new\n");
    assert!(world.call("ReadFile", &json!({"filePath": "sdk/pkg/_patch.py"})).outcome.unwrap().contains("new"));
}

#[test]
fn file_outside_the_stage_is_read_and_never_written() {
    let (world, repository, stage) = staged();
    let path = "sdk/pkg/generated/_models.py";
    assert!(world.call("ReadFile", &json!({"filePath": path})).outcome.unwrap().contains("generated"));
    for (tool, input) in [
        ("CodePatch", json!({"filePath": path, "oldContent": "generated", "newContent": "x"})),
        ("WriteFile", json!({"filePath": path, "content": "x"})),
        ("WriteFile", json!({"filePath": "sdk/pkg/generated/new.py", "content": "x"})),
    ] {
        assert!(world.call(tool, &input).outcome.is_err(), "{tool} {input}");
    }
    assert_eq!(std::fs::read_to_string(repository.join("pkg/generated/_models.py")).unwrap(), "generated\n");
    assert_eq!(std::fs::read_dir(repository.join("pkg/generated")).unwrap().count(), 1);
    assert!(!stage.join("pkg/generated/_models.py").exists());
}

#[test]
fn listing_shows_both_layers_once() {
    let (world, ..) = staged();
    let listing: Value =
        serde_json::from_str(&world.call("ListFiles", &json!({"path": "sdk", "recursive": true})).outcome.unwrap())
            .unwrap();
    let text = listing.to_string();
    assert_eq!(text.matches("_patch.py").count(), 1, "{text}");
    assert!(text.contains("_models.py"), "{text}");
}

#[test]
fn on_demand_allocation_answers_the_same() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("a.txt"), "text\n").unwrap();
    let sandbox = Sandbox::new(SandboxConfig {
        allocation: Allocation::OnDemand,
        workers: 1,
        waiting: 1,
        most_stuck: 1,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load: load_limits(),
        audit: Audit::Off,
        describe: limits(),
    })
    .unwrap();
    let grants =
        Grants::new(vec![Grant::open("d", base.path(), Access::ReadOnly, &Reserved::none()).unwrap()]).unwrap();
    let report = block_on(async {
        let tool = sandbox.load(builtin::READ_FILE, &Capabilities::files()).await.unwrap();
        sandbox.call(&tool, &grants, r#"{"filePath":"a.txt"}"#, &limits()).await
    });
    assert!(report.outcome.unwrap().contains("text"));
}
