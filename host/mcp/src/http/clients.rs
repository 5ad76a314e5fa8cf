//! What one client may have open, and whose session is whose.

use super::HttpLimits;
use crate::caller::Caller;
use crate::server::{Client as User, Server};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// One client: a program of a person.
#[derive(Clone)]
pub(super) struct Client {
    /// Requests that its person may begin, with whatever program.
    pub(super) requests: Arc<Semaphore>,
    /// What it may use of the server, over all its connections.
    pub(super) user: Arc<User>,
}

/// Whose a request is.
pub(super) struct Identity {
    /// The person: a subject of the issuer, or the holder of the fixed token.
    pub(super) subject: String,
    /// The person and the program.
    pub(super) client: String,
}

impl Identity {
    /// The holder of the fixed token.
    pub(super) fn holder() -> Self {
        Self { subject: String::new(), client: String::new() }
    }
}

/// Why a client is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// As many others as may be are at work.
    Server,
    /// As many programs of the same person as may be are at work.
    Subject,
}

/// A person with the programs that are used. An issuer may give each as many names of programs as it asks for, so what may
/// be open is counted for the person.
struct Subject {
    requests: Arc<Semaphore>,
    programs: HashMap<String, Arc<User>>,
}

/// One session of a client.
struct Session {
    id: String,
    owner: String,
    subject: String,
}

/// All clients of a server.
pub(super) struct Clients {
    limits: HttpLimits,
    server: Server,
    manager: Arc<LocalSessionManager>,
    known: Mutex<HashMap<String, Subject>>,
    /// The one that was idle longest first.
    sessions: Mutex<Vec<Session>>,
}

impl Clients {
    pub(super) fn new(limits: &HttpLimits, server: Server, manager: Arc<LocalSessionManager>) -> Self {
        Self { limits: limits.clone(), server, manager, known: Mutex::default(), sessions: Mutex::default() }
    }

    /// The client of this identity.
    pub(super) fn of(&self, identity: &Identity, caller: &Caller) -> Result<Client, Full> {
        let mut known = lock(&self.known);
        if !known.contains_key(&identity.subject) {
            if known.len() >= self.limits.subjects {
                // A person without an open request counts as gone.
                known.retain(|_, subject| self.is_at_work(subject));
            }
            if known.len() >= self.limits.subjects {
                return Err(Full::Server);
            }
        }
        let subject = known.entry(identity.subject.clone()).or_insert_with(|| Subject {
            requests: Arc::new(Semaphore::new(self.limits.requests)),
            programs: HashMap::new(),
        });
        let user = match subject.programs.get(&identity.client) {
            Some(user) => user.clone(),
            None => {
                let beside = subject.programs.values().next().cloned();
                if subject.programs.len() >= self.limits.programs {
                    // One without an open request and a task counts as gone.
                    subject.programs.retain(|_, user| Arc::strong_count(user) > 1 || user.tasks.are_kept());
                }
                if subject.programs.len() >= self.limits.programs {
                    return Err(Full::Subject);
                }
                let user = self.server.client(&identity.client, caller.clone(), beside.as_deref());
                subject.programs.insert(identity.client.clone(), user.clone());
                user
            }
        };
        Ok(Client { requests: subject.requests.clone(), user })
    }

    fn is_at_work(&self, subject: &Subject) -> bool {
        subject.requests.available_permits() < self.limits.requests
            || subject.programs.values().any(|user| user.is_at_work(self.server.limits()))
    }

    /// Whether this session is this client's. To others it does not exist.
    pub(super) fn owns(&self, client: &str, session: &str) -> bool {
        let mut sessions = lock(&self.sessions);
        let Some(place) = sessions.iter().position(|known| known.id == session && known.owner == client) else {
            return false;
        };
        let used = sessions.remove(place);
        sessions.push(used);
        true
    }

    /// A session that was begun for this client. One too many of its person ends the one that was idle longest.
    pub(super) async fn began(&self, identity: &Identity, session: &str) {
        let alive: Vec<String> = self.manager.sessions.read().await.keys().map(ToString::to_string).collect();
        let surplus = {
            let mut sessions = lock(&self.sessions);
            sessions.retain(|known| alive.contains(&known.id));
            let (owner, subject) = (identity.client.clone(), identity.subject.clone());
            sessions.push(Session { id: session.to_owned(), owner, subject });
            let is_own = |known: &Session| known.subject == identity.subject;
            let own = sessions.iter().filter(|known| is_own(known)).count();
            let oldest = sessions.iter().position(is_own);
            oldest.filter(|_| own > self.limits.sessions).map(|place| sessions.remove(place).id)
        };
        if let Some(surplus) = surplus {
            let _ = self.manager.close_session(&surplus.into()).await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
