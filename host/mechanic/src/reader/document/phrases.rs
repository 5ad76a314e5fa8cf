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
                || verb.is(&["insists"]) && link.is(&["on"])
                || verb.is(&["went"]) && link.is(&["with", "for"]))
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
        [] => {
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

/// `A is better called B`
fn better_called(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let Some(is) = thing(tokens) else { return };
    let [link, better, called, rest @ ..] = tokens.get(is..end).unwrap_or_default() else { return };
    let said = link.is(&["is"]) && better.is(&["better", "best"]) && called.is(&["called", "named", "spelled"]);
    if said && is_one_name(rest) {
        let place = link.span.start;
        let behind = is.saturating_add(2);
        tokens.splice(is..behind, [word("should", place..place), word("be", place..place)]);
    }
}

/// `From now on A is called B`
fn from_now_on(tokens: &mut Vec<Token>) {
    let begin = match tokens.as_slice() {
        [from, now, on, comma, ..] if from.is(&["from"]) && now.is(&["now"]) && on.is(&["on"]) => {
            3_usize.saturating_add(usize::from(comma.is_sign(',')))
        }
        [first, ..] if first.is(&["henceforth"]) => 1,
        _ => return,
    };
    let end = length(tokens);
    let Some(is) = thing(tokens.get(begin..end).unwrap_or_default()).map(|is| is.saturating_add(begin)) else { return };
    let [link, called, rest @ ..] = tokens.get(is..end).unwrap_or_default() else { return };
    if link.is(&["is"]) && called.is(&["called", "named"]) && is_one_name(rest) {
        tokens.drain(..begin);
        super::text::oblige(tokens);
    }
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

/// `Alter A to read B`
fn to_read(tokens: &mut Vec<Token>) {
    let end = length(tokens);
    let Some(first) = tokens.iter().position(|token| token.is_text() && !token.is(words::POLITE)) else { return };
    let changes = tokens.get(first).is_some_and(|token| {
        token.is(&["alter", "amend", "modify", "edit", "change", "adjust", "correct", "fix", "update"])
    });
    let behind = first.saturating_add(1);
    let Some(to) = thing(tokens.get(behind..end).unwrap_or_default()).map(|to| to.saturating_add(behind)) else {
        return;
    };
    let [link, read, rest @ ..] = tokens.get(to..end).unwrap_or_default() else { return };
    if changes && link.is(&["to"]) && read.is(&["read", "say"]) && is_one_name(rest) {
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
