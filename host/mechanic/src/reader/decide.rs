//! From what was read to what is done: one reading that nothing speaks against, or guidance.

use std::ops::Range;

use bailiwick_sdk::tasks::{Change, Diagnostic, Directive, Entity, EntityKind, Language, Scope, SpecIndex};

use super::cross_check::{Whole, without_holders};
use super::document::{Ask, Asked, Doubt, Findings};
use super::sentence::{Sentence, same_name};
use super::targets::Focus;
use super::token::tokenize;
use super::{Item, Outcome, Reading};
use crate::analyzer;
use crate::check::check_all;
use crate::entities::Lookup;
use crate::intents::{Intent, Refusal};

/// Decides about everything that was read.
pub(super) fn decide(
    request: &str,
    found: &Findings,
    language: Language,
    index: &SpecIndex,
    lookup: &Lookup<'_>,
) -> Reading {
    let decider = Decider { request, language, index, lookup };
    let asked = without_holders(without_doubles(found.asked.clone()), lookup);
    let read: Vec<(&Asked, Result<Vec<Directive>, Refusal>)> = asked
        .iter()
        // What is not certain of one sentence, and certain of another.
        .filter(|one| {
            let held = |ask: &Ask| matches!(&one.ask, Ask::Unsure(Doubt::Held(held)) if same_ask(&held.reading, ask));
            !asked.iter().any(|other| held(&other.ask))
        })
        // A question beside what is asked in the same piece, about nothing else, is how people speak.
        .filter(|one| {
            let question = matches!(one.ask, Ask::Unsure(Doubt::Question)) && !one.feature;
            // `X, seriously?`, and what becomes of X is settled further down.
            let settled = question && acts_behind(&asked, one.unit) && decider.names_something(one);
            let answered = acts_in(&asked, one.unit) || settled;
            !(question && answered && decider.speaks_of_nothing_else(one, &asked))
        })
        .map(|one| (one, decider.directives(one, &asked, found)))
        .collect();
    let directives: Vec<&Directive> = read.iter().filter_map(|(_, read)| read.as_ref().ok()).flatten().collect();
    let mut checked = check_all(&directives, index, language).into_iter();
    let mut items: Vec<Item> = Vec::new();
    for (one, read) in read {
        let outcome = match read {
            Ok(directives) => decider.checked(directives, &mut checked),
            Err(refusal) => Outcome::Guide(refusal),
        };
        items.push(Item { text: decider.slice(&one.span), outcome });
    }
    decider.log(found, &asked, &mut items);
    let background: Vec<String> = found
        .background
        .iter()
        .map(|span| decider.slice(span))
        .filter(|text| text.chars().any(char::is_alphanumeric))
        .collect();
    if items.is_empty() {
        let outcome = if found.log.iter().any(|entry| entry.diagnostic.is_error()) {
            Outcome::Guide(Refusal::Log {
                diagnostics: found.log.iter().map(|entry| entry.diagnostic.clone()).collect(),
            })
        } else if found.unheard
            || found.open && found.vetoes.is_empty() && !found.retracted
            || (found.wished || background.iter().any(|text| begs(text) || asks(text) || orders(text)))
                && found.vetoes.is_empty()
                && !found.retracted
        {
            let sentence = request.trim().to_owned();
            Outcome::Guide(Refusal::Unclear { about: decider.spoken_of(&sentence), sentence })
        } else {
            Outcome::Nothing
        };
        items.push(Item { text: request.trim().to_owned(), outcome });
    }
    Reading { items, background }
}

struct Decider<'a> {
    request: &'a str,
    language: Language,
    index: &'a SpecIndex,
    lookup: &'a Lookup<'a>,
}

impl Decider<'_> {
    fn slice(&self, span: &Range<usize>) -> String {
        let text = self.request.get(span.clone()).unwrap_or_default().trim();
        if text.is_empty() { self.request.trim().to_owned() } else { text.to_owned() }
    }

    /// What comes of directives that were held against the specification.
    fn checked(
        &self,
        directives: Vec<Directive>,
        checked: &mut impl Iterator<Item = Result<Intent, Refusal>>,
    ) -> Outcome {
        let mut open = false;
        let mut kept = Vec::new();
        let intents: Vec<Result<Intent, Refusal>> = checked.take(directives.len()).collect();
        for (mut directive, intent) in directives.into_iter().zip(intents) {
            match intent {
                Err(refusal) => return Outcome::Guide(refusal),
                Ok(intent) => {
                    if let (Change::Rename { name, .. }, Intent::Rename { new, .. }) = (&mut directive.change, &intent)
                    {
                        name.clone_from(new);
                    }
                    // Of other languages nothing is known here.
                    open |= directive.scope.is_some() || !intent.is_done();
                    kept.push(directive);
                }
            }
        }
        if open { Outcome::Act(kept) } else { Outcome::Done(kept) }
    }

    fn directives(&self, one: &Asked, all: &[Asked], found: &Findings) -> Result<Vec<Directive>, Refusal> {
        let sentence = self.slice(&one.span);
        let scope = one.scope.clone().or_else(|| found.scope.clone());
        let scope = scope.filter(|scope| *scope != Scope::Only(vec![self.language]));
        let target = match &one.ask {
            Ask::Unsure(doubt) => return Err(self.refusal(doubt, &sentence)),
            Ask::Clients(clients) => {
                return Ok(clients
                    .iter()
                    .map(|client| Directive {
                        change: Change::Client {
                            name: client.name.clone(),
                            operations: client.operations.clone(),
                            parameters: client.parameters.clone(),
                        },
                        scope: scope.clone(),
                        basis: sentence.clone(),
                    })
                    .collect());
            }
            Ask::Rename { target, .. } | Ask::Hide { target } | Ask::Show { target } | Ask::Move { target, .. } => {
                *target
            }
        };
        let entity = self.lookup.entity(target);
        if found.vetoes.iter().any(|(vetoed, at)| *vetoed == target && *at != one.sentence) {
            return Err(Refusal::Contradiction {
                first: sentence,
                second: format!("`{}` shall stay as it is", entity.reference),
            });
        }
        if let Some(other) = all.iter().find(|other| contradicts(&one.ask, &other.ask)) {
            return Err(Refusal::Contradiction { first: sentence, second: self.slice(&other.span) });
        }
        let whole = Whole { request: self.request, language: self.language, lookup: self.lookup };
        // What is asked for twice is asked for by the words that say it best.
        let mut wordings = found.asked.iter().filter(|other| same_ask(&other.ask, &one.ask)).peekable();
        let against = |other: &Asked| whole.speaks_against(other, all, &self.slice(&other.span), scope.as_ref());
        let refused = if wordings.peek().is_some() { wordings.all(against) } else { against(one) };
        if refused {
            let Ask::Unsure(doubt) = one.ask.clone().held(Doubt::Undecided, None) else {
                return Err(Refusal::Undecided { sentence });
            };
            return Err(self.refusal(&doubt, &sentence));
        }
        let directive = |change: Change| vec![Directive { change, scope: scope.clone(), basis: sentence.clone() }];
        let (kind, target) = (entity.kind, entity.reference.clone());
        Ok(match &one.ask {
            Ask::Rename { name, .. } => directive(Change::Rename { kind, target, name: self.own_part(entity, name) }),
            Ask::Hide { .. } => directive(Change::Hide { kind, target }),
            Ask::Show { .. } => directive(Change::Show { kind, target }),
            Ask::Move { to, .. } => directive(Change::Move { kind, target, to: to.clone() }),
            Ask::Unsure(_) | Ask::Clients(_) => Vec::new(),
        })
    }

    /// Without what a language puts around a name: `begin_x`, `getX()`, `XAsync`.
    fn own_part(&self, entity: &Entity, name: &str) -> String {
        let name = name.trim_start_matches('_');
        let behind = |prefix: &str| {
            let rest = name.get(prefix.len()..)?;
            let starts = name.get(..prefix.len())?.eq_ignore_ascii_case(prefix);
            (starts && rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
                .then(|| rest.trim_start_matches('_').to_owned())
        };
        let is_boolean_getter = |rest: &str| self.language == Language::Java && !rest.is_empty();
        match entity.kind {
            EntityKind::Operation => {
                let pager = behind("New").and_then(|rest| rest.strip_suffix("Pager").map(str::to_owned));
                if let Some(pager) = pager.filter(|_| !entity.name.to_lowercase().starts_with("new")) {
                    return pager;
                }
                let stem = name
                    .strip_suffix("Async")
                    .or_else(|| name.strip_suffix("WithResponse"))
                    .filter(|stem| !stem.is_empty())
                    .unwrap_or(name);
                let own = entity.name.to_lowercase().starts_with("begin");
                if stem.len() < name.len() {
                    return stem.to_owned();
                }
                behind("begin").filter(|_| !own).unwrap_or_else(|| name.to_owned())
            }
            EntityKind::Property if self.language == Language::Java => {
                let own = ["get", "set", "is"].iter().any(|prefix| entity.name.to_lowercase().starts_with(prefix));
                ["get", "set", "is"]
                    .iter()
                    .find_map(|prefix| behind(prefix))
                    .filter(|rest| !own && is_boolean_getter(rest))
                    .unwrap_or_else(|| name.to_owned())
            }
            // `ColorRed` is how Go calls the member `Red` of `Color`.
            EntityKind::EnumMember if self.language == Language::Go => self
                .lookup
                .holder_names(entity)
                .iter()
                .find_map(|holder| behind(holder))
                .filter(|_| self.lookup.find_constant(&entity.name).is_empty())
                .unwrap_or_else(|| name.to_owned()),
            _ => name.to_owned(),
        }
    }

    fn refusal(&self, doubt: &Doubt, sentence: &str) -> Refusal {
        let sentence = sentence.to_owned();
        let of = |found: &[usize]| found.iter().map(|&at| self.lookup.entity(at).clone()).collect::<Vec<_>>();
        match doubt {
            Doubt::Ambiguous(text, candidates) => Refusal::Ambiguous { text: text.clone(), candidates: of(candidates) },
            Doubt::Unknown(text) => Refusal::NotFound { text: text.clone(), near: of(&self.lookup.near(text)) },
            Doubt::Question => Refusal::Question { sentence },
            Doubt::Condition => Refusal::Condition { sentence },
            Doubt::Undecided => Refusal::Undecided { sentence },
            Doubt::MissingName => Refusal::MissingName { sentence },
            Doubt::Structure(problem) => Refusal::Structure { problem: problem.clone() },
            Doubt::Unclear => Refusal::Unclear { about: self.spoken_of(&sentence), sentence },
            Doubt::Affix(name) => Refusal::BadName {
                name: name.clone(),
                problem: "differs only in what the language puts around it, which no decorator changes".into(),
            },
            Doubt::Held(held) => Refusal::Held {
                refusal: Box::new(self.refusal(&held.doubt, &sentence)),
                option: self.option(&held.reading),
                words: held.words.clone(),
            },
        }
    }

    /// Whether a piece names nothing that no other piece acts on.
    fn speaks_of_nothing_else(&self, one: &Asked, all: &[Asked]) -> bool {
        let acted: Vec<usize> = all.iter().filter_map(|other| other.ask.target()).collect();
        let named = self.spoken_of(&self.slice(&one.span));
        named.iter().all(|entity| self.lookup.by_reference(&entity.reference).is_some_and(|at| acted.contains(&at)))
    }

    fn names_something(&self, one: &Asked) -> bool {
        !self.spoken_of(&self.slice(&one.span)).is_empty()
    }

    /// The things that a text names for certain.
    fn spoken_of(&self, text: &str) -> Vec<Entity> {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let mut found: Vec<usize> = Vec::new();
        for mention in sentence.mentions.iter().filter(|mention| mention.strong) {
            if let Ok(one) = sentence.settle(mention, &Focus::default())
                && !found.contains(&one)
                && found.len() < 3
            {
                found.push(one);
            }
        }
        found.into_iter().map(|one| self.lookup.entity(one).clone()).collect()
    }

    /// A reading as the option that asks for it without words.
    fn option(&self, ask: &Ask) -> String {
        let of = |target: &usize| self.lookup.entity(*target).reference.clone();
        match ask {
            Ask::Rename { target, name } => format!("--rename {}={name}", of(target)),
            Ask::Hide { target } => format!("--hide {}", of(target)),
            Ask::Show { target } => format!("--show {}", of(target)),
            Ask::Move { target, to } => format!("--move {}={to}", of(target)),
            Ask::Clients(_) | Ask::Unsure(_) => String::new(),
        }
    }

    /// What the errors of a log ask for: names that a rule refuses, and hand-written code that has not followed.
    fn log(&self, found: &Findings, asked: &[Asked], items: &mut Vec<Item>) {
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
        let customizations = found.repair && !left.is_empty();
        let all: Vec<Diagnostic> = found.log.iter().map(|entry| entry.diagnostic.clone()).collect();
        // What generated code has twice, or misses, because hand-written code has not followed.
        let followed = crate::drift::renames_behind(&all, self.language, self.index).is_some();
        // What is taken back is not repaired either.
        let open = !found.retracted;
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
            Ok(Intent::Rename { target, new }) => {
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
                let first = |name: &str| crate::names::words(name).first().map(|word| word.to_lowercase());
                if found.proposed.iter().any(|name| first(name) == first(&new)) {
                    let reason = "the request speaks of this name, or of another one for the type";
                    items.push(Item {
                        text: text.to_owned(),
                        outcome: Outcome::Guide(analyzer::refused(one, reason.into())),
                    });
                    return;
                }
                if at.is_some_and(|at| found.vetoes.iter().any(|(vetoed, _)| *vetoed == at)) {
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

/// Whether something is read for sure in a piece.
fn acts_in(asked: &[Asked], unit: usize) -> bool {
    asked.iter().any(|one| one.unit == unit && !matches!(one.ask, Ask::Unsure(_)))
}

/// Whether something is read for sure behind a piece.
fn acts_behind(asked: &[Asked], unit: usize) -> bool {
    asked.iter().any(|one| one.unit > unit && !matches!(one.ask, Ask::Unsure(_)))
}

/// What is asked twice is one item.
fn without_doubles(asked: Vec<Asked>) -> Vec<Asked> {
    let mut kept: Vec<Asked> = Vec::new();
    for one in asked {
        match kept.iter_mut().find(|other| same_ask(&other.ask, &one.ask)) {
            Some(known) => {
                if known.scope.is_none() {
                    known.scope = one.scope;
                }
            }
            None => kept.push(one),
        }
    }
    kept
}

fn same_ask(one: &Ask, other: &Ask) -> bool {
    match (one, other) {
        (Ask::Rename { target, name }, Ask::Rename { target: other, name: new }) => {
            target == other && same_name(name, new)
        }
        (Ask::Unsure(_), Ask::Unsure(_)) => false,
        _ => one == other,
    }
}

/// Two asks of which one alone can be followed.
fn contradicts(one: &Ask, other: &Ask) -> bool {
    match (one, other) {
        (Ask::Rename { target, name }, Ask::Rename { target: other, name: new }) => {
            target == other && !same_name(name, new)
        }
        (Ask::Hide { target }, Ask::Show { target: other }) | (Ask::Show { target }, Ask::Hide { target: other }) => {
            target == other
        }
        (Ask::Move { target, to }, Ask::Move { target: other, to: place }) => target == other && to != place,
        _ => false,
    }
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

/// `Which of the two should people use?`, `Thoughts on a better one?`: a question, which no unchanged package answers.
fn asks(text: &str) -> bool {
    text.trim_end().ends_with('?') && text.split_whitespace().count() > 3
}

/// `please improve it`: it asks for a change that has no reading. Verbs that ask for no change do not count.
fn begs(text: &str) -> bool {
    const CLOSING: &[&str] = list! {
        "ignore" "disregard" "merge" "ship" "approve" "proceed" "see" "note" "review" "close" "resolve" "ping"
        "wait" "forget" "skip" "confirm" "check" "look" "read" "find" "not" "don't"
    };
    let mut words =
        text.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase());
    let behind = words.any(|word| word == "please" || word == "pls");
    behind && words.next().is_some_and(|verb| !verb.is_empty() && !CLOSING.contains(&verb.as_str()))
}

/// `rename the model Fresh to Cold`, of which the specification has neither: an order whose names are common words, or of
/// something else. That nothing is understood of it does not mean that there is nothing to do.
fn orders(text: &str) -> bool {
    const VERBS: &[&str] = list! {
        "rename" "hide" "unhide" "show" "expose" "move" "remove" "delete" "exclude" "drop" "make" "change"
    };
    const KINDS: &[&str] = list! {
        "model" "operation" "property" "parameter" "enum" "union" "client" "method" "class" "type" "interface"
        "member" "field" "function"
    };
    let mut words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase())
        .filter(|word| !["please", "pls", "the", "a", "an"].contains(&word.as_str()));
    let Some(verb) = words.next().filter(|verb| VERBS.contains(&verb.as_str())) else { return false };
    let (next, after) = (words.next(), words.next());
    let (Some(next), Some(after)) = (next.clone(), after) else {
        // `hide foo`
        let pronouns = ["it", "this", "that", "them", "these", "those", "all", "both"];
        return next.is_some_and(|next| !pronouns.contains(&next.as_str()))
            && ["rename", "hide", "unhide"].contains(&verb.as_str());
    };
    KINDS.contains(&next.trim_end_matches('s')) || verb == "rename" && ["to", "as", "into"].contains(&after.as_str())
}
