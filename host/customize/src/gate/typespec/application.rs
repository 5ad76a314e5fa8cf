//! Decorator applications of two versions of a file, compared.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::scopes;
use bailiwick_sdk::tasks::Language;

use super::multiset::Multiset;
use super::neutral::Place;
use super::scope::Scope;

/// One application, of either view. Ordered so that two versions can be compared as multisets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Application {
    /// The name without the library's namespace.
    pub(super) decorator: String,
    pub(super) target: String,
    /// As source text, without target and scope.
    pub(super) arguments: Vec<String>,
    pub(super) scope: ScopeArgument,
    pub(super) form: Form,
    pub(super) line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScopeArgument {
    /// As its languages, and exactly.
    Read(Scope, scopes::ScopeArgument),
    /// It is not a plain string, or a second scope stands in an options model.
    Unclear(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// `@@decorator(target, …);`
    Augment,
    /// `@decorator(…)` in front of a declaration.
    Declaration,
    /// `@decorator(…)` in front of a member of a declaration.
    Member,
}

impl ScopeArgument {
    /// Reads the value of a scope argument.
    pub(super) fn read(text: Option<&str>) -> Self {
        let mut exact = scopes::ScopeArgument::parse(text);
        // The order of the languages in a scope means nothing.
        exact.negated.sort();
        exact.listed.sort();
        Self::Read(Scope::parse(text), exact)
    }
}

/// What was added and removed.
pub(super) struct Difference<'a> {
    pub(super) added: Vec<&'a Application>,
    pub(super) removed: Vec<&'a Application>,
    /// What was added, and what reaches other languages than it did.
    pub(super) arrived: Vec<&'a Application>,
    /// The first application that stayed but changed places with another one on the same target.
    pub(super) moved: Option<&'a Application>,
}

type Identity<'a> = (&'a str, &'a str, &'a [String], &'a ScopeArgument, Form);

impl Application {
    fn identity(&self) -> Identity<'_> {
        (&self.decorator, &self.target, &self.arguments, &self.scope, self.form)
    }

    fn but_for_scope(&self) -> (&str, &str, &[String], Form) {
        (&self.decorator, &self.target, &self.arguments, self.form)
    }

    pub(super) fn place(&self) -> Place<'_> {
        (&self.decorator, &self.target)
    }
}

/// Compares two versions. Lines do not matter.
pub(super) fn compare<'a>(before: &'a [Application], after: &'a [Application], language: Language) -> Difference<'a> {
    let (removed, stayed_before) = minus(before, after);
    let (added, stayed_after) = minus(after, before);
    let moved = first_moved(&stayed_before, &stayed_after);
    let arrived = added.clone();
    let (added, removed) = without_own_only(added, removed, language);
    Difference { added, removed, arrived, moved }
}

/// Splits the first version into what the second lacks and what it has too.
fn minus<'a>(one: &'a [Application], other: &[Application]) -> (Vec<&'a Application>, Vec<&'a Application>) {
    let mut left: Multiset<Identity<'_>> = other.iter().map(Application::identity).collect();
    one.iter().partition(|application| !left.take(&application.identity()))
}

/// The library lets a later application replace an earlier one, so among those on one target the order counts.
fn first_moved<'a>(before: &[&Application], after: &[&'a Application]) -> Option<&'a Application> {
    let (old, new) = (by_place(before), by_place(after));
    let moved: BTreeSet<Place<'_>> =
        new.iter().filter(|(place, order)| old.get(*place) != Some(*order)).map(|(place, _)| *place).collect();
    after.iter().copied().find(|application| moved.contains(&application.place()))
}

type Orders<'a> = BTreeMap<Place<'a>, Vec<(&'a [String], &'a ScopeArgument)>>;

/// What is applied to each target by each decorator, in order.
fn by_place<'a>(all: &[&'a Application]) -> Orders<'a> {
    let mut orders = Orders::new();
    for application in all {
        orders.entry(application.place()).or_default().push((&application.arguments, &application.scope));
    }
    orders
}

/// Leaves out pairs that only add the package's language to a list of languages or take it out.
fn without_own_only<'a>(
    added: Vec<&'a Application>,
    mut removed: Vec<&'a Application>,
    language: Language,
) -> (Vec<&'a Application>, Vec<&'a Application>) {
    let same_but_for_own = |one: &Application, other: &ScopeArgument| {
        let (ScopeArgument::Read(scope, _), ScopeArgument::Read(other_scope, _)) = (&one.scope, other) else {
            return false;
        };
        // What `@scope` lists is what stays, so there the list of languages means the opposite.
        one.decorator != "scope" && scope.differs_only_in(other_scope, language) && scope.unknown().is_none()
    };
    // Only those that are alike but for their scope are compared, and of equal ones one is enough.
    let mut alike: BTreeMap<_, Multiset<&ScopeArgument>> = BTreeMap::new();
    for application in &removed {
        alike.entry(application.but_for_scope()).or_default().add(&application.scope);
    }
    let added = added
        .into_iter()
        .filter(|application| {
            let left = alike.get_mut(&application.but_for_scope());
            !left.is_some_and(|left| left.take_first(|scope| same_but_for_own(application, scope)))
        })
        .collect();
    removed.retain(|application| {
        let left = alike.get_mut(&application.but_for_scope());
        left.is_some_and(|left| left.take(&&application.scope))
    });
    (added, removed)
}
