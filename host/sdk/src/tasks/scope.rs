//! The languages that a directive is for, as a decorator writes them and as a person does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DirectiveError, Language};

/// The languages that a directive is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Every language.
    All,
    /// These and no others.
    Only(Vec<Language>),
    /// All but these.
    Except(Vec<Language>),
}

impl Scope {
    /// Whether the client of a language changes.
    #[must_use]
    pub fn covers(&self, language: Language) -> bool {
        match self {
            Self::All => true,
            Self::Only(languages) => languages.contains(&language),
            Self::Except(languages) => !languages.contains(&language),
        }
    }

    /// As a decorator's scope argument has it, for example `python, java` or `!csharp`; `None` for every language.
    #[must_use]
    pub fn argument(&self) -> Option<String> {
        let tokens = |languages: &[Language], before: &str| {
            languages.iter().map(|one| format!("{before}{}", one.scope_token())).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::All => None,
            Self::Only(languages) => Some(tokens(languages, "")),
            Self::Except(languages) => Some(tokens(languages, "!")),
        }
    }

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
