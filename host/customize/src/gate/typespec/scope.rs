//! The scope argument of a decorator.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{self, Language};

use super::neutral::permits;

/// The languages a scope may name. `rust` has an emitter and is named in real specifications.
pub const SCOPE_TOKENS: [&str; 6] = ["csharp", "go", "java", "javascript", "python", "rust"];

/// A scope as `@azure-tools/typespec-client-generator-core` reads it: `python`, `python, java`, `!java, !go`,
/// `!(java, go)`, or none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// No scope: every language.
    All,
    /// These languages.
    Only(BTreeSet<String>),
    /// Every language but these. Any negation makes a scope one of these, whatever else it lists.
    Except(BTreeSet<String>),
}

impl Scope {
    /// Reads a scope. Total, because a decorator that was there before may say anything.
    pub(super) fn parse(text: Option<&str>) -> Self {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Self::All;
        };
        let names = |text: &str| -> BTreeSet<String> { text.split(',').map(|name| name.trim().to_owned()).collect() };
        if let Some((_, list)) = text.split_once("!(") {
            let list = list.split_once(')').map_or(list, |(inside, _)| inside);
            return Self::Except(names(list));
        }
        let (negated, positive): (BTreeSet<String>, BTreeSet<String>) =
            names(text).into_iter().partition(|name| name.starts_with('!'));
        if negated.is_empty() {
            Self::Only(positive)
        } else {
            let names = negated.iter().map(|name| name.trim_start_matches('!').trim());
            Self::Except(names.map(str::to_owned).collect())
        }
    }

    /// The first name in it that is not a known language.
    pub(super) fn unknown(&self) -> Option<&str> {
        let (Self::Only(names) | Self::Except(names)) = self else {
            return None;
        };
        names.iter().map(String::as_str).find(|name| !SCOPE_TOKENS.contains(name))
    }

    /// Whether it is this one language, written positively.
    pub(super) fn is_only(&self, language: Language) -> bool {
        matches!(self, Self::Only(names) if names.len() == 1 && names.contains(language.scope_token()))
    }

    /// Whether it takes its target away from permitted languages alone. `@scope` names the languages that keep it, so
    /// only a negation of them is such.
    pub(super) fn takes_from_only(&self, permitted: &tasks::Scope) -> bool {
        match self {
            Self::Except(names) => !names.is_empty() && names.iter().all(|name| permits(permitted, name)),
            Self::All | Self::Only(_) => *permitted == tasks::Scope::All,
        }
    }

    /// Whether it reaches permitted languages alone.
    pub(super) fn reaches_only(&self, permitted: &tasks::Scope) -> bool {
        match (self, permitted) {
            (_, tasks::Scope::All) => true,
            (Self::Only(names), _) => names.iter().all(|name| permits(permitted, name)),
            (Self::Except(names), tasks::Scope::Except(languages)) => {
                languages.iter().all(|language| names.contains(language.scope_token()))
            }
            (Self::All | Self::Except(_), _) => false,
        }
    }

    /// Whether the scope applies to a language.
    pub(super) fn applies_to(&self, language: Language) -> bool {
        let token = language.scope_token();
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(token),
            Self::Except(names) => !names.contains(token),
        }
    }

    /// Whether two scopes list languages positively and the same ones apart from this one.
    pub(super) fn differs_only_in(&self, other: &Self, language: Language) -> bool {
        let (Self::Only(one), Self::Only(two)) = (self, other) else {
            return false;
        };
        one.symmetric_difference(two).all(|name| name == language.scope_token())
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::Language;

    use super::Scope;

    #[test]
    fn scopes_are_read_as_the_library_reads_them() {
        for (text, python, java) in [
            (None, true, true),
            (Some(""), true, true),
            (Some("python"), true, false),
            (Some("python, java"), true, true),
            (Some("!java"), true, false),
            (Some("!(java, go)"), true, false),
            (Some("!java, !python"), false, false),
            (Some("!python"), false, true),
        ] {
            let scope = Scope::parse(text);
            assert_eq!(scope.applies_to(Language::Python), python, "{text:?}");
            assert_eq!(scope.applies_to(Language::Java), java, "{text:?}");
        }
    }

    #[test]
    fn mixture_with_a_negation_is_never_one_language() {
        assert!(!Scope::parse(Some("python, !java")).is_only(Language::Python));
        assert!(!Scope::parse(Some("python, !python")).is_only(Language::Python));
        assert!(Scope::parse(Some(" python ")).is_only(Language::Python));
    }

    #[test]
    fn unknown_language_is_named() {
        assert_eq!(Scope::parse(Some("python, phyton")).unknown(), Some("phyton"));
        assert_eq!(Scope::parse(Some("!pyhton")).unknown(), Some("pyhton"));
        assert_eq!(Scope::parse(Some("Python")).unknown(), Some("Python"));
    }
}
