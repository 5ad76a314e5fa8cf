//! What is said of a wish right behind it: that it is taken back, or that another name is meant.

use super::super::lexicon as words;
use super::super::license;
use super::super::names::resembles;
use super::super::sentence::{Sentence, same_name};
use super::super::standing::AWAITED;
use super::super::targets::Focus;
use super::super::token::{Kind, Token};
use super::discourse::speaks_of_the_rest;
use super::{Ask, Asked, Closed, Document, Doubt};
use std::ops::Range;

/// Nouns of a request as a whole.
const WHOLE: &[&str] = list! {
    "above" "request" "requests" "message" "mail" "comment" "comments" "whole" "previous" "last" "rename" "renames" "renaming" "change"
    "changes" "same"
};

/// Whether a sentence takes a new name back behind it: `X to Y, no sorry, Z`, `so Y... hmm, no: Z`.
pub(super) fn corrects_itself(sentence: &Sentence<'_>, name: &str) -> bool {
    let tokens = sentence.tokens;
    let Some(last) = tokens.iter().rposition(|token| same_name(&token.text, name)) else { return false };
    let is_sign = |at: usize| sentence.get(at).is_some_and(|token| matches!(token.kind, Kind::Sign(_)));
    (last.saturating_add(1)..tokens.len()).any(|at| {
        let (before, next) = (at.saturating_sub(1), at.saturating_add(1));
        sentence.is(at, &["no", "nope"])
            && (is_sign(before) || sentence.is(before, &["hmm", "er", "oh", "ah", "wait", "so"]))
            && (is_sign(next) || sentence.is(next, &["sorry", "wait", "actually", "leave", "rather", "make", "let"]))
    })
}

impl Document<'_> {
    /// `No wait`, `disregard that`: what stands before it in the item counts no more.
    pub(super) fn retracts(&mut self, sentence: &Sentence<'_>) -> bool {
        // What stands below `Alternatives considered` takes nothing back that stands elsewhere.
        if self.closed == Closed::Section {
            return false;
        }
        let found = (0..sentence.tokens.len()).find_map(|at| {
            words::RETRACTIONS
                .iter()
                .find(|phrase| {
                    sentence.says(at, phrase)
                        && (phrase.contains(' ')
                            || sentence.clause_start(at) == at
                            || sentence.is(
                                at.saturating_sub(1),
                                &["no", "please", "oh", "but", "is", "was", "are", "been", "just", "only", "got"],
                            )
                            || sentence.is(
                                at.saturating_add(1),
                                &["this", "that", "it", "both", "these", "them", "everything"],
                            ))
                        && !(**phrase == "wait" && sentence.is(at.saturating_add(1), AWAITED))
                })
                .map(|_| at)
        });
        // `Hmm, no: let it be Z.`
        let hesitates = sentence.is(0, &["hmm", "hm", "er", "uh", "oh", "ah"]);
        let corrected = (1..3).find(|&at| hesitates && sentence.is(at, &["no", "nope"]));
        let found = found.or(corrected);
        let refused = refuses_all(sentence);
        let found = found
            .or_else(|| taken_back(sentence))
            .or(refused)
            .filter(|_| !speaks_of_the_rest(sentence) && !license::overcomes_resistance(sentence));
        let Some(at) = found else { return false };
        // `…, and Ann vetoed it there`: of a language that is left out.
        if sentence.is_about_the_left_out(at) {
            return false;
        }
        // `Java decided against it`: what others do.
        let named = sentence.mentions.iter().any(|mention| mention.strong);
        if !named && at > 0 && sentence.is_about_others(at.saturating_sub(1)) && !self.found.asked.is_empty() {
            return false;
        }
        // `I take it back: give us the old name again`
        if self.found.asked.is_empty() && self.pending.is_empty() && self.returned(sentence).is_some() {
            return false;
        }
        // `Disregard the next line.`
        if self.found.asked.is_empty() && sentence.any(&["following", "next", "below"]) {
            self.found.closed = true;
            self.closed = Closed::Section;
            return true;
        }
        self.found.retracted = true;
        let clause = sentence.clause_start(at)..sentence.clause_end(at);
        let more = clause.clone().filter(|&here| sentence.is_text(here)).count() > 4;
        // `Scratch the other points.`, `I was against it but changed my mind.`
        let other = clause.clone().any(|here| {
            let noun = here.saturating_add(1);
            sentence.is(here, &["the", "all", "our", "your", "a", "an"])
                && sentence.is_text(noun)
                && !sentence.is(noun, WHOLE)
        });
        let turned = clause.start > 0 && sentence.is(clause.start.saturating_sub(1), &["but"])
            || sentence.is(clause.start, &["but"]);
        let asked = self.found.asked.iter().any(|asked| !matches!(asked.ask, Ask::Unsure(_)));
        // `An earlier proposal was rejected.`: it may be about something else.
        self.found.unheard |= asked && (named || more || other || turned);
        // `please ignore the warnings`: about something of its own.
        let mentions_other =
            sentence.is(at.saturating_add(2), &["warning", "warnings", "typo", "formatting", "log", "rest"]);
        if mentions_other {
            return false;
        }
        let unit = self.unit;
        let named: Vec<usize> = sentence
            .mentions
            .iter()
            .filter(|mention| mention.strong)
            .flat_map(|mention| mention.candidates.iter().copied())
            .collect();
        let about = |ask: &Ask| match ask {
            Ask::Rename { target, .. } | Ask::Hide { target } | Ask::Show { target } | Ask::Move { target, .. } => {
                named.contains(target)
            }
            _ => false,
        };
        let specific = self.found.asked.iter().any(|asked| about(&asked.ask));
        let last = self.found.asked.len();
        let latest = self.found.asked.last().map(|asked| asked.sentence);
        let apart = self.found.asked.last().is_some_and(|asked| asked.unit < unit);
        let mut index = 0_usize;
        let all = refused.is_some()
            || sentence.has(at..sentence.tokens.len(), &["all", "above", "everything", "both", "these"]);
        if let Some(Asked {
            ask: Ask::Rename { target, .. } | Ask::Hide { target } | Ask::Show { target } | Ask::Move { target, .. },
            ..
        }) = self.found.asked.last()
        {
            self.focus = Focus::on(vec![*target]);
        }
        let sentences = self.sentence;
        self.found.asked.retain_mut(|asked| {
            index = index.saturating_add(1);
            let near = asked.unit == unit
                || Some(asked.sentence) == latest
                || asked.unit.saturating_add(1) >= unit && specific;
            let gone = if specific { about(&asked.ask) } else { near || all };
            // Of several that stand together one may be meant, and of a list above.
            if !gone && !specific && apart {
                asked.hold(Doubt::Undecided);
            }
            if gone && !specific && !all && index < last && asked.sentence.saturating_add(1) < sentences {
                asked.hold(Doubt::Undecided);
                return true;
            }
            !gone
        });
        // `The one I meant is X, which shall become Y.`: the sentence says what counts.
        let corrected = sentence.is(at.saturating_add(1), &["meant", "mean"])
            && super::super::rename::renames(sentence, &Focus::default())
                .iter()
                .any(|rename| rename.target.as_ref().is_ok_and(|target| named.contains(target)));
        if corrected {
            return false;
        }
        // What follows the retraction in the same sentence is read by itself.
        let goes_on = sentence.is(
            at,
            &["wait", "on", "scratch", "correction", "actually", "strike", "oops", "never", "nevermind", "nvm", "no"],
        ) || sentence.has(at..sentence.tokens.len(), &["instead", "rather"])
            // `I meant the other one: X -> Y`
            || sentence.phrase(at, &["i", "meant"])
                && sentence.is_sign(sentence.clause_end(at), ':')
                && sentence.tokens.iter().any(|token| token.kind == Kind::Arrow);
        let rest = if goes_on { sentence.clause_end(at).saturating_add(1) } else { sentence.tokens.len() };
        let behind: Vec<Token> = sentence.tokens.iter().skip(rest).cloned().collect();
        if behind.iter().filter(|token| token.is_text()).count() > 2 {
            let rest = Sentence::new(&behind, self.lookup, self.language);
            let span = 0..0;
            self.read_rest(&rest, &span);
        }
        true
    }

    /// `Edit: it is needed`, `Sorry, X`: a note behind what is asked that has no reading of its own makes it uncertain.
    pub(super) fn noted(&mut self, sentence: &Sentence<'_>) -> bool {
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
        // `*Edit:*`, `**Edit**:`
        let behind = first.saturating_add(1)..first.saturating_add(4);
        let labelled = sentence.is(first, &["edit", "update", "upd"])
            && behind.clone().take_while(|&at| !sentence.is_text(at)).any(|at| sentence.is_sign(at, ':'));
        let strong = sentence.mentions.iter().any(|mention| mention.strong);
        // Another name than the one that was asked for.
        let name = (first..sentence.tokens.len()).any(|at| {
            sentence.get(at).is_some_and(|token| token.is_text() && (token.quoted || token.looks_like_name()))
                && sentence.mention_at(at).is_none()
        });
        let sorry = sentence.any(&["sorry", "apologies", "pardon", "typo"]) && name;
        if (labelled || sorry) && self.corrects(sentence) {
            return true;
        }
        let note = labelled && !strong || sorry && super::super::rename::renames(sentence, &self.focus).is_empty();
        if note {
            for asked in &mut self.found.asked {
                asked.hold(Doubt::Undecided);
            }
        }
        note && !self.found.asked.is_empty()
    }

    /// `Edit: sorry, X`, `Sorry, I meant X`: another new name for what was asked last, and nothing else.
    fn corrects(&mut self, sentence: &Sentence<'_>) -> bool {
        let is_name = |at: usize| {
            let shaped = sentence.get(at).is_some_and(|token| token.is_text() && token.looks_like_name());
            shaped && sentence.mention_at(at).is_none()
        };
        let mut names = (0..sentence.tokens.len()).filter(|&at| is_name(at));
        let (Some(at), None) = (names.next(), names.next()) else { return false };
        let led = (0..at).all(|before| {
            !sentence.is_text(before)
                || sentence.is(before, words::FILLERS)
                || sentence.is(
                    before,
                    list! {
                        "edit" "update" "upd" "sorry" "apologies" "typo" "i" "meant" "mean" "make" "that" "it" "should"
                        "be" "of" "course"
                    },
                )
        });
        let behind = at.saturating_add(1);
        let ends = behind >= sentence.tokens.len()
            || sentence.get(behind).is_some_and(|token| [',', '.', '!', '('].iter().any(|sign| token.is_sign(*sign)))
            || sentence.is(behind, &["of", "because", "since", "as", "please"]);
        let turned = sentence.any(words::CONDITIONS) || sentence.tokens.iter().any(|token| token.is_sign('?'));
        let name = sentence.get(at).map(|token| token.text.clone()).unwrap_or_default();
        let Some(last) = self.found.asked.last_mut() else { return false };
        let Ask::Rename { name: known, .. } = &mut last.ask else { return false };
        let another = led && ends && !turned && crate::names::is_identifier(&name) && resembles(known, &name);
        if another {
            *known = name;
        }
        another
    }

    /// `Actually X is better.`, `Or X.`: a sentence that asks for nothing certain, right behind a rename, that has a name like
    /// the new one and names no other thing.
    pub(super) fn names_another(&mut self, sentence: &Sentence<'_>) {
        let here = self.sentence;
        let Some(last) = self.found.asked.last_mut().filter(|last| last.sentence.saturating_add(1) >= here) else {
            return;
        };
        let Ask::Rename { target, name } = &last.ask else { return };
        let entity = self.lookup.entity(*target);
        let old = &entity.name;
        let today = entity.client.as_ref().map_or(old, |client| &client.name);
        // `"Data" adds nothing`: a part of a name is no other name.
        let known: Vec<String> = [old, today, name]
            .iter()
            .flat_map(|name| crate::names::words(name))
            .map(|word| word.to_lowercase())
            .collect();
        let is_more = |text: &str| crate::names::words(text).iter().any(|word| !known.contains(&word.to_lowercase()));
        let about_others =
            sentence.mentions.iter().any(|mention| mention.strong && !mention.candidates.contains(target));
        let another = sentence.tokens.iter().enumerate().any(|(at, token)| {
            token.is_text()
                && (token.quoted || token.looks_like_name())
                && !token.called
                && sentence.mention_at(at).is_none_or(|mention| mention.candidates == [*target])
                && !same_name(&token.text, today)
                && is_more(&token.text)
                && (resembles(name, &token.text) || resembles(&token.text, name) || resembles(old, &token.text))
        });
        if another && !about_others && !turns_down(sentence) {
            last.hold(Doubt::Undecided);
        }
    }

    pub(super) fn read_rest(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        // `leave A alone and rename B to C`: each half by itself.
        let split = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["and", "but"])
                && (at..sentence.tokens.len())
                    .any(|here| sentence.is(here, words::RENAME_PROPER) || sentence.is(here, words::HIDING))
        });
        match split {
            Some(at) => {
                let (left, right): (Vec<Token>, Vec<Token>) = (
                    sentence.tokens.iter().take(at).cloned().collect(),
                    sentence.tokens.iter().skip(at.saturating_add(1)).cloned().collect(),
                );
                for half in [left, right] {
                    let half = Sentence::new(&half, self.lookup, self.language);
                    self.read_sentence(&half, span);
                }
            }
            None => self.read_sentence(sentence, span),
        }
    }
}

/// `Not X, as was said above.`, `X is nonsense.`, `We are not going to use X.`: names that are named to be turned down.
fn turns_down(sentence: &Sentence<'_>) -> bool {
    let open = sentence.any(words::DOUBTS)
        || sentence.any(&["better", "rather", "instead", "but", "sure", "actually", "or", "prefer", "would", "why"])
        || sentence.tokens.iter().any(|token| token.is_sign('?'));
    let bad = sentence.any(super::super::standing::BAD) || sentence.any(&["nonsense", "rubbish", "out"]);
    !open && (sentence.is_turned() || bad)
}

/// `We won't adopt any of it.`, `None of this applies.`, `Only for documentation.`: all that stands above asks for nothing.
fn refuses_all(sentence: &Sentence<'_>) -> Option<usize> {
    const DOING: &[&str] = list! {
        "follow" "do" "adopt" "apply" "applies" "act" "take" "implement" "accept" "agree" "want" "followed" "adopted" "applied"
    };
    const SHOWING: &[&str] = list! { "documenting" "archiving" "recording" "documentation" "completeness" };
    let every = |at: usize| {
        sentence.is(at, &["of"]) && sentence.is(at.saturating_add(1), &["it", "this", "that", "these", "those", "them"])
    };
    let any = (1..sentence.tokens.len()).find(|&at| {
        let none = sentence.is(at.saturating_sub(1), &["none"]);
        let turned = sentence.is(at.saturating_sub(1), &["any"]) && sentence.negated(at);
        every(at) && (none || turned)
    });
    let clause = any.map(|at| sentence.clause_start(at)..sentence.clause_end(at));
    let done = clause.is_some_and(|clause| sentence.has(clause, DOING));
    let words = (0..sentence.tokens.len()).filter(|&at| sentence.is_text(at)).count();
    let shown = (1..sentence.tokens.len()).find(|&at| {
        let only = (at.saturating_sub(2)..at).any(|before| sentence.is(before, &["just", "only", "purely", "merely"]));
        sentence.is(at, SHOWING) && only && words <= 5
    });
    any.filter(|_| done).or(shown)
}

/// `No, keep it.`, `Or better not.`, `Actually, don't.`: a negation that stands for a whole sentence.
fn taken_back(sentence: &Sentence<'_>) -> Option<usize> {
    let texts: Vec<usize> = (0..sentence.tokens.len()).filter(|&at| sentence.is_text(at)).collect();
    let comma = |at: usize| sentence.is_sign(at.saturating_add(1), ',');
    let denied = texts.iter().copied().take(2).find(|&at| {
        sentence.is(at, &["no", "nope", "nah"])
            && comma(at)
            && at.checked_sub(1).is_none_or(|before| sentence.is_sign(before, ':'))
    });
    let last = texts.last().copied().filter(|&at| {
        texts.len() <= 4
            && sentence.is(at, &["not", "don't", "dont", "nope", "nah"])
            && !sentence.mentions.iter().any(|mention| mention.strong)
    });
    denied.or(last)
}
