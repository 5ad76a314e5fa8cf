//! Sentences that point to what others name.

use super::*;

pub(super) const READ: Forms = &[
    (
        "T",
        &[
            "`{T}` is confusing. It should be `{T2}`.",
            "The model {T} is confusing. This should be {T2}.",
            "The model {T} is confusing. Please rename it to {T2}.",
            "The model {T} is confusing. That should be called {T2}.",
            "{T} is a verb. Can it be {T2}?",
            "{T} is a verb. Could we call it {T2}?",
            "{T} is a verb. Call it {T2}.",
            "{T} is a verb. How about renaming it to {T2}? Please do.",
            "{T} is a verb, which confuses people. We would prefer {T2}.",
            "{T} is a verb. {T2} please.",
            "{T} is a verb. Please use {T2} instead.",
            "{T} is a verb.\n\nPlease rename the model to {T2}.",
            "{T} is a verb.\n\nThe class should be named {T2}.",
            "There is a class {T}. Its name should be {T2}.",
            "I stumbled over {T}. That name makes no sense. Make it {T2}.",
            "I stumbled over {T}. The name makes no sense. {T2} would be clear, please change it.",
            "{T} and {U}: the former should be {T2}, the latter is fine.",
            "We have {T} and {U}. Please rename the former to {T2}.",
            "We have {U} and {T}. Please rename the latter to {T2}.",
            "There are {T} and {U}. The first should be {T2}.",
            "About {T}: this should be {T2}.",
            "About {T}: it should be {T2}.",
            "Regarding {T}. Please rename that one to {T2}.",
            "I looked at {T}. This one should be {T2}.",
            "{T} is not a good name. A better one is {T2}. Please rename it.",
            "{T}: confusing. Rename it to {T2}.",
            "The name of {T} is confusing. It should be {T2}.",
            "The name {T} is confusing. Change it to {T2}.",
        ],
    ),
    (
        "O",
        &[
            "`{O}` is confusing. It should be `{O2}`.",
            "The method {O} is confusing. Please call it {O2}.",
            "{O} does not tell what it does. I'd call it {O2}.",
            "The operation {O} reads like a getter. The name should be {O2}.",
            "We call {O} every day. It should be named {O2}.",
        ],
    ),
    (
        "P",
        &[
            "{T} has a property {P}. It should be {P2}.",
            "{T} has a property {P}. Please rename the property to {P2}.",
            "Look at {T}. Its property {P} should be {P2}.",
            "Look at {T}. Rename its property {P} to {P2}.",
            "Model {T}: its property {P} -> {P2}",
            "The model {T} is fine. Its {P} should be {P2}.",
            "The {P} of {T} is confusing. It should be {P2}.",
            "In {T} there is {P}. Make that {P2}.",
        ],
    ),
    (
        "T U",
        &[
            "{T} and {U} are bad names. The former should be {T2}, the latter {U2}.",
            "{T} and {U} are bad names. The former should be {T2} and the latter should be {U2}.",
            "{T} and {U} are bad names. Please rename the first to {T2} and the second to {U2}.",
            "{T} and {U} are bad names. Please rename them to {T2} and {U2}.",
            "{T} and {U} are bad names. They should be {T2} and {U2}.",
            "{T} is a verb, {U} too generic. Please rename them to {T2} and {U2}.",
            "{T} is a verb. It should be {T2}. {U} is too generic. It should be {U2}.",
            "{T} is a verb. It should be {T2}. Likewise {U} should be {U2}.",
            "Rename {T} to {T2}. Likewise, {U} to {U2}.",
            "Rename {T} to {T2}. Similarly, {U} should be {U2}.",
            "Rename {T} to {T2}. Same for {U}: {U2}.",
            "Rename {T} to {T2}. Same with {U} -> {U2}.",
        ],
    ),
    (
        "-D -G",
        &[
            "Hide {D}. Same for {G}.",
            "Hide {D}. Likewise {G}.",
            "Hide {D}. The same goes for {G}.",
            "Hide {D}. {G} too.",
            "Hide {D}. {G} as well.",
            "Please make {D} internal. Same with {G}.",
            "Please make {D} internal. The same applies to {G}.",
            "Please make {D} internal. Do the same for {G}.",
            "{D} should be internal. So should {G}.",
            "{D} and {G} are only for the portal. Both should be internal.",
            "{D} and {G} are only for the portal. Please hide both.",
            "{D} and {G} are only for the portal. Please hide them.",
            "{D} and {G} are only for the portal. They should not be public.",
            "{D} and {G} are only for the portal. Please make these internal.",
            "{D} is only for the portal, {G} is too. Please hide both of them.",
            "Nobody calls {D} or {G}. Hide them.",
        ],
    ),
    (
        "-D",
        &[
            "{D} is only for the portal. It should be internal.",
            "{D} is only for the portal. Please hide it.",
            "{D} is only for the portal. This should not be public.",
            "{D} is only for the portal. Make that one internal.",
            "{D} is only for the portal. Customers should not see it.",
            "{D} is only for the portal. The method should be internal.",
            "We have {G} and {D}. The latter should be internal.",
            "We have {D} and {G}. Please hide the former.",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "{T} is confusing. It should be documented.",
        "{T} is confusing. It should not be {T2} though.",
        "{T} and {U} are bad names. One of them should be {T2}.",
        "{T} and {U} are bad names. It should be {T2}.",
        "{D} and {G} are alike. One of them should be internal.",
        "{D} is only for the portal. It should stay.",
        "{D} is only for the portal. Should it be internal?",
        "{D} is only for the portal. If it stays so, hide it.",
        "{T} is confusing. I was told it should be {T2}, and I disagree.",
        "{T} is confusing. It used to be {T2}.",
        "{T} is confusing. In Rust it is {T2}.",
        "{T} is confusing. Don't call it {T2} either.",
        "{T} is confusing. {T2} was rejected.",
        "We do not hide {D}. Same for {G}.",
    ],
)];

#[test]
fn sentences_that_point_back_are_read() {
    assert_read(READ, 85);
}

#[test]
fn sentences_that_point_back_and_ask_for_nothing_are_left() {
    assert_read(HELD, 100);
}
