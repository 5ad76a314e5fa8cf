//! One part for another in several names: `*Info` becomes `*Details`, `replace the suffix Info by Details`, `write out
//! Destination in each of these names`.

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::names::NewName;
use super::super::sentence::{Mention, Sentence};
use super::super::targets::{Focus, Found};
use super::super::token::Kind;
use super::Rename;

/// What becomes of the names.
enum Part {
    /// An ending becomes another one.
    Ending(String),
    /// A word that begins like the new one is written in full.
    Abbreviation,
}

/// A new part of names, where it stands.
struct Turn {
    old: Part,
    new: String,
    at: usize,
    /// Where it begins.
    from: usize,
    /// Whether the old part stands for all names that have it.
    every: bool,
}

/// The renames of a sentence that gives several names a part of their own.
pub(super) fn endings(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    let Some(turn) = turn(sentence) else { return Vec::new() };
    let rename = |target: Result<usize, Found>, text: String| Rename {
        target,
        name: NewName { at: turn.at, text },
        alternatives: false,
        negated: sentence.negated(turn.at),
        at: turn.from,
        bare: false,
    };
    let listed: Vec<&Mention> = sentence.mentions.iter().filter(|mention| mention.strong).collect();
    let mut found = Vec::new();
    for mention in &listed {
        // The holder of what is meant says where it is.
        let place =
            |&one: &usize| matches!(sentence.lookup.entity(one).kind, EntityKind::Interface | EntityKind::Namespace);
        if mention.candidates.iter().all(place) || found.iter().any(|(one, _)| mention.candidates.contains(one)) {
            continue;
        }
        let Ok(one) = sentence.settle(mention, focus) else { return vec![rename(Err(Found::Unfit), turn.new)] };
        let given = own_name(sentence, mention);
        let Some(name) = given.or_else(|| turned(sentence, one, &turn)) else {
            return vec![rename(Err(Found::Unfit), turn.new)];
        };
        found.push((one, name));
    }
    if found.is_empty() && turn.every {
        let types = sentence.lookup.all().filter(|&one| {
            matches!(sentence.lookup.entity(one).kind, EntityKind::Model | EntityKind::Enum | EntityKind::Union)
        });
        found = types.filter_map(|one| Some((one, turned(sentence, one, &turn)?))).collect();
    }
    let counted =
        sentence.tokens.iter().filter(|token| token.kind == Kind::Word).find_map(|token| number(&token.lower));
    if found.len() < 2 || counted.is_some_and(|count| count != found.len()) {
        return vec![rename(Err(Found::Unfit), turn.new)];
    }
    found.into_iter().map(|(one, name)| rename(Ok(one), name)).collect()
}

fn number(word: &str) -> Option<usize> {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.iter().position(|known| *known == word).map(|at| at.saturating_add(2))
}

fn turn(sentence: &Sentence<'_>) -> Option<Turn> {
    let text = |at: usize| sentence.get(at).filter(|token| token.is_text()).map(|token| token.text.clone());
    let stars: Vec<usize> = (0..sentence.tokens.len()).filter(|&at| is_glob(sentence, at)).collect();
    if let [old, new] = stars.as_slice() {
        let led = (*old..*new).any(|at| {
            sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
                || sentence.is(at, &["to", "be", "become", "becomes", "as", "into", "by", "with"])
        });
        let (from, at) = (*old, new.saturating_add(1));
        let old = text(from.saturating_add(1))?;
        let new = text(at).filter(|_| led)?;
        return Some(Turn { old: Part::Ending(old), new, at, from, every: true });
    }
    let noun = (0..sentence.tokens.len()).find(|&at| sentence.is(at, &["suffix", "ending", "postfix"]));
    let Some(noun) = noun else { return written_out(sentence) };
    // `the Evt suffix should be Event`
    let next = noun.saturating_add(1);
    let obliged = sentence.is(next, words::OBLIGING) && sentence.is(noun.saturating_add(2), &["be", "become", "read"]);
    let before = noun.checked_sub(1).and_then(text).filter(|_| obliged);
    if let (Some(old), Some(new)) = (before, text(noun.saturating_add(3))) {
        return Some(Turn {
            old: Part::Ending(old),
            new,
            at: noun.saturating_add(3),
            from: noun.saturating_sub(1),
            every: false,
        });
    }
    let verb = sentence.has(0..noun, words::RENAMING);
    let joint = noun.saturating_add(2);
    let at = joint.saturating_add(1);
    let arrow = sentence.get(joint).is_some_and(|token| token.kind == Kind::Arrow);
    let joined = arrow || sentence.is(joint, &["by", "with", "to"]);
    let old = text(noun.saturating_add(1)).filter(|_| verb && joined)?;
    Some(Turn { old: Part::Ending(old), new: text(at)?, at, from: noun, every: false })
}

/// `write out Destination in each of these names`
fn written_out(sentence: &Sentence<'_>) -> Option<Turn> {
    let at = (0..sentence.tokens.len())
        .find(|&at| sentence.is(at, &["write", "spell"]) && sentence.is(at.saturating_add(1), &["out"]))?
        .saturating_add(2);
    let several = sentence.has(at..sentence.tokens.len(), &["each", "every", "all", "both", "these"]);
    let new = sentence.get(at).filter(|token| token.is_text() && token.text.starts_with(char::is_uppercase))?;
    (several && sentence.mention_at(at).is_none()).then(|| Turn {
        old: Part::Abbreviation,
        new: new.text.clone(),
        at,
        from: at,
        every: false,
    })
}

/// A star directly in front of a part of a name.
fn is_glob(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = sentence.get(at.saturating_add(1));
    sentence.get(at).zip(next).is_some_and(|(star, next)| {
        star.is_sign('*') && next.is_text() && star.span.end == next.span.start && !next.text.ends_with('*')
    }) && !sentence.is_sign(at.saturating_add(2), '*')
}

/// The name that a bracket behind a mention gives it: `GrpEvt (that one GroupEvent)`.
fn own_name(sentence: &Sentence<'_>, mention: &Mention) -> Option<String> {
    let end = mention.end;
    sentence.get(end).filter(|token| token.is_sign('('))?;
    let close = (end..sentence.tokens.len()).find(|&at| sentence.is_sign(at, ')'))?;
    let mut named = (end..close).filter(|&at| sentence.looks_like_name(at));
    let at = named.next().filter(|_| named.next().is_none())?;
    let free = sentence.mention_at(at).is_none_or(|other| other.candidates == mention.candidates);
    free.then(|| sentence.get(at).map(|token| token.text.clone()))?
}

/// The name of a thing with its part turned, if it has that part.
fn turned(sentence: &Sentence<'_>, one: usize, turn: &Turn) -> Option<String> {
    let entity = sentence.lookup.entity(one);
    let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    match &turn.old {
        Part::Ending(old) => {
            let stem = today.strip_suffix(old.as_str()).filter(|stem| !stem.is_empty())?;
            Some(format!("{stem}{}", turn.new))
        }
        Part::Abbreviation => {
            let mut parts = crate::names::words(today);
            let begins = |part: &String| {
                part.len() > 1
                    && part.len() < turn.new.len()
                    && turn.new.to_lowercase().starts_with(&part.to_lowercase())
            };
            let mut short = parts.iter_mut().filter(|part| begins(part));
            let part = short.next()?;
            part.clone_from(&turn.new);
            Some(parts.concat())
        }
    }
}
