//! What a sentence is about: the mention that stands where a target stands, with what holds it.

mod place;

use bailiwick_sdk::tasks::EntityKind;

use super::lexicon as words;
use super::sentence::{Mention, Sentence, noun_of};

/// What was found in the place of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// One entity for each name that is mentioned, in order.
    These(Vec<usize>),
    /// A name that several entities have.
    Ambiguous(String, Vec<usize>),
    /// A name that no entity has.
    Unknown(String),
    /// Names, and none that what is asked can be meant for.
    Unfit,
    /// No name at all.
    Nothing,
}

/// The context that narrows names: what a heading, a record or the sentences before are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Focus {
    /// What `it` stands for.
    pub(super) subject: Vec<usize>,
    /// What holds the things that are named without their holder.
    pub(super) holders: Vec<usize>,
    /// Everything that the last sentence named for certain, without what only holds something of it.
    pub(super) mentioned: Vec<usize>,
    /// The same with what holds it.
    pub(super) all: Vec<usize>,
    /// The client of the service.
    pub(super) root: Option<usize>,
    /// What was listed, for `the first` and `the second`.
    pub(super) listed: Vec<usize>,
    /// Whether it is what an excerpt of code ends with.
    pub(super) excerpt: bool,
    /// Parts of it that plain words name: `what body`, of an operation with a parameter of that name.
    pub(super) parts: Vec<usize>,
    /// Whether its parameters were spoken of.
    pub(super) parameters: bool,
}

/// Words that say where something is.
pub(super) const PLACING: &[&str] = &["of", "on", "in", "from", "inside"];

impl Focus {
    /// On these and nothing else.
    pub(super) fn on(subject: Vec<usize>) -> Self {
        Self {
            holders: subject.clone(),
            mentioned: subject.clone(),
            all: subject.clone(),
            subject,
            listed: Vec::new(),
            root: None,
            excerpt: false,
            parts: Vec::new(),
            parameters: false,
        }
    }
}

/// `contoso.widgets.models`: a module or a package, where the thing lies.
fn is_module(text: &str) -> bool {
    text.matches('.').count() > 1 && !text.chars().any(|c| c.is_uppercase() || c == '(' || c == '_')
}

impl Sentence<'_> {
    /// The one entity that a mention means, or the ones it may mean.
    pub(super) fn settle(&self, mention: &Mention, focus: &Focus) -> Result<usize, Vec<usize>> {
        self.settle_fitting(mention, focus, &|_| true)
    }

    /// What a name can mean beside the one group or type that the sentence names as its holder: `begin of Parts`.
    fn within_what_is_named(&self, mention: &Mention) -> Vec<usize> {
        let mut candidates = mention.candidates.clone();
        if candidates.len() > 1 {
            let sure = self.mentions.iter().filter(|other| other.at != mention.at && other.candidates.len() == 1);
            let outer: Vec<usize> = sure.flat_map(|other| other.candidates.iter().copied()).collect();
            self.keep(&mut candidates, |at| outer.iter().any(|&holder| self.lookup.holds(holder, at)));
        }
        candidates
    }

    /// What a mention is of: `x of A`, `the operation x on the group A`.
    fn holder_behind(&self, mention: &Mention) -> Option<&Mention> {
        let of = (mention.end..mention.end.saturating_add(3))
            .take_while(|&at| words::kinds_of(self.lower(at)).is_some() || self.is(at, &["of", "in", "on", "from"]))
            .find(|&at| self.is(at, &["of", "in", "on", "from"]));
        let behind = of?.saturating_add(1);
        self.mentions.iter().find(|other| other.at >= behind && self.adjoins(behind, other.at))
    }

    /// Leaves of the meanings of a mention those that hold what it stands behind, if any does. A type may have the name of a
    /// property, as its language writes it: `part of Part`.
    fn keep_holders(&self, mention: &Mention, candidates: &mut Vec<usize>) {
        let held = self.held_before(mention).map_or(&[] as &[usize], |held| &held.candidates);
        self.keep(candidates, |at| held.iter().any(|&one| self.lookup.holds(at, one)));
    }

    /// What stands in front of a mention that it is the holder of: `x` of `x of A`.
    fn held_before(&self, mention: &Mention) -> Option<&Mention> {
        let before = self.mentions.iter().rev().find(|other| other.at < mention.at)?;
        self.holder_behind(before).filter(|holder| holder.at == mention.at).map(|_| before)
    }

    /// The same among those that pass a test, if any does.
    pub(super) fn settle_fitting(
        &self,
        mention: &Mention,
        focus: &Focus,
        test: &dyn Fn(usize) -> bool,
    ) -> Result<usize, Vec<usize>> {
        let mut candidates = mention.candidates.clone();
        self.keep(&mut candidates, test);
        if let Some(kinds) = super::sentence::plain_noun_of(self, mention)
            && !candidates.iter().any(|&at| kinds.contains(&self.lookup.entity(at).kind))
        {
            return Err(candidates);
        }
        if let Some(kinds) = noun_of(self, mention) {
            self.keep(&mut candidates, |at| kinds.contains(&self.lookup.entity(at).kind));
        }
        // What is named beside it holds it.
        let beside: Vec<usize> = self
            .mentions
            .iter()
            .filter(|other| other.at != mention.at && self.zone(other.at) != super::sentence::Zone::Comparison)
            .flat_map(|other| self.within_what_is_named(other))
            .filter(|&at| {
                matches!(
                    self.lookup.entity(at).kind,
                    EntityKind::Model
                        | EntityKind::Enum
                        | EntityKind::Union
                        | EntityKind::Interface
                        | EntityKind::Operation
                )
            })
            .collect();
        if candidates.len() > 1 {
            // Where a client stands in for an operation of the service, it is the client's.
            self.keep(&mut candidates, |at| self.lookup.entity(at).client.is_some());
        }
        if candidates.len() > 1 {
            let holders = self.holder_behind(mention).map_or(&[] as &[usize], |holder| &holder.candidates);
            self.keep(&mut candidates, |at| holders.iter().any(|&holder| self.lookup.holds(holder, at)));
        }
        if candidates.len() > 1 {
            self.keep_holders(mention, &mut candidates);
        }
        if candidates.len() > 1 {
            self.keep(&mut candidates, |at| beside.iter().any(|&holder| self.lookup.holds(holder, at)));
        }
        if candidates.len() > 1 {
            let known =
                |at: usize| focus.holders.iter().chain(&focus.subject).any(|&holder| self.lookup.holds(holder, at));
            self.keep(&mut candidates, known);
        }
        if candidates.len() > 1 {
            // `the other one of the same model`
            let sibling = |at: usize| {
                focus.subject.iter().any(|&other| {
                    other != at
                        && self.lookup.entity(other).container == self.lookup.entity(at).container
                        && !self.lookup.entity(at).kind.is_type()
                })
            };
            self.keep(&mut candidates, sibling);
        }
        match candidates.as_slice() {
            [one] => Ok(*one),
            [one, ..] if self.lookup.are_one(&candidates) => Ok(*one),
            _ => Err(candidates),
        }
    }

    fn keep(&self, candidates: &mut Vec<usize>, test: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = candidates.iter().copied().filter(|&at| test(at)).collect();
        if !kept.is_empty() {
            *candidates = kept;
        }
    }

    /// The last group of joined mentions in a part of the sentence.
    pub(super) fn targets_between(&self, start: usize, end: usize, focus: &Focus) -> Found {
        self.targets_fitting(start, end, focus, &|_| true)
    }

    /// The same, passing over what a test refuses.
    pub(super) fn targets_fitting(
        &self,
        start: usize,
        end: usize,
        focus: &Focus,
        test: &dyn Fn(usize) -> bool,
    ) -> Found {
        let mut here = end;
        let mut refused = false;
        let mut kind: Option<(String, &[EntityKind])> = None;
        let mut last: Option<Mention> = None;
        while let Some(before) = here.checked_sub(1).filter(|before| *before >= start) {
            if let Some(found) = self.ordinal(before, focus) {
                return found;
            }
            // `the argument should be …`: something of that kind, which is not named.
            if let Some(kinds) = self.bare_noun(before).or_else(|| self.noun_of_unknown(before, end)) {
                kind = Some((self.lower(before).to_owned(), kinds));
            }
            if let Some(mention) = self.mention_at(before).filter(|mention| mention.at >= start) {
                here = mention.at;
                let zone = self.zone(mention.at);
                let aside = zone == super::sentence::Zone::Comparison
                    || zone == super::sentence::Zone::Reason
                        && self.zone(end.saturating_sub(1)) == super::sentence::Zone::Main
                        && end > mention.end;
                if aside || self.qualifies(mention) {
                    continue;
                }
                // What only looks like a name counts where nothing stands in between, and no other name is clearer.
                let unclear = !mention.strong
                    && mention.candidates.len() > 1
                    && self.mentions.iter().any(|other| other.strong && other.at >= start && other.end <= mention.at);
                if unclear || !mention.strong && !self.adjoins(mention.end, end) {
                    continue;
                }
                if let Some((noun, kinds)) = &kind
                    && !mention.candidates.iter().any(|&one| kinds.contains(&self.lookup.entity(one).kind))
                {
                    return Found::Unknown(noun.clone());
                }
                if !mention.candidates.iter().any(|&one| test(one)) {
                    if mention.strong {
                        refused = true;
                        break;
                    }
                    continue;
                }
                // `the parameter of op`: something of that kind inside of it.
                if let Some(noun) = self.part_of(mention) {
                    return Found::Unknown(noun);
                }
                // `x of Model` where the model has no `x`.
                if let Some(unknown) = self.unknown_inside(mention, start) {
                    return Found::Unknown(unknown);
                }
                last = Some(mention.clone());
                break;
            }
            if let Some(token) = self.get(before).filter(|token| token.looks_like_name() && token.is_text())
                && self.zone(before) == super::sentence::Zone::Main
                && !token.text.contains('/')
                && !is_module(&token.text)
                && !token.quoted_prose()
                && !self.is_part_of_a_name(before)
                && !self.is(
                    before.saturating_add(1),
                    &["suffix", "prefix", "postfix", "ending", "word", "verb", "term", "part"],
                )
            {
                return Found::Unknown(token.text.clone());
            }
            here = before;
        }
        let Some(last) = last else {
            return if refused { Found::Unfit } else { Found::Nothing };
        };
        let mut group = vec![last.clone()];
        // `a and b`, `a, b`, `a / b` in front of it.
        let mut here = last.at;
        loop {
            let mut joint = here;
            let mut joined = false;
            while let Some(before) = joint.checked_sub(1).filter(|before| *before >= start) {
                let sign =
                    self.get(before).is_some_and(|token| [',', '/', '&', '+'].iter().any(|sign| token.is_sign(*sign)));
                if sign || self.is(before, &["and", "plus", "both", "the", "or"]) {
                    joined |= sign || self.is(before, &["and", "plus", "or"]);
                    joint = before;
                } else {
                    break;
                }
            }
            let previous = joint.checked_sub(1).and_then(|before| self.mention_at(before));
            match previous.filter(|mention| joined && mention.end == joint && mention.at >= start) {
                Some(mention) if (mention.strong || !last.strong) && !self.qualifies(mention) => {
                    here = mention.at;
                    group.insert(0, mention.clone());
                }
                _ => break,
            }
        }
        let mut targets = Vec::new();
        for mention in &group {
            match self.settle_fitting(mention, focus, test) {
                Ok(one) => {
                    if !targets.contains(&one) {
                        targets.push(one);
                    }
                }
                Err(candidates) if self.is_spread(&candidates) => targets.extend(candidates),
                Err(candidates) => {
                    let text = self.get(mention.at).map(|token| token.text.clone()).unwrap_or_default();
                    return Found::Ambiguous(text, candidates);
                }
            }
        }
        Found::These(targets)
    }

    /// `"w" is short for width`: a word of a name that the sentence has, or a quoted word that one spells out.
    fn is_part_of_a_name(&self, at: usize) -> bool {
        let Some(token) = self.get(at).filter(|token| token.quoted) else { return false };
        let has = |name: &str| crate::names::words(name).iter().any(|word| word.eq_ignore_ascii_case(&token.text));
        self.mentions.iter().filter(|mention| mention.strong && mention.at < at).any(|mention| {
            mention.candidates.iter().any(|&one| {
                let entity = self.lookup.entity(one);
                crate::names::words(&entity.name).len() > 1 && has(&entity.name)
            })
        })
    }

    /// `parameter of op`: the noun of a kind that the mention itself is not.
    pub(super) fn part_of(&self, mention: &Mention) -> Option<String> {
        let preposition = mention.at.checked_sub(1).filter(|&at| self.is(at, &["of", "in", "on"]))?;
        let before = preposition.checked_sub(1)?;
        // `parameter x of op`, where `op` has no `x`
        let named = before.checked_sub(1).filter(|_| self.mention_at(before).is_none());
        // `the x option of op`: what Go calls a parameter.
        let kinds = |at: usize| {
            let option: &[EntityKind] = &[EntityKind::Parameter];
            words::kinds_of(self.lower(at)).or_else(|| self.is(at, &["option", "options"]).then_some(option))
        };
        let noun = [Some(before), named].into_iter().flatten().find(|&at| kinds(at).is_some())?;
        let kinds = kinds(noun)?;
        let own = mention.candidates.iter().any(|&one| kinds.contains(&self.lookup.entity(one).kind));
        // `the parameter x of op`, of an `x` that is something of `op`
        let held = noun.checked_sub(1).and_then(|at| self.mention_at(at)).is_some_and(|part| {
            let inside = |one: &usize| mention.candidates.iter().any(|&outer| self.lookup.holds(outer, *one));
            part.candidates.iter().any(inside)
        });
        (!own && !held).then(|| self.lower(noun).to_owned())
    }

    /// `the former`, `the second`: what was listed before.
    fn ordinal(&self, at: usize, focus: &Focus) -> Option<Found> {
        let number = match self.lower(at) {
            "former" | "first" => 0,
            "latter" | "second" => 1,
            "third" => 2,
            _ => return None,
        };
        let article = at.checked_sub(1).is_some_and(|before| self.is(before, &["the", "for"]));
        let noun = self.is(at.saturating_add(1), &["name", "names", "letter", "of", "place", "version"]);
        let listed = if focus.listed.len() > 1 { &focus.listed } else { &focus.subject };
        let one = listed.get(number).filter(|_| article && !noun && listed.len() > 1)?;
        Some(Found::These(vec![*one]))
    }

    /// A noun of a kind that stands for itself: `the parameter`, and neither `the parameter x` nor `x parameter`.
    pub(super) fn bare_noun(&self, at: usize) -> Option<&'static [EntityKind]> {
        let kinds = words::kinds_of(self.lower(at))?;
        let beside = |at: Option<usize>| at.is_some_and(|at| self.mention_at(at).is_some());
        let article = self.has(at.saturating_sub(3)..at, &["the", "this", "its", "that"]) || at == 0;
        let verb = self.is(at.saturating_add(1), words::MODALS)
            || self.is(at.saturating_add(1), &["is", "wants", "ought", "has"]);
        // `x of this method should`: `x` is what is spoken of.
        let place = at.checked_sub(2).filter(|&of| self.is(of, &["of", "in", "on"])).and_then(|of| of.checked_sub(1));
        (article && verb && !beside(place) && !beside(at.checked_sub(1)) && !beside(at.checked_add(1))).then_some(kinds)
    }

    /// `argument x ->`, where nothing is called `x`.
    fn noun_of_unknown(&self, at: usize, end: usize) -> Option<&'static [EntityKind]> {
        let kinds = words::kinds_of(self.lower(at))?;
        let word = at.saturating_add(1);
        let unknown = self.is_text(word)
            && self.mention_at(word).is_none()
            && !self.is(word, words::FILLERS)
            && !self.is(word, words::MODALS);
        (unknown && word.saturating_add(1) == end && self.mention_at(at).is_none()).then_some(kinds)
    }

    /// Whether only fillers, verbs of being and nouns stand between two places.
    pub(super) fn adjoins(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| {
            self.is(at, words::FILLERS)
                || self.is(at, words::MODALS)
                || words::kinds_of(self.lower(at)).is_some()
                || self.is(
                    at,
                    &[
                        "be", "is", "to", "so", "in", "on", "of", "it", "itself", "are", "not", "would", "better",
                        "from",
                    ],
                )
                || self.get(at).is_some_and(|token| !token.is_text() || token.looks_like_name())
                || self.languages.iter().any(|(place, ..)| *place == at)
                || self.mention_at(at).is_some()
        })
    }

    /// A name that nothing has, in front of the preposition that leads to a mention.
    pub(super) fn unknown_inside(&self, mention: &Mention, start: usize) -> Option<String> {
        let mut here = mention.at;
        let mut preposition = false;
        for _ in 0..4 {
            here = here.checked_sub(1).filter(|here| *here >= start)?;
            if !preposition && self.is(here, &["of", "in", "on", "from", "inside"]) {
                preposition = true;
            } else if preposition || !(self.is(here, words::FILLERS) || words::kinds_of(self.lower(here)).is_some()) {
                break;
            }
        }
        // `the `x` filter of op`: a noun that says what `x` is.
        let noun = self.get(here).is_some_and(|token| token.kind == super::token::Kind::Word && !token.quoted)
            && self.mention_at(here).is_none();
        let named = here.checked_sub(1).filter(|&at| {
            noun && at >= start && self.mention_at(at).is_none() && self.get(at).is_some_and(|token| token.quoted)
        });
        let here = named.unwrap_or(here);
        let token = self.get(here).filter(|token| preposition && token.looks_like_name() && token.is_text())?;
        // `the word "Rec" in PartRec`: a part of the name itself.
        let part = mention.candidates.iter().any(|&one| {
            let own = crate::names::words(&self.lookup.entity(one).name);
            own.len() > 1 && own.iter().any(|word| word.eq_ignore_ascii_case(&token.text))
        });
        (self.mention_at(here).is_none() && !token.text.contains('/') && !part).then(|| token.text.clone())
    }

    /// The mentions that a verb has behind it, joined ones together. Words that no name explains stand for something else.
    pub(super) fn group_after(&self, at: usize, focus: &Focus) -> Found {
        let Some(first) = self.mentions.iter().find(|mention| mention.at > at) else { return Found::Nothing };
        if first.at >= self.clause_end(at) && !self.adjoins(at.saturating_add(1), first.at) {
            return Found::Nothing;
        }
        if !self.adjoins(at.saturating_add(1), first.at) {
            return Found::Unfit;
        }
        // `X's retry parameter`
        let owned = self.is_possessive(first) || self.is(first.end, &["'s"]);
        if owned && self.mentions.iter().all(|other| other.at <= first.at) {
            return Found::Unfit;
        }
        let mut end = first.end;
        loop {
            let mut here = end;
            while self.is(here, &["and", "plus", "both", "the", "or"])
                || self.get(here).is_some_and(|token| [',', '/', '&', '+'].iter().any(|sign| token.is_sign(*sign)))
            {
                here = here.saturating_add(1);
            }
            // `hide X, Y stays`: the next one has a verb of its own.
            let alone = |mention: &&Mention| {
                !self.is(mention.end, words::KEEPING)
                    && !self.is(mention.end, words::MODALS)
                    && !self.is(mention.end, &["is", "are", "was", "can", "remains"])
            };
            let next =
                self.mentions.iter().find(|mention| mention.at == here && here > end && mention.strong).filter(alone);
            let qualifier = (end..here.saturating_add(4))
                .find_map(|place| self.mentions.iter().find(|mention| mention.at == place && self.qualifies(mention)));
            match next.or(qualifier) {
                Some(mention) if mention.end > end => end = mention.end,
                _ => break,
            }
        }
        self.targets_between(first.at, end, focus)
    }

    /// The first mention behind a token, up to the end of its clause.
    pub(super) fn target_after(&self, at: usize, focus: &Focus) -> Found {
        if let Some(found) = self.ordinal(at, focus) {
            return found;
        }
        let end = self.clause_end(at);
        let Some(mention) = self.mentions.iter().find(|mention| mention.at >= at && mention.at < end) else {
            return Found::Nothing;
        };
        match self.settle(mention, focus) {
            Ok(one) => Found::These(vec![one]),
            Err(candidates) => {
                Found::Ambiguous(self.get(mention.at).map(|token| token.text.clone()).unwrap_or_default(), candidates)
            }
        }
    }
}

impl super::token::Token {
    /// A name that is no name of code: a file, a number.
    fn quoted_prose(&self) -> bool {
        self.text.chars().all(|c| c.is_ascii_digit() || ".-".contains(c))
    }
}
