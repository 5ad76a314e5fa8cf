//! What a person is told of a name that users still see.

use bailiwick_sdk::tasks::{Access, Language, ManualGuidance};

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

/// Of something that the specification hides, and that generated code of this language shows all the same.
pub(super) fn made_public(found: &[Found], language: Language) -> ManualGuidance {
    let (names, files) = named(found);
    let (approach, reason) = match language {
        Language::Javascript => (
            "take it out of the client altogether with `--exclude`, if users shall do without it and nothing needs it, or leave it \
             public",
            "`@access` hides it in the client model, and the emitter of this language writes what is hidden as it writes the rest",
        ),
        _ => (
            "look into the customization class for what makes it public, and remove that by hand",
            "a customization changes what the emitter wrote, and what becomes of it is a decision about the public surface",
        ),
    };
    ManualGuidance {
        issue: format!("users still see {names} in generated code, though the specification hides it"),
        files,
        approach: approach.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Of a name that is gone and that hand-written code uses where no check looks.
pub(super) fn still_used(found: &[Found], new: &str) -> ManualGuidance {
    let (names, files) = named(found);
    ManualGuidance {
        issue: format!("hand-written code still uses {names}, which generated code no longer has"),
        files,
        approach: format!("write `{new}` there by hand"),
        reason: "a comment such as `# type: ignore` or a lookup by text hides it from the type checker, and it fails when it runs"
            .to_owned(),
    }
}

/// Of something that was to have another name. Where users see the generated thing as well, it has both.
pub(super) fn keeps_its_name(found: &[Found], new: &str, generated: Access) -> ManualGuidance {
    let (names, files) = named(found);
    let (rest, both) = match generated {
        Access::Internal => (format!(", and not `{new}`"), ", or leave the name in the specification as it is"),
        Access::Public => {
            (format!("; only generated code says `{new}`"), ", or leave them where users shall have both names")
        }
    };
    ManualGuidance {
        issue: format!("users still see the hand-written {names}{rest}"),
        files,
        approach: format!("rename {names} by hand, with what documents it{both}"),
        reason: REASON.to_owned(),
    }
}

/// Of something generated that hand-written code gives a name of its own.
pub(super) fn has_its_own_name(found: &[Found], new: &str) -> ManualGuidance {
    let (names, files) = named(found);
    ManualGuidance {
        issue: format!("users see it as {names}, as hand-written code names it, and not as `{new}`"),
        files,
        approach: format!(
            "rename {names} there by hand, with what documents it, or leave the name in the specification as it is"
        ),
        reason:
            "a decorator changes the name that generated code would have, and hand-written code sets another one: what \
                 users call it is a decision about the public surface"
                .to_owned(),
    }
}

/// A sentence about something that has the former name of an operation.
pub(super) fn former_name(found: &[Found], now: &str) -> String {
    let (names, files) = named(found);
    let places: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
    format!(
        "Decide what users shall call: the hand-written {names} ({}) keeps its name, and generated code calls the operation \
         `{now}`",
        places.join(", ")
    )
}
