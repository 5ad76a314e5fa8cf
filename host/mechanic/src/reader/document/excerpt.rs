//! Code that is quoted above a remark: what its lines declare is what the remark is about.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::super::sentence::{Mention, Sentence};
use super::super::structure;
use super::super::targets::Focus;
use super::super::token::tokenize;
use super::Document;

impl Document<'_> {
    /// A line of code. A member is what is spoken of, and its type says where it is; members that stand below each other
    /// are spoken of together.
    pub(super) fn code(&mut self, text: &str, follows: bool) {
        let Some(line) = structure::declared(text) else {
            if !structure::is_between(text) {
                self.mentioned_in_code(text, follows);
            } else if text.contains(['}', ')']) {
                // It goes on behind the last member.
                self.focus.excerpt = false;
            }
            return;
        };
        let found = self.declared_by(line, follows);
        let [one] = found.as_slice() else {
            if found.is_empty() {
                self.mentioned_in_code(text, follows);
            } else {
                self.focus = Focus::default();
            }
            return;
        };
        let inner = |outer: &usize| self.lookup.holds(*outer, *one);
        let holders: Vec<usize> = if follows {
            self.focus.holders.iter().copied().filter(|outer| inner(outer)).collect()
        } else {
            Vec::new()
        };
        // Members of one type, or the type itself where nothing of it stands below.
        let beside = |other: &usize| {
            !line.is_type && !inner(other) && self.lookup.entity(*other).container == self.lookup.entity(*one).container
        };
        let mut subject: Vec<usize> =
            if follows { self.focus.subject.iter().copied().filter(beside).collect() } else { Vec::new() };
        subject.push(*one);
        let mut focus = Focus { listed: subject.clone(), excerpt: true, ..Focus::on(subject) };
        focus.holders.extend(holders);
        // `list(a=1, b=2)`: the arguments, where as many names are given.
        let arguments: Vec<usize> = arguments_of(text)
            .iter()
            .flat_map(|name| self.lookup.find(name))
            .filter(|&at| self.lookup.entity(at).kind == EntityKind::Parameter && self.lookup.holds(*one, at))
            .collect();
        if arguments.len() > 1 {
            focus.all = arguments;
        }
        self.focus = focus;
    }

    /// `^^^^` below a line of code: the part of what that line declares which stands above it, or nothing that is known.
    pub(super) fn points_at(&mut self, span: &Range<usize>) {
        let before = self.text.get(..span.start).unwrap_or_default();
        let (above, indent) = before.rsplit_once('\n').unwrap_or_default();
        let line = above.rsplit('\n').next().unwrap_or_default();
        let pointed = indent.len()..indent.len().saturating_add(span.len());
        let word = line.get(pointed).unwrap_or_default().trim();
        let mut found = self.lookup.find(word);
        found.retain(|&one| self.focus.subject.iter().any(|&outer| one == outer || self.lookup.holds(outer, one)));
        self.focus = if found.len() == 1 { Focus::on(found) } else { Focus::default() };
    }

    /// What the name that a line declares can mean there.
    fn declared_by(&self, line: structure::Declared<'_>, follows: bool) -> Vec<usize> {
        let lookup = self.lookup;
        let kind = |at: &usize| lookup.entity(*at).kind;
        let place = |at: &usize| matches!(kind(at), EntityKind::Interface | EntityKind::Namespace);
        let mut found = lookup.find(line.name);
        if found.is_empty() {
            found = lookup.find_elsewhere(line.name);
        }
        if found.is_empty() && self.language == Language::Go {
            found = lookup.find_constant(line.name);
        }
        if found.is_empty() && self.language == Language::Javascript {
            found = lookup.find_known(line.name);
        }
        found.retain(|at| line.is_type == (kind(at).is_type() || place(at)));
        let held = |at: &usize| self.focus.holders.iter().any(|&outer| lookup.holds(outer, *at));
        if follows && found.iter().any(held) {
            found.retain(held);
        }
        // The client's own name, and not the namespace that has it as well.
        if found.len() > 1 && found.iter().any(|at| lookup.entity(*at).client.is_some()) {
            found.retain(|at| lookup.entity(*at).client.is_some());
        }
        if !line.is_type && found.iter().any(|at| kind(at) != EntityKind::Parameter) {
            found.retain(|at| kind(at) != EntityKind::Parameter);
        }
        found
    }

    /// What a line of another form names.
    fn mentioned_in_code(&mut self, text: &str, follows: bool) {
        let text = text.trim_start_matches(['+', '-', ' ']);
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let Some(declared) = declared(&sentence) else { return };
        let focus = Focus { holders: self.focus.subject.clone(), ..Focus::default() };
        let Ok(one) = sentence.settle(&declared, &focus) else { return };
        if follows && self.focus.subject.iter().any(|&holder| self.lookup.holds(holder, one)) {
            self.focus.subject.push(one);
        } else {
            self.focus = Focus::on(vec![one]);
        }
    }
}

/// The names of the arguments of a call that names them: `list(a=1, b=2)`.
fn arguments_of(text: &str) -> Vec<String> {
    let inside = text.split_once('(').map_or("", |(_, rest)| rest);
    let name = |part: &str| {
        let (name, _) = part.split_once('=')?;
        let name = name.trim();
        crate::names::is_identifier(name).then(|| name.to_owned())
    };
    inside.split(',').filter_map(name).collect()
}

/// The symbol that a line of code declares.
pub(super) fn declared(sentence: &Sentence<'_>) -> Option<Mention> {
    let strong: Vec<_> = sentence.mentions.iter().collect();
    // The name in front of the first parenthesis, brace, equals sign or colon.
    let stop = sentence
        .tokens
        .iter()
        .position(|token| ['(', '{', '=', ';', ':'].iter().any(|sign| token.is_sign(*sign)) || token.called)
        .unwrap_or(sentence.tokens.len());
    strong.iter().rev().find(|mention| mention.at <= stop).or_else(|| strong.first()).map(|mention| (*mention).clone())
}
