//! `bailiwick audit`: every tool call that was ever made, and whether the record of it is whole.

use crate::exit::{Code, Error, Result};
use crate::{output, places};
use bailiwick_audit::{AuditError, Broken, Fault, Lines, Verified, Warning, plain_json, printable, verify};
use clap::Subcommand;
use serde_json::{Value, json};

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// Check that no line was altered, removed, reordered or added.
    ///
    /// An attacker with your own rights can rewrite the whole log. Only a hash that was kept elsewhere shows that.
    Verify {
        /// The hash of a line, kept elsewhere, that has to be in the log: the head that an earlier check printed.
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
    },
    /// Show the calls, oldest first. Does not check the log.
    Show {
        /// Only those of this run; a beginning of its id is enough.
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        /// Only the last so many of them.
        #[arg(long, value_name = "N")]
        last: Option<u64>,
    },
}

impl Audit {
    /// The command's name, for logs and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Verify { .. } => "audit verify",
            Self::Show { .. } => "audit show",
        }
    }
}

pub(crate) fn execute(command: &Audit, as_json: bool) -> Result<Code> {
    match command {
        Audit::Verify { head } => check(head.as_deref(), as_json),
        Audit::Show { run, last } => show(run.as_deref(), *last, as_json),
    }
}

fn check(head: Option<&str>, as_json: bool) -> Result<Code> {
    match verify(&places::audit()?, head) {
        Ok(verified) => {
            intact(&verified, as_json);
            Ok(Code::Done)
        }
        Err(AuditError::Broken(found)) => broken(&found, as_json),
        Err(error) => Err(failure(&error)),
    }
}

fn intact(verified: &Verified, as_json: bool) {
    for warning in &verified.warnings {
        output::progress(&match warning {
            Warning::Torn { file, line, bytes } => {
                format!("warning: `{file}` line {line} is torn: a process died when {bytes} bytes of it were written")
            }
            Warning::HeadBehind { file, line } => {
                format!(
                    "warning: `{file}` line {line} is not counted in `head`: a process died before it could do that"
                )
            }
        });
    }
    let unsaid = verified.warned.saturating_sub(verified.warnings.len() as u64);
    if unsaid > 0 {
        output::progress(&format!("warning: {unsaid} more like these"));
    }
    if as_json {
        return output::json(verified);
    }
    let (Some(from), Some(to)) = (&verified.from, &verified.to) else {
        return output::line("intact: no calls yet");
    };
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let (lines, files) = (count(verified.lines, "line"), count(verified.files as u64, "file"));
    output::line(&format!("intact: {lines} in {files}, from {from} to {to}\nhead    {}", verified.head));
    output::progress(
        "\nhint: keep the head elsewhere; `bailiwick audit verify --head` shows later that the log was not rewritten",
    );
}

fn broken(found: &Broken, as_json: bool) -> Result<Code> {
    let directory = places::audit()?;
    let hint = match found.fault {
        Fault::AnchorMissing => {
            "nothing else is wrong with the log: it was put back or written anew after that hash was taken, or the hash is another log's"
                .to_owned()
        }
        _ => format!(
            "move `{}` away and keep it for the investigation; the next call begins a new log",
            directory.display()
        ),
    };
    let error = Error::failed(found.to_string()).hint(hint);
    if as_json {
        let Broken { file, line, fault } = found;
        let reason = fault.to_string();
        output::json(&json!({ "error": {
            "message": error.message, "hint": error.hint, "exitCode": error.code as u8,
            "file": file, "line": line, "fault": fault, "reason": reason,
        } }));
    }
    // As JSON it was said already, with more in it.
    Ok(output::report(&error, false))
}

fn show(run: Option<&str>, last: Option<u64>, as_json: bool) -> Result<Code> {
    // Two passes, so that no number of lines has to be kept in memory.
    let skipped = match last {
        Some(last) => {
            let mut count = 0u64;
            each(run, |_, _| {
                count += 1;
                true
            })?;
            count.saturating_sub(last)
        }
        None => 0,
    };
    let end = last.map_or(u64::MAX, |last| skipped.saturating_add(last));
    let mut count = 0u64;
    let unreadable = each(run, |text, line| {
        count += 1;
        if count > skipped && count <= end {
            if as_json {
                output::line(&plain_json(text));
            } else {
                output::line(&call(line));
            }
        }
        count < end
    })?;
    if count == 0 {
        output::progress(if run.is_some() { "there are no calls of that run" } else { "there are no calls yet" });
    }
    if unreadable > 0 {
        output::progress(&format!(
            "warning: {unreadable} lines are left out since they are not what was written\n\nhint: `bailiwick audit verify` says what is wrong"
        ));
    }
    Ok(Code::Done)
}

/// Hands every line of the run to `visit`, as text and as JSON, until it has seen enough. Returns how many lines are malformed.
fn each(run: Option<&str>, mut visit: impl FnMut(&str, &Value) -> bool) -> Result<u64> {
    let mut lines = Lines::open(&places::audit()?).map_err(|error| failure(&error))?;
    let mut unreadable = 0;
    while let Some(line) = lines.next_line().map_err(|error| failure(&error))? {
        let Some((text, value)) = line.text.and_then(|text| Some((text, serde_json::from_str::<Value>(text).ok()?)))
        else {
            unreadable += 1;
            continue;
        };
        let wanted = run.is_none_or(|run| value["run"].as_str().is_some_and(|id| id.starts_with(run)));
        if wanted && !visit(text, &value) {
            break;
        }
    }
    Ok(unreadable)
}

/// One call in one line.
fn call(line: &Value) -> String {
    let text = |value: &Value| printable(value.as_str().unwrap_or("-")).into_owned();
    let time = text(&line["time"]);
    if line["kind"] == "torn" {
        return format!("{time}  (a process died in the middle of a line, {} bytes)", line["bytes"]);
    }
    let outcome = match line["outcome"]["status"].as_str() {
        Some("done") => "done".to_owned(),
        Some("hostFailure") => format!("stopped: {}", text(&line["outcome"]["kind"])),
        _ => format!("failed: {}", text(&line["outcome"]["kind"])),
    };
    let none = Vec::new();
    let grants: Vec<_> = line["grants"]
        .as_array()
        .unwrap_or(&none)
        .iter()
        .map(|grant| format!("{}={} ({})", text(&grant["name"]), text(&grant["path"]), text(&grant["access"])))
        .collect();
    let grants = if grants.is_empty() { "no grants".to_owned() } else { grants.join(", ") };
    let mut shown = format!("{time}  {:<12} {outcome:<24} {:<26} {grants}", text(&line["tool"]), text(&line["run"]));
    let denied = line["denied"].as_array().unwrap_or(&none);
    // The line keeps the first few attempts; the cost counts all.
    let count = line["cost"]["denied"].as_u64().unwrap_or_default().max(denied.len() as u64);
    if count > 0 {
        let attempts: Vec<_> = denied
            .iter()
            .map(|attempt| {
                let (operation, path, reason) = (&attempt["operation"], &attempt["path"], &attempt["reason"]);
                format!("{} `{}` ({})", text(operation), text(path), text(reason))
            })
            .collect();
        shown.push_str(&format!("  DENIED {count}: {}", attempts.join(", ")));
    }
    shown
}

fn failure(error: &AuditError) -> Error {
    match error {
        AuditError::NoHash(_) => {
            Error::usage(error.to_string()).hint("`bailiwick audit verify` prints the head as it is now")
        }
        AuditError::Broken(_) => Error::failed(error.to_string()).hint("`bailiwick audit verify` says more about it"),
        AuditError::Unsafe { .. } => {
            Error::failed(error.to_string()).hint("it was replaced: look at what it is, and move it away")
        }
        _ => Error::failed(error.to_string()),
    }
}
