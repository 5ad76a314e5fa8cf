//! What becomes of the parameters of an operation that keeps its name.

use std::collections::BTreeMap;

use super::SurfaceChangeKind;

/// A parameter as callers see it, by a name that it keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) required: bool,
}

/// How a signature differs: whether callers break, and each difference in words.
pub(super) fn difference(
    old: &BTreeMap<String, Parameter>,
    new: &BTreeMap<String, Parameter>,
) -> Option<(SurfaceChangeKind, Vec<String>)> {
    let (mut breaking, mut extending) = (Vec::new(), Vec::new());
    for (key, before) in old {
        match new.get(key) {
            None => breaking.push(format!("`{}` is gone", before.name)),
            Some(after) => {
                if after.name != before.name {
                    breaking.push(format!("`{}` is called `{}`", before.name, after.name));
                }
                match (before.required, after.required) {
                    (false, true) => breaking.push(format!("`{}` is required", after.name)),
                    (true, false) => extending.push(format!("`{}` may be left out", after.name)),
                    _ => {}
                }
            }
        }
    }
    for after in new.iter().filter(|(key, _)| !old.contains_key(*key)).map(|(_, after)| after) {
        match after.required {
            true => breaking.push(format!("`{}` is new and required", after.name)),
            false => extending.push(format!("`{}` is new", after.name)),
        }
    }
    let kind = match (breaking.is_empty(), extending.is_empty()) {
        (true, true) => return None,
        (true, false) => SurfaceChangeKind::Extended,
        (false, _) => SurfaceChangeKind::Changed,
    };
    breaking.extend(extending);
    Some((kind, breaking))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(all: &[(&str, &str, bool)]) -> BTreeMap<String, Parameter> {
        let one = |(key, name, required): &(&str, &str, bool)| {
            ((*key).to_owned(), Parameter { name: (*name).to_owned(), required: *required })
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn what_callers_have_to_follow_is_told_from_what_they_may() {
        let old = parameters(&[("a", "a", true), ("b", "b", false), ("c", "c", true)]);
        let new = parameters(&[("a", "x", true), ("b", "b", true), ("d", "d", true), ("e", "e", false)]);
        let (kind, words) = difference(&old, &new).unwrap();
        assert_eq!(kind, SurfaceChangeKind::Changed);
        assert_eq!(
            words,
            ["`a` is called `x`", "`b` is required", "`c` is gone", "`d` is new and required", "`e` is new"]
        );
        let new = parameters(&[("a", "a", false), ("b", "b", false), ("c", "c", true), ("e", "e", false)]);
        let (kind, words) = difference(&old, &new).unwrap();
        assert_eq!(
            (kind, words.as_slice()),
            (SurfaceChangeKind::Extended, ["`a` may be left out", "`e` is new"].map(str::to_owned).as_slice())
        );
        assert_eq!(difference(&old, &old), None);
    }
}
