//! What the comments of a review come to, and those that contradict each other.

use bailiwick_sdk::tasks::{Change, Classification, Language, ManualGuidance, Route};

use crate::comments::Ledger;
use crate::plan::Plan;

/// What the comments of a review come to.
#[derive(Debug, Clone)]
pub struct Reviewed {
    /// A row for each comment.
    pub ledger: Ledger,
    /// Whose client changes where an action names no language.
    pub language: Language,
    /// All of it together, with the edit.
    pub plan: Plan,
    /// What would be carried out, for [`Request::classified`](super::super::Request::classified).
    pub classification: Classification,
}

/// Comments that ask for different things of one target are for a person, both of them.
pub(super) fn contradicted(threads: &mut [Classification]) {
    let all: Vec<(String, Change)> = threads
        .iter()
        .flat_map(|thread| &thread.items)
        .filter(|item| item.route == Route::PhaseA)
        .flat_map(|item| item.directives.iter().map(|one| (item.id.clone(), one.change.clone())))
        .collect();
    for item in threads.iter_mut().flat_map(|thread| &mut thread.items) {
        let other = all
            .iter()
            .find(|(id, change)| *id != item.id && item.directives.iter().any(|one| contradict(&one.change, change)));
        let Some((other, _)) = other.filter(|_| item.route == Route::PhaseA) else { continue };
        // Its place in the review stands before it.
        let (_, comment) = other.split_once('.').unwrap_or(("", other));
        let comment = comment.rsplit_once('/').map_or(comment, |(comment, _)| comment);
        item.route = Route::Failure;
        item.guidance = Some(ManualGuidance {
            issue: item.reason.clone(),
            files: Vec::new(),
            approach: "agree on one of the two, resolve the other comment, and ask again".into(),
            reason: format!("comment {comment} asks for something else of the same target"),
        });
    }
}

fn contradict(one: &Change, other: &Change) -> bool {
    if one.target().is_none() || one.target() != other.target() || one == other {
        return false;
    }
    let group = |change: &Change| match change {
        Change::Rename { .. } => 0,
        Change::Hide { .. } | Change::Show { .. } => 1,
        Change::Move { .. } => 2,
        Change::Decorate { .. } | Change::Undecorate { .. } => 3,
        Change::Client { .. } | Change::Repair { .. } => 4,
    };
    group(one) == group(other)
}
