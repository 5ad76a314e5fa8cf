//! Sensitive places inside a granted directory: writing there makes other programs run something, or hands out a
//! secret, the next time a person or a build opens the project. Writes are refused unless the grant allows the place by
//! name.
//!
//! This is a policy inside what was granted and not what keeps a guest inside. It is judged by where the kernel says
//! an open handle lies, so a link or a handle that leads there is the same as the name.

use crate::names::{self, Found, Name, Rules, fits};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::sync::LazyLock;

/// The places, as directories or as files, at any depth, in any letter case. `*` stands for any run of characters.
///
/// Not among them, though they decide what is compiled or installed: sources, `requirements.txt`, `tsconfig.json` (it
/// names installed packages alone), `Dockerfile` (it runs in a container) and the contents of `eng/` beyond what names
/// emitters. `docs/contributing/security-contract.md` says so.
pub const SENSITIVE: &[&str] = &[
    // Version control: hooks and configuration run commands.
    ".git",
    ".gitmodules",
    ".gitconfig",
    ".hg",
    ".hgrc",
    ".svn",
    ".jj",
    ".husky",
    ".githooks",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "lefthook*.yml",
    "lefthook*.yaml",
    "lefthook*.toml",
    "lefthook*.json",
    ".lefthook*",
    ".lintstagedrc*",
    // Pipelines: run on other machines, with the secrets of the repository, when the change is pushed.
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    "azure-pipelines*.yml",
    ".circleci",
    ".buildkite",
    ".travis.yml",
    "Jenkinsfile",
    // Editors: tasks, settings and extensions run commands.
    ".vscode",
    "*.code-workspace",
    ".idea",
    ".vs",
    ".zed",
    ".fleet",
    ".devcontainer",
    ".devcontainer.json",
    ".theia",
    ".nvim.lua",
    ".nvimrc",
    ".exrc",
    ".vimrc",
    ".lvimrc",
    ".dir-locals.el",
    ".emacs",
    ".emacs.d",
    "*.sublime-project",
    // Agents: their instructions, their settings, and the servers they start.
    ".mcp",
    ".mcp.json",
    "mcp.json",
    "mcp.toml",
    "AGENTS.md",
    "AGENTS.override.md",
    "AGENT.md",
    ".agents",
    ".agent",
    ".aider*",
    ".aiassistant",
    ".amazonq",
    ".augment*",
    ".bailiwick",
    "bailiwick.toml",
    ".claude",
    ".claude.json",
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".cline*",
    ".codex",
    ".continue*",
    ".copilot",
    ".crush*",
    "crush.json",
    ".cursor",
    ".cursorrules",
    ".factory",
    ".gemini",
    "GEMINI.md",
    ".github/agents",
    ".github/chatmodes",
    ".github/copilot-instructions.md",
    ".github/hooks",
    ".github/instructions",
    ".github/prompts",
    ".github/skills",
    ".goose*",
    ".junie",
    ".kilocode*",
    ".kiro",
    ".openhands",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".qodo",
    ".qwen",
    "QWEN.md",
    ".roo",
    ".roomodes",
    ".roorules*",
    ".rules",
    ".tabnine",
    ".trae",
    ".warp",
    "WARP.md",
    ".windsurf*",
    // Shells, and the tools that change a directory's environment.
    ".envrc",
    ".direnvrc",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".xinitrc",
    ".xprofile",
    "config.fish",
    "*profile.ps1",
    "mise*.toml",
    ".mise*.toml",
    ".mise",
    ".rtx.toml",
    ".tool-versions",
    "devbox.json",
    "flake.nix",
    "shell.nix",
    "default.nix",
    // Credentials, their helpers, and where packages are fetched from.
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker/config.json",
    ".dockercfg",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    "pip.conf",
    "pip.ini",
    "uv.toml",
    ".yarn",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.*",
    ".pnpmfile.*",
    "pnpmfile.js",
    "pnpm-workspace.yaml",
    "bunfig.toml",
    ".cargo",
    "NuGet.config",
    // What regenerates an SDK: which emitter is installed and run, and on what.
    "emitter-package*.json",
    "swagger_to_sdk_config*.json",
    "tsp-location.yaml",
    "tspconfig.yaml",
    // JavaScript and TypeScript.
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "rush.json",
    "nx.json",
    "turbo.json",
    "deno.json",
    "deno.jsonc",
    "*.config.js",
    "*.config.cjs",
    "*.config.mjs",
    "*.config.ts",
    "*.config.cts",
    "*.config.mts",
    ".babelrc*",
    ".eslintrc*",
    ".mocharc*",
    ".prettierrc*",
    ".stylelintrc*",
    ".commitlintrc*",
    "gulpfile*",
    "Gruntfile*",
    // Python.
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "pytest.ini",
    "conftest.py",
    "hatch_build.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    // Java.
    "pom.xml",
    ".mvn",
    "mvnw",
    "mvnw.cmd",
    "build.gradle*",
    "settings.gradle*",
    "init.gradle*",
    "gradle.properties",
    "gradle/wrapper",
    "gradlew",
    "gradlew.bat",
    "build.xml",
    // .NET.
    "*.csproj",
    "*.fsproj",
    "*.vbproj",
    "*.proj",
    "*.props",
    "*.targets",
    "Directory.Build.rsp",
    "global.json",
    "dotnet-tools.json",
    // Go and Rust.
    "go.mod",
    "go.work",
    "build.rs",
    "Cargo.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    // Everything else that builds.
    "Makefile",
    "GNUmakefile",
    "*.mk",
    "CMakeLists.txt",
    "CMakePresets.json",
    "*.cmake",
    "meson.build",
    "SConstruct",
    "justfile",
    ".justfile",
    "Taskfile*.yml",
    "Taskfile*.yaml",
    "Rakefile",
    "Gemfile",
    "*.gemspec",
    "composer.json",
    "WORKSPACE",
    "WORKSPACE.bazel",
    "MODULE.bazel",
    "BUILD.bazel",
    ".bazelrc",
    "Vagrantfile",
    "docker-compose*",
    "compose.yml",
    "compose.yaml",
];

/// What is about to be done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Making a directory, which an allowed file may need above it, or removing one, which has to be empty.
    MakeDirectory,
    /// Anything else that changes.
    Change,
}

/// Sensitive places that a grant allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places(Vec<Vec<Box<[u8]>>>);

/// The place that a change was refused at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// What `--allow-sensitive` takes to allow it.
    pub(crate) place: Box<str>,
}

impl Places {
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a place. Returns whether it is one.
    pub(crate) fn add(&mut self, place: &str) -> bool {
        if !Path::new(place).components().all(|component| matches!(component, Component::Normal(_))) {
            return false;
        }
        let names: Vec<Name<'_>> = names::of(Path::new(place)).collect();
        let sensitive = rule(&names).is_some();
        if sensitive {
            self.0.push(names.into_iter().map(|name| name.into_owned().into()).collect());
        }
        sensitive
    }

    /// Refuses `act` at `path`, relative to the root of the grant and free of links, unless it is allowed. `temporary`
    /// tells which last names stand for a replacement of the file beside them.
    pub(crate) fn permit(&self, path: &Path, act: Act, temporary: impl Fn(&OsStr) -> bool) -> Result<(), Refused> {
        let names: Vec<Name<'_>> = names::of(path).collect();
        for start in 0..names.len() {
            let rest = &names[start..];
            let Some(rule) = rule(rest) else { continue };
            match self.0.iter().map(|place| covers(place, rest, act, &temporary)).max() {
                Some(Cover::Below) => return Ok(()),
                Some(Cover::This) => {}
                Some(Cover::Nothing) | None => return Err(refused(rule, rest)),
            }
        }
        Ok(())
    }

    /// Refuses to move a directory from or to `path`: a place of several components, such as `.github/workflows`, would
    /// come to lie there, or lie there no more, without a change at the place itself.
    pub(crate) fn permit_moving(path: &Path) -> Result<(), Refused> {
        let names: Vec<Name<'_>> = names::of(path).collect();
        match SENSITIVE.iter().find(|rule| names::lead_to(&names, rule)) {
            Some(rule) => Err(Refused { place: (*rule).into() }),
            None => Ok(()),
        }
    }

    /// Whether `names` from `first` on, or from before it, are an allowed place, lie in one, or lead to one. What may be
    /// written may be read.
    pub(crate) fn lead_through(&self, names: &[Name<'_>], first: usize, temporary: impl Fn(&OsStr) -> bool) -> bool {
        let leads = |rest: &[Name<'_>]| {
            self.0.iter().any(|place| covers(place, rest, Act::MakeDirectory, &temporary) != Cover::Nothing)
        };
        (0..=first).any(|start| leads(&names[start..]))
    }

    /// Whether `names` are an allowed place or lie in one: nothing is hidden there by default.
    pub(crate) fn hold(&self, names: &[Name<'_>]) -> bool {
        let below = |rest: &[Name<'_>]| {
            self.0.iter().any(|place| covers(place, rest, Act::Change, |_: &OsStr| false) == Cover::Below)
        };
        (0..names.len()).any(|start| below(&names[start..]))
    }
}

/// The rule that `names` begin with.
fn rule(names: &[Name<'_>]) -> Option<&'static str> {
    static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::new(SENSITIVE, Found::ByFirst));
    RULES.about(names)
}

fn refused(rule: &str, names: &[Name<'_>]) -> Refused {
    // The name itself where a person can type it as it stands, else the rule, which every such place has in common.
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let met = &names[..rule.split('/').count()];
    let place = if met.iter().all(|name| name.len() <= 64 && name.iter().all(plain)) {
        met.iter().map(|name| String::from_utf8_lossy(name)).collect::<Vec<_>>().join("/")
    } else {
        rule.to_owned()
    };
    Refused { place: place.into() }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cover {
    Nothing,
    /// What leads to the place, and no more.
    This,
    /// The place and everything in it.
    Below,
}

fn covers(place: &[Box<[u8]>], rest: &[Name<'_>], act: Act, temporary: impl Fn(&OsStr) -> bool) -> Cover {
    let same = |count: usize| place.iter().zip(rest).take(count).all(|(one, other)| fits(one, other));
    if rest.len() >= place.len() {
        if same(place.len()) {
            return Cover::Below;
        }
        let beside = rest.len() == place.len() && rest.last().is_some_and(|name| temporary(OsStr::from_bytes(name)));
        return if beside && same(place.len() - 1) { Cover::This } else { Cover::Nothing };
    }
    if act == Act::MakeDirectory && same(rest.len()) { Cover::This } else { Cover::Nothing }
}

#[cfg(test)]
mod tests;
