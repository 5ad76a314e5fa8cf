//! Pairs of a thing and what it may get, of which people said whether they are meant.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_yaml_ng::Value;

use super::learn::Row;

/// The farthest score from nothing.
pub(super) const MOST: f64 = 11.5;

/// What the second step knows, as the reader calls it.
pub(super) const SECOND: [&str; 16] = [
    "score",
    "done",
    "done*score",
    "open",
    "open*score",
    "other name",
    "other thing",
    "other thing*score",
    "other wish",
    "any",
    "kept",
    "unheard",
    "thing rival",
    "name rival",
    "gap",
    "done*gap",
];

/// The kinds of wishes.
pub(super) const AIMS: [&str; 4] = ["rename", "move", "hide", "show"];

/// A pair.
pub(super) struct Example {
    pub(super) aim: String,
    pub(super) request: usize,
    pub(super) target: String,
    name: String,
    pub(super) features: Vec<String>,
    second: HashMap<String, f64>,
    /// What the last step knows of a rename.
    pub(super) columns: BTreeMap<String, f64>,
    pub(super) meant: bool,
}

impl Example {
    /// Whether a thing that gets one cannot get the other.
    fn excludes(&self, other: &Self) -> bool {
        match (self.aim.as_str(), other.aim.as_str()) {
            ("hide", "show") | ("show", "hide") => true,
            (one, other_aim) => one == other_aim && self.name != other.name,
        }
    }
}

#[derive(Deserialize)]
struct Line {
    request: String,
    pairs: Vec<Pair>,
    /// What is said of the whole request.
    whole: Vec<String>,
}

#[derive(Deserialize)]
struct Pair {
    aim: String,
    target: String,
    name: String,
    features: Vec<String>,
    second: HashMap<String, f64>,
    bare: Vec<String>,
    columns: BTreeMap<String, f64>,
}

/// The pairs of an author, without those that may be done and need not.
///
/// # Errors
/// When the requests or what was written about them cannot be read.
pub(super) fn read(author: &Path) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for (number, (request, line)) in lines(author)?.into_iter().enumerate() {
        let (meant, may) = (wishes(request.get("expect")), wishes(request.get("may")));
        for pair in line.pairs {
            if pair.is_in(&may) && !pair.is_in(&meant) {
                continue;
            }
            let meant = pair.is_in(&meant);
            examples.push(pair.example(number, meant));
        }
    }
    Ok(examples)
}

/// What is said of a whole request, and what is expected of it.
pub(super) struct Whole {
    pub(super) features: Vec<String>,
    pub(super) expected: Expected,
}

/// What is expected of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Actions,
    Guidance,
    Nothing,
}

/// The whole requests of an author.
///
/// # Errors
/// As [`read`].
pub(super) fn read_whole(author: &Path) -> Result<Vec<Whole>> {
    let whole = |(request, line): (Value, Line)| {
        let expected = match request.get("expect").and_then(Value::as_str) {
            Some("nothing") => Expected::Nothing,
            Some(_) => Expected::Guidance,
            None => Expected::Actions,
        };
        Whole { features: line.whole, expected }
    };
    Ok(lines(author)?.into_iter().map(whole).collect())
}

/// The requests of an author of which something was written, with that.
fn lines(author: &Path) -> Result<Vec<(Value, Line)>> {
    let path = author.join("requests.yaml");
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let requests: Vec<Value> = serde_yaml_ng::from_str(&text).with_context(|| path.display().to_string())?;
    let mut found = Vec::new();
    for request in requests {
        let id = request.get("id").and_then(Value::as_str).unwrap_or_default();
        let Ok(text) = fs::read_to_string(author.join("pairs").join(format!("{id}.jsonl"))) else { continue };
        let lines = text.lines().map(serde_json::from_str).collect::<Result<Vec<Line>, _>>();
        // A part of it may have been read again by itself.
        let Some(line) = lines?.into_iter().max_by_key(|line| line.request.len()) else { continue };
        found.push((request, line));
    }
    Ok(found)
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
        let pairs = line.pairs.into_iter().map(|pair| {
            let meant = pair.second.get("done") == Some(&1.0);
            pair.example(request, meant)
        });
        examples.extend(pairs);
    }
    Ok(examples)
}

/// A wish that people say is meant: its kind, what it is for, and the names or groups that are right, in small letters.
struct Wish {
    aim: String,
    target: String,
    right: Vec<String>,
}

impl Pair {
    fn is_in(&self, wishes: &[Wish]) -> bool {
        let says = |wish: &Wish| match self.aim.as_str() {
            "rename" => wish.right.iter().any(|one| self.bare.contains(one)),
            "move" => wish.right.contains(&plain(&self.name)),
            _ => true,
        };
        wishes.iter().any(|wish| wish.aim == self.aim && wish.target == self.target && says(wish))
    }

    fn example(self, request: usize, meant: bool) -> Example {
        let Self { aim, target, name, features, second, columns, .. } = self;
        Example { aim, request, target, name, features, second, columns, meant }
    }
}

fn wishes(actions: Option<&Value>) -> Vec<Wish> {
    let actions = actions.and_then(Value::as_sequence).into_iter().flatten();
    let wish = |action: &Value| {
        let text = |field| action.get(field).and_then(Value::as_str).map(str::to_owned);
        let mut right = Vec::new();
        for field in ["name", "to", "accept"] {
            strings(action.get(field), &mut right);
        }
        Some(Wish { aim: text("action")?, target: text("target")?, right })
    };
    actions.filter_map(wish).collect()
}

/// Without signs, in small letters.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

fn strings(value: Option<&Value>, found: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) => {
            found.push(plain(text));
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
        let same = |one: &Example| one.aim == example.aim && one.name == example.name;
        let thing = best(&|one| same(one) && one.target != example.target);
        let name = best(&|one| one.target == example.target && example.excludes(one));
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
