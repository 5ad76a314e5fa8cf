//! Two wishes in a sentence, and a wish beside what stays.

use super::*;

pub(super) const READ: Forms = &[
    (
        "T -D",
        &[
            "Rename {T} to {T2} and hide {D}.",
            "Please rename {T} to {T2} and make {D} internal.",
            "{T} should be {T2}, and while you are there make {D} internal.",
            "{T} should be {T2}, and {D} should be internal.",
            "{T} should be called {T2} and {D} should not be public.",
            "Could you rename {T} to {T2} and hide {D}?",
            "Can we rename {T} to {T2} and make {D} internal, please?",
            "We want {T} renamed to {T2} and {D} hidden.",
            "We'd like {T} to be {T2} and {D} to be internal.",
            "Please call {T} {T2} and hide {D}.",
            "Please hide {D} and rename {T} to {T2}.",
            "Hide {D}; rename {T} to {T2}.",
            "{T} -> {T2}, {D} -> internal",
            "{T} -> {T2}; {D} internal please",
            "Rename {T} to {T2}, hide {D}.",
            "Rename {T} to {T2}. Also hide {D}.",
            "Rename {T} to {T2}. While at it, please make {D} internal.",
            "Please rename {T} to {T2}, then hide {D}.",
            "Please rename {T} to {T2} as well as hide {D}.",
            "{T} needs to be {T2} and {D} needs to be internal.",
            "{T} has to become {T2}; {D} has to be hidden.",
            "First, rename {T} to {T2}. Second, hide {D}.",
            "Two things: {T} should be {T2}, and {D} should be internal.",
            "Besides renaming {T} to {T2}, please hide {D}.",
            "In addition to renaming {T} to {T2} please make {D} internal.",
            "Apart from that {D} should be internal. And {T} should be {T2}.",
            "Let's rename {T} to {T2} and hide {D}.",
            "I'd rename {T} to {T2} and hide {D}.",
            "For the next preview, rename {T} to {T2} and hide {D}.",
            "Rename {T} to {T2} + hide {D}",
            "rename {T} to {T2} & make {D} internal",
            "Please rename {T} to {T2} (it is a verb) and hide {D} (nobody calls it).",
            "{T} is a verb, so rename it to {T2}, and hide {D}, which nobody calls.",
            "As discussed: {T} becomes {T2} and {D} becomes internal.",
        ],
    ),
    (
        "T U",
        &[
            "{T} should be {T2} and {U} should be {U2}.",
            "{T} should be {T2} and {U} {U2}.",
            "{T} should be {T2}, {U} should be {U2}.",
            "Please call {T} {T2} and {U} {U2}.",
            "Could you rename {T} to {T2} and {U} to {U2}?",
            "{T} becomes {T2}, {U} becomes {U2}.",
            "Use {T2} instead of {T} and {U2} instead of {U}.",
            "We prefer {T2} over {T} and {U2} over {U}.",
            "Not {T} but {T2}, and not {U} but {U2}.",
            "{T} -> {T2} and {U} -> {U2} please",
            "We'd like {T} to be {T2} and {U} to be {U2}.",
        ],
    ),
    (
        "-D",
        &[
            "Hide {D}; {G} stays.",
            "Hide {D}, {G} stays public.",
            "Hide {D} but keep {G}.",
            "Hide {D} but not {G}.",
            "Please make {D} internal, but leave {G} as it is.",
            "{D} should be internal, {G} should stay public.",
            "{D} should be hidden, not {G}.",
            "Not {G} but {D} should be hidden.",
            "Only {D} should be hidden, {G} is fine.",
            "Please hide {D}. {G} can stay.",
            "Please hide {D} and leave {G} alone.",
            "It is {D} that should be internal, not {G}.",
        ],
    ),
    (
        "T",
        &[
            "Rename {T} to {T2}, but keep {U}.",
            "Rename {T} to {T2}; {U} stays.",
            "{T} should be {T2}, not WidgetReport.",
            "{T} should not be {T} but {T2}.",
            "Rename {T} (not {U}) to {T2}.",
            "Rename {T} to {T2} and leave {U} as it is.",
            "Don't touch {U}, but rename {T} to {T2}.",
            "{U} is fine, {T} should be {T2}.",
            "Keep {U}, rename {T} to {T2}.",
        ],
    ),
    (
        "-D +K",
        &[
            "Hide {D} and make {K} public.",
            "{D} should be internal and {K} should be public.",
            "Swap the visibility: {D} internal, {K} public.",
            "Please hide {D} and expose {K} instead.",
        ],
    ),
    (
        ">L -D",
        &[
            "Move {L} to a new group Catalog and hide {D}.",
            "{L} should be in a new group Catalog, and {D} should be internal.",
            "Please hide {D} and move {L} to a new group Catalog.",
        ],
    ),
    (
        "T P",
        &[
            "Rename {T} to {T2} and its property {P} to {P2}.",
            "Rename {T} to {T2} and {P} to {P2}.",
            "{T} should be {T2}, and its {P} should be {P2}.",
            "Please rename the model {T} to {T2} and the property {P} to {P2}.",
            "{T} -> {T2} and {P} -> {P2}",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "Rename neither {T} to {T2} nor {U} to {U2}.",
        "Don't rename {T} to {T2} and don't hide {D}.",
        "Please neither rename {T} to {T2} nor hide {D}.",
        "If you rename {T} to {T2} and hide {D}, our tests break.",
        "We renamed {T} to {T2} and hid {D} last month.",
        "The proposal to rename {T} to {T2} and hide {D} was rejected.",
        "Either rename {T} to {T2} or hide {D}.",
        "Should we rename {T} to {T2} and hide {D}?",
        "I would not rename {T} to {T2} or hide {D}.",
        "Once the service is GA we can rename {T} to {T2} and hide {D}.",
        "Instead of renaming {T} to {T2}, improve its docs.",
        "Rather than hiding {D}, document it.",
        "{D} stays and {G} stays.",
        "Hide {D} and {G} stays, said Ana.",
        "{T} should be {T2} and that is what Ben wanted, but Ana said no.",
        "Ana wrote that {T} should be {T2}, and {D} should be internal.",
    ],
)];

#[test]
fn several_wishes_are_read() {
    assert_read(READ, 80);
}

#[test]
fn several_things_of_which_nothing_is_asked_are_left() {
    assert_read(HELD, 100);
}
