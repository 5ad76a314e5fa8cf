//! Forms that ask for something without a name that is certainly one: `throughput: rate`, `no suffix Info`, `B too`.

use std::ops::Range;

use super::super::lexicon as words;
use super::super::sentence::{Mention, Sentence};
use super::super::standing::BAD;
use super::super::token::Kind;
use super::idle::{is_idle, is_settled};
use super::{ALL, JOINING, OF_PEOPLE, obliges};

/// Whether a plain word that something is called stands for that thing.
pub(super) fn is_meant(sentence: &Sentence<'_>, mention: &Mention, part: &Range<usize>) -> bool {
    is_named_anew(sentence, mention, part) || is_fragment(sentence) || is_judged(sentence, mention, part)
}

/// `likewise result`, `result too`: a few words, of which one is the name.
fn is_fragment(sentence: &Sentence<'_>) -> bool {
    let words = sentence.tokens.iter().filter(|token| token.is_text()).count();
    let joined = (0..sentence.tokens.len()).any(|at| sentence.is(at, JOINING));
    words <= 3 && joined && sentence.tokens.len() <= words.saturating_add(2)
}

/// `stop isn't for customers`, `throughput is a bad name`.
fn is_judged(sentence: &Sentence<'_>, mention: &Mention, part: &Range<usize>) -> bool {
    let first = mention.at == part.start
        || mention.at == part.start.saturating_add(1) && sentence.is(part.start, &["the", "and"]);
    let behind = mention.end;
    let copula = sentence.is(behind, &["is", "isn't", "doesn't", "reads"]);
    let judged = (behind..part.end).any(|at| sentence.is(at, BAD) || sentence.is(at, words::NEGATIONS))
        || sentence.has(behind..part.end, &["better", "ambiguous", "confusing", "cryptic"]);
    first && copula && judged
}

/// Whether a plain word that something is called stands where a thing stands that is given a name: `throughput should be
/// rate`, `I'd call throughput rate`, `rate for throughput`, `throughput: rate`, `and throughput to rate`.
fn is_named_anew(sentence: &Sentence<'_>, mention: &Mention, part: &Range<usize>) -> bool {
    let before = |list: &[&str]| mention.at.checked_sub(1).is_some_and(|at| sentence.is(at, list));
    let first = (part.start..mention.at).all(|at| !sentence.is_text(at) || sentence.is(at, LEADING));
    let behind = mention.end;
    let next = behind.saturating_add(1);
    let obliged = sentence.is(behind, words::OBLIGING) && sentence.is(next, &["be", "become", "read"])
        || sentence.is(behind, &["becomes", "become"])
        || sentence.is(behind, &["would", "has", "have"]) && sentence.is(next, &["be", "to"]);
    let called = before(&["call", "name"]) && sentence.is_text(behind) && !sentence.is(behind, LINKING);
    let proposed = before(&["for"]) && sentence.has(part.clone(), PROPOSING);
    let sign = sentence
        .get(behind)
        .is_some_and(|token| token.kind == Kind::Arrow || [':', '=', '>', '<'].iter().any(|sign| token.is_sign(*sign)));
    let last = !(next.saturating_add(1)..sentence.tokens.len()).any(|at| sentence.is_text(at));
    let row = (sign || sentence.is(behind, &["to"])) && sentence.is_text(next) && last;
    first && (obliged || row) || called || proposed
}

/// `A.b: name`
pub(super) fn has_row(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    sentence.mentions.iter().any(|mention| {
        let word = mention.end.saturating_add(1);
        part.contains(&mention.at)
            && sentence.is_sign(mention.end, ':')
            && sentence.is_text(word)
            && !(word.saturating_add(1)..sentence.tokens.len()).any(|at| sentence.is_text(at))
            && !is_idle(sentence, word..word.saturating_add(1))
    })
}

/// `the parameters must be in another order`: it says `must` of something that is neither a name nor a person.
pub(super) fn obliges_nothing_known(sentence: &Sentence<'_>, part: Range<usize>) -> bool {
    // `B is good but should be spelled out`: the part behind `but` is about what stands in front of it.
    let turns = sentence.is(part.start, &["but"]);
    let names = |mention: &Mention| mention.strong && (!turns || part.contains(&mention.at));
    !sentence.mentions.iter().any(names)
        && sentence.has(part.clone(), words::OBLIGING)
        && !sentence.has(part.clone(), OF_PEOPLE)
        && !is_settled(sentence, part)
}

/// Whether a part that names nothing asks for more than one thing: `the other operations too`, `every enum should be internal`.
pub(super) fn is_about_a_set(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(part.clone(), list);
    let noun = |at: usize| words::kinds_of(sentence.lower(at)).is_some();
    let several = |at: usize| {
        sentence.lower(at).ends_with('s') && noun(at)
            || sentence.is(at, &["booleans", "dates", "getters", "pagers", "everything"])
    };
    // `no other methods go with them`
    let none = has(&["no", "nothing", "none"]) && has(&["else", "other", "others", "more", "further"]);
    let things = part.clone().any(several) || has(ALL) && part.clone().any(noun);
    let spelled = has(ENDING);
    let wished = obliges(sentence, part.clone()) || has(JOINING) || has(WISHING);
    things && wished && !none && !spelled && !is_idle(sentence, part.clone())
}

/// Whether a part wants names spelled in some way: `no suffix Info`, `all dates end in On`.
pub(super) fn is_about_spelling(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(part.clone(), list);
    let wished = obliges(sentence, part.clone()) || has(JOINING) || has(WISHING) || has(words::NEGATIONS);
    (has(SPELLING) && wished || has(ENDING)) && !is_idle(sentence, part.clone())
}

/// Whether a part says that something is not there: `a method that lists pools is missing`, `we want a method that …`.
pub(super) fn misses(sentence: &Sentence<'_>, part: Range<usize>) -> bool {
    let has = |list: &[&str]| sentence.has(part.clone(), list);
    let turned = part.clone().any(|at| sentence.is(at, words::NEGATIONS));
    let another = part.clone().any(|at| {
        sentence.is(at, &["a", "an", "another"])
            && (1..3).any(|step| words::kinds_of(sentence.lower(at.saturating_add(step))).is_some())
    });
    let wanted = another && (has(words::OBLIGING) || has(&["want", "like"]) && has(&["we", "i", "i'd", "we'd"]));
    (has(&["missing", "lacks", "lacking"]) || wanted) && !turned && !is_idle(sentence, part)
}

/// Whether a part says that a text of the package is not there: `a line of the changelog is missing`.
pub(super) fn misses_a_text(sentence: &Sentence<'_>, part: &Range<usize>) -> bool {
    let turned = part.clone().any(|at| sentence.is(at, words::NEGATIONS));
    let copula = |at: usize| at.checked_sub(1).is_some_and(|before| sentence.is(before, &["is", "are", "still"]));
    let missing = part.clone().any(|at| sentence.is(at, &["missing"]) && copula(at));
    missing && !turned && sentence.has(part.clone(), words::ELSEWHERE) && !sentence.is_about_others(part.start)
}

/// Whether a sentence that was read goes on with what no name stands for: `and everything that deals with files`, `and its
/// response model`, `etc.`, `(and similar)`.
pub(super) fn goes_on(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        let third = at.saturating_add(2);
        let joins = sentence.is(at, &["and", "plus"]) || sentence.phrase(at.saturating_sub(2), &["as", "well", "as"]);
        let likewise = sentence.is(next, &["similar", "similarly", "so"])
            && (third >= sentence.clause_end(at) || sentence.is(third, &["on", "forth", "ones"]));
        let everything =
            sentence.is(next, &["everything", "anything"]) && sentence.is(third, &["that", "about", "like", "of"]);
        let its = sentence.is(next, &["its", "their", "the"])
            && (third..third.saturating_add(2))
                .any(|noun| words::kinds_of(sentence.lower(noun)).is_some() && sentence.mention_at(noun).is_none())
            && !(third..sentence.clause_end(next)).any(|here| sentence.mention_at(here).is_some())
            && (next..sentence.clause_end(next)).filter(|&here| sentence.is_text(here)).count() <= 4
            && !obliges(sentence, next..sentence.clause_end(next))
            && !is_idle(sentence, next..sentence.clause_end(next));
        sentence.is(at, &["etc"]) || joins && (likewise || everything || its)
    })
}

/// Words in front of a thing at the start of a part.
const LEADING: &[&str] = list! {
    "and" "also" "then" "the" "our" "likewise" "last" "lastly" "finally" "next"
};

/// Words behind `call X` that are no name.
const LINKING: &[&str] = list! {
    "is" "are" "was" "in" "on" "for" "from" "with" "and" "or" "to" "of" "that" "which" "it" "when" "if" "because"
};

/// Words of a proposal.
const PROPOSING: &[&str] = list! {
    "propose" "proposal" "suggest" "suggestion" "consider" "prefer" "want" "like" "use" "take"
};

/// What names consist of.
const SPELLING: &[&str] = list! {
    "suffix" "suffixes" "prefix" "prefixes" "ending" "abbreviation" "abbreviations" "acronym" "acronyms" "units" "plural" "singular"
};

/// How names begin and end.
const ENDING: &[&str] = list! {
    "start" "starts" "starting" "end" "ends" "ending" "begin" "begins" "beginning" "prefixed" "suffixed" "abbreviated"
};

/// Words of a wish about several things.
const WISHING: &[&str] = list! {
    "love" "want" "like" "lose" "loses" "gets" "get" "gone" "go" "belong" "belongs" "allowed" "forbidden" "no" "out" "way"
};
