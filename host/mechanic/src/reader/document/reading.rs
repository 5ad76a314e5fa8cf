//! The readings of one sentence, and what speaks against them.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language, Scope};

use super::super::lexicon as words;
use super::super::license;
use super::super::moves::movement;
use super::super::rename::{Rename, is_label, renames};
use super::super::scopes::{self, Said};
use super::super::sentence::{LanguageRole, Sentence, Zone, same_name};
use super::super::targets::Found;
use super::super::visibility::{Visibility, Wish, further, visibility};
use super::corrections::corrects_itself;
use super::coverage;
use super::findings::whole;
use super::wishes::{self, hopes};
use super::{Ask, Asked, Closed, Document, Doubt, Veto, Why, doubt};

/// `move X to Y as z`, `X goes to Y and is called z`: the name that it gets there.
fn given_as(sentence: &Sentence<'_>, verb: usize) -> Option<(usize, String)> {
    let at = (verb..sentence.tokens.len()).find(|&at| {
        let name = at.saturating_add(1);
        // `a group called X` is the place.
        let called = sentence.is(at, &["called", "named"])
            && sentence.is(at.saturating_sub(1), &["is", "be", "are", "and", "then"]);
        (sentence.is(at, &["as"]) || called)
            && sentence.mention_at(name).is_none()
            && sentence.looks_like_name(name)
            && super::super::names::ends_here(sentence, name.saturating_add(1))
    });
    let at = at.map(|at| at.saturating_add(1)).or_else(|| called_there(sentence, verb))?;
    let name = super::super::names::name_of(sentence, at)?;
    Some((name.at, name.text))
}

/// `hide X but show it in Java`: the languages that are named are those that it is shown in.
fn shows_elsewhere(sentence: &Sentence<'_>, at: usize) -> bool {
    let but = (at..sentence.tokens.len()).find(|&here| sentence.is(here, &["but"]));
    let scoped = |range: Range<usize>| {
        sentence.languages.iter().any(|(place, _, role)| *role == LanguageRole::Scope && range.contains(place))
    };
    but.is_some_and(|but| {
        let behind = but..sentence.tokens.len();
        let shown = sentence.has(behind.clone(), &["show", "expose", "keep", "publish", "visible"]);
        shown && scoped(behind) && !scoped(0..but)
    })
}

/// `move X to Y and call it z`: where the name stands that the moved thing gets.
fn called_there(sentence: &Sentence<'_>, verb: usize) -> Option<usize> {
    let call = (verb..sentence.tokens.len()).find(|&at| {
        let joined = at.checked_sub(1).is_some_and(|before| sentence.is(before, &["and", "then", "but"]));
        joined && sentence.is(at, &["call", "name", "rename"]) && sentence.is(at.saturating_add(1), &["it"])
    })?;
    let name = call.saturating_add(2);
    let name = name.saturating_add(usize::from(sentence.is(name, &["to", "as"])));
    let end = name.saturating_add(1);
    let end = end.saturating_add(usize::from(sentence.is(end, &["there"])));
    let free = sentence.mention_at(name).is_none() && sentence.looks_like_name(name);
    (free && super::super::names::ends_here(sentence, end)).then_some(name)
}

impl<'a> Document<'a> {
    pub(super) fn read_sentence(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        self.focus.root = self.root;
        self.refused_in_turn(sentence);
        if self.about_others(sentence) {
            return;
        }
        if self.retracts(sentence) {
            return;
        }
        if hopes(sentence)
            && renames(sentence, &self.focus).is_empty()
            && visibility(sentence, &self.focus).is_none()
            && movement(sentence, &self.focus, self.root).is_none()
        {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        if self.noted(sentence) || self.postpones(sentence) {
            return;
        }
        // `Name: X` in a record of something else.
        if (1..3).any(|colon| is_label(sentence, colon)) {
            let spoken_of = std::mem::take(&mut self.focus.subject);
            self.found.vetoes.extend(spoken_of.iter().map(|&one| Veto::kept(one, self.sentence)));
            self.focus.subject = spoken_of;
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        if self.agrees(sentence) {
            self.found.answered.push(span.clone());
            return;
        }
        self.repairs(sentence);
        self.heard(sentence, span);
        let said = scopes::said(sentence);
        if let Said::For(scope) = &said
            && scopes::is_only_about_languages(sentence)
            && self.scope_of_all(sentence, scope)
        {
            return;
        }
        let scope = match said {
            Said::For(scope) => self.here(sentence, scope),
            Said::Nothing => self.section.clone(),
        };
        // `The Java people want X renamed, that is in their tracker.`: their wish, told to us.
        if scope.as_ref().is_some_and(|scope| !scope.covers(self.language)) && scopes::is_wished_by_others(sentence) {
            self.ask(Ask::Unsure(Doubt::Undecided), span.clone(), None);
            return;
        }
        let closed = (self.closed != Closed::Nothing).then_some(Doubt::Undecided);
        let awaits = self.follows_from_a_condition(sentence, span.start).then_some(Doubt::Condition);
        let doubt = doubt(sentence).or(closed).or(awaits);
        if self.vetoes(sentence) {
            return;
        }
        // Each with the places of the sentence that it rests on.
        let mut rested: Vec<(Ask, Vec<usize>)> = Vec::new();
        let mut bare = false;
        // What a tool or a name itself speaks for waits for somebody who adopts it.
        let mut suggested = false;
        let same_first = sentence.has(0..sentence.tokens.len().min(3), &["same", "ditto", "likewise"])
            || sentence.phrase(0, &["do", "that"])
            || sentence.phrase(0, &["do", "so"]);
        let again = if same_first && renames(sentence, &self.focus).is_empty() {
            self.same_again(sentence)
        } else {
            Vec::new()
        };
        if !again.is_empty() {
            rested.extend(again.into_iter().map(whole));
        } else if let Some(asks) = self.listed_wish(sentence) {
            rested.extend(asks.into_iter().map(whole));
        } else if let Some(clients) = self.clients(sentence, self.standing(span.start)) {
            rested.push(whole(clients));
        } else if let Some(removed) = self.removed_pairs(sentence) {
            rested.extend(removed.into_iter().map(whole));
        } else if let Some(restored) = self.restored(sentence) {
            rested.extend(restored.into_iter().map(whole));
        } else if let Some(drop) = self
            .taken_off(sentence)
            .or_else(|| self.returned(sentence))
            .or_else(|| self.undone(sentence))
            .or_else(|| self.brought_back(sentence))
        {
            rested.push(drop);
        } else if let Some(moved) = movement(sentence, &self.focus, self.root) {
            match moved.targets {
                _ if moved.negated => {}
                // `put a and b into a client of their own, XClient`: a group is no client.
                _ if moved.to.ends_with("Client") && !moved.to.contains('.') => {
                    let problem = format!(
                        "`{0}` would be a group of operations, and its name is that of a client; ask for a group by \
                         another name, or for `{0}` as a client beside the one of today",
                        moved.to
                    );
                    rested.push(whole(Ask::Unsure(Doubt::Structure(problem))));
                }
                Found::These(targets) => {
                    let rests = if moved.by_path { Vec::new() } else { vec![moved.at] };
                    let to = |target| (Ask::Move { target, to: moved.to.clone() }, rests.clone());
                    let named = given_as(sentence, moved.at);
                    if let ([target], Some((at, name))) = (targets.as_slice(), named) {
                        let places = if rests.is_empty() { Vec::new() } else { vec![moved.at, at] };
                        rested.push((Ask::Rename { target: *target, name }, places));
                    }
                    // `X goes to Y and is called Z there`
                    let known = rested.len();
                    let place = self.lookup.by_reference(&moved.to);
                    let led = |at: usize| {
                        sentence
                            .mention_at(at)
                            .is_some_and(|mention| place.is_some_and(|place| mention.candidates.contains(&place)))
                    };
                    let named = renames(sentence, &self.focus);
                    for mut rename in named
                        .into_iter()
                        .filter(|rename| known == 0 && !led(rename.name.at) && !same_name(&rename.name.text, &moved.to))
                    {
                        let places = vec![rename.at, rename.name.at];
                        let another = sentence.mentions.iter().any(|mention| {
                            mention.strong
                                && mention.at > moved.at
                                && mention.end <= rename.at
                                && !led(mention.at)
                                && !mention.candidates.iter().any(|one| targets.contains(one))
                        });
                        if let ([one], false) = (targets.as_slice(), another) {
                            rename.target = Ok(*one);
                        }
                        let ask = self.rename(&rename, sentence);
                        rested.extend(ask.map(|ask| (ask, places)));
                    }
                    rested.extend(targets.into_iter().map(to));
                }
                Found::Ambiguous(text, candidates) => {
                    rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                }
                Found::Unknown(text) => rested.push(whole(Ask::Unsure(Doubt::Unknown(text)))),
                Found::Nothing | Found::Unfit => rested.push(whole(Ask::Unsure(Doubt::Unclear))),
            }
        } else {
            let renamed = renames(sentence, &self.focus);
            bare = renamed.iter().any(|rename| rename.bare);
            // `she suggests Y and I agree`
            let agreed = (1..sentence.tokens.len()).any(|at| {
                sentence.is(at, &["agree", "concur"])
                    && sentence.is(at.saturating_sub(1), &["i", "we"])
                    && !sentence.negated(at)
            });
            suggested = !agreed && renamed.iter().any(|rename| super::super::rename::suggests(sentence, rename.at));
            let visible = visibility(sentence, &self.focus);
            for rename in &renamed {
                let places = vec![rename.at, rename.name.at];
                rested.extend(self.rename(rename, sentence).map(|ask| (ask, places.clone())));
                rested.extend(self.moved_as_well(rename, sentence).map(|ask| (ask, places)));
            }
            // `Do not expose X as Y` says nothing of hiding.
            let named = |visible: &Visibility| {
                renamed.iter().any(|rename| {
                    rename.name.at == visible.at
                        || rename.negated && sentence.clause_start(rename.at) == sentence.clause_start(visible.at)
                })
            };
            let further = visible.as_ref().map(|first| further(sentence, first, &self.focus)).unwrap_or_default();
            if further.iter().any(|(wish, _)| wish.is_none()) {
                rested.push(whole(Ask::Unsure(Doubt::Unclear)));
            }
            let commands = further.into_iter().filter_map(|(wish, visible)| wish.map(|_| visible));
            for visible in visible.into_iter().chain(commands).filter(|visible| !named(visible)) {
                match (visible.wish, visible.targets) {
                    (Wish::Keep, _) if sentence.is_about_others(visible.at) => {}
                    (Wish::Keep, Found::These(targets)) => {
                        let sentence = self.sentence;
                        self.found.vetoes.extend(targets.into_iter().map(|target| Veto::kept(target, sentence)));
                    }
                    (Wish::Hide, Found::These(_)) if shows_elsewhere(sentence, visible.at) => {
                        rested.push(whole(Ask::Unsure(Doubt::Unclear)));
                    }
                    (Wish::Hide, Found::These(targets)) => {
                        rested.extend(targets.into_iter().map(|target| (Ask::Hide { target }, vec![visible.at])));
                    }
                    (Wish::Show, Found::These(targets)) => {
                        rested.extend(targets.into_iter().map(|target| (Ask::Show { target }, vec![visible.at])));
                    }
                    (Wish::Hide, Found::Ambiguous(text, candidates)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                    }
                    (Wish::Show, Found::Ambiguous(text, candidates)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Ambiguous(text, candidates))));
                    }
                    (Wish::Hide | Wish::Show, Found::Unknown(text)) => {
                        rested.push(whole(Ask::Unsure(Doubt::Unknown(text))));
                    }
                    // `Please make it public again`, `Should not be visible to users.`, and nothing says what.
                    (Wish::Show, Found::Nothing | Found::Unfit) if sentence.any(&["please", "pls"]) => {
                        rested.push(whole(Ask::Unsure(Doubt::Unclear)));
                    }
                    (Wish::Hide, Found::Nothing) if sentence.any(words::OBLIGING) => {
                        rested.push(whole(Ask::Unsure(Doubt::Unclear)));
                    }
                    _ => {}
                }
            }
            if rested.is_empty() {
                rested.extend(self.same_again(sentence).into_iter().map(whole));
            }
            // An item of such a list that says more than its name.
            if rested.is_empty() && self.item && self.seen.is_some() && !sentence.mentions.is_empty() {
                rested.push(whole(Ask::Unsure(Doubt::Unclear)));
            }
        }
        // A reading that rests on the whole sentence leaves no part of it unread.
        let more = coverage::lists_more(sentence, &rested);
        let rests: Vec<usize> = rested.iter().flat_map(|(_, places)| places.iter().copied()).collect();
        let partly = rested.iter().all(|(_, places)| !places.is_empty());
        let objected = |(ask, places): (Ask, Vec<usize>)| match ask.target() {
            Some(_) if !places.is_empty() && !suggested => match license::objection(sentence, &ask, &places, bare) {
                Some(found) => {
                    let words = sentence.words_at(found.at);
                    ask.held(found.doubt, Some(words))
                }
                None => ask,
            },
            _ => ask,
        };
        let mut asks: Vec<Ask> = rested.into_iter().map(objected).collect();
        // `Same for Java`: the language joins the scope of what was asked last.
        if asks.is_empty() && same_first && sentence.mentions.iter().all(|mention| !mention.strong) {
            let more: Vec<Language> = sentence
                .languages
                .iter()
                .filter(|(_, _, role)| *role != LanguageRole::Excluded)
                .map(|(_, language, _)| *language)
                .collect();
            if !more.is_empty() && more.iter().all(|language| *language != self.language) && !sentence.is_turned() {
                let own = self.language;
                for asked in self.found.asked.get_mut(self.last.clone()).unwrap_or_default() {
                    let mut all = vec![own];
                    all.extend(more.iter().copied());
                    asked.scope = Some(Scope::Only(all));
                }
                return;
            }
        }
        let real = asks.iter().any(|ask| !matches!(ask, Ask::Unsure(_)));
        if real && (partly && wishes::asks_more(sentence, &rests) || more) {
            asks.push(Ask::Unsure(Doubt::Unclear));
        }
        let doubt = doubt.or(suggested.then_some(Doubt::Undecided));
        let waits = (doubt == Some(Doubt::Question) || suggested) && real;
        let proposed = if waits { Some((asks.clone(), 0)) } else { self.proposed(sentence) };
        if let Some((readings, from)) = proposed {
            self.pending = readings
                .into_iter()
                .map(|ask| Asked {
                    ask,
                    span: span.start.saturating_add(from)..span.end,
                    scope: scope.clone(),
                    unit: self.unit,
                    sentence: self.sentence,
                    feature: false,
                })
                .collect();
        }
        if let Some(doubt) = doubt.filter(|_| real || asks.iter().any(|ask| matches!(ask, Ask::Unsure(_)))) {
            asks = match asks.iter().position(|ask| ask.target().is_some()) {
                Some(at) => vec![asks.swap_remove(at).held(doubt, None)],
                None => vec![Ask::Unsure(doubt)],
            };
        }
        let kept = self.found.vetoes.iter().any(|veto| veto.sentence == self.sentence);
        if asks.is_empty()
            && !kept
            && let Some(doubt) = self.unread(sentence)
        {
            asks.push(Ask::Unsure(doubt));
        }
        if asks.is_empty() && !kept && !self.found.asked.is_empty() && wishes::goes_on_to_order(sentence) {
            asks.push(Ask::Unsure(Doubt::Unclear));
        }
        if asks.is_empty() && !kept {
            self.found.wished |= self.wishes(sentence);
            let open = wishes::is_open(sentence);
            self.found.open |= open;
            // A name that is proposed for a thing is never passed over.
            let proposed = sentence.tokens.iter().enumerate().any(|(at, token)| {
                token.looks_like_name()
                    && super::super::names::is_shaped(token)
                    && token.is_text()
                    && !token.called
                    && !token.text.contains(['/', '.', ':', '@'])
                    && sentence.mention_at(at).is_none()
                    && sentence.zone(at) == Zone::Main
            });
            // `I'd vote for Y`, of what was spoken of.
            let spoken_for = proposed
                && !self.focus.subject.is_empty()
                && (sentence.any(words::OBLIGING)
                    || sentence.any(&["vote", "prefer", "suggest", "propose", "like", "want", "instead", "call"]))
                && sentence.tokens.iter().any(|token| token.quoted)
                && !super::super::rename::tells(sentence)
                && !sentence.is_turned();
            let another = !self.found.asked.is_empty() && wishes::asks_for_another(sentence);
            if open && proposed || spoken_for || another {
                asks.push(Ask::Unsure(Doubt::Unclear));
            }
        }
        if !kept && asks.iter().all(|ask| matches!(ask, Ask::Unsure(_))) {
            self.names_another(sentence);
        }
        // A wish about a thing that nothing was read of speaks against what else is read of the thing.
        // `booleans should read like a statement`: a rule, and not said of the thing.
        let rule = |at: usize| {
            at.checked_sub(1).is_some_and(|before| {
                let word = sentence.lower(before);
                word.len() > 3
                    && word.ends_with('s')
                    && sentence.mention_at(before).is_none()
                    && sentence.clause_start(before) == before
            })
        };
        // `that I must write X`: what people have to do today.
        let of_people = |at: usize| {
            at.checked_sub(1)
                .is_some_and(|who| sentence.is(who, &["i", "you", "users", "customers", "people", "callers"]))
        };
        let obliges = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, words::OBLIGING) && !rule(at) && !of_people(at) || sentence.is(at, words::POLITE)
        });
        let wire = sentence.any(words::WIRE);
        // `please change the name of X`: the name may follow.
        let nameless =
            sentence.any(&["change", "find", "better", "another", "other", "new"]) && sentence.any(&["name", "names"]);
        self.found.unheard |= asks.is_empty() && obliges && nameless;
        if asks.is_empty() && obliges && !wire && !kept && !nameless && !wishes::speaks_of_use(sentence) {
            let named = self.named_here(sentence);
            let at = self.sentence;
            let asks = (0..sentence.tokens.len()).any(|at| {
                sentence.is(at, words::OBLIGING)
                    || sentence.is(at, words::POLITE) && !sentence.is(at, &["thanks", "thx", "ty"])
            });
            self.found.unheard |= asks && !named.is_empty();
            let unheard = |target| Veto { target, sentence: at, why: Why::Unheard(span.start) };
            self.found.vetoes.extend(named.into_iter().map(unheard));
        }
        let feature = sentence.any(words::FEATURES);
        for ask in asks {
            let corrected = matches!(&ask, Ask::Rename { name, .. } if corrects_itself(sentence, name));
            self.found.asked.push(Asked {
                ask: if corrected { ask.held(Doubt::Undecided, None) } else { ask },
                span: span.clone(),
                scope: scope.clone(),
                unit: self.unit,
                sentence: self.sentence,
                feature,
            });
        }
    }

    /// An item that is nothing but names, below words that want such things hidden or shown.
    fn listed_wish(&self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        let wish = self.seen.as_ref().filter(|_| self.item)?;
        let idle = |at: usize| {
            sentence.get(at).is_none_or(|token| !token.is_text())
                || sentence.mention_at(at).is_some()
                || words::kinds_of(sentence.lower(at)).is_some()
                || sentence.is(at, &["and"])
        };
        let all = !sentence.mentions.is_empty() && (0..sentence.tokens.len()).all(idle);
        let named = sentence.mentions.iter().filter(|mention| !sentence.qualifies(mention));
        let settled: Option<Vec<usize>> = named.map(|mention| sentence.settle(mention, &self.focus).ok()).collect();
        settled.filter(|_| all).map(|all| all.into_iter().map(|target| wish.of(target)).collect())
    }

    pub(super) fn rename(&mut self, rename: &Rename, sentence: &Sentence<'_>) -> Option<Ask> {
        if rename.negated {
            if let Ok(target) = rename.target {
                self.found.vetoes.push(Veto::kept(target, self.sentence));
            }
            return None;
        }
        if rename.alternatives {
            return Some(Ask::Unsure(Doubt::Undecided));
        }
        Some(match &rename.target {
            Ok(target) => {
                let last = rename.name.text.rsplit(['.', '#']).next().unwrap_or(&rename.name.text);
                if self.drops_an_affix(sentence, *target, last) {
                    return Some(Ask::Unsure(Doubt::Affix(last.to_owned())));
                }
                Ask::Rename { target: *target, name: last.to_owned() }
            }
            Err(Found::Ambiguous(text, candidates)) => Ask::Unsure(Doubt::Ambiguous(text.clone(), candidates.clone())),
            Err(Found::Unknown(text)) => Ask::Unsure(Doubt::Unknown(text.clone())),
            Err(_) => Ask::Unsure(Doubt::Unclear),
        })
    }

    /// `client.widgets.lst()` should read `client.list()`: the path differs as well.
    fn moved_as_well(&self, rename: &Rename, sentence: &Sentence<'_>) -> Option<Ask> {
        let target = *rename.target.as_ref().ok().filter(|_| !rename.negated && !rename.alternatives)?;
        let entity = self.lookup.entity(target);
        let path = |text: &str| text.starts_with("client.");
        let mut named = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target));
        let was = named.find_map(|mention| sentence.get(mention.at).filter(|token| path(&token.text)))?;
        if entity.kind != EntityKind::Operation || !path(&rename.name.text) {
            return None;
        }
        let place = |text: &str| super::super::moves::place_of(sentence, text, self.root);
        let to = place(&rename.name.text).filter(|to| place(&was.text).as_ref() != Some(to))?;
        (entity.container.as_ref() != Some(&to)).then_some(Ask::Move { target, to })
    }

    /// `rename begin_x to x`: the name is what it is, and the language puts something in front of it.
    fn drops_an_affix(&self, sentence: &Sentence<'_>, target: usize, name: &str) -> bool {
        let entity = self.lookup.entity(target);
        let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
        let written = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target));
        let mut texts = written
            .filter_map(|mention| sentence.get(mention.at))
            .map(|token| token.text.rsplit(['.', '#']).next().unwrap_or(&token.text));
        same_name(name, today)
            && texts.any(|text| {
                !same_name(text, &entity.name)
                    && !same_name(text, today)
                    && crate::names::key(text).contains(&crate::names::key(today))
            })
    }
}
