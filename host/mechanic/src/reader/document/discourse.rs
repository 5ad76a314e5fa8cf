//! What sentences do to each other: they agree, restore, widen and leave alone.

use std::ops::Range;

use super::super::lexicon as words;
use super::super::license;
use super::super::rename::is_statement;
use super::super::scopes::{self, Said};
use super::super::sentence::{LanguageRole, Sentence, Zone};
use super::super::token::{Kind, Token};
use super::super::visibility::Wish;
use super::{Ask, Asked, Closed, Document, Doubt, doubt};
use bailiwick_sdk::tasks::Scope;

impl<'a> Document<'a> {
    /// `The Java crew is about to rename X`: what others do with their own client.
    pub(super) fn about_others(&mut self, sentence: &Sentence<'_>) -> bool {
        let others: Vec<usize> = sentence
            .languages
            .iter()
            .filter(|(_, language, role)| *role == LanguageRole::Other && *language != self.language)
            .map(|(at, ..)| *at)
            .collect();
        let own = sentence.languages.iter().any(|(_, language, _)| *language == self.language);
        // `Internal in Java and Go.`: how it is there.
        let asked = (0..sentence.tokens.len()).any(|at| {
            sentence.is(at, words::POLITE) || sentence.is(at, words::MODALS) || sentence.mention_at(at).is_some()
        });
        if !sentence.languages.is_empty()
            && !own
            && !asked
            && sentence.is(0, words::HIDING)
            && !sentence.is(0, &["hide"])
        {
            self.elsewhere = Some(Wish::Hide);
            return true;
        }
        let Some(&first) = others.first() else { return false };
        let subject = sentence.clause_start(first) == 0 && first <= 2 || sentence.clause_start(first) == first;
        // `Please mirror Java and hide X`
        let asked = (0..first).any(|at| sentence.is(at, words::POLITE) || sentence.is(at, words::FOLLOWING));
        if subject && !own && !asked {
            let start = sentence.clause_start(first);
            let end = sentence.clause_end(first);
            let hides = sentence.has(start..end, words::HIDING) && !sentence.negated(end.saturating_sub(1))
                || (start..end).any(|at| {
                    sentence.phrase(at, &["keep", "it", "to"]) || sentence.phrase(at, &["keeps", "it", "to"])
                });
            if hides {
                self.elsewhere = Some(Wish::Hide);
            }
            // What is said behind it may be about this client.
            let rest = sentence.has(
                end..sentence.tokens.len(),
                &["we", "should", "please", "so", "let's", "here", "our", "let", "do", "bring", "may", "must"],
            );
            let verb = (first..end).any(|at| {
                sentence.is(at, words::RENAME_PROPER)
                    || sentence.is(at, words::HIDING)
                    || sentence.is(at, &["called", "named"])
                    || sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
            });
            return verb && !rest;
        }
        false
    }

    /// `Ben: No, it has been in the docs for years.`: what another speaker proposed is refused, whatever the reason.
    pub(super) fn refused_in_turn(&mut self, sentence: &Sentence<'_>) {
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or_default();
        let next = sentence.get(first.saturating_add(1));
        let ends = next.is_none_or(|next| [',', '.', '!', '-', '–', '—'].iter().any(|sign| next.is_sign(*sign)));
        if self.conversation && sentence.is(first, &["no", "nope", "nah", "nay"]) && ends {
            self.pending.clear();
        }
    }

    /// `Sounds good, please rename`: what was proposed before is asked for.
    pub(super) fn agrees(&mut self, sentence: &Sentence<'_>) -> bool {
        let agreed =
            (0..sentence.tokens.len()).any(|at| words::AGREEING.iter().any(|phrase| sentence.says(at, phrase)));
        let own = sentence.tokens.iter().any(|token| token.looks_like_name() && token.is_text());
        let voted = sentence.is_sign(0, '-') && sentence.is(1, &["1"]) || sentence.is(0, &["-1", "no", "nope", "nah"]);
        if voted && !own {
            self.pending.clear();
        }
        let adopted = self.pending.first().is_some_and(|pending| adopts(sentence, &pending.ask));
        // `please rename the method`, of a model.
        let another = self.pending.first().and_then(|pending| pending.ask.target()).is_some_and(|target| {
            let kind = self.lookup.entity(target).kind;
            let mut kinds = (0..sentence.tokens.len()).filter_map(|at| words::kinds_of(sentence.lower(at))).peekable();
            kinds.peek().is_some() && kinds.all(|kinds| !kinds.contains(&kind))
        });
        // `+1 for keeping it`, `let's adopt it next year`, `adopted in the service`, `we adopted it in Python`
        // `and no sample depends on it` is not one of them.
        let denied = |at: usize| at.checked_sub(1).is_some_and(|before| sentence.is(before, &["no"]));
        let elsewhere = (0..sentence.tokens.len()).filter(|&at| !denied(at)).any(|at| {
            [words::ELSEWHERE, words::WIRE, &["service", "server", "backend", "portal"]]
                .iter()
                .any(|list| sentence.is(at, list))
        });
        let told = sentence.any(&["adopted", "took", "applied", "renamed", "implemented", "used"])
            && !sentence.languages.is_empty()
            && sentence.languages.iter().all(|(_, language, _)| *language != self.language);
        let otherwise = sentence.any(words::KEEPING) || license::puts_off(sentence) || elsewhere || told;
        if otherwise && !own && (agreed || adopted || sentence.any(&["adopt", "adopted", "adopting"])) {
            let unit = self.unit;
            for asked in self.found.asked.iter_mut().filter(|asked| asked.unit == unit) {
                asked.hold(Doubt::Undecided);
            }
        }
        if !agreed && !adopted
            || another
            || otherwise
            || own
            || self.pending.is_empty()
            || sentence.is_turned()
            || doubt(sentence).is_some()
        {
            return false;
        }
        let pending = std::mem::take(&mut self.pending);
        let proposed: Vec<usize> = pending.iter().map(|asked| asked.sentence).collect();
        self.found.asked.retain(|asked| !proposed.contains(&asked.sentence));
        // `Yes, but in Java only.`
        let scope = match scopes::said(sentence) {
            Said::For(scope) => self.here(sentence, scope),
            Said::Nothing => None,
        };
        let open = self.closed == Closed::Nothing;
        let narrowed = pending.into_iter().map(|mut asked| {
            if !open {
                asked.hold(Doubt::Undecided);
            }
            Asked { scope: scope.clone().or(asked.scope), ..asked }
        });
        self.found.asked.extend(narrowed);
        true
    }

    /// What a sentence tells of other languages and of former names.
    pub(super) fn heard(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) {
        let told = sentence.any(&["already", "is", "are", "has", "have", "hides", "hide", "made"]);
        let hides = (0..sentence.tokens.len()).any(|at| {
            let clause = sentence.clause_start(at)..sentence.clause_end(at);
            let own = sentence.languages.iter().any(|(place, language, role)| {
                *language == self.language && *role == LanguageRole::Scope && clause.contains(place)
            });
            sentence.is(at, words::HIDING) && !sentence.negated(at) && !own
        });
        let others = sentence.languages.iter().any(|(_, language, _)| *language != self.language);
        if others && hides && told {
            self.elsewhere = Some(Wish::Hide);
        }
        self.former_names(sentence, span);
    }

    /// `here and in Java` is for both; what is told of Java in another clause than `here` is not for Java.
    pub(super) fn here(&self, sentence: &Sentence<'_>, scope: Scope) -> Option<Scope> {
        let Some(here) = (0..sentence.tokens.len()).find(|&at| sentence.is(at, &["here"])) else { return Some(scope) };
        let Scope::Only(mut languages) = scope else { return Some(scope) };
        if languages.contains(&self.language) {
            return Some(Scope::Only(languages));
        }
        let clause = sentence.clause_start(here);
        let beside = sentence.languages.iter().any(|(at, ..)| sentence.clause_start(*at) == clause);
        languages.push(self.language);
        beside.then_some(Scope::Only(languages))
    }

    /// Sentences about languages alone say for which all of it is meant.
    pub(super) fn scope_of_all(&mut self, sentence: &Sentence<'_>, scope: &Scope) -> bool {
        // `Both renames apply to all languages` tells of a rename, and asks for none.
        let applies = sentence.any(&["apply", "applies"]) && !self.found.asked.is_empty();
        // `…, where it has shipped`: what is said of the one that is left out.
        let said = |at: &usize| sentence.zone(*at) == Zone::Main && !sentence.is_about_the_left_out(*at);
        let wish = (0..sentence.tokens.len()).filter(said).any(|at| {
            sentence.is(at, words::HIDING)
                || sentence.is(at, words::RENAME_PROPER) && !(applies && sentence.is(at, &["rename", "renames"]))
                || sentence.is(at, words::PUBLICITY)
        });
        let named = !super::super::rename::renames(sentence, &self.focus).is_empty();
        // `Python should follow`: what other languages do is asked for.
        let same = sentence.any(&["same", "ditto", "likewise"]) && self.found.asked.is_empty();
        let follows = (same || sentence.any(words::FOLLOWING))
            && scope.covers(self.language)
            && self.as_elsewhere(sentence).is_some();
        if wish || named || follows || sentence.tokens.iter().any(Token::looks_like_name) {
            return false;
        }
        // `Same in Python and Java`: what was asked last, for these.
        let only = sentence.any(&["only", "just"]);
        let short = sentence.tokens.iter().filter(|token| token.is_text()).count() <= 4;
        let wide = *scope == Scope::All
            || matches!(scope, Scope::Except(_))
            || matches!(scope, Scope::Only(languages) if languages.len() > 1);
        // `for all but Java, where it is not decided`: what is said of the one that is left out.
        let left_out = sentence.languages.iter().find(|(_, _, role)| *role == LanguageRole::Excluded);
        let turned = (0..left_out.map_or(sentence.tokens.len(), |(at, ..)| *at)).any(|at| {
            // `not only in Python but everywhere`
            let more = sentence.is(at.saturating_add(1), &["only", "just"]) && *scope == Scope::All;
            sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at) && !more
        });
        let widens = wide
            && scope.covers(self.language)
            && !self.found.asked.is_empty()
            && !turned
            && leads_to_languages(sentence);
        let joins = sentence.any(&["same", "also", "too", "well", "both"]);
        if !scope.covers(self.language) && !only {
            // `same in Java`: for it as well; anything else about other languages is theirs.
            // `The same was done for Java.`
            let told = sentence.any(&["was", "were", "did", "already"]);
            if let (true, false, Scope::Only(languages)) = (joins, told, scope) {
                let mut all = vec![self.language];
                all.extend(languages.iter().copied());
                for asked in self.found.asked.get_mut(self.last.clone()).unwrap_or_default() {
                    asked.scope = Some(Scope::Only(all.clone()));
                }
            }
            return joins;
        }
        if only || short || widens {
            match &mut self.found.scope {
                Some(_) => {}
                none => *none = Some(scope.clone()),
            }
            return true;
        }
        false
    }

    /// Whether hand-written code shall follow: the reading of a log depends on it.
    pub(super) fn repairs(&mut self, sentence: &Sentence<'_>) {
        self.found.repair |= names_hand_written_code(sentence)
            || sentence.any(&["own", "_patch.py", "adapt", "adjust", "follow", "repair", "fix"]);
    }
}

/// `For all languages please`, `This is valid for each of the SDKs`, and not `The docs team looks at all languages`.
fn leads_to_languages(sentence: &Sentence<'_>) -> bool {
    const LEADING: &[&str] = list! {
        "for" "in" "across" "on" "to" "of" "by" "and" "also" "this" "that" "it" "these" "they" "them" "both" "same" "all" "every"
        "each" "applies" "apply" "holds" "goes" "valid" "true" "meant" "is" "are" "be" "do" "so" "change" "changes" "rename"
        "renames" "name" "names" "renaming" "everywhere" "needed" "required" "wanted" "scope" "scopes" "languages" "language" "counts"
        "we" "i" "want" "like" "need" "hide" "hidden" "affects" "concerns" "affected" "request" "wish" "i'd" "we'd" "it's" "that's"
        "applied" "implemented" "done" "made" "happen" "ship" "sdks" "sdk" "not" "only" "just"
    };
    let first = (0..sentence.tokens.len()).find(|&at| {
        sentence.languages.iter().any(|(place, ..)| *place == at)
            || sentence.is(at, &["everywhere", "all", "every", "each", "both"])
    });
    (0..first.unwrap_or(0)).all(|at| {
        !sentence.is_text(at)
            || sentence.is(at, LEADING)
            || sentence.is(at, words::FILLERS)
            || sentence.is(at, words::POLITE)
            || sentence.is(at, words::MODALS)
    })
}

/// `let's adopt them`, `please rename the client`: the object is what was proposed, and no name is given.
fn adopts(sentence: &Sentence<'_>, proposed: &Ask) -> bool {
    let kind = proposed.target().map(|target| sentence.lookup.entity(target).kind);
    let verb = (0..sentence.tokens.len()).find(|&at| {
        let next = at.saturating_add(1);
        // `go with that`
        let with = sentence.is(at, &["go"]) && sentence.is(next, &["with", "for"]);
        let next = next.saturating_add(usize::from(with));
        let pronoun = sentence.is(next, &["it", "that", "this", "them", "these", "those", "both"]);
        // `Please change.`
        let elliptic = sentence.has(sentence.clause_start(at)..at, words::POLITE) && next >= sentence.clause_end(at);
        let whose = sentence.lower(next).ends_with("'s");
        let noun = (whose || sentence.is(next, &["the", "this", "that", "both"]))
            && (words::kinds_of(sentence.lower(at.saturating_add(2)))
                .is_some_and(|kinds| kind.is_some_and(|kind| kinds.contains(&kind)))
                || sentence.is(
                    at.saturating_add(2),
                    &["proposal", "proposals", "suggestion", "suggestions", "name", "names"],
                ));
        let fits = match proposed {
            Ask::Rename { .. } => sentence.is(at, &["rename"]),
            Ask::Hide { .. } => sentence.is(at, &["hide"]),
            _ => false,
        };
        let changes = sentence.is(at, &["change", "fix", "do"]);
        let verb = with || sentence.is(at, &["adopt", "take", "use", "apply", "accept", "implement"]) || fits;
        let alone = elliptic || pronoun && next.saturating_add(1) >= sentence.clause_end(next);
        (verb && (alone || noun) || changes && alone) && !is_statement(sentence, at)
    });
    verb.is_some_and(|verb| {
        let start = sentence.clause_start(verb);
        let asked = start == verb
            || (start..verb).any(|at| sentence.is(at, words::POLITE) || sentence.is(at, words::OBLIGING))
            || sentence.has(start..verb, &["let's", "lets", "us", "to", "can", "could", "we"]);
        asked && license::objection(sentence, proposed, &[verb], false).is_none()
    })
}

fn names_hand_written_code(sentence: &Sentence<'_>) -> bool {
    sentence.any(list! {
        "hand-written" "handwritten" "customization" "customizations" "helper" "helpers" "patch" "partial"
    })
}

/// `Our `_patch.py` has to follow`: what is spoken of is code, and no name of another language.
pub(super) fn speaks_of_code(sentence: &Sentence<'_>) -> bool {
    const SOURCES: [&str; 6] = [".cs", ".go", ".java", ".js", ".py", ".ts"];
    let is_file = |token: &Token| SOURCES.iter().any(|ending| token.text.ends_with(ending));
    names_hand_written_code(sentence) || sentence.tokens.iter().any(is_file)
}

/// `Everything not in this list was declined.`, `The rest stays.`: said of nothing that was asked for.
pub(super) fn speaks_of_the_rest(sentence: &Sentence<'_>) -> bool {
    let rest = sentence.is(0, &["everything", "anything", "all"])
        && sentence.is(1, &["else", "not", "other", "others"])
        || sentence.is(0, &["everything", "anything", "all", "what", "whatever"])
            && (1..4)
                .any(|at| sentence.is(at, &["isn't", "not"]) && sentence.has(0..at, &["is", "isn't", "that", "which"]))
        || sentence.is(0, &["the", "all"]) && sentence.is(1, &["rest", "others", "other"]);
    let question = sentence.tokens.iter().any(|token| token.is_sign('?'));
    // `The others wouldn't.`: a judgement of what was asked for.
    let last = (0..sentence.tokens.len()).rev().find(|&at| sentence.is_text(at));
    let elliptic = last.is_some_and(|at| {
        sentence
            .is(at, &["wouldn't", "don't", "doesn't", "didn't", "won't", "shouldn't", "not", "disagree", "disagreed"])
    });
    rest && !question && !elliptic
}
