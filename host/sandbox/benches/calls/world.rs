//! A sandbox, a granted directory with two files, and the calls that are measured.

use bailiwick_sandbox::{
    Access, Allocation, Audit, Capabilities, CompileCache, Cost, Grant, Grants, Limits, LoadLimits, Reserved, Sandbox,
    SandboxConfig, Tool,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// `ReadFile` of a file that is not there: the sandbox, the guest's JSON, and one failed open.
    Nothing,
    /// `ReadFile` of 4 KiB.
    Small,
    /// `ReadFile` of 1 MiB.
    Large,
}

impl Case {
    pub(crate) const ALL: [Self; 3] = [Self::Nothing, Self::Small, Self::Large];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "ReadFile of nothing",
            Self::Small => "ReadFile 4 KiB",
            Self::Large => "ReadFile 1 MiB",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Nothing => "missing.txt",
            Self::Small => "small.txt",
            Self::Large => "large.txt",
        }
    }

    pub(crate) fn rounds(self) -> usize {
        match self {
            Self::Nothing | Self::Small => 20_000,
            Self::Large => 1_000,
        }
    }

    /// What the peer reads.
    pub(crate) fn path(self, base: &Path) -> Option<PathBuf> {
        (self != Self::Nothing).then(|| base.join(self.file()))
    }

    fn input(self) -> String {
        format!(r#"{{"filePath":"d/{}"}}"#, self.file())
    }
}

pub(crate) struct World {
    base: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
    sandbox: Arc<Sandbox>,
    tool: Tool,
    grants: Grants,
}

fn limits() -> Limits {
    Limits {
        memory_bytes: 64 << 20,
        table_elements: 10_000,
        deadline: Duration::from_secs(30),
        input_bytes: 8 << 20,
        output_bytes: 16 << 20,
        handles: 256,
        directory_entries: 50_000,
        written_bytes: 64 << 20,
    }
}

/// The most memory of one instance, in bytes, as the program has it.
pub(crate) const LARGEST: usize = 512 << 20;

fn sandbox(allocation: Allocation, largest_memory: usize, cache: CompileCache) -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation,
        workers: 2,
        waiting: 1024,
        most_stuck: 4,
        largest_memory,
        cache,
        load: LoadLimits {
            component_bytes: 16 << 20,
            functions: 50_000,
            function_bytes: 64 << 10,
            instances: 64,
            memories: 2,
            tables: 16,
            description_bytes: 16 << 10,
            schema_bytes: 64 << 10,
            deadline: Duration::from_secs(60),
            at_once: 2,
            threads: 2,
            most_stuck: 2,
        },
        audit: Audit::Off,
        describe: limits(),
    })
    .unwrap()
}

impl World {
    pub(crate) fn new(allocation: Allocation) -> Self {
        Self::with_places(allocation, LARGEST)
    }

    /// Whose instances have at most so many bytes of memory.
    pub(crate) fn with_places(allocation: Allocation, largest: usize) -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::write(base.path().join("small.txt"), "line of some text\n".repeat(228)).unwrap();
        std::fs::write(base.path().join("large.txt"), "line of some text\n".repeat(58_254)).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        let sandbox = sandbox(allocation, largest, CompileCache::Off);
        let tool = runtime.block_on(sandbox.load(&read_file(), &Capabilities::files())).unwrap();
        let grant = Grant::open("d", base.path(), Access::ReadOnly, &Reserved::none()).unwrap();
        Self { base, runtime, sandbox: Arc::new(sandbox), tool, grants: Grants::new(vec![grant]).unwrap() }
    }

    pub(crate) fn base(&self) -> &Path {
        self.base.path()
    }

    /// One call without schema checks.
    pub(crate) fn invoke(&self, case: Case) -> Cost {
        let report = self.runtime.block_on(self.sandbox.invoke(&self.tool, &self.grants, case.input(), &limits()));
        assert_eq!(report.outcome.is_ok(), case != Case::Nothing, "{:?}", report.outcome);
        report.cost
    }

    /// One call with them.
    pub(crate) fn call(&self, case: Case) {
        let report = self.runtime.block_on(self.sandbox.call(&self.tool, &self.grants, &case.input(), &limits()));
        assert_eq!(report.outcome.is_ok(), case != Case::Nothing, "{:?}", report.outcome);
    }

    /// Calls a second with this many tasks, each with several calls under way, so that workers are measured and not
    /// the wake-up of one.
    pub(crate) fn throughput(&self, tasks: usize) -> f64 {
        const IN_FLIGHT: usize = 16;
        const ROUNDS: usize = 2_000;
        let once = || {
            let started = Instant::now();
            self.runtime.block_on(async {
                let mut running = Vec::new();
                for _ in 0..tasks {
                    let (sandbox, tool, grants) = (self.sandbox.clone(), self.tool.clone(), self.grants.clone());
                    running.push(tokio::spawn(async move {
                        let limits = limits();
                        for _ in 0..ROUNDS {
                            let calls = (0..IN_FLIGHT)
                                .map(|_| Box::pin(sandbox.invoke(&tool, &grants, Case::Small.input(), &limits)));
                            for report in join_all(calls.collect()).await {
                                assert!(report);
                            }
                        }
                    }));
                }
                for task in running {
                    task.await.unwrap();
                }
            });
            (IN_FLIGHT * ROUNDS * tasks) as f64 / started.elapsed().as_secs_f64()
        };
        // The best of three: what else the machine does can only take away.
        (0..3).map(|_| once()).fold(0.0, f64::max)
    }
}

/// The guest as it was built last: a change of a guest is measured without building the host again.
fn read_file() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../components/dist/read-file.wasm")).unwrap()
}

/// Awaits all, polling each as it comes: enough for a benchmark, and no dependency.
async fn join_all<F: Future<Output = bailiwick_sandbox::CallReport> + Unpin>(mut calls: Vec<F>) -> Vec<bool> {
    let mut done = vec![None; calls.len()];
    std::future::poll_fn(move |context| {
        for (call, done) in calls.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(report) = std::pin::Pin::new(call).poll(context)
            {
                *done = Some(report.outcome.is_ok());
            }
        }
        if done.iter().all(Option::is_some) {
            return std::task::Poll::Ready(done.iter().map(|done| *done == Some(true)).collect());
        }
        std::task::Poll::Pending
    })
    .await
}

/// How long loading takes with this cache.
pub(crate) fn load(cache: &Path) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let sandbox = sandbox(Allocation::Pooled { slots: 16 }, LARGEST, CompileCache::Directory(cache.join("components")));
    let guest = read_file();
    let started = Instant::now();
    std::hint::black_box(runtime.block_on(sandbox.load(&guest, &Capabilities::files())).unwrap());
    started.elapsed()
}
