//! What a difference shows was changed, and which claims it does not bear out.

use bailiwick_sdk::tasks::{CodePatchDetail, SpecIndex, TypeSpecChange};

use super::lines::{hunks, split};
use super::typespec::{canonical_name, index_changes};

/// Characters of a preview (seed 000).
const PREVIEW: usize = 100;

/// The decorators that were added, changed or removed, by the compiler's view of both versions. `file_path` carries its
/// grant: `spec/client.tsp`.
#[must_use]
pub fn typespec_changes(before: &SpecIndex, after: &SpecIndex, file_path: &str) -> Vec<TypeSpecChange> {
    let (added, removed) = index_changes(before, after);
    let mut changes: Vec<TypeSpecChange> = Vec::new();
    for customization in added.into_iter().chain(removed) {
        let change = TypeSpecChange {
            decorator_name: canonical_name(&customization.decorator).to_owned(),
            target: customization.target.clone(),
            scope: customization.scope.clone().unwrap_or_default(),
            file_path: file_path.to_owned(),
        };
        // A changed argument is one change, not a removal and an addition.
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}

/// The patches that turn one version of a file into the other: one for each place where they differ, equal ones
/// counted together. `file_path` carries its grant.
#[must_use]
pub fn patches(file_path: &str, before: &str, after: &str) -> Vec<CodePatchDetail> {
    let (old, new) = (split(before), split(after));
    let mut patches: Vec<(String, String, u32)> = Vec::new();
    for hunk in hunks(&old, &new) {
        let (removed, added) = (old[hunk.before].concat(), new[hunk.after].concat());
        match patches.iter_mut().find(|(one, other, _)| *one == removed && *other == added) {
            Some((_, _, count)) => *count += 1,
            None => patches.push((removed, added, 1)),
        }
    }
    let preview = |text: &str| text.chars().take(PREVIEW).collect();
    patches
        .into_iter()
        .map(|(removed, added, count)| CodePatchDetail {
            file_path: file_path.to_owned(),
            old_content_preview: preview(&removed),
            new_content_preview: preview(&added),
            replacement_count: count,
        })
        .collect()
}

/// Claimed decorators that the difference does not show, as text for people.
#[must_use]
pub fn missing_typespec_changes(claimed: &[TypeSpecChange], actual: &[TypeSpecChange]) -> Vec<String> {
    let same_target = |one: &str, other: &str| {
        // A claim may name its target as `client.tsp` does, without the namespace that it opens.
        one == other
            || one.strip_suffix(other).is_some_and(|rest| rest.ends_with('.'))
            || other.strip_suffix(one).is_some_and(|rest| rest.ends_with('.'))
    };
    let borne_out = |claim: &TypeSpecChange| {
        actual.iter().any(|change| {
            canonical_name(&claim.decorator_name) == change.decorator_name
                && claim.scope == change.scope
                && same_target(&claim.target, &change.target)
        })
    };
    claimed
        .iter()
        .filter(|claim| !borne_out(claim))
        .map(|claim| format!("`@@{}` on `{}` for `{}`", claim.decorator_name, claim.target, claim.scope))
        .collect()
}

/// Claimed patches that the difference does not show, as text for people. `actual` are the whole changed files: path
/// with its grant, content before and after.
#[must_use]
pub fn missing_patches(claimed: &[CodePatchDetail], actual: &[(String, String, String)]) -> Vec<String> {
    // An emitter that updates files breaks the lines of a person's code anew.
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let holds = |text: &str, preview: &str| packed(text).contains(&packed(preview));
    let borne_out = |claim: &CodePatchDetail| {
        actual.iter().any(|(path, before, after)| {
            *path == claim.file_path
                && before != after
                && holds(after, &claim.new_content_preview)
                && holds(before, &claim.old_content_preview)
        })
    };
    claimed.iter().filter(|claim| !borne_out(claim)).map(|claim| format!("a patch of `{}`", claim.file_path)).collect()
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::{CodePatchDetail, Customization, CustomizationForm, SpecIndex, TypeSpecChange};

    use super::{missing_patches, missing_typespec_changes, patches, typespec_changes};

    fn index(customizations: &[(&str, &str, &str)]) -> SpecIndex {
        let customizations = customizations
            .iter()
            .map(|(decorator, target, argument)| Customization {
                decorator: (*decorator).to_owned(),
                target: (*target).to_owned(),
                arguments: vec![(*argument).to_owned()],
                scope: Some("python".to_owned()),
                line: 7,
                form: CustomizationForm::Augment,
            })
            .collect();
        SpecIndex { customizations, ..SpecIndex::default() }
    }

    fn claim(decorator: &str, target: &str, scope: &str) -> TypeSpecChange {
        TypeSpecChange {
            decorator_name: decorator.to_owned(),
            target: target.to_owned(),
            scope: scope.to_owned(),
            file_path: "spec/client.tsp".to_owned(),
        }
    }

    #[test]
    fn added_changed_and_removed_decorators_are_each_one_change() {
        let before = index(&[("clientName", "C.A", "\"X\""), ("access", "C.b", "internal")]);
        let after = index(&[("clientName", "C.A", "\"Y\""), ("usage", "C.D", "input")]);
        let changes = typespec_changes(&before, &after, "spec/client.tsp");
        assert_eq!(
            changes,
            [claim("clientName", "C.A", "python"), claim("usage", "C.D", "python"), claim("access", "C.b", "python")]
        );
    }

    #[test]
    fn claim_about_another_target_decorator_or_scope_is_missing() {
        let actual = [claim("access", "Contoso.Widgets.deleteWidget", "python")];
        for (claimed, missing) in [
            (claim("access", "Contoso.Widgets.deleteWidget", "python"), false),
            (claim("access", "Widgets.deleteWidget", "python"), false),
            (claim("access", "Widgets.getWidget", "python"), true),
            (claim("access", "eleteWidget", "python"), true),
            (claim("clientName", "Widgets.deleteWidget", "python"), true),
            (claim("access", "Widgets.deleteWidget", "java"), true),
        ] {
            let found = missing_typespec_changes(std::slice::from_ref(&claimed), &actual);
            assert_eq!(!found.is_empty(), missing, "{claimed:?}");
        }
    }

    #[test]
    fn patches_are_the_places_that_differ_with_previews_of_100_characters() {
        let long = "x".repeat(300);
        let before = "a = w.old\nkeep\nb = 1\nkeep\na = w.old\n".to_owned();
        let after = format!("a = w.new\nkeep\n{long}\nkeep\na = w.new\n");
        let patches = patches("sdk/_patch.py", &before, &after);
        assert_eq!(patches.len(), 2);
        assert_eq!(patches[0].replacement_count, 2);
        assert_eq!(patches[0].new_content_preview, "a = w.new\n");
        assert_eq!(patches[1].new_content_preview.chars().count(), 100);
    }

    #[test]
    fn patch_that_is_not_in_the_file_is_missing() {
        let actual = [("sdk/_patch.py".to_owned(), "a = w.old\n".to_owned(), "a = w.new\n".to_owned())];
        let claimed = |path: &str, new: &str| CodePatchDetail {
            file_path: path.to_owned(),
            old_content_preview: "w.old".to_owned(),
            new_content_preview: new.to_owned(),
            replacement_count: 1,
        };
        assert!(missing_patches(&[claimed("sdk/_patch.py", "w.new")], &actual).is_empty());
        assert_eq!(missing_patches(&[claimed("sdk/_patch.py", "w.other")], &actual).len(), 1);
        assert_eq!(missing_patches(&[claimed("sdk/other.py", "w.new")], &actual).len(), 1);
    }
}
