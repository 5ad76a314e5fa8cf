//! Callers that go away, and callers that come all at once.

use super::guest::Guest;
use super::{ANSWER, assert_unharmed, load};
use crate::common::{block_on, limits, load_limits};
use bailiwick_sandbox::{
    Allocation, Audit, CallError, CompileCache, Grants, HostFailure, Limits, Sandbox, SandboxConfig,
};
use std::time::{Duration, Instant};

fn single(waiting: usize) -> Sandbox {
    Sandbox::new(SandboxConfig {
        allocation: Allocation::OnDemand,
        workers: 1,
        waiting,
        most_stuck: 1,
        largest_memory: 64 << 20,
        cache: CompileCache::Off,
        load: load_limits(),
        audit: Audit::Off,
        describe: Limits { deadline: Duration::from_secs(2), ..limits() },
    })
    .unwrap()
}

const ENDLESS: &str = "(loop (br 0)) (unreachable)";

#[test]
fn call_whose_caller_has_gone_frees_its_worker_at_once() {
    let sandbox = single(8);
    let tool = load(&sandbox, &Guest::new(ENDLESS));
    let patient = Limits { deadline: Duration::from_secs(60), ..limits() };
    block_on(async {
        let none = Grants::none();
        let call = sandbox.call(&tool, &none, "{}", &patient);
        assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err());
    });
    // There is one worker, so this waits for it.
    let started = Instant::now();
    assert_unharmed(&sandbox);
    assert!(started.elapsed() < patient.deadline / 2, "{:?}", started.elapsed());
}

#[test]
fn calls_that_wait_are_bounded_and_the_next_one_is_told_so() {
    let sandbox = single(3);
    let (endless, honest) = (load(&sandbox, &Guest::new(ENDLESS)), load(&sandbox, &Guest::new(ANSWER)));
    let slow = Limits { deadline: Duration::from_millis(500), ..limits() };
    let none = Grants::none();
    block_on(async {
        let first = sandbox.call(&endless, &none, "{}", &slow);
        let others = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let all = (0..8).map(|_| sandbox.call(&honest, &none, "{}", &slow));
            let mut set = Vec::new();
            for call in all {
                set.push(Box::pin(call));
            }
            join(set).await
        };
        let (first, others) = tokio::join!(first, others);
        assert_eq!(first.outcome.unwrap_err(), HostFailure::Deadline(slow.deadline).into());
        let busy: CallError = HostFailure::Busy { waiting: 3 }.into();
        let refused = others.iter().filter(|report| report.outcome.as_ref().is_err_and(|error| *error == busy)).count();
        let answered = others.iter().filter(|report| report.outcome.is_ok()).count();
        assert_eq!((answered, refused), (3, 5));
    });
    assert_unharmed(&sandbox);
}

/// A runtime may have one thread, on which everything else waits for what a poll does.
#[test]
fn waiting_call_is_polled_again_only_for_its_answer() {
    let sandbox = single(8);
    let (honest, endless) = (load(&sandbox, &Guest::new(ANSWER)), load(&sandbox, &Guest::new(ENDLESS)));
    let (none, brief) = (Grants::none(), Limits { deadline: Duration::from_millis(100), ..limits() });
    block_on(async {
        // Answers that come at once could teach it to wait for the next one by polling.
        for _ in 0..100 {
            sandbox.call(&honest, &none, "{}", &limits()).await.outcome.unwrap();
        }
        let mut polls = 0;
        let mut call = std::pin::pin!(sandbox.call(&endless, &none, "{}", &brief));
        let report = std::future::poll_fn(|context| {
            polls += 1;
            call.as_mut().poll(context)
        })
        .await;
        assert_eq!(report.outcome.unwrap_err(), HostFailure::Deadline(brief.deadline).into());
        assert_eq!(polls, 2);
    });
}

/// All of them at the same time.
async fn join<F: Future + Unpin>(mut futures: Vec<F>) -> Vec<F::Output> {
    let mut done: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    std::future::poll_fn(move |context| {
        for (future, done) in futures.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(output) = std::pin::Pin::new(future).poll(context)
            {
                *done = Some(output);
            }
        }
        if done.iter().all(Option::is_some) {
            std::task::Poll::Ready(done.drain(..).flatten().collect())
        } else {
            std::task::Poll::Pending
        }
    })
    .await
}

/// The clock sleeps when nothing runs, and must not sleep for ever when its sandbox is gone.
#[test]
fn threads_of_a_sandbox_that_is_gone_end() {
    super::alone::alone("limits::caller::threads_of_a_sandbox_that_is_gone_end", || {
        let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
        let before = threads();
        let sandboxes: Vec<_> = (0..5).map(|_| single(1)).collect();
        assert!(threads() >= before + 10);
        // Longer than the clock stays awake.
        std::thread::sleep(Duration::from_secs(1));
        drop(sandboxes);
        let waited = Instant::now();
        while threads() > before && waited.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(threads(), before);
    });
}
