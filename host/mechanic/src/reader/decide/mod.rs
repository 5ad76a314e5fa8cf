//! From what was read to what is done: one reading that nothing speaks against, or guidance.

mod candidates;
mod log;
mod meant;
mod own_name;
mod presumed;
mod settled;

use std::ops::Range;

use bailiwick_sdk::tasks::{Change, Directive, Entity, Language, Scope, SpecIndex};

pub(super) use self::presumed::presume;
use super::cross_check::{Whole, without_holders};
use super::document::{Ask, Asked, Doubt, Findings, Veto, Why};
use super::moves::group_name;
use super::other_names::gives_others_another_name;
use super::sentence::{Sentence, same_name};
use super::targets::Focus;
use super::token::tokenize;
use super::unanswered::{passes_over, unanswered};
use super::{Item, Outcome, Reading};
use crate::check::check_all;
use crate::entities::Lookup;
use crate::intents::{Intent, Refusal};
use crate::names::key;

/// Decides about everything that was read.
pub(super) fn decide(
    request: &str,
    found: &Findings,
    language: Language,
    index: &SpecIndex,
    lookup: &Lookup<'_>,
) -> Reading {
    let decider = Decider { request, language, index, lookup };
    let bare: Vec<Asked> = found.asked.iter().map(|asked| decider.without_affixes(asked)).collect();
    let mut asked = without_holders(without_doubles(bare), lookup);
    let no_wish = |one: &Asked| decider.tells_the_name_of_today(one, &asked) || decider.names_another(one, &asked);
    let no_wishes: Vec<bool> = asked.iter().map(no_wish).collect();
    let mut no_wishes = no_wishes.into_iter();
    asked.retain(|_| !no_wishes.next().unwrap_or_default());
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
    for span in unanswered(request, found, language, lookup) {
        let sentence = decider.slice(&span);
        let refusal = Refusal::Unclear { about: decider.spoken_of(&sentence), sentence: sentence.clone() };
        items.push(Item { text: sentence, outcome: Outcome::Guide(refusal) });
    }
    let unsure = |item: &Item| {
        matches!(
            &item.outcome,
            Outcome::Guide(Refusal::Unclear { .. } | Refusal::Undecided { .. } | Refusal::Held { .. })
        )
    };
    if items.iter().all(unsure) && found.log.is_empty() && decider.says_that_nothing_is_asked() {
        items = vec![Item { text: request.trim().to_owned(), outcome: Outcome::Nothing }];
        return Reading { items, candidates: Vec::new(), background: vec![request.trim().to_owned()] };
    }
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
            || decider.is_suggested(found)
            || passes_over(request, found, language, lookup)
            || (found.wished || background.iter().any(|text| begs(text) || asks(text)))
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
    let candidates = decider.candidates(found, &asked, &items);
    Reading { items, candidates, background }
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

    /// `translateWithResponse()` beside `translate()`: one name.
    fn without_affixes(&self, asked: &Asked) -> Asked {
        let mut asked = asked.clone();
        if let Ask::Rename { target, name } = &mut asked.ask {
            *name = self.own_part(self.lookup.entity(*target), name);
        }
        asked
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
        let scope = self.scope(one, found);
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
        if found.vetoes.iter().any(|veto| veto.target == target && !self.is_settled_by(veto, one)) {
            return Err(Refusal::Contradiction {
                first: sentence,
                second: format!("`{}` shall stay as it is", self.lookup.entity(target).reference),
            });
        }
        let outweighed = |ask: &Ask| found.outweighed.iter().any(|known| same_ask(known, ask));
        let contrary = all.iter().find(|other| contradicts(&one.ask, &other.ask));
        if let Some(other) = contrary.filter(|_| !outweighed(&one.ask)) {
            return Err(Refusal::Contradiction { first: sentence, second: self.slice(&other.span) });
        }
        let is_renamed = matches!(one.ask, Ask::Rename { .. });
        if !is_renamed && (self.picks_by_order(&sentence, target) || self.is_a_text_about(&sentence, target)) {
            return Err(Refusal::Undecided { sentence });
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
        let change = self.change(&one.ask);
        Ok(change.map(|change| Directive { change, scope, basis: sentence }).into_iter().collect())
    }

    /// Whether a rename gives a thing the name that it has, in front of another wish for it: `X appears as Y. Call it Z.`
    fn tells_the_name_of_today(&self, one: &Asked, all: &[Asked]) -> bool {
        let Ask::Rename { target, name } = &one.ask else { return false };
        let today = self.lookup.entity(*target).client.as_ref();
        let behind = |other: &Asked| other.span.start > one.span.start && contradicts(&one.ask, &other.ask);
        today.is_some_and(|client| key(&client.name) == key(name)) && all.iter().any(behind)
    }

    /// Whether the new name of a rename is what the same sentence asks something else of: `Widgets.java: X should be public.`
    fn names_another(&self, one: &Asked, all: &[Asked]) -> bool {
        let Ask::Rename { target, name } = &one.ask else { return false };
        all.iter().filter(|other| other.sentence == one.sentence && other.unit == one.unit).any(|other| {
            let seen = matches!(other.ask, Ask::Hide { .. } | Ask::Show { .. } | Ask::Move { .. });
            other
                .ask
                .target()
                .is_some_and(|asked| seen && asked != *target && key(&self.lookup.entity(asked).name) == key(name))
        })
    }

    /// Whether a wish says itself what becomes of a thing that something speaks against: in the same sentence, or behind one of
    /// which nothing was read. `Title should not carry Text in its name. Call it Heading.`
    fn is_settled_by(&self, veto: &Veto, wish: &Asked) -> bool {
        /// Who has to decide: `We need to do something about Title.`
        const PEOPLE: [&str; 8] = ["we", "i", "you", "they", "someone", "somebody", "people", "let's"];
        let Why::Unheard(start) = veto.why else { return veto.sentence == wish.sentence };
        let first = self.request.get(start..).and_then(|text| text.split_whitespace().next()).unwrap_or_default();
        let next = veto.sentence.saturating_add(1) == wish.sentence;
        veto.sentence == wish.sentence || next && !PEOPLE.contains(&first.to_lowercase().as_str())
    }

    /// The languages that an ask is for; `None` for the package's alone.
    fn scope(&self, one: &Asked, found: &Findings) -> Option<Scope> {
        let scope = one.scope.clone().or_else(|| found.scope.clone());
        // The others get a name of their own, which is not written for them here.
        let own = |scope: &Scope| {
            let words = self.slice(&one.span);
            let tokens = tokenize(&words);
            let asked = Asked { scope: Some(scope.clone()), ..one.clone() };
            scope.covers(self.language)
                && gives_others_another_name(&Sentence::new(&tokens, self.lookup, self.language), &asked)
        };
        scope.filter(|scope| *scope != Scope::Only(vec![self.language]) && !own(scope))
    }

    /// What an ask changes; `None` for what is not certain, and for clients.
    fn change(&self, ask: &Ask) -> Option<Change> {
        let entity = self.lookup.entity(ask.target()?);
        let (kind, target) = (entity.kind, entity.reference.clone());
        Some(match ask {
            Ask::Rename { name, .. } => Change::Rename { kind, target, name: self.own_part(entity, name) },
            Ask::Hide { .. } => Change::Hide { kind, target },
            Ask::Show { .. } => Change::Show { kind, target },
            Ask::Move { to, .. } => Change::Move { kind, target, to: self.place(to) },
            Ask::Unsure(_) | Ask::Clients(_) => return None,
        })
    }

    /// A place that operations are moved to. Of a new group the request may write the name as a language does.
    fn place(&self, to: &str) -> String {
        let is_new = !to.contains('.') && self.lookup.by_reference(to).is_none();
        if is_new { group_name(to) } else { to.to_owned() }
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
