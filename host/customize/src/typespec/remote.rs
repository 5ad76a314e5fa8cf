//! Whose repository a clone is of, and whether that is public.

use std::path::{Path, PathBuf};

use bailiwick_base::files::plain;
use serde::Serialize;

use super::error::TypespecError;

/// A repository as its remote names it. Credentials that a remote may hold are never kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remote {
    /// The remote's name: `origin`.
    pub remote: String,
    /// `owner/name`.
    pub repository: String,
    /// Whether what is in it is public.
    pub publicity: Publicity,
}

/// Whether what a repository holds is public, as far as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Publicity {
    /// One of the public Azure SDK and specification repositories.
    Public,
    /// A private twin of one of them, whose name ends in `-pr`.
    Private,
    /// A fork of one of them, or another repository: its name does not tell.
    Unknown,
}

/// Whose clone this is: the remote of a public Azure repository where there is one (forks call it `upstream`), else
/// `origin`, else the first. `None` without a remote.
#[must_use]
pub fn remote(root: &Path, git_directories: &[PathBuf]) -> Option<Remote> {
    let configurations = std::iter::once(root.join(".git")).chain(git_directories.iter().cloned());
    let remotes: Vec<Remote> =
        configurations.filter_map(|directory| text(&directory.join("config"))).flat_map(|text| read(&text)).collect();
    let named = |name: &str| remotes.iter().find(|remote| remote.remote == name);
    // A private twin tells more about what is in the clone than its public counterpart beside it.
    let of = |publicity| remotes.iter().find(|remote| remote.publicity == publicity);
    of(Publicity::Private)
        .or_else(|| named("origin").filter(|remote| remote.publicity == Publicity::Public))
        .or_else(|| named("origin"))
        .or_else(|| named("upstream"))
        .or(remotes.first())
        .cloned()
}

/// Where git keeps what belongs to this work tree alone, and what all work trees of a repository share: `.git` for both in a
/// clone. `None` where there is no repository.
#[must_use]
pub fn git_directories(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let pointer = root.join(".git");
    let own = match text(&pointer) {
        // In a linked work tree a file names the directory.
        Some(text) => root.join(text.trim().strip_prefix("gitdir:")?.trim()).canonicalize().ok()?,
        None => pointer,
    };
    let common = text(&own.join("commondir"))
        .and_then(|text| own.join(text.trim()).canonicalize().ok())
        .unwrap_or_else(|| own.clone());
    Some((own, common))
}

/// What git reads to tell that a repository begins at `root`, beside what it shares with its other work trees: `HEAD`, and
/// in a linked work tree the file that names where it is.
pub(super) fn heads(root: &Path) -> Vec<PathBuf> {
    let pointer = root.join(".git");
    match git_directories(root) {
        Some((own, _)) if own != pointer => vec![pointer, own.join("HEAD")],
        _ => vec![pointer.join("HEAD")],
    }
}

/// A directory in `work`, where no child writes, for `GIT_COMMON_DIR`: git takes it for what a repository shares with its
/// work trees, and so does not read the repository's own configuration, which may hold a token.
pub(super) fn common_directory(work: &Path) -> Result<PathBuf, TypespecError> {
    let directory = work.join("git");
    let made = || {
        for part in ["objects", "refs"] {
            std::fs::create_dir_all(directory.join(part))?;
        }
        std::fs::write(directory.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    };
    made().map_err(TypespecError::io(&directory, "created"))?;
    Ok(directory)
}

/// The commit that a clone stands at, read as git keeps it: a branch in a file of its own or among the packed ones.
#[must_use]
pub fn head_commit(root: &Path) -> Option<String> {
    let (directory, common) = git_directories(root)?;
    let head = text(&directory.join("HEAD"))?;
    let Some(branch) = head.trim().strip_prefix("ref:").map(str::trim) else {
        return commit(&head);
    };
    // Another name would be the path of any file.
    if !branch.starts_with("refs/") || branch.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return None;
    }
    let own = [&directory, &common].into_iter().find_map(|place| text(&place.join(branch)));
    own.map_or_else(
        || {
            let packed = text(&common.join("packed-refs"))?;
            let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(_, name)| *name == branch).and_then(|(id, _)| commit(id))
        },
        |text| commit(&text),
    )
}

/// A file of git's own. A pipe is not waited for.
fn text(path: &Path) -> Option<String> {
    plain::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

fn commit(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one = text.len() >= 7 && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then(|| text.to_owned())
}

/// The remotes of a git configuration.
fn read(text: &str) -> Vec<Remote> {
    let mut remotes = Vec::new();
    let mut section: Option<String> = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.strip_prefix("[remote \"").and_then(|rest| rest.strip_suffix("\"]")).map(str::to_owned);
            continue;
        }
        let (Some(remote), Some((key, url))) = (&section, line.split_once('=')) else { continue };
        if key.trim().eq_ignore_ascii_case("url")
            && let Some(repository) = repository(url.trim())
        {
            let publicity = publicity(&repository);
            remotes.push(Remote { remote: remote.clone(), repository, publicity });
        }
    }
    remotes
}

/// `owner/name` of `https://github.com/owner/name.git`, `git@github.com:owner/name` and their like.
fn repository(url: &str) -> Option<String> {
    let url = url.trim_end_matches('/');
    let url = url.strip_suffix(".git").unwrap_or(url);
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None if url.starts_with('/') || url.starts_with('.') => return None,
        None => url.split_once(':')?.1,
    };
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let (name, owner) = (parts.next()?, parts.next()?);
    let harmless = |part: &str| part.chars().all(|one| one.is_ascii_alphanumeric() || "-_.".contains(one));
    (harmless(name) && harmless(owner)).then(|| format!("{owner}/{name}"))
}

fn publicity(repository: &str) -> Publicity {
    let Some((owner, name)) = repository.split_once('/') else { return Publicity::Unknown };
    if !owner.eq_ignore_ascii_case("Azure") {
        return Publicity::Unknown;
    }
    let name = name.to_ascii_lowercase();
    let (name, twin) = name.strip_suffix("-pr").map_or((name.as_str(), false), |name| (name, true));
    let known = name == "azure-rest-api-specs" || name.starts_with("azure-sdk-for-");
    match (known, twin) {
        (false, _) => Publicity::Unknown,
        (true, false) => Publicity::Public,
        (true, true) => Publicity::Private,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_and_name_are_read_from_every_form_and_credentials_are_not() {
        for url in [
            "https://github.com/Azure/azure-rest-api-specs.git",
            "https://github.com/Azure/azure-rest-api-specs/",
            "https://user:secret@github.com/Azure/azure-rest-api-specs",
            "git@github.com:Azure/azure-rest-api-specs.git",
            "ssh://git@github.com:22/Azure/azure-rest-api-specs",
        ] {
            assert_eq!(repository(url).as_deref(), Some("Azure/azure-rest-api-specs"), "{url}");
        }
        for url in ["/home/me/specs", "../specs", "C:", "https://github.com", "", "https://github.com/a b/c"] {
            assert_eq!(repository(url), None, "{url}");
        }
    }

    #[test]
    fn public_private_and_other_repositories_are_told_apart() {
        for (repository, expected) in [
            ("Azure/azure-rest-api-specs", Publicity::Public),
            ("azure/Azure-SDK-for-Python", Publicity::Public),
            ("Azure/azure-rest-api-specs-pr", Publicity::Private),
            ("Azure/azure-sdk-for-net-pr", Publicity::Private),
            ("somebody/azure-rest-api-specs", Publicity::Unknown),
            ("Azure/azure-cli", Publicity::Unknown),
        ] {
            assert_eq!(publicity(repository), expected, "{repository}");
        }
    }

    #[test]
    fn commit_is_read_from_a_branch_a_packed_branch_and_a_detached_head() {
        let directory = tempfile::tempdir().unwrap();
        let git = directory.path().join(".git");
        std::fs::create_dir_all(git.join("refs/heads")).unwrap();
        assert_eq!(head_commit(directory.path()), None);
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(head_commit(directory.path()), None, "a branch without a commit");
        std::fs::write(git.join("packed-refs"), "# pack-refs\n1111111 refs/heads/main\n").unwrap();
        assert_eq!(head_commit(directory.path()).as_deref(), Some("1111111"));
        std::fs::write(git.join("refs/heads/main"), "2222222\n").unwrap();
        assert_eq!(head_commit(directory.path()).as_deref(), Some("2222222"));
        std::fs::write(git.join("HEAD"), "3333333\n").unwrap();
        assert_eq!(head_commit(directory.path()).as_deref(), Some("3333333"));
    }

    #[test]
    fn text_of_another_file_is_not_a_commit() {
        let directory = tempfile::tempdir().unwrap();
        let git = directory.path().join(".git");
        std::fs::create_dir_all(git.join("refs/heads")).unwrap();
        std::fs::write(directory.path().join("secret"), "abcdef0123456789\n").unwrap();
        std::fs::write(git.join("refs/heads/main"), "not a commit\n").unwrap();
        for head in ["ref: refs/../../secret", "ref: ../secret", "ref: /etc/hostname", "ref: refs/heads/main", "words"]
        {
            std::fs::write(git.join("HEAD"), head).unwrap();
            assert_eq!(head_commit(directory.path()), None, "{head}");
        }
    }

    #[test]
    fn private_remote_wins_over_origin_and_origin_over_the_rest() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert_eq!(remote(root, &[]), None);
        std::fs::create_dir(root.join(".git")).unwrap();
        let section = |name: &str, repository: &str| {
            format!("[remote \"{name}\"]\n\turl = https://github.com/{repository}.git\n\tfetch = +refs/*\n")
        };
        let mut text = "[core]\n\tbare = false\n".to_owned() + &section("upstream", "Azure/azure-sdk-for-go");
        let mut found = |more: &str| {
            text.push_str(more);
            std::fs::write(root.join(".git/config"), &text).unwrap();
            remote(root, &[]).unwrap().repository
        };
        assert_eq!(found(""), "Azure/azure-sdk-for-go");
        assert_eq!(found(&section("origin", "me/azure-sdk-for-go")), "me/azure-sdk-for-go");
        assert_eq!(found(&section("secret", "Azure/azure-sdk-for-go-pr")), "Azure/azure-sdk-for-go-pr");
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn git_files() {
        const WORDS: &[&str] = &[
            "[remote \"origin\"]\n",
            "\turl = https://github.com/Azure/azure-rest-api-specs.git\n",
            "url=",
            "git@github.com:",
            "://",
            "user:secret@",
            "ref: refs/heads/main",
            "/",
            "..",
            "\n",
        ];
        Target { name: "git_files", words: WORDS }.run_text(|text| {
            for remote in super::read(text) {
                // What may be a credential does not become part of a name.
                assert_eq!(remote.repository.matches('/').count(), 1, "{remote:?}");
                assert!(!remote.repository.contains(['@', ':', ' ']), "{remote:?}");
            }
            let _ = super::commit(text);
        });
    }
}
