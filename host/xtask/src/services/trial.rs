//! One package: every step alone, then every request, each from the package as it was published.

use super::lay_out::{Layout, git};
use super::manifest::{Expect, Request, Service};
use super::table::{Answered, Outcome, Row, Stepped};
use crate::host;
use crate::process::say;
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a command of the binary said.
struct Said {
    passed: bool,
    answer: Value,
    seconds: f64,
}

struct Trial<'a> {
    binary: &'a Path,
    layout: &'a Layout,
    service: &'a Service,
    model: &'a str,
}

pub(super) fn run(binary: &Path, layout: &Layout, service: &Service, model: &str) -> Result<Row> {
    let trial = Trial { binary, layout, service, model };
    let show = trial.step("show")?;
    let published = trial.step("build")?;
    let generated = trial.package("generate", &[])?;
    let regenerated = trial.step("build")?;
    let generate = stepped(&generated);
    trial.put_back(&generated)?;
    let fix = if regenerated.passed { None } else { Some(trial.fix()?) };
    let mut requests = Vec::new();
    for request in &service.requests {
        let answered = trial.request(request)?;
        say(format_args!("services: {}: {} ({:.0} s)", answered.result.name(), request.text, answered.seconds));
        requests.push(answered);
    }
    Ok(Row {
        package: service.package.clone(),
        version: service.version.clone(),
        language: service.language.name(),
        model: model.to_owned(),
        show,
        published,
        generate,
        regenerated,
        fix,
        requests,
    })
}

impl Trial<'_> {
    fn package(&self, step: &str, further: &[&str]) -> Result<Said> {
        let started = Instant::now();
        let mut command = host::command(self.binary, "package");
        command.args([step, "--json", "--package-path"]).arg(self.layout.package(self.service)).args(further);
        command.env("BAILIWICK_STATE_DIR", self.state()).env_remove("CI").env_remove("XDG_RUNTIME_DIR");
        let output =
            command.stderr(Stdio::null()).stdin(Stdio::null()).output().context("the binary does not start")?;
        let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
        Ok(Said { passed: output.status.success(), answer, seconds: started.elapsed().as_secs_f64() })
    }

    fn state(&self) -> PathBuf {
        self.layout.base.join("state")
    }

    fn step(&self, step: &str) -> Result<Stepped> {
        Ok(stepped(&self.package(step, &[])?))
    }

    /// A repair after the regeneration, where that leaves a package which does not build.
    fn fix(&self) -> Result<Answered> {
        let said = self.package("fix", &["--model", self.model])?;
        let result = if said.passed { Outcome::Repaired } else { Outcome::NotDone };
        let mut answered = self.answered("fix", Expect::Success, result, &said);
        self.put_back(&said)?;
        self.judge_what_is_left(&mut answered)?;
        Ok(answered)
    }

    fn request(&self, request: &Request) -> Result<Answered> {
        let said = self.package("customize", &["--model", self.model, "--customization-request", &request.text])?;
        let answered = said.answer["runId"].is_string() || said.answer["outcome"].is_string();
        let result = match (request.expect, said.passed) {
            (_, false) if !answered => Outcome::NotDone,
            (Expect::Success, true) => match self.missing(request)? {
                None => Outcome::Done,
                Some(missing) => {
                    say(format_args!("services: a success without `{missing}`"));
                    Outcome::FalseSuccess
                }
            },
            (Expect::Guidance, true) => Outcome::FalseSuccess,
            (Expect::Success, false) => Outcome::NotDone,
            (Expect::Guidance, false) => Outcome::Guided,
        };
        let mut answered = self.answered(&request.text, request.expect, result, &said);
        self.put_back(&said)?;
        self.judge_what_is_left(&mut answered)?;
        Ok(answered)
    }

    fn answered(&self, text: &str, expect: Expect, result: Outcome, said: &Said) -> Answered {
        let guidance = said.answer["manualGuidance"][0]["reason"].as_str();
        let message = said.answer["message"].as_str().or(said.answer["error"]["message"].as_str());
        let reason = guidance.or(message).unwrap_or_default();
        let usage = &said.answer["usage"];
        Answered {
            text: text.to_owned(),
            result,
            reason: reason.to_owned(),
            for_a_person: expect == Expect::Guidance,
            attempts: (count(&said.answer["phaseAAttempts"]), count(&said.answer["phaseBAttempts"])),
            seconds: said.seconds,
            tokens: count(&usage["inputTokens"]) + count(&usage["outputTokens"]),
            // An answer without usage asked no model.
            cost: if usage.is_object() { usage["costMillionths"].as_u64() } else { Some(0) },
        }
    }

    /// What of the request the code of the package does not show.
    fn missing(&self, request: &Request) -> Result<Option<String>> {
        let mut code = String::new();
        read(&self.layout.package(self.service), self.service.language.extension(), &mut code)?;
        let absent = request.shows.iter().find(|text| !code.contains(text.as_str()));
        let present = request.gone.iter().find(|text| code.contains(text.as_str()));
        Ok(absent.or(present).cloned())
    }

    /// Reverts the run, if it waits for a decision.
    fn put_back(&self, said: &Said) -> Result<()> {
        if let Some(run) = said.answer["runId"].as_str() {
            let mut revert = host::command(self.binary, "run");
            revert.args(["revert", run]).env("BAILIWICK_STATE_DIR", self.state());
            // A run that left nothing has nothing to revert; what is left is judged by git.
            let _ = revert.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        Ok(())
    }

    fn judge_what_is_left(&self, answered: &mut Answered) -> Result<()> {
        for repository in [self.layout.repository(self.service), self.layout.specifications()] {
            let status = output(git(&repository).args(["status", "--porcelain"]))?;
            if !status.trim().is_empty() {
                say(format_args!("services: left behind in `{}`:\n{status}", repository.display()));
                answered.result = Outcome::LeftBehind;
            }
        }
        Ok(())
    }
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn stepped(said: &Said) -> Stepped {
    let errors = said.answer["diagnostics"].as_array().into_iter().flatten();
    let errors = errors.filter(|one| one["severity"] == "error").count();
    if let Some(error) = said.answer["error"]["message"].as_str() {
        say(format_args!("services: {error}"));
    }
    Stepped { passed: said.passed, errors, seconds: said.seconds }
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().context("git does not start")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Appends every file below a directory whose name ends so.
fn read(directory: &Path, extension: &str, into: &mut String) -> Result<()> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read `{}`", directory.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        // Samples and tests are not what a user of the library imports.
        if entry.file_type()?.is_dir() {
            let name = entry.file_name();
            if !["samples", "generated_samples", "tests", "generated_tests", "test"].iter().any(|one| name == *one) {
                read(&path, extension, into)?;
            }
        } else if path.extension().is_some_and(|one| one == extension) {
            into.push_str(&String::from_utf8_lossy(&fs::read(&path)?));
        }
    }
    Ok(())
}
