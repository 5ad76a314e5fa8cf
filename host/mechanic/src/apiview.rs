//! Review comments of APIView as text: which element, and what is said about it.
//!
//! ```text
//! Line 12: class AnalyzeResult(_Model):
//! ElementId: azure.widget.models.AnalyzeResult
//! Comment: please rename this to WidgetAnalysis
//! ```
//! A comment with its element becomes one item of a list: `` please rename `models.AnalyzeResult` to WidgetAnalysis ``.
//! What is not written so stays as it is and is read as any other text.

use std::borrow::Cow;

use super::clause::looks_like_name;
use super::entities::Lookup;
use super::tokens::{TokenKind, tokenize};

const ELEMENT: &[&str] = &["elementid", "element", "lineid", "definitionid", "id"];
const CONTEXT: &[&str] = &["line", "linetext", "linecontext", "context", "code", "severity", "author", "url"];
const COMMENT: &[&str] = &["comment", "commenttext", "feedback", "remark"];

/// What a line of a comment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said<'a> {
    Element(&'a str),
    Context,
    Comment(&'a str),
}

/// One comment as far as it is read.
#[derive(Debug, Default)]
struct Block<'a> {
    lines: Vec<&'a str>,
    element: Option<&'a str>,
    comment: Option<String>,
    /// Whether the comment goes on in lines without a label.
    open: bool,
}

/// The request with each comment that has an element as an item of a list.
pub(super) fn rewritten<'a>(request: &'a str, lookup: &Lookup<'_>) -> Cow<'a, str> {
    if !request.lines().any(|line| matches!(said(line), Some(Said::Element(_)))) {
        return Cow::Borrowed(request);
    }
    let mut text = String::new();
    let mut block = Block::default();
    for line in request.lines() {
        match said(line) {
            Some(said) => {
                // A label that was there already begins the next comment.
                let again = match said {
                    Said::Element(_) => block.element.is_some(),
                    Said::Comment(_) => block.comment.is_some(),
                    Said::Context => block.comment.is_some() && block.element.is_some(),
                };
                if again {
                    finish(&mut block, &mut text, lookup);
                }
                block.lines.push(line);
                block.open = false;
                match said {
                    Said::Element(element) => block.element = Some(element),
                    Said::Comment(comment) => {
                        block.comment = Some(comment.to_owned());
                        block.open = true;
                    }
                    Said::Context => {}
                }
            }
            None if line.trim().is_empty() => {
                finish(&mut block, &mut text, lookup);
                text.push('\n');
            }
            None if block.open => {
                block.lines.push(line);
                if let Some(comment) = &mut block.comment {
                    comment.push(' ');
                    comment.push_str(line.trim());
                }
            }
            None => {
                finish(&mut block, &mut text, lookup);
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    finish(&mut block, &mut text, lookup);
    Cow::Owned(text)
}

fn finish(block: &mut Block<'_>, text: &mut String, lookup: &Lookup<'_>) {
    let block = std::mem::take(block);
    match (block.element, &block.comment) {
        (Some(element), Some(comment)) => {
            text.push_str("- ");
            text.push_str(&sentence(&named(element, lookup), comment, lookup));
            text.push('\n');
        }
        _ => block.lines.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        }),
    }
}

/// What a line says, if it begins with one of the labels.
fn said(line: &str) -> Option<Said<'_>> {
    let line = line.trim().trim_start_matches(['-', '*', '>', ' ']);
    let (label, rest) = line.split_once(':')?;
    let letters: String = label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let label = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    let rest = rest.trim().trim_matches('*').trim();
    if ELEMENT.contains(&label) && !rest.is_empty() && !rest.contains(' ') {
        Some(Said::Element(rest))
    } else if CONTEXT.contains(&label) {
        Some(Said::Context)
    } else if COMMENT.contains(&label) {
        Some(Said::Comment(rest))
    } else {
        None
    }
}

/// The longest end of an element's id that the specification knows. `M:Azure.Widget.WidgetClient.Get(System.String)` is
/// a form of ids as well.
fn named(element: &str, lookup: &Lookup<'_>) -> String {
    let element = element.trim_matches(['`', '"', '\'']);
    let element = element.split_once(':').filter(|(kind, _)| kind.len() == 1).map_or(element, |(_, rest)| rest);
    let element = element.split('(').next().unwrap_or(element);
    let parts: Vec<&str> = element.split('.').collect();
    let ends = (0..parts.len()).map(|from| parts[from..].join("."));
    let known = ends.take(16).find(|end| !lookup.find(end).is_empty());
    known.unwrap_or_else(|| (*parts.last().unwrap_or(&element)).to_owned())
}

/// The comment as a sentence that names the element.
fn sentence(element: &str, comment: &str, lookup: &Lookup<'_>) -> String {
    let quoted = format!("`{element}`");
    let mut found = false;
    let words: Vec<String> = comment
        .split_whitespace()
        .map(|word| {
            let inner = word.trim_matches(['.', ',', '!', '?', ';', ':']);
            let instead = match inner.to_lowercase().as_str() {
                "this" | "it" => quoted.clone(),
                "its" => format!("{quoted}'s"),
                _ => return word.to_owned(),
            };
            found = true;
            word.replacen(inner, &instead, 1)
        })
        .collect();
    let text = words.join(" ");
    if found {
        return text;
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(|word| word.trim_end_matches(['.', '!'])).collect();
    match lower.as_slice() {
        ["hide"] => format!("hide {quoted}"),
        ["rename", "to", ..] => format!("rename {quoted} {}", words[1..].join(" ")),
        ["should" | "must" | "needs", ..] => format!("{quoted} {text}"),
        ["lgtm", ..] | ["looks", "good", ..] => text,
        _ => {
            let names_something = tokenize(&text).iter().any(|token| {
                let is_name = token.kind == TokenKind::Quoted || token.is_word() && looks_like_name(token);
                is_name && !lookup.find(&token.text).is_empty()
            });
            if names_something { text } else { format!("{text} ({quoted})") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn rewrite(text: &str) -> String {
        let index = sample::index();
        rewritten(text, &Lookup::new(&index)).into_owned()
    }

    #[test]
    fn a_comment_and_its_element_become_a_sentence() {
        for (element, comment, sentence) in [
            (
                "azure.widget.models.AnalyzeResult",
                "Please rename this to WidgetAnalysis.",
                "Please rename `azure.widget.models.AnalyzeResult` to WidgetAnalysis.",
            ),
            ("Azure.Widget.AnalyzeResult", "Rename to WidgetAnalysis", "rename `AnalyzeResult` to WidgetAnalysis"),
            (
                "M:Azure.Widget.Widgets.DeleteWidget(System.String)",
                "should be internal",
                "`Widgets.DeleteWidget` should be internal",
            ),
            (
                "`azure.widget.models.Widget.display_name`",
                "its name should be title",
                "`azure.widget.models.Widget.display_name`'s name should be title",
            ),
            ("azure.widget.Unknown", "hide", "hide `Unknown`"),
            (
                "azure.widget.models.Part",
                "A better name, please?",
                "A better name, please? (`azure.widget.models.Part`)",
            ),
            ("azure.widget.models.Part", "hide getPart", "hide getPart"),
            ("azure.widget.models.Part", "LGTM", "LGTM"),
        ] {
            let text = format!("Line 12: class X:\nElementId: {element}\nComment: {comment}\n");
            assert_eq!(rewrite(&text), format!("- {sentence}\n"), "{text}");
        }
    }

    #[test]
    fn comments_are_told_apart_by_their_labels_and_blank_lines() {
        let text = "Review of the API:\n\nElement Id: a.Widget\nLine: class Widget\nComment: rename this\n  to Gadget\nElement Id: b.Part\nComment: hide this\n\nhide deleteWidget\n";
        assert_eq!(
            rewrite(text),
            "Review of the API:\n\n- rename `Widget` to Gadget\n- hide `Part`\n\nhide deleteWidget\n"
        );
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in ["hide deleteWidget", "Comment: hide this", "id: x\nnothing", "Element: a b\nComment: hide this\n"]
        {
            assert_eq!(rewrite(text).trim_end(), text.trim_end());
        }
    }
}
