//! Decorators without an effect: an emitter that does not follow one writes the code that it wrote before.

// Any emitter may have generated the code.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;

use bailiwick_sdk::tasks::{Change, ManualGuidance, SpecIndex, TypeSpecChange};

use super::Seen;
use crate::language::{Origin, is_aside};
use crate::response::ChangedFile;
use crate::surface::folded;

/// What a run did to a package.
pub(super) struct Done<'a> {
    /// The decorators that it wrote.
    decorators: &'a [TypeSpecChange],
    /// The lines of generated code, file by file, and how many more there are now of each than before.
    in_files: Vec<(&'a str, i64)>,
    /// The same over all files: a line that only moved to another file is not among them.
    in_all: Vec<(&'a str, i64)>,
}

/// What stands on a line of generated code that changed, where a decorator has an effect.
struct Trace {
    /// The names from before: on any such line, or of a rename on one that is gone.
    old: Vec<String>,
    /// The name that a rename gives, on a line that is new. Some emitters write another one: `imageUri` for `imageUrl`.
    new: Option<String>,
}

impl Seen<'_> {
    /// What a run did that wrote these decorators, and since whose beginning these files differ, those of the package as
    /// `sdk/<path>`.
    pub(super) fn done<'f>(&self, decorators: &'f [TypeSpecChange], files: &'f [ChangedFile]) -> Done<'f> {
        let (mut in_files, mut in_all) = (Vec::new(), BTreeMap::new());
        for file in files {
            let lines = self.changed_lines(file);
            for (line, more) in &lines {
                let count: &mut i64 = in_all.entry(*line).or_default();
                *count = count.saturating_add(*more);
            }
            in_files.extend(lines);
        }
        let is_changed = |(_, count): &(&str, i64)| *count != 0;
        in_files.retain(is_changed);
        Done { decorators, in_files, in_all: in_all.into_iter().filter(is_changed).collect() }
    }

    /// Guidance for a change that the run made in `client.tsp`, and with which no line of generated code changed.
    pub(super) fn without_effect(&self, change: &Change, done: &Done<'_>) -> Option<ManualGuidance> {
        let target = change.target()?;
        let is_of_run = done.decorators.iter().any(|one| one.target == target);
        let trace = self.trace(change).filter(|trace| is_of_run && !trace.old.is_empty())?;
        // An emitter hides a type by moving it as it is to another package. What has another name is seen wherever it lies.
        let lines = if trace.new.is_some() { &done.in_all } else { &done.in_files };
        if lines.iter().any(|(line, count)| trace.is_on(line, *count)) {
            return None;
        }
        Some(ManualGuidance {
            issue: format!(
                "no generated code changed with the decorator on `{target}`: users see what they saw before"
            ),
            files: vec!["spec/client.tsp".to_owned()],
            approach: "take the decorator out again, and change by hand what users see, if they see it".to_owned(),
            reason: "the emitter of this language writes the same code with the decorator and without it".to_owned(),
        })
    }

    fn trace(&self, change: &Change) -> Option<Trace> {
        let old = names(self.before, change.target()?);
        match change {
            Change::Rename { name, .. } => Some(Trace { old, new: Some(folded(name)) }),
            Change::Hide { .. } | Change::Show { .. } | Change::Move { .. } => Some(Trace { old, new: None }),
            _ => None,
        }
    }

    /// The lines of a generated file, and how many more there are now of each than before.
    fn changed_lines<'f>(&self, file: &'f ChangedFile) -> BTreeMap<&'f str, i64> {
        let mut lines: BTreeMap<&str, i64> = BTreeMap::new();
        let path = file.path.strip_prefix("sdk/").filter(|path| !is_aside(path) && self.language.is_source(path));
        for (content, more) in [(&file.before, -1_i64), (&file.after, 1)] {
            let Some((path, content)) = path.zip(content.as_deref()) else { continue };
            if self.language.origin(path, content) == Origin::HandWritten {
                continue;
            }
            for line in std::str::from_utf8(content).unwrap_or_default().lines() {
                let count = lines.entry(line.trim()).or_default();
                *count = count.saturating_add(more);
            }
        }
        lines
    }
}

impl Trace {
    fn is_on(&self, line: &str, count: i64) -> bool {
        let is_part = |one: char| one.is_alphanumeric() || ['_', '$'].contains(&one);
        let says = |name: &String| line.split(|one| !is_part(one)).any(|word| folded(word).contains(name.as_str()));
        match &self.new {
            Some(new) => count > 0 && says(new) || count < 0 && self.old.iter().any(says),
            None => self.old.iter().any(says),
        }
    }
}

/// The folded names that a target, or what it holds, had in the client.
fn names(index: &SpecIndex, target: &str) -> Vec<String> {
    let entities = index.entities.iter().filter(|one| one.reference == target);
    let of_entities = entities.map(|one| one.client.as_ref().map_or(&one.name, |client| &client.name));
    let operations = index.clients.iter().flat_map(|client| {
        let is_held = client.reference.as_deref() == Some(target);
        client.operations.iter().filter(move |one| is_held || one.reference == target || one.source == target)
    });
    of_entities
        .chain(operations.map(|one| &one.name))
        .map(|name| folded(name))
        .filter(|name| !name.is_empty())
        .collect()
}
