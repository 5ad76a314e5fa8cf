//! The last step for renames: learns its trees, and says how many renames of authors whom they have not seen they would do.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Result, ensure};

use super::PARTS;
use super::boost::{Boosted, Known, learn};
use super::examples::Example;
use crate::process::say;
use crate::repository;

/// From which probabilities on the table says what would be done.
const LIMITS: [f64; 7] = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9];

/// Learns the trees and writes them into the reader.
///
/// # Errors
/// When the authors rename nothing, or the file cannot be written.
pub(super) fn run(authors: &[Vec<Example>]) -> Result<()> {
    let of_renames = |pairs: &[Example]| -> Vec<Known> {
        let renames = pairs.iter().filter(|one| one.aim == "rename");
        renames.map(|one| Known { values: one.columns.values().copied().collect(), meant: one.meant }).collect()
    };
    let known: Vec<Vec<Known>> = authors.iter().map(|pairs| of_renames(pairs)).collect();
    let all: Vec<&Known> = known.iter().flatten().collect();
    let meant = all.iter().filter(|row| row.meant).count();
    ensure!(meant > 0 && meant < all.len(), "no request of these authors asks for a rename");
    say(format!("learning trees from {} pairs of {} authors, of which {meant} are meant", all.len(), authors.len()));
    let mut done: BTreeMap<&str, [(usize, usize); LIMITS.len()]> = BTreeMap::new();
    for part in 0..PARTS.min(authors.len()) {
        let others = known.iter().enumerate().filter(|(author, _)| author % PARTS != part);
        let learned = learn(&others.flat_map(|(_, rows)| rows).collect::<Vec<_>>());
        authors.iter().skip(part).step_by(PARTS).for_each(|pairs| judge(&learned, pairs, &mut done));
    }
    for (rules, counts) in &done {
        for (limit, (right, wrong)) in LIMITS.iter().zip(counts) {
            say(format!("{rules:<8} from {limit:.2} on: {right} right, {wrong} wrong"));
        }
    }
    let columns = authors.iter().flatten().find(|one| one.aim == "rename").map(|one| &one.columns);
    let columns: Vec<String> = columns.into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let path = repository::root().join("host/mechanic/src/reader/weigh/trees.txt");
    std::fs::write(&path, learn(&all).written(&columns))?;
    say(format!("wrote {}", path.display()));
    Ok(())
}

/// Counts what would be done: the likeliest name of each thing, by what the rules say of it.
fn judge<'a>(learned: &Boosted, pairs: &'a [Example], done: &mut BTreeMap<&'a str, [(usize, usize); LIMITS.len()]>) {
    let likely = |one: &Example| learned.probability(&one.columns.values().copied().collect::<Vec<f64>>());
    let mut renames: Vec<(f64, &Example)> =
        pairs.iter().filter(|one| one.aim == "rename").map(|one| (likely(one), one)).collect();
    renames.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut things = HashSet::new();
    for (likely, one) in renames {
        if !things.insert((one.request, &one.target)) {
            continue;
        }
        let holds = |column: &str| one.columns.get(column) == Some(&1.0);
        let rules = if holds("done") {
            "done"
        } else if holds("open") {
            "open"
        } else {
            "unread"
        };
        for (limit, count) in LIMITS.iter().zip(done.entry(rules).or_default()) {
            if likely >= *limit {
                let of = if one.meant { &mut count.0 } else { &mut count.1 };
                *of += 1;
            }
        }
    }
}
