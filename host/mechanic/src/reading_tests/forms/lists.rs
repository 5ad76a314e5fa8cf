//! Lists whose items say what a sentence above them asks for, and lists of sentences.

use super::*;

pub(super) const READ: Forms = &[
    (
        "T U",
        &[
            "Please rename the following:\n- `{T}` -> `{T2}`\n- `{U}` -> `{U2}`",
            "Please rename the following:\n\n- {T} → {T2}\n- {U} → {U2}",
            "Please rename the following:\n* {T} to {T2}\n* {U} to {U2}",
            "Please rename:\n1. {T}: {T2}\n2. {U}: {U2}",
            "Renames:\n- {T}: {T2}\n- {U}: {U2}",
            "Please rename these two:\n- {T} | {T2}\n- {U} | {U2}",
            "Names we would like to see changed:\n- `{T}` (now `{T2}`)\n- `{U}` (now `{U2}`)",
            "Requested renames:\n- `{T}` (new: `{T2}`)\n- `{U}` (new: `{U2}`)",
            "The following names need to change:\n- {T} => {T2}\n- {U} => {U2}",
            "Naming:\n- [ ] {T} -> {T2}\n- [ ] {U} -> {U2}",
            "A few names should change before GA:\n\n- {T} should be {T2}\n- {U} should be {U2}",
            "Naming feedback\n\n1) `{T}`: should be `{T2}`.\n2) `{U}`: should be `{U2}`.",
            "Please rename {T} to {T2} and {U} to {U2}.",
            "Please rename {T} -> {T2}, {U} -> {U2}.",
            "Renames: {T} -> {T2}, {U} -> {U2}",
            "Renames: {T} to {T2}; {U} to {U2}.",
            "Rename `{T}` and `{U}` to `{T2}` and `{U2}`.",
            "Rename {T} and {U} to {T2} and {U2} respectively.",
            "Please rename the following:\n- {T} -> {T2}\n  - the verb is confusing\n- {U} -> {U2}\n  - says who makes what",
            "Please rename the following:\n- {T} -> {T2} (the verb is confusing)\n- {U} -> {U2} (says who makes what)",
            "Please rename the following:\n- {T} -> {T2}, since the verb is confusing\n- {U} -> {U2}, because it is too generic",
            "Please rename the following:\n- {T} -> {T2} // a verb\n- {U} -> {U2} // too generic",
            "Please rename the following:\n– {T} – {T2}\n– {U} – {U2}",
            "We want these names:\n- {T2} instead of {T}\n- {U2} instead of {U}",
            "We want these names:\n- {T2} (was {T})\n- {U2} (was {U})",
            "Could you please make the following changes?\n- rename {T} to {T2}\n- rename {U} to {U2}",
            "Two things:\n1. The model {T} should be called {T2}.\n2. The model {U} should be called {U2}.",
            "Two nits:\n- {T}: please call it {T2}\n- {U}: please call it {U2}",
            "Models:\n- {T} -> {T2}\n- {U} -> {U2}",
            "## Models\n\n- `{T}` → `{T2}`\n- `{U}` → `{U2}`",
            "### Renames\n\n* `{T}`: `{T2}`\n* `{U}`: `{U2}`",
            "Please apply the following renames:\n{T} -> {T2}\n{U} -> {U2}",
            "Please rename:\n    {T} -> {T2}\n    {U} -> {U2}",
            "As agreed in the review, these get new names:\n- {T} -> {T2}\n- {U} -> {U2}",
            "From the API review:\n- {T} is a verb, please rename to {T2}\n- {U} is too generic, please rename to {U2}",
            "- {T} is a verb. Rename to {T2}.\n- {U} is too generic. Rename to {U2}.",
            "- {T} is a verb. It should be {T2}.\n- {U} is too generic. It should be {U2}.",
        ],
    ),
    (
        "T P",
        &[
            "Please rename the following:\n- {T} -> {T2}\n- {T}.{P} -> {P2}",
            "Renames:\n- model {T} to {T2}\n- property {P} to {P2}",
            "Please rename the following:\n- `{T}` → `{T2}`\n- `{T}.{P}` → `{T2}.{P2}`",
            "Please rename the following:\n- {T} -> {T2}\n  - {P} -> {P2}",
            "In {T}:\n- rename the model to {T2}\n- rename {P} to {P2}",
        ],
    ),
    (
        "O P",
        &[
            "Please rename the following:\n- `{O}` -> `{O2}`\n- `{P}` -> `{P2}`",
            "Please rename:\n- method {O}: {O2}\n- property {P}: {P2}",
            "Names:\n1. {O} → {O2}\n2. {P} (of {T}) → {P2}",
            "Please rename {O} to {O2} and {P} to {P2}.",
        ],
    ),
    (
        "-D -G",
        &[
            "These should not be public:\n- {D}\n- {G}",
            "These should not be public:\n- `{D}`\n- `{G}`",
            "The following methods should be internal:\n\n* `{D}`\n* `{G}`",
            "Please hide the following operations:\n1. {D}\n2. {G}",
            "Please hide the following: {D}, {G}.",
            "Please hide: {D} and {G}",
            "Hide these from the public API:\n- {D}\n- {G}",
            "Make internal:\n- {D}\n- {G}",
            "To hide:\n- {D}\n- {G}",
            "Please make these internal:\n- {D} (nobody calls it)\n- {G} (only for the portal)",
            "Please make these internal:\n- {D}\n  - nobody calls it\n- {G}\n  - only for the portal",
            "Please make these internal:\n- [ ] {D}\n- [ ] {G}",
            "Please make these internal:\n– {D}\n– {G}",
            "The following should not be exposed:\n{D}\n{G}",
            "Should not be exposed: {D}, {G}",
            "`{D}` and `{G}` should not be public.",
            "{D} and {G} should both be internal.",
            "Neither {D} nor {G} should be public.",
            "None of these should be public: {D}, {G}.",
            "- {D}: make internal\n- {G}: make internal",
            "- {D} -> internal\n- {G} -> internal",
            "- {D}: internal\n- {G}: internal",
            "- {D} should be internal, nobody calls it\n- {G} should be internal too",
            "Nobody should call these directly, please hide them:\n- {D}\n- {G}",
            "Customers do not need the following methods. Please hide them.\n\n- {D}\n- {G}",
            "Please remove the following from the public surface:\n- {D}\n- {G}",
        ],
    ),
    (
        "-D -G -L",
        &[
            "Please hide {D}, {G} and {L}.",
            "{D}, {G}, and {L} should be internal.",
            "Hide the following operations: {D}, {G}, {L}",
            "Please hide these operations:\n- {D}, {G}\n- {L}",
        ],
    ),
    (
        ">L >G",
        &[
            "Move these to a new operation group Catalog:\n- {L}\n- {G}",
            "Please move {L} and {G} to a new operation group Catalog.",
            "Please move the following to a new group `Catalog`:\n* `{L}`\n* `{G}`",
            "The following operations should be in a new group Catalog:\n1. {L}\n2. {G}",
            "- move {L} to a new group Catalog\n- move {G} to a new group Catalog",
            "{L} and {G} belong in a new group Catalog.",
            "New group Catalog with:\n- {L}\n- {G}",
        ],
    ),
    (
        "T -D",
        &[
            "- rename {T} to {T2}\n- hide {D}",
            "1. {T} -> {T2}\n2. {D}: internal",
            "Renames:\n- {T} -> {T2}\n\nHide:\n- {D}",
            "## Rename\n- {T} -> {T2}\n\n## Hide\n- {D}",
            "Please rename:\n- {T} -> {T2}\n\nPlease make internal:\n- {D}",
            "Changes:\n- {T} → {T2}\n- {D} → internal",
            "- [ ] {T} should be called {T2}\n- [ ] {D} should be internal",
        ],
    ),
    (
        "T",
        &[
            "Please rename the following:\n- {T} -> {T2}\n- {U} stays as it is",
            "Please rename the following:\n- {T} -> {T2}\n- {U}: no change",
            "- [ ] {T} -> {T2}\n- [x] {U} -> {U2}",
            "Please rename the following:\n- {T} -> {T2}\n- ~~{U} -> {U2}~~",
            "Rename:\n- {T} -> {T2}\n\nKeep:\n- {U}",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "Please do not rename the following:\n- {T} -> {T2}\n- {U} -> {U2}",
        "The following renames were rejected:\n- {T} -> {T2}\n- {U} -> {U2}",
        "The following were renamed in the last release:\n- {T} -> {T2}\n- {U} -> {U2}",
        "We talked about these names and keep the old ones:\n- {T} -> {T2}\n- {U} -> {U2}",
        "If the board agrees, rename the following:\n- {T} -> {T2}\n- {U} -> {U2}",
        "Should we rename these?\n- {T} -> {T2}\n- {U} -> {U2}",
        "These should stay public:\n- {D}\n- {G}",
        "The following are hidden already:\n- {D}\n- {G}",
        "The following should not be hidden:\n- {D}\n- {G}",
        "Do not hide:\n- {D}\n- {G}",
        "Methods with samples:\n- {D}\n- {G}",
        "We could hide these, what do you think?\n- {D}\n- {G}",
        "Keep:\n- {D}\n- {G}",
        "Out of scope:\n- rename {T} to {T2}\n- hide {D}",
        "Not part of this request:\n- {T} -> {T2}\n- {D} -> internal",
        "Ideas for later:\n- {T} -> {T2}\n- hide {D}",
        "Alternatives that we discarded:\n- {T} -> {T2}\n- {T} -> WidgetReport",
        "Options for {T}:\n- {T2}\n- WidgetReport",
        "Should not be renamed:\n- {T}\n- {U}",
        "Not to be touched:\n{D}\n{G}",
        "These methods have samples:\n{D}\n{G}",
    ],
)];

#[test]
fn lists_are_read() {
    assert_read(READ, 90);
}

#[test]
fn lists_that_ask_for_nothing_are_left() {
    assert_read(HELD, 100);
}
