//! Wishes behind a question or a statement.

use super::*;

pub(super) const READ: Forms = &[
    (
        "-D",
        &[
            "Why is {D} public? Make it internal.",
            "Why is {D} public? Please make it internal.",
            "Why is {D} public? Please hide it.",
            "Why is {D} public? It should be internal.",
            "Why is {D} public? This should be internal.",
            "Why is {D} public? Should be internal.",
            "Why is {D} public? Hide, please.",
            "Why do we expose {D}? Please hide it.",
            "Why do we expose {D}? It should not be public.",
            "Why can I see {D}? Please make it internal.",
            "Who needs {D}? Please hide it.",
            "Who calls {D}? Nobody. Please hide it.",
            "Does anybody need {D}? No. Hide it.",
            "Do we need {D} in the public API? No, please hide it.",
            "Is {D} meant to be public? I don't think so, please hide it.",
            "Is {D} public on purpose? It should not be.",
            "Shouldn't {D} be internal? Please change.",
            "Shouldn't {D} be internal? Please fix.",
            "Shouldn't {D} be hidden? Please do.",
            "Isn't {D} only for the portal? Please hide it.",
            "What is {D} for? Customers never call it. Make it internal.",
            "{D} is public. It should not be.",
            "{D} is public. Please change that.",
            "{D} is public but should be internal.",
            "{D} is still public. Please hide it.",
            "I can see {D} in IntelliSense. Please hide it.",
            "{D} leaks an implementation detail. Please hide.",
            "{D}?! Hide it, please.",
            "Can {D} be internal? Yes, so please do it.",
            "{D} is not for customers. -> internal",
        ],
    ),
    (
        "T",
        &[
            "What is {T}? {T2}!",
            "Why {T}? {T2} please.",
            "Why {T}? {T2} would be better, please rename.",
            "Why is it called {T}? Please rename it to {T2}.",
            "Why is this called {T}? It should be {T2}.",
            "Why is the model named {T}? It should be {T2}.",
            "Why {T} and not {T2}? Please rename.",
            "Why not {T2}? {T} is a verb, please change it.",
            "Shouldn't {T} be {T2}? Please change.",
            "Shouldn't {T} be {T2}? Please change it.",
            "Shouldn't {T} be called {T2}? Please rename.",
            "Shouldn't {T} be called {T2}? Please fix.",
            "Wouldn't {T2} be a better name than {T}? Please rename it.",
            "Isn't {T} a verb? Please rename to {T2}.",
            "Isn't {T} a verb? {T2} please.",
            "What does {T} mean? Please call it {T2}.",
            "What does {T} mean? I think it should be {T2}.",
            "Did we really name it {T}? Please use {T2}.",
            "Who came up with {T}? Let's call it {T2}.",
            "{T}? {T2}, please.",
            "{T}? Should be {T2}.",
            "{T}?? Please rename to {T2}.",
            "{T}... should be {T2}",
            "{T} - what is that? Rename to {T2}.",
            "Hm, {T}. I'd say {T2}. Please change it.",
            "Can we rename {T}? To {T2}, please.",
            "Can {T} be renamed? {T2} would be good.",
            "Could we have a better name for {T}? {T2} please.",
            "{T} sounds like a method. {T2}, please.",
            "{T} sounds like a method. Rename to {T2}?",
            "{T} sounds like a method; should be {T2}.",
            "{T} sounds like a method, should be {T2}.",
            "{T} sounds like a method => {T2}",
            "{T} sounds like a method, so {T2} please",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "Is {D} needed in the public API? If not hide it.",
        "Is {D} needed in the public API? If not, please make it internal.",
        "Does anybody call {D}? If nobody does, hide it.",
        "Why is {D} public?",
        "Why is {D} public? Just curious.",
        "Should {D} be internal?",
        "Shouldn't {D} be internal?",
        "Why is {D} internal in Java? It should be public there.",
        "Why is {D} public? Because customers need it. Don't hide it.",
        "Why hide {D}? It is useful.",
        "Why should we hide {D}? Keep it.",
        "What is {T}? I could not find {T2} either.",
        "Why {T}? Why not {T2}?",
        "Why would we rename {T} to {T2}? Leave it.",
        "What is {T}? A {T2}?",
        "Is {T} the same as {T2}? Please clarify.",
        "Is {T} right? Otherwise rename it to {T2}.",
        "Shouldn't {T} be {T2}? No, leave it.",
        "Shouldn't {T} be {T2}? Please check with Ana.",
        "Shouldn't {T} be {T2}? Please change it if Ana agrees.",
        "Shouldn't {D} be hidden? Please do not.",
        "Shouldn't {D} be hidden? Please change the docs.",
        "Is {D} internal? Please do.",
        "Should we hide {D}? Please fix the retry policy first.",
        "{D}? Depends on whether the portal uses it. Hide it then.",
    ],
)];

#[test]
fn wishes_behind_questions_are_read() {
    assert_read(READ, 80);
}

#[test]
fn questions_without_a_wish_are_left() {
    assert_read(HELD, 100);
}
