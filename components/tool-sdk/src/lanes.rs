//! Looking at sixteen bytes at once. With vector instructions where the target has them, as `cargo xtask guests` makes
//! sure it does; the other half is what the tests on other targets check it against in meaning.

/// Sixteen bytes side by side.
pub(crate) type Row = [u8; LANES];
/// How many bytes a row has.
pub(crate) const LANES: usize = 16;
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
        i8x16_bitmask, i8x16_sub, u8x16_eq, u8x16_lt, u8x16_min, u8x16_splat, v128, v128_load, v128_or, v128_store,
    };

    /// Copies a row and gives a bit for each byte in it that JSON wants escaped, the lowest for the first.
    ///
    /// # Safety
    /// There is a row to read at `from` and room for one at `to`.
    #[inline(always)]
    #[expect(unsafe_code, reason = "there is no other way to load and store a vector")]
    pub(crate) unsafe fn copy_and_mark(from: *const u8, to: *mut u8) -> u32 {
        // SAFETY: as the caller says; neither needs an alignment.
        let row = unsafe {
            let row = v128_load(from.cast());
            v128_store(to.cast(), row);
            row
        };
        let control = u8x16_lt(row, u8x16_splat(0x20));
        let quote = u8x16_eq(row, u8x16_splat(b'"'));
        let backslash = u8x16_eq(row, u8x16_splat(b'\\'));
        u32::from(i8x16_bitmask(v128_or(control, v128_or(quote, backslash))))
    }

    /// Copies a row.
    ///
    /// # Safety
    /// There is a row to read at `from` and room for one at `to`.
    #[inline(always)]
    #[expect(unsafe_code, reason = "there is no other way to load and store a vector")]
    pub(crate) unsafe fn copy(from: *const u8, to: *mut u8) {
        // SAFETY: as the caller says; neither needs an alignment.
        unsafe { v128_store(to.cast(), v128_load(from.cast())) }
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
    use super::{Row, Survey};

    /// Copies a row and gives a bit for each byte in it that JSON wants escaped, the lowest for the first.
    ///
    /// # Safety
    /// There is a row to read at `from` and room for one at `to`.
    #[expect(unsafe_code, reason = "the same as with vectors")]
    pub(crate) unsafe fn copy_and_mark(from: *const u8, to: *mut u8) -> u32 {
        // SAFETY: as the caller says; bytes need no alignment.
        let row = unsafe {
            let row = from.cast::<Row>().read();
            to.cast::<Row>().write(row);
            row
        };
        let mark = |byte: &u8| u32::from(matches!(byte, b'"' | b'\\' | 0..0x20));
        row.iter().enumerate().fold(0, |marks, (index, byte)| marks | mark(byte) << index)
    }

    /// Copies a row.
    ///
    /// # Safety
    /// There is a row to read at `from` and room for one at `to`.
    #[expect(unsafe_code, reason = "the same as with vectors")]
    pub(crate) unsafe fn copy(from: *const u8, to: *mut u8) {
        // SAFETY: as the caller says; bytes need no alignment.
        unsafe { to.cast::<Row>().write(from.cast::<Row>().read()) }
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

pub(crate) use vectors::{copy, copy_and_mark, survey};
