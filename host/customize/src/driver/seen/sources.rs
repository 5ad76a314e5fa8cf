//! The sources of a package, and what is read in them.

use super::super::CustomizeError;
use super::super::roots::SDK;
use super::Seen;
use super::guidance::Found;
use crate::language::{Shown, Sought, content_of, files_of, is_aside, open_package};

/// Larger files hold data.
const LARGEST: usize = 4 << 20;

/// The sources of a package that belong to the library, by path.
pub(super) type Sources = Vec<(String, Vec<u8>)>;

impl Seen<'_> {
    pub(super) fn sources(&self) -> Result<Sources, CustomizeError> {
        let package = open_package(self.package)?;
        let mut sources = Vec::new();
        for path in files_of(&package)? {
            if !self.language.is_source(&path) || is_aside(&path) {
                continue;
            }
            let content = content_of(&package, &path)?.filter(|content| content.len() <= LARGEST);
            sources.extend(content.map(|content| (path, content)));
        }
        Ok(sources)
    }

    /// What users see of these.
    pub(super) fn shown<'s>(&self, sources: &'s Sources, sought: &[Sought]) -> Vec<(&'s str, Shown)> {
        let all: Vec<Sought> = sought.iter().flat_map(|one| self.as_people_call_it(sources, one)).collect();
        found(sources, &all, |path, content, one| self.language.shown(path, content, one))
    }

    /// What is looked for, in the client or the models of that name and in those that hand-written code gives a name of its own:
    /// the attribute for it may stand in another file than what is found.
    fn as_people_call_it(&self, sources: &Sources, sought: &Sought) -> Vec<Sought> {
        let own = |generated: &str| {
            let of = [Sought::Type { name: generated.to_owned() }];
            let named = found(sources, &of, |path, content, one| self.language.own_names(path, content, one));
            named.into_iter().map(|(_, one)| one.name).filter(|name| name != generated).collect::<Vec<_>>()
        };
        let mut all = vec![sought.clone()];
        match sought {
            Sought::Operation { holder, place, name, called } => {
                let client = format!("{holder}Client");
                let mut holders = [own(holder), own(&client)].concat();
                holders.dedup();
                let of = |holder| Sought::Operation {
                    holder,
                    place: place.clone(),
                    name: name.clone(),
                    called: called.clone(),
                };
                all.extend(holders.into_iter().map(of));
            }
            Sought::Property { models, name } => {
                let own: Vec<String> = models.iter().flat_map(|model| own(model)).collect();
                all.extend((!own.is_empty()).then(|| Sought::Property { models: own, name: name.clone() }));
            }
            Sought::Type { .. } => {}
        }
        all
    }
}

/// What is read of these in the sources, each once, with its file.
pub(super) fn found<'s>(
    sources: &'s Sources,
    sought: &[Sought],
    read: impl Fn(&str, &[u8], &Sought) -> Vec<Shown>,
) -> Vec<(&'s str, Shown)> {
    let mut found = Vec::new();
    for (path, content) in sources {
        for one in sought.iter().flat_map(|one| read(path, content, one)) {
            let shown = (path.as_str(), one);
            if !found.contains(&shown) {
                found.push(shown);
            }
        }
    }
    found
}

/// Names with their places.
pub(super) fn named<'s>(found: impl Iterator<Item = (&'s str, Shown)>) -> Vec<Found> {
    found.map(|(path, one)| (one.name, format!("{SDK}/{path}:{}", one.line))).collect()
}
