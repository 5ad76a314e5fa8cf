//! Edits `client.tsp`: adds one decorator for one language, or changes the value of the one that is there.

use std::ops::Range;

use super::client_layout::Block;
use super::intents::Intent;
use super::tsp_syntax::{Kind, Statement, statements};
use bailiwick_sdk::tasks::{Customization, CustomizationForm, Language, SpecIndex};

const LIBRARY: &str = "@azure-tools/typespec-client-generator-core";
const NAMESPACE: &str = "Azure.ClientGenerator.Core";

/// A decorator as it shall stand in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoration {
    pub(crate) name: &'static str,
    pub(crate) target: String,
    /// The argument after the target, as source text.
    pub(crate) value: String,
}

/// The decorator that carries out an intent.
pub(crate) fn decoration(intent: &Intent) -> Option<Decoration> {
    match intent {
        Intent::Hide { target } => {
            Some(Decoration { name: "access", target: target.reference.clone(), value: "Access.internal".into() })
        }
        Intent::Rename { target, new } => {
            Some(Decoration { name: "clientName", target: target.reference.clone(), value: format!("\"{new}\"") })
        }
        Intent::Move { target, place, .. } => {
            Some(Decoration { name: "clientLocation", target: target.reference.clone(), value: place.source() })
        }
        Intent::Regroup { .. } | Intent::Refresh { .. } | Intent::Nothing => None,
    }
}

/// A customization that is there already and has a say in what a new one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing<'a> {
    /// Same target, same value, and it covers the language.
    Same,
    /// Ours alone, with another value: the value can be changed.
    Ours(&'a Customization),
    /// It covers the language together with others, or is not an augment decorator.
    Shared(&'a Customization),
    Nothing,
}

pub(crate) fn covers(scope: &str, language: Language) -> bool {
    let token = language.scope_token();
    let parts: Vec<&str> = scope.split(',').map(str::trim).collect();
    if parts.iter().any(|part| part.starts_with('!')) {
        !parts.iter().any(|part| part.trim_start_matches('!').trim() == token)
    } else {
        parts.contains(&token)
    }
}

fn standing<'a>(wanted: &Decoration, index: &'a SpecIndex, language: Language) -> Standing<'a> {
    let mut standing = Standing::Nothing;
    for one in &index.customizations {
        if one.decorator != wanted.name || one.target != wanted.target {
            continue;
        }
        let same = one.arguments.first().is_some_and(|value| is_same_value(value, &wanted.value));
        let Some(scope) = &one.scope else {
            // A decorator for all languages yields to one with a scope.
            if same && standing == Standing::Nothing {
                standing = Standing::Same;
            }
            continue;
        };
        if !covers(scope, language) {
            continue;
        }
        let ours = scope.trim() == language.scope_token() && one.form == CustomizationForm::Augment;
        standing = match (same, ours) {
            (true, _) => Standing::Same,
            (false, true) => Standing::Ours(one),
            (false, false) => return Standing::Shared(one),
        };
    }
    standing
}

/// `Access.internal` and `Azure.ClientGenerator.Core.Access.internal` are one value.
fn is_same_value(a: &str, b: &str) -> bool {
    a == b || (!a.starts_with('"') && a.ends_with(&format!(".{b}")))
}

/// Whether the decorator that an intent takes stands in the file already.
pub(crate) fn stands_already(intent: &Intent, index: &SpecIndex, language: Language) -> bool {
    decoration(intent).is_some_and(|wanted| standing(&wanted, index, language) == Standing::Same)
}

/// Why the file is not edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// What stands in the way, as a sentence.
    pub(crate) issue: String,
    /// The line of it.
    pub(crate) line: u32,
}

/// An edited file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// The decorations that were added or changed; the others stood there already.
    pub(crate) written: Vec<Decoration>,
}

/// The file with the decorations and, behind them, the blocks in it. `content` is `None` when there is no file yet.
pub(crate) fn edit(
    content: Option<&str>,
    wanted: &[Decoration],
    blocks: &[Block],
    index: &SpecIndex,
    language: Language,
    main_file: &str,
) -> Result<Edited, Conflict> {
    let mut written = Vec::new();
    let mut added = Vec::new();
    let mut edits: Vec<Edit> = Vec::new();
    let text = content.unwrap_or_default();
    let found = statements(text);
    for decoration in wanted {
        match standing(decoration, index, language) {
            Standing::Same => continue,
            Standing::Shared(one) => return Err(shared(decoration, one)),
            Standing::Ours(one) => {
                edits.push((value_span(text, &found, decoration, one)?, decoration.value.clone()));
            }
            Standing::Nothing => added.push(decoration),
        }
        written.push(decoration.clone());
    }
    if !added.is_empty() || !blocks.is_empty() {
        let line_ends_in_cr = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let end = if line_ends_in_cr { "\r\n" } else { "\n" };
        let mut lines: Vec<String> = added
            .iter()
            .map(|one| {
                let target = short_target(&one.target, text, &found, index);
                format!("@@{}({target}, {}, \"{}\");", one.name, one.value, language.scope_token())
            })
            .collect();
        for block in blocks {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(block.lines.iter().cloned());
            written.extend(block.decorations.iter().cloned());
        }
        edits.extend(additions(text, &found, &lines, !added.is_empty(), end, main_file));
    }
    // From the back, so that places further forward stay where they are.
    edits.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
    let mut text = text.to_owned();
    for (span, with) in edits {
        text.replace_range(span, &with);
    }
    Ok(Edited { text, written })
}

fn shared(wanted: &Decoration, one: &Customization) -> Conflict {
    let scope = one.scope.as_deref().unwrap_or("every language");
    Conflict {
        issue: format!(
            "`{}` has a `{}` for `{scope}` with the value {}, which other languages share",
            wanted.target,
            wanted.name,
            one.arguments.first().map_or("of its own", String::as_str)
        ),
        line: one.line,
    }
}

fn value_span(
    text: &str,
    found: &[Statement],
    wanted: &Decoration,
    one: &Customization,
) -> Result<Range<usize>, Conflict> {
    let statement = found.iter().find(|statement| {
        let end = statement.line + u32::try_from(text[statement.span.clone()].matches('\n').count()).unwrap_or(0);
        let here = (statement.line..=end).contains(&one.line);
        here && matches!(&statement.kind, Kind::Augment { name, arguments } if name == wanted.name && arguments.len() >= 3)
    });
    match statement.map(|statement| &statement.kind) {
        Some(Kind::Augment { arguments, .. }) => Ok(arguments[1].clone()),
        _ => Err(Conflict {
            issue: format!(
                "the `{}` of `{}` is written in a form that is not edited mechanically",
                wanted.name, wanted.target
            ),
            line: one.line,
        }),
    }
}

/// A reference without the service's namespace, if the file already names things of the same first part that way.
fn short_target(reference: &str, text: &str, found: &[Statement], index: &SpecIndex) -> String {
    let proof = |namespace: &str| {
        let prefix = format!("{namespace}.");
        let short = reference.strip_prefix(&prefix)?;
        let first = short.split(['.', ':']).next()?;
        let proven = found.iter().any(|statement| {
            let Kind::Augment { arguments, .. } = &statement.kind else { return false };
            let Some(target) = arguments.first().map(|span| &text[span.clone()]) else { return false };
            target.split(['.', ':']).next() == Some(first)
                && index.customizations.iter().any(|one| {
                    one.form == CustomizationForm::Augment
                        && one.line >= statement.line
                        && one.target == format!("{prefix}{target}")
                })
        });
        proven.then(|| short.to_owned())
    };
    let mut namespaces: Vec<&String> = index.namespaces.iter().collect();
    namespaces.sort_by_key(|namespace| std::cmp::Reverse(namespace.len()));
    namespaces.into_iter().find_map(|namespace| proof(namespace)).unwrap_or_else(|| reference.to_owned())
}

/// Bytes of the file and what stands in their place.
type Edit = (Range<usize>, String);

/// The insertions that add statements at the end, and what they need at the top.
fn additions(
    text: &str,
    found: &[Statement],
    lines: &[String],
    are_decorators: bool,
    end: &str,
    main_file: &str,
) -> Vec<Edit> {
    let after = |statement: &Statement| line_end(text, statement.span.end);
    let imports: Vec<&Statement> = found.iter().filter(|one| matches!(one.kind, Kind::Import(_))).collect();
    let has_library = imports.iter().any(|one| one.kind == Kind::Import(LIBRARY.into()));
    let usings: Vec<&Statement> = found.iter().filter(|one| matches!(one.kind, Kind::Using(_))).collect();
    let has_using = usings.iter().any(|one| one.kind == Kind::Using(NAMESPACE.into()));

    let mut edits: Vec<Edit> = Vec::new();
    let import = format!("import \"{LIBRARY}\";");
    let using = format!("using {NAMESPACE};");
    let decorators = lines.join(end);
    let body = text.trim_end();
    let body_end = body.len();
    if body.trim_start_matches('\u{feff}').is_empty() {
        let content = format!("import \"./{main_file}\";{end}{import}{end}{end}{using}{end}{end}{decorators}{end}");
        return vec![(body_end..text.len(), content)];
    }
    match (imports.last(), has_library) {
        (_, true) => {}
        (Some(last), false) => edits.push((after(last)..after(last), format!("{end}{import}"))),
        (None, false) => {
            let at = found.first().map_or(body_end, |first| first.span.start);
            edits.push((at..at, format!("import \"./{main_file}\";{end}{import}{end}{end}")));
        }
    }
    if !has_using {
        if let Some(last) = usings.last() {
            edits.push((after(last)..after(last), format!("{end}{using}")));
        } else if let Some(last) = imports.last() {
            let at = after(last);
            match edits.iter_mut().find(|(span, _)| span.start == at) {
                Some((_, inserted)) => inserted.push_str(&format!("{end}{end}{using}")),
                None => edits.push((at..at, format!("{end}{end}{using}"))),
            }
        } else if let Some((_, inserted)) = edits.first_mut() {
            inserted.push_str(&format!("{using}{end}{end}"));
        }
    }
    let follows_its_like = are_decorators
        && found.last().is_some_and(|last| matches!(last.kind, Kind::Augment { .. }) && after(last) == body_end);
    let gap = if follows_its_like { end.to_owned() } else { format!("{end}{end}") };
    let inserted = format!("{gap}{decorators}");
    match edits.iter_mut().find(|(span, _)| span.start == body_end && span.end == body_end) {
        // A file that ends with its imports: both go to one place, in this order.
        Some((_, before)) => before.push_str(&inserted),
        None => edits.push((body_end..body_end, inserted)),
    }
    edits
}

/// The end of the line on which a statement ends, so that a comment behind it stays with it.
fn line_end(text: &str, at: usize) -> usize {
    let line = text[at..].find('\n').map_or(text.len(), |end| at + end);
    at + text[at..line].trim_end().len()
}
