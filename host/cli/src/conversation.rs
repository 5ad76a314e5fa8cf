//! `--record` and `--replay`: the model of a command with a file beside it, or a file in its place.

use crate::exit::{Error, Result};
use crate::{output, places, secrets};
use bailiwick_agent::Backend;
use bailiwick_agent::replay::{ConversationFile, Header, Placeholders, Recorder, Replay};
use bailiwick_mechanic::Mechanic;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file larger than this was not written by us.
const FILE_BYTES: u64 = 256 << 20;

/// What answers in this command.
pub(crate) struct Conversation {
    backend: Arc<dyn Backend>,
    replay: Option<(PathBuf, Arc<Replay>)>,
    record: Option<(PathBuf, Arc<Record>)>,
}

type Record = Recorder<Arc<dyn Backend>, ConversationFile>;

impl Conversation {
    /// Reads what is to be replayed and begins what is to be recorded, before anything else is done.
    ///
    /// `choose` says what answers if nothing is replayed. `directories` are those whose paths stand in no file, with their names.
    pub(crate) fn open(
        choose: impl FnOnce() -> Result<Arc<dyn Backend>>,
        record: Option<&Path>,
        replay: Option<&Path>,
        directories: &[(&str, &Path)],
    ) -> Result<Self> {
        let (state, cache) = (places::state()?, places::cache()?);
        let own = [("state", state.as_path()), ("cache", cache.as_path())];
        let resolved: Vec<(&str, PathBuf)> = directories
            .iter()
            .chain(&own)
            .filter_map(|(name, path)| Some((*name, std::fs::canonicalize(path).ok()?)))
            .collect();
        // What a path leads to comes first, because that is what tools and compilers speak of.
        let resolved = resolved.iter().map(|(name, path)| (*name, path.as_path()));
        let places = Placeholders::new(resolved.chain(directories.iter().copied()).chain(own));

        let replay =
            replay.map(|path| Ok::<_, Error>((path.to_owned(), read(path, places.clone(), record)?))).transpose()?;
        let (backend, header): (Arc<dyn Backend>, Header) = match &replay {
            Some((_, replay)) => (replay.clone(), replay.header().clone()),
            None => {
                let backend = choose()?;
                let header = Header::recorded(backend.as_ref());
                (backend, header)
            }
        };
        if let Some(path) = record {
            outside(path, directories)?;
        }
        let record = record
            .map(|path| Ok::<_, Error>((path.to_owned(), begin(backend.clone(), &header, path, places)?)))
            .transpose()?;
        if replay.is_some() {
            output::progress(&format!("the model in use is a {}", backend.name()));
        }
        Ok(Self { backend, replay, record })
    }

    /// What is to be asked.
    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        match &self.record {
            Some((_, record)) => record.clone(),
            None => self.backend.clone(),
        }
    }

    /// Whether the built-in model answers, and nothing of it is recorded or replayed.
    pub(crate) fn is_built_in(&self) -> bool {
        self.replay.is_none() && self.record.is_none() && self.backend.name() == Mechanic.name()
    }

    /// Keeps the recording, however the work ended, and says whether the replay was like its file to the end.
    pub(crate) fn finish(&self) -> Result<()> {
        if let Some((path, record)) = &self.record
            && let Some((file, turns)) = record.finish()
            && turns > 0
        {
            let shown = path.display();
            file.keep().map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => taken(path),
                _ => Error::failed(format!("the conversation cannot be kept as `{shown}`: {error}")),
            })?;
            output::progress(&format!(
                "{turns} turns recorded in `{shown}`; only what is known to be secret was taken out"
            ));
        }
        let Some((path, replay)) = &self.replay else { return Ok(()) };
        replay.finish().map_err(|error| {
            Error::failed(format!("`{}` does not fit this work: {error}", path.display()))
                .hint("give the same request on the same files, or record the conversation anew with `--record`")
        })
    }
}

fn read(path: &Path, places: Placeholders, record: Option<&Path>) -> Result<Arc<Replay>> {
    let shown = path.display();
    let unreadable =
        |error: std::io::Error| Error::usage(format!("the conversation `{shown}` cannot be read: {error}"));
    // Looked at before it is opened: opening a pipe waits for a writer, and a device has no end.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Error::usage(format!("the conversation `{shown}` cannot be read: it is not a regular file"))
            .hint("name a file that `--record` wrote, or one that was written by hand"));
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(FILE_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > FILE_BYTES {
        return Err(Error::usage(format!("the conversation `{shown}` is larger than {FILE_BYTES} bytes")));
    }
    let replay = Replay::read(&text, places, secrets::known())
        .map_err(|error| Error::usage(format!("`{shown}` is not a conversation that can be replayed: {error}")))?;
    match (replay.is_whole(), record) {
        (true, None) => Ok(Arc::new(replay)),
        (false, Some(_)) => Ok(Arc::new(replay.filling_in())),
        (true, Some(_)) => Err(Error::usage(format!("`--record` has nothing to add to `{shown}`"))
            .hint("leave out `--record`, or `--replay` to record a model")),
        (false, None) => Err(Error::usage(format!("`{shown}` does not say at every turn what was sent"))
            .hint("add `--record FILE` to have that written down in another file, look at it and replay that one")),
    }
}

fn begin(backend: Arc<dyn Backend>, header: &Header, path: &Path, places: Placeholders) -> Result<Arc<Record>> {
    let shown = path.display();
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => taken(path),
        _ => Error::usage(format!("the conversation cannot be recorded in `{shown}`: {error}")),
    };
    let file = ConversationFile::create(path).map_err(failed)?;
    Recorder::begin(backend, header, file, places, secrets::known()).map(Arc::new).map_err(failed)
}

/// What lies in a repository is put back by a run that fails, and may become part of a package.
fn outside(path: &Path, directories: &[(&str, &Path)]) -> Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let inside = real(directory).is_some_and(|directory| {
        directories.iter().filter_map(|(_, own)| real(own)).any(|own| directory.starts_with(own))
    });
    if inside {
        return Err(Error::usage(format!("`{}` lies in a directory that is worked on", path.display()))
            .hint("record the conversation somewhere else"));
    }
    Ok(())
}

fn taken(path: &Path) -> Error {
    Error::usage(format!("`{}` is there already, and a recording replaces no file", path.display()))
        .hint("remove it or give another name")
}
