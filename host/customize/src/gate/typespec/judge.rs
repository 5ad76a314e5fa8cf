//! The verdict on an attempt of Phase A.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{self, Decorator, Language, SpecIndex};

use super::super::text::checked_text;
use super::super::{Candidate, Rule, Verdict, Violation};
use super::application::{Application, Difference, Form, ScopeArgument, compare};
use super::declarations::{self, declared, lies_in, service_namespaces};
use super::decorators::{Granted, is_version_dependency, known, makes_client};
use super::header;
use super::located::{self, Version};
use super::neutral;
use super::parser::parse;
use super::scope::{SCOPE_TOKENS, Scope};
use super::texts;
use super::view;

/// What an attempt of Phase A left in its stage.
#[derive(Debug, Clone, Copy)]
pub struct TypespecDifference<'a> {
    /// The editable file, relative to the root of the grant: `client.tsp`.
    pub client_file: &'a str,
    /// The language of the package.
    pub language: Language,
    /// The languages whose clients may change: the package's own, unless a person allows more.
    pub permitted: &'a tasks::Scope,
    /// The legacy decorators that a person's directives ask for.
    pub granted: &'a [Granted],
    /// The files that differ from what the agent was given.
    pub candidates: &'a [Candidate],
    /// The compiler's view when the run began.
    pub index_before: &'a SpecIndex,
    /// The compiler's view of what the agent wrote. `None` before it has read it: an import is code that a compiler
    /// runs, so the text is judged alone first.
    pub index_after: Option<&'a SpecIndex>,
    /// Bytes that the file may have.
    pub file_bytes: usize,
}

/// Judges an attempt of Phase A against the file as it was when the run began, so that a second attempt may take back
/// what the first one landed.
#[must_use]
pub fn judge_typespec(difference: &TypespecDifference<'_>) -> Verdict {
    let mut violations = Vec::new();
    for candidate in difference.candidates {
        if candidate.path != difference.client_file {
            let message = format!("only `{}` may be changed", difference.client_file);
            violations.push(Violation::new(Rule::OutsideEditable, &candidate.path, message));
            continue;
        }
        let limit = difference.file_bytes;
        if let Some(after) = checked_text(candidate, limit, &mut violations) {
            let before = candidate.original.as_deref().unwrap_or_default();
            let mut refusals = Refusals {
                path: &candidate.path,
                language: difference.language,
                permitted: difference.permitted,
                granted: difference.granted,
                violations: &mut violations,
            };
            judge_file(&String::from_utf8_lossy(before), after, difference, &mut refusals);
        }
    }
    Verdict::of(difference.candidates, violations)
}

/// Violations that are told of one file: more than a person reads. Each takes memory, and a file can break a rule with
/// every line.
const MOST_VIOLATIONS: usize = 100;

/// Collects violations of one file.
pub(super) struct Refusals<'a> {
    pub(super) path: &'a str,
    pub(super) language: Language,
    pub(super) permitted: &'a tasks::Scope,
    pub(super) granted: &'a [Granted],
    pub(super) violations: &'a mut Vec<Violation>,
}

impl Refusals<'_> {
    pub(super) fn add(&mut self, rule: Rule, line: u32, message: &str) {
        if self.violations.len() >= MOST_VIOLATIONS {
            return;
        }
        let violation = Violation::new(rule, self.path, format!("line {line}: {message}"));
        if !self.violations.contains(&violation) {
            self.violations.push(violation);
        }
    }

    /// Judges a decorator that was added or removed.
    pub(super) fn judge_application(&mut self, application: &Application) {
        let name = &application.decorator;
        let line = application.line;
        if application.form != Form::Augment && is_version_dependency(name) {
            return;
        }
        let Some(decorator) = known(name) else {
            let message = format!("`@{name}` is no decorator of `Azure.ClientGenerator.Core` that customizes a client");
            return self.add(Rule::DecoratorNotAllowed, line, &message);
        };
        if self.is_ungranted(decorator, application) {
            return;
        }
        let scope = match &application.scope {
            ScopeArgument::Read(scope, _) => scope,
            ScopeArgument::Unclear(what) => {
                let message = format!("the scope of `@{name}` must be a plain string argument, not {what}");
                return self.add(Rule::UnknownScope, line, &message);
            }
        };
        if let Some(unknown) = scope.unknown() {
            let message = format!("`{unknown}` is no language; known are {}", SCOPE_TOKENS.join(", "));
            return self.add(Rule::UnknownScope, line, &message);
        }
        if !self.stays_at_home(application, scope) {
            let permitted = self.permitted_scopes();
            let right = if name == "scope" {
                permitted.iter().map(|token| format!("!{token}")).collect::<Vec<_>>().join(", ")
            } else {
                permitted.join(", ")
            };
            let message = format!(
                "`@{name}` here changes the clients of other languages; only the scope \"{right}\" may be added or removed"
            );
            self.add(Rule::OtherLanguage, line, &message);
        }
    }

    /// Refuses a legacy decorator that no directive of a person names, and says whether it did.
    fn is_ungranted(&mut self, decorator: Decorator, application: &Application) -> bool {
        let granted = self.granted.iter().any(|one| one.covers(decorator, &application.target));
        let refused = decorator.is_legacy() && !granted;
        if refused {
            let Application { decorator: name, target, line, .. } = application;
            let message = format!("`@{name}` on `{target}` is for a person to ask for, by a directive");
            self.add(Rule::DecoratorNotAllowed, *line, &message);
        }
        refused
    }

    /// Judges a decorator that was added or removed where every other language sees what it saw.
    fn judge_neutral(&mut self, application: &Application, difference: &Difference<'_>) {
        if known(&application.decorator).is_some_and(|decorator| self.is_ungranted(decorator, application)) {
            return;
        }
        let ScopeArgument::Read(scope, _) = &application.scope else { return self.judge_application(application) };
        let was_there = |unknown: &str| {
            let mut before = difference.removed.iter().filter(|one| one.place() == application.place());
            before.any(|one| matches!(&one.scope, ScopeArgument::Read(_, exact) if exact.tokens().any(|token| token == unknown)))
        };
        if let Some(unknown) = scope.unknown().filter(|unknown| !was_there(unknown)) {
            let message = format!("`{unknown}` is no language; known are {}", SCOPE_TOKENS.join(", "));
            self.add(Rule::UnknownScope, application.line, &message);
        }
    }

    /// The tokens of the languages that may change.
    fn permitted_scopes(&self) -> Vec<&'static str> {
        let all = Language::ALL.into_iter().filter(|language| self.permitted.covers(*language));
        all.map(Language::scope_token).collect()
    }

    /// Whether an application reaches permitted languages and no other.
    fn stays_at_home(&self, application: &Application, scope: &Scope) -> bool {
        if application.decorator == "scope" {
            return scope.takes_from_only(self.permitted);
        }
        // A member of a new client declaration is seen by no other language, because the declaration is not.
        let unscoped_member =
            application.form == Form::Member && *scope == Scope::All && !makes_client(&application.decorator);
        unscoped_member || scope.reaches_only(self.permitted)
    }
}

fn judge_file(before: &str, after: &str, difference: &TypespecDifference<'_>, refusals: &mut Refusals<'_>) {
    let (before, after) = match (parse(before), parse(after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) => {
            let message = format!("the file was unreadable before: {error}");
            return refusals.add(error.rule(), error.line, &message);
        }
        (_, Err(error)) => {
            return refusals.add(error.rule(), error.line, &error.to_string());
        }
    };
    let service = service_namespaces(difference.index_before, difference.client_file);
    header::judge(&before, &after, difference, &service, refusals);
    texts::judge_docs(&before.docs, &after.docs, refusals);

    let (old, new) = (declared(&before.statements), declared(&after.statements));
    let changed = declarations::judge(&old, &new, &service, refusals);

    let old_text = view::augments(&before.statements);
    let new_text = view::augments(&after.statements);
    judge_applications(&old_text, &new_text, refusals);

    let Some(index_after) = difference.index_after else { return };
    // The text says exactly which decorator stands in front of a member. For the compiler's view it is enough that the
    // whole declaration came or went and was judged as such.
    let members_of = |index: &SpecIndex, declared: &[&declarations::Declared<'_>]| {
        let mut applications = view::of_index(index);
        for application in &mut applications {
            if application.form == Form::Declaration && lies_in(&application.target, declared) {
                application.form = Form::Member;
            }
        }
        applications
    };
    let old_index = members_of(difference.index_before, &changed.gone);
    let new_index = members_of(index_after, &changed.new);
    judge_applications(&old_index, &new_index, refusals);
    let was = Version { text: &old_text, declared: &old, compiled: &old_index, index: difference.index_before };
    let is = Version { text: &new_text, declared: &new, compiled: &new_index, index: index_after };
    located::judge(&was, &is, refusals);
    if let Some(line) = changed.new_client(difference.language) {
        judge_operations(difference.index_before, index_after, line, refusals);
    }
}

/// Operations named in a message.
const NAMED: usize = 10;

/// The client generator core gives a language the declared clients alone: what none of them holds leaves the library.
fn judge_operations(before: &SpecIndex, after: &SpecIndex, line: u32, refusals: &mut Refusals<'_>) {
    let held = |index: &SpecIndex| -> BTreeSet<String> {
        index.clients.iter().flat_map(|client| &client.operations).map(|one| one.source.clone()).collect()
    };
    let after = held(after);
    let lost: Vec<String> = held(before).difference(&after).map(|source| format!("`{source}`")).collect();
    if lost.is_empty() {
        return;
    }
    let more = lost.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = lost.get(..NAMED.min(lost.len())).unwrap_or_default().join(", ");
    let message = format!(
        "no client holds {named}{more}, so they are gone from the library; declare the client of before, too, or give \
         each a client"
    );
    refusals.add(Rule::OperationLost, line, &message);
}

fn judge_applications(before: &[Application], after: &[Application], refusals: &mut Refusals<'_>) {
    let difference = compare(before, after, refusals.language);
    for application in &difference.arrived {
        texts::judge(application, refusals);
    }
    for application in &difference.added {
        if application.form == Form::Augment && makes_client(&application.decorator) {
            let message = format!("`@@{}` has no effect; write it in front of an interface", application.decorator);
            refusals.add(Rule::ClientAugmented, application.line, &message);
        }
        // The operation that takes the place of another one is gone from the clients of all languages, whatever the
        // scope says. The library's own functions make a new operation.
        let made = application.arguments.first().is_some_and(|argument| argument.contains('('));
        if application.decorator == "override" && !made {
            let message = "`@override` with an operation takes that operation out of the clients of all languages; use \
                           `reorderParameters` or `removeParameter`";
            refusals.add(Rule::OtherLanguage, application.line, message);
        }
    }
    let changes = neutral::changes(before, after, refusals.permitted);
    for application in difference.added.iter().chain(&difference.removed) {
        if changes.neutral.contains(&application.place()) {
            refusals.judge_neutral(application, &difference);
        } else {
            refusals.judge_application(application);
        }
    }
    if let Some(moved) = difference.moved.filter(|moved| !changes.neutral.contains(&moved.place())) {
        let message =
            format!("the order of `@{}` on `{}` changed, and the last one wins", moved.decorator, moved.target);
        refusals.add(Rule::OtherLanguage, moved.line, &message);
    }
    // What each decorator alone does not show: values that change places between lists that name several languages.
    for (decorator, target) in &changes.foreign {
        if refusals.violations.is_empty() {
            let of_place = |one: &&Application| one.place() == (*decorator, *target);
            let line = after.iter().chain(before).find(of_place).map_or(1, |one| one.line);
            let message = format!("what `@{decorator}` on `{target}` comes to changed for other languages");
            refusals.add(Rule::OtherLanguage, line, &message);
        }
    }
}
