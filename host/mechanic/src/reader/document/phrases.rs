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

pub(super) fn rephrase(tokens: &mut Vec<Token>) {
    as_please(tokens);
    becomes(tokens);
    is_what_it_should_be(tokens);
    settled_for(tokens);
    better_called(tokens);
    from_now_on(tokens);
    replaced_by(tokens);
    client_name_of(tokens);
    to_read(tokens);
    labelled_so(tokens);
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

/// `A as B please`, `A as B and C as D, please`
fn as_please(tokens: &mut [Token]) {
    let end = length(tokens);
    let polite = tokens.iter().take(end).any(|token| token.is(words::POLITE));
    let joint = |token: &Token| token.is(&["and"]) || token.is_sign(',') || token.is_sign(';');
    let plain: Vec<usize> =
        (0..end).filter(|&at| tokens.get(at).is_some_and(|token| !token.is(words::POLITE) && !joint(token))).collect();
    let name = |at: usize| tokens.get(at).is_some_and(is_name);
    let pairs = plain.chunks(3).all(|three| {
        matches!(three, [thing, link, given] if name(*thing) && name(*given)
            && tokens.get(*link).is_some_and(|token| token.is(&["as"])))
    });
    if polite && pairs && !plain.is_empty() {
        for at in plain.into_iter().skip(1).step_by(3) {
            tokens.get_mut(at).into_iter().for_each(arrow);
        }
    }
}

/// `A, which becomes B`, `A should go by B`, `it names itself B`
fn becomes(tokens: &mut Vec<Token>) {
    let which = tokens.windows(5).position(|five| {
        matches!(five, [name, comma, which, becomes, given] if is_name(name) && comma.is_sign(',') && which.is(&["which"])
            && becomes.is(&["becomes"]) && is_name(given))
    });
    if let Some(name) = which {
        let comma = name.saturating_add(1);
        tokens.drain(comma..comma.saturating_add(2));
        return;
    }
    let by = tokens.windows(4).position(|four| {
        matches!(four, [modal, go, by, given] if modal.is(words::OBLIGING) && go.is(&["go"]) && by.is(&["by"]) && is_name(given))
    });
    if let Some(modal) = by {
        let go = modal.saturating_add(1);
        let place = tokens.get(go).map_or(0, |token| token.span.start);
        tokens.splice(go..go.saturating_add(2), [word("be", place..place)]);
        return;
    }
    let itself = tokens.windows(3).position(
        |three| matches!(three, [names, itself, given] if names.is(&["names"]) && itself.is(&["itself"]) && is_name(given)),
    );
    if let Some(names) = itself {
        let place = tokens.get(names).map_or(0, |token| token.span.start);
        let order = ["should", "be", "called"].map(|text| word(text, place..place));
        tokens.splice(names..names.saturating_add(2), order);
    }
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
    let called = called.is_empty() || called.len() == 1 && called.iter().all(|token| token.is(&["called", "named"]));
    if !is_name(name) || !modal.is(&["should", "must", "shall", "ought"]) || !be.is(&["be"]) || !called {
        return;
    }
    // The places stay in their order.
    let (mut first, mut link, mut last) = (name.clone(), is.clone(), given.clone());
    std::mem::swap(&mut first.span, &mut last.span);
    arrow(&mut link);
    *tokens = vec![first, link, last];
}

/// `A is too short, we settled for B`, `the board insists on B for A`
fn settled_for(tokens: &mut Vec<Token>) {
    let found = tokens.windows(3).position(|three| {
        matches!(three, [verb, link, given] if
            (verb.is(&["settled", "agreed", "decided", "landed"]) && link.is(&["on", "for"])
                || verb.is(&["insist", "insists", "insisted"]) && link.is(&["on"])
                || verb.is(&["went"]) && link.is(&["with", "for"]))
            && is_name(given))
    });
    let Some(verb) = found else { return };
    let who = verb.checked_sub(1).and_then(|before| tokens.get(before));
    let speaks = who.is_none_or(|who| {
        who.is(&["we", "they", "finally", "eventually", "board", "reviewers", "architects", "team", "committee"])
            || matches!(who.kind, Kind::Sign(_))
    });
    if !speaks {
        return;
    }
    let start = tokens
        .iter()
        .take(verb)
        .rposition(|token| {
            matches!(token.kind, Kind::Sign(',' | ';' | ':' | '.' | '(' | '-')) || token.is(&["so", "and"])
        })
        .map_or(0, |sign| sign.saturating_add(1));
    let clause = tokens.get(start..verb).unwrap_or_default();
    let named = |token: &Token| words::language(&token.lower).is_some();
    let open =
        tokens.iter().any(|token| token.is_sign('?')) || clause.iter().any(|token| token.is(UNSETTLED) || named(token));
    let behind = tokens.get(verb.saturating_add(3)..).unwrap_or_default();
    if open || clause.iter().any(is_name) {
        return;
    }
    let given = verb.saturating_add(2);
    match behind {
        [] => {}
        [next, ..] if matches!(next.kind, Kind::Sign('.' | '!' | ',' | ';')) => {}
        // `B for A`
        [r#for, name, rest @ ..]
            if r#for.is(&["for"]) && is_name(name) && rest.iter().all(|token| token.is_sign('.')) =>
        {
            let (mut first, mut link, mut last) = (
                name.clone(),
                r#for.clone(),
                match tokens.get(given) {
                    Some(given) => given.clone(),
                    None => return,
                },
            );
            std::mem::swap(&mut first.span, &mut last.span);
            arrow(&mut link);
            tokens.truncate(start);
            tokens.extend([first, link, last]);
            return;
        }
        _ => return,
    }
    let at = tokens.get(start).map_or(0, |token| token.span.start);
    let order = [word("rename", at..at), word("it", at..at), word("to", at..at)];
    tokens.splice(start..given, order);
}

/// `A is better called B`
fn better_called(tokens: &mut Vec<Token>) {
    let found = tokens.windows(3).position(|three| {
        matches!(three, [is, better, called] if is.is(&["is"]) && better.is(&["better", "best"]) && called.is(&["called", "named", "spelled"]))
    });
    if let Some(is) = found {
        let place = tokens.get(is).map_or(0, |token| token.span.start);
        let end = is.saturating_add(2);
        tokens.splice(is..end, [word("should", place..place), word("be", place..place)]);
    }
}

/// `From now on A is called B`
fn from_now_on(tokens: &mut Vec<Token>) {
    let said = matches!(tokens.as_slice(), [from, now, on, ..] if from.is(&["from"]) && now.is(&["now"]) && on.is(&["on"]))
        || tokens.first().is_some_and(|token| token.is(&["henceforth"]));
    let called = tokens
        .windows(2)
        .any(|two| matches!(two, [is, called] if is.is(&["is", "are"]) && called.is(&["called", "named"])));
    if said && called && !tokens.iter().any(|token| token.is_sign('?')) {
        let begin = if tokens.first().is_some_and(|token| token.is(&["henceforth"])) { 1 } else { 3 };
        tokens.drain(..begin);
        super::text::oblige(tokens);
    }
}

/// `A is to be replaced by B`
fn replaced_by(tokens: &mut Vec<Token>) {
    let found = tokens.windows(5).position(|five| {
        matches!(five, [is, to, be, replaced, by] if is.is(&["is", "has", "needs"]) && to.is(&["to"]) && be.is(&["be"])
            && replaced.is(&["replaced"]) && by.is(&["by", "with"]))
    });
    let Some(is) = found else { return };
    let names = is.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(is_name)
        && tokens.get(is.saturating_add(5)).is_some_and(is_name);
    if names {
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

/// `Alter A to read B`
fn to_read(tokens: &mut Vec<Token>) {
    let Some(first) = tokens.iter().position(|token| token.is_text() && !token.is(words::POLITE)) else { return };
    let changes = tokens.get(first).is_some_and(|token| {
        token.is(&["alter", "amend", "modify", "edit", "change", "adjust", "correct", "fix", "update"])
    });
    let read = tokens.windows(3).position(
        |three| matches!(three, [to, read, given] if to.is(&["to"]) && read.is(&["read", "say", "be"]) && is_name(given)),
    );
    if let Some(to) = read.filter(|_| changes) {
        tokens.remove(to.saturating_add(1));
        tokens.get_mut(first).into_iter().for_each(|token| "change".clone_into(&mut token.lower));
    }
}

/// `label A B`
fn labelled_so(tokens: &mut [Token]) {
    let end = length(tokens);
    let plain: Vec<usize> =
        (0..end).filter(|&at| tokens.get(at).is_some_and(|token| !token.is(words::POLITE))).collect();
    let [verb, name, given] = plain.as_slice() else { return };
    let names = [name, given].into_iter().all(|at| tokens.get(*at).is_some_and(is_name));
    if let Some(token) = tokens.get_mut(*verb).filter(|token| names && token.is(&["label", "title", "entitle", "dub"]))
    {
        "call".clone_into(&mut token.lower);
    }
}
