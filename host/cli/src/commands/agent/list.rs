//! `bailiwick agent list`: what can go on.

use super::session::{self, Standing};
use crate::exit::{Code, Result};
use crate::output;
use bailiwick_audit::printable;

pub(super) fn execute(as_json: bool) -> Result<Code> {
    let runs = session::all()?;
    if as_json {
        output::json(&runs);
        return Ok(Code::Done);
    }
    for run in &runs {
        let standing = match run.standing {
            Standing::Running => "running",
            Standing::Stopped => "stopped",
            Standing::Completed => "completed",
            Standing::Ended => "ended",
            Standing::Unusable => "unusable",
        };
        let (turns, calls) = (run.turns, run.tool_calls);
        let line = format!(
            "{}  {standing:<9}  {turns:>3} turns {calls:>4} calls  {}  {}",
            run.id,
            run.agent,
            run.file.display()
        );
        output::line(&printable(&line));
    }
    output::progress(match runs.iter().any(|run| run.standing == Standing::Stopped) {
        true => "`bailiwick agent resume RUN` goes on with one that was stopped",
        false => "no agent run was stopped before its end",
    });
    Ok(Code::Done)
}
