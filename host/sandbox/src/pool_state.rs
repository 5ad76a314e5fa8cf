//! How many threads of a pool work and how many hang, as plain numbers: the rules that [`crate::worker`] follows.

/// Counts of one pool. Never more than `wanted + most_stuck` threads exist, so a guest that can make every call hang
/// takes a bounded number of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PoolState {
    wanted: usize,
    most_stuck: usize,
    working: usize,
    stuck: usize,
}

/// What a thread does that was given up and then came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returned {
    /// No other thread could be started in its place, so it goes on.
    Resumes,
    /// Another thread has its place.
    Exits,
}

impl PoolState {
    pub(crate) fn new(wanted: usize, most_stuck: usize) -> Self {
        Self { wanted, most_stuck, working: 0, stuck: 0 }
    }

    pub(crate) fn stuck(&self) -> usize {
        self.stuck
    }

    /// Whether no thread can take a call.
    pub(crate) fn is_empty(&self) -> bool {
        self.working == 0
    }

    /// Whether one more thread is to be started.
    pub(crate) fn needs_thread(&self) -> bool {
        self.working < self.wanted && self.working + self.stuck < self.wanted + self.most_stuck
    }

    /// A thread is about to be started.
    pub(crate) fn spawned(&mut self) {
        self.working += 1;
    }

    /// It could not be started.
    pub(crate) fn spawn_failed(&mut self) {
        self.working -= 1;
    }

    /// A working thread hangs.
    pub(crate) fn abandoned(&mut self) {
        self.working -= 1;
        self.stuck += 1;
    }

    /// A hanging thread came back.
    pub(crate) fn returned(&mut self) -> Returned {
        self.stuck -= 1;
        if self.working < self.wanted {
            self.working += 1;
            Returned::Resumes
        } else {
            Returned::Exits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Event {
        Hangs,
        ComesBack,
        Spawn { works: bool },
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![Just(Event::Hangs), Just(Event::ComesBack), any::<bool>().prop_map(|works| Event::Spawn { works }),]
    }

    fn fill(state: &mut PoolState) {
        while state.needs_thread() {
            state.spawned();
        }
    }

    proptest! {
        #[test]
        fn threads_are_bounded_and_every_place_is_filled_again(
            wanted in 1_usize..6,
            most_stuck in 1_usize..6,
            events in proptest::collection::vec(event(), 0..80),
        ) {
            let mut state = PoolState::new(wanted, most_stuck);
            // What really happens to threads, beside the numbers.
            let (mut working, mut stuck) = (0_usize, 0_usize);
            for event in events {
                match event {
                    Event::Hangs if working > 0 => {
                        state.abandoned();
                        working -= 1;
                        stuck += 1;
                    }
                    Event::ComesBack if stuck > 0 => {
                        stuck -= 1;
                        if state.returned() == Returned::Resumes {
                            working += 1;
                        }
                    }
                    Event::Spawn { works } if state.needs_thread() => {
                        state.spawned();
                        if works { working += 1 } else { state.spawn_failed() }
                    }
                    _ => {}
                }
                prop_assert_eq!((state.working, state.stuck), (working, stuck));
                prop_assert!(working <= wanted);
                prop_assert!(working + stuck <= wanted + most_stuck);
                prop_assert_eq!(state.is_empty(), working == 0);
                // As long as fewer hang than may, every place can be filled.
                if stuck <= most_stuck {
                    let mut filled = state.clone();
                    fill(&mut filled);
                    prop_assert_eq!(filled.working, wanted);
                }
            }
            // When everything that hung is back, the pool is whole whether or not a thread could be started meanwhile.
            let alone = working == 0 && stuck == 0;
            while state.stuck() > 0 {
                state.returned();
            }
            prop_assert!(alone || !state.is_empty());
            fill(&mut state);
            prop_assert_eq!((state.working, state.stuck), (wanted, 0));
        }
    }
}
