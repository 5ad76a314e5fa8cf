//! Whether the words that name a thing mean it.

use super::super::sentence::Sentence;
use super::super::token::tokenize;
use super::Decider;

impl Decider<'_> {
    /// Whether a text names several things of a kind and picks among them by their order. Which one is meant is not read.
    /// `A and B: the first one should be internal`
    pub(super) fn picks_by_order(&self, text: &str, target: usize) -> bool {
        let kind = self.lookup.entity(target).kind;
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let of_kind = |one: &usize| self.lookup.entity(*one).kind == kind;
        let named = sentence.mentions.iter().filter(|mention| mention.strong && mention.candidates.iter().any(of_kind));
        let picks = |at: usize| {
            let next = at.saturating_add(1);
            sentence.is(at, &["former", "latter"])
                || sentence.is(at, &["first", "second", "third", "last"])
                    && at.checked_sub(1).is_some_and(|before| sentence.is(before, &["the"]))
                    && (sentence.is(next, &["one", "is", "should", "must", "can"]) || next >= sentence.clause_end(at))
        };
        named.count() > 1 && (0..tokens.len()).any(picks)
    }

    /// Whether a text speaks of what is written about a thing wherever it names it: `the getPart sample should go there`.
    pub(super) fn is_a_text_about(&self, text: &str, target: usize) -> bool {
        const TEXTS: &[&str] = list! {
            "sample" "samples" "example" "examples" "snippet" "test" "tests" "issue" "ticket" "comment" "chapter" "section"
            "article" "docs" "page"
        };
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let mut named =
            sentence.mentions.iter().filter(|one| one.strong && one.candidates.contains(&target)).peekable();
        named.peek().is_some() && named.all(|mention| sentence.is(mention.end, TEXTS))
    }
}
