//! Where the time of a run went, as `timings.json` in the run's directory says it.
//!
//! The file is written last, and nothing waits for the disk for it: a run without one is whole.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use bailiwick_base::files::{Replace, Waits, read_bounded, waits_of};
use bailiwick_base::timeline::{By, Timeline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file, in the directory of a run.
const FILE: &str = "timings.json";
const SCHEMA: u32 = 1;
/// A run has some dozens of steps.
const STEPS: usize = 1_000;
const BYTES: u64 = 1 << 20;
/// Cells of the longest bar in the table.
const BAR: u64 = 30;

/// Where the time of a run went. Times are in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// The version of this form.
    pub schema: u32,
    /// The whole run, from the first look at its toolchains to its record.
    pub total_micros: u64,
    /// How long at least one program was at work: compilers, emitters, builds. Two at once count once.
    pub programs_micros: u64,
    /// How often the host waited for the disk (`fsync`, `syncfs`) for the run's records.
    pub disk_waits: u32,
    /// How long these waits took; they are part of the host's own time.
    pub disk_micros: u64,
    /// What was done, in the order in which it began.
    pub steps: Vec<TimedStep>,
}

/// One step, or a program inside a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimedStep {
    /// What was done.
    pub name: String,
    /// Whether it is a program that the host waited for; it lies inside the step before it.
    pub program: bool,
    /// When it began, since the beginning of the run.
    pub start_micros: u64,
    /// How long it took.
    pub micros: u64,
}

impl Timings {
    /// What a timeline holds now.
    #[must_use]
    pub fn of(timeline: &Timeline, waits: Waits) -> Self {
        let total = timeline.elapsed();
        let steps = timeline.spans().into_iter().take(STEPS).map(|span| TimedStep {
            name: span.name.into_owned(),
            program: span.by == By::Program,
            start_micros: micros(span.start),
            micros: micros(span.length.unwrap_or_else(|| total.saturating_sub(span.start))),
        });
        Self {
            schema: SCHEMA,
            total_micros: micros(total),
            programs_micros: micros(timeline.by_programs()),
            disk_waits: waits.count,
            disk_micros: micros(waits.time),
            steps: steps.collect(),
        }
    }

    /// What the host itself took: everything but the time in which a program was at work.
    #[must_use]
    pub fn own_micros(&self) -> u64 {
        self.total_micros.saturating_sub(self.programs_micros)
    }

    /// Keeps them in the directory of a run. A run whose timings cannot be kept has none.
    pub(crate) fn keep(&self, run: &Path) {
        if let Ok(text) = serde_json::to_vec(self) {
            let _ = Replace { mode: 0o600, durable: false }.write(&run.join(FILE), &text);
        }
    }

    /// Those of a run; `None` if they are missing or cannot be read.
    #[must_use]
    pub fn read(run: &Path) -> Option<Self> {
        let file = std::fs::File::open(run.join(FILE)).ok()?;
        let mut timings: Self = serde_json::from_slice(&read_bounded(&file, BYTES).ok()?).ok()?;
        timings.steps.truncate(STEPS);
        Some(timings)
    }

    /// A table for people, with a bar for each step.
    #[must_use]
    pub fn format(&self) -> String {
        let mut text = format!("{:<26}{:>11}{:>11}\n", "step", "began", "took");
        for step in &self.steps {
            let name = format!("{}{}", if step.program { "  " } else { "" }, step.name);
            let (before, length) = self.bar(step);
            let bar = if step.program { "=" } else { "#" }.repeat(length);
            let (began, took) = (shown(step.start_micros), shown(step.micros));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<26}{began:>11}{took:>11}  {}{bar}", " ".repeat(before));
        }
        for (name, micros) in [
            ("programs (=)", self.programs_micros),
            ("the host's own time", self.own_micros()),
            ("the whole run", self.total_micros),
        ] {
            let _ = writeln!(text, "{name:<37}{:>11}", shown(micros));
        }
        let _ = write!(text, "{} waits for the disk, {}", self.disk_waits, shown(self.disk_micros));
        text
    }

    /// Where the bar of a step begins and how long it is, in cells. That of the whole run has 30.
    #[must_use]
    pub fn bar(&self, step: &TimedStep) -> (usize, usize) {
        let cells = |micros: u64| micros.saturating_mul(BAR).checked_div(self.total_micros).unwrap_or(0).min(BAR);
        let cells = |micros| usize::try_from(cells(micros)).unwrap_or(0);
        (cells(step.start_micros), cells(step.micros).max(1))
    }
}

/// Does the last of a run, and keeps in the run's directory where the time of all of it went. `waits` are those of before.
pub(crate) fn ending<T>(timeline: &Timeline, waits: Waits, run: &Path, last: impl FnOnce() -> T) -> T {
    let (result, at_last) = {
        let _span = timeline.span("end", By::Host);
        waits_of(last)
    };
    Timings::of(timeline, waits + at_last).keep(run);
    result
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A time for people: `0.4 ms`, `35 ms`, `2.1 s`.
#[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
#[must_use]
pub fn shown(micros: u64) -> String {
    match micros {
        0..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        10_000..1_000_000 => format!("{:.0} ms", micros as f64 / 1e3),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timings() -> Timings {
        let step =
            |name: &str, program, start_micros, micros| TimedStep { name: name.into(), program, start_micros, micros };
        Timings {
            schema: SCHEMA,
            total_micros: 3_000_000,
            programs_micros: 2_000_000,
            disk_waits: 7,
            disk_micros: 40_500,
            steps: vec![step("build", false, 900_000, 2_100_000), step("mypy", true, 1_000_000, 2_000_000)],
        }
    }

    #[test]
    fn table_shows_each_step_where_it_lies_and_what_is_left_for_the_host() {
        let table = timings().format();
        assert_eq!(
            table,
            "\
step                            began       took
build                          900 ms      2.1 s           #####################
  mypy                          1.0 s      2.0 s            ====================
programs (=)                               2.0 s
the host's own time                        1.0 s
the whole run                              3.0 s
7 waits for the disk, 40 ms"
        );
    }

    #[test]
    fn timings_are_read_as_they_were_kept_and_damaged_ones_are_left_out() {
        let run = tempfile::tempdir().unwrap();
        assert_eq!(Timings::read(run.path()), None);
        timings().keep(run.path());
        assert_eq!(Timings::read(run.path()), Some(timings()));
        std::fs::write(run.path().join(FILE), "{\"schema\": 1").unwrap();
        assert_eq!(Timings::read(run.path()), None);
    }

    #[test]
    fn bar_of_a_step_that_claims_more_than_the_run_is_bounded() {
        let mut timings = timings();
        timings.steps[0].micros = u64::MAX;
        timings.total_micros = 0;
        assert!(timings.format().lines().all(|line| line.len() < 120));
    }
}
