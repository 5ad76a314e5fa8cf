//! Numbers that decide what a generator makes. They shrink to zeros, which stand for the plainest of everything.

use proptest::prelude::*;

/// Numbers still to be used; when they run out, zeros follow.
#[derive(Debug, Clone)]
pub(super) struct Choices(std::vec::IntoIter<u16>);

impl Choices {
    fn next(&mut self) -> usize {
        self.0.next().unwrap_or_default().into()
    }

    /// A number below this one, which is not zero.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.next() % end
    }

    pub(super) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub(super) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Once in four times.
    pub(super) fn rarely(&mut self) -> bool {
        self.below(4) == 3
    }
}

/// Any choices.
pub(super) fn choices() -> impl Strategy<Value = Choices> {
    proptest::collection::vec(any::<u16>(), 0..60).prop_map(|numbers| Choices(numbers.into_iter()))
}
