//! Looking at sixteen bytes at once. With vector instructions where the target has them, as `cargo xtask guests` makes
//! sure it does; the other half is what the tests on other targets check it against in meaning.

/// Sixteen bytes side by side.
pub(crate) type Row = [u8; LANES];
/// How many bytes a row has.
pub(crate) const LANES: usize = 16;
/// How many bytes [`mark`] looks at together, so that each has a bit of one number.
pub(crate) const GROUP: usize = 64;
/// How many bytes [`copy`] copies.
pub(crate) const COPIED: usize = 32;
/// The most rows [`survey`] takes: a lane counts in a byte.
pub(crate) const MOST_ROWS: usize = 255;

/// What is known of some rows.
pub(crate) struct Survey {
    /// How many line feeds they have.
    pub(crate) line_feeds: u32,
    /// The least byte.
    pub(crate) least: u8,
    /// The bits that some byte has.
    pub(crate) bits: u8,
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vectors {
    use super::{LANES, Row, Survey};
    use std::arch::wasm32::{
        i8x16_bitmask, i8x16_sub, u8x16_eq, u8x16_le, u8x16_min, u8x16_splat, v128, v128_load, v128_or, v128_store,
    };

    /// The bits that some byte has, of the groups that were looked at.
    #[derive(Clone, Copy)]
    pub(crate) struct Bits {
        bits: v128,
        /// The greatest control character.
        control: v128,
    }

    impl Bits {
        #[inline(always)]
        pub(crate) fn none() -> Self {
            // Hidden from the compiler, which would make `<= 0x1f` a `< 0x20`, and that takes twice as many instructions
            // on x86-64.
            Self { bits: u8x16_splat(0), control: u8x16_splat(std::hint::black_box(0x1f)) }
        }

        #[inline(always)]
        pub(crate) fn is_ascii(self) -> bool {
            i8x16_bitmask(self.bits) == 0
        }
    }

    /// Gives a bit for each byte of a group that JSON wants escaped, the lowest for the first.
    ///
    /// # Safety
    /// There is a group to read at `from`.
    #[inline(always)]
    #[expect(unsafe_code, reason = "there is no other way to load a vector")]
    pub(crate) unsafe fn mark(from: *const u8, bits: &mut Bits) -> u64 {
        // SAFETY: as the caller says; it needs no alignment.
        let row = |index: usize| unsafe { v128_load(from.add(index * LANES).cast()) };
        let rows = [row(0), row(1), row(2), row(3)];
        bits.bits = v128_or(bits.bits, v128_or(v128_or(rows[0], rows[1]), v128_or(rows[2], rows[3])));
        let marks = |row: v128| {
            let control = u8x16_le(row, bits.control);
            let quote = u8x16_eq(row, u8x16_splat(b'"'));
            let backslash = u8x16_eq(row, u8x16_splat(b'\\'));
            u64::from(i8x16_bitmask(v128_or(control, v128_or(quote, backslash))))
        };
        marks(rows[0]) | marks(rows[1]) << LANES | marks(rows[2]) << (2 * LANES) | marks(rows[3]) << (3 * LANES)
    }

    /// Copies `COPIED` bytes.
    ///
    /// # Safety
    /// There are as many to read at `from` and room for them at `to`.
    #[inline(always)]
    #[expect(unsafe_code, reason = "there is no other way to load and store a vector")]
    pub(crate) unsafe fn copy(from: *const u8, to: *mut u8) {
        // SAFETY: as the caller says; neither needs an alignment.
        unsafe {
            let rows = (v128_load(from.cast()), v128_load(from.add(LANES).cast()));
            v128_store(to.cast(), rows.0);
            v128_store(to.add(LANES).cast(), rows.1);
        }
    }

    /// Looks at some rows.
    pub(crate) fn survey(rows: &[Row]) -> Survey {
        let (mut line_feeds, mut least, mut bits) = (u8x16_splat(0), u8x16_splat(u8::MAX), u8x16_splat(0));
        for row in rows {
            let row = load(row);
            // True is minus one in each lane.
            line_feeds = i8x16_sub(line_feeds, u8x16_eq(row, u8x16_splat(b'\n')));
            least = u8x16_min(least, row);
            bits = v128_or(bits, row);
        }
        Survey {
            line_feeds: store(line_feeds).iter().map(|count| u32::from(*count)).sum(),
            least: store(least).into_iter().fold(u8::MAX, u8::min),
            bits: store(bits).into_iter().fold(0, |bits, lane| bits | lane),
        }
    }

    fn load(row: &Row) -> v128 {
        // SAFETY: a row is as long as what is loaded, and a load needs no alignment.
        #[expect(unsafe_code, reason = "there is no other way to load a vector")]
        unsafe {
            v128_load(row.as_ptr().cast())
        }
    }

    fn store(vector: v128) -> Row {
        let mut row = [0; LANES];
        // SAFETY: a row is as long as what is stored, and a store needs no alignment.
        #[expect(unsafe_code, reason = "there is no other way to store a vector")]
        unsafe {
            v128_store(row.as_mut_ptr().cast(), vector);
        }
        row
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod vectors {
    use super::{COPIED, GROUP, Row, Survey};

    /// The bits that some byte has, of the groups that were looked at.
    #[derive(Clone, Copy)]
    pub(crate) struct Bits(u8);

    impl Bits {
        pub(crate) fn none() -> Self {
            Self(0)
        }

        pub(crate) fn is_ascii(self) -> bool {
            self.0.is_ascii()
        }
    }

    /// Gives a bit for each byte of a group that JSON wants escaped, the lowest for the first.
    ///
    /// # Safety
    /// There is a group to read at `from`.
    #[expect(unsafe_code, reason = "the same as with vectors")]
    pub(crate) unsafe fn mark(from: *const u8, bits: &mut Bits) -> u64 {
        // SAFETY: as the caller says; bytes need no alignment.
        let group = unsafe { from.cast::<[u8; GROUP]>().read() };
        bits.0 |= group.iter().fold(0, |bits, byte| bits | byte);
        let mark = |byte: &u8| u64::from(matches!(byte, b'"' | b'\\' | 0..0x20));
        group.iter().enumerate().fold(0, |marks, (index, byte)| marks | mark(byte) << index)
    }

    /// Copies `COPIED` bytes.
    ///
    /// # Safety
    /// There are as many to read at `from` and room for them at `to`.
    #[expect(unsafe_code, reason = "the same as with vectors")]
    pub(crate) unsafe fn copy(from: *const u8, to: *mut u8) {
        // SAFETY: as the caller says; bytes need no alignment.
        unsafe { to.cast::<[u8; COPIED]>().write(from.cast::<[u8; COPIED]>().read()) }
    }

    /// Looks at some rows.
    pub(crate) fn survey(rows: &[Row]) -> Survey {
        let mut survey = Survey { line_feeds: 0, least: u8::MAX, bits: 0 };
        for byte in rows.iter().flatten() {
            survey.line_feeds += u32::from(*byte == b'\n');
            survey.least = survey.least.min(*byte);
            survey.bits |= byte;
        }
        survey
    }
}

pub(crate) use vectors::{Bits, copy, mark, survey};
