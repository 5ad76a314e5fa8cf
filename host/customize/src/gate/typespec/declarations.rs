//! Declarations in `client.tsp`: what may be added, and what must stay.

use bailiwick_sdk::tasks::{EntityKind, Language, SpecIndex};

use super::super::Rule;
use super::application::{Application, Form, ScopeArgument};
use super::decorators::{canonical_name, is_version_dependency, makes_client};
use super::judge::Refusals;
use super::lexer::{Kind, Token};
use super::multiset::Multiset;
use super::parser::decorators_in;
use super::statement::{Body, Heritage, Statement};
use super::texts;
use super::view::applied;

/// A declaration, taken out of its namespace blocks.
pub(super) struct Declared<'a> {
    /// The namespace it stands in; empty for none.
    pub(super) namespace: String,
    pub(super) statement: &'a Statement,
}

/// Every statement but imports, usings, augment decorators and the file's own namespace.
pub(super) fn declared(statements: &[Statement]) -> Vec<Declared<'_>> {
    let mut namespace = String::new();
    let mut found = Vec::new();
    collect(statements, &mut namespace, &mut found);
    found
}

fn collect<'a>(statements: &'a [Statement], namespace: &mut String, found: &mut Vec<Declared<'a>>) {
    for statement in statements {
        match &statement.body {
            Body::Import(_) | Body::Using(_) | Body::Augment(_) => {}
            Body::FileNamespace(name) => {
                namespace.clone_from(name);
                // Decorators make a declaration of it; without any it only says where the others stand.
                if !statement.decorators.is_empty() {
                    found.push(Declared { namespace: String::new(), statement });
                }
            }
            Body::Namespace(name, inner) => {
                if !statement.decorators.is_empty() {
                    found.push(Declared { namespace: namespace.clone(), statement });
                }
                let mut inside = qualified(namespace, name);
                collect(inner, &mut inside, found);
            }
            Body::Interface(..) | Body::Model(..) | Body::Other(_) => {
                found.push(Declared { namespace: namespace.clone(), statement });
            }
        }
    }
}

impl Declared<'_> {
    fn identity(&self) -> (&str, &str) {
        (&self.namespace, &self.statement.text)
    }

    /// The full name, where it has one.
    pub(super) fn full_name(&self) -> Option<String> {
        match &self.statement.body {
            Body::Interface(name, ..) | Body::Model(name, _) | Body::Namespace(name, _) | Body::FileNamespace(name) => {
                Some(qualified(&self.namespace, name))
            }
            _ => None,
        }
    }

    fn own_decorators(&self, form: Form) -> Vec<Application> {
        let target = self.full_name().unwrap_or_default();
        self.statement.decorators.iter().map(|decorator| applied(decorator, &target, form)).collect()
    }

    /// Whether it is a client of this language and of no other.
    fn is_client_of(&self, language: Language) -> bool {
        let clients: Vec<Application> = self
            .own_decorators(Form::Declaration)
            .into_iter()
            .filter(|application| makes_client(&application.decorator))
            .collect();
        let own = |application: &Application| matches!(&application.scope, ScopeArgument::Read(scope, _) if scope.is_only(language));
        !clients.is_empty() && clients.iter().all(own)
    }

    /// Whether a namespace carries nothing but `@useDependency`.
    fn only_says_its_version(&self) -> bool {
        let mut decorators = self.statement.decorators.iter();
        decorators.all(|decorator| is_version_dependency(&decorator.name))
    }

    fn is_interface_or_namespace(&self) -> bool {
        matches!(self.statement.body, Body::Interface(..) | Body::Namespace(..))
    }
}

fn qualified(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

/// Declarations that only one of two versions has.
pub(super) struct Changed<'a> {
    pub(super) new: Vec<&'a Declared<'a>>,
    pub(super) gone: Vec<&'a Declared<'a>>,
}

impl Changed<'_> {
    /// The line of a client of this language that came.
    pub(super) fn new_client(&self, language: Language) -> Option<u32> {
        self.new.iter().find(|declared| declared.is_client_of(language)).map(|declared| declared.statement.line)
    }
}

/// The declarations of one version that the other does not have, each as often as it has it too seldom.
fn without<'a>(one: &'a [Declared<'a>], other: &[Declared<'_>]) -> Vec<&'a Declared<'a>> {
    let mut left: Multiset<(&str, &str)> = other.iter().map(Declared::identity).collect();
    one.iter().filter(|declared| !left.take(&declared.identity())).collect()
}

/// Judges the declarations that came or went, and gives them.
pub(super) fn judge<'a>(
    before: &'a [Declared<'a>],
    after: &'a [Declared<'a>],
    service: &[&str],
    refusals: &mut Refusals<'_>,
) -> Changed<'a> {
    let language = refusals.language;
    let gone = without(before, after);
    let new = without(after, before);
    for gone in &gone {
        if !(gone.is_interface_or_namespace() && gone.is_client_of(language)) {
            let message = format!(
                "the declaration `{}` was there and may serve other languages; it may not change",
                shortened(&gone.statement.text)
            );
            refusals.add(Rule::DeclarationChanged, gone.statement.line, &message);
        }
    }
    for declared in &new {
        judge_new(declared, service, refusals);
    }
    Changed { new, gone }
}

fn judge_new(declared: &Declared<'_>, service: &[&str], refusals: &mut Refusals<'_>) {
    let line = declared.statement.line;
    for application in declared.own_decorators(Form::Declaration) {
        texts::judge(&application, refusals);
    }
    texts::judge_names(&declared.namespace, &declared.statement.text, line, refusals);
    match &declared.statement.body {
        Body::Interface(name, heritage, body) => {
            judge_client(declared, refusals);
            if *heritage == Heritage::Some || !holds_only_references(body) {
                let message = format!(
                    "interface `{name}` may hold only operations of the service, as `op name is Interface.operation;`"
                );
                refusals.add(Rule::StatementNotAllowed, line, &message);
            }
            judge_members(declared, body, refusals);
        }
        Body::Namespace(..) | Body::FileNamespace(_) if declared.only_says_its_version() => {}
        Body::Namespace(..) => judge_client(declared, refusals),
        Body::Model(_, body) => {
            for application in declared.own_decorators(Form::Declaration) {
                refusals.judge_application(&application);
            }
            judge_members(declared, body, refusals);
        }
        _ => {
            let message = format!(
                "`{}` may not be added; only decorators, client interfaces and option models may",
                shortened(&declared.statement.text)
            );
            refusals.add(Rule::StatementNotAllowed, line, &message);
        }
    }
    let place = match &declared.statement.body {
        Body::Namespace(..) | Body::FileNamespace(_) => declared.full_name().unwrap_or_default(),
        _ => declared.namespace.clone(),
    };
    if let Some(service) = enclosing(&place, service) {
        let message = format!(
            "a declaration in `{service}` becomes part of the service for every language; \
             put it into a namespace of its own, such as `namespace ClientCustomizations;`"
        );
        refusals.add(Rule::DeclarationInService, line, &message);
    }
}

fn judge_client(declared: &Declared<'_>, refusals: &mut Refusals<'_>) {
    if !declared.is_client_of(refusals.language) {
        let message = format!(
            "`{}` needs `@client({{…}}, \"{}\")`, or it is there for other languages too",
            declared.full_name().unwrap_or_default(),
            refusals.language.scope_token()
        );
        refusals.add(Rule::StatementNotAllowed, declared.statement.line, &message);
    }
    for application in declared.own_decorators(Form::Declaration) {
        refusals.judge_application(&application);
    }
}

fn judge_members(declared: &Declared<'_>, body: &[Token], refusals: &mut Refusals<'_>) {
    match decorators_in(body) {
        Ok(decorators) => {
            let target = declared.full_name().unwrap_or_default();
            for decorator in decorators {
                let application = applied(&decorator, &target, Form::Member);
                refusals.judge_application(&application);
                texts::judge(&application, refusals);
            }
            texts::judge_body(body, refusals);
        }
        Err(error) => refusals.add(error.rule(), error.line, &error.to_string()),
    }
}

/// Whether an interface's body is nothing but `op name is Reference;`, with decorators.
fn holds_only_references(body: &[Token]) -> bool {
    let inside = match body {
        [open, inside @ .., close] if open.is("{") && close.is("}") => inside,
        _ => return false,
    };
    let members = inside.split(|token| token.is(";"));
    let members: Vec<&[Token]> = members.filter(|member| !member.is_empty()).collect();
    // The last member needs its semicolon too, but the compiler says that.
    members.iter().all(|member| is_reference(member))
}

/// `[@decorator(…)]… [op] name is A.B.c`.
fn is_reference(member: &[Token]) -> bool {
    let Some(is) = member.iter().rposition(|token| token.is("is")) else {
        return false;
    };
    let (head, target) = member.split_at_checked(is).unwrap_or_default();
    let target = target.split_first().map_or(&[] as &[Token], |(_, target)| target);
    let target_is_name =
        !target.is_empty() && target.iter().all(|token| token.kind == Kind::Word || token.is(".") || token.is("::"));
    let name_ends_head = head.last().is_some_and(|token| token.kind == Kind::Word);
    // What stands before the name is decorators and `op`; they end with a parenthesis or are words.
    let before_name = head.split_last().map_or(&[] as &[Token], |(_, before)| before);
    let plain = before_name.last().is_none_or(|token| token.is("op") || token.is(")") || token.kind == Kind::Word);
    target_is_name && name_ends_head && plain
}

/// The namespaces that hold the service's own declarations. A namespace that only `client.tsp` fills is not one, and
/// neither is one that merely holds others (`Azure` of `Azure.Contoso`).
pub(super) fn service_namespaces<'a>(index: &'a SpecIndex, client_file: &str) -> Vec<&'a str> {
    let of_client =
        |file: &str| file.strip_suffix(client_file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let is_namespace = |name: &str| index.namespaces.iter().any(|namespace| namespace == name);
    let mut found: Vec<&str> = index
        .entities
        .iter()
        .filter(|entity| entity.kind != EntityKind::Namespace && !of_client(&entity.file))
        .filter_map(|entity| entity.container.as_deref())
        .filter(|container| is_namespace(container))
        .collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        // A specification that did not compile tells nothing of its declarations; then every namespace is the service's.
        found = index.namespaces.iter().map(String::as_str).collect();
    }
    found
}

/// The one of these namespaces that a place is, or is inside of.
pub(super) fn enclosing<'a>(place: &str, namespaces: &[&'a str]) -> Option<&'a str> {
    namespaces
        .iter()
        .find(|namespace| place.strip_prefix(**namespace).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
        .copied()
}

/// Whether a target is one of these declarations, or lies in one.
pub(super) fn lies_in(target: &str, declared: &[&Declared<'_>]) -> bool {
    let mut names = declared.iter().filter_map(|declared| declared.full_name());
    names.any(|name| {
        target.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
    })
}

/// Whether a version declares a client for this language.
pub(super) fn declares_client(all: &[Declared<'_>], language: Language) -> bool {
    all.iter().any(|declared| {
        declared.statement.decorators.iter().any(|decorator| {
            makes_client(canonical_name(&decorator.name))
                && match applied(decorator, "", Form::Declaration).scope {
                    ScopeArgument::Read(scope, _) => scope.applies_to(language),
                    ScopeArgument::Unclear(_) => true,
                }
        })
    })
}

fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    let start: String = text.chars().take(LENGTH).collect();
    format!("{start}…")
}
