//! Every sentence of the grammar means what it was made from.

use proptest::prelude::*;

use super::choices::choices;
use super::sentences::sentence;
use super::{asked, cases};

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_sentence_of_the_grammar_yields_the_intent_it_was_made_from(mut choices in choices()) {
        let made = sentence(&mut choices);
        let text = made.text();
        prop_assert_eq!(asked(&text, made.language), Ok(made.intent), "{}", text);
    }
}
