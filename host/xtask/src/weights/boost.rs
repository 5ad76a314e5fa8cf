//! Boosted decision trees: each tree takes a step of Newton's method down the logistic loss of those before it.

use std::fmt::Write as _;

/// How many trees there are, how much of a step each takes, and how many leaves it has.
const TREES: usize = 150;
const STEP: f64 = 0.06;
const LEAVES: usize = 8;
/// A leaf has so many rows at least.
const FEWEST: usize = 20;
/// How strongly rows count against large leaves.
const RIDGE: f64 = 1.0;
/// The most values at which a column is cut.
const CUTS: usize = 64;

/// What is known of a pair, one value for each column, and whether it is meant.
pub(super) struct Known {
    pub(super) values: Vec<f64>,
    pub(super) meant: bool,
}

#[derive(Debug)]
enum Node {
    Leaf(f64),
    Split { column: usize, at_most: f64, below: usize, above: usize },
}

/// What was learned: the log odds before any tree, and the trees, each of nodes of which the first is the root.
pub(super) struct Boosted {
    start: f64,
    trees: Vec<Vec<Node>>,
}

impl Boosted {
    /// How likely a row is meant, from 0 to 1.
    pub(super) fn probability(&self, values: &[f64]) -> f64 {
        logistic(self.start + self.trees.iter().map(|tree| leaf(tree, values)).sum::<f64>())
    }

    /// As the reader reads it.
    pub(super) fn written(&self, columns: &[String]) -> String {
        let mut text = format!("start\t{:.3}\n", self.start);
        self.trees.iter().for_each(|tree| write(tree, 0, columns, &mut text));
        text
    }
}

fn write(tree: &[Node], at: usize, columns: &[String], text: &mut String) {
    match &tree[at] {
        Node::Leaf(value) => {
            let _ = writeln!(text, "leaf\t{value:.3}");
        }
        Node::Split { column, at_most, below, above } => {
            let _ = writeln!(text, "split\t{}\t{at_most:.3}", columns[*column]);
            write(tree, *below, columns, text);
            write(tree, *above, columns, text);
        }
    }
}

fn leaf(tree: &[Node], values: &[f64]) -> f64 {
    let mut at = 0;
    loop {
        match tree[at] {
            Node::Leaf(value) => return value,
            Node::Split { column, at_most, below, above } => at = if values[column] > at_most { above } else { below },
        }
    }
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Rows with their values as numbers of cuts that lie below them.
struct Binned {
    cuts: Vec<Vec<f64>>,
    /// For each column the number of each row.
    bins: Vec<Vec<u8>>,
    slopes: Vec<f64>,
    curves: Vec<f64>,
}

/// A leaf while its tree grows.
struct Growing {
    node: usize,
    rows: Vec<usize>,
    best: Option<Cut>,
}

/// Where rows are best split.
struct Cut {
    gain: f64,
    column: usize,
    at: usize,
}

/// Learns which rows are meant.
pub(super) fn learn(rows: &[&Known]) -> Boosted {
    let meant = rows.iter().filter(|row| row.meant).count() as f64;
    let start = (meant / (rows.len() as f64 - meant)).ln();
    let columns = rows.first().map_or(0, |row| row.values.len());
    let cuts: Vec<Vec<f64>> = (0..columns).map(|column| cuts(rows, column)).collect();
    let bin = |column: usize, row: &&Known| {
        u8::try_from(cuts[column].partition_point(|cut| row.values[column] > *cut)).unwrap_or(u8::MAX)
    };
    let bins = (0..columns).map(|column| rows.iter().map(|row| bin(column, row)).collect()).collect();
    let mut binned = Binned { cuts, bins, slopes: vec![0.0; rows.len()], curves: vec![0.0; rows.len()] };
    let mut odds = vec![start; rows.len()];
    let mut trees = Vec::new();
    for _ in 0..TREES {
        for (at, row) in rows.iter().enumerate() {
            let likely = logistic(odds[at]);
            binned.slopes[at] = likely - f64::from(u8::from(row.meant));
            binned.curves[at] = likely * (1.0 - likely);
        }
        let tree = binned.tree();
        for (row, odds) in rows.iter().zip(&mut odds) {
            *odds += leaf(&tree, &row.values);
        }
        trees.push(tree);
    }
    Boosted { start, trees }
}

/// Values between those of a column: between each two, or so that about as many rows lie between any two.
fn cuts(rows: &[&Known], column: usize) -> Vec<f64> {
    let mut values: Vec<f64> = rows.iter().map(|row| row.values[column]).collect();
    values.sort_by(f64::total_cmp);
    let mut each = values.clone();
    each.dedup();
    if each.len() > CUTS {
        each = (0..=CUTS).map(|part| values[part * (values.len() - 1) / CUTS]).collect();
        each.dedup();
    }
    // As they are written.
    each.windows(2).map(|two| ((two[0] + two[1]) * 500.0).round() / 1000.0).collect()
}

impl Binned {
    fn tree(&self) -> Vec<Node> {
        let mut tree = vec![Node::Leaf(0.0)];
        let mut leaves = vec![self.growing(0, (0..self.slopes.len()).collect())];
        while leaves.len() < LEAVES {
            let gain = |leaf: &Growing| leaf.best.as_ref().map_or(0.0, |best| best.gain);
            let best = (0..leaves.len()).max_by(|one, other| gain(&leaves[*one]).total_cmp(&gain(&leaves[*other])));
            let Some(leaf) = best.map(|best| leaves.swap_remove(best)) else { break };
            let Some(Cut { column, at, .. }) = leaf.best else {
                leaves.push(leaf);
                break;
            };
            let (below, above) = leaf.rows.iter().partition(|row| usize::from(self.bins[column][**row]) <= at);
            let node = tree.len();
            tree.extend([Node::Leaf(0.0), Node::Leaf(0.0)]);
            tree[leaf.node] = Node::Split { column, at_most: self.cuts[column][at], below: node, above: node + 1 };
            leaves.extend([self.growing(node, below), self.growing(node + 1, above)]);
        }
        for leaf in leaves {
            let (slope, curve) = self.sums(&leaf.rows);
            tree[leaf.node] = Node::Leaf(-STEP * slope / (curve + RIDGE));
        }
        tree
    }

    fn growing(&self, node: usize, rows: Vec<usize>) -> Growing {
        let best = self.best(&rows);
        Growing { node, rows, best }
    }

    fn sums(&self, rows: &[usize]) -> (f64, f64) {
        rows.iter().fold((0.0, 0.0), |(slope, curve), row| (slope + self.slopes[*row], curve + self.curves[*row]))
    }

    fn best(&self, rows: &[usize]) -> Option<Cut> {
        let (slope, curve) = self.sums(rows);
        let worth = |slope: f64, curve: f64| slope * slope / (curve + RIDGE);
        let mut best: Option<Cut> = None;
        for (column, bins) in self.bins.iter().enumerate() {
            let mut sums = vec![(0.0, 0.0, 0_usize); self.cuts[column].len() + 1];
            for row in rows {
                let sum = &mut sums[usize::from(bins[*row])];
                *sum = (sum.0 + self.slopes[*row], sum.1 + self.curves[*row], sum.2 + 1);
            }
            let (mut below, mut bent, mut count) = (0.0, 0.0, 0);
            for (at, sum) in sums.iter().enumerate().take(self.cuts[column].len()) {
                (below, bent, count) = (below + sum.0, bent + sum.1, count + sum.2);
                if count < FEWEST || rows.len() - count < FEWEST {
                    continue;
                }
                let gain = worth(below, bent) + worth(slope - below, curve - bent) - worth(slope, curve);
                if gain > best.as_ref().map_or(1e-9, |best| best.gain) {
                    best = Some(Cut { gain, column, at });
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_together_is_learned_and_what_says_nothing_is_left_out() {
        let rows: Vec<Known> = (0..400)
            .map(|number| {
                let (one, other) = (f64::from(number % 2), f64::from(number / 2 % 2));
                Known { values: vec![one, f64::from(number % 7), other], meant: one != other }
            })
            .collect();
        // Neither of the two says anything alone, so the first cut needs some rows to be more of one kind.
        let rows: Vec<&Known> =
            rows.iter().skip(30).chain(rows.iter().filter(|row| row.values[0] == 1.0).take(20)).collect();
        let learned = learn(&rows);
        let likely = |one: f64, other: f64| learned.probability(&[one, 3.0, other]);
        assert!(likely(1.0, 0.0) > 0.9 && likely(0.0, 1.0) > 0.9);
        assert!(likely(1.0, 1.0) < 0.1 && likely(0.0, 0.0) < 0.1);
        let text = learned.written(&["one".to_owned(), "noise".to_owned(), "other".to_owned()]);
        assert!(text.contains("split\tone\t0.500\n"), "{text}");
    }
}
