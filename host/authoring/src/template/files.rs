//! The files of the templates, as they lie in `templates`, `tool-sdk` and `wit` of this crate; the last two are links.

use bailiwick_tools::manifest::Language;

/// Where a file lies in the project, and its text.
pub(super) type File = (&'static str, &'static str);

macro_rules! template {
    ($($place:literal <- $path:literal),* $(,)?) => { &[$(($place, include_str!(concat!("../../templates/", $path)))),*] };
}

macro_rules! sdk {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("sdk/src/", $name), include_str!(concat!("../../tool-sdk/", $name)))),*]
    };
}

const COMMON: &[File] = template![
    "README.md" <- "common/README.md",
    "tool.toml" <- "common/tool.toml",
    "tests/outline.toml" <- "common/tests/outline.toml",
];

const RUST: &[File] = template![
    ".gitignore" <- "rust/gitignore",
    "Cargo.lock" <- "rust/lock.toml",
    "Cargo.toml" <- "rust/manifest.toml",
    "sdk/Cargo.toml" <- "rust/sdk.toml",
    "src/lib.rs" <- "rust/src/lib.rs",
];

pub(super) const SDK: &[File] = sdk![
    "bindings.rs",
    "choice.rs",
    "diff.rs",
    "directory.rs",
    "error.rs",
    "escape.rs",
    "file.rs",
    "grants.rs",
    "heap.rs",
    "info.rs",
    "json.rs",
    "json_text.rs",
    "lanes.rs",
    "lib.rs",
    "lines.rs",
    "make.rs",
    "offer_bindings.rs",
    "offers.rs",
    "relocate.rs",
    "replace.rs",
    "rich.rs",
    "rich_bindings.rs",
    "schema.rs",
    "text.rs",
    "tool.rs",
];

/// What the SDK's bindings are generated from.
const SDK_CONTRACT: &[File] = &[
    ("sdk/wit/content.wit", include_str!("../../wit/content.wit")),
    ("sdk/wit/offers.wit", include_str!("../../wit/offers.wit")),
    ("sdk/wit/rich-tools.wit", include_str!("../../wit/rich-tools.wit")),
    ("sdk/wit/tool.wit", CONTRACT),
];

const PYTHON: &[File] = template![
    ".gitignore" <- "python/gitignore",
    "app.py" <- "python/app.py",
    "bailiwick_tool.py" <- "python/bailiwick_tool.py",
];

const JS: &[File] = template![
    ".gitignore" <- "js/gitignore",
    "app.js" <- "js/app.js",
    "bailiwick-tool.d.ts" <- "js/bailiwick-tool.d.ts",
    "bailiwick-tool.js" <- "js/bailiwick-tool.js",
    "package.json" <- "js/package.json",
    "wit/deps/filesystem.wit" <- "js/wit/deps/filesystem.wit",
    "wit/world.wit" <- "js/wit/world.wit",
];

const CONTRACT: &str = include_str!("../../wit/tool.wit");

/// All files of a project in this language.
pub(super) fn of(language: Language) -> Vec<File> {
    let own: Vec<File> = match language {
        Language::Rust => [RUST, SDK, SDK_CONTRACT].concat(),
        Language::Python => [PYTHON, &[("wit/tool.wit", CONTRACT)]].concat(),
        Language::Js => [JS, &[("wit/deps/tool.wit", CONTRACT)]].concat(),
    };
    [COMMON, &own].concat()
}
