//! What the whole request says against a reading, however its sentence was read. These checks know no forms of sentences:
//! they compare what would be done with all that is named.

use bailiwick_sdk::tasks::{Language, Scope};

use super::document::{Ask, Asked};
use super::lexicon as words;
use super::sentence::{LanguageRole, Sentence, Zone};
use super::token::tokenize;
use crate::entities::Lookup;
use crate::names::key;

/// A request and what it is held against.
pub(super) struct Whole<'a> {
    pub(super) request: &'a str,
    pub(super) language: Language,
    pub(super) lookup: &'a Lookup<'a>,
}

impl Whole<'_> {
    /// Whether something speaks against carrying out a reading of this text in this scope.
    pub(super) fn speaks_against(&self, one: &Asked, all: &[Asked], text: &str, scope: Option<&Scope>) -> bool {
        let tokens = tokenize(text);
        let sentence = Sentence::new(&tokens, self.lookup, self.language);
        self.is_for_others_only(&sentence, scope)
            || self.is_quoted_decorator(one)
            || is_about_a_part(&sentence, &one.ask)
            || is_for_another_time(text, self.request)
            || self.leaves_out_its_own(one, all, scope)
            || self.has_nearer_kin(one, all, &sentence)
    }

    /// `> @@clientName(X, "Y");`: the line that a comment is about stands there already. What is asked stands below it.
    fn is_quoted_decorator(&self, one: &Asked) -> bool {
        let before = self.request.get(..one.span.start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let line = self.request.get(line..).unwrap_or_default().lines().next().unwrap_or_default();
        // A quoted suggestion is one all the same.
        let fenced = before.lines().any(|line| line.trim_start_matches(['>', ' ']).starts_with("```"));
        !fenced && line.trim_start().strip_prefix('>').is_some_and(|quoted| quoted.trim_start().starts_with("@@"))
    }

    /// `X becomes Y, but in Java only` in the package of another language.
    fn is_for_others_only(&self, sentence: &Sentence<'_>, scope: Option<&Scope>) -> bool {
        let covered = |language: Language| match scope {
            None => language == self.language,
            Some(scope) => scope.covers(language),
        };
        sentence.languages.iter().any(|&(at, language, _)| {
            let before = at.checked_sub(1);
            let only = sentence.is(at.saturating_add(1), &["only", "alone", "exclusively"])
                || before.is_some_and(|before| sentence.is(before, &["only"]))
                || before.and_then(|before| before.checked_sub(1)).is_some_and(|only| {
                    sentence.is(only, &["only"]) && sentence.is(only.saturating_add(1), &["in", "for"])
                });
            let negated = (at.saturating_sub(4)..at).any(|at| sentence.is(at, &["not", "n't", "isn't"]));
            only && !negated && !covered(language)
        })
    }

    /// `Java and C# show it as Y. Rename it in Python and Go, too` in the package of Go, where the languages of the first
    /// sentence were taken for those of the second.
    fn leaves_out_its_own(&self, one: &Asked, all: &[Asked], scope: Option<&Scope>) -> bool {
        let alone = all.iter().all(|other| other.ask.target() == one.ask.target());
        if !alone || scope.is_none_or(|scope| scope.covers(self.language)) {
            return false;
        }
        let tokens = tokenize(self.request);
        let whole = Sentence::new(&tokens, self.lookup, self.language);
        let asked = |role: LanguageRole| role == LanguageRole::Scope;
        whole.languages.iter().any(|&(_, language, role)| language == self.language && asked(role))
    }

    /// Whether a thing that the sentence does not name is renamed, while the request names another one of its kind that
    /// the new name fits better: `removeField is odd beside deletePlan. We would like deleteField.`
    fn has_nearer_kin(&self, one: &Asked, all: &[Asked], sentence: &Sentence<'_>) -> bool {
        let Ask::Rename { target, name } = &one.ask else { return false };
        if sentence.mentions.iter().any(|mention| mention.candidates.contains(target)) {
            return false;
        }
        let entity = self.lookup.entity(*target);
        let fits = |other: usize| shared_words(&self.lookup.entity(other).name, name);
        let own = fits(*target);
        let tokens = tokenize(self.request);
        let whole = Sentence::new(&tokens, self.lookup, self.language);
        // Of a type and a member of it that are quoted above, the sentence may be about either.
        let member = |other: usize| {
            let rest = self.lookup.entity(other).reference.strip_prefix(entity.reference.as_str());
            rest.is_some_and(|rest| rest.starts_with('.')) && !all.iter().any(|asked| asked.ask.target() == Some(other))
        };
        if entity.kind.is_type()
            && whole.mentions.iter().flat_map(|mention| &mention.candidates).any(|&one| member(one))
        {
            return true;
        }
        whole.mentions.iter().filter(|mention| mention.strong).flat_map(|mention| &mention.candidates).any(|&other| {
            other != *target
                && self.lookup.entity(other).kind == entity.kind
                && !all.iter().any(|asked| asked.ask.target() == Some(other))
                && key(&self.lookup.entity(other).name) != key(name)
                && fits(other) > own
        })
    }
}

/// What a thing has beside its name, and what is written of it elsewhere. No name of the client changes with them.
const PARTS: &[&str] = list! {
    "doc" "docs" "documentation" "docstring" "docstrings" "summary" "summaries" "description" "descriptions" "comment" "comments"
    "remark" "label" "labels" "entry" "entries" "reference" "references" "changelog" "readme" "title" "header" "heading"
    "copyright" "license" "link" "links" "page" "caption"
};

/// What changes with the name, or with who sees it.
const NAMES: &[&str] = list! {
    "name" "names" "naming" "identifier" "spelling" "casing" "case" "capitalization" "capitalisation" "wording" "word" "term"
    "visibility" "accessibility" "access" "exposure" "rename" "renaming" "renames" "all" "any" "some" "each" "both" "one" "most"
    "rest" "instance" "occurrence" "instances" "occurrences" "use" "usage" "uses" "spellings" "instead" "favor" "favour"
    "because" "out" "outside" "inside" "speaking" "think" "part" "kind" "sort" "sake" "place" "lieu" "list" "top"
};

/// `the summary of X`, `update the docs from X`, `the comment says X`, `in the description`, `X should have a property called Y`:
/// a part of the thing, a text about it or a new thing, where its name or its place would change.
fn is_about_a_part(sentence: &Sentence<'_>, ask: &Ask) -> bool {
    let Some(target) = ask.target() else { return false };
    let plain = |at: usize| sentence.is_text(at) && sentence.mention_at(at).is_none() && !is_quoted(sentence, at);
    let open = |at: usize| !matches!(sentence.zone(at), Zone::Reason | Zone::Comparison);
    sentence.mentions.iter().filter(|mention| mention.candidates.contains(&target)).any(|mention| {
        let mut at = mention.at;
        while let Some(before) = at.checked_sub(1)
            && (sentence.is(before, ARTICLES) || is_kind(sentence, before) || !sentence.is_text(before))
            && !sentence.is_sign(before, ':')
            && !sentence.is(before, PARTS)
        {
            at = before;
        }
        let Some(before) = at.checked_sub(1) else { return has_something_new(sentence, mention.end) };
        let noun = before.checked_sub(1);
        let of_a_part = sentence.is(before, &["of"])
            && noun.is_some_and(|noun| {
                sentence.is_text(noun)
                    && !is_quoted(sentence, noun)
                    && open(noun)
                    && !is_name(sentence, noun)
                    && follows_article(sentence, noun)
            });
        let in_a_text = sentence.is(before, PARTS) && plain(before) && open(before)
            || sentence.is(before, &["from", "says", "say", "reads", "mentions", "contains"])
                && noun.is_some_and(|noun| sentence.is(noun, PARTS) && plain(noun) && open(noun));
        of_a_part || in_a_text || has_something_new(sentence, mention.end) || stands_in_a_text(sentence, mention.end)
    })
}

/// `the name of X`, `the Java version of X`, and not `the wire name of X`
fn is_name(sentence: &Sentence<'_>, noun: usize) -> bool {
    let before = noun.checked_sub(1);
    let wire =
        before.is_some_and(|before| sentence.is(before, words::WIRE) || sentence.is(before, &["wire", "json", "rest"]));
    let spoken = before.is_some_and(|before| sentence.languages.iter().any(|(at, ..)| *at == before));
    // `drop the suffix of X` makes the new name of the old one.
    let of_the_name = sentence
        .is(noun, &["suffix", "prefix", "ending", "beginning", "abbreviation", "postfix", "half", "letters"])
        && sentence.any(&[
            "drop",
            "remove",
            "strip",
            "lose",
            "omit",
            "cut",
            "add",
            "expand",
            "spell",
            "write",
            "shorten",
            "trim",
            "take",
            "prepend",
            "append",
            "without",
            "delete",
            "put",
            "needs",
            "unnecessary",
            "redundant",
        ]);
    sentence.is(noun, NAMES) && !wire || spoken || of_the_name
}

const ARTICLES: &[&str] = list! { "the" "a" "an" "our" "its" "this" "that" "these" "those" };

fn is_kind(sentence: &Sentence<'_>, at: usize) -> bool {
    words::KIND_NOUNS.iter().any(|(nouns, _)| sentence.is(at, nouns))
}

fn is_quoted(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.get(at).is_some_and(|token| token.quoted)
}

/// Whether an article stands at most two words before a noun: `the wire name`, `the HTTP path`.
fn follows_article(sentence: &Sentence<'_>, noun: usize) -> bool {
    (1..=3).filter_map(|back| noun.checked_sub(back)).any(|at| sentence.is(at, ARTICLES))
}

/// `X should have a property called Y`, `X needs a field named Y`
fn has_something_new(sentence: &Sentence<'_>, end: usize) -> bool {
    let has = |at: usize| sentence.is(at, &["have", "get", "gain", "receive", "contain", "include"]);
    let wants = sentence.is(end, words::MODALS) && has(end.saturating_add(1))
        || sentence.is(end, &["needs", "lacks", "misses", "gets", "wants"]);
    let from = end.saturating_add(1);
    wants
        && (from..from.saturating_add(4)).any(|at| {
            sentence.is(at, &["a", "an", "another", "new"]) && {
                let next = at.saturating_add(1);
                (next..next.saturating_add(2)).any(|at| is_kind(sentence, at))
            }
        })
}

/// `… in the comment`, `… in the doc comment of the class` behind what is asked.
fn stands_in_a_text(sentence: &Sentence<'_>, end: usize) -> bool {
    (end..sentence.tokens.len()).any(|at| {
        let noun = (1..=3).map(|ahead| at.saturating_add(ahead)).find(|&noun| sentence.is(noun, PARTS));
        sentence.is(at, &["in", "inside", "within"])
            && sentence.is(at.saturating_add(1), ARTICLES)
            && !matches!(sentence.zone(at), Zone::Reason | Zone::Comparison)
            && noun.is_some_and(|noun| !is_quoted(sentence, noun) && !is_kind(sentence, noun.saturating_add(1)))
    })
}

/// `in a follow-up PR`, `after the next release`, `[draft]`, and a sentence that says not to heed what comes.
fn is_for_another_time(text: &str, request: &str) -> bool {
    let (text, request) = (text.to_lowercase(), request.to_lowercase());
    let later = [
        "follow-up pr",
        "followup pr",
        "follow-up pull request",
        "follow-up change",
        "follow-up ticket",
        "after the next ",
    ];
    let unheeded = [
        "ignore the following",
        "ignore the next",
        "disregard the following",
        "ignore the line below",
        "feel free to ignore",
    ];
    later.iter().any(|words| text.contains(words))
        || unheeded.iter().any(|words| request.contains(words))
        || ["[draft]", "[wip]", "draft:", "wip:"].iter().any(|words| request.trim_start().starts_with(words))
}

/// Without renames of what holds a thing that gets the same name: `PrioStd Prio` should be `PrioStandard`.
pub(super) fn without_holders(asked: Vec<Asked>, lookup: &Lookup<'_>) -> Vec<Asked> {
    let holds = |holder: usize, held: usize| {
        let (holder, held) = (&lookup.entity(holder).reference, &lookup.entity(held).reference);
        held.strip_prefix(holder.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    let same = |one: &Asked, other: &Asked| match (&one.ask, &other.ask) {
        (Ask::Rename { target, name }, Ask::Rename { target: held, name: new }) => {
            (key(new).ends_with(&key(name)) || key(name).ends_with(&key(new))) && holds(*target, *held)
        }
        _ => false,
    };
    let kept: Vec<bool> = asked.iter().map(|one| !asked.iter().any(|other| same(one, other))).collect();
    asked.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(one, _)| one).collect()
}

/// How many words two names share. The last one, which says what a thing is, counts twice.
fn shared_words(one: &str, other: &str) -> usize {
    let of = |name: &str| crate::names::words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let (one, other) = (of(one), of(other));
    let last = usize::from(one.last().is_some() && one.last() == other.last());
    one.iter().filter(|word| other.contains(word)).count().saturating_add(last)
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::{Change, Directive, Language, Scope};

    use super::shared_words;
    use crate::read::understand;
    use crate::sample;

    fn actions(request: &str, language: Language) -> Vec<Directive> {
        understand(request, language, &sample::index()).actions
    }

    #[test]
    fn language_that_alone_is_meant_is_not_passed_over() {
        let request =
            "`AnalyzeResult` becomes `WidgetAnalysis`, but in Java only. Python has notebooks that import it.";
        for action in actions(request, Language::Python) {
            assert_eq!(action.scope, Some(Scope::Only(vec![Language::Java])), "{action:?}");
        }
    }

    #[test]
    fn new_name_goes_to_what_it_fits_and_not_to_what_was_named_last() {
        for request in [
            "deleteWidget is the only operation of its kind, its neighbour is getStatistics. We would like `removeWidget`.",
            "getStatistics comes right behind deleteWidget in the list. We would like `readStatistics`.",
        ] {
            for action in actions(request, Language::Python) {
                let Change::Rename { target, name, .. } = &action.change else { panic!("{action:?}") };
                let fits = shared_words(target.rsplit('.').next().unwrap(), name);
                assert!(fits > 0, "{request}: {action:?}");
            }
        }
    }

    #[test]
    fn part_of_a_thing_a_text_about_it_and_another_time_change_nothing() {
        for request in [
            "Set the summary of the model Widget to Gadget.",
            "Please change the wire name of Widget.displayName to `title`.",
            "Change the base type of Widget to Gadget.",
            "Update the docs from Widget to Gadget.",
            "Rename the label Widget to Gadget.",
            "The docstring says Widget, it should say Gadget.",
            "Use Gadget instead of Widget in the doc comment.",
            "Widget should have a property called Gadget.",
            "Make the tests of deleteWidget internal.",
            "Move the docs of deleteWidget to Parts.",
            "After the next release, rename Widget to Gadget.",
            "Rename Widget to Gadget in a follow-up PR.",
            "[draft] rename Widget to Gadget",
            "Ignore the following line. Rename Widget to Gadget.",
        ] {
            assert_eq!(actions(request, Language::Python), [], "{request}");
        }
        for request in [
            "Change the name of the model Widget to Gadget.",
            "Change the Python name of Widget to Gadget.",
            "Rename all spellings of Widget to Gadget.",
            "As the comment says, rename Widget to Gadget.",
        ] {
            let found = actions(request, Language::Python);
            assert!(found.len() <= 1, "{request}: {found:?}");
        }
        assert_eq!(actions("Change the name of the model Widget to Gadget.", Language::Python).len(), 1);
    }

    #[test]
    fn quoted_line_of_the_specification_is_what_a_comment_is_about() {
        let line = "> @@clientName(Widget, \"Gadget\", \"python, java\");";
        assert_eq!(actions(&format!("{line}\n\nPython has to come off this list."), Language::Python), []);
    }

    #[test]
    fn languages_that_are_only_told_of_are_not_those_that_change() {
        let request =
            "Java and .NET show AnalyzeResult as `WidgetAnalysis`. Rename it to `WidgetAnalysis` in Python, too.";
        for action in actions(request, Language::Python) {
            assert!(action.scope.as_ref().is_none_or(|scope| scope.covers(Language::Python)), "{action:?}");
        }
    }

    #[test]
    fn word_that_says_what_a_thing_is_counts_twice() {
        assert_eq!(shared_words("removeField", "deleteField"), 2);
        assert_eq!(shared_words("deletePlan", "deleteField"), 1);
        assert_eq!(shared_words("qty", "quantity"), 0);
    }
}
