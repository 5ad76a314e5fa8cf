//! Hidden places inside a granted directory: secrets that no tool needs, and what a person hides in addition. They are
//! neither read nor changed, and listings leave them out.
//!
//! A path that is hidden is refused whether or not anything is there, so that a refusal does not tell. Like a sensitive
//! place it is judged by where the kernel says an open handle lies. A second name that a person gave to the same file (a
//! hard link, a bind mount) is another place, and is not hidden.

use crate::fs::resolve::LONGEST;
use crate::names::{self, Found, Name, Rules};
use crate::pattern::{Pattern, PatternError};
use crate::sensitive::Places;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// What every grant hides unless it is shown by name: directories or files, at any depth, in any letter case. `*` stands
/// for any run of characters.
///
/// Not among them: certificates (`*.crt`, `*.cer`), which are public; `secrets.*`, which is what Key Vault's clients and
/// specifications are called; `NuGet.config` and `settings.xml`, which repositories share.
pub const HIDDEN: &[&str] = &[
    // Environment files: passwords and keys of the services that a program is tried with.
    ".env",
    ".env.*",
    ".envrc",
    ".dev.vars",
    "local.settings.json",
    // Private keys, and stores of them.
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "*.pem",
    "*.key",
    "*.ppk",
    "*.p8",
    "*.p12",
    "*.pfx",
    "*.pvk",
    "*.jks",
    "*.jceks",
    "*.keystore",
    "*.kdb",
    "*.kdbx",
    "*.keychain",
    "*.keychain-db",
    ".ssh",
    ".gnupg",
    ".password-store",
    // Accounts of clouds and clusters.
    ".aws",
    ".azure",
    ".kube",
    ".oci",
    ".boto",
    ".s3cfg",
    ".config/gcloud",
    ".config/doctl",
    ".config/rclone",
    "application_default_credentials.json",
    "credentials.json",
    ".docker/config.json",
    ".dockercfg",
    ".databrickscfg",
    ".vault-token",
    // Terraform writes what it made in plain text, passwords among it.
    ".terraform.d",
    ".terraformrc",
    "*.tfstate",
    "*.tfstate.backup",
    "*.tfvars",
    "*.tfvars.json",
    // Accounts of package registries, mail and databases.
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    "pip.conf",
    "pip.ini",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    // Accounts of source repositories. An address there may have a token in it, and what checks a repository out in a
    // pipeline leaves one there.
    ".git-credentials",
    ".git/config",
    ".git/config.worktree",
    ".git/modules",
    ".config/git/credentials",
    ".config/gh",
    ".config/github-copilot",
    // Accounts of agents.
    ".claude.json",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    // What was typed, and what a browser keeps.
    ".*_history",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/microsoft-edge",
    ".config/BraveSoftware",
    ".local/share/keyrings",
    "Library/Keychains",
];

/// What the rules above mean and repositories share without secrets in it.
const SHARED: &[&str] = &[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env.schema"];

/// The most patterns of `--hide`, and of `--unhide`, of one grant.
pub const MOST_PATTERNS: usize = 64;

/// As many components as a rule has before its last.
const MOST_ABOVE: usize = 2;

/// What one grant hides. The patterns that hide more win over those that show.
#[derive(Debug, Clone)]
pub(crate) struct Hidden {
    more: Arc<Vec<Pattern>>,
    shown: Arc<Vec<Pattern>>,
}

/// The rule that hides a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rule {
    /// One of [`HIDDEN`], which a person can take back.
    Default(&'static str),
    /// A pattern of the grant.
    Pattern(Box<str>),
    /// A directory may hold what a rule hides only because of where the directory lies.
    Leads,
    /// It cannot be told where the handle lies.
    Unknown,
}

impl PartialEq for Hidden {
    fn eq(&self, other: &Self) -> bool {
        let texts = |patterns: &[Pattern]| patterns.iter().map(|pattern| pattern.text().to_owned()).collect::<Vec<_>>();
        texts(&self.more) == texts(&other.more) && texts(&self.shown) == texts(&other.shown)
    }
}

impl Hidden {
    /// What is hidden by default.
    pub(crate) fn by_default() -> Self {
        Self { more: Arc::default(), shown: Arc::default() }
    }

    /// Hides more.
    pub(crate) fn hide(&mut self, pattern: &str) -> Result<(), PatternError> {
        add(Arc::make_mut(&mut self.more), pattern)
    }

    /// Shows what is hidden by default.
    ///
    /// # Errors
    /// It is not a pattern, or it is a name without `*` that is not hidden by default.
    pub(crate) fn show(&mut self, pattern: &str) -> Result<(), PatternError> {
        let names: Vec<Name<'_>> = names::of(Path::new(pattern)).collect();
        let literal = !pattern.contains(['*', '?', '[', '{']);
        if literal && !(0..names.len()).any(|last| default_at(&names, last).is_some()) {
            return Err(PatternError::NotHidden);
        }
        add(Arc::make_mut(&mut self.shown), pattern)
    }

    /// The rule that hides `path` below `directory`, or anything that leads there. `directory` is relative to the root of
    /// the grant, and not hidden itself; the path is free of links and of steps up.
    pub(crate) fn rule(
        &self,
        directory: &Path,
        path: &Path,
        allowed: &Places,
        temporary: impl Fn(&OsStr) -> bool + Copy,
    ) -> Option<Rule> {
        let mut all = self.above(directory, allowed);
        let first = all.len();
        all.extend(names::of(path));
        (first..all.len()).find_map(|last| self.at(&all, last, allowed, temporary))
    }

    /// The components of a directory that decide about what is in it: all, or where no pattern is about whole paths as many
    /// as a rule has. A guest can hold one that is ten thousand levels deep.
    pub(crate) fn above<'a>(&self, directory: &'a Path, allowed: &Places) -> Vec<Name<'a>> {
        names::last_of(directory, if self.is_about_paths(allowed) { usize::MAX } else { MOST_ABOVE })
    }

    /// What of a directory's place is to be remembered for the sake of what is in it; `None` where that is more than a path
    /// can be.
    pub(crate) fn remembered(&self, directory: PathBuf, allowed: &Places) -> Option<PathBuf> {
        if self.is_about_paths(allowed) {
            return Some(directory).filter(|directory| directory.as_os_str().len() < LONGEST);
        }
        let mut last: Vec<Component<'_>> = directory.components().rev().take(MOST_ABOVE).collect();
        last.reverse();
        Some(last.into_iter().collect())
    }

    fn is_about_paths(&self, allowed: &Places) -> bool {
        !allowed.is_empty() || self.more.iter().chain(self.shown.iter()).any(Pattern::is_path)
    }

    /// Whether `name` in `directory`, as [`above`](Self::above) has it, is hidden.
    pub(crate) fn hides_entry(
        &self,
        directory: &[Name<'_>],
        name: &[u8],
        allowed: &Places,
        temporary: impl Fn(&OsStr) -> bool + Copy,
    ) -> bool {
        // Nearly all names are of no interest, and a directory can have many.
        let name = names::folded(name);
        if self.more.is_empty() && default_at(std::slice::from_ref(&name), 0).is_none() && !may_end_a_rule(&name) {
            return false;
        }
        let mut all = directory.to_vec();
        all.push(name);
        let last = all.len() - 1;
        self.at(&all, last, allowed, temporary).is_some()
    }

    /// Whether a directory at `path` may hold what a rule of several components is about: it would not be hidden any more
    /// when the directory had another name.
    pub(crate) fn leads_to_hidden(&self, path: &Path) -> bool {
        let all: Vec<Name<'_>> = names::of(path).collect();
        HIDDEN.iter().any(|rule| names::lead_to(&all, rule)) || self.more.iter().any(|pattern| pattern.leads_from(&all))
    }

    /// Whether a directory at `to` may show what it hid at `from`, because a place that is shown or allowed is there, or lies
    /// above or below it.
    pub(crate) fn shows_more(&self, from: &Path, to: &Path, (before, after): (&Places, &Places)) -> bool {
        let (from, to): (Vec<Name<'_>>, Vec<Name<'_>>) = (names::of(from).collect(), names::of(to).collect());
        let Some(last) = to.len().checked_sub(1) else { return true };
        if before.hold(&from) {
            return false;
        }
        self.shown.iter().any(|pattern| pattern.reaches_more(&from, &to))
            || after.lead_through(&to, last, |_: &OsStr| false)
    }

    fn at(
        &self,
        all: &[Name<'_>],
        last: usize,
        allowed: &Places,
        temporary: impl Fn(&OsStr) -> bool + Copy,
    ) -> Option<Rule> {
        if let Some(pattern) = self.more.iter().find(|pattern| pattern.is_about(all, last)) {
            return Some(Rule::Pattern(pattern.text().into()));
        }
        let rule = default_at(all, last)?;
        let shown = self.shown.iter().any(|pattern| {
            pattern.is_about(all, last)
                || (pattern.is_path() && (last..all.len()).any(|end| pattern.is_about(all, end)))
        });
        if shown || (!allowed.is_empty() && allowed.lead_through(all, last, temporary)) {
            return None;
        }
        Some(Rule::Default(rule))
    }
}

/// Whether a grant hides the last component of `path`, relative to the root of the grant, by default.
#[must_use]
pub fn is_hidden(path: &Path) -> bool {
    let all: Vec<Name<'_>> = names::of(path).collect();
    all.len().checked_sub(1).is_some_and(|last| default_at(&all, last).is_some())
}

/// The default rule about the component at `last` and those before it.
fn default_at(all: &[Name<'_>], last: usize) -> Option<&'static str> {
    static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::new(HIDDEN, Found::ByLast));
    let rule = RULES.about(&all[..=last])?;
    let shared = SHARED.iter().any(|name| names::end_with(&all[last..=last], name));
    (!shared).then_some(rule)
}

/// Whether a rule of several components ends with `name`.
fn may_end_a_rule(name: &Name<'_>) -> bool {
    static LAST: LazyLock<Rules> = LazyLock::new(|| {
        let several = HIDDEN.iter().filter_map(|rule| rule.rsplit_once('/').map(|(_, last)| last));
        Rules::new(&several.collect::<Vec<_>>(), Found::ByLast)
    });
    LAST.about(std::slice::from_ref(name)).is_some()
}

fn add(patterns: &mut Vec<Pattern>, text: &str) -> Result<(), PatternError> {
    let pattern = Pattern::new(text)?;
    if patterns.iter().any(|known| known.text() == pattern.text()) {
        return Ok(());
    }
    if patterns.len() == MOST_PATTERNS {
        return Err(PatternError::TooMany { most: MOST_PATTERNS });
    }
    patterns.push(pattern);
    Ok(())
}

#[cfg(test)]
mod tests;
