//! What a later sentence of a request sets aside: a jest, and what was written before an edit.

use std::ops::Range;

use super::document::sentence_spans;
use super::token::{Kind, Token, tokenize};

/// Words that begin a sentence which is meant, after one which is not.
const IN_EARNEST: &[&[&str]] = &[
    &["seriously"],
    &["but", "seriously"],
    &["no", "seriously"],
    &["joking", "aside"],
    &["jokes", "aside"],
    &["all", "jokes", "aside"],
    &["kidding", "aside"],
    &["in", "all", "seriousness"],
    &["to", "be", "serious"],
    &["no", "honestly"],
];
/// Words that label a note which was added to a text.
const EDITS: &[&str] = &["edit", "edited", "update", "updated", "upd"];
/// What is written in addition sets nothing aside.
const MORE: &[&str] = &["also", "additionally", "likewise", "another"];
/// How many words a label may have: `Edited, two hours later:`.
const LABEL: usize = 7;

/// The parts of a request, in bytes, that a later sentence sets aside.
pub(super) fn set_aside(request: &str) -> Vec<Range<usize>> {
    let mut aside = Vec::new();
    for span in sentence_spans(request) {
        let tokens = tokenize(request.get(span.clone()).unwrap_or_default());
        if is_in_earnest(&tokens) {
            aside.push(paragraph_before(request, span.start)..span.start);
        } else if is_edit(&tokens) && !adds(&tokens) {
            aside.push(0..span.start);
        }
    }
    aside
}

/// `Edit: also …`, `Edit: the same for …`
fn adds(tokens: &[Token]) -> bool {
    let mut same = tokens.windows(2).filter(|two| two.first().is_some_and(|first| first.is(&["same"])));
    tokens.iter().any(|token| token.is(MORE))
        || same.any(|two| two.last().is_some_and(|next| next.is(&["for", "in", "with", "applies", "goes"])))
}

fn words(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens.iter().filter(|token| token.is_text())
}

/// `Seriously: …`, and not `Seriously needed.`
fn is_in_earnest(tokens: &[Token]) -> bool {
    let leads = |phrase: &&[&str]| {
        let said = words(tokens).take(phrase.len()).map(|token| token.lower.as_str());
        let same = said.eq(phrase.iter().copied());
        let behind = tokens.iter().skip_while(|token| !token.is_text()).nth(phrase.len());
        same && behind.is_some_and(|token| {
            matches!(token.kind, Kind::Sign(':' | ',' | '.' | '!' | '-' | '…')) || token.is(&["now", "though"])
        })
    };
    IN_EARNEST.iter().any(leads)
}

/// `EDIT: …`, `**Edited, two hours later:** …`, `Update 2: …`, and neither `Update the model: …` nor `edit()`.
fn is_edit(tokens: &[Token]) -> bool {
    let Some(first) = tokens.iter().position(Token::is_text) else { return false };
    let Some(label) = tokens.get(first).filter(|token| token.is(EDITS) && !token.called && !token.quoted) else {
        return false;
    };
    let shouted = label.text.chars().all(char::is_uppercase);
    let rest = || tokens.iter().skip(first.saturating_add(1));
    // `**EDIT** (after lunch): `
    let next = rest().find(|token| !token.is_sign('*') && !token.is_sign('_'));
    let parted = next.is_some_and(|next| {
        matches!(next.kind, Kind::Sign(':' | '(' | ',' | '.' | '-' | '–' | '—'))
            || next.text.starts_with(char::is_numeric)
    });
    let label = || rest().take_while(|token| !token.is_sign(':'));
    let ends = rest().any(|token| token.is_sign(':')) && label().filter(|token| token.is_text()).count() <= LABEL;
    parted && (ends && !label().any(Token::looks_like_name) || shouted)
}

/// Where the paragraph begins that stands at or above a place.
fn paragraph_before(request: &str, at: usize) -> usize {
    let above = request.get(..at).unwrap_or_default().trim_end();
    above.rfind("\n\n").map_or(0, |at| at.saturating_add(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aside(request: &str) -> Vec<&str> {
        set_aside(request).into_iter().map(|part| request[part].trim()).collect()
    }

    #[test]
    fn what_stands_before_an_edit_is_set_aside() {
        for label in ["EDIT:", "Edit (14:20):", "**Edited, two hours later:**", "Update 2:", "**EDIT** (after lunch):"]
        {
            let request = format!("Rename A to B.\n\n{label} C is better.");
            assert_eq!(aside(&request).first(), Some(&"Rename A to B."), "{request}");
        }
        for behind in [
            "Update the samples: they use the old name.",
            "Edit: the same for D, please.",
            "Update `Foo`: it has a typo.",
            "update() stays.",
        ] {
            assert_eq!(aside(&format!("Rename A to B.\n\n{behind}")), Vec::<&str>::new(), "{behind}");
        }
    }

    #[test]
    fn jest_is_set_aside_and_emphasis_is_not() {
        let jest = "Rename X to Y.\n\nOh sure, let us rename A to Thing, too :-)\n\nSeriously now: A should be C.";
        assert_eq!(aside(jest), ["Oh sure, let us rename A to Thing, too :-)"]);
        assert_eq!(aside("Hi. Why not call it r! Joking aside, A should be C."), ["Hi. Why not call it r!"]);
        assert_eq!(aside("Rename A to B. Seriously needed."), Vec::<&str>::new());
    }
}
