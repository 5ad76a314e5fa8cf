//! What the reader of requests weighs wishes with: learned from requests of which people said what they mean.
//!
//! A directory holds the requests of one author: `requests.yaml`, in which each has an `id` and what is expected of it, and
//! `pairs/<id>.jsonl`, which a program built with `--features bailiwick-mechanic/training` writes about the request when
//! `BAILIWICK_TRAINING` names that file. The second step is learned from what the first says of authors that it has not seen.
//! The same line says what the whole request is like, from which `--whole` learns whether anything is asked.
//! What the rules read right without weights, above all the requests of the reader's own tests, teaches the first step that it is
//! meant: `BAILIWICK_TRAINING=FILE cargo test -p bailiwick-mechanic --features training --lib -- --skip frames_of`.

mod boost;
mod examples;
mod learn;
mod trees;
mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use crate::process::say;
use crate::repository;
use examples::{AIMS, Example, SECOND};
use learn::{Model, Row, learn};

/// How strongly examples count against small weights: of people who rename or want something else, of which there are fewer
/// examples, of the reader's own tests, and in the second step.
const RENAMED: f64 = 0.3;
const OTHERS: f64 = 1.0;
const OWN: f64 = 0.2;
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
    #[arg(long, conflicts_with = "trees")]
    read: Option<PathBuf>,
    /// Learns the trees of renames alone. The other weights must not have been learned from these authors.
    #[arg(long, conflicts_with = "whole")]
    trees: bool,
    /// Learns whether nothing is asked alone.
    #[arg(long, conflicts_with = "read")]
    whole: bool,
}

/// Learns weights and writes them into the reader.
///
/// # Errors
/// When a directory cannot be read, or holds no pair that is meant.
pub(crate) fn run(arguments: &Weights) -> Result<()> {
    ensure!(arguments.authors.len() > 1, "give the requests of two authors or more");
    if arguments.whole {
        return whole::run(&arguments.authors);
    }
    let authors: Vec<Vec<Example>> = arguments.authors.iter().map(|one| examples::read(one)).collect::<Result<_>>()?;
    let own = arguments.read.as_deref().map(examples::read_by_rules).transpose()?.unwrap_or_default();
    if arguments.trees {
        return trees::run(&authors);
    }
    let mut scores: Vec<Vec<f64>> = authors.iter().map(|pairs| vec![0.0; pairs.len()]).collect();
    let mut learned = Vec::new();
    for aim in AIMS {
        let of_aim = || authors.iter().flatten().filter(|one| one.aim == aim);
        let meant = of_aim().filter(|one| one.meant).count();
        ensure!(meant > 0, "no request of these authors asks for a {aim}");
        say(format!("learning {aim} from {} pairs of people, of which {meant} are meant", of_aim().count()));
        let own: Vec<&Example> = own.iter().filter(|one| one.aim == aim).collect();
        let kept = kept(aim, &authors);
        score_unseen(aim, &kept, &authors, &own, &mut scores);
        let model = first(&kept, of_aim(), &own);
        learned.push((aim, kept, model));
    }
    let mut rows: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for (pairs, scores) in authors.iter().zip(&scores) {
        for (pair, row) in pairs.iter().zip(examples::rivals(pairs, scores, LAST)) {
            rows.entry(&pair.aim).or_default().push(row);
        }
    }
    let mut text = String::new();
    for (aim, kept, model) in &learned {
        let last = learn(rows.get(aim).map_or(&[], Vec::as_slice), SECOND.len());
        text.push_str(&written(aim, kept, model, &last));
    }
    let path = repository::root().join("host/mechanic/src/reader/weigh/weights.txt");
    std::fs::write(&path, text)?;
    say(format!("wrote {}", path.display()));
    Ok(())
}

/// Scores the pairs of each author by what the others teach.
fn score_unseen(aim: &str, kept: &[String], authors: &[Vec<Example>], own: &[&Example], scores: &mut [Vec<f64>]) {
    for part in 0..PARTS.min(authors.len()) {
        let others = authors.iter().enumerate().filter(|(author, _)| author % PARTS != part);
        let model = first(kept, others.flat_map(|(_, pairs)| pairs).filter(|one| one.aim == aim), own);
        for (pairs, scores) in authors.iter().zip(&mut *scores).skip(part).step_by(PARTS) {
            for (pair, to) in pairs.iter().zip(scores).filter(|(pair, _)| pair.aim == aim) {
                *to = score(kept, &model, pair);
            }
        }
    }
}

/// What is said of enough pairs of a kind, in its order.
fn kept(aim: &str, authors: &[Vec<Example>]) -> Vec<String> {
    said_enough(authors.iter().map(|pairs| pairs.iter().filter(move |one| one.aim == aim).map(|one| &one.features)))
}

/// What is said often enough and by enough authors, in its order. Each author gives what is said of each thing.
fn said_enough<'a>(authors: impl Iterator<Item = impl Iterator<Item = &'a Vec<String>>>) -> Vec<String> {
    let mut counts = BTreeMap::<&str, (usize, BTreeSet<usize>)>::new();
    for (author, things) in authors.enumerate() {
        for feature in things.flatten() {
            let (count, by) = counts.entry(feature).or_default();
            *count += 1;
            by.insert(author);
        }
    }
    let enough = counts.into_iter().filter(|(_, (count, by))| *count >= SELDOM && by.len() >= AUTHORS);
    enough.map(|(feature, _)| feature.to_owned()).collect()
}

fn first<'a>(kept: &[String], pairs: impl Iterator<Item = &'a Example>, own: &[&Example]) -> Model {
    let row = |one: &Example, counts| Row { values: columns(kept, &one.features), meant: one.meant, counts };
    let rows: Vec<Row> = pairs
        .map(|one| row(one, if one.aim == "rename" { RENAMED } else { OTHERS }))
        .chain(own.iter().map(|one| row(one, OWN)))
        .collect();
    learn(&rows, kept.len())
}

fn columns(kept: &[String], features: &[String]) -> Vec<(usize, f64)> {
    let column = |feature: &String| kept.binary_search(feature).ok().map(|at| (at, 1.0));
    features.iter().filter_map(column).collect()
}

fn score(kept: &[String], model: &Model, example: &Example) -> f64 {
    model.score(&columns(kept, &example.features)).clamp(-examples::MOST, examples::MOST)
}

fn written(aim: &str, kept: &[String], first: &Model, last: &Model) -> String {
    let mut text = String::new();
    let mut line = |what: &str, worth: f64| {
        let _ = writeln!(text, "{aim}\t{what}\t{worth:.3}");
    };
    line("first", first.bias);
    line("second", last.bias);
    SECOND.iter().zip(&last.weights).for_each(|(what, worth)| line(&format!("second {what}"), *worth));
    let worth = kept.iter().zip(&first.weights).filter(|(_, worth)| worth.abs() >= SMALLEST);
    worth.for_each(|(what, worth)| line(what, *worth));
    text
}
