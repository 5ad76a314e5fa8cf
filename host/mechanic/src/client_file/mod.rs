//! Edits `client.tsp` so that some languages see a decorator, or see it no more, and all others what they saw.

mod augments;
mod exclusion;
mod place;
mod wanted;

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::client_layout::Block;
use super::tsp_syntax::{Kind, Statement, statements};
use augments::{Augment, located};
use bailiwick_sdk::scopes::{ScopeArgument, Values};
use bailiwick_sdk::tasks::{CustomizationForm, Decorator, Language, SpecIndex};
use place::{Applied, Place};

pub(crate) use wanted::{Decoration, Wanted, is_done, stands, stands_already, wanted};

/// The package of the decorators that customize clients.
pub(crate) const LIBRARY: &str = "@azure-tools/typespec-client-generator-core";
const NAMESPACE: &str = "Azure.ClientGenerator.Core";

/// Whether a decorator with this scope is for a language.
pub(crate) fn covers(scope: &str, language: Language) -> bool {
    let scope = ScopeArgument::parse(Some(scope));
    Values::of([(&scope, ())]).seen_by(language.scope_token()).is_some()
}

/// Why the file is not edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// What stands in the way, as a sentence.
    pub(crate) issue: String,
    /// The line of it.
    pub(crate) line: u32,
}

/// A decorator that was added, changed or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) target: String,
    /// The scope that it has, or that it had if it is gone; empty for every language.
    pub(crate) scope: String,
}

/// An edited file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// The decorators that changed; the others stood there already.
    pub(crate) written: Vec<Written>,
}

/// The file with what is wanted and, behind it, the blocks in it. `content` is `None` when there is no file yet.
pub(crate) fn edit(
    content: Option<&str>,
    wanted: &[Wanted],
    blocks: &[Block],
    index: &SpecIndex,
    language: Language,
    main_file: &str,
) -> Result<Edited, Conflict> {
    let text = content.unwrap_or_default();
    let found = statements(text);
    let standing = located(text, &index.customizations);
    let mut written = Vec::new();
    let mut edits: Vec<Edit> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for place in places(wanted, index)? {
        let before = Place::new(&place.decorator, &place.target, place.slot.as_deref(), index);
        for one in place.applied.iter().filter(|one| one.origin.is_none()) {
            let target = short_target(&place.target, text, &found, index);
            lines.push(statement(&place.decorator, &target, one));
            written.push(place.written(one));
        }
        for old in &before.applied {
            let new = place.applied.iter().find(|one| one.origin == old.origin);
            if new == Some(old) {
                continue;
            }
            let augment = old.origin.and_then(|at| standing.get(at)).and_then(Option::as_ref);
            let augment = augment.ok_or_else(|| Conflict {
                issue: format!(
                    "the `{}` of `{}` is written in a form that is not edited mechanically",
                    place.decorator, place.target
                ),
                line: old.line,
            })?;
            edits.extend(match new {
                Some(new) => changed(augment, old, new),
                None => vec![removed(text, augment).ok_or_else(|| Conflict {
                    issue: format!(
                        "a directive stands in front of the `{}` of `{}`, and would apply to what follows",
                        place.decorator, place.target
                    ),
                    line: old.line,
                })?],
            });
            written.push(place.written(new.unwrap_or(old)));
        }
    }
    let are_decorators = !lines.is_empty();
    for block in blocks {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(block.lines.iter().cloned());
        written.extend(block.decorations.iter().map(|one| Written {
            name: one.name.to_owned(),
            target: one.target.clone(),
            scope: language.scope_token().to_owned(),
        }));
    }
    if !lines.is_empty() {
        let line_ends_in_cr = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let end = if line_ends_in_cr { "\r\n" } else { "\n" };
        edits.extend(additions(text, &found, &lines, are_decorators, end, main_file));
    }
    // From the back, so that places further forward stay where they are.
    edits.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
    let mut text = text.to_owned();
    for (span, with) in edits {
        text.replace_range(span, &with);
    }
    Ok(Edited { text, written })
}

/// The places that are wanted to change, as they shall be.
fn places(wanted: &[Wanted], index: &SpecIndex) -> Result<Vec<Place>, Conflict> {
    let mut places: Vec<Place> = Vec::new();
    for one in wanted {
        let is_same =
            |place: &Place| place.decorator == one.name && place.target == one.target && place.slot == one.slot;
        let known = places.iter().position(is_same);
        let at = known.unwrap_or_else(|| {
            places.push(Place::new(one.name, &one.target, one.slot.as_deref(), index));
            places.len() - 1
        });
        places[at].change(one)?;
    }
    Ok(places)
}

impl Place {
    fn written(&self, one: &Applied) -> Written {
        let scope = one.scope.clone().unwrap_or_default();
        Written { name: self.decorator.clone(), target: self.target.clone(), scope }
    }
}

fn statement(decorator: &str, target: &str, one: &Applied) -> String {
    let scope = one.scope.as_ref().map(|scope| format!("\"{scope}\""));
    let value = Some(one.value.clone()).filter(|value| !value.is_empty());
    let arguments: Vec<String> = [Some(target.to_owned()), value, scope].into_iter().flatten().collect();
    let name = Decorator::of_name(decorator).map_or(decorator, |one| one.written());
    format!("@@{name}({});", arguments.join(", "))
}

/// The edits that give a statement another value or another scope.
fn changed(augment: &Augment, old: &Applied, new: &Applied) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (values, scope) = match (&old.scope, augment.arguments.split_last()) {
        (Some(_), Some((scope, values))) => (values, Some(scope)),
        _ => (augment.arguments.as_slice(), None),
    };
    let value_end = values.last().unwrap_or(&augment.target).end;
    if old.value != new.value {
        edits.push(match values.first() {
            Some(first) => (first.start..value_end, new.value.clone()),
            None => (value_end..value_end, format!(", {}", new.value)),
        });
    }
    if old.scope != new.scope {
        edits.push(match (scope, &new.scope) {
            (Some(span), Some(scope)) => (span.clone(), format!("\"{scope}\"")),
            (Some(span), None) => (value_end..span.end, String::new()),
            (None, scope) => {
                let scope = scope.as_ref().map(|scope| format!(", \"{scope}\"")).unwrap_or_default();
                (value_end..value_end, scope)
            }
        });
    }
    edits
}

/// The edit that takes a statement out: its lines if it has them to itself, else its own bytes. `None` where a directive
/// in front of it would then apply to something else.
fn removed(text: &str, augment: &Augment) -> Option<Edit> {
    let Range { start, end } = augment.span.clone();
    let mut before =
        text[..start].lines().rev().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    if before.next().is_some_and(|line| line.starts_with('#')) {
        return None;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let indent = text[line_start..start].trim_start_matches('\u{feff}');
    let alone = indent.trim().is_empty() && text[end..line_end].trim().is_empty();
    if alone {
        return Some((start - indent.len()..line_end, String::new()));
    }
    // What follows on the line, a comment or another statement, takes its place.
    let gap = text[end..line_end].len() - text[end..line_end].trim_start_matches([' ', '\t']).len();
    Some((start..end + gap, String::new()))
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
