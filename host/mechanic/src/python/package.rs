//! All customization files of a package together, and which modules are the package's own.

use super::source::Source;

/// The files of one repair.
pub(crate) struct Package {
    pub(crate) sources: Vec<Source>,
    /// The dotted name of the package: `azure.widget`.
    name: String,
}

impl Package {
    pub(crate) fn new(sources: Vec<Source>, package: &str) -> Self {
        Self { sources, name: package.replace('-', ".") }
    }

    /// Whether a module, as an import statement of the file names it, belongs to the package.
    pub(crate) fn is_own_module(&self, source: &Source, module: &str) -> bool {
        if module.starts_with('.') || module == self.name || module.starts_with(&format!("{}.", self.name)) {
            return true;
        }
        // A package whose distribution is called otherwise: the directories of the file tell.
        let path: Vec<&str> = source.path.split('/').skip(1).collect();
        let parts: Vec<&str> = module.split('.').collect();
        let shared = path.iter().zip(&parts).take_while(|(directory, part)| directory == part).count();
        shared >= 2 && shared + 1 >= parts.len().min(path.len())
    }

    /// Whether a module, as an import statement of the file names it, is hand-written: a customization file.
    pub(crate) fn is_hand_written(&self, source: &Source, module: &str) -> bool {
        if module.rsplit('.').next() == Some("_patch") {
            return true;
        }
        let name = module.trim_start_matches('.');
        let up = module.len().saturating_sub(name.len());
        let mut base: Vec<&str> = Vec::new();
        if up > 0 {
            base = source.path.split('/').collect();
            base.truncate(base.len().saturating_sub(up));
        }
        base.extend(name.split('.').filter(|part| !part.is_empty()));
        let place = base.join("/");
        let is = |path: &str| path == place || up == 0 && path.ends_with(&format!("/{place}"));
        // An `__init__.py` passes on what other modules define.
        self.sources.iter().filter_map(|one| one.path.strip_suffix(".py")).any(is)
    }
}
