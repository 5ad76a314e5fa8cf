//! Decisions about wishes that are picked by their order, their number or their kind: `the first no`, `1 and 3 stand`, `with (ii)
//! go ahead`, `the former yes`, `just the rename`.

use std::ops::Range;

use super::list::{Things, Which};
use super::{Asked, Said, Verdict};

/// What decides for a wish and may be acted on.
const YES: &[&str] = list! {
    "yes" "yep" "accepted" "agreed" "approved" "stand" "stands" "ahead" "carried" "passed" "adopted" "majority" "unanimous" "unanimously"
};
/// What decides nothing against a wish.
const WELL: &[&str] = list! {
    "ok" "okay" "fine" "good" "right" "please" "do" "does" "take" "implement" "apply" "accept" "agree" "approve" "liked"
};
/// What decides against a wish, whatever stands around it.
const REFUSED: &[&str] = list! {
    "rejected" "reject" "declined" "decline" "refused" "refuse" "vetoed" "veto" "strike" "struck" "dropped" "drop" "dismissed"
    "dismiss" "scrap" "scrapped" "skip" "forget" "ignore" "withdrawn" "withdraw" "revoked" "cancel" "cancelled" "denied" "abandoned"
    "retract" "retracted" "nonsense" "off" "down"
};
/// What turns a part of a sentence round: a decision where it says nothing else.
const TURNED: &[&str] = list! {
    "no" "nope" "nah" "not" "isn't" "aren't" "don't" "doesn't" "won't" "wasn't" "weren't" "can't" "didn't" "never" "against" "without"
    "except" "leave" "out"
};
/// What may stand beside such a word in a decision.
const FILLERS: &[&str] = list! {
    "the" "one" "ones" "we" "i" "i'm" "said" "say" "to" "am" "is" "are" "was" "were" "did" "it" "with" "of" "them" "for" "and" "sorry"
    "but" "please" "from" "me" "us" "they" "a" "clear" "then" "so" "ok" "proposal" "point" "item" "number" "had" "got"
};
/// What leaves a decision open.
const OPEN: &[&str] = list! {
    "if" "once" "when" "unless" "until" "after" "before" "might" "may" "pending" "revert" "undo" "wait" "hold" "postpone" "discuss"
    "discussing" "keep" "keeps" "maybe" "perhaps" "later" "whether" "mind" "problem" "objection" "objections" "argue"
};
/// What says that some are left out, without a decision about each.
const BUT: &[&str] = &["but", "except", "besides", "apart"];
const ORDINALS: [&[&str]; 5] =
    [&["first", "former", "1st"], &["second", "2nd"], &["third", "3rd"], &["fourth", "4th"], &["fifth", "5th"]];
/// Nouns that an ordinal may stand before.
const NOUNS: &[&str] = list! {
    "one" "ones" "proposal" "suggestion" "point" "item" "wish" "idea" "change" "rename" "request" "finding" "remark" "comment"
};
/// What may stand behind a pick.
const BEHIND: &[&str] = list! {
    "is" "was" "got" "has" "i" "we" "they" "and" "or" "can" "should" "makes" "goes" "counts" "too" "it's" "that" "did" "please" "stays"
    "remains" "with" "he" "she" "would" "will" "as" "by" "isn't" "wasn't" "though" "only" "yes" "no" "not" "out" "off"
};

/// What sentences decide about each wish.
pub(super) fn verdicts<'a>(
    things: &Things<'_>,
    said: impl Iterator<Item = &'a Said>,
    asked: &[Asked],
) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; asked.len()];
    for sentence in said {
        for decision in decisions(things, sentence) {
            let Some(chosen) = things.chosen(&decision.which) else {
                // Something is decided about something that is not known: it may be any of them.
                if decision.verdict != Verdict::Unsaid {
                    things.order().iter().for_each(|&wish| set(&mut verdicts, wish, Verdict::Open));
                }
                continue;
            };
            // `The rename is not breaking.`
            let single = things.order().len() == 1;
            let verdict = match decision.verdict {
                Verdict::Unsaid if single => continue,
                Verdict::Unsaid => Verdict::Open,
                Verdict::Refused if single => Verdict::Open,
                verdict => verdict,
            };
            chosen.iter().for_each(|&wish| set(&mut verdicts, wish, verdict));
            if decision.only && matches!(verdict, Verdict::Accepted | Verdict::Kept) {
                let others = things.order().iter().filter(|wish| !chosen.contains(wish));
                others.for_each(|&wish| set(&mut verdicts, wish, Verdict::Refused));
            }
        }
    }
    verdicts
}

/// Two decisions that differ leave it open.
fn set(verdicts: &mut [Option<Verdict>], wish: usize, verdict: Verdict) {
    if let Some(known) = verdicts.get_mut(wish) {
        *known = match *known {
            Some(Verdict::Accepted) if verdict == Verdict::Kept => Some(Verdict::Accepted),
            Some(Verdict::Kept) if verdict == Verdict::Accepted => Some(Verdict::Accepted),
            Some(other) if other != verdict => Some(Verdict::Open),
            _ => Some(verdict),
        };
    }
}

struct Decision {
    which: Which,
    verdict: Verdict,
    /// Whether it leaves the others out.
    only: bool,
}

impl Decision {
    /// About some of the wishes, which cannot be told.
    fn unknown() -> Self {
        Self { which: Which::Unknown, verdict: Verdict::Open, only: false }
    }
}

/// What a sentence decides.
fn decisions(things: &Things<'_>, sentence: &Said) -> Vec<Decision> {
    if let Some((which, verdict)) = answer(things, sentence) {
        return vec![Decision { which, verdict, only: false }];
    }
    // A sentence that gives wishes itself decides with what stands behind them.
    let from = things.behind_wishes(sentence);
    let picks: Vec<(usize, Which)> =
        (from..sentence.tokens.len()).filter_map(|at| Some((at, pick(things, sentence, at, from)?))).collect();
    if picks.is_empty() {
        return Vec::new();
    }
    let open = sentence.tokens.iter().any(|token| token.is(OPEN) || token.is_sign('?'));
    // `all but the second`, `the first two`, `2 to 4`
    let beside = |at: usize, list: &[&str]| sentence.is(at, list);
    let several = picks.iter().any(|(at, _)| {
        let before = (at.saturating_sub(2)..*at).any(|here| beside(here, BUT))
            && sentence.tokens.iter().any(|token| token.is(&["all", "everything", "both", "none", "any"]));
        let behind = at.saturating_add(1);
        before
            || beside(behind, &["two", "three", "four", "half"])
            || beside(behind, &["to", "through"]) && sentence.is_number(behind.saturating_add(1))
            || (sentence.is_sign(behind, '-') || sentence.is_sign(behind, '–'))
                && sentence.is_number(behind.saturating_add(1))
    });
    let decides = |at: usize| [YES, WELL, REFUSED, TURNED].iter().any(|list| sentence.is(at, list));
    if several {
        let decided = (0..sentence.tokens.len()).any(decides);
        return decided.then(Decision::unknown).into_iter().collect();
    }
    let parts = parts(sentence, from, &picks);
    let picked = |part: &Range<usize>| picks.iter().any(|(at, _)| part.contains(at));
    let mut decisions = Vec::new();
    for (at, which) in &picks {
        let Some(own) = parts.iter().position(|part| part.contains(at)) else { continue };
        let only = only_before(sentence, *at);
        // `The first is a matter of taste and I've dismissed it.`
        let behind = parts.iter().skip(own.saturating_add(1)).take_while(|part| !picked(part));
        let said = parts
            .get(own)
            .and_then(|part| polarity(sentence, part))
            .or_else(|| behind.filter_map(|part| strong(sentence, part)).next());
        let verdict = match said {
            None if only => Verdict::Kept,
            None => continue,
            Some(Verdict::Unsaid) => Verdict::Unsaid,
            Some(_) if open => Verdict::Open,
            Some(verdict) => verdict,
        };
        decisions.push(Decision { which: which.clone(), verdict, only });
    }
    // A pick of which nothing is said beside others of which something is: it may be meant with them.
    let decided = decisions.iter().any(|one| one.verdict != Verdict::Unsaid);
    if decided && decisions.len() < picks.len() {
        return vec![Decision::unknown()];
    }
    // `The former was turned down, the latter is fine.`
    if decisions.iter().any(|one| one.verdict == Verdict::Refused) {
        let kept = decisions.iter_mut().filter(|one| one.verdict == Verdict::Kept);
        kept.for_each(|one| one.verdict = Verdict::Accepted);
    }
    decisions
}

/// `1. no`, `(b) yes`: an answer behind a mark.
fn answer(things: &Things<'_>, sentence: &Said) -> Option<(Which, Verdict)> {
    let texts: Vec<usize> = (0..sentence.tokens.len()).filter(|&at| sentence.is_text(at)).collect();
    let (label, said) = texts.split_first()?;
    let label = sentence.tokens.get(*label).filter(|token| things.has_label(&token.lower))?;
    let word = *said.first().filter(|_| said.len() <= 2)?;
    let verdict = if sentence.is(word, YES) {
        Verdict::Accepted
    } else if sentence.is(word, REFUSED) || sentence.is(word, &["no", "nope", "nah"]) {
        Verdict::Refused
    } else {
        return None;
    };
    Some((Which::Label(label.lower.clone()), verdict))
}

/// What a part of a sentence decides; `Unsaid` where it is turned round and speaks of something else.
fn polarity(sentence: &Said, part: &Range<usize>) -> Option<Verdict> {
    let has = |list: &[&str]| part.clone().any(|at| sentence.is(at, list));
    let turned = has(TURNED);
    match (has(YES), has(REFUSED)) {
        (true, true) => return Some(Verdict::Open),
        (true, false) => return Some(if turned { Verdict::Open } else { Verdict::Accepted }),
        // `not rejected`
        (false, true) => return Some(if turned { Verdict::Open } else { Verdict::Refused }),
        (false, false) => {}
    }
    if !turned {
        return has(WELL).then_some(Verdict::Kept);
    }
    let plain = |at: usize| {
        !sentence.is_text(at)
            || sentence.is(at, TURNED)
            || sentence.is(at, FILLERS)
            || sentence.is(at, NOUNS)
            || ORDINALS.iter().any(|words| sentence.is(at, words))
            || sentence.is(at, &["last", "latter"])
            || sentence.tokens.get(at).is_some_and(|token| token.text.len() <= 3)
    };
    Some(if part.clone().all(plain) { Verdict::Refused } else { Verdict::Unsaid })
}

/// What a part behind the one with the pick decides for certain.
fn strong(sentence: &Said, part: &Range<usize>) -> Option<Verdict> {
    let has = |list: &[&str]| part.clone().any(|at| sentence.is(at, list));
    let turned = has(TURNED);
    match (has(YES), has(REFUSED)) {
        (false, false) => None,
        (true, false) if !turned => Some(Verdict::Accepted),
        (false, true) if !turned => Some(Verdict::Refused),
        _ => Some(Verdict::Open),
    }
}

/// `only the second`, `just the rename`, and not `not only the second`.
fn only_before(sentence: &Said, at: usize) -> bool {
    let words = |back: usize| at.checked_sub(back).is_some_and(|here| sentence.is(here, &["only", "just", "solely"]));
    let back = if words(1) { 1 } else { 2 };
    words(back) && !at.checked_sub(back.saturating_add(1)).is_some_and(|here| sentence.is(here, TURNED))
}

/// What is picked at a token.
fn pick(things: &Things<'_>, sentence: &Said, at: usize, from: usize) -> Option<Which> {
    let next = at.saturating_add(1);
    let ordinal = |here: usize| ORDINALS.iter().position(|words| sentence.is(here, words));
    let determined = at.checked_sub(1).is_some_and(|before| {
        sentence.is(before, &["the", "my", "your", "his", "her", "their", "our", "that", "this", "only"])
    });
    // `the first and third`
    let joined = at
        .checked_sub(2)
        .is_some_and(|before| sentence.is(at.saturating_sub(1), &["and", "or"]) && ordinal(before).is_some());
    let closed = !sentence.is_text(next)
        || [NOUNS, BEHIND, YES, REFUSED, WELL, &["two", "three", "half"]].iter().any(|list| sentence.is(next, list));
    if (determined || joined) && closed && at >= from {
        if let Some(nth) = ordinal(at) {
            return Some(Which::Nth(nth));
        }
        if sentence.is(at, &["last", "latter"]) && !sentence.is(next, &["and"]) {
            return Some(Which::Last);
        }
        let this = sentence.is(at.saturating_sub(1), &["that", "this"]);
        if let Some(which) = Which::of_kind(sentence, at).filter(|_| !this) {
            return Some(which);
        }
    }
    label_at(things, sentence, at)
}

/// `number 2`, `#2`, `(b)`, and `2` or `b` alone where something is said of it.
fn label_at(things: &Things<'_>, sentence: &Said, at: usize) -> Option<Which> {
    let token = sentence.tokens.get(at).filter(|token| token.is_text() && !token.quoted)?;
    let (next, before) = (at.saturating_add(1), at.checked_sub(1));
    let is_before = |list: &[&str]| before.is_some_and(|before| sentence.is(before, list));
    let sign = |sign: char| before.is_some_and(|before| sentence.is_sign(before, sign));
    let bracketed = sign('(') && sentence.is_sign(next, ')');
    let digit = sentence.is_number(at);
    let named = sign('#') || is_before(&["number", "item", "point", "nr", "proposal", "points", "items", "numbers"]);
    if named && digit && !things.has_label(&token.lower) {
        return Some(things.counted(&token.lower));
    }
    if !things.has_label(&token.lower) {
        return None;
    }
    let said = ["and", "or", "is", "are", "was", "were", "to", "got"];
    let said = sentence.is(next, &said)
        || [YES, REFUSED, WELL, TURNED].iter().any(|list| sentence.is(next, list))
        || sentence.is_sign(next, ',')
        || next >= sentence.tokens.len()
        || sentence.is_sign(next, ':')
        || sentence.is_sign(next, '.') && next.saturating_add(1) >= sentence.tokens.len();
    let leading = list! {
        "and" "or" "but" "strike" "to" "with" "except" "for" "only" "not" "drop" "skip" "take" "do"
    };
    let led = is_before(leading) || before.is_none_or(|before| !sentence.is_text(before));
    let article = token.lower == "i" || token.lower == "a" && !sentence.is(next, &["and", "or", "is", "are"]);
    (bracketed || named || said && led && (digit || !article)).then(|| Which::Label(token.lower.clone()))
}

/// The parts of a sentence, each of which says one thing: at signs and words that join, but for those between two picks.
fn parts(sentence: &Said, from: usize, picks: &[(usize, Which)]) -> Vec<Range<usize>> {
    let joins = |at: usize| {
        let before = picks.iter().any(|(pick, _)| {
            let end = pick.saturating_add(1);
            end == at || end.saturating_add(1) == at && (sentence.is(end, NOUNS) || sentence.is_sign(end, ')'))
        });
        before && picks.iter().any(|(pick, _)| (at.saturating_add(1)..=at.saturating_add(3)).contains(pick))
    };
    let splits = |at: usize| {
        let sign = [',', ';', ':', '–', '—', '-', '.'].iter().any(|sign| sentence.is_sign(at, *sign))
            || sentence.is_sign(at, '(') && !picks.iter().any(|(pick, _)| at.saturating_add(1) == *pick);
        let word = ["and", "but", "while", "whereas", "because", "since", "though", "although"];
        (sign || sentence.is(at, &word)) && !joins(at)
    };
    let mut parts = Vec::new();
    let mut start = from;
    for at in from..sentence.tokens.len() {
        if splits(at) && at > start {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..sentence.tokens.len());
    parts.retain(|part| !part.is_empty());
    parts
}
