//! Sentences that speak against what stands before them without naming it: `Both were voted down.`, `decision revoked`, `Not
//! that name.`, `(That was a joke.)`.

use super::{Ask, Asked, Said, Verdict, wish};
use crate::entities::Lookup;
use crate::reader::sentence::same_name;
use crate::reader::token::Token;

/// How a decision or a proposal ends. Words stand between spaces.
const ENDED: &[&str] = list! {
    "revoked" "rescinded" "overruled" "overturned" "outvoted" "voted down" "voted against" "voted it down" "voted them down" "shot down"
    "off the table" "out of the question" "lost the vote" "no majority" "did not pass" "didn't pass" "not get through" "not accepted"
    "wasn't accepted" "weren't accepted" "not approved" "thought better of it" "retire the" "withdraw the" "drop the idea"
    "take it all back" "not going to happen" "won't happen" "will not happen" "strike the above" "strike my" "shelved" "scrapped"
    "not happening" "not gonna happen" "voted out" "want to keep" "wants to keep" "prefer to leave" "decided to leave" "prefer to keep" "decided to keep"
};
/// What ends so: a wish, or who decides.
const SUBJECTS: &[&str] = list! {
    "it" "this" "that" "these" "both" "all" "they" "none" "we" "i" "proposal" "proposals" "rename" "renames" "idea" "request" "change"
    "changes" "plan" "suggestion" "motion" "other" "others" "rest" "decision" "board" "architects" "architect" "reviewers" "council" "team"
};
/// Sentences that end a wish as a whole.
const SETTLED: &[&str] = list! {
    "change of heart" "changed our minds" "changed our mind" "none of it touches" "none of this touches" "ours isn't affected"
    "ours is not affected" "we aren't affected" "we are not affected" "that's theirs" "is theirs" "item closed" "issue closed"
    "thread closed" "point closed" "case closed" "ticket closed" "mail unsent" "consider this closed" "consider it closed"
    "consider this withdrawn"
};
/// What an answer has against a wish.
const BREAKING: &[&str] = list! {
    "would be a breaking change" "is a breaking change" "it's a breaking change" "that's a breaking change"
    "would be considered a breaking change" "would be considered breaking" "would be breaking"
    "would break customers" "would break users" "would break existing" "would be too breaking" "not possible without breaking"
};
/// Words that take the edge off that.
const BUT: &[&str] = list! {
    "but" "fine" "ok" "okay" "acceptable" "anyway" "nevertheless" "still" "not" "though" "otherwise" "if" "approved" "accepted"
};
/// How a sentence begins that crosses out what stands before it.
const STRIKING: &[&str] = &["strike", "scratch", "scrap"];
/// What may end so, and is then out of the way.
const RESISTANCE: &[&str] = list! {
    "objection" "objections" "concern" "concerns" "resistance" "veto" "vetoes"
};
/// Words that say of a text that it is not meant.
const JEST: &[&str] = list! {
    "joke" "joking" "jokes" "kidding" "jk" "irony" "ironic" "ironically" "sarcasm" "sarcastic" "april fool" "april fools" "for 1 april"
    "for april 1" "for the 1st of april" "tongue in cheek"
};
/// How somebody begins who does not mean it.
const SNEER: &[&str] = &["oh sure", "yeah right", "yeah sure"];
/// How a text goes on that was not meant so far.
const EARNEST: &[&str] = list! {
    "being serious" "be serious" "in earnest" "ok seriously" "okay seriously" "seriously now" "now seriously" "more seriously" "serious again"
    "serious now" "serious note" "ok serious" "for real now"
};
/// Labels of a correction.
const CORRECTED: &[&str] = &["errata", "erratum", "corrigendum", "correction"];
/// What stands before a name that is not to be.
const NOT: &[&str] = &["not", "isn't", "never", "forget", "scratch"];

/// What the sentences behind each wish say against it.
pub(super) fn verdicts(
    request: &str,
    said: &[Said],
    asked: &[Asked],
    places: &[Option<usize>],
    lookup: &Lookup<'_>,
) -> Vec<Option<Verdict>> {
    let mut verdicts = vec![None; asked.len()];
    let mut open = |place: &dyn Fn(usize) -> bool| {
        for (verdict, at) in verdicts.iter_mut().zip(places) {
            if at.is_some_and(place) {
                *verdict = Some(Verdict::Open);
            }
        }
    };
    for sentence in said {
        let has =
            |list: &[&str]| (0..sentence.tokens.len()).find(|&at| list.iter().any(|phrase| sentence.says(at, phrase)));
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
        let (start, end) = (sentence.span.start, sentence.span.end);
        let wishes = places.iter().flatten().any(|place| sentence.span.contains(place));
        let ended = has(ENDED).filter(|_| !wishes && !sentence.tokens.iter().any(|token| token.is(RESISTANCE)));
        let ended =
            ended.filter(|&at| is_said_of_a_wish(sentence, at) && !speaks_of_another(sentence, at, asked, lookup));
        if let Some(at) = ended.or_else(|| has(SETTLED).filter(|_| !wishes)) {
            let place = sentence.place(at);
            open(&|wish| wish < place);
        }
        // `The rename would be a breaking change.`
        let breaks = has(BREAKING).filter(|_| !wishes && !sentence.tokens.iter().any(|token| token.is(BUT)));
        if let Some(at) = breaks.filter(|&at| !speaks_of_another(sentence, at, asked, lookup)) {
            let place = sentence.place(at);
            open(&|wish| wish < place);
        }
        // `We should not do this.`
        if let Some(at) = super::refusals::refuses(sentence).filter(|_| !wishes) {
            let place = sentence.place(at);
            open(&|wish| wish < place);
        }
        // `let's take download then`: another one of the names that were thought of.
        if !wishes && takes_another(sentence, asked) {
            open(&|wish| wish < start);
        }
        if has(JEST).is_some() || SNEER.iter().any(|phrase| sentence.says(first, phrase)) {
            open(&|wish| wish < end && wish >= paragraph(request, start));
        }
        if let Some(at) = has(EARNEST) {
            let place = sentence.place(at);
            open(&|wish| wish < place);
        }
        // `Correction: …`, `I mean X`, and not `by SDK I mean the Python one`
        let labelled = sentence.is(first, CORRECTED) && !sentence.is_text(first.saturating_add(1));
        let means = sentence.says(first, "i mean") && sentence.is_text(first.saturating_add(2));
        let strikes = sentence.is(first, STRIKING) && !wishes;
        if labelled || means || strikes {
            open(&|wish| wish < start);
        }
    }
    // `OK, the method stays.`
    let left: Vec<_> =
        said.iter().filter_map(|one| super::refusals::leaves_as_it_is(one).map(|left| (one, left))).collect();
    for (verdict, (one, place)) in verdicts.iter_mut().zip(asked.iter().zip(places)) {
        let (Some(ask), Some(place)) = (wish(one), place) else { continue };
        let kind = ask.target().map(|target| lookup.entity(target).kind);
        let stays = left.iter().any(|(sentence, (at, kinds))| {
            let behind = !sentence.span.contains(place) && sentence.place(*at) > *place;
            let renames = matches!(ask, Ask::Rename { .. });
            behind && (kinds.is_empty() && renames || kind.is_some_and(|kind| kinds.contains(&kind)))
        });
        if stays {
            *verdict = Some(Verdict::Open);
        }
    }
    let refused: Vec<(usize, &str)> = said.iter().flat_map(refused_names).collect();
    let others =
        said.iter().filter(|sentence| prefers_another(sentence, asked, places, lookup)).map(|one| one.span.start).max();
    for (verdict, (one, place)) in verdicts.iter_mut().zip(asked.iter().zip(places)) {
        let (Some(Ask::Rename { name, target }), Some(place)) = (wish(one), place) else { continue };
        // `it still goes over the wire as own_name`
        let own = same_name(name, &lookup.entity(*target).name);
        let told = own && said.iter().any(|sentence| sentence.span.contains(place) && is_of_the_wire(sentence));
        let turned = refused.iter().any(|(at, refused)| at > place && same_name(refused, name));
        if told || turned || others.is_some_and(|other| other > *place) {
            *verdict = Some(Verdict::Open);
        }
    }
    verdicts
}

/// `let's take download then`: a word that no wish gives as a name.
fn takes_another(sentence: &Said, asked: &[Asked]) -> bool {
    const NO_NAMES: &[&str] = list! {
        "it" "this" "that" "these" "those" "the" "a" "an" "one" "both" "all" "your" "my" "our" "his" "her" "their" "them" "care" "him"
    };
    let given = |text: &str| {
        asked.iter().any(|one| matches!(wish(one), Some(Ask::Rename { name, .. }) if same_name(name, text)))
    };
    (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(2);
        let end = next.saturating_add(1);
        let ends = sentence.is(end, &["then", "please"]) || !sentence.is_text(end) && !sentence.is_sign(end, '\'');
        sentence.is(at, &["let's", "lets", "i'd", "we'll", "we'd"])
            && sentence.is(at.saturating_add(1), &["take", "use", "pick", "choose"])
            && sentence.tokens.get(next).is_some_and(|name| name.is_text() && !name.is(NO_NAMES) && !given(&name.text))
            && ends
    })
}

fn is_of_the_wire(sentence: &Said) -> bool {
    sentence.tokens.iter().any(|token| token.is(&["wire", "payload"]))
}

/// Where the paragraph of a place begins, or the one above where it is the first of its own.
fn paragraph(request: &str, place: usize) -> usize {
    let above = request.get(..place).unwrap_or_default().trim_end();
    ["\n\n", "\n\r\n"].iter().filter_map(|blank| above.rfind(blank)).max().unwrap_or_default()
}

/// `Not new_name, it has to be another`, `new_name no`: the names that are not to be, and where they stand.
fn refused_names(sentence: &Said) -> impl Iterator<Item = (usize, &str)> {
    (0..sentence.tokens.len()).filter_map(|at| {
        let token = sentence.tokens.get(at).filter(|token| token.is_text())?;
        let before = at.checked_sub(1).is_some_and(|before| sentence.is(before, NOT));
        let next = at.saturating_add(1);
        let behind = sentence.is(next, &["no", "nope"]) && !sentence.is_text(next.saturating_add(1));
        let turned = super::refusals::turns_down_the_name(sentence, at);
        (before || behind || turned).then_some((sentence.place(at), token.text.as_str()))
    })
}

/// `my boss prefers another_name`, `another_name instead`: a name that no wish gives and nothing has.
fn prefers_another(sentence: &Said, asked: &[Asked], places: &[Option<usize>], lookup: &Lookup<'_>) -> bool {
    let given = |text: &str| {
        asked.iter().any(|one| matches!(wish(one), Some(Ask::Rename { name, .. }) if same_name(name, text)))
    };
    let is_new = |at: usize| {
        sentence.tokens.get(at).is_some_and(|token| {
            let shaped =
                token.is_text() && token.looks_like_name() && !token.called && !token.text.contains(['.', '/']);
            shaped && !given(&token.text) && lookup.find(&token.text).is_empty()
        })
    };
    let prefers = (0..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        sentence.is(at, &["prefer", "prefers", "preferred", "rather"]) && is_new(next)
            || is_new(at) && sentence.is(next, &["instead", "rather"])
    });
    prefers && !places.iter().flatten().any(|place| sentence.span.contains(place))
}

/// `the decision was revoked`, `Voted down on Thursday.`, and not `a token that was revoked by the server`.
fn is_said_of_a_wish(sentence: &Said, at: usize) -> bool {
    const SERVERS: &[&str] = &["service", "server", "backend", "gateway"];
    let said = (0..at).any(|before| sentence.is(before, SUBJECTS));
    let first = (0..sentence.tokens.len()).filter(|&here| sentence.is_text(here)).take(3).any(|here| here == at);
    let by = (at..sentence.tokens.len()).any(|here| sentence.is(here, SERVERS));
    (said || first) && !by
}

/// Whether what ends is said of something of its own: a name in front of it that no wish is about.
fn speaks_of_another(sentence: &Said, at: usize, asked: &[Asked], lookup: &Lookup<'_>) -> bool {
    let before = sentence.tokens.get(..at).unwrap_or_default();
    let from =
        before.iter().rposition(|token| [',', ';', ':', '.'].iter().any(|sign| token.is_sign(*sign))).unwrap_or(0);
    let last = |token: &Token| token.text.rsplit(['.', '#']).next().unwrap_or_default().to_owned();
    let is_wished = |token: &Token| {
        asked.iter().filter_map(wish).any(|ask| {
            let target = ask.target().map(|target| lookup.entity(target));
            let named = target.is_some_and(|entity| same_name(&last(token), &entity.name));
            named || matches!(ask, Ask::Rename { name, .. } if same_name(&last(token), name))
        })
    };
    let names = || before.iter().skip(from).filter(|token| token.is_text() && token.looks_like_name());
    names().next().is_some() && !names().any(is_wished)
}
