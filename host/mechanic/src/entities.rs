//! Finds entities of the TypeSpec index under any spelling that people use for them.

use std::collections::HashMap;

use super::names::key;
use super::typo::distance;
use super::work;
use bailiwick_sdk::tasks::{Entity, EntityKind, SpecIndex};

/// The entities of an index, by the keys of their names.
#[derive(Debug)]
pub(crate) struct Lookup<'a> {
    entities: &'a [Entity],
    by_key: HashMap<String, Vec<usize>>,
    longest_key: usize,
}

/// First parts of a dotted Python name that only say where a thing lives.
const MODULES: &[&str] =
    &["models", "operations", "aio", "enums", "patch", "client", "self", "sdk", "azure", "clients", "api"];

impl<'a> Lookup<'a> {
    pub(crate) fn new(index: &'a SpecIndex) -> Self {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, entity) in index.entities.iter().enumerate() {
            let own = key(&entity.name);
            let client = entity.client.as_ref().map(|client| key(&client.name));
            for name in [Some(own.clone()), client.filter(|client| *client != own)].into_iter().flatten() {
                if !name.is_empty() {
                    by_key.entry(name).or_default().push(at);
                }
            }
        }
        let longest_key = by_key.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        Self { entities: &index.entities, by_key, longest_key }
    }

    pub(crate) fn entity(&self, at: usize) -> &'a Entity {
        &self.entities[at]
    }

    /// Length of the longest name: nothing longer needs looking up.
    pub(crate) fn longest_key(&self) -> usize {
        self.longest_key
    }

    /// The entities that a name as people write it can mean: plain, in any case or with any separators, dotted with
    /// what holds it, or as the generated Python calls it.
    pub(crate) fn find(&self, text: &str) -> Vec<usize> {
        work::steps(text.len());
        // A name may itself hold dots: `@odata.type`.
        let whole = |at: &usize| self.entities[*at].name == text.trim_matches('`');
        let dotted = |text: &str| text.contains(['.', '#']) || text.contains("::");
        if let Some(found) = self.by_key.get(&key(text)).filter(|_| dotted(text)) {
            let found: Vec<usize> = found.iter().copied().filter(whole).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let segments = segments(text);
        let Some((name, path)) = segments.split_last() else { return Vec::new() };
        let mut found = self.named(name);
        found.retain(|&at| self.lies_on(at, path));
        // `models.Warranty` is a type, even where a property is called so too.
        let in_models = path.last().is_some_and(|part| ["models", "enums"].contains(&key(part).as_str()));
        let is_type = |at: &usize| self.entities[*at].kind.is_type();
        if in_models && found.iter().any(is_type) {
            found.retain(is_type);
        }
        found
    }

    fn named(&self, name: &str) -> Vec<usize> {
        let plain = key(name);
        if let Some(found) = self.by_key.get(&plain) {
            return found.clone();
        }
        let of_kind = |stem: Option<&str>, kind: EntityKind| -> Vec<usize> {
            let found = stem.and_then(|stem| self.by_key.get(stem)).cloned().unwrap_or_default();
            found.into_iter().filter(|&at| self.entities[at].kind == kind).collect()
        };
        // Long-running operations begin with `begin_` in Python; operation groups are classes with a suffix.
        let begun = of_kind(plain.strip_prefix("begin").filter(|_| name.starts_with("begin_")), EntityKind::Operation);
        if begun.is_empty() { of_kind(plain.strip_suffix("operations"), EntityKind::Interface) } else { begun }
    }

    /// Whether the path in front of a name leads to this entity.
    fn lies_on(&self, at: usize, path: &[String]) -> bool {
        let holders = self.holders(at);
        let mut rest = path;
        let mut level = 0;
        while let Some((last, before)) = rest.split_last() {
            let wanted = key(last);
            if level < holders.len() && holders[level].contains(&wanted) {
                level += 1;
                rest = before;
            } else {
                break;
            }
        }
        // What is left over may only be the Python package that everything lives in.
        rest.is_empty()
            || rest.first().is_some_and(|first| MODULES.contains(&key(first).as_str()))
                && rest.iter().all(|part| !part.chars().any(char::is_uppercase))
    }

    /// For each thing that holds an entity, from the nearest outwards, the keys it goes by.
    fn holders(&self, at: usize) -> Vec<Vec<String>> {
        let mut parts = segments(&self.entities[at].reference);
        parts.pop();
        let mut holders = Vec::new();
        let mut container = self.entities[at].container.as_deref();
        while let Some(part) = parts.pop() {
            let mut keys = vec![key(&part)];
            let holder = container.and_then(|full| self.entities.iter().find(|entity| entity.reference == full));
            if let Some(holder) = holder {
                keys.extend(holder.client.as_ref().map(|client| key(&client.name)));
                if holder.kind == EntityKind::Interface {
                    keys.push(keys[0].clone() + "operations");
                }
            }
            container = holder.and_then(|holder| holder.container.as_deref());
            holders.push(keys);
        }
        holders
    }

    /// Whether one entity holds another, at any depth.
    pub(crate) fn holds(&self, outer: usize, inner: usize) -> bool {
        let outer = &self.entities[outer].reference;
        let mut container = self.entities[inner].container.as_deref();
        while let Some(full) = container {
            if full == outer {
                return true;
            }
            container = self.entities.iter().find(|one| one.reference == full).and_then(|one| one.container.as_deref());
        }
        false
    }

    /// Names that differ from a text by a letter or two, the nearest first.
    pub(crate) fn near(&self, text: &str) -> Vec<usize> {
        let segments = segments(text);
        let Some(name) = segments.last() else { return Vec::new() };
        let wanted = key(name);
        let limit = match wanted.chars().count() {
            0..=3 => return Vec::new(),
            4..=7 => 1,
            8..=64 => 2,
            _ => return Vec::new(),
        };
        let mut found: Vec<(usize, usize)> = self
            .by_key
            .iter()
            .map(|(name, at)| (distance(&wanted, name, limit), at))
            .filter(|(edits, _)| *edits <= limit)
            .flat_map(|(edits, at)| at.iter().map(move |&at| (edits, at)))
            .collect();
        found.sort_unstable();
        found.dedup_by_key(|(_, at)| *at);
        found.into_iter().map(|(_, at)| at).take(5).collect()
    }
}

/// The parts of a dotted name, without the backticks and escapes of TypeSpec. A name in backticks stays one part.
fn segments(text: &str) -> Vec<String> {
    let text = text.replace("::parameters.", ".");
    let mut parts = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    // A backtick that nothing closes quotes nothing.
    let mut ticks = text.replace("\\`", "").matches('`').count();
    while let Some(c) = characters.next() {
        let part = parts.last_mut();
        match c {
            '\\' if quoted => part.into_iter().for_each(|part| part.extend(characters.next())),
            '`' => {
                // One behind a backslash outside of quotes was not counted.
                ticks = ticks.saturating_sub(1);
                quoted = !quoted && ticks > 0;
            }
            '.' | '#' if !quoted => parts.push(String::new()),
            ':' if !quoted && characters.peek() == Some(&':') => {
                characters.next();
                parts.push(String::new());
            }
            _ => part.into_iter().for_each(|part| part.push(c)),
        }
    }
    parts
        .into_iter()
        .map(|part| part.trim().trim_end_matches("()").to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn references(text: &str) -> Vec<String> {
        let index = sample::index();
        let lookup = Lookup::new(&index);
        lookup.find(text).into_iter().map(|at| lookup.entity(at).reference.clone()).collect()
    }

    #[test]
    fn an_operation_is_found_under_every_spelling() {
        for text in [
            "deleteWidget",
            "delete_widget",
            "DeleteWidget",
            "_delete_widget",
            "delete widget",
            "Widgets.deleteWidget",
            "WidgetsOperations.delete_widget",
            "client.widgets.delete_widget",
            "Contoso.WidgetManager.Widgets.deleteWidget",
            "azure.widget.operations.WidgetsOperations.delete_widget",
        ] {
            assert_eq!(references(text), ["Contoso.WidgetManager.Widgets.deleteWidget"], "{text}");
        }
        assert_eq!(references("begin_analyze_widget"), ["Contoso.WidgetManager.Widgets.analyzeWidget"]);
    }

    #[test]
    fn a_wrong_path_finds_nothing() {
        for text in ["Parts.deleteWidget", "Fabrikam.Widgets.deleteWidget", "deleteWidget.Widgets", "..", ""] {
            assert_eq!(references(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_name_in_the_backticks_of_typespec_is_found_and_held() {
        let mut index = sample::index();
        let part = index.entities.iter().find(|one| one.name == "Part").unwrap().clone();
        for (name, quoted) in [("@odata.type", "`@odata.type`"), ("odd `name`", "`odd \\`name\\``"), ("a::b", "`a::b`")]
        {
            index.entities.push(Entity {
                kind: EntityKind::Property,
                name: name.into(),
                reference: format!("{}.{quoted}", part.reference),
                container: Some(part.reference.clone()),
                ..part.clone()
            });
        }
        let lookup = Lookup::new(&index);
        let names =
            |text: &str| lookup.find(text).into_iter().map(|at| lookup.entity(at).name.as_str()).collect::<Vec<_>>();
        for text in ["@odata.type", "`@odata.type`", "Part.`@odata.type`", "Contoso.WidgetManager.Part.`@odata.type`"] {
            assert_eq!(names(text), ["@odata.type"], "{text}");
        }
        assert_eq!(names("Part.`odd \\`name\\``"), ["odd `name`"]);
        assert_eq!(names("Part.`a::b`"), ["a::b"]);
        assert_eq!(names("Widget.`@odata.type`"), Vec::<&str>::new());
        assert_eq!(names("type"), Vec::<&str>::new());
    }

    #[test]
    fn a_name_of_several_entities_finds_them_all() {
        assert_eq!(references("getStatistics").len(), 2);
        assert_eq!(references("display_name").len(), 3);
        assert_eq!(references("Widget.displayName"), ["Contoso.WidgetManager.Widget.displayName"]);
    }

    #[test]
    fn near_misses_are_offered() {
        let index = sample::index();
        let lookup = Lookup::new(&index);
        let near = lookup.near("deleteWidgit");
        assert_eq!(lookup.entity(near[0]).name, "deleteWidget");
        assert!(lookup.near("zzz").is_empty());
    }
}
