//! The two views of a file as decorator applications.

use bailiwick_sdk::tasks::{self, Customization, CustomizationForm, SpecIndex};

use super::application::{Application, Form, ScopeArgument};
use super::decorators::{canonical_name, known, takes_options};
use super::lexer::{Kind, Token};
use super::statement::{Body, Decorator, Statement, joined, reference};

/// The augment decorators among statements, those in namespace blocks included.
pub(super) fn augments(statements: &[Statement]) -> Vec<Application> {
    let mut found = Vec::new();
    for statement in statements {
        match &statement.body {
            Body::Augment(decorator) => {
                let (target, arguments) = match decorator.arguments.split_first() {
                    Some((target, arguments)) => (reference(target), arguments),
                    None => (String::new(), &[] as &[Vec<Token>]),
                };
                found.push(application(decorator, arguments, target, Form::Augment));
            }
            Body::Namespace(_, inner) => found.extend(augments(inner)),
            _ => {}
        }
    }
    found
}

/// A decorator in front of a declaration or of a member.
pub(super) fn applied(decorator: &Decorator, target: &str, form: Form) -> Application {
    application(decorator, &decorator.arguments, target.to_owned(), form)
}

fn application(decorator: &Decorator, arguments: &[Vec<Token>], target: String, form: Form) -> Application {
    let name = canonical_name(&decorator.name);
    // For a decorator that is not allowed the position of the scope is unknown and not needed.
    let position = known(name).map_or(arguments.len(), tasks::Decorator::scope_position);
    let plain = arguments.get(..position).unwrap_or(arguments);
    Application {
        decorator: name.to_owned(),
        target,
        arguments: plain.iter().map(|argument| joined(argument)).collect(),
        scope: scope_argument(name, arguments, position),
        form,
        line: decorator.line,
    }
}

fn scope_argument(name: &str, arguments: &[Vec<Token>], position: usize) -> ScopeArgument {
    let (options, rest) = arguments.split_at(position.min(arguments.len()));
    // The library also takes a scope from an options model, and lets it win over the argument.
    let hidden = takes_options(name)
        && options.iter().any(|option| {
            let literal = option.first().is_some_and(|token| token.is("{") || token.is("#{"));
            !literal || option.iter().any(is_scope_key)
        });
    if hidden {
        return ScopeArgument::Unclear("an options model that may hold a scope".to_owned());
    }
    match rest {
        [] => ScopeArgument::read(None),
        [argument] => match argument.as_slice() {
            [token] if token.plain_string().is_some() => ScopeArgument::read(token.plain_string()),
            _ => ScopeArgument::Unclear(joined(argument)),
        },
        _ => ScopeArgument::Unclear("more arguments than the decorator takes".to_owned()),
    }
}

/// A key `scope`, however it is quoted, or a spread that may bring one.
fn is_scope_key(token: &Token) -> bool {
    let name = token.text.trim_matches(['"', '`']);
    token.is("...") || (name == "scope" && matches!(token.kind, Kind::Word | Kind::String))
}

/// What the compiler saw.
pub(super) fn of_index(index: &SpecIndex) -> Vec<Application> {
    index.customizations.iter().map(of_customization).collect()
}

fn of_customization(customization: &Customization) -> Application {
    // The compiler's view leaves the namespace out, also that of legacy decorators.
    let name = canonical_name(&customization.decorator);
    let name = tasks::Decorator::of_name(name).map_or(name, |one| one.written());
    Application {
        decorator: name.to_owned(),
        target: customization.target.clone(),
        arguments: customization.arguments.clone(),
        scope: ScopeArgument::read(customization.scope.as_deref()),
        form: match customization.form {
            CustomizationForm::Augment => Form::Augment,
            CustomizationForm::Declaration => Form::Declaration,
        },
        line: customization.line,
    }
}

/// The customizations that only one of two versions has: added and removed.
pub(in crate::gate) fn index_changes<'a>(
    before: &'a SpecIndex,
    after: &'a SpecIndex,
) -> (Vec<&'a Customization>, Vec<&'a Customization>) {
    let only_in = |one: &'a SpecIndex, other: &SpecIndex| {
        let mut left: Vec<Application> = of_index(other);
        let same = |one: &Application, two: &Application| {
            (&one.decorator, &one.target, &one.arguments, &one.scope, one.form)
                == (&two.decorator, &two.target, &two.arguments, &two.scope, two.form)
        };
        let mut found = Vec::new();
        for customization in &one.customizations {
            let application = of_customization(customization);
            match left.iter().position(|other| same(other, &application)) {
                Some(position) => {
                    left.remove(position);
                }
                None => found.push(customization),
            }
        }
        found
    };
    (only_in(after, before), only_in(before, after))
}
