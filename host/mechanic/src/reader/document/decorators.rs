//! Decorators that are written out in a sentence or in a cell: `MITIGATE: @@clientName(Widget, "Gadget", "python")`. Nothing
//! says more plainly what is asked for, so one is done where the words around it do not speak of it in another way.

use std::ops::Range;

use super::super::lexicon as words;
use super::super::license;
use super::super::sentence::Sentence;
use super::super::targets::Focus;
use super::super::token::{Token, tokenize};
use super::{Ask, Document, Doubt, doubt};

/// The most characters of a decorator's arguments.
const LONGEST: usize = 400;

/// Verbs that order what stands behind them.
const ADDING: &[&str] = list! {
    "add" "adds" "put" "use" "apply" "insert" "include" "set" "mitigate" "restore" "rename"
};

/// Words beside a decorator that say nothing else than that it is wished.
const IDLE: &[&str] = list! {
    "mitigate" "mitigated" "mitigation" "naming" "in" "to" "for" "the" "a" "we" "use" "then" "this" "service" "client" "sdk" "please"
    "pls" "line" "file" "via" "by" "with" "client.tsp" "back-compatible.tsp" "clientname" "clientlocation" "access" "is" "go" "needed"
    "required" "only" "and" "becomes" "become" "now" "should" "be"
};

/// Words by which a decorator is told of: what it does today, what somebody tried, what is to go.
const TELLING: &[&str] = list! {
    "still" "fails" "fail" "failed" "error" "errors" "ignored" "ignore" "ignores" "effect" "bug" "tried" "tries" "exported" "avoid"
    "rid" "explain" "review" "discuss" "like" "e.g" "example" "such" "why" "instead" "rather" "replaces" "replace" "replaced" "accident"
    "wrong" "broken" "breaks" "longer" "would" "could" "might" "supported" "remove" "removes" "removed" "removing" "delete" "deletes"
    "deleted" "drop" "drops" "dropped" "revert" "reverts" "reverted" "undo" "if" "when" "once" "until" "unless" "but" "pattern"
    "approval" "produces" "board" "considered" "alternative" "maybe" "perhaps"
};

/// What stands between two decorators of which the second takes the place of the first.
const BECOMES: &[&str] = &["becomes", "become", "now", "to", "with", "by"];

/// The decorators of a text with a target and a value, from the first sign to the closing bracket.
fn written_out(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0_usize;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("@@")).map(|next| next.saturating_add(at)) {
        at = start.saturating_add(2);
        let rest = text.get(at..).unwrap_or_default();
        let name = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if name == 0 || !rest.get(name..).is_some_and(|behind| behind.starts_with('(')) {
            continue;
        }
        let Some(length) = closed(rest.get(name..).unwrap_or_default()) else { continue };
        let end = at.saturating_add(name).saturating_add(length);
        let inner = text.get(at.saturating_add(name)..end).unwrap_or_default();
        if inner.contains(',') && !inner.contains("...") && !inner.contains('…') {
            found.push(start..end);
            at = end;
        }
    }
    found
}

/// The length up to the bracket that closes the first one, where no quotation is open.
fn closed(text: &str) -> Option<usize> {
    let mut quoted = false;
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth = depth.saturating_add(1),
            ')' if !quoted && depth == 1 => return Some(at.saturating_add(1)),
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Verbs that widen what a decorator is for.
const WIDENING: &[&str] = list! { "add" "put" "extend" "include" "widen" "expand" };

impl Document<'_> {
    /// `@@clientName(Widget,`, a line of code: a decorator that somebody speaks of.
    pub(super) fn opens_a_decorator(&mut self, text: &str) {
        let Some((_, arguments)) = text.trim().strip_prefix("@@").and_then(|rest| rest.split_once('(')) else { return };
        let target = arguments.split(',').next().unwrap_or_default().trim();
        if let [one] = self.lookup.find(target).as_slice() {
            self.decorated = Some(*one);
            self.focus = Focus::on(vec![*one]);
        }
    }

    /// `Add java to the scope of that clientName`: the name that other languages have.
    pub(super) fn widens_a_scope(&mut self, sentence: &Sentence<'_>, span: &Range<usize>) -> bool {
        let quoted =
            sentence.tokens.iter().filter(|token| token.quoted).filter_map(|token| words::language(&token.lower));
        let own =
            sentence.languages.iter().map(|(_, language, _)| *language).chain(quoted).any(|one| one == self.language);
        let orders = |at: usize| {
            let before = at.checked_sub(1);
            sentence.clause_start(at) == at
                || before.is_some_and(|at| {
                    sentence.is(at, words::POLITE) || sentence.is(at, &["to", "should", "must", "just", "let's"])
                })
        };
        let verb = (0..sentence.tokens.len()).any(|at| sentence.is(at, WIDENING) && orders(at));
        let wished = verb && sentence.any(&["scope", "scopes"]);
        let refused = sentence.is_turned() || doubt(sentence).is_some() || license::closes(sentence);
        if !own || !wished || refused || sentence.any(&["breaks", "broke", "regression", "wrong"]) {
            return false;
        }
        let mut named: Vec<usize> = Vec::new();
        let is_decorator = |at: usize| {
            let name = sentence.lower(at).trim_start_matches('@');
            words::DECORATORS.contains(&name) || sentence.lower(at).starts_with('@')
        };
        for mention in sentence.mentions.iter().filter(|mention| mention.strong && !is_decorator(mention.at)) {
            match sentence.settle(mention, &self.focus) {
                Ok(one) if !named.contains(&one) => named.push(one),
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        let target = match (named.as_slice(), self.focus.subject.as_slice()) {
            ([one], _) => Some(*one),
            ([], [one]) => Some(self.decorated.unwrap_or(*one)),
            ([], _) => self.decorated,
            _ => None,
        };
        let Some(target) = target else { return false };
        let reference = &self.lookup.entity(target).reference;
        let others = self.index.customizations.iter().filter(|one| {
            let here = one.scope.as_deref().is_none_or(|scope| crate::client_file::covers(scope, self.language));
            one.decorator == "clientName" && one.target == *reference && !here
        });
        let mut names: Vec<String> =
            others.filter_map(|one| one.arguments.first()).map(|name| name.trim_matches('"').to_owned()).collect();
        names.dedup();
        let [name] = names.as_slice() else { return false };
        self.ask(Ask::Rename { target, name: name.clone() }, span.clone(), None);
        true
    }

    /// Asks for the decorators that a sentence or a cell writes out; what tells of them is for a person. `false` where there
    /// are none.
    pub(super) fn asks_for_decorators(&mut self, text: &str, start: usize) -> bool {
        let all = written_out(text);
        let Some(last) = all.last() else { return false };
        // The marks around a decorator are none around the words between two of them.
        let words_of = |part: &str| tokenize(&part.replace('`', " "));
        let mut head = text.get(..last.end).unwrap_or(text).to_owned();
        all.iter().rev().for_each(|span| head.replace_range(span.clone(), " "));
        let tail = words_of(text.get(last.end..).unwrap_or_default());
        let tokens = words_of(&head);
        let (sentence, behind) =
            (Sentence::new(&tokens, self.lookup, self.language), Sentence::new(&tail, self.lookup, self.language));
        let told = |part: &Sentence<'_>| {
            part.is_turned() || part.any(words::NEGATIONS) || part.any(TELLING) || doubt(part).is_some()
        };
        let first = tokens.iter().find(|token| token.is_text() && !token.is(words::POLITE));
        let exchanges = all.len() == 2
            && sentence.any(&["to", "with", "into"])
            && !sentence.any(&["from"])
            && first.is_some_and(|token| token.is(&["change", "switch", "update"]));
        let ordered = exchanges || first.is_some_and(|token| token.is(ADDING));
        let idle = |token: &Token| {
            !token.is_text()
                || token.quoted
                || token.is(IDLE)
                || words::language(&token.lower).is_some()
                || !token.text.contains(char::is_alphabetic)
        };
        // `Why is it not taken?`, anywhere: a decorator that somebody shows.
        let asks = self.text.split_whitespace().any(|word| word.ends_with('?'));
        let wished = ordered || tokens.iter().all(idle) && !asks;
        let unclear = || Ask::Unsure(Doubt::Unclear);
        if told(&sentence) || told(&behind) || !wished {
            self.ask(unclear(), start..start.saturating_add(text.len()), None);
            return true;
        }
        let rest = head;
        let exchanged = sentence.any(BECOMES) || rest.contains("->") || rest.contains('→');
        let asked = match all.as_slice() {
            [_, _] if exchanged => vec![last.clone()],
            [_, _, ..] if exchanged => {
                self.ask(unclear(), start..start.saturating_add(text.len()), None);
                return true;
            }
            _ => all,
        };
        for span in asked {
            let place = start.saturating_add(span.start)..start.saturating_add(span.end);
            self.suggestion(text.get(span).unwrap_or_default(), &place);
        }
        true
    }
}
