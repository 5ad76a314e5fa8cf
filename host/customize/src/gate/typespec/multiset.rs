//! Things that are compared by how often each is there.

use std::collections::BTreeMap;

/// How often each thing is there.
pub(super) struct Multiset<T>(BTreeMap<T, usize>);

impl<T: Ord> Multiset<T> {
    pub(super) fn add(&mut self, thing: T) {
        let count = self.0.entry(thing).or_default();
        *count = count.saturating_add(1);
    }

    /// Takes one of these out; whether it was there.
    pub(super) fn take(&mut self, thing: &T) -> bool {
        self.0.get_mut(thing).is_some_and(take_one)
    }

    /// [`Self::take`] of the first thing that fits.
    pub(super) fn take_first(&mut self, fits: impl Fn(&T) -> bool) -> bool {
        self.0.iter_mut().any(|(thing, count)| fits(thing) && take_one(count))
    }
}

fn take_one(count: &mut usize) -> bool {
    let left = count.checked_sub(1);
    *count = left.unwrap_or(*count);
    left.is_some()
}

impl<T> Default for Multiset<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Ord> FromIterator<T> for Multiset<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut all = Self::default();
        things.into_iter().for_each(|thing| all.add(thing));
        all
    }
}
