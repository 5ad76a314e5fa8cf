//! A new name without what its language puts around every name.

use bailiwick_sdk::tasks::{Entity, EntityKind, Language};

use super::Decider;

impl Decider<'_> {
    /// Without what a language puts around a name: `begin_x`, `getX()`, `XAsync`.
    pub(super) fn own_part(&self, entity: &Entity, name: &str) -> String {
        let name = name.trim_start_matches('_');
        let behind = |prefix: &str| {
            let rest = name.get(prefix.len()..)?;
            let starts = name.get(..prefix.len())?.eq_ignore_ascii_case(prefix);
            (starts && rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
                .then(|| rest.trim_start_matches('_').to_owned())
        };
        let is_boolean_getter = |rest: &str| self.language == Language::Java && !rest.is_empty();
        match entity.kind {
            EntityKind::Operation => {
                let pager = behind("New").and_then(|rest| rest.strip_suffix("Pager").map(str::to_owned));
                if let Some(pager) = pager.filter(|_| !entity.name.to_lowercase().starts_with("new")) {
                    return pager;
                }
                let stem = name
                    .strip_suffix("Async")
                    .or_else(|| name.strip_suffix("WithResponse"))
                    .filter(|stem| !stem.is_empty())
                    .unwrap_or(name);
                let own = entity.name.to_lowercase().starts_with("begin");
                if stem.len() < name.len() {
                    return stem.to_owned();
                }
                behind("begin").filter(|_| !own).unwrap_or_else(|| name.to_owned())
            }
            EntityKind::Property if self.language == Language::Java => {
                const ACCESSORS: [&str; 4] = ["get", "set", "is", "with"];
                let own = ACCESSORS.iter().any(|prefix| entity.name.to_lowercase().starts_with(prefix));
                ACCESSORS
                    .iter()
                    .find_map(|prefix| behind(prefix))
                    .filter(|rest| !own && is_boolean_getter(rest))
                    .unwrap_or_else(|| name.to_owned())
            }
            // `ColorRed` is how Go calls the member `Red` of `Color`.
            EntityKind::EnumMember if self.language == Language::Go => self
                .lookup
                .holder_names(entity)
                .iter()
                .find_map(|holder| behind(holder))
                .filter(|_| self.lookup.find_constant(&entity.name).is_empty())
                .unwrap_or_else(|| name.to_owned()),
            // `PartsClient` is how Go and Java call the group `Parts`.
            EntityKind::Interface if matches!(self.language, Language::Go | Language::Java) => {
                let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
                let stem = name.strip_suffix("Client").filter(|stem| !stem.is_empty() && !today.ends_with("Client"));
                stem.unwrap_or(name).to_owned()
            }
            _ => name.to_owned(),
        }
    }
}
