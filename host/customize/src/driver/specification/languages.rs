//! One request, read for each language that it may change. Without a package no language is the request's own, so that
//! what names no language is for all of those for which it is understood alike.

use bailiwick_sdk::tasks::{Change, Classification, Directive, ItemVerdict, Language, Route, Scope};

/// The readings as one, with the languages of each action said in it. What is understood for one language and not for
/// another is done for the one and for a person for the other.
pub(in crate::driver) fn of_all_languages(
    readings: impl IntoIterator<Item = (Language, Classification)>,
) -> Classification {
    let mut all = Classification::default();
    for (language, reading) in readings {
        for item in reading.items {
            put(&mut all.items, item, language);
        }
        // What is asked of one language alone says so.
        all.candidates.extend(reading.candidates.into_iter().map(|one| match one.scope {
            Some(_) => one,
            None => Directive { scope: Some(Scope::Only(vec![language])), ..one },
        }));
        for piece in reading.background {
            if !all.background.contains(&piece) {
                all.background.push(piece);
            }
        }
    }
    for (item, number) in all.items.iter_mut().zip(1_u32..) {
        item.id = number.to_string();
    }
    all
}

fn put(items: &mut Vec<ItemVerdict>, mut item: ItemVerdict, language: Language) {
    if item.route != Route::PhaseA {
        let said = |other: &ItemVerdict| other.route == item.route && other.text == item.text;
        if !items.iter().any(said) {
            items.push(item);
        }
        return;
    }
    // A directive without a scope is for the language that it was read for.
    let own = item.directives.iter().all(|directive| directive.scope.is_none());
    let asked = changes(&item);
    let alike = items.iter_mut().find(|other| {
        other.route == Route::PhaseA && other.text == item.text && changes(other) == asked && !asked.is_empty()
    });
    match alike {
        None => {
            for directive in &mut item.directives {
                directive.scope.get_or_insert_with(|| Scope::Only(vec![language]));
            }
            items.push(item);
        }
        Some(other) if own => {
            for directive in &mut other.directives {
                directive.scope = directive.scope.take().map(|scope| with(scope, language));
            }
        }
        // It names its languages, which is the same for every reader.
        Some(_) => {}
    }
}

fn changes(item: &ItemVerdict) -> Vec<Change> {
    item.directives.iter().map(|directive| directive.change.clone()).collect()
}

fn with(scope: Scope, language: Language) -> Scope {
    match scope {
        Scope::Only(mut languages) if !languages.contains(&language) => {
            languages.push(language);
            if languages.len() == Language::ALL.len() { Scope::All } else { Scope::Only(languages) }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Dotnet, Java, Python};
    use bailiwick_sdk::tasks::{Directive, EntityKind};

    fn item(text: &str, target: &str, scope: Option<Scope>) -> ItemVerdict {
        let change = Change::Hide { kind: EntityKind::Operation, target: target.into() };
        ItemVerdict {
            id: "1".into(),
            text: text.into(),
            route: Route::PhaseA,
            reason: String::new(),
            directives: vec![Directive { change, scope, basis: text.into() }],
            guidance: None,
        }
    }

    fn failed(text: &str) -> ItemVerdict {
        ItemVerdict { route: Route::Failure, directives: Vec::new(), ..item(text, "", None) }
    }

    fn read(readings: Vec<(Language, Vec<ItemVerdict>)>) -> Vec<ItemVerdict> {
        let one = |(language, items)| {
            (language, Classification { items, background: vec!["thanks".into()], ..Classification::default() })
        };
        let all = of_all_languages(readings.into_iter().map(one));
        assert_eq!(all.background, ["thanks"]);
        all.items
    }

    fn scope(item: &ItemVerdict) -> Option<Scope> {
        item.directives[0].scope.clone()
    }

    #[test]
    fn what_names_no_language_is_for_all_that_understand_it_alike() {
        let items =
            read(vec![(Python, vec![item("hide a", "A.a", None)]), (Dotnet, vec![item("hide a", "A.a", None)])]);
        assert_eq!(items.len(), 1);
        assert_eq!(scope(&items[0]), Some(Scope::Only(vec![Python, Dotnet])));
        let every = Language::ALL.into_iter().map(|language| (language, vec![item("hide a", "A.a", None)]));
        assert_eq!(scope(&read(every.collect())[0]), Some(Scope::All));
    }

    #[test]
    fn what_names_its_language_stays_for_that_one() {
        // For Python alone, which each reading says in its own way.
        let only = Some(Scope::Only(vec![Python]));
        let items = read(vec![
            (Python, vec![item("hide a for Python", "A.a", None)]),
            (Java, vec![item("hide a for Python", "A.a", only.clone())]),
        ]);
        assert_eq!((items.len(), scope(&items[0])), (1, only.clone()));
        let items = read(vec![
            (Java, vec![item("hide a for Python", "A.a", only.clone())]),
            (Python, vec![item("hide a for Python", "A.a", None)]),
        ]);
        assert_eq!((items.len(), scope(&items[0])), (1, only));
    }

    #[test]
    fn what_is_understood_differently_is_not_mixed() {
        let items = read(vec![
            (Python, vec![item("hide a", "A.a", None)]),
            (Java, vec![item("hide a", "B.a", None)]),
            (Dotnet, vec![failed("hide a")]),
        ]);
        assert_eq!(items.len(), 3);
        assert_eq!(items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(scope(&items[0]), Some(Scope::Only(vec![Python])));
        assert_eq!(scope(&items[1]), Some(Scope::Only(vec![Java])));
        assert_eq!(items[2].route, Route::Failure);
    }
}
