//! The texts of decorators, names and documentation. Emitters write them into source code, and not every emitter escapes
//! what ends the comment, string or name that they become there. What is judged is the value, however it is spelled.

use bailiwick_sdk::tasks::Decorator;

use super::super::Rule;
use super::super::hidden::is_hidden;
use super::application::Application;
use super::decorators::{known, takes_options};
use super::judge::Refusals;
use super::lexer::{DocComment, Kind, Token, tokens};
use super::multiset::Multiset;
use super::parser::beside_decorators;

/// Tells emitters not to change the letter case of the name behind it.
const AS_IT_IS: &str = "$DO_NOT_NORMALIZE$";

/// What a text becomes in generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Becomes {
    /// A comment, or a string that is one.
    Documentation,
    /// A name.
    Name,
    /// A namespace, a type's full name, a version, or a literal.
    Literal,
}

/// Why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wrong {
    /// Its value is known to the compiler alone.
    NotWritten(&'static str),
    /// What it holds, as people read it.
    Holds(String),
    NoName,
}

impl Wrong {
    fn holds(character: char) -> Self {
        let unseen = is_hidden(character) || character.is_control();
        Self::Holds(if unseen { format!("U+{:04X}", u32::from(character)) } else { character.to_string() })
    }
}

/// Judges the texts of a decorator that was added.
pub(super) fn judge(application: &Application, refusals: &mut Refusals<'_>) {
    // One that is not allowed is refused for that.
    let Some(decorator) = known(&application.decorator) else { return };
    for (position, argument) in application.arguments.iter().enumerate() {
        let Ok(tokens) = tokens(argument) else {
            refuse(
                &application.decorator,
                Becomes::Literal,
                &Wrong::NotWritten("readable"),
                application.line,
                refusals,
            );
            continue;
        };
        let whole = of_argument(decorator, position);
        if let Some(becomes) = whole
            && !is_written_out(becomes, &tokens)
        {
            refuse(&application.decorator, becomes, &Wrong::NotWritten("text in quotes"), application.line, refusals);
        }
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::String) {
            let named = takes_options(&application.decorator) && is_value_of_name(&tokens, at);
            let becomes = whole.unwrap_or(if named { Becomes::Name } else { Becomes::Literal });
            if let Err(wrong) = value(token).and_then(|text| check(becomes, &text)) {
                refuse(&application.decorator, becomes, &wrong, application.line, refusals);
            }
        }
    }
}

/// Arguments that have to be a text as a whole.
fn of_argument(decorator: Decorator, position: usize) -> Option<Becomes> {
    match (decorator, position) {
        (Decorator::ClientDoc, 0) => Some(Becomes::Documentation),
        (Decorator::ClientName | Decorator::ParamAlias, 0) => Some(Becomes::Name),
        (Decorator::ClientNamespace, 0) => Some(Becomes::Literal),
        _ => None,
    }
}

/// Whether an argument is a text in quotes; of a name, `exact("…")` as well.
fn is_written_out(becomes: Becomes, tokens: &[Token]) -> bool {
    match tokens {
        [token] => token.kind == Kind::String,
        [qualifier @ .., exact, open, token, close] => {
            becomes == Becomes::Name
                && exact.is("exact")
                && open.is("(")
                && token.kind == Kind::String
                && close.is(")")
                && qualifier.iter().all(|one| one.kind == Kind::Word || one.is("."))
        }
        _ => false,
    }
}

/// `name: "…"` of an options model.
fn is_value_of_name(tokens: &[Token], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    before(1).is_some_and(|token| token.is(":"))
        && before(2).is_some_and(|key| key.text.trim_matches(['"', '`']) == "name")
}

/// Judges the texts in the body of a new declaration that no decorator holds: default values and types of one value.
pub(super) fn judge_body(body: &[Token], refusals: &mut Refusals<'_>) {
    // What cannot be read is refused with the decorators in it.
    for token in beside_decorators(body).unwrap_or_default() {
        if token.kind == Kind::String
            && let Err(wrong) = value(token).and_then(|text| check(Becomes::Literal, &text))
        {
            refuse("", Becomes::Literal, &wrong, token.line, refusals);
        }
    }
}

/// Judges the names of a new declaration: in backticks, a name may hold anything.
pub(super) fn judge_names(namespace: &str, declaration: &str, line: u32, refusals: &mut Refusals<'_>) {
    for source in [namespace, declaration] {
        for token in tokens(source).unwrap_or_default() {
            let quoted = token.text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
            if let Some(Err(wrong)) =
                quoted.filter(|_| token.kind == Kind::Word).map(|name| check(Becomes::Literal, name))
            {
                refuse("", Becomes::Name, &wrong, line, refusals);
            }
        }
    }
}

/// Judges the comments that are documentation and were not there.
pub(super) fn judge_docs(before: &[DocComment], after: &[DocComment], refusals: &mut Refusals<'_>) {
    let mut left: Multiset<&str> = before.iter().map(|doc| doc.text.as_str()).collect();
    for doc in after.iter().filter(|doc| !left.take(&doc.text.as_str())) {
        // The compiler takes the stars at the beginning of lines for decoration.
        let lines = doc.text.split('\n').map(str::trim_start);
        let text: Vec<&str> = lines.map(|line| line.strip_prefix('*').unwrap_or(line)).collect();
        if let Err(wrong) = check(Becomes::Documentation, &text.join("\n")) {
            refuse("/** … */", Becomes::Documentation, &wrong, doc.line, refusals);
        }
    }
}

/// What a string literal comes to.
fn value(token: &Token) -> Result<String, Wrong> {
    let inside = |quotes: &str| token.text.strip_prefix(quotes).and_then(|rest| rest.strip_suffix(quotes));
    let inside = inside("\"\"\"").or_else(|| inside("\"")).unwrap_or_default();
    let mut text = String::new();
    let mut rest = inside.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '$' if rest.peek() == Some(&'{') => return Err(Wrong::NotWritten("text without `${…}`")),
            '\\' => text.push(match rest.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(escaped @ ('"' | '\\' | '`' | '@' | '$')) => escaped,
                // None that the compiler knows.
                _ => '\\',
            }),
            _ => text.push(character),
        }
    }
    Ok(text)
}

fn check(becomes: Becomes, text: &str) -> Result<(), Wrong> {
    match becomes {
        Becomes::Documentation => {
            // Languages take more for the end of a line than `\n`, and a comment ends with its line.
            let plain = text.replace("\r\n", "\n");
            let control = |one: &char| is_hidden(*one) || one.is_control() && !matches!(one, '\n' | '\t');
            if let Some(control) = plain.chars().find(control) {
                return Err(Wrong::holds(control));
            }
            // White space is what emitters change when they lay lines out.
            let squeezed: String = text.chars().filter(|one| !one.is_whitespace()).collect();
            match ["\"\"\"", "'''", "\\", "*/", "/*"].into_iter().find(|one| squeezed.contains(one)) {
                Some(found) => Err(Wrong::Holds(found.to_owned())),
                None => Ok(()),
            }
        }
        Becomes::Name => {
            let mut rest = text.strip_prefix(AS_IT_IS).unwrap_or(text).chars();
            let first = rest.next().is_some_and(|first| first.is_alphabetic() || first == '_');
            if first && rest.all(|one| one.is_alphanumeric() || one == '_') { Ok(()) } else { Err(Wrong::NoName) }
        }
        Becomes::Literal => {
            let plain = |one: &char| one.is_alphanumeric() || " _-./@+<>[],~^".contains(*one);
            match text.chars().find(|one| !plain(one)) {
                Some(found) => Err(Wrong::holds(found)),
                None => Ok(()),
            }
        }
    }
}

fn refuse(of: &str, becomes: Becomes, wrong: &Wrong, line: u32, refusals: &mut Refusals<'_>) {
    let whose = match of {
        "" => "a text here".to_owned(),
        "/** … */" => "a `/** … */`".to_owned(),
        name => format!("the text of `@{name}`"),
    };
    let message = match (wrong, becomes) {
        (Wrong::NotWritten(what), _) => format!("{whose} has to be {what}, so that it can be judged; write it out"),
        (Wrong::NoName, _) => format!("{whose} becomes a name in generated code; use letters, digits and `_` alone"),
        (Wrong::Holds(what), Becomes::Documentation) => format!(
            "{whose} holds `{what}`, which can end a comment or string of generated code; write it without three quotes \
             in a row, backslashes, `/*`, `*/` and control characters"
        ),
        (Wrong::Holds(what), _) => format!(
            "{whose} holds `{what}`, which can be read as code where it is generated; use letters, digits, blanks and \
             `_-./@+<>[],~^` alone"
        ),
    };
    refusals.add(Rule::UnsafeText, line, &message);
}
