//! The languages that a sentence's changes are for.

use bailiwick_sdk::tasks::{Language, Scope};

use super::lexicon as words;
use super::sentence::{LanguageRole, Sentence};

/// What a sentence says about languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing.
    Nothing,
    /// The changes are for these.
    For(Scope),
}

/// The scope that a sentence gives to its changes.
pub(super) fn said(sentence: &Sentence<'_>) -> Said {
    let of = |role: LanguageRole| {
        let mut found: Vec<Language> = Vec::new();
        for (_, language, _) in sentence.languages.iter().filter(|(_, _, one)| *one == role) {
            if !found.contains(language) {
                found.push(*language);
            }
        }
        found
    };
    let (scope, excluded) = (of(LanguageRole::Scope), of(LanguageRole::Excluded));
    use super::sentence::Zone;
    // `so that it is the same in all SDKs`: a reason, and no scope.
    let told = |at: usize| matches!(sentence.zone(at), Zone::Reason | Zone::Comparison);
    let everywhere = (0..sentence.tokens.len()).filter(|&at| !told(at)).any(|at| {
        // `the docs team writes it so everywhere`: where others do something.
        let others = || sentence.has(sentence.clause_start(at)..at, words::ELSEWHERE);
        sentence.is(at, &["everywhere"])
            && !(at > 0 && sentence.is(at.saturating_sub(1), &["like", "as", "elsewhere"]))
            && !others()
            || sentence.says(at, "across the board")
            // `Languages: all`
            || sentence.is(at, &["languages", "langs", "sdks"])
                && sentence.is_sign(at.saturating_add(1), ':')
                && sentence.is(at.saturating_add(2), &["all", "every", "any"])
            || sentence.is(at, &["all", "every", "each"])
                && (1..=nouns_reach(sentence, at)).any(|step| {
                    sentence.is(
                        at.saturating_add(step),
                        &["languages", "language", "langs", "lang", "sdks", "sdk", "clients", "libraries"],
                    )
                })
                && !(at > 1
                    && (sentence.is(at.saturating_sub(1), &["like", "as", "than"])
                        || sentence.is(at.saturating_sub(2), &["like", "as", "than"])))
                && !sentence.is(at.saturating_add(1), &["other"])
    });
    // `we use Url everywhere else, rename it in Java`, `Python: X -> Y (all SDKs share this)`: the language that is named
    // for the change.
    let named = sentence.languages.iter().filter(|(_, _, one)| *one == LanguageRole::Scope).any(|&(at, ..)| {
        let next = at.saturating_add(1);
        // `not only in Python but everywhere`
        let more = sentence.has(at.saturating_sub(4)..at, &["not"])
            && sentence.has(at.saturating_sub(3)..at, &["only", "just"]);
        let placed = !more && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["in", "for"]));
        let label = at < 4 && (next..next.saturating_add(2)).any(|here| sentence.is_sign(here, ':'));
        let joined = sentence.is(next, &["and", "included", "including", "too", "also"])
            || sentence.is_sign(next, ',')
                && (sentence.is(next.saturating_add(1), &["and", "all", "every", "everywhere"])
                    || sentence.languages.iter().any(|(place, ..)| *place == next.saturating_add(1)))
            || sentence.phrase(next, &["as", "well"]);
        (placed || label) && !joined
    });
    if everywhere && named {
        return Said::For(Scope::Only(scope));
    }
    if everywhere && sentence.zone(0) != Zone::Comparison {
        return Said::For(if excluded.is_empty() { Scope::All } else { Scope::Except(excluded) });
    }
    // `not in Python though`, in a request about Python's package.
    if scope.is_empty() && excluded.contains(&sentence.language) {
        return Said::For(Scope::Except(excluded));
    }
    if scope.is_empty() { Said::Nothing } else { Said::For(Scope::Only(scope)) }
}

/// `The Java people want X renamed`: people of another language wish it, and the request asks nothing of this package.
pub(super) fn is_wished_by_others(sentence: &Sentence<'_>) -> bool {
    const PEOPLE: &[&str] =
        list! { "people" "team" "folks" "owners" "reviewers" "developers" "devs" "crew" "side" "architects" };
    let wants = |at: usize| {
        let next = at.saturating_add(1);
        let verb = next.saturating_add(usize::from(sentence.is(next, PEOPLE)));
        verb > next && sentence.is(verb, &["want", "wants", "prefer", "prefers"])
    };
    let asked =
        (0..sentence.tokens.len()).any(|at| sentence.is(at, words::POLITE) || sentence.is(at, &["we", "let's"]));
    sentence.languages.iter().any(|(at, language, _)| *language != sentence.language && wants(*at)) && !asked
}

/// Whether the sentence is about languages and nothing else: `Java only.`, `Other languages get their own tickets.`
pub(super) fn is_only_about_languages(sentence: &Sentence<'_>) -> bool {
    let named = !sentence.languages.is_empty()
        || sentence.any(&["languages", "language", "langs", "sdks", "clients", "everywhere"]);
    named && !sentence.mentions.iter().any(|mention| mention.strong)
}

/// How far behind `all` the languages may stand: `all languages`, `all our SDKs`, `each of the five languages`.
fn nouns_reach(sentence: &Sentence<'_>, at: usize) -> usize {
    let counted = |step: usize| {
        sentence.is(at.saturating_add(step), &["of", "the", "our", "five", "5", "client", "supported"])
            || sentence.languages.iter().any(|(place, ..)| *place == at.saturating_add(step))
    };
    let plain = (1..4).take_while(|&step| counted(step)).count();
    plain.saturating_add(1).max(2)
}
