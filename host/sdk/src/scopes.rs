//! What scoped decorators on one target come to for each language, exactly as the client generator core of Azure keeps
//! them (`setScopedDecoratorData` and `getScopedDecoratorData` of `@azure-tools/typespec-client-generator-core`).
//!
//! It applies decorators in the order of the file. A list of languages sets each of them. A decorator without scope sets
//! what languages without a value of their own see. A negated scope (`!java`) replaces everything that came before, and
//! leaves only the values that the negated languages had of their own.

// A specification says what a scope is.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;

/// A scope argument, read as the library reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScopeArgument {
    /// The tokens after a `!`; any of them makes the decorator one for every language but these.
    pub negated: Vec<String>,
    /// The tokens without a `!`.
    pub listed: Vec<String>,
}

impl ScopeArgument {
    /// Reads the value of a scope argument; `None` and the empty string mean every language, and so does a scope without
    /// tokens.
    #[must_use]
    pub fn parse(text: Option<&str>) -> Self {
        let tokens = |text: &str| -> Vec<String> { text.split(',').map(|token| token.trim().to_owned()).collect() };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Self { negated: Vec::new(), listed: Vec::new() };
        };
        // The library looks for the first `!(…)`, and then nothing else of the argument counts.
        if let Some((list, _)) = text.split_once("!(").and_then(|(_, rest)| rest.split_once(')')) {
            return Self { negated: tokens(list), listed: Vec::new() };
        }
        let (negated, listed): (Vec<String>, Vec<String>) =
            tokens(text).into_iter().partition(|token| token.starts_with('!'));
        let negated = negated.iter().map(|token| token.strip_prefix('!').unwrap_or(token).to_owned()).collect();
        Self { negated, listed }
    }

    /// Whether the decorator has no scope, so that a narrower one wins over it.
    #[must_use]
    pub fn is_general(&self) -> bool {
        self.negated.is_empty() && self.listed.is_empty()
    }

    /// Every token in it.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.negated.iter().chain(&self.listed).map(String::as_str)
    }
}

/// What the decorators of one kind on one target say so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values<V> {
    own: BTreeMap<String, V>,
    others: Option<V>,
    negated: Vec<String>,
}

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self { own: BTreeMap::new(), others: None, negated: Vec::new() }
    }
}

impl<V: Clone> Values<V> {
    /// What stands somewhere else, before the decorators that are looked at: a value of a language's own, one for all
    /// others, and languages that are excluded from it.
    #[must_use]
    pub fn standing(own: BTreeMap<String, V>, others: Option<V>, negated: Vec<String>) -> Self {
        Self { own, others, negated }
    }

    /// What decorators in the order of the file come to.
    pub fn of<'a>(decorators: impl IntoIterator<Item = (&'a ScopeArgument, V)>) -> Self {
        let mut values = Self::default();
        for (scope, value) in decorators {
            values.apply(scope, value);
        }
        values
    }

    /// Applies the next decorator.
    pub fn apply(&mut self, scope: &ScopeArgument, value: V) {
        let listed = || scope.listed.iter().map(|token| (token.clone(), value.clone()));
        if scope.is_general() {
            self.others = Some(value);
        } else if scope.negated.is_empty() {
            self.own.extend(listed());
        } else {
            let mut kept = std::mem::take(&mut self.own);
            kept.retain(|token, _| scope.negated.contains(token));
            self.own = listed().collect();
            self.own.extend(kept);
            self.others = Some(value);
            self.negated.clone_from(&scope.negated);
        }
    }

    /// The value that a language's emitter sees. `token` is its name in scopes; emitters that no scope names, such as
    /// `autorest`, are languages here.
    #[must_use]
    pub fn seen_by(&self, token: &str) -> Option<&V> {
        match self.own.get(token) {
            Some(value) => Some(value),
            None if self.negated.iter().any(|negated| negated == token) => None,
            None => self.others.as_ref(),
        }
    }

    /// The value for every language without one of its own, which the library also reads alone.
    #[must_use]
    pub fn general(&self) -> Option<&V> {
        self.others.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::{ScopeArgument, Values};

    fn seen<'a>(decorators: &[(Option<&str>, &'a str)], token: &str) -> Option<&'a str> {
        let read: Vec<(ScopeArgument, &str)> =
            decorators.iter().map(|(scope, value)| (ScopeArgument::parse(*scope), *value)).collect();
        Values::of(read.iter().map(|(scope, value)| (scope, *value))).seen_by(token).copied()
    }

    /// Each row was run through version 0.72 of the library.
    #[test]
    fn decorators_come_to_what_the_library_makes_of_them() {
        for (decorators, python, java, csharp) in [
            (vec![(None, "General"), (Some("python"), "Own")], Some("Own"), Some("General"), Some("General")),
            (vec![(Some("python"), "Own"), (None, "General")], Some("Own"), Some("General"), Some("General")),
            (vec![(Some("!java"), "NotJava"), (Some("python"), "Own")], Some("Own"), None, Some("NotJava")),
            (vec![(Some("python"), "Own"), (Some("!java"), "NotJava")], Some("NotJava"), None, Some("NotJava")),
            (vec![(Some("python"), "Own"), (Some("!java, !python"), "Not")], Some("Own"), None, Some("Not")),
            (vec![(Some("python"), "First"), (Some("python"), "Second")], Some("Second"), None, None),
            (vec![(Some("!(java, python)"), "Grouped")], None, None, Some("Grouped")),
            (vec![(Some("!java, python"), "Mixed")], Some("Mixed"), None, Some("Mixed")),
            (vec![(Some("!java"), "NotJava"), (Some("java"), "J")], Some("NotJava"), Some("J"), Some("NotJava")),
            (vec![(Some("java"), "J"), (Some("!java"), "NotJava")], Some("NotJava"), Some("J"), Some("NotJava")),
            (vec![(None, "General"), (Some("!java"), "NotJava")], Some("NotJava"), None, Some("NotJava")),
        ] {
            let found = ["python", "java", "csharp"].map(|token| seen(&decorators, token));
            assert_eq!(found, [python, java, csharp], "{decorators:?}");
        }
    }

    #[test]
    fn empty_scope_is_one_for_every_language() {
        assert!(ScopeArgument::parse(Some("")).is_general());
        assert!(!ScopeArgument::parse(Some(" ")).is_general());
        assert!(ScopeArgument::parse(None).is_general());
    }
}
