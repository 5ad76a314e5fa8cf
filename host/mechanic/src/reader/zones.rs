//! Which part of a sentence says, reasons, conditions or compares.

use super::lexicon as words;
use super::token::Token;

/// What a part of a sentence does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// It says what is so or what shall be.
    Main,
    /// It explains.
    Reason,
    /// It restricts.
    Condition,
    /// It says how something else is.
    Comparison,
}

pub(super) fn is_boundary(token: &Token) -> bool {
    [',', ';', ':', '(', ')', '—', '–', '-', '…', '?', '!', '.'].iter().any(|sign| token.is_sign(*sign))
}

/// The zones of a sentence's tokens.
pub(super) fn zones(tokens: &[Token]) -> Vec<Zone> {
    let word = |at: usize| tokens.get(at).filter(|token| !token.quoted).map_or("", |token| token.lower.as_str());
    let mut zones = Vec::with_capacity(tokens.len());
    let mut zone = Zone::Main;
    let mut idle = false;
    let mut timed = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = word(at.saturating_add(1));
        let after = word(at.saturating_add(2));
        let first = at == 0 || tokens.get(at.saturating_sub(1)).is_some_and(is_boundary);
        if is_boundary(token) {
            zone = Zone::Main;
            zones.push(zone);
            continue;
        }
        let lower = if token.quoted { "" } else { token.lower.as_str() };
        let starts = match lower {
            // `rename A to cause`: a name.
            "cause" if at.checked_sub(1).is_some_and(|before| ["to", "as", "named", "called"].contains(&word(before))) => None,
            "because" | "since" | "otherwise" | "whereas" | "cause" | "cuz" | "although" | "though" | "due" => {
                Some(Zone::Reason)
            }
            // `so it should not be public`: what follows from it.
            "so" if list! {
                "want" "wants" "need" "needs" "prefer" "expect" "would" "kindly" "ask" "request" "propose" "suggest" "decided" "agreed"
                "should"
            }
            .contains(&after)
                && next != "that" =>
            {
                None
            }
            "so" if words::OBLIGING.contains(&after)
                || ["has", "have", "belongs", "belong", "goes", "becomes", "ought"].contains(&after) =>
            {
                None
            }
            // `X, which I would call Y`
            "which"
                if ["i", "we"].contains(&next) && words::MODALS.contains(&after) || ["i'd", "we'd"].contains(&next) =>
            {
                None
            }
            // `X, which shall become Y`
            "which"
                if words::OBLIGING.contains(&next) && ["be", "become", "get", "read"].contains(&after)
                    || ["is", "has"].contains(&next) && after == "to" =>
            {
                None
            }
            "so" if next == "that" || ["people", "users", "callers", "it", "they", "we", "you"].contains(&next) => {
                Some(Zone::Reason)
            }
            "which" | "who" if !first || lower == "which" => Some(Zone::Reason),
            // `Java, whose owners want it so`, `Java, where it is not decided`
            "whose" => Some(Zone::Reason),
            "where" if first && at > 1 && words::language(word(at.saturating_sub(2))).is_some() => Some(Zone::Reason),
            // `in Python as well as in Java`: both.
            "as" if at > 0 && word(at.saturating_sub(1)) == "well" => None,
            "as" => as_zone(next, after),
            "like" | "unlike" | "than"
                if !["to", "it", "you"].contains(&next) && lower != "like"
                    || lower == "like" && is_comparison(tokens, at) =>
            {
                Some(Zone::Comparison)
            }
            "same" if next == "as" => Some(Zone::Comparison),
            // `X (not Y)`: what is not meant.
            "not"
                if at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|open| open.is_sign('('))
                    && tokens.get(at.saturating_add(2)).is_some_and(|close| close.is_sign(')'))
                    && tokens
                        .get(at.saturating_add(1))
                        .is_some_and(|one| one.looks_like_name() || one.text.starts_with(char::is_uppercase)) =>
            {
                Some(Zone::Comparison)
            }
            "once" if at > 0 && word(at.saturating_sub(1)) == "at" || ["more", "again", "and"].contains(&next) => None,
            // `it would help if`: a wish.
            "if" if (at.saturating_sub(8)..at)
                .any(|here| ["would", "'d", "i'd", "we'd", "it'd", "appreciate", "love"].contains(&word(here)))
                && !(at.saturating_sub(8)..at)
                    .any(|here| ["rename", "hide", "called", "renamed", "too", "break"].contains(&word(here)))
                && !(at.saturating_sub(8)..at)
                    .any(|here| word(here) == "have" && word(here.saturating_add(1)) == "been")
                && !is_counterfactual(tokens, at) =>
            {
                None
            }
            // `hide X until it is fixed`: how long, and not when.
            // `Until it is fixed, hide X`
            "until" | "till" if hides(tokens.get(..at).unwrap_or_default()) => Some(Zone::Reason),
            "until" | "till" if first && hides(behind_the_clause(tokens, at)) => Some(Zone::Reason),
            // `they look as if they belonged together`: what it is like.
            "if" if at.checked_sub(1).is_some_and(|before| word(before) == "as") => None,
            "if" | "unless" | "once" | "until" | "till" | "whenever" | "provided" | "assuming" | "pending"
            | "depending" | "supposing" => Some(if is_polite_condition(next, after, word(at.saturating_add(3))) {
                Zone::Reason
            } else {
                Zone::Condition
            }),
            // `where it makes sense`, `where appropriate`: which ones is not said.
            "where" | "wherever"
                if next == "it" && after == "makes"
                    || ["appropriate", "applicable", "sensible", "reasonable", "needed", "necessary"]
                        .contains(&next) =>
            {
                Some(Zone::Condition)
            }
            "when" => Some(
                if ["you", "i", "we", "using", "reading", "it", "possible"].contains(&next) || next.ends_with("ing") {
                    Zone::Reason
                } else {
                    Zone::Condition
                },
            ),
            "after" if next == "all" => None,
            // `remarks after reading through it`: what was done. `Rename it after talking to them`: when to do it.
            "after"
                if ["reading", "reviewing", "looking", "going", "talking", "seeing", "trying"].contains(&next)
                    && !tokens.iter().take(at).any(is_order) =>
            {
                Some(Zone::Reason)
            }
            "after" if !first => Some(Zone::Condition),
            "before" | "after" => {
                timed = at == 0 && !has_verb(tokens, at);
                Some(if is_time(next, after) || !has_verb(tokens, at) { Zone::Reason } else { Zone::Condition })
            }
            // `After the talk with them we will go with X`: an introduction of time, up to whom it speaks of.
            "we" | "i" | "please" | "let's" if zone == Zone::Reason && timed && at > 2 => {
                timed = false;
                Some(Zone::Main)
            }
            // `Since people mistake it we decided that …`: the reason in front ends where the wish begins.
            "we" | "i" | "please" | "let's"
                if zone == Zone::Reason
                    && at > 2
                    && ["since", "because", "as"].contains(&word(0))
                    && !tokens.iter().take(at).skip(1).any(is_boundary)
                    && (lower == "please"
                        || lower == "let's"
                        || ["decided", "agreed", "would", "should", "suggest", "propose", "prefer"]
                            .contains(&next)) =>
            {
                Some(Zone::Main)
            }
            // `while you are at it`: nothing but courtesy, up to its end.
            "it" | "there" if zone == Zone::Reason && idle => {
                idle = false;
                zones.push(zone);
                zone = Zone::Main;
                continue;
            }
            "while" => {
                idle = ["you", "we", "you're", "we're", "at"].contains(&next);
                Some(Zone::Reason)
            }
            "but" if zone == Zone::Comparison => Some(Zone::Main),
            "and"
                if zone == Zone::Comparison
                    && words::language(next).is_none()
                    && !["the", "in", "for", "as"].contains(&next) =>
            {
                Some(Zone::Main)
            }
            _ => None,
        };
        if let Some(start) = starts {
            zone = start;
        }
        zones.push(zone);
    }
    zones
}

/// `would be X if it were for me`: a name stands in front of the condition and none in it, so that the condition is none
/// of a wish (`it would help if it were called X`), and it is not met.
fn is_counterfactual(tokens: &[Token], at: usize) -> bool {
    let unreal = |token: &Token| token.is(&["were", "was", "had", "weren't", "wasn't", "hadn't"]);
    let condition = tokens.iter().skip(at).take_while(|token| !is_boundary(token));
    let named = condition.clone().skip(1).any(Token::looks_like_name);
    let would = tokens.iter().take(at).rposition(|token| token.is(&["would", "i'd", "we'd"])).unwrap_or(at);
    let before = tokens.iter().take(at).skip(would).any(|token| token.quoted || token.looks_like_name());
    !named && (before || condition.clone().any(unreal) && condition.clone().skip(2).take(1).any(unreal))
}

/// Whether what stands in front of a token takes something out of sight, and says neither no nor that it shall stay.
fn hides(part: &[Token]) -> bool {
    let has = |list: &[&str]| part.iter().any(|token| token.is(list));
    let out = has(words::SURFACE) && has(words::REMOVING);
    let turned = has(words::NEGATIONS) || has(words::KEEPING) || has(&["wait", "waits"]);
    (out || has(words::HIDING)) && !turned
}

/// What stands behind the comma that ends a clause in front.
fn behind_the_clause(tokens: &[Token], at: usize) -> &[Token] {
    let comma = tokens.iter().enumerate().skip(at).find(|(_, token)| token.is_sign(','));
    comma.and_then(|(comma, _)| tokens.get(comma..)).unwrap_or_default()
}

/// What `as` begins: `as .NET has it` compares, `as it confuses` explains, `as title` names.
fn as_zone(next: &str, after: &str) -> Option<Zone> {
    if words::language(next).is_some()
        || ["in", "has", "before", "usual", "agreed", "everywhere", "elsewhere", "with", "is", "was", "discussed"]
            .contains(&next)
        || ["the", "our"].contains(&next) && words::language(after).is_some()
    {
        return Some(Zone::Comparison);
    }
    if next == "well" || next == "soon" {
        return None;
    }
    if ["it", "they", "we", "you", "this", "that", "there", "nobody", "people", "users", "customers", "i"]
        .contains(&next)
    {
        // `as it is in .NET`, `as it's done for Python`
        return Some(if ["is", "was", "does", "do", "has", "did"].contains(&after) || next.contains('\'') {
            Zone::Comparison
        } else {
            Zone::Reason
        });
    }
    if ["it's", "we've", "they're", "it'd"].contains(&next) {
        return Some(Zone::Comparison);
    }
    None
}

/// `like in Python`, `like the others`, and not `I would like`.
fn is_comparison(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map_or("", |token| token.lower.as_str());
    !["would", "i'd", "we'd", "i", "we", "you'd", "they'd", "should", "'d", "d", "really", "also", "you", "love"]
        .contains(&before)
}

/// `if possible`, `if you can`, `once more`: courtesy, and no condition.
fn is_polite_condition(next: &str, after: &str, third: &str) -> bool {
    ["possible", "you", "more", "again", "feasible", "needed", "ok", "okay", "i", "anything"].contains(&next)
        && (next != "you"
            || ["can", "could", "would", "agree", "don't", "like", "have", "please", "get", "wish", "want", "do"]
                .contains(&after))
        && (next != "i" || ["may", "might", "remember", "recall", "understand", "read"].contains(&after))
        || next == "you're" && ["done", "back", "there"].contains(&after)
        || ["that's", "thats"].contains(&next) && ["ok", "okay", "fine", "possible", "alright"].contains(&after)
        || ["it's", "its"].contains(&next) && ["ok", "not", "possible", "fine"].contains(&after)
        || next == "nothing" && ["speaks", "else"].contains(&after)
        || next == "it" && after == "imported"
        || next == "it's" && after == "imported"
        || next == "not" && third.is_empty()
}

/// `before GA`, `after the last regeneration`, `when you have time`: a time, and no condition.
fn is_time(next: &str, after: &str) -> bool {
    let nominal = list! {
        "ga" "the" "this" "our" "we" "release" "next" "it" "shipping" "regeneration" "regenerating" "beta" "preview"
        "that" "all" "reading"
    };
    nominal.contains(&next) && !["is", "agrees", "approves", "signs", "says", "confirms", "has"].contains(&after)
        || list! {
            "you" "i" "writing" "reviewing" "trying" "using" "going" "looking" "migrating" "upgrading" "reading"
        }
        .contains(&next)
}

/// Whether a part that begins at a token says that something is or happens.
fn has_verb(tokens: &[Token], at: usize) -> bool {
    let own = |token: &&Token| is_boundary(token) || at == 0 && token.is(&["we", "i", "please", "let's"]);
    tokens.iter().skip(at).take_while(|token| !own(token)).any(|token| {
        token.is(list! {
            "is" "are" "was" "were" "has" "have" "agrees" "agree" "approves" "approve" "signs" "signed" "decides"
            "confirms" "confirm" "says" "said" "ships" "gets" "goes" "lands" "does" "did" "merged" "approved"
            "agreed" "decided" "confirmed" "speaks" "spoke" "checks" "checked" "answers" "replies" "knows" "can"
            "will"
        })
    })
}

/// Whether a word orders something.
fn is_order(token: &Token) -> bool {
    [words::RENAME_PROPER, words::POLITE, words::OBLIGING, words::HIDING, words::MOVE_PROPER, &["make", "call"]]
        .iter()
        .any(|list| token.is(list))
}
