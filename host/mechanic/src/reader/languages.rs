//! The languages that a sentence names, and what for.

use bailiwick_sdk::tasks::Language;

use super::lexicon as words;
use super::sentence::Sentence;
use super::token::{Kind, Token};
use super::zones::Zone;

/// What a language is mentioned for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LanguageRole {
    /// The change is for it.
    Scope,
    /// The change is not for it.
    Excluded,
    /// It is compared with, or something is said about it.
    Other,
}

impl Sentence<'_> {
    pub(super) fn find_languages(&self) -> Vec<(usize, Language, LanguageRole)> {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            let Some(token) = self.get(at).filter(|token| !token.quoted && token.kind == Kind::Word) else { continue };
            let Some(language) = words::language(&token.lower) else { continue };
            if self.lower(at) == "go" && !self.is_go(at)
                || self.lower(at) == "net"
                || self.lower(at) == "node" && token.text != "Node"
                // `Ts => MeasuredOn`: what is called like a language.
                || self.get(at.saturating_add(1)).is_some_and(|next| next.kind == Kind::Arrow)
                    && !self.lookup.find(&token.text).is_empty()
            {
                continue;
            }
            found.push((at, language, self.role(at)));
        }
        // `Java, Go and we would like X`
        let joined = |at: usize| found.iter().any(|(place, ..)| place.saturating_add(2) == at);
        let we = (2..self.tokens.len()).find(|&at| {
            self.is(at, &["we"])
                && self.is(at.saturating_sub(1), &["and"])
                && joined(at)
                && self.is(at.saturating_add(1), &["would", "want", "prefer", "should", "need", "like"])
        });
        if let Some(at) = we {
            let place = found.iter().position(|(place, ..)| *place > at).unwrap_or(found.len());
            found.insert(place, (at, self.language, LanguageRole::Scope));
        }
        self.spread(&mut found);
        found
    }

    /// `Go` is a language where it is written so and no verb stands for it.
    fn is_go(&self, at: usize) -> bool {
        let written = self.get(at).is_some_and(|token| token.text == "Go");
        let verb = self.is(at.saturating_add(1), &["ahead", "for", "with", "to", "on", "back", "live", "with"])
            && self.clause_start(at) == at
            || self.phrase(at, &["go", "ahead"]);
        written && !verb
    }

    /// Languages that are joined have one role: `Java and .NET already keep it`, `in Python and Java`.
    fn spread(&self, found: &mut [(usize, Language, LanguageRole)]) {
        let joined = |left: usize, right: usize| {
            let gap = left.saturating_add(1)..right;
            gap.len() <= 4
                && gap.clone().all(|at| {
                    self.is(at, &["and", "or", "in", "for", "also", "&", "plus", "as", "well"])
                        || self
                            .get(at)
                            .is_some_and(|token| [',', '/', '&', '+'].iter().any(|sign| token.is_sign(*sign)))
                })
        };
        // `for consistency with Python and Java`: both are compared with.
        let compared = |at: usize| {
            let comparing =
                list! { "with" "like" "than" "as" "unlike" "versus" "match" "matches" "matching" "mirror" "mirrors" };
            at.checked_sub(1).is_some_and(|before| self.is(before, comparing))
        };
        for at in (1..found.len()).rev() {
            let (Some(&(left, ..)), Some(&(right, _, role))) = (found.get(at.saturating_sub(1)), found.get(at)) else {
                continue;
            };
            // `rename it in Python, in Java it is fine`: of each something else is said.
            // `rename it in Python and Java has it already`
            let introduced =
                left.checked_sub(1).is_some_and(|before| self.is(before, &["in", "for", "on"])) && self.says_now(right);
            let apart = role == LanguageRole::Other && (introduced || self.has(left..right, &["in", "for"]));
            if joined(left, right)
                && !compared(left)
                && !apart
                && let Some(before) = found.get_mut(at.saturating_sub(1))
                && before.2 != LanguageRole::Excluded
            {
                before.2 = role;
            }
        }
        for at in 1..found.len() {
            let (Some(&(left, _, role)), Some(&(right, ..))) = (found.get(at.saturating_sub(1)), found.get(at)) else {
                continue;
            };
            if joined(left, right)
                && (role == LanguageRole::Excluded || compared(left) && role == LanguageRole::Other)
                && let Some(behind) = found.get_mut(at)
            {
                behind.2 = role;
            }
        }
    }

    fn role(&self, at: usize) -> LanguageRole {
        let next = at.saturating_add(1);
        let before = |distance: usize| at.checked_sub(distance);
        let is_before = |distance: usize, list: &[&str]| before(distance).is_some_and(|at| self.is(at, list));
        let excluding = ["except", "excluding", "without", "but", "leave", "not", "excepting", "besides"];
        // `…, but Java people want`
        let comma = |distance: usize| {
            before(distance).and_then(|at| self.get(at)).is_some_and(|token| token.is_sign(',') || token.is_sign(';'))
        };
        // `…, but in Java X should be Y`
        let clause = (next..self.clause_end(next)).any(|at| self.is(at, words::MODALS) || self.is(at, words::RENAMING));
        // `…, but in Java only`
        let clause = clause || self.is(next, &["only", "alone"]);
        let joins = is_before(1, &["but"]) && comma(2)
            || is_before(2, &["but"]) && is_before(1, &["in", "for", "on"]) && comma(3) && clause;
        if is_before(1, &excluding) && !joins
            || is_before(2, &excluding) && is_before(1, &["in", "for", "the", "on", "from"]) && !joins
            || is_before(2, &["other"]) && is_before(1, &["than"])
            || is_before(3, &["other"]) && is_before(2, &["than"])
            || is_before(2, &["apart", "aside"]) && is_before(1, &["from"])
            // `with the exception of Java`, `bar Java`, `save for Java`
            || is_before(2, &["exception"]) && is_before(1, &["of", "for"])
            || is_before(2, &["save"]) && is_before(1, &["for"])
            || is_before(1, &["bar", "barring", "minus"])
            // `keep it in Java, hide it in Go`
            || is_before(3, &["keep", "leave"])
                && is_before(2, &["it", "that", "this", "them", "these", "those"])
                && is_before(1, &["in", "for", "on"])
                && !self.is(next, &["only", "alone"])
        {
            return LanguageRole::Excluded;
        }
        if self.zone(at) == Zone::Comparison {
            return LanguageRole::Other;
        }
        // `internal in Java already, …`
        let clause = self.clause_start(at)..self.clause_end(at);
        let told = self.has(clause.clone(), &["already"])
            && self.has(clause.clone(), &["is", "are"])
            && self.has(clause.clone(), words::HIDING)
            && !clause.clone().any(|here| self.is(here, words::OBLIGING) || self.is(here, words::POLITE));
        if told {
            return LanguageRole::Other;
        }
        // `(.NET: already internal)`
        let labelled = self.is_sign(next, ':')
            && (next..self.clause_end(next.saturating_add(1))).any(|at| {
                self.is(at, &["already", "done", "has", "is", "n/a", "fine", "ok", "same", "no", "not", "none"])
                    || self.is(at, words::KEEPING) && !self.keeps_out(at)
            });
        if labelled {
            return LanguageRole::Other;
        }
        // `(this is also the name in Java)`
        let aside = self.is_sign(clause.start.saturating_sub(1), '(')
            && clause.start > 0
            && self.is(clause.start, &["this", "that", "it", "which", "also", "already", "as"])
            && self.has(clause.clone(), &["is", "also", "already", "has"])
            && !clause.clone().any(|here| self.is(here, words::OBLIGING) || self.is(here, words::POLITE));
        if aside {
            return LanguageRole::Other;
        }
        // `expose X as Y in Java`
        let named = |distance: usize| {
            before(distance)
                .and_then(|at| self.get(at))
                .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        };
        // What is said of the language itself: `Java can keep`, `.NET has`.
        let skip_noun = next.saturating_add(usize::from(self.is(
            next,
            list! {
                "team" "people" "folks" "side" "crew" "colleagues" "developers" "devs" "owners" "reviewers"
                "architects" "group" "world" "reviewer" "architect" "developer" "board" "community" "version"
                "package" "library" "sdk" "client" "users" "guys" "already" "still"
            },
        )));
        let says = |at: usize| {
            self.is(
                at,
                list! {
                    "has" "have" "had" "hides" "hid" "keeps" "keep" "can" "does" "do" "did" "uses" "calls" "already"
                    "is" "are" "was" "were" "may" "says" "shows" "exposes" "names" "called" "named" "stays" "still"
                    "will" "got" "went" "makes" "ships" "renamed" "never" "isn't" "doesn't" "don't" "hasn't" "won't"
                    "must" "should" "needs" "wants" "want" "generates" "gets" "runs" "would" "could" "asked"
                    "decided" "plan" "plans" "wants" "prefers" "prefer" "goes"
                },
            )
        };
        // `in Java it is fine`, `in Go we keep it`, `for Python, it stays`: how it is there.
        let introduced = is_before(1, &["in", "for", "on"]);
        let opens = introduced && before(1).is_some_and(|at| self.clause_start(at) == at);
        let pronoun = if opens && self.is_sign(next, ',') { next.saturating_add(1) } else { next };
        let verb = pronoun.saturating_add(1);
        let stands = introduced
            && self.is(pronoun, &["it", "this", "that", "they", "we", "everything", "all", "nothing", "both"])
            && (self.is(verb, words::KEEPING)
                || self.is(verb, &["is", "are", "can", "may"])
                    && !self.is(verb.saturating_add(1), &["to", "be", "called"]));
        if stands {
            return LanguageRole::Other;
        }
        let subject = says(skip_noun) && !is_before(1, &["in", "for"]);
        // `.NET goes with X`
        let goes = self.is(skip_noun, &["goes", "go"]) && self.is(skip_noun.saturating_add(1), &["with", "for"]);
        let modal =
            goes || self.is(skip_noun, &["should", "must", "needs", "wants", "want", "would", "prefers", "prefer"]);
        if subject && !modal {
            return LanguageRole::Other;
        }
        // `in Python as well as in Java`: both.
        let added = (1..=3).any(|distance| before(distance).is_some_and(|at| self.says(at, "well as")));
        if !added
            && (is_before(1, &["like", "than", "as", "unlike", "from", "versus", "vs"])
                || is_before(2, &["like", "than", "as", "unlike"])
                    && is_before(1, &["in", "the", "for", "with", "our"])
                || is_before(3, &["like", "as", "than", "same"]) && is_before(1, &["in", "for", "the"]) && !named(2))
        {
            return LanguageRole::Other;
        }
        // `in Python and Java for this beta`: nothing is said of the second itself.
        let joined = before(1).is_some_and(|at| self.is(at, &["and", "or", "&"]) || self.is_sign(at, ','))
            && before(2).is_some_and(|at| {
                let language = self.get(at).filter(|token| !token.quoted && token.kind == Kind::Word);
                language.is_some_and(|token| words::language(&token.lower).is_some())
                    && self.role(at) == LanguageRole::Scope
            })
            && !says(skip_noun);
        let scoped = joined
            || is_before(1, &["in", "for", "on", "only", "to", "of", "across", "scope", "scopes", "scoped"])
            || is_before(2, &["in", "for", "from", "on", "of", "to"])
                && is_before(1, &["the", "our", "this", "my", "a", "public", "shipped", "both"])
            || self.is(
                next,
                &["only", "package", "client", "library", "sdk", "api", "surface", "side", "too", "users", "packages"],
            )
            || self.alone(at)
            || modal;
        if scoped { LanguageRole::Scope } else { LanguageRole::Other }
    }

    /// What is behind a language that a change is for: `in Python`, `for the Python SDK`.
    pub(super) fn behind_place(&self, at: usize) -> Option<usize> {
        let next = at.saturating_add(1);
        let mut here = next.saturating_add(usize::from(self.is(next, &["the"])));
        let is_for = |(place, _, role): &(usize, _, LanguageRole)| *place == here && *role == LanguageRole::Scope;
        (self.is(at, &["in", "for"]) && self.languages.iter().any(is_for)).then_some(())?;
        here = here.saturating_add(1);
        while self.is(here, &["sdk", "client", "library", "package"]) {
            here = here.saturating_add(1);
        }
        Some(here.saturating_add(usize::from(self.is_sign(here, ','))))
    }

    /// Whether a verb has nothing in front of it but a language, and a thing behind it: `In Python rename X`.
    pub(super) fn commands_in_place(&self, verb: usize) -> bool {
        let next = verb.saturating_add(1);
        let next = next.saturating_add(usize::from(self.is(next, &["the"])));
        let named = |at: usize| self.mention_at(at).is_some_and(|mention| mention.strong);
        let kind = words::kinds_of(self.lower(next)).is_some() && named(next.saturating_add(1));
        self.behind_place(self.clause_start(verb)) == Some(verb) && (named(next) || kind)
    }

    /// Whether a clause speaks of other languages alone: `in Java it stays`, and `there it stays` behind one.
    pub(super) fn is_about_others(&self, at: usize) -> bool {
        let clause = self.clause_start(at)..self.clause_end(at);
        let there = self.has(clause.clone(), &["there"]);
        let mut named = self.languages.iter().filter(|(place, ..)| there || clause.contains(place)).peekable();
        named.peek().is_some() && named.all(|(_, language, _)| *language != self.language)
    }

    /// Whether a clause speaks of nothing but languages that the sentence leaves out: `everywhere but in Java, where it must
    /// not change`, `…, and Ann vetoed it there`.
    pub(super) fn is_about_the_left_out(&self, at: usize) -> bool {
        let clause = self.clause_start(at)..self.clause_end(at);
        let led = self.is(clause.start, &["where"]).then(|| clause.start.saturating_sub(2));
        let there = self.has(clause.clone(), &["there"]);
        let before = self.languages.iter().rev().find(|(place, ..)| there && *place < at).map(|(place, ..)| *place);
        let left_out = |language: &Language| {
            self.languages.iter().any(|(_, one, role)| one == language && *role == LanguageRole::Excluded)
        };
        let named = |place: &usize| clause.contains(place) || led == Some(*place) || before == Some(*place);
        let mut named = self.languages.iter().filter(|(place, ..)| named(place)).peekable();
        named.peek().is_some() && named.all(|(_, language, _)| left_out(language))
    }

    /// Whether a verb behind a language tells how it is there: `Java has it already`.
    fn says_now(&self, at: usize) -> bool {
        self.is(
            at.saturating_add(1),
            &[
                "has", "have", "had", "is", "was", "keeps", "keep", "does", "already", "stays", "calls", "uses",
                "shows", "hides",
            ],
        )
    }

    /// A language that stands by itself: `(python)`, `Java.`, `.NET:`, `Go: …`.
    fn alone(&self, at: usize) -> bool {
        let edge = |token: Option<&Token>| {
            token.is_none_or(|token| {
                matches!(token.kind, Kind::Arrow)
                    || ['(', ')', ',', ';', ':', '.', '!', '/', '-', '–', '—', '&', '[', ']', '?']
                        .iter()
                        .any(|sign| token.is_sign(*sign))
                    || token.is(&[
                        "and", "or", "only", "please", "pls", "plz", "as", "too", "thx", "thanks", "also", "i.e",
                        "here", "rename", "alike", "both", "in", "everyone",
                    ])
            })
        };
        edge(at.checked_sub(1).and_then(|before| self.get(before))) && edge(self.get(at.saturating_add(1)))
    }
}
