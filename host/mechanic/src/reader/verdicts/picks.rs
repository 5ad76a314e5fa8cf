//! Decisions about wishes that are picked by their order, their number or their kind: `the first no`, `1 and 3 stand`, `with (ii)
//! go ahead`, `the former yes`, `just the rename`.

use super::{Ask, Asked, Said, Verdict, line_of, wish};

/// How a sentence picks a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Which {
    /// Counted from zero.
    Nth(usize),
    Last,
    /// What stands in front of it: `2.`, `(b)`.
    Label(String),
    /// `the rename`
    Kind(Kind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rename,
    Hide,
    Move,
}

/// What decides for a wish, and against it.
const YES: &[&str] = list! {
    "yes" "yep" "ok" "okay" "fine" "accepted" "accept" "agreed" "agree" "approved" "approve" "stand" "stands" "ahead" "carried"
    "passed" "adopted" "adopt" "implement" "apply" "majority" "unanimous" "unanimously" "do" "please" "right" "good" "liked" "granted" "through"
};
const NO: &[&str] = list! {
    "no" "nope" "not" "isn't" "don't" "doesn't" "won't" "wasn't" "can't" "didn't" "never" "rejected" "reject" "declined" "decline"
    "refused" "refuse" "vetoed" "veto" "against" "down" "strike" "struck" "dropped" "drop" "dismissed" "dismiss" "scrap" "scrapped" "skip"
    "forget" "ignore" "withdrawn" "withdraw" "revoked" "off" "cancel" "cancelled" "lost" "failed" "nonsense" "mistake" "wrong"
    "denied" "out" "abandoned" "retract" "retracted" "without" "except" "leave" "nah"
};
/// What leaves the others out.
const ONLY: &[&str] = &["only", "just", "solely"];
const ORDINALS: [&[&str]; 5] =
    [&["first", "former", "1st"], &["second", "2nd"], &["third", "3rd"], &["fourth", "4th"], &["fifth", "5th"]];
/// Nouns that an ordinal may stand before.
const NOUNS: &[&str] = list! {
    "one" "ones" "proposal" "suggestion" "point" "item" "wish" "idea" "change" "rename" "request" "finding" "remark" "comment" "two" "three" "half" "part"
};

/// What sentences decide about each wish.
pub(super) fn verdicts(
    request: &str,
    said: &[Said],
    asked: &[Asked],
    places: &[Option<usize>],
) -> Vec<Option<Verdict>> {
    let wishes = Wishes::of(request, asked, places);
    let mut verdicts = vec![None; asked.len()];
    let mut is_decided = false;
    for sentence in said {
        for (which, verdict, only) in wishes.decisions(sentence) {
            is_decided = true;
            let Some(chosen) = wishes.chosen(&which) else {
                // Something is decided about something that is not known: it may be any of them.
                wishes.order.iter().for_each(|&wish| set(&mut verdicts, wish, Verdict::Open));
                continue;
            };
            for &wish in &chosen {
                set(&mut verdicts, wish, verdict);
            }
            let others = wishes.order.iter().filter(|wish| !chosen.contains(wish));
            if only && verdict == Verdict::Accepted {
                others.for_each(|&wish| set(&mut verdicts, wish, Verdict::Refused));
            }
        }
    }
    // What nothing is said of, where others are accepted by name: `With the second it's right.`
    let accepted = verdicts.contains(&Some(Verdict::Accepted));
    let refused = verdicts.contains(&Some(Verdict::Refused));
    if is_decided && accepted && !refused {
        for &wish in &wishes.order {
            let known = verdicts.get(wish).copied().flatten();
            set(&mut verdicts, wish, known.unwrap_or(Verdict::Open));
        }
    }
    verdicts
}

/// Two decisions that differ leave it open.
fn set(verdicts: &mut [Option<Verdict>], wish: usize, verdict: Verdict) {
    if let Some(known) = verdicts.get_mut(wish) {
        *known = match *known {
            Some(other) if other != verdict => Some(Verdict::Open),
            _ => Some(verdict),
        };
    }
}

/// The wishes of a request in their order, and what stands in front of each.
struct Wishes<'a> {
    asked: &'a [Asked],
    places: &'a [Option<usize>],
    /// Indices of the wishes, as they stand in the request.
    order: Vec<usize>,
    /// The marks of lists, as they stand in the request, with the wishes behind each.
    labels: Vec<(String, Vec<usize>)>,
}

impl<'a> Wishes<'a> {
    fn of(request: &str, asked: &'a [Asked], places: &'a [Option<usize>]) -> Self {
        let mut order: Vec<usize> =
            (0..asked.len()).filter(|&at| places.get(at).is_some_and(Option::is_some)).collect();
        order.sort_by_key(|&at| places.get(at).copied().flatten());
        let first = order.first().and_then(|&at| places.get(at).copied().flatten());
        let list = first.map_or(0, |place| line_of(request, place).start);
        let mut marks = marks(request);
        // Marks of what stands above are other marks.
        marks.retain(|(at, _)| *at >= list);
        let behind = |from: usize, to: usize| {
            let place = |at: &usize| places.get(*at).copied().flatten();
            order.iter().copied().filter(|at| place(at).is_some_and(|place| from <= place && place < to)).collect()
        };
        let ends = marks.iter().skip(1).map(|(at, _)| *at).chain([usize::MAX]);
        let labels = marks.iter().zip(ends).map(|((at, mark), end)| (mark.clone(), behind(*at, end))).collect();
        Self { asked, places, order, labels }
    }

    fn is_labelled(&self) -> bool {
        self.labels.iter().filter(|(_, wishes)| !wishes.is_empty()).count() > 1
    }

    /// The wishes that are picked; `None` where it cannot be told.
    fn chosen(&self, which: &Which) -> Option<Vec<usize>> {
        let things: Vec<Vec<usize>> = if self.is_labelled() {
            self.labels.iter().map(|(_, wishes)| wishes.clone()).collect()
        } else {
            self.order.iter().map(|&wish| vec![wish]).collect()
        };
        let nth = |at: usize| things.get(at).filter(|wishes| wishes.len() == 1).cloned();
        match which {
            Which::Nth(at) => nth(*at),
            Which::Last => nth(things.len().checked_sub(1)?),
            Which::Label(label) => {
                self.labels.iter().find(|(known, _)| known == label).map(|(_, wishes)| wishes.clone())
            }
            Which::Kind(kind) => {
                let of_kind = |at: &usize| self.asked.get(*at).and_then(wish).is_some_and(|ask| is_of(ask, *kind));
                let chosen: Vec<usize> = self.order.iter().copied().filter(of_kind).collect();
                (chosen.len() == 1).then_some(chosen)
            }
        }
    }

    /// What a sentence decides: which wish, how, and whether that leaves the others out.
    fn decisions(&self, sentence: &Said) -> Vec<(Which, Verdict, bool)> {
        // A sentence that gives wishes itself decides with what stands behind them.
        let inside = |place: &&usize| sentence.span.contains(place);
        let begun = self.places.iter().flatten().filter(inside).max();
        let from = begun.map_or(0, |last| {
            (0..sentence.tokens.len()).find(|&at| sentence.place(at) > *last).unwrap_or(sentence.tokens.len())
        });
        let picks: Vec<(usize, usize, Which)> =
            (from..sentence.tokens.len()).filter_map(|at| self.pick(sentence, at)).collect();
        if picks.is_empty() {
            return Vec::new();
        }
        let parts = parts(sentence, from, &picks);
        let has = |part: &std::ops::Range<usize>, list: &[&str]| {
            part.clone().any(|at| sentence.is(at, list) && !is_idle(sentence, at))
        };
        let mut decisions = Vec::new();
        let mut heard = false;
        for (at, _, which) in picks {
            let Some(own) = parts.iter().position(|part| part.contains(&at)) else { continue };
            let said = |part: &std::ops::Range<usize>| match (has(part, YES), has(part, NO)) {
                (true, false) => Some(Verdict::Accepted),
                (false, true) => Some(Verdict::Refused),
                (true, true) => Some(Verdict::Open),
                (false, false) => None,
            };
            let only = parts.get(own).is_some_and(|part| has(part, ONLY));
            // `The first is a matter of taste and I've dismissed it.`
            let picked = |part: &std::ops::Range<usize>| self.pick_in(sentence, part);
            let behind = parts.iter().skip(own.saturating_add(1)).take_while(|part| !picked(part));
            let verdict = parts.get(own).and_then(said).or_else(|| behind.filter_map(said).next());
            heard |= verdict.is_some() || only;
            let verdict = verdict.or(only.then_some(Verdict::Accepted));
            decisions.push((which, verdict.unwrap_or(Verdict::Open), only));
        }
        if heard { decisions } else { Vec::new() }
    }

    fn pick_in(&self, sentence: &Said, part: &std::ops::Range<usize>) -> bool {
        part.clone().any(|at| self.pick(sentence, at).is_some())
    }

    /// What is picked at a token: where it begins, where it ends, and which it is.
    fn pick(&self, sentence: &Said, at: usize) -> Option<(usize, usize, Which)> {
        let next = at.saturating_add(1);
        let led = at.checked_sub(1).is_some_and(|before| {
            sentence.is(before, &["the", "my", "your", "his", "her", "their", "our", "that", "this", "only"])
        });
        let closed = |behind: usize| {
            !sentence.is_text(behind)
                || sentence.is(behind, NOUNS)
                || sentence.is(behind, YES)
                || sentence.is(behind, NO)
                || sentence.is(behind, list! {
                    "is" "was" "got" "has" "i" "we" "they" "and" "or" "of" "can" "should" "makes" "goes" "counts" "too" "it's" "that" "did"
                    "please" "stays" "remains" "with" "he" "she" "would" "will" "as" "by"
                })
        };
        if led && closed(next) {
            if let Some(nth) = ORDINALS.iter().position(|words| sentence.is(at, words)) {
                return Some((at, next, Which::Nth(nth)));
            }
            if sentence.is(at, &["last", "latter"]) && !sentence.is(next, &["and", "of"]) {
                return Some((at, next, Which::Last));
            }
            let kind = [
                (Kind::Rename, ["rename", "renaming"]),
                (Kind::Hide, ["hide", "hiding"]),
                (Kind::Move, ["move", "moving"]),
            ];
            let kind = kind.iter().find(|(_, words)| sentence.is(at, words)).map(|(kind, _)| *kind);
            if let Some(kind) = kind.filter(|_| !sentence.is(at.saturating_sub(1), &["that", "this"])) {
                return Some((at, next, Which::Kind(kind)));
            }
        }
        self.label_at(sentence, at)
    }

    /// `number 2`, `#2`, `(b)`, and `2` or `b` alone where something is said of it.
    fn label_at(&self, sentence: &Said, at: usize) -> Option<(usize, usize, Which)> {
        let token = sentence.tokens.get(at).filter(|token| token.is_text() && !token.quoted)?;
        let next = at.saturating_add(1);
        let known = |label: &str| self.is_labelled() && self.labels.iter().any(|(known, _)| known == label);
        if !known(&token.lower) {
            return None;
        }
        let before = |list: &[&str]| at.checked_sub(1).is_some_and(|before| sentence.is(before, list));
        let sign = |here: Option<usize>, sign: char| here.is_some_and(|here| sentence.is_sign(here, sign));
        let bracketed = sign(at.checked_sub(1), '(') && sentence.is_sign(next, ')');
        let hash = sign(at.checked_sub(1), '#');
        let named =
            before(&["number", "item", "point", "no", "nr", "proposal", "option", "points", "items", "numbers"]);
        // The mark of a line of its own is no pick.
        let begins =
            (0..at).all(|here| !sentence.is_text(here)) && (sentence.is_sign(next, '.') || sentence.is_sign(next, ')'));
        let said = sentence.is(
            next,
            &["and", "is", "are", "was", "were", "stands", "stand", "or", "got", "yes", "no", "not", "stays"],
        ) || sentence.is(next, YES)
            || sentence.is(next, NO)
            || sentence.is_sign(next, ',')
            || next >= sentence.tokens.len()
            || sentence.is_sign(next, ':');
        let digit = token.lower.chars().all(|c| c.is_ascii_digit());
        let joined =
            before(&["and", "strike", "to", "with", "except", "for", "only", "not", "drop", "skip", "or", "but"])
                || at == 0
                || at.checked_sub(1).is_some_and(|before| !sentence.is_text(before));
        let plain = said
            && joined
            && (digit
                || token.lower != "i"
                    && (token.lower != "a"
                        || sentence.is(next, &["and", "is", "are", "or"])
                        || sentence.is_sign(next, ',')));
        (bracketed || hash || named || plain && !begins).then(|| (at, next, Which::Label(token.lower.clone())))
    }
}

/// `no objection`, `no problem`: what is turned round says yes. `not only`: nothing.
fn is_idle(sentence: &Said, at: usize) -> bool {
    sentence.is(at, &["no", "not", "without"])
        && sentence.is(at.saturating_add(1), &["objection", "objections", "problem", "only", "doubt"])
        || sentence.is(at, &["do"]) && sentence.is(at.saturating_add(1), &["not", "with"])
        || sentence.is(at, &["go", "good", "right", "out", "off", "down"])
            && sentence.is(at.saturating_add(1), &["over", "into", "with", "through", "of", "now"])
            && !sentence.is(at, &["out", "off"])
}

fn is_of(ask: &Ask, kind: Kind) -> bool {
    match ask {
        Ask::Rename { .. } => kind == Kind::Rename,
        Ask::Hide { .. } => kind == Kind::Hide,
        Ask::Move { .. } => kind == Kind::Move,
        _ => false,
    }
}

/// The parts of a sentence, each of which says one thing: at signs and words that join, but for those between two picks.
fn parts(sentence: &Said, from: usize, picks: &[(usize, usize, Which)]) -> Vec<std::ops::Range<usize>> {
    let joins_picks = |at: usize| {
        let before =
            picks.iter().any(|(_, end, _)| *end == at || end.saturating_add(1) == at && sentence.is(*end, NOUNS));
        let behind = picks.iter().any(|(start, ..)| (at.saturating_add(1)..=at.saturating_add(2)).contains(start));
        before && behind
    };
    let splits = |at: usize| {
        let sign = [',', ';', ':', '–', '—', '-', '(', '.'].iter().any(|sign| sentence.is_sign(at, *sign));
        let bracket = sentence.is_sign(at, '(') && picks.iter().any(|(start, ..)| at.saturating_add(1) == *start);
        let word = sentence.is(at, &["and", "but", "while", "whereas", "because", "since", "though", "although"]);
        (sign && !bracket || word) && !joins_picks(at)
    };
    let mut parts = Vec::new();
    let mut start = from;
    for at in from..sentence.tokens.len() {
        if splits(at) {
            parts.push(start..at);
            start = at;
        }
    }
    parts.push(start..sentence.tokens.len());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The marks of lists, at the start of a line or in it: `2.`, `(b)`, `#3`, `ii)`.
fn marks(request: &str) -> Vec<(usize, String)> {
    let mut marks: Vec<(usize, String)> = Vec::new();
    // A mark is one where it stands first; `(ii)` further down picks it.
    let mut add = |at: usize, mark: &str| {
        let mark = mark.to_lowercase();
        if marks.iter().all(|(_, known)| *known != mark) {
            marks.push((at, mark));
        }
    };
    let mut start = 0_usize;
    for line in request.split_inclusive('\n') {
        let indent = line.len().saturating_sub(line.trim_start().len());
        let text = line.get(indent..).unwrap_or_default();
        let bare = text.trim_start_matches(['#', '[']);
        let mark: String = bare.chars().take(4).take_while(char::is_ascii_alphanumeric).collect();
        let behind = bare.get(mark.len()..).unwrap_or_default();
        let marked = [". ", ") ", "] ", ": "].iter().any(|end| behind.starts_with(end))
            || bare.len() < text.len() && behind.starts_with(' ');
        let is_mark = |mark: &str| {
            !mark.is_empty()
                && (mark.chars().all(|c| c.is_ascii_digit())
                    || mark.len() == 1
                    || mark.chars().all(|c| "ivx".contains(c)))
        };
        if marked && is_mark(&mark) {
            add(start.saturating_add(indent), &mark);
        }
        let mut from = 0;
        while let Some(open) = line.get(from..).and_then(|rest| rest.find('(')).map(|at| at.saturating_add(from)) {
            from = open.saturating_add(1);
            let inner = line.get(from..).and_then(|rest| rest.split(')').next()).unwrap_or_default();
            if is_mark(inner)
                && inner.len() <= 4
                && line.get(from.saturating_add(inner.len())..).is_some_and(|rest| rest.starts_with(')'))
            {
                add(start.saturating_add(open), inner);
            }
        }
        start = start.saturating_add(line.len());
    }
    marks
}
