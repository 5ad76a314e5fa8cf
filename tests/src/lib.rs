//! Lays out the fixture repositories and drives the real binary over the real toolchains.
//!
//! The fixture holds only what people write. Its generated code is made once by the real emitter, through
//! `bailiwick package generate`, and kept in the cache directory under the hash of everything it came from.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "support code of tests stops at the first surprise")]

mod baseline;
mod client_answers;
mod client_model;
mod clients;
mod command;
mod conformance;
mod dotnet;
pub mod examples;
mod http;
mod issuer;
mod judged;
mod mcp;
mod packages;
pub mod played;
mod processes;
pub mod sizes;
mod snapshot;
mod stand_in;
mod stand_in_toolchain;
mod users;

pub use client_answers::answers_of_a_client_model;
pub use client_model::{
    ClientModels, Compiled, LANGUAGES, Variant, client_generator_core, client_model, compile, libraries, node,
};
pub use clients::{
    inspector, older_compiler, python_client, reference_file_server, stand_in_issuer, typescript_client,
};
pub use command::{Answer, binary, cache, cache_of};
pub use conformance::{Check, Conformance, conformance_project};
pub use dotnet::has_dotnet;
pub use http::{HttpServer, Reply, exchange, hello, reply, request};
pub use issuer::Issuer;
pub use judged::{assert_success, attempts};
pub use mcp::{Mcp, server, text};
pub use packages::{mcpb, nats_server, python_tools, sbom_validator};
pub use snapshot::{Difference, Snapshot};
pub use users::{java_user, python_user};

use std::path::{Path, PathBuf};

/// The SDK repository whose package is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sdk {
    /// `azure-sdk-for-python`.
    Python,
    /// `azure-sdk-for-java`.
    Java,
    /// `azure-sdk-for-net`.
    Dotnet,
    /// `azure-sdk-for-js`, whose emitter is a stand-in.
    Javascript,
    /// `azure-sdk-for-go`, whose emitter is a stand-in.
    Go,
}

impl Sdk {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Python, Self::Java, Self::Dotnet, Self::Javascript, Self::Go];

    /// The repository's directory.
    #[must_use]
    pub fn repository(self) -> &'static str {
        match self {
            Self::Python => "azure-sdk-for-python",
            Self::Java => "azure-sdk-for-java",
            Self::Dotnet => "azure-sdk-for-net",
            Self::Javascript => "azure-sdk-for-js",
            Self::Go => "azure-sdk-for-go",
        }
    }

    /// The package's directory in it.
    #[must_use]
    pub fn package(self) -> &'static str {
        match self {
            Self::Python | Self::Java => "sdk/widget/azure-widget",
            Self::Dotnet => "sdk/widget/Azure.Widget",
            Self::Javascript => "sdk/widget/widget",
            Self::Go => "sdk/widget/azwidget",
        }
    }
}

/// Both repositories of the widget fixture, each a git repository, with generated code in place.
pub struct World {
    base: tempfile::TempDir,
    sdk: Sdk,
}

/// The package inside the Python SDK repository.
pub const PACKAGE: &str = "azure-sdk-for-python/sdk/widget/azure-widget";
/// The specification repository.
const SPECIFICATION: &str = "azure-rest-api-specs";
/// The TypeSpec project inside the specification repository.
pub const PROJECT: &str = "azure-rest-api-specs/specification/widget/WidgetManager";

impl World {
    /// A fresh copy of the fixture with its generated Python baseline, committed.
    #[must_use]
    pub fn new() -> Self {
        Self::of(Sdk::Python)
    }

    /// A fresh copy of the fixture with the generated baseline of this SDK repository, committed.
    #[must_use]
    pub fn of(sdk: Sdk) -> Self {
        let world = Self::hand_written(sdk);
        let generated = baseline::directory(sdk);
        std::fs::remove_dir_all(world.package()).unwrap();
        baseline::copy(&generated, &world.package());
        world.commit();
        world
    }

    /// The same as [`Self::new`] over the stand-in toolchain of `tests/stand-in-toolchain`: for tests of what lies around
    /// the compiler, the emitter and the type checker.
    #[must_use]
    pub fn standing_in() -> Self {
        let world = Self::new();
        std::os::unix::fs::symlink(stand_in_toolchain::directory(), world.base.path().join(command::OWN_CACHE))
            .unwrap();
        world
    }

    /// Has the stand-in toolchain fail as its README says.
    pub fn stand_in_fails(&self, script: &serde_json::Value) {
        std::fs::write(self.package().join("stand-in.json"), script.to_string()).unwrap();
        self.commit();
    }

    /// Only what people wrote, with the Python SDK repository.
    #[must_use]
    pub fn without_generated_code() -> Self {
        Self::hand_written(Sdk::Python)
    }

    /// Only what people wrote.
    #[must_use]
    pub fn hand_written(sdk: Sdk) -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-e2e-").tempdir().unwrap();
        baseline::copy(&baseline::fixture(), base.path());
        let _ = std::fs::remove_file(base.path().join("README.md"));
        for other in Sdk::ALL.into_iter().filter(|other| *other != sdk) {
            std::fs::remove_dir_all(base.path().join(other.repository())).unwrap();
        }
        stand_in::complete(&base.path().join(sdk.repository()));
        let world = Self { base, sdk };
        for repository in [SPECIFICATION, sdk.repository()] {
            world.git(repository, &["init", "-q", "-b", "main"]);
        }
        world.commit();
        world
    }

    /// Adds the repositories of the other languages, with what people wrote in them. What is said of both repositories
    /// holds for them, too.
    pub fn add_other_sdks(&self) {
        for other in Sdk::ALL.into_iter().filter(|other| *other != self.sdk) {
            let repository = self.base.path().join(other.repository());
            baseline::copy(&baseline::fixture().join(other.repository()), &repository);
            stand_in::complete(&repository);
            self.git(other.repository(), &["init", "-q", "-b", "main"]);
        }
        self.commit();
    }

    /// The directories of all repositories, that of the specification first.
    #[must_use]
    pub fn repositories(&self) -> Vec<&'static str> {
        let there = Sdk::ALL.into_iter().map(Sdk::repository).filter(|name| self.base.path().join(name).is_dir());
        std::iter::once(SPECIFICATION).chain(there).collect()
    }

    /// Commits whatever stands in both repositories.
    pub fn commit(&self) {
        for repository in self.repositories() {
            self.git(repository, &["add", "-A"]);
            let person = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
            self.git(repository, &[&person[..], &["commit", "-q", "--allow-empty", "-m", "state"]].concat());
        }
    }

    /// Runs git in one of the repositories and returns what it printed.
    pub fn git(&self, repository: &str, arguments: &[&str]) -> String {
        let output = std::process::Command::new("git")
            .args(arguments)
            .current_dir(self.base.path().join(repository))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The directory that holds both repositories and the state.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.base.path()
    }

    /// The SDK repository.
    #[must_use]
    pub fn sdk(&self) -> Sdk {
        self.sdk
    }

    /// The package directory.
    #[must_use]
    pub fn package(&self) -> PathBuf {
        self.base.path().join(self.sdk.repository()).join(self.sdk.package())
    }

    /// The TypeSpec project directory.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.base.path().join(PROJECT)
    }

    /// These arguments of a server, with both repositories named for package tools. It is started in [`Self::base`].
    #[must_use]
    pub fn serving<'a>(&self, arguments: &[&'a str]) -> Vec<&'a str> {
        [arguments, &["--packages", self.sdk.repository(), "--packages", SPECIFICATION]].concat()
    }

    /// Where runs are kept.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.base.path().join("state")
    }

    /// A file of the package.
    #[must_use]
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.package().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// `client.tsp` as it stands.
    #[must_use]
    pub fn client(&self) -> String {
        std::fs::read_to_string(self.project().join("client.tsp")).unwrap()
    }

    /// Everything in both repositories but `.git`.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.base.path(), &self.repositories())
    }

    /// Runs the binary with these arguments and reads the JSON it prints.
    #[must_use]
    pub fn bailiwick(&self, arguments: &[&str]) -> Answer {
        command::run(self, arguments, &[])
    }

    /// The binary with these arguments, for a test that starts it in a way of its own.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        command::prepared(self, arguments)
    }

    /// The same with further environment variables.
    #[must_use]
    pub fn bailiwick_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Answer {
        command::run(self, arguments, environment)
    }

    /// The same at a terminal, at which a person types this; what it shows, both streams in one, and whether it succeeded.
    #[must_use]
    pub fn at_terminal(&self, arguments: &[&str], typed: &str) -> (String, bool) {
        command::at_terminal(self, arguments, typed)
    }

    /// The same, where `meanwhile` happens after `question` was shown and before the person types.
    #[must_use]
    pub fn asked_at_terminal(
        &self,
        arguments: &[&str],
        question: &str,
        meanwhile: impl FnOnce(),
        typed: &str,
    ) -> (String, bool) {
        command::asked_at_terminal(self, arguments, question, meanwhile, typed)
    }

    /// Every process that works in or was started for these repositories, sorted by number.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        processes::beneath(self.base())
    }

    /// `package customize` with this request.
    #[must_use]
    pub fn customize(&self, request: &str) -> Answer {
        self.customize_with(request, &[])
    }

    /// The same with further arguments.
    #[must_use]
    pub fn customize_with(&self, request: &str, further: &[&str]) -> Answer {
        self.package_command("customize", &[&["--customization-request", request], further].concat())
    }

    /// This command of `bailiwick package` for the package, with further arguments. It prints JSON.
    #[must_use]
    pub fn package_command(&self, command: &str, further: &[&str]) -> Answer {
        let package = self.package();
        let arguments = ["--json", "package", command, "--package-path", package.to_str().unwrap()];
        self.bailiwick(&[&arguments, further].concat())
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}
