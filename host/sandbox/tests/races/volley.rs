//! Many calls of a tool, several in flight, and what they came to.

use crate::arena::{Arena, LANES, SECRET};
use crate::common::{World, block_on, limits};
use bailiwick_sandbox::{CallError, ErrorKind};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Iterations of the races over the whole distance.
pub(crate) const MANY: u32 = 100_000;
/// Iterations of their variants.
pub(crate) const FEW: u32 = 10_000;
/// How long one race may take. What is missing then is a failure.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) type Outcome = Result<String, CallError>;

/// What the iterations of one race came to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) iterations: u32,
    /// The calls that did their work, inside.
    pub(crate) done: u32,
    /// The calls that were refused or failed, by kind and with the first message of each.
    failed: BTreeMap<String, (u32, String)>,
}

impl Tally {
    pub(crate) fn note(&mut self, outcome: &Outcome) {
        let text = format!("{outcome:?}");
        assert!(!text.contains(SECRET), "the outside was shown: {text}");
        match outcome {
            Ok(_) => self.done += 1,
            Err(error) => {
                let kind = match error {
                    CallError::Tool(error) => format!("{:?}", error.kind),
                    CallError::Host(_) => "Host".to_owned(),
                };
                self.failed.entry(kind).or_insert_with(|| (0, error.to_string())).0 += 1;
            }
        }
    }

    /// Panics unless there were enough iterations, the tool did its work in enough calls and met the other state, which
    /// shows as `other`, in enough. A call may end as one of `passing`, too, where it met both states in one.
    pub(crate) fn assert_counts(&self, iterations: u32, other: ErrorKind, passing: &[ErrorKind]) {
        // On a loaded machine one of the two states is met in few calls; some are enough to show that both are reached.
        let enough = iterations / 500;
        assert!(self.iterations >= iterations, "too few iterations in the time there is: {self:?}");
        assert!(self.done >= enough, "the tool hardly ever met the inside: {self:?}");
        let other = format!("{other:?}");
        let met = self.failed.get(&other).map_or(0, |(count, _)| *count);
        assert!(met >= enough, "the tool hardly ever met the other state: {self:?}");
        let passing: Vec<_> = passing.iter().map(|kind| format!("{kind:?}")).collect();
        for (kind, (_, message)) in &self.failed {
            assert!(*kind == other || passing.contains(kind), "{kind}: {message}; {self:?}");
        }
    }
}

/// Runs `lane` for each of the lanes over and over until there were `iterations` of it, or the time is over. All run
/// on this thread and wait for the workers of the sandbox, so that these never run dry.
pub(crate) fn volley<F>(arena: &Arena, iterations: u32, lane: impl Fn(Shooter, usize) -> F + 'static) -> Tally
where
    F: Future<Output = ()> + 'static,
{
    let shooter = Shooter { world: arena.world.clone(), tally: Rc::default() };
    let started = Rc::new(Cell::new(0));
    let end = Instant::now() + PATIENCE;
    let lane = Rc::new(lane);
    let lanes = tokio::task::LocalSet::new();
    let mut running = Vec::new();
    for number in 0..LANES {
        let (shooter, started, lane) = (shooter.clone(), started.clone(), lane.clone());
        running.push(lanes.spawn_local(async move {
            while started.get() < iterations && Instant::now() < end {
                started.set(started.get() + 1);
                lane(shooter.clone(), number).await;
                shooter.tally.borrow_mut().iterations += 1;
            }
        }));
    }
    block_on(lanes.run_until(async {
        for lane in running {
            lane.await.unwrap();
        }
    }));
    assert_eq!(shooter.world.sandbox.stuck(), 0, "a call was abandoned");
    shooter.tally.take()
}

/// Calls tools and notes what comes of it.
#[derive(Clone)]
pub(crate) struct Shooter {
    world: Arc<World>,
    tally: Rc<RefCell<Tally>>,
}

impl Shooter {
    pub(crate) async fn call(&self, tool: &str, input: Value) -> Outcome {
        let world = &self.world;
        let report = world.sandbox.invoke(world.tool(tool), &world.grants, input.to_string(), &limits()).await;
        let outcome = report.outcome;
        self.tally.borrow_mut().note(&outcome);
        outcome
    }
}
