//! The file, read as JSON with comments and with the place of everything in it.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, Scanner, ScannerOptions};
use std::fmt;

/// What the spelling checker reads: JSON, with comments and commas at the end of lists, and no more of what is allowed
/// elsewhere.
const RULES: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The deepest nesting that is read. The parser goes down with it, and a guest's stack is small.
const DEEPEST: usize = 64;

/// A file that was read.
pub(crate) struct Config<'a> {
    /// The whole value.
    pub(crate) root: Object<'a>,
    /// Every token and every comment, in order.
    pub(crate) tokens: Vec<TokenAndRange<'a>>,
}

/// Why the file cannot be updated, and where that begins, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    what: String,
    line: usize,
    column: usize,
}

impl Problem {
    /// A problem at the byte at `offset` of `text`.
    pub(crate) fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before[before.rfind('\n').map_or(0, |feed| feed + 1)..].chars().count() + 1;
        Self { what: what.into(), line, column }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at line {}, column {}", self.what, self.line, self.column)
    }
}

/// Reads `text`, which has no byte order mark.
///
/// # Errors
/// When it is no JSON with comments, or no object.
pub(crate) fn read(text: &str) -> Result<Config<'_>, Problem> {
    if let Some(at) = too_deep(text) {
        return Err(Problem::at(text, at, format!("it is nested deeper than {DEEPEST} levels")));
    }
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let parsed = jsonc_parser::parse_to_ast(text, &collect, &RULES).map_err(|error| {
        let why = error.kind().to_string();
        let mut letters = why.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        let why: String = first.into_iter().chain(letters).collect();
        Problem::at(text, error.range().start.min(text.len()), format!("it is not JSON with comments: {why}"))
    })?;
    let tokens = parsed.tokens.unwrap_or_default();
    // The parser takes a string for ended at its quote, however many lines further down that is.
    let broken = tokens.iter().find(|token| {
        matches!(token.token, Token::String(_)) && text[token.range.start..token.range.end].contains(['\n', '\r'])
    });
    if let Some(broken) = broken {
        return Err(Problem::at(
            text,
            broken.range.start,
            "it is not JSON with comments: a string is not closed in its line",
        ));
    }
    match parsed.value {
        Some(Value::Object(root)) => Ok(Config { root, tokens }),
        _ => Err(Problem::at(text, 0, "it has no object with settings")),
    }
}

/// Where the text is nested too deeply. What cannot be read at all is for the parser to say.
fn too_deep(text: &str) -> Option<usize> {
    let options = ScannerOptions {
        allow_single_quoted_strings: RULES.allow_single_quoted_strings,
        allow_hexadecimal_numbers: RULES.allow_hexadecimal_numbers,
        allow_unary_plus_numbers: RULES.allow_unary_plus_numbers,
        allow_bare_decimal_point_numbers: RULES.allow_bare_decimal_point_numbers,
        allow_non_finite_numbers: RULES.allow_non_finite_numbers,
        allow_extended_string_escapes: RULES.allow_extended_string_escapes,
    };
    let mut scanner = Scanner::new(text, &options);
    let mut depth = 0_usize;
    while let Ok(Some(token)) = scanner.scan() {
        match token {
            Token::OpenBrace | Token::OpenBracket => depth += 1,
            Token::CloseBrace | Token::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some(scanner.token_start());
        }
    }
    None
}

impl<'a> Config<'a> {
    /// The property `name` of the whole.
    ///
    /// # Errors
    /// When there are two: the last would count, and a person who reads the first would not know.
    pub(crate) fn property(&self, text: &str, name: &str) -> Result<Option<&ObjectProp<'a>>, Problem> {
        let mut found = self.root.properties.iter().filter(|property| property.name.as_str() == name);
        let first = found.next();
        match found.next() {
            Some(second) => Err(Problem::at(text, second.range.start, format!("it has `{name}` a second time"))),
            None => Ok(first),
        }
    }
}

/// Whether `token` is a comment.
pub(crate) fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_malformed_is_named_with_line_and_column() {
        for (text, line, column) in [
            ("{\n  \"words\": [\"a\" \"b\"]\n}\n", 2, 16),
            ("{\n  \"words\": [\"a\"\n}\n", 3, 1),
            ("{\"a\": 'b'}", 1, 7),
            ("{\"a\": 0x1}", 1, 7),
            ("{a: 1}", 1, 2),
            ("{\"a\": [1,,2]}", 1, 10),
            ("{}{}", 1, 3),
            ("{\n  /* open\n}", 2, 3),
            ("{\n\"é\": [\"a\nb\"]}", 2, 7),
            ("", 1, 1),
            ("// nothing\n", 1, 1),
            ("[\"words\"]", 1, 1),
        ] {
            let problem = read(text).err().unwrap();
            assert_eq!((problem.line, problem.column), (line, column), "{text:?}: {problem}");
        }
    }

    #[test]
    fn nesting_is_bounded_and_brackets_in_strings_and_comments_do_not_count() {
        let nested = |depth: usize| format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(DEEPEST - 1)).is_ok());
        let problem = read(&nested(DEEPEST)).err().unwrap();
        assert_eq!((problem.line, problem.column), (1, 6 + DEEPEST));
        assert!(read(&format!("{{\"a\": \"{0}\" /* {0} */}}", "[".repeat(200))).is_ok());
    }

    #[test]
    fn comments_and_commas_at_the_end_are_read() {
        let config = read("// a\n{\n  \"words\": [/* b */ \"a\",], // c\n}\n").ok().unwrap();
        assert_eq!(config.root.properties.len(), 1);
        assert_eq!(config.tokens.iter().filter(|token| is_comment(token)).count(), 3);
    }

    #[test]
    fn a_property_that_is_there_twice_is_a_problem() {
        let text = "{\"words\": [],\n \"words\": []}";
        assert!(
            read(text).ok().unwrap().property(text, "words").err().unwrap().to_string().ends_with("line 2, column 2")
        );
    }
}
