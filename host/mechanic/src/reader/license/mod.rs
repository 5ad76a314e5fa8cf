//! What a reading would have to be wrong about, and whether the text excludes it.
//!
//! A clause asks only if everything that governs it is known to license a wish: words in front of it that are of no such
//! class (`Ben told me to`, `it would break people to`) make it a tale, an option or somebody else's business. Behind it
//! nothing may put it off, judge it or place it outside of the client.

mod classes;
mod core;
mod no_change;

use self::core::Core;
use super::document::{Ask, Doubt};
use super::lexicon as words;
use super::sentence::{Sentence, Zone};
use super::token::Kind;
use bailiwick_sdk::tasks::Language;
pub(in crate::reader) use classes::JUDGED;
use classes::{JUDGED_PHRASES, MONTHS, PASSING, SETTLING, SURFACE, TIMES, TOLD};
pub(super) use no_change::says_no_change;
use no_change::{is_done, no_change};

/// What speaks against a reading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Objection {
    pub(super) doubt: Doubt,
    /// The word that raises it.
    pub(super) at: usize,
}

fn open(at: usize) -> Option<Objection> {
    Some(Objection { doubt: Doubt::Undecided, at })
}

fn condition(at: usize) -> Option<Objection> {
    Some(Objection { doubt: Doubt::Condition, at })
}

/// What speaks against a reading that rests on some places of a sentence and is about some targets.
pub(super) fn objection(sentence: &Sentence<'_>, ask: &Ask, places: &[usize], bare: bool) -> Option<Objection> {
    let place = match ask {
        Ask::Move { to, .. } => sentence.lookup.by_reference(to),
        _ => None,
    };
    let targets: Vec<usize> = ask.target().into_iter().chain(place).collect();
    let core = Core::of(sentence, places, &targets)?;
    let seen = matches!(ask, Ask::Hide { .. } | Ask::Show { .. });
    // A sentence in another language has its sign, and no words that are known here.
    let bare = bare || sentence.any(words::RENAMING_ELSEWHERE);
    // `X: too long for a signature -> Y`: the reason stands between the thing and its name, and governs nothing.
    let labelled = places.first().is_some_and(|&at| sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow))
        && sentence.mentions.first().is_some_and(|label| {
            label.strong
                && sentence.is_sign(label.end, ':')
                && ask.target().is_some_and(|target| label.candidates.contains(&target))
        });
    // `X - we don't shorten => Y`
    let reasoned = places.first().is_some_and(|&at| {
        sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow) && super::rename::gives_a_reason(sentence, at)
    });
    let governed = || match labelled {
        _ if reasoned => None,
        true => core.turned(sentence, seen),
        false => core.governed(sentence).or_else(|| core.turned(sentence, seen)),
    };
    // `Y (was X)`: what it is called today stands in brackets, and nothing of it is told.
    let bracketed = places.first().is_some_and(|&at| sentence.is_sign(at, '('));
    if bracketed && sentence.is_turned() {
        return open(core.start());
    }
    // `It was called X before.`: what was, and no wish for it.
    let past = !bracketed && matches!(ask, Ask::Rename { .. }) && core.is_past(sentence);
    if past {
        return open(places.first().copied().unwrap_or_default());
    }
    if bare { None } else { governed() }
        .or_else(|| core.weakened(sentence))
        .or_else(|| core.introduced(sentence))
        .or_else(|| if bracketed { None } else { core.continued(sentence) })
        .or_else(|| {
            // `The suggestion to hide X was a joke.`
            let said = |at: &usize| {
                let own = sentence.mention_at(*at).is_none() && !sentence.is_about_the_left_out(*at);
                sentence.is(*at, JUDGED) && own
            };
            (0..sentence.tokens.len()).filter(said).find(|&at| sentence.zone(at) == Zone::Main).and_then(open)
        })
}

/// Whether words above something say that it is told, judged or put off: `Not agreed:`, `Minutes of last year:`.
pub(super) fn closes(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let releases = ["release", "version", "beta", "preview"];
    let past = |at: usize| {
        let next = at.saturating_add(1);
        sentence.is(at, &["last"]) && (sentence.is(next, TIMES) || sentence.is(next, &releases))
    };
    // `Changes since 1.2:`
    let since = |at: usize| sentence.is(at, &["since"]) && is_number(sentence.lower(at.saturating_add(1)));
    (0..count).any(|at| sentence.is(at, TOLD) && sentence.mention_at(at).is_none() || past(at) || since(at))
        || judged(sentence, 0, count).is_some()
        || restricted(sentence, 0, count).is_some()
}

/// `Out of scope: …`, `If the board agrees: …`, `For the docs: …`: a few words in front of a colon that hold back all of
/// the paragraph behind them.
pub(super) fn holds_paragraph(sentence: &Sentence<'_>) -> bool {
    let Some(end) = (0..sentence.tokens.len().min(12)).find(|&at| sentence.is_sign(at, ':')) else { return false };
    let named = (0..end).any(|at| sentence.mention_at(at).is_some_and(|mention| mention.strong));
    let restricts = super::standing::says_closed(sentence, 0, end)
        || judged(sentence, 0, end).is_some()
        || restricted(sentence, 0, end).is_some()
        || sentence.has(0..end, TOLD)
            && !sentence.has(0..end, &["says", "said", "wrote", "writes", "reads", "claims", "claimed"])
        // `Feedback from the docs team:` says who asks.
        || (0..end).any(|at| {
            sentence.is(at, words::ELSEWHERE)
                && !sentence.is(at.saturating_add(1), &["team", "folks", "people", "reviewers", "crew", "owners", "group"])
        })
        || (0..end).any(|at| sentence.zone(at) == Zone::Condition || sentence.phrase(at, &["not", "for"]));
    !named && restricts && !sentence.is(0, &["as", "like"])
}

/// Whether a sentence says that something is possible, or for later.
pub(super) fn puts_off(sentence: &Sentence<'_>) -> bool {
    sentence.any(&["may", "might"]) || restricted(sentence, 0, sentence.tokens.len()).is_some()
}

/// What people have against a wish.
const RESISTANCE: &[&str] = list! {
    "objection" "objections" "concern" "concerns" "veto" "vetoes" "doubt" "doubts" "complaint" "complaints" "reservations"
};

/// `There are still objections.`, `My concerns were not addressed.`
fn meets_resistance(sentence: &Sentence<'_>) -> bool {
    let unsettled = ["still", "open", "remain", "remains", "unresolved", "outstanding", "unanswered", "unaddressed"];
    let settled = ["addressed", "answered", "resolved", "considered", "heard"];
    let not = ["not", "wasn't", "weren't", "isn't", "aren't", "never", "hasn't", "haven't"];
    sentence.any(RESISTANCE) && (sentence.any(&unsettled) || sentence.any(&not) && sentence.any(&settled))
}

/// `All objections were withdrawn.`, `The veto was overruled.`: what stood against the wish is gone.
pub(super) fn overcomes_resistance(sentence: &Sentence<'_>) -> bool {
    let gone = list! {
        "withdrawn" "rejected" "overruled" "dismissed" "denied" "dropped" "resolved" "retracted" "answered" "addressed" "declined"
    };
    let verb = (0..sentence.tokens.len()).find(|&at| sentence.is(at, &["was", "were", "is", "are", "been", "got"]));
    verb.is_some_and(|verb| {
        sentence.has(0..verb, RESISTANCE)
            && sentence.has(verb..sentence.tokens.len(), gone)
            && !sentence.any(&["not", "wasn't", "weren't", "isn't", "aren't", "never"])
    })
}

/// Whether a sentence about nothing of its own judges what stands before it, or puts it off.
pub(super) fn verdict(sentence: &Sentence<'_>) -> Option<Objection> {
    let count = sentence.tokens.len();
    if overcomes_resistance(sentence) {
        return None;
    }
    if meets_resistance(sentence) {
        return open(0);
    }
    let mut from = 0;
    while from < count {
        let end = sentence.clause_end(from).max(from.saturating_add(1)).min(count);
        if let Some(doubt) = judged(sentence, from, end) {
            return Some(doubt);
        }
        from = end.saturating_add(1);
    }
    // `Needs Ben's ok.`
    let waits = sentence.is(0, &["needs", "requires", "depends", "awaits"]);
    if waits {
        return open(0);
    }
    let asks = sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
        && sentence.tokens.iter().any(|token| {
            token.is(&["think", "opinion", "opinions", "objections", "agree", "agreed", "thoughts", "okay", "views"])
        });
    // `Which one is right?`, `Or am I wrong?`
    let phrases = list! {
        "which one" "which is" "which of" "am i wrong" "is that official" "is this official" "is that true" "is this true"
        "is that so" "am i right" "is that right" "is that correct" "is this right" "is this correct"
    };
    let doubts = sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
        && (0..count).any(|at| phrases.iter().any(|phrase| sentence.says(at, phrase)));
    (asks || doubts).then_some(Objection { doubt: Doubt::Question, at: 0 })
}

/// A judgement, or that there is none yet, in a part without a name.
fn judged(sentence: &Sentence<'_>, from: usize, end: usize) -> Option<Objection> {
    let says =
        |at: usize, phrase: &&str| sentence.says(at, phrase) && at.saturating_add(phrase.split(' ').count()) <= end;
    for at in from..end {
        if sentence.zone(at) == Zone::Reason || sentence.zone(at) == Zone::Comparison {
            continue;
        }
        if no_change(sentence, at, end) {
            return open(at);
        }
        // `## Not yet done`
        if at == 0 && sentence.says(at, "not yet") && is_done(sentence, at.saturating_add(2)) {
            return None;
        }
        // `a blocker for the release`: it is urgent.
        if sentence.is(at, &["blocker"]) && sentence.is(at.saturating_add(1), &["for", "before", "of"]) {
            continue;
        }
        if is_courtesy(sentence, at) {
            continue;
        }
        // `Closed.`
        let ended =
            count_text(sentence) == 1 && sentence.is(at, &["closed", "merged", "obsolete", "duplicate", "stale"]);
        if ended {
            return open(at);
        }
        let alone = sentence.is(at, &["open", "merged", "fixed", "done", "shipped", "closed", "meh", "hmm", "nah"])
            && end.saturating_sub(from) == 1
            && from > 0;
        // `with its own objects`
        let noun = sentence.is(at, &["objects"])
            && at.checked_sub(1).is_some_and(|before| {
                sentence.is(
                    before,
                    &["own", "its", "the", "of", "these", "their", "our", "all", "generated", "new", "json"],
                )
            });
        if noun {
            continue;
        }
        if sentence.is_about_the_left_out(at) || spares_words(sentence, at) || refuses_a_habit(sentence, at) {
            continue;
        }
        if sentence.is(at, JUDGED) || alone || JUDGED_PHRASES.iter().any(|phrase| says(at, phrase)) {
            return open(at);
        }
        // `that depends on the board`, and not `our tool depends on it`
        let waits = (sentence.says(at, "depends on") || sentence.says(at, "subject to"))
            && !sentence.is(at.saturating_add(2), &["it", "them", "this", "these"])
            && (from..at).all(|before| {
                !sentence.is_text(before)
                    || sentence.is(
                        before,
                        &["it", "this", "that", "which", "all", "and", "but", "still", "is", "are", "course"],
                    )
            });
        if waits {
            return open(at);
        }
        // `Then let it be.`
        let dropped = ["let it be", "let them be", "let that be"].iter().any(|phrase| says(at, phrase))
            && !(at.saturating_add(3)..end).any(|next| sentence.is_text(next));
        if dropped {
            return open(at);
        }
        // `The others wouldn't.`
        let elliptic = sentence.is(at, &["wouldn't", "don't", "doesn't", "won't", "didn't", "shouldn't"])
            && (at.saturating_add(1)..end).all(|next| !sentence.is_text(next))
            && end.saturating_add(1) >= sentence.tokens.len();
        if elliptic {
            return open(at);
        }
        let bare = sentence.is(at, &["no", "nope", "nah", "not"])
            && (at.saturating_add(1)..end).all(|next| !sentence.is_text(next))
            && (from..at).all(|before| {
                !sentence.is_text(before)
                    || sentence.is(before, &["a", "hmm", "so", "oh", "but", "then", "is", "the", "answer"])
            });
        if bare {
            return open(at);
        }
        let outvoted = sentence.is(at, &["against"])
            && at
                .checked_sub(1)
                .and_then(|before| sentence.get(before))
                .is_some_and(|token| token.text.chars().all(|c| c.is_ascii_digit()));
        if outvoted {
            return open(at);
        }
        let negation = sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at)
            || sentence.is(at, &["still", "hardly"]);
        if negation
            && !tells_of_a_release(sentence, at, end)
            && (at.saturating_add(1)..at.saturating_add(5).min(end)).any(|next| {
                sentence.is(next, SETTLING)
                    && !(sentence.is(at, &["still"]) && sentence.is(next, &["wanted", "so", "worth", "going"]))
            })
            && !sentence.is(at, &["still"])
        {
            return open(at);
        }
    }
    None
}

/// `happy to discuss`, `then we can close this`, `not sure who owns it`: how people end a message.
fn is_courtesy(sentence: &Sentence<'_>, at: usize) -> bool {
    let before = |words: &[&str]| at.checked_sub(1).is_some_and(|before| sentence.is(before, words));
    // `the others I can live with`
    let spoken = sentence.is(at.saturating_add(2), &["it", "this", "that", "them", "these"])
        || sentence.is_text(at.saturating_add(2));
    sentence.says(at, "live with") && !spoken
        || sentence.says(at, "to discuss") && before(&["happy", "glad"])
        || sentence.is(at, &["close"]) && before(&["can"]) && !sentence.is_turned()
        || sentence.says(at, "not sure") && sentence.is(at.saturating_add(2), &["who", "where"])
}

/// `The package is not released yet.`: how far the product is, and no word about a wish.
fn tells_of_a_release(sentence: &Sentence<'_>, at: usize, end: usize) -> bool {
    const RELEASED: &[&str] = list! {
        "released" "shipped" "published" "rolled" "deployed" "launched" "live" "ga" "available" "out" "public" "stable"
    };
    const PRODUCTS: &[&str] = list! {
        "package" "packages" "sdk" "sdks" "library" "libraries" "service" "feature" "product" "version" "preview" "beta" "api"
        "route" "endpoint" "listing" "support" "nothing"
    };
    let from = sentence.clause_start(at);
    let near = at.saturating_add(1)..at.saturating_add(4).min(end);
    sentence.has(from..at.saturating_add(1), PRODUCTS)
        && sentence.has(near, RELEASED)
        && !sentence.has(from..end, words::OBLIGING)
        && !sentence.has(from..end, words::CONDITIONS)
}

/// `no need to repeat it`: what a name need not say, as the reason for another one.
fn spares_words(sentence: &Sentence<'_>, at: usize) -> bool {
    let said = at.saturating_add(3);
    sentence.says(at, "no need to")
        && sentence.is(said, &["say", "repeat", "mention", "state", "tell", "stress", "spell"])
}

/// `we do not accept any abbreviations`, `I won't allow a verb in it`: what names in general may not be.
fn refuses_a_habit(sentence: &Sentence<'_>, at: usize) -> bool {
    const WISHES: &[&str] = list! {
        "change" "changes" "rename" "renames" "renaming" "request" "requests" "proposal" "proposals" "name" "names" "such" "of" "new"
    };
    let verb = (at.saturating_add(1)..at.saturating_add(4))
        .find(|&here| sentence.is(here, &["approve", "accept", "allow", "tolerate"]));
    let object = verb.map(|verb| verb.saturating_add(1)).filter(|&object| sentence.is(object, &["a", "an", "any"]));
    sentence.is(at, words::NEGATIONS)
        && object.is_some_and(|object| {
            let noun = object.saturating_add(1);
            sentence.is_text(noun) && !sentence.is(noun, WISHES) && words::kinds_of(sentence.lower(noun)).is_none()
        })
}

fn count_text(sentence: &Sentence<'_>) -> usize {
    sentence.tokens.iter().filter(|token| token.is_text()).count()
}

/// A time that has not come, a condition in several words, a choice.
fn restricted(sentence: &Sentence<'_>, from: usize, end: usize) -> Option<Objection> {
    let says = |at: usize, phrase: &str| sentence.says(at, phrase);
    for at in from..end {
        if sentence.mention_at(at).is_some() || sentence.zone(at) == Zone::Comparison {
            continue;
        }
        let waits = list! {
            "as soon as" "in case" "in the event" "subject to" "on condition" "provided that" "depending on"
            "only if" "only when" "only where" "only once" "only after" "as long as" "not before" "not until"
            "api version" "api versions" "service version" "told no" "was refused" "were refused" "got a no"
            "follow-up pr" "followup pr" "follow-up pull" "follow-up change" "follow-up ticket" "follow-up issue"
        }
        .iter()
        .any(|phrase| says(at, phrase) && !says(at, "in case you"));
        if waits {
            return condition(at);
        }
        let next = at.saturating_add(1);
        let numbered = |at: usize| {
            sentence
                .lower(at)
                .strip_prefix('v')
                .is_some_and(|rest| rest.chars().next().is_some_and(|c| c.is_ascii_digit()))
        };
        let later = sentence.is(at, &["next"]) && sentence.is(next, TIMES)
            || sentence.is(at, &["major"]) && sentence.is(next, &["version", "release"])
            || sentence.is(at, &["future", "later", "eventually", "someday", "tomorrow", "sometime"])
                && !sentence.is(next, &["than", "proof", "readers"])
            || says(at, "one day")
            || says(at, "some day")
            || says(at, "some point")
            || says(at, "down the road")
            || says(at, "another day")
            || sentence.is(at, PASSING)
            || numbered(at) && (end.saturating_sub(from) == 1 || sentence.is(next, &["only"]))
            || sentence.is(at, &["in", "with", "for", "until", "till", "from", "by"]) && numbered(next)
            // `by 2027`, `from 2.0 on`, `starting with the next one`
            || sentence.is(at, &["from", "by"])
                && is_number(sentence.lower(next))
                && !sentence.is(at.saturating_add(2), MONTHS)
            || sentence.is(at, &["starting"]) && sentence.is(next, &["with", "from", "in"]);
        let polite = sentence.is(at, &["later"]) && sentence.is(at.saturating_sub(1), &["sooner", "no", "not"]);
        if later && !polite {
            return open(at);
        }
        let choice = sentence.is(at, &["or"])
            && sentence.is(
                next,
                list! {
                    "leave" "keep" "not" "drop" "document" "remove" "delete" "deprecate" "live" "wait" "should" "do"
                    "maybe" "else" "alternatively" "accept" "reject" "stay" "whether"
                },
            );
        let either = sentence.is(at, &["either"]) && sentence.has(at..sentence.tokens.len(), &["or"]);
        if choice || either {
            return open(at);
        }
        let supposed = sentence.is(at, &["imagine", "suppose", "pretend", "hypothetically", "supposedly", "allegedly"])
            || says(at, "for example")
            || says(at, "for instance")
            || sentence.is(at, &["e.g"]) && at == 0;
        if supposed {
            return open(at);
        }
    }
    None
}

/// Whether a word of place leads to the client, or to what the request itself is.
fn on_the_surface(sentence: &Sentence<'_>, at: usize, end: usize) -> bool {
    let last = end.min(at.saturating_add(7));
    (at.saturating_add(1)..last).any(|here| {
        sentence.is(here, SURFACE)
            || is_package(sentence, here)
            || sentence.mention_at(here).is_some()
            || words::kinds_of(sentence.lower(here)).is_some()
            || sentence.languages.iter().any(|(place, ..)| *place == here)
            || sentence.get(here).is_some_and(|token| token.looks_like_name() || token.kind == Kind::Arrow)
    }) && !sentence.has(at.saturating_add(1)..last, words::ELSEWHERE)
}

/// `@azure/arm-widget`, `azure-mgmt-widget`: a package of this language by its name in a registry.
fn is_package(sentence: &Sentence<'_>, at: usize) -> bool {
    let tokens = sentence.tokens.get(at..).unwrap_or_default();
    let joined = tokens.windows(2).take_while(|pair| pair[0].span.end == pair[1].span.start).count();
    let name: String = tokens.iter().take(joined.saturating_add(1)).map(|token| token.text.to_lowercase()).collect();
    let parts: Vec<&str> = name.trim_end_matches(['.', ',', '?', '!']).split(['/', '-', '.']).collect();
    let (scope, rest) = (parts.first().copied().unwrap_or_default(), parts.get(1..).unwrap_or_default());
    let of_azure = match sentence.language {
        Language::Javascript => matches!(scope, "@azure" | "@azure-rest"),
        Language::Python | Language::Java => scope == "azure",
        Language::Dotnet | Language::Go => false,
    };
    of_azure && !rest.is_empty() && rest.iter().all(|part| part.chars().all(char::is_alphanumeric) && !part.is_empty())
}

/// `-1`: a vote against what the words behind it are about.
fn votes_against(sentence: &Sentence<'_>, at: usize) -> bool {
    let end = sentence.get(at).map_or(0, |token| token.span.end);
    let number = sentence.get(at.saturating_add(1)).is_some_and(|next| next.is(&["1", "2"]) && next.span.start == end);
    let range = at
        .checked_sub(1)
        .and_then(|before| sentence.get(before))
        .is_some_and(|before| before.text.chars().all(|c| c.is_ascii_digit()));
    sentence.is_sign(at, '👎') || sentence.is_sign(at, '-') && number && !range
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// `[NAME0012]`: a rule of a checker in front of what it asks for.
fn is_rule(sentence: &Sentence<'_>, at: usize) -> bool {
    let text = sentence.get(at).map_or("", |token| token.text.as_str());
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let code = (2..=8).contains(&letters.len()) && letters.len() < text.len();
    code && letters.chars().all(|c| c.is_ascii_uppercase() || c == '-')
}

fn contracted(word: &str) -> bool {
    ["'d", "'ll", "'ve", "'re"].iter().any(|ending| word.ends_with(ending))
}
