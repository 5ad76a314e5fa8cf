//! Directives as a person wrote them: finds what they name, checks them, and says again later how far they are.
//!
//! No sentence is read here. A name that is not certain is an error with the names that it can be, before anything begins.

use super::check::check_all;
use super::client_file;
use super::entities::Lookup;
use super::guidance;
use super::intents::{Intent, can_be_hidden, can_be_renamed};
use super::names::key;
use bailiwick_sdk::tasks::{
    AskedChange, AskedDirective, Change, Classification, Directive, DirectiveError, EntityKind, ItemVerdict, Language,
    Route, Scope, SpecIndex,
};

/// The classification of a list of directives for a package of a language, one item each. `allowed` are the languages
/// beside the package's whose clients may change.
///
/// # Errors
/// The first directive that cannot be carried out, and why: see [`DirectiveError`].
pub fn resolve(
    asked: &[AskedDirective],
    index: &SpecIndex,
    language: Language,
    allowed: &[Language],
) -> Result<Classification, DirectiveError> {
    if let Some(error) = index.diagnostics.iter().find(|one| one.is_error()) {
        return Err(DirectiveError::Broken { message: error.message.clone() });
    }
    let names = Names { lookup: Lookup::new(index), index };
    let mut directives = Vec::with_capacity(asked.len());
    for one in asked {
        permitted(one, language, allowed)?;
        directives.push(Directive {
            change: names.change(&one.change)?,
            scope: one.scope.clone(),
            basis: String::new(),
        });
    }
    let checked = check_all(&directives.iter().collect::<Vec<_>>(), index, language);
    let mut items = Vec::with_capacity(asked.len());
    for (((one, directive), outcome), number) in asked.iter().zip(&directives).zip(checked).zip(1..) {
        let intent = outcome.map_err(|refusal| {
            let words = guidance::guidance(&refusal, language);
            let (reason, approach) = (format!("{}; {}", words.issue, words.reason), words.approach);
            DirectiveError::Refused { written: one.written.clone(), reason, approach }
        })?;
        let what = described(&intent, directive.scope.as_ref(), language);
        let done = client_file::is_done(&intent, directive.scope.as_ref(), index, language);
        let (route, reason) =
            if done { (Route::Success, format!("it is so already: {what}")) } else { (Route::PhaseA, what) };
        items.push(ItemVerdict {
            id: u32::to_string(&number),
            text: one.written.clone(),
            route,
            reason,
            directives: vec![directive.clone()],
            guidance: None,
        });
    }
    Ok(Classification { items, ..Classification::default() })
}

fn described(intent: &Intent, scope: Option<&Scope>, language: Language) -> String {
    let what = intent.describe(language);
    match scope.map(Scope::languages) {
        Some(languages) if languages != [language] => {
            let names: Vec<&str> = languages.iter().map(|one| one.scope_token()).collect();
            format!("{what} (and so in {})", names.join(", "))
        }
        _ => what,
    }
}

/// Whether a directive keeps to the languages that it may change.
fn permitted(asked: &AskedDirective, language: Language, allowed: &[Language]) -> Result<(), DirectiveError> {
    let Some(scope) = &asked.scope else { return Ok(()) };
    let wanted = scope.languages();
    let beyond: Vec<&str> =
        wanted.iter().filter(|one| **one != language && !allowed.contains(one)).map(|one| one.display_name()).collect();
    if beyond.is_empty() {
        return Ok(());
    }
    let scope = scope.argument().unwrap_or_else(|| "all".to_owned()).replace(", ", ",");
    Err(DirectiveError::NotAllowed { written: asked.written.clone(), languages: beyond.join(", "), scope })
}

/// Names as people write them, and what they stand for.
struct Names<'a> {
    lookup: Lookup<'a>,
    index: &'a SpecIndex,
}

impl Names<'_> {
    fn change(&self, asked: &AskedChange) -> Result<Change, DirectiveError> {
        let renamable = |kind| can_be_renamed(kind) || kind == EntityKind::Namespace;
        Ok(match asked {
            AskedChange::Rename { target, name } => {
                let (kind, target) = self.target(target, renamable)?;
                Change::Rename { kind, target, name: name.clone() }
            }
            AskedChange::Hide { target } => {
                let (kind, target) = self.target(target, can_be_hidden)?;
                Change::Hide { kind, target }
            }
            AskedChange::Show { target } => {
                let (kind, target) = self.target(target, can_be_hidden)?;
                Change::Show { kind, target }
            }
            AskedChange::Move { target, to } => {
                let (kind, target) =
                    self.target(target, |kind| matches!(kind, EntityKind::Operation | EntityKind::Parameter))?;
                Change::Move { kind, target, to: self.place(to)? }
            }
            AskedChange::Client { name, operations, parameters } => {
                let one = |target: &String| Ok(self.target(target, |kind| kind == EntityKind::Operation)?.1);
                let operations = operations.iter().map(one).collect::<Result<_, DirectiveError>>()?;
                Change::Client { name: name.clone(), operations, parameters: parameters.clone() }
            }
            AskedChange::Decorate { target, decoration } => {
                let decorator = decoration.decorator();
                let (kind, target) = self.target(target, |kind| decorator.targets().contains(&kind))?;
                Change::Decorate { kind, target, decoration: decoration.clone() }
            }
            AskedChange::Undecorate { target, decorator } => {
                let (kind, target) = self.target(target, |kind| decorator.targets().contains(&kind))?;
                Change::Undecorate { kind, target, decorator: *decorator }
            }
            AskedChange::Repair { files } => Change::Repair { files: files.clone() },
        })
    }

    /// The one thing that has a name. Of several, those count that the change is possible for.
    fn target(&self, text: &str, fits: impl Fn(EntityKind) -> bool) -> Result<(EntityKind, String), DirectiveError> {
        let exact: Vec<usize> =
            (0..self.index.entities.len()).filter(|&at| self.lookup.entity(at).reference == text).collect();
        let mut found = if exact.is_empty() { self.without_sources(&self.lookup.find(text)) } else { exact };
        if found.len() > 1 && found.iter().any(|&at| fits(self.lookup.entity(at).kind)) {
            found.retain(|&at| fits(self.lookup.entity(at).kind));
        }
        match found.as_slice() {
            [one] => Ok((self.lookup.entity(*one).kind, self.lookup.entity(*one).reference.clone())),
            [] => {
                let near = self.lookup.near(text);
                Err(DirectiveError::Unknown { target: text.to_owned(), near: self.words(&near) })
            }
            several => Err(DirectiveError::Ambiguous { target: text.to_owned(), candidates: self.words(several) }),
        }
    }

    /// Without the operations that clients of `client.tsp` refer to under the same name: the client has the reference, and
    /// a decorator on what is referred to would change nothing.
    fn without_sources(&self, found: &[usize]) -> Vec<usize> {
        let references: Vec<&str> = found.iter().map(|&at| self.lookup.entity(at).reference.as_str()).collect();
        let operations = || self.index.clients.iter().flat_map(|client| &client.operations);
        let stands_in = |reference: &str| {
            operations().any(|one| {
                one.source == reference && one.reference != reference && references.contains(&one.reference.as_str())
            })
        };
        found.iter().copied().filter(|&at| !stands_in(&self.lookup.entity(at).reference)).collect()
    }

    /// Where an operation goes: an interface, a client, or the name of a new group.
    fn place(&self, text: &str) -> Result<String, DirectiveError> {
        let client = |entry: &&bailiwick_sdk::tasks::ClientEntry| key(&entry.name) == key(text);
        if let Some(reference) = self.index.clients.iter().find(client).and_then(|entry| entry.reference.clone()) {
            return Ok(reference);
        }
        let holds = |kind| matches!(kind, EntityKind::Interface | EntityKind::Namespace);
        match self.target(text, holds) {
            Ok((kind, reference)) if holds(kind) => Ok(reference),
            Err(error @ DirectiveError::Ambiguous { .. }) => Err(error),
            Err(DirectiveError::Unknown { near, .. }) if text.contains('.') => {
                Err(DirectiveError::Unknown { target: text.to_owned(), near })
            }
            // A new group may be called like a model, say.
            Ok(_) | Err(_) => Ok(text.to_owned()),
        }
    }

    fn words(&self, found: &[usize]) -> Vec<String> {
        let word = |&at: &usize| {
            let entity = self.lookup.entity(at);
            format!("the {} `{}`", entity.kind.noun(), entity.reference)
        };
        found.iter().take(10).map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use bailiwick_sdk::tasks::AskedAction::{self, Hide, Move, Rename, Show};

    fn asked(action: AskedAction, text: &str) -> AskedDirective {
        AskedDirective::from_option(action, text).unwrap()
    }

    fn resolved(action: AskedAction, text: &str) -> Result<ItemVerdict, DirectiveError> {
        let found = resolve(&[asked(action, text)], &sample::index(), Language::Python, &[])?;
        Ok(found.items.into_iter().next().unwrap())
    }

    fn target(action: AskedAction, text: &str) -> Result<String, String> {
        let item = resolved(action, text).map_err(|error| error.to_string())?;
        Ok(item.directives[0].change.target().unwrap().to_owned())
    }

    #[test]
    fn targets_are_named_as_the_specification_or_the_language_names_them() {
        for text in ["Contoso.WidgetManager.Widgets.deleteWidget", "Widgets.deleteWidget", "delete_widget"] {
            assert_eq!(target(Hide, text).as_deref(), Ok("Contoso.WidgetManager.Widgets.deleteWidget"), "{text}");
        }
        for text in ["Widget.displayName=title", "models.Widget.display_name=title"] {
            assert_eq!(target(Rename, text).as_deref(), Ok("Contoso.WidgetManager.Widget.displayName"), "{text}");
        }
    }

    #[test]
    fn item_says_what_is_done_and_rests_on_no_words() {
        let item = resolved(Rename, "Widget.displayName=title").unwrap();
        assert_eq!((item.route, item.text.as_str()), (Route::PhaseA, "--rename Widget.displayName=title"));
        assert!(item.reason.contains("`title` in the Python client"), "{}", item.reason);
        assert_eq!(item.directives[0].basis, "");
        let item = resolved(Show, "deleteWidget").unwrap();
        assert_eq!(item.route, Route::Success, "{}", item.reason);
    }

    #[test]
    fn what_is_not_certain_is_one_sentence_with_names() {
        let said = |action, text| target(action, text).unwrap_err();
        let unknown = said(Hide, "deleteWidgit");
        assert!(
            unknown.contains("nothing called `deleteWidgit`") && unknown.contains("Widgets.deleteWidget"),
            "{unknown}"
        );
        let ambiguous = said(Rename, "displayName=title");
        for reference in ["Widget.displayName`", " or the property "] {
            assert!(ambiguous.contains(reference), "{ambiguous}");
        }
        let refused = said(Hide, "Widget.displayName");
        assert!(refused.starts_with("`--hide Widget.displayName` cannot be done: "), "{refused}");
        assert!(said(Rename, "Widget.displayName=a b").contains("identifier"));
        for text in [&unknown, &ambiguous, &refused] {
            assert!(!text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn operations_go_to_groups_clients_and_new_groups() {
        let to = |text: &str| match resolved(Move, text).unwrap().directives.remove(0).change {
            Change::Move { to, .. } => to,
            other => panic!("{other:?}"),
        };
        assert_eq!(to("deleteWidget=Parts"), "Contoso.WidgetManager.Parts");
        assert_eq!(to("deleteWidget=Removals"), "Removals");
        assert!(target(Move, "deleteWidget=Fabrikam.Nowhere").is_err());
    }

    #[test]
    fn other_languages_change_only_where_they_are_allowed() {
        let mut one = asked(Hide, "deleteWidget");
        one.scope = Some(Scope::Only(vec![Language::Python, Language::Dotnet]));
        let found = |allowed: &[Language]| {
            resolve(std::slice::from_ref(&one), &sample::index(), Language::Python, allowed)
                .map(|found| found.items.len())
        };
        let error = found(&[]).unwrap_err();
        assert!(error.to_string().contains("changes .NET, which was not allowed"), "{error}");
        assert_eq!(error.hint().as_deref(), Some("allow it with `--scope python,csharp`"));
        assert_eq!(found(&[Language::Dotnet]), Ok(1));
    }

    #[test]
    fn later_the_same_directives_are_held_against_the_index_and_nothing_is_read() {
        let index = sample::index();
        let first = resolve(&[asked(Hide, "deleteWidget")], &index, Language::Python, &[]).unwrap();
        let task = |index: SpecIndex| bailiwick_sdk::tasks::ClassifyTask {
            request: "rename everything".into(),
            language: Language::Python,
            package: None,
            index,
            history: String::new(),
            validation: Some(bailiwick_sdk::tasks::ValidationReport { succeeded: true, diagnostics: Vec::new() }),
            first: Some(first.clone()),
        };
        let mut hidden = index.clone();
        for entity in hidden.entities.iter_mut().filter(|one| one.name == "deleteWidget") {
            entity.client.as_mut().unwrap().access = bailiwick_sdk::tasks::Access::Internal;
        }
        let routes =
            |index| crate::classify::classify(&task(index)).items.iter().map(|item| item.route).collect::<Vec<_>>();
        assert_eq!(routes(hidden), [Route::Success]);
        assert_eq!(routes(index), [Route::PhaseA]);
    }
}
