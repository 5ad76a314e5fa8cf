//! Code before and after: what is exchanged from the one to the other is what is asked for.

use std::ops::Range;

use bailiwick_sdk::tasks::EntityKind;

use super::super::sentence::{Sentence, same_name};
use super::super::targets::Focus;
use super::super::token::{Token, tokenize};
use super::{Ask, Document, Doubt};

impl Document<'_> {
    /// `Before: client.a.start(x)` and `After: client.a.begin(x)`.
    pub(super) fn example(&mut self, text: &str, span: &Range<usize>, wanted: bool) {
        if !wanted {
            let text = without_literals(text);
            self.example_of_today(&text);
            self.before_text = Some(text);
            self.found.background.push(span.clone());
            return;
        }
        let today = self.before_text.take().unwrap_or_default();
        let (old, text) = differing(&today, &without_literals(text));
        if old != today {
            self.example_of_today(&old);
        }
        let text = text.as_str();
        if let Some(pairs) = exchanged(&old, text).filter(|pairs| pairs.len() > 1) {
            return self.renamed_in_code(&pairs, span);
        }
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let before = self.before.clone().unwrap_or_default();
        if before.len() > 1 {
            let names: Vec<String> = tokens
                .iter()
                .filter(|token| super::super::names::is_shaped(token))
                .map(|token| token.text.clone())
                .collect();
            if names.len() == before.len() {
                for (target, name) in before.into_iter().zip(names) {
                    self.ask(Ask::Rename { target, name }, span.clone(), None);
                }
            } else {
                self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            }
            return;
        }
        let [target] = before.as_slice() else {
            self.prose(text, span.start);
            return;
        };
        let target = *target;
        // `client.x(a)` and `client.x(a, b)`: it is called what it was, and something else differs.
        let today = |token: &Token| {
            let entity = self.lookup.entity(target);
            let last = token.text.rsplit(['.', '#']).next().unwrap_or(&token.text);
            same_name(last, &entity.name) || entity.client.as_ref().is_some_and(|client| same_name(last, &client.name))
        };
        let path = last_called(&tokens);
        let operation = self.lookup.entity(target).kind == EntityKind::Operation;
        let same = operation && tokens.iter().any(|token| token.is_text() && today(token));
        if same
            && path.is_some()
            && (path == self.before_path.as_deref() || path.is_some_and(|path| !ends_so(path, &tokens, &today)))
        {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        // A text that is passed as an argument is not a name.
        let calls = tokens.iter().any(|token| token.called);
        let called =
            tokens.iter().rev().find(|token| token.is_text() && token.looks_like_name() && !(calls && token.quoted));
        let name = called.and_then(|token| token.text.rsplit(['.', '#']).next()).map(str::to_owned);
        match name.filter(|name| crate::names::is_identifier(name)) {
            Some(name) => {
                let place = called.and_then(|token| super::super::moves::place_of(&sentence, &token.text, self.root));
                let entity = self.lookup.entity(target);
                let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
                let moved = place
                    .filter(|place| entity.kind == EntityKind::Operation && entity.container.as_ref() != Some(place));
                if moved.is_none() || !same_name(today, &name) {
                    self.ask(Ask::Rename { target, name }, span.clone(), None);
                }
                if let Some(to) = moved {
                    self.ask(Ask::Move { target, to }, span.clone(), None);
                }
            }
            None => self.ask(Ask::Unsure(Doubt::MissingName), span.clone(), None),
        }
    }

    /// How it is called today.
    fn example_of_today(&mut self, text: &str) {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let targets = self.called_in(&sentence);
        self.before_path = last_called(&tokens).map(str::to_owned);
        self.before = Some(targets.clone());
        self.focus = Focus::on(targets);
    }

    /// Several names of one piece of code, each exchanged for another one.
    fn renamed_in_code(&mut self, pairs: &[(&str, &str)], span: &Range<usize>) {
        let mut renames: Vec<(usize, &str)> = Vec::new();
        for (old, new) in pairs {
            let mut found = self.lookup.find(old);
            // `widget = …` is a variable, and no type.
            let fits = |kind: EntityKind| !kind.is_type() || old.starts_with(char::is_uppercase);
            found.retain(|&one| self.lookup.entity(one).client.is_some() && fits(self.lookup.entity(one).kind));
            if found.len() > 1 {
                found.retain(|&one| renames.iter().any(|(outer, _)| self.lookup.holds(*outer, one)));
            }
            let [one] = found.as_slice() else {
                return self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            };
            renames.push((*one, new));
        }
        for (target, name) in renames {
            self.ask(Ask::Rename { target, name: name.to_owned() }, span.clone(), None);
        }
    }

    pub(super) fn called_in(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        let mut mentions: Vec<_> = sentence.mentions.iter().filter(|mention| mention.strong).collect();
        let listed = sentence.tokens.iter().any(|token| token.is_sign('/') || token.is_sign(','));
        let called = sentence.tokens.iter().any(|token| token.called);
        mentions.retain(|mention| {
            listed && !called
                || sentence.get(mention.at).is_some_and(|token| token.called || token.text.contains('.'))
                || sentence.mentions.len() == 1
        });
        mentions.iter().filter_map(|mention| sentence.settle(mention, &self.focus).ok()).collect()
    }
}

/// Code with a name in the place of each text between double quotes: `get("a")` is a call as `get(text)` is.
fn without_literals(code: &str) -> String {
    let line = |line: &str| -> String {
        let parts: Vec<&str> = line.split('"').collect();
        // Quotes in pairs, and calls around them.
        if parts.len().is_multiple_of(2) || !line.contains('(') {
            return line.to_owned();
        }
        let inside =
            |(at, part): (usize, &&str)| if at.is_multiple_of(2) { (*part).to_owned() } else { "text".to_owned() };
        parts.iter().enumerate().map(inside).collect()
    };
    code.lines().map(line).collect::<Vec<String>>().join("\n")
}

/// Two pieces of code without the lines that stand in both.
fn differing(old: &str, new: &str) -> (String, String) {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let (before, after) = (lines(old), lines(new));
    let without = |text: &str, other: &[String]| -> String {
        let kept: Vec<&str> = text.lines().filter(|line| !other.contains(&line.trim().to_owned())).collect();
        kept.join("\n")
    };
    let (left, right) = (without(old, &after), without(new, &before));
    if left.is_empty() || right.is_empty() { (old.to_owned(), new.to_owned()) } else { (left, right) }
}

/// The names that differ, one by one, where two pieces of code have the same form and no path of a call is another one.
fn exchanged<'a>(old: &'a str, new: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let (before, after) = (pieces(old), pieces(new));
    if before.len() != after.len() {
        return None;
    }
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    let mut last = None;
    for (at, (&one, other)) in before.iter().zip(after).enumerate() {
        if one == other {
            continue;
        }
        if !crate::names::is_identifier(one) || !crate::names::is_identifier(other) {
            return None;
        }
        // `a.b` for `c.d` is one path, and says where something goes.
        let dotted = at.checked_sub(1).is_some_and(|sign| before.get(sign) == Some(&"."));
        if dotted && last == at.checked_sub(2) {
            return None;
        }
        last = Some(at);
        if !pairs.contains(&(one, other)) {
            pairs.push((one, other));
        }
    }
    Some(pairs)
}

/// Code as names and what stands between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c: char| word(c) != word(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        found.push(piece);
        rest = behind;
    }
    found
}

/// The path of the last call of an example.
fn last_called(tokens: &[Token]) -> Option<&str> {
    let called = |token: &&Token| token.called || token.is_text() && token.text.contains('.');
    tokens.iter().rev().find(called).map(|token| token.text.as_str())
}

/// Whether the last call is the one of today's name, and no other one behind it: `x(a).wait()`.
fn ends_so(path: &str, tokens: &[Token], today: &dyn Fn(&Token) -> bool) -> bool {
    tokens.iter().rev().find(|token| token.text == path).is_some_and(today)
}
