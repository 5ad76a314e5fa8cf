//! What a sandboxed call costs, beside the same work done by `std::fs` in the same run.
//!
//! `cargo xtask bench` runs it; `docs/benchmarks.md` keeps the table. Times on shared machines are noisy: the ratios
//! to the peer and the order of the rows are what to read. One argument selects rows by a part of their name.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its table and may stop at once")]

use bailiwick_sandbox::{
    Access, Allocation, CompileCache, Grant, Grants, Limits, LoadLimits, Policy, Reserved, Sandbox, SandboxConfig,
    Tool, builtin,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("small.txt"), "line of some text\n".repeat(228)).unwrap();
    std::fs::write(base.path().join("large.txt"), "line of some text\n".repeat(58_254)).unwrap();
    println!("| what | p50 | p99 | peer p50 | ratio |\n|---|---|---|---|---|");
    for (label, allocation) in [("pooled", Allocation::Pooled { slots: 16 }), ("on demand", Allocation::OnDemand)] {
        let bench = Bench::new(allocation, base.path(), CompileCache::Off);
        bench.reads(label, "small.txt", "4 KiB", 20_000, base.path());
        bench.reads(label, "large.txt", "1 MiB", 1_000, base.path());
        for tasks in [1, 2] {
            bench.throughput(label, tasks);
        }
    }
    loads(base.path());
}

struct Bench {
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

fn sandbox(allocation: Allocation, cache: CompileCache) -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation,
        workers: 2,
        waiting: 1024,
        most_stuck: 4,
        largest_memory: 64 << 20,
        cache,
        load: LoadLimits {
            component_bytes: 16 << 20,
            functions: 50_000,
            function_bytes: 64 << 10,
            instances: 8,
            memories: 1,
            tables: 4,
            description_bytes: 16 << 10,
            schema_bytes: 64 << 10,
            deadline: Duration::from_secs(60),
            at_once: 2,
            threads: 2,
            most_stuck: 2,
        },
        describe: limits(),
    })
    .unwrap()
}

impl Bench {
    fn new(allocation: Allocation, granted: &Path, cache: CompileCache) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        let sandbox = sandbox(allocation, cache);
        let tool = runtime.block_on(sandbox.load(builtin::READ_FILE, Policy::Files)).unwrap();
        let grants =
            Grants::new(vec![Grant::open("d", granted, Access::ReadOnly, &Reserved::none()).unwrap()]).unwrap();
        Self { runtime, sandbox: Arc::new(sandbox), tool, grants }
    }

    fn reads(&self, label: &str, file: &str, size: &str, count: usize, base: &Path) {
        let input = format!(r#"{{"filePath":"d/{file}"}}"#);
        let path = base.join(file);
        let native = distribution(count, || {
            let started = Instant::now();
            std::hint::black_box(std::fs::read_to_string(&path).unwrap());
            started.elapsed()
        });
        let mut outer = Vec::with_capacity(count);
        let worker = distribution(count, || {
            let started = Instant::now();
            let report = self.runtime.block_on(self.sandbox.invoke(&self.tool, &self.grants, input.clone(), &limits()));
            outer.push(started.elapsed());
            std::hint::black_box(report.outcome.unwrap());
            report.cost.wall
        });
        let mut checking = Vec::with_capacity(count);
        let checked = distribution(count.min(2_000), || {
            let started = Instant::now();
            let report = self.runtime.block_on(self.sandbox.call(&self.tool, &self.grants, &input, &limits()));
            std::hint::black_box(report.outcome.unwrap());
            checking.push(report.cost.checking);
            started.elapsed()
        });
        row(&format!("ReadFile {size}, {label}, on its worker"), worker, Some(native));
        row(&format!("ReadFile {size}, {label}, async API"), percentiles(outer), Some(native));
        row(&format!("ReadFile {size}, {label}, async API with schema checks"), checked, Some(native));
        row(&format!("of that, schema checks, {size}"), percentiles(checking), None);
    }

    fn throughput(&self, label: &str, tasks: usize) {
        let each = 20_000;
        let started = Instant::now();
        self.runtime.block_on(async {
            let mut running = Vec::new();
            for _ in 0..tasks {
                let (sandbox, tool, grants) = (self.sandbox.clone(), self.tool.clone(), self.grants.clone());
                running.push(tokio::spawn(async move {
                    let limits = limits();
                    // Several in flight for each task, so that workers are measured and not the wake-up of one.
                    for _ in 0..each / 8 {
                        let input = || r#"{"filePath":"d/small.txt"}"#.to_owned();
                        let call = || sandbox.invoke(&tool, &grants, input(), &limits);
                        let (a, b, c, d) = tokio::join!(call(), call(), call(), call());
                        let (e, f, g, h) = tokio::join!(call(), call(), call(), call());
                        for report in [a, b, c, d, e, f, g, h] {
                            report.outcome.unwrap();
                        }
                    }
                }));
            }
            for task in running {
                task.await.unwrap();
            }
        });
        let rate = (each * tasks) as f64 / started.elapsed().as_secs_f64();
        println!("| calls/s, 4 KiB, {label}, {tasks} task(s) | {rate:.0} | | | |");
    }
}

fn loads(base: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let cache = CompileCache::Directory(base.join("cache"));
    let mut times = Vec::new();
    for _ in 0..20 {
        let sandbox = sandbox(Allocation::Pooled { slots: 16 }, cache.clone());
        let started = Instant::now();
        std::hint::black_box(runtime.block_on(sandbox.load(builtin::READ_FILE, Policy::Files)).unwrap());
        times.push(started.elapsed());
    }
    row("load ReadFile, cold (compiles)", (times[0], times[0]), None);
    row("load ReadFile, cached", percentiles(times.split_off(1)), None);
}

fn distribution(count: usize, mut once: impl FnMut() -> Duration) -> (Duration, Duration) {
    for _ in 0..count / 10 {
        once();
    }
    percentiles((0..count).map(|_| once()).collect())
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn row(what: &str, (p50, p99): (Duration, Duration), peer: Option<(Duration, Duration)>) {
    if std::env::args().skip(1).find(|argument| !argument.starts_with('-')).is_some_and(|part| !what.contains(&part)) {
        return;
    }
    let (peer, ratio) = match peer {
        Some((peer, _)) => (format!("{peer:.1?}"), format!("{:.1}", p50.as_secs_f64() / peer.as_secs_f64())),
        None => (String::new(), String::new()),
    };
    println!("| {what} | {p50:.1?} | {p99:.1?} | {peer} | {ratio} |");
}
