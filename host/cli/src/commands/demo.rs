//! `bailiwick demo`: the main job on a real TypeSpec project, in a temporary directory.

use super::package;
use super::package::Target;
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime};
use bailiwick_base::programs;
use bailiwick_customize::driver::{Customizer, Request, Single};
use bailiwick_customize::machine::{EditScope, Keep, Outcome};
use bailiwick_customize::response::Response;
use bailiwick_customize::typespec::{Residents, Stay};
use bailiwick_mechanic::Mechanic;
use bailiwick_process::scrubbed_environment;
use bailiwick_runs::Store;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the two repositories and print where they are.
    #[arg(long)]
    pub(crate) keep: bool,
}

// The fixture of the end-to-end tests: what people write in both repositories, and nothing generated.
include!(concat!(env!("OUT_DIR"), "/fixture.rs"));

const PACKAGE: &str = "azure-sdk-for-python/sdk/widget/azure-widget";
const REQUESTS: [&str; 2] = [
    "hide operation deleteWidget from the Python SDK",
    "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK",
];

pub(crate) fn execute(demo: &Demo, as_json: bool) -> Result<Code> {
    let base = std::env::temp_dir().join(format!("bailiwick-demo-{}", std::process::id()));
    lay_out(&base)?;
    let outcome = runtime::block_on(async {
        tokio::select! {
            shown = show(&base, as_json) => shown,
            () = runtime::interrupted() => Err(Error::interrupted("interrupted; what was installed stays installed")),
        }
    })
    .flatten();
    if demo.keep {
        output::progress(&format!("\nthe two repositories stay in {}", base.display()));
    } else {
        // The demo leaves nothing behind.
        let _ = std::fs::remove_dir_all(&base);
    }
    outcome
}

/// What is installed before the demo can begin, as the cache names it, and about how many megabytes that is in all.
const NEEDED: [&str; 4] = ["emitter", "node22", "python", "tsp-client"];
const MEGABYTES: u32 = 480;

/// Says what the first run installs. The steps themselves name each part.
fn announce() -> Result<()> {
    let cache = places::cache()?;
    let installed = bailiwick_toolchains::installed(&cache);
    let missing = NEEDED.iter().filter(|needed| !installed.contains_key(**needed)).count();
    if missing > 0 {
        output::progress(&format!(
            "{missing} of {} toolchains are not installed yet; all together have about {MEGABYTES} MB.\n\
             They are downloaded once, into `{}`. If that is interrupted, the next start goes on with what is there.",
            NEEDED.len(),
            cache.display()
        ));
    }
    Ok(())
}

async fn show(base: &Path, as_json: bool) -> Result<Code> {
    announce()?;
    let target = Target { package_path: base.join(PACKAGE), typespec_project_path: None, unconfined_builds: false };
    let mut customizer = package::customizer(target.unconfined_builds, Arc::new(Mechanic), None).await?;
    customizer.residents = Residents::new(Stay::UntilEnded);
    customizer.store = Store::open(&base.join("state")).map_err(|error| package::store_failure(&error))?;
    heading("generating the library from TypeSpec");
    let generated = customizer
        .single(Single::Generate, &target.package_path, None)
        .await
        .map_err(|error| package::failure(&error))?;
    if !generated.succeeded {
        return Err(Error::failed(format!("the library could not be generated\n{}", generated.format())));
    }
    commit(base)?;
    let mut responses = Vec::new();
    for request in REQUESTS {
        heading(&format!("request: {request}"));
        let response = customize(&customizer, &target.package_path, request).await?;
        if !as_json {
            // There is no next step: the demo reverts the run itself and forgets it.
            output::line(&Response { next_steps: Vec::new(), ..response.clone() }.format());
        }
        responses.push(response);
    }
    heading("reverting both, last first");
    for response in responses.iter().rev() {
        let id = response.run_id.parse().map_err(|error| Error::failed(format!("{error}")))?;
        let reverted = customizer.store.revert(&id).map_err(|error| package::store_failure(&error))?;
        output::progress(&format!("{id}: {} restored, {} removed", reverted.restored.len(), reverted.removed.len()));
    }
    customizer.residents.end().await;
    let clean = unchanged(base)?;
    output::progress(if clean { "git finds no difference in either repository" } else { "git finds a difference" });
    if as_json {
        output::json(&json!({ "responses": responses, "reverted": clean }));
    }
    let good = clean && responses.iter().all(|response| response.outcome == Outcome::Success);
    Ok(if good { Code::Done } else { Code::NoSuccess })
}

async fn customize(customizer: &Customizer, package: &Path, request: &str) -> Result<Response> {
    let request = Request {
        package: package.to_owned(),
        text: request.to_owned(),
        project: None,
        scope: EditScope::All,
        directives: Vec::new(),
        classified: None,
        languages: Vec::new(),
        keep: Keep::WhatBuilds,
    };
    customizer.customize(&request).await.map_err(|error| package::failure(&error))
}

fn heading(text: &str) {
    output::progress(&format!("\n== {text}"));
}

fn lay_out(base: &Path) -> Result<()> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Error::failed(format!("cannot write `{path}`: {error}"))
    };
    for (path, content) in FIXTURE {
        let path = base.join(path);
        let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        std::fs::create_dir_all(&directory).map_err(failed(&directory))?;
        std::fs::write(&path, content).map_err(failed(&path))?;
    }
    for repository in REPOSITORIES {
        git(&base.join(repository), &["init", "--quiet"])?;
    }
    commit(base)
}

const REPOSITORIES: [&str; 2] = ["azure-rest-api-specs", "azure-sdk-for-python"];

fn commit(base: &Path) -> Result<()> {
    for repository in REPOSITORIES {
        let directory = base.join(repository);
        git(&directory, &["add", "--all"])?;
        let person = ["-c", "user.name=demo", "-c", "user.email=demo@example.com", "-c", "commit.gpgsign=false"];
        let message = ["commit", "--quiet", "--allow-empty", "--message", "as the demo made it"];
        git(&directory, &[&person[..], &message[..]].concat())?;
    }
    Ok(())
}

fn unchanged(base: &Path) -> Result<bool> {
    let mut clean = true;
    for repository in REPOSITORIES {
        clean &= git(&base.join(repository), &["status", "--porcelain"])?.is_empty();
    }
    Ok(clean)
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let not_started = |error: std::io::Error| Error::usage(format!("cannot start `git`: {error}")).hint("install git");
    let output = programs::command("git")
        .map_err(not_started)?
        .args(arguments)
        .current_dir(directory)
        // Hooks of a person's own would run with it, and no child gets keys.
        .env_clear()
        .envs(scrubbed_environment().0)
        .output()
        .map_err(not_started)?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::failed(format!("`git {}` failed: {words}", arguments.join(" "))));
    }
    Ok(output.stdout)
}
