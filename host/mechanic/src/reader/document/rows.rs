//! Rows of tables and records of fields: what each column says, by its head and by what stands in it.

use super::super::lexicon as words;
use super::super::targets::Focus;
use super::{Ask, Document, Doubt, Veto};
use crate::entities::Lookup;
use bailiwick_sdk::tasks::{EntityKind, Language, Scope};
use std::ops::Range;

/// Heads of the column with what a thing shall be.
const WANTED: &[&str] = list! {
    "new" "proposed" "proposal" "suggested" "suggestion" "recommended" "recommendation" "wanted" "after" "target" "preferred"
    "desired" "requested" "replacement" "better" "want" "to" "becomes" "expected" "future" "visibility" "access" "exposure"
};

/// Heads of a column with what somebody says of a thing: the new name is among it where no column is for names.
const SAID: &[&str] = list! {
    "wish" "comment" "comments" "commenttext" "remark" "remarks" "feedback" "action" "change" "request" "decision" "resolution"
};

/// Heads of the column with what a thing is.
const CURRENT: &[&str] = list! {
    "now" "current" "currently" "today" "old" "present" "existing" "before" "from" "is" "original" "actual"
    "generated" "member" "name" "type" "symbol" "identifier" "api" "property" "operation" "method" "field" "was"
    "element" "spec" "what" "item" "model" "class"
};

/// Heads of a column with what was decided.
const DECIDED: &[&str] = list! {
    "verdict" "status" "vote" "votes" "decision" "approved" "outcome" "result" "accepted" "agreed" "resolution" "ok"
};

/// Heads that say of a name that it is today's.
const DATED: &[&str] =
    list! { "today" "now" "current" "currently" "present" "existing" "old" "before" "is" "from" "generated" };

/// What stands in a cell for what stands above it.
const DITTO: &[&str] = &["ditto", "same", "likewise", "idem", "dto", "see", "yes", "no", "ok"];

/// Heads of a column with who asks: its languages say nothing of the change.
const ASKING: &[&str] = list! {
    "reporter" "reported" "owner" "asked" "requested" "requester" "by" "source" "team" "seen" "found" "wish" "example"
};

/// A row: its cells, with the words of the head of each.
struct Row<'a> {
    heads: Vec<Vec<String>>,
    /// The kinds of things that each head names: `type today`.
    kinds: Vec<Option<&'static [EntityKind]>>,
    cells: &'a [String],
    /// Whether the heads speak of what a thing holds: `value today`, `value then`.
    of_values: bool,
}

impl<'a> Row<'a> {
    /// Words that stand in several heads tell them not apart: `type today`, `type at GA`.
    fn new(heads: &[String], cells: &'a [String]) -> Self {
        let split = |head: &String| -> Vec<String> {
            head.to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let all: Vec<Vec<String>> = heads.iter().map(split).collect();
        let common = |word: &String| all.iter().filter(|head| head.contains(word)).count() > 1;
        let own = |head: &Vec<String>| -> Vec<String> {
            let rest: Vec<String> = head.iter().filter(|word| !common(word)).cloned().collect();
            if rest.is_empty() { head.clone() } else { rest }
        };
        let kind = |head: &Vec<String>| head.iter().find_map(|word| words::kinds_of(word));
        let of_values =
            all.iter().flatten().any(|word| ["value", "values", "default", "wire"].contains(&word.as_str()));
        Self { of_values, heads: all.iter().map(own).collect(), kinds: all.iter().map(kind).collect(), cells }
    }

    fn says(&self, at: usize, list: &[&str]) -> bool {
        self.heads.get(at).is_some_and(|head| head.iter().any(|word| list.contains(&word.as_str())))
    }

    fn column(&self, list: &[&str]) -> Option<usize> {
        (0..self.heads.len()).find(|&at| self.says(at, list))
    }

    fn cell(&self, at: usize) -> &'a str {
        self.cells.get(at).map_or("", |cell| plain(cell))
    }

    /// `approved | Ann`: a word that may be who said it.
    fn is_for_persons(&self, at: usize) -> bool {
        let said = self.says(at, &["approved", "accepted", "agreed", "by"]);
        let written = self.cells.get(at).is_some_and(|cell| cell.starts_with('`'));
        let single = crate::names::is_identifier(self.cell(at)) && self.cell(at).starts_with(char::is_uppercase);
        said && single && !written && !super::super::token::is_name_shaped(self.cell(at))
    }

    /// The column with what a thing shall be.
    fn wanted(&self) -> Option<usize> {
        let phrase = |at: usize, phrase: [&str; 2]| {
            self.heads.get(at).is_some_and(|head| head.windows(2).any(|pair| pair == phrase))
        };
        (0..self.heads.len())
            .find(|&at| {
                [["should", "be"], ["to", "be"], ["rename", "to"], ["change", "to"]]
                    .iter()
                    .any(|pair| phrase(at, *pair))
            })
            .or_else(|| self.column(WANTED))
    }

    /// Whether a cell says that the row was turned down, or that it is open.
    fn turned_down(&self, at: usize) -> Option<Verdict> {
        let cell = self.cell(at).to_lowercase();
        let word =
            |list: &[&str]| cell.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| list.contains(&word));
        // `2:5`: votes for it, and against it
        let counts = cell.split_once(':').map(|(yes, no)| (yes.trim().parse::<u32>(), no.trim().parse::<u32>()));
        let outvoted = matches!(counts, Some((Ok(yes), Ok(no))) if yes <= no);
        let no = outvoted
            || word(list! {
                "no" "not" "declined" "rejected" "refused" "denied" "won't" "wontfix" "turned" "against" "keep"
                "stays" "dropped" "withdrawn" "postponed" "deferred" "done"
            })
            || ["✗", "✘", "❌", "-", "–"].iter().any(|sign| cell.contains(sign));
        let open = word(&["open", "pending", "tbd", "undecided", "discuss", "discussion", "waiting", "maybe", "later"])
            || cell.contains('?');
        let open = open || self.is_not_approved(at);
        match (no, open) {
            (true, _) => Some(Verdict::No),
            (false, true) => Some(Verdict::Open),
            _ => None,
        }
    }

    /// `new name | status`: words beside a name that are not known to approve of it.
    fn is_not_approved(&self, at: usize) -> bool {
        let named = self.wanted().filter(|wanted| *wanted != at);
        let named = named.is_some_and(|wanted| crate::names::is_identifier(self.cell(wanted)));
        let cell = self.cell(at).to_lowercase();
        let mut words = cell.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
        let plain = self.cell(at).starts_with(char::is_lowercase);
        let approves = |word: &str| words::APPROVING.contains(&word) || words::STANDING_OPEN.contains(&word);
        named && plain && words.peek().is_some() && !words.any(approves)
    }

    /// What the change is for, where a column other than that of the thing and its name holds nothing but languages. `ts` may
    /// be what a property is called.
    fn scope(&self, wanted: usize, current: usize) -> Result<Option<Scope>, ()> {
        let mut found = None;
        for at in (0..self.cells.len()).filter(|at| ![wanted, current].contains(at) && !self.says(*at, ASKING)) {
            let headed = self.says(at, &["language", "languages", "sdk", "sdks", "library", "libraries", "scope"]);
            match languages(self.cell(at)) {
                Some(scope) if found.is_none() => found = Some(scope),
                Some(_) => return Err(()),
                None if headed && !self.cell(at).is_empty() => return Err(()),
                None => {}
            }
        }
        Ok(found)
    }

    /// The one cell that is a name, behind a column that says how it is today. Its head has to speak of what comes;
    /// columns of other languages, of values and of names on the wire do not count.
    fn free(&self) -> Option<usize> {
        let dated = self.column(DATED)?;
        let others =
            list! { "default" "owner" "reporter" "ticket" "version" "since" "was" "former" "value" "values" "type" };
        // `today | maybe`, `now | other SDKs`: what is said of a column has to be about what comes.
        let coming = list! {
            "tomorrow" "then" "will" "ships" "ship" "shall" "should" "be" "final" "agreed" "approved" "release" "ga" "goal" "good"
            "correct" "corrected" "right" "wants" "want" "wished" "needed" "next" "later" "public" "clearer" "nicer" "fixed" "ours"
        };
        let free = |at: &usize| {
            if self.is_for_persons(*at) {
                return false;
            }
            let lower = self.cell(*at).to_lowercase();
            let idle = [words::APPROVING, words::KEEPING, words::NEVER_NAMES]
                .iter()
                .any(|list| list.contains(&lower.as_str()));
            let language =
                self.heads.get(*at).is_some_and(|head| head.iter().any(|word| words::language(word).is_some()));
            let other = language || [words::ELSEWHERE, words::WIRE, others].iter().any(|list| self.says(*at, list));
            let name = crate::names::is_identifier(self.cell(*at)) && !idle || keeps(self.cell(*at));
            !other && name && self.says(*at, coming)
        };
        let mut all = (dated.saturating_add(1)..self.cells.len()).filter(free);
        all.next().filter(|_| all.next().is_none())
    }
}

/// `GetX / GetXAsync`: the forms of one name are that name.
fn one_name(cell: &str) -> String {
    let parts: Vec<&str> = cell.split(['/', ',']).map(plain).collect();
    let stem = |part: &str| crate::names::key(part.trim_end_matches("Async"));
    let (Some(first), true) = (parts.first(), parts.len() > 1) else { return cell.to_owned() };
    let alike = parts.iter().all(|part| crate::names::is_identifier(part) && stem(part) == stem(first));
    let shortest = parts.iter().min_by_key(|part| part.len()).filter(|_| alike);
    shortest.map_or_else(|| cell.to_owned(), |part| format!("`{part}`"))
}

enum Verdict {
    No,
    Open,
}

/// A cell without the marks of its text.
fn plain(cell: &str) -> &str {
    cell.trim_matches(['`', '*', '"', ' '])
}

/// `no change`, `as is`, `—`: the thing of the row stays.
fn keeps(cell: &str) -> bool {
    let lower = plain(cell).trim_matches(['(', ')']).trim_end_matches('.').to_lowercase();
    lower.chars().all(|c| "-–— ".contains(c))
        || ["no change", "no changes", "as is", "as-is", "same", "n/a", "none", "unchanged"].contains(&lower.as_str())
        || lower.split_whitespace().next().is_some_and(|word| words::KEEPING.contains(&word))
            && lower.split_whitespace().count() <= 3
}

/// The languages of a cell that names nothing else: `Python, Java`, `all but .NET`.
fn languages(cell: &str) -> Option<Scope> {
    let lower = cell.to_lowercase();
    let mut found: Vec<Language> = Vec::new();
    let (mut all, mut except) = (false, false);
    for word in lower.split([',', '/', '&', '+', ';', ' ']).filter(|word| !word.is_empty()) {
        match words::language(word) {
            Some(language) if found.contains(&language) => {}
            Some(language) => found.push(language),
            None => match word {
                "all" | "every" | "everywhere" => all = true,
                "but" | "except" | "not" => except = true,
                "and" | "only" | "languages" | "sdks" => {}
                _ => return None,
            },
        }
    }
    match (found.is_empty(), all, except) {
        (true, true, false) => Some(Scope::All),
        (false, _, true) => Some(Scope::Except(found)),
        (false, false, false) => Some(Scope::Only(found)),
        _ => None,
    }
}

impl Document<'_> {
    /// A row of a table: the columns say which cell is which.
    pub(super) fn row(&mut self, heads: &[String], cells: &[String], span: &Range<usize>) {
        let bare = |cell: &String| one_name(cell.trim_start_matches(['-', '=', '>', '→']).trim_start());
        // `-> Y`, in a column of its own
        let pointed = |cell: &&String| ["->", "→", "=>"].iter().any(|arrow| cell.starts_with(arrow));
        let cells: Vec<String> =
            cells.iter().map(|cell| if pointed(&cell) { bare(cell) } else { one_name(cell) }).collect();
        let cells = cells.as_slice();
        let heads = &self.spoken_heads(heads);
        let row = Row::new(heads, cells);
        let verdict = row.column(DECIDED);
        match verdict.and_then(|at| row.turned_down(at)) {
            Some(Verdict::Open) => return self.ask(Ask::Unsure(Doubt::Undecided), span.clone(), None),
            Some(Verdict::No) => return self.found.background.push(span.clone()),
            None => {}
        }
        let turned_down = cells.iter().any(|cell| {
            let said = |word: &str| {
                ["rejected", "declined", "vetoed", "withdrawn", "postponed", "deferred", "won't", "wontfix"]
                    .contains(&word.trim_matches(|c: char| !c.is_alphanumeric()))
            };
            self.lookup.find(cell).is_empty() && cell.to_lowercase().split_whitespace().any(said)
        });
        if turned_down {
            self.found.background.push(span.clone());
            return;
        }
        // `A | A`, `unchanged`: what stays as it is.
        let stays =
            |cell: &String| ["unchanged", "no change", "kept", "as is"].contains(&plain(cell).to_lowercase().as_str());
        let twice = cells.iter().enumerate().any(|(at, cell)| {
            !self.lookup.find(plain(cell)).is_empty()
                && cells.iter().skip(at.saturating_add(1)).any(|other| other == cell)
        });
        if cells.iter().any(stays) && twice {
            self.found.background.push(span.clone());
            return;
        }
        // `Y? <br> **Reply:** we would like to keep it`: a thread in a cell.
        let thread = cells.iter().find(|cell| cell.contains("<br"));
        if thread.is_some_and(|cell| cell.contains('?')) {
            self.ask(Ask::Unsure(Doubt::Question), span.clone(), None);
            return;
        }
        // `Is this table right?`
        if self.questioned {
            self.ask(Ask::Unsure(Doubt::Question), span.clone(), None);
            return;
        }
        // `old value | new value`: what something holds.
        if row.of_values {
            self.found.background.push(span.clone());
            return;
        }
        for cell in cells.iter().filter(|cell| cell.contains("@@")) {
            let offset = self.slice(span).find(cell.as_str()).unwrap_or(0);
            if self.asks_for_decorators(cell, span.start.saturating_add(offset)) {
                return;
            }
        }
        let wanted = row.wanted();
        let is_arrow = |cell: &&String| ["->", "→", "=>"].iter().any(|arrow| cell.contains(arrow));
        // `suffix: List -> Content`, beside a column with the whole new name.
        let given = wanted.is_some_and(|at| crate::names::is_identifier(plain(row.cell(at))));
        if let Some(cell) = cells.iter().find(is_arrow).filter(|_| !given) {
            let offset = self.slice(span).find(cell.as_str()).unwrap_or(0);
            self.prose(cell, span.start.saturating_add(offset));
            return;
        }
        // What was decided may be the name itself.
        let decided = verdict.filter(|at| {
            if row.is_for_persons(*at) {
                return false;
            }
            let lower = row.cell(*at).to_lowercase();
            let idle = [words::APPROVING, words::HIDING, words::NEVER_NAMES, DITTO];
            crate::names::is_identifier(&lower) && !idle.iter().any(|list| list.contains(&lower.as_str()))
        });
        // `action | new name`: no name, where the action hides.
        let action = row.column(SAID).filter(|&at| words::HIDING.contains(&row.cell(at).to_lowercase().as_str()));
        let nameless = wanted.is_some_and(|at| row.cell(at).chars().all(|c| "-–— ".contains(c)));
        let wanted = if nameless { action.or(wanted) } else { wanted };
        let wanted = wanted
            .or_else(|| row.free())
            .or(decided)
            .or_else(|| row.column(SAID))
            .or(verdict)
            .filter(|at| !row.is_for_persons(*at));
        let known = |at: &usize| !self.lookup.find(row.cell(*at)).is_empty();
        if let (None, Some(ask)) = (wanted, self.listed_row(&row)) {
            return self.ask(ask, span.clone(), None);
        }
        let current = row
            .column(CURRENT)
            .filter(|current| Some(*current) != wanted)
            .or_else(|| (0..heads.len()).find(|at| Some(*at) != wanted && known(at)));
        let (Some(wanted), Some(current)) = (wanted, current) else {
            // `generated | approved`, with cells that are no single name.
            let exchanged = row.column(DATED).is_some() && row.column(WANTED).or(verdict).is_some();
            if exchanged {
                self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            } else {
                self.found.background.push(span.clone());
            }
            return;
        };
        let (text, mut target) = self.held_in_row(&row, wanted, current);
        if target.len() > 1 && self.typed.contains(&span.start) {
            target.retain(|&one| self.lookup.entity(one).kind.is_type());
        }
        self.focus = Focus::on(target.clone());
        if keeps(row.cell(wanted)) {
            let sentence = self.sentence;
            self.found.vetoes.extend(target.into_iter().map(|one| Veto::kept(one, sentence)));
            self.sentence = self.sentence.saturating_add(1);
            self.found.background.push(span.clone());
            return;
        }
        let [target] = target.as_slice() else {
            let doubt = if target.is_empty() { Doubt::Unknown(text) } else { Doubt::Ambiguous(text, target) };
            self.ask(Ask::Unsure(doubt), span.clone(), None);
            return;
        };
        let Ok(scope) = row.scope(wanted, current) else {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        };
        let bare = row.cell(wanted).trim_matches(['`', '*', '"', ' ', '.']);
        let last = bare.rsplit('.').next().unwrap_or(bare);
        let lower = bare.to_lowercase();
        // A word among remarks is a name where it is written as one, or spells out what it is for.
        let said = Some(wanted) != decided && row.says(wanted, SAID) && !row.says(wanted, WANTED);
        let shaped = super::super::token::is_name_shaped(bare)
            || cells.get(wanted).is_some_and(|cell| cell.starts_with('`'))
            || super::super::names::resembles(&self.lookup.entity(*target).name, last);
        if said && !shaped && crate::names::is_identifier(bare) && !words::HIDING.contains(&lower.as_str()) {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        // `removed`, `?`: no name, and not nothing.
        if words::REMOVING.contains(&lower.as_str()) || bare.ends_with('?') {
            self.ask(Ask::Unsure(Doubt::Unclear), span.clone(), None);
            return;
        }
        // What stands behind the last dot of a sentence is no name: `…, see the page.html`.
        if crate::names::is_identifier(last)
            && !bare.contains(char::is_whitespace)
            && ![words::APPROVING, words::HIDING, DITTO].iter().any(|list| list.contains(&lower.as_str()))
        {
            self.ask(Ask::Rename { target: *target, name: last.to_owned() }, span.clone(), scope);
            return;
        }
        let Some(cell) = cells.get(wanted) else { return };
        let offset = self.slice(span).find(cell.as_str()).unwrap_or(0);
        let section = scope.as_ref().map(|_| std::mem::replace(&mut self.section, scope.clone()));
        self.prose(cell, span.start.saturating_add(offset));
        if let Some(section) = section {
            self.section = section;
        }
    }

    /// A row that names one thing, below words that want such things hidden or shown: `operation | reason`.
    fn listed_row(&self, row: &Row<'_>) -> Option<Ask> {
        let wish = self.seen.as_ref()?;
        let current = row.column(CURRENT)?;
        let open = |cell: &String| {
            let lower = cell.to_lowercase();
            let mut words = lower.split(|c: char| !c.is_alphanumeric());
            lower.contains('?') || words.any(|word| words::KEEPING.contains(&word) || words::DOUBTS.contains(&word))
        };
        let (_, targets) = self.held_in_row(row, row.cells.len(), current);
        let [target] = targets.as_slice() else { return None };
        (!row.cells.iter().any(open)).then(|| wish.of(*target))
    }

    /// What a row is about: the thing of all its columns, or the one that is inside of the others.
    fn held_in_row(&self, row: &Row<'_>, wanted: usize, current: usize) -> (String, Vec<usize>) {
        let mut target: Vec<usize> = Vec::new();
        let mut text = String::new();
        let mut kinds = None;
        for at in (0..row.cells.len()).filter(|at| *at != wanted) {
            let cell = row.cell(at);
            let cell = cell.split('(').next().unwrap_or(cell).trim();
            // `field `Type``: what kind of thing it is, and its name.
            let noun = cell.split_once(' ').and_then(|(noun, name)| {
                let kinds = words::kinds_of(&noun.to_lowercase())?;
                crate::names::is_identifier(plain(name)).then_some((kinds, plain(name)))
            });
            let cell = noun.map_or(cell, |(_, name)| name);
            let mut here = self.lookup.find(cell);
            if here.is_empty() {
                here = self.lookup.find_elsewhere(cell);
            }
            // `kind | name`: what a thing is, and no thing.
            let lower = cell.to_lowercase();
            if noun.is_none() && row.says(at, &["kind", "type", "what", "element"]) && words::kinds_of(&lower).is_some()
            {
                kinds = words::kinds_of(&lower);
                continue;
            }
            let headed = noun.map(|(kinds, _)| kinds).or_else(|| row.kinds.get(at).copied().flatten());
            if let Some(headed) = headed {
                narrow(&mut here, headed, self.lookup);
            }
            if here.is_empty() && noun.is_some() {
                return (cell.to_owned(), Vec::new());
            }
            // Letter for letter, where one is.
            let exact = |one: &usize| self.lookup.entity(*one).name == cell;
            if here.len() > 1 && here.iter().any(exact) {
                here.retain(exact);
            }
            if here.is_empty() {
                // `from | to` in front of something that has a name: what it is today is not known.
                if row.says(at, DATED) && crate::names::is_identifier(cell) {
                    return (cell.to_owned(), Vec::new());
                }
                if at == current {
                    text = cell.to_owned();
                }
                continue;
            }
            if target.is_empty() {
                target = here;
                text = cell.to_owned();
                continue;
            }
            let inside = |inner: &[usize], outer: &[usize]| -> Vec<usize> {
                let held = |one: &usize| outer.iter().any(|&outer| self.lookup.holds(outer, *one));
                inner.iter().copied().filter(held).collect()
            };
            let (down, up) = (inside(&here, &target), inside(&target, &here));
            if !down.is_empty() {
                target = down;
                text = cell.to_owned();
            } else if !up.is_empty() {
                target = up;
            }
        }
        if let Some(kinds) = kinds {
            narrow(&mut target, kinds, self.lookup);
        }
        (text, target)
    }
}

/// Keeps those of some kinds, if there are any.
fn narrow(found: &mut Vec<usize>, kinds: &[EntityKind], lookup: &Lookup<'_>) {
    let fits = |at: &usize| kinds.contains(&lookup.entity(*at).kind);
    if found.iter().any(fits) {
        found.retain(fits);
    }
}
