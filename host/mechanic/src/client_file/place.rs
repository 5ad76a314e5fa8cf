//! What the decorators of one kind on one target come to, and how they change so that some languages see something else
//! and all others the same.

use super::Conflict;
use super::wanted::{Goal, Wanted};
use bailiwick_sdk::scopes::{ScopeArgument, Values};
use bailiwick_sdk::tasks::{Customization, CustomizationForm, Language, Scope, SpecIndex};

/// One decorator on the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Applied {
    /// Its place among the customizations of the index; `None` for one that is to be added.
    pub(super) origin: Option<usize>,
    pub(super) form: CustomizationForm,
    /// The arguments between the target and the scope, as source text.
    pub(super) value: String,
    pub(super) scope: Option<String>,
    pub(super) line: u32,
}

impl Applied {
    pub(super) fn reads(&self) -> ScopeArgument {
        ScopeArgument::parse(self.scope.as_deref())
    }
}

/// The decorators of one kind on one target, in the order in which the compiler applies them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) decorator: String,
    pub(super) target: String,
    /// The first argument of those that count, where each stands for itself.
    pub(super) slot: Option<String>,
    pub(super) applied: Vec<Applied>,
}

/// A language that no scope names, for everything that only a decorator without one reaches.
const OTHER: &str = "\u{0}";

impl Place {
    /// What stands there.
    pub(super) fn new(decorator: &str, target: &str, slot: Option<&str>, index: &SpecIndex) -> Self {
        let here = |one: &&(usize, &Customization)| {
            let first = one.1.arguments.first().map(String::as_str);
            one.1.decorator == decorator && one.1.target == target && (slot.is_none() || first == slot)
        };
        let all: Vec<(usize, &Customization)> = index.customizations.iter().enumerate().collect();
        let mut applied: Vec<Applied> = all
            .iter()
            .filter(here)
            .map(|(at, one)| Applied {
                origin: Some(*at),
                form: one.form,
                value: one.arguments.join(", "),
                scope: one.scope.clone(),
                line: one.line,
            })
            .collect();
        // What stands in front of a declaration is applied before what augments it.
        applied.sort_by_key(|one| one.form == CustomizationForm::Augment);
        Self { decorator: decorator.to_owned(), target: target.to_owned(), slot: slot.map(str::to_owned), applied }
    }

    fn values(&self) -> Values<&str> {
        let read: Vec<(ScopeArgument, &str)> =
            self.applied.iter().map(|one| (one.reads(), one.value.as_str())).collect();
        Values::of(read.iter().map(|(scope, value)| (scope, *value)))
    }

    /// What a language sees.
    pub(super) fn seen_by(&self, language: Language) -> Option<String> {
        self.values().seen_by(language.scope_token()).map(|value| (*value).to_owned())
    }

    /// Every language, the ones that scopes here name, and one that none names.
    pub(super) fn tokens(&self) -> Vec<String> {
        let mut tokens: Vec<String> = Language::ALL.iter().map(|one| one.scope_token().to_owned()).collect();
        tokens.extend(["rust".to_owned(), OTHER.to_owned()]);
        for one in &self.applied {
            for token in one.reads().tokens() {
                if !tokens.iter().any(|known| known == token) {
                    tokens.push(token.to_owned());
                }
            }
        }
        tokens
    }

    /// Changes the decorators so that the languages of the scope see what is wanted.
    pub(super) fn change(&mut self, wanted: &Wanted) -> Result<(), Conflict> {
        let before = self.clone();
        let scope = Self::written_scope(&wanted.scope);
        match wanted.goal {
            Goal::Exclude => return self.exclude(&wanted.scope),
            Goal::Include => return self.include(&wanted.scope),
            Goal::Remove => {
                self.take_out(&scope);
                let values = self.values();
                let reached = |token: &&String| reaches(&scope, token);
                if self.tokens().iter().filter(reached).any(|token| values.seen_by(token).is_some()) {
                    return Err(before.not_removable(&scope));
                }
            }
            Goal::Put => self.put(wanted, &scope),
            Goal::Drop => {
                self.take_out(&scope);
                let values = self.values();
                let reached = |token: &&String| reaches(&scope, token);
                let is_gone = self.tokens().iter().filter(reached).all(|token| values.seen_by(token).is_none());
                if !is_gone || *self == before {
                    self.put(wanted, &scope);
                }
            }
        }
        // A declaration that names one of the languages wins over a decorator for every language.
        if wanted.goal == Goal::Put && !self.has(wanted, &scope) {
            return Err(before.not_removable(&scope));
        }
        if self.changes_others(&before, &scope) { Err(before.shared(&scope)) } else { Ok(()) }
    }

    /// A scope as it is written. `!java` wipes out what other decorators say, and is for languages too that there are no
    /// libraries of yet, so it becomes a list.
    fn written_scope(scope: &Scope) -> Scope {
        match scope {
            Scope::Except(_) => Scope::Only(Language::ALL.into_iter().filter(|one| scope.covers(*one)).collect()),
            _ => scope.clone(),
        }
    }

    /// Whether the languages of a scope see what is wanted.
    fn has(&self, wanted: &Wanted, scope: &Scope) -> bool {
        let values = self.values();
        let has = |token: &String| values.seen_by(token).is_some_and(|value| is_same_value(value, &wanted.value));
        self.tokens().iter().filter(|token| reaches(scope, token)).all(has)
    }

    fn put(&mut self, wanted: &Wanted, scope: &Scope) {
        if self.has(wanted, scope) {
            return;
        }
        let spent = self.take_out(scope);
        let new = Applied {
            origin: None,
            form: CustomizationForm::Augment,
            value: wanted.value.clone(),
            scope: scope.argument(),
            line: 0,
        };
        match spent {
            // The last one that was for these languages alone becomes the new one, where it stands.
            Some((at, old)) => {
                let same = is_same_value(&old.value, &new.value);
                let value = if same { old.value.clone() } else { new.value };
                let scope = if is_same_scope(old.scope.as_deref(), new.scope.as_deref()) {
                    old.scope.clone()
                } else {
                    new.scope
                };
                self.applied.insert(at, Applied { value, scope, ..old });
            }
            None => self.applied.push(new),
        }
    }

    /// Takes languages out of every scope. A decorator that is left without a language goes; the last such is returned
    /// with its place.
    fn take_out(&mut self, scope: &Scope) -> Option<(usize, Applied)> {
        let mut spent = None;
        let mut left = Vec::new();
        for mut one in std::mem::take(&mut self.applied) {
            let read = one.reads();
            let without = without(&read, scope);
            if without.as_ref() == Some(&read) {
                left.push(one);
                continue;
            }
            // What augments the declaration is applied after what stands in front of it, so that stays as it is.
            if one.form == CustomizationForm::Declaration {
                left.push(one);
                continue;
            }
            match without {
                Some(scope) => {
                    one.scope = Some(rewritten(one.scope.as_deref().unwrap_or_default(), &scope));
                    left.push(one);
                }
                None => spent = Some((left.len(), one)),
            }
        }
        self.applied = left;
        spent
    }

    /// Whether a language that the scope does not reach sees something else than before.
    fn changes_others(&self, before: &Self, scope: &Scope) -> bool {
        let (new, old) = (self.values(), before.values());
        let mut tokens = before.tokens().into_iter().chain(self.tokens()).filter(|token| !reaches(scope, token));
        tokens.any(|token| new.seen_by(&token) != old.seen_by(&token))
    }

    /// One that stays although it is for languages of the scope.
    fn not_removable(&self, scope: &Scope) -> Conflict {
        let general = self.applied.iter().find(|one| one.reads().is_general());
        let mut declared = self.applied.iter().filter(|one| one.form == CustomizationForm::Declaration);
        let fixed = declared.rfind(|one| without(&one.reads(), scope).as_ref() != Some(&one.reads()));
        match fixed.or(general) {
            Some(one) => Conflict {
                issue: format!(
                    "`@{}` for {} stands {} `{}`, and taking it away would change other languages or a declaration",
                    self.decorator,
                    one.scope.as_deref().map_or("every language".to_owned(), |scope| format!("`{scope}`")),
                    if one.form == CustomizationForm::Declaration { "in front of" } else { "on" },
                    self.target
                ),
                line: one.line,
            },
            None => self.shared(scope),
        }
    }

    pub(super) fn shared(&self, scope: &Scope) -> Conflict {
        let one = self.applied.iter().find(|one| without(&one.reads(), scope).as_ref() != Some(&one.reads()));
        let said = one.map_or_else(String::new, |one| {
            format!(" for `{}` with the value {}", one.scope.as_deref().unwrap_or("every language"), one.value)
        });
        Conflict {
            issue: format!("`{}` has a `{}`{said}, which other languages share", self.target, self.decorator),
            line: one.map_or(1, |one| one.line),
        }
    }
}

fn reaches(scope: &Scope, token: &str) -> bool {
    let named = |languages: &[Language]| languages.iter().any(|one| one.scope_token() == token);
    match scope {
        Scope::All => true,
        Scope::Only(languages) => named(languages),
        Scope::Except(languages) => !named(languages),
    }
}

/// What is left of a scope without these languages; `None` for nothing.
fn without(read: &ScopeArgument, scope: &Scope) -> Option<ScopeArgument> {
    let Scope::Only(languages) = scope else { return None };
    if read.is_general() {
        // One without a scope yields to one with a scope.
        return Some(read.clone());
    }
    let mut left = read.clone();
    left.listed.retain(|token| !reaches(scope, token));
    if !read.negated.is_empty() {
        for token in languages.iter().map(|one| one.scope_token()) {
            if !left.negated.iter().any(|negated| negated == token) {
                left.negated.push(token.to_owned());
            }
        }
        return Some(left);
    }
    (!left.listed.is_empty()).then_some(left)
}

/// A scope in the style of the one that it comes from.
pub(super) fn rewritten(before: &str, scope: &ScopeArgument) -> String {
    let separator = if before.contains(',') && !before.contains(", ") { "," } else { ", " };
    if before.contains("!(") {
        return format!("!({})", scope.negated.join(separator));
    }
    let mut tokens: Vec<String> = Vec::new();
    // What was there keeps its place.
    for token in before.split(',').map(str::trim) {
        let stays = match token.strip_prefix('!') {
            Some(negated) => scope.negated.iter().any(|one| one == negated),
            None => scope.listed.iter().any(|one| one == token),
        };
        if stays {
            tokens.push(token.to_owned());
        }
    }
    let was = ScopeArgument::parse(Some(before));
    tokens.extend(scope.negated.iter().filter(|one| !was.negated.contains(one)).map(|one| format!("!{one}")));
    tokens.join(separator)
}

fn is_same_scope(one: Option<&str>, other: Option<&str>) -> bool {
    let sorted = |text: Option<&str>| {
        let mut read = ScopeArgument::parse(text);
        read.negated.sort();
        read.listed.sort();
        read
    };
    sorted(one) == sorted(other)
}

/// `Access.internal` and `Azure.ClientGenerator.Core.Access.internal` are one value.
pub(super) fn is_same_value(one: &str, other: &str) -> bool {
    let ends =
        |long: &str, short: &str| !short.is_empty() && !long.starts_with('"') && long.ends_with(&format!(".{short}"));
    let flags = |text: &str| -> Vec<String> {
        let mut flags: Vec<String> =
            text.split('|').map(|flag| flag.trim().rsplit('.').next().unwrap_or_default().to_owned()).collect();
        flags.sort();
        flags
    };
    let are_flags = |text: &str| text.contains('|') && !text.contains(['"', '{']);
    one == other
        || ends(one, other)
        || ends(other, one)
        || (are_flags(one) && are_flags(other) && flags(one) == flags(other))
}
