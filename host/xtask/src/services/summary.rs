//! The numbers of each model over all requests: what is asked of a machine and comes out right, by which phase, at what cost.

use super::table::{Answered, Outcome, Row};
use std::fmt::Write as _;

/// What the requests and repairs of one model came to.
#[derive(Debug, Default, PartialEq)]
struct Numbers {
    /// Requests that a careful colleague would carry out.
    mechanical: usize,
    /// How many of these are done.
    done: usize,
    /// How many of these were done without a change of hand-written code.
    phase_a_alone: usize,
    /// Requests and repairs that tried to change hand-written code, and how many of these passed.
    phase_b: (usize, usize),
    /// Attempts of both phases over what is done.
    attempts: u64,
    /// Requests that belong to a person, and how many were left to one.
    guidance: (usize, usize),
    false_successes: usize,
    left_behind: usize,
    seconds: Vec<f64>,
    tokens: u64,
    /// In millionths; absent once the prices of an answer were not known.
    cost: Option<u64>,
}

impl Numbers {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut numbers = Self { cost: Some(0), ..Self::default() };
        for row in rows {
            row.requests.iter().for_each(|one| numbers.add_request(one));
            row.fix.iter().for_each(|one| numbers.add(one));
        }
        numbers.seconds.sort_by(f64::total_cmp);
        numbers
    }

    fn add_request(&mut self, one: &Answered) {
        if one.for_a_person {
            self.guidance.0 += 1;
            self.guidance.1 += usize::from(one.result == Outcome::Guided);
        } else {
            self.mechanical += 1;
            if one.result == Outcome::Done {
                self.done += 1;
                self.phase_a_alone += usize::from(!one.repaired());
                self.attempts += one.attempts.0 + one.attempts.1;
            }
        }
        self.add(one);
    }

    fn add(&mut self, one: &Answered) {
        if one.repaired() {
            self.phase_b.0 += 1;
            self.phase_b.1 += usize::from(matches!(one.result, Outcome::Done | Outcome::Repaired));
        }
        self.false_successes += usize::from(one.result == Outcome::FalseSuccess);
        self.left_behind += usize::from(one.result == Outcome::LeftBehind);
        self.seconds.push(one.seconds);
        self.tokens += one.tokens;
        self.cost = self.cost.zip(one.cost).map(|(sum, cost)| sum + cost);
    }

    fn median_seconds(&self) -> f64 {
        self.seconds.get(self.seconds.len() / 2).copied().unwrap_or_default()
    }
}

/// A row for each model, in the order in which they were tried.
pub(super) fn summary(rows: &[Row]) -> String {
    let mut models: Vec<&str> = Vec::new();
    for row in rows {
        if !models.contains(&row.model.as_str()) {
            models.push(&row.model);
        }
    }
    let mut text = "| model | requests done | of these by Phase A alone | Phase B repaired | attempts, mean | left to a person, where due \
        | FALSE SUCCESS | LEFT BEHIND | seconds, median | tokens | cost |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for model in models {
        let all = Numbers::of(rows.iter().filter(|row| row.model == model));
        let cost = all.cost.map_or_else(|| "unknown".to_owned(), |cost| format!("{:.4}", per(cost, 1_000_000)));
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {model} | {} of {} | {} of {} | {} of {} | {:.1} | {} of {} | {} | {} | {:.0} | {} | {cost} |",
            all.done,
            all.mechanical,
            all.phase_a_alone,
            all.done,
            all.phase_b.1,
            all.phase_b.0,
            per(all.attempts, all.done as u64),
            all.guidance.1,
            all.guidance.0,
            all.false_successes,
            all.left_behind,
            all.median_seconds(),
            all.tokens
        );
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "counts and money of a table with few digits")]
fn per(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::{answered, row};
    use super::*;

    #[test]
    fn each_model_has_a_row_that_tells_what_is_done_from_what_is_claimed() {
        let mut rows = vec![row(&[Outcome::Done, Outcome::Done, Outcome::NotDone, Outcome::FalseSuccess])];
        rows[0].requests[1].attempts = (1, 2);
        rows[0].fix = Some(Answered { attempts: (0, 1), ..answered(Outcome::Repaired) });
        rows.push(row(&[Outcome::Guided, Outcome::FalseSuccess]));
        rows[1].model = "other".to_owned();
        for request in &mut rows[1].requests {
            (request.for_a_person, request.cost, request.tokens) = (true, None, 7);
        }
        let text = summary(&rows);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(lines[0], "| mechanic | 2 of 4 | 1 of 2 | 2 of 2 | 2.0 | 0 of 0 | 1 | 0 | 2 | 0 | 0.0000 |");
        assert_eq!(lines[1], "| other | 0 of 0 | 0 of 0 | 0 of 0 | 0.0 | 1 of 2 | 1 | 0 | 2 | 14 | unknown |");
        assert_eq!(lines.len(), 2);
    }
}
