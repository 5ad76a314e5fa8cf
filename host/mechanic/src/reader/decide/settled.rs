//! Whether a request says itself that nothing is asked: praise, news and records of what was decided.

use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::super::token::{Kind, tokenize};
use super::Decider;
use crate::reader::document::sentence_spans;

/// Words by which a request ends, or says that it only tells.
const CLOSING: &[&str] = list! {
    "lgtm" "approved" "approve" "approving" "nothing to do" "no action" "no changes" "no change needed" "no objections" "no objection"
    "don't change anything" "do not change anything" "nothing to change" "for the record" "just for the record" "fyi"
    "announcement" "closing this" "closing" "i close" "close the thread" "ship it" "can merge" "thanks for" "thank you for"
    "works like a charm" "written down" "hands off" "sign-off" "sign off" "signing off" "don't have to do anything"
};

/// Words of a wish, a doubt or a complaint.
const WANTING: &[&str] = list! {
    "want" "wants" "wish" "wishes" "need" "needs" "prefer" "suggest" "propose" "instead" "rather" "better" "confusing" "misleading"
    "unclear" "generic" "typo" "wrong" "bad" "missing" "broken" "fails" "fix" "change" "add" "would" "could" "can" "but" "however" "except" "only"
};

impl Decider<'_> {
    /// Whether every sentence praises, tells or refuses, and one of them says that it is all.
    pub(super) fn says_that_nothing_is_asked(&self) -> bool {
        let spans = sentence_spans(self.request);
        let mut closes = false;
        for span in spans {
            let tokens = tokenize(self.request.get(span).unwrap_or_default());
            let sentence = Sentence::new(&tokens, self.lookup, self.language);
            let said = CLOSING.iter().any(|phrase| (0..tokens.len()).any(|at| sentence.says(at, phrase)));
            closes |= said;
            if !leaves_all_as_it_is(&sentence, said) {
                return false;
            }
        }
        closes
    }
}

/// Whether a sentence asks for nothing.
fn leaves_all_as_it_is(sentence: &Sentence<'_>, closing: bool) -> bool {
    let has = |list: &[&str]| sentence.any(list);
    let refused = has(words::REFUSED) && !sentence.any(words::OBLIGING);
    // `happy to see X renamed`: what was done.
    let done = |at: usize| sentence.is(at, &["renamed"]);
    let renames = (0..sentence.tokens.len()).any(|at| sentence.is(at, words::RENAME_PROPER) && !done(at))
        || sentence.tokens.iter().any(|token| token.kind == Kind::Arrow);
    let courtesy = ["thanks", "thank", "thx", "ty"];
    let orders = (0..sentence.tokens.len())
        .any(|at| sentence.is(at, words::OBLIGING) || sentence.is(at, words::POLITE) && !sentence.is(at, &courtesy));
    let asks = sentence.tokens.iter().any(|token| token.is_sign('?')) || sentence.zones.contains(&Zone::Condition);
    let new = sentence.tokens.iter().enumerate().any(|(at, token)| {
        token.is_text()
            && token.looks_like_name()
            && sentence.mention_at(at).is_none()
            && !token.text.contains(['/', '@', ':'])
    });
    let thanks = sentence.says(0, "thanks for") || sentence.says(0, "thank you for");
    if asks || orders && !(closing && sentence.is_turned()) {
        return false;
    }
    // `keep X as it is`
    let kept = has(words::KEEPING) && !renames && !new;
    if refused || kept {
        return true;
    }
    !renames && !new && (!has(WANTING) || closing && sentence.is_turned())
        || thanks && !has(&["but", "however", "please"])
}
