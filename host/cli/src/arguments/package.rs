//! The `package` commands that do one thing alone.

use super::Target;
use crate::configuration::amount;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const FIX_EXAMPLES: &str = "Examples:
  bailiwick package fix --package-path sdk/widget/azure-widget
  bailiwick package fix --package-path sdk/widget/azure-widget --errors @build.log --json";

/// The same package and builds as for `package customize`; the specification is never edited.
#[derive(Debug, Args)]
#[command(after_help = FIX_EXAMPLES)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) target: Target,
    /// What you saw, for the record: text, @FILE, or - for stdin. What is repaired is what the build says now.
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    pub(crate) errors: Option<String>,
    /// The model that repairs, as for `package customize`.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The most that one agent may cost, such as `2.50`, at the prices of `bailiwick.toml`.
    #[arg(long, value_name = "AMOUNT", value_parser = amount, conflicts_with = "replay")]
    pub(crate) max_cost: Option<u64>,
    /// Keep the conversation with the model in a new file, which only you can read.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded conversation instead of a model, without a network, and fail if anything else is sent.
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    pub(crate) replay: Option<PathBuf>,
    /// Keep what was changed when the repair fails, instead of reverting it.
    #[arg(long)]
    pub(crate) keep_on_failure: bool,
    /// Let a model other than `mechanic` work although `CI` is set. A person should look at what it changes.
    #[arg(long)]
    pub(crate) allow_model_in_ci: bool,
}

const UPDATE_EXAMPLES: &str = "Examples:
  bailiwick package update changelog --package-path sdk/widget/azure-widget
  bailiwick package update version --package-path sdk/widget/azure-widget --version 1.2.0 --release-type stable
  bailiwick package update metadata --package-path sdk/widget/azure-widget --json";

#[derive(Debug, Subcommand)]
#[command(after_help = UPDATE_EXAMPLES, disable_version_flag = true)]
pub(crate) enum Update {
    /// Write the entries of the change log (`updateChangelogContentScript`).
    Changelog(Target),
    /// Set the version and the release date (`updateVersionScript`).
    #[command(disable_version_flag = true)]
    Version(VersionUpdate),
    /// Bring what else describes the package up to date (`updateMetadataScript`).
    Metadata(Target),
}

#[derive(Debug, Args)]
pub(crate) struct VersionUpdate {
    #[command(flatten)]
    pub(crate) target: Target,
    /// The new version; the script decides if it is left out.
    #[arg(long = "version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// What kind of release it is.
    #[arg(long, value_name = "beta|stable", value_parser = ["beta", "stable"])]
    pub(crate) release_type: Option<String>,
    /// The day of the release, such as `2026-11-30`.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) release_date: Option<String>,
}

const SHOW_EXAMPLES: &str = "Example:
  bailiwick package show --package-path sdk/widget/azure-widget";

#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct Show {
    /// The package directory, which holds `tsp-location.yaml`.
    #[arg(long, value_name = "DIR")]
    pub(crate) package_path: PathBuf,
    /// The TypeSpec project; found through `tsp-location.yaml` and a local clone of the specifications if left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: Option<PathBuf>,
}

const INIT_EXAMPLES: &str = "Example:
  bailiwick package init --sdk-repo-path azure-sdk-for-python \\
    --typespec-project-path azure-rest-api-specs/specification/widget/WidgetManager";

#[derive(Debug, Args)]
#[command(after_help = INIT_EXAMPLES)]
pub(crate) struct Init {
    /// The SDK repository, whose `eng/emitter-package.json` names the emitter.
    #[arg(long, value_name = "DIR")]
    pub(crate) sdk_repo_path: PathBuf,
    /// The TypeSpec project in a local clone of the specifications. Its `tspconfig.yaml` says where the package goes.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: PathBuf,
    /// The commit to write into `tsp-location.yaml`; the clone's own if left out.
    #[arg(long, value_name = "SHA")]
    pub(crate) commit: Option<String>,
    /// The repository to write into `tsp-location.yaml`; the clone's remote if left out.
    #[arg(long, value_name = "OWNER/NAME")]
    pub(crate) repo: Option<String>,
    /// Run emitters without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

const CONVERT_EXAMPLES: &str = "Example:
  bailiwick package convert --swagger-readme specification/widget/data-plane/readme.md \\
    --output-dir specification/widget/Widget";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The AutoRest configuration of the OpenAPI description, a file of a local clone.
    #[arg(long, value_name = "FILE")]
    pub(crate) swagger_readme: PathBuf,
    /// Where the TypeSpec project goes; made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: PathBuf,
    /// It is a management-plane service.
    #[arg(long)]
    pub(crate) arm: bool,
    /// Keep the OpenAPI that is generated of it the same, rather than write TypeSpec as people would.
    #[arg(long)]
    pub(crate) fully_compatible: bool,
    /// Run the converter without confinement where this platform cannot confine it.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}
