//! What a person is told of a name that users still see.

use bailiwick_sdk::tasks::{Access, ManualGuidance};

/// What is shown, with its place.
pub(super) type Found = (String, String);

/// Guidance for both.
pub(super) fn joined(all: Option<ManualGuidance>, more: Option<ManualGuidance>) -> Option<ManualGuidance> {
    match (all, more) {
        (Some(mut all), Some(more)) => {
            all.issue = format!("{}; {}", all.issue, more.issue);
            all.files.extend(more.files);
            if all.approach != more.approach {
                all.approach = format!("{}; {}", all.approach, more.approach);
            }
            Some(all)
        }
        (all, more) => all.or(more),
    }
}

fn named(found: &[Found]) -> (String, Vec<String>) {
    let mut names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
    names.sort();
    names.dedup();
    (names.join(", "), found.iter().map(|(_, place)| place.clone()).collect())
}

const REASON: &str = "a decorator changes generated code alone, and this is written by hand: what becomes of it is a \
                      decision about the public surface";

/// Of something that was to be hidden.
pub(super) fn still_public(found: &[Found]) -> ManualGuidance {
    let (names, files) = named(found);
    ManualGuidance {
        issue: format!("users still see the hand-written {names}"),
        files,
        approach: format!(
            "remove {names} by hand or make it internal; if users shall go on seeing it, hiding the generated operation or type is \
             all there is to do"
        ),
        reason: REASON.to_owned(),
    }
}

/// Of something that was to have another name, which generated code shows to users or not.
pub(super) fn keeps_its_name(found: &[Found], new: &str, generated: Access) -> ManualGuidance {
    let (names, files) = named(found);
    let (alone, both) = match generated {
        Access::Public => (" alone", ", or leave them where users shall have both names"),
        Access::Internal => ("", ", or leave the name in the specification as it is"),
    };
    ManualGuidance {
        issue: format!("users still see the hand-written {names}, and not `{new}`{alone}"),
        files,
        approach: format!("rename {names} by hand, with what documents it{both}"),
        reason: REASON.to_owned(),
    }
}
