//! A bounded queue whose items go to the worker that was parked last.
//!
//! The usual queues, `crossbeam-channel` among them, wake the one that has waited longest. With one caller after the other the workers then take turns, and
//! each comes with cold caches and an allocator's arena of its own. Here one worker stays warm for as long as it suffices.
//!
//! Where processors are few it even suffices for a handful of items: a second worker would take the processor from the thread that
//! brings the items, and both would wait for each other's locks.

use crate::adaptive_spin::SpinPolicy;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// A worker that is away for less than this is about to come back.
const QUICK: Duration = Duration::from_micros(150);

/// The end that items are put in at. When it is dropped, what is in the queue is still received.
pub(crate) struct Sender<T>(Arc<Queue<T>>);

/// The end that items are taken from.
pub(crate) struct Receiver<T>(Arc<Queue<T>>);

/// An item that is given back, as every place is taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full<T>(pub(crate) T);

struct Queue<T> {
    places: usize,
    /// So many items are left to a worker that is about to come back.
    spared: usize,
    state: Mutex<State<T>>,
}

struct State<T> {
    items: VecDeque<T>,
    /// The parked workers, the last at the end.
    waiting: Vec<Arc<ParkedWorker>>,
    /// The worker that took the last item and has not come back.
    away: Option<Away>,
    closed: bool,
}

struct Away {
    worker: Arc<ParkedWorker>,
    since: Instant,
    /// Whether it came back quickly the last time.
    is_quick: bool,
}

impl<T> State<T> {
    /// Whether what stands here can be left to the worker that took the last item.
    fn is_spared(&self, most: usize) -> bool {
        self.items.len() <= most && self.away.as_ref().is_some_and(|away| away.is_quick && away.since.elapsed() < QUICK)
    }
}

/// A thread that is parked until there is an item for it.
pub(crate) struct ParkedWorker {
    thread: Thread,
    woken: AtomicBool,
    spin: SpinPolicy,
}

impl ParkedWorker {
    /// The current thread.
    pub(crate) fn current() -> Arc<Self> {
        Arc::new(Self { thread: std::thread::current(), woken: AtomicBool::new(false), spin: SpinPolicy::default() })
    }

    fn wake(&self) {
        self.woken.store(true, Ordering::Release);
        self.thread.unpark();
    }

    fn wait(&self) {
        let begun = Instant::now();
        let is_woken = || self.woken.load(Ordering::Acquire).then_some(());
        if self.spin.wait(is_woken).is_some() {
            return;
        }
        while is_woken().is_none() {
            std::thread::park();
        }
        self.spin.record(begun.elapsed());
    }
}

/// A queue in which at most `places` items stand, `spared` of them without calling another worker while the last one is
/// about to come back. Should it stay away, [`Receiver::rescue`] has to be called.
pub(crate) fn bounded<T>(places: usize, spared: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { items: VecDeque::new(), waiting: Vec::new(), away: None, closed: false };
    let queue = Arc::new(Queue { places, spared, state: Mutex::new(state) });
    (Sender(queue.clone()), Receiver(queue))
}

impl<T> Queue<T> {
    /// Nothing panics while it is held.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Sender<T> {
    /// Puts an item in if there is a place.
    ///
    /// # Errors
    /// The item, where there is none.
    pub(crate) fn try_send(&self, item: T) -> Result<(), Full<T>> {
        let called = {
            let mut state = self.0.lock();
            if state.items.len() >= self.0.places {
                return Err(Full(item));
            }
            state.items.push_back(item);
            if state.is_spared(self.0.spared) { None } else { state.waiting.pop() }
        };
        if let Some(worker) = called {
            worker.wake();
        }
        Ok(())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let waiting = {
            let mut state = self.0.lock();
            state.closed = true;
            std::mem::take(&mut state.waiting)
        };
        waiting.iter().for_each(|worker| worker.wake());
    }
}

impl<T> Receiver<T> {
    /// Waits for an item on the thread of `worker`. `None` when no more will come.
    pub(crate) fn recv(&self, worker: &Arc<ParkedWorker>) -> Option<T> {
        let mut is_quick = false;
        loop {
            let (item, other) = {
                let mut state = self.0.lock();
                if let Some(away) = state.away.take_if(|away| Arc::ptr_eq(&away.worker, worker)) {
                    is_quick = away.since.elapsed() < QUICK;
                }
                match state.items.pop_front() {
                    Some(item) => {
                        state.away = Some(Away { worker: worker.clone(), since: Instant::now(), is_quick });
                        // What was left to a worker that turns out to be slow.
                        let was_left = self.0.spared > 0 && !state.items.is_empty();
                        let other = if was_left && !is_quick { state.waiting.pop() } else { None };
                        (Some(item), other)
                    }
                    None if state.closed => return None,
                    None => {
                        worker.woken.store(false, Ordering::Release);
                        state.waiting.push(worker.clone());
                        (None, None)
                    }
                }
            };
            if let Some(other) = other {
                other.wake();
            }
            if item.is_some() {
                return item;
            }
            // The sender takes the worker off the list. Another one may take the item before the next look.
            worker.wait();
        }
    }

    /// Calls another worker for what was left to one that did not come back.
    pub(crate) fn rescue(&self) {
        let other = {
            let mut state = self.0.lock();
            let is_fine = state.items.is_empty() || state.is_spared(self.0.spared);
            if is_fine { None } else { state.waiting.pop() }
        };
        if let Some(other) = other {
            other.wake();
        }
    }

    /// Takes an item if there is one.
    pub(crate) fn try_recv(&self) -> Option<T> {
        self.0.lock().items.pop_front()
    }

    /// Whether no item is waiting.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().items.is_empty()
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    fn wait_for<T>(receiver: &Receiver<T>, waiting: usize) {
        while receiver.0.lock().waiting.len() < waiting {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn who_began_to_wait_last_is_called_first() {
        let (sender, receiver) = bounded::<u32>(4, 0);
        let (tell, told) = mpsc::channel();
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let (own, tell) = (receiver.clone(), tell.clone());
                let thread = std::thread::spawn(move || {
                    let worker = ParkedWorker::current();
                    while let Some(item) = own.recv(&worker) {
                        tell.send((number, item)).unwrap();
                    }
                });
                wait_for(&receiver, number + 1);
                thread
            })
            .collect();
        for item in 0..20 {
            sender.try_send(item).unwrap();
            assert_eq!(told.recv().unwrap(), (2, item));
            wait_for(&receiver, 3);
        }
        drop(sender);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    #[test]
    fn every_item_is_received_once_while_workers_come_and_go() {
        for (receivers, spared) in (1..5).flat_map(|receivers| [(receivers, 0), (receivers, 3)]) {
            let (sender, receiver) = bounded::<usize>(3, spared);
            let threads: Vec<_> = (0..receivers)
                .map(|_| {
                    let own = receiver.clone();
                    std::thread::spawn(move || {
                        let (worker, mut had) = (ParkedWorker::current(), Vec::new());
                        while let Some(item) = own.recv(&worker) {
                            had.push(item);
                        }
                        had
                    })
                })
                .collect();
            for item in 0..5_000 {
                let mut unsent = sender.try_send(item);
                while let Err(Full(item)) = unsent {
                    std::thread::yield_now();
                    unsent = sender.try_send(item);
                }
            }
            drop(sender);
            let mut had: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
            had.sort_unstable();
            assert!(had.into_iter().eq(0..5_000), "{receivers} receivers");
        }
    }

    /// A worker at the queue that stays away with each item until it is told to come back.
    struct Worker {
        took: mpsc::Receiver<u32>,
        back: mpsc::Sender<()>,
    }

    impl Worker {
        fn start(queue: &Receiver<u32>) -> Self {
            let (queue, (tell, took), (back, told)) = (queue.clone(), mpsc::channel(), mpsc::channel());
            std::thread::spawn(move || {
                let worker = ParkedWorker::current();
                while let Some(item) = queue.recv(&worker) {
                    let _ = tell.send(item);
                    let _ = told.recv();
                }
            });
            Self { took, back }
        }

        fn took(&self) -> u32 {
            self.took.recv_timeout(Duration::from_secs(60)).unwrap()
        }

        fn takes_nothing(&self) -> bool {
            self.took.recv_timeout(Duration::from_millis(100)).is_err()
        }
    }

    /// Two workers, of which the second took item 0 and is away, quickly so far or not.
    fn one_is_away(is_quick: bool) -> (Sender<u32>, Receiver<u32>, [Worker; 2]) {
        let (sender, receiver) = bounded(8, 2);
        let first = Worker::start(&receiver);
        wait_for(&receiver, 1);
        let second = Worker::start(&receiver);
        wait_for(&receiver, 2);
        sender.try_send(0).unwrap();
        assert_eq!(second.took(), 0);
        went(&receiver, is_quick, Duration::ZERO);
        (sender, receiver, [first, second])
    }

    /// As if the worker that is away had gone so long ago. No test can tell a thread to be quick.
    fn went(receiver: &Receiver<u32>, is_quick: bool, ago: Duration) {
        let mut state = receiver.0.lock();
        let away = state.away.as_mut().unwrap();
        away.is_quick = is_quick;
        // A moment that lasts for as long as the test does.
        away.since = if ago.is_zero() { Instant::now() + Duration::from_secs(600) } else { Instant::now() - ago };
    }

    #[test]
    fn item_that_a_spinning_worker_will_take_wakes_no_other() {
        let (sender, receiver, [first, second]) = one_is_away(true);
        sender.try_send(1).unwrap();
        sender.try_send(2).unwrap();
        assert!(first.takes_nothing());
        second.back.send(()).unwrap();
        assert_eq!(second.took(), 1);
        // More than may be left to it.
        went(&receiver, true, Duration::ZERO);
        sender.try_send(3).unwrap();
        sender.try_send(4).unwrap();
        assert_eq!(first.took(), 2);
    }

    #[test]
    fn nothing_is_left_to_a_worker_that_is_not_quick() {
        let (sender, _receiver, [first, _second]) = one_is_away(false);
        sender.try_send(1).unwrap();
        assert_eq!(first.took(), 1);
    }

    #[test]
    fn nothing_is_left_to_a_worker_that_has_been_away_for_long() {
        let (sender, receiver, [first, _second]) = one_is_away(true);
        went(&receiver, true, QUICK);
        sender.try_send(1).unwrap();
        assert_eq!(first.took(), 1);
    }

    #[test]
    fn what_was_left_to_a_worker_that_stays_away_is_rescued() {
        let (sender, receiver, [first, _second]) = one_is_away(true);
        sender.try_send(1).unwrap();
        assert!(first.takes_nothing());
        receiver.rescue();
        assert!(first.takes_nothing(), "it may still come");
        went(&receiver, true, QUICK);
        receiver.rescue();
        assert_eq!(first.took(), 1);
        receiver.rescue();
    }

    #[test]
    fn worker_that_came_back_late_does_not_keep_what_was_left_to_it() {
        let (sender, receiver, [first, second]) = one_is_away(true);
        sender.try_send(1).unwrap();
        sender.try_send(2).unwrap();
        went(&receiver, true, QUICK);
        second.back.send(()).unwrap();
        assert_eq!(second.took(), 1);
        assert_eq!(first.took(), 2);
    }

    #[test]
    fn no_more_stand_in_it_than_have_a_place() {
        let (sender, receiver) = bounded(2, 0);
        assert!(receiver.is_empty());
        sender.try_send('a').unwrap();
        sender.try_send('b').unwrap();
        assert_eq!(sender.try_send('c'), Err(Full('c')));
        assert_eq!(receiver.try_recv(), Some('a'));
        sender.try_send('c').unwrap();
        assert!(!receiver.is_empty());
        drop(sender);
        let worker = ParkedWorker::current();
        let rest: Vec<_> = std::iter::from_fn(|| receiver.recv(&worker)).collect();
        assert_eq!(rest, ['b', 'c']);
    }
}
