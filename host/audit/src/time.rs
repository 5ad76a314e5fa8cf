//! The time of a line.

use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// Appends the present time as `2026-11-20T13:04:05.678Z`.
pub(crate) fn write_now(buffer: &mut Vec<u8>) {
    // A clock set before 1970 is a broken clock; zero keeps everything working.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    write(buffer, since.as_secs(), since.subsec_millis());
}

fn write(buffer: &mut Vec<u8>, seconds: u64, millis: u32) {
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    // A vector takes every byte.
    let _ = write!(buffer, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z");
}

/// Gregorian date of a day since 1970, counted in years that begin in March so that the leap day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_have_their_known_text() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
            (1_795_179_845, "2026-11-20T13:04:05.007Z"),
        ] {
            let mut buffer = Vec::new();
            write(&mut buffer, seconds, 7);
            assert_eq!(String::from_utf8(buffer).unwrap(), text);
        }
    }
}
