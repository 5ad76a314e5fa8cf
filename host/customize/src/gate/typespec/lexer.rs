//! Tokens of TypeSpec source, with the compiler's own rules for strings, comments and directives.

use super::super::hidden::is_hidden;
use super::unreadable::{DEEPEST, Unreadable};

/// A piece of source without the comments and white space around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The source text; of a directive, its words joined by one space.
    pub(super) text: String,
    /// The line it starts on, from 1.
    pub(super) line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or keyword, in backticks or not.
    Word,
    /// A string literal in any form, with its quotes.
    String,
    /// A number.
    Number,
    /// `#suppress …` or `#deprecated …` to the end of its line.
    Directive,
    /// Anything else: one character, or one of `@@`, `::`, `...`, `#{` and `#[`.
    Mark,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Mark | Kind::Word) && self.text == text
    }

    /// The value of a string that is written plainly: on one line, without escapes or interpolation.
    pub(super) fn plain_string(&self) -> Option<&str> {
        let value = self.text.strip_prefix('"')?.strip_suffix('"')?;
        let plain = self.kind == Kind::String && !value.contains(['"', '\\', '\n', '\r', '$']);
        plain.then_some(value)
    }
}

/// A `/** … */`, which the compiler takes for the documentation of the declaration behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocComment {
    /// What stands in it.
    pub(super) text: String,
    /// The line it starts on, from 1.
    pub(super) line: u32,
}

/// Splits source into tokens.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, Unreadable> {
    tokens_and_docs(source).map(|(tokens, _)| tokens)
}

/// [`tokens`], and the comments that are documentation.
pub(super) fn tokens_and_docs(source: &str) -> Result<(Vec<Token>, Vec<DocComment>), Unreadable> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut lexer = Lexer { rest: source, line: 1, interpolations: 0, docs: Vec::new() };
    let mut tokens = Vec::new();
    while lexer.skip_trivia(LineBreaks::Skipped)? {
        tokens.push(lexer.token()?);
    }
    Ok((tokens, lexer.docs))
}

struct Lexer<'a> {
    /// What is still to be read.
    rest: &'a str,
    line: u32,
    /// Interpolations that are open, one inside the other.
    interpolations: usize,
    docs: Vec<DocComment>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    Skipped,
    /// A directive ends at the first line break that stands outside of comments and strings.
    Stop,
}

impl<'a> Lexer<'a> {
    /// What was read since this was left.
    fn read_of(&self, left: &'a str) -> &'a str {
        left.get(..left.len().saturating_sub(self.rest.len())).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut left = self.rest.chars();
        let character = left.next()?;
        self.rest = left.as_str();
        if character == '\n' {
            self.line = self.line.saturating_add(1);
        }
        Some(character)
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn unreadable(&self, what: &'static str) -> Unreadable {
        Unreadable::syntax(self.line, what)
    }

    /// Skips white space and comments; false at the end, or at a line break that is to stop it.
    fn skip_trivia(&mut self, line_breaks: LineBreaks) -> Result<bool, Unreadable> {
        loop {
            let Some(character) = self.peek() else {
                return Ok(false);
            };
            if matches!(character, '\n' | '\r') {
                if line_breaks == LineBreaks::Stop {
                    return Ok(false);
                }
                self.bump();
            } else if character.is_whitespace() || is_hidden(character) {
                self.bump();
            } else if self.rest.starts_with("//") {
                while self.peek().is_some_and(|next| !matches!(next, '\n' | '\r')) {
                    self.bump();
                }
            } else if self.take("/*") {
                let (start, line) = (self.rest, self.line);
                while !self.take("*/") {
                    if self.bump().is_none() {
                        return Err(self.unreadable("a comment is not closed"));
                    }
                }
                let inside = self.read_of(start).strip_suffix("*/").and_then(|inside| inside.strip_prefix('*'));
                self.docs.extend(inside.map(|inside| DocComment { text: inside.to_owned(), line }));
            } else {
                return Ok(true);
            }
        }
    }

    fn token(&mut self) -> Result<Token, Unreadable> {
        let (start, line) = (self.rest, self.line);
        let kind = self.scan()?;
        let text = match kind {
            Kind::Directive => return self.directive(line),
            _ => self.read_of(start).to_owned(),
        };
        Ok(Token { kind, text, line })
    }

    fn scan(&mut self) -> Result<Kind, Unreadable> {
        for mark in ["@@", "::", "...", "#{", "#["] {
            if self.take(mark) {
                return Ok(Kind::Mark);
            }
        }
        match self.peek() {
            Some('"') => self.string().map(|()| Kind::String),
            Some('`') => self.backticked().map(|()| Kind::Word),
            Some('#') => {
                self.bump();
                Ok(Kind::Directive)
            }
            Some(character) if character.is_alphabetic() || matches!(character, '_' | '$') => {
                self.while_word();
                Ok(Kind::Word)
            }
            Some(character) if character.is_ascii_digit() => {
                self.while_word();
                Ok(Kind::Number)
            }
            Some(character) if character.is_ascii_punctuation() => {
                self.bump();
                Ok(Kind::Mark)
            }
            _ => Err(self.unreadable("a character that TypeSpec does not know")),
        }
    }

    fn while_word(&mut self) {
        let in_word = |next: char| next.is_alphanumeric() || matches!(next, '_' | '$');
        while self.peek().is_some_and(in_word) {
            self.bump();
        }
    }

    fn backticked(&mut self) -> Result<(), Unreadable> {
        self.bump();
        loop {
            match self.bump() {
                Some('`') => return Ok(()),
                Some('\\') => {
                    self.bump();
                }
                Some('\n' | '\r') | None => {
                    return Err(self.unreadable("an identifier in backticks is not closed"));
                }
                Some(_) => {}
            }
        }
    }

    fn string(&mut self) -> Result<(), Unreadable> {
        let triple = self.take("\"\"\"");
        if !triple {
            self.bump();
        }
        loop {
            if triple && self.take("\"\"\"") {
                return Ok(());
            }
            if self.take("${") {
                self.interpolation()?;
                continue;
            }
            match self.bump() {
                Some('"') if !triple => return Ok(()),
                Some('\\') => {
                    self.bump();
                }
                Some('\n' | '\r') if !triple => {
                    return Err(self.unreadable("a string is not closed"));
                }
                None => return Err(self.unreadable("a string is not closed")),
                Some(_) => {}
            }
        }
    }

    /// The expression of an interpolation, up to its closing brace.
    fn interpolation(&mut self) -> Result<(), Unreadable> {
        if self.interpolations == DEEPEST {
            return Err(Unreadable::too_deep(self.line));
        }
        self.interpolations = self.interpolations.saturating_add(1);
        let read = self.interpolated();
        self.interpolations = self.interpolations.saturating_sub(1);
        read
    }

    fn interpolated(&mut self) -> Result<(), Unreadable> {
        let mut depth = 0_usize;
        while self.skip_trivia(LineBreaks::Skipped)? {
            let token = self.token()?;
            if token.is("{") || token.is("#{") {
                depth = depth.saturating_add(1);
            } else if token.is("}") {
                let Some(outer) = depth.checked_sub(1) else { return Ok(()) };
                depth = outer;
            }
        }
        Err(self.unreadable("an interpolation is not closed"))
    }

    /// The words of a directive, after its `#`.
    fn directive(&mut self, line: u32) -> Result<Token, Unreadable> {
        let mut words = Vec::new();
        while self.skip_trivia(LineBreaks::Stop)? {
            let start = self.rest;
            // Not `token`, which would read a directive inside this one, and another inside that.
            if !matches!(self.scan()?, Kind::Word | Kind::String) {
                return Err(self.unreadable("a directive holds more than words and strings"));
            }
            words.push(self.read_of(start));
        }
        if words.is_empty() {
            return Err(self.unreadable("a directive without a name"));
        }
        Ok(Token { kind: Kind::Directive, text: format!("#{}", words.join(" ")), line })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Kind, tokens};

    fn texts(source: &str) -> Vec<String> {
        let tokens = tokens(source).expect("readable");
        tokens.into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn statements_in_comments_and_strings_are_not_read() {
        let source = r#"// @@route(A)
            /* @@route(B) */ "@@route(C) ${ f("}") } //" """
            @@route(D)
            """ x"#;
        let tokens = tokens(source).expect("readable");
        let kinds: Vec<Kind> = tokens.iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [Kind::String, Kind::String, Kind::Word]);
    }

    #[test]
    fn comment_ends_at_a_carriage_return_as_the_compiler_has_it() {
        assert_eq!(texts("// hidden\rseen"), ["seen"]);
    }

    #[test]
    fn line_separator_does_not_end_a_comment_as_the_compiler_has_it() {
        assert!(texts("// a\u{2028}b\u{85}c").is_empty());
    }

    #[test]
    fn directive_goes_on_over_a_line_break_inside_a_string() {
        assert_eq!(
            texts("#suppress \"a\" \"\"\"\n@@route(X)\n\"\"\"\nseen"),
            ["#suppress \"a\" \"\"\"\n@@route(X)\n\"\"\"", "seen"]
        );
    }

    #[test]
    fn what_is_not_closed_is_unreadable() {
        for source in ["\"a", "\"a\n\"", "/* a", "`a", "\"${ a\"", "\"\"\"a\"", "#suppress ("] {
            assert!(tokens(source).is_err(), "{source:?}");
        }
    }

    #[test]
    fn only_a_plainly_written_string_has_a_value() {
        for (source, value) in [
            ("\"python\"", Some("python")),
            ("\"py\\thon\"", None),
            ("\"${python}\"", None),
            ("\"\"\"\npython\n\"\"\"", None),
            ("python", None),
        ] {
            let tokens = tokens(source).expect("readable");
            assert_eq!(tokens[0].plain_string(), value, "{source}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(source in "[\\PC\n\r\t]{0,80}") {
            let _ = tokens(&source);
        }

        #[test]
        fn any_mixture_of_marks_is_read_or_refused(source in r#"[\"`#@${}/*\\a \n]{0,40}"#) {
            let _ = tokens(&source);
        }
    }
}
