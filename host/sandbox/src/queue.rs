//! A bounded queue whose items go to whoever began to wait last.
//!
//! The usual queues wake the one that has waited longest. With one caller after the other the workers then take turns, and
//! each comes with cold caches and an allocator's arena of its own. Here one worker stays warm for as long as it suffices.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

/// So often another thread is let go first before one that waits goes to sleep: the next call often comes at once.
const YIELDS: usize = 16;

/// The end that items are put in at. When it is dropped, what is in the queue is still received.
pub(crate) struct Sender<T>(Arc<Queue<T>>);

/// The end that items are taken from.
pub(crate) struct Receiver<T>(Arc<Queue<T>>);

/// An item that is given back, as every place is taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full<T>(pub(crate) T);

struct Queue<T> {
    places: usize,
    state: Mutex<State<T>>,
}

struct State<T> {
    items: VecDeque<T>,
    /// Who waits, the last at the end.
    waiting: Vec<Arc<Seat>>,
    closed: bool,
}

/// Where one thread waits.
pub(crate) struct Seat {
    thread: Thread,
    called: AtomicBool,
}

impl Seat {
    /// The current thread's.
    pub(crate) fn here() -> Arc<Self> {
        Arc::new(Self { thread: std::thread::current(), called: AtomicBool::new(false) })
    }

    fn call(&self) {
        self.called.store(true, Ordering::Release);
        self.thread.unpark();
    }

    fn wait(&self) {
        for _ in 0..YIELDS {
            if self.called.load(Ordering::Acquire) {
                return;
            }
            std::thread::yield_now();
        }
        while !self.called.load(Ordering::Acquire) {
            std::thread::park();
        }
    }
}

/// A queue in which at most `places` items stand.
pub(crate) fn bounded<T>(places: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { items: VecDeque::new(), waiting: Vec::new(), closed: false };
    let queue = Arc::new(Queue { places, state: Mutex::new(state) });
    (Sender(queue.clone()), Receiver(queue))
}

impl<T> Queue<T> {
    /// Nobody can panic while it is held.
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
            state.waiting.pop()
        };
        if let Some(seat) = called {
            seat.call();
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
        waiting.iter().for_each(|seat| seat.call());
    }
}

impl<T> Receiver<T> {
    /// Waits for an item in this thread's seat. `None` when no more will come.
    pub(crate) fn recv(&self, seat: &Arc<Seat>) -> Option<T> {
        loop {
            {
                let mut state = self.0.lock();
                if let Some(item) = state.items.pop_front() {
                    return Some(item);
                }
                if state.closed {
                    return None;
                }
                seat.called.store(false, Ordering::Release);
                state.waiting.push(seat.clone());
            }
            // Whoever calls takes the seat off the list. Another may have taken the item by the time of the next look.
            seat.wait();
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
        let (sender, receiver) = bounded::<u32>(4);
        let (tell, told) = mpsc::channel();
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let (own, tell) = (receiver.clone(), tell.clone());
                let thread = std::thread::spawn(move || {
                    let seat = Seat::here();
                    while let Some(item) = own.recv(&seat) {
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
    fn every_item_is_received_once_whoever_comes_and_goes() {
        for receivers in 1..5 {
            let (sender, receiver) = bounded::<usize>(3);
            let threads: Vec<_> = (0..receivers)
                .map(|_| {
                    let own = receiver.clone();
                    std::thread::spawn(move || {
                        let (seat, mut had) = (Seat::here(), Vec::new());
                        while let Some(item) = own.recv(&seat) {
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

    #[test]
    fn no_more_stand_in_it_than_have_a_place() {
        let (sender, receiver) = bounded(2);
        assert!(receiver.is_empty());
        sender.try_send('a').unwrap();
        sender.try_send('b').unwrap();
        assert_eq!(sender.try_send('c'), Err(Full('c')));
        assert_eq!(receiver.try_recv(), Some('a'));
        sender.try_send('c').unwrap();
        assert!(!receiver.is_empty());
        drop(sender);
        let seat = Seat::here();
        let rest: Vec<_> = std::iter::from_fn(|| receiver.recv(&seat)).collect();
        assert_eq!(rest, ['b', 'c']);
    }
}
