//! What sentences about nothing of their own say of what was asked before them: they refuse it, ask about it, or put it off.

use super::super::lexicon as words;
use super::super::license;
use super::super::sentence::{Sentence, Zone};
use super::discourse::speaks_of_the_rest;
use super::{Ask, Asked, Closed, Document, Doubt};

/// What a short answer may consist of that agrees or says nothing.
const COURTESY: &[&str] = list! {
    "ok" "okay" "k" "yes" "yep" "yeah" "yup" "sure" "thanks" "thx" "ty" "thank" "you" "great" "good" "nice" "fine" "perfect"
    "agreed" "agree" "lgtm" "cool" "right" "true" "please" "pls" "do" "it" "on" "will" "hi" "hello" "hey" "too" "for" "me" "with"
    "works" "sounds" "makes" "sense" "idea" "1" "and" "a" "lot" "that" "all" "cheers" "indeed" "same" "here" "ack" "noted"
    "definitely" "absolutely" "exactly" "by" "so" "then" "let's" "go" "ahead" "both" "everyone" "anything" "else" "nope" "looks" "rest"
    "no" "other" "more" "from" "my" "side" "that's" "i'm" "happy" "bye" "morning" "much" "very"
};

impl Document<'_> {
    /// `The board turned this down.`: a sentence about nothing of its own speaks of what was asked before it.
    pub(super) fn judges(&mut self, sentence: &Sentence<'_>) {
        if self.closed == Closed::Section {
            return;
        }
        // The label of a field does not name a thing, even if something has that name.
        let label = usize::from(sentence.is(0, words::STANDINGS) && sentence.is_sign(1, ':'));
        let asked: Vec<usize> = self.found.asked.iter().filter_map(|asked| asked.ask.target()).collect();
        let of_asked = |at: usize| {
            sentence.mention_at(at).is_some_and(|mention| mention.candidates.iter().any(|one| asked.contains(one)))
        };
        let own = sentence.mentions.iter().any(|mention| mention.at >= label && !of_asked(mention.at))
            || (label..sentence.tokens.len())
                .any(|at| sentence.looks_like_name(at) && sentence.is_text(at) && !of_asked(at));
        // `Status: withdrawn`, `Resolution: duplicate`: a field that does not say that the wish stands.
        let field = label == 1 && (3..=8).contains(&sentence.tokens.len()) && !sentence.any(words::STANDING_OPEN)
            || is_refusing_field(sentence);
        if field && !own && self.found.asked.is_empty() {
            self.found.closed = true;
            self.closed = Closed::All;
        }
        // `Nothing to be changed here.`, `This page describes …`, above all that is told.
        let tells = license::says_no_change(sentence) && !own || describes(sentence);
        if self.found.asked.iter().all(|asked| asked.ask.target().is_none()) && tells {
            self.found.closed = true;
            self.closed = Closed::All;
        }
        // `-1`
        let votes = sentence.tokens.len() <= 6 && sentence.is_sign(0, '-') && sentence.is(1, &["1"]);
        let judged = license::verdict(sentence)
            .or_else(|| votes.then_some(license::Objection { doubt: Doubt::Undecided, at: 0 }))
            .or_else(|| field.then_some(license::Objection { doubt: Doubt::Undecided, at: 0 }));
        // `what for?` behind what somebody else said.
        let doubted = self.conversation
            && sentence.tokens.last().is_some_and(|token| token.is_sign('?'))
            && !sentence.any(&["can", "could", "would"])
            && !self.found.asked.is_empty();
        // `All of these happen in the emitter.`
        let made_elsewhere = sentence.any(&["happen", "happens", "done", "handled", "made", "come", "comes"])
            && sentence.any(&["emitter", "generator", "autorest"])
            && sentence.any(&["these", "this", "that", "it", "all", "they"]);
        let judged = judged.or_else(|| made_elsewhere.then_some(license::Objection { doubt: Doubt::Undecided, at: 0 }));
        let judged = judged.or_else(|| doubted.then_some(license::Objection { doubt: Doubt::Question, at: 0 }));
        // `after GA`, `hmm`: a short answer to what was asked that is not known to agree.
        let answers = self.conversation && self.found.asked.last().is_some_and(|asked| asked.unit < self.unit);
        let words = || sentence.tokens.iter().filter(|token| token.is_text());
        let sign = sentence.tokens.iter().any(|token| [':', '-', '👎'].iter().any(|sign| token.is_sign(*sign)));
        let agrees = sentence.tokens.iter().any(|token| ['👍', '✅', '✔'].iter().any(|sign| token.is_sign(*sign)));
        let unsettled =
            answers && !agrees && words().count() <= 5 && (sign || words().any(|token| !token.is(COURTESY)));
        let talk = judged.is_none() || doubted;
        let judged = judged.or_else(|| unsettled.then_some(license::Objection { doubt: Doubt::Undecided, at: 0 }));
        let rest = speaks_of_the_rest(sentence);
        // `Java decided against it`
        let others = !sentence.languages.is_empty()
            && sentence.languages.iter().all(|(_, language, _)| *language != self.language)
            && !sentence.any(&["we", "us", "our", "i", "everybody", "everyone"]);
        // `won't do, Compute has X too`: a reply that begins with its refusal, whatever it names behind it.
        let replies = (0..sentence.tokens.len().min(5)).any(|at| {
            ["won't do", "wont do", "will not do", "won't fix", "wontfix", "rejected", "declined", "by design"]
                .iter()
                .any(|phrase| sentence.says(at, phrase))
                && (0..at).all(|before| sentence.mention_at(before).is_none())
        });
        // It answers the question in front of it.
        let answers_aside = self.aside > 0 && self.aside.saturating_add(1) == self.sentence;
        // `Anything else? No`
        let question = (0..sentence.tokens.len()).find(|&at| sentence.is_sign(at, '?'));
        let itself = question.is_some_and(|at| judged.as_ref().is_some_and(|found| found.at > at))
            && self.asks_about_another(sentence);
        let apart = answers_aside || itself || rest || self.has_a_topic(sentence);
        let Some(found) = judged.filter(|_| (!own || replies) && !others && !apart) else { return };
        self.found.judged = true;
        // `Proposal withdrawn by the submitter`, above what was proposed.
        let heads = sentence.tokens.last().is_some_and(|token| token.is_text() || token.is_sign(':'));
        if heads && !own && self.found.asked.is_empty() {
            self.found.closed = true;
            self.closed = Closed::Section;
        }
        // `What do you think of this?` above what is proposed.
        let question = sentence.tokens.last().is_some_and(|token| token.is_sign('?'));
        // `Ignore the following line.`
        let ahead = sentence.any(&["following", "below"])
            || (0..sentence.tokens.len()).any(|at| {
                sentence.is(at, &["next"])
                    && sentence.is(
                        at.saturating_add(1),
                        &["line", "lines", "item", "items", "point", "points", "paragraph", "one", "row"],
                    )
            });
        if (question || ahead) && self.found.asked.is_empty() {
            self.found.closed = true;
            self.closed = Closed::Section;
        }
        let words = sentence.words_at(found.at);
        let Some(unit) = self.found.asked.last().map(|asked| asked.unit) else { return };
        let whole = self.unit > unit;
        // Behind another quotation it speaks of that one.
        let quoted = self.quoted;
        let topic = self.topic;
        let about = |asked: &Asked| {
            (whole || asked.unit == unit)
                && !(asked.unit < quoted && asked.unit > 0 && quoted > 0)
                && asked.sentence >= topic
        };
        // What was decided stands, whatever is asked or said behind it.
        let decided = &self.decided;
        let stands = |asked: &Asked| talk && decided.contains(&asked.sentence);
        for asked in self.found.asked.iter_mut().filter(|asked| about(asked) && !stands(asked)) {
            if asked.ask.target().is_some() || matches!(asked.ask, Ask::Clients(_)) {
                asked.ask = asked.ask.clone().held(found.doubt.clone(), Some(words.clone()));
            }
        }
    }

    /// `Should X be hidden, too?`, `Anything else?`, `Do the constants keep their prefix?`: a question about something that
    /// nothing was asked of.
    pub(super) fn asks_about_another(&self, sentence: &Sentence<'_>) -> bool {
        let targets: Vec<usize> = self
            .found
            .asked
            .iter()
            .filter(|asked| asked.sentence != self.sentence)
            .filter_map(|asked| match &asked.ask {
                Ask::Unsure(Doubt::Held(held)) => held.reading.target(),
                ask => ask.target(),
            })
            .collect();
        let mut named = sentence.mentions.iter().filter(|mention| mention.strong).peekable();
        let another =
            named.peek().is_some() && named.all(|mention| !mention.candidates.iter().any(|one| targets.contains(one)));
        let kinds = (0..sentence.tokens.len()).find_map(|at| words::kinds_of(sentence.lower(at)));
        let other_kind = kinds
            .is_some_and(|kinds| targets.iter().all(|&target| !kinds.contains(&self.lookup.entity(target).kind)))
            && !sentence.any(&["it", "this", "that", "these", "them"]);
        let more = sentence.any(&["else", "more", "anything"]) && !sentence.any(&["it", "this", "that"]);
        // `Are you willing to send a pull request?`
        let of_a_person = sentence.any(&["willing", "contribute", "workaround"])
            || sentence.any(&["pr", "pull"]) && sentence.any(&["you", "send", "open"]);
        let more = more || of_a_person && !sentence.any(&["agree", "ok", "okay", "approve", "think", "merge"]);
        !targets.is_empty() && (another || other_kind || more)
    }

    /// `Only if …`, `not before`: what was asked last waits.
    pub(super) fn postpones(&mut self, sentence: &Sentence<'_>) -> bool {
        let first = (0..sentence.tokens.len()).find(|&at| sentence.is_text(at)).unwrap_or(0);
        let reversed =
            (0..sentence.tokens.len()).any(|at| words::REVERSING.iter().any(|phrase| sentence.says(at, phrase)));
        let languages = sentence.languages.iter().any(|(place, ..)| *place <= first.saturating_add(4));
        let begins = |at: usize| at == first || sentence.clause_start(at) == at;
        let postponed = (first..sentence.tokens.len()).filter(|&at| begins(at)).any(|at| {
            words::POSTPONING.iter().any(|phrase| {
                sentence.says(at, phrase)
                    && !(languages && [" for", " in", " not"].iter().any(|end| phrase.ends_with(end)))
            })
        });
        // `## Done when`: a heading above how it is seen that the change is there.
        let criteria =
            sentence.tokens.iter().filter(|token| token.is_text()).count() == 2 && sentence.says(first, "done when");
        // `Let me know when it can be built.`
        let informs = sentence.any(&["know", "tell", "ping", "shout"]) && sentence.any(&["let", "me", "us"])
            || sentence.any(&["posted", "filed", "opened", "sent", "written", "reported", "signed"])
                && sentence.any(&["by"]);
        // A condition in a sentence of its own: `But only once the board agrees.`
        let condition = !criteria
            && !informs
            && sentence.zones.contains(&Zone::Condition)
            && !sentence.mentions.iter().any(|mention| mention.strong)
            && !sentence.tokens.iter().any(|token| token.looks_like_name() && token.is_text())
            && (0..sentence.tokens.len()).filter(|&at| sentence.zone(at) == Zone::Main && sentence.is_text(at)).count()
                <= 3;
        let found = (reversed || postponed || condition) && !self.has_a_topic(sentence);
        let unit = self.unit;
        // In a paragraph of its own it speaks of all that stands above.
        let own = self.found.asked.iter().any(|asked| asked.unit == unit);
        let named = sentence.mentions.iter().any(|mention| mention.strong);
        if !found || self.found.asked.is_empty() || !own && named {
            return false;
        }
        let topic = self.topic;
        let about = |asked: &&mut Asked| (!own || asked.unit == unit) && asked.sentence >= topic;
        for asked in self.found.asked.iter_mut().filter(about) {
            asked.hold(Doubt::Condition);
        }
        true
    }

    /// `> Wait with this`, below what is asked: somebody answered that it waits.
    pub(super) fn waits_as_quoted(&mut self, text: &str) {
        let tokens = super::super::token::tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        let waits = (0..tokens.len()).any(|at| {
            ["wait with", "hold off", "hold on", "on hold", "not yet"].iter().any(|phrase| sentence.says(at, phrase))
        });
        if waits && sentence.mentions.iter().all(|mention| !mention.strong) {
            self.found.asked.iter_mut().for_each(|asked| asked.hold(Doubt::Condition));
        }
    }

    /// `Depends on whether the portal uses it. Hide it then.`
    pub(super) fn follows_from_a_condition(&self, sentence: &Sentence<'_>, start: usize) -> bool {
        let last = (0..sentence.tokens.len()).rev().find(|&at| sentence.is_text(at));
        let then = last.is_some_and(|at| sentence.is(at, &["then"]) && !sentence.is(at.saturating_sub(1), &["since"]));
        let above = self.text.get(..start).unwrap_or_default();
        let before = above.rsplit(['.', '!', '\n']).find(|part| !part.trim().is_empty()).unwrap_or_default();
        let conditions = ["depends", "depending", "if", "whether", "unless"];
        then && before.split_whitespace().any(|word| conditions.contains(&word.to_lowercase().as_str()))
    }

    /// `- retry policy: parked until January`: an item of a list that says what it is about, and no other item.
    fn has_a_topic(&self, sentence: &Sentence<'_>) -> bool {
        let colon = (1..sentence.tokens.len().min(6)).find(|&at| sentence.is_sign(at, ':'));
        let label = colon.is_some_and(|colon| {
            let said = [words::STANDINGS, words::POLITE, words::NEGATIONS].iter().any(|list| sentence.has(0..colon, list));
            let about_all = list! {
                "all" "both" "these" "this" "that" "them" "it" "everything" "above" "note" "but" "edit" "update" "approval"
                "approved" "board" "owner" "ps" "p.s" "nb" "fyi" "condition" "caveat" "important" "timing" "when" "blocker" "names"
                "naming" "rename" "renames" "renaming" "changes" "items" "comments" "warning" "attention" "release" "schedule"
            };
            !said && !sentence.has(0..colon, about_all) && (0..colon).any(|at| sentence.is_text(at))
        });
        self.item && label
    }
}

/// `This page describes how your code will look.`: a text for others, and no wish.
fn describes(sentence: &Sentence<'_>) -> bool {
    let text = list! {
        "page" "guide" "document" "doc" "article" "overview" "digest" "summary" "post" "newsletter" "tutorial" "announcement"
    };
    let verb = list! {
        "describes" "reports" "explains" "lists" "shows" "summarises" "summarizes" "documents" "tells" "covers" "compares"
    };
    sentence.is(0, &["this", "the", "here"]) && sentence.is(1, text) && sentence.is(2, verb)
}

/// `Approved by: -`, `Board: NAY`, `Decided by the board: no change`: nothing is decided, or it is refused.
fn is_refusing_field(sentence: &Sentence<'_>) -> bool {
    let deciding = list! {
        "approved" "approver" "approvers" "approval" "board" "owner" "decision" "decided" "verdict" "outcome" "resolution"
        "recommendation" "triage" "vote" "votes" "accepted" "reviewed" "answer"
    };
    let refusing = list! {
        "no" "none" "nobody" "nay" "pending" "open" "not" "declined" "rejected" "closed" "won't" "wontfix" "leave" "keep"
        "unchanged" "nothing" "waiting" "tbd" "later" "missing" "outstanding" "unknown" "without"
    };
    // `state: closed - resolution: won't do`
    let label =
        |colon: &usize| sentence.is_sign(*colon, ':') && sentence.has(colon.saturating_sub(4)..*colon, deciding);
    let Some(colon) = (1..sentence.tokens.len().min(14)).find(label) else { return false };
    let value = colon.saturating_add(1)..sentence.tokens.len();
    let words = value.clone().filter(|&at| sentence.is_text(at)).count();
    let struck = words == 0 && value.clone().any(|at| sentence.is_sign(at, '-') || sentence.is_sign(at, '–'));
    struck || words < 8 && value.clone().any(|at| sentence.is(at, refusing))
}
