//! What C#, TypeScript, Go and Java differ in.

use tree_sitter::{Language, Node};

use super::error_message::ErrorMessage;
use super::forms::Form;
use super::source::Source;
use bailiwick_sdk::syntax::column;
use bailiwick_sdk::tasks::{Diagnostic, Rename};

/// What an identifier does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It names a type.
    Type,
    /// It stands in an expression: a type, a function, a constant or a variable.
    Value,
    /// It names a member of what stands before it, or a field of what is made.
    Member,
    /// It declares a type that has other parts elsewhere, or is the constructor of one.
    DeclaresPart,
    /// It declares a type.
    DeclaresType,
    /// It declares anything else: a variable, a parameter, a member.
    Declares,
    /// It brings a name in from another file, under that name.
    Imports,
    /// It brings a name in, or hands it on, under another name.
    Aliases,
    /// It makes a name known to other files.
    Exports,
    /// It is a type that lends its members and its name to the type around it.
    Embeds,
}

/// A declaration that can be compared with another.
pub(super) struct Member<'t> {
    /// The type that has it.
    pub(super) owner: Option<String>,
    pub(super) name: String,
    /// With its modifiers.
    pub(super) node: Node<'t>,
}

/// An import as a file could say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Import {
    /// Bytes to put at a place.
    Insert { at: usize, text: String },
    /// Why it is not certain where or what to import.
    Doubt(String),
    /// Nothing is known that could be imported.
    Unknown,
}

/// What does not fit where it stands, though every name is known.
pub(super) enum Misfit<'t> {
    /// A call: only other overloads of the method are left, as where a person wrote some. The node is its name.
    Call(Node<'t>),
    /// A value of one type where another is wanted, as the compiler writes them.
    Types { is: String, wanted: String },
    /// A name that was a type's and is taken for a member's of the same name since the type has another one. `is` is the type,
    /// where the message says it.
    TakenForMember { name: Node<'t>, is: Option<String> },
}

/// A language.
pub(super) trait Dialect: Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// Whether a file is in this language.
    fn reads(&self, path: &str) -> bool;

    fn grammar(&self, path: &str) -> Language;

    /// What an error of the compiler says.
    fn said(&self, error: &Diagnostic) -> ErrorMessage;

    /// What an error says that is about no name.
    fn misfit<'t>(&self, _source: &'t Source, _error: &Diagnostic) -> Option<Misfit<'t>> {
        None
    }

    /// Whether an error can be about something that does not fit, before the source is at hand.
    fn may_misfit(&self, _error: &Diagnostic) -> bool {
        false
    }

    /// How generated code writes what a rename is about. `classes` are the names that its class goes by.
    fn forms(&self, rename: &Rename, classes: &[String]) -> Vec<Form>;

    fn keywords(&self) -> &'static [&'static str];

    /// A keyword written so that it is a name all the same, where the language has a way and the emitter takes it.
    fn escaped(&self, _keyword: &str) -> Option<String> {
        None
    }

    /// Whether a keyword may stand there as it is.
    fn takes_keywords(&self, _role: Role) -> bool {
        false
    }

    fn role(&self, source: &Source, node: Node<'_>) -> Role;

    /// The column, from 1, at which the compiler reports an error about a name.
    fn column_of(&self, node: Node<'_>) -> u32 {
        column(node)
    }

    /// Whether the compiler says this beside the error that is its cause, in the same member of a type.
    fn comes_with_another(&self, _error: &Diagnostic) -> bool {
        false
    }

    /// Why a name is missing that went out of sight with an operation, and that no other name takes the place of.
    fn hidden_along(&self, _rename: &Rename, _error: &Diagnostic) -> Option<String> {
        None
    }

    /// Whether the compiler says that it does not know a type, as it does beside a name that it could not find.
    fn says_unknown(&self, _error: &Diagnostic) -> bool {
        false
    }

    /// The column, from 1, at which the compiler reports that a namespace has no type of this name, where the name stands behind
    /// a dot.
    fn column_in_namespace(&self, _node: Node<'_>) -> Option<u32> {
        None
    }

    /// Whether a name stands behind the whole name of this namespace.
    fn is_in_namespace(&self, _source: &Source, _node: Node<'_>, _namespace: &str) -> bool {
        false
    }

    /// Whether a name of another file means something only where the file imports it.
    fn needs_import(&self) -> bool;

    /// The type around a node.
    fn class_around<'s>(&self, source: &'s Source, node: Node<'_>) -> Option<&'s str>;

    /// The types that the files declare with those that they extend.
    fn bases(&self, source: &Source) -> Vec<(String, String)>;

    /// The strings by which a hand-written type says what generated type it is: the name of the first, and the string.
    fn links<'t>(&self, _source: &'t Source) -> Vec<(String, Node<'t>)> {
        Vec::new()
    }

    /// Whether a name in an expression can mean a member that only generated code shows.
    fn may_be_member(&self, _source: &Source, _node: Node<'_>) -> bool {
        false
    }

    /// Declarations of a file.
    fn members<'t>(&self, source: &'t Source) -> Vec<Member<'t>>;

    /// Why nothing may be said about the old name of a form in this file where no error is about it.
    fn blind_spot(&self, source: &Source, form: &Form, vouched: &[usize]) -> Option<(u32, String)>;

    /// Patterns of file names, or paths, that could tell where a missing name comes from.
    fn origins(&self, source: Option<&Source>, name: &str) -> Vec<crate::repair::Wanted>;

    /// The import that a name which is missing at a node needs.
    fn import(&self, source: &Source, node: Node<'_>, name: &str, others: &[&Source]) -> Import;

    /// Import declarations that nothing uses any more when these bytes are gone.
    fn unused_imports(&self, _source: &Source, _gone: &[std::ops::Range<usize>]) -> Vec<std::ops::Range<usize>> {
        Vec::new()
    }
}
