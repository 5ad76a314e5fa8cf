//! `@scope`, which names the languages that keep its target. Unlike other decorators it has no value: negated languages of
//! the last decorator that negates any are without the target, and the last list replaces the ones before it.

use super::Conflict;
use super::place::{Applied, Place, rewritten};
use bailiwick_sdk::tasks::{CustomizationForm, Language, Scope};

impl Place {
    /// Whether a language keeps the target.
    pub(super) fn keeps(&self, token: &str) -> bool {
        let read: Vec<_> = self.applied.iter().map(Applied::reads).collect();
        let negated = read.iter().rev().map(|one| &one.negated).find(|tokens| !tokens.is_empty());
        let listed = read.iter().rev().map(|one| &one.listed).find(|tokens| !tokens.is_empty());
        let named = |tokens: Option<&Vec<String>>| tokens.is_some_and(|tokens| tokens.iter().any(|one| one == token));
        named(listed) || ((listed.is_none() || negated.is_some()) && !named(negated))
    }

    /// Takes the target away from the languages of the scope.
    pub(super) fn exclude(&mut self, scope: &Scope) -> Result<(), Conflict> {
        let before = self.clone();
        let languages: Vec<&str> = scope.languages().iter().map(|one| one.scope_token()).collect();
        if !languages.iter().any(|token| self.keeps(token)) {
            return Ok(());
        }
        for one in self.applied.iter_mut().filter(|one| one.form == CustomizationForm::Augment) {
            let mut read = one.reads();
            let listed = read.listed.len();
            read.listed.retain(|token| !languages.contains(&token.as_str()));
            if read.listed.len() != listed && !(read.listed.is_empty() && read.negated.is_empty()) {
                one.scope = Some(rewritten(one.scope.as_deref().unwrap_or_default(), &read));
            }
        }
        let left: Vec<String> =
            languages.iter().filter(|token| self.keeps(token)).map(|token| (*token).to_owned()).collect();
        let last = |one: &&mut Applied| one.form == CustomizationForm::Augment && !one.reads().negated.is_empty();
        if !left.is_empty() {
            match self.applied.iter_mut().rev().find(last) {
                Some(one) => {
                    let mut read = one.reads();
                    read.negated.extend(left);
                    one.scope = Some(rewritten(one.scope.as_deref().unwrap_or_default(), &read));
                }
                None => self.applied.push(Applied {
                    origin: None,
                    form: CustomizationForm::Augment,
                    value: String::new(),
                    scope: Some(left.iter().map(|token| format!("!{token}")).collect::<Vec<_>>().join(", ")),
                    line: 0,
                }),
            }
        }
        self.is_for(scope, false, &before)
    }

    /// Gives the target back to the languages of the scope.
    pub(super) fn include(&mut self, scope: &Scope) -> Result<(), Conflict> {
        let before = self.clone();
        let languages: Vec<&str> = scope.languages().iter().map(|one| one.scope_token()).collect();
        for one in self.applied.iter_mut().filter(|one| one.form == CustomizationForm::Augment) {
            let mut read = one.reads();
            let negated = read.negated.len();
            read.negated.retain(|token| !languages.contains(&token.as_str()));
            if read.negated.len() != negated {
                let is_empty = read.negated.is_empty() && read.listed.is_empty();
                one.scope = Some(if is_empty {
                    String::new()
                } else {
                    rewritten(one.scope.as_deref().unwrap_or_default(), &read)
                });
            }
        }
        self.applied.retain(|one| one.scope.as_deref() != Some(""));
        let missing: Vec<&str> = languages.iter().copied().filter(|token| !self.keeps(token)).collect();
        let list = |one: &&mut Applied| one.form == CustomizationForm::Augment && !one.reads().listed.is_empty();
        if !missing.is_empty()
            && let Some(one) = self.applied.iter_mut().rev().find(list)
        {
            one.scope = Some(format!("{}, {}", one.scope.as_deref().unwrap_or_default(), missing.join(", ")));
        }
        self.is_for(scope, true, &before)
    }

    /// Whether the languages of the scope keep the target or not, and all others as before.
    fn is_for(&self, scope: &Scope, kept: bool, before: &Self) -> Result<(), Conflict> {
        let own = scope.languages().iter().all(|one| self.keeps(one.scope_token()) == kept);
        // A language that bailiwick does not write for keeps what it had, also where all languages are asked for.
        let asked = |token: &str| Language::from_scope_token(token).is_some_and(|one| scope.covers(one));
        let mut tokens = before.tokens().into_iter().chain(self.tokens()).filter(|token| !asked(token));
        let others = tokens.all(|token| self.keeps(&token) == before.keeps(&token));
        if own && others { Ok(()) } else { Err(before.shared(scope)) }
    }
}
