//! Calls on a disk that no longer answers.

use super::apart::{apart, not_run};
use super::fuse::{DeadDisk, TEXT};
use crate::common::{limits, load_limits};
use bailiwick_sandbox::{
    Access, Allocation, Audit, CallError, CallReport, Capabilities, CompileCache, Grant, Grants, HostFailure, Limits,
    Reserved, Sandbox, SandboxConfig, Tool, builtin,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_millis(200);
/// How much later than its deadline a call may be given up on a busy machine. A call that is not would wait for ever.
const SLACK: Duration = Duration::from_secs(3);
const WORKERS: usize = 2;

struct Scene {
    sandbox: Arc<Sandbox>,
    read: Tool,
    list: Tool,
    /// A disk that answers, and one that does not.
    living: Grants,
    dead: Grants,
    disk: DeadDisk,
    runtime: tokio::runtime::Runtime,
    _base: tempfile::TempDir,
}

fn scene(most_stuck: usize) -> Option<Scene> {
    let base = tempfile::tempdir().unwrap();
    let (living, dead) = (base.path().join("living"), base.path().join("dead"));
    std::fs::create_dir(&living).unwrap();
    std::fs::create_dir(&dead).unwrap();
    std::fs::write(living.join("good"), TEXT).unwrap();
    let disk = match DeadDisk::mount(&dead) {
        Ok(disk) => disk,
        Err(error) => {
            not_run(&format!("no FUSE filesystem can be mounted: {error}"));
            return None;
        }
    };
    let sandbox = Sandbox::new(SandboxConfig {
        allocation: Allocation::Pooled { slots: u32::try_from(WORKERS + most_stuck).unwrap() },
        workers: WORKERS,
        waiting: 200,
        most_stuck,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load: load_limits(),
        audit: Audit::Off,
        describe: limits(),
    })
    .unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let load = |bytes| runtime.block_on(sandbox.load(bytes, &Capabilities::built_in())).unwrap();
    let (read, list) = (load(builtin::READ_FILE), load(builtin::LIST_FILES));
    let grants =
        |path: &Path| Grants::new(vec![Grant::open("d", path, Access::ReadOnly, &Reserved::none()).unwrap()]).unwrap();
    let (living, dead) = (grants(&living), grants(&dead));
    Some(Scene { sandbox: Arc::new(sandbox), read, list, living, dead, disk, runtime, _base: base })
}

impl Scene {
    fn read(&self, grants: &Grants, file: &str) -> (CallReport, Duration) {
        self.call(&self.read, grants, &format!(r#"{{"filePath":"{file}"}}"#))
    }

    fn call(&self, tool: &Tool, grants: &Grants, input: &str) -> (CallReport, Duration) {
        let started = Instant::now();
        let limits = Limits { deadline: DEADLINE, ..limits() };
        let report = self.runtime.block_on(self.sandbox.call(tool, grants, input, &limits));
        (report, started.elapsed())
    }

    /// Starts a call and leaves it running.
    fn start(&self, file: &str) -> tokio::task::JoinHandle<CallReport> {
        let (sandbox, tool, grants) = (self.sandbox.clone(), self.read.clone(), self.dead.clone());
        let input = format!(r#"{{"filePath":"{file}"}}"#);
        self.runtime.spawn(async move {
            sandbox.call(&tool, &grants, &input, &Limits { deadline: DEADLINE, ..limits() }).await
        })
    }

    fn wait_until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let started = Instant::now();
        while !holds(self) {
            assert!(started.elapsed() < Duration::from_secs(60), "{what} did not come true");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn assert_lives(&self) {
        let (report, _) = self.read(&self.living, "good");
        assert!(report.outcome.is_ok(), "{:?}", report.outcome);
    }

    /// The median of many reads on the disk that answers.
    fn median(&self) -> Duration {
        let mut times: Vec<_> = (0..300).map(|_| self.read(&self.living, "good").1).collect();
        times.sort();
        times[times.len() / 2]
    }
}

fn failure(report: &CallReport) -> Option<&HostFailure> {
    match &report.outcome {
        Err(CallError::Host(failure)) => Some(failure),
        _ => None,
    }
}

fn tool_threads() -> usize {
    let named = |task: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(task.unwrap().path().join("comm")).is_ok_and(|name| name.trim() == "bailiwick-tool")
    };
    std::fs::read_dir("/proc/self/task").unwrap().filter_map(|task| named(task).then_some(())).count()
}

#[test]
fn call_that_blocks_anywhere_is_given_up_at_its_deadline_and_its_thread_comes_back() {
    apart("blocked::dead::call_that_blocks_anywhere_is_given_up_at_its_deadline_and_its_thread_comes_back", || {
        let Some(scene) = scene(4) else { return };
        // What does not hang works.
        assert!(scene.read(&scene.dead, "good").0.outcome.unwrap().contains("from a slow disk"));
        // Closing is the host's own doing, after the guest has answered.
        let places = [
            (&scene.read, r#"{"filePath":"lookup"}"#),
            (&scene.read, r#"{"filePath":"open"}"#),
            (&scene.read, r#"{"filePath":"read"}"#),
            (&scene.read, r#"{"filePath":"close"}"#),
            (&scene.list, r#"{"path":"directory"}"#),
        ];
        for (tool, input) in places {
            scene.disk.die();
            let (report, took) = scene.call(tool, &scene.dead, input);
            assert_eq!(failure(&report), Some(&HostFailure::Abandoned(DEADLINE)), "{input}: {:?}", report.outcome);
            assert!(took >= DEADLINE && took < DEADLINE + SLACK, "{input}: {took:?}");
            assert_eq!((scene.sandbox.stuck(), scene.disk.held()), (1, 1), "{input}");
            scene.assert_lives();
            scene.disk.revive();
            scene.wait_until("the thread's return", |scene| scene.sandbox.stuck() == 0);
            let (report, _) = scene.call(tool, &scene.dead, input);
            assert!(report.outcome.is_ok(), "{input}: {:?}", report.outcome);
        }
        scene.wait_until("as many threads as wanted", |_| tool_threads() == WORKERS);
    });
}

#[test]
fn other_calls_keep_their_speed_while_calls_hang() {
    apart("blocked::dead::other_calls_keep_their_speed_while_calls_hang", || {
        let Some(scene) = scene(8) else { return };
        // As many as there are workers, so that without replacement none would be left.
        let hanging: Vec<_> = (0..WORKERS).map(|_| scene.start("read")).collect();
        scene.wait_until("every call hanging", |scene| scene.sandbox.stuck() == WORKERS);
        let during = scene.median();
        assert_eq!(scene.sandbox.stuck(), WORKERS);
        // A caller of a hanging call waits for its deadline.
        assert!(during < DEADLINE / 2, "{during:?} while {WORKERS} calls hang");
        scene.disk.revive();
        for call in hanging {
            let report = scene.runtime.block_on(call).unwrap();
            assert_eq!(failure(&report), Some(&HostFailure::Abandoned(DEADLINE)));
        }
        scene.wait_until("the threads' return", |scene| scene.sandbox.stuck() == 0);
        scene.assert_lives();
    });
}

#[test]
fn too_many_hanging_calls_are_refused_at_once_and_taken_again_when_the_disk_is_back() {
    apart("blocked::dead::too_many_hanging_calls_are_refused_at_once_and_taken_again_when_the_disk_is_back", || {
        const MOST: usize = 3;
        let Some(scene) = scene(MOST) else { return };
        // Far more than may hang, and all of them let in before the first one does.
        let calls: Vec<_> = (0..60).map(|_| scene.start("read")).collect();
        let started = Instant::now();
        scene.wait_until("saturation", |scene| scene.sandbox.stuck() >= MOST);
        for _ in 0..20 {
            let (report, _) = scene.read(&scene.living, "good");
            assert!(matches!(failure(&report), Some(HostFailure::Saturated { .. })), "{:?}", report.outcome);
        }
        let mut abandoned = 0;
        for call in calls {
            let report = scene.runtime.block_on(call).unwrap();
            match failure(&report) {
                Some(HostFailure::Abandoned(_)) => abandoned += 1,
                Some(HostFailure::Saturated { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
        // No caller waited for more than the few deadlines that it takes until no thread is left.
        assert!(started.elapsed() < 6 * DEADLINE + SLACK, "{:?}", started.elapsed());
        // The last ones were let in while one less than the most hung.
        assert!((MOST..MOST + WORKERS).contains(&abandoned), "{abandoned}");
        assert!(tool_threads() <= MOST + WORKERS, "{}", tool_threads());
        scene.disk.revive();
        scene.wait_until("the threads' return", |scene| scene.sandbox.stuck() == 0);
        scene.assert_lives();
        scene.wait_until("as many threads as wanted", |_| tool_threads() == WORKERS);
        // And again, as if nothing had been.
        scene.disk.die();
        assert_eq!(failure(&scene.read(&scene.dead, "read").0), Some(&HostFailure::Abandoned(DEADLINE)));
        assert_eq!(scene.sandbox.stuck(), 1);
        scene.assert_lives();
    });
}
