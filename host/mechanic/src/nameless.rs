//! What a request may speak of and no decorator can name.

use crate::repair::has_word;
use bailiwick_sdk::tasks::{Entity, EntityKind, ManualGuidance, Nameless, NamelessForm, SpecIndex};

/// How guidance about words begins that were not understood and speak of something.
pub(crate) const SPEAKS_OF: &str = "it speaks of ";

/// Says why what the words of a request name cannot be changed, where that is known. A thing that has a name of its own, too,
/// is not taken for one.
pub(crate) fn explain(guidance: ManualGuidance, words: &str, index: &SpecIndex) -> ManualGuidance {
    let short = |reference: &str| reference.rsplit('.').next().unwrap_or(reference).to_owned();
    let is_meant = |one: &&Nameless| {
        let declared = format!("{}.{}", one.holder, one.name);
        has_word(words, &one.name)
            && has_word(words, &short(&one.holder))
            && !index.entities.iter().any(|entity| entity.reference == declared)
    };
    let Some(Nameless { holder, name, form }) = index.nameless.iter().find(is_meant) else {
        return with_member(guidance, words, index);
    };
    let holder = short(holder);
    let (what, approach) = match form {
        NamelessForm::Discriminator => (
            format!("`{name}` is the discriminator of `{holder}`, which `@discriminator` declares"),
            format!(
                "declare the property `{name}` of `{holder}` in the specification, then ask for this again; or leave its name"
            ),
        ),
        NamelessForm::Variant => (
            format!("`{name}` is a variant of the union `{holder}` that has no name in the specification"),
            format!("give the variant a name in the specification (`{name}: \"{name}\"`), then ask for this again"),
        ),
    };
    let reason = "a decorator changes what the specification declares under a name, and this it does not".to_owned();
    ManualGuidance { issue: format!("{}; {what}", guidance.issue), approach, reason, ..guidance }
}

/// Names the one member that the words speak of beside what holds it: `the kind of Value` reads as English, and may mean it.
fn with_member(guidance: ManualGuidance, words: &str, index: &SpecIndex) -> ManualGuidance {
    let is_meant = |one: &&Entity| {
        let holder = one.container.as_deref().map(|holder| holder.rsplit('.').next().unwrap_or(holder));
        one.kind == EntityKind::Property
            && has_word(words, &one.name)
            && holder.is_some_and(|holder| has_word(words, holder))
            && guidance.approach.contains(SPEAKS_OF)
            && !guidance.approach.contains(&one.reference)
    };
    let mut meant = index.entities.iter().filter(is_meant);
    let (Some(member), None) = (meant.next(), meant.next()) else { return guidance };
    let approach = format!(
        "{}; where its property `{}` is meant, give it as `--rename {}=NAME`",
        guidance.approach, member.name, member.reference
    );
    ManualGuidance { approach, ..guidance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_that_reads_as_english_is_offered_where_the_words_were_not_understood() {
        let mut index = crate::sample::index();
        let mut property =
            index.entities.iter().find(|one| one.reference.ends_with("Part.displayName")).unwrap().clone();
        property.name = "kind".into();
        property.reference = property.reference.replace("displayName", "kind");
        let reference = property.reference.clone();
        index.entities.push(property);
        let approach = |approach: &str, words: &str| {
            let guidance =
                ManualGuidance { issue: "i".into(), files: Vec::new(), approach: approach.into(), reason: "r".into() };
            explain(guidance, words, &index).approach
        };
        let said = approach("it speaks of the model `Part`: say", "rename kind of Part to sort");
        assert!(said.ends_with(&format!("`kind` is meant, give it as `--rename {reference}=NAME`")), "{said}");
        assert_eq!(approach("decide it", "rename kind of Part to sort"), "decide it");
        assert_eq!(approach("it speaks of x", "rename kind of Widget to sort"), "it speaks of x");
    }

    fn explained(words: &str) -> ManualGuidance {
        let one = |holder: &str, name: &str, form| Nameless { holder: holder.into(), name: name.into(), form };
        let index = SpecIndex {
            nameless: vec![
                one("A.Value", "kind", NamelessForm::Discriminator),
                one("A.Names", "Scalable", NamelessForm::Variant),
            ],
            ..SpecIndex::default()
        };
        let guidance =
            ManualGuidance { issue: "i".into(), files: Vec::new(), approach: "a".into(), reason: "r".into() };
        explain(guidance, words, &index)
    }

    #[test]
    fn discriminator_and_variant_without_a_name_are_explained() {
        let said = explained("rename kind of Value to valueKind");
        assert!(said.issue.contains("`kind` is the discriminator of `Value`"), "{}", said.issue);
        let said = explained("rename Names.Scalable to X");
        assert!(said.issue.contains("a variant of the union `Names` that has no name"), "{}", said.issue);
        assert!(said.approach.contains("`Scalable: \"Scalable\"`"), "{}", said.approach);
    }

    #[test]
    fn other_words_and_the_same_name_of_another_holder_are_left() {
        for words in ["rename kind of Other to x", "rename Value to X", "rename kindness of Value"] {
            assert_eq!(explained(words).issue, "i", "{words}");
        }
    }
}
