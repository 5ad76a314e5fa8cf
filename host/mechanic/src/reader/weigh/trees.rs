//! The last step for renames: decision trees over [`columns`](super::columns), which `cargo xtask weights --trees` learns.

use std::sync::OnceLock;

use super::columns::names;

/// Trees in the order of their nodes: a `split` is followed by the tree of what is at most so much, and then by the other one.
/// The first line is what all trees add to. Columns are called by their names.
const TEXT: &str = include_str!("trees.txt");

#[derive(Debug)]
enum Node {
    /// `above` is where the tree of what is more begins.
    Split {
        column: usize,
        at_most: f64,
        above: usize,
    },
    Leaf(f64),
}

/// Trees of which each adds to the log odds.
#[derive(Debug, Default)]
pub(super) struct Trees {
    start: f64,
    roots: Vec<usize>,
    nodes: Vec<Node>,
}

impl Trees {
    /// The learned ones.
    pub(super) fn get() -> &'static Self {
        static TREES: OnceLock<Trees> = OnceLock::new();
        // A test holds that they can be read.
        TREES.get_or_init(|| Self::parse(TEXT).unwrap_or_default())
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().peekable();
        let start = lines.next()?.strip_prefix("start\t")?.parse().ok()?;
        let mut trees = Self { start, roots: Vec::new(), nodes: Vec::new() };
        while lines.peek().is_some() {
            trees.roots.push(trees.nodes.len());
            trees.read(&mut lines)?;
        }
        Some(trees)
    }

    fn read<'a>(&mut self, lines: &mut impl Iterator<Item = &'a str>) -> Option<()> {
        let (kind, rest) = lines.next()?.split_once('\t')?;
        if kind == "leaf" {
            self.nodes.push(Node::Leaf(rest.parse().ok()?));
            return Some(());
        }
        let (name, at_most) = rest.rsplit_once('\t').filter(|_| kind == "split")?;
        let column = names().iter().position(|one| *one == name)?;
        let at = self.nodes.len();
        self.nodes.push(Node::Leaf(0.0));
        self.read(lines)?;
        let above = self.nodes.len();
        self.read(lines)?;
        *self.nodes.get_mut(at)? = Node::Split { column, at_most: at_most.parse().ok()?, above };
        Some(())
    }

    /// How likely a pair is meant, from 0 to 1.
    pub(super) fn probability(&self, columns: &[f64]) -> f64 {
        let sum: f64 = self.roots.iter().map(|root| self.leaf(*root, columns)).sum();
        1.0 / (1.0 + (-(sum + self.start)).exp())
    }

    fn leaf(&self, mut at: usize, columns: &[f64]) -> f64 {
        // A tree lies behind its root, so this ends.
        while let Some(Node::Split { column, at_most, above }) = self.nodes.get(at) {
            let is_above = columns.get(*column).is_some_and(|value| value > at_most);
            at = if is_above { *above } else { at.saturating_add(1) };
        }
        match self.nodes.get(at) {
            Some(Node::Leaf(value)) => *value,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learned_trees_can_be_read() {
        let trees = Trees::parse(TEXT).expect("each line is a leaf or a split by a known column");
        assert!(trees.roots.len() > 10, "{}", trees.roots.len());
    }

    #[test]
    fn trees_add_up_what_their_leaves_say() {
        let text = "start\t-1\nsplit\tscore\t0.5\nleaf\t-2\nsplit\tdone\t0.5\nleaf\t1\nleaf\t3\nleaf\t0.5\n";
        let trees = Trees::parse(text).unwrap();
        let odds = |score: f64, done: f64| {
            let mut columns = vec![0.0; names().len()];
            columns[0] = score;
            columns[1] = done;
            let likely = trees.probability(&columns);
            ((likely / (1.0 - likely)).ln() * 10.0).round() / 10.0
        };
        assert_eq!(names()[..2], ["score", "done"]);
        assert_eq!([odds(0.0, 1.0), odds(1.0, 0.0), odds(1.0, 1.0)], [-2.5, 0.5, 2.5]);
    }

    #[test]
    fn text_that_is_no_tree_is_not_read() {
        for text in [
            "",
            "start\tx\n",
            "start\t0\nsplit\tscore\t1\nleaf\t1\n",
            "start\t0\nsplit\tnothing\t1\nleaf\t1\nleaf\t2\n",
        ] {
            assert!(Trees::parse(text).is_none(), "{text}");
        }
    }
}
