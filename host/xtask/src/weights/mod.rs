//! What the reader of requests weighs renames with: learned from requests of which people said what they mean.
//!
//! A directory holds the requests of one author: `requests.yaml`, in which each has an `id` and what is expected of it, and
//! `pairs/<id>.jsonl`, which a program built with `--features bailiwick-mechanic/training` writes about the request when
//! `BAILIWICK_TRAINING` names that file. The second step is learned from what the first says of authors that it has not seen.
//! What the rules read right without weights, above all the requests of the reader's own tests, teaches the first step that it is
//! meant: `BAILIWICK_TRAINING=FILE cargo test -p bailiwick-mechanic --features training --lib -- --skip frames_of`.

mod examples;
mod learn;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use crate::process::say;
use crate::repository;
use examples::{Example, SECOND};
use learn::{Model, Row, learn};

/// How strongly examples count against small weights: of people, of the reader's own tests, and in the second step.
const FIRST: f64 = 0.3;
const OWN: f64 = 0.09;
const LAST: f64 = 1.0;
/// What is said of fewer pairs, or by fewer authors, teaches nothing.
const SELDOM: usize = 5;
const AUTHORS: usize = 3;
/// A smaller weight changes nothing.
const SMALLEST: f64 = 0.02;
/// In how many parts the authors are for the second step, each scored by what the others teach.
const PARTS: usize = 7;

/// Learns the weights of the reader.
#[derive(Args)]
pub(crate) struct Weights {
    /// Directories of labelled requests, one for each author.
    #[arg(required = true)]
    authors: Vec<PathBuf>,
    /// What was written about requests that the rules read right.
    #[arg(long)]
    read: Option<PathBuf>,
}

/// Learns weights and writes them into the reader.
///
/// # Errors
/// When a directory cannot be read, or holds no pair that is meant.
pub(crate) fn run(arguments: &Weights) -> Result<()> {
    let authors: Vec<Vec<Example>> = arguments.authors.iter().map(|one| examples::read(one)).collect::<Result<_>>()?;
    let own = arguments.read.as_deref().map(examples::read_by_rules).transpose()?.unwrap_or_default();
    let count = |meant: bool| authors.iter().flatten().filter(|one| one.meant == meant).count();
    ensure!(count(true) > 0 && authors.len() > 1, "there are no renames of two authors to learn from");
    say(format!("learning from {} pairs of people, of which {} are meant", count(true) + count(false), count(true)));
    let kept = kept(&authors);
    let mut second = Vec::new();
    for part in 0..PARTS.min(authors.len()) {
        let (unseen, others): (Vec<_>, Vec<_>) =
            authors.iter().enumerate().partition(|(author, _)| author % PARTS == part);
        let model = first(&kept, others.iter().flat_map(|(_, pairs)| pairs.iter()), &own);
        for (_, pairs) in unseen {
            let scores: Vec<f64> = pairs.iter().map(|one| score(&kept, &model, one)).collect();
            second.extend(examples::rivals(pairs, &scores, LAST));
        }
    }
    let last = learn(&second, SECOND.len());
    let text = written(&kept, &first(&kept, authors.iter().flatten(), &own), &last);
    let path = repository::root().join("host/mechanic/src/reader/weigh/weights.txt");
    std::fs::write(&path, text)?;
    say(format!("wrote {}", path.display()));
    Ok(())
}

/// What is said of enough pairs of enough authors, in its order.
fn kept(authors: &[Vec<Example>]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, (usize, BTreeSet<usize>)>::new();
    for (author, pairs) in authors.iter().enumerate() {
        for feature in pairs.iter().flat_map(|one| &one.features) {
            let (count, by) = counts.entry(feature).or_default();
            *count += 1;
            by.insert(author);
        }
    }
    let enough = counts.into_iter().filter(|(_, (count, by))| *count >= SELDOM && by.len() >= AUTHORS);
    enough.map(|(feature, _)| feature.to_owned()).collect()
}

fn first<'a>(kept: &[String], pairs: impl Iterator<Item = &'a Example>, own: &[Example]) -> Model {
    let row = |one: &Example, counts| Row { values: columns(kept, one), meant: one.meant, counts };
    let rows: Vec<Row> = pairs.map(|one| row(one, FIRST)).chain(own.iter().map(|one| row(one, OWN))).collect();
    learn(&rows, kept.len())
}

fn columns(kept: &[String], example: &Example) -> Vec<(usize, f64)> {
    let column = |feature: &String| kept.binary_search(feature).ok().map(|at| (at, 1.0));
    example.features.iter().filter_map(column).collect()
}

fn score(kept: &[String], model: &Model, example: &Example) -> f64 {
    model.score(&columns(kept, example)).clamp(-examples::MOST, examples::MOST)
}

fn written(kept: &[String], first: &Model, last: &Model) -> String {
    let mut text = String::new();
    let mut line = |what: &str, worth: f64| {
        let _ = writeln!(text, "{what}\t{worth:.3}");
    };
    line("first", first.bias);
    line("second", last.bias);
    SECOND.iter().zip(&last.weights).for_each(|(what, worth)| line(&format!("second {what}"), *worth));
    let worth = kept.iter().zip(&first.weights).filter(|(_, worth)| worth.abs() >= SMALLEST);
    worth.for_each(|(what, worth)| line(what, *worth));
    text
}
