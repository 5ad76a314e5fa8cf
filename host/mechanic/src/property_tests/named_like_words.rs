//! A specification may declare things that are named like the words of a request. What a request means without them it
//! means with them, or it is not certain any more.

use proptest::prelude::*;
use proptest::sample::select;

use super::choices::choices;
use super::sentences::sentence;
use super::{cases, edit};
use crate::{request, sample, words};
use bailiwick_sdk::tasks::{ClientView, Entity, EntityKind};

fn known_words() -> Vec<&'static str> {
    let few = [
        "hide",
        "rename",
        "renamed",
        "to",
        "as",
        "into",
        "of",
        "is",
        "be",
        "been",
        "should",
        "not",
        "from",
        "for",
        "internal use",
        "name",
    ];
    [
        words::FILLERS,
        words::SDK_NOUNS,
        words::KIND_NOUNS,
        words::INTERNAL,
        words::VISIBLE,
        words::OTHER_VERBS,
        words::SURFACE_NOUNS,
        words::PEOPLE,
        &few,
    ]
    .concat()
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn an_entity_named_like_a_word_never_turns_a_request_to_something_else(
        mut choices in choices(), names in proptest::collection::vec(select(known_words()), 1..6), kind in select(&[EntityKind::Operation, EntityKind::Model, EntityKind::Property][..])
    ) {
        let made = sentence(&mut choices);
        let mut index = sample::index();
        for name in names {
            index.entities.push(Entity {
                kind,
                name: name.into(),
                reference: format!("Contoso.WidgetManager.Words.{name}"),
                container: None,
                file: "spec/words.tsp".into(),
                line: 1,
                client: Some(ClientView { name: name.into(), access: bailiwick_sdk::tasks::Access::Public }),
            });
        }
        let text = made.text();
        for item in request::read(&text, made.language, &index) {
            if let Some(edit) = item.outcome.ok().as_ref().and_then(edit) {
                prop_assert_eq!(&edit, &made.intent, "{}", text);
            }
        }
    }
}
