//! Modules that generated code no longer imports and hand-written code still does. A newer emitter writes helpers elsewhere and
//! leaves the old file where it is: everything builds, and the classes in it are others than those that the client uses.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_runs::EntryKind;
use bailiwick_sdk::tasks::Language;

use crate::language::{Origin, content_of, files_of, open_package};

use super::CustomizeError;
use super::roots::SDK;
use super::session::Session;

impl Session<'_> {
    /// A sentence for each such module, with the hand-written files that import it.
    pub(super) fn abandoned_modules(&self) -> Result<Vec<String>, CustomizeError> {
        if self.language.language() != Language::Python {
            return Ok(Vec::new());
        }
        let mut before = BTreeSet::new();
        for changed in self.run.changed()?.iter().filter(|one| one.root == SDK && one.kind == EntryKind::File) {
            let content = self.run.before(SDK, &changed.path)?.unwrap_or_default();
            if self.language.is_source(&changed.path)
                && self.language.origin(&changed.path, &content) == Origin::Generated
            {
                before.extend(imported(&String::from_utf8_lossy(&content)));
            }
        }
        let package = open_package(&self.project.package)?;
        let mut now = BTreeSet::new();
        let mut by_hand: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut there, mut moved) = (BTreeSet::new(), BTreeSet::new());
        for path in files_of(&package)?.into_iter().filter(|path| self.language.is_source(path)) {
            there.extend(path.rsplit('/').next().and_then(|name| name.strip_suffix(".py")).map(str::to_owned));
            let content = content_of(&package, &path)?.unwrap_or_default();
            moved.extend(former_name(&path));
            let names = imported(&String::from_utf8_lossy(&content));
            if self.language.origin(&path, &content) == Origin::HandWritten {
                by_hand.insert(path, names);
            } else {
                now.extend(names);
            }
        }
        // One that an earlier generation moved is told by where it lies now.
        before.extend(moved.iter().cloned());
        let gone = before.difference(&now).filter(|name| there.contains(*name));
        Ok(gone.filter_map(|name| sentence(name, moved.contains(name), &by_hand)).collect())
    }
}

/// Where emitters put the helpers that lay beside the client's modules before: `_utils/model_base.py` was `_model_base.py`.
const HELPERS: &str = "_utils/";

/// What a helper module was called where it lay before.
fn former_name(path: &str) -> Option<String> {
    let (directory, name) = path.rsplit_once(HELPERS)?;
    let stem = name.strip_suffix(".py").filter(|stem| !stem.contains('/') && *stem != "__init__")?;
    (directory.is_empty() || directory.ends_with('/')).then(|| format!("_{stem}"))
}

fn sentence(module: &str, moved: bool, by_hand: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    // A module that was left behind may import itself.
    let own = format!("/{module}.py");
    let files = by_hand.iter().filter(|(path, names)| names.contains(module) && !path.ends_with(&own));
    let files: Vec<String> = files.map(|(path, _)| format!("`{path}`")).collect();
    (!files.is_empty()).then(|| {
        format!(
            "Look at what no build sees: generated code no longer imports `{module}`{}, and {} still {}. What it defines is \
             not what the client uses now",
            if moved { format!(", which is `_utils.{}` now", module.trim_start_matches('_')) } else { String::new() },
            files.join(", "),
            if files.len() == 1 { "does" } else { "do" }
        )
    })
}

/// The private modules that relative imports of a file name: `_model_base` in `from .._model_base import Model` and in
/// `from .. import _model_base as base`.
fn imported(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find("from .") {
        let (before, statement) = rest.split_at(at);
        let begins = before.is_empty() || before.ends_with(['\n', ' ', '\t']);
        let end = match (statement.find('\n'), statement.find('(')) {
            (Some(line), Some(open)) if open < line => statement.find(')').unwrap_or(statement.len()),
            (line, _) => line.unwrap_or(statement.len()),
        };
        let (statement, after) = statement.split_at(end);
        if begins && let Some((module, names)) = statement.split_once(" import ") {
            let module = module.trim_start_matches("from ").trim_start_matches('.');
            let names = if module.is_empty() { names } else { module.split('.').next().unwrap_or_default() };
            let words = names.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
            found.extend(words.filter(|word| word.starts_with('_')).map(str::to_owned));
        }
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> BTreeSet<String> {
        all.iter().map(|one| (*one).to_owned()).collect()
    }

    #[test]
    fn private_modules_of_relative_imports_are_found_in_every_form() {
        let text = "import _x\nfrom .._model_base import Model, _deserialize\nfrom .. import _serialization as s, models\nfrom . import (\n    _vendor,\n    other,\n)\nfrom ._utils.model_base import _y\nfrom azure import _z\n";
        assert_eq!(imported(text), names(&["_model_base", "_serialization", "_utils", "_vendor"]));
        for text in ["", "from .", "from ..", "from . import", "from . import (", "from .a import \u{e9}_"] {
            let _ = imported(text);
        }
    }

    #[test]
    fn module_that_hand_written_code_alone_imports_is_named_with_the_files() {
        let by_hand = BTreeMap::from([
            ("azure/w/_patch.py".to_owned(), names(&["_model_base"])),
            ("azure/w/_model_base.py".to_owned(), names(&["_model_base"])),
            ("azure/w/models/_patch.py".to_owned(), names(&["_models"])),
        ]);
        let said = sentence("_model_base", false, &by_hand).unwrap();
        assert!(said.contains("no longer imports `_model_base`, and `azure/w/_patch.py` still does"), "{said}");
        let said = sentence("_model_base", true, &by_hand).unwrap();
        assert!(said.contains("`_model_base`, which is `_utils.model_base` now, and"), "{said}");
        assert_eq!(sentence("_vendor", true, &by_hand), None);
    }

    #[test]
    fn helper_that_lies_elsewhere_now_is_known_by_its_former_name() {
        assert_eq!(former_name("azure/w/_utils/model_base.py").as_deref(), Some("_model_base"));
        for path in ["azure/w/_utils/__init__.py", "azure/w/my_utils/model_base.py", "azure/w/_utils/a/b.py", "a.py"] {
            assert_eq!(former_name(path), None, "{path}");
        }
    }
}
