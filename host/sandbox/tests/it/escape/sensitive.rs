//! Places inside a grant where a write makes some other program act: refused unless the grant allows them by name.

use super::{grant, leftovers, list, patch, read, refused, world_with, write};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind, Grant, GrantError, Grants, Reserved};
use serde_json::json;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A repository with what such a repository holds.
const PLACES: [&str; 12] = [
    ".git/config",
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".vscode/tasks.json",
    ".vscode/cspell.json",
    ".idea/workspace.xml",
    ".envrc",
    ".mcp.json",
    ".ssh/authorized_keys",
    ".npmrc",
    "nested/.git/config",
    "nested/deep/er/.Vscode/settings.json",
];

/// Those that are not read, either.
const HIDDEN: [&str; 6] =
    [".git/config", ".GIT/config", ".envrc", ".ssh/authorized_keys", ".npmrc", "nested/.git/config"];

fn repository(allowed: &[&str]) -> World {
    let world = world_with(|base| {
        let granted = grant("box", &base.join("granted"), Access::ReadWrite);
        vec![allowed.iter().fold(granted, |granted, place| granted.allowing(place).unwrap())]
    });
    for place in PLACES {
        let path = world.granted().join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "kept\n").unwrap();
    }
    world
}

fn assert_kept(world: &World) {
    for place in PLACES {
        assert_eq!(std::fs::read_to_string(world.granted().join(place)).unwrap(), "kept\n", "{place}");
    }
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

/// Neither tool that writes changes what is at `path`, and both attempts are counted.
fn assert_not_written(world: &World, path: &str) {
    for (tool, input) in [
        ("WriteFile", json!({"filePath": path, "content": "changed\n"})),
        ("CodePatch", json!({"filePath": path, "oldContent": "kept", "newContent": "changed"})),
    ] {
        let report = world.call(tool, &input);
        let kind = refused(&report);
        let missing = kind == ErrorKind::NotFound && tool == "CodePatch";
        assert!(kind == ErrorKind::NotPermitted || missing, "{tool} {path}: {kind:?}");
        assert!(missing || report.cost.denied > 0, "{tool} {path}: {:?}", report.cost);
    }
}

#[test]
fn sensitive_place_is_read_and_listed_and_never_written() {
    let world = repository(&[]);
    for place in PLACES {
        let path = format!("box/{place}");
        let expected = if HIDDEN.contains(&place) { Err(ErrorKind::NotPermitted) } else { Ok("kept\n".to_owned()) };
        assert_eq!(read(&world, &path), expected, "{path}");
        assert_not_written(&world, &path);
    }
    assert!(list(&world, "box/.git").unwrap().iter().any(|(name, _)| name.ends_with("pre-commit")));
    assert_kept(&world);
}

#[test]
fn nothing_is_made_in_or_as_a_sensitive_place() {
    let world = World::new(Access::ReadWrite);
    for path in [
        ".git/config",
        ".git/hooks/post-checkout",
        ".Git/config",
        ".vscode/tasks.json",
        ".VSCODE/settings.json",
        ".envrc",
        ".ENVRC",
        ".mcp.json",
        ".gitmodules",
        ".ssh/config",
        ".cursor/mcp.json",
        ".devcontainer/devcontainer.json",
        "sub/.git/config",
        "sub/new/.vscode/tasks.json",
        "sub/.envrc",
        "sub/../.envrc",
        "./.git/./config",
    ] {
        assert_not_written(&world, &format!("box/{path}"));
    }
    // A step up out of a missing directory is refused before its purpose matters.
    assert!(write(&world, "box/sub/.git/../.git/config", "x").is_err());
    let names: Vec<_> = list(&world, "box").unwrap().into_iter().map(|(name, _)| name).collect();
    assert!(names.iter().all(|name| ["inside.txt", "sub", "sub/new"].contains(&name.as_str())), "{names:?}");
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

#[test]
fn names_that_only_begin_like_a_sensitive_one_are_ordinary() {
    let world = World::new(Access::ReadWrite);
    for path in [
        ".github/CODEOWNERS",
        ".github/ISSUE_TEMPLATE/bug.md",
        ".gitignore",
        ".gitattributes",
        "git/config",
        ".env.example",
        "a.envrc",
        ".vscode-x/y",
    ] {
        assert_eq!(write(&world, &format!("box/{path}"), "x\n"), Ok(()), "{path}");
        assert_eq!(patch(&world, &format!("box/{path}"), "x", "y"), Ok(()), "{path}");
    }
}

#[test]
fn sensitive_place_is_not_written_through_a_link() {
    let world = repository(&[]);
    symlink(".git", world.granted().join("data")).unwrap();
    symlink(".git/config", world.granted().join("settings")).unwrap();
    symlink("data/hooks", world.granted().join("chain")).unwrap();
    symlink("../.vscode", world.granted().join("nested/editor")).unwrap();
    symlink(".git/hooks/not-yet", world.granted().join("dangling")).unwrap();
    for path in [
        "data/config",
        "data/new",
        "settings",
        "chain/pre-commit",
        "chain/new",
        "nested/editor/tasks.json",
        "nested/editor/new",
        "data/made/new",
    ] {
        assert_not_written(&world, &format!("box/{path}"));
    }
    assert!(write(&world, "box/dangling", "x").is_err());
    assert_kept(&world);
    assert_eq!(std::fs::read_dir(world.granted().join(".git/hooks")).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(world.granted().join(".vscode")).unwrap().count(), 2);
}

#[test]
fn allowed_name_opens_every_such_place_and_no_other() {
    let world = repository(&[".git"]);
    for path in [".git/config", ".git/hooks/pre-commit", ".GIT/config", "nested/.git/config"] {
        assert_eq!(write(&world, &format!("box/{path}"), "changed\n"), Ok(()), "{path}");
        assert_eq!(patch(&world, &format!("box/{path}"), "changed", "kept"), Ok(()), "{path}");
    }
    assert_eq!(write(&world, "box/.git/made/new", "new\n"), Ok(()));
    assert_eq!(read(&world, "box/.git/made/new").unwrap(), "new\n");
    for path in [".vscode/tasks.json", ".envrc", ".mcp.json", ".gitmodules", ".idea/workspace.xml", "nested/.hg/hgrc"] {
        assert_not_written(&world, &format!("box/{path}"));
    }
    assert_kept(&world);
}

#[test]
fn allowed_file_opens_itself_and_nothing_beside_it() {
    let world = repository(&[".vscode/cspell.json"]);
    assert_eq!(write(&world, "box/.vscode/cspell.json", "changed\n"), Ok(()));
    assert_eq!(patch(&world, "box/.vscode/cspell.json", "changed", "kept"), Ok(()));
    // It is made with its directory where it is missing.
    assert_eq!(write(&world, "box/sub/.vscode/cspell.json", "new\n"), Ok(()));
    assert_eq!(std::fs::read_to_string(world.granted().join("sub/.vscode/cspell.json")).unwrap(), "new\n");
    for path in [
        ".vscode/tasks.json",
        ".vscode/settings.json",
        ".vscode/cspell.json.bak",
        ".vscode/cspell.json/x",
        ".vscode/other/cspell.json",
        "sub/.vscode/tasks.json",
        ".git/config",
        ".git/cspell.json",
        ".mcp.json",
    ] {
        let path = format!("box/{path}");
        assert!(write(&world, &path, "changed\n").is_err(), "{path}");
        assert!(patch(&world, &path, "kept", "changed").is_err(), "{path}");
    }
    assert_kept(&world);
    assert_eq!(std::fs::read_dir(world.granted().join(".vscode")).unwrap().count(), 2);
}

#[test]
fn allowed_place_opens_nothing_in_a_read_only_grant() {
    let world = repository(&[]);
    let granted = grant("box", &world.granted(), Access::ReadOnly).allowing(".git").unwrap();
    let world = World { grants: Grants::new(vec![granted]).unwrap(), ..world };
    assert_not_written(&world, "box/.git/config");
    assert_kept(&world);
}

#[test]
fn grant_of_the_sensitive_directory_itself_is_honoured() {
    let world = repository(&[]);
    let hooks =
        Grant::open("hooks", &world.granted().join(".git/hooks"), Access::ReadWrite, &Reserved::none()).unwrap();
    let world = World { grants: Grants::new(vec![hooks]).unwrap(), ..world };
    assert_eq!(write(&world, "hooks/pre-commit", "kept\n"), Ok(()));
    assert_not_written(&world, "hooks/.git/config");
    assert_not_written(&world, "hooks/../config");
    assert_kept(&world);
}

/// The names of the review that wrote all of them, and the build files that agents reach for.
#[test]
fn what_decides_what_the_next_build_runs_is_not_written() {
    let world = repository(&[]);
    for path in [
        ".cargo/config.toml",
        ".yarnrc.yml",
        "mise.toml",
        ".pre-commit-config.yaml",
        "conftest.py",
        ".docker/config.json",
        ".roo/mcp.json",
        ".amazonq/mcp.json",
        ".junie/mcp/mcp.json",
        ".kiro/settings/mcp.json",
        ".github/copilot-instructions.md",
        ".github/workflows/ci.yml",
        ".GitHub/Prompts/x.md",
        "AGENTS.md",
        "CLAUDE.md",
        "eng/emitter-package.json",
        "eng/emitter-package-lock.json",
        "ENG/Emitter-Package.json",
        "eng/swagger_to_sdk_config.json",
        "sdk/a/tsp-location.yaml",
        "sdk/a/package.json",
        "sdk/a/setup.py",
        "sdk/a/A.csproj",
        "sdk/a/pom.xml",
        "sdk/a/vitest.config.ts",
        "./eng//emitter-package.json",
    ] {
        let report = world.call("WriteFile", &json!({"filePath": format!("box/{path}"), "content": "x"}));
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{path}");
        let told = report.outcome.unwrap_err().to_string();
        let hidden = [".yarnrc.yml", ".docker/config.json"].contains(&path);
        let option = if hidden { "--unhide" } else { "--allow-sensitive" };
        assert!(told.contains(option), "{path}: {told}");
        assert_eq!(leftovers(&world.granted()), [""; 0], "{path}");
    }
    assert_kept(&world);
}

#[test]
fn directory_does_not_become_one_that_holds_sensitive_places() {
    let world = repository(&[]);
    // Neither is sensitive before it is where it would run.
    assert_eq!(write(&world, "box/prepared/workflows/ci.yml", "x\n"), Ok(()));
    assert_eq!(write(&world, "box/.github/CODEOWNERS", "x\n"), Ok(()));
    assert!(write(&world, "box/.github/workflows/ci.yml", "x\n").is_err());
}

#[test]
fn place_that_is_not_sensitive_cannot_be_allowed() {
    let world = World::new(Access::ReadWrite);
    for place in ["", "src", ".", "..", "/.git", "../.git", "src/.git", ".gitignore"] {
        let granted = grant("box", Path::new(&world.granted()), Access::ReadWrite);
        let refused = granted.allowing(place).unwrap_err();
        assert!(matches!(refused, GrantError::NotSensitive(_)), "{place}: {refused}");
    }
}
