//! What one client may have open, and whose session is whose.

use super::HttpLimits;
use crate::caller::Caller;
use crate::server::{Client as User, Server};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// One client. Cheap to clone.
#[derive(Clone)]
pub(super) struct Client {
    /// Requests that it may begin.
    pub(super) requests: Arc<Semaphore>,
    /// What it may use of the server, over all its connections.
    pub(super) user: Arc<User>,
}

/// One session of a client.
struct Session {
    id: String,
    owner: String,
}

/// All clients of a server.
pub(super) struct Clients {
    most: usize,
    requests: usize,
    server: Server,
    sessions_each: usize,
    manager: Arc<LocalSessionManager>,
    known: Mutex<HashMap<String, Client>>,
    /// The one that was idle longest first.
    sessions: Mutex<Vec<Session>>,
}

impl Clients {
    pub(super) fn new(limits: &HttpLimits, server: Server, manager: Arc<LocalSessionManager>) -> Self {
        Self {
            most: limits.clients,
            requests: limits.requests,
            server,
            sessions_each: limits.sessions,
            manager,
            known: Mutex::default(),
            sessions: Mutex::default(),
        }
    }

    /// The client of this name; `None` when there are as many others as may be.
    pub(super) fn of(&self, name: &str, caller: &Caller) -> Option<Client> {
        let mut known = lock(&self.known);
        if let Some(client) = known.get(name) {
            return Some(client.clone());
        }
        if known.len() >= self.most {
            // A client without an open request counts as gone.
            known.retain(|_, client| {
                client.requests.available_permits() < self.requests || client.user.is_at_work(self.server.limits())
            });
        }
        if known.len() >= self.most {
            return None;
        }
        let user = self.server.client(name, caller.clone());
        let client = Client { requests: Arc::new(Semaphore::new(self.requests)), user };
        known.insert(name.to_owned(), client.clone());
        Some(client)
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

    /// A session that was begun for this client. One too many ends the one that was idle longest.
    pub(super) async fn began(&self, client: &str, session: &str) {
        let alive: Vec<String> = self.manager.sessions.read().await.keys().map(ToString::to_string).collect();
        let surplus = {
            let mut sessions = lock(&self.sessions);
            sessions.retain(|known| alive.contains(&known.id));
            sessions.push(Session { id: session.to_owned(), owner: client.to_owned() });
            let own = sessions.iter().filter(|known| known.owner == client).count();
            let oldest = sessions.iter().position(|known| known.owner == client);
            oldest.filter(|_| own > self.sessions_each).map(|place| sessions.remove(place).id)
        };
        if let Some(surplus) = surplus {
            let _ = self.manager.close_session(&surplus.into()).await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
