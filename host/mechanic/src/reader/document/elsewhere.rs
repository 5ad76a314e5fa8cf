//! What other languages have: a name or a standing that is asked for here as well.

use super::super::lexicon as words;
use super::super::sentence::{LanguageRole, Sentence, Zone, same_name};
use super::{Ask, Document};
use bailiwick_sdk::tasks::Language;

impl Document<'_> {
    /// `Do as .NET does`: the name that other languages give to what is spoken of, if they give it one.
    pub(super) fn as_elsewhere(&self, sentence: &Sentence<'_>) -> Option<Ask> {
        // What the sentence itself names, if it says that it speaks of a name or of another language.
        let others = sentence.languages.iter().filter(|(_, _, role)| *role == LanguageRole::Other);
        let asked: Vec<Language> =
            others.map(|(_, language, _)| *language).filter(|language| *language != self.language).collect();
        let mut named = self.named_here(sentence);
        named.dedup();
        let spoken_of = if named.is_empty() || !self.adopts(sentence) { &self.focus.subject } else { &named };
        let [target] = spoken_of.as_slice() else { return None };
        let entity = self.lookup.entity(*target);
        let mut names: Vec<String> = Vec::new();
        for one in self
            .index
            .customizations
            .iter()
            .filter(|one| one.decorator == "clientName" && one.target == entity.reference)
        {
            let covers = |language: &Language| {
                one.scope.as_deref().is_none_or(|scope| crate::client_file::covers(scope, *language))
            };
            // The languages that the change is for do not say so yet.
            // What this language calls it already is no other name.
            if covers(&self.language) {
                continue;
            }
            let mut wanted = sentence.languages.iter().filter(|(_, _, role)| *role == LanguageRole::Scope);
            if wanted.any(|(_, language, _)| covers(language)) {
                continue;
            }
            if let Some(name) = one.arguments.first().filter(|_| asked.is_empty() || asked.iter().any(covers)) {
                let name = name.trim_matches('"').to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        // Others call it what the specification does.
        if names.is_empty() && self.is_customized(*target) && self.follows_others(sentence) {
            names.push(entity.name.clone());
        }
        // A name of the sentence that is another one.
        let [name] = names.as_slice() else { return None };
        let another = sentence.tokens.iter().enumerate().any(|(at, token)| {
            token.looks_like_name()
                && token.is_text()
                && sentence.mention_at(at).is_none()
                && !same_name(&token.text, name)
        });
        (!another).then(|| Ask::Rename { target: *target, name: name.clone() })
    }

    /// `align Python with them`, `Python should follow`: this client follows, and no text and no other one.
    fn follows_others(&self, sentence: &Sentence<'_>) -> bool {
        let count = sentence.tokens.len();
        let own = sentence.languages.iter().find(|(_, language, _)| *language == self.language).map(|(at, ..)| *at);
        let verb = (0..count).find(|&at| sentence.is(at, words::FOLLOWING));
        let object = verb.is_some_and(|verb| {
            sentence.is(verb.saturating_add(1), &["it", "this"])
                || sentence.is(verb.saturating_add(1), &["the"])
                    && sentence.is(verb.saturating_add(2), &["name", "names"])
        });
        let first = (0..count).find(|&at| {
            sentence.is(at, &["other", "others", "rest", "them", "they"])
                || sentence.languages.iter().any(|(place, language, _)| *place == at && *language != self.language)
        });
        let led = verb.is_some() && own.is_some_and(|own| first.is_none_or(|first| own < first));
        (led || own.is_none() && object) && !sentence.any(words::ELSEWHERE)
    }

    /// `please use that name`, `Python should too`, `take over the .NET name`: a wish for a name that something has elsewhere,
    /// and no word of anything else.
    pub(super) fn adopts(&self, sentence: &Sentence<'_>) -> bool {
        let count = sentence.tokens.len();
        let first = (0..count).find(|&at| sentence.is_text(at)).unwrap_or(0);
        let wish = (0..count).any(|at| {
            sentence.is(at, &["should", "must", "please", "pls", "let's", "shall"])
                || sentence.is(at, &["could", "can"]) && sentence.is(at.saturating_add(1), &["we", "you", "i"])
        }) || (first..count).any(|at| {
            sentence.clause_start(at) == at && sentence.is(at, &["use", "take", "adopt", "have", "align", "follow"])
        });
        let said = sentence.any(words::FOLLOWING)
            || sentence.any(&["name", "names"])
            || sentence.any(&["too", "same"]) && sentence.any(words::OBLIGING);
        wish && said && (0..count).all(|at| is_idle(sentence, at) || sentence.zone(at) == Zone::Reason)
    }
}

/// Whether the clause of `same` asks, and is about nothing else: `the same for X, please`, and neither `X has the same` nor
/// `the same test fails in Java`.
pub(super) fn asks_for_the_same(sentence: &Sentence<'_>, at: usize) -> bool {
    let clause = || sentence.clause_start(at)..sentence.clause_end(at);
    let asks = clause().any(|here| {
        sentence.is(here, words::OBLIGING)
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["can", "could", "let's", "do", "make", "apply"])
    });
    let told = sentence.has(clause(), &["is", "are", "has", "have", "had", "was", "were", "did"]);
    (asks || !told) && clause().all(|here| is_idle(sentence, here))
}

/// A name, a language, or a word that says nothing else than that something is the same.
fn is_idle(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.get(at).is_none_or(|token| {
        !token.is_text()
            || token.looks_like_name()
            || token.is(SAME)
            || token.is(words::FILLERS)
            || token.is(words::POLITE)
            || words::kinds_of(&token.lower).is_some()
    }) || sentence.languages.iter().any(|(place, ..)| *place == at)
        || sentence.mention_at(at).is_some()
}

/// Words of a sentence that asks for what something is or is called elsewhere.
const SAME: &[&str] = list! {
    "use" "take" "over" "adopt" "have" "has" "follow" "align" "match" "mirror" "go" "with" "by" "should" "must" "shall" "could" "can"
    "we" "you" "i" "it" "its" "is" "are" "do" "does" "call" "calls" "called" "named" "same" "that" "this" "name" "names" "for"
    "in" "as" "of" "all" "other" "others" "rest" "sdk" "sdks" "languages" "managed" "already" "let's" "and" "or" "so" "to" "too"
    "also" "well" "where" "get" "gets" "better" "i.e" "namely" "now" "like" "consistency" "consistent" "be" "on" "at" "both" "libraries" "ditto" "likewise" "similarly" "apply" "applies" "goes"
    "make" "package" "client" "library" "two" "three" "four" "remaining"
};
