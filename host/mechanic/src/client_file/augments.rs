//! Finds the augment decorators of `client.tsp` in its text, those in namespace blocks included, and tells which of
//! them the compiler's view speaks of.

use std::ops::Range;

use crate::tsp_syntax::{Kind, Statement, block, statements};
use bailiwick_sdk::tasks::{Customization, CustomizationForm};

/// Namespace blocks inside one another that are looked into.
const DEEPEST: usize = 16;

/// `@@name(target, value…, scope);` in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Augment {
    pub(super) name: String,
    /// The statement, from its first `@` to its semicolon.
    pub(super) span: Range<usize>,
    pub(super) target: Range<usize>,
    /// The arguments after the target, the scope included.
    pub(super) arguments: Vec<Range<usize>>,
}

/// All of them, in the order of the text.
pub(super) fn augments(text: &str) -> Vec<Augment> {
    let mut found = Vec::new();
    collect(text, 0..text.len(), 0, &mut found);
    found
}

fn collect(text: &str, range: Range<usize>, depth: usize, found: &mut Vec<Augment>) {
    for Statement { kind, span, .. } in statements(&text[range.clone()]) {
        let moved = |inner: Range<usize>| range.start + inner.start..range.start + inner.end;
        let span = moved(span);
        match kind {
            Kind::Augment { name, arguments } => {
                let mut arguments = arguments.into_iter().map(moved);
                if let Some(target) = arguments.next() {
                    found.push(Augment { name, span, target, arguments: arguments.collect() });
                }
            }
            Kind::Other if depth < DEEPEST => {
                if let Some(inner) = block(text, span).filter(|inner| is_namespace(text, inner.start)) {
                    collect(text, inner, depth + 1, found);
                }
            }
            _ => {}
        }
    }
}

/// Whether the block whose inside begins here is that of a namespace.
fn is_namespace(text: &str, inside: usize) -> bool {
    let head = text[..inside].trim_end_matches('{').rsplit([';', '}', ')', '\n', '{']).next().unwrap_or_default();
    let mut words = head.split_whitespace();
    words.next() == Some("namespace") && words.next().is_some()
}

/// The statement in the text that each customization is, by its place in the list. A customization whose text is not
/// found for certain has none.
pub(super) fn located(text: &str, all: &[Customization]) -> Vec<Option<Augment>> {
    let found = augments(text);
    let of_text: Vec<Key<'_>> = found.iter().map(|one| key_of_text(text, one)).collect();
    let of_index: Vec<Option<Key<'_>>> = all.iter().map(key_of_index).collect();
    of_index
        .iter()
        .enumerate()
        .map(|(at, key)| {
            let key = key.as_ref()?;
            let alike: Vec<usize> = (0..found.len()).filter(|&at| of_text[at] == *key).collect();
            let same = |other: &&Option<Key<'_>>| other.as_ref() == Some(key);
            let before = of_index[..at].iter().filter(same).count();
            let count = of_index.iter().filter(same).count();
            (alike.len() == count).then(|| found[alike[before]].clone())
        })
        .collect()
}

/// A decorator's name and its arguments behind the target.
type Key<'a> = (&'a str, Vec<&'a str>);

fn key_of_text<'a>(text: &'a str, one: &'a Augment) -> Key<'a> {
    // The compiler's view has the name without a namespace: `Legacy.flattenProperty`.
    let name = one.name.rsplit('.').next().unwrap_or(&one.name);
    (name, one.arguments.iter().map(|argument| unquoted(&text[argument.clone()])).collect())
}

fn key_of_index(one: &Customization) -> Option<Key<'_>> {
    if one.form != CustomizationForm::Augment {
        return None;
    }
    let arguments = one.arguments.iter().map(|argument| unquoted(argument));
    Some((&one.decorator, arguments.chain(one.scope.as_deref()).collect()))
}

fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorators_in_namespace_blocks_are_found_and_those_in_comments_and_strings_are_not() {
        let text = "import \"x\";\n@@a(B, \"c\", \"python\");\n/* @@no(A); */\n@useDependency(V.v1)\nnamespace N.M {\n  @@b(C, 1);\n  namespace O { @@c(D,\n    \"\"\"\n    @@no(A);\n    \"\"\", E.f); }\n  interface I { @d(\"x\") op: void; }\n}\nmodel namespaceless { a: string; }\n@@e(F);";
        let found = augments(text);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "e"]);
        assert_eq!(&text[found[1].span.clone()], "@@b(C, 1);");
        assert_eq!(&text[found[2].arguments[1].clone()], "E.f");
    }
}
