//! Who wrote a part of a generated file: the emitter, a customization class or a person.
//!
//! A new text may lack what the emitter itself wrote for another specification. The libraries tell: it writes names of the
//! core libraries and of its own types, and no others.

use tree_sitter::Node;

use super::Surroundings;
use crate::java::code_text::CodeText;
use crate::java::source::Source;
use crate::syntax::{children, field, named_children};

/// Who wrote a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Emitters,
    Persons,
    /// A customization class names it, too.
    Doubtful,
}

/// Of these the emitter takes interfaces, superclasses and annotations.
const LIBRARIES: [&str; 5] =
    ["com.azure.core.", "com.azure.json.", "com.azure.xml.", "com.fasterxml.", "io.clientcore."];
/// The helper that each type with a JSON merge patch gives access to itself in a static initializer.
const MERGE_PATCH: &str = "JsonMergePatchHelper";
/// Annotations that follow from the code behind them.
const OF_EVERY_EMITTER: [&str; 3] = ["Generated", "Override", "SuppressWarnings"];
/// Types of `java.lang` that are not imported; others without an import are of the package.
const JAVA_LANG: [&str; 11] = [
    "Appendable",
    "AutoCloseable",
    "CharSequence",
    "Cloneable",
    "Comparable",
    "Deprecated",
    "FunctionalInterface",
    "Iterable",
    "Readable",
    "Runnable",
    "SafeVarargs",
];

/// Whose a static initializer of a type is.
pub(super) fn initializer(source: &Source, block: Node<'_>, of: &str, customizations: &[Source]) -> Whose {
    if source.text(block).contains(MERGE_PATCH) {
        return Whose::Emitters;
    }
    let statements: Vec<Node<'_>> = named_children(block).into_iter().flat_map(named_children).collect();
    let says = |class: &Source| {
        let text = CodeText::of(class);
        statements.iter().all(|one| text.says(source.text(*one)))
    };
    if !statements.is_empty() && customizations.iter().any(says) {
        // It is as much a customization's as the other members that one adds: the class decides whether it stands again.
        return Whose::Emitters;
    }
    let adds = |class: &Source| class.text.contains("Initializer") && class.text.contains(of);
    if customizations.iter().any(adds) { Whose::Doubtful } else { Whose::Persons }
}

/// Whose a type is that a declaration names, by its name in the source.
pub(super) fn owner(source: &Source, name: Node<'_>, around: Surroundings<'_>) -> Whose {
    let written = source.text(name).split('<').next().unwrap_or_default().trim();
    let full = full_name(source, written);
    let is_library = LIBRARIES.iter().any(|library| full.starts_with(library));
    if is_library {
        return Whose::Emitters;
    }
    let is_java = full.starts_with("java.") || full.starts_with("javax.");
    let is_azure =
        full.starts_with("com.azure.") || package(source).is_some_and(|own| full.starts_with(&format!("{own}.")));
    if is_azure && !is_java && !(around.is_hand_written)(&full) {
        return Whose::Emitters;
    }
    let simple = written.rsplit('.').next().unwrap_or(written);
    if around.customizations.iter().any(|class| names(class, simple)) { Whose::Doubtful } else { Whose::Persons }
}

/// Whether an annotation is one that follows from what it stands on.
pub(super) fn is_of_every_emitter(source: &Source, annotation: Node<'_>, on: Node<'_>) -> bool {
    let name = field(annotation, "name").map(|name| source.text(name)).unwrap_or_default();
    // The constructor of an extensible enum is there for Java alone.
    let of_enum = || {
        name == "Deprecated" && on.kind() == "constructor_declaration" && source.text.contains("ExpandableStringEnum")
    };
    OF_EVERY_EMITTER.contains(&name) || of_enum()
}

/// The full name behind a name in a file.
fn full_name(source: &Source, written: &str) -> String {
    let (first, rest) = written.split_once('.').map_or((written, ""), |(first, rest)| (first, rest));
    // Packages begin with a small letter.
    if !rest.is_empty() && first.starts_with(char::is_lowercase) {
        return written.to_owned();
    }
    let imported = imports(source).into_iter().find(|one| one.rsplit('.').next() == Some(first));
    let full = match imported {
        Some(import) => import.to_owned(),
        None if JAVA_LANG.contains(&first) => format!("java.lang.{first}"),
        None => package(source).map_or_else(|| first.to_owned(), |package| format!("{package}.{first}")),
    };
    if rest.is_empty() { full } else { format!("{full}.{rest}") }
}

/// The names that a file imports one by one.
pub(super) fn imports(source: &Source) -> Vec<&str> {
    let declarations = named_children(source.root()).into_iter().filter(|node| node.kind() == "import_declaration");
    let one =
        declarations.filter(|node| !children(*node).iter().any(|child| matches!(child.kind(), "static" | "asterisk")));
    one.filter_map(|node| named_children(node).first().map(|name| source.text(*name))).collect()
}

fn package(source: &Source) -> Option<&str> {
    let declaration = named_children(source.root()).into_iter().find(|node| node.kind() == "package_declaration")?;
    named_children(declaration).last().map(|name| source.text(*name))
}

/// Whether a customization class has a string with this name as a word of its own, or names the class.
fn names(class: &Source, name: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let in_string =
        class.strings().any(|literal| class.text(literal).split(|one| !is_word(one)).any(|word| word == name));
    in_string || class.text.contains(&format!("{name}.class"))
}
