//! What stands at the top of `client.tsp`: imports, usings, the file's namespace; and directives anywhere.

use std::collections::BTreeSet;

use super::super::Rule;
use super::declarations::enclosing;
use super::judge::{Refusals, TypespecDifference};
use super::multiset::Multiset;
use super::statement::{Body, File};

/// Judges all of it.
pub(super) fn judge(
    before: &File,
    after: &File,
    difference: &TypespecDifference<'_>,
    service: &[&str],
    refusals: &mut Refusals<'_>,
) {
    judge_imports(before, after, difference, refusals);
    judge_usings(before, after, service, refusals);
    judge_directives(before, after, refusals);
    judge_namespace(before, after, service, refusals);
}

fn judge_imports(before: &File, after: &File, difference: &TypespecDifference<'_>, refusals: &mut Refusals<'_>) {
    let imports = |file: &File| -> Vec<(Option<String>, u32)> {
        let statements = file.all().into_iter();
        let found = statements.filter_map(|statement| match &statement.body {
            Body::Import(path) => Some((path.clone(), statement.line)),
            _ => None,
        });
        found.collect()
    };
    let (old, new) = (imports(before), imports(after));
    let (old_paths, new_paths) = (first_of_each(&old), first_of_each(&new));
    for (path, line) in &new {
        let known = path.is_some() && old_paths.contains(path);
        let allowed = path.as_deref().is_some_and(may_be_imported);
        if !known && !allowed {
            let message = format!(
                "`{}` may not be imported; only `./main.tsp` and libraries under `@typespec/` and `@azure-tools/` may",
                path.as_deref().unwrap_or("…")
            );
            refusals.add(Rule::ImportNotAllowed, *line, &message);
        }
    }
    for path in difference.index_after.into_iter().flat_map(|index| &index.imports) {
        let known = difference.index_before.imports.contains(path);
        if !known && !may_be_imported(path) {
            let message = format!("`{path}` may not be imported");
            refusals.add(Rule::ImportNotAllowed, 1, &message);
        }
    }
    for (path, line) in &old {
        if !new_paths.contains(path) {
            let message =
                format!("the import of `{}` was there and may not be removed", path.as_deref().unwrap_or("…"));
            refusals.add(Rule::ImportRemoved, *line, &message);
        }
    }
}

/// The first parts of pairs.
fn first_of_each<T: Ord>(pairs: &[(T, u32)]) -> BTreeSet<&T> {
    pairs.iter().map(|(first, _)| first).collect()
}

/// The service's entry point, or a package of TypeSpec or Azure by its bare name.
fn may_be_imported(path: &str) -> bool {
    let package = path.strip_prefix("@typespec/").or_else(|| path.strip_prefix("@azure-tools/"));
    path == "./main.tsp"
        || package.is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        })
}

fn judge_usings(before: &File, after: &File, service: &[&str], refusals: &mut Refusals<'_>) {
    let usings = |file: &File| -> Vec<(String, u32)> {
        let statements = file.all().into_iter();
        let found = statements.filter_map(|statement| match &statement.body {
            Body::Using(name) => Some((name.clone(), statement.line)),
            _ => None,
        });
        found.collect()
    };
    let (old, new) = (usings(before), usings(after));
    let (old_names, new_names) = (first_of_each(&old), first_of_each(&new));
    for (name, line) in &new {
        let known = old_names.contains(name)
            || ["Azure", "TypeSpec"]
                .iter()
                .any(|root| name.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
            || enclosing(name, service).is_some();
        if !known {
            let message =
                format!("`using {name}` opens a namespace that is neither the service's nor TypeSpec's nor Azure's");
            refusals.add(Rule::UsingNotAllowed, *line, &message);
        }
    }
    for (name, line) in &old {
        if !new_names.contains(name) {
            let message = format!("`using {name}` was there and may not be removed");
            refusals.add(Rule::ImportRemoved, *line, &message);
        }
    }
}

fn judge_directives(before: &File, after: &File, refusals: &mut Refusals<'_>) {
    let mut left: Multiset<&String> = before.directives.iter().collect();
    for directive in &after.directives {
        if !left.take(&directive) {
            let message = format!("`{directive}` silences the compiler");
            refusals.add(Rule::SuppressionAdded, 1, &message);
        }
    }
}

fn judge_namespace(before: &File, after: &File, service: &[&str], refusals: &mut Refusals<'_>) {
    let namespace = |file: &File| {
        let mut statements = file.statements.iter();
        statements.find_map(|statement| match &statement.body {
            Body::FileNamespace(name) => Some((name.clone(), statement.line)),
            _ => None,
        })
    };
    match (namespace(before), namespace(after)) {
        (Some((old, line)), new) if new.as_ref().map(|(name, _)| name) != Some(&old) => {
            let message = format!("`namespace {old};` was there and may not change");
            refusals.add(Rule::DeclarationChanged, line, &message);
        }
        (None, Some((new, line))) if enclosing(&new, service).is_some() => {
            let message =
                format!("`namespace {new};` is the service's; use one of its own, such as `ClientCustomizations`");
            refusals.add(Rule::DeclarationInService, line, &message);
        }
        _ => {}
    }
}
