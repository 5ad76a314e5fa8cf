//! From what an agent file asks for and what the command line allows to what the agent gets: never more than either.

use super::open_beneath::{self, OpenError};
use super::options::{Options, absolute};
use super::source::Source;
use crate::exit::{Error, Result};
use crate::grant_argument::GrantArgument;
use crate::places;
use crate::visible::Visible;
use bailiwick_agent::file::{GrantRequest, Place, nearest};
use bailiwick_sandbox::{Access, Grant, Grants};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What an agent gets, and what it lacks so far.
pub(super) struct Allowed {
    pub(super) grants: Grants,
    pub(super) shown: Vec<Shown>,
    /// The first request of the file that was not allowed. The agent does not start as long as there is one.
    pub(super) lacks: Option<Error>,
}

/// A grant for people and for `--dry-run`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Device and inode: another directory of the same path is another one.
    #[serde(skip)]
    pub(super) identity: (u64, u64),
    pub(super) access: &'static str,
    pub(super) allow_sensitive: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) hide: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unhide: Vec<String>,
    /// Whether everything the file asks for here was allowed.
    pub(super) allowed: bool,
}

/// Opens what was asked for.
pub(super) fn open(source: &Source, input: &Value, asked: &Options) -> Result<Allowed> {
    let requests = &source.agent.grants;
    check(&asked.grants, requests)?;
    for place in &asked.allow_sensitive {
        if !requests.iter().any(|request| request.allow_sensitive.contains(place)) {
            return Err(Error::usage(format!("the agent does not ask to write `{}`", place.escape_debug()))
                .hint("leave `--allow-sensitive` out, or name the place as the agent file does"));
        }
    }
    let (mut grants, mut shown, mut lacks) = (Vec::new(), Vec::new(), None);
    for (index, request) in requests.iter().enumerate() {
        let given = asked.grants.iter().find(|given| given.name == request.name);
        let (handle, path) = place(source, input, request, index, given, &asked.working)?;
        let access = match given.and_then(GrantArgument::access) {
            Some(Access::ReadWrite) if request.access == Access::ReadOnly => {
                return Err(Error::usage(format!("the agent asks for `{}` to read it alone", request.name))
                    .hint(format!("leave `:rw` out of `--grant {}=…`", request.name)));
            }
            Some(access) => access,
            None => request.access,
        };
        let confirmed = asked.yes || given.and_then(GrantArgument::access) == Some(Access::ReadWrite);
        let unconfirmed = access == Access::ReadWrite && !confirmed;
        if unconfirmed && lacks.is_none() {
            let name = &request.name;
            lacks = Some(
                Error::refused(format!("the agent asks to write in `{}`, which is not allowed yet", path.display()))
                    .hint(format!(
                        "add `--grant {name}={}:rw` if it may, or `--yes` for all it asks for",
                        path.display()
                    )),
            );
        }
        let identity = identity(&handle)?;
        let mut grant = Grant::from_handle(&request.name, handle, access, &places::reserved()?)
            .map_err(|error| Error::from(&error))?;
        let sensitive = if access == Access::ReadWrite { request.allow_sensitive.as_slice() } else { &[] };
        let mut open = !unconfirmed;
        for place in sensitive {
            grant = grant.allowing(place).map_err(|error| Error::from(&error))?;
            if !asked.allow_sensitive.contains(place) {
                open = false;
                lacks.get_or_insert_with(|| {
                    Error::refused(format!(
                        "the agent asks to write `{place}` in `{}`, a sensitive place, which is not allowed yet",
                        path.display()
                    ))
                    .hint(format!("add `--allow-sensitive {place}` if it may"))
                });
            }
        }
        // A file can hide more than the person does, and nothing of what the person shows is the file's to show.
        let visible = Visible {
            hide: request.hide.iter().chain(&asked.visible.hide).cloned().collect(),
            unhide: asked.visible.unhide.clone(),
        };
        grants.push(visible.apply(grant)?);
        shown.push(Shown {
            name: request.name.clone(),
            identity,
            path,
            access: if access == Access::ReadWrite { "rw" } else { "ro" },
            allow_sensitive: sensitive.to_vec(),
            hide: visible.hide,
            unhide: visible.unhide,
            allowed: open,
        });
    }
    let grants = Grants::new(grants).and_then(Grants::apart).map_err(|error| Error::from(&error))?;
    Ok(Allowed { grants, shown, lacks })
}

/// Whether each grant of the command line is one that the agent asks for, and is there once.
fn check(given: &[GrantArgument], requests: &[GrantRequest]) -> Result<()> {
    for (index, GrantArgument { name, path, .. }) in given.iter().enumerate() {
        if !requests.iter().any(|request| request.name == *name) {
            let names: Vec<&str> = requests.iter().map(|request| request.name.as_str()).collect();
            let hint = match nearest(name, &names) {
                "" => "leave `--grant` out: it asks for no directory".to_owned(),
                near => format!("did you mean `--grant {near}={}`; it asks for {}", path.display(), names.join(", ")),
            };
            return Err(Error::usage(format!("the agent asks for no grant `{}`", name.escape_debug())).hint(hint));
        }
        if given[..index].iter().any(|other| other.name == *name) {
            return Err(Error::usage(format!("`--grant {name}=…` is there twice")).hint("leave one of them out"));
        }
    }
    Ok(())
}

/// The directory, open, and where it is.
fn place(
    source: &Source,
    input: &Value,
    request: &GrantRequest,
    index: usize,
    given: Option<&GrantArgument>,
    working: &Path,
) -> Result<(rustix::fd::OwnedFd, PathBuf)> {
    let name = &request.name;
    let field = format!("grant[{index}].path");
    let name_it = format!("name the directory with `--grant {name}=DIR`");
    if let Some(given) = given {
        let handle = open_beneath::directory(&given.path).map_err(|errno| {
            Error::usage(format!("cannot open `{}` as a directory: {errno}", given.path.display()))
                .hint(format!("`--grant {name}=…` takes an existing directory"))
        })?;
        return Ok((handle, absolute(&given.path)));
    }
    let (from, start, path) = match &request.place {
        Place::Asked => {
            return Err(Error::usage(format!("no directory is given for `{name}`")).hint(name_it));
        }
        Place::Beside(path) => (source.directory()?, source.place().to_owned(), path.clone()),
        Place::Argument(argument) => {
            let Some(path) = input[argument].as_str().filter(|path| !path.is_empty()) else {
                return Err(Error::usage(format!(
                    "`{field}`: the input has no text `{argument}` that names a directory"
                ))
                .hint(format!("give `\"{argument}\": \"DIR\"` in `--input`, or {name_it}")));
            };
            let here = open_beneath::directory(working).map_err(|errno| {
                Error::usage(format!("cannot open the working directory `{}`: {errno}", working.display()))
            })?;
            (here, working.to_owned(), PathBuf::from(path))
        }
    };
    let whole = absolute(&start.join(&path));
    let handle = open_beneath::descend(&from, &path).map_err(|unopened| match unopened {
        OpenError::Leaves => Error::refused(format!(
            "`{field}`: `{}` leads, by its words or by a link, out of `{}`",
            path.display(),
            absolute(&start).display()
        ))
        .hint(format!("if the agent may have it, {name_it}")),
        OpenError::Unusable(reason) => {
            Error::usage(format!("`{field}`: cannot open `{}` as a directory: {reason}", whole.display()))
                .hint(name_it.clone())
        }
    })?;
    if open_beneath::holds_home(&handle) {
        return Err(Error::refused(format!("`{field}`: `{}` is, or contains, your home directory", whole.display()))
            .hint(format!("if the agent may have it, {name_it}")));
    }
    Ok((handle, whole))
}

fn identity(handle: &rustix::fd::OwnedFd) -> Result<(u64, u64)> {
    let found = rustix::fs::fstat(handle).map_err(|errno| Error::failed(errno.to_string()))?;
    Ok((found.st_dev, found.st_ino))
}
