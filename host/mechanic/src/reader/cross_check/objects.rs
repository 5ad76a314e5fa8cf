//! What a reading may have taken for its target: a thing that the sentence makes, a text that the sentence before is about,
//! a part of those who see something.

use super::super::document::{Ask, sentence_spans};
use super::super::lexicon as words;
use super::super::names::resembles;
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::token::{Kind, tokenize};
use super::parts::PARTS;
use super::spells;
use crate::entities::Lookup;
use bailiwick_sdk::tasks::Language;

/// `make X accept a filter and call it y`: the pronoun stands for what is made, and not for X.
pub(super) fn is_about_something_made(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { target, .. } = ask else { return false };
    let named =
        sentence.mentions.iter().filter(|mention| mention.candidates.contains(target)).map(|mention| mention.end).max();
    let Some(end) = named else { return false };
    let pronoun = (end..sentence.tokens.len()).find(|&at| {
        sentence.is(at, &["it"])
            && sentence.is(at.saturating_sub(1), &["call", "name", "rename", "naming", "calling", "spell"])
    });
    pronoun.is_some_and(|pronoun| {
        (end..pronoun).any(|at| {
            let next = at.saturating_add(1);
            // `X is a riddle, call it Y`: what the thing is.
            let described = at == end.saturating_add(1)
                && sentence.is(end, &["is", "was", "remains", "becomes"])
                && sentence.has(next..next.saturating_add(3), JUDGING)
                && sentence.tokens.iter().skip(pronoun.saturating_add(2)).all(|token| !token.is_text());
            sentence.is(at, &["a", "an", "another", "one"])
                && !described
                && sentence.is_text(next)
                && sentence.mention_at(next).is_none()
                && !sentence.is(next, &["way", "bit", "lot", "little", "rule", "name", "must", "shame", "pity"])
                && sentence.zone(at) == Zone::Main
        })
    })
}

/// What a name is called that somebody does not like.
const JUDGING: &[&str] = list! {
    "riddle" "mess" "mouthful" "misnomer" "mystery" "joke" "relic" "nightmare" "abbreviation" "placeholder" "leftover" "typo" "pain"
};

/// `Its sibling is X, so this one should be Y`: what the thing is compared with.
pub(super) fn is_its_sibling(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    const KIN: &[&str] =
        list! { "sibling" "siblings" "counterpart" "counterparts" "twin" "neighbour" "neighbor" "peer" "peers" };
    let Some(target) = ask.target() else { return false };
    let this = (0..sentence.tokens.len()).any(|at| {
        sentence.is(at, &["this", "it", "that", "ours"]) && !sentence.is(at.saturating_sub(1), &["of", "like", "to"])
    });
    let mut named = sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).peekable();
    this && named.peek().is_some()
        && named.all(|mention| {
            let mut before = mention.at;
            while let Some(word) = before.checked_sub(1)
                && sentence.is(word, &["is", "are", "called", "named", "the", "being"])
            {
                before = word;
            }
            before.checked_sub(1).is_some_and(|noun| sentence.is(noun, KIN)) && before != mention.at
        })
}

/// `A createAll beside it would help`: a new thing, and no new name.
pub(super) fn is_about_another_thing(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { name, .. } = ask else { return false };
    // `becomes a client of its own, XClient`
    let its_own = (0..sentence.tokens.len()).any(|at| {
        let noun = sentence.is(at, &["client", "clients", "group", "groups", "subclient", "sub-client", "interface"]);
        let own = sentence.is(at.saturating_sub(1), &["own", "separate", "dedicated"])
            || (1..4).any(|step| sentence.is(at.saturating_add(step), &["own"]))
                && sentence.is(at.saturating_add(1), &["of"]);
        noun && own && sentence.mention_at(at).is_none()
    });
    if its_own && (name.ends_with("Client") || !names_target(sentence, ask)) {
        return true;
    }
    let news = list! { "a" "an" "another" "second" "third" "separate" "additional" "new" "dedicated" };
    (1..sentence.tokens.len()).any(|at| {
        // `another client, called XClient`
        let kind =
            (at.saturating_sub(3)..at).find(|&before| sentence.is(before, &["client", "group", "class", "model"]));
        let made = kind.is_some_and(|kind| {
            kind > 0
                && sentence.is(kind.saturating_sub(1), news)
                && (kind.saturating_add(1)..at)
                    .all(|here| !sentence.is_text(here) || sentence.is(here, &["called", "named", "like"]))
        });
        // `a logger called x`, whatever a logger is
        let called = sentence.is(at.saturating_sub(1), &["called", "named"])
            && (at.saturating_sub(4)..at.saturating_sub(2)).any(|article| {
                let noun = article.saturating_add(1);
                sentence.is(article, &["a", "an", "another"])
                    && sentence.is_text(noun)
                    && sentence.mention_at(noun).is_none()
                    && !sentence.is(noun, &["bit", "little", "lot"])
            });
        let named = sentence.get(at).is_some_and(|token| same_name(&token.text, name));
        // `x (was: y)`
        let was = sentence.is_sign(at.saturating_add(1), ')')
            && [1, 2].iter().any(|back| {
                at.checked_sub(*back).is_some_and(|was| {
                    sentence.is(was, &["was", "formerly", "previously"])
                        && was.checked_sub(1).is_some_and(|open| sentence.is_sign(open, '('))
                })
            });
        // `a name like x`, and not `we would like x`
        let example = sentence.is(at.saturating_sub(1), &["like"])
            && at
                .checked_sub(2)
                .is_some_and(|before| sentence.is(before, &["name", "names", "value", "something", "one", "id"]));
        if named && (called || was || example) {
            return true;
        }
        if made && sentence.get(at).is_some_and(|token| same_name(&token.text, name)) && !names_target(sentence, ask) {
            return true;
        }
        let begins = at.saturating_sub(1) == sentence.clause_start(at);
        let named = sentence.get(at).is_some_and(|token| same_name(&token.text, name));
        // `An enum x would be safer`
        let of_a_kind = at.checked_sub(2).is_some_and(|article| {
            article == sentence.clause_start(at)
                && sentence.is(article, &["a", "an", "another"])
                && words::kinds_of(sentence.lower(at.saturating_sub(1))).is_some()
        }) && !names_target(sentence, ask);
        named && (of_a_kind || begins && sentence.is(at.saturating_sub(1), &["a", "an", "another"]))
    })
}

/// Whether a sentence names the thing that a reading is about, and not only its new name.
fn names_target(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let new = |at: usize| match ask {
        Ask::Rename { name, .. } => sentence.get(at).is_some_and(|token| same_name(&token.text, name)),
        _ => false,
    };
    ask.target().is_some_and(|target| {
        sentence.mentions.iter().any(|mention| mention.candidates.contains(&target) && !new(mention.at))
    })
}

/// `op(a): the argument should be x`: the noun in front of the verb is of another kind than what the name would go to.
pub(super) fn is_of_another_kind(sentence: &Sentence<'_>, ask: &Ask, lookup: &Lookup<'_>) -> bool {
    let Ask::Rename { target, .. } = ask else { return false };
    let kind = lookup.entity(*target).kind;
    (1..sentence.tokens.len()).any(|at| {
        let verb = sentence.is(at.saturating_add(1), &["becomes", "should", "must", "shall", "needs", "has", "would"]);
        // `x of that model should be y`
        let noun = verb
            && sentence.is(at.saturating_sub(1), &["the", "this", "that", "its"])
            && !at.checked_sub(2).is_some_and(|of| sentence.is(of, &["of", "in", "on", "from"]));
        noun && sentence.mention_at(at).is_none()
            && words::kinds_of(sentence.lower(at)).is_some_and(|kinds| !kinds.contains(&kind))
    })
}

/// `op(a, b): the first one should be x`: one of several things that the operation has, and not the operation.
pub(super) fn is_one_of_several(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    if !matches!(ask, Ask::Rename { .. }) || names_target(sentence, ask) {
        return false;
    }
    (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        sentence.is(at, &["first", "second", "third", "last", "other"])
            && sentence.is(at.saturating_sub(1), &["the"])
            && sentence.is(next, &["one", "argument", "parameter", "param", "arg", "field", "property", "value"])
    })
}

/// `I'd expect a poller, with x()`: a thing is wished for, and neither the target nor a word of naming stands beside x.
pub(super) fn wishes_without_naming(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { target, name } = ask else { return false };
    // A name that goes on from the one of today speaks for itself.
    let entity = sentence.lookup.entity(*target);
    let last = |name: &str| crate::names::words(name).last().map(|word| word.to_lowercase());
    let goes_on = spells(&entity.name, name)
        || last(&entity.name) == last(name)
        || entity.kind.is_type() && resembles(&entity.name, name);
    if names_target(sentence, ask) || goes_on {
        return false;
    }
    let wishes = sentence.any(list! {
        "expect" "expected" "want" "wanted" "like" "love" "need" "needs" "see" "have" "get" "prefer" "hope" "hoped" "wish" "miss"
        "missing" "return" "returns" "offer" "offers" "provide" "provides" "support" "supports" "accept" "accepts" "give" "gives"
        "add" "adds" "expose" "exposes" "include" "includes" "use" "uses" "pass" "passes" "take" "takes" "throw" "throws"
    });
    let names = sentence.any(words::RENAME_PROPER)
        || sentence.any(list! {
            "name" "names" "named" "naming" "call" "called" "calls" "spell" "spelled" "spelling" "instead" "rather" "term" "word"
            "wording" "read" "reads" "same" "expand" "shorten" "switch" "turn" "write" "written" "become" "becomes" "replace" "go"
        })
        || sentence.tokens.iter().any(|token| token.kind == Kind::Arrow);
    // `it were x`, and not `a stream beside it, with x()`
    let stands_for_target = |at: usize| {
        let before = at.checked_sub(1);
        let prepositions = list! { "beside" "besides" "with" "of" "for" "to" "from" "in" "on" "next" "after" "behind" };
        sentence.is(at, &["it", "this", "that", "they", "them", "these", "both"])
            && !before.is_some_and(|before| sentence.is(before, prepositions))
    };
    // `x is what we want`, `give us x back`, `use x, as C# does`
    let names = names
        || (0..sentence.tokens.len()).any(stands_for_target)
        || sentence.any(&["what", "back"])
        || sentence.languages.iter().any(|(_, language, _)| *language != sentence.language);
    wishes && !names
}

/// `our provider maps x -> y; a -> b`, `the bot suggests: x -> y`: what something else does or says, in front of the names.
pub(super) fn is_told_of_something_else(before: &str, sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { target, .. } = ask else { return false };
    let first = sentence.mentions.iter().filter(|mention| mention.candidates.contains(target)).map(|one| one.at).min();
    // The beginning of a list in one line.
    let line = before.rsplit('\n').next().unwrap_or_default();
    let list = line.trim_end().ends_with([';', ',']).then(|| line.rsplit(". ").next()).flatten().unwrap_or_default();
    let list = tokenize(list);
    let list: Vec<&str> = list.iter().map(|token| token.lower.as_str()).collect();
    let own: Vec<&str> = (0..first.unwrap_or(0)).map(|at| sentence.lower(at)).collect();
    [list, own].iter().any(|words| {
        words.windows(2).any(|pair| {
            matches!(pair, [subject, verb] if OTHERS_VERBS.contains(verb)
                && subject.chars().all(char::is_alphabetic)
                && !PEOPLE.contains(subject))
        })
    })
}

/// `the assistant suggests: rename x to y`, and nothing behind it agrees.
pub(super) fn is_a_tools_idea(after: &str, sentence: &Sentence<'_>) -> bool {
    let tools = list! {
        "copilot" "bot" "linter" "tool" "chatgpt" "assistant" "analyzer" "analyser" "checker" "ai" "claude" "gemini" "gpt" "llm" "model"
    };
    let says = list! { "suggests" "suggested" "proposes" "proposed" "recommends" "says" "said" "thinks" };
    let told = (1..sentence.tokens.len()).any(|at| {
        sentence.is(at, says) && sentence.is(at.saturating_sub(1), tools) && sentence.is_sign(at.saturating_add(1), ':')
    });
    let after = after.to_lowercase();
    told && !after.contains("adopt") && !words::AGREEING.iter().any(|phrase| after.contains(phrase))
}

/// What a tool does with names.
const OTHERS_VERBS: &[&str] = list! {
    "maps" "translates" "converts" "exports" "prints" "renders" "complains" "flags" "reports" "generates"
    "emits" "opened" "filed" "posted"
};

/// Who may ask for a change.
const PEOPLE: &[&str] =
    list! { "i" "we" "you" "they" "team" "board" "review" "reviewers" "architects" "customers" "users" "he" "she" };

/// `a -> b -> c`: a way from one thing to another.
pub(super) fn is_a_chain(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Ask::Rename { name, .. } = ask else { return false };
    (1..sentence.tokens.len()).any(|at| {
        let arrow = |at: usize| sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow);
        arrow(at.saturating_sub(1))
            && arrow(at.saturating_add(1))
            && sentence.get(at).is_some_and(|token| same_name(&token.text, name))
    })
}

/// `not visible to users without the role`: some of those who use a thing, and who sees it is no matter of the client.
pub(super) fn is_for_some_only(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let seen = matches!(ask, Ask::Hide { .. } | Ask::Show { .. });
    // `expose the log under the name X`
    let named = seen
        && sentence.mentions.iter().any(|mention| {
            ask.target().is_some_and(|target| mention.candidates.contains(&target))
                && mention.at.checked_sub(1).is_some_and(|before| sentence.is(before, &["name"]))
        });
    named || seen && (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        sentence.is(
            at,
            list! { "users" "customers" "people" "callers" "developers" "anyone" "anybody" "everyone" "everybody" "tenants" "accounts" },
        ) && sentence.is(at.saturating_sub(1), &["to", "for", "by", "from"])
            && sentence.is(next, &["without", "with", "who", "whose", "lacking", "having", "below", "above"])
            && sentence.zone(at) == Zone::Main
    })
}

/// `The docstring says X. It should say Y.`: the pronoun stands for the text that the sentence before is about.
pub(super) fn goes_on_about_a_text(
    before: &str,
    sentence: &Sentence<'_>,
    ask: &Ask,
    lookup: &Lookup<'_>,
    language: Language,
) -> bool {
    let named = names_target(sentence, ask);
    let pronoun = (0..sentence.tokens.len().min(3)).any(|at| sentence.is(at, &["it", "this", "that", "they"]));
    if named || !pronoun {
        return false;
    }
    let paragraph = before.rsplit("\n\n").next().unwrap_or_default();
    let Some(last) = sentence_spans(paragraph).into_iter().last() else { return false };
    let tokens = tokenize(paragraph.get(last).unwrap_or_default());
    let above = Sentence::new(&tokens, lookup, language);
    (0..above.tokens.len().min(4)).any(|at| {
        above.is(at, PARTS)
            && above.mention_at(at).is_none()
            && above.get(at).is_some_and(|token| !token.quoted)
            && above.is(at.saturating_sub(1), &["the", "its", "a", "their", "our", "this", "doc", "api"])
            && !above.is(at.saturating_add(1), &["of", "to"]) | above.any(&["says", "say", "reads", "mentions"])
            && words::kinds_of(above.lower(at.saturating_add(1))).is_none()
    })
}
