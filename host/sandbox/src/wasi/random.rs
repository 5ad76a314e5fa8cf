//! `wasi:random`. Without a grant the bytes are a fixed sequence, the same in every call: enough for hash tables, and
//! nothing to make a key of.

use super::View;
use crate::capabilities::Random;
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};

/// The guest asked for more random bytes than it may have. Ends the call.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("too many random bytes")]
pub(crate) struct TooRandom {
    pub(crate) limit: u64,
}

/// Where the bytes of one call come from, and how many are left.
pub(crate) struct RandomSource {
    source: Random,
    state: u64,
    left: u64,
    limit: u64,
}

impl RandomSource {
    pub(crate) fn new(source: Random, limit: u64) -> Self {
        Self { source, state: 0, left: limit, limit }
    }

    /// Counts before anything is allocated.
    fn take(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        let refused = TooRandom { limit: self.limit };
        self.left = self.left.checked_sub(length).ok_or_else(|| wasmtime::Error::new(refused))?;
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| wasmtime::Error::new(refused))?];
        match self.source {
            Random::System => bailiwick_base::random::fill(&mut bytes)?,
            Random::Fixed => {
                for piece in bytes.chunks_mut(8) {
                    let word = self.next().to_le_bytes();
                    piece.copy_from_slice(&word[..piece.len()]);
                }
            }
        }
        Ok(bytes)
    }

    fn word(&mut self) -> wasmtime::Result<u64> {
        let mut word = [0; 8];
        word.copy_from_slice(&self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014), from zero.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

impl random::Host for View<'_> {
    fn get_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        self.files.count("get-random-bytes")?;
        self.world.random.take(length)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.world.random.word()
    }
}

impl insecure::Host for View<'_> {
    fn get_insecure_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        random::Host::get_random_bytes(self, length)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.world.random.word()
    }
}

impl insecure_seed::Host for View<'_> {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        Ok((self.world.random.word()?, self.world.random.word()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_bytes_are_the_same_in_every_call_and_bounded() {
        // The first outputs of SplitMix64 from zero.
        let first = 0xe220_a839_7b1d_cdaf_u64;
        let mut random = RandomSource::new(Random::Fixed, 20);
        assert_eq!(random.word().unwrap(), first);
        assert_eq!(random.take(12).unwrap().len(), 12);
        assert!(random.take(1).unwrap_err().is::<TooRandom>());
        assert!(RandomSource::new(Random::System, 20).take(1 << 40).unwrap_err().is::<TooRandom>());
        assert_eq!(RandomSource::new(Random::Fixed, 8).word().unwrap(), first);
        assert_ne!(
            RandomSource::new(Random::System, 8).word().unwrap(),
            RandomSource::new(Random::System, 8).word().unwrap()
        );
    }
}
