//! What is pasted asks for nothing by itself, and a word about all of it counts for all of it.

use super::*;

#[test]
fn labelled_lines_of_a_pasted_block_are_quoted() {
    for request in [
        "This is what the checker prints:\n\n    suggestion: hide deletePart\n    suggestion: rename Part to Component\n",
        "For the record:\n\n    warning: hide deleteWidget\n\nThe tool knows nothing of our users.",
        "What it prints:\n\n    warning: two names are odd\n    hide deletePart",
        "The bot said\n\n    bot: rename Manufacturer to Producer\n    INFO: hide deletePart",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
    let done = "The linter says:\n\n    suggestion: rename Manufacturer to Producer\n\nI agree, please do.";
    assert!(actions(done).len() <= 1, "{:#?}", actions(done));
}

#[test]
fn refusal_of_any_of_it_takes_all_back() {
    for refusal in [
        "We will not adopt any of it.",
        "We won't do any of this.",
        "None of that applies to us, so nothing to do.",
        "We follow none of these.",
        "Please don't act on any of this.",
        "Only documenting.",
        "This is only for documentation.",
    ] {
        let request = format!("suggestion: hide deletePart\nRename Manufacturer to Producer.\n\n{refusal}");
        assert!(actions(&request).is_empty(), "{request}: {:#?}", actions(&request));
    }
    for request in ["Hide deletePart. We do not use any of it.", "Hide deletePart. Ben is just documenting the rest."] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(!read.actions.is_empty() || !read.guidance.is_empty(), "{request}");
    }
}
