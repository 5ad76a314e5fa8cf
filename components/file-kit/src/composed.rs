//! Edits made one after the other, as edits of the first text, so that one diff shows them all.

use bailiwick_tool_sdk::diff::Edit;

/// `earlier`, sorted and apart, and then `next`, whose place is in the text they made: one list of edits of the first
/// text, sorted and apart.
pub fn then(earlier: Vec<Edit>, next: Edit) -> Vec<Edit> {
    let Edit { span: place, with } = next;
    let (start, end) = (place.start, place.end);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // Where the first text is when nothing of it that lies around `next` was replaced.
    let (mut first, mut last) = (None, None);
    let (mut lead, mut tail) = (String::new(), String::new());
    // How much longer the text has become up to here.
    let mut grown = 0_isize;
    let mut grown_before = 0_isize;
    for edit in earlier {
        let made = edit.span.start.saturating_add_signed(grown);
        let made = made..made + edit.with.len();
        let grown_here = grown + length(&edit.with) - length_of(&edit.span);
        if made.end < start {
            grown_before = grown_here;
            before.push(edit);
        } else if made.start > end {
            after.push(edit);
        } else {
            if first.is_none() {
                first = Some(match start.checked_sub(made.start) {
                    Some(kept) => {
                        lead.push_str(&edit.with[..kept]);
                        edit.span.start
                    }
                    None => start.saturating_add_signed(-grown),
                });
            }
            tail.clear();
            last = Some(match made.end.checked_sub(end) {
                Some(kept) => {
                    tail.push_str(&edit.with[edit.with.len() - kept..]);
                    edit.span.end
                }
                None => end.saturating_add_signed(-grown_here),
            });
        }
        grown = grown_here;
    }
    let unmoved = |at: usize| at.saturating_add_signed(-grown_before);
    let span = first.unwrap_or_else(|| unmoved(start))..last.unwrap_or_else(|| unmoved(end));
    before.push(Edit { span, with: lead + &with + &tail });
    before.append(&mut after);
    before
}

fn length(text: &str) -> isize {
    isize::try_from(text.len()).unwrap_or(isize::MAX)
}

fn length_of(span: &std::ops::Range<usize>) -> isize {
    isize::try_from(span.len()).unwrap_or(isize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::diff::apply;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn edits_of_the_first_text_make_what_they_made_one_after_the_other(
            text in "[a-z]{0,12}",
            edits in prop::collection::vec((0usize..20, 0usize..6, "[A-Z]{0,4}"), 0..8),
        ) {
            let (mut now, mut composed) = (text.clone(), Vec::new());
            for (start, length, with) in edits {
                let start = start.min(now.len());
                let edit = Edit { span: start..(start + length).min(now.len()), with };
                now = apply(&now, std::slice::from_ref(&edit));
                composed = then(composed, edit);
                prop_assert!(composed.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
                prop_assert_eq!(apply(&text, &composed), now.clone());
            }
        }
    }
}
