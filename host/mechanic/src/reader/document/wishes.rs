//! What asks for something without a reading, and what is not certain of a sentence.

use super::super::lexicon as words;
use super::super::sentence::{LanguageRole, Sentence, Zone};
use super::super::standing;
use super::super::token::Kind;
use super::{Document, Doubt};

/// What something wished for would be.
const HOPED: &[&str] =
    &["great", "nice", "good", "helpful", "useful", "lovely", "cool", "awesome", "handy", "ideal", "perfect"];

impl<'a> Document<'a> {
    /// What a sentence without a reading asks for, if it asks.
    pub(super) fn unread(&self, sentence: &Sentence<'_>) -> Option<Doubt> {
        let any = |list: &[&str]| {
            (0..sentence.tokens.len()).any(|at| sentence.is(at, list) && sentence.zone(at) != Zone::Comparison)
        };
        let mentions = sentence.mentions.iter().any(|mention| mention.strong);
        let names = sentence.tokens.iter().any(|token| token.looks_like_name() && token.is_text());
        let question = sentence.tokens.last().is_some_and(|token| token.is_sign('?'));
        let adds = (0..sentence.tokens.len()).any(|at| {
            sentence.is(
                at,
                &["add", "implement", "support", "provide", "document", "create", "introduce", "write", "deprecate"],
            ) && sentence.clause_start(at) == at
                // `add this to client.tsp`, below a decorator
                && (self.found.asked.is_empty()
                    || !sentence.is(at.saturating_add(1), &["this", "it", "that", "these"]))
        });
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at));
        let deletes = first.is_some_and(|first| sentence.is(first, &["delete", "deprecate", "flatten"]));
        let imperative = (deletes || sentence.tokens.iter().filter(|token| token.is_text()).count() > 2)
            && first.is_some_and(|first| {
                !sentence.is_sign(first.saturating_add(1), ':')
                    && (sentence.is(first, words::FEATURES)
                        || sentence.is(first, words::RENAME_PROPER)
                        || sentence.is(
                            first,
                            &[
                                "find",
                                "make",
                                "use",
                                "let",
                                "change",
                                "fix",
                                "ensure",
                                "allow",
                                "hide",
                                "move",
                                "drop",
                                "get",
                                "give",
                                "treat",
                                "delete",
                                "remove",
                                "deprecate",
                                "split",
                                "merge",
                                "flatten",
                                "convert",
                                "replace",
                            ],
                        )
                        || sentence.is(first, words::POLITE) && first.saturating_add(1) < sentence.tokens.len())
            });
        let wish = any(words::OBLIGING)
            || any(words::POLITE)
            || imperative
            || any(&["want", "wants", "like", "love", "would", "wish", "could", "can"])
            || (0..sentence.tokens.len()).any(|at| {
                sentence.phrase(at, &["has", "to"])
                    || sentence.phrase(at, &["have", "to"])
                    || sentence.phrase(at, &["is", "to"])
            });
        let feature = any(words::FEATURES);
        let nameless = (1..sentence.tokens.len()).any(|at| {
            sentence.is(at, &["name", "names", "naming"])
                && sentence.is(
                    at.saturating_sub(1),
                    &["better", "another", "different", "clearer", "nicer", "new", "proper", "good", "other"],
                )
        });
        if nameless && mentions && (wish || question) {
            return Some(Doubt::MissingName);
        }
        // `x -> new_name`, and nothing says what `x` is.
        let arrow = sentence.tokens.iter().position(|token| token.kind == Kind::Arrow);
        let pointed = arrow.map(|at| at.saturating_add(1)).filter(|&at| {
            at > 1
                && sentence.get(at).is_some_and(|token| token.kind == Kind::Name && !token.text.contains(['.', '/']))
                && sentence.mention_at(at).is_none()
        });
        if pointed.is_some() && !sentence.is_turned() && !super::super::rename::tells(sentence) {
            return Some(Doubt::Unclear);
        }
        if adds && !any(words::KEEPING) {
            return Some(Doubt::Unclear);
        }
        let wire = any(words::WIRE)
            || any(words::OTHERS)
            || any(words::KEEPING)
            || any(&["change", "thanks", "thank", "affected"]) && sentence.is_turned();
        if wire && !feature {
            return None;
        }
        if question && (mentions || names || feature) {
            return Some(Doubt::Question);
        }
        if wish
            && (feature
                && (mentions
                    || imperative
                    || any(&["please", "pls", "plz", "kindly"])
                    || any(words::OBLIGING)
                    || any(&["would", "could", "can", "want", "love"]))
                || imperative && (mentions || names))
        {
            return Some(Doubt::Unclear);
        }
        None
    }

    /// Whether a sentence wishes something about something, without a reading.
    pub(super) fn wishes(&self, sentence: &Sentence<'_>) -> bool {
        let any = |list: &[&str]| {
            (0..sentence.tokens.len()).any(|at| sentence.is(at, list) && sentence.zone(at) == Zone::Main)
        };
        let named = !sentence.mentions.is_empty()
            || sentence.tokens.iter().any(|token| token.looks_like_name() && token.is_text())
            || !self.focus.subject.is_empty();
        let question = sentence.tokens.iter().any(|token| token.is_sign('?'));
        let told = super::super::rename::tells(sentence);
        let told = told || any(&["already"]);
        let wish = any(words::OBLIGING)
            || any(words::POLITE)
            || !told
                && (any(words::RENAME_PROPER)
                    || any(words::HIDING)
                    || any(&["use", "give", "replace", "set", "turn", "put", "remove", "drop"]))
            || any(&[
                "want", "like", "love", "wish", "prefer", "find", "make", "fix", "change", "name", "call", "better",
                "instead", "write", "expose", "move", "need", "needs",
            ])
            || sentence.tokens.iter().any(|token| token.kind == Kind::Arrow);
        let terse = sentence.tokens.iter().filter(|token| token.is_text()).count() <= 3
            && sentence.tokens.iter().any(|token| token.looks_like_name() && token.is_text());
        named && (wish || question || terse)
    }
}

/// Whether a clause of a text begins with a verb of work that is done by hand.
pub(super) fn orders(text: &str) -> bool {
    const BY_HAND: &[&str] =
        list! { "rewrite" "fix" "update" "improve" "clean" "document" "write" "add" "mention" "describe" "regenerate" };
    let clauses = text.split([',', ';', ':', '.']);
    let mut firsts =
        clauses.filter_map(|clause| clause.split_whitespace().find(|word| *word != "please" && *word != "and"));
    firsts.any(|word| BY_HAND.contains(&word.to_lowercase().as_str()))
}

/// Whether the last sentence of a text says what has to become of something: `They have to be masked.`
pub(super) fn obliges(text: &str) -> bool {
    let words: Vec<String> = text
        .rsplit(['.', ';', '!'])
        .find(|part| !part.trim().is_empty())
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    words.windows(3).any(|part| match part {
        [have, to, be] => {
            ["have", "has", "need", "needs", "ought"].contains(&have.as_str()) && to == "to" && be == "be"
        }
        _ => false,
    }) || words.windows(2).any(|part| match part {
        [must, be] => ["must", "should"].contains(&must.as_str()) && be == "be",
        _ => false,
    })
}

/// Verbs that ask for a change where they begin a clause.
pub(super) const ORDERS: &[&str] = list! {
    "add" "annotate" "allow" "bump" "call" "change" "combine" "convert" "delete" "deprecate" "document" "drop" "expose"
    "extract" "flatten" "generate" "give" "hide" "implement" "inline" "introduce" "make" "mark" "merge" "move" "provide"
    "regenerate" "relocate" "remove" "rename" "replace" "return" "revert" "set" "split" "support" "turn" "type" "update"
};

/// `… and add a retry policy`, `rename X to Y and move it to Z`: something that is asked in the same sentence, and none of
/// the places that the readings rest on lies in its clause.
pub(super) fn asks_more(sentence: &Sentence<'_>, places: &[usize]) -> bool {
    let count = sentence.tokens.len();
    let orders = |at: usize| {
        // An operation may be called `delete`.
        let name = sentence.mention_at(at).is_some_and(|mention| mention.strong)
            || sentence.mention_at(at).is_some()
                && !sentence.is(at.saturating_sub(1), &["and", "then", "also", "please"]);
        let of = sentence.is(at.saturating_add(1), &["of", "in", "on"]);
        sentence.is(at, ORDERS) && !name && !of && sentence.zone(at) == Zone::Main
    };
    let first = (0..count).find(|&at| sentence.is_text(at) && !sentence.is(at, words::POLITE));
    let led = |at: usize| {
        let joined = at.checked_sub(1).is_some_and(|before| {
            let join = sentence.is(before, &["and", "then", "also", "please", "plus"])
                || sentence.is_sign(before, '&')
                || sentence.is_sign(before, ',')
                || sentence.is_sign(before, ';');
            let turned = before.checked_sub(1).is_some_and(|at| sentence.is(at, &["not", "don't"]));
            join && !turned
        });
        joined && orders(at)
    };
    let mut starts: Vec<usize> = first.filter(|&at| orders(at)).into_iter().collect();
    starts.extend((1..count).filter(|&at| led(at) && first != Some(at)));
    let is_read = |(number, &start): (usize, &usize)| {
        let end = starts.get(number.saturating_add(1)).copied().unwrap_or(count);
        places.iter().any(|place| (start..end).contains(place))
    };
    // `keep the old name as a deprecated alias`
    let alias = (0..count).any(|at| sentence.is(at, &["keep", "leave", "with"]))
        && sentence.any(&["alias", "aliases", "shim", "forwarder"])
        && !sentence.is_turned();
    // `move X to the Y group as z`
    let named = (0..count).any(|at| {
        let next = at.saturating_add(1);
        let name = sentence.get(next).is_some_and(|token| token.is_text() && super::super::names::is_shaped(token));
        sentence.is(at, &["as"]) && name && sentence.mention_at(next).is_none() && !places.contains(&next)
    });
    alias || named || starts.len() > 1 && !starts.iter().enumerate().all(is_read)
}

/// `Also do this for Part.`, `Part needs this as well.`: more of the same, for a thing with a name of its own.
pub(super) fn asks_for_another(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let named = sentence.mentions.iter().any(|mention| mention.strong);
    let more = sentence.any(&["also", "too", "likewise", "same", "apply"])
        || (0..count).any(|at| sentence.phrase(at, &["as", "well"]))
        || sentence.is(0, &["and"]) && sentence.is(1, &["in", "for", "on"]);
    let told = super::super::rename::tells(sentence)
        || sentence.any(words::REPORTING)
        || sentence.any(words::KEEPING)
        || sentence.any(words::APPROVING)
        || sentence.any(&["already", "was", "were", "did", "had", "been", "done", "renamed", "is", "are", "has"]);
    let others = sentence.languages.iter().any(|(_, language, _)| *language != sentence.language);
    named && more && !told && !others && !sentence.is_turned() && !sentence.any(words::WIRE)
}

/// `Remove Part.`, `Also do the property.`, `Keep the old name as an alias.`, `Same for the rest.`: an order behind what was
/// asked for, of which nothing is understood.
pub(super) fn goes_on_to_order(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let leads = list! { "also" "and" "then" "plus" "additionally" "finally" "so" "next" "please" "pls" "kindly" };
    let Some(first) = (0..count).find(|&at| sentence.is_text(at) && !sentence.is(at, leads)) else { return false };
    let others = sentence
        .languages
        .iter()
        .any(|(_, language, role)| *language != sentence.language && *role != LanguageRole::Excluded);
    let idle = sentence.is_turned()
        || others
        || sentence.any(words::WIRE)
        || sentence.tokens.iter().any(|token| token.is_sign('?'))
        || super::super::rename::tells(sentence);
    let texts = (first..count).filter(|&at| sentence.is_text(at)).count();
    let verb = sentence.is(first, ORDERS) || sentence.is(first, &["do", "delete", "keep", "leave"]);
    let object = first.saturating_add(1);
    // `Make sure …`, `Do it.`, `Keep it so.`, `Leave the rest.`
    let courtesy = sentence
        .is(object, &["it", "that", "this", "so", "sure", "not", "me", "us", "you", "them", "everything", "all"])
        || sentence.any(&["rest", "else", "others"]) && !sentence.is(first, ORDERS)
        || sentence.is(first, &["call", "give", "set", "support"]) && sentence.is(object, &["me", "us", "up"]);
    let alias = sentence.any(&["alias", "aliases", "shim", "forwarder"]);
    let keeps = sentence.is(first, &["keep", "leave"]) && !alias;
    let same =
        sentence.is(first, &["same", "ditto", "likewise"]) && sentence.any(&["rest", "others", "other", "remaining"]);
    verb && texts > 1 && !courtesy && !keeps && !idle || same && !sentence.is_turned() && !others
}

/// `It would be great if X took a list`: something about a thing that has a name.
pub(super) fn hopes(sentence: &Sentence<'_>) -> bool {
    let hope = (0..sentence.tokens.len()).any(|at| {
        sentence.phrase(at, &["would", "be"])
            && sentence.is(at.saturating_add(2), HOPED)
            && sentence.is(at.saturating_add(3), &["if", "to", "when"])
    });
    hope && sentence.mentions.iter().any(|mention| mention.strong)
}

/// `the portal needs it`, `users should not have to call X`: who uses a thing, and who does not. It is a reason for
/// a change, and asks for none.
pub(super) fn speaks_of_use(sentence: &Sentence<'_>) -> bool {
    let obliging = |at: usize| sentence.is(at, words::OBLIGING) && sentence.mention_at(at).is_none();
    let thing = |at: usize| {
        sentence.is(at, &["it", "this", "that", "them", "these", "those"]) || sentence.mention_at(at).is_some()
    };
    let used = |at: usize| {
        let next = at.saturating_add(1);
        // `everybody needs X for the health check`
        let why = ["for", "before", "every", "at", "during", "when", "all"];
        let behind = next.saturating_add(1);
        // `they need another role than the rest`
        let rights = list! { "role" "roles" "permission" "permissions" "rights" "privileges" "credentials" "consent" };
        let who = (next..next.saturating_add(4)).any(|here| sentence.is(here, rights));
        // `the engineers need X in the client`, `you need a topic`: nothing of the specification needs anything.
        let start = sentence.clause_start(at);
        let people = start < at
            && (start..at).all(|here| sentence.mention_at(here).is_none())
            && !sentence.has(start..at, &["it", "this", "that", "these", "those", "which", "names", "we", "i"])
            && !(next..sentence.clause_end(next)).any(|here| sentence.phrase(here, &["to", "be"]));
        if sentence.is(at, &["need", "needs"]) && people {
            return true;
        }
        sentence.is(at, &["need", "needs"]) && who
            || sentence.is(at, &["need", "needs"])
                && thing(next)
                && (behind >= sentence.clause_end(next) || sentence.is(behind, &why))
            || sentence.phrase(at, &["should", "never", "have", "to", "use"])
            || sentence.phrase(at, &["should", "never", "have", "to", "call"])
            || sentence.phrase(at, &["should", "not", "have", "to", "use"])
            || sentence.phrase(at, &["should", "not", "have", "to", "call"])
    };
    let mut found = (0..sentence.tokens.len()).filter(|&at| obliging(at)).peekable();
    found.peek().is_some() && found.all(used) && !sentence.any(words::POLITE)
}

/// Whether a sentence without a reading says something of a thing that is not certainly nothing to do: it is no tale, no
/// praise, no refusal, and not about other languages. What names a thing asks for something unless it is known not to.
pub(super) fn is_open(sentence: &Sentence<'_>) -> bool {
    let count = sentence.tokens.len();
    let any = |list: &[&str]| sentence.has(0..count, list);
    let named = sentence.mentions.iter().any(|mention| mention.strong);
    let excepted = any(&["except", "excepting", "besides"])
        || (0..count).any(|at| {
            sentence.is(at, &["apart", "aside"]) && sentence.is(at.saturating_add(1), &["from"])
                || sentence.phrase(at, &["other", "than"])
        });
    let told = super::super::rename::tells(sentence)
        || any(words::REPORTING)
        || any(words::KEEPING)
        || any(&["already", "was", "were", "did", "had", "been", "done", "renamed", "moved", "hid", "made"]);
    let praised = any(words::APPROVING) || any(&["like", "love", "thanks", "thank", "works", "lgtm", "+1"]);
    let others = sentence
        .languages
        .iter()
        .any(|(_, language, role)| *language != sentence.language && *role != LanguageRole::Scope);
    let wire = any(words::WIRE);
    let closed = standing::is_closed(sentence) || sentence.zones.contains(&Zone::Condition);
    named && (excepted || !told && !praised && !others && !wire && !closed && !sentence.is_turned())
}

/// Why what a sentence asks is not certain.
pub(in crate::reader) fn doubt(sentence: &Sentence<'_>) -> Option<Doubt> {
    let count = sentence.tokens.len();
    // `I was about to propose X`
    let given_up = (0..count).any(|at| {
        sentence.is(at, &["was", "were"])
            && sentence.is(at.saturating_add(1), &["about", "going", "tempted"])
            && sentence.is(at.saturating_add(2), &["to"])
    });
    if given_up {
        return Some(Doubt::Undecided);
    }
    let question = sentence.tokens.iter().any(|token| token.is_sign('?'));
    let first = (0..count).find(|&at| sentence.is_text(at)).unwrap_or(0);
    let asks_for_sense = (0..count).any(|at| {
        sentence.phrase(at, &["make", "sense"])
            // `would you like X?`
            || sentence.phrase(at, &["would", "you"]) && sentence.is(at.saturating_add(2), &["like", "prefer", "want"])
    });
    let polite = !asks_for_sense
        && ((0..count).any(|at| words::POLITE_QUESTIONS.iter().any(|phrase| sentence.says(at, phrase)))
            || sentence.has(0..count, words::POLITE)
            || (0..count).any(|at| {
                sentence.is(at, &["can", "could", "would", "may"])
                    && (at == first
                        || sentence.clause_start(at) == at
                        || sentence.is(at.saturating_sub(1), &["so", "and", "or"]))
                    && !sentence.is(at.saturating_add(1), &["be", "people", "users", "customers", "they", "developers"])
            }));
    // `Is it agreed that we rename X, please?`: what is asked is whether it is so.
    let whether = sentence.is(first, &["is", "are", "was", "were", "does", "did", "has", "have"])
        && !words::POLITE_QUESTIONS.iter().any(|phrase| sentence.says(first, phrase))
        && !sentence.is(first.saturating_add(1), &["you"]);
    if question && (!polite || whether) {
        let last = sentence.tokens.iter().rposition(|token| token.is_sign('?')).unwrap_or(count);
        // A question that is asked and answered by what follows in the sentence is no doubt.
        let quoted = (last.saturating_add(1)..count).any(|at| sentence.is_text(at));
        if !quoted {
            return Some(Doubt::Question);
        }
    }
    let asks = (0..count).find(|&at| sentence.is_text(at)).is_some_and(|first| {
        sentence.is(first, &["should", "shall"])
            && sentence.is(first.saturating_add(1), &["we", "i", "it", "this", "the", "these", "those", "they", "that"])
    });
    if asks {
        return Some(Doubt::Question);
    }
    // `when you mock it, X becomes Y`: what happens.
    let happens = sentence.any(&["becomes", "become", "turns"])
        && (0..count)
            .any(|at| sentence.is(at, &["when", "whenever"]) && !sentence.is(at.saturating_add(1), &["possible"]));
    if happens || sentence.zones.contains(&Zone::Condition) {
        return Some(Doubt::Condition);
    }
    // `X gets renamed by the emitter`: what a tool does.
    let by_tool = (0..count).any(|at| {
        sentence.is(at, &["by"])
            && (1..3).any(|step| {
                sentence.is(at.saturating_add(step), &["emitter", "generator", "compiler", "tool", "serializer"])
            })
    });
    if by_tool {
        return Some(Doubt::Undecided);
    }
    let excepted = (0..count).any(|at| {
        // `all fine except X, which should be Y`
        let wished = (at..sentence.tokens.len())
            .any(|here| sentence.is(here, &["which", "that"]) && sentence.is(here.saturating_add(1), words::OBLIGING));
        // `fine except that X should be Y`
        let wished = wished
            || sentence.is(at.saturating_add(1), &["that"])
                && (at..sentence.clause_end(at)).any(|here| sentence.is(here, words::OBLIGING));
        sentence.is(at, &["except", "excluding", "excepting"])
            && !wished
            && !sentence.languages.iter().any(|(_, _, role)| *role == LanguageRole::Excluded)
    });
    if excepted {
        return Some(Doubt::Condition);
    }
    if standing::is_closed(sentence) || tells_a_version(sentence) {
        return Some(Doubt::Undecided);
    }
    if (0..count).any(|at| sentence.is(at, words::DOUBTS) && sentence.zone(at) == Zone::Main) {
        return Some(Doubt::Undecided);
    }
    None
}

/// `1.0.0: X public again`, `Commit 3fa2c1: make X internal`, `already shipped in 1.0.0: X hidden`: what was done in a version.
fn tells_a_version(sentence: &Sentence<'_>) -> bool {
    if sentence.any(words::OBLIGING) || sentence.any(words::POLITE) {
        return false;
    }
    let Some(first) = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)) else { return false };
    let next = first.saturating_add(1);
    let version = |at: usize| {
        let text = sentence.get(at).map_or("", |token| token.text.trim_start_matches('v'));
        text.starts_with(|one: char| one.is_ascii_digit()) && text.matches('.').count() > 1
    };
    let commit = sentence.is(first, &["commit"])
        && sentence.get(next).is_some_and(|token| token.text.chars().all(|one| one.is_ascii_hexdigit()))
        && sentence.is_sign(next.saturating_add(1), ':');
    let shipped = (first..first.saturating_add(2)).any(|at| sentence.is(at, &["shipped", "released"]));
    version(first) || commit || shipped && (first..sentence.tokens.len()).any(version)
}
