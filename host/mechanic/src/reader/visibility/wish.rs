//! Whether a word wishes that something be hidden or shown.

use super::super::lexicon as words;
use super::super::sentence::Sentence;
use super::Wish;

pub(in crate::reader) fn wish_at(sentence: &Sentence<'_>, at: usize) -> Option<Wish> {
    let start = sentence.clause_start(at);
    let wished = is_wished(sentence, at, start);
    // What something does itself: `X hides errors`.
    if sentence.is(at, &["hides", "exposes", "hid"]) {
        return None;
    }
    if sentence.is(at, words::HIDING) {
        if sentence.is(at.saturating_add(1), &["nothing", "none"]) {
            return Some(Wish::Keep);
        }
        let adjective = sentence
            .is(at, &["internal", "private", "hidden", "non-public", "nonpublic", "package-private", "unexported"]);
        // `Internal parts should not be listed by X`
        let subject = start == at
            && sentence
                .mention_at(at.saturating_add(1))
                .is_some_and(|mention| !mention.strong && sentence.is(mention.end, words::OBLIGING));
        if adjective && (subject || is_attribute(sentence, at)) {
            return None;
        }
        // `there is no reason any more for X to be internal`
        let unreasoned = (start..at).any(|here| {
            sentence.is(here, &["no"])
                && sentence.is(here.saturating_add(1), &["reason", "need", "point", "justification"])
        });
        if unreasoned {
            return None;
        }
        if sentence.negated(at) || sentence.has(start..at, &["stop", "avoid", "undo", "unmark"]) {
            let no_longer = (start..at).any(|here| {
                sentence.phrase(here, &["no", "longer"]) || sentence.is(here, words::OBLIGING) && adjective
            });
            return Some(if no_longer && wished { Wish::Show } else { Wish::Keep });
        }
        let shown = sentence.has(start..at, &["out", "un-hide", "unhide"]);
        return (wished && !shown).then_some(Wish::Hide);
    }
    // `X leaves the public surface`: what a sentence says of the names in front of it.
    let named = (start..at).any(|here| sentence.mention_at(here).is_some_and(|mention| mention.strong));
    let leaves = sentence.is(at, &["leave", "leaves"])
        && sentence.has(at..at.saturating_add(6), words::SURFACE)
        && sentence.is(at.saturating_add(1), &["the", "our"])
        && sentence.has(at..at.saturating_add(6), &["public", "exported"]);
    if leaves && named && !sentence.negated(at) {
        return Some(Wish::Hide);
    }
    // `We need X back`, of something that is hidden.
    let back = sentence.is(at, &["back"])
        && !sentence.is(at.saturating_add(1), &["to", "into", "onto", "with", "under"])
        && (start..at).any(|here| {
            let object = sentence.is(at.saturating_sub(1), &["it", "that", "them"])
                && sentence.is(here, &["need", "want", "like", "have"])
                && at.saturating_add(1) >= sentence.clause_end(at);
            object
                || sentence.is(here, &["need", "want", "bring", "get", "give", "put", "like", "have"])
                    && sentence.mentions.iter().any(|mention| {
                        mention.at > here
                            && mention.end <= at
                            && mention.candidates.iter().all(|&one| is_hidden(sentence, one))
                    })
        });
    if back && !sentence.negated(at) {
        return Some(Wish::Show);
    }
    // `people should be able to call X again`, of something that is hidden
    let able = (start..at).find(|&here| sentence.phrase(here, &["able", "to"]));
    let reached = sentence.is(at, &["reach", "call", "use", "access", "see", "find"])
        && able.is_some_and(|able| sentence.has(start..able, words::OBLIGING))
        && !sentence.negated(at)
        && sentence.mentions.iter().any(|mention| {
            mention.strong
                && (at.saturating_add(1)..at.saturating_add(3)).contains(&mention.at)
                && mention.candidates.iter().all(|&one| is_hidden(sentence, one))
        });
    if reached {
        return Some(Wish::Show);
    }
    // `please show it again`, `don't show X to users`
    let first = at == start
        || (start..at).all(|here| {
            sentence.is(here, words::POLITE) || sentence.is(here, &["don't", "do", "not", "never", "and", "so", "then"])
        });
    let object = sentence.is(at.saturating_add(1), &["it", "them", "this", "that", "these"])
        || sentence.mention_at(at.saturating_add(1)).is_some();
    if sentence.is(at, &["show"]) && first && object {
        let users = sentence
            .has(at..sentence.clause_end(at), &["users", "customers", "people", "callers", "developers", "outside"]);
        return match (
            sentence.negated(at),
            users || sentence.has(at..sentence.clause_end(at), &["again", "anymore", "publicly"]),
        ) {
            (true, true) => Some(Wish::Hide),
            (false, true) => Some(Wish::Show),
            _ => None,
        };
    }
    // `open it up`, of something that is hidden
    let opens = sentence.is(at, &["open"])
        && (at.saturating_add(1)..at.saturating_add(4)).any(|here| sentence.is(here, &["up"]))
        && (wished || start == at);
    if opens && !sentence.negated(at) {
        return Some(Wish::Show);
    }
    // `we need X in the public API`, of something that is hidden
    let needed = sentence.is(at, &["public"])
        && (start..at).any(|here| {
            sentence.is(here, &["need", "want", "needs", "wants"])
                && sentence.mentions.iter().any(|mention| {
                    mention.at > here
                        && mention.end < at
                        && !mention.candidates.is_empty()
                        && mention.candidates.iter().all(|&one| is_hidden(sentence, one))
                })
        })
        && sentence.has(at..at.saturating_add(3), words::SURFACE);
    if needed && !sentence.negated(at) {
        return Some(Wish::Show);
    }
    if sentence.phrase(at, &["bring", "back"]) && wished && !sentence.negated(at) {
        return Some(Wish::Show);
    }
    let undone =
        sentence.lower(at).strip_prefix("un-").is_some_and(|rest| words::HIDING.contains(&rest) || rest == "hide");
    if sentence.is(at, &["unhide", "un-hide"]) || undone {
        return if sentence.negated(at) { Some(Wish::Keep) } else { (wished || undone).then_some(Wish::Show) };
    }
    // `users should not see X`
    // `X should not be something that users see`
    let own = (start..at).any(|here| sentence.mention_at(here).is_some() || sentence.is(here, &["it", "this"]))
        && at.saturating_add(1) >= sentence.clause_end(at);
    let seen = sentence.is(at, &["see", "find", "access", "reach", "call", "touch"])
        && sentence.negated(at)
        && sentence.has(
            start..at,
            list! {
                "users" "customers" "people" "callers" "developers" "they" "anyone" "anybody" "user" "customer"
                "caller" "developer" "consumers" "nobody" "outside" "else"
            },
        )
        && sentence.has(start..at, words::OBLIGING)
        && (own
            || sentence.mention_at(at.saturating_add(1)).is_some()
            || sentence.is(at.saturating_add(1), &["it", "this", "that"]));
    if seen {
        return Some(Wish::Hide);
    }
    if sentence.is(at, &["publish"]) {
        return shall_not_be_published(sentence, at).then_some(Wish::Hide);
    }
    if sentence.is(at, words::PUBLICITY) {
        if sentence.is(at, &["exported", "visible", "supported", "published", "offered"]) && is_attribute(sentence, at)
        {
            return None;
        }
        // `from public to internal`
        if at.checked_sub(1).is_some_and(|before| sentence.is(before, &["from"]))
            && sentence.has(at..sentence.tokens.len(), words::HIDING)
        {
            return None;
        }
        let surface = sentence.is(at, words::SURFACE);
        // `part of the talk about the public API`
        let of = (start..at).find(|&here| sentence.phrase(here, &["part", "of"])).map(|here| here.saturating_add(2));
        // `keep it out of the talk about the public API`
        let out = (start..at).find(|&here| sentence.phrase(here, &["out", "of"])).map(|here| here.saturating_add(2));
        let idle = |here: usize| {
            let client = ["client", "client's", "sdk", "sdk's", "library", "library's", "package", "official"];
            sentence.is(here, words::FILLERS)
                || sentence.is(here, words::PUBLICITY)
                || sentence.is(here, &client)
                || sentence.languages.iter().any(|(place, ..)| *place == here)
        };
        let talk = |here: usize| sentence.is(here, &["about", "on", "of", "regarding", "concerning"]);
        if of.is_some_and(|of| (of..at).any(|here| sentence.is_text(here) && !idle(here)))
            || out.is_some_and(|out| (out..at).any(talk))
        {
            return None;
        }
        // `stop exposing X`, `neither X nor Y should be public`
        let stops = sentence.is(at, &["exposing", "showing", "exporting", "publishing", "shipping"])
            && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["stop", "avoid"]));
        if stops && !sentence.negated(at) {
            return Some(Wish::Hide);
        }
        // Each of them by a name that is certain.
        let named = |at: usize| {
            let next = at.saturating_add(1);
            !sentence.is(at, &["neither", "nor"])
                || sentence.mention_at(next).is_some_and(|mention| mention.strong)
                || sentence.is(next, words::OBLIGING)
                || sentence.is(next, &["of"])
        };
        if sentence.is(start, &["neither"]) && !(start..at).all(named) {
            return None;
        }
        let neither = sentence.is(start, &["neither", "none"])
            && (start..at)
                .any(|here| sentence.is(here, words::OBLIGING) && sentence.is(here.saturating_add(1), &["be"]));
        if neither {
            return Some(Wish::Hide);
        }
        let removal = removed(sentence, at);
        if removal.is_some_and(|verb| verb >= start && sentence.negated(verb)) {
            return Some(Wish::Keep);
        }
        let against = sentence.negated(at) || removal.is_some();
        if against {
            let verb = sentence.is(at, &["ship", "expose", "exposing", "show", "export"]);
            return (wished
                || verb
                || sentence.is(at, &["exposed", "visible", "callable", "public", "shipped", "surfaced"])
                    && is_fragment(sentence, start))
            .then_some(Wish::Hide);
        }
        let keeps = sentence.has(start..at, words::KEEPING);
        if keeps {
            return Some(Wish::Keep);
        }
        // `X should be part of the public API`
        let made = wished && sentence.has(start..at, &["make"]);
        if surface && of.is_some() && (made || (start..at).any(|here| sentence.is(here, words::OBLIGING))) {
            return Some(Wish::Show);
        }
        // `has to come back as a public method`
        let made = sentence.is(at, &["public", "exported"])
            && sentence.is(at.saturating_sub(1), &["a", "an"])
            && (sentence.is(at.saturating_sub(2), &["be", "become", "into"])
                || sentence.is(at.saturating_sub(2), &["as"])
                    && (1..=2).any(|step| {
                        sentence.is(
                            at.saturating_sub(2).saturating_sub(step),
                            &["come", "expose", "exposed", "export", "return"],
                        )
                    }))
            && words::kinds_of(sentence.lower(at.saturating_add(1))).is_some();
        if made && wished {
            return Some(Wish::Show);
        }
        // `public` beside a noun only says which surface is meant.
        if surface && is_attribute(sentence, at) {
            return None;
        }
        // `expose X as Y`, `available under Z` name or place a thing.
        let end = sentence.clause_end(at);
        let names = sentence.has(at..end, &["as", "under", "via", "through", "on", "from", "by", "with"]);
        let verb = sentence.is(
            at,
            list! {
                "expose" "exposed" "export" "exported" "public" "visible" "publish" "show" "accessible" "available"
            },
        );
        let again = sentence.is(at, &["callable", "reachable", "visible", "accessible", "available", "offered"])
            && sentence.any(&["again", "outside", "more", "back"]);
        let names = names && !again;
        let verb = verb || again;
        return (wished && verb && !names).then_some(Wish::Show);
    }
    None
}

/// `don't publish X`, `for the GA please do not publish X`, and neither `we don't publish X` nor `don't publish X to npm`.
fn shall_not_be_published(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.clause_start(at);
    let behind = at.saturating_add(1)..sentence.tokens.len();
    let object = behind
        .clone()
        .find(|&here| !sentence.is(here, words::FILLERS) && words::kinds_of(sentence.lower(here)).is_none());
    let named = object.and_then(|object| sentence.mention_at(object)).is_some_and(|mention| mention.strong);
    let elsewhere =
        list! { "before" "until" "till" "yet" "as" "under" "to" "on" "with" "without" "again" "today" "currently" };
    let somebody =
        list! { "we" "they" "i" "you" "he" "she" "it" "who" "that" "which" "why" "people" "users" "customers" };
    let ordered = sentence.has(start..at, words::OBLIGING)
        || !(start..at).any(|here| sentence.is(here, somebody) || sentence.mention_at(here).is_some());
    named && ordered && sentence.negated(at) && !sentence.has(behind, elsewhere) && !is_told(sentence, at, start)
}

pub(super) fn is_hidden(sentence: &Sentence<'_>, one: usize) -> bool {
    let client = sentence.lookup.entity(one).client.as_ref();
    client.is_some_and(|client| client.access == bailiwick_sdk::tasks::Access::Internal)
}

/// `the public API`, `internal tooling`: which one, and no wish.
pub(super) fn is_attribute(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    let article = at
        .checked_sub(1)
        .is_some_and(|before| sentence.is(before, &["the", "our", "a", "an", "this", "some", "its", "any"]));
    // `make X an internal operation` says what X shall be.
    let made = (sentence.clause_start(at)..at).any(|here| {
        sentence.is(here, &["make", "turn", "mark", "made"]) && sentence.mention_at(here.saturating_add(1)).is_some()
    });
    // `has to be public after all`
    let after_all = sentence.phrase(next, &["after", "all"]) && !sentence.is_text(next.saturating_add(2));
    let noun = !made
        && sentence.get(next).is_some_and(|token| {
            token.is_text()
                && !token.is(list! {
                    "in" "for" "please" "pls" "and" "again" "to" "as" "too" "then" "here" "there" "or" "instead"
                    "but" "because" "since" "is" "everywhere" "only" "now" "so" "with" "it" "them" "this" "that"
                    "on" "by" "from" "thanks" "thx" "if" "unless" "too" "any" "anymore" "either" "no" "at"
                })
                && sentence.mention_at(next).is_none()
                && !after_all
                && !sentence.languages.iter().any(|(place, ..)| *place == next)
        });
    noun && (article
        || sentence
            .is(at, &["internal", "private", "public", "exported", "shipped", "visible", "published", "supported"]))
}

/// The word of removing in front of a word of being seen: `out of the public surface`.
pub(super) fn removed(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let from = at.saturating_sub(8);
    (from..at).find(|&here| {
        sentence.is(here, words::REMOVING)
            && !sentence.is(here, &["take", "pull", "drop", "leaked", "leak"])
            // `get rid of the bug in X`
            && (!sentence.is(here, &["rid"])
                || sentence.mentions.iter().any(|one| one.at > here && sentence.adjoins(here.saturating_add(1), one.at)))
            || sentence.is(here, &["disappear", "go", "gone", "take", "drop", "pull", "leaked", "leak", "keep"])
                && sentence.has(here..at, &["from", "out", "off", "into"])
    })
}

pub(super) fn is_fragment(sentence: &Sentence<'_>, start: usize) -> bool {
    let end = sentence.clause_end(start);
    !sentence.has(
        start..end,
        &[
            "is", "are", "was", "were", "has", "have", "had", "isn't", "aren't", "wasn't", "became", "become", "it's",
            "that's", "they're",
        ],
    )
}

/// Whether a clause asks: a modal, an imperative, courtesy, or words without a verb.
pub(super) fn is_wished(sentence: &Sentence<'_>, at: usize, start: usize) -> bool {
    let modal = (start..at).any(|here| {
        sentence.is(here, words::OBLIGING)
            || sentence.phrase(here, &["has", "to"])
            || sentence.phrase(here, &["have", "to"])
            || sentence.phrase(here, &["has", "no"])
            || sentence.is(
                here,
                &[
                    "want", "wants", "let's", "would", "will", "could", "can", "should", "must", "make", "mark",
                    "turn", "keep", "take", "set", "expected", "supposed", "meant", "agreed", "i'd", "we'd", "may",
                ],
            )
            || sentence.phrase(here, &["is", "to"])
            || sentence.phrase(here, &["are", "to"])
            || sentence.phrase(here, &["not", "to", "be", "part", "of"])
            || sentence.phrase(here, &["be", "to"])
    });
    let polite = sentence.has(start..sentence.clause_end(at), words::POLITE);
    let ensured = sentence.has(start..at, &["ensure", "sure"]);
    let set =
        ensured || sentence.is(start, &["make", "mark", "turn", "change", "set", "keep", "declare", "flip", "switch"]);
    let verb = sentence.is(
        at,
        &[
            "hide",
            "unexport",
            "conceal",
            "expose",
            "export",
            "unhide",
            "show",
            "ship",
            "publish",
            "internalize",
            "surface",
        ],
    );
    let previous = at.checked_sub(1);
    let imperative = verb
        && (start == at
            || sentence.commands_in_place(at)
            || previous.is_some_and(|before| {
                sentence.is(
                    before,
                    &[
                        "to", "please", "and", "then", "you", "we", "just", "so", "also", "kindly", "not", "don't",
                        "pls", "now",
                    ],
                ) || sentence.is_sign(before, '-')
            }))
        && !is_told(sentence, at, start);
    // `Internally X calls Y`: how something is done.
    let adverb = sentence.is(at, &["internally", "privately"]);
    let bare = is_fragment(sentence, start) && !is_told(sentence, at, start) && !verb && !adverb;
    (modal || polite || imperative || bare || set) && !is_told(sentence, at, start)
}

/// `we considered hiding`, `got hidden`, `was made internal`.
pub(super) fn is_told(sentence: &Sentence<'_>, at: usize, start: usize) -> bool {
    // `we shipped it as internal`
    let did = |here: usize| {
        sentence.is(here, &["we", "they", "i", "somebody", "someone", "you"])
            && sentence.lower(here.saturating_add(1)).ends_with("ed")
            && !sentence
                .is(here.saturating_add(1), &["decided", "agreed", "need", "wanted", "asked", "voted", "settled"])
    };
    let found = (0..at).any(|here| {
        sentence.phrase(here, &["found", "out", "that"])
            || sentence.is(here, &["noticed", "learned", "learnt", "realized", "realised", "discovered"])
                && sentence.is(here.saturating_add(1), &["that"])
    });
    found
        || (start..at).any(|here| {
            did(here)
                || sentence.is(here, words::REPORTING)
                || sentence.phrase(here, &["used", "to"])
                || sentence.is(here, &["made", "marked", "turned", "became"])
                    && !(start..here)
                        .any(|before| sentence.is(before, words::MODALS) || sentence.is(before, &["be", "to"]))
                || sentence.is(here, &["got", "was", "were", "been", "already", "did", "went"])
                    && !(start..here)
                        .any(|before| sentence.is(before, words::OBLIGING) || sentence.is(before, &["never"]))
        })
}
