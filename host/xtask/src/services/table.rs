//! The results as a page.

use super::summary::summary;
use std::fmt::Write as _;

/// A step and its errors.
pub(super) struct Stepped {
    pub(super) passed: bool,
    pub(super) errors: usize,
    pub(super) seconds: f64,
}

/// What came of a request, judged from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Carried out, and the code shows it.
    Done,
    /// A repair after which the package builds.
    Repaired,
    /// Not carried out, as a careful colleague would decide.
    Guided,
    /// Not carried out, although a careful colleague would.
    NotDone,
    /// Reported as done, and the code does not show it; or nothing should have been done.
    FalseSuccess,
    /// A repository is not as it was after a failure or a revert.
    LeftBehind,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Repaired => "repaired",
            Self::Guided => "left to a person",
            Self::NotDone => "not done",
            Self::FalseSuccess => "FALSE SUCCESS",
            Self::LeftBehind => "LEFT BEHIND",
        }
    }
}

/// A request and what came of it.
pub(super) struct Answered {
    pub(super) text: String,
    pub(super) result: Outcome,
    pub(super) reason: String,
    /// Whether a careful colleague would leave it to a person.
    pub(super) for_a_person: bool,
    /// Attempts of TypeSpec customization and of code customization.
    pub(super) attempts: (u64, u64),
    pub(super) seconds: f64,
    /// Sent and received.
    pub(super) tokens: u64,
    /// In millionths of the money that the model's prices are in; absent where they are not known.
    pub(super) cost: Option<u64>,
}

impl Answered {
    /// Whether hand-written code was to be repaired.
    pub(super) fn repaired(&self) -> bool {
        self.attempts.1 > 0
    }
}

/// One package.
pub(super) struct Row {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) language: &'static str,
    /// What answered the requests.
    pub(super) model: String,
    pub(super) show: Stepped,
    pub(super) published: Stepped,
    pub(super) generate: Stepped,
    pub(super) regenerated: Stepped,
    /// The repair of what does not build after the regeneration.
    pub(super) fix: Option<Answered>,
    pub(super) requests: Vec<Answered>,
}

#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// How many results break a promise.
    pub(super) fn faults(&self) -> usize {
        let all = self.rows.iter().flat_map(|row| row.requests.iter().chain(&row.fix));
        all.filter(|one| matches!(one.result, Outcome::FalseSuccess | Outcome::LeftBehind)).count()
    }

    pub(super) fn markdown(&self) -> String {
        let mut text = "| package | show | build as published | generate | build after | fix | requests done |\n\
            |---|---|---|---|---|---|---|\n"
            .to_owned();
        for row in &self.rows {
            let right = |one: &&Answered| matches!(one.result, Outcome::Done | Outcome::Guided);
            let done = row.requests.iter().filter(right).count();
            let fix = row.fix.as_ref().map_or("not needed", |fix| fix.result.name());
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "| {} {} ({}) | {} | {} | {} | {} | {fix} | {done} of {} |",
                row.package,
                row.version,
                row.language,
                cell(&row.show),
                cell(&row.published),
                cell(&row.generate),
                cell(&row.regenerated),
                row.requests.len()
            );
        }
        text.push_str(
            "\n| package | model | request | result | code repaired | seconds | reason |\n|---|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            for one in row.requests.iter().chain(&row.fix) {
                let repaired = if one.repaired() { "yes" } else { "" };
                let reason = if one.result == Outcome::Done { String::new() } else { escaped(&one.reason) };
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {repaired} | {:.0} | {reason} |",
                    row.package,
                    row.model,
                    escaped(&one.text),
                    one.result.name(),
                    one.seconds
                );
            }
        }
        text.push('\n');
        text.push_str(&summary(&self.rows));
        text
    }
}

fn cell(step: &Stepped) -> String {
    match (step.passed, step.errors) {
        (true, _) => format!("passes, {:.0} s", step.seconds),
        (false, 1) => "1 error".to_owned(),
        (false, errors) => format!("{errors} errors"),
    }
}

/// One line that a table takes.
fn escaped(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(160).collect();
    short.replace('|', "\\|")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn answered(result: Outcome) -> Answered {
        Answered {
            text: "rename a | b".to_owned(),
            result,
            reason: "why\nso".to_owned(),
            for_a_person: false,
            attempts: (1, 0),
            seconds: 2.0,
            tokens: 0,
            cost: Some(0),
        }
    }

    pub(crate) fn row(results: &[Outcome]) -> Row {
        let step = || Stepped { passed: true, errors: 0, seconds: 1.0 };
        Row {
            package: "azure-example".to_owned(),
            version: "1.0.0".to_owned(),
            language: "Python",
            model: "mechanic".to_owned(),
            show: step(),
            published: Stepped { passed: false, errors: 3, seconds: 1.0 },
            generate: step(),
            regenerated: step(),
            fix: None,
            requests: results.iter().copied().map(answered).collect(),
        }
    }

    #[test]
    fn false_successes_and_what_is_left_behind_are_faults_and_nothing_else_is() {
        let mut table = Table::default();
        table.add(row(&[Outcome::Done, Outcome::Guided, Outcome::NotDone, Outcome::Repaired]));
        assert_eq!(table.faults(), 0);
        table.add(row(&[Outcome::FalseSuccess, Outcome::LeftBehind]));
        assert_eq!(table.faults(), 2);
        let text = table.markdown();
        assert!(text.contains("| azure-example 1.0.0 (Python) | passes, 1 s | 3 errors | passes, 1 s | passes, 1 s | not needed | 2 of 4 |"), "{text}");
        assert!(text.contains("| azure-example | mechanic | rename a \\| b | FALSE SUCCESS |  | 2 | why |"), "{text}");
    }
}
