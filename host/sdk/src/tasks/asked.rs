//! Directives as scripts write them: targets by any name, before they are looked up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ClientParameter, Decoration, Decorator, Language, Scope};

/// A directive with the names that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedDirective {
    /// What is asked for.
    pub change: AskedChange,
    /// The languages; `None` stands for the package's alone.
    pub scope: Option<Scope>,
    /// As it was written, for answers.
    pub written: String,
}

/// What a directive asks for. Targets are TypeSpec names, whole or in part, or names in the package's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedChange {
    /// Another name.
    Rename {
        /// What is renamed.
        target: String,
        /// The new name.
        name: String,
    },
    /// No longer public.
    Hide {
        /// What is hidden.
        target: String,
    },
    /// Public again.
    Show {
        /// What is shown.
        target: String,
    },
    /// Into another group of operations.
    Move {
        /// The operation.
        target: String,
        /// An interface, a client, or the name of a new group.
        to: String,
    },
    /// A client of its own.
    Client {
        /// Its name.
        name: String,
        /// Its operations.
        operations: Vec<String>,
        /// What it is initialized with.
        parameters: Vec<ClientParameter>,
    },
    /// A decorator with its arguments.
    Decorate {
        /// What is decorated.
        target: String,
        /// With what.
        decoration: Decoration,
    },
    /// A decorator of `client.tsp` less.
    Undecorate {
        /// What is decorated.
        target: String,
        /// The decorator.
        decorator: Decorator,
    },
    /// Regeneration, and repair of hand-written code.
    Repair {
        /// Files to begin with.
        files: Vec<String>,
    },
}

/// Why directives cannot be used. Each is one sentence; nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DirectiveError {
    /// The file is not a list of directives.
    #[error("the directives cannot be read: {reason}")]
    NotAList {
        /// What is wrong.
        reason: String,
    },
    /// More than a person writes.
    #[error("there are {count} directives, and at most {most} are taken at once")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many are taken.
        most: usize,
    },
    /// Not of the form that the option takes.
    #[error("`{written}` is not a directive: {expected}")]
    Malformed {
        /// As written.
        written: String,
        /// What is expected.
        expected: String,
    },
    /// The scope names no language.
    #[error("`{text}` names no languages")]
    Scope {
        /// As written.
        text: String,
    },
    /// Languages beside the package's that were not allowed.
    #[error("`{written}` changes {languages}, which was not allowed")]
    NotAllowed {
        /// As written.
        written: String,
        /// The languages beside those that are allowed.
        languages: String,
        /// What `--scope` has to be.
        scope: String,
    },
    /// Nothing has the name.
    #[error("the specification has nothing called `{target}`{}", near_words(near))]
    Unknown {
        /// As written.
        target: String,
        /// Names that are close to it.
        near: Vec<String>,
    },
    /// Several things have the name.
    #[error("`{target}` can be {}", or_words(candidates))]
    Ambiguous {
        /// As written.
        target: String,
        /// What it can be: full TypeSpec names with what they are.
        candidates: Vec<String>,
    },
    /// The specification does not allow it.
    #[error("`{written}` cannot be done: {reason}")]
    Refused {
        /// As written.
        written: String,
        /// Why.
        reason: String,
        /// What to do instead.
        approach: String,
    },
    /// The specification does not compile.
    #[error("the specification does not compile: {message}")]
    Broken {
        /// The first error.
        message: String,
    },
}

impl DirectiveError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotAList { .. } => Some(
                "write a JSON list, such as `[{\"action\": \"hide\", \"target\": \"Widgets.deleteWidget\"}]`".into(),
            ),
            Self::Scope { .. } => {
                Some("write languages with commas (`python, csharp`), `!java` for all but one, or `all`".into())
            }
            Self::NotAllowed { scope, .. } => Some(format!("allow it with `--scope {scope}`")),
            Self::Ambiguous { .. } => Some("write the full TypeSpec name".into()),
            Self::Refused { approach, .. } => Some(approach.clone()),
            Self::TooMany { .. } => Some("carry them out in several runs".into()),
            Self::Broken { .. } => Some("correct the specification first".into()),
            Self::Malformed { .. } | Self::Unknown { .. } => None,
        }
    }
}

fn near_words(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; close to it: {}", or_words(near)) }
}

/// `a`, `b` or `c`, each as it stands.
fn or_words(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// The kinds of directives, by the words of options and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AskedAction {
    /// `--rename TARGET=NAME`.
    Rename,
    /// `--hide TARGET`.
    Hide,
    /// `--show TARGET`.
    Show,
    /// `--move TARGET=CLIENT`.
    Move,
    /// `--decorate DECORATOR:TARGET=VALUE`.
    Decorate,
    /// `--undecorate DECORATOR:TARGET`.
    Undecorate,
    /// A client of its own; in files alone.
    Client,
    /// Regeneration and repair; in files alone.
    Repair,
}

/// A directive in a file. It is what a dry run prints as an action, so that a plan that was looked at can be carried out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    action: AskedAction,
    target: Option<String>,
    name: Option<String>,
    to: Option<String>,
    operations: Option<Vec<String>>,
    decorator: Option<Decorator>,
    value: Option<serde_json::Value>,
    #[serde(default)]
    parameters: Option<Vec<ClientParameter>>,
    files: Option<Vec<String>>,
    scope: Option<String>,
    /// For people.
    #[serde(default, rename = "kind")]
    _kind: Option<String>,
    /// For people.
    #[serde(default, rename = "basis")]
    _basis: Option<String>,
}

/// So many are taken at once, and a text of so many bytes.
const MOST: usize = 200;
const BYTES: usize = 1 << 20;

impl AskedDirective {
    /// A directive from an option's value: `TARGET=NAME` or `TARGET`.
    ///
    /// # Errors
    /// [`DirectiveError::Malformed`].
    pub fn from_option(action: AskedAction, text: &str) -> Result<Self, DirectiveError> {
        let (option, expected) = match action {
            AskedAction::Rename => ("--rename", "expected `TARGET=NAME`"),
            AskedAction::Move => ("--move", "expected `TARGET=CLIENT`"),
            AskedAction::Hide => ("--hide", "expected `TARGET`"),
            AskedAction::Decorate => {
                ("--decorate", "expected `DECORATOR:TARGET=VALUE`, such as `usage:Widget=input|json`")
            }
            AskedAction::Undecorate => ("--undecorate", "expected `DECORATOR:TARGET`, such as `usage:Widget`"),
            _ => ("--show", "expected `TARGET`"),
        };
        let written = format!("{option} {text}");
        let malformed = || DirectiveError::Malformed { written: written.clone(), expected: expected.to_owned() };
        let pair = || {
            let (target, value) = text.rsplit_once('=').ok_or_else(malformed)?;
            Ok((filled(target).ok_or_else(malformed)?, filled(value).ok_or_else(malformed)?))
        };
        let change = match action {
            AskedAction::Rename => pair().map(|(target, name)| AskedChange::Rename { target, name })?,
            AskedAction::Move => pair().map(|(target, to)| AskedChange::Move { target, to })?,
            AskedAction::Hide => AskedChange::Hide { target: filled(text).ok_or_else(malformed)? },
            AskedAction::Show => AskedChange::Show { target: filled(text).ok_or_else(malformed)? },
            AskedAction::Decorate => {
                let (decorator, rest) = decorator_of(text).map_err(|why| because(&written, why, expected))?;
                return Self::decorating(&written, decorator, rest);
            }
            AskedAction::Undecorate => {
                let (decorator, target) = decorator_of(text).map_err(|why| because(&written, why, expected))?;
                AskedChange::Undecorate { target: filled(target).ok_or_else(malformed)?, decorator }
            }
            AskedAction::Client | AskedAction::Repair => return Err(malformed()),
        };
        Ok(Self { change, scope: None, written })
    }

    /// A directive from the value of an option for one decorator: `--usage TARGET=VALUE`.
    ///
    /// # Errors
    /// [`DirectiveError::Malformed`].
    pub fn from_decorator_option(option: &str, decorator: Decorator, text: &str) -> Result<Self, DirectiveError> {
        Self::decorating(&format!("{option} {text}"), decorator, text)
    }

    fn decorating(written: &str, decorator: Decorator, text: &str) -> Result<Self, DirectiveError> {
        let malformed = |expected: String| DirectiveError::Malformed { written: written.to_owned(), expected };
        let (target, value) = match assignment(text) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let target = filled(target).ok_or_else(|| malformed("expected `TARGET` or `TARGET=VALUE`".into()))?;
        let decoration = Decoration::read(decorator, value).map_err(malformed)?;
        let written = written.to_owned();
        Ok(Self { change: AskedChange::Decorate { target, decoration }, scope: None, written })
    }

    /// The directives of a file: a JSON list, or a plan that holds one as its `actions`.
    ///
    /// # Errors
    /// The first entry that is not a directive.
    pub fn read_list(text: &str) -> Result<Vec<Self>, DirectiveError> {
        let unread = |reason: String| DirectiveError::NotAList { reason };
        if text.len() > BYTES {
            return Err(unread(format!("they have more than {BYTES} bytes")));
        }
        let value = serde_json::from_str(text).map_err(|error| unread(error.to_string()))?;
        Self::from_value(value)
    }

    /// The same of a value.
    ///
    /// # Errors
    /// As for [`Self::read_list`].
    pub fn from_value(value: serde_json::Value) -> Result<Vec<Self>, DirectiveError> {
        let list = match value {
            serde_json::Value::Array(list) => list,
            serde_json::Value::Object(mut plan) => match plan.remove("actions") {
                Some(serde_json::Value::Array(list)) => list,
                _ => return Err(DirectiveError::NotAList { reason: "the object has no list of `actions`".into() }),
            },
            _ => return Err(DirectiveError::NotAList { reason: "it is not a JSON list".into() }),
        };
        if list.len() > MOST {
            return Err(DirectiveError::TooMany { count: list.len(), most: MOST });
        }
        list.into_iter().map(Self::of_entry).collect()
    }

    fn of_entry(value: serde_json::Value) -> Result<Self, DirectiveError> {
        let written: String = value.to_string().chars().take(300).collect();
        let malformed = |expected: String| DirectiveError::Malformed { written: written.clone(), expected };
        let entry: Entry = serde_json::from_value(value).map_err(|error| malformed(error.to_string()))?;
        let need = |field: &'static str, value: Option<&String>| {
            value.and_then(|value| filled(value)).ok_or_else(|| malformed(format!("it has no `{field}`")))
        };
        let target = || need("target", entry.target.as_ref());
        let (name, to) = (|| need("name", entry.name.as_ref()), || need("to", entry.to.as_ref()));
        let change = match entry.action {
            AskedAction::Rename => AskedChange::Rename { target: target()?, name: name()? },
            AskedAction::Hide => AskedChange::Hide { target: target()? },
            AskedAction::Show => AskedChange::Show { target: target()? },
            AskedAction::Move => AskedChange::Move { target: target()?, to: to()? },
            AskedAction::Client => AskedChange::Client {
                name: name()?,
                operations: entry
                    .operations
                    .clone()
                    .filter(|operations| !operations.is_empty())
                    .ok_or_else(|| malformed("it has no `operations`".into()))?,
                parameters: entry.parameters.clone().unwrap_or_default(),
            },
            AskedAction::Decorate => {
                let decorator = entry.decorator.ok_or_else(|| malformed("it has no `decorator`".into()))?;
                let mut form = serde_json::json!({ "decorator": decorator });
                if let (Some(value), Some(form)) = (&entry.value, form.as_object_mut()) {
                    form.insert("value".into(), value.clone());
                }
                let decoration = serde_json::from_value(form)
                    .map_err(|error| malformed(format!("the `value` of `{}`: {error}", decorator.name())))?;
                AskedChange::Decorate { target: target()?, decoration }
            }
            AskedAction::Undecorate => {
                let decorator = entry.decorator.ok_or_else(|| malformed("it has no `decorator`".into()))?;
                AskedChange::Undecorate { target: target()?, decorator }
            }
            AskedAction::Repair => AskedChange::Repair { files: entry.files.clone().unwrap_or_default() },
        };
        let scope = entry.scope.as_deref().map(Scope::parse).transpose()?;
        let written = words(&change);
        Ok(Self { change, scope, written })
    }
}

/// A directive of a file in one short line.
fn words(change: &AskedChange) -> String {
    match change {
        AskedChange::Rename { target, name } => format!("rename {target}={name}"),
        AskedChange::Hide { target } => format!("hide {target}"),
        AskedChange::Show { target } => format!("show {target}"),
        AskedChange::Move { target, to } => format!("move {target}={to}"),
        AskedChange::Client { name, .. } => format!("client {name}"),
        AskedChange::Decorate { target, decoration } => format!("decorate {}:{target}", decoration.decorator().name()),
        AskedChange::Undecorate { target, decorator } => format!("undecorate {}:{target}", decorator.name()),
        AskedChange::Repair { .. } => "repair".to_owned(),
    }
}

fn because(written: &str, why: Option<String>, expected: &str) -> DirectiveError {
    DirectiveError::Malformed { written: written.to_owned(), expected: why.unwrap_or_else(|| expected.to_owned()) }
}

/// `DECORATOR:REST`; what is wrong, where more can be said than the form that is expected. A `@` in front is taken.
fn decorator_of(text: &str) -> Result<(Decorator, &str), Option<String>> {
    let (name, rest) = text.split_once(':').ok_or(None)?;
    let name = name.trim().trim_start_matches('@');
    let decorator = Decorator::of_name(name).ok_or_else(|| {
        let all: Vec<&str> = Decorator::ALL.iter().map(|one| one.name()).collect();
        Some(format!("`{name}` is not a decorator that customizes a client; they are {}", all.join(", ")))
    })?;
    Ok((decorator, rest))
}

/// Where the value of an option begins: at the first `=` that no backticks enclose.
fn assignment(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, letter)| {
        if letter == '`' {
            quoted = !quoted;
        }
        (letter == '=' && !quoted).then_some(at)
    })
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

impl Scope {
    /// Reads languages as a person writes them: `python, csharp`, `!java`, `all`.
    ///
    /// # Errors
    /// [`DirectiveError::Scope`] for anything else, and for a mix of languages with and without `!`.
    pub fn parse(text: &str) -> Result<Self, DirectiveError> {
        let wrong = || DirectiveError::Scope { text: text.to_owned() };
        let (mut only, mut except, mut all) = (Vec::new(), Vec::new(), false);
        for part in text.split(',').map(str::trim) {
            let (list, name) = match part.strip_prefix('!') {
                Some(name) => (&mut except, name.trim()),
                None if part.eq_ignore_ascii_case("all") => {
                    all = true;
                    continue;
                }
                None => (&mut only, part),
            };
            let language = Language::from_scope_token(&name.to_ascii_lowercase()).ok_or_else(wrong)?;
            if !list.contains(&language) {
                list.push(language);
            }
        }
        match (only.is_empty(), except.is_empty(), all) {
            (true, true, true) => Ok(Self::All),
            (false, true, false) => Ok(Self::Only(only)),
            (true, false, false) => Ok(Self::Except(except)),
            _ => Err(wrong()),
        }
    }

    /// The languages in question, among those that there are libraries of.
    #[must_use]
    pub fn languages(&self) -> Vec<Language> {
        Language::ALL.into_iter().filter(|language| self.covers(*language)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Usage;
    use super::*;
    use serde_json::json;

    fn option(action: AskedAction, text: &str) -> Result<AskedChange, String> {
        AskedDirective::from_option(action, text).map(|asked| asked.change).map_err(|error| error.to_string())
    }

    #[test]
    fn options_name_a_target_and_what_becomes_of_it() {
        let rename = |target: &str, name: &str| Ok(AskedChange::Rename { target: target.into(), name: name.into() });
        assert_eq!(option(AskedAction::Rename, "Widget.displayName=title"), rename("Widget.displayName", "title"));
        assert_eq!(option(AskedAction::Rename, " A.`x=y` = z "), rename("A.`x=y`", "z"));
        assert_eq!(option(AskedAction::Hide, "A.b"), Ok(AskedChange::Hide { target: "A.b".into() }));
        let moved = AskedChange::Move { target: "A.b".into(), to: "C".into() };
        assert_eq!(option(AskedAction::Move, "A.b=C"), Ok(moved));
        for text in ["", "A", "=b", "A=", " = "] {
            assert!(option(AskedAction::Rename, text).unwrap_err().contains("`TARGET=NAME`"), "{text}");
        }
        assert!(option(AskedAction::Show, " ").is_err());
    }

    #[test]
    fn options_name_a_decorator_its_target_and_its_value() {
        let usage = AskedChange::Decorate { target: "A.B".into(), decoration: Decoration::Usage(vec![Usage::Xml]) };
        assert_eq!(option(AskedAction::Decorate, "usage:A.B=xml"), Ok(usage.clone()));
        assert_eq!(option(AskedAction::Decorate, "@usage: A.B = xml"), Ok(usage.clone()));
        let sugar = AskedDirective::from_decorator_option("--usage", Decorator::Usage, "A.B=xml").unwrap();
        assert_eq!((sugar.change, sugar.written.as_str()), (usage, "--usage A.B=xml"));
        let parameter = "A.b::parameters.`c=d`";
        let version = AskedChange::Decorate { target: parameter.into(), decoration: Decoration::ApiVersion(true) };
        assert_eq!(option(AskedAction::Decorate, &format!("apiVersion:{parameter}=on")), Ok(version));
        let gone = AskedChange::Undecorate { target: "A.b".into(), decorator: Decorator::ClientName };
        assert_eq!(option(AskedAction::Undecorate, "clientName:A.b"), Ok(gone));
        for (text, said) in [
            ("A.b", "expected `DECORATOR:TARGET=VALUE`"),
            ("route:A.b=/x", "`route` is not a decorator that customizes a client"),
            ("usage:=xml", "expected `TARGET`"),
            ("usage:A", "`usage` needs a value"),
            ("access:A=internal", "`--hide TARGET`"),
        ] {
            let error = option(AskedAction::Decorate, text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn list_is_read_whole_or_not_at_all_and_a_plan_is_a_list() {
        let list = json!([
            { "action": "rename", "kind": "property", "target": "A.b", "name": "c", "scope": "python, csharp", "basis": "x" },
            { "action": "client", "name": "SmallClient", "operations": ["A.get"] },
            { "action": "repair" },
            { "action": "decorate", "decorator": "convenientAPI", "target": "A.get", "value": false },
            { "action": "undecorate", "decorator": "clientName", "target": "A.b" },
        ]);
        let read = AskedDirective::read_list(&list.to_string()).unwrap();
        assert_eq!(read[0].scope, Some(Scope::Only(vec![Language::Python, Language::Dotnet])));
        assert_eq!(read[0].written, "rename A.b=c");
        assert_eq!(read[2].change, AskedChange::Repair { files: Vec::new() });
        assert_eq!(read[3].written, "decorate convenientAPI:A.get");
        assert_eq!(read[4].written, "undecorate clientName:A.b");
        let plan = json!({ "outcome": "planned", "actions": list, "guidance": [] });
        assert_eq!(AskedDirective::read_list(&plan.to_string()).unwrap(), read);
        for wrong in [
            json!("hide A"),
            json!({ "outcome": "nothing" }),
            json!([{ "action": "destroy", "target": "A" }]),
            json!([{ "action": "hide" }]),
            json!([{ "action": "decorate", "target": "A", "value": true }]),
            json!([{ "action": "decorate", "decorator": "route", "target": "A" }]),
            json!([{ "action": "decorate", "decorator": "convenientAPI", "target": "A" }]),
            json!([{ "action": "hide", "target": "A", "scopes": "python" }]),
            json!([{ "action": "client", "name": "A", "operations": [] }]),
            json!([{ "action": "hide", "target": "A", "scope": "cobol" }]),
            json!(vec![json!({ "action": "hide", "target": "A" }); MOST + 1]),
        ] {
            let error = AskedDirective::read_list(&wrong.to_string()).unwrap_err();
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }

    #[test]
    fn scope_is_read_as_people_write_it() {
        use Language::{Dotnet, Java, Python};
        assert_eq!(Scope::parse("python,csharp"), Ok(Scope::Only(vec![Python, Dotnet])));
        assert_eq!(Scope::parse(" Python , python"), Ok(Scope::Only(vec![Python])));
        assert_eq!(Scope::parse("!java"), Ok(Scope::Except(vec![Java])));
        assert_eq!(Scope::parse("all"), Ok(Scope::All));
        for text in ["", "python,", "rust", "python, !java", "all, python"] {
            assert_eq!(Scope::parse(text), Err(DirectiveError::Scope { text: text.into() }));
        }
    }
}
