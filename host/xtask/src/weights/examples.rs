//! Pairs of a thing and a name, of which people said whether they are meant.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_yaml_ng::Value;

use super::learn::Row;

/// The farthest score from nothing.
pub(super) const MOST: f64 = 11.5;

/// What the second step knows, as the reader calls it.
pub(super) const SECOND: [&str; 14] = [
    "score",
    "done",
    "done*score",
    "open",
    "open*score",
    "other name",
    "other thing",
    "other thing*score",
    "any",
    "kept",
    "thing rival",
    "name rival",
    "gap",
    "done*gap",
];

/// A pair.
pub(super) struct Example {
    request: usize,
    target: String,
    name: String,
    pub(super) features: Vec<String>,
    second: HashMap<String, f64>,
    pub(super) meant: bool,
}

#[derive(Deserialize)]
struct Line {
    request: String,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    target: String,
    name: String,
    features: Vec<String>,
    second: HashMap<String, f64>,
    bare: Vec<String>,
}

/// The pairs of an author, without those that may be done and need not.
///
/// # Errors
/// When the requests or what was written about them cannot be read.
pub(super) fn read(author: &Path) -> Result<Vec<Example>> {
    let path = author.join("requests.yaml");
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let requests: Vec<Value> = serde_yaml_ng::from_str(&text).with_context(|| path.display().to_string())?;
    let mut examples = Vec::new();
    for (number, request) in requests.iter().enumerate() {
        let id = request.get("id").and_then(Value::as_str).unwrap_or_default();
        let Ok(text) = fs::read_to_string(author.join("pairs").join(format!("{id}.jsonl"))) else { continue };
        let lines = text.lines().map(serde_json::from_str).collect::<Result<Vec<Line>, _>>();
        // A part of it may have been read again by itself.
        let Some(line) = lines?.into_iter().max_by_key(|line| line.request.len()) else { continue };
        let (meant, may) = (renames(request.get("expect")), renames(request.get("may")));
        for Pair { target, name, features, second, bare } in line.pairs {
            let is = |list: &[(String, Vec<String>)]| {
                list.iter().any(|(known, names)| *known == target && names.iter().any(|one| bare.contains(one)))
            };
            if is(&may) && !is(&meant) {
                continue;
            }
            let meant = is(&meant);
            examples.push(Example { request: number, target, name, features, second, meant });
        }
    }
    Ok(examples)
}

/// The pairs of requests that the rules read right: lines that a program with the feature `training` wrote.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn read_by_rules(path: &Path) -> Result<Vec<Example>> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut seen = HashSet::new();
    let mut examples = Vec::new();
    for (request, line) in text.lines().enumerate().filter(|(_, line)| seen.insert(*line)) {
        let line: Line = serde_json::from_str(line).with_context(|| path.display().to_string())?;
        let pairs = line.pairs.into_iter().map(|Pair { target, name, features, second, .. }| {
            let meant = second.get("done") == Some(&1.0);
            Example { request, target, name, features, second, meant }
        });
        examples.extend(pairs);
    }
    Ok(examples)
}

/// The renames of a list of actions: what is renamed, and the names that are right, in small letters.
fn renames(actions: Option<&Value>) -> Vec<(String, Vec<String>)> {
    let actions = actions.and_then(Value::as_sequence).into_iter().flatten();
    let rename = actions.filter(|action| action.get("action").and_then(Value::as_str) == Some("rename"));
    rename
        .filter_map(|action| {
            let target = action.get("target")?.as_str()?.to_owned();
            let mut names = Vec::new();
            for field in ["name", "accept"] {
                strings(action.get(field), &mut names);
            }
            Some((target, names))
        })
        .collect()
}

fn strings(value: Option<&Value>, found: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) => {
            found.push(text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase());
        }
        Some(Value::Sequence(list)) => list.iter().for_each(|one| strings(Some(one), found)),
        Some(Value::Mapping(map)) => map.values().for_each(|one| strings(Some(one), found)),
        _ => {}
    }
}

/// The rows of the second step: what it knows of each pair by the scores of the first.
pub(super) fn rivals(examples: &[Example], scores: &[f64], counts: f64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (example, &score) in examples.iter().zip(scores) {
        let best = |rival: &dyn Fn(&Example) -> bool| {
            let rivals = examples.iter().zip(scores).filter(|(one, _)| one.request == example.request && rival(one));
            rivals.map(|(_, score)| *score).fold(-MOST, f64::max)
        };
        let thing = best(&|one| one.name == example.name && one.target != example.target);
        let name = best(&|one| one.target == example.target && one.name != example.name);
        let gap = (thing - score).max(0.0);
        let known = |what: &str| example.second.get(what).copied().unwrap_or_default();
        let row = SECOND.iter().enumerate().map(|(column, what)| {
            let value = match *what {
                "score" => score,
                "thing rival" => thing,
                "name rival" => name,
                "gap" => gap,
                "done*score" => known("done") * score,
                "open*score" => known("open") * score,
                "other thing*score" => known("other thing") * score,
                "done*gap" => known("done") * gap,
                other => known(other),
            };
            (column, value)
        });
        rows.push(Row { values: row.collect(), meant: example.meant, counts });
    }
    rows
}
