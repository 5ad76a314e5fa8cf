//! What an agent file lets its agent spend, with the usual values of what it leaves out.
//!
//! | key of `[limits]` | usual | most |
//! |---|---|---|
//! | `tool-calls` | 100 | 10 000 |
//! | `tokens` | 1 000 000 | no bound |
//! | `seconds` | 600 | 86 400 |
//! | `money` | no limit | 1 000 000 |
//!
//! | key of `[limits.call]` | usual | most |
//! |---|---|---|
//! | `seconds` | 30 | 300 |
//! | `memory-mib` | 64 | 64 |
//! | `input-kib` | 8 192 | 8 192 |
//! | `output-kib` | 1 024 | 16 384 |
//! | `handles` | 256 | 1 024 |
//! | `directory-entries` | 50 000 | 200 000 |
//! | `written-mib` | 64 | 1 024 |
//!
//! A file may ask for less than usual, and for more up to what the host allows; beyond it is refused.

use std::time::Duration;

use bailiwick_sandbox::Limits;

use super::FileError;
use super::reader::Reader;
use crate::budget::{Budget, USUAL_TOOL_CALLS};
use crate::prices::millionths;

/// A million of whatever the prices are in.
const MOST_MONEY: u64 = 1_000_000_000_000;

const CALL_KEYS: [&str; 7] =
    ["seconds", "memory-mib", "input-kib", "output-kib", "handles", "directory-entries", "written-mib"];

/// What an agent may spend, in all and in one call.
pub(super) struct Limited {
    pub(super) budget: Budget,
    pub(super) money: Option<u64>,
    pub(super) call: Limits,
}

pub(super) fn read(reader: &mut Reader) -> Result<Limited, FileError> {
    let mut table = reader.table("limits", &["tool-calls", "tokens", "seconds", "money", "call"])?;
    let mut call = match &mut table {
        Some(table) => table.table("call", &CALL_KEYS)?,
        None => None,
    };
    let calls = number(&mut table, "tool-calls", u64::from(USUAL_TOOL_CALLS), 10_000)?;
    let budget = Budget {
        max_tool_calls: u32::try_from(calls).unwrap_or(USUAL_TOOL_CALLS),
        tokens: Some(number(&mut table, "tokens", 1_000_000, u64::MAX)?),
        wall: Duration::from_secs(number(&mut table, "seconds", 600, 86_400)?),
    };
    let money = match &mut table {
        Some(table) => money(table)?,
        None => None,
    };
    let mut of_call = |key, usual, most| number(&mut call, key, usual, most);
    let limits = Limits {
        deadline: Duration::from_secs(of_call("seconds", 30, 300)?),
        memory_bytes: size(of_call("memory-mib", 64, 64)?) << 20,
        table_elements: 10_000,
        input_bytes: size(of_call("input-kib", 8192, 8192)?) << 10,
        output_bytes: size(of_call("output-kib", 1024, 16384)?) << 10,
        handles: size(of_call("handles", 256, 1024)?),
        directory_entries: size(of_call("directory-entries", 50_000, 200_000)?),
        written_bytes: of_call("written-mib", 64, 1024)? << 20,
    };
    Ok(Limited { budget, money, call: limits })
}

/// Quoted, because a number of TOML is binary and none of `0.10`.
fn money(table: &mut Reader) -> Result<Option<u64>, FileError> {
    let Some(value) = table.value("money") else { return Ok(None) };
    let amount = value.as_str().and_then(millionths).filter(|amount| *amount <= MOST_MONEY);
    amount.map(Some).ok_or_else(|| {
        let expected = "an amount in quotes from \"0.000001\" to \"1000000\", such as \"0.50\"";
        FileError::wrong(&table.name("money"), expected)
    })
}

fn number(table: &mut Option<Reader>, key: &str, usual: u64, most: u64) -> Result<u64, FileError> {
    match table {
        Some(table) => Ok(table.number(key, most)?.unwrap_or(usual)),
        None => Ok(usual),
    }
}

/// The bounds above are far below what a size can hold.
fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX >> 20)
}
