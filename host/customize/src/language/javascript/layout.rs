//! How a package keeps generated and hand-written code apart. There are three ways.

use std::path::Path;

/// Where generated code lies in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// The emitter writes `generated/`, which is not compiled; `src/` holds copies of it that people changed, and files
    /// of their own. What changes in `generated/` is carried over to `src/` after each generation.
    Beside,
    /// The emitter writes `src/generated/`, and the rest of `src/` is written by people.
    Within,
    /// The emitter writes all of `src/`. Nothing there is a customization: an added file cannot be told from a generated one.
    Whole,
}

impl Layout {
    /// As the directories of the package tell.
    pub(super) fn of(package: &Path) -> Self {
        if package.join("generated").is_dir() {
            Self::Beside
        } else if package.join("src/generated").is_dir() {
            Self::Within
        } else {
            Self::Whole
        }
    }

    /// Where generated code lies that every generation writes anew.
    pub(super) fn generated(self) -> Option<&'static str> {
        match self {
            Self::Beside => Some("generated/"),
            Self::Within => Some("src/generated/"),
            Self::Whole => None,
        }
    }
}

/// What is compiled.
pub(super) const SOURCES: &str = "src/";
