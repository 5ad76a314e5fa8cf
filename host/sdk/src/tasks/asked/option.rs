//! Directives as options of a command.

use super::super::{Decoration, Decorator};
use super::{AskedAction, AskedChange, AskedDirective, DirectiveError, filled};

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

#[cfg(test)]
mod tests {
    use super::super::super::Usage;
    use super::*;

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
}
