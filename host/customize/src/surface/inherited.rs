//! Properties of a base model: what is done to one shows in every model that extends it.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{Access, EntityKind, SpecIndex, TypeSpecChange};

/// As many models as a sentence names.
const NAMED: usize = 6;

/// A sentence for each changed property that other models of the client inherit.
pub(super) fn inherited(index: &SpecIndex, changes: &[TypeSpecChange]) -> Vec<String> {
    let targets: BTreeSet<&str> = changes.iter().map(|change| change.target.as_str()).collect();
    targets.into_iter().filter_map(|target| of_property(index, target)).collect()
}

fn of_property(index: &SpecIndex, target: &str) -> Option<String> {
    let named = |reference: &str| index.entities.iter().find(|one| one.reference == reference);
    let property = named(target).filter(|one| one.kind == EntityKind::Property)?;
    let base = property.container.as_deref()?;
    let mut known: BTreeSet<&str> = BTreeSet::from([base]);
    loop {
        let further = index.bases.iter().filter(|(_, of)| known.contains(of.as_str())).map(|(model, _)| model.as_str());
        let more: Vec<&str> = further.filter(|model| !known.contains(model)).collect();
        if more.is_empty() {
            break;
        }
        known.extend(more);
    }
    let mut models: Vec<&str> = known
        .into_iter()
        .filter(|model| *model != base)
        .filter_map(|model| named(model)?.client.as_ref())
        .filter(|client| client.access == Access::Public)
        .map(|client| client.name.as_str())
        .collect();
    models.sort_unstable();
    let holder = named(base)?.client.as_ref().map_or(base, |client| &client.name);
    let listed: Vec<String> = models.iter().take(NAMED).map(|model| format!("`{model}`")).collect();
    let more = match models.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let others = match models.len() {
        0 => return None,
        1 => "1 other model inherits it and changes".to_owned(),
        all => format!("{all} other models inherit it and change"),
    };
    Some(format!("`{}` is declared in `{holder}`: {others} with it: {}{more}", property.name, listed.join(", ")))
}
