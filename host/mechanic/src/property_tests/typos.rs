//! Misspelt words: what cannot be told for certain is not guessed.

use proptest::prelude::*;

use super::choices::{Choices, choices};
use super::sentences::{Role, sentence};
use super::{cases, edits};
use crate::words;

/// One slip of the fingers at one place of a word.
fn slip(word: &str, choices: &mut Choices) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = choices.below(letters.len());
    let other = char::from(b'a' + u8::try_from(choices.below(26)).unwrap());
    match choices.below(4) {
        0 if at + 1 < letters.len() => letters.swap(at, at + 1),
        1 => letters[at] = other,
        2 => letters.insert(at, other),
        _ => {
            letters.remove(at);
        }
    }
    letters.into_iter().collect()
}

fn slips(text: &str, count: usize, choices: &mut Choices) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for _ in 0..count {
        let at = choices.below(words.len());
        if !words[at].is_empty() {
            words[at] = slip(&words[at], choices);
        }
    }
    words.join(" ")
}

/// Whether a text spells the name of what an edit is about.
fn spells(text: &str, edit: &str) -> bool {
    let key = |text: &str| text.replace('_', "").to_lowercase();
    let name = edit.split(' ').nth(1).and_then(|reference| reference.rsplit('.').next()).map(key);
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| Some(key(word)) == name)
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn misspelt_words_never_yield_another_intent(mut choices in choices(), mut more in choices(), count in 1..5_usize) {
        let mut made = sentence(&mut choices);
        for _ in 0..count {
            let at = more.below(made.pieces.len());
            if made.pieces[at].role == Role::Words {
                made.pieces[at].text = slips(&made.pieces[at].text, 1, &mut more);
            }
        }
        let text = made.text();
        for edit in edits(&text, made.language) {
            prop_assert_eq!(&edit, &made.intent, "{}", text);
        }
    }

    #[test]
    fn a_misspelt_target_is_not_taken_for_another(mut choices in choices(), mut more in choices(), count in 1..3_usize) {
        let mut made = sentence(&mut choices);
        for piece in made.pieces.iter_mut().filter(|piece| piece.role == Role::Target) {
            piece.text = slips(&piece.text, count, &mut more);
        }
        let text = made.text();
        for edit in edits(&text, made.language) {
            // Where the slips made the name of something else, that is what was asked for.
            prop_assert!(edit == made.intent || spells(&text, &edit), "{edit}: {text}");
        }
    }

    #[test]
    fn a_misspelt_negation_or_condition_means_guidance(mut choices in choices(), mut more in choices(), gap in any::<usize>()) {
        let made = sentence(&mut choices);
        let stop = more.of(words::MISSPELT_STOPS);
        let misspelt = slip(stop, &mut more);
        // Another word of the language may be what was meant: nobody can tell `now` from a misspelt `not`.
        prop_assume!(!words::FILLERS.contains(&misspelt.as_str()));
        prop_assume!(!made.pieces.iter().any(|piece| piece.text.contains(&misspelt)));
        let reason = ["because", "since", "so that", "due to"].iter().any(|start| made.pieces.last().is_some_and(|piece| piece.text.starts_with(start)));
        let text = made.with(gap % (made.pieces.len() + usize::from(!reason)), &misspelt).text();
        prop_assert_eq!(edits(&text, made.language), Vec::<String>::new(), "{}", text);
    }
}
