//! Forms in which pull requests and checklists write a wish, read as the plain wish: `[Widget] A -> B`, `Ln 64 Rename A to B`,
//! `clientName for A to B`, `A -> B (otherwise two members have one name)`.

use std::ops::Range;

use bailiwick_sdk::tasks::Language;

use super::super::lexicon as words;
use super::super::standing;
use super::super::token::{Kind, Token};

/// Words in brackets by which a wish waits, or is for something else than its line says.
const HOLDING: &[&str] = list! {
    "if" "unless" "until" "once" "after" "before" "when" "pending" "tbd" "tbc" "maybe" "perhaps" "optional" "open" "draft"
    "not" "no" "later" "rejected" "declined" "wontfix" "done" "already" "or" "only" "except" "but" "was" "were" "blocked"
    "undecided" "question" "unsure" "depends" "waiting" "skip" "ignore" "deprecated" "formerly" "previously" "wip" "needs"
};

/// Words that begin a reason in brackets.
const REASONS: &[&str] = &["otherwise", "because", "since", "restores", "prevents", "avoids", "matches"];

/// What stands in brackets and is no mere reason.
const LEAVING: &[&str] = list! {
    "might" "may" "could" "should" "must" "would" "can" "confirmed" "discussed" "decided" "approved" "checked" "alternative"
    "suggestion" "wait" "first" "drop" "too" "also"
};

/// Reads what stands around a pair of names as people write it in a list.
pub(super) fn pairs(tokens: &mut Vec<Token>, language: Language) {
    without_tag(tokens);
    without_line(tokens);
    client_name_for(tokens);
    name_of_the_client(tokens);
    renaming_several(tokens);
    this_one(tokens);
    renamed_so(tokens);
    goes_back(tokens);
    is_enough(tokens);
    without_reason(tokens, language);
    standing(tokens);
    after_the_migration(tokens);
}

/// A word that the text does not have.
pub(super) fn word(text: &str, span: Range<usize>) -> Token {
    Token {
        kind: Kind::Word,
        text: text.to_owned(),
        lower: text.to_owned(),
        span,
        quoted: false,
        called: false,
        arguments: Vec::new(),
    }
}

pub(super) fn arrow(token: &mut Token) {
    token.kind = Kind::Arrow;
    "->".clone_into(&mut token.text);
    "->".clone_into(&mut token.lower);
}

/// `A to B`, `A to B accordingly`, where nothing else stands.
pub(super) fn nothing_but_a_pair(tokens: &mut Vec<Token>) {
    let pair = match tokens.as_slice() {
        [name, to, given, rest @ ..] => {
            let ends = rest.iter().all(|token| {
                token.is(&["accordingly", "likewise", "too", "as", "well", "also"])
                    || matches!(token.kind, Kind::Sign('.' | ';'))
            });
            name.looks_like_name() && to.is(&["to"]) && given.looks_like_name() && ends
        }
        _ => false,
    };
    if pair {
        tokens.truncate(3);
        tokens.iter_mut().skip(1).take(1).for_each(arrow);
    }
}

/// `make this one B`: `make this B`
fn this_one(tokens: &mut Vec<Token>) {
    let one = tokens.windows(4).position(|four| {
        matches!(four, [verb, this, one, given] if verb.is(&["make", "call", "name", "rename"])
            && this.is(&["this", "that"])
            && one.is(&["one"])
            && (given.looks_like_name() || given.is(&["to", "as"])))
    });
    if let Some(verb) = one {
        tokens.remove(verb.saturating_add(2));
    }
}

/// `rename this member "B"`
fn renamed_so(tokens: &mut Vec<Token>) {
    let Some(verb) = tokens.iter().position(|token| token.is(&["rename", "renaming"])) else { return };
    let next = verb.saturating_add(1);
    if !tokens.get(next).is_some_and(|token| token.is(&["this", "that", "it"])) {
        return;
    }
    let noun = tokens
        .get(next.saturating_add(1))
        .is_some_and(|token| words::kinds_of(&token.lower).is_some() && !token.quoted);
    let at = next.saturating_add(if noun { 2 } else { 1 });
    let ends = tokens.get(at.saturating_add(1)).is_none_or(|token| matches!(token.kind, Kind::Sign(_)));
    if let Some(name) = tokens.get(at).filter(|token| token.quoted && ends) {
        let to = word("to", name.span.start..name.span.start);
        tokens.insert(at, to);
    }
}

/// `A goes back to B`
fn goes_back(tokens: &mut Vec<Token>) {
    let found = tokens.windows(5).position(|five| {
        matches!(five, [name, verb, back, to, given] if name.looks_like_name()
            && verb.is(&["goes", "go"])
            && back.is(&["back"])
            && to.is(&["to"])
            && given.looks_like_name())
    });
    let Some(verb) = found.map(|at| at.saturating_add(1)) else { return };
    if let Some(token) = tokens.get_mut(verb) {
        arrow(token);
        tokens.drain(verb.saturating_add(1)..verb.saturating_add(3));
    }
}

/// `B is enough for A`
fn is_enough(tokens: &mut Vec<Token>) {
    let end = tokens.len().min(5);
    let whole = tokens.iter().skip(end).all(|token| token.is_sign('.'));
    let Some([name, verb, enough, r#for, given]) = tokens.get_mut(..end).filter(|_| whole) else { return };
    let said = verb.is(&["is"]) && enough.is(&["enough", "sufficient"]) && r#for.is(&["for"]);
    if said && name.looks_like_name() && given.looks_like_name() {
        // The places stay in their order.
        std::mem::swap(name, given);
        std::mem::swap(&mut name.span, &mut given.span);
        arrow(verb);
        tokens.drain(2..4);
    }
}

/// `Set A as `internal``: a word for what is public is no name, whatever quotes stand around it.
fn standing(tokens: &mut [Token]) {
    if has_arrow(tokens) || tokens.iter().any(|token| token.is(words::RENAME_PROPER)) {
        return;
    }
    for at in 1..tokens.len() {
        let led = tokens.get(at.saturating_sub(1)).is_some_and(|before| before.is(&["as", "to", "be", "is", "access"]));
        let stands = ["internal", "public", "private"];
        if let Some(token) =
            tokens.get_mut(at).filter(|token| led && token.quoted && stands.contains(&token.lower.as_str()))
        {
            (token.quoted, token.kind) = (false, Kind::Word);
        }
    }
}

/// `APIView comments (3 unresolved)`: how many wishes there are.
pub(super) fn counted(tokens: &mut [Token]) {
    let comments = tokens.iter().any(|token| token.is(&["comments", "comment", "threads", "remarks", "feedback"]));
    for token in tokens.iter_mut().filter(|token| comments && token.is(&["unresolved", "open", "outstanding"])) {
        token.lower = String::new();
    }
}

/// `after the TypeSpec migration:`, `after the common-types bump`: a time that has come.
fn after_the_migration(tokens: &mut [Token]) {
    const OF: &[&str] = &["the", "typespec", "tsp", "swagger", "common-types", "common", "types"];
    for at in 0..tokens.len() {
        let waits = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| before.is(&["only", "not", "just", "soon", "right", "but"]));
        let mut behind = tokens.get(at.saturating_add(1)..).unwrap_or_default().iter().skip_while(|token| token.is(OF));
        let past = behind.next().is_some_and(|token| token.is(&["migration", "conversion", "bump"]));
        let ends = behind.next().is_none_or(|token| matches!(token.kind, Kind::Sign(_)));
        if let Some(token) = tokens.get_mut(at).filter(|token| past && ends && !waits && token.is(&["after"])) {
            token.lower = String::new();
        }
    }
}

fn has_arrow(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.kind == Kind::Arrow)
}

/// Tags of texts, and of what is not decided.
const OTHER_TAGS: &[&str] = list! {
    "proposal" "idea" "suggestion" "docs" "doc" "samples" "sample" "tests" "test" "readme" "changelog" "question" "example"
};

/// `[Redis] A -> B`: what the line is about. Languages and what is known to close a wish stay.
fn without_tag(tokens: &mut Vec<Token>) {
    let [open, tag, close, rest @ ..] = tokens.as_slice() else { return };
    let plain = tag.text.starts_with(char::is_uppercase)
        && words::language(&tag.lower).is_none()
        && !tag.is(HOLDING)
        && !standing::is_closing(&tag.lower)
        && ![words::ELSEWHERE, words::WIRE, words::DOUBTS, OTHER_TAGS].iter().any(|list| tag.is(list));
    if open.is_sign('[') && close.is_sign(']') && plain && has_arrow(rest) {
        tokens.drain(..3);
    }
}

/// `Ln64 Rename A to B`, `L12: A -> B`: where in a listing it stands.
fn without_line(tokens: &mut Vec<Token>) {
    // `203,231`, `203-210`
    let number = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let Some(first) = tokens.first().filter(|token| !token.quoted) else { return };
    let joined = ["line", "ln", "l"].iter().any(|mark| first.lower.strip_prefix(mark).is_some_and(number));
    let apart = first.is(&["line", "ln", "l"]) && tokens.get(1).is_some_and(|token| number(&token.text));
    let more = |at: usize| {
        tokens.get(at).is_some_and(|token| token.is_sign(',') || token.is_sign('-') || token.is(&["and"]))
            && tokens.get(at.saturating_add(1)).is_some_and(|token| number(&token.text))
    };
    let mut length = if joined { 1 } else { 2 };
    while more(length) {
        length = length.saturating_add(2);
    }
    let colon = usize::from(tokens.get(length).is_some_and(|token| token.is_sign(':')));
    if (joined || apart) && tokens.len() > length.saturating_add(colon) {
        tokens.drain(..length.saturating_add(colon));
    }
}

/// `clientName for A to B`
fn client_name_for(tokens: &mut Vec<Token>) {
    let named = |token: &Token| token.text.trim_start_matches('@').eq_ignore_ascii_case("clientname");
    let led = tokens.first().is_some_and(named) && tokens.get(1).is_some_and(|token| token.is(&["for"]));
    let paired = has_arrow(tokens) || tokens.iter().any(|token| token.is(&["to"]));
    if !led || !paired {
        return;
    }
    tokens.remove(1);
    if let Some(first) = tokens.first_mut() {
        "rename".clone_into(&mut first.text);
        "rename".clone_into(&mut first.lower);
        (first.kind, first.quoted, first.called) = (Kind::Word, false, false);
    }
}

/// `Set the Python client name to XClient`, `set a client name for the service: XClient`
fn name_of_the_client(tokens: &mut Vec<Token>) {
    const BETWEEN: &[&str] = &["to", "as", "for", "the", "this", "service", "sdk", "package", "be"];
    let Some(client) =
        tokens.windows(2).position(|two| matches!(two, [client, name] if client.is(&["client"]) && name.is(&["name"])))
    else {
        return;
    };
    let from = client.saturating_add(1);
    let Some(given) = tokens.iter().skip(from.saturating_add(1)).position(|token| token.text.ends_with("Client"))
    else {
        return;
    };
    let given = given.saturating_add(from).saturating_add(1);
    let between = tokens.get(from.saturating_add(1)..given).unwrap_or_default();
    let leads = !between.is_empty() && between.iter().all(|token| token.is(BETWEEN) || token.is_sign(':'));
    let orders = |token: &Token| token.is(&["set", "change", "use", "fix", "update", "add"]);
    let first = tokens.iter().find(|token| token.is_text() && !token.is(words::POLITE));
    let verb = tokens.iter().take(client).rposition(orders).filter(|_| first.is_some_and(orders));
    let Some(verb) = verb.filter(|_| leads) else { return };
    let to = tokens.get(from).map_or(0, |token| token.span.start);
    tokens.splice(from..given, [word("to", to..to)]);
    if let Some(token) = tokens.get_mut(verb) {
        *token = word("rename", token.span.clone());
    }
}

/// `Renaming A to B and C to D`, and nothing else: an order. One pair alone may be a heading.
fn renaming_several(tokens: &mut [Token]) {
    let is_name = |token: &Token| token.looks_like_name();
    let whole = tokens.first().is_some_and(|token| token.is(&["renaming"]))
        && tokens.iter().filter(|token| token.is(&["to"]) || token.kind == Kind::Arrow).count() > 1
        && tokens.iter().skip(1).all(|token| {
            is_name(token)
                || token.is(&["to", "and", "also"])
                || matches!(token.kind, Kind::Arrow | Kind::Sign(',' | '.' | ';'))
        });
    if let Some(first) = tokens.first_mut().filter(|_| whole) {
        "rename".clone_into(&mut first.lower);
        "rename".clone_into(&mut first.text);
    }
}

/// `A -> B (otherwise …)`, `A to B (restores the old name)`: a reason, and no condition.
fn without_reason(tokens: &mut Vec<Token>, language: Language) {
    if !tokens.last().is_some_and(|token| token.is_sign(')')) {
        return;
    }
    let Some(open) = tokens.iter().rposition(|token| token.is_sign('(')) else { return };
    let (before, inner) = tokens.split_at(open);
    let paired = has_arrow(before) || before.first().is_some_and(|token| token.is(words::RENAME_PROPER));
    let inner = inner.get(1..).unwrap_or_default();
    // `(.NET has its own name for it, leave that)`
    let other = |token: &Token| words::language(&token.lower).is_some_and(|one| one != language);
    let told = matches!(inner, [first, verb, ..] if other(first) && verb.is(&["has", "is", "keeps", "calls", "had"]));
    let named = inner.iter().filter(|token| words::language(&token.lower).is_some()).count();
    let reason =
        inner.first().is_some_and(|token| token.is(REASONS)) && !inner.iter().any(|token| token.is(words::KEEPING));
    let begins = reason || told && named == 1;
    let open_word =
        |token: &Token| token.is(HOLDING) || token.is(LEAVING) || token.is(words::DOUBTS) || token.is_sign('?');
    // `(scope Python, no other)`
    let scoped = inner.first().is_some_and(|token| token.is(&["scope", "scoped"]))
        && inner.iter().any(|token| words::language(&token.lower).is_some());
    if paired && scoped {
        narrow(tokens, open);
    } else if paired && begins && !inner.iter().any(open_word) {
        tokens.truncate(open);
    }
}

/// `(scope Python, no other)` as `(Python only)`.
fn narrow(tokens: &mut Vec<Token>, open: usize) {
    let inner = tokens.split_off(open);
    let mut named: Vec<Token> = inner.iter().filter(|token| words::language(&token.lower).is_some()).cloned().collect();
    let others = inner.iter().any(|token| token.is(HOLDING) && !token.is(&["no", "only"]));
    if others || named.len() != 1 {
        tokens.extend(inner);
        return;
    }
    let only = named.first().map(|token| Token { text: "only".to_owned(), lower: "only".to_owned(), ..token.clone() });
    let (Some(first), Some(last)) = (inner.first(), inner.last()) else { return };
    tokens.push(first.clone());
    tokens.append(&mut named);
    tokens.extend(only);
    tokens.push(last.clone());
}

/// `Adds @@clientName to preserve the released names:`, above pairs: a heading that speaks of names that are kept asks for
/// what is below it.
pub(super) fn keeps_names(tokens: &mut [Token], language: Language) -> bool {
    const KEEPING: &[&str] = list! {
        "preserve" "preserves" "keep" "keeps" "kept" "retain" "retains" "restore" "restores"
    };
    let named = |token: &Token| token.text.trim_start_matches('@').eq_ignore_ascii_case("clientname");
    let other = |token: &Token| {
        words::language(token.lower.split('-').next().unwrap_or_default()).is_some_and(|one| one != language)
    };
    let refused = tokens.iter().any(|token| token.is(words::NEGATIONS) || other(token));
    if refused || !tokens.iter().any(named) || !tokens.iter().any(|token| token.is(KEEPING)) {
        return false;
    }
    for token in tokens.iter_mut().filter(|token| token.is(KEEPING) || token.is(&["after", "before"])) {
        token.lower = String::new();
    }
    true
}

/// `Widget: `Gadget`` below such a heading: the name that it has, and the one that it gets.
pub(super) fn labelled(tokens: &mut [Token]) {
    if let [name, colon, given] = tokens
        && name.looks_like_name()
        && colon.is_sign(':')
        && given.looks_like_name()
    {
        colon.kind = Kind::Arrow;
    }
}
