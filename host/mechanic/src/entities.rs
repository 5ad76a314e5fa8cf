//! Finds entities of the TypeSpec index under any spelling that people use for them.

use std::collections::HashMap;

use super::declared_again::declared_again;
use super::names::{key, segments};
use super::work;
use bailiwick_sdk::python_names;
use bailiwick_sdk::tasks::{Entity, EntityKind, Reach, SpecIndex};

/// The entities of an index, by the keys of their names.
#[derive(Debug)]
pub(crate) struct Lookup<'a> {
    entities: &'a [Entity],
    by_key: HashMap<String, Vec<usize>>,
    /// Names that an entity has in other languages.
    elsewhere: HashMap<String, Vec<usize>>,
    by_reference: HashMap<&'a str, usize>,
    /// Members of enums as Go names their constants: `ColorRed`.
    constants: HashMap<String, Vec<usize>>,
    /// The groups of the client that operations are in, where the specification has them elsewhere.
    located: HashMap<&'a str, Vec<String>>,
    /// The operations of the client in whose declarations `client.tsp` refers to one of the service.
    declared_again: HashMap<usize, Vec<usize>>,
}

/// First parts of a dotted name that only say where a thing lives.
const MODULES: &[&str] = &[
    "models",
    "operations",
    "aio",
    "enums",
    "patch",
    "client",
    "self",
    "sdk",
    "azure",
    "clients",
    "api",
    "com",
    "src",
    "generated",
    "microsoft",
];

/// What an entity is called in the specification and in the client.
fn names_of(entity: &Entity) -> impl Iterator<Item = &str> {
    let client = entity.client.as_ref().map(|client| client.name.as_str());
    std::iter::once(entity.name.as_str()).chain(client.filter(|client| *client != entity.name))
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(index: &'a SpecIndex) -> Self {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_reference = HashMap::new();
        for (at, entity) in index.entities.iter().enumerate() {
            let own = key(&entity.name);
            let client = entity.client.as_ref().map(|client| key(&client.name));
            for name in [Some(own.clone()), client.filter(|client| *client != own)].into_iter().flatten() {
                if !name.is_empty() {
                    by_key.entry(name).or_default().push(at);
                }
            }
            by_reference.insert(entity.reference.as_str(), at);
        }
        let mut elsewhere: HashMap<String, Vec<usize>> = HashMap::new();
        for one in index.customizations.iter().filter(|one| one.decorator == "clientName") {
            let Some(name) = one.arguments.first() else { continue };
            let places = elsewhere.entry(key(name)).or_default();
            let parameters = index.spread_from(&one.target).map(|parameter| parameter.reference.as_str());
            for reference in std::iter::once(one.target.as_str()).chain(parameters) {
                if let Some(&at) = by_reference.get(reference).filter(|at| !places.contains(at)) {
                    places.push(at);
                }
            }
        }
        let mut constants: HashMap<String, Vec<usize>> = HashMap::new();
        let members = index.entities.iter().enumerate().filter(|(_, entity)| entity.kind == EntityKind::EnumMember);
        for (at, member) in members {
            let holder = member.container.as_deref().and_then(|full| by_reference.get(full));
            let Some(holder) = holder.and_then(|&at| index.entities.get(at)) else { continue };
            for (holder, own) in names_of(holder).flat_map(|holder| names_of(member).map(move |own| (holder, own))) {
                let places = constants.entry(key(holder) + &key(own)).or_default();
                if !places.contains(&at) {
                    places.push(at);
                }
            }
        }
        let mut located: HashMap<&str, Vec<String>> = HashMap::new();
        for client in &index.clients {
            for operation in &client.operations {
                located.entry(operation.reference.as_str()).or_default().push(key(&client.name));
            }
        }
        let declared_again = declared_again(index, &by_reference);
        Self { entities: &index.entities, by_key, elsewhere, by_reference, constants, located, declared_again }
    }

    pub(crate) fn entity(&self, at: usize) -> &'a Entity {
        &self.entities[at]
    }

    /// Leaves out the parameters that are spread from a property of the client which is among these too: they are that property.
    pub(crate) fn without_spread(&self, found: &mut Vec<usize>) {
        let property = |at: &usize| match &self.entities[*at].reach {
            Reach::Property(property) => self.by_reference(property),
            _ => None,
        };
        let all = found.clone();
        let is_of_client = |at: usize| self.entities[at].client.is_some() && all.contains(&at);
        found.retain(|at| property(at).is_none_or(|property| !is_of_client(property)));
    }

    /// Whether these are one thing: parameters that are spread from one property.
    pub(crate) fn are_one(&self, found: &[usize]) -> bool {
        let mut reaches = found.iter().map(|&at| &self.entities[at].reach);
        let first = reaches.next();
        matches!(first, Some(Reach::Property(_))) && reaches.all(|reach| Some(reach) == first)
    }

    /// The entity that a full reference names.
    /// All of them.
    pub(crate) fn all(&self) -> std::ops::Range<usize> {
        0..self.entities.len()
    }

    pub(crate) fn by_reference(&self, reference: &str) -> Option<usize> {
        self.by_reference.get(reference).copied()
    }

    /// The entities that a name as people write it can mean: plain, in any case or with any separators, dotted with
    /// what holds it, or as the generated code of any language calls it.
    pub(crate) fn find(&self, text: &str) -> Vec<usize> {
        self.of_the_client(self.find_declared(text), segments(text).len() > 1)
    }

    /// The client's operations in the place of those that it declares again.
    fn of_the_client(&self, mut found: Vec<usize>, dotted: bool) -> Vec<usize> {
        // A bare name that the client has is the client's.
        let again = |at: &usize| self.declared_again.values().any(|all| all.contains(at));
        if !dotted && found.iter().any(again) {
            found.retain(|at| !self.declared_again.contains_key(at));
        }
        let mut taken = Vec::with_capacity(found.len());
        for at in found {
            let meant = self.declared_again.get(&at).map_or(std::slice::from_ref(&at), Vec::as_slice);
            taken.extend(meant.iter().filter(|one| !taken.contains(*one)).copied().collect::<Vec<_>>());
        }
        taken
    }

    fn find_declared(&self, text: &str) -> Vec<usize> {
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
        // `client.parts.get`: what is in `parts`, before what only lies in some package.
        let inside = |at: &usize| {
            path.last().is_some_and(|last| self.holders(*at).first().is_some_and(|keys| keys.contains(&key(last))))
        };
        if found.len() > 1 && found.iter().any(inside) {
            found.retain(inside);
        }
        if found.is_empty() && !path.is_empty() {
            found = self.behind_a_property(name, path);
        }
        if found.is_empty() && path.is_empty() {
            found = self.by_operation_id(name);
        }
        if found.is_empty() {
            found = self.by_padded_name(name);
            found.retain(|&at| self.lies_on(at, path));
        }
        // `models.Warranty` is a type, even where a property is called so too.
        let in_models = path.last().is_some_and(|part| ["models", "enums"].contains(&key(part).as_str()));
        let is_type = |at: &usize| self.entities[*at].kind.is_type();
        if in_models && found.iter().any(is_type) {
            found.retain(is_type);
        }
        found
    }

    /// What generated Python calls `from_property`, because `from` is a word of its own there.
    fn by_padded_name(&self, text: &str) -> Vec<usize> {
        let stem = ["_property", "_method", "_parameter"].iter().find_map(|end| text.strip_suffix(end));
        let mut found = stem.map(|stem| self.named(stem)).unwrap_or_default();
        found.retain(|&at| python_names::of_entity(&self.entities[at]) == text);
        found
    }

    /// The operation that OpenAPI calls `Widgets_ListParts`.
    fn by_operation_id(&self, text: &str) -> Vec<usize> {
        let id = text.split_once('_').filter(|(group, name)| {
            group.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()) && name.starts_with(char::is_uppercase)
        });
        let Some((group, name)) = id else { return Vec::new() };
        let mut found = self.named(name);
        found.retain(|&at| self.entities[at].kind == EntityKind::Operation && self.lies_on(at, &[group.to_owned()]));
        found
    }

    /// The members of enums that a constant of Go stands for.
    pub(crate) fn find_constant(&self, text: &str) -> Vec<usize> {
        self.constants.get(&key(text)).cloned().unwrap_or_default()
    }

    /// What an enum of JavaScript is about, or a member of one: `KnownColor.Red` has the values of the union `Color`.
    pub(crate) fn find_known(&self, text: &str) -> Vec<usize> {
        let is_known = |rest: &&str| rest.starts_with(char::is_uppercase);
        let Some(rest) = text.strip_prefix("Known").filter(is_known) else { return Vec::new() };
        let mut found = self.find(rest);
        found.retain(|&at| {
            matches!(self.entities[at].kind, EntityKind::Enum | EntityKind::Union | EntityKind::EnumMember)
        });
        found
    }

    /// What the thing that holds an entity is called.
    pub(crate) fn holder_names(&self, entity: &Entity) -> Vec<&'a str> {
        let holder = entity.container.as_deref().and_then(|full| self.by_reference(full));
        holder.map(|at| names_of(self.entity(at)).collect()).unwrap_or_default()
    }

    /// The entities that a name means which they have in the clients of other languages.
    pub(crate) fn find_elsewhere(&self, text: &str) -> Vec<usize> {
        let segments = segments(text);
        let Some((name, path)) = segments.split_last() else { return Vec::new() };
        let mut found = self.elsewhere.get(&key(name)).cloned().unwrap_or_default();
        found.retain(|&at| self.lies_on(at, path));
        self.of_the_client(found, !path.is_empty())
    }

    /// `Site.owner.name` where `owner` is a property and one thing alone is called `name`.
    fn behind_a_property(&self, name: &str, path: &[String]) -> Vec<usize> {
        let Some((property, before)) = path.split_last().filter(|(_, before)| !before.is_empty()) else {
            return Vec::new();
        };
        let mut properties = self.named(property);
        properties.retain(|&at| self.entities[at].kind == EntityKind::Property && self.lies_on(at, before));
        let mut found = self.named(name);
        found.retain(|&at| self.entities[at].kind == EntityKind::Property);
        if properties.len() == 1 && found.len() == 1 { found } else { Vec::new() }
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
        let begins = |prefix: &str| {
            let behind = name.get(prefix.len()..).and_then(|rest| rest.chars().next());
            let starts = name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
            starts && behind.is_some_and(|c| c.is_uppercase() || c == '_')
        };
        let strip = |prefix: &str| plain.strip_prefix(prefix).filter(|_| begins(prefix));
        let asynchronous = plain.strip_suffix("async");
        // `GetParts`, as .NET calls what lists the parts.
        let listed = Some(asynchronous.unwrap_or(&plain))
            .filter(|_| name.starts_with("Get"))
            .and_then(|name| name.strip_prefix("get"))
            .map(|rest| format!("list{}", if rest == "all" { "" } else { rest }));
        // What languages put around the names of operations, groups and properties.
        let forms: [(Option<&str>, EntityKind); 13] = [
            (strip("begin"), EntityKind::Operation),
            (asynchronous, EntityKind::Operation),
            (strip("begin").and_then(|stem| stem.strip_suffix("async")), EntityKind::Operation),
            (plain.strip_suffix("withresponse"), EntityKind::Operation),
            (strip("new").and_then(|stem| stem.strip_suffix("pager")), EntityKind::Operation),
            (strip("get"), EntityKind::Property),
            (listed.as_deref(), EntityKind::Operation),
            (strip("set"), EntityKind::Property),
            (strip("is"), EntityKind::Property),
            (strip("with"), EntityKind::Property),
            (plain.strip_suffix("operations"), EntityKind::Interface),
            (plain.strip_suffix("asyncclient"), EntityKind::Interface),
            (plain.strip_suffix("client"), EntityKind::Interface),
        ];
        forms.iter().map(|(stem, kind)| of_kind(*stem, *kind)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Whether the path in front of a name leads to this entity.
    fn lies_on(&self, at: usize, path: &[String]) -> bool {
        let holders = self.holders(at);
        let mut rest = path;
        let mut level = 0;
        while let Some((last, before)) = rest.split_last() {
            let wanted = key(last);
            // A holder may be left out: packages flatten namespaces.
            match holders.iter().skip(level).position(|keys| keys.contains(&wanted)) {
                Some(skipped) if skipped == 0 || level > 0 => {
                    level += skipped + 1;
                    rest = before;
                }
                _ => break,
            }
        }
        // What is left over may only be the package that everything lives in.
        let is_module = |part: &String| MODULES.contains(&key(part).as_str());
        let is_package = |part: &String| {
            part.starts_with('@') || ["az", "arm"].iter().any(|start| part.starts_with(start)) && !part.contains('_')
        };
        let lower = |part: &String| !part.chars().any(char::is_uppercase);
        match rest.first() {
            None => true,
            Some(first) if rest.len() == 1 && (is_module(first) || is_package(first)) => true,
            // `Azure.Ledger.Invoices.get`: the namespace of the package, which is not that of the specification.
            Some(first) => is_module(first) && (rest.iter().all(lower) || level > 0),
        }
    }

    /// For each thing that holds an entity, from the nearest outwards, the keys it goes by.
    fn holders(&self, at: usize) -> Vec<Vec<String>> {
        let mut parts = segments(&self.entities[at].reference);
        parts.pop();
        let mut holders = Vec::new();
        let mut container = self.entities[at].container.as_deref();
        while let Some(part) = parts.pop() {
            let mut keys = vec![key(&part)];
            let holder = container.and_then(|full| self.by_reference(full)).map(|at| &self.entities[at]);
            if let Some(holder) = holder {
                keys.extend(holder.client.as_ref().map(|client| key(&client.name)));
                keys.extend(
                    self.elsewhere
                        .iter()
                        .filter(|(_, places)| places.iter().any(|&at| self.entities[at].reference == holder.reference))
                        .map(|(name, _)| name.clone()),
                );
                if holder.kind == EntityKind::Interface {
                    let own = key(&part);
                    keys.extend(["operations", "client", "asyncclient"].map(|suffix| format!("{own}{suffix}")));
                }
            }
            container = holder.and_then(|holder| holder.container.as_deref());
            if holders.is_empty()
                && let Some(groups) = self.located.get(self.entities[at].reference.as_str())
            {
                keys.extend(groups.iter().cloned());
            }
            holders.push(keys);
        }
        holders
    }

    /// Whether the client has an operation in another group than the specification.
    pub(crate) fn is_relocated(&self, at: usize) -> bool {
        let entity = &self.entities[at];
        let groups = self.located.get(entity.reference.as_str());
        let own = self.holders(at).into_iter().next().unwrap_or_default();
        let name = entity.container.as_deref().and_then(|full| self.by_reference(full)).map(|at| &self.entities[at]);
        let names: Vec<String> = name.map(|holder| names_of(holder).map(key).collect()).unwrap_or_default();
        groups.is_some_and(|groups| !groups.is_empty() && groups.iter().all(|group| !names.contains(group)))
            && !own.is_empty()
    }

    /// Whether one entity holds another, at any depth.
    pub(crate) fn holds(&self, outer: usize, inner: usize) -> bool {
        let outer = &self.entities[outer].reference;
        let mut container = self.entities[inner].container.as_deref();
        while let Some(full) = container {
            if full == outer {
                return true;
            }
            container = self.by_reference(full).and_then(|at| self.entities[at].container.as_deref());
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
            .map(|(name, at)| {
                work::steps(name.len());
                (strsim::osa_distance(&wanted, name), at)
            })
            .filter(|(edits, _)| *edits <= limit)
            .flat_map(|(edits, at)| at.iter().map(move |&at| (edits, at)))
            .collect();
        found.sort_unstable();
        found.dedup_by_key(|(_, at)| *at);
        found.into_iter().map(|(_, at)| at).take(5).collect()
    }
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
    fn operation_is_found_under_every_spelling() {
        for text in [
            "deleteWidget",
            "delete_widget",
            "DeleteWidget",
            "_delete_widget",
            "delete widget",
            "Widgets_DeleteWidget",
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
    fn wrong_path_finds_nothing() {
        for text in [
            "Parts.deleteWidget",
            "Parts_DeleteWidget",
            "Fabrikam.Widgets.deleteWidget",
            "deleteWidget.Widgets",
            "..",
            "",
        ] {
            assert_eq!(references(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn name_in_the_backticks_of_typespec_is_found_and_held() {
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
    fn name_of_several_entities_finds_them_all() {
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
