//! Replicas in one process, each with its own listener, and what they work with.

use super::super::{OpenCalls, Side, Takes};
use crate::call::{Again, Call, Person};
use crate::caller::Caller;
use crate::component::{Reach, Way};
use crate::http::clients::Clients;
use crate::http::{ConnectionLimits, HttpLimits};
use crate::keys::Keys;
use crate::replicas::{Directory, Entries, Guard, ReplicaLimits, ReplicaOptions, Replicas, Shelf};
#[cfg(feature = "nats")]
use crate::replicas::{Nats, server};
use crate::runs::{Job, JobRequest};
use crate::{
    ClientRoots, Failure, HostContext, ModelOf, PackageDirectories, Sampling, Server, ServerLimits, TaskLimits, Toolbox,
};
use async_trait::async_trait;
use bailiwick_agent::KnownSecrets;
use bailiwick_customize::driver::{Customizer, Planner, Progress, Single};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run, RunId, Status, Store};
use bailiwick_sandbox::rich::Abilities;
use bailiwick_sandbox::{Access, Grant, Grants, Reserved};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(super) const ISSUER: &str = "https://issuer.example";
/// The runs of a state directory with a file of this name cannot be opened.
pub(super) const DAMAGED: &str = "damaged";
const LONG: Duration = Duration::from_secs(3600);

/// What a server works with: a state directory and a package. Its work never comes to an end.
struct Host {
    state: PathBuf,
    package: Grant,
}

#[async_trait]
impl HostContext for Host {
    fn has_grants(&self) -> bool {
        false
    }

    fn client_roots(&self) -> ClientRoots {
        ClientRoots::Ignored
    }

    async fn toolbox(&self) -> Result<Toolbox, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn model(&self) -> ModelOf {
        ModelOf::Client
    }

    async fn customizer(&self, _: Progress, _: Sampling) -> Result<Customizer, Failure> {
        std::future::pending().await
    }

    fn planner(&self, _: Progress, _: Sampling) -> Result<Planner, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn store(&self) -> Result<Store, Failure> {
        if self.state.join(DAMAGED).exists() {
            return Err(Failure::new(format!("`{}/runs` is damaged", self.state.display())));
        }
        Ok(Store::open(&self.state)?)
    }

    fn packages(&self) -> PackageDirectories {
        PackageDirectories::new(Grants::none(), vec![self.package.clone()])
    }

    fn secrets(&self) -> KnownSecrets {
        KnownSecrets::new([])
    }

    fn checkouts(&self) -> PathBuf {
        self.state.join("checkouts")
    }

    fn private_places(&self) -> Vec<(PathBuf, &'static str)> {
        vec![(self.state.clone(), "state directory")]
    }
}

/// A registry that cannot be reached for a time.
struct Reachable {
    entries: Arc<dyn Entries>,
    is_down: Arc<AtomicBool>,
}

impl Reachable {
    fn now(&self) -> io::Result<&dyn Entries> {
        match self.is_down.load(Ordering::SeqCst) {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(self.entries.as_ref()),
        }
    }
}

#[async_trait]
impl Entries for Reachable {
    async fn create(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<bool> {
        self.now()?.create(shelf, name, content).await
    }

    async fn put(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<()> {
        self.now()?.put(shelf, name, content).await
    }

    async fn replace(&self, shelf: Shelf, name: &str, old: &[u8], new: &[u8]) -> io::Result<bool> {
        self.now()?.replace(shelf, name, old, new).await
    }

    async fn get(&self, shelf: Shelf, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.now()?.get(shelf, name).await
    }

    async fn remove(&self, shelf: Shelf, name: &str) -> io::Result<()> {
        self.now()?.remove(shelf, name).await
    }

    async fn names(&self, shelf: Shelf) -> io::Result<Vec<String>> {
        self.now()?.names(shelf).await
    }
}

pub(super) fn keys() -> Keys {
    Keys::shared([b"a key of replicas that is long enough".as_slice()]).unwrap()
}

fn limits(answer_within: Duration, message_bytes: usize) -> ServerLimits {
    ServerLimits {
        answer_within,
        longest_wait: LONG,
        runs: 4,
        all_runs: 8,
        ended_runs: 8,
        calls: 8,
        message_bytes,
        answer: LONG,
        questions: 8,
        roots: LONG,
        tasks: TaskLimits { after: LONG, longest: LONG, kept: LONG, most: 1, poll: LONG },
        subscriptions: 1,
        look_every: LONG,
    }
}

fn replica_limits(silence: Duration, settle: Duration) -> ReplicaLimits {
    let second = Duration::from_secs(1);
    ReplicaLimits {
        every: second / 20,
        lease: second * 20,
        settle,
        connect: second * 10,
        silence,
        skew: second * 30,
        answer: LONG,
    }
}

/// A directory for everything, with a package and the registry.
pub(super) struct World {
    base: tempfile::TempDir,
    /// How long a replica may say nothing while it answers.
    pub(super) silence: Duration,
    /// How long a call that begins work waits for it.
    pub(super) answer_within: Duration,
    /// The longest message of a replica.
    pub(super) message_bytes: usize,
    /// How long others may take to enter again what the registry lost.
    pub(super) settle: Duration,
    /// Whether the registry cannot be reached.
    pub(super) is_down: Arc<AtomicBool>,
    /// Where the registry is, if it is no directory.
    #[cfg(feature = "nats")]
    pub(super) registry_server: Option<server::Server>,
}

/// A replica that listens.
pub(super) struct Replica {
    pub(super) server: Server,
    pub(super) replicas: Replicas,
    pub(super) address: SocketAddr,
    pub(super) clients: Arc<Clients>,
    pub(super) package: PathBuf,
    pub(super) state: PathBuf,
    serving: JoinHandle<()>,
}

impl World {
    pub(super) fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir(base.path().join("package")).unwrap();
        std::fs::write(base.path().join("package/a.py"), "before").unwrap();
        let (silence, answer_within) = (Duration::from_secs(30), Duration::ZERO);
        Self {
            base,
            silence,
            answer_within,
            message_bytes: 1 << 20,
            settle: Duration::ZERO,
            is_down: Arc::default(),
            #[cfg(feature = "nats")]
            registry_server: None,
        }
    }

    /// One with its registry on a server; `None` where there is no server here.
    #[cfg(feature = "nats")]
    pub(super) fn on_server() -> Option<Self> {
        Some(Self { registry_server: Some(server::Server::start()?), ..Self::new() })
    }

    /// One for each engine of the registry.
    pub(super) fn each() -> Vec<Self> {
        let directory = std::iter::once(Self::new());
        #[cfg(feature = "nats")]
        return directory.chain(Self::on_server()).collect();
        #[cfg(not(feature = "nats"))]
        directory.collect()
    }

    /// The registry, opened once more.
    pub(super) async fn entries(&self) -> Arc<dyn Entries> {
        #[cfg(feature = "nats")]
        if let Some(server) = &self.registry_server {
            return Arc::new(Nats::open(server.connection()).await.unwrap());
        }
        Arc::new(Directory::open(&self.directory()).unwrap())
    }

    /// Where the registry is, if it is on no server.
    pub(super) fn directory(&self) -> PathBuf {
        self.base.path().join("registry")
    }

    /// The names of what stands in the registry.
    pub(super) async fn names(&self, shelf: Shelf) -> Vec<String> {
        self.entries().await.names(shelf).await.unwrap()
    }

    pub(super) fn file(&self) -> String {
        std::fs::read_to_string(self.base.path().join("package/a.py")).unwrap()
    }

    /// A replica with this state directory, with other replicas or at an address of its own.
    pub(super) async fn replica(&self, state: &str) -> Replica {
        self.replica_at(state, "127.0.0.1:0".parse().unwrap()).await
    }

    pub(super) async fn replica_at(&self, state: &str, address: SocketAddr) -> Replica {
        let (state, package) = (self.base.path().join(state), self.base.path().join("package"));
        let grant = Grant::open("package", &package, Access::ReadWrite, &Reserved::none()).unwrap();
        let grant = grant.called(package.to_str().unwrap());
        let host = Arc::new(Host { state: state.clone(), package: grant });
        let server = Server::new(host, limits(self.answer_within, self.message_bytes), keys()).unwrap();
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let entries = Arc::new(Reachable { entries: self.entries().await, is_down: self.is_down.clone() });
        let options = ReplicaOptions { entries, address: None, limits: replica_limits(self.silence, self.settle) };
        let replicas = server.join(&options, address).await.unwrap();
        replicas.settled();
        let connections = ConnectionLimits {
            most: 64,
            head_within: LONG,
            head_bytes: 16 * 1024,
            head_lines: 32,
            unread: LONG,
            last_words: Duration::ZERO,
        };
        let http = HttpLimits {
            connections: connections.clone(),
            subjects: 4,
            programs: 4,
            requests: 8,
            sessions: 4,
            session_idle: LONG,
            body_within: LONG,
        };
        let clients = Arc::new(Clients::new(&http, server.clone(), Arc::new(LocalSessionManager::default())));
        let side = Side {
            server: server.clone(),
            guard: Guard::new(replicas.name(), &keys(), 30),
            replicas: replicas.clone(),
            clients: clients.clone(),
            takes: Takes::SubjectsOf(ISSUER.into()),
            operators: vec!["olga".into()],
            body_within: LONG,
            open: OpenCalls::default(),
        };
        let routes = side.routes();
        let serving = tokio::spawn(async move {
            let _ = bailiwick_connections::serve(listener, routes, connections, CancellationToken::new()).await;
        });
        Replica { server, replicas, address, clients, package, state, serving }
    }
}

impl Replica {
    /// Ends it like a process that is killed: nothing is put back and nothing is taken out of the registry.
    pub(super) async fn kill(&mut self) {
        self.serving.abort();
        let _ = (&mut self.serving).await;
    }

    /// Begins work that goes on until it is cancelled.
    pub(super) async fn at_work(&self, subject: &str) -> Arc<Job> {
        self.begin(subject).await.unwrap()
    }

    pub(super) async fn begin(&self, subject: &str) -> Result<Arc<Job>, Failure> {
        let wanted =
            JobRequest::Step { single: Single::Build, package: self.package.clone(), project: None, commit: None };
        self.server.runs().begin(&subject.into(), &caller(subject), wanted).await
    }

    /// Begins a run of the store, as work does once it has what it needs, and changes a file in it.
    pub(super) async fn run(&self, subject: &str) -> Run {
        let store = Store::open(&self.state).unwrap().on_behalf_of(caller(subject).authority(Vec::new()));
        let store = store.on_behalf_of(bailiwick_runs::Authority {
            within: bailiwick_runs::Within::Anywhere,
            ..caller(subject).authority(Vec::new())
        });
        let coverage = Coverage::Tree { skip: Vec::new(), skip_at_root: Vec::new() };
        let root = RootSpec { name: "sdk".into(), directory: self.package.clone(), coverage };
        let begin =
            BeginRun { kind: "customize".into(), request: "change it".into(), details: Value::Null, roots: vec![root] };
        let run = store.begin(begin).unwrap();
        self.replicas.claim(run.id().as_str(), &caller(subject).owner).await.unwrap();
        std::fs::write(self.package.join("a.py"), "after").unwrap();
        run
    }

    /// A run that waits for a person.
    pub(super) async fn pending(&self, subject: &str) -> RunId {
        let run = self.run(subject).await;
        let id = run.id().clone();
        run.finish(Status::Pending, &json!({})).unwrap();
        id
    }

    /// What a client of this replica is answered, in a line.
    pub(super) async fn ask(&self, tool: &str, id: &str, call: Call) -> String {
        let arguments = json!({ "runId": id }).as_object().unwrap().clone();
        match self.server.answer(tool, arguments, &call).await {
            Ok(crate::tool::Answer::Structured { value, .. }) => value["status"].as_str().unwrap().to_owned(),
            Ok(other) => format!("{other:?}"),
            Err(failure) => failure.text(),
        }
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // Threads of work that never ends would keep the test.
        self.server.closing().cancel();
    }
}

pub(super) fn caller(subject: &str) -> Caller {
    Caller::subject(ISSUER, subject, subject == "olga")
}

/// A call of a program of this subject, which can be asked by an answer.
pub(super) fn call(subject: &str) -> Call {
    let reach = Reach { can: Abilities::COMPLETIONS, way: Way::ByAnswer };
    let person = Person::AskedByAnswer;
    Call {
        caller: caller(subject),
        owner: format!("{subject} at a program").into(),
        reach,
        person,
        ..Call::for_tests()
    }
}

/// The same call again, with an answer to what it was asked.
pub(super) fn again(subject: &str, state: &str, key: &str, answer: Value) -> Call {
    let responses = [(key.to_owned(), answer)].into_iter().collect();
    Call { again: Again { responses: Some(responses), state: Some(state.to_owned()) }, ..call(subject) }
}

/// What a replica asks of a call.
pub(super) async fn asked(replica: &Replica, tool: &str, id: &str, call: Call) -> String {
    let arguments = json!({ "runId": id }).as_object().unwrap().clone();
    match replica.server.answer(tool, arguments, &call).await {
        Ok(crate::tool::Answer::Ask(ask)) => ask.request_state.unwrap(),
        other => panic!("{other:?}"),
    }
}
