//! Names that a generated module has no more and that no rename of the specification says anything about: helpers of a renamed
//! operation, and what a newer emitter calls otherwise.

use super::generated::Generated;
use super::operation_names::{BUILDER, of_helper};
use crate::repair::Wanted;
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// How the names of the classes end that the emitter makes for the operations of a client itself.
const MIXIN: &str = "OperationsMixin";

/// What an error says that a module lacks: the module and the name.
fn lacking(error: &Diagnostic) -> Option<(String, String)> {
    if !error.is_error() || error.code.as_deref() != Some("attr-defined") || !error.message.starts_with("Module ") {
        return None;
    }
    let mut names = quoted(&error.message).into_iter();
    Some((names.next()?, names.next()?))
}

/// Whether a repair could begin with what an error says.
pub(super) fn begins(error: &Diagnostic) -> bool {
    lacking(error).is_some_and(|(_, name)| name.ends_with(MIXIN))
}

/// The generated modules that such errors are about.
pub(super) fn wanted(diagnostics: &[Diagnostic]) -> Vec<Wanted> {
    let lacking = diagnostics.iter().filter_map(|error| Some((error.file.as_deref()?, lacking(error)?)));
    let of_emitter = lacking.filter(|(_, (_, name))| name.ends_with(MIXIN) || name.starts_with(BUILDER));
    of_emitter.flat_map(|(file, (module, _))| files(file, &module)).map(Wanted::File).collect()
}

/// The files that a module could be, told from a file of the same package.
fn files(beside: &str, module: &str) -> Vec<String> {
    let path = module.replace('.', "/");
    let top = path.split('/').next().unwrap_or_default();
    let Some((before, _)) = beside.split_once(&format!("/{top}/")) else { return Vec::new() };
    vec![format!("{before}/{path}.py"), format!("{before}/{path}/__init__.py")]
}

/// The renames that answer such errors, each certain from what the module declares now.
pub(super) fn renames(diagnostics: &[Diagnostic], generated: &Generated, known: &[Rename]) -> Vec<Rename> {
    let mut found: Vec<Rename> = Vec::new();
    for error in diagnostics {
        let (Some(file), Some((module, old))) = (error.file.as_deref(), lacking(error)) else { continue };
        if known.iter().chain(&found).any(|rename| rename.kind.is_type() && rename.old == old) {
            continue;
        }
        let declared = generated.names_of(&files(file, &module));
        if declared.contains(&old.as_str()) {
            continue;
        }
        let helpers = known.iter().filter_map(|rename| of_helper(rename, &old));
        let mut new: Vec<String> = helpers.filter(|new| declared.contains(&new.as_str())).collect();
        if let Some(mixin) = mixin(&old, quoted(&error.message).get(2..).unwrap_or_default(), &declared) {
            new.push(mixin);
        }
        new.dedup();
        if let [new] = new.as_slice() {
            found.push(Rename { kind: EntityKind::Model, container: None, old, new: new.clone() });
        }
    }
    found
}

/// Whether a rename is the emitter's own.
pub(super) fn is_mixin(rename: &Rename) -> bool {
    rename.old.ends_with(MIXIN) && rename.new.ends_with(MIXIN)
}

/// The mixin that the emitter calls otherwise now: with an underscore, or the only one that the module has, which must be what
/// the type checker suggests.
fn mixin(old: &str, suggested: &[String], declared: &[&str]) -> Option<String> {
    if !old.ends_with(MIXIN) {
        return None;
    }
    let with_underscore = format!("_{old}");
    if declared.contains(&with_underscore.as_str()) {
        return Some(with_underscore);
    }
    let mut mixins = declared.iter().filter(|name| name.ends_with(MIXIN));
    match (mixins.next(), mixins.next(), suggested) {
        (Some(only), None, [suggested]) if only == suggested => Some(suggested.clone()),
        _ => None,
    }
}
