//! Blocks that a reviewer writes in place of code that stands above: `suggestion` blocks.

use std::ops::Range;

use super::super::license;
use super::super::sentence::Sentence;
use super::super::structure::{declared, differs_in_names};
use super::super::targets::Focus;
use super::super::zones::is_boundary;
use super::{Ask, Document};

/// Code that is shown, and what is suggested for it.
#[derive(Debug, Default)]
pub(super) struct Suggestions {
    /// The lines of the last block of code.
    shown: Vec<Range<usize>>,
    /// The unit of the last of these lines.
    last: usize,
    suggested: Vec<Range<usize>>,
    /// The new name that a block declares below no code, and where it stands.
    named: Option<(String, Range<usize>)>,
}

impl Suggestions {
    /// The last line of the code that was shown.
    pub(super) fn last_shown(&self) -> Option<&Range<usize>> {
        self.shown.last()
    }
}

impl Document<'_> {
    /// Takes in a line of code that something may be suggested for.
    pub(super) fn show_line(&mut self, span: &Range<usize>) {
        if self.suggestions.last.saturating_add(1) != self.unit {
            self.suggestions.shown.clear();
        }
        self.suggestions.last = self.unit;
        self.suggestions.shown.push(span.clone());
    }

    /// Takes in a line of a block.
    pub(super) fn suggest_line(&mut self, span: &Range<usize>) {
        self.suggestions.suggested.push(span.clone());
    }

    /// What a block comes to once it has ended.
    pub(super) fn end_of_suggestion(&mut self) {
        let suggested = std::mem::take(&mut self.suggestions.suggested);
        if suggested.is_empty() {
            return;
        }
        let pairs = self.exchanged_lines(&suggested);
        if let Some((first, _)) = pairs.first() {
            self.look_at_the_type_above(first);
            self.suggest_lines(&pairs);
            return;
        }
        if let [line] = suggested.as_slice()
            && let Some(renamed) = self.type_of_the_file(line)
        {
            self.ask(renamed, line.clone(), None);
            return;
        }
        if let ([line], true) = (suggested.as_slice(), self.suggestions.shown.is_empty())
            && let Some(declared) = declared(self.slice(line))
            && self.lookup.find(declared.name).is_empty()
        {
            self.suggestions.named = Some((declared.name.to_owned(), line.clone()));
        }
        for line in suggested {
            self.suggested_line(self.slice(&line), &line);
        }
    }

    /// `on X`, `instead of X`, directly below a block that declares a new name and stands below no code: what gets it.
    pub(super) fn takes_the_name_of_a_block(&mut self, sentence: &Sentence<'_>) -> bool {
        let Some((name, span)) = self.suggestions.named.take() else { return false };
        let led = sentence.is(0, &["on", "for", "replaces", "replacing"])
            || sentence.phrase(0, &["instead", "of"])
            || sentence.phrase(0, &["in", "place", "of"]);
        let first = sentence.mentions.iter().find(|mention| mention.strong && mention.at < 4);
        // `on X would be wrong`: said of the block, which is not taken.
        let ends = first.is_some_and(|mention| {
            sentence.get(mention.end).is_none_or(is_boundary)
                || sentence.is(mention.end, &["which", "because", "since", "please", "here"])
        });
        let taken = led && ends && license::verdict(sentence).is_none();
        let target = first.and_then(|mention| sentence.settle(mention, &self.focus).ok()).filter(|_| taken);
        let Some(target) = target.filter(|_| !sentence.is_turned()) else { return false };
        self.ask(Ask::Rename { target, name }, span, None);
        true
    }

    /// What a line of a block declares is in the type that the block opened above it.
    fn look_at_the_type_above(&mut self, line: &Range<usize>) {
        let above = self.suggestions.shown.iter().filter(|shown| shown.start < line.start);
        let opened = above.filter_map(|shown| declared(self.slice(shown))).rfind(|line| line.is_type);
        let mut found = opened.map(|line| self.lookup.find(line.name)).unwrap_or_default();
        found.retain(|&one| self.lookup.entity(one).kind.is_type());
        if let [one] = found.as_slice() {
            self.focus = Focus::on(vec![*one]);
        }
    }

    /// The lines above with those that take their places, where nothing but names differs.
    fn exchanged_lines(&self, suggested: &[Range<usize>]) -> Vec<(Range<usize>, Range<usize>)> {
        // `> +    name: str`: a line of a diff that a remark quotes.
        let lines: Vec<Range<usize>> = self.suggestions.shown.iter().map(|line| self.without_its_sign(line)).collect();
        let shown = &lines;
        let bare = |span: &Range<usize>| self.slice(span).trim();
        let exchanged = |old: &Range<usize>, new: &Range<usize>| differs_in_names(bare(old), bare(new));
        let same = |old: &Range<usize>, new: &Range<usize>| bare(old) == bare(new);
        if shown.len() == suggested.len()
            && shown.iter().zip(suggested).all(|(old, new)| same(old, new) || exchanged(old, new))
        {
            let pairs = shown.iter().zip(suggested).filter(|(old, new)| !same(old, new));
            return pairs.map(|(old, new)| (old.clone(), new.clone())).collect();
        }
        let [new] = suggested else { return Vec::new() };
        // A remark stands below the line that it is about.
        if let Some(old) = shown.last().filter(|old| exchanged(old, new)) {
            return vec![(old.clone(), new.clone())];
        }
        let mut lines = shown.iter().filter(|old| exchanged(old, new));
        match (lines.next(), lines.next()) {
            (Some(old), None) => vec![(old.clone(), new.clone())],
            _ => Vec::new(),
        }
    }

    fn without_its_sign(&self, line: &Range<usize>) -> Range<usize> {
        let signs = self.slice(line).len().saturating_sub(self.slice(line).trim_start_matches('+').len());
        line.start.saturating_add(signs)..line.end
    }

    /// `OldName.java:42` above `public final class NewName {`.
    fn type_of_the_file(&self, line: &Range<usize>) -> Option<Ask> {
        let declared = declared(self.slice(line)).filter(|line| line.is_type)?;
        let before = self.text.get(..line.start)?;
        let mut files = before.split_whitespace().filter_map(|word| {
            let name = word.trim_matches(['`', '*', '(', ')', ',']).rsplit(['/', '\\']).next()?;
            let (stem, ending) = name.split_once('.')?;
            let ending = ending.split(':').next().unwrap_or_default();
            ["java", "cs", "ts", "go", "py"].contains(&ending).then_some(stem)
        });
        let file = files.next_back()?;
        let mut found = self.lookup.find(file);
        found.retain(|&one| self.lookup.entity(one).client.is_some() || self.is_a_client(one));
        let new = self.lookup.find(declared.name).is_empty();
        match found.as_slice() {
            [target] if new => Some(Ask::Rename { target: *target, name: declared.name.to_owned() }),
            _ => None,
        }
    }

    fn is_a_client(&self, one: usize) -> bool {
        let reference = &self.lookup.entity(one).reference;
        self.index.clients.iter().any(|client| client.reference.as_ref() == Some(reference))
    }
}
