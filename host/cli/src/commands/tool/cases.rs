//! `tool test`: every case of a project in the sandbox, each on directories of its own.

use super::authoring::{built, failed, said};
use crate::added::{Behind, capabilities, limits, load};
use crate::arguments::TestTool;
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime};
use bailiwick_audit::printable;
use bailiwick_authoring::Project;
use bailiwick_authoring::case::{self, Answer, Case};
use bailiwick_mcp::component::Program;
use bailiwick_sandbox::{Access, Audit, CallError, Grant, Grants, Limits, Sandbox, Tool};
use bailiwick_tools::manifest;
use bailiwick_tools::store::component_file;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

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
        let tools =
            tools(load(&sandbox, &bytes.clone().into(), &capabilities(Some(manifest), Behind::Approved)?).await?)?;
        let limits = limits(&manifest.limits, runtime::call_limits(), &runtime::most_limits())?;
        let mut all = Vec::with_capacity(cases.len());
        for case in cases {
            let ran = run(&sandbox, &project, &tools, &case, &limits).await?;
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

fn tools(program: Program) -> Result<Vec<Tool>> {
    match program {
        Program::Plain(tool) => Ok(vec![tool]),
        Program::Typed(tools) => Ok(tools.to_vec()),
        Program::Rich(_) => {
            Err(Error::usage("cases are for tools with one answer, and this component answers in parts")
                .hint("a component that exports `bailiwick:tool/rich-tools` is tried with `bailiwick tool call`"))
        }
    }
}

async fn run(sandbox: &Sandbox, project: &Project, tools: &[Tool], case: &Case, limits: &Limits) -> Result<Ran> {
    let root =
        tempfile::tempdir().map_err(|error| Error::failed(format!("no temporary directory can be made: {error}")))?;
    case.lay_out(&project.manifest, root.path()).map_err(|error| failed(&error))?;
    let grants = grants(project, case, root.path())?;
    let tool = chosen(tools, case)?;
    let started = Instant::now();
    let report = sandbox.call(tool, &grants, &case.input.to_string(), limits).await;
    let milliseconds = started.elapsed().as_millis();
    let answer = match report.outcome {
        Ok(output) => Answer::Output(serde_json::from_str(&output).unwrap_or(Value::String(output))),
        Err(CallError::Tool(error)) => {
            let kind = serde_json::to_value(error.kind).ok();
            let kind = kind.as_ref().and_then(Value::as_str).unwrap_or("failed").to_owned();
            Answer::Error { kind, message: error.message }
        }
        Err(CallError::Host(failure)) => Answer::Error { kind: "host".into(), message: failure.to_string() },
    };
    let wrong = case.judge(&answer, root.path()).map_err(|error| failed(&error))?;
    Ok(Ran { wrong, milliseconds })
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
            .map_err(|error| super::not_granted(&error))
    });
    Grants::new(opened.collect::<Result<Vec<_>>>()?).map_err(|error| Error::usage(error.to_string()))
}

fn chosen<'a>(tools: &'a [Tool], case: &Case) -> Result<&'a Tool> {
    let found = match (&case.tool, tools) {
        (None, [only]) => Some(only),
        (Some(name), _) => tools.iter().find(|tool| tool.descriptor().name == *name),
        (None, _) => None,
    };
    found.ok_or_else(|| {
        let names: Vec<_> = tools.iter().map(|tool| format!("`{}`", tool.descriptor().name)).collect();
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
