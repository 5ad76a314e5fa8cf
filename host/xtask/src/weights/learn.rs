//! Logistic regression with small weights, by the method of Broyden, Fletcher, Goldfarb and Shanno with little memory.

/// A row of what is known, and whether it is meant.
pub(super) struct Row {
    /// Columns with their values.
    pub(super) values: Vec<(usize, f64)>,
    pub(super) meant: bool,
    /// How much it counts against half the square of the weights.
    pub(super) counts: f64,
}

/// What was learned.
pub(super) struct Model {
    pub(super) weights: Vec<f64>,
    pub(super) bias: f64,
}

impl Model {
    /// The log odds of a row: its columns with their values.
    pub(super) fn score(&self, row: &[(usize, f64)]) -> f64 {
        row.iter().map(|(column, value)| self.weights.get(*column).copied().unwrap_or_default() * value).sum::<f64>()
            + self.bias
    }
}

/// Steps that are remembered, steps that are made at most, and how flat the slope is at the end.
const MEMORY: usize = 10;
const STEPS: usize = 200;
const FLAT: f64 = 1e-3;

/// Learns which rows are meant.
pub(super) fn learn(rows: &[Row], columns: usize) -> Model {
    // The last one is the bias.
    let mut at = vec![0.0; columns + 1];
    let (mut value, mut slope) = loss(rows, &at);
    let mut memory: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for _ in 0..STEPS {
        if slope.iter().fold(0.0_f64, |most, one| most.max(one.abs())) < FLAT {
            break;
        }
        let direction = direction(&slope, &memory);
        let down = dot(&direction, &slope);
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> = at.iter().zip(&direction).map(|(at, step)| at + length * step).collect();
            let (new, new_slope) = loss(rows, &next);
            if new <= value + 1e-4 * length * down || length < 1e-10 {
                break (next, new, new_slope);
            }
            length /= 2.0;
        };
        let moved: Vec<f64> = next.0.iter().zip(&at).map(|(new, old)| new - old).collect();
        let turned: Vec<f64> = next.2.iter().zip(&slope).map(|(new, old)| new - old).collect();
        if dot(&moved, &turned) > 1e-12 {
            memory.push((moved, turned));
            if memory.len() > MEMORY {
                memory.remove(0);
            }
        }
        (at, value, slope) = next;
    }
    let bias = at.pop().unwrap_or_default();
    Model { weights: at, bias }
}

/// The loss, and its slope for each weight.
fn loss(rows: &[Row], at: &[f64]) -> (f64, Vec<f64>) {
    let mut slope = at.to_vec();
    let mut sum = dot(at, at) / 2.0;
    let last = at.len() - 1;
    for Row { values, meant, counts } in rows {
        let score: f64 = values.iter().map(|(column, value)| at[*column] * value).sum::<f64>() + at[last];
        let sign = if *meant { 1.0 } else { -1.0 };
        let margin = sign * score;
        sum += counts * if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin };
        let pull = -sign * counts / (1.0 + margin.exp());
        for (column, value) in values {
            slope[*column] += pull * value;
        }
        slope[last] += pull;
    }
    (sum, slope)
}

fn direction(slope: &[f64], memory: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    let mut direction: Vec<f64> = slope.iter().map(|one| -one).collect();
    let mut taken = Vec::new();
    for (moved, turned) in memory.iter().rev() {
        let share = dot(moved, &direction) / dot(moved, turned);
        add(&mut direction, turned, -share);
        taken.push(share);
    }
    if let Some((moved, turned)) = memory.last() {
        let scale = dot(moved, turned) / dot(turned, turned);
        direction.iter_mut().for_each(|one| *one *= scale);
    }
    for ((moved, turned), share) in memory.iter().zip(taken.into_iter().rev()) {
        let back = dot(turned, &direction) / dot(moved, turned);
        add(&mut direction, moved, share - back);
    }
    direction
}

fn add(to: &mut [f64], what: &[f64], times: f64) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += times * what);
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_that_tells_rows_apart_gets_the_weight_and_one_that_does_not_gets_none() {
        let rows: Vec<Row> = (0..40)
            .map(|number| {
                let meant = number % 2 == 0;
                let mut values = vec![(0, if meant { 1.0 } else { 0.0 })];
                if number % 4 < 2 {
                    values.push((1, 1.0));
                }
                Row { values, meant, counts: 1.0 }
            })
            .collect();
        let model = learn(&rows, 2);
        assert!(model.weights[0] > 1.0, "{:?}", model.weights);
        assert!(model.weights[1].abs() < 0.5, "{:?}", model.weights);
        assert!(rows.iter().all(|row| (model.score(&row.values) > 0.0) == row.meant));
    }

    #[test]
    fn slope_at_the_end_is_flat() {
        let row = |values, meant| Row { values, meant, counts: 1.0 };
        let rows = vec![row(vec![(0, 1.0)], true), row(vec![(0, 2.0), (1, -1.0)], false), row(vec![(1, 3.0)], true)];
        let model = learn(&rows, 2);
        let mut at = model.weights.clone();
        at.push(model.bias);
        let (_, slope) = loss(&rows, &at);
        assert!(slope.iter().all(|one| one.abs() < 0.01), "{slope:?}");
    }
}
