//! Reads the statements of `client.tsp`. What it cannot read it refuses to read.

use super::lexer::{Kind, Token, tokens_and_docs};
use super::statement::{Body, Decorator, File, Heritage, Statement, joined, reference};
use super::unreadable::{DEEPEST, LONGEST_NAME, Unreadable};

/// Reads a file.
pub(super) fn parse(source: &str) -> Result<File, Unreadable> {
    let mut directives = Vec::new();
    let mut all = Vec::new();
    let (tokens, docs) = tokens_and_docs(source)?;
    for token in tokens {
        if token.kind == Kind::Directive {
            directives.push(token.text);
        } else {
            all.push(token);
        }
    }
    let mut parser = Parser::new(&all);
    let statements = parser.statements(Nesting::File)?;
    Ok(File { statements, directives, docs })
}

/// Every `@decorator` inside the body of a declaration.
pub(super) fn decorators_in(body: &[Token]) -> Result<Vec<Decorator>, Unreadable> {
    let mut parser = Parser::new(body);
    let mut found = Vec::new();
    while let Some(token) = parser.peek() {
        if token.is("@@") {
            return Err(parser.unreadable("an augment decorator inside a declaration"));
        }
        if token.is("@") {
            found.push(parser.decorator()?);
        } else {
            parser.advance();
        }
    }
    Ok(found)
}

/// What stands in the body of a declaration beside its decorators.
pub(super) fn beside_decorators(body: &[Token]) -> Result<Vec<&Token>, Unreadable> {
    let mut parser = Parser::new(body);
    let mut found = Vec::new();
    while let Some(token) = parser.peek() {
        if token.is("@") {
            parser.decorator()?;
        } else {
            found.push(token);
            parser.advance();
        }
    }
    Ok(found)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    File,
    Block,
}

struct Parser<'a> {
    tokens: &'a [Token],
    position: usize,
    /// Namespace blocks that are open, one inside the other.
    blocks: usize,
    /// Bytes of their names together.
    name_bytes: usize,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token]) -> Self {
        Self { tokens, position: 0, blocks: 0, name_bytes: 0 }
    }

    fn advance(&mut self) {
        self.position = self.position.saturating_add(1);
    }

    /// The tokens from one position up to another.
    fn between(&self, start: usize, end: usize) -> &'a [Token] {
        self.tokens.get(start..end).unwrap_or_default()
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.position)
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.next_is(text);
        if found {
            self.advance();
        }
        found
    }

    fn unreadable(&self, what: &'static str) -> Unreadable {
        Unreadable::syntax(self.line(), what)
    }

    /// The line of the next token, or of the last one.
    fn line(&self) -> u32 {
        self.peek().or_else(|| self.tokens.last()).map_or(1, |token| token.line)
    }

    fn statements(&mut self, nesting: Nesting) -> Result<Vec<Statement>, Unreadable> {
        let mut statements = Vec::new();
        loop {
            match self.peek() {
                None if nesting == Nesting::File => return Ok(statements),
                None => return Err(self.unreadable("a block is not closed")),
                Some(token) if token.is("}") && nesting == Nesting::Block => {
                    self.advance();
                    return Ok(statements);
                }
                // A stray semicolon is an empty statement.
                Some(token) if token.is(";") => self.advance(),
                Some(_) => statements.push(self.statement()?),
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, Unreadable> {
        let start = self.position;
        let line = self.peek().map_or(1, |token| token.line);
        let mut decorators = Vec::new();
        while self.next_is("@") {
            decorators.push(self.decorator()?);
        }
        let mut end = None;
        let body = if self.take("@@") {
            let decorator = self.application()?;
            self.expect_semicolon()?;
            Body::Augment(decorator)
        } else {
            let keyword = self.peek().map(|token| token.text.clone());
            match keyword.as_deref() {
                Some("import") => Body::Import(self.import()?),
                Some("using") => Body::Using(reference(self.head_until_semicolon()?)),
                Some("namespace") => self.namespace(&mut end)?,
                Some("interface") => self.interface()?,
                Some("model") => self.model()?,
                Some(other) => {
                    let other = other.to_owned();
                    self.skip_statement(Ending::of(&other))?;
                    Body::Other(other)
                }
                None => return Err(self.unreadable("a decorator without a declaration")),
            }
        };
        let decorated = !decorators.is_empty();
        if decorated && matches!(body, Body::Import(_) | Body::Using(_) | Body::Augment(_)) {
            return Err(self.unreadable("a decorator in front of what takes none"));
        }
        let end = end.unwrap_or(self.position);
        Ok(Statement { body, decorators, text: joined(self.between(start, end)), line })
    }

    /// `@name` or `@name(…)`.
    fn decorator(&mut self) -> Result<Decorator, Unreadable> {
        self.advance();
        self.application()
    }

    fn application(&mut self) -> Result<Decorator, Unreadable> {
        let line = self.peek().map_or(1, |token| token.line);
        let name = self.dotted_name()?;
        let arguments = if self.take("(") { self.arguments()? } else { Vec::new() };
        Ok(Decorator { name, arguments, line })
    }

    fn dotted_name(&mut self) -> Result<String, Unreadable> {
        let mut name = String::new();
        loop {
            match self.peek() {
                Some(token) if token.kind == Kind::Word => name.push_str(&token.text),
                _ => return Err(self.unreadable("a name is missing")),
            }
            if self.name_bytes.saturating_add(name.len()) > LONGEST_NAME {
                return Err(self.unreadable("a name is longer than the names of a specification are"));
            }
            self.advance();
            if !self.take(".") {
                return Ok(name);
            }
            name.push('.');
        }
    }

    /// The arguments after an opening parenthesis, up to and with the closing one.
    fn arguments(&mut self) -> Result<Vec<Vec<Token>>, Unreadable> {
        let mut arguments = Vec::new();
        let mut current = Vec::new();
        let mut open: Vec<&'static str> = Vec::new();
        while let Some(token) = self.peek() {
            self.advance();
            if open.is_empty() && token.is(")") {
                if !current.is_empty() {
                    arguments.push(current);
                }
                return Ok(arguments);
            }
            if open.is_empty() && token.is(",") {
                arguments.push(std::mem::take(&mut current));
                continue;
            }
            track(token, &mut open)?;
            current.push(token.clone());
        }
        Err(self.unreadable("an argument list is not closed"))
    }

    fn import(&mut self) -> Result<Option<String>, Unreadable> {
        let head = self.head_until_semicolon()?;
        Ok(match head {
            [path] => path.plain_string().map(str::to_owned),
            _ => None,
        })
    }

    /// The tokens between the keyword and the semicolon.
    fn head_until_semicolon(&mut self) -> Result<&'a [Token], Unreadable> {
        let start = self.position.saturating_add(1);
        self.skip_statement(Ending::Semicolon)?;
        Ok(self.between(start, self.position.saturating_sub(1)))
    }

    fn namespace(&mut self, end: &mut Option<usize>) -> Result<Body, Unreadable> {
        self.advance();
        let name = self.dotted_name()?;
        if self.next_is("{") {
            if self.blocks == DEEPEST {
                return Err(Unreadable::too_deep(self.line()));
            }
            self.advance();
            *end = Some(self.position);
            let outside = (self.blocks, self.name_bytes);
            self.blocks = self.blocks.saturating_add(1);
            self.name_bytes = self.name_bytes.saturating_add(name.len());
            let statements = self.statements(Nesting::Block)?;
            (self.blocks, self.name_bytes) = outside;
            return Ok(Body::Namespace(name, statements));
        }
        self.expect_semicolon()?;
        Ok(Body::FileNamespace(name))
    }

    fn interface(&mut self) -> Result<Body, Unreadable> {
        self.advance();
        let name = self.dotted_name()?;
        let heritage = if self.next_is("{") { Heritage::None } else { Heritage::Some };
        Ok(Body::Interface(name, heritage, self.rest_and_body()?))
    }

    fn model(&mut self) -> Result<Body, Unreadable> {
        self.advance();
        let name = self.dotted_name()?;
        Ok(Body::Model(name, self.rest_and_body()?))
    }

    /// What follows the name of a declaration, its heritage included.
    fn rest_and_body(&mut self) -> Result<Vec<Token>, Unreadable> {
        let start = self.position;
        self.skip_statement(Ending::SemicolonOrBlock)?;
        Ok(self.between(start, self.position).to_vec())
    }

    fn expect_semicolon(&mut self) -> Result<(), Unreadable> {
        if self.take(";") { Ok(()) } else { Err(self.unreadable("a semicolon is missing")) }
    }

    /// Goes on behind the end of the statement.
    fn skip_statement(&mut self, ending: Ending) -> Result<(), Unreadable> {
        let mut open: Vec<&'static str> = Vec::new();
        while let Some(token) = self.peek() {
            self.advance();
            if open.is_empty() && token.is(";") {
                return Ok(());
            }
            let depth = open.len();
            track(token, &mut open)?;
            let closed_block = depth == 1 && open.is_empty() && token.is("}");
            if closed_block && ending == Ending::SemicolonOrBlock {
                return Ok(());
            }
        }
        Err(self.unreadable("a statement is not closed"))
    }
}

/// What ends a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Semicolon,
    SemicolonOrBlock,
}

impl Ending {
    fn of(keyword: &str) -> Self {
        match keyword {
            "enum" | "union" | "scalar" => Self::SemicolonOrBlock,
            _ => Self::Semicolon,
        }
    }
}

/// Keeps track of open brackets. Angle brackets are brackets here: TypeSpec has no comparison.
fn track(token: &Token, open: &mut Vec<&'static str>) -> Result<(), Unreadable> {
    if token.kind != Kind::Mark {
        return Ok(());
    }
    let closing = match token.text.as_str() {
        "(" => ")",
        "[" | "#[" => "]",
        "{" | "#{" => "}",
        "<" => ">",
        ")" | "]" | "}" | ">" => {
            return match open.pop() {
                Some(expected) if token.text == expected => Ok(()),
                _ => Err(Unreadable::syntax(token.line, "brackets do not match")),
            };
        }
        _ => return Ok(()),
    };
    if open.len() == DEEPEST {
        return Err(Unreadable::too_deep(token.line));
    }
    open.push(closing);
    Ok(())
}
