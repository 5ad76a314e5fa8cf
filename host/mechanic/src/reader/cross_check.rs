//! What the whole request says against a reading, however its sentence was read: what would be done is compared with all
//! that the request names, and with the words around the target.

mod beside;
mod named;
mod objects;
mod parts;
mod reported;
mod restricted;
mod subjects;
mod talk;

use bailiwick_sdk::tasks::{Entity, EntityKind, Language, Scope};

use super::document::{Ask, Asked};
use super::lexicon as words;
use super::names::resembles;
use super::sentence::{LanguageRole, Sentence, Zone};
use super::token::tokenize;
use crate::entities::Lookup;
use crate::names::key;
use parts::is_about_a_part;

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
            || talk::is_talk(&sentence, scope, self.language)
            || self.is_quoted_decorator(one)
            || is_about_a_part(&sentence, &one.ask)
            || objects::is_about_something_made(&sentence, &one.ask)
            || objects::is_about_another_thing(&sentence, &one.ask)
            || objects::is_its_sibling(&sentence, &one.ask)
            || named::is_given_to_another(&sentence, &one.ask, self.lookup)
            || objects::wishes_without_naming(&sentence, &one.ask)
            || objects::is_one_of_several(&sentence, &one.ask)
            || objects::is_told_of_something_else(self.before(one), &sentence, &one.ask)
            || objects::is_a_tools_idea(self.request.get(one.span.end..).unwrap_or_default(), &sentence)
            || objects::is_a_chain(&sentence, &one.ask)
            || objects::is_of_another_kind(&sentence, &one.ask, self.lookup)
            || objects::is_for_some_only(&sentence, &one.ask)
            || beside::is_beside_it(&sentence, &one.ask)
            || restricted::is_for_a_part_only(&sentence)
            || reported::is_quoted(self.request, one, self.lookup, self.language)
            || reported::is_refused_behind(&sentence)
            || reported::is_proposed_by_a_tool(&sentence)
            || self.is_below_a_tools_name(one)
            || reported::is_a_value_of_today(&sentence, &one.ask, self.lookup)
            || objects::goes_on_about_a_text(self.before(one), &sentence, &one.ask, self.lookup, self.language)
            || is_about_its_type(&sentence, &one.ask, self.lookup)
            || self.leaves_out_its_own(one, all, scope)
            || subjects::has_a_subject_of_its_own(&sentence, &one.ask)
            || subjects::is_part_of_a_noun(&sentence, &one.ask)
            || subjects::is_the_name_that_is_refused(&sentence, &one.ask)
            || subjects::is_put_behind(&sentence, &one.ask)
            || self.has_nearer_kin(one, all, &sentence)
    }

    /// `Sonar's view: X should be Y`
    fn is_below_a_tools_name(&self, one: &Asked) -> bool {
        let before = self.before(one);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let tokens = tokenize(line);
        reported::is_proposed_by_a_tool(&Sentence::new(&tokens, self.lookup, self.language))
    }

    fn before(&self, one: &Asked) -> &str {
        self.request.get(..one.span.start).unwrap_or_default()
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
        // `in the other languages`, `everywhere but here`
        let elsewhere = (0..sentence.tokens.len()).any(|at| {
            let next = at.saturating_add(1);
            let others = sentence.is(at, &["other", "others"])
                && sentence.is(next, &["languages", "langs", "sdks", "clients", "libraries", "packages"])
                && (1..3).any(|step| at.checked_sub(step).is_some_and(|before| sentence.is(before, &["in", "for"])));
            let here = sentence.is(at, &["but", "except", "not"]) && sentence.is(next, &["here", "ours"]);
            let compared = matches!(sentence.zone(at), Zone::Comparison | Zone::Reason);
            others
                && !compared
                && !sentence.is_turned()
                && !sentence.any(words::KEEPING)
                && !sentence.any(&["too", "also", "as"])
                || here && sentence.is(at.saturating_sub(1), &["everywhere", "anywhere", "all"])
        });
        if elsewhere && covered(self.language) {
            return true;
        }
        // `X -> Y (Java and Go too)`: beside the language at hand, or instead of it.
        let beside = sentence.languages.iter().any(|&(at, ..)| {
            sentence.is(at.saturating_add(1), &["too", "also"])
                || sentence.phrase(at.saturating_add(1), &["as", "well"])
        });
        if beside && scope.is_some_and(|scope| !scope.covers(self.language)) {
            return true;
        }
        if self.compares_others(sentence, scope) {
            return true;
        }
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

    /// `In Java it is X, in Python Y` in the package of a third language: how each of them has it, and no wish.
    fn compares_others(&self, sentence: &Sentence<'_>, scope: Option<&Scope>) -> bool {
        let mut others: Vec<Language> = sentence.languages.iter().map(|&(_, language, _)| language).collect();
        let own = others.contains(&self.language);
        others.dedup();
        others.len() > 1
            && !own
            && scope.is_some_and(|scope| !scope.covers(self.language))
            && !sentence.any(words::RENAME_PROPER)
            && !sentence.any(list! {
                "please" "should" "must" "shall" "want" "wanted" "make" "becomes" "become" "call" "let's" "needs" "need" "both" "hide" "expose"
            })
            && !sentence.tokens.iter().any(|token| token.kind == super::token::Kind::Arrow)
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

    /// A member's own name in the name of a constant of Go: `ColorRed` is `Red` of `Color`.
    fn part_of_a_constant(&self, entity: &Entity, name: &str) -> String {
        let holders = self.lookup.holder_names(entity);
        let behind = holders.iter().find_map(|holder| name.strip_prefix(*holder)).filter(|rest| !rest.is_empty());
        behind.filter(|_| entity.kind == EntityKind::EnumMember).unwrap_or(name).to_owned()
    }

    /// Whether a thing that the sentence does not name is renamed, while the request names another one of its kind that
    /// the new name fits better: `removeField is odd beside deletePlan. We would like deleteField.`
    fn has_nearer_kin(&self, one: &Asked, all: &[Asked], sentence: &Sentence<'_>) -> bool {
        let Ask::Rename { target, name } = &one.ask else { return false };
        if sentence.mentions.iter().any(|mention| mention.candidates.contains(target)) {
            return false;
        }
        let entity = self.lookup.entity(*target);
        // What is beside it is spelled out by the new name, and it is not: `CLR, QTY. Spell out: Quantity.`
        let beside = self.lookup.all().filter(|&other| {
            let other = self.lookup.entity(other);
            other.kind == entity.kind && other.container == entity.container && other.reference != entity.reference
        });
        let inner = !entity.kind.is_type();
        let own = self.part_of_a_constant(entity, name);
        if inner
            && !resembles(&entity.name, &own)
            && beside.into_iter().any(|other| spells(&self.lookup.entity(other).name, &own))
        {
            return true;
        }
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
            && whole
                .mentions
                .iter()
                // `Pos: rename to X`: a label may be a member's name.
                .filter(|mention| mention.strong || whole.is_sign(mention.end, ':'))
                .flat_map(|mention| &mention.candidates)
                .any(|&one| member(one))
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

/// Whether a new name is an old one written out: all letters of the old one in their order.
pub(super) fn spells(old: &str, new: &str) -> bool {
    let (short, long) = (key(old), key(new));
    let mut letters = long.chars();
    short.chars().next() == long.chars().next()
        && short.chars().count() >= 2
        && short != long
        && short.chars().all(|c| letters.any(|other| other == c))
}

/// `Part.total should be Money, we have a type for that`: a type's name for a property.
fn is_about_its_type(sentence: &Sentence<'_>, ask: &Ask, lookup: &Lookup<'_>) -> bool {
    let Ask::Rename { target, name } = ask else { return false };
    let inner = matches!(lookup.entity(*target).kind, EntityKind::Property | EntityKind::Parameter);
    let says = (0..sentence.tokens.len()).any(|at| {
        sentence.is(at, &["type", "typed"])
            && sentence.mention_at(at).is_none()
            && sentence.is(at.saturating_sub(1), &["a", "the", "its", "own", "this"])
    });
    inner && says && name.starts_with(char::is_uppercase)
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
