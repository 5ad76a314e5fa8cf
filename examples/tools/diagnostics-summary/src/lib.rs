//! `diagnostics-summary`: what a build complains about, grouped.

mod line;

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
use line::{Diagnostic, Severity};
use std::num::NonZeroU32;

/// How many bytes a log may have.
const LARGEST: u64 = 8 << 20;
/// How many groups are answered if the input does not say.
const GROUPS: usize = 20;

input! {
    /// What the tool is given.
    pub struct Input {
        /// The log, such as `logs/build.txt`.
        pub file: String,
        /// The most groups to answer; 20 without it.
        pub limit: Option<NonZeroU32>,
    }
}

output! {
    /// Diagnostics with the same severity and code.
    pub struct Group {
        /// `error` or `warning`.
        pub severity: String,
        /// Such as `TS2304` or `attr-defined`; empty where the compiler gives none.
        pub code: String,
        /// How many there are.
        pub count: u32,
        /// The first of them: `file:line message`.
        pub first: String,
        /// The files they are in, sorted.
        pub files: Vec<String>,
    }
}

output! {
    /// What the tool answers.
    pub struct Output {
        /// How many errors there are, each place once.
        pub errors: u32,
        /// How many warnings there are, each place once.
        pub warnings: u32,
        /// Errors first, then the larger groups.
        pub groups: Vec<Group>,
        /// How many groups were left out.
        pub left_out: u32,
    }
}

/// Groups diagnostics.
pub struct Summary;

impl Tool for Summary {
    const NAME: &'static str = "diagnostics-summary";
    const DESCRIPTION: &'static str = "Reads the log of a build (TypeScript, TypeSpec, mypy, javac and Maven, .NET, Go, \
        Rust) and groups its errors and warnings by code: how many, the first, and in which files. The same diagnostic \
        said twice counts once.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let text = grants.resolve(&input.file)?.read_text(LARGEST)?;
        let limit = input.limit.map_or(GROUPS, |limit| limit.get() as usize);
        let diagnostics = distinct(line::all(&text));
        let count = |severity| u32::try_from(diagnostics.iter().filter(|one| one.severity == severity).count());
        let mut groups = grouped(&diagnostics);
        let left_out = groups.len().saturating_sub(limit);
        groups.truncate(limit);
        Ok(Output {
            errors: count(Severity::Error).unwrap_or(u32::MAX),
            warnings: count(Severity::Warning).unwrap_or(u32::MAX),
            groups,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        })
    }
}

export_tool!(Summary);

fn distinct(mut diagnostics: Vec<Diagnostic<'_>>) -> Vec<Diagnostic<'_>> {
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|one| seen.insert((one.file, one.line, one.code, one.message)));
    diagnostics
}

fn grouped(diagnostics: &[Diagnostic<'_>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for one in diagnostics {
        let severity = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let known = groups.iter_mut().find(|group| group.severity == severity && group.code == one.code);
        let group = match known {
            Some(group) => group,
            None => {
                groups.push(Group {
                    severity: severity.to_owned(),
                    code: one.code.to_owned(),
                    count: 0,
                    first: format!("{}:{} {}", one.file, one.line, one.message),
                    files: Vec::new(),
                });
                let last = groups.len() - 1;
                &mut groups[last]
            }
        };
        group.count += 1;
        if let Err(place) = group.files.binary_search_by(|file| file.as_str().cmp(one.file)) {
            group.files.insert(place, one.file.to_owned());
        }
    }
    groups.sort_by_key(|group| (group.severity != "error", u32::MAX - group.count));
    groups
}
