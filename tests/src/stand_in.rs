//! The stand-in for emitters that are on no registry (`tests/stand-in-emitter/`): an SDK repository of the fixture names
//! it as a package of its own, of which only the `package.json` with the emitter's name lies in the fixture.

use std::path::{Path, PathBuf};

/// Where it lies in an SDK repository.
const PLACE: &str = "eng/stand-in-emitter";

/// The directory of its modules.
pub(crate) fn modules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("stand-in-emitter")
}

/// Whether this SDK repository generates with it.
pub(crate) fn is_used(repository: &Path) -> bool {
    repository.join(PLACE).join("package.json").is_file()
}

/// Copies its modules into an SDK repository that generates with it.
pub(crate) fn complete(repository: &Path) {
    if !is_used(repository) {
        return;
    }
    for module in std::fs::read_dir(modules()).unwrap() {
        let module = module.unwrap();
        let name = module.file_name();
        if Path::new(&name).extension().is_some_and(|extension| extension == "mjs") {
            std::fs::copy(module.path(), repository.join(PLACE).join(name)).unwrap();
        }
    }
}
