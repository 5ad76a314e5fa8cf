//! An import that hand-written Python code lacks: a generated class, found in the package's own models, or a name of `typing`.

use tree_sitter::Node;

use super::package::Package;
use super::source::{Source, field, named_children};
use crate::repair::{Change, Doubt, Text, Wanted};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::Diagnostic;

/// Names of `typing` that mean nothing else.
const TYPING: &[&str] =
    &["Any", "Callable", "Dict", "IO", "Iterable", "Iterator", "List", "Mapping", "Optional", "Tuple", "Union", "cast"];

/// How far up from a file its package's models are looked for.
const HIGHEST: usize = 4;

/// The name that an error misses, if it misses one.
pub(super) fn missing(error: &Diagnostic) -> Option<String> {
    let code = error.code.as_deref().unwrap_or_default();
    let misses = matches!(code, "name-defined" | "E0602" | "NameError");
    if misses && error.is_error() { quoted(&error.message).into_iter().next() } else { None }
}

/// The generated files that could declare what errors miss.
pub(super) fn wanted(diagnostics: &[Diagnostic]) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    for error in diagnostics.iter().filter(|error| missing(error).is_some()) {
        let file = error.file.as_deref().unwrap_or_default();
        wanted.extend(modules(file).into_iter().map(|(path, _)| Wanted::File(path)));
    }
    wanted
}

/// Files of models that a file can import from, the nearest first, with the module that it names them by.
fn modules(file: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let Some((directory, _)) = file.rsplit_once('/') else { return found };
    let of = |directory: &str, name: &str, module: &str| (format!("{directory}/{name}"), module.to_owned());
    if directory.ends_with("/models") {
        found.push(of(directory, "_models.py", "._models"));
        found.push(of(directory, "_enums.py", "._enums"));
        return found;
    }
    let mut above = directory;
    for height in 1..=HIGHEST {
        let module = format!("{}models", ".".repeat(height));
        for name in ["_models.py", "_enums.py"] {
            found.push(of(&format!("{above}/models"), name, &module));
        }
        match above.rsplit_once('/') {
            Some((rest, _)) if rest.contains('/') => above = rest,
            _ => break,
        }
    }
    found
}

/// The import that answers an error, as a change; a doubt; or nothing.
pub(super) fn collect(package: &Package, generated: &[Text], error: &Diagnostic) -> Option<Result<Change, Doubt>> {
    let name = missing(error)?;
    let path = error.file.as_deref()?;
    let file = package.sources.iter().position(|source| source.path == path)?;
    let source = package.sources.get(file)?;
    let mut found: Vec<String> = Vec::new();
    for (path, module) in modules(path) {
        let declares = |text: &&Text| text.path == path && declares_class(text, &name);
        if generated.iter().any(|text| declares(&text)) && !found.contains(&module) {
            found.push(module);
        }
    }
    if found.is_empty() && TYPING.contains(&name.as_str()) {
        found.push("typing".to_owned());
    }
    match found.as_slice() {
        [] => None,
        [module] => {
            let (at, text) = import(source, module, &name);
            Some(Ok(Change::new(file, at..at, text)))
        }
        _ => {
            let issue = format!("`{name}` can be imported from {}", found.join(" or "));
            Some(Err(Doubt::new(issue, vec![error.place()])))
        }
    }
}

fn declares_class(text: &Text, name: &str) -> bool {
    let Some(source) = Source::parse(&text.path, &text.text) else { return false };
    super::definitions::classes(&source).into_iter().any(|(class, definition)| {
        class == name
            && definition.parent().is_some_and(|outer| matches!(outer.kind(), "module" | "decorated_definition"))
    })
}

/// Where the import goes, and its text: behind the last name that is imported from the module, else a line behind the imports.
fn import(source: &Source, module: &str, name: &str) -> (usize, String) {
    let statements = named_children(source.root());
    let from_module = |node: &&Node<'_>| {
        node.kind() == "import_from_statement"
            && field(**node, "module_name").is_some_and(|one| source.text(one) == module)
    };
    if let Some(last) = statements.iter().find(from_module).and_then(|statement| {
        let names = named_children(*statement);
        names.get(1..)?.last().copied().filter(|last| last.kind() != "wildcard_import")
    }) {
        return (last.end_byte(), format!(", {name}"));
    }
    let line = format!("from {module} import {name}\n");
    let imports = |node: &&Node<'_>| {
        matches!(node.kind(), "import_statement" | "import_from_statement" | "future_import_statement")
    };
    let behind = |node: &Node<'_>| {
        source.text[node.end_byte()..].find('\n').map_or(source.text.len(), |at| node.end_byte() + at + 1)
    };
    match (statements.iter().rfind(imports), statements.first()) {
        (Some(last), _) => (behind(last), line),
        (None, Some(first)) if is_docstring(*first) => (behind(first), format!("\n{line}")),
        (None, Some(first)) => (first.start_byte(), format!("{line}\n")),
        (None, None) => (source.text.len(), line),
    }
}

fn is_docstring(node: Node<'_>) -> bool {
    node.kind() == "expression_statement" && named_children(node).first().is_some_and(|one| one.kind() == "string")
}
