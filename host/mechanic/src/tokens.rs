//! Splits prose into tokens: words, quoted names, possessives and punctuation.

use bailiwick_audit::is_invisible;

use super::work;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters and digits, with what names hold in between: `delete_widget`, `Widgets.deleteWidget`, `non-public`.
    Word,
    /// What stood between quotes or backticks; always a name, never a word of the language.
    Quoted,
    /// The `'s` behind a word.
    Possessive,
    /// `->` and its like.
    Arrow,
    /// One character of punctuation.
    Punctuation(char),
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// As written, without quotes.
    pub(crate) text: String,
    /// In lower case.
    pub(crate) lower: String,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

impl Token {
    fn new(kind: TokenKind, text: &str, start: usize, end: usize) -> Self {
        Self { kind, text: text.to_owned(), lower: text.to_lowercase(), start, end }
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    pub(crate) fn is_punctuation(&self) -> bool {
        matches!(self.kind, TokenKind::Punctuation(_))
    }

    /// Whether a sentence ends here.
    pub(crate) fn ends_sentence(&self) -> bool {
        matches!(self.kind, TokenKind::Punctuation('.' | '!' | '?' | ';'))
    }
}

/// The tokens of a text without logs and code blocks.
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    Tokenizer { text, characters: text.char_indices().collect(), at: 0, tokens: Vec::new(), runs: Vec::new() }.run()
}

struct Tokenizer<'a> {
    text: &'a str,
    characters: Vec<(usize, char)>,
    at: usize,
    tokens: Vec<Token>,
    /// Runs of asterisks that nothing has closed.
    runs: Vec<Run>,
}

/// Some asterisks side by side.
struct Run {
    /// The token that follows.
    token: usize,
    start: usize,
    end: usize,
    /// Whether emphasis can begin here.
    opens: bool,
}

impl Run {
    fn length(&self) -> usize {
        self.end - self.start
    }
}

/// Emphasis inside emphasis goes no deeper in any text that people write.
const DEEPEST_EMPHASIS: usize = 8;

/// A quotation is a name; what is longer than any name is none.
const LONGEST_QUOTATION: usize = 300;

/// Punctuation that can be passed over without changing what is asked.
const HARMLESS: &[char] = &[
    ',', '.', ';', ':', '!', '?', '(', ')', '[', ']', '"', '\'', '`', '´', '’', '‘', '“', '”', '„', '«', '»', '…', '–',
    '—', '-',
];

impl Tokenizer<'_> {
    fn run(mut self) -> Vec<Token> {
        while let Some(c) = self.peek(0) {
            if c.is_whitespace() || (c == '\u{feff}' && self.at == 0) {
                self.at += 1;
            } else if c == '*' {
                self.asterisks();
            } else if !(self.arrow(c) || self.quoted(c) || self.word(c)) {
                self.mark(c);
            }
        }
        self.with_asterisks()
    }

    /// Punctuation that says how words belong together can be passed over. Any other character may mean something
    /// (`≠`, `&`, a crossed-out circle, `~~` around what is withdrawn): as a word that nothing knows it stops whatever
    /// stands beside it.
    fn mark(&mut self, c: char) {
        let start = self.offset(self.at);
        let glued = self.peek(1).is_some_and(char::is_alphanumeric);
        let free = self.at.checked_sub(1).is_none_or(|before| self.characters[before].1.is_whitespace());
        // `!hide` and `-deleteWidget` are no punctuation.
        let operator = glued && free && (c == '!' || (c == '-' && self.at > 0));
        self.at += 1;
        let end = self.offset(self.at);
        if HARMLESS.contains(&c) && !operator {
            self.push(TokenKind::Punctuation(c), start, end);
        } else if is_invisible(c) {
            self.push_text(TokenKind::Word, &format!("U+{:04X}", u32::from(c)), start, end);
        } else {
            self.push(TokenKind::Word, start, end);
        }
    }

    /// Passes over markdown's emphasis: runs of asterisks in pairs.
    fn asterisks(&mut self) {
        let first = self.at;
        while self.peek(0) == Some('*') {
            self.at += 1;
        }
        let run = Run {
            token: self.tokens.len(),
            start: self.offset(first),
            end: self.offset(self.at),
            opens: self.peek(0).is_some_and(|next| !next.is_whitespace()),
        };
        let closes = first.checked_sub(1).is_some_and(|before| !self.characters[before].1.is_whitespace());
        let open = (self.runs.len().saturating_sub(DEEPEST_EMPHASIS)..self.runs.len())
            .rev()
            .find(|&at| closes && self.runs[at].opens && self.runs[at].length() == run.length());
        match open {
            Some(open) => {
                self.runs.remove(open);
                self.apostrophe();
            }
            None => self.runs.push(run),
        }
    }

    /// The tokens, with every run of asterisks that is no emphasis as a word that nothing knows: `delete*` means several.
    fn with_asterisks(self) -> Vec<Token> {
        let mut runs = self.runs.into_iter().peekable();
        let mut tokens = Vec::with_capacity(self.tokens.len() + runs.len());
        for (at, token) in self.tokens.into_iter().enumerate() {
            while let Some(run) = runs.next_if(|run| run.token <= at) {
                tokens.push(Token::new(TokenKind::Word, &self.text[run.start..run.end], run.start, run.end));
            }
            tokens.push(token);
        }
        tokens.extend(runs.map(|run| Token::new(TokenKind::Word, &self.text[run.start..run.end], run.start, run.end)));
        tokens
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        work::steps(1);
        self.characters.get(self.at + ahead).map(|&(_, c)| c)
    }

    fn offset(&self, at: usize) -> usize {
        self.characters.get(at).map_or(self.text.len(), |&(offset, _)| offset)
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token::new(kind, &self.text[start..end], start, end));
    }

    fn push_text(&mut self, kind: TokenKind, text: &str, start: usize, end: usize) {
        self.tokens.push(Token::new(kind, text, start, end));
    }

    fn arrow(&mut self, c: char) -> bool {
        let length = match c {
            '→' | '⇒' => 1,
            '-' | '=' => {
                // Longer ones are rules between paragraphs, not arrows.
                let dashes = (0..4).take_while(|&i| self.peek(i) == Some(c)).count();
                if self.peek(dashes) != Some('>') {
                    return false;
                }
                dashes + 1
            }
            _ => return false,
        };
        let start = self.offset(self.at);
        self.at += length;
        self.push(TokenKind::Arrow, start, self.offset(self.at));
        true
    }

    fn quoted(&mut self, open: char) -> bool {
        let close = match open {
            '"' | '`' | '\'' => open,
            '“' | '„' => '”',
            '‘' => '’',
            '«' => '»',
            _ => return false,
        };
        let width = if open == '`' { (0..4).take_while(|&i| self.peek(i) == Some('`')).count() } else { 1 };
        let first = self.at + width;
        let closes = |at: usize| {
            work::steps(1);
            (0..width).all(|i| self.characters.get(at + i).is_some_and(|&(_, c)| c == close || (open == '„' && c == '“')))
                // An apostrophe inside a word ends no quotation.
                && (close != '\'' && close != '’'
                    || self.characters.get(at + 1).is_none_or(|&(_, c)| !c.is_alphanumeric()))
        };
        let Some(last) = (first..self.characters.len().min(first + LONGEST_QUOTATION))
            .take_while(|&at| self.characters[at].1 != '\n')
            .find(|&at| closes(at))
        else {
            return false;
        };
        if last == first {
            return false;
        }
        let (start, end) = (self.offset(self.at), self.offset(last + width));
        let content = self.text[self.offset(first)..self.offset(last)].trim().to_owned();
        let content = content.strip_suffix("()").unwrap_or(&content);
        self.at = last + width;
        self.push_text(TokenKind::Quoted, content, start, end);
        self.apostrophe();
        true
    }

    fn word(&mut self, c: char) -> bool {
        let begins = c.is_alphanumeric()
            || c == '_'
            || (matches!(c, '.' | '@') && self.peek(1).is_some_and(|next| next.is_alphanumeric() || next == '@'));
        if !begins {
            return false;
        }
        let first = self.at;
        while let Some(c) = self.peek(0) {
            let next = self.peek(1);
            let joins = next.is_some_and(|next| next.is_alphanumeric() || next == '_');
            let letter = c.is_alphanumeric() || c == '_';
            if c == ':' && next == Some(':') && self.peek(2).is_some_and(char::is_alphanumeric) {
                self.at += 2;
            } else if let Some(length) = self.quoted_part().filter(|_| c == '.') {
                self.at += length;
            } else if letter || (matches!(c, '.' | '-' | '/' | '@') && (joins || (c == '@' && next == Some('@')))) {
                self.at += 1;
            } else if matches!(c, '#' | '+') && self.at == first + 1 {
                // `C#`, `C++`
                self.at += if c == '+' && next == Some('+') { 2 } else { 1 };
            } else {
                break;
            }
        }
        // A word that takes no character (`.@`) would be read for ever.
        if self.at == first {
            return false;
        }
        let (start, end) = (self.offset(first), self.offset(self.at));
        self.push(TokenKind::Word, start, end);
        self.call_parentheses();
        self.apostrophe();
        self.negation_without_apostrophe();
        true
    }

    /// The length of a dot and the name in backticks behind it, as TypeSpec writes references: ``Part.`display name` ``.
    fn quoted_part(&self) -> Option<usize> {
        if self.peek(1) != Some('`') {
            return None;
        }
        let mut length = 2;
        while length < LONGEST_QUOTATION {
            match self.peek(length)? {
                '\n' => return None,
                '\\' => length += 2,
                '`' => return (length > 2).then_some(length + 1),
                _ => length += 1,
            }
        }
        None
    }

    /// Drops the `()` or `(...)` of a name written as a call.
    fn call_parentheses(&mut self) {
        for call in ["()", "(...)", "(…)"] {
            if call.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c)) {
                self.at += call.chars().count();
                return;
            }
        }
    }

    /// Takes the `'s`, `n't`, `'d` … behind a word apart.
    fn apostrophe(&mut self) {
        if !matches!(self.peek(0), Some('\'' | '’')) {
            return;
        }
        // What follows an apostrophe is short: `'s`, `n't`, `'ll`.
        let letters: String = self.characters[self.at + 1..]
            .iter()
            .map(|&(_, c)| c)
            .take_while(|c| c.is_alphanumeric())
            .take(4)
            .collect();
        let (start, end) = (self.offset(self.at), self.offset(self.at + 1 + letters.chars().count()));
        let Some(last) = self.tokens.last().cloned() else { return };
        let word = last.lower.clone();
        let expanded = match letters.to_lowercase().as_str() {
            "s" if ["it", "that", "there", "what", "here", "he", "she", "who"].contains(&word.as_str()) => "is",
            "s" if word == "let" => "us",
            "s" => {
                self.at += 2;
                self.push(TokenKind::Possessive, start, end);
                return;
            }
            "t" if word.ends_with('n') && last.is_word() => {
                self.at += 2;
                self.tokens.pop();
                self.contraction(&word, last.start, end);
                return;
            }
            "d" => "would",
            "ll" => "will",
            "re" => "are",
            "ve" => "have",
            "m" => "am",
            _ => return,
        };
        self.at += 1 + letters.chars().count();
        self.push_text(TokenKind::Word, expanded, start, end);
    }

    /// `shouldn` + `t` -> `should`, `not`.
    fn contraction(&mut self, stem: &str, start: usize, end: usize) {
        let verb = match stem {
            "can" => "can",
            "won" => "will",
            "shan" => "shall",
            _ => stem.strip_suffix('n').unwrap_or(stem),
        };
        self.push_text(TokenKind::Word, verb, start, end);
        self.push_text(TokenKind::Word, "not", start, end);
    }

    fn negation_without_apostrophe(&mut self) {
        let Some(last) = self.tokens.last().cloned() else { return };
        let stem = match last.lower.as_str() {
            "dont" | "doesnt" | "didnt" | "isnt" | "arent" | "wasnt" | "shouldnt" | "mustnt" | "couldnt"
            | "wouldnt" | "neednt" => &last.lower[..last.lower.len() - 1],
            "cant" | "cannot" => "can",
            "wont" => "won",
            _ => return,
        };
        let stem = stem.to_owned();
        self.tokens.pop();
        self.contraction(&stem, last.start, last.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        tokenize(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn names_stay_whole() {
        assert_eq!(
            texts("hide Widgets.deleteWidget, `delete widget` and delete_widget()."),
            ["hide", "Widgets.deleteWidget", ",", "delete widget", "and", "delete_widget", "."]
        );
        assert_eq!(texts("in .NET and C#"), ["in", ".NET", "and", "C#"]);
        assert_eq!(texts("rename Part.`odd \\`name\\`` to b"), ["rename", "Part.`odd \\`name\\``", "to", "b"]);
        assert_eq!(texts("hide Part.`"), ["hide", "Part", ".", "`"]);
    }

    #[test]
    fn every_spelling_of_a_negation_yields_not() {
        for text in ["don't", "don’t", "dont", "shouldn't", "isn't", "can't", "cannot", "won't", "mustnt"] {
            assert_eq!(texts(text).last().map(String::as_str), Some("not"), "{text}");
        }
    }

    #[test]
    fn possessive_is_a_token_and_no_quotation() {
        let tokens = tokenize("Widget's displayName and 'title'");
        assert_eq!(tokens[1].kind, TokenKind::Possessive);
        assert_eq!(tokens[2].text, "displayName");
        assert_eq!(tokens[4].kind, TokenKind::Quoted);
    }

    #[test]
    fn a_text_of_punctuation_is_read_to_its_end() {
        for text in [".@", "@", "@@", "..", "a.@b", "`", "'", "\"\"", "::"] {
            assert!(!tokenize(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn arrows_are_one_token() {
        for text in ["A -> B", "A => B", "A → B", "A --> B"] {
            assert_eq!(tokenize(text)[1].kind, TokenKind::Arrow, "{text}");
        }
    }
}
