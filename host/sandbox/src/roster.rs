//! How many threads work and how many hang, as plain numbers: the rules that [`crate::worker`] follows, without threads.

/// Counts of one crew. Never more than `wanted + most_stuck` threads exist, so a guest that can make every call hang
/// takes a bounded number of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Roster {
    wanted: usize,
    most_stuck: usize,
    working: usize,
    stuck: usize,
}

/// What a thread does that was given up and then came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returned {
    /// Nobody could be hired in its place, so it takes it up again.
    Works,
    /// Its place is taken.
    Leaves,
}

impl Roster {
    pub(crate) fn new(wanted: usize, most_stuck: usize) -> Self {
        Self { wanted, most_stuck, working: 0, stuck: 0 }
    }

    pub(crate) fn stuck(&self) -> usize {
        self.stuck
    }

    /// Nobody is left to take a call.
    pub(crate) fn deserted(&self) -> bool {
        self.working == 0
    }

    /// Whether one more thread is to be started.
    pub(crate) fn short(&self) -> bool {
        self.working < self.wanted && self.working + self.stuck < self.wanted + self.most_stuck
    }

    /// A thread is about to be started.
    pub(crate) fn hires(&mut self) {
        self.working += 1;
    }

    /// It could not be started.
    pub(crate) fn hire_failed(&mut self) {
        self.working -= 1;
    }

    /// A working thread hangs.
    pub(crate) fn gives_up(&mut self) {
        self.working -= 1;
        self.stuck += 1;
    }

    /// A hanging thread came back.
    pub(crate) fn returns(&mut self) -> Returned {
        self.stuck -= 1;
        if self.working < self.wanted {
            self.working += 1;
            Returned::Works
        } else {
            Returned::Leaves
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
        Hire { works: bool },
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![Just(Event::Hangs), Just(Event::ComesBack), any::<bool>().prop_map(|works| Event::Hire { works }),]
    }

    fn fill(roster: &mut Roster) {
        while roster.short() {
            roster.hires();
        }
    }

    proptest! {
        #[test]
        fn threads_are_bounded_and_every_place_is_filled_again(
            wanted in 1_usize..6,
            most_stuck in 1_usize..6,
            events in proptest::collection::vec(event(), 0..80),
        ) {
            let mut roster = Roster::new(wanted, most_stuck);
            // What really happens to threads, beside the numbers.
            let (mut working, mut stuck) = (0_usize, 0_usize);
            for event in events {
                match event {
                    Event::Hangs if working > 0 => {
                        roster.gives_up();
                        working -= 1;
                        stuck += 1;
                    }
                    Event::ComesBack if stuck > 0 => {
                        stuck -= 1;
                        if roster.returns() == Returned::Works {
                            working += 1;
                        }
                    }
                    Event::Hire { works } if roster.short() => {
                        roster.hires();
                        if works { working += 1 } else { roster.hire_failed() }
                    }
                    _ => {}
                }
                prop_assert_eq!((roster.working, roster.stuck), (working, stuck));
                prop_assert!(working <= wanted);
                prop_assert!(working + stuck <= wanted + most_stuck);
                prop_assert_eq!(roster.deserted(), working == 0);
                // As long as fewer hang than may, every place can be filled.
                if stuck <= most_stuck {
                    let mut filled = roster.clone();
                    fill(&mut filled);
                    prop_assert_eq!(filled.working, wanted);
                }
            }
            // When everything that hung is back, the crew is whole whether or not a thread could be started meanwhile.
            let alone = working == 0 && stuck == 0;
            while roster.stuck() > 0 {
                roster.returns();
            }
            prop_assert!(alone || !roster.deserted());
            fill(&mut roster);
            prop_assert_eq!((roster.working, roster.stuck), (wanted, 0));
        }
    }
}
