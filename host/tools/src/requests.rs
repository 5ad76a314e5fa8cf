//! What clients asked a person to add or approve.
//!
//! A model or a client can only ask. What it asks for waits here, as text, until a person at a command line approves the
//! tool or dismisses the request; asking grants nothing, starts nothing and fetches nothing.
//!
//! The client that asks may be hostile: what is kept is bounded in number, for each client and in all, and in length, and holds no
//! character that a reader does not see.

use crate::file;
use crate::store::{Store, StoreError};
use bailiwick_audit::is_invisible;
use bailiwick_base::files::Replace;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::PathBuf;

/// So many requests wait at once.
pub const MOST: usize = 32;
/// So many of one client.
pub const MOST_OF_ONE: usize = 4;
/// Characters of a tool's name or reference.
pub const NAME: usize = 200;
/// Characters of what it is for.
pub const WHAT_FOR: usize = 500;
/// Characters of a client's name.
const CLIENT: usize = 64;
/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
const VERSION: u32 = 1;

/// One request that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Counted from 1, and never given twice.
    pub id: u64,
    /// The tool, in the client's words.
    pub tool: String,
    /// What it is wanted for, in the client's words.
    pub what_for: String,
    /// What the client calls itself.
    pub client: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// What became of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// It waits.
    Waits(Request),
    /// The same one waits already.
    AlreadyWaits(Request),
    /// So many wait that no further one is taken: of this client, or in all.
    TooMany,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pending {
    version: u32,
    next: u64,
    requests: Vec<Request>,
}

/// `text` on one line, without characters that a reader does not see, cut at `most` characters.
#[must_use]
pub fn plain(text: &str, most: usize) -> String {
    let spaced = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c });
    let seen: String = spaced.filter(|c| !is_invisible(*c)).take(most).collect();
    seen.trim().to_owned()
}

impl Store {
    /// The requests that wait, the oldest first.
    ///
    /// # Errors
    /// The directory is not this user's alone, or the file was not written by bailiwick.
    pub fn requests(&self) -> Result<Vec<Request>, StoreError> {
        self.list()?;
        Ok(self.pending()?.requests)
    }

    /// Puts a request before a person.
    ///
    /// # Errors
    /// As [`Store::requests`].
    pub fn ask(&self, tool: &str, what_for: &str, client: &str, at: u64) -> Result<Asked, StoreError> {
        let _alone = self.lock()?;
        let mut pending = self.pending()?;
        let request = Request {
            id: pending.next,
            tool: plain(tool, NAME),
            what_for: plain(what_for, WHAT_FOR),
            client: plain(client, CLIENT),
            at,
        };
        if let Some(same) = pending.requests.iter().find(|one| one.tool == request.tool && one.client == request.client)
        {
            return Ok(Asked::AlreadyWaits(same.clone()));
        }
        // A client names itself: what one of many names may do is bounded by what all may.
        let of_one = pending.requests.iter().filter(|one| one.client == request.client).count();
        if of_one >= MOST_OF_ONE || pending.requests.len() >= MOST {
            return Ok(Asked::TooMany);
        }
        pending.next += 1;
        pending.requests.push(request.clone());
        self.keep_pending(&pending)?;
        Ok(Asked::Waits(request))
    }

    /// Forgets a request. `None` if no request has this number.
    ///
    /// # Errors
    /// As [`Store::requests`].
    pub fn dismiss(&self, id: u64) -> Result<Option<Request>, StoreError> {
        let _alone = self.lock()?;
        let mut pending = self.pending()?;
        let Some(place) = pending.requests.iter().position(|request| request.id == id) else { return Ok(None) };
        let request = pending.requests.remove(place);
        self.keep_pending(&pending)?;
        Ok(Some(request))
    }

    /// Forgets the requests for a tool that was approved.
    ///
    /// # Errors
    /// As [`Store::requests`].
    pub fn answered(&self, tool: &str) -> Result<(), StoreError> {
        let _alone = self.lock()?;
        let mut pending = self.pending()?;
        let before = pending.requests.len();
        pending.requests.retain(|request| request.tool != tool);
        if pending.requests.len() < before { self.keep_pending(&pending) } else { Ok(()) }
    }

    fn pending(&self) -> Result<Pending, StoreError> {
        let text = match file::plain(&self.requests_file(), LONGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Pending { version: VERSION, next: 1, requests: Vec::new() });
            }
            Err(error) => return Err(self.broken(&error)),
        };
        let pending: Pending = serde_json::from_slice(&text).map_err(|error| self.broken(&error))?;
        if pending.version != VERSION {
            let (path, found) = (self.requests_file(), u64::from(pending.version));
            return Err(StoreError::Version { path, found, known: VERSION });
        }
        Ok(pending)
    }

    fn keep_pending(&self, pending: &Pending) -> Result<(), StoreError> {
        let text = serde_json::to_vec_pretty(pending).map_err(|error| self.broken(&error))?;
        Replace::PRIVATE.write(&self.requests_file(), &text).map_err(|error| self.broken(&error))
    }

    fn requests_file(&self) -> PathBuf {
        self.directory().join("requests.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let base = tempfile::tempdir().unwrap();
        let store = Store::at(base.path().join("tools"));
        (base, store)
    }

    #[test]
    fn request_waits_until_a_person_dismisses_it_or_approves_its_tool() {
        let (_base, store) = store();
        assert!(store.requests().unwrap().is_empty());
        let Asked::Waits(first) = store.ask("changelog", "to write it", "editor", 7).unwrap() else { panic!() };
        assert_eq!(store.ask("changelog", "once more", "editor", 8).unwrap(), Asked::AlreadyWaits(first.clone()));
        store.ask("other", "for that", "editor", 9).unwrap();
        store.answered("changelog").unwrap();
        assert_eq!(store.requests().unwrap().len(), 1);
        let Asked::Waits(again) = store.ask("changelog", "to write it", "editor", 10).unwrap() else { panic!() };
        assert!(again.id > first.id, "a number is never given twice");
        assert_eq!(store.dismiss(again.id).unwrap(), Some(again.clone()));
        assert_eq!(store.dismiss(again.id).unwrap(), None);
    }

    #[test]
    fn flood_of_requests_is_bounded_for_each_client_and_in_all() {
        let (_base, store) = store();
        let mut taken = 0;
        for client in 0..40 {
            for tool in 0..40 {
                let asked = store.ask(&format!("t{tool}"), &"x".repeat(5_000), &format!("c{client}"), 0).unwrap();
                taken += usize::from(matches!(asked, Asked::Waits(_)));
            }
        }
        assert_eq!((taken, store.requests().unwrap().len()), (MOST, MOST));
        let of_one = |client: &str| store.requests().unwrap().iter().filter(|one| one.client == client).count();
        assert_eq!(of_one("c0"), MOST_OF_ONE);
        assert!(store.requests().unwrap().iter().all(|one| one.what_for.len() == WHAT_FOR));
    }

    #[test]
    fn what_is_not_seen_is_not_kept() {
        let (_base, store) = store();
        let hidden: String = "approve me".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
        store.ask(&format!("a{hidden}\u{1b}[2J"), "x\u{202e}y\nz", "c\u{0}", 0).unwrap();
        let one = &store.requests().unwrap()[0];
        assert_eq!((one.tool.as_str(), one.what_for.as_str(), one.client.as_str()), ("a[2J", "xy z", "c"));
    }
}
