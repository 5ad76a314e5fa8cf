//! `tool test`: every case of a project in the sandbox, each on directories of its own.

use super::authoring::{built, failed, said};

use super::authoring::BuildTool;
use crate::exit::{Code, Error, Result};
use crate::installed::ThisProgram;
use crate::{output, places, runtime};
use bailiwick_audit::printable;
use bailiwick_authoring::Project;
use bailiwick_authoring::case::{self, Answer, Case};
use bailiwick_sandbox::Program;
use bailiwick_sandbox::rich::{Abilities, Block, Body, Document, tools};
use bailiwick_sandbox::{Access, Audit, CallError, Conditions, Grant, Grants, Limits, Sandbox, Tool};
use bailiwick_tools::installed::{Behind, capabilities, limits, load};
use bailiwick_tools::manifest;
use bailiwick_tools::store::component_file;
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct TestTool {
    #[command(flatten)]
    pub(crate) build: BuildTool,
    /// Test the component that is there, and build none.
    #[arg(long, conflicts_with_all = ["target_dir", "unconfined_builds"])]
    pub(crate) no_build: bool,
}

/// What came of one case.
struct Ran {
    wrong: Vec<String>,
    milliseconds: u128,
}

pub(super) fn test(test: &TestTool, as_json: bool) -> Result<Code> {
    let mut project = Project::open(&test.build.directory).map_err(|error| failed(&error))?;
    // Before anything is built: a case that cannot be used is found in a moment.
    let cases = case::read(&project.directory).map_err(|error| failed(&error))?;
    let sandbox = runtime::sandbox(Audit::Off)?;
    runtime::block_on(async {
        if !test.no_build {
            output::progress(&said(&built(&mut project, &test.build).await?));
        }
        let (bytes, manifest) = (component(&project)?, &project.manifest);
        let program = {
            let capabilities = capabilities(&ThisProgram, Some(manifest), Behind::Approved)?;
            load(&ThisProgram, &sandbox, &bytes.into(), &capabilities).await?
        };
        let limits = limits(&ThisProgram, &manifest.limits)?;
        let mut all = Vec::with_capacity(cases.len());
        for case in cases {
            let ran = run(&sandbox, &project, &program, &case, &limits).await?;
            if !as_json {
                show(&case, &ran);
            }
            all.push((case, ran));
        }
        Ok(finished(&project, &all, as_json))
    })?
}

fn component(project: &Project) -> Result<Vec<u8>> {
    let path = project.component();
    component_file(&path).map_err(|error| {
        Error::usage(format!("cannot read the component `{}`: {error}", path.display()))
            .hint("`bailiwick tool build` makes it")
    })
}

async fn run(sandbox: &Sandbox, project: &Project, program: &Program, case: &Case, limits: &Limits) -> Result<Ran> {
    let root =
        tempfile::tempdir().map_err(|error| Error::failed(format!("no temporary directory can be made: {error}")))?;
    case.lay_out(&project.manifest, root.path()).map_err(|error| failed(&error))?;
    let grants = grants(project, case, root.path())?;
    let input = case.input.to_string();
    let started = Instant::now();
    let answer = match program {
        Program::Plain(tool) => {
            plain(sandbox, chosen(std::slice::from_ref(tool), case)?, &grants, &input, limits).await
        }
        Program::Typed(tools) => plain(sandbox, chosen(tools, case)?, &grants, &input, limits).await,
        Program::Rich(component) => {
            let names: Vec<&str> = component.tools().iter().map(|tool| tool.descriptor().name.as_str()).collect();
            let tool = named(&names, case)?;
            let call = tools::Call { tool: tool.into(), input, can: Abilities::empty(), again: None };
            // Its progress messages are dropped.
            let conditions = Conditions { grants: &grants, limits, notices: None };
            in_parts(sandbox.call_rich(component, call, conditions).await.outcome)
        }
    };
    let milliseconds = started.elapsed().as_millis();
    let wrong = case.judge(&answer, root.path()).map_err(|error| failed(&error))?;
    Ok(Ran { wrong, milliseconds })
}

async fn plain(sandbox: &Sandbox, tool: &Tool, grants: &Grants, input: &str, limits: &Limits) -> Answer {
    match sandbox.call(tool, grants, input, limits).await.outcome {
        Ok(output) => Answer::Output(serde_json::from_str(&output).unwrap_or(Value::String(output))),
        Err(error) => failure(error),
    }
}

/// An answer in parts as a case has it: the value that it comes with, or else `{ text = … }` with its
/// texts, each on a line of its own.
fn in_parts(outcome: std::result::Result<tools::Outcome, CallError>) -> Answer {
    let answer = match outcome {
        Ok(tools::Outcome::Answered(answer)) => answer,
        Ok(tools::Outcome::Asks(asks)) => {
            let keys: Vec<&str> = asks.questions.iter().map(|(key, _)| key.as_str()).collect();
            let message = format!("it asks for {}, and there is no person to ask here", keys.join(", "));
            return Answer::Error { kind: "asks".into(), message };
        }
        Err(error) => return failure(error),
    };
    let texts = answer.content.into_iter().filter_map(|part| match part {
        Block::Text(text) => Some(text),
        Block::Embedded(Document { body: Body::Text(text), .. }) => Some(text),
        Block::Image(_) | Block::Audio(_) | Block::Link(_) | Block::Embedded(_) => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    match answer.structured.and_then(|value| serde_json::from_str(&value).ok()) {
        _ if answer.is_error => Answer::Error { kind: "failed".into(), message: text },
        Some(value) => Answer::Output(value),
        None => Answer::Output(json!({ "text": text })),
    }
}

fn failure(error: CallError) -> Answer {
    match error {
        CallError::Tool(error) => Answer::Error { kind: error.kind.name().into(), message: error.message },
        CallError::Host(failure) => Answer::Error { kind: "host".into(), message: failure.to_string() },
    }
}

/// What the manifest asks for, over the temporary directories; less where the case says so, and never more.
fn grants(project: &Project, case: &Case, root: &Path) -> Result<Grants> {
    let opened = project.manifest.directories.iter().map(|directory| {
        let least = case.access.get(&directory.name).map_or(directory.access, |access| directory.access.min(*access));
        let access = match least {
            manifest::Access::Read => Access::ReadOnly,
            manifest::Access::Write => Access::ReadWrite,
        };
        Grant::open(&directory.name, &root.join(&directory.name), access, &places::reserved()?)
            .map_err(|error| Error::from(&error))
    });
    Grants::new(opened.collect::<Result<Vec<_>>>()?).map_err(|error| Error::usage(error.to_string()))
}

fn chosen<'a>(tools: &'a [Tool], case: &Case) -> Result<&'a Tool> {
    let names: Vec<&str> = tools.iter().map(|tool| tool.descriptor().name.as_str()).collect();
    let name = named(&names, case)?;
    // It is one of them.
    tools.iter().find(|tool| tool.descriptor().name == name).ok_or_else(|| Error::failed("the component has no tool"))
}

fn named<'a>(names: &[&'a str], case: &Case) -> Result<&'a str> {
    let found = match (&case.tool, names) {
        (None, [only]) => Some(*only),
        (Some(name), _) => names.iter().find(|one| *one == name).copied(),
        (None, _) => None,
    };
    found.ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        Error::usage(format!("case `{}` of `{}` names no tool of the component", case.name, case.file.display()))
            .hint(format!("write `tool = \"NAME\"`; its tools are {}", names.join(", ")))
    })
}

fn show(case: &Case, ran: &Ran) {
    let word = if ran.wrong.is_empty() { "passed" } else { "failed" };
    output::line(&printable(&format!("{word}  {} ({} ms)", case.name, ran.milliseconds)));
    for wrong in &ran.wrong {
        output::line(&printable(&format!("        {wrong}")));
    }
}

fn finished(project: &Project, all: &[(Case, Ran)], as_json: bool) -> Code {
    let failures = all.iter().filter(|(_, ran)| !ran.wrong.is_empty()).count();
    let passed = all.len() - failures;
    if as_json {
        let cases = all.iter().map(|(case, ran)| {
            json!({
                "name": case.name,
                "file": case.file.strip_prefix(&project.directory).unwrap_or(&case.file),
                "passed": ran.wrong.is_empty(),
                "wrong": ran.wrong,
                "milliseconds": ran.milliseconds,
            })
        });
        output::json(&json!({
            "name": project.manifest.name,
            "digest": project.manifest.digest,
            "passed": passed,
            "failed": failures,
            "cases": cases.collect::<Vec<_>>(),
        }));
    } else {
        output::line(&format!("{passed} passed, {failures} failed"));
    }
    if failures == 0 { Code::Done } else { Code::NoSuccess }
}
