//! What a contributor runs: `cargo xtask <task>`. Each task does its own set-up, says what it is doing on stderr, and
//! is quick when there is nothing to do.
//!
//! - [`guests`]: the wasm toolchain, and the tools that run in the sandbox.
//! - [`host`]: the binary and the toolchains it installs for itself.
//! - [`tests`], [`mod@fuzz`], [`lint`], [`mod@bench`], [`llama`]: what shows that all of it is right, tidy and fast.
//! - [`services`]: what happens on real services and their published packages.
//! - [`mod@weights`]: what the reader of requests learned from requests.
//! - [`book`], [`picture`]: the pages of `docs/`, and the picture in the README.
//! - [`mod@dotnet`], [`stand_in`]: what stands in tests for what no registry has.
//! - [`python`], [`peers`]: environments of tests that hold this against programs in Python, and programs of Debian's.
//! - [`mod@dist`], [`remap`]: packages, bill of materials, the licences of dependencies, and a binary that is the same wherever it is built.
//! - [`packages`], [`mod@semver`]: the crates as packages of the Rust registry, and what changed for those who use them.
//! - [`process`], [`repository`], [`prerequisites`], [`room`]: running programs, finding things, what has to be there before.

#[cfg(test)]
mod arrows;
mod bench;
mod book;
mod browser;
mod debian;
mod dist;
mod dotnet;
mod fuzz;
#[cfg(test)]
mod glossary;
mod guests;
mod host;
mod lint;
mod llama;
mod nats;
#[cfg(test)]
mod one_build;
mod packages;
mod peers;
mod picture;
mod prerequisites;
mod process;
mod python;
mod remap;
mod repository;
mod room;
mod semver;
mod services;
mod stand_in;
mod tests;
mod weights;

use anyhow::Result;
use clap::{Parser, Subcommand};
use guests::Rebuild;
use process::say;
use std::process::ExitCode;
use tests::Extent;

/// Sets up, builds, demonstrates, tests and measures bailiwick.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the tools that run in the sandbox, with a wasm toolchain that is looked for and got if need be.
    Guests {
        /// Build them even when nothing has changed.
        #[arg(long)]
        force: bool,
    },
    /// Build the binary and install the locked toolchains of Python packages into the cache.
    Setup {
        /// Also install what the tests need: Java's toolchain, builders of tools, a `dotnet`, stand-ins.
        #[arg(long)]
        tests: bool,
    },
    /// Set up, then show the main job on a real TypeSpec project.
    Demo {
        /// Passed on to `bailiwick demo`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Set up, then run every test.
    Test {
        /// Leave out the tests that run the real toolchains, and installing those.
        #[arg(long)]
        quick: bool,
        /// Instead of the tests what takes hours: each fuzz target for a minute, a kill before every system call, and the
        /// races three times.
        #[arg(long, conflicts_with = "quick")]
        slow: bool,
    },
    /// Build for release and print what things cost.
    Bench {
        /// Passed on to the benchmarks, which take a part of a row's name.
        #[arg(trailing_var_arg = true)]
        arguments: Vec<String>,
    },
    /// Build llama-server, which takes some minutes the first time, and run whole agents against it.
    Llama,
    /// Give hostile text to the readers of foreign text, as many targets at once as there are processors.
    Fuzz {
        /// How long each target is fuzzed.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// The first part of the names of targets that are meant, such as `typespec`. All of them without it.
        target: Option<String>,
    },
    /// Build, regenerate and customize published packages of real services, and print what came of it.
    Services(services::Services),
    /// Wrap the binary, built for release or given, as everything that people install it from.
    Dist(dist::Dist),
    /// Compare the public interfaces of the crates that others use with those of a git revision.
    Semver(semver::Semver),
    /// Learn from labelled requests what the reader weighs renames with.
    Weights(weights::Weights),
    /// Check the formatting and the links of the pages, and run clippy, where a warning is an error; check the licences of dependencies.
    Lint,
    /// Check the links of the pages and build the book of `docs/` into `target/book`.
    Book,
    /// Draw the picture of the README from what a customization printed (`host/xtask/src/picture.txt`).
    Picture,
    /// What continuous integration runs: lint, then test.
    Ci,
}

fn main() -> ExitCode {
    match perform(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> Result<()> {
    match task {
        Task::Guests { force: false } => guests::build(Rebuild::WhenChanged),
        Task::Guests { force: true } => guests::build(Rebuild::Always),
        Task::Setup { tests } => {
            let binary = if tests { tests::set_up_toolchains() } else { host::set_up(host::Profile::Dev) }?;
            host::say_how_to_use(&binary);
            Ok(())
        }
        Task::Demo { arguments } => host::demo(&arguments),
        Task::Test { slow: true, .. } => tests::run(Extent::Slow),
        Task::Test { quick: false, .. } => tests::run(Extent::All),
        Task::Test { quick: true, .. } => tests::run(Extent::Quick),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Fuzz { seconds, target } => fuzz::run(seconds, target.as_deref()),
        Task::Llama => llama::run_tests(),
        Task::Services(arguments) => services::run(&arguments),
        Task::Weights(arguments) => weights::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Semver(arguments) => semver::run(&arguments),
        Task::Lint => lint::run(),
        Task::Book => book::build(),
        Task::Picture => picture::write(),
        Task::Ci => lint::run().and_then(|()| tests::run(Extent::All)),
    }
}
