//! Tables, drawn and pasted.

use super::*;

pub(super) const READ: Forms = &[
    (
        "T U",
        &[
            "| Current | Proposed |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Today | Wanted |\n| --- | --- |\n| `{T}` | `{T2}` |\n| `{U}` | `{U2}` |",
            "| Old | New |\n|:--|:--|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Old name | New name | Reason |\n|---|---|---|\n| {T} | {T2} | a verb |\n| {U} | {U2} | too generic |",
            "| Symbol | Action | New name |\n|---|---|---|\n| {T} | rename | {T2} |\n| {U} | rename | {U2} |",
            "| Where | Comment | Suggestion |\n|---|---|---|\n| {T} | a verb | {T2} |\n| {U} | too generic | {U2} |",
            "| # | Name | Should be |\n|---|---|---|\n| 1 | {T} | {T2} |\n| 2 | {U} | {U2} |",
            "| Type | Rename to |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| from | to |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Kind | Current name | Desired name |\n|---|---|---|\n| model | {T} | {T2} |\n| model | {U} | {U2} |",
            "| API | Request |\n|---|---|\n| {T} | rename to {T2} |\n| {U} | rename to {U2} |",
            "| Item | What to do |\n|---|---|\n| `{T}` | Rename to `{T2}` |\n| `{U}` | Rename to `{U2}` |",
            "| Element | Feedback |\n|---|---|\n| {T} | Should be called {T2} |\n| {U} | Should be called {U2} |",
            "| Element | Feedback |\n|---|---|\n| {T} | A verb, please rename to {T2}. |\n| {U} | Too generic, please rename to {U2}. |",
            "| Proposed | Current |\n|---|---|\n| {T2} | {T} |\n| {U2} | {U} |",
            "| New | Old | Why |\n|---|---|---|\n| {T2} | {T} | a verb |\n| {U2} | {U} | too generic |",
            "| Before | After |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Name | Better name |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Existing | Replacement |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Generated name | Preferred name |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Class | Suggested name | Comment |\n|---|---|---|\n| {T} | {T2} | |\n| {U} | {U2} | |",
            "Please apply these renames:\n\n| Current | New |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "Old\tNew\n{T}\t{T2}\n{U}\t{U2}",
            "Current name\tProposed name\tReason\n{T}\t{T2}\ta verb\n{U}\t{U2}\ttoo generic",
            "old name,new name\n{T},{T2}\n{U},{U2}",
            "Please rename as in the sheet:\n\ncurrent,proposed,comment\n{T},{T2},a verb\n{U},{U2},too generic",
            "Old name;New name\n{T};{T2}\n{U};{U2}",
            "Please rename:\n{T},{T2}\n{U},{U2}",
            "Current          Proposed\n{T}    {T2}\n{U}     {U2}",
            "Please rename:\n\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Current | Proposed | Status |\n|---|---|---|\n| {T} | {T2} | approved |\n| {U} | {U2} | approved |",
            "| Current | Proposed | Decision |\n|---|---|---|\n| {T} | {T2} | accepted |\n| {U} | {U2} | accepted |",
            "| Symbol | Change |\n|---|---|\n| {T} | -> {T2} |\n| {U} | -> {U2} |",
            "| Symbol | Issue | Resolution |\n|---|---|---|\n| {T} | a verb | {T2} |\n| {U} | generic | {U2} |",
            "| Name in the SDK | Name we want |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| Model | Client name |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
            "| TypeSpec | SDK name |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        ],
    ),
    (
        "T P",
        &[
            "| Current | Proposed |\n|---|---|\n| {T} | {T2} |\n| {T}.{P} | {P2} |",
            "| Model | Property | New name |\n|---|---|---|\n| {T} | | {T2} |\n| {T} | {P} | {P2} |",
            "| Kind | Old | New |\n|---|---|---|\n| model | {T} | {T2} |\n| property | {P} | {P2} |",
        ],
    ),
    (
        "T -D",
        &[
            "| Symbol | Action | New name |\n|---|---|---|\n| {T} | rename | {T2} |\n| {D} | hide | |",
            "| Symbol | Action | New name |\n|---|---|---|\n| {T} | rename | {T2} |\n| {D} | make internal | - |",
            "| API | Request |\n|---|---|\n| {T} | rename to {T2} |\n| {D} | hide |",
            "| API | Request |\n|---|---|\n| {T} | rename to {T2} |\n| {D} | should be internal |",
            "| Element | Wish |\n|---|---|\n| {T} | call it {T2} |\n| {D} | make internal |",
            "| Where | Comment | Suggestion |\n|---|---|---|\n| {T} | a verb | {T2} |\n| {D} | nobody calls it | make it internal |",
        ],
    ),
    (
        "-D -G",
        &[
            "| Operation | Visibility |\n|---|---|\n| {D} | internal |\n| {G} | internal |",
            "| Operation | Action |\n|---|---|\n| {D} | hide |\n| {G} | hide |",
            "Please hide these:\n\n| Operation | Reason |\n|---|---|\n| {D} | nobody calls it |\n| {G} | only for the portal |",
        ],
    ),
    (
        "T",
        &[
            "| Current | Proposed | Status |\n|---|---|---|\n| {T} | {T2} | approved |\n| {U} | {U2} | rejected |",
            "| Current | Proposed | Status |\n|---|---|---|\n| {T} | {T2} | agreed |\n| {U} | {U2} | done |",
            "| Current | Proposed | OK? |\n|---|---|---|\n| {T} | {T2} | yes |\n| {U} | {U2} | no |",
            "| Symbol | Action | New name |\n|---|---|---|\n| {T} | rename | {T2} |\n| {U} | keep | |",
            "| Current | Proposed |\n|---|---|\n| {T} | {T2} |\n| {U} | no change |",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "These were rejected:\n\n| Current | Proposed |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "Please don't apply these renames:\n\n| Current | New |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "| Old | New | Status |\n|---|---|---|\n| {T} | {T2} | done |\n| {U} | {U2} | rejected |",
        "| Old | New | Status |\n|---|---|---|\n| {T} | {T2} | to be discussed |\n| {U} | {U2} | ? |",
        "| Python | Java |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "| Model | Used in |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "| Model | JSON name |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "| Model | Returned by |\n|---|---|\n| {T} | {O} |\n| {U} | {G} |",
        "| Operation | Visible |\n|---|---|\n| {D} | yes |\n| {G} | yes |",
        "| Operation | Test coverage |\n|---|---|\n| {D} | low |\n| {G} | hidden by mocks |",
        "This is what changed in the last release:\n\n| Old | New |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
        "Please keep these public:\n\n| Operation | Reason |\n|---|---|\n| {D} | samples |\n| {G} | samples |",
        "If legal agrees:\n\n| Old | New |\n|---|---|\n| {T} | {T2} |\n| {U} | {U2} |",
    ],
)];

#[test]
fn tables_are_read() {
    assert_read(READ, 85);
}

#[test]
fn tables_that_ask_for_nothing_are_left() {
    assert_read(HELD, 100);
}
