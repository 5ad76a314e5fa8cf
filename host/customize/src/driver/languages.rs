//! Which languages' clients a request may change: the package's own, and those that a person allows beside it.

use bailiwick_sdk::tasks::{Change, Classification, ItemVerdict, Language, ManualGuidance, Route, Scope};

use crate::gate::Granted;

/// The languages that an item would change and may not.
fn beyond(item: &ItemVerdict, language: Language, allowed: &[Language]) -> Vec<Language> {
    let scopes = || item.directives.iter().filter_map(|directive| directive.scope.as_ref());
    let wanted = |one: &Language| scopes().any(|scope| scope.covers(*one));
    Language::ALL.into_iter().filter(|one| *one != language && !allowed.contains(one) && wanted(one)).collect()
}

/// The classification, with every item for a person that would change a language which was not allowed.
pub(super) fn kept_to(classification: Classification, language: Language, allowed: &[Language]) -> Classification {
    let keep = |item: ItemVerdict| {
        let beyond = beyond(&item, language, allowed);
        if item.route != Route::PhaseA || beyond.is_empty() {
            return item;
        }
        let names: Vec<&str> = beyond.iter().map(|one| one.display_name()).collect();
        let mut all = vec![language];
        all.extend(allowed.iter().chain(&beyond).filter(|one| **one != language));
        let guidance = ManualGuidance {
            issue: item.reason.clone(),
            files: vec!["spec/client.tsp".into()],
            approach: format!("ask again with `--scope {}`, or for {language} alone", words(&all)),
            reason: format!("it changes the client of {} too, which was not allowed", names.join(", ")),
        };
        ItemVerdict { route: Route::Failure, reason: guidance.reason.clone(), guidance: Some(guidance), ..item }
    };
    Classification { items: classification.items.into_iter().map(keep).collect(), ..classification }
}

/// The languages that a request may change, as a scope.
pub(super) fn permitted(language: Language, allowed: &[Language]) -> Scope {
    let permitted: Vec<Language> =
        Language::ALL.into_iter().filter(|one| *one == language || allowed.contains(one)).collect();
    // A decorator without a scope is for languages too that there are no libraries of yet.
    if permitted.len() == Language::ALL.len() { Scope::All } else { Scope::Only(permitted) }
}

/// The legacy decorators that a person's directives ask for.
pub(super) fn granted<'a>(items: impl IntoIterator<Item = &'a ItemVerdict>) -> Vec<Granted> {
    let directives = items.into_iter().flat_map(|item| &item.directives);
    let legacy = directives.filter_map(|directive| {
        let (decorator, target) = match &directive.change {
            Change::Decorate { decoration, target, .. } => (decoration.decorator(), target),
            Change::Undecorate { decorator, target, .. } => (*decorator, target),
            _ => return None,
        };
        decorator.is_legacy().then(|| Granted { decorator, target: target.clone() })
    });
    legacy.collect()
}

/// The same where a dry run asks: with those that its items would need.
pub(super) fn wanted(items: &[ItemVerdict], language: Language, allowed: &[Language]) -> Vec<Language> {
    let needed = items.iter().flat_map(|item| beyond(item, language, allowed));
    allowed.iter().copied().chain(needed).collect()
}

/// As `--scope` takes them.
fn words(languages: &[Language]) -> String {
    let all = Language::ALL.iter().all(|one| languages.contains(one));
    if all { "all".into() } else { languages.iter().map(|one| one.scope_token()).collect::<Vec<_>>().join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Dotnet, Java, Python};
    use bailiwick_sdk::tasks::{Directive, EntityKind};

    fn item(scope: Option<Scope>) -> ItemVerdict {
        let change = Change::Hide { kind: EntityKind::Operation, target: "A.b".into() };
        let directives = vec![Directive { change, scope, basis: "hide it".into() }];
        let (id, text, reason) = ("1".into(), "hide it".into(), "hide `A.b`".into());
        ItemVerdict { id, text, route: Route::PhaseA, reason, directives, guidance: None }
    }

    #[test]
    fn item_that_reaches_further_is_for_a_person_and_names_the_option() {
        let kept = |scope: Option<Scope>, allowed: &[Language]| {
            let classification = Classification { items: vec![item(scope)], ..Classification::default() };
            kept_to(classification, Python, allowed).items.remove(0)
        };
        assert_eq!(kept(None, &[]).route, Route::PhaseA);
        assert_eq!(kept(Some(Scope::Only(vec![Python])), &[]).route, Route::PhaseA);
        let both = Scope::Only(vec![Python, Dotnet]);
        assert_eq!(kept(Some(both.clone()), &[Dotnet]).route, Route::PhaseA);
        let refused = kept(Some(both), &[Java]);
        let guidance = refused.guidance.unwrap();
        assert_eq!(refused.route, Route::Failure);
        assert!(guidance.approach.contains("`--scope python,java,csharp`"), "{}", guidance.approach);
        assert!(guidance.reason.contains(".NET"), "{}", guidance.reason);
        let guidance = kept(Some(Scope::All), &[]).guidance.unwrap();
        assert!(guidance.approach.contains("`--scope all`"), "{}", guidance.approach);
    }

    #[test]
    fn what_may_change_is_the_own_language_and_what_is_allowed_or_asked_about() {
        assert_eq!(permitted(Python, &[]), Scope::Only(vec![Python]));
        assert_eq!(permitted(Python, &[Dotnet, Python]), Scope::Only(vec![Python, Dotnet]));
        assert_eq!(permitted(Python, &Language::ALL), Scope::All);
        assert_eq!(wanted(&[item(Some(Scope::Only(vec![Python, Java])))], Python, &[Dotnet]), [Dotnet, Java]);
    }
}
