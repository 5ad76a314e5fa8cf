//! Directives as scripts write them: targets by any name, before they are looked up.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ClientParameter, Language, Scope};

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
    /// The file is no list of directives.
    #[error("the directives cannot be read: {reason}")]
    NotAList {
        /// What is wrong.
        reason: String,
    },
    /// More than anybody writes.
    #[error("there are {count} directives, and at most {most} are taken at once")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many are taken.
        most: usize,
    },
    /// Not of the form that the option takes.
    #[error("`{written}` is no directive: {expected}")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
            AskedAction::Client | AskedAction::Repair => return Err(malformed()),
        };
        Ok(Self { change, scope: None, written })
    }

    /// The directives of a file: a JSON list, or a plan that holds one as its `actions`.
    ///
    /// # Errors
    /// The first entry that is no directive.
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
            _ => return Err(DirectiveError::NotAList { reason: "it is no JSON list".into() }),
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
        AskedChange::Repair { .. } => "repair".to_owned(),
    }
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
    fn a_list_is_read_whole_or_not_at_all_and_a_plan_is_a_list() {
        let list = json!([
            { "action": "rename", "kind": "property", "target": "A.b", "name": "c", "scope": "python, csharp", "basis": "x" },
            { "action": "client", "name": "SmallClient", "operations": ["A.get"] },
            { "action": "repair" },
        ]);
        let read = AskedDirective::read_list(&list.to_string()).unwrap();
        assert_eq!(read[0].scope, Some(Scope::Only(vec![Language::Python, Language::Dotnet])));
        assert_eq!(read[0].written, "rename A.b=c");
        assert_eq!(read[2].change, AskedChange::Repair { files: Vec::new() });
        let plan = json!({ "outcome": "planned", "actions": list, "guidance": [] });
        assert_eq!(AskedDirective::read_list(&plan.to_string()).unwrap(), read);
        for wrong in [
            json!("hide A"),
            json!({ "outcome": "nothing" }),
            json!([{ "action": "destroy", "target": "A" }]),
            json!([{ "action": "hide" }]),
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
