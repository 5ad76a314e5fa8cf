//! The sentences of a text: where one ends.

use super::super::lexicon as words;
use super::super::token::{Kind, Token, tokenize};
use super::beside::wishes_beside;
use std::ops::Range;

/// The sentences of a text: ended by a sign, or by the end of a line that does not go on.
pub(in crate::reader) fn sentence_spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    let tokens = tokenize(text);
    let marks = numbered(&tokens);
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if let Some(mark) = marks.iter().find(|mark| mark.contains(&at)) {
            if mark.start == at && token.span.start > start {
                spans.push(start..token.span.start);
            }
            start = token.span.end;
            continue;
        }
        match token.kind {
            Kind::Sign('{') => depth = depth.saturating_add(1),
            Kind::Sign('}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 {
            continue;
        }
        let next = tokens.get(at.saturating_add(1));
        let gap = next.map_or("", |next| text.get(token.span.end..next.span.start).unwrap_or_default());
        let ends = ['.', '!', '?', ';', '…'].iter().any(|sign| token.is_sign(*sign));
        // `tl;dr`
        let ends = ends
            && !(token.is_sign(';')
                && next.is_some_and(|next| next.is(&["dr"]))
                && at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.is(&["tl"])));
        // `:)`, `;-)`
        let smiles = token.is_sign(')')
            && (1..3).any(|back| {
                let eyes = at.checked_sub(back).and_then(|before| tokens.get(before));
                eyes.is_some_and(|eyes| {
                    (eyes.is_sign(':') || eyes.is_sign(';')) && token.span.start.saturating_sub(eyes.span.end) < 2
                })
            })
            && next.is_some_and(|next| next.text.starts_with(char::is_uppercase));
        let ends = ends || smiles;
        let spaced = gap.contains(char::is_whitespace) || next.is_none();
        let closing =
            next.is_some_and(|next| ['.', '!', '?', '"', '”', ')', '…'].iter().any(|sign| next.is_sign(*sign)));
        // `…?!"` at the end of a line
        let quoted = gap.contains('\n')
            && ['"', '”'].iter().any(|sign| token.is_sign(*sign))
            && at
                .checked_sub(1)
                .and_then(|before| tokens.get(before))
                .is_some_and(|before| ['.', '!', '?'].iter().any(|sign| before.is_sign(*sign)));
        // `The guideline says: "…." Rename X.`
        let begun = text.get(start..token.span.start).unwrap_or_default();
        let introduced = ['"', '”'].iter().any(|sign| token.is_sign(*sign))
            && begun.trim_end().ends_with(['.', '!', '?'])
            && begun.split_once(['"', '“']).is_some_and(|(before, _)| before.contains(':'))
            && gap == " "
            && next.is_some_and(|next| next.text.starts_with(char::is_uppercase));
        let broken = introduced || quoted || gap.contains('\n') && line_ends(text, token, next);
        // `etc.`, `e.g.`, `resp.` and numbers end no sentence.
        let abbreviation = token.is_sign('.')
            && at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| {
                let numbered = next.is_some_and(|next| next.text.chars().all(|c| c.is_ascii_digit()));
                before.is(&["no", "nr", "fig"]) && numbered
                    || before
                        .is(&["e.g", "i.e", "etc", "resp", "approx", "cf", "vs", "incl", "a.k.a", "mr", "ms", "dr"])
                        && (next.is_some_and(|next| next.text.starts_with(char::is_lowercase) || next.quoted)
                            || before.is(&["e.g", "i.e"]))
            });
        if (ends && spaced && !closing && !abbreviation || broken) && token.span.end > start {
            spans.push(start..token.span.end);
            start = token.span.end;
        }
    }
    if start < text.len() {
        spans.push(start..text.len());
    }
    spans
        .into_iter()
        .filter_map(|span| {
            let part = text.get(span.clone())?;
            let lead = part.len().saturating_sub(part.trim_start().len());
            let start = span.start.saturating_add(lead);
            let end = start.saturating_add(part.trim().len());
            (start < end).then_some(start..end)
        })
        .flat_map(|span| same_behind(text, span))
        .flat_map(|span| wishes_beside(text, span))
        .collect()
}

/// `X -> Y, and the same in Z`: what is asked for once more stands for itself.
fn same_behind(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(span.clone()).unwrap_or_default();
    let tokens = tokenize(part);
    let asked = |end: usize| {
        tokens
            .iter()
            .take(end)
            .any(|token| token.kind == Kind::Arrow || token.is(words::RENAME_PROPER) || token.is(words::HIDING))
    };
    let place = tokens.iter().enumerate().find_map(|(at, token)| {
        let next = tokens.get(at.saturating_add(1))?;
        let same = token.is(&["same", "likewise"]) && next.is(&["in", "for", "on", "with"]);
        let comma =
            (at.saturating_sub(5)..at).rev().find(|&here| tokens.get(here).is_some_and(|token| token.is_sign(',')))?;
        let led =
            tokens.get(comma.saturating_add(1)..at)?.iter().all(|token| token.is_text() && !token.looks_like_name());
        let named = tokens.get(at.saturating_add(2)..)?.iter().any(|token| token.looks_like_name() || token.quoted);
        let short = tokens.len().saturating_sub(at) < 9;
        (same && led && named && short && asked(comma)).then_some((comma, at))
    });
    let bounds = place.and_then(|(comma, at)| Some((tokens.get(comma)?.span.start, tokens.get(at)?.span.start)));
    match bounds {
        Some((end, start)) => {
            vec![span.start..span.start.saturating_add(end), span.start.saturating_add(start)..span.end]
        }
        None => vec![span],
    }
}

/// The marks of a list that stands in one line: `1) … 2) …`, `(1) … (2) …`, `1. … 2. …`.
fn numbered(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut number = 1_usize;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let next = at.saturating_add(1);
        let close = tokens.get(next).filter(|next| next.span.start == token.span.end);
        let bracket = close.is_some_and(|close| close.is_sign(')'));
        let stop = close.is_some_and(|close| close.is_sign('.'))
            && tokens.get(next.saturating_add(1)).is_some_and(|token| !token.is_sign('.'));
        // The first mark of an item that begins with it is gone: `DisplayName -> Title 2) …`
        if marks.is_empty() && token.text == "2" && bracket && at > 0 {
            number = 2;
        }
        if token.text != number.to_string() || !bracket && !stop {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let open = bracket && before.is_some_and(|before| before.is_sign('(') && before.span.end == token.span.start);
        // `version 1.` ends a sentence.
        let free = before.is_none_or(|before| !before.is_text()) || bracket;
        if free {
            marks.push(at.saturating_sub(usize::from(open))..next.saturating_add(1));
            number = number.saturating_add(1);
        }
    }
    if marks.len() > 1 || number == 3 { marks } else { Vec::new() }
}

/// Whether a line break is the end of a sentence.
fn line_ends(text: &str, token: &Token, next: Option<&Token>) -> bool {
    let field =
        text.get(..token.span.end).and_then(|before| before.lines().last()).and_then(|line| line.split_once(':'));
    if field.is_some_and(|(label, _)| words::STANDINGS.contains(&label.trim().to_lowercase().as_str())) {
        return true;
    }
    let start = text.get(..token.span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at.saturating_add(1));
    let length = token.span.end.saturating_sub(start);
    let Some(next) = next else { return true };
    let line_above = text.get(start..token.span.end).unwrap_or_default();
    let line_below = text.get(next.span.start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    if is_command(line_above) && is_command(line_below) && ends_with_a_thing(token) {
        return true;
    }
    let goes_on = next.text.starts_with(char::is_lowercase) && next.kind == Kind::Word && !next.quoted;
    let opens = token.is_sign(',') || token.is(OPENING) || stands_apart(text.get(token.span.end..).unwrap_or_default());
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let arrow = ["->", "→", "=>"].iter().any(|arrow| line.contains(arrow)) && next.kind != Kind::Arrow;
    let record = super::super::token::is_name_shaped(&next.text)
        || next.text.chars().any(|c| c.is_ascii_digit()) && next.text.starts_with(char::is_uppercase);
    arrow || !goes_on && !opens && (length < 60 || record) && next.kind != Kind::Arrow
}

/// Words that no sentence ends with.
const OPENING: &[&str] = list! {
    "to" "the" "a" "an" "of" "in" "and" "or" "for" "as" "be" "with" "is" "are" "has" "have" "holds" "contains" "into"
    "from" "called" "named" "both" "namely" "than"
};

/// Whether what follows is a name on a line of its own between empty lines, and the sentence behind it: `a client`, then
/// `FooClient`, then `with getFoo`.
fn stands_apart(rest: &str) -> bool {
    let mut lines = rest.split('\n').skip(1);
    let (above, name, below, after) = (lines.next(), lines.next(), lines.next(), lines.next());
    let empty = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    let named = name.is_some_and(|name| name.starts_with("  ") && crate::names::is_identifier(name.trim()));
    named && empty(above) && empty(below) && after.is_some_and(|after| after.starts_with(char::is_lowercase))
}

/// Whether a line begins as a command does: `hide deleteWidget`, `please also rename A to B`.
fn is_command(line: &str) -> bool {
    const POLITE: [&str; 4] = ["also", "and", "please", "then"];
    const COMMANDS: [&str; 9] = ["change", "expose", "hide", "make", "mark", "move", "remove", "rename", "unhide"];
    let mut words = line.split_whitespace().map(|word| word.trim_end_matches([',', ':']).to_lowercase());
    words.find(|word| !POLITE.contains(&word.as_str())).is_some_and(|word| COMMANDS.contains(&word.as_str()))
}

/// Whether a line may end behind this: a name or a language, and no word that wants another behind it, as `do not` does.
fn ends_with_a_thing(token: &Token) -> bool {
    token.quoted
        || super::super::token::is_name_shaped(&token.text)
        || token.text.starts_with(char::is_uppercase)
        || token.is(&[
            "client",
            "go",
            "internal",
            "java",
            "javascript",
            "library",
            "package",
            "please",
            "private",
            "python",
            "sdk",
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        sentence_spans(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn commands_one_below_the_other_are_sentences_of_their_own() {
        for text in [
            "hide the operation deleteWidget from the Python SDK\nhide the operation deletePart from the Python SDK",
            "hide deleteWidget\nrename Widget to Gadget",
            "please hide `delete_widget`\nplease hide `delete_part`",
            "make deleteWidget internal\nalso make deletePart internal",
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(sentences(text), lines, "{text}");
        }
    }

    #[test]
    fn line_that_wants_another_behind_it_goes_on() {
        for text in [
            "hide deleteWidget but do not\nhide deletePart",
            "we were asked not to\nhide deletePart",
            "hide deleteWidget unless you\nmake it public",
            "the operation that people call to\nremove a widget is deleteWidget",
        ] {
            assert_eq!(sentences(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn orders_that_nothing_else_holds_for_together_stand_each_for_itself() {
        let text = "please rename Widget to Gadget, and\nhide deletePart and move getPart to Widgets";
        let orders = ["please rename Widget to Gadget", "hide deletePart", "move getPart to Widgets"];
        assert_eq!(sentences(text), orders);
        for text in [
            "rename Widget to Gadget and hide deletePart in Python",
            "rename Widget to Gadget and hide deletePart if the board agrees",
            "rename Widget to Gadget and do not hide deletePart",
            "the tests rename Widget to Gadget and hide deletePart",
            "hide deletePart and deleteWidget",
        ] {
            assert_eq!(sentences(text).len(), 1, "{text}");
        }
    }
}
