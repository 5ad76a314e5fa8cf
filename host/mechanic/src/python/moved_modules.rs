//! Modules of helpers that a newer emitter writes elsewhere: `_model_base` is `_utils.model_base` since 2025.

use tree_sitter::Node;

use super::evidence::is_same_file;
use super::generated::Generated;
use super::package::Package;
use super::sites::{Edit, Findings, has_word};
use super::source::{Source, column, field, named_children};
use crate::repair::{Text, Wanted};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::Diagnostic;

/// What a module was called, and is called now.
const MOVED: &[(&str, &str)] =
    &[("_model_base", "_utils.model_base"), ("_serialization", "_utils.serialization"), ("_vendor", "_utils.utils")];

/// Whether a repair could begin with what an error says.
pub(super) fn begins(error: &Diagnostic) -> bool {
    error.tool == "import" && MOVED.iter().any(|(old, _)| has_word(&error.message, old)) || meeting(error).is_some()
}

/// The module that moved, if an error says that a class of it meets the class of the same name where it is now: the old module
/// may be left in the package, and then nothing fails to be imported.
fn meeting(error: &Diagnostic) -> Option<(&'static str, &'static str)> {
    let types = quoted(&error.message);
    let classes = |module: &str| -> Vec<&str> {
        let part = format!(".{module}.");
        types.iter().filter_map(|one| one.split_once(&part)).map(|(_, class)| class).collect()
    };
    let meets = |(old, new): &(&str, &str)| {
        let now = classes(new);
        classes(old).iter().any(|class| now.contains(class))
    };
    MOVED.iter().find(|one| meets(one)).copied()
}

/// Whether an error says that classes of two modules meet, and the edits make one module of them in this file.
pub(super) fn settles(package: &Package, edits: &[&Edit], error: &Diagnostic) -> bool {
    let Some((old, new)) = meeting(error) else { return false };
    edits.iter().any(|edit| {
        package.sources.get(edit.file).is_some_and(|source| {
            let here = error.file.as_deref().is_some_and(|file| is_same_file(file, &source.path));
            here && edit.new == new && edit.replaced(source) == Some(old)
        })
    })
}

/// The files that such modules were and are, if hand-written code imports one: an import that fails hides those after it.
pub(super) fn wanted(diagnostics: &[Diagnostic], files: &[Text]) -> Vec<Wanted> {
    if !diagnostics.iter().any(|error| error.tool == "import" || meeting(error).is_some()) {
        return Vec::new();
    }
    let sources = files.iter().filter_map(|file| Source::parse(&file.path, &file.text));
    let paths = sources.flat_map(|source| {
        let imports = source.nodes().into_iter().filter_map(|node| imported(&source, node));
        imports.flat_map(|import| [import.old_file(), import.new_file()]).collect::<Vec<_>>()
    });
    paths.map(Wanted::File).collect()
}

/// Collects the imports that follow: from modules that are gone, or whose classes meet those of the new one in this file, where
/// the new one declares all that is imported.
pub(super) fn collect(package: &Package, diagnostics: &[Diagnostic], generated: &Generated, findings: &mut Findings) {
    let fails = diagnostics.iter().any(|error| error.tool == "import");
    for (file, source) in package.sources.iter().enumerate() {
        for import in source.nodes().into_iter().filter_map(|node| imported(source, node)) {
            let meets = diagnostics.iter().any(|error| {
                let here = error.file.as_deref().is_some_and(|file| is_same_file(file, &source.path));
                here && meeting(error) == Some((import.old, import.new))
            });
            let gone = fails && !generated.has_file(&import.old_file());
            if !(gone || meets) || !generated.has_file(&import.new_file()) {
                continue;
            }
            let declared = generated.names_of(&[import.new_file()]);
            let names = named_children(import.statement).into_iter().skip(1);
            let mut lacks =
                names.map(|one| source.text(field(one, "name").unwrap_or(one))).filter(|one| !declared.contains(one));
            match (import.name, lacks.next()) {
                (Some(name), _) => follow_module(file, source, &import, name, findings),
                (None, None) => {
                    let end = import.module.end_byte();
                    findings.replace_span(file, import.module, end - import.old.len()..end, import.new);
                }
                (None, Some(lacking)) => {
                    let issue = format!("`{}` has no `{lacking}`, which is imported from `{}`", import.new, import.old);
                    findings.doubt(source, import.module, issue);
                }
            }
        }
    }
}

/// `from .. import _model_base, models as _models`: a statement of its own imports what moved.
fn follow_module(file: usize, source: &Source, import: &Import<'_>, name: Node<'_>, findings: &mut Findings) {
    let bound = source.text(field(name, "alias").unwrap_or(name));
    let (package, last) = import.new.split_once('.').unwrap_or_default();
    let statement = format!("{}{package} import {last} as {bound}", source.text(import.module));
    let (before, after) = (name.prev_sibling(), name.next_sibling());
    let span = match (before.filter(|one| one.kind() == ","), after.and_then(|comma| comma.next_sibling())) {
        _ if before.is_some_and(|one| one.kind() == "(") || column(import.statement) > 1 => {
            return findings.doubt(source, name, format!("`{}` is `{}` now", import.old, import.new));
        }
        // The name and the comma behind it, or the one before it.
        (_, Some(next)) if next.is_named() => name.start_byte()..next.start_byte(),
        (Some(comma), None) => comma.start_byte()..name.end_byte(),
        (None, None) if after.is_none() => {
            let end = import.module.end_byte();
            findings.replace_span(file, import.module, end..end, package);
            findings.replace(file, name, &format!("{last} as {bound}"));
            return;
        }
        _ => return findings.doubt(source, name, format!("`{}` is `{}` now", import.old, import.new)),
    };
    let start = import.statement.start_byte();
    findings.replace_span(file, import.statement, start..start, &format!("from {statement}\n"));
    findings.replace_span(file, name, span, "");
}

/// A statement that imports from a module which could have moved, or the module itself.
struct Import<'t> {
    statement: Node<'t>,
    module: Node<'t>,
    /// The name in the statement, if it is the module that is imported.
    name: Option<Node<'t>>,
    directory: String,
    old: &'static str,
    new: &'static str,
}

impl Import<'_> {
    fn old_file(&self) -> String {
        format!("{}/{}.py", self.directory, self.old)
    }

    fn new_file(&self) -> String {
        format!("{}/{}.py", self.directory, self.new.replace('.', "/"))
    }
}

/// Reads a statement that names its module relative to the file.
fn imported<'t>(source: &Source, statement: Node<'t>) -> Option<Import<'t>> {
    let module = field(statement, "module_name").filter(|_| statement.kind() == "import_from_statement")?;
    let text = source.text(module);
    let own = text.trim_start_matches('.');
    let (mut directory, _) = source.path.rsplit_once('/')?;
    for _ in 1..text.len().checked_sub(own.len()).filter(|dots| *dots > 0)? {
        (directory, _) = directory.rsplit_once('/')?;
    }
    let of = |name: &str| MOVED.iter().find(|(old, _)| *old == name).copied();
    let names = if own.is_empty() { named_children(statement) } else { Vec::new() };
    let name = names.into_iter().skip(1).find(|one| of(source.text(field(*one, "name").unwrap_or(*one))).is_some());
    let (old, new) = of(name.map_or(own, |name| source.text(field(name, "name").unwrap_or(name))))?;
    Some(Import { statement, module, name, directory: directory.to_owned(), old, new })
}
