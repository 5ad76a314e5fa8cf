//! What the errors of a log ask for.

use bailiwick_sdk::tasks::{Change, Diagnostic, Directive, Language};

use super::super::document::{Ask, Asked, Findings};
use super::super::sentence::same_name;
use super::super::{Item, Outcome};
use super::Decider;
use crate::analyzer;
use crate::intents::{Intent, Refusal};

impl Decider<'_> {
    /// What the errors of a log ask for: names that a rule refuses, and hand-written code that has not followed.
    pub(super) fn log(&self, found: &Findings, asked: &[Asked], items: &mut Vec<Item>) {
        let acts = items.iter().any(|item| matches!(item.outcome, Outcome::Act(_) | Outcome::Done(_)));
        let mut left: Vec<Diagnostic> = Vec::new();
        let mut files: Vec<String> = Vec::new();
        let mut basis = String::new();
        for entry in &found.log {
            let one = &entry.diagnostic;
            let suppressed = entry.text.contains("(suppressed)");
            if self.language == Language::Dotnet && analyzer::is_naming(one) && !suppressed {
                self.analyzed(entry.text.trim(), one, found, asked, items);
            } else if one.is_error() {
                match one.file.as_deref().filter(|file| hand_written(file, self.language)) {
                    Some(file) => {
                        if !files.iter().any(|known| known == file) {
                            files.push(file.to_owned());
                        }
                        basis = entry.text.trim().to_owned();
                    }
                    None => left.push(one.clone()),
                }
            }
        }
        // Beside what is asked a log is background: regeneration and build tell what is wrong.
        if acts {
            return;
        }
        // The build of a package does not compile its tests.
        let of_tests = found.log.iter().filter(|entry| entry.diagnostic.is_error());
        let mut of_tests = of_tests.map(|entry| entry.diagnostic.file.as_deref().is_some_and(is_a_test)).peekable();
        if of_tests.peek().is_some() && of_tests.all(|one| one) {
            let diagnostics = found.log.iter().map(|entry| entry.diagnostic.clone()).collect();
            items.push(Item {
                text: self.request.trim().to_owned(),
                outcome: Outcome::Guide(Refusal::Log { diagnostics }),
            });
            return;
        }
        let customizations = found.repair && !left.is_empty();
        let all: Vec<Diagnostic> = found.log.iter().map(|entry| entry.diagnostic.clone()).collect();
        // What generated code has twice, or misses, because hand-written code has not followed.
        let followed = crate::drift::renames_behind(&all, self.language, self.index).is_some();
        // What is taken back is not repaired either, nor where a person's own words give new names.
        let open = !found.retracted && (found.repair || found.proposed.is_empty());
        if open && (!files.is_empty() || customizations || followed) {
            if basis.is_empty() {
                basis = found.log.first().map(|entry| entry.text.trim().to_owned()).unwrap_or_default();
            }
            let change = Change::Repair { files };
            items.retain(|item| !matches!(item.outcome, Outcome::Guide(Refusal::Unclear { .. })));
            items.push(Item {
                text: basis.clone(),
                outcome: Outcome::Act(vec![Directive { change, scope: None, basis }]),
            });
        } else if !left.is_empty() {
            let text = found.log.first().map(|entry| entry.text.trim().to_owned()).unwrap_or_default();
            items.push(Item { text, outcome: Outcome::Guide(Refusal::Log { diagnostics: left }) });
        }
    }

    fn analyzed(&self, text: &str, one: &Diagnostic, found: &Findings, asked: &[Asked], items: &mut Vec<Item>) {
        let outcome = match analyzer::rename(one, self.index) {
            Ok(Intent::Rename { target, new, .. }) => {
                let at = self.lookup.by_reference(&target.reference);
                // What the prose says of the type counts more than the rule.
                let said =
                    asked.iter().any(|asked| matches!(&asked.ask, Ask::Rename { target, .. } if Some(*target) == at));
                if said {
                    return;
                }
                if found.judged || found.retracted || found.closed {
                    let refusal = Refusal::Undecided { sentence: text.to_owned() };
                    items.push(Item { text: text.to_owned(), outcome: Outcome::Guide(refusal) });
                    return;
                }
                // A person who writes of the suggested name, or of another one like it, has the last word.
                let words = |name: &str| crate::names::words(name).into_iter().map(|word| word.to_lowercase());
                let known: Vec<String> = words(&new).chain(words(&target.name)).collect();
                if found.proposed.iter().any(|name| words(name).any(|word| known.contains(&word))) {
                    let reason = "the request speaks of this name, or of another one for the type";
                    items.push(Item {
                        text: text.to_owned(),
                        outcome: Outcome::Guide(analyzer::refused(one, reason.into())),
                    });
                    return;
                }
                if at.is_some_and(|at| found.vetoes.iter().any(|veto| veto.target == at)) {
                    Outcome::Guide(analyzer::refused(one, "the request says that the type keeps its name".into()))
                } else {
                    let done = target.client.as_ref().is_some_and(|client| client.name == new);
                    let change = Change::Rename { kind: target.kind, target: target.reference, name: new };
                    let again = items.iter().any(|item| changes(&item.outcome).any(|known| *known == change));
                    if again {
                        return;
                    }
                    let taken = items.iter().any(|item| {
                        changes(&item.outcome).any(|known| match (known, &change) {
                            (Change::Rename { name, .. }, Change::Rename { name: new, .. }) => same_name(name, new),
                            _ => false,
                        })
                    });
                    let directives = vec![Directive { change, scope: None, basis: text.to_owned() }];
                    if taken {
                        Outcome::Guide(analyzer::refused(
                            one,
                            "the name is given to another type in this request".into(),
                        ))
                    } else if done {
                        Outcome::Done(directives)
                    } else {
                        Outcome::Act(directives)
                    }
                }
            }
            Ok(_) => return,
            Err(refusal) => Outcome::Guide(refusal),
        };
        if !items.iter().any(|item| item.outcome == outcome) {
            items.push(Item { text: text.to_owned(), outcome });
        }
    }
}

/// The changes that an item comes to.
fn changes(outcome: &Outcome) -> impl Iterator<Item = &Change> {
    let directives = match outcome {
        Outcome::Act(directives) | Outcome::Done(directives) => directives.as_slice(),
        _ => &[],
    };
    directives.iter().map(|one| &one.change)
}

/// Whether a person writes a file, as far as its name says.
fn hand_written(file: &str, language: Language) -> bool {
    let file = file.replace('\\', "/");
    let lower = file.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    match language {
        Language::Python => name == "_patch.py",
        Language::Java => {
            name.ends_with("customization.java")
                || name.ends_with("customizations.java")
                || lower.contains("customization/")
        }
        Language::Dotnet => !lower.contains("/generated/") && !lower.starts_with("generated/") && name.ends_with(".cs"),
        Language::Javascript => {
            let generated = list! {
                "generated/" "src/api/" "src/models/" "src/classic/" "src/rest/" "src/static-helpers/" "src/util/"
            };
            !generated.iter().any(|part| lower.contains(part)) && (name.ends_with(".ts") || name.ends_with(".js"))
        }
        Language::Go => {
            let generated = name.ends_with("_client.go")
                || name.starts_with("zz_")
                || list! {
                    "models.go" "models_serde.go" "constants.go" "options.go" "responses.go" "interfaces.go"
                    "client_factory.go"
                }
                .contains(&name);
            name.ends_with(".go") && !generated
        }
    }
}

/// Whether a file holds tests, by the conventions of the languages.
fn is_a_test(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    name.ends_with("_test.go")
        || name.starts_with("test_") && name.ends_with(".py")
        || ["Test", "Tests"].iter().any(|end| stem.ends_with(end)) && (name.ends_with(".java") || name.ends_with(".cs"))
        || [".spec.ts", ".test.ts"].iter().any(|end| name.ends_with(end))
}
