//! The same cause in many packages is one line.

use std::collections::{BTreeMap, BTreeSet};

use super::Group;
use crate::verdict::{Cause, JobResult};

type Said = (String, Option<String>, String);

/// Causes by what they have in common, those first that most packages have.
pub(super) fn groups(results: &[JobResult]) -> Vec<Group> {
    let mut found: BTreeMap<Said, (String, usize, BTreeSet<String>)> = BTreeMap::new();
    for result in results {
        for cause in &result.causes {
            let entry = found.entry(said(cause)).or_insert_with(|| (cause.message.clone(), 0, BTreeSet::new()));
            entry.1 += 1;
            entry.2.insert(result.package.clone());
        }
    }
    let mut groups: Vec<Group> = found
        .into_iter()
        .map(|((tool, code, _), (example, times, packages))| Group {
            tool,
            code,
            example,
            times,
            packages: packages.into_iter().collect(),
        })
        .collect();
    groups.sort_by(|one, other| {
        other.packages.len().cmp(&one.packages.len()).then_with(|| one.example.cmp(&other.example))
    });
    groups
}

/// What a cause says without what differs from package to package: names in quotes, paths and numbers.
fn said(cause: &Cause) -> Said {
    let mut common = String::new();
    let mut quoted: Option<char> = None;
    for character in cause.message.chars() {
        match (quoted, character) {
            (Some(end), character) if character == end => quoted = None,
            (None, '\'' | '"' | '`') => {
                quoted = Some(character);
                common.push('…');
            }
            (None, character) => common.push(character),
            _ => {}
        }
    }
    let words = common.split_whitespace().map(|word| {
        if word.contains('/') {
            "…".to_owned()
        } else {
            word.chars().map(|one| if one.is_ascii_digit() { '#' } else { one }).collect::<String>()
        }
    });
    (cause.tool.clone(), cause.code.clone(), words.collect::<Vec<_>>().join(" "))
}
