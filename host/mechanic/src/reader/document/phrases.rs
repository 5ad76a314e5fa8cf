//! Ways to give a name that have a word order of their own, read as the plain one: `B is what A should be called`, `we settled
//! for B`, `Set the client name of A to B`.

use super::super::lexicon as words;
use super::super::token::{Kind, Token};
use super::plain::{arrow, word};

/// Words by which what was settled is not, or was only for a while.
const UNSETTLED: &[&str] = list! {
    "first" "originally" "initially" "almost" "nearly" "had" "until" "if" "once" "when" "unless" "before" "maybe" "might" "could"
    "would" "why" "whether" "never" "not" "didn't" "haven't" "wrongly"
};

/// Puts the words of a rename into the plain order, where a sentence has one of the orders above.
pub(super) fn rephrase(tokens: &mut Vec<Token>) {
    is_what_it_should_be(tokens);
    settled_for(tokens);
    replaced_by(tokens);
    client_name_of(tokens);
}

fn is_name(token: &Token) -> bool {
    token.looks_like_name()
}

/// How many tokens there are without what ends the sentence.
fn length(tokens: &[Token]) -> usize {
    tokens
        .iter()
        .rposition(|token| !matches!(token.kind, Kind::Sign('.' | '!')))
        .map_or(0, |last| last.saturating_add(1))
}

/// `B is what A should be called`
fn is_what_it_should_be(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let [given, is, what, rest @ ..] = tokens.get(..end).unwrap_or_default() else { return };
    if !is_name(given) || !is.is(&["is"]) || !what.is(&["what"]) {
        return;
    }
    let rest = match rest {
        [article, rest @ ..] if article.is(&["the", "this", "our"]) => rest,
        rest => rest,
    };
    let [name, modal, be, called @ ..] = rest else { return };
    let called = called.len() == 1 && called.iter().all(|token| token.is(&["called", "named"]));
    if !is_name(name) || !modal.is(&["should", "must", "shall", "ought"]) || !be.is(&["be"]) || !called {
        return;
    }
    // The places stay in their order.
    let (mut first, mut link, mut last) = (name.clone(), is.clone(), given.clone());
    std::mem::swap(&mut first.span, &mut last.span);
    arrow(&mut link);
    *tokens = vec![first, link, last];
}

/// `A is too short, we settled for B.`, `The board insists on B for A.`, `Landed on B for A.`
fn settled_for(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let found = tokens.windows(3).position(|three| {
        matches!(three, [verb, link, given] if
            (verb.is(&["settled", "agreed", "decided", "landed", "converged"]) && link.is(&["on", "for"])
                || verb.is(&["insists"]) && link.is(&["on"]))
            && is_name(given))
    });
    let Some(verb) = found else { return };
    let given = verb.saturating_add(2);
    let start = tokens
        .iter()
        .take(verb)
        .rposition(|token| matches!(token.kind, Kind::Sign(',' | ';' | ':' | '.' | '(' | '-')) || token.is(&["so"]))
        .map_or(0, |sign| sign.saturating_add(1));
    // Who settled it, with nothing around that says where or when.
    let clause: Vec<&Token> = tokens
        .iter()
        .take(verb)
        .skip(start)
        .filter(|token| !token.is(&["in", "the", "end", "finally", "eventually", "so", "all"]))
        .collect();
    let board = |token: &&Token| token.is(&["board", "architects", "committee", "reviewers"]);
    let speaks = match clause.as_slice() {
        [] => true,
        [who] => who.is(&["we"]) || board(who),
        [kind, who] => kind.is(&["review", "arch", "architecture", "naming", "api"]) && board(who),
        _ => false,
    };
    let named = |token: &Token| words::language(&token.lower).is_some();
    let before = tokens.get(..start).unwrap_or_default();
    let open = tokens.iter().any(|token| token.is_sign('?') || token.is(UNSETTLED) || named(token))
        || before.iter().any(|token| token.is(words::ELSEWHERE) || token.is(words::WIRE));
    if !speaks || open {
        return;
    }
    match tokens.get(given.saturating_add(1)..end).unwrap_or_default() {
        // Without quotes it may be a type.
        [] if tokens.get(given).is_some_and(|token| token.quoted) => {
            let at = tokens.get(start).map_or(0, |token| token.span.start);
            let order = [word("rename", at..at), word("it", at..at), word("to", at..at)];
            tokens.splice(start..given, order);
        }
        // `B for A`
        [r#for, name] if r#for.is(&["for"]) && is_name(name) => {
            let Some(last) = tokens.get(given) else { return };
            let (mut first, mut link, mut last) = (name.clone(), r#for.clone(), last.clone());
            std::mem::swap(&mut first.span, &mut last.span);
            arrow(&mut link);
            tokens.truncate(start);
            tokens.extend([first, link, last]);
        }
        _ => {}
    }
}

/// A thing with its article and its kind, and where it ends: `the property x`.
fn thing(tokens: &[Token]) -> Option<usize> {
    let article = usize::from(tokens.first().is_some_and(|token| token.is(&["the", "our", "this"])));
    let kind = tokens.get(article).is_some_and(|token| !token.quoted && words::kinds_of(&token.lower).is_some());
    let name = article.saturating_add(usize::from(kind));
    tokens.get(name).is_some_and(is_name).then(|| name.saturating_add(1))
}

/// Whether a name is all that these tokens are.
fn is_one_name(tokens: &[Token]) -> bool {
    matches!(tokens, [name] if is_name(name))
}

/// `A is to be replaced by B`
fn replaced_by(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let Some(is) = thing(tokens) else { return };
    let [link, to, be, replaced, by, rest @ ..] = tokens.get(is..end).unwrap_or_default() else { return };
    let said = link.is(&["is", "has", "needs"]) && to.is(&["to"]) && be.is(&["be"]);
    if said && replaced.is(&["replaced"]) && by.is(&["by", "with"]) && is_one_name(rest) {
        tokens.drain(is.saturating_add(1)..is.saturating_add(5));
        tokens.get_mut(is).into_iter().for_each(arrow);
    }
}

/// `Set the client name of A to B`, `Use B as the client name of A`, `Add a client name for A: B`
fn client_name_of(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let plain: Vec<&Token> =
        tokens.iter().take(end).filter(|token| !token.is(words::POLITE) && !token.is(&["the", "a", "this"])).collect();
    let link =
        |token: &Token| token.is(&["to", "as"]) || matches!(token.kind, Kind::Sign(':' | ',' | '=') | Kind::Arrow);
    let of = |token: &Token| token.is(&["of", "for", "on"]);
    let verb = |token: &Token| token.is(&["set", "change", "use", "fix", "update", "add", "adjust", "make", "apply"]);
    let pair = match plain.as_slice() {
        [first, client, name, to, thing, by, given]
            if verb(first) && client.is(&["client"]) && name.is(&["name"]) && of(to) && link(by) =>
        {
            (*thing, *given)
        }
        [first, given, by, client, name, to, thing]
            if verb(first) && by.is(&["as"]) && client.is(&["client"]) && name.is(&["name"]) && of(to) =>
        {
            (*thing, *given)
        }
        _ => return,
    };
    let (name, given) = pair;
    if !is_name(name) || !is_name(given) {
        return;
    }
    let (mut first, mut last) = (name.clone(), given.clone());
    if first.span.start > last.span.start {
        std::mem::swap(&mut first.span, &mut last.span);
    }
    let place = first.span.end;
    let mut between = word("to", place..place);
    arrow(&mut between);
    *tokens = vec![first, between, last];
}
