//! Writing tools: `tool new`, `tool build`, `tool test`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct NewTool {
    /// What it is called: small letters, digits and `-`.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What it is written in.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) lang: ToolLanguage,
    /// The directory of the project; one called NAME, here, if this is left out. It must not hold anything.
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
}

/// What a tool can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolLanguage {
    /// Rust, on the SDK that the built-in tools stand on.
    Rust,
    /// Python, with componentize-py.
    Python,
    /// JavaScript, with ComponentizeJS.
    Js,
}

#[derive(Debug, Args)]
pub(crate) struct BuildTool {
    /// The project, which has `tool.toml`; the working directory if this is left out.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// Where cargo puts what it compiles, in place of `target` in the project. For tools in Rust.
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// Run builds without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TestTool {
    #[command(flatten)]
    pub(crate) build: BuildTool,
    /// Test the component that is there, and build none.
    #[arg(long, conflicts_with_all = ["target_dir", "unconfined_builds"])]
    pub(crate) no_build: bool,
}
