//! Diffs that people write to show what they want: a line that goes and the line that takes its place.

use std::cell::OnceCell;
use std::ops::Range;

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::license;
use super::super::rename;
use super::super::sentence::Sentence;
use super::super::standing;
use super::super::structure::{self, identifiers_of, rest_of};
use super::super::targets::Focus;
use super::super::token::tokenize;
use super::{Ask, Document, Doubt, doubt};

/// The lines of a change that are read, and what the prose around says of it.
#[derive(Debug, Default)]
pub(super) struct Hunks {
    removed: Vec<Range<usize>>,
    added: Vec<Range<usize>>,
    /// All lines of the request that come, once they are asked for.
    comes: OnceCell<String>,
    /// The asks that rest on diffs.
    asked: Vec<usize>,
    prose: bool,
    wished: bool,
    against: bool,
}

impl Hunks {
    /// Whether no ask rests on a diff.
    pub(super) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }
}

/// What a line of a Python model says that the wire calls its property: `rest_field(name="descr")`.
fn wire_name(line: &str) -> Option<&str> {
    let (_, arguments) = line.split_once("rest_field(")?;
    let (_, behind) = arguments.split_once("name=\"")?;
    behind.split_once('"').map(|(name, _)| name)
}

/// The line without that name.
fn without_wire_name(line: &str) -> String {
    let Some(name) = wire_name(line) else { return line.to_owned() };
    let argument = format!("name=\"{name}\"");
    line.replace(&format!("{argument}, "), "").replace(&format!(", {argument}"), "").replace(&argument, "")
}

impl<'a> Document<'a> {
    /// Takes in a line of a diff.
    pub(super) fn changed_line(&mut self, span: &Range<usize>, added: bool) {
        if !added && !self.hunks.added.is_empty() {
            self.end_of_hunk();
        }
        let lines = if added { &mut self.hunks.added } else { &mut self.hunks.removed };
        lines.push(span.clone());
    }

    /// Takes in a line of a diff that is shown: what is suggested behind it may be for that line.
    pub(super) fn shown_line(&mut self, span: &Range<usize>, added: bool) {
        if added {
            self.show_line(span);
        }
        self.changed_line(span, added);
    }

    /// Lines that a reviewer writes in place of those that are shown: they wish by themselves.
    pub(super) fn suggest_lines(&mut self, lines: &[(Range<usize>, Range<usize>)]) {
        for (old, _) in lines {
            self.changed_line(old, false);
        }
        for (_, new) in lines {
            self.changed_line(new, true);
        }
        self.end_of_hunk();
        self.hunks.wished = true;
    }

    /// Takes in what a sentence says of the diffs beside it.
    pub(super) fn beside_hunks(&mut self, sentence: &Sentence<'_>) {
        // `In Widget:`, above the lines that it says the place of.
        if let [place, .., colon] = sentence.tokens
            && place.is(&["in", "on", "for"])
            && colon.is_sign(':')
            && sentence.tokens.iter().filter(|token| token.is_text()).count() == 2
            && sentence.mention_at(1).is_some()
        {
            return;
        }
        self.hunks.prose = true;
        // `I'd expect Y as the name of this`: a wish of its own, and none for the lines that come.
        if self.gives_another_name(sentence) {
            return;
        }
        self.hunks.wished |= sentence.any(words::OBLIGING)
            || sentence.any(words::POLITE)
            || sentence.any(&[
                "expect", "want", "like", "would", "suggest", "propose", "prefer", "instead", "apply", "rename",
            ]);
        // `Zip is not a word` speaks for it, `we do not want it` against it.
        let wish = |at: usize| {
            sentence.is(at, words::OBLIGING)
                || sentence.is(at, words::POLITE)
                || sentence.is(
                    at,
                    list! {
                        "this" "that" "it" "these" "change" "rename" "name" "do" "want" "like" "likes" "agree" "approve" "merge"
                        "apply" "new" "suggestion" "diff" "good" "ok" "okay" "sure" "yet"
                    },
                )
        };
        // `Audio gets a type of its own in the next version`: about something else.
        let short = sentence.tokens.iter().filter(|token| token.is_text()).count() <= 6;
        let named = sentence.mentions.iter().any(|mention| mention.strong);
        let about = short || named || (0..sentence.tokens.len()).any(wish);
        self.hunks.against |= sentence.is_turned() && (0..sentence.tokens.len()).any(wish)
            || sentence.any(&["revert", "undo", "broke", "breaks", "broken", "regression", "unexpected"])
            || about
                && (rename::tells(sentence)
                    || standing::is_closed(sentence) && !sentence.any(&["those", "others"])
                    || license::verdict(sentence).is_some()
                    || doubt(sentence).is_some());
    }

    /// Whether a sentence gives a name that is in no line that comes.
    fn gives_another_name(&self, sentence: &Sentence<'_>) -> bool {
        let comes = self.hunks.comes.get_or_init(|| {
            let lines = self.text.lines().map(str::trim_start).filter(|line| line.starts_with('+'));
            lines.collect::<Vec<_>>().join("\n")
        });
        sentence.tokens.iter().enumerate().any(|(at, token)| {
            let new = token.is_text() && token.looks_like_name() && sentence.mention_at(at).is_none();
            new && crate::names::is_identifier(&token.text)
                && !token.text.starts_with('@')
                && !comes.contains(&token.text)
        })
    }

    /// The names that differ between the lines that go and those that come, in their order.
    pub(super) fn end_of_hunk(&mut self) {
        let (removed, added) = (std::mem::take(&mut self.hunks.removed), std::mem::take(&mut self.hunks.added));
        let all = removed.iter().chain(&added);
        let Some(span) = all.clone().map(|line| line.start).min().zip(all.map(|line| line.end).max()) else { return };
        let span = span.0..span.1;
        if removed.is_empty() || added.is_empty() {
            for (at, line) in removed.iter().chain(&added).enumerate() {
                self.code(self.slice(line), at > 0);
            }
            self.found.background.push(span);
            return;
        }
        let first = self.found.asked.len();
        let pairs = if removed.len() == added.len() { removed.iter().zip(&added).collect() } else { Vec::new() };
        let mut certain = !pairs.is_empty();
        for (old, new) in pairs {
            certain &= self.changed_names(self.slice(old), self.slice(new), &span);
        }
        if !certain {
            self.found.asked.truncate(first);
            self.ask(Ask::Unsure(Doubt::Unclear), span, None);
        }
        self.hunks.asked.extend(first..self.found.asked.len());
    }

    /// Whether everything that differs between two lines is the name of something that is known.
    fn changed_names(&mut self, old: &str, new: &str, span: &Range<usize>) -> bool {
        if let Some(moved) = self.moved_path(old, new) {
            let target = moved.target();
            self.ask(moved, span.clone(), None);
            self.focus = Focus::on(target.into_iter().collect());
            return true;
        }
        let (plain_old, plain_new) = (without_wire_name(old), without_wire_name(new));
        let (before, after) = (identifiers_of(&plain_old), identifiers_of(&plain_new));
        // What the wire calls it stays what it is called in the line that goes.
        let wired = |wire: &str| before.contains(&wire) || wire_name(old) == Some(wire);
        if !wire_name(new).is_none_or(wired) {
            return false;
        }
        let (old, new) = (plain_old.as_str(), plain_new.as_str());
        if before.len() != after.len() || rest_of(old) != rest_of(new) {
            return false;
        }
        for (name, other) in before.iter().zip(&after).filter(|(name, other)| name != other) {
            let tokens = tokenize(name);
            let sentence = Sentence::new(&tokens, self.lookup, self.language);
            let Some(mention) = sentence.mentions.first() else { return false };
            let focus = Focus { holders: self.focus.subject.clone(), ..Focus::default() };
            let target = sentence.settle(mention, &focus).or_else(|several| self.with_the_arguments(&several, &before));
            let Ok(target) = target else { return false };
            let asked = |ask: &Ask| ask.target() == Some(target);
            if self.found.asked.iter().any(|one| asked(&one.ask)) {
                continue;
            }
            self.ask(Ask::Rename { target, name: (*other).to_owned() }, span.clone(), None);
            let kind = self.lookup.entity(target).kind;
            if kind.is_type() || kind == EntityKind::Operation {
                self.focus = Focus::on(vec![target]);
            } else {
                self.focus.subject = vec![target];
            }
        }
        true
    }

    /// Of several operations of one name the one that has the most of the arguments of a line, or that they speak of.
    fn with_the_arguments(&self, several: &[usize], names: &[&str]) -> Result<usize, ()> {
        let count = |operation: usize| {
            let parameter = |one: &usize| {
                self.lookup.entity(*one).kind == EntityKind::Parameter && self.lookup.holds(operation, *one)
            };
            // `connectionName: string, resource: ConnectionResource`, in the group of the connections
            let holder = self.lookup.holder_names(self.lookup.entity(operation)).into_iter().next().unwrap_or_default();
            let stem = crate::names::key(holder);
            let stem = stem.strip_suffix('s').unwrap_or(&stem);
            let speaks = |name: &&str| stem.len() > 3 && crate::names::key(name).contains(stem);
            names.iter().filter(|name| speaks(name) || self.lookup.find(name).iter().any(parameter)).count()
        };
        let most = several.iter().map(|&one| count(one)).max().unwrap_or(0);
        let mut found = several.iter().copied().filter(|&one| count(one) == most);
        match (found.next(), found.next()) {
            (Some(one), None) if most > 0 => Ok(one),
            _ => Err(()),
        }
    }

    /// `client.list()` and `client.widgets.list()`: the same call at another path.
    fn moved_path(&self, old: &str, new: &str) -> Option<Ask> {
        let (was, shall) = (structure::declared(old)?.name, structure::declared(new)?.name);
        let operation = |path: &str| path.rsplit('.').next().map(str::to_owned);
        let same =
            was != shall && operation(was) == operation(shall) && old.replacen(was, shall, 1).trim() == new.trim();
        let mut found = self.lookup.find(was);
        if found.is_empty() {
            found = self.lookup.find(&operation(was)?);
        }
        found.retain(|&at| self.lookup.entity(at).kind == EntityKind::Operation);
        let ([target], true) = (found.as_slice(), same) else { return None };
        let tokens = tokenize(new);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let to = super::super::moves::place_of(&sentence, shall, self.root)?;
        Some(Ask::Move { target: *target, to })
    }

    /// A diff is a wish where nothing stands beside it, or where what stands beside it wishes.
    pub(super) fn weigh_hunks(&mut self) {
        let wished = !self.hunks.prose || self.hunks.wished;
        if wished && !self.hunks.against {
            return;
        }
        for at in std::mem::take(&mut self.hunks.asked) {
            if let Some(asked) = self.found.asked.get_mut(at) {
                asked.hold(Doubt::Undecided);
            }
        }
    }
}
