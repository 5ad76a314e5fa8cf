//! Statements of `client.tsp`, as far as the gate has to tell them apart.

use super::lexer::{DocComment, Token};

/// A statement with its decorators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) body: Body,
    pub(super) decorators: Vec<Decorator>,
    /// Its own source without comments and directives, tokens joined by one space. Of a namespace with a block, only
    /// what stands before the block.
    pub(super) text: String,
    pub(super) line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// `import "…";` with what stands between the quotes, if it is plain.
    Import(Option<String>),
    /// `using …;`
    Using(String),
    /// `namespace …;`
    FileNamespace(String),
    /// `namespace … { … }`
    Namespace(String, Vec<Statement>),
    /// `@@decorator(target, …);`
    Augment(Decorator),
    /// `interface … { … }`: its name, whether it has template parameters or a heritage, and the tokens of its body.
    Interface(String, Heritage, Vec<Token>),
    /// `model … { … }` or `model … is …;`, with the tokens of its body.
    Model(String, Vec<Token>),
    /// Any other statement, by its first word.
    Other(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heritage {
    None,
    Some,
}

/// A decorator application: `name(arguments)`, the target of an augment decorator included in the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decorator {
    pub(super) name: String,
    pub(super) arguments: Vec<Vec<Token>>,
    pub(super) line: u32,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) statements: Vec<Statement>,
    /// Every directive, wherever it stands.
    pub(super) directives: Vec<String>,
    /// Every comment that is documentation, wherever it stands.
    pub(super) docs: Vec<DocComment>,
}

impl File {
    /// Every statement, those in namespace blocks included.
    pub(super) fn all(&self) -> Vec<&Statement> {
        let mut found = Vec::new();
        gather(&self.statements, &mut found);
        found
    }
}

fn gather<'a>(statements: &'a [Statement], found: &mut Vec<&'a Statement>) {
    for statement in statements {
        found.push(statement);
        if let Body::Namespace(_, inner) = &statement.body {
            gather(inner, found);
        }
    }
}

/// The tokens joined by one space.
pub(super) fn joined(tokens: &[Token]) -> String {
    let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    texts.join(" ")
}

/// The tokens joined as a reference is written: `Contoso.Widgets.delete::parameters.id`.
pub(super) fn reference(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}
