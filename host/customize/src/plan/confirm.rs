//! What a person confirms of what a request may ask for.

use bailiwick_sdk::tasks::{Classification, Directive, ItemVerdict, Route};

/// The classification with those of its candidates, by their places, as items to be done. An item for a person is
/// answered by a confirmed directive that rests on the very words of the item.
#[must_use]
pub fn confirmed(classification: &Classification, meant: &[usize]) -> Classification {
    let (mut directives, mut candidates): (Vec<Directive>, Vec<Directive>) = (Vec::new(), Vec::new());
    for (at, one) in classification.candidates.iter().enumerate() {
        if meant.contains(&at) { directives.push(one.clone()) } else { candidates.push(one.clone()) }
    }
    // The person saw the words of the basis: an item of more words asks for more, and stays open.
    let answered = |item: &ItemVerdict| {
        item.route == Route::Failure && directives.iter().any(|one| one.basis.trim() == item.text.trim())
    };
    let mut items: Vec<ItemVerdict> = classification.items.iter().filter(|item| !answered(item)).cloned().collect();
    items.extend(directives.iter().zip(1..).map(|(directive, number): (&Directive, u32)| ItemVerdict {
        id: format!("confirmed-{number}"),
        text: directive.basis.clone(),
        route: Route::PhaseA,
        reason: "a person confirmed it".to_owned(),
        directives: vec![directive.clone()],
        guidance: None,
    }));
    Classification { items, candidates, ..classification.clone() }
}
