//! What a package asks for beside what every package of its language needs.

/// What a package is made ready for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Its build.
    Build,
    /// Its build and its tests.
    Tests,
}

/// What a package asks for beside what every package of its language needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements {
    /// In the words of the language's package manager, sorted.
    pub asked: Vec<String>,
    /// Directories of the repository that are used as they stand, relative to it, in the order in which they are named.
    pub beside: Vec<String>,
    /// What is not fetched, and why, a sentence each.
    pub passed_over: Vec<String>,
}

/// The files in which a package says what it asks for. No link is followed.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// The text of a file, by its path relative to the package.
    pub file: &'a dyn Fn(&str) -> Option<String>,
    /// The repository around the package; `None` where nothing of it is used.
    pub around: Option<Around<'a>>,
}

/// The repository around a package.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The package's path in it.
    pub package: &'a str,
    /// The text of a file, by its path relative to the repository.
    pub file: &'a dyn Fn(&str) -> Option<String>,
}
