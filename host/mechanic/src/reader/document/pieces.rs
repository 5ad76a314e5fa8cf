//! What a piece of a request says by its form: code, records, tables, quotations, suggestions.

use super::super::sentence::Sentence;
use super::super::targets::Focus;
use super::super::token::tokenize;
use super::excerpt::declared;
use super::{Ask, Asked, Document, Doubt};
use bailiwick_sdk::tasks::{EntityKind, Language, Scope};
use std::ops::Range;

impl<'a> Document<'a> {
    /// Lines of code with what shall become of them behind an arrow: `DISC = 1   <-- DISCONTINUED`.
    pub(super) fn pointed_at(&mut self, text: &str, start: usize) {
        let mut at = start;
        for line in text.split_inclusive('\n') {
            match line.find("<-") {
                None => self.code_in(line, true),
                Some(arrow) => {
                    let (code, comment) = line.split_at(arrow);
                    let skipped = comment.len().saturating_sub(comment.trim_start_matches(['<', '-', ' ']).len());
                    self.code_in(code, true);
                    let comment_at = at.saturating_add(arrow).saturating_add(skipped);
                    if let Some(comment) = comment.get(skipped..) {
                        self.prose(comment.trim_end(), comment_at);
                    }
                }
            }
            at = at.saturating_add(line.len());
        }
    }

    /// A line of code inside of the code before: a member is narrowed by the class above it.
    pub(super) fn code_in(&mut self, text: &str, inside: bool) {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let Some(declared) = declared(&sentence) else { return };
        let Ok(one) = sentence.settle(&declared, &self.focus) else { return };
        let is_type = self.lookup.entity(one).kind.is_type();
        let mut focus = Focus::on(vec![one]);
        if inside && !is_type {
            focus.holders.extend(self.focus.holders.iter().copied());
        }
        self.focus = focus;
    }

    /// What somebody else asks for waits for agreement.
    pub(super) fn propose(&mut self, text: &str, start: usize) {
        let mut inner = Self {
            focus: self.focus.clone(),
            unit: self.unit,
            sentence: self.sentence,
            closed: self.closed,
            section: self.section.clone(),
            ..Self::new(self.text, self.language, self.index, self.lookup)
        };
        inner.prose(text, start);
        let asked =
            inner.found.asked.into_iter().filter(|asked| !matches!(asked.ask, Ask::Unsure(_))).chain(inner.pending);
        self.pending.extend(asked.map(|asked| Asked { sentence: usize::MAX, ..asked }));
    }

    /// What somebody else wrote: what it is about becomes what is spoken of.
    pub(super) fn context(&mut self, text: &str, follows: bool) {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let mut subject = self.subject_of(&sentence);
        // `class Part: total`: of a thing and what it holds, what it holds.
        let inner: Vec<usize> = self
            .named_here(&sentence)
            .into_iter()
            .filter(|&one| subject.iter().any(|&outer| self.lookup.holds(outer, one)))
            .collect();
        if !inner.is_empty() {
            subject = inner;
        }
        if !subject.is_empty() {
            self.focus = self.joined(subject, follows);
        }
    }

    /// What a line is about, with what the lines directly above it are about.
    fn joined(&self, subject: Vec<usize>, follows: bool) -> Focus {
        let mut all = if follows { self.focus.subject.clone() } else { Vec::new() };
        all.extend(subject.into_iter().filter(|one| !self.focus.subject.contains(one) || !follows));
        Focus { listed: all.clone(), ..Focus::on(all) }
    }

    pub(super) fn element(&mut self, text: &str, follows: bool) {
        let id = text.split_whitespace().next().unwrap_or_default();
        let id = id.trim_matches(['`', '"']);
        // `src/Generated/Models/Status.cs(11,28):`
        let stem = id.split('(').next().unwrap_or(id);
        let stem = stem.rsplit('/').next().filter(|_| stem.contains('/') || stem.ends_with(".cs"));
        let id = stem.and_then(|stem| stem.split('.').next()).unwrap_or(id);
        // `package!Class#member:member`, `…:function(1)`.
        let id = id.rsplit_once(':').filter(|(before, _)| !before.ends_with(':')).map_or(id, |(before, _)| before);
        let id = id.split('(').next().unwrap_or(id);
        let mut found = self.lookup.find(id);
        if found.is_empty() {
            found = self.lookup.find_elsewhere(id);
        }
        if found.is_empty() {
            // A line of code in place of an id.
            self.code(text, false);
            return;
        }
        if let Some(last) = id.rsplit(['.', '#']).next()
            && found.len() > 1
        {
            let types: Vec<usize> = found.iter().copied().filter(|&at| self.lookup.entity(at).kind.is_type()).collect();
            if last.starts_with(char::is_uppercase) && !types.is_empty() {
                found = types;
            }
        }
        if found.len() == 1 {
            self.focus = self.joined(found, follows);
        }
    }

    /// A line of a build's output: the type whose file it names is spoken of.
    pub(super) fn log_line(&mut self, text: &str) {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let named: Vec<usize> = sentence
            .mentions
            .iter()
            .filter(|mention| sentence.get(mention.at).is_some_and(|token| token.quoted))
            .filter_map(|mention| sentence.settle(mention, &Focus::default()).ok())
            .take(1)
            .collect();
        if !named.is_empty() {
            let mut listed = self.focus.listed.clone();
            listed.extend(named.iter().copied());
            self.focus = Focus { listed, ..Focus::on(named) };
        }
    }

    pub(super) fn suggestion(&mut self, text: &str, span: &Range<usize>) {
        let Some((decorator, arguments)) = text.trim().trim_start_matches('@').split_once('(') else { return };
        let parts: Vec<&str> = arguments.trim_end_matches([';', ')', ' ']).split(',').map(str::trim).collect();
        let (Some(target), value) = (parts.first(), parts.get(1).copied().unwrap_or_default()) else { return };
        let mut targets = self.lookup.find(target);
        // A name without a path is one of the namespace's own, letter for letter.
        let own = |at: &usize| {
            let entity = self.lookup.entity(*at);
            entity.name == **target && (entity.kind.is_type() || entity.kind == EntityKind::Interface)
        };
        if targets.len() > 1 && !target.contains('.') && targets.iter().any(own) {
            targets.retain(own);
        }
        let [target] = targets.as_slice() else {
            self.ask(Ask::Unsure(Doubt::Unknown((*target).to_owned())), span.clone(), None);
            return;
        };
        // A line that stands there already, and that a comment is about.
        let start =
            self.text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end.saturating_add(1));
        let quoted = self.text.get(start..).is_some_and(|line| line.trim_start().starts_with('>'));
        if self.stands(decorator, *target, &parts) && (quoted || self.stands_for(decorator, *target, &parts)) {
            self.focus = Focus::on(vec![*target]);
            self.decorated = Some(*target);
            self.found.background.push(span.clone());
            return;
        }
        let scope = match suggested_scope(&parts) {
            // A language that has it already needs no second one.
            Some(Scope::Only(mut languages)) if languages.len() > 1 => {
                languages.retain(|one| !self.stands_in(decorator, *target, &parts, *one));
                if languages.is_empty() {
                    self.found.background.push(span.clone());
                    return;
                }
                Some(Scope::Only(languages))
            }
            scope => scope,
        };
        let value_text = value.trim_matches('"').to_owned();
        let ask = match decorator.trim() {
            "clientName" => Ask::Rename { target: *target, name: value_text },
            "access" if value.ends_with("internal") => Ask::Hide { target: *target },
            "access" if value.ends_with("public") => Ask::Show { target: *target },
            "clientLocation" => {
                let place = self.lookup.find(&value_text);
                let to = match place.as_slice() {
                    [one] if !value.starts_with('"') => self.lookup.entity(*one).reference.clone(),
                    _ => value_text,
                };
                Ask::Move { target: *target, to }
            }
            _ => Ask::Unsure(Doubt::Unclear),
        };
        self.ask(ask, span.clone(), scope);
        self.focus = Focus::on(vec![*target]);
    }

    /// Whether the specification has a decorator with these arguments.
    fn stands(&self, decorator: &str, target: usize, parts: &[&str]) -> bool {
        let reference = &self.lookup.entity(target).reference;
        let value = parts.get(1).map(|value| value.trim_matches('"'));
        self.index.customizations.iter().any(|one| {
            one.decorator == decorator.trim_start_matches('@').trim()
                && one.target == *reference
                && one.arguments.first().map(|first| first.trim_matches('"')) == value
        })
    }

    /// Whether one of them is for a language.
    fn stands_in(&self, decorator: &str, target: usize, parts: &[&str], language: Language) -> bool {
        let reference = &self.lookup.entity(target).reference;
        let value = parts.get(1).map(|value| value.trim_matches('"'));
        self.index.customizations.iter().any(|one| {
            one.decorator == decorator.trim_start_matches('@').trim()
                && one.target == *reference
                && one.arguments.first().map(|first| first.trim_matches('"')) == value
                && one.scope.as_deref().is_some_and(|scope| crate::client_file::covers(scope, language))
        })
    }

    /// Whether one of them is for the very languages that the last of these arguments names.
    fn stands_for(&self, decorator: &str, target: usize, parts: &[&str]) -> bool {
        let reference = &self.lookup.entity(target).reference;
        let tokens = |scope: &str| -> Vec<String> {
            let mut tokens: Vec<_> = scope.split(',').map(|one| one.trim_matches(['"', ' ']).to_lowercase()).collect();
            tokens.retain(|one| !one.is_empty());
            tokens.sort();
            tokens
        };
        let named = tokens(&parts.get(2..).unwrap_or_default().join(","));
        let value = parts.get(1).map(|value| value.trim_matches('"'));
        self.index.customizations.iter().any(|one| {
            one.decorator == decorator.trim_start_matches('@').trim()
                && one.target == *reference
                && one.arguments.first().map(|first| first.trim_matches('"')) == value
                && tokens(one.scope.as_deref().unwrap_or_default()) == named
        })
    }

    /// A suggested line of generated code that keeps the name on the wire: `title: str = rest_field(name="ttl")`.
    pub(super) fn suggested_line(&mut self, text: &str, span: &Range<usize>) {
        let tokens = tokenize(text);
        let wire = text.split_once("name=\"").and_then(|(_, rest)| rest.split('"').next());
        let new = tokens.iter().find(|token| token.is_text()).map(|token| token.text.clone());
        let found = wire.map(|wire| self.lookup.find(wire)).unwrap_or_default();
        match (found.as_slice(), new) {
            ([target], Some(name)) if crate::names::is_identifier(&name) => {
                self.ask(Ask::Rename { target: *target, name }, span.clone(), None);
            }
            _ => self.code(text, false),
        }
    }

    /// Whether what is expected is one plain word that spells out nothing: `zero`.
    pub(super) fn is_a_value(&self, text: &str) -> bool {
        let word = text.trim_matches(['`', '"', '.', ' ']);
        let plain = !word.contains(char::is_whitespace) && !super::super::token::is_name_shaped(word);
        let spelled = |one: &usize| super::super::names::resembles(&self.lookup.entity(*one).name, word);
        plain && !self.focus.subject.iter().any(spelled)
    }
}

pub(super) fn suggested_scope(parts: &[&str]) -> Option<Scope> {
    let text = parts.get(2..)?.join(",");
    let text = text.trim_matches(['"', ' ', ')', ';']);
    let mut only = Vec::new();
    let mut except = Vec::new();
    for part in text.split(',').map(|part| part.trim().trim_matches('"')) {
        match part.strip_prefix('!') {
            Some(part) => except.extend(Language::from_scope_token(part.trim())),
            None => only.extend(Language::from_scope_token(part)),
        }
    }
    if !except.is_empty() {
        Some(Scope::Except(except))
    } else if only.is_empty() {
        None
    } else {
        Some(Scope::Only(only))
    }
}

pub(super) fn is_code_like(text: &str) -> bool {
    text.contains('(') && text.contains('.') || text.contains('=') || text.contains('_') && !text.contains(' ')
}
