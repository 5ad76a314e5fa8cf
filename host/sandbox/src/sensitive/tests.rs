//! The rule of sensitive places, without a filesystem.

use super::*;

fn permit(allowed: &[&str], path: &str, act: Act) -> bool {
    let mut places = Places::none();
    for place in allowed {
        assert!(places.add(place), "{place}");
    }
    places.permit(Path::new(path), act, |name| name.as_bytes().starts_with(b".tmp-")).is_ok()
}

#[test]
fn sensitive_names_are_refused_at_any_depth_and_in_any_case() {
    for path in
        [".git", ".git/config", ".GIT/config", "a/b/.git/hooks/x", ".vscode/tasks.json", "x/.envrc", ".Mcp.json"]
    {
        assert!(!permit(&[], path, Act::Change), "{path}");
        assert!(!permit(&[], path, Act::MakeDirectory), "{path}");
    }
    for path in ["", "a", ".github/CODEOWNERS", ".gitignore", "git", ".git2/x", "a.envrc", ".env"] {
        assert!(permit(&[], path, Act::Change), "{path}");
    }
}

#[test]
fn allowed_name_opens_all_that_is_in_it_and_nothing_else() {
    for path in [".git", ".git/config", "sub/.git/hooks/x", ".git/.vscode/x"] {
        assert!(permit(&[".git"], path, Act::Change), "{path}");
    }
    for path in [".vscode/x", ".vscode/.git", ".envrc"] {
        assert!(!permit(&[".git"], path, Act::Change), "{path}");
    }
}

#[test]
fn allowed_file_opens_itself_and_what_making_it_takes() {
    let allowed = [".vscode/cspell.json"];
    assert!(permit(&allowed, ".vscode/cspell.json", Act::Change));
    assert!(permit(&allowed, "sub/.vscode/cspell.json", Act::Change));
    assert!(permit(&allowed, ".vscode", Act::MakeDirectory));
    assert!(permit(&allowed, ".vscode/.tmp-1", Act::Change));
    for path in [".vscode", ".vscode/tasks.json", ".vscode/cspell.json.bak", ".vscode/.tmp-1/x", ".git/cspell.json"] {
        assert!(!permit(&allowed, path, Act::Change), "{path}");
    }
    for path in [".vscode/cspell", ".vscode/other", ".git"] {
        assert!(!permit(&allowed, path, Act::MakeDirectory), "{path}");
    }
}

#[test]
fn what_is_not_sensitive_cannot_be_allowed() {
    for place in ["", "src", "src/.git", "/.git", "../.git", "./.git/.."] {
        assert!(!Places::none().add(place), "{place}");
    }
}

#[test]
fn what_decides_what_runs_is_refused_by_its_name_or_by_its_place() {
    for path in [
        "eng/emitter-package.json",
        "eng/emitter-package-lock.json",
        "ENG/Emitter-Package.JSON",
        "eng/swagger_to_sdk_config.json",
        "sdk/widget/azure-widget/tsp-location.yaml",
        "package.json",
        "sub/vitest.config.mts",
        "tests/conftest.py",
        "sub/x.pth",
        "src/App.csproj",
        ".cargo/config.toml",
        ".yarnrc.yml",
        "mise.toml",
        ".pre-commit-config.yaml",
        ".docker/config.json",
        ".roo/mcp.json",
        ".amazonq/mcp.json",
        ".junie/mcp/mcp.json",
        ".kiro/settings/mcp.json",
        ".github/copilot-instructions.md",
        ".GitHub/Workflows/x.yml",
        "AGENTS.md",
        "sub/Claude.md",
    ] {
        assert!(!permit(&[], path, Act::Change), "{path}");
    }
    for path in [
        "emitter-package.json.md",
        "my-package.json",
        "package.json5",
        "config.json",
        "workflows/x.yml",
        "docker/config.json",
        ".docker/Dockerfile",
        "src/main.ts",
        "client.tsp",
        "_patch.py",
        "config.toml",
        "conftest.pyi",
        "src/lib.rs",
        "tsconfig.json",
        "AGENTS.txt",
        ".editorconfig",
    ] {
        assert!(permit(&[], path, Act::Change), "{path}");
    }
}

#[test]
fn refusal_names_what_would_allow_the_place_and_nothing_more() {
    let told =
        |path: &str| Places::none().permit(Path::new(path), Act::Change, |_| false).unwrap_err().place.into_string();
    for (path, place) in [
        ("eng/emitter-package.json", "emitter-package.json"),
        ("a/.github/workflows/ci.yml", ".github/workflows"),
        ("a/App.csproj", "App.csproj"),
        ("a/A pp.csproj", "*.csproj"),
        (".git/hooks/x", ".git"),
    ] {
        assert_eq!(told(path), place);
        assert!(permit(&[place], path, Act::Change), "{path}");
    }
    for (place, path) in [("App.csproj", "Other.csproj"), (".github/workflows/ci.yml", ".github/workflows/other.yml")] {
        assert!(!permit(&[place], path, Act::Change), "{path}");
    }
}

#[test]
fn directory_that_leads_to_a_place_of_several_components_does_not_move() {
    for path in [".github", "a/.GITHUB", ".docker", "gradle"] {
        assert!(Places::permit_moving(Path::new(path)).is_err(), "{path}");
    }
    for path in ["a", "a/b", ".github/ISSUE_TEMPLATE", "docker"] {
        assert!(Places::permit_moving(Path::new(path)).is_ok(), "{path}");
    }
}

#[test]
fn every_place_can_be_allowed_by_the_words_of_the_list() {
    for place in SENSITIVE {
        assert!(Places::none().add(place), "{place}");
        assert!(!permit(&[], &place.replace('*', "x"), Act::Change), "{place}");
        assert!(permit(&[place], &place.replace('*', "x"), Act::Change), "{place}");
    }
}
