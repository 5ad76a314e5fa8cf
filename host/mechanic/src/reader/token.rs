//! Words, names, signs: a text in the pieces that the reader works with.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of the language people speak.
    Word,
    /// Something written as names in code are: `get_widget`, `Widget.displayName`, `widgets.list()`.
    Name,
    /// `->`, `→`, `=>`.
    Arrow,
    /// One sign.
    Sign(char),
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// As written, without quotes and the arguments of a call.
    pub(super) text: String,
    /// The same in lower case.
    pub(super) lower: String,
    /// Where it stands in the text, quotes and arguments included.
    pub(super) span: Range<usize>,
    /// Whether it stands between backticks or quotes of its own.
    pub(super) quoted: bool,
    /// Whether it is called: `list(…)`.
    pub(super) called: bool,
    /// The names among the arguments of a call; of code that declares the name, the code around it.
    pub(super) arguments: Vec<String>,
}

impl Token {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        !self.quoted && words.contains(&self.lower.as_str())
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }

    /// Whether it can be a name: a word, or what is written as a name.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Name)
    }

    /// Whether it is written as only names are.
    pub(super) fn looks_like_name(&self) -> bool {
        self.quoted || self.called || self.kind == Kind::Name
    }
}

const ARROWS: &[&str] = &["-->", "==>", "->", "=>", "→", "⇒", "⟹", "➜", "➔", "➡\u{fe0f}", "➡", "⟶", "»"];

/// The pairs of quotes that people use.
fn closing(open: char) -> Option<char> {
    Some(match open {
        // `\Widget\`: a backtick that a shell was to leave alone.
        '`' | '"' | '\'' | '\\' => open,
        '“' | '„' => '”',
        '‘' => '’',
        '«' => '»',
        _ => return None,
    })
}

/// Splits a text. Quoted text of one name becomes one token; longer quoted text is taken as if it were not quoted.
pub(super) fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(first) = rest.chars().next() else { break };
        let advanced = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(arrow) = ARROWS.iter().find(|arrow| rest.starts_with(**arrow)) {
            tokens.push(sign_like(Kind::Arrow, arrow, at));
            arrow.len()
        } else if let Some(length) = link(rest) {
            // No word of the sentence, and no part of it is a name.
            length
        } else if let Some((token, length)) = quoted(rest, at, text) {
            tokens.push(token);
            length
        } else if first.is_alphanumeric() || ((first == '_' || first == '@' || first == '.') && starts_name(rest)) {
            let (token, length) = word(rest, at);
            tokens.push(token);
            length
        } else {
            tokens.push(sign_like(Kind::Sign(first), rest.get(..first.len_utf8()).unwrap_or_default(), at));
            first.len_utf8()
        };
        at = at.saturating_add(advanced.max(1));
    }
    super::periphrases::plain(&mut tokens);
    tokens
}

fn sign_like(kind: Kind, text: &str, at: usize) -> Token {
    Token {
        kind,
        text: text.to_owned(),
        lower: text.to_owned(),
        span: at..at.saturating_add(text.len()),
        quoted: false,
        called: false,
        arguments: Vec::new(),
    }
}

/// The length of a link that a text begins with.
fn link(rest: &str) -> Option<usize> {
    let address = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://"))?;
    let ends = |c: char| c.is_whitespace() || "<>()[]|\"'`".contains(c);
    let address = address.split(ends).next().unwrap_or_default().trim_end_matches(['.', ',', ';', ':', '!', '?']);
    (!address.is_empty()).then(|| rest.len().min(rest.find(address).unwrap_or_default().saturating_add(address.len())))
}

fn starts_name(rest: &str) -> bool {
    rest.chars().nth(1).is_some_and(|next| next.is_alphanumeric() || next == '_')
}

/// A single name between quotes, with the length of the whole.
fn quoted(rest: &str, at: usize, text: &str) -> Option<(Token, usize)> {
    let open = rest.chars().next()?;
    let close = closing(open)?;
    // An apostrophe inside or behind a word opens nothing.
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    if open == '\'' && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    // A part of a path.
    if open == '\\' && before.is_some_and(|before| before.is_alphanumeric() || "_.:".contains(before)) {
        return None;
    }
    let inner_start = open.len_utf8();
    let inner = rest.get(inner_start..)?;
    // No name is longer.
    let end = inner.char_indices().take(200).find(|(_, c)| *c == close)?.0;
    let inner = inner.get(..end)?;
    let length = inner_start.saturating_add(end).saturating_add(close.len_utf8());
    if open == '\\' && rest.get(length..).is_some_and(|behind| behind.starts_with(|c: char| c.is_alphanumeric())) {
        return None;
    }
    let trimmed = inner.trim().trim_end_matches(['.', ',']);
    if let Some(name) = (open == '`').then(|| declared_in(trimmed)).flatten() {
        let text = name.to_owned();
        let lower = name.to_lowercase();
        let span = at..at.saturating_add(length);
        // What stands around the name, so that two pieces of code can be compared.
        let arguments = vec![trimmed.replace(name, "_")];
        let token = Token { kind: Kind::Name, text, lower, span, quoted: true, called: false, arguments };
        return Some((token, length));
    }
    let (name, called, arguments) = call(trimmed);
    // `@clientName("title")` says what the name in its brackets is for.
    let decorator = called && name.starts_with('@');
    // `old->new`: two names.
    let paired = ARROWS.iter().any(|arrow| {
        name.split_once(arrow)
            .is_some_and(|(old, new)| [old, new].iter().all(|one| crate::names::is_identifier(one.trim())))
    });
    let single = !name.is_empty()
        && !decorator
        && !paired
        && !name.contains(char::is_whitespace)
        && name.chars().any(char::is_alphanumeric)
        && name.chars().all(|c| c.is_alphanumeric() || "_.#:-!@/<>[]$?".contains(c));
    if !single {
        return None;
    }
    let name = name.trim_matches(['.', '?']);
    let kind = if is_name_shaped(name) || called { Kind::Name } else { Kind::Word };
    let token = Token {
        kind,
        text: name.to_owned(),
        lower: name.to_lowercase(),
        span: at..at.saturating_add(length),
        quoted: true,
        called,
        arguments,
    };
    Some((token, length))
}

/// The name that a piece of code declares: `public class X`, `type X struct`, `def x(self)`, `public bool? X { get; }`.
fn declared_in(code: &str) -> Option<&str> {
    const STARTS: &[&str] = list! {
        "public" "internal" "protected" "private" "export" "abstract" "sealed" "final" "static" "class" "interface" "enum"
        "struct" "record" "type" "model" "union" "def" "async" "func" "function" "readonly"
    };
    let first = code.split_whitespace().next().filter(|first| code.len() > first.len() && STARTS.contains(first))?;
    // `type of the part`: words.
    let signs = code.contains(['(', '{', ':', ';']);
    let short = code.split_whitespace().count() <= 3;
    let declared = super::structure::declared(code).filter(|_| signs || short)?;
    (declared.name != first && crate::names::is_identifier(declared.name)).then_some(declared.name)
}

/// A name, whether it is called, and the names among its arguments.
fn call(text: &str) -> (&str, bool, Vec<String>) {
    let Some(open) = text.find('(') else { return (text, false, Vec::new()) };
    if !text.trim_end().ends_with(')') {
        return (text, false, Vec::new());
    }
    let (name, arguments) = text.split_at(open);
    (name, true, argument_names(arguments))
}

fn argument_names(text: &str) -> Vec<String> {
    // `name`, `name=…`, `name: type`, `Type name`
    let name = |part: &str| {
        let declared = part.split(['=', ':']).next()?;
        let mut words = declared.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.rfind(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).map(str::to_owned)
    };
    text.split(',').filter_map(name).collect()
}

/// A word or a name that is not quoted, with its length.
fn word(rest: &str, at: usize) -> (Token, usize) {
    let mut end = 0;
    let mut characters = rest.char_indices().peekable();
    while let Some((index, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let joins = next.is_some_and(|next| next.is_alphanumeric() || next == '_');
        let goes_on = match c {
            c if c.is_alphanumeric() || c == '_' => true,
            '@' => index == 0 || joins,
            '.' | '#' | '/' | '-' | '\'' | '’' | '!' | '`' => joins && is_inner(c, rest, index),
            ':' => next == Some(':') || rest.get(..index).is_some_and(|before| before.ends_with(':')) && joins,
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = index.saturating_add(c.len_utf8());
    }
    let mut written = rest.get(..end).unwrap_or_default();
    // The possessive of a name is no part of it.
    for ending in ["'s", "’s"] {
        if let Some(stem) = written.strip_suffix(ending)
            && !is_contraction(stem)
        {
            written = stem;
        }
    }
    // `C#` and `F#`.
    if ["C", "c", "F", "f"].contains(&written)
        && rest.get(written.len()..).is_some_and(|behind| behind.starts_with('#'))
    {
        written = rest.get(..written.len().saturating_add(1)).unwrap_or(written);
    }
    let mut length = written.len();
    let mut called = false;
    let mut arguments = Vec::new();
    if is_identifier_like(written)
        && let Some(behind) = rest.get(length..).filter(|behind| behind.starts_with('('))
        && let Some(close) = matching(behind)
        && let Some(inside) = behind.get(1..close)
        && (is_name_shaped(written) && (is_plain_list(inside) || is_type_list(inside))
            || inside.trim().is_empty()
            || inside.trim() == "..."
            || inside.trim() == "…"
            || is_argument_list(inside))
    {
        called = true;
        arguments = argument_names(inside);
        length = length.saturating_add(close).saturating_add(1);
    }
    let kind = if is_name_shaped(written) || called { Kind::Name } else { Kind::Word };
    let token = Token {
        kind,
        text: written.to_owned(),
        lower: corrected(written.to_lowercase().replace('’', "'")),
        span: at..at.saturating_add(length),
        quoted: false,
        called,
        arguments,
    };
    (token, length.max(1))
}

/// Words that carry a request, and are taken for what they are with one letter wrong or two swapped.
const CARRYING: &[&str] = list! {
    "rename" "internal" "public" "remove" "please" "should" "hidden" "operation" "property" "change" "private"
    "called"
};

fn corrected(word: String) -> String {
    let plain = word.len() >= 5 && word.chars().all(|c| c.is_ascii_lowercase());
    if word == "hdie" || word == "hied" {
        return "hide".to_owned();
    }
    let one = |known: &&&str| {
        word.starts_with(known.get(..1).unwrap_or_default()) && word != **known && strsim::osa_distance(&word, known) == 1
            // A longer or shorter form is another word.
            && (word.len() == known.len() && !word.ends_with(['r', 's', 'd', 'n']) || word.len().saturating_add(1) == known.len() && !known.starts_with(&word) || swapped(&word, known))
    };
    match CARRYING.iter().find(one).filter(|_| plain) {
        Some(known) => (*known).to_owned(),
        None => word,
    }
}

fn swapped(word: &str, known: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(word) == sorted(known)
}

/// `'` joins `don't`, `/` joins paths and languages only where both sides are written without spaces.
fn is_inner(c: char, rest: &str, index: usize) -> bool {
    match c {
        '/' => {
            // `a/b` of two names are two names; a path with an extension or a package is one.
            let word: String =
                rest.chars().take(300).take_while(|c| !c.is_whitespace() && *c != ',' && *c != '(').collect();
            let word = word.trim_end_matches('.');
            let dots = word.rsplit('/').next().is_some_and(|last| {
                last.contains('.') && last.rsplit('.').next().is_some_and(|ending| ending.len() <= 4)
            });
            dots && word.matches('/').count() >= 1 || word.starts_with('@')
        }
        '!' => rest.starts_with('@'),
        '`' => rest.get(..index).is_some_and(|before| before.ends_with('.')),
        _ => true,
    }
}

fn is_contraction(stem: &str) -> bool {
    ["it", "let", "that", "there", "here", "what", "who", "he", "she"].contains(&stem.to_lowercase().as_str())
}

fn is_identifier_like(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || "_.#:`".contains(c))
}

/// `a, b`: nothing but names of parameters.
fn is_plain_list(inside: &str) -> bool {
    let one = |part: &str| {
        let part = part.trim();
        part.len() > 1 && part.starts_with(char::is_lowercase) && crate::names::is_identifier(part)
    };
    inside.len() <= 200 && inside.split(',').all(one)
}

/// `PartRequest`, `PartRequest, RequestOptions`: the types that a method takes, without their names.
fn is_type_list(inside: &str) -> bool {
    let one = |part: &str| {
        let part = part.trim();
        part.starts_with(char::is_uppercase) && crate::names::words(part).len() > 1 && crate::names::is_identifier(part)
    };
    inside.len() <= 200 && inside.split(',').all(one)
}

/// `a, b=..., c: int = 5`, and nothing that prose has.
fn is_argument_list(inside: &str) -> bool {
    let few = inside.len() <= 200;
    let signs = inside.contains(['=', ':', '*', '.', '…']) || inside.contains("self");
    // `String name, int count`
    let typed = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        matches!(words.as_slice(), [kind, name] if kind.starts_with(char::is_uppercase)
            && super::lexicon::language(&kind.to_lowercase()).is_none()
            && name.starts_with(char::is_lowercase)
            && crate::names::is_identifier(name))
    };
    few && (inside.split(',').all(typed)
        || signs
        || inside.split(',').all(|part| part.split_whitespace().count() == 1) && inside.contains('_'))
}

fn matching(behind: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, c) in behind.char_indices().take(400) {
        match c {
            '(' => depth = depth.saturating_add(1),
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(index);
                }
            }
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a text is written as names in code are and words are not: an inner capital, an underscore, a path, a digit.
pub(super) fn is_name_shaped(text: &str) -> bool {
    let lower_then_upper = text.chars().zip(text.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let path = text.contains(['.', '#']) && text.split(['.', '#']).filter(|part| !part.is_empty()).count() > 1
        || text.contains("::")
        || text.starts_with('.') && text.len() > 1;
    let abbreviation =
        ["e.g", "i.e", "etc", "vs", "a.k.a", "p.s", "z.b", "w.r.t"].contains(&text.to_lowercase().as_str());
    let capitals = text.chars().filter(|c| c.is_uppercase()).count() >= 2 && text.chars().any(char::is_lowercase);
    let version = text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == 'v');
    (text.contains('_') && text.len() > 1 || lower_then_upper || path || capitals && !text.contains('-'))
        && !abbreviation
        && !version
        && !KNOWN_WORDS.contains(&text.to_lowercase().as_str())
}

/// Words of the trade that are written with inner capitals and are no names in a client.
const KNOWN_WORDS: &[&str] = list! {
    "javascript" "typescript" "github" "apiview" "openapi" "typespec" "nuget" "npm" "pypi" "intellisense" "vscode"
    "devops" "ios" "macos" "apis" "sdks" "urls" "ids" "dtos" "lros" "ides" "asp.net" "node.js" "vs.code" "pep8"
    "powershell" "dotnet" "golang" "c#" ".net" "vb.net" "f#" "qa" "prs" "clis" "guids" "uuids" "jsons" "pms" "todo"
    "todos" "lgtm" "restapi" "graphql" "grpc" "oauth" "whatsapp" "ok"
};
